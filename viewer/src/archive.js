// SPDX-License-Identifier: BSD-3-Clause
// Archives of Polhode read from their bytes by sql.js, as doc/reference/archive.md describes them: also those that are being
// written, were cut off, or are damaged in places. What cannot be read is said, what can be read is shown.
import { gunzipSync } from 'fflate';
import { checkWhole } from './checksums.js';
import { crc32 } from './crc32.js';
import { energyScale } from './energy-scale.js';
import { fallbackScene } from './fallback-scene.js';
import { Run } from './run.js';
import { readScene } from './scene/description.js';
import { salvagedBlocks } from './salvage.js';
import { thinned } from './shares.js';
import { applyLog } from './wal.js';

const IDENTITY = 0x506f6c68; // application_id, "Polh"
const NEWEST = 3; // user_version
const MOST_NUMBERS = 8e6; // of a run in memory
const MOST_ROWS = 50000;
export const LARGEST = 1.5e9; // bytes of a file

/** A file that is no archive, or none that can be read: its message is for people. */
export class Unreadable extends Error {}

const text = (bytes, from, n) => String.fromCharCode(...bytes.subarray(from, from + n));

/** What a file is that is no database. */
function foreign(name, bytes) {
  const head = text(bytes, 0, Math.min(bytes.length, 200));
  if (bytes.length === 0) return `${name} is empty; an archive of Polhode, NAME.polhode, is expected.`;
  if (/^t\[s\],step/.test(head) || /\.csv$/i.test(name))
    return `${name} is a table. The archive next to it, NAME.polhode, has the same rows and can be shown.`;
  if (/^\s*(#|polhode:|model:)/.test(head) || /\.ya?ml$/i.test(name))
    return `${name} is a scenario. Run it first (polhode run ${name}), then drop the archive, NAME.polhode.`;
  if (/-wal$|-shm$/.test(name)) return `${name} belongs to an archive; drop it together with NAME.polhode.`;
  return `${name} is no archive of Polhode; NAME.polhode, as polhode run writes it, is expected.`;
}

/** The bytes as one database file that sql.js opens: with its log, at full length. cut: those of
 * them that are there, where the end is lost; else null. */
function prepare(name, bytes, log, notes) {
  if (text(bytes, 0, 15) !== 'SQLite format 3') throw new Unreadable(foreign(name, bytes));
  let file = bytes;
  if (log) file = applyLog(bytes, log).bytes;
  else if (bytes[18] === 2)
    notes.push(`${name} is still being written, or its run was killed: what was committed last may be in ${name}-wal; drop both together to see it.`);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 100) throw new Unreadable(`${name} was cut off after ${file.length} bytes; nothing of it can be shown.`);
  const page = view.getUint16(16) === 1 ? 65536 : view.getUint16(16);
  const pages = view.getUint32(28);
  if (page >= 512 && pages > 0 && pages * page > file.length && pages * page < 4 * LARGEST) {
    notes.push(`${name} was cut off: it has ${file.length} of ${pages * page} bytes. What is there is shown.`);
    const whole = new Uint8Array(pages * page);
    whole.set(file);
    return { file: whole, cut: file };
  }
  return { file, cut: null };
}

/** A database of the bytes, which sql.js copies: a large file is not copied twice for two bytes, which say that there is a log. */
function open(SQL, file) {
  const mark = [file[18], file[19]];
  file[18] = file[19] = 1;
  try {
    return new SQL.Database(file);
  } finally {
    [file[18], file[19]] = mark;
  }
}

/** The rows of a query, as far as they can be read: each(get) for each of them; false where reading stopped early. */
function forEach(database, query, each) {
  let statement;
  try {
    statement = database.prepare(query);
    while (statement.step()) each(statement.get());
    return true;
  } catch {
    return false;
  } finally {
    statement?.free();
  }
}

const numbers = (bytes) => {
  const copy = bytes.slice(0, bytes.length - (bytes.length % 8));
  const view = new DataView(copy.buffer);
  const out = new Float64Array(copy.length / 8);
  for (let i = 0; i < out.length; i++) out[i] = view.getFloat64(8 * i, true);
  return out;
};

function readEvents(database, notes) {
  const events = [];
  const encoder = new TextEncoder();
  let damaged = 0;
  forEach(database, 'SELECT n, name, crc32, row FROM events ORDER BY n', ([n, name, crc, row]) => {
    if (crc32(row, crc32(encoder.encode(name), n)) !== crc >>> 0) {
      damaged += 1;
      return;
    }
    const [t, step, theta, direction] = numbers(row.subarray(0, 32));
    events.push({ name, t, step, theta, direction, z: numbers(row.subarray(32)) });
  });
  if (damaged) notes.push(`${damaged} ${damaged === 1 ? 'event is' : 'events are'} damaged and left out.`);
  return events;
}

/** Rows that are kept of many: the first, the last, those on both sides of an event, the others at equal distances. */
class Keeper {
  /** most of total rows of `width` numbers, the second of which is the step; steps: after which steps events lie */
  constructor(width, total, most, steps) {
    this.width = width;
    this.every = total > most ? Math.ceil(total / most) : 1;
    this.steps = [...steps].sort((a, b) => a - b);
    this.next = 0;
    this.data = Array.from({ length: width + 1 }, () => []);
    this.held = null; // the latest row, which was not kept
    this.latest = -Infinity; // its step
    this.seen = 0;
  }

  /** Is there an event from the latest row to the one of this step? */
  between(step) {
    while (this.next < this.steps.length && this.steps[this.next] < this.latest) this.next += 1;
    return this.seen > 0 && this.next < this.steps.length && this.steps[this.next] < step;
  }

  /** A row: its numbers begin `at` bytes behind the start of the view. */
  take(view, at, row) {
    const step = this.width > 1 ? view.getFloat64(at + 8, true) : row;
    const wanted = this.between(step);
    if (wanted) this.keepHeld();
    if (wanted || row % this.every === 0) {
      for (let c = 0; c < this.width; c++) this.data[c].push(view.getFloat64(at + 8 * c, true));
      this.data[this.width].push(row);
      this.held = null;
    } else this.held = { view, at, row };
    this.latest = step;
    this.seen += 1;
  }

  keepHeld() {
    if (!this.held) return;
    const { view, at, row } = this.held;
    for (let c = 0; c < this.width; c++) this.data[c].push(view.getFloat64(at + 8 * c, true));
    this.data[this.width].push(row);
    this.held = null;
  }

  /** Columns, and the numbers of the rows as a further one. */
  end() {
    this.keepHeld();
    return this.data.map((list) => Float64Array.from(list));
  }
}

/** How many rows there are: by the last block, or by the size of a file whose end is lost. */
function countRows(database, width, size) {
  let total = 0;
  forEach(database, 'SELECT first, n FROM blocks ORDER BY first DESC LIMIT 1', ([first, n]) => (total = first + n));
  return total > 0 ? total : Math.floor(size / (8 * width));
}

/** Columns of numbers from the blocks; those that are damaged are left out. cut: the bytes that are there of a file whose end is lost. */
function readRows(database, width, { file, cut }, events, notes) {
  const total = countRows(database, width, file.length);
  const most = Math.max(2, Math.min(MOST_ROWS, Math.floor(MOST_NUMBERS / (width + 1))));
  const steps = thinned(events, Math.floor(most / 8)).map((e) => e.step); // their rows are up to a quarter of all
  const keeper = new Keeper(width, total, total > most ? Math.max(1, most - 2 * steps.length - 2) : most, steps);
  const size = 8 * width;
  const lost = { blocks: 0, from: null, rows: 0, whole: true };
  const take = ([first, n, crc, bytes], declared = bytes?.length) => {
    const right = bytes && n > 0 && declared === size * n;
    const part = right && cut && bytes.length < declared; // of a block that was cut off the first rows
    if (!right || (!part && crc32(bytes, first) !== crc >>> 0)) {
      lost.blocks += 1;
      return;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const rows = Math.floor(bytes.length / size);
    for (let k = 0; k < rows; k++) keeper.take(view, size * k, first + k);
    if (!part) return;
    lost.from ??= first;
    lost.rows += rows;
  };
  if (cut) forEach(database, "SELECT rootpage FROM sqlite_schema WHERE name = 'blocks'", ([root]) => {
    for (const { first, n, crc, rows, size: declared } of salvagedBlocks(cut, root)) take([first, n, crc, rows], declared);
  });
  else lost.whole = forEach(database, 'SELECT first, n, crc32, rows FROM blocks ORDER BY first', (row) => take(row));
  if (lost.blocks) notes.push(`${lost.blocks} ${lost.blocks === 1 ? 'block of rows is' : 'blocks of rows are'} damaged and left out (polhode info --check names them).`);
  if (lost.rows) notes.push(`${lost.rows} rows from row ${lost.from} on are of a block whose end is lost: its checksum cannot be verified.`);
  if (!lost.whole) notes.push('The rest of the rows cannot be read.');
  const data = keeper.end();
  if (keeper.every > 1 && data[0].length < keeper.seen) notes.push(`${data[0].length} of ${keeper.seen} rows are shown${steps.length ? ', with those around events' : ''}.`);
  return data;
}

/**
 * Reads an archive.
 * @param {object} SQL what sql.js gives
 * @param {string} name of the file
 * @param {Uint8Array} given its bytes, gzipped or not
 * @param {Uint8Array|null} log the bytes of NAME.polhode-wal
 * @param {string} [label]
 * @returns {Run}
 */
export function readArchive(SQL, name, given, log = null, label = undefined) {
  const notes = [];
  const bytes = given[0] === 0x1f && given[1] === 0x8b ? gunzipSync(given) : given;
  const { file, cut } = prepare(name, bytes, log, notes);
  let database;
  try {
    database = open(SQL, file);
    let identity = 0;
    let version = 0;
    forEach(database, 'PRAGMA application_id', ([i]) => (identity = i));
    forEach(database, 'PRAGMA user_version', ([i]) => (version = i));
    if (identity >>> 0 !== IDENTITY) throw new Unreadable(`${name} is a database of another program; an archive of Polhode is expected.`);
    if (version > NEWEST) throw new Unreadable(`${name} was written by a newer version of Polhode (tables ${version}); this page reads versions 1 to ${NEWEST}.`);
    const meta = new Map();
    forEach(database, 'SELECT key, value FROM meta', ([key, value]) => meta.set(key, String(value)));
    const columns = [];
    forEach(database, 'SELECT name, unit FROM columns ORDER BY i', ([column, unit]) => columns.push({ name: String(column), unit: typeof unit === 'string' ? unit : '' }));
    if (!columns.length) throw new Unreadable(`${name}: its tables cannot be read; it is damaged or was cut off too early.`);
    if (!cut) notes.push(...checkWhole((query, each) => forEach(database, query, each), version, meta));
    const events = readEvents(database, notes);
    const data = readRows(database, columns.length, { file, cut }, events, notes);
    if (columns.some((c) => c.name === 'row')) data.pop();
    else columns.push({ name: 'row', unit: '' });
    if (!data[0]?.length) throw new Unreadable(`${name} has no row that can be read${notes.length ? `: ${notes.join(' ')}` : '.'}`);
    if (meta.has('thinned')) notes.push(`${meta.get('thinned')} are in this page.`);
    if (meta.has('thinned_events')) notes.push(`${meta.get('thinned_events')} are in this page.`);
    if (hasFailed(meta)) notes.push(`The run failed, and is shown until then: ${meta.get('message') ?? meta.get('status')}`);
    if (!meta.has('status') && (log || bytes[18] !== 2)) notes.push('The run has not ended: it continues, or was killed. It is shown as of its last commit.');
    return new Run({ name, label: label ?? describe(meta, name), meta, scene: sceneOf(meta, columns, notes), columns, data, events, notes, energyScale: energyScale(meta, monitorOf(database)) });
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`${name} cannot be read: ${error.message}.`);
  } finally {
    database?.close();
  }
}

/** Did something else end the run than its plan, an event or a person? */
function hasFailed(meta) {
  const [status, reason] = ['status', 'reason'].map((key) => meta.get(key));
  return status !== undefined && status !== 'ok' && status !== 'stopped' && (status !== 'interrupted' || reason === 'energy-error');
}

/** What the run's monitor has seen, as ph_monitor_pack (polhode/diagnostics.h) writes it, or null. */
function monitorOf(database) {
  let bytes = null;
  forEach(database, 'SELECT monitor FROM state', ([monitor]) => (bytes = monitor instanceof Uint8Array ? monitor : null));
  return bytes;
}

/** "variational, order 6, h = 0.02 s" */
export function describe(meta, name) {
  const words = [meta.get('method')];
  if (words[0] && meta.get('order')) words.push(`order ${meta.get('order')}`);
  const h = Number(meta.get('step'));
  if (words[0] && h) words.push(`h = ${Number(h.toPrecision(6))} s`);
  return words[0] ? words.join(', ') : name;
}

/** The scene that the archive has, or what its columns show. */
function sceneOf(meta, columns, notes) {
  if (meta.has('scene'))
    try {
      const scene = JSON.parse(meta.get('scene'));
      if (scene?.version === 1 && readScene(scene)) return scene;
      notes.push('The description of the scene is of a newer version, or damaged; the columns are drawn as they are.');
    } catch {
      notes.push('The description of the scene is damaged; the columns are drawn as they are.');
    }
  return fallbackScene(columns);
}
