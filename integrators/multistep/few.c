/* SPDX-License-Identifier: BSD-3-Clause */
/* Multistep methods for one link or two, on a cart or without: shared/few.h with what is known of the
 * increment in place of the latest one, D = d + b + h^2 sigma G + c. The multipliers are guessed by
 * extrapolation. All is carried as increments, h v, h u and h^2 a, so that nothing has to wait for a
 * quotient.
 *
 * Points are in a ring of K + 1, which is there twice, so that u and a of the window are in one piece
 * wherever it begins.
 *
 * Sources: as variational/few.c and multistep.c. */
#if defined(__GNUC__) && !defined(__clang__) /* as in variational/few.c */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "integrators/shared/few.h"
#include "multistep.h"

#include <string.h>

enum { MOST_PASSES = 8, SMOOTH = 6, HISTORY = SMOOTH + PH_MULTISTEP_MOST - 2 };

/* Of a number that is whole and small: quicker than of any. */
INLINE size_t whole(double number)
{
    return (size_t)(int)number;
}

/* Of one part, at one point; u and a are increments. In the second half of the ring q and ql mean nothing. */
typedef struct links_place {
    loose q, ql, u, a;
} links_place;

typedef struct links_carry {
    double begin;                   /* of the window in the ring */
    double age;                     /* multipliers that there are */
    double late;                    /* where in x, as it is there for the second time, the latest one is */
    double h;                       /* of its increments */
    double x[2 * (HISTORY + 2)][2]; /* of the points before the latest one: see expect */
    loose y, square;                /* |nu|^2 / 2 of the latest step, and of this one as is expected */
    loose excess;                   /* (|q|^2 - 1) / 2, see variational/few.c */
    loose d[MOST_LINKS + 1], dl[MOST_LINKS + 1]; /* between the two latest points */
    links_place ring[];                          /* points of all parts, one after the other */
} links_carry;

/* Weights of multipliers: of the latest, and of two and two before it, as they lie there. */
typedef struct links_expectation {
    vector older[HISTORY / 2], latest;
} links_expectation;

typedef struct links_scratch {
    ph_few few;
    const ph_multistep *of;
    size_t parts, nz;
    bool (*step)(const struct links_scratch *w, links_carry *c, int *passes);
    double h, square, drop, share; /* h^2; h^2 sigma and 1 / sigma of the latest acceleration */
    vector fallen, falling;        /* h^2 sigma and h^2 times gravity of the first link; ... */
    vector ridden, riding;         /* ... and of the cart */
    vector d[PH_MULTISTEP_MOST / 2], sigma[PH_MULTISTEP_MOST / 2];
    links_expectation expectations[HISTORY]; /* by how many multipliers there are */
} links_scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static bool links_takes(const ph_system *system)
{
    size_t links;
    return ph_is_row_of_links(system, &links) && links <= MOST_LINKS;
}

static size_t links_carry_size(const ph_system *system, const ph_multistep *m)
{
    const size_t parts = ph_space_factors(ph_system_space(system));
    return (sizeof(links_carry) + 2 * (m->K + 1) * parts * sizeof(links_place)) / sizeof(double);
}

/* ---- A step from a guess ------------------------------------------------------------------------- */

/* What the points before the latest one say of its u, sum sigma a - sum d u; of this part. That of the last
 * of them, which the step before has just found, is apart: it has to wait for nothing else. */
INLINE vector links_bracket(const links_scratch *w, size_t K, size_t parts, const links_place *latest,
                            vector *found)
{
    const size_t half = K / 2;
    const links_place *middle = latest - (half - 1) * parts, *first = latest - (K - 2) * parts,
                      *before = latest - parts;
    vector pushed = w->sigma[0] * first->a, turned = first->u;
    if (K > 4) {
        const links_place *other = first + parts; /* of the same weight as the last */
        pushed += w->sigma[1] * other->a + w->sigma[half - 1] * middle->a;
        turned += w->d[1] * other->u + w->d[half - 1] * middle->u;
    }
    for (size_t j = 2; j < half - 1; j++) {
        const links_place *late = latest - j * parts, *early = latest - (K - 2 - j) * parts;
        pushed += w->sigma[j] * (early->a + late->a);
        turned += w->d[j] * (early->u + late->u);
    }
    *found = w->sigma[1] * before->a - w->d[1] * before->u;
    return pushed - turned;
}

/* Where a part comes to. */
typedef struct links_arrival {
    vector q, ql, u, a, d, dl;
} links_arrival;

/* b: of the bracket; d, dl: the increment that led to `from`; what gravity does, if it does: `fallen` to the
 * change, `falling` in all. What waits for c comes last. */
INLINE links_arrival links_leave(const links_scratch *w, const links_place *from, vector b, vector d,
                                 vector dl, vector c, const vector *fallen, const vector *falling)
{
    links_arrival to;
    const vector without = fallen ? b + *fallen : b;
    to.u = without + c;
    to.a = falling ? *falling + w->share * c : w->share * c;
    two_sum(d, (without + dl) + c, &to.d, &to.dl);
    two_sum(from->q, to.d + from->ql, &to.q, &to.ql);
    return to;
}

/* begin: of the window, where the place of its first point becomes that of the next one. */
INLINE void links_arrive(links_carry *c, size_t K, size_t parts, size_t part, size_t begin,
                         const links_arrival *to)
{
    const size_t before = begin ? begin - 1 : K;
    links_place *latest = c->ring + before * parts + part, *again = latest + (K + 1) * parts,
                *next = c->ring + begin * parts + part;
    latest->u = again->u = to->u;
    latest->a = again->a = to->a;
    next->q = to->q;
    next->ql = to->ql;
    c->d[part] = to->d;
    c->dl[part] = to->dl;
}

/* Multipliers are in a ring of one more than are needed, which is there twice; each is written with its copy,
 * lanes 2 and 3, which is where the next one will be. The next multiplier, as all before the latest one are
 * expected to lead to it. */
INLINE vector links_expect(const links_expectation *e, size_t history, const double (*latest)[2])
{
    const double *x = *latest;
    vector all = e->older[history / 2 - 1] * load(x - 2 * history);
    for (size_t i = history / 2 - 1; i-- > 0;)
        all += e->older[i] * load(x - 4 * (i + 1));
    return (all + SWAP_HALVES(all)) + e->latest * load(x);
}

INLINE void links_retain(links_carry *c, size_t history, vector x)
{
    const size_t ring = history + 1, next = whole(c->late) + 1, late = next == 2 * ring ? ring : next;
    store(c->x[late - ring], x);
    store(c->x[late], x);
    c->late = (double)(int)late;
    c->age += c->age < (double)history;
}

/* (|q|^2 - 1) / 2 of the latest point less the one that was used to find it: what rounding has left. */
INLINE vector links_excess_at(bool two, const links_place *latest, vector used)
{
    const few_motion one = {.q = latest->q, .ql = latest->ql};
    if (!two)
        return 0.5 * excess_of_links(false, &one, NULL) - used;
    const few_motion other = {.q = latest[1].q, .ql = latest[1].ql};
    return 0.5 * excess_of_links(true, &one, &other) - used;
}

/* free, other: the increments of the first link and the second without the multipliers. */
INLINE few_pass links_iterate(int kind, const links_scratch *w, const links_place *latest, vector free,
                              vector other, vector excess, vector x, vector square)
{
    if (kind == SINGLE || kind == RIDING)
        return pass_riding(&w->few, latest->q, free, excess, x, square);
    return pass_pair(kind == RIDING_PAIR, &w->few, latest->q, latest[1].q, free, other, excess, x, square);
}

/* False, and nothing is changed, where the guess is no good. */
INLINE bool links_advance(int kind, size_t K, const links_scratch *w, links_carry *c, int *passes)
{
    const vector none = {0, 0, 0, 0};
    const bool two = kind == PAIR || kind == RIDING_PAIR, cart = kind == RIDING || kind == RIDING_PAIR;
    const size_t parts = kind == SINGLE ? 1 : kind == RIDING_PAIR ? 3 : 2, last = parts - 1;
    const size_t begin = whole(c->begin), history = SMOOTH + K - 2;
    const links_place *latest = c->ring + (begin + K) * parts,
                      *here = c->ring + (begin ? begin - 1 : K) * parts;
    vector b[MOST_LINKS + 1], known[MOST_LINKS + 1];
    for (size_t i = 0; i < parts; i++) {
        vector found, earlier = links_bracket(w, K, parts, latest + i, &found);
        known[i] = (c->d[i] + (earlier + c->dl[i])) + found;
        b[i] = earlier + found;
    }
    vector x = links_expect(w->expectations + (whole(c->age) - 1), history, c->x + whole(c->late));
    const vector free = known[0] + w->fallen, excess = c->excess;
    few_pass p = links_iterate(kind, w, here, free, known[1], excess, x, c->square);
    const vector y = p.y;
    for (*passes = 1; p.sound && !p.settled && *passes < MOST_PASSES; ++*passes) {
        x += p.by;
        p = links_iterate(kind, w, here, free, known[1], excess, x, none);
    }
    if (!p.sound || !p.settled)
        return false;
    c->excess = links_excess_at(two, here, excess);
    links_arrival to[MOST_LINKS + 1];
    to[0] = links_leave(w, here, b[0], c->d[0], c->dl[0], p.c1 + p.nu1, &w->fallen, &w->falling);
    if (two)
        to[1] = links_leave(w, here + 1, b[1], c->d[1], c->dl[1], p.c2 + p.nu2, NULL, NULL);
    if (cart)
        to[last] = links_leave(w, here + last, b[last], c->d[last], c->dl[last], w->few.back * p.pull,
                               &w->ridden, &w->riding);
    for (size_t i = 0; i < parts; i++)
        links_arrive(c, K, parts, i, begin, &to[i]);
    c->begin = begin == K ? 0 : c->begin + 1;
    links_retain(c, history, x + p.by);
    c->square = y + (y - c->y);
    c->y = y;
    return true;
}

/* ---- The window --------------------------------------------------------------------------------- */

/* Increments d + dl and velocities v + vl, both with their low-order parts: nothing is lost on the way there
 * and back. */
PH_WITH_FMA static void links_divide(double h, const double *d, const double *dl, size_t n, double *v,
                                     double *vl)
{
    for (size_t a = 0; a < n; a++) {
        v[a] = d[a] / h;
        vl[a] = (fma(-h, v[a], d[a]) + dl[a]) / h;
    }
}

PH_WITH_FMA static void links_multiply(double h, const double *v, const double *vl, size_t n, double *d,
                                       double *dl)
{
    for (size_t a = 0; a < n; a++) {
        d[a] = h * v[a];
        dl[a] = fma(h, v[a], -d[a]) + h * vl[a];
    }
}

static void links_gather(const void *work, const double *carried, const ph_multistep_window *window)
{
    const links_scratch *w = work;
    const links_carry *c = (const links_carry *)(const void *)carried;
    const size_t K = w->of->K, nz = w->nz;
    const double over = 1 / c->h;
    for (size_t i = 0; i < w->parts; i++) {
        const size_t at = few_place_of(&w->few, i), axes = few_axes_of(&w->few, i);
        links_divide(c->h, (const double *)&c->d[i], (const double *)&c->dl[i], axes, window->v + at,
                     window->v_low + at);
        for (size_t j = 0; j <= K; j++) {
            const links_place *point = c->ring + (whole(c->begin) + j) % (K + 1) * w->parts + i;
            for (size_t a = 0; a < axes; a++) {
                window->q[j * nz + at + a] = point->q[a];
                window->low[j * nz + at + a] = point->ql[a];
                if (j == 0 || j == K)
                    continue;
                window->u[(j - 1) * nz + at + a] = over * point->u[a];
                window->a[(j - 1) * nz + at + a] = over * over * point->a[a];
            }
        }
    }
}

/* The multipliers x = {x1, x2} of pulls that change q.a of the links by these, which act by
 * c1 = x1 head - x2 q2, c2 = x2 own q2 - x1 near; q: of the first link, behind it that of the second. */
INLINE void links_balance(const ph_few *few, const double *q, const double *by, double *x)
{
    double A = 0, B = 0, C = 0;
    for (size_t i = 0; i < AXES; i++)
        A += q[i] * few->head_on[i] * q[i];
    if (few->n == 1) {
        x[0] = by[0] / A;
        return;
    }
    for (size_t i = 0; i < AXES; i++) {
        B += q[i] * q[AXES + i];
        C += q[AXES + i] * q[AXES + i];
    }
    C *= few->own[0];
    const double D = few->ratio[0] * B, over = 1 / (A * C - B * D);
    x[0] = (by[0] * C + B * by[1]) * over;
    x[1] = (A * by[1] + D * by[0]) * over;
}

/* Those that make the acceleration at a point, times h^2 sigma, of what it is without. */
static vector links_multipliers(const links_scratch *w, const links_place *point)
{
    double q[2 * AXES] = {0}, by[MOST_LINKS] = {0}, x[MOST_LINKS] = {0};
    for (size_t k = 0; k < w->few.n; k++)
        for (size_t i = 0; i < AXES; i++) {
            q[k * AXES + i] = point[k].q[i];
            by[k] += q[k * AXES + i] * (point[k].a[i] - (k ? 0 : w->square * w->few.gravity[i])) / w->share;
        }
    links_balance(&w->few, q, by, x);
    return w->few.n == 1 ? (vector){0} + x[0] : (vector){x[0], x[1], x[0], x[1]};
}

/* q.a = -|v|^2 of each link, at the nearest unit vector but for the square of how far q is from it, with the
 * tangent part of v. */
static void links_acceleration(const void *work, const double *at, const double *v, double *a)
{
    const ph_few *few = &((const links_scratch *)work)->few;
    double q[2 * AXES], by[MOST_LINKS], x[MOST_LINKS] = {0};
    at += few->axes;
    v += few->axes;
    for (size_t k = 0; k < few->n; k++, at += AXES, v += AXES) {
        const double over = 1.5 - 0.5 * (at[0] * at[0] + at[1] * at[1] + at[2] * at[2]),
                     along = over * (at[0] * v[0] + at[1] * v[1] + at[2] * v[2]);
        for (size_t i = 0; i < AXES; i++)
            q[k * AXES + i] = over * at[i];
        by[k] = along * along - (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    by[0] -= q[0] * few->gravity[0] + q[1] * few->gravity[1] + q[2] * few->gravity[2];
    links_balance(few, q, by, x);
    for (size_t i = 0; i < few->axes; i++)
        a[i] = few->ride[i] + few->back[i] * (x[0] * q[i]);
    a += few->axes;
    for (size_t i = 0; i < AXES; i++)
        a[i] = few->gravity[i] + x[0] * (few->head_on[i] * q[i]);
    for (size_t i = 0; i < AXES && few->n == 2; i++) {
        a[i] -= x[1] * q[AXES + i];
        a[AXES + i] = x[1] * (few->own[0] * q[AXES + i]) - x[0] * (few->ratio[0] * q[i]);
    }
}

static void links_scatter(const void *work, const ph_multistep_window *window, double *carried)
{
    const links_scratch *w = work;
    links_carry *c = (links_carry *)(void *)carried;
    const size_t K = w->of->K, nz = w->nz, points = K + 1;
    memset(c, 0, sizeof *c + points * w->parts * sizeof *c->ring);
    c->h = w->h;
    for (size_t i = 0; i < w->parts; i++) {
        const size_t at = few_place_of(&w->few, i), axes = few_axes_of(&w->few, i);
        links_multiply(w->h, window->v + at, window->v_low + at, axes, (double *)&c->d[i],
                       (double *)&c->dl[i]);
        for (size_t j = 0; j < points; j++) {
            links_place *point = c->ring + j * w->parts + i;
            for (size_t a = 0; a < axes; a++) { /* one by one, as they come: late in a vector */
                point->q[a] = window->q[j * nz + at + a];
                point->ql[a] = window->low[j * nz + at + a];
                if (j == 0 || j == K)
                    continue;
                point->u[a] = w->h * window->u[(j - 1) * nz + at + a];
                point->a[a] = w->square * window->a[(j - 1) * nz + at + a];
            }
        }
    }
    memcpy(c->ring + points * w->parts, c->ring, points * w->parts * sizeof *c->ring);
    c->late = (double)(SMOOTH + K - 1);
    for (; c->age < (double)(K - 1); c->age++) {
        const vector x = links_multipliers(w, c->ring + (K - 1 - whole(c->age)) * w->parts);
        memcpy(c->x[whole(c->late - c->age)], &x, sizeof *c->x);
        if (c->age == 0)
            store(c->x[whole(c->late)], x);
    }
    c->excess = links_excess_at(w->few.n == 2, c->ring + K * w->parts, (vector){0, 0, 0, 0});
}

/* ---- The kernels: for each kind of system, number of steps and processor one ------------------------- */

#define STEP(name, kind, K)                                                                                  \
    PH_LANES_TWICE(PH_LANES_AVX, bool, name##_##K, (const links_scratch *w, links_carry *c, int *passes),    \
                   return links_advance(kind, K, w, c, passes);)
#define STEPS(name, kind)                                                                                    \
    STEP(name, kind, 4)                                                                                      \
    STEP(name, kind, 6)                                                                                      \
    STEP(name, kind, 8)
STEPS(single, SINGLE)
STEPS(pair, PAIR)
STEPS(riding, RIDING)
STEPS(riding_pair, RIDING_PAIR)

typedef bool links_stepping(const links_scratch *w, links_carry *c, int *passes);

static links_stepping *links_choose_step(const ph_few *few, size_t K)
{
/* clang-format off */
#define ROW(name, copy) {name##_4_##copy, name##_6_##copy, name##_8_##copy}
#define COPIES(copy) {ROW(single, copy), ROW(pair, copy), ROW(riding, copy), ROW(riding_pair, copy)}
    /* clang-format on */
    static links_stepping *const steps[2][KINDS][3] = {COPIES(plain), COPIES(wide)};
    return steps[ph_lanes(PH_KERNEL_AVX)][ph_few_kind(few)][K / 2 - 2];
}

/* The next multiplier by the latest n: by a polynomial, or where there are enough by the sum of one and of
 * modes of sigma, which are what they have beside the motion in steps that are not short. */
static void links_predict(const ph_multistep *m, size_t n, links_expectation *e)
{
    const size_t modes = m->K - 2;
    const bool all = n == SMOOTH + modes;
    double product[HISTORY + 1] = {1};
    for (size_t i = 0; i < (all || n < SMOOTH ? n : SMOOTH) - (all ? modes : 0); i++)
        for (size_t k = HISTORY; k > 0; k--)
            product[k] -= product[k - 1];
    for (size_t k = HISTORY + 1; k-- > 0 && all;)
        for (size_t j = 1; j <= modes && j <= k; j++)
            product[k] += ph_multistep_sigma(m, j + 1) / ph_multistep_sigma(m, 1) * product[k - j];
    e->latest = (vector){0} - product[1];
    for (size_t i = 0; i < HISTORY / 2; i++) {
        const double first = product[2 * i + 2], second = 2 * i + 3 <= HISTORY ? product[2 * i + 3] : 0;
        e->older[i] = (vector){-second, -second, -first, -first};
    }
}

static void links_init(void *work, const ph_system *system, const ph_multistep *m, double h)
{
    links_scratch *w = work;
    w->of = m;
    w->h = h;
    w->square = h * h;
    w->drop = w->square * ph_multistep_sigma(m, 1);
    w->share = 1 / ph_multistep_sigma(m, 1);
    w->parts = ph_space_factors(ph_system_space(system));
    w->nz = ph_space_ambient(ph_system_space(system));
    ph_few_set(&w->few, system);
    w->fallen = w->drop * w->few.gravity;
    w->falling = w->square * w->few.gravity;
    w->ridden = w->drop * w->few.ride;
    w->riding = w->square * w->few.ride;
    for (size_t n = 1; n <= SMOOTH + m->K - 2; n++)
        links_predict(m, n, &w->expectations[n - 1]);
    for (size_t j = 0; j < m->K / 2; j++) {
        w->d[j] = (vector){0} + m->d[j];
        w->sigma[j] = (vector){0} + m->sigma[j];
    }
    w->step = links_choose_step(&w->few, m->K);
}

static bool links_step(const void *work, double *carried, int *passes)
{
    const links_scratch *w = work;
    return w->step(w, (links_carry *)(void *)carried, passes);
}

const ph_multistep_kernel ph_multistep_few = {.takes = links_takes,
                                              .carry = links_carry_size,
                                              .size = sizeof(links_scratch),
                                              .init = links_init,
                                              .acceleration = links_acceleration,
                                              .step = links_step,
                                              .gather = links_gather,
                                              .scatter = links_scatter};
