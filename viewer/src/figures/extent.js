// SPDX-License-Identifier: BSD-3-Clause
// Ranges of axes: of all that can be drawn, narrowed or widened about a place, with equal lengths of both units.

export const isDrawn = (value, log) => Number.isFinite(value) && (!log || value > 0);
const forth = (value, log) => (log ? Math.log10(value) : value);
const back = (value, log) => (log ? 10 ** value : value);

// [least, largest] of the lines, but of guides for the eye, on this axis ('x' or 'y'), with a margin; null where nothing can be drawn.
export function extentOf(figure, axis) {
  if (figure[axis].range) return figure[axis].range;
  let least = Infinity;
  let largest = -Infinity;
  for (const line of figure.lines.filter((l) => !l.guide))
    for (let i = 0; i < line.x.length; i++) {
      if (!isDrawn(line.x[i], figure.x.log) || !isDrawn(line.y[i], figure.y.log)) continue;
      const value = forth(line[axis][i], figure[axis].log);
      const upper = axis === 'y' && line.upper && isDrawn(line.upper[i], figure.y.log) ? forth(line.upper[i], figure.y.log) : value;
      const half = axis === 'x' ? (line.bar ?? 0) / 2 : 0;
      least = Math.min(least, value - half, upper);
      largest = Math.max(largest, value + half, upper);
    }
  if (least > largest) return null;
  if (axis === 'y') largest = Math.min(largest, forth(figure.top ?? Infinity, figure.y.log));
  const room = axis === 'x' ? 4 * Math.max(...figure.lines.map((l) => l.bar ?? 0)) : 0; // one bar does not fill the frame
  if (largest - least < room) {
    const middle = 0.5 * (least + largest);
    [least, largest] = [middle - 0.5 * room, middle + 0.5 * room];
  }
  if (axis === 'y' && figure.zero && !figure.y.log) least = Math.min(0, least);
  if (largest - least <= 1e-12 * Math.max(1, Math.abs(largest))) {
    const half = figure[axis].log ? 0.5 : Math.abs(largest) * 1e-3 || 1;
    [least, largest] = [least - half, largest + half];
  }
  const margin = axis === 'x' && (figure.x.log || figure.ends) ? 0 : 0.06 * (largest - least);
  return [back(least - margin, figure[axis].log), back(largest + margin, figure[axis].log)];
}

// The range [lo, hi] narrowed by the factor about the share (0 to 1) of its length that stays in its place.
export function narrowed([lo, hi], log, factor, share) {
  const a = forth(lo, log);
  const b = forth(hi, log);
  const at = a + share * (b - a);
  return [back(at - (at - a) * factor, log), back(at + (b - at) * factor, log)];
}

// The range moved by a share of its length.
export function shifted([lo, hi], log, share) {
  const by = share * (forth(hi, log) - forth(lo, log));
  return [back(forth(lo, log) + by, log), back(forth(hi, log) + by, log)];
}

// Both ranges, one of them widened so that a unit has the same length on both axes of a frame of that many pixels.
export function equalised(x, y, width, height) {
  const perPixel = Math.max((x[1] - x[0]) / width, (y[1] - y[0]) / height);
  const about = ([lo, hi], pixels) => [0.5 * (lo + hi - perPixel * pixels), 0.5 * (lo + hi + perPixel * pixels)];
  return { x: about(x, width), y: about(y, height) };
}

// Where the value is on an axis of that many pixels.
export function placeOn(value, [lo, hi], log, pixels) {
  return (pixels * (forth(value, log) - forth(lo, log))) / (forth(hi, log) - forth(lo, log));
}

// Are all points [x, y] in pixels (null: a gap) at one place, as of one row or of a system at rest? A line would not be seen.
export function isSpot(points) {
  const there = points.filter(Boolean);
  const apart = (k) => there.reduce((most, p) => Math.max(most, Math.abs(p[k] - there[0][k])), 0);
  return there.length > 0 && apart(0) < 1 && apart(1) < 1;
}
