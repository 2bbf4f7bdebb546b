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
 * Lengths are corrected once in a stage, in one class of pairs, by a multiple of s_i and s_j, where they are
 * after the turn, added to u: T stays as it is. With E = |s|^2 - 1 it must be b with
 *
 *     s_i . b = E_i/(2 Gamma_j) = A,    s_j . b = -E_j/(2 Gamma_i) = B,
 *     b = ((A - x B) s_i + (B - x A) s_j)/D,    x = s_i . s_j,  D = 1 - x^2.
 *
 * Where spins are nearly parallel, there is no such b: 1/D becomes D/(D^2 + 2^-8), and the rest of E, its
 * 2^-8/(D^2 + 2^-8), is corrected along the spins themselves. What follows from |s| = 1 above lets E grow by a
 * part k^2 T.T in a turn, which matters where that is large or turns are many: beyond |c| = 1/8 (strong) turns are
 * those of T itself, which keep any length, and lengths are corrected in each of them. */
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
    bool met;       /* vortices, somewhere */
} pair_law;

#define WIDTH 4
#include "group.h"

#include "turns.h"
#undef WIDTH
#define WIDTH 8
#include "group.h"

#include "turns.h"

/* The kernels: kind, are strengths alike, is there one coefficient. Plain ones and wide ones turn four pairs at once,
 * those for AVX-512 eight. Lengths are corrected in one class only. */
#define BODY(width, kind, alike, uniform, correct)                                                           \
    pair_law own = *law;                                                                                     \
    OF_WIDTH(turn_class, width)(&own, kind, alike, uniform, correct, round);                                 \
    law->met = own.met;
#define KERNEL(name, kind, alike, uniform)                                                                   \
    PH_LANES_TWICE(PH_LANES_AVX2, void, name, (pair_law * law, size_t round),                                \
                   BODY(4, kind, alike, uniform, false))                                                     \
    PH_LANES_TWICE(PH_LANES_AVX2, void, name##_corrected, (pair_law * law, size_t round),                    \
                   BODY(4, kind, alike, uniform, true))                                                      \
    PH_LANES_AVX512 static void name##_eight(pair_law *law, size_t round){BODY(                              \
        8, kind, alike, uniform, false)} PH_LANES_AVX512 static void name##_corrected_eight(pair_law *law,   \
                                                                                            size_t round)    \
    {                                                                                                        \
        BODY(8, kind, alike, uniform, true)                                                                  \
    }
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
        {name##_plain, name##_corrected_plain}, {name##_wide, name##_corrected_wide},                        \
        {                                                                                                    \
            name##_eight, name##_corrected_eight                                                             \
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
static kernel_fn *const kernels[][3][2] = {
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

void ph_spin_splitting_turn_pairs(ph_turning *x, const ph_sweep *sweep, size_t round)
{
    const ph_spin_splitting *w = x->w;
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
        law.factor = -0.5 * x->h * ph_spin_splitting_axis(b->axis, axis);
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
    kernels[kernel][w->kernel][x->correct || sweep->strong](&law, round);
    if (law.met && !x->status)
        x->status = ph_fail(x->context->error, PH_E_DIVERGED,
                            "two vortices without a core meet at t = %.10g s: the energy is infinite there; "
                            "give them a core or another start",
                            x->t);
}

/* ---- Lengths of single spins ---------------------------------------------------------------------- */

void ph_spin_splitting_correct(ph_turning *x)
{
    const ph_spin_splitting *w = x->w;
    for (size_t k = 0; k < w->n_bare; k += 4) {
        const size_t count = w->n_bare - k < 4 ? w->n_bare - k : 4;
        group_4 f = group_gathered_4(&x->s, w->bare + k, count);
        number_4 s[3];
        settle_4(&f);
        spins_4(&f, s);
        const number_4 half = -0.5 * excess_4(&f);
        for (int a = 0; a < 3; a++)
            add_4(&f, a, half * s[a]);
        group_scattered_4(&x->s, w->bare + k, count, &f);
    }
}
