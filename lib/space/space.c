/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of manifolds: every function of space.h is a loop over the factors, which calls the
 * function of that name from the factor's table. */
#include "internal/space.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <polhode/algebra.h>

/* The manifolds there are. */
static const ph_manifold *const manifolds[] = {
    [PH_FACTOR_R] = &ph_manifold_euclidean,
    [PH_FACTOR_S2] = &ph_manifold_sphere,
    [PH_FACTOR_S1] = &ph_manifold_circle,
    [PH_FACTOR_SO3] = &ph_manifold_rotation,
};
enum { KINDS = sizeof manifolds / sizeof manifolds[0] };

struct ph_space {
    size_t n, nz, np, nx;
    size_t basis; /* numbers in a tangent basis */
    ph_factor_place place[];
};

/* All sizes stay below this, so that sums and products of two of them cannot wrap around. */
static const size_t largest = (size_t)1 << 30;

static const ph_manifold *manifold(const ph_factor_place *place)
{
    return manifolds[place->kind];
}

static size_t bytes(size_t n)
{
    return sizeof(ph_space) + n * sizeof(ph_factor_place);
}

static ph_status check_factor(const ph_factor *factor, size_t i, ph_error *err)
{
    if ((unsigned)factor->kind >= KINDS)
        return ph_fail(err, PH_E_INVALID, "factor %zu of the space has kind %d; there are kinds 0 to %d",
                       i + 1, (int)factor->kind, (int)KINDS - 1);
    if (!manifolds[factor->kind]->nz && (factor->d < 1 || factor->d > largest))
        return ph_fail(err, PH_E_INVALID, "factor %zu of the space, %s, has d = %zu; it must be 1 to %zu",
                       i + 1, manifolds[factor->kind]->name, factor->d, largest);
    return PH_OK;
}

/* Append one factor behind those that are there. */
static void append(ph_space *space, const ph_factor *factor)
{
    const ph_manifold *m = manifolds[factor->kind];
    ph_factor_place *place = &space->place[space->n++];
    place->kind = factor->kind;
    place->z = space->nz;
    place->p = space->np;
    place->x = space->nx;
    place->nz = m->nz ? m->nz : factor->d;
    place->np = m->np ? m->np : factor->d;
    place->nx = m->nx ? m->nx : factor->d;
    space->nz += place->nz;
    space->np += place->np;
    space->nx += place->nx;
    space->basis += place->nz * place->nx;
}

ph_status ph_space_create(const ph_factor *factors, size_t n, ph_space **space, ph_error *err)
{
    ph_space *made;
    *space = NULL;
    if (!factors || n < 1 || n > largest)
        return ph_fail(err, PH_E_INVALID, "a space needs at least one factor, and at most %zu", largest);
    for (size_t i = 0; i < n; i++) {
        ph_status status = check_factor(&factors[i], i, err);
        if (status)
            return status;
    }
    made = calloc(1, bytes(n));
    if (!made)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for a space of %zu factors", n);
    for (size_t i = 0; i < n; i++) {
        append(made, &factors[i]);
        if (made->nz > largest) {
            free(made);
            return ph_fail(err, PH_E_INVALID, "the space has more than %zu coordinates", largest);
        }
    }
    *space = made;
    return PH_OK;
}

ph_status ph_space_copy(const ph_space *from, ph_space **to)
{
    *to = malloc(bytes(from->n));
    if (!*to)
        return PH_E_NO_MEMORY;
    memcpy(*to, from, bytes(from->n));
    return PH_OK;
}

ph_status ph_space_create_power(ph_factor_kind kind, size_t n, ph_space **space, ph_error *err)
{
    ph_factor *factors = calloc(n, sizeof *factors);
    if (!factors)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu factors", n);
    for (size_t i = 0; i < n; i++)
        factors[i].kind = kind;
    ph_status status = ph_space_create(factors, n, space, err);
    free(factors);
    return status;
}

void ph_space_free(ph_space *space)
{
    free(space);
}

size_t ph_space_factors(const ph_space *space)
{
    return space->n;
}

const ph_factor_place *ph_space_factor(const ph_space *space, size_t i)
{
    return &space->place[i];
}

size_t ph_space_ambient(const ph_space *space)
{
    return space->nz;
}

size_t ph_space_momenta(const ph_space *space)
{
    return space->np;
}

size_t ph_space_dimension(const ph_space *space)
{
    return space->nx;
}

size_t ph_space_basis_size(const ph_space *space)
{
    return space->basis;
}

/* for each factor f of the space */
#define EACH(f, space) (const ph_factor_place *f = (space)->place; f < (space)->place + (space)->n; f++)

void ph_space_exp(const ph_space *space, const double *z, const double *v, double *z1)
{
    for
        EACH(f, space)
    manifold(f)->exp(f->nz, z + f->z, v + f->z, z1 + f->z);
}

ph_status ph_space_log(const ph_space *space, const double *z, const double *z1, double *v)
{
    for
        EACH(f, space)
        {
            ph_status status = manifold(f)->log(f->nz, z + f->z, z1 + f->z, v + f->z);
            if (status)
                return status;
        }
    return PH_OK;
}

void ph_space_dexp(const ph_space *space, const double *z, const double *v, const double *dv, double *w)
{
    for
        EACH(f, space)
    manifold(f)->dexp(f->nz, z + f->z, v + f->z, dv + f->z, w + f->z);
}

ph_status ph_space_project(const ph_space *space, double *z)
{
    for
        EACH(f, space) /* all or nothing */
    if (!manifold(f)->has_nearest(f->nz, z + f->z))
        return PH_E_NOT_ON_MANIFOLD;
    for
        EACH(f, space)
    manifold(f)->project(f->nz, z + f->z);
    return PH_OK;
}

void ph_space_project_tangent(const ph_space *space, const double *z, double *v)
{
    for
        EACH(f, space)
    manifold(f)->project_tangent(f->nz, z + f->z, v + f->z);
}

void ph_space_basis(const ph_space *space, const double *z, double *E)
{
    for
        EACH(f, space)
        {
            manifold(f)->basis(f->nz, z + f->z, E);
            E += f->nx * f->nz;
        }
}

double ph_space_residual(const ph_space *space, const double *z)
{
    double worst = 0;
    for
        EACH(f, space)
        {
            double r = manifold(f)->residual(f->nz, z + f->z);
            if (isnan(r))
                return NAN;
            worst = fmax(worst, r);
        }
    return worst;
}

double ph_space_tangency(const ph_space *space, const double *z, const double *v)
{
    double worst = 0;
    for
        EACH(f, space)
        {
            double r = manifold(f)->tangency(f->nz, z + f->z, v + f->z);
            if (isnan(r))
                return NAN;
            worst = fmax(worst, r);
        }
    return worst;
}

void ph_space_correct(const ph_space *space, double *z)
{
    for
        EACH(f, space)
    manifold(f)->correct(f->nz, z + f->z);
}

/* ---- Momenta ------------------------------------------------------------------------------------ */

void ph_space_project_momentum(const ph_space *space, const double *z, double *p)
{
    for
        EACH(f, space)
    if (manifold(f)->project_momentum)
        manifold(f)->project_momentum(f->np, z + f->z, p + f->p);
}

double ph_space_momentum_tangency(const ph_space *space, const double *z, const double *p)
{
    double worst = 0;
    for
        EACH(f, space)
        {
            double r = manifold(f)->momentum_tangency
                           ? manifold(f)->momentum_tangency(f->np, z + f->z, p + f->p)
                           : (ph_all_finite(p + f->p, f->np) ? 0 : NAN);
            if (isnan(r))
                return NAN;
            worst = fmax(worst, r);
        }
    return worst;
}

/* ---- One factor --------------------------------------------------------------------------------- */

double ph_space_factor_residual(const ph_space *space, size_t i, const double *z)
{
    const ph_factor_place *f = &space->place[i];
    return manifold(f)->residual(f->nz, z + f->z);
}

double ph_space_factor_tangency(const ph_space *space, size_t i, const double *z, const double *v)
{
    const ph_factor_place *f = &space->place[i];
    return manifold(f)->tangency(f->nz, z + f->z, v + f->z);
}

ph_status ph_space_factor_project(const ph_space *space, size_t i, double *z)
{
    const ph_factor_place *f = &space->place[i];
    if (!manifold(f)->has_nearest(f->nz, z + f->z))
        return PH_E_NOT_ON_MANIFOLD;
    manifold(f)->project(f->nz, z + f->z);
    return PH_OK;
}

void ph_space_momentum(const ph_space *space, const double *z, const double *mu, double *p)
{
    for
        EACH(f, space)
    manifold(f)->momentum(f->nz, z + f->z, mu + f->z, p + f->p);
}

void ph_space_covector(const ph_space *space, const double *z, const double *p, double *mu)
{
    for
        EACH(f, space)
    manifold(f)->covector(f->nz, z + f->z, p + f->p, mu + f->z);
}

void ph_space_turn(const ph_space *space, const double *z, const double *w, double *v)
{
    for
        EACH(f, space)
    manifold(f)->turn(f->nz, z + f->z, w + f->p, v + f->z);
}

void ph_space_spin(const ph_space *space, const double *z, const double *v, double *w)
{
    for
        EACH(f, space)
    manifold(f)->spin(f->nz, z + f->z, v + f->z, w + f->p);
}

void ph_space_factor_momentum(const ph_space *space, size_t i, const double *z, const double *mu, double *p)
{
    const ph_factor_place *f = &space->place[i];
    manifold(f)->momentum(f->nz, z + f->z, mu, p + f->p);
}

/* ---- The group of motions ----------------------------------------------------------------------- */

bool ph_space_is_homogeneous(const ph_space *space)
{
    for
        EACH(f, space)
    if (!manifold(f)->act)
        return false;
    return true;
}

void ph_space_act(const ph_space *space, const double *z, const double *u, double *z1)
{
    for
        EACH(f, space)
    manifold(f)->act(f->nz, z + f->z, u + f->p, z1 + f->z);
}

void ph_space_bracket(const ph_space *space, const double *u, const double *v, double *w)
{
    memset(w, 0, space->np * sizeof *w);
    for
        EACH(f, space)
    if (manifold(f)->bracket)
        manifold(f)->bracket(u + f->p, v + f->p, w + f->p);
}
