// SPDX-License-Identifier: BSD-3-Clause
// The events of runs as a list: a button for each goes to its instant. The marks on the time line are the same for the eye.
import { el, button } from './dom.js';
import { short } from './format.js';

const MOST = 200;

/** @returns {HTMLElement|null} null where there are no events */
export function eventList(runs, clock) {
  const events = runs.flatMap((run, k) => run.events.map((e) => ({ ...e, run: k }))).sort((a, b) => a.t - b.t);
  if (!events.length) return null;
  const go = (e) => {
    clock.pause();
    clock.setTime(e.t);
  };
  const row = (e) => el('tr', {}, el('th', { scope: 'row', class: runs.length > 1 ? `run${e.run + 1}` : null, text: runs.length > 1 && runs[e.run].member ? `${e.name}, member ${runs[e.run].member.number}` : e.name }),
    el('td', { class: 'number', text: `${short(e.t, 10)} s` }), el('td', { text: e.direction > 0 ? 'rising' : 'falling' }),
    el('td', {}, button('go', `Go to ${e.name} at ${short(e.t, 8)} s`, () => go(e), { class: 'small' })));
  return el('details', { class: 'events' }, el('summary', { text: `Events (${events.length})` }),
    el('table', {}, el('tbody', {}, ...events.slice(0, MOST).map(row))),
    events.length > MOST ? el('p', { class: 'dim', text: `and ${events.length - MOST} more, as marks on the time line; e goes from one to the next.` }) : null);
}
