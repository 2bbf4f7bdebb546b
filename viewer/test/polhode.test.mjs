// SPDX-License-Identifier: BSD-3-Clause
// Polhode and herpolhode of a free body, against its integrals and an exact motion.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Run } from '../src/run.js';
import { across, bodyOf, halfAxes, principal } from '../src/scene/polhode.js';

const near = (a, b, within = 1e-12) => assert.ok(Math.abs(a - b) <= within * Math.max(1, Math.abs(b)), `${a} is not ${b}`);
const names = ['xx', 'xy', 'xz', 'yx', 'yy', 'yz', 'zx', 'zy', 'zz'].map((c) => `R1${c}`);
const times = (A, x) => [0, 1, 2].map((a) => A[3 * a] * x[0] + A[3 * a + 1] * x[1] + A[3 * a + 2] * x[2]);
const product = (A, B) => Array.from({ length: 9 }, (_, k) => [0, 1, 2].reduce((sum, j) => sum + A[3 * Math.floor(k / 3) + j] * B[3 * j + (k % 3)], 0));
const transpose = (A) => [0, 3, 6, 1, 4, 7, 2, 5, 8].map((k) => A[k]);
const aboutZ = (a) => [Math.cos(a), -Math.sin(a), 0, Math.sin(a), Math.cos(a), 0, 0, 0, 1];
const aboutX = (a) => [1, 0, 0, 0, Math.cos(a), -Math.sin(a), 0, Math.sin(a), Math.cos(a)];

function runOf(inertia, rows, letter) {
  const columns = ['t', ...names, ...['x', 'y', 'z'].map((c) => `${letter}1${c}`)];
  return new Run({
    name: 'a', meta: new Map(), columns: columns.map((name) => ({ name, unit: '' })),
    data: columns.map((_, k) => Float64Array.from(rows, (row) => row[k])),
    scene: { version: 1, z: names, factors: [{ kind: 'SO3', z: 0, n: 9, label: 'R1', inertia }], n_points: 0, points: [], parts: [] },
  });
}

// A symmetric body (moments A, A, C): its axis turns about L at the rate L / A at the angle theta, and the body about its axis.
function symmetric(A, C, n) {
  const [theta, spin] = [0.6, 2];
  const L = (C * spin) / Math.cos(theta);
  const rate = L / A;
  const own = spin - rate * Math.cos(theta);
  return Array.from({ length: n }, (_, i) => {
    const t = 0.05 * i;
    const R = product(product(aboutZ(rate * t), aboutX(theta)), aboutZ(own * t));
    const Pi = times(transpose(R), [0, 0, L]);
    return { t, R, Pi, Omega: [Pi[0] / A, Pi[1] / A, Pi[2] / C], L, rate, own };
  });
}

test('moments and axes of a turned tensor', () => {
  const R = product(product(aboutZ(0.7), aboutX(1.2)), aboutZ(-0.4));
  const D = [3, 0, 0, 0, 1, 0, 0, 0, 2];
  const J = product(product(R, D), transpose(R));
  const { moments, axes } = principal(J);
  [1, 2, 3].forEach((m, k) => near(moments[k], m));
  const back = product(product([...axes], [1, 0, 0, 0, 2, 0, 0, 0, 3]), transpose([...axes]));
  back.forEach((b, k) => near(b, J[k]));
  near(axes[0] * (axes[4] * axes[8] - axes[5] * axes[7]) - axes[1] * (axes[3] * axes[8] - axes[5] * axes[6]) + axes[2] * (axes[3] * axes[7] - axes[4] * axes[6]), 1);
});

test('the polhode lies on the ellipsoid of energy and on the sphere of the momentum', () => {
  const [A, C] = [1, 1.6];
  const rows = symmetric(A, C, 80);
  for (const letter of ['Pi', 'Omega']) {
    const body = bodyOf(runOf([A, 0, 0, 0, A, 0, 0, 0, C], rows.map((r) => [r.t, ...r.R, ...r[letter]]), letter), 0);
    const half = halfAxes(body.moments, body.energy[0]);
    for (let r = 0; r < 80; r++) {
      const Pi = body.Pi.subarray(3 * r, 3 * r + 3);
      near(Pi.reduce((s, c, k) => s + (c / half[k]) ** 2, 0), 1);
      near(Math.hypot(...Pi), rows[0].L);
    }
    assert.equal(body.free, true);
  }
});

test('the herpolhode of a symmetric body is a circle that it runs through at the rate L / A', () => {
  const [A, C] = [1, 1.6];
  const rows = symmetric(A, C, 80);
  const body = bodyOf(runOf([A, 0, 0, 0, A, 0, 0, 0, C], rows.map((r) => [r.t, ...r.R, ...r.Pi]), 'Pi'), 0);
  body.normal.forEach((c, k) => near(c, [0, 0, 1][k]));
  const flat = across(body.omega, body.normal);
  const radius = Math.abs(rows[0].own) * Math.sin(0.6); // omega = rate e3 + own e, e the body's axis
  for (let r = 0; r < 80; r++) near(Math.hypot(flat[2 * r], flat[2 * r + 1]), radius);
  const angle = Math.atan2(flat[3], flat[2]) - Math.atan2(flat[1], flat[0]);
  near(Math.cos(angle), Math.cos(rows[0].rate * 0.05));
});

test('a body without inertia or momentum, or one that rests, has no polhode, one under a torque is not free', () => {
  const rows = symmetric(1, 1.6, 5);
  const none = runOf(undefined, rows.map((r) => [r.t, ...r.R, ...r.Pi]), 'Pi');
  assert.equal(bodyOf(none, 0), null);
  assert.equal(bodyOf(runOf([1, 0, 0, 0, 1, 0, 0, 0, 1.6], rows.map((r) => [r.t, ...r.R, ...r.Pi]), 'nothing'), 0), null);
  assert.equal(bodyOf(none, 7), null);
  const rests = runOf([1, 0, 0, 0, 1, 0, 0, 0, 1.6], rows.map((r) => [r.t, ...r.R, 1e-17, -2e-17, 0]), 'Pi'); // rounding alone
  assert.equal(bodyOf(rests, 0), null);
  const forced = bodyOf(runOf([1, 0, 0, 0, 1, 0, 0, 0, 1.6], rows.map((r, i) => [r.t, ...r.R, ...r.Pi.map((c) => c * (1 + 0.1 * i))]), 'Pi'), 0);
  assert.equal(forced.free, false);
});
