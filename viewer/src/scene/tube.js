// SPDX-License-Identifier: BSD-3-Clause
// A tube about a smooth curve through points, changed in place.
import * as THREE from 'three';
import { diverging, toLinear } from './colours.js';
import { catmullRom } from './tube-curve.js';

export class Tube {
  constructor(from, to, material, colour, tensions, middle) {
    this.from = from;
    this.spans = to - from;
    this.per = Math.max(2, Math.min(8, Math.floor(800 / this.spans)));
    this.rings = this.spans * this.per + 1;
    this.sides = this.rings > 400 ? 6 : 10;
    this.tensions = tensions; // a column for each span, or []
    this.middle = middle;
    const n = this.rings * this.sides;
    this.position = new Float32Array(3 * n);
    this.normal = new Float32Array(3 * n);
    this.colours = new Float32Array(3 * n);
    for (let i = 0; i < 3 * n; i++) this.colours[i] = toLinear(colour[i % 3]);
    const faces = [];
    for (let r = 0; r + 1 < this.rings; r++)
      for (let s = 0; s < this.sides; s++) {
        const [a, b] = [r * this.sides + s, r * this.sides + ((s + 1) % this.sides)];
        faces.push(a, b, a + this.sides, b, b + this.sides, a + this.sides);
      }
    const g = new THREE.BufferGeometry();
    for (const [name, array] of [['position', this.position], ['normal', this.normal], ['color', this.colours]]) {
      const attribute = new THREE.BufferAttribute(array, 3);
      attribute.setUsage(THREE.DynamicDrawUsage);
      g.setAttribute(name, attribute);
    }
    g.setIndex(faces);
    this.mesh = new THREE.Mesh(g, material);
    this.mesh.frustumCulled = false;
    this.x = new Float64Array(3 * (this.spans + 1));
    this.at = new Float64Array(3);
    this.along = new Float64Array(3);
    this.u = new Float64Array([1, 0, 0]);
  }

  update(places, radius, to) {
    const { x, at, along, u, sides } = this;
    for (let i = 0; i < x.length; i++) x[i] = (places.points[3 * this.from + i] - to.origin[i % 3]) * to.scale;
    u[0] = u[1] = u[2] = 0;
    for (let r = 0; r < this.rings; r++) {
      const span = Math.min(Math.floor(r / this.per), this.spans - 1);
      const o = 3 * span;
      const last = 3 * this.spans;
      catmullRom(x, Math.max(0, o - 3), o, o + 3, Math.min(last, o + 6), (r - span * this.per) / this.per, at, along);
      this.#frame(r);
      const [vx, vy, vz] = [along[1] * u[2] - along[2] * u[1], along[2] * u[0] - along[0] * u[2], along[0] * u[1] - along[1] * u[0]];
      for (let s = 0; s < sides; s++) {
        const angle = (2 * Math.PI * s) / sides;
        const [c, d] = [Math.cos(angle), Math.sin(angle)];
        const i = 3 * (r * sides + s);
        const n = this.normal;
        n[i] = c * u[0] + d * vx;
        n[i + 1] = c * u[1] + d * vy;
        n[i + 2] = c * u[2] + d * vz;
        for (let a = 0; a < 3; a++) this.position[i + a] = at[a] + radius * n[i + a];
      }
    }
    this.mesh.visible = Number.isFinite(x.reduce((sum, c) => sum + c, 0));
    this.mesh.geometry.attributes.position.needsUpdate = true;
    this.mesh.geometry.attributes.normal.needsUpdate = true;
  }

  // along and u <- orthonormal, u as little turned from the ring before as can be.
  #frame() {
    const { along: t, u } = this;
    const length = Math.hypot(t[0], t[1], t[2]) || 1;
    for (let a = 0; a < 3; a++) t[a] /= length;
    if (u[0] === 0 && u[1] === 0 && u[2] === 0) u[Math.abs(t[0]) < 0.6 ? 0 : 1] = 1;
    const share = u[0] * t[0] + u[1] * t[1] + u[2] * t[2];
    for (let a = 0; a < 3; a++) u[a] -= share * t[a];
    const size = Math.hypot(u[0], u[1], u[2]);
    if (size > 1e-9) for (let a = 0; a < 3; a++) u[a] /= size;
    else {
      u.fill(0);
      this.#frame();
    }
  }

  // Tensions (as shares of the largest) as colours.
  tint(row, most) {
    if (!this.tensions.length) return;
    const c = [0, 0, 0];
    for (let r = 0; r < this.rings; r++) {
      const column = this.tensions[Math.min(Math.floor(r / this.per), this.tensions.length - 1)];
      diverging(column ? column[row] / most : 0, this.middle, c, 0);
      for (let s = 0; s < this.sides; s++) for (let a = 0; a < 3; a++) this.colours[3 * (r * this.sides + s) + a] = toLinear(c[a]);
    }
    this.mesh.geometry.attributes.color.needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
