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

/* g -= w sum over the neighbours of n consecutive spins, each by its coefficient; those of one neighbour are `stride` apart. */
INLINE void add_weighted_run(const double *s, size_t n, const int32_t *distance, const double *c,
                             size_t stride, size_t degree, bool differences, const double *w, bool last,
                             double *g)
{
    const vector first = {w[0], w[1], w[2], w[0]}, second = {w[1], w[2], w[0], w[1]},
                 third = {w[2], w[0], w[1], w[2]}, one = {w[0], w[1], w[2], 0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const size_t f = 3 * i;
        const vector own[3] = {load(s + f), load(s + f + 4), load(s + f + 8)};
        vector sum[3] = {{0}, {0}, {0}};
        for (size_t d = 0; d < degree; d++) {
            const double *r = s + f + 3 * (ptrdiff_t)distance[d];
            const vector four = load(c + d * stride + i),
                         each[3] = {SHUFFLE(four, four, 0, 0, 0, 1), SHUFFLE(four, four, 1, 1, 2, 2),
                                    SHUFFLE(four, four, 2, 3, 3, 3)};
            for (size_t k = 0; k < 3; k++) {
                const vector other = load(r + 4 * k);
                sum[k] += each[k] * (differences ? other - own[k] : other);
            }
        }
        store(g + f, load(g + f) - first * sum[0]);
        store(g + f + 4, load(g + f + 4) - second * sum[1]);
        store(g + f + 8, load(g + f + 8) - third * sum[2]);
    }
    for (; i < n; i++) {
        const double *own = s + 3 * i;
        vector sum = {0};
        for (size_t d = 0; d < degree; d++) {
            const double *r = own + 3 * (ptrdiff_t)distance[d];
            const bool tight = last && i + 1 == n;
            const vector other = tight ? (vector){r[0], r[1], r[2], 0} : load(r),
                         mine = tight ? (vector){own[0], own[1], own[2], 0} : load(own);
            sum += all_lanes(c[d * stride + i]) * (differences ? other - mine : other);
        }
        sum *= one;
        for (size_t k = 0; k < 3; k++)
            g[3 * i + k] -= sum[k];
    }
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
        if (runs->c)
            add_weighted_run(z + 3 * from, to - from, distance, runs->c + r->c + (from - r->begin),
                             r->end - r->begin, r->n, differences, runs->weight, farthest + 1 >= spins,
                             g + 3 * (from - begin));
        else
            add_any_run(z + 3 * from, to - from, distance, r->n, differences, runs->weight,
                        farthest + 1 >= spins, g + 3 * (from - begin));
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

/* For the numbers at v, each one's next in its triple (x: y, y: z, z: x) where the first of four is number
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
INLINE void cross_all(size_t n, const double *restrict g, const double *restrict s, double *restrict T)
{
    size_t i = 1;
    if (n)
        cross_one(g, s, T);
    for (; i + 5 <= n; i += 4) {
        const size_t f = 3 * i;
        store(T + f, cross_lanes(g + f, s + f, 0));
        store(T + f + 4, cross_lanes(g + f + 4, s + f + 4, 1));
        store(T + f + 8, cross_lanes(g + f + 8, s + f + 8, 2));
    }
    for (; i < n; i++)
        cross_one(g + 3 * i, s + 3 * i, T + 3 * i);
}

PH_LANES_TWICE(PH_LANES_AVX, void, cross, (size_t n, const double *g, const double *s, double *T),
               cross_all(n, g, s, T);)

void ph_spin_lanes_cross(bool wide, size_t n, const double *g, const double *s, double *T)
{
    (wide ? cross_wide : cross_plain)(n, g, s, T);
}

/* ---- A matrix ------------------------------------------------------------------------------------------- */

INLINE void map_one(const double *M, const double *s, double *g)
{
    for (size_t k = 0; k < 3; k++) {
        const size_t m = (k + 1) % 3, l = (k + 2) % 3;
        g[k] += (M[3 * k + k] * s[k] + M[3 * k + m] * s[m]) + M[3 * k + l] * s[l];
    }
}

/* The numbers `distance` further in their triple of each row, from row k on. */
INLINE vector of_rows(const double *M, size_t k, size_t distance)
{
    vector v = {0};
    for (size_t l = 0; l < 4; l++)
        v[l] = M[(k + l) % 3 * 3 + (k + l + distance) % 3];
    return v;
}

INLINE void map_lanes(const double *M, const double *s, double *g, const int k)
{
    store(g,
          load(g) + ((of_rows(M, (size_t)k, 0) * load(s) + of_rows(M, (size_t)k, 1) * next_in_triple(s, k)) +
                     of_rows(M, (size_t)k, 2) * previous_in_triple(s, k)));
}

/* The first spin and the last four as of cross_all. */
INLINE void map_all(const double *M, size_t n, const double *s, double *g)
{
    size_t i = 1;
    if (n)
        map_one(M, s, g);
    for (; i + 5 <= n; i += 4) {
        const size_t f = 3 * i;
        map_lanes(M, s + f, g + f, 0);
        map_lanes(M, s + f + 4, g + f + 4, 1);
        map_lanes(M, s + f + 8, g + f + 8, 2);
    }
    for (; i < n; i++)
        map_one(M, s + 3 * i, g + 3 * i);
}

PH_LANES_TWICE(PH_LANES_AVX, void, map, (const double *M, size_t n, const double *s, double *g),
               map_all(M, n, s, g);)

void ph_spin_lanes_map(bool wide, const double *M, size_t n, const double *s, double *g)
{
    (wide ? map_wide : map_plain)(M, n, s, g);
}

/* ---- Vortices ------------------------------------------------------------------------------------------- */

enum { TILE = 256 };

/* So many spins, by components. What the last lanes lack has no strength and is off the sphere, at different
 * points: nothing is divided by 0. */
typedef struct tile {
    size_t n, lanes; /* spins, and up to the end of the last lanes */
    double x[TILE], y[TILE], z[TILE], strength[TILE], gx[TILE], gy[TILE], gz[TILE];
} tile;

static void read_tile(const ph_spins *is, const double *z, size_t begin, size_t end, tile *t)
{
    t->n = end - begin;
    t->lanes = (t->n + LANES - 1) / LANES * LANES;
    for (size_t i = 0; i < t->lanes; i++) {
        const bool there = i < t->n;
        const double *s = z + 3 * (begin + i);
        t->x[i] = there ? s[0] : 4 + (double)(i % LANES);
        t->y[i] = there ? s[1] : 4;
        t->z[i] = there ? s[2] : 4;
        t->strength[i] = there ? ph_spin_strength(is, begin + i) : 0;
        t->gx[i] = t->gy[i] = t->gz[i] = 0;
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

/* A spin of a tile with four others: what it gets of each lane. */
typedef struct row {
    vector x, y, z, strength, gx, gy, gz;
} row;

INLINE row row_of(const tile *t, size_t i, double c)
{
    const vector zero = {0, 0, 0, 0};
    return (row){all_lanes(t->x[i]),
                 all_lanes(t->y[i]),
                 all_lanes(t->z[i]),
                 all_lanes(c * t->strength[i]),
                 zero,
                 zero,
                 zero};
}

/* px, py, pz <- what the row's spin gets: the others get the same, with opposite sign. */
INLINE void pull(row *r, const tile *other, size_t j, const bool cored, vector core, vector *px, vector *py,
                 vector *pz)
{
    const vector dx = load(other->x + j) - r->x, dy = load(other->y + j) - r->y,
                 dz = load(other->z + j) - r->z;
    const vector square = dx * dx + dy * dy + dz * dz,
                 slope = r->strength * load(other->strength + j) / (cored ? square + core : square);
    *px = slope * dx;
    *py = slope * dy;
    *pz = slope * dz;
    r->gx += *px;
    r->gy += *py;
    r->gz += *pz;
}

INLINE void give(tile *other, size_t j, vector px, vector py, vector pz)
{
    store(other->gx + j, load(other->gx + j) - px);
    store(other->gy + j, load(other->gy + j) - py);
    store(other->gz + j, load(other->gz + j) - pz);
}

/* to[0], to[1] += the sums of the lanes of a and b */
INLINE void add_sums_of_lanes(vector a, vector b, double *to)
{
    const vector s = SHUFFLE(a, b, 0, 4, 2, 6) + SHUFFLE(a, b, 1, 5, 3, 7);
    to[0] += s[0] + s[2];
    to[1] += s[1] + s[3];
}

/* Two spins of one tile, i and i + 1, with those of another from j on, at the beginning of lanes. A tile of an
 * odd number has one more, which has no strength. */
INLINE void add_two_rows(double c, const bool cored, vector core, tile *own, size_t i, tile *other, size_t j)
{
    row a = row_of(own, i, c), b = row_of(own, i + 1, c);
    for (; j < other->lanes; j += LANES) {
        vector ax, ay, az, bx, by, bz;
        pull(&a, other, j, cored, core, &ax, &ay, &az);
        pull(&b, other, j, cored, core, &bx, &by, &bz);
        give(other, j, ax + bx, ay + by, az + bz);
    }
    add_sums_of_lanes(a.gx, b.gx, own->gx + i);
    add_sums_of_lanes(a.gy, b.gy, own->gy + i);
    add_sums_of_lanes(a.gz, b.gz, own->gz + i);
}

/* The four spins of one vector with each other: each with the next, and with the one after that, where lanes k
 * and k + 2 find the same numbers with opposite signs, as the product of strengths is formed first. */
#define TURNED_1(v) SHUFFLE(v, v, 1, 2, 3, 0)
#define TURNED_2(v) SHUFFLE(v, v, 2, 3, 0, 1)
#define TURNED_3(v) SHUFFLE(v, v, 3, 0, 1, 2)
INLINE void add_four(double c, const bool cored, vector core, tile *t, size_t j)
{
    const vector x = load(t->x + j), y = load(t->y + j), z = load(t->z + j), g = load(t->strength + j),
                 all = all_lanes(c);
    const vector dx = TURNED_1(x) - x, dy = TURNED_1(y) - y, dz = TURNED_1(z) - z, ex = TURNED_2(x) - x,
                 ey = TURNED_2(y) - y, ez = TURNED_2(z) - z;
    vector near = dx * dx + dy * dy + dz * dz, far = ex * ex + ey * ey + ez * ez;
    if (cored) {
        near += core;
        far += core;
    }
    const vector first = all * (g * TURNED_1(g)) / near, second = all * (g * TURNED_2(g)) / far;
    const vector px = first * dx, py = first * dy, pz = first * dz;
    store(t->gx + j, load(t->gx + j) + (second * ex + (px - TURNED_3(px))));
    store(t->gy + j, load(t->gy + j) + (second * ey + (py - TURNED_3(py))));
    store(t->gz + j, load(t->gz + j) + (second * ez + (pz - TURNED_3(pz))));
}

INLINE void between(double c, const bool cored, double core2, tile *own, tile *other)
{
    for (size_t i = 0; i < own->n; i += 2)
        add_two_rows(c, cored, all_lanes(core2), own, i, other, 0);
}

INLINE void within(double c, const bool cored, double core2, tile *t)
{
    for (size_t j = 0; j < t->lanes; j += LANES)
        add_four(c, cored, all_lanes(core2), t, j);
    for (size_t i = 0; i < t->n; i += 2)
        add_two_rows(c, cored, all_lanes(core2), t, i, t, (i / LANES + 1) * LANES);
}

PH_LANES_TWICE(PH_LANES_AVX, void, between_tiles, (double c, double core2, tile *own, tile *other),
               if (core2 > 0) between(c, true, core2, own, other);
               else between(c, false, core2, own, other);)
PH_LANES_TWICE(PH_LANES_AVX, void, within_tile, (double c, double core2, tile *t),
               if (core2 > 0) within(c, true, core2, t);
               else within(c, false, core2, t);)

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
