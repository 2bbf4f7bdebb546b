/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios: what a good file builds, and for a broad table of bad ones the status, the position, the
 * key's path and the advice of the message. At the end, files that chance wrote. */
#include <polhode/polhode.h>
#include <polhode/scenario.h>

#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Four lines without the length of the run; five with it. */
#define FOUR "polhode: 1\nmodel: spherical-pendulum\nmethod: variational\nstep: 0.01\n"
#define FIVE FOUR "steps: 10\n"
#define DOUBLE "polhode: 1\nmodel: double-spherical-pendulum\nmethod: variational\nstep: 0.01\nsteps: 10\n"
#define CHAIN "polhode: 1\nmodel: chain-pendulum\nmethod: variational\nstep: 0.01\nsteps: 10\n"

static ph_scenario *parse(const char *text)
{
    ph_scenario *s = NULL;
    ph_error err = {PH_OK, ""};
    ph_status status = ph_scenario_parse(text, strlen(text), "t.yaml", &s, &err);
    ck_assert_msg(status == PH_OK, "%s", err.message);
    ck_assert_ptr_nonnull(s);
    return s;
}

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
    {FIVE "colour: red\n", PH_E_UNKNOWN, "6:1: colour: ", "there is: polhode, model"},
    {FIVE "<<: {a: 1}\n", PH_E_UNKNOWN, "6:1: <<: ", "unknown key"},
    {FIVE "step: 0.1\n", PH_E_PARSE, "6:1: step: ", "given twice, first in line 4"},
    {FIVE "[1]: 2\n", PH_E_PARSE, "6:1: ", "is a list; a word as a key"},
    {FIVE "? {a: b}\n: 2\n", PH_E_PARSE, "6:3: ", "is a map; a word as a key"},
    {FIVE "duration: 0.1\n", PH_E_PARSE, "5:8: steps: ", "\"duration\"; give one"},
    {FIVE "---\na: 1\n", PH_E_PARSE, "6:1: ", "second document"},
    {FIVE "...\n---\na: 1\n", PH_E_PARSE, "7:1: ", "second document"},
    {FIVE "output: 10\n", PH_E_PARSE, "6:9: output: ", "{every: 10}"},
    {FIVE "output: {each: 10}\n", PH_E_UNKNOWN, "6:10: output.each: ", "there is: every"},
    {FIVE "output: {every: 0}\n", PH_E_RANGE, "6:17: output.every: ", "at least 1"},
    {FIVE "output: {every: 1.5}\n", PH_E_PARSE, "6:17: output.every: ", "not a whole number"},
    {FIVE "output: {every: 1e300}\n", PH_E_RANGE, "6:17: output.every: ", "too large"},
    {FIVE "output: {every: []}\n", PH_E_PARSE, "6:17: output.every: ", "is a list"},
};

static const bad syntax[] = {
    {FIVE "\toutput: {every: 1}\n", PH_E_PARSE, "6:1: ", "tab"},
    {"a:\n\tb: 1\n", PH_E_PARSE, "2:", "tab"},
    {FIVE "parameters: {mass: 1\n", PH_E_PARSE, "7:1: ", "not YAML"},
    {FIVE "parameters: {mass: 1}}\n", PH_E_PARSE, "6:22: ", "not YAML"},
    {FIVE "parameters: \"mass\n", PH_E_PARSE, "7:1: ", "not YAML"},
    {FIVE "  x: 1\n", PH_E_PARSE, "6:", "not YAML"},
    {FIVE "model: *nothing\n", PH_E_PARSE, "6:8: ", "undefined alias"},
    {FIVE "parameters: {mass: \xff}\n", PH_E_PARSE, "6:20: ", "not UTF-8"},
    {FIVE "# \xc3\xa4\xc3\xa4 \xc3\x28\n", PH_E_PARSE, "6:7: ", "not UTF-8"},
    {FIVE "# \xed\xa0\x80\n", PH_E_PARSE, "6:3: ", "not UTF-8"},
    {FIVE "model: a\x01" "b\n", PH_E_PARSE, "6:9: ", "control character (code 1)"},
    {FIVE "model: a\x7f\n", PH_E_PARSE, "6:9: ", "control character (code 127)"},
    {"\xff\xfe" "a\0b\0", PH_E_PARSE, "1:1: ", "not UTF-8"},
    {FIVE "parameters: &a {mass: *a}\n", PH_E_PARSE, "6:13: parameters.mass: ", "is a map; a number"},
    {FIVE "parameters: {mass: &a [*a]}\n", PH_E_PARSE, "6:20: parameters.mass[0]: ", "is a list; a number"},
    {FIVE "initial: &a {q: [*a]}\n", PH_E_PARSE, "6:10: initial.q[0]: ", "is a map; a list of 3 numbers"},
    {FIVE "parameters: {mass: !!float 1}\n", PH_E_PARSE, "6:20: parameters.mass: ", "tags are not used"},
    {FIVE "parameters: !mine {mass: 1}\n", PH_E_PARSE, "6:13: parameters: ", "tags are not used"},
    {FIVE "\"a\\0b\": 1\n", PH_E_PARSE, "6:1: ", "zero character"},
    {"polhode: 1\nmodel: \"a\\0b\"\nmethod: rk4\nstep: 1\nsteps: 1\n", PH_E_PARSE, "2:8: model: ", "zero character"},
    {"polhode: 1\nmodel: \"a\\nb\\e[0m\"\nmethod: rk4\nstep: 1\nsteps: 1\n", PH_E_UNKNOWN, "2:8: model: ",
     "\"a?b?[0m\""},
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
    {FOUR "duration: 0.004\n", PH_E_RANGE, "5:11: duration: ", "at least one is needed: 0.01 s"},
    {FOUR "duration: 0\n", PH_E_RANGE, "5:11: duration: ", "must be positive"},
    {FOUR "duration: -1\n", PH_E_RANGE, "5:11: duration: ", "must be positive"},
    {FOUR "duration: 1e-3x\n", PH_E_PARSE, "5:11: duration: ", "\"1e-3x\", which is not a number"},
    {FOUR "duration: 1e300\n", PH_E_RANGE, "5:11: duration: ", "at most"},
    {FOUR "duration: 1e400\n", PH_E_NOT_FINITE, "5:11: duration: ", "finite"},
    {FOUR "duration: .inf\n", PH_E_NOT_FINITE, "5:11: duration: ", "finite"},
    {FOUR "duration: NaN\n", PH_E_NOT_FINITE, "5:11: duration: ", "finite"},
    {FOUR "duration: 0x10\n", PH_E_PARSE, "5:11: duration: ", "not a number"},
    {FOUR "duration: 1,5\n", PH_E_PARSE, "5:11: duration: ", "not a number"},
    {FOUR "duration: 1 s\n", PH_E_PARSE, "5:11: duration: ", "a time in s is expected"},
    {FOUR "duration: 1_000\n", PH_E_PARSE, "5:11: duration: ", "not a number"},
    {FOUR "duration: ~\n", PH_E_PARSE, "5:11: duration: ", "not a number"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: rk4\nstep: 0\nsteps: 1\n", PH_E_RANGE, "4:7: step: ", "not 0"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: rk4\nstep: fast\nsteps: 1\n", PH_E_PARSE, "4:7: step: ",
     "a step size in s is expected"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: rk4\nstep: 1e308\nsteps: 100\n", PH_E_RANGE, "5:8: steps: ",
     "finite"},
};

static const bad parts[] = {
    {"polhode: 1\nmodel: sperical-pendulum\nmethod: rk4\nstep: 1\nsteps: 1\n", PH_E_UNKNOWN, "2:8: model: ",
     "did you mean \"spherical-pendulum\"?"},
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
    {FIVE "parameters:\n  mass: 1\n  gravity: [0, 0]\n", PH_E_SIZE, "8:12: parameters.gravity: ", "three numbers"},
    {FIVE "parameters:\n  gravity: [0, 0, g]\n", PH_E_PARSE, "7:19: parameters.gravity[2]: ", "not a number"},
    {CHAIN "parameters:\n  lengths: [1, 1, 1]\n  masses: [1, 0, 2]\n", PH_E_RANGE, "8:15: parameters.masses[1]: ",
     "must be positive"},
    {CHAIN "parameters: {masses: [1, 1], lengths: [1, 1, 1]}\n", PH_E_SIZE, "6:", "has 2"},
    {CHAIN "parameters: {links: 2.5}\n", PH_E_RANGE, "6:21: parameters.links: ", "whole"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: variatonal\nstep: 1\nsteps: 1\n", PH_E_UNKNOWN, "3:9: method: ",
     "did you mean \"variational\"?"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {nam: rk4}\nstep: 1\nsteps: 1\n", PH_E_PARSE, "3:9: method: ",
     "no key \"name\""},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk5}\nstep: 1\nsteps: 1\n", PH_E_UNKNOWN,
     "3:16: method.name: ", "did you mean \"rk4\"?"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: [rk4]}\nstep: 1\nsteps: 1\n", PH_E_PARSE,
     "3:16: method.name: ", "is a list"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: [rk4]\nstep: 1\nsteps: 1\n", PH_E_PARSE, "3:9: method: ",
     "is a list; the name"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, from: q-omega}\nstep: 1\nsteps: 1\n", PH_E_UNKNOWN,
     "3:21: method.from: ", "did you mean \"form\"?"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, form: q-omga}\nstep: 1\nsteps: 1\n", PH_E_UNKNOWN,
     "3:27: method.form: ", "q-qdot q-omega"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, form: [1]}\nstep: 1\nsteps: 1\n", PH_E_PARSE,
     "3:27: method.form: ", "is a list"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, name: rk4}\nstep: 1\nsteps: 1\n", PH_E_PARSE,
     "3:21: method.name: ", "twice"},
    {"polhode: 1\nmodel: spherical-pendulum\nmethod: {name: rk4, order: 2}\nstep: 1\nsteps: 1\n", PH_E_RANGE,
     "3:28: method.order: ", "has order 4"},
};

static const bad initial[] = {
    {FIVE "initial: here\n", PH_E_PARSE, "6:10: initial: ", "is \"here\"; a map"},
    {FIVE "initial: {}\n", PH_E_PARSE, "6:10: initial: ", "give \"q\""},
    {FIVE "initial: {time: 1}\n", PH_E_PARSE, "6:10: initial: ", "give \"q\""},
    {FIVE "initial: {omega: [[0, 0, 1]]}\n", PH_E_PARSE, "6:18: initial.omega: ", "without \"q\""},
    {FIVE "initial: {q: [[1, 0, 0]], omega: [[0, 0, 1]], qdot: [[0, 1, 0]]}\n", PH_E_PARSE, "6:34: initial.omega: ",
     "beside \"qdot\""},
    {FIVE "initial: {q: [[1, 0, 0]], preset: tilted}\n", PH_E_PARSE, "6:35: initial.preset: ", "beside \"q\""},
    {FIVE "initial: {from: a.json, preset: tilted}\n", PH_E_PARSE, "6:17: initial.from: ", "beside \"preset\""},
    {FIVE "initial: {from: a.json, time: 1}\n", PH_E_PARSE, "6:31: initial.time: ", "beside \"from\""},
    {FIVE "initial: {Q: [[1, 0, 0]]}\n", PH_E_UNKNOWN, "6:11: initial.Q: ", "did you mean \"q\"?"},
    {FIVE "initial: {preset: tited}\n", PH_E_UNKNOWN, "6:19: initial.preset: ", "did you mean \"tilted\"?"},
    {FIVE "initial: {preset: tilted, time: soon}\n", PH_E_PARSE, "6:33: initial.time: ", "a time in s"},
    {FIVE "initial: {preset: tilted, time: 1e999}\n", PH_E_NOT_FINITE, "6:33: initial.time: ", "finite"},
    {FIVE "initial: {preset: tilted, project: yes}\n", PH_E_PARSE, "6:36: initial.project: ", "true or false"},
    {FIVE "initial: {from: nowhere/summary.json}\n", PH_E_IO, "6:17: initial.from: ", "No such file"},
    {FIVE "initial: {from: /}\n", PH_E_IO, "6:17: initial.from: ", "directory"},
    {FIVE "initial: {q: 5}\n", PH_E_PARSE, "6:14: initial.q: ", "is \"5\"; a list of 1 vector"},
    {FIVE "initial: {q: [1, 0, 0]}\n", PH_E_SIZE, "6:14: initial.q: ", "has 3 entries; a list of 1 vector"},
    {FIVE "initial: {q: [1]}\n", PH_E_PARSE, "6:15: initial.q[0]: ", "a list of 3 numbers"},
    {FIVE "initial: {q: [[1, 0]]}\n", PH_E_SIZE, "6:15: initial.q[0]: ", "has 2 numbers; a list of 3"},
    {FIVE "initial: {q: [[1, 0, 0, 0]]}\n", PH_E_SIZE, "6:15: initial.q[0]: ", "has 4 numbers"},
    {FIVE "initial: {q: [[1, 0, 1e-3x]]}\n", PH_E_PARSE, "6:22: initial.q[0][2]: ", "not a number"},
    {FIVE "initial: {q: [[1, 0, .nan]]}\n", PH_E_NOT_FINITE, "6:22: initial.q[0][2]: ", "finite"},
    {FIVE "initial: {q: [[0, 0, .nan]], project: true}\n", PH_E_NOT_FINITE, "6:22: initial.q[0][2]: ", "finite"},
    {FIVE "initial: {q: [[0, 0, 0]]}\n", PH_E_NOT_ON_MANIFOLD, "6:15: initial.q[0]: ", "zero vector"},
    {FIVE "initial: {q: [[0, 0, 0]], project: true}\n", PH_E_NOT_ON_MANIFOLD, "6:15: initial.q[0]: ", "zero vector"},
    {FIVE "initial: {q: [[0.6, 0, 0.9]]}\n", PH_E_NOT_ON_MANIFOLD, "6:15: initial.q[0]: ", "project: true"},
    {FIVE "initial: {q: [[0, 0, 2]]}\n", PH_E_NOT_ON_MANIFOLD, "6:15: initial.q[0]: ",
     "has length 2, not 1; the nearest unit vector is [0, 0, 1]"},
    {FIVE "initial: {q: [[0, 0, 1.00000000001]]}\n", PH_E_NOT_ON_MANIFOLD, "6:15: initial.q[0]: ", "[0, 0, 1]"},
    {FIVE "initial: {q: [[0, 0, 1]], omega: [[0, 1, 0.5]]}\n", PH_E_NOT_TANGENT, "6:35: initial.omega[0]: ",
     "its projection is [0, 1, 0]"},
    {FIVE "initial: {q: [[0, 0, 1]], omega: [[1e308, 1e308, 1e308]]}\n", PH_E_NOT_TANGENT, "6:35: initial.omega[0]: ",
     "projection"},
    {FIVE "initial: {q: [[0, 0, 1]], qdot: [[0, 0, 1]]}\n", PH_E_NOT_TANGENT, "6:34: initial.qdot[0]: ",
     "\"project: true\" under \"initial\""},
    {DOUBLE "parameters: {masses: 1e10}\ninitial:\n  q: [[1, 0, 0], [1, 0, 0]]\n  qdot: [[0, 1e305, 0], [0, 1, 0]]\n",
     PH_E_NOT_FINITE, "9:9: initial.qdot: ", "not finite"},
    {DOUBLE "initial: {q: [[0, 0, 1]]}\n", PH_E_SIZE, "6:14: initial.q: ", "has 1 entry; a list of 2 vectors"},
    {DOUBLE "initial:\n  q: [[0, 0, 1], [0, 1, 0]]\n  omega:\n    - [0, 1, 0]\n    - [0, 1, 0]\n", PH_E_NOT_TANGENT,
     "10:7: initial.omega[1]: ", "its projection is [0, 0, 0]"},
};

static const struct {
    const char *name;
    const bad *rows;
    size_t n;
} tables[] = {
    {"top", top, sizeof top / sizeof top[0]},         {"syntax", syntax, sizeof syntax / sizeof syntax[0]},
    {"numbers", numbers, sizeof numbers / sizeof numbers[0]}, {"parts", parts, sizeof parts / sizeof parts[0]},
    {"initial", initial, sizeof initial / sizeof initial[0]},
};

static void check_bad(const char *table, size_t i, const bad *row)
{
    ph_scenario *s = NULL;
    ph_error err = {PH_OK, ""};
    char start[100];
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

START_TEST(bad_files)
{
    for (size_t i = 0; i < tables[_i].n; i++)
        check_bad(tables[_i].name, i, &tables[_i].rows[i]);
}
END_TEST

/* Too many keys, deep nesting, much aliasing, zero bytes: refused in a moment, and without recursion. */
START_TEST(hostile_files)
{
    enum { DEEP = 200000 };
    ph_scenario *s = NULL;
    ph_error err;
    char *text = malloc(DEEP + 100);
    for (int kind = 0; kind < 3; kind++) {
        memset(text, "[{-"[kind], DEEP);
        for (size_t i = 1; kind == 2 && i < DEEP; i += 2)
            text[i] = ' ';
        ck_assert_int_eq(ph_scenario_parse(text, DEEP, "t.yaml", &s, &err), PH_E_PARSE);
        ck_assert_msg(!strncmp(err.message, "t.yaml:1:", 9), "%s", err.message);
    }
    size_t n = (size_t)sprintf(text, "%sparameters:\n", FIVE);
    for (int i = 0; i < 300; i++)
        n += (size_t)sprintf(text + n, "  k%d: 1\n", i);
    ck_assert_int_eq(ph_scenario_parse(text, n, "t.yaml", &s, &err), PH_E_SIZE);
    ck_assert_ptr_nonnull(strstr(err.message, "t.yaml:7:3: parameters: has 300 keys"));
    n = (size_t)sprintf(text, "%s", "a0: &a0 [1]\n");
    for (int i = 1; i < 60; i++)
        n += (size_t)sprintf(text + n, "a%d: &a%d [*a%d, *a%d, *a%d]\n", i, i, i - 1, i - 1, i - 1);
    ck_assert_int_eq(ph_scenario_parse(text, n, "t.yaml", &s, &err), PH_E_UNKNOWN);
    memcpy(text, FIVE "x\0y", sizeof FIVE + 3);
    ck_assert_int_eq(ph_scenario_parse(text, sizeof FIVE + 2, "t.yaml", &s, &err), PH_E_PARSE);
    ck_assert_msg(!strncmp(err.message, "t.yaml:6:2: a zero byte", 23), "%s", err.message);
    free(text);
}
END_TEST

/* ---- Good files ---------------------------------------------------------------------------------- */

START_TEST(defaults)
{
    ph_scenario *s = parse(FOUR "steps: 123456\n");
    size_t n = 7;
    ck_assert_str_eq(ph_scenario_model(s)->name, "spherical-pendulum");
    ck_assert_str_eq(ph_scenario_method(s)->name, "variational");
    ph_scenario_settings(s, &n);
    ck_assert_uint_eq(n, 0);
    ck_assert(ph_scenario_step_size(s) == 0.01);
    ck_assert_int_eq(ph_scenario_steps(s), 123456);
    ck_assert_int_eq(ph_scenario_every(s), 123);
    ck_assert(ph_scenario_time(s) == 0);
    const ph_space *space = ph_system_space(ph_scenario_system(s));
    double z[3], zdot[3], p[3];
    ck_assert_int_eq(ph_model_preset(ph_scenario_model(s), NULL, 0, NULL, z, zdot, NULL), PH_OK);
    ph_system_momentum(ph_scenario_system(s), z, zdot, p);
    ck_assert(ph_space_residual(space, ph_scenario_configuration(s)) < 4e-16);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(ph_scenario_configuration(s)[k], z[k], 1e-15);
        ck_assert_double_eq_tol(ph_scenario_momentum(s)[k], p[k], 1e-14);
    }
    ph_scenario_free(s);
    ph_scenario_free(NULL);
}
END_TEST

/* The same system written in YAML, in JSON, with tabs in JSON, with a byte order mark, with aliases. */
START_TEST(notations)
{
    static const char *const texts[] = {
        "polhode: 1 # version\nmodel: double-spherical-pendulum\n"
        "parameters: {masses: [1, 2], lengths: 9.81, gravity: 9.81}\n"
        "initial:\n  q:     [[0.8660254037844386, 0, 0.5], [0, 0, 1]]\n"
        "  omega: [[-0.4330127018922193, 0, 0.75], [0, 1, 0]]\n"
        "method: {name: rk4, form: q-omega}\nstep: 0.01\nduration: 100\noutput: {every: 10}\n",
        "{\"polhode\": 1, \"model\": \"double-spherical-pendulum\", \"parameters\":\n\t{\"masses\": [1, 2],"
        " \"lengths\": [9.81, 9.81],\"gravity\":[0,0,-9.81]},\n\t\"initial\":{\"q\":[[0.8660254037844386,0,5e-1],"
        "[0,0,1]],\n\t\t\"qdot\": [[0, 0.8660254037844386, 0], [1, 0, 0]]},\n\t\"method\": {\"name\": \"rk4\", "
        "\"form\": \"q-omega\"},\n\t\"step\": 1e-2,\n\t\"steps\": 10000, \"output\": {\"every\": 1e1}\n}\n",
        "\xef\xbb\xbfpolhode: 1\r\nmodel: double-spherical-pendulum\r\nmethod: {name: rk4, form: 'q-omega', order: 4}\r\n"
        "step: &h 0.01\r\nduration: 100\r\nparameters: {masses: [1, 2], lengths: [&l 9.81, *l], gravity: *l}\r\n"
        "initial: {q: [[0.8660254037844386, 0, 0.5], [0, 0, 1]], time: 0,\r\n"
        "  omega: [[-0.4330127018922193, 0, 0.75], [0, 1, 0]], project: false}\r\noutput: {every: 10}\r\n",
    };
    ph_scenario *first = parse(texts[0]);
    for (int i = 0; i < 3; i++) {
        ph_scenario *s = parse(texts[i]);
        size_t n = 0;
        const ph_setting *settings = ph_scenario_settings(s, &n);
        ck_assert_uint_eq(n, 1);
        ck_assert_str_eq(settings[0].name, "form");
        ck_assert_str_eq(settings[0].value, "q-omega");
        ck_assert_int_eq(ph_scenario_steps(s), 10000);
        ck_assert_int_eq(ph_scenario_every(s), 10);
        ck_assert(ph_scenario_step_size(s) == 0.01);
        for (int k = 0; k < 4; k++)
            ck_assert(ph_system_inertia(ph_scenario_system(s))[k] == ph_system_inertia(ph_scenario_system(first))[k]);
        for (int k = 0; k < 6; k++) {
            ck_assert(ph_scenario_configuration(s)[k] == ph_scenario_configuration(first)[k]);
            ck_assert_double_eq_tol(ph_scenario_momentum(s)[k], ph_scenario_momentum(first)[k], 1e-12);
        }
        ph_scenario_free(s);
    }
    ph_scenario_free(first);
}
END_TEST

START_TEST(durations)
{
    static const struct {
        const char *text;
        int64_t steps;
    } rows[] = {{"step: 0.01\nduration: 100\n", 10000}, {"step: -0.01\nduration: 100\n", 10000},
                {"step: 0.1\nduration: 0.3\n", 3},      {"step: 0.01\nduration: 0.01\n", 1},
                {"step: 1e-7\nduration: 1e5\n", 1000000000000}, {"step: 0.3333333333\nduration: 1\n", 3},
                {"step: 1\nsteps: 1e6\n", 1000000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "polhode: 1\nmodel: spherical-pendulum\nmethod: variational\n%s", rows[i].text);
        ph_scenario *s = parse(text);
        ck_assert_int_eq(ph_scenario_steps(s), rows[i].steps);
        ph_scenario_free(s);
    }
}
END_TEST

static void check_point(const char *text, const double *q, const double *p)
{
    ph_scenario *s = parse(text);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(ph_scenario_configuration(s)[k], q[k], 1e-15);
        ck_assert_double_eq_tol(ph_scenario_momentum(s)[k], p[k], 1e-15);
    }
    ph_scenario_free(s);
}

START_TEST(initial_states)
{
    static const double down[3] = {0, 0, -1}, rest[3] = {0, 0, 0}, x[3] = {1, 0, 0}, z[3] = {0, 0, 1};
    static const double diagonal[3] = {0.6, 0, 0.8}, y2[3] = {0, 2, 0};
    check_point(FIVE "initial: {q: [[0, 0, -1]]}\n", down, rest);
    check_point(FIVE "initial: {preset: hanging}\n", down, rest);
    check_point(FIVE "initial: {q: [[1, 0, 0]], omega: [[0, 0, 1]]}\n", x, z);
    check_point(FIVE "initial: {q: [[1, 0, 0]], qdot: [[0, 1, 0]]}\n", x, z);
    check_point(FIVE "initial: {q: [[0.6, 0, 0.8]], omega: [[0, 2, 0]]}\n", diagonal, y2);
    /* off the manifold by less than 1e-12 */
    check_point(FIVE "initial: {q: [[1.0000000000005, 0, 0]], omega: [[0, 0, 1]]}\n", x, z);
    check_point(FIVE "initial: {q: [[1, 0, 0]], omega: [[1e-13, 0, 1]]}\n", x, z);
    /* projected: q first, then the velocity against it */
    check_point(FIVE "initial: {q: [[30, 0, 40]], omega: [[6, 2, 8]], project: true}\n", diagonal, y2);
    check_point(FIVE "initial: {q: [[1e150, 0, 0]], qdot: [[7, 1, 0]], project: true}\n", x, z);
}
END_TEST

START_TEST(initial_time)
{
    ph_scenario *s = parse(FIVE "initial: {preset: tilted, time: -2.5}\n");
    ck_assert(ph_scenario_time(s) == -2.5);
    ph_scenario_free(s);
}
END_TEST

/* ---- Files and restarts -------------------------------------------------------------------------- */

static char folder[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/check_scenario.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    char path[100];
    static const char *const files[] = {"s.yaml", "summary.json"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void put_file(const char *name, const char *text)
{
    char path[100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(text, 1, strlen(text), f), strlen(text));
    ck_assert_int_eq(fclose(f), 0);
}

static ph_status load(ph_scenario **s, ph_error *err)
{
    char path[100];
    snprintf(path, sizeof path, "%s/s.yaml", folder);
    *s = NULL;
    return ph_scenario_load(path, s, err);
}

START_TEST(load_file)
{
    ph_scenario *s;
    ph_error err;
    ck_assert_int_eq(load(&s, &err), PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "s.yaml: cannot be opened: No such file"));
    ck_assert_int_eq(ph_scenario_load(folder, &s, &err), PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot be read"));
    put_file("s.yaml", FIVE);
    ck_assert_int_eq(load(&s, &err), PH_OK);
    ph_scenario_free(s);
    put_file("s.yaml", "polhode: 1\nnonsense: 2\n");
    ck_assert_int_eq(load(&s, &err), PH_E_UNKNOWN);
    ck_assert_ptr_nonnull(strstr(err.message, "/s.yaml:2:1: nonsense: "));
}
END_TEST

#define SUMMARY(model, state) "{\n\"polhode\": 1,\n\"model\": \"" model "\",\n\"other\": {\"a\": [null]},\n\"final_state\": {" state "}\n}\n"

START_TEST(restart)
{
    ph_scenario *s;
    ph_error err;
    put_file("s.yaml", FIVE "initial: {from: summary.json}\n");
    put_file("summary.json", SUMMARY("spherical-pendulum", "\"t\": 12.5, \"z\": [0.6, 0, 0.8], \"p\": [0, 2, 0]"));
    ck_assert_msg(load(&s, &err) == PH_OK, "%s", err.message);
    ck_assert(ph_scenario_time(s) == 12.5);
    ck_assert(ph_scenario_configuration(s)[0] == 0.6 && ph_scenario_configuration(s)[2] == 0.8);
    ck_assert(ph_scenario_momentum(s)[0] == 0 && ph_scenario_momentum(s)[1] == 2);
    ph_scenario_free(s);
    put_file("s.yaml", FIVE "initial: {from: summary.json, project: true}\n");
    put_file("summary.json", SUMMARY("spherical-pendulum", "\"t\": -1, \"z\": [6, 0, 8], \"p\": [6, 2, 8]"));
    ck_assert_msg(load(&s, &err) == PH_OK, "%s", err.message);
    ck_assert_double_eq_tol(ph_scenario_momentum(s)[0], 0, 1e-15);
    ck_assert_double_eq_tol(ph_scenario_momentum(s)[1], 2, 1e-15);
    ph_scenario_free(s);
}
END_TEST

START_TEST(bad_restarts)
{
    static const bad rows[] = {
        {"", PH_E_PARSE, "1:1: ", "empty"},
        {"[]", PH_E_PARSE, "1:1: ", "the summary.json of a run"},
        {"{\"model\": \"x\"}", PH_E_PARSE, "1:1: ", "no key \"polhode\""},
        {"{\"polhode\": 2}", PH_E_RANGE, "1:13: polhode: ", "schema version 1"},
        {"{\"polhode\": 1}", PH_E_PARSE, "1:1: ", "no key \"model\""},
        {SUMMARY("chain-pendulum", ""), PH_E_INVALID, "3:10: model: ", "both must agree"},
        {"{\"polhode\": 1, \"model\": \"spherical-pendulum\"}", PH_E_PARSE, "1:1: ", "no key \"final_state\""},
        {SUMMARY("spherical-pendulum", ""), PH_E_PARSE, "5:16: final_state: ", "no key \"t\""},
        {SUMMARY("spherical-pendulum", "\"t\": null"), PH_E_PARSE, "5:22: final_state.t: ", "not a number"},
        {SUMMARY("spherical-pendulum", "\"t\": 1"), PH_E_PARSE, "5:16: final_state: ", "no key \"z\""},
        {SUMMARY("spherical-pendulum", "\"t\": 1, \"z\": [1, 0]"), PH_E_SIZE, "5:30: final_state.z: ",
         "list of 3 numbers"},
        {SUMMARY("spherical-pendulum", "\"t\": 1, \"z\": [1, 0, null]"), PH_E_PARSE, "5:37: final_state.z[2]: ",
         "not a number"},
        {SUMMARY("spherical-pendulum", "\"t\": 1, \"z\": [1, 0, 0]"), PH_E_PARSE, "5:16: final_state: ",
         "no key \"p\""},
        {SUMMARY("spherical-pendulum", "\"t\": 1, \"z\": [1, 1, 0], \"p\": [0, 0, 0]"), PH_E_NOT_ON_MANIFOLD,
         "5:31: final_state.z[0]: ", "project: true"},
        {SUMMARY("spherical-pendulum", "\"t\": 1, \"z\": [1, 0, 0], \"p\": [1e-8, 1, 0]"), PH_E_NOT_TANGENT,
         "5:46: final_state.p: ", "project: true"},
    };
    put_file("s.yaml", FIVE "initial: {from: summary.json}\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ph_scenario *s;
        ph_error err;
        char start[120];
        put_file("summary.json", rows[i].text);
        snprintf(start, sizeof start, "%s/summary.json:%s", folder, rows[i].start);
        ck_assert_msg(load(&s, &err) == rows[i].status, "%zu: %s", i, err.message);
        ck_assert_ptr_null(s);
        ck_assert_msg(!strncmp(err.message, start, strlen(start)), "%zu: %s", i, err.message);
        ck_assert_msg(strstr(err.message, rows[i].advice), "%zu: %s", i, err.message);
    }
}
END_TEST

/* ---- Locale, long names ---------------------------------------------------------------------------- */

START_TEST(comma_locale)
{
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        return; /* none installed */
    ph_scenario *s = parse(FIVE "initial: {q: [[0.6, 0, 0.8]], time: 2.5}\n");
    ck_assert(ph_scenario_time(s) == 2.5 && ph_scenario_step_size(s) == 0.01);
    ph_scenario_free(s);
    setlocale(LC_NUMERIC, "C");
}
END_TEST

START_TEST(long_names)
{
    char name[3000], text[3000];
    ph_scenario *s;
    ph_error err;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, "%.1000s: 1\n", name);
    ck_assert_int_eq(ph_scenario_parse(text, strlen(text), name, &s, &err), PH_E_UNKNOWN);
    ck_assert_ptr_nonnull(strstr(err.message, "...:1:1: nnn"));
    ck_assert_int_eq(ph_scenario_parse("\xc3\xa4\xc3\xb6: 1\n", 8, "a\nb", &s, &err), PH_E_UNKNOWN);
    ck_assert_ptr_nonnull(strstr(err.message, "a?b:1:1: \xc3\xa4\xc3\xb6: unknown key \"\xc3\xa4\xc3\xb6\""));
}
END_TEST

/* ---- Files that chance wrote --------------------------------------------------------------------- */

static const char valid[] =
    "polhode: 1\nmodel: double-spherical-pendulum\nparameters: {masses: [1, 1], lengths: [9.81, 9.81], gravity: 9}\n"
    "initial:\n  q:     [[0.8660254037844386, 0, 0.5], [0, 0, 1]]\n"
    "  omega: [[-0.4330127018922193, 0, 0.75], [0, 1, 0]]\n  project: true\n"
    "method: {name: rk4, form: \"q-omega\"}\nstep: &h 0.01\nduration: 100\noutput: {every: 10}\n";

static void survive(const char *text, size_t length)
{
    ph_scenario *s = NULL;
    ph_error err = {PH_OK, ""};
    char *exact = malloc(length ? length : 1); /* so that a sanitizer sees a byte too far */
    memcpy(exact, text, length);
    ph_status status = ph_scenario_parse(exact, length, "t.yaml", &s, &err);
    free(exact);
    ck_assert((status == PH_OK) == (s != NULL));
    if (status) {
        ck_assert_int_eq(err.status, status);
        ck_assert_msg(!strncmp(err.message, "t.yaml:", 7), "%s", err.message);
    }
    ph_scenario_free(s);
}

START_TEST(prefixes)
{
    ph_scenario_free(parse(valid));
    for (size_t n = 0; n <= strlen(valid); n++)
        survive(valid, n);
}
END_TEST

START_TEST(mutations)
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
END_TEST

int main(void)
{
    Suite *suite = suite_create("scenario");
    TCase *texts = tcase_create("texts"), *files = tcase_create("files"), *chance = tcase_create("chance");
    tcase_add_loop_test(texts, bad_files, 0, (int)(sizeof tables / sizeof tables[0]));
    tcase_add_test(texts, hostile_files);
    tcase_add_test(texts, defaults);
    tcase_add_test(texts, notations);
    tcase_add_test(texts, durations);
    tcase_add_test(texts, initial_states);
    tcase_add_test(texts, initial_time);
    tcase_add_test(texts, comma_locale);
    tcase_add_test(texts, long_names);
    tcase_set_timeout(texts, 60);
    tcase_add_checked_fixture(files, make_folder, remove_folder);
    tcase_add_test(files, load_file);
    tcase_add_test(files, restart);
    tcase_add_test(files, bad_restarts);
    tcase_add_test(chance, prefixes);
    tcase_add_test(chance, mutations);
    tcase_set_timeout(chance, 120);
    suite_add_tcase(suite, texts);
    suite_add_tcase(suite, files);
    suite_add_tcase(suite, chance);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
