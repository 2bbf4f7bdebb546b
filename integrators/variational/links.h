/* SPDX-License-Identifier: BSD-3-Clause */
/* What is serial in the step of tree.c, elimination and substitution along a tree: for four trees
 * of one shape side by side, in vectors, and for one link at a time, in a lane of them. Included twice,
 * with these macros defined:
 *     number, mask_of_number   what it computes with, a vector or a double; what comparisons give
 *     entry, kept              what holds a number of four links, in scratch and in a carry: vectors, or rows
 *     V(entry)                 the number in it: itself, or the first of a row, where a lane is seen from
 *     ROW                      where a link has its row: row[1], in its node, or *row
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

/* What a link carries that the way back needs, too. */
typedef struct OF(link) {
    kept q[AXES];   /* unit vector */
    kept guess, mu; /* mu by the guess, and of the correction */
    kept square;    /* |nu|^2 of the last step, of stages 0 */
    kept nu[AXES];  /* change of the increment by the correction */
} LANE OF(link);

/* And that it does not. */
typedef struct OF(motion) {
    kept change[AXES];                /* of the increment by the guess */
    kept d[AXES], dl[AXES], ql[AXES]; /* increment; its low-order part, and that of q */
    kept past[3]; /* mu of the last step, its first and second backward difference; or of stages */
} LANE OF(motion);

/* What does not change about a link, and its eliminated row of the matrix. */
typedef struct OF(equation) {
    entry w, il;
    entry z, r;      /* as above; r' in place of r */
    entry tolerance; /* rounding of |nu|^2 */
    entry l, phi;    /* - residual, times l */
    entry own, e; /* own, other: its row of the inverse of one c or two; own is 1/p_c where there are more */
    entry other;
} LANE OF(equation);

/* What is needed from a link until the link that it hangs on has been reached; q1 as long as the row where three or
 * more hang there. */
typedef struct OF(passing) {
    entry X[AXES];      /* of its mass by the guess; on the way back, of what it hangs on by the correction */
    entry q1[AXES];     /* its unit vector at the end of the guess */
    entry along, pivot; /* q1.q; as above */
} LANE OF(passing);

/* A link, where its numbers are, and what hangs on it. */
typedef struct OF(node) {
    OF(passing) *now;
    OF(link) *link;
    size_t place; /* of the block, or of the link */
    struct OF(node) *first, *beside;
    size_t many;
    number *matrix; /* factors where many > 2 */
    OF(equation) ROW;
} OF(node);

/* What hangs on p, c in turn. */
/* clang-format off */
#define EACH_ON(p, c) OF(node) *c = (p)->first; c; c = c->beside
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

INLINE number OF(dot)(const entry *a, const kept *b)
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
INLINE number OF(answer)(const OF(node) *c, number r, const number *x)
{
    const entry *q1 = c->now->q1;
    return (r + (V(q1[X]) * x[X] + V(q1[Y]) * x[Y] + V(q1[Z]) * x[Z])) * V(c->row->own);
}

/* r <- r' of what hangs on p. */
INLINE void OF(solve_many)(const OF(node) *p)
{
    number x[AXES] = {NONE, NONE, NONE};
    for (EACH_ON(p, c)) {
        number f = V(p->row->w) * (V(c->row->r) * V(c->row->own));
        for (int a = 0; a < AXES; a++)
            x[a] -= f * V(c->link->q[a]);
    }
    OF(solve_matrix)(p->matrix, x);
    for (EACH_ON(p, c))
        V(c->row->r) = OF(answer)(c, V(c->row->r), x);
}

INLINE void OF(factor_many)(const OF(node) *p, mask_of_number *positive)
{
    number M[AXES * AXES], x[AXES]; /* not in memory that others may have, so that they stay in registers */
    for (int k = 0; k < AXES * AXES; k++)
        M[k] = NONE + (k % (AXES + 1) == 0);
    for (EACH_ON(p, c)) {
        number q1[AXES];
        *positive &= V(c->now->pivot) > 0;
        V(c->row->own) = 1 / V(c->now->pivot);
        number f = V(p->row->w) * V(c->row->own);
        for (int a = 0; a < AXES; a++)
            q1[a] = V(c->now->q1[a]);
        for (int a = 0; a < AXES; a++) {
            number pulled = f * V(c->link->q[a]);
            for (int b = 0; b < AXES; b++)
                M[AXES * a + b] += pulled * q1[b];
        }
    }
    OF(factor_matrix)(M, positive);
    for (int a = 0; a < AXES; a++)
        x[a] = V(p->row->w) * V(p->link->q[a]);
    OF(solve_matrix)(M, x);
    for (int k = 0; k < AXES * AXES; k++)
        p->matrix[k] = M[k];
    for (EACH_ON(p, c))
        V(c->row->z) = OF(answer)(c, NONE, x);
    OF(solve_many)(p);
}

/* ---- Any number ----------------------------------------------------------------------------------- */

/* r <- r' of what hangs on p. */
INLINE void OF(solve_hanging)(const OF(node) *p)
{
    if (p->many == 1) {
        V(p->first->row->r) *= V(p->first->row->own);
    } else if (p->many == 2) {
        OF(equation) *c = p->first->row, *s = p->first->beside->row;
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
    const number w = V(p->row->w);
    const OF(link) *on = p->link;
    if (p->many == 1) {
        OF(equation) *c = p->first->row;
        const OF(passing) *now = p->first->now;
        number pivot = V(now->pivot) + w * V(now->along), over = 1 / pivot;
        *positive &= pivot > 0;
        V(c->own) = over;
        V(c->z) = over * (w * OF(dot)(now->q1, on->q));
        V(c->r) *= over;
    } else if (p->many == 2) {
        OF(node) *first = p->first, *second = first->beside;
        OF(equation) *c = first->row, *s = second->row;
        const OF(passing) *cn = first->now, *sn = second->now;
        const kept *cq = first->link->q, *sq = second->link->q;
        number cc = V(cn->pivot) + w * V(cn->along), cs = w * OF(dot)(cn->q1, sq);
        number ss = V(sn->pivot) + w * V(sn->along), sc = w * OF(dot)(sn->q1, cq);
        number determinant = cc * ss - cs * sc, over = 1 / determinant;
        number zc = w * OF(dot)(cn->q1, on->q), zs = w * OF(dot)(sn->q1, on->q);
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
INLINE void OF(join)(OF(node) *c, const OF(node) *p, number *pivot, number *r)
{
    number e = V(p->row->w) * OF(dot)(p->now->q1, c->link->q);
    V(c->row->e) = e;
    *pivot -= e * V(c->row->z);
    *r += e * V(c->row->r);
}

INLINE void OF(join_hanging)(OF(node) *p)
{
    if (!p->many)
        return;
    number pivot = V(p->now->pivot), r = V(p->row->r);
    ON_EACH(p, OF(join), p, &pivot, &r);
    V(p->now->pivot) = pivot;
    V(p->row->r) = r;
}

/* Both again with the factors of the iteration before. */
INLINE void OF(join_again)(const OF(node) *c, number *r)
{
    *r += V(c->row->e) * V(c->row->r);
}

INLINE void OF(reduce)(OF(node) *p)
{
    if (!p->many)
        return;
    OF(solve_hanging)(p);
    number r = V(p->row->r);
    ON_EACH(p, OF(join_again), &r);
    V(p->row->r) = r;
}

/* ---- Masses ---------------------------------------------------------------------------------------- */

/* mu of one that hangs on a mass by mu of its link, and its pull. */
INLINE void OF(pass_on)(const OF(node) *c, number mu, number *pull)
{
    OF(link) *link = c->link;
    number own = V(c->row->r) + V(c->row->z) * mu;
    V(link->mu) = own;
    for (int a = 0; a < AXES; a++)
        pull[a] -= own * V(link->q[a]);
}

/* X of the mass by the correction, and mu of what hangs on it. */
INLINE void OF(substitute)(const OF(node) *p, number *moved)
{
    const OF(link) *link = p->link;
    const number mu = V(link->mu);
    for (int a = 0; a < AXES; a++)
        moved[a] = mu * V(link->q[a]);
    ON_EACH(p, OF(pass_on), mu, moved);
    for (int a = 0; a < AXES; a++)
        moved[a] *= V(p->row->w);
}

/* The pull of one that hangs on a mass by its guess. */
INLINE void OF(pull)(const OF(node) *c, number *pull)
{
    const OF(link) *link = c->link;
    const number guess = V(link->guess);
    for (int a = 0; a < AXES; a++)
        pull[a] -= guess * V(link->q[a]);
}

/* X of the mass by the guesses. */
INLINE void OF(guess)(const OF(node) *p, number *moved)
{
    const OF(link) *link = p->link;
    const number guess = V(link->guess);
    for (int a = 0; a < AXES; a++)
        moved[a] = guess * V(link->q[a]);
    ON_EACH(p, OF(pull), moved);
    for (int a = 0; a < AXES; a++)
        moved[a] *= V(p->row->w);
}

INLINE void OF(hand)(const OF(node) *p, const number *moved)
{
    for (int a = 0; a < AXES; a++)
        V(p->now->X[a]) = moved[a];
}

/* X of the mass to what hangs on it. */
INLINE void OF(hand_on)(const OF(node) *p, const number *moved)
{
    ON_EACH(p, OF(hand), moved);
}

#undef ON_EACH
#undef EACH_ON
#undef number
#undef mask_of_number
#undef entry
#undef kept
#undef V
#undef ROW
#undef LANE
#undef OF
#undef NONE
