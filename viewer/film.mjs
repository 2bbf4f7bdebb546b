// SPDX-License-Identifier: BSD-3-Clause
// Pictures of a page of `polhode view` in motion: node film.mjs PAGE FOLDER [FRAMES [WIDTH HEIGHT [CHROMIUM]]]. Writes FOLDER/frame-000.png ..., at even times of the
// run from a quarter of it, where trails are there, to its end, in a headless Chromium. scripts/readme-film makes the picture of README.md of them.
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const [file, folder, frames = '60', width = '900', height = '520', executablePath = '/usr/bin/chromium'] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
const page = await (await browser.newContext({ viewport: { width: Number(width), height: Number(height) }, colorScheme: 'light', deviceScaleFactor: 0.72 })).newPage();
await page.goto(`file://${resolve(file)}`);
await page.evaluate(() => window.polhode.ready);
for (let k = 0; k < Number(frames); k++) {
  await page.evaluate(async (share) => {
    const { clock, view, app } = window.polhode;
    clock.setTime(clock.start + share * (clock.end - clock.start));
    view.draw();
    for (const panel of app.bodies) panel.draw();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, 0.25 + 0.75 * k / Number(frames));
  await page.screenshot({ path: join(folder, `frame-${String(k).padStart(3, '0')}.png`) });
}
await browser.close();
