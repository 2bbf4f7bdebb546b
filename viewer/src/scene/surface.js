// SPDX-License-Identifier: BSD-3-Clause
// The surface of a body by its triangles, as they are: flat, with edges.
import * as THREE from 'three';
import { toLinear } from './colours.js';

export class Surface {
  // part: of kind mesh; colour: sRGB
  constructor({ vertices, triangles }, colour, material) {
    const x = new Float32Array(3 * triangles.length);
    triangles.forEach((v, i) => x.set(vertices.subarray(3 * v, 3 * v + 3), 3 * i));
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.BufferAttribute(x, 3));
    g.computeVertexNormals();
    const tint = Float32Array.from(x, (_, i) => toLinear(colour[i % 3]));
    g.setAttribute('color', new THREE.BufferAttribute(tint, 3));
    material.vertexColors = true;
    material.side = THREE.DoubleSide; // also where a file lists corners clockwise
    this.mesh = new THREE.Mesh(g, material);
    this.mesh.matrixAutoUpdate = false;
    this.mesh.frustumCulled = false;
  }

  // G (9, row-major): how it is turned.
  stand(G, s, x, y, z) {
    this.mesh.matrix.set(G[0] * s, G[1] * s, G[2] * s, x, G[3] * s, G[4] * s, G[5] * s, y, G[6] * s, G[7] * s, G[8] * s, z, 0, 0, 0, 1);
    this.mesh.matrixWorldNeedsUpdate = true;
    this.mesh.visible = Number.isFinite(x + y + z + G[0]);
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
