/* SPDX-License-Identifier: BSD-3-Clause */
/* The move of a place in a step of gravitation.c, of one system or of several at once, one in each lane of a
 * vector `number`: names as in gravitation-turn.h. Momenta are those in the middle of a step, behind its first
 * half kick:
 *     p <- p + (h_before + h)/2 F,   x <- x + (h/m) p.
 * Both products are exact but for the last rounding of a sum with what is left of the one before: those of simple
 * fractions would lean to one side. */

/* One place, as it is carried. x itself is the state's. */
typedef struct OF(moving) {
    loosely p[3 * STRIDE], p_low[3 * STRIDE], x_low[3 * STRIDE];
    loosely F[3 * STRIDE]; /* at the end of the step */
} OF(moving);

typedef struct OF(moved) {
    number x[3], x_low[3], p[3], p_low[3];
} OF(moved);

/* s + e <- a + c b + less, c b without rounding (Dekker); less is small. */
INLINE void OF(add_product)(number a, number c, number b, number less, number *s, number *e)
{
    const double splitter = 0x1p27 + 1;
    const number scaled_c = splitter * c, c_upper = scaled_c - (scaled_c - c), c_lower = c - c_upper,
                 product = c * b, scaled = splitter * b, upper = scaled - (scaled - b), lower = b - upper,
                 rest = ((c_upper * upper - product) + c_upper * lower + c_lower * upper) + c_lower * lower,
                 addend = product + (rest + less), sum = a + addend, added = sum - a;
    *e = (a - (sum - added)) + (addend - added);
    *s = sum;
}

/* kick: (h_before + h)/2; drift: h/m. */
INLINE void OF(move)(const OF(moving) *m, const number *x, double kick, number drift, OF(moved) *out)
{
    const number kicks = (number){0} + kick;
    for (int i = 0; i < 3; i++) {
        OF(add_product)(m->p[STRIDE * i], kicks, m->F[STRIDE * i], m->p_low[STRIDE * i], &out->p[i],
                        &out->p_low[i]);
        OF(add_product)(x[i], drift, out->p[i], m->x_low[STRIDE * i] + drift * out->p_low[i], &out->x[i],
                        &out->x_low[i]);
    }
}

/* What a step has found becomes what is carried; F (3): the force at its end. */
INLINE void OF(keep_moved)(const OF(moved) *found, const number *F, OF(moving) *m)
{
    for (int i = 0; i < 3; i++) {
        m->p[STRIDE * i] = found->p[i];
        m->p_low[STRIDE * i] = found->p_low[i];
        m->x_low[STRIDE * i] = found->x_low[i];
        m->F[STRIDE * i] = F[i];
    }
}
