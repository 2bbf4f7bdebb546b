/* SPDX-License-Identifier: BSD-3-Clause */
/* The links of variational-forest.c, included twice: four beside each other in vectors, and one alone. Who
 * includes it defines
 *     number, stored, truth   what it reckons with; the same in a carry; what comparisons give
 *     OF(name)                name of a type or function
 *     NONE                    0 of number
 *     ABSOLUTE, TWO_SUM       |x|, Knuth's sum
 * With an impulse mu_c of the links c that hang on mass p, and what is known when p is reached from the free
 * ends (pivot p_c and right side r_c of each c without the part of mass p), the rows of the matrix of these
 * c, p_c mu_c + w q1_c . sum over s of q_s mu_s = r_c + w q1_c.q mu,       w, q, mu of p, give mu_c = r'_c +
 * z_c mu, and with e_c = w q1.q_c the row of p without the part of the mass that it hangs on (w q1.q - sum of
 * e_c z_c) mu = r + sum of e_c r'_c. One c and two are eliminated as they stand, more by way of the motion of
 * the mass, (3 x 3) (1 + w sum over c of q_c q1_c^T / p_c) X = w (mu q - sum over c of q_c r_c / p_c), mu_c =
 * (r_c + q1_c.X) / p_c. */

/* What a link carries. */
typedef struct OF(link) {
    stored q[AXES], ql[AXES]; /* unit vector, low-order part */
    stored d[AXES], dl[AXES]; /* increment, low-order part */
    stored X[AXES];           /* change of the increment of its mass by the guesses */
    stored guess;             /* mu of the next step */
    stored D0, D1, D2;        /* mu of the last step, its first and second backward difference */
    stored square;            /* |nu|^2 of the last step */
} OF(link);

/* What does not change about a link, and what is between the passes. */
typedef struct OF(part) {
    number l, il, w;
    number q[AXES], q1[AXES]; /* unit vector, and that at the end of the guess */
    number change[AXES];      /* of the increment by the guess, ... */
    number all[AXES];         /* ... and with the correction */
    number X[AXES];           /* of its mass by the correction */
    number phi, tolerance, square;
    number along;      /* q1.q */
    number pivot;      /* p_c */
    number r;          /* right side, then r' */
    number z, e;       /* as above */
    number own, other; /* its row of the inverse of one c or two; 1/p_c where there are more */
    number mu;         /* of the correction */
    number *matrix;    /* factors, where three or more hang on it */
    uint32_t many;     /* that hang on it */
    uint32_t first;    /* of these */
    uint32_t beside;   /* the next on the same mass */
    uint32_t above;    /* what it hangs on */
} OF(part);

INLINE number OF(dot)(const number *a, const number *b)
{
    return a[X] * b[X] + a[Y] * b[Y] + a[Z] * b[Z];
}

/* Numbers c of what hangs on p. */
#define EACH_ON(p, c)                                                                                        \
    uint32_t c = (p)->first, left = (p)->many;                                                               \
    left > 0;                                                                                                \
    left--, c = parts[c].beside

/* ---- What hangs on a mass ------------------------------------------------------------------------ */

/* L U with the inverses of its diagonal. */
INLINE void OF(factor_matrix)(number *M, truth *positive)
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
    x[1] -= M[3] * x[0];
    x[2] -= M[6] * x[0] + M[7] * x[1];
    x[2] *= M[8];
    x[1] = (x[1] - M[5] * x[2]) * M[4];
    x[0] = (x[0] - M[1] * x[1] - M[2] * x[2]) * M[0];
}

/* r <- r' of what hangs on p. */
INLINE void OF(solve_many)(OF(part) * parts, const OF(part) * p)
{
    number x[AXES] = {NONE, NONE, NONE};
    for (EACH_ON(p, i)) {
        const OF(part) *c = parts + i;
        number f = p->w * (c->r * c->own);
        for (int a = 0; a < AXES; a++)
            x[a] -= f * c->q[a];
    }
    OF(solve_matrix)(p->matrix, x);
    for (EACH_ON(p, i))
        parts[i].r = (parts[i].r + OF(dot)(parts[i].q1, x)) * parts[i].own;
}

INLINE void OF(solve_hanging)(OF(part) * parts, const OF(part) * p)
{
    OF(part) *c = parts + p->first;
    if (p->many == 1) {
        c->r *= c->own;
    } else if (p->many == 2) {
        OF(part) *s = parts + c->beside;
        number rc = c->own * c->r + c->other * s->r, rs = s->own * s->r + s->other * c->r;
        c->r = rc;
        s->r = rs;
    } else if (p->many > 2) {
        OF(solve_many)(parts, p);
    }
}

INLINE void OF(factor_many)(OF(part) * parts, const OF(part) * p, truth *positive)
{
    number *M = p->matrix, x[AXES];
    for (int k = 0; k < AXES * AXES; k++)
        M[k] = NONE + (k % (AXES + 1) == 0);
    for (EACH_ON(p, i)) {
        OF(part) *c = parts + i;
        *positive &= c->pivot > 0;
        c->own = 1 / c->pivot;
        number f = p->w * c->own;
        for (int a = 0; a < AXES; a++)
            for (int b = 0; b < AXES; b++)
                M[AXES * a + b] += f * c->q[a] * c->q1[b];
    }
    OF(factor_matrix)(M, positive);
    for (int a = 0; a < AXES; a++)
        x[a] = p->w * p->q[a];
    OF(solve_matrix)(M, x);
    for (EACH_ON(p, i))
        parts[i].z = OF(dot)(parts[i].q1, x) * parts[i].own;
    OF(solve_many)(parts, p);
}

/* own, other, z, r' of what hangs on p. */
INLINE void OF(factor_hanging)(OF(part) * parts, const OF(part) * p, truth *positive)
{
    OF(part) *c = parts + p->first;
    const number w = p->w;
    if (p->many == 1) {
        number pivot = c->pivot + w * c->along;
        *positive &= pivot > 0;
        c->own = 1 / pivot;
        c->z = c->own * (w * OF(dot)(c->q1, p->q));
        c->r *= c->own;
    } else if (p->many == 2) {
        OF(part) *s = parts + c->beside;
        number cc = c->pivot + w * c->along, ss = s->pivot + w * s->along;
        number cs = w * OF(dot)(c->q1, s->q), sc = w * OF(dot)(s->q1, c->q);
        number determinant = cc * ss - cs * sc, over = 1 / determinant;
        number zc = w * OF(dot)(c->q1, p->q), zs = w * OF(dot)(s->q1, p->q);
        *positive &= (cc > 0) & (determinant > 0);
        c->own = over * ss;
        c->other = -over * cs;
        s->own = over * cc;
        s->other = -over * sc;
        c->z = c->own * zc + c->other * zs;
        s->z = s->own * zs + s->other * zc;
        number rc = c->own * c->r + c->other * s->r, rs = s->own * s->r + s->other * c->r;
        c->r = rc;
        s->r = rs;
    } else if (p->many > 2) {
        OF(factor_many)(parts, p, positive);
    }
}

/* ---- The passes ---------------------------------------------------------------------------------- */

/* |q + low|^2 - 1, as in variational-chain.c. */
INLINE number OF(excess)(const number *q, const stored *low)
{
    const double splitter = 0x1.8p27;
    number upper = NONE - 1, rest = NONE;
    for (int a = 0; a < AXES; a++) {
        number half = (q[a] + splitter) - splitter;
        upper += half * half;
        rest += (q[a] + half) * (q[a] - half) + (q[a] + q[a]) * low[a];
    }
    return upper + rest;
}

/* From the free ends: the residual at the guess, what rounding is, and the row of a link. `on`: X of what it
 * hangs on. */
INLINE void OF(eliminate)(OF(part) * parts, OF(part) * p, const OF(link) * own, const stored *on,
                          truth *positive)
{
    number D[AXES];
    for (int a = 0; a < AXES; a++) {
        p->q[a] = own->q[a];
        p->change[a] = (own->X[a] - on[a]) * p->il;
        D[a] = own->d[a] + p->change[a];
        p->q1[a] = p->q[a] + D[a];
    }
    p->phi = -p->l * (OF(dot)(p->q, D) + 0.5 * (OF(dot)(D, D) + OF(excess)(p->q, own->ql)));
    p->tolerance = 0.25 * DBL_EPSILON * (ABSOLUTE(D[X]) + ABSOLUTE(D[Y]) + ABSOLUTE(D[Z]));
    p->square = own->square;
    OF(factor_hanging)(parts, p, positive);
    number along = OF(dot)(p->q1, p->q), pivot = p->w * along, r = p->phi - 0.5 * p->l * p->square;
    for (EACH_ON(p, i)) {
        OF(part) *c = parts + i;
        number e = p->w * OF(dot)(p->q1, c->q);
        c->e = e;
        pivot -= e * c->z;
        r += e * c->r;
    }
    p->along = along;
    p->pivot = pivot;
    p->r = r;
}

/* The same with the factors there are, for another |nu|^2. */
INLINE void OF(reduce)(OF(part) * parts, OF(part) * p)
{
    OF(solve_hanging)(parts, p);
    number r = p->phi - 0.5 * p->l * p->square;
    for (EACH_ON(p, i))
        r += parts[i].e * parts[i].r;
    p->r = r;
}

/* Back from what is held: with mu of the link, mu of what hangs on it and |nu|^2. settled: is it what it was,
 * but for rounding? small: is it a correction? `on`: X of what it hangs on. */
INLINE void OF(substitute)(OF(part) * parts, OF(part) * p, const number *on, truth *settled, truth *small)
{
    number nu[AXES], pull[AXES];
    for (int a = 0; a < AXES; a++)
        pull[a] = p->mu * p->q[a];
    for (EACH_ON(p, i)) {
        OF(part) *c = parts + i;
        c->mu = c->r + c->z * p->mu;
        for (int a = 0; a < AXES; a++)
            pull[a] -= c->mu * c->q[a];
    }
    for (int a = 0; a < AXES; a++) {
        p->X[a] = p->w * pull[a];
        nu[a] = (p->X[a] - on[a]) * p->il;
        p->all[a] = p->change[a] + nu[a];
    }
    number now = OF(dot)(nu, nu);
    *settled &= ABSOLUTE(now - p->square) <= p->tolerance;
    *small &= now <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION;
    p->square = now;
}

/* The end of the step into the carry. known: how many steps have left their mu. */
INLINE void OF(finish)(const OF(part) * p, OF(link) * own, const double *known)
{
    for (int a = 0; a < AXES; a++) {
        number d, dl, q, ql;
        TWO_SUM(own->d[a], p->all[a] + own->dl[a], &d, &dl);
        TWO_SUM(p->q[a], d + own->ql[a], &q, &ql);
        own->d[a] = d, own->dl[a] = dl;
        own->q[a] = q, own->ql[a] = ql;
    }
    number mu = own->guess + p->mu;
    number D1 = known[0] * (mu - own->D0), D2 = known[1] * (D1 - own->D1), D3 = known[2] * (D2 - own->D2);
    own->D0 = mu, own->D1 = D1, own->D2 = D2;
    own->guess = mu + (D1 + (D2 + D3));
    own->square = p->square;
}

/* X of the mass for the next step, by the guesses of the link and of those of the first n that hang on it;
 * hung: what else pulls there, which is taken away; or NULL. */
INLINE void OF(pull)(const OF(part) * parts, const OF(part) * p, OF(link) * links, size_t n, number *hung)
{
    OF(link) *own = links + (p - parts);
    number sum[AXES];
    for (int a = 0; a < AXES; a++)
        sum[a] = own->guess * own->q[a];
    for (EACH_ON(p, i))
        for (int a = 0; a < AXES && i < n; a++)
            sum[a] -= links[i].guess * links[i].q[a];
    for (int a = 0; a < AXES && hung; a++) {
        sum[a] -= hung[a];
        hung[a] = NONE;
    }
    for (int a = 0; a < AXES; a++)
        own->X[a] = p->w * sum[a];
}

#undef EACH_ON
