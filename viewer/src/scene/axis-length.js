// SPDX-License-Identifier: BSD-3-Clause
// How long the axes of a body are drawn: to a little beyond its surface, and no longer than is asked for.

const BODY = new Set(['ball', 'ellipsoid', 'box', 'cylinder', 'cone', 'mesh']);

// Of the axis (0, 1, 2) of a part of kind axes, in m; 0: as the picture needs.
export function axisLength({ parts }, part, axis) {
  const body = parts.find((p) => BODY.has(p.kind) && p.a.frame >= 0 && p.a.frame === part.a.frame && p.a.point === part.a.point && p.size[0] > 0);
  if (!body) return part.size[0];
  const size = body.kind === 'ball' ? [body.size[0], body.size[0], body.size[0]] : body.size;
  let inverse = 0; // square of that of the way through the ellipsoid with these half-axes
  for (let k = 0; k < 3; k++) if (size[k] > 0) inverse += ((body.R[k] * part.R[axis] + body.R[3 + k] * part.R[3 + axis] + body.R[6 + k] * part.R[6 + axis]) / size[k]) ** 2;
  return Math.min(part.size[0], 1 / Math.sqrt(inverse) + 0.15 * Math.max(...size));
}
