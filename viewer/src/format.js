// SPDX-License-Identifier: BSD-3-Clause
// Numbers for people: as short as they can be read, or with all digits.

/** A number with so many digits, an exponent where that is shorter; "-" where it does not exist. */
export function short(value, digits = 5) {
  if (value === null || value === undefined || Number.isNaN(value)) return '\u2013';
  if (!Number.isFinite(value)) return value > 0 ? '\u221e' : '\u2212\u221e';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(digits))) : value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
  return text.replace('-', '\u2212').replace('e-', 'e\u2212');
}

/** The shortest decimal that is this double. */
export const exact = (value) => (Object.is(value, -0) ? '0' : String(value));

/** A time with as many digits as its steps need; with an exponent where many of them would be zeros. */
export function time(t, step) {
  const decimals = step > 0 ? Math.max(0, Math.ceil(-Math.log10(step)) + 1) : 3;
  if (decimals <= 9 && Math.abs(t) < 1e7) return t.toFixed(decimals).replace('-', '\u2212');
  const digits = t && step > 0 ? Math.ceil(Math.log10(Math.abs(t)) + decimals) : 8;
  return short(t, Math.min(15, Math.max(2, digits)));
}

/** A unit in typographic form: kg m^2/s as kg m\u00b2/s. */
export const unit = (text) => text.replace(/\^2/g, '\u00b2').replace(/\^3/g, '\u00b3');

/** 'angular momentum [kg m^2/s]' as its words and its unit. */
export function splitLabel(label) {
  const parts = /^(.*?)\s*\[([^\]]*)\]\s*$/.exec(label);
  return parts ? { words: parts[1], unit: parts[2] } : { words: label, unit: '' };
}
