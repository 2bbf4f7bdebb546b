/* SPDX-License-Identifier: BSD-3-Clause */
/* A central body: what it does against the mutual attraction of a pair, with an attitude and a spin; its exact field against the
 * polyhedron and against the series far away; derivatives; a sphere's momentum maps, a Kepler motion, Jacobi's integral of a
 * body that spins about a fixed axis; what is refused. */
#include <polhode/domain/elements.h>
#include <polhode/domain/gravitation.h>
#include <polhode/kit/rotation.h>

#include "tests/kit/binaries.h"

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Three lumps: a body without symmetry, about its centre of mass. */
static ph_mass lumps(tk_random *r, double mass, double size)
{
    ph_mass whole = {{0}, {0}, 0};
    for (size_t k = 0; k < 5; k++) {
        ph_mass part;
        const double place[3] = {size * tk_uniform(r, -1, 1), size * tk_uniform(r, -1, 1),
                                 size * tk_uniform(r, -1, 1)};
        tk_ok(ph_mass_sphere(mass / 5, .1 * size, &part, NULL));
        ph_mass_add(&part, place, identity, &whole);
    }
    ph_mass_center(&whole, NULL);
    return whole;
}

static void draw_rotation(tk_random *r, double R[9])
{
    const double turn[3] = {tk_normal(r), tk_normal(r), tk_normal(r)};
    ph_exp3(turn, R);
}

static ph_gravitation *describe(const ph_central_body *central, const ph_mass *mass, size_t bodies,
                                size_t order)
{
    const ph_gravitation_definition d = {
        .bodies = bodies, .mass = mass, .order = order, .G = 1.7, .central = *central};
    return tk_gravitation(d);
}

/* The attraction of one body by the central one is that of the pair, in parts, at its attitude at the time t. */
TEST(as_a_pair)
{
    tk_random r = {7};
    const ph_mass center = lumps(&r, 3, .5), body = lumps(&r, .2, .3);
    for (int trial = 0; trial < 10; trial++) {
        ph_central_body central = {.mass = &center};
        double R[9], C[9], x[3], z[12], spin[3], t = trial ? 0.7 * trial : 0, turn[3], F[9];
        draw_rotation(&r, central.attitude);
        for (size_t k = 0; k < 3; k++)
            central.spin[k] = spin[k] = trial < 2 ? 0 : tk_normal(&r);
        TK_OWN(ph_gravitation) *g = describe(&central, &body, 1, 4);
        ck_assert_mem_eq(ph_gravitation_central(g), &center, sizeof center);
        for (size_t k = 0; k < 3; k++) {
            z[k] = tk_uniform(&r, 1.5, 3);
            turn[k] = t * spin[k];
        }
        draw_rotation(&r, z + 3);
        ph_exp3(turn, F);
        ph_multiply3(central.attitude, F, R);
        double R1[9];
        ph_gravitation_central_attitude(g, t, R1);
        ck_assert_double_le(tk_max_difference(R, R1, 9), 1e-15);
        ph_apply_transposed3(R, z, x);
        ph_transposed_multiply3(R, z + 3, C);
        ph_attraction pull;
        ph_attract(&center, &body, 4, 1.7, x, C, &pull);
        double force[3], torque[3], U, expected[3], rate, points = pull.by_order[0];
        ph_gravitation_forces(g, PH_ATTRACT_ALL, t, z, force, torque, &U);
        ph_apply3(R, pull.force, expected);
        ck_assert_double_eq_tol(U, pull.potential, 1e-14);
        ck_assert_double_le(tk_max_difference(force, expected, 3), 1e-14);
        ck_assert_double_le(tk_max_difference(torque, pull.torque_b, 3), 1e-15);
        double f1[3], f2[3], t1[3], t2[3], U1, U2;
        ph_gravitation_forces(g, PH_ATTRACT_POINTS, t, z, f1, t1, &U1);
        ph_gravitation_forces(g, PH_ATTRACT_SHAPES, t, z, f2, t2, &U2);
        const double r2 = ph_dot3(z, z);
        for (size_t k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(f1[k], points * z[k] / r2, 1e-15);
            ck_assert_double_eq_tol(f1[k] + f2[k], force[k], 1e-15);
            ck_assert(t1[k] == 0);
            ck_assert_double_eq_tol(t2[k], torque[k], 1e-16);
        }
        ck_assert_double_eq_tol(U1, -1.7 * 3 * .2 / sqrt(r2), 1e-15);
        ck_assert_double_eq_tol(U1 + U2, U, 1e-15);
        /* dU/dt by differences of order 4 */
        const double h = 1e-3;
        double at[4];
        for (int s = 0; s < 4; s++)
            ph_gravitation_forces(g, PH_ATTRACT_ALL, t + (s - 2 + (s > 1)) * h, z, f1, t1, &at[s]);
        ph_gravitation_rate(g, PH_ATTRACT_ALL, t, z, &rate);
        ck_assert_double_eq_tol(rate, (at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * h), 1e-11);
        ck_assert(ph_gravitation_depends_on_time(g) == (trial >= 2));
    }
}

/* An octahedron of density 2, and its moments. */
static ph_polyhedron *octahedron(ph_mass *mass)
{
    static const double vertex[18] = {.5, 0, 0, -.5, 0, 0, 0, .4, 0, 0, -.4, 0, 0, 0, .3, 0, 0, -.3};
    static const uint32_t face[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    const ph_mesh mesh = {6, vertex, 8, face};
    ph_polyhedron *exact;
    tk_ok(ph_mass_polyhedron(&mesh, 2, mass, NULL, NULL));
    tk_ok(ph_polyhedron_create(&mesh, 2, &exact, NULL));
    return exact;
}

/* A point in the exact field is pulled as by the polyhedron, also close to it; a body with a shape as by the series of order
 * 8 far away, and by the gradient of gravity: order 2 of its shape against the exact field's. */
TEST(exact_field)
{
    tk_random r = {8};
    ph_mass center, point, body = lumps(&r, .2, .05);
    ph_central_body central = {.exact = octahedron(&center)};
    double x[3] = {.35, .3, .25}, expected[3], U, force[3], torque[3], U1, f1[3], t1[3], turned[3], R[9];
    central.mass = &center;
    draw_rotation(&r, central.attitude);
    memcpy(R, central.attitude, sizeof R);
    tk_ok(ph_mass_sphere(.2, 0, &point, NULL));
    ph_gravitation *g = describe(&central, &point, 1, 8);
    ph_polyhedron *own = octahedron(&center);
    ph_polyhedron_attract(own, 1.7, .2, x, &U, expected, NULL);
    ph_polyhedron_free(own);
    double z[12];
    ph_apply3(R, x, z);
    ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, z, force, torque, &U1);
    ph_apply3(R, expected, turned);
    ck_assert_double_eq_tol(U1, U, 2e-15);
    ck_assert_double_le(tk_max_difference(force, turned, 3), 2e-14);
    /* in parts; and in the centre, where a series is infinite */
    double f2[3], U2;
    ph_gravitation_forces(g, PH_ATTRACT_POINTS, 0, z, f1, t1, &U1);
    ph_gravitation_forces(g, PH_ATTRACT_SHAPES, 0, z, f2, t1, &U2);
    ck_assert_double_eq_tol(U1, -1.7 * center.moment[0] * .2 / ph_norm3(z), 1e-15);
    ck_assert_double_eq_tol(U1 + U2, U, 2e-15);
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_eq_tol(f1[k] + f2[k], turned[k], 2e-14);
    static const double origin[3] = {0, 0, 0};
    ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, origin, force, torque, &U1);
    ck_assert_double_lt(U1, U);
    ck_assert_double_le(ph_norm3(force), 1e-14); /* by symmetry */
    ph_gravitation_free(g);

    /* far away: the series of order 8 is good to (1/10)^9 */
    central.exact = octahedron(&center);
    g = describe(&central, &body, 1, 8);
    TK_OWN(ph_gravitation) *series =
        describe(&(ph_central_body){.mass = &center,
                                    .attitude = {R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}},
                 &body, 1, 8);
    for (size_t k = 0; k < 3; k++)
        z[k] = 3. - (double)k;
    draw_rotation(&r, z + 3);
    ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, z, force, torque, &U);
    ph_gravitation_forces(series, PH_ATTRACT_ALL, 0, z, f1, t1, &U1);
    printf("exact against the series: U %.1e, force %.1e, torque %.1e\n", fabs(U / U1 - 1),
           tk_max_difference(force, f1, 3) / ph_norm3(f1), tk_max_difference(torque, t1, 3) / ph_norm3(t1));
    ck_assert_double_le(fabs(U / U1 - 1), 1e-9);
    ck_assert_double_le(tk_max_difference(force, f1, 3), 1e-9 * ph_norm3(f1));
    ck_assert_double_le(tk_max_difference(torque, t1, 3), 1e-12 * ph_norm3(t1));
    ph_gravitation_free(g);
}

TEST_EACH(derivatives, 3)
{
    tk_random r = {9};
    ph_mass center = lumps(&r, 3, .5), mass[2] = {lumps(&r, .2, .3), lumps(&r, .1, .2)}, solid;
    ph_central_body central = {.mass = &center};
    for (size_t k = 0; k < 3; k++)
        central.spin[k] = _i == 0 ? 0 : tk_normal(&r);
    if (_i == 2) {
        central.exact = octahedron(&solid);
        central.mass = &solid;
    }
    TK_OWN(ph_system) *system = tk_gravitating(describe(&central, mass, 2, 4));
    double z[24], zdot[24];
    ph_derivative_report report;
    tk_random_motion(system, &r, z, zdot);
    for (size_t k = 0; k < 6; k++)
        z[k] = (k < 3 ? 1.7 : -2) + .3 * (double)k;
    tk_ok(ph_system_check_derivatives(system, 1.3, z, zdot, &report, NULL));
    for (size_t k = 0; k < report.n; k++) {
        printf("%s %.1e\n", report.entry[k].name, report.entry[k].error);
        ck_assert_double_lt(report.entry[k].error, 1e-8);
    }
    ck_assert((ph_derivative_report_entry(&report, PH_DERIVATIVE_RATE) != NULL) == (_i > 0));
    ck_assert(ph_system_is_conservative(system) == (_i == 0));
    ck_assert_uint_eq(ph_system_symmetries(system), 0);
}

/* A spacecraft that is a point about a sphere: a Kepler motion, that of the elements, with its angular momentum. */
TEST(kepler)
{
    ph_mass sphere, point;
    tk_ok(ph_mass_sphere(3, .1, &sphere, NULL));
    tk_ok(ph_mass_sphere(.01, 0, &point, NULL));
    const ph_central_body central = {.mass = &sphere,
                                     .spin = {1, 2, 3}}; /* a sphere's spin changes nothing */
    TK_OWN(ph_system) *system = tk_gravitating(describe(&central, &point, 1, 2));
    ck_assert(ph_system_is_conservative(system) && ph_system_is_gravitation(system));
    ck_assert_uint_eq(ph_system_symmetries(system), 3);
    const double mu = 1.7 * 3, T = 3;
    const ph_elements start = {.q = 1, .e = .4, .i = .5, .node = 1, .periapsis = 2, .true_anomaly = 0};
    double x[3], v[3], x1[3], v1[3];
    tk_ok(ph_elements_state(mu, &start, x, v, NULL));
    ph_elements end = start;
    const double a = 1 / (1 - .4);
    tk_ok(ph_true_anomaly(.4, T * sqrt(mu / (a * a * a)), &end.true_anomaly, NULL));
    tk_ok(ph_elements_state(mu, &end, x1, v1, NULL));
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find("variational", NULL), "order", "8", T / 400, 0,
             x, v);
    tk_steps(it, state, 400);
    printf("off by %.1e\n", tk_max_difference(state->z, x1, 3));
    ck_assert_double_le(tk_max_difference(state->z, x1, 3), 1e-12);
}

/* About a body that spins about an axis fixed in space, E - w.L is conserved, E and L are not; E changes by the work. */
TEST(jacobi)
{
    tk_random r = {10};
    const ph_mass center = lumps(&r, 3, .5), body = lumps(&r, .2, .3);
    const double w = .7;
    const ph_central_body central = {.mass = &center, .spin = {0, 0, w}};
    TK_OWN(ph_system) *system = tk_gravitating(describe(&central, &body, 1, 4));
    double z[12], zdot[12], first = 0, first_E = 0, work = 0, worst = 0, last = 0;
    enum { N = 300 };
    const double h = 6. / N;
    tk_random_motion(system, &r, z, zdot);
    const double x[3] = {1.8, .1, .4}, v[3] = {.1, 1.5, .2};
    memcpy(z, x, sizeof x);
    memcpy(zdot, v, sizeof v);
    ph_measures m;
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find("variational", NULL), "order", "8", h, 0, z,
             zdot);
    for (int k = 0; k <= N; k++) {
        double L[3], turned[3], power, room[64];
        tk_ok(ph_diagnostics_measure(d, state, &m));
        ph_cross3(state->z, state->p, L);
        ph_apply3(state->z + 3, state->p + 3, turned);
        const double J = m.energy - w * (L[2] + turned[2]);
        first = k ? first : J;
        first_E = k ? first_E : m.energy;
        worst = fmax(worst, fabs(J - first));
        tk_ok(ph_system_power(system, state->t, state->z, zdot, &power, room));
        work += h / 3 * (k == 0 || k == N ? 1 : k % 2 ? 4 : 2) * power;
        last = m.energy - first_E;
        if (k < N)
            tk_steps(it, state, 1);
    }
    printf("Jacobi's integral changes by %.1e, the energy by %.1e, its work is off by %.1e\n", worst, last,
           fabs(work - last));
    ck_assert_double_le(worst, 1e-10);
    ck_assert_double_gt(fabs(last), 1e-3);
    ck_assert_double_le(fabs(work - last), 1e-5 * fabs(last)); /* Simpson's rule */
}

TEST(refused)
{
    ph_mass mass[2], none = {{0}, {0}, 0};
    tk_ok(ph_mass_sphere(1, .1, &mass[0], NULL));
    mass[1] = mass[0];
    const struct {
        ph_central_body central;
        size_t bodies;
        bool relative;
        ph_status status;
        const char *said;
    } at[] = {
        {{.mass = &mass[0]}, 0, false, PH_E_RANGE, "or one and a central body"},
        {{.mass = &mass[0]}, 2, true, PH_E_RANGE, "distance alone"},
        {{.mass = &none}, 1, false, PH_E_RANGE, "mass of the central body is 0"},
        {{.mass = &mass[0], .attitude = {1, 0, 0, 0, 1, 0, 0, 0, -1}}, 1, false, PH_E_INVALID, "no rotation"},
        {{.mass = &mass[0], .spin = {0, NAN, 0}}, 1, false, PH_E_NOT_FINITE, "spin of the central body"}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        ph_gravitation *g;
        const ph_gravitation_definition d = {.bodies = at[i].bodies,
                                             .mass = mass,
                                             .order = 2,
                                             .G = 1,
                                             .relative = at[i].relative,
                                             .central = at[i].central};
        tk_refused(ph_gravitation_create(&d, &g, tk_err), at[i].status, at[i].said);
    }
}

int main(void)
{
    return tk_run("central body");
}
