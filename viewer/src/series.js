// SPDX-License-Identifier: BSD-3-Clause
// Curves over time that a page shows: errors of energy, momentum and constraint, chosen columns.
import { momentumMaps } from './names.js';

/** Numbers of rows at steps, where errors are those of the method; NaN between them. */
const atSteps = (run, values) => values?.map((v, i) => (run.isBetween(i) ? NaN : v)) ?? null;

/** |values - values[0]| where they are a conserved quantity. */
const drift = (values) => values.map((v) => Math.abs(v - values[0]));

/** @returns {Float64Array|null} the energy error; relative: as a part of the run's scale, which must be known */
export function energyError(run, relative) {
  const error = run.column('energy_error');
  const energy = run.column('energy');
  if (!error && !energy) return null;
  const scale = relative ? run.energyScale : 1;
  return atSteps(run, error ? error.map((v) => Math.abs(v) / scale) : drift(energy).map((v) => v / scale));
}

/** The largest of the errors of all momentum maps of a unit. */
export function momentumError(run, unit) {
  const maps = momentumMaps(run).filter((c) => c.unit === unit).map((c) => drift(run.column(c.name)));
  if (!maps.length) return null;
  return atSteps(run, maps[0].map((_, i) => Math.max(...maps.map((m) => m[i]))));
}

/**
 * The charts of runs that are shown together.
 * @returns {{title: string, unit: string, log: boolean, curves: {run: number, values: Float64Array}[]}[]}
 */
export function usualCharts(runs) {
  const each = (make) => runs.map((run, k) => ({ run: k, values: make(run) })).filter((c) => c.values);
  const relative = runs.every((run) => run.energyScale);
  const changed = runs.some((run) => run.meta.get('conservative') !== 'true' || run.column('power')?.some((v) => v !== 0));
  const sparse = runs.some((run) => run.between > 0);
  const what = changed ? 'Energy change' : 'Energy error';
  const units = [...new Set(runs.flatMap((run) => momentumMaps(run).map((c) => c.unit)))];
  return [
    { title: relative ? `${what}, relative` : what, unit: relative ? '' : 'J', log: true, curves: each((run) => energyError(run, relative)) },
    ...units.map((unit) => ({ title: 'Momentum error', unit, log: true, curves: each((run) => momentumError(run, unit)) })),
    { title: 'Constraint error', unit: '', log: true, curves: each((run) => atSteps(run, run.column('constraint_error'))) },
    { title: 'Velocity constraint error', unit: runs.map((run) => run.unit('velocity_constraint_error')).find(Boolean) ?? '', log: true, curves: each((run) => atSteps(run, run.column('velocity_constraint_error')?.map(Math.abs))) },
  ].filter((chart) => chart.curves.length && chart.curves.some((c) => c.values.some((v) => Number.isFinite(v)))).map((chart) => ({ ...chart, sparse }));
}

/** What is to be said of the errors of a run. */
export function errorNotes(run) {
  const { between } = run;
  const rows = [];
  if (between) rows.push(`${between} of ${run.n} rows are interpolated between steps: errors are shown at the other rows.`);
  if (!run.meta.has('conservative') && energyError(run, false)) rows.push('It is not known whether forces change the energy: its change may be their work, or an error.');
  return rows;
}

/** The chart of a column. */
export function columnChart(runs, name) {
  const curves = runs.map((run, k) => ({ run: k, values: run.column(name) })).filter((c) => c.values);
  return { title: name, unit: runs.find((run) => run.column(name))?.unit(name) ?? '', log: false, column: name, curves };
}
