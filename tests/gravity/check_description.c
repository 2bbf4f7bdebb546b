/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of bodies under mutual gravity: what it refuses, its parts, and the system that is built from it: gradient
 * against the potential, sums of forces and torques, two bodies by their distance alone against the two of them in space. */
#include <polhode/domain/gravitation.h>

#include "tests/kit/binaries.h"

enum { BODIES = 4 };

/* Two bodies of general shape, a sphere that turns and a point. */
static void draw_bodies(tk_random *r, ph_mass mass[BODIES])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (size_t i = 0; i < 2; i++) {
        mass[i] = (ph_mass){{0}, {0}, 0};
        for (size_t k = 0; k < 5; k++) {
            ph_mass part;
            double place[3] = {tk_uniform(r, -.3, .3), tk_uniform(r, -.3, .3), tk_uniform(r, -.3, .3)};
            tk_ok(ph_mass_sphere(tk_uniform(r, .5, 1), .1, &part, NULL));
            ph_mass_add(&part, place, identity, &mass[i]);
        }
        ph_mass_center(&mass[i], NULL);
    }
    tk_ok(ph_mass_sphere(.7, .2, &mass[2], NULL));
    tk_ok(ph_mass_sphere(.4, 0, &mass[3], NULL));
}

static ph_gravitation *describe(const ph_mass *mass, size_t bodies, bool relative)
{
    const ph_gravitation_definition d = {
        .bodies = bodies, .mass = mass, .order = 5, .G = 1.3, .relative = relative};
    return tk_gravitation(d);
}

/* Places some units apart, attitudes at random, and velocities. */
static void draw_state(const ph_system *system, tk_random *r, double *z, double *zdot)
{
    const size_t places = ph_gravitation_places(ph_system_gravitation(system));
    tk_random_motion(system, r, z, zdot);
    for (size_t k = 0; k < 3 * places; k++)
        z[k] = 3 * (double)(k / 3 + 1) * (k % 3 == 0) + tk_uniform(r, -.4, .4);
}

TEST(parts)
{
    tk_random r = {11};
    ph_mass mass[BODIES];
    draw_bodies(&r, mass);
    ph_system *system = tk_gravitating(describe(mass, BODIES, false));
    const ph_gravitation *g = ph_system_gravitation(system);
    ck_assert_ptr_nonnull(g);
    ck_assert_uint_eq(ph_gravitation_bodies(g), 4);
    ck_assert_uint_eq(ph_gravitation_places(g), 4);
    ck_assert_uint_eq(ph_gravitation_attitudes(g), 3); /* not of the point */
    ck_assert_uint_eq(ph_gravitation_attitude(g, 2), 2);
    ck_assert_uint_eq(ph_gravitation_attitude(g, 3), PH_NO_INDEX);
    ck_assert_uint_eq(ph_gravitation_order(g), 5);
    ck_assert_double_eq(ph_gravitation_constant(g), 1.3);
    ck_assert(!ph_gravitation_is_relative(g));
    ck_assert_double_eq(ph_gravitation_inertia(g)[2], .7);
    ck_assert_mem_eq(ph_gravitation_mass(g, 1), &mass[1], sizeof mass[1]);
    ck_assert_ptr_null(ph_gravitation_mass(g, 4));
    ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), 7);
    ck_assert_uint_eq(ph_system_symmetries(system), 6);
    ph_system_free(system);

    TK_OWN(ph_system) *top = tk_model("heavy-top");
    ck_assert_ptr_null(ph_system_gravitation(top));
}

/* The check of derivatives compares gradient and potential along the manifold; forces and torques are from the same
 * potential, without callbacks. Sums: forces cancel to the last bits, and so do the moments about the origin. */
TEST(forces)
{
    tk_random r = {12};
    ph_mass mass[BODIES];
    draw_bodies(&r, mass);
    for (int relative = 0; relative < 2; relative++) {
        TK_OWN(ph_system) *system = tk_gravitating(describe(mass, relative ? 2 : BODIES, relative));
        const ph_gravitation *g = ph_system_gravitation(system);
        const size_t places = ph_gravitation_places(g), turning = ph_gravitation_attitudes(g);
        double z[3 * BODIES + 27], zdot[3 * BODIES + 27], F[3 * BODIES], T[9], U, callback,
            sum[3] = {0}, moment[3] = {0}, size = 0;
        draw_state(system, &r, z, zdot);
        ph_derivative_report report;
        tk_ok(ph_system_check_derivatives(system, 0, z, zdot, &report, NULL));
        ck_assert_double_le(ph_derivative_report_entry(&report, PH_DERIVATIVE_POTENTIAL)->error,
                            1e-10); /* differences */
        ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, z, F, T, &U);
        tk_ok(ph_system_potential(system, z, &callback));
        ck_assert_double_eq(U, callback);
        for (size_t i = 0; i < places; i++) {
            double arm[3];
            ph_cross3(z + 3 * i, F + 3 * i, arm);
            for (size_t k = 0; k < 3; k++) {
                sum[k] += F[3 * i + k];
                moment[k] += arm[k];
                size = fmax(size, fabs(F[3 * i + k]));
            }
        }
        for (size_t i = 0; i < turning; i++) {
            double in_space[3];
            ph_apply3(z + 3 * places + 9 * i, T + 3 * i, in_space);
            for (size_t k = 0; k < 3; k++)
                moment[k] += in_space[k];
        }
        if (!relative)
            ck_assert_double_le(ph_norm3(sum), 4e-16 * size);
        ck_assert_double_le(ph_norm3(moment), 5e-15 * size); /* arms of 12 units */
    }
}

/* Points and shapes are evaluated apart, and their sum is the whole. */
TEST(apart)
{
    tk_random r = {13};
    ph_mass mass[BODIES];
    draw_bodies(&r, mass);
    TK_OWN(ph_system) *system = tk_gravitating(describe(mass, BODIES, false));
    const ph_gravitation *g = ph_system_gravitation(system);
    double z[39], zdot[39], F[3][12], T[3][9], U[3], newton = 0;
    draw_state(system, &r, z, zdot);
    for (unsigned part = 1; part <= 3; part++)
        ph_gravitation_forces(g, part, 0, z, F[part - 1], T[part - 1], &U[part - 1]);
    for (size_t i = 0; i < BODIES; i++)
        for (size_t j = 0; j < i; j++) {
            const double d[3] = {z[3 * i] - z[3 * j], z[3 * i + 1] - z[3 * j + 1],
                                 z[3 * i + 2] - z[3 * j + 2]};
            newton -= 1.3 * mass[i].moment[0] * mass[j].moment[0] / ph_norm3(d);
        }
    ck_assert_double_eq_tol(U[0], newton, 1e-15 * fabs(newton));
    ck_assert_double_eq_tol(U[0] + U[1], U[2], 1e-15 * fabs(newton));
    ck_assert_double_ge(fabs(U[1]), 1e-4 * fabs(newton));
    for (size_t k = 0; k < 12; k++)
        ck_assert_double_eq_tol(F[0][k] + F[1][k], F[2][k], 2e-15);
    for (size_t k = 0; k < 9; k++) {
        ck_assert_double_eq(T[0][k], 0);
        ck_assert_double_eq_tol(T[1][k], T[2][k], 1e-16);
    }
}

/* Two bodies whose barycentre rests: the distance alone moves as that of both in space. */
TEST(distance)
{
    tk_random r = {14};
    ph_mass mass[BODIES];
    draw_bodies(&r, mass);
    TK_OWN(ph_system) *alone = tk_gravitating(describe(mass, 2, true)),
                      *both = tk_gravitating(describe(mass, 2, false));
    const double M = mass[0].moment[0] + mass[1].moment[0],
                 share[2] = {-mass[1].moment[0] / M, mass[0].moment[0] / M};
    double z[21], zdot[21], Z[24], Zdot[24], x[6];
    draw_state(alone, &r, z, zdot);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k++) {
            Z[3 * i + k] = share[i] * z[k];
            Zdot[3 * i + k] = share[i] * zdot[k];
        }
    memcpy(Z + 6, z + 3, 18 * sizeof *Z);
    memcpy(Zdot + 6, zdot + 3, 18 * sizeof *Z);
    ph_integrator *it[2];
    ph_state *s[2];
    tk_start(alone, "variational", NULL, 0.02, z, zdot, &it[0], &s[0]);
    tk_start(both, "variational", NULL, 0.02, Z, Zdot, &it[1], &s[1]);
    for (size_t i = 0; i < 2; i++)
        tk_steps(it[i], s[i], 50);
    tk_ok(ph_system_places(alone, 0, s[0]->z, x));
    ck_assert_double_le(tk_max_difference(x, s[1]->z, 6), 3e-14); /* 50 steps of a motion of 6 units */
    ck_assert_double_le(tk_max_difference(s[0]->z + 3, s[1]->z + 6, 18), 3e-14);
    for (size_t i = 0; i < 2; i++)
        tk_end(it[i], s[i]);
}

static void refused(const ph_gravitation_definition *d, ph_status status, const char *words)
{
    ph_gravitation *g = NULL;
    tk_returns(ph_gravitation_create(d, &g, tk_err), status);
    ck_assert_msg(strstr(tk_err->message, words) != NULL, "\"%s\" is not in \"%s\"", words, tk_err->message);
    ck_assert_ptr_null(g);
}

TEST(bad)
{
    tk_random r = {15};
    ph_mass mass[BODIES], wrong[BODIES];
    draw_bodies(&r, mass);
    ph_gravitation_definition d = {.bodies = 4, .mass = mass, .order = 2, .G = 1};
    d.bodies = 1;
    refused(&d, PH_E_RANGE, "1 bodies");
    d.bodies = 4;
    d.relative = true;
    refused(&d, PH_E_RANGE, "only two");
    d.relative = false;
    d.order = 9;
    refused(&d, PH_E_RANGE, "order 9; it must be at most 8");
    d.order = 2;
    d.G = -1;
    refused(&d, PH_E_RANGE, "G is -1");
    d.G = NAN;
    refused(&d, PH_E_RANGE, "G is nan");
    d.G = 1;
    d.mass = wrong;
    memcpy(wrong, mass, sizeof mass);
    wrong[1].moment[7] = NAN;
    refused(&d, PH_E_NOT_FINITE, "body 2");
    memcpy(wrong, mass, sizeof mass);
    wrong[2].moment[0] = 0;
    refused(&d, PH_E_RANGE, "mass of body 3 is 0 kg");
    memcpy(wrong, mass, sizeof mass);
    wrong[0].moment[2] = 0.1;
    refused(&d, PH_E_INVALID, "body 1 is not about its centre of mass");
    memcpy(wrong, mass, sizeof mass);
    wrong[1].J[0] = -1;
    refused(&d, PH_E_INVALID, "body 2 is not positive definite");
    const bool turning[BODIES] = {true, true, true, true};
    memcpy(wrong, mass, sizeof mass);
    d.turning = turning;
    refused(&d, PH_E_INVALID, "body 4 is not positive definite"); /* a point that is to turn */
}

/* A body whose shape counts and that is held by its axes: nothing turns with it, so that the angular momentum is none of the
 * symmetries, and changes; the linear momentum is one. At order 0 its shape does not count. */
TEST(held)
{
    static const double half_axes[3] = {.3, .2, .1}, q[6] = {0, 0, 0, 1, .5, .2};
    static const bool turning[2] = {false, false};
    ph_mass mass[2];
    tk_ok(ph_mass_ellipsoid(1, half_axes, &mass[0], NULL));
    tk_ok(ph_mass_sphere(.3, 0, &mass[1], NULL));
    for (size_t order = 0; order <= 2; order += 2)
        for (int relative = 0; relative < 2; relative++) {
            const ph_gravitation_definition d = {
                .bodies = 2, .mass = mass, .turning = turning, .order = order, .G = 1, .relative = relative};
            double force[6], torque[1], U;
            ph_gravitation *g = tk_gravitation(d);
            ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, relative ? q + 3 : q, force, torque, &U);
            const double moment = q[3] * force[relative ? 1 : 4] - q[4] * force[relative ? 0 : 3];
            TK_OWN(ph_system) *system = tk_gravitating(g);
            ck_assert_uint_eq(ph_system_symmetries(system), (order ? 0 : 3) + (relative ? 0 : 3));
            if (order && !relative)
                ck_assert_str_eq(ph_system_symmetry(system, 0)->name, "Px");
            /* the term of order 2 is of the size m (a^2 - b^2)/r^3 = 1e-2 */
            ck_assert(order ? fabs(moment) > 1e-3 : fabs(moment) < 1e-16);
        }
}

int main(void)
{
    return tk_run("description");
}
