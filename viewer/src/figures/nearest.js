// SPDX-License-Identifier: BSD-3-Clause
// The point of all curves that is closest to a place of the picture.

// curves: lists of points [x, y] in pixels, null for gaps. Returns {line, index, distance}, or null.
export function nearest(curves, x, y) {
  let found = null;
  curves.forEach((points, line) => {
    for (let index = 0; index < points.length; index++) {
      const p = points[index];
      if (!p) continue;
      const distance = Math.hypot(p[0] - x, p[1] - y);
      if (!found || distance < found.distance) found = { line, index, distance };
    }
  });
  return found;
}

// The next point of the curve from `index` on, by +1 or -1, that is there; `index` itself where there is none.
export function nextPoint(points, index, by) {
  for (let i = index + by; i >= 0 && i < points.length; i += by) if (points[i]) return i;
  return index;
}
