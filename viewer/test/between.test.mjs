// SPDX-License-Identifier: BSD-3-Clause
// Curves between rows against exact motions: a circle, turns about one axis, a precessing body, whose errors have to be of fourth order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Between, chartOf } from '../src/scene/between.js';
import { readScene } from '../src/scene/description.js';
import { Places } from '../src/scene/places.js';

const product = (A, B) => Array.from({ length: 9 }, (_, k) => [0, 1, 2].reduce((sum, j) => sum + A[3 * Math.floor(k / 3) + j] * B[3 * j + (k % 3)], 0));
const aboutZ = (a) => [Math.cos(a), -Math.sin(a), 0, Math.sin(a), Math.cos(a), 0, 0, 0, 1];
const aboutX = (a) => [1, 0, 0, 0, Math.cos(a), -Math.sin(a), 0, Math.sin(a), Math.cos(a)];
const apart = (a, b) => Math.max(...a.map((c, k) => Math.abs(c - b[k])));

const matrix = ['xx', 'xy', 'xz', 'yx', 'yy', 'yz', 'zx', 'zy', 'zz'].map((c) => `R1${c}`);
const three = (letter) => ['x', 'y', 'z'].map((c) => `${letter}1${c}`);
const names = { SO3: matrix, S2: three('q'), spin: three('s'), S1: ['q1x', 'q1y'], R: ['x1_1', 'x1_2'] };
const speeds = { SO3: three('Omega'), S2: three('omega'), spin: three('omega'), S1: ['omega1'], R: ['v1_1', 'v1_2'] };

/** Places of one factor whose rows at `times` are is(t): {z, v}; v: the columns of its velocity, unless `bare`. */
function placesOf(kind, times, is, bare = false) {
  const rows = times.map(is);
  const columns = { t: Float64Array.from(times) };
  names[kind].forEach((name, k) => (columns[name] = Float64Array.from(rows, ({ z }) => z[k])));
  if (!bare) speeds[kind].forEach((name, k) => (columns[name] = Float64Array.from(rows, ({ v }) => v[k])));
  const label = names[kind][0].slice(0, 2);
  const scene = readScene({ version: 1, z: names[kind], factors: [{ kind, z: 0, n: names[kind].length, label }], n_points: 0, points: [], parts: [] });
  return new Places(scene, (name) => columns[name] ?? null, times.length);
}

const grid = (n, step, from = 0) => Array.from({ length: n }, (_, i) => from + i * step);

/** The largest error between rows, not at the ends of the run. */
function worst(places, times, is) {
  let most = 0;
  for (let i = 3; i < times.length - 4; i++)
    for (const w of [0.1, 0.25, 0.5, 0.75, 0.9]) {
      const { z } = is(times[i] + w * (times[i + 1] - times[i]));
      most = Math.max(most, apart(z, [...places.at(i + w).z]));
    }
  return most;
}

const circle = (t) => ({ z: [Math.cos(t), Math.sin(t)], v: [-Math.sin(t), Math.cos(t)] });
// A direction that goes around at 0.5 rad from the vertical.
const precession = (t) => {
  const [s, c] = [Math.sin(0.5), Math.cos(0.5)];
  const q = [s * Math.cos(t), s * Math.sin(t), c];
  const v = [-s * Math.sin(t), s * Math.cos(t), 0];
  return { z: q, v: [q[1] * v[2] - q[2] * v[1], q[2] * v[0] - q[0] * v[2], q[0] * v[1] - q[1] * v[0]] };
};
// A top: its axis goes around at the rate 0.4 at 0.6 rad from the vertical, and it turns about the axis at the rate 0.9.
const top = (t) => {
  const [rate, theta, spin] = [0.4, 0.6, 0.9];
  const own = spin * t;
  return {
    z: product(product(aboutZ(rate * t), aboutX(theta)), aboutZ(own)),
    v: [rate * Math.sin(theta) * Math.sin(own), rate * Math.sin(theta) * Math.cos(own), rate * Math.cos(theta) + spin],
  };
};

test('at rows everything is as in the rows, to the bit', () => {
  for (const [kind, is] of [['R', circle], ['S2', precession], ['SO3', top]]) {
    const times = grid(9, 0.7);
    const places = placesOf(kind, times, is);
    places.at(3.4); // what is kept of an interval does not change them
    for (let i = 0; i < 9; i++) assert.deepEqual([...places.at(i).z], is(times[i]).z);
  }
});

test('a circle in the plane, with velocities and without: the error is at most step^4/384, and half of the step a sixteenth of it', () => {
  for (const bare of [false, true]) {
    const errors = [0.8, 0.4, 0.2].map((step) => {
      const times = grid(30, step);
      return worst(placesOf('R', times, circle, bare), times, circle);
    });
    // differences of five rows have an error of step^4/30 of the velocity, of which at most step/4 reaches the curve
    [0.8, 0.4, 0.2].forEach((step, k) => assert.ok(errors[k] <= step ** 4 / 384 + (bare ? step ** 5 / 120 : 0), `${bare} ${step}: ${errors[k]}`));
    for (const k of [0, 1]) assert.ok(errors[k] / errors[k + 1] > 14 && errors[k] / errors[k + 1] < 36, `${bare}: ${errors}`);
  }
});

test('rows at uneven times: a circle still to fourth order', () => {
  const errors = [1, 0.5].map((by) => {
    const times = grid(40, 0.6 * by).map((t, i) => t + 0.25 * by * 0.6 * Math.sin(7 * i));
    return worst(placesOf('R', times, circle, true), times, circle);
  });
  assert.ok(errors[0] < 0.02 && errors[0] / errors[1] > 8, `${errors}`);
});

test('a turn about one axis is exact, at an even rate without velocities, and with them at any rate that is quadratic in time', () => {
  const fixed = product(aboutX(1.1), aboutZ(0.4));
  const turn = (angle) => product(fixed, product(product(aboutX(0.7), aboutZ(angle)), aboutX(-0.7)));
  const axis = [0, -Math.sin(0.7), Math.cos(0.7)]; // of aboutX(0.7) e3
  const even = (t) => ({ z: turn(1.3 * t), v: axis.map((c) => 1.3 * c) });
  const cubic = (t) => ({ z: turn(0.2 * t + 0.05 * t * t - 0.004 * t ** 3), v: axis.map((c) => c * (0.2 + 0.1 * t - 0.012 * t * t)) });
  const times = grid(12, 0.9);
  for (const bare of [false, true]) assert.ok(worst(placesOf('SO3', times, even, bare), times, even) < 1e-14);
  assert.ok(worst(placesOf('SO3', times, cubic), times, cubic) < 1e-14);
  // the same on S^1 and on a great circle of S^2
  const wheel = (t) => ({ z: [Math.cos(2 * t * t), Math.sin(2 * t * t)], v: [4 * t] }); // some rows are more than a turn apart
  const steps = grid(12, 0.4);
  assert.ok(worst(placesOf('S1', steps, wheel), steps, wheel) < 1e-13);
  const great = (t) => { const a = 0.8 * t + 0.02 * t * t; return { z: [Math.cos(a), 0.6 * Math.sin(a), 0.8 * Math.sin(a)], v: [0, -0.8, 0.6].map((c) => c * (0.8 + 0.04 * t)) }; };
  assert.ok(worst(placesOf('S2', times, great), times, great) < 1e-14);
});

test('a precessing direction and a top stay on their manifold, to fourth order', () => {
  for (const [kind, is] of [['S2', precession], ['spin', precession], ['SO3', top]])
    for (const bare of [false, true]) {
      const errors = [0.8, 0.4].map((step) => {
        const times = grid(40, step);
        const places = placesOf(kind, times, is, bare);
        for (const s of [5.3, 7.5]) {
          const z = [...places.at(s).z];
          if (kind === 'SO3') product(z, [0, 3, 6, 1, 4, 7, 2, 5, 8].map((k) => z[k])).forEach((c, k) => assert.ok(Math.abs(c - (k % 4 ? 0 : 1)) < 1e-14));
          else assert.ok(Math.abs(Math.hypot(...z) - 1) < 1e-15);
        }
        return worst(places, times, is);
      });
      assert.ok(errors[0] < 4e-3, `${kind}: ${errors}`);
      assert.ok(errors[0] / errors[1] > 12, `${kind} ${bare}: ${errors}`);
    }
});

test('a body that turns by more than half a turn from row to row is followed by its angular velocity', () => {
  const fast = (t) => ({ z: aboutZ(3.9 * t), v: [0, 0, 3.9] });
  const times = grid(12, 1);
  assert.ok(worst(placesOf('SO3', times, fast), times, fast) < 1e-13);
});

test('velocities that do not fit the rows are not used: rows of many turns are joined smoothly, without loops', () => {
  const times = grid(30, 2 * Math.PI + 0.3); // the circle seems to turn by 0.3 rad from row to row
  const seems = (t) => circle((0.3 * t) / (2 * Math.PI + 0.3));
  const places = placesOf('R', times, circle);
  assert.ok(worst(places, times, seems) < 1e-3, 'the curve leaves the rows');
});

test('where there is one row, two at the same time, or a number that is missing, there is no curve', () => {
  assert.deepEqual([...placesOf('R', [0], circle).at(0.5).z], [1, 0]);
  const twice = placesOf('R', [0, 1, 1, 2], circle, true);
  for (const s of [0.5, 1.5, 2.5]) assert.ok([...twice.at(s).z].every(Number.isFinite), `${s}`);
  const gap = (t) => (t === 3 ? { z: [NaN, NaN], v: [NaN, NaN] } : circle(t));
  const places = placesOf('R', grid(8, 1), gap);
  assert.ok([...places.at(5.5).z].every(Number.isFinite) && [...places.at(2.5).z].every(Number.isNaN));
  assert.ok([...placesOf('R', grid(8, 1), gap, true).at(0.5).z].every(Number.isFinite));
});

test('charts: log is the inverse of exp, and back that of its derivative', () => {
  let seed = 3;
  const random = () => { seed = (seed * 16807) % 2147483647; return seed / 2147483647 - 0.5; };
  for (const [kind, n] of [['S1', 2], ['S2', 3], ['SO3', 9]]) {
    const chart = chartOf(kind, n);
    for (let tries = 0; tries < 50; tries++) {
      const a = kind === 'SO3' ? product(aboutZ(6 * random()), product(aboutX(6 * random()), aboutZ(6 * random()))) : Array.from({ length: n }, random);
      if (kind !== 'SO3') { const size = Math.hypot(...a); a.forEach((c, k) => (a[k] = c / size)); }
      const tangent = () => {
        const u = Array.from({ length: chart.m }, () => 3 * random());
        if (kind === 'S2') { const along = u.reduce((s, c, k) => s + c * a[k], 0); u.forEach((c, k) => (u[k] = c - along * a[k])); }
        return u;
      };
      const [u, du] = [tangent(), tangent()];
      const [b, back] = [new Float64Array(n), new Float64Array(chart.m)];
      chart.exp(a, u, b, 0);
      chart.log(a, b, back);
      assert.ok(apart(u, [...back]) < 1e-12, `${kind}: ${u} ${back}`);
      // the velocity at b of exp(u + t du) by a central difference: log at b
      const ends = [1e-5, -1e-5].map((t) => {
        const [x, v] = [new Float64Array(n), new Float64Array(chart.m)];
        chart.exp(a, u.map((c, k) => c + t * du[k]), x, 0);
        chart.log(b, x, v);
        return v;
      });
      const velocity = Float64Array.from(ends[0], (c, k) => (c - ends[1][k]) / 2e-5);
      chart.back(a, Float64Array.from(u), velocity, back);
      assert.ok(apart(du, [...back]) < 1e-8, `${kind}: ${du} ${back}`);
    }
  }
});
