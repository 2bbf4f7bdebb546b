// SPDX-License-Identifier: BSD-3-Clause
// What columns are, by their names (doc/reference/columns.md).

const KNOWN = new Set(['t', 'step', 'row', 'energy', 'energy_error', 'constraint_error', 'velocity_constraint_error', 'tangency',
  'newton_passes', 'power', 'kinetic', 'potential', 'phase', 'locked_inertia', 'amended_potential', 'azimuth', 'least_distance', 'clearance',
  'escape', 'binding', 'libration']);

/** Is it a momentum map, such as Jz, px, by its name and unit? */
export const isMomentumMap = ({ name, unit }) => !KNOWN.has(name) && !/\d/.test(name) && (/kg|^m\^2\/s$/.test(unit) || (/^1?$/.test(unit) && /^[JLMPSp][xyzga]?$/.test(name)));

/** The columns of a run's momentum maps: those that it names, or by their names. */
export function momentumMaps(run) {
  const named = run.meta.get('momentum_maps')?.split('\n');
  return run.columns.filter((c) => (named ? named.includes(c.name) : isMomentumMap(c)));
}

/** The columns of the momentum of a factor of a scene, by those of its configuration. */
export function momentumNames(factor, names) {
  const number = factor.label.replace(/^\D+/, '');
  if (factor.kind === 'S2') return ['x', 'y', 'z'].map((a) => `pi${number}${a}`);
  if (factor.kind === 'S1') return [`pi${number}`];
  if (factor.kind === 'SO3') return ['x', 'y', 'z'].map((a) => `Pi${number}${a}`);
  if (factor.kind === 'spin') return [];
  return names.map((name) => name.replace(/^\D+/, 'p'));
}

/** Those of its angular velocity, or velocity. */
export function velocityNames(factor, names) {
  const number = factor.label.replace(/^\D+/, '');
  if (factor.kind === 'S2' || factor.kind === 'spin') return ['x', 'y', 'z'].map((a) => `omega${number}${a}`);
  if (factor.kind === 'S1') return [`omega${number}`];
  if (factor.kind === 'SO3') return ['x', 'y', 'z'].map((a) => `Omega${number}${a}`);
  return names.map((name) => name.replace(/^\D+/, 'v'));
}

/** Columns that a page shows as numbers at first. */
export function usualColumns(run) {
  const has = (name) => run.column(name) !== null;
  const first = ['energy', 'energy_error', 'constraint_error'].filter(has);
  const maps = momentumMaps(run).map((c) => c.name).slice(0, 3);
  const z = run.scene?.z.filter(has).slice(0, 3) ?? [];
  return [...first, ...maps, ...z];
}
