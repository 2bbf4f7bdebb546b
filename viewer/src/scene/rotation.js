// SPDX-License-Identifier: BSD-3-Clause
// Rotations of unit quaternions (w, x, y, z).

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
