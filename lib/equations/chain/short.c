/* SPDX-License-Identifier: BSD-3-Clause */
/* Runge-Kutta steps (rk4.h) of chains of one or two links, with and without a cart: the equations of
 * short.h, with all numbers in registers or next to them, for any processor and for those with AVX2
 * (lib/internal/lanes.h).*/
#include "short.h"
#include "rk4.h"

#include <string.h>

#ifndef __clang__ /* GCC would load pairs by one instruction, which waits until two recent stores are done */
#pragma GCC optimize("no-tree-slp-vectorize", "no-tree-loop-distribute-patterns")
#endif

/* The end of a step: the projection, if one is requested, and the cart. False where the result is not finite
 * or beyond reach. */
INLINE bool rk4_short_finish(const size_t n, const size_t d, const bool cart, const ph_chain_rk4 *c, double h,
                             double *q, double *v, double ride[4][3], double *y)
{
    const size_t nz = n * d;
    for (size_t i = 0; i < n && c->project; i++) {
        double *qi = q + d * i, *vi = v + d * i, excess = -1;
        for (size_t k = d; k-- > 0;)
            excess = qi[k] * qi[k] + excess;
        if (excess * excess <= PH_CHAIN_FAR) {
            double shrink = (((35. / 128 * excess - 5. / 16) * excess + 3. / 8) * excess - 1. / 2) * excess;
            for (size_t k = 0; k < d; k++)
                qi[k] = shrink * qi[k] + qi[k];
            double along = -short_dot(d, qi, vi);
            for (size_t k = 0; k < d; k++)
                vi[k] = along * qi[k] + vi[k];
        } else if (!ph_chain_settle(d, 1, qi, vi)) {
            return false;
        }
    }
    double x[6], sum = 0, more = 0;
    if (cart) {
        memcpy(x, y + 2 * nz, sizeof x);
        sum = rk4_drive_cart(d, c, h, ride, x, x + 3);
    }
    for (size_t k = 0; k < nz; k++) {
        sum = q[k] * q[k] + sum;
        more = v[k] * v[k] + more;
    }
    if (!(sum + more <= c->reach))
        return false;
    for (size_t k = 0; k < nz; k++) {
        y[k] = q[k];
        y[nz + k] = v[k];
    }
    if (cart)
        memcpy(y + 2 * nz, x, sizeof x);
    return true;
}

/* One or two links. */
INLINE bool rk4_short_step(const size_t n, const size_t d, const bool cart, const ph_chain_rk4 *c, double h,
                           double *y)
{
    enum { MOST = 6 };
    double q0[MOST], v0[MOST], q[MOST], v[MOST], b[3][MOST], p[2], ride[4][3];
    const size_t nz = n * d;
    short_lever m;
    for (size_t k = 0; k < nz; k++) {
        q0[k] = q[k] = y[k];
        v0[k] = v[k] = y[nz + k];
    }
#pragma GCC unroll 4
    for (size_t stage = 0; stage < 4; stage++) { /* b: h/2 a1, h/2 a2, h a3; in the end h/6 a4 */
        const double share = stage < 2 ? h / 2 : stage == 2 ? h : h / 6;
        short_find_lever(n, d, c->row, q, &m);
        short_pulls(n, d, c->row, &m, share, v, p);
        for (size_t k = 0; k < d && cart; k++)
            ride[stage][k] =
                share * c->row->ride[k] - c->row->root[k] * ((n == 1 ? c->row->l[0] * p[0] : p[0]) * q[k]);
        for (size_t k = 0; k < nz; k++) {
            double gravity = k < d ? share * c->row->drop[k] : 0;
            if (stage < 3) {
                q[k] = share * v[k] + q0[k];
                b[stage][k] = gravity;
                v[k] = k < d ? v0[k] + gravity : v0[k];
            } else {
                q[k] = h * (1. / 3 * (b[0][k] + b[1][k] + 0.5 * b[2][k]) + v0[k]) + q0[k];
                v[k] = v0[k] + (1. / 3 * (b[0][k] + 2 * b[1][k] + b[2][k]) + gravity);
            }
        }
        if (stage < 3)
            short_add_pulls(n, d, &m, p, b[stage]);
        if (n == 1 || stage == 3)
            short_add_pulls(n, d, &m, p, v);
        else
            for (size_t k = 0; k < nz; k++)
                v[k] = v0[k] + b[stage][k];
    }
    return rk4_short_finish(n, d, cart, c, h, q, v, ride, y);
}

/* A step for n links of d axes. */
#define STEP(name, ...)                                                                                      \
    PH_LANES_TWICE(PH_LANES_AVX2, bool, name, (const ph_chain_rk4 *c, double h, double *y),                  \
                   return rk4_short_step(__VA_ARGS__, c, h, y);)
STEP(one_2, 1, 2, false)
STEP(one_3, 1, 3, false)
STEP(two_2, 2, 2, false)
STEP(two_3, 2, 3, false)
STEP(cart_one_2, 1, 2, true)
STEP(cart_one_3, 1, 3, true)
STEP(cart_two_2, 2, 2, true)
STEP(cart_two_3, 2, 3, true)

ph_chain_advance ph_chain_short(size_t n, size_t d, bool cart, bool wide)
{
/* clang-format off */
#define COPIES(copy)                                                                                         \
    {{{one_2##copy, one_3##copy}, {two_2##copy, two_3##copy}},                                               \
     {{cart_one_2##copy, cart_one_3##copy}, {cart_two_2##copy, cart_two_3##copy}}}
    /* clang-format on */
    static const ph_chain_advance steps[2][2][2][2] = {COPIES(_plain), COPIES(_wide)};
    return steps[wide][cart][n - 1][d - 2];
}
