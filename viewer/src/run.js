// SPDX-License-Identifier: BSD-3-Clause
// A run as the page has it in memory: columns of rows that stand for all, events, and what the archive says of itself.

/**
 * @typedef {{name: string, unit: string}} Column
 * @typedef {{name: string, t: number, step: number, theta: number, direction: number, z: Float64Array}} Happening
 *   an event; z: configuration, then momentum there
 */

/** Are these members of a sweep, in one picture? */
export const areMembers = (runs) => runs.length > 1 && runs.every((run) => run.member);

/** A run that can be shown. Nothing of it changes. */
export class Run {
  /**
   * @param {{name: string, label?: string, meta: Map<string, string>, scene: object|null, columns: Column[],
   *          data: Float64Array[], events?: Happening[], notes?: string[], energyScale?: number|null}} is
   *   data: an array for each column, all of the same length
   */
  constructor({ name, label, meta, scene, columns, data, events = [], notes = [], energyScale = null }) {
    this.name = name;
    this.label = label || name;
    this.meta = meta;
    this.scene = scene;
    this.columns = columns;
    this.events = events;
    this.notes = notes;
    this.member = null; // of a sweep: {number, share: from 0 to 1, for its colour}
    this.energyScale = energyScale; // [J], that of `polhode info`; null: not known
    this.data = data;
    this.n = data.length ? data[0].length : 0;
    this.index = new Map(columns.map((c, i) => [c.name, i]));
    this.time = this.column('t') ?? Float64Array.from({ length: this.n }, (_, i) => i);
    this.backwards = this.n > 1 && this.time[this.n - 1] < this.time[0];
  }

  /** The numbers of a column (n), or null. */
  column(name) {
    const i = this.index.get(name);
    return i === undefined ? null : this.data[i];
  }

  /** Its unit, '' without one. */
  unit(name) {
    const i = this.index.get(name);
    return i === undefined ? '' : this.columns[i].unit;
  }

  /** The number of row i in the archive that the run comes from: rows may have been left out. */
  rowNumber(i) {
    const row = this.column('row');
    return row ? row[i] : i;
  }

  /** Does row i lie between two steps? Then it was interpolated, and its errors are not those of the method (polhode/record.h). */
  isBetween(i) {
    const [t, t0, h] = [this.time[i], Number(this.meta.get('t0') ?? NaN), Number(this.meta.get('step') ?? NaN)];
    const steps = (t - t0) / h;
    return Math.abs((steps - Math.round(steps)) * h) > 8 * Number.EPSILON * Math.max(Math.abs(t), Math.abs(t0));
  }

  /** How many rows do. */
  get between() {
    let n = 0;
    for (let i = 0; i < this.n; i++) n += this.isBetween(i);
    return n;
  }

  /** First and last time [s], the smaller one first. */
  get span() {
    if (!this.n) return [0, 0];
    const [a, b] = [this.time[0], this.time[this.n - 1]];
    return a <= b ? [a, b] : [b, a];
  }

  /** Where the time lies: between rows i and i + 1, `fraction` of the way; before the first and after the last row it is
   * there. */
  indexAt(t) {
    const last = this.n - 1;
    const sign = this.backwards ? -1 : 1;
    if (last < 1 || !(sign * (t - this.time[0]) > 0)) return { i: 0, fraction: 0 };
    if (sign * (t - this.time[last]) >= 0) return { i: last, fraction: 0 };
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (sign * (this.time[middle] - t) <= 0) low = middle;
      else high = middle;
    }
    const width = this.time[high] - this.time[low];
    return { i: low, fraction: width ? (t - this.time[low]) / width : 0 };
  }

  /** The row that is nearest to the time. */
  nearest(t) {
    const { i, fraction } = this.indexAt(t);
    return fraction > 0.5 ? i + 1 : i;
  }
}
