/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns of WIDTH pairs at once, and of a class of them: the kernels of pairs.c, which has the formulas. Included there
 * for each WIDTH, after pair_law and group.h. Numbers of a lane do not depend on WIDTH. */

/* k of a function: by its callback, for the lanes that there are. slope: c times the factor. */
INLINE OF(number) OF(function_of)(pair_law *law, OF(number) slope, OF(number) along, size_t count)
{
    OF(number) k = {0};
    for (size_t l = 0; l < count && !law->x->status; l++) {
        double f[3] = {0, 0, 0};
        const ph_status status =
            ph_spins_bond_function(law->x->context->system, law->sweep->group, along[l], f);
        law->x->status = ph_context_judge(law->x->context, "the function of a bond", law->x->t, status, f, 2);
        k[l] = slope[l] * f[1];
    }
    return k;
}

/* first and second <- turned. c: coefficients; Gi, Gj: strengths, not read if they are alike. */
INLINE void OF(turn_group)(pair_law *law, const enum kind kind, const bool alike, const bool correct,
                           OF(group) *first, OF(group) *second, OF(number) c, OF(number) Gi, OF(number) Gj,
                           size_t count)
{
    const double *R = law->turn;
    OF(number) s[3], r[3], e[3], p[3], u[3], w, wk;
    if (correct) {
        OF(settle)(first);
        OF(settle)(second);
    }
    OF(spins)(first, s);
    if (kind == TWIST) {
        OF(number) own[3];
        OF(spins)(second, own);
        for (int a = 0; a < 3; a++) {
            r[a] = R[3 * a] * own[0] + R[3 * a + 1] * own[1] + R[3 * a + 2] * own[2];
            e[a] = r[a] - s[a];
        }
    } else {
        for (int a = 0; a < 3; a++)
            e[a] = (second->high[a] - first->high[a]) + (second->low[a] - first->low[a]);
    }
    const OF(number) ee = OF(dot)(e, e);
    OF(cross)(s, e, p);
    OF(number) k = law->factor * c;
    if (!alike && kind != VORTICES)
        k = k / (Gi * Gj);
    if (kind == FUNCTION)
        k = OF(function_of)(law, k, 1 - 0.5 * ee, count);
    /* T itself where turns may be far, so that these keep lengths that are not 1; else what follows of them */
    const bool exact = correct || kind == VORTICES || kind == FUNCTION;
    const OF(number) GG = Gi * Gj, sum = Gi + Gj, half = 0.5 * ee;
    OF(number) T[3], TT;
    if (exact) {
        for (int a = 0; a < 3; a++)
            T[a] = alike ? (s[a] + s[a]) + e[a] : sum * s[a] + Gj * e[a];
        TT = OF(dot)(T, T);
    } else {
        TT = alike ? 4 - ee : sum * sum - GG * ee;
    }
    if (kind == VORTICES) { /* k is what it is times their squared chord */
        const OF(number) q = ee + law->core, part = (k + k) / (q * q + (k * k) * TT);
        law->met = law->met || OF(any)((q <= 0) & OF(below)(count));
        w = part * q;
        wk = part * k;
    } else {
        const OF(number) kk = k * k;
        w = (k + k) / (exact   ? 1 + kk * TT
                       : alike ? (1 + 4 * kk) - kk * ee
                               : (1 + kk * (sum * sum)) - (kk * GG) * ee);
        wk = w * k;
    }
    if (exact) {
        OF(number) more[3];
        OF(cross)(T, p, more);
        for (int a = 0; a < 3; a++)
            u[a] = w * p[a] + wk * more[a];
    } else if (alike) {
        const OF(number) v = wk * (2 - half);
        for (int a = 0; a < 3; a++)
            u[a] = w * p[a] - v * e[a];
    } else {
        const OF(number) v = wk * (sum - Gj * half), along = wk * ((Gj - Gi) * half);
        for (int a = 0; a < 3; a++)
            u[a] = (w * p[a] - v * e[a]) + along * s[a];
    }
    OF(truth) far = OF(below)(WIDTH); /* which are corrected */
    bool lengths = correct;
    if (!correct && (kind == VORTICES || kind == FUNCTION)) {
        far = wk * TT > 0x1p-5; /* 2 c.c/(1 + c.c) */
        lengths = OF(any)(far);
    }
    OF(number) d[3];
    if (lengths) {
        const double little = 0x1p-8;
        const OF(number) x = 1 - half, D = ee - half * half, over = 1 / (D * D + little),
                         rest = over * little, own = OF(where)(far, OF(excess)(first)),
                         other = OF(where)(far, OF(excess)(second)), own_rest = (-0.5 * rest) * own,
                         other_rest = (-0.5 * rest) * other;
        OF(number) A = 0.5 * own, B = -0.5 * other;
        if (!alike) {
            A /= Gj;
            B /= Gi;
        }
        const OF(number) of_first = (A - x * B) * (D * over), of_second = (B - x * A) * (D * over);
        for (int a = 0; a < 3; a++) { /* along the spins where they are after the turn, which may be far */
            const OF(number) s1 = s[a] - (alike ? u[a] : Gj * u[a]),
                             r1 = (s[a] + e[a]) + (alike ? u[a] : Gi * u[a]);
            u[a] += of_first * s1 + of_second * r1;
            d[a] = (alike ? -u[a] : -(Gj * u[a])) + own_rest * s1;
            u[a] = (alike ? u[a] : Gi * u[a]) + other_rest * r1;
        }
    } else {
        for (int a = 0; a < 3; a++) {
            d[a] = alike ? -u[a] : -(Gj * u[a]);
            u[a] = alike ? u[a] : Gi * u[a];
        }
    }
    for (int a = 0; a < 3; a++) {
        OF(add)(first, a, d[a]);
        OF(add)(second, a, kind == TWIST ? R[a] * u[0] + R[3 + a] * u[1] + R[6 + a] * u[2] : u[a]);
    }
}

/* Up to WIDTH bonds anywhere; c: NULL where there is one coefficient for all, `same`. */
INLINE void OF(turn_anywhere)(pair_law *law, const enum kind kind, const bool alike, const bool correct,
                              const uint32_t *first, const uint32_t *second, size_t count, const double *c,
                              double same)
{
    const OF(number) one = OF(all)(1);
    OF(group) i = OF(group_gathered)(&law->s, first, count), j = OF(group_gathered)(&law->s, second, count);
    OF(turn_group)(law, kind, alike, correct, &i, &j, c ? OF(first_of)(c, count) : OF(all)(same),
                   alike ? one : OF(gathered)(law->G, first, count),
                   alike ? one : OF(gathered)(law->G, second, count), count);
    OF(group_scattered)(&law->s, first, count, &i);
    OF(group_scattered)(&law->s, second, count, &j);
}

/* The last bonds of a run, fewer than WIDTH: what lies behind them is loaded, and stored as it was. */
INLINE void OF(turn_rest)(pair_law *law, const enum kind kind, const bool alike, const bool correct,
                          size_t first, size_t second, size_t count, const double *c, double same)
{
    const OF(truth) those = OF(below)(count);
    const OF(number) one = OF(all)(1);
    const OF(group) own = OF(from)(&law->s, first), other = OF(from)(&law->s, second);
    OF(group) i = own, j = other;
    OF(turn_group)(law, kind, alike, correct, &i, &j, c ? OF(first_of)(c, count) : OF(all)(same),
                   alike ? one : OF(load)(law->G + first), alike ? one : OF(load)(law->G + second), count);
    for (int a = 0; a < 3; a++) {
        i.high[a] = OF(choose)(those, i.high[a], own.high[a]);
        i.low[a] = OF(choose)(those, i.low[a], own.low[a]);
        j.high[a] = OF(choose)(those, j.high[a], other.high[a]);
        j.low[a] = OF(choose)(those, j.low[a], other.low[a]);
    }
    OF(to)(&law->s, first, &i);
    OF(to)(&law->s, second, &j);
}

INLINE void OF(turn_list)(pair_law *law, const enum kind kind, const bool alike, const bool uniform,
                          const bool correct)
{
    const ph_sweep *sweep = law->sweep;
    const double *c = sweep->c;
    const OF(number) one = OF(all)(1), same = OF(all)(c[0]);
    size_t bond = 0;
    for (size_t m = 0; m < sweep->n_runs; m++) {
        const ph_run run = sweep->runs[m];
        size_t k = 0;
        for (; k + WIDTH <= run.count; k += WIDTH) {
            const size_t at = run.first + k, other = run.second + k;
            OF(group) i = OF(from)(&law->s, at), j = OF(from)(&law->s, other);
            OF(turn_group)(law, kind, alike, correct, &i, &j, uniform ? same : OF(load)(c + run.bond + k),
                           alike ? one : OF(load)(law->G + at), alike ? one : OF(load)(law->G + other),
                           WIDTH);
            OF(to)(&law->s, at, &i);
            OF(to)(&law->s, other, &j);
        }
        if (k < run.count)
            OF(turn_rest)(law, kind, alike, correct, run.first + k, run.second + k, run.count - k,
                          uniform ? NULL : c + run.bond + k, c[0]);
        bond = run.bond + run.count;
    }
    for (size_t k = 0; k < sweep->n_singles; k += WIDTH)
        OF(turn_anywhere)(law, kind, alike, correct, sweep->first + k, sweep->second + k,
                          sweep->n_singles - k < WIDTH ? sweep->n_singles - k : WIDTH,
                          uniform ? NULL : c + bond + k, c[0]);
}

/* One round of a tournament: with M = n + n % 2 - 1, spins i and j where i + j = 2 round (mod M), and, if n is even, the
 * last spin with the spin `round`. Beyond `round`, i goes up and j goes down, until one of them goes round. */
INLINE void OF(turn_round)(pair_law *law, const enum kind kind, const bool alike, const bool correct,
                           size_t round)
{
    const size_t n = law->x->w->n, M = n + n % 2 - 1, most = (M - 1) / 2;
    const double same = law->sweep->c[0];
    const OF(number) one = OF(all)(1);
    uint32_t first[2 * WIDTH], second[2 * WIDTH];
    size_t singles = 0, m = 1;
    for (int part = 0; part < 2; part++) { /* of spin i and a smaller j; of i and a larger j */
        const size_t end = part                    ? most
                           : round < M - 1 - round ? (round < most ? round : most)
                                                   : (M - 1 - round < most ? M - 1 - round : most);
        for (; m + WIDTH - 1 <= end; m += WIDTH) {
            const size_t at = (round + m) % M, other = (round + M - m) % M;
            const OF(number) c = OF(all)(same), Gi = alike ? one : OF(load)(law->G + at),
                             Gj = alike ? one : OF(reversed)(OF(load)(law->G + other - (WIDTH - 1)));
            OF(group) i = OF(from)(&law->s, at), j = OF(back_from)(&law->s, other);
            if (part) /* twist distinguishes the smaller one */
                OF(turn_group)(law, kind, alike, correct, &i, &j, c, Gi, Gj, WIDTH);
            else
                OF(turn_group)(law, kind, alike, correct, &j, &i, c, Gj, Gi, WIDTH);
            OF(to)(&law->s, at, &i);
            OF(back_to)(&law->s, other, &j);
        }
        for (; m <= end; m++) {
            const size_t at = (round + m) % M, other = (round + M - m) % M;
            first[singles] = (uint32_t)(at < other ? at : other);
            second[singles++] = (uint32_t)(at < other ? other : at);
        }
    }
    if (n % 2 == 0) {
        first[singles] = (uint32_t)round;
        second[singles++] = (uint32_t)(n - 1);
    }
    for (size_t k = 0; k < singles; k += WIDTH)
        OF(turn_anywhere)(law, kind, alike, correct, first + k, second + k,
                          singles - k < WIDTH ? singles - k : WIDTH, NULL, same);
}

INLINE void OF(turn_class)(pair_law *law, const enum kind kind, const bool alike, const bool uniform,
                           const bool correct, size_t round)
{
    if (law->sweep->bonds->all_pairs)
        OF(turn_round)(law, kind, alike, correct, round);
    else
        OF(turn_list)(law, kind, alike, uniform, correct);
}
