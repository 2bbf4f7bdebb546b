// SPDX-License-Identifier: BSD-3-Clause
// Angular velocities and momenta as arrows: of rotations from the body's axes turned to space, of directions and points as they are. Where
// they begin and how they go, for any picture.
import { Between, chartOf } from './between.js';
import { number } from './legend.js';
import { columnNames } from './vectors-names.js';

const MOST = 400;

// Where the arrow of factor i begins: at the part that it turns, at the point that it moves, or at the origin.
export function rootOf(scene, i) {
  const f = scene.factors[i];
  const origin = { point: -1, frame: -1, at: [0, 0, 0], offset: [0, 0, 0] };
  if (f.kind === 'SO3') {
    const part = scene.parts.find((p) => p.a.frame === i && p.kind !== 'line' && p.kind !== 'arrow');
    if (part) return { ...part.a, frame: -1, offset: [0, 0, 0] };
  }
  const { points } = scene;
  for (let k = 0; k < points.n; k++)
    for (let j = points.begin[k]; j < points.begin[k + 1]; j++)
      if (points.z[j] >= f.z && points.z[j] < f.z + f.n) return { ...origin, point: k };
  const arrow = scene.parts.find((p) => p.b.frame === i);
  return arrow ? { ...arrow.a } : origin;
}

export class Arrows {
  // kind: 'omega' or 'momentum'; column(name): Float64Array or null.
  constructor(scene, column, kind) {
    this.kind = kind;
    this.list = [];
    this.scales = []; // [group, length of its longest]
    scene.factors.forEach((f, i) => {
      const columns = columnNames(f, kind)?.map((name) => column(name));
      if (columns?.every(Boolean) && this.list.length < MOST) this.list.push({ frame: f.kind === 'SO3' ? i : -1, single: f.kind === 'S1', place: f.kind === 'R' || f.kind === 'embedded', columns, root: rootOf(scene, i) });
    });
    // Momenta of places and of rotations have different units, so each has its own scale.
    const rows = this.list.length ? this.list[0].columns[0].length : 0;
    for (const v of this.list) {
      v.most = 0;
      for (let r = 0; r < rows; r += Math.max(1, Math.floor(rows / 500))) {
        const size = Math.hypot(...v.columns.map((c) => c[r]));
        if (size > v.most) v.most = size;
      }
      v.group = v.place ? 'place' : 'turn';
    }
    for (const group of ['place', 'turn']) {
      const most = Math.max(0, ...this.list.filter((v) => v.group === group).map((v) => v.most));
      for (const v of this.list) if (v.group === group) v.scale = most > 0 ? 1 / most : 0;
      if (most > 0) this.scales.push([group, most]);
    }
    // Arrows of a body stick out of it.
    this.least = scene.parts.reduce((most, p) => (p.a.frame >= 0 && p.kind !== 'axes' && p.kind !== 'globe' ? Math.max(most, ...p.size) : most), 0);
    this.n = this.list.length;
    this.length = 0; // of the longest
    this.from = new Float64Array(3 * this.n); // in space
    this.along = new Float64Array(3 * this.n); // in lengths of the picture, `scale` times those of space
    this.w = new Float64Array(3);
  }

  // The longest arrow of the run is as long as half of the picture or as the system is large (local), and sticks out of its body.
  update(places, local, scale) {
    this.length = Math.max(Math.min(0.5, local * scale), Math.min(1.3 * this.least * scale, 1.5));
    const { along, from, w } = this;
    const i0 = Math.floor(places.row);
    const share = places.row - i0;
    along.fill(0);
    this.list.forEach((is, i) => {
      const { columns } = is;
      const [o, n] = [is.single ? 2 : 0, columns.length];
      w.fill(0);
      if (share === 0) for (let a = 0; a < n; a++) w[o + a] = columns[a][i0];
      else {
        is.curve ??= new Between(chartOf('R', n), places.rows, places.time, (row, x) => { for (let a = 0; a < n; a++) x[a] = columns[a][row]; });
        is.curve.at(i0, share, w, o);
      }
      if (is.frame >= 0) places.turn(is.frame, w, along, 3 * i);
      else {
        along.set(w, 3 * i);
        places.toSpace(along, 3 * i, 3, 'R');
      }
      for (let a = 0; a < 3; a++) along[3 * i + a] *= this.length * is.scale;
      places.place(is.root, from, 3 * i);
    });
  }

  // What they mean, a text for each scale.
  get words() {
    return this.scales.map(([group, most]) =>
      this.kind === 'omega' ? `angular velocity, longest ${number(most)} rad/s` : group === 'place' ? `momentum, longest ${number(most)} kg m/s` : `angular momentum, longest ${number(most)} kg m²/s`);
  }
}
