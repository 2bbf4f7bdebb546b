/* SPDX-License-Identifier: BSD-3-Clause */
/* A session that begins: what is run is set up, and an archive is made in which it is at its start. */
#include "parts.h"

#include "lib/archive/place.h"
#include "lib/internal/missing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names --------------------------------------------------------------------------------------- */

/* dir/name.yaml -> name, malloc's, or NULL without memory. */
static char *stem_of(const char *path)
{
    const char *base = ph_session_base_name(path), *dot = strrchr(base, '.');
    return dot && dot != base ? strndup(base, (size_t)(dot - base)) : strdup(base);
}

/* Its directory and the name of its archive in there, where they are not given: by the name of the run. */
static ph_status place_files(ph_session *s, const char *stem, const char *directory, ph_error *err)
{
    const char *asked = s->options.archive;
    if (asked && (!*asked || strchr(asked, '/')))
        return ph_fail(err, PH_E_INVALID,
                       "options.archive \"%.200s\": a file name without a slash is expected", asked);
    char *own = directory ? NULL : ph_path_join(stem, ".out", "");
    char *name = asked ? strdup(asked) : ph_path_join(stem, ".polhode", "");
    const char *in = directory ? directory : own;
    char *path = in && name ? ph_path_join(in, "/", name) : NULL;
    ph_status status =
        path ? ph_session_place(s, in, path, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    free(path);
    free(name);
    free(own);
    return status;
}

/* ---- The archive ---------------------------------------------------------------------------------- */

/* Tables that an earlier run left do not belong to this one. */
static void remove_old_tables(const ph_session *s)
{
    remove(s->paths[PH_SESSION_TRAJECTORY]);
    remove(s->paths[PH_SESSION_EVENTS]);
}

/* Those of the options, or of the scenario. They are looked at, and counted, before anything is written. */
static ph_status choose_columns(ph_session *s, ph_archive_plan *plan, ph_error *err)
{
    ph_columns *columns = NULL;
    ph_error why;
    const bool own = s->options.n_columns;
    if (s->scenario)
        plan->columns = ph_scenario_columns(s->scenario, &plan->n_columns);
    if (own) {
        plan->columns = s->options.columns;
        plan->n_columns = s->options.n_columns;
    }
    ph_status status = ph_columns_create_trajectory(ph_integrator_system(s->integrator), plan->columns,
                                                    plan->n_columns, &columns, &why);
    if (status)
        return ph_fail(err, status, own ? "options.columns: %.400s" : "%.400s", why.message);
    s->n_columns = ph_columns_count(columns);
    ph_columns_free(columns);
    return PH_OK;
}

/* About how many rows the schedule makes, which decides how large the pages of the archive are. */
static int64_t planned_rows(const ph_session *s)
{
    ph_session_size size;
    ph_session_estimate(s, &size);
    return (int64_t)fmin(size.rows, 9e18);
}

/* Is there an archive of a run that took no step, as one that failed in its first? Nothing is lost with it. */
static bool holds_no_step(const char *path)
{
    ph_record *record;
    ph_commit commit;
    ph_error err;
    if (ph_record_open(path, &record, &err))
        return false;
    const bool is = !ph_record_commit(record, &commit, &err) && commit.steps == 0 &&
                    ph_record_meta(record, "status") && ph_record_events(record) == 0;
    ph_record_close(record);
    return is;
}

/* The state is set. */
static ph_status create_archive(ph_session *s, ph_archive_plan *plan, ph_error *err)
{
    const char *path = s->paths[PH_SESSION_ARCHIVE];
    plan->model = s->model;
    plan->integrator = s->integrator;
    plan->steps = s->steps;
    ph_status status = choose_columns(s, plan, err);
    if (!status)
        status = ph_session_check_size(s, err);
    plan->rows = planned_rows(s);
    const bool force = s->options.force || holds_no_step(path);
    if (!status)
        status = ph_archive_prepare(s->directory, ph_session_base_name(path), force, err);
    if (!status)
        status = ph_archive_create(path, plan, s->state, s->monitor, s->snapshot, &s->archive, err);
    if (status)
        return status;
    s->written[PH_SESSION_ARCHIVE] = true;
    ph_file_note_network(path, s->options.message, s->options.self);
    remove_old_tables(s);
    return ph_session_open_csv(s, plan->columns, plan->n_columns, err);
}

/* ---- Scenarios ------------------------------------------------------------------------------------ */

/* A projected start is another motion than the one that was written down. */
static void tell_projection(const ph_session *s)
{
    char text[200];
    double kinetic[2];
    if (!s->options.message || !ph_scenario_projected(s->scenario, kinetic))
        return;
    snprintf(
        text, sizeof text,
        "the initial velocity was projected on the velocity constraints: all velocities have changed, the "
        "kinetic energy from %.6g to %.6g J",
        kinetic[0], kinetic[1]);
    s->options.message(s->options.self, text);
}

/* What the scenario remarks. */
static void tell_notes(const ph_session *s)
{
    size_t n = 0;
    const char *const *notes = ph_scenario_notes(s->scenario, &n);
    for (size_t i = 0; i < n && s->options.message; i++)
        s->options.message(s->options.self, notes[i]);
}

/* Names, what is run, events, initial data, and the archive, with the text of the scenario in it. */
static ph_status begin_scenario(ph_session *s, const char *name, const char *source, const char *directory,
                                ph_error *err)
{
    const ph_scenario *sc = s->scenario;
    ph_archive_plan plan = {.name = ph_session_base_name(name), .source = source};
    size_t n_events = 0;
    const ph_event *events = ph_scenario_events(sc, &n_events);
    char *stem = stem_of(name);
    ph_status status =
        stem ? place_files(s, stem, directory, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    free(stem);
    if (!status)
        status = ph_session_take_scenario(s, NULL, err);
    if (!status)
        status = ph_session_replan(s, err);
    if (!status)
        status = ph_session_equip(s, events, n_events, err);
    if (!status)
        status = ph_state_set(s->integrator, s->state, ph_scenario_time(sc), ph_scenario_configuration(sc),
                              ph_scenario_momentum(sc), PH_STRICT, err);
    if (!status) {
        tell_notes(s);
        tell_projection(s);
    }
    plan.accuracy = ph_scenario_accuracy(sc);
    plan.estimate = ph_scenario_estimate(sc);
    plan.energy_estimate = ph_scenario_energy_estimate(sc);
    plan.of_energy = ph_scenario_accuracy_of(sc) == PH_ACCURACY_ENERGY;
    plan.scenario = ph_scenario_text(sc, &plan.length);
    plan.kept = ph_scenario_kept(sc);
    return status ? status : create_archive(s, &plan, err);
}

/* Hand it out, or free it. */
static ph_status hand_out(ph_session *s, ph_status status, ph_session **session)
{
    if (status)
        ph_session_release(s);
    else
        *session = s;
    return status;
}

/* The session takes the scenario over, also when it fails. has_file: the name is that of its file. */
static ph_status open_scenario(ph_scenario *scenario, const char *name, bool has_file, const char *directory,
                               const ph_session_options *options, ph_session **session, ph_error *err)
{
    ph_session *s = NULL;
    ph_status status = ph_session_create(options, &s, err);
    if (status) {
        ph_scenario_free(scenario);
        return status;
    }
    size_t length;
    const char *text = ph_scenario_text(scenario, &length);
    /* a text that was edited before it was read stands in no file */
    char *source = has_file && ph_session_same_text(name, text) ? realpath(name, NULL) : NULL;
    s->scenario = scenario;
    status = begin_scenario(s, name, source, directory, err);
    free(source);
    return hand_out(s, status, session);
}

ph_status ph_session_open_scenario(ph_scenario *scenario, const char *file, const char *directory,
                                   const ph_session_options *options, ph_session **session, ph_error *err)
{
    if (!scenario)
        return ph_not_created(err, "scenario", "ph_scenario_load");
    if (file)
        return open_scenario(scenario, file, true, directory, options, session, err);
    ph_scenario_free(scenario);
    return ph_fail(err, PH_E_INVALID, "there is no scenario: the name of its file is NULL");
}

ph_status ph_session_open(const char *file, const char *directory, const ph_session_options *options,
                          ph_session **session, ph_error *err)
{
    ph_scenario *scenario = NULL;
    if (!file)
        return ph_fail(err, PH_E_INVALID, "there is no scenario: the name of its file is NULL");
    ph_status status = ph_scenario_load(file, &scenario, err);
    return status ? status : open_scenario(scenario, file, true, directory, options, session, err);
}

ph_status ph_session_open_text(const char *text, size_t length, const char *name, const char *directory,
                               const ph_session_options *options, ph_session **session, ph_error *err)
{
    ph_scenario *scenario = NULL;
    if (!text || !name || !*ph_session_base_name(name))
        return ph_fail(err, PH_E_INVALID, "there is no scenario: a text and a name for it are expected");
    ph_status status = ph_scenario_parse(text, length, name, &scenario, err);
    return status ? status : open_scenario(scenario, name, false, directory, options, session, err);
}

/* ---- A system of the caller's --------------------------------------------------------------------- */

/* The state of the caller is copied; no step may have been taken from it. */
static ph_status take_start(ph_session *s, const ph_session_plan *plan, ph_error *err)
{
    if (plan->state->k)
        return ph_fail(err, PH_E_INVALID, "the state has taken %lld steps; a run begins where none was taken",
                       (long long)plan->state->k);
    s->t0 = plan->state->t;
    ph_status status = ph_state_copy(s->state, plan->state);
    return status ? ph_fail(err, status, "the state is not one of this integrator's kind") : PH_OK;
}

/* The same for a system of the caller. */
static ph_status begin_plan(ph_session *s, const ph_session_plan *plan, const char *directory, ph_error *err)
{
    ph_archive_plan archive = {.name = plan->name};
    ph_status status = ph_session_take_plan(s, plan, err);
    if (!status && !plan->state)
        return ph_not_created(err, "state", "ph_state_create");
    if (!status && plan->steps < 1)
        return ph_fail(err, PH_E_RANGE, "%lld steps: at least 1 is expected", (long long)plan->steps);
    if (!status)
        status = place_files(s, plan->name, directory, err);
    if (!status)
        status = take_start(s, plan, err);
    if (!status)
        status = ph_session_replan(s, err);
    if (!status)
        status = ph_session_equip(s, plan->events, plan->n_events, err);
    return status ? status : create_archive(s, &archive, err);
}

ph_status ph_session_open_system(const ph_session_plan *plan, const char *directory,
                                 const ph_session_options *options, ph_session **session, ph_error *err)
{
    ph_session *s = NULL;
    if (!plan)
        return ph_fail(err, PH_E_INVALID, "there is no plan: it is NULL");
    ph_status status = ph_session_create(options, &s, err);
    return status ? status : hand_out(s, begin_plan(s, plan, directory, err), session);
}
