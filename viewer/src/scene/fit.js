// SPDX-License-Identifier: BSD-3-Clause
// How large a motion is, and where a camera stands that sees all of it.
import { Places } from './places.js';

// Largest size of a part about its place.
const reach = (part) => {
  const s = part.size;
  if (part.kind === 'plane') return 0;
  if (part.kind === 'line' || part.kind === 'tube') return s[0];
  return part.kind === 'cylinder' || part.kind === 'cone' ? Math.hypot(Math.max(s[0], s[1]), s[2]) : part.kind === 'box' ? Math.hypot(...s) : Math.max(...s);
};

const hasEnd = (part) => part.kind === 'line' || part.kind === 'arrow';
const median = (v) => v.slice().sort()[v.length >> 1];

// x, y, z and reach of every place of parts, and of points, at up to `most` rows; rows that are not finite are left out.
export function sampled(places, most = 200) {
  const { scene, rows } = places;
  const marks = [];
  for (const part of scene.parts) {
    if (places.isKnown(part.a)) marks.push([part.a, reach(part)]);
    if (hasEnd(part) && places.isKnown(part.b)) marks.push([part.b, reach(part)]);
  }
  for (let k = 0; k < scene.points.n; k++) marks.push([{ point: k, frame: -1, at: [0, 0, 0], offset: [0, 0, 0] }, 0]);
  const thinned = marks.filter((_, i) => i % Math.ceil(marks.length / 2000) === 0);
  const count = Math.min(rows, Math.max(8, Math.min(most, Math.ceil(40000 / Math.max(1, thinned.length)))));
  const found = [];
  const x = new Float64Array(3);
  for (let s = 0; s < count; s++) {
    places.at(count > 1 ? Math.round((s * (rows - 1)) / (count - 1)) : 0);
    for (const [place, size] of thinned) {
      places.place(place, x, 0);
      if (Number.isFinite(x[0] + x[1] + x[2])) found.push([x[0], x[1], x[2], size]);
    }
  }
  return found;
}

// The axis along which no place moves, where there is one such axis only, else -1.
function flatAxis(samples) {
  const width = [0, 1, 2].map((a) => samples.reduce((m, s) => Math.max(m, s[a]), -Infinity) - samples.reduce((m, s) => Math.min(m, s[a]), Infinity));
  const flat = width.map((w) => w <= 1e-6 * Math.max(...width));
  return flat.filter(Boolean).length === 1 ? flat.indexOf(true) : -1;
}

// The ball that holds what is sampled, {centre, radius, flat, samples: those in it}: without the few that are far from all others. flat: an axis in
// whose direction nothing has an extent, or -1.
export function extentOf(samples) {
  if (!samples.length) return { centre: [0, 0, 0], radius: 1, flat: -1, samples: [] };
  const middle = [0, 1, 2].map((a) => median(Float64Array.from(samples, (s) => s[a])));
  const distance = Float64Array.from(samples, (s) => Math.hypot(s[0] - middle[0], s[1] - middle[1], s[2] - middle[2]) + s[3]).sort();
  const most = distance[distance.length - 1];
  const usual = distance[Math.floor(0.95 * (distance.length - 1))];
  const within = most <= 3 * usual || !(usual > 0) ? Infinity : 1.5 * usual;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const s of samples) {
    if (Math.hypot(s[0] - middle[0], s[1] - middle[1], s[2] - middle[2]) + s[3] > within) continue;
    for (let a = 0; a < 3; a++) {
      low[a] = Math.min(low[a], s[a] - s[3]);
      high[a] = Math.max(high[a], s[a] + s[3]);
    }
  }
  const centre = low.map((l, a) => (l + high[a]) / 2);
  let radius = 0;
  for (const s of samples) {
    const d = Math.hypot(s[0] - centre[0], s[1] - centre[1], s[2] - centre[2]) + s[3];
    if (Math.hypot(s[0] - middle[0], s[1] - middle[1], s[2] - middle[2]) + s[3] <= within) radius = Math.max(radius, d);
  }
  const kept = samples.filter((s) => Math.hypot(s[0] - middle[0], s[1] - middle[1], s[2] - middle[2]) + s[3] <= within);
  return { centre, radius: radius > 0 ? radius : 1, flat: flatAxis(samples), samples: kept };
}

// How much room a system takes at one time: the median over rows of the radius about the mean of its points.
export function localRadius(places, most = 40) {
  const { scene, rows } = places;
  const x = new Float64Array(3);
  const sizes = [];
  for (let s = 0; s < Math.min(rows, most); s++) {
    const { points } = places.at(Math.floor((s * rows) / Math.min(rows, most)));
    const mean = [0, 1, 2].map((a) => points.reduce((sum, c, i) => sum + (i % 3 === a ? c / scene.points.n : 0), 0));
    let size = 0;
    for (let k = 0; k < points.length; k += 3) size = Math.max(size, Math.hypot(points[k] - mean[0], points[k + 1] - mean[1], points[k + 2] - mean[2]) || 0);
    for (const part of scene.parts)
      for (const place of hasEnd(part) ? [part.a, part.b] : [part.a]) {
        if (part.kind === 'plane' || !places.isKnown(place)) continue;
        places.place(place, x, 0);
        size = Math.max(size, (Math.hypot(x[0] - mean[0], x[1] - mean[1], x[2] - mean[2]) || 0) + reach(part));
      }
    sizes.push(size);
  }
  return sizes.length ? median(Float64Array.from(sizes)) : 0;
}

// The extent of all scenes together, list of [scene, column, rows]; local: how much of it the first takes at one time.
export function extentOfRuns(runs) {
  const known = runs.filter(([, , rows]) => rows).map((r) => new Places(...r));
  const extent = extentOf(known.flatMap((places) => sampled(places)));
  const local = known.length && known[0].scene.points.n ? localRadius(known[0]) : 0;
  return { ...extent, local: local > 0 ? Math.min(1.3 * local, extent.radius) : 0.1 * extent.radius };
}

// How far from the centre of a ball of this radius a camera sees all of it; fov: vertical, in rad; aspect: width over height.
export function distanceFor(radius, fov, aspect) {
  const narrow = Math.min(fov, 2 * Math.atan(Math.tan(fov / 2) * aspect));
  return radius / Math.sin(narrow / 2);
}

// How far from the centre, in radii, a camera in a direction sees all samples: for each, as far as its edge is within the picture's.
export function distanceToSee(samples, centre, radius, axes, { azimuth, elevation }, fov, aspect) {
  const back = directionOf(axes, azimuth, elevation);
  const right = directionOf(axes, azimuth + Math.PI / 2, 0);
  const up = cross(back, right);
  const [sy, cy] = [Math.sin(fov / 2), Math.cos(fov / 2)];
  const wide = Math.atan(Math.tan(fov / 2) * aspect);
  const [sx, cx] = [Math.sin(wide), Math.cos(wide)];
  let most = 0;
  for (const s of samples) {
    const x = [0, 1, 2].map((a) => (s[a] - centre[a]) / radius);
    const r = s[3] / radius;
    const deep = dot(x, back);
    most = Math.max(most, deep + (Math.abs(dot(x, right)) * cx + r) / sx, deep + (Math.abs(dot(x, up)) * cy + r) / sy);
  }
  return Math.max(most, 1e-7);
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a, s) => a.map((c) => c * s);

// Axes of a picture with `up` upwards: right and front (towards the viewer of the front view), for up = e3: e1 and -e2.
export function basis(up) {
  const other = Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const along = dot(other, up);
  const flat = other.map((c, a) => c - along * up[a]);
  const right = scaled(flat, 1 / Math.hypot(...flat));
  return { right, front: cross(right, up), up };
}

// Unit vector from the target to the camera, of azimuth (0: front, towards the right) and elevation in rad.
export function directionOf({ right, front, up }, azimuth, elevation) {
  const [c, s] = [Math.cos(elevation), Math.sin(elevation)];
  return [0, 1, 2].map((a) => c * (Math.sin(azimuth) * right[a] + Math.cos(azimuth) * front[a]) + s * up[a]);
}

// Azimuth and elevation of a direction.
export function anglesOf({ right, front, up }, d) {
  const n = Math.hypot(...d) || 1;
  return { azimuth: Math.atan2(dot(d, right), dot(d, front)), elevation: Math.asin(Math.max(-1, Math.min(1, dot(d, up) / n))) };
}

// Azimuth and elevation of views by name; 'x', 'y', 'z': along an axis of space, from its positive side.
export function standardView(axes, name, flat = -1) {
  const quarter = Math.PI / 2;
  const named = { front: [0, 0], back: [Math.PI, 0], right: [quarter, 0], side: [quarter, 0], left: [-quarter, 0], top: [0, quarter], bottom: [0, -quarter], oblique: [0.6, 0.3] };
  const axis = ['x', 'y', 'z'].indexOf(name);
  if (axis >= 0) return anglesOf(axes, [0, 1, 2].map((a) => (a === axis ? 1 : 0)));
  if (name === 'home' && flat >= 0 && Math.abs(axes.up[flat]) < 0.1) {
    // From the side on which the axis across points to the right.
    const d = [0, 1, 2].map((a) => (a === flat ? 1 : 0));
    const across = cross(axes.up, d);
    return anglesOf(axes, across[0] + across[1] + across[2] < 0 ? scaled(d, -1) : d);
  }
  if (name === 'home' && flat >= 0 && Math.abs(axes.up[flat]) > 0.9) return { azimuth: 0, elevation: 0.9 };
  const [azimuth, elevation] = named[name] ?? named.oblique;
  return { azimuth, elevation };
}
