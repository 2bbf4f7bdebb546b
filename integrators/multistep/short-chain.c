/* SPDX-License-Identifier: BSD-3-Clause */
/* Multistep methods for one link or two, on a cart or without: shared/short-chain.h with what is known of the
 * increment in place of the latest one, D = d + b + h^2 sigma G + c. The multipliers are guessed by
 * extrapolation. All is carried as increments, h v, h u and h^2 a, so that nothing has to wait for a
 * quotient.
 *
 * Points are in a ring of K + 1, which is there twice, so that u and a of the window are in one piece
 * wherever it begins.
 *
 * Sources: as variational/short-chain.c and multistep.c. */
#if defined(__GNUC__) && !defined(__clang__) /* as in variational/short-chain.c */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "short-chain-step.h"

#include <string.h>

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

static void links_lay(const ph_system *system, ph_lay *l)
{
    (void)system;
    ph_lay_line(l, sizeof(links_scratch));
}

/* ---- The window --------------------------------------------------------------------------------- */

static void links_gather(void *work, double *carried, const ph_multistep_window *window)
{
    const links_scratch *w = work;
    const links_carry *c = (const links_carry *)(const void *)carried;
    const size_t K = w->of->K, nz = w->nz;
    const double over = 1 / c->h;
    for (size_t i = 0; i < w->parts; i++) {
        const size_t at = short_place_of(&w->chain, i), axes = short_axes_of(&w->chain, i);
        ph_multistep_divide(c->h, (const double *)&c->d[i], (const double *)&c->dl[i], axes, window->v + at,
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
INLINE void links_balance(const ph_short_chain *chain, const double *q, const double *by, double *x)
{
    double A = 0, B = 0, C = 0;
    for (size_t i = 0; i < AXES; i++)
        A += q[i] * chain->head_on[i] * q[i];
    if (chain->n == 1) {
        x[0] = by[0] / A;
        return;
    }
    for (size_t i = 0; i < AXES; i++) {
        B += q[i] * q[AXES + i];
        C += q[AXES + i] * q[AXES + i];
    }
    C *= chain->own[0];
    const double D = chain->ratio[0] * B, over = 1 / (A * C - B * D);
    x[0] = (by[0] * C + B * by[1]) * over;
    x[1] = (A * by[1] + D * by[0]) * over;
}

/* The multipliers that make the acceleration at a point, times h^2 sigma, from gravity alone. */
static vector links_multipliers(const links_scratch *w, const links_place *point)
{
    double q[2 * AXES] = {0}, by[MOST_LINKS] = {0}, x[MOST_LINKS] = {0};
    for (size_t k = 0; k < w->chain.n; k++)
        for (size_t i = 0; i < AXES; i++) {
            q[k * AXES + i] = point[k].q[i];
            by[k] += q[k * AXES + i] * (point[k].a[i] - (k ? 0 : w->square * w->chain.gravity[i])) / w->share;
        }
    links_balance(&w->chain, q, by, x);
    return w->chain.n == 1 ? (vector){0} + x[0] : (vector){x[0], x[1], x[0], x[1]};
}

/* q.a = -|v|^2 of each link, at the nearest unit vector but for the square of how far q is from it, with the
 * tangent part of v. */
static void links_acceleration(const void *work, const double *at, const double *v, double *a)
{
    const ph_short_chain *chain = &((const links_scratch *)work)->chain;
    double q[2 * AXES], by[MOST_LINKS], x[MOST_LINKS] = {0};
    at += chain->axes;
    v += chain->axes;
    for (size_t k = 0; k < chain->n; k++, at += AXES, v += AXES) {
        const double over = 1.5 - 0.5 * (at[0] * at[0] + at[1] * at[1] + at[2] * at[2]),
                     along = over * (at[0] * v[0] + at[1] * v[1] + at[2] * v[2]);
        for (size_t i = 0; i < AXES; i++)
            q[k * AXES + i] = over * at[i];
        by[k] = along * along - (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    by[0] -= q[0] * chain->gravity[0] + q[1] * chain->gravity[1] + q[2] * chain->gravity[2];
    links_balance(chain, q, by, x);
    for (size_t i = 0; i < chain->axes; i++)
        a[i] = chain->ride[i] + chain->back[i] * (x[0] * q[i]);
    a += chain->axes;
    for (size_t i = 0; i < AXES; i++)
        a[i] = chain->gravity[i] + x[0] * (chain->head_on[i] * q[i]);
    for (size_t i = 0; i < AXES && chain->n == 2; i++) {
        a[i] -= x[1] * q[AXES + i];
        a[AXES + i] = x[1] * (chain->own[0] * q[AXES + i]) - x[0] * (chain->ratio[0] * q[i]);
    }
}

static void links_scatter(void *work, const ph_multistep_window *window, double *carried)
{
    const links_scratch *w = work;
    links_carry *c = (links_carry *)(void *)carried;
    const size_t K = w->of->K, nz = w->nz, points = K + 1;
    memset(c, 0, sizeof *c + points * w->parts * sizeof *c->ring);
    c->h = w->h;
    for (size_t i = 0; i < w->parts; i++) {
        const size_t at = short_place_of(&w->chain, i), axes = short_axes_of(&w->chain, i);
        ph_multistep_multiply(w->h, window->v + at, window->v_low + at, axes, (double *)&c->d[i],
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
    c->excess = links_excess_at(w->chain.n == 2, c->ring + K * w->parts, (vector){0, 0, 0, 0});
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

static links_stepping *links_choose_step(const ph_short_chain *chain, size_t K)
{
/* clang-format off */
#define ROW(name, copy) {name##_4_##copy, name##_6_##copy, name##_8_##copy}
#define COPIES(copy) {ROW(single, copy), ROW(pair, copy), ROW(riding, copy), ROW(riding_pair, copy)}
    /* clang-format on */
    static links_stepping *const steps[2][KINDS][3] = {COPIES(plain), COPIES(wide)};
    return steps[ph_lanes(PH_KERNEL_AVX)][ph_short_chain_kind(chain)][K / 2 - 2];
}

static void links_predict(const ph_multistep *m, size_t n, links_expectation *e)
{
    double weights[HISTORY];
    ph_multistep_expect(m, n, weights);
    e->latest = (vector){0} + weights[0];
    for (size_t i = 0; i < HISTORY / 2; i++) {
        const double first = weights[2 * i + 1], second = 2 * i + 2 < HISTORY ? weights[2 * i + 2] : 0;
        e->older[i] = (vector){second, second, first, first};
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
    ph_short_chain_set(&w->chain, system);
    w->fallen = w->drop * w->chain.gravity;
    w->falling = w->square * w->chain.gravity;
    w->ridden = w->drop * w->chain.ride;
    w->riding = w->square * w->chain.ride;
    for (size_t n = 1; n <= SMOOTH + m->K - 2; n++)
        links_predict(m, n, &w->expectations[n - 1]);
    for (size_t j = 0; j < m->K / 2; j++) {
        w->d[j] = (vector){0} + m->d[j];
        w->sigma[j] = (vector){0} + m->sigma[j];
    }
    w->step = links_choose_step(&w->chain, m->K);
}

static bool links_step(void *work, double *carried, int *passes)
{
    const links_scratch *w = work;
    return w->step(w, (links_carry *)(void *)carried, passes);
}

const ph_multistep_kernel ph_multistep_short_chain = {.takes = links_takes,
                                                      .carry = links_carry_size,
                                                      .lay = links_lay,
                                                      .init = links_init,
                                                      .acceleration = links_acceleration,
                                                      .step = links_step,
                                                      .gather = links_gather,
                                                      .scatter = links_scatter};
