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

/* A column of the archive, or of those that are computed because it lacks them. */
typedef struct source {
    enum { ABSENT, STORED, COMPUTED } kind;
    size_t at;
} source;

typedef struct layout {
    source energy, manifold, velocities;
    source *maps; /* (n_maps) */
    size_t n_maps;
    ph_rows *computed;  /* energy, constraints and momentum maps that the archive lacks; or NULL */
    source body;        /* the first of three: momentum in the body frame of the only body */
    double *start_maps; /* (n_maps) in the first row of the archive */
    double start;       /* time of the first row of the span */
} layout;

/* Where the reading of its rows is. */
typedef struct reading {
    layout layout;
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
static void lay_computed(layout *l, ph_record *record, const ph_system *system)
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

static source find_source(const layout *l, const ph_record *record, const char *name)
{
    if (has_column(record, name))
        return (source){STORED, ph_record_find(record, name)};
    const size_t at = l->computed ? ph_rows_find(l->computed, name) : 0;
    const bool there = l->computed && at < ph_rows_columns(l->computed);
    return (source){there ? COMPUTED : ABSENT, at};
}

static double value_of(source s, const double *row, const double *computed)
{
    return s.kind == ABSENT ? (double)NAN : (s.kind == COMPUTED ? computed : row)[s.at];
}

static void lay_maps(layout *l, const ph_record *record, const ph_system *system)
{
    const size_t most = system ? ph_system_symmetries(system) : 0;
    l->maps = malloc((most + 1) * sizeof *l->maps);
    l->start_maps = malloc((most + 1) * sizeof *l->start_maps);
    for (size_t i = 0; l->maps && i < most; i++) {
        const source at = find_source(l, record, ph_system_symmetry(system, i)->name);
        if (at.kind != ABSENT)
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

static void name_unit(archived *a, quantity which, const layout *l, source of)
{
    const char *unit = of.kind == ABSENT     ? ""
                       : of.kind == COMPUTED ? ph_rows_unit(l->computed, of.at)
                                             : ph_record_unit(a->info.record, of.at);
    snprintf(a->unit[which], sizeof a->unit[which], "%s", unit);
}

static void find_scales(archived *a, const layout *l)
{
    a->scale[ENERGY] = scale_of(a, "energy_scale", a->info.errors.energy_scale);
    a->scale[MOMENTUM] = scale_of(a, "momentum_scale", a->info.errors.momentum_scale);
    a->scale[MANIFOLD] = a->scale[VELOCITIES] = 1;
    name_unit(a, ENERGY, l, l->energy);
    for (size_t i = 0; i < l->n_maps; i++) {
        char before[sizeof a->unit[MOMENTUM]];
        memcpy(before, a->unit[MOMENTUM], sizeof before);
        name_unit(a, MOMENTUM, l, l->maps[i]);
        if (i && strcmp(before, a->unit[MOMENTUM]) != 0) {
            *a->unit[MOMENTUM] = '\0';
            break;
        }
    }
}

/* Where the archive has them one behind the other, as runs write them. */
static source find_body(const ph_record *record)
{
    const size_t x = ph_record_find(record, "Pi1x");
    const bool all = has_column(record, "Pi1z") && ph_record_find(record, "Pi1y") == x + 1 &&
                     ph_record_find(record, "Pi1z") == x + 2;
    return (source){all ? STORED : ABSENT, x};
}

static ph_status lay_out(layout *l, archived *a, ph_error *err)
{
    ph_record *record = a->info.record;
    const ph_system *system = archived_system(a);
    *l = (layout){.n_maps = 0};
    lay_computed(l, record, system);
    l->energy = find_source(l, record, "energy_error");
    l->manifold = find_source(l, record, "constraint_error");
    l->velocities = find_source(l, record, "velocity_constraint_error");
    lay_maps(l, record, system);
    if (system && ph_space_factors(ph_system_space(system)) == 1 && ph_system_bodies(system))
        l->body = find_body(record);
    a->n = ph_record_columns(record);
    a->known[ENERGY] = l->energy.kind != ABSENT;
    a->known[MOMENTUM] = l->n_maps > 0;
    a->known[MANIFOLD] = l->manifold.kind != ABSENT;
    a->known[VELOCITIES] = l->velocities.kind != ABSENT;
    find_scales(a, l);
    a->span = calloc(a->n, sizeof *a->span);
    a->momenta = l->body.kind == STORED ? calloc(3 * MOMENTA_MOST, sizeof *a->momenta) : NULL;
    if (!l->maps || !l->start_maps || !a->span || (l->body.kind == STORED && !a->momenta))
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    return PH_OK;
}

static void layout_free(layout *l)
{
    free(l->maps);
    free(l->start_maps);
    ph_rows_free(l->computed);
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
static double worst_map(const layout *l, const double *row, const double *computed)
{
    double worst = l->n_maps ? 0 : (double)NAN;
    for (size_t i = 0; i < l->n_maps; i++) {
        const double off = fabs(value_of(l->maps[i], row, computed) - l->start_maps[i]);
        if (!isfinite(off))
            return NAN;
        worst = fmax(worst, off);
    }
    return worst;
}

/* error (QUANTITIES) <- of the row; NaN where there is no column. */
static void errors_of(const layout *l, const double *row, const double *computed, double *error)
{
    error[ENERGY] = fabs(value_of(l->energy, row, computed));
    error[MOMENTUM] = worst_map(l, row, computed);
    error[MANIFOLD] = fabs(value_of(l->manifold, row, computed));
    error[VELOCITIES] = fabs(value_of(l->velocities, row, computed));
}

static void note_lost(archived *a, size_t which, double t)
{
    if (!a->lost[which]++)
        a->lost_t[which] = t;
}

static void enter_errors(archived *a, const layout *l, const double *row, const double *computed)
{
    double error[QUANTITIES];
    const double elapsed = fabs(row[0] - l->start);
    const bool first = elapsed > 0 && !a->later++;
    errors_of(l, row, computed, error);
    for (size_t k = 0; k < QUANTITIES; k++) {
        if (first)
            a->error[k] = curve_start(elapsed);
        if (a->known[k] && !isfinite(error[k]))
            note_lost(a, k, row[0]);
        if (!isfinite(error[k]))
            continue;
        if (elapsed > 0) {
            curve_enter(&a->error[k], elapsed, error[k]);
            growth_enter(&a->blocks[k], error[k]);
        }
        a->largest[k] = fmax(a->largest[k], error[k]);
    }
}

static void enter_momentum(archived *a, const layout *l, const double *row)
{
    if (l->body.kind == STORED && a->n_momenta < MOMENTA_MOST)
        memcpy(&a->momenta[3 * a->n_momenta++], &row[l->body.at], 3 * sizeof *row);
}

/* A row, and behind its columns those that are computed. */
static ph_status enter_row(void *self, const double *row, ph_error *err)
{
    archived *a = self;
    reading *r = a->reading;
    layout *l = &r->layout;
    const double *computed = row + a->n;
    (void)err;
    for (size_t k = 0; !r->begun && k < l->n_maps; k++)
        l->start_maps[k] = value_of(l->maps[k], row, computed);
    r->begun = true;
    if (time_is_in(r->span, row[0])) {
        l->start = a->rows ? l->start : row[0];
        enter_spans(a, row);
        if (ph_record_is_between(a->info.record, row[0]))
            a->between++;
        else
            enter_errors(a, l, row, computed);
        enter_momentum(a, l, row);
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
    const ph_status status = lay_out(&r->layout, a, err);
    a->watcher = (watcher){
        .more = r->layout.computed, .whole = true, .enter = enter_row, .gap = note_damage, .self = a};
    return status;
}

ph_status archived_open(archived *a, const char *path, time_span span, ph_error *err)
{
    *a = (archived){.file = NULL};
    for (size_t k = 0; k < QUANTITIES; k++)
        a->largest[k] = NAN;
    ph_status status = find_archive(path, &a->file, err);
    if (!status)
        status = info_open(&a->info, a->file, err);
    if (status)
        return status;
    ph_error why;
    if (ph_record_check_plan(a->info.record, &why))
        complain(0, "%s", why.message);
    name_it(a);
    note_thinned(a);
    return prepare_reading(a, span, err);
}

void archived_remark(const archived *runs, size_t n)
{
    const char *files[RUNS_MOST], *models[RUNS_MOST];
    for (size_t i = 0; i < n; i++) {
        files[i] = runs[i].file;
        models[i] = ph_record_meta(runs[i].info.record, "model");
    }
    remark_on_archives(files, models, n);
}

void archived_close(archived *a)
{
    if (a->reading)
        layout_free(&a->reading->layout);
    free(a->reading);
    if (a->info.record)
        info_close(&a->info);
    free(a->file);
    free(a->span);
    free(a->momenta);
}
