// SPDX-License-Identifier: BSD-3-Clause
// Planes with a grid that fades towards their rim, and transparent spheres with meridians.
import * as THREE from 'three';
import * as shapes from './shapes.js';

const VERTEX = `
#include <common>
#include <logdepthbuf_pars_vertex>
varying vec2 at;
void main() {
  at = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  #include <logdepthbuf_vertex>
}`;

const FRAGMENT = `
#include <common>
#include <logdepthbuf_pars_fragment>
uniform vec3 colour;
uniform float cell;
uniform float fade;
uniform float fill;
uniform vec2 shift;
varying vec2 at;
float lines(float cells, float width) {
  vec2 g = (at + shift) / cells;
  vec2 w = fwidth(g);
  vec2 d = abs(fract(g - 0.5) - 0.5) / max(w, vec2(1e-6));
  vec2 on = clamp(width - d, 0.0, 1.0) * clamp(1.0 - 3.0 * w, 0.0, 1.0);
  return max(on.x, on.y);
}
void main() {
  #include <logdepthbuf_fragment>
  float rim = fade > 0.0 ? 1.0 - smoothstep(0.35 * fade, fade, length(at)) : 1.0;
  float a = max(0.28 * lines(cell, 1.0), 0.55 * lines(5.0 * cell, 1.3));
  gl_FragColor = vec4(colour, rim * max(a, fill));
  if (gl_FragColor.a < 0.004) discard;
  #include <colorspace_fragment>
}`;

const linear = (c) => new THREE.Color().setRGB(...c, THREE.SRGBColorSpace);

// 1, 2 or 5 times a power of ten, about x.
export function roundStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 5, 10].map((k) => k * power).reduce((a, b) => (Math.abs(Math.log(b / x)) < Math.abs(Math.log(a / x)) ? b : a));
}

// A square of half its width `half` (picture units) in the plane of x and y of the returned mesh; faded: towards a circle.
export class Grid {
  constructor(colour, { half, cell, faded, fill }) {
    const uniforms = { colour: { value: linear(colour) }, cell: { value: cell }, fade: { value: faded ? half : 0 }, fill: { value: fill }, shift: { value: new THREE.Vector2() } };
    this.uniforms = uniforms;
    this.mesh = new THREE.Mesh(
      new THREE.PlaneGeometry(2 * half, 2 * half),
      new THREE.ShaderMaterial({ uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, side: THREE.DoubleSide }),
    );
    this.mesh.renderOrder = -1;
    this.mesh.matrixAutoUpdate = false;
    this.mesh.frustumCulled = false;
  }

  // F (9, row-major): the plane is that of its first two columns, through (x, y, z) of the picture.
  stand(F, x, y, z) {
    this.mesh.matrix.set(F[0], F[1], F[2], x, F[3], F[4], F[5], y, F[6], F[7], F[8], z, 0, 0, 0, 1);
    this.mesh.matrixWorldNeedsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

export class Globe {
  constructor(colour, line) {
    this.group = new THREE.Group();
    this.ball = new THREE.Mesh(shapes.sphere(48), new THREE.MeshLambertMaterial({ color: linear(colour), transparent: true, opacity: 0.16, depthWrite: false }));
    this.lines = new THREE.LineSegments(shapes.graticule(), new THREE.LineBasicMaterial({ color: linear(line), transparent: true, opacity: 0.3, depthWrite: false }));
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
