/* SPDX-License-Identifier: BSD-3-Clause */
/* What tensions.c does to each number of a motion by itself, for one number or for four of them. Included twice,
 * by who defines
 *     number       what it computes with, a double or a vector
 *     get(p)       the number at p in memory
 *     put(p, x)    puts x there
 *     OF(name)     name of a function
 *     OF(two_sum)  Knuth's two-sum */

/* a_1 + s^2 a_2 of a step by h behind one of the same size: the increment, and what acceleration adds. */
INLINE void OF(carry_on)(const ph_tension_step *w, const ph_tension_motion *from, double h, size_t k)
{
    const number A = get(from->A + k);
    put(w->a1 + k, get(from->delta + k) + 0.5 * h * h * A);
    put(w->a2 + k, h * (0.5 * h * A)); /* by h / 2, like the velocity */
}

/* Likewise behind one by h1, `ratio` times smaller, or h1 = 0 and a velocity, `ratio` = h. */
INLINE void OF(carry_over)(const ph_tension_step *w, const ph_tension_motion *from, double h, double h1,
                           double ratio, size_t k)
{
    const number A = get(from->A + k);
    put(w->a1 + k, ratio * (get(from->delta + k) + get(from->low + k)) + 0.5 * h * h1 * A);
    put(w->a2 + k, h * (0.5 * h * A));
}

/* The end of a step behind one of the same size: delta changes by h^2 A and the pulls alone. */
INLINE void OF(end_same)(const ph_tension_motion *from, double h, const double *pulls,
                         const ph_tension_motion *to, size_t k)
{
    number delta, low, q, q_low;
    OF(two_sum)(get(from->delta + k), (h * h * get(from->A + k) + get(pulls + k)) + get(from->low + k),
                &delta, &low);
    OF(two_sum)(get(from->q + k), delta + get(from->q_low + k), &q, &q_low);
    put(to->delta + k, delta);
    put(to->low + k, low);
    put(to->q + k, q);
    put(to->q_low + k, q_low);
}

/* The velocity at the end. */
INLINE void OF(kick)(const ph_tension_motion *from, double h, const double *pulls,
                     const ph_tension_motion *to, size_t k)
{
    number delta, low;
    OF(two_sum)(get(from->delta + k),
                (0.5 * h * (get(from->A + k) + get(to->A + k)) + get(pulls + k) / h) + get(from->low + k),
                &delta, &low);
    put(to->delta + k, delta);
    put(to->low + k, low);
}

/* a_1 <- the velocity at the end of the last step. */
INLINE void OF(speed)(const ph_tension_step *w, const ph_tension_motion *last, size_t k)
{
    const double h = last->h;
    put(w->a1 + k, (get(last->delta + k) + get(last->low + k)) / h + 0.5 * h * get(last->A + k));
}

#undef number
#undef get
#undef put
#undef OF
