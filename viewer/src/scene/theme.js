// SPDX-License-Identifier: BSD-3-Clause
// Colours of a view from the page: the background of its host, and the palette that is read on it. A page may set --scene-background,
// --scene-ink, and the colours of runs, --run1, --run2 and so on.
import { DARK, LIGHT, fromCss, isDark } from './colours.js';

export function themeOf(host) {
  const window = host.ownerDocument.defaultView;
  const style = window.getComputedStyle(host);
  let background = fromCss(style.getPropertyValue('--scene-background'));
  for (let e = host; e && !background; e = e.parentElement) background = fromCss(window.getComputedStyle(e).backgroundColor);
  background ??= window.matchMedia('(prefers-color-scheme: dark)').matches && window.getComputedStyle(host.ownerDocument.documentElement).colorScheme.includes('dark') ? [0.08, 0.09, 0.11] : [1, 1, 1];
  const dark = isDark(background);
  const ink = fromCss(style.getPropertyValue('--scene-ink')) ?? (dark ? [0.88, 0.9, 0.92] : [0.15, 0.17, 0.2]);
  const usual = dark ? DARK : LIGHT;
  const runs = [];
  for (let k = 0, own; (own = fromCss(style.getPropertyValue(`--run${k + 1}`))) || usual.runs[k]; k++) runs.push(own ?? usual.runs[k]);
  return { background, ink, palette: { ...usual, runs }, dark, key: [background, ink, ...runs].join() };
}
