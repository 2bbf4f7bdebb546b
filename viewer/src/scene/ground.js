// SPDX-License-Identifier: BSD-3-Clause
// Planes as grids that fade towards their rim, and transparent spheres with meridians.
import * as THREE from 'three';
import * as shapes from './shapes.js';

const linear = (c) => new THREE.Color().setRGB(...c, THREE.SRGBColorSpace);

// 1, 2 or 5 times a power of ten, about x.
export function roundStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 5, 10].map((k) => k * power).reduce((a, b) => (Math.abs(Math.log(b / x)) < Math.abs(Math.log(a / x)) ? b : a));
}

// Corners and opacities of lines that are `cell` apart in a square, each fifth stronger; faded: less and less towards the circle in it.
function ruling(half, cell, faded) {
  const [position, colour] = [[], []];
  const n = Math.min(60, Math.floor(half / cell + 1e-9));
  const pieces = faded ? 24 : 1;
  const opacity = (x, y, strong) => (strong ? 0.5 : 0.22) * (faded ? Math.max(0, 1 - (Math.hypot(x, y) / half) ** 2) : 1);
  for (let k = -n; k <= n; k++)
    for (let i = 0; i < pieces; i++) {
      const [x, from, to] = [k * cell, half * ((2 * i) / pieces - 1), half * ((2 * (i + 1)) / pieces - 1)];
      if (faded && Math.min(Math.hypot(x, from), Math.hypot(x, to)) > half) continue;
      position.push(x, from, 0, x, to, 0, from, x, 0, to, x, 0);
      for (const y of [from, to, from, to]) colour.push(1, 1, 1, opacity(x, y, k % 5 === 0));
    }
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  g.setAttribute('color', new THREE.Float32BufferAttribute(colour, 4));
  return g;
}

// A surface of this colour and opacity in the plane of a grid, so that shadows are seen on dark backgrounds, too: a square, or a disc that fades.
function surface(half, faded, [colour, opacity]) {
  const n = faded ? 48 : 4;
  const turn = faded ? 0 : Math.PI / 4;
  const [position, tint, index] = [[0, 0, 0], [...linear(colour), opacity], []];
  for (const [radius, strength] of faded ? [[0.5, 0.8], [1, 0]] : [[Math.SQRT2, 1]])
    for (let k = 0; k < n; k++) {
      const t = turn + (2 * Math.PI * k) / n;
      position.push(half * radius * Math.cos(t), half * radius * Math.sin(t), 0);
      tint.push(...linear(colour), opacity * strength);
    }
  for (let k = 0; k < n; k++) {
    const next = (k + 1) % n;
    index.push(0, 1 + k, 1 + next);
    if (faded) index.push(1 + k, 1 + n + k, 1 + next, 1 + next, 1 + n + k, 1 + n + next);
  }
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  g.setAttribute('color', new THREE.Float32BufferAttribute(tint, 4));
  g.setIndex(index);
  const mesh = new THREE.Mesh(g, new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
  mesh.renderOrder = -2;
  mesh.frustumCulled = false;
  return mesh;
}

// A square of half its width `half` (picture units) in the plane of x and y of the returned mesh.
export class Grid {
  // ground: [colour, opacity] of its surface, or nothing
  constructor(colour, { half, cell, faded, ground }) {
    this.mesh = new THREE.LineSegments(ruling(half, cell, faded), new THREE.LineBasicMaterial({ color: linear(colour), vertexColors: true, transparent: true, depthWrite: false }));
    this.mesh.renderOrder = -1;
    this.mesh.matrixAutoUpdate = false;
    this.mesh.frustumCulled = false;
    if (ground) this.mesh.add((this.surface = surface(half, faded, ground)));
  }

  // F (9, row-major): the plane is that of its first two columns, through (x, y, z) of the picture.
  stand(F, x, y, z) {
    this.mesh.matrix.set(F[0], F[1], F[2], x, F[3], F[4], F[5], y, F[6], F[7], F[8], z, 0, 0, 0, 1);
    this.mesh.matrixWorldNeedsUpdate = true;
  }

  dispose() {
    for (const mesh of [this.mesh, this.surface]) {
      mesh?.geometry.dispose();
      mesh?.material.dispose();
    }
  }
}

export class Globe {
  constructor(colour, line, paint) {
    const { coarse } = paint;
    this.group = new THREE.Group();
    this.ball = new THREE.Mesh(shapes.sphere(coarse ? 44 : 64), paint.material({ colour, opacity: 0.16 }));
    this.ball.material.depthWrite = false;
    this.lines = new THREE.LineSegments(shapes.graticule(coarse ? 36 : 72), new THREE.LineBasicMaterial({ color: linear(line), transparent: true, opacity: 0.3, depthWrite: false }));
    this.ball.renderOrder = 1;
    this.lines.renderOrder = 1;
    this.group.add(this.ball, this.lines);
    this.group.matrixAutoUpdate = false;
  }

  stand(F, r, x, y, z) {
    this.group.matrix.set(F[0] * r, F[1] * r, F[2] * r, x, F[3] * r, F[4] * r, F[5] * r, y, F[6] * r, F[7] * r, F[8] * r, z, 0, 0, 0, 1);
    this.group.matrixWorldNeedsUpdate = true;
    this.group.visible = Number.isFinite(x + y + z);
  }

  dispose() {
    for (const o of [this.ball, this.lines]) {
      o.geometry.dispose();
      o.material.dispose();
    }
  }
}
