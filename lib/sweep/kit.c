/* SPDX-License-Identifier: BSD-3-Clause */
/* Integrator, columns and the rest for members of one kind, and how many rows a member has. */
#include "kit.h"

#include "lib/scenario/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* [doubles] The states of an ensemble are to stay in a processor's second cache. */
enum { CACHED = 1 << 16 };

static bool same_settings(const ph_scenario *a, const ph_scenario *b)
{
    size_t n, m;
    const ph_setting *of_a = ph_scenario_settings(a, &n), *of_b = ph_scenario_settings(b, &m);
    bool same = n == m;
    for (size_t i = 0; i < n && same; i++)
        same = !strcmp(of_a[i].name, of_b[i].name) && !strcmp(of_a[i].value, of_b[i].value);
    return same;
}

bool ph_kit_suits(const ph_kit *k, const ph_scenario *sc, bool shared)
{
    const ph_scenario *own = k->scenario;
    return own && shared && ph_scenario_system(own) == ph_scenario_system(sc) &&
           ph_scenario_method(own) == ph_scenario_method(sc) &&
           ph_scenario_step_size(own) == ph_scenario_step_size(sc) && same_settings(own, sc);
}

bool ph_kit_joins(const ph_kit *k, const ph_scenario *sc)
{
    const ph_scenario *own = k->scenario;
    const ph_space *space = ph_system_space(ph_scenario_system(sc));
    return own && ph_scenario_method(own) == ph_scenario_method(sc) &&
           ph_scenario_step_size(own) == ph_scenario_step_size(sc) && same_settings(own, sc) &&
           ph_space_ambient(space) == k->nz && ph_space_momenta(space) == k->np;
}

/* How many members an ensemble has at most: fewer of large systems. */
static size_t most_members(const ph_kit *k)
{
    size_t n = PH_KIT_MOST;
    while (n > PH_KIT_LEAST && n * (k->nz + k->np) > CACHED)
        n /= 2;
    return n;
}

ph_status ph_kit_check_columns(const ph_sweep *s, const ph_columns *columns, bool named, ph_error *err)
{
    char room[PH_COLUMN_NAME];
    const ph_column *own = s->columns + PH_MEMBER_LEADING + s->varied;
    const size_t n = ph_columns_count(columns) - !named; /* without newton_passes */
    if (n != s->chosen)
        return ph_fail(err, PH_E_INVALID,
                       "has %zu columns where the first member has %zu; all members have to have the same", n,
                       s->chosen);
    for (size_t j = 2; j < n; j++) {
        const char *name = ph_columns_name(columns, j, room);
        if (strcmp(name, own[j - 2].name) != 0)
            return ph_fail(
                err, PH_E_INVALID,
                "has the column %s where the first member has %s; all members have to have the same", name,
                own[j - 2].name);
    }
    return PH_OK;
}

ph_status ph_kit_make(ph_kit *k, const ph_sweep *s, ph_scenario *sc, ph_error *err)
{
    size_t n_words;
    ph_kit_free(k);
    k->scenario = sc;
    const char *const *words = ph_scenario_columns(s->first, &n_words); /* also where `output` varies */
    const ph_system *system = ph_scenario_system(sc);
    ph_status status = ph_scenario_compile(sc, err);
    if (!status)
        status = ph_scenario_integrator(sc, NULL, &k->integrator, err);
    if (!status)
        status = ph_state_create(k->integrator, &k->state, err);
    if (!status)
        status = ph_diagnostics_create(system, &k->diagnostics, err);
    if (!status)
        status = ph_columns_create_trajectory(system, words, n_words, &k->columns, err);
    if (!status)
        status = ph_kit_check_columns(s, k->columns, n_words > 0, err);
    if (status) {
        ph_kit_free(k);
        return status;
    }
    const ph_method *method = ph_scenario_method(sc);
    k->nz = k->state->nz;
    k->np = k->state->np;
    k->most = most_members(k);
    k->lanes =
        method->lanes && method->lanes(system, ph_integrator_options(k->integrator)) ? PH_KIT_LEAST : 1;
    return PH_OK;
}

size_t ph_kit_size(const ph_kit *k, size_t n)
{
    size_t size = PH_KIT_LEAST;
    while (2 * size <= n && 2 * size <= k->most)
        size *= 2;
    return size;
}

ph_status ph_kit_ensemble(ph_kit *k, size_t size, const ph_system *const *systems, ph_ensemble **e,
                          ph_error *err)
{
    size_t which = 0;
    while ((size_t)PH_KIT_LEAST << which < size)
        which++;
    ph_ensemble **own = &k->ensemble[which];
    ph_status status = PH_OK;
    if (*own && systems)
        status = ph_ensemble_set_systems(*own, systems, err);
    else if (!*own)
        status = systems ? ph_ensemble_create_each(k->integrator, systems, size, own, err)
                         : ph_ensemble_create(k->integrator, size, own, err);
    if (status) { /* it cannot be used any more */
        ph_ensemble_free(*own);
        *own = NULL;
    } else {
        k->lanes = ph_ensemble_lanes(*own); /* systems of their own may have none */
    }
    *e = *own;
    return status;
}

void ph_kit_drop_ensembles(ph_kit *k)
{
    for (size_t i = 0; i < PH_KIT_SIZES; i++) {
        ph_ensemble_free(k->ensemble[i]);
        k->ensemble[i] = NULL;
    }
}

void ph_kit_free(ph_kit *k)
{
    ph_kit_drop_ensembles(k);
    ph_dense_free(k->dense);
    ph_columns_free(k->columns);
    ph_diagnostics_free(k->diagnostics);
    ph_state_free(k->state);
    ph_integrator_free(k->integrator);
    ph_scenario_free(k->scenario);
    *k = (ph_kit){.scenario = NULL};
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* Outputs of a schedule with outputs between steps, behind the start and up to the end, to rounding. */
static int64_t dense_rows(const ph_schedule *o, double t0, double h, int64_t steps)
{
    const double end = t0 + (double)steps * h, sign = copysign(1, h),
                 rounding = 16 * DBL_EPSILON * fmax(fmax(fabs(t0), fabs(end)), fabs(h));
    int64_t n = 0;
    if (o->kind == PH_EVERY_INTERVAL)
        return (int64_t)floor((fabs(end - t0) + rounding) / o->interval);
    for (size_t i = 0; i < o->n_times; i++)
        n += sign * (o->times[i] - t0) > rounding && sign * (o->times[i] - end) <= rounding;
    return n;
}

int64_t ph_sweep_rows(const ph_scenario *sc)
{
    const ph_schedule *o = ph_scenario_output(sc);
    const double h = ph_scenario_step_size(sc);
    const int64_t steps = ph_scenario_steps(sc);
    int64_t rows = 1;
    if (sc->output_by_length)
        return 1;
    if (!ph_schedule_is_dense(o, h)) {
        if (o->kind == PH_EVERY_STEPS)
            return 1 + (steps - 1) / o->steps + 1;
        for (int64_t k = 0; k < steps; rows++) {
            k = ph_schedule_next(o, h, k);
            k = k < steps ? k : steps;
        }
        return rows;
    }
    const double t0 = ph_scenario_time(sc);
    return 1 + dense_rows(o, t0, h, steps) - ph_schedule_at_end(o, t0, h, steps) + 1;
}
