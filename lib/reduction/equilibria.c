/* SPDX-License-Identifier: BSD-3-Clause */
/* Relative equilibria (polhode/domain/equilibria.h): workspaces, and Newton's iteration on dV_mu = 0 in the horizontal
 * space, H x = -r, z <- exp(z, sum_i x_i W_i), with steps of at most 0.3. */
#include "equilibria.h"
#include "lib/system/generator.h"

#include <polhode/constraints.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include "lib/internal/missing.h"
#include "lib/system/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 100 };
static const double longest_step = 0.3;

/* ---- Workspaces ---------------------------------------------------------------------------------------- */

static ph_equilibrium *lay_equilibrium(size_t nz, size_t nx, ph_lay *l)
{
    ph_equilibrium *found = ph_lay_bytes(l, sizeof *found);
    double *arrays = ph_lay_doubles(l, 2 * nz + 5 * nx);
    if (!l->base)
        return NULL;
    *found = (ph_equilibrium){.z = arrays};
    found->zdot = arrays + nz;
    found->curvature = found->zdot + nz;
    found->real = found->curvature + nx;
    found->imaginary = found->real + 2 * nx;
    return found;
}

static void lay_arrays(ph_equilibria *e, ph_lay *l)
{
    const size_t nz = e->nz, n = e->nx, k = e->k, N = n + 1;
    double **const arrays[] = {&e->zeta,    &e->c,      &e->W,     &e->Lz,     &e->v,
                               &e->inertia, &e->values, &e->r,     &e->H,      &e->G,
                               &e->B,       &e->S,      &e->x,     &e->y,      &e->work,
                               &e->pencil,  &e->point,  &e->moved, &e->slopes, &e->momenta};
    const size_t sizes[] = {k * nz,
                            k * nz,
                            n * nz,
                            nz,
                            nz,
                            n * n,
                            2 * nz + k,
                            n,
                            n * n,
                            n * n,
                            n * k,
                            N * N + n * k,
                            N,
                            N,
                            ph_system_work(e->system),
                            4 * n * n + 4 * n,
                            nz,
                            nz,
                            2 * nz + k,
                            ph_space_momenta(e->space)};
    ph_frame_lay(&e->frame, e->space, l);
    ph_frame_lay(&e->there, e->space, l);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        *arrays[i] = ph_lay_doubles(l, sizes[i]);
    e->differences = ph_lay_doubles(l, ph_differentiate_work(2 * nz + k));
    e->inner = ph_lay_doubles(l, 2 * nz + ph_differentiate_work(nz));
    e->lapack_size = ph_judge_work(n);
    e->lapack = ph_lay_doubles(l, (size_t)e->lapack_size);
    e->pivot = ph_lay_bytes(l, N * sizeof *e->pivot);
    e->spare = lay_equilibrium(nz, n, l);
}

/* Does the system have what is needed? */
static ph_status admit(const ph_system *s, const size_t *symmetries, size_t n, ph_error *err)
{
    const char *bare = ph_structure_of(s)->no_velocities;
    if (bare)
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "relative equilibria are sought of systems with a kinetic energy and a potential; %s",
                       bare);
    if (ph_system_kind(s) == PH_LAGRANGIAN_GENERAL || ph_system_constraints(s) || ph_system_has_force(s) ||
        !ph_system_is_dense(s))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "relative equilibria are sought of systems with a quadratic kinetic energy and a potential; this "
            "one has %s",
            ph_system_kind(s) == PH_LAGRANGIAN_GENERAL ? "a general Lagrangian"
            : ph_system_constraints(s)                 ? "velocity constraints"
            : ph_system_depends_on_time(s)             ? "a potential that depends on time"
            : ph_system_has_force(s)                   ? "forces without a potential"
                                     : "too many factors for the dense matrices that are used");
    if (n > PH_EQUILIBRIA_MOST)
        return ph_fail(err, PH_E_RANGE, "%zu symmetries are too many; there can be %d", n,
                       PH_EQUILIBRIA_MOST);
    for (size_t a = 0; a < n; a++) {
        if (!ph_system_symmetry(s, symmetries[a]))
            return ph_fail(err, PH_E_RANGE, "there is no symmetry number %zu; the system has %zu",
                           symmetries[a], ph_system_symmetries(s));
        for (size_t b = 0; b < a; b++)
            if (symmetries[a] == symmetries[b])
                return ph_fail(err, PH_E_INVALID, "the symmetry %s is given twice",
                               ph_system_symmetry(s, symmetries[a])->name);
    }
    return PH_OK;
}

/* Do the generators commute, [zeta_a, zeta_b] = D_a zeta_b - D_b zeta_a = 0, at a point in general position? */
static ph_status check_commuting(ph_equilibria *e, ph_error *err)
{
    double *z = e->spare->z, *bracket = e->spare->zdot;
    for (size_t l = 0; l < e->nz; l++)
        z[l] = ph_sin(1.7 * (double)l + 0.3);
    ph_status status = ph_space_project(e->space, z);
    for (size_t a = 0; a < e->k && !status; a++)
        for (size_t b = 0; b < a && !status; b++) {
            status = ph_local_bracket(e, z, a, b, bracket);
            if (!status && ph_max_norm(bracket, e->nz) > 1e-8)
                return ph_fail(err, PH_E_INVALID, "the symmetries %s and %s do not commute; give one of them",
                               ph_system_symmetry(e->system, e->symmetry[b])->name,
                               ph_system_symmetry(e->system, e->symmetry[a])->name);
        }
    return status ? ph_local_explain(e, z, status, err) : PH_OK;
}

ph_status ph_equilibria_create(const ph_system *system, const size_t *symmetries, size_t n,
                               ph_equilibria **equilibria, ph_error *err)
{
    *equilibria = NULL;
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    ph_status status = admit(system, symmetries, n, err);
    if (status)
        return status;
    ph_equilibria shape = {.system = system, .space = ph_system_space(system), .k = n};
    shape.nz = ph_space_ambient(shape.space);
    shape.nx = ph_space_dimension(shape.space);
    for (size_t a = 0; a < n; a++)
        shape.symmetry[a] = symmetries[a];
    ph_lay l = {NULL, 0};
    ph_lay_bytes(&l, sizeof shape);
    lay_arrays(&shape, &l);
    ph_equilibria *e = calloc(1, l.bytes);
    if (!e)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    l = (ph_lay){(unsigned char *)e, 0};
    ph_lay_bytes(&l, sizeof shape);
    *e = shape;
    lay_arrays(e, &l);
    status = check_commuting(e, err);
    if (status)
        free(e);
    else
        *equilibria = e;
    return status;
}

void ph_equilibria_free(ph_equilibria *e)
{
    free(e);
}

ph_equilibrium *ph_equilibrium_create(const ph_equilibria *e)
{
    ph_lay l = {NULL, 0};
    lay_equilibrium(e->nz, e->nx, &l);
    l = (ph_lay){calloc(1, l.bytes), 0};
    return l.base ? lay_equilibrium(e->nz, e->nx, &l) : NULL;
}

void ph_equilibrium_copy(const ph_equilibria *e, const ph_equilibrium *from, ph_equilibrium *to)
{
    ph_equilibrium places = *to;
    memcpy(to->z, from->z, (2 * e->nz + 5 * e->nx) * sizeof *to->z);
    *to = *from;
    to->z = places.z;
    to->zdot = places.zdot;
    to->curvature = places.curvature;
    to->real = places.real;
    to->imaginary = places.imaginary;
}

/* ---- Newton's iteration --------------------------------------------------------------------------------- */

ph_status ph_equilibrium_fill(ph_equilibria *e, const double *z, const double *mu, size_t iterations,
                              ph_equilibrium *found)
{
    double kinetic = 0, potential = 0;
    memmove(found->z, z, e->nz * sizeof *z);
    memset(found->zdot, 0, e->nz * sizeof *z);
    ph_status status = PH_OK;
    for (size_t a = 0; a < e->k && !status; a++) {
        found->momentum[a] = mu[a];
        found->rate[a] = e->xi[a];
        status = ph_generator_at(e->system, e->symmetry[a], z, e->v, e->momenta);
        for (size_t l = 0; l < e->nz; l++)
            found->zdot[l] += e->xi[a] * e->v[l];
    }
    if (!status)
        status = ph_system_energy(e->system, 0, z, found->zdot, &kinetic, &potential, e->work);
    if (!status)
        status = ph_judge(e, found);
    double longest = 0;
    for (size_t i = 0; i < e->m; i++)
        longest = fmax(longest, ph_max_norm(e->W + i * e->nz, e->nz));
    found->energy = kinetic + potential;
    found->iterations = iterations;
    found->residual = e->scale * longest > 0 ? ph_max_norm(e->r, e->m) / (e->scale * longest) : 0;
    return status;
}

/* z <- the critical point, *mu fixed; the local data are those there. */
static ph_status iterate(ph_equilibria *e, double *z, const double *mu, size_t *iterations)
{
    double before = INFINITY;
    for (*iterations = 0; *iterations < ITERATIONS; ++*iterations) {
        ph_status status = ph_local_all(e, z, mu);
        if (!status)
            status = ph_newton_step(e, e->x);
        if (status)
            return status;
        double *u = e->v;
        const double size = ph_local_vector(e, e->x, u);
        if (!isfinite(size))
            return PH_E_NOT_FINITE;
        /* as small as rounding makes it, or no smaller than the one before */
        if (size <= 4e-16 || (size < 1e-7 && size >= 0.5 * before))
            return PH_OK;
        before = size;
        for (size_t l = 0; l < e->nz && size > longest_step; l++)
            u[l] *= longest_step / size;
        ph_space_exp(e->space, z, u, e->point);
        memcpy(z, e->point, e->nz * sizeof *z);
        ph_space_correct(e->space, z);
    }
    return PH_E_NO_CONVERGENCE;
}

ph_status ph_equilibria_find(ph_equilibria *e, const double *z, const double *momentum, ph_equilibrium *found,
                             ph_error *err)
{
    if (!e)
        return ph_not_created(err, "workspace", "ph_equilibria_create");
    size_t iterations;
    double *at = e->spare->z;
    for (size_t a = 0; a < e->k; a++)
        if (!isfinite(momentum[a]))
            return ph_fail(err, PH_E_NOT_FINITE, "the momentum of the symmetry %s is %g; it must be finite",
                           ph_system_symmetry(e->system, e->symmetry[a])->name, momentum[a]);
    memcpy(at, z, e->nz * sizeof *z);
    ph_status status = iterate(e, at, momentum, &iterations);
    if (!status)
        status = ph_equilibrium_fill(e, at, momentum, iterations, e->spare);
    if (status == PH_E_NO_CONVERGENCE)
        return ph_fail(err, status,
                       "no relative equilibrium with this momentum was found from there in %d iterations; "
                       "another start, or another momentum, may lead to one",
                       ITERATIONS);
    if (status)
        return ph_local_explain(e, at, status, err);
    ph_equilibrium_copy(e, e->spare, found);
    return PH_OK;
}

/* ---- Up to the symmetries -------------------------------------------------------------------------------- */

/* z <- turned about the axis, so that it is as near to `to` as that brings it; work (2 nz). */
static void align(const ph_space *space, const double axis[3], const double *to, double *z, double *work)
{
    const size_t nz = ph_space_ambient(space);
    const double size = ph_norm3(axis), unit[3] = {axis[0] / size, axis[1] / size, axis[2] / size};
    double *once = work, *twice = work + nz; /* Z z, Z Z z = -(the part of z that turns) */
    ph_turn_about(space, unit, z, once);
    ph_turn_about(space, unit, once, twice);
    const double y = ph_dot(to, once, nz), x = -ph_dot(to, twice, nz), r = ph_hypot(x, y);
    if (!(r > 0))
        return;
    for (size_t l = 0; l < nz; l++)
        z[l] += y / r * once[l] + (1 - x / r) * twice[l];
}

ph_status ph_equilibria_distance(ph_equilibria *e, const double *z, const double *other, double *distance)
{
    if (!e)
        return PH_E_INVALID;
    double *turned = e->values;
    memcpy(turned, other, e->nz * sizeof *other);
    for (size_t a = 0; a < e->k; a++) {
        const ph_symmetry *symmetry = ph_system_symmetry(e->system, e->symmetry[a]);
        if (!symmetry->generator)
            align(e->space, symmetry->axis, z, turned, e->slopes);
    }
    *distance = 0;
    for (size_t l = 0; l < e->nz; l++)
        *distance = fmax(*distance, fabs(turned[l] - z[l]));
    return PH_OK;
}
