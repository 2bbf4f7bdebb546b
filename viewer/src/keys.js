// SPDX-License-Identifier: BSD-3-Clause
// Keys of the page, and what the help says of them.

export const KEYS = [
  ['Space', 'play or pause'], ['\u2190 \u2192', 'one row back or on; with Shift ten'], ['Home, End', 'to the start, the end'], ['+ \u2212', 'faster, slower'], ['b', 'backwards'],
  ['v', 'next view: fit, front, side, top'], ['f', 'follow'], ['o', 'parallel projection'], ['t', 'trails'], ['m', 'momentum'], ['w', 'angular velocity'],
  ['y', 'state as YAML'], ['r', 'record'], ['e', 'next event; with Shift the one before'], ['?', 'this help'],
];

const VIEWS = ['home', 'front', 'side', 'top'];

/** @param {import('./app.js').App} app */
export function listen(app) {
  let view = 0;
  const event = (sign) => {
    const times = app.runs.flatMap((run) => run.events.map((e) => e.t)).sort((a, b) => a - b);
    const now = app.clock.time;
    const there = sign > 0 ? times.find((t) => t > now) : times.findLast((t) => t < now);
    if (there === undefined) return;
    app.clock.pause();
    app.clock.setTime(there);
  };
  const actions = {
    ' ': () => app.clock.toggle(),
    ArrowLeft: (e) => app.transport.step(e.shiftKey ? -10 : -1),
    ArrowRight: (e) => app.transport.step(e.shiftKey ? 10 : 1),
    Home: () => app.transport.go('start'),
    End: () => app.transport.go('end'),
    '+': () => app.transport.faster(1),
    '=': () => app.transport.faster(1),
    '-': () => app.transport.faster(-1),
    b: () => app.clock.setSpeed(-app.clock.speed),
    v: () => app.view.setView(VIEWS[(view = (view + 1) % VIEWS.length)]),
    f: () => app.flag('follow'),
    o: () => app.flag('parallel'),
    t: () => app.flag('trails'),
    m: () => app.flag('momentum'),
    w: () => app.flag('omega'),
    y: () => app.copyState(),
    r: () => app.recordButton.click(),
    e: () => event(1),
    E: () => event(-1),
    '?': () => app.help(),
  };
  // A button that a pointer has pressed does not keep the focus, so that Space plays after that; one that the keyboard has reached does.
  document.addEventListener('click', (e) => {
    if (e.detail > 0 && !e.target.closest('dialog')) e.target.closest('button, summary')?.blur();
  });
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    const at = e.target;
    if (document.querySelector('dialog[open]') || at.isContentEditable || (/^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName) && at.type !== 'checkbox' && at.type !== 'range')) return;
    if (e.key === ' ' && /^(BUTTON|SUMMARY)$/.test(at.tagName)) return; // it presses them
    const action = actions[e.key];
    if (!action || (!app.runs.length && e.key !== '?')) return;
    e.preventDefault();
    action(e);
  });
}
