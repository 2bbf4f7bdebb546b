// SPDX-License-Identifier: BSD-3-Clause
// Lines of some pixels' width whose segments fade: trails.
import * as THREE from 'three';

const VERTEX = `
#include <common>
#include <logdepthbuf_pars_vertex>
attribute vec4 a;
attribute vec4 b;
uniform vec2 size;
uniform float width;
varying float share;
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
  #include <logdepthbuf_vertex>
}`;

const FRAGMENT = `
#include <common>
#include <logdepthbuf_pars_fragment>
uniform vec3 colour;
uniform float opacity;
varying float share;
void main() {
  #include <logdepthbuf_fragment>
  gl_FragColor = vec4(colour, opacity * share);
  #include <colorspace_fragment>
}`;

// One line with up to `most` corners (x, y, z and opacity; negative where the line has a gap). Four corners of a mesh for each segment, not
// instances: WebGL by the processor is slow with these.
export class Ribbon {
  constructor(most, width, colour, opacity) {
    this.corners = new Float32Array(4 * most);
    this.ends = new Float32Array(32 * (most - 1)); // from and to of its segment, at each of its four corners
    this.buffer = new THREE.InterleavedBuffer(this.ends, 8).setUsage(THREE.DynamicDrawUsage);
    const g = new THREE.BufferGeometry();
    const at = new Float32Array(12 * (most - 1));
    const index = new Uint32Array(6 * (most - 1));
    for (let i = 0; i < most - 1; i++) {
      at.set([0, -1, 0, 1, -1, 0, 0, 1, 0, 1, 1, 0], 12 * i);
      index.set([0, 1, 2, 2, 1, 3].map((k) => 4 * i + k), 6 * i);
    }
    g.setAttribute('position', new THREE.BufferAttribute(at, 3));
    g.setAttribute('a', new THREE.InterleavedBufferAttribute(this.buffer, 4, 0));
    g.setAttribute('b', new THREE.InterleavedBufferAttribute(this.buffer, 4, 4));
    g.setIndex(new THREE.BufferAttribute(index, 1));
    const uniforms = {
      size: { value: new THREE.Vector2(1, 1) },
      width: { value: width },
      colour: { value: new THREE.Color().setRGB(...colour, THREE.SRGBColorSpace) },
      opacity: { value: opacity },
    };
    this.uniforms = uniforms;
    this.mesh = new THREE.Mesh(g, new THREE.ShaderMaterial({ uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, side: THREE.DoubleSide }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
    this.show(0);
  }

  // The first n corners are drawn.
  show(n) {
    const { ends, corners } = this;
    const segments = Math.max(0, n - 1);
    for (let i = 0; i < segments; i++) for (let v = 0; v < 4; v++) for (let k = 0; k < 8; k++) ends[32 * i + 8 * v + k] = corners[4 * i + k];
    this.mesh.geometry.setDrawRange(0, 6 * segments);
    this.mesh.visible = segments > 0;
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, 32 * segments);
    this.buffer.needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
