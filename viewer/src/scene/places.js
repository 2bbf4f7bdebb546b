// SPDX-License-Identifier: BSD-3-Clause
// Where everything of a scene is at a row, or between two: the configuration z, points, frames, ends of parts. At a row these are the
// row's numbers, between rows those of the curves of between.js.
import { Between, chartOf } from './between.js';
import { matrixOf } from './rotation.js';
import { velocityNames } from './vectors-names.js';

const qc = new Float64Array(4);
const [frame, own] = [new Float64Array(9), new Float64Array(9)];

// How the velocity of a factor is read from its columns, as a tangent vector of its chart.
function velocityOf({ kind, velocity: c }) {
  if (kind !== 'S2' && kind !== 'spin') return (row, x, v) => {
    for (let k = 0; k < c.length; k++) v[k] = c[k][row];
  };
  return (row, x, v) => {
    const [a, b, d] = [c[0][row], c[1][row], c[2][row]]; // omega x q
    v[0] = b * x[2] - d * x[1];
    v[1] = d * x[0] - a * x[2];
    v[2] = a * x[1] - b * x[0];
  };
}

// R (9) of columns quaternion1w ... at a row.
function rotationAt(columns, row, R, at) {
  for (let k = 0; k < 4; k++) qc[k] = columns[k][row];
  matrixOf(qc, R, at);
}

export class Places {
  // scene: from readScene; column(name): Float64Array or null; rows: how many they have.
  constructor(scene, column, rows) {
    this.scene = scene;
    this.rows = rows;
    this.row = NaN; // of the numbers in z and points
    this.time = column('t') ?? Float64Array.from({ length: rows }, (_, i) => i);
    this.z = new Float64Array(scene.z.length);
    this.points = new Float64Array(3 * scene.points.n);
    this.missing = []; // names of columns that a picture needs and the archive lacks
    this.factors = scene.factors.map((f) => this.#source(f, column));
    this.turns = scene.turn ? { sine: 0, rest: 0 } : null; // of the angle at the row: its sine, 1 - its cosine
    this.places = this.#pointColumns(column);
    this.pointCurves = [];
  }

  #source(f, column) {
    const names = this.scene.z.slice(f.z, f.z + f.n);
    const columns = names.map((name) => column(name));
    const velocity = velocityNames(f).map((list) => list.map((name) => column(name))).find((list) => list.every(Boolean)) ?? null;
    if (columns.every(Boolean)) return { ...f, columns, quaternion: null, velocity };
    const number = f.label.slice(1);
    const quaternion = f.kind === 'SO3' ? ['w', 'x', 'y', 'z'].map((c) => column(`quaternion${number}${c}`)) : [null];
    if (quaternion.every(Boolean)) return { ...f, columns: null, quaternion, velocity };
    return { ...f, columns: null, quaternion: null, names: names.filter((name, k) => !columns[k]) };
  }

  // For each point its columns, where it is not computed from z; points that are neither known nor there are listed as missing.
  #pointColumns(column) {
    const { points, ownPoints, factors } = this.scene;
    const owner = new Int32Array(this.z.length);
    factors.forEach((f, i) => owner.fill(i, f.z, f.z + f.n));
    const computable = new Uint8Array(points.n);
    const turned = this.scene.turn ? this.factors[this.scene.turn.factor].names : undefined; // what is missing of the phase
    const lacking = new Set(turned);
    const list = [];
    for (let k = 0; k < points.n; k++) {
      computable[k] = points.known[k] && !turned && (points.from[k] < 0 || computable[points.from[k]]) ? 1 : 0;
      for (let i = points.begin[k]; i < points.begin[k + 1]; i++) if (this.factors[owner[points.z[i]]].names) computable[k] = 0;
      const columns = ownPoints && !computable[k] ? ['x', 'y', 'z'].map((c) => column(`position${k + 1}${c}`)) : null;
      list.push(columns?.every(Boolean) ? columns : null);
      if (computable[k] || list[k]) continue;
      if (points.known[k]) for (let i = points.begin[k]; i < points.begin[k + 1]; i++) this.factors[owner[points.z[i]]].names?.forEach((n) => lacking.add(n));
      else lacking.add(`position${k + 1}x`);
    }
    for (const part of this.scene.parts) for (const factor of [part.a.frame, part.b.frame, part.spin]) this.factors[factor]?.names?.forEach((n) => lacking.add(n));
    this.missing = [...lacking];
    this.computable = computable;
    return list;
  }

  // Can it be drawn: are the points and frames of this place known?
  isKnown(place) {
    const { point, frame } = place;
    const turned = frame < 0 || !this.scene.turn || !this.factors[this.scene.turn.factor].names;
    return (point < 0 || !!this.computable[point] || !!this.places[point]) && (frame < 0 || !this.factors[frame].names) && turned;
  }

  // Can the part be drawn?
  canDraw(part) {
    const ends = part.kind === 'line' || part.kind === 'arrow' || part.kind === 'tube';
    return this.isKnown(part.a) && (!ends || this.isKnown(part.b));
  }

  // Everything at row s, which may lie between two rows. Returns this.
  at(s) {
    const last = this.rows - 1;
    const clamped = s >= 0 ? Math.min(s, last) : 0;
    if (clamped === this.row || last < 0) return this;
    this.row = clamped;
    const i = Math.floor(clamped);
    const w = clamped - i;
    for (const f of this.factors) this.#factor(f, i, w);
    if (this.turns) this.#turnAll();
    this.#locate(i, w);
    return this;
  }

  #factor(f, i, w) {
    if (f.names) return void this.z.fill(NaN, f.z, f.z + f.n);
    if (w === 0) return this.#read(f, i, this.z, f.z);
    this.curve(f).at(i, w, this.z, f.z);
  }

  // The curve of a factor (of this.factors) through all rows, not turned; made when it is first needed.
  curve(f) {
    return (f.curve ??= new Between(chartOf(f.kind, f.n), this.rows, this.time, (row, x) => this.#read(f, row, x, 0), f.velocity && velocityOf(f)));
  }

  // z of the factors <- as seen from space.
  #turnAll() {
    const { axis, unit, z, factor } = this.scene.turn;
    const angle = (axis[0] * unit[0] + axis[1] * unit[1] + axis[2] * unit[2]) * this.z[z];
    this.turns.sine = Math.sin(angle);
    this.turns.rest = 2 * Math.sin(0.5 * angle) ** 2;
    this.factors.forEach((f, i) => i !== factor && this.toSpace(this.z, f.z, f.n, f.kind));
  }

  // x[at ...] (n) <- turned from the frame that turns to space: vectors of three, in the plane those of two, columns of rotations; where
  // the scene does not turn, and for other n, as they are.
  toSpace(x, at, n, kind) {
    if (!this.turns) return;
    if (kind === 'SO3') for (let k = 0; k < 3; k++) this.#turnVector(x, at + k, 3);
    else if (n === 3) this.#turnVector(x, at, 1);
    else if (n === 2) {
      const { sine, rest } = this.turns;
      const u = this.scene.turn.unit[2];
      const [a, b] = [x[at], x[at + 1]];
      x[at] = a - sine * u * b - rest * u * u * a;
      x[at + 1] = b + sine * u * a - rest * u * u * b;
    }
  }

  // v <- v + sin u x v + (1 - cos) u x (u x v) of v = x[at], x[at + by], x[at + 2 by].
  #turnVector(x, at, by) {
    const [ux, uy, uz] = this.scene.turn.unit;
    const { sine, rest } = this.turns;
    const [a, b, c] = [x[at], x[at + by], x[at + 2 * by]];
    const along = ux * a + uy * b + uz * c;
    x[at] = a + sine * (uy * c - uz * b) + rest * (ux * along - a);
    x[at + by] = b + sine * (uz * a - ux * c) + rest * (uy * along - b);
    x[at + 2 * by] = c + sine * (ux * b - uy * a) + rest * (uz * along - c);
  }

  #read(f, row, R, at) {
    if (f.quaternion) rotationAt(f.quaternion, row, R, at);
    else for (let k = 0; k < f.n; k++) R[at + k] = f.columns[k][row];
  }

  #pointCurve(k) {
    const columns = this.places[k];
    const read = (row, x) => {
      for (let a = 0; a < 3; a++) x[a] = columns[a][row];
    };
    return (this.pointCurves[k] ??= new Between(chartOf('R', 3), this.rows, this.time, read));
  }

  #locate(i, w) {
    const { points: p } = this.scene;
    const { z, points: x } = this;
    for (let k = 0; k < p.n; k++) {
      const columns = this.places[k];
      const o = 3 * k;
      if (columns) {
        if (w === 0) for (let a = 0; a < 3; a++) x[o + a] = columns[a][i];
        else this.#pointCurve(k).at(i, w, x, o);
        continue;
      }
      if (!this.computable[k]) {
        x[o] = x[o + 1] = x[o + 2] = NaN;
        continue;
      }
      const from = 3 * p.from[k];
      for (let a = 0; a < 3; a++) x[o + a] = (from < 0 ? 0 : x[from + a]) + p.at[o + a];
      for (let j = p.begin[k]; j < p.begin[k + 1]; j++) x[o + p.axis[j]] += p.by[j] * z[p.z[j]];
    }
  }

  // out[o ...] (3) <- the place, x = at + x_point + F offset.
  place(place, out, o) {
    const { point, frame, at, offset } = place;
    for (let a = 0; a < 3; a++) out[o + a] = at[a] + (point < 0 ? 0 : this.points[3 * point + a]);
    if (frame >= 0) this.turn(frame, offset, out, o);
    else for (let a = 0; a < 3; a++) out[o + a] += offset[a];
  }

  // out[o ...] (3) += F v, F that of a factor: SO(3) R; S^1 a turn about e3; others v[0] times their coordinates.
  turn(frame, v, out, o) {
    const f = this.factors[frame];
    const { z } = this;
    const b = f.z;
    if (f.kind === 'SO3') for (let a = 0; a < 3; a++) out[o + a] += z[b + 3 * a] * v[0] + z[b + 3 * a + 1] * v[1] + z[b + 3 * a + 2] * v[2];
    else if (f.kind === 'S1') {
      out[o] += z[b] * v[0] - z[b + 1] * v[1];
      out[o + 1] += z[b + 1] * v[0] + z[b] * v[1];
      out[o + 2] += v[2];
    } else for (let a = 0; a < Math.min(f.n, 3); a++) out[o + a] += v[0] * z[b + a];
  }

  // G (9, row-major) <- how a part is turned: in the frame of its place, by its R, about its third axis by its `spin`.
  stand(part, G) {
    this.attitude(part.a.frame, frame);
    product(frame, part.R, G);
    if (part.spin < 0 || this.factors[part.spin].names) return;
    this.attitude(part.spin, frame);
    own.set(G);
    product(own, frame, G);
  }

  // F (9, row-major) <- the attitude of what stands in a frame: of a direction the least turn that takes e1 to it; -1: the axes of space.
  attitude(frame, F) {
    F.fill(0);
    F[0] = F[4] = F[8] = 1;
    if (frame < 0) return;
    const f = this.factors[frame];
    const { z } = this;
    if (f.kind === 'SO3') for (let k = 0; k < 9; k++) F[k] = z[f.z + k];
    else if (f.kind === 'S1') {
      F[0] = F[4] = z[f.z];
      F[3] = z[f.z + 1];
      F[1] = -F[3];
    } else if (f.kind === 'S2' || f.kind === 'spin') fromFirstAxis(z[f.z], z[f.z + 1], z[f.z + 2], F);
  }
}

// G <- F R.
function product(F, R, G) {
  for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) G[3 * a + b] = F[3 * a] * R[b] + F[3 * a + 1] * R[3 + b] + F[3 * a + 2] * R[6 + b];
}

// F <- the least turn that takes e1 to the unit vector (x, y, z); about e3 where that is -e1.
function fromFirstAxis(x, y, z, F) {
  const s = 1 + x;
  if (s < 1e-12) {
    F[0] = F[4] = -1;
    return;
  }
  F[0] = x;
  F[1] = -y;
  F[2] = -z;
  F[3] = y;
  F[4] = 1 - (y * y) / s;
  F[5] = (-y * z) / s;
  F[6] = z;
  F[7] = (-y * z) / s;
  F[8] = 1 - (z * z) / s;
}
