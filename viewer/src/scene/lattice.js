// SPDX-License-Identifier: BSD-3-Clause
// Sites and bonds that rest, as thin lines and dots: thousands of them cost nothing in a frame.
import * as THREE from 'three';

const DOT = 4; // pixels
const rests = ({ point, frame }) => point < 0 && frame < 0;

export const isLattice = (part) => (part.kind === 'line' && part.name === 'bond' && rests(part.a) && rests(part.b)) || (part.kind === 'ball' && part.name === 'site' && rests(part.a));

export class Lattice {
  // parts: those of which isLattice; origin and scale of the picture: lengths are divided by the radius of the motion, single precision is enough then
  constructor(parts, places, { origin, scale }, colour) {
    this.origin = Float64Array.from(origin);
    const x = new Float64Array(3);
    const at = (place) => {
      places.place(place, x, 0);
      return [0, 1, 2].map((a) => (x[a] - this.origin[a]) * scale);
    };
    const geometry = (list) => new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(Float32Array.from(list.flat()), 3));
    const color = new THREE.Color().setRGB(...colour, THREE.SRGBColorSpace);
    const bonds = parts.filter((p) => p.kind === 'line').flatMap((p) => [at(p.a), at(p.b)]);
    const sites = parts.filter((p) => p.kind === 'ball').map((p) => at(p.a));
    this.group = new THREE.Group();
    if (bonds.length) this.group.add(new THREE.LineSegments(geometry(bonds), new THREE.LineBasicMaterial({ color })));
    if (sites.length) this.group.add(new THREE.Points(geometry(sites), new THREE.PointsMaterial({ color, size: DOT, sizeAttenuation: false })));
    for (const object of this.group.children) object.frustumCulled = false;
  }

  update(to) {
    this.group.position.set(...[0, 1, 2].map((a) => (this.origin[a] - to.origin[a]) * to.scale));
  }

  dispose() {
    for (const { geometry, material } of this.group.children) {
      geometry.dispose();
      material.dispose();
    }
  }
}
