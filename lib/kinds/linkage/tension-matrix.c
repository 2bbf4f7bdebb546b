/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix of tensions of a linkage. With forces tau_i q_i on the ends of the links (tensions.c), w = 1/m (of a
 * cart only along its axes, of a body the matrix W of carried.c), and q' the directions,
 *     T_ii = (w_i + w_parent) q'_i.q_i / l_i^2,
 *     T_ip = -w_p q'_i.q_p / (l_i l_p),  T_pi = -w_p q'_p.q_i / (l_i l_p)      of a link and its parent p,
 *     T_is = w_p q'_i.q_s / (l_i l_s)                                          of links i, s on one mass p.
 * The matrix that is factored is l_i T_ij l_j, whose unknowns are the pulls. */
#include <polhode/kit/tensions.h>
#include <polhode/kit/vector.h>

#include "lib/internal/lanes.h"
#include "tree.h"

#include <math.h>

/* Links have two numbers or three: functions are inlined for both, and their loops over them then unrolled. */
#define BY_WIDTH(t, function, ...) ((t)->d == 3 ? function(3, t, __VA_ARGS__) : function(2, t, __VA_ARGS__))

/* The factors T = (I + L) D (I + U), eliminated from the last link to the first. */
typedef struct factors {
    double *inverse;  /* (n) 1 / pivots */
    double *low, *up; /* (entries) of the lists: L by columns, and rows of D U */
} factors;

size_t ph_tree_tension_size(const void *tree)
{
    const ph_tree *t = tree;
    return t->n + 2 * t->entries;
}

static factors lay(const ph_tree *t, double *F)
{
    return (factors){.inverse = F, .low = F + t->n, .up = F + t->n + t->entries};
}

/* *over <- 1 / pivot; false where it has none. */
INLINE bool invert(double pivot, double *over, size_t *negative)
{
    *negative += pivot < 0;
    *over = 1 / pivot;
    return fabs(pivot) > 0 && fabs(pivot) < INFINITY;
}

/* q1 . W q of what links on the cart move it by; W NULL: the cart's inverse mass along its axes. */
INLINE double on_root(const ph_tree *t, const double *W, const double *q1, const double *q)
{
    double moved[3];
    if (!W)
        return t->inverse_mass[0] * ph_dot(q1, q, t->cart);
    ph_apply3(W, q, moved);
    return ph_dot3(q1, moved);
}

/* For a chain: tridiagonal, each row when its turn comes. */
INLINE bool factor_chain(const size_t d, const ph_tree *t, const double *W, const double *q1, const double *q,
                         factors f, size_t *negative)
{
    const bool same = q1 == q; /* then symmetric */
    double taken = 0;
    q1 += t->cart + d * (t->n - t->first);
    q += t->cart + d * (t->n - t->first);
    for (size_t i = t->n; i-- > t->first + 1;) {
        const size_t e = i - t->first - 1;
        const double w = t->inverse_mass[i - 1], *before = q - 2 * d, *before1 = q1 - 2 * d;
        q1 -= d;
        q -= d;
        const double along = ph_dot(q1, q, d), up = -w * ph_dot(q1, before, d),
                     low = same ? up : -w * ph_dot(before1, q, d);
        if (!invert(t->inverse_mass[i] * along + w * along - taken, &f.inverse[i], negative))
            return false;
        f.up[e] = up;
        f.low[e] = low * f.inverse[i];
        taken = f.low[e] * up;
    }
    const double along = ph_dot(q1 - d, q - d, d), shared = t->first ? on_root(t, W, q1 - d, q - d) : 0;
    return invert(t->inverse_mass[t->first] * along + shared - taken, &f.inverse[t->first], negative);
}

/* For links that hang on nothing that moves: diagonal. */
INLINE bool factor_apart(const size_t d, const ph_tree *t, const double *q1, const double *q, factors f,
                         size_t *negative)
{
    bool regular = true;
    for (size_t i = 0; i < t->n && regular; i++, q1 += d, q += d)
        regular = invert(t->inverse_mass[i] * ph_dot(q1, q, d), &f.inverse[i], negative);
    return regular;
}

/* low, up (entries) from e on <- those of the list of the link at `at`, by n numbers. `same`: q1 is q, and
 * T symmetric. */
INLINE size_t fill_list(const size_t n, const bool same, const ph_tree *t, const double *q1, const double *q,
                        size_t at, size_t e, size_t end, factors f)
{
    for (; e < end; e++) {
        const size_t other = t->up_at[e];
        const double up = t->up_weight[e] * ph_dot(q1 + at, q + other, n);
        f.low[e] = same ? up : t->up_weight[e] * ph_dot(q1 + other, q + at, n);
        f.up[e] = up;
    }
    return end;
}

/* l_i T_ii l_i into inverse, l_j T_ji l_i into low, l_i T_ij l_j into up, j in the list of i. */
INLINE void fill(const size_t d, const bool same, const ph_tree *t, const double *W, const double *q1,
                 const double *q, factors f)
{
    size_t e = 0;
    for (size_t i = t->first, at = t->cart; i < t->n; i++, at += d) {
        const size_t end = t->up_start[i + 1];
        const double along = ph_dot(q1 + at, q + at, d), own = t->inverse_mass[i] * along;
        if (t->on[i] != PH_NO_INDEX) {
            f.inverse[i] = own + t->inverse_mass[t->parent[i]] * along;
            e = fill_list(d, same, t, q1, q, at, e, end, f);
        } else if (t->parent[i] != PH_NO_INDEX) {
            f.inverse[i] = own + on_root(t, W, q1 + at, q + at);
            for (; W && e < end; e++) {
                f.up[e] = on_root(t, W, q1 + at, q + t->up_at[e]);
                f.low[e] = on_root(t, W, q1 + t->up_at[e], q + at);
            }
            e = fill_list(t->cart, same, t, q1, q, at, e, end, f);
        } else {
            f.inverse[i] = own;
        }
    }
}

/* Row i, whose list begins at `start`, out of the rows on it. `many` is a constant where it is small. */
INLINE void eliminate_row(const size_t many, const ph_tree *t, factors f, size_t start, double over)
{
    for (size_t a = 0; a < many; a++) { /* the list of up[a] begins as that of i does */
        const double m = f.low[start + a] * over;
        const size_t row = t->up[start + a], rows = t->up_start[row];
        f.inverse[row] -= m * f.up[start + a];
        f.low[start + a] = m;
        for (size_t b = 0; b < a; b++)
            f.up[rows + b] -= m * f.up[start + b];
        for (size_t b = a + 1; b < many; b++)
            f.low[t->up_start[t->up[start + b]] + a] -= m * f.up[start + b];
    }
}

INLINE bool eliminate(const ph_tree *t, factors f, size_t *negative)
{
    for (size_t i = t->n, start = t->entries; i-- > t->first;) {
        const size_t end = start;
        double over;
        if (!invert(f.inverse[i], &over, negative))
            return false;
        f.inverse[i] = over;
        start = t->up_start[i];
        if (end - start == 1)
            eliminate_row(1, t, f, start, over);
        else if (end - start == 2)
            eliminate_row(2, t, f, start, over);
        else
            eliminate_row(end - start, t, f, start, over);
    }
    return true;
}

PH_WITH_FMA static bool factor(const ph_tree *t, const double *W, const double *q1, const double *q,
                               double *F, size_t *negative)
{
    const factors f = lay(t, F);
    if (t->apart)
        return BY_WIDTH(t, factor_apart, q1, q, f, negative);
    if (t->chain)
        return BY_WIDTH(t, factor_chain, W, q1, q, f, negative);
    if (q1 == q && t->d == 3)
        fill(3, true, t, W, q, q, f);
    else if (t->d == 3)
        fill(3, false, t, W, q1, q, f);
    else
        fill(2, false, t, NULL, q1, q, f);
    return eliminate(t, f, negative);
}

ph_status ph_tree_tension_factor(const ph_tree *t, const double *W, const double *q1, const double *q,
                                 double *F, int *sign)
{
    size_t negative = 0;
    if (!factor(t, W, q1, q, F, &negative))
        return PH_E_SINGULAR;
    if (sign)
        *sign = negative % 2 ? -1 : 1;
    return PH_OK;
}

/* For a chain, whose unknowns are the pulls. */
static void solve_chain(const ph_tree *t, const double *F, double *tau)
{
    const size_t first = t->first;
    const double *inverse = F, *low = F + t->n, *up = low + t->entries, *length = t->length;
    double x = tau[t->n - 1] * length[t->n - 1];
    for (size_t i = t->n - 1; i > first; i--) {
        tau[i] = x;
        x = tau[i - 1] * length[i - 1] - low[i - first - 1] * x;
    }
    if (first)
        tau[0] = 0;
    x *= inverse[first];
    tau[first] = x * length[first];
    for (size_t i = first + 1; i < t->n; i++) {
        x = (tau[i] - up[i - first - 1] * x) * inverse[i];
        tau[i] = x * length[i];
    }
}

static void solve_tree(const ph_tree *t, const double *F, double *tau)
{
    const double *inverse = F, *low = F + t->n, *up = low + t->entries;
    for (size_t i = t->first; i < t->n; i++)
        tau[i] *= t->length[i];
    for (size_t i = t->n, e = t->entries; i-- > t->first;) {
        const double x = tau[i];
        for (const size_t start = t->up_start[i]; e > start;) {
            e--;
            tau[t->up[e]] -= low[e] * x;
        }
    }
    if (t->first)
        tau[0] = 0;
    for (size_t i = t->first, e = 0; i < t->n; i++) {
        double sum = tau[i];
        for (const size_t end = t->up_start[i + 1]; e < end; e++)
            sum -= up[e] * tau[t->up[e]];
        tau[i] = sum * inverse[i];
    }
    for (size_t i = t->first; i < t->n; i++)
        tau[i] *= t->length[i];
}

void ph_tree_tension_solve(const void *tree, const double *F, double *tau)
{
    const ph_tree *t = tree;
    if (t->apart)
        for (size_t i = 0; i < t->n; i++)
            tau[i] = tau[i] * t->length[i] * F[i] * t->length[i];
    else if (t->chain)
        solve_chain(t, F, tau);
    else
        solve_tree(t, F, tau);
}
