/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors of the configuration in the lifted state of `gauss`, with numbers (q, p) in T*R^N:
 *     R^d     itself
 *     S^1     q in R^2, the momentum q_1 p_2 - q_2 p_1
 *     S^2     q in R^3, the momentum q x p
 *     SO(3)   a quaternion x and its conjugate momentum y, Pi = (1/2) Im(conj(x) y), R the rotation of x/|x|
 *     spin    a quaternion x, s = R(x) e_3: a pair of complex numbers (Hopf's map)
 * Each is the quotient of {|q| = 1} by p -> p + sigma q, or, of a spin, by its phase: what the gauge is does not matter.
 *
 * Source: coisotropic reduction, Marsden, Ratiu, Introduction to Mechanics and Symmetry, 6.6 and 11.5; spins: McLachlan, Modin, Verdier,
 * J. Geom. Mech. 6 (2014) 391, "collective" integrators. */
#include "gauss.h"

#include "integrators/shared/twofold.h"

#include <polhode/kit/rotation.h>

#include <math.h>
#include <string.h>

size_t ph_gauss_parts(const ph_space *space, gauss_part *parts)
{
    size_t N = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *at = ph_space_factor(space, i);
        const bool quaternion = at->kind == PH_FACTOR_SO3 || at->kind == PH_FACTOR_SPIN;
        const size_t n = quaternion ? 4 : at->nz;
        if (parts)
            parts[i] = (gauss_part){.at = *at, .q = N, .n = n, .turns = at->kind != PH_FACTOR_R};
        N += n;
    }
    return N;
}

/* ---- Quaternions: x = (w, v) ------------------------------------------------------------------------ */

/* x <- one of the two of the rotation R, by its largest number. */
static void quaternion_of(const double R[9], double x[4])
{
    const double trace = R[0] + R[4] + R[8];
    int largest = 0;
    x[0] = 1 + trace;
    for (int i = 0; i < 3; i++)
        if (2 * R[4 * i] - trace > (largest ? 2 * R[4 * (largest - 1)] - trace : trace))
            largest = i + 1;
    if (!largest) {
        x[1] = R[7] - R[5];
        x[2] = R[2] - R[6];
        x[3] = R[3] - R[1];
    } else {
        const int i = largest - 1, j = (i + 1) % 3, k = (i + 2) % 3;
        x[1 + i] = 1 + ((R[4 * i] - R[4 * j]) - R[4 * k]);
        x[1 + j] = R[3 * i + j] + R[3 * j + i];
        x[1 + k] = R[3 * i + k] + R[3 * k + i];
        x[0] = R[3 * k + j] - R[3 * j + k];
    }
    const double over = 1 / sqrt(ph_dot(x, x, 4));
    for (int d = 0; d < 4; d++)
        x[d] *= over;
}

/* I + (2 / |x|^2) (w S(v) + S(v)^2). */
void ph_gauss_rotation(const double x[4], double R[9])
{
    const double f = 2 / ph_dot(x, x, 4), *v = x + 1;
    ph_hat3(v, R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[3 * i + j] = f * (x[0] * R[3 * i + j] + v[i] * v[j]);
    R[0] = 1 - f * (v[1] * v[1] + v[2] * v[2]);
    R[4] = 1 - f * (v[0] * v[0] + v[2] * v[2]);
    R[8] = 1 - f * (v[0] * v[0] + v[1] * v[1]);
}

void ph_gauss_moment(const double x[4], const double y[4], double m[3])
{
    double turn[3];
    ph_cross3(x + 1, y + 1, turn);
    for (int d = 0; d < 3; d++)
        m[d] = 0.5 * ((x[0] * y[1 + d] - y[0] * x[1 + d]) - turn[d]);
}

void ph_gauss_times(double f, const double x[4], const double m[3], double y[4])
{
    double turn[3];
    ph_cross3(x + 1, m, turn);
    y[0] = -f * ph_dot3(x + 1, m);
    for (int d = 0; d < 3; d++)
        y[1 + d] = f * (x[0] * m[d] + turn[d]);
}

/* x <- a quaternion of a rotation that takes e_3 to s. */
static void spinor_of(const double s[3], double x[4])
{
    double R[9], first[3], second[3];
    ph_tangent_basis3(s, first, second);
    for (int i = 0; i < 3; i++) {
        R[3 * i] = first[i];
        R[3 * i + 1] = second[i];
        R[3 * i + 2] = s[i];
    }
    quaternion_of(R, x);
}

/* ---- States and back ---------------------------------------------------------------------------------- */

void ph_gauss_enter(const gauss_scratch *w, const double *z, const double *p, double *y)
{
    for (size_t i = 0; i < w->n; i++) {
        const gauss_part *part = &w->parts[i];
        const double *zi = z + part->at.z, *pi = w->spins ? NULL : p + part->at.p;
        double *q = y + part->q, *momentum = q + w->N;
        switch (part->at.kind) {
        case PH_FACTOR_SO3:
            quaternion_of(zi, q);
            ph_gauss_times(2, q, pi, momentum);
            break;
        case PH_FACTOR_SPIN:
            spinor_of(zi, q);
            break;
        case PH_FACTOR_S2:
            memcpy(q, zi, 3 * sizeof *q);
            ph_cross3(pi, zi, momentum);
            break;
        case PH_FACTOR_S1:
            memcpy(q, zi, 2 * sizeof *q);
            momentum[0] = -pi[0] * zi[1];
            momentum[1] = pi[0] * zi[0];
            break;
        default:
            memcpy(q, zi, part->n * sizeof *q);
            memcpy(momentum, pi, part->n * sizeof *momentum);
        }
    }
}

/* Of the unit vectors q/|q|, and the momenta of q and p as they are: what a lifted function depends on. */
void ph_gauss_leave(const gauss_scratch *w, const double *y, double *z, double *p)
{
    for (size_t i = 0; i < w->n; i++) {
        const gauss_part *part = &w->parts[i];
        const double *q = y + part->q, *momentum = q + w->N;
        double *zi = z + part->at.z, *pi = w->spins ? NULL : p + part->at.p, R[9], over;
        switch (part->at.kind) {
        case PH_FACTOR_SO3:
            ph_gauss_rotation(q, zi);
            ph_gauss_moment(q, momentum, pi);
            break;
        case PH_FACTOR_SPIN:
            ph_gauss_rotation(q, R);
            for (int d = 0; d < 3; d++)
                zi[d] = R[3 * d + 2];
            break;
        case PH_FACTOR_S2:
            over = 1 / ph_norm3(q);
            for (int d = 0; d < 3; d++)
                zi[d] = over * q[d];
            ph_cross3(q, momentum, pi);
            break;
        case PH_FACTOR_S1:
            over = 1 / sqrt(q[0] * q[0] + q[1] * q[1]);
            zi[0] = over * q[0];
            zi[1] = over * q[1];
            pi[0] = q[0] * momentum[1] - q[1] * momentum[0];
            break;
        default:
            memcpy(zi, q, part->n * sizeof *q);
            memcpy(pi, momentum, part->n * sizeof *momentum);
        }
    }
}

/* ---- After a step ------------------------------------------------------------------------------------- */

void ph_gauss_settle(const gauss_scratch *w, const double *y0, double *y, double *low, double *L)
{
    const size_t lanes = w->tableau.lanes;
    for (size_t i = 0; i < w->n; i++) {
        const gauss_part *part = &w->parts[i];
        if (!part->turns)
            continue;
        double *q = y + part->q, *p = q + w->N, *q_low = low + part->q, *p_low = q_low + w->N, sigma = 0;
        double exact = -1, rest = 0, before = 0;
        for (size_t d = 0; d < part->n; d++) {
            const double upper = ph_upper_half(q[d]);
            exact += upper * upper;
            rest += (q[d] - upper) * (q[d] + upper) + 2 * q[d] * q_low[d];
        }
        const double half = 0.5 * (exact + rest);
        for (size_t d = 0; d < part->n; d++) /* the momentum, q and p together, is not to change */
            q_low[d] -= half * q[d];
        if (w->spins)
            continue;
        for (size_t d = 0; d < part->n; d++) {
            p_low[d] += half * p[d];
            sigma += p[d] * q[d];
            if (y0)
                before += y0[part->q + d] * y0[w->N + part->q + d];
        }
        if (y0)
            sigma += 0.5 * (sigma - before);
        for (size_t d = 0; d < part->n; d++) {
            const ph_twofold product = ph_twofold_product(sigma, q[d]);
            double error;
            ph_two_sum(p[d], -product.high, &p[d], &error);
            p_low[d] += error - (product.low + sigma * q_low[d]);
            double *L_p = L + (w->N + part->q + d) * lanes, *L_q = L + (part->q + d) * lanes;
            for (size_t k = 0; k < lanes; k++)
                L_p[k] -= sigma * L_q[k];
        }
    }
}
