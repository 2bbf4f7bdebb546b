// SPDX-License-Identifier: BSD-3-Clause
// Places that are held: a pivot as a ball, on a support where it has a direction, an anchor as a small box, a clamp as a plate. Of a size that can
// be seen.
import * as shapes from './shapes.js';

const RADIUS = 4.5; // least, in pixels

export class Marks {
  // parts: of kind mark
  constructor(parts, paint, colour) {
    this.parts = parts;
    const shape = (part) => (part.name === 'clamp' ? ['plate'] : part.name === 'anchor' ? ['box'] : ['ball', ...(isTurned(part) ? ['support'] : [])]);
    const made = { plate: () => shapes.box(), box: () => shapes.box(), ball: () => shapes.sphere(16), support: () => shapes.cone(12) };
    this.batches = Object.entries(made).map(([name, geometry]) => {
      const list = parts.filter((p) => shape(p).includes(name));
      if (!list.length) return null;
      const batch = paint.batch(geometry(), paint.material({ corners: name === 'support' }), list.length);
      list.forEach((_, i) => batch.colour(i, colour));
      return { name, list, batch };
    }).filter(Boolean);
    this.x = new Float64Array(3);
    this.G = new Float64Array(9);
    this.H = new Float64Array(9);
  }

  update(places, to, pixel) {
    const { x, G } = this;
    for (const { name, list, batch } of this.batches) {
      list.forEach((part, i) => {
        places.place(part.a, x, 0);
        for (let a = 0; a < 3; a++) x[a] = (x[a] - to.origin[a]) * to.scale;
        places.stand(part, G);
        const r = Math.max(part.size[0] * to.scale, RADIUS * pixel(x[0], x[1], x[2]));
        // centres are behind the place, against the third axis
        const at = (back) => [0, 1, 2].map((a) => x[a] - back * r * G[3 * a + 2]);
        if (name === 'ball') batch.stand(i, G, r, r, r, ...at(0));
        else if (name === 'box') batch.stand(i, G, 0.9 * r, 0.9 * r, 0.9 * r, ...at(isTurned(part) ? 0.9 : 0));
        else if (name === 'plate') batch.stand(i, G, 2.6 * r, 2.6 * r, 0.4 * r, ...at(0.4));
        else batch.stand(i, this.#flipped(), 1.7 * r, 1.7 * r, 1.4 * r, ...at(1.4)); // its tip in the pivot
      });
      batch.done();
    }
  }

  // Cones have their tip at minus the third axis.
  #flipped() {
    for (let a = 0; a < 3; a++) {
      this.H[3 * a] = this.G[3 * a];
      this.H[3 * a + 1] = -this.G[3 * a + 1];
      this.H[3 * a + 2] = -this.G[3 * a + 2];
    }
    return this.H;
  }

  dispose() {
    for (const { batch } of this.batches) batch.dispose();
  }
}

const isTurned = (part) => part.R.some((c, k) => c !== (k % 4 ? 0 : 1));
