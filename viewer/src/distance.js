// SPDX-License-Identifier: BSD-3-Clause
// How far two runs of one system are from each other at the rows of the first: the largest distance between the same points, or,
// without points, the largest difference of a coordinate.
import { readScene } from './scene/description.js';
import { Places } from './scene/places.js';

/** @returns {{values: Float64Array, unit: string}|null} null where they have nothing in common */
export function distance(a, b) {
  const [one, two] = [a, b].map((run) => {
    const scene = readScene(run.scene);
    return scene && new Places(scene, (name) => run.column(name), run.n);
  });
  if (!one || !two || one.z.length !== two.z.length || one.points.length !== two.points.length) return null;
  const points = one.points.length > 0;
  const values = new Float64Array(a.n);
  for (let i = 0; i < a.n; i++) {
    const { i: row, fraction } = b.indexAt(a.time[i]);
    const [first, last] = b.span;
    if (a.time[i] < first || a.time[i] > last) {
      values[i] = NaN;
      continue;
    }
    const x = one.at(i)[points ? 'points' : 'z'];
    const y = two.at(row + fraction)[points ? 'points' : 'z'];
    let most = 0;
    if (points) for (let k = 0; k < x.length; k += 3) most = Math.max(most, Math.hypot(x[k] - y[k], x[k + 1] - y[k + 1], x[k + 2] - y[k + 2]));
    else for (let k = 0; k < x.length; k++) most = Math.max(most, Math.abs(x[k] - y[k]));
    values[i] = most;
  }
  return values.some((v) => Number.isFinite(v)) ? { values, unit: points ? 'm' : '' } : null;
}
