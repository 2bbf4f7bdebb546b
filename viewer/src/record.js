// SPDX-License-Identifier: BSD-3-Clause
// The picture as files: PNG of the instant, PNG frames in a zip, WebM of the motion as it is played.
import { zipSync } from 'fflate';
import { el, button, dialog, save } from './dom.js';

const SETTLE = 400; // ms
const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());

/** PNG frames at n equal times; stopped() ends it early. */
export async function frames(app, n, { onprogress, stopped }) {
  const files = {};
  const { clock, view } = app;
  for (let i = 0; i < n && !stopped(); i++) {
    clock.setTime(clock.start + ((clock.end - clock.start) * i) / Math.max(1, n - 1));
    view.draw();
    files[`frame-${String(i).padStart(5, '0')}.png`] = await bytesOf(await view.snapshot());
    onprogress((i + 1) / n);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return new Blob([zipSync(files, { level: 0 })], { type: 'application/zip' });
}

/** The motion from now to its end, or until stopped(), at the clock's speed. */
export async function webm(app, { onprogress, stopped }) {
  const { clock, view } = app;
  const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((t) => MediaRecorder.isTypeSupported(t));
  if (!type) throw new Error('this browser records no WebM; PNG frames work everywhere');
  const recorder = new MediaRecorder(view.canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 });
  const pieces = [];
  recorder.addEventListener('dataavailable', (event) => event.data.size && pieces.push(event.data));
  const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve));
  recorder.start(500);
  await new Promise((resolve) => setTimeout(resolve, SETTLE)); // what is drawn before it has begun is lost
  clock.play();
  await new Promise((resolve) => {
    const look = () => {
      onprogress((clock.time - clock.start) / (clock.end - clock.start || 1));
      if (!clock.playing || stopped()) resolve();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  clock.pause();
  view.draw();
  await new Promise((resolve) => setTimeout(resolve, SETTLE)); // the last pictures are still to be encoded
  recorder.stop();
  await ended;
  if (!pieces.length) throw new Error('the browser has recorded no picture; try again at a lower speed');
  return new Blob(pieces, { type: 'video/webm' });
}

/** Asks what is wanted, and does it with a bar and a way to stop. */
export function recordDialog(app) {
  const name = app.runs[0]?.name.replace(/\.polhode$/, '') ?? 'polhode';
  const bar = el('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Progress' });
  const words = el('p', { role: 'status' });
  let stop = false;
  const end = button('Stop', 'Stop recording', () => (stop = true), { hidden: true });
  const work = async (make, file) => {
    stop = false;
    bar.hidden = false;
    end.hidden = false;
    words.textContent = 'Recording. "Stop" keeps what is there.';
    try {
      const blob = await make({ onprogress: (share) => (bar.value = share), stopped: () => stop });
      save(blob, file);
      words.textContent = `Saved: ${file}, ${(blob.size / 1e6).toFixed(1)} MB`;
    } catch (error) {
      words.textContent = `Not recorded: ${error.message}.`;
    }
    bar.hidden = true;
    end.hidden = true;
  };
  const n = el('input', { type: 'number', min: '2', max: '2000', value: '120', 'aria-label': 'Number of frames' });
  const box = dialog('Record', el('p', { text: 'The motion is recorded as it is shown, in the size of the picture.' }),
    el('p', {}, button('PNG of this instant', 'PNG of this instant', async () => save(await app.view.snapshot(), `${name}.png`))),
    el('p', {}, button('WebM from now on', 'WebM from now on', () => work((o) => webm(app, o), `${name}.webm`))),
    el('p', {}, button('PNG frames', 'PNG frames', () => work((o) => frames(app, Number(n.value) || 120, o), `${name}-frames.zip`)), ' ', n, ' frames'),
    bar, words, el('p', {}, end));
  box.addEventListener('close', () => (stop = true));
}
