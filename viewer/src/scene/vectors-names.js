// SPDX-License-Identifier: BSD-3-Clause
// Names of columns of velocities and momenta of factors (doc/reference/columns.md).

// Names of the columns of a kind ('omega' or 'momentum') of a factor; null for kinds without one, for phases, and for velocities that are
// seen from a frame that turns.
export function columnNames(factor, kind) {
  if (factor.phase || (factor.turned && kind === 'omega')) return null;
  const n = factor.label.replace(/^\D+/, '');
  const triple = (l) => ['x', 'y', 'z'].map((c) => `${l}${n}${c}`);
  if (factor.kind === 'SO3') return triple(kind === 'omega' ? 'Omega' : 'Pi');
  if (factor.kind === 'S2') return triple(kind === 'omega' ? 'omega' : 'pi');
  if (factor.kind === 'spin') return kind === 'omega' ? triple('omega') : null;
  if (factor.kind === 'S1') return [`${kind === 'omega' ? 'omega' : 'pi'}${n}`];
  return kind === 'momentum' && factor.n <= 3 ? Array.from({ length: factor.n }, (_, k) => `p${n}_${k + 1}`) : null;
}

// Lists of columns with the velocity of a factor, as curves between rows need it; the first that is there is taken.
export function velocityNames(factor) {
  if (factor.kind !== 'R' || factor.turned) return [columnNames(factor, 'omega')].filter(Boolean);
  const n = factor.label.replace(/^\D+/, '');
  return ['v', 'xdot'].map((letter) => Array.from({ length: factor.n }, (_, k) => `${letter}${n}_${k + 1}`));
}
