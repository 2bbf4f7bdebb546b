// SPDX-License-Identifier: BSD-3-Clause
// What was run: model, method, build, scenario, and what is to be known of the archive.
import { gunzipSync } from 'fflate';
import { button, el, save } from './dom.js';
import { errorNotes } from './series.js';

const KEYS = [['model', 'model'], ['method', 'method'], ['options', 'options'], ['order', 'order'], ['step', 'step h [s]'], ['steps', 'steps planned'],
  ['status', 'ended'], ['message', ''], ['created', 'begun'], ['version', 'Polhode'], ['build', 'build'], ['thinned', 'in this page']];

const MOST_NOTES = 6;

/** Under a name of its own: it may not replace the archive that it is a copy of. */
function saveCopy(run, kept) {
  const bytes = kept[0] === 0x1f && kept[1] === 0x8b ? gunzipSync(kept) : kept;
  save(new Blob([bytes], { type: 'application/vnd.sqlite3' }), run.meta.has('copy') ? run.name.replace(/(\.polhode)?$/, '-copy.polhode') : run.name);
}

function one(run, k, kept) {
  const rows = KEYS.filter(([key]) => run.meta.get(key)).map(([key, words]) => el('tr', {}, el('th', { scope: 'row', text: words }), el('td', { text: run.meta.get(key) })));
  const computed = run.meta.get('computed')?.split('\n');
  return el('div', {}, el('h3', { class: `run${k + 1}`, text: `${run.name}: ${run.label}` }), el('table', { class: 'about' }, el('tbody', {}, ...rows)),
    computed ? el('p', { text: `Computed for this page: ${computed.slice(0, 12).join(', ')}${computed.length > 12 ? `, and ${computed.length - 12} more` : ''}.` }) : null,
    kept ? el('p', {}, button('Save the archive', `Save ${run.name}`, () => saveCopy(run, kept))) : null,
    run.meta.get('scenario') ? el('details', {}, el('summary', { text: 'Scenario' }), el('pre', { tabIndex: 0, text: run.meta.get('scenario') })) : null);
}

/** kept: bytes, gzipped or not, of those runs that came with the page, which has them to save. */
export const about = (runs, kept) => el('details', { class: 'what' }, el('summary', { text: 'What was run' }), ...runs.map((run, k) => one(run, k, kept.get(run))));

/** Notes of all runs and of the pictures, or null. */
export function notes(runs, words) {
  const each = runs.flatMap((run) => [...run.notes, ...errorNotes(run)].map((note) => [run.member ? `member ${run.member.number}` : run.name, note]));
  const of = new Map(); // of many runs, those of each note
  for (const [name, note] of each) of.set(note, [...(of.get(note) ?? []), name]);
  const whose = (names) => (names.length === 1 ? names[0] : names.length === runs.length ? `each of ${names.length}` : `${names[0]} and ${names.length - 1} more`);
  const said = runs.length > 2 ? [...of].map(([note, names]) => [whose(names), note]) : each;
  const lines = said.slice(0, MOST_NOTES).map(([name, note]) => (runs.length > 1 ? `${name}: ${note}` : note));
  if (said.length > MOST_NOTES) lines.push(`${said.length - MOST_NOTES} more such notes: each run says how it ended below.`);
  lines.push(...words);
  return lines.length ? el('ul', { class: 'notes', role: 'status' }, ...lines.map((text) => el('li', { text }))) : null;
}
