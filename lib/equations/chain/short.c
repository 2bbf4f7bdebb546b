/* SPDX-License-Identifier: BSD-3-Clause */
/* Runge-Kutta steps (rk4.h) of chains of one or two links, with and without a cart: the equations of
 * kernel.h, with all numbers in registers or next to them, for any processor and for those with AVX2 and FMA
 * (lib/internal/lanes.h). What counts here is the longest sequence of dependent operations: what depends on
 * the directions of a stage alone, including the division, is computed before its velocities are known. */
#include "rk4.h"

#include <string.h>

#ifndef __clang__ /* GCC would load pairs by one instruction, which waits until two recent stores are done */
#pragma GCC optimize("no-tree-slp-vectorize", "no-tree-loop-distribute-patterns")
#endif

INLINE double rk4_short_dot(const bool fused, const size_t d, const double *a, const double *b)
{
    double sum = a[0] * b[0];
    for (size_t k = 1; k < d; k++)
        sum = madd(fused, a[k], b[k], sum);
    return sum;
}

/* |v|^2 + more in at most three dependent operations. */
INLINE double rk4_short_square(const bool fused, const size_t d, const double *v, double more)
{
    double one = madd(fused, v[0], v[0], more), two = v[1] * v[1];
    if (d == 3)
        two = madd(fused, v[2], v[2], two);
    return one + two;
}

/* What depends on the directions q of a stage alone, and so is known before its velocities: g, which gives
 * the accelerations a_i = sum over j of p_j g_ij, and the inverse (times -1) of the matrix of the equations
 * for the pulls p. For one link p is the pull divided by the length, so that g has no factor 1 / l. */
typedef struct rk4_short_lever {
    double inverse[3], g[2][2][3], gravity;
} rk4_short_lever;

INLINE void rk4_short_find_lever(const bool fused, const size_t n, const size_t d, const ph_chain_rk4 *c,
                                 const double *q, rk4_short_lever *m)
{
    double s = 0, gravity = 0;
    for (size_t k = 0; k < d; k++) {
        double hq = c->head[k] * q[k];
        m->g[0][0][k] = n == 1 ? hq : hq * c->il[0];
        s = madd(fused, hq, q[k], s);
        gravity = madd(fused, c->drop[k], q[k], gravity);
    }
    m->gravity = gravity;
    if (n == 1) {
        m->inverse[0] = -1 / s;
        return;
    }
    double far = c->w[0] * c->il[0], near = c->w[0] * c->il[1], own = c->both[1] * c->il[1];
    for (size_t k = 0; k < d; k++) {
        m->g[0][1][k] = -far * q[d + k];
        m->g[1][0][k] = -near * q[k];
        m->g[1][1][k] = own * q[d + k];
    }
    double e = c->w[0] * rk4_short_dot(fused, d, q, q + d),
           s1 = c->both[1] * rk4_short_dot(fused, d, q + d, q + d), x = -1 / madd(fused, s, s1, -(e * e));
    m->inverse[0] = s1 * x;
    m->inverse[1] = e * x;
    m->inverse[2] = s * x;
}

/* p <- share times the pulls (for one link: divided by its length, as in the lever). */
INLINE void rk4_short_pulls(const bool fused, const size_t n, const size_t d, const ph_chain_rk4 *c,
                            const rk4_short_lever *m, double share, const double *v, double *p)
{
    double r = rk4_short_square(fused, d, v, m->gravity);
    if (n == 1) {
        p[0] = r * (m->inverse[0] * share);
        return;
    }
    double r1 = c->l[1] * rk4_short_square(fused, d, v + d, 0), one = m->inverse[1] * share;
    r *= c->l[0];
    p[0] = madd(fused, r, m->inverse[0] * share, r1 * one);
    p[1] = madd(fused, r1, m->inverse[2] * share, r * one);
}

/* v <- v + sum p g, of all links. */
INLINE void rk4_short_add_pulls(const bool fused, const size_t n, const size_t d, const rk4_short_lever *m,
                                const double *p, double *v)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < d; k++)
                v[d * i + k] = madd(fused, p[j], m->g[i][j][k], v[d * i + k]);
}

/* The end of a step: the projection, if one is requested, and the cart. False where the result is not finite
 * or beyond reach. */
INLINE bool rk4_short_finish(const bool fused, const size_t n, const size_t d, const bool cart,
                             const ph_chain_rk4 *c, double h, double *q, double *v, double ride[4][3],
                             double *y)
{
    const size_t nz = n * d;
    for (size_t i = 0; i < n && c->project; i++) {
        double *qi = q + d * i, *vi = v + d * i, excess = -1;
        for (size_t k = d; k-- > 0;)
            excess = madd(fused, qi[k], qi[k], excess);
        if (excess * excess <= PH_CHAIN_FAR) {
            double shrink = madd(fused, madd(fused, madd(fused, 35. / 128, excess, -5. / 16), excess, 3. / 8),
                                 excess, -1. / 2) *
                            excess;
            for (size_t k = 0; k < d; k++)
                qi[k] = madd(fused, shrink, qi[k], qi[k]);
            double along = -rk4_short_dot(fused, d, qi, vi);
            for (size_t k = 0; k < d; k++)
                vi[k] = madd(fused, along, qi[k], vi[k]);
        } else if (!ph_chain_settle(d, 1, qi, vi)) {
            return false;
        }
    }
    double x[6], sum = 0, more = 0;
    if (cart) {
        memcpy(x, y + 2 * nz, sizeof x);
        sum = rk4_drive_cart(fused, d, c, h, ride, x, x + 3);
    }
    for (size_t k = 0; k < nz; k++) {
        sum = madd(fused, q[k], q[k], sum);
        more = madd(fused, v[k], v[k], more);
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
INLINE bool rk4_short_step(const bool fused, const size_t n, const size_t d, const bool cart,
                           const ph_chain_rk4 *c, double h, double *y)
{
    enum { MOST = 6 };
    double q0[MOST], v0[MOST], q[MOST], v[MOST], b[3][MOST], p[2], ride[4][3];
    const size_t nz = n * d;
    rk4_short_lever m;
    for (size_t k = 0; k < nz; k++) {
        q0[k] = q[k] = y[k];
        v0[k] = v[k] = y[nz + k];
    }
#pragma GCC unroll 4
    for (size_t stage = 0; stage < 4; stage++) { /* b: h/2 a1, h/2 a2, h a3; in the end h/6 a4 */
        const double share = stage < 2 ? h / 2 : stage == 2 ? h : h / 6;
        rk4_short_find_lever(fused, n, d, c, q, &m);
        rk4_short_pulls(fused, n, d, c, &m, share, v, p);
        for (size_t k = 0; k < d && cart; k++)
            ride[stage][k] = share * c->ride[k] - c->root[k] * ((n == 1 ? c->l[0] * p[0] : p[0]) * q[k]);
        for (size_t k = 0; k < nz; k++) {
            double gravity = k < d ? share * c->drop[k] : 0;
            if (stage < 3) {
                q[k] = madd(fused, share, v[k], q0[k]);
                b[stage][k] = gravity;
                v[k] = k < d ? v0[k] + gravity : v0[k];
            } else {
                q[k] = madd(fused, h, madd(fused, 1. / 3, b[0][k] + b[1][k] + 0.5 * b[2][k], v0[k]), q0[k]);
                v[k] = v0[k] + madd(fused, 1. / 3, b[0][k] + 2 * b[1][k] + b[2][k], gravity);
            }
        }
        if (stage < 3)
            rk4_short_add_pulls(fused, n, d, &m, p, b[stage]);
        if (n == 1 || stage == 3)
            rk4_short_add_pulls(fused, n, d, &m, p, v);
        else
            for (size_t k = 0; k < nz; k++)
                v[k] = v0[k] + b[stage][k];
    }
    return rk4_short_finish(fused, n, d, cart, c, h, q, v, ride, y);
}

/* A step for n links of d axes. */
#define STEP(name, ...)                                                                                      \
    PH_LANES_TWICE(PH_LANES_FMA, bool, name, (const ph_chain_rk4 *c, double h, double *y),                   \
                   return rk4_short_step(wide, __VA_ARGS__, c, h, y);)
STEP(one_2, 1, 2, false)
STEP(one_3, 1, 3, false)
STEP(two_2, 2, 2, false)
STEP(two_3, 2, 3, false)
STEP(cart_one_2, 1, 2, true)
STEP(cart_one_3, 1, 3, true)
STEP(cart_two_2, 2, 2, true)
STEP(cart_two_3, 2, 3, true)

ph_chain_advance ph_chain_short(size_t n, size_t d, bool cart, bool fused)
{
/* clang-format off */
#define COPIES(copy)                                                                                         \
    {{{one_2##copy, one_3##copy}, {two_2##copy, two_3##copy}},                                               \
     {{cart_one_2##copy, cart_one_3##copy}, {cart_two_2##copy, cart_two_3##copy}}}
    /* clang-format on */
    static const ph_chain_advance steps[2][2][2][2] = {COPIES(_plain), COPIES(_wide)};
    return steps[fused][cart][n - 1][d - 2];
}
