// SPDX-License-Identifier: BSD-3-Clause
// A panel for one body: its angular momentum on the ellipsoid of its energy, in its principal axes (polhode), which can be turned, and its
// angular velocity in the plane across the momentum (herpolhode); for a direction (S^2, spins) the sphere with its trace. On canvases, for
// one run or several overlaid, at the clock's time.
import { isVisible, levels, lookFrom, outline, project, turned } from '../figures/ellipsoid.js';
import { mixed, toCss } from './colours.js';
import { readScene } from './description.js';
import { across, bodyOf, halfAxes } from './polhode.js';
import { themeOf } from './theme.js';

const MOST = 1200; // rows of a trace
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

// The last MOST of every `every`-th row up to a row: [first, n].
function window(row, every) {
  const n = Math.min(MOST, Math.floor(row / every) + 1);
  return [Math.floor(row / every) - n + 1, n];
}

// How many rows apart a trace takes points: one, as long as that shows some turns.
const spacing = (rows) => Math.max(1, Math.floor(rows / (8 * MOST)));

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
    const front = isVisible(view, half, tip);
    c.globalAlpha = front ? 1 : 0.35;
    c.strokeStyle = c.fillStyle = toCss(theme.palette.axes[k]);
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(u, v);
    c.stroke();
    c.fillText(names[k], u + (8 * x) / length, v + (8 * y) / length);
  }
  c.globalAlpha = 1;
}

function solid(c, view, half, scale, theme) {
  const rim = outline(view, half);
  c.beginPath();
  for (const [x, y] of rim) c.lineTo(x * scale, y * scale);
  c.closePath();
  const reach = Math.max(...rim.map((p) => Math.hypot(...p))) * scale;
  const shade = c.createRadialGradient(-0.35 * reach, -0.4 * reach, 0.05 * reach, 0, 0, 1.1 * reach);
  shade.addColorStop(0, toCss(mixed(theme.background, theme.palette.body, 0.25)));
  shade.addColorStop(1, toCss(mixed(theme.background, theme.palette.body, 0.85)));
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
    members.forEach((m, n) => tracePi(c, view, m, scale, theme.palette.runs[n % 4], n, theme));
  });
  panel.turnable(canvas, view);
}

function tracePi(c, view, m, scale, colour, n, theme) {
  const { Pi, moments, energy, rows } = m.body;
  const half = halfAxes(moments, energy[Math.round(m.row)]);
  const at = (r) => {
    const x = [Pi[3 * r], Pi[3 * r + 1], Pi[3 * r + 2]];
    return [...project(view, x), isVisible(view, half, x)];
  };
  const every = spacing(rows);
  const [from, count] = window(m.row, every);
  c.strokeStyle = toCss(colour);
  c.lineWidth = n ? 1.4 : 1.8;
  c.setLineDash(n ? [5, 3] : []);
  line(c, count, (k) => at((from + k) * every), scale, 0.95, 0.25);
  c.setLineDash([]);
  dot(c, at(Math.round(m.row)), scale, colour, theme.background);
}

function herpolhodePicture(panel, members) {
  const known = members.filter(({ body }) => body.omega);
  if (!known.length) return;
  const { normal, free } = known[0].body;
  for (const m of known) m.flat = across(m.body.omega, normal);
  const most = Math.max(...known.map((m) => extent(m.flat)));
  const step = ringStep(most);
  const caption = `${free ? 'Herpolhode: angular velocity across the momentum' : 'Angular velocity in the level plane'}, rings ${Number(step.toPrecision(3))} rad/s apart`;
  panel.add(caption, `${caption}, as a curve in a plane.`, (c, size, theme) => {
    const scale = (0.8 * size) / (most || 1);
    rings(c, most, step, scale, theme);
    known.forEach((m, n) => {
      const at = (r) => [m.flat[2 * r], -m.flat[2 * r + 1], true];
      const every = spacing(m.body.rows);
      const [from, count] = window(m.row, every);
      c.strokeStyle = toCss(theme.palette.runs[n % 4]);
      c.lineWidth = 1.4;
      c.setLineDash(n ? [5, 3] : []);
      line(c, count, (k) => at((from + k) * every), scale, 0.9, 0.9);
      c.setLineDash([]);
      dot(c, at(Math.round(m.row)), scale, theme.palette.runs[n % 4], theme.background);
    });
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
    members.forEach((m, n) => {
      const at = (r) => {
        const x = m.columns.map((col) => col[r]);
        return [...project(view, x), isVisible(view, half, x)];
      };
      const every = spacing(m.run.n);
      const [from, count] = window(m.row, every);
      c.strokeStyle = toCss(theme.palette.runs[n % 4]);
      c.lineWidth = 1.6;
      c.setLineDash(n ? [5, 3] : []);
      line(c, count, (k) => at((from + k) * every), scale, 0.95, 0.25);
      c.setLineDash([]);
      dot(c, at(Math.round(m.row)), scale, theme.palette.runs[n % 4], theme.background);
    });
  });
  panel.turnable(canvas, view);
}

function directionOf(run, i) {
  const scene = readScene(run.scene);
  const f = scene?.factors[i];
  if (!run.n || (f?.kind !== 'S2' && f?.kind !== 'spin')) return null;
  const columns = scene.z.slice(f.z, f.z + 3).map((name) => run.column(name));
  return columns.every(Boolean) ? { run, columns, up: scene.up, label: scene.turn ? `${f.label}, as seen from the frame that turns,` : f.label } : null;
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
