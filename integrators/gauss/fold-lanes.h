/* SPDX-License-Identifier: BSD-3-Clause */
/* What fold.c does with the stages of one number after the other: included once for each width of vectors (lanes-width.h). */
#include "integrators/shared/lanes-eight.h"

/* Of one number, or one coefficient, in the stages of the first half and of the second. */
typedef struct OF(both) {
    number of[2][4 / WIDTH];
} OF(both);

INLINE void OF(take)(const double *from, const int pairs, OF(both) *l)
{
    for (int half = 0; half < 2; half++)
        for (int v = 0; v < pairs / WIDTH; v++)
            l->of[half][v] = OF(load)(from + half * pairs + v * WIDTH);
}

/* c_ij and c_ji by j. */
typedef struct OF(crossed) {
    number on_D[4][4 / WIDTH], on_P[4][4 / WIDTH];
} OF(crossed);

INLINE void OF(take_cross)(const gauss_tableau *t, const int pairs, OF(crossed) *c)
{
    for (int j = 0; j < pairs; j++)
        for (int i = 0; i < pairs; i++) {
            c->on_D[j][i / WIDTH][i % WIDTH] = t->cross[j][i];
            c->on_P[j][i / WIDTH][i % WIDTH] = t->cross[i][j];
        }
}

/* Sums and differences of the two halves of L go to memory, from which combine_one loads one number into all lanes: permutations of lanes
 * would take the place of arithmetic. */
INLINE void OF(part_one)(const int pairs, const OF(both) *l, double *parted)
{
    for (int v = 0; v < pairs / WIDTH; v++) {
        OF(store)(l->of[0][v] + l->of[1][v], parted + v * WIDTH);
        OF(store)(l->of[0][v] - l->of[1][v], parted + pairs + v * WIDTH);
    }
}

/* Y <- of sums and differences. */
INLINE void OF(combine_one)(const OF(crossed) *c, const int pairs, double y, double low, const double *parted,
                            double *Y)
{
    const double *P = parted, *D = parted + pairs;
    const double sum = 0.5 * (pairs == 2 ? P[0] + P[1] : (P[0] + P[1]) + (P[2] + P[3]));
    for (int v = 0; v < pairs / WIDTH; v++) {
        number first, second, e = c->on_D[0][v] * D[0], o = c->on_P[0][v] * P[0];
        if (pairs == 2) {
            const number f = c->on_D[1][v] * D[1], p = c->on_P[1][v] * P[1];
            first = (sum + (e - o)) + (f - p);
            second = (sum + (e + o)) + (f + p);
        } else {
            e += sum;
            for (int j = 1; j < pairs; j++) {
                e += c->on_D[j][v] * D[j];
                o += c->on_P[j][v] * P[j];
            }
            first = e - o;
            second = e + o;
        }
        OF(store)(y + (low + first), Y + v * WIDTH);
        OF(store)(y + (low + second), Y + pairs + v * WIDTH);
    }
}

/* Y <- of sums and differences of all numbers. */
INLINE void OF(combine_parted)(gauss_scratch *w, const int pairs, const double *y, const double *low)
{
    const size_t lanes = (size_t)(2 * pairs), all = w->D;
    const double *parted = w->parted;
    double *Y = w->Y;
    OF(crossed) c;
    OF(take_cross)(&w->tableau, pairs, &c);
    for (size_t d = 0; d < all; d++)
        OF(combine_one)(&c, pairs, y[d], low[d], parted + lanes * d, Y + lanes * d);
}

/* L, sums and differences <- of numbers from begin to end; returns the square of their difference from before. */
INLINE double OF(fold_some)(gauss_scratch *w, const int pairs, double h, size_t begin, size_t end)
{
    const size_t lanes = (size_t)(2 * pairs);
    const double *F = w->F, *scale = w->scale;
    double *all = w->L, *parted = w->parted;
    number square[4 / WIDTH] = {{0}};
    double sum[4] = {0};
    OF(both) weight, l, before;
    OF(take)(w->tableau.weight, pairs, &weight);
    for (int half = 0; half < 2; half++)
        for (int v = 0; v < pairs / WIDTH; v++)
            weight.of[half][v] *= h;
    for (size_t d = begin; d < end; d++) {
        double *L = all + lanes * d;
        OF(take)(L, pairs, &before);
        OF(take)(F + lanes * d, pairs, &l);
        for (int v = 0; v < pairs / WIDTH; v++) {
            number e[2];
            for (int half = 0; half < 2; half++) {
                l.of[half][v] *= weight.of[half][v];
                e[half] = (l.of[half][v] - before.of[half][v]) * scale[d];
                OF(store)(l.of[half][v], L + half * pairs + v * WIDTH);
            }
            if (pairs == 2) { /* one vector of each half */
                square[0] += e[0] * e[0];
                square[1 % (4 / WIDTH)] += e[1] * e[1];
            } else
                square[v] += e[0] * e[0] + e[1] * e[1];
        }
        OF(part_one)(pairs, &l, parted + lanes * d);
    }
    for (int v = 0; v < 4 / WIDTH; v++)
        OF(store)(square[v], sum + v * WIDTH);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

INLINE double OF(fold_all)(gauss_scratch *w, const int pairs, double h, const double *y, const double *low,
                           double *moved)
{
    *moved = OF(fold_some)(w, pairs, h, 0, w->N);
    const double all = *moved + OF(fold_some)(w, pairs, h, w->N, w->D);
    OF(combine_parted)(w, pairs, y, low);
    return all;
}

INLINE void OF(combine_all)(gauss_scratch *w, const int pairs, const double *y, const double *low)
{
    OF(both) l;
    for (size_t d = 0; d < w->D; d++) {
        OF(take)(w->L + (size_t)(2 * pairs) * d, pairs, &l);
        OF(part_one)(pairs, &l, w->parted + (size_t)(2 * pairs) * d);
    }
    OF(combine_parted)(w, pairs, y, low);
}

static TARGET double OF(fold)(gauss_scratch *w, double h, const double *y, const double *low, double *moved)
{
    return w->tableau.lanes == 8 ? OF(fold_all)(w, 4, h, y, low, moved)
                                 : OF(fold_all)(w, 2, h, y, low, moved);
}

static TARGET void OF(combine)(gauss_scratch *w, const double *y, const double *low)
{
    if (w->tableau.lanes == 8)
        OF(combine_all)(w, 4, y, low);
    else
        OF(combine_all)(w, 2, y, low);
}

INLINE void OF(extrapolate_all)(gauss_scratch *w, const double *L, const double *y, const double *low)
{
    const size_t lanes = w->tableau.lanes;
    for (size_t d = 0; d < w->D; d++)
        for (size_t at = 0; at < lanes; at += WIDTH) {
            const double *l = L + lanes * d;
            number sum = OF(load)(w->tableau.guess[0] + at) * l[0];
            for (size_t j = 1; j < lanes; j++)
                sum += OF(load)(w->tableau.guess[j] + at) * l[j];
            OF(store)(y[d] + (low[d] + sum), w->Y + lanes * d + at);
        }
}

static TARGET void OF(extrapolate)(gauss_scratch *w, const double *L, const double *y, const double *low)
{
    OF(extrapolate_all)(w, L, y, low);
}

INLINE double OF(miss_all)(const gauss_scratch *w, const double *before)
{
    const size_t lanes = w->tableau.lanes;
    number square[4 / WIDTH] = {{0}};
    double sum[4];
    for (size_t d = 0; d < w->D; d++)
        for (size_t at = 0; at < lanes; at += WIDTH) {
            const double *l = before + lanes * d;
            number e = OF(load)(w->L + lanes * d + at);
            for (size_t j = 0; j < lanes; j++)
                e -= OF(load)(w->tableau.ahead[j] + at) * l[j];
            e *= w->scale[d];
            square[at / WIDTH % (4 / WIDTH)] += e * e;
        }
    for (int v = 0; v < 4 / WIDTH; v++)
        OF(store)(square[v], sum + v * WIDTH);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static TARGET double OF(miss)(const gauss_scratch *w, const double *L)
{
    return OF(miss_all)(w, L);
}

static const fold_kind OF(kind) = {OF(fold), OF(combine), OF(extrapolate), OF(miss)};
