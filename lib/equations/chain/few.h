/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of rk4.h for one or two links, the equations of kernel.h with all
 * numbers at hand; included by lib/equations/chain/few.c as that header is by rk4.c. What counts here
 * is the longest sequence of dependent operations: what depends on the directions of a stage alone, including
 * the division, is computed before its velocities are known. */

/* The cart after a step: b, its accelerations at the stages times h/2, h/2, h, h/6. Returns the squares of x
 * and xdot. */
static inline INLINED double KERNEL(drive)(const size_t d, const ph_chain_rk4 *c, double h, double b[4][3],
                                           double *x, double *v)
{
    double sum = 0;
    for (size_t k = 0; k < d && k < c->cart; k++) {
        x[k] = MADD(h, MADD(1. / 3, b[0][k] + b[1][k] + 0.5 * b[2][k], v[k]), x[k]);
        v[k] += MADD(1. / 3, b[0][k] + 2 * b[1][k] + b[2][k], b[3][k]);
        sum += x[k] * x[k] + v[k] * v[k];
    }
    return sum;
}

/* ---- Few links: all numbers in registers, or next to them ---------------------------------------------- */

static inline INLINED double KERNEL(dot_1)(const size_t d, const double *a, const double *b)
{
    double sum = a[0] * b[0];
    for (size_t k = 1; k < d; k++)
        sum = MADD(a[k], b[k], sum);
    return sum;
}

/* |v|^2 + more in at most three dependent operations. */
static inline INLINED double KERNEL(square)(const size_t d, const double *v, double more)
{
    double one = MADD(v[0], v[0], more), two = v[1] * v[1];
    if (d == 3)
        two = MADD(v[2], v[2], two);
    return one + two;
}

/* What depends on the directions q of a stage alone, and so is known before its velocities: g, which gives
 * the accelerations a_i = sum over j of p_j g_ij, and the inverse (times -1) of the matrix of the equations
 * for the pulls p. For one link p is the pull divided by the length, so that g has no factor 1 / l. */
typedef struct KERNEL(lever) {
    double inverse[3], g[2][2][3], gravity;
} KERNEL(lever);

static inline INLINED void KERNEL(lever_of)(const size_t n, const size_t d, const ph_chain_rk4 *c,
                                            const double *q, KERNEL(lever) * m)
{
    double s = 0, gravity = 0;
    for (size_t k = 0; k < d; k++) {
        double hq = c->head[k] * q[k];
        m->g[0][0][k] = n == 1 ? hq : hq * c->il[0];
        s = MADD(hq, q[k], s);
        gravity = MADD(c->drop[k], q[k], gravity);
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
    double e = c->w[0] * KERNEL(dot_1)(d, q, q + d), s1 = c->both[1] * KERNEL(dot_1)(d, q + d, q + d),
           x = -1 / MADD(s, s1, -(e * e));
    m->inverse[0] = s1 * x;
    m->inverse[1] = e * x;
    m->inverse[2] = s * x;
}

/* p <- share times the pulls (for one link: divided by its length, as in the lever). */
static inline INLINED void KERNEL(pulls)(const size_t n, const size_t d, const ph_chain_rk4 *c,
                                         const KERNEL(lever) * m, double share, const double *v, double *p)
{
    double r = KERNEL(square)(d, v, m->gravity);
    if (n == 1) {
        p[0] = r * (m->inverse[0] * share);
        return;
    }
    double r1 = c->l[1] * KERNEL(square)(d, v + d, 0), one = m->inverse[1] * share;
    r *= c->l[0];
    p[0] = MADD(r, m->inverse[0] * share, r1 * one);
    p[1] = MADD(r1, m->inverse[2] * share, r * one);
}

/* v <- v + sum p g, of all links. */
static inline INLINED void KERNEL(add_pulls)(const size_t n, const size_t d, const KERNEL(lever) * m,
                                             const double *p, double *v)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < d; k++)
                v[d * i + k] = MADD(p[j], m->g[i][j][k], v[d * i + k]);
}

/* The end of a step: the projection, if one is requested, and the cart. False where the result is not finite
 * or beyond reach. */
static inline INLINED bool KERNEL(finish)(const size_t n, const size_t d, const bool cart,
                                          const ph_chain_rk4 *c, double h, double *q, double *v,
                                          double ride[4][3], double *y)
{
    const size_t nz = n * d;
    for (size_t i = 0; i < n && c->project; i++) {
        double *qi = q + d * i, *vi = v + d * i, excess = -1;
        for (size_t k = d; k-- > 0;)
            excess = MADD(qi[k], qi[k], excess);
        if (excess * excess <= PH_CHAIN_FAR) {
            double shrink =
                MADD(MADD(MADD(35. / 128, excess, -5. / 16), excess, 3. / 8), excess, -1. / 2) * excess;
            for (size_t k = 0; k < d; k++)
                qi[k] = MADD(shrink, qi[k], qi[k]);
            double along = -KERNEL(dot_1)(d, qi, vi);
            for (size_t k = 0; k < d; k++)
                vi[k] = MADD(along, qi[k], vi[k]);
        } else if (!ph_chain_settle(d, 1, qi, vi)) {
            return false;
        }
    }
    double x[6], sum = 0, more = 0;
    if (cart) {
        memcpy(x, y + 2 * nz, sizeof x);
        sum = KERNEL(drive)(d, c, h, ride, x, x + 3);
    }
    for (size_t k = 0; k < nz; k++) {
        sum = MADD(q[k], q[k], sum);
        more = MADD(v[k], v[k], more);
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
static inline INLINED bool KERNEL(few)(const size_t n, const size_t d, const bool cart, const ph_chain_rk4 *c,
                                       double h, double *y)
{
    enum { MOST = 6 };
    double q0[MOST], v0[MOST], q[MOST], v[MOST], b[3][MOST], p[2], ride[4][3];
    const size_t nz = n * d;
    KERNEL(lever) m;
    for (size_t k = 0; k < nz; k++) {
        q0[k] = q[k] = y[k];
        v0[k] = v[k] = y[nz + k];
    }
#pragma GCC unroll 4
    for (size_t stage = 0; stage < 4; stage++) { /* b: h/2 a1, h/2 a2, h a3; in the end h/6 a4 */
        const double share = stage < 2 ? h / 2 : stage == 2 ? h : h / 6;
        KERNEL(lever_of)(n, d, c, q, &m);
        KERNEL(pulls)(n, d, c, &m, share, v, p);
        for (size_t k = 0; k < d && cart; k++)
            ride[stage][k] = share * c->ride[k] - c->root[k] * ((n == 1 ? c->l[0] * p[0] : p[0]) * q[k]);
        for (size_t k = 0; k < nz; k++) {
            double gravity = k < d ? share * c->drop[k] : 0;
            if (stage < 3) {
                q[k] = MADD(share, v[k], q0[k]);
                b[stage][k] = gravity;
                v[k] = k < d ? v0[k] + gravity : v0[k];
            } else {
                q[k] = MADD(h, MADD(1. / 3, b[0][k] + b[1][k] + 0.5 * b[2][k], v0[k]), q0[k]);
                v[k] = v0[k] + MADD(1. / 3, b[0][k] + 2 * b[1][k] + b[2][k], gravity);
            }
        }
        if (stage < 3)
            KERNEL(add_pulls)(n, d, &m, p, b[stage]);
        if (n == 1 || stage == 3)
            KERNEL(add_pulls)(n, d, &m, p, v);
        else
            for (size_t k = 0; k < nz; k++)
                v[k] = v0[k] + b[stage][k];
    }
    return KERNEL(finish)(n, d, cart, c, h, q, v, ride, y);
}

#define KERNEL_ROW(name, ...)                                                                                \
    static bool KERNEL(name)(const ph_chain_rk4 *c, double h, double *y)                                     \
    {                                                                                                        \
        return KERNEL(few)(__VA_ARGS__, c, h, y);                                                            \
    }
KERNEL_ROW(one_3, 1, 3, false)
KERNEL_ROW(one_2, 1, 2, false)
KERNEL_ROW(two_3, 2, 3, false)
KERNEL_ROW(two_2, 2, 2, false)
KERNEL_ROW(cart_one_3, 1, 3, true)
KERNEL_ROW(cart_one_2, 1, 2, true)
KERNEL_ROW(cart_two_3, 2, 3, true)
KERNEL_ROW(cart_two_2, 2, 2, true)
#undef KERNEL_ROW
