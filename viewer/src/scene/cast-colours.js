// SPDX-License-Identifier: BSD-3-Clause
// Which colour the bodies and trails of a run have. One run alone: each of a few bodies or directions its own, vortices by the sign of their
// strength; else all the run's.
import { ENDS, mixed } from './colours.js';
import { isDirection } from './trace.js';

const FEW = 8;

// sources: places that leave trails (trace.js). Returns {trails: a colour for each, part(p): that of a part, or null, signs: [[colour, text]] for the
// legend}.
export function coloursOf(scene, sources, { palette, colour, ink, alone }) {
  const same = { trails: [alone ? mixed(colour, ink, 0.15) : colour], part: () => null, signs: [] };
  if (!alone) return same;
  const { cycle } = palette;
  const vortices = scene.parts.filter((p) => p.name === 'vortex');
  if (vortices.length) {
    const strength = (place) => scene.factors[place.frame]?.strength ?? 1;
    const sign = (place) => (strength(place) < 0 ? ENDS.push : mixed(ENDS.pull, colour, 0.5));
    const both = new Set(scene.factors.map((f) => f.strength < 0)).size > 1;
    return { trails: sources.map(sign), part: (p) => (p.name === 'vortex' ? sign(p.a) : null), signs: both ? [[sign({ frame: -1 }), 'strength above 0'], [ENDS.push, 'strength below 0']] : [] };
  }
  const points = new Map(sources.filter((s) => s.frame < 0 && s.point >= 0).map((s, k) => [s.point, cycle[k % cycle.length]]));
  const apart = scene.parts.every((p) => p.a.point < 0 || p.kind === 'line' || p.kind === 'axes' || p.kind === 'mark' || points.has(p.a.point)); // not joined to others
  if (apart && points.size > 1 && points.size === sources.length && points.size <= FEW)
    return { ...same, trails: [...points.values()], part: (p) => (p.kind !== 'line' && p.kind !== 'axes' && p.kind !== 'mark' ? (points.get(p.a.point) ?? null) : null) };
  const arrows = scene.parts.filter((p) => p.kind === 'arrow' && p.b.frame >= 0 && isDirection(scene.factors[p.b.frame]));
  if (arrows.length > 1 && arrows.length <= FEW && scene.parts.some((p) => p.kind === 'globe')) {
    const own = new Map(arrows.map((p, k) => [p, cycle[k % cycle.length]]));
    return { ...same, trails: [...own.values()], part: (p) => own.get(p) ?? null };
  }
  return same;
}
