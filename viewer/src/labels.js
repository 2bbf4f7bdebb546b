// SPDX-License-Identifier: BSD-3-Clause
// Words that distinguish runs that are shown together: long ones for legends, short ones for curves and heads of tables.

import { areMembers } from './run.js';

const plain = (run) => run.name.replace(/\.polhode$/, '');
const distinct = (words) => words.every(Boolean) && new Set(words).size === words.length;

/**
 * @param {{name: string, label: string, meta: Map<string, string>}[]} runs
 * @returns {{label: string, tag: string}[]} tag: of members their numbers, else the first of method, order, step and name that differs
 */
export function distinguish(runs) {
  const of = (key) => runs.map((run) => run.meta.get(key) ?? '');
  const steps = of('step').map((h) => (Number(h) ? `h = ${Number(Number(h).toPrecision(6))}` : ''));
  const orders = of('order').map((order) => (order ? `order ${order}` : ''));
  const tags = areMembers(runs) ? runs.map((run) => `member ${run.member.number}`) : [of('method'), orders, steps, runs.map(plain)].find(distinct) ?? runs.map((run, k) => `${plain(run)} (${k + 1})`);
  const labels = runs.map((run) => run.label);
  return runs.map((run, k) => ({ tag: tags[k], label: distinct(labels) ? labels[k] : `${tags[k]}: ${labels[k]}` }));
}
