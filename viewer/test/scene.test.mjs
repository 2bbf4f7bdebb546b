// SPDX-License-Identifier: BSD-3-Clause
// Places of scenes, the extent of a motion and cameras, against formulas written here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arrows } from '../src/scene/arrows.js';
import { convexHull, cornersOf, ellipsoidOutline } from '../src/scene/hull.js';
import { panelFactors } from '../src/scene/rigid.js';
import { readScene } from '../src/scene/description.js';
import { anglesOf, basis, directionOf, distanceFor, distanceToSee, extentOf, localRadius, sampled, standardView } from '../src/scene/fit.js';
import { Places } from '../src/scene/places.js';
import { Stage } from '../src/scene/stage.js';
import { Trace, usualSources } from '../src/scene/trace.js';
import { catmullRom } from '../src/scene/tube-curve.js';
import { columnNames } from '../src/scene/vectors-names.js';

const near = (a, b, within = 1e-14) => assert.ok(Math.abs(a - b) <= within * Math.max(1, Math.abs(b)), `${a} is not ${b}`);
const table = (columns) => (name) => columns[name] ?? null;
let seed = 7;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const unit = (v) => v.map((c) => c / Math.hypot(...v));
const direction = () => unit([random() - 0.5, random() - 0.5, random() - 0.5]);
// Rodrigues's formula, row-major.
const rotation = (axis, angle) => {
  const [x, y, z] = axis;
  const [c, s, v] = [Math.cos(angle), Math.sin(angle), 1 - Math.cos(angle)];
  return [c + v * x * x, v * x * y - s * z, v * x * z + s * y, v * x * y + s * z, c + v * y * y, v * y * z - s * x, v * x * z - s * y, v * y * z + s * x, c + v * z * z];
};
const times = (R, x) => [0, 1, 2].map((a) => R[3 * a] * x[0] + R[3 * a + 1] * x[1] + R[3 * a + 2] * x[2]);
const product = (A, B) => Array.from({ length: 9 }, (_, k) => [0, 1, 2].reduce((sum, j) => sum + A[3 * Math.floor(k / 3) + j] * B[3 * j + (k % 3)], 0));

const axes3 = ['x', 'y', 'z'];
const links = (lengths, parts = []) => ({
  version: 1,
  z: lengths.flatMap((_, i) => axes3.map((c) => `q${i + 1}${c}`)),
  factors: lengths.map((_, i) => ({ kind: 'S2', z: 3 * i, n: 3, label: `q${i + 1}` })),
  n_points: lengths.length,
  columns: 'position',
  points: lengths.map((l, i) => ({ from: i - 1, add: [0, 1, 2].map((a) => [a, 3 * i + a, l]) })),
  parts,
});

test('points of a double pendulum are l1 q1 and l1 q1 + l2 q2, with the bits of the row', () => {
  const [l1, l2] = [0.7, 1.3];
  const rows = Array.from({ length: 5 }, () => [direction(), direction()]);
  const columns = {};
  for (const i of [0, 1]) axes3.forEach((c, a) => (columns[`q${i + 1}${c}`] = Float64Array.from(rows, (r) => r[i][a])));
  const places = new Places(readScene(JSON.stringify(links([l1, l2]))), table(columns), 5);
  for (let r = 0; r < 5; r++) {
    places.at(r);
    for (let a = 0; a < 3; a++) {
      assert.equal(places.z[a], rows[r][0][a]);
      assert.equal(places.points[a], l1 * rows[r][0][a]);
      assert.equal(places.points[3 + a], l1 * rows[r][0][a] + l2 * rows[r][1][a]);
    }
  }
});

test('between rows directions stay of unit length and turn evenly, so that links keep their length', () => {
  const angle = 0.9;
  const columns = { q1x: Float64Array.of(1, Math.cos(angle)), q1y: Float64Array.of(0, Math.sin(angle)), q1z: Float64Array.of(0, 0) };
  const places = new Places(readScene(links([2])), table(columns), 2);
  for (const w of [0.1, 0.25, 0.5, 0.9]) {
    places.at(w);
    near(places.points[0], 2 * Math.cos(w * angle));
    near(places.points[1], 2 * Math.sin(w * angle));
  }
});

test('rows that are far apart are not interpolated: the nearer one is shown', () => {
  const columns = { q1x: Float64Array.of(1, -0.8), q1y: Float64Array.of(0, 0.6), q1z: Float64Array.of(0, 0) };
  const places = new Places(readScene(links([1])), table(columns), 2);
  assert.deepEqual([...places.at(0.4).points], [1, 0, 0]);
  assert.deepEqual([...places.at(0.6).points], [-0.8, 0.6, 0]);
});

test('an attitude between two rows is that of the turn about one axis', () => {
  const names = ['xx', 'xy', 'xz', 'yx', 'yy', 'yz', 'zx', 'zy', 'zz'].map((c) => `R1${c}`);
  const scene = readScene({ version: 1, z: names, factors: [{ kind: 'SO3', z: 0, n: 9, label: 'R1' }], n_points: 0, points: [], parts: [] });
  for (const angle of [0.2, 1.4]) {
    const axis = direction();
    const first = rotation(direction(), 2);
    const last = product(rotation(axis, angle), first);
    const columns = Object.fromEntries(names.map((n, k) => [n, Float64Array.of(first[k], last[k])]));
    const places = new Places(scene, table(columns), 2);
    for (const w of [0.3, 0.5, 0.8]) {
      const M = product(rotation(axis, w * angle), first);
      places.at(w);
      M.forEach((m, k) => near(places.z[k], m, 1e-13));
    }
    assert.deepEqual([...places.at(1).z], last);
  }
});

test('attitudes come from columns quaternion1w ... where there is no matrix', () => {
  const names = ['xx', 'xy', 'xz', 'yx', 'yy', 'yz', 'zx', 'zy', 'zz'].map((c) => `R1${c}`);
  const scene = readScene({ version: 1, z: names, factors: [{ kind: 'SO3', z: 0, n: 9, label: 'R1' }], n_points: 0, points: [], parts: [] });
  const axis = direction();
  const columns = { quaternion1w: Float64Array.of(Math.cos(0.4)) };
  axes3.forEach((c, a) => (columns[`quaternion1${c}`] = Float64Array.of(Math.sin(0.4) * axis[a])));
  const places = new Places(scene, table(columns), 1).at(0);
  rotation(axis, 0.8).forEach((m, k) => near(places.z[k], m));
  assert.deepEqual(places.missing, []);
});

test('places are at + x_point + F offset for each kind of frame', () => {
  const R = rotation(direction(), 1.1);
  const q = direction();
  const phi = 0.6;
  const z = [...R, ...q, Math.cos(phi), Math.sin(phi), 0.2, -0.4];
  const names = z.map((_, k) => `z${k}`);
  const scene = readScene({
    version: 1, z: names, n_points: 1, columns: null, parts: [],
    factors: [{ kind: 'SO3', z: 0, n: 9 }, { kind: 'S2', z: 9, n: 3 }, { kind: 'S1', z: 12, n: 2 }, { kind: 'R', z: 14, n: 2 }],
    points: [{ from: -1, at: [1, 2, 3], add: [[2, 14, 5]] }],
  });
  const places = new Places(scene, table(Object.fromEntries(names.map((n, k) => [n, Float64Array.of(z[k])]))), 1).at(0);
  const at = [0.1, 0.2, 0.3];
  const v = [0.5, -1.5, 2];
  const base = [1.1, 2.2, 3.3 + 5 * 0.2];
  const expected = [times(R, v), q.map((c) => v[0] * c), [Math.cos(phi) * v[0] - Math.sin(phi) * v[1], Math.sin(phi) * v[0] + Math.cos(phi) * v[1], v[2]], [v[0] * 0.2, v[0] * -0.4, 0], v];
  const x = new Float64Array(3);
  const F = new Float64Array(9);
  [0, 1, 2, 3, -1].forEach((frame, n) => {
    places.place({ point: 0, frame, at, offset: v }, x, 0);
    expected[n].forEach((e, a) => near(x[a], base[a] + e));
  });
  places.attitude(1, F); // takes e1 to q, and is a rotation
  [F[0], F[3], F[6]].forEach((c, a) => near(c, q[a]));
  product(F, [0, 3, 6, 1, 4, 7, 2, 5, 8].map((k) => F[k])).forEach((e, k) => near(e, k % 4 ? 0 : 1, 1e-14));
});

test('a part is turned in its frame, by its own R, and about its third axis by its spin', () => {
  const R = rotation(direction(), 0.9);
  const own = rotation(direction(), 2.2);
  const phi = -0.8;
  const z = [...R, Math.cos(phi), Math.sin(phi), 0.4];
  const names = z.map((_, k) => `z${k}`);
  const parts = [{ kind: 'cylinder', a: { frame: 0 }, R: own, spin: 1, size: [1, 1, 1] }, { kind: 'cylinder', a: { frame: 0 }, R: own, spin: 2, size: [1, 1, 1] }];
  const scene = readScene({ version: 1, z: names, n_points: 0, points: [], parts, factors: [{ kind: 'SO3', z: 0, n: 9 }, { kind: 'S1', z: 9, n: 2 }, { kind: 'R', z: 11, n: 1 }] });
  const columns = Object.fromEntries(names.map((n, k) => [n, Float64Array.of(z[k])]));
  const G = new Float64Array(9);
  new Places(scene, table(columns), 1).at(0).stand(scene.parts[0], G);
  product(product(R, own), rotation([0, 0, 1], phi)).forEach((e, k) => near(G[k], e));
  assert.equal(scene.parts[1].spin, -1); // R^1 has no angle
  const { z9, ...without } = columns; // the wheel does not turn, and says what it lacks
  const places = new Places(scene, table(without), 1).at(0);
  assert.ok(z9 && places.missing.includes('z9') && places.canDraw(scene.parts[0]));
  places.stand(scene.parts[0], G);
  product(R, own).forEach((e, k) => near(G[k], e));
});

test('a reduced system is turned by its phase: points, directions, attitudes, vectors, but not columns of positions', () => {
  const axis = [0, 0, 1];
  const [one, two, z] = [direction(), direction(), 0.3];
  const body = rotation(direction(), 1.3);
  const phases = [2.5, 2.9];
  const names = ['q1x', 'q1y', 'q1z', 'q2x', 'q2y', 'q2z', ...['xx', 'xy', 'xz', 'yx', 'yy', 'yz', 'zx', 'zy', 'zz'].map((c) => `R3${c}`), 'x4_1'];
  const is = {
    version: 1, z: names, n_points: 3, columns: 'position', turn: { z: 15, axis },
    factors: [{ kind: 'S2', z: 0, n: 3, label: 'q1' }, { kind: 'S2', z: 3, n: 3, label: 'q2' }, { kind: 'SO3', z: 6, n: 9, label: 'R3' }, { kind: 'R', z: 15, n: 1, label: 'x4' }],
    points: [{ from: -1, at: [0, 0, z], add: [0, 1, 2].map((a) => [a, a, 2]) }, { from: 0, add: [0, 1, 2].map((a) => [a, 3 + a, 3]) }, null],
    parts: [{ kind: 'box', a: { point: 0, frame: 2 }, size: [1, 1, 1] }],
  };
  const columns = Object.fromEntries([...one, ...two, ...body].map((v, k) => [names[k], Float64Array.of(v, v)]));
  columns.x4_1 = Float64Array.from(phases);
  axes3.forEach((c, a) => (columns[`position3${c}`] = Float64Array.of(7 + a, 7 + a)));
  const scene = readScene(is);
  const places = new Places(scene, table(columns), 2);
  for (const s of [0, 0.5, 1]) {
    const T = rotation(axis, (1 - s) * phases[0] + s * phases[1]); // r does not move: the phase runs evenly
    places.at(s);
    times(T, one).forEach((c, a) => near(places.points[a], 2 * c + (a === 2 ? z : 0), 1e-13));
    times(T, one.map((c, a) => 2 * c + 3 * two[a])).forEach((c, a) => near(places.points[3 + a], c + (a === 2 ? z : 0), 1e-13));
    assert.deepEqual([...places.points.subarray(6)], [7, 8, 9]);
    const G = new Float64Array(9);
    places.stand(scene.parts[0], G);
    product(T, body).forEach((e, k) => near(G[k], e, 1e-13));
    const v = Float64Array.of(0.3, -2, 5);
    places.toSpace(v, 0, 3, 'R');
    times(T, [0.3, -2, 5]).forEach((e, a) => near(v[a], e, 1e-13));
  }
  // twice the axis turns twice as far; another axis
  const tilted = unit([1, 2, 2]);
  const slant = new Places(readScene({ ...is, turn: { z: 15, axis: tilted.map((c) => 2 * c) } }), table(columns), 2).at(0);
  times(rotation(tilted, 2 * phases[0]), one).forEach((c, a) => near(slant.z[a], c, 1e-13));
  // without the phase nothing is known but columns; velocities are those of the shape, and not shown
  const { x4_1, ...without } = columns;
  const lost = new Places(scene, table(without), 2).at(0);
  assert.ok(x4_1 && lost.missing.includes('x4_1') && !lost.isKnown(scene.parts[0].a) && Number.isNaN(lost.points[0]) && lost.points[6] === 7);
  assert.equal(columnNames(scene.factors[0], 'omega'), null);
  assert.equal(columnNames(scene.factors[3], 'momentum'), null);
  assert.deepEqual(columnNames(scene.factors[0], 'momentum'), ['pi1x', 'pi1y', 'pi1z']);
  for (const turn of [null, 3, { z: 15 }, { z: 3, axis }, { z: 99, axis }, { z: 15, axis: [0, 0, 0] }, { z: 15, axis: [1, NaN, 0] }]) assert.equal(readScene({ ...is, turn }).turn, null);
});

test('points that are no function of the configuration come from their columns, and missing columns are named', () => {
  const is = { ...links([1]), points: [null], n_points: 1 };
  const scene = readScene({ ...is, parts: [{ kind: 'ball', a: { point: 0 } }] });
  const columns = { position1x: Float64Array.of(1, 2), position1y: Float64Array.of(3, 4), position1z: Float64Array.of(5, 7) };
  const places = new Places(scene, table(columns), 2);
  assert.deepEqual([...places.at(0.5).points], [1.5, 3.5, 6]);
  const bare = new Places(scene, table({}), 2);
  assert.deepEqual(bare.missing, ['position1x']);
  assert.equal(bare.isKnown(scene.parts[0].a), false);
  assert.deepEqual(new Places(readScene(links([1])), table({ q1x: Float64Array.of(1) }), 1).missing.sort(), ['q1y', 'q1z']);
});

test('a description from elsewhere is taken with its indices in range, or not at all', () => {
  const good = links([1, 1]);
  for (const bad of ['', '{', 'null', '[]', JSON.stringify({ ...good, version: 2 }), { ...good, z: 3 }, { ...good, factors: [{ kind: 'S2', z: 5, n: 3 }] }, { ...good, factors: [{ kind: '__proto__', z: 0, n: 3 }] }])
    assert.equal(readScene(bad), null, JSON.stringify(bad));
  const scene = readScene({
    ...good, up: [0, 0, 0], n_points: 1e9,
    parts: [{ kind: 'line', a: { point: 10000, frame: -7, at: [1, NaN, 0] }, b: { point: 1 }, size: [-1, 0, 0], link: 12, name: 3 }, { kind: 'script' }, null, { kind: 'tube', a: { point: 1 }, b: { point: 0 } }],
  });
  assert.deepEqual(scene.up, [0, 0, 1]);
  assert.equal(scene.points.n, 10000);
  assert.equal(scene.points.known[2], 0);
  assert.equal(scene.parts.length, 1);
  assert.deepEqual([scene.parts[0].a.point, scene.parts[0].a.frame, scene.parts[0].link, scene.parts[0].size[0]], [-1, -1, -1, 0]);
});

test('the first bodies and the first directions have panels, whatever is listed', () => {
  const inertia = [1, 0, 0, 0, 2, 0, 0, 0, 3];
  const factors = ['SO3', 'S2', 'SO3', 'S2', 'SO3', 'spin', 'S2'].map((kind, i) => ({ kind, z: 9 * i, n: kind === 'SO3' ? 9 : 3, label: '', ...(i ? { inertia } : {}) }));
  const scene = { version: 1, z: Array.from({ length: 63 }, (_, k) => `z${k}`), factors, points: [], n_points: 0, parts: [] };
  assert.deepEqual(panelFactors({ scene }), [2, 4, 1, 3]); // the first attitude has no inertia
  assert.deepEqual(panelFactors({ scene: { ...scene, factors: [null] } }), []);
  assert.deepEqual(panelFactors({ scene: null }), []);
});

test('arrows of vectors begin at what moves and go as it does, each unit with its own scale, at rows and between them', () => {
  const R = [0, 1].map((k) => rotation(direction(), 1 + k));
  const Pi = [[0.3, -0.4, 1.2], [0.5, 0.1, -0.6]];
  const p = [[3, 0, 4], [0, 12, 5]]; // the longest: 13
  const columns = { Pi2x: Pi.map((v) => v[0]), Pi2y: Pi.map((v) => v[1]), Pi2z: Pi.map((v) => v[2]), pi3: [2, -1] };
  for (let k = 0; k < 9; k++) columns[`R2${'xyz'[Math.floor(k / 3)]}${'xyz'[k % 3]}`] = R.map((one) => one[k]);
  for (let k = 0; k < 3; k++) Object.assign(columns, { [`x1_${k + 1}`]: [k, k + 0.5], [`p1_${k + 1}`]: p.map((v) => v[k]) });
  Object.assign(columns, { q3x: [1, 0], q3y: [0, 1] });
  const z = ['x1_1', 'x1_2', 'x1_3', ...Array.from({ length: 9 }, (_, k) => `R2${'xyz'[Math.floor(k / 3)]}${'xyz'[k % 3]}`), 'q3x', 'q3y'];
  const scene = readScene({
    version: 1, z,
    factors: [{ kind: 'R', z: 0, n: 3, label: 'x1' }, { kind: 'SO3', z: 3, n: 9, label: 'R2' }, { kind: 'S1', z: 12, n: 2, label: 'q3' }],
    n_points: 1, points: [{ from: -1, at: [0, 0, 7], add: [[0, 0, 1], [1, 1, 1], [2, 2, 1]] }],
    parts: [{ kind: 'line', a: {}, b: { frame: 1 } }, { kind: 'ellipsoid', a: { at: [1, 2, 3], frame: 1, offset: [0, 0, 9] }, size: [0.2, 0.1, 0.05] }, { kind: 'arrow', a: { at: [4, 4, 4] }, b: { at: [4, 4, 4], frame: 2, offset: [1, 0, 0] } }],
  });
  const places = new Places(scene, table(columns), 2);
  const arrows = new Arrows(scene, table(columns), 'momentum');
  assert.equal(arrows.n, 3);
  assert.deepEqual(arrows.scales, [['place', 13], ['turn', 2]]);
  assert.deepEqual(arrows.words, ['momentum, longest 13 kg m/s', 'angular momentum, longest 2 kg m²/s']);
  for (const row of [0, 1]) {
    arrows.update(places.at(row), 0.4, 0.5); // the longest: 0.2, less than half of the picture, more than sticks out of the body
    near(arrows.length, 0.2);
    const turned = times(R[row], Pi[row]);
    const right = [...p[row].map((c) => (0.2 * c) / 13), ...turned.map((c) => 0.1 * c), 0, 0, 0.1 * [2, -1][row]];
    right.forEach((c, k) => near(arrows.along[k], c));
    [row * 0.5, 1 + row * 0.5, 9 + row * 0.5, 1, 2, 3, 4, 4, 4].forEach((c, k) => near(arrows.from[k], c));
  }
  arrows.update(places.at(0.25), 100, 0.5);
  near(arrows.length, 0.5); // half of the picture
  [0, 1, 2].forEach((k) => near(arrows.along[k], (0.5 * (0.75 * p[0][k] + 0.25 * p[1][k])) / 13));
  near(arrows.along[8], 0.25 * (0.75 * 2 - 0.25));
  arrows.update(places.at(0), 0, 4);
  near(arrows.length, 1.3 * 0.2 * 4); // it sticks out of its body
  const none = new Arrows(scene, table(columns), 'omega');
  assert.equal(none.n, 0);
  assert.deepEqual(none.words, []);
  none.update(places, 1, 1);
  columns.p1_1 = [0, 0];
  columns.p1_2 = [0, 0];
  columns.p1_3 = [0, 0];
  const still = new Arrows(scene, table(columns), 'momentum');
  assert.deepEqual(still.scales, [['turn', 2]]);
  still.update(places, 1, 1);
  assert.deepEqual([...still.along.subarray(0, 3)], [0, 0, 0]); // and not 0 / 0
});

test('trails are as long as is asked for, or a tenth of the run, or 200 rows, or twelve turns', () => {
  const scene = { version: 1, z: ['x1_1'], factors: [{ kind: 'R', z: 0, n: 1, label: 'x1' }], n_points: 1, points: [{ from: -1, add: [[0, 0, 1]] }], parts: [] };
  const run = (n, span) => ({ n, span, scene, label: 'run', column: (name) => (name === 'x1_1' ? new Float64Array(n) : null) });
  const seconds = (n, span, options) => new Stage([run(n, span)]).trailSeconds({ trails: 'usual', trailSeconds: null, ...options });
  near(seconds(10000, [5, 25]), 2);
  near(seconds(400, [5, 25]), 10);
  near(seconds(50, [5, 25]), 20); // not more than the run
  near(seconds(50, [5, 25], { trailSeconds: 3 }), 3);
  near(seconds(50, [5, 25], { trails: 'none', trailSeconds: 3 }), 0);
  near(new Stage([]).trailSeconds({ trails: 'usual', trailSeconds: 3 }), 0);
  // a circle of 2000 rows a turn: twelve turns are 24000 rows; of 5 rows a turn the tenth of the run are more turns
  const circle = { ...scene, z: ['x1_1', 'x1_2'], factors: [{ kind: 'R', z: 0, n: 2, label: 'x1' }], points: [{ from: -1, add: [[0, 0, 1], [1, 1, 1]] }] };
  const going = (n, turn) => ({ n, span: [0, n], scene: circle, label: 'run', column: (name) => (/^x1/.test(name) ? Float64Array.from({ length: n }, (_, i) => Math[name === 'x1_1' ? 'cos' : 'sin']((2 * Math.PI * i) / turn)) : null) });
  const rows = (n, turn) => new Stage([going(n, turn)]).trailSeconds({ trails: 'usual', trailSeconds: null });
  near(rows(100000, 2000), 24000, 1e-6);
  near(rows(10000, 5), 1000);
});

test('outlines hold their bodies and touch them', () => {
  const R = rotation(direction(), 1.7);
  const size = [3, 1, 0.2];
  const half = size.map((s, k) => [s * R[k], s * R[3 + k]]); // as seen along the third axis of space
  const outline = ellipsoidOutline(half, 720);
  for (let n = 0; n < 20; n++) {
    const d = [Math.cos(n), Math.sin(n)];
    const support = Math.hypot(...half.map((a) => a[0] * d[0] + a[1] * d[1])); // of an ellipsoid: |A^T d|
    const most = Math.max(...outline.map((p) => p[0] * d[0] + p[1] * d[1]));
    assert.ok(most <= support * (1 + 1e-12) && most > support * 0.999, `${most}, not ${support}`);
  }
  const square = [[0, 0], [1, 0], [1, 1], [0, 1]];
  const hull = convexHull([...square, [0.5, 0.5], [0.5, 0], [0.2, 0.9], [NaN, 3]]);
  assert.deepEqual(hull.map(String).sort(), square.map(String).sort());
  for (const kind of ['box', 'cylinder', 'cone']) {
    const flat = cornersOf(kind, size).map((v) => times(R, v).slice(0, 2));
    const around = convexHull(flat);
    around.forEach((p, i) => {
      const q = around[(i + 1) % around.length];
      for (const r of flat) assert.ok((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) >= -1e-12, kind);
    });
  }
  assert.equal(cornersOf('cone', size).at(-1)[2], -0.2); // its tip
  assert.deepEqual(convexHull([]), []);
});

test('the extent holds all samples, but for a few that escape', () => {
  const ball = Array.from({ length: 200 }, () => [...direction().map((c) => 2 * c + 5), 0.1]);
  const { centre, radius } = extentOf(ball);
  for (const s of ball) assert.ok(Math.hypot(...[0, 1, 2].map((a) => s[a] - centre[a])) + 0.1 <= radius * (1 + 1e-12));
  assert.ok(radius > 2.05 && radius < 2.6);
  centre.forEach((c) => near(c, 5, 0.1));
  const escaped = extentOf([...ball, [1e6, 0, 0, 0.1], [0, -1e9, 0, 0.1]]);
  assert.ok(escaped.radius < 5, `${escaped.radius}`);
  assert.equal(extentOf([[1e12, 0, 0, 0], [1e12 + 1e3, 2, 0, 0]]).flat, 2);
  assert.equal(extentOf([[0, 0, 0, 1]]).flat, -1);
  assert.equal(escaped.samples.length, 200);
  assert.equal(extentOf([]).radius, 1);
});

test('a camera at the distance that fits sees the ball touch the edge, whatever the shape of the picture', () => {
  const fov = 0.6;
  for (const aspect of [0.5, 1, 2]) {
    const d = distanceFor(3, fov, aspect);
    const narrow = Math.min(fov, 2 * Math.atan(Math.tan(fov / 2) * aspect)); // half of it: between the axis and the tangent to the ball
    near(Math.asin(3 / d), narrow / 2, 1e-12);
  }
});

test('what a view shows fits: every sample is inside of the picture, one touches its edge', () => {
  const samples = Array.from({ length: 60 }, () => [3 * random(), random(), 0.2 * random(), 0.05]);
  const { centre, radius } = extentOf(samples);
  const axes = basis([0, 0, 1]);
  for (const [aspect, azimuth, elevation] of [[1.6, 0.6, 0.3], [0.5, -2, 1.2], [1, 0, 0]]) {
    const fov = 0.6;
    const d = distanceToSee(samples, centre, radius, axes, { azimuth, elevation }, fov, aspect);
    const back = directionOf(axes, azimuth, elevation);
    const eye = centre.map((c, a) => c + d * radius * back[a]);
    const right = [Math.cos(azimuth), Math.sin(azimuth), 0];
    const up = [back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2], back[0] * right[1] - back[1] * right[0]];
    let most = 0;
    for (const s of samples) {
      const x = [0, 1, 2].map((a) => s[a] - eye[a]);
      const depth = -x.reduce((sum, c, a) => sum + c * back[a], 0);
      for (const [side, half] of [[right, Math.atan(Math.tan(fov / 2) * aspect)], [up, fov / 2]]) {
        const off = Math.abs(x.reduce((sum, c, a) => sum + c * side[a], 0));
        // the angle to the far edge of the ball, in the plane of depth and side
        most = Math.max(most, (Math.atan2(off, depth) + Math.asin(0.05 / Math.hypot(off, depth))) / half);
      }
    }
    near(most, 1, 1e-9);
  }
});

test('angles and directions are inverse, and views are what they are called', () => {
  for (const up of [[0, 0, 1], [0, 1, 0], [1, 0, 0], direction()]) {
    const axes = basis(up);
    near(Math.hypot(...axes.right), 1);
    near(axes.right.reduce((s, c, k) => s + c * up[k], 0), 0);
    for (const [azimuth, elevation] of [[0.3, 0.2], [-2, 1.2], [3, -1]]) {
      const back = anglesOf(axes, directionOf(axes, azimuth, elevation));
      near(back.azimuth, azimuth, 1e-12);
      near(back.elevation, elevation, 1e-12);
    }
  }
  const axes = basis([0, 0, 1]);
  const from = (name, flat) => { const v = standardView(axes, name, flat); return directionOf(axes, v.azimuth, v.elevation).map((c) => Math.round(1e9 * c) / 1e9 + 0); };
  assert.deepEqual(from('front'), [0, -1, 0]);
  assert.deepEqual(from('side'), [1, 0, 0]);
  assert.deepEqual(from('top'), [0, 0, 1]);
  assert.deepEqual(from('y'), [0, 1, 0]);
  assert.deepEqual(from('home', 1), [0, -1, 0]); // a plane motion in x and z, x to the right
});

test('samples of a motion have the sizes of the parts', () => {
  const scene = readScene({ ...links([1]), parts: [{ kind: 'box', a: { point: 0 }, size: [1, 2, 2] }] });
  const columns = { q1x: Float64Array.of(1, 0), q1y: Float64Array.of(0, 1), q1z: Float64Array.of(0, 0) };
  const found = sampled(new Places(scene, table(columns), 2));
  assert.ok(found.some((s) => s[3] === 3 && s[0] === 1));
  near(extentOf(found).radius, 3.7, 0.05);
});

test('what a system takes at one time does not grow with its way', () => {
  const n = 50;
  const scene = readScene({ version: 1, z: ['x1_1', 'x2_1'], factors: [{ kind: 'R', z: 0, n: 1 }, { kind: 'R', z: 1, n: 1 }], n_points: 2, points: [{ from: -1, add: [[0, 0, 1]] }, { from: -1, add: [[0, 1, 1]] }], parts: [{ kind: 'ball', a: { point: 1 }, size: [0.5, 0, 0] }] });
  const columns = { x1_1: Float64Array.from({ length: n }, (_, i) => 100 * i), x2_1: Float64Array.from({ length: n }, (_, i) => 100 * i + 4) };
  near(localRadius(new Places(scene, table(columns), n)), 2.5); // 2 from the mean, and the ball's radius
});

test('a trail has the rows of the last seconds up to the row, whatever was shown before', () => {
  const n = 5000;
  const time = Float64Array.from({ length: n }, (_, i) => i / 100);
  const columns = { q1x: time.map((t) => Math.cos(t)), q1y: time.map((t) => Math.sin(t)), q1z: new Float64Array(n) };
  const scene = readScene({ ...links([2]), parts: [{ kind: 'line', b: { point: 0 } }] });
  const sources = usualSources(scene);
  assert.deepEqual(sources.map((s) => s.point), [0]);
  const trace = new Trace(scene, table(columns), n, time, sources);
  for (const [row, seconds, most] of [[4000, 3, 1000], [100.5, 3, 1000], [4999, Infinity, 500], [2500, 20, 300]]) {
    const count = trace.choose(row, row / 100, seconds, most);
    assert.ok(count <= most && count > Math.min(most, seconds * 100) / 4, `${count}`);
    for (let i = 0; i < count; i++) {
      const r = trace.rowList[i];
      assert.ok(r <= row && row / 100 - time[r] <= seconds + 1e-9);
      near(trace.x[trace.at(0, r)], 2 * Math.cos(time[r]));
    }
  }
});


test('a trail of few rows is the curve between them, with the rows in it and no sharp turns', () => {
  const n = 60;
  const step = 0.9;
  const time = Float64Array.from({ length: n }, (_, i) => step * i);
  const columns = { t: time, q1x: time.map((t) => Math.cos(t)), q1y: time.map((t) => Math.sin(t)), q1z: new Float64Array(n) };
  const scene = readScene({ ...links([2]), parts: [{ kind: 'line', b: { point: 0 } }] });
  const trace = new Trace(scene, table(columns), n, time, usualSources(scene));
  assert.equal(trace.every, 1 / 8); // 0.9 rad from row to row, 0.11 rad from corner to corner
  const count = trace.choose(40.3, 40.3 * step, 12 * step, 400);
  assert.equal(count, 12 * 8); // from row 28 3/8 to row 40 2/8
  for (let i = 0; i < count; i++) {
    const k = trace.rowList[i];
    const o = trace.at(0, k);
    const t = (k / 8) * step;
    near(trace.timeOf(k), t, 1e-13);
    if (k % 8 === 0) assert.deepEqual([...trace.x.subarray(o, o + 2)], [2 * columns.q1x[k / 8], 2 * columns.q1y[k / 8]]);
    near(trace.x[o], 2 * Math.cos(t), 1e-12); // a great circle at an even rate is exact
    near(trace.x[o + 1], 2 * Math.sin(t), 1e-12);
  }
});
test('the curve of a tube goes through its points, and is a straight line through points on one', () => {
  const x = Float64Array.from([0, 0, 0, 1, 1, 0, 2, 0, 1, 3, 3, 3]);
  const [at, along] = [new Float64Array(3), new Float64Array(3)];
  catmullRom(x, 0, 3, 6, 9, 0, at, along);
  assert.deepEqual([...at], [1, 1, 0]);
  assert.deepEqual([...along], [1, 0, 0.5]);
  catmullRom(x, 0, 3, 6, 9, 1, at, along);
  assert.deepEqual([...at], [2, 0, 1]);
  const line = Float64Array.from([0, 0, 0, 1, 2, 3, 2, 4, 6, 3, 6, 9]);
  catmullRom(line, 0, 3, 6, 9, 0.3, at, along);
  [1, 2, 3].forEach((s, a) => near(at[a], 1.3 * s));
});

test('columns of velocities and momenta are those of the kind of factor', () => {
  assert.deepEqual(columnNames({ kind: 'SO3', label: 'R2', n: 9 }, 'omega'), ['Omega2x', 'Omega2y', 'Omega2z']);
  assert.deepEqual(columnNames({ kind: 'S2', label: 'q11', n: 3 }, 'momentum'), ['pi11x', 'pi11y', 'pi11z']);
  assert.deepEqual(columnNames({ kind: 'R', label: 'x1', n: 2 }, 'momentum'), ['p1_1', 'p1_2']);
  assert.deepEqual(columnNames({ kind: 'S1', label: 'q3', n: 2 }, 'omega'), ['omega3']);
  assert.equal(columnNames({ kind: 'R', label: 'x1', n: 3 }, 'omega'), null);
  assert.equal(columnNames({ kind: 'spin', label: 's1', n: 3 }, 'momentum'), null);
});
