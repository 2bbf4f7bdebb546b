/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns of pairs. The energy f(s_i . s_j) turns both spins about T = Gamma_i s_i + Gamma_j s_j, which it
 * keeps, by the rotation vector h f' T/(Gamma_i Gamma_j). Cayley's map takes its place: with
 * c = k T, k = h f'/(2 Gamma_i Gamma_j),
 *
 *     s <- s + 2/(1 + c.c) c x (s + c x s),
 *
 * which turns by 2 atan|c| instead. As |c| is an odd function of h that depends on s_i . s_j alone, this is the
 * flow of another energy of the pair: it is exactly symplectic and keeps T. As c x s_i = -k Gamma_j p and
 * c x s_j = k Gamma_i p with p = s_i x s_j, both increments are multiples of one vector,
 *
 *     ds_i = -Gamma_j u,   ds_j = Gamma_i u,   u = w (p + k T x p),   w = 2 k/(1 + k^2 T.T),
 *
 * and with e = s_j - s_i, whose square is 2 - 2 s_i . s_j, no difference of near numbers is left:
 *
 *     p = s_i x e,   T.T = (Gamma_i + Gamma_j)^2 - Gamma_i Gamma_j e.e,
 *     T x p = (T.s_j) s_i - (T.s_i) s_j
 *           = (Gamma_j - Gamma_i)(e.e/2) s_i - (Gamma_i + Gamma_j - Gamma_j e.e/2) e.
 *
 * Equal strengths G are the case 1 with k G in the place of k.
 *
 *   exchange  f' = -c
 *   vortices  f' = c Gamma_i Gamma_j/(2 pi (e.e + core^2))
 *   function  f' = c f'(s_i . s_j)
 *   twist     c a.(s_i x s_j) = c (a.s_i)(a.s_j) - c s_i . R s_j with the quarter turn R about a,
 *             R s = (a.s) a + a x s: for a.(s_j x s_i) = s_i . (a x s_j) = s_i . R s_j - (a.s_i)(a.s_j).
 *             R keeps the Poisson brackets of s_j: s_i and R s_j turn as by exchange. The first term
 *             is axial (one-spin.c).
 *
 * Lengths are corrected once in a stage, in one class of pairs, by a multiple of s_i and s_j added to u: T
 * stays as it is. With E = |s|^2 - 1 it must be b with
 *
 *     s_i . b = E_i/(2 Gamma_j) = A,    s_j . b = -E_j/(2 Gamma_i) = B,
 *     b = ((A - x B) s_i + (B - x A) s_j)/D,    x = s_i . s_j,  D = 1 - x^2.
 *
 * Where spins are nearly parallel, there is no such b: 1/D becomes D/(D^2 + 2^-8), and the rest of E, its
 * 2^-8/(D^2 + 2^-8), is corrected along the spins themselves. What follows from |s| = 1 above lets E grow by a
 * part k^2 T.T in a turn, which matters where that is large or turns are many: then lengths are corrected in
 * each one beyond |c| = 1/8 (strong). */
#include "splitting.h"

#include <math.h>

enum kind { EXCHANGE, TWIST, VORTICES, FUNCTION };

/* What stays the same in a sweep. The copy of it that a kernel has is not touched by its stores. */
typedef struct pair_law {
    ph_turning *x;
    const ph_sweep *sweep;
    ph_turned s;
    const double *G;
    double factor;  /* k = factor c f' of one bond, or what takes its place */
    double core;    /* its square */
    double turn[9]; /* R of twist */
    mask met;       /* vortices, somewhere */
} pair_law;

/* k of a function: by its callback, for the lanes that there are. slope: c times the factor. */
INLINE vector function_of(pair_law *law, vector slope, vector along, size_t count)
{
    vector k = {0, 0, 0, 0};
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
INLINE void turn_four(pair_law *law, const enum kind kind, const bool alike, const bool correct, four *first,
                      four *second, vector c, vector Gi, vector Gj, size_t count)
{
    const double *R = law->turn;
    vector s[3], r[3], e[3], p[3], u[3], w, wk;
    if (correct) {
        four_settle(first);
        four_settle(second);
    }
    four_spins(first, s);
    if (kind == TWIST) {
        vector own[3];
        four_spins(second, own);
        for (int a = 0; a < 3; a++) {
            r[a] = R[3 * a] * own[0] + R[3 * a + 1] * own[1] + R[3 * a + 2] * own[2];
            e[a] = r[a] - s[a];
        }
    } else {
        for (int a = 0; a < 3; a++)
            e[a] = (second->high[a] - first->high[a]) + (second->low[a] - first->low[a]);
    }
    const vector ee = lanes_dot(e, e);
    lanes_cross(s, e, p);
    vector k = law->factor * c;
    if (!alike && kind != VORTICES)
        k = k / (Gi * Gj);
    if (kind == FUNCTION)
        k = function_of(law, k, 1 - 0.5 * ee, count);
    const vector GG = Gi * Gj, sum = Gi + Gj;
    if (kind == VORTICES) { /* k is what it is times their squared chord */
        const vector q = ee + law->core, TT = alike ? 4 - ee : sum * sum - GG * ee,
                     part = (k + k) / (q * q + (k * k) * TT);
        law->met |= q <= 0;
        w = part * q;
        wk = part * k;
    } else {
        const vector kk = k * k;
        w = (k + k) / (alike ? (1 + 4 * kk) - kk * ee : (1 + kk * (sum * sum)) - (kk * GG) * ee);
        wk = w * k;
    }
    const vector half = 0.5 * ee;
    if (alike) {
        const vector v = wk * (2 - half);
        for (int a = 0; a < 3; a++)
            u[a] = w * p[a] - v * e[a];
    } else {
        const vector v = wk * (sum - Gj * half), along = wk * ((Gj - Gi) * half);
        for (int a = 0; a < 3; a++)
            u[a] = (w * p[a] - v * e[a]) + along * s[a];
    }
    vector own_rest = {0, 0, 0, 0}, other_rest = own_rest;
    mask far = {-1, -1, -1, -1}; /* which are corrected */
    bool lengths = correct;
    if (!correct && (kind == VORTICES || kind == FUNCTION)) {
        far = wk * (alike ? 4 - ee : sum * sum - GG * ee) > 0x1p-5; /* 2 c.c/(1 + c.c) */
        lengths = any(far);
    }
    if (lengths) {
        const double little = 0x1p-8;
        const vector x = 1 - half, D = ee - half * half, over = 1 / (D * D + little), rest = over * little,
                     own = (vector)((mask)four_excess(first) & far),
                     other = (vector)((mask)four_excess(second) & far);
        vector A = 0.5 * own, B = -0.5 * other;
        if (!alike) {
            A /= Gj;
            B /= Gi;
        }
        const vector of_first = (A - x * B) * (D * over), of_second = (B - x * A) * (D * over),
                     both = of_first + of_second;
        for (int a = 0; a < 3; a++)
            u[a] += both * s[a] + of_second * e[a];
        own_rest = (-0.5 * rest) * own;
        other_rest = (-0.5 * rest) * other;
    }
    for (int a = 0; a < 3; a++) {
        vector d = alike ? -u[a] : -(Gj * u[a]);
        if (lengths)
            d += own_rest * s[a];
        four_add(first, a, d);
    }
    if (!alike)
        for (int a = 0; a < 3; a++)
            u[a] = Gi * u[a];
    if (lengths)
        for (int a = 0; a < 3; a++)
            u[a] += other_rest * (s[a] + e[a]);
    for (int a = 0; a < 3; a++)
        four_add(second, a, kind == TWIST ? R[a] * u[0] + R[3 + a] * u[1] + R[6 + a] * u[2] : u[a]);
}

/* Up to four bonds anywhere; c: NULL where there is one coefficient for all, `same`. */
INLINE void turn_anywhere(pair_law *law, const enum kind kind, const bool alike, const bool correct,
                          const uint32_t *first, const uint32_t *second, size_t count, const double *c,
                          double same)
{
    static const uint32_t order[LANES] = {0, 1, 2, 3};
    const vector one = all_lanes(1);
    four i = four_gathered(&law->s, first, count), j = four_gathered(&law->s, second, count);
    turn_four(law, kind, alike, correct, &i, &j, c ? gathered(c, order, count) : all_lanes(same),
              alike ? one : gathered(law->G, first, count), alike ? one : gathered(law->G, second, count),
              count);
    four_scattered(&law->s, first, count, &i);
    four_scattered(&law->s, second, count, &j);
}

INLINE void turn_list(pair_law *law, const enum kind kind, const bool alike, const bool uniform,
                      const bool correct)
{
    const ph_sweep *sweep = law->sweep;
    const double *c = sweep->c;
    const vector one = all_lanes(1), same = all_lanes(c[0]);
    size_t bond = 0;
    for (size_t m = 0; m < sweep->n_runs; m++) {
        const ph_run run = sweep->runs[m];
        for (size_t k = 0; k < run.count; k += LANES) {
            const size_t at = run.first + k, other = run.second + k;
            four i = four_from(&law->s, at), j = four_from(&law->s, other);
            turn_four(law, kind, alike, correct, &i, &j, uniform ? same : load(c + run.bond + k),
                      alike ? one : load(law->G + at), alike ? one : load(law->G + other), LANES);
            four_to(&law->s, at, &i);
            four_to(&law->s, other, &j);
        }
        bond = run.bond + run.count;
    }
    for (size_t k = 0; k < sweep->n_singles; k += LANES)
        turn_anywhere(law, kind, alike, correct, sweep->first + k, sweep->second + k,
                      sweep->n_singles - k < LANES ? sweep->n_singles - k : LANES,
                      uniform ? NULL : c + bond + k, c[0]);
}

/* One round of a tournament: with M = n + n % 2 - 1, spins i and j where i + j = 2 round (mod M), and, if n is even, the
 * last spin with the spin `round`. Beyond `round`, i goes up and j goes down, until one of them goes round. */
INLINE void turn_round(pair_law *law, const enum kind kind, const bool alike, const bool correct,
                       size_t round)
{
    const size_t n = law->x->w->n, M = n + n % 2 - 1, most = (M - 1) / 2;
    const double same = law->sweep->c[0];
    const vector one = all_lanes(1);
    uint32_t first[2 * LANES], second[2 * LANES];
    size_t singles = 0, m = 1;
    for (int part = 0; part < 2; part++) { /* of spin i and a smaller j; of i and a larger j */
        const size_t end = part                    ? most
                           : round < M - 1 - round ? (round < most ? round : most)
                                                   : (M - 1 - round < most ? M - 1 - round : most);
        for (; m + LANES - 1 <= end; m += LANES) {
            const size_t at = (round + m) % M, other = (round + M - m) % M;
            const vector c = all_lanes(same), Gi = alike ? one : load(law->G + at),
                         Gj = alike ? one : four_reversed(load(law->G + other - 3));
            four i = four_from(&law->s, at), j = four_back_from(&law->s, other);
            if (part) /* twist distinguishes the smaller one */
                turn_four(law, kind, alike, correct, &i, &j, c, Gi, Gj, LANES);
            else
                turn_four(law, kind, alike, correct, &j, &i, c, Gj, Gi, LANES);
            four_to(&law->s, at, &i);
            four_back_to(&law->s, other, &j);
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
    for (size_t k = 0; k < singles; k += LANES)
        turn_anywhere(law, kind, alike, correct, first + k, second + k,
                      singles - k < LANES ? singles - k : LANES, NULL, same);
}

INLINE void turn_class(pair_law *law, const enum kind kind, const bool alike, const bool uniform,
                       const bool correct, size_t round)
{
    if (law->sweep->bonds->all_pairs)
        turn_round(law, kind, alike, correct, round);
    else
        turn_list(law, kind, alike, uniform, correct);
}

/* The kernels: kind, are strengths alike, is there one coefficient. Lengths are corrected in one class only. */
#define KERNEL(name, kind, alike, uniform)                                                                   \
    PH_LANES_TWICE(PH_LANES_AVX2, void, name, (pair_law * law, size_t round), pair_law own = *law;           \
                   turn_class(&own, kind, alike, uniform, false, round); law->met = own.met;)                \
    PH_LANES_TWICE(PH_LANES_AVX2, void, name##_corrected, (pair_law * law, size_t round),                    \
                   pair_law own = *law;                                                                      \
                   turn_class(&own, kind, alike, uniform, true, round); law->met = own.met;)
KERNEL(exchange_alike_uniform, EXCHANGE, true, true)
KERNEL(exchange_alike, EXCHANGE, true, false)
KERNEL(exchange, EXCHANGE, false, law->sweep->uniform)
KERNEL(twist, TWIST, false, law->sweep->uniform)
KERNEL(vortices_alike, VORTICES, true, law->sweep->uniform)
KERNEL(vortices, VORTICES, false, law->sweep->uniform)
KERNEL(function, FUNCTION, false, law->sweep->uniform)

typedef void kernel_fn(pair_law *law, size_t round);
#define ROW(name)                                                                                            \
    {                                                                                                        \
        {name##_plain, name##_corrected_plain},                                                              \
        {                                                                                                    \
            name##_wide, name##_corrected_wide                                                               \
        }                                                                                                    \
    }
enum {
    EXCHANGE_ALIKE_UNIFORM,
    EXCHANGE_ALIKE,
    EXCHANGE_ANY,
    TWIST_ANY,
    VORTICES_ALIKE,
    VORTICES_ANY,
    OF_FUNCTION
};
static kernel_fn *const kernels[][2][2] = {
    [EXCHANGE_ALIKE_UNIFORM] = ROW(exchange_alike_uniform),
    [EXCHANGE_ALIKE] = ROW(exchange_alike),
    [EXCHANGE_ANY] = ROW(exchange),
    [TWIST_ANY] = ROW(twist),
    [VORTICES_ALIKE] = ROW(vortices_alike),
    [VORTICES_ANY] = ROW(vortices),
    [OF_FUNCTION] = ROW(function),
};

static const double four_pi = 12.566370614359172954;

/* The quarter turn about a. */
static void quarter_turn(const double *a, double *R)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            R[3 * i + k] = a[i] * a[k];
    R[1] -= a[2];
    R[2] += a[1];
    R[3] += a[2];
    R[5] -= a[0];
    R[6] -= a[1];
    R[7] += a[0];
}

void ph_splitting_turn_pairs(ph_turning *x, const ph_sweep *sweep, size_t round)
{
    const ph_splitting *w = x->w;
    const ph_bonds *b = sweep->bonds;
    const double of_all = w->alike ? w->G[0] : 1;
    pair_law law = {.x = x, .sweep = sweep, .s = x->s, .G = w->G, .core = b->core * b->core};
    size_t kernel = OF_FUNCTION;
    double axis[3];
    switch (b->kind) {
    case PH_BOND_EXCHANGE:
        law.factor = -0.5 * x->h / of_all;
        kernel = !w->alike ? EXCHANGE_ANY : sweep->uniform ? EXCHANGE_ALIKE_UNIFORM : EXCHANGE_ALIKE;
        break;
    case PH_BOND_TWIST: /* which is -c s_i . R s_j */
        law.factor = -0.5 * x->h * ph_splitting_axis(b->axis, axis);
        quarter_turn(axis, law.turn);
        kernel = TWIST_ANY;
        break;
    case PH_BOND_VORTICES: /* k |e|^2 = h c/(4 pi) */
        law.factor = x->h / four_pi * of_all;
        kernel = w->alike ? VORTICES_ALIKE : VORTICES_ANY;
        break;
    case PH_BOND_AXIAL:
    case PH_BOND_FUNCTION:
        law.factor = 0.5 * x->h;
        break;
    }
    kernels[kernel][w->wide][x->correct || sweep->strong](&law, round);
    if (any(law.met) && !x->status)
        x->status = ph_fail(x->context->error, PH_E_DIVERGED,
                            "two vortices without a core meet at t = %.10g s: the energy is infinite there; "
                            "give them a core or another start",
                            x->t);
}

/* ---- Lengths of single spins ---------------------------------------------------------------------- */

void ph_splitting_correct(ph_turning *x)
{
    const ph_splitting *w = x->w;
    for (size_t k = 0; k < w->n_bare; k += LANES) {
        const size_t count = w->n_bare - k < LANES ? w->n_bare - k : LANES;
        four f = four_gathered(&x->s, w->bare + k, count);
        vector s[3];
        four_settle(&f);
        four_spins(&f, s);
        const vector half = -0.5 * four_excess(&f);
        for (int a = 0; a < 3; a++)
            four_add(&f, a, half * s[a]);
        four_scattered(&x->s, w->bare + k, count, &f);
    }
}
