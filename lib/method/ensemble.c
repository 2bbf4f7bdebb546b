/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles (polhode/ensemble.h): members in groups of as many as step at once. A group is one state, whose arrays have a
 * number of each member in place of every one. Its steps happen whole or not at all: where a member fails, what
 * it has reached is put aside, its lane becomes a copy of a member that is well, and the step is made again.
 *
 * Members of one system share the scratch of a step; where each has its own, so has each group (or, without lanes, each
 * member an integrator). */
#include <polhode/ensemble.h>
#include <polhode/kit/kernels.h>
#include <polhode/kit/memory.h>

#include "lib/internal/missing.h"
#include "members.h"

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

/* What a step of lanes works with. */
typedef struct bench {
    ph_context context;
    bool begun;                      /* finish is due */
    const ph_system *systems[LANES]; /* of the lanes, where members have their own */
} bench;

typedef struct group {
    ph_state *state;
    bench *bench;          /* with lanes */
    ph_integrator *single; /* without */
    size_t first, count;   /* its members */
    size_t well;           /* those that have not failed */
    bool mixed;            /* does a lane have the system of another one's member? */
} group;

struct ph_ensemble {
    ph_integrator *like;       /* its method, h and options */
    const ph_method *lanes;    /* NULL: one after the other */
    bool each;                 /* members have systems of their own */
    const ph_system **systems; /* (members) those */
    ph_statistics statistics;
    ph_error error, message; /* of the latest failure; of the first one */
    unsigned failed;
    size_t members, groups, nz, np;
    group *group;
    bench *bench; /* one of all groups, or of each */
    member *member;
    double *z, *p; /* (nz x members), (np x members) of those that have failed */
    double t0, h;
    int64_t k;           /* steps of those that have not */
    bool ready, set;     /* are there all that steps need; and states? */
    double *given;       /* (nz + np) the numbers of a state that is to be admitted, and ... */
    double *fresh;       /* ... the scratch for it */
    size_t work;         /* numbers of that */
    void *memory;        /* scratch of lanes and states of groups, and ... */
    ph_method_size size; /* ... what they need */
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

static size_t benches(const ph_ensemble *e)
{
    return e->each ? e->groups : 1;
}

static const ph_system *system_of(const ph_ensemble *e, size_t i)
{
    return e->each ? e->systems[i] : ph_integrator_system(e->like);
}

/* The scratch of lanes, and the states of groups, one after the other. */
static void lay_lanes(ph_ensemble *e, ph_lay *l)
{
    const ph_method_size size = e->size;
    for (size_t i = 0; i < benches(e); i++) {
        void *work = ph_lay_line(l, size.work);
        if (work)
            e->bench[i].context = (ph_context){.system = system_of(e, i * LANES),
                                               .h = e->h,
                                               .options = ph_integrator_options(e->like),
                                               .work = work,
                                               .statistics = &e->statistics,
                                               .error = &e->error,
                                               .failed = &e->failed,
                                               .systems = e->each ? e->bench[i].systems : NULL};
    }
    for (size_t i = 0; i < e->groups; i++) {
        ph_state *state = ph_lay_line(l, sizeof *state);
        double *z = ph_lay_line(l, LANES * e->nz * sizeof *z), *p = ph_lay_line(l, LANES * e->np * sizeof *p),
               *own = ph_lay_line(l, size.carry * sizeof *own);
        if (!state)
            continue;
        *state = (ph_state){
            .z = z, .p = p, .carry = own, .nz = LANES * e->nz, .np = LANES * e->np, .ncarry = size.carry};
        e->group[i].state = state;
    }
}

/* Blocks of memory begin at a line. */
static void *line_in(void *block)
{
    return (void *)(((uintptr_t)block + 63) & ~(uintptr_t)63);
}

static ph_status no_memory(const ph_ensemble *e, ph_error *err)
{
    return ph_fail(err, PH_E_NO_MEMORY, "out of memory (%zu members)", e->members);
}

static void finish(const ph_ensemble *e, bench *b)
{
    if (b->begun && e->lanes->finish)
        e->lanes->finish(&b->context);
    b->begun = false;
}

/* The method prepares for the systems of the lanes. */
static ph_status begin(ph_ensemble *e, bench *b)
{
    finish(e, b);
    b->begun = true;
    return e->lanes->init ? e->lanes->init(&b->context) : PH_OK;
}

/* Groups and what they step with are given back. */
static void give_back(ph_ensemble *e)
{
    for (size_t i = 0; e->bench && i < benches(e); i++)
        finish(e, &e->bench[i]);
    for (size_t i = 0; e->group && !e->lanes && i < e->groups; i++) {
        ph_state_free(e->group[i].state);
        if (e->each && (i == 0 || e->group[i].single != e->group[i - 1].single))
            ph_integrator_free(e->group[i].single);
    }
    free(e->bench);
    free(e->group);
    free(e->memory);
    e->bench = NULL;
    e->group = NULL;
    e->memory = NULL;
    e->ready = e->set = false;
}

/* Groups with room for their states. */
static ph_status make_groups(ph_ensemble *e, ph_error *err)
{
    const size_t size = ph_ensemble_lanes(e);
    e->groups = (e->members + size - 1) / size;
    e->group = calloc(e->groups, sizeof *e->group);
    if (!e->group)
        return no_memory(e, err);
    for (size_t i = 0; i < e->groups; i++) {
        const size_t rest = e->members - i * size;
        e->group[i] = (group){.first = i * size, .count = rest < size ? rest : size};
    }
    if (!e->lanes)
        return PH_OK;
    ph_lay counted = {NULL, 0};
    lay_lanes(e, &counted);
    e->bench = calloc(benches(e), sizeof *e->bench);
    e->memory = calloc(1, counted.bytes + 64);
    if (!e->bench || !e->memory)
        return no_memory(e, err);
    ph_lay l = {line_in(e->memory), 0};
    lay_lanes(e, &l);
    for (size_t i = 0; i < e->groups; i++)
        e->group[i].bench = &e->bench[e->each ? i : 0];
    return PH_OK;
}

/* ---- Systems ---------------------------------------------------------------------------------------------------- */

/* *lanes <- by what the members step together, and what that needs; NULL: they do not. */
static ph_status find_lanes(const ph_ensemble *e, const ph_system *const *systems, const ph_method **lanes,
                            ph_method_size *size, ph_error *err)
{
    const ph_system *like = ph_integrator_system(e->like);
    const ph_method *method = ph_integrator_method(e->like);
    const double *options = ph_integrator_options(e->like);
    *size = (ph_method_size){0, 0};
    const unsigned needs = PH_PATH_LANES | PH_PATH_CARRY; /* lanes keep what they carry */
    *lanes = method->lanes && (ph_fast_paths() & needs) == needs
                 ? method->lanes(e->each ? systems[0] : like, options)
                 : NULL;
    if (e->each && *lanes && !(*lanes)->takes_systems)
        *lanes = NULL;
    if (*lanes)
        *size = (*lanes)->size(e->each ? systems[0] : like, options);
    for (size_t i = 0; e->each && i < e->members; i++) {
        if (i > 0 && systems[i] == systems[i - 1])
            continue;
        ph_status status = systems[i]
                               ? ph_check_shape(like, systems[i], i, err)
                               : ph_fail(err, PH_E_INVALID, "member %zu has no system (it is NULL)", i);
        ph_error why = {0};
        if (!status && (status = ph_method_supports(method, systems[i], &why)))
            ph_fail(err, status, "member %zu: %.400s", i, why.message);
        if (status)
            return status;
        if (!*lanes || i == 0)
            continue;
        const ph_method *own = method->lanes(systems[i], options);
        const ph_method_size needed = own == *lanes ? own->size(systems[i], options) : (ph_method_size){0, 0};
        if (needed.work != size->work || needed.carry != size->carry)
            *lanes = NULL;
    }
    return PH_OK;
}

/* The systems of a group's lanes: of its members, and of the first one in lanes without. */
static void place_systems(const ph_ensemble *e, group *g)
{
    for (size_t lane = 0; lane < LANES; lane++)
        g->bench->systems[lane] = e->systems[g->first + (lane < g->count ? lane : 0)];
    g->bench->context.system = g->bench->systems[0];
    g->mixed = false;
}

static ph_status prepare_lanes(ph_ensemble *e, ph_error *err)
{
    for (size_t i = 0; i < benches(e); i++) {
        group *g = &e->group[i];
        if (e->each)
            place_systems(e, g);
        const ph_status status = begin(e, g->bench);
        if (status)
            return e->each ? ph_fail(err, status, "members %zu to %zu: %.400s", g->first,
                                     g->first + g->count - 1, e->error.message)
                           : ph_fail(err, status, "%s", e->error.message);
    }
    return PH_OK;
}

/* An integrator, and a state of it, for each member; those of one system that follow each other share it. */
static ph_status prepare_singles(ph_ensemble *e, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < e->groups && !status; i++) {
        group *g = &e->group[i];
        ph_error why = {0};
        if (!e->each)
            g->single = e->like;
        else if (i > 0 && e->systems[i] == e->systems[i - 1])
            g->single = e->group[i - 1].single;
        else
            status = ph_integrator_like(e->like, e->systems[i], &g->single, &why);
        if (!status)
            status = ph_state_create(g->single, &g->state, &why);
        if (status)
            return ph_fail(err, status, "member %zu: %.400s", i, why.message);
    }
    return status;
}

/* Room for the admission of states. */
static ph_status make_room(ph_ensemble *e, ph_error *err)
{
    size_t most = e->work;
    for (size_t i = 0; i < (e->each ? e->members : 1); i++) {
        const size_t work =
            i > 0 && e->systems[i] == e->systems[i - 1] ? 0 : ph_admission_work(system_of(e, i));
        most = work > most ? work : most;
    }
    if (most == e->work)
        return PH_OK;
    free(e->fresh);
    e->fresh = malloc(most * sizeof *e->fresh);
    e->work = e->fresh ? most : 0;
    return e->fresh ? PH_OK : no_memory(e, err);
}

/* Members get these systems, or all that of the integrator. Memory of lanes is kept where they are as before. */
static ph_status bind_systems(ph_ensemble *e, const ph_system *const *systems, ph_error *err)
{
    const ph_method *lanes;
    ph_method_size size;
    e->ready = e->set = false;
    ph_status status = find_lanes(e, systems, &lanes, &size, err);
    if (status)
        return status;
    if (!(lanes && lanes == e->lanes && e->memory && size.work == e->size.work &&
          size.carry == e->size.carry)) {
        give_back(e);
        e->lanes = lanes;
        e->size = size;
    }
    if (e->each)
        memcpy(e->systems, systems, e->members * sizeof(*systems));
    if (!e->group)
        status = make_groups(e, err);
    if (!status)
        status = make_room(e, err);
    if (!status)
        status = e->lanes ? prepare_lanes(e, err) : prepare_singles(e, err);
    e->ready = !status;
    return status;
}

/* systems: NULL, all have that of the integrator. */
static ph_status create(const ph_integrator *integrator, const ph_system *const *systems, size_t members,
                        ph_ensemble **ensemble, ph_error *err)
{
    if (!integrator)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    if (!members)
        return ph_fail(err, PH_E_RANGE, "an ensemble has at least one member");
    ph_ensemble *e = calloc(1, sizeof *e);
    if (!e)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const ph_space *space = ph_system_space(ph_integrator_system(integrator));
    e->members = members;
    e->each = systems != NULL;
    e->h = ph_integrator_step_size(integrator);
    e->nz = ph_space_ambient(space);
    e->np = ph_space_momenta(space);
    ph_status status = ph_integrator_copy(integrator, e->h, &e->like, err);
    e->member = calloc(members, sizeof *e->member);
    e->z = calloc(members * e->nz, sizeof *e->z);
    e->p = calloc(members * e->np + 1, sizeof *e->p);
    e->given = calloc(e->nz + e->np, sizeof *e->given);
    e->systems = calloc(e->each ? members : 1, sizeof *e->systems);
    if (!status && !(e->member && e->z && e->p && e->given && e->systems))
        status = no_memory(e, err);
    if (!status)
        status = bind_systems(e, systems, err);
    if (status) {
        ph_ensemble_free(e);
        return status;
    }
    *ensemble = e;
    return PH_OK;
}

ph_status ph_ensemble_create(const ph_integrator *integrator, size_t members, ph_ensemble **ensemble,
                             ph_error *err)
{
    return create(integrator, NULL, members, ensemble, err);
}

ph_status ph_ensemble_create_each(const ph_integrator *integrator, const ph_system *const *systems,
                                  size_t members, ph_ensemble **ensemble, ph_error *err)
{
    if (!systems)
        return ph_fail(err, PH_E_INVALID,
                       "there are no systems (NULL); with that of the integrator for all "
                       "members an ensemble is created by ph_ensemble_create");
    return create(integrator, systems, members, ensemble, err);
}

ph_status ph_ensemble_set_systems(ph_ensemble *e, const ph_system *const *systems, ph_error *err)
{
    if (!e)
        return ph_not_created(err, "ensemble", "ph_ensemble_create_each");
    if (!e->each || !systems)
        return ph_fail(err, PH_E_INVALID,
                       e->each
                           ? "there are no systems (NULL)"
                           : "all members of this ensemble have the system of its integrator; "
                             "ph_ensemble_create_each creates one whose members have systems of their own");
    return bind_systems(e, systems, err);
}

void ph_ensemble_free(ph_ensemble *e)
{
    if (!e)
        return;
    give_back(e);
    ph_integrator_free(e->like);
    free(e->systems);
    free(e->member);
    free(e->z);
    free(e->p);
    free(e->given);
    free(e->fresh);
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

/* All of a group: lane `to` <- lane `from`. */
static void refill(const ph_ensemble *e, group *g, size_t from, size_t to)
{
    if (e->each && g->bench->systems[to] != g->bench->systems[from]) {
        g->bench->systems[to] = g->bench->systems[from];
        g->mixed = true;
    }
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
        e->lanes->synchronise(&g->bench->context, g->state);
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
            refill(e, g, well, lane);
    if (!g->mixed)
        return true;
    g->bench->context.system = g->bench->systems[0];
    status = begin(e, g->bench);
    for (size_t lane = 0; lane < g->count && status; lane++)
        if (!e->member[g->first + lane].failed)
            retire(e, g, lane, status, k);
    return !status;
}

/* ---- Setting --------------------------------------------------------------------------------------------------- */

/* A member's numbers into its lane, admitted. */
static ph_status admit(ph_ensemble *e, group *g, size_t lane, double t, const double *z, const double *p,
                       ph_admission admission, ph_error *err)
{
    const size_t i = g->first + lane, stride = ph_ensemble_lanes(e);
    const double *momentum;
    ph_error why = {0};
    for (size_t k = 0; k < e->nz; k++)
        e->given[k] = z[k * e->members + i];
    for (size_t k = 0; k < e->np; k++)
        e->given[e->nz + k] = p[k * e->members + i];
    const ph_status status =
        ph_admit(system_of(e, i), t, e->given, e->given + e->nz, false, admission, e->fresh, &momentum, &why);
    if (status)
        return ph_fail(err, status, "member %zu: %.400s", i, why.message);
    for (size_t k = 0; k < e->nz; k++)
        g->state->z[k * stride + lane] = e->fresh[k];
    for (size_t k = 0; k < e->np; k++)
        g->state->p[k * stride + lane] = momentum[k];
    return PH_OK;
}

/* All members of a group. */
static ph_status set_group(ph_ensemble *e, group *g, double t, const double *z, const double *p,
                           ph_admission admission, ph_error *err)
{
    ph_status status = PH_OK;
    if (g->mixed) { /* lanes have been copies of others */
        place_systems(e, g);
        status = begin(e, g->bench);
        if (status)
            return ph_fail(err, status, "%s", e->error.message);
    }
    for (size_t lane = 0; lane < g->count && !status; lane++)
        status = admit(e, g, lane, t, z, p, admission, err);
    g->well = g->count;
    ph_state_begin(g->state, t);
    for (size_t lane = g->count; lane < LANES && e->lanes && !status; lane++)
        refill(e, g, 0, lane);
    if (e->lanes)
        g->state->h = e->h;
    return status;
}

ph_status ph_ensemble_set(ph_ensemble *e, double t, const double *z, const double *p, ph_admission admission,
                          ph_error *err)
{
    if (!e)
        return ph_not_created(err, "ensemble", "ph_ensemble_create");
    if (!e->ready)
        return ph_fail(err, PH_E_INVALID,
                       "the systems of the members were refused (ph_ensemble_set_systems)");
    if (!isfinite(t))
        return ph_fail(err, PH_E_NOT_FINITE, "the time is %g; it must be finite", t);
    ph_status status = PH_OK;
    e->set = false;
    e->t0 = t;
    e->k = 0;
    e->message.message[0] = '\0';
    memset(e->member, 0, e->members * sizeof *e->member);
    for (size_t i = 0; i < e->groups && !status; i++)
        status = set_group(e, &e->group[i], t, z, p, admission, err);
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
        while ((status = e->lanes->step(&g->bench->context, state))) {
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
        e->lanes->synchronise(&g->bench->context, state);
}

static void step_single(ph_ensemble *e, group *g, int64_t n)
{
    if (!g->well)
        return;
    const ph_status status = ph_integrator_step(g->single, g->state, n);
    if (!status)
        return;
    note(e, g->first, ph_integrator_message(g->single));
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
