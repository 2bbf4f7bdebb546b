/* SPDX-License-Identifier: BSD-3-Clause */
/* What models refuse: values out of bounds, lists that do not fit, bodies that cannot be, initial conditions of other systems. */
#include <string.h>

#include "tests/kit/testkit.h"

#define V(name, ...)                                                                                         \
    {                                                                                                        \
        name, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)          \
    }
#define ROW(model, preset, status, said, ...)                                                                \
    {                                                                                                        \
        model, preset, status, said,                                                                         \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

static const double single = 1;

static const struct {
    const char *model, *preset; /* NULL: the first one */
    ph_status status;
    const char *said; /* what the message begins with */
    ph_parameter_value value[2];
} refused[] = {
    /* What the catalogue itself refuses, on pendula. */
    ROW("chain-pendulum", NULL, PH_E_RANGE, "entry 2 of masses is -2 kg; it must be positive",
        V("masses", 1, -2, 3)),
    ROW("chain-pendulum", NULL, PH_E_RANGE, "masses is 0 kg; it must be positive", V("masses", 0)),
    ROW("chain-pendulum", NULL, PH_E_RANGE, "entry 2 of lengths is 0 m; it must be positive",
        V("lengths", 1, 0)),
    ROW("spherical-pendulum", NULL, PH_E_RANGE, "mass is -1 kg; it must be positive", V("mass", -1)),
    ROW("spherical-pendulum", NULL, PH_E_RANGE, "damping is -0.1 N m s; it must be at least 0",
        V("damping", -0.1)),
    ROW("chain-pendulum", NULL, PH_E_NOT_FINITE, "lengths is nan; it must be a finite number in m",
        V("lengths", NAN)),
    ROW("chain-pendulum", NULL, PH_E_NOT_FINITE,
        "entry 2 of gravity is inf; it must be a finite number in m/s^2", V("gravity", 0, INFINITY, 1)),
    ROW("chain-pendulum", NULL, PH_E_SIZE,
        "gravity has 2 numbers; give three numbers, or one number g for (0, 0, -g) [m/s^2]",
        V("gravity", 1, 2)),
    ROW("chain-pendulum", NULL, PH_E_SIZE, "torque has 1 number; give three numbers [N m]", V("torque", 1)),
    ROW("chain-pendulum", NULL, PH_E_SIZE, "torque_phase has 2 numbers; give one number [rad]",
        V("torque_phase", 1, 2)),
    ROW("chain-pendulum", NULL, PH_E_SIZE,
        "masses has 0 numbers; give one number for each link, or one for all [kg]", {"masses", NULL, 0}),
    ROW("chain-pendulum", NULL, PH_E_SIZE,
        "masses has 0 numbers; give one number for each link, or one for all [kg]", {"masses", NULL, 4}),
    ROW("chain-pendulum", NULL, PH_E_RANGE, "links is 2.5; it must be a whole number from 0 to 10000000",
        V("links", 2.5)),
    ROW("chain-pendulum", NULL, PH_E_RANGE, "links is -1; it must be a whole number from 0 to 10000000",
        V("links", -1)),
    ROW("chain-pendulum", NULL, PH_E_RANGE, "links is 10000001; it must be a whole number from 0 to 10000000",
        V("links", 10000001)),
    ROW("chain-pendulum", NULL, PH_E_NOT_FINITE, "links is nan; it must be a finite number", V("links", NAN)),
    ROW("chain-pendulum", NULL, PH_E_SIZE,
        "lengths has 3 numbers, but masses has 2; give one number for each link, or one for all",
        V("masses", 1, 1), V("lengths", 1, 1, 1)),
    ROW("chain-pendulum", NULL, PH_E_SIZE,
        "masses has 2 numbers, but there are 4 links; give 4 numbers, or one for all", V("masses", 1, 1),
        V("links", 4)),
    ROW("double-spherical-pendulum", NULL, PH_E_SIZE,
        "lengths has 3 numbers, but there are 2 links; give 2 numbers, or one for all",
        V("lengths", 1, 1, 1)),
    ROW("chain-pendulum", NULL, PH_E_SIZE,
        "masses is a list of 1 number, but there are 4 links; give 4 numbers, or the number without brackets for all",
        {"masses", &single, PH_LIST_OF_ONE}, V("links", 4)),
    ROW("chain-pendulum", NULL, PH_E_SIZE,
        "lengths has 1 number, but masses has 2; give one number for each link, or one for all",
        V("masses", 1, 1), {"lengths", &single, PH_LIST_OF_ONE}),
    ROW("double-spherical-pendulum", NULL, PH_E_SIZE,
        "lengths is a list of 1 number, but there are 2 links; give 2 numbers, or the number without brackets for all",
        {"lengths", &single, PH_LIST_OF_ONE}),
    ROW("branching-pendulum", NULL, PH_E_SIZE,
        "masses is a list of 1 number, but there are 7 links; give 7 numbers, or the number without brackets for all",
        {"masses", &single, PH_LIST_OF_ONE}),
    ROW("kepler", NULL, PH_E_SIZE, "masses is a list of 1 number, but there are 2 points",
        {"masses", &single, PH_LIST_OF_ONE}),
    ROW("spin-lattice", NULL, PH_E_SIZE, "strengths is a list of 1 number, but there are ",
        {"strengths", &single, PH_LIST_OF_ONE}),
    ROW("chain-pendulum", NULL, PH_E_UNKNOWN, "unknown parameter of chain-pendulum \"mases\"",
        {"gravity", &single, PH_LIST_OF_ONE}, V("mases", 1)),
    ROW("chain-pendulum", NULL, PH_E_UNKNOWN,
        "unknown parameter of chain-pendulum \"mases\"; did you mean \"masses\"?", V("mases", 1)),
    ROW("double-spherical-pendulum", NULL, PH_E_UNKNOWN,
        "unknown parameter of double-spherical-pendulum \"links\"; available: masses, lengths, gravity",
        V("links", 2)),
    ROW("chain-pendulum", NULL, PH_E_UNKNOWN, "unknown parameter of chain-pendulum \"\"", V(NULL, 1)),
    ROW("chain-pendulum", NULL, PH_E_INVALID, "gravity is given twice; give it once", V("gravity", 1),
        V("gravity", 2)),
    /* Particles, pendula in planes and rows, dipoles. */
    ROW("planar-pendulum", NULL, PH_E_RANGE, "mass is 0 kg; it must be positive", V("mass", 0)),
    ROW("planar-pendulum", NULL, PH_E_SIZE, "gravity has 3 numbers; give one number [m/s^2]",
        V("gravity", 0, -9, 0)),
    ROW("planar-chain", NULL, PH_E_RANGE, "entry 2 of lengths is -1 m; it must be positive",
        V("lengths", 1, -1)),
    ROW("planar-chain", NULL, PH_E_SIZE,
        "masses has 2 numbers, but there are 3 links; give 3 numbers, or one for all", V("masses", 1, 1),
        V("links", 3)),
    ROW("planar-chain", "hanging", PH_E_SIZE,
        "lengths has 2 numbers, but there are 3 links; give 3 numbers, or one for all", V("lengths", 1, 1),
        V("links", 3)),
    ROW("coupled-pendula", NULL, PH_E_RANGE, "stiffness is -1 N/m; it must be at least 0",
        V("stiffness", -1)),
    ROW("coupled-pendula", NULL, PH_E_SIZE,
        "lengths has 3 numbers, but masses has 2; give one number for each body, or one for all",
        V("masses", 1, 1), V("lengths", 1, 1, 1)),
    ROW("coupled-pendula", "hanging", PH_E_SIZE,
        "masses has 2 numbers, but there are 3 pendula; give 3 numbers, or one for all", V("masses", 1, 1),
        V("pendula", 3)),
    ROW("dipole-array", NULL, PH_E_RANGE, "spacing is 0 m; it must be positive", V("spacing", 0)),
    ROW("dipole-array", NULL, PH_E_RANGE, "dipoles is 0; it must be a whole number from 1 to 100000",
        V("dipoles", 0)),
    ROW("sphere-n-body", NULL, PH_E_RANGE, "entry 2 of masses is 0 kg; it must be positive",
        V("masses", 1, 0)),
    ROW("sphere-n-body", "ring", PH_E_RANGE,
        "masses differ; this initial condition (a ring) needs equal ones", V("masses", 1, 2)),
    ROW("sphere-n-body", "orbits", PH_E_RANGE,
        "gamma is negative; this initial condition (a ring) needs an attraction", V("gamma", -1)),
    /* Rigid bodies. */
    ROW("free-rigid-body", NULL, PH_E_RANGE,
        "inertia has the principal moments 0.1, 0.2, 0.5 kg m^2, which no body has: the largest is at most the sum of the other two, J1 + J2 >= J3",
        V("inertia", 0.1, 0.2, 0.5)),
    ROW("free-rigid-body", NULL, PH_E_RANGE, "inertia has the principal moments 1, 1, 5 kg m^2",
        V("inertia", 1, 5, 1)),
    ROW("free-rigid-body", NULL, PH_E_RANGE, "entry 2 of inertia is 0 kg m^2; it must be positive",
        V("inertia", 1, 0, 1)),
    ROW("free-rigid-body", NULL, PH_E_SIZE, "inertia has 1 number; give three numbers [kg m^2]",
        V("inertia", 1)),
    ROW("heavy-top", NULL, PH_E_RANGE, "mass is -1 kg; it must be positive", V("mass", -1)),
    ROW("heavy-top", NULL, PH_E_RANGE, "mass is 0 kg; it must be positive", V("mass", 0)),
    ROW("heavy-top", NULL, PH_E_RANGE, "entry 3 of inertia is -1 kg m^2; it must be at least 0",
        V("inertia", 1, 1, -1)),
    ROW("heavy-top", NULL, PH_E_RANGE,
        "inertia has the principal moments 1, 1, 2.1 kg m^2, which no body has", V("inertia", 1, 1, 2.1)),
    ROW("heavy-top", NULL, PH_E_SINGULAR,
        "inertia and centre leave a turn about the joint that moves no mass (principal moments about it: 0, 16, 16 kg m^2), as with a thin rod hung along itself",
        V("inertia", 1, 0, 1)),
    ROW("pendulum-3d", NULL, PH_E_SINGULAR,
        "inertia and centre leave a turn about the joint that moves no mass", V("inertia", 0, 0, 0)),
    ROW("pendulum-3d", NULL, PH_E_RANGE,
        "inertia with these products has the principal moments -1, 1, 3 kg m^2; no body has a negative one",
        V("inertia", 1, 1, 1), V("products", 2, 0, 0)),
    ROW("pendulum-3d", NULL, PH_E_RANGE,
        "inertia has the principal moments 0.1, 1, 1.9 kg m^2, which no body has", V("inertia", 1, 1, 1),
        V("products", 0, 0, 0.9)),
    ROW("rigid-chain", NULL, PH_E_RANGE, "entry 2 of masses is -1 kg; it must be positive",
        V("masses", 1, -1)),
    ROW("rigid-chain", NULL, PH_E_SIZE,
        "masses has 2 numbers, but there are 3 bodies; give 3 numbers, or one for all", V("masses", 1, 1),
        V("bodies", 3)),
    ROW("rigid-chain", NULL, PH_E_SIZE,
        "masses has 0 numbers; give one number for each body, or one for all [kg]", {"masses", NULL, 0}),
    ROW("rigid-chain", NULL, PH_E_SINGULAR,
        "inertia and centre leave a turn about the joint that moves no mass", V("inertia", 1, 1, 0)),
    ROW("rigid-chain", NULL, PH_E_RANGE, "bodies is 10000001; it must be a whole number from 0 to 10000000",
        V("bodies", 10000001)),
    /* Carts. */
    ROW("cart-chain", NULL, PH_E_INVALID,
        "gravity is (1, 0, -9) m/s^2; it must be along e3, as a number g or (0, 0, -g): the cart stays on the plane",
        V("gravity", 1, 0, -9)),
    ROW("quadrotor-cable", NULL, PH_E_INVALID, "gravity is (0, -9.81, 0) m/s^2; it must",
        V("gravity", 0, -9.81, 0)),
    ROW("planar-cart", NULL, PH_E_SIZE, "gravity has 3 numbers; give one number", V("gravity", 0, -9.81, 0)),
    ROW("cart-chain", NULL, PH_E_RANGE, "cart_mass is 0 kg; it must be positive", V("cart_mass", 0)),
    ROW("cart-chain", NULL, PH_E_RANGE, "links is 10000001; it must be a whole number from 0 to 10000000",
        V("links", 10000001)),
    ROW("quadrotor-cable", NULL, PH_E_RANGE,
        "inertia has the principal moments 1, 1, 3 kg m^2, which no body has", V("inertia", 1, 1, 3)),
    ROW("quadrotor-cable", NULL, PH_E_RANGE, "entry 2 of inertia is 0 kg m^2", V("inertia", 1, 0, 1)),
    ROW("quadrotor-cable", NULL, PH_E_RANGE,
        "links is 10000001; it must be a whole number from 0 to 10000000", V("links", 10000001)),
    ROW("quadrotor-cable", NULL, PH_E_RANGE, "mass is -1 kg; it must be positive", V("mass", -1)),
    /* Rods and trees. */
    ROW("cantilever", NULL, PH_E_INVALID, "direction is (0, 0, 0); give the vector", V("direction", 0, 0, 0)),
    ROW("cantilever", NULL, PH_E_RANGE, "links is 0; it must be a whole number from 1 to 1000000",
        V("links", 0)),
    ROW("cantilever", NULL, PH_E_RANGE, "bending_stiffness is -1 N m^2; it must be",
        V("bending_stiffness", -1)),
    ROW("elastic-chain", NULL, PH_E_RANGE, "links is 1000001; it must be", V("links", 1000001)),
    ROW("elastic-chain", NULL, PH_E_SIZE, "lengths has 3 numbers, but there are 2 links",
        V("lengths", 1, 2, 3), V("links", 2)),
    ROW("elastic-chain", NULL, PH_E_SIZE, "masses has 3 numbers, but there are 2 links", V("masses", 1, 2, 3),
        V("links", 2)),
    ROW("elastic-chain", NULL, PH_E_RANGE, "entry 3 of masses is 0; give a positive number for each link",
        V("masses", 1, 2, 0)),
    ROW("elastic-chain", NULL, PH_E_RANGE, "entry 1 of lengths is 0; give", V("lengths", 0, 2)),
    ROW("hanging-cable", NULL, PH_E_RANGE, "anchor_stiffness is -1 N/m; it must", V("anchor_stiffness", -1)),
    ROW("branching-pendulum", NULL, PH_E_RANGE,
        "entry 3 of parents is 3; link 3 must hang on a link before it, from 1 to 2, or on the fixed point, 0",
        V("parents", 0, 1, 3)),
    ROW("branching-pendulum", NULL, PH_E_RANGE, "entry 2 of parents is 0.5; link 2 must",
        V("parents", 0, 0.5)),
    ROW("branching-pendulum", NULL, PH_E_RANGE, "entry 2 of parents is -1; link 2 must", V("parents", 0, -1)),
    ROW("branching-pendulum", NULL, PH_E_SIZE,
        "masses has 2 numbers, but there are 7 links; give 7 numbers, or one for all", V("masses", 1, 2)),
    ROW("branching-pendulum", NULL, PH_E_SIZE, "lengths has 2 numbers, but there are 7", V("lengths", 1, 2)),
    ROW("branching-pendulum", NULL, PH_E_RANGE,
        "a tree of depth 21 with 2 branches has more than 1000000 links", V("depth", 21)),
    ROW("branching-pendulum", NULL, PH_E_RANGE, "branches is 101; it must be", V("branches", 101)),
    /* Lattices of spins. */
    ROW("spin-chain", NULL, PH_E_INVALID, "spins is 1 and periodic: the site would be its own neighbour",
        V("spins", 1)),
    ROW("spin-chain", NULL, PH_E_INVALID, "spins is 2 and periodic: both bonds would be between the same two",
        V("spins", 2)),
    ROW("spin-lattice", NULL, PH_E_INVALID, "side_y is 2 and periodic", V("side_y", 2)),
    ROW("spin-lattice", NULL, PH_E_INVALID, "side_z is 1 and periodic", V("periodic_z", 1)),
    ROW("spin-lattice", NULL, PH_E_RANGE, "the lattice has more than 10000000 sites", V("side_x", 1e7),
        V("side_y", 3)),
    ROW("spin-chain", NULL, PH_E_INVALID, "the strength of spin 2 is 0", V("strengths", 1, 0, 1)),
    ROW("spin-chain", NULL, PH_E_INVALID, "the strength of spin 1 is 0", V("strengths", 0)),
    ROW("spin-chain", NULL, PH_E_RANGE, "entry 3 of damping is -1 1/(J s); it must be at least 0",
        V("damping", 0, 0, -1)),
    ROW("spin-lattice", NULL, PH_E_SIZE, "strengths has 3 numbers, but there are 16 sites",
        V("strengths", 1, 2, 3)),
    ROW("spin-chain", "domain-wall", PH_E_RANGE,
        "exchange is 1 J, delta 1, anisotropy with that of bonds along the wall 0 J; a domain wall needs",
        V("delta", 1)),
    ROW("spin-chain", "domain-wall", PH_E_RANGE, "exchange is -1 J", V("exchange", -1)),
    /* One spin. */
    ROW("reduced-rigid-body", NULL, PH_E_RANGE, "inertia", V("inertia", 1, 1, 3)),
    ROW("reduced-rigid-body", NULL, PH_E_RANGE, "momentum is -1 kg m^2/s; it must be positive",
        V("momentum", -1)),
    ROW("bloch-sphere", NULL, PH_E_RANGE, "damping is -1; it must be at least 0", V("damping", -1)),
    ROW("bloch-sphere", NULL, PH_E_RANGE, "circular is 2; it must be from -1 to 1", V("circular", 2)),
    ROW("bloch-sphere", NULL, PH_E_RANGE, "pulse is -1 s; it must be at least 0", V("pulse", -1)),
    /* Vortices. */
    ROW("point-vortices", "ring", PH_E_RANGE, "vortices is 1; one vortex rests: there must be at least 2",
        V("vortices", 1)),
    ROW("point-vortices", "cloud", PH_E_RANGE, "the circulation of vortex 2 is 0",
        V("circulations", 1, 0, 2)),
    ROW("point-vortices", "two", PH_E_SIZE, "the initial condition two is one of 2 vortices, but there are 4",
        V("circulations", 1, 2, 3, 4)),
    ROW("point-vortices", "collapse", PH_E_SIZE,
        "the initial condition collapse is one of 3 vortices, but there are 4",
        V("circulations", 1, 2, 3, 4)),
    ROW("point-vortices", "street", PH_E_SIZE,
        "the initial condition street is one of two equal rings, but there are 5 vortices",
        V("circulations", 1, 1, 1, 1, 1)),
};

/* Building or, where that is allowed, the initial condition; without an error to write to alike. Nothing is handed out. */
TEST_EACH(refused_and_said_why, (sizeof refused / sizeof *refused))
{
    const ph_parameter_value *values = refused[_i].value;
    const size_t n = values[1].name || values[1].values ? 2 : 1;
    const char *preset = refused[_i].preset;
    const ph_model *model = ph_model_find(refused[_i].model, NULL);
    double z[600], zdot[600];
    size_t nz = 0;
    ph_system *system = (ph_system *)&system;
    ph_error err = {PH_OK, ""};
    ph_status status = ph_model_build_for(model, preset, values, n, &system, &err);
    if (status) {
        ck_assert_ptr_null(system);
        ck_assert_int_eq(ph_model_build_for(model, preset, values, n, &system, NULL), status);
    } else {
        nz = ph_space_ambient(ph_system_space(system));
        ck_assert_uint_le(nz, sizeof z / sizeof *z);
        status = ph_model_preset(model, values, n, preset, nz, z, zdot, &err);
        ph_system_free(system);
    }
    ck_assert_int_eq(status, refused[_i].status);
    ck_assert_int_eq(err.status, status);
    ck_assert_msg(!strncmp(err.message, refused[_i].said, strlen(refused[_i].said)), "\"%s\"", err.message);
    ck_assert_int_eq(ph_model_preset(model, values, n, preset, nz, z, zdot, NULL), status);
}

int main(void)
{
    return tk_run("what models refuse");
}
