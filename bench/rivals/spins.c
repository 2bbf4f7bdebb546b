/* SPDX-License-Identifier: BSD-3-Clause */
/* The rival `midpoint-by-hand`: the spherical midpoint that one writes for Heisenberg's magnet on a periodic cube: structure of arrays
 * with the neighbours of a row around it, the increment of the last step as the guess, and the fixed point of all spins until it
 * moves no more. Nothing is compensated. */
#include "wide.h"

#include "rivals.h"

#include <math.h>
#include <string.h>

enum { MOST = 100, FOUR = 4 };
typedef double four __attribute__((vector_size(8 * FOUR), aligned(8), may_alias));
typedef int64_t whole __attribute__((vector_size(8 * FOUR)));

/* Rows of `side` spins; those of m have another spin at both ends. The carry: whether a state is there, then x and d (3n each). */
typedef struct by_hand {
    size_t side, n, stride;
    double *m; /* (3 side side stride) */
} by_hand;

static size_t side_of(const ph_spins *is)
{
    size_t side = 1;
    while (side * side * side < is->n)
        side++;
    return side;
}

/* Does a bond lead to a neighbour? There are 3 n such pairs. */
static bool is_near(size_t side, size_t i, size_t j)
{
    for (size_t stride = 1, k = 0; k < 3; k++, stride *= side) {
        const size_t a = i / stride % side, b = j / stride % side;
        if (j == i + (a + 1 < side ? stride : stride - side * stride) ||
            i == j + (b + 1 < side ? stride : stride - side * stride))
            return true;
    }
    return false;
}

static ph_status supports(const ph_system *system, ph_error *err)
{
    const ph_spins *is = ph_system_spins(system);
    const size_t side = is ? side_of(is) : 0;
    bool yes = is && side >= FOUR && side * side * side == is->n && is->n_bonds == 1 && !is->strengths &&
               !is->damping && !is->field && !is->n_anisotropies && !is->control &&
               ph_spins_are_declared(system) && is->bonds[0].kind == PH_BOND_EXCHANGE &&
               is->bonds[0].uniform && is->bonds[0].n == 3 * is->n;
    for (size_t k = 0; yes && k < 3 * is->n; k++)
        yes = is_near(side, is->bonds[0].first[k], is->bonds[0].second[k]);
    return yes ? PH_OK
               : ph_fail(err, PH_E_UNSUPPORTED,
                         "midpoint-by-hand is for exchange of one strength on a periodic cube of spins");
}

static ph_method_size size(const ph_system *system, const double *values)
{
    const ph_spins *is = ph_system_spins(system);
    const size_t side = side_of(is);
    (void)values;
    return (ph_method_size){.work = sizeof(by_hand) + 3 * side * side * (side + 2) * sizeof(double),
                            .carry = 1 + 6 * is->n};
}

static ph_status init(ph_context *context)
{
    by_hand *w = context->work;
    const ph_spins *is = ph_system_spins(context->system);
    *w = (by_hand){.side = side_of(is), .n = is->n, .m = (double *)(void *)(w + 1)};
    w->stride = w->side + 2;
    return PH_OK;
}

INLINE four at(const double *from)
{
    return *(const four *)(const void *)from;
}

INLINE void put(double *to, four v)
{
    *(four *)(void *)to = v;
}

/* m <- the normalised midpoints. */
INLINE void halfway(const by_hand *w, const double *x, const double *d)
{
    const size_t n = w->n, rows = w->side * w->side, all = rows * w->stride;
    for (size_t row = 0; row < rows; row++) {
        double *to = w->m + row * w->stride + 1;
        for (size_t k = 0; k < w->side; k += FOUR) { /* the last four may overlap those before */
            const size_t j = k + FOUR <= w->side ? k : w->side - FOUR, i = row * w->side + j;
            four m[3], square = {0}, length;
            for (size_t a = 0; a < 3; a++) {
                m[a] = at(x + a * n + i) + 0.5 * at(d + a * n + i);
                square += m[a] * m[a];
            }
            for (size_t l = 0; l < FOUR; l++)
                length[l] = sqrt(square[l]);
            length = 1 / length;
            for (size_t a = 0; a < 3; a++)
                put(to + a * all + j, length * m[a]);
        }
        for (size_t a = 0; a < 3; a++) {
            to[a * all - 1] = to[a * all + w->side - 1];
            to[a * all + w->side] = to[a * all];
        }
    }
}

/* d <- h times the torques of a row, whose neighbours are the rows `near`; far: how far it has moved. */
INLINE void turn_row(const by_hand *w, double h, size_t row, const size_t *near, double *d, four *far)
{
    const size_t n = w->n, all = w->side * w->side * w->stride;
    const double *m = w->m + 1;
    for (size_t k = 0; k < w->side; k += FOUR) {
        const size_t j = k + FOUR <= w->side ? k : w->side - FOUR, i = row * w->side + j;
        four s[3], g[3];
        for (size_t a = 0; a < 3; a++) {
            const double *own = m + a * all + row * w->stride + j;
            s[a] = at(own);
            g[a] = at(own - 1) + at(own + 1);
            for (size_t l = 0; l < 4; l++)
                g[a] += at(m + a * all + near[l] * w->stride + j);
        }
        for (size_t a = 0; a < 3; a++) {
            const size_t b = (a + 1) % 3, c = (a + 2) % 3;
            const four next = h * (s[b] * g[c] - s[c] * g[b]),
                       moved = (four)((whole)(next - at(d + a * n + i)) & INT64_MAX);
            const whole more = moved > *far;
            *far = (four)(((whole)moved & more) | ((whole)*far & ~more));
            put(d + a * n + i, next);
        }
    }
}

INLINE double pass(const by_hand *w, double h, const double *x, double *d)
{
    const size_t side = w->side;
    four far = {0};
    double change = 0;
    halfway(w, x, d);
    for (size_t k = 0; k < side; k++)
        for (size_t j = 0; j < side; j++) {
            const size_t up = k + 1 < side ? k + 1 : 0, down = k ? k - 1 : side - 1;
            const size_t near[4] = {side * k + (j ? j - 1 : side - 1), side * k + (j + 1 < side ? j + 1 : 0),
                                    side * down + j, side * up + j};
            turn_row(w, h, side * k + j, near, d, &far);
        }
    for (size_t l = 0; l < FOUR; l++)
        change = far[l] > change ? far[l] : change;
    return change;
}

static double pass_plain(const by_hand *w, double h, const double *x, double *d)
{
    return pass(w, h, x, d);
}

WIDE static double pass_wide(const by_hand *w, double h, const double *x, double *d)
{
    return pass(w, h, x, d);
}

static ph_status step(ph_context *context, ph_state *state)
{
    by_hand *w = context->work;
    const size_t n = w->n;
    double *x = state->carry + 1, *d = x + 3 * n, before = INFINITY;
    const double h = context->h * ph_system_spins(context->system)->bonds[0].c[0];
    const bool wide = wide_runs();
    if (state->carry[0] == 0)
        for (size_t k = 0; k < 3 * n; k++) {
            x[k % 3 * n + k / 3] = state->z[k];
            d[k] = 0;
        }
    state->carry[0] = 1;
    for (int k = 0; k < MOST; k++) {
        const double change = (wide ? pass_wide : pass_plain)(w, h, x, d);
        context->statistics->newton_passes++;
        if (change == 0 || (change >= before && change < 1e-13))
            break;
        before = change;
    }
    for (size_t k = 0; k < 3 * n; k++)
        x[k] += d[k];
    return PH_OK;
}

static void synchronise(ph_context *context, ph_state *state)
{
    const size_t n = ((by_hand *)context->work)->n;
    for (size_t k = 0; k < 3 * n; k++)
        state->z[k] = state->carry[1 + k % 3 * n + k / 3];
}

const ph_method spins_rival = {
    .name = "midpoint-by-hand",
    .summary = "the spherical midpoint of a magnet on a periodic cube, as one writes it",
    .reference = "McLachlan, Modin, Verdier, Math. Comp. 86 (2017) 2325",
    .order = 2,
    .takes_spins = true,
    .supports = supports,
    .size = size,
    .init = init,
    .step = step,
    .synchronise = synchronise,
};
