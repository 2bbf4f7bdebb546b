// SPDX-License-Identifier: BSD-3-Clause
// The scene in space, by three.js (view.js says what a view has).
import * as THREE from 'three';
import { Actor, tensionMost } from './actor.js';
import { coloursOf } from './cast-colours.js';
import { standardView } from './fit.js';
import { Grid, roundStep } from './ground.js';
import { Legend } from './legend.js';
import { CornerPaint, Paint } from './paint.js';
import { Rig } from './rig.js';
import { Stage } from './stage.js';
import { areMembers } from '../run.js';
import { themeOf } from './theme.js';
import { usualSources } from './trace.js';
import { Trails } from './trails.js';
import { Vectors } from './vectors.js';

const STILL_AFTER = 250; // ms without a change until a finer picture is drawn
const SLOW = 36; // ms a frame, above which the picture becomes coarser while it moves

// Is WebGL computed by the processor? Multisampling costs too much there.
function isSoftware(document) {
  const probe = document.createElement('canvas').getContext('webgl2');
  const info = probe?.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(probe.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

// A WebGL 2 context of the canvas, or null.
export function webglContext(canvas) {
  try {
    const software = isSoftware(canvas.ownerDocument);
    const context = canvas.getContext('webgl2', { antialias: !software, alpha: false, powerPreference: 'high-performance' });
    if (context) canvas.dataset.software = software ? 'yes' : '';
    return context;
  } catch {
    return null;
  }
}

export class SolidView {
  constructor(host, canvas, context, runs, clock, options) {
    Object.assign(this, { host, canvas, clock, options, element: canvas, onCamera: null, scheduled: 0, timer: 0, lost: false });
    this.window = host.ownerDocument.defaultView;
    this.software = canvas.dataset.software === 'yes';
    this.coarse = 1; // ratio of pixels while moving, against the finest
    this.times = [];
    this.frames = 0;
    Object.assign(canvas.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', display: 'block', touchAction: 'none' });
    canvas.setAttribute('role', 'img');
    if (this.window.getComputedStyle(host).position === 'static') host.style.position = 'relative';
    host.append(canvas);
    this.legend = new Legend(host);
    this.#listen();
    this.#start(context, runs);
  }

  #start(context, runs) {
    this.stage = new Stage(runs);
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, context, antialias: !this.software, logarithmicDepthBuffer: this.stage.least < 2e-4 });
    this.scene = new THREE.Scene();
    this.paint = this.software ? new CornerPaint() : new Paint(this.scene);
    this.rig = new Rig(this.canvas, this.stage.up, () => this.#moved());
    this.#build();
    this.resize();
    this.rig.setParallel(this.options.parallel);
    this.setView('home');
  }

  #listen() {
    const { canvas, window } = this;
    this.ends = [
      this.clock.subscribe((_, what) => what === 'time' && this.requestDraw()),
      listen(canvas, 'webglcontextlost', (event) => {
        event.preventDefault();
        this.lost = true;
      }),
      listen(canvas, 'webglcontextrestored', () => {
        this.lost = false;
        this.requestDraw();
      }),
      listen(window.matchMedia('(prefers-color-scheme: dark)'), 'change', () => this.refresh()),
    ];
    this.observer = new window.ResizeObserver(() => this.resize());
    this.observer.observe(this.host);
  }

  // ---- What is there ------------------------------------------------------------------------------------

  #build() {
    const { stage } = this;
    this.theme = themeOf(this.host);
    const { palette, background, ink } = this.theme;
    this.renderer.setClearColor(new THREE.Color().setRGB(...background, THREE.SRGBColorSpace), 1);
    this.group = new THREE.Group();
    this.scene.add(this.group);
    const crowd = areMembers(stage.runs.map((r) => r.run)) ? stage.runs.length : 0; // each has the colour of its run, and all look alike
    const tensions = crowd ? [] : stage.runs.flatMap(({ scene, column }) => scene.parts.filter((p) => p.link >= 0).map((p) => column(`tension${p.link + 1}`)));
    const most = (this.tensionMost = tensions.some(Boolean) ? tensionMost(tensions.filter(Boolean)) : 0);
    this.cast = stage.runs.map((r, k) => {
      const colour = palette.runs[k % palette.runs.length];
      const ghost = k > 0 && !crowd;
      const sources = usualSources(r.scene);
      const colours = coloursOf(r.scene, sources, { palette, colour, ink, alone: stage.runs.length === 1 });
      const clear = new Set(this.options.trails === 'none' ? [] : sources.filter((s) => s.frame >= 0 && r.scene.factors[s.frame].kind === 'SO3').map((s) => s.frame));
      const actor = new Actor({ places: r.places, column: r.column, colour, colours, palette, ghost, crowd, first: !k, most: most || 1, unit: stage.to, axes: this.rig.axes, clear, background, paint: this.paint });
      if (ghost && !this.options.ghost) actor.group.visible = false;
      const trails = new Trails(r.scene, r.column, r.run.n, r.run.time, { points: this.options.trails, colours: colours.trails, opacity: 0.85, width: 2 });
      const member = { ...r, r, actor, trails, colour, signs: colours.signs, vectors: [] };
      for (const [kind, tint] of [['omega', palette.omega], ['momentum', palette.momentum]])
        if (this.options[kind]) {
          const v = new Vectors(r.scene, r.column, kind, tint, this.paint, ghost ? 0.5 : 1);
          member.vectors.push(v);
          this.group.add(v.object);
        }
      this.group.add(actor.group, trails.mesh);
      return member;
    });
    this.#ground();
    this.#legend();
  }

  // A faint grid below everything, where the scene has no plane or globe.
  #ground() {
    const { stage } = this;
    this.grid = null;
    const kinds = new Set(stage.runs.flatMap(({ scene }) => scene.parts.map((p) => p.kind)));
    if (!this.options.grid || !stage.runs.length || kinds.has('plane') || kinds.has('globe') || stage.extent.flat >= 0 || !stage.hasSpace) return;
    const { right, front, up } = this.rig.axes;
    const cell = roundStep(stage.extent.radius / 6) / stage.extent.radius;
    this.grid = new Grid(this.theme.palette.grid, { half: 2.6, cell, faded: true });
    this.gridFrame = [right[0], -front[0], up[0], right[1], -front[1], up[1], right[2], -front[2], up[2]];
    this.group.add(this.grid.mesh);
  }

  #groundAt() {
    if (!this.grid) return;
    const { to, extent, up } = this.stage;
    const d = extent.centre.map((c, a) => (c - to.origin[a]) * to.scale - 1.02 * up[a]);
    this.grid.stand(this.gridFrame, ...d);
  }

  #legend() {
    const vectors = [];
    const first = this.cast[0];
    for (const v of first?.vectors ?? []) for (const text of v.arrows.words) vectors.push([v.colour, text]);
    for (const sign of first?.signs ?? []) vectors.push(sign);
    const items = {
      runs: this.cast.map((c) => [c.colour, c.run.label]),
      tension: this.tensionMost,
      directions: this.cast.some((c) => c.actor.directions.length),
      vectors,
    };
    this.legend.element.hidden = !this.options.legend;
    this.legend.show(items, this.theme.palette, this.theme.ink);
  }

  #strike() {
    this.scene.remove(this.group);
    for (const c of this.cast) {
      c.actor.dispose();
      c.trails.dispose();
      for (const v of c.vectors) v.dispose();
    }
    this.grid?.dispose();
  }

  setRuns(runs) {
    const up = this.stage.up.join();
    const deep = this.stage.least < 2e-4;
    this.#strike();
    this.stage = new Stage(runs);
    if (this.stage.least < 2e-4 && !deep) this.renderer.capabilities.logarithmicDepthBuffer = true;
    if (this.stage.up.join() !== up) {
      this.rig.dispose();
      this.rig = new Rig(this.canvas, this.stage.up, () => this.#moved());
    }
    this.#build();
    this.resize();
    this.rig.setParallel(this.options.parallel);
    this.setView('home');
  }

  setOptions(changes) {
    const before = this.options;
    this.options = { ...before, ...changes };
    if (this.options.parallel !== before.parallel) this.rig.setParallel(this.options.parallel);
    if (this.options.follow !== before.follow) this.#see(this.rig.angles);
    const built = ['trails', 'omega', 'momentum', 'grid', 'legend', 'ghost'];
    if (built.some((key) => this.options[key] !== before[key]) || themeOf(this.host).key !== this.theme.key) this.refresh();
    this.requestDraw();
  }

  // Everything again, with the colours of the page as they are now.
  refresh() {
    this.#strike();
    this.#build();
    this.resize();
  }

  get has() {
    return this.stage.has;
  }

  get words() {
    return this.stage.words;
  }

  description() {
    return this.stage.description(this.clock.time);
  }

  // ---- Camera -------------------------------------------------------------------------------------------

  #moved() {
    this.requestDraw();
    this.onCamera?.();
  }

  setView(name) {
    this.#see(standardView(this.rig.axes, name, this.stage.extent.flat));
  }

  // All of the motion, or, of what is followed, as much as it takes at one time.
  #see(angles) {
    const { extent } = this.stage;
    this.rig.see(angles, this.options.follow === -1 || !this.stage.has.points ? extent : { ...extent, samples: [[...extent.centre, extent.local]] });
  }

  rotate(across, up) {
    this.rig.rotate(across, up);
  }

  zoom(factor) {
    this.rig.zoom(factor);
  }

  pan(right, up) {
    this.rig.pan(right, up);
  }

  getCamera() {
    return this.rig.get();
  }

  setCamera(numbers) {
    const set = this.rig.set(numbers);
    if (set) this.options = { ...this.options, parallel: numbers[0] === 1 };
    return set;
  }

  // ---- Frames -------------------------------------------------------------------------------------------

  resize() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    this.size = [width, height];
    this.rig.resize(width, height);
    this.#ratio(this.#finest());
    this.draw();
  }

  // Pixels of the canvas in a pixel of the page: where there is no multisampling, more of them make smooth edges.
  #finest() {
    const ratio = this.window.devicePixelRatio || 1;
    return this.software ? Math.min(2, Math.max(ratio, 2)) : Math.min(2, ratio);
  }

  #moving() {
    const ratio = Math.min(2, this.window.devicePixelRatio || 1);
    return Math.max(0.75, Math.min(ratio, this.software ? 1 : 2) * this.coarse);
  }

  #ratio(ratio) {
    if (this.renderer.getPixelRatio() === ratio && this.canvas.width === Math.floor(this.size[0] * ratio) && this.canvas.height === Math.floor(this.size[1] * ratio)) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(...this.size, false);
  }

  requestDraw() {
    if (this.scheduled || this.lost) return;
    this.scheduled = this.window.requestAnimationFrame((now) => {
      this.scheduled = 0;
      this.#frame(now);
    });
  }

  // One of several frames: coarser if need be, and a fine one when they end.
  #frame(now) {
    if (!this.size || this.lost) return;
    const since = this.last ? now - this.last : 0;
    this.last = now;
    if (since > 0 && since < 200) {
      this.times.push(since);
      if (this.times.length > 60) this.times.shift();
      this.#adapt();
    }
    this.#ratio(this.#moving());
    if (this.rig.update()) this.requestDraw();
    this.#render();
    this.window.clearTimeout(this.timer);
    this.timer = this.window.setTimeout(() => this.draw(), STILL_AFTER);
  }

  #adapt() {
    if (this.times.length < 20) return;
    const mean = this.times.reduce((a, b) => a + b, 0) / this.times.length;
    if (mean > SLOW && this.coarse > 0.75) {
      this.coarse = Math.max(0.75, this.coarse * 0.85);
      this.times.length = 0;
    }
  }

  draw() {
    if (!this.size || this.lost) return;
    this.#ratio(this.#finest());
    this.rig.update();
    this.#render();
  }

  #render() {
    const { stage, rig, clock, options } = this;
    stage.at(clock.time, options.follow);
    rig.camera.updateMatrixWorld();
    this.#light();
    const pixel = (this.pixel ??= (x, y, z) => this.rig.pixelAt(x, y, z));
    const seconds = stage.trailSeconds(options);
    for (const c of this.cast) {
      const { row } = c.r;
      c.actor.update(stage.to, pixel);
      c.trails.update(c.places, row, clock.time, seconds, stage.to);
      c.trails.resize(...this.size);
      for (const v of c.vectors) v.update(c.places, stage.extent.local, stage.to);
    }
    this.#groundAt();
    this.renderer.render(this.scene, rig.camera);
    this.frames++;
  }

  // From behind the shoulder of who looks, and from above.
  #light() {
    const m = this.rig.camera.matrixWorld.elements;
    const { up } = this.stage;
    this.paint.light(this.rig.camera, [0, 1, 2].map((a) => m[8 + a] - 0.45 * m[a] + 0.35 * up[a]), up);
  }

  async snapshot() {
    this.draw();
    return new Promise((resolve, reject) => this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no picture'))), 'image/png'));
  }

  stats() {
    const mean = this.times.length ? this.times.reduce((a, b) => a + b, 0) / this.times.length : 0;
    const { triangles, calls } = this.renderer.info.render;
    return { frames: this.frames, milliseconds: mean, fps: mean ? 1000 / mean : 0, triangles, calls, software: this.software, ratio: this.renderer.getPixelRatio() };
  }

  dispose() {
    this.window.clearTimeout(this.timer);
    this.window.cancelAnimationFrame(this.scheduled);
    for (const end of this.ends) end();
    this.observer.disconnect();
    this.#strike();
    this.rig.dispose();
    this.renderer.dispose();
    this.canvas.remove();
    this.legend.element.remove();
  }
}

function listen(target, type, listener) {
  target.addEventListener(type, listener);
  return () => target.removeEventListener(type, listener);
}
