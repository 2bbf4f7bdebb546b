/* SPDX-License-Identifier: BSD-3-Clause */
/* An archive read once, block by block, for its report. */
#include "archived.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

/* ---- What is known of it ------------------------------------------------------------------------------- */

const ph_system *archived_system(const archived *a)
{
    return a->info.scenario ? ph_scenario_system(a->info.scenario) : NULL;
}

bool archived_has_forces(const archived *a)
{
    const ph_system *system = archived_system(a);
    return system && !ph_system_is_conservative(system);
}

unsigned archived_claims(const archived *a, bool *known)
{
    ph_integrator *it;
    ph_error err;
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

static long find_column(const ph_record *record, const char *name)
{
    const size_t n = ph_record_columns(record);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(ph_record_column(record, i), name))
            return (long)i;
    return NONE;
}

int64_t archived_steps(const archived *a)
{
    const long step = find_column(a->info.record, "step");
    const double last = step != NONE && a->rows ? a->span[step].last : 0;
    if (a->info.committed)
        return a->info.commit.steps;
    return last > 0 && last < 0x1p53 ? (int64_t)last : 0;
}

/* ---- Where what stands in a row ------------------------------------------------------------------------- */

typedef struct layout {
    long energy, manifold, velocities, passes, step; /* columns, or NONE */
    long *maps;                                      /* (n_maps) */
    size_t n_maps;
    long body;     /* the first of three: momentum in the body frame of the only body, or NONE */
    double *start; /* (n) the first row */
} layout;

static void lay_maps(layout *l, const ph_record *record, const ph_system *system)
{
    const size_t most = system ? ph_system_symmetries(system) : 0;
    l->maps = malloc((most + 1) * sizeof *l->maps);
    for (size_t i = 0; l->maps && i < most; i++) {
        const long at = find_column(record, ph_system_symmetry(system, i)->name);
        if (at != NONE)
            l->maps[l->n_maps++] = at;
    }
}

/* The scale of an error, NaN where none is known. */
static double scale_of(const archived *a, double scale)
{
    return a->info.monitored && scale > 0 && isfinite(scale) ? scale : (double)NAN;
}

static void name_unit(archived *a, quantity which, long column)
{
    const char *unit = column != NONE ? ph_record_unit(a->info.record, (size_t)column) : NULL;
    snprintf(a->unit[which], sizeof a->unit[which], "%s", unit ? unit : "");
}

static void find_scales(archived *a, const layout *l)
{
    a->scale[ENERGY] = scale_of(a, a->info.errors.energy_scale);
    a->scale[MOMENTUM] = scale_of(a, a->info.errors.momentum_scale);
    a->scale[MANIFOLD] = a->scale[VELOCITIES] = 1;
    name_unit(a, ENERGY, l->energy);
    for (size_t i = 0; i < l->n_maps; i++) {
        char before[sizeof a->unit[MOMENTUM]];
        memcpy(before, a->unit[MOMENTUM], sizeof before);
        name_unit(a, MOMENTUM, l->maps[i]);
        if (i && strcmp(before, a->unit[MOMENTUM]) != 0) {
            *a->unit[MOMENTUM] = '\0';
            break;
        }
    }
}

static ph_status lay_out(layout *l, archived *a, ph_error *err)
{
    const ph_record *record = a->info.record;
    const ph_system *system = archived_system(a);
    *l = (layout){.energy = find_column(record, "energy_error"),
                  .manifold = find_column(record, "constraint_error"),
                  .velocities = find_column(record, "velocity_constraint_error"),
                  .passes = find_column(record, "newton_passes"),
                  .step = find_column(record, "step"),
                  .body = NONE};
    lay_maps(l, record, system);
    if (system && ph_space_factors(ph_system_space(system)) == 1 && ph_system_bodies(system))
        l->body = find_column(record, "Pi1x");
    a->n = ph_record_columns(record);
    a->known[ENERGY] = l->energy != NONE;
    a->known[MOMENTUM] = l->n_maps > 0;
    a->known[MANIFOLD] = l->manifold != NONE;
    a->known[VELOCITIES] = l->velocities != NONE;
    find_scales(a, l);
    l->start = calloc(a->n, sizeof *l->start);
    a->span = calloc(a->n, sizeof *a->span);
    a->spread_t = calloc(SPREAD_MOST, sizeof *a->spread_t);
    a->spread_passes = calloc(SPREAD_MOST, sizeof *a->spread_passes);
    a->momenta = l->body != NONE ? calloc(3 * MOMENTA_MOST, sizeof *a->momenta) : NULL;
    if (!l->start || !a->span || !a->spread_t || !a->spread_passes || (l->body != NONE && !a->momenta))
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    return PH_OK;
}

static void layout_free(layout *l)
{
    free(l->maps);
    free(l->start);
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

static void enter_spans(archived *a, const double *row)
{
    for (size_t i = 0; i < a->n; i++) {
        column_span *s = &a->span[i];
        if (!a->rows)
            *s = (column_span){row[i], row[i], row[i], row[i]};
        s->last = row[i];
        s->least = fmin(s->least, row[i]);
        s->most = fmax(s->most, row[i]);
    }
}

/* The largest |J - J of the first row|; NaN where there is none, or one of them is no finite number. */
static double worst_map(const layout *l, const double *row)
{
    double worst = l->n_maps ? 0 : (double)NAN;
    for (size_t i = 0; i < l->n_maps; i++) {
        const double off = fabs(row[l->maps[i]] - l->start[l->maps[i]]);
        if (!isfinite(off))
            return NAN;
        worst = fmax(worst, off);
    }
    return worst;
}

/* error (QUANTITIES) <- of the row; NaN where there is no column. */
static void errors_of(const layout *l, const double *row, double *error)
{
    error[ENERGY] = l->energy != NONE ? fabs(row[l->energy]) : (double)NAN;
    error[MOMENTUM] = worst_map(l, row);
    error[MANIFOLD] = l->manifold != NONE ? fabs(row[l->manifold]) : (double)NAN;
    error[VELOCITIES] = l->velocities != NONE ? fabs(row[l->velocities]) : (double)NAN;
}

static void note_lost(archived *a, size_t which, double t)
{
    if (!a->lost[which]++)
        a->lost_t[which] = t;
}

static void enter_errors(archived *a, const layout *l, const double *row)
{
    double error[QUANTITIES];
    const double elapsed = fabs(row[0] - l->start[0]);
    errors_of(l, row, error);
    for (size_t k = 0; k < QUANTITIES; k++) {
        if (a->rows == 1)
            a->error[k] = curve_start(elapsed);
        if (a->known[k] && !isfinite(error[k]))
            note_lost(a, k, row[0]);
        if (!isfinite(error[k]))
            continue;
        if (a->rows && elapsed > 0)
            curve_enter(&a->error[k], elapsed, error[k]);
        a->largest[k] = fmax(a->largest[k], error[k]);
    }
}

static void enter_momentum(archived *a, const layout *l, const double *row)
{
    if (l->body != NONE && a->n_momenta < MOMENTA_MOST)
        memcpy(&a->momenta[3 * a->n_momenta++], &row[l->body], 3 * sizeof *row);
}

/* One row in `every`, with the iterations for a step since the row before. */
static void enter_spread(archived *a, const layout *l, const double *row, double steps_before, int64_t every)
{
    if (a->rows % every || a->n_spread >= SPREAD_MOST || l->passes == NONE || l->step == NONE || !a->rows)
        return;
    a->spread_t[a->n_spread] = row[0];
    a->spread_passes[a->n_spread++] = row[l->passes] / (row[l->step] - steps_before);
}

static void enter_rows(archived *a, layout *l, const double *values, int64_t n, int64_t every,
                       double *steps_before)
{
    for (int64_t i = 0; i < n; i++) {
        const double *row = values + (size_t)i * a->n;
        if (!a->rows)
            memcpy(l->start, row, a->n * sizeof *row);
        enter_spans(a, row);
        enter_errors(a, l, row);
        enter_momentum(a, l, row);
        enter_spread(a, l, row, *steps_before, every);
        *steps_before = l->step != NONE ? row[l->step] : (double)NAN;
        a->rows++;
    }
}

static void note_damage(archived *a, const char *message)
{
    if (!a->damaged++)
        snprintf(a->damage, sizeof a->damage, "%.299s", message);
}

static ph_status read_rows(archived *a, layout *l, progress *p, ph_error *err)
{
    const int64_t at_once = 65536 / (int64_t)a->n + 1, all = a->info.rows;
    const int64_t every = all / SPREAD_MOST + 1;
    double *values = malloc((size_t)at_once * a->n * sizeof *values), steps_before = NAN;
    ph_status status = values ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (int64_t first = 0, read, next; !status && first < all; first = next) {
        ph_error why;
        const int64_t n = all - first < at_once ? all - first : at_once;
        const ph_status found = ph_record_read(a->info.record, first, n, values, &read, &next, &why);
        if (*signal_flag())
            status = ph_fail(err, PH_E_INTERRUPTED, "interrupted; nothing was written");
        if (found)
            note_damage(a, why.message);
        if (next <= first)
            break;
        enter_rows(a, l, values, read, every, &steps_before);
        progress_show(p, (double)NAN, next, all, NULL);
    }
    free(values);
    return status;
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
    for (quantity k = ENERGY; k < MANIFOLD; k++) {
        bool known = true;
        for (size_t i = 0; i < n; i++)
            known = known && (!runs[i].known[k] || isfinite(runs[i].scale[k]));
        for (size_t i = 0; known && i < n; i++)
            make_relative(&runs[i], k);
    }
}

/* ---- All of it ------------------------------------------------------------------------------------------- */

static void name_it(archived *a)
{
    const char *method = info_meta(&a->info, "method");
    label_run(a->label, sizeof a->label, method ? method : "a run", info_meta(&a->info, "order"), a->info.h);
}

ph_status archived_open(archived *a, const char *path, bool quiet, ph_error *err)
{
    layout l = {0};
    *a = (archived){.file = NULL};
    for (size_t k = 0; k < QUANTITIES; k++)
        a->largest[k] = NAN;
    ph_status status = find_archive(path, &a->file, err);
    if (!status)
        status = info_open(&a->info, a->file, err);
    if (status)
        return status;
    name_it(a);
    progress p = progress_start(a->file, quiet);
    status = lay_out(&l, a, err);
    if (!status)
        status = read_rows(a, &l, &p, err);
    progress_end(&p);
    layout_free(&l);
    return status;
}

void archived_close(archived *a)
{
    if (a->info.record)
        info_close(&a->info);
    free(a->file);
    free(a->span);
    free(a->spread_t);
    free(a->spread_passes);
    free(a->momenta);
}
