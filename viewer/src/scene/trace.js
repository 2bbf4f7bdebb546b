// SPDX-License-Identifier: BSD-3-Clause
// Where places have been: rows of a motion before a time, thinned, evaluated when they are first needed and then kept.
import { Places } from './places.js';

const MOST_KEPT = 2e6; // places

// Which places leave traces where nobody chooses: ends of chains, points of few bodies, directions on globes.
export function usualSources(scene, most = 8) {
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
  if (!ends.length && !tips.length) {
    // A body about a fixed point: the tip of its longest line or of the third of its axes.
    const line = scene.parts.find((p) => (p.kind === 'arrow' || p.kind === 'line') && p.b.frame >= 0);
    const axes = scene.parts.find((p) => p.kind === 'axes' && p.a.frame >= 0);
    if (line) tips.push(line.b);
    else if (axes) tips.push({ ...axes.a, offset: [0, 0, axes.size[0]] });
  }
  return [...tips, ...(tips.length ? [] : ends.map(at))].slice(0, most);
}

export class Trace {
  // time (rows): ascending or descending
  constructor(scene, column, rows, time, sources) {
    this.places = new Places(scene, column, rows);
    this.sources = sources.filter((s) => this.places.isKnown(s));
    this.time = time;
    this.every = Math.max(1, Math.ceil((rows * this.sources.length) / MOST_KEPT));
    this.kept = Math.ceil(rows / this.every);
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

  // Chooses kept rows i (this.rowList, this.n of them, ascending) that are at most `seconds` before row `row` at time t.
  choose(row, t, seconds, most) {
    if (this.rowList.length < most) this.rowList = new Int32Array(most);
    const last = Math.min(Math.floor(row / this.every), this.kept - 1);
    let low = 0;
    let high = last;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Math.abs(t - this.time[Math.min(middle * this.every, this.time.length - 1)]) > seconds) low = middle + 1;
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

  // Index into x of source k at a kept row.
  at(k, i) {
    return 3 * (k * this.kept + i);
  }

  timeOf(i) {
    return this.time[i * this.every];
  }
}
