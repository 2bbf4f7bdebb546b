/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of the step for any Lagrangian, R = h { -E^T (D_1 L_d + (s h/2) f) - p.E } (general.c), their
 * Jacobian, and the size of what rounding leaves in them. */
#include "general.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>

#include <float.h>
#include <string.h>

ph_status general_call_lagrangian(general_scratch *w)
{
    for (size_t e = 0; e < w->d.points; e++) {
        ph_status status = ph_system_lagrangian_gradient(w->system, general_time(w, e), w->d.at[e],
                                                         w->d.speed[e], w->d.Lz[e], w->d.Lv[e], w->work);
        if (status)
            return ph_implicit_note(&w->notes, "the gradient of the Lagrangian", status);
    }
    return PH_OK;
}

static ph_status call_force(general_scratch *w)
{
    if (!w->forced) {
        if (w->c.m) /* the reactions of the step before are there */
            memset(w->f, 0, w->nz * sizeof *w->f);
        return PH_OK;
    }
    return ph_implicit_note(&w->notes, "the force", ph_system_force(w->system, w->t, w->d.z, w->d.v, w->f));
}

ph_status general_residual(void *self, double s, const double *y, double *r, double *scale)
{
    general_scratch *w = self;
    double h = w->d.h, half = 0.5 * s * h;
    ph_discrete_place(&w->d, s, y);
    ph_status status = general_call_lagrangian(w);
    if (!status)
        status = call_force(w);
    if (status)
        return status;
    ph_discrete_momentum(&w->d, r);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t a = 0; a < f->nx; a++) {
            const double *row = w->E + f->e + a * f->nz;
            double push = 0;
            for (size_t k = 0; k < f->nz; k++)
                push += fabs(row[k]) * (fabs(w->d.Lz[0][f->z + k]) + fabs(w->f[f->z + k]));
            r[f->x + a] = h * (r[f->x + a] - half * ph_row_dot(f, row, w->f) - w->pE[f->x + a]);
            scale[f->x + a] = w->noise[f->i] + fabs(h) * (fabs(w->pE[f->x + a]) + fabs(half) * push);
        }
    return w->c.m ? general_constraint_residual(w, y, r, scale) : PH_OK;
}

/* dLz, dLv where the points of factor f move by dat, dspeed: from the second derivatives. */
static void apply_derivatives(general_scratch *w, size_t e, const ph_part *f)
{
    size_t nz = w->nz;
    if (w->constant && !w->midpoint) {                       /* L_vz = 0 */
        const bool own = w->d.own && f->kind != PH_FACTOR_R; /* the inertia of other factors is not coupled */
        const size_t from = own ? f->z : 0, to = own ? f->z + f->nz : nz;
        memset(w->dLv[e], 0, nz * sizeof *w->dLv[e]);
        for (size_t i = from; i < to; i++)
            w->dLv[e][i] = ph_dot(w->Lvv[e] + i * nz + f->z, w->dspeed[e], f->nz);
        memset(w->dLz[e], 0, nz * sizeof *w->dLz[e]);
        return;
    }
    for (size_t i = 0; i < nz; i++) {
        const double *vz = w->Lvz[e] + i * nz + f->z, *vv = w->Lvv[e] + i * nz + f->z;
        double along_z = 0, along_v = 0;
        for (size_t k = 0; k < f->nz; k++) {
            along_v += vz[k] * w->dat[e][k] + vv[k] * w->dspeed[e][k];
            along_z += w->Lvz[e][(f->z + k) * nz + i] * w->dspeed[e][k];
            if (w->midpoint)
                along_z += w->Lzz[e][i * nz + f->z + k] * w->dat[e][k];
        }
        w->dLz[e][i] = along_z; /* at ends the first point does not move, and the second's is not wanted */
        w->dLv[e][i] = along_v;
    }
}

/* The sum of the magnitudes of the terms of row a. */
static double noise_of_row(const general_scratch *w, size_t a, const double *y, size_t unknowns, double least)
{
    double sum = 0;
    for (size_t b = 0; b < unknowns; b++) {
        double size = fmax(fabs(y[b]), least);
        sum += fabs(w->J[a * unknowns + b]) * (w->fresh && b < w->nx ? fmax(size, w->reach[b]) : size);
    }
    return sum;
}

void general_measure_noise(general_scratch *w, const double *y, size_t unknowns)
{
    const double least = DBL_EPSILON * ph_max_norm(y, unknowns);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++) {
        w->noise[f->i] = 0;
        for (size_t a = f->x; a < f->x + f->nx; a++)
            w->noise[f->i] = fmax(w->noise[f->i], noise_of_row(w, a, y, unknowns, least));
    }
    for (size_t a = w->nx; a < unknowns; a++)
        w->c.noise[a - w->nx] = noise_of_row(w, a, y, unknowns, least);
}

/* The same by central differences of the gradient: 2 evaluations, where all second derivatives would take 4
 * nz or more. They serve Newton's iteration only. */
static ph_status difference_gradient(general_scratch *w, size_t e, const ph_part *f, double size)
{
    double *at = w->d.at[e] + f->z, *speed = w->d.speed[e] + f->z, *Lz = w->column, *Lv = w->f1;
    double share = 6e-6 * fmax(size, 1e-3);
    ph_status status = PH_OK;
    memcpy(w->was[0], at, f->nz * sizeof *at);
    memcpy(w->was[1], speed, f->nz * sizeof *at);
    for (int side = 1; side >= -1 && !status; side -= 2) {
        for (size_t k = 0; k < f->nz; k++) {
            at[k] = w->was[0][k] + side * share * w->dat[e][k];
            speed[k] = w->was[1][k] + side * share * w->dspeed[e][k];
        }
        status = ph_system_lagrangian_gradient(w->system, general_time(w, e), w->d.at[e], w->d.speed[e],
                                               side > 0 ? w->dLz[e] : Lz, side > 0 ? w->dLv[e] : Lv, w->work);
    }
    memcpy(at, w->was[0], f->nz * sizeof *at);
    memcpy(speed, w->was[1], f->nz * sizeof *at);
    for (size_t i = 0; i < w->nz && !status; i++) {
        w->dLz[e][i] = (w->dLz[e][i] - Lz[i]) / (2 * share);
        w->dLv[e][i] = (w->dLv[e][i] - Lv[i]) / (2 * share);
    }
    return status;
}

static ph_status gradient_along(general_scratch *w, const ph_part *own)
{
    double size = ph_max_norm(w->d.y, w->nx);
    ph_status status = PH_OK;
    for (size_t e = 0; e < w->d.points && !status; e++)
        if (w->exact)
            apply_derivatives(w, e, own);
        else
            status = difference_gradient(w, e, own, size);
    return ph_implicit_note(&w->notes, "the gradient of the Lagrangian", status);
}

static ph_status call_derivatives(general_scratch *w)
{
    const bool known =
        w->constant && !w->midpoint && w->filled; /* L_vv is the inertia, and there is no L_vz */
    for (size_t e = 0; e < w->d.points && w->exact && !known; e++) {
        ph_status status =
            ph_system_lagrangian_hessian(w->system, general_time(w, e), w->d.at[e], w->d.speed[e], w->Lzz[e],
                                         w->Lvz[e], w->Lvv[e], w->work);
        if (status)
            return ph_implicit_note(&w->notes, "the second derivative of the Lagrangian", status);
    }
    w->filled = true;
    if (!w->velocity)
        return PH_OK;
    return ph_implicit_note(&w->notes, "the derivative of the force",
                            ph_system_force_dv(w->system, w->t, w->d.z, w->d.v, w->dfdv, w->fwork));
}

/* dr -= (s h/2) E^T df/dv dv, dv that of the chord along y_b of factor own */
static void force_along(general_scratch *w, const ph_part *f, const ph_part *own, size_t b, double *dr)
{
    const double *moved = w->d.dD + own->e + b * own->nz;
    for (size_t k = f->z; k < f->z + f->nz; k++) {
        w->column[k] = 0;
        for (size_t l = 0; l < own->nz; l++)
            w->column[k] += w->dfdv[k * w->nz + own->z + l] * moved[l] / w->d.h;
    }
    for (size_t a = 0; a < f->nx; a++)
        dr[a] -= 0.5 * w->d.H * ph_row_dot(f, w->E + f->e + a * f->nz, w->column);
}

ph_status general_jacobian(void *self, double *J)
{
    general_scratch *w = self;
    size_t N = w->unknowns;
    double *dr = w->newton.dx; /* free between a residual and its correction */
    ph_status status = call_derivatives(w);
    if (status)
        return status;
    ph_discrete_linearise(&w->d);
    for (const ph_part *own = w->parts; own < w->parts + w->n; own++)
        for (size_t b = 0; b < own->nx; b++) {
            ph_discrete_place_along(&w->d, own, b, w->dat, w->dspeed);
            status = gradient_along(w, own);
            if (status)
                return status;
            for (const ph_part *f = w->parts; f < w->parts + w->n; f++) {
                ph_discrete_momentum_along(&w->d, f, w->dLz, w->dLv, own, b, dr);
                if (w->velocity)
                    force_along(w, f, own, b, dr);
                for (size_t a = 0; a < f->nx; a++)
                    J[(f->x + a) * N + own->x + b] = w->d.h * dr[a];
            }
            status = w->c.m ? general_constraint_column(w, own, b, J) : PH_OK;
            if (status)
                return status;
        }
    general_constraint_border(w, J);
    memcpy(w->J, J, N * N * sizeof *J);
    w->linearised = true;
    w->c.reduced = false;
    if (w->fresh) /* what only others move goes farther than the reach indicates */
        general_measure_noise(w, w->d.y, N);
    return PH_OK;
}

/* The Jacobian with velocity constraints, factored. */
ph_status general_factor(void *self, int *sign)
{
    general_scratch *w = self;
    double *J = w->newton.J;
    ph_status status = general_jacobian(w, J);
    *sign = 1;
    if (status || general_reduce(w))
        return status;
    status = ph_lu_factor(w->unknowns, J, w->newton.pivot, sign);
    return status && !ph_all_finite(J, w->unknowns * w->unknowns) ? PH_E_NOT_FINITE : status;
}

ph_status general_parameter_derivative(void *self, double *rs)
{
    general_scratch *w = self;
    double s = w->d.s, further = s < 1 ? s + 1e-7 : s - 1e-7;
    double *r = w->newton.r, *scale = w->newton.scale;
    const double *y = w->d.y;
    ph_status status = general_residual(w, further, y, rs, scale);
    if (!status)
        status = general_residual(w, s, y, r, scale);
    for (size_t i = 0; i < w->unknowns && !status; i++)
        rs[i] = (rs[i] - r[i]) / (further - s);
    return status;
}
