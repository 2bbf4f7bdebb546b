/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios that are wrong: for a broad table of bad texts the status, the position, the key's path and
 * the advice of the message; texts made to exhaust a reader; texts that chance wrote. */
#include "tests/kit/iokit.h"

/* Four lines without the length of the run; five with it. */
#define FOUR "polhode: 1\nmodel: spherical-pendulum\nmethod: variational\nstep: 0.01\n"
#define FIVE FOUR "steps: 10\n"
#define DOUBLE "polhode: 1\nmodel: double-spherical-pendulum\nmethod: variational\nstep: 0.01\nsteps: 10\n"
#define CHAIN "polhode: 1\nmodel: chain-pendulum\nmethod: variational\nstep: 0.01\nsteps: 10\n"

/* ---- Bad files ----------------------------------------------------------------------------------- */

typedef struct bad {
    const char *text;
    ph_status status;
    const char *start;  /* of the message, after "t.yaml:" */
    const char *advice; /* somewhere in it */
} bad;

static const bad top[] = {
    {"", PH_E_PARSE, "1:1: ", "empty"},
    {"# nothing\n", PH_E_PARSE, "1:1: ", "empty"},
    {"---\n...\n", PH_E_PARSE, "2:1: ", "is empty; a map"},
    {"hello\n", PH_E_PARSE, "1:1: ", "is \"hello\"; a map"},
    {"[1, 2]\n", PH_E_PARSE, "1:1: ", "is a list; a map"},
    {"model: spherical-pendulum\n", PH_E_PARSE, "1:1: ", "\"polhode\" is missing"},
    {"polhode: 1\n", PH_E_PARSE, "1:1: ", "\"model\" is missing"},
    {"polhode: 1\nmodel: spherical-pendulum\n", PH_E_PARSE, "1:1: ", "\"method\" is missing"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: rk4\n", PH_E_PARSE, "1:1: ", "\"step\" is missing"},
    {FOUR, PH_E_PARSE, "1:1: ", "give duration (in s) or steps"},
    {"polhode: 2\nnew_key: 3\n", PH_E_RANGE, "1:10: polhode: ", "is 2; "},
    {"polhode: one\n", PH_E_PARSE, "1:10: polhode: ", "not a whole number"},
    {"polhode: \"1\"\n", PH_E_PARSE, "1:10: polhode: ", "in quotes"},
    {FIVE "metod: rk4\n", PH_E_UNKNOWN, "6:1: metod: ", "did you mean \"method\"?"},
    {FIVE "colour: red\n", PH_E_UNKNOWN, "6:1: colour: ", "available: polhode, model"},
    {FIVE "<<: {a: 1}\n", PH_E_UNKNOWN, "6:1: <<: ", "unknown key"},
    {FIVE "step: 0.1\n", PH_E_PARSE, "6:1: step: ", "given twice, first in line 4"},
    {FIVE "[1]: 2\n", PH_E_PARSE, "6:1: ", "is a list; a word as a key"},
    {FIVE "? {a: b}\n: 2\n", PH_E_PARSE, "6:3: ", "is a map; a word as a key"},
    {FIVE "duration: 0.1\n", PH_E_PARSE, "5:8: steps: ", "\"duration\"; give one"},
    {FIVE "---\na: 1\n", PH_E_PARSE, "6:1: ", "second document"},
    {FIVE "...\n---\na: 1\n", PH_E_PARSE, "7:1: ", "second document"},
    {FIVE "output: 10\n", PH_E_PARSE, "6:9: output: ", "{every: 10}"},
    {FIVE "output: {each: 10}\n", PH_E_UNKNOWN,
     "6:10: output.each: ", "available: every, interval, per-decade"},
    {FIVE "output: {every: 0}\n", PH_E_RANGE, "6:17: output.every: ", "at least 1"},
    {FIVE "output: {interval: 0}\n", PH_E_RANGE, "6:20: output.interval: ", "a time > 0"},
    {FIVE "output: {csv: 2}\n", PH_E_PARSE, "6:15: output.csv: ", "true"},
    {FIVE "output: {snapshot: -1}\n", PH_E_RANGE, "6:20: output.snapshot: ", "a time >= 0"},
    {FIVE "output: {columns: q1}\n", PH_E_PARSE, "6:19: output.columns: ", "as in [q1, energy_error]"},
    {FIVE "output: {columns: []}\n", PH_E_SIZE, "6:19: output.columns: ", "there are all"},
    {FIVE "output: {columns: [q1, 7]}\n", PH_E_UNKNOWN, "6:24: output.columns[1]: ", "unknown column \"7\""},
    {FIVE "output: {columns: [q1, [t]]}\n", PH_E_PARSE, "6:24: output.columns[1]: ", "name of a column"},
    {FIVE "output: {columns: [enrgy]}\n", PH_E_UNKNOWN,
     "6:20: output.columns[0]: ", "did you mean \"energy\"?"},
    {FIVE "output: {columns: [t, energy, q2x, energy]}\n", PH_E_UNKNOWN,
     "6:31: output.columns[2]: ", "did you mean \"q1x\"?"},
    {FIVE "output: {columns: [energy, q1,\n q1y, tangency, oups]}\n", PH_E_INVALID,
     "7:2: output.columns[2]: ", "named twice, the second time by \"q1y\""},
    {FIVE "stop: 1\n", PH_E_PARSE, "6:7: stop: ", "{energy-error: 1e-3}"},
    {FIVE "stop: {energy-error: 0}\n", PH_E_RANGE, "6:22: stop.energy-error: ", "a number > 0"},
    {FIVE "stop: {energy: 1}\n", PH_E_UNKNOWN, "6:8: stop.energy: ", "energy-error"},
    {FIVE "output: {per-decade: 0}\n", PH_E_RANGE, "6:22: output.per-decade: ", "at least 1"},
    {FIVE "output: {at: [0.001, 0.001]}\n", PH_E_RANGE, "6:22: output.at[1]: ", "increasing"},
    {FIVE "output: {at: [-0.5]}\n", PH_E_RANGE, "6:15: output.at[0]: ", "the run is from 0 s to"},
    {FIVE "output: {at: [1e9]}\n", PH_E_RANGE, "6:15: output.at[0]: ", "the run is from 0 s to"},
    {FIVE "output: {at: [.nan]}\n", PH_E_NOT_FINITE, "6:15: output.at[0]: ", "finite"},
    {FIVE "output: {at: []}\n", PH_E_SIZE, "6:14: output.at: ", "list of times"},
    {FIVE "output: {at: 2}\n", PH_E_PARSE, "6:14: output.at: ", "list of times"},
    {FIVE "output: {at: [1], every: 2}\n", PH_E_PARSE, "6:9: output: ", "one of them is expected"},
    {FIVE "output: {every: 1, interval: 2}\n", PH_E_PARSE, "6:9: output: ", "one of them is expected"},
    {FIVE "output: {every: 1.5}\n", PH_E_PARSE, "6:17: output.every: ", "not a whole number"},
    {FIVE "output: {every: 1e300}\n", PH_E_RANGE, "6:17: output.every: ", "too large"},
    {FIVE "output: {every: []}\n", PH_E_PARSE, "6:17: output.every: ", "is a list"},
};

#define EVENT(text) FIVE "events: [{name: a, when: q1z" text "}]\n"

static const bad events[] = {
    {FIVE "events: 5\n", PH_E_PARSE, "6:9: events: ", "is \"5\"; a list of events"},
    {FIVE "events: {name: a, when: q1z}\n", PH_E_PARSE, "6:9: events: ", "is a map; a list of events"},
    {FIVE "events: [upright]\n", PH_E_PARSE, "6:10: events[0]: ", "a map, as in {name: upright, when: q1z}"},
    {FIVE "events: [{when: q1z}]\n", PH_E_PARSE, "6:10: events[0]: ", "the key \"name\" is missing"},
    {FIVE "events: [{name: a}]\n", PH_E_PARSE, "6:10: events[0]: ", "the key \"when\" is missing"},
    {EVENT(", cross: 0"), PH_E_UNKNOWN, "6:31: events[0].cross: ", "did you mean \"crosses\"?"},
    {EVENT(", name: b"), PH_E_PARSE, "6:31: events[0].name: ", "given twice"},
    {EVENT(", crosses: zero"), PH_E_PARSE, "6:40: events[0].crosses: ", "\"zero\", which is not a number"},
    {EVENT(", crosses: .inf"), PH_E_NOT_FINITE, "6:40: events[0].crosses: ", "finite"},
    {EVENT(", direction: upp"), PH_E_UNKNOWN, "6:42: events[0].direction: ", "did you mean \"up\"?"},
    {EVENT(", direction: 1"), PH_E_UNKNOWN, "6:42: events[0].direction: ", "available: down, both, up"},
    {EVENT(", action: halt"), PH_E_UNKNOWN, "6:39: events[0].action: ", "available: record, stop"},
    {EVENT(", action: [stop]"), PH_E_PARSE, "6:39: events[0].action: ", "is a list; record or stop"},
    {FIVE "events: [{name: a, when: q2z}]\n", PH_E_UNKNOWN,
     "6:26: events[0].when: ", "did you mean \"q1z\"?"},
    {FIVE "events: [{name: a, when: q1}]\n", PH_E_INVALID, "6:26: events[0].when: ", "a group of 3"},
    {FIVE "events: [{name: a, when: energy_error}]\n", PH_E_INVALID,
     "6:26: events[0].when: ", "belongs to a run"},
    {FIVE "events: [{name: a b, when: q1z}]\n", PH_E_PARSE, "6:17: events[0].name: ", "letters, digits"},
    {FIVE "events: [{name: \"\", when: q1z}]\n", PH_E_PARSE, "6:17: events[0].name: ", "is empty"},
    {FIVE "events: [{name: a123456789a123456789a123456789a123456789a123456789a123456789abcd, when: q1z}]\n",
     PH_E_PARSE, "6:17: events[0].name: ", "at most 63 letters"},
    {FIVE "events: [{name: a, when: q1z}, {name: b, when: t}, {name: a, when: t}]\n", PH_E_PARSE,
     "6:59: events[2].name: ", "is the name of events[0] as well"},
};

static const bad syntax[] = {
    {FIVE "\toutput: {every: 1}\n", PH_E_PARSE, "6:1: ", "tab"},
    {"a:\n\tb: 1\n", PH_E_PARSE, "2:", "tab"},
    {FIVE "parameters: {mass: 1\n", PH_E_PARSE, "6:13: ", "is not closed before line 7, column 1"},
    {FIVE "parameters: {mass: 1}}\n", PH_E_PARSE, "6:22: ", "not YAML"},
    {FIVE "parameters: \"mass\n", PH_E_PARSE, "7:1: ", "not YAML"},
    {FIVE "  x: 1\n", PH_E_PARSE, "6:", "not YAML"},
    {FIVE "model: *nothing\n", PH_E_PARSE,
     "6:8: ", "\"*nothing\" is an alias of YAML, which is not read here"},
    {FIVE "model: &some thing\n", PH_E_PARSE,
     "6:8: ", "\"&some\" is an anchor of YAML, which is not read here"},
    {FIVE "events: &list [1]\n", PH_E_PARSE, "6:9: ", "\"&list\" is an anchor"},
    {FIVE "parameters: {mass: \xff}\n", PH_E_PARSE, "6:20: ", "not UTF-8"},
    {FIVE "# \xc3\xa4\xc3\xa4 \xc3\x28\n", PH_E_PARSE, "6:7: ", "not UTF-8"},
    {FIVE "# \xed\xa0\x80\n", PH_E_PARSE, "6:3: ", "not UTF-8"},
    {FIVE "model: a\x01"
          "b\n",
     PH_E_PARSE, "6:9: ", "control character (code 1)"},
    {FIVE "model: a\x7f\n", PH_E_PARSE, "6:9: ", "control character (code 127)"},
    {"\xff\xfe"
     "a\0b\0",
     PH_E_PARSE, "1:1: ", "not UTF-8"},
    {FIVE "parameters: &a {mass: *a}\n", PH_E_PARSE, "6:13: ", "\"&a\" is an anchor"},
    {FIVE "parameters: {mass: &a [*a]}\n", PH_E_PARSE, "6:20: ", "\"&a\" is an anchor"},
    {FIVE "initial: {q: [*a]}\n", PH_E_PARSE, "6:15: ", "\"*a\" is an alias"},
    {FIVE "parameters: {mass: !!float 1}\n", PH_E_PARSE, "6:20: parameters.mass: ", "tags are not used"},
    {FIVE "parameters: !mine {mass: 1}\n", PH_E_PARSE, "6:13: parameters: ", "tags are not used"},
    {FIVE "\"a\\0b\": 1\n", PH_E_PARSE, "6:1: ", "zero character"},
    {"polhode: 1\nmodel: \"a\\0b\"\nmethod: rk4\nstep: 1\nsteps: 1\n", PH_E_PARSE,
     "2:8: model: ", "zero character"},
    {"polhode: 1\nmodel: \"a\\nb\\e[0m\"\nmethod: rk4\nstep: 1\nsteps: 1\n", PH_E_UNKNOWN,
     "2:8: model: ", "\"a?b?[0m\""},
};

static const bad numbers[] = {
    {FOUR "steps: 0\n", PH_E_RANGE, "5:8: steps: ", "at least 1"},
    {FOUR "steps: -5\n", PH_E_RANGE, "5:8: steps: ", "at least 1"},
    {FOUR "steps: 1.5\n", PH_E_PARSE, "5:8: steps: ", "not a whole number"},
    {FOUR "steps: 10x\n", PH_E_PARSE, "5:8: steps: ", "\"10x\", which is not a whole number"},
    {FOUR "steps: 1e17\n", PH_E_RANGE, "5:8: steps: ", "too large"},
    {FOUR "steps:\n", PH_E_PARSE, "5:7: steps: ", "is empty"},
    {FOUR "steps: '10'\n", PH_E_PARSE, "5:8: steps: ", "quotes"},
    {FOUR "steps: |\n  10\n", PH_E_PARSE, "5:8: steps: ", "quotes"},
    {FOUR "duration: 0.105\n", PH_E_RANGE, "5:11: duration: ", "0.1 s (10 steps) and 0.11 s (11 steps)"},
    {FOUR "duration: 0.1001\n", PH_E_RANGE, "5:11: duration: ", "is 10.01 steps, not a whole number"},
    {FOUR "duration: 0.10000002\n", PH_E_RANGE, "5:11: duration: ", "not a whole number"},
    {FOUR "duration: 0.004\n", PH_E_RANGE, "5:11: duration: ", "at least one is needed: 0.01 s"},
    {FOUR "duration: 0\n", PH_E_RANGE, "5:11: duration: ", "must be positive"},
    {FOUR "duration: -1\n", PH_E_RANGE, "5:11: duration: ", "must be positive"},
    {FOUR "duration: 1e-3x\n", PH_E_PARSE, "5:11: duration: ", "\"1e-3x\", which is not a number"},
    {FOUR "duration: 2*pi\n", PH_E_PARSE,
     "5:11: duration: ", "formulas are not understood; write their value"},
    {FOUR "duration: 0,5\n", PH_E_PARSE, "5:11: duration: ", "a decimal point is expected, not a comma"},
    {FOUR "duration: \xe2\x88\x92"
          "9.81\n",
     PH_E_PARSE, "5:11: duration: ", "the character U+2212 for a minus sign"},
    {FOUR "duration: 50 Hz\n", PH_E_PARSE, "5:11: duration: ", "units are not written"},
    {FOUR "parameters: {gravity: 9,81}\nsteps: 1\n", PH_E_UNKNOWN,
     "5:25: ", "is a comma meant as a decimal point?"},
    {FOUR "steps: 1\ninitial: {q: [[1, 0, 0]\noutput: {every: 1}\n", PH_E_PARSE,
     "6:14: ", "the list that begins here is not closed before line 7"},
    {FOUR "steps: 1\ninitial: {q: [[1, 0, 0}\n", PH_E_PARSE,
     "6:15: ", "the list that begins here is not closed"},
    {FOUR "duration: 1e300\n", PH_E_RANGE, "5:11: duration: ", "at most"},
    {FOUR "duration: 1e400\n", PH_E_NOT_FINITE, "5:11: duration: ", "finite"},
    {FOUR "duration: .inf\n", PH_E_NOT_FINITE, "5:11: duration: ", "finite"},
    {FOUR "duration: NaN\n", PH_E_NOT_FINITE, "5:11: duration: ", "finite"},
    {FOUR "duration: 0x10\n", PH_E_PARSE, "5:11: duration: ", "not a number"},
    {FOUR "duration: 1,5\n", PH_E_PARSE, "5:11: duration: ", "not a number"},
    {FOUR "duration: 1 s\n", PH_E_PARSE, "5:11: duration: ", "a time in s is expected"},
    {FOUR "duration: 1_000\n", PH_E_PARSE, "5:11: duration: ", "not a number"},
    {FOUR "duration: ~\n", PH_E_PARSE, "5:11: duration: ", "not a number"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: rk4\nstep: 0\nsteps: 1\n", PH_E_RANGE,
     "4:7: step: ", "not 0"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: rk4\nstep: fast\nsteps: 1\n", PH_E_PARSE,
     "4:7: step: ", "a step size in s is expected"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: rk4\nstep: 1e308\nsteps: 100\n", PH_E_RANGE,
     "5:8: steps: ", "finite"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: rk4\nstep: 1e307\nsteps: 10\n"
     "initial: {preset: tilted, time: 1.7e308}\n",
     PH_E_RANGE, "5:8: steps: ", "finite"},
};

static const bad parts[] = {
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, form: \"a\\nb\"}\nstep: 1\nsteps: 1\n",
     PH_E_UNKNOWN, "3:27: method.form: ", "\"a?b\""},
    {"polhode: 1\nmodel: sperical-pendulum\nmethod: rk4\nstep: 1\nsteps: 1\n", PH_E_UNKNOWN,
     "2:8: model: ", "did you mean \"spherical-pendulum\"?"},
    {"polhode: 1\nmodel: [a]\nmethod: rk4\nstep: 1\nsteps: 1\n", PH_E_PARSE, "2:8: model: ", "is a list"},
    {FIVE "parameters: {maas: 1}\n", PH_E_UNKNOWN, "6:14: parameters.maas: ", "did you mean \"mass\"?"},
    {FIVE "parameters: 5\n", PH_E_PARSE, "6:13: parameters: ", "a map of parameters"},
    {FIVE "parameters: {mass: -1}\n", PH_E_RANGE, "6:20: parameters.mass: ", "must be positive"},
    {FIVE "parameters: {mass: 1e-3x}\n", PH_E_PARSE, "6:20: parameters.mass: ", "not a number"},
    {FIVE "parameters: {mass: nan}\n", PH_E_NOT_FINITE, "6:20: parameters.mass: ", "finite"},
    {FIVE "parameters: {mass: [1, 2]}\n", PH_E_SIZE, "6:20: parameters.mass: ", "has 2 numbers"},
    {FIVE "parameters: {mass: []}\n", PH_E_SIZE, "6:20: parameters.mass: ", "empty list"},
    {FIVE "parameters: {mass: {kg: 1}}\n", PH_E_PARSE, "6:20: parameters.mass: ", "is a map; a number"},
    {FIVE "parameters: {mass: 1, length: 2, mass: 1}\n", PH_E_PARSE, "6:34: parameters.mass: ", "twice"},
    {FIVE "parameters:\n  mass: 1\n  gravity: [0, 0]\n", PH_E_SIZE,
     "8:12: parameters.gravity: ", "three numbers"},
    {FIVE "parameters:\n  gravity: [0, 0, g]\n", PH_E_PARSE, "7:19: parameters.gravity[2]: ", "not a number"},
    {CHAIN "parameters:\n  lengths: [1, 1, 1]\n  masses: [1, 0, 2]\n", PH_E_RANGE,
     "8:15: parameters.masses[1]: ", "must be positive"},
    /* "lengths has 3 numbers, but masses has 2": the first that is named, in either order */
    {CHAIN "parameters: {masses: [1, 1], lengths: [1, 1, 1]}\n", PH_E_SIZE,
     "6:39: parameters.lengths: lengths", "has 2"},
    {CHAIN "parameters: {lengths: [1, 1, 1], masses: [1, 1]}\n", PH_E_SIZE,
     "6:23: parameters.lengths: lengths", "has 2"},
    /* a name that another one begins with */
    {FIVE "parameters:\n  torque: [0, 0, 1]\n  torque_amplitude: [1, 2]\n", PH_E_SIZE,
     "8:21: parameters.torque_amplitude: ", "three numbers"},
    {CHAIN "parameters: {links: 2.5}\n", PH_E_RANGE, "6:21: parameters.links: ", "whole"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: variatonal\nstep: 1\nsteps: 1\n", PH_E_UNKNOWN,
     "3:9: method: ", "did you mean \"variational\"?"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {nam: rk4}\nstep: 1\nsteps: 1\n", PH_E_PARSE,
     "3:9: method: ", "no key \"name\""},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk5}\nstep: 1\nsteps: 1\n", PH_E_UNKNOWN,
     "3:16: method.name: ", "did you mean \"rk4\"?"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: [rk4]}\nstep: 1\nsteps: 1\n", PH_E_PARSE,
     "3:16: method.name: ", "is a list"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: [rk4]\nstep: 1\nsteps: 1\n", PH_E_PARSE,
     "3:9: method: ", "is a list; the name"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, from: q-omega}\nstep: 1\nsteps: 1\n",
     PH_E_UNKNOWN, "3:21: method.from: ", "did you mean \"form\"?"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, form: q-omga}\nstep: 1\nsteps: 1\n",
     PH_E_UNKNOWN, "3:27: method.form: ", "q-qdot q-omega"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, form: [1]}\nstep: 1\nsteps: 1\n", PH_E_PARSE,
     "3:27: method.form: ", "is a list"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, name: rk4}\nstep: 1\nsteps: 1\n", PH_E_PARSE,
     "3:21: method.name: ", "twice"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, order: 2}\nstep: 1\nsteps: 1\n", PH_E_RANGE,
     "3:28: method.order: ", "has order 4"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, order: 5}\nstep: 1\nsteps: 1\n", PH_E_RANGE,
     "3:28: method.order: ", "has order 4"},
};

static const bad initial[] = {
    {FIVE "initial: {preset: \"a\\nb\"}\n", PH_E_UNKNOWN, "6:19: initial.preset: ", "\"a?b\""},
    {FIVE "parameters: {mass: 1e300, length: 11300, gravity: 1e20}\n", PH_E_NOT_FINITE,
     "1:1: ", "momentum is not finite"},
    {FIVE "initial: here\n", PH_E_PARSE, "6:10: initial: ", "is \"here\"; a map"},
    {FIVE "initial: {}\n", PH_E_PARSE, "6:10: initial: ", "give \"q\""},
    {FIVE "initial: {time: 1}\n", PH_E_PARSE, "6:10: initial: ", "give \"q\""},
    {FIVE "initial: {omega: [[0, 0, 1]]}\n", PH_E_PARSE, "6:18: initial.omega: ", "without \"q\""},
    {FIVE "initial: {q: [[1, 0, 0]], omega: [[0, 0, 1]], qdot: [[0, 1, 0]]}\n", PH_E_PARSE,
     "6:34: initial.omega: ", "together with \"qdot\""},
    {FIVE "initial: {q: [[1, 0, 0]], preset: tilted}\n", PH_E_PARSE,
     "6:35: initial.preset: ", "together with \"q\""},
    {FIVE "initial: {from: a.json, preset: tilted}\n", PH_E_PARSE,
     "6:17: initial.from: ", "together with \"preset\""},
    {FIVE "initial: {from: a.json, time: 1}\n", PH_E_PARSE, "6:31: initial.time: ", "together with \"from\""},
    {FIVE "initial: {Q: [[1, 0, 0]]}\n", PH_E_UNKNOWN, "6:11: initial.Q: ", "did you mean \"q\"?"},
    {FIVE "initial: {preset: tited}\n", PH_E_UNKNOWN, "6:19: initial.preset: ", "did you mean \"tilted\"?"},
    {FIVE "initial: {preset: tilted, time: soon}\n", PH_E_PARSE, "6:33: initial.time: ", "a time in s"},
    {FIVE "initial: {preset: tilted, time: 1e999}\n", PH_E_NOT_FINITE, "6:33: initial.time: ", "finite"},
    {FIVE "initial: {preset: tilted, project: yes}\n", PH_E_PARSE,
     "6:36: initial.project: ", "true or false"},
    {FIVE "initial: {from: nowhere/summary.json}\n", PH_E_IO, "6:17: initial.from: ", "No such file"},
    {FIVE "initial: {from: /}\n", PH_E_IO, "6:17: initial.from: ", "directory"},
    {FIVE "initial: {q: 5}\n", PH_E_PARSE, "6:14: initial.q: ", "is \"5\"; a list of 1 vector"},
    {FIVE "initial: {q: [1, 0, 0]}\n", PH_E_SIZE, "6:14: initial.q: ", "has 3 entries; a list of 1 vector"},
    {FIVE "initial: {q: [1]}\n", PH_E_PARSE, "6:15: initial.q[0]: ", "a list of 3 numbers"},
    {FIVE "initial: {q: [[1, 0]]}\n", PH_E_SIZE, "6:15: initial.q[0]: ", "has 2 numbers; a list of 3"},
    {FIVE "initial: {q: [[1, 0, 0, 0]]}\n", PH_E_SIZE, "6:15: initial.q[0]: ", "has 4 numbers"},
    {FIVE "initial: {q: [[1, 0, 1e-3x]]}\n", PH_E_PARSE, "6:22: initial.q[0][2]: ", "not a number"},
    {FIVE "initial: {q: [[1, 0, .nan]]}\n", PH_E_NOT_FINITE, "6:22: initial.q[0][2]: ", "finite"},
    {FIVE "initial: {q: [[0, 0, .nan]], project: true}\n", PH_E_NOT_FINITE,
     "6:22: initial.q[0][2]: ", "finite"},
    {FIVE "initial: {q: [[0, 0, 0]]}\n", PH_E_NOT_ON_MANIFOLD, "6:15: initial.q[0]: ", "zero vector"},
    {FIVE "initial: {q: [[0, 0, 0]], project: true}\n", PH_E_NOT_ON_MANIFOLD,
     "6:15: initial.q[0]: ", "zero vector"},
    {FIVE "initial: {q: [[0.6, 0, 0.9]]}\n", PH_E_NOT_ON_MANIFOLD, "6:15: initial.q[0]: ", "project: true"},
    {FIVE "initial: {q: [[0, 0, 2]]}\n", PH_E_NOT_ON_MANIFOLD,
     "6:15: initial.q[0]: ", "has length 2, not 1; the nearest unit vector is [0, 0, 1]"},
    {FIVE "initial: {q: [[0, 0, 1.00000000001]]}\n", PH_E_NOT_ON_MANIFOLD,
     "6:15: initial.q[0]: ", "[0, 0, 1]"},
    {FIVE "initial: {q: [[0, 0, 1]], omega: [[0, 1, 0.5]]}\n", PH_E_NOT_TANGENT,
     "6:35: initial.omega[0]: ", "its projection is [0, 1, 0]"},
    {FIVE "initial: {q: [[0, 0, 1]], omega: [[1e308, 1e308, 1e308]]}\n", PH_E_NOT_TANGENT,
     "6:35: initial.omega[0]: ", "projection"},
    {FIVE "initial: {q: [[0, 0, 1]], qdot: [[0, 0, 1]]}\n", PH_E_NOT_TANGENT,
     "6:34: initial.qdot[0]: ", "\"project: true\" under \"initial\""},
    {FIVE "initial: {q: [[0, 0, 1]], qdot: [[0, 1e160, 0]]}\n", PH_E_NOT_FINITE,
     "6:33: initial.qdot: ", "kinetic energy is not finite"},
    {DOUBLE "parameters: {masses: 1e10}\ninitial:\n  q: [[1, 0, 0], [1, 0, 0]]\n"
            "  qdot: [[0, 1e305, 0], [0, 1, 0]]\n",
     PH_E_NOT_FINITE, "9:9: initial.qdot: ", "not finite"},
    {DOUBLE "initial: {q: [[0, 0, 1]]}\n", PH_E_SIZE,
     "6:14: initial.q: ", "has 1 entry; a list of 2 vectors"},
    {DOUBLE "initial:\n  q: [[0, 0, 1], [0, 1, 0]]\n  omega:\n    - [0, 1, 0]\n    - [0, 1, 0]\n",
     PH_E_NOT_TANGENT, "10:7: initial.omega[1]: ", "its projection is [0, 0, 0]"},
};

static const struct {
    const char *name;
    const bad *rows;
    size_t n;
} tables[] = {
    {"top", top, sizeof top / sizeof top[0]},
    {"events", events, sizeof events / sizeof events[0]},
    {"syntax", syntax, sizeof syntax / sizeof syntax[0]},
    {"numbers", numbers, sizeof numbers / sizeof numbers[0]},
    {"parts", parts, sizeof parts / sizeof parts[0]},
    {"initial", initial, sizeof initial / sizeof initial[0]},
};

static void check_bad(const char *table, size_t i, const bad *row)
{
    ph_scenario *s = NULL;
    ph_error err = {PH_OK, ""};
    char start[300];
    ph_status status = ph_scenario_parse(row->text, strlen(row->text), "t.yaml", &s, &err);
    snprintf(start, sizeof start, "t.yaml:%s", row->start);
    ck_assert_msg(status == row->status, "%s %zu: %s: %s", table, i, ph_status_name(status), err.message);
    ck_assert_int_eq(err.status, status);
    ck_assert_ptr_null(s);
    ck_assert_msg(!strncmp(err.message, start, strlen(start)), "%s %zu: %s", table, i, err.message);
    ck_assert_msg(strstr(err.message, row->advice), "%s %zu: %s", table, i, err.message);
    ck_assert_ptr_null(strchr(err.message, '\n'));
    ck_assert_int_eq(ph_scenario_parse(row->text, strlen(row->text), "t.yaml", &s, NULL), status);
}

TEST_EACH(bad_files, sizeof tables / sizeof tables[0])
{
    for (size_t i = 0; i < tables[_i].n; i++)
        check_bad(tables[_i].name, i, &tables[_i].rows[i]);
}

/* Too many keys, deep nesting, many anchors, zero bytes: refused in a moment, and without recursion. */
TEST(hostile_files)
{
    enum { DEEP = 200000 };
    ph_scenario *s = NULL;
    TK_MEMORY char *text = malloc(DEEP + 100);
    for (int kind = 0; kind < 3; kind++) {
        memset(text, "[{-"[kind], DEEP);
        for (size_t i = 1; kind == 2 && i < DEEP; i += 2)
            text[i] = ' ';
        tk_returns(ph_scenario_parse(text, DEEP, "t.yaml", &s, tk_err), PH_E_PARSE);
        ck_assert_msg(!strncmp(tk_err->message, "t.yaml:1:", 9), "%s", tk_err->message);
    }
    size_t n = (size_t)sprintf(text, "%sparameters:\n", FIVE);
    for (int i = 0; i < 300; i++)
        n += (size_t)sprintf(text + n, "  k%d: 1\n", i);
    tk_refused(ph_scenario_parse(text, n, "t.yaml", &s, tk_err), PH_E_SIZE,
               "t.yaml:7:3: parameters: has 300 keys");
    n = (size_t)sprintf(text, "%s", "masses: [");
    for (int i = 0; i < 10000; i++) /* for which libyaml's loader takes a time that grows like their square */
        n += (size_t)sprintf(text + n, "&a%d 1,", i);
    n += (size_t)sprintf(text + n, "1]\n");
    tk_refused(ph_scenario_parse(text, n, "t.yaml", &s, tk_err), PH_E_PARSE,
               "t.yaml:1:10: \"&a0\" is an anchor");
    n = (size_t)sprintf(text, "%soutput: {columns: [", FIVE);
    for (int i = 0; i < 4097; i++)
        n += (size_t)sprintf(text + n, "t,");
    n += (size_t)sprintf(text + n, "t]}\n");
    tk_refused(ph_scenario_parse(text, n, "t.yaml", &s, tk_err), PH_E_SIZE,
               "t.yaml:6:19: output.columns: has 4098 words");
    memcpy(text, FIVE "x\0y", sizeof FIVE + 3);
    tk_returns(ph_scenario_parse(text, sizeof FIVE + 2, "t.yaml", &s, tk_err), PH_E_PARSE);
    ck_assert_msg(!strncmp(tk_err->message, "t.yaml:6:2: a zero byte", 23), "%s", tk_err->message);
}

TEST(long_names)
{
    char name[3000], text[3000];
    ph_scenario *s;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, "%.1000s: 1\n", name);
    tk_refused(ph_scenario_parse(text, strlen(text), name, &s, tk_err), PH_E_UNKNOWN, "...:1:1: nnn");
    tk_refused(ph_scenario_parse("\xc3\xa4\xc3\xb6: 1\n", 8, "a\nb", &s, tk_err), PH_E_UNKNOWN,
               "a?b:1:1: \xc3\xa4\xc3\xb6: unknown key \"\xc3\xa4\xc3\xb6\"");
}

/* ---- Files that chance wrote --------------------------------------------------------------------- */

static const char valid[] = "polhode: 1\nmodel: double-spherical-pendulum\n"
                            "parameters: {masses: [1, 1], lengths: [9.81, 9.81], gravity: 9}\n"
                            "initial:\n  q:     [[0.8660254037844386, 0, 0.5], [0, 0, 1]]\n"
                            "  omega: [[-0.4330127018922193, 0, 0.75], [0, 1, 0]]\n  project: true\n"
                            "method: {name: rk4, form: \"q-omega\"}\nstep: 0.01\nduration: 100\n"
                            "output: {every: 10, columns: [q1, t]}\n";

static void survive(const char *text, size_t length)
{
    ph_error err = {PH_OK, ""};
    TK_MEMORY char *exact = malloc(length ? length : 1); /* so that a sanitizer sees a byte too far */
    memcpy(exact, text, length);
    TK_OWN(ph_scenario) *s = NULL;
    ph_status status = ph_scenario_parse(exact, length, "t.yaml", &s, &err);
    ck_assert((status == PH_OK) == (s != NULL));
    if (status) {
        ck_assert_int_eq(err.status, status);
        ck_assert_msg(!strncmp(err.message, "t.yaml:", 7), "%s", err.message);
    }
}

TEST(prefixes)
{
    ph_scenario *s = NULL;
    tk_ok(ph_scenario_parse(valid, strlen(valid), "t.yaml", &s, NULL));
    ph_scenario_free(s);
    for (size_t n = 0; n <= strlen(valid); n++)
        survive(valid, n);
}

TEST(mutations)
{
    static const char likely[] = "[]{}:,-&*!|>'\"%@`#?\n\t \\0123456789.eE~";
    unsigned long long x = 20240229;
    char text[sizeof valid];
    for (int round = 0; round < 2000; round++) {
        memcpy(text, valid, sizeof text);
        for (int k = 0; k <= round % 4; k++) {
            x = x * 6364136223846793005ull + 1442695040888963407ull;
            size_t place = (size_t)(x >> 33) % (sizeof valid - 1);
            unsigned byte = (unsigned)(x >> 20) & 0xff;
            text[place] = (char)(round % 2 ? (int)byte : likely[byte % (sizeof likely - 1)]);
        }
        survive(text, sizeof valid - 1);
    }
}

int main(void)
{
    return tk_run("scenario errors");
}
