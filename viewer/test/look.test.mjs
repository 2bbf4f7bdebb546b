// SPDX-License-Identifier: BSD-3-Clause
// What is drawn of parts and in which colour: contrast by computed colours, hues of directions, marks, surfaces, shadows on planes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { axisLength } from '../src/scene/axis-length.js';
import { coloursOf } from '../src/scene/cast-colours.js';
import { DARK, LIGHT, directional, fromCss } from '../src/scene/colours.js';
import { readScene } from '../src/scene/description.js';
import { basis } from '../src/scene/fit.js';
import { Places } from '../src/scene/places.js';
import { shades } from '../src/scene/rigid.js';
import { Shadows } from '../src/scene/shadows.js';
import { usualSources } from '../src/scene/trace.js';

const near = (a, b, within = 1e-12) => assert.ok(Math.abs(a - b) <= within * Math.max(1, Math.abs(b)), `${a} is not ${b}`);
const luminance = (c) => c.reduce((sum, v, k) => sum + [0.2126, 0.7152, 0.0722][k] * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4), 0);
const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);

test('traces and labels of the panels are seen, light and dark: a contrast of 3 at least', () => {
  const css = readFileSync(new URL('../src/style.css', import.meta.url), 'utf8');
  const value = (dark, name) => fromCss([...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]+)`, 'g'))][dark ? 1 : 0][1]);
  for (const dark of [false, true]) {
    const background = value(dark, 'back');
    const palette = dark ? DARK : LIGHT;
    const [spot, rim] = shades({ background, palette, dark });
    assert.ok(luminance(spot) > luminance(rim), 'lit at the rim');
    for (const name of ['run1', 'run2']) for (const on of [spot, rim, background]) assert.ok(contrast(value(dark, name), on) >= 3, `${name}, dark: ${dark}: ${contrast(value(dark, name), on)}`);
    for (const axis of palette.axes) assert.ok(contrast(axis, background) >= 3, `axis ${axis}, dark: ${dark}: ${contrast(axis, background)}`);
  }
});

test('the hue of a direction is its azimuth and its lightness the component upwards', () => {
  const axes = basis([0, 0, 1]);
  const colour = (x, y, z) => { const c = [0, 0, 0]; directional(x, y, z, axes, [0.2, 0.8], c, 0); return c; };
  // HSL as CSS defines it, by way of the sector of the hue
  const hsl = (h, s, l) => {
    const chroma = s * (1 - Math.abs(2 * l - 1));
    const x = chroma * (1 - Math.abs(((h * 6) % 2) - 1));
    const [r, g, b] = [[chroma, x, 0], [x, chroma, 0], [0, chroma, x], [0, x, chroma], [x, 0, chroma], [chroma, 0, x]][Math.floor(h * 6) % 6];
    return [r, g, b].map((c) => c + l - chroma / 2);
  };
  for (const azimuth of [0, 0.4, 1.3, 2.6, 3.9, 5.5, 6.2]) {
    colour(Math.cos(azimuth), Math.sin(azimuth), 0).forEach((c, k) => near(c, hsl(azimuth / (2 * Math.PI), 0.9, 0.5)[k]));
    colour(0.8 * Math.cos(azimuth), 0.8 * Math.sin(azimuth), 0.6).forEach((c, k) => near(c, hsl(azimuth / (2 * Math.PI), 0.9, 0.68)[k]));
  }
  colour(0, 0, 1).forEach((c) => near(c, 0.8));
  colour(0, 0, -1).forEach((c) => near(c, 0.2));
});

const spins = (n, parts, strengths = []) => readScene({
  version: 1, z: Array.from({ length: 3 * n }, (_, k) => `s${1 + Math.floor(k / 3)}${'xyz'[k % 3]}`),
  factors: Array.from({ length: n }, (_, i) => ({ kind: 'spin', z: 3 * i, n: 3, label: `s${i + 1}`, ...(i in strengths ? { strength: strengths[i] } : {}) })), n_points: 0, points: [], parts,
});
const look = { palette: LIGHT, colour: LIGHT.runs[0], ink: [0, 0, 0], alone: true };

test('vortices leave trails on the sphere, in the colour of their sign, without arrows', () => {
  const ball = (i) => ({ kind: 'ball', a: { frame: i, offset: [1, 0, 0] }, size: [0.04, 0, 0], name: 'vortex' });
  const arrow = (i) => ({ kind: 'arrow', a: { frame: i, offset: [1, 0, 0] }, b: { frame: i, offset: [1.15, 0, 0] } });
  const scene = spins(3, [{ kind: 'globe', size: [1, 0, 0] }, ball(0), arrow(0), ball(1), arrow(1), ball(2), arrow(2)], [2, -0.5]);
  assert.deepEqual(scene.parts.map((p) => p.kind), ['globe', 'ball', 'ball', 'ball']);
  const sources = usualSources(scene);
  assert.deepEqual(sources.map((s) => [s.frame, ...s.offset]), [[0, 1, 0, 0], [1, 1, 0, 0], [2, 1, 0, 0]]);
  const colours = coloursOf(scene, sources, look);
  const [a, b, c] = scene.parts.slice(1).map((p) => colours.part(p));
  assert.ok(a.join() !== b.join() && a.join() === c.join() && a[2] > a[0] && b[0] > b[2], `${a} ${b} ${c}`); // blue, orange; left out it is 1
  assert.deepEqual(colours.trails, [a, b, c]);
  assert.equal(colours.signs.length, 2);
  assert.equal(coloursOf(scene, sources, { ...look, alone: false }).part(scene.parts[1]), null); // next to another run: that of the run
});

test('spins at their sites leave no trail, one spin does, the ends of axes come before all else', () => {
  const site = (i) => ({ kind: 'arrow', a: { frame: i, at: [i, 0, 0], offset: [-0.4, 0, 0] }, b: { frame: i, at: [i, 0, 0], offset: [0.4, 0, 0] } });
  assert.deepEqual(usualSources(spins(3, [site(0), site(1), site(2)])), []);
  assert.equal(usualSources(spins(1, [site(0)])).length, 1);
  const axis = { kind: 'line', name: 'axis', a: {}, b: { frame: 1, offset: [0, 2, 0] } };
  assert.deepEqual(usualSources(spins(3, [{ kind: 'globe', size: [1, 0, 0] }, { kind: 'arrow', b: { frame: 0, offset: [1, 0, 0] } }, axis])).map((s) => s.offset), [[0, 2, 0]]);
});

test('each of a few bodies has its colour, and its trail the same', () => {
  const z = [1, 2, 3].flatMap((i) => [1, 2, 3].map((k) => `x${i}_${k}`));
  const bodies = (n) => readScene({
    version: 1, z, factors: [0, 1, 2].map((i) => ({ kind: 'R', z: 3 * i, n: 3, label: `x${i + 1}` })), n_points: n,
    points: Array.from({ length: n }, (_, i) => ({ from: -1, add: [0, 1, 2].map((a) => [a, 3 * i + a, 1]) })), parts: Array.from({ length: n }, (_, i) => ({ kind: 'ball', a: { point: i } })),
  });
  const three = bodies(3);
  const { trails, part } = coloursOf(three, usualSources(three), look);
  assert.equal(new Set(trails.map(String)).size, 3);
  three.parts.forEach((p, i) => assert.deepEqual(part(p), trails[i]));
  assert.equal(coloursOf(bodies(1), usualSources(bodies(1)), look).part(bodies(1).parts[0]), null);
});

test('surfaces: indices in range, and the size that they have; marks as points', () => {
  const mesh = { kind: 'mesh', a: {}, vertices: [1, 0, 0, 0, 2, 0, 0, 0, -3], triangles: [0, 1, 2] };
  const read = (...parts) => spins(1, parts).parts;
  const [part] = read(mesh);
  assert.deepEqual([[...part.vertices], [...part.triangles], part.size], [mesh.vertices, mesh.triangles, [3, 3, 3]]);
  for (const bad of [{ vertices: [] }, { triangles: [] }, { triangles: [0, 1, 3] }, { triangles: [0, 1, -1] }, { triangles: [0, 1] }, { triangles: [0, 1, 0.5] }, { vertices: [1, 2, 3, 4] }, { vertices: [1, 0, 0, 0, NaN, 0, 0, 0, 1] }, { vertices: 'many' }, { triangles: null }, { triangles: new Array(60003).fill(0) }])
    assert.deepEqual(read({ ...mesh, ...bad }), [], JSON.stringify(bad).slice(0, 60));
  assert.deepEqual(read({ kind: 'mark', a: { at: [0, 0, 1] }, name: 'clamp' }).map((p) => [p.kind, p.name]), [['mark', 'clamp']]);
});

test('the shadow of a ball is a disc below it, darkest where it touches; that of a disk on its edge is slim', () => {
  const z = ['x1_1', 'x1_2', 'x1_3'];
  const is = (part, planes = [{ kind: 'plane', a: { at: [0, 0, 0.5] } }]) => readScene({
    version: 1, z, factors: [{ kind: 'R', z: 0, n: 3, label: 'x1' }], n_points: 1, points: [{ from: -1, add: [[0, 0, 1], [1, 1, 1], [2, 2, 1]] }],
    parts: [...planes, { a: { point: 0 }, ...part }],
  });
  const to = { origin: [0, 0, 0], scale: 1 };
  const shadow = (part, height, planes) => {
    const columns = { x1_1: Float64Array.of(3), x1_2: Float64Array.of(-1), x1_3: Float64Array.of(height) };
    const places = new Places(is(part, planes), (name) => columns[name] ?? null, 1).at(0);
    const made = new Shadows(places, 0.4);
    made.update(places, to);
    return made;
  };
  const ball = { kind: 'ball', size: [0.25, 0, 0] };
  const touching = shadow(ball, 0.75);
  assert.equal(touching.n, 1);
  near(touching.colour[3], 0.4, 1e-6);
  [3, -1, 0.5].forEach((c, k) => near(touching.position[k], c, 1e-6)); // its foot on the plane
  for (let k = 0; k < touching.position.length; k += 3) near(touching.position[k + 2], 0.5, 1e-6);
  const extent = (s, axis) => { const at = [...s.position].filter((_, k) => k % 3 === axis).slice(1, 29); return Math.max(...at) - Math.min(...at); }; // of the dark part
  for (const axis of [0, 1]) near(extent(touching, axis), 2 * 0.8 * 0.25, 0.02);
  assert.ok(shadow(ball, 1.5).colour[3] < 0.1 * 0.4 && shadow(ball, 0).colour[3] === 0); // high above; below the plane
  const edge = shadow({ kind: 'cylinder', size: [1, 1, 0.01], R: [0, 0, 1, 1, 0, 0, 0, 1, 0] }, 1.5); // its axis is e1
  near(extent(edge, 1), 1.6, 0.02);
  assert.ok(extent(edge, 0) < 0.1);
  assert.equal(shadow(ball, 1, []).n, 0);
  assert.equal(shadow(ball, 1, [{ kind: 'plane', a: { point: 0 } }]).n, 0); // one that moves is not the ground
});

test('axes of a body end a little beyond its surface, whatever it is turned by, and others as they are', () => {
  const scene = (...parts) => readScene({ version: 1, z: Array.from({ length: 9 }, (_, k) => `z${k}`), factors: [{ kind: 'SO3', z: 0, n: 9, label: 'R1' }], n_points: 0, points: [], parts });
  const axes = { kind: 'axes', a: { frame: 0 }, size: [5, 0, 0] };
  const lengths = (is) => [0, 1, 2].map((k) => axisLength(is, is.parts.at(-1), k));
  const turned = [0, -1, 0, 1, 0, 0, 0, 0, 1]; // the body's e1 is the second axis
  lengths(scene({ kind: 'ellipsoid', a: { frame: 0 }, size: [2, 1, 0.5], R: turned }, axes)).forEach((l, k) => near(l, [1, 2, 0.5][k] + 0.3));
  lengths(scene({ kind: 'ball', a: { frame: 0 }, size: [2, 0, 0] }, axes)).forEach((l) => near(l, 2.3));
  assert.deepEqual(lengths(scene({ kind: 'ball', a: { frame: 0 }, size: [2, 0, 0] }, { ...axes, size: [1, 0, 0] })), [1, 1, 1]);
  assert.deepEqual(lengths(scene(axes)), [5, 5, 5]);
});
