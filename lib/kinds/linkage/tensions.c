/* SPDX-License-Identifier: BSD-3-Clause */
/* The sparse inverse inertia of a linkage. Forces mu act on the ends of the links as pulls mu_i / l_i, so that
 * mass i has the acceleration A_i,
 *     A_i = (mu_i / l_i - sum over the links c that hang on it of mu_c / l_c) / m_i,
 *     (MM^{-1} mu)_i = (A_i - A_parent(i)) / l_i,
 * A = 0 at the fixed point, and of a cart only along its axes. The matrix of tensions is in tension-matrix.c. */
#include "lib/internal/lanes.h"
#include "tree.h"

#include <math.h>
#include <string.h>

/* Functions of d numbers are inlined for links of two and of three, and their loops over them then unrolled. */

/* What acts on the ends of links: tau q, or -g, or f, or f - g. */
typedef enum acting { TENSIONS, GRADIENT, FORCE, BOTH } acting;

typedef struct actions {
    const double *q, *tau, *f, *g;
} actions;

/* What multiplies q, or f - g, to the pull of link i; and of a cart, which hangs on nothing. */
INLINE double strength(const acting what, const ph_tree *t, const actions *by, size_t i)
{
    return what == TENSIONS ? by->tau[i] * t->inverse_length[i] : t->inverse_length[i];
}

/* pull (d) <- that of the numbers from `at` on. */
INLINE void pull_of(const size_t d, const acting what, const actions *by, double strength, size_t at,
                    double *pull)
{
    for (size_t k = 0; k < d; k++)
        pull[k] = what == TENSIONS ? strength * by->q[at + k]
                  : what == FORCE  ? by->f[at + k] * strength
                  : what == BOTH   ? (by->f[at + k] - by->g[at + k]) * strength
                                   : (0 - by->g[at + k]) * strength;
}

/* v (d) <- of a link by its pull, that of the next one and the acceleration `on` of what it hangs on; that of
 * its mass is put there. */
INLINE void accelerate_link(const size_t d, const ph_tree *t, size_t i, const double *pull,
                            const double *next, double *on, double *v)
{
    const double w = t->inverse_mass[i], over = t->inverse_length[i];
    for (size_t k = 0; k < d; k++) {
        const double a = (pull[k] - next[k]) * w;
        v[k] = (a - on[k]) * over;
        on[k] = a;
    }
}

/* v <- MM^{-1} of what acts, on a chain: from one link to the next. f and g may be v. */
INLINE void accelerate_chain(const size_t d, const acting what, const ph_tree *t, const actions *by,
                             double *v)
{
    double on[3] = {0, 0, 0}, pull[3] = {0, 0, 0}, next[3] = {0, 0, 0};
    const size_t last = t->n - 1;
    size_t i = t->first, at = t->cart;
    pull_of(d, what, by, strength(what, t, by, i), at, pull);
    for (size_t k = 0; k < d && i; k++)
        if (k < t->cart) {
            pull_of(1, what, by, what == TENSIONS ? 0 : 1, k, &next[k]);
            v[k] = on[k] = (next[k] - pull[k]) * t->inverse_mass[0];
        }
    for (; i < last; i++, at += d) {
        pull_of(d, what, by, strength(what, t, by, i + 1), at + d, next);
        accelerate_link(d, t, i, pull, next, on, v + at);
        for (size_t k = 0; k < d; k++)
            pull[k] = next[k];
    }
    accelerate_link(d, t, last, pull, (const double[]){0, 0, 0}, on, v + at);
}

/* The same on any tree. */
INLINE void accelerate_tree(const size_t d, const acting what, const ph_tree *t, const actions *by, double *v)
{
    const size_t first = t->first, cart = t->cart, *on = t->on;
    const double *inverse_mass = t->inverse_mass, *inverse_length = t->inverse_length;
    size_t i = first, at = cart;
    if (first)
        pull_of(cart, what, by, what == TENSIONS ? 0 : 1, 0, v);
    for (; i < t->n; i++, at += d) { /* ascending: the pulls of what hangs on i come later */
        double pull[3] = {0};
        pull_of(d, what, by, strength(what, t, by, i), at, pull);
        for (size_t k = 0; k < d; k++)
            v[at + k] = pull[k];
        if (on[i] != PH_NO_INDEX)
            for (size_t k = 0; k < d; k++)
                v[on[i] + k] -= pull[k];
        else if (t->parent[i] != PH_NO_INDEX)
            for (size_t k = 0; k < cart; k++)
                v[k] -= pull[k];
    }
    while (i-- > first) { /* descending: what others hang on is still the sum of pulls on a mass */
        const double w = inverse_mass[i], over = inverse_length[i];
        at -= d;
        if (on[i] != PH_NO_INDEX) {
            const double w_on = inverse_mass[t->parent[i]];
            for (size_t k = 0; k < d; k++)
                v[at + k] = (v[at + k] * w - v[on[i] + k] * w_on) * over;
        } else {
            const size_t given = t->parent[i] == PH_NO_INDEX ? 0 : cart;
            for (size_t k = 0; k < d; k++)
                v[at + k] = (v[at + k] * w - (k < given ? v[k] * inverse_mass[0] : 0)) * over;
        }
    }
    for (size_t k = 0; k < cart; k++)
        v[k] *= inverse_mass[0];
}

/* The same of links that hang on nothing that moves. */
INLINE void accelerate_apart(const size_t d, const acting what, const ph_tree *t, const actions *by,
                             double *v)
{
    for (size_t i = 0, at = 0; i < t->n; i++, at += d) {
        const double w = t->inverse_mass[i], over = t->inverse_length[i];
        double pull[3] = {0};
        pull_of(d, what, by, strength(what, t, by, i), at, pull);
        for (size_t k = 0; k < d; k++)
            v[at + k] = pull[k] * w * over;
    }
}

/* v <- MM^{-1} of what acts, of this kind. */
INLINE void accelerate(const acting what, const ph_tree *t, const actions *by, double *v)
{
    if (t->apart && t->d == 3)
        accelerate_apart(3, what, t, by, v);
    else if (t->apart)
        accelerate_apart(2, what, t, by, v);
    else if (t->chain && t->d == 3)
        accelerate_chain(3, what, t, by, v);
    else if (t->chain)
        accelerate_chain(2, what, t, by, v);
    else if (t->d == 3)
        accelerate_tree(3, what, t, by, v);
    else
        accelerate_tree(2, what, t, by, v);
}

PH_WITH_FMA static void accelerate_by_forces(const ph_tree *t, const double *f, double *v)
{
    accelerate(FORCE, t, &(actions){.f = f}, v);
}

PH_WITH_FMA static void accelerate_by_tensions(const ph_tree *t, const double *q, const double *tau,
                                               double *v)
{
    accelerate(TENSIONS, t, &(actions){.q = q, .tau = tau}, v);
}

/* On entry v holds the gradient. f nullable */
PH_WITH_FMA static void fall(const ph_tree *t, const double *f, double *v)
{
    if (f)
        accelerate(BOTH, t, &(actions){.f = f, .g = v}, v);
    else
        accelerate(GRADIENT, t, &(actions){.g = v}, v);
}

static void apply_inverse(const void *self, const double *mu, double *v)
{
    accelerate_by_forces(self, mu, v);
}

/* a += the acceleration by gravity. All masses fall alike, so only links that hang from a support that does
 * not fall are accelerated relative to it: in a chain the first one. */
static void add_gravity(const ph_tree *t, double *a)
{
    const size_t last = !t->heavy ? 0 : t->chain ? t->first + 1 : t->n;
    for (size_t i = 0; i < last; i++) {
        size_t parent = t->parent[i], falls = parent == PH_NO_INDEX ? 0 : ph_tree_numbers(t, parent);
        for (size_t k = falls, at = ph_tree_at(t, i); k < ph_tree_numbers(t, i); k++)
            a[at + k] += t->is.gravity[k] * t->inverse_length[i];
    }
}

static void accelerate_by_all(const void *self, const double *f, bool pulled, double *a)
{
    const ph_tree *t = self;
    if (!pulled && !f)
        memset(a, 0, (t->cart + t->d * (t->n - t->first)) * sizeof *a);
    else if (!pulled)
        accelerate_by_forces(t, f, a);
    else
        fall(t, f, a);
    add_gravity(t, a);
}

static void pull(const void *self, const double *q, const double *tau, double *v)
{
    accelerate_by_tensions(self, q, tau, v);
}

static void terms(const void *self, const double *tau, double *size)
{
    const ph_tree *t = self;
    for (size_t i = 0; i < t->n; i++) /* as in accelerate */
        size[i] = i < t->first ? 0 : fabs(tau[i]) * t->inverse_length[i];
    for (size_t i = 0; i < t->n; i++)
        if (t->parent[i] != PH_NO_INDEX)
            size[t->parent[i]] += size[i];
    for (size_t i = t->n; i-- > 0;)
        size[i] *= t->inverse_mass[i];
    for (size_t i = t->n; i-- > t->first;)
        size[i] = (size[i] + (t->parent[i] == PH_NO_INDEX ? 0 : size[t->parent[i]])) * t->inverse_length[i];
}

static void own_entries(const void *self, double *own)
{
    const ph_tree *t = self;
    for (size_t i = 0; i < t->n; i++) {
        double w = t->inverse_mass[i] + (t->parent[i] == PH_NO_INDEX ? 0 : t->inverse_mass[t->parent[i]]);
        own[i] = i < t->first ? 1 : w * t->inverse_length[i] * t->inverse_length[i];
    }
}

static ph_status factor(const void *self, const double *q1, const double *q, double *F, int *sign)
{
    return ph_tree_tension_factor(self, NULL, q1, q, F, sign);
}

const ph_sparse_inertia ph_tree_sparse = {.apply_inverse = apply_inverse,
                                          .accelerate = accelerate_by_all,
                                          .pull = pull,
                                          .terms = terms,
                                          .own = own_entries,
                                          .size = ph_tree_tension_size,
                                          .factor = factor,
                                          .solve = ph_tree_tension_solve};
