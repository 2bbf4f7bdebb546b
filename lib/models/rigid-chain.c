/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid chain: any number of bodies, equal but for their masses, joined by ball joints and hung from a fixed
 * point (for the Lagrangian see body.h). Their number is `bodies`, or else the length of `masses`. */
#include "body.h"
#include "gravity.h"

enum { MASS, CENTRE, JOINT, INERTIA, GRAVITY, BODIES };
enum { DEFAULT_BODIES = 3, MOST_BODIES = 10000000 };

static const ph_parameter parameters[] = {
    [MASS] = PH_PER_BODY("masses", "kg", PH_POSITIVE, 1, "mass of a body"),
    [CENTRE] = PH_VECTOR("centre", "m", PH_ANY, 0, 0, -0.25,
                         "from its upper joint to its centre of mass, in the body frame"),
    [JOINT] =
        PH_VECTOR("joint", "m", PH_ANY, 0, 0, -0.5, "from its upper to its lower joint, in the body frame"),
    [INERTIA] = PH_VECTOR("inertia", "kg m^2", PH_NOT_NEGATIVE, 0.021, 0.022, 0.002,
                          "principal moments about the centre of mass; body axes are principal axes"),
    [GRAVITY] = PH_GRAVITY(-9.81),
    [BODIES] = PH_COUNT("bodies", PH_FROM(0, MOST_BODIES), 0,
                        "number of bodies; 0: as many as a list of masses has numbers, or 3"),
};

enum { CURVED, HANGING, UPRIGHT };

static const ph_preset presets[] = {
    [CURVED] = {"curved",
                "body i at 90 degrees - 0.3 (i-1) rad from hanging; all turn about the vertical at 1 rad/s"},
    [HANGING] = {"hanging", "every body hangs on its joint, at rest: the stable equilibrium"},
    [UPRIGHT] = {"upright", "every body stands on its joint, at rest: an unstable equilibrium"},
};

static const ph_numbering numbering = PH_NUMBERING("bodies", BODIES, DEFAULT_BODIES, MOST_BODIES, MASS);

static ph_status read(const ph_model_table *table, ph_bodies *b, ph_error *err)
{
    *b = (ph_bodies){.mass = &table->row[MASS]};
    memcpy(b->centre, ph_vector(table, CENTRE), sizeof b->centre);
    memcpy(b->joint, ph_vector(table, JOINT), sizeof b->joint);
    memcpy(b->G, ph_vector(table, GRAVITY), sizeof b->G);
    ph_status status = ph_parameter_number(table, &numbering, &b->n, err);
    return status ? status : ph_body_tensor(ph_vector(table, INERTIA), NULL, b->J, err);
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_bodies b;
    ph_status status = read(table, &b, err);
    return status ? status : ph_bodies_build(&b, system, err);
}

/* Hanging, standing, or curved and turning as one about the vertical: Omega_i = R_i^T up. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double quarter = 1.5707963267948966192;
    double along[3], across[3], down[3];
    ph_bodies b;
    ph_status status = read(table, &b, err);
    double *angles = status ? NULL : malloc(b.n * sizeof *angles);
    if (!angles)
        return status ? status : ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu bodies", b.n);
    for (size_t i = 0; i < b.n; i++)
        angles[i] = which == CURVED ? quarter - 0.3 * (double)i : which == HANGING ? 0 : 2 * quarter;
    ph_bodies_incline(&b, angles, z);
    free(angles);
    ph_gravity_frame(b.G, along, across, down);
    memset(zdot, 0, 9 * b.n * sizeof *zdot);
    for (size_t i = 0; i < b.n && which == CURVED; i++) {
        double omega[3];
        ph_apply_transposed3(z + 9 * i, down, omega);
        for (int a = 0; a < 3; a++)
            omega[a] = -omega[a];
        ph_body_turn(z + 9 * i, omega, zdot + 9 * i);
    }
    return PH_OK;
}

const ph_model ph_model_rigid_chain = {
    .name = "rigid-chain",
    .summary = "serial chain of any number of rigid bodies joined by ball joints",
    .reference =
        "Lee, Leok, McClamroch, Global Formulations of Lagrangian and Hamiltonian Dynamics on Manifolds, "
        "Springer 2018, chapters 6 and 9",
    PH_MODEL_HERE,
};
