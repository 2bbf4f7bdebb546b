// SPDX-License-Identifier: BSD-3-Clause
// Archives read from bytes, against databases that sql.js itself makes here by the tables of doc/reference/archive.md, and
// against SQLite's own reading of a log.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, copyFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 as crcOfNode } from 'node:zlib';
import initSqlJs from 'sql.js/dist/sql-wasm.js';
import { readArchive, Unreadable } from '../src/archive.js';
import { crc32 } from '../src/crc32.js';
import { usualColumns } from '../src/names.js';
import { applyLog } from '../src/wal.js';

const SQL = await initSqlJs();

/** An archive of rows t, step, q1x, q1y, q1z, with `blocks` of `each` rows. */
function make({ blocks = 3, each = 5, events = [], meta = {} } = {}) {
  const db = new SQL.Database();
  db.run('PRAGMA application_id = 0x506f6c68; PRAGMA user_version = 2');
  db.run('CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID');
  db.run('CREATE TABLE columns(i INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT)');
  db.run('CREATE TABLE blocks(first INTEGER PRIMARY KEY, n INTEGER NOT NULL, t0, t1, crc32 INTEGER NOT NULL, rows BLOB NOT NULL)');
  db.run('CREATE TABLE events(n INTEGER PRIMARY KEY, name TEXT NOT NULL, t, step INTEGER NOT NULL, crc32 INTEGER NOT NULL, row BLOB NOT NULL)');
  Object.entries({ status: 'ok', method: 'rk4', ...meta }).forEach(([k, v]) => db.run('INSERT INTO meta VALUES(?, ?)', [k, v]));
  ['t', 'step', 'q1x', 'q1y', 'q1z'].forEach((name, i) => db.run('INSERT INTO columns VALUES(?, ?, ?)', [i, name, i ? null : 's']));
  for (let b = 0; b < blocks; b++) {
    const first = b * each;
    const rows = new Float64Array(5 * each);
    for (let k = 0; k < each; k++) rows.set([0.1 * (first + k), first + k, Math.cos(first + k), Math.sin(first + k), 0], 5 * k);
    const bytes = new Uint8Array(rows.buffer);
    db.run('INSERT INTO blocks VALUES(?, ?, ?, ?, ?, ?)', [first, each, 0.1 * first, 0.1 * (first + each - 1), crcOfNode(bytes, first), bytes]);
  }
  events.forEach(([name, t, step], n) => {
    const row = new Uint8Array(Float64Array.from([t, step, 0.5, 1, 1, 0, 0]).buffer);
    db.run('INSERT INTO events VALUES(?, ?, ?, ?, ?, ?)', [n, name, t, step, crcOfNode(row, crcOfNode(Buffer.from(name), n)), row]);
  });
  return db;
}

const bytesOf = (db) => db.export();

test('crc32 is that of zlib, also continued', () => {
  for (const n of [0, 1, 7, 8, 9, 1000, 4099]) {
    const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 73 + 11) & 255);
    assert.equal(crc32(bytes), crcOfNode(bytes));
    assert.equal(crc32(bytes, 12345), crcOfNode(bytes, 12345));
  }
});

test('rows, units, events and words are read as they are', () => {
  const run = readArchive(SQL, 'a.polhode', bytesOf(make({ events: [['top', 0.25, 2]] })));
  assert.equal(run.n, 15);
  assert.equal(run.unit('t'), 's');
  assert.equal(run.column('q1x')[7], Math.cos(7));
  assert.equal(run.rowNumber(7), 7);
  assert.deepEqual(run.events.map((e) => [e.name, e.t, e.step, e.theta, e.direction, [...e.z]]), [['top', 0.25, 2, 0.5, 1, [1, 0, 0]]]);
  assert.deepEqual(run.notes, []);
  assert.equal(run.scene.factors[0].kind, 'S2'); // by its columns
});

test('words of a wrong type, and scenes that are none, are passed over', () => {
  for (const scene of ['5', 'null', '[]', '"x"', '{"version":1,"z":5,"factors":[null]}', '{"version":1,"factors":{}}', '{"version":1,"z":["q1x"],"factors":[{"kind":"SO3","z":0,"n":9}]}', '{"version":2}', '{']) {
    const run = readArchive(SQL, 'a.polhode', bytesOf(make({ meta: { scene } })));
    assert.equal(run.scene.factors[0].kind, 'S2', scene); // by its columns
    assert.equal(run.notes.length, 1, scene);
    assert.ok(usualColumns(run).includes('q1x'));
  }
  const db = make();
  db.run("UPDATE columns SET unit = x'00ff' WHERE i = 2");
  assert.equal(readArchive(SQL, 'a.polhode', bytesOf(db)).unit('q1x'), '');
});

test('a copy says that its run has not ended, and how many events are left out', () => {
  const db = make({ meta: { thinned: '15 of 90 rows', thinned_events: '1 of 20 events' } });
  db.run("DELETE FROM meta WHERE key = 'status'");
  const notes = readArchive(SQL, 'a.polhode', bytesOf(db)).notes.join(' ');
  for (const words of ['15 of 90 rows', '1 of 20 events', 'has not ended']) assert.ok(notes.includes(words), notes);
});

test('a damaged block and a damaged event are left out with a note', () => {
  const db = make({ events: [['top', 0.25, 2], ['low', 0.5, 5]] });
  db.run('UPDATE blocks SET crc32 = crc32 + 1 WHERE first = 5');
  db.run('UPDATE events SET t = 9, row = zeroblob(56) WHERE n = 0');
  const run = readArchive(SQL, 'a.polhode', bytesOf(db));
  assert.equal(run.n, 10);
  assert.equal(run.rowNumber(5), 10);
  assert.equal(run.events.length, 1);
  assert.equal(run.notes.length, 2);
});

test('many rows are thinned evenly, with those around events, first and last', () => {
  const each = 1000;
  const run = readArchive(SQL, 'a.polhode', bytesOf(make({ blocks: 300, each, events: [['top', 12345.65, 123456]] })));
  assert.ok(run.n <= 50010 && run.n > 40000, `${run.n}`);
  assert.equal(run.rowNumber(0), 0);
  assert.equal(run.rowNumber(run.n - 1), 300 * each - 1);
  const { i } = run.indexAt(12345.65);
  assert.equal(run.rowNumber(i), 123456);
  assert.ok(run.notes[0].includes('of 300000 rows'));
});

test('rows on both sides of an event are kept, across blocks, and of many events a part', () => {
  const each = 1000;
  const all = (events) => {
    const run = readArchive(SQL, 'a.polhode', bytesOf(make({ blocks: 60, each, events })));
    return new Set(run.column('row'));
  };
  for (const step of [1, 999, 1000, 33332, 59998]) {
    // the event lies behind `step` steps: between the rows step and step + 1
    const rows = all([['e', 0.1 * step + 0.05, step]]);
    assert.ok(rows.has(step) && rows.has(step + 1), `${step}`);
  }
  const many = all(Array.from({ length: 12000 }, (_, i) => ['e', 0.5 * i + 0.01, 5 * i]));
  assert.ok(many.size <= 50000 && many.size > 30000 && many.has(0) && many.has(59999), `${many.size}`);
  // rare ones among 12000 of another name have all their rows
  const rare = Array.from({ length: 20 }, (_, i) => (i * 23459 + 7) % 59990);
  const named = Array.from({ length: 12000 }, (_, i) => ['e', 0.5 * i + 0.01, 5 * i]);
  for (const step of rare) named.push(['rare', 0.1 * step + 0.05, step]);
  const both = all(named.sort((a, b) => a[2] - b[2]));
  for (const step of rare) assert.ok(both.has(step) && both.has(step + 1), `${step}`);
  assert.ok(both.size <= 50000, `${both.size}`);
});

test('what is cut off is shown as far as it can be read', () => {
  const whole = bytesOf(make({ blocks: 40, each: 200 }));
  const run = readArchive(SQL, 'a.polhode', whole.subarray(0, Math.floor(whole.length * 0.6)));
  assert.ok(run.n > 4000 && run.n < 5000, `${run.n}`);
  assert.ok(run.notes.some((note) => note.includes('cut off')));
  for (let i = 0; i < run.n; i++) assert.equal(run.column('q1y')[i], Math.sin(run.rowNumber(i)));
  // also of a single block, whose checksum cannot be verified then
  const one = bytesOf(make({ blocks: 1, each: 20000 }));
  const part = readArchive(SQL, 'a.polhode', one.subarray(0, Math.floor(one.length * 0.6)));
  assert.ok(part.n > 11000 && part.n < 12100, `${part.n}`);
  assert.ok(part.notes.some((note) => note.includes('checksum')));
  for (let i = 0; i < part.n; i++) assert.equal(part.column('q1y')[i], Math.sin(i));
});

test('foreign files are named', () => {
  const says = (name, bytes, words) =>
    assert.throws(() => readArchive(SQL, name, bytes), (e) => e instanceof Unreadable && words.test(e.message), name);
  const utf8 = (t) => new TextEncoder().encode(t);
  says('a.csv', utf8('t[s],step,q1x\n0,0,1\n'), /table/);
  says('a.yaml', utf8('polhode: 1\nmodel: chain-pendulum\n'), /scenario/);
  says('a.polhode', utf8('not this'), /no archive/);
  says('a.polhode', new Uint8Array(0), /empty/);
  const other = make();
  other.run('PRAGMA application_id = 1');
  says('a.polhode', bytesOf(other), /another program/);
  const newer = make();
  newer.run('PRAGMA user_version = 4');
  says('a.polhode', bytesOf(newer), /newer version/);
});

test('a log is applied as SQLite applies it', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'viewer-'));
  const script = `
import shutil, sqlite3, sys
db = sqlite3.connect("a.db", isolation_level=None)
db.execute("PRAGMA journal_mode = WAL"); db.execute("PRAGMA wal_autocheckpoint = 0")
db.execute("CREATE TABLE x(i INTEGER PRIMARY KEY, b BLOB)")
for k in range(20):
    db.execute("BEGIN"); db.executemany("INSERT INTO x(b) VALUES(?)", [(bytes([k]) * 3000,) for _ in range(5)]); db.execute("COMMIT")
    if k == 9: db.execute("PRAGMA wal_checkpoint(PASSIVE)")
shutil.copy("a.db", "copy.db"); shutil.copy("a.db-wal", "copy.db-wal")
`;
  try {
    execFileSync('python3', ['-c', script], { cwd: dir });
  } catch {
    t.skip('no python3 with sqlite3');
    return;
  }
  const count = (bytes) => {
    bytes[18] = bytes[19] = 1;
    const db = new SQL.Database(bytes);
    const [[n, sum]] = db.exec('SELECT count(*), sum(length(b)) FROM x')[0].values;
    assert.equal(sum, 3000 * n);
    assert.equal(db.exec('PRAGMA integrity_check')[0].values[0][0], 'ok');
    return n;
  };
  const file = new Uint8Array(readFileSync(join(dir, 'copy.db')));
  const log = new Uint8Array(readFileSync(join(dir, 'copy.db-wal')));
  const all = applyLog(file, log);
  assert.ok(all.commits > 5);
  assert.equal(count(all.bytes), 100);
  // a log that was cut off ends with its last whole commit, as for SQLite
  for (const part of [0.3, 0.55, 0.81]) {
    const cut = log.subarray(0, Math.floor(part * log.length));
    writeFileSync(join(dir, 'cut.db'), file);
    writeFileSync(join(dir, 'cut.db-wal'), cut);
    const n = Number(execFileSync('python3', ['-c', 'import sqlite3; print(sqlite3.connect("cut.db").execute("SELECT count(*) FROM x").fetchone()[0])'], { cwd: dir }));
    assert.equal(count(applyLog(file, cut).bytes), n);
  }
  const wrong = log.slice();
  wrong[100] ^= 1;
  assert.equal(applyLog(file, wrong).commits, 0);
});
