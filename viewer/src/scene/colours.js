// SPDX-License-Identifier: BSD-3-Clause
// Colours of the scene, such that readers who do not distinguish red and green distinguish them (after Okabe and Ito), for light and dark
// backgrounds. Numbers are sRGB from 0 to 1.

export { fromCss, toLinear } from '../css-colour.js';

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);

export const LIGHT = {
  runs: ['#0072b2', '#d55e00', '#009e73', '#a8578a'].map(rgb),
  cycle: ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00'].map(rgb),
  axes: ['#c8501e', '#1f9d6c', '#2a6fc9'].map(rgb),
  rod: rgb('#8d949c'),
  grid: rgb('#6b7580'),
  globe: rgb('#9fb4c7'),
  body: rgb('#b9c4cf'),
  middle: rgb('#d9d9d9'),
  lightness: [0.2, 0.7],
  ground: [rgb('#16202a'), 0.045, 0.34], // colour and opacity of planes, opacity of shadows
  omega: rgb('#b5438c'),
  momentum: rgb('#5d8a00'),
};

export const DARK = {
  ...LIGHT,
  runs: ['#4aa3e0', '#f0883e', '#2bbf94', '#d68fba'].map(rgb),
  cycle: ['#4aa3e0', '#f0b93e', '#2bbf94', '#d68fba', '#8fd0f5', '#f0883e'].map(rgb),
  axes: ['#f0764a', '#3fc795', '#6aa6f5'].map(rgb),
  rod: rgb('#a3abb5'),
  grid: rgb('#8e99a5'),
  globe: rgb('#6f8aa3'),
  body: rgb('#aab8c6'),
  middle: rgb('#8a8f95'),
  lightness: [0.3, 0.9],
  ground: [rgb('#e4e9ee'), 0.16, 0.75],
  omega: rgb('#e88cc6'),
  momentum: rgb('#b4d455'),
};

export const ENDS = { push: rgb('#d55e00'), pull: rgb('#0067b8') };

// out[o ...] (3) <- the colour of a number from -1 (pushes, orange) over 0 (grey) to 1 (pulls, blue).
export function diverging(value, middle, out, o) {
  const v = Math.max(-1, Math.min(1, value));
  const end = v < 0 ? ENDS.push : ENDS.pull;
  const share = Number.isNaN(v) ? 0 : Math.abs(v);
  for (let k = 0; k < 3; k++) out[o + k] = middle[k] + share * (end[k] - middle[k]);
}

// out[o ...] (3) <- the colour of a unit vector: its hue is the azimuth about `up` from `right`, its lightness the component upwards, from
// `low` to `high`.
export function directional(x, y, z, { right, front, up }, [low, high], out, o) {
  const s = x * up[0] + y * up[1] + z * up[2];
  const across = Math.sqrt(Math.max(0, 1 - s * s));
  const hue = Math.atan2(-(x * front[0] + y * front[1] + z * front[2]), x * right[0] + y * right[1] + z * right[2]) / (2 * Math.PI);
  const light = low + (high - low) * (0.5 + 0.5 * Math.max(-1, Math.min(1, s)));
  const strong = Math.min(1, 1.6 * across) * 0.9 * Math.min(light, 1 - light);
  for (let k = 0; k < 3; k++) {
    const t = (((12 * (hue - k / 3)) % 12) + 12) % 12; // red at azimuth 0, then green and blue a third of a turn on
    const wave = Math.max(-1, Math.min(1, 3 - Math.min(t, 12 - t)));
    out[o + k] = light + strong * wave;
  }
}

// Largest tension among all links, but for the 2 % that are larger.
export function tensionMost(columns) {
  const sizes = [];
  for (const c of columns) for (let r = 0, step = Math.max(1, Math.floor((c.length * columns.length) / 50000)); r < c.length; r += step) if (Number.isFinite(c[r])) sizes.push(Math.abs(c[r]));
  sizes.sort((a, b) => a - b);
  return sizes.length ? sizes[Math.floor(0.98 * (sizes.length - 1))] || sizes[sizes.length - 1] || 1 : 1;
}

// From blue over teal to ochre: members of a sweep by their share from 0 to 1, on light and on dark backgrounds.
const RAMP = ['#3a5fcd', '#2a9d8f', '#d9a021'].map(rgb);
export const ramp = (share) => (share < 0.5 ? mixed(RAMP[0], RAMP[1], 2 * share) : mixed(RAMP[1], RAMP[2], 2 * share - 1));

export const isDark = ([r, g, b]) => 0.2126 * r ** 2.2 + 0.7152 * g ** 2.2 + 0.0722 * b ** 2.2 < 0.2;
export const toCss = (c) => `rgb(${c.map((v) => Math.round(255 * v)).join(', ')})`;
export const toHex = (c) => `#${c.map((v) => Math.round(255 * v).toString(16).padStart(2, '0')).join('')}`;
export const mixed = (a, b, share) => a.map((c, k) => c + share * (b[k] - c));
