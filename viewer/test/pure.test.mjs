// SPDX-License-Identifier: BSD-3-Clause
// The pure parts of the page: the clock, rows at times, the address, a state as YAML, names of columns, numbers for people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Clock, usualSpeed } from '../src/clock.js';
import { fallbackScene } from '../src/fallback-scene.js';
import { short, time } from '../src/format.js';
import { readHash, writeHash } from '../src/hash.js';
import { isMomentumMap, momentumMaps } from '../src/names.js';
import { distinguish } from '../src/labels.js';
import { Run } from '../src/run.js';
import { distance } from '../src/distance.js';
import { thinned } from '../src/shares.js';
import { energyError, errorNotes, momentumError, usualCharts } from '../src/series.js';
import { stateYaml } from '../src/state-yaml.js';

const run = (columns, scene = null, extra = {}) =>
  new Run({ name: 'a.polhode', meta: new Map(), scene, columns: Object.keys(columns).map((name) => ({ name, unit: extra[name] ?? '' })), data: Object.values(columns).map((v) => Float64Array.from(v)) });

test('rows at times, forwards, backwards, beyond the ends', () => {
  const a = run({ t: [0, 1, 3, 4] });
  assert.deepEqual(a.indexAt(2), { i: 1, fraction: 0.5 });
  assert.deepEqual(a.indexAt(1), { i: 1, fraction: 0 });
  assert.deepEqual(a.indexAt(-1), { i: 0, fraction: 0 });
  assert.deepEqual(a.indexAt(9), { i: 3, fraction: 0 });
  assert.equal(a.nearest(1.9), 1);
  assert.equal(a.nearest(2.1), 2);
  const b = run({ t: [4, 3, 1, 0] });
  assert.deepEqual(b.indexAt(2), { i: 1, fraction: 0.5 });
  assert.equal(b.nearest(0.4), 3);
  assert.deepEqual(b.span, [0, 4]);
  for (let t = -1; t < 5; t += 0.01) {
    const there = [0, 1, 3, 4].reduce((best, v) => (Math.abs(v - t) < Math.abs(best - t) ? v : best));
    if ([0.5, 2, 3.5].every((tie) => Math.abs(t - tie) > 1e-6)) for (const r of [a, b]) assert.equal(r.time[r.nearest(t)], there);
  }
});

test('the clock plays to the end, back, and reports what has changed', () => {
  const clock = new Clock();
  const said = [];
  clock.subscribe((_, what) => said.push(what));
  clock.setSpan(2, 4);
  assert.equal(clock.time, 2);
  clock.play();
  clock.advance(0.5);
  assert.equal(clock.time, 2.5);
  clock.setSpeed(10);
  clock.advance(1);
  assert.equal(clock.time, 4);
  assert.equal(clock.playing, false);
  clock.setSpeed(-1);
  clock.play();
  assert.equal(clock.time, 4);
  clock.advance(0.75);
  assert.equal(clock.time, 3.25);
  clock.setSpeed(0);
  clock.setSpeed(NaN);
  clock.setTime(NaN);
  assert.deepEqual([clock.speed, clock.time], [-1, 3.25]);
  assert.ok(said.includes('time') && said.includes('state'));
  for (const [span, speed] of [[20, 1], [1e-3, 5e-5], [1e6, 5e4], [3e7, 2e6], [0, 1]]) assert.ok(Math.abs(usualSpeed(span) / speed - 1) < 1e-12, `${span}: ${usualSpeed(span)}`);
});

test('while the clock runs, numbers change ten times a second at most, and the last ones are right', () => {
  let ms = 0;
  const clock = new Clock(() => ms);
  clock.setSpan(0, 100);
  const seen = [];
  let frames = 0;
  clock.subscribe((_, what) => (frames += what === 'time'));
  const end = clock.subscribeReader((c, what) => what === 'time' && seen.push(c.time));
  clock.play();
  seen.length = 0;
  for (; ms < 2000; ms += 16) clock.advance(0.016);
  assert.ok(frames >= 125);
  assert.ok(seen.length >= 17 && seen.length <= 20, `${seen.length} times in 2 s`);
  clock.advance(0.01);
  clock.pause();
  assert.equal(seen.at(-1), clock.time);
  for (const t of [5, 6, 7]) {
    clock.setTime(t); // steps and scrubbing: at once
    assert.equal(seen.at(-1), t);
  }
  end();
  clock.setTime(8);
  assert.equal(seen.at(-1), 7);
});

test('an address leads back to its state', () => {
  const state = { t: 1.0000000000000002, speed: -0.5, camera: [1, 2.5, -3e-7], columns: ['energy', 'a,b&c'], flags: ['trails', 'curve:q1x'] };
  assert.deepEqual(readHash(writeHash(state)), state);
  assert.deepEqual(readHash('#t=x&speed=0&camera=1,a&columns=&show=&%%=1&t'), { columns: [], flags: [] });
  assert.deepEqual(readHash(''), {});
  assert.deepEqual(readHash(writeHash({ t: 1, flags: [] })), { t: 1, flags: [] });
  assert.deepEqual(readHash('#columns=%E0%A4%A'), { columns: [] });
});

test('a state as YAML has every digit, in the columns that scenarios take', () => {
  const scene = { z: ['x1_1', 'q2x', 'q2y', 'q2z', 'R3xx', 'R3xy', 'R3xz', 'R3yx', 'R3yy', 'R3yz', 'R3zx', 'R3zy', 'R3zz', 'q4x', 'q4y'],
    factors: [{ kind: 'R', z: 0, n: 1, label: 'x1' }, { kind: 'S2', z: 1, n: 3, label: 'q2' }, { kind: 'SO3', z: 4, n: 9, label: 'R3' }, { kind: 'S1', z: 13, n: 2, label: 'q4' }] };
  const columns = { t: [0.1, 0.30000000000000004] };
  scene.z.forEach((name, i) => (columns[name] = [0, i / 3]));
  ['p1_1', 'pi2x', 'pi2y', 'pi2z', 'Pi3x', 'Pi3y', 'Pi3z', 'pi4'].forEach((name, i) => (columns[name] = [0, -i * 1e-7]));
  const { text } = stateYaml(run(columns, scene), 1);
  assert.match(text, /^ {2}time: 0\.30000000000000004$/m);
  const rows = [...text.matchAll(/^ {4}- \[(.*)\]$/gm)].map((m) => m[1].split(', ').map(Number));
  assert.deepEqual(rows.map((r) => r.length), [1, 3, 9, 2, 1, 3, 3, 1]);
  assert.deepEqual(rows.slice(0, 4).flat(), scene.z.map((_, i) => i / 3));
  assert.equal(rows[7][0], -7e-7);
  assert.ok(!text.includes('-0,'));
  const reduced = run(columns, scene);
  reduced.meta.set('scenario', 'polhode: 1\nreduction: {symmetry: S1}\n');
  assert.deepEqual(stateYaml(reduced, 1), { reduced: true });
  delete columns.Pi3y;
  assert.deepEqual(stateYaml(run(columns, scene), 1), { lacks: 'Pi3x' });
});

test('columns of momentum maps, errors against the first row', () => {
  const unit = { Jz: 'kg m^2/s', px: 'kg m/s', energy: 'J', pi1x: 'kg m^2/s', tangency: 'kg m^2/s' };
  const a = run({ t: [0, 1, 2], energy: [-2, -2.5, -2], Jz: [1, 1, 1.25], px: [3, 2, 3], pi1x: [0, 1, 2], tangency: [0, 0, 0] }, null, unit);
  a.energyScale = 2;
  assert.deepEqual(a.columns.filter(isMomentumMap).map((c) => c.name), ['Jz', 'px']);
  assert.deepEqual([...energyError(a, true)], [0, 0.25, 0]);
  assert.deepEqual([...energyError(a, false)], [0, 0.5, 0]);
  assert.deepEqual([...momentumError(a, 'kg m/s')], [0, 1, 0]);
  assert.deepEqual([...momentumError(a, 'kg m^2/s')], [0, 0, 0.25]);
  assert.equal(momentumError(a, 'J'), null);
  a.meta.set('conservative', 'false'); // forces change the energy
  assert.equal(usualCharts([a])[0].title, 'Energy change, relative');
  a.meta.set('conservative', 'true');
  assert.deepEqual(usualCharts([a]).map((c) => [c.title, c.unit]), [['Energy error, relative', ''], ['Momentum error', 'kg m^2/s'], ['Momentum error', 'kg m/s']]);
});

test('errors of rows at steps, and what a change of the energy is', () => {
  const a = run({ t: [0, 0.25, 0.4, 0.5, 0.75, 0.8], energy_error: [0, 3, -1, 3, 3, 2], constraint_error: [0, 3, 1, 3, 3, 2] });
  assert.deepEqual([...energyError(a, false)], [0, 3, 1, 3, 3, 2]); // steps that are not known
  a.meta.set('t0', '0');
  a.meta.set('step', '0.4');
  assert.deepEqual([...energyError(a, false)], [0, NaN, 1, NaN, NaN, 2]);
  const [energy, constraint] = usualCharts([a]);
  assert.deepEqual([...constraint.curves[0].values], [0, NaN, 1, NaN, NaN, 2]);
  assert.deepEqual([energy.title, energy.sparse], ['Energy change', true]);
  assert.match(errorNotes(a)[0], /^3 of 6 rows are interpolated/);
  assert.match(errorNotes(a)[1], /not known whether forces/);
  a.meta.set('step', '0.05');
  a.meta.set('conservative', 'true');
  assert.deepEqual([usualCharts([a])[0].title, usualCharts([a])[0].sparse], ['Energy error', false]);
  assert.deepEqual(errorNotes(a), []);
});

test('momentum maps that an archive names, or by names and units', () => {
  const unit = { Jx: 'm^2/s', theta: '', Sz: '', Q: '1', speed: 'm/s' };
  const a = run({ t: [0, 1], Jx: [0, 1], theta: [0, 1], Sz: [0, 1], Q: [0, 1], speed: [0, 1] }, null, unit);
  assert.deepEqual(momentumMaps(a).map((c) => c.name), ['Jx', 'Sz']);
  a.meta.set('momentum_maps', 'Q\nSz');
  assert.deepEqual(momentumMaps(a).map((c) => c.name), ['Sz', 'Q']);
});

test('the distance of two runs is said at common times only', () => {
  const scene = { version: 1, up: [0, 0, 1], z: ['x1_1'], factors: [{ kind: 'R', z: 0, n: 1, label: 'x1' }], points: [], parts: [] };
  const along = (times) => run({ t: times, x1_1: times.map((t) => Math.sin(t)) }, scene);
  const times = (h, n) => Array.from({ length: n }, (_, k) => k * h);
  const apart = distance(along(times(0.1, 71)), along(times(0.07, 101)));
  assert.equal(apart.common, 11); // each 0.7
  apart.values.forEach((v, i) => (i % 7 ? assert.ok(Number.isNaN(v)) : assert.ok(v < 1e-15)));
  assert.equal(distance(along(times(0.1, 11)), along(times(0.1, 11).map((t) => t + 0.05))).common, 0);
  assert.equal(distance(along(times(0.1, 11)), run({ t: [0, 1] })), null);
});

test('events are thinned name by name', () => {
  const events = Array.from({ length: 3000 }, (_, i) => ({ name: i % 1500 === 700 ? 'rare' : i % 2 ? 'rising' : 'falling', t: i }));
  const kept = thinned(events, 300);
  const count = (name) => kept.filter((e) => e.name === name).length;
  assert.deepEqual([count('rare'), kept.length <= 310, count('rising') > 80, Math.abs(count('rising') - count('falling')) < 3], [2, true, true, true]);
  assert.ok(kept.length <= 300, `${kept.length}`);
  assert.equal(thinned(events.slice(0, 300), 300).length, 300);
  // 2 of the first name leave 98 for the 50 and 3000 of the others
  const uneven = [...Array(2).fill('a'), ...Array(50).fill('b'), ...Array(3000).fill('c')].map((name, t) => ({ name, t }));
  assert.deepEqual(['a', 'b', 'c'].map((name) => thinned(uneven, 100).filter((e) => e.name === name).length), [2, 25, 49]);
  const strangers = Array.from({ length: 1000 }, (_, t) => ({ name: `n${t}`, t }));
  assert.equal(thinned(strangers, 100).length, 100); // of ever other names
  assert.equal(thinned(strangers, 0).length, 1);
});

test('a scene from the names of columns', () => {
  const names = ['t', 'q1x', 'q1y', 'q1z', 'q3x', 'q3y', 'x2_1', 'x2_2', 'x2_3', ...['x', 'y', 'z'].flatMap((a) => ['x', 'y', 'z'].map((b) => `R4${a}${b}`)), 'q5x'];
  const scene = fallbackScene(names.map((name) => ({ name, unit: '' })));
  assert.deepEqual(scene.factors.map((f) => [f.kind, f.label]), [['S2', 'q1'], ['R', 'x2'], ['S1', 'q3'], ['SO3', 'R4']]);
  assert.deepEqual(scene.points, [{ from: -1, add: [[0, 3, 1], [1, 4, 1], [2, 5, 1]] }]);
});

test('numbers for people', () => {
  assert.equal(short(0.000012345678, 3), '1.23e\u22125');
  assert.equal(short(-1234.5), '\u22121234.5');
  assert.equal(short(NaN), '\u2013');
  assert.equal(short(1e7, 3), '1e7');
  assert.equal(time(1.25, 0.01), '1.250');
  assert.equal(time(0, 5e-12), '0');
  assert.equal(time(6e-10, 5e-12), '6e\u221210'); // spins: times of nanoseconds
  assert.equal(time(6.05e-10, 5e-12), '6.05e\u221210');
  assert.equal(time(6e-31, 5e-33), '6e\u221231');
  assert.equal(time(1e9 + 0.05, 0.05), '1.00000000005e9');
  assert.equal(time(6e49, 5e48), '6e49');
});

test('names of runs are those by which they differ', () => {
  const of = (name, meta) => ({ name, label: Object.values(meta).join(', '), meta: new Map(Object.entries(meta)) });
  const tags = (...runs) => distinguish(runs).map((w) => w.tag);
  assert.deepEqual(tags(of('a.polhode', { method: 'variational', order: '2' }), of('b.polhode', { method: 'rk4', order: '4' })), ['variational', 'rk4']);
  assert.deepEqual(tags(of('a.polhode', { method: 'rk4', order: '4', step: '0.01' }), of('b.polhode', { method: 'rk4', order: '4', step: '0.0050000000000000001' })), ['h = 0.01', 'h = 0.005']);
  const same = distinguish([of('a.polhode', { method: 'rk4' }), of('b.polhode', { method: 'rk4' })]);
  assert.deepEqual(same, [{ tag: 'a', label: 'a: rk4' }, { tag: 'b', label: 'b: rk4' }]);
  assert.deepEqual(tags(of('a.polhode', {}), of('a.polhode', {})), ['a (1)', 'a (2)']);
  assert.deepEqual(distinguish([of('a.polhode', { method: 'rk4' })]), [{ tag: 'rk4', label: 'rk4' }]);
  const member = (number) => ({ ...of(`a-${number}.polhode`, { method: 'rk4' }), label: `member ${number}: m = ${number}`, member: { number, share: 0 } });
  assert.deepEqual(distinguish([member(3), member(10)]), [{ tag: 'member 3', label: 'member 3: m = 3' }, { tag: 'member 10', label: 'member 10: m = 10' }]);
});
