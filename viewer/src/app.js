// SPDX-License-Identifier: BSD-3-Clause
// The page as a whole: runs, the clock, the picture and what stands around it; what the address and the keys say.
import { about, notes } from './about.js';
import { Chart } from './chart.js';
import { Clock, usualSpeed } from './clock.js';
import { distance } from './distance.js';
import { el, button, dialog, iconButton, save } from './dom.js';
import { eventList } from './event-list.js';
import { readHash, writeHash } from './hash.js';
import { KEYS, listen } from './keys.js';
import { distinguish } from './labels.js';
import { usualColumns } from './names.js';
import { Readout } from './readout.js';
import { recordDialog } from './record.js';
import { areMembers } from './run.js';
import { ramp, toHex } from './scene/colours.js';
import { MOST_NAMED } from './scene/legend.js';
import { createPolhodePanel, panelFactors } from './scene/rigid.js';
import { createView } from './scene/view.js';
import { columnChart, usualCharts } from './series.js';
import { stateYaml } from './state-yaml.js';
import { Transport } from './transport.js';

const VIEWS = [['home', 'Fit'], ['front', 'Front'], ['side', 'Side'], ['top', 'Top']];
const FLAGS = [['trails', 'Trails', 't'], ['momentum', 'Momentum', 'm'], ['omega', 'Omega', 'w'], ['follow', 'Follow', 'f'], ['parallel', 'Parallel', 'o']];

const APART = 'The two have fewer than two rows at the same times, so their distance is not shown: runs over the same time with the same "output: {interval: ...}" have more.';

export class App {
  /** @param {{open: (files: FileList|File[], add: boolean) => void}} options */
  constructor(root, { open }) {
    this.root = root;
    this.open = open;
    this.runs = [];
    this.charts = [];
    this.chosen = []; // columns with a chart
    this.members = []; // of a sweep, that came with the page
    this.tags = []; // short names of the runs
    this.flags = new Set(['trails']);
    this.kept = new Map(); // bytes of runs that came with the page
    this.clock = new Clock();
    this.build();
    this.clock.subscribe((_, what) => this.changed(what));
    listen(this);
    window.addEventListener('hashchange', () => this.fromAddress());
  }

  build() {
    this.title = el('h1', { text: 'Polhode viewer' });
    this.legend = el('p', { class: 'legend' });
    this.file = el('input', { type: 'file', multiple: true, hidden: true, tabIndex: -1, 'aria-hidden': 'true', onchange: () => { this.open(this.file.files, false); this.file.value = ''; } });
    this.added = el('input', { type: 'file', multiple: true, hidden: true, tabIndex: -1, 'aria-hidden': 'true', onchange: () => { this.open(this.added.files, true); this.added.value = ''; } });
    this.colours = el('style'); // of members
    document.head.append(this.colours);
    this.which = el('select', { 'aria-label': 'Member', title: 'Member', hidden: true, onchange: () => this.chooseMember(this.which.value) });
    const bar = el('header', { class: 'bar' }, el('div', { class: 'names' }, this.title, this.legend),
      el('nav', { 'aria-label': 'Page' }, this.which, button('Open', 'Open an archive', () => this.file.click()), (this.compareButton = button('Compare', 'Add an archive to compare', () => this.added.click())),
        (this.yamlButton = button('Copy state', 'Copy the state at this instant as YAML', () => this.copyState())), (this.recordButton = button('Record', 'Record pictures or a film', () => recordDialog(this))),
        iconButton('theme', 'Light or dark', () => this.theme()), button('?', 'Help', () => this.help()), this.file, this.added));
    this.host = el('div', { class: 'host', role: 'img', tabIndex: 0, 'aria-label': 'The motion in three dimensions. Drag to turn, wheel to zoom.' });
    this.flagButtons = FLAGS.map(([flag, words, key]) => button(words, `${words} (${key})`, () => this.flag(flag), { 'aria-pressed': 'false', 'data-flag': flag }));
    this.tools = el('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Picture' }, ...VIEWS.map(([view, words]) => button(words, `View: ${words.toLowerCase()}`, () => this.view.setView(view))), ...this.flagButtons);
    this.stage = el('section', { class: 'stage', 'aria-label': 'Scene' }, this.tools, this.host);
    this.panel = el('aside', { class: 'panel', 'aria-label': 'Numbers and curves' });
    this.transport = new Transport(this.clock);
    this.readout = new Readout(this.clock, { onchart: (name) => this.addChart(name), onchange: () => this.toAddress() });
    this.empty = el('section', { class: 'empty' }, el('h2', { text: 'Drop an archive here' }),
      el('p', { text: 'NAME.polhode, as polhode run writes it; two at once are compared. One that is being written is shown as of its last commit if NAME.polhode-wal is dropped with it.' }),
      el('p', {}, button('Choose a file', 'Choose an archive', () => this.file.click(), { class: 'primary' })),
      el('p', { class: 'dim', text: 'Nothing leaves this page: it needs no network, and sends nothing.' }));
    this.messages = el('div', { class: 'messages', role: 'alert' });
    this.root.replaceChildren(bar, this.messages, this.stage, this.panel, this.transport.element, this.empty);
    this.root.classList.add('without');
    this.show();
  }

  /** What went wrong with a file, until something else is opened. */
  complain(words) {
    this.messages.append(el('p', {}, words, ' ', button('\u00d7', 'Dismiss', (e) => e.target.parentElement.remove(), { class: 'small' })));
  }

  /** What is being done, where it may take a while; null: nothing any more. Returns when it can be seen. */
  async busy(words) {
    this.working?.remove();
    this.working = words ? el('div', { class: 'busy', role: 'status', text: words }) : null;
    if (!words) return;
    this.messages.append(this.working);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }

  /** All members in one picture ('all'), or the one with this number, at the same time; where it moves is another place. */
  chooseMember(which) {
    this.toAddress(false);
    this.setRuns(this.members.filter((run) => which === 'all' || String(run.member.number) === which), this.members);
    this.toAddress();
  }

  /** The member that the address names, by itself. */
  memberOfAddress(runs) {
    const named = readHash(location.hash).flags?.find((f) => f.startsWith('member:'))?.slice(7);
    const found = runs.filter((run) => String(run.member?.number) === named);
    return found.length ? found : runs;
  }

  offerMembers() {
    const { members, runs } = this;
    const one = (value, text, selected) => el('option', { value, text, selected });
    this.which.hidden = !members.length;
    this.which.replaceChildren(one('all', `all ${members.length} members`, runs.length > 1), ...members.map((run) => one(String(run.member.number), run.label, runs.length === 1 && run === runs[0])));
  }

  /** Colours of members, in place of those of two runs. */
  paintMembers() {
    const list = areMembers(this.runs) ? this.runs.map((run) => toHex(ramp(run.member.share))) : [];
    this.colours.textContent = list.length ? `:root:root:root { ${list.map((c, k) => `--run${k + 1}: ${c};`).join(' ')} } .legend .run2::before { border-top-style: solid; } ${list.map((_, k) => `.run${k + 1} { color: var(--run${k + 1}); }`).join(' ')}` : '';
  }

  /** @param {import('./run.js').Run[]} runs members: those of which they are some */
  setRuns(runs, members = areMembers(runs) ? runs : []) {
    this.clock.pause();
    const words = distinguish(runs);
    runs.forEach((run, k) => (run.label = words[k].label));
    this.tags = words.map((w) => w.tag);
    this.runs = runs;
    this.members = members;
    this.offerMembers();
    this.paintMembers();
    this.root.classList.toggle('without', !runs.length);
    if (!runs.length) return;
    this.apart = runs.length === 2 ? distance(runs[0], runs[1]) : null;
    this.title.textContent = runs.map((run) => run.meta.get('name')?.replace(/\.ya?ml$/, '') || run.name).filter((n, i, all) => all.indexOf(n) === i).join(' and ');
    document.title = `${this.title.textContent} \u2013 Polhode`;
    const named = runs.map((run, k) => el('span', { class: `run${k + 1}`, text: run.label }));
    this.legend.replaceChildren(...(named.length > MOST_NAMED ? [named[0], 'to', named.at(-1)] : named));
    const spans = runs.map((run) => run.span);
    const [start, end] = [Math.min(...spans.map((s) => s[0])), Math.max(...spans.map((s) => s[1]))];
    this.clock.start = start;
    this.clock.end = end;
    this.clock.time = runs[0].backwards ? end : start;
    this.clock.speed = usualSpeed(end - start) * (runs[0].backwards ? -1 : 1);
    if (this.view?.lost) { // its canvas has no context any more: another one
      this.view.dispose();
      this.view = null;
    }
    this.flags.delete('follow');
    if (this.view) this.view.setRuns(runs);
    else this.view = createView(this.host, { runs, clock: this.clock, options: this.options() });
    this.view.onCamera = () => this.later();
    if (this.view.has.drifts) this.flags.add('follow'); // not by flag(): the address is still to be read
    this.view.setOptions(this.options());
    this.host.setAttribute('aria-label', this.view.description?.() ?? 'The motion in three dimensions');
    this.show();
    this.readout.set(runs, usualColumns(runs[0]), this.tags);
    this.chosen = [];
    this.makePanel();
    this.transport.setRuns(runs);
    this.fromAddress();
    this.clock.notify('state');
    this.clock.notify('time');
  }

  makePanel() {
    for (const chart of this.charts) chart.remove();
    this.bodies?.forEach((panel) => panel.dispose?.());
    const { apart } = this;
    const between = apart?.common > 1 ? [{ title: 'Distance of the two', unit: apart.unit, log: true, sparse: true, curves: [{ run: 0, values: apart.values }] }] : [];
    const list = [...between, ...usualCharts(this.runs), ...this.chosen.map((name) => columnChart(this.runs, name))];
    this.charts = list.map((is) => new Chart(is, this.runs, this.clock, { tags: this.tags, onscrub: (t) => this.transport.toRow(t), onremove: is.column ? () => this.dropChart(is.column) : undefined }));
    this.curves = el('section', { class: 'curves', 'aria-label': 'Curves' }, ...this.charts.map((c) => c.element));
    const bodies = el('section', { class: 'bodies', 'aria-label': 'Bodies' });
    this.panel.replaceChildren(...[notes(this.runs, [...(this.view.words ?? []), ...(apart && apart.common < 2 ? [APART] : [])]), bodies, this.curves, this.readout.element, eventList(this.runs, this.clock), about(this.runs, this.kept)].filter(Boolean));
    this.bodies = this.bodyPanels(bodies);
    if (!bodies.children.length) bodies.remove();
    for (const chart of this.charts) chart.draw();
  }

  /** Panels of the first factors of either kind: polhodes of bodies, spheres of directions with their traces. */
  bodyPanels(section) {
    return panelFactors(this.runs[0]).map((i) => {
      const host = el('figure', { class: 'body' });
      section.append(host);
      const panel = createPolhodePanel(host, this.runs, i, this.clock, { calm: this.view.software });
      if (!panel) host.remove();
      host.classList.toggle('wide', host.querySelectorAll('canvas').length > 1);
      return panel;
    }).filter(Boolean);
  }

  addChart(name) {
    if (!this.chosen.includes(name)) this.chosen.push(name);
    this.makePanel();
    this.toAddress();
    this.charts.at(-1)?.element.scrollIntoView({ block: 'nearest' });
  }

  dropChart(name) {
    this.chosen = this.chosen.filter((n) => n !== name);
    this.makePanel();
    this.toAddress();
  }

  options() {
    const on = (flag) => this.flags.has(flag);
    return { trails: on('trails') ? 'usual' : 'none', omega: on('omega'), momentum: on('momentum'), follow: on('follow') ? 'mean' : -1, parallel: on('parallel') };
  }

  flag(flag, on = !this.flags.has(flag)) {
    if (on) this.flags.add(flag);
    else this.flags.delete(flag);
    this.show();
    this.view?.setOptions(this.options());
    this.toAddress();
  }

  show() {
    const has = this.view?.has ?? {};
    const needs = { follow: 'points' };
    for (const b of this.flagButtons) {
      const what = needs[b.dataset.flag] ?? b.dataset.flag;
      b.disabled = what in has && !has[what];
    }
    for (const b of this.flagButtons) b.setAttribute('aria-pressed', String(this.flags.has(b.dataset.flag)));
  }

  /** The first run's row at this instant. */
  get row() {
    return this.runs.length ? this.runs[0].nearest(this.clock.time) : 0;
  }

  state() {
    const run = this.runs[0];
    if (!run) return null;
    const numbers = Object.fromEntries(this.readout.names.map((name) => [name, run.column(name)?.[this.row] ?? null]));
    return { t: this.clock.time, rowTime: run.time[this.row], row: run.rowNumber(this.row), playing: this.clock.playing, speed: this.clock.speed, values: numbers };
  }

  async copyState() {
    const made = stateYaml(this.runs[0], this.row);
    if (made.reduced) {
      this.complain('The run is one of a reduced system: its state is in other coordinates than those of "initial" in its scenario. polhode resume continues it.');
      return;
    }
    if (made.lacks) {
      this.complain(`A state takes the whole configuration and momentum; the archive has no column ${made.lacks}. Give the run all columns, or "output: {columns: [configuration, momentum]}".`);
      return;
    }
    const area = el('textarea', { readOnly: true, rows: 14, 'aria-label': 'State as YAML' });
    area.value = made.text;
    const words = el('p', { role: 'status' });
    dialog('State at this instant', el('p', { text: 'In a scenario of the same model it takes the place of "initial".' }), area, words,
      el('p', {}, button('Save as a file', 'Save as a file', () => save(new Blob([made.text], { type: 'text/yaml' }), 'initial.yaml'))));
    area.select();
    try {
      await navigator.clipboard.writeText(made.text);
      words.textContent = 'Copied.';
    } catch {
      words.textContent = 'Press Ctrl+C to copy.';
    }
  }

  theme() {
    const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    this.view?.setOptions(this.options());
    for (const chart of this.charts) chart.draw();
  }

  help() {
    const licences = document.getElementById('licences');
    dialog('Help', el('table', { class: 'keys' }, el('tbody', {}, ...KEYS.map(([keys, words]) => el('tr', {}, el('th', { scope: 'row' }, el('kbd', { text: keys })), el('td', { text: words }))))),
      el('p', { text: 'Drag turns the picture, two fingers or the right button move it, wheel or pinch zooms. Click or drag on a curve sets the time. The address keeps time, view and columns: a link to this page leads to the same picture.' }),
      el('details', {}, el('summary', { text: 'Licences' }), licences ? licences.content.cloneNode(true) : ''));
  }

  changed(what) {
    const { clock } = this;
    if (what === 'state' && clock.playing) this.loop();
    // when the motion stops it stops at a row, so that the numbers are those of the picture
    if (what === 'state' && this.wasPlaying && !clock.playing && this.runs.length) this.transport.toRow(clock.time);
    if (what === 'state') this.wasPlaying = clock.playing;
    if (!clock.playing) this.later();
  }

  /** The clock runs with the screen. */
  loop() {
    if (this.looping) return;
    this.looping = true;
    let before = performance.now();
    const frame = (now) => {
      this.looping = this.clock.playing;
      this.clock.advance(Math.min(0.25, (now - before) / 1000));
      before = now;
      if (this.clock.playing) requestAnimationFrame(frame);
      else this.looping = false;
    };
    requestAnimationFrame(frame);
  }

  /** Not with each change: browsers limit how often the address may change. */
  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.toAddress(), 300);
  }

  /** camera: is it part of the address? */
  toAddress(camera = true) {
    if (!this.runs.length || this.reading) return;
    const hash = writeHash({ t: this.clock.time, speed: this.clock.speed, camera: camera ? this.view?.getCamera() : undefined, columns: this.readout.names, flags: [...this.flags, ...this.chosen.map((name) => `curve:${name}`), ...(this.runs.length < this.members.length ? [`member:${this.runs[0].member.number}`] : [])] });
    try {
      history.replaceState(null, '', hash);
    } catch {
      // a page in a frame may not
    }
  }

  fromAddress() {
    if (!this.runs.length || location.hash.length < 2) return;
    const state = readHash(location.hash);
    const known = (name) => this.runs.some((run) => run.column(name));
    this.reading = true;
    if (state.flags) {
      this.flags = new Set(state.flags.filter((f) => FLAGS.some(([flag]) => flag === f)));
      this.chosen = state.flags.filter((f) => f.startsWith('curve:')).map((f) => f.slice(6)).filter(known);
      this.view.setOptions(this.options());
      this.show();
      this.makePanel();
    }
    if (state.columns) this.readout.set(this.runs, state.columns.filter(known), this.tags);
    if (state.speed) this.clock.setSpeed(state.speed);
    if (state.t !== undefined) this.clock.setTime(state.t);
    if (state.camera) this.view.setCamera(state.camera);
    this.reading = false;
  }
}
