// SPDX-License-Identifier: BSD-3-Clause
// The state of a run at a row as the part `initial` of a scenario (doc/reference/scenario.md), with all digits.
import { exact } from './format.js';
import { momentumNames, velocityNames } from './names.js';

const list = (values) => `[${values.map(exact).join(', ')}]`;

/** Columns of all names at the row, or null where one is not there. */
function take(run, names, row) {
  const values = names.map((name) => run.column(name)?.[row]);
  return values.every((v) => v !== undefined && Number.isFinite(v)) ? values : null;
}

/** Is it a run of a reduced system? Its state has other coordinates than `initial` of its scenario. */
const isReduced = (run) => /^reduction\s*:/m.test(run.meta.get('scenario') ?? '');

/** @returns {{text: string}|{lacks: string}|{reduced: true}} the YAML, or the name of the first column that is not there */
export function stateYaml(run, row) {
  if (isReduced(run)) return { reduced: true };
  const factors = run.scene?.factors ?? [];
  if (!factors.length) return { lacks: 'q1x' };
  const lines = [`# ${run.name}, row ${run.rowNumber(row)}: ${run.label}`, 'initial:', `  time: ${exact(run.time[row])}`, '  q:'];
  const z = factors.map((f) => run.scene.z.slice(f.z, f.z + f.n));
  for (const names of z) {
    const values = take(run, names, row);
    if (!values) return { lacks: names.find((name) => run.column(name) === null) ?? names[0] };
    lines.push(`    - ${list(values)}`);
  }
  if (factors.every((f) => f.kind === 'spin')) return { text: `${lines.join('\n')}\n` };
  const momenta = factors.map((f, i) => take(run, momentumNames(f, z[i]), row));
  const velocities = factors.map((f, i) => take(run, velocityNames(f, z[i]), row));
  const [key, chosen] = momenta.every(Boolean) ? ['momentum', momenta] : ['omega', velocities];
  if (!chosen.every(Boolean)) return { lacks: momentumNames(factors[momenta.indexOf(null)], z[momenta.indexOf(null)])[0] };
  lines.push(`  ${key}:`, ...chosen.map((values) => `    - ${list(values)}`));
  return { text: `${lines.join('\n')}\n` };
}
