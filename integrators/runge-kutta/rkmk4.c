/* SPDX-License-Identifier: BSD-3-Clause */
/* The Runge-Kutta-Munthe-Kaas method of order 4: the classical Runge-Kutta method in the Lie algebra of the
 * group that acts on the configuration, with one exponential in each stage and one at the end. Order 4 needs
 * two brackets of the series of the inverse of dexp (Munthe-Kaas and Owren):
 *     k_1 = h f(y),                                  k_2 = h f(exp(k_1/2).y),
 *     k_3 = h f(exp(k_2/2 - [k_1, k_2]/8).y),        k_4 = h f(exp(k_3).y),
 *     y <- exp((k_1 + 2 k_2 + 2 k_3 + k_4)/6 - [k_1, k_4]/12).y */
#include <polhode/kit/equations.h>
#include <polhode/method.h>

#include <string.h>

static const ph_option options[] = {PH_FIELD_OPTION};

/* Scratch: the elements k_1, a bracket, k_2, k_3, k_4 and a sum; the stage; and the work of an evaluation. */
enum { ELEMENTS = 6, VECTORS = ELEMENTS + 2 };

static ph_status rkmk4_advance(const ph_field *field, const ph_system *system, double t, double h, double *y,
                               double *work)
{
    size_t n = field->size(system), m = ph_field_algebra(field, system);
    double *k1 = work, *bracket = k1 + m, *k2 = bracket + m, *k3 = k2 + m, *k4 = k3 + m;
    double *stage = work + ELEMENTS * m, *rest = stage + n;
    const double second[] = {h / 2}, third[] = {0, -h * h / 8, h / 2}, fourth[] = {0, 0, 0, h},
                 end[] = {h / 6, -h * h / 12, h / 3, h / 3, h / 6};
    ph_status status = ph_field_element(field, system, t, y, k1, rest);
    if (!status) {
        ph_field_move(field, system, 1, second, k1, y, stage);
        status = ph_field_element(field, system, t + h / 2, stage, k2, rest);
    }
    if (!status) {
        ph_field_bracket(field, system, k1, k2, bracket);
        ph_field_move(field, system, 3, third, k1, y, stage);
        status = ph_field_element(field, system, t + h / 2, stage, k3, rest);
    }
    if (!status) {
        ph_field_move(field, system, 4, fourth, k1, y, stage);
        status = ph_field_element(field, system, t + h, stage, k4, rest);
    }
    if (status)
        return status;
    ph_field_bracket(field, system, k1, k4, bracket);
    ph_field_move(field, system, 5, end, k1, y, stage);
    memcpy(y, stage, n * sizeof *y);
    return ph_field_settle(field, system, t + h, y, rest);
}

static ph_method_size rkmk4_size(const ph_system *system, const double *values)
{
    return ph_field_method_size(system, values, VECTORS);
}

static ph_status rkmk4_step(ph_context *context, ph_state *state)
{
    return ph_field_method_step(context, state, rkmk4_advance);
}

const ph_method ph_method_rkmk4 = {
    .name = "rkmk4",
    .summary =
        "Runge-Kutta-Munthe-Kaas: classical Runge-Kutta in the algebra of the group of motions; explicit",
    .reference =
        "Munthe-Kaas, High order Runge-Kutta methods on manifolds, Appl. Numer. Math. 29 (1999) 115; "
        "with two brackets: Munthe-Kaas, Owren, Phil. Trans. R. Soc. A 357 (1999) 957",
    .order = 4,
    .claims = PH_CLAIM_MANIFOLD,
    .takes_constraints = true,
    .takes_spins = true,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = ph_field_group_supports,
    .settle = ph_field_method_settle,
    .size = rkmk4_size,
    .init = ph_field_method_init,
    .step = rkmk4_step,
};
