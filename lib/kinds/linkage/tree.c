/* SPDX-License-Identifier: BSD-3-Clause */
/* The inertia and the gravity of a linkage, x_i = x_parent(i) + l_i q_i with a mass m_i at each x_i, in O(n).
 * The product mu = MM v goes by way of the masses:
 *     xdot_i = xdot_parent(i) + l_i v_i,
 *     P_i = m_i xdot_i + sum of P_c over the links c that hang on i,      mu_i = l_i P_i;
 * in numbers M_ij = l_i l_j (mass that hangs on the later one) where one of i, j hangs on the other, else 0.
 *     U = - sum_i (mass that hangs on i, its own included) l_i G . q_i. */
#include <polhode/kit/kernels.h>
#include <polhode/kit/memory.h>

#include "lib/system/system.h"
#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Creation ----------------------------------------------------------------------------------- */

/* Are the factors links, all S^2 or all S^1, but for a cart R^d in front, which moves along axes that the
 * links have? */
static ph_status check_factors(const ph_space *space, ph_error *err)
{
    size_t n = ph_space_factors(space), first = ph_space_factor(space, 0)->kind == PH_FACTOR_R;
    if (first == n)
        return ph_fail(err, PH_E_INVALID, "a linkage needs links, S^2 or S^1, behind its cart");
    const ph_factor_place *link = ph_space_factor(space, first);
    for (size_t i = first; i < n; i++) {
        ph_factor_kind kind = ph_space_factor(space, i)->kind;
        if ((kind != PH_FACTOR_S1 && kind != PH_FACTOR_S2) || kind != link->kind)
            return ph_fail(err, PH_E_INVALID,
                           "factor %zu is no link of the linkage: links are all S^2 or all S^1, "
                           "and only the first factor may be another, an R^d that they hang on",
                           i + 1);
    }
    if (first && ph_space_factor(space, 0)->nz > link->nz)
        return ph_fail(err, PH_E_INVALID,
                       "the cart of a linkage moves along %zu axes, but its links have only %zu",
                       ph_space_factor(space, 0)->nz, link->nz);
    return PH_OK;
}

/* Are the numbers from index i on positive and finite? */
static ph_status check_positive(const double *v, size_t i, size_t n, const char *what, ph_error *err)
{
    for (; i < n; i++)
        if (!(v[i] > 0) || !isfinite(v[i]))
            return ph_fail(err, isfinite(v[i]) ? PH_E_RANGE : PH_E_NOT_FINITE,
                           "%s[%zu] of the linkage is %g; it must be positive", what, i, v[i]);
    return PH_OK;
}

/* Are the inertia of a link alone and its inverse finite? */
static ph_status check_inertia(const ph_linkage *l, size_t i, size_t n, ph_error *err)
{
    for (; i < n; i++) {
        double inertia = l->mass[i] * l->length[i] * l->length[i];
        if (!isfinite(inertia))
            return ph_fail(err, PH_E_NOT_FINITE, "the inertia m l^2 of link %zu is not a finite number", i);
        if (!(inertia > 0) || !isfinite(1 / inertia))
            return ph_fail(err, PH_E_SINGULAR, "the inertia m l^2 of link %zu, %g kg m^2, has no inverse", i,
                           inertia);
    }
    return PH_OK;
}

/* May the linkage be one: factors, lengths, masses, gravity, and parents before their children? */
static ph_status check_linkage(const ph_system_definition *d, ph_error *err)
{
    const ph_linkage *l = d->linkage;
    size_t n = ph_space_factors(d->space), first = ph_space_factor(d->space, 0)->kind == PH_FACTOR_R;
    ph_status status = check_factors(d->space, err);
    if (status)
        return status;
    if (!l->length || !l->mass)
        return ph_fail(err, PH_E_INVALID, "a linkage needs the lengths and masses of its links");
    status = check_positive(l->length, first, n, "length", err);
    if (!status)
        status = check_positive(l->mass, 0, n, "mass", err);
    if (!status)
        status = check_inertia(l, first, n, err);
    for (size_t a = 0; a < 3 && !status; a++)
        if (!isfinite(l->gravity[a]))
            status = ph_fail(err, PH_E_NOT_FINITE, "gravity[%zu] of the linkage is %g", a, l->gravity[a]);
    for (size_t i = 0; i < n && l->parent && !status; i++)
        if (l->parent[i] != PH_NO_INDEX && l->parent[i] >= i)
            status = ph_fail(err, PH_E_INVALID,
                             "parent[%zu] of the linkage is %zu; "
                             "a link must come behind the one that it hangs on, "
                             "PH_NO_INDEX is the fixed point",
                             i, l->parent[i]);
    return status;
}

/* Places of the arrays; called twice. */
static ph_tree *lay_tree(ph_lay *l, size_t n, size_t entries)
{
    ph_tree *t = ph_lay_bytes(l, sizeof *t), made = {.n = n, .entries = entries};
    made.length = ph_lay_doubles(l, n);
    made.mass = ph_lay_doubles(l, n);
    made.inverse_length = ph_lay_doubles(l, n);
    made.inverse_mass = ph_lay_doubles(l, n);
    made.hanging = ph_lay_doubles(l, n);
    made.parent = ph_lay_bytes(l, n * sizeof *made.parent);
    made.up_start = ph_lay_bytes(l, (n + 1) * sizeof *made.up_start);
    made.up = ph_lay_bytes(l, entries * sizeof *made.up);
    made.up_at = ph_lay_bytes(l, entries * sizeof *made.up_at);
    made.on = ph_lay_bytes(l, n * sizeof *made.on);
    made.up_weight = ph_lay_doubles(l, entries);
    made.row.l = ph_lay_doubles(l, n + 3);
    made.row.il = ph_lay_doubles(l, n + 3);
    made.row.w = ph_lay_doubles(l, n + 3);
    made.row.both = ph_lay_doubles(l, n + 3);
    if (t)
        *t = made;
    return t;
}

/* The factor that i hangs on; PH_NO_INDEX: the fixed point. */
static size_t parent_of(const ph_linkage *l, size_t i)
{
    return l->parent ? l->parent[i] : i ? i - 1 : PH_NO_INDEX;
}

/* Number of entries in the lists; counts (n, zero on entry) <- children of each factor. */
static size_t count_entries(const ph_linkage *l, size_t first, size_t n, size_t *counts)
{
    size_t entries = 0;
    for (size_t i = first; i < n; i++) {
        size_t parent = parent_of(l, i);
        if (parent != PH_NO_INDEX)
            entries += (parent >= first) + counts[parent]++;
    }
    return entries;
}

/* The lists: parent and earlier siblings. `last` (n): the latest child so far of each factor, plus 1. */
static void fill_lists(ph_tree *t, size_t *last)
{
    size_t at = 0;
    memset(last, 0, t->n * sizeof *last);
    for (size_t i = 0; i < t->n; i++) {
        size_t parent = t->parent[i];
        t->up_start[i] = at;
        if (i < t->first || parent == PH_NO_INDEX)
            continue;
        if (last[parent]) { /* the list of the previous sibling, and that sibling */
            size_t before = last[parent] - 1, many = t->up_start[before + 1] - t->up_start[before];
            memcpy(t->up + at, t->up + t->up_start[before], many * sizeof *t->up);
            at += many;
            t->up[at++] = before;
        } else if (parent >= t->first) {
            t->up[at++] = parent;
        }
        last[parent] = i + 1;
        t->up_start[i + 1] = at; /* the lists of later siblings read it */
    }
    t->up_start[t->n] = at;
    for (size_t i = t->first; i < t->n; i++)
        for (size_t e = t->up_start[i]; e < t->up_start[i + 1]; e++) {
            const double w = t->inverse_mass[t->parent[i]];
            t->up_at[e] = ph_tree_at(t, t->up[e]);
            t->up_weight[e] = t->up[e] == t->parent[i] ? -w : w;
        }
}

/* Copies what the user gave, and computes the inverses, the mass that hangs on each link (from the
 * leaves), and whether it is a chain and has weight. The cart has the length 1. */
static void fill_tree(ph_tree *t, const ph_system_definition *d)
{
    const ph_linkage *l = d->linkage;
    t->first = ph_space_factor(d->space, 0)->kind == PH_FACTOR_R;
    t->cart = t->first ? ph_space_factor(d->space, 0)->nz : 0;
    t->d = ph_space_factor(d->space, t->first)->nz;
    t->chain = t->apart = true;
    for (size_t i = 0; i < t->n; i++) {
        t->parent[i] = parent_of(l, i);
        t->chain = t->chain && t->parent[i] == (i ? i - 1 : PH_NO_INDEX);
        t->apart = t->apart && t->parent[i] == PH_NO_INDEX && i >= t->first;
        t->length[i] = i < t->first ? 1 : l->length[i];
        t->mass[i] = t->hanging[i] = l->mass[i];
        t->inverse_length[i] = 1 / t->length[i];
        t->inverse_mass[i] = 1 / l->mass[i];
        t->on[i] = t->parent[i] == PH_NO_INDEX || t->parent[i] < t->first ? PH_NO_INDEX
                                                                          : ph_tree_at(t, t->parent[i]);
    }
    for (size_t i = t->n; i-- > 0;)
        if (t->parent[i] != PH_NO_INDEX)
            t->hanging[t->parent[i]] += t->hanging[i];
    for (size_t a = 0; a < t->d; a++)
        t->heavy = t->heavy || l->gravity[a] != 0;
    t->is = (ph_linkage){.parent = t->parent, .length = t->length, .mass = t->mass};
    memcpy(t->is.gravity, l->gravity, t->d * sizeof *l->gravity);
}

/* Can kernels of chains take it? */
static bool is_ordinary(const ph_tree *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (!(t->length[i] > 1e-30 && t->length[i] < 1e30 && t->mass[i] > 1e-30 && t->mass[i] < 1e30))
            return false;
    return t->chain && ph_fast_paths() & PH_PATH_CHAINS;
}

static void fill_row(ph_tree *t)
{
    ph_link_row *r = &t->row;
    t->ordinary = is_ordinary(t);
    if (!t->ordinary)
        return;
    r->n = t->n - t->first;
    r->d = t->d;
    r->cart = t->cart;
    r->few = r->n <= PH_LINKS_FEW && ph_fast_paths() & PH_PATH_SHORT_CHAINS;
    for (size_t i = 0; i < t->n + 3; i++) {
        const size_t at = t->first + i;
        const bool is = i < r->n;
        r->l[i] = is ? t->length[at] : 0;
        r->il[i] = is ? t->inverse_length[at] : 0;
        r->w[i] = is ? t->inverse_mass[at] : 0;
        r->both[i] = is ? t->inverse_mass[at] + (i ? t->inverse_mass[at - 1] : 0) : 0;
    }
    for (size_t k = 0; k < t->d; k++) {
        const double G = t->heavy ? t->is.gravity[k] : 0;
        const bool rides = k < t->cart;
        r->root[k] = rides ? t->inverse_mass[0] : 0;
        r->head[k] = t->inverse_mass[t->first] + r->root[k];
        r->ride[k] = rides ? G : 0;
        r->fall[k] = rides ? 0 : G;
        r->drop[k] = r->fall[k] * t->inverse_length[t->first];
    }
}

ph_status ph_tree_create(const ph_system_definition *d, ph_tree **tree, ph_error *err)
{
    ph_status status = check_linkage(d, err);
    if (status)
        return status;
    size_t n = ph_space_factors(d->space), first = ph_space_factor(d->space, 0)->kind == PH_FACTOR_R;
    size_t *counts = calloc(n, sizeof *counts);
    if (!counts)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    size_t entries = count_entries(d->linkage, first, n, counts);
    ph_lay l = {NULL, 0};
    lay_tree(&l, n, entries);
    l = (ph_lay){malloc(l.bytes), 0};
    if (!l.base) {
        free(counts);
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for a linkage of %zu links", n - first);
    }
    *tree = lay_tree(&l, n, entries);
    fill_tree(*tree, d);
    fill_lists(*tree, counts);
    fill_row(*tree);
    free(counts);
    return PH_OK;
}

/* ---- Inertia ------------------------------------------------------------------------------------ */

/* ph_tree_apply_inertia for a chain in space, with the same rounding errors: no parents need to be looked
 * up. */
static void apply_to_chain(const ph_tree *t, const double *v, double *mu)
{
    double on[3] = {0, 0, 0}, sum[3] = {0, 0, 0};
    const double *l = t->length + t->first, *m = t->mass + t->first;
    for (size_t a = 0; a < t->cart; a++)
        on[a] = 0 + t->length[0] * v[a];
    for (size_t i = 0, at = t->cart; i < t->n - t->first; i++, at += 3)
        for (size_t a = 0; a < 3; a++) {
            const double u = on[a] + l[i] * v[at + a];
            if (at == t->cart && a < t->cart)
                mu[a] = t->mass[0] * on[a];
            mu[at + a] = m[i] * u;
            on[a] = u;
        }
    for (size_t i = t->n - t->first, at = t->cart + 3 * i; i-- > 0;) {
        at -= 3;
        for (size_t a = 0; a < 3; a++) {
            sum[a] = i + 1 == t->n - t->first ? mu[at + a] : mu[at + a] + sum[a];
            mu[at + a] = sum[a] * l[i];
        }
    }
    for (size_t a = 0; a < t->cart; a++)
        mu[a] = t->length[0] * (mu[a] + sum[a]);
}

/* Velocities of the masses from the root to the leaves, momenta back from the leaves to the root. */
void ph_tree_apply_inertia(const ph_tree *t, const double *v, double *mu)
{
    if (t->chain && t->d == 3) {
        apply_to_chain(t, v, mu);
        return;
    }
    for (size_t i = 0; i < t->n; i++) { /* velocities of the masses */
        size_t at = ph_tree_at(t, i), many = ph_tree_numbers(t, i), parent = t->parent[i];
        size_t given = parent == PH_NO_INDEX ? 0 : ph_tree_numbers(t, parent);
        const double *on = given ? mu + ph_tree_at(t, parent) : NULL;
        for (size_t k = 0; k < many; k++)
            mu[at + k] = (k < given ? on[k] : 0) + t->length[i] * v[at + k];
    }
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0, at = ph_tree_at(t, i); k < ph_tree_numbers(t, i); k++)
            mu[at + k] *= t->mass[i];
    for (size_t i = t->n; i-- > 0;) { /* momenta of what hangs on each */
        size_t at = ph_tree_at(t, i), many = ph_tree_numbers(t, i), parent = t->parent[i];
        size_t taken = parent == PH_NO_INDEX ? 0 : ph_tree_numbers(t, parent);
        for (size_t k = 0; k < taken; k++)
            mu[ph_tree_at(t, parent) + k] += mu[at + k];
        for (size_t k = 0; k < many; k++)
            mu[at + k] *= t->length[i];
    }
}

/* M_ij is not 0 only where one link hangs on the other: i and its ancestors j. */
void ph_tree_pair_inertia(const ph_tree *t, double *M)
{
    memset(M, 0, t->n * t->n * sizeof *M);
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = i; j != PH_NO_INDEX; j = t->parent[j])
            M[i * t->n + j] = M[j * t->n + i] = t->hanging[i] * (t->length[i] * t->length[j]);
}

void ph_tree_ambient_inertia(const ph_tree *t, size_t nz, double *MM)
{
    memset(MM, 0, nz * nz * sizeof *MM);
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = i; j != PH_NO_INDEX; j = t->parent[j])
            for (size_t k = 0; k < ph_tree_numbers(t, i) && k < ph_tree_numbers(t, j); k++) {
                size_t row = ph_tree_at(t, i) + k, column = ph_tree_at(t, j) + k;
                MM[row * nz + column] = MM[column * nz + row] = t->hanging[i] * (t->length[i] * t->length[j]);
            }
}

/* ---- Gravity ------------------------------------------------------------------------------------ */

/* The mass on link i times its length times G . q, the term of link i in -U. */
static inline double weight_along(const ph_tree *t, size_t i, size_t many, const double *q)
{
    double along = 0;
    for (size_t k = 0; k < many; k++)
        along += t->is.gravity[k] * q[k];
    return t->hanging[i] * t->length[i] * along;
}

void ph_tree_add_potential(const ph_tree *t, const double *z, double *U)
{
    double sum = 0;
    if (!t->heavy)
        return;
    if (t->first)
        sum += weight_along(t, 0, t->cart, z);
    z += t->cart;
    if (t->d == 3)
        for (size_t i = t->first; i < t->n; i++, z += 3)
            sum += weight_along(t, i, 3, z);
    else
        for (size_t i = t->first; i < t->n; i++, z += 2)
            sum += weight_along(t, i, 2, z);
    *U -= sum;
}

void ph_tree_add_gradient(const ph_tree *t, double *dU)
{
    for (size_t i = 0; i < t->n && t->heavy; i++)
        for (size_t k = 0, at = ph_tree_at(t, i); k < ph_tree_numbers(t, i); k++)
            dU[at + k] -= t->hanging[i] * t->length[i] * t->is.gravity[k];
}

/* ---- Of a system ---------------------------------------------------------------------------------- */

void ph_tree_free(void *tree)
{
    free(tree);
}

const ph_tree *ph_system_tree(const ph_system *s)
{
    return ph_system_own(s, ph_tree_free);
}

const ph_linkage *ph_system_linkage(const ph_system *s)
{
    const ph_tree *tree = ph_system_tree(s);
    return tree ? &tree->is : NULL;
}
