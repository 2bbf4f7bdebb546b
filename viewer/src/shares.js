// SPDX-License-Identifier: BSD-3-Clause
// Which events of many are kept: every k-th, of each name by itself, since events of two names may alternate (as lib/archive/shares.c).

/** Every how many-th event of each name is kept: names have equal shares of `most`, and what some do not need goes to the others. */
function everyOf(counts, most) {
  const every = new Map();
  let room = most;
  let left = counts.size;
  for (const [name, n] of [...counts].sort((a, b) => a[1] - b[1])) { // rare ones first: what they leave is shared by the others
    const share = Math.max(1, Math.floor(room / left));
    every.set(name, Math.ceil(n / share));
    room -= Math.min(n, share);
    left -= 1;
  }
  return every;
}

/** At most `most` of the events (of none, one); where there are more names than that, whatever their names are. */
export function thinned(events, most) {
  if (events.length <= most) return events;
  const counts = new Map();
  for (const { name } of events) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size > most) return events.filter((_, i) => i % Math.ceil(events.length / most) === 0);
  const every = everyOf(counts, most);
  const seen = new Map();
  return events.filter(({ name }) => {
    const i = seen.get(name) ?? 0;
    seen.set(name, i + 1);
    return i % every.get(name) === 0;
  });
}
