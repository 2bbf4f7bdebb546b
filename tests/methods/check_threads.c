/* SPDX-License-Identifier: BSD-3-Clause */
/* One const system and eight threads: each thread has an integrator, states, diagnostics, an ensemble and a motion of its own, begins at
 * the same moment as the others on a system that nobody has used before, and ends with the bits that one thread has. Systems of every
 * kind: the models of the catalogue, formulas, embedded manifolds, Lagrangians of every form, sparse inertias and spins, by all methods
 * that take them. `scripts/check-analyzers` runs this under ThreadSanitizer, which sees a write that is not the thread's own even where
 * it changes nothing. */
#include "tests/kit/embeddings.h"
#include "tests/kit/lagsystem.h"
#include "tests/kit/spinkit.h"
#include "tests/methods/variants.h"
#include "tests/system/nets.h"

#include <polhode/diagnostics.h>
#include <polhode/domain/formula.h>
#include <polhode/ensemble.h>
#include <polhode/motion.h>

#include <pthread.h>

enum { THREADS = 8, STEPS = 12, MEMBERS = 8 };

/* ---- Systems --------------------------------------------------------------------------------------------- */

/* What callbacks read, which stays where it is. */
static cs_system lagrangian;
static mult_system described;
static net sparse;

static ph_system *of_formulas(double *z, double *zdot)
{
    static const double mass[] = {2}, start[] = {0.3, 1, 0, 0}, velocity[] = {0.1, 0, 0.7, -0.4};
    const ph_formula_parameter parameter = {"m", 0, 1, 1, mass, NULL};
    const ph_formula_line space[] = {{"x", "R1", NULL}, {"q", "S2", NULL}},
                          where = {"p", "[x, 0, 0] + 0.8*q", NULL};
    const ph_formula_definition d = {.space = space,
                                     .n_space = 2,
                                     .parameters = &parameter,
                                     .n_parameters = 1,
                                     .where = &where,
                                     .n_where = 1,
                                     .kinetic = "m/2*xdot^2 + dot(d(p), d(p))/2",
                                     .potential = "9.81*p.z + sin(t)*x^2",
                                     .dissipation = "0.1*xdot^2"};
    ph_system *system = NULL;
    tk_ok(ph_formula_system_create(&d, &system, NULL, tk_err));
    memcpy(z, start, sizeof start);
    memcpy(zdot, velocity, sizeof velocity);
    return system;
}

static ph_system *of_net(double *z, double *zdot)
{
    tk_random r = {81};
    net_fill(&sparse, GRID, 9, 0.5, &r);
    TK_OWN(ph_space) *space = net_space(&sparse, 3, false);
    ph_system *system = net_system(&sparse, space, true);
    tk_random_motion(system, &r, z, zdot);
    return system;
}

static ph_system *of_spins(bool declared, double *z, double *zdot)
{
    tk_random r = {82};
    sk_random_spins(&r, 6, z);
    memset(zdot, 0, 18 * sizeof *zdot);
    return sk_random(6, declared, true, &r);
}

/* Of a Lagrangian in any form, on a set of any kind; given: lag_given. */
static ph_system *of_lagrangian(cs_set set, cs_kind kind, lag_given given, bool by_projection, double *z,
                                double *zdot)
{
    tk_random r = {83};
    described = cs_random(&lagrangian, set, 2, kind, &r);
    cs_point(&described, &r, z, zdot);
    return lag_create(&described, given, by_projection);
}

enum { FORMULAS, NET, DECLARED, CALLED, PAIRS, AMBIENT, HESSIAN, GRADIENT, COMPLEX, VALUES, PROJECTED, OWN };
static const char *const own_names[OWN] = {"formulas", "a net",       "declared spins", "spins",
                                           "pairs",    "an inertia",  "a Hessian",      "a gradient",
                                           "complex",  "L by values", "a projection"};

static size_t systems(void)
{
    return OWN + ph_models();
}

static const char *system_name(size_t i)
{
    return i < OWN ? own_names[i] : ph_model_at(i - OWN)->name;
}

/* A new one, and a motion of it. */
static ph_system *make(size_t i, double *z, double *zdot)
{
    switch (i) {
    case FORMULAS:
        return of_formulas(z, zdot);
    case NET:
        return of_net(z, zdot);
    case DECLARED:
        return of_spins(true, z, zdot);
    case CALLED:
        return of_spins(false, z, zdot);
    case PAIRS:
        return of_lagrangian(CS_SPHERES, CS_QUADRATIC, CS_GIVEN_PAIRS, false, z, zdot);
    case AMBIENT:
        return of_lagrangian(CS_PRODUCT, CS_AMBIENT, CS_GIVEN_AMBIENT, false, z, zdot);
    case HESSIAN:
        return of_lagrangian(CS_SURFACE, CS_GENERAL, CS_GIVEN_HESSIAN, false, z, zdot);
    case GRADIENT:
        return of_lagrangian(CS_CIRCLE, CS_GENERAL, CS_GIVEN_GRADIENT, false, z, zdot);
    case COMPLEX:
        return of_lagrangian(CS_CIRCLE, CS_GENERAL, CS_GIVEN_COMPLEX, false, z, zdot);
    case VALUES:
        return of_lagrangian(CS_CIRCLE, CS_GENERAL, CS_GIVEN_VALUES, false, z, zdot);
    case PROJECTED:
        return of_lagrangian(CS_CODIM2, CS_AMBIENT, CS_GIVEN_AMBIENT, true, z, zdot);
    default:
        break;
    }
    const ph_model *model = ph_model_at(i - OWN);
    return tk_build_at(model->name, NULL, 0, model->presets[0].name, z, zdot);
}

/* ---- Motions --------------------------------------------------------------------------------------------- */

enum { ROOM = 600 };

typedef struct motion {
    const ph_system *system;
    const variant *by;
    const double *z, *zdot;
    pthread_barrier_t *together; /* NULL: alone */
    size_t which;                /* of the threads: it steps so many times more */
    ph_status status;            /* of the steps */
    bool failed;                 /* to begin */
    uint64_t hash;               /* of all numbers */
} motion;

static void hash_more(motion *m, const void *numbers, size_t size)
{
    const unsigned char *byte = numbers;
    for (size_t i = 0; i < size; i++)
        m->hash = (m->hash ^ byte[i]) * 0x100000001b3u;
}

/* Eight states that step together, where the method has lanes. */
static void follow_ensemble(motion *m, const ph_integrator *it, const ph_state *state)
{
    TK_OWN(ph_ensemble) *ensemble = NULL;
    TK_MEMORY double *z = malloc(MEMBERS * 2 * (state->nz + state->np) * sizeof *z);
    double *p = z + MEMBERS * state->nz;
    if (!z || ph_ensemble_create(it, MEMBERS, &ensemble, NULL) || ph_ensemble_lanes(ensemble) == 1)
        return;
    for (size_t i = 0; i < state->nz * MEMBERS; i++)
        z[i] = state->z[i / MEMBERS];
    for (size_t i = 0; i < state->np * MEMBERS; i++)
        p[i] = state->p[i / MEMBERS];
    m->failed |= ph_ensemble_set(ensemble, state->t, z, p, PH_STRICT, NULL) != PH_OK;
    ph_ensemble_step(ensemble, 3);
    ph_ensemble_get(ensemble, z, p);
    hash_more(m, z, MEMBERS * state->nz * sizeof *z);
    hash_more(m, p, MEMBERS * state->np * sizeof *p);
}

/* No assertion here: Check's leave by a jump, which is the main thread's. */
static void *follow(void *of)
{
    motion *m = of;
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL;
    TK_OWN(ph_diagnostics) *d = NULL;
    const ph_setting setting = {m->by->setting.name, m->by->value};
    ph_measures measures;
    memset(&measures, 0, sizeof measures);
    m->hash = 0xcbf29ce484222325u;
    if (m->together)
        pthread_barrier_wait(m->together);
    m->failed =
        ph_integrator_create(m->system, m->by->method, 0.002, &setting, m->by->n_settings, &it, NULL) ||
        ph_state_create(it, &state, NULL) ||
        ph_state_set_velocity(it, state, 0, m->z, m->zdot, PH_STRICT, NULL) ||
        ph_diagnostics_create(m->system, &d, NULL);
    if (m->failed)
        return NULL;
    follow_ensemble(m, it, state);
    m->status = ph_integrator_step(it, state, STEPS + (int64_t)m->which);
    m->failed |= ph_diagnostics_measure(d, state, &measures) != PH_OK;
    hash_more(m, state->z, state->nz * sizeof *state->z);
    hash_more(m, state->p, state->np * sizeof *state->p);
    hash_more(m, &measures.energy, sizeof measures.energy);
    return NULL;
}

/* How many motions of this system by this method; 0 where it is not taken. */
static size_t follow_all(size_t i, const variant *v)
{
    static double z[ROOM], zdot[ROOM];
    TK_OWN(ph_system) *tried = make(i, z, zdot);
    if (ph_space_ambient(ph_system_space(tried)) > ROOM || ph_method_supports(v->method, tried, NULL))
        return 0;
    TK_OWN(ph_system) *system = make(i, z, zdot); /* of which nothing has been asked */
    pthread_barrier_t together;
    pthread_t thread[THREADS];
    motion ours[THREADS];
    ck_assert(!pthread_barrier_init(&together, NULL, THREADS));
    for (size_t k = 0; k < THREADS; k++) {
        ours[k] =
            (motion){.system = system, .by = v, .z = z, .zdot = zdot, .together = &together, .which = k};
        ck_assert(!pthread_create(&thread[k], NULL, follow, &ours[k]));
    }
    for (size_t k = 0; k < THREADS; k++)
        ck_assert(!pthread_join(thread[k], NULL));
    pthread_barrier_destroy(&together);
    for (size_t k = 0; k < THREADS; k++) {
        motion alone = ours[k];
        alone.together = NULL;
        follow(&alone);
        ck_assert_msg(alone.failed == ours[k].failed && alone.status == ours[k].status &&
                          alone.hash == ours[k].hash,
                      "%s by %s, thread %zu: %d %s %llx, alone %d %s %llx", system_name(i), v->name, k,
                      ours[k].failed, ph_status_name(ours[k].status), (unsigned long long)ours[k].hash,
                      alone.failed, ph_status_name(alone.status), (unsigned long long)alone.hash);
    }
    return ours[0].failed ? 0 : THREADS;
}

TEST(systems_are_shared)
{
    static variant v[VARIANTS];
    const size_t n = variant_list(v), wanted = tk_thorough() ? 10 : tk_short() ? 2 : 4;
    size_t motions = 0, taken = 0;
    for (size_t i = 0; i < systems(); i++) {
        size_t of_this = 0;
        for (size_t k = 0; k < n && of_this < wanted * THREADS;
             k++) /* of all families, others on each system */
            of_this += follow_all(i, &v[(5 * i + 37 * k) % n]);
        motions += of_this;
        taken += of_this > 0;
    }
    printf("%zu motions in %d threads, of %zu systems out of %zu\n", motions, THREADS, taken, systems());
    ck_assert_uint_eq(taken, systems());
}

int main(void)
{
    return tk_run("threads");
}
