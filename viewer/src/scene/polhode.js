// SPDX-License-Identifier: BSD-3-Clause
// Angular momentum and velocity of a body over a run: in its principal axes, where the momentum lies on the ellipsoid of its energy
// (polhode), and the velocity in space, across the momentum that a free body keeps (herpolhode).
import { readScene } from './description.js';
import { Places } from './places.js';

// Moments (ascending) and axes (columns of a rotation, row-major) of a symmetric tensor J (9): by Jacobi's turns.
export function principal(J) {
  const A = Float64Array.from(J);
  const V = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  for (let sweep = 0; sweep < 12; sweep++)
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      const off = A[3 * p + q];
      if (Math.abs(off) <= 1e-18 * (Math.abs(A[4 * p]) + Math.abs(A[4 * q]))) continue;
      const theta = (A[4 * q] - A[4 * p]) / (2 * off);
      const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1);
      turn(A, V, p, q, c, t * c);
    }
  const order = [0, 1, 2].sort((a, b) => A[4 * a] - A[4 * b]);
  const axes = new Float64Array(9);
  order.forEach((from, to) => {
    for (let a = 0; a < 3; a++) axes[3 * a + to] = V[3 * a + from];
  });
  if (determinant(axes) < 0) for (let a = 0; a < 3; a++) axes[3 * a + 2] *= -1;
  return { moments: order.map((k) => A[4 * k]), axes };
}

// A <- G^T A G, V <- V G, G the turn in the plane of axes p and q.
function turn(A, V, p, q, c, s) {
  for (let k = 0; k < 3; k++) {
    const [x, y] = [A[3 * k + p], A[3 * k + q]];
    A[3 * k + p] = c * x - s * y;
    A[3 * k + q] = s * x + c * y;
  }
  for (let k = 0; k < 3; k++) {
    const [x, y] = [A[3 * p + k], A[3 * q + k]];
    A[3 * p + k] = c * x - s * y;
    A[3 * q + k] = s * x + c * y;
  }
  for (let k = 0; k < 3; k++) {
    const [x, y] = [V[3 * k + p], V[3 * k + q]];
    V[3 * k + p] = c * x - s * y;
    V[3 * k + q] = s * x + c * y;
  }
}

const determinant = (R) => R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);

// The body of a run that is factor i of its scene: {rows, moments, Pi (3 rows, principal axes), omega (3 rows, axes of space; null without
// attitude), energy (rows), free: is the momentum in space constant?, up}; null where inertia or columns are missing.
export function bodyOf(run, i) {
  const scene = readScene(run.scene);
  const factor = scene?.factors[i];
  if (factor?.kind !== 'SO3' || !factor.inertia || !run.n) return null;
  const { moments, axes } = principal(factor.inertia);
  if (!(moments[0] > 0)) return null;
  const number = factor.label.replace(/^\D+/, '');
  const columns = (letter) => {
    const list = ['x', 'y', 'z'].map((c) => run.column(`${letter}${number}${c}`));
    return list.every(Boolean) ? list : null;
  };
  const Pi = columns('Pi');
  const Omega = Pi || factor.turned ? null : columns('Omega');
  if (!Pi && !Omega) return null;
  const body = { rows: run.n, time: run.time, moments, Pi: new Float64Array(3 * run.n), energy: new Float64Array(run.n), omega: null, free: false, up: scene.up };
  for (let r = 0; r < run.n; r++)
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let a = 0; a < 3; a++) sum += axes[3 * a + k] * (Pi ?? Omega)[a][r];
      const value = Pi ? sum : moments[k] * sum;
      body.Pi[3 * r + k] = value;
      body.energy[r] += (value * value) / (2 * moments[k]);
    }
  if (!turns(body)) return null;
  turnToSpace(body, new Places(scene, (name) => run.column(name), run.n), i, axes);
  return body;
}

const STILL = 1e-6; // rad over the whole run: rounding alone

// Does the body turn so far in the run that it can be seen?
function turns({ Pi, moments, time, rows }) {
  let most = 0;
  for (let r = 0; r < rows; r++) most = Math.max(most, Math.hypot(Pi[3 * r], Pi[3 * r + 1], Pi[3 * r + 2]) || 0);
  return rows < 2 || (most / moments[0]) * Math.abs(time[rows - 1] - time[0]) > STILL;
}

function turnToSpace(body, places, i, axes) {
  if (places.factors[i].names) return;
  const { moments, rows } = body;
  body.omega = new Float64Array(3 * rows);
  const [low, high, v] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity], [0, 0, 0]];
  const first = new Float64Array(3);
  const pi = new Float64Array(3);
  let size = 0;
  const z = places.factors[i].z;
  for (let r = 0; r < rows; r++) {
    places.at(r);
    for (let a = 0; a < 3; a++) v[a] = axes[3 * a] * (body.Pi[3 * r] / moments[0]) + axes[3 * a + 1] * (body.Pi[3 * r + 1] / moments[1]) + axes[3 * a + 2] * (body.Pi[3 * r + 2] / moments[2]);
    for (let a = 0; a < 3; a++) body.omega[3 * r + a] = places.z[z + 3 * a] * v[0] + places.z[z + 3 * a + 1] * v[1] + places.z[z + 3 * a + 2] * v[2];
    for (let a = 0; a < 3; a++) v[a] = axes[3 * a] * body.Pi[3 * r] + axes[3 * a + 1] * body.Pi[3 * r + 1] + axes[3 * a + 2] * body.Pi[3 * r + 2];
    for (let a = 0; a < 3; a++) {
      pi[a] = places.z[z + 3 * a] * v[0] + places.z[z + 3 * a + 1] * v[1] + places.z[z + 3 * a + 2] * v[2];
      low[a] = Math.min(low[a], pi[a]);
      high[a] = Math.max(high[a], pi[a]);
    }
    if (r === 0) first.set(pi);
    size = Math.max(size, Math.hypot(...pi));
  }
  body.free = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) <= 0.01 * size;
  body.normal = body.free && size > 0 ? [...first].map((c) => c / Math.hypot(...first)) : body.up;
}

// Points (2 rows) of the velocity in the plane across a unit vector.
export function across(omega, normal) {
  const other = Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const along = other[0] * normal[0] + other[1] * normal[1] + other[2] * normal[2];
  const flat = other.map((c, a) => c - along * normal[a]);
  const u = flat.map((c) => c / Math.hypot(...flat));
  const v = [normal[1] * u[2] - normal[2] * u[1], normal[2] * u[0] - normal[0] * u[2], normal[0] * u[1] - normal[1] * u[0]];
  const points = new Float64Array((2 * omega.length) / 3);
  for (let r = 0; 3 * r < omega.length; r++)
    for (let a = 0; a < 3; a++) {
      points[2 * r] += omega[3 * r + a] * u[a];
      points[2 * r + 1] += omega[3 * r + a] * v[a];
    }
  return points;
}

// Half-axes of the ellipsoid of momenta with this energy.
export const halfAxes = (moments, energy) => moments.map((I) => Math.sqrt(2 * energy * I));
