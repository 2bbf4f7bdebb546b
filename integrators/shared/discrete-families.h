/* SPDX-License-Identifier: BSD-3-Clause */
/* What a discrete Lagrangian does with one factor: a table of functions for each family of rules and kind of
 * factor. discrete-lagrangian.c chooses the table and has that of chords, discrete-normalised.c that of
 * normalised midpoints, discrete-exponential.c and discrete-body.c those of exponentials. Here is what
 * several of them need: points in the middle of a step on S^1 and S^2, and half turns on SO(3), with their
 * derivatives. */
#ifndef PH_INTEGRATORS_SHARED_DISCRETE_FAMILIES_H
#define PH_INTEGRATORS_SHARED_DISCRETE_FAMILIES_H

#include "discrete-lagrangian.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>

#include <math.h>
#include <string.h>

/* Lz, Lv, dat, dspeed: an array for each point e; b: which unknown of the factor. */
typedef struct ph_discrete_family {
    /* d->at, d->speed <- the points z_e and velocities v_e. */
    void (*place)(ph_discrete *d, const ph_part *f);
    /* dat[e], dspeed[e] (nz of f) <- their derivatives along y_b. */
    void (*place_along)(const ph_discrete *d, const ph_part *f, size_t b, double *const dat[2],
                        double *const dspeed[2]);
    /* r (nx of f) <- -D_1 L_d, a linear map of Lz and Lv. */
    void (*momentum)(const ph_discrete *d, const ph_part *f, double *const Lz[2], double *const Lv[2],
                     double *r);
    /* r += the derivative of that map along y_b, at d->Lz and d->Lv. NULL: the map is constant. */
    void (*bend)(const ph_discrete *d, const ph_part *f, size_t b, double *r);
} ph_discrete_family;

extern const ph_discrete_family ph_discrete_normalised;
extern const ph_discrete_family ph_discrete_circle, ph_discrete_sphere, ph_discrete_body; /* exponential */

static inline bool one_point(const ph_discrete *d)
{
    return d->points == 1;
}

/* ---- Small algebra --------------------------------------------------------------------------------- */

static inline void add_cross(const double a[3], const double b[3], double weight, double out[3])
{
    double c[3];
    ph_cross3(a, b, c);
    for (int k = 0; k < 3; k++)
        out[k] += weight * c[k];
}

/* V <- R S(w) */
static inline void spin_rows(const double R[9], const double w[3], double V[9])
{
    for (int row = 0; row < 3; row++) /* r^T S(w) = r x w */
        ph_cross3(R + 3 * row, w, V + 3 * row);
}

/* ---- Midpoints on S^1 and S^2 ----------------------------------------------------------------------- */

/* The middle of a step: n = (z + z+) / |z + z+|, and r = |z + z+| / 2. */
typedef struct middle {
    double n[3], r;
} middle;

static inline middle find_middle(const ph_discrete *d, const ph_part *f)
{
    middle m;
    double s[3];
    for (size_t k = 0; k < f->nz; k++)
        s[k] = d->z[f->z + k] + 0.5 * d->D[f->z + k];
    m.r = sqrt(ph_dot(s, s, f->nz));
    for (size_t k = 0; k < f->nz; k++)
        m.n[k] = s[k] / m.r;
    return m;
}

/* dn <- the derivative of n along y_b; returns that of r. */
static inline double move_middle(const ph_discrete *d, const ph_part *f, const middle *m, size_t b,
                                 double *dn)
{
    const double *row = d->dD + f->e + b * f->nz;
    double dr = 0.5 * d->s * ph_dot(m->n, row, f->nz);
    for (size_t k = 0; k < f->nz; k++)
        dn[k] = (0.5 * d->s * row[k] - dr * m->n[k]) / m->r;
    return dr;
}

/* out <- (I - n n^T) q / (2 r), the transposed derivative of n by z, applied to q */
static inline void pull_middle(const ph_part *f, const middle *m, const double *q, double *out)
{
    double along = ph_dot(m->n, q, f->nz);
    for (size_t k = 0; k < f->nz; k++)
        out[k] = (q[k] - along * m->n[k]) / (2 * m->r);
}

/* out <- its derivative along y_b at fixed q */
static inline void pull_middle_along(const ph_discrete *d, const ph_part *f, const middle *m, size_t b,
                                     const double *q, double *out)
{
    double dn[3], dr = move_middle(d, f, m, b, dn), along = ph_dot(m->n, q, f->nz),
                  bend = ph_dot(dn, q, f->nz);
    for (size_t k = 0; k < f->nz; k++)
        out[k] = (-dr / m->r * (q[k] - along * m->n[k]) - dn[k] * along - m->n[k] * bend) / (2 * m->r);
}

/* ---- Half turns on SO(3) --------------------------------------------------------------------------- */

/* tau = tan(t/4) / t and dtau/d(t2). */
static inline void quarter_tangent(double t2, double *tau, double *dtau)
{
    static const double series[] = {1,
                                    1. / 3,
                                    2. / 15,
                                    17. / 315,
                                    62. / 2835,
                                    1382. / 155925,
                                    21844. / 6081075,
                                    929569. / 638512875,
                                    6404582. / 10854718875.,
                                    443861162. / 1856156927625.};
    enum { TERMS = sizeof series / sizeof series[0] };
    double x2 = t2 / 16;
    if (x2 < 0.02) {
        double sum = 0, slope = 0;
        for (int i = TERMS - 1; i >= 0; i--) {
            slope = slope * x2 + sum;
            sum = sum * x2 + series[i];
        }
        *tau = sum / 4;
        *dtau = slope / 64;
        return;
    }
    double t = sqrt(t2), tangent = ph_tan(t / 4);
    *tau = tangent / t;
    *dtau = ((1 + tangent * tangent) / 4 - *tau) / (2 * t2);
}

/* R_1/2 = R exp(S(f/2)) */
static inline void half_turn(const ph_discrete *d, const ph_part *f, double R[9])
{
    double half[3], X[9];
    for (int k = 0; k < 3; k++)
        half[k] = 0.5 * d->x[f->x + k];
    ph_exp3(half, X);
    ph_multiply3(d->z + f->z, X, R);
}

/* dR <- the derivative of R_1/2 along y_b */
static inline void half_turn_along(const ph_discrete *d, const ph_part *f, const double R[9], size_t b,
                                   double dR[9])
{
    double half[3], df[3] = {0, 0, 0}, w[3];
    for (int k = 0; k < 3; k++)
        half[k] = 0.5 * d->x[f->x + k];
    df[b] = 0.5 * d->s;
    ph_dexp3(half, df, w);
    spin_rows(R, w, dR);
}

/* out <- m + tau f x m, of which the head of discrete-body.c has the reason */
static inline void pull_half_turn(const ph_discrete *d, const ph_part *f, const double m[3], double out[3])
{
    const double *x = d->x + f->x;
    double tau, dtau;
    quarter_tangent(ph_dot(x, x, 3), &tau, &dtau);
    memcpy(out, m, 3 * sizeof *m);
    add_cross(x, m, tau, out);
}

/* out <- the derivative of m + tau f x m along y_b, with dm that of m */
static inline void pull_half_turn_along(const ph_discrete *d, const ph_part *f, size_t b, const double m[3],
                                        const double dm[3], double out[3])
{
    const double *x = d->x + f->x;
    double tau, dtau, df[3] = {0, 0, 0};
    quarter_tangent(ph_dot(x, x, 3), &tau, &dtau);
    df[b] = d->s;
    pull_half_turn(d, f, dm, out);
    add_cross(df, m, tau, out);
    add_cross(x, m, dtau * 2 * x[b] * d->s, out);
}

#endif
