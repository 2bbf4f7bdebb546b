// SPDX-License-Identifier: BSD-3-Clause
// The parts of one run as three.js draws them. Few draw calls: a batch for each shape.
import * as THREE from 'three';
import { axisLength } from './axis-length.js';
import { directional, diverging, mixed } from './colours.js';
export { tensionMost } from './colours.js';
import { Globe, Grid } from './ground.js';
import { Lattice, isLattice } from './lattice.js';
import { Marks } from './marks.js';
import { Shadows } from './shadows.js';
import * as shapes from './shapes.js';
import { Surface } from './surface.js';
import { isDirection } from './trace.js';
import { Tube } from './tube.js';

const MANY_DIRECTIONS = 8;
// Sides of shapes by how many of the shape there are, for levels of detail. The processor takes a microsecond for a triangle.
const FINE = [40, 300];
const COARSE = [4, 16, 40, 120];
const SIDES = { sphere: [40, 20, 10, 8, 5], body: [48, 28, 16, 12, 8], cylinder: [64, 32, 16, 8, 8], rod: [16, 8, 6, 5, 3], arrow: [20, 10, 5, 5, 3] };
const NEEDLES = 600; // more arrows than these are slim cones
const COARSE_NEEDLES = 90;
const THIN = 1; // least radius of a line, in pixels
const DOT = [2, 3.5]; // least radius of a body: of many, of few, which are not to be smaller than their trails
const FEW = 40;
const MARK = 4.5; // radius of a ball without a size
const DEFAULT_FRAME = [1, 0, 0, 0, 1, 0, 0, 0, 1];

const turns = (scene, frame) => frame >= 0 && (scene.factors[frame].kind === 'SO3' || scene.factors[frame].kind === 'S1');

export class Actor {
  // places, columns and colour of the run; colours: of its parts (cast-colours.js); ghost: the run is one over another, in edges and translucent; most: the
  // largest tension; first: what all runs share is drawn with it; crowd: how many runs are drawn alike, 0 where they are not; unit: {scale} of the picture; axes: basis of the picture (fit.js); clear: frames whose bodies are translucent, since a trail
  // is close to them; background: the colour of the picture; paint: materials (paint.js)
  constructor({ places, column, colour, colours, palette, ghost, crowd = 0, first = !ghost, most, unit, axes, clear, background, paint }) {
    this.places = places;
    Object.assign(this, { palette, colours, axes, clear });
    this.surfaces = [];
    this.marked = [];
    this.shadows = ghost || !first ? null : new Shadows(places, palette.ground[2]);
    Object.assign(this, { ghost, crowd, first });
    this.colour = colour;
    this.most = most;
    this.paint = paint;
    this.group = new THREE.Group();
    this.batches = new Map();
    this.globes = [];
    this.planes = [];
    this.tubes = [];
    this.plan = { sphere: [], body: [], box: [], cylinder: [], cone: [], rod: [], arrow: [] };
    this.tinted = [];
    this.directions = [];
    this.column = column;
    this.G = new Float64Array(9);
    this.x = new Float64Array(6);
    this.c = [0, 0, 0];
    const drawn = places.scene.parts.filter((part) => places.canDraw(part));
    const still = first ? drawn.filter(isLattice) : [];
    this.lattice = still.length ? new Lattice(still, places, unit, mixed(palette.rod, background, 0.45)) : null;
    for (const part of drawn) if (!isLattice(part)) this.#take(part, unit);
    this.#build();
  }

  #take(part, unit) {
    const { plan, palette, ghost, crowd, first, colour, places } = this;
    const { scene } = places;
    const alone = !ghost && !crowd;
    const own = alone ? this.colours.part(part) : null;
    const solid = crowd ? mixed(palette.body, colour, 0.75) : alone ? mixed(palette.body, own ?? colour, own ? 0.75 : 0.35) : mixed(colour, [0, 0, 0], 0.3); // edges are before surfaces of light colours
    switch (part.kind) {
      case 'ball':
        return void (turns(scene, part.a.frame) || part.spin >= 0 ? plan.body.push({ part, colour: solid }) : plan.sphere.push({ part, colour: own ?? colour }));
      case 'ellipsoid':
        return void plan.body.push({ part, colour: solid });
      case 'box':
      case 'cylinder':
      case 'cone':
        return void plan[part.kind].push({ part, colour: solid });
      case 'line':
        return void plan.rod.push({ part, colour: alone ? palette.rod : mixed(palette.rod, colour, 0.6), tension: part.link >= 0 && !crowd ? this.column(`tension${part.link + 1}`) : null });
      case 'arrow':
        return void plan.arrow.push({ part, colour: own ?? colour, axis: -1 });
      case 'axes':
        return void [0, 1, 2].forEach((axis) => plan.arrow.push({ part, colour: alone ? palette.axes[axis] : mixed(palette.axes[axis], colour, 0.5), axis, length: axisLength(scene, part, axis) }));
      case 'tube':
        return this.#addTube(part);
      case 'mesh':
        return void this.surfaces.push({ part, surface: new Surface(part, solid, this.#material(false, true)) });
      case 'mark':
        if (first) this.marked.push(part);
        return;
      case 'globe':
        if (first) this.globes.push({ part, globe: new Globe(palette.globe, palette.grid, this.paint) });
        return;
      case 'plane':
        if (first) this.planes.push({ part, grid: null, unit });
    }
  }

  #addTube(part) {
    const spans = part.b.point - part.a.point;
    const tensions = part.link < 0 || this.crowd ? [] : Array.from({ length: spans }, (_, k) => this.column(`tension${part.link + 1 + k}`));
    const material = this.#material(true);
    const tube = new Tube(part.a.point, part.b.point, material, this.ghost ? this.colour : mixed(this.palette.body, this.colour, 0.6), tensions.some(Boolean) ? tensions : [], this.palette.middle);
    this.tubes.push({ part, tube });
    this.group.add(tube.mesh);
  }

  // Of surfaces, and of those that are a body (solid): of a second run its edges.
  #material(corners, solid = false, clear = false) {
    const { ghost } = this;
    return this.paint.material({ corners, opacity: ghost ? (solid ? 0.95 : 0.5) : clear ? 0.6 : 1, wire: ghost && solid, over: ghost || clear });
  }

  #build() {
    const { plan } = this;
    const level = (n) => (this.paint.coarse ? COARSE : FINE).filter((most) => n > most).length;
    const sides = (shape, n) => SIDES[shape][level(n)];
    const geometry = {
      sphere: (n) => shapes.sphere(sides('sphere', n)),
      body: (n) => shapes.body(sides('body', n)),
      box: () => shapes.box(),
      cylinder: (n) => shapes.cylinder(sides('cylinder', n)),
      cone: (n) => shapes.cone(sides('cylinder', n)),
      rod: (n) => shapes.rod(sides('rod', n)),
      arrow: (n) => (this.#needles(n) ? shapes.needle(this.paint.coarse ? 3 : 8) : shapes.arrow(sides('arrow', n))),
    };
    const patterned = new Set(['body', 'cylinder', 'cone']);
    const solids = new Set(['body', 'box', 'cylinder', 'cone']);
    this.dot = DOT[plan.sphere.length + plan.body.length <= FEW ? 1 : 0];
    for (const [shape, list] of Object.entries(plan)) {
      if (!list.length) continue;
      const clear = solids.has(shape) && list.some(({ part }) => this.clear.has(part.a.frame));
      const batch = this.paint.batch(geometry[shape](this.ghost ? Math.max(list.length, FINE[0] + 1) : list.length * (this.crowd || 1)), this.#material(patterned.has(shape), solids.has(shape), clear), list.length);
      list.forEach((item, i) => batch.colour(i, item.colour));
      this.batches.set(shape, batch);
      this.group.add(batch.mesh);
    }
    this.tinted = plan.rod.map((item, i) => [i, item.tension]).filter(([, t]) => t);
    this.#colourDirections();
    for (const { surface } of this.surfaces) this.group.add(surface.mesh);
    this.marks = this.marked.length ? new Marks(this.marked, this.paint, mixed(this.palette.rod, this.palette.ground[0], 0.35)) : null;
    for (const { batch } of this.marks?.batches ?? []) this.group.add(batch.mesh);
    if (this.shadows?.n) this.group.add(this.shadows.mesh);
    if (this.lattice) this.group.add(this.lattice.group);
    for (const { globe } of this.globes) this.group.add(globe.group);
    for (const plane of this.planes) {
      const half = plane.part.size[0] > 0 ? plane.part.size[0] * plane.unit.scale : 4;
      const cell = roundCell(plane.unit) * plane.unit.scale;
      plane.grid = new Grid(this.palette.grid, { half, cell, faded: !(plane.part.size[0] > 0), ground: this.palette.ground });
      this.group.add(plane.grid.mesh);
    }
  }

  #needles(n) {
    return n > (this.paint.coarse ? COARSE_NEEDLES : NEEDLES);
  }

  // Few directions about one globe have a colour each; of others each its own at each time, by where it points.
  #colourDirections() {
    const { scene } = this.places;
    const of = this.plan.arrow.map((item, i) => [i, item]).filter(([, item]) => item.axis < 0 && item.part.b.frame >= 0 && !turns(scene, item.part.b.frame));
    const spins = of.length > 1 && of.every(([, item]) => isDirection(scene.factors[item.part.b.frame])) && !scene.parts.some((p) => p.kind === 'globe');
    if (of.length > MANY_DIRECTIONS || spins) this.directions = of.map(([i, item]) => [i, item.part.b.frame]);
  }

  // Everything where it is at places.at(s). to: {origin (3), scale}; pixel(x, y, z): what a pixel is there, in units of the picture.
  update(to, pixel) {
    this.#bodies(to, pixel);
    this.#rods(to, pixel);
    this.#arrows(to, pixel);
    this.#rest(to, pixel);
    this.marks?.update(this.places, to, pixel);
    this.shadows?.update(this.places, to);
    this.lattice?.update(to);
    for (const batch of this.batches.values()) batch.done();
  }

  // this.x[o ...] <- the place in units of the picture.
  #at(place, to, o) {
    const { x } = this;
    this.places.place(place, x, o);
    for (let a = 0; a < 3; a++) x[o + a] = (x[o + a] - to.origin[a]) * to.scale;
  }

  #bodies(to, pixel) {
    const { x, G, places } = this;
    for (const shape of ['sphere', 'body', 'box', 'cylinder', 'cone']) {
      const batch = this.batches.get(shape);
      if (!batch) continue;
      const list = this.plan[shape];
      for (let i = 0; i < list.length; i++) {
        const { part } = list[i];
        const s = part.size;
        this.#at(part.a, to, 0);
        const least = pixel(x[0], x[1], x[2]);
        if (shape === 'sphere' || part.kind === 'ball') {
          const r = Math.max(s[0] * to.scale, (s[0] > 0 ? this.dot : MARK) * least);
          if (shape === 'sphere') batch.stand(i, DEFAULT_FRAME, r, r, r, x[0], x[1], x[2]);
          else {
            places.stand(part, G);
            batch.stand(i, G, r, r, r, x[0], x[1], x[2]);
          }
          continue;
        }
        places.stand(part, G);
        const grow = to.scale * Math.max(1, (this.dot * least) / (to.scale * Math.max(s[0], s[1], s[2]) || 1e-30));
        batch.stand(i, G, s[0] * grow, s[1] * grow, s[2] * grow, x[0], x[1], x[2]);
      }
    }
  }

  #rods(to, pixel) {
    const batch = this.batches.get('rod');
    if (!batch) return;
    const { x, plan } = this;
    for (let i = 0; i < plan.rod.length; i++) {
      const { part } = plan.rod[i];
      this.#at(part.a, to, 0);
      this.#at(part.b, to, 3);
      const least = THIN * pixel(0.5 * (x[0] + x[3]), 0.5 * (x[1] + x[4]), 0.5 * (x[2] + x[5]));
      batch.span(i, x[0], x[1], x[2], x[3] - x[0], x[4] - x[1], x[5] - x[2], Math.max(part.size[0] * to.scale, least));
    }
    const row = Math.round(this.places.row);
    for (const [i, tension] of this.tinted) {
      diverging(tension[row] / this.most, this.palette.middle, this.c, 0);
      batch.colour(i, this.c);
    }
  }

  #arrows(to, pixel) {
    const batch = this.batches.get('arrow');
    if (!batch) return;
    const { x, G, plan, places } = this;
    for (let i = 0; i < plan.arrow.length; i++) {
      const { part, axis, length: own } = plan.arrow[i];
      this.#at(part.a, to, 0);
      const least = pixel(x[0], x[1], x[2]);
      if (axis < 0) this.#at(part.b, to, 3);
      else {
        places.stand(part, G);
        const length = Math.max(own * to.scale, own > 0 ? 0 : 30 * least);
        for (let a = 0; a < 3; a++) x[3 + a] = x[a] + length * G[3 * a + axis];
      }
      const [dx, dy, dz] = [x[3] - x[0], x[4] - x[1], x[5] - x[2]];
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const slim = this.#needles(plan.arrow.length) ? (axis < 0 ? 0.18 : 0.12) : axis < 0 ? 0.07 : 0.05;
      batch.span(i, x[0], x[1], x[2], dx, dy, dz, Math.min(Math.max(slim * length, 2 * THIN * least), 0.3 * length));
    }
    for (const [i, frame] of this.directions) {
      const { z } = places.factors[frame];
      directional(places.z[z], places.z[z + 1], places.z[z + 2], this.axes, this.palette.lightness, this.c, 0);
      batch.colour(i, this.c);
    }
  }

  #rest(to, pixel) {
    const { x, G, places } = this;
    for (const { part, globe } of this.globes) {
      this.#at(part.a, to, 0);
      places.stand(part, G);
      globe.stand(G, part.size[0] * to.scale, x[0], x[1], x[2]);
    }
    for (const { part, surface } of this.surfaces) {
      this.#at(part.a, to, 0);
      places.stand(part, G);
      surface.stand(G, to.scale, x[0], x[1], x[2]);
    }
    for (const { part, grid } of this.planes) {
      this.#at(part.a, to, 0);
      places.stand(part, G);
      grid.stand(G, x[0], x[1], x[2]);
    }
    for (const { part, tube } of this.tubes) {
      tube.update(places, Math.max(part.size[0] * to.scale, THIN * pixel(0, 0, 0)), to);
      tube.tint(Math.round(places.row), this.most);
    }
  }

  dispose() {
    for (const batch of this.batches.values()) batch.dispose();
    for (const { tube } of this.tubes) tube.dispose();
    for (const { globe } of this.globes) globe.dispose();
    for (const { grid } of this.planes) grid.dispose();
    for (const { surface } of this.surfaces) surface.dispose();
    this.marks?.dispose();
    this.shadows?.dispose();
    this.lattice?.dispose();
  }
}

// A round length of which ten are about the radius of the motion.
function roundCell(unit) {
  const x = 1 / unit.scale / 10;
  const power = 10 ** Math.floor(Math.log10(x));
  return (x / power >= 5 ? 5 : x / power >= 2 ? 2 : 1) * power;
}
