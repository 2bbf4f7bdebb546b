// SPDX-License-Identifier: BSD-3-Clause
// Is an archive whole, as far as its checksums and counts say (doc/reference/archive.md)? Of blocks and events they are compared where
// these are read; here those of the tables meta and columns, of the row of the state, and how many rows and events there should be.
import { crc32 } from './crc32.js';

const SEALED = 3; // from this version of the tables on meta and columns have checksums
const encoder = new TextEncoder();

/** Integers and numbers as eight bytes each, little-endian. */
function pack(values) {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  values.forEach(([kind, value], i) => {
    if (kind === 'q') view.setBigInt64(8 * i, BigInt(value), true);
    else view.setFloat64(8 * i, value ?? NaN, true);
  });
  return new Uint8Array(view.buffer);
}

/** The checksum goes on over a value of a table. */
function addValue(sum, value) {
  if (typeof value === 'number') return crc32(pack([[Number.isInteger(value) ? 'q' : 'd', value]]), sum);
  return crc32(new Uint8Array(1), crc32(value instanceof Uint8Array ? value : encoder.encode(value ?? ''), sum));
}

/** Of all rows that the query gives. */
function sumOf(forEach, query) {
  let sum = 0;
  const whole = forEach(query, (row) => (sum = row.reduce(addValue, sum)));
  return whole ? sum : -1;
}

/** What the state says of the archive: {rows, events: Map of counts by name}, null where it is not there, undefined where it is damaged. */
function readState(forEach) {
  let state = null;
  forEach('SELECT k, t, rows, energy0, newton_passes, row_passes, cpu_seconds, written, crc32, row_crc32, events FROM state', (row) => {
    const [k, t, rows, energy0, newton, passes, cpu, written, crc, own, events] = row;
    const kinds = [['q', k], ['d', t], ['q', rows], ['d', energy0], ['q', newton], ['q', passes], ['d', cpu]];
    try {
      const sum = crc32(pack([['q', crc]]), crc32(encoder.encode(written), crc32(pack(kinds))));
      const counts = countsOf(events, k);
      state = sum === own && counts ? { rows, events: counts } : undefined;
    } catch {
      state = undefined; // a value that cannot be packed
    }
  });
  return state;
}

/** The packed counts of events, or null where they are damaged. */
function countsOf(bytes, k) {
  if (!(bytes instanceof Uint8Array) || bytes.length < 8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (BigInt(crc32(bytes.subarray(8), crc32(pack([['q', k]])))) !== view.getBigUint64(0, true)) return null;
  const counts = new Map();
  for (let at = 8; at + 8 < bytes.length; ) {
    const end = bytes.indexOf(0, at + 8);
    if (end < 0) return null;
    counts.set(new TextDecoder().decode(bytes.subarray(at + 8, end)), Number(view.getBigUint64(at, true)));
    at = end + 1;
  }
  return counts;
}

const missing = (what, there, all) => (there < all ? [`${all - there} of ${all} ${what} are missing.`] : []);

/** How many of the first `all` rows the blocks have. */
function countRows(forEach, all) {
  let there = 0;
  forEach('SELECT first, n FROM blocks ORDER BY first', ([first, n]) => (there += Math.max(0, Math.min(n, all - first))));
  return there;
}

/** Events by name. */
function countEvents(forEach) {
  const counts = new Map();
  forEach('SELECT name FROM events', ([name]) => counts.set(name, (counts.get(name) ?? 0) + 1));
  return counts;
}

/**
 * What is wrong, in sentences.
 * @param {(query: string, each: (row: any[]) => void) => boolean} forEach the rows of a query; false where reading stopped early
 * @param {number} version of the tables
 * @param {Map<string, string>} meta
 * @returns {string[]}
 */
export function checkWhole(forEach, version, meta) {
  if (version < SEALED) return meta.has('crc32') ? ['Its head is damaged: its tables are of a later version than it says.'] : [];
  if (String(sumOf(forEach, "SELECT key, value FROM meta WHERE key <> 'crc32' ORDER BY key")) !== meta.get('crc32'))
    return ['Its table meta is damaged (its checksum is wrong): what is said of the run may be wrong.'];
  const notes = [];
  if (String(sumOf(forEach, 'SELECT i, name, unit FROM columns ORDER BY i')) !== meta.get('columns_crc32'))
    notes.push('Its table columns is damaged (its checksum is wrong): columns may have other names.');
  const there = countEvents(forEach);
  const count = (key) => Number(meta.get(key));
  if (meta.has('copied_rows')) {
    const events = [...there.values()].reduce((a, b) => a + b, 0);
    return [...notes, ...missing('rows', countRows(forEach, count('copied_rows')), count('copied_rows')), ...missing('events', events, count('copied_events'))];
  }
  const state = readState(forEach);
  if (!state) return [...notes, `Its state is ${state === null ? 'missing' : 'damaged'}: it is not known how many rows and events there should be.`];
  notes.push(...missing('rows', countRows(forEach, state.rows), state.rows));
  for (const [name, n] of state.events) notes.push(...missing(`events "${name}"`, there.get(name) ?? 0, n));
  return notes;
}
