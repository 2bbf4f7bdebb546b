// SPDX-License-Identifier: BSD-3-Clause
// Numbers of chosen columns at the instant, those of the archive's row that is nearest, and the list from which columns are chosen.
import { el, button, iconButton } from './dom.js';
import { exact, short, unit } from './format.js';

const MOST_LISTED = 200;

export class Readout {
  /** onchart(name): a curve of the column is wanted. */
  constructor(clock, { onchart, onchange }) {
    this.clock = clock;
    this.onchart = onchart;
    this.onchange = onchange;
    this.runs = [];
    this.names = [];
    this.all = false;
    this.body = el('tbody');
    this.head = el('thead');
    this.digits = button('all digits', 'Show all digits', () => { this.all = !this.all; this.digits.setAttribute('aria-pressed', String(this.all)); this.fill(); }, { class: 'small', 'aria-pressed': 'false' });
    this.search = el('input', { type: 'search', placeholder: 'search columns', 'aria-label': 'Search columns', oninput: () => this.list() });
    this.found = el('div', { class: 'found' });
    this.element = el('section', { class: 'readout', 'aria-label': 'Numbers at this instant' },
      el('h2', {}, 'At this instant ', this.digits), (this.where = el('p', { class: 'dim where' })), el('div', { class: 'scroll' }, el('table', {}, this.head, this.body)),
      el('details', {}, el('summary', { text: 'Choose columns' }), this.search, this.found));
    clock.subscribeReader((_, what) => what === 'time' && this.fill());
  }

  /** tags: short names of the runs. */
  set(runs, names, tags = []) {
    this.runs = runs;
    this.tags = tags;
    this.names = names;
    this.build();
    this.list();
  }

  choose(name, on) {
    this.names = on ? [...this.names, name] : this.names.filter((n) => n !== name);
    this.build();
    this.onchange();
  }

  build() {
    const many = this.runs.length > 1;
    this.head.replaceChildren(el('tr', {}, el('th', { scope: 'col', text: 'column' }), ...this.runs.map((run, k) => el('th', { scope: 'col', class: `run${k + 1}`, text: many ? this.tags[k] ?? run.label : 'value' })), el('th', { scope: 'col', text: 'unit' }), el('td')));
    this.cells = [];
    this.body.replaceChildren(...this.names.map((name) => {
      const cells = this.runs.map(() => el('td', { class: 'number' }));
      this.cells.push(cells);
      const where = this.runs.find((run) => run.column(name)) ?? this.runs[0];
      return el('tr', { 'data-column': name }, el('th', { scope: 'row', text: name }), ...cells, el('td', { class: 'unit', text: unit(where?.unit(name) ?? '') }),
        el('td', {}, iconButton('curve', `Show ${name} as a curve`, () => this.onchart(name), { class: 'small' })));
    }));
    this.fill();
  }

  fill() {
    const rows = this.runs.map((run) => run.nearest(this.clock.time));
    this.where.textContent = this.say(rows);
    this.names.forEach((name, i) => this.runs.forEach((run, k) => {
      const value = run.column(name)?.[rows[k]];
      const cell = this.cells[i][k];
      cell.textContent = value === undefined ? '\u2013' : this.all ? exact(value) : short(value, 6);
      cell.title = value === undefined ? `${run.name} has no column ${name}` : exact(value);
    }));
  }

  /** Of which row the numbers are; the picture may be between two. */
  say(rows) {
    const of = (run, i) => `row ${run.rowNumber(i)}, t = ${this.all ? exact(run.time[i]) : short(run.time[i], 8)} s`;
    const [first] = this.runs;
    if (!first?.n) return '';
    const same = this.runs.every((run, k) => run.time[rows[k]] === first.time[rows[0]] && run.rowNumber(rows[k]) === first.rowNumber(rows[0]));
    if (!same && this.runs.length > 2) return `t = ${short(this.clock.time, 8)} s: the nearest row of each`;
    return same ? of(first, rows[0]) : this.runs.map((run, k) => `${this.tags[k] ?? run.label}: ${of(run, rows[k])}`).join('; ');
  }

  list() {
    const word = this.search.value.trim().toLowerCase();
    const names = [...new Set(this.runs.flatMap((run) => run.columns.map((c) => c.name)))].filter((n) => n.toLowerCase().includes(word));
    this.found.replaceChildren(...names.slice(0, MOST_LISTED).map((name) => el('label', {}, el('input', { type: 'checkbox', checked: this.names.includes(name), onchange: (e) => this.choose(name, e.target.checked) }), name)),
      ...(names.length > MOST_LISTED ? [el('p', { text: `and ${names.length - MOST_LISTED} more: search for them` })] : []));
  }
}
