// SPDX-License-Identifier: BSD-3-Clause
// Lines of some pixels' width whose segments fade: trails.
import * as THREE from 'three';
import { toLinear } from './colours.js';

const PER_CORNER = 11; // numbers: from, to, colour

const VERTEX = `
#include <common>
#include <logdepthbuf_pars_vertex>
attribute vec4 a;
attribute vec4 b;
attribute vec3 tint;
uniform vec2 size;
uniform float width;
varying float share;
varying vec3 colour;
void main() {
  vec4 from = projectionMatrix * modelViewMatrix * vec4(a.xyz, 1.0);
  vec4 to = projectionMatrix * modelViewMatrix * vec4(b.xyz, 1.0);
  float near = 1e-6;
  if (from.w < near && to.w >= near) from = mix(from, to, (near - from.w) / (to.w - from.w));
  if (to.w < near && from.w >= near) to = mix(to, from, (near - to.w) / (from.w - to.w));
  vec2 along = (to.xy / to.w - from.xy / from.w) * size;
  float length2 = dot(along, along);
  along = length2 > 1e-12 ? along * inversesqrt(length2) : vec2(1.0, 0.0);
  gl_Position = position.x > 0.5 ? to : from;
  gl_Position.xy += (vec2(-along.y, along.x) * position.y + along * (position.x - 0.5) * 0.5) * width / size * gl_Position.w;
  if (min(a.w, b.w) < 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  share = position.x > 0.5 ? b.w : a.w;
  colour = tint;
  #include <logdepthbuf_vertex>
}`;

const FRAGMENT = `
#include <common>
#include <logdepthbuf_pars_fragment>
uniform float opacity;
varying float share;
varying vec3 colour;
void main() {
  #include <logdepthbuf_fragment>
  gl_FragColor = vec4(colour, opacity * share);
  #include <colorspace_fragment>
}`;

// Lines with up to `most` corners each (x, y, z and opacity; negative where a line has a gap), a colour (sRGB) for each. All in one draw, and
// four corners of a mesh for each segment in place of instances: WebGL by the processor is slow to begin a draw.
export class Ribbons {
  constructor(colours, most, width, opacity) {
    const lines = colours.length;
    this.most = most;
    this.colours = colours.map((c) => c.map(toLinear));
    this.corners = colours.map(() => new Float32Array(4 * most));
    this.data = new Float32Array(4 * PER_CORNER * (most - 1) * lines);
    this.buffer = new THREE.InterleavedBuffer(this.data, PER_CORNER).setUsage(THREE.DynamicDrawUsage);
    const g = new THREE.BufferGeometry();
    const segments = (most - 1) * lines;
    const at = new Float32Array(12 * segments);
    const index = new Uint32Array(6 * segments);
    for (let i = 0; i < segments; i++) {
      at.set([0, -1, 0, 1, -1, 0, 0, 1, 0, 1, 1, 0], 12 * i);
      index.set([0, 1, 2, 2, 1, 3].map((k) => 4 * i + k), 6 * i);
    }
    g.setAttribute('position', new THREE.BufferAttribute(at, 3));
    [['a', 4, 0], ['b', 4, 4], ['tint', 3, 8]].forEach(([name, size, offset]) => g.setAttribute(name, new THREE.InterleavedBufferAttribute(this.buffer, size, offset)));
    g.setIndex(new THREE.BufferAttribute(index, 1));
    this.uniforms = { size: { value: new THREE.Vector2(1, 1) }, width: { value: width }, opacity: { value: opacity } };
    this.mesh = new THREE.Mesh(g, new THREE.ShaderMaterial({ uniforms: this.uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, side: THREE.DoubleSide }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
    this.show(0);
  }

  // The first n corners of each line are drawn.
  show(n) {
    const { data, corners, colours } = this;
    let o = 0;
    corners.forEach((x, line) => {
      const [red, green, blue] = colours[line];
      for (let i = 0; i + 1 < n; i++)
        for (let v = 0; v < 4; v++) {
          for (let k = 4 * i; k < 4 * i + 8; k++) data[o++] = x[k];
          data[o++] = red;
          data[o++] = green;
          data[o++] = blue;
        }
    });
    this.mesh.geometry.setDrawRange(0, (6 * o) / (4 * PER_CORNER));
    this.mesh.visible = o > 0;
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, o);
    this.buffer.needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
