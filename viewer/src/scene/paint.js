// SPDX-License-Identifier: BSD-3-Clause
// How surfaces are lit, and how many of one shape are drawn: by a GPU, or by WebGL that the processor computes.
//
//   material({colour, corners, opacity, wire, over})
//                                          colour: sRGB, white if left out; corners: those of the mesh have colours; opacity: 1 if left out; wire: only
//                                          edges; over: what is behind it stays visible, and what is in the same place is drawn before it
//   batch(geometry, material, n)           n of the shape (batch.js)
//   light(camera, sun, up)                 before each frame: directions to the light and upwards, in space
//   coarse                                 are shapes to have few triangles, since each of them takes long?
import * as THREE from 'three';
import { Batch } from './batch.js';
import { MergedBatch } from './merged.js';

const SUN = 1.7;
const SKY = 1.9;
const GROUND = 0xc4cbd6;
// Surfaces are a little behind what is drawn in the same place: the lines and translucent surfaces of another run.
const common = ({ opacity = 1, wire = false, over = false }) => ({
  transparent: opacity < 1, wireframe: wire, depthWrite: !over, ...(over ? {} : { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }),
});
const linear = (c) => new THREE.Color().setRGB(...c, THREE.SRGBColorSpace);

export class Paint {
  constructor(scene) {
    this.coarse = false;
    this.sun = new THREE.DirectionalLight(0xffffff, SUN);
    this.sky = new THREE.HemisphereLight(0xffffff, GROUND, SKY);
    scene.add(this.sun, this.sun.target, this.sky);
  }

  material({ colour = [1, 1, 1], corners = false, opacity = 1, ...rest } = {}) {
    return new THREE.MeshLambertMaterial({ color: linear(colour), vertexColors: corners, opacity, ...common({ opacity, ...rest }) });
  }

  batch(geometry, material, n) {
    return new Batch(geometry, material, n);
  }

  light(camera, sun, up) {
    this.sun.position.set(...sun);
    this.sky.position.set(...up);
  }
}

// The same light, computed at corners in place of pixels: a processor takes a third of the time for it.
const VERTEX = `
#include <common>
#include <logdepthbuf_pars_vertex>
uniform vec3 sun;
uniform vec3 up;
uniform vec3 ground;
uniform vec3 diffuse;
varying vec3 lit;
void main() {
  vec3 n = normalize(normalMatrix * normal);
  vec3 light = RECIPROCAL_PI * (${SUN.toFixed(2)} * saturate(dot(n, sun)) + ${SKY.toFixed(2)} * mix(ground, vec3(1.0), 0.5 * dot(n, up) + 0.5));
  vec3 c = diffuse * light;
  #ifdef USE_COLOR
    c *= color;
  #endif
  lit = mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  #include <logdepthbuf_vertex>
}`;

const FRAGMENT = `
#include <common>
#include <logdepthbuf_pars_fragment>
uniform float opacity;
varying vec3 lit;
void main() {
  #include <logdepthbuf_fragment>
  gl_FragColor = vec4(lit, opacity);
}`;

export class CornerPaint {
  constructor() {
    this.coarse = true;
    this.sun = new THREE.Vector3(0, 0, 1);
    this.up = new THREE.Vector3(0, 0, 1);
    this.ground = new THREE.Color(GROUND);
  }

  material({ colour = [1, 1, 1], corners = false, opacity = 1, ...rest } = {}) {
    const uniforms = { sun: { value: this.sun }, up: { value: this.up }, ground: { value: this.ground }, diffuse: { value: linear(colour) }, opacity: { value: opacity } };
    return new THREE.ShaderMaterial({ uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, vertexColors: corners, ...common({ opacity, ...rest }) });
  }

  // WebGL by the processor begins a draw of its own for each instance.
  batch(geometry, material, n) {
    return new MergedBatch(geometry, material, n);
  }

  light(camera, sun, up) {
    this.sun.set(...sun).transformDirection(camera.matrixWorldInverse);
    this.up.set(...up).transformDirection(camera.matrixWorldInverse);
  }
}
