// SPDX-License-Identifier: BSD-3-Clause
// The energy to which errors of a run are relative: that of its start, or, where this is small, the kinetic energy at the start and the range
// of the potential energy (lib/run/monitor.c). Copies in pages have it among their words; an archive, in what its monitor has seen.

const SMALL = 0.01;
const ENERGY = 40; // bytes: letters, two counts and two times lie before it
const KINETIC = ENERGY + 8 * 13; // the energy, two errors, ten tenths

/** @returns {number|null} in J; null where it is not known */
export function energyScale(meta, monitor) {
  const written = Number(meta.get('energy_scale'));
  if (written > 0 && written < Infinity) return written;
  if (!monitor || monitor.length < KINETIC + 24 || String.fromCharCode(...monitor.subarray(0, 7)) !== 'phmonit') return null;
  const view = new DataView(monitor.buffer, monitor.byteOffset, monitor.byteLength);
  const at = (o) => view.getFloat64(o, true);
  const own = Math.abs(at(ENERGY));
  const other = at(KINETIC) + at(KINETIC + 16) - at(KINETIC + 8);
  const scale = own < SMALL * other ? other : own;
  return scale > 0 && scale < Infinity ? scale : null;
}
