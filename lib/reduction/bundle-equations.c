/* SPDX-License-Identifier: BSD-3-Clause */
/* The reduced equation of a bundle. With velocities moved to the algebras of base and group, variations
 * along the constraint are (eta, -W eta), and of omega and zeta
 *     delta omega = etadot + c(omega, eta),      delta zeta = sigmadot + [zeta, sigma],    sigma = -W eta,
 * c(omega, eta) = -[omega, eta] in the bracket of ph_space_bracket. With (lambda, p) = K (omega, zeta), the
 * Lagrange-d'Alembert principle is
 *     (d/dt lambda - W^T d/dt p) . eta
 *         = lambda . c(omega, eta) + M . eta - p . [zeta, W eta] + F . (eta, -W eta),
 * M the derivative of l along the base at fixed (omega, zeta). */
#include <polhode/algebra.h>
#include <polhode/solve.h>

#include "bundle.h"

#include <math.h>

typedef struct scratch {
    double *P, *rate, *slope, *beta, *A, *c, *omega, *domega, *turned, *D, *low, *push, *lift, *v, *basis,
        *point;
} scratch;

static size_t place(const ph_bundle *b, double *work, scratch *s)
{
    const size_t size[] = {ph_point_size(b),
                           ph_point_size(b),
                           ph_point_size(b),
                           b->nb * b->np,
                           b->nb * b->nb,
                           b->nb,
                           b->np,
                           b->np,
                           b->np,
                           b->n,
                           b->n,
                           b->n,
                           2 * b->n,
                           2 * b->na,
                           ph_space_basis_size(b->base),
                           ph_bundle_point_work(b)};
    double **part[] = {&s->P,      &s->rate, &s->slope, &s->beta, &s->A,    &s->c, &s->omega, &s->domega,
                       &s->turned, &s->D,    &s->low,   &s->push, &s->lift, &s->v, &s->basis, &s->point};
    size_t used = 0;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        *part[i] = work ? work + used : NULL;
        used += size[i];
    }
    return used;
}

size_t ph_bundle_work(const ph_bundle *b)
{
    scratch s;
    return place(b, NULL, &s);
}

/* zeta <- xi - W omega; affine false: -W omega. */
static void constrain(const ph_bundle *b, const ph_bundle_data *p, const double *omega, bool affine,
                      double *zeta)
{
    for (size_t i = 0; i < b->g; i++)
        zeta[i] = (affine ? p->xi[i] : 0) - ph_dot(p->w + i * b->np, omega, b->np);
}

/* s->P, s->omega and s->D <- at (x, v). */
static ph_status arrive(const ph_bundle *b, const double *x, const double *v, scratch *s)
{
    ph_status status = ph_bundle_point(b, x, s->P, s->point);
    const ph_bundle_data p = ph_point_parts(b, s->P);
    ph_space_spin(b->base, x, v, s->omega);
    memcpy(s->D, s->omega, b->np * sizeof *s->D);
    if (!status)
        constrain(b, &p, s->omega, true, s->D + b->np);
    return status;
}

ph_status ph_bundle_group_velocity(const ph_bundle *b, const double *x, const double *v, double *zeta,
                                   double *work)
{
    scratch s;
    place(b, work, &s);
    ph_status status = arrive(b, x, v, &s);
    if (!status)
        memcpy(zeta, s.D + b->np, b->g * sizeof *zeta);
    return status;
}

ph_status ph_bundle_curvature(const ph_bundle *b, const double *x, const double *u, const double *v,
                              double *curvature, double *work)
{
    scratch s;
    place(b, work, &s);
    double wu[PH_GROUP_MOST], wv[PH_GROUP_MOST], bracket[PH_GROUP_MOST];
    ph_status status = arrive(b, x, v, &s);
    ph_space_spin(b->base, x, u, s.domega);
    if (!status)
        status = ph_bundle_point_along(b, x, s.domega, s.rate, s.point);
    if (!status)
        status = ph_bundle_point_along(b, x, s.omega, s.slope, s.point);
    if (status)
        return status;
    const ph_bundle_data p = ph_point_parts(b, s.P), along_u = ph_point_parts(b, s.rate),
                         along_v = ph_point_parts(b, s.slope);
    ph_space_bracket(b->base, s.domega, s.omega, s.turned);
    for (size_t i = 0; i < b->g; i++) {
        wu[i] = ph_dot(p.w + i * b->np, s.domega, b->np);
        wv[i] = ph_dot(p.w + i * b->np, s.omega, b->np);
    }
    ph_group_bracket(b->is.group, wu, wv, bracket);
    for (size_t i = 0; i < b->g; i++)
        curvature[i] = ph_dot(along_u.w + i * b->np, s.omega, b->np) -
                       ph_dot(along_v.w + i * b->np, s.domega, b->np) +
                       ph_dot(p.w + i * b->np, s.turned, b->np) - bracket[i];
    return PH_OK;
}

ph_status ph_bundle_momentum(const ph_bundle *b, const double *x, const double *v, double *y, double *px,
                             double *pzeta, double *work)
{
    scratch s;
    place(b, work, &s);
    ph_status status = arrive(b, x, v, &s);
    if (status)
        return status;
    const ph_bundle_data p = ph_point_parts(b, s.P);
    ph_bundle_lower(b, s.P, s.D, s.low);
    if (px)
        memcpy(px, s.low, b->np * sizeof *px);
    if (pzeta)
        memcpy(pzeta, s.low + b->np, b->g * sizeof *pzeta);
    for (size_t j = 0; j < b->np; j++) {
        y[j] = s.low[j];
        for (size_t i = 0; i < b->g; i++)
            y[j] -= p.w[i * b->np + j] * s.low[b->np + i];
    }
    return PH_OK;
}

/* s->domega <- beta^T A^{-1} s->c, A the metric on horizontal vectors. */
static ph_status divide(const ph_bundle *b, scratch *s)
{
    ph_bundle_horizontal(b, s->P, s->beta, s->A, s->lift);
    ph_status status = ph_cholesky_factor(b->nb, s->A);
    if (status)
        return status;
    ph_cholesky_solve(b->nb, s->A, s->c);
    memset(s->domega, 0, b->np * sizeof *s->domega);
    for (size_t i = 0; i < b->nb; i++)
        for (size_t j = 0; j < b->np; j++)
            s->domega[j] += s->c[i] * s->beta[i * b->np + j];
    return ph_all_finite(s->domega, b->np) ? PH_OK : PH_E_NOT_FINITE;
}

/* The pairing of the covector low (n) with the horizontal vector of beta_i. */
static double pair(const ph_bundle *b, const scratch *s, const double *low, size_t i)
{
    const double *row = s->beta + i * b->np, *W = s->P + b->n * b->n;
    double sum = ph_dot(low, row, b->np);
    for (size_t k = 0; k < b->g; k++)
        sum -= low[b->np + k] * ph_dot(W + k * b->np, row, b->np);
    return sum;
}

ph_status ph_bundle_velocity(const ph_bundle *b, const double *x, const double *y, double *v, double *work)
{
    scratch s;
    place(b, work, &s);
    ph_status status = ph_bundle_point(b, x, s.P, s.point);
    if (status)
        return status;
    ph_bundle_basis(b, x, s.beta, s.basis);
    memset(s.D, 0, b->np * sizeof *s.D);
    memcpy(s.D + b->np, ph_point_parts(b, s.P).xi, b->g * sizeof *s.D);
    ph_bundle_lower(b, s.P, s.D, s.low);
    for (size_t i = 0; i < b->nb; i++)
        s.c[i] = ph_dot(y, s.beta + i * b->np, b->np) - pair(b, &s, s.low, i);
    status = divide(b, &s);
    if (!status)
        ph_space_turn(b->base, x, s.domega, v);
    return status;
}

ph_status ph_bundle_energy(const ph_bundle *b, const double *x, const double *v, double *energy, double *work)
{
    scratch s;
    place(b, work, &s);
    ph_status status = arrive(b, x, v, &s);
    if (status)
        return status;
    ph_bundle_lower(b, s.P, s.D, s.low);
    *energy = ph_dot(s.low, s.D, b->n) / 2 + *ph_point_parts(b, s.P).V;
    return PH_OK;
}

/* s->c_i <- lambda . c(omega, beta_i) + M . beta_i - p . [zeta, W beta_i] + F . (beta_i, -W beta_i), with
 * s->low the momenta and s->push the force. */
static ph_status drive(const ph_bundle *b, const double *x, scratch *s)
{
    const ph_bundle_data p = ph_point_parts(b, s->P), slope = ph_point_parts(b, s->slope);
    double coadjoint[PH_GROUP_MOST], moved[PH_GROUP_MOST];
    ph_group_coadjoint(b->is.group, s->D + b->np, s->low + b->np, coadjoint);
    for (size_t i = 0; i < b->nb; i++) {
        const double *row = s->beta + i * b->np;
        ph_status status = ph_bundle_point_along(b, x, row, s->slope, s->point);
        if (status)
            return status;
        ph_bundle_lower(b, s->slope, s->D, s->lift);
        ph_space_bracket(b->base, s->omega, row, s->turned);
        constrain(b, &p, row, false, moved);
        s->c[i] = ph_dot(s->lift, s->D, b->n) / 2 - *slope.V - ph_dot(s->low, s->turned, b->np) +
                  ph_dot(coadjoint, moved, b->g) + pair(b, s, s->push, i);
    }
    return PH_OK;
}

ph_status ph_bundle_acceleration(const ph_bundle *b, double t, const double *x, const double *v, double *a,
                                 double *lambda, double *work)
{
    scratch s;
    place(b, work, &s);
    ph_status status = arrive(b, x, v, &s);
    double zeta_rate[PH_GROUP_MOST], coadjoint[PH_GROUP_MOST];
    double *D_rate = s.lift, *low_rate = s.lift + b->n;
    if (status)
        return status;
    ph_bundle_basis(b, x, s.beta, s.basis);
    ph_bundle_lower(b, s.P, s.D, s.low);
    status = ph_bundle_force(b, t, x, s.omega, s.D + b->np, s.push, s.point);
    if (!status)
        status = drive(b, x, &s);
    if (!status)
        status = ph_bundle_point_along(b, x, s.omega, s.rate, s.point);
    if (status)
        return status;
    const ph_bundle_data p = ph_point_parts(b, s.P), rate = ph_point_parts(b, s.rate);
    constrain(b, &rate, s.omega, true, zeta_rate);
    /* what d/dt (lambda, p) is without domega */
    memset(D_rate, 0, b->np * sizeof *D_rate);
    memcpy(D_rate + b->np, zeta_rate, b->g * sizeof *D_rate);
    ph_bundle_lower(b, s.P, D_rate, low_rate);
    for (size_t i = 0; i < b->n; i++)
        low_rate[i] += ph_dot(s.rate + i * b->n, s.D, b->n);
    for (size_t i = 0; i < b->nb; i++)
        s.c[i] -= pair(b, &s, low_rate, i);
    status = divide(b, &s);
    if (status)
        return status;
    ph_space_turn(b->base, x, s.domega, a);
    ph_space_turn(b->base, v, s.omega, s.v); /* what turning v adds: linear in it but on R^d */
    for (size_t k = 0; k < ph_space_factors(b->base); k++) {
        const ph_factor_place *f = ph_space_factor(b->base, k);
        for (size_t i = f->z; i < f->z + f->nz && f->kind != PH_FACTOR_R; i++)
            a[i] += s.v[i];
    }
    if (!lambda)
        return PH_OK;
    memcpy(D_rate, s.domega, b->np * sizeof *D_rate);
    for (size_t i = 0; i < b->g; i++)
        D_rate[b->np + i] = zeta_rate[i] - ph_dot(p.w + i * b->np, s.domega, b->np);
    ph_group_coadjoint(b->is.group, s.D + b->np, s.low + b->np, coadjoint);
    for (size_t i = 0; i < b->g; i++) {
        const size_t k = b->np + i;
        lambda[i] = ph_dot(s.P + k * b->n, D_rate, b->n) + ph_dot(s.rate + k * b->n, s.D, b->n) -
                    coadjoint[i] - s.push[k];
    }
    return PH_OK;
}

void ph_bundle_group_move(const ph_bundle *b, const double *h, const double *f, double *h1)
{
    double w[PH_GROUP_MOST], moved[PH_GROUP_MOST];
    ph_group_displacement(b->is.group, h, f, w);
    ph_space_act(b->fibre, h, w, moved);
    ph_space_correct(b->fibre, moved);
    memcpy(h1, moved, b->nh * sizeof *h1);
}
