/* SPDX-License-Identifier: BSD-3-Clause */
/* The mechanical system of bodies under mutual gravity (polhode/gravitation.h), for every method: places in R^3, attitudes in
 * SO(3), a constant inertia, the potential and its gradient. On SO(3) dU/dR = -(1/2) R S(T), whose moment on the body is T. */
#include "gravitation.h"

#include "lib/system/system.h"

#include <polhode/vector.h>

#include <stdlib.h>
#include <string.h>

/* ---- Callbacks -------------------------------------------------------------------------------------------------- */

/* The description and room for forces; callbacks may be called by several threads, so that room is on the stack for few bodies
 * and taken from the heap for many. */
enum { FEW = 32 };

static ph_status evaluate(const ph_gravitation *g, const double *z, double *dU, double *U)
{
    double few[6 * FEW], *force = few, energy;
    const size_t count = 3 * (g->places + g->attitudes);
    if (count > sizeof few / sizeof few[0] && !(force = malloc(count * sizeof *force)))
        return PH_E_NO_MEMORY;
    double *torque = force + 3 * g->places;
    ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, z, force, torque, &energy);
    if (U)
        *U = energy;
    for (size_t k = 0; dU && k < 3 * g->places; k++)
        dU[k] = -force[k];
    for (size_t i = 0; dU && i < g->attitudes; i++) {
        const double *R = z + 3 * g->places + 9 * i;
        double *to = dU + 3 * g->places + 9 * i;
        for (size_t row = 0; row < 3; row++) { /* row of R S(T) is (row of R) x T */
            ph_cross3(R + 3 * row, torque + 3 * i, to + 3 * row);
            for (size_t k = 0; k < 3; k++)
                to[3 * row + k] *= -0.5;
        }
    }
    if (force != few)
        free(force);
    return PH_OK;
}

static ph_status potential(void *user, const double *z, double *U)
{
    return evaluate(user, z, NULL, U);
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    return evaluate(user, z, dU, NULL);
}

/* x (3 x bodies) <- where they are. */
static ph_status points(void *user, const double *z, double *x)
{
    const ph_gravitation *g = user;
    if (!g->relative) {
        memcpy(x, z, 3 * g->n * sizeof *x);
        return PH_OK;
    }
    const double a = g->body[0].mass.moment[0], b = g->body[1].mass.moment[0];
    for (size_t k = 0; k < 3; k++) {
        x[k] = -b / (a + b) * z[k];
        x[3 + k] = a / (a + b) * z[k];
    }
    return PH_OK;
}

/* ---- Symmetries ------------------------------------------------------------------------------------------------- */

/* xi (np) <- all places move along an axis. */
static void move_along(const ph_gravitation *g, size_t axis, double *xi)
{
    memset(xi, 0, 3 * (g->places + g->attitudes) * sizeof *xi);
    for (size_t i = 0; i < g->places; i++)
        xi[3 * i + axis] = 1;
}

static ph_status along_x(void *user, const double *z, double *xi)
{
    (void)z;
    move_along(user, 0, xi);
    return PH_OK;
}

static ph_status along_y(void *user, const double *z, double *xi)
{
    (void)z;
    move_along(user, 1, xi);
    return PH_OK;
}

static ph_status along_z(void *user, const double *z, double *xi)
{
    (void)z;
    move_along(user, 2, xi);
    return PH_OK;
}

static const ph_symmetry symmetries[] = {
    {"Lx", "angular momentum about e1 through the origin", "kg m^2/s", {1, 0, 0}, NULL},
    {"Ly", "angular momentum about e2 through the origin", "kg m^2/s", {0, 1, 0}, NULL},
    {"Lz", "angular momentum about e3 through the origin", "kg m^2/s", {0, 0, 1}, NULL},
    {"Px", "linear momentum along e1", "kg m/s", {0, 0, 0}, along_x},
    {"Py", "linear momentum along e2", "kg m/s", {0, 0, 0}, along_y},
    {"Pz", "linear momentum along e3", "kg m/s", {0, 0, 0}, along_z},
};

/* ---- Building --------------------------------------------------------------------------------------------------- */

static void free_description(void *user)
{
    ph_gravitation_free(user);
}

static ph_status make_space(const ph_gravitation *g, ph_space **space, ph_error *err)
{
    const size_t n = g->places + g->attitudes;
    ph_factor *factors = calloc(n, sizeof *factors);
    if (!factors)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        factors[i] =
            i < g->places ? (ph_factor){.kind = PH_FACTOR_R, .d = 3} : (ph_factor){.kind = PH_FACTOR_SO3};
    ph_status status = ph_space_create(factors, n, space, err);
    free(factors);
    return status;
}

/* MM (nz x nz): masses, and J_d = (tr J / 2) I - J for each row of an attitude. */
static void fill_inertia(const ph_gravitation *g, size_t nz, double *MM)
{
    for (size_t k = 0; k < 3 * g->places; k++)
        MM[k * nz + k] = g->inertia[k / 3];
    for (size_t i = 0; i < g->n; i++) {
        const double *J = g->body[i].mass.J, half = 0.5 * (J[0] + J[4] + J[8]);
        const size_t at = 3 * g->places + 9 * g->body[i].attitude;
        if (g->body[i].attitude == PH_NO_INDEX)
            continue;
        for (size_t row = at; row < at + 9; row += 3)
            for (size_t k = 0; k < 9; k++)
                MM[(row + k / 3) * nz + row + k % 3] = (k % 4 ? 0 : half) - J[k];
    }
}

ph_status ph_gravitation_build(ph_gravitation *g, ph_system **system, ph_error *err)
{
    ph_space *space = NULL;
    double *MM = NULL;
    ph_status status = make_space(g, &space, err);
    const size_t nz = status ? 0 : ph_space_ambient(space);
    if (!status && !(MM = calloc(nz * nz, sizeof *MM)))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status) {
        ph_gravitation_free(g);
    } else {
        fill_inertia(g, nz, MM);
        const ph_system_definition definition = {.space = space,
                                                 .ambient_inertia = MM,
                                                 .potential = potential,
                                                 .gradient = gradient,
                                                 .gradient_on_manifold = g->attitudes > 0,
                                                 .points = points,
                                                 .n_points = g->n,
                                                 .symmetries = symmetries,
                                                 .n_symmetries = g->relative ? 3 : 6,
                                                 .user = g,
                                                 .user_free = free_description};
        status = ph_system_create(&definition, system, err);
    }
    free(MM);
    ph_space_free(space);
    return status;
}

const ph_gravitation *ph_system_gravitation(const ph_system *system)
{
    const ph_system_definition *root = &ph_system_root(system)->is;
    return root->user_free == free_description ? root->user : NULL;
}
