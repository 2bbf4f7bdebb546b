/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles (polhode/ensemble.h): members in groups of as many as step at once. A group is one state, whose arrays have a
 * number of each member in place of every one. Its steps happen whole or not at all: where a member fails, what
 * it has reached is put aside, its lane becomes a copy of a member that is well, and the step is made again. */
#include <polhode/ensemble.h>
#include <polhode/kit/memory.h>

#include "lib/internal/missing.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = PH_METHOD_LANES };

/* What a member that failed has reached. */
typedef struct member {
    ph_status failed; /* PH_OK: it has not */
    int64_t steps;    /* of one that failed */
} member;

typedef struct group {
    ph_state *state;
    size_t first, count; /* its members */
    size_t well;         /* those that have not failed */
} group;

struct ph_ensemble {
    ph_integrator *single;  /* its h and options; states are admitted by it */
    const ph_method *lanes; /* NULL: one after the other */
    ph_context context;     /* of lanes */
    ph_statistics statistics;
    ph_error error, message; /* of the latest failure; of the first one */
    unsigned failed;
    size_t members, groups, nz, np;
    group *group;
    member *member;
    double *z, *p; /* (nz x members), (np x members) of those that have failed */
    double t0, h;
    int64_t k; /* steps of those that have not */
    bool set;
    ph_state *one;        /* to admit a state in, and ... */
    double *given;        /* (nz + np) the numbers of it */
    void *block, *memory; /* scratch of lanes; states of groups */
};

/* ---- Memory -------------------------------------------------------------------------------------------------- */

size_t ph_ensemble_members(const ph_ensemble *e)
{
    return e->members;
}

size_t ph_ensemble_lanes(const ph_ensemble *e)
{
    return e->lanes ? LANES : 1;
}

/* The states of groups, one after the other. */
static void lay_states(ph_ensemble *e, size_t carry, ph_lay *l)
{
    for (size_t i = 0; i < e->groups; i++) {
        ph_state *state = ph_lay_line(l, sizeof *state);
        double *z = ph_lay_line(l, LANES * e->nz * sizeof *z), *p = ph_lay_line(l, LANES * e->np * sizeof *p),
               *own = ph_lay_line(l, carry * sizeof *own);
        if (!state)
            continue;
        *state = (ph_state){
            .z = z, .p = p, .carry = own, .nz = LANES * e->nz, .np = LANES * e->np, .ncarry = carry};
        e->group[i].state = state;
    }
}

/* Blocks of memory begin at a line. */
static void *line_in(void *block)
{
    return (void *)(((uintptr_t)block + 63) & ~(uintptr_t)63);
}

static ph_status make_lanes(ph_ensemble *e, ph_error *err)
{
    const ph_system *system = ph_integrator_system(e->single);
    const ph_method_size size = e->lanes->size(system, ph_integrator_options(e->single));
    ph_lay counted = {NULL, 0};
    lay_states(e, size.carry, &counted);
    e->block = calloc(1, size.work + 64);
    e->memory = calloc(1, counted.bytes + 64);
    if (!e->block || !e->memory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory (%zu members)", e->members);
    ph_lay l = {line_in(e->memory), 0};
    lay_states(e, size.carry, &l);
    e->context = (ph_context){.system = system,
                              .h = e->h,
                              .options = ph_integrator_options(e->single),
                              .work = line_in(e->block),
                              .statistics = &e->statistics,
                              .error = &e->error,
                              .failed = &e->failed};
    const ph_status status = e->lanes->init ? e->lanes->init(&e->context) : PH_OK;
    return status ? ph_fail(err, status, "%s", e->error.message) : PH_OK;
}

static ph_status make_groups(ph_ensemble *e, ph_error *err)
{
    const size_t each = ph_ensemble_lanes(e);
    ph_status status = ph_state_create(e->single, &e->one, err);
    e->groups = (e->members + each - 1) / each;
    e->group = calloc(e->groups, sizeof *e->group);
    e->member = calloc(e->members, sizeof *e->member);
    e->z = calloc(e->members * e->nz, sizeof *e->z);
    e->p = calloc(e->members * e->np, sizeof *e->p);
    e->given = calloc(e->nz + e->np, sizeof *e->given);
    if (!status && !(e->group && e->member && e->z && e->p && e->given))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory (%zu members)", e->members);
    for (size_t i = 0; i < e->groups && !status; i++) {
        const size_t rest = e->members - i * each;
        e->group[i] = (group){.first = i * each, .count = rest < each ? rest : each};
        if (!e->lanes)
            status = ph_state_create(e->single, &e->group[i].state, err);
    }
    return status || !e->lanes ? status : make_lanes(e, err);
}

ph_status ph_ensemble_create(const ph_integrator *integrator, size_t members, ph_ensemble **ensemble,
                             ph_error *err)
{
    if (!integrator)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    if (!members)
        return ph_fail(err, PH_E_RANGE, "an ensemble has at least one member");
    ph_ensemble *e = calloc(1, sizeof *e);
    if (!e)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const ph_system *system = ph_integrator_system(integrator);
    const ph_method *method = ph_integrator_method(integrator);
    e->members = members;
    e->h = ph_integrator_step_size(integrator);
    e->nz = ph_space_ambient(ph_system_space(system));
    e->np = ph_space_momenta(ph_system_space(system));
    e->lanes = method->lanes ? method->lanes(system, ph_integrator_options(integrator)) : NULL;
    ph_status status = ph_integrator_copy(integrator, e->h, &e->single, err);
    if (!status)
        status = make_groups(e, err);
    if (status) {
        ph_ensemble_free(e);
        return status;
    }
    *ensemble = e;
    return PH_OK;
}

void ph_ensemble_free(ph_ensemble *e)
{
    if (!e)
        return;
    if (e->lanes && e->lanes->finish && e->context.work)
        e->lanes->finish(&e->context);
    for (size_t i = 0; e->group && !e->lanes && i < e->groups; i++)
        ph_state_free(e->group[i].state);
    ph_state_free(e->one);
    ph_integrator_free(e->single);
    free(e->group);
    free(e->member);
    free(e->z);
    free(e->p);
    free(e->given);
    free(e->block);
    free(e->memory);
    free(e);
}

/* ---- Lanes ---------------------------------------------------------------------------------------------------- */

/* a (n x lanes): what is in a lane becomes that of another one. */
static void copy_lane(double *a, size_t n, size_t from, size_t to)
{
    for (size_t k = 0; k < n; k += LANES)
        a[k + to] = a[k + from];
}

/* to (n x members) at a member <- the numbers (n x stride) of a lane. */
static void take(const ph_ensemble *e, const double *from, size_t n, size_t stride, double *to)
{
    for (size_t k = 0; k < n; k++)
        to[k * e->members] = from[k * stride];
}

/* All arrays of a group: lane `to` <- lane `from`. */
static void refill(group *g, size_t from, size_t to)
{
    copy_lane(g->state->z, g->state->nz, from, to);
    copy_lane(g->state->p, g->state->np, from, to);
    copy_lane(g->state->carry, g->state->ncarry, from, to);
}

/* A member of a group steps no more; its state is as good as its lane's, z and p synchronised. */
static void retire(ph_ensemble *e, group *g, size_t lane, ph_status status, int64_t steps)
{
    const size_t i = g->first + lane, stride = ph_ensemble_lanes(e);
    take(e, g->state->z + lane, e->nz, stride, e->z + i);
    take(e, g->state->p + lane, e->np, stride, e->p + i);
    e->member[i] = (member){status, steps};
    g->well--;
}

/* After a failure of some lanes in the step behind k steps; false where none is left. A lane without a member, or of
 * one that has failed before, is a copy and fails with what it is a copy of. */
static bool carry_on_without(ph_ensemble *e, group *g, unsigned failed, ph_status status, int64_t k)
{
    size_t well = LANES;
    if (e->lanes->synchronise && k > 0)
        e->lanes->synchronise(&e->context, g->state);
    for (size_t lane = 0; lane < LANES; lane++) {
        const bool lives = lane < g->count && !e->member[g->first + lane].failed;
        if (lives && failed & 1u << lane)
            retire(e, g, lane, status, k);
        else if (lives)
            well = lane;
    }
    if (well == LANES)
        return false;
    for (size_t lane = 0; lane < LANES; lane++)
        if (lane >= g->count || e->member[g->first + lane].failed)
            refill(g, well, lane);
    return true;
}

/* ---- Setting --------------------------------------------------------------------------------------------------- */

/* A member's numbers into its lane, admitted. */
static ph_status admit(ph_ensemble *e, group *g, size_t lane, double t, const double *z, const double *p,
                       ph_admission admission, ph_error *err)
{
    const size_t i = g->first + lane, stride = ph_ensemble_lanes(e);
    ph_error why = {0};
    ph_state *one = e->one;
    for (size_t k = 0; k < e->nz; k++)
        e->given[k] = z[k * e->members + i];
    for (size_t k = 0; k < e->np; k++)
        e->given[e->nz + k] = p[k * e->members + i];
    const ph_status status = ph_state_set(e->single, one, t, e->given, e->given + e->nz, admission, &why);
    if (status)
        return ph_fail(err, status, "member %zu: %.400s", i, why.message);
    if (!e->lanes)
        return ph_state_copy(g->state, one);
    for (size_t k = 0; k < e->nz; k++)
        g->state->z[k * stride + lane] = one->z[k];
    for (size_t k = 0; k < e->np; k++)
        g->state->p[k * stride + lane] = one->p[k];
    return PH_OK;
}

ph_status ph_ensemble_set(ph_ensemble *e, double t, const double *z, const double *p, ph_admission admission,
                          ph_error *err)
{
    if (!e)
        return ph_not_created(err, "ensemble", "ph_ensemble_create");
    ph_status status = PH_OK;
    e->set = false;
    e->t0 = t;
    e->k = 0;
    e->message.message[0] = '\0';
    memset(e->member, 0, e->members * sizeof *e->member);
    for (size_t i = 0; i < e->groups && !status; i++) {
        group *g = &e->group[i];
        for (size_t lane = 0; lane < g->count && !status; lane++)
            status = admit(e, g, lane, t, z, p, admission, err);
        g->well = g->count;
        if (status || !e->lanes)
            continue;
        memset(g->state->carry, 0, g->state->ncarry * sizeof *g->state->carry);
        for (size_t lane = g->count; lane < LANES; lane++)
            refill(g, 0, lane);
        g->state->t = g->state->t_base = t;
        g->state->k = g->state->k_base = 0;
        g->state->h = e->h;
    }
    e->set = !status;
    return status;
}

/* ---- Stepping -------------------------------------------------------------------------------------------------- */

static void note(ph_ensemble *e, size_t i, const char *why)
{
    if (!e->message.message[0])
        ph_fail(&e->message, PH_E_INVALID, "member %zu: %.400s", i, why);
}

static void step_lanes(ph_ensemble *e, group *g, int64_t n)
{
    ph_state *state = g->state;
    for (; n > 0 && g->well; n--) {
        ph_status status;
        e->failed = 0;
        e->error.message[0] = '\0';
        while ((status = e->lanes->step(&e->context, state))) {
            size_t first = 0;
            const unsigned failed = e->failed ? e->failed : (1u << LANES) - 1;
            while (first + 1 < g->count && (!(failed & 1u << first) || e->member[g->first + first].failed))
                first++;
            note(e, g->first + first, e->error.message);
            if (!carry_on_without(e, g, failed, status, state->k))
                return;
            e->failed = 0;
        }
        state->k++;
        state->t = state->t_base + (double)state->k * e->h;
    }
    if (e->lanes->synchronise && g->well && state->k > 0)
        e->lanes->synchronise(&e->context, state);
}

static void step_single(ph_ensemble *e, group *g, int64_t n)
{
    if (!g->well)
        return;
    const ph_status status = ph_integrator_step(e->single, g->state, n);
    if (!status)
        return;
    note(e, g->first, ph_integrator_message(e->single));
    retire(e, g, 0, status, g->state->k);
}

ph_status ph_ensemble_step(ph_ensemble *e, int64_t n)
{
    if (!e)
        return PH_E_INVALID;
    if (!e->set)
        return ph_fail(&e->message, PH_E_INVALID, "no states have been set: ph_ensemble_set");
    if (n < 0 || !isfinite(e->t0 + ((double)e->k + (double)n) * e->h))
        return PH_E_RANGE;
    for (size_t i = 0; i < e->groups; i++)
        if (e->lanes)
            step_lanes(e, &e->group[i], n);
        else
            step_single(e, &e->group[i], n);
    e->k += n;
    for (size_t i = 0; i < e->members; i++)
        if (e->member[i].failed)
            return e->member[i].failed;
    return PH_OK;
}

/* ---- Reading --------------------------------------------------------------------------------------------------- */

void ph_ensemble_get(const ph_ensemble *e, double *z, double *p)
{
    const size_t stride = ph_ensemble_lanes(e);
    for (size_t i = 0; i < e->members; i++) {
        const group *g = &e->group[i / stride];
        const size_t lane = i % stride;
        const bool failed = e->member[i].failed;
        if (z)
            take(e, failed ? e->z + i : g->state->z + lane, e->nz, failed ? e->members : stride, z + i);
        if (p)
            take(e, failed ? e->p + i : g->state->p + lane, e->np, failed ? e->members : stride, p + i);
    }
}

int64_t ph_ensemble_steps(const ph_ensemble *e, size_t i)
{
    return e->member[i].failed ? e->member[i].steps : e->k;
}

double ph_ensemble_time(const ph_ensemble *e, size_t i)
{
    return e->t0 + (double)ph_ensemble_steps(e, i) * e->h;
}

ph_status ph_ensemble_status(const ph_ensemble *e, size_t i)
{
    return e->member[i].failed;
}

const char *ph_ensemble_message(const ph_ensemble *e)
{
    return e->message.message;
}
