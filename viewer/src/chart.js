// SPDX-License-Identifier: BSD-3-Clause
// A curve over time (figures/curves.js), with the clock's time as a line: click or drag sets the clock, the button changes between linear and
// logarithmic where both make sense.
import { el, button } from './dom.js';
import { extentOf } from './figures/extent.js';
import { Curves } from './figures/curves.js';
import { short, unit as typographic } from './format.js';
import { areMembers } from './run.js';

const MOST_LABELS = 4; // at the ends of curves
const LAYOUT = { height: () => 132, letters: 11, beside: 27, labelled: false, cursor: { show: false } };

const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The least and largest of neighbouring values, in so many pieces of a run, and where a value is missing; without those that are left out. */
function thinned(time, values, leftOut) {
  const each = Math.ceil(values.length / 1500);
  const kept = [];
  for (let from = 0; from < values.length; from += each) {
    let [low, high, gap] = [-1, -1, -1];
    for (let i = from; i < Math.min(values.length, from + each); i++) {
      if (leftOut(values[i])) continue;
      if (!Number.isFinite(values[i])) gap = i;
      else {
        if (low < 0 || values[i] < values[low]) low = i;
        if (high < 0 || values[i] > values[high]) high = i;
      }
    }
    kept.push(...[...new Set([low, high, gap])].filter((i) => i >= 0).sort((a, b) => a - b));
  }
  return { x: kept.map((i) => time[i]), y: kept.map((i) => values[i]) };
}

export class Chart {
  /**
   * @param {{title: string, unit: string, log: boolean, sparse?: boolean, curves: {run: number, values: Float64Array}[]}} is
   *   sparse: values are missing at rows between those that have one, and the line goes on
   * @param {import('./run.js').Run[]} runs
   * @param {import('./clock.js').Clock} clock
   * @param {{tags?: string[], onscrub?: (t: number) => void, onremove?: () => void}} options tags: short names of the runs
   */
  constructor(is, runs, clock, { tags = [], onscrub = (t) => clock.setTime(t), onremove } = {}) {
    this.tags = tags;
    this.onscrub = onscrub;
    this.is = is;
    this.runs = runs;
    this.clock = clock;
    this.log = is.log;
    this.value = el('span', { class: 'value' });
    const unit = typographic(is.unit);
    this.scale = button('log', `Logarithmic axis of ${is.title}`, () => this.setLog(!this.log), { class: 'small', 'aria-pressed': String(this.log) });
    this.element = el('figure', { class: 'chart' },
      el('figcaption', {}, el('span', { class: 'title' }, is.title, unit && unit !== '1' ? el('span', { class: 'unit', text: ` [${unit}]` }) : null), this.value, this.scale,
        onremove ? button('\u00d7', `Remove the curve of ${is.title}`, onremove, { class: 'small' }) : null));
    this.plot = el('div', { class: 'plot', role: 'img' });
    this.line = el('div', { class: 'now', 'aria-hidden': 'true' });
    this.element.append(this.plot);
    const ends = [clock.subscribe((_, what) => what === 'time' && this.follow()), clock.subscribeReader((_, what) => what === 'time' && this.say())];
    this.end = () => ends.forEach((end) => end());
  }

  /** As figures/read.js gives it. On a logarithmic axis a line goes on over a zero, and has a gap where a value has no logarithm. */
  figure() {
    const { title, curves, sparse } = this.is;
    const leftOut = (v) => (this.log && v === 0) || (sparse && !Number.isFinite(v));
    const line = (c) => ({
      ...thinned(this.runs[c.run].time, c.values, leftOut),
      label: curves.length > 1 && curves.length <= MOST_LABELS ? this.tags[c.run] ?? '' : '',
      colour: styleOf(`--run${c.run + 1}`),
      dashes: c.run && !areMembers(this.runs) ? [6, 3] : [],
    });
    const [from, to] = this.runs.flatMap((run) => [run.time[0], run.time.at(-1)]).reduce(([a, b], t) => [Math.min(a, t), Math.max(b, t)], [Infinity, -Infinity]);
    return { kind: 'curves', x: { label: 's', log: false, range: from < to ? [from, to] : undefined }, y: { label: title, log: this.log }, ends: true, top: this.log ? 1e8 * Math.max(...curves.map(median)) : undefined, lines: curves.map(line) };
  }

  /** Once the element is in the page. */
  draw() {
    this.curves?.remove();
    this.curves = this.chart = undefined;
    const figure = this.figure();
    const flat = this.log && nothing(this.is, figure);
    this.plot.replaceChildren();
    if (flat) {
      this.plot.append(el('p', { class: 'flat', text: flat }));
      this.plot.setAttribute('aria-label', `${this.is.title}: ${flat}`);
      return;
    }
    this.curves = new Curves(figure, this.plot, LAYOUT);
    this.curves.resized = () => this.follow();
    this.chart = this.curves.plot;
    this.chart.over.append(this.line);
    this.listen(this.chart.over);
    this.plot.setAttribute('aria-label', this.describe());
    this.at = NaN;
    this.follow();
    this.say();
  }

  describe() {
    const range = this.is.curves.map((c) => {
      const values = c.values.filter((v) => Number.isFinite(v));
      const [low, high] = values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
      return `${this.runs.length > 1 ? `${this.tags[c.run] ?? this.runs[c.run].label}: ` : ''}from ${short(low)} to ${short(high)}`;
    });
    return `${this.is.title} over time, ${range.join('; ')}`;
  }

  setLog(log) {
    this.log = log;
    this.scale.setAttribute('aria-pressed', String(log));
    this.draw();
  }

  listen(over) {
    const scrub = (event) => {
      const box = over.getBoundingClientRect();
      this.clock.pause();
      this.onscrub(this.chart.posToVal(event.clientX - box.left, 'x'));
    };
    over.addEventListener('pointerdown', (event) => {
      over.setPointerCapture(event.pointerId);
      scrub(event);
    });
    over.addEventListener('pointermove', (event) => event.buttons && over.hasPointerCapture(event.pointerId) && scrub(event));
  }

  /** The line at the clock's time, to the pixel: it moves no more often than one can see. */
  follow() {
    if (!this.chart) return;
    const ratio = devicePixelRatio || 1;
    const x = Math.round(this.chart.valToPos(this.clock.time, 'x') * ratio) / ratio;
    if (x === this.at) return;
    this.at = x;
    this.line.style.transform = `translateX(${x}px)`;
  }

  /** The number there. */
  say() {
    const t = this.clock.time;
    const values = this.is.curves.map((c) => c.values[this.runs[c.run].nearest(t)]);
    const there = values.filter(Number.isFinite);
    this.value.textContent = values.length <= MOST_LABELS ? values.map((v) => short(v, values.length > 1 ? 2 : 4)).join(' | ') : there.length ? `${short(Math.min(...there), 2)} to ${short(Math.max(...there), 2)}` : '';
  }

  remove() {
    this.end();
    this.curves?.remove();
    this.element.remove();
  }
}

/** Numbers without a unit of the size of the rounding of 1 are multiples of it, often 0: dots in a line that say no more than these words. */
const ROUNDING = 8 * Number.EPSILON;
function nothing({ unit, curves }, figure) {
  if (!extentOf(figure, 'y')) return curves.some((c) => c.values.some((v) => v < 0)) ? 'no value is above zero' : 'zero at all rows';
  const largest = Math.max(...figure.lines.flatMap((line) => line.y.filter(Number.isFinite)));
  return (unit === '' || unit === '1') && largest <= ROUNDING ? `at most ${short(largest, 2)}: rounding` : '';
}

/** The middle one of the positive values: how far beyond it a curve runs away by and by says nothing. */
function median({ values }) {
  const there = Array.from(values).filter((v) => v > 0 && Number.isFinite(v)).sort((a, b) => a - b);
  return there.length ? there[there.length >> 1] : 0;
}
