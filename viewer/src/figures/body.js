// SPDX-License-Identifier: BSD-3-Clause
// Polhodes on the energy ellipsoid, on a canvas that is turned by pointer, finger and arrow keys, and slowly by itself until somebody does.
import { isVisible, levels, lookFrom, outline, project, turned } from './ellipsoid.js';
import { colours, font } from './look.js';

const TURN = 0.15; // by itself [rad/s]
const STEP = 0.08; // by a key [rad]

export class Body {
  // words: the description of the static picture.
  constructor(figure, host, words) {
    this.figure = figure;
    this.host = host;
    this.levels = levels(figure.half);
    this.home = lookFrom(figure.to, figure.up);
    this.view = this.home;
    this.turning = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.build(words);
    this.repaint();
    new ResizeObserver(() => this.draw()).observe(host);
    new IntersectionObserver((entries) => this.appear(entries.at(-1).isIntersecting)).observe(this.canvas);
  }

  build(words) {
    const canvas = (this.canvas = document.createElement('canvas'));
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    canvas.setAttribute('aria-label', `${words} Arrow keys turn it, 0 turns it back, space lets it turn by itself or stops it.`);
    this.button = document.createElement('button');
    this.button.type = 'button';
    this.button.addEventListener('click', () => this.setTurning(!this.turning));
    this.host.append(canvas, this.button);
    canvas.addEventListener('pointerdown', (e) => this.grasp(e));
    canvas.addEventListener('pointermove', (e) => this.drag(e));
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => (this.held = null));
    canvas.addEventListener('dblclick', () => this.goHome());
    canvas.addEventListener('keydown', (e) => this.key(e));
    this.setTurning(this.turning);
  }

  // ---- Turning

  setTurning(turning) {
    this.turning = turning;
    this.button.textContent = turning ? 'Stop turning' : 'Turn';
    this.run();
  }

  appear(visible) {
    this.visible = visible;
    this.run();
  }

  run() {
    if (this.frame || !this.turning || !this.visible) return;
    let before = null;
    const tick = (now) => {
      this.frame = null;
      if (!this.turning || !this.visible) return;
      if (before !== null) this.turn(Math.min(0.1, (now - before) / 1000) * TURN, 0);
      before = now;
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  turn(across, down) {
    this.view = turned(this.view, across, down);
    this.draw();
  }

  goHome() {
    this.setTurning(false);
    this.view = this.home;
    this.draw();
  }

  grasp(event) {
    this.setTurning(false);
    this.held = [event.clientX, event.clientY];
    this.canvas.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (!this.held) return;
    const radius = 0.5 * this.canvas.clientWidth;
    this.turn((event.clientX - this.held[0]) / radius, event.pointerType === 'touch' ? 0 : (event.clientY - this.held[1]) / radius);
    this.held = [event.clientX, event.clientY];
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowRight: [STEP, 0], ArrowLeft: [-STEP, 0], ArrowDown: [0, STEP], ArrowUp: [0, -STEP] }[event.key];
    if (!by && event.key !== ' ' && event.key !== '0') return;
    event.preventDefault();
    if (event.key === ' ') return this.setTurning(!this.turning);
    if (event.key === '0') return this.goHome();
    this.setTurning(false);
    this.turn(...by);
  }

  // ---- Drawing

  repaint() {
    this.colours = colours(this.host, this.figure.lines);
    this.draw();
  }

  draw() {
    const side = this.canvas.clientWidth;
    const ratio = window.devicePixelRatio || 1;
    if (!side) return;
    if (this.canvas.width !== Math.round(side * ratio)) this.canvas.width = this.canvas.height = Math.round(side * ratio);
    const ctx = this.canvas.getContext('2d');
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    ctx.setTransform(ratio, 0, 0, ratio, 0.5 * side * ratio, 0.5 * side * ratio);
    const scale = (0.5 * side - 8) / Math.max(...this.figure.half); // of all directions: its size stays while it turns
    const at = (x) => project(this.view, x).map((c) => c * scale);
    this.drawShape(ctx, scale);
    this.drawLevels(ctx, at);
    for (const front of [false, true]) this.figure.lines.forEach((line, k) => this.drawDots(ctx, line, this.colours.lines[k], at, front));
    this.drawNames(ctx, side);
  }

  drawShape(ctx, scale) {
    const edge = outline(this.view, this.figure.half).map((p) => p.map((c) => c * scale));
    const size = Math.max(...edge.flat());
    const shade = ctx.createRadialGradient(-0.3 * size, -0.4 * size, 0, -0.3 * size, -0.4 * size, 1.7 * size);
    shade.addColorStop(0, this.colours.dark ? this.colours.ink + '5a' : this.colours.page);
    shade.addColorStop(1, this.colours.ink + (this.colours.dark ? '14' : '4a'));
    ctx.beginPath();
    edge.forEach((p, i) => (i ? ctx.lineTo(...p) : ctx.moveTo(...p)));
    ctx.closePath();
    ctx.fillStyle = shade;
    ctx.fill();
    ctx.strokeStyle = this.colours.ink + '80';
    ctx.lineWidth = 1;
    ctx.stroke();
  }

  drawLevels(ctx, at) {
    ctx.strokeStyle = this.colours.ink + '60';
    ctx.lineWidth = 0.7;
    ctx.beginPath();
    for (const level of this.levels) {
      let pen = false;
      for (const x of level) {
        const visible = isVisible(this.view, this.figure.half, x);
        if (visible) (pen ? ctx.lineTo : ctx.moveTo).apply(ctx, at(x));
        pen = visible;
      }
    }
    ctx.stroke();
  }

  drawDots(ctx, line, colour, at, front) {
    ctx.fillStyle = colour;
    ctx.globalAlpha = front ? 1 : 0.18;
    const size = front ? 2.2 : 1.4;
    for (let i = 0; i < line.points.length; i += 3) {
      const x = line.points.slice(i, i + 3);
      if (isVisible(this.view, this.figure.half, x) !== front) continue;
      const [px, py] = at(x);
      ctx.fillRect(px - 0.5 * size, py - 0.5 * size, size, size);
    }
    ctx.globalAlpha = 1;
  }

  drawNames(ctx, side) {
    ctx.font = font(13, 600);
    const named = this.figure.lines.map((line, k) => [line.label, this.colours.lines[k]]).filter(([label]) => label);
    named.forEach(([label, colour], row) => {
      ctx.fillStyle = colour;
      ctx.fillText(label, -0.5 * side + 4, 0.5 * side - 6 - 17 * (named.length - 1 - row));
    });
  }
}
