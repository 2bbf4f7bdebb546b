// SPDX-License-Identifier: BSD-3-Clause
// A curve over time by uPlot, with the clock's time as a line: click or drag sets the clock, double click changes between linear
// and logarithmic where both make sense.
import uPlot from 'uplot';
import { el, button } from './dom.js';
import { short, unit as typographic } from './format.js';
import { decades, lines, logLines, power, steps, words } from './ticks.js';

const HEIGHT = 132;
const FONT = '11px system-ui, sans-serif';

const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Where values without neighbours are: no line shows them. Between the rows of other runs nothing is missing (undefined). */
function alone(y) {
  const found = [];
  const there = (i, step) => {
    while (y[i] === undefined && i >= 0 && i < y.length) i += step;
    return Number.isFinite(y[i]);
  };
  for (let i = 0; i < y.length; i++) if (Number.isFinite(y[i]) && !there(i - 1, -1) && !there(i + 1, 1)) found.push(i);
  return found;
}

/** Values that a logarithmic axis can show; over a zero the line goes on (undefined), where a value is missing it ends (null). */
const positive = (values, missing) => Array.from(values, (v) => (v > 0 && Number.isFinite(v) ? v : v === 0 ? undefined : missing));
const finite = (values, missing) => Array.from(values, (v) => (Number.isFinite(v) ? v : missing));
/** As wide as the longest of the words at an axis. */
const widthOf = (self, texts) => Math.max(36, 16 + 6.6 * Math.max(0, ...(texts ?? []).map((t) => t?.length ?? 0)));

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
    this.resize = new ResizeObserver(() => this.fit());
    const ends = [clock.subscribe((_, what) => what === 'time' && this.follow()), clock.subscribeReader((_, what) => what === 'time' && this.say())];
    this.end = () => ends.forEach((end) => end());
  }

  /** Once the element is in the page. */
  draw() {
    this.chart?.destroy();
    const { curves } = this.is;
    const values = this.log ? positive : finite;
    const tables = curves.map((c) => [Array.from(this.runs[c.run].time), values(c.values, this.is.sparse ? undefined : null)]);
    for (const t of tables) if (t[0].length > 1 && t[0][0] > t[0][1]) t.forEach((column) => column.reverse());
    const flat = this.log && nothing(this.is, tables);
    if (flat) {
      this.plot.replaceChildren(el('p', { class: 'flat', text: flat }));
      this.plot.setAttribute('aria-label', `${this.is.title}: ${flat}`);
      return;
    }
    const data = tables.length > 1 ? uPlot.join(tables) : tables[0];
    const most = 1e8 * Math.max(...curves.map(median));
    const [text, grid] = [styleOf('--dim'), styleOf('--grid')];
    const even = { incrs: (self, i, low, high) => steps(low, high), splits: (self, i, low, high, step) => lines(low, high, step) };
    const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 }, font: FONT };
    this.plot.replaceChildren();
    this.chart = new uPlot({
      width: this.width(), height: HEIGHT, padding: [8, 24, 0, 0], legend: { show: false }, cursor: { show: false },
      scales: { x: { time: false }, y: this.log ? { distr: 3, range: (_, low, high) => decades(low, Math.min(high, most)) } : { range: (_, low, high) => linear(low, high) } },
      axes: [
        { ...axis, ...even, size: 24, values: (self, ticks) => withUnit(words(ticks)), space: 70 },
        { ...axis, size: widthOf, space: 26, ...(this.log ? { splits: (self, i, low, high) => logLines(low, high), filter: (self, ticks) => ticks, values: (self, ticks) => ticks.map(power) } : { ...even, values: (self, ticks) => words(ticks) }) },
      ],
      series: [{}, ...curves.map((c) => ({ stroke: styleOf(`--run${c.run + 1}`), width: 1.25, points: { show: true, size: 3, width: 0, fill: styleOf(`--run${c.run + 1}`), filter: (self, i) => alone(self.data[i]) }, dash: c.run ? [6, 3] : undefined }))],
      hooks: { draw: [(self) => this.drawTags(self)] },
    }, data, this.plot);
    this.chart.over.append(this.line);
    this.listen(this.chart.over);
    this.plot.setAttribute('aria-label', this.describe());
    this.resize.observe(this.plot);
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

  /** The name of each curve at its end, where there are several. */
  drawTags(self) {
    const { curves } = this.is;
    if (curves.length < 2) return;
    const { ctx, bbox } = self;
    const ratio = devicePixelRatio || 1;
    ctx.save();
    ctx.font = `600 ${11 * ratio}px system-ui, sans-serif`;
    ctx.textAlign = 'right';
    ctx.lineJoin = 'round';
    ctx.lineWidth = 4 * ratio;
    ctx.strokeStyle = styleOf('--back');
    const ends = curves.map((c, k) => {
      const y = self.data[k + 1];
      let i = y.length - 1;
      while (i > 0 && !(Number.isFinite(y[i]) && y[i] <= self.scales.y.max)) i -= 1;
      const there = Number.isFinite(y[i]);
      const x = there ? self.valToPos(self.data[0][i], 'x', true) - 4 * ratio : 0;
      const tag = this.tags[c.run] ?? '';
      const least = bbox.left + 6 * ratio + ctx.measureText(tag).width;
      return { tag, colour: styleOf(`--run${c.run + 1}`), x: Math.max(least, x), y: there ? self.valToPos(y[i], 'y', true) : bbox.top + bbox.height };
    }).sort((p, q) => p.y - q.y);
    // the upper name above its curve, the lower one below it where there is room, and not over each other
    const line = 13 * ratio;
    const [top, bottom] = [bbox.top + line, bbox.top + bbox.height - 4 * ratio];
    ends.forEach((e, k) => (e.at = k === 0 || e.y + line > bottom ? Math.max(top, e.y - 5 * ratio) : e.y + line));
    if (ends.length > 1 && Math.abs(ends[1].at - ends[0].at) < line) {
      ends[0].at = Math.max(top, Math.min(ends[0].at, ends[1].at - line));
      ends[1].at = Math.max(ends[1].at, ends[0].at + line);
    }
    for (const { tag, colour, x, at } of ends) {
      ctx.strokeText(tag, x, at);
      ctx.fillStyle = colour;
      ctx.fillText(tag, x, at);
    }
    ctx.restore();
  }

  width() {
    return Math.max(160, this.plot.clientWidth || 320);
  }

  fit() {
    if (!this.chart || Math.abs(this.chart.width - this.width()) < 2) return;
    this.chart.setSize({ width: this.width(), height: HEIGHT });
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
    this.value.textContent = this.is.curves.map((c) => short(c.values[this.runs[c.run].nearest(t)], this.is.curves.length > 1 ? 2 : 4)).join(' | ');
  }

  remove() {
    this.end();
    this.resize.disconnect();
    this.chart?.destroy();
    this.element.remove();
  }
}

/** Numbers without a unit of the size of the rounding of 1 are multiples of it, often 0: dots in a line that say no more than these words. */
const ROUNDING = 8 * Number.EPSILON;
function nothing({ unit }, tables) {
  const largest = tables.reduce((most, [, y]) => y.reduce((a, v) => Math.max(a, v ?? 0), most), 0);
  if (largest === 0) return 'zero at all rows';
  return (unit === '' || unit === '1') && largest <= ROUNDING ? `at most ${short(largest, 2)}: rounding` : '';
}

/** The middle one of the positive values: how far beyond it a curve runs away by and by says nothing. */
function median({ values }) {
  const there = Array.from(values).filter((v) => v > 0 && Number.isFinite(v)).sort((a, b) => a - b);
  return there.length ? there[there.length >> 1] : 0;
}

/** Values with some room above and below; a constant in the middle. */
function linear(low, high) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = high > low ? 0.06 * (high - low) : Math.abs(high) * 1e-3 || 1;
  return [low - room, high + room];
}

/** The last word of the axis of time has the unit. */
const withUnit = (texts) => texts.map((t, i) => (i === texts.length - 1 && t !== null ? `${t} s` : t));
