/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerations of a chain (accelerate.h): one or two links by short.h, more by four.h, whose links are taken out of y four at
 * a time. Nothing is fused: the bits are the same on every processor. */
#include "accelerate.h"

#include "four.h"
#include "rk4.h"
#include "short.h"

#include <string.h>

#ifndef __clang__ /* as in short.c */
#pragma GCC optimize("no-tree-slp-vectorize", "no-tree-loop-distribute-patterns")
#endif

const ph_link_row *ph_chain_row(const ph_system *system)
{
    const ph_tree *t = ph_system_tree(system);
    return t && t->ordinary && !ph_system_has_further_potential(system) && !ph_system_has_force(system)
               ? &t->row
               : NULL;
}

/* Groups of four links. */
static size_t groups(const ph_link_row *row)
{
    return (row->n + 3) / 4;
}

/* Directions, with a group of zeros behind them; pulls and couplings with four more; s and r. */
size_t ph_chain_accelerate_work(const ph_link_row *row)
{
    return 4 * row->d * (groups(row) + 1) + 4 * (4 * groups(row) + 2);
}

/* ---- More than two links ------------------------------------------------------------------------------ */

/* Pairs at two places as one vector, and back. */
INLINE vector join(const double *low, const double *high)
{
    const loose_pair a = *(const loose_pair *)(const void *)low, b = *(const loose_pair *)(const void *)high;
    return (vector){a[0], a[1], b[0], b[1]};
}

INLINE void part(vector v, double *low, double *high)
{
    *(loose_pair *)(void *)low = (loose_pair){v[0], v[1]};
    *(loose_pair *)(void *)high = (loose_pair){v[2], v[3]};
}

/* v[k] <- coordinate k of four links, of which each has its d numbers together; and back. */
INLINE void take(const size_t d, const double *from, vector *v)
{
    if (d == 3) {
        const vector xy = join(from, from + 6), zx = join(from + 2, from + 8), yz = join(from + 4, from + 10);
        v[0] = SHUFFLE(xy, zx, 0, 5, 2, 7);
        v[1] = SHUFFLE(xy, yz, 1, 4, 3, 6);
        v[2] = SHUFFLE(zx, yz, 0, 5, 2, 7);
    } else {
        const vector even = join(from, from + 4), odd = join(from + 2, from + 6);
        v[0] = SHUFFLE(even, odd, 0, 4, 2, 6);
        v[1] = SHUFFLE(even, odd, 1, 5, 3, 7);
    }
}

/* The same of fewer than four, from single numbers: what is stored one by one is slow to load as a vector. */
INLINE void take_few(const size_t d, size_t links, const double *from, vector *v)
{
    for (size_t k = 0; k < d; k++)
        v[k] = (vector){from[k], links > 1 ? from[d + k] : 0, links > 2 ? from[2 * d + k] : 0, 0};
}

/* Four links from the i-th on, or fewer behind which there are zeros. */
INLINE void take_some(const size_t d, size_t n, size_t i, const double *from, vector *v)
{
    if (i + 4 <= n)
        take(d, from + d * i, v);
    else
        take_few(d, n - i, from + d * i, v);
}

INLINE void put(const size_t d, const vector *v, double *to)
{
    if (d == 3) {
        part(SHUFFLE(v[0], v[1], 0, 4, 2, 6), to, to + 6);
        part(SHUFFLE(v[2], v[0], 0, 5, 2, 7), to + 2, to + 8);
        part(SHUFFLE(v[1], v[2], 1, 5, 3, 7), to + 4, to + 10);
    } else {
        part(SHUFFLE(v[0], v[1], 0, 4, 2, 6), to, to + 4);
        part(SHUFFLE(v[0], v[1], 1, 5, 3, 7), to + 2, to + 6);
    }
}

INLINE void cross(const vector *a, const vector *b, vector *to)
{
    for (size_t k = 0; k < 3; k++)
        to[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* q, v: of the first link; a, ride: to the accelerations of links and cart. body: NULL; or then v and a are angular
 * velocities, and turn (3n) <- qdot. */
INLINE bool many(const size_t d, const ph_link_row *row, const double *q, const double *v,
                 const ph_link_body *body, double *turn, double *a, double *ride, double *work)
{
    const size_t n = row->n, m = 4 * groups(row), whole = n / 4 * 4;
    double *Q = work, *p = Q + d * (m + 4), *e = p + m + 4, unused[3], rest[12], rest_turn[12];
    const ph_chain_pulls at = {.n = n, .p = p, .e = e, .s = e + m + 4, .r = e + 2 * m + 4};
    chain_before before;
    before.w = all_lanes(0);
    for (size_t k = 0; k < 3; k++) { /* one by one: compilers would call what fills memory */
        before.q[k] = all_lanes(0);
        store(rest + 4 * k, all_lanes(0));
    }
    for (size_t i = 0; i < m; i += 4) {
        vector here[3] = {before.q[0]}, by[3] = {before.q[0]};
        take_some(d, n, i, q, here);
        take_some(d, n, i, v, by);
        for (size_t k = 0; k < d; k++)
            store(Q + d * i + 4 * k, here[k]);
        if (body) {
            const vector w[3] = {by[0], by[1], by[2]};
            cross(w, here, by);
            put(d, by, i < whole ? turn + d * i : rest_turn);
        }
        chain_form(d, row, &at, i, here, by, &before);
    }
    chain_close(d, row, &at, m, Q, body, &before);
    for (size_t k = 0; k < d; k++)
        store(Q + d * m + 4 * k, all_lanes(0));
    store(p + m - 4, all_lanes(0));
    store(p + m, all_lanes(0));
    rk4_eliminate(d, &at, NULL);
    chain_past past;
    vector sum = all_lanes(0);
    chain_begin(d, row, Q, p, body, 1, &past, ride ? ride : unused);
    for (size_t i = 0; i < m; i += 4) {
        vector next[3], by[3];
        chain_pull(d, Q + d * (i + 4), p + i + 4, next);
        chain_accelerate(d, row, i, next, &past, by);
        if (body) {
            const vector A[3] = {by[0], by[1], by[2]};
            vector here[3];
            for (size_t k = 0; k < 3; k++)
                here[k] = load(Q + d * i + 4 * k);
            cross(here, A, by);
        }
        put(d, by, i < whole ? a + d * i : rest);
        sum += load(p + i);
    }
    for (size_t k = 0; k < d * (n - whole); k++) {
        a[d * whole + k] = rest[k];
        if (body)
            turn[d * whole + k] = rest_turn[k];
    }
    sum -= sum; /* 0, or NaN where a pull is not finite */
    return sum[0] + sum[1] + (sum[2] + sum[3]) == 0;
}

PH_WITH_FMA static bool many_2(const ph_link_row *row, const double *q, const double *v, double *a,
                               double *ride, double *work)
{
    return many(2, row, q, v, NULL, NULL, a, ride, work);
}

PH_WITH_FMA static bool many_3(const ph_link_row *row, const double *q, const double *v, double *a,
                               double *ride, double *work)
{
    return many(3, row, q, v, NULL, NULL, a, ride, work);
}

PH_WITH_FMA bool ph_chain_spin(const ph_link_row *row, const ph_link_body *body, const double *q,
                               const double *w, double *qdot, double *wdot, double *pull, double *work)
{
    return many(3, row, q, w, body, qdot, wdot, pull, work);
}

PH_WITH_FMA bool ph_chain_is_near(const ph_link_row *row, const double *q)
{
    const size_t m = 4 * groups(row);
    vector away = all_lanes(0);
    for (size_t i = 0; i < m; i += 4) {
        vector here[3] = {all_lanes(0)};
        take_some(3, row->n, i, q, here);
        const vector excess = chain_excess(3, here);
        away += excess * excess;
    }
    return (away[0] + away[1]) + (away[2] + away[3]) - (double)(m - row->n) <= PH_CHAIN_FAR;
}

PH_WITH_FMA void ph_chain_project(const ph_link_row *row, double *q, double *w)
{
    const size_t n = row->n;
    double rest[12], rest_w[12];
    for (size_t i = 0; i < n; i += 4) {
        const bool whole = i + 4 <= n;
        vector here[3] = {all_lanes(0)}, by[3] = {all_lanes(0)};
        take_some(3, n, i, q, here);
        take_some(3, n, i, w, by);
        chain_project(3, chain_excess(3, here), here, by);
        put(3, here, whole ? q + 3 * i : rest);
        put(3, by, whole ? w + 3 * i : rest_w);
        for (size_t k = 0; k < 3 * (n - i) && !whole; k++) {
            q[3 * i + k] = rest[k];
            w[3 * i + k] = rest_w[k];
        }
    }
}

/* ---- One or two --------------------------------------------------------------------------------------- */

INLINE bool few(const size_t n, const size_t d, const ph_link_row *row, const double *q, const double *v,
                double *a, double *ride)
{
    short_lever m;
    double p[2], b[6];
    short_find_lever(n, d, row, q, &m);
    short_pulls(n, d, row, &m, 1, v, p);
    for (size_t k = 0; ride && k < row->cart; k++)
        ride[k] = row->ride[k] - row->root[k] * ((n == 1 ? row->l[0] * p[0] : p[0]) * q[k]);
    for (size_t k = 0; k < n * d; k++)
        b[k] = k < d ? row->drop[k] : 0;
    short_add_pulls(n, d, &m, p, b);
    for (size_t k = 0; k < n * d; k++)
        a[k] = b[k];
    const double sum = n == 1 ? p[0] : p[0] + p[1];
    return sum - sum == 0;
}

bool ph_chain_accelerate(const ph_link_row *row, const double *y, double *ydot, double *work)
{
    const size_t n = row->n, cart = row->cart, nz = cart + row->d * n;
    const double *q = y + cart, *v = y + nz + cart;
    double *ride = cart ? ydot + nz : NULL, *a = ydot + nz + cart;
    memcpy(ydot, y + nz, nz * sizeof *ydot);
    /* the kernel writes all axes of `ride`: what a cart does not have is overwritten by the first link */
    if (!row->few)
        return row->d == 3 ? many_3(row, q, v, a, ride, work) : many_2(row, q, v, a, ride, work);
    if (row->d == 3)
        return n == 1 ? few(1, 3, row, q, v, a, ride) : few(2, 3, row, q, v, a, ride);
    return n == 1 ? few(1, 2, row, q, v, a, ride) : few(2, 2, row, q, v, a, ride);
}
