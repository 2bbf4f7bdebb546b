/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a step: which elements it is composed of, in which places spins are kept, and the bonds of each
 * class in an order in which neighbours follow each other.
 *
 * Spins are kept in two halves, such that bonds are between them where that is possible (a bipartite graph, by
 * union and find with parities): on a lattice the bonds of a class then are runs of consecutive places in both
 * halves, which are loaded and stored as vectors. What is in no run is gathered. Bonds of one class have no
 * spin in common: their order within it changes nothing, also no bit. */
#include "integrators/shared/spin-halves.h"
#include "splitting.h"

#include <math.h>
#include <string.h>

double ph_spin_splitting_axis(const double *axis, double *a)
{
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int k = 0; k < 3; k++)
        a[k] = axis[k] / length;
    return length;
}

/* |a x b| is no more than rounding leaves. */
static bool is_along(const double *v, const double *a)
{
    double size = 0, worst = 0;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        worst = fmax(worst, fabs(v[l] * a[m] - v[m] * a[l]));
        size = fmax(size, fabs(v[k]));
    }
    return worst <= 4e-16 * size;
}

bool ph_spin_splitting_parallel(const double *a, const double *b)
{
    return is_along(a, b);
}

/* A run has so many bonds at the least; kernels take up to MOST_AT_ONCE of them at once. */
enum { SHORTEST = 3, MOST_AT_ONCE = 8 };

/* ---- Memory --------------------------------------------------------------------------------------- */

/* Do the bonds turn in pairs? Else they are axial. */
static bool in_pairs(const ph_bonds *b)
{
    return b->kind != PH_BOND_AXIAL;
}

static bool is_extreme(const double *v, size_t n)
{
    for (size_t k = 0; k < n && v; k++)
        if (fabs(v[k]) > 1e25 || (v[k] != 0 && fabs(v[k]) < 1e-25))
            return true;
    return false;
}

/* May a step on this system fail, by a callback, where vortices meet, or as numbers become too large? */
static bool is_fallible(const ph_spins *is)
{
    bool yes = is->control != NULL || is_extreme(is->strengths, is->n) || is_extreme(is->moments, is->n) ||
               is_extreme(is->field, is->field_is_uniform ? 3 : 3 * is->n);
    for (size_t g = 0; g < is->n_bonds; g++) {
        const ph_bonds *b = &is->bonds[g];
        yes = yes || b->kind == PH_BOND_VORTICES || b->kind == PH_BOND_FUNCTION ||
              is_extreme(b->c, b->uniform ? 1 : b->n);
    }
    for (size_t g = 0; g < is->n_anisotropies; g++)
        yes = yes || is_extreme(is->anisotropies[g].K, is->anisotropies[g].uniform ? 1 : is->n);
    return yes;
}

ph_spin_sizes ph_spin_splitting_sizes(const ph_spins *is)
{
    ph_spin_sizes s = {.n = is->n, .groups = is->n_bonds + is->n_anisotropies, .copy = is_fallible(is)};
    for (size_t g = 0; g < is->n_bonds; g++) {
        const ph_bonds *b = &is->bonds[g];
        if (!in_pairs(b))
            continue;
        s.sweeps += b->all_pairs ? 1 : b->colours;
        s.listed += b->n;
        s.differing += b->uniform ? 0 : b->n;
    }
    return s;
}

void ph_spin_splitting_lay(ph_spin_splitting *w, const ph_spin_sizes *s, ph_lay *l)
{
    const size_t n = s->n;
    ph_lay_bytes(l, sizeof *w);
    w->sweeps = ph_lay_bytes(l, s->sweeps * sizeof *w->sweeps);
    w->families = ph_lay_bytes(l, s->groups * sizeof *w->families);
    w->terms = ph_lay_bytes(l, s->groups * sizeof *w->terms);
    w->place = ph_lay_bytes(l, n * sizeof *w->place);
    w->site = ph_lay_bytes(l, n * sizeof *w->site);
    w->bare = ph_lay_bytes(l, n * sizeof *w->bare);
    w->G = ph_lay_line(l, n * sizeof *w->G);
    w->u = ph_lay_line(l, n * sizeof *w->u);
    w->rate = ph_lay_line(l, n * sizeof *w->rate);
    w->runs = ph_lay_bytes(l, s->listed / SHORTEST * sizeof *w->runs);
    w->first = ph_lay_bytes(l, s->listed * sizeof *w->first);
    w->second = ph_lay_bytes(l, s->listed * sizeof *w->second);
    w->c = ph_lay_line(l, s->differing * sizeof *w->c);
    w->copy = s->copy ? ph_lay_line(l, 6 * ph_turned_stride(n) * sizeof *w->copy) : NULL;
}

/* ---- Families ------------------------------------------------------------------------------------- */

/* The part of a group that is along an axis, and its direction; scale 0: there is none. */
static ph_axial_term term_at(const ph_spins *is, size_t m, double *a)
{
    if (m >= is->n_bonds) {
        const ph_anisotropy *easy = &is->anisotropies[m - is->n_bonds];
        const double length = ph_spin_splitting_axis(easy->axis, a);
        return (ph_axial_term){.easy = easy, .scale = length * length};
    }
    const ph_bonds *b = &is->bonds[m];
    if (b->kind != PH_BOND_AXIAL && b->kind != PH_BOND_TWIST)
        return (ph_axial_term){.scale = 0};
    const double length = ph_spin_splitting_axis(b->axis, a);
    return (ph_axial_term){.bonds = b, .scale = b->kind == PH_BOND_TWIST ? -length : length * length};
}

/* The groups in order; those of one axis are together. */
static void plan_families(ph_spin_splitting *w)
{
    const ph_spins *is = w->is;
    const size_t groups = is->n_bonds + is->n_anisotropies;
    size_t used = 0;
    w->n_families = 0;
    for (size_t m = 0; m < groups; m++) {
        double a[3], other[3];
        const ph_axial_term own = term_at(is, m, a);
        bool known = own.scale == 0;
        for (size_t k = 0; k < w->n_families; k++)
            known = known || ph_spin_splitting_parallel(a, w->families[k].axis);
        if (known)
            continue;
        ph_family *family = &w->families[w->n_families++];
        *family = (ph_family){.terms = w->terms + used};
        memcpy(family->axis, a, sizeof a);
        for (size_t k = m; k < groups; k++) {
            const ph_axial_term term = term_at(is, k, other);
            if (term.scale != 0 && ph_spin_splitting_parallel(other, a)) {
                w->terms[used++] = term;
                family->n_terms++;
            }
        }
    }
    w->field = is->control || is->field;
    for (size_t k = 0; k < w->n_families && w->field && !is->control; k++) {
        bool along = true;
        for (size_t i = 0; i < (is->field_is_uniform ? 1 : w->n); i++)
            along = along && is_along(is->field + 3 * i, w->families[k].axis);
        w->families[k].field = along;
        w->field = !along;
    }
}

/* ---- Places --------------------------------------------------------------------------------------- */

/* place, site <- two halves, so that bonds are between them where they can be. */
static void plan_places(ph_spin_splitting *w)
{
    unsigned char *room = (void *)w->rate, *half = room + 2 * w->n;
    uint32_t next = 0;
    ph_spin_halves(w->is, false, (void *)w->u, room, half);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < w->n; i++)
            if (half[i] == pass) {
                w->place[i] = next;
                w->site[next++] = (uint32_t)i;
            }
}

/* ---- Sweeps --------------------------------------------------------------------------------------- */

/* What has been handed out. */
typedef struct stock {
    size_t runs, singles, c;
} stock;

/* The places of a bond: i <= j, except for twist, which distinguishes its spins. */
static void places_of(const ph_spin_splitting *w, const ph_bonds *b, size_t k, uint32_t *i, uint32_t *j)
{
    const uint32_t one = w->place[b->first[k]], other = w->place[b->second[k]];
    const bool swap = b->kind != PH_BOND_TWIST && one > other;
    *i = swap ? other : one;
    *j = swap ? one : other;
}

/* How many of the bonds of a run of this length are in it: those after the last whole group are, too, if what is loaded
 * with them is other spins, which are stored as they were. */
static size_t in_run(const ph_spin_splitting *w, size_t i, size_t j, size_t length)
{
    const size_t whole = length / MOST_AT_ONCE * MOST_AT_ONCE,
                 loaded = length > whole ? whole + MOST_AT_ONCE : whole, low = i < j ? i : j,
                 high = i < j ? j : i;
    if (length < SHORTEST)
        return 0;
    return low + loaded <= high && high + loaded <= w->n ? length : whole;
}

static void plan_class(ph_spin_splitting *w, ph_sweep *sweep, size_t begin, size_t end, stock *used)
{
    const ph_bonds *b = sweep->bonds;
    uint32_t *at = (void *)w->u, i, j, next_i, next_j; /* at each place the bond that begins there, and 1 */
    memset(at, 0, w->n * sizeof *at);
    for (size_t k = begin; k < end; k++) {
        places_of(w, b, k, &i, &j);
        at[i] = (uint32_t)(k - begin + 1);
    }
    sweep->runs = w->runs + used->runs;
    sweep->first = w->first + used->singles;
    sweep->second = w->second + used->singles;
    sweep->uniform = b->uniform;
    sweep->c = b->uniform ? b->c : w->c + used->c;
    size_t bond = 0;
    for (int singly = 0; singly < 2; singly++)
        for (size_t p = 0, length; p < w->n; p += length) {
            length = 1;
            if (!at[p])
                continue;
            places_of(w, b, begin + at[p] - 1, &i, &j);
            while (p + length < w->n && at[p + length]) {
                places_of(w, b, begin + at[p + length] - 1, &next_i, &next_j);
                if (next_j != j + length)
                    break;
                length++;
            }
            const size_t whole = in_run(w, i, j, length);
            if (!singly && whole)
                w->runs[used->runs + sweep->n_runs++] = (ph_run){i, j, (uint32_t)whole, (uint32_t)bond};
            for (size_t k = singly ? whole : 0; k < (singly ? length : whole); k++) {
                if (!b->uniform)
                    w->c[used->c + bond] = b->c[begin + at[p + k] - 1];
                bond++;
                if (singly) {
                    w->first[used->singles + sweep->n_singles] = i + (uint32_t)k;
                    w->second[used->singles + sweep->n_singles++] = j + (uint32_t)k;
                }
            }
        }
    used->runs += sweep->n_runs;
    used->singles += sweep->n_singles;
    used->c += b->uniform ? 0 : bond;
}

static size_t bonds_of(const ph_sweep *sweep, size_t n)
{
    size_t count = sweep->n_singles;
    for (size_t m = 0; m < sweep->n_runs; m++)
        count += sweep->runs[m].count;
    return sweep->bonds->all_pairs ? n / 2 : count;
}

/* bare <- the places without a bond in this sweep, or in the last round of it; NULL: all. */
static void plan_bare(ph_spin_splitting *w, const ph_sweep *sweep)
{
    unsigned char *reached = (void *)w->u;
    memset(reached, sweep && sweep->bonds->all_pairs, w->n);
    w->n_bare = 0;
    for (size_t m = 0; sweep && m < sweep->n_runs; m++)
        for (size_t k = 0; k < sweep->runs[m].count; k++)
            reached[sweep->runs[m].first + k] = reached[sweep->runs[m].second + k] = 1;
    for (size_t m = 0; sweep && m < sweep->n_singles; m++)
        reached[sweep->first[m]] = reached[sweep->second[m]] = 1;
    if (sweep && sweep->bonds->all_pairs && w->n % 2)
        reached[w->n - 1] = 0;
    for (size_t i = 0; i < w->n; i++)
        if (!reached[i])
            w->bare[w->n_bare++] = (uint32_t)i;
}

/* Is |c| = |k T| of a bond, at most |h c| (1/|Gamma_i| + 1/|Gamma_j|)/2, beyond 1/8 somewhere? */
static bool is_strong(const ph_spins *is, const ph_bonds *b, double h)
{
    double most = 0, all = 0;
    if (b->kind != PH_BOND_EXCHANGE && b->kind != PH_BOND_TWIST)
        return false; /* then each turn sees for itself */
    for (size_t i = 0; i < is->n; i++)
        all = fmax(all, is->strengths ? 1 / fabs(is->strengths[i]) : 1);
    if (b->all_pairs)
        most = fabs(b->c[0]) * all;
    for (size_t k = 0; k < b->n; k++) {
        const double c = fabs(b->c[b->uniform ? 0 : k]);
        most = fmax(most, is->strengths ? 0.5 * c *
                                              (1 / fabs(is->strengths[b->first[k]]) +
                                               1 / fabs(is->strengths[b->second[k]]))
                                        : c);
    }
    return !(fabs(h) * most <= 0.125);
}

static void plan_sweeps(ph_spin_splitting *w, double h)
{
    const ph_spins *is = w->is;
    stock used = {0, 0, 0};
    const ph_sweep *largest = NULL;
    w->n_sweeps = 0;
    w->elements = w->n_families + w->field;
    w->correcting = SIZE_MAX;
    for (size_t g = 0; g < is->n_bonds; g++) {
        const ph_bonds *b = &is->bonds[g];
        const bool strong = is_strong(is, b, h);
        for (size_t k = 0; in_pairs(b) && k < (b->all_pairs ? 1 : b->colours); k++) {
            ph_sweep *sweep = &w->sweeps[w->n_sweeps++];
            *sweep =
                (ph_sweep){.bonds = b, .group = g, .rounds = b->all_pairs ? b->colours : 1, .strong = strong};
            if (b->all_pairs) {
                sweep->c = b->c;
                sweep->uniform = true;
            } else {
                plan_class(w, sweep, b->begin[k], b->begin[k + 1], &used);
            }
            w->elements += sweep->rounds;
            if (!largest || bonds_of(sweep, w->n) >= bonds_of(largest, w->n)) {
                largest = sweep;
                w->correcting = w->elements - 1;
            }
        }
    }
    plan_bare(w, largest);
}

ph_status ph_spin_splitting_prepare(ph_spin_splitting *w, const ph_spins *is, const uint32_t *place,
                                    const ph_context *context)
{
    w->is = is;
    w->n = is->n;
    w->fallible = is_fallible(is);
    if (!w->fallible && fabs(context->h) > 1e25)
        return ph_fail(context->error, PH_E_RANGE,
                       "the step size is %g s; spin-splitting takes at most 1e25 s", context->h);
    w->kernel = ph_lanes(PH_KERNEL_AVX512) ? EIGHT : ph_lanes(PH_KERNEL_AVX2) ? WIDE : PLAIN;
    w->alike = true;
    plan_families(w);
    if (!place)
        plan_places(w);
    for (size_t i = 0; place && i < w->n; i++) {
        w->place[i] = place[i];
        w->site[place[i]] = (uint32_t)i;
    }
    plan_sweeps(w, context->h);
    for (size_t i = 0; i < w->n; i++) {
        w->G[i] = is->strengths ? is->strengths[w->site[i]] : 1;
        w->alike = w->alike && w->G[i] == w->G[0];
    }
    return PH_OK;
}
