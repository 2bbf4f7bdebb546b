/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of motions, and the quantities that they conserve: sums and products in long double of the
 * doubles of states, so that the rounding of the state is measured, and not that of the measurement.
 *     free body:  H = (1/2) sum Pi_i^2 / I_i,            J = R Pi
 *     heavy top:  H = (1/2) sum Pi_i^2 / I_i + U,        J = e3 . R Pi
 *     links:      H = (1/2) sum q_i' . mu_i + U,         J = e3 . sum pi_i,
 *                 mu_i = pi_i x q_i = sum_j M_ij q_j' - lambda_i q_i */
#include "roundoff.h"

#include <math.h>
#include <string.h>

typedef long double wide;

static wide dot(const wide *a, const wide *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void find_body(const double inertia[3], const double *R, const double *Pi, roundoff_invariants *x)
{
    *x = (roundoff_invariants){0};
    for (size_t i = 0; i < 3; i++) {
        x->energy += (wide)Pi[i] * Pi[i] / inertia[i] / 2;
        for (size_t j = 0; j < 3; j++) {
            x->momenta[i] += (wide)R[3 * i + j] * Pi[j];
            x->constraint += (wide)R[3 * i + j] * R[3 * i + j];
        }
    }
    x->constraint = (x->constraint - 3) / 6;
    x->size = sqrtl(dot(x->momenta, x->momenta));
}

static void free_body(const double *R, const double *Pi, roundoff_invariants *x)
{
    static const double inertia[3] = {0.6, 0.8, 1.0};
    find_body(inertia, R, Pi, x);
}

/* 15 kg at 1 m along the second axis; of the momentum its vertical part alone. */
static void heavy_top(const double *R, const double *Pi, roundoff_invariants *x)
{
    static const double inertia[3] = {15.234375, 0.46875, 15.234375}, weight = 15 * 9.81;
    find_body(inertia, R, Pi, x);
    x->energy += (wide)weight * R[7];
    x->momenta[0] = x->momenta[2];
}

/* mu <- pi x q, and the vertical part and the constraint of a link that are added to x. */
static void add_link(const double *q, const double *pi, wide mu[3], roundoff_invariants *x)
{
    for (size_t i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        mu[i] = (wide)pi[j] * q[k] - (wide)pi[k] * q[j];
    }
    const wide off = sqrtl((wide)q[0] * q[0] + (wide)q[1] * q[1] + (wide)q[2] * q[2]) - 1;
    if (fabsl(off) > fabsl(x->constraint))
        x->constraint = off;
    x->momenta[0] += pi[2];
}

static void spherical_pendulum(const double *q, const double *pi, roundoff_invariants *x)
{
    static const double gravity = 9.81;
    wide mu[3];
    *x = (roundoff_invariants){0};
    add_link(q, pi, mu, x);
    x->energy = dot(mu, mu) / 2 + (wide)gravity * q[2];
    x->size = fabsl(x->momenta[0]);
}

/* M = l^2 (2 1; 1 1), so that q' = M^-1 (mu + lambda q); the lambdas keep q_i . q_i' = 0. */
static void double_pendulum(const double *z, const double *pi, roundoff_invariants *x)
{
    static const double gravity = 9.81, length = 9.81;
    const wide square = (wide)length * length;
    wide mu[2][3], q[2][3], along[2];
    *x = (roundoff_invariants){0};
    for (size_t i = 0; i < 2; i++) {
        add_link(z + 3 * i, pi + 3 * i, mu[i], x);
        for (size_t k = 0; k < 3; k++)
            q[i][k] = z[3 * i + k];
    }
    /* l^2 M^-1 = (1 -1; -1 2) */
    along[0] = dot(q[0], mu[0]) - dot(q[0], mu[1]);
    along[1] = 2 * dot(q[1], mu[1]) - dot(q[1], mu[0]);
    const wide a = dot(q[0], q[0]), b = -dot(q[0], q[1]), d = 2 * dot(q[1], q[1]), det = a * d - b * b;
    const wide lambda[2] = {(b * along[1] - d * along[0]) / det, (b * along[0] - a * along[1]) / det};
    for (size_t k = 0; k < 3; k++) {
        const wide f[2] = {mu[0][k] + lambda[0] * q[0][k], mu[1][k] + lambda[1] * q[1][k]};
        x->energy += (mu[0][k] * (f[0] - f[1]) + mu[1][k] * (2 * f[1] - f[0])) / square / 2;
    }
    x->energy -= gravity * (wide)length * (2 * q[0][2] + q[1][2]);
    x->size = fabsl(x->momenta[0]);
}

#define ROUNDOFF(...) {__VA_ARGS__},
const roundoff_problem roundoff_problems[] = {
#include "roundoff.def"
};
#undef ROUNDOFF
const size_t n_roundoff_problems = sizeof roundoff_problems / sizeof roundoff_problems[0];

const roundoff_problem *roundoff_find(const char *name, ph_error *err)
{
    const char *names[sizeof roundoff_problems / sizeof roundoff_problems[0]];
    for (size_t i = 0; i < n_roundoff_problems; i++) {
        names[i] = roundoff_problems[i].name;
        if (!strcmp(names[i], name))
            return &roundoff_problems[i];
    }
    ph_fail_unknown(err, "motion", name, names, n_roundoff_problems);
    return NULL;
}
