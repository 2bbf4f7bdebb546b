/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of bodies under mutual gravity: values of states that are made from elements, angles and spins by the definitions;
 * energies by part against closed forms. */
#include "tests/kit/binaries.h"
#include "triple.h"

#include <float.h>

static void turn_about(size_t axis, double angle, double R[9])
{
    double w[3] = {0, 0, 0};
    w[axis] = angle;
    ph_exp3(w, R);
}

/* ---- Orbits ---------------------------------------------------------------------------------------------------- */

static const ph_elements inner = {.a = 1500,
                                  .q = 1500 * (1 - 0.2),
                                  .e = 0.2,
                                  .i = 0.3,
                                  .node = -1.2,
                                  .periapsis = 2.1,
                                  .true_anomaly = 0.8},
                         outer = {.a = -9000,
                                  .q = 9000 * (1.4 - 1),
                                  .e = 1.4,
                                  .i = 2.2,
                                  .node = 2.5,
                                  .periapsis = -0.4,
                                  .true_anomaly = -1.1};

/* Places and momenta by Jacobi's coordinates, with the barycentre of all somewhere and moving. */
static void place(triple *x, size_t n, bool relative)
{
    static const double somewhere[3] = {300, -500, 100}, drift[3] = {0.2, 0.1, -0.3};
    const double m[BODIES] = {x->mass[0].moment[0], x->mass[1].moment[0], x->mass[2].moment[0]};
    double r2[3], v2[3], r3[3], v3[3];
    tk_ok(ph_elements_state(G * (m[0] + m[1]), &inner, r2, v2, NULL));
    tk_ok(ph_elements_state(G * (m[0] + m[1] + m[2]), &outer, r3, v3, NULL));
    for (size_t k = 0; k < 3; k++) {
        if (relative) {
            x->z[k] = r2[k];
            x->p[k] = m[0] * (m[1] / (m[0] + m[1])) * v2[k];
            continue;
        }
        const double pair = m[1] / (m[0] + m[1]);
        x->z[k] = somewhere[k];
        x->p[k] = m[0] * drift[k];
        x->z[3 + k] = somewhere[k] + r2[k];
        x->p[3 + k] = m[1] * (drift[k] + v2[k]);
        if (n > 2) {
            x->z[6 + k] = somewhere[k] + pair * r2[k] + r3[k];
            x->p[6 + k] = m[2] * (drift[k] + pair * v2[k] + v3[k]);
        }
    }
}

static void check_orbit(const double *values, const ph_elements *el)
{
    const double longitude = remainder(el->node + el->periapsis + el->true_anomaly, 2 * acos(-1)), e = el->e;
    const double f = el->true_anomaly, D = tan(f / 2);
    const double mean =
        e < 1 ? 2 * atan(sqrt((1 - e) / (1 + e)) * D) - e * sqrt(1 - e * e) * sin(f) / (1 + e * cos(f))
              : e * sqrt(e * e - 1) * sin(f) / (1 + e * cos(f)) - 2 * atanh(sqrt((e - 1) / (e + 1)) * D);
    const double want[9] = {el->a, el->q, e, el->i, el->node, el->periapsis, f, mean, longitude};
    for (size_t k = 0; k < 9;
         k++) /* rounding of places of 9000 m and of velocities that are differences: some 10 units */
        ck_assert_double_eq_tol(values[k], want[k], 2e-14 * fmax(1, fabs(want[k])));
}

TEST_EACH(orbits, 3)
{
    TK_ENDS(triple_end) triple x;
    const bool relative = _i == 0;
    const size_t n = _i == 2 ? 3 : 2;
    triple_begin(&x, n, relative);
    place(&x, n, relative);
    const double *orbit = triple_see(&x, "orbit");
    check_orbit(orbit, &inner);
    if (n > 2)
        check_orbit(orbit + 9, &outer);
    const double *d = triple_see(&x, "distances"); /* r = p / (1 + e cos f) */
    ck_assert_double_eq_tol(d[0] / (inner.q * (1 + inner.e) / (1 + inner.e * cos(inner.true_anomaly))), 1,
                            1e-14);
    for (size_t i = 0, at = 0; n > 2 && i < n; i++)
        for (size_t j = i + 1; j < n; j++, at++) {
            const double *a = x.z + 3 * i, *b = x.z + 3 * j;
            ck_assert_double_eq_tol(
                d[at], sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)), 1e-11);
        }
}

/* ---- Attitudes ------------------------------------------------------------------------------------------------- */

/* Attitudes by three turns from the frame of the orbit, spins by their components there. */
TEST_EACH(attitudes, 3)
{
    static const double angles[2][3] = {{0.3, -0.2, 2.5}, {-0.1, 0.4, -2.8}},
                        spins[2][3] = {{1e-5, -2e-5, 6e-4}, {3e-5, 1e-5, -2e-4}};
    const bool relative = _i == 0;
    const size_t n = _i == 2 ? 3 : 2, places = relative ? 1 : n;
    TK_ENDS(triple_end) triple x;
    double r[3], v[3], h[3], O[9], long_axis[2][3], roll[9], pitch[9], yaw[9], two[9], Q[9], w[3], mixed[3];
    triple_begin(&x, n, relative);
    place(&x, n, relative);
    tk_ok(ph_elements_state(G * (x.mass[0].moment[0] + x.mass[1].moment[0]), &inner, r, v, NULL));
    ph_cross3(r, v, h);
    for (size_t k = 0; k < 3; k++) {
        O[3 * k] = r[k] / ph_norm3(r);
        O[3 * k + 2] = h[k] / ph_norm3(h);
    }
    for (size_t k = 0; k < 3; k++) /* track = normal x radial, column by column */
        O[3 * k + 1] =
            O[3 * ((k + 1) % 3) + 2] * O[3 * ((k + 2) % 3)] - O[3 * ((k + 2) % 3) + 2] * O[3 * ((k + 1) % 3)];
    for (size_t i = 0; i < 2; i++) {
        turn_about(0, angles[i][0], roll);
        turn_about(1, angles[i][1], pitch);
        turn_about(2, angles[i][2], yaw);
        ph_multiply3(roll, pitch, two);
        ph_multiply3(two, yaw, Q);
        ph_multiply3(O, Q, x.z + 3 * places + 9 * i);
        ph_apply_transposed3(Q, spins[i], w);
        ph_apply3(x.mass[i].J, w, x.p + 3 * places + 3 * i);
        for (size_t k = 0; k < 3; k++)
            mixed[k] = i ? x.R[3 * k] : !k; /* the long axis in the body's frame */
        ph_apply3(Q, mixed, long_axis[i]);
    }
    const double *euler = triple_see(&x, "euler");
    for (size_t k = 0; k < 6; k++)
        ck_assert_double_eq_tol(euler[k], angles[k / 3][k % 3], 1e-14);
    const double *spin = triple_see(&x, "spin"), orbiting = ph_norm3(h) / ph_dot3(r, r);
    for (size_t i = 0; i < 2; i++, spin += 5) {
        ck_assert_double_eq_tol(spin[0] / ph_norm3(spins[i]), 1, 1e-14);
        ck_assert_double_le(tk_max_difference(spin + 1, spins[i], 3), 1e-14 * ph_norm3(spins[i]));
        ck_assert_double_eq_tol(spin[4], spins[i][2] - orbiting, 1e-14 * ph_norm3(spins[i]));
    }
    /* yaw and roll beyond a right angle: the axis points inwards, its other end counts */
    const double *libration = triple_see(&x, "libration");
    for (size_t i = 0; i < 2; i++) {
        const double sign = long_axis[i][0] < 0 ? -1 : 1;
        ck_assert_double_eq_tol(tan(libration[2 * i]), long_axis[i][1] / long_axis[i][0], 1e-13);
        ck_assert_double_eq_tol(sin(libration[2 * i + 1]), sign * long_axis[i][2], 1e-14);
        ck_assert_double_le(fabs(libration[2 * i]), acos(-1) / 2);
    }
    ck_assert_double_lt(long_axis[0][0], 0);
}

/* ---- Energies by part, binding --------------------------------------------------------------------------------- */

/* U of degree 2: -(3 G/2 r^3) (M_B n.Q_A n + M_A n.Q_B n), Q = (tr J/3) 1 - J, as T - tr T/3 with T = (tr J/2) 1 - J. */
static double quadrupole(const ph_mass *a, const double R[9], double other, const double x[3])
{
    const double r = ph_norm3(x), *J = a->J;
    double n[3], Jn[3];
    ph_apply_transposed3(R, x, n);
    ph_apply3(J, n, Jn);
    const double q = (J[0] + J[4] + J[8]) / 3 - ph_dot3(n, Jn) / (r * r);
    return -1.5 * G / (r * r * r) * other * q;
}

TEST_EACH(energies, 3)
{
    static const double turn[2][3] = {{0.5, 1.2, -0.3}, {-0.7, 0.1, 2}},
                        w[2][3] = {{1e-4, 2e-4, 6e-4}, {2e-5, -1e-4, 3e-4}};
    const bool relative = _i == 0;
    const size_t n = _i == 2 ? 3 : 2, places = relative ? 1 : n;
    TK_ENDS(triple_end) triple x;
    double m[BODIES], points = 0, shapes = 0, all = 0;
    triple_begin(&x, n, relative);
    place(&x, n, relative);
    for (size_t i = 0; i < 2; i++) {
        ph_exp3(turn[i], x.z + 3 * places + 9 * i);
        ph_apply3(x.mass[i].J, w[i], x.p + 3 * places + 3 * i);
    }
    for (size_t i = 0; i < n; i++)
        m[i] = x.mass[i].moment[0];
    const double *e = triple_see(&x, "energies");
    double translation = 0;
    for (size_t i = 0; i < places; i++)
        translation +=
            0.5 * ph_dot3(x.p + 3 * i, x.p + 3 * i) / (relative ? m[0] * m[1] / (m[0] + m[1]) : m[i]);
    ck_assert_double_eq_tol(e[0] / translation, 1, 1e-15);
    for (size_t i = 0; i < 2; i++) {
        const double *J = x.mass[i].J; /* (1/2) w . J w, term by term */
        double twice = 0;
        for (size_t k = 0; k < 9; k++)
            twice += J[k] * w[i][k / 3] * w[i][k % 3];
        ck_assert_double_eq_tol(e[1 + i] / (0.5 * twice), 1, 1e-14);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double d[3];
            for (size_t k = 0; k < 3; k++)
                d[k] = relative ? x.z[k] : x.z[3 * j + k] - x.z[3 * i + k];
            points -= G * m[i] * m[j] / ph_norm3(d);
            shapes += quadrupole(&x.mass[i], x.z + 3 * places + 9 * i, m[j], d);
            if (j < 2)
                shapes += quadrupole(&x.mass[j], x.z + 3 * places + 9 * j, m[i], d);
        }
    ck_assert_double_eq_tol(e[3] / points, 1, 1e-15);
    ck_assert_double_eq_tol(e[4], shapes, 1e-15 * fabs(points)); /* a small difference of the whole */
    for (size_t k = 0; k < 5; k++)
        all += e[k];
    ph_measures measures;
    TK_MAKE(ph_diagnostics, diagnostics, ph_diagnostics_create(x.system, &diagnostics, NULL));
    tk_ok(ph_diagnostics_measure(diagnostics, &x.state, &measures));
    ck_assert_double_eq_tol(all, measures.energy, 1e-15 * (translation + e[1] + e[2] + fabs(points)));
}

/* -mu / 2a of two bodies, from both sides. */
TEST_EACH(bound, 2)
{
    TK_ENDS(triple_end) triple x;
    triple_begin(&x, 2, _i == 0);
    place(&x, 2, _i == 0);
    const double *b = triple_see(&x, "binding"), mu = G * (x.mass[0].moment[0] + x.mass[1].moment[0]);
    ck_assert_double_eq_tol(b[0] / (-mu / (2 * inner.a)), 1, 1e-13);
    ck_assert_double_eq_tol(b[1] / (-mu / (2 * inner.a)), 1, 1e-13);
    ck_assert_double_eq(*triple_see(&x, "escape"), 0);
}

/* Body 3 against the pair: E = v^2/2 - G sum m_j / r_j (M/(m_1 + m_2)), of the outer orbit; it is unbound and comes in first, then
 * recedes at the same place with the velocity turned round. */
TEST(unbound)
{
    TK_ENDS(triple_end) triple x;
    double m[BODIES], r[3], v[3], pull = 0;
    triple_begin(&x, BODIES, false);
    place(&x, BODIES, false);
    for (size_t i = 0; i < BODIES; i++)
        m[i] = x.mass[i].moment[0];
    tk_ok(ph_elements_state(G * (m[0] + m[1] + m[2]), &outer, r, v, NULL));
    for (size_t j = 0; j < 2; j++) {
        double d[3];
        for (size_t k = 0; k < 3; k++)
            d[k] = x.z[6 + k] - x.z[3 * j + k];
        pull += G * m[j] / ph_norm3(d);
    }
    const double *b = triple_see(&x, "binding"),
                 expected = 0.5 * ph_dot3(v, v) - pull * (m[0] + m[1] + m[2]) / (m[0] + m[1]);
    ck_assert_double_gt(expected, 0);
    ck_assert_double_lt(ph_dot3(r, v), 0);
    ck_assert_double_eq_tol(b[2] / expected, 1, 1e-13);
    ck_assert_double_lt(b[0], 0);
    ck_assert_double_lt(b[1], 0);
    ck_assert_double_eq(*triple_see(&x, "escape"), 0);
    for (size_t k = 0; k < 9; k++)
        x.p[k] = -x.p[k];
    ck_assert_double_eq_tol(*triple_see(&x, "escape") / ph_norm3(r), 1, 1e-14);
}

/* The pair that is nearest by its surfaces need not be that of the nearest centres. */
TEST(clearance)
{
    TK_ENDS(triple_end) triple x;
    triple_begin(&x, BODIES, false);
    x.z[3] = 700;
    x.z[7] = 600;
    ck_assert_double_eq(*triple_see(&x, "clearance"), 600 - 400 - 60);
    x.z[7] = 1000;
    ck_assert_double_eq(*triple_see(&x, "clearance"), 700 - 400 - 120);
    x.z[3] = 500;
    ck_assert_double_eq(*triple_see(&x, "clearance"), 500 - 400 - 120);
}

/* ---- About a central body --------------------------------------------------------------------------------------- */

/* A spacecraft and another body near an asteroid that is held: names with its number, 0; the orbit of each about the origin, with
 * mu = G M; a Sun that is given. */
TEST(about_a_center)
{
    static const double half[3] = {300, 200, 150}, body[2][3] = {{2, 1, 0.5}, {40, 30, 20}};
    static const char *const wrong[] = {"distance0_0", "distance1_0", "orbit0", "distance00_1", "binding0"};
    ph_mass center, mass[2];
    double z[6 + 18] = {0}, p[6 + 6] = {0}, v[2][3], d[3], h[3];
    TK_ENDS(triple_end) triple x = {.state = {.z = z, .p = p, .nz = 24, .np = 12}};
    tk_ok(ph_mass_ellipsoid(4e11, half, &center, NULL));
    for (size_t i = 0; i < 2; i++)
        tk_ok(ph_mass_ellipsoid(i ? 1e8 : 1000, body[i], &mass[i], NULL));
    const ph_given_body sun = {.mass = 2e30,
                               .orbit = {.axis = 2e11, .eccentricity = 0.1, .inclination = 0.2, .node = 1}};
    const ph_gravitation_definition def = {.bodies = 2,
                                           .mass = mass,
                                           .order = 2,
                                           .G = G,
                                           .central = {.mass = &center},
                                           .given = &sun,
                                           .n_given = 1};
    ph_gravitation *g = tk_gravitation(def);
    tk_ok(ph_gravitation_build(g, &x.system, tk_err));
    tk_ok(ph_elements_state(G * 4e11, &inner, z, v[0], NULL));
    tk_ok(ph_elements_state(G * 4e11, &outer, z + 3, v[1], NULL));
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 3; k++)
            p[3 * i + k] = mass[i].moment[0] * v[i][k];
        z[6 + 9 * i] = z[10 + 9 * i] = z[14 + 9 * i] = 1;
        p[6 + 3 * i + 2] = mass[i].J[8] * 1e-3;
    }
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        ck_assert_msg(triple_choose(&x, &wrong[k], 1, tk_err) == PH_E_UNKNOWN, "%s", wrong[k]);

    const double *orbit = triple_see(&x, "orbit");
    ck_assert_str_eq(triple_heading(&x, 0, true), "orbit1_a[m]");
    check_orbit(orbit, &inner);
    check_orbit(orbit + 9, &outer);
    const double *distance = triple_see(&x, "distances");
    ck_assert_uint_eq(ph_columns_count(x.columns), 3);
    ck_assert_str_eq(triple_heading(&x, 0, true), "distance0_1[m]");
    ck_assert_str_eq(triple_heading(&x, 1, true), "distance0_2[m]");
    ck_assert_str_eq(triple_heading(&x, 2, true), "distance1_2[m]");
    for (size_t k = 0; k < 3; k++)
        d[k] = z[3 + k] - z[k];
    const double apart[3] = {ph_norm3(z), ph_norm3(z + 3), ph_norm3(d)};
    ck_assert_double_le(tk_max_difference(distance, apart, 3), 1e-11);
    ck_assert_double_eq_tol(*triple_see(&x, "distance0_2"), apart[1], 1e-11);
    ck_assert_double_eq_tol(*triple_see(&x, "clearance"), apart[0] - 300 - 2, 1e-11);
    /* each against the center and the other body; the outer one comes in */
    const double *binding = triple_see(&x, "binding");
    for (size_t i = 0; i < 2; i++)
        ck_assert_double_eq_tol(binding[i],
                                0.5 * ph_dot3(v[i], v[i]) - G * 4e11 / apart[i] -
                                    G * mass[1 - i].moment[0] / apart[2],
                                1e-14 * ph_dot3(v[i], v[i]));
    ck_assert_double_eq(*triple_see(&x, "escape"), 0);
    for (size_t k = 0; k < 3; k++)
        p[3 + k] = -p[3 + k];
    ck_assert_double_eq_tol(*triple_see(&x, "escape"), apart[1], 1e-11);
    for (size_t k = 0; k < 3; k++)
        p[3 + k] = -p[3 + k];
    /* spins of bodies that stand in space, seen from the frames of their orbits */
    const double *spin = triple_see(&x, "spin");
    for (size_t i = 0; i < 2; i++) {
        ph_cross3(z + 3 * i, v[i], h);
        ck_assert_double_eq_tol(spin[5 * i], 1e-3, 1e-17);
        ck_assert_double_eq_tol(spin[5 * i + 3], 1e-3 * h[2] / ph_norm3(h), 1e-17);
    }
    /* with the Sun the parts are the whole */
    const double *e = triple_see(&x, "energies");
    ck_assert_uint_eq(ph_columns_count(x.columns), 6);
    ck_assert_str_eq(triple_heading(&x, 5, true), "potential_given[J]");
    ph_measures measures;
    TK_MAKE(ph_diagnostics, diagnostics, ph_diagnostics_create(x.system, &diagnostics, NULL));
    tk_ok(ph_diagnostics_measure(diagnostics, &x.state, &measures));
    ck_assert_double_eq_tol(e[0] + e[1] + e[2] + e[3] + e[4] + e[5], measures.energy, 2e-15 * e[0]);
    ck_assert_double_gt(fabs(e[5]), 1e-13 * e[0]);
}

int main(void)
{
    return tk_run("companions");
}
