/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of bodies under mutual gravity: presets against the definitions of problems that are known to many digits, Kepler
 * motion against its closed form, steady and periodic motions, many points. */
#include "tests/kit/binaries.h"

#include <polhode/domain/elements.h>
#include <polhode/domain/gravitation.h>
#include <polhode/kit/algebra.h>

static const double pi = 3.14159265358979323846;

static ph_system *begin(const char *model, const char *preset, const ph_parameter_value *values, size_t n,
                        double *z, double *zdot)
{
    ph_system *system = NULL;
    const ph_model *m = ph_model_find(model, NULL);
    ck_assert_ptr_nonnull(m);
    tk_ok(ph_model_build_for(m, preset, values, n, &system, tk_err));
    tk_ok(ph_model_preset(m, values, n, preset, ph_space_ambient(ph_system_space(system)), z, zdot, tk_err));
    return system;
}

/* ---- Presets of asteroids ------------------------------------------------------------------------------ */

static const struct {
    const char *model, *preset;
    tk_binary is;
} known[] = {
    {"binary", "ellipsoids", TK_ELLIPSOIDS},
    {"binary", "kw4", TK_KW4},
    {"binary", "didymos", TK_DIDYMOS},
    {"binary", "octahedra", TK_OCTAHEDRA},
    {"rigid-n-body", "ellipsoids", TK_ELLIPSOIDS},
    {"rigid-n-body", "kw4", TK_KW4},
    {"rigid-n-body", "didymos", TK_DIDYMOS},
    {"rigid-n-body", "octahedra", TK_OCTAHEDRA},
    {"rigid-n-body", "triple", TK_TRIPLE},
};

/* The same masses, G, and state, to roundings of sums. */
TEST_EACH(presets_are_those_problems, sizeof known / sizeof known[0])
{
    const bool relative = !strcmp(known[_i].model, "binary");
    double z[40], zdot[40], p[30], z0[40], p0[30];
    TK_OWN(ph_system) *system = begin(known[_i].model, known[_i].preset, NULL, 0, z, zdot);
    TK_OWN(ph_system) *other = tk_binary_system(known[_i].is, 4, relative);
    const ph_gravitation *g = ph_system_gravitation(system);
    ck_assert_double_eq(ph_gravitation_constant(g), tk_binary_G(known[_i].is));
    ck_assert_uint_eq(ph_gravitation_order(g), 4);
    ck_assert_uint_eq(ph_gravitation_bodies(g), tk_binary_bodies(known[_i].is));
    for (size_t i = 0; i < ph_gravitation_bodies(g); i++) {
        const ph_mass a = *ph_gravitation_mass(g, i), b = tk_binary_mass(known[_i].is, i);
        double scale = a.moment[0];
        for (size_t n = 0; n <= 8; n++, scale *= a.radius)
            ck_assert_double_le(tk_max_difference(a.moment + n * n, b.moment + n * n, 2 * n + 1),
                                1e-15 * scale);
        ck_assert_double_le(tk_max_difference(a.J, b.J, 9), 1e-15 * a.moment[0] * a.radius * a.radius);
    }
    tk_momentum(system, z, zdot, p);
    tk_binary_start(other, known[_i].is, z0, p0);
    const size_t places = 3 * ph_gravitation_places(g), nz = ph_space_ambient(ph_system_space(system)),
                 np = ph_space_momenta(ph_system_space(system));
    ck_assert_uint_eq(nz, ph_space_ambient(ph_system_space(other)));
    const double x = tk_max_difference(z, z0, places) / ph_max_norm(z0, places),
                 R = tk_max_difference(z + places, z0 + places, nz - places),
                 P = tk_max_difference(p, p0, places) / ph_max_norm(p0, places),
                 L = tk_max_difference(p + places, p0 + places, np - places) /
                     ph_max_norm(p0 + places, np - places);
    printf("%s %s: places %.1e, attitudes %.1e, momenta %.1e and %.1e\n", known[_i].model, known[_i].preset,
           x, R, P, L);
    ck_assert_double_le(fmax(fmax(x, R), fmax(P, L)), 1e-15);
}

/* ---- Kepler motion --------------------------------------------------------------------------------------- */

/* The place of `ellipse` (a = 1, e = 0.6, from the periapsis, n = 1) at the time t. */
static void ellipse_at(double t, double x[3])
{
    const double e = 0.6;
    double E = t;
    for (int i = 0; i < 60; i++)
        E -= (E - e * sin(E) - t) / (1 - e * cos(E));
    x[0] = cos(E) - e;
    x[1] = sqrt(1 - e * e) * sin(E);
    x[2] = 0;
}

/* Order 8 with 800 steps in a turn: its error is below 1e-11, and ten times the step has a far larger one. */
TEST(kepler)
{
    double z[3], zdot[3], x[3];
    const ph_setting order = {"order", "8"};
    TK_OWN(ph_system) *system = begin("kepler", "ellipse", NULL, 0, z, zdot);
    for (int turns = 1; turns <= 2; turns++) {
        const double t = turns * 2 * pi * 0.9;
        TK_MAKE(ph_integrator, it,
                ph_integrator_create(system, ph_method_find("variational", NULL), t / (720 * turns), &order,
                                     1, &it, NULL));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_STRICT, NULL));
        tk_ok(ph_integrator_step(it, state, 720 * turns));
        ellipse_at(t, x);
        printf("kepler, %.1f turns: off by %.1e\n", 0.9 * turns, tk_max_difference(state->z, x, 3));
        ck_assert_double_le(tk_max_difference(state->z, x, 3), 1e-11);
    }
}

/* Presets have the elements that they say. */
TEST(orbits)
{
    static const struct {
        const char *name;
        double a, e, mean;
    } rows[] = {{"ellipse", 1, 0.6, 0},
                {"circle", 1, 0, 0},
                {"elongated", 1, 0.99, 3.14159265358979323846},
                {"flyby", -2, 1.5, -0.70710678118654752440},
                {"moon", 3.84399e8, 0.0549, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double z[3], zdot[3];
        ph_elements el;
        TK_OWN(ph_system) *system = begin("kepler", rows[i].name, NULL, 0, z, zdot);
        const ph_gravitation *g = ph_system_gravitation(system);
        ph_elements_from_state(ph_gravitation_constant(g) * (ph_gravitation_mass(g, 0)->moment[0] +
                                                             ph_gravitation_mass(g, 1)->moment[0]),
                               z, zdot, &el);
        ck_assert_double_eq_tol(el.a / rows[i].a, 1, 1e-13);
        ck_assert_double_eq_tol(el.e, rows[i].e, 1e-14);
        if (rows[i].e > 0)
            ck_assert_double_eq_tol(fabs(el.mean_anomaly), fabs(rows[i].mean), 1e-13);
    }
}

/* ---- Several points --------------------------------------------------------------------------------------- */

/* The largest change of a place after the time T in this many steps of order 8. */
static double return_error(const ph_system *system, const double *z, const double *zdot, double T,
                           int64_t steps)
{
    const ph_setting order = {"order", "8"};
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(system, ph_method_find("variational", NULL), T / (double)steps, &order, 1,
                                 &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_STRICT, NULL));
    tk_ok(ph_integrator_step(it, state, steps));
    const double off = tk_max_difference(state->z, z, ph_space_ambient(ph_system_space(system)));
    return off;
}

TEST(energies)
{
    double z[18], zdot[18], U;
    /* -(12/5 + 15/4 + 20/3) at rest */
    ph_system *system = begin("n-body", "pythagorean", NULL, 0, z, zdot);
    tk_ok(ph_system_potential(system, z, &U));
    ck_assert_double_eq_tol(U, -12.8166666666666666667, 1e-14);
    ck_assert_double_eq(tk_kinetic(system, z, zdot), 0);
    ph_system_free(system);
    /* -1.287142: Chenciner, Montgomery (2000) */
    system = begin("n-body", "figure-eight", NULL, 0, z, zdot);
    tk_ok(ph_system_potential(system, z, &U));
    ck_assert_double_eq_tol(U + tk_kinetic(system, z, zdot), -1.287142, 5e-7);
    ph_system_free(system);
}

/* Its period is known to 8 decimals, velocities are about 1. */
TEST(eight)
{
    double z[9], zdot[9];
    TK_OWN(ph_system) *system = begin("n-body", "figure-eight", NULL, 0, z, zdot);
    const double off = return_error(system, z, zdot, 6.32591398, 600),
                 half = return_error(system, z, zdot, 3.16295699, 300);
    printf("figure-eight: off by %.1e after a period, by %.2f after half of it\n", off, half);
    ck_assert_double_le(off, 3e-8);
    ck_assert_double_ge(half, 0.5);
}

/* Five equal masses stay on their circle for a turn: the period is by the sum of 1/sin. */
TEST(circle)
{
    static const double five = 5;
    const ph_parameter_value points = {"points", &five, 1};
    double z[15], zdot[15];
    TK_OWN(ph_system) *system = begin("n-body", "circle", &points, 1, z, zdot);
    const double sum = 2 / sin(pi / 5) + 2 / sin(2 * pi / 5);
    ck_assert_double_eq_tol(zdot[1], sqrt(sum / 4), 1e-15);
    const double off = return_error(system, z, zdot, 2 * pi / sqrt(sum / 4), 400);
    printf("circle: off by %.1e after a turn\n", off);
    ck_assert_double_le(off, 1e-10);
}

/* Semi-major axes about the Sun in astronomical units, as in any table to 1 per cent; the barycentre rests. */
TEST(planets)
{
    static const double a[5] = {5.203, 9.55, 19.22, 30.11, 39.5};
    double z[18], zdot[18], p[18], total[3] = {0, 0, 0};
    TK_OWN(ph_system) *system = begin("n-body", "outer-planets", NULL, 0, z, zdot);
    const ph_gravitation *g = ph_system_gravitation(system);
    for (size_t i = 1; i < 6; i++) {
        ph_elements el;
        double x[3], v[3];
        for (size_t k = 0; k < 3; k++) {
            x[k] = z[3 * i + k] - z[k];
            v[k] = zdot[3 * i + k] - zdot[k];
        }
        ph_elements_from_state(ph_gravitation_constant(g) * (ph_gravitation_mass(g, 0)->moment[0] +
                                                             ph_gravitation_mass(g, i)->moment[0]),
                               x, v, &el);
        printf("planet %zu: a = %.3f\n", i, el.a / 149597870700.0);
        ck_assert_double_eq_tol(el.a / 149597870700.0 / a[i - 1], 1, 0.01);
    }
    tk_momentum(system, z, zdot, p);
    for (size_t k = 0; k < 18; k++)
        total[k % 3] += p[k];
    ck_assert_double_le(ph_max_norm(total, 3), 1e-14 * ph_max_norm(p, 18));
}

/* ---- Two spheres ------------------------------------------------------------------------------------------ */

/* `circular` with spheres is a steady motion: after a turn all is where it was, attitudes too. */
TEST(synchronous)
{
    ph_model_body bodies[2] = {{.turning = 1}, {.turning = 1}};
    double z[24], zdot[24];
    tk_ok(ph_mass_sphere(3e11, 300, &bodies[0].mass, NULL));
    tk_ok(ph_mass_sphere(4e10, 150, &bodies[1].mass, NULL));
    bodies[0].turning = bodies[1].turning = 1;
    const ph_parameter_value value = ph_parameter_of_bodies("bodies", bodies, 2);
    for (int k = 0; k < 2; k++) {
        TK_OWN(ph_system) *system = begin(k ? "rigid-n-body" : "binary", NULL, &value, 1, z, zdot);
        const double d = 1350, rate = sqrt(6.6743e-11 * 3.4e11 / (d * d * d));
        const size_t places = k ? 6 : 3;
        const double off = return_error(system, z, zdot, 2 * pi / rate, 400);
        printf("%s: off by %.1e m after a turn\n", k ? "rigid-n-body" : "binary", off);
        ck_assert_double_eq_tol(zdot[places + 3], rate, 1e-15 * rate); /* Rdot_yx of a turn about e3 */
        ck_assert_double_le(off, 1e-7);                                /* 1e-10 of the distance */
    }
}

/* ---- What else acts ----------------------------------------------------------------------------------------- */

static const double pair_a[3] = {425, 415, 340}, pair_b[3] = {88, 85, 58};

/* x (3) <- of a pair 40 000 s later, with these further parameters. */
static void follow_pair(const ph_parameter_value *values, size_t n, const ph_tide tides[2], double x[3])
{
    static const double two = 2, q[4] = {20, 1, 0, 1};
    ph_model_body bodies[2] = {{.turning = 1}, {.turning = 1}};
    ph_parameter_value all[16];
    double z[21] = {1190, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, v[21] = {0, 0.1715, 0}, R[9];
    tk_ok(ph_mass_ellipsoid(5.2e11, pair_a, &bodies[0].mass, NULL));
    tk_ok(ph_mass_ellipsoid(4.5e9, pair_b, &bodies[1].mass, NULL));
    for (size_t i = 0; i < 2; i++) {
        bodies[i].turning = 1;
        bodies[i].tide = tides[i];
    }
    const double s = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double rows[9] = {1 - 2 * (q[2] * q[2] + q[3] * q[3]) / s, 2 * (q[1] * q[2] - q[0] * q[3]) / s,
                            2 * (q[1] * q[3] + q[0] * q[2]) / s,     2 * (q[1] * q[2] + q[0] * q[3]) / s,
                            1 - 2 * (q[1] * q[1] + q[3] * q[3]) / s, 2 * (q[2] * q[3] - q[0] * q[1]) / s,
                            2 * (q[1] * q[3] - q[0] * q[2]) / s,     2 * (q[2] * q[3] + q[0] * q[1]) / s,
                            1 - 2 * (q[1] * q[1] + q[2] * q[2]) / s};
    memcpy(z + 12, rows, sizeof rows);
    for (size_t body = 0; body < 2; body++) { /* Rdot = R S(W) of W = (0, 0, w) */
        const double w = body ? 1.44e-4 : 7.7227e-4;
        memcpy(R, z + 3 + 9 * body, sizeof R);
        for (size_t row = 0; row < 3; row++) {
            v[3 + 9 * body + 3 * row] = w * R[3 * row + 1];
            v[3 + 9 * body + 3 * row + 1] = -w * R[3 * row];
        }
    }
    all[0] = ph_parameter_of_bodies("bodies", bodies, 2);
    all[1] = (ph_parameter_value){"order", &two, 1};
    for (size_t i = 0; i < n; i++)
        all[2 + i] = values[i];
    TK_MAKE(ph_system, system, ph_model_build(ph_model_find("binary", NULL), all, n + 2, &system, tk_err));
    const ph_setting order = {"order", "6"};
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(system, ph_method_find("variational", NULL), 50, &order, 1, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
    ck_assert_msg(!ph_integrator_step(it, state, 800), "%s", ph_integrator_message(it));
    memcpy(x, state->z, 3 * sizeof *x);
}

/* A Sun on a circle moves the pair by 1.4 cm, strong tides by a metre: places to all digits that are known of them (double
 * precision, by Runge-Kutta steps, without a Sun's pull on the figures beyond what is here). */
TEST(sun_and_tides)
{
    static const double mass = 1.989e30, axis = 1.496e11, phase = 0.3;
    static const ph_tide none[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}},
                         tides[2] = {{5, 400, 0.1, 2100}, {5, 77, 0.1, 2100}};
    static const double with_sun[3] = {1118.70701896, -401.19157716, -0.23811225},
                        with_tides[3] = {1118.92893, -402.30240, -0.047982};
    const ph_parameter_value sun[] = {
        {"given_mass", &mass, 1}, {"given_axis", &axis, 1}, {"given_periapsis", &phase, 1}};
    double alone[3], x[3], y[3];
    follow_pair(NULL, 0, none, alone);
    follow_pair(sun, 3, none, x);
    follow_pair(NULL, 0, tides, y);
    printf("Sun: off by %.1e m of %.1e m, tides: off by %.1e m of %.1e m\n",
           tk_max_difference(x, with_sun, 3), tk_max_difference(x, alone, 3),
           tk_max_difference(y, with_tides, 3), tk_max_difference(y, alone, 3));
    ck_assert_double_le(tk_max_difference(x, with_sun, 3), 1e-7);
    ck_assert_double_le(tk_max_difference(y, with_tides, 3), 1e-5);
}

/* The pitch of a craft on a circle about a sphere, W^2 = 3 n^2 (J_along - J_radial)/J_normal for small angles (Hughes,
 * Spacecraft attitude dynamics, 1986, section 9.2): half a period later the angle is the opposite. */
TEST(gravity_gradient)
{
    static const double axes[3] = {1.2, 1, 0.8}, angle = 1e-2;
    ph_model_body bodies[2] = {{.turning = 1}, {.turning = 1}};
    double z[12], v[12], R[9];
    tk_ok(ph_mass_sphere(3e11, 300, &bodies[0].mass, NULL));
    tk_ok(ph_mass_ellipsoid(500, axes, &bodies[1].mass, NULL));
    bodies[0].turning = bodies[1].turning = 1;
    const ph_parameter_value value = ph_parameter_of_bodies("bodies", bodies, 2);
    TK_OWN(ph_system) *system = begin("spacecraft", NULL, &value, 1, z, v);
    ck_assert_uint_eq(ph_system_symmetries(system), 3);
    const double d = z[0], n = sqrt(6.6743e-11 * 3e11 / d) / d, *J = bodies[1].mass.J,
                 rate = n * sqrt(3 * (J[4] - J[0]) / J[8]), half = pi / rate;
    const double turned[9] = {cos(angle), -sin(angle), 0, sin(angle), cos(angle), 0, 0, 0, 1};
    memcpy(z + 3, turned, sizeof turned);
    const double moving[9] = {
        -n * sin(angle), -n * cos(angle), 0, n * cos(angle), -n * sin(angle), 0, 0, 0, 0};
    memcpy(v + 3, moving, sizeof moving);
    const ph_setting order = {"order", "6"};
    TK_MAKE(
        ph_integrator, it,
        ph_integrator_create(system, ph_method_find("variational", NULL), half / 400, &order, 1, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
    tk_ok(ph_integrator_step(it, state, 400));
    memcpy(R, state->z + 3, sizeof R);
    const double orbit = atan2(state->z[1], state->z[0]), now = remainder(atan2(R[3], R[0]) - orbit, 2 * pi);
    printf("pitch %.6e after half a period, from %.6e\n", now, angle);
    /* an extremum: errors of the rate enter squared. The figure of the craft makes its orbit eccentric by 1e-6 and
     * less, which forces twice that of pitch */
    ck_assert_double_eq_tol(now, -angle, 4e-6);
}

/* ---- Many points ------------------------------------------------------------------------------------------- */

/* 1000 points need no matrix of 3000 x 3000: the inertia is known by its inverse, and a step of each kind is taken. */
TEST(many)
{
    static const char *const methods[] = {"variational", "rk4", "rk8"};
    const double number = 1000;
    const ph_parameter_value points = {"points", &number, 1};
    double *z = malloc(6000 * sizeof *z), *zdot = z + 3000;
    TK_OWN(ph_system) *system = begin("n-body", "circle", &points, 1, z, zdot);
    ck_assert_ptr_null(ph_system_ambient_inertia(system));
    ck_assert_ptr_null(ph_system_inertia(system));
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        TK_MAKE(ph_integrator, it,
                ph_integrator_create(system, ph_method_find(methods[i], NULL), 1e-4, NULL, 0, &it, tk_err));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_STRICT, NULL));
        ck_assert_msg(!ph_integrator_step(it, state, 1), "%s: %s", methods[i], ph_integrator_message(it));
        /* each goes round by the same angle: distances from e3 are 1 */
        for (size_t k = 0; k < 3000; k += 3)
            ck_assert_double_eq_tol(hypot(state->z[k], state->z[k + 1]), 1, 2e-6);
    }
    free(z);
}

/* ---- Bodies that are not right ------------------------------------------------------------------------------ */

TEST(refused)
{
    ph_model_body bodies[3] = {{.turning = 1}};
    const ph_model *binary = ph_model_find("binary", NULL), *n_body = ph_model_find("rigid-n-body", NULL);
    ph_system *system = NULL;
    double z[40], zdot[40];
    for (size_t i = 0; i < 3; i++) {
        tk_ok(ph_mass_sphere(1e10, 100, &bodies[i].mass, NULL));
        bodies[i].turning = 1;
    }
    ph_parameter_value value = ph_parameter_of_bodies("bodies", bodies, 3);
    tk_refused(ph_model_build(binary, &value, 1, &system, tk_err), PH_E_SIZE, "3 entries");
    tk_returns(ph_model_preset(n_body, &value, 1, "kw4", 54, z, zdot, tk_err), PH_E_SIZE);
    value.n = 7; /* numbers that are no bodies */
    tk_refused(ph_model_build(n_body, &value, 1, &system, tk_err), PH_E_SIZE, "ph_parameter_of_bodies");
    value = ph_parameter_of_bodies("bodies", bodies, 3);
    bodies[1].mass.moment[2] = 1e12;
    tk_refused(ph_model_build(n_body, &value, 1, &system, tk_err), PH_E_INVALID,
               "body 2 is not about its centre of mass");
    bodies[1].mass.moment[2] = NAN;
    tk_returns(ph_model_build(n_body, &value, 1, &system, tk_err), PH_E_NOT_FINITE);
}

int main(void)
{
    return tk_run("models of mutual gravity");
}
