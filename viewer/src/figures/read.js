// SPDX-License-Identifier: BSD-3-Clause
// The data of a figure, from the JSON next to its static picture: what is not as it should be gives null, and the picture stays.

const isText = (value) => typeof value === 'string';
const isNumbers = (value, n) => Array.isArray(value) && (n === undefined || value.length === n) && value.every((x) => typeof x === 'number');
const colourOf = (value) => (isText(value) && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : '#808080');

// null in a list stands for a number that is not finite: the curve has a gap there.
const numbersOf = (list) => (Array.isArray(list) ? list.map((x) => (typeof x === 'number' ? x : NaN)) : null);

function axisOf(axis) {
  return { label: isText(axis?.label) ? axis.label : '', log: axis?.log === true };
}

// A third list of a curve, as long as the others, or null where it has none.
const thirdOf = (list, n) => (list === undefined ? null : numbersOf(list)?.length === n ? numbersOf(list) : undefined);

function curveOf(line) {
  const x = numbersOf(line?.x);
  const y = numbersOf(line?.y);
  if (!x || !y || x.length !== y.length) return null;
  const upper = thirdOf(line.upper, x.length); // a band between y and it
  const shade = thirdOf(line.shade, x.length); // from 0 (light) to 1 (dark)
  if (upper === undefined || shade === undefined) return null;
  const is = (name) => line[name] === true;
  return { label: isText(line.label) ? line.label : '', colour: colourOf(line.colour), dashes: isNumbers(line.dashes) ? line.dashes : [], marks: is('marks'), cross: is('cross'), dots: is('dots'), faint: is('faint'), guide: is('guide'), bar: line.bar > 0 ? Number(line.bar) : 0, x, y, upper, shade };
}

function curvesOf(data) {
  if (!Array.isArray(data.lines)) return null;
  const lines = data.lines.map(curveOf);
  if (lines.includes(null)) return null;
  return { kind: 'curves', x: axisOf(data.x), y: axisOf(data.y), equal: data.equal === true, keyed: data.keyed === true, zero: data.zero === true, ends: data.ends === true, top: data.top > 0 ? Number(data.top) : Infinity, lines };
}

// The half axes of the ellipsoid; from where it is seen at first; points of each path, x y z after one another.
function polhodeOf(data) {
  if (!isNumbers(data.half, 3) || data.half.some((a) => !(a > 0)) || !isNumbers(data.to, 3) || !isNumbers(data.up, 3)) return null;
  const lines = (Array.isArray(data.lines) ? data.lines : []).map((l) => ({
    label: isText(l?.label) ? l.label : '',
    colour: colourOf(l?.colour),
    points: isNumbers(l?.points) && l.points.length % 3 === 0 ? l.points : null,
  }));
  return lines.some((l) => !l.points) ? null : { kind: 'polhode', half: data.half, to: data.to, up: data.up, lines };
}

export function readFigure(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  if (data?.kind === 'curves') return curvesOf(data);
  if (data?.kind === 'polhode') return polhodeOf(data);
  return null;
}
