/* SPDX-License-Identifier: BSD-3-Clause */
/* The coefficients of Gauss' methods of 2 to 8 stages, in twice the digits: nodes and weights of Gauss' rule on [0, 1], a_ij as integrals
 * of Lagrange's polynomials by that rule, mu_ij = a_ij / b_j, for which symplecticity is mu_ij + mu_ji = 1 and symmetry in time
 * mu_ij + mu_{s+1-i, s+1-j} = 1; and the polynomial through the stages of the step before at those of this one.
 *
 * Sources: Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3 and VI.4; the form of the coefficients: Antonana,
 * Makazaga, Murua, Numer. Algorithms 76 (2017) 861. */
#include "gauss.h"
#include "lib/internal/pair.h"

#include <polhode/kit/elementary.h>

#include <math.h>
#include <string.h>

static pair one_less(pair a)
{
    return pair_add((pair){1, 0}, pair_minus(a));
}

static pair product(pair a, pair b)
{
    const pair p = pair_times(a, b.high);
    return pair_add(p, (pair){a.high * b.low, 0});
}

/* Legendre's polynomial of degree n at x. */
static pair legendre(size_t n, pair x)
{
    pair before = {1, 0}, now = x;
    if (n == 0)
        return before;
    for (size_t k = 2; k <= n; k++) {
        const pair sum =
            pair_add(pair_times(product(x, now), (double)(2 * k - 1)), pair_times(before, 1 - (double)k));
        before = now;
        now = pair_over(sum, (pair){(double)k, 0});
    }
    return now;
}

/* Nodes c and weights b on [0, 1], ascending, by Newton's iteration. */
static void rule(size_t s, pair *c, pair *b)
{
    for (size_t i = 0; i < s; i++) {
        pair x = {ph_cos(0x1.921fb54442d18p+1 * ((double)i + 0.75) / ((double)s + 0.5)), 0}, slope = x;
        for (int pass = 0; pass < 8; pass++) {
            const pair at = legendre(s, x), less = one_less(product(x, x));
            slope = pair_over(pair_times(pair_add(legendre(s - 1, x), pair_minus(product(x, at))), (double)s),
                              less);
            x = pair_add(x, pair_minus(pair_over(at, slope)));
        }
        c[s - 1 - i] = pair_times(pair_add((pair){1, 0}, x), 0.5);
        b[s - 1 - i] = pair_over((pair){1, 0}, product(one_less(product(x, x)), product(slope, slope)));
    }
}

static pair lagrange(size_t s, const pair *c, size_t j, pair x)
{
    pair value = {1, 0};
    for (size_t k = 0; k < s; k++)
        if (k != j)
            value =
                product(value, pair_over(pair_add(x, pair_minus(c[k])), pair_add(c[j], pair_minus(c[k]))));
    return value;
}

/* The lane of a stage. */
static size_t lane_of(const gauss_tableau *t, size_t stage)
{
    return 2 * stage < t->stages ? stage : t->lanes / 2 + (t->stages - 1 - stage);
}

void ph_gauss_tableau(gauss_tableau *t, size_t s)
{
    pair c[GAUSS_STAGES], b[GAUSS_STAGES];
    memset(t, 0, sizeof *t);
    t->stages = s;
    t->lanes = s <= 4 ? 4 : 8;
    rule(s, c, b);
    for (size_t i = 0; i < s; i++) {
        const size_t lane = lane_of(t, i);
        t->used[lane] = true;
        t->node[lane] = pair_value(c[i]);
        t->weight[lane] = pair_value(b[i]);
        t->mu[i][i] = 0.5;
        for (size_t j = 0; j < i; j++) { /* mu_ij is near 1: the other one is 1 less it, without rounding */
            pair a = {0, 0};
            for (size_t k = 0; k < s; k++)
                a = pair_add(a, product(b[k], product(lagrange(s, c, j, product(c[i], c[k])), c[i])));
            t->mu[j][i] = pair_value(pair_over(a, b[j]));
            t->mu[i][j] = 1 - t->mu[j][i];
        }
    }
    for (size_t i = 0; 2 * i < s; i++)
        for (size_t j = 0; 2 * j < s; j++)
            t->cross[j][i] = 0.5 * (t->mu[j][i] - t->mu[s - 1 - j][i]);
    for (size_t j = 0; j < s; j++) {
        pair at[GAUSS_STAGES]; /* f of stage r of the next step by that of stage j, times b_r */
        const pair from = pair_add(pair_times(c[j], 2), (pair){-1, 0});
        for (size_t r = 0; r < s; r++) {
            const pair to = pair_add(pair_times(c[r], 2), (pair){1, 0});
            at[r] = (pair){0, 0};
            for (size_t k = 0; k < s; k++)
                at[r] = pair_add(
                    at[r], pair_times(product(legendre(k, from), legendre(k, to)), (double)(2 * k + 1)));
        }
        for (size_t r = 0; r < s; r++) {
            at[r] = product(at[r], b[r]);
            t->ahead[lane_of(t, j)][lane_of(t, r)] = pair_value(at[r]);
        }
        for (size_t i = 0; i < s; i++) {
            pair sum = {0, 0};
            for (size_t r = 0; r < s; r++)
                sum = pair_add(sum, pair_times(at[r], t->mu[r][i]));
            t->guess[lane_of(t, j)][lane_of(t, i)] = pair_value(sum);
        }
    }
}
