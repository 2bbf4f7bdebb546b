// SPDX-License-Identifier: BSD-3-Clause
// Colours as style sheets write them, as numbers of sRGB from 0 to 1.

const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);

// 'rgb(1, 2, 3)', 'rgba(...)', '#123456' or '#123' as three numbers; null for other texts, and for what is transparent.
export function fromCss(text) {
  const hex = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1];
  if (hex) return channels('#' + (hex.length === 3 ? [...hex].map((c) => c + c).join('') : hex));
  const numbers = /^rgba?\(([^)]*)\)$/.exec(text.trim())?.[1].split(/[\s,/]+/).map(Number);
  return numbers && numbers.length >= 3 && numbers.every(Number.isFinite) && numbers[3] !== 0 ? numbers.slice(0, 3).map((c) => c / 255) : null;
}

export const toLinear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
