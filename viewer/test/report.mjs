// SPDX-License-Identifier: BSD-3-Clause
// A page of `polhode report` on a phone, in a headless Chromium: node report.mjs POLHODE EXAMPLES WORK SHOTS CHROMIUM. Nothing is wider
// than the screen, and no label of a table's cell lies over its number.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [polhode, examples, work, shots, executablePath] = process.argv.slice(2);
process.chdir(work);
const run = (...args) => execFileSync(polhode, args, { stdio: ['ignore', 'pipe', 'pipe'] });

// two runs with one label: their files are behind it, which makes it long
writeFileSync('phone.yaml', readFileSync(join(examples, 'double-spherical-pendulum.yaml'), 'utf8').replace(/^duration:.*/m, 'duration: 20'));
run('run', 'phone.yaml', '-q', '--force');
cpSync('phone.out/phone.polhode', 'the-same-run-under-another-name.polhode');
run('report', 'phone.out', 'the-same-run-under-another-name.polhode', '-o', 'phone.html', '-q', '--force');

/**
 * Cells whose label has less room than it needs: a label that is set in so few lines that they cannot be as wide as the text is. It is
 * drawn by ::before, which has no box to be asked for: its width is that of its text, the room what the number leaves, its lines by height.
 */
function crowded() {
  const pen = document.createElement('canvas').getContext('2d');
  const bad = [];
  for (const cell of document.querySelectorAll('tbody td[data-label]')) {
    if (!cell.offsetParent || !cell.dataset.label) continue;
    const style = getComputedStyle(cell), small = cell.querySelector('small');
    pen.font = style.font;
    const value = document.createRange();
    value.selectNodeContents(cell);
    if (small) value.setEndBefore(small);
    const box = cell.getBoundingClientRect();
    const room = box.width - value.getBoundingClientRect().width;
    const height = box.height - (small ? small.getBoundingClientRect().height : 0) - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    const lines = Math.round(height / parseFloat(style.lineHeight));
    if (pen.measureText(cell.dataset.label).width > lines * room) bad.push(`${cell.dataset.label} | ${cell.textContent}`);
  }
  return { bad, cells: document.querySelectorAll('tbody td[data-label]').length, wide: document.documentElement.scrollWidth };
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
for (const width of [320, 400]) {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  await page.goto(`file://${work}/phone.html`);
  await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
  const found = await page.evaluate(crowded);
  await page.locator('#summary').screenshot({ path: join(shots, `report-${width}.png`) });
  assert.ok(found.cells > 100, `only ${found.cells} cells`);
  assert.equal(found.wide, width, `the page is ${found.wide} pixels wide on a screen of ${width}`);
  assert.deepEqual(found.bad, [], `on ${width} pixels labels lie over numbers`);
  await page.close();
}
await browser.close();
console.log('a report on a phone: passed');
