/* SPDX-License-Identifier: BSD-3-Clause */
/* The table meta of an archive, a key and a text in each row: what is run, by which program and method, when
 * this writer began, and how the run ended. */
#include <polhode/archive.h>
#include <polhode/domain/scene.h>
#include <polhode/version.h>

#include "insert.h"
#include "seal.h"
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

/* The time in UTC, as ISO 8601 has it. */
static void put_now(ph_insert *t, const char *key)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        ph_insert_text(t, key, text);
}

/* The time and the step count when this writer began; compared with the latest commit they give its speed. */
static void put_begin(ph_insert *t, int64_t steps)
{
    put_now(t, "session");
    ph_insert_count(t, "session_steps", steps);
}

/* ---- What is run -------------------------------------------------------------------------------- */

/* All options of the method with their values, in one text. */
static void put_options(ph_insert *t, const ph_method *method, const double *values)
{
    char text[512];
    ph_options_text(method, values, text, sizeof text);
    ph_insert_text(t, "options", text);
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
static void put_scene(ph_insert *t, const ph_system *system)
{
    ph_scene *scene;
    ph_error why;
    ph_status status = ph_scene_create(system, &scene, &why);
    if (status == PH_E_NO_MEMORY && !t->status)
        t->status = ph_fail(t->err, status, "%s", why.message);
    if (!status)
        ph_insert_text(t, "scene", ph_scene_text(scene));
    ph_scene_free(scene);
}

/* What is run: scenario, model, method with its options, step and plan; and by which build of the library. */
static void describe(ph_insert *t, const ph_archive_plan *plan, const ph_state *state)
{
    const ph_method *method = ph_integrator_method(plan->integrator);
    const double *options = ph_integrator_options(plan->integrator);
    char text[512];
    ph_insert_bytes(t, "scenario", plan->scenario, plan->length);
    ph_insert_text(t, "kept", plan->kept);
    ph_insert_text(t, "name", plan->name);
    ph_insert_text(t, "source", plan->source);
    ph_insert_text(t, "version", ph_version());
    ph_archive_build(text, sizeof text);
    ph_insert_text(t, "build", text);
    ph_insert_text(t, "model", plan->model);
    put_scene(t, ph_integrator_system(plan->integrator));
    ph_insert_text(t, "method", method->name);
    ph_insert_number(t, "order", ph_method_order(method, ph_integrator_system(plan->integrator), options));
    put_options(t, method, options);
    ph_insert_text(t, "conservative",
                   ph_system_is_conservative(ph_integrator_system(plan->integrator)) ? "true" : "false");
    ph_insert_number(t, "step", ph_integrator_step_size(plan->integrator));
    if (plan->accuracy > 0) {
        ph_insert_number(t, "accuracy", plan->accuracy);
        ph_insert_text(t, "accuracy_of", plan->of_energy ? "energy" : "trajectory");
    }
    if (plan->estimate > 0)
        ph_insert_number(t, "estimated_error", plan->estimate);
    if (plan->energy_estimate > 0)
        ph_insert_number(t, "estimated_energy_error", plan->energy_estimate);
    ph_insert_count(t, "steps", plan->steps);
    ph_insert_number(t, "t0", state->t);
    put_now(t, "created");
    put_begin(t, state->k);
}

/* The words by which columns were chosen; no row where all were. */
static void put_choice(ph_insert *t, const ph_archive_plan *plan)
{
    char *text = NULL;
    size_t length;
    if (t->status || !plan->n_columns)
        return;
    t->status = ph_choice_text(plan->columns, plan->n_columns, &text, &length, t->err);
    ph_insert_bytes(t, "columns", text, length);
    free(text);
}

ph_status ph_writer_put_plan(ph_archive *a, const ph_archive_plan *plan, const ph_state *state, ph_error *err)
{
    ph_insert t = ph_insert_begin(&a->database, PH_INTO_META, "describing the run", err);
    if (!t.status)
        describe(&t, plan, state);
    put_choice(&t, plan);
    return ph_insert_end(&t);
}

/* ---- When it begins and ends ---------------------------------------------------------------------- */

ph_status ph_writer_put_session(ph_archive *a, ph_error *err)
{
    ph_insert t = ph_insert_begin(&a->database, PH_INTO_META, "describing the run", err);
    put_begin(&t, a->safe_steps);
    return ph_insert_end(&t);
}

ph_status ph_writer_put_ending(ph_archive *a, const ph_ending *ending, ph_error *err)
{
    ph_insert t = ph_insert_begin(&a->database, PH_INTO_META, "describing the run", err);
    ph_insert_text(&t, "status", ph_status_word(ending->status));
    ph_insert_text(&t, "reason", ph_ending_reason(ending));
    ph_insert_text(&t, "ended_by", ending->by);
    ph_insert_text(&t, "message", ending->message);
    const ph_status status = ph_insert_end(&t);
    return status ? status : ph_seal_put(&a->database, PH_SEAL_META, err);
}
