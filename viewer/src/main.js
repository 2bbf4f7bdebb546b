// SPDX-License-Identifier: BSD-3-Clause
// The page begins: archives that it contains, and those that are dropped on it or chosen, are read and shown.
//
// For tests and the console, window.polhode is {ready, runs, clock, view, state()}: ready is fulfilled when the embedded
// archives are shown, or at once where there are none.
import initSqlJs from 'sql.js/dist/sql-wasm-browser.js';
import packedWasm from 'sql.js/dist/sql-wasm-browser.wasm';
import { gunzipSync } from 'fflate';
import { App } from './app.js';
import { el } from './dom.js';
import { areMembers } from './run.js';
import { LARGEST, readArchive, Unreadable } from './archive.js';

/** Bytes of a base64 text, piece by piece: it may be long, and have line breaks. */
function fromBase64(text) {
  const binary = atob(text.replace(/\s+/g, ''));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

let SQL = null;
const sql = () => (SQL ??= initSqlJs({ wasmBinary: gunzipSync(fromBase64(packedWasm)) }));

const app = new App(document.getElementById('app'), { open: openFiles });

/** Runs of the archives, and a message for each that cannot be read. */
async function read(files) {
  const runs = [];
  const library = await sql();
  for (const { name, bytes, log, label, own, member } of files)
    try {
      const run = readArchive(library, name, bytes, log ?? null, label);
      if (member) run.member = member;
      if (own) app.kept.set(run, bytes);
      runs.push(run);
    } catch (error) {
      app.complain(error instanceof Unreadable ? error.message : `${name} cannot be shown: ${error.message}.`);
    }
  return runs;
}

/** Two of the runs at most, or members of a sweep. What an archive says of itself may be wrong in ways that nobody thought of: then that is said. */
function show(runs) {
  if (!runs.length) return;
  const shown = runs.every((run) => run.member) ? runs : runs.slice(0, 2);
  if (runs.length > shown.length) app.complain(`Two archives are shown at a time; ${runs.slice(2).map((run) => run.name).join(', ')} ${runs.length > 3 ? 'are' : 'is'} left out.`);
  try {
    app.setRuns(app.memberOfAddress(shown), areMembers(shown) ? shown : []);
  } catch (error) {
    app.complain(`${shown.map((run) => run.name).join(' and ')} cannot be shown: ${error.message}.`);
    console.info(error);
  }
}

/** Files that a person dropped or chose: archives, and their logs. add: next to those that are shown. */
async function openFiles(list, add) {
  const files = [...list];
  app.messages.replaceChildren();
  const logs = new Map(files.filter((f) => f.name.endsWith('-wal')).map((f) => [f.name.slice(0, -4), f]));
  const archives = files.filter((f) => !(f.name.endsWith('-wal') && files.some((g) => g.name === f.name.slice(0, -4))) && !f.name.endsWith('-shm') && !f.name.endsWith('.lock'));
  const loaded = [];
  for (const file of archives) {
    if (file.size > LARGEST) {
      app.complain(`${file.name} has ${(file.size / 1e9).toFixed(1)} GB, too much for a browser: polhode view ${file.name} makes a page of it.`);
      continue;
    }
    await app.busy(`Reading ${file.name} (${(file.size / 1e6).toFixed(1)} MB) ...`);
    const bytes = async (f) => new Uint8Array(await f.arrayBuffer());
    try {
      loaded.push({ name: file.name, bytes: await bytes(file), log: logs.has(file.name) ? await bytes(logs.get(file.name)) : null });
    } catch (error) {
      app.complain(`${file.name} cannot be read (${error.message}). Where it is too large for this browser, polhode view ${file.name} makes a page of it.`);
    }
  }
  const runs = await read(loaded);
  await app.busy(null);
  if (!runs.length) return;
  try {
    history.replaceState(null, '', add ? location.hash || '#' : '#');
  } catch {
    // a page in a frame may not
  }
  show(add ? [...app.runs.slice(0, 1), ...runs] : runs);
}

/** While files are dragged over the page it says where to drop them: in place of what is shown, or to compare. */
function takeDrops() {
  const root = document.documentElement;
  const compare = el('div', { class: 'zone', text: 'Compare with what is shown' });
  document.body.append(el('div', { class: 'zones', 'aria-hidden': 'true' }, el('div', { class: 'zone', text: 'Show' }), compare));
  root.addEventListener('dragover', (e) => {
    e.preventDefault();
    root.classList.add('dropping');
    compare.hidden = !app.runs.length;
  });
  for (const name of ['dragleave', 'drop']) root.addEventListener(name, (e) => (name === 'drop' || !e.relatedTarget) && root.classList.remove('dropping'));
  root.addEventListener('drop', (e) => {
    e.preventDefault();
    if (e.dataTransfer.files.length) openFiles(e.dataTransfer.files, e.shiftKey || e.target === compare);
  });
}

async function begin() {
  takeDrops();
  const scripts = [...document.querySelectorAll('script[type="application/vnd.polhode"]')];
  const memberOf = ({ member, share }) => (member === undefined ? null : { number: Number(member), share: Number(share) });
  const files = scripts.map((s) => ({ name: s.dataset.name, label: s.dataset.label, own: true, member: memberOf(s.dataset), bytes: fromBase64(s.textContent) }));
  scripts.forEach((s) => s.remove());
  const runs = files.length ? await read(files) : [];
  show(runs);
}

window.polhode = { app, get runs() { return app.runs; }, clock: app.clock, get view() { return app.view; }, state: () => app.state(), open: openFiles, ready: begin() };
