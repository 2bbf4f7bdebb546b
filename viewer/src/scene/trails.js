// SPDX-License-Identifier: BSD-3-Clause
// Trails of places: where they were in the last seconds, fading, and up to where they are now.
import { Ribbons } from './ribbon.js';
import { Trace, usualSources } from './trace.js';

const CORNERS = [400, 3300]; // of a line: at least, where there are many; at most
const ALL_CORNERS = 6600;

export class Trails {
  constructor(scene, column, rows, time, { points = 'usual', colours, opacity, width }) {
    this.trace = new Trace(scene, column, rows, time, sourcesOf(scene, points));
    this.most = Math.max(CORNERS[0], Math.min(CORNERS[1], Math.floor(ALL_CORNERS / Math.max(1, this.trace.sources.length))));
    this.ribbons = new Ribbons(this.trace.sources.map((_, k) => colours[k % colours.length]), this.most, width, opacity);
    this.now = new Float64Array(3);
  }

  get mesh() {
    return this.ribbons.mesh;
  }

  // places: those of the moment, at row and time t; to: how lengths of space become those of the picture.
  update(places, row, t, seconds, to) {
    const { trace } = this;
    const n = seconds > 0 ? trace.choose(row, t, seconds, this.most - 1) : 0;
    const [ox, oy, oz] = to.origin;
    this.ribbons.corners.forEach((c, k) => {
      for (let i = 0; i < n; i++) {
        const x = trace.at(k, trace.rowList[i]);
        c[4 * i] = (trace.x[x] - ox) * to.scale;
        c[4 * i + 1] = (trace.x[x + 1] - oy) * to.scale;
        c[4 * i + 2] = (trace.x[x + 2] - oz) * to.scale;
        const age = Math.abs(t - trace.timeOf(trace.rowList[i])) / seconds;
        c[4 * i + 3] = Number.isFinite(c[4 * i] + c[4 * i + 1] + c[4 * i + 2]) ? (seconds === Infinity ? 0.75 : Math.max(0, 1 - age) ** 0.8) : -1;
      }
      places.place(trace.sources[k], this.now, 0);
      for (let a = 0; a < 3; a++) c[4 * n + a] = (this.now[a] - to.origin[a]) * to.scale;
      c[4 * n + 3] = Number.isFinite(this.now[0] + this.now[1] + this.now[2]) ? 1 : -1;
    });
    this.ribbons.show(n ? n + 1 : 0);
  }

  resize(width, height) {
    this.ribbons.uniforms.size.value.set(width, height);
  }

  dispose() {
    this.ribbons.dispose();
  }
}

function sourcesOf(scene, points) {
  const at = (point) => ({ point, frame: -1, at: [0, 0, 0], offset: [0, 0, 0] });
  if (points === 'none') return [];
  if (points === 'all') return Array.from({ length: Math.min(scene.points.n, 64) }, (_, k) => at(k));
  if (Array.isArray(points)) return points.filter((k) => k >= 0 && k < scene.points.n).map(at);
  return usualSources(scene);
}
