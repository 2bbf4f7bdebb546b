// SPDX-License-Identifier: BSD-3-Clause
// Parallel projection of the energy ellipsoid sum x_k^2/a_k^2 = 1 in principal axes, with its polhodes, where spheres about the centre cut it
// (figures/polhode.c draws the same as SVG).

export const dot = (x, y) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
export const cross = (x, y) => [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
const unit = (x) => x.map((c) => c / Math.hypot(...x));

// A view from the direction `to`, with `up` upwards as far as possible.
export function lookFrom(to, up) {
  const z = unit(to);
  const x = cross(up, z);
  const right = Math.hypot(...x) > 1e-9 ? unit(x) : unit(cross(Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], z));
  return { to: z, right, up: cross(z, right) };
}

const turnedAbout = (v, axis, angle) => {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const k = cross(axis, v);
  const along = dot(axis, v) * (1 - c);
  return v.map((x, i) => c * x + s * k[i] + along * axis[i]);
};

// The body turned by angles (rad) about the picture's vertical and its horizontal, so that it follows a pointer to the right and down.
export function turned(view, across, down) {
  let { to, up } = view;
  to = turnedAbout(to, up, -across);
  const right = unit(cross(up, to));
  return lookFrom(turnedAbout(to, right, -down), turnedAbout(up, right, -down));
}

export const isVisible = (view, half, x) => view.to[0] * x[0] / half[0] ** 2 + view.to[1] * x[1] / half[1] ** 2 + view.to[2] * x[2] / half[2] ** 2 > 0;
export const project = (view, x) => [dot(x, view.right), -dot(x, view.up)];

// The outline: x = A A d / |A d| over the unit vectors d of the plane of the picture.
export function outline(view, half, sides = 120) {
  return Array.from({ length: sides }, (_, n) => {
    const angle = (2 * Math.PI * n) / sides;
    const d = half.map((a, i) => a * (Math.cos(angle) * view.right[i] + Math.sin(angle) * view.up[i]));
    const length = Math.hypot(...d);
    return project(view, d.map((c, i) => (c * half[i]) / length));
  });
}

// The polhode on the sphere of radius r around axis k, on the side of sign +-1; null where there is none (a body with two equal moments).
export function level(half, k, sign, r, sides = 90) {
  const [i, j] = [(k + 1) % 3, (k + 2) % 3];
  const whole = 1 - (r * r) / half[k] ** 2;
  const wi = whole / (1 / half[i] ** 2 - 1 / half[k] ** 2);
  const wj = whole / (1 / half[j] ** 2 - 1 / half[k] ** 2);
  if (!(wi > 0 && wj > 0 && Number.isFinite(wi) && Number.isFinite(wj))) return null;
  return Array.from({ length: sides + 1 }, (_, n) => {
    const angle = (2 * Math.PI * n) / sides;
    const x = [0, 0, 0];
    x[i] = Math.sqrt(wi) * Math.cos(angle);
    x[j] = Math.sqrt(wj) * Math.sin(angle);
    x[k] = sign * Math.sqrt(Math.max(0, r * r - x[i] ** 2 - x[j] ** 2));
    return x;
  });
}

// Some polhodes all over the ellipsoid, to show its shape.
export function levels(half, n = 5) {
  const order = [0, 1, 2].sort((a, b) => half[a] - half[b]);
  const [least, middle, most] = order;
  const found = [];
  for (let m = 1; m <= n; m++)
    for (const sign of [-1, 1])
      for (const k of [least, most]) found.push(level(half, k, sign, half[k] + ((m - 0.02) / n) * (half[middle] - half[k])));
  return found.filter(Boolean);
}
