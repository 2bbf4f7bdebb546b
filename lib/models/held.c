/* SPDX-License-Identifier: BSD-3-Clause */
/* A body that may not turn about one axis: see held.h. The user block is the variant. */
#include "held.h"

/* row (9) <- (1/2) B S(e3) or (1/2) S(e3) B: on Rdot with B = R the component of Omega or omega. */
static void fill_row(const int *variant, const double *B, double *row)
{
    const bool space = *variant == PH_HELD_IN_SPACE;
    for (int k = 0; k < 3; k++) {
        row[space ? k : 3 * k] = space ? -0.5 * B[3 + k] : 0.5 * B[3 * k + 1];
        row[space ? 3 + k : 3 * k + 1] = space ? 0.5 * B[k] : -0.5 * B[3 * k];
        row[space ? 6 + k : 3 * k + 2] = 0;
    }
}

static ph_status hold(void *user, double t, const double *z, double *A, double *b)
{
    (void)t, (void)b;
    fill_row(user, z, A);
    return PH_OK;
}

static ph_status hold_along(void *user, double t, const double *z, const double *zdot, double dt,
                            const double *dz, double *rate)
{
    double row[9];
    (void)t, (void)z, (void)dt;
    fill_row(user, dz, row);
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

/* Turns about horizontal axes of space fulfil the constraint of e3: their momenta are conserved. */
ph_status ph_held_build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_factor factor = PH_ROTATIONS;
    static const ph_symmetry horizontal[] = {
        {"Jx", "angular momentum along e1", "kg m^2/s", {1, 0, 0}, NULL},
        {"Jy", "angular momentum along e2", "kg m^2/s", {0, 1, 0}, NULL}};
    const int variant = table->model->variant;
    double J[9], MM[81] = {0};
    ph_status status =
        ph_body_tensor(ph_vector(table, PH_HELD_INERTIA), ph_vector(table, PH_HELD_PRODUCTS), J, err);
    if (status)
        return status;
    ph_body_add_inertia(J, 9, 0, MM);
    ph_system_definition definition = {.ambient_inertia = MM,
                                       .constraint = hold,
                                       .constraint_along = hold_along,
                                       .n_constraints = 1,
                                       .points = places,
                                       .n_points = 1,
                                       .symmetries = horizontal,
                                       .n_symmetries = variant == PH_HELD_IN_SPACE ? 2 : 0};
    return ph_model_create(&factor, 1, &variant, sizeof variant, NULL, &definition, system, err);
}
