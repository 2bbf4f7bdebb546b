// SPDX-License-Identifier: BSD-3-Clause
// Below the picture: play, steps, speed, the time line with the events on it, the time and the row.
import { el, button, icon, iconButton } from './dom.js';
import { thinned } from './shares.js';
import { short, time } from './format.js';

const SPEEDS = [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100, 1000];
const FINE = 10000; // steps of the slider
const MOST_MARKS = 400;

export class Transport {
  /** @param {import('./clock.js').Clock} clock */
  constructor(clock) {
    this.clock = clock;
    this.runs = [];
    this.play = iconButton('play', 'Play', () => clock.toggle(), { class: 'play' });
    this.slider = el('input', { type: 'range', min: '0', max: String(FINE), value: '0', 'aria-label': 'Time', oninput: () => this.scrub() });
    this.marks = el('div', { class: 'marks' });
    this.speed = el('select', { 'aria-label': 'Speed', title: 'Speed', onchange: () => clock.setSpeed(Number(this.speed.value)) });
    this.now = el('output', { class: 'now-text', 'aria-live': 'off' });
    this.said = el('span', { class: 'hidden', 'aria-live': 'polite' });
    this.element = el('footer', { class: 'transport' },
      el('div', { class: 'buttons' },
        iconButton('start', 'To the start', () => this.go('start')), iconButton('back', 'One row back', () => this.step(-1)), this.play,
        iconButton('on', 'One row on', () => this.step(1)), iconButton('end', 'To the end', () => this.go('end'))),
      el('div', { class: 'line' }, this.slider, this.marks), this.now, this.speed, this.said);
    clock.subscribeReader((_, what) => (what === 'time' ? this.follow() : this.show()));
  }

  setRuns(runs) {
    this.runs = runs;
    const [start, end] = [this.clock.start, this.clock.end];
    const events = runs.flatMap((run, k) => run.events.map((e) => ({ ...e, run: k })));
    this.marks.replaceChildren(...thinned(events, MOST_MARKS).map((e) => {
      const words = `${e.name} at ${short(e.t, 8)} s`;
      const mark = button('', words, () => { this.clock.pause(); this.clock.setTime(e.t); }, { class: `mark run${e.run + 1}`, tabIndex: -1 });
      mark.style.left = `${(100 * (e.t - start)) / (end - start || 1)}%`;
      return mark;
    }));
    this.show();
    this.follow();
  }

  /** The rows' usual distance in time. */
  get rowStep() {
    const run = this.runs[0];
    return run && run.n > 1 ? Math.abs(run.time[run.n - 1] - run.time[0]) / (run.n - 1) : 0;
  }

  scrub() {
    const { clock } = this;
    clock.pause();
    this.toRow(clock.start + ((clock.end - clock.start) * Number(this.slider.value)) / FINE);
  }

  /** The time of the row of the first run that is nearest. */
  toRow(t) {
    const run = this.runs[0];
    this.clock.setTime(run ? run.time[run.nearest(t)] : t);
  }

  step(rows) {
    const run = this.runs[0];
    if (!run) return;
    this.clock.pause();
    const sign = run.backwards ? -1 : 1;
    const i = run.nearest(this.clock.time) + sign * rows;
    this.clock.setTime(run.time[Math.min(Math.max(i, 0), run.n - 1)]);
    this.say();
  }

  go(where) {
    this.clock.pause();
    this.clock.setTime(this.clock[where]);
    this.say();
  }

  /** One of the usual speeds, faster or slower. */
  faster(by) {
    const size = Math.abs(this.clock.speed);
    const next = by > 0 ? SPEEDS.find((s) => s > size * 1.001) : SPEEDS.findLast((s) => s < size / 1.001);
    if (next) this.clock.setSpeed(next * Math.sign(this.clock.speed));
  }

  say() {
    this.said.textContent = this.now.textContent;
  }

  show() {
    const { clock } = this;
    const words = clock.playing ? 'Pause' : 'Play';
    this.play.replaceChildren(icon(words.toLowerCase()));
    this.play.setAttribute('aria-label', words);
    this.play.title = words;
    const speeds = [...new Set([...SPEEDS, ...SPEEDS.map((s) => -s), clock.speed])].filter((s) => s > 0 || s === clock.speed || s === -1).sort((a, b) => a - b);
    const said = (s) => (s === 1 ? 'real time' : s === -1 ? 'backwards' : `${short(s)} \u00d7`);
    this.speed.replaceChildren(...speeds.map((s) => el('option', { value: String(s), text: said(s), selected: s === clock.speed })));
    if (!clock.playing) this.say();
  }

  follow() {
    const { clock, runs } = this;
    const share = (clock.time - clock.start) / (clock.end - clock.start || 1);
    if (document.activeElement !== this.slider || clock.playing) this.slider.value = String(Math.round(FINE * share));
    const run = runs[0];
    const words = run ? `t = ${time(clock.time, this.rowStep)} s, row ${run.rowNumber(run.nearest(clock.time))}` : '';
    this.now.textContent = words;
    this.slider.setAttribute('aria-valuetext', words);
  }
}
