/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutual gravity of two bodies to any order (polhode/domain/gravity.h), in frame A:
 *     Phi_alpha = sum_beta b'_beta D_(alpha+beta),   Psi_beta = sum_alpha (-1)^k a_alpha D_(alpha+beta),
 *     T_A = G sum_k (-1)^k (T_q a)_alpha Phi_alpha,   T_B = G (T_q b')_beta Psi_beta,
 * k = |alpha|, l = |beta|, k + l <= N. */
#include "reduced.h"

#include <polhode/domain/gravity.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

enum { N = PH_MASS_DEGREE };

/* D (moments up to degree order) <- d^alpha 1/|r| in the places of dx^a dy^b dz^c, c <= 1, by
 *     n D_alpha = -(2n - 1) s sum_j alpha_j x_j D_(alpha - e_j) - (n - 1) s sum_j alpha_j (alpha_j - 1) D_(alpha - 2 e_j),
 * s = 1/|r|^2. */
static void find_derivatives(size_t order, const double r[3], double *D)
{
    const double s = 1 / ph_dot3(r, r), x = r[0] * s, y = r[1] * s, z = r[2] * s;
    D[0] = sqrt(s);
    for (size_t n = 1; n <= order; n++) {
        /* of degrees n, n - 1, n - 2: without dz, and with one */
        double *d0 = D + n * n, *d1 = d0 + n + 1;
        const double *e0 = D + (n - 1) * (n - 1), *e1 = e0 + n;
        const double *f0 = n > 1 ? D + (n - 2) * (n - 2) : NULL, *f1 = n > 1 ? f0 + n - 1 : NULL;
        const double once = -(double)(2 * n - 1) / (double)n, twice = -(double)(n - 1) * s / (double)n;
        for (size_t b = 0; b <= n; b++) {
            const size_t a = n - b;
            const double first = (a ? (double)a * x * e0[b] : 0) + (b ? (double)b * y * e0[b - 1] : 0);
            const double second =
                (a > 1 ? (double)(a * (a - 1)) * f0[b] : 0) + (b > 1 ? (double)(b * (b - 1)) * f0[b - 2] : 0);
            d0[b] = once * first + twice * second;
        }
        for (size_t b = 0; b < n; b++) {
            const size_t a = n - 1 - b;
            const double first =
                (a ? (double)a * x * e1[b] : 0) + (b ? (double)b * y * e1[b - 1] : 0) + z * e0[b];
            const double second =
                (a > 1 ? (double)(a * (a - 1)) * f1[b] : 0) + (b > 1 ? (double)(b * (b - 1)) * f1[b - 2] : 0);
            d1[b] = once * first + twice * second;
        }
    }
}

/* phi (2k + 1) += sum_beta b_beta D_(alpha + beta) for the monomials alpha of degree k; b of degree l, D of degree k + l. */
static void add_products(size_t k, size_t l, const double *b, const double *D, double *phi)
{
    const double *D1 = D + k + l + 1, *b1 = b + l + 1;
    double *phi1 = phi + k + 1;
    for (size_t j = 0; j <= l; j++) {
        for (size_t i = 0; i <= k; i++)
            phi[i] += b[j] * D[i + j];
        for (size_t i = 0; i < k; i++)
            phi1[i] += b[j] * D1[i + j];
    }
    for (size_t j = 0; j < l; j++) {
        for (size_t i = 0; i <= k; i++)
            phi[i] += b1[j] * D1[i + j];
        for (size_t i = 0; i < k; i++) /* dz dz */
            phi1[i] -= b1[j] * (D[i + j] + D[i + j + 2]);
    }
}

/* torque <- sum_n (T_q p)_alpha phi_alpha. */
static void find_torque(size_t order, const double *moment, const double *phi, double torque[3])
{
    double turned[PH_REDUCED_MOST];
    for (size_t q = 0; q < 3; q++) {
        torque[q] = 0;
        for (size_t n = 1; n <= order; n++) {
            ph_reduced_turn(n, moment + n * n, q, turned);
            torque[q] += ph_dot(turned, phi + n * n, 2 * n + 1);
        }
    }
}

void ph_attract(const ph_mass *A, const ph_mass *B, size_t order, double G, const double r[3],
                const double C[9], ph_attraction *out)
{
    double D[PH_MASS_MOMENTS], a[PH_MASS_MOMENTS], b[PH_MASS_MOMENTS], phi[PH_MASS_MOMENTS] = {0},
                                                                       psi[PH_MASS_MOMENTS] = {0};
    order = order < N ? order : N;
    find_derivatives(order, r, D);
    ph_reduced_rotate(order, B->moment, C, b);
    for (size_t k = 0; k <= order; k++) /* with the sign (-1)^k */
        for (size_t i = k * k; i < (k + 1) * (k + 1); i++)
            a[i] = k % 2 ? -A->moment[i] : A->moment[i];
    memset(out, 0, sizeof *out);
    for (size_t k = 0; k <= order; k++)
        for (size_t l = 0; k + l <= order; l++) {
            const size_t n = k + l;
            double part[PH_REDUCED_MOST] = {0};
            add_products(k, l, b + l * l, D + n * n, part);
            add_products(l, k, a + k * k, D + n * n, psi + l * l);
            out->by_order[n] -= G * ph_dot(a + k * k, part, 2 * k + 1);
            for (size_t i = 0; i < 2 * k + 1; i++)
                phi[k * k + i] += part[i];
        }
    double turning[3], torque_b[3], total[3], across[3], pull = 0;
    find_torque(order, a, phi, turning);
    find_torque(order, b, psi, torque_b);
    for (size_t n = order + 1; n-- > 0;) { /* the small ones first */
        out->potential += out->by_order[n];
        pull += (double)(n + 1) * out->by_order[n];
    }
    for (size_t q = 0; q < 3; q++) {
        out->torque_a[q] = G * turning[q];
        torque_b[q] *= G;
        total[q] = out->torque_a[q] + torque_b[q];
    }
    ph_cross3(total, r, across);
    const double s = 1 / ph_dot3(r, r);
    for (size_t q = 0; q < 3; q++)
        out->force[q] = s * (pull * r[q] - across[q]);
    ph_apply_transposed3(C, torque_b, out->torque_b);
}
