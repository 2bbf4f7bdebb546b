/* SPDX-License-Identifier: BSD-3-Clause */
/* The search of polhode equilibria: Newton's iteration from the initial configuration, from random ones, and along the
 * families that begin at rest (equilibria-seeds.c); what is the same up to the symmetry is kept once. Then each
 * family, followed in the momentum. */
#include "equilibria.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two equilibria are the same if no coordinate differs by more, relative to the configuration. */
static const double same_to = 1e-6;

/* ---- The search ---------------------------------------------------------------------------------------------- */

static int by_energy(const void *a, const void *b)
{
    const double x = (*(ph_equilibrium *const *)a)->energy, y = (*(ph_equilibrium *const *)b)->energy;
    return x < y ? -1 : x > y;
}

ph_status equilibria_search(findings *f, int64_t starts, progress *shown, ph_error *err)
{
    const ph_space *space = ph_system_space(f->system);
    const double *initial = ph_scenario_configuration(f->scenario);
    double *z = malloc(ph_space_ambient(space) * sizeof *z);
    ph_equilibrium *found = ph_equilibrium_create(f->workspace);
    ph_status status = z && found ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    uint64_t state = 1;
    f->starts = starts + 1;
    for (int64_t i = 0; i <= starts && !status; i++) {
        bool drawn = true;
        if (i)
            drawn = !equilibria_draw_start(space, initial, &state, z);
        else
            memcpy(z, initial, ph_space_ambient(space) * sizeof *z);
        if (drawn && !ph_equilibria_find(f->workspace, z, &f->momentum, found, NULL) &&
            !equilibria_is_known(f, found))
            status = equilibria_keep(f, found, err);
        progress_show(shown, NAN, i + 1, starts + 1, NULL);
        if (!status)
            status = equilibria_interrupted("in the search", err);
    }
    if (!status && f->symmetry && f->momentum != 0)
        status = equilibria_seed(f, starts, shown, err);
    if (f->n)
        qsort(f->at, f->n, sizeof(ph_equilibrium *), by_energy);
    free(z);
    free(found);
    return status;
}

/* ---- Families ------------------------------------------------------------------------------------------------ */

typedef struct visitor {
    findings *f;
    family *into;
    bool failed;
} visitor;

static bool visit(void *user, const ph_equilibrium *at, ph_family_mark mark)
{
    visitor *v = user;
    family *x = v->into;
    if (x->n == x->room) {
        const size_t room = x->room ? 2 * x->room : 64;
        family_point *more = realloc(x->at, room * sizeof *more);
        v->failed = !more;
        if (!more)
            return false;
        x->at = more;
        x->room = room;
    }
    x->at[x->n++] = (family_point){at->momentum[0], at->rate[0],   at->energy, at->growth,
                                   at->negative,    at->stability, mark};
    /* is it the other end of a family that begins at the same momentum? */
    x->reached = PH_NO_INDEX;
    double distance;
    if (x->n > 1 && fabs(at->momentum[0] - v->f->momentum) <= 1e-12 * fabs(v->f->momentum))
        for (size_t i = 0; i < v->f->n; i++)
            if (!ph_equilibria_distance(v->f->workspace, at->z, v->f->at[i]->z, &distance) &&
                distance <= same_to)
                x->reached = i;
    return !*signal_flag();
}

ph_status equilibria_follow(findings *f, progress *shown, ph_error *err)
{
    f->families = calloc(f->n ? f->n : 1, sizeof *f->families);
    if (!f->families)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const ph_family_plan plan = {.symmetry = 0, .from = f->momentum, .to = f->to};
    ph_status status = PH_OK;
    for (size_t i = 0; i < f->n && !status; i++) {
        family *x = &f->families[i];
        x->from = i;
        x->reached = PH_NO_INDEX;
        for (size_t j = 0; j < i; j++)
            x->same |= !f->families[j].same && f->families[j].reached == i;
        visitor v = {f, x, false};
        if (!x->same)
            status = ph_equilibria_follow(f->workspace, f->at[i], &plan, visit, &v, &x->end, err);
        if (status == PH_E_SINGULAR) { /* two families meet just here */
            x->end = PH_FAMILY_LOST;
            status = PH_OK;
        }
        if (v.failed)
            status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        if (!status)
            status = equilibria_interrupted("while families were followed", err);
        progress_show(shown, NAN, (int64_t)i + 1, (int64_t)f->n, NULL);
    }
    return status;
}
