/* SPDX-License-Identifier: BSD-3-Clause */
/* The explicit Runge-Kutta method of order 8 with twelve stages of Dormand and Prince, with fixed steps, on the continuous
 * equations of motion in the chosen form (ph_field), on any space, as they are: like rk4, it brings nothing back to the
 * manifold.
 *     k_i = F(t + c_i h, y + h sum_j a_ij k_j),      y <- y + h sum_i b_i k_i
 * The sums are gathered before y is added: one rounding at its size. */
#include "rk8-table.h"

#include "lib/internal/lanes.h"

#include <polhode/kit/equations.h>
#include <polhode/method.h>

static const ph_option options[] = {PH_FIELD_OPTION};

/* Scratch: k_1 to k_12 and the stage; and the work of an evaluation. */
enum { VECTORS = PH_RK8_STAGES + 1 };

static const double node[PH_RK8_STAGES] = {PH_RK8_NODES};

#define ENTRY(i, j, value) [(i)-2][(j)-1] = (value),
static const double table[PH_RK8_STAGES][PH_RK8_STAGES] = {PH_RK8_TABLE(ENTRY)};
#undef ENTRY

/* to (n) <- y + h sum_{j < stages} a_j k_j; to may be y. Terms that are 0 are left out: their k need not be finite. */
PH_WITH_FMA static void gather(size_t n, size_t stages, double h, const double *a, const double *k,
                               const double *y, double *to)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        vector sum = all_lanes(0);
        for (size_t j = 0; j < stages; j++)
            if (a[j] != 0)
                sum += a[j] * load(k + j * n + i);
        store(to + i, load(y + i) + h * sum);
    }
    for (; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < stages; j++)
            if (a[j] != 0)
                sum += a[j] * k[j * n + i];
        to[i] = y[i] + h * sum;
    }
}

static ph_status advance(const ph_field *field, const ph_system *system, double t, double h, double *y,
                         double *work)
{
    const size_t n = field->size(system);
    double *k = work, *stage = k + PH_RK8_STAGES * n, *rest = stage + n;
    for (size_t i = 0; i < PH_RK8_STAGES; i++) {
        if (i > 0)
            gather(n, i, h, table[i - 1], k, y, stage);
        const ph_status status = field->evaluate(system, t + node[i] * h, i > 0 ? stage : y, k + i * n, rest);
        if (status)
            return status;
    }
    gather(n, PH_RK8_STAGES, h, table[PH_RK8_STAGES - 1], k, y, y);
    return PH_OK;
}

static ph_method_size size(const ph_system *system, const double *values)
{
    return ph_field_method_size(system, values, VECTORS);
}

static ph_status step(ph_context *context, ph_state *state)
{
    return ph_field_method_step(context, state, advance);
}

const ph_method ph_method_rk8 = {
    .name = "rk8",
    .summary = "Runge-Kutta of order 8, twelve stages, on the continuous projected equations; explicit",
    .reference = "Dormand, Prince: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5 "
                 "(the formula of order 8 of DOP853)",
    .order = 8,
    .claims_for = ph_field_linear_claims,
    .takes_constraints = true,
    .takes_spins = true,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .settle = ph_field_method_settle,
    .size = size,
    .init = ph_field_method_init,
    .step = step,
};
