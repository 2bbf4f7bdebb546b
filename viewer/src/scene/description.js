// SPDX-License-Identifier: BSD-3-Clause
// The description of a scene (doc/reference/scenes.md) as lists of numbers whose indices are all in range. It comes from an archive, so
// nothing in it is taken for granted; what is not understood is left out.

const KINDS = new Set(['ball', 'line', 'tube', 'arrow', 'axes', 'box', 'ellipsoid', 'cylinder', 'cone', 'globe', 'plane', 'mark', 'mesh']);
const SPACES = new Set(['S2', 'S1', 'SO3', 'R', 'embedded', 'spin']);
const MOST_POINTS = 10000;
const MOST_PARTS = 40000;
const MOST_TRIANGLES = 20000;
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

const finite = (v, n) => Array.isArray(v) && v.length === n && v.every(Number.isFinite);
const index = (v, n) => (Number.isInteger(v) && v >= 0 && v < n ? v : -1);
const unit = (v, other) => (finite(v, 3) && Math.hypot(...v) > 0 ? v.map((c) => c / Math.hypot(...v)) : other);

function readFactor(f, nz) {
  if (!f || !SPACES.has(f.kind) || index(f.z, nz) < 0 || !Number.isInteger(f.n) || f.n < 1 || f.z + f.n > nz) return null;
  if ((f.kind === 'SO3' && f.n !== 9) || (f.kind === 'S1' && f.n !== 2) || ((f.kind === 'S2' || f.kind === 'spin') && f.n !== 3)) return null;
  return { kind: f.kind, z: f.z, n: f.n, label: String(f.label ?? ''), inertia: finite(f.inertia, 9) ? Float64Array.from(f.inertia) : null, strength: Number.isFinite(f.strength) ? f.strength : 1 };
}

// Points as x_k = x_from + at + sum of coefficient z: the terms of point k are begin[k] ... begin[k + 1] - 1.
function readPoints(scene, nz) {
  const listed = Array.isArray(scene.points) ? scene.points : [];
  const n = Math.min(Number.isInteger(scene.n_points) && scene.n_points >= 0 ? scene.n_points : listed.length, MOST_POINTS);
  const points = { n, from: new Int32Array(n).fill(-1), at: new Float64Array(3 * n), begin: new Int32Array(n + 1), axis: [], z: [], by: [] };
  points.known = new Uint8Array(n);
  for (let k = 0; k < n; k++) {
    const p = listed[k];
    if (p && typeof p === 'object') {
      points.known[k] = 1;
      points.from[k] = index(p.from, k);
      if (finite(p.at, 3)) points.at.set(p.at, 3 * k);
      for (const term of Array.isArray(p.add) ? p.add : []) {
        if (!finite(term, 3) || index(term[0], 3) < 0 || index(term[1], nz) < 0) {
          points.known[k] = 0;
          continue;
        }
        points.axis.push(term[0]);
        points.z.push(term[1]);
        points.by.push(term[2]);
      }
    }
    points.begin[k + 1] = points.by.length;
  }
  return { ...points, axis: Uint8Array.from(points.axis), z: Int32Array.from(points.z), by: Float64Array.from(points.by) };
}

function readPlace(p, points, factors) {
  const place = p && typeof p === 'object' ? p : {};
  return {
    point: index(place.point, points),
    frame: index(place.frame, factors),
    at: finite(place.at, 3) ? place.at : [0, 0, 0],
    offset: finite(place.offset, 3) ? place.offset : [0, 0, 0],
  };
}

function readPart(p, points, kinds) {
  const factors = kinds.length;
  if (!p || !KINDS.has(p.kind)) return null;
  const spin = index(p.spin, factors);
  const part = {
    kind: p.kind,
    a: readPlace(p.a, points, factors),
    b: readPlace(p.b, points, factors),
    R: finite(p.R, 9) ? p.R : IDENTITY,
    size: finite(p.size, 3) ? p.size.map((s) => Math.max(s, 0)) : [0, 0, 0],
    link: index(p.link, factors),
    spin: spin >= 0 && kinds[spin] === 'S1' ? spin : -1,
    name: typeof p.name === 'string' ? p.name : '',
  };
  if (part.kind === 'mesh' && !readMesh(p, part)) return null;
  return part.kind === 'tube' && !(part.a.point >= 0 && part.b.point > part.a.point) ? null : part;
}

// part.vertices, part.triangles, and size[0], the largest distance of a vertex; false where they are not a surface.
function readMesh({ vertices, triangles }, part) {
  if (!Array.isArray(vertices) || !Array.isArray(triangles) || vertices.length % 3 || triangles.length % 3) return false;
  const n = vertices.length / 3;
  if (!n || !triangles.length || triangles.length > 3 * MOST_TRIANGLES || !vertices.every(Number.isFinite) || triangles.some((t) => index(t, n) < 0)) return false;
  part.vertices = Float32Array.from(vertices);
  part.triangles = Uint32Array.from(triangles);
  let most = 0;
  for (let k = 0; k < n; k++) most = Math.max(most, Math.hypot(vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]));
  part.size = [most, most, most];
  return true;
}

// Vortices had arrows outwards in archives of earlier versions: they are balls only.
function withoutArrows(parts) {
  const vortices = new Set(parts.filter((p) => p.name === 'vortex').map((p) => p.a.frame));
  return vortices.size ? parts.filter((p) => p.kind !== 'arrow' || !vortices.has(p.a.frame) || p.a.frame < 0) : parts;
}

// By which coordinate everything is turned, and about what: {z, axis, unit}; null where the factors are as in space. The factor with that
// coordinate is no place (`phase`), and velocities of the others are seen from what turns (`turned`).
function readTurn(turn, factors) {
  const phase = factors.findIndex((f) => f.z === turn?.z && f.n === 1);
  if (phase < 0 || !finite(turn.axis, 3) || !(Math.hypot(...turn.axis) > 0)) return null;
  factors.forEach((f, i) => Object.assign(f, { phase: i === phase, turned: true }));
  return { z: turn.z, axis: turn.axis, unit: unit(turn.axis), factor: phase };
}

// The description in `json` (text or an object), or null where it is not one of version 1.
export function readScene(json) {
  let scene = json;
  if (typeof json === 'string')
    try {
      scene = JSON.parse(json);
    } catch {
      return null;
    }
  if (!scene || typeof scene !== 'object' || scene.version !== 1 || !Array.isArray(scene.z) || !Array.isArray(scene.factors)) return null;
  const z = scene.z.map(String);
  const read = scene.factors.map((f) => readFactor(f, z.length));
  if (read.includes(null)) return null; // indices of parts would be those of others
  const points = readPoints(scene, z.length);
  const kinds = read.map((f) => f.kind);
  const parts = (Array.isArray(scene.parts) ? scene.parts : []).slice(0, MOST_PARTS).map((p) => readPart(p, points.n, kinds));
  const turn = readTurn(scene.turn, read);
  return { up: unit(scene.up, [0, 0, 1]), z, factors: read, turn, points, ownPoints: scene.columns === 'position', parts: withoutArrows(parts.filter(Boolean)) };
}
