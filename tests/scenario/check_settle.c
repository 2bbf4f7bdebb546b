/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios that give an accuracy: what is left to be chosen, that it is settled once, that archives keep it; and texts
 * of scenarios in which one value is another. */
#include "tests/kit/iokit.h"

#include <polhode/session.h>

#include <math.h>
#include <stdlib.h>

#define HEAD "polhode: 1\nmodel: spherical-pendulum\n"

static void refuses(const char *text, const char *words)
{
    ph_scenario *s = NULL;
    ck_assert(ph_scenario_parse(text, strlen(text), "t.yaml", &s, tk_err) != PH_OK);
    ck_assert_ptr_null(s);
    ck_assert_msg(strstr(tk_err->message, words) != NULL, "%s", tk_err->message);
}

/* ---- What is left open --------------------------------------------------------------------------------- */

TEST(open_scenarios)
{
    const ph_setting order = {"order", "6"};
    const ph_method *variational = ph_method_find("variational", NULL), *rk4 = ph_method_find("rk4", NULL);
    TK_OWN(ph_scenario) *s = io_scenario(HEAD "accuracy: 1e-7\nduration: 20000\n");
    ph_integrator *it = NULL;
    size_t n = 9;
    ck_assert(!ph_scenario_is_settled(s) && !ph_scenario_method(s));
    ck_assert(ph_scenario_accuracy(s) == 1e-7 && ph_scenario_duration(s) == 20000);
    ck_assert(ph_scenario_step_size(s) == 0 && ph_scenario_steps(s) == 0 && ph_scenario_estimate(s) == 0);
    tk_refused(ph_scenario_integrator(s, NULL, &it, tk_err), PH_E_INVALID, "ph_scenario_settle");

    /* mistakes leave it as it is */
    tk_returns(ph_scenario_settle(s, NULL, NULL, 0, 0.01, 0, 0, tk_err), PH_E_INVALID);
    tk_returns(ph_scenario_settle(s, variational, &order, 1, 0, 0, 0, tk_err), PH_E_RANGE);
    tk_returns(ph_scenario_settle(s, variational, &order, 1, -0.01, 0, 0, tk_err), PH_E_RANGE);
    tk_refused(ph_scenario_settle(s, variational, &order, 1, 0.03, 0, 0, tk_err), PH_E_RANGE,
               "the duration, 20000 s, is 666666.6667 steps");
    ck_assert(ph_scenario_settle(s, rk4, &order, 1, 0.01, 0, 0, tk_err) != PH_OK);
    ck_assert(!ph_scenario_is_settled(s));

    tk_ok(ph_scenario_settle(s, variational, &order, 1, 0.01, 3e-8, 0, tk_err));
    ck_assert(ph_scenario_is_settled(s) && ph_scenario_method(s) == variational);
    ck_assert(ph_scenario_step_size(s) == 0.01 && ph_scenario_estimate(s) == 3e-8);
    ck_assert_int_eq(ph_scenario_steps(s), 2000000);
    ck_assert_int_eq(ph_scenario_output(s)->steps, 2000); /* some 1000 outputs */
    ck_assert_str_eq(ph_scenario_settings(s, &n)[0].value, "6");
    ck_assert_uint_eq(n, 1);
    tk_ok(ph_scenario_integrator(s, NULL, &it, tk_err));
    ph_integrator_free(it);
    tk_returns(ph_scenario_settle(s, variational, &order, 1, 0.01, 0, 0, tk_err), PH_E_INVALID);
    tk_returns(ph_scenario_settle(NULL, variational, &order, 1, 0.01, 0, 0, tk_err), PH_E_INVALID);
}

TEST(half_open_scenarios)
{
    ph_scenario *s = io_scenario(HEAD "accuracy: 1e-7\nmethod: {name: variational, order: 8}\nduration: 2\n"
                                      "output: {every: 7}\n");
    const ph_method *own = ph_scenario_method(s);
    ck_assert(own && !ph_scenario_is_settled(s));
    tk_returns(ph_scenario_settle(s, own, NULL, 0, 0.1, 0, 0, tk_err), PH_E_INVALID);
    tk_ok(ph_scenario_settle(s, NULL, NULL, 0, 0.1, NAN, 0, tk_err));
    ck_assert(ph_scenario_method(s) == own && ph_scenario_steps(s) == 20 && ph_scenario_estimate(s) == 0);
    ck_assert_int_eq(ph_scenario_output(s)->steps, 7);
    ph_scenario_free(s);

    s = io_scenario(HEAD "accuracy: 1e-7\nstep: -0.5\nsteps: 4\n");
    ck_assert(!ph_scenario_is_settled(s) && ph_scenario_duration(s) == 2);
    tk_returns(ph_scenario_settle(s, own, NULL, 0, 0.5, 0, 0, tk_err), PH_E_INVALID);
    tk_ok(ph_scenario_settle(s, own, NULL, 0, 0, 0, 0, tk_err));
    ck_assert(ph_scenario_step_size(s) == -0.5 && ph_scenario_steps(s) == 4);
    ph_scenario_free(s);

    s = io_scenario(HEAD "accuracy: 1e-7\nmethod: variational\nstep: 0.5\nsteps: 4\n");
    ck_assert(ph_scenario_is_settled(s) && ph_scenario_accuracy(s) == 1e-7);
    ph_scenario_free(s);
}

TEST(bad_accuracies)
{
    static const char *const values[] = {"-1", "0", "1e-30", "0.5", "1e-15"};
    char text[200];
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        snprintf(text, sizeof text, HEAD "accuracy: %s\nduration: 1\n", values[i]);
        refuses(text, "t.yaml:3:11: accuracy: is ");
        refuses(text, "from 1e-14 (what double precision can reach at best) to 0.1 is expected");
    }
    refuses(HEAD "accuracy: .nan\nduration: 1\n", "t.yaml:3:11: accuracy: ");
    refuses(HEAD "accuracy: high\nduration: 1\n", "is \"high\", which is not a number");
    refuses(HEAD "accuracy: 1e-6\nsteps: 10\n", "steps: needs a step");
    refuses(HEAD "accuracy: 1e-6\n", "the length of the run is missing");
    refuses(HEAD "accuracy: 1e-6\nduration: -1\n", "duration: is -1 s");
    refuses(HEAD "duration: 1\n", "the key \"method\" is missing");
}

/* ---- In an archive ----------------------------------------------------------------------------------- */

/* In the test's folder, in an archive of this name. */
static ph_status run_open(const char *archive, bool settle, int64_t *steps, double z[3], ph_error *err)
{
    static const double soon = 0;
    const ph_session_options options = {
        .force = true, .archive = archive, .wall_clock = steps ? &soon : NULL};
    const ph_setting order = {"order", "4"};
    ph_scenario *s = io_scenario(HEAD "accuracy: 1e-7\nduration: 2\n");
    ph_session *session = NULL;
    if (settle)
        tk_ok(ph_scenario_settle(s, ph_method_find("variational", NULL), &order, 1, 1.0 / 300, 2e-8, 4e-9,
                                 err));
    ph_status status = ph_session_open_scenario(s, "open.yaml", io_folder(), &options, &session, err);
    if (status)
        return status;
    ph_session_run(session, err);
    if (steps)
        *steps = ph_session_state(session)->k;
    memcpy(z, ph_session_state(session)->z, 3 * sizeof *z);
    tk_ok(ph_session_close(session, NULL));
    return PH_OK;
}

TEST(resumed_runs_keep_the_choice)
{
    ph_session *session = NULL;
    ph_record *record = NULL;
    ph_scenario *s = NULL;
    ph_result result;
    int64_t done = -1;
    double whole[3], z[3];
    char path[4096];
    snprintf(path, sizeof path, "%s", io_path("run.polhode"));
    tk_refused(run_open("run.polhode", false, NULL, z, tk_err), PH_E_INVALID, "ph_scenario_settle");
    tk_ok(run_open("whole.polhode", true, NULL, whole, tk_err));
    tk_ok(run_open("run.polhode", true, &done, z, tk_err));
    ck_assert_int_lt(done, 600);

    tk_ok(ph_record_open(path, &record, tk_err));
    ck_assert_double_eq(strtod(ph_record_meta(record, "accuracy"), NULL), 1e-7);
    ck_assert_double_eq(strtod(ph_record_meta(record, "estimated_error"), NULL), 2e-8);
    ck_assert_double_eq(strtod(ph_record_meta(record, "estimated_energy_error"), NULL), 4e-9);
    ck_assert_str_eq(ph_record_meta(record, "accuracy_of"), "trajectory");
    ck_assert_str_eq(ph_record_meta(record, "scenario"), HEAD "accuracy: 1e-7\nduration: 2\n");
    tk_ok(ph_session_recall(record, path, &s, tk_err));
    ck_assert(ph_scenario_is_settled(s) && ph_scenario_step_size(s) == 1.0 / 300);
    ck_assert_str_eq(ph_scenario_method(s)->name, "variational");
    ph_scenario_free(s);
    ph_record_close(record);
    ck_assert_int_eq(ph_session_recall(NULL, "", &s, tk_err) != PH_OK, 1);

    tk_ok(ph_session_resume(path, NULL, &session, tk_err));
    tk_ok(ph_session_run(session, tk_err));
    ck_assert_int_eq(ph_session_state(session)->k, 600);
    ck_assert_mem_eq(ph_session_state(session)->z, whole, sizeof whole);
    ph_session_result(session, &result);
    ck_assert(result.accuracy == 1e-7 && result.estimate == 2e-8);
    tk_ok(ph_session_close(session, NULL));
    remove(path);
    remove(io_path("whole.polhode"));
}

/* ---- Edits ------------------------------------------------------------------------------------------- */

TEST(edits)
{
    static const struct {
        const char *text, *key, *value, *expected;
    } cases[] = {
        {"a: 1 # one\nb: 2\n", "a", "3", "a: 3 # one\nb: 2\n"},
        {"a: 1\nb: 2", "c", "3", "a: 1\nb: 2\nc: 3\n"},
        {"a: 1\nb: 2 # two\n# end\n", "c", "[1, 2]", "a: 1\nb: 2 # two\nc: [1, 2]\n# end\n"},
        {"a: {x: 1, y: 2}\n", "a.y", "5", "a: {x: 1, y: 5}\n"},
        {"a: {x: 1}\n", "a.y", "5", "a: {x: 1, y: 5}\n"},
        {"a: {}\n", "a.y", "5", "a: {y: 5}\n"},
        {"a:\n  x: 1\n  # note\n  y:\n    - 2\n    - 3\nb: 0\n", "a.y", "[4]",
         "a:\n  x: 1\n  # note\n  y: [4]\nb: 0\n"},
        {"a:\n  x: 1\nb: 0\n", "a.y", "2", "a:\n  x: 1\n  y: 2\nb: 0\n"},
        {"a: 1\n", "b.c.d", "2", "a: 1\nb: {c: {d: 2}}\n"},
        {"method: variational # m\n", "method.order", "6", "method: {name: variational, order: 6} # m\n"},
        {"accuracy: 1e-6 # a\n", "accuracy.of", "energy", "accuracy: {value: 1e-6, of: energy} # a\n"},
        {"accuracy: 1e-6 # a\n", "accuracy.value", "1e-7", "accuracy: 1e-7 # a\n"},
        {"a: \xc3\xa9\xc3\xa9\nb: 1\n", "b", "2",
         "a: \xc3\xa9\xc3\xa9\nb: 2\n"}, /* characters of two bytes */
        {"\xef\xbb\xbf"
         "a: 1\n",
         "a", "2",
         "\xef\xbb\xbf"
         "a: 2\n"},
        {"a: 1\r\nb: 2\r\n", "a", "3", "a: 3\r\nb: 2\r\n"},
        {"{\"a\": 1, \"b\": 2}", "c", "3", "{\"a\": 1, \"b\": 2, c: 3}"},
        {"a:\nb: 1\n", "a", "3", "a: 3\nb: 1\n"},
        {"a: 1\nb: 2 # two\nc: 3\n", "b", NULL, "a: 1\nc: 3\n"},
        {"a: 1\n", "b", NULL, "a: 1\n"},
        {"{a: 1, b: 2, c: 3}", "b", NULL, "{a: 1, c: 3}"},
        {"{a: 1, b: 2}", "b", NULL, "{a: 1}"},
        {"a: {x: 1}\n", "a.x", NULL, "a: {}\n"},
        {"a: {x: 1}\n", "a.y", NULL, "a: {x: 1}\n"}, /* what is not there is not removed */
        {"method: rk4\nb: 2\n", "method.form", NULL, "method: rk4\nb: 2\n"}, /* nor of what is a word */
        {"method: rk4\nb: 2\n", "method.name", NULL, "b: 2\n"},
        {"method: rk4\nb: 2\n", "method.name.x", NULL, "method: rk4\nb: 2\n"},
        {"accuracy: 1e-6\nb: 2\n", "accuracy.of", NULL, "accuracy: 1e-6\nb: 2\n"},
        {"a:\n  x: 1\nb: 2\n", "a.y.z", NULL, "a:\n  x: 1\nb: 2\n"},
        {"q: [[1, 2], [3, 4]]  # two\n", "q[1][0]", "7", "q: [[1, 2], [7, 4]]  # two\n"},
        {"q:\n  - [1, 2]\n  - 3  # three\nb: 1\n", "q[1]", "[4]", "q:\n  - [1, 2]\n  - [4]  # three\nb: 1\n"},
        {"q:\n  - - 1\n    - 2\n  - x: 5\n", "q[0]", "[4, 5]", "q:\n  - [4, 5]\n  - x: 5\n"},
        {"q:\n  - - 1\n    - 2\n  - x: 5\n", "q[1].x", "6", "q:\n  - - 1\n    - 2\n  - x: 6\n"},
        {"q:\n  - x: 5\n", "q[0].y.z", "6", "q:\n  - x: 5\n    y: {z: 6}\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TK_MEMORY char *edited = NULL;
        ph_status status = ph_scenario_edit(cases[i].text, strlen(cases[i].text), cases[i].key,
                                            cases[i].value, &edited, tk_err);
        ck_assert_msg(!status, "%zu: %s", i, tk_err->message);
        ck_assert_msg(!strcmp(edited, cases[i].expected), "%zu: %s", i, edited);
    }
}

TEST(bad_edits)
{
    static const struct {
        const char *key, *value, *words;
    } cases[] = {{"", "1", "is not a key"},
                 {"a.", "1", "is not a key"},
                 {".a", "1", "is not a key"},
                 {"a b", "1", "is not a key"},
                 {"a.b", "1", "is not a map"},
                 {"[0]", "1", "is not a key"},
                 {"a[", "1", "is not a key"},
                 {"a[x]", "1", "is not a key"},
                 {"a[0]b", "1", "is not a key"},
                 {"a[0]", "1", "\"a\" is not a list there: it has no \"0\""},
                 {"b[0]", "1", "\"b\" has no list there"},
                 {"c[2]", "1", "\"[2]\" is not an entry of the list there"},
                 {"c[1]", NULL, "cannot be taken out"},
                 {"a", "", "is empty"},
                 {"a", "  ", "is empty"},
                 {"a", "1\n2", "on several lines"},
                 {"a", "[1", "is not one value"},
                 {"a", "1} # x", "is not one value"},
                 {"a", "1, c: 2", "is not one value"}};
    const char *text = "a: 1\nc: [1, 2]\n";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *edited = NULL;
        ck_assert_msg(ph_scenario_edit(text, strlen(text), cases[i].key, cases[i].value, &edited, tk_err),
                      "%zu", i);
        ck_assert_msg(strstr(tk_err->message, cases[i].words) != NULL, "%zu: %s", i, tk_err->message);
        ck_assert_ptr_null(edited);
    }
}

/* An accuracy as a map, and what is wrong with one. */
TEST(accuracy_is_a_map)
{
    static const struct {
        const char *text, *message; /* NULL: it is right */
    } cases[] = {
        {"{value: 1e-5}", NULL},
        {"{value: 1e-5, of: trajectory, budget: 2.5}", NULL},
        {"{value: 1e-5, of: energy}", NULL},
        {"{of: energy}", "accuracy: has no value"},
        {"{value: 1e-5, of: momentum}", "accuracy.of: is \"momentum\"; trajectory or energy is expected"},
        {"{value: 1e-15}", "accuracy.value: is 1e-15; from 1e-14"},
        {"{value: 1e-5, budget: 0}", "accuracy.budget: is 0 s; a time > 0"},
        {"{value: 1e-5, cpu: 1}", "unknown key \"cpu\""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        TK_OWN(ph_scenario) *s = NULL;
        snprintf(text, sizeof text, HEAD "accuracy: %s\nduration: 2\n", cases[i].text);
        const ph_status status = ph_scenario_parse(text, strlen(text), "text", &s, tk_err);
        ck_assert_msg(!status == !cases[i].message, "%s: %s", cases[i].text, tk_err->message);
        ck_assert_msg(!status || strstr(tk_err->message, cases[i].message), "%s", tk_err->message);
        if (status)
            continue;
        ck_assert_double_eq(ph_scenario_accuracy(s), 1e-5);
        ck_assert_int_eq(ph_scenario_accuracy_of(s), i == 2 ? PH_ACCURACY_ENERGY : PH_ACCURACY_TRAJECTORY);
        ck_assert_double_eq(ph_scenario_budget(s), i == 1 ? 2.5 : 0);
    }
}

/* The energy of a system that does not conserve it cannot be asked for. */
TEST(energy_has_to_be_conserved)
{
    static const char text[] = "polhode: 1\nmodel: chain-pendulum\nparameters: {damping: 0.1}\n"
                               "accuracy: {value: 1e-5, of: energy}\nduration: 2\n";
    ph_scenario *s = NULL;
    tk_refused(ph_scenario_parse(text, strlen(text), "text", &s, tk_err), PH_E_UNSUPPORTED,
               "accuracy.of: is energy, which this system does not conserve");
}

int main(void)
{
    return tk_run_in("settle", io_make_folder, io_remove_folder);
}
