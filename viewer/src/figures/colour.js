// SPDX-License-Identifier: BSD-3-Clause
// Colours that can be read on the background: the same hue, lighter or darker where the contrast is too small.

const channels = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
const hex = (rgb) => '#' + rgb.map((c) => Math.round(c).toString(16).padStart(2, '0')).join('');

// 'rgb(26, 26, 26)' or 'rgba(...)' as '#1a1a1a'; null where it is transparent or of another form.
export function fromCss(text) {
  const numbers = /^rgba?\(([^)]*)\)$/.exec(text)?.[1].split(/[\s,/]+/).map(Number);
  return numbers && numbers.length >= 3 && !(numbers[3] === 0) ? hex(numbers.slice(0, 3)) : null;
}

// Relative luminance, as WCAG has it.
function luminance(colour) {
  const [r, g, b] = channels(colour).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

export const isDark = (colour) => luminance(colour) < 0.18;

export function readable(colour, background, least = 4.5) {
  const towards = isDark(background) ? 255 : 0;
  for (let share = 0; share <= 1; share += 0.05) {
    const tried = hex(channels(colour).map((c) => c + share * (towards - c)));
    if (contrast(tried, background) >= least) return tried;
  }
  return towards ? '#ffffff' : '#000000';
}
