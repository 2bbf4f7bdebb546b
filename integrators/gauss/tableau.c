/* SPDX-License-Identifier: BSD-3-Clause */
/* The coefficients of Gauss' methods of 2 to 8 stages, in long double: nodes and weights of Gauss' rule on [0, 1], a_ij as integrals
 * of Lagrange's polynomials by that rule, mu_ij = a_ij / b_j, for which symplecticity is mu_ij + mu_ji = 1 and symmetry in time
 * mu_ij + mu_{s+1-i, s+1-j} = 1; and the polynomial through the stages of the step before at those of this one.
 *
 * Sources: Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3 and VI.4; the form of the coefficients: Antonana,
 * Makazaga, Murua, Numer. Algorithms 76 (2017) 861. */
#include "gauss.h"

#include <polhode/kit/elementary.h>

#include <math.h>
#include <string.h>

/* Legendre's polynomial of degree n at x. */
static long double legendre(size_t n, long double x)
{
    long double before = 1, now = x;
    if (n == 0)
        return 1;
    for (size_t k = 2; k <= n; k++) {
        const long double next =
            ((long double)(2 * k - 1) * x * now - (long double)(k - 1) * before) / (long double)k;
        before = now;
        now = next;
    }
    return now;
}

/* Nodes c and weights b on [0, 1], ascending, by Newton's iteration. */
static void rule(size_t s, long double *c, long double *b)
{
    for (size_t i = 0; i < s; i++) {
        long double x = ph_cos(0x1.921fb54442d18p+1 * ((double)i + 0.75) / ((double)s + 0.5)), slope = 0;
        for (int pass = 0; pass < 60; pass++) {
            slope = (long double)s * (x * legendre(s, x) - legendre(s - 1, x)) / (x * x - 1);
            x -= legendre(s, x) / slope;
        }
        c[s - 1 - i] = (1 + x) / 2;
        b[s - 1 - i] = 1 / ((1 - x * x) * slope * slope);
    }
}

static long double lagrange(size_t s, const long double *c, size_t j, long double x)
{
    long double product = 1;
    for (size_t k = 0; k < s; k++)
        if (k != j)
            product *= (x - c[k]) / (c[j] - c[k]);
    return product;
}

/* The lane of a stage. */
static size_t lane_of(const gauss_tableau *t, size_t stage)
{
    return 2 * stage < t->stages ? stage : t->lanes / 2 + (t->stages - 1 - stage);
}

void ph_gauss_tableau(gauss_tableau *t, size_t s)
{
    long double c[GAUSS_STAGES], b[GAUSS_STAGES];
    memset(t, 0, sizeof *t);
    t->stages = s;
    t->lanes = s <= 4 ? 4 : 8;
    rule(s, c, b);
    for (size_t i = 0; i < s; i++) {
        const size_t lane = lane_of(t, i);
        t->used[lane] = true;
        t->node[lane] = (double)c[i];
        t->weight[lane] = (double)b[i];
        t->mu[i][i] = 0.5;
        for (size_t j = 0; j < i; j++) { /* mu_ij is near 1: the other one is 1 less it, without rounding */
            long double a = 0;
            for (size_t k = 0; k < s; k++)
                a += b[k] * lagrange(s, c, j, c[i] * c[k]) * c[i];
            t->mu[j][i] = (double)(a / b[j]);
            t->mu[i][j] = 1 - t->mu[j][i];
        }
    }
    for (size_t i = 0; 2 * i < s; i++)
        for (size_t j = 0; 2 * j < s; j++)
            t->cross[j][i] = 0.5 * (t->mu[j][i] - t->mu[s - 1 - j][i]);
    for (size_t j = 0; j < s; j++)
        for (size_t i = 0; i < s; i++) {
            long double sum = 0;
            for (size_t r = 0; r < s; r++) {
                long double at = 0; /* f of stage r of the next step by that of stage j, times b_r */
                for (size_t k = 0; k < s; k++)
                    at += (long double)(2 * k + 1) * legendre(k, 2 * c[j] - 1) * legendre(k, 2 * c[r] + 1);
                sum += (long double)t->mu[r][i] * at * b[r];
            }
            t->guess[lane_of(t, j)][lane_of(t, i)] = (double)sum;
        }
}
