// SPDX-License-Identifier: BSD-3-Clause
// Blocks of rows of an archive whose end is lost, read from the pages of the file as far as they are there, where SQLite itself gives
// up: it returns no part of a value. Format: https://www.sqlite.org/fileformat2.html, sections 1.5, 1.6 and 2.1.

const INTERIOR = 5;
const LEAF = 13;
const MOST_PAGES = 1e6; // of damaged files, whose pages may form circles

/** A variable-length integer of the bytes: [value, where it ends]. */
function varint(bytes, at) {
  let value = 0;
  for (let k = 0; k < 8; k++) {
    const byte = bytes[at + k];
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, at + k + 1];
  }
  return [value * 256 + bytes[at + 8], at + 9];
}

class File {
  /** bytes: those that are there */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.page = this.view.getUint16(16) === 1 ? 65536 : this.view.getUint16(16);
    this.usable = this.page - bytes[20];
    this.left = MOST_PAGES;
  }

  start(number) {
    return (number - 1) * this.page;
  }

  /** Is the whole page there? Counts. */
  has(number) {
    this.left -= 1;
    return this.left > 0 && number >= 1 && number * this.page <= this.bytes.length;
  }

  /** The leaves of a table from left to right, as far as pages are there. */
  *leaves(number, depth = 0) {
    if (!this.has(number) || depth > 20) return;
    const at = this.start(number);
    const head = number === 1 ? at + 100 : at;
    const cells = this.view.getUint16(head + 3);
    const type = this.bytes[head];
    if (type === LEAF) yield { at, head, cells };
    if (type !== INTERIOR || head + 12 + 2 * cells > at + this.page) return;
    for (let i = 0; i < cells; i++) {
      const cell = at + this.view.getUint16(head + 12 + 2 * i);
      if (cell + 4 <= at + this.page) yield* this.leaves(this.view.getUint32(cell), depth + 1);
    }
    yield* this.leaves(this.view.getUint32(head + 8), depth + 1);
  }

  /** The payload of `size` bytes that begins at `at` of a leaf: what of it is there. */
  payload(at, size, end) {
    const { usable } = this;
    const most = usable - 35;
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const rest = least + ((size - least) % (usable - 4));
    const local = size <= most ? size : rest <= most ? rest : least;
    if (at + local + (local < size ? 4 : 0) > end) return new Uint8Array(0);
    const out = new Uint8Array(Math.min(size, this.bytes.length));
    out.set(this.bytes.subarray(at, at + local));
    let filled = local;
    let next = local < size ? this.view.getUint32(at + local) : 0;
    while (filled < out.length && next > 0 && this.left > 0) {
      this.left -= 1;
      const from = this.start(next);
      const part = this.bytes.subarray(from + 4, from + 4 + Math.min(usable - 4, out.length - filled));
      out.set(part, filled);
      filled += part.length;
      if (from + this.page > this.bytes.length) break;
      next = this.view.getUint32(from);
    }
    return out.subarray(0, filled);
  }
}

const WIDTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]; // of serial types

/** An integer of a record, of the serial type. */
function integer(view, at, type) {
  if (type === 8 || type === 9) return type - 8;
  if (type === 6) return Number(view.getBigInt64(at));
  if (type < 1 || type > 6) return NaN;
  let value = view.getInt8(at);
  for (let k = 1; k < WIDTHS[type]; k++) value = value * 256 + view.getUint8(at + k);
  return value;
}

/**
 * Blocks in the order of their rows.
 * @param {Uint8Array} bytes of the file, as far as they are there
 * @param {number} root first page of the table `blocks`
 * @yields {{first: number, n: number, crc: number, rows: Uint8Array, size: number}} rows: the first of `size` bytes
 */
export function* salvagedBlocks(bytes, root) {
  const file = new File(bytes);
  for (const { at, head, cells } of file.leaves(root)) {
    const end = at + file.page;
    for (let i = 0; i < cells && head + 10 + 2 * i <= end; i++) {
      const [size, behind] = varint(bytes, at + file.view.getUint16(head + 8 + 2 * i));
      const [first, begin] = varint(bytes, behind);
      const record = file.payload(begin, size, end);
      const block = blockOf(record, first);
      if (block) yield block;
    }
  }
}

/** The columns of a record: first (the number of the row), n, t0, t1, crc32, rows. */
function blockOf(record, first) {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  let [body, at] = varint(record, 0);
  const types = [];
  while (at < body && at < record.length) {
    const [type, next] = varint(record, at);
    types.push(type);
    at = next;
  }
  if (types.length < 6 || types[5] < 12 || types[5] % 2) return null;
  const places = types.map((type) => {
    const place = body;
    body += type < 12 ? WIDTHS[type] : (type - (type % 2) - 12) / 2;
    return place;
  });
  if (places[5] > record.length) return null;
  const size = (types[5] - 12) / 2;
  return { first, n: integer(view, places[1], types[1]), crc: integer(view, places[4], types[4]), rows: record.subarray(places[5], places[5] + size), size };
}
