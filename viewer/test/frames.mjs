// SPDX-License-Identifier: BSD-3-Clause
// How many frames a second a page draws: node test/frames.mjs PAGE [CHROMIUM [gpu]]. Plays it in a headless Chromium of 1280 by 800 pixels,
// whose WebGL the processor computes (gpu: as the machine has it), and prints frames a second, and the processor's time for a frame in the
// process that draws and in that of the page. For a figure to report the machine has to be idle. No test: it depends on the machine.
import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';

const [file, executablePath = '/usr/bin/chromium', gpu] = process.argv.slice(2);
const SECONDS = 4;
const args = gpu === 'gpu' ? ['--no-sandbox', '--enable-gpu', '--ignore-gpu-blocklist'] : ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** Seconds of processes of Chromium by their type, where there is /proc. */
function used() {
  const time = { 'gpu-process': 0, renderer: 0 };
  let list = [];
  try {
    list = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return time;
  }
  for (const pid of list) {
    try {
      const type = /--type=([a-z-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
      if (type in time) time[type] += (Number(fields[11]) + Number(fields[12])) / 100;
    } catch {
      // it has ended
    }
  }
  return time;
}

const browser = await chromium.launch({ executablePath, args });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
await page.goto(`file://${resolve(file)}`);
await page.evaluate(async () => {
  await window.polhode.ready;
  window.polhode.clock.loop = true;
  window.polhode.clock.play();
});
await page.waitForTimeout(1500); // the picture becomes coarser if it has to
const before = used();
const [frames, seconds] = await page.evaluate((s) => new Promise((done) => {
  const { view } = window.polhode;
  const [n, t] = [view.frames, performance.now()];
  setTimeout(() => done([view.frames - n, (performance.now() - t) / 1000]), 1000 * s);
}), SECONDS);
const after = used();
const { software, triangles, calls, ratio } = await page.evaluate(() => window.polhode.view.stats());
const each = (type) => ((1000 * (after[type] - before[type])) / frames).toFixed(1);
console.log(`${(frames / seconds).toFixed(1)} frames a second, ${software ? 'drawn by the processor' : 'drawn by a GPU'}, ${ratio} pixels of the picture for one of the page each way, ${triangles} triangles in ${calls} draws; for a frame ${each('gpu-process')} ms of the processor to draw, ${each('renderer')} ms in the page`);
await browser.close();
