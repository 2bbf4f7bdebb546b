// SPDX-License-Identifier: BSD-3-Clause
// A curve over time by uPlot, with the clock's time as a line: click or drag sets the clock, double click changes between linear
// and logarithmic where both make sense.
import uPlot from 'uplot';
import { el, button } from './dom.js';
import { short, unit as typographic } from './format.js';

const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Values that a logarithmic axis can show; null elsewhere. */
const positive = (values) => Array.from(values, (v) => (v > 0 && Number.isFinite(v) ? v : null));
const finite = (values) => Array.from(values, (v) => (Number.isFinite(v) ? v : null));
const everySecond = (values, self) => (self.width > 330 ? values : values.map((v, i) => (i % 2 ? null : v)));

export class Chart {
  /**
   * @param {{title: string, unit: string, log: boolean, curves: {run: number, values: Float64Array}[]}} is
   * @param {import('./run.js').Run[]} runs
   * @param {import('./clock.js').Clock} clock
   * @param {{onremove?: () => void}} options
   */
  constructor(is, runs, clock, { onremove } = {}) {
    this.is = is;
    this.runs = runs;
    this.clock = clock;
    this.log = is.log;
    this.value = el('span', { class: 'value' });
    const words = typographic(is.unit);
    this.scale = button('log', `Logarithmic axis of ${is.title}`, () => this.setLog(!this.log), { class: 'small', 'aria-pressed': String(this.log) });
    this.element = el('figure', { class: 'chart' },
      el('figcaption', {}, el('span', { class: 'title', text: words && words !== '1' ? `${is.title} [${words}]` : is.title }), this.value, this.scale,
        onremove ? button('\u00d7', `Remove the curve of ${is.title}`, onremove, { class: 'small' }) : null));
    this.plot = el('div', { class: 'plot', role: 'img' });
    this.line = el('div', { class: 'now', 'aria-hidden': 'true' });
    this.element.append(this.plot);
    this.resize = new ResizeObserver(() => this.fit());
    this.end = clock.subscribe((_, what) => what === 'time' && this.follow());
  }

  /** Once the element is in the page. */
  draw() {
    this.chart?.destroy();
    const { curves } = this.is;
    const values = this.log ? positive : finite;
    const tables = curves.map((c) => [Array.from(this.runs[c.run].time), values(c.values)]);
    for (const t of tables) if (t[0].length > 1 && t[0][0] > t[0][1]) t.forEach((column) => column.reverse());
    if (this.log && !tables.some(([, y]) => y.some((v) => v !== null))) {
      this.plot.replaceChildren(el('p', { class: 'flat', text: 'zero at all rows' }));
      this.plot.setAttribute('aria-label', `${this.is.title}: zero at all rows`);
      return;
    }
    const data = tables.length > 1 ? uPlot.join(tables) : tables[0];
    const [text, grid] = [styleOf('--dim'), styleOf('--grid')];
    const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 }, font: '11px system-ui, sans-serif' };
    this.plot.replaceChildren();
    this.chart = new uPlot({
      width: this.width(), height: 128, padding: [8, 10, 0, 0], legend: { show: false }, cursor: { show: false },
      scales: { x: { time: false }, y: { distr: this.log ? 3 : 1, range: this.log ? logRange : undefined } },
      axes: [
        { ...axis, size: 26, values: (self, ticks) => everySecond(ticks.map((v) => short(v, 6)), self), space: 50 },
        { ...axis, size: 58, values: (self, ticks) => ticks.map((v) => (v === null ? null : short(v, 4))), space: 26 },
      ],
      series: [{}, ...curves.map((c) => ({ stroke: styleOf(`--run${c.run + 1}`), width: 1.25, points: { show: false }, spanGaps: true, dash: c.run ? [6, 3] : undefined }))],
    }, data, this.plot);
    this.chart.over.append(this.line);
    this.listen(this.chart.over);
    this.plot.setAttribute('aria-label', this.describe());
    this.resize.observe(this.plot);
    this.follow();
  }

  describe() {
    const range = this.is.curves.map((c) => {
      const values = c.values.filter((v) => Number.isFinite(v));
      const [low, high] = values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
      return `${this.runs.length > 1 ? `${this.runs[c.run].label}: ` : ''}from ${short(low)} to ${short(high)}`;
    });
    return `${this.is.title} over time, ${range.join('; ')}`;
  }

  width() {
    return Math.max(160, this.plot.clientWidth || 320);
  }

  fit() {
    if (!this.chart || Math.abs(this.chart.width - this.width()) < 2) return;
    this.chart.setSize({ width: this.width(), height: 128 });
    this.follow();
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
      this.clock.setTime(this.chart.posToVal(event.clientX - box.left, 'x'));
    };
    over.addEventListener('pointerdown', (event) => {
      over.setPointerCapture(event.pointerId);
      scrub(event);
    });
    over.addEventListener('pointermove', (event) => event.buttons && over.hasPointerCapture(event.pointerId) && scrub(event));
  }

  /** The line and the number at the clock's time. */
  follow() {
    const t = this.clock.time;
    if (this.chart) this.line.style.transform = `translateX(${this.chart.valToPos(t, 'x')}px)`;
    this.value.textContent = this.is.curves.map((c) => short(c.values[this.runs[c.run].nearest(t)], 4)).join(' | ');
  }

  remove() {
    this.end();
    this.resize.disconnect();
    this.chart?.destroy();
    this.element.remove();
  }
}

/** Whole decades around the data. */
function logRange(_, low, high) {
  if (!(low > 0) || !(high > 0)) return [1e-16, 1];
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) + (low === high ? 1 : 0))];
}
