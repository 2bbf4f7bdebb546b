// SPDX-License-Identifier: BSD-3-Clause
// The same as a batch where the processor draws: its WebGL begins a draw of its own for each instance, which takes longer than moving all
// corners here into one mesh.
import * as THREE from 'three';
import { Batch } from './batch.js';
import { toLinear } from './colours.js';

export class MergedBatch {
  constructor(geometry, material, n) {
    const { position, normal, color } = geometry.attributes;
    this.n = n;
    this.corners = position.count;
    this.base = { x: position.array, normal: normal.array, colour: color?.array ?? null };
    this.matrix = new Float32Array(16 * n);
    this.x = new Float32Array(3 * n * this.corners);
    this.normal = new Float32Array(3 * n * this.corners);
    this.tint = new Float32Array(3 * n * this.corners).fill(1);
    const g = new THREE.BufferGeometry();
    for (const [name, array] of [['position', this.x], ['normal', this.normal], ['color', this.tint]]) g.setAttribute(name, new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage));
    g.setIndex(repeated(geometry, n, this.corners));
    material.vertexColors = true;
    this.mesh = new THREE.Mesh(g, material);
    this.mesh.frustumCulled = false;
    this.inverse = new Float64Array(3);
    geometry.dispose();
  }

  colour(i, c, o = 0) {
    const { corners, tint, base } = this;
    for (let k = 0; k < 3; k++) {
      const value = toLinear(c[o + k]);
      for (let v = 0; v < corners; v++) tint[3 * (i * corners + v) + k] = base.colour ? value * base.colour[3 * v + k] : value;
    }
    this.mesh.geometry.attributes.color.needsUpdate = true;
  }

  // All corners and normals; the columns of each matrix are orthogonal.
  done() {
    const { n, corners, matrix: m, x, normal, inverse, base } = this;
    for (let i = 0; i < n; i++) {
      const o = 16 * i;
      for (let k = 0; k < 3; k++) {
        const size = m[o + 4 * k] * m[o + 4 * k] + m[o + 4 * k + 1] * m[o + 4 * k + 1] + m[o + 4 * k + 2] * m[o + 4 * k + 2];
        inverse[k] = size > 0 ? 1 / size : 0;
      }
      const far = Math.sqrt(Math.min(inverse[0], inverse[1], inverse[2])); // for normals of about unit length
      for (let v = 0, b = 0, t = 3 * i * corners; v < corners; v++, b += 3, t += 3) {
        const [px, py, pz] = [base.x[b], base.x[b + 1], base.x[b + 2]];
        const nx = far > 0 ? (base.normal[b] * inverse[0]) / far : 0;
        const ny = far > 0 ? (base.normal[b + 1] * inverse[1]) / far : 0;
        const nz = far > 0 ? (base.normal[b + 2] * inverse[2]) / far : 0;
        for (let a = 0; a < 3; a++) {
          x[t + a] = m[o + a] * px + m[o + 4 + a] * py + m[o + 8 + a] * pz + m[o + 12 + a];
          normal[t + a] = m[o + a] * nx + m[o + 4 + a] * ny + m[o + 8 + a] * nz;
        }
      }
    }
    this.mesh.geometry.attributes.position.needsUpdate = true;
    this.mesh.geometry.attributes.normal.needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

for (const name of ['stand', 'span', 'hide']) MergedBatch.prototype[name] = Batch.prototype[name];

function repeated(geometry, n, corners) {
  const once = geometry.index ? geometry.index.array : Uint32Array.from({ length: corners }, (_, k) => k);
  const all = new Uint32Array(once.length * n);
  for (let i = 0; i < n; i++) for (let k = 0; k < once.length; k++) all[i * once.length + k] = once[k] + i * corners;
  return new THREE.BufferAttribute(all, 1);
}
