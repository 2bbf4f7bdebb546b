// SPDX-License-Identifier: BSD-3-Clause
// A scene for an archive that has none, from the names of its columns: q1x, q1y, q1z and s1x, ... are directions on one
// globe, R1xx ... R1zz attitudes, x1_1 ... places, position1x ... points.

/** A factor of n numbers with these names of columns, if all are there. */
function group(have, names) {
  return names.every((name) => have.has(name)) ? names : null;
}

export function fallbackScene(columns) {
  const have = new Set(columns.map((c) => c.name));
  const scene = { version: 1, up: [0, 0, 1], z: [], factors: [], points: [], n_points: 0, columns: null, parts: [] };
  const axes = ['x', 'y', 'z'];
  const push = (kind, label, names) => {
    scene.factors.push({ kind, label, z: scene.z.length, n: names.length });
    scene.z.push(...names);
    return scene.factors.length - 1;
  };
  const numbers = [...new Set([...have].map((name) => /^(?:q|s|R|x)(\d+)/.exec(name)?.[1]).filter(Boolean))].map(Number).sort((a, b) => a - b);
  const directions = [];
  const attitudes = [];
  for (const i of numbers) {
    const sphere = group(have, axes.map((a) => `q${i}${a}`));
    const circle = !sphere && group(have, ['x', 'y'].map((a) => `q${i}${a}`));
    const spin = group(have, axes.map((a) => `s${i}${a}`));
    const rotation = group(have, axes.flatMap((a) => axes.map((b) => `R${i}${a}${b}`)));
    const place = group(have, [1, 2, 3].map((k) => `x${i}_${k}`)) ?? group(have, [1, 2].map((k) => `x${i}_${k}`));
    if (sphere) directions.push(push('S2', `q${i}`, sphere));
    if (circle) directions.push(push('S1', `q${i}`, circle));
    if (spin) directions.push(push('spin', `s${i}`, spin));
    if (rotation) attitudes.push(push('SO3', `R${i}`, rotation));
    if (place && !have.has('position1x')) {
      const z = scene.z.length;
      push('R', `x${i}`, place);
      scene.points.push({ from: -1, add: place.map((_, k) => [k, z + k, 1]) });
    }
  }
  if (have.has('position1x')) {
    scene.columns = 'position';
    while (have.has(`position${scene.points.length + 1}x`)) scene.points.push(null);
  }
  scene.n_points = scene.points.length;
  scene.points.forEach((_, k) => scene.parts.push({ kind: 'ball', a: { point: k } }));
  if (!scene.n_points && directions.length) scene.parts.push({ kind: 'globe', a: {}, size: [1, 0, 0] });
  for (const f of scene.n_points ? [] : directions) scene.parts.push({ kind: 'arrow', a: {}, b: { frame: f, offset: [1, 0, 0] } });
  attitudes.forEach((f, k) => scene.parts.push({ kind: 'axes', a: { ...(k < scene.n_points ? { point: k } : {}), frame: f }, size: [1, 0, 0] }));
  return scene;
}
