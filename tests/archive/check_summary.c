/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.json: that it is always valid JSON, its fields, how it reports failures, that it does not depend on
 * the locale, and that a scenario can continue from it. */
#include "tests/kit/iokit.h"
#include "tests/kit/points.h"

/* ---- A judge of JSON ------------------------------------------------------------------------------- */

static const char *json_value(const char *s);

static const char *skip(const char *s)
{
    return s ? s + strspn(s, " \t\r\n") : NULL;
}

static const char *json_string(const char *s)
{
    if (*s++ != '"')
        return NULL;
    for (; *s != '"'; s++) {
        if ((unsigned char)*s < 0x20)
            return NULL;
        if (*s != '\\')
            continue;
        if (*++s != 'u' && (!*s || !strchr("\"\\/bfnrt", *s)))
            return NULL;
        if (*s == 'u' && strspn(s + 1, "0123456789abcdefABCDEF") < 4)
            return NULL;
        s += *s == 'u' ? 4 : 0;
    }
    return s + 1;
}

static const char *json_number(const char *s)
{
    s += *s == '-';
    size_t n = strspn(s, "0123456789");
    if (!n || (n > 1 && *s == '0'))
        return NULL;
    s += n;
    if (*s == '.') {
        if (!(n = strspn(++s, "0123456789")))
            return NULL;
        s += n;
    }
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '+' || *s == '-';
        if (!(n = strspn(s, "0123456789")))
            return NULL;
        s += n;
    }
    return s;
}

static const char *json_members(const char *s, char close)
{
    s = skip(s + 1);
    if (*s == close)
        return s + 1;
    for (;;) {
        if (close == '}') {
            s = skip(json_string(s));
            if (!s || *s++ != ':')
                return NULL;
            s = skip(s);
        }
        s = skip(json_value(s));
        if (!s || (*s != ',' && *s != close))
            return NULL;
        if (*s++ == close)
            return s;
        s = skip(s);
    }
}

static const char *json_value(const char *s)
{
    static const char *const words[] = {"null", "true", "false"};
    for (int i = 0; i < 3; i++)
        if (!strncmp(s, words[i], strlen(words[i])))
            return s + strlen(words[i]);
    return *s == '{'   ? json_members(s, '}')
           : *s == '[' ? json_members(s, ']')
           : *s == '"' ? json_string(s)
                       : json_number(s);
}

static void check_json(const char *text)
{
    const char *e = skip(json_value(skip(text)));
    ck_assert_msg(e && !*e, "not JSON: %s", text);
}

TEST(judge)
{
    static const char *const bad[] = {"{\"a\": nan}", "{\"a\": 1,}", "[1 2]",  "\"a",
                                      "{\"a\": 01}",  "[1.]",        "\"\\x\""};
    check_json("{\"a\": [1, -2.5e-3, null, \"\\u00e4\\n\"], \"b\": {}}");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *e = skip(json_value(bad[i]));
        ck_assert_msg(!e || *e, "%s", bad[i]);
    }
}

/* ---- summary.json ---------------------------------------------------------------------------------- */

static char *write_summary(const io_run *r)
{
    tk_ok(ph_summary_write(io_path("summary.json"), &r->result, tk_err));
    ck_assert(!io_there("summary.json.part"));
    char *text = io_get("summary.json");
    check_json(text);
    return text;
}

static void has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part), "%s is not in %s", part, text);
}

TEST(summary_fields)
{
    static const char *const fields[] = {"polhode",
                                         "version",
                                         "model",
                                         "method",
                                         "order",
                                         "options",
                                         "conservative",
                                         "step",
                                         "steps",
                                         "time",
                                         "status",
                                         "reason",
                                         "diverged_at",
                                         "cpu_seconds",
                                         "ns_per_step",
                                         "newton_iterations_mean",
                                         "energy_initial",
                                         "energy_scale",
                                         "momentum_scale",
                                         "energy_error_max",
                                         "energy_error_max_first_tenth",
                                         "energy_error_max_last_tenth",
                                         "energy_error_final",
                                         "energy_error_tenths",
                                         "constraint_error_max",
                                         "tangency_error_max",
                                         "momentum_error_max",
                                         "momentum_maps",
                                         "final_state",
                                         "t",
                                         "z",
                                         "p"};
    IO_RUN(r, "double-spherical-pendulum", "variational", NULL, 0);
    io_walk(&r, NULL);
    char *text = write_summary(&r), quoted[64];
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        snprintf(quoted, sizeof quoted, "\"%s\": ", fields[i]);
        has(text, quoted);
    }
    has(text, "\"polhode\": 1,");
    has(text, "\"model\": \"double-spherical-pendulum\",");
    has(text, "\"method\": \"variational\",");
    has(text, "\"order\": 2,");
    has(text, "\"conservative\": true,");
    has(text, "\"step\": 0.01,");
    has(text, "\"steps\": 25,");
    has(text, "\"time\": 0.75,");
    has(text, "\"status\": \"ok\",");
    has(text, "\"diverged_at\": null,");
    has(text, "\"ns_per_step\": 200");
    ck_assert_ptr_null(strstr(text, "\"message\""));
    const ph_statistics *passes = ph_integrator_statistics(r.integrator);
    const char *mean = strstr(text, "\"newton_iterations_mean\": ");
    ck_assert_int_gt(passes->newton_passes, passes->steps);
    ck_assert_double_eq_tol(strtod(strchr(mean, ':') + 1, NULL),
                            (double)passes->newton_passes / (double)passes->steps, 1e-15);
    free(text);
}

TEST(summary_explicit)
{
    static const ph_setting form = {"form", "q-omega"};
    IO_RUN(r, "spherical-pendulum", "rk4", &form, 1);
    io_walk(&r, NULL);
    TK_MEMORY char *text = write_summary(&r);
    has(text, "\"order\": 4,");
    has(text, "\"options\": {\n    \"form\": \"q-omega\"\n  },");
    has(text, "\"newton_iterations_mean\": null,");
}

/* Of the velocity constraints only where there are some; null where it is not known. */
TEST(summary_velocity_constraints)
{
    io_run r;
    io_begin(&r, "rolling-disk", "dla", NULL, 0);
    r.state->p[0] += 0.1; /* off them */
    tk_ok(ph_monitor_see(r.monitor, r.state, NULL));
    r.state->p[0] -= 0.1;
    io_walk(&r, NULL);
    ck_assert_double_gt(r.summary.velocity_constraint_error_max, 1e-4);
    char *text = write_summary(&r);
    const char *number = strstr(text, "\"velocity_constraint_error_max\": ");
    ck_assert_ptr_nonnull(number);
    ck_assert_double_eq(strtod(strchr(number, ':') + 1, NULL), r.summary.velocity_constraint_error_max);
    free(text);
    r.summary.velocity_constraint_error_max = NAN;
    text = write_summary(&r);
    has(text, "\"velocity_constraint_error_max\": null,");
    free(text);
    io_end(&r);
    io_begin(&r, "spherical-pendulum", "rk4", NULL, 0);
    io_walk(&r, NULL);
    text = write_summary(&r);
    ck_assert_ptr_null(strstr(text, "velocity_constraint"));
    free(text);
    io_end(&r);
}

/* How often each event was found, if any were looked for; written before the state, which may be long. */
TEST(summary_events)
{
    const ph_event events[] = {{.name = "early", .column = "t", .level = 0.605},
                               {.name = "never", .column = "t", .level = 100},
                               {.name = "late \"x\"", .column = "t", .level = 0.705}};
    IO_RUN(r, "spherical-pendulum", "rk4", NULL, 0);
    TK_MAKE(ph_events, looking, ph_events_create(r.integrator, events, 3, NULL, &looking, NULL));
    tk_ok(ph_events_begin(looking, r.state, NULL));
    for (int k = 0; k < 15; k++) { /* from t = 0.5 s */
        tk_ok(ph_integrator_step(r.integrator, r.state, 1));
        tk_ok(ph_events_look(looking, r.state, NULL));
    }
    char *text = write_summary(&r);
    ck_assert_ptr_null(strstr(text, "\"events\""));
    free(text);
    r.result.events = looking;
    text = write_summary(&r);
    has(text, "\"events\": {\n    \"early\": 1,\n    \"never\": 0,\n    \"late \\\"x\\\"\": 0\n  },");
    free(text);
}

TEST(summary_failures)
{
    static const struct {
        ph_status status;
        const char *message, *word, *text, *diverged;
    } rows[] = {
        {PH_E_DIVERGED, "q1 is \"NaN\"\n\\ \x01 \xff \xc3\xa4 \xed\xa0\x80", "diverged",
         "\"message\": \"q1 is \\\"NaN\\\"\\u000a\\\\ \\u0001 \\ufffd \xc3\xa4 \\ufffd\\ufffd\\ufffd\",",
         "\"diverged_at\": 0.75,"},
        {PH_E_INTERRUPTED, NULL, "interrupted", "\"message\": \"interrupted\",", "\"diverged_at\": null,"},
        {PH_E_STOPPED, "h", "stopped", "\"message\": \"h\",", "\"diverged_at\": null,"},
        {PH_E_NO_SOLUTION, "h", "no-solution", "\"message\": \"h\",", "\"diverged_at\": null,"},
        {PH_E_NO_CONVERGENCE, "h", "no-convergence", "\"message\": \"h\",", "\"diverged_at\": null,"},
        {PH_E_CALLBACK, "\xc2\x9bx\xe2\x80\xa8\xef\xbb\xbf", "callback",
         "\"message\": \"\\u009bx\\u2028\\ufeff\",", "\"diverged_at\": null,"},
        /* what is no UTF-8: overlong forms, and code points there are not */
        {PH_E_IO, "\xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf", "io",
         "\"message\": \"\\ufffd\\ufffd \\ufffd\\ufffd\\ufffd \\ufffd\\ufffd\\ufffd\\ufffd\",",
         "\"diverged_at\": null,"},
        {PH_E_IO, "\xf4\x8f\xbf\xbd \xf4\x90\x80\x80", "io",
         "\"message\": \"\xf4\x8f\xbf\xbd \\ufffd\\ufffd\\ufffd\\ufffd\",", "\"diverged_at\": null,"},
        {PH_STATUS_COUNT, "h", "failed", "\"message\": \"h\",", "\"diverged_at\": null,"},
    };
    char word[64];
    IO_RUN(r, "spherical-pendulum", "variational", NULL, 0);
    io_walk(&r, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        r.result.ending = (ph_ending){.status = rows[i].status, .message = rows[i].message};
        char *text = write_summary(&r);
        snprintf(word, sizeof word, "\"status\": \"%s\",", rows[i].word);
        has(text, word);
        has(text, rows[i].text);
        has(text, rows[i].diverged);
        free(text);
    }
    /* the reason, in one word: that of the status, if there is no other */
    static const struct {
        ph_ending ending;
        const char *text;
    } reasons[] = {
        {{PH_OK, NULL, NULL, NULL}, "\"status\": \"ok\",\n  \"reason\": \"duration\",\n  \"diverged_at\""},
        {{PH_E_DIVERGED, NULL, NULL, "h"}, "\"reason\": \"diverged\",\n  \"message\""},
        {{PH_E_STOPPED, "event", "a\"b", "h"},
         "\"reason\": \"event\",\n  \"ended_by\": \"a\\\"b\",\n  \"message\": \"h\""},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        r.result.ending = reasons[i].ending;
        char *text = write_summary(&r);
        has(text, reasons[i].text);
        free(text);
    }
    for (int status = 1; status < PH_STATUS_COUNT; status++) { /* every status has its own word */
        r.result.ending.status = (ph_status)status;
        TK_MEMORY char *text = write_summary(&r);
        ck_assert_ptr_null(strstr(text, "\"status\": \"failed\""));
    }
}

/* A stream gets the same text as the file, and in addition the names of files. */
TEST(summary_on_a_stream)
{
    static const char *const files[] = {"a \"b\"", "c"};
    IO_RUN(r, "double-spherical-pendulum", "variational", NULL, 0);
    io_walk(&r, NULL);
    TK_MEMORY char *alone = write_summary(&r);
    for (size_t n = 0; n <= 3; n++) { /* 3: no list */
        FILE *stream = fopen(io_path("a"), "w");
        tk_ok(ph_summary_print(stream, &r.result, n < 3 ? files : NULL, n, tk_err));
        fclose(stream);
        TK_MEMORY char *text = io_get("a");
        check_json(text);
        if (n == 3) {
            ck_assert_str_eq(text, alone);
        } else {
            has(text, n == 0   ? "},\n  \"files\": []\n}\n"
                      : n == 1 ? "},\n  \"files\": [\"a \\\"b\\\"\"]\n}\n"
                               : "},\n  \"files\": [\"a \\\"b\\\"\", \"c\"]\n}\n");
            ck_assert(!strncmp(text, alone, strlen(alone) - 3));
        }
    }
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        tk_refused(ph_summary_print(full, &r.result, files, 2, tk_err), PH_E_IO, "cannot be written");
        fclose(full);
    }
}

/* Nothing was done, nothing was seen: null, not NaN. */
TEST(summary_nothing)
{
    IO_RUN(r, "spherical-pendulum", "variational", NULL, 0);
    ph_monitor_summary(r.monitor, &r.summary);
    r.summary.energy_error_max = INFINITY;
    r.summary.energy_initial = NAN;
    r.report.steps = 0;
    TK_MEMORY char *text = write_summary(&r);
    has(text, "\"ns_per_step\": null,");
    has(text, "\"newton_iterations_mean\": null,");
    has(text, "\"energy_initial\": null,");
    has(text, "\"energy_error_max\": null,");
}

/* A scenario continues from a summary, with the same bits (to the rounding of the projection). */
TEST(summary_restart)
{
    IO_RUN(r, "double-spherical-pendulum", "variational", NULL, 0);
    io_walk(&r, NULL);
    r.result.ending =
        (ph_ending){.status = PH_E_CALLBACK, .message = "\xc2\x9b \xef\xbf\xbf \x7f \xf0\x9f\x98\x80"};
    free(write_summary(&r));
    TK_OWN(ph_scenario) *s = NULL;
    io_put("s.yaml",
           "polhode: 1\nmodel: double-spherical-pendulum\nmethod: variational\nstep: 0.01\nsteps: 1\n"
           "initial: {from: summary.json}\n");
    tk_ok(ph_scenario_load(io_path("s.yaml"), &s, tk_err));
    ck_assert(ph_scenario_time(s) == r.state->t);
    for (size_t i = 0; i < 6; i++) {
        ck_assert_double_eq_tol(ph_scenario_configuration(s)[i], r.state->z[i], 3e-16);
        ck_assert_double_eq_tol(ph_scenario_momentum(s)[i], r.state->p[i], 1e-13);
    }
    ck_assert(!ph_state_set(r.integrator, r.state, ph_scenario_time(s), ph_scenario_configuration(s),
                            ph_scenario_momentum(s), PH_STRICT, tk_err));
}

/* Whatever the decimal point is at home. */
TEST_EACH(other_decimal_points, points())
{
    io_run r;
    point_set(_i);
    io_begin(&r, "spherical-pendulum", "rk4", NULL, 0);
    io_walk(&r, NULL);
    TK_MEMORY char *text = write_summary(&r);
    has(text, "\"step\": 0.01,");
    io_end(&r);
    point_reset();
}

int main(void)
{
    return tk_run_in("summary", io_make_folder, io_remove_folder);
}
