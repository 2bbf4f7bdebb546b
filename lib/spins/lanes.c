/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of spins in lanes: what neighbours add to runs of spins (runs.c), torques g x s, and vortices of
 * which each acts on each. Each is compiled for any processor and for those with AVX, with the same bits. */
#include "lanes.h"

#include "lib/internal/lanes.h"

#include <string.h>

static const double two_pi = 6.283185307179586477;

/* ---- Neighbours ----------------------------------------------------------------------------------------- */

/* sum over the neighbours r of (r - s), or of r, at the numbers s points to. */
INLINE vector sum_lanes(const double *s, const int32_t *distance, size_t degree, bool differences)
{
    const vector own = load(s);
    vector sum = {0, 0, 0, 0};
    for (size_t d = 0; d < degree; d++) {
        const vector other = load(s + 3 * (ptrdiff_t)distance[d]);
        sum += differences ? other - own : other;
    }
    return sum;
}

INLINE double sum_one(const double *s, const int32_t *distance, size_t degree, bool differences)
{
    double sum = 0;
    for (size_t d = 0; d < degree; d++) {
        const double other = s[3 * (ptrdiff_t)distance[d]];
        sum += differences ? other - *s : other;
    }
    return sum;
}

/* g -= weight sum over the neighbours of n consecutive spins, the first of which is s. Spins one by one are
 * loads of four numbers; last: these would reach beyond all spins at the last one. */
INLINE void add_run(const double *s, size_t n, const int32_t *distance, size_t degree, bool differences,
                    const double *w, bool last, double *g)
{
    const vector first = {w[0], w[1], w[2], w[0]}, second = {w[1], w[2], w[0], w[1]},
                 third = {w[2], w[0], w[1], w[2]}, one = {w[0], w[1], w[2], 0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const size_t f = 3 * i;
        store(g + f, load(g + f) - first * sum_lanes(s + f, distance, degree, differences));
        store(g + f + 4, load(g + f + 4) - second * sum_lanes(s + f + 4, distance, degree, differences));
        store(g + f + 8, load(g + f + 8) - third * sum_lanes(s + f + 8, distance, degree, differences));
    }
    for (; i + last < n; i++)
        store(g + 3 * i, load(g + 3 * i) - one * sum_lanes(s + 3 * i, distance, degree, differences));
    for (; i < n; i++)
        for (size_t k = 0; k < 3; k++)
            g[3 * i + k] -= w[k] * sum_one(s + 3 * i + k, distance, degree, differences);
}

/* With loops over neighbours of the numbers that rings and lattices have. */
INLINE void add_any_run(const double *s, size_t n, const int32_t *distance, size_t degree, bool differences,
                        const double *w, bool last, double *g)
{
    switch (degree) {
    case 2:
        add_run(s, n, distance, 2, differences, w, last, g);
        break;
    case 4:
        add_run(s, n, distance, 4, differences, w, last, g);
        break;
    case 6:
        add_run(s, n, distance, 6, differences, w, last, g);
        break;
    default:
        add_run(s, n, distance, degree, differences, w, last, g);
        break;
    }
}

/* Runs between begin and end, of which the first is *run. */
INLINE void add_runs(const ph_spin_runs *runs, bool differences, size_t spins, const double *z, size_t begin,
                     size_t end, double *g)
{
    size_t low = 0, high = runs->n; /* the first run that ends behind `begin` */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (runs->run[middle].end <= begin)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < runs->n && runs->run[low].begin < end; low++) {
        const ph_spin_run *r = &runs->run[low];
        const size_t from = r->begin > begin ? r->begin : begin, to = r->end < end ? r->end : end;
        const int32_t *distance = runs->distance + r->at;
        const size_t farthest =
            (size_t)((int64_t)(to - 1) + (distance[r->n - 1] > 0 ? distance[r->n - 1] : 0));
        add_any_run(z + 3 * from, to - from, distance, r->n, differences, runs->weight, farthest + 1 >= spins,
                    g + 3 * (from - begin));
    }
}

PH_LANES_TWICE(PH_LANES_AVX, void, add_differences,
               (const ph_spin_runs *runs, size_t spins, const double *z, size_t begin, size_t end, double *g),
               add_runs(runs, true, spins, z, begin, end, g);)
PH_LANES_TWICE(PH_LANES_AVX, void, add_sums,
               (const ph_spin_runs *runs, size_t spins, const double *z, size_t begin, size_t end, double *g),
               add_runs(runs, false, spins, z, begin, end, g);)

void ph_spin_lanes_add_runs(bool wide, const ph_spin_runs *runs, bool differences, size_t spins,
                            const double *z, size_t begin, size_t end, double *g)
{
    if (differences)
        (wide ? add_differences_wide : add_differences_plain)(runs, spins, z, begin, end, g);
    else
        (wide ? add_sums_wide : add_sums_plain)(runs, spins, z, begin, end, g);
}

/* ---- Torques -------------------------------------------------------------------------------------------- */

INLINE void cross_one(const double *g, const double *s, double *T)
{
    const double x = g[1] * s[2] - g[2] * s[1], y = g[2] * s[0] - g[0] * s[2], w = g[0] * s[1] - g[1] * s[0];
    T[0] = x;
    T[1] = y;
    T[2] = w;
}

/* Of the numbers at v, each one's next in its triple (x: y, y: z, z: x) where the first of four is number
 * k of one. */
INLINE vector next_in_triple(const double *v, const int k)
{
    const vector up = load(v + 1), down = load(v - 2);
    return k == 0   ? SHUFFLE(up, down, 0, 1, 6, 3)
           : k == 1 ? SHUFFLE(up, down, 0, 5, 2, 3)
                    : SHUFFLE(up, down, 4, 1, 2, 7);
}

INLINE vector previous_in_triple(const double *v, const int k)
{
    const vector up = load(v + 2), down = load(v - 1);
    return k == 0   ? SHUFFLE(up, down, 0, 5, 6, 3)
           : k == 1 ? SHUFFLE(up, down, 4, 5, 2, 7)
                    : SHUFFLE(up, down, 4, 1, 6, 7);
}

INLINE vector cross_lanes(const double *g, const double *s, const int k)
{
    return next_in_triple(g, k) * previous_in_triple(s, k) - previous_in_triple(g, k) * next_in_triple(s, k);
}

/* g and T do not overlap. The first spin and the last four are done one by one: loads reach beyond their
 * neighbours. */
PH_LANES_TWICE(
    PH_LANES_AVX, void, cross,
    (size_t n, const double *restrict g, const double *restrict s, double *restrict T), size_t i = 1;
    if (n) cross_one(g, s, T); for (; i + 5 <= n; i += 4) {
        const size_t f = 3 * i;
        store(T + f, cross_lanes(g + f, s + f, 0));
        store(T + f + 4, cross_lanes(g + f + 4, s + f + 4, 1));
        store(T + f + 8, cross_lanes(g + f + 8, s + f + 8, 2));
    } for (; i < n; i++) cross_one(g + 3 * i, s + 3 * i, T + 3 * i);)

void ph_spin_lanes_cross(bool wide, size_t n, const double *g, const double *s, double *T)
{
    (wide ? cross_wide : cross_plain)(n, g, s, T);
}

/* ---- Vortices ------------------------------------------------------------------------------------------- */

enum { TILE = 64 };

/* So many spins, by components; what the last lanes lack has no strength and is off the sphere. */
typedef struct tile {
    size_t n; /* spins */
    double x[TILE], y[TILE], z[TILE], strength[TILE], gx[TILE], gy[TILE], gz[TILE];
} tile;

static void read_tile(const ph_spins *is, const double *z, size_t begin, size_t end, tile *t)
{
    memset(t, 0, sizeof *t);
    t->n = end - begin;
    for (size_t i = 0; i < TILE; i++) {
        const bool there = i < t->n;
        const double *s = z + 3 * (begin + i);
        t->x[i] = there ? s[0] : 4;
        t->y[i] = there ? s[1] : 4;
        t->z[i] = there ? s[2] : 4;
        t->strength[i] = there ? ph_spin_strength(is, begin + i) : 0;
    }
}

static void add_tile(const tile *t, double *g)
{
    for (size_t i = 0; i < t->n; i++) {
        g[3 * i] += t->gx[i];
        g[3 * i + 1] += t->gy[i];
        g[3 * i + 2] += t->gz[i];
    }
}

INLINE double sum_of_lanes(vector v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

/* The spin i of one tile with those of another, or the same, from j on (at the beginning of lanes); of the
 * same those behind it. c = coefficient / 2 pi. Both get the same three numbers, of opposite sign. */
INLINE void add_row(double c, double core2, tile *own, size_t i, tile *other, size_t j, bool same)
{
    const vector x = all_lanes(own->x[i]), y = all_lanes(own->y[i]), z = all_lanes(own->z[i]),
                 strength = all_lanes(c * own->strength[i]), core = all_lanes(core2);
    vector gx = {0, 0, 0, 0}, gy = gx, gz = gx;
    const size_t n = other->n;
    for (bool partial = same; j < n; j += LANES, partial = false) {
        const vector dx = load(other->x + j) - x, dy = load(other->y + j) - y, dz = load(other->z + j) - z;
        vector chord = dx * dx + dy * dy + dz * dz + core, gamma = load(other->strength + j);
        if (partial) { /* lanes up to i */
            const double at = (double)i - (double)j;
            const mask out = (vector){0, 1, 2, 3} <= all_lanes(at);
            chord = (vector)(((mask)chord & ~out) | ((mask)all_lanes(1) & out));
            gamma = (vector)((mask)gamma & ~out);
        }
        const vector slope = strength * gamma / chord, px = slope * dx, py = slope * dy, pz = slope * dz;
        gx += px;
        gy += py;
        gz += pz;
        store(other->gx + j, load(other->gx + j) - px);
        store(other->gy + j, load(other->gy + j) - py);
        store(other->gz + j, load(other->gz + j) - pz);
    }
    own->gx[i] += sum_of_lanes(gx);
    own->gy[i] += sum_of_lanes(gy);
    own->gz[i] += sum_of_lanes(gz);
}

PH_LANES_TWICE(PH_LANES_AVX, void, between_tiles, (double c, double core2, tile *own, tile *other),
               for (size_t i = 0; i < own->n; i++) add_row(c, core2, own, i, other, 0, false);)
PH_LANES_TWICE(PH_LANES_AVX, void, within_tile, (double c, double core2, tile *t),
               for (size_t i = 0; i + 1 < t->n; i++)
                   add_row(c, core2, t, i, t, (i + 1) / LANES * LANES, true);)

void ph_spin_lanes_add_vortices(bool wide, const ph_spins *is, double coefficient, double core,
                                const double *z, double *g)
{
    const double c = coefficient / two_pi, core2 = core * core;
    tile own, other;
    for (size_t i = 0; i < is->n; i += TILE) {
        const size_t end = i + TILE < is->n ? i + TILE : is->n;
        read_tile(is, z, i, end, &own);
        (wide ? within_tile_wide : within_tile_plain)(c, core2, &own);
        for (size_t j = end; j < is->n; j += TILE) {
            const size_t to = j + TILE < is->n ? j + TILE : is->n;
            read_tile(is, z, j, to, &other);
            (wide ? between_tiles_wide : between_tiles_plain)(c, core2, &own, &other);
            add_tile(&other, g + 3 * j);
        }
        add_tile(&own, g + 3 * i);
    }
}
