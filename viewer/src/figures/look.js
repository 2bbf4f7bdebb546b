// SPDX-License-Identifier: BSD-3-Clause
// Colours and letters that a picture takes from the page around it.
import { fromCss, isDark, readable } from './colour.js';

export const font = (size, weight = 400) => `${weight} ${size}px system-ui, sans-serif`;

function backgroundOf(element) {
  for (let e = element; e; e = e.parentElement) {
    const colour = fromCss(getComputedStyle(e).backgroundColor);
    if (colour) return colour;
  }
  return '#ffffff';
}

// {ink, page, dark, grid, lines}: lines in their own hue, readable on the page.
export function colours(element, lines) {
  const page = backgroundOf(element);
  const ink = fromCss(getComputedStyle(element).color) ?? '#1a1a1a';
  return { page, ink, dark: isDark(page), grid: ink + '26', lines: lines.map((line) => readable(line.colour, page)) };
}
