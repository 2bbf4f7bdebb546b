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
    if (u && u->library)
        dlclose(u->library);
    free(u);
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

static ph_status spin_hessian(void *user, double t, const double *z, double *blocks)
{
    return run(user, PH_PART_SPIN_HESSIAN, t, z, NULL, blocks);
}

static ph_status inertia(void *user, const double *z, double *M)
{
    return run(user, PH_PART_INERTIA, 0, z, NULL, M);
}

static ph_status inertia_dz(void *user, const double *z, double *dM)
{
    return run(user, PH_PART_INERTIA_DZ, 0, z, NULL, dM);
}

static ph_status lagrangian(void *user, double t, const double *z, const double *zdot, double *L)
{
    return run(user, PH_PART_LAGRANGIAN, t, z, zdot, L);
}

static ph_status slopes(void *user, double t, const double *z, const double *zdot, double *Lz, double *Lv)
{
    return run_at(user, PH_PART_SLOPES,
                  &(ph_tape_place){.t = t, .z = z, .v = zdot, .out = (double *[]){Lz, Lv}});
}

static ph_status curvatures(void *user, double t, const double *z, const double *zdot, double *Lzz,
                            double *Lvz, double *Lvv)
{
    return run_at(user, PH_PART_CURVATURES,
                  &(ph_tape_place){.t = t, .z = z, .v = zdot, .out = (double *[]){Lzz, Lvz, Lvv}});
}

static ph_status lagrangian_rate(void *user, double t, const double *z, const double *zdot, double *Lt,
                                 double *Lvt)
{
    ph_status status = run(user, PH_PART_L_RATE, t, z, zdot, Lt);
    return status ? status : run(user, PH_PART_LV_RATE, t, z, zdot, Lvt);
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

static ph_status columns(void *user, double t, const double *z, const double *zdot, double *out)
{
    return run(user, PH_PART_COLUMNS, t, z, zdot, out);
}

#define GENERATOR(i)                                                                                         \
    static ph_status generator_##i(void *user, const double *z, double *xi)                                  \
    {                                                                                                        \
        return run(user, PH_PART_GENERATOR + i, 0, z, NULL, xi);                                             \
    }
GENERATOR(0)
GENERATOR(1)
GENERATOR(2)
GENERATOR(3)
GENERATOR(4)
GENERATOR(5)
GENERATOR(6)
GENERATOR(7)

ph_generator_fn ph_formula_generator_of(size_t i)
{
    static const ph_generator_fn of[PH_FORMULA_SYMMETRIES] = {generator_0, generator_1, generator_2,
                                                              generator_3, generator_4, generator_5,
                                                              generator_6, generator_7};
    return of[i];
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
    d->spin_hessian = has[PH_PART_SPIN_HESSIAN] ? spin_hessian : NULL;
    d->inertia_dz = has[PH_PART_INERTIA_DZ] ? inertia_dz : NULL;
    const bool by_pairs = has[PH_PART_INERTIA] && ph_tape_outs(has[PH_PART_INERTIA]) < user->nz * user->nz;
    d->inertia_at = by_pairs ? inertia : NULL;
    d->ambient_inertia_at = has[PH_PART_INERTIA] && !by_pairs ? inertia : NULL;
    d->lagrangian = has[PH_PART_LAGRANGIAN] ? lagrangian : NULL;
    d->lagrangian_gradient = has[PH_PART_SLOPES] ? slopes : NULL;
    d->lagrangian_hessian = has[PH_PART_CURVATURES] ? curvatures : NULL;
    d->lagrangian_rate = has[PH_PART_L_RATE] ? lagrangian_rate : NULL;
    d->force = has[PH_PART_FORCE] ? force : NULL;
    d->force_dv = has[PH_PART_FORCE_DV] ? force_dv : NULL;
    d->constraint = has[PH_PART_CONSTRAINT] ? constraint : NULL;
    d->constraint_along = has[PH_PART_CONSTRAINT_ALONG] ? constraint_along : NULL;
    d->points = has[PH_PART_POINTS] ? points : NULL;
    d->columns = has[PH_PART_COLUMNS] ? columns : NULL;
}
