// SPDX-License-Identifier: BSD-3-Clause
// What colours and arrows mean, in a corner of the picture.
import { directional, diverging, toCss } from './colours.js';

const number = (x) => (x === 0 ? '0' : Math.abs(x) >= 1e4 || Math.abs(x) < 1e-2 ? x.toExponential(1).replace('e+', 'e') : String(Number(x.toPrecision(2))));

export const MOST_NAMED = 8; // of runs, that have a row each

export class Legend {
  constructor(host) {
    this.element = host.ownerDocument.createElement('div');
    this.element.className = 'scene-legend';
    Object.assign(this.element.style, { position: 'absolute', left: '0.6rem', bottom: '0.5rem', font: '12px/1.35 system-ui, sans-serif', pointerEvents: 'none', display: 'grid', gap: '0.2rem', maxWidth: '80%' });
    host.append(this.element);
  }

  #row(sample, text, ink) {
    const row = this.element.ownerDocument.createElement('div');
    Object.assign(row.style, { display: 'flex', alignItems: 'center', gap: '0.45em', color: toCss(ink) });
    const mark = this.element.ownerDocument.createElement('span');
    Object.assign(mark.style, { display: 'inline-block', width: '1.6em', height: '0.55em', borderRadius: '2px', flex: 'none', ...sample });
    row.append(mark, text);
    this.element.append(row);
  }

  // items: {runs: [[colour, label]], tension: most or 0, directions, vectors: [[colour, text]]}
  show(items, palette, ink) {
    this.element.replaceChildren();
    const { runs } = items;
    if (runs.length > MOST_NAMED) this.#row({ background: `linear-gradient(to right, ${runs.map(([colour]) => toCss(colour)).join(', ')})`, width: '5em' }, `${runs[0][1]} to ${runs.at(-1)[1]}`, ink);
    else if (runs.length > 1) for (const [colour, label] of runs) this.#row({ background: toCss(colour) }, label, ink);
    for (const [colour, text] of items.vectors) this.#row({ background: toCss(colour), height: '0.25em' }, text, ink);
    if (items.tension) this.#row(this.#scale(palette), `tension from −${number(items.tension)} (pushes) to ${number(items.tension)} N (pulls)`, ink);
    if (items.directions) this.#row(this.#wheel(palette), 'hue: azimuth; light: up, dark: down', ink);
  }

  // Hues of the azimuth, as seen from above.
  #wheel({ lightness }) {
    const [c, axes] = [[0, 0, 0], { right: [1, 0, 0], front: [0, -1, 0], up: [0, 0, 1] }];
    const stops = Array.from({ length: 13 }, (_, k) => {
      directional(Math.cos((k * Math.PI) / 6), Math.sin((k * Math.PI) / 6), 0, axes, lightness, c, 0);
      return toCss(c);
    });
    return { background: `conic-gradient(from 90deg, ${stops.reverse().join(', ')})`, width: '1.3em', height: '1.3em', borderRadius: '50%' };
  }

  #scale(palette) {
    const c = [0, 0, 0];
    const stops = [-1, -0.5, 0, 0.5, 1].map((v) => {
      diverging(v, palette.middle, c, 0);
      return toCss(c);
    });
    return { background: `linear-gradient(to right, ${stops.join(', ')})`, width: '5em' };
  }
}

export { number };
