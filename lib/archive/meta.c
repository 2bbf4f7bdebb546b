/* SPDX-License-Identifier: BSD-3-Clause */
/* The table meta of an archive, a key and a text in each row: what is run, by which program and method, when
 * this writer began, and how the run ended. */
#include <polhode/archive.h>
#include <polhode/scene.h>
#include <polhode/version.h>

#include "file.h"
#include "words.h"
#include "writer.h"

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
#define COMPILER __VERSION__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "another compiler"
#endif

/* ---- Rows of the table -------------------------------------------------------------------------- */

/* Inserts rows, a key and a text each, into the table meta. */
typedef struct meta_rows {
    ph_archive *archive;
    sqlite3_stmt *insert;
    ph_status status;
    ph_error *err;
} meta_rows;

/* Begins to write rows of the table. A failure is kept in status, and nothing is written after it. */
static meta_rows open_meta(ph_archive *a, ph_error *err)
{
    meta_rows t = {.archive = a, .err = err};
    t.status =
        ph_database_prepare(&a->database, "INSERT OR REPLACE INTO meta VALUES(?1, ?2)", &t.insert, err);
    return t;
}

/* Ends that. Returns the first failure. */
static ph_status close_meta(meta_rows *t)
{
    sqlite3_finalize(t->insert);
    return t->status;
}

/* A row, its text of length bytes; none where value is NULL. */
static void put_meta(meta_rows *t, const char *key, const char *value, size_t length)
{
    if (t->status || !value)
        return;
    sqlite3_bind_text(t->insert, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_bind_text64(t->insert, 2, value, length, SQLITE_STATIC, SQLITE_UTF8))
        t->status = ph_database_fail(&t->archive->database, "describing the run", t->err);
    else
        t->status = ph_writer_run(t->archive, t->insert, "describing the run", t->err);
}

static void put_text(meta_rows *t, const char *key, const char *value)
{
    put_meta(t, key, value, value ? strlen(value) : 0);
}

static void put_number(meta_rows *t, const char *key, double value)
{
    char text[64];
    ph_number_text(value, text);
    put_text(t, key, text);
}

static void put_count(meta_rows *t, const char *key, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    put_text(t, key, text);
}

/* The time in UTC, as ISO 8601 has it. */
static void put_now(meta_rows *t, const char *key)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        put_text(t, key, text);
}

/* The time and the step count when this writer began; compared with the latest commit they give its speed. */
static void put_begin(meta_rows *t, int64_t steps)
{
    put_now(t, "session");
    put_count(t, "session_steps", steps);
}

/* ---- What is run -------------------------------------------------------------------------------- */

/* All options of the method with their values, in one text. */
static void put_options(meta_rows *t, const ph_method *method, const double *values)
{
    char text[512];
    ph_options_text(method, values, text, sizeof text);
    put_text(t, "options", text);
}

/* The order of bytes of this machine, in words. */
static const char *byte_order(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one ? "little-endian" : "big-endian";
}

void ph_archive_build(char *text, size_t size)
{
    snprintf(text, size, "%.100s, %.200s, %s, %zu bit", COMPILER, BUILD_FLAGS, byte_order(),
             8 * sizeof(void *));
}

/* How the system looks, for viewers; nothing where it is too large for them. */
static void put_scene(meta_rows *t, const ph_system *system)
{
    ph_scene *scene;
    ph_error why;
    ph_status status = ph_scene_create(system, &scene, &why);
    if (status == PH_E_NO_MEMORY && !t->status)
        t->status = ph_fail(t->err, status, "%s", why.message);
    if (!status)
        put_text(t, "scene", ph_scene_text(scene));
    ph_scene_free(scene);
}

/* What is run: scenario, model, method with its options, step and plan; and by which build of the library. */
static void describe(meta_rows *t, const ph_archive_plan *plan, const ph_state *state)
{
    const ph_method *method = ph_integrator_method(plan->integrator);
    const double *options = ph_integrator_options(plan->integrator);
    char text[512];
    put_meta(t, "scenario", plan->scenario, plan->length);
    put_text(t, "kept", plan->kept);
    put_text(t, "name", plan->name);
    put_text(t, "source", plan->source);
    put_text(t, "version", ph_version());
    ph_archive_build(text, sizeof text);
    put_text(t, "build", text);
    put_text(t, "model", plan->model);
    put_scene(t, ph_integrator_system(plan->integrator));
    put_text(t, "method", method->name);
    put_number(t, "order", ph_method_order(method, ph_integrator_system(plan->integrator), options));
    put_options(t, method, options);
    put_text(t, "conservative",
             ph_system_is_conservative(ph_integrator_system(plan->integrator)) ? "true" : "false");
    put_number(t, "step", ph_integrator_step_size(plan->integrator));
    if (plan->accuracy > 0) {
        put_number(t, "accuracy", plan->accuracy);
        put_text(t, "accuracy_of", plan->of_energy ? "energy" : "trajectory");
    }
    if (plan->estimate > 0)
        put_number(t, "estimated_error", plan->estimate);
    if (plan->energy_estimate > 0)
        put_number(t, "estimated_energy_error", plan->energy_estimate);
    put_count(t, "steps", plan->steps);
    put_number(t, "t0", state->t);
    put_now(t, "created");
    put_begin(t, state->k);
}

/* The words by which columns were chosen; no row where all were. */
static void put_choice(meta_rows *t, const ph_archive_plan *plan)
{
    char *text = NULL;
    size_t length;
    if (t->status || !plan->n_columns)
        return;
    t->status = ph_choice_text(plan->columns, plan->n_columns, &text, &length, t->err);
    put_meta(t, "columns", text, length);
    free(text);
}

ph_status ph_writer_put_plan(ph_archive *a, const ph_archive_plan *plan, const ph_state *state, ph_error *err)
{
    meta_rows t = open_meta(a, err);
    if (!t.status)
        describe(&t, plan, state);
    put_choice(&t, plan);
    return close_meta(&t);
}

/* ---- When it begins and ends ---------------------------------------------------------------------- */

ph_status ph_writer_put_session(ph_archive *a, ph_error *err)
{
    meta_rows t = open_meta(a, err);
    put_begin(&t, a->safe_steps);
    return close_meta(&t);
}

ph_status ph_writer_put_ending(ph_archive *a, const ph_ending *ending, ph_error *err)
{
    meta_rows t = open_meta(a, err);
    put_text(&t, "status", ph_status_word(ending->status));
    put_text(&t, "reason", ph_ending_reason(ending));
    put_text(&t, "ended_by", ending->by);
    put_text(&t, "message", ending->message);
    return close_meta(&t);
}
