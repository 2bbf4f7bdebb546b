/* SPDX-License-Identifier: BSD-3-Clause */
/* The points that a multistep method begins with, by collocation: the acceleration is taken for the
 * polynomial of degree K in time through its values at the points j = -K/2 ... K/2 around a state,
 *
 *     q_j = q_0 + j h v_0 + h^2 sum_k W_jk a_k,    v_j = v_0 + h sum_k V_jk a_k,    a_k = a(t_k, q_k, v_k),
 *
 * where V and W are the single and double integrals of Lagrange's polynomials. Picard's iteration sweeps from
 * the middle outwards. Accelerations at j and -j enter by their sum and their difference, whose integrals are
 * the parts of the motion that are even and odd in time. Each sweep gains a power of h: after K - 1 sweeps
 * the error is one order above that of the method, and further sweeps do not change the errors of the method.
 * At the end q_j is brought to the manifold, from which it is off by O(h^(K+3)).
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), III.10. */
#include "integrators/shared/lanes.h"
#include "multistep.h"

#include <polhode/kit/algebra.h>

#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 40 };
/* The largest change of the outermost velocity by the last sweep, relative to the speed. */
static const double settled = 0x1p-20;
/* Points are accepted up to this distance from the manifold, from which two corrections bring them onto it;
 * up to `near`, one correction is enough. */
static const double farthest = 0x1p-14, near = 0x1p-28;

/* ---- Integrals ----------------------------------------------------------------------------------- */

/* p <- coefficients of Lagrange's polynomial of node k among -half ... half. */
static void lagrange(int half, int k, double *p)
{
    int degree = 0;
    p[0] = 1;
    for (int i = -half; i <= half; i++) {
        if (i == k)
            continue;
        const double over = 1. / (k - i);
        p[degree + 1] = 0;
        for (int n = ++degree; n >= 0; n--)
            p[n] = ((n ? p[n - 1] : 0) - i * p[n]) * over;
    }
}

/* *once, *twice <- the integral of p from 0 to j, and that of its integral. */
static void start_integrate(const double *p, int degree, int j, double *once, double *twice)
{
    double power = j;
    *once = *twice = 0;
    for (int n = 0; n <= degree; n++, power *= j) {
        *once += p[n] * power / (n + 1);
        *twice += p[n] * power * j / ((n + 1) * (n + 2));
    }
}

static double *start_lay_zeros(ph_lay *l, size_t n)
{
    double *zeros = ph_lay_doubles(l, n);
    if (zeros)
        memset(zeros, 0, n * sizeof *zeros);
    return zeros;
}

/* Rows are padded with zeros to whole vectors. */
void ph_multistep_start_lay(ph_multistep_start *s, const ph_multistep *m, size_t nz, ph_lay *l)
{
    double **points[] = {&s->q, &s->D, &s->v, &s->a}, **pairs[] = {&s->sum, &s->difference};
    s->half = m->K / 2;
    s->nz = nz;
    s->row = (nz + LANES - 1) / LANES * LANES;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        *points[i] = start_lay_zeros(l, (m->K + 1) * s->row);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        *pairs[i] = start_lay_zeros(l, s->half * s->row);
}

/* ---- Picard's iteration -------------------------------------------------------------------------- */

/* q, D and v at j and -j <- those of the collocation polynomial. */
INLINE void start_move(const ph_multistep_start *s, size_t half, size_t j, double h)
{
    const ph_multistep_integrals *row = &s->rows[j - 1];
    const size_t size = s->row, middle = half * size, late = middle + j * size, early = middle - j * size;
    for (size_t k = 0; k < size; k += LANES) {
        const vector a = load(s->a + middle + k), v = load(s->v + middle + k), q = load(s->q + middle + k);
        vector V_odd = row->V0 * a, W_even = row->W0 * a, V_even = a - a, W_odd = V_even;
        for (size_t i = 0; i < half; i++) {
            const vector sum = load(s->sum + i * size + k), difference = load(s->difference + i * size + k);
            V_odd += row->V_sum[i] * sum;
            W_even += row->W_sum[i] * sum;
            V_even += row->V_difference[i] * difference;
            W_odd += row->W_difference[i] * difference;
        }
        const vector even = h * h * W_even, odd = h * ((double)j * v + h * W_odd);
        store(s->v + late + k, v + h * (V_even + V_odd));
        store(s->v + early + k, v + h * (V_even - V_odd));
        store(s->D + late + k, even + odd);
        store(s->D + early + k, even - odd);
        store(s->q + late + k, q + (even + odd));
        store(s->q + early + k, q + (even - odd));
    }
}

#define MOVE(half)                                                                                           \
    PH_LANES_TWICE(PH_LANES_AVX2, void, move_##half, (const ph_multistep_start *s, size_t j, double h),      \
                   start_move(s, half, j, h);)
MOVE(2)
MOVE(3)
MOVE(4)

typedef void mover(const ph_multistep_start *s, size_t j, double h);

static mover *start_choose_move(size_t half)
{
    static mover *const movers[2][3] = {{move_2_plain, move_3_plain, move_4_plain},
                                        {move_2_wide, move_3_wide, move_4_wide}};
    return movers[ph_lanes(PH_KERNEL_AVX2)][half - 2];
}

/* Accelerations at j and -j, their sum and their difference. */
static ph_status start_push(const ph_multistep_start *s, ph_multistep_acceleration acceleration,
                            ph_context *context, double t, size_t j)
{
    const size_t late = (s->half + j) * s->row, early = (s->half - j) * s->row, pair = (j - 1) * s->row;
    const double along = (double)j * context->h;
    ph_status status = acceleration(context, t + along, s->q + late, s->v + late, s->a + late);
    if (!status)
        status = acceleration(context, t - along, s->q + early, s->v + early, s->a + early);
    for (size_t k = 0; k < s->row; k += LANES) {
        const vector a1 = load(s->a + late + k), a2 = load(s->a + early + k);
        store(s->sum + pair + k, a1 + a2);
        store(s->difference + pair + k, a1 - a2);
    }
    return status;
}

/* The first sweep needs sums and differences at points farther out than j: extrapolated from those at j, the
 * even part as a parabola in time, the odd part as a line. */
static void start_expect(const ph_multistep_start *s, size_t j)
{
    const size_t size = s->row, known = (j - 1) * size;
    for (size_t i = j + 1; i <= s->half; i++) {
        const size_t at = (i - 1) * size;
        const double ratio = (double)i / (double)j;
        for (size_t k = 0; k < size; k += LANES) {
            const vector constant = 2 * load(s->a + s->half * size + k);
            store(s->sum + at + k, constant + (load(s->sum + known + k) - constant) * (ratio * ratio));
            store(s->difference + at + k, load(s->difference + known + k) * ratio);
        }
    }
}

static ph_status start_iterate(const ph_multistep_start *s, ph_multistep_acceleration acceleration,
                               ph_context *context, double t, bool *found)
{
    const size_t half = s->half, size = s->row;
    const double h = context->h, *v = s->v + half * size, *a = s->a + half * size;
    double *outermost = s->v + 2 * half * size, *were = s->D + half * size;
    const double speed = ph_max_norm(v, size) + fabs(h) * ph_max_norm(a, size);
    memcpy(outermost, v, size * sizeof *v);
    for (size_t k = 0; k < size; k++) {
        s->sum[k] = 2 * a[k];
        s->difference[k] = 0;
    }
    start_expect(s, 1);
    for (size_t sweep = 1; sweep <= MOST_SWEEPS && !*found; sweep++) {
        memcpy(were, outermost, size * sizeof *were);
        for (size_t j = 1; j <= half; j++) {
            s->move(s, j, h);
            ph_status status = start_push(s, acceleration, context, t, j);
            if (status)
                return status;
            if (sweep == 1)
                start_expect(s, j);
        }
        double change = 0;
        for (size_t k = 0; k < size; k++)
            change += fabs(outermost[k] - were[k]);
        *found = change <= (sweep + 1 < 2 * half ? 0x1p-53 : settled) * speed;
    }
    return PH_OK;
}

void ph_multistep_start_init(ph_multistep_start *s)
{
    const int half = (int)s->half;
    double p[PH_MULTISTEP_MOST + 1], V, W;
    memset(s->rows, 0, sizeof s->rows);
    for (int k = -half; k <= half; k++) {
        lagrange(half, k, p);
        for (int j = 1; j <= half; j++) {
            ph_multistep_integrals *row = &s->rows[j - 1];
            start_integrate(p, 2 * half, j, &V, &W);
            if (k == 0) {
                row->V0 = V;
                row->W0 = W;
                continue;
            }
            const int i = (k < 0 ? -k : k) - 1, sign = k < 0 ? -1 : 1;
            row->V_sum[i] += 0.5 * V;
            row->W_sum[i] += 0.5 * W;
            row->V_difference[i] += 0.5 * sign * V;
            row->W_difference[i] += 0.5 * sign * W;
        }
    }
    s->move = start_choose_move(s->half);
}

ph_status ph_multistep_collocate(const ph_multistep_start *s, ph_multistep_acceleration acceleration,
                                 ph_context *context, const ph_state *state, const ph_multistep_window *to,
                                 bool *found)
{
    const ph_space *space = ph_system_space(context->system);
    const size_t nz = s->nz, size = s->row, middle = s->half * size;
    double *nothing = to->low + s->half * nz;
    memcpy(s->q + middle, state->z, nz * sizeof *state->z);
    memcpy(to->q + s->half * nz, state->z, nz * sizeof *state->z);
    memset(nothing, 0, nz * sizeof *nothing);
    *found = false;
    ph_status status = acceleration(context, state->t, s->q + middle, s->v + middle, s->a + middle);
    if (!status)
        status = start_iterate(s, acceleration, context, state->t, found);
    for (size_t j = 0; j <= 2 * s->half && !status && *found; j++) {
        double *q = to->q + j * nz, *low = to->low + j * nz;
        if (j == s->half)
            continue;
        const double far = ph_space_residual(space, s->q + j * size);
        ph_space_advance(space, state->z, nothing, s->D + j * size, q, low);
        if (!(far <= near))
            ph_space_advance(space, q, low, nothing, q, low);
        *found = far <= farthest;
    }
    return status;
}
