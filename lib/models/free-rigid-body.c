/* SPDX-License-Identifier: BSD-3-Clause */
/* Free rigid body: turning about its centre of mass without forces (body.h),
 *     L = (1/2) Omega . J Omega,   Rdot = R S(Omega),   J = diag(J1, J2, J3).
 * R Pi = R J Omega stays what it is; in the body frame Pi moves on the intersection of a sphere with the
 * energy ellipsoid. */
#include "body.h"

enum { INERTIA };

static const ph_parameter parameters[] = {
    [INERTIA] = PH_VECTOR("inertia", "kg m^2", PH_POSITIVE, 0.6, 0.8, 1.0,
                          "principal moments of inertia; body axes are principal axes"),
};

enum { TUMBLING, INTERMEDIATE, STEADY };

static const ph_preset presets[] = {
    [TUMBLING] = {"tumbling", "R = I, body angular momentum (1.8, 0.4, -0.9) kg m^2/s"},
    [INTERMEDIATE] = {"intermediate-axis",
                      "1 rad/s about the axis of the middle moment, and 0.001 about the largest: unstable"},
    [STEADY] = {"steady", "1 rad/s about the axis of the largest moment: stays so"},
};

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const double one = 1;
    const ph_parameter_value mass = {"mass", &one, 1}; /* has no effect: the centre of mass rests */
    ph_bodies body = {.n = 1, .mass = &mass};
    ph_status status = ph_body_tensor(ph_vector(table, INERTIA), NULL, body.J, err);
    return status ? status : ph_bodies_build(&body, system, err);
}

/* R = I; Omega by the momentum (1.8, 0.4, -0.9) of the reference, or about axes by the size of their
 * moments. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, momentum[3] = {1.8, 0.4, -0.9};
    const double *J = ph_vector(table, INERTIA);
    double omega[3] = {0, 0, 0};
    size_t rank[3];
    (void)err;
    ph_body_rank(J, rank);
    if (which == TUMBLING) {
        for (int k = 0; k < 3; k++)
            omega[k] = momentum[k] / J[k];
    } else if (which == INTERMEDIATE) {
        omega[rank[1]] = 1;
        omega[rank[2]] = 0.001;
    } else {
        omega[rank[2]] = 1;
    }
    memcpy(z, identity, sizeof identity);
    ph_body_turn(z, omega, zdot);
    return PH_OK;
}

const ph_model ph_model_free_rigid_body = {
    .name = "free-rigid-body",
    .summary = "rigid body turning about its centre of mass without forces",
    .reference = "Hairer, Vilmart, J. Phys. A 39 (2006) 13225, section 1",
    PH_MODEL_HERE,
};
