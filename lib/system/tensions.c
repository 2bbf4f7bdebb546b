/* SPDX-License-Identifier: BSD-3-Clause */
/* The sparse inverse inertia of a linkage, and its matrix of tensions. Forces mu act on the ends of the links
 * as pulls mu_i / l_i, so that mass i has the acceleration A_i,
 *     A_i = (mu_i / l_i - sum over the links c that hang on it of mu_c / l_c) / m_i,
 *     (MM^{-1} mu)_i = (A_i - A_parent(i)) / l_i,
 * A = 0 at the fixed point, and of a cart only along its axes. With mu_i = tau_i q_i, w = 1/m (of a cart only
 * along its axes), and q' the directions,
 *     T_ii = (w_i + w_parent) q'_i.q_i / l_i^2,
 *     T_ip = -w_p q'_i.q_p / (l_i l_p),  T_pi = -w_p q'_p.q_i / (l_i l_p)      of a link and its parent p,
 *     T_is = w_p q'_i.q_s / (l_i l_s)                                          of links i, s on one mass p.
 * The matrix that is factored is l_i T_ij l_j, whose unknowns are the pulls. For any other sparse inverse
 * inertia see net.c. */
#include <polhode/tensions.h>

#include "net.h"
#include "system.h"
#include "tree.h"

#include <math.h>
#include <string.h>

static const ph_tree *tree_of(const ph_system *s)
{
    return ph_system_root(s)->tree;
}

/* The net of the system; NULL if it is a linkage. */
static const ph_net *net_of(const ph_system *s)
{
    return ph_system_root(s)->net;
}

bool ph_system_is_sparse(const ph_system *s)
{
    return tree_of(s) || net_of(s);
}

/* v <- MM^{-1} mu. On entry v holds the pulls mu_i / l_i; for a cart, mu itself. */
static void accelerate(const ph_tree *t, double *v)
{
    for (size_t i = 0; i < t->n; i++) { /* ascending: the pulls of what hangs on i are still unchanged */
        size_t at = ph_tree_at(t, i), parent = t->parent[i];
        size_t taken = parent == PH_NO_INDEX ? 0 : ph_tree_numbers(t, parent);
        for (size_t k = 0; k < taken; k++)
            v[ph_tree_at(t, parent) + k] -= v[at + k];
    }
    for (size_t i = t->n; i-- > 0;) /* all of them: the next loop needs those of parents and children */
        for (size_t k = 0, at = ph_tree_at(t, i); k < ph_tree_numbers(t, i); k++)
            v[at + k] *= t->inverse_mass[i];
    for (size_t i = t->n; i-- > t->first;) { /* descending: parents are still accelerations of masses */
        size_t at = ph_tree_at(t, i), parent = t->parent[i];
        size_t given = parent == PH_NO_INDEX ? 0 : ph_tree_numbers(t, parent);
        for (size_t k = 0; k < t->d; k++)
            v[at + k] = (v[at + k] - (k < given ? v[ph_tree_at(t, parent) + k] : 0)) * t->inverse_length[i];
    }
}

/* v <- the pulls of mu, in place. */
static void pulls(const ph_tree *t, const double *mu, double *v)
{
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0, at = ph_tree_at(t, i); k < ph_tree_numbers(t, i); k++)
            v[at + k] = mu[at + k] * t->inverse_length[i];
}

void ph_system_apply_inverse_inertia(const ph_system *s, const double *mu, double *v)
{
    const ph_tree *t = tree_of(s);
    if (!t) {
        ph_net_apply_inverse(net_of(s), mu, v);
        return;
    }
    pulls(t, mu, v);
    accelerate(t, v);
}

/* a += the acceleration by gravity. All masses fall alike, so only links that hang from a support that does
 * not fall are accelerated relative to it. */
static void add_gravity(const ph_tree *t, double *a)
{
    for (size_t i = 0; i < t->n && t->heavy; i++) {
        size_t parent = t->parent[i], falls = parent == PH_NO_INDEX ? 0 : ph_tree_numbers(t, parent);
        for (size_t k = falls, at = ph_tree_at(t, i); k < ph_tree_numbers(t, i); k++)
            a[at + k] += t->is.gravity[k] * t->inverse_length[i];
    }
}

ph_status ph_system_free_acceleration(const ph_system *s, const double *z, const double *f, double *a)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    const ph_tree *t = r->tree;
    ph_status status = PH_OK;
    if (r->is.gradient)
        status = r->is.gradient(r->is.user, z, a);
    if (status)
        return status;
    if (r->is.gradient || f) {
        for (size_t k = 0; k < r->nz; k++)
            a[k] = (f ? f[k] : 0) - (r->is.gradient ? a[k] : 0);
        ph_system_apply_inverse_inertia(s, a, a);
    } else {
        memset(a, 0, r->nz * sizeof *a);
    }
    if (t)
        add_gravity(t, a);
    return PH_OK;
}

void ph_tension_pull(const ph_system *s, const double *q, const double *tau, double *v)
{
    const ph_tree *t = tree_of(s);
    if (!t) {
        ph_net_pull(net_of(s), q, tau, v);
        return;
    }
    for (size_t i = 0; i < t->n; i++) {
        double pull = i < t->first ? 0 : tau[i] * t->inverse_length[i];
        for (size_t k = 0, at = ph_tree_at(t, i); k < ph_tree_numbers(t, i); k++)
            v[at + k] = pull * q[at + k];
    }
    accelerate(t, v);
}

void ph_tension_terms(const ph_system *s, const double *tau, double *size)
{
    const ph_tree *t = tree_of(s);
    if (!t) {
        ph_net_terms(net_of(s), tau, size);
        return;
    }
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

void ph_tension_own(const ph_system *s, double *own)
{
    const ph_tree *t = tree_of(s);
    if (!t) {
        ph_net_own(net_of(s), own);
        return;
    }
    for (size_t i = 0; i < t->n; i++) {
        double w = t->inverse_mass[i] + (t->parent[i] == PH_NO_INDEX ? 0 : t->inverse_mass[t->parent[i]]);
        own[i] = i < t->first ? 1 : w * t->inverse_length[i] * t->inverse_length[i];
    }
}

/* ---- The matrix --------------------------------------------------------------------------------- */

/* The factors T = (I + L) D (I + U), eliminated from the last link to the first. */
typedef struct factors {
    double *inverse;  /* (n) 1 / pivots */
    double *low, *up; /* (entries) of the lists: L by columns, and rows of D U */
} factors;

size_t ph_tension_size(const ph_system *s)
{
    const ph_tree *t = tree_of(s);
    return t ? t->n + 2 * t->entries : ph_net_tension_size(net_of(s));
}

static factors lay(const ph_tree *t, double *F)
{
    return (factors){.inverse = F, .low = F + t->n, .up = F + t->n + t->entries};
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* l_i T_ii l_i into inverse, l_j T_ji l_i into low, l_i T_ij l_j into up, j in the list of i. */
static void fill(const ph_tree *t, const double *q1, const double *q, factors f)
{
    for (size_t i = t->first; i < t->n; i++) {
        size_t at = ph_tree_at(t, i), parent = t->parent[i];
        size_t shared = parent == PH_NO_INDEX ? 0 : ph_tree_numbers(t, parent);
        double w = parent == PH_NO_INDEX ? 0 : t->inverse_mass[parent];
        f.inverse[i] = t->inverse_mass[i] * dot(q1 + at, q + at, t->d) + w * dot(q1 + at, q + at, shared);
        for (size_t e = t->up_start[i]; e < t->up_start[i + 1]; e++) {
            size_t j = t->up[e], other = ph_tree_at(t, j);
            double number = j == parent ? -w : w;
            f.low[e] = number * dot(q1 + other, q + at, shared);
            f.up[e] = number * dot(q1 + at, q + other, shared);
        }
    }
}

ph_status ph_tension_factor(const ph_system *s, const double *q1, const double *q, double *F, int *sign)
{
    if (!s)
        return PH_E_INVALID;
    const ph_tree *t = tree_of(s);
    if (!t)
        return ph_net_tension_factor(net_of(s), q1, q, F, sign);
    factors f = lay(t, F);
    size_t negative = 0;
    fill(t, q1, q, f);
    for (size_t i = t->n; i-- > t->first;) {
        double pivot = f.inverse[i];
        if (!(fabs(pivot) > 0 && fabs(pivot) < INFINITY))
            return PH_E_SINGULAR;
        negative += pivot < 0;
        f.inverse[i] = 1 / pivot;
        size_t start = t->up_start[i], many = t->up_start[i + 1] - start;
        for (size_t a = 0; a < many; a++) { /* the list of up[a] begins as that of i does */
            double m = f.low[start + a] * f.inverse[i];
            size_t row = t->up[start + a], rows = t->up_start[row];
            f.inverse[row] -= m * f.up[start + a];
            f.low[start + a] = m;
            for (size_t b = 0; b < a; b++)
                f.up[rows + b] -= m * f.up[start + b];
            for (size_t b = a + 1; b < many; b++)
                f.low[t->up_start[t->up[start + b]] + a] -= m * f.up[start + b];
        }
    }
    if (sign)
        *sign = negative % 2 ? -1 : 1;
    return PH_OK;
}

void ph_tension_solve(const ph_system *s, const double *F, double *tau)
{
    const ph_tree *t = tree_of(s);
    if (!t) {
        ph_net_tension_solve(net_of(s), F, tau);
        return;
    }
    const double *inverse = F, *low = F + t->n, *up = low + t->entries;
    for (size_t i = t->first; i < t->n; i++)
        tau[i] *= t->length[i];
    for (size_t i = t->n; i-- > t->first;)
        for (size_t e = t->up_start[i]; e < t->up_start[i + 1]; e++)
            tau[t->up[e]] -= low[e] * tau[i];
    if (t->first)
        tau[0] = 0;
    for (size_t i = t->first; i < t->n; i++) {
        double sum = tau[i];
        for (size_t e = t->up_start[i]; e < t->up_start[i + 1]; e++)
            sum -= up[e] * tau[t->up[e]];
        tau[i] = sum * inverse[i];
    }
    for (size_t i = t->first; i < t->n; i++)
        tau[i] *= t->length[i];
}
