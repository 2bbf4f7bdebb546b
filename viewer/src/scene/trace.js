// SPDX-License-Identifier: BSD-3-Clause
// Where places have been before a time: at rows of a motion, some of many, and between few; evaluated when they are first needed and then
// kept.
import { Places } from './places.js';

const MOST_KEPT = 2e6; // places
const TURN = 0.2; // rad, of a line between two corners that looks smooth

// Which places leave traces where nobody chooses: ends of axes, vortices, directions on globes, ends of chains, points of few bodies.
export function usualSources(scene, most = 8) {
  const axes = scene.parts.filter((p) => p.kind === 'line' && p.name === 'axis');
  if (axes.length) return axes.slice(0, most).map((p) => p.b);
  const vortices = scene.parts.filter((p) => p.name === 'vortex' && p.kind === 'ball');
  if (vortices.length) return vortices.slice(0, 2 * most).map((p) => p.a);
  const globe = scene.parts.some((p) => p.kind === 'globe');
  const tips = scene.parts.filter((p) => p.kind === 'arrow' && p.b.frame >= 0 && globe).map((p) => p.b);
  const inner = new Uint8Array(scene.points.n);
  for (let k = 0; k < scene.points.n; k++) if (scene.points.from[k] >= 0) inner[scene.points.from[k]] = 1;
  for (const p of scene.parts) if (p.kind === 'line' && p.a.point >= 0 && p.a.point < p.b.point) inner[p.a.point] = 1;
  for (const p of scene.parts) if (p.kind === 'tube') inner.fill(1, p.a.point, p.b.point);
  // points that rest, as the one about which a body turns
  for (let k = 0; k < scene.points.n; k++) if (scene.points.known[k] && scene.points.from[k] < 0 && scene.points.begin[k] === scene.points.begin[k + 1]) inner[k] = 1;
  const at = (point) => ({ point, frame: -1, at: [0, 0, 0], offset: [0, 0, 0] });
  const ends = Array.from({ length: scene.points.n }, (_, k) => k).filter((k) => !inner[k]);
  if (!ends.length && !tips.length) tips.push(...tipOfOne(scene));
  return [...tips, ...(tips.length ? [] : ends.map(at))].slice(0, most);
}

// Of a body about a fixed point the tip of its longest line, or of the third of its axes; of several directions at their sites none.
function tipOfOne({ parts, factors }) {
  const line = parts.find((p) => (p.kind === 'arrow' || p.kind === 'line') && p.b.frame >= 0);
  const axes = parts.find((p) => p.kind === 'axes' && p.a.frame >= 0);
  const directions = new Set(parts.filter((p) => p.kind === 'arrow' && isDirection(factors[p.b.frame])).map((p) => p.b.frame));
  if (directions.size > 1) return [];
  return line ? [line.b] : axes ? [{ ...axes.a, offset: [0, 0, axes.size[0]] }] : [];
}

export const isDirection = (factor) => factor?.kind === 'S2' || factor?.kind === 'spin';

// By how much curves turn from row to row [rad], at rows here and there, ascending. curves: functions (row, x) that write a place.
export function turnsOf(rows, curves) {
  const [x, y, z] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const turns = [];
  const every = Math.max(1, Math.floor((rows - 2) / 60));
  for (const at of curves)
    for (let r = 1; r + 1 < rows; r += every) {
      at(r - 1, x);
      at(r, y);
      at(r + 1, z);
      const [u, v] = [y.map((c, k) => c - x[k]), z.map((c, k) => c - y[k])];
      const [a, b] = [Math.hypot(...u), Math.hypot(...v)];
      if (a > 0 && b > 0 && Number.isFinite(a + b)) turns.push(Math.acos(Math.max(-1, Math.min(1, (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / (a * b)))));
    }
  return turns.sort((a, b) => a - b);
}

// Into how many parts an interval between rows is divided, a power of two, so that curves turn little in each of them.
export function subdivision(rows, curves, most) {
  const turns = turnsOf(rows, curves);
  const turn = turns[Math.floor(0.9 * (turns.length - 1))] ?? 0;
  let parts = 1;
  while (2 * parts <= most && turn / parts > TURN) parts *= 2;
  return parts;
}

export class Trace {
  // time (rows): ascending or descending
  constructor(scene, column, rows, time, sources) {
    this.places = new Places(scene, column, rows);
    this.sources = sources.filter((s) => this.places.isKnown(s));
    this.time = time;
    // Kept are rows, some of many, or places between few: 1, 2, 3 ... or 1/2, 1/4, 1/8 of a row apart, so that rows are among them.
    this.every = Math.max(1, Math.ceil((rows * this.sources.length) / MOST_KEPT));
    if (this.every === 1 && rows > 1) {
      const curves = this.sources.map((s) => (r, x) => this.places.at(r).place(s, x, 0));
      this.every = 1 / subdivision(rows, curves, Math.min(16, MOST_KEPT / (rows * this.sources.length)));
    }
    this.kept = Math.floor((rows - 1) / this.every) + 1;
    this.x = new Float64Array(3 * this.kept * this.sources.length);
    this.known = new Uint8Array(this.kept);
    this.rowList = new Int32Array(0);
    this.n = 0;
  }

  #need(i) {
    if (this.known[i]) return;
    this.known[i] = 1;
    this.places.at(i * this.every);
    this.sources.forEach((s, k) => this.places.place(s, this.x, 3 * (k * this.kept + i)));
  }

  // Chooses kept places i (this.rowList, this.n of them, ascending) that are at most `seconds` before row `row` at time t.
  choose(row, t, seconds, most) {
    if (this.rowList.length < most) this.rowList = new Int32Array(most);
    const last = Math.min(Math.floor(row / this.every), this.kept - 1);
    let low = 0;
    let high = last;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Math.abs(t - this.timeOf(middle)) > seconds) low = middle + 1;
      else high = middle;
    }
    // Multiples of a power of two, so that the same rows are chosen while the window moves.
    let step = 1;
    while ((last - low) / step > most - 2) step *= 2;
    this.n = 0;
    for (let i = Math.ceil(low / step) * step; i <= last; i += step) this.rowList[this.n++] = i;
    for (let i = 0; i < this.n; i++) this.#need(this.rowList[i]);
    return this.n;
  }

  // Index into x of source k at a kept place.
  at(k, i) {
    return 3 * (k * this.kept + i);
  }

  timeOf(i) {
    const row = i * this.every;
    const r = Math.floor(row);
    return row === r ? this.time[r] : this.time[r] + (row - r) * (this.time[r + 1] - this.time[r]);
  }
}
