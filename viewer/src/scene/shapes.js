// SPDX-License-Identifier: BSD-3-Clause
// The shapes that parts are made of, of unit size, with their long axis on z. Colours at their corners shade octants or sectors of bodies
// a little, so that one sees them turn.
import * as THREE from 'three';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';

const SHADE = 0.74;

// shade(x, y, z) at the middle of each triangle: true gets the darker shade.
function shaded(geometry, shade) {
  const g = geometry.index ? geometry.toNonIndexed() : geometry;
  const x = g.attributes.position.array;
  const colours = new Float32Array(x.length).fill(1);
  for (let i = 0; i < x.length; i += 9) {
    const middle = [0, 1, 2].map((a) => (x[i + a] + x[i + 3 + a] + x[i + 6 + a]) / 3);
    if (shade(...middle)) colours.fill(SHADE, i, i + 9);
  }
  g.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  return g;
}

const octants = (x, y, z) => x * y * z < 0;
const sectors = (x, y) => x * y < 0;

// With few sides, from an icosahedron: its outline is rounder than that of meridians with as many triangles.
export function sphere(detail) {
  if (detail <= 8) return icosphere(detail > 5 ? 1 : 0);
  return new THREE.SphereGeometry(1, detail, Math.max(3, detail >> 1)).rotateX(Math.PI / 2);
}

function icosphere(detail) {
  const g = new THREE.IcosahedronGeometry(1, detail);
  for (const name of ['uv', 'normal']) g.deleteAttribute(name);
  const once = mergeVertices(g);
  once.setAttribute('normal', once.attributes.position.clone());
  return once;
}

export const body = (detail) => shaded(sphere(4 * Math.ceil(detail / 4)), octants); // divisible by four: edges between octants
export const box = () => new THREE.BoxGeometry(2, 2, 2);
export const cylinder = (sides) => shaded(new THREE.CylinderGeometry(1, 1, 2, 4 * Math.ceil(sides / 4)).rotateX(Math.PI / 2), sectors);

// Its tip at -z.
export const cone = (sides) => shaded(new THREE.CylinderGeometry(1, 0, 2, 4 * Math.ceil(sides / 4)).rotateX(Math.PI / 2), sectors);

// From the origin to e3, of radius 1 across.
export const rod = (sides) => new THREE.CylinderGeometry(1, 1, 1, sides, 1, sides < 9).rotateX(Math.PI / 2).translate(0, 0, 0.5);

// From the origin to e3: radius 1 across is that of its head.
export function arrow(sides) {
  const profile = [[0.36, 0], [0.36, 0.72], [1, 0.72], [0, 1]];
  const g = new THREE.LatheGeometry(profile.map(([r, z]) => new THREE.Vector2(r, z)), sides).rotateX(Math.PI / 2);
  const flat = g.toNonIndexed(); // edges between the rings stay sharp
  flat.computeVertexNormals();
  return sides > 6 ? smoothAround(flat) : flat;
}

// The same as a slim cone, for thousands.
export const needle = (sides) => new THREE.ConeGeometry(1, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5);

// Normals of each ring, but edges between rings stay sharp.
function smoothAround(flat) {
  const x = flat.attributes.position.array;
  const n = flat.attributes.normal.array;
  for (let i = 0; i < x.length; i += 3) {
    const across = Math.hypot(n[i], n[i + 1]);
    const r = Math.hypot(x[i], x[i + 1]);
    if (across < 1e-3 || r < 1e-6) continue;
    n[i] = (x[i] / r) * across;
    n[i + 1] = (x[i + 1] / r) * across;
  }
  return flat;
}

// Meridians and parallels of the unit sphere, as segments, so many of them in a circle.
export function graticule(segments = 72, every = 30) {
  const list = [];
  const at = (lat, lon) => [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
  const step = (2 * Math.PI) / segments;
  const rad = (every * Math.PI) / 180;
  for (let lon = 0; lon < 2 * Math.PI - 1e-9; lon += rad) for (let k = -segments / 4; k < segments / 4; k++) list.push(...at(k * step, lon), ...at((k + 1) * step, lon));
  for (let lat = -Math.PI / 2 + rad; lat < Math.PI / 2 - 1e-9; lat += rad) for (let k = 0; k < segments; k++) list.push(...at(lat, k * step), ...at(lat, (k + 1) * step));
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(list), 3));
  return g;
}
