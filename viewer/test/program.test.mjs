// SPDX-License-Identifier: BSD-3-Clause
// Archives that the program has written: rows against `polhode export`, the state at a row as the beginning of another run,
// archives that are cut off or damaged anywhere. POLHODE: the program, or that of a build in build/; without it this is skipped.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import initSqlJs from 'sql.js/dist/sql-wasm.js';
import { readArchive, Unreadable } from '../src/archive.js';
import { stateYaml } from '../src/state-yaml.js';

const top = process.env.POLHODE_TOP ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const program = process.env.POLHODE ?? join(top, 'build', 'polhode');
const skip = existsSync(program) && existsSync(join(top, 'examples', 'chain.yaml')) ? false : `no program at ${program}`;
const SQL = await initSqlJs();
const work = mkdtempSync(join(tmpdir(), 'viewer-'));
after(() => rmSync(work, { recursive: true, force: true }));

const polhode = (...args) => execFileSync(program, args, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** The scenario of an example with other lines in place of those keys; null: without the key. */
function scenario(example, change = {}) {
  const lines = readFileSync(join(top, 'examples', `${example}.yaml`), 'utf8').split('\n');
  for (const [key, value] of Object.entries(change)) {
    const begin = lines.findIndex((line) => line.startsWith(`${key}:`));
    let end = begin < 0 ? lines.length : begin + 1;
    while (begin >= 0 && end < lines.length && /^([\s#]|$)/.test(lines[end])) end += 1;
    lines.splice(begin < 0 ? lines.length : begin, begin < 0 ? 0 : end - begin, ...(value === null ? [] : [value]));
  }
  return `${lines.join('\n')}\n`;
}

function run(name, text) {
  writeFileSync(join(work, `${name}.yaml`), text);
  polhode('run', `${name}.yaml`, '-q', '--force');
  return new Uint8Array(readFileSync(join(work, `${name}.out`, `${name}.polhode`)));
}

test('rows have the bits that polhode export writes', { skip }, () => {
  const archive = readArchive(SQL, 'rows.polhode', run('rows', scenario('chain', { duration: 'duration: 1' })));
  polhode('export', 'rows.out/rows.polhode', '-o', 'rows.csv', '--force');
  const [head, ...lines] = readFileSync(join(work, 'rows.csv'), 'utf8').trim().split('\n');
  const names = head.split(',').map((word) => word.replace(/\[.*\]$/, ''));
  assert.equal(archive.n, lines.length);
  assert.ok(names.length > 20);
  lines.forEach((line, i) => line.split(',').forEach((word, c) => assert.equal(archive.column(names[c])[i], Number(word), `${names[c]}, row ${i}`)));
  assert.equal(archive.label, 'variational, order 2, h = 0.001 s');
  assert.equal(archive.scene.version, 1);
});

// of each kind of factor, with momenta and with velocity constraints
const STATES = [['chain', 'duration: 1'], ['free-rigid-body', 'duration: 1'], ['cart-chain', 'duration: 1'], ['spin-wave', 'duration: 2'], ['rolling-ball', 'duration: 1'],
  ['rattleback', 'duration: 1'], ['poincare-section', 'duration: 1'], ['quadrotor-cable', 'duration: 0.1']];
for (const [name, duration] of STATES)
  test(`a state of ${name} begins another run where it was`, { skip }, () => {
    const change = { duration, output: 'output: {every: 10}', events: null };
    const first = readArchive(SQL, name, run(name, scenario(name, change)));
    const row = Math.floor(0.6 * first.n);
    const made = stateYaml(first, row);
    assert.ok(made.text, `lacks ${made.lacks}`);
    const again = readArchive(SQL, name, run(`${name}-again`, scenario(name, { ...change, initial: made.text.trimEnd() })));
    assert.equal(again.time[0], first.time[row]);
    // admission corrects lengths: two roundings
    const scale = Math.max(1, ...first.scene.z.map((z) => Math.abs(first.column(z)[row])));
    for (const z of first.scene.z) assert.ok(Math.abs(again.column(z)[0] - first.column(z)[row]) <= 4.5e-16 * scale, `${z}: ${again.column(z)[0]}, not ${first.column(z)[row]}`);
    const energy = first.column('energy');
    if (energy) assert.ok(Math.abs(again.column('energy')[0] - energy[row]) <= 1e-13 * Math.max(...energy.map(Math.abs)), `${again.column('energy')[0]}, not ${energy[row]}`);
  });

test('an archive that is cut off anywhere, or has a byte changed anywhere, shows rows as they were or says why it cannot', { skip }, () => {
  const bytes = run('hurt', scenario('chain', { output: 'output: {every: 3}' }));
  const whole = readArchive(SQL, 'hurt.polhode', bytes);
  assert.deepEqual(whole.notes, []);
  const all = whole.columns.map((c) => c.name);
  let shown = 0;
  const why = new Map();
  const look = (given, words) => {
    let got;
    try {
      got = readArchive(SQL, 'hurt.polhode', given);
    } catch (error) {
      assert.ok(error instanceof Unreadable, `${words}: ${error.stack}`);
      why.set(error.message.replace(/\d+/g, 'N'), words);
      return;
    }
    shown += 1;
    const said = (r) => JSON.stringify([[...r.meta].sort(), r.columns, r.events]);
    if (said(got) !== said(whole)) assert.ok(got.notes.length > 0, `${words}: other words, columns or events without a word`);
    if (got.n < whole.n) assert.ok(got.notes.length > 0, `${words}: ${got.n} rows of ${whole.n} without a word`);
    for (let i = 0; i < got.n; i += 37)
      for (const name of all) if (got.column(name)) assert.equal(got.column(name)[i], whole.column(name)[got.rowNumber(i)], `${words}: ${name}, row ${i}`);
  };
  for (let share = 0; share < 1; share += 0.04) look(bytes.subarray(0, Math.floor(share * bytes.length)), `cut off at ${share}`);
  let seed = 3;
  for (let k = 0; k < 60; k++) {
    seed = (seed * 16807) % 2147483647;
    const changed = bytes.slice();
    changed[seed % bytes.length] ^= 1 << (seed % 8);
    look(changed, `byte ${seed % bytes.length}`);
  }
  assert.ok(shown >= 20, `${shown} were shown; ${JSON.stringify([...why])}`);
});

test('tables that are not as they were written, and what is missing, are named', { skip }, () => {
  const bytes = run('named', scenario('poincare-section', { duration: 'duration: 20' }));
  const whole = readArchive(SQL, 'named.polhode', bytes);
  assert.deepEqual(whole.notes, []);
  assert.ok(whole.events.length > 2);
  const says = (sql, words) => {
    const db = new SQL.Database(bytes);
    db.run(sql);
    const notes = readArchive(SQL, 'named.polhode', db.export()).notes.join(' ');
    assert.match(notes, words, sql);
    db.close();
  };
  says("UPDATE columns SET name = 'p9x' WHERE i = 3", /table columns is damaged/);
  says("UPDATE meta SET value = '0.25' WHERE key = 'step'", /table meta is damaged/);
  says("DELETE FROM meta WHERE key = 'crc32'", /table meta is damaged/);
  says('PRAGMA user_version = 2', /head is damaged/);
  says('DELETE FROM events', /\d+ of \d+ events "\w+" are missing/);
  says('UPDATE state SET rows = rows - 1', /state is damaged/);
  says('UPDATE state SET events = NULL', /state is damaged/);
  says('DELETE FROM state', /state is missing/);
  // a page has a copy, which has no state
  polhode('view', 'named.out/named.polhode', '-o', 'named.html', '--force');
  const page = readFileSync(join(work, 'named.html'), 'utf8');
  const [copy] = page.match(/U1FMaXRlIGZvcm1hdCAz[A-Za-z0-9+/=]+/);
  const copied = new Uint8Array(Buffer.from(copy, 'base64'));
  const notes = (given) => readArchive(SQL, 'named.polhode', given).notes;
  const before = notes(copied).length;
  const db = new SQL.Database(copied);
  db.run('DELETE FROM events WHERE n = 0');
  assert.ok(notes(db.export()).some((note) => /1 of \d+ events are missing/.test(note)));
  assert.equal(notes(copied).length, before);
});
