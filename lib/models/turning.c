/* SPDX-License-Identifier: BSD-3-Clause */
/* Two bodies on SO(3), L = (1/2) Omega . J Omega, that may not turn about one axis: Suslov's problem, where the axis k = e3
 * is fixed in the body, Omega . k = 0, and Veselova's, where it is fixed in space, Omega . R^T e3 = 0. As rows on
 * Rdot,
 *     k . Omega = (1/2) tr((R S(k))^T Rdot),      e3 . omega = (1/2) tr((S(e3) R)^T Rdot).
 * Both keep the energy; Veselova's body also the horizontal components of R J Omega, whose turns the constraint
 * allows. */
#include "body.h"

#include <polhode/algebra.h>

#include <stdbool.h>
#include <string.h>

enum { INERTIA, PRODUCTS, PARAMETERS };

#define PRODUCTS_ROW(yz, xz, xy)                                                                             \
    {                                                                                                        \
        "products", PH_PARAMETER_VECTOR, "kg m^2", -DBL_MAX, DBL_MAX, {yz, xz, xy},                          \
            "entries Jyz, Jxz, Jxy of the tensor, such as Jxy = -(integral of x y over the mass)"            \
    }

static const ph_parameter of_suslov[PARAMETERS] = {
    [INERTIA] = PH_BODY_INERTIA(1, 1.6, 2, 0, "entries Jxx, Jyy, Jzz of the inertia tensor"),
    [PRODUCTS] = PRODUCTS_ROW(0.2, 0.3, 0)};
static const ph_parameter of_veselova[PARAMETERS] = {
    [INERTIA] = PH_BODY_INERTIA(0.8, 1.1, 1.3, 0, "entries Jxx, Jyy, Jzz of the inertia tensor"),
    [PRODUCTS] = PRODUCTS_ROW(0.07, -0.1, 0.05)};

static const ph_preset of_suslov_start[] = {{"turning", "R = I, body angular velocity (0.8, -0.5, 0) rad/s"}};
static const ph_preset of_veselova_start[] = {
    {"turning",
     "R = exp S(0.3, -0.5, 0.8), body angular velocity (0.9, -0.4, 1.1) rad/s without its vertical part"}};

/* row (9) <- (1/2) B S(e3) and (1/2) S(e3) B: on Rdot with B = R the components along the axis. */
static void row_of_body(const double *B, double *row)
{
    for (int i = 0; i < 9; i += 3) {
        row[i] = 0.5 * B[i + 1];
        row[i + 1] = -0.5 * B[i];
        row[i + 2] = 0;
    }
}

static void row_of_space(const double *B, double *row)
{
    for (int k = 0; k < 3; k++) {
        row[k] = -0.5 * B[3 + k];
        row[3 + k] = 0.5 * B[k];
        row[6 + k] = 0;
    }
}

static ph_status suslov(void *user, double t, const double *z, double *A, double *b)
{
    (void)user, (void)t, (void)b;
    row_of_body(z, A);
    return PH_OK;
}

static ph_status suslov_along(void *user, double t, const double *z, const double *zdot, double dt,
                              const double *dz, double *rate)
{
    double row[9];
    (void)user, (void)t, (void)z, (void)dt;
    row_of_body(dz, row);
    rate[0] = ph_dot(row, zdot, 9);
    return PH_OK;
}

static ph_status veselova(void *user, double t, const double *z, double *A, double *b)
{
    (void)user, (void)t, (void)b;
    row_of_space(z, A);
    return PH_OK;
}

static ph_status veselova_along(void *user, double t, const double *z, const double *zdot, double dt,
                                const double *dz, double *rate)
{
    double row[9];
    (void)user, (void)t, (void)z, (void)dt;
    row_of_space(dz, row);
    rate[0] = ph_dot(row, zdot, 9);
    return PH_OK;
}

/* x (3) <- the fixed point. */
static ph_status places(void *user, const double *z, double *x)
{
    (void)user, (void)z;
    memset(x, 0, 3 * sizeof *x);
    return PH_OK;
}

static ph_status build(const ph_parameter_value *table, bool in_space, ph_system **system, ph_error *err)
{
    static const ph_symmetry horizontal[] = {
        {"Jx", "angular momentum along e1", "kg m^2/s", {1, 0, 0}, NULL},
        {"Jy", "angular momentum along e2", "kg m^2/s", {0, 1, 0}, NULL}};
    const ph_factor factor = {.kind = PH_FACTOR_SO3};
    double J[9], MM[81] = {0};
    ph_space *space = NULL;
    ph_status status = ph_body_tensor(table[INERTIA].values, table[PRODUCTS].values, J, err);
    if (!status)
        status = ph_space_create(&factor, 1, &space, err);
    if (status)
        return status;
    ph_body_add_inertia(J, 9, 0, MM);
    const ph_system_definition definition = {.space = space,
                                             .ambient_inertia = MM,
                                             .constraint = in_space ? veselova : suslov,
                                             .constraint_along = in_space ? veselova_along : suslov_along,
                                             .n_constraints = 1,
                                             .points = places,
                                             .n_points = 1,
                                             .symmetries = horizontal,
                                             .n_symmetries = in_space ? 2 : 0};
    status = ph_system_create(&definition, system, err);
    ph_space_free(space);
    return status;
}

static ph_status build_suslov(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    return build(table, false, system, err);
}

static ph_status build_veselova(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    return build(table, true, system, err);
}

static ph_status start_suslov(const ph_parameter_value *table, size_t which, double *z, double *zdot,
                              ph_error *err)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, omega[3] = {0.8, -0.5, 0};
    (void)table, (void)which, (void)err;
    memcpy(z, identity, sizeof identity);
    ph_body_turn(z, omega, zdot);
    return PH_OK;
}

/* Row 3 of R is the vertical in the body frame. */
static ph_status start_veselova(const ph_parameter_value *table, size_t which, double *z, double *zdot,
                                ph_error *err)
{
    static const double turned[3] = {0.3, -0.5, 0.8};
    double omega[3] = {0.9, -0.4, 1.1};
    (void)table, (void)which, (void)err;
    ph_exp3(turned, z);
    ph_rotation_correct3(z);
    const double spin = ph_dot3(omega, z + 6);
    for (int k = 0; k < 3; k++)
        omega[k] -= spin * z[6 + k];
    ph_body_turn(z, omega, zdot);
    return PH_OK;
}

const ph_model ph_model_suslov = {
    .name = "suslov",
    .summary = "body with a fixed point that may not turn about an axis of its own",
    .reference = "Suslov, Theoretical Mechanics, 1946; Fedorov, Zenkov, Nonlinearity 18 (2005) 2211",
    .parameters = of_suslov,
    .n_parameters = PARAMETERS,
    .presets = of_suslov_start,
    .n_presets = 1,
    .build = build_suslov,
    .preset = start_suslov,
};

const ph_model ph_model_veselova = {
    .name = "veselova",
    .summary = "body with a fixed point that may not turn about the vertical",
    .reference = "Veselov, Veselova, Math. Notes 44 (1988) 810",
    .parameters = of_veselova,
    .n_parameters = PARAMETERS,
    .presets = of_veselova_start,
    .n_presets = 1,
    .build = build_veselova,
    .preset = start_veselova,
};
