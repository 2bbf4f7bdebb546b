/* SPDX-License-Identifier: BSD-3-Clause */
/* What two bodies do to each other, in closed form up to order 4. Included once for each type of number (pair.h), with
 *     number      the type that it computes with: double, or a vector of one number of several systems
 *     OF(name)    the name of a function or type
 *     STEP        how many doubles apart the numbers of a vector or matrix are,
 *     GIVEN(x)    the number of what is kept of the bodies, x: of the type OF(given), in OF(pair) and OF(figure), FIGURE(p->a) the
 *                 latter's address. Not defined: those of one pair, ph_pair.
 *
 * With x from A to B in space, y = R^T x in the frame of a body, n = y/|y|, M' the mass of the other one and v the gradient of
 * -U with the powers of |y| left out, a body's figure of degree n against a mass gives
 *     degree 2, any      h = (3/2) G M' n . Q n / |y|^3,                    v = 3 G M' Q n / |y|^4,
 *               even     h = G M' (3 w - m_0 - m_2) / |y|^3, w = m_0 n_x^2 + m_2 n_y^2,    v = 6 G M' (m_0 n_x, m_2 n_y, 0) / |y|^4,
 *     degree 4, even     h = G M' h(a, b) / |y|^5, figure.h,                v = 2 G M' (n_x h_a, n_y h_b, 0) / |y|^6,
 *     degree n           h = n . v |y| / n,                                 v = G M' grad H_n(n) / |y|^(n+2),
 * U = -h, torque on the body -y x v. The quadrupoles against each other, in frame A, p = Q_A n, s = C Q_B C^T n, B = C Q_B C^T:
 *     h = (G / 4 |x|^5) [105 (n.p)(n.s) - 60 p.s + 6 tr(Q_A B)],
 *     v_A = (G / 2 |x|^6) [105 (n.s) p - 30 Q_A s],     v_B = (G / 2 |x|^6) [105 (n.p) s - 30 B p],
 * and a moment k = (G / 2 |x|^5) [30 s x p - 6 vee(Q_A B - B Q_A)] on A, -k on B. All terms together
 *     F = R_A v_A + R_B v_B - (x / |x|^2) [y_A . v_A + y_B . v_B + sum_n (n + 1) h_n],   T_A = -y_A x v_A + k_A, T_B likewise,
 * so that T_A + T_B + x x F = 0 but for rounding, whatever v is. */

#ifndef GIVEN
typedef double OF(given);
typedef ph_pair OF(pair);
typedef ph_figure OF(figure);
#define GIVEN(x) (x)
#define FIGURE(f) (f)
#endif

/* AddressSanitizer's build has functions in place of forms that have everything in them: for those GCC takes minutes there. */
#ifdef __SANITIZE_ADDRESS__
#undef INLINE
#define INLINE static __attribute__((noinline, unused))
#endif

/* ---- Vectors and matrices ------------------------------------------------------------------------------------ */

INLINE number OF(at)(const double *from, size_t k)
{
    return *(const OF(loose) *)(const void *)(from + STEP * k);
}

INLINE void OF(put)(double *to, size_t k, const number *value)
{
    *(OF(loose) *)(void *)(to + STEP * k) = *value;
}

INLINE number OF(dot)(const number a[3], const number b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

INLINE void OF(cross)(const number a[3], const number b[3], number c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* y <- R v, y <- R^T v */
INLINE void OF(apply)(const number R[9], const number v[3], number y[3])
{
    for (size_t k = 0; k < 3; k++)
        y[k] = R[3 * k] * v[0] + R[3 * k + 1] * v[1] + R[3 * k + 2] * v[2];
}

INLINE void OF(apply_transposed)(const number R[9], const number v[3], number y[3])
{
    for (size_t k = 0; k < 3; k++)
        y[k] = R[k] * v[0] + R[3 + k] * v[1] + R[6 + k] * v[2];
}

/* p <- Q y of the second moments without their trace. */
INLINE void OF(times_square)(const ph_figure_sort sort, const OF(given) Q[6], const number y[3], number p[3])
{
    if (sort == PH_FIGURE_SYMMETRIC) {
        p[0] = GIVEN(Q[0]) * y[0];
        p[1] = GIVEN(Q[3]) * y[1];
        p[2] = GIVEN(Q[5]) * y[2];
        return;
    }
    p[0] = GIVEN(Q[0]) * y[0] + GIVEN(Q[1]) * y[1] + GIVEN(Q[2]) * y[2];
    p[1] = GIVEN(Q[1]) * y[0] + GIVEN(Q[3]) * y[1] + GIVEN(Q[4]) * y[2];
    p[2] = GIVEN(Q[2]) * y[0] + GIVEN(Q[4]) * y[1] + GIVEN(Q[5]) * y[2];
}

/* ---- One body's figure against the mass of the other ------------------------------------------------------------ */

/* Where the other body is. */
typedef struct OF(distance) {
    number square, inverse, cube; /* 1/|x|^2, 1/|x|, 1/|x|^3 */
} OF(distance);

/* One of the two: its frame, the other body's place y in it, n = y/|y|, and what comes together. */
typedef struct OF(side) {
    number R[9], y[3], n[3], v[3];
} OF(side);

/* What comes together of both: sum_n h_n, sum_n (n + 1) h_n. */
typedef struct OF(sums) {
    number h, pull;
} OF(sums);

INLINE void OF(collect)(const double n, const number *h, OF(sums) *sums)
{
    sums->h += *h;
    sums->pull += (n + 1) * *h;
}

/* Degrees 2 and 4 of a figure with three planes of symmetry. */
INLINE void OF(attract_even)(const int order, const OF(given) *even, const OF(given) *mass,
                             const OF(distance) *d, OF(side) *side, OF(sums) *sums)
{
    const number strength = GIVEN(*mass) * d->cube, a = side->n[0] * side->n[0], b = side->n[1] * side->n[1];
    number x = (number){0} + 6 * GIVEN(even[0]), y = (number){0} + 6 * GIVEN(even[1]);
    if (order >= 4) {
        const number by_a = GIVEN(even[3]) * a + GIVEN(even[4]) * b - GIVEN(even[6]),
                     by_b = GIVEN(even[4]) * a + GIVEN(even[5]) * b - GIVEN(even[7]);
        const number h = ((by_a - GIVEN(even[6])) * a + (by_b - GIVEN(even[7])) * b) * 0.5 + GIVEN(even[8]);
        const number fourth = strength * d->square * h;
        OF(collect)(4, &fourth, sums);
        x += 2 * d->square * by_a;
        y += 2 * d->square * by_b;
    }
    const number second = strength * (3 * (GIVEN(even[0]) * a + GIVEN(even[1]) * b) - GIVEN(even[2]));
    OF(collect)(2, &second, sums);
    side->v[0] += strength * d->inverse * side->n[0] * x;
    side->v[1] += strength * d->inverse * side->n[1] * y;
}

/* v += part, a term of degree n. */
INLINE void OF(add_degree)(const int n, const number part[3], OF(side) *side, OF(sums) *sums)
{
    const number along = OF(dot)(part, side->y);
    for (size_t k = 0; k < 3; k++)
        side->v[k] += part[k];
    sums->h += along * (1. / n);
    sums->pull += along * ((n + 1.) / n);
}

/* Degrees 2 to 4 of any figure; `opposite`: 1, or -1 where the other body is at -y. */
INLINE void OF(attract_any)(const int order, const double opposite, const OF(figure) *f,
                            const OF(given) *mass, const OF(distance) *d, OF(side) *side, OF(sums) *sums)
{
    const number *n = side->n;
    const number fourth = GIVEN(*mass) * d->square * d->square, fifth = fourth * d->inverse;
    number part[3];
    OF(times_square)(PH_FIGURE_ANY, f->square, n, part);
    for (size_t k = 0; k < 3; k++)
        part[k] *= 3 * fourth;
    OF(add_degree)(2, part, side, sums);
    if (order < 3)
        return;
    const number xx = n[0] * n[0], xy = n[0] * n[1], yy = n[1] * n[1], zz = n[2] * n[2];
    const number second[5] = {xx - zz, xy, yy - zz, n[0] * n[2], n[1] * n[2]};
    for (size_t k = 0; k < 3; k++) {
        const OF(given) *c = f->third[k];
        part[k] = opposite * fifth *
                  ((GIVEN(c[0]) * second[0] + GIVEN(c[1]) * second[1]) +
                   (GIVEN(c[2]) * second[2] + GIVEN(c[3]) * second[3]) + GIVEN(c[4]) * second[4]);
    }
    OF(add_degree)(3, part, side, sums);
    if (order < 4)
        return;
    const number third[7] = {
        n[0] * (xx - 3 * zz),        n[1] * second[0], n[0] * second[2],           n[1] * (yy - 3 * zz),
        n[2] * (xx - zz * (1. / 3)), xy * n[2],        n[2] * (yy - zz * (1. / 3))};
    const number sixth = fifth * d->inverse;
    for (size_t k = 0; k < 3; k++) {
        const OF(given) *c = f->fourth[k];
        part[k] = sixth * ((GIVEN(c[0]) * third[0] + GIVEN(c[1]) * third[1]) +
                           (GIVEN(c[2]) * third[2] + GIVEN(c[3]) * third[3]) +
                           (GIVEN(c[4]) * third[4] + GIVEN(c[5]) * third[5]) + GIVEN(c[6]) * third[6]);
    }
    OF(add_degree)(4, part, side, sums);
}

INLINE void OF(attract_one)(const int order, const ph_figure_sort sort, const double opposite,
                            const OF(figure) *f, const OF(given) *mass, const OF(distance) *d, OF(side) *side,
                            OF(sums) *sums)
{
    if (sort == PH_FIGURE_SYMMETRIC)
        OF(attract_even)(order, f->even, mass, d, side, sums);
    else if (sort == PH_FIGURE_ANY)
        OF(attract_any)(order, opposite, f, mass, d, side, sums);
}

/* ---- Quadrupole against quadrupole ------------------------------------------------------------------------------ */

/* k <- vee(Q B - B Q), *trace <- tr(Q B); B: xx, xy, xz, yy, yz, zz. */
INLINE void OF(compare_squares)(const ph_figure_sort sort, const OF(given) Q[6], const number B[6],
                                number k[3], number *trace)
{
    if (sort == PH_FIGURE_SYMMETRIC) {
        *trace = GIVEN(Q[0]) * B[0] + GIVEN(Q[3]) * B[3] + GIVEN(Q[5]) * B[5];
        k[0] = (GIVEN(Q[5]) - GIVEN(Q[3])) * B[4];
        k[1] = (GIVEN(Q[0]) - GIVEN(Q[5])) * B[2];
        k[2] = (GIVEN(Q[3]) - GIVEN(Q[0])) * B[1];
        return;
    }
    *trace = GIVEN(Q[0]) * B[0] + GIVEN(Q[3]) * B[3] + GIVEN(Q[5]) * B[5] +
             2 * (GIVEN(Q[1]) * B[1] + GIVEN(Q[2]) * B[2] + GIVEN(Q[4]) * B[4]);
    k[0] = (GIVEN(Q[2]) * B[1] - GIVEN(Q[1]) * B[2]) +
           (GIVEN(Q[4]) * (B[3] - B[5]) + (GIVEN(Q[5]) - GIVEN(Q[3])) * B[4]);
    k[1] = (GIVEN(Q[1]) * B[4] - GIVEN(Q[4]) * B[1]) +
           (GIVEN(Q[2]) * (B[5] - B[0]) + (GIVEN(Q[0]) - GIVEN(Q[5])) * B[2]);
    k[2] = (GIVEN(Q[4]) * B[2] - GIVEN(Q[2]) * B[4]) +
           (GIVEN(Q[1]) * (B[0] - B[3]) + (GIVEN(Q[3]) - GIVEN(Q[0])) * B[1]);
}

/* C <- R_A^T R_B */
INLINE void OF(relate)(const OF(side) *A, const OF(side) *B, number C[9])
{
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            C[3 * i + j] = A->R[i] * B->R[j] + A->R[3 + i] * B->R[3 + j] + A->R[6 + i] * B->R[6 + j];
}

/* turning <- the moment on A besides -y x v, in its frame; C as above. */
INLINE void OF(attract_squares)(const ph_figure_sort sort_a, const ph_figure_sort sort_b, const OF(given) *QA,
                                const OF(given) *QB, const OF(given) *G, const OF(distance) *d,
                                const number C[9], OF(side) *A, OF(side) *B, number turning[3],
                                OF(sums) *sums)
{
    number p[3], p_b[3], s[3], s_b[3], CQ[9], turned[6], more[3], trace, across[3];
    OF(times_square)(sort_a, QA, A->n, p);
    OF(times_square)(sort_b, QB, B->n, s_b);
    OF(apply)(C, s_b, s);
    OF(apply_transposed)(C, p, p_b);
    for (size_t i = 0; i < 3; i++)
        OF(times_square)(sort_b, QB, C + 3 * i, CQ + 3 * i);
    for (size_t i = 0, at = 0; i < 3; i++)
        for (size_t j = i; j < 3; j++, at++)
            turned[at] = OF(dot)(CQ + 3 * i, C + 3 * j);
    OF(compare_squares)(sort_a, QA, turned, more, &trace);
    OF(cross)(s, p, across);
    const number qa = OF(dot)(A->n, p), qb = OF(dot)(B->n, s_b);
    const number fifth = GIVEN(*G) * d->cube * d->square, half = 0.5 * fifth * d->inverse;
    const number h = 0.25 * fifth * (105 * qa * qb - 60 * OF(dot)(p, s) + 6 * trace);
    OF(collect)(4, &h, sums);
    number from_a[3], from_b[3];
    OF(times_square)(sort_a, QA, s, from_a);
    OF(times_square)(sort_b, QB, p_b, from_b);
    for (size_t k = 0; k < 3; k++) {
        A->v[k] += half * (105 * qb * p[k] - 30 * from_a[k]);
        B->v[k] += half * (105 * qa * s_b[k] - 30 * from_b[k]);
        turning[k] = 0.5 * fifth * (30 * across[k] - 6 * more[k]);
    }
}

/* ---- A pair ----------------------------------------------------------------------------------------------------- */

INLINE OF(distance) OF(measure)(const number x[3])
{
    const number square = OF(dot)(x, x);
    number root = square;
    OF(root)(&root);
    OF(distance) d;
    d.square = 1 / square;
    d.inverse = root * d.square;
    d.cube = d.square * d.inverse;
    return d;
}

/* A body of this sort: its frame and the other one's place in it; nothing of a point. */
INLINE void OF(take_side)(const ph_figure_sort sort, const double *R, const number x[3],
                          const OF(distance) *d, OF(side) *side)
{
    for (size_t k = 0; k < 3; k++)
        side->v[k] = (number){0};
    if (sort == PH_FIGURE_NONE)
        return;
    for (size_t k = 0; k < 9; k++)
        side->R[k] = OF(at)(R, k);
    OF(apply_transposed)(side->R, x, side->y);
    for (size_t k = 0; k < 3; k++)
        side->n[k] = side->y[k] * d->inverse;
}

/* *along += y . v, force += R v, torque <- -y x v + more, of this body. */
INLINE void OF(give_side)(const ph_figure_sort sort, const OF(side) *side, const number *more, number *along,
                          number force[3], double *torque)
{
    number across[3], turned[3];
    if (sort == PH_FIGURE_NONE) {
        for (size_t k = 0; k < 3; k++) {
            turned[k] = (number){0};
            OF(put)(torque, k, &turned[k]);
        }
        return;
    }
    OF(cross)(side->v, side->y, across);
    for (size_t k = 0; k < 3; k++) {
        if (more)
            across[k] += more[k];
        OF(put)(torque, k, &across[k]);
    }
    OF(apply)(side->R, side->v, turned);
    for (size_t k = 0; k < 3; k++)
        force[k] += turned[k];
    *along += OF(dot)(side->y, side->v);
}

/* The end of each form: the masses, if they count, and all terms together. */
INLINE void OF(finish)(const ph_figure_sort sort_a, const ph_figure_sort sort_b, const OF(pair) *p,
                       unsigned parts, const number x[3], const OF(distance) *d, const OF(side) *A,
                       const OF(side) *B, const number *more_a, const number *more_b, const OF(sums) *sums,
                       const ph_pair_result *out)
{
    number force[3] = {(number){0}, (number){0}, (number){0}}, along = (number){0};
    OF(give_side)(sort_a, A, more_a, &along, force, out->torque_a);
    OF(give_side)(sort_b, B, more_b, &along, force, out->torque_b);
    const number points = parts & PH_ATTRACT_POINTS ? GIVEN(p->strength) * d->inverse : (number){0};
    const number pull = (points + (along + sums->pull)) * d->square;
    for (size_t k = 0; k < 3; k++) {
        force[k] -= pull * x[k];
        OF(put)(out->force, k, &force[k]);
    }
    const number energy = -(points + sums->h);
    if (out->U)
        OF(put)(out->U, 0, &energy);
}

/* Up to order 4. */
INLINE void OF(closed)(const int order, const ph_figure_sort sort_a, const ph_figure_sort sort_b,
                       const OF(pair) *p, unsigned parts, const double *at, const double *Ra,
                       const double *Rb, const ph_pair_result *out)
{
    const number x[3] = {OF(at)(at, 0), OF(at)(at, 1), OF(at)(at, 2)};
    const OF(distance) d = OF(measure)(x);
    const bool both = order >= 4 && sort_a != PH_FIGURE_NONE && sort_b != PH_FIGURE_NONE;
    OF(sums) sums = {(number){0}, (number){0}};
    OF(side) A, B;
    number C[9], turning[3], back[3];
    OF(take_side)(sort_a, Ra, x, &d, &A);
    OF(take_side)(sort_b, Rb, x, &d, &B);
    OF(attract_one)(order, sort_a, 1, FIGURE(p->a), &p->gm_b, &d, &A, &sums);
    OF(attract_one)(order, sort_b, -1, FIGURE(p->b), &p->gm_a, &d, &B, &sums);
    if (both) {
        OF(relate)(&A, &B, C);
        OF(attract_squares)(sort_a, sort_b, FIGURE(p->a)->square, FIGURE(p->b)->square, &p->G, &d, C, &A, &B,
                            turning, &sums);
        OF(apply_transposed)(C, turning, back);
        for (size_t k = 0; k < 3; k++)
            back[k] = -back[k];
    }
    OF(finish)(sort_a, sort_b, p, parts, x, &d, &A, &B, both ? turning : NULL, both ? back : NULL, &sums,
               out);
}
