/* SPDX-License-Identifier: BSD-3-Clause */
/* An archive for its report: what is known of it, and what its rows show, one after the other. */
#include "archived.h"

#include <polhode/rows.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is known of it ------------------------------------------------------------------------------- */

const ph_system *archived_system(const archived *a)
{
    return a->info.scenario ? ph_scenario_system(a->info.scenario) : NULL;
}

unsigned archived_claims(const archived *a, bool *known)
{
    ph_integrator *it;
    ph_error err;
    const char *name = info_meta(&a->info, "method");
    const ph_method *method = name ? ph_method_find(name, &err) : NULL;
    *known = method && !method->claims_for;
    if (*known) /* of a user-defined system as well */
        return method->claims;
    *known = a->info.scenario &&
             !ph_scenario_integrator(a->info.scenario, info_meta(&a->info, "options"), &it, &err);
    if (!*known)
        return 0;
    const unsigned claims =
        ph_method_claims(ph_integrator_method(it), archived_system(a), ph_integrator_options(it));
    ph_integrator_free(it);
    return claims;
}

double archived_span(const archived *a)
{
    return a->rows ? fabs(a->span[0].last - a->span[0].first) : 0;
}

int64_t archived_steps(const archived *a)
{
    const size_t step = ph_record_find(a->info.record, "step");
    const double last = step < a->n && a->rows ? a->span[step].last : 0;
    if (a->info.committed)
        return a->info.commit.steps;
    return last > 0 && last < 0x1p53 ? (int64_t)last : 0;
}

/* ---- Where what stands in a row ------------------------------------------------------------------------- */

/* The reading of its rows. Columns are those of the archive, and behind them such as are computed because it lacks them;
 * PH_NO_INDEX: there is none. */
typedef struct reading {
    size_t at[QUANTITIES]; /* of MOMENTUM instead: */
    size_t *maps;          /* (n_maps) */
    size_t n_maps;
    ph_rows *computed;  /* energy, constraints and momentum maps that the archive lacks; or NULL */
    size_t body;        /* the first of three: momentum in the body frame of the only body */
    double *start_maps; /* (n_maps) in the first row of the archive */
    double start;       /* time of the first row of the span */
    time_span span;
    bool begun; /* was there a row? */
} reading;

static bool has_column(const ph_record *record, const char *name)
{
    return ph_record_find(record, name) < ph_record_columns(record);
}

/* Words of errors that the archive lacks, of those by which it is judged. */
static size_t lacking_words(const ph_record *record, const ph_system *system, const char *words[4])
{
    static const char *const errors[] = {"energy_error", "constraint_error", "velocity_constraint_error"};
    const size_t maps = system ? ph_system_symmetries(system) : 0;
    size_t n = 0, there = 0;
    for (size_t i = 0; i < 3; i++)
        if (!has_column(record, errors[i]))
            words[n++] = errors[i];
    for (size_t i = 0; i < maps; i++)
        there += has_column(record, ph_system_symmetry(system, i)->name);
    if (there < maps)
        words[n++] = "momentum_maps";
    return n;
}

/* l->computed <- what it lacks and what can be computed from its configuration and momentum. */
static void lay_computed(reading *l, ph_record *record, const ph_system *system)
{
    const char *lacking[4], *words[4];
    ph_error err;
    size_t n = 0;
    const size_t most = system ? lacking_words(record, system, lacking) : 0;
    for (size_t i = 0; i < most; i++)
        if (!ph_rows_open(record, &lacking[i], 1, &l->computed, &err)) {
            ph_rows_free(l->computed);
            words[n++] = lacking[i];
        }
    if (!n || ph_rows_open(record, words, n, &l->computed, &err))
        l->computed = NULL;
}

static size_t find_source(const reading *l, const ph_record *record, const char *name)
{
    const size_t n = ph_record_columns(record), at = l->computed ? ph_rows_find(l->computed, name) : 0;
    if (has_column(record, name))
        return ph_record_find(record, name);
    return l->computed && at < ph_rows_columns(l->computed) ? n + at : PH_NO_INDEX;
}

static void lay_maps(reading *l, const ph_record *record, const ph_system *system)
{
    const size_t most = system ? ph_system_symmetries(system) : 0;
    l->maps = malloc((most + 1) * sizeof *l->maps);
    l->start_maps = malloc((most + 1) * sizeof *l->start_maps);
    for (size_t i = 0; l->maps && i < most; i++) {
        const size_t at = find_source(l, record, ph_system_symmetry(system, i)->name);
        if (at != PH_NO_INDEX)
            l->maps[l->n_maps++] = at;
    }
}

/* The scale of an error, NaN where none is known. */
static double scale_of(const archived *a, const char *key, double scale)
{
    const char *text = info_meta(&a->info, key); /* of a copy */
    if (!a->info.monitored && (!text || ph_parse_number(text, &scale)))
        return (double)NAN;
    return scale > 0 && isfinite(scale) ? scale : (double)NAN;
}

static const char *unit_of(const archived *a, const reading *l, size_t at)
{
    return at == PH_NO_INDEX ? ""
           : at < a->n       ? ph_record_unit(a->info.record, at)
                             : ph_rows_unit(l->computed, at - a->n);
}

static void find_scales(archived *a, const reading *l)
{
    bool same = l->n_maps;
    a->scale[ENERGY] = scale_of(a, "energy_scale", a->info.errors.energy_scale);
    a->scale[MOMENTUM] = scale_of(a, "momentum_scale", a->info.errors.momentum_scale);
    a->scale[MANIFOLD] = a->scale[VELOCITIES] = 1;
    for (size_t i = 1; i < l->n_maps; i++)
        same = same && !strcmp(unit_of(a, l, l->maps[0]), unit_of(a, l, l->maps[i]));
    snprintf(a->unit[ENERGY], sizeof *a->unit, "%s", unit_of(a, l, l->at[ENERGY]));
    snprintf(a->unit[MOMENTUM], sizeof *a->unit, "%s", same ? unit_of(a, l, l->maps[0]) : "");
}

/* Where the archive has them one behind the other, as runs write them. */
static size_t find_body(const ph_record *record)
{
    const size_t x = ph_record_find(record, "Pi1x");
    const bool all = has_column(record, "Pi1z") && ph_record_find(record, "Pi1y") == x + 1 &&
                     ph_record_find(record, "Pi1z") == x + 2;
    return all ? x : PH_NO_INDEX;
}

static ph_status lay_out(reading *l, archived *a, ph_error *err)
{
    static const char *const names[QUANTITIES] = {[ENERGY] = "energy_error",
                                                  [MANIFOLD] = "constraint_error",
                                                  [VELOCITIES] = "velocity_constraint_error"};
    ph_record *record = a->info.record;
    const ph_system *system = archived_system(a);
    a->n = ph_record_columns(record);
    lay_computed(l, record, system);
    lay_maps(l, record, system);
    for (size_t k = 0; k < QUANTITIES; k++) {
        l->at[k] = names[k] ? find_source(l, record, names[k]) : PH_NO_INDEX;
        a->known[k] = names[k] ? l->at[k] != PH_NO_INDEX : l->n_maps > 0;
    }
    const bool one = system && ph_space_factors(ph_system_space(system)) == 1 && ph_system_bodies(system);
    l->body = one ? find_body(record) : PH_NO_INDEX;
    find_scales(a, l);
    a->span = calloc(a->n, sizeof *a->span);
    a->momenta = l->body == PH_NO_INDEX ? NULL : calloc(3 * MOMENTA_MOST, sizeof *a->momenta);
    if (!l->maps || !l->start_maps || !a->span || (l->body != PH_NO_INDEX && !a->momenta))
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    return PH_OK;
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

static void enter_spans(archived *a, const double *row)
{
    for (size_t i = 0; i < a->n; i++) {
        column_span *s = &a->span[i];
        if (!a->rows)
            *s = (column_span){row[i], row[i], row[i], row[i]};
        s->last = row[i];
        if (row[i] <= s->least ||
            isnan(s->least)) /* as fmin and fmax, which are calls, for each number of the archive */
            s->least = row[i];
        if (row[i] >= s->most || isnan(s->most))
            s->most = row[i];
    }
}

/* The largest |J - J of the first row|; NaN where there is none, or one of them is no finite number. */
static double worst_map(const reading *l, const double *row)
{
    double worst = l->n_maps ? 0 : (double)NAN;
    for (size_t i = 0; i < l->n_maps; i++) {
        const double off = fabs(row[l->maps[i]] - l->start_maps[i]);
        if (!isfinite(off))
            return NAN;
        worst = fmax(worst, off);
    }
    return worst;
}

static void note_lost(archived *a, size_t which, double t)
{
    if (!a->lost[which]++)
        a->lost_t[which] = t;
}

static void enter_errors(archived *a, const reading *l, const double *row)
{
    const double elapsed = fabs(row[0] - l->start);
    const bool first = elapsed > 0 && !a->later++;
    for (size_t k = 0; k < QUANTITIES; k++) {
        const double error = k == MOMENTUM             ? worst_map(l, row)
                             : l->at[k] == PH_NO_INDEX ? (double)NAN
                                                       : fabs(row[l->at[k]]);
        if (first)
            a->error[k] = curve_start(elapsed);
        if (a->known[k] && !isfinite(error))
            note_lost(a, k, row[0]);
        if (!isfinite(error))
            continue;
        if (elapsed > 0) {
            curve_enter(&a->error[k], elapsed, error);
            growth_enter(&a->blocks[k], error);
        }
        a->largest[k] = fmax(a->largest[k], error);
    }
}

/* A row, and behind its columns those that are computed. */
static ph_status enter_row(void *self, const double *row, ph_error *err)
{
    archived *a = self;
    reading *l = a->reading;
    (void)err;
    for (size_t k = 0; !l->begun && k < l->n_maps; k++)
        l->start_maps[k] = row[l->maps[k]];
    l->begun = true;
    if (time_is_in(l->span, row[0])) {
        l->start = a->rows ? l->start : row[0];
        enter_spans(a, row);
        if (ph_record_is_between(a->info.record, row[0]))
            a->between++;
        else
            enter_errors(a, l, row);
        if (l->body != PH_NO_INDEX && a->n_momenta < MOMENTA_MOST)
            memcpy(&a->momenta[3 * a->n_momenta++], &row[l->body], 3 * sizeof *row);
        a->rows++;
    }
    return PH_OK;
}

/* Of so many rows. */
static void note_damage(void *self, int64_t rows, const ph_error *why)
{
    archived *a = self;
    if (!a->damaged++)
        snprintf(a->damage, sizeof a->damage, "%.299s", why->message);
    a->damaged_rows += rows;
}

/* ---- Scales ----------------------------------------------------------------------------------------------- */

static void make_relative(archived *a, quantity which)
{
    for (size_t i = 0; i < a->error[which].n; i++)
        a->error[which].bin[i] /= a->scale[which];
    a->largest[which] /= a->scale[which];
    a->relative[which] = true;
    *a->unit[which] = '\0';
}

void archived_compare(archived *runs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < QUANTITIES && archived_lacks_steps(&runs[i]); k++)
            runs[i].largest[k] = NAN; /* of the first row alone */
    for (quantity k = ENERGY; k < MANIFOLD; k++) {
        bool known = true;
        for (size_t i = 0; i < n; i++)
            known = known && (!runs[i].known[k] || isfinite(runs[i].scale[k]));
        for (size_t i = 0; known && i < n; i++)
            make_relative(&runs[i], k);
    }
}

/* ---- Damage ------------------------------------------------------------------------------------------------ */

void archived_damage(const archived *a, char *text, size_t size)
{
    const int64_t n = a->damaged_rows;
    *text = '\0';
    if (a->damaged == 1)
        snprintf(text, size, "%" PRId64 " damaged row%s left out: %s", n, n == 1 ? " is" : "s are",
                 a->damage);
    else if (a->damaged)
        snprintf(text, size, "%" PRId64 " damaged rows in %" PRId64 " places are left out; the first: %s", n,
                 a->damaged, a->damage);
}

int archived_complain(const archived *runs, size_t n)
{
    int code = EXIT_OK;
    for (size_t i = 0; i < n; i++) {
        char text[400];
        archived_damage(&runs[i], text, sizeof text);
        if (*text)
            code = complain(EXIT_ENDED_EARLY, "%s: %s", runs[i].file, text);
        if (runs[i].info.unsound)
            code = complain(EXIT_ENDED_EARLY, "%s", info_unsound(&runs[i].info));
    }
    return code;
}

/* ---- All of it ------------------------------------------------------------------------------------------- */

/* Copies for pages say how many rows they have (polhode/rows.h); what else stands there is not repeated. */
static void note_thinned(archived *a)
{
    const char *text = info_meta(&a->info, "thinned");
    int64_t rows, of;
    if (text && sscanf(text, "%18" SCNd64 " of %18" SCNd64 " rows", &rows, &of) == 2)
        snprintf(a->thinned, sizeof a->thinned, "%" PRId64 " of %" PRId64 " rows", rows, of);
    else if (text)
        snprintf(a->thinned, sizeof a->thinned, "some of the rows");
}

static void name_it(archived *a)
{
    const char *method = info_meta(&a->info, "method");
    label_run(a->label, sizeof a->label, method ? method : "a run", info_meta(&a->info, "order"), a->info.h);
}

static ph_status prepare_reading(archived *a, time_span span, ph_error *err)
{
    reading *r = a->reading = calloc(1, sizeof *r);
    if (!r)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    r->span = span;
    const ph_status status = lay_out(r, a, err);
    a->watcher = (watcher){.rows = r->computed,
                           .behind = true,
                           .whole = true,
                           .enter = enter_row,
                           .gap = note_damage,
                           .self = a};
    return status;
}

static ph_status open_run(archived *a, const char *path, time_span span, ph_error *err)
{
    *a = (archived){.file = NULL};
    for (size_t k = 0; k < QUANTITIES; k++)
        a->largest[k] = NAN;
    ph_status status = find_archive(path, &a->file, err);
    if (!status)
        status = info_open(&a->info, a->file, err);
    if (!status && a->info.sweeps)
        status = refuse_sweep(a->file, err);
    if (status)
        return status;
    name_it(a);
    note_thinned(a);
    return prepare_reading(a, span, err);
}

ph_status archived_starved(const archived *runs, size_t n, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = info_starved(&runs[i].info, err);
    return status;
}

/* Remarks on stderr: runs that are the same archive, or of different models. */
static void remark(const archived *runs, size_t n)
{
    const char *files[RUNS_MOST], *models[RUNS_MOST];
    for (size_t i = 0; i < n; i++) {
        files[i] = runs[i].file;
        models[i] = info_meta(&runs[i].info, "model");
    }
    remark_on_archives(files, models, n);
}

static void close_run(archived *a)
{
    reading *r = a->reading;
    if (r) {
        free(r->maps);
        free(r->start_maps);
        ph_rows_free(r->computed);
    }
    free(r);
    if (a->info.record)
        info_close(&a->info);
    free(a->file);
    free(a->span);
    free(a->momenta);
}

int archived_use(const option_texts *files, time_span span, int (*use)(void *self, archived *runs),
                 void *self)
{
    archived *runs = calloc(RUNS_MOST, sizeof *runs);
    size_t n = 0;
    ph_error err;
    int code = runs ? EXIT_OK : complain(EXIT_OUTPUT, "out of memory");
    catch_signals();
    for (; n < files->n && !code; n++)
        if (open_run(&runs[n], files->at[n], span, &err))
            code = complain_of(EXIT_INPUT, &err);
    if (!code) {
        remark(runs, n);
        archived_name_apart(runs, n);
        code = use(self, runs);
    }
    while (n)
        close_run(&runs[--n]);
    free(runs);
    return code;
}
