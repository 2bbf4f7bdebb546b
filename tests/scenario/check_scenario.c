/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios: what a valid file builds, in every notation, and continuing from the summary of a run. For
 * invalid files see check_scenario_errors.c. */
#include "tests/kit/iokit.h"
#include "tests/kit/points.h"

/* Four lines without the length of the run; five with it. */
#define FOUR "polhode: 1\nmodel: spherical-pendulum\nmethod: variational\nstep: 0.01\n"
#define FIVE FOUR "steps: 10\n"

/* ---- Good files ---------------------------------------------------------------------------------- */

TEST(defaults)
{
    TK_OWN(ph_scenario) *s = io_scenario(FOUR "steps: 123456\n");
    size_t n = 7;
    ck_assert_str_eq(ph_scenario_model(s)->name, "spherical-pendulum");
    ck_assert_str_eq(ph_scenario_method(s)->name, "variational");
    ph_scenario_settings(s, &n);
    ck_assert_uint_eq(n, 0);
    ck_assert(ph_scenario_step_size(s) == 0.01);
    ck_assert_int_eq(ph_scenario_steps(s), 123456);
    ck_assert_int_eq(ph_scenario_output(s)->steps, 123);
    ck_assert(ph_scenario_time(s) == 0);
    const ph_space *space = ph_system_space(ph_scenario_system(s));
    double z[3], zdot[3], p[3];
    ck_assert_int_eq(ph_model_preset(ph_scenario_model(s), NULL, 0, NULL, 3, z, zdot, NULL), PH_OK);
    tk_momentum(ph_scenario_system(s), z, zdot, p);
    ck_assert(ph_space_residual(space, ph_scenario_configuration(s)) < 4e-16);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(ph_scenario_configuration(s)[k], z[k], 1e-15);
        ck_assert_double_eq_tol(ph_scenario_momentum(s)[k], p[k], 1e-14);
    }
    ph_scenario_free(NULL);
}

TEST(events)
{
    ph_scenario *s = io_scenario(
        FOUR "steps: 10\n"
             "events:\n  - {name: upright, when: q1z, crosses: 0.5, direction: up, action: stop}\n"
             "  - {name: x-1_2.a, when: energy}\n"
             "  - {when: \"pi1y\", name: c, direction: down, action: record}\n"
             "  - {name: d, when: t, direction: both}\n");
    static const ph_event expected[] = {
        {.name = "upright", .column = "q1z", .level = 0.5, .direction = 1, .action = PH_EVENT_STOP},
        {.name = "x-1_2.a", .column = "energy"},
        {.name = "c", .column = "pi1y", .direction = -1},
        {.name = "d", .column = "t"}};
    size_t n = 0;
    const ph_event *list = ph_scenario_events(s, &n);
    ck_assert_uint_eq(n, 4);
    for (size_t i = 0; i < n; i++) {
        ck_assert_str_eq(list[i].name, expected[i].name);
        ck_assert_str_eq(list[i].column, expected[i].column);
        ck_assert(list[i].level == expected[i].level);
        ck_assert_int_eq(list[i].direction, expected[i].direction);
        ck_assert_int_eq(list[i].action, expected[i].action);
        ck_assert(!list[i].value);
    }
    ph_scenario_free(s);
    s = io_scenario(FOUR "steps: 10\n");
    ck_assert_ptr_null(ph_scenario_events(s, &n));
    ck_assert_uint_eq(n, 0);
    ph_scenario_free(s);
    s = io_scenario(FOUR "steps: 10\nevents: []\n");
    ph_scenario_events(s, &n);
    ck_assert_uint_eq(n, 0);
    ph_scenario_free(s);
}

TEST(too_many_events)
{
    static char text[16384] = FOUR "steps: 10\nevents:\n";
    size_t used = strlen(text), n = 0;
    ph_scenario *s = NULL;
    for (int i = 0; i < 256; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "  - {name: e%d, when: q1z}\n", i);
    s = io_scenario(text);
    ph_scenario_events(s, &n);
    ck_assert_uint_eq(n, 256);
    ph_scenario_free(s);
    snprintf(text + used, sizeof text - used, "  - {name: more, when: q1z}\n");
    tk_says(ph_scenario_parse(text, strlen(text), "t.yaml", &s, tk_err), PH_E_SIZE,
            "t.yaml:7:3: events: has 257 events; at most 256 are allowed");
}

/* A list of one number is that of one link; a number is for all. */
TEST(list_of_one_number)
{
    static const struct {
        const char *parameters;
        size_t links;
    } at[] = {{"{masses: [1], lengths: [2]}", 1}, {"{masses: 1, lengths: [2]}", 1},
              {"{masses: 1, lengths: 2}", 5},     {"{masses: 1, links: 3}", 3},
              {"{damping: [0], links: 1}", 1},    {"{gravity: [9.81]}", 5}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        char text[200];
        snprintf(
            text, sizeof text,
            "polhode: 1\nmodel: chain-pendulum\nparameters: %s\nmethod: variational\nstep: 0.01\nsteps: 1\n",
            at[i].parameters);
        TK_OWN(ph_scenario) *s = io_scenario(text);
        ck_assert_uint_eq(ph_space_factors(ph_system_space(ph_scenario_system(s))), at[i].links);
    }
}

/* The same system written in YAML, in JSON, with tabs in JSON, with a byte order mark. */
TEST(notations)
{
    static const char *const texts[] = {
        "polhode: 1 # version\nmodel: double-spherical-pendulum\n"
        "parameters: {masses: [1, 2], lengths: 9.81, gravity: 9.81}\n"
        "initial:\n  q:     [[0.8660254037844386, 0, 0.5], [0, 0, 1]]\n"
        "  omega: [[-0.4330127018922193, 0, 0.75], [0, 1, 0]]\n"
        "method: {name: rk4, form: q-omega}\nstep: 0.01\nduration: 100\noutput: {every: 10}\n",
        "{\"polhode\": 1, \"model\": \"double-spherical-pendulum\", \"parameters\":\n"
        "\t{\"masses\": [1, 2], \"lengths\": [9.81, 9.81],\"gravity\":[0,0,-9.81]},\n"
        "\t\"initial\":{\"q\":[[0.8660254037844386,0,5e-1],[0,0,1]],\n"
        "\t\t\"qdot\": [[0, 0.8660254037844386, 0], [1, 0, 0]]},\n"
        "\t\"method\": {\"name\": \"rk4\", \"form\": \"q-omega\"},\n"
        "\t\"step\": 1e-2,\n"
        "\t\"steps\": 10000, \"output\": {\"every\": 1e1}\n"
        "}\n",
        "\xef\xbb\xbfpolhode: 1\r\n"
        "model: double-spherical-pendulum\r\n"
        "method: {name: rk4, form: 'q-omega', order: 4}\r\n"
        "step: 0.01\r\n"
        "duration: 100\r\n"
        "parameters: {masses: [1, 2], lengths: [9.81, 9.81], gravity: 9.81}\r\n"
        "initial: {q: [[0.8660254037844386, 0, 0.5], [0, 0, 1]], time: 0,\r\n"
        "  omega: [[-0.4330127018922193, 0, 0.75], [0, 1, 0]], project: false}\r\noutput: {every: 10}\r\n",
    };
    TK_OWN(ph_scenario) *first = io_scenario(texts[0]);
    for (int i = 0; i < 3; i++) {
        TK_OWN(ph_scenario) *s = io_scenario(texts[i]);
        size_t n = 0;
        const ph_setting *settings = ph_scenario_settings(s, &n);
        ck_assert_uint_eq(n, 1);
        ck_assert_str_eq(settings[0].name, "form");
        ck_assert_str_eq(settings[0].value, "q-omega");
        ck_assert_int_eq(ph_scenario_steps(s), 10000);
        ck_assert_int_eq(ph_scenario_output(s)->steps, 10);
        ck_assert(ph_scenario_step_size(s) == 0.01);
        for (int k = 0; k < 4; k++)
            ck_assert(ph_system_inertia(ph_scenario_system(s))[k] ==
                      ph_system_inertia(ph_scenario_system(first))[k]);
        for (int k = 0; k < 6; k++) {
            ck_assert(ph_scenario_configuration(s)[k] == ph_scenario_configuration(first)[k]);
            ck_assert_double_eq_tol(ph_scenario_momentum(s)[k], ph_scenario_momentum(first)[k], 1e-12);
        }
    }
}

/* What concerns the archive; and a scenario recalled without its initial state, wherever that stood. */
TEST(sessions)
{
    size_t length;
    ph_scenario *s = io_scenario(FIVE);
    ck_assert(!ph_scenario_csv(s) && ph_scenario_snapshot(s) == 60 && isinf(ph_scenario_energy_bound(s)));
    ck_assert_str_eq(ph_scenario_text(s, &length), FIVE);
    ck_assert_uint_eq(length, strlen(FIVE));
    ph_scenario_free(s);
    static const char text[] = FIVE "output: {csv: true, every: 3, snapshot: 0.5}\n"
                                    "stop: {energy-error: 1e-3}\n"
                                    "initial: {from: nowhere.json}\n";
    tk_returns(ph_scenario_parse(text, strlen(text), "s", &s, tk_err), PH_E_IO);
    tk_ok(ph_scenario_recall(text, strlen(text), "s", &s, tk_err));
    ck_assert(ph_scenario_csv(s) && ph_scenario_snapshot(s) == 0.5 && ph_scenario_energy_bound(s) == 1e-3);
    ck_assert_int_eq(ph_scenario_output(s)->steps, 3);
    ck_assert_ptr_null(ph_scenario_configuration(s));
    ck_assert_ptr_null(ph_scenario_momentum(s));
    ph_scenario_free(s);
}

/* Columns are words for ph_columns; those of time and step may be named. */
TEST(columns)
{
    static const char text[] = FIVE "output: {columns: [q1, t, \"energy_error\", pi1z]}\n";
    static const char *const expected[] = {"q1", "t", "energy_error", "pi1z"};
    size_t n = 7;
    ph_scenario *s = io_scenario(FIVE);
    ph_scenario_columns(s, &n);
    ck_assert_uint_eq(n, 0);
    ph_scenario_free(s);
    for (int recalled = 0; recalled < 2; recalled++) {
        tk_ok((recalled ? ph_scenario_recall : ph_scenario_parse)(text, strlen(text), "s", &s, NULL));
        const char *const *words = ph_scenario_columns(s, &n);
        ck_assert_uint_eq(n, 4);
        for (size_t i = 0; i < n; i++)
            ck_assert_str_eq(words[i], expected[i]);
        ph_scenario_free(s);
    }
}

TEST(durations)
{
    static const struct {
        const char *text;
        int64_t steps;
    } rows[] = {{"step: 0.01\nduration: 100\n", 10000},
                {"step: -0.01\nduration: 100\n", 10000},
                {"step: 0.1\nduration: 0.3\n", 3},
                {"step: 0.01\nduration: 0.01\n", 1},
                {"step: 1e-7\nduration: 1e5\n", 1000000000000},
                {"step: 0.3333333333\nduration: 1\n", 3},
                {"step: 1\nsteps: 1e6\n", 1000000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "polhode: 1\nmodel: spherical-pendulum\nmethod: variational\n%s",
                 rows[i].text);
        TK_OWN(ph_scenario) *s = io_scenario(text);
        ck_assert_int_eq(ph_scenario_steps(s), rows[i].steps);
    }
}

static void check_point(const char *text, const double *q, const double *p)
{
    TK_OWN(ph_scenario) *s = io_scenario(text);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(ph_scenario_configuration(s)[k], q[k], 1e-15);
        ck_assert_double_eq_tol(ph_scenario_momentum(s)[k], p[k], 1e-15);
    }
}

TEST(initial_states)
{
    static const double down[3] = {0, 0, -1}, rest[3] = {0, 0, 0}, x[3] = {1, 0, 0}, z[3] = {0, 0, 1};
    static const double diagonal[3] = {0.6, 0, 0.8}, y2[3] = {0, 2, 0}, slow[3] = {0, 0, 1e-3};
    check_point(FIVE "initial: {q: [[0, 0, -1]]}\n", down, rest);
    check_point(FIVE "initial: {preset: hanging}\n", down, rest);
    check_point(FIVE "initial: {q: [[1, 0, 0]], omega: [[0, 0, 1]]}\n", x, z);
    check_point(FIVE "initial: {q: [[1, 0, 0]], qdot: [[0, 1, 0]]}\n", x, z);
    check_point(FIVE "initial: {q: [[0.6, 0, 0.8]], omega: [[0, 2, 0]]}\n", diagonal, y2);
    /* off the manifold by less than 1e-12 */
    check_point(FIVE "initial: {q: [[1.0000000000005, 0, 0]], omega: [[0, 0, 1]]}\n", x, z);
    check_point(FIVE "initial: {q: [[1, 0, 0]], omega: [[1e-13, 0, 1]]}\n", x, z);
    check_point(FIVE "initial: {q: [[1, 0, 0]], omega: [[5e-13, 0, 1e-3]]}\n", x, slow);
    /* projected: q first, then the velocity against it */
    check_point(FIVE "initial: {q: [[30, 0, 40]], omega: [[6, 2, 8]], project: true}\n", diagonal, y2);
    check_point(FIVE "initial: {q: [[1e150, 0, 0]], qdot: [[7, 1, 0]], project: true}\n", x, z);
}

TEST(initial_time)
{
    TK_OWN(ph_scenario) *s = io_scenario(FIVE "initial: {preset: tilted, time: -2.5}\n");
    ck_assert(ph_scenario_time(s) == -2.5);
}

/* A light elbow between nearly aligned links moves while the heavy tip stands, but for what is along the
 * links: there sum M_ij v_j is 1e5 times what is left of it in the momentum, whose rounding must not make it
 * one that is not tangent. */
TEST(momentum_that_cancels)
{
    tk_random random = {5};
    for (int i = 0; i < 50; i++) {
        char text[1000];
        double q[6], v[6], t[3];
        const double bend = 1e-5, c = cos(bend), s = sin(bend);
        tk_unit(&random, q);
        tk_tangent(&random, q, t);
        double norm = ph_norm3(t);
        for (int k = 0; k < 3; k++) {
            t[k] /= norm;
            q[3 + k] = c * q[k] + s * t[k];
            v[k] = t[k];
            v[3 + k] = -c * (c * t[k] - s * q[k]);
        }
        snprintf(text, sizeof text,
                 "polhode: 1\nmodel: double-spherical-pendulum\nmethod: variational\nstep: 0.01\nsteps: 10\n"
                 "parameters: {masses: [1e-10, 1], lengths: 1}\n"
                 "initial:\n  q: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]\n"
                 "  qdot: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]\n",
                 q[0], q[1], q[2], q[3], q[4], q[5], v[0], v[1], v[2], v[3], v[4], v[5]);
        TK_OWN(ph_scenario) *scenario = io_scenario(text);
        const double *p = ph_scenario_momentum(scenario);
        double size = fmax(ph_norm3(p), ph_norm3(p + 3));
        ck_assert_double_gt(size, 1e-12);
        ck_assert_double_lt(size, 1e-8); /* 1e-10, and what rounding leaves of 1e-5 */
        TK_MAKE(ph_integrator, it,
                ph_integrator_create(ph_scenario_system(scenario), ph_scenario_method(scenario), 0.01, NULL,
                                     0, &it, NULL));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set(it, state, 0, ph_scenario_configuration(scenario), p, PH_STRICT, NULL));
    }
}

/* ---- Files and restarts -------------------------------------------------------------------------- */

static ph_status load(ph_scenario **s, ph_error *err)
{
    *s = NULL;
    return ph_scenario_load(io_path("s.yaml"), s, err);
}

TEST(load_file)
{
    ph_scenario *s;
    tk_refused(load(&s, tk_err), PH_E_IO, "s.yaml: cannot be opened: No such file");
    tk_refused(ph_scenario_load(io_folder(), &s, tk_err), PH_E_IO, "cannot be read");
    io_put("s.yaml", FIVE);
    tk_returns(load(&s, tk_err), PH_OK);
    ph_scenario_free(s);
    io_put("s.yaml", "polhode: 1\nnonsense: 2\n");
    tk_refused(load(&s, tk_err), PH_E_UNKNOWN, "/s.yaml:2:1: nonsense: ");
}

#define SUMMARY(model, state)                                                                                \
    "{\n\"polhode\": 1,\n\"model\": \"" model "\",\n\"other\": {\"a\": [null]},\n\"final_state\": {" state   \
    "}\n}\n"

TEST(restart)
{
    ph_scenario *s;
    io_put("s.yaml", FIVE "initial: {from: summary.json}\n");
    io_put("summary.json",
           SUMMARY("spherical-pendulum", "\"t\": 12.5, \"z\": [0.6, 0, 0.8], \"p\": [0, 2, 0]"));
    ck_assert_msg(load(&s, tk_err) == PH_OK, "%s", tk_err->message);
    ck_assert(ph_scenario_time(s) == 12.5);
    ck_assert(ph_scenario_configuration(s)[0] == 0.6 && ph_scenario_configuration(s)[2] == 0.8);
    ck_assert(ph_scenario_momentum(s)[0] == 0 && ph_scenario_momentum(s)[1] == 2);
    ph_scenario_free(s);
    io_put("s.yaml", FIVE "initial: {from: summary.json, project: true}\n");
    io_put("summary.json", SUMMARY("spherical-pendulum", "\"t\": -1, \"z\": [6, 0, 8], \"p\": [6, 2, 8]"));
    ck_assert_msg(load(&s, tk_err) == PH_OK, "%s", tk_err->message);
    ck_assert_double_eq_tol(ph_scenario_momentum(s)[0], 0, 1e-15);
    ck_assert_double_eq_tol(ph_scenario_momentum(s)[1], 2, 1e-15);
    ph_scenario_free(s);
}

/* How far the momentum may be from tangent: 1e-9 of its size, large or small. */
TEST(restart_to_rounding)
{
    static const struct {
        const char *state;
        ph_status status;
        double p;
    } rows[] = {
        {"\"t\": 0, \"z\": [1, 0, 0], \"p\": [5e-10, 1, 0]", PH_OK, 1},
        {"\"t\": 0, \"z\": [1, 0, 0], \"p\": [1e-5, 1e6, 0]", PH_OK, 1e6},
        {"\"t\": 0, \"z\": [1, 0, 0], \"p\": [1e-12, 1e-6, 0]", PH_E_NOT_TANGENT, 0},
        {"\"t\": 0, \"z\": [1, 0, 0], \"p\": [1e-2, 1e6, 0]", PH_E_NOT_TANGENT, 0},
    };
    io_put("s.yaml", FIVE "initial: {from: summary.json}\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[300];
        TK_OWN(ph_scenario) *s = NULL;
        snprintf(text, sizeof text, SUMMARY("spherical-pendulum", "%s"), rows[i].state);
        io_put("summary.json", text);
        tk_returns(load(&s, tk_err), rows[i].status);
        if (rows[i].status)
            continue;
        ck_assert_double_eq(ph_scenario_momentum(s)[0], 0);
        ck_assert_double_eq(ph_scenario_momentum(s)[1], rows[i].p);
    }
}

/* What a bad summary says: where the message starts, and its advice. */
typedef struct bad {
    const char *text;
    ph_status status;
    const char *start, *advice;
} bad;

TEST(bad_restarts)
{
    static const bad rows[] = {
        {"", PH_E_PARSE, "1:1: ", "empty"},
        {"[]", PH_E_PARSE, "1:1: ", "the summary.json of a run"},
        {"{\"model\": \"x\"}", PH_E_PARSE, "1:1: ", "no key \"polhode\""},
        {"{\"polhode\": 2}", PH_E_RANGE, "1:13: polhode: ", "schema version 1"},
        {"{\"polhode\": 1}", PH_E_PARSE, "1:1: ", "no key \"model\""},
        {SUMMARY("chain-pendulum", ""), PH_E_INVALID, "3:10: model: ", "both must agree"},
        {"{\"polhode\": 1, \"model\": \"spherical-pendulum\"}", PH_E_PARSE,
         "1:1: ", "no key \"final_state\""},
        {SUMMARY("spherical-pendulum", ""), PH_E_PARSE, "5:16: final_state: ", "no key \"t\""},
        {SUMMARY("spherical-pendulum", "\"t\": null"), PH_E_PARSE, "5:22: final_state.t: ", "not a number"},
        {SUMMARY("spherical-pendulum", "\"t\": 1"), PH_E_PARSE, "5:16: final_state: ", "no key \"z\""},
        {SUMMARY("spherical-pendulum", "\"t\": 1, \"z\": [1, 0]"), PH_E_SIZE,
         "5:30: final_state.z: ", "list of 3 numbers"},
        {SUMMARY("spherical-pendulum", "\"t\": 1, \"z\": [1, 0, null]"), PH_E_PARSE,
         "5:37: final_state.z[2]: ", "not a number"},
        {SUMMARY("spherical-pendulum", "\"t\": 1, \"z\": [1, 0, 0]"), PH_E_PARSE,
         "5:16: final_state: ", "no key \"p\""},
        {SUMMARY("spherical-pendulum", "\"t\": 1, \"z\": [1, 1, 0], \"p\": [0, 0, 0]"), PH_E_NOT_ON_MANIFOLD,
         "5:31: final_state.z[0]: ", "project: true"},
        {SUMMARY("spherical-pendulum", "\"t\": 1, \"z\": [1, 0, 0], \"p\": [1e-8, 1, 0]"), PH_E_NOT_TANGENT,
         "5:46: final_state.p: ", "project: true"},
    };
    io_put("s.yaml", FIVE "initial: {from: summary.json}\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ph_scenario *s;
        char start[300];
        io_put("summary.json", rows[i].text);
        snprintf(start, sizeof start, "%s/summary.json:%s", io_folder(), rows[i].start);
        ck_assert_msg(load(&s, tk_err) == rows[i].status, "%zu: %s", i, tk_err->message);
        ck_assert_ptr_null(s);
        ck_assert_msg(!strncmp(tk_err->message, start, strlen(start)), "%zu: %s", i, tk_err->message);
        ck_assert_msg(strstr(tk_err->message, rows[i].advice), "%zu: %s", i, tk_err->message);
    }
}

/* Whatever the decimal point is at home. */
TEST_EACH(other_decimal_points, points())
{
    point_set(_i);
    ph_scenario *s = io_scenario(FIVE "initial: {q: [[0.6, 0, 0.8]], time: 2.5}\n");
    ck_assert(ph_scenario_time(s) == 2.5 && ph_scenario_step_size(s) == 0.01);
    ph_scenario_free(s);
    point_reset();
}

int main(void)
{
    return tk_run_in("scenario", io_make_folder, io_remove_folder);
}
