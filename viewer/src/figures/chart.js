// SPDX-License-Identifier: BSD-3-Clause
// A chart of curves in place of a static picture: read-out of the nearest point, zoom by drag, wheel and pinch.
import { exact, splitLabel } from '../format.js';
import { Curves } from './curves.js';
import { narrowed, shifted } from './extent.js';
import { nearest, nextPoint } from './nearest.js';

const REACH = 44; // a point farther from the pointer than that is not read out [px]
const BELOW = 46;

const heightFor = (figure, width) => Math.round(figure.equal ? Math.min(width, 520) : Math.min(Math.max(0.62 * width, 220), 460));

// All digits of the number that was measured.
const exactly = (value) => (Number.isFinite(value) ? exact(value) : '–');

function paragraph(host, kind, text) {
  const made = document.createElement('p');
  made.className = kind;
  made.textContent = text;
  host.append(made);
  return made;
}

export class Chart extends Curves {
  // words: the description of the static picture.
  constructor(figure, host, words) {
    paragraph(host, 'axis', figure.y.label);
    super(figure, host, {
      height: (width) => heightFor(figure, width) + BELOW,
      letters: 13,
      beside: 53,
      labelled: true,
      cursor: { drag: { x: true, y: true, uni: 24, setScale: false }, points: { show: false }, dataIdx: () => null, bind: { dblclick: () => null } },
    });
    this.at = null; // {line, index} that is read out
    this.readout = paragraph(host, 'readout', '');
    this.readout.setAttribute('aria-live', 'polite');
    this.mark = document.createElement('span');
    this.mark.className = 'mark';
    this.mark.hidden = true;
    this.plot.over.append(this.mark);
    this.listen(words);
  }

  listen(words) {
    const over = this.plot.over;
    over.tabIndex = 0;
    over.setAttribute('role', 'application');
    over.setAttribute('aria-label', `${words} Arrow keys read points and curves, plus and minus zoom, 0 shows all.`);
    over.title = 'Drag or pinch zooms, and the wheel with Ctrl or after a click; double click shows all.';
    over.addEventListener('dblclick', () => this.reset());
    over.addEventListener('keydown', (e) => this.key(e));
    over.addEventListener('blur', () => this.show(null));
    over.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    over.addEventListener('touchstart', (e) => this.touch(e), { passive: false });
    over.addEventListener('touchmove', (e) => this.touch(e), { passive: false });
    over.addEventListener('touchend', (e) => this.touch(e));
  }

  // ---- What is seen

  reset() {
    this.zoomed = false;
    this.setView(this.all);
    this.show(null);
  }

  resized() {
    this.show(null);
  }

  // Guides are no data: they are not read out.
  readable() {
    return this.places().map((points, k) => (this.figure.lines[k].guide ? [] : points));
  }

  zoom(factor, shareX = 0.5, shareY = 0.5) {
    this.zoomed = true;
    this.setView({ x: narrowed(this.view.x, this.figure.x.log, factor, shareX), y: narrowed(this.view.y, this.figure.y.log, factor, shareY) });
  }

  // In shares of what is seen, to the right and up.
  pan(right, up) {
    this.zoomed = true;
    this.setView({ x: shifted(this.view.x, this.figure.x.log, right), y: shifted(this.view.y, this.figure.y.log, up) });
  }

  select({ left, top, width, height }) {
    const [wide, high] = this.size();
    if (width < 8 && height < 8) return;
    const part = ([lo, hi], log, a, b) => {
      const at = (share) => narrowed([lo, hi], log, 0, share)[0];
      return [at(a), at(b)];
    };
    const x = width < 8 ? this.view.x : part(this.view.x, this.figure.x.log, left / wide, (left + width) / wide);
    const y = height < 8 ? this.view.y : part(this.view.y, this.figure.y.log, 1 - (top + height) / high, 1 - top / high);
    this.zoomed = true;
    this.plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.setView({ x, y });
  }

  // ---- Reading

  point(left, top) {
    if (left < 0 || !this.view) return;
    const found = nearest(this.readable(), left, top);
    this.show(found && found.distance <= REACH ? found : null);
  }

  show(at) {
    this.at = at;
    const p = at && this.places()[at.line][at.index];
    this.mark.hidden = !p;
    if (!p) {
      this.readout.textContent = '';
      return;
    }
    const line = this.figure.lines[at.line];
    const word = (axis, value) => {
      const { words, unit } = splitLabel(axis.label);
      return `${words ? `${words} ` : ''}${exactly(value)}${unit ? ` ${unit}` : ''}`;
    };
    this.mark.style.transform = `translate(${p[0]}px, ${p[1]}px)`;
    this.mark.style.background = this.colours.lines[at.line];
    const { unit } = splitLabel(this.figure.y.label);
    const upper = line.upper ? ` to ${exactly(line.upper[at.index])}${unit ? ` ${unit}` : ''}` : '';
    this.readout.textContent = `${line.label ? `${line.label}: ` : ''}${word(this.figure.x, line.x[at.index])}; ${word(this.figure.y, line.y[at.index])}${upper}`;
  }

  // From the point that is read out to the next one of its curve, or to the nearest one of another curve.
  step(by) {
    const curves = this.places();
    if (!this.at) return this.first();
    return this.show({ line: this.at.line, index: nextPoint(curves[this.at.line], this.at.index, by) });
  }

  first() {
    const found = nearest(this.readable(), 0.5 * this.size()[0], 0.5 * this.size()[1]);
    this.show(found);
  }

  change(by) {
    if (!this.at) return this.first();
    const curves = this.readable();
    let line = this.at.line;
    do line = (line + by + curves.length) % curves.length;
    while (!curves[line].some(Boolean));
    const [x] = curves[this.at.line][this.at.index];
    let best = null;
    curves[line].forEach((p, index) => {
      if (p && (best === null || Math.abs(p[0] - x) < Math.abs(curves[line][best][0] - x))) best = index;
    });
    return best === null ? undefined : this.show({ line, index: best });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 10 : 1;
    const does = {
      ArrowRight: () => { for (let i = 0; i < far; i++) this.step(1); },
      ArrowLeft: () => { for (let i = 0; i < far; i++) this.step(-1); },
      ArrowUp: () => this.change(-1),
      ArrowDown: () => this.change(1),
      '+': () => this.zoom(0.7),
      '=': () => this.zoom(0.7),
      '-': () => this.zoom(1 / 0.7),
      0: () => this.reset(),
      Escape: () => this.reset(),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  // The wheel scrolls the page, unless Ctrl is held, as it is where a touchpad is pinched, or the chart has the focus.
  wheel(event) {
    if (!event.ctrlKey && document.activeElement !== this.plot.over) return;
    event.preventDefault();
    const box = this.plot.over.getBoundingClientRect();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const factor = Math.exp(Math.max(-0.4, Math.min(0.4, 0.003 * lines * event.deltaY)));
    this.zoom(factor, (event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height);
  }

  // One finger reads and lets the page scroll; two zoom and move.
  touch(event) {
    const box = this.plot.over.getBoundingClientRect();
    const places = [...event.touches].map((t) => [t.clientX - box.left, t.clientY - box.top]);
    if (places.length === 1 && event.type !== 'touchend') this.point(...places[0]);
    if (places.length !== 2) {
      this.pinch = null;
      return;
    }
    event.preventDefault();
    const apart = Math.hypot(places[0][0] - places[1][0], places[0][1] - places[1][1]);
    const middle = [0.5 * (places[0][0] + places[1][0]), 0.5 * (places[0][1] + places[1][1])];
    if (this.pinch && apart > 10) {
      const { middle: before } = this.pinch;
      this.pan((before[0] - middle[0]) / box.width, (middle[1] - before[1]) / box.height);
      this.zoom(this.pinch.apart / apart, middle[0] / box.width, 1 - middle[1] / box.height);
    }
    this.pinch = { apart, middle };
  }
}
