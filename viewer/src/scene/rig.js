// SPDX-License-Identifier: BSD-3-Clause
// The camera: turns about a target, by perspective or in parallel, with the mouse, fingers, or by methods for keys. The picture's unit of
// length is the radius of the motion, its origin the centre of the motion or what is followed.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { anglesOf, basis, directionOf, distanceFor, distanceToSee } from './fit.js';

const FOV = 35;
const POLE = 1e-4; // rad that a camera keeps from the poles
const short = (x) => Number(x.toPrecision(5));

export class Rig {
  constructor(canvas, up, onChange) {
    this.canvas = canvas;
    this.axes = basis(up);
    this.perspective = new THREE.PerspectiveCamera(FOV, 1, 0.01, 100);
    this.parallel = new THREE.OrthographicCamera(-1, 1, 1, -1, -100, 100);
    for (const c of [this.perspective, this.parallel]) c.up.set(...up);
    this.camera = this.perspective;
    this.aspect = 1;
    this.height = 1;
    this.onChange = onChange;
    this.#control();
  }

  #control() {
    const target = this.controls?.target.clone();
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.canvas);
    if (target) this.controls.target.copy(target);
    this.controls.enableDamping = !globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomSpeed = 1.2;
    this.controls.addEventListener('change', this.onChange);
  }

  // Called before each frame; true while damping moves the camera.
  update() {
    const moves = this.controls.update();
    const d = this.distance;
    this.perspective.near = Math.max(d * 0.01, 1e-9);
    this.perspective.far = d * 3 + 60;
    this.camera.updateProjectionMatrix();
    return moves;
  }

  get distance() {
    const { position } = this.camera;
    return this.camera === this.parallel ? this.#fromZoom(this.parallel.zoom) : position.distanceTo(this.controls.target);
  }

  // The distance at which the perspective camera sees as much at the target as a parallel one with this zoom.
  #fromZoom(zoom) {
    return 1 / (zoom * Math.tan((FOV * Math.PI) / 360));
  }

  resize(width, height) {
    this.aspect = width / Math.max(1, height);
    this.height = height;
    this.perspective.aspect = this.aspect;
    Object.assign(this.parallel, { left: -this.aspect, right: this.aspect, top: 1, bottom: -1 });
    this.camera.updateProjectionMatrix();
  }

  // Size of a pixel (CSS) at a place of the picture.
  pixelAt(x, y, z) {
    if (this.camera === this.parallel) return 2 / (this.parallel.zoom * this.height);
    const e = this.camera.matrixWorldInverse.elements;
    const depth = -(e[2] * x + e[6] * y + e[10] * z + e[14]);
    return (2 * Math.max(depth, 1e-9) * Math.tan((FOV * Math.PI) / 360)) / this.height;
  }

  // Where the camera is: azimuth, elevation, distance, target.
  look({ azimuth, elevation, distance = this.distance, target = this.controls.target.toArray() }) {
    const most = Math.PI / 2 - POLE;
    const d = directionOf(this.axes, azimuth, Math.max(-most, Math.min(most, elevation)));
    this.controls.target.set(...target);
    const far = this.camera === this.parallel ? 10 : distance;
    this.camera.position.set(...d.map((c, a) => target[a] + far * c));
    if (this.camera === this.parallel) this.parallel.zoom = this.#fromZoom(distance);
    this.camera.lookAt(this.controls.target);
    this.camera.updateMatrixWorld();
    this.controls.update();
    this.camera.updateMatrixWorld();
    this.onChange();
  }

  get angles() {
    return anglesOf(this.axes, this.camera.position.clone().sub(this.controls.target).toArray());
  }

  // From there, so far that all samples of an extent (fit.js) are in the picture.
  see(angles, { samples, centre, radius }) {
    const fov = (FOV * Math.PI) / 180;
    const distance = samples.length ? distanceToSee(samples, centre, radius, this.axes, angles, fov, this.aspect) : distanceFor(1, fov, this.aspect);
    this.look({ ...angles, distance: 1.06 * distance, target: [0, 0, 0] });
  }

  rotate(across, up) {
    const { azimuth, elevation } = this.angles;
    this.look({ azimuth: azimuth + across, elevation: elevation + up });
  }

  // factor > 1: closer
  zoom(factor) {
    this.look({ ...this.angles, distance: this.distance / factor });
  }

  // In shares of the height of the picture, to the right and up.
  pan(right, up) {
    const unit = 2 * this.distance * Math.tan((FOV * Math.PI) / 360);
    const m = this.camera.matrixWorld.elements;
    const target = [0, 1, 2].map((a) => this.controls.target.toArray()[a] + unit * (right * m[a] + up * m[4 + a]));
    this.look({ ...this.angles, target });
  }

  setParallel(on) {
    if (on === (this.camera === this.parallel)) return;
    const where = { ...this.angles, distance: this.distance };
    this.camera = on ? this.parallel : this.perspective;
    this.camera.updateProjectionMatrix();
    this.#control();
    this.look(where);
  }

  // As a short list: parallel, azimuth, elevation, distance, target.
  get() {
    const { azimuth, elevation } = this.angles;
    return [this.camera === this.parallel ? 1 : 0, azimuth, elevation, this.distance, ...this.controls.target.toArray()].map(short);
  }

  set(list) {
    if (list.length !== 7 || !list.every(Number.isFinite) || !(list[3] > 0)) return false;
    const [parallel, azimuth, elevation, distance, ...target] = list;
    this.setParallel(parallel === 1);
    this.look({ azimuth, elevation, distance, target });
    return true;
  }

  dispose() {
    this.controls.dispose();
  }
}
