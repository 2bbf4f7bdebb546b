// SPDX-License-Identifier: BSD-3-Clause
// Soft shadows of bodies on planes that rest, with the light from straight above: the closer a body is, the darker, so that one sees it touch.
import * as THREE from 'three';

const KINDS = new Set(['ball', 'ellipsoid', 'box', 'cylinder', 'cone', 'mesh']);
const SIDES = 28;
const MOST = 60;
const SOFT = 0.25; // of the larger half-axis: width of the rim

export class Shadows {
  // scene, and which of its parts can be drawn; opacity: of a body that touches
  constructor(places, opacity) {
    const { parts } = places.scene;
    const drawn = parts.filter((p) => places.canDraw(p));
    this.planes = drawn.filter((p) => p.kind === 'plane' && p.a.frame < 0 && p.a.point < 0);
    this.bodies = drawn.filter((p) => KINDS.has(p.kind) && p.size[0] > 0).slice(0, MOST);
    this.opacity = opacity;
    const n = this.planes.length * this.bodies.length;
    this.n = n;
    if (!n) return;
    const corners = 1 + 2 * SIDES;
    this.position = new Float32Array(3 * n * corners);
    this.colour = new Float32Array(4 * n * corners);
    const index = [];
    for (let i = 0; i < n; i++) {
      const [centre, inner] = [i * corners, i * corners + 1];
      for (let s = 0; s < SIDES; s++) {
        const next = (s + 1) % SIDES;
        index.push(centre, inner + s, inner + next, inner + s, inner + SIDES + s, inner + next, inner + next, inner + SIDES + s, inner + SIDES + next);
      }
    }
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.BufferAttribute(this.position, 3).setUsage(THREE.DynamicDrawUsage));
    g.setAttribute('color', new THREE.BufferAttribute(this.colour, 4).setUsage(THREE.DynamicDrawUsage));
    g.setIndex(index);
    this.mesh = new THREE.Mesh(g, new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
    [this.x, this.o, this.N, this.G] = [new Float64Array(3), new Float64Array(3), new Float64Array(9), new Float64Array(9)];
  }

  update(places, to) {
    if (!this.n) return;
    let i = 0;
    for (const plane of this.planes) {
      places.place(plane.a, this.o, 0);
      places.stand(plane, this.N);
      for (const body of this.bodies) this.#shadow(i++, body, places, to);
    }
    this.mesh.geometry.attributes.position.needsUpdate = true;
    this.mesh.geometry.attributes.color.needsUpdate = true;
  }

  // The ellipse onto which the body is projected: of its half-axes in the plane, u and v.
  #shadow(i, body, places, to) {
    const { x, o, N, G, position, colour } = this;
    places.place(body.a, x, 0);
    places.stand(body, G);
    const size = body.kind === 'ball' ? [body.size[0], body.size[0], body.size[0]] : body.size;
    let [xx, xy, yy, support, height] = [0, 0, 0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const dot = (axis) => size[k] * (G[k] * N[axis] + G[3 + k] * N[3 + axis] + G[6 + k] * N[6 + axis]);
      const [a, b, c] = [dot(0), dot(1), dot(2)];
      xx += a * a;
      xy += a * b;
      yy += b * b;
      support += c * c;
      height += (x[k] - o[k]) * N[3 * k + 2];
    }
    const most = Math.max(...size);
    const gap = Math.max(0, height - Math.sqrt(support));
    const dark = height < -0.5 * most || !Number.isFinite(height) ? 0 : this.opacity / (1 + (3 * gap) / most) ** 2;
    const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
    const half = Math.hypot(0.5 * (xx - yy), xy);
    const wide = Math.max(0.12 * most, Math.sqrt(0.5 * (xx + yy) + half));
    const slim = Math.max(0.06 * most, Math.sqrt(Math.max(0, 0.5 * (xx + yy) - half)));
    const corner = (k, a, b, opacity) => {
      const at = 3 * (i * (1 + 2 * SIDES) + k);
      for (let c = 0; c < 3; c++) {
        const foot = x[c] - height * N[3 * c + 2];
        position[at + c] = (foot + a * N[3 * c] + b * N[3 * c + 1] - to.origin[c]) * to.scale;
      }
      const tint = 4 * (i * (1 + 2 * SIDES) + k);
      colour.fill(0, tint, tint + 3);
      colour[tint + 3] = opacity;
    };
    corner(0, 0, 0, dark);
    const rim = SOFT * wide + 0.4 * gap;
    for (let s = 0; s < SIDES; s++) {
      const t = (2 * Math.PI * s) / SIDES;
      const [c, d] = [Math.cos(t), Math.sin(t)];
      const ring = (p, q) => [p * c * Math.cos(angle) - q * d * Math.sin(angle), p * c * Math.sin(angle) + q * d * Math.cos(angle)];
      corner(1 + s, ...ring(0.8 * wide, 0.8 * slim), dark);
      corner(1 + SIDES + s, ...ring(wide + rim, slim + rim), 0);
    }
  }

  dispose() {
    if (!this.n) return;
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
