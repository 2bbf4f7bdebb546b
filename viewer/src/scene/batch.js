// SPDX-License-Identifier: BSD-3-Clause
// Many things of one shape, drawn at once: a matrix and a colour each.
import * as THREE from 'three';
import { toLinear } from './colours.js';

export class Batch {
  constructor(geometry, material, n) {
    this.mesh = new THREE.InstancedMesh(geometry, material, n);
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.matrix = this.mesh.instanceMatrix.array;
    this.mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * n).fill(1), 3);
    this.colours = this.mesh.instanceColor.array;
  }

  // sRGB at c[o ...]
  colour(i, c, o = 0) {
    for (let k = 0; k < 3; k++) this.colours[3 * i + k] = toLinear(c[o + k]);
    this.mesh.instanceColor.needsUpdate = true;
  }

  // Columns F R diag(sx, sy, sz), and the place; F row-major with R applied. What is not finite is not drawn.
  stand(i, F, sx, sy, sz, x, y, z) {
    const m = this.matrix;
    const o = 16 * i;
    if (!Number.isFinite(x + y + z + F[0] + F[4] + F[8])) return this.hide(i);
    for (let a = 0; a < 3; a++) {
      m[o + a] = F[3 * a] * sx;
      m[o + 4 + a] = F[3 * a + 1] * sy;
      m[o + 8 + a] = F[3 * a + 2] * sz;
    }
    m[o + 12] = x;
    m[o + 13] = y;
    m[o + 14] = z;
    m[o + 15] = 1;
  }

  // From (x, y, z) along (dx, dy, dz), with radius r across.
  span(i, x, y, z, dx, dy, dz, r) {
    const m = this.matrix;
    const o = 16 * i;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(length > 0) || !Number.isFinite(x + y + z + length)) return this.hide(i);
    // Two axes across, by the one of e1, e2, e3 that is farthest from the direction (Duff and others, 2017).
    const [ex, ey, ez] = [dx / length, dy / length, dz / length];
    const sign = ez >= 0 ? 1 : -1;
    const a = -1 / (sign + ez);
    const b = ex * ey * a;
    m[o] = (1 + sign * ex * ex * a) * r;
    m[o + 1] = sign * b * r;
    m[o + 2] = -sign * ex * r;
    m[o + 4] = b * r;
    m[o + 5] = (sign + ey * ey * a) * r;
    m[o + 6] = -ey * r;
    m[o + 8] = dx;
    m[o + 9] = dy;
    m[o + 10] = dz;
    m[o + 12] = x;
    m[o + 13] = y;
    m[o + 14] = z;
    m[o + 15] = 1;
  }

  hide(i) {
    this.matrix.fill(0, 16 * i, 16 * i + 16);
  }

  done() {
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.dispose();
  }
}
