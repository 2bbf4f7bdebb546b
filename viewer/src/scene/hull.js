// SPDX-License-Identifier: BSD-3-Clause
// Outlines of bodies in a parallel projection: the corners of each kind of body in its own axes, and the convex hull of points of a plane.

const ring = (n, of) => Array.from({ length: n }, (_, k) => of(Math.cos((2 * Math.PI * k) / n), Math.sin((2 * Math.PI * k) / n)));

// Points of a body in its own axes, of which it is the convex hull, nearly: those of curved ones are `n` in a ring.
export function cornersOf(kind, [a, b, c], n = 48) {
  if (kind === 'box') return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? a : -a, k & 2 ? b : -b, k & 4 ? c : -c]);
  if (kind === 'cone') return [...ring(n, (x, y) => [a * x, b * y, c]), [0, 0, -c]];
  if (kind === 'cylinder') return [...ring(n, (x, y) => [a * x, b * y, c]), ...ring(n, (x, y) => [a * x, b * y, -c])];
  return [];
}

// The outline of an ellipsoid, offsets in pixels: over unit vectors d of the plane of the picture the points A A^T d / |A^T d|, where the
// columns of A (3) are its half-axes as seen, [right, down, back] each.
export function ellipsoidOutline(A, n = 48) {
  return ring(n, (x, y) => {
    const w = A.map((axis) => axis[0] * x + axis[1] * y);
    const length = Math.hypot(...w) || 1;
    return [0, 1].map((r) => A.reduce((sum, axis, k) => sum + (axis[r] * w[k]) / length, 0));
  });
}

// The corners of the convex hull of points [x, y], in the order of their angle (Andrew's monotone chain).
export function convexHull(points) {
  const sorted = points.filter((p) => Number.isFinite(p[0] + p[1])).sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = (list) => {
    const found = [];
    for (const p of list) {
      while (found.length > 1) {
        const [u, v] = found.slice(-2);
        if ((v[0] - u[0]) * (p[1] - u[1]) - (v[1] - u[1]) * (p[0] - u[0]) > 0) break;
        found.pop();
      }
      found.push(p);
    }
    return found.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}
