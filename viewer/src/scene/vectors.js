// SPDX-License-Identifier: BSD-3-Clause
// Angular velocities and momenta (arrows.js) as solid arrows.
import * as shapes from './shapes.js';
import * as THREE from 'three';
import { Arrows } from './arrows.js';

export class Vectors {
  constructor(scene, column, kind, colour, paint, opacity) {
    this.arrows = new Arrows(scene, column, kind);
    const { n } = this.arrows;
    this.colour = colour;
    this.batch = n ? paint.batch(shapes.arrow(n > 40 ? 5 : 12), paint.material({ opacity }), n) : null;
    for (let i = 0; i < n; i++) this.batch.colour(i, colour);
  }

  update(places, local, to) {
    if (!this.batch) return;
    const { arrows } = this;
    arrows.update(places, local, to.scale);
    for (let i = 0; i < arrows.n; i++) {
      const [x, v] = [arrows.from, arrows.along].map((all) => all.subarray(3 * i, 3 * i + 3));
      const size = Math.hypot(v[0], v[1], v[2]);
      const r = Math.min(0.03 * arrows.length + 0.02 * size, 0.12 * size);
      this.batch.span(i, (x[0] - to.origin[0]) * to.scale, (x[1] - to.origin[1]) * to.scale, (x[2] - to.origin[2]) * to.scale, v[0], v[1], v[2], r);
    }
    this.batch.done();
  }

  get object() {
    return this.batch?.mesh ?? new THREE.Group();
  }

  dispose() {
    this.batch?.dispose();
  }
}
