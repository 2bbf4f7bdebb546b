/* SPDX-License-Identifier: BSD-3-Clause */
/* The short form of the continuous equations of bodies under mutual gravity, in angular velocities, against the general one for
 * any inertia, in velocities: the same accelerations, also with given bodies, tides and another force. */
#include <polhode/domain/gravitation.h>
#include <polhode/kit/equations.h>
#include <polhode/kit/vector.h>

#include "tests/kit/binaries.h"

enum { Z = 12 * TK_BINARY_BODIES, P = 6 * TK_BINARY_BODIES, Y = Z + P, WORK = 20000 };

static ph_status push(void *user, double t, const double *z, const double *zdot, double *f)
{
    const size_t nz = *(const size_t *)user;
    for (size_t i = 0; i < nz; i++)
        f[i] += 1e5 * sin(1e-3 * t + (double)i + z[i] / (1 + fabs(z[i]))) + 1e3 * zdot[(i + 1) % nz];
    return PH_OK;
}

/* Of the case with a Sun and tides. */
static ph_system *perturbed(tk_binary which)
{
    ph_mass masses[TK_BINARY_BODIES];
    ph_tide tides[TK_BINARY_BODIES];
    const ph_given_body sun = {.mass = 1.989e30, .orbit = {.axis = 1.5e11, .eccentricity = 0.2}};
    ph_system *system;
    for (size_t i = 0; i < tk_binary_bodies(which); i++) {
        masses[i] = tk_binary_mass(which, i);
        tides[i] = (ph_tide){.love = 0.1, .radius = masses[i].radius, .lag = 0.1, .density = 2000};
    }
    const ph_gravitation_definition definition = {.bodies = tk_binary_bodies(which),
                                                  .mass = masses,
                                                  .order = 4,
                                                  .G = tk_binary_G(which),
                                                  .given = &sun,
                                                  .n_given = 1,
                                                  .tides = tides};
    ph_gravitation *gravitation = tk_gravitation(definition);
    tk_ok(ph_gravitation_build(gravitation, &system, NULL));
    return system;
}

/* Accelerations in units of the largest of their kind: of places, of attitudes. */
static void compare(const ph_system *system, tk_binary which, const char *what)
{
    const ph_gravitation *g = ph_system_gravitation(system);
    const size_t nz = ph_space_ambient(ph_system_space(system)), places = 3 * ph_gravitation_places(g);
    const ph_field *general = ph_field_find("q-qdot", NULL), *quick = ph_field_find("q-omega", NULL);
    double z[Z], p[P], y[2][2 * Y], ydot[2][2 * Y], work[WORK], off[2] = {0, 0}, size[2] = {0, 0}, square = 0;
    ck_assert_uint_le(general->work(system), WORK);
    ck_assert_uint_le(quick->work(system), WORK);
    tk_binary_start(system, which, z, p);
    tk_ok(general->from_momentum(system, 0, z, p, y[0], work));
    tk_ok(quick->from_momentum(system, 0, z, p, y[1], work));
    tk_ok(general->evaluate(system, 123, y[0], ydot[0], work));
    tk_ok(quick->evaluate(system, 123, y[1], ydot[1], work));
    ck_assert_double_le(tk_max_difference(ydot[0], ydot[1], nz), 1e-15); /* zdot: turned by w or as it is */
    for (size_t k = 0; k < places; k++) {
        off[0] = tk_max(off[0], fabs(ydot[0][nz + k] - ydot[1][nz + k]));
        size[0] = tk_max(size[0], fabs(ydot[0][nz + k]));
    }
    for (size_t k = nz + places; k < quick->size(system); k++)
        square = tk_max(square, y[1][k] * y[1][k]);
    for (size_t i = 0; places + 9 * i < nz; i++) { /* R^T Rddot = S(Omegadot) + S(Omega)^2: its skew part */
        double A[9], turn[3];
        ph_transposed_multiply3(z + places + 9 * i, ydot[0] + nz + places + 9 * i, A);
        ph_vee3(A, turn);
        for (size_t k = 0; k < 3; k++) {
            off[1] = tk_max(off[1], fabs(turn[k] - ydot[1][nz + places + 3 * i + k]));
            size[1] = tk_max(size[1], fabs(turn[k]));
        }
    }
    printf("%-10s %-20s accelerations off by %.1e and %.1e of %.1e m/s^2 and %.1e rad/s^2\n",
           tk_binary_name(which), what, off[0] / size[0], off[1] / size[1], size[0], size[1]);
    ck_assert_double_le(off[0], 4e-15 * size[0]);
    /* of R^T Rddot a part of the size of Omega^2 cancels */
    ck_assert_double_le(off[1], 4e-15 * size[1] + 1e-15 * square);
}

TEST_EACH(short_form, TK_BINARIES)
{
    const tk_binary which = (tk_binary)_i;
    for (int relative = 0; relative < (tk_binary_bodies(which) == 2 ? 2 : 1); relative++) {
        ph_system *system = tk_binary_system(which, 4, relative), *forced;
        size_t nz = ph_space_ambient(ph_system_space(system));
        const ph_system_definition more = {.force = push, .user = &nz};
        compare(system, which, relative ? "relative" : "inertial");
        tk_ok(ph_system_create_forced(system, &more, &forced, NULL));
        compare(forced, which, relative ? "relative, forced" : "inertial, forced");
        ph_system_free(forced);
        ph_system_free(system);
    }
    TK_OWN(ph_system) *system = perturbed(which);
    compare(system, which, "Sun and tides");
}

int main(void)
{
    return tk_run("equations of bodies under mutual gravity");
}
