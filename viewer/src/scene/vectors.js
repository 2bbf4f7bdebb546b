// SPDX-License-Identifier: BSD-3-Clause
// Angular velocities and momenta as arrows: of rotations from the body's axes turned to space, of directions and points as they are.
import * as shapes from './shapes.js';
import * as THREE from 'three';
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

export class Vectors {
  constructor(scene, column, kind, colour, paint, opacity) {
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
    this.batch = this.list.length ? paint.batch(shapes.arrow(this.list.length > 40 ? 5 : 12), paint.material({ opacity }), this.list.length) : null;
    this.list.forEach((_, i) => this.batch.colour(i, colour));
    this.v = new Float64Array(3);
    this.x = new Float64Array(3);
    this.w = new Float64Array(3);
  }

  // The longest arrow of the run is as long as half of the picture or as the system is large (local), and sticks out of its body.
  update(places, local, to) {
    if (!this.batch) return;
    const length = Math.max(Math.min(0.5, local * to.scale), Math.min(1.3 * this.least * to.scale, 1.5));
    const row = places.row;
    const i0 = Math.floor(row);
    const share = row - i0;
    const { v, w, x } = this;
    this.list.forEach((is, i) => {
      w.fill(0);
      const value = (c) => (share ? (1 - share) * c[i0] + share * c[i0 + 1] : c[i0]);
      if (is.single) w[2] = value(is.columns[0]);
      else for (let a = 0; a < is.columns.length; a++) w[a] = value(is.columns[a]);
      v.fill(0);
      if (is.frame >= 0) places.turn(is.frame, w, v, 0);
      else {
        v.set(w);
        places.toSpace(v, 0, 3, 'R');
      }
      places.place(is.root, x, 0);
      const k = length * is.scale;
      const size = k * Math.hypot(v[0], v[1], v[2]);
      const r = Math.min(0.03 * length + 0.02 * size, 0.12 * size);
      this.batch.span(i, (x[0] - to.origin[0]) * to.scale, (x[1] - to.origin[1]) * to.scale, (x[2] - to.origin[2]) * to.scale, k * v[0], k * v[1], k * v[2], r);
    });
    this.batch.done();
  }

  get object() {
    return this.batch?.mesh ?? new THREE.Group();
  }

  dispose() {
    this.batch?.dispose();
  }
}
