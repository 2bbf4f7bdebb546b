/* SPDX-License-Identifier: BSD-3-Clause */
/* Relaxation of the midpoint equations on the spheres, spin after spin (Gauss and Seidel): with the half-way points m of its
 * neighbours as they are, m_i <- that of the step in the field which these give. With a = (h/2) (g/Gamma - lambda m x g),
 *     s = c m - a x m,   c^2 = 1 - |a x m|^2   (c: the cosine of half the angle from s to s+), so that
 *     m = (c^2 s + c a x s + (a.s) a) / (c (c^2 + a.a)),   c^2 = (1 - a.a)/2 + sqrt((1 - a.a)^2/4 + (a.s)^2).
 * Only what spins have of each other is left to be iterated. Where bonds are between two halves of the spins, as on most lattices,
 * one half after the other contracts by the square of what all at once do (Young). Nothing but m is written. The increments of the
 * step are then those of all spins at the same m: in a pair they are opposite, whatever is left of the guess.
 *
 * Spins are in slots (slots.c), half after half, with the components of m apart: neighbours are loads in a row. It is for energies
 * that are declared by parts without vortices and functions. */
#include "relax.h"

#include <math.h>
#include <string.h>

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

/* v <- four spins of `from`, which has `end` numbers. They ascend. */
INLINE void read_spins(const double *from, size_t end, double none, const uint32_t *spin, vector *v)
{
    vector each[LANES];
    for (size_t l = 0; l < LANES; l++)
        each[l] = spin[LANES - 1] + LANES <= end ? load(from + spin[l])
                  : spin[l] < end ? (vector){from[spin[l]], from[spin[l] + 1], from[spin[l] + 2], 0}
                                  : (vector){none, 0, 0, 0};
    by_components(each, v);
}

INLINE void write_spins(const vector *v, size_t end, const uint32_t *spin, double *to)
{
    const vector pairs[2] = {SHUFFLE(v[0], v[1], 0, 4, 2, 6), SHUFFLE(v[0], v[1], 1, 5, 3, 7)};
    for (size_t l = 0; l < LANES && spin[l] < end; l++) {
        const size_t at = l / 2 * 2;
        *(loose_pair *)(void *)(to + spin[l]) = (loose_pair){pairs[l % 2][at], pairs[l % 2][at + 1]};
        to[spin[l] + 2] = v[2][l];
    }
}

INLINE void read_three(const double *from, size_t stride, vector *v)
{
    for (size_t a = 0; a < 3; a++)
        v[a] = load(from + a * stride);
}

INLINE void write_three(const vector *v, double *to, size_t stride)
{
    for (size_t a = 0; a < 3; a++)
        store(to + a * stride, v[a]);
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

INLINE vector roots(vector x)
{
    vector root = x;
    for (size_t l = 0; l < LANES; l++)
        root[l] = sqrt(x[l]);
    return root;
}

INLINE double largest_lane(vector v)
{
    double largest = 0;
    for (size_t l = 0; l < LANES; l++)
        largest = v[l] > largest ? v[l] : largest;
    return largest;
}

/* ---- The start and the end --------------------------------------------------------------------------------------- */

/* s, m <- where the step begins, and the normalised midpoints of it and s + y. Returns the largest |y|^2/4. */
INLINE double start_all(const ph_midpoint *w)
{
    const ph_midpoint_relaxation *r = &w->relaxation;
    const size_t end = 3 * w->n;
    vector longest = {0};
    for (size_t k = 0; k < LANES * r->fours; k += LANES) {
        vector s[3], d[3], low[3];
        read_spins(w->s, end, 1, r->spin + k, s);
        read_spins(w->y, end, 0, r->spin + k, d);
        read_spins(w->low, end, 0, r->spin + k, low);
        const vector quarter = 0.25 * dot(d, d), unit = 1 / roots(1 - quarter);
        longest = ph_midpoint_larger(quarter, longest);
        write_three(s, r->s + k, r->stride);
        for (size_t a = 0; a < 3; a++)
            store(r->m + a * r->stride + k, unit * (s[a] + (0.5 * d[a] + low[a])));
    }
    return largest_lane(longest);
}

/* middle <- m, in the order of the system. */
INLINE void finish_all(const ph_midpoint *w)
{
    const ph_midpoint_relaxation *r = &w->relaxation;
    for (size_t k = 0; k < LANES * r->fours; k += LANES) {
        vector m[3];
        read_three(r->m + k, r->stride, m);
        write_spins(m, 3 * w->n, r->spin + k, w->middle);
    }
}

PH_LANES_TWICE(PH_LANES_AVX2, double, start, (const ph_midpoint *w), return start_all(w);)
PH_LANES_TWICE(PH_LANES_AVX2, void, finish, (const ph_midpoint *w), finish_all(w);)

ph_status ph_midpoint_relax_begin(ph_midpoint *w, double t, bool *possible)
{
    double control[3] = {0, 0, 0};
    const ph_status status = ph_spins_control(w->system, t, control);
    if (w->is->control)
        ph_midpoint_relax_field(&w->relaxation, w->is, control);
    *possible = (w->wide ? start_wide : start_plain)(w) < 1;
    return status;
}

void ph_midpoint_relax_end(ph_midpoint *w)
{
    (w->wide ? finish_wide : finish_plain)(w);
}

/* ---- A pass ------------------------------------------------------------------------------------------------------ */

/* sum (3) <- what the neighbours of a four add up to, all with as many. */
INLINE void add_alike(const bool weighted, const double *m, size_t stride, const uint32_t *word,
                      const double *weight, size_t degree, vector *sum)
{
    const double *mx = m, *my = m + stride, *mz = m + 2 * stride;
    vector x = {0}, y = {0}, z = {0};
    for (size_t k = 0; k < degree; k++) {
        const size_t at = *word++;
        const vector c = weighted ? load(weight + LANES * k) : (vector){0};
        vector u, v, w;
        if (at != BROKEN) {
            u = load(mx + at);
            v = load(my + at);
            w = load(mz + at);
        } else {
            u = (vector){mx[word[0]], mx[word[1]], mx[word[2]], mx[word[3]]};
            v = (vector){my[word[0]], my[word[1]], my[word[2]], my[word[3]]};
            w = (vector){mz[word[0]], mz[word[1]], mz[word[2]], mz[word[3]]};
            word += LANES;
        }
        x += weighted ? c * u : u;
        y += weighted ? c * v : v;
        z += weighted ? c * w : w;
    }
    sum[0] = x;
    sum[1] = y;
    sum[2] = z;
}

/* The same of any four, with loops of the numbers of neighbours that lattices have. */
INLINE void add_up(const ph_midpoint_group *of, const bool weighted, const double *m, size_t stride,
                   size_t four, vector *sum)
{
    const uint32_t *word = of->word + of->begin[four];
    const double *weight = weighted ? of->weight + of->weight_at[four] : NULL;
    const size_t degree = of->degree[four];
    if (degree == 6) {
        add_alike(weighted, m, stride, word, weight, 6, sum);
    } else if (degree == 4) {
        add_alike(weighted, m, stride, word, weight, 4, sum);
    } else if (degree != DIFFERENT) {
        add_alike(weighted, m, stride, word, weight, degree, sum);
    } else {
        vector each[LANES];
        for (size_t l = 0, at = 0; l < LANES; l++) {
            double one[3] = {0, 0, 0};
            for (size_t k = 0; k < word[l]; k++, at++)
                for (size_t a = 0; a < 3; a++) {
                    const double now = m[a * stride + word[LANES + at]];
                    one[a] += weighted ? weight[at] * now : now;
                }
            each[l] = (vector){one[0], one[1], one[2], 0};
        }
        by_components(each, sum);
    }
}

/* g += the gradient of a group. */
INLINE void add_group(const ph_midpoint_group *of, const double *m, size_t stride, size_t four, vector *g)
{
    const vector axis[3] = {all_lanes(of->axis[0]), all_lanes(of->axis[1]), all_lanes(of->axis[2])};
    vector sum[3], turn[3];
    if (of->weight)
        add_up(of, true, m, stride, four, sum);
    else
        add_up(of, false, m, stride, four, sum);
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
INLINE void add_own(const ph_midpoint *w, size_t k, const vector *own, vector *g)
{
    const ph_midpoint_relaxation *r = &w->relaxation;
    const vector scale = r->inverse ? (0.5 * w->h) * load(r->inverse + k) : all_lanes(0.5 * w->h);
    for (size_t i = 0; i < w->is->n_anisotropies; i++) {
        const double *by = w->is->anisotropies[i].axis;
        const vector axis[3] = {all_lanes(by[0]), all_lanes(by[1]), all_lanes(by[2])},
                     twice = 2 * load(r->K + i * r->stride + k) * dot(axis, own);
        for (size_t a = 0; a < 3; a++)
            g[a] -= twice * axis[a];
    }
    if (r->lambda) {
        vector turn[3];
        cross(own, g, turn);
        for (size_t a = 0; a < 3; a++)
            g[a] = scale * g[a] - (0.5 * w->h) * load(r->lambda + k) * turn[a];
    } else {
        for (size_t a = 0; a < 3; a++)
            g[a] *= scale;
    }
}

/* m has moved so far, |y|, that c is found by roots. */
static const double far = 1. / 64;

/* What is known of a four. */
typedef struct four {
    vector a[3], A, B, c, by_s, by_turn, by_a;
} four;

/* simple: exchange of one strength is all. */
INLINE void look_around(const ph_midpoint *w, const bool simple, const double *m, size_t at, four *f)
{
    const ph_midpoint_relaxation *r = &w->relaxation;
    const size_t stride = r->stride;
    vector own[3], s[3], a[3];
    read_three(m + LANES * at, stride, own);
    read_three(r->s + LANES * at, stride, s);
    if (simple) {
        vector sum[3];
        add_up(r->group, false, m, stride, at, sum);
        for (size_t k = 0; k < 3; k++)
            a[k] = (-0.5 * w->h * r->group->c) * sum[k];
    } else {
        for (size_t k = 0; k < 3; k++)
            a[k] = r->B ? -load(r->B + k * stride + LANES * at) : (vector){0};
        for (size_t k = 0; k < w->is->n_bonds; k++)
            add_group(&r->group[k], m, stride, at, a);
        add_own(w, LANES * at, own, a);
    }
    f->A = dot(a, a);
    f->B = dot(a, s);
    f->c = dot(own, s);
    memcpy(f->a, a, sizeof a);
}

/* c and what m is made of. exact: by roots. Else, by one quotient, from a step of Newton's from the c that m had, for c^4 - (1 - A)
 * c^2 = B^2: c = P / Q, whose error is the square of what m has moved. */
INLINE void find_length(four *f, const bool exact)
{
    if (exact) {
        const vector rest = 0.5 - 0.5 * f->A, cc = rest + roots(rest * rest + f->B * f->B);
        f->c = roots(cc);
        const vector by = 1 / (f->c * (cc + f->A));
        f->by_s = by * cc;
        f->by_turn = by * f->c;
        f->by_a = by * f->B;
        return;
    }
    const vector c2 = f->c * f->c, u = 1 - f->A, P = c2 * (3 * c2 - u) + f->B * f->B,
                 Q = f->c * (4 * c2 - 2 * u), P2 = P * P, Q2 = Q * Q, by = Q / (P * (P2 + f->A * Q2));
    f->by_s = by * P2;
    f->by_turn = by * (P * Q);
    f->by_a = by * (Q2 * f->B);
}

/* farthest: the largest square of a change of m, longest: |y|^2/4, in each lane. */
INLINE void go_there(const ph_midpoint_relaxation *r, const four *f, double *m, size_t at, vector *farthest,
                     vector *longest)
{
    vector s[3], own[3], turn[3], next[3], moved[3];
    read_three(r->s + LANES * at, r->stride, s);
    read_three(m + LANES * at, r->stride, own);
    cross(f->a, s, turn);
    for (size_t k = 0; k < 3; k++) {
        next[k] = f->by_s * s[k] + (f->by_turn * turn[k] + f->by_a * f->a[k]);
        moved[k] = next[k] - own[k];
    }
    *longest = ph_midpoint_larger(1 - f->c * absolute(f->c), *longest);
    *farthest = ph_midpoint_larger(dot(moved, moved), *farthest);
    write_three(next, m + LANES * at, r->stride);
}

INLINE void relax_all(const ph_midpoint *w, const bool simple, const bool exact, double *change,
                      double *longest)
{
    const ph_midpoint_relaxation *r = &w->relaxation;
    double *m = r->m;
    vector farthest = {0}, most = {0};
    for (size_t half = 0; half < 2; half++)
        for (size_t begin = r->half[half]; begin < r->half[half + 1]; begin += BLOCK) {
            const size_t left = r->half[half + 1] - begin, n = left < BLOCK ? left : BLOCK;
            four f[BLOCK];
            for (size_t k = 0; k < n; k++)
                look_around(w, simple, m, begin + k, &f[k]);
            for (size_t k = 0; k < n; k++)
                find_length(&f[k], exact);
            for (size_t k = 0; k < n; k++)
                go_there(r, &f[k], m, begin + k, &farthest, &most);
        }
    *change = largest_lane(farthest);
    *longest = largest_lane(most);
}

PH_LANES_TWICE(PH_LANES_AVX2, void, relax,
               (const ph_midpoint *w, const bool exact, double *change, double *longest),
               if (w->relaxation.is_simple) relax_all(w, true, exact, change, longest);
               else relax_all(w, false, exact, change, longest);)

bool ph_midpoint_relax(ph_midpoint *w, double *change, double *size)
{
    double longest;
    (w->wide ? relax_wide : relax_plain)(w, *change > far, change, &longest);
    *change = 2 * sqrt(*change);
    *size = 2 * sqrt(longest);
    return longest < 1;
}
