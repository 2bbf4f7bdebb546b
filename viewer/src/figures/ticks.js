// SPDX-License-Identifier: BSD-3-Clause
// Numbers on axes and in the read-out.
import { exact as shortest } from '../format.js';
import { lines, powers } from '../ticks.js';

const raised = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
const power = (n) => '10' + [...String(n)].map((c) => raised[c]).join('');

// Ticks of a logarithmic axis of that many pixels: whole decades, of which there is room for one in `apart` pixels, or, where there are
// fewer than two, 1, 2 and 5 times a power; where not even these, evenly spaced ones.
export function logTicks(lo, hi, pixels, apart = 46) {
  const first = Math.ceil(Math.log10(lo) - 1e-9);
  const last = Math.floor(Math.log10(hi) + 1e-9);
  const most = Math.max(2, Math.floor(pixels / apart));
  if (last - first >= 1) return powers(first, last, Math.ceil((last - first + 1) / most));
  const ticks = [];
  for (let n = first - 1; n <= last + 1; n++)
    for (const digit of [1, 2, 5]) {
      const at = Number(`${digit}e${n}`);
      if (at >= lo * (1 - 1e-12) && at <= hi * (1 + 1e-12)) ticks.push(at);
    }
  return ticks.length >= 2 ? ticks : linearTicks(lo, hi, pixels, apart);
}

// Ticks of an even axis: multiples of 1, 2 or 5 times a power of ten.
export function linearTicks(lo, hi, pixels, apart = 60) {
  const least = ((hi - lo) * apart) / Math.max(pixels, 1);
  const exponent = Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((d) => Number(`${d}e${exponent}`)).find((s) => s >= least * (1 - 1e-12)) ?? least;
  return lines(lo, hi, step);
}

// A tick as it is written: powers of ten as such where they would be long.
export function tickWords(value, log) {
  if (value === 0) return '0';
  const n = Math.round(Math.log10(Math.abs(value)));
  const isPower = Math.abs(Number(`1e${n}`) - value) <= 1e-9 * Math.abs(value);
  if (log && isPower) return power(n);
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [digits, exponent] = value.toExponential().split('e');
    return `${digits.length > 6 ? Number(digits).toPrecision(4) : digits}·${power(Number(exponent))}`.replace('-', '−');
  }
  return String(Number(value.toPrecision(6))).replace('-', '−');
}

// What the numbers at an axis need, at least so much. widthOf: of a text in pixels.
export const roomFor = (words, least, widthOf) => Math.ceil(Math.max(least, ...(words ?? []).map((text) => widthOf(text))));

// All digits of the number that was measured.
export const exact = (value) => (Number.isFinite(value) ? shortest(value) : '–');

// 'angular momentum [kg m^2/s]' -> its words and its unit.
export function splitLabel(label) {
  const parts = /^(.*?)\s*\[([^\]]*)\]\s*$/.exec(label);
  return parts ? { words: parts[1], unit: parts[2] } : { words: label, unit: '' };
}
