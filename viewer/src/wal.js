// SPDX-License-Identifier: BSD-3-Clause
// The write-ahead log of an SQLite database (NAME.polhode-wal): what a run that is going on, or was killed, has committed
// and not yet moved into the file. Format: https://www.sqlite.org/fileformat2.html, section 4.

const HEADER = 32;
const FRAME = 24;

/** Checksum (s0, s1) continued over bytes [from, to) of the view, as pairs of words. */
function checksum([s0, s1], view, from, to, little) {
  for (let at = from; at < to; at += 8) {
    s0 = (s0 + view.getUint32(at, little) + s1) >>> 0;
    s1 = (s1 + view.getUint32(at + 4, little) + s0) >>> 0;
  }
  return [s0, s1];
}

/**
 * The database with the commits of its log. What follows the last whole commit counts for nothing, as in SQLite.
 * @param {Uint8Array} database
 * @param {Uint8Array} log
 * @returns {{bytes: Uint8Array, commits: number}} bytes: `database` itself where the log has no commit
 */
export function applyLog(database, log) {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const none = { bytes: database, commits: 0 };
  if (log.length < HEADER || (view.getUint32(0) & 0xfffffffe) >>> 0 !== 0x377f0682) return none;
  const little = (view.getUint32(0) & 1) === 0;
  const page = view.getUint32(8);
  const salts = [view.getUint32(16), view.getUint32(20)];
  let sum = checksum([0, 0], view, 0, 24, little);
  if (sum[0] !== view.getUint32(24) || sum[1] !== view.getUint32(28)) return none;
  if (page < 512 || page > 65536 || (page & (page - 1)) !== 0) return none;

  const waiting = new Map(); // pages behind the last commit
  const pages = new Map();
  let size = 0;
  let commits = 0;
  for (let at = HEADER; at + FRAME + page <= log.length; at += FRAME + page) {
    if (view.getUint32(at + 8) !== salts[0] || view.getUint32(at + 12) !== salts[1]) break;
    sum = checksum(checksum(sum, view, at, at + 8, little), view, at + FRAME, at + FRAME + page, little);
    if (sum[0] !== view.getUint32(at + 16) || sum[1] !== view.getUint32(at + 20)) break;
    waiting.set(view.getUint32(at), at + FRAME);
    const total = view.getUint32(at + 4);
    if (total === 0) continue;
    for (const [number, place] of waiting) pages.set(number, place);
    waiting.clear();
    size = total;
    commits += 1;
  }
  if (commits === 0) return none;
  const bytes = new Uint8Array(size * page);
  bytes.set(database.subarray(0, Math.min(database.length, bytes.length)));
  for (const [number, place] of pages)
    if (number >= 1 && number <= size) bytes.set(log.subarray(place, place + page), (number - 1) * page);
  return { bytes, commits };
}
