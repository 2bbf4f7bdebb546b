// SPDX-License-Identifier: BSD-3-Clause
// The scene where the browser has no WebGL: lines, discs and outlines on a canvas, in parallel projection. It has what view.js says.
import { Arrows } from './arrows.js';
import { axisLength } from './axis-length.js';
import { diverging, mixed, tensionMost, toCss } from './colours.js';
import { basis, directionOf, standardView } from './fit.js';
import { roundStep } from './ground.js';
import { convexHull, cornersOf, ellipsoidOutline } from './hull.js';
import { Legend } from './legend.js';
import { Stage } from './stage.js';
import { themeOf } from './theme.js';
import { Trace, usualSources } from './trace.js';
import { areMembers } from '../run.js';

const MOST_TRIANGLES = 600;
const verticesOf = ({ vertices }) => Array.from({ length: vertices.length / 3 }, (_, k) => [...vertices.subarray(3 * k, 3 * k + 3)]);
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
    this.legend = new Legend(host);
    this.end = clock.subscribe((_, what) => what === 'time' && this.requestDraw());
    this.observer = new this.window.ResizeObserver(() => this.requestDraw());
    this.observer.observe(host);
    this.#drag();
    this.setRuns(runs);
  }

  setRuns(runs) {
    this.stage = new Stage(runs);
    this.mostTension = undefined;
    this.crowd = areMembers(runs); // each has the colour of its run
    this.arrows = this.stage.runs.map(() => ({})); // of a kind, once it is asked for
    this.explained = '';
    this.axes = basis(this.stage.up);
    this.traces = this.stage.runs.map(({ scene, column, run }) => new Trace(scene, column, run.n, run.time, usualSources(scene)));
    this.setView('home');
  }

  // One pointer turns the picture, with the right button or Shift it moves it; two move it and zoom.
  #drag() {
    const { canvas } = this;
    const held = new Map();
    const middle = () => {
      const all = [...held.values()];
      const at = [0, 1].map((k) => all.reduce((sum, p) => sum + p[k] / all.length, 0));
      return { at, apart: all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0 };
    };
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!held.has(event.pointerId)) return;
      const before = middle();
      held.set(event.pointerId, [event.clientX, event.clientY]);
      const now = middle();
      const [x, y] = [now.at[0] - before.at[0], now.at[1] - before.at[1]];
      if (held.size === 1 && !(event.buttons & 2) && !event.shiftKey) return void this.rotate(-0.008 * x, 0.008 * y);
      this.pan(-x / this.host.clientHeight, y / this.host.clientHeight);
      if (before.apart > 10 && now.apart > 10) this.zoom(now.apart / before.apart);
    });
    for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, (event) => held.delete(event.pointerId));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1);
    }, { passive: false });
  }

  get words() {
    return [...this.stage.words, 'This browser has no WebGL: the scene is drawn in outlines.'];
  }

  get has() {
    return { ...this.stage.has, parallel: false };
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
    if (name === 'home') Object.assign(this.look, { scale: this.#fitting(), shift: [0, 0] });
    this.#moved();
  }

  // The largest scale at which all of the motion is in the picture.
  #fitting() {
    const { samples, centre, radius } = this.stage.extent;
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!samples.length || !width || !height || this.options.follow !== -1) return 1;
    const { right, up } = this.#frame();
    let most = 0;
    for (const s of samples) {
      const x = [0, 1, 2].map((a) => (s[a] - centre[a]) / radius);
      const r = s[3] / radius;
      const [across, high] = [right, up].map((e) => Math.abs(x[0] * e[0] + x[1] * e[1] + x[2] * e[2]) + r);
      most = Math.max(most, (across * Math.min(width, height)) / width, (high * Math.min(width, height)) / height);
    }
    return most > 0 ? Math.min(1 / most, 1e3) : 1;
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
    this.#ground(c, theme);
    this.stage.runs.forEach((r, k) => this.#run(c, r, this.traces[k], theme.palette.runs[k % theme.palette.runs.length], theme));
    this.stage.runs.forEach((_, k) => this.#vectors(c, k, theme));
    this.#explain(theme);
    this.frames++;
  }

  // Directions to the right and up in the picture, and towards who looks.
  #frame() {
    const d = directionOf(this.axes, this.look.azimuth, this.look.elevation);
    const side = cross(this.axes.up, d);
    const n = Math.hypot(...side);
    const right = n > 1e-9 ? side.map((s) => s / n) : this.axes.right;
    return { d, right, up: cross(d, right) };
  }

  // this.flat(x, y, z): the pixel of a place of space; this.k: pixels in a unit of length.
  #project(width, height) {
    const { right, up, d } = this.#frame();
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
      if (!places.canDraw(p)) return [0, -1];
      places.place(p.a, x, 0);
      return [x[0] * this.back[0] + x[1] * this.back[1] + x[2] * this.back[2], i];
    });
    depth.sort((a, b) => a[0] - b[0]);
    for (const [, i] of depth) if (i >= 0) this.#part(c, r, scene.parts[i], colour, theme);
  }

  #trail(c, r, trace) {
    const { options, clock } = this;
    const seconds = this.stage.trailSeconds(options);
    if (seconds === 0) return;
    const n = trace.choose(r.row, clock.time, seconds, 1200);
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

  #part(c, r, part, colour, theme) {
    const { places } = r;
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    places.place(part.a, a, 0);
    c.strokeStyle = c.fillStyle = toCss(colour);
    c.lineWidth = 1.5;
    if (part.kind === 'ball') this.#disc(c, a, Math.max(2, part.size[0] ? part.size[0] * this.k : 4), colour, theme);
    else if (part.kind === 'globe') this.#globe(c, a, part.size[0] * this.k, theme);
    else if (part.kind === 'line') {
      places.place(part.b, b, 0);
      c.strokeStyle = toCss(this.crowd ? mixed(theme.palette.rod, colour, 0.6) : this.#tint(r, part, theme));
      c.lineWidth = Math.max(1.5, 2 * part.size[0] * this.k);
      this.#line(c, a, b);
    } else if (part.kind === 'arrow') {
      places.place(part.b, b, 0);
      this.#arrow(c, a, b);
    } else if (part.kind === 'tube') {
      c.lineWidth = Math.max(1.5, 2 * part.size[0] * this.k);
      c.beginPath();
      for (let k = part.a.point; k <= part.b.point; k++) c.lineTo(...this.flat(places.points.subarray(3 * k, 3 * k + 3)));
      c.stroke();
    } else if (part.kind === 'axes') this.#axes(c, r, part, a, theme);
    else if (part.kind === 'mark') this.#mark(c, a, theme);
    else if (part.kind !== 'plane') this.#solid(c, places, part, a, theme, colour);
  }

  // Of a line with a tension that of the row, else that of rods.
  #tint(r, part, theme) {
    const tension = part.link >= 0 ? r.column(`tension${part.link + 1}`) : null;
    if (!tension) return theme.palette.rod;
    this.mostTension ??= tensionMost(this.stage.runs.flatMap(({ scene, column }) => scene.parts.filter((p) => p.link >= 0).map((p) => column(`tension${p.link + 1}`)).filter(Boolean)));
    const tint = [0, 0, 0];
    diverging(tension[Math.round(r.row)] / this.mostTension, theme.palette.middle, tint, 0);
    return tint;
  }

  #line(c, a, b) {
    c.beginPath();
    c.moveTo(...this.flat(a));
    c.lineTo(...this.flat(b));
    c.stroke();
  }

  #disc(c, a, radius, colour, theme) {
    c.beginPath();
    c.arc(...this.flat(a), radius, 0, 2 * Math.PI);
    c.fill();
    c.lineWidth = 1;
    c.strokeStyle = toCss(mixed(colour, theme.background, 0.5));
    c.stroke();
  }

  // A place that is held.
  #mark(c, a, theme) {
    const [x, y] = this.flat(a);
    c.fillStyle = toCss(mixed(theme.palette.rod, theme.ink, 0.4));
    c.fillRect(x - 4.5, y - 4.5, 9, 9);
  }

  #globe(c, a, radius, theme) {
    c.beginPath();
    c.arc(...this.flat(a), radius, 0, 2 * Math.PI);
    c.globalAlpha = 0.15;
    c.fillStyle = toCss(theme.palette.globe);
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = toCss(theme.palette.grid);
    c.stroke();
  }

  // The kinds of vectors that are shown.
  get #kinds() {
    return ['omega', 'momentum'].filter((kind) => this.options[kind]);
  }

  #arrowsOf(k, kind) {
    const { scene, column } = this.stage.runs[k];
    return (this.arrows[k][kind] ??= new Arrows(scene, column, kind));
  }

  // Vectors of the k-th run, over everything: they have no depth.
  #vectors(c, k, theme) {
    const { extent, to, runs } = this.stage;
    c.lineWidth = 2.5;
    c.globalAlpha = k ? 0.5 : 1;
    for (const kind of this.#kinds) {
      const arrows = this.#arrowsOf(k, kind);
      c.strokeStyle = c.fillStyle = toCss(theme.palette[kind]);
      arrows.update(runs[k].places, extent.local, to.scale);
      for (let i = 0; i < arrows.n; i++) {
        const from = arrows.from.subarray(3 * i, 3 * i + 3);
        const end = [0, 1, 2].map((a) => from[a] + arrows.along[3 * i + a] / to.scale);
        if (end.every(Number.isFinite)) this.#arrow(c, from, end);
      }
    }
    c.globalAlpha = 1;
  }

  // The legend, where it changes.
  #explain(theme) {
    const { runs } = this.stage;
    const items = {
      runs: runs.map((r, k) => [theme.palette.runs[k % theme.palette.runs.length], r.run.label]),
      tension: this.mostTension ?? 0,
      directions: false,
      vectors: runs.length ? this.#kinds.flatMap((kind) => this.#arrowsOf(0, kind).words.map((text) => [theme.palette[kind], text])) : [],
    };
    this.legend.element.hidden = !this.options.legend;
    const key = JSON.stringify([items, theme.ink]);
    if (key === this.explained) return;
    this.explained = key;
    this.legend.show(items, theme.palette, theme.ink);
  }

  // From a to b in the colour that is set, with a head as far as there is room for one.
  #arrow(c, a, b) {
    const [from, to] = [this.flat(a), this.flat(b)];
    const [x, y] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(x, y);
    const head = Math.min(9, 0.6 * length);
    const [u, v] = length > 0 ? [x / length, y / length] : [1, 0];
    c.beginPath();
    c.moveTo(...from);
    c.lineTo(to[0] - 0.7 * head * u, to[1] - 0.7 * head * v);
    c.stroke();
    c.beginPath();
    c.moveTo(...to);
    for (const side of [-0.4, 0.4]) c.lineTo(to[0] - head * (u + side * v), to[1] - head * (v - side * u));
    c.fill();
  }

  #axes(c, { places, scene }, part, a, theme) {
    const G = new Float64Array(9);
    places.stand(part, G);
    for (let k = 0; k < 3; k++) {
      const length = axisLength(scene, part, k) || 30 / this.k;
      c.strokeStyle = c.fillStyle = toCss(theme.palette.axes[k]);
      this.#arrow(c, a, [0, 1, 2].map((r) => a[r] + length * G[3 * r + k]));
    }
  }

  // Grids of planes, and one below everything where the scene has no plane or globe, as in space.
  #ground(c, theme) {
    const first = this.stage.runs[0];
    const { centre, radius, flat } = this.stage.extent;
    if (!first || !this.options.grid) return;
    const kinds = new Set(this.stage.runs.flatMap(({ scene }) => scene.parts.map((p) => p.kind)));
    const { right, front, up } = this.axes;
    c.strokeStyle = toCss(theme.palette.grid);
    if (!kinds.has('plane') && !kinds.has('globe') && flat < 0 && this.stage.hasSpace) this.#grid(c, centre.map((x, a) => x - 1.02 * radius * up[a]), right, front, 2 * radius);
    for (const part of first.scene.parts.filter((p) => p.kind === 'plane' && first.places.canDraw(p))) {
      const [a, G] = [new Float64Array(3), new Float64Array(9)];
      first.places.place(part.a, a, 0);
      first.places.stand(part, G);
      this.#grid(c, a, [G[0], G[3], G[6]], [G[1], G[4], G[7]], part.size[0] || 2 * radius, part.size[0] ? a : centre);
    }
  }

  // Lines through a at multiples of a round length along u and v, up to `half` from the place next to `about`; they fade away.
  #grid(c, a, u, v, half, about = a) {
    const cell = roundStep(half / 12);
    const along = (e) => cell * Math.round([0, 1, 2].reduce((sum, k) => sum + (about[k] - a[k]) * e[k], 0) / cell);
    const [p, q] = [along(u), along(v)];
    const at = (x, y) => [0, 1, 2].map((k) => a[k] + (p + x) * u[k] + (q + y) * v[k]);
    const n = Math.min(24, Math.floor(half / cell));
    c.lineWidth = 0.6;
    for (let i = -n; i <= n; i++) {
      c.globalAlpha = 0.3 * (1 - (Math.abs(i) / (n + 1)) ** 2);
      this.#line(c, at(i * cell, -n * cell), at(i * cell, n * cell));
      this.#line(c, at(-n * cell, i * cell), at(n * cell, i * cell));
    }
    c.globalAlpha = 1;
  }

  // Edges of a surface, as far as they are few.
  #edges(c, { triangles }, ends) {
    if (triangles.length > 3 * MOST_TRIANGLES) return;
    c.globalAlpha = 0.3;
    for (let i = 0; i < triangles.length; i++) {
      const [a, b] = [triangles[i], triangles[i % 3 === 2 ? i - 2 : i + 1]];
      if (a < b) this.#line(c, ends[a], ends[b]);
    }
  }

  // A body: its outline filled, and what of its edges and rings can be seen through it.
  #solid(c, places, part, a, theme, colour) {
    const G = new Float64Array(9);
    places.stand(part, G);
    const least = 2 / this.k; // half-axes that can be seen
    const s = part.size.map((size) => Math.max(size, least));
    const at = (v) => [0, 1, 2].map((r) => a[r] + G[3 * r] * v[0] + G[3 * r + 1] * v[1] + G[3 * r + 2] * v[2]);
    const corners = part.kind === 'mesh' ? verticesOf(part) : cornersOf(part.kind, s);
    const outline = part.kind === 'ellipsoid' ? this.#ellipsoid(s, at) : convexHull(corners.map((v) => this.flat(at(v))));
    c.beginPath();
    for (const p of outline) c.lineTo(...p);
    c.closePath();
    c.fillStyle = toCss(mixed(theme.background, mixed(theme.palette.body, colour, 0.5), 0.65));
    c.globalAlpha = 0.8;
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = toCss(mixed(theme.palette.body, colour, 0.75));
    c.stroke();
    c.lineWidth = 0.8;
    c.globalAlpha = 0.7;
    if (part.kind === 'box') {
      const ends = corners.map(at);
      for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4]) if (!(k & bit)) this.#line(c, ends[k], ends[k | bit]);
    } else if (part.kind === 'mesh') this.#edges(c, part, corners.map(at));
    else this.#rings(c, part, s, at);
    c.globalAlpha = 1;
  }

  #ellipsoid(s, at) {
    const [x, y] = this.flat(at([0, 0, 0]));
    const half = s.map((size, k) => {
      const p = this.flat(at([0, 1, 2].map((r) => (r === k ? size : 0))));
      return [p[0] - x, p[1] - y];
    });
    return ellipsoidOutline(half).map(([u, v]) => [x + u, y + v]);
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
    for (const [p, q] of [[1, 0], [0, 1]]) this.#line(c, at([p * s[0], q * s[1], s[2]]), at([-p * s[0], -q * s[1], s[2]])); // its turns are seen
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
    this.legend.element.remove();
  }
}

