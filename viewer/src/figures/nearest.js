// SPDX-License-Identifier: BSD-3-Clause
// The point of all curves that is closest to a place of the picture.

// From the place to the point [x, y], or to the line between y and upper at x.
function distanceTo(point, x, y) {
  const [px, from, to = from] = point;
  const [high, low] = from < to ? [from, to] : [to, from];
  return Math.hypot(px - x, Math.max(high - y, y - low, 0));
}

// curves: lists of points [x, y] or [x, y, upper] in pixels, null for gaps. Returns {line, index, distance}, or null.
export function nearest(curves, x, y) {
  let found = null;
  curves.forEach((points, line) => {
    for (let index = 0; index < points.length; index++) {
      const p = points[index];
      if (!p) continue;
      const distance = distanceTo(p, x, y);
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
