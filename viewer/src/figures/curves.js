// SPDX-License-Identifier: BSD-3-Clause
// The curves of a figure by uPlot: axes, curves by their looks, and their names.
import uPlot from 'uplot';
import { roomFor, linearTicks, logTicks, tickWords } from '../ticks.js';
import { equalised, extentOf, isDrawn, isSpot, placeOn } from './extent.js';
import { colours, font } from './look.js';
import { fitted, placeNames } from './names.js';

const MANY = 1500; // points of a curve, which is then drawn thin

// Of a number at an axis, in pixels of the page.
function widthOf(ctx, text, letters) {
  ctx.save();
  ctx.font = font(letters);
  const { width } = ctx.measureText(text);
  ctx.restore();
  return width;
}

function axisFor(side, axis, layout, ink, grid) {
  const dimension = side === 2 ? 0 : 1;
  return {
    side,
    scale: side === 2 ? 'x' : 'y',
    stroke: ink,
    font: font(layout.letters),
    labelFont: font(layout.letters),
    label: side === 2 && layout.labelled ? axis.label : undefined,
    labelSize: 20,
    size: side === 2 ? 26 : (u, words) => roomFor(words, layout.beside, (text) => widthOf(u.ctx, text, layout.letters)) + 9, // with the tick and the gap
    gap: 4,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: 5 },
    splits: (u, _, lo, hi) => {
      const pixels = (dimension ? u.over.clientHeight : u.over.clientWidth) || (dimension ? u.height : u.width) - layout.beside; // not laid out yet
      return axis.log ? logTicks(lo, hi, pixels, dimension ? 30 : 46) : linearTicks(lo, hi, pixels, dimension ? 40 : 70);
    },
    filter: (u, splits) => splits,
    values: (u, splits) => tickWords(splits, axis.log).map((text, i) => (side === 2 && !layout.labelled && i === splits.length - 1 ? `${text} ${axis.label}` : text)),
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

export class Curves {
  // layout: {height(width), letters: their size, beside: room at least left of the frame, labelled: has the axis below a label? else its last number
  // has it, as a unit; cursor: uPlot's}, in pixels.
  constructor(figure, host, layout) {
    this.figure = figure;
    this.host = host;
    this.layout = layout;
    this.all = { x: extentOf(figure, 'x'), y: extentOf(figure, 'y') };
    this.colours = colours(host, figure.lines);
    this.build();
    this.setView(this.all);
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(host);
  }

  build() {
    const { figure, host, layout } = this;
    const width = this.width();
    const scale = (axis) => ({ time: false, distr: axis.log ? 3 : 1, range: (u, lo, hi) => [lo, hi], auto: false });
    const ink = () => this.colours.ink;
    const grid = () => this.colours.grid;
    const frame = document.createElement('div');
    host.append(frame);
    this.plot = new uPlot(
      {
        mode: 2,
        width,
        height: layout.height(width),
        padding: [6, 24, 0, 0], // the last number of the axis is as far to the right
        legend: { show: false },
        cursor: layout.cursor,
        scales: { x: { ...scale(figure.x), min: this.all.x[0], max: this.all.x[1] }, y: { ...scale(figure.y), min: this.all.y[0], max: this.all.y[1] } },
        axes: [axisFor(2, figure.x, layout, ink, grid), axisFor(3, figure.y, layout, ink, grid)],
        series: [null, { facets: [{ scale: 'x', auto: false }, { scale: 'y', auto: false }], paths: () => null, points: { show: false } }],
        hooks: { draw: [(u) => this.draw(u)], setCursor: [(u) => this.point?.(u.cursor.left, u.cursor.top)], setSelect: [(u) => this.select?.(u.select)] },
      },
      [null, [this.all.x, this.all.y]],
      frame,
    );
  }

  remove() {
    this.watch.disconnect();
    this.plot.destroy();
  }

  width() {
    return this.host.clientWidth || 320;
  }

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

  resize() {
    const width = this.width();
    if (!width || width === this.plot.width) return;
    this.pixels = null;
    this.plot.setSize({ width, height: this.layout.height(width) });
    this.setView(this.zoomed ? this.view : this.all);
    this.resized?.();
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
    ctx.lineWidth = many || line.faint || !this.layout.labelled ? 1.2 : line.shade ? 1.5 : 2;
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
    if (there.length === 1 && !line.bar) drawMarks(ctx, there, 1.5); // no line shows it
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
    ctx.font = font(this.layout.letters, 600);
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
}
