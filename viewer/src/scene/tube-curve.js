// SPDX-License-Identifier: BSD-3-Clause
// Catmull and Rom's curve through points: its tangent at a point is half of the line from the one before to the one behind.

// out (3) <- the curve at share w between the second and the third of four points, which are at o0 ... o3 of x; tangent (3) likewise.
export function catmullRom(x, o0, o1, o2, o3, w, out, tangent) {
  for (let a = 0; a < 3; a++) {
    const [p0, p1, p2, p3] = [x[o0 + a], x[o1 + a], x[o2 + a], x[o3 + a]];
    const [c1, c2, c3] = [0.5 * (p2 - p0), p0 - 2.5 * p1 + 2 * p2 - 0.5 * p3, 1.5 * (p1 - p2) + 0.5 * (p3 - p0)];
    out[a] = p1 + w * (c1 + w * (c2 + w * c3));
    tangent[a] = c1 + w * (2 * c2 + w * 3 * c3);
  }
}
