/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a system with velocity constraints A zdot = b as those of a bundle: some factors of its space
 * are the group, and the velocity is zdot = U (v, zeta) in the left trivialisation. K = U^T L_vv U; A U =
 * (a_B, a_G), so that
 *     w = a_G^{-1} a_B,      xi = a_G^{-1} b. */
#include <polhode/algebra.h>
#include <polhode/constraints.h>
#include <polhode/solve.h>

#include "bundle.h"

#include <math.h>

typedef struct scratch {
    double *z, *zdot, *U, *Lvv, *product, *A, *c, *aG, *inverse, *column, *work;
} scratch;

static size_t place(const ph_bundle *b, double *work, scratch *s)
{
    const size_t nz = ph_space_ambient(ph_system_space(b->system)), m = ph_system_constraints(b->system);
    const size_t size[] = {
        nz, nz, nz * b->N, nz * nz, nz * b->N, m * nz, m, m * m, m * m, 2 * nz, ph_system_work(b->system)};
    double **part[] = {&s->z, &s->zdot, &s->U,       &s->Lvv,    &s->product, &s->A,
                       &s->c, &s->aG,   &s->inverse, &s->column, &s->work};
    size_t used = 0;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        *part[i] = work ? work + used : NULL;
        used += size[i];
    }
    return used;
}

size_t ph_bundle_system_work(const ph_bundle *b)
{
    scratch s;
    return place(b, NULL, &s);
}

/* out <- numbers of a fibre as the factor has them: its inverse where that is asked for. */
static void invert(const ph_bundle *b, double *h)
{
    if (!b->inverse)
        return;
    if (b->is.group.kind == PH_GROUP_S1) {
        h[1] = -h[1];
        return;
    }
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < i; j++) {
            double kept = h[3 * i + j];
            h[3 * i + j] = h[3 * j + i];
            h[3 * j + i] = kept;
        }
}

/* s->z <- (x, h); s->U (nz x N). */
static void lay_configuration(const ph_bundle *b, const double *x, const double *h, scratch *s)
{
    const size_t nz = ph_space_ambient(ph_system_space(b->system));
    double *own = s->column, *velocity = s->column + nz, zeta[PH_GROUP_MOST];
    memset(s->U, 0, nz * b->N * sizeof *s->U);
    if (h)
        memcpy(own, h, b->nh * sizeof *own);
    else
        ph_group_identity(b->is.group, own);
    for (size_t i = 0; i < b->na; i++) {
        s->z[b->base_z[i]] = x[i];
        s->U[b->base_z[i] * b->N + i] = 1;
    }
    for (size_t j = 0; j < b->g; j++) {
        for (size_t i = 0; i < b->g; i++)
            zeta[i] = i == j;
        ph_group_velocity(b->is.group, own, zeta, velocity);
        invert(b, velocity); /* the inverse is linear in these numbers */
        for (size_t i = 0; i < b->nh; i++)
            s->U[b->fibre_z[i] * b->N + b->na + j] = velocity[i];
    }
    invert(b, own);
    for (size_t i = 0; i < b->nh; i++)
        s->z[b->fibre_z[i]] = own[i];
}

/* The largest column sum of magnitudes. */
static double norm1(const double *A, size_t n)
{
    double largest = 0;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += fabs(A[i * n + j]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* w, xi <- a_G^{-1} (a_B, b). */
static ph_status connect(const ph_bundle *b, const ph_bundle_data *d, double *condition, scratch *s)
{
    const size_t nz = ph_space_ambient(ph_system_space(b->system)), g = b->g;
    int pivot[PH_GROUP_MOST];
    double column[PH_GROUP_MOST], size;
    for (size_t i = 0; i < g; i++)
        for (size_t j = 0; j < b->N; j++) {
            double sum = 0;
            for (size_t k = 0; k < nz; k++)
                sum += s->A[i * nz + k] * s->U[k * b->N + j];
            if (j < b->na)
                d->w[i * b->na + j] = sum;
            else
                s->aG[i * g + j - b->na] = sum;
        }
    size = norm1(s->aG, g);
    *condition = 0;
    if (ph_lu_factor(g, s->aG, pivot, NULL))
        return PH_E_SINGULAR;
    for (size_t j = 0; j < g; j++) {
        for (size_t i = 0; i < g; i++)
            column[i] = i == j;
        ph_lu_solve(g, s->aG, pivot, column);
        for (size_t i = 0; i < g; i++)
            s->inverse[i * g + j] = column[i];
    }
    *condition = 1 / (size * norm1(s->inverse, g));
    if (!(*condition > PH_BUNDLE_SINGULAR))
        return PH_E_SINGULAR;
    for (size_t j = 0; j < b->na; j++) {
        for (size_t i = 0; i < g; i++)
            column[i] = d->w[i * b->na + j];
        ph_lu_solve(g, s->aG, pivot, column);
        for (size_t i = 0; i < g; i++)
            d->w[i * b->na + j] = column[i];
    }
    memcpy(d->xi, s->c, g * sizeof *d->xi);
    ph_lu_solve(g, s->aG, pivot, d->xi);
    return PH_OK;
}

ph_status ph_bundle_system_data(const ph_bundle *b, double t, const double *x, const double *h, double *raw,
                                double *condition, double *work)
{
    const size_t nz = ph_space_ambient(ph_system_space(b->system));
    const ph_bundle_data d = ph_raw_parts(b, raw);
    scratch s;
    place(b, work, &s);
    lay_configuration(b, x, h, &s);
    memset(s.zdot, 0, nz * sizeof *s.zdot);
    ph_status status = ph_system_lagrangian_hessian(b->system, s.z, s.zdot, NULL, NULL, s.Lvv, s.work);
    if (!status)
        status = ph_system_potential(b->system, s.z, d.V);
    if (!status)
        status = ph_system_constraint_rows(b->system, t, s.z, s.A, s.c);
    if (status)
        return status;
    for (size_t i = 0; i < nz; i++)
        for (size_t j = 0; j < b->N; j++) {
            double sum = 0;
            for (size_t k = 0; k < nz; k++)
                sum += s.Lvv[i * nz + k] * s.U[k * b->N + j];
            s.product[i * b->N + j] = sum;
        }
    for (size_t i = 0; i < b->N; i++)
        for (size_t j = 0; j < b->N; j++) {
            double sum = 0;
            for (size_t k = 0; k < nz; k++)
                sum += s.U[k * b->N + i] * s.product[k * b->N + j];
            d.K[i * b->N + j] = sum;
        }
    return connect(b, &d, condition, &s);
}

ph_status ph_bundle_system_force(const ph_bundle *b, double t, const double *x, const double *h,
                                 const double *v, const double *zeta, double *f, double *work)
{
    const size_t nz = ph_space_ambient(ph_system_space(b->system));
    scratch s;
    place(b, work, &s);
    lay_configuration(b, x, h, &s);
    for (size_t i = 0; i < nz; i++)
        s.zdot[i] = ph_dot(s.U + i * b->N, v, b->na) + ph_dot(s.U + i * b->N + b->na, zeta, b->g);
    ph_status status = ph_system_force(b->system, t, s.z, s.zdot, s.column);
    for (size_t j = 0; j < b->N && !status; j++) {
        f[j] = 0;
        for (size_t i = 0; i < nz; i++)
            f[j] += s.U[i * b->N + j] * s.column[i];
    }
    return status;
}
