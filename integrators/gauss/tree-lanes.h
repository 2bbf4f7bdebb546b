/* SPDX-License-Identifier: BSD-3-Clause */
/* The rates of trees of links (links.c) in lanes, some of the stages at once: included once for each width of vectors (lanes-width.h). */
#include "symmetric.h"
#include "turns.h"

/* The mass at the end of a link, the cart, or the fixed point. */
typedef struct OF(node) {
    number M[6], a[3];       /* of it and what hangs on it: momentum M x' + a; inverted in place */
    number over, n[3], g[3]; /* of its link: 1/d, M^-1 q, M^-1 (w - a) */
    number x[3];             /* its velocity */
} OF(node);

INLINE void OF(take)(const double *from, const size_t axes, size_t wide, number *v)
{
    for (size_t a = 0; a < AXES; a++)
        v[a] = a < axes ? OF(load)(from + a * wide) : (number){0};
}

/* What hangs on the end of link k goes to what the link hangs on. */
INLINE void OF(hang)(const links_own *o, size_t k, const number *q, const number *p)
{
    OF(node) *nodes = o->nodes, *s = &nodes[o->node + k], *on = &nodes[o->parent[k]];
    number w[3], rest[3];
    for (int a = 0; a < 3; a++)
        w[a] = o->over[k] * p[a];
    if (o->ends[k])
        for (int a = 0; a < 3; a++) {
            s->n[a] = o->light[k + 1] * q[a];
            s->g[a] = o->light[k + 1] * w[a];
        }
    else {
        number inverse[6];
        for (int a = 0; a < 3; a++)
            rest[a] = w[a] - s->a[a];
        OF(invert)(s->M, inverse);
        OF(apply_symmetric)(inverse, q, s->n);
        OF(apply_symmetric)(inverse, rest, s->g);
    }
    s->over = 1.0 / OF(dot)(q, s->n);
    const number along = s->over * OF(dot)(q, s->g);
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int a = 0; a < 6; a++)
        on->M[a] += (s->over * q[row[a]]) * q[column[a]];
    for (int a = 0; a < 3; a++)
        on->a[a] += w[a] - along * q[a];
}

/* The velocity of the cart, which moves along some axes alone. */
INLINE void OF(drive)(const links_own *o, size_t wide, const double *p_at, double *dx, double *dp)
{
    OF(node) *cart = (OF(node) *)o->nodes + 1;
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    const size_t axes = o->cart;
    number inverse[6], p[3];
    OF(take)(p_at, axes, wide, p);
    for (size_t a = 0; a < 3; a++)
        p[a] = a < axes ? p[a] - cart->a[a] : (number){0};
    for (int a = 0; a < 6; a++)
        if ((size_t)row[a] >= axes || (size_t)column[a] >= axes)
            cart->M[a] = (row[a] == column[a] ? 1 : 0) - (number){0};
    OF(invert)(cart->M, inverse);
    OF(apply_symmetric)(inverse, p, cart->x);
    for (size_t a = 0; a < axes; a++) {
        OF(store)(cart->x[a], dx + a * wide);
        OF(store)(o->fallen[a] - (number){0}, dp + a * wide);
    }
}

INLINE void OF(swing)(const links_own *o, size_t k, const size_t axes, size_t wide, const number *q,
                      double *dq, double *dp)
{
    OF(node) *nodes = o->nodes, *s = &nodes[o->node + k];
    const number *v = nodes[o->parent[k]].x, sigma = s->over * (OF(dot)(q, s->g) - OF(dot)(q, v));
    for (size_t a = 0; a < 3; a++)
        s->x[a] = s->g[a] - sigma * s->n[a];
    for (size_t a = 0; a < axes; a++) {
        const number way = s->x[a] - v[a];
        OF(store)(o->over[k] * way, dq + a * wide);
        OF(store)(sigma * way + o->weight[k * AXES + a], dp + a * wide);
    }
}

INLINE void OF(tree_rates)(const links_own *o, const size_t axes, size_t wide, size_t N, const double *Y,
                           double *F)
{
    const double *q_at = Y + o->cart * wide, *p_at = q_at + N * wide;
    double *dq = F + o->cart * wide, *dp = dq + N * wide;
    OF(node) *nodes = o->nodes;
    const size_t step = axes * wide;
    number q[3], p[3];
    for (size_t i = 0; i < o->node + o->n; i++) {
        memset(&nodes[i], 0, sizeof nodes[i]);
        nodes[i].M[XX] += o->mass[i];
        nodes[i].M[YY] += o->mass[i];
        nodes[i].M[ZZ] += o->mass[i];
    }
    for (size_t k = o->n; k-- > 0;) {
        OF(take)(q_at + k * step, axes, wide, q);
        OF(take)(p_at + k * step, axes, wide, p);
        OF(hang)(o, k, q, p);
    }
    if (o->cart)
        OF(drive)(o, wide, Y + N * wide, F, F + N * wide);
    for (size_t k = 0; k < o->n; k++) {
        OF(take)(q_at + k * step, axes, wide, q);
        OF(swing)(o, k, axes, wide, q, dq + k * step, dp + k * step);
    }
}

#define TREE(name, axes, wide)                                                                               \
    static TARGET void OF(name)(const links_own *own, size_t N, const double *Y, double *F)                  \
    {                                                                                                        \
        for (size_t lane = 0; lane < wide; lane += WIDTH)                                                    \
            OF(tree_rates)(own, axes, wide, N, Y + lane, F + lane);                                          \
    }
TREE(tree_eight, 3, 8)
TREE(plane_tree_eight, 2, 8)
#if WIDTH < 8
TREE(tree_four, 3, 4)
TREE(plane_tree_four, 2, 4)
#endif
#undef TREE
