/* SPDX-License-Identifier: BSD-3-Clause */
/* Increments of the factors: exponential maps less the identity,
 *     S^2     D = (sin t / t) E x - (1 - cos t) q,  t = |x|        S^1  likewise, in the plane
 *     SO(3)   D = R (exp S(x) - I)                                 R^d  D = E x. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>

#include "increments.h"

#include <float.h>
#include <math.h>
#include <string.h>

void ph_lay_parts(const ph_space *space, ph_part *parts)
{
    size_t e = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        parts[i] = (ph_part){f->kind, f->z, f->nz, f->p, f->np, f->x, f->nx, e, i};
        e += f->nx * f->nz;
    }
}

/* v (nz of the factor) <- E x */
static void combine(const ph_part *f, const double *E, const double *x, double *v)
{
    for (size_t k = 0; k < f->nz; k++) {
        v[k] = 0;
        for (size_t a = 0; a < f->nx; a++)
            v[k] += E[a * f->nz + k] * x[a];
    }
}

/* D = R (F - I) */
static void rotate(const double *R, const double *x, double *D)
{
    double X[9];
    ph_exp_increment3(x, X);
    ph_multiply3(R, X, D);
}

/* D_q = (cos t - 1) q + (sin t / t) E x */
static void swing(const double *q, const double *E, const double *x, double *D)
{
    double t2 = x[0] * x[0] + x[1] * x[1], a, b, c;
    ph_sphere_coefficients(t2, &a, &b, &c);
    for (size_t k = 0; k < 3; k++)
        D[k] = a * (x[0] * E[k] + x[1] * E[3 + k]) - b * t2 * q[k];
}

static void retract(const ph_space *space, const ph_part *f, const double *z, const double *low,
                    const double *E, const double *x, double *D)
{
    double v[PH_EMBEDDING_MOST];
    combine(f, E, x, v);
    if (low)
        ph_space_factor_increment_sum(space, f->i, z, low, v, D);
    else
        ph_space_factor_increment(space, f->i, z, v, D);
}

static void retract_derivatives(const ph_space *space, const ph_part *f, const double *z, const double *E,
                                const double *x, double *dD)
{
    double v[PH_EMBEDDING_MOST];
    combine(f, E, x, v);
    for (size_t a = 0; a < f->nx; a++)
        ph_space_factor_dexp(space, f->i, z, v, E + a * f->nz, dD + a * f->nz);
}

void ph_increments(const ph_space *space, const ph_part *parts, const double *z, const double *low,
                   const double *E, const double *x, double *D)
{
    for (const ph_part *f = parts; f < parts + ph_space_factors(space); f++) {
        const double *q = z + f->z, *xi = x + f->x, *rows = E + f->e;
        double *out = D + f->z, half, sine;
        switch (f->kind) {
        case PH_FACTOR_R:
            combine(f, rows, xi, out);
            break;
        case PH_FACTOR_S1:
            half = ph_sin(0.5 * xi[0]);
            sine = ph_sin(xi[0]);
            for (size_t k = 0; k < 2; k++)
                out[k] = sine * rows[k] - 2 * half * half * q[k];
            break;
        case PH_FACTOR_S2:
            swing(q, rows, xi, out);
            break;
        case PH_FACTOR_SO3:
            rotate(q, xi, out);
            break;
        case PH_FACTOR_EMBEDDED:
            retract(space, f, z, low, rows, xi, out);
            break;
        case PH_FACTOR_SPIN: /* has no momentum: no method that takes increments takes it */
            break;
        }
    }
}

/* dD/dx_l = R F S(T(x) e_l) */
static void rotate_derivatives(const double *R, const double *x, const double *D, double *dD)
{
    double R1[9];
    for (size_t k = 0; k < 9; k++)
        R1[k] = R[k] + D[k];
    for (size_t l = 0; l < 3; l++) {
        double unit[3] = {l == 0, l == 1, l == 2}, u[3];
        ph_dexp3(x, unit, u);
        for (size_t r = 0; r < 3; r++) /* a row v of R1: v^T S(u) = v x u */
            ph_cross3(R1 + 3 * r, u, dD + 9 * l + 3 * r);
    }
}

static void swing_derivatives(const double *q, const double *E, const double *x, double *dD)
{
    double a, b, c;
    ph_sphere_coefficients(x[0] * x[0] + x[1] * x[1], &a, &b, &c);
    for (size_t k = 0; k < 3; k++) {
        double along = c * (x[0] * E[k] + x[1] * E[3 + k]) - a * q[k];
        dD[k] = a * E[k] + x[0] * along;
        dD[3 + k] = a * E[3 + k] + x[1] * along;
    }
}

void ph_increment_grain(const ph_space *space, const ph_part *parts, const double *E, const double *x,
                        const double *D, double *grain)
{
    const double least = DBL_EPSILON * ph_max_norm(x, ph_space_dimension(space));
    for (const ph_part *f = parts; f < parts + ph_space_factors(space); f++)
        for (size_t k = 0; k < f->nz; k++) {
            double terms = 0;
            for (size_t a = 0; a < f->nx; a++)
                terms += fmax(fabs(x[f->x + a]), least) * fabs(E[f->e + a * f->nz + k]);
            grain[f->z + k] = fmax(fabs(D[f->z + k]), terms);
        }
}

void ph_increment_derivatives(const ph_space *space, const ph_part *parts, const double *z, const double *E,
                              const double *x, const double *D, double *dD)
{
    for (const ph_part *f = parts; f < parts + ph_space_factors(space); f++) {
        const double *q = z + f->z, *xi = x + f->x, *rows = E + f->e;
        double *out = dD + f->e, sine, cosine;
        switch (f->kind) {
        case PH_FACTOR_R:
            memcpy(out, rows, f->nx * f->nz * sizeof *out);
            break;
        case PH_FACTOR_S1:
            ph_sincos(xi[0], &sine, &cosine);
            for (size_t k = 0; k < 2; k++)
                out[k] = cosine * rows[k] - sine * q[k];
            break;
        case PH_FACTOR_S2:
            swing_derivatives(q, rows, xi, out);
            break;
        case PH_FACTOR_SO3:
            rotate_derivatives(q, xi, D + f->z, out);
            break;
        case PH_FACTOR_EMBEDDED:
            retract_derivatives(space, f, z, rows, xi, out);
            break;
        case PH_FACTOR_SPIN:
            break;
        }
    }
}

void ph_add_moment(const ph_part *f, const double *A, const double *B, double weight, double *m)
{
    size_t columns = f->kind == PH_FACTOR_SO3 ? 3 : f->kind == PH_FACTOR_S2 ? 1 : 0;
    if (f->kind == PH_FACTOR_R) {
        for (size_t k = 0; k < f->nz; k++)
            m[k] += weight * B[k];
        return;
    }
    if (f->kind == PH_FACTOR_S1) {
        m[0] += weight * (A[0] * B[1] - A[1] * B[0]);
        return;
    }
    for (size_t c = 0; c < columns; c++) {
        double a[3], b[3], turn[3];
        for (size_t k = 0; k < 3; k++) {
            a[k] = A[k * columns + c];
            b[k] = B[k * columns + c];
        }
        ph_cross3(a, b, turn);
        for (size_t k = 0; k < 3; k++)
            m[k] += weight * turn[k];
    }
}

void ph_add_moments(const ph_space *space, const ph_part *parts, const double *A, const double *B,
                    double weight, double *m)
{
    for (const ph_part *f = parts; f < parts + ph_space_factors(space); f++)
        ph_add_moment(f, A + f->z, B + f->z, weight, m + f->p);
}

void ph_body_moment(const double A[9], const double B[9], double m[3])
{
    double C[9];
    ph_transposed_multiply3(A, B, C);
    ph_vee3(C, m);
    for (int k = 0; k < 3; k++)
        m[k] *= 2;
}

void ph_add_spin_moment(const double R[9], const double Lv[9], const double xi[3], double c[3])
{
    double A[9], B[9], S[9], m[3];
    ph_transposed_multiply3(R, Lv, A);
    ph_hat3(xi, S);
    ph_multiply3(A, S, B); /* -R^T L_v S(xi)^T with its sign */
    ph_vee3(B, m);
    for (int k = 0; k < 3; k++)
        c[k] -= 2 * m[k];
}
