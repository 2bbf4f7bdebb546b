/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations of a product of manifolds: every function is a loop over the factors, which calls the
 * function of that name from the factor's table, or calls it for one factor alone. The largest error
 * counts where there is one for each factor. */
#include "embedding.h"
#include "product.h"

#include <math.h>
#include <string.h>

#include <polhode/kit/algebra.h>

/* Factor i. */
#define FACTOR(f, space, i)                                                                                  \
    part f##_room;                                                                                           \
    const part *f = space_part(space, i, &f##_room)

/* The larger of two errors; NaN where one is. */
static double larger(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

/* z1 <- exp_z(v): the increment is summed first, so that a small step keeps its digits. */
static void move_factor(const part *f, const double *z, const double *v, double *z1)
{
    f->is->increment(&f->at, z, v, z1);
    for (size_t k = 0; k < f->at.nz; k++)
        z1[k] += z[k];
}

void ph_space_exp(const ph_space *space, const double *z, const double *v, double *z1)
{
    EACH_FACTOR (f, space)
        move_factor(f, z + f->at.z, v + f->at.z, z1 + f->at.z);
}

ph_status ph_space_log(const ph_space *space, const double *z, const double *z1, double *v)
{
    if (!space)
        return PH_E_INVALID;
    EACH_FACTOR (f, space) {
        ph_status status = f->is->log(&f->at, z + f->at.z, z1 + f->at.z, v + f->at.z);
        if (status)
            return status;
    }
    return PH_OK;
}

void ph_space_dexp(const ph_space *space, const double *z, const double *v, const double *dv, double *w)
{
    EACH_FACTOR (f, space)
        f->is->dexp(&f->at, z + f->at.z, v + f->at.z, dv + f->at.z, w + f->at.z);
}

ph_status ph_space_project(const ph_space *space, double *z)
{
    if (!space)
        return PH_E_INVALID;
    ph_status status = PH_OK;
    if (space->n == 1) /* one factor is all or nothing by itself */
        return ph_space_factor_project(space, 0, z);
    EACH_FACTOR (f, space) { /* all or nothing */
        status = f->is->has_nearest(&f->at, z + f->at.z);
        if (status)
            return status;
    }
    EACH_FACTOR (f, space) {
        status = f->is->project(&f->at, z + f->at.z);
        if (status)
            return status;
    }
    return PH_OK;
}

void ph_space_project_tangent(const ph_space *space, const double *z, double *v)
{
    EACH_FACTOR (f, space)
        f->is->project_tangent(&f->at, z + f->at.z, v + f->at.z);
}

void ph_space_projection(const ph_space *space, const double *z, double *P)
{
    memset(P, 0, space->nz * space->nz * sizeof *P);
    EACH_FACTOR (f, space)
        f->is->projection(&f->at, z + f->at.z, P + f->at.z * space->nz + f->at.z, space->nz);
}

void ph_space_projection_along(const ph_space *space, const double *z, const double *dz, const double *y,
                               double *out)
{
    EACH_FACTOR (f, space)
        f->is->projection_along(&f->at, z + f->at.z, dz + f->at.z, y + f->at.z, out + f->at.z);
}

void ph_space_basis(const ph_space *space, const double *z, double *E)
{
    EACH_FACTOR (f, space) {
        f->is->basis(&f->at, z + f->at.z, E);
        E += f->at.nx * f->at.nz;
    }
}

double ph_space_residual(const ph_space *space, const double *z)
{
    double worst = 0;
    EACH_FACTOR (f, space)
        worst = larger(worst, f->is->residual(&f->at, z + f->at.z));
    return worst;
}

double ph_space_tangency(const ph_space *space, const double *z, const double *v)
{
    double worst = 0;
    EACH_FACTOR (f, space)
        worst = larger(worst, f->is->tangency(&f->at, z + f->at.z, v + f->at.z));
    return worst;
}

void ph_space_correct(const ph_space *space, double *z)
{
    EACH_FACTOR (f, space)
        f->is->correct(&f->at, z + f->at.z);
}

void ph_space_advance(const ph_space *space, const double *z, const double *low, const double *D, double *z1,
                      double *low1)
{
    for (size_t k = 0; k < space->nz; k++)
        ph_two_sum(z[k], D[k] + low[k], &z1[k], &low1[k]);
    EACH_FACTOR (f, space) {
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
    EACH_FACTOR (f, space)
        if (f->is->project_momentum)
            f->is->project_momentum(&f->at, z + f->at.z, p + f->at.p);
}

static double factor_momentum_tangency(const part *f, const double *z, const double *p)
{
    if (f->is->momentum_tangency)
        return f->is->momentum_tangency(&f->at, z + f->at.z, p + f->at.p);
    return ph_all_finite(p + f->at.p, f->at.np) ? 0 : NAN;
}

double ph_space_momentum_tangency(const ph_space *space, const double *z, const double *p)
{
    double worst = 0;
    EACH_FACTOR (f, space)
        worst = larger(worst, factor_momentum_tangency(f, z, p));
    return worst;
}

/* ---- One factor --------------------------------------------------------------------------------- */

double ph_space_factor_residual(const ph_space *space, size_t i, const double *z)
{
    FACTOR(f, space, i);
    return f->is->residual(&f->at, z + f->at.z);
}

double ph_space_factor_tangency(const ph_space *space, size_t i, const double *z, const double *v)
{
    FACTOR(f, space, i);
    return f->is->tangency(&f->at, z + f->at.z, v + f->at.z);
}

double ph_space_factor_momentum_tangency(const ph_space *space, size_t i, const double *z, const double *p)
{
    part room;
    return factor_momentum_tangency(space_part(space, i, &room), z, p);
}

void ph_space_factor_increment(const ph_space *space, size_t i, const double *z, const double *v, double *D)
{
    FACTOR(f, space, i);
    f->is->increment(&f->at, z + f->at.z, v, D);
}

void ph_space_factor_increment_sum(const ph_space *space, size_t i, const double *z, const double *low,
                                   const double *v, double *D)
{
    FACTOR(f, space, i);
    if (f->is->increment_sum)
        f->is->increment_sum(&f->at, z + f->at.z, low + f->at.z, v, D);
    else
        f->is->increment(&f->at, z + f->at.z, v, D);
}

void ph_space_factor_dexp(const ph_space *space, size_t i, const double *z, const double *v, const double *dv,
                          double *w)
{
    FACTOR(f, space, i);
    f->is->dexp(&f->at, z + f->at.z, v, dv, w);
}

void ph_space_factor_project_momentum(const ph_space *space, size_t i, const double *z, double *p)
{
    FACTOR(f, space, i);
    if (f->is->project_momentum)
        f->is->project_momentum(&f->at, z + f->at.z, p + f->at.p);
}

void ph_space_factor_carry_momentum(const ph_space *space, size_t i, const double *z, const double *z1,
                                    const double *p, const double *low, const double *impulse,
                                    const double *push, double *dp)
{
    FACTOR(f, space, i);
    if (f->is->carry_momentum)
        f->is->carry_momentum(&f->at, z + f->at.z, z1 + f->at.z, p + f->at.p, low + f->at.p, impulse, push,
                              dp);
    else
        ph_embedding_fill_nan(dp, f->at.np);
}

void ph_space_factor_projection_along(const ph_space *space, size_t i, const double *z, const double *dz,
                                      const double *y, double *out)
{
    FACTOR(f, space, i);
    f->is->projection_along(&f->at, z + f->at.z, dz + f->at.z, y + f->at.z, out + f->at.z);
}

ph_status ph_space_inspect(const ph_space *space, size_t i, const double *z, ph_error *err)
{
    FACTOR(f, space, i);
    return f->is->inspect ? f->is->inspect(&f->at, i, z + f->at.z, err) : PH_OK;
}

ph_status ph_space_factor_project(const ph_space *space, size_t i, double *z)
{
    if (!space)
        return PH_E_INVALID;
    FACTOR(f, space, i);
    return f->is->project(&f->at, z + f->at.z);
}

void ph_space_momentum(const ph_space *space, const double *z, const double *mu, double *p)
{
    EACH_FACTOR (f, space) {
        if (f->at.kind == PH_FACTOR_S2) /* inline: for a long chain the calls would take longer */
            ph_cross3(z + f->at.z, mu + f->at.z, p + f->at.p);
        else
            f->is->momentum(&f->at, z + f->at.z, mu + f->at.z, p + f->at.p);
    }
}

void ph_space_covector(const ph_space *space, const double *z, const double *p, double *mu)
{
    EACH_FACTOR (f, space)
        f->is->covector(&f->at, z + f->at.z, p + f->at.p, mu + f->at.z);
}

void ph_space_turn(const ph_space *space, const double *z, const double *w, double *v)
{
    EACH_FACTOR (f, space)
        f->is->turn(&f->at, z + f->at.z, w + f->w, v + f->at.z);
}

void ph_space_spin(const ph_space *space, const double *z, const double *v, double *w)
{
    EACH_FACTOR (f, space)
        f->is->spin(&f->at, z + f->at.z, v + f->at.z, w + f->w);
}

void ph_space_factor_momentum(const ph_space *space, size_t i, const double *z, const double *mu, double *p)
{
    FACTOR(f, space, i);
    f->is->momentum(&f->at, z + f->at.z, mu, p + f->at.p);
}

/* ---- The group of motions ----------------------------------------------------------------------- */

bool ph_space_is_homogeneous(const ph_space *space)
{
    EACH_FACTOR (f, space)
        if (!f->is->act)
            return false;
    return true;
}

void ph_space_act(const ph_space *space, const double *z, const double *u, double *z1)
{
    EACH_FACTOR (f, space) {
        f->is->act(&f->at, z + f->at.z, u + f->w, z1 + f->at.z);
        for (size_t k = f->at.z; k < f->at.z + f->at.nz; k++)
            z1[k] += z[k];
    }
}

void ph_space_bracket(const ph_space *space, const double *u, const double *v, double *w)
{
    memset(w, 0, space->nw * sizeof *w);
    EACH_FACTOR (f, space)
        if (f->is->bracket)
            f->is->bracket(u + f->w, v + f->w, w + f->w);
}
