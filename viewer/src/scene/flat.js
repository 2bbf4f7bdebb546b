// SPDX-License-Identifier: BSD-3-Clause
// The scene where the browser has no WebGL: lines, discs and outlines on a canvas, in parallel projection. It has what view.js says, but
// for vectors.
import { mixed, toCss } from './colours.js';
import { basis, directionOf, standardView } from './fit.js';
import { Stage } from './stage.js';
import { themeOf } from './theme.js';
import { Trace, usualSources } from './trace.js';

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export class FlatView {
  constructor(host, runs, clock, options) {
    Object.assign(this, { host, clock, options, onCamera: null, scheduled: 0, frames: 0 });
    this.window = host.ownerDocument.defaultView;
    this.canvas = this.element = host.ownerDocument.createElement('canvas');
    Object.assign(this.canvas.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', touchAction: 'none' });
    this.canvas.setAttribute('role', 'img');
    if (this.window.getComputedStyle(host).position === 'static') host.style.position = 'relative';
    host.append(this.canvas);
    this.end = clock.subscribe((_, what) => what === 'time' && this.requestDraw());
    this.observer = new this.window.ResizeObserver(() => this.requestDraw());
    this.observer.observe(host);
    this.#drag();
    this.setRuns(runs);
  }

  setRuns(runs) {
    this.stage = new Stage(runs);
    this.axes = basis(this.stage.up);
    this.traces = this.stage.runs.map(({ scene, column, run }) => new Trace(scene, column, run.n, run.time, usualSources(scene)));
    this.setView('home');
  }

  #drag() {
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) this.rotate(-0.008 * event.movementX, 0.008 * event.movementY);
    });
    this.canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1);
    }, { passive: false });
  }

  get words() {
    return [...this.stage.words, 'This browser has no WebGL: the scene is drawn in lines, without surfaces.'];
  }

  get has() {
    return { ...this.stage.has, omega: false, momentum: false };
  }

  description() {
    return this.stage.description(this.clock.time);
  }

  setOptions(changes) {
    this.options = { ...this.options, ...changes };
    this.requestDraw();
  }

  refresh() {
    this.requestDraw();
  }

  setView(name) {
    this.look = { scale: 1, shift: [0, 0], ...this.look, ...standardView(this.axes, name, this.stage.extent.flat) };
    if (name === 'home') Object.assign(this.look, { scale: 1, shift: [0, 0] });
    this.#moved();
  }

  #moved() {
    this.requestDraw();
    this.onCamera?.();
  }

  rotate(across, up) {
    this.look.azimuth += across;
    this.look.elevation = Math.max(-1.57, Math.min(1.57, this.look.elevation + up));
    this.#moved();
  }

  zoom(factor) {
    this.look.scale = Math.max(1e-3, Math.min(1e6, this.look.scale * factor));
    this.#moved();
  }

  pan(right, up) {
    this.look.shift = [this.look.shift[0] - right, this.look.shift[1] - up];
    this.#moved();
  }

  getCamera() {
    const { azimuth, elevation, scale, shift } = this.look;
    return [1, azimuth, elevation, 3 / scale, ...shift, 0].map((x) => Number(x.toPrecision(5)));
  }

  setCamera(numbers) {
    if (numbers.length !== 7 || !numbers.every(Number.isFinite) || !(numbers[3] > 0)) return false;
    this.look = { azimuth: numbers[1], elevation: numbers[2], scale: 3 / numbers[3], shift: [numbers[4], numbers[5]] };
    this.#moved();
    return true;
  }

  requestDraw() {
    if (this.scheduled) return;
    this.scheduled = this.window.requestAnimationFrame(() => {
      this.scheduled = 0;
      this.draw();
    });
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    const ratio = Math.min(2, this.window.devicePixelRatio || 1);
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const c = this.canvas.getContext('2d');
    const theme = themeOf(this.host);
    c.fillStyle = toCss(theme.background);
    c.fillRect(0, 0, this.canvas.width, this.canvas.height);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.stage.at(this.clock.time, this.options.follow);
    this.#project(width, height);
    this.stage.runs.forEach((r, k) => this.#run(c, r, this.traces[k], theme.palette.runs[k % 4], theme));
    this.frames++;
  }

  // this.flat(x, y, z): the pixel of a place of space; this.k: pixels in a unit of length.
  #project(width, height) {
    const d = directionOf(this.axes, this.look.azimuth, this.look.elevation);
    const side = cross(this.axes.up, d);
    const n = Math.hypot(...side);
    const right = n > 1e-9 ? side.map((s) => s / n) : this.axes.right;
    const up = cross(d, right);
    const { origin, scale } = this.stage.to;
    const size = 0.47 * Math.min(width, height) * this.look.scale;
    this.k = size * scale;
    this.flat = (x) => {
      const v = [0, 1, 2].map((a) => (x[a] - origin[a]) * this.k);
      return [width / 2 + v[0] * right[0] + v[1] * right[1] + v[2] * right[2] + this.look.shift[0] * height, height / 2 - (v[0] * up[0] + v[1] * up[1] + v[2] * up[2]) - this.look.shift[1] * height];
    };
    this.back = d;
  }

  #run(c, r, trace, colour, theme) {
    const { places, scene } = r;
    c.strokeStyle = c.fillStyle = toCss(colour);
    this.#trail(c, r, trace);
    const x = new Float64Array(3);
    const depth = scene.parts.map((p, i) => {
      if (!places.isKnown(p.a) || !places.isKnown(p.b)) return [0, -1];
      places.place(p.a, x, 0);
      return [x[0] * this.back[0] + x[1] * this.back[1] + x[2] * this.back[2], i];
    });
    depth.sort((a, b) => a[0] - b[0]);
    for (const [, i] of depth) if (i >= 0) this.#part(c, places, scene.parts[i], colour, theme);
  }

  #trail(c, r, trace) {
    const { options, clock } = this;
    if (options.trails === 'none' || options.trailSeconds === 0) return;
    const [from, to] = r.run.span;
    const n = trace.choose(r.row, clock.time, options.trailSeconds ?? (to - from) / 10, 600);
    c.lineWidth = 1.2;
    c.globalAlpha = 0.5;
    trace.sources.forEach((_, k) => {
      c.beginPath();
      for (let i = 0; i < n; i++) {
        const at = trace.at(k, trace.rowList[i]);
        c.lineTo(...this.flat(trace.x.subarray(at, at + 3)));
      }
      c.stroke();
    });
    c.globalAlpha = 1;
  }

  #part(c, places, part, colour, theme) {
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    places.place(part.a, a, 0);
    const [x, y] = this.flat(a);
    const disc = (r, fill) => {
      c.beginPath();
      c.arc(x, y, r, 0, 2 * Math.PI);
      if (fill) c.fill();
      else c.stroke();
    };
    c.strokeStyle = toCss(part.kind === 'line' ? theme.palette.rod : colour);
    c.fillStyle = toCss(colour);
    c.lineWidth = 1.5;
    if (part.kind === 'ball') disc(Math.max(2, part.size[0] ? part.size[0] * this.k : 4), true);
    else if (part.kind === 'globe') {
      c.strokeStyle = toCss(theme.palette.grid);
      disc(part.size[0] * this.k, false);
    } else if (part.kind === 'line' || part.kind === 'arrow') {
      places.place(part.b, b, 0);
      c.lineWidth = Math.max(1.2, 2 * part.size[0] * this.k);
      this.#line(c, a, b);
      if (part.kind === 'arrow') {
        const [u, v] = this.flat(b);
        c.fillRect(u - 2.5, v - 2.5, 5, 5);
      }
    } else if (part.kind === 'tube') {
      c.lineWidth = Math.max(1.5, 2 * part.size[0] * this.k);
      c.beginPath();
      for (let k = part.a.point; k <= part.b.point; k++) c.lineTo(...this.flat(places.points.subarray(3 * k, 3 * k + 3)));
      c.stroke();
    } else if (part.kind !== 'plane') this.#solid(c, places, part, a, theme);
  }

  #line(c, a, b) {
    c.beginPath();
    c.moveTo(...this.flat(a));
    c.lineTo(...this.flat(b));
    c.stroke();
  }

  // A body by its outline: the corners of a box, three rings of the others, three axes.
  #solid(c, places, part, a, theme) {
    const F = new Float64Array(9);
    places.attitude(part.a.frame, F);
    const R = part.R;
    const G = F.map((_, k) => F[3 * Math.floor(k / 3)] * R[k % 3] + F[3 * Math.floor(k / 3) + 1] * R[3 + (k % 3)] + F[3 * Math.floor(k / 3) + 2] * R[6 + (k % 3)]);
    const s = part.size;
    const at = (v) => [0, 1, 2].map((r) => a[r] + G[3 * r] * v[0] + G[3 * r + 1] * v[1] + G[3 * r + 2] * v[2]);
    if (part.kind === 'axes') {
      for (let k = 0; k < 3; k++) {
        c.strokeStyle = toCss(theme.palette.axes[k]);
        this.#line(c, a, at([0, 1, 2].map((r) => (r === k ? s[0] : 0))));
      }
    } else if (part.kind === 'box') {
      const corner = (k) => at([k & 1 ? s[0] : -s[0], k & 2 ? s[1] : -s[1], k & 4 ? s[2] : -s[2]]);
      for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4]) if (!(k & bit)) this.#line(c, corner(k), corner(k | bit));
    } else {
      c.strokeStyle = toCss(mixed(theme.palette.body, theme.palette.runs[0], 0.6));
      this.#rings(c, part, s, at);
    }
  }

  #rings(c, part, s, at) {
    const ring = (of) => {
      c.beginPath();
      for (let k = 0; k <= 40; k++) c.lineTo(...this.flat(at(of(Math.cos((k * Math.PI) / 20), Math.sin((k * Math.PI) / 20)))));
      c.stroke();
    };
    if (part.kind === 'ellipsoid') {
      ring((p, q) => [p * s[0], q * s[1], 0]);
      ring((p, q) => [p * s[0], 0, q * s[2]]);
      ring((p, q) => [0, p * s[1], q * s[2]]);
      return;
    }
    ring((p, q) => [p * s[0], q * s[1], s[2]]);
    const low = part.kind === 'cone' ? 0 : 1;
    if (low) ring((p, q) => [p * s[0], q * s[1], -s[2]]);
    for (const [p, q] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) this.#line(c, at([p * s[0], q * s[1], s[2]]), at([low * p * s[0], low * q * s[1], -s[2]]));
  }

  async snapshot() {
    this.draw();
    return new Promise((resolve, reject) => this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no picture'))), 'image/png'));
  }

  stats() {
    return { frames: this.frames, milliseconds: 0, fps: 0, triangles: 0, calls: 0, software: true, ratio: 1 };
  }

  dispose() {
    this.window.cancelAnimationFrame(this.scheduled);
    this.end();
    this.observer.disconnect();
    this.canvas.remove();
  }
}

