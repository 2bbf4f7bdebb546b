// SPDX-License-Identifier: BSD-3-Clause
// A chart of curves by uPlot, in place of a static picture: read-out of the nearest point, zoom by drag, wheel and pinch,
// names on the curves.
import uPlot from 'uplot';
import { colours, font } from './look.js';
import { equalised, extentOf, isDrawn, isSpot, narrowed, placeOn, shifted } from './extent.js';
import { fitted, placeNames } from './names.js';
import { nearest, nextPoint } from './nearest.js';
import { exact, linearTicks, logTicks, roomFor, splitLabel, tickWords } from './ticks.js';

const REACH = 44; // a point farther from the pointer than that is not read out [px]
const BELOW = 46;
const BESIDE = 62; // left of the frame, and more where numbers are longer
const MANY = 1500; // points of a curve, which is then drawn thin

const heightFor = (figure, width) => Math.round(figure.equal ? Math.min(width, 520) : Math.min(Math.max(0.62 * width, 220), 460));

// Of a number at an axis, in pixels of the page.
function widthOf(ctx, text) {
  ctx.save();
  ctx.font = font(13);
  const { width } = ctx.measureText(text);
  ctx.restore();
  return width;
}

function axisFor(side, axis, ink, grid) {
  const dimension = side === 2 ? 0 : 1;
  return {
    side,
    scale: side === 2 ? 'x' : 'y',
    stroke: ink,
    font: font(13),
    labelFont: font(13),
    label: side === 2 ? axis.label : undefined,
    labelSize: 20,
    size: side === 2 ? 26 : (u, words) => roomFor(words, BESIDE - 9, (text) => widthOf(u.ctx, text)) + 9, // with the tick and the gap
    gap: 4,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: 5 },
    splits: (u, _, lo, hi) => {
      const pixels = (dimension ? u.over.clientHeight : u.over.clientWidth) || 300;
      return axis.log ? logTicks(lo, hi, pixels, dimension ? 30 : 46) : linearTicks(lo, hi, pixels, dimension ? 40 : 70);
    },
    filter: (u, splits) => splits,
    values: (u, splits) => splits.map((v) => tickWords(v, axis.log)),
  };
}

// Points of each curve in pixels of the frame, of a band with the upper edge; null where they are not drawn.
function pixelsOf(figure, view, width, height) {
  const up = (y) => height - placeOn(y, view.y, figure.y.log, height);
  const drawn = (line, i) =>
    isDrawn(line.x[i], figure.x.log) && isDrawn(line.y[i], figure.y.log) && (!line.upper || isDrawn(line.upper[i], figure.y.log));
  return figure.lines.map((line) =>
    line.x.map((x, i) => (drawn(line, i) ? [placeOn(x, view.x, figure.x.log, width), up(line.y[i]), ...(line.upper ? [up(line.upper[i])] : [])] : null)),
  );
}

// [from, to[ of each piece of a line between gaps: places where its numbers are not finite.
function pieces(line) {
  const found = [];
  let from = -1;
  for (let i = 0; i <= line.x.length; i++) {
    const there = Number.isFinite(line.x[i]) && Number.isFinite(line.y[i]);
    if (there && from < 0) from = i;
    if (!there && from >= 0) {
      found.push([from, i]);
      from = -1;
    }
  }
  return found;
}

// Places along a straight line between its first and last point.
function between(points) {
  const [a, b] = [points[0], points.at(-1)];
  return a && b ? Array.from({ length: 41 }, (_, i) => a.map((c, k) => c + (i / 40) * (b[k] - c))) : [];
}

function drawMarks(ctx, points, radius) {
  ctx.beginPath();
  for (const p of points)
    if (p) {
      ctx.moveTo(p[0] + radius, p[1]);
      ctx.arc(p[0], p[1], radius, 0, 2 * Math.PI);
    }
  ctx.fill();
}

function drawCrosses(ctx, points) {
  ctx.beginPath();
  for (const [x, y] of points.filter(Boolean))
    for (const k of [-1, 1]) {
      ctx.moveTo(x - 4, y - 4 * k);
      ctx.lineTo(x + 4, y + 4 * k);
    }
  ctx.stroke();
}

export class Chart {
  // words: the description of the static picture.
  constructor(figure, host, words) {
    this.figure = figure;
    this.host = host;
    this.all = { x: extentOf(figure, 'x'), y: extentOf(figure, 'y') };
    this.at = null; // {line, index} that is read out
    this.build(words);
    this.reset();
    new ResizeObserver(() => this.resize()).observe(host);
  }

  build(words) {
    const { figure, host } = this;
    const label = document.createElement('p');
    label.className = 'axis';
    label.textContent = figure.y.label;
    this.readout = document.createElement('p');
    this.readout.className = 'readout';
    this.readout.setAttribute('aria-live', 'polite');
    this.frame = document.createElement('div');
    host.append(label, this.frame, this.readout);
    const width = host.clientWidth || 600;
    const scale = (axis) => ({ time: false, distr: axis.log ? 3 : 1, range: (u, lo, hi) => [lo, hi], auto: false });
    this.colours = colours(host, figure.lines);
    const ink = () => this.colours.ink;
    const grid = () => this.colours.grid;
    this.plot = new uPlot(
      {
        mode: 2,
        width,
        height: heightFor(figure, width) + BELOW,
        padding: [6, 24, 0, 0], // the last number of the axis is as far to the right
        legend: { show: false },
        cursor: { drag: { x: true, y: true, uni: 24, setScale: false }, points: { show: false }, dataIdx: () => null, bind: { dblclick: () => null } },
        scales: { x: { ...scale(figure.x), min: this.all.x[0], max: this.all.x[1] }, y: { ...scale(figure.y), min: this.all.y[0], max: this.all.y[1] } },
        axes: [axisFor(2, figure.x, ink, grid), axisFor(3, figure.y, ink, grid)],
        series: [null, { facets: [{ scale: 'x', auto: false }, { scale: 'y', auto: false }], paths: () => null, points: { show: false } }],
        hooks: {
          draw: [(u) => this.draw(u)],
          setCursor: [(u) => this.point(u.cursor.left, u.cursor.top)],
          setSelect: [(u) => this.select(u.select)],
        },
      },
      [null, [this.all.x, this.all.y]],
      this.frame,
    );
    this.mark = document.createElement('span');
    this.mark.className = 'mark';
    this.mark.hidden = true;
    this.plot.over.append(this.mark);
    this.listen(words);
  }

  listen(words) {
    const over = this.plot.over;
    over.tabIndex = 0;
    over.setAttribute('role', 'application');
    over.setAttribute('aria-label', `${words} Arrow keys read points and curves, plus and minus zoom, 0 shows all.`);
    over.title = 'Drag or pinch zooms, and the wheel with Ctrl or after a click; double click shows all.';
    over.addEventListener('dblclick', () => this.reset());
    over.addEventListener('keydown', (e) => this.key(e));
    over.addEventListener('blur', () => this.show(null));
    over.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    over.addEventListener('touchstart', (e) => this.touch(e), { passive: false });
    over.addEventListener('touchmove', (e) => this.touch(e), { passive: false });
    over.addEventListener('touchend', (e) => this.touch(e));
  }

  // ---- What is seen

  size() {
    return [this.plot.over.clientWidth, this.plot.over.clientHeight];
  }

  setView(view) {
    const [width, height] = this.size();
    this.view = this.figure.equal && width && height ? equalised(view.x, view.y, width, height) : view;
    this.pixels = null;
    this.plot.batch(() => {
      this.plot.setScale('x', { min: this.view.x[0], max: this.view.x[1] });
      this.plot.setScale('y', { min: this.view.y[0], max: this.view.y[1] });
    });
  }

  reset() {
    this.zoomed = false;
    this.setView(this.all);
    this.show(null);
  }

  resize() {
    const width = this.host.clientWidth;
    if (!width || width === this.plot.width) return;
    this.pixels = null;
    this.plot.setSize({ width, height: heightFor(this.figure, width) + BELOW });
    this.setView(this.zoomed ? this.view : this.all);
    this.show(null);
  }

  repaint() {
    this.colours = colours(this.host, this.figure.lines);
    this.plot.redraw(false, true);
  }

  places() {
    const [width, height] = this.size();
    this.pixels ??= pixelsOf(this.figure, this.view, width, height);
    return this.pixels;
  }

  // Guides are no data: they are not read out.
  readable() {
    return this.places().map((points, k) => (this.figure.lines[k].guide ? [] : points));
  }

  zoom(factor, shareX = 0.5, shareY = 0.5) {
    this.zoomed = true;
    this.setView({ x: narrowed(this.view.x, this.figure.x.log, factor, shareX), y: narrowed(this.view.y, this.figure.y.log, factor, shareY) });
  }

  // In shares of what is seen, to the right and up.
  pan(right, up) {
    this.zoomed = true;
    this.setView({ x: shifted(this.view.x, this.figure.x.log, right), y: shifted(this.view.y, this.figure.y.log, up) });
  }

  select({ left, top, width, height }) {
    const [wide, high] = this.size();
    if (width < 8 && height < 8) return;
    const part = ([lo, hi], log, a, b) => {
      const at = (share) => narrowed([lo, hi], log, 0, share)[0];
      return [at(a), at(b)];
    };
    const x = width < 8 ? this.view.x : part(this.view.x, this.figure.x.log, left / wide, (left + width) / wide);
    const y = height < 8 ? this.view.y : part(this.view.y, this.figure.y.log, 1 - (top + height) / high, 1 - top / high);
    this.zoomed = true;
    this.plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.setView({ x, y });
  }

  // ---- Drawing

  draw(u) {
    if (!this.view) return;
    const { ctx, bbox } = u;
    const ratio = bbox.width / (u.over.clientWidth || 1);
    const curves = this.places();
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.translate(bbox.left, bbox.top);
    ctx.scale(ratio, ratio);
    curves.forEach((points, k) => this.drawCurve(ctx, points, k));
    this.drawNames(ctx, curves);
    ctx.restore();
  }

  drawCurve(ctx, points, k) {
    const line = this.figure.lines[k];
    const many = points.length > MANY;
    ctx.strokeStyle = ctx.fillStyle = this.colours.lines[k];
    ctx.lineWidth = many || line.faint ? 1.2 : line.shade ? 1.5 : 2;
    if (line.bar) ctx.lineWidth = placeOn(line.bar, [0, this.view.x[1] - this.view.x[0]], false, this.size()[0]);
    ctx.lineJoin = 'round';
    ctx.globalAlpha = line.faint ? 0.45 : line.bar ? 0.8 : 1;
    ctx.setLineDash(line.dashes);
    if (line.cross) drawCrosses(ctx, points);
    else if (line.marks || (!line.bar && isSpot(points))) drawMarks(ctx, points, many ? 1.1 : 2.4);
    else for (const [from, to] of pieces(line)) this.drawPiece(ctx, points, line, from, to);
    ctx.setLineDash([]);
    if (line.dots) drawMarks(ctx, points, 2.8);
    ctx.globalAlpha = 1;
  }

  drawPiece(ctx, points, line, from, to) {
    const there = points.slice(from, to).filter(Boolean);
    ctx.beginPath();
    there.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
    if (line.upper) {
      for (const [x, , upper] of [...there].reverse()) ctx.lineTo(x, upper);
      ctx.closePath();
      ctx.globalAlpha = 0.35;
      ctx.fill();
      ctx.globalAlpha = 1;
      ctx.lineWidth = 1;
    }
    if (line.shade) ctx.globalAlpha = 0.2 + 0.8 * Math.min(1, Math.max(0, line.shade[from] || 0));
    ctx.stroke();
  }

  drawNames(ctx, curves) {
    const [width, height] = this.size();
    ctx.font = font(13, 600);
    ctx.textBaseline = 'alphabetic';
    ctx.textAlign = 'left';
    const widthOf = (text) => ctx.measureText(text).width;
    const named = (line) => !this.figure.keyed || line.guide; // of the others the page has a key
    const labels = this.figure.lines.map((line) => (named(line) ? fitted(line.label, width - 8, widthOf) : ''));
    const places = curves.map((points, k) => ({ points: this.figure.lines[k].guide ? between(points) : points, width: widthOf(labels[k]) }));
    placeNames(places, width, height).forEach((box, k) => {
      if (!box) return;
      ctx.lineWidth = 3;
      ctx.strokeStyle = this.colours.page;
      ctx.strokeText(labels[k], box.x0, box.y1 - 4);
      ctx.fillStyle = this.colours.lines[k];
      ctx.fillText(labels[k], box.x0, box.y1 - 4);
    });
  }

  // ---- Reading

  point(left, top) {
    if (left < 0 || !this.view) return;
    const found = nearest(this.readable(), left, top);
    this.show(found && found.distance <= REACH ? found : null);
  }

  show(at) {
    this.at = at;
    const p = at && this.places()[at.line][at.index];
    this.mark.hidden = !p;
    if (!p) {
      this.readout.textContent = '';
      return;
    }
    const line = this.figure.lines[at.line];
    const word = (axis, value) => {
      const { words, unit } = splitLabel(axis.label);
      return `${words ? `${words} ` : ''}${exact(value)}${unit ? ` ${unit}` : ''}`;
    };
    this.mark.style.transform = `translate(${p[0]}px, ${p[1]}px)`;
    this.mark.style.background = this.colours.lines[at.line];
    const { unit } = splitLabel(this.figure.y.label);
    const upper = line.upper ? ` to ${exact(line.upper[at.index])}${unit ? ` ${unit}` : ''}` : '';
    this.readout.textContent = `${line.label ? `${line.label}: ` : ''}${word(this.figure.x, line.x[at.index])}; ${word(this.figure.y, line.y[at.index])}${upper}`;
  }

  // From the point that is read out to the next one of its curve, or to the nearest one of another curve.
  step(by) {
    const curves = this.places();
    if (!this.at) return this.first();
    return this.show({ line: this.at.line, index: nextPoint(curves[this.at.line], this.at.index, by) });
  }

  first() {
    const found = nearest(this.readable(), 0.5 * this.size()[0], 0.5 * this.size()[1]);
    this.show(found);
  }

  change(by) {
    if (!this.at) return this.first();
    const curves = this.readable();
    let line = this.at.line;
    do line = (line + by + curves.length) % curves.length;
    while (!curves[line].some(Boolean));
    const [x] = curves[this.at.line][this.at.index];
    let best = null;
    curves[line].forEach((p, index) => {
      if (p && (best === null || Math.abs(p[0] - x) < Math.abs(curves[line][best][0] - x))) best = index;
    });
    return best === null ? undefined : this.show({ line, index: best });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 10 : 1;
    const does = {
      ArrowRight: () => { for (let i = 0; i < far; i++) this.step(1); },
      ArrowLeft: () => { for (let i = 0; i < far; i++) this.step(-1); },
      ArrowUp: () => this.change(-1),
      ArrowDown: () => this.change(1),
      '+': () => this.zoom(0.7),
      '=': () => this.zoom(0.7),
      '-': () => this.zoom(1 / 0.7),
      0: () => this.reset(),
      Escape: () => this.reset(),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  // The wheel scrolls the page, unless Ctrl is held, as it is where a touchpad is pinched, or the chart has the focus.
  wheel(event) {
    if (!event.ctrlKey && document.activeElement !== this.plot.over) return;
    event.preventDefault();
    const box = this.plot.over.getBoundingClientRect();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const factor = Math.exp(Math.max(-0.4, Math.min(0.4, 0.003 * lines * event.deltaY)));
    this.zoom(factor, (event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height);
  }

  // One finger reads and lets the page scroll; two zoom and move.
  touch(event) {
    const box = this.plot.over.getBoundingClientRect();
    const places = [...event.touches].map((t) => [t.clientX - box.left, t.clientY - box.top]);
    if (places.length === 1 && event.type !== 'touchend') this.point(...places[0]);
    if (places.length !== 2) {
      this.pinch = null;
      return;
    }
    event.preventDefault();
    const apart = Math.hypot(places[0][0] - places[1][0], places[0][1] - places[1][1]);
    const middle = [0.5 * (places[0][0] + places[1][0]), 0.5 * (places[0][1] + places[1][1])];
    if (this.pinch && apart > 10) {
      const { middle: before } = this.pinch;
      this.pan((before[0] - middle[0]) / box.width, (middle[1] - before[1]) / box.height);
      this.zoom(this.pinch.apart / apart, middle[0] / box.width, 1 - middle[1] / box.height);
    }
    this.pinch = { apart, middle };
  }
}
