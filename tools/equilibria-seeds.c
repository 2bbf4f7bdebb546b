/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts for the search of polhode equilibria: random configurations, and the families that begin at rest. Near an
 * equilibrium at rest on the axis, V_mu = |x|^2 omega^2 / 2 + mu^2 / (2 |x|^2) in a normal mode of frequency omega: small
 * circular oscillations with mu = omega |x|^2. They are found with a small momentum and followed to the one asked for,
 * which reaches what random starts rarely do. */
#include "equilibria.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* At rest so many are looked at; in each mode so many directions are tried, with oscillations of this angle [rad]. */
enum { REST_MOST = 32, DIRECTIONS = 8, POINTS_MOST = 300 };
static const double amplitude = 0.1, point_step = 0.1;

/* ---- Random configurations -------------------------------------------------------------------------------- */

/* SplitMix64: the same starts on every machine. */
static double uniform(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return ((double)((x ^ (x >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
    const double r = sqrt(-2 * log(uniform(state)));
    return r * cos(2 * acos(-1) * uniform(state));
}

/* z <- directions at random; on R^d, and on embedded manifolds, somewhere about the initial configuration. */
ph_status equilibria_draw_start(const ph_space *space, const double *initial, uint64_t *state, double *z)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const bool near = f->kind == PH_FACTOR_R || f->kind == PH_FACTOR_EMBEDDED;
        double size = 0;
        for (size_t k = 0; k < f->nz; k++)
            size = fmax(size, fabs(initial[f->z + k]));
        for (size_t k = 0; k < f->nz; k++)
            z[f->z + k] = near ? initial[f->z + k] + (size > 0 ? size : 1) * normal(state) : normal(state);
    }
    return ph_space_project(space, z);
}

/* ---- Families that begin at rest -------------------------------------------------------------------------- */

/* v <- a random tangent vector at z, of kinetic energy 1/2; *inertia <- its mean inertia, that of a unit vector. */
static ph_status draw_direction(const findings *f, const double *z, uint64_t *state, double *v,
                                double *inertia, double *work)
{
    const ph_space *space = ph_system_space(f->system);
    const size_t nz = ph_space_ambient(space);
    double kinetic, potential, square = 0;
    for (size_t l = 0; l < nz; l++)
        v[l] = normal(state);
    ph_space_project_tangent(space, z, v);
    ph_status status = ph_system_energy(f->system, 0, z, v, &kinetic, &potential, work);
    for (size_t l = 0; l < nz && !status; l++) {
        square += v[l] * v[l];
        v[l] /= sqrt(2 * kinetic);
    }
    *inertia = 2 * kinetic / square;
    return status;
}

typedef struct seeding {
    findings *f;
    findings
        small; /* what was found with a small momentum in one mode, so that no family is followed twice */
    double *z, *v, *work;
    ph_equilibrium *found;
    uint64_t state;
} seeding;

static void forget(findings *small)
{
    for (size_t i = 0; i < small->n; i++)
        free(small->at[i]);
    free(small->at);
    small->at = NULL;
    small->n = 0;
}

static bool keep_last(void *user, const ph_equilibrium *at, ph_family_mark mark)
{
    seeding *s = user;
    (void)mark;
    ph_equilibrium_copy(s->f->workspace, at, s->found);
    return !*signal_flag();
}

/* Follow what was found with a small momentum to the one asked for, and keep where it arrives. */
static ph_status follow_seed(seeding *s, const ph_equilibrium *from, ph_error *err)
{
    ph_family_end end;
    const ph_family_plan plan = {.symmetry = 0,
                                 .from = from->momentum[0] / 2,
                                 .to = s->f->momentum,
                                 .step = point_step,
                                 .most = POINTS_MOST};
    if (ph_equilibria_follow(s->f->workspace, from, &plan, keep_last, s, &end, NULL))
        return PH_OK; /* it cannot be followed: nothing is lost but a start */
    ph_status status = equilibria_interrupted("in the search", err);
    if (status)
        return status;
    if (end != PH_FAMILY_REACHED || s->found->momentum[0] != s->f->momentum ||
        equilibria_is_known(s->f, s->found))
        return PH_OK;
    return equilibria_keep(s->f, s->found, err);
}

/* One mode of an equilibrium at rest: its frequency. */
static ph_status seed_mode(seeding *s, const ph_equilibrium *rest, double frequency, ph_error *err)
{
    findings *f = s->f;
    const ph_space *space = ph_system_space(f->system);
    double inertia, momentum = 0;
    ph_status status = PH_OK;
    for (int i = 0; i < DIRECTIONS && !status; i++) {
        status = equilibria_interrupted("in the search", err);
        if (status)
            break;
        if (draw_direction(f, rest->z, &s->state, s->v, &inertia, s->work))
            break;
        if (!i)
            momentum = copysign(fmin(frequency * amplitude * amplitude * inertia, 0.5 * fabs(f->momentum)),
                                f->momentum);
        for (size_t l = 0; l < ph_space_ambient(space); l++)
            s->v[l] *= sqrt(fabs(momentum) / frequency);
        ph_space_exp(space, rest->z, s->v, s->z);
        if (ph_equilibria_find(f->workspace, s->z, &momentum, s->found, NULL) ||
            equilibria_is_known(&s->small, s->found))
            continue;
        status = equilibria_keep(&s->small, s->found, err);
    }
    for (size_t i = 0; i < s->small.n && !status; i++)
        status = follow_seed(s, s->small.at[i], err);
    forget(&s->small);
    return status;
}

static ph_status seed_rest(seeding *s, const ph_equilibrium *rest, ph_error *err)
{
    ph_status status = PH_OK;
    double before = 0;
    for (size_t i = 0; i < rest->modes && !status; i++) {
        const double square = rest->curvature[i]; /* ascending: equal ones are neighbours */
        if (square > 1e-9 * fabs(rest->curvature[rest->modes - 1]) && square > 1.0001 * before)
            status = seed_mode(s, rest, sqrt(square), err);
        before = square;
    }
    return status;
}

ph_status equilibria_seed(findings *f, int64_t starts, progress *shown, ph_error *err)
{
    const ph_space *space = ph_system_space(f->system);
    const size_t nz = ph_space_ambient(space);
    const double none = 0;
    findings rest = *f;
    rest.at = NULL;
    rest.n = 0;
    seeding s = {.f = f, .small = rest, .state = 2};
    s.z = malloc((2 * nz + ph_system_work(f->system)) * sizeof *s.z);
    s.found = ph_equilibrium_create(f->workspace);
    ph_status status = s.z && s.found ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s.v = s.z + nz;
    s.work = s.v + nz;
    for (int64_t i = 0; i < starts && rest.n < REST_MOST && !status; i++) {
        status = equilibria_interrupted("in the search", err);
        if (!status && !equilibria_draw_start(space, ph_scenario_configuration(f->scenario), &s.state, s.z) &&
            !ph_equilibria_find(f->workspace, s.z, &none, s.found, NULL) &&
            !equilibria_is_alike(&rest, s.found))
            status = equilibria_keep(&rest, s.found, err);
    }
    for (size_t i = 0; i < rest.n && !status; i++) {
        status = seed_rest(&s, rest.at[i], err);
        progress_show(shown, NAN, (int64_t)i + 1, (int64_t)rest.n, NULL);
    }
    for (size_t i = 0; i < rest.n; i++)
        free(rest.at[i]);
    free(rest.at);
    free(s.z);
    free(s.found);
    return status;
}
