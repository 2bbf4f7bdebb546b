/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of manifolds: every function of space.h is a loop over the factors, which calls the
 * function of that name from the factor's table. */
#include "lib/internal/space.h"
#include "embedding.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <polhode/algebra.h>

/* The table of manifolds; an embedded one is given by constraints or by its projection. */
static const ph_manifold *const manifolds[] = {
    [PH_FACTOR_R] = &ph_manifold_euclidean,
    [PH_FACTOR_S2] = &ph_manifold_sphere,
    [PH_FACTOR_S1] = &ph_manifold_circle,
    [PH_FACTOR_SO3] = &ph_manifold_rotation,
    [PH_FACTOR_EMBEDDED] = &ph_manifold_constraints,
};
enum { KINDS = sizeof manifolds / sizeof manifolds[0] };

/* A factor: where its numbers are, and its operations. */
typedef struct part {
    ph_factor_place at;
    const ph_manifold *is;
} part;

/* One block of memory: the parts, then the embeddings, then their names. */
struct ph_space {
    size_t n, nz, np, nx;
    size_t basis; /* numbers in a tangent basis */
    bool retraction;
    part parts[];
};

/* All sizes stay below this, so that sums and products of two of them cannot wrap around. */
static const size_t largest = (size_t)1 << 30;

static const ph_manifold *manifold_of(const ph_factor *factor)
{
    bool alone = factor->kind == PH_FACTOR_EMBEDDED && factor->embedding->projection;
    return alone ? &ph_manifold_projector : manifolds[factor->kind];
}

static ph_status check_factor(const ph_factor *factor, size_t i, ph_error *err)
{
    if ((unsigned)factor->kind >= KINDS)
        return ph_fail(err, PH_E_INVALID, "factor %zu of the space has kind %d; there are kinds 0 to %d",
                       i + 1, (int)factor->kind, (int)KINDS - 1);
    if (factor->kind == PH_FACTOR_EMBEDDED)
        return ph_embedding_check(factor->embedding, i, err);
    if (!manifolds[factor->kind]->nz && (factor->d < 1 || factor->d > largest))
        return ph_fail(err, PH_E_INVALID, "factor %zu of the space, %s, has d = %zu; it must be 1 to %zu",
                       i + 1, manifolds[factor->kind]->name, factor->d, largest);
    return PH_OK;
}

/* Append one factor behind those that are there. */
static void append(ph_space *space, const ph_factor *factor, const ph_embedding *embedding)
{
    const ph_manifold *m = manifold_of(factor);
    part *made = &space->parts[space->n++];
    ph_factor_place *place = &made->at;
    made->is = m;
    place->kind = factor->kind;
    place->embedding = embedding;
    place->z = space->nz;
    place->p = space->np;
    place->x = space->nx;
    place->nz = m->nz ? m->nz : embedding ? embedding->n : factor->d;
    place->np = m->np ? m->np : place->nz;
    place->nx = m->nx ? m->nx : embedding ? embedding->dimension : factor->d;
    space->nz += place->nz;
    space->np += place->np;
    space->nx += place->nx;
    space->basis += place->nz * place->nx;
    space->retraction = space->retraction && !m->no_retraction;
}

/* Room for the parts, the embeddings and the names. */
static size_t room(const ph_factor *factors, size_t n, size_t *embedded)
{
    size_t names = 0;
    *embedded = 0;
    for (size_t i = 0; i < n; i++)
        if (factors[i].kind == PH_FACTOR_EMBEDDED) {
            names += strlen(ph_embedding_name(factors[i].embedding)) + 1;
            ++*embedded;
        }
    return sizeof(ph_space) + n * sizeof(part) + *embedded * sizeof(ph_embedding) + names;
}

/* The product of factors that have been checked; NULL without memory. */
static ph_space *make(const ph_factor *factors, size_t n)
{
    size_t embedded;
    ph_space *space = calloc(1, room(factors, n, &embedded));
    if (!space)
        return NULL;
    ph_embedding *copy = (ph_embedding *)(void *)(space->parts + n);
    char *name = (char *)(copy + embedded);
    space->retraction = true;
    for (size_t i = 0; i < n && space->nz <= largest; i++) {
        if (factors[i].kind != PH_FACTOR_EMBEDDED) {
            append(space, &factors[i], NULL);
            continue;
        }
        *copy = *factors[i].embedding;
        copy->name = strcpy(name, ph_embedding_name(copy));
        name += strlen(name) + 1;
        append(space, &factors[i], copy++);
    }
    return space;
}

ph_status ph_space_create(const ph_factor *factors, size_t n, ph_space **space, ph_error *err)
{
    *space = NULL;
    if (!factors || n < 1 || n > largest)
        return ph_fail(err, PH_E_INVALID, "a space needs at least one factor, and at most %zu", largest);
    for (size_t i = 0; i < n; i++) {
        ph_status status = check_factor(&factors[i], i, err);
        if (status)
            return status;
    }
    ph_space *made = make(factors, n);
    if (!made)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for a space of %zu factors", n);
    if (made->nz > largest) {
        free(made);
        return ph_fail(err, PH_E_INVALID, "the space has more than %zu coordinates", largest);
    }
    *space = made;
    return PH_OK;
}

ph_status ph_space_copy(const ph_space *from, ph_space **to)
{
    ph_factor *factors = calloc(from->n, sizeof *factors);
    *to = NULL;
    for (size_t i = 0; factors && i < from->n; i++) {
        const ph_factor_place *f = &from->parts[i].at;
        factors[i] = (ph_factor){.kind = f->kind, .d = f->nz, .embedding = f->embedding};
    }
    if (factors)
        *to = make(factors, from->n);
    free(factors);
    return *to ? PH_OK : PH_E_NO_MEMORY;
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
    return &space->parts[i].at;
}

const ph_manifold *ph_space_manifold(const ph_space *space, size_t i)
{
    return space->parts[i].is;
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

bool ph_space_has_retraction(const ph_space *space)
{
    return space->retraction;
}

/* for each factor f of the space */
#define EACH(f, space) (const part *f = (space)->parts; f < (space)->parts + (space)->n; f++)

/* z1 <- exp_z(v): the increment is summed first, so that a small step keeps its digits. */
static void move(const part *f, const double *z, const double *v, double *z1)
{
    f->is->increment(&f->at, z, v, z1);
    for (size_t k = 0; k < f->at.nz; k++)
        z1[k] += z[k];
}

void ph_space_exp(const ph_space *space, const double *z, const double *v, double *z1)
{
    for
        EACH(f, space)
    move(f, z + f->at.z, v + f->at.z, z1 + f->at.z);
}

ph_status ph_space_log(const ph_space *space, const double *z, const double *z1, double *v)
{
    if (!space)
        return PH_E_INVALID;
    for
        EACH(f, space)
        {
            ph_status status = f->is->log(&f->at, z + f->at.z, z1 + f->at.z, v + f->at.z);
            if (status)
                return status;
        }
    return PH_OK;
}

void ph_space_dexp(const ph_space *space, const double *z, const double *v, const double *dv, double *w)
{
    for
        EACH(f, space)
    f->is->dexp(&f->at, z + f->at.z, v + f->at.z, dv + f->at.z, w + f->at.z);
}

ph_status ph_space_project(const ph_space *space, double *z)
{
    if (!space)
        return PH_E_INVALID;
    ph_status status = PH_OK;
    if (space->n == 1) /* one factor is all or nothing by itself */
        return ph_space_factor_project(space, 0, z);
    for
        EACH(f, space) /* all or nothing */
        {
            status = f->is->has_nearest(&f->at, z + f->at.z);
            if (status)
                return status;
        }
    for
        EACH(f, space)
        {
            status = f->is->project(&f->at, z + f->at.z);
            if (status)
                return status;
        }
    return PH_OK;
}

void ph_space_project_tangent(const ph_space *space, const double *z, double *v)
{
    for
        EACH(f, space)
    f->is->project_tangent(&f->at, z + f->at.z, v + f->at.z);
}

void ph_space_projection(const ph_space *space, const double *z, double *P)
{
    memset(P, 0, space->nz * space->nz * sizeof *P);
    for
        EACH(f, space)
    f->is->projection(&f->at, z + f->at.z, P + f->at.z * space->nz + f->at.z, space->nz);
}

void ph_space_projection_along(const ph_space *space, const double *z, const double *dz, const double *y,
                               double *out)
{
    for
        EACH(f, space)
    f->is->projection_along(&f->at, z + f->at.z, dz + f->at.z, y + f->at.z, out + f->at.z);
}

void ph_space_basis(const ph_space *space, const double *z, double *E)
{
    for
        EACH(f, space)
        {
            f->is->basis(&f->at, z + f->at.z, E);
            E += f->at.nx * f->at.nz;
        }
}

double ph_space_residual(const ph_space *space, const double *z)
{
    double worst = 0;
    for
        EACH(f, space)
        {
            double r = f->is->residual(&f->at, z + f->at.z);
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
            double r = f->is->tangency(&f->at, z + f->at.z, v + f->at.z);
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
    f->is->correct(&f->at, z + f->at.z);
}

void ph_space_advance(const ph_space *space, const double *z, const double *low, const double *D, double *z1,
                      double *low1)
{
    for (size_t k = 0; k < space->nz; k++)
        ph_two_sum(z[k], D[k] + low[k], &z1[k], &low1[k]);
    for
        EACH(f, space)
        {
            double *own = z1 + f->at.z, *rest = low1 + f->at.z;
            if (f->is->increment_sum) /* such a factor is moved to the manifold from z + low */
                continue;
            if (f->is->correct_sum) {
                f->is->correct_sum(&f->at, own, rest);
                continue;
            }
            f->is->correct(&f->at, own);
            memset(rest, 0, f->at.nz * sizeof *rest);
        }
}

/* ---- Momenta ------------------------------------------------------------------------------------ */

void ph_space_project_momentum(const ph_space *space, const double *z, double *p)
{
    for
        EACH(f, space)
    if (f->is->project_momentum)
        f->is->project_momentum(&f->at, z + f->at.z, p + f->at.p);
}

static double momentum_tangency(const part *f, const double *z, const double *p)
{
    if (f->is->momentum_tangency)
        return f->is->momentum_tangency(&f->at, z + f->at.z, p + f->at.p);
    return ph_all_finite(p + f->at.p, f->at.np) ? 0 : NAN;
}

double ph_space_momentum_tangency(const ph_space *space, const double *z, const double *p)
{
    double worst = 0;
    for
        EACH(f, space)
        {
            double r = momentum_tangency(f, z, p);
            if (isnan(r))
                return NAN;
            worst = fmax(worst, r);
        }
    return worst;
}

/* ---- One factor --------------------------------------------------------------------------------- */

double ph_space_factor_residual(const ph_space *space, size_t i, const double *z)
{
    const part *f = &space->parts[i];
    return f->is->residual(&f->at, z + f->at.z);
}

double ph_space_factor_tangency(const ph_space *space, size_t i, const double *z, const double *v)
{
    const part *f = &space->parts[i];
    return f->is->tangency(&f->at, z + f->at.z, v + f->at.z);
}

double ph_space_factor_momentum_tangency(const ph_space *space, size_t i, const double *z, const double *p)
{
    return momentum_tangency(&space->parts[i], z, p);
}

void ph_space_factor_increment(const ph_space *space, size_t i, const double *z, const double *v, double *D)
{
    const part *f = &space->parts[i];
    f->is->increment(&f->at, z + f->at.z, v, D);
}

void ph_space_factor_increment_sum(const ph_space *space, size_t i, const double *z, const double *low,
                                   const double *v, double *D)
{
    const part *f = &space->parts[i];
    if (f->is->increment_sum)
        f->is->increment_sum(&f->at, z + f->at.z, low + f->at.z, v, D);
    else
        f->is->increment(&f->at, z + f->at.z, v, D);
}

void ph_space_factor_dexp(const ph_space *space, size_t i, const double *z, const double *v, const double *dv,
                          double *w)
{
    const part *f = &space->parts[i];
    f->is->dexp(&f->at, z + f->at.z, v, dv, w);
}

void ph_space_factor_project_momentum(const ph_space *space, size_t i, const double *z, double *p)
{
    const part *f = &space->parts[i];
    if (f->is->project_momentum)
        f->is->project_momentum(&f->at, z + f->at.z, p + f->at.p);
}

void ph_space_factor_carry_momentum(const ph_space *space, size_t i, const double *z, const double *z1,
                                    const double *p, const double *low, const double *impulse,
                                    const double *push, double *dp)
{
    const part *f = &space->parts[i];
    if (f->is->carry_momentum)
        f->is->carry_momentum(&f->at, z + f->at.z, z1 + f->at.z, p + f->at.p, low + f->at.p, impulse, push,
                              dp);
    else
        ph_embedding_fill_nan(dp, f->at.np);
}

void ph_space_factor_projection_along(const ph_space *space, size_t i, const double *z, const double *dz,
                                      const double *y, double *out)
{
    const part *f = &space->parts[i];
    f->is->projection_along(&f->at, z + f->at.z, dz + f->at.z, y + f->at.z, out + f->at.z);
}

ph_status ph_space_inspect(const ph_space *space, size_t i, const double *z, ph_error *err)
{
    const part *f = &space->parts[i];
    return f->is->inspect ? f->is->inspect(&f->at, i, z + f->at.z, err) : PH_OK;
}

ph_status ph_space_factor_project(const ph_space *space, size_t i, double *z)
{
    if (!space)
        return PH_E_INVALID;
    const part *f = &space->parts[i];
    return f->is->project(&f->at, z + f->at.z);
}

void ph_space_momentum(const ph_space *space, const double *z, const double *mu, double *p)
{
    for
        EACH(f, space)
        {
            if (f->at.kind == PH_FACTOR_S2) /* inline: for a long chain the calls would take longer */
                ph_cross3(z + f->at.z, mu + f->at.z, p + f->at.p);
            else
                f->is->momentum(&f->at, z + f->at.z, mu + f->at.z, p + f->at.p);
        }
}

void ph_space_covector(const ph_space *space, const double *z, const double *p, double *mu)
{
    for
        EACH(f, space)
    f->is->covector(&f->at, z + f->at.z, p + f->at.p, mu + f->at.z);
}

void ph_space_turn(const ph_space *space, const double *z, const double *w, double *v)
{
    for
        EACH(f, space)
    f->is->turn(&f->at, z + f->at.z, w + f->at.p, v + f->at.z);
}

void ph_space_spin(const ph_space *space, const double *z, const double *v, double *w)
{
    for
        EACH(f, space)
    f->is->spin(&f->at, z + f->at.z, v + f->at.z, w + f->at.p);
}

void ph_space_factor_momentum(const ph_space *space, size_t i, const double *z, const double *mu, double *p)
{
    const part *f = &space->parts[i];
    f->is->momentum(&f->at, z + f->at.z, mu, p + f->at.p);
}

/* ---- The group of motions ----------------------------------------------------------------------- */

bool ph_space_is_homogeneous(const ph_space *space)
{
    for
        EACH(f, space)
    if (!f->is->act)
        return false;
    return true;
}

void ph_space_act(const ph_space *space, const double *z, const double *u, double *z1)
{
    for
        EACH(f, space)
        {
            f->is->act(&f->at, z + f->at.z, u + f->at.p, z1 + f->at.z);
            for (size_t k = f->at.z; k < f->at.z + f->at.nz; k++)
                z1[k] += z[k];
        }
}

void ph_space_bracket(const ph_space *space, const double *u, const double *v, double *w)
{
    memset(w, 0, space->np * sizeof *w);
    for
        EACH(f, space)
    if (f->is->bracket)
        f->is->bracket(u + f->at.p, v + f->at.p, w + f->at.p);
}
