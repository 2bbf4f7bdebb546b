// SPDX-License-Identifier: BSD-3-Clause
// How far two runs of one system are from each other where both have a row at the same time: the largest distance between the same points,
// or, without points, the largest difference of a coordinate. Between rows nothing is said: what is interpolated there is off by more than
// two good methods differ.
import { readScene } from './scene/description.js';
import { Places } from './scene/places.js';

/** The row of a run at this time, to rounding; -1 where there is none. */
export function rowAt(run, t) {
  const i = run.nearest(t);
  const spacing = run.n > 1 ? Math.abs(run.time[Math.min(i + 1, run.n - 1)] - run.time[Math.max(i - 1, 0)]) : 0;
  return Math.abs(run.time[i] - t) <= 1e-12 * Math.abs(t) + 1e-9 * spacing ? i : -1;
}

/** @returns {{values: Float64Array, unit: string, common: number}|null} values at rows of the first, NaN where the second has none; common:
 * how many it has; null where the two are not of one system */
export function distance(a, b) {
  const [one, two] = [a, b].map((run) => {
    const scene = readScene(run.scene);
    return scene && new Places(scene, (name) => run.column(name), run.n);
  });
  if (!one || !two || !a.n || !b.n || one.z.length !== two.z.length || one.points.length !== two.points.length) return null;
  const points = one.points.length > 0;
  const values = new Float64Array(a.n).fill(NaN);
  let common = 0;
  for (let i = 0; i < a.n; i++) {
    const j = rowAt(b, a.time[i]);
    if (j < 0) continue;
    const x = one.at(i)[points ? 'points' : 'z'];
    const y = two.at(j)[points ? 'points' : 'z'];
    let most = 0;
    if (points) for (let k = 0; k < x.length; k += 3) most = Math.max(most, Math.hypot(x[k] - y[k], x[k + 1] - y[k + 1], x[k + 2] - y[k + 2]));
    else for (let k = 0; k < x.length; k++) most = Math.max(most, Math.abs(x[k] - y[k]));
    values[i] = most;
    common += 1;
  }
  return { values, unit: points ? 'm' : '', common };
}
