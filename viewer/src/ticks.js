// SPDX-License-Identifier: BSD-3-Clause
// Where the lines of an axis are, and what stands at them.
import { short } from './format.js';

/** Decades around positive values, with some room: [low, high]. */
export function decades(low, high) {
  if (!(low > 0) || !(high > 0) || !Number.isFinite(high)) return [1e-16, 1];
  const [a, b] = [Math.floor(Math.log10(low / 1.2)), Math.ceil(Math.log10(high * 1.2))];
  return [10 ** a, 10 ** Math.max(b, a + 1)];
}

/** Powers of ten with exponents from a to b that are multiples of `every`. */
export function powers(a, b, every) {
  const first = Math.ceil(a / every) * every;
  return Array.from({ length: Math.max(0, Math.floor((b - first) / every) + 1) }, (_, i) => Number(`1e${first + i * every}`));
}

/** Lines of a logarithmic axis: each decade, or each second, third ... of them, so that there are at most `most`; between two decades also 2 and 5. */
export function logLines(low, high, most = 5) {
  const [a, b] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  if (b - a <= 1) return [1, 2, 5, 10].map((k) => Number(`${k}e${a}`));
  return powers(a, b, Math.ceil((b - a) / most));
}

/** Distances of lines of a linear axis of any length: 1, 2 or 5 times a power of ten, from a thousandth of it on. */
export function steps(low, high) {
  const n = Math.floor(Math.log10(high - low));
  return [-3, -2, -1, 0].flatMap((k) => [1, 2, 5].map((digit) => Number(`${digit}e${n + k}`)));
}

/** The multiples of a step between both, at most 100. */
export function lines(low, high, step) {
  const from = Math.ceil(low / step - 1e-9);
  const n = Math.min(100, Math.floor(high / step + 1e-9) - from + 1);
  return Array.from({ length: Math.max(0, n) }, (_, i) => Number(((from + i) * step).toPrecision(15)));
}

/** What stands at a line of a logarithmic axis. */
export const power = (v) => (v >= 0.01 && v <= 100 ? short(v, 3) : v.toExponential(0).replace('+', '').replace('-', '\u2212'));

/** What stands at the lines of a linear axis: as many digits as distinguish neighbours. */
export function words(lines) {
  const there = lines.filter((v) => v !== null);
  if (there.length < 2) return lines.map((v) => (v === null ? null : short(v)));
  const apart = Math.abs(there[1] - there[0]);
  const largest = Math.max(...there.map(Math.abs));
  const digits = Math.min(15, Math.max(2, Math.ceil(Math.log10(largest / apart) + 1.1)));
  return lines.map((v) => (v === null ? null : Math.abs(v) < 1e-9 * apart ? '0' : short(v, digits)));
}
