/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives: the columns of trajectory.csv, the fields of summary.json, that the latter is JSON, and
 * what happens to files when the disk is full, the directory unwritable or the run given up. */
#include <polhode/archive.h>
#include <polhode/polhode.h>
#include <polhode/scenario.h>

#include <check.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- A folder for each test ----------------------------------------------------------------------- */

static char folder[64], path[128];

static void make_folder(void)
{
    strcpy(folder, "/tmp/check_archive.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void remove_folder(void)
{
    static const char *const files[] = {"a",        "a.part",        "trajectory.csv", "trajectory.csv.part", "summary.json",
                                        "summary.json.part", "s.yaml", "x/y/z",     "x/y",  "x"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        remove(in_folder(files[i]));
    rmdir(folder);
}

static void put_file(const char *name, const char *text)
{
    FILE *f = fopen(in_folder(name), "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_ge(fputs(text, f), 0);
    ck_assert_int_eq(fclose(f), 0);
}

/* The whole file (free it), or NULL if there is none. */
static char *get_file(const char *name)
{
    FILE *f = fopen(in_folder(name), "r");
    if (!f)
        return NULL;
    char *text = calloc(1, 1 << 20);
    ck_assert_uint_lt(fread(text, 1, (1 << 20) - 1, f), (1 << 20) - 1);
    fclose(f);
    return text;
}

static bool there(const char *name)
{
    struct stat s;
    return !lstat(in_folder(name), &s);
}

static void check_content(const char *name, const char *expected)
{
    char *text = get_file(name);
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, expected);
    free(text);
}

/* ---- A run to tell of ------------------------------------------------------------------------------ */

typedef struct run {
    ph_system *system;
    ph_integrator *integrator;
    ph_state *state;
    ph_diagnostics *diagnostics;
    ph_monitor *monitor;
    ph_run_report report;
    ph_summary summary;
    ph_result result;
} run;

static void begin(run *r, const char *model_name, const char *method_name, const ph_setting *settings, size_t n)
{
    ph_error err;
    double z[30], zdot[30];
    const ph_model *model = ph_model_find(model_name, &err);
    ck_assert_ptr_nonnull(model);
    const ph_method *method = ph_method_find(method_name, &err);
    ck_assert_ptr_nonnull(method);
    ck_assert_msg(!ph_model_build(model, NULL, 0, &r->system, &err), "%s", err.message);
    ck_assert(!ph_model_preset(model, NULL, 0, NULL, z, zdot, &err));
    ck_assert_msg(!ph_integrator_create(r->system, method, 0.01, settings, n, &r->integrator, &err), "%s", err.message);
    ck_assert(!ph_state_create(r->integrator, &r->state, &err));
    ck_assert(!ph_state_set_velocity(r->integrator, r->state, 0.5, z, zdot, PH_STRICT, &err));
    ck_assert(!ph_diagnostics_create(r->system, &r->diagnostics, &err));
    ck_assert(!ph_monitor_create(r->diagnostics, 0.5, 0.75, &r->monitor, &err));
    r->report = (ph_run_report){.steps = 25, .cpu_seconds = 5e-6, .time_at_end = 0.75};
    r->result = (ph_result){.model = model->name, .integrator = r->integrator, .state = r->state, .report = &r->report,
                            .summary = &r->summary, .status = PH_OK};
}

static void end(run *r)
{
    ph_monitor_free(r->monitor);
    ph_diagnostics_free(r->diagnostics);
    ph_state_free(r->state);
    ph_integrator_free(r->integrator);
    ph_system_free(r->system);
}

/* 25 steps, a row for every fifth. */
static void walk(run *r, ph_csv *csv)
{
    ph_measures m;
    ph_error err;
    for (int i = 0; i <= 5; i++) {
        if (i)
            ck_assert(!ph_integrator_step(r->integrator, r->state, 5));
        ck_assert(!ph_monitor_see(r->monitor, r->state, &m));
        if (csv)
            ck_assert_msg(!ph_csv_row(csv, r->state, &m, 3 * i, &err), "%s", err.message);
    }
    ph_monitor_summary(r->monitor, &r->summary);
}

/* ---- trajectory.csv ------------------------------------------------------------------------------- */

START_TEST(csv_columns)
{
    run r;
    ph_csv *csv;
    ph_error err;
    begin(&r, "double-spherical-pendulum", "variational", NULL, 0);
    ck_assert_msg(!ph_csv_create(in_folder("trajectory.csv"), r.system, &csv, &err), "%s", err.message);
    ck_assert(!there("trajectory.csv"));
    ck_assert(there("trajectory.csv.part"));
    walk(&r, csv);
    ck_assert_msg(!ph_csv_close(csv, &err), "%s", err.message);
    ck_assert(!there("trajectory.csv.part"));
    char *text = get_file("trajectory.csv"), *rest = NULL, *line = strtok_r(text, "\n", &rest);
    static const char header[] =
        "t[s],step,q1x[1],q1y[1],q1z[1],q2x[1],q2y[1],q2z[1],pi1x[kg m^2/s],pi1y[kg m^2/s],pi1z[kg m^2/s],"
        "pi2x[kg m^2/s],pi2y[kg m^2/s],pi2z[kg m^2/s],energy[J],energy_error[J],constraint_error[1],"
        "tangency[kg m^2/s],";
    ck_assert_msg(!strncmp(line, header, sizeof header - 1), "%s", line);
    size_t columns = 1, symmetries = ph_system_symmetries(r.system), rows = 0;
    for (const char *s = line; *s; s++)
        columns += *s == ',';
    ck_assert_uint_eq(columns, 2 + 12 + 4 + symmetries + 1);
    ck_assert_str_eq(strrchr(line, ','), ",newton_passes");
    for (line = strtok_r(NULL, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), rows++) {
        double t = 0, value = 0;
        long step = 0;
        ck_assert_int_eq(sscanf(line, "%lf,%ld,%lf", &t, &step, &value), 3);
        ck_assert_int_eq(step, 5 * (long)rows);
        ck_assert_double_eq_tol(t, 0.5 + 0.05 * (double)rows, 1e-12);
        ck_assert_int_eq(atoi(strrchr(line, ',') + 1), 3 * (int)rows);
        size_t there_are = 1;
        for (const char *s = line; *s; s++)
            there_are += *s == ',';
        ck_assert_uint_eq(there_are, columns);
    }
    ck_assert_uint_eq(rows, 6);
    free(text);
    end(&r);
}
END_TEST

/* The last row has the very bits of the state. */
START_TEST(csv_digits)
{
    run r;
    ph_csv *csv;
    ph_error err;
    begin(&r, "spherical-pendulum", "rk4", NULL, 0);
    ck_assert(!ph_csv_create(in_folder("a"), r.system, &csv, &err));
    walk(&r, csv);
    ck_assert(!ph_csv_close(csv, &err));
    char *text = get_file("a");
    text[strlen(text) - 1] = '\0';
    char *s = strrchr(text, '\n') + 1;
    ck_assert(strtod(s, &s) == r.state->t);
    strtod(s + 1, &s);
    for (size_t i = 0; i < 3; i++)
        ck_assert(strtod(s + 1, &s) == r.state->z[i]);
    for (size_t i = 0; i < 3; i++)
        ck_assert(strtod(s + 1, &s) == r.state->p[i]);
    free(text);
    end(&r);
}
END_TEST

static ph_status no_generator(void *user, const double *z, double *xi)
{
    (void)user;
    (void)z;
    memset(xi, 0, 3 * sizeof *xi);
    return PH_OK;
}

/* A user's symmetry may have any name; numbers may be anything. */
START_TEST(csv_odd)
{
    static const double inertia[1] = {1};
    static const ph_factor sphere = {PH_FACTOR_S2, 0};
    static const ph_symmetry odd = {.name = "a,\"b\"", .text = "odd", .unit = "kg", .generator = no_generator};
    ph_space *space;
    ph_system *system;
    ph_csv *csv;
    ph_error err;
    double z[3] = {1, 0, 0}, p[3] = {NAN, INFINITY, -INFINITY}, J = 0.1;
    ck_assert(!ph_space_create(&sphere, 1, &space, &err));
    ph_system_definition d = {.space = space, .inertia = inertia, .symmetries = &odd, .n_symmetries = 1};
    ck_assert_msg(!ph_system_create(&d, &system, &err), "%s", err.message);
    ck_assert(!ph_csv_create(in_folder("a"), system, &csv, &err));
    ph_state state = {.t = 0.1, .k = 7, .z = z, .p = p, .nz = 3, .np = 3};
    ph_measures m = {.energy = 1e300, .momenta = &J};
    ck_assert(!ph_csv_row(csv, &state, &m, 0, &err));
    state.nz = 6;
    ck_assert_int_eq(ph_csv_row(csv, &state, &m, 0, &err), PH_E_SIZE);
    ck_assert(!ph_csv_close(csv, &err));
    char *text = get_file("a");
    ck_assert_ptr_nonnull(strstr(text, ",tangency[kg m^2/s],\"a,\"\"b\"\"[kg]\",newton_passes\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n0.10000000000000001,7,1,0,0,nan,inf,-inf,1.0000000000000001e+300,0,0,0,"
                                       "0.10000000000000001,0\n"));
    free(text);
    ph_system_free(system);
    ph_space_free(space);
}
END_TEST

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
    return *s == '{' ? json_members(s, '}') : *s == '[' ? json_members(s, ']') : *s == '"' ? json_string(s) : json_number(s);
}

static void check_json(const char *text)
{
    const char *e = skip(json_value(skip(text)));
    ck_assert_msg(e && !*e, "not JSON: %s", text);
}

START_TEST(judge)
{
    static const char *const bad[] = {"{\"a\": nan}", "{\"a\": 1,}", "[1 2]", "\"a", "{\"a\": 01}", "[1.]", "\"\\x\""};
    check_json("{\"a\": [1, -2.5e-3, null, \"\\u00e4\\n\"], \"b\": {}}");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *e = skip(json_value(bad[i]));
        ck_assert_msg(!e || *e, "%s", bad[i]);
    }
}
END_TEST

/* ---- summary.json ---------------------------------------------------------------------------------- */

static char *write_summary(const run *r)
{
    ph_error err;
    ck_assert_msg(!ph_summary_write(in_folder("summary.json"), &r->result, &err), "%s", err.message);
    ck_assert(!there("summary.json.part"));
    char *text = get_file("summary.json");
    check_json(text);
    return text;
}

static void has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part), "%s is not in %s", part, text);
}

START_TEST(summary_fields)
{
    static const char *const fields[] = {
        "polhode", "version", "model", "method", "order", "options", "conservative", "step", "steps", "time", "status",
        "diverged_at", "cpu_seconds", "ns_per_step", "newton_iterations_mean", "energy_initial", "energy_scale",
        "momentum_scale", "energy_error_max", "energy_error_max_first_tenth", "energy_error_max_last_tenth",
        "energy_error_final", "energy_error_tenths", "constraint_error_max", "tangency_error_max",
        "momentum_error_max", "momentum_maps", "final_state", "t", "z", "p"};
    run r;
    begin(&r, "double-spherical-pendulum", "variational", NULL, 0);
    walk(&r, NULL);
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
    ck_assert_ptr_null(strstr(text, "\"newton_iterations_mean\": null"));
    free(text);
    end(&r);
}
END_TEST

START_TEST(summary_explicit)
{
    static const ph_setting form = {"form", "q-omega"};
    run r;
    begin(&r, "spherical-pendulum", "rk4", &form, 1);
    walk(&r, NULL);
    char *text = write_summary(&r);
    has(text, "\"order\": 4,");
    has(text, "\"options\": {\n    \"form\": \"q-omega\"\n  },");
    has(text, "\"newton_iterations_mean\": null,");
    free(text);
    end(&r);
}
END_TEST

START_TEST(summary_failures)
{
    static const struct {
        ph_status status;
        const char *message, *word, *text, *diverged;
    } rows[] = {
        {PH_E_DIVERGED, "q1 is \"NaN\"\n\\ \x01 \xff \xc3\xa4 \xed\xa0\x80", "diverged",
         "\"message\": \"q1 is \\\"NaN\\\"\\u000a\\\\ \\u0001 \\ufffd \xc3\xa4 \\ufffd\\ufffd\\ufffd\",",
         "\"diverged_at\": 0.75,"},
        {PH_E_INTERRUPTED, NULL, "interrupted", "\"message\": \"interrupted\",", "\"diverged_at\": null,"},
        {PH_E_NO_SOLUTION, "h", "no-solution", "\"message\": \"h\",", "\"diverged_at\": null,"},
        {PH_E_NO_CONVERGENCE, "h", "no-convergence", "\"message\": \"h\",", "\"diverged_at\": null,"},
        {PH_E_CALLBACK, "\xc2\x9bx\xe2\x80\xa8\xef\xbb\xbf", "callback",
         "\"message\": \"\\u009bx\\u2028\\ufeff\",", "\"diverged_at\": null,"},
        {PH_STATUS_COUNT, "h", "failed", "\"message\": \"h\",", "\"diverged_at\": null,"},
    };
    char word[64];
    run r;
    begin(&r, "spherical-pendulum", "variational", NULL, 0);
    walk(&r, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        r.result.status = rows[i].status;
        r.result.message = rows[i].message;
        char *text = write_summary(&r);
        snprintf(word, sizeof word, "\"status\": \"%s\",", rows[i].word);
        has(text, word);
        has(text, rows[i].text);
        has(text, rows[i].diverged);
        free(text);
    }
    for (int status = 1; status < PH_STATUS_COUNT; status++) { /* every status has a word of its own */
        r.result.status = (ph_status)status;
        char *text = write_summary(&r);
        ck_assert_ptr_null(strstr(text, "\"status\": \"failed\""));
        free(text);
    }
    end(&r);
}
END_TEST

/* Nothing was done, nothing was seen: null, not NaN. */
START_TEST(summary_nothing)
{
    run r;
    begin(&r, "spherical-pendulum", "variational", NULL, 0);
    ph_monitor_summary(r.monitor, &r.summary);
    r.summary.energy_error_max = INFINITY;
    r.summary.energy_initial = NAN;
    r.report.steps = 0;
    char *text = write_summary(&r);
    has(text, "\"ns_per_step\": null,");
    has(text, "\"newton_iterations_mean\": null,");
    has(text, "\"energy_initial\": null,");
    has(text, "\"energy_error_max\": null,");
    free(text);
    end(&r);
}
END_TEST

/* A scenario goes on from a summary, with the very bits (to the rounding of the projection). */
START_TEST(summary_restart)
{
    run r;
    ph_scenario *s = NULL;
    ph_error err;
    begin(&r, "double-spherical-pendulum", "variational", NULL, 0);
    walk(&r, NULL);
    r.result.status = PH_E_CALLBACK;
    r.result.message = "\xc2\x9b \xef\xbf\xbf \x7f \xf0\x9f\x98\x80";
    free(write_summary(&r));
    put_file("s.yaml", "polhode: 1\nmodel: double-spherical-pendulum\nmethod: variational\nstep: 0.01\nsteps: 1\n"
                       "initial: {from: summary.json}\n");
    ck_assert_msg(!ph_scenario_load(in_folder("s.yaml"), &s, &err), "%s", err.message);
    ck_assert(ph_scenario_time(s) == r.state->t);
    for (size_t i = 0; i < 6; i++) {
        ck_assert_double_eq_tol(ph_scenario_configuration(s)[i], r.state->z[i], 3e-16);
        ck_assert_double_eq_tol(ph_scenario_momentum(s)[i], r.state->p[i], 1e-13);
    }
    ck_assert(!ph_state_set(r.integrator, r.state, ph_scenario_time(s), ph_scenario_configuration(s),
                            ph_scenario_momentum(s), PH_STRICT, &err));
    ph_scenario_free(s);
    end(&r);
}
END_TEST

START_TEST(comma_locale)
{
    run r;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8") &&
        !setlocale(LC_NUMERIC, "ps_AF.UTF-8"))
        return; /* none installed */
    begin(&r, "spherical-pendulum", "rk4", NULL, 0);
    walk(&r, NULL);
    char *text = write_summary(&r);
    has(text, "\"step\": 0.01,");
    free(text);
    end(&r);
    setlocale(LC_NUMERIC, "C");
}
END_TEST

/* ---- When writing fails ---------------------------------------------------------------------------- */

START_TEST(disk_full)
{
    run r;
    ph_csv *csv;
    ph_error err;
    ph_status status = PH_OK;
    begin(&r, "spherical-pendulum", "rk4", NULL, 0);
    ph_measures m;
    ck_assert(!ph_diagnostics_measure(r.diagnostics, r.state, &m));
    put_file("a", "old");
    ck_assert_int_eq(symlink("/dev/full", in_folder("a.part")), 0);
    ck_assert(!ph_csv_create(in_folder("a"), r.system, &csv, &err));
    for (int i = 0; i < 10000 && !status; i++)
        status = ph_csv_row(csv, r.state, &m, 0, &err);
    ck_assert_int_eq(status, PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "No space left"));
    err.message[0] = '\0';
    ck_assert_int_eq(ph_csv_close(csv, &err), PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "No space left"));
    ck_assert(!there("a.part"));
    check_content("a", "old");
    ck_assert_int_eq(symlink("/dev/full", in_folder("a.part")), 0);
    walk(&r, NULL);
    ck_assert_int_eq(ph_summary_write(in_folder("a"), &r.result, &err), PH_E_IO);
    ck_assert(!there("a.part"));
    check_content("a", "old");
    end(&r);
}
END_TEST

/* The last bytes fail, when the file is completed. */
START_TEST(file_too_large)
{
    run r;
    ph_csv *csv;
    ph_error err;
    struct rlimit before, small;
    begin(&r, "spherical-pendulum", "rk4", NULL, 0);
    put_file("a", "old");
    ck_assert(!getrlimit(RLIMIT_FSIZE, &before));
    small = before;
    small.rlim_cur = 64;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert(!ph_csv_create(in_folder("a"), r.system, &csv, &err));
    ck_assert(!setrlimit(RLIMIT_FSIZE, &small));
    ph_status status = ph_csv_close(csv, &err);
    ck_assert(!setrlimit(RLIMIT_FSIZE, &before));
    ck_assert_int_eq(status, PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "File too large"));
    ck_assert(!there("a.part"));
    check_content("a", "old");
    end(&r);
}
END_TEST

/* Below a regular file, where root cannot write either; and where a directory has the final name. */
START_TEST(no_place)
{
    run r;
    ph_csv *csv;
    ph_error err;
    begin(&r, "spherical-pendulum", "rk4", NULL, 0);
    walk(&r, NULL);
    put_file("a", "old");
    ck_assert_int_eq(ph_csv_create(in_folder("a/b"), r.system, &csv, &err), PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "Not a directory"));
    ck_assert_int_eq(ph_summary_write(in_folder("missing/b"), &r.result, &err), PH_E_IO);
    ck_assert_int_eq(ph_summary_write("/proc/b", &r.result, NULL), PH_E_IO);
    ck_assert(!mkdir(in_folder("x"), 0777));
    ck_assert_int_eq(ph_summary_write(in_folder("x"), &r.result, &err), PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "final name"));
    ck_assert(!there("x.part"));
    end(&r);
}
END_TEST

START_TEST(abandon_and_replace)
{
    run r;
    ph_csv *csv, *other;
    ph_error err;
    begin(&r, "spherical-pendulum", "rk4", NULL, 0);
    put_file("a", "old");
    put_file("a.part", "a leftover that is longer than what is to be written? no, but it must go\n");
    ck_assert(!ph_csv_create(in_folder("a"), r.system, &csv, &err));
    ck_assert_int_eq(ph_csv_create(in_folder("a"), r.system, &other, &err), PH_E_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "another program"));
    ck_assert(there("a.part"));
    check_content("a", "old");
    ph_csv_abandon(csv);
    ck_assert(!there("a.part"));
    check_content("a", "old");
    ck_assert(!ph_csv_create(in_folder("a"), r.system, &csv, &err));
    ck_assert(!ph_csv_close(csv, &err));
    char *text = get_file("a");
    ck_assert(!strncmp(text, "t[s],step,", 10) && !strstr(text, "leftover") && !strstr(text, "old"));
    free(text);
    ph_csv_abandon(NULL);
    end(&r);
}
END_TEST

/* ---- The directory --------------------------------------------------------------------------------- */

START_TEST(prepare)
{
    ph_error err;
    char nested[100];
    snprintf(nested, sizeof nested, "%s/x//y/z/", folder);
    ck_assert_msg(!ph_archive_prepare(nested, false, &err), "%s", err.message);
    ck_assert(there("x/y/z"));
    ck_assert(!there("x/y/z/trajectory.csv.part") && !there("x/y/z/summary.json.part"));
    ck_assert_msg(!ph_archive_prepare(nested, false, &err), "%s", err.message);
    ck_assert_msg(!ph_archive_prepare(folder, false, &err), "%s", err.message);
    put_file("summary.json", "old");
    ck_assert_int_eq(ph_archive_prepare(folder, false, &err), PH_E_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "summary.json: exists already"));
    ck_assert_int_eq(ph_archive_prepare(folder, true, &err), PH_OK);
    check_content("summary.json", "old");
    ck_assert(!mkdir(in_folder("trajectory.csv"), 0777));
    ck_assert_int_eq(ph_archive_prepare(folder, true, &err), PH_E_IO);
    ck_assert_int_eq(ph_archive_prepare("", true, &err), PH_E_INVALID);
    ck_assert_int_eq(ph_archive_prepare("/proc", true, &err), PH_E_IO);
    ck_assert_int_eq(ph_archive_prepare("/proc/none/such", true, NULL), PH_E_IO);
    put_file("a", "file");
    ck_assert_int_eq(ph_archive_prepare(in_folder("a"), false, &err), PH_E_IO);
    ck_assert_int_eq(ph_archive_prepare(in_folder("a/b"), false, &err), PH_E_IO);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("archive");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, make_folder, remove_folder);
    tcase_add_test(all, csv_columns);
    tcase_add_test(all, csv_digits);
    tcase_add_test(all, csv_odd);
    tcase_add_test(all, judge);
    tcase_add_test(all, summary_fields);
    tcase_add_test(all, summary_explicit);
    tcase_add_test(all, summary_failures);
    tcase_add_test(all, summary_nothing);
    tcase_add_test(all, summary_restart);
    tcase_add_test(all, comma_locale);
    tcase_add_test(all, disk_full);
    tcase_add_test(all, file_too_large);
    tcase_add_test(all, no_place);
    tcase_add_test(all, abandon_and_replace);
    tcase_add_test(all, prepare);
    tcase_set_timeout(all, 60);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
