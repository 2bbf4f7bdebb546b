// SPDX-License-Identifier: BSD-3-Clause
// The clock of a page: the time of the motion that everything shows, how fast it passes, and who wants to know.

const READ = 100; // ms: nobody reads numbers that change more often

/** Subscribers are called with the clock after each change. */
export class Clock {
  /** now(): ms; another one for tests */
  constructor(now = () => performance.now()) {
    this.now = now;
    this.start = 0;
    this.end = 0;
    this.time = 0;
    this.speed = 1; // seconds of the motion in one second
    this.playing = false;
    this.loop = false;
    this.listeners = new Set();
    this.readers = new Set();
    this.read = -Infinity; // when readers were last told the time
  }

  /** Calls listener(clock, what) with 'time' or 'state'; returns how to end that. */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The same for numbers and words: while the clock runs they hear of the time ten times a second. To write them again in each frame
   * takes more of a processor that draws the page than the picture does. */
  subscribeReader(listener) {
    this.readers.add(listener);
    return () => this.readers.delete(listener);
  }

  notify(what) {
    for (const listener of this.listeners) listener(this, what);
    if (what !== 'time') for (const reader of this.readers) reader(this, what);
    if (what === 'time' && this.playing && this.now() - this.read < READ) return;
    this.read = this.now();
    for (const reader of this.readers) reader(this, 'time');
  }

  /** Another interval; the time stays where it can. */
  setSpan(start, end) {
    this.start = start;
    this.end = end;
    this.time = Math.min(Math.max(this.time, start), end);
    this.notify('state');
    this.notify('time');
  }

  setTime(t) {
    const there = Math.min(Math.max(t, this.start), this.end);
    if (there === this.time || Number.isNaN(there)) return;
    this.time = there;
    this.notify('time');
  }

  setSpeed(speed) {
    if (!Number.isFinite(speed) || speed === 0) return;
    this.speed = speed;
    this.notify('state');
  }

  play() {
    if (this.end <= this.start) return;
    if (this.speed > 0 ? this.time >= this.end : this.time <= this.start)
      this.setTime(this.speed > 0 ? this.start : this.end);
    this.playing = true;
    this.notify('state');
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.notify('state');
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** `seconds` of the wall clock pass. */
  advance(seconds) {
    if (!this.playing) return;
    const t = this.time + seconds * this.speed;
    const over = this.speed > 0 ? t >= this.end : t <= this.start;
    if (over && this.loop) this.setTime(this.speed > 0 ? this.start : this.end);
    else this.setTime(t);
    if (over && !this.loop) this.pause();
  }
}

/** The speed at which the whole takes about this many seconds, as 1, 2 or 5 times a power of ten; 1 where the motion
 * itself takes 5 s to 2 min. */
export function usualSpeed(span, seconds = 20) {
  if (!(span > 0) || (span >= 5 && span <= 120)) return 1;
  const wanted = span / seconds;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((k) => k * power).reduce((a, b) => (Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a));
}
