/* SPDX-License-Identifier: BSD-3-Clause */
/* The rates of links.c in lanes, some of the stages at once: included once for each width of vectors (lanes-width.h). */
#include "tree-lanes.h"

typedef struct OF(row) { /* one number of each of the axes */
    number of[2][AXES];
} OF(row);

INLINE void OF(take_all)(const int G, const int axes, size_t wide, const double *from, OF(row) *r)
{
    EACH for (int a = 0; a < axes; a++) r->of[g][a] = OF(load)(from + (size_t)a * wide + g * WIDTH);
}

INLINE number OF(along)(const int axes, const number *a, const number *b)
{
    number sum = a[0] * b[0];
    for (int k = 1; k < axes; k++)
        sum += a[k] * b[k];
    return sum;
}

/* x / (1 + x) of x = |q|^2 - 1. */
INLINE number OF(beyond)(const int axes, const number *q)
{
    number x = q[0] * q[0] - 1;
    for (int k = 1; k < axes; k++)
        x += q[k] * q[k];
    return x / (1 + x);
}

/* ---- The body ------------------------------------------------------------------------------------------ */

typedef struct OF(body) {
    number R[9], Pi[3], over; /* over: 1 / |x|^2 */
} OF(body);

/* c <- S b of numbers S. */
INLINE void OF(apply_constant)(const double *S, const number *b, number *c)
{
    number all[6];
    for (int k = 0; k < 6; k++)
        all[k] = S[k] - (number){0};
    OF(apply_symmetric)(all, b, c);
}

/* Under a pull u: f, Omega, Omega x hitch <- u and what turns, in the body frame; the velocities of x and of the hitch. */
INLINE void OF(respond)(const links_own *o, const OF(body) *s, const number *p, const number *u, number *f,
                        number *Omega, number *swung, number *xdot, number *v)
{
    number turn[3];
    OF(apply_transposed)(s->R, u, f);
    OF(cross_numbers)(o->hitch, f, turn);
    for (int k = 0; k < 3; k++)
        turn[k] = s->Pi[k] - turn[k];
    OF(apply_constant)(o->inverse, turn, Omega);
    OF(cross_numbers)(o->hitch, Omega, swung);
    for (int k = 0; k < 3; k++)
        swung[k] = -swung[k];
    OF(apply)(s->R, swung, turn);
    for (int k = 0; k < 3; k++) {
        xdot[k] = o->carted[k] * (p[k] - u[k]);
        v[k] = xdot[k] + turn[k];
    }
}

/* The body at the stages; v <- the velocity of its hitch without a pull. */
INLINE void OF(meet)(const links_own *o, size_t wide, size_t N, const double *Y, OF(body) *s, number *v)
{
    number p[3], f[3], Omega[3], swung[3], xdot[3], none[3] = {{0}};
    OF(take)(Y + N * wide, 3, wide, p);
    OF(take_body)(Y + 3 * wide, Y + (N + 3) * wide, wide, s->R, s->Pi, &s->over);
    OF(respond)(o, s, p, none, f, Omega, swung, xdot, v);
}

/* c <- W b. */
INLINE void OF(yield)(const links_own *o, const OF(body) *s, const number *b, number *c)
{
    number own[3], moved[3];
    OF(apply_transposed)(s->R, b, own);
    OF(apply_constant)(o->W, own, moved);
    OF(apply)(s->R, moved, c);
}

/* The rates of the body that carries u; v <- the velocity of its hitch. */
INLINE void OF(carry)(const links_own *o, size_t wide, size_t N, const OF(body) *s, const number *u,
                      const double *Y, double *F, number *v)
{
    number p[3], f[3], Omega[3], swung[3], xdot[3], tau[3], down[3], moved[3], fall[3];
    OF(take)(Y + N * wide, 3, wide, p);
    OF(respond)(o, s, p, u, f, Omega, swung, xdot, v);
    for (int k = 0; k < 3; k++) {
        fall[k] = o->fallen[k] - (number){0};
        OF(store)(xdot[k], F + (size_t)k * wide);
        OF(store)(fall[k], F + (N + (size_t)k) * wide);
    }
    OF(cross)(swung, f, tau);
    OF(apply_transposed)(s->R, fall, down);
    OF(cross_numbers)(o->arm, down, moved);
    for (int k = 0; k < 3; k++)
        tau[k] += moved[k];
    OF(turn_body)(Y + 3 * wide, Y + (N + 3) * wide, wide, s->over, Omega, tau, F + 3 * wide,
                  F + (N + 3) * wide);
}

/* ---- A row --------------------------------------------------------------------------------------------- */

/* The rates of links in G vectors of lanes: n, the axes and what they hang on are constants where they are few. */
INLINE void OF(rates)(const links_own *o, const size_t n, const int axes, const int G, const links_root root,
                      const size_t wide, size_t N, const double *Y, double *F, size_t lane)
{
    const bool cart = root != FIXED;
    const size_t step = (size_t)axes * wide;
    const double *q = Y + o->front * wide, *p = Y + (N + o->front) * wide;
    OF(body) body[2];
    double *sigmas = o->sigma + lane, *offs = o->off + lane, *pivots = o->pivot + lane;
    OF(row) at, before = {0}, w, w_next = {0},
                moves = {0}; /* moves: x' without the pulls of links, of the mass before */
    number last[2] = {0}, sigma[2] = {0};
    if (root == CART)
        EACH for (size_t a = 0; a < o->cart; a++) moves.of[g][a] =
            o->carted[a] * OF(load)(Y + (N + a) * wide + g * WIDTH);
    if (root == BODY)
        EACH OF(meet)(o, wide, N, Y + g * WIDTH, &body[g], moves.of[g]);
    OF(take_all)(G, axes, wide, p, &w_next);
    EACH for (int a = 0; a < axes; a++) w_next.of[g][a] *= o->over[0];
    for (size_t k = 0; k < n; k++) {
        const double own = o->light[k + 1], other = o->light[k];
        OF(take_all)(G, axes, wide, q + k * step, &at);
        w = w_next;
        if (k + 1 < n) {
            OF(take_all)(G, axes, wide, p + (k + 1) * step, &w_next);
            EACH for (int a = 0; a < axes; a++) w_next.of[g][a] *= o->over[k + 1];
        }
        EACH
        {
            const bool alone = k == 0 && !cart, second = k == 1 && !cart; /* its row is that over 1 / m_1 */
            number t[AXES], yields[AXES] = {{0}};
            if (k == 0 && root == BODY)
                OF(yield)(o, &body[g], w.of[g], yields);
            for (int a = 0; a < axes && k == 0 && root == CART; a++)
                yields[a] = o->carted[a] * w.of[g][a];
            for (int a = 0; a < axes; a++) {
                t[a] = k + 1 < n ? w.of[g][a] - w_next.of[g][a] : w.of[g][a];
                const number move = own * t[a];
                if (!alone)
                    t[a] = k > 0 ? move - moves.of[g][a] : move + (yields[a] - moves.of[g][a]);
                moves.of[g][a] = move;
            }
            number b = OF(along)(axes, at.of[g], t);
            if (alone)
                last[g] = OF(beyond)(axes, at.of[g]);
            else {
                const number square = OF(along)(axes, at.of[g], at.of[g]);
                number diagonal = own * square;
                if (k > 0) {
                    const number near = -OF(along)(axes, before.of[g], at.of[g]),
                                 off = second ? near : other * near,
                                 c = second ? other * (off - off * last[g]) : off * last[g];
                    diagonal += other * square - c * off;
                    b -= c * sigma[g];
                    OF(store)(off, offs + (k * wide + g * WIDTH));
                } else if (root == BODY) {
                    OF(yield)(o, &body[g], at.of[g], yields);
                    diagonal += OF(along)(axes, at.of[g], yields);
                } else
                    for (int a = 0; a < axes; a++)
                        diagonal += o->carted[a] * (at.of[g][a] * at.of[g][a]);
                last[g] = 1.0 / diagonal;
            }
            sigma[g] = b;
            OF(store)(b, sigmas + (k * wide + g * WIDTH));
            OF(store)(last[g], pivots + (k * wide + g * WIDTH));
        }
        before = at;
    }
    EACH sigma[g] = n > 1 || cart ? sigma[g] * last[g] : sigma[g] - sigma[g] * last[g];
    EACH OF(store)(sigma[g], sigmas + ((n - 1) * wide + g * WIDTH));
    for (size_t k = n - 1; k-- > 0;)
        EACH
        {
            const size_t place = k * wide + g * WIDTH;
            const number b = OF(load)(sigmas + place) - OF(load)(offs + place + wide) * sigma[g],
                         pivot = OF(load)(pivots + place);
            sigma[g] = k > 0 || cart ? b * pivot : b - b * pivot;
            OF(store)(sigma[g], sigmas + place);
        }
    /* outwards: u of this link, velocities of masses */
    OF(row) u = {0}, next = {0}, x = {0};
    OF(take_all)(G, axes, wide, q, &at);
    OF(take_all)(G, axes, wide, p, &u);
    EACH for (int a = 0; a < axes; a++) u.of[g][a] = o->over[0] * u.of[g][a] - sigma[g] * at.of[g][a];
    if (root == BODY)
        EACH OF(carry)(o, wide, N, &body[g], u.of[g], Y + g * WIDTH, F + g * WIDTH, x.of[g]);
    if (root == CART)
        EACH for (size_t a = 0; a < o->cart; a++)
        {
            x.of[g][a] = o->carted[a] * (OF(load)(Y + (N + a) * wide + g * WIDTH) - u.of[g][a]);
            OF(store)(x.of[g][a], F + a * wide + g * WIDTH);
            OF(store)(o->fallen[a] - (number){0}, F + (N + a) * wide + g * WIDTH);
        }
    double *dq = F + o->front * wide, *dp = F + (N + o->front) * wide;
    for (size_t k = 0; k < n; k++) {
        const double own = o->light[k + 1];
        number sigma_next[2] = {0};
        if (k + 1 < n) {
            OF(take_all)(G, axes, wide, q + (k + 1) * step, &at);
            OF(take_all)(G, axes, wide, p + (k + 1) * step, &next);
            EACH
            {
                sigma_next[g] = OF(load)(sigmas + (k + 1) * wide + g * WIDTH);
                for (int a = 0; a < axes; a++)
                    next.of[g][a] = o->over[k + 1] * next.of[g][a] - sigma_next[g] * at.of[g][a];
            }
        }
        EACH
        {
            for (int a = 0; a < axes; a++) {
                const size_t place = k * step + (size_t)a * wide + g * WIDTH;
                const number v = own * (k + 1 < n ? u.of[g][a] - next.of[g][a] : u.of[g][a]),
                             way = k > 0 || cart ? v - x.of[g][a] : v;
                OF(store)(o->over[k] * way, dq + place);
                OF(store)(sigma[g] * way + o->weight[k * AXES + a], dp + place);
                x.of[g][a] = v;
                u.of[g][a] = next.of[g][a];
            }
            sigma[g] = sigma_next[g];
        }
    }
}

/* All of some lanes: the divisions of two vectors overlap. */
#define RATES(name, n, axes, root, lanes)                                                                    \
    static TARGET void OF(name)(const links_own *own, size_t N, const double *Y, double *F)                  \
    {                                                                                                        \
        const int G = lanes > WIDTH ? 2 : 1;                                                                 \
        for (int lane = 0; lane < lanes; lane += G * WIDTH)                                                  \
            OF(rates)(own, n, axes, G, root, lanes, N, Y + lane, F + lane, (size_t)lane);                    \
    }
#if WIDTH == 8
#define LINKS(name, n, axes, root) RATES(name##_eight, n, axes, root, 8)
#define COPIES(name)                                                                                         \
    {                                                                                                        \
        NULL, OF(name##_eight)                                                                               \
    }
#else
#define LINKS(name, n, axes, root) RATES(name##_four, n, axes, root, 4) RATES(name##_eight, n, axes, root, 8)
#define COPIES(name)                                                                                         \
    {                                                                                                        \
        OF(name##_four), OF(name##_eight)                                                                    \
    }
#endif
LINKS(single, 1, 3, FIXED)
LINKS(pair, 2, 3, FIXED)
LINKS(chain, own->n, 3, FIXED)
LINKS(riding, own->n, 3, CART)
LINKS(plane, own->n, 2, FIXED)
LINKS(plane_riding, own->n, 2, CART)
LINKS(carried, own->n, 3, BODY)
#undef LINKS
#undef RATES

static links_field *const OF(fields)[9][2] = {COPIES(single), COPIES(pair),       COPIES(chain),
                                              COPIES(riding), COPIES(plane),      COPIES(plane_riding),
                                              COPIES(tree),   COPIES(plane_tree), COPIES(carried)};
#undef COPIES
