/* SPDX-License-Identifier: BSD-3-Clause */
/* The commutator-free Lie-group method of order 4 with five exponentials and no brackets:
 *     k_1 = h f(y),   Y_2 = exp(k_1/2).y,   k_2 = h f(Y_2),   k_3 = h f(exp(k_2/2).y),
 *     k_4 = h f(exp(k_3 - k_1/2).Y_2),
 *     y <- exp((-k_1 + 2 k_2 + 2 k_3 + 3 k_4)/12).(exp((3 k_1 + 2 k_2 + 2 k_3 - k_4)/12).y) */
#include <polhode/kit/equations.h>
#include <polhode/method.h>

static const ph_option options[] = {PH_FIELD_OPTION};

/* Scratch: the elements k_1 to k_4 and a sum; Y_2 and another stage; and the work of an evaluation. */
enum { ELEMENTS = 5, VECTORS = ELEMENTS + 3 };

static ph_status cf4_advance(const ph_field *field, const ph_system *system, double t, double h, double *y,
                             double *work)
{
    size_t n = field->size(system), m = ph_field_algebra(field, system);
    double *k1 = work, *k2 = k1 + m, *k3 = k2 + m, *k4 = k3 + m;
    double *Y2 = work + ELEMENTS * m, *stage = Y2 + n, *rest = stage + n;
    const double second[] = {h / 2}, third[] = {0, h / 2}, fourth[] = {-h / 2, 0, h},
                 first_half[] = {h / 4, h / 6, h / 6, -h / 12}, last_half[] = {-h / 12, h / 6, h / 6, h / 4};
    ph_status status = ph_field_element(field, system, t, y, k1, rest);
    if (!status) {
        ph_field_move(field, system, 1, second, k1, y, Y2);
        status = ph_field_element(field, system, t + h / 2, Y2, k2, rest);
    }
    if (!status) {
        ph_field_move(field, system, 2, third, k1, y, stage);
        status = ph_field_element(field, system, t + h / 2, stage, k3, rest);
    }
    if (!status) {
        ph_field_move(field, system, 3, fourth, k1, Y2, stage);
        status = ph_field_element(field, system, t + h, stage, k4, rest);
    }
    if (status)
        return status;
    ph_field_move(field, system, 4, first_half, k1, y, stage);
    ph_field_move(field, system, 4, last_half, k1, stage, y);
    return ph_field_settle(field, system, t + h, y, rest);
}

static ph_method_size cf4_size(const ph_system *system, const double *values)
{
    return ph_field_method_size(system, values, VECTORS);
}

static ph_status cf4_step(ph_context *context, ph_state *state)
{
    return ph_field_method_step(context, state, cf4_advance);
}

const ph_method ph_method_cf4 = {
    .name = "cf4",
    .summary =
        "commutator-free Lie-group method: compositions of exponentials of the group of motions; explicit",
    .reference = "Celledoni, Marthinsen, Owren, Commutator-free Lie group methods, FGCS 19 (2003) 341",
    .order = 4,
    .claims = PH_CLAIM_MANIFOLD,
    .takes_constraints = true,
    .takes_spins = true,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = ph_field_group_supports,
    .settle = ph_field_method_settle,
    .size = cf4_size,
    .init = ph_field_method_init,
    .step = cf4_step,
};
