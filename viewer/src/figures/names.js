// SPDX-License-Identifier: BSD-3-Clause
// Where the names of curves stand: next to one of their points, clear of other curves and of one another (as figures/svg.c does).

const overlap = (a, b) => Math.max(0, Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)) * Math.max(0, Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0));

// The length of a curve (points [x, y] in pixels, null where it has a gap) inside the box.
export function covered(points, box) {
  const parts = 8;
  let length = 0;
  for (let i = 1; i < points.length; i++) {
    if (!points[i] || !points[i - 1]) continue;
    const [x0, y0] = points[i - 1];
    const [x1, y1] = points[i];
    if (Math.max(x0, x1) < box.x0 || Math.min(x0, x1) > box.x1 || Math.max(y0, y1) < box.y0 || Math.min(y0, y1) > box.y1) continue;
    for (let p = 0; p < parts; p++) {
      const at = (p + 0.5) / parts;
      const x = x0 + at * (x1 - x0);
      const y = y0 + at * (y1 - y0);
      if (x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1) length += Math.hypot(x1 - x0, y1 - y0) / parts;
    }
  }
  return length;
}

const thinned = (points, most) => {
  const every = Math.ceil(points.length / most);
  return every > 1 ? points.filter((_, i) => i % every === 0) : points;
};

// The label as it is, or so much of its beginning and, twice as much, of its end as fits: ends are what tells labels apart. widthOf: of a text in pixels.
export function fitted(label, room, widthOf) {
  if (widthOf(label) <= room) return label;
  const letters = [...label];
  for (let kept = letters.length - 1; kept > 0; kept--) {
    const first = Math.floor(kept / 3);
    const text = `${letters.slice(0, first).join('').trimEnd()}…${letters.slice(letters.length - (kept - first)).join('').trimStart()}`;
    if (widthOf(text) <= room) return text;
  }
  return '';
}

// curves: [{points, width}], width: of the name in pixels. Returns a box {x0, x1, y0, y1} for each, or null where no point is in the frame, or the name is empty.
export function placeNames(curves, width, height, line = 17) {
  const away = [-4, -14, -28, 4, 14, -42];
  const rough = curves.map((c) => thinned(c.points, 160));
  const placed = [];
  for (let own = 0; own < curves.length; own++) {
    let best = null;
    let least = Infinity;
    const wide = curves[own].width;
    if (!wide) {
      placed.push(null);
      continue;
    }
    for (const point of thinned(rough[own], 60)) {
      if (!point || point[0] < 0 || point[0] > width || point[1] < 0 || point[1] > height) continue;
      for (const offset of away) {
        const x0 = Math.max(4, Math.min(point[0] - 0.5 * wide, width - wide - 4));
        const y0 = point[1] + offset - (offset < 0 ? line : 0);
        const box = { x0, x1: x0 + wide, y0, y1: y0 + line };
        const near = { x0: x0 - 3, x1: x0 + wide + 3, y0: y0 - 2, y1: y0 + line + 2 };
        let cost = 0.25 * (width - box.x1) + Math.abs(offset) + (offset > 0 ? 5 : 0);
        rough.forEach((points, k) => (cost += (k === own ? 4 : 6) * covered(points, near)));
        placed.forEach((other) => other && (cost += 2 * overlap(box, other)));
        if (y0 < 0 || y0 + line > height) cost += 1e4;
        if (cost < least) [least, best] = [cost, box];
      }
    }
    placed.push(best);
  }
  return placed;
}
