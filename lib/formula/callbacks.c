/* SPDX-License-Identifier: BSD-3-Clause */
/* The callbacks of systems of formulas: each runs its tape, or the C that was made of it. */
#include "callbacks.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void ph_formula_user_free(void *user)
{
    ph_formula_user *u = user;
    for (size_t i = 0; u && i < PH_PARTS; i++)
        ph_tape_free(u->part[i]);
    for (size_t k = 0; u && k < 3; k++)
        free(u->places[k]);
    if (u && u->library)
        dlclose(u->library);
    free(u);
}

size_t ph_formula_arrays(ph_formula_part part)
{
    return part == PH_PART_SLOPES ? 2 : part == PH_PART_CURVATURES ? 3 : 1;
}

bool ph_formula_adds(ph_formula_part part)
{
    return part == PH_PART_IN_TIME_DZ || part == PH_PART_FORCE || part == PH_PART_FORCE_DV;
}

static ph_status run_at(const ph_formula_user *u, ph_formula_part part, const ph_tape_place *at)
{
    if (u->compiled[part])
        u->compiled[part](&ph_tape_libm, ph_tape_known(u->part[part]), at);
    else
        ph_tape_run_at(u->part[part], at, ph_formula_arrays(part), ph_formula_adds(part));
    return PH_OK;
}

static ph_status run(const ph_formula_user *u, ph_formula_part part, double t, const double *z,
                     const double *zdot, double *to)
{
    return run_at(u, part, &(ph_tape_place){.t = t, .z = z, .v = zdot, .out = &to});
}

static ph_status potential(void *user, const double *z, double *U)
{
    return run(user, PH_PART_POTENTIAL, 0, z, NULL, U);
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    return run(user, PH_PART_GRADIENT, 0, z, NULL, dU);
}

static ph_status in_time(void *user, double t, const double *z, double *U)
{
    return run(user, PH_PART_IN_TIME, t, z, NULL, U);
}

static ph_status in_time_dz(void *user, double t, const double *z, double *dU)
{
    return run(user, PH_PART_IN_TIME_DZ, t, z, NULL, dU);
}

static ph_status in_time_rate(void *user, double t, const double *z, double *rate)
{
    return run(user, PH_PART_RATE, t, z, NULL, rate);
}

static ph_status inertia(void *user, const double *z, double *M)
{
    return run(user, PH_PART_INERTIA, 0, z, NULL, M);
}

static ph_status inertia_dz(void *user, const double *z, double *dM)
{
    return run(user, PH_PART_INERTIA_DZ, 0, z, NULL, dM);
}

static ph_status lagrangian(void *user, const double *z, const double *zdot, double *L)
{
    return run(user, PH_PART_LAGRANGIAN, 0, z, zdot, L);
}

static ph_status slopes(void *user, const double *z, const double *zdot, double *Lz, double *Lv)
{
    return run_at(user, PH_PART_SLOPES, &(ph_tape_place){.z = z, .v = zdot, .out = (double *[]){Lz, Lv}});
}

static ph_status curvatures(void *user, const double *z, const double *zdot, double *Lzz, double *Lvz,
                            double *Lvv)
{
    return run_at(user, PH_PART_CURVATURES,
                  &(ph_tape_place){.z = z, .v = zdot, .out = (double *[]){Lzz, Lvz, Lvv}});
}

static ph_status force(void *user, double t, const double *z, const double *zdot, double *f)
{
    return run(user, PH_PART_FORCE, t, z, zdot, f);
}

static ph_status force_dv(void *user, double t, const double *z, const double *zdot, double *dfdv)
{
    return run(user, PH_PART_FORCE_DV, t, z, zdot, dfdv);
}

static ph_status constraint(void *user, double t, const double *z, double *A, double *b)
{
    ph_status status = run(user, PH_PART_CONSTRAINT, t, z, NULL, A);
    return status ? status : run(user, PH_PART_CONSTRAINT_RATE, t, z, NULL, b);
}

static ph_status constraint_along(void *user, double t, const double *z, const double *zdot, double dt,
                                  const double *dz, double *rate)
{
    return run_at(user, PH_PART_CONSTRAINT_ALONG,
                  &(ph_tape_place){.t = t, .dt = dt, .z = z, .v = zdot, .dz = dz, .out = &rate});
}

static ph_status points(void *user, const double *z, double *x)
{
    return run(user, PH_PART_POINTS, 0, z, NULL, x);
}

static ph_status translate(const ph_formula_user *u, size_t k, double *xi)
{
    memset(xi, 0, u->n_momenta * sizeof *xi);
    for (size_t i = 0; i < u->translated[k]; i++)
        xi[u->places[k][i]] = 1;
    return PH_OK;
}

#define TRANSLATION(name, k)                                                                                 \
    static ph_status name(void *user, const double *z, double *xi)                                           \
    {                                                                                                        \
        (void)z;                                                                                             \
        return translate(user, k, xi);                                                                       \
    }
TRANSLATION(translation_1, 0)
TRANSLATION(translation_2, 1)
TRANSLATION(translation_3, 2)

ph_generator_fn ph_formula_translation(size_t k)
{
    static const ph_generator_fn along[] = {translation_1, translation_2, translation_3};
    return along[k];
}

void ph_formula_give_callbacks(ph_formula_user *user, ph_system_definition *d)
{
    ph_tape *const *has = user->part;
    d->user = user;
    d->user_free = ph_formula_user_free;
    d->potential = has[PH_PART_POTENTIAL] ? potential : NULL;
    d->gradient = has[PH_PART_GRADIENT] ? gradient : NULL;
    d->potential_in_time = has[PH_PART_IN_TIME] ? in_time : NULL;
    d->gradient_in_time = has[PH_PART_IN_TIME_DZ] ? in_time_dz : NULL;
    d->potential_rate = has[PH_PART_RATE] ? in_time_rate : NULL;
    d->inertia_dz = has[PH_PART_INERTIA_DZ] ? inertia_dz : NULL;
    const bool by_pairs = has[PH_PART_INERTIA] && ph_tape_outs(has[PH_PART_INERTIA]) < user->nz * user->nz;
    d->inertia_at = by_pairs ? inertia : NULL;
    d->ambient_inertia_at = has[PH_PART_INERTIA] && !by_pairs ? inertia : NULL;
    d->lagrangian = has[PH_PART_LAGRANGIAN] ? lagrangian : NULL;
    d->lagrangian_gradient = has[PH_PART_SLOPES] ? slopes : NULL;
    d->lagrangian_hessian = has[PH_PART_CURVATURES] ? curvatures : NULL;
    d->force = has[PH_PART_FORCE] ? force : NULL;
    d->force_dv = has[PH_PART_FORCE_DV] ? force_dv : NULL;
    d->constraint = has[PH_PART_CONSTRAINT] ? constraint : NULL;
    d->constraint_along = has[PH_PART_CONSTRAINT_ALONG] ? constraint_along : NULL;
    d->points = has[PH_PART_POINTS] ? points : NULL;
}
