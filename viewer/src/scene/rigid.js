// SPDX-License-Identifier: BSD-3-Clause
// A panel for one body: its angular momentum on the ellipsoid of its energy, in its principal axes (polhode), which can be turned, and its
// angular velocity in the plane across the momentum (herpolhode); for a direction (S^2, spins) the sphere with its trace. On canvases, for
// one run or several overlaid, at the clock's time.
import { isVisible, levels, lookFrom, outline, project, turned } from '../figures/ellipsoid.js';
import { Between, chartOf } from './between.js';
import { mixed, toCss } from './colours.js';
import { readScene } from './description.js';
import { across, bodyOf, halfAxes } from './polhode.js';
import { Places } from './places.js';
import { themeOf } from './theme.js';
import { subdivision } from './trace.js';

const MOST = 1200; // rows of a trace
const CORNERS = 3200; // of a trace
const LOOK = [0.75, -0.55, 0.55];

// A canvas with a caption in a grid that the panel fills.
function frame(host, caption, label) {
  const document = host.ownerDocument;
  const box = document.createElement('div');
  const canvas = document.createElement('canvas');
  const words = document.createElement('div');
  Object.assign(canvas.style, { width: '100%', maxWidth: '260px', margin: '0 auto', aspectRatio: '1', display: 'block', touchAction: 'pan-y' });
  Object.assign(words.style, { fontSize: '12px', lineHeight: '1.3', textAlign: 'center', opacity: '0.85' });
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', label);
  words.textContent = caption;
  box.append(canvas, words);
  return { box, canvas };
}

// A curve through the numbers of rows, for a trace: at some of many rows, or between few, and kept.
class Curve {
  // between: the curve (between.js); adjust(row, x): what is done to a point between rows, or null
  constructor(between, adjust = null) {
    const { rows, chart: { n } } = between;
    Object.assign(this, { between, adjust, rows, width: n });
    const some = Math.max(1, Math.floor(rows / (8 * MOST))); // one row, as long as that shows some turns
    const at = (r, x) => {
      x.fill(0);
      this.at(r, x);
    };
    this.every = some > 1 || rows < 3 ? some : 1 / subdivision(rows, [at], 8);
    this.kept = Math.floor((rows - 1) / this.every) + 1;
    this.x = new Float64Array(n * this.kept);
    this.known = new Uint8Array(this.kept);
    this.point = new Float64Array(n);
  }

  // x <- the point at a row, or between two.
  at(s, x) {
    const i = Math.min(Math.floor(s), this.rows - 1);
    if (s === i) return this.between.read(i, x);
    this.between.at(i, s - i, x, 0);
    this.adjust?.(s, x);
  }

  // The kept points up to a row: [first, how many].
  window(row) {
    const last = Math.min(Math.floor(row / this.every), this.kept - 1);
    const n = Math.min(CORNERS, Math.ceil(MOST / Math.min(this.every, 1)), last + 1);
    return [last - n + 1, n];
  }

  // A kept point; it is overwritten by the next call.
  get(k) {
    const { x, point, width } = this;
    if (!this.known[k]) {
      this.known[k] = 1;
      this.at(k * this.every, point);
      x.set(point, width * k);
    }
    for (let a = 0; a < width; a++) point[a] = x[width * k + a];
    return point;
  }
}

// The trace of a curve up to a row, with a dot at its end; show(point): x and y (y down) and whether it is in front.
function trace(c, curve, row, show, scale, { colour, theme, n, width, opacity }) {
  const [from, count] = curve.window(row);
  const end = new Float64Array(curve.width);
  curve.at(row, end);
  c.strokeStyle = toCss(colour);
  c.lineWidth = width;
  c.setLineDash(n ? [5, 3] : []);
  line(c, count + 1, (k) => show(k < count ? curve.get(from + k) : end), scale, ...opacity);
  c.setLineDash([]);
  dot(c, show(end), scale, colour, theme.background);
}

class Panel {
  // calm: ten times a second is enough while the clock runs
  constructor(host, clock, calm) {
    Object.assign(this, { host, clock, calm, pictures: [], scheduled: 0 });
    this.window = host.ownerDocument.defaultView;
    this.element = host.ownerDocument.createElement('div');
    Object.assign(this.element.style, { display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(120px, 1fr))', gap: '8px' });
    host.append(this.element);
    this.end = clock[calm ? 'subscribeReader' : 'subscribe']((_, what) => what === 'time' && this.requestDraw());
    this.observer = new this.window.ResizeObserver(() => this.requestDraw());
    this.observer.observe(this.element);
    this.dark = this.window.matchMedia('(prefers-color-scheme: dark)');
    this.onDark = () => this.requestDraw();
    this.dark.addEventListener('change', this.onDark);
  }

  add(caption, label, paint) {
    const { box, canvas } = frame(this.host, caption, label);
    this.element.append(box);
    this.pictures.push({ canvas, paint });
    return canvas;
  }

  // Drags turn a view: {to, right, up}.
  turnable(canvas, view) {
    canvas.style.cursor = 'grab';
    canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener('pointermove', (event) => {
      if (!(event.buttons & 1)) return;
      Object.assign(view, turned(view, 0.012 * event.movementX, 0.012 * event.movementY));
      this.requestDraw();
    });
  }

  requestDraw() {
    this.scheduled ||= this.window.requestAnimationFrame(() => {
      this.scheduled = 0;
      this.draw();
    });
  }

  draw() {
    const theme = themeOf(this.host);
    for (const { canvas, paint } of this.pictures) {
      const size = canvas.clientWidth;
      if (!size) continue;
      const ratio = this.window.devicePixelRatio || 1;
      const pixels = Math.round(size * ratio);
      if (canvas.width !== pixels) canvas.width = canvas.height = pixels;
      const c = canvas.getContext('2d', { willReadFrequently: this.calm }); // by the processor itself, not by WebGL that it computes
      c.setTransform(1, 0, 0, 1, 0, 0);
      c.clearRect(0, 0, pixels, pixels);
      c.setTransform(ratio, 0, 0, ratio, (ratio * size) / 2, (ratio * size) / 2);
      c.font = '11px system-ui, sans-serif';
      c.lineJoin = c.lineCap = 'round';
      paint(c, size / 2, theme);
    }
  }

  dispose() {
    this.end();
    this.window.cancelAnimationFrame(this.scheduled);
    this.observer.disconnect();
    this.dark.removeEventListener('change', this.onDark);
    this.element.remove();
  }
}

// A line through corners 0 ... n - 1, at(k): x and y (y down) and whether it is in front; these have the opacity `front`, others `back`.
function line(c, n, at, scale, front, back) {
  let mode = null;
  let [x, y] = [0, 0];
  for (let k = 0; k < n; k++) {
    const p = at(k);
    if (!Number.isFinite(p[0] + p[1])) {
      if (mode !== null) c.stroke();
      mode = null;
      continue;
    }
    if (mode !== p[2]) {
      if (mode !== null) c.stroke();
      c.beginPath();
      c.globalAlpha = p[2] ? front : back;
      if (mode !== null) c.moveTo(x, y);
      mode = p[2];
    }
    [x, y] = [p[0] * scale, p[1] * scale];
    c.lineTo(x, y);
  }
  if (mode !== null) c.stroke();
  c.globalAlpha = 1;
}

function dot(c, p, scale, colour, ink) {
  if (!Number.isFinite(p[0] + p[1])) return;
  c.beginPath();
  c.arc(p[0] * scale, p[1] * scale, 4, 0, 2 * Math.PI);
  c.globalAlpha = p[2] ? 1 : 0.5;
  c.fillStyle = toCss(colour);
  c.fill();
  c.lineWidth = 1;
  c.strokeStyle = toCss(ink);
  c.stroke();
  c.globalAlpha = 1;
}

// Three axes from the centre with names, as far as they are outside of what has these half-axes.
function axes(c, view, half, scale, names, theme) {
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  for (let k = 0; k < 3; k++) {
    const tip = [0, 1, 2].map((a) => (a === k ? half[k] : 0));
    const [x, y] = project(view, tip).map((v) => v * scale);
    const length = Math.hypot(x, y) || 1;
    const [u, v] = [x + (10 * x) / length, y + (10 * y) / length];
    c.globalAlpha = isVisible(view, half, tip) ? 1 : 0.45;
    c.strokeStyle = c.fillStyle = toCss(theme.palette.axes[k]);
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(u, v);
    c.stroke();
    c.globalAlpha = 1;
    c.fillText(names[k], u + (8 * x) / length, v + (8 * y) / length);
  }
}

// Colours of a body, where the light falls on it and at its rim: both such that traces and labels are seen on it.
export function shades({ background, palette, dark }) {
  return (dark ? [0.38, 0.15] : [0.2, 0.7]).map((share) => mixed(background, palette.body, share));
}

function solid(c, view, half, scale, theme) {
  const rim = outline(view, half);
  c.beginPath();
  for (const [x, y] of rim) c.lineTo(x * scale, y * scale);
  c.closePath();
  const reach = Math.max(...rim.map((p) => Math.hypot(...p))) * scale;
  const shade = c.createRadialGradient(-0.35 * reach, -0.4 * reach, 0.05 * reach, 0, 0, 1.1 * reach);
  shades(theme).forEach((colour, end) => shade.addColorStop(end, toCss(colour)));
  c.fillStyle = shade;
  c.fill();
  c.lineWidth = 1;
  c.strokeStyle = toCss(theme.palette.grid);
  c.stroke();
}

// ---- A body --------------------------------------------------------------------------------------------

function polhodePicture(panel, members) {
  const view = lookFrom(LOOK, [0, 0, 1]);
  const most = Math.max(...members.flatMap(({ body }) => halfAxes(body.moments, body.energy.reduce((a, b) => (b > a ? b : a), 0))));
  const free = members[0].body.free;
  const caption = free ? 'Polhode: angular momentum on the ellipsoid of energy, body axes' : 'Angular momentum in body axes, with the ellipsoid of its kinetic energy';
  const canvas = panel.add(caption, `${caption}. Axes 1, 2, 3 are the principal ones, of the least, middle and largest moment of inertia. Drag to turn.`, (c, size, theme) => {
    const scale = (0.74 * size) / (most || 1);
    const [first] = members;
    const half = halfAxes(first.body.moments, first.body.energy[Math.round(first.row)]);
    if (half.every((h) => h > 0 && Number.isFinite(h))) { // of a body at rest there is no ellipsoid
      solid(c, view, half, scale, theme);
      c.lineWidth = 0.8;
      c.strokeStyle = toCss(theme.palette.grid);
      for (const curve of levels(half, 4)) line(c, curve.length, (k) => [...project(view, curve[k]), isVisible(view, half, curve[k])], scale, 0.45, 0);
      axes(c, view, half, scale, ['1', '2', '3'], theme);
    }
    members.forEach((m, n) => tracePi(c, view, m, scale, theme.palette.runs[n % theme.palette.runs.length], n, theme));
  });
  panel.turnable(canvas, view);
}

// The momentum between rows; of a free body it moves as Pi x Omega, on the ellipsoid of its energy.
function momentumCurve({ Pi, moments, energy, rows, time, free }) {
  const read = (r, x) => {
    for (let a = 0; a < 3; a++) x[a] = Pi[3 * r + a];
  };
  const euler = (r, x, v) => {
    for (let a = 0; a < 3; a++) {
      const [b, c] = [(a + 1) % 3, (a + 2) % 3];
      v[a] = x[b] * x[c] * (1 / moments[c] - 1 / moments[b]);
    }
  };
  const toEllipsoid = (s, x) => {
    const sum = x.reduce((t, c, k) => t + (c * c) / (2 * moments[k]), 0);
    const by = sum > 0 ? Math.sqrt(energy[Math.round(s)] / sum) : 1;
    for (let k = 0; k < 3; k++) x[k] *= by;
  };
  return new Curve(new Between(chartOf('R', 3), rows, time, read, free ? euler : null), free ? toEllipsoid : null);
}

function tracePi(c, view, m, scale, colour, n, theme) {
  const { moments, energy } = m.body;
  const half = halfAxes(moments, energy[Math.round(m.row)]);
  m.curve ??= momentumCurve(m.body);
  trace(c, m.curve, m.row, (x) => [...project(view, x), isVisible(view, half, x)], scale, { colour, theme, n, width: n ? 1.4 : 1.8, opacity: [0.95, 0.25] });
}

function herpolhodePicture(panel, members) {
  const known = members.filter(({ body }) => body.omega);
  if (!known.length) return;
  const { normal, free } = known[0].body;
  for (const m of known) {
    const flat = (m.flat = across(m.body.omega, normal));
    m.level = new Curve(new Between(chartOf('R', 2), m.body.rows, m.body.time, (r, x) => {
      x[0] = flat[2 * r];
      x[1] = flat[2 * r + 1];
    }));
  }
  const most = Math.max(...known.map((m) => extent(m.flat)));
  const step = ringStep(most);
  const caption = `${free ? 'Herpolhode: angular velocity across the momentum' : 'Angular velocity in the level plane'}, rings ${Number(step.toPrecision(3))} rad/s apart`;
  panel.add(caption, `${caption}, as a curve in a plane.`, (c, size, theme) => {
    const scale = (0.8 * size) / (most || 1);
    rings(c, most, step, scale, theme);
    known.forEach((m, n) => trace(c, m.level, m.row, (x) => [x[0], -x[1], true], scale, { colour: theme.palette.runs[n % theme.palette.runs.length], theme, n, width: 1.4, opacity: [0.9, 0.9] }));
  });
}

const extent = (flat) => {
  let most = 0;
  for (let k = 0; k < flat.length; k += 2) most = Math.max(most, Math.hypot(flat[k], flat[k + 1]) || 0);
  return most;
};

// A round number of which two to five make `most`.
function ringStep(most) {
  const power = 10 ** Math.floor(Math.log10(most || 1));
  return most / power >= 5 ? 2 * power : most / power >= 2 ? power : power / 2;
}

function rings(c, most, step, scale, theme) {
  c.strokeStyle = toCss(theme.palette.grid);
  c.lineWidth = 0.7;
  c.globalAlpha = 0.5;
  for (let r = step; r <= 1.02 * most && step > 0; r += step) {
    c.beginPath();
    c.arc(0, 0, r * scale, 0, 2 * Math.PI);
    c.stroke();
  }
  c.globalAlpha = 1;
  c.beginPath();
  c.moveTo(-3, 0);
  c.lineTo(3, 0);
  c.moveTo(0, -3);
  c.lineTo(0, 3);
  c.stroke();
}

// ---- A direction ---------------------------------------------------------------------------------------

function spherePicture(panel, members, name) {
  const view = lookFrom(LOOK, members[0].up);
  const half = [1, 1, 1];
  const canvas = panel.add(`${name} on its sphere`, `${name} as a curve on the unit sphere. Drag to turn.`, (c, size, theme) => {
    const scale = 0.78 * size;
    solid(c, view, half, scale, theme);
    c.lineWidth = 0.7;
    c.strokeStyle = toCss(theme.palette.grid);
    for (let axis = 0; axis < 3; axis++) {
      const ring = (k) => {
        const x = [0, 0, 0];
        x[(axis + 1) % 3] = Math.cos((k * Math.PI) / 40);
        x[(axis + 2) % 3] = Math.sin((k * Math.PI) / 40);
        return [...project(view, x), isVisible(view, half, x)];
      };
      line(c, 81, ring, scale, 0.5, 0.12);
    }
    axes(c, view, half, scale, ['x', 'y', 'z'], theme);
    const show = (x) => [...project(view, x), isVisible(view, half, x)];
    members.forEach((m, n) => trace(c, m.curve, m.row, show, scale, { colour: theme.palette.runs[n % theme.palette.runs.length], theme, n, width: 1.6, opacity: [0.95, 0.25] }));
  });
  panel.turnable(canvas, view);
}

function directionOf(run, i) {
  const scene = readScene(run.scene);
  const f = scene?.factors[i];
  if (!run.n || (f?.kind !== 'S2' && f?.kind !== 'spin')) return null;
  const places = new Places(scene, (name) => run.column(name), run.n);
  return places.factors[i].columns ? { run, curve: new Curve(places.curve(places.factors[i])), up: scene.up, label: scene.turn ? `${f.label}, as seen from the frame that turns,` : f.label } : null;
}

// Numbers of the factors of a run that have a panel: the first bodies with a constant inertia, and the first directions.
export function panelFactors(run, most = 2) {
  const factors = readScene(run.scene)?.factors ?? [];
  const those = (test) => factors.map((f, i) => (test(f) ? i : -1)).filter((i) => i >= 0).slice(0, most);
  return [...those((f) => f.kind === 'SO3' && f.inertia), ...those((f) => f.kind === 'S2' || f.kind === 'spin')];
}

// The panel of factor i of the runs' scenes in an element, or null where there is nothing to show: an attitude without constant inertia
// or momentum, a factor of another kind. calm: see Panel. Returns {element, draw(), dispose()}.
export function createPolhodePanel(host, runs, i, clock, { calm = false } = {}) {
  const bodies = runs.map((run) => ({ run, body: bodyOf(run, i) })).filter((m) => m.body);
  const directions = bodies.length ? [] : runs.map((run) => directionOf(run, i)).filter(Boolean);
  const members = bodies.length ? bodies : directions;
  if (!members.length) return null;
  for (const m of members)
    Object.defineProperty(m, 'row', {
      get() {
        const at = m.run.indexAt(clock.time);
        return at.i + at.fraction;
      },
    });
  const panel = new Panel(host, clock, calm);
  if (bodies.length) {
    polhodePicture(panel, bodies);
    herpolhodePicture(panel, bodies);
  } else spherePicture(panel, directions, directions[0].label);
  panel.draw();
  return panel;
}
