// SPDX-License-Identifier: BSD-3-Clause
// Ticks of axes, and what stands at them.
import { short } from './format.js';

const raised = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
const power = (n) => '10' + [...String(n)].map((c) => raised[c]).join('');

/** The multiples of a step between both, at most 100. */
function multiples(low, high, step) {
  const from = Math.ceil(low / step - 1e-9);
  const n = Math.min(100, Math.floor(high / step + 1e-9) - from + 1);
  return Array.from({ length: Math.max(0, n) }, (_, i) => Number(((from + i) * step).toPrecision(15)));
}

/** Ticks of an even axis of that many pixels: multiples of 1, 2 or 5 times a power of ten, not closer than `apart` pixels. */
export function linearTicks(lo, hi, pixels, apart = 60) {
  const least = ((hi - lo) * apart) / Math.max(pixels, 1);
  const exponent = Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((d) => Number(`${d}e${exponent}`)).find((s) => s >= least * (1 - 1e-12)) ?? least;
  return multiples(lo, hi, step);
}

/** Ticks of a logarithmic axis: whole decades, of which there is room for one in `apart` pixels, or, where there are fewer than two, 1, 2 and 5
 * times a power; where not even these, evenly spaced ones. */
export function logTicks(lo, hi, pixels, apart = 46) {
  const first = Math.ceil(Math.log10(lo) - 1e-9);
  const last = Math.floor(Math.log10(hi) + 1e-9);
  const most = Math.max(2, Math.floor(pixels / apart));
  if (last - first >= 1) return multiples(first, last, Math.ceil((last - first + 1) / most)).map((n) => Number(`1e${n}`));
  const ticks = [];
  for (let n = first - 1; n <= last + 1; n++)
    for (const digit of [1, 2, 5]) {
      const at = Number(`${digit}e${n}`);
      if (at >= lo * (1 - 1e-12) && at <= hi * (1 + 1e-12)) ticks.push(at);
    }
  return ticks.length >= 2 ? ticks : linearTicks(lo, hi, pixels, apart);
}

/** What stands at ticks: powers of ten as such where others would be long, and as many digits as distinguish neighbours. */
export function tickWords(ticks, log) {
  const apart = Math.abs(ticks[1] - ticks[0]) || 0;
  const largest = Math.max(...ticks.map(Math.abs));
  const digits = Math.min(15, Math.max(2, apart ? Math.ceil(Math.log10(largest / apart) + 1.1) : 6));
  return ticks.map((value) => {
    if (value === 0 || (!log && Math.abs(value) < 1e-9 * apart)) return '0';
    const n = Math.round(Math.log10(Math.abs(value)));
    if (log && Math.abs(Number(`1e${n}`) - value) <= 1e-9 * Math.abs(value)) return power(n);
    const size = Math.abs(value);
    if (size < 1e5 && size >= 1e-3) return short(value, digits);
    const [head, exponent] = value.toExponential(digits - 1).split('e');
    return `${Number(head)}·${power(Number(exponent))}`.replace('-', '−');
  });
}

/** What the numbers at an axis need, at least so much. widthOf: of a text in pixels. */
export const roomFor = (words, least, widthOf) => Math.ceil(Math.max(least, ...(words ?? []).map((text) => widthOf(text))));
