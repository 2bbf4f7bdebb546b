/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of scenario and archive share (iokit.h). */
#include "iokit.h"

#include <stdarg.h>

#include <sys/stat.h>
#include <unistd.h>

/* ---- Folder and files ----------------------------------------------------------------------------- */

static char folder[200];

void io_make_folder(void)
{
    tk_make_folder(folder, sizeof folder, (size_t)1 << 30);
}

void io_remove_folder(void)
{
    static const char *const files[] = {"a",
                                        "a.part",
                                        "trajectory.csv",
                                        "trajectory.csv.part",
                                        "s.yaml",
                                        "x/y/z",
                                        "summary.json",
                                        "summary.json.part",
                                        "x/y",
                                        "x",
                                        "r",
                                        "r-wal",
                                        "r-shm",
                                        "r.lock",
                                        "r.part",
                                        "r.part-journal",
                                        "r-journal",
                                        "stone.obj",
                                        "f.csv",
                                        "v.csv"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        remove(io_path(files[i]));
    rmdir(folder);
}

const char *io_folder(void)
{
    return folder;
}

const char *io_path(const char *name)
{
    ck_assert_msg(*folder, "%s: the test has no folder: io_make_folder", name);
    static char paths[4][400];
    static int next;
    next = (next + 1) % 4;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

void io_clear(const char *inside, const char *names)
{
    char words[400], name[400];
    snprintf(words, sizeof words, "%s", names);
    for (const char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        snprintf(name, sizeof name, "%s/%s", inside, word);
        remove(io_path(name));
    }
    remove(io_path(inside));
}

void io_put(const char *name, const char *text)
{
    FILE *f = fopen(io_path(name), "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_ge(fputs(text, f), 0);
    ck_assert_int_eq(fclose(f), 0);
}

char *io_get(const char *name)
{
    enum { ROOM = 1 << 20 };
    FILE *f = fopen(io_path(name), "r");
    if (!f)
        return NULL;
    char *text = calloc(1, ROOM);
    ck_assert_uint_lt(fread(text, 1, ROOM - 1, f), ROOM - 1);
    fclose(f);
    return text;
}

bool io_there(const char *name)
{
    struct stat s;
    return !lstat(io_path(name), &s);
}

void io_check_content(const char *name, const char *expected)
{
    TK_MEMORY char *text = io_get(name);
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, expected);
}

ph_status io_parse(const char *text, ph_scenario **s, ph_error *err)
{
    *err = (ph_error){PH_OK, ""};
    *s = NULL;
    return ph_scenario_parse(text, strlen(text), "t.yaml", s, err);
}

ph_scenario *io_scenario(const char *text)
{
    ph_scenario *s;
    ck_assert_msg(!io_parse(text, &s, tk_err), "%s: %s", text, tk_err->message);
    ck_assert_ptr_nonnull(s);
    return s;
}

ph_scenario *io_scenario_of(const char *format, ...)
{
    char text[8000];
    va_list values;
    va_start(values, format);
    const int n = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    ck_assert_int_lt(n, (int)sizeof text);
    return io_scenario(text);
}

void io_start(const ph_scenario *s, ph_integrator **it, ph_state **state)
{
    tk_ok(ph_scenario_integrator(s, NULL, it, tk_err));
    tk_ok(ph_state_create(*it, state, tk_err));
    tk_ok(ph_state_set(*it, *state, ph_scenario_time(s), ph_scenario_configuration(s),
                       ph_scenario_momentum(s), PH_STRICT, tk_err));
}

void io_follow(const ph_scenario *s, double *z)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    io_start(s, &it, &state);
    tk_steps(it, state, ph_scenario_steps(s));
    memcpy(z, state->z, state->nz * sizeof *z);
    tk_end(it, state);
}

/* ---- A short run as test data ---------------------------------------------------------------------- */

void io_begin(io_run *r, const char *model_name, const char *method_name, const ph_setting *settings,
              size_t n)
{
    ph_error err = {PH_OK, ""};
    double z[30], zdot[30];
    const ph_model *model = ph_model_find(model_name, &err);
    const ph_method *method = ph_method_find(method_name, &err);
    ck_assert_msg(model && method, "%s", err.message);
    *r = (io_run){0};
    tk_ok(ph_model_build(model, NULL, 0, &r->system, &err));
    tk_ok(ph_model_preset(model, NULL, 0, NULL, ph_space_ambient(ph_system_space(r->system)), z, zdot, &err));
    tk_ok(ph_integrator_create(r->system, method, 0.01, settings, n, &r->integrator, &err));
    tk_ok(ph_state_create(r->integrator, &r->state, &err));
    tk_ok(ph_state_set_velocity(r->integrator, r->state, 0.5, z, zdot, PH_STRICT, &err));
    tk_ok(ph_diagnostics_create(r->system, &r->diagnostics, &err));
    tk_ok(ph_monitor_create(r->diagnostics, 0.5, 0.75, &r->monitor, &err));
    r->report = (ph_run_report){.steps = 25, .cpu_seconds = 5e-6, .time_at_end = 0.75};
    r->result = (ph_result){.model = model->name,
                            .integrator = r->integrator,
                            .state = r->state,
                            .report = &r->report,
                            .summary = &r->summary};
}

void io_walk(io_run *r, ph_csv *csv)
{
    ph_measures m;
    for (int i = 0; i <= 5; i++) {
        tk_ok(ph_integrator_step(r->integrator, r->state, i ? 5 : 0));
        tk_ok(ph_monitor_see(r->monitor, r->state, &m));
        if (csv)
            tk_ok(ph_csv_row(csv, r->state, &m, 3 * i, NULL));
    }
    ph_monitor_summary(r->monitor, &r->summary);
}

void io_end(io_run *r)
{
    ph_monitor_free(r->monitor);
    ph_diagnostics_free(r->diagnostics);
    ph_state_free(r->state);
    ph_integrator_free(r->integrator);
    ph_system_free(r->system);
}
