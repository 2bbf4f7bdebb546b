// SPDX-License-Identifier: BSD-3-Clause
// The modules of the interactive figures that need no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, fromCss, readable } from '../src/figures/colour.js';
import { dot, isVisible, level, levels, lookFrom, outline, turned } from '../src/figures/ellipsoid.js';
import { isSpot, equalised, extentOf, narrowed, placeOn, shifted } from '../src/figures/extent.js';
import { covered, fitted, placeNames } from '../src/figures/names.js';
import { nearest, nextPoint } from '../src/figures/nearest.js';
import { readFigure } from '../src/figures/read.js';
import { exact, splitLabel } from '../src/format.js';
import { linearTicks, logTicks, roomFor, tickWords } from '../src/ticks.js';

const near = (a, b, within = 1e-12) => assert.ok(Math.abs(a - b) <= within * Math.max(1, Math.abs(b)), `${a} is not ${b}`);
const curves = (lines, x = { log: true }, y = { log: true }) => ({ x, y, lines });

test('data of another form give no figure', () => {
  const good = { kind: 'curves', x: { label: 't [s]', log: true }, y: {}, lines: [{ label: 'a', colour: '#C1272D', x: [1, 2], y: [1, null] }] };
  const figure = readFigure(JSON.stringify(good));
  assert.equal(figure.lines[0].colour, '#c1272d');
  assert.ok(Number.isNaN(figure.lines[0].y[1])); // a gap
  for (const bad of ['', 'null', '[]', '{"kind":"pie"}', JSON.stringify({ ...good, lines: 3 }), JSON.stringify({ ...good, lines: [{ x: [1], y: [] }] })])
    assert.equal(readFigure(bad), null, bad);
  assert.equal(readFigure(JSON.stringify({ ...good, lines: [{ ...good.lines[0], colour: 'url(x)' }] })).lines[0].colour, '#808080');
  const band = { ...good.lines[0], upper: [3, null], shade: [0, 1] };
  assert.deepEqual([figure.keyed, readFigure(JSON.stringify({ ...good, keyed: true })).keyed], [false, true]);
  const banded = readFigure(JSON.stringify({ ...good, zero: true, lines: [band] }));
  assert.deepEqual([banded.zero, banded.lines[0].upper[0], banded.lines[0].shade[1]], [true, 3, 1]);
  assert.ok(Number.isNaN(banded.lines[0].upper[1]));
  for (const bad of [{ upper: [1] }, { upper: 'high' }, { shade: [1, 2, 3] }]) assert.equal(readFigure(JSON.stringify({ ...good, lines: [{ ...band, ...bad }] })), null);
  const dashed = readFigure(JSON.stringify({ ...good, top: 10, lines: [{ ...good.lines[0], dashes: [9, 5], cross: true, dots: true }] }));
  assert.deepEqual([dashed.top, dashed.lines[0].dashes, dashed.lines[0].cross, dashed.lines[0].dots, figure.top, figure.lines[0].dashes], [10, [9, 5], true, true, Infinity, []]);
  const body = { kind: 'polhode', half: [1, 2, 3], to: [0, 0, 1], up: [0, 1, 0], lines: [{ points: [1, 2, 3] }] };
  assert.equal(readFigure(JSON.stringify(body)).lines[0].points.length, 3);
  for (const bad of [{ half: [1, 0, 1] }, { to: [1] }, { lines: [{ points: [1, 2] }] }]) assert.equal(readFigure(JSON.stringify({ ...body, ...bad })), null);
});

test('a logarithmic axis leaves out what has no logarithm', () => {
  const figure = curves([{ x: [0, 1, 10, 100], y: [5, 0, 1e-3, NaN] }, { x: [1000], y: [1e-6] }]);
  const [x, y] = [extentOf(figure, 'x'), extentOf(figure, 'y')];
  near(x[0], 10);
  near(x[1], 1000);
  assert.ok(y[0] < 1e-6 && y[0] > 1e-7 && y[1] > 1e-3 && y[1] < 1e-2);
  assert.equal(extentOf(curves([{ x: [-1], y: [1] }]), 'x'), null);
  const flat = extentOf(curves([{ x: [1, 2], y: [3, 3] }], {}, {}), 'y');
  assert.ok(flat[0] < 3 && flat[1] > 3);
});

test('a band is in the picture with both of its edges, and zero where it is asked for', () => {
  const band = { x: [0, 1], y: [2, 3], upper: [5, NaN] };
  const y = extentOf({ ...curves([band], {}, {}), zero: true }, 'y');
  assert.ok(y[0] <= 0 && y[1] >= 5, `${y}`);
  assert.ok(extentOf(curves([band], {}, {}), 'y')[0] > 1);
  assert.deepEqual(nearest([[[0, 10, 4]]], 0, 6).distance, 0);
  near(nearest([[[0, 10, 4]]], 3, 0).distance, 5);
  near(nearest([[[0, 10, 4]]], 4, 13).distance, 5);
});

test('what is above the top is cut off', () => {
  const y = extentOf({ ...curves([{ x: [1, 2], y: [1e-3, 1e9] }]), top: 10 }, 'y');
  assert.ok(y[1] < 20 && y[1] >= 10, `${y}`);
});

test('a bar is in the picture with its width', () => {
  const x = extentOf(curves([{ x: [1, 1, 3], y: [0, 2, 1], bar: 0.8 }], {}, {}), 'x');
  assert.ok(x[0] <= 0.6 && x[1] >= 3.4, `${x}`);
});

test('zooming keeps the place under the finger, and undoes itself', () => {
  for (const log of [false, true]) {
    const range = [2, 200];
    const closer = narrowed(range, log, 0.5, 0.3);
    const at = narrowed(range, log, 0, 0.3)[0];
    near(placeOn(at, closer, log, 1), 0.3);
    const again = narrowed(closer, log, 2, 0.3);
    near(again[0], 2, 1e-9);
    near(again[1], 200, 1e-9);
  }
  for (const [is, log] of [[shifted([1, 3], false, 0.25), false], [shifted([1, 1e4], true, 0.25), true]]) {
    near(is[0], log ? 10 : 1.5);
    near(is[1], log ? 1e5 : 3.5);
  }
  const { x, y } = equalised([0, 1], [0, 1], 400, 200);
  near((x[1] - x[0]) / 400, (y[1] - y[0]) / 200);
  near(0.5 * (x[0] + x[1]), 0.5);
});

test('ticks are few, round and inside', () => {
  assert.deepEqual(logTicks(1e-3, 1e2, 600), [1e-3, 1e-2, 1e-1, 1, 10, 100]);
  assert.ok(logTicks(1e-16, 1e3, 200).length <= 5);
  assert.deepEqual(logTicks(1.5, 7, 300), [2, 5]);
  assert.deepEqual(linearTicks(-1, 1, 300, 60), [-1, -0.5, 0, 0.5, 1]);
  for (const [lo, hi] of [[1e-9, 3e-9], [1e6, 1e6 + 1], [-5e-3, 2]]) {
    const ticks = linearTicks(lo, hi, 400);
    assert.ok(ticks.length >= 2 && ticks.length <= 12, `${ticks}`);
    assert.ok(ticks.every((t) => t >= lo - 1e-9 * Math.abs(lo) && t <= hi + 1e-9 * Math.abs(hi)));
  }
  assert.deepEqual(tickWords([1e-6, 1e-4], true), ['10⁻⁶', '10⁻⁴']);
  assert.deepEqual(tickWords([5e-16], true), ['5·10⁻¹⁶']);
  assert.deepEqual(tickWords([-0.5, 0, 0.5], false), ['−0.5', '0', '0.5']);
  assert.deepEqual(tickWords([-2.5e-7, 1e-20, 2.5e-7], false), ['−2.5·10⁻⁷', '0', '2.5·10⁻⁷']);
  assert.deepEqual(tickWords([7573.6299, 7573.63, 7573.6301], false), ['7573.6299', '7573.63', '7573.6301']); // neighbours differ
  for (const [a, b] of [[-18, 40], [-3, 2], [0, 1], [-300, 280]]) {
    const ticks = logTicks(Number(`1e${a}`), Number(`1e${b}`), 100, 30);
    assert.ok(ticks.length >= 2 && ticks.length <= 6 && ticks.every((v) => v > 0), `${a} ${b}: ${ticks}`);
  }
  for (const [low, high] of [[0, 1e-30], [0, 1e50], [-3e-9, 7e-9], [1e9, 1e9 + 20], [0.3, 0.7], [-20, 0]]) {
    const found = linearTicks(low, high, 300);
    const apart = found[1] - found[0];
    assert.ok(found.length >= 2 && found.length <= 6, `${low} to ${high}: ${found}`);
    assert.ok(found.every((v) => v >= low - 1e-9 * apart && v <= high + 1e-9 * apart && Math.abs(v / apart - Math.round(v / apart)) < 1e-6));
  }
});

test('the read-out has all digits', () => {
  for (const value of [0.1 + 0.2, 1 / 3, 1.2345678901234567e-9, -7e30, 0, 12345.678]) assert.equal(Number(exact(value)), value);
  assert.deepEqual(splitLabel('angular momentum [kg m^2/s]'), { words: 'angular momentum', unit: 'kg m^2/s' });
  assert.deepEqual(splitLabel('error, relative'), { words: 'error, relative', unit: '' });
});

test('the nearest point is found across gaps', () => {
  const points = [[[0, 0], null, [10, 0]], [[5, 5]]];
  assert.deepEqual(nearest(points, 9, 1).index, 2);
  assert.equal(nearest(points, 5, 4).line, 1);
  assert.equal(nearest([[null]], 0, 0), null);
  assert.equal(nextPoint(points[0], 0, 1), 2);
  assert.equal(nextPoint(points[0], 2, 1), 2);
});

test('names keep clear of one another and stay in the frame', () => {
  const flat = (y) => Array.from({ length: 100 }, (_, i) => [5 * i, y]);
  const boxes = placeNames([{ points: flat(100), width: 90 }, { points: flat(104), width: 90 }, { points: [[900, 900]], width: 50 }], 500, 300);
  assert.equal(boxes[2], null); // it is not in the frame
  const [a, b] = boxes;
  assert.ok(a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0);
  for (const box of [a, b]) {
    assert.ok(box.x0 >= 0 && box.x1 <= 500 && box.y0 >= 0 && box.y1 <= 300);
    assert.equal(covered(flat(100), box), 0);
  }
});

test('colours can be read on both backgrounds', () => {
  near(contrast('#000000', '#ffffff'), 21, 1e-3);
  for (const background of ['#ffffff', '#16181a'])
    for (const colour of ['#111111', '#ffffff', '#0b57a4', '#e69f00', '#c8102e']) assert.ok(contrast(readable(colour, background), background) >= 4.5);
  assert.equal(readable('#0b57a4', '#ffffff'), '#0b57a4');
  assert.equal(fromCss('rgb(26, 26, 26)'), '#1a1a1a');
  assert.equal(fromCss('rgba(0, 0, 0, 0)'), null);
});

test('the ellipsoid is turned as a rigid body, and its polhodes lie on it', () => {
  let view = lookFrom([0.3, 0.44, 0.85], [0, 1, 0]);
  for (let i = 0; i < 500; i++) view = turned(view, 0.13, -0.07);
  for (const [a, b] of [['to', 'up'], ['to', 'right'], ['up', 'right']]) near(dot(view[a], view[b]), 0);
  for (const k of ['to', 'up', 'right']) near(dot(view[k], view[k]), 1);
  const half = [0.8, 1, 1.3];
  for (const line of levels(half))
    for (const x of line) near(x.reduce((sum, c, i) => sum + (c / half[i]) ** 2, 0), 1, 1e-9);
  assert.equal(level([1, 1, 1], 0, 1, 1), null);
  const before = lookFrom([0, 0, 1], [0, 1, 0]);
  assert.ok(turned(before, 0.1, 0).to[0] < 0); // dragged to the right, its left side comes forward
  assert.ok(isVisible(before, half, [0, 0, 1.3]) && !isVisible(before, half, [0, 0, -1.3]));
  for (const [x, y] of outline(before, half)) near((x / 0.8) ** 2 + y ** 2, 1); // seen along the third axis
});

test('a label that is too long keeps its beginning and its end, and fits', () => {
  const widthOf = (text) => 8 * [...text].length;
  const label = 'variational, order 2, h = 0.01 s (aa.out/double.polhode)';
  assert.equal(fitted(label, 8 * label.length, widthOf), label);
  for (const room of [399, 300, 120, 40, 16]) {
    const text = fitted(label, room, widthOf);
    assert.ok(widthOf(text) <= room && widthOf(text) > room - 24, `${text} in ${room}`);
    const [first, last] = text.split('…');
    assert.ok(label.startsWith(first) && label.endsWith(last) && last.length >= first.length, text);
  }
  assert.notEqual(fitted(label, 300, widthOf), fitted(label.replace('aa', 'bb'), 300, widthOf));
  assert.equal(fitted(label, 4, widthOf), '');
  assert.equal([...fitted('\u{1d49c}'.repeat(40), 80, widthOf)].length, 10);
});

test('numbers at an axis have the room that they need', () => {
  const widthOf = (text) => 7 * text.length;
  assert.equal(roomFor(['0', '1'], 53, widthOf), 53);
  assert.equal(roomFor(['\u22121.5\u00b710\u207b\u2079', '0'], 53, widthOf), 63);
  assert.equal(roomFor(null, 53, widthOf), 53);
});

test('a line whose points are all at one place is a spot', () => {
  assert.equal(isSpot([null, [3, 4], [3.5, 4.5], null]), true);
  assert.equal(isSpot([[3, 4], [3, 5.5]]), false);
  assert.equal(isSpot([[3, 4], null, [5, 4]]), false);
  assert.equal(isSpot([null]), false);
});

test('one bar does not fill the frame', () => {
  const bars = { x: { log: false }, y: { log: false }, zero: true, lines: [{ x: [22, 22, NaN], y: [0, 1, NaN], bar: 0.8 }] };
  const [least, largest] = extentOf(bars, 'x');
  assert.ok(Math.abs(0.5 * (least + largest) - 22) < 1e-9 && largest - least >= 3.2, `${least} ${largest}`);
  const [low, high] = extentOf({ ...bars, lines: [{ x: [11, 11, NaN, 19, 19, NaN], y: [0, 1, NaN, 0, 1, NaN], bar: 0.8 }] }, 'x');
  assert.ok(low > 9 && high < 21);
});
