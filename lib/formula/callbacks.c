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
        u->compiled[part](&ph_tape_elementary, ph_tape_known(u->part[part]), at);
    else
        ph_tape_run_at(u->part[part], at, ph_formula_arrays(part), ph_formula_adds(part));
    return PH_OK;
}

static ph_status run(const ph_formula_user *u, ph_formula_part part, double t, const double *z,
                     const double *zdot, double *to)
{
    return run_at(u, part, &(ph_tape_place){.t = t, .z = z, .v = zdot, .out = &to});
}

/* Those that run one tape for one array. */
#define BY_PLACE(name, part)                                                                                 \
    static ph_status name(void *user, const double *z, double *out)                                          \
    {                                                                                                        \
        return run(user, part, 0, z, NULL, out);                                                             \
    }
#define BY_TIME(name, part)                                                                                  \
    static ph_status name(void *user, double t, const double *z, double *out)                                \
    {                                                                                                        \
        return run(user, part, t, z, NULL, out);                                                             \
    }
#define BY_MOTION(name, part)                                                                                \
    static ph_status name(void *user, double t, const double *z, const double *zdot, double *out)            \
    {                                                                                                        \
        return run(user, part, t, z, zdot, out);                                                             \
    }
BY_PLACE(potential, PH_PART_POTENTIAL)
BY_PLACE(gradient, PH_PART_GRADIENT)
BY_PLACE(inertia, PH_PART_INERTIA)
BY_PLACE(inertia_dz, PH_PART_INERTIA_DZ)
BY_TIME(points, PH_PART_POINTS)
BY_TIME(in_time, PH_PART_IN_TIME)
BY_TIME(in_time_dz, PH_PART_IN_TIME_DZ)
BY_TIME(in_time_rate, PH_PART_RATE)
BY_TIME(spin_hessian, PH_PART_SPIN_HESSIAN)
BY_MOTION(lagrangian, PH_PART_LAGRANGIAN)
BY_MOTION(force, PH_PART_FORCE)
BY_MOTION(force_dv, PH_PART_FORCE_DV)
BY_MOTION(columns, PH_PART_COLUMNS)

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

/* Of systems whose formulas differ by the values of their parameters alone. */
static bool in_lanes(void *const *users, ph_lanes_part which, size_t count, const double *t, const double *z,
                     const double *zdot, double *out)
{
    static const ph_formula_part parts[] = {[PH_LANES_GRADIENT] = PH_PART_GRADIENT,
                                            [PH_LANES_GRADIENT_IN_TIME] = PH_PART_IN_TIME_DZ,
                                            [PH_LANES_FORCE] = PH_PART_FORCE,
                                            [PH_LANES_FORCE_DV] = PH_PART_FORCE_DV,
                                            [PH_LANES_LAGRANGIAN_GRADIENT] = PH_PART_SLOPES};
    const ph_tape *tapes[PH_TAPE_LANES];
    for (size_t l = 0; l < PH_TAPE_LANES; l++) {
        const ph_formula_user *u = users[l];
        tapes[l] = u->part[parts[which]];
        if (!out && !ph_tape_alike(tapes[l], tapes[0]))
            return false;
    }
    if (out)
        ph_tape_run_lanes(tapes, count, t, z, zdot, ph_formula_adds(parts[which]), out);
    return true;
}

#define GENERATOR(i) BY_PLACE(generator_##i, PH_PART_GENERATOR + i)
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
    d->lanes = in_lanes;
}
