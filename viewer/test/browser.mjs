// SPDX-License-Identifier: BSD-3-Clause
// The page in a headless Chromium: node browser.mjs POLHODE EXAMPLES WORK SHOTS CHROMIUM. Archives are written by the program,
// pages by `polhode view`. Numbers that the page shows are compared with `polhode export` and `polhode info --json`; there may be
// no request but for the page, and no message of the console.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [polhode, examples, work, shots, executablePath] = process.argv.slice(2);
process.chdir(work);
const run = (...args) => execFileSync(polhode, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const example = (name) => readFileSync(join(examples, `${name}.yaml`), 'utf8');
let checks = 0;
const ok = (value, words) => {
  checks += 1;
  assert.ok(value, words);
};

/** Runs a scenario; its archive. */
function archive(name, text) {
  writeFileSync(`${name}.yaml`, text);
  run('run', `${name}.yaml`, '-q', '--force');
  return `${name}.out/${name}.polhode`;
}

/** Rows of columns by `polhode export`, as numbers. */
function rows(file, columns) {
  run('export', file, '-o', 'rows.csv', '--force', '--columns', columns.join(','));
  return readFileSync('rows.csv', 'utf8').trim().split('\n').slice(1).map((line) => line.split(',').map(Number));
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking'] });

/** A page, with what may not happen on it. */
async function open(file, { width = 1280, height = 800, dark = false, reduced = false, hash = '', javaScriptEnabled = true, touch = false, flat = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', reducedMotion: reduced ? 'reduce' : 'no-preference', acceptDownloads: true, javaScriptEnabled, hasTouch: touch, isMobile: touch });
  const page = await context.newPage();
  page.setDefaultTimeout(120000); // a machine may be busy
  page.problems = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && page.problems.push(`console: ${m.text()}`));
  page.on('pageerror', (e) => page.problems.push(`error: ${e.message}`));
  page.on('request', (r) => /^(file:|data:|blob:)/.test(r.url()) || page.problems.push(`request: ${r.url()}`));
  if (flat) await page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest); };
  });
  await page.goto(`file://${work}/${file}${hash}`);
  await page.evaluate(() => window.polhode?.ready);
  return page;
}

async function close(page) {
  assert.deepEqual(page.problems, []);
  checks += 1;
  await page.context().close();
}

/** The picture as PNG: one of a single colour has few bytes. */
async function picture(page, name) {
  await page.evaluate(() => window.polhode.view.draw());
  const png = await page.locator('.host').screenshot(name ? { path: join(shots, `${name}.png`) } : {});
  return png;
}

const at = (page, share) => page.evaluate((s) => {
  const { clock, app } = window.polhode;
  app.transport.toRow(clock.start + s * (clock.end - clock.start));
  return window.polhode.state();
}, share);

/** The picture at two times differs, and the numbers are those of the archive. */
async function scrub(page, name, file) {
  const first = await picture(page, `${name}-start`);
  ok(first.length > 6000, `${name}: the picture is blank (${first.length} bytes)`);
  const state = await at(page, 0.6);
  const second = await picture(page, name);
  ok(!first.equals(second), `${name}: the picture does not change`);
  const names = Object.keys(state.values);
  const [t, ...values] = rows(file, ['t', ...names])[state.row];
  assert.equal(state.rowTime, t);
  names.forEach((column, i) => assert.equal(state.values[column], values[i], `${name}: ${column}`));
  await page.getByRole('button', { name: 'Show all digits' }).click();
  const shown = await page.locator(`tr[data-column="${names[0]}"] td.number`).first().textContent();
  assert.equal(Number(shown), values[0]);
  checks += 2 + names.length;
}

/** The last row is that of `polhode info --json`. */
async function last(page, file) {
  const info = JSON.parse(run('info', file, '--json'));
  await page.keyboard.press('End');
  const state = await page.evaluate(() => window.polhode.state());
  assert.equal(state.row, info.rows - 1);
  assert.equal(state.t, info.t ?? info.time ?? state.t);
  checks += 2;
}

/** Drops files on the page, as a person does. */
async function drop(page, files) {
  const given = files.map((f) => ({ name: f.split('/').at(-1), bytes: readFileSync(f).toString('base64') }));
  await page.evaluate(async (list) => {
    const data = new DataTransfer();
    for (const { name, bytes } of list) data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
    document.documentElement.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, given);
  await page.waitForFunction(() => window.polhode.runs.length > 0 || document.querySelector('.messages p'));
}
const words = (page) => page.evaluate(() => `${document.querySelector('.messages')?.textContent} ${document.querySelector('.notes')?.textContent ?? ''}`);
/** Fingers that touch at places, move to others in steps, and are lifted. */
async function fingers(page) {
  const devtools = await page.context().newCDPSession(page);
  const send = (type, points) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  return async (from, to = from, steps = 6) => {
    await send('touchStart', from);
    for (let k = 1; k <= steps && to !== from; k++) await send('touchMove', from.map((p, i) => p.map((c, a) => c + ((to[i][a] - c) * k) / steps)));
    await send('touchEnd', []);
    await page.waitForTimeout(50);
  };
}

// ---- A chain: picture, numbers, keys, address, YAML, files
const chain = archive('chain', example('chain'));
run('view', chain, '-q', '--force', '-o', 'chain.html');
{
  const page = await open('chain.html');
  ok((await page.evaluate(() => window.polhode.clock.playing)) === false, 'it plays by itself');
  await scrub(page, 'chain', chain);
  await last(page, chain);
  await page.locator('.host').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal((await page.evaluate(() => window.polhode.state())).row, 11);
  await page.keyboard.press('ArrowLeft');
  assert.equal((await page.evaluate(() => window.polhode.state())).row, 10);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.polhode.state().row > 20);
  await page.keyboard.press('Space');
  ok(!(await page.evaluate(() => window.polhode.clock.playing)), 'Space does not pause');
  // Space plays after a click on a button, and presses one that the keyboard has reached
  const playing = () => page.evaluate(() => window.polhode.clock.playing);
  const pressed = () => page.locator('button[data-flag="trails"]').getAttribute('aria-pressed');
  for (const name of ['View: top', 'Trails (t)', 'One row on']) {
    await page.getByRole('button', { name, exact: true }).click();
    const was = await pressed();
    await page.keyboard.press('Space');
    ok(await playing(), `Space does not play after a click on ${name}`);
    await page.keyboard.press('Space');
    ok(!(await playing()) && (await pressed()) === was, `Space presses ${name} again`);
  }
  await page.locator('button[data-flag="trails"]').focus();
  const was = await pressed();
  await page.keyboard.press('Space');
  ok(!(await playing()) && (await pressed()) !== was, 'Space does not press the button that has the focus of the keyboard');
  await page.keyboard.press('Space');
  await page.evaluate(() => document.activeElement.blur());
  // between rows the picture is on the curve, and the numbers are those of a row
  const between = await page.evaluate(() => {
    const { clock, view, runs: [run] } = window.polhode;
    clock.setTime(0.6 * run.time[10] + 0.4 * run.time[11]);
    view.draw();
    const { places } = view.stage.runs[0];
    const q = ['x', 'y', 'z'].map((c) => run.column(`q1${c}`));
    return { z: [...places.z.subarray(0, 3)], rows: [10, 11].map((r) => q.map((c) => c[r])), state: window.polhode.state(), energy: run.column('energy_error')[10] };
  });
  ok(Math.abs(Math.hypot(...between.z) - 1) < 1e-14 && between.z.every((c, k) => c !== between.rows[0][k]), `between rows: ${between.z}`);
  assert.deepEqual([between.state.row, between.state.values.energy_error], [10, between.energy]);
  checks += 1;
  await page.keyboard.press('?');
  ok(await page.getByRole('dialog', { name: 'Help' }).isVisible(), 'no help');
  ok((await page.getByRole('dialog').textContent()).includes('Space'), 'help without keys');
  await page.getByRole('dialog').getByText('Licences').click();
  ok((await page.getByRole('dialog').textContent()).includes('MIT'), 'no licences');
  await page.keyboard.press('Escape');
  for (const key of ['t', 'f', 'o', 'v', 'm', 'w', 'b', '+', '-']) await page.keyboard.press(key);
  // the address leads to the same state
  await at(page, 0.3);
  await page.waitForFunction(() => location.hash.includes(`t=${window.polhode.clock.time}`));
  const hash = await page.evaluate(() => location.hash);
  const before = await page.evaluate(() => [window.polhode.state(), window.polhode.view.getCamera()]);
  const other = await open('chain.html', { hash });
  const after = await other.evaluate(() => [window.polhode.state(), window.polhode.view.getCamera()]);
  assert.deepEqual(after[0], before[0]);
  after[1].forEach((c, i) => assert.ok(Math.abs(c - before[1][i]) <= 1e-3 * (1 + Math.abs(before[1][i])), 'the camera is elsewhere'));
  checks += 4;
  await close(other);
  // the state begins another run
  await page.getByRole('button', { name: 'Copy the state' }).click();
  const yaml = await page.locator('dialog textarea').inputValue();
  await page.keyboard.press('Escape');
  const whole = example('chain').split('\n');
  const begin = whole.findIndex((line) => line.startsWith('initial:'));
  let end = begin + 1;
  while (begin >= 0 && end < whole.length && /^(\s|#|$)/.test(whole[end])) end += 1;
  if (begin >= 0) whole.splice(begin, end - begin);
  const again = archive('again', `${whole.join('\n')}\n${yaml}`);
  const state = await page.evaluate(() => window.polhode.state());
  const [continued] = rows(again, ['t', 'q1x', 'q1y', 'q1z']);
  const row = rows(chain, ['t', 'q1x', 'q1y', 'q1z'])[state.row];
  row.forEach((v, i) => assert.ok(Math.abs(v - continued[i]) <= 4e-16, `YAML: ${v}, not ${continued[i]}`));
  checks += 4;
  // files
  await at(page, 0.95);
  await page.evaluate(() => window.polhode.clock.setSpeed(0.25)); // forwards: a film of two seconds
  const record = async (button, ending, least) => {
    await page.getByRole('button', { name: 'Record pictures or a film' }).click();
    if (ending === 'zip') await page.getByLabel('Number of frames').fill('5');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button, exact: true }).click()]);
    const path = join(shots, `recorded.${ending}`);
    await download.saveAs(path);
    ok(statSync(path).size > least, `${ending} has ${statSync(path).size} bytes`);
    await page.keyboard.press('Escape');
    return readFileSync(path);
  };
  const png = await record('PNG of this instant', 'png', 5000);
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  const film = await record('WebM from now on', 'webm', 2000);
  assert.equal(film.readUInt32BE(0), 0x1a45dfa3);
  const zip = await record('PNG frames', 'zip', 20000);
  assert.equal(zip.toString('latin1').split('frame-0000').length - 1, 10); // 5 files, each named twice
  checks += 3;
  await close(page);
}

// ---- A rigid body, a cart: other parts of scenes; light, dark, narrow
for (const name of ['free-rigid-body', 'cart-chain', 'quadrotor-cable', 'rattleback', 'binary-asteroid', 'routh', 'spin-wave', 'vortices']) {
  const file = archive(name, example(name));
  run('view', file, '-q', '--force', '-o', `${name}.html`);
  const page = await open(`${name}.html`, { dark: name === 'cart-chain' });
  await scrub(page, name, file);
  assert.equal(await page.locator('.notes').count(), 0, `${name}: ${await words(page)}`); // nothing of its scene is missing
  await page.screenshot({ path: join(shots, `${name}-page.png`) });
  await close(page);
}
{
  const page = await open('cart-chain.html', { width: 400, height: 800, reduced: true });
  const [wide, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  ok(wide <= inner, `the page is ${wide} pixels wide on a screen of ${inner}`);
  const small = await page.evaluate(() => [...document.querySelectorAll('.transport button:not(.mark), nav button')].filter((b) => b.offsetParent && (b.offsetWidth < 40 || b.offsetHeight < 40)).map((b) => b.getAttribute('aria-label')));
  assert.deepEqual(small, []);
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, a')].filter((e) => !e.hidden && !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML.slice(0, 80)));
  assert.deepEqual(nameless, []);
  checks += 2;
  await page.screenshot({ path: join(shots, 'phone.png') });
  await close(page);
}

// ---- The sphere of a direction: its dot is where the direction is, by the projection from (0.75, -0.55, 0.55)
{
  const page = await open('chain.html');
  const d = [0.75, -0.55, 0.55].map((c) => c / Math.hypot(0.75, -0.55, 0.55));
  const right = [-d[1], d[0], 0].map((c) => c / Math.hypot(d[0], d[1]));
  const up = [d[1] * right[2] - d[2] * right[1], d[2] * right[0] - d[0] * right[2], d[0] * right[1] - d[1] * right[0]];
  const dot = (a, b) => a.reduce((sum, c, k) => sum + c * b[k], 0);
  const q = rows(chain, ['q1x', 'q1y', 'q1z']);
  assert.equal(await page.locator('.bodies canvas').count(), 2);
  const sphere = page.locator('.bodies canvas[aria-label^="q1 as a curve on the unit sphere"]');
  let seen = 0;
  for (let share = 0; share <= 1 && seen < 4; share += 0.04) {
    const { row } = await at(page, share);
    if (dot(q[row], d) < 0.1) continue; // behind
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const pixel = await sphere.evaluate((canvas, [x, y]) => {
      const half = canvas.width / 2;
      const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }).getContext('2d');
      copy.drawImage(canvas, 0, 0);
      return [...copy.getImageData(Math.round(half + 0.78 * half * x), Math.round(half - 0.78 * half * y), 1, 1).data];
    }, [dot(q[row], right), dot(q[row], up)]);
    ok(pixel[2] - pixel[0] > 80 && pixel[3] === 255, `no dot at row ${row}: ${pixel}`); // blue, where the sphere is grey
    seen += 1;
  }
  ok(seen > 1, 'the direction is always behind');
  await close(page);
}

// ---- The spheres of directions are lit where the light is, and traces are seen on them, light and dark
for (const dark of [false, true]) {
  const page = await open('chain.html', { dark });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const seen = await page.evaluate(() => {
    const canvas = document.querySelector('.bodies canvas');
    const half = canvas.width / 2;
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const at = (x, y) => [...copy.getImageData(Math.round(half + x * half), Math.round(half + y * half), 1, 1).data].slice(0, 3);
    const rgb = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number);
    return { spot: at(-0.3, -0.36), rim: at(0.48, 0.53), trace: rgb(getComputedStyle(document.querySelector('.legend .run1')).color), back: rgb(getComputedStyle(document.body).backgroundColor) };
  });
  const light = (c) => c.reduce((sum, v, k) => sum + [0.2126, 0.7152, 0.0722][k] * (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4), 0);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  ok(light(seen.spot) > 1.2 * light(seen.rim), `dark: ${dark}: the sphere is lit at its rim: ${seen.spot} ${seen.rim}`);
  for (const on of ['spot', 'rim', 'back']) ok(contrast(seen.trace, seen[on]) >= 3, `dark: ${dark}: contrast of the trace on ${on} is ${contrast(seen.trace, seen[on])}`);
  await close(page);
}

// ---- A reduced system: its points as in space, which the program writes as columns
{
  const file = archive('phase', example('routh').replace(/^output:.*$/m, 'output: {every: 4, columns: [configuration, positions]}'));
  run('view', file, '-q', '--force', '-o', 'phase.html');
  const page = await open('phase.html');
  const names = [1, 2].flatMap((k) => ['x', 'y', 'z'].map((c) => `position${k}${c}`));
  const truth = rows(file, names);
  for (const share of [0.1, 0.5, 0.9]) {
    const { row } = await at(page, share);
    await page.evaluate(() => window.polhode.view.draw());
    const [points, parts] = await page.evaluate(() => { const [{ places, scene }] = window.polhode.view.stage.runs; return [[...places.points], scene.parts.map((p) => p.kind)]; });
    points.forEach((x, i) => assert.ok(Math.abs(x - truth[row][i]) < 1e-12, `${names[i]} at row ${row}: ${x}, not ${truth[row][i]}`));
    assert.deepEqual(parts, ['line', 'ball', 'line', 'ball', 'mark']);
    checks += 7;
  }
  await close(page);
  // of an archive whose scene was described otherwise the page has the description of this version
  copyFileSync(file, 'older.polhode');
  execFileSync('python3', ['-c', `import sqlite3; a = sqlite3.connect("older.polhode"); a.execute("PRAGMA user_version = 2"); a.execute("DELETE FROM meta WHERE key LIKE '%crc32'"); a.execute("UPDATE meta SET value = json_set(json_remove(value, '$.turn'), '$.points', json('[null,null]'), '$.parts', json('[]')) WHERE key = 'scene'"); a.commit()`]);
  run('view', 'older.polhode', '-q', '--force', '-o', 'older.html');
  const older = await open('older.html');
  assert.equal(await older.locator('.notes').count(), 0);
  assert.equal(await older.evaluate(() => window.polhode.view.stage.runs[0].scene.parts.length), 5);
  checks += 2;
  await close(older);
}

// ---- A disk that rolls away, followed: what changes is its roll
{
  const file = archive('disk', 'polhode: 1\nmodel: vertical-disk\ninitial: {preset: straight}\nmethod: dla\nstep: 0.01\nduration: 6\n');
  run('view', file, '-q', '--force', '-o', 'disk.html');
  const page = await open('disk.html');
  await page.evaluate(() => window.polhode.app.flag('follow', true));
  await page.evaluate(() => window.polhode.app.flag('trails', false));
  const turned = () => page.evaluate(() => {
    window.polhode.view.draw();
    const [{ places, scene }] = window.polhode.view.stage.runs;
    const G = new Float64Array(9);
    places.stand(scene.parts.find((p) => p.name === 'disk'), G);
    return [...G];
  });
  for (const share of [0, 0.2, 0.7]) {
    const { row } = await at(page, share);
    // about the axis to its left, e2, by the angle of the archive, which its third axis is along
    const [cosine, sine] = rows(file, ['q3x', 'q3y'])[row];
    const G = await turned();
    [sine, cosine, 0, 0, 0, 1, cosine, -sine, 0].forEach((c, k) => assert.ok(Math.abs(G[k] - c) < 1e-12, `turned to ${G}, not by (${cosine}, ${sine})`));
    checks += 1;
  }
  await page.screenshot({ path: join(shots, 'disk.png') });
  await close(page);
}

// ---- Without WebGL, and where its context is lost
{
  const page = await open('chain.html', { flat: true });
  ok(/no WebGL/.test(await words(page)), 'it does not say so');
  const first = await picture(page);
  await at(page, 0.7);
  const second = await picture(page, 'flat');
  ok(!first.equals(second) && second.length > 4000, 'the flat picture does not change');
  const box = await page.locator('.host').boundingBox();
  const before = await page.evaluate(() => window.polhode.view.getCamera());
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 230, { steps: 4 });
  await page.mouse.up();
  const after = await page.evaluate(() => window.polhode.view.getCamera());
  ok(Math.abs(before[1] - after[1] - 0.008 * 60) < 1e-3 && Math.abs(after[2] - before[2] - 0.008 * 30) < 1e-3, `turned from ${before} to ${after}`);
  ok(await page.getByRole('button', { name: 'Parallel' }).isDisabled(), 'a flat picture is always parallel');
  for (const name of ['free-rigid-body', 'cart-chain', 'disk', 'vortices']) {
    await drop(page, [`${name}.out/${name}.polhode`]);
    await page.waitForFunction((n) => window.polhode.runs[0]?.name.startsWith(n), name);
    ok((await picture(page, `flat-${name}`)).length > 4000, `${name}: the flat picture is blank`);
  }
  await close(page);
  run('view', 'free-rigid-body.out/free-rigid-body.polhode', '-q', '--force', '-o', 'body.html');
  const body = await open('body.html', { flat: true });
  await at(body, 0.6);
  const legend = body.locator('.scene-legend');
  let plain = await picture(body);
  for (const [name, text] of [['Momentum', /angular momentum, longest [\d.]+ kg m²\/s/], ['Omega', /angular velocity, longest [\d.]+ rad\/s/]]) {
    ok(!text.test(await legend.textContent()), `${name}: explained before it is shown`);
    await body.locator(`[data-flag=${name.toLowerCase()}]`).click();
    await body.waitForFunction(([source]) => new RegExp(source).test(document.querySelector('.scene-legend').textContent), [text.source]);
    const shown = await picture(body, `flat-${name}`);
    ok(!plain.equals(shown), `${name}: no arrows in the flat picture`);
    plain = shown;
  }
  await close(body);
  const lost = await open('chain.html');
  await lost.evaluate(() => document.querySelector('.host canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext());
  await lost.waitForFunction(() => window.polhode.view.lost);
  await at(lost, 0.5);
  await drop(lost, [`cart-chain.out/cart-chain.polhode`]);
  await lost.waitForFunction(() => window.polhode.runs[0].name.startsWith('cart-chain'));
  assert.equal(await lost.locator('.host canvas').count(), 1);
  ok((await picture(lost, 'lost')).length > 6000, 'no picture after a lost context');
  await close(lost);
}

// ---- Fingers: on the scene, and on curves
{
  const page = await open('chain.html', { width: 400, height: 800, touch: true });
  const hand = await fingers(page);
  const camera = () => page.evaluate(() => window.polhode.view.getCamera());
  const box = await page.locator('.host').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const still = () => page.waitForTimeout(600); // damping
  const start = await camera();
  await hand([[x, y]], [[x + 60, y]]);
  await still();
  const turned = await camera();
  ok(Math.abs(turned[1] - start[1]) > 0.2 && Math.abs(turned[3] - start[3]) < 1e-3, `one finger turns: ${turned}`);
  await hand([[x - 30, y], [x + 30, y]], [[x - 60, y], [x + 60, y]]);
  await still();
  const near = await camera();
  ok(near[3] < 0.7 * turned[3], `a pinch zooms: ${near}`);
  await hand([[x - 30, y], [x + 30, y]], [[x, y + 40], [x + 60, y + 40]]);
  await still();
  const moved = await camera();
  ok(Math.hypot(...[4, 5, 6].map((k) => moved[k] - near[k])) > 0.05 && Math.abs(moved[3] / near[3] - 1) < 0.05, `two fingers move: ${moved}`);
  assert.deepEqual(await page.evaluate(() => [scrollY, visualViewport.scale]), [0, 1]);
  const over = page.locator('.chart .u-over').first();
  await over.scrollIntoViewIfNeeded();
  const plot = await over.boundingBox();
  await hand([[plot.x + 0.25 * plot.width, plot.y + 50]]);
  const [t, said] = await page.evaluate((at) => [window.polhode.clock.time, window.polhode.app.charts[0].chart.posToVal(at, 'x')], 0.25 * plot.width);
  ok(Math.abs(t - said) < 0.01 && t > 1, `a tap on a curve: ${t}, not ${said}`);
  checks += 1;
  await close(page);
}

// ---- Curves of other pages: keys, wheel, pinch
{
  run('report', chain, '-q', '--force', '-o', 'report.html');
  for (const touch of [false, true]) {
    const page = await open('report.html', { width: touch ? 400 : 1000, height: 900, touch });
    const figure = page.locator('figure.plot').filter({ has: page.locator('.u-over') }).first();
    await page.locator('figure.plot').first().scrollIntoViewIfNeeded();
    await figure.locator('.u-over').waitFor();
    await figure.scrollIntoViewIfNeeded();
    const over = figure.locator('.u-over');
    const box = await over.boundingBox();
    const said = () => figure.locator('.readout').textContent();
    const drawn = () => figure.locator('canvas').evaluate((canvas) => canvas.toDataURL());
    const whole = await drawn();
    const [x, y] = [box.x + 0.6 * box.width, box.y + 0.5 * box.height];
    if (touch) {
      const hand = await fingers(page);
      await hand([[x - 25, y], [x + 25, y]], [[x - 75, y], [x + 75, y]]);
      ok((await drawn()) !== whole, 'a pinch does not zoom');
      const near = await drawn();
      await hand([[x - 25, y], [x + 25, y]], [[x - 55, y], [x - 5, y]]);
      ok((await drawn()) !== near, 'two fingers do not move the curves');
      assert.equal(await page.evaluate(() => visualViewport.scale), 1);
    } else {
      await over.focus();
      await page.keyboard.press('ArrowRight');
      const first = await said();
      ok(/\d/.test(first), 'no number is read out');
      await page.keyboard.press('Shift+ArrowRight');
      ok((await said()) !== first, 'the next point is the same');
      await page.keyboard.press('+');
      const near = await drawn();
      ok(near !== whole, '+ does not zoom');
      await page.keyboard.press('-');
      await page.keyboard.press('0');
      assert.equal(await drawn(), whole);
      await over.blur();
      const scrolled = () => page.evaluate(() => scrollY);
      await page.mouse.move(x, y);
      const before = await scrolled();
      await page.mouse.wheel(0, 60);
      await page.waitForTimeout(300);
      assert.equal(await drawn(), whole, 'the wheel zooms where it should scroll');
      await page.evaluate((top) => scrollTo(0, top), before);
      await over.focus();
      // the point under the pointer stays there
      await page.mouse.move(x + 1, y);
      await page.mouse.move(x, y);
      const under = await said();
      await page.mouse.wheel(0, -120);
      await page.waitForTimeout(100);
      ok((await drawn()) !== whole, 'the wheel does not zoom');
      await page.mouse.move(x + 1, y);
      await page.mouse.move(x, y);
      ok(under === '' || (await said()) !== '', 'the point has moved away');
      assert.equal(await scrolled(), before);
      await page.keyboard.press('Escape');
      assert.equal(await drawn(), whole);
      checks += 4;
    }
    await close(page);
  }
}

// ---- A polhode of a page of the bench: keys, pointer, a finger
{
  run('bench', 'polhode', '-b', '0.02', '-q', '-f', '-o', 'bench');
  for (const touch of [false, true]) {
    const page = await open('bench/report.html', { width: touch ? 400 : 1000, height: 900, touch, reduced: true });
    const canvas = page.locator('figure.plot .turn canvas');
    for (const figure of await page.locator('figure.plot').all()) await figure.scrollIntoViewIfNeeded(); // they are made when they are near
    await canvas.waitFor();
    await canvas.scrollIntoViewIfNeeded();
    const drawn = () => canvas.evaluate((c) => c.toDataURL());
    const home = await drawn();
    const box = await canvas.boundingBox();
    const [x, y] = [box.x + 0.5 * box.width, box.y + 0.5 * box.height];
    if (touch) {
      const hand = await fingers(page);
      await hand([[x, y]], [[x + 60, y + 2]]);
      ok((await drawn()) !== home, 'a finger does not turn it');
    } else {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 40, y + 20, { steps: 3 });
      await page.mouse.up();
      ok((await drawn()) !== home, 'the pointer does not turn it');
      await canvas.focus();
      await page.keyboard.press('0');
      assert.equal(await drawn(), home);
      await page.keyboard.press('ArrowRight');
      const turned = await drawn();
      ok(turned !== home, 'a key does not turn it');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowUp');
      ok((await drawn()) !== turned, 'a key does not turn it upwards');
      await page.keyboard.press('Space');
      assert.equal(await page.locator('figure.plot .turn button').textContent(), 'Stop turning');
      checks += 2;
    }
    await close(page);
  }
}

// ---- A body that is at rest at first has no ellipsoid of energy there, and all else
{
  const file = archive('rest', 'polhode: 1\nmodel: pendulum-3d\ninitial: {q: [{euler: [0.3, 0.4, 0]}], omega: [[0, 0, 0]]}\nmethod: variational\nstep: 0.01\nduration: 3\n');
  run('view', file, '-q', '--force', '-o', 'rest.html');
  const page = await open('rest.html');
  ok((await page.locator('.chart canvas').count()) >= 2, 'curves are missing');
  assert.equal(await page.locator('.bodies canvas').count(), 2);
  await at(page, 0.5);
  await page.screenshot({ path: join(shots, 'rest.png') });
  await close(page);
}

// ---- What a frame of 100 bodies takes: counts, since times are those of the machine (frames.mjs measures them)
{
  const hundred = archive('hundred', 'polhode: 1\nmodel: rigid-chain\nparameters: {bodies: 100}\nmethod: rk4\nstep: 2e-4\nsteps: 2000\noutput: {every: 20, columns: [energy, energy_error, configuration]}\n');
  run('view', hundred, '-q', '--force', '-o', 'hundred.html');
  const page = await open('hundred.html');
  const counts = await page.evaluate(async () => {
    const { clock, view } = window.polhode;
    let [words, draws] = [0, 0];
    new MutationObserver(() => (words += 1)).observe(document.querySelector('.now-text'), { childList: true, characterData: true, subtree: true });
    const { calls, triangles, software } = view.stats();
    clock.loop = true;
    clock.setSpeed(0.05);
    draws = -view.frames;
    const from = performance.now();
    clock.play();
    await new Promise((done) => setTimeout(done, 2000));
    clock.pause();
    return { calls, triangles, software, words, draws: draws + view.frames, seconds: (performance.now() - from) / 1000 };
  });
  ok(counts.software, 'this test draws by the processor');
  // draws: bodies, axes, joints, trail, floor, and the two shapes of the mark of the pivot, whatever the number of bodies
  ok(counts.triangles > 2000 && counts.triangles <= 16000 && counts.calls <= 7, `100 bodies: ${counts.triangles} triangles in ${counts.calls} draws`);
  ok(counts.draws >= 4, `${counts.draws} frames in ${counts.seconds} s`);
  ok(counts.words >= 2 && counts.words <= 11 * counts.seconds + 3, `numbers changed ${counts.words} times in ${counts.seconds} s`);
  await close(page);
}
// ---- A system that goes far beyond its own size is followed
{
  run('new', 'quadrotor-cable', '-q', '--force', '-o', 'far.yaml');
  const file = archive('far', readFileSync('far.yaml', 'utf8').replace(/^ *thrust: .*$/m, '  thrust: 0').replace('preset: swinging', 'preset: tumbling')); // it falls
  run('view', file, '-q', '--force', '-o', 'far.html');
  const page = await open('far.html');
  const [follows, size] = await page.evaluate(() => {
    const { view, app, clock } = window.polhode;
    clock.setTime(clock.end);
    view.draw();
    const x = view.stage.runs[0].places.points;
    const pixels = Array.from({ length: x.length / 3 }, (_, k) => k).map((k) => [0, 1, 2].map((a) => (x[3 * k + a] - view.stage.to.origin[a]) * view.stage.to.scale)).map((p) => view.rig.pixelAt(...p));
    const wide = Math.max(...[0, 1, 2].map((a) => Math.max(...Array.from({ length: x.length / 3 }, (_, k) => x[3 * k + a])) - Math.min(...Array.from({ length: x.length / 3 }, (_, k) => x[3 * k + a]))));
    return [app.flags.has('follow'), (wide * view.stage.to.scale) / Math.min(...pixels)];
  });
  ok(follows, 'it is followed');
  ok((await page.locator('tr[data-column]').count()) > 2, 'no numbers are shown');
  const end = await page.evaluate(() => window.polhode.clock.end);
  const linked = await open('far.html', { hash: `#t=${0.5 * end}` });
  assert.equal(await linked.evaluate(() => window.polhode.clock.time), 0.5 * end); // the address leads there all the same
  ok(await linked.evaluate(() => window.polhode.app.flags.has('follow')), 'it is not followed by a link');
  await drop(linked, [chain]);
  await linked.waitForFunction(() => window.polhode.runs[0].name.startsWith('chain'));
  assert.equal(await linked.evaluate(() => window.polhode.view.options.follow), -1);
  checks += 2;
  await close(linked);
  ok(size > 100, `it is ${size} pixels large in the picture`);
  await close(page);
}

// ---- Two runs on one clock
{
  const two = archive('rk4', example('chain').replace(/^method:.*$/m, 'method: rk4').replace(/^step:.*$/m, 'step: 0.005').replace(/^output:.*$/m, 'output: {every: 2}'));
  run('view', chain, two, '-q', '--force', '-o', 'two.html');
  const page = await open('two.html');
  await at(page, 0.8);
  assert.equal(await page.locator('.legend span').count(), 2);
  ok(await page.getByText('Distance of the two').isVisible(), 'no distance of the two');
  // the distance is that of the points, by the columns of both
  const shown = await page.evaluate(() => {
    const { charts } = window.polhode.app;
    const { values } = charts[0].is.curves[0];
    return [...values];
  });
  const q = ['q1x', 'q1y', 'q1z', 'q2x', 'q2y', 'q2z', 'q3x', 'q3y', 'q3z', 'q4x', 'q4y', 'q4z', 'q5x', 'q5y', 'q5z'];
  const [a, b] = [chain, two].map((file) => rows(file, ['t', ...q]));
  const lengths = JSON.parse(run('info', chain, '--json')) && 0.1;
  const points = (r) => [0, 1, 2, 3, 4].map((k) => [0, 1, 2].map((c) => Array.from({ length: k + 1 }, (_, j) => lengths * r[1 + 3 * j + c]).reduce((x, y) => x + y, 0)));
  let compared = 0;
  a.forEach((r, i) => {
    const s = b.find((row) => Math.abs(row[0] - r[0]) < 1e-12);
    if (!s) return;
    const [x, y] = [points(r), points(s)];
    const most = Math.max(...x.map((p, k) => Math.hypot(...p.map((v, c) => v - y[k][c]))));
    assert.ok(Math.abs(most - shown[i]) < 1e-12, `distance at row ${i}: ${shown[i]}, not ${most}`);
    compared += 1;
  });
  ok(compared > 10, 'no rows at the same times');
  ok(shown.at(-1) > shown[1], 'the two do not part');
  await page.screenshot({ path: join(shots, 'two.png') });
  await close(page);
}

// ---- The archive that a page has can be saved, and is one
{
  const page = await open('same.html'.replace('same', 'two'));
  await page.getByText('What was run').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Save chain/ }).first().click()]);
  ok(/-copy\.polhode$/.test(download.suggestedFilename()), download.suggestedFilename());
  await download.saveAs('saved.polhode');
  const info = JSON.parse(run('info', 'saved.polhode', '--json'));
  ok(info.rows === JSON.parse(run('info', chain, '--json')).rows, `${info.rows} rows were saved`);
  await close(page);
}
// ---- The same trajectory with rows at other times: the distance is none where both have a row, and nothing is said elsewhere
{
  const [tens, sevens] = [10, 7].map((every) => archive(`every${every}`, example('chain').replace(/^duration:.*$/m, 'duration: 7').replace(/^output:.*$/m, `output: {every: ${every}}`)));
  run('view', tens, sevens, '-q', '--force', '-o', 'same.html');
  const page = await open('same.html');
  const shown = await page.evaluate(() => [...window.polhode.app.charts[0].is.curves[0].values].filter(Number.isFinite));
  ok(await page.getByText('Distance of the two').isVisible() && shown.length > 5, `${shown.length} common rows`);
  ok(Math.max(...shown) < 1e-14, `one trajectory is ${Math.max(...shown)} from itself`);
  await close(page);
}
// ---- Relative errors of the energy have the scale of `polhode info`, in copies and in archives; here the energy at the start is about 0
{
  const level = archive('level', 'polhode: 1\nmodel: chain-pendulum\nparameters: {links: 1}\ninitial: {q: [[1, 0, 6.123e-17]], omega: [[0, 0, 0]]}\nmethod: rk4\nstep: 0.01\nsteps: 300\noutput: {every: 1}\n');
  const { energy_scale: scale, energy_error_max: most } = JSON.parse(run('info', level, '--json')).errors;
  ok(scale > 0.01 && most < 0.1, `info: ${most} relative to ${scale}`);
  run('view', level, '-q', '--force', '-o', 'level.html');
  for (const how of ['level.html', 'empty.html']) {
    if (how === 'empty.html') run('view', '--empty', '-q', '--force', '-o', how);
    const page = await open(how);
    if (how === 'empty.html') await page.setInputFiles('input[type=file]', level);
    await page.waitForFunction(() => window.polhode.runs.length === 1);
    const [used, largest] = await page.evaluate(() => [window.polhode.runs[0].energyScale, Math.max(...window.polhode.app.charts[0].is.curves[0].values)]);
    ok(Math.abs(used / scale - 1) < 1e-14 && Math.abs(largest / most - 1) < 1e-12, `${how}: ${largest} relative to ${used}, info: ${most} relative to ${scale}`);
    await page.keyboard.press('t'); // trails off: the address keeps that
    await page.waitForFunction(() => /show=(&|$)/.test(location.hash), null, { timeout: 5000 });
    await close(page);
  }
}

// ---- The empty page: archives dropped; foreign, cut off, growing, killed, without a scene, without columns
run('view', '--empty', '-q', '--force', '-o', 'empty.html');
ok(readFileSync('empty.html').equals(readFileSync(join(work, 'viewer.html'))), '--empty is not the page');

{
  const page = await open('empty.html');
  await page.screenshot({ path: join(shots, 'empty.png') });
  await drop(page, ['chain.yaml']);
  ok(/is a scenario/.test(await words(page)), await words(page));
  await drop(page, [chain]);
  await page.waitForFunction(() => window.polhode.runs.length === 1);
  ok(!/scenario/.test(await words(page)), 'the message stays');
  await scrub(page, 'dropped', chain);
  await close(page);
}
{
  copyFileSync(chain, 'cut.polhode');
  truncateSync('cut.polhode', Math.floor(0.7 * statSync(chain).size));
  const page = await open('empty.html');
  await drop(page, ['cut.polhode']);
  ok(/cut off/.test(await words(page)), await words(page));
  await close(page);
}
{
  // a run that goes on, and then is killed: its log is needed
  writeFileSync('long.yaml', `${example('chain').replace(/^duration:.*$/m, 'duration: 100000').replace(/^output:.*$/m, 'output: {every: 1000, snapshot: 0.2}')}`);
  const child = spawn(polhode, ['run', 'long.yaml', '-q', '--force'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const file = 'long.out/long.polhode';
  for (let i = 0; i < 200 && !(existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 100000); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  mkdirSync('growing', { recursive: true });
  const page = await open('empty.html');
  copyFileSync(file, 'growing/long.polhode');
  copyFileSync(`${file}-wal`, 'growing/long.polhode-wal');
  child.kill('SIGKILL');
  await ended;
  await drop(page, ['growing/long.polhode', 'growing/long.polhode-wal']);
  ok((await page.evaluate(() => window.polhode.runs[0].n)) > 1, await words(page));
  ok(/not ended/.test(await words(page)), await words(page));
  await close(page);
  const killed = await open('empty.html');
  await drop(killed, [file, `${file}-wal`]);
  const rowsShown = await killed.evaluate(() => window.polhode.runs[0].n);
  assert.equal(rowsShown, JSON.parse(run('info', file, '--json')).rows);
  checks += 1;
  await close(killed);
}
{
  const python = `import sqlite3; a = sqlite3.connect("bare.polhode"); a.execute("PRAGMA user_version = 2"); a.execute("DELETE FROM meta WHERE key = 'scene' OR key LIKE '%crc32'"); a.commit()`;
  copyFileSync(chain, 'bare.polhode');
  execFileSync('python3', ['-c', python]);
  const page = await open('empty.html');
  await drop(page, ['bare.polhode']);
  const first = await picture(page, 'bare');
  ok(first.length > 6000, 'without a scene nothing is drawn');
  await close(page);
  const few = archive('few', example('chain').replace(/^output:.*$/m, 'output: {columns: [energy, q1]}'));
  const lacking = await open('empty.html');
  await drop(lacking, [few]);
  ok(/q2x/.test(await words(lacking)) && /columns/.test(await words(lacking)), await words(lacking));
  await close(lacking);
}

// Members of a sweep: as polhode run --member runs them, in one picture and one by one; members 3 and 4 have another step, and the last fails.
{
  writeFileSync('sweep.yaml', `${example('double-spherical-pendulum').replace(/^(duration|step|output):.*$/gm, '')}
duration: 2
step: 0.005
ensemble: {zip: {"initial.omega[1][1]": [0, 0.5, 1, 1.5, 2, 60], step: [0.005, 0.005, 0.005, 0.01, 0.01, 0.5]}}
`);
  execFileSync('sh', ['-c', '"$0" sweep sweep.yaml --quiet --force || true', polhode], { stdio: 'ignore' });
  run('view', 'sweep.out', '--members', '5,0-4', '-o', 'members.html', '--force', '--quiet');
  const page = await open('members.html');
  const numbers = await page.evaluate(() => window.polhode.runs.map((r) => r.member.number));
  assert.deepEqual(numbers, [0, 1, 2, 3, 4, 5]);
  const q = ['q1x', 'q1y', 'q1z', 'q2x', 'q2y', 'q2z', 'energy_error'];
  for (const k of [0, 2, 4]) {
    run('run', 'sweep.yaml', '--member', String(k), '-q', '--force');
    const shown = await page.evaluate(([i, names]) => { const r = window.polhode.runs[i]; return [...r.time].map((t, row) => [t, ...names.map((n) => r.column(n)[row])]); }, [k, q]);
    assert.deepEqual(shown, rows(`sweep-${k}.out/sweep-${k}.polhode`, ['t', ...q]));
    checks += 1;
  }
  // in time together: at a time that is a row of all, each run's place is that of its own row
  const places = await page.evaluate(() => {
    const { clock, view, runs } = window.polhode;
    clock.setTime(1);
    view.draw();
    return view.stage.runs.slice(0, 5).map((r, k) => [[...r.places.z.slice(0, 3)], ['q1x', 'q1y', 'q1z'].map((n) => runs[k].column(n)[runs[k].nearest(1)]), runs[k].time[runs[k].nearest(1)]]);
  });
  for (const [place, row, t] of places) {
    assert.equal(t, 1);
    place.forEach((x, i) => ok(Math.abs(x - row[i]) < 1e-15, `${place} at t = 1, where the row has ${row}`));
  }
  const colours = await page.evaluate(() => window.polhode.view.cast.map((c) => c.colour.join()));
  ok(new Set(colours).size === 6, `six members have the colours ${[...new Set(colours)]}`);
  ok(/member 5: The run failed/.test(await words(page)), `nothing says that a member has failed: ${await words(page)}`);
  await picture(page, 'members');
  await page.getByLabel('Member', { exact: true }).selectOption('3');
  assert.deepEqual(await page.evaluate(() => [window.polhode.runs.map((r) => r.member.number), window.polhode.clock.time]), [[3], 1]);
  const address = await page.evaluate(() => location.hash);
  await close(page);
  const again = await open('members.html', { hash: address });
  assert.deepEqual(await again.evaluate(() => window.polhode.runs.map((r) => r.member.number)), [3]);
  await again.getByLabel('Member', { exact: true }).selectOption('all');
  assert.equal(await again.evaluate(() => window.polhode.runs.length), 6);
  checks += 3;
  await close(again);
  const flat = await open('members.html', { flat: true });
  ok((await picture(flat, 'members-flat')).length > 6000, 'members are not drawn without WebGL');
  await close(flat);
}

await browser.close();
console.log(`${checks} checks of the page in a browser passed`);
