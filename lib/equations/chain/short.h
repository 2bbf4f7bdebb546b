/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of four.h for one or two links, with and without a cart. What counts here is the longest sequence of dependent
 * operations: what depends on directions alone, including the division, does not wait for velocities. */
#ifndef PH_EQUATIONS_CHAIN_SHORT_H
#define PH_EQUATIONS_CHAIN_SHORT_H

#include "lib/internal/lanes.h"
#include "lib/kinds/linkage/tree.h"

INLINE double short_dot(const size_t d, const double *a, const double *b)
{
    double sum = a[0] * b[0];
    for (size_t k = 1; k < d; k++)
        sum = a[k] * b[k] + sum;
    return sum;
}

/* |v|^2 + more in at most three dependent operations. */
INLINE double short_square(const size_t d, const double *v, double more)
{
    double one = v[0] * v[0] + more, two = v[1] * v[1];
    if (d == 3)
        two = v[2] * v[2] + two;
    return one + two;
}

/* What depends on the directions q of a stage alone, and so is known before its velocities: g, which gives
 * the accelerations a_i = sum over j of p_j g_ij, and the inverse (times -1) of the matrix of the equations
 * for the pulls p. For one link p is the pull divided by the length, so that g has no factor 1 / l. */
typedef struct short_lever {
    double inverse[3], g[2][2][3], gravity;
} short_lever;

INLINE void short_find_lever(const size_t n, const size_t d, const ph_link_row *c, const double *q,
                             short_lever *m)
{
    double s = 0, gravity = 0;
    for (size_t k = 0; k < d; k++) {
        double hq = c->head[k] * q[k];
        m->g[0][0][k] = n == 1 ? hq : hq * c->il[0];
        s = hq * q[k] + s;
        gravity = c->drop[k] * q[k] + gravity;
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
    double e = c->w[0] * short_dot(d, q, q + d), s1 = c->both[1] * short_dot(d, q + d, q + d),
           x = -1 / (s * s1 - (e * e));
    m->inverse[0] = s1 * x;
    m->inverse[1] = e * x;
    m->inverse[2] = s * x;
}

/* p <- share times the pulls (for one link: divided by its length, as in the lever). */
INLINE void short_pulls(const size_t n, const size_t d, const ph_link_row *c, const short_lever *m,
                        double share, const double *v, double *p)
{
    double r = short_square(d, v, m->gravity);
    if (n == 1) {
        p[0] = r * (m->inverse[0] * share);
        return;
    }
    double r1 = c->l[1] * short_square(d, v + d, 0), one = m->inverse[1] * share;
    r *= c->l[0];
    p[0] = r * m->inverse[0] * share + r1 * one;
    p[1] = r1 * m->inverse[2] * share + r * one;
}

/* v <- v + sum p g, of all links. */
INLINE void short_add_pulls(const size_t n, const size_t d, const short_lever *m, const double *p, double *v)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < d; k++)
                v[d * i + k] = p[j] * m->g[i][j][k] + v[d * i + k];
}

#endif
