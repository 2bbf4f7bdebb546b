// SPDX-License-Identifier: BSD-3-Clause
// What both views of a scene share: descriptions and places of the runs, the extent of the motion, what is followed, what cannot be shown.
import { readScene } from './description.js';
import { extentOfRuns } from './fit.js';
import { Places } from './places.js';
import { isDirection, turnsOf, usualSources } from './trace.js';
import { columnNames } from './vectors-names.js';

const list = (names) => (names.length > 6 ? `${names.slice(0, 6).join(', ')} and ${names.length - 6} more` : names.join(', '));

// What is needed in the scenario to get columns by name.
function words(names) {
  const groups = new Set(names.map((n) => (/^position/.test(n) ? 'positions' : /^tension/.test(n) ? 'tensions' : 'configuration')));
  return `output: {columns: [${[...groups].join(', ')}]}`;
}

const TURNS = 24 * Math.PI; // rad, of a trail
const DRIFT = 0.04; // a system that is smaller than this share of its way cannot be seen in a picture of the whole way

// By how much trails of a run turn from row to row [rad]; Infinity where nothing moves.
function meanTurn({ scene, places, run }) {
  const curves = usualSources(scene).filter((s) => places.isKnown(s)).map((s) => (r, x) => places.at(r).place(s, x, 0));
  const turns = turnsOf(run.n, curves);
  return turns.length ? turns.reduce((sum, t) => sum + t / turns.length, 0) : Infinity;
}

export class Stage {
  constructor(runs) {
    this.runs = [];
    this.words = [];
    for (const run of runs) {
      const column = (name) => run.column(name);
      const scene = run.n > 0 ? readScene(run.scene) : null;
      if (!scene) {
        this.words.push(run.n > 0 ? `${run.label} has no description of a scene that this page understands.` : `${run.label} has no rows.`);
        continue;
      }
      const places = new Places(scene, column, run.n);
      if (places.missing.length) this.words.push(`${run.label} lacks the columns ${list(places.missing)}; they are written with ${words(places.missing)}.`);
      this.runs.push({ run, scene, column, places });
    }
    this.extent = extentOfRuns(this.runs.map((r) => [r.scene, r.column, r.run.n]));
    const { centre, radius } = this.extent;
    this.meanTurn = this.runs.length ? meanTurn(this.runs[0]) : Infinity;
    this.up = this.runs[0]?.scene.up ?? [0, 0, 1];
    this.to = { origin: Float64Array.from(centre), scale: 1 / radius };
  }

  // Places of all runs at time t; this.to: how space becomes the picture.
  at(t, follow) {
    for (const r of this.runs) {
      const { i, fraction } = r.run.indexAt(t);
      r.row = i + fraction;
      r.places.at(r.row);
    }
    this.#follow(follow);
  }

  #follow(follow) {
    const { origin } = this.to;
    origin.set(this.extent.centre);
    const first = this.runs[0];
    const n = first?.scene.points.n ?? 0;
    if (!n || follow === -1 || follow === null) return;
    const x = first.places.points;
    if (follow === 'mean') {
      const sum = [0, 0, 0];
      for (let k = 0; k < n; k++) for (let a = 0; a < 3; a++) sum[a] += x[3 * k + a] / n;
      if (sum.every(Number.isFinite)) origin.set(sum);
    } else if (Number.isInteger(follow) && follow >= 0 && follow < n && Number.isFinite(x[3 * follow])) origin.set(x.subarray(3 * follow, 3 * follow + 3));
  }

  get has() {
    const some = (test) => this.runs.some(test);
    const factor = (kind) => some(({ scene, column }) => scene.factors.some((f) => columnNames(f, kind)?.every((name) => column(name))));
    return {
      trails: some(({ scene }) => scene.points.n > 0 || scene.factors.length > 0),
      omega: factor('omega'),
      momentum: factor('momentum'),
      tensions: some(({ scene, column }) => scene.parts.some((p) => p.link >= 0 && column(`tension${p.link + 1}`))),
      points: this.runs[0]?.scene.points.n ?? 0,
      follow: this.runs[0]?.scene.points.n > 0,
      drifts: this.runs[0]?.scene.points.n > 0 && this.extent.local > 0 && this.extent.local < DRIFT * this.extent.radius,
    };
  }

  // Is there anything but directions at places that rest, for which a floor would mean nothing?
  get hasSpace() {
    const moves = ({ n, known, begin }) => known.some((is, k) => !is || begin[k] < begin[k + 1]) && n > 0;
    return this.runs.some(({ scene }) => !scene.factors.length || !scene.factors.every(isDirection) || moves(scene.points));
  }

  // How long trails are [s]: as is asked for, or a tenth of the run, and at least 200 rows and some turns.
  trailSeconds({ trails, trailSeconds }) {
    if (trails === 'none' || !this.runs.length) return 0;
    if (trailSeconds !== null) return trailSeconds;
    const { span: [from, to], n } = this.runs[0].run;
    return (to - from) * Math.min(1, Math.max(0.1, 200 / n, TURNS / (this.meanTurn * n)));
  }

  // The smallest part, as a share of the extent.
  get least() {
    const sizes = this.runs.flatMap(({ scene }) => scene.parts.map((p) => Math.max(...p.size)).filter((s) => s > 0));
    return sizes.reduce((a, b) => Math.min(a, b), this.extent.radius) / this.extent.radius;
  }

  description(t) {
    if (!this.runs.length) return this.words.join(' ') || 'Nothing to show.';
    const { scene, run } = this.runs[0];
    const count = new Map();
    for (const p of scene.parts) count.set(p.kind, (count.get(p.kind) ?? 0) + 1);
    const plural = { axes: 'axes', box: 'boxes', mesh: 'meshes' };
    const parts = [...count].map(([kind, n]) => `${n} ${n === 1 ? kind : (plural[kind] ?? `${kind}s`)}`).join(', ');
    return `Scene of ${run.label}${this.runs.length > 3 ? ` and ${this.runs.length - 1} others` : this.runs.length > 1 ? ` and ${this.runs.slice(1).map((r) => r.run.label).join(', ')}` : ''} at t = ${Number(t.toPrecision(6))} s: ${parts || 'no parts'}.`;
  }
}
