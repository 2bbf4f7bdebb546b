/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.json: what a run was, how it ended, and how well it conserved the invariants. Every number
 * that is not finite is null; every text is escaped, and unreadable bytes become U+FFFD. */
#include <polhode/archive.h>
#include <polhode/constraints.h>
#include <polhode/kit/text.h>
#include <polhode/summary.h>
#include <polhode/version.h>

#include "lib/internal/missing.h"

#include "document.h"
#include "words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The run ------------------------------------------------------------------------------------- */

static void put_options(ph_document *j, const ph_method *method, const double *values)
{
    char word[64];
    ph_document_key(j, "options");
    ph_document_begin(j);
    for (size_t i = 0; i < method->n_options; i++) {
        const ph_option *o = &method->options[i];
        if (o->type == PH_OPTION_CHOICE)
            ph_document_text(j, o->name, ph_option_word(o, values[i], word, sizeof word));
        else
            ph_document_number(j, o->name, values[i]);
    }
    ph_document_end(j);
}

static void put_ending(ph_document *j, const ph_ending *e, double t)
{
    ph_document_text(j, "status", ph_status_word(e->status));
    ph_document_text(j, "reason", ph_ending_reason(e));
    if (e->by)
        ph_document_text(j, "ended_by", e->by);
    if (e->status != PH_OK)
        ph_document_text(j, "message", e->message && e->message[0] ? e->message : ph_status_text(e->status));
    ph_document_number(j, "diverged_at", e->status == PH_E_DIVERGED ? t : (double)NAN);
}

/* Above so many times the energy error that was expected, the run was another one than was expected; below the rounding of
 * an energy it is none. */
static const double far = 3, rounding = 1e-13;

bool ph_accuracy_words(const ph_result *r, char words[PH_ACCURACY_WORDS])
{
    const double seen = r->summary->energy_error_max, expected = r->energy_estimate;
    words[0] = '\0';
    if (!(r->accuracy > 0))
        return true;
    if (!ph_system_is_conservative(ph_integrator_system(r->integrator))) {
        snprintf(words, PH_ACCURACY_WORDS, "energy is not conserved: the run itself does not show its error");
        return true;
    }
    if (r->of_energy) {
        const bool kept = seen <= r->accuracy;
        snprintf(words, PH_ACCURACY_WORDS, "the energy error, %.2g, is %s than the accuracy %g", seen,
                 kept ? "not more" : "MORE", r->accuracy);
        return kept;
    }
    if (!(expected > 0)) {
        snprintf(words, PH_ACCURACY_WORDS,
                 "method and step are given: no error was estimated; the energy error is %.2g", seen);
        return true;
    }
    const bool kept = seen <= fmax(far * expected, rounding);
    if (kept)
        snprintf(
            words, PH_ACCURACY_WORDS,
            "the energy error, %.2g, is as expected (%.2g): nothing contradicts the estimated error %.2g of the trajectory",
            seen, expected, r->estimate);
    else
        snprintf(
            words, PH_ACCURACY_WORDS,
            "the energy error, %.2g, is %.2g times what was expected (%.2g): the trajectory may have MORE than the "
            "accuracy %g; choose again for a smaller one, or with a larger budget",
            seen, seen / expected, expected, r->accuracy);
    return kept;
}

static void put_run(ph_document *j, const ph_result *r)
{
    char words[PH_ACCURACY_WORDS];
    const ph_method *method = ph_integrator_method(r->integrator);
    const double *options = ph_integrator_options(r->integrator);
    ph_document_count(j, "polhode", 1);
    ph_document_text(j, "version", ph_version());
    ph_document_text(j, "model", r->model);
    ph_document_text(j, "method", method->name);
    ph_document_number(j, "order", ph_method_order(method, ph_integrator_system(r->integrator), options));
    put_options(j, method, options);
    ph_document_key(j, "conservative");
    ph_file_text(j->file, ph_system_is_conservative(ph_integrator_system(r->integrator)) ? "true" : "false");
    ph_document_number(j, "step", ph_integrator_step_size(r->integrator));
    if (r->accuracy > 0) {
        ph_document_number(j, "accuracy", r->accuracy);
        ph_document_text(j, "accuracy_of", r->of_energy ? "energy" : "trajectory");
        ph_document_number(j, "estimated_error", r->estimate > 0 ? r->estimate : (double)NAN);
        ph_accuracy_words(r, words);
        ph_document_text(j, "accuracy_remark", words);
        ph_document_number(j, "estimated_energy_error",
                           r->energy_estimate > 0 ? r->energy_estimate : (double)NAN);
    }
    ph_document_count(j, "steps", r->report->steps);
    ph_document_number(j, "time", r->state->t);
    put_ending(j, &r->ending, r->state->t);
}

static void put_cost(ph_document *j, const ph_result *r)
{
    const ph_statistics *s = r->statistics ? r->statistics : ph_integrator_statistics(r->integrator);
    bool implicit = ph_integrator_method(r->integrator)->claims & PH_CLAIM_IMPLICIT;
    double steps = (double)r->report->steps;
    /* 0/0 is NaN, which is written as null: nothing was measured */
    ph_document_number(j, "cpu_seconds", r->report->cpu_seconds);
    ph_document_number(j, "ns_per_step", steps > 0 ? r->report->cpu_seconds / steps * 1e9 : (double)NAN);
    ph_document_number(j, "newton_iterations_mean",
                       implicit && s->steps > 0 ? (double)s->newton_passes / (double)s->steps : (double)NAN);
}

/* ---- What was kept ------------------------------------------------------------------------------- */

static void put_errors(ph_document *j, const ph_system *system, const ph_summary *s)
{
    ph_document_number(j, "energy_initial", s->energy_initial);
    ph_document_number(j, "energy_scale", s->energy_scale);
    ph_document_number(j, "momentum_scale", s->momentum_scale);
    ph_document_number(j, "energy_error_max", s->energy_error_max);
    ph_document_number(j, "energy_error_max_first_tenth", s->energy_error_max_first_tenth);
    ph_document_number(j, "energy_error_max_last_tenth", s->energy_error_max_last_tenth);
    ph_document_number(j, "energy_error_final", s->energy_error_final);
    ph_document_numbers(j, "energy_error_tenths", s->energy_error_tenths, 10);
    ph_document_number(j, "constraint_error_max", s->constraint_error_max);
    ph_document_number(j, "tangency_error_max", s->tangency_max);
    if (ph_system_constraints(system))
        ph_document_number(j, "velocity_constraint_error_max", s->velocity_constraint_error_max);
    ph_document_number(j, "momentum_error_max", s->momentum_error_max);
    ph_document_number(j, "momentum_error_final", s->momentum_error_final);
    ph_document_count(j, "outputs", s->outputs);
}

/* The i-th symmetry and its momentum map at the end; null where it could not be evaluated. */
static void put_momentum_map(ph_document *j, const ph_result *r, size_t i, double *work)
{
    const ph_system *system = ph_integrator_system(r->integrator);
    const ph_symmetry *s = ph_system_symmetry(system, i);
    double J = NAN;
    if (ph_system_momentum_map(system, i, r->state->z, r->state->p, &J, work))
        J = NAN;
    ph_file_text(j->file, i ? ", " : "");
    ph_document_begin(j);
    ph_document_text(j, "name", s->name);
    ph_document_text(j, "text", s->text ? s->text : "");
    ph_document_text(j, "unit", s->unit ? s->unit : "");
    ph_document_number(j, "final", J);
    ph_document_end(j);
}

/* A state of more numbers is left to the archive: as text it would take 25 bytes a number, and longer than the run. */
enum { LONGEST_STATE = 10000 };

static void put_final_state(ph_document *j, const ph_state *state, const char *archive)
{
    ph_document_key(j, "final_state");
    ph_document_begin(j);
    ph_document_number(j, "t", state->t);
    if (archive && state->nz + state->np > LONGEST_STATE) {
        ph_document_count(j, "numbers", (int64_t)(state->nz + state->np));
        ph_document_text(j, "archive", archive);
    } else {
        ph_document_numbers(j, "z", state->z, state->nz);
        ph_document_numbers(j, "p", state->p, state->np);
    }
    ph_document_end(j);
}

/* How often each event was found. */
static void put_events(ph_document *j, const ph_events *events)
{
    ph_document_key(j, "events");
    ph_document_begin(j);
    for (size_t i = 0; i < ph_events_listed(events); i++)
        ph_document_count(j, ph_events_name(events, i), ph_events_found(events, i));
    ph_document_end(j);
}

static void put_files(ph_document *j, const char *const *files, size_t n)
{
    ph_document_key(j, "files");
    ph_file_text(j->file, "[");
    for (size_t i = 0; i < n; i++) {
        ph_file_text(j->file, i ? ", " : "");
        ph_document_text_value(j->file, files[i]);
    }
    ph_file_text(j->file, "]");
}

/* files: NULL: the member is omitted. */
static void put_all(ph_document *j, const ph_result *r, const char *const *files, size_t n, double *work)
{
    ph_document_begin(j);
    put_run(j, r);
    put_cost(j, r);
    put_errors(j, ph_integrator_system(r->integrator), r->summary);
    ph_document_key(j, "momentum_maps");
    ph_file_text(j->file, "[");
    for (size_t i = 0; i < ph_system_symmetries(ph_integrator_system(r->integrator)); i++)
        put_momentum_map(j, r, i, work);
    ph_file_text(j->file, "]");
    if (r->events)
        put_events(j, r->events);
    put_final_state(j, r->state, r->archive);
    if (files)
        put_files(j, files, n);
    ph_document_end(j);
    ph_file_text(j->file, "\n");
}

/* Has the result an integrator and a state? *work <- room for the generators of its symmetries. */
static ph_status check_result(const ph_result *result, double **work, ph_error *err)
{
    if (!result->integrator)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    if (!result->state)
        return ph_not_created(err, "state", "ph_state_create");
    *work = malloc((result->state->np + 1) * sizeof **work);
    return *work ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

ph_status ph_summary_write(const char *path, const ph_result *result, ph_error *err)
{
    ph_document j = {.first = true};
    double *work;
    ph_status status = check_result(result, &work, err);
    if (status)
        return status;
    status = ph_file_open(path, &j.file, err);
    if (!status) {
        put_all(&j, result, NULL, 0, work);
        status = ph_file_commit(j.file, err);
    }
    free(work);
    return status;
}

ph_status ph_summary_print(FILE *stream, const ph_result *result, const char *const *files, size_t n,
                           ph_error *err)
{
    ph_document j = {.first = true};
    double *work;
    ph_status status = check_result(result, &work, err);
    if (status)
        return status;
    status = ph_file_borrow(stream, "the stream of the summary", &j.file, err);
    if (!status) {
        put_all(&j, result, files, n, work);
        status = ph_file_give_back(j.file, err);
    }
    free(work);
    return status;
}
