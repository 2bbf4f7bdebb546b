/* SPDX-License-Identifier: BSD-3-Clause */
/* Free rigid body: turning about its centre of mass without forces (body.h),
 *     L = (1/2) Omega . J Omega,   Rdot = R S(Omega),   J = diag(J1, J2, J3).
 * R Pi = R J Omega stays what it is; in the body frame Pi moves on the intersection of a sphere with the
 * energy ellipsoid. */
#include "body.h"

#include <string.h>

enum { INERTIA, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    [INERTIA] =
        PH_BODY_INERTIA(0.6, 0.8, 1.0, DBL_MIN, "principal moments of inertia; body axes are principal axes"),
};

enum { TUMBLING, INTERMEDIATE, STEADY };

static const ph_preset presets[] = {
    [TUMBLING] = {"tumbling", "R = I, body angular momentum (1.8, 0.4, -0.9) kg m^2/s"},
    [INTERMEDIATE] = {"intermediate-axis",
                      "1 rad/s about the axis of the middle moment, and 0.001 about the largest: unstable"},
    [STEADY] = {"steady", "1 rad/s about the axis of the largest moment: stays so"},
};

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    static const double one = 1;
    const ph_parameter_value mass = {"mass", &one, 1}; /* has no effect: the centre of mass rests */
    ph_bodies body = {.n = 1, .mass = &mass};
    ph_status status = ph_body_tensor(table[INERTIA].values, NULL, body.J, err);
    return status ? status : ph_bodies_build(&body, system, err);
}

/* The index of the axis such that `below` moments are smaller than its own. */
static size_t axis_of_rank(const double J[3], size_t below)
{
    for (size_t k = 0; k < 3; k++) {
        size_t smaller = 0;
        for (size_t j = 0; j < 3; j++)
            smaller += J[j] < J[k] || (j < k && !(J[k] < J[j]));
        if (smaller == below)
            return k;
    }
    return 0;
}

/* R = I; Omega by the momentum (1.8, 0.4, -0.9) of the reference, or about axes by the size of their
 * moments. */
static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, momentum[3] = {1.8, 0.4, -0.9};
    const double *J = table[INERTIA].values;
    double omega[3] = {0, 0, 0};
    (void)err;
    if (which == TUMBLING) {
        for (int k = 0; k < 3; k++)
            omega[k] = momentum[k] / J[k];
    } else if (which == INTERMEDIATE) {
        omega[axis_of_rank(J, 1)] = 1;
        omega[axis_of_rank(J, 2)] = 0.001;
    } else {
        omega[axis_of_rank(J, 2)] = 1;
    }
    memcpy(z, identity, sizeof identity);
    ph_body_turn(z, omega, zdot);
    return PH_OK;
}

const ph_model ph_model_free_rigid_body = {
    .name = "free-rigid-body",
    .summary = "rigid body turning about its centre of mass without forces",
    .reference = "Hairer, Vilmart, J. Phys. A 39 (2006) 13225, section 1",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
