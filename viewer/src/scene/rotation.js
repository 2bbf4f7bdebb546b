// SPDX-License-Identifier: BSD-3-Clause
// Rotations as matrices (row-major, body to space) and unit quaternions (w, x, y, z), in arrays at an offset; nothing is allocated.

// q <- the quaternion of the matrix R[at ...], by its largest component.
export function quaternionOf(R, at, q) {
  const [xx, xy, xz] = [R[at], R[at + 1], R[at + 2]];
  const [yx, yy, yz] = [R[at + 3], R[at + 4], R[at + 5]];
  const [zx, zy, zz] = [R[at + 6], R[at + 7], R[at + 8]];
  const trace = xx + yy + zz;
  if (trace > 0) {
    const s = 2 * Math.sqrt(1 + trace);
    q[0] = s / 4;
    q[1] = (zy - yz) / s;
    q[2] = (xz - zx) / s;
    q[3] = (yx - xy) / s;
  } else if (xx >= yy && xx >= zz) {
    const s = 2 * Math.sqrt(Math.max(1 + xx - yy - zz, 1e-300));
    q[0] = (zy - yz) / s;
    q[1] = s / 4;
    q[2] = (xy + yx) / s;
    q[3] = (xz + zx) / s;
  } else if (yy >= zz) {
    const s = 2 * Math.sqrt(1 - xx + yy - zz);
    q[0] = (xz - zx) / s;
    q[1] = (xy + yx) / s;
    q[2] = s / 4;
    q[3] = (yz + zy) / s;
  } else {
    const s = 2 * Math.sqrt(1 - xx - yy + zz);
    q[0] = (yx - xy) / s;
    q[1] = (xz + zx) / s;
    q[2] = (yz + zy) / s;
    q[3] = s / 4;
  }
}

// R[at ...] <- the matrix of the quaternion q, of any length but 0.
export function matrixOf(q, R, at) {
  const s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const [w, x, y, z] = q;
  R[at] = 1 - s * (y * y + z * z);
  R[at + 1] = s * (x * y - w * z);
  R[at + 2] = s * (x * z + w * y);
  R[at + 3] = s * (x * y + w * z);
  R[at + 4] = 1 - s * (x * x + z * z);
  R[at + 5] = s * (y * z - w * x);
  R[at + 6] = s * (x * z - w * y);
  R[at + 7] = s * (y * z + w * x);
  R[at + 8] = 1 - s * (x * x + y * y);
}

// out[at ...] (n) <- the point at the share w of the great circle from a to b; false where they are more than `most` rad apart.
export function slerp(a, b, n, w, most, out, at) {
  let sum = 0;
  let difference = 0;
  for (let k = 0; k < n; k++) {
    sum += (a[k] + b[k]) ** 2;
    difference += (a[k] - b[k]) ** 2;
  }
  const angle = 2 * Math.atan2(Math.sqrt(difference), Math.sqrt(sum));
  if (!(angle <= most)) return false;
  const sine = Math.sin(angle);
  const first = sine > 1e-9 ? Math.sin((1 - w) * angle) / sine : 1 - w;
  const second = sine > 1e-9 ? Math.sin(w * angle) / sine : w;
  for (let k = 0; k < n; k++) out[at + k] = first * a[k] + second * b[k];
  return true;
}
