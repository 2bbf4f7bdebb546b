/* SPDX-License-Identifier: BSD-3-Clause */
/* Relaxation of the midpoint equations on the spheres, spin after spin (Gauss and Seidel): with the half-way points m of its
 * neighbours as they are, m_i <- that of the step in the field which these give. With a = (h/2) (g/Gamma - lambda m x g),
 *     s = c m - a x m,   c^2 = 1 - |a x m|^2   (c: the cosine of half the angle from s to s+), so that
 *     m = (c^2 s + c a x s + (a.s) a) / (c (c^2 + a.a)),   c^2 = (1 - a.a)/2 + sqrt((1 - a.a)^2/4 + (a.s)^2).
 * Only what spins have of each other is left to be iterated. Where bonds are between two halves of the spins, as on most lattices,
 * one half after the other contracts by the square of what all at once do (Young). Nothing but m is written. The increments of the
 * step are then those of all spins at the same m: in a pair they are opposite, whatever is left of the guess.
 *
 * Spins are in an order of their own, a block of one half after a block of the other, which lags behind by the reach of most
 * bonds: both find m in the cache. It is for energies that are declared by parts without vortices and functions. */
#include "integrators/shared/spin-halves.h"
#include "lanes.h"
#include "midpoint.h"

#include <math.h>
#include <string.h>

/* Bonds of one group as seen from each spin: of four, their neighbours k, one after the other, for each k; or, where not all have
 * as many, how many each has, and then those of each. */
struct ph_midpoint_group {
    ph_bond_kind kind;
    double axis[3], c;
    const uint32_t *begin;  /* (fours) */
    const uint32_t *degree; /* (fours) how many, or DIFFERENT */
    const uint32_t *other;  /* neighbours: where their numbers begin */
    const double *weight;   /* their coefficients; NULL: c for all */
};

static const uint32_t DIFFERENT = UINT32_MAX;
/* At most so many fours, of one half, are relaxed at once: none waits for the roots and quotients of another. */
enum { BLOCK = 4, MOST_BONDS = 1 << 30 };

bool ph_midpoint_relax_suits(const ph_system *system, bool ambient)
{
    const ph_spins *is = ph_system_spins(system);
    bool yes = is->n > PH_MIDPOINT_FEW && !ambient && ph_spins_are_declared(system);
    for (size_t g = 0; g < is->n_bonds; g++)
        yes = yes && !is->bonds[g].all_pairs && is->bonds[g].n < MOST_BONDS &&
              is->bonds[g].kind != PH_BOND_VORTICES && is->bonds[g].kind != PH_BOND_FUNCTION;
    return yes;
}

static bool is_weighted(const ph_bonds *b)
{
    return !b->uniform || b->kind == PH_BOND_TWIST;
}

/* At most: each half ends in a four of its own. */
static size_t fours_of(const ph_spins *is)
{
    return is->n / LANES + 2;
}

/* Numbers in the list of neighbours of a group. */
static size_t listed(const ph_spins *is, const ph_bonds *b)
{
    return 2 * b->n + LANES * fours_of(is);
}

void ph_midpoint_relax_place(ph_midpoint_relaxation *r, const ph_spins *is, ph_lay *l)
{
    const size_t fours = fours_of(is);
    size_t others = 0, weights = 0;
    for (size_t g = 0; g < is->n_bonds; g++) {
        others += listed(is, &is->bonds[g]);
        weights += is_weighted(&is->bonds[g]) ? listed(is, &is->bonds[g]) : 0;
    }
    r->group = ph_lay_bytes(l, is->n_bonds * sizeof *r->group);
    r->begin = ph_lay_bytes(l, is->n_bonds * fours * sizeof *r->begin);
    r->degree = ph_lay_bytes(l, is->n_bonds * fours * sizeof *r->degree);
    r->other = ph_lay_bytes(l, others * sizeof *r->other);
    r->weight = ph_lay_doubles(l, weights);
    r->spin = ph_lay_bytes(l, LANES * fours * sizeof *r->spin);
    r->block = ph_lay_bytes(l, (fours + 1) * sizeof *r->block);
    r->slot = ph_lay_bytes(l, is->n * sizeof *r->slot);
    r->count = ph_lay_bytes(l, LANES * fours * sizeof *r->count);
    r->s = ph_lay_line(l, 3 * LANES * fours * sizeof *r->s);
    r->B = is->field || is->control ? ph_lay_line(l, 3 * LANES * fours * sizeof *r->B) : NULL;
    r->inverse = ph_lay_line(l, LANES * fours * sizeof *r->inverse);
    r->K = ph_lay_line(l, is->n_anisotropies * LANES * fours * sizeof *r->K);
    r->lambda = is->damping ? ph_lay_line(l, LANES * fours * sizeof *r->lambda) : NULL;
}

/* ---- The order --------------------------------------------------------------------------------------------------- */

/* The farthest bond in the list of spins; those that close a lattice, over more than half of the list, do not count. */
static size_t reach_of(const ph_spins *is)
{
    size_t reach = 0;
    for (size_t g = 0; g < is->n_bonds; g++)
        for (size_t k = 0; k < is->bonds[g].n; k++) {
            const size_t i = is->bonds[g].first[k], j = is->bonds[g].second[k], far = i < j ? j - i : i - j;
            reach = far > reach && far <= is->n / 2 ? far : reach;
        }
    return reach;
}

/* spin, slot, fours, block, blocks <- the order. The last four of a half are filled up with spin n, which does not exist: it has no
 * neighbours. */
static void put_in_order(ph_midpoint_relaxation *r, const ph_spins *is)
{
    const size_t n = is->n, lag = reach_of(is) + 2 * LANES * BLOCK;
    unsigned char *room = (void *)r->count, *half = room + 2 * n; /* of 4 n bytes */
    size_t at[2] = {0, 0}, slot = 0;
    ph_spin_halves(is, true, r->slot, room, half);
    r->blocks = 0;
    for (;;) {
        for (size_t m = 0; m < 2; m++)
            while (at[m] < n && half[at[m]] != m)
                at[m]++;
        r->block[r->blocks] = (uint32_t)(slot / LANES);
        if (at[0] == n && at[1] == n)
            break;
        const size_t m = at[0] == n || (at[1] < n && at[1] + lag <= at[0]);
        for (size_t k = 0; k < LANES * BLOCK && (at[m] < n || k % LANES); k++) {
            r->spin[slot++] = 3 * (uint32_t)(at[m] < n ? at[m]++ : n);
            while (at[m] < n && half[at[m]] != m)
                at[m]++;
        }
        r->blocks++;
    }
    r->fours = slot / LANES;
    for (size_t k = 0; k < slot; k++)
        if (r->spin[k] < 3 * n)
            r->slot[r->spin[k] / 3] = (uint32_t)k;
}

/* begin, degree <- of the fours, by the counts; counts <- 0. Returns the length of the list of neighbours. */
static size_t divide(const ph_midpoint_relaxation *r, uint32_t *begin, uint32_t *degree, uint32_t *other)
{
    size_t used = 0;
    for (size_t f = 0; f < r->fours; f++) {
        uint32_t *own = r->count + LANES * f;
        const bool same = own[1] == own[0] && own[2] == own[0] && own[3] == own[0];
        begin[f] = (uint32_t)used;
        degree[f] = same ? own[0] : DIFFERENT;
        for (size_t l = 0; l < LANES && !same; l++)
            other[used + l] = own[l];
        used += same ? 0 : LANES;
        for (size_t l = 0; l < LANES; l++) {
            used += own[l];
            own[l] = 0;
        }
    }
    return used;
}

/* Where in the list the next neighbour of this spin is. */
static size_t next_place(const ph_midpoint_relaxation *r, const ph_midpoint_group *of, size_t spin)
{
    const size_t slot = r->slot[spin], f = slot / LANES, lane = slot % LANES, k = r->count[slot]++;
    size_t at = of->begin[f] + LANES;
    if (of->degree[f] != DIFFERENT)
        return of->begin[f] + LANES * k + lane;
    for (size_t l = 0; l < lane; l++)
        at += of->other[of->begin[f] + l];
    return at + k;
}

/* Of a twist the spins differ: c a . (s x r) = c s . (r x a) = -c r . (s x a). */
static void list_neighbours(const ph_midpoint_relaxation *r, const ph_bonds *b, const ph_midpoint_group *of,
                            uint32_t *other, double *weight)
{
    for (size_t k = 0; k < b->n; k++) {
        const size_t own = next_place(r, of, b->first[k]), back = next_place(r, of, b->second[k]);
        const double c = b->c[b->uniform ? 0 : k];
        other[own] = 3 * b->second[k];
        other[back] = 3 * b->first[k];
        if (weight) {
            weight[own] = c;
            weight[back] = b->kind == PH_BOND_TWIST ? -c : c;
        }
    }
}

void ph_midpoint_relax_prepare(ph_midpoint_relaxation *r, const ph_spins *is, const double *inverse)
{
    uint32_t *other = r->other;
    double *weight = r->weight;
    put_in_order(r, is);
    const size_t fours = r->fours, slots = LANES * fours;
    for (size_t g = 0; g < is->n_bonds; g++) {
        const ph_bonds *b = &is->bonds[g];
        uint32_t *begin = r->begin + g * fours, *degree = r->degree + g * fours;
        const bool weighted = is_weighted(b);
        memset(r->count, 0, slots * sizeof *r->count);
        for (size_t k = 0; k < b->n; k++) {
            r->count[r->slot[b->first[k]]]++;
            r->count[r->slot[b->second[k]]]++;
        }
        const size_t used = divide(r, begin, degree, other);
        r->group[g] = (ph_midpoint_group){.kind = b->kind,
                                          .axis = {b->axis[0], b->axis[1], b->axis[2]},
                                          .c = b->c[0],
                                          .begin = begin,
                                          .degree = degree,
                                          .other = other,
                                          .weight = weighted ? weight : NULL};
        list_neighbours(r, b, &r->group[g], other, weighted ? weight : NULL);
        other += used;
        weight += weighted ? used : 0;
    }
    for (size_t k = 0; k < slots; k++) {
        const size_t i = r->spin[k] / 3;
        r->inverse[k] = i < is->n ? inverse[i] : 1;
        for (size_t m = 0; m < is->n_anisotropies; m++)
            r->K[m * slots + k] = i < is->n ? is->anisotropies[m].K[is->anisotropies[m].uniform ? 0 : i] : 0;
        if (r->lambda)
            r->lambda[k] = i < is->n ? is->damping[i] : 0;
    }
}

/* s, B <- where the step begins, and the field in it. control (3) */
static void begin_step(const ph_midpoint *w, const double *control)
{
    const ph_midpoint_relaxation *r = &w->relaxation;
    const ph_spins *is = w->is;
    for (size_t k = 0; k < LANES * r->fours; k++)
        for (size_t a = 0; a < 3; a++) {
            const size_t i = r->spin[k] / 3, at = 3 * LANES * (k / LANES) + LANES * a + k % LANES;
            r->s[at] = i < is->n ? w->s[3 * i + a] : 0;
            if (r->B)
                r->B[at] = i == is->n ? 0
                                      : (is->field ? is->field[(is->field_is_uniform ? 0 : 3 * i) + a] : 0) +
                                            (is->moments ? is->moments[i] : 1) * control[a];
        }
}

ph_status ph_midpoint_relax_begin(ph_midpoint *w, double t)
{
    double control[3] = {0, 0, 0};
    const ph_status status = ph_spins_control(w->system, t, control);
    begin_step(w, control);
    memset(w->middle + 3 * w->n, 0, 4 * sizeof *w->middle);
    return status;
}

/* ---- Four spins -------------------------------------------------------------------------------------------------- */

/* Of spins in the first three lanes: by components. */
INLINE void by_components(const vector *v, vector *out)
{
    const vector low = SHUFFLE(v[0], v[1], 0, 4, 2, 6), high = SHUFFLE(v[0], v[1], 1, 5, 3, 7),
                 low_2 = SHUFFLE(v[2], v[3], 0, 4, 2, 6), high_2 = SHUFFLE(v[2], v[3], 1, 5, 3, 7);
    out[0] = SHUFFLE(low, low_2, 0, 1, 4, 5);
    out[1] = SHUFFLE(high, high_2, 0, 1, 4, 5);
    out[2] = SHUFFLE(low, low_2, 2, 3, 6, 7);
}

INLINE vector dot(const vector *a, const vector *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

INLINE void cross(const vector *a, const vector *b, vector *c)
{
    for (size_t k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* sum (3) <- what the neighbours of a four add up to, all with as many. */
INLINE void add_alike(const bool weighted, const double *m, const uint32_t *other, const double *weight,
                      size_t degree, vector *sum)
{
    vector a = {0}, b = {0}, c = {0}, d = {0};
    for (size_t k = 0; k < LANES * degree; k += LANES) {
        const vector r = load(m + other[k]), s = load(m + other[k + 1]), t = load(m + other[k + 2]),
                     u = load(m + other[k + 3]);
        a += weighted ? weight[k] * r : r;
        b += weighted ? weight[k + 1] * s : s;
        c += weighted ? weight[k + 2] * t : t;
        d += weighted ? weight[k + 3] * u : u;
    }
    by_components((const vector[LANES]){a, b, c, d}, sum);
}

/* The same of any four, with loops of the numbers of neighbours that lattices have. */
INLINE void add_up(const ph_midpoint_group *of, const bool weighted, const double *m, size_t four,
                   vector *sum)
{
    const uint32_t *other = of->other + of->begin[four];
    const double *weight = weighted ? of->weight + of->begin[four] : NULL;
    const size_t degree = of->degree[four];
    if (degree == 6) {
        add_alike(weighted, m, other, weight, 6, sum);
    } else if (degree == 4) {
        add_alike(weighted, m, other, weight, 4, sum);
    } else if (degree != DIFFERENT) {
        add_alike(weighted, m, other, weight, degree, sum);
    } else {
        vector all[LANES];
        for (size_t l = 0, at = LANES; l < LANES; l++) {
            vector one = {0};
            for (size_t k = 0; k < other[l]; k++, at++)
                one += weighted ? weight[at] * load(m + other[at]) : load(m + other[at]);
            all[l] = one;
        }
        by_components(all, sum);
    }
}

/* g += the gradient of a group. */
INLINE void add_group(const ph_midpoint_group *of, const double *m, size_t four, vector *g)
{
    const vector axis[3] = {all_lanes(of->axis[0]), all_lanes(of->axis[1]), all_lanes(of->axis[2])};
    vector sum[3], turn[3];
    if (of->weight)
        add_up(of, true, m, four, sum);
    else
        add_up(of, false, m, four, sum);
    for (size_t a = 0; a < 3 && !of->weight; a++)
        sum[a] *= of->c;
    if (of->kind == PH_BOND_EXCHANGE) {
        for (size_t a = 0; a < 3; a++)
            g[a] -= sum[a];
    } else if (of->kind == PH_BOND_AXIAL) {
        const vector along = dot(axis, sum);
        for (size_t a = 0; a < 3; a++)
            g[a] -= along * axis[a];
    } else {
        cross(sum, axis, turn);
        for (size_t a = 0; a < 3; a++)
            g[a] += turn[a];
    }
}

/* g += what depends on the spins themselves, which are `own`; then a. */
INLINE void add_own(const ph_midpoint *w, size_t four, const vector *own, vector *g)
{
    const ph_midpoint_relaxation *r = &w->relaxation;
    const vector scale = (0.5 * w->h) * load(r->inverse + LANES * four);
    for (size_t k = 0; k < w->is->n_anisotropies; k++) {
        const double *by = w->is->anisotropies[k].axis;
        const vector axis[3] = {all_lanes(by[0]), all_lanes(by[1]), all_lanes(by[2])},
                     twice = 2 * load(r->K + LANES * (k * r->fours + four)) * dot(axis, own);
        for (size_t a = 0; a < 3; a++)
            g[a] -= twice * axis[a];
    }
    if (r->lambda) {
        vector turn[3];
        cross(own, g, turn);
        for (size_t a = 0; a < 3; a++)
            g[a] = scale * g[a] - (0.5 * w->h) * load(r->lambda + LANES * four) * turn[a];
    } else {
        for (size_t a = 0; a < 3; a++)
            g[a] *= scale;
    }
}

/* What is known of a four. */
typedef struct four {
    vector s[3], a[3], own[3], A, B, c, cc, by;
} four;

INLINE void look_around(const ph_midpoint *w, const double *m, size_t at, four *f)
{
    const ph_midpoint_relaxation *r = &w->relaxation;
    const uint32_t *spin = r->spin + LANES * at;
    const vector before[LANES] = {load(m + spin[0]), load(m + spin[1]), load(m + spin[2]), load(m + spin[3])};
    vector own[3], s[3], a[3];
    by_components(before, own);
    for (size_t k = 0; k < 3; k++) {
        s[k] = load(r->s + LANES * (3 * at + k));
        a[k] = r->B ? -load(r->B + LANES * (3 * at + k)) : (vector){0};
    }
    for (size_t k = 0; k < w->is->n_bonds; k++)
        add_group(&r->group[k], m, at, a);
    add_own(w, at, own, a);
    f->A = dot(a, a);
    f->B = dot(a, s);
    memcpy(f->own, own, sizeof own);
    memcpy(f->s, s, sizeof s);
    memcpy(f->a, a, sizeof a);
}

INLINE vector roots(vector x)
{
    vector root = x;
    for (size_t l = 0; l < LANES; l++)
        root[l] = sqrt(x[l]);
    return root;
}

INLINE void find_length(four *f)
{
    const vector rest = 0.5 - 0.5 * f->A;
    f->cc = rest + roots(rest * rest + f->B * f->B);
    f->c = roots(f->cc);
    f->by = 1 / (f->c * (f->cc + f->A));
}

/* far: the largest square of a change of m, longest: |y|^2/4, in each lane. */
INLINE void go_there(const four *f, const uint32_t *spin, double *m, vector *far, vector *longest)
{
    vector turn[3], next[3], moved[3];
    cross(f->a, f->s, turn);
    for (size_t k = 0; k < 3; k++) {
        next[k] = f->by * (f->cc * f->s[k] + (f->c * turn[k] + f->B * f->a[k]));
        moved[k] = next[k] - f->own[k];
    }
    *longest = ph_midpoint_larger(1 - f->cc, *longest);
    *far = ph_midpoint_larger(dot(moved, moved), *far);
    const vector pairs[2] = {SHUFFLE(next[0], next[1], 0, 4, 2, 6), SHUFFLE(next[0], next[1], 1, 5, 3, 7)};
    for (size_t l = 0; l < LANES; l++) {
        const size_t at = l / 2 * 2;
        *(loose_pair *)(void *)(m + spin[l]) = (loose_pair){pairs[l % 2][at], pairs[l % 2][at + 1]};
        m[spin[l] + 2] = next[2][l];
    }
}

INLINE void relax_all(const ph_midpoint *w, double *m, double *change, double *longest)
{
    const ph_midpoint_relaxation *r = &w->relaxation;
    vector far = {0}, most = {0};
    for (size_t b = 0; b < r->blocks; b++) {
        const size_t begin = r->block[b], n = r->block[b + 1] - begin;
        four f[BLOCK];
        for (size_t k = 0; k < n; k++)
            look_around(w, m, begin + k, &f[k]);
        for (size_t k = 0; k < n; k++)
            find_length(&f[k]);
        for (size_t k = 0; k < n; k++)
            go_there(&f[k], r->spin + LANES * (begin + k), m, &far, &most);
    }
    *change = *longest = 0;
    for (size_t l = 0; l < LANES; l++) {
        *change = far[l] > *change ? far[l] : *change;
        *longest = most[l] > *longest ? most[l] : *longest;
    }
}

PH_LANES_TWICE(PH_LANES_AVX2, void, relax, (const ph_midpoint *w, double *m, double *change, double *longest),
               relax_all(w, m, change, longest);)

bool ph_midpoint_relax(ph_midpoint *w, double *change, double *size)
{
    double longest;
    (w->wide ? relax_wide : relax_plain)(w, w->middle, change, &longest);
    *change = 2 * sqrt(*change);
    *size = 2 * sqrt(longest);
    return longest < 1;
}
