/* SPDX-License-Identifier: BSD-3-Clause */
/* What is serial in the step of tree.c, elimination and substitution along a tree: for four trees
 * of one shape side by side, in vectors, and for one link at a time, in a lane of them. Included twice,
 * with these macros defined:
 *     number, mask_of_number   what it computes with, a vector or a double; what comparisons give
 *     entry, kept              what holds a number of four links, in scratch and in a carry: vectors, or rows
 *     V(entry)                 the number in it: itself, or the first of a row, where a lane is seen from
 *     LANE                     attribute of types that see a lane of something else
 *     NONE, OF(name)           0; name of a type or function
 *
 * With an impulse mu_c of the links c that hang on mass p, and pivot p_c and right side r_c of each without
 * the part of mass p, the rows of these c are
 *     p_c mu_c + w q1_c . sum over s of q_s mu_s = r_c + w q1_c.q mu,       w, q, mu of p,
 * which give mu_c = r'_c + z_c mu. With e_c = w q1.q_c the row of p, without the part of the mass that it
 * hangs on, is
 *     (w q1.q - sum of e_c z_c) mu = r + sum of e_c r'_c.
 * One c and two are eliminated as they stand; more by way of the motion X of the mass, in a time that grows
 * with their number:
 *     (1 + w sum over c of q_c q1_c^T / p_c) X = w (mu q - sum over c of q_c r_c / p_c),
 *     mu_c = (r_c + q1_c.X) / p_c. */

/* What a link carries. */
typedef struct OF(link) {
    kept q[AXES], ql[AXES]; /* unit vector, low-order part */
    kept d[AXES], dl[AXES]; /* increment, low-order part */
    kept X[AXES];           /* change of the increment of its mass by the guesses */
    kept guess;             /* mu of the next step */
    kept past[3];           /* mu of the last step, its first and second backward difference; or of stages */
    kept square;            /* |nu|^2 of the last step, of stages 0 */
} LANE OF(link);

/* What does not change about a link, and what is between the passes. */
typedef struct OF(part) {
    entry l, il, w;
    entry q[AXES], q1[AXES]; /* unit vector, and that at the end of the guess */
    entry change[AXES];      /* of the increment by the guess, ... */
    entry all[AXES];         /* ... and with the correction */
    entry X[AXES];           /* of its mass by the correction */
    entry phi;               /* - residual, times l */
    entry tolerance, square; /* rounding of |nu|^2, and that */
    entry along;             /* q1.q */
    entry pivot, r, z, e;    /* as above; r' in place of r */
    entry own, other;        /* its row of the inverse of one c or two; 1/p_c where there are more */
    entry mu;                /* of the correction */
} LANE OF(part);

/* Where a link is, and what hangs on it. */
typedef struct OF(node) {
    OF(part) *part;
    size_t link; /* in a carry, as its first number */
    struct OF(node) *first, *beside;
    size_t many;
    number *matrix; /* factors where many > 2 */
} OF(node);

/* What hangs on p, c in turn. */
/* clang-format off */
#define EACH_ON(p, c) const OF(node) *c = (p)->first; c; c = c->beside
/* clang-format on */

/* f(c, ...) of each; of few without a loop, whose end is hard to foresee. */
#define ON_EACH(p, f, ...)                                                                                   \
    do {                                                                                                     \
        if ((p)->many == 1) {                                                                                \
            f((p)->first, __VA_ARGS__);                                                                      \
        } else if ((p)->many == 2) {                                                                         \
            f((p)->first, __VA_ARGS__);                                                                      \
            f((p)->first->beside, __VA_ARGS__);                                                              \
        } else {                                                                                             \
            for (EACH_ON(p, c))                                                                              \
                f(c, __VA_ARGS__);                                                                           \
        }                                                                                                    \
    } while (0)

INLINE number OF(dot)(const entry *a, const entry *b)
{
    return V(a[X]) * V(b[X]) + V(a[Y]) * V(b[Y]) + V(a[Z]) * V(b[Z]);
}

/* ---- Three and more on a mass -------------------------------------------------------------------- */

/* M <- L U, with the inverses of its diagonal. */
INLINE void OF(factor_matrix)(number *M, mask_of_number *positive)
{
    *positive &= M[0] > 0;
    M[0] = 1 / M[0];
    M[3] *= M[0];
    M[6] *= M[0];
    M[4] -= M[3] * M[1];
    M[5] -= M[3] * M[2];
    M[7] -= M[6] * M[1];
    M[8] -= M[6] * M[2];
    *positive &= M[4] > 0;
    M[4] = 1 / M[4];
    M[7] *= M[4];
    M[8] -= M[7] * M[5];
    *positive &= M[8] > 0;
    M[8] = 1 / M[8];
}

INLINE void OF(solve_matrix)(const number *M, number *x)
{
    x[Y] -= M[3] * x[X];
    x[Z] = (x[Z] - (M[6] * x[X] + M[7] * x[Y])) * M[8];
    x[Y] = (x[Y] - M[5] * x[Z]) * M[4];
    x[X] = (x[X] - (M[1] * x[Y] + M[2] * x[Z])) * M[0];
}

/* (r + q1.X) / p of c. */
INLINE number OF(answer)(const OF(part) *c, number r, const number *x)
{
    return (r + (V(c->q1[X]) * x[X] + V(c->q1[Y]) * x[Y] + V(c->q1[Z]) * x[Z])) * V(c->own);
}

/* r <- r' of what hangs on p. */
INLINE void OF(solve_many)(const OF(node) *p)
{
    number x[AXES] = {NONE, NONE, NONE};
    for (EACH_ON(p, c)) {
        number f = V(p->part->w) * (V(c->part->r) * V(c->part->own));
        for (int a = 0; a < AXES; a++)
            x[a] -= f * V(c->part->q[a]);
    }
    OF(solve_matrix)(p->matrix, x);
    for (EACH_ON(p, c))
        V(c->part->r) = OF(answer)(c->part, V(c->part->r), x);
}

INLINE void OF(factor_many)(const OF(node) *p, mask_of_number *positive)
{
    number *M = p->matrix, x[AXES];
    for (int k = 0; k < AXES * AXES; k++)
        M[k] = NONE + (k % (AXES + 1) == 0);
    for (EACH_ON(p, c)) {
        *positive &= V(c->part->pivot) > 0;
        V(c->part->own) = 1 / V(c->part->pivot);
        number f = V(p->part->w) * V(c->part->own);
        for (int a = 0; a < AXES; a++)
            for (int b = 0; b < AXES; b++)
                M[AXES * a + b] += f * V(c->part->q[a]) * V(c->part->q1[b]);
    }
    OF(factor_matrix)(M, positive);
    for (int a = 0; a < AXES; a++)
        x[a] = V(p->part->w) * V(p->part->q[a]);
    OF(solve_matrix)(M, x);
    for (EACH_ON(p, c))
        V(c->part->z) = OF(answer)(c->part, NONE, x);
    OF(solve_many)(p);
}

/* ---- Any number ----------------------------------------------------------------------------------- */

/* r <- r' of what hangs on p. */
INLINE void OF(solve_hanging)(const OF(node) *p)
{
    if (p->many == 1) {
        V(p->first->part->r) *= V(p->first->part->own);
    } else if (p->many == 2) {
        OF(part) *c = p->first->part, *s = p->first->beside->part;
        number rc = V(c->r), rs = V(s->r);
        V(c->r) = V(c->own) * rc + V(c->other) * rs;
        V(s->r) = V(s->own) * rs + V(s->other) * rc;
    } else if (p->many > 2) {
        OF(solve_many)(p);
    }
}

/* own, other, z, r' of what hangs on p. */
INLINE void OF(factor_hanging)(const OF(node) *p, mask_of_number *positive)
{
    const number w = V(p->part->w);
    if (p->many == 1) {
        OF(part) *c = p->first->part;
        number pivot = V(c->pivot) + w * V(c->along), over = 1 / pivot;
        *positive &= pivot > 0;
        V(c->own) = over;
        V(c->z) = over * (w * OF(dot)(c->q1, p->part->q));
        V(c->r) *= over;
    } else if (p->many == 2) {
        OF(part) *c = p->first->part, *s = p->first->beside->part;
        number cc = V(c->pivot) + w * V(c->along), cs = w * OF(dot)(c->q1, s->q);
        number ss = V(s->pivot) + w * V(s->along), sc = w * OF(dot)(s->q1, c->q);
        number determinant = cc * ss - cs * sc, over = 1 / determinant;
        number zc = w * OF(dot)(c->q1, p->part->q), zs = w * OF(dot)(s->q1, p->part->q);
        *positive &= (cc > 0) & (determinant > 0);
        V(c->own) = over * ss;
        V(c->other) = -over * cs;
        V(s->own) = over * cc;
        V(s->other) = -over * sc;
        V(c->z) = V(c->own) * zc + V(c->other) * zs;
        V(s->z) = V(s->own) * zs + V(s->other) * zc;
        OF(solve_hanging)(p);
    } else if (p->many > 2) {
        OF(factor_many)(p, positive);
    }
}

/* What hangs on p into its row: one of it. */
INLINE void OF(join)(const OF(node) *c, const OF(part) *p, number *pivot, number *r)
{
    number e = V(p->w) * OF(dot)(p->q1, c->part->q);
    V(c->part->e) = e;
    *pivot -= e * V(c->part->z);
    *r += e * V(c->part->r);
}

INLINE void OF(eliminate)(const OF(node) *p, mask_of_number *positive)
{
    if (!p->many)
        return;
    OF(factor_hanging)(p, positive);
    number pivot = V(p->part->pivot), r = V(p->part->r);
    ON_EACH(p, OF(join), p->part, &pivot, &r);
    V(p->part->pivot) = pivot;
    V(p->part->r) = r;
}

/* The same with the factors there are. */
INLINE void OF(join_again)(const OF(node) *c, number *r)
{
    *r += V(c->part->e) * V(c->part->r);
}

INLINE void OF(reduce)(const OF(node) *p)
{
    if (!p->many)
        return;
    OF(solve_hanging)(p);
    number r = V(p->part->r);
    ON_EACH(p, OF(join_again), &r);
    V(p->part->r) = r;
}

/* mu of one that hangs on a mass by mu of its link, and its pull. */
INLINE void OF(pass_on)(const OF(node) *c, number mu, number *pull)
{
    number own = V(c->part->r) + V(c->part->z) * mu;
    V(c->part->mu) = own;
    for (int a = 0; a < AXES; a++)
        pull[a] -= own * V(c->part->q[a]);
}

/* X of the mass, and mu of what hangs on it. */
INLINE void OF(substitute)(const OF(node) *p, number *moved)
{
    const number mu = V(p->part->mu);
    for (int a = 0; a < AXES; a++)
        moved[a] = mu * V(p->part->q[a]);
    ON_EACH(p, OF(pass_on), mu, moved);
    for (int a = 0; a < AXES; a++)
        V(p->part->X[a]) = moved[a] *= V(p->part->w);
}

/* The pull of one that hangs on a mass by its guess. */
INLINE void OF(pull)(const OF(node) *c, const double *carried, number *pull)
{
    const OF(link) *own = (const OF(link) *)(const void *)(carried + c->link);
    for (int a = 0; a < AXES; a++)
        pull[a] -= V(own->guess) * V(own->q[a]);
}

/* X of the mass by the guesses of the next step. */
INLINE void OF(guess)(const OF(node) *p, double *carried)
{
    OF(link) *own = (OF(link) *)(void *)(carried + p->link);
    number moved[AXES];
    for (int a = 0; a < AXES; a++)
        moved[a] = V(own->guess) * V(own->q[a]);
    ON_EACH(p, OF(pull), carried, moved);
    for (int a = 0; a < AXES; a++)
        V(own->X[a]) = V(p->part->w) * moved[a];
}

#undef ON_EACH
#undef EACH_ON
#undef number
#undef mask_of_number
#undef entry
#undef kept
#undef V
#undef LANE
#undef OF
#undef NONE
