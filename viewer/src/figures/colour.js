// SPDX-License-Identifier: BSD-3-Clause
// Colours that can be read on the background: the same hue, lighter or darker where the contrast is too small.
import { fromCss as numbersOf, toLinear } from '../css-colour.js';

const channels = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
const hex = (rgb) => '#' + rgb.map((c) => Math.round(c).toString(16).padStart(2, '0')).join('');

// A colour of a style sheet as '#1a1a1a'; null where it is transparent or of another form.
export function fromCss(text) {
  const rgb = numbersOf(text);
  return rgb && hex(rgb.map((c) => 255 * c));
}

// Relative luminance, as WCAG has it.
function luminance(colour) {
  const [r, g, b] = channels(colour).map((c) => toLinear(c / 255));
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
