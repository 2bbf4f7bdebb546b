/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems of formulas in scenarios: end states against those of equations that were written by hand in another
 * form (Cartesian coordinates with tensions, Newton and Euler with joint forces, angles; 13 digits); what is recognised;
 * every derivative against differences; what is refused. */
#define _GNU_SOURCE
#include "tests/kit/iokit.h"

#include "lib/formula/callbacks.h"
#include "lib/system/structure.h"

#include <polhode/domain/formula.h>
#include <polhode/kit/algebra.h>

static ph_error err;
static const double PI = 3.14159265358979323846;

static const struct {
    const char *text;  /* model and initial */
    const char *found; /* part of what is said to be found */
    double h, duration;
    double z[4]; /* at the end, as many as are not NAN */
} table[] = {
    {"model:\n"
     "  space: {r: R1, q: S2}\n"
     "  parameters: {m: 1 kg, k: 40 N/m, l: 1 m, g: 9.81 m/s^2}\n"
     "  where: {p: r*q}\n"
     "  kinetic: m/2*dot(d(p), d(p))\n"
     "  potential: k/2*(r - l)^2 + m*g*p.z\n"
     "  symmetries: [rotation about e3]\n"
     "  scene: {points: {bob: p}, lines: [[origin, bob]]}\n"
     "initial: {q: [1.2, {theta: 2, phi: 0.3}], omega: [0.1, [0.24, -0.1, 0.3]], project: true}\n",
     "an inertia that depends on the configuration",
     0.005,
     2,
     {1.512848708236, -0.1517551928012, -0.2721033405554, -0.9502263590937}},
    {"model:\n"
     "  space: {a: S1, b: S1}\n"
     "  parameters: {m1: 1 kg, m2: 2 kg, l1: 1 m, l2: 0.7 m, g: 9.81 m/s^2}\n"
     "  where: {p: l1*a, s: p + l2*b}\n"
     "  kinetic: m1/2*dot(d(p), d(p)) + m2/2*dot(d(s), d(s))\n"
     "  potential: m1*g*p.y + m2*g*s.y\n"
     "  scene: {points: {p: p, s: s}}\n"
     "initial: {q: [{angle: 0.1}, {angle: -0.9}], omega: [[0.5], [-1]]}\n",
     "a constant inertia by pairs of factors: it moves like 2 links with point masses under gravity",
     0.005,
     2,
     {-0.1610710796111, -0.9869428085319, -0.4961934016088, -0.8682120180002}},
    {"model:\n"
     "  space: {a: S1}\n"
     "  parameters: {m: 1 kg, l: 1 m, g: 9.81 m/s^2, h: 0.1 m, w: 60 rad/s}\n"
     "  where: {p: \"[0, h*sin(w*t)] + l*a\"}\n"
     "  kinetic: m/2*dot(d(p), d(p))\n"
     "  potential: m*g*p.y\n"
     "initial: {q: [{angle: 1.4}], omega: [[0]]}\n",
     "a constant inertia",
     0.001,
     1,
     {-0.3284716302099, 0.9445138369274, NAN, NAN}},
    {"model:\n"
     "  space: {a: S1}\n"
     "  parameters: {m: 1 kg, r: 0.5 m, g: 9.81 m/s^2, w: 6 rad/s, e: 0.2 rad, nu: 3 rad/s}\n"
     "  where: {p: \"r*[a.x, 0, a.y]\", spin: w*(1 + e*sin(nu*t))}\n"
     "  kinetic: m/2*dot(d(p) + cross(spin*e3, p), d(p) + cross(spin*e3, p))\n"
     "  potential: m*g*p.z\n"
     "initial: {q: [{angle: -1.2}], omega: [[0.2]]}\n",
     "a constant inertia",
     0.005,
     2,
     {-0.9391268309138, -0.3435706556996, NAN, NAN}},
    {"model:\n"
     "  space: {x: R3}\n"
     "  parameters: {m: 1 kg, e: 1 C, B: 5 T, c: 2 m}\n"
     "  where: {A: \"B/2*(1 + x.z^2/c^2)*[-x.y, x.x, 0]\"}\n"
     "  lagrangian: m/2*dot(xdot, xdot) + e*dot(A, xdot)\n"
     "  symmetries: [rotation about e3]\n"
     "initial: {q: [[0.4, 0.1, 0]], omega: [[0.5, 1, 0.7]]}\n",
     "a Lagrangian that is not of the form",
     0.005,
     4,
     {0.3518902760442, -0.04859375792492, 0.8819841884307, NAN}},
    {"model:\n"
     "  space: {B: SO3}\n"
     "  parameters: {m: 1.5 kg, r: \"[0.1, 0, 0.4] m\", J: \"[0.3, 0.4, 0.2] kg m^2\", g: 9.81 m/s^2}\n"
     "  where: {p: B*r}\n"
     "  kinetic: m/2*dot(d(p), d(p)) + dot(omega(B), diag(J[1], J[2], J[3])*omega(B))/2\n"
     "  potential: m*g*p.z\n"
     "  symmetries: [rotation about e3]\n"
     "initial: {q: [{axis: [1, 0.2, 0], angle: 0.6}], omega: [[0.3, -0.2, 12]]}\n",
     "a constant inertia",
     0.0025,
     1,
     {0.2536602847515, 0.4249574899927, 0.8689462535962, 0.2666862818217}},
    {"model:\n"
     "  space: {B: SO3, C: SO3}\n"
     "  parameters: {m1: 1, m2: 0.8, J1: [0.1, 0.12, 0.05], J2: [0.08, 0.07, 0.03], c1: [0, 0.1, -0.5], a1: [0, 0, -1], c2: [0.1, 0, -0.4], g: 9.81}\n"
     "  where: {p: B*c1, s: B*a1 + C*c2}\n"
     "  kinetic: m1/2*dot(d(p), d(p)) + m2/2*dot(d(s), d(s)) + (dot(omega(B), diag(J1[1], J1[2], J1[3])*omega(B)) + dot(omega(C), diag(J2[1], J2[2], J2[3])*omega(C)))/2\n"
     "  potential: g*(m1*p.z + m2*s.z)\n"
     "initial: {q: [{axis: [1, 0, 0], angle: 1}, {axis: [0, 1, 0.5], angle: -0.7}], omega: [[0, 1, 2], [1, 0, -3]]}\n",
     "a constant inertia",
     0.005,
     1,
     {0.5258766738675, 0.8065855316981, 0.269950928758, -0.6456518487163}},
    {"model:\n"
     "  space: {x: R2, a: S1}\n"
     "  parameters: {m: 1 kg, I: 0.5 kg m^2, a0: 0.4 m}\n"
     "  where: {c: \"x + a0*a\"}\n"
     "  kinetic: m/2*dot(d(c), d(c)) + I/2*omega(a)^2\n"
     "  constraints: [\"a.x*xdot.y - a.y*xdot.x = 0\"]\n"
     "initial: {q: [[0, 0], {angle: 0.3}], omega: [[0.9553364891256060, 0.2955202066613396], [1.2]]}\n",
     "a constant inertia by pairs of factors",
     0.01,
     3,
     {0.9074390787366, 3.542627953517, -0.1673620520733, 0.98589550335}},
    {"model:\n"
     "  space: {x: R3, B: SO3}\n"
     "  parameters: {m: 1 kg, r: 0.5 m, J: \"[0.0625, 0.0625, 0.125] kg m^2\", g: 9.81 m/s^2}\n"
     "  where: {n: B*e3, h: \"cross(n, cross(e3, n))/norm(cross(e3, n))\"}\n"
     "  kinetic: m/2*dot(xdot, xdot) + dot(omega(B), diag(J[1], J[2], J[3])*omega(B))/2\n"
     "  potential: m*g*x.z\n"
     "  constraints: [\"xdot - cross(B*omega(B), r*h) = 0*e1\"]\n"
     "initial: {q: [[0, 0, 0.4387912809451864], {axis: [1, 0, 0], angle: 1.0707963267948966}], omega: [follows, [0.3, 0.2, 5]]}\n",
     "a constant inertia",
     0.0025,
     1,
     {-1.386907675425, 1.660395907983, 0.4024283445105, -0.06125772836993}},
    {"model:\n"
     "  space: {s: \"spin[3]\"}\n"
     "  parameters: {J: 1, K: 0.4, D: 0.3}\n"
     "  energy: -J*(dot(s[1], s[2]) + dot(s[2], s[3]) + dot(s[3], s[1])) - K*sum(i=1..3, s[i].z^2) + D*dot(e3, cross(s[1], s[2]) + cross(s[2], s[3]) + cross(s[3], s[1]))\n"
     "  symmetries: [rotation about e3]\n"
     "initial: {q: [{theta: 0.5, phi: 0.1}, {theta: 1.5, phi: 2}, {theta: 2.2, phi: -1}]}\n",
     "an energy of 3 spins",
     0.01,
     5,
     {0.6203715832428, -0.2179806144245, 0.7534079575103, 0.848039636404}},
    {"model:\n"
     "  space: {q: \"S2[n]\"}\n"
     "  parameters: {n: 4, m: \"[0.3, 0.2, 0.4, 0.1] kg\", l: 0.5 m, g: 9.81 m/s^2}\n"
     "  where: {\"p[0]\": \"[0, 0, 0]\", \"p[i=1..n]\": \"p[i-1] + l*q[i]\"}\n"
     "  kinetic: sum(i=1..n, m[i]/2*dot(d(p[i]), d(p[i])))\n"
     "  potential: sum(i=1..n, m[i]*g*p[i].z)\n"
     "  scene: {points: {p: \"p[i=0..n]\"}, lines: [p]}\n"
     "initial: {q: [{theta: 2, phi: 0}, {theta: 2.2, phi: 0.3}, {theta: 1.8, phi: -0.4}, {theta: 2.5, phi: 1}], omega: [[0, 0, 0.5], [0, 0, 0.2], [0, 0, -1], [0, 0, 0.7]], project: true}\n",
     "it moves like 4 links with point masses under gravity",
     0.005,
     1,
     {-0.6811215908055, -0.2912344192353, -0.6717558273594, -0.6958537366178}},
    {"model:\n"
     "  space: {x: R1, a: S1}\n"
     "  parameters: {M: 2 kg, m: 0.5 kg, l: 0.8 m, g: 9.81 m/s^2, c: 0.6 N s/m, F: 3 N, w: 4 rad/s}\n"
     "  where: {p: \"[x, 0] + l*a\"}\n"
     "  kinetic: M/2*xdot^2 + m/2*dot(d(p), d(p))\n"
     "  potential: m*g*p.y\n"
     "  dissipation: c/2*xdot^2\n"
     "  forces: [{at: \"[x, 0]\", force: \"[F*sin(w*t), 0]\"}]\n"
     "initial: {q: [0, {angle: -0.4}], omega: [0.2, [0.1]]}\n",
     "a constant inertia",
     0.005,
     2,
     {0.6734934204778, 0.9735967355883, -0.2282748265837, NAN}},
};
enum { SYSTEMS = sizeof table / sizeof table[0] };

static ph_scenario *load(size_t i, const char *method, double h)
{
    return io_scenario_of("polhode: 1\n%smethod: %s\nstep: %.17g\nduration: %.17g\n", table[i].text, method,
                          h, table[i].duration);
}

/* The error of z at the end, by this method with this step. */
static double end_error(size_t i, const char *method, double h)
{
    TK_OWN(ph_scenario) *s = load(i, method, h);
    const ph_system *system = ph_scenario_system(s);
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    double worst = 0;
    io_start(s, &it, &state);
    tk_steps(it, state, ph_scenario_steps(s));
    for (size_t k = 0; k < 4; k++)
        if (!isnan(table[i].z[k]))
            worst = tk_max(worst, fabs(state->z[k] - table[i].z[k]));
    ck_assert_uint_ge(ph_space_ambient(ph_system_space(system)), 2);
    tk_end(it, state);
    return worst;
}

TEST_EACH(end_states, SYSTEMS)
{
    const double error = end_error((size_t)_i, "rk8", table[_i].h);
    ck_assert_msg(error < 2e-12, "%g", error);
}

/* The symplectic method of each, whose error falls with its order. */
TEST_EACH(variational, SYSTEMS)
{
    TK_OWN(ph_scenario) *s = load((size_t)_i, "rk8", table[_i].h);
    const char *method = tk_variational(ph_scenario_system(s));
    const double coarse = end_error((size_t)_i, method, 2 * table[_i].h),
                 fine = end_error((size_t)_i, method, table[_i].h);
    ck_assert_msg(fine < 1e-2 && coarse / fine > 3.2 && coarse / fine < 5.2, "%s: %g, %g", method, coarse,
                  fine);
}

TEST_EACH(found, SYSTEMS)
{
    TK_OWN(ph_scenario) *s = load((size_t)_i, "rk8", table[_i].h);
    const char *text = ph_scenario_found(s);
    ck_assert_msg(strstr(text, table[_i].found) != NULL, "%s", text);
    size_t n;
    ph_scenario_notes(s, &n);
    ck_assert_uint_eq(n, 0);
}

/* A compiled system of the table. */
static ph_scenario *load_compiled(size_t i, const char *method, double h)
{
    ph_scenario *s = load(i, method, h);
    ph_system *system = (ph_system *)(uintptr_t)ph_scenario_system(s);
    ck_assert_msg(!ph_formula_compile(system, &err), "%s", err.message);
    return s;
}

/* Every callback at random points, on the manifold or not: the bits of the interpreter. */
TEST_EACH(compiled_callbacks, SYSTEMS)
{
    enum { POINTS = 200, MOST = 4096, NZ = 40 };
    static double out[2][MOST], numbers[4][NZ];
    ph_scenario *s = load_compiled((size_t)_i, "rk8", table[_i].h);
    const ph_formula_user *u = ph_system_user(ph_scenario_system(s), ph_formula_user_free);
    tk_random r = {11 + (uint64_t)_i};
    size_t compared = 0;
    for (unsigned part = 0; part < PH_PARTS; part++) {
        const ph_tape *tape = u->part[part];
        const size_t parts = ph_formula_arrays(part), n = tape ? ph_tape_outs(tape) : 0;
        ck_assert(!tape == !u->compiled[part]);
        ck_assert_uint_le(n, MOST);
        for (int trial = 0; tape && trial < POINTS; trial++) {
            double *to[2][3];
            for (size_t k = 0; k < 4; k++)
                for (size_t i = 0; i < NZ; i++)
                    numbers[k][i] = tk_normal(&r);
            for (size_t i = 0; i < n; i++)
                out[0][i] = out[1][i] = tk_normal(&r);
            for (size_t k = 0; k < 2; k++)
                for (size_t i = 0; i < parts; i++)
                    to[k][i] = parts > 1 && trial % 4 == (int)i ? NULL : out[k] + i * (n / parts);
            ph_tape_place at = {.t = numbers[3][0],
                                .dt = numbers[3][1],
                                .z = numbers[0],
                                .v = numbers[1],
                                .dz = numbers[2],
                                .out = to[0]};
            ph_tape_run_at(tape, &at, parts, ph_formula_adds(part));
            at.out = to[1];
            u->compiled[part](&ph_tape_elementary, ph_tape_known(tape), &at);
            ck_assert_msg(!memcmp(out[0], out[1], n * sizeof **out), "part %u", part);
            compared += n;
        }
    }
    printf("system %d: %zu numbers compared\n", _i, compared);
    /* of spins whose energy is bonds nothing is left for callbacks */
    ck_assert(compared > 0 || ph_system_kind(ph_scenario_system(s)) == PH_PHASE_SPACE);
    ph_scenario_free(s);
}

TEST_EACH(compiled_motion, SYSTEMS)
{
    enum { MOST = 40 };
    double z[2][MOST], p[2][MOST];
    const char *methods[2] = {"rk8"};
    for (int m = 0; m < 2; m++) {
        size_t nz = 0, np = 0;
        for (int k = 0; k < 2; k++) {
            ph_scenario *s = (k ? load_compiled : load)((size_t)_i, methods[m], table[_i].h);
            ph_integrator *it = NULL;
            ph_state *state = NULL;
            methods[1] = tk_variational(ph_scenario_system(s));
            io_start(s, &it, &state);
            tk_steps(it, state, ph_scenario_steps(s));
            nz = ph_space_ambient(ph_system_space(ph_scenario_system(s)));
            np = ph_space_momenta(ph_system_space(ph_scenario_system(s)));
            memcpy(z[k], state->z, nz * sizeof **z);
            memcpy(p[k], state->p, np * sizeof **p);
            tk_end(it, state);
            ph_scenario_free(s);
        }
        ck_assert(!memcmp(z[0], z[1], nz * sizeof **z) && !memcmp(p[0], p[1], np * sizeof **p));
    }
}

TEST_EACH(derivatives, SYSTEMS)
{
    ph_scenario *s = load((size_t)_i, "rk8", table[_i].h);
    const ph_system *system = ph_scenario_system(s);
    tk_random r = {5 + (uint64_t)_i};
    enum { MOST = 40 };
    double z[MOST], zdot[MOST];
    const bool spins = ph_system_kind(system) == PH_PHASE_SPACE;
    for (int trial = 0; trial < 4; trial++) {
        ph_derivative_report report;
        tk_random_motion(system, &r, z, zdot);
        tk_ok(ph_system_check_derivatives(system, 0.3, z, zdot, &report, &err));
        ck_assert_uint_gt(report.n, 0);
        for (size_t i = 0; i < report.n; i++)
            ck_assert_msg(report.entry[i].error < 1e-9, "%d: %g", (int)report.entry[i].what,
                          report.entry[i].error);
    }
    ck_assert_int_eq(spins, _i == 9);
    ph_scenario_free(s);
}

/* ---- What is refused ------------------------------------------------------------------------------ */

static const struct {
    const char *model, *says;
} refused[] = {
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', potential: m*q.z",
     "own.yaml:2:66: potential, column 1: unknown name 'm'"},
    {"space: {q: S2}, where: {p: 2*qq}, kinetic: 'dot(qdot, qdot)/2'",
     "own.yaml:2:36: where p, column 3: unknown name 'qq'; is it q?"},
    {"space: {q: S4}, kinetic: 'dot(qdot, qdot)/2'",
     "space: q: 'S4' is no factor; it is R1, R2, ..., S1, S2, SO3 or spin"},
    {"space: {q: S2}, parameters: {sin: 3}, kinetic: 'dot(qdot, qdot)/2'",
     "parameters: 'sin' is a word of the language"},
    {"space: {q: S2}, parameters: {m: 3 furlongs}, kinetic: 'dot(qdot, qdot)/2'", "unknown unit 'furlongs'"},
    {"space: {q: S2}, parameters: {m: []}, kinetic: 'dot(qdot, qdot)/2'",
     "parameters: m has 0 numbers; from 1 to 4096 are allowed"},
    {"space: {q: S2}, parameters: {m: [1, x]}, kinetic: 'dot(qdot, qdot)/2'", "a number is expected"},
    {"space: {q: S2}, parameters: {m: 1 kg}, kinetic: 'm*dot(qdot, qdot)/2'",
     "kinetic is in kg/s^2; it should be in J"},
    {"space: {q: S2}, potential: q.z",
     "a system has kinetic and, if there is one, potential, or else lagrangian"},
    {"space: {q: S2}, kinetic: qdot.x, potential: q.z", "no kinetic energy"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', potential: qdot.x",
     "potential: it depends on velocities; write L as lagrangian"},
    {"space: {s: spin}, kinetic: 'dot(s, s)'", "spins have an energy"},
    {"space: {s: spin, q: S2}, energy: s.z", "they cannot be mixed"},
    {"space: {q: S2}, energy: q.z", "energy is that of spins"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', damping: 1", "damping: it is that of spins"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', constraints: [\"qdot.x^2 = 0\"]",
     "constraints: number 1: it should be linear in the velocities"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', forces: [{at: q, force: 3}]",
     "they should be vectors of one length"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', forces: [{on: q, moment: e1}]",
     "a moment is on a factor SO3 by its name"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', forces: [{at: q, torque: e1}]",
     "it has at and force, or on and moment, or on and torque"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', symmetries: [rotation about q]",
     "should be 'rotation about e3'"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', scene: {points: {p: q}, lines: [[origin, w]]}",
     "lines: there is no point 'w'"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', scene: {points: {p: qdot}}",
     "a point depends on the configuration and on time"},
    {"space: {q: S2}, kinetik: 3", "kinetic"},
    {"kinetic: 3", "has no space"},
    {"space: {q: S2}, parameters: {m: 1 kg, l: 1 m, F: 1 N}, kinetic: 'm*l^2*dot(qdot, qdot)/2', forces: [{at: l*q, force: l*e1}]",
     "forces: number 1: force is in m; it should be in N"},
    {"space: {q: S2}, parameters: {m: 1 kg, l: 1 metre}, kinetic: 'm*dot(qdot, qdot)/2'",
     "parameters l: unknown unit 'metre'"},
    {"space: {q: S2}, parameters: {m: 1 kg, g: 9.81 m/s2}, kinetic: 'm*dot(qdot, qdot)/2'",
     "parameters g: 'm/s2' is no unit; powers have a ^, as in m/s^2"},
    {"space: {q: S2}, parameters: {J: '[[2, 0], [0, 3, 4]] kg'}, kinetic: 'dot(qdot, qdot)/2'",
     "a number, a list or a matrix is expected, with a unit behind it"},
    {"space: {q: S2}, parameters: {J: [0 kg, 1, 2 kg]}, kinetic: 'dot(qdot, qdot)/2'",
     "a list has one unit, behind it, and all in quotes"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', constraints: [q.z = 1]", "it contains no velocity"},
    {"space: {q: S2}, parameters: {m: 1 kg, l: 1 m}, kinetic: 'm*l^2*dot(qdot, qdot)/2', dissipation: 'm*dot(qdot, qdot)'",
     "dissipation is in kg/s^2; it should be in W"},
    {"space: {q: S2}, parameters: {m: 1 kg, l: 1 m}, kinetic: 'm*l^2*dot(qdot, qdot)/2', scene: {points: {p: q}}",
     "points: p is in a pure number; it should be in m"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', scene: {points: {p: 'p[i=1..0]'}, lines: [p]}",
     "the list 'p' has no points"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', symmetries: [translation along e1]",
     "nothing is translated along e1"},
    {"space: {s: spin}, energy: 'd(s).x'", "d() of spins"},
    {"space: {q: S2}, kinetic: [0, 1]", "a formula is expected"},
    {"space: {B: SO3, q: S2}, kinetic: 'dot(omega(B), omega(B)) + dot(qdot, qdot)', scene: {bodies: {q: origin}}",
     "bodies: 'q' is no factor SO3"},
    {"space: {B: SO3}, kinetic: 'dot(omega(B), omega(B))', scene: {bodies: {B: p}}",
     "bodies: there is no point 'p'"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', potential: q.x, symmetries: [{name: L, generator: {q: e3}}]",
     "symmetries: L: the Lagrangian changes along this generator, by"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', potential: q.z, symmetries: [{name: L, generator: {q: 1}}]",
     "symmetries: L: q: the generator has 3 numbers here, not 1"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', symmetries: [{name: L, generator: {q: qdot}}]",
     "a generator depends on the configuration alone"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', symmetries: [{name: L, generator: {p: e1}}]",
     "symmetries: L: p: there is no factor of this name"},
    {"space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', symmetries: [{name: L}]", "without name or generator"},
    {"space: {x: R1, y: R1, q: S2}, kinetic: '(xdot - ydot)^2 + dot(qdot, qdot)'",
     "every motion must have positive kinetic energy; a motion of x, y together has none"},
    {"space: {x: R1, y: R1, z: R1}, kinetic: 'xdot^2 + (ydot + xdot)^2'", "; a motion of z has none"},
    {"space: {B: SO3, c: 'S1[2]'}, kinetic: 'dot(omega(B), omega(B)) + (1 + c[1].x^2)*omega(c[1])^2'",
     "; a motion of c[2] has none"},
};

TEST(refused_systems)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char text[600];
        TK_OWN(ph_scenario) *s = NULL;
        snprintf(text, sizeof text,
                 "polhode: 1\nmodel: {%s}\ninitial: {q: [[0, 0, 1]]}\nmethod: rk8\nstep: 0.1\nsteps: 1\n",
                 refused[i].model);
        ck_assert_msg(ph_scenario_parse(text, strlen(text), "own.yaml", &s, &err) != PH_OK, "%s",
                      refused[i].model);
        ck_assert_msg(strstr(err.message, refused[i].says) != NULL, "%s", err.message);
    }
}

/* A model of the catalogue and its formulas: the same motion to rounding, by the same kernel. */
TEST(as_the_catalogue)
{
    static const char by_formulas[] =
        "polhode: 1\n"
        "model:\n"
        "  space: {q: \"S2[n]\"}\n"
        "  parameters: {n: 5, m: 0.1 kg, l: 0.1 m, g: 9.81 m/s^2}\n"
        "  where: {\"p[0]\": \"[0, 0, 0]\", \"p[i=1..n]\": \"p[i-1] + l*q[i]\"}\n"
        "  kinetic: sum(i=1..n, m/2*dot(d(p[i]), d(p[i])))\n"
        "  potential: sum(i=1..n, m*g*p[i].z)\n"
        "  scene: {points: {p: \"p[i=1..n]\"}}\n";
    static const char by_model[] =
        "polhode: 1\nmodel: chain-pendulum\nparameters: {masses: [0.1, 0.1, 0.1, 0.1, 0.1], lengths: [0.1, 0.1, 0.1, 0.1, 0.1]}\n";
    static const char rest[] =
        "initial: {q: [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0.6, 0.8]]}\nmethod: variational\nstep: 0.001\nsteps: 2000\n";
    double z[2][15];
    for (int k = 0; k < 2; k++) {
        TK_OWN(ph_scenario) *s = io_scenario_of("%s%s", k ? by_model : by_formulas, rest);
        io_follow(s, z[k]);
    }
    printf("chain of five: %.1e\n", tk_max_difference(z[0], z[1], 15));
    ck_assert_double_lt(tk_max_difference(z[0], z[1], 15), 1e-11);
}

/* Moments and torques are those of the kit, also on entries of lists. */
TEST(moments_and_torques)
{
    static const char text[] =
        "polhode: 1\n"
        "model:\n"
        "  space: {B: 'SO3[2]', q: S2, a: S1}\n"
        "  parameters: {m: [0.3, -0.5, 0.8], c: 0.7}\n"
        "  kinetic: (dot(omega(B[1]), omega(B[1])) + dot(omega(B[2]), omega(B[2])) + dot(qdot, qdot) + omega(a)^2)/2\n"
        "  forces: [{on: 'B[2]', moment: m*sin(t)}, {on: q, torque: 2*m}, {on: a, torque: c}]\n"
        "initial: {q: [{axis: [1, 2, 3], angle: 1}, {axis: [0, 1, 1], angle: 2}, {theta: 1, phi: 2}, {angle: 0.4}]}\n"
        "method: rk8\nstep: 0.1\nsteps: 1\n";
    static const double m[3] = {0.3, -0.5, 0.8}, t = 0.9;
    TK_OWN(ph_scenario) *s = io_scenario(text);
    double f[23], expected[23] = {0}, moment[3], torque[3], zero[23] = {0};
    const double *z = ph_scenario_configuration(s);
    for (size_t i = 0; i < 3; i++)
        moment[i] = m[i] * sin(t), torque[i] = 2 * m[i];
    ph_add_moment3(z + 9, moment, expected + 9);
    ph_add_torque3(z + 18, torque, expected + 18);
    expected[21] = -0.7 * z[22];
    expected[22] = 0.7 * z[21];
    tk_ok(ph_system_force(ph_scenario_system(s), t, z, zero, f));
    ck_assert_double_lt(tk_max_difference(f, expected, 23), 1e-15);
}

/* A charge in a magnetic field and a uniform electric field -da/dt, which is written into the terms that are linear in the
 * velocity; and written as a potential. The motion is the same. */
TEST(split_in_time)
{
    static const char *const lagrangians[] = {
        "dot(xdot, xdot)/2 + dot([-x.y, x.x*(1 + x.z^2), 0] + [sin(2*t), 0, cos(t)], xdot)",
        "dot(xdot, xdot)/2 + dot([-x.y, x.x*(1 + x.z^2), 0], xdot) - 2*cos(2*t)*x.x + sin(t)*x.z"};
    double z[2][3];
    for (int k = 0; k < 2; k++) {
        TK_OWN(ph_scenario) *s = io_scenario_of(
            "polhode: 1\nmodel: {space: {x: R3}, lagrangian: '%s'}\ninitial: {q: [[0.4, 0.1, 0]], omega: [[0.5, 1, 0.7]]}\n"
            "method: rk8\nstep: 0.01\nduration: 3\n",
            lagrangians[k]);
        io_follow(s, z[k]);
    }
    printf("split in time: %.1e\n", tk_max_difference(z[0], z[1], 3));
    ck_assert_double_lt(tk_max_difference(z[0], z[1], 3), 1e-13);
}

/* What depends on time, its derivatives against differences: a constraint; a potential in addition to a Lagrangian that is no polynomial; L by an
 * inertia, by terms linear in the velocities, by any function. */
TEST(in_time)
{
    static const char *const models[] = {
        "{space: {x: R3}, kinetic: 'dot(xdot, xdot)/2', constraints: ['xdot.x - sin(t)*x.y*xdot.z = x.z*cos(t)']}",
        "{space: {x: R3}, lagrangian: '-4*sqrt(1 - dot(xdot, xdot)/64) - x.x*cos(t)'}",
        "{space: {x: R3}, kinetic: '(2 + sin(t))*dot(xdot, xdot)/2', potential: x.z}",
        "{space: {x: R3}, lagrangian: \"dot(xdot, xdot)/2 + sin(t)*dot(cross(e3, x), xdot) - x.z\"}",
        "{space: {x: R3}, lagrangian: '-4*sqrt(1 - exp(t)*dot(xdot, xdot)/64) - x.x*cos(t)'}"};
    static const ph_derivative has[] = {PH_DERIVATIVE_CONSTRAINT, PH_DERIVATIVE_IN_TIME, PH_DERIVATIVE_LT,
                                        PH_DERIVATIVE_LT, PH_DERIVATIVE_LVT};
    for (size_t i = 0; i < sizeof has / sizeof has[0]; i++) {
        TK_OWN(ph_scenario) *s = io_scenario_of(
            "polhode: 1\nmodel: %s\ninitial: {q: [[0.3, 0.4, 0.5]], omega: [[0, 0, 0]], project: true}\nmethod: rk8\nstep: 0.1\nsteps: 1\n",
            models[i]);
        ph_derivative_report report;
        const double z[] = {0.3, 0.4, 0.5}, zdot[] = {0.1, 0.2, -0.3};
        tk_ok(ph_system_check_derivatives(ph_scenario_system(s), 0.7, z, zdot, &report, &err));
        ck_assert_ptr_nonnull(ph_derivative_report_entry(&report, has[i]));
        for (size_t k = 0; k < report.n; k++)
            ck_assert_msg(report.entry[k].error < 1e-9, "%d: %g", (int)report.entry[k].what,
                          report.entry[k].error);
    }
}

/* A pendulum whose rope is pulled in, by T of its point, against a'' = -2 l'/l a' - (g/l) sin a; a charge in a magnetic field that
 * grows, whose A gives the electric field E = -dA/dt, against forces. */
TEST(lagrangians_in_time)
{
    static const struct {
        const char *model, *initial, *found;
    } runs[][2] = {
        {{"space: {q: S1}, where: {l: 1 - 0.1*sin(3*t), p: l*q}, kinetic: 'dot(d(p), d(p))/2', potential: 9.81*p.y",
          "q: [{angle: -0.6}], omega: [0.7]", "depends on time"},
         {"space: {a: R1}, where: {l: 1 - 0.1*sin(3*t)}, kinetic: adot^2/2, forces: [{at: a, force: "
          "'0.6*cos(3*t)/l*adot - 9.81/l*cos(a)'}]",
          "q: [[-0.6]], omega: [[0.7]]", "constant inertia"}},
        {{"space: {x: R3}, lagrangian: 'dot(xdot, xdot)/2 + (1 + t^2)*dot(cross(e3, x), xdot) - 3*x.z^2'",
          "q: [[0.4, 0.1, 0.2]], omega: [[0.5, 1, 0.7]]", "depends on time"},
         {"space: {x: R3}, kinetic: 'dot(xdot, xdot)/2', potential: 3*x.z^2, forces: [{at: x, force: "
          "'2*(1 + t^2)*cross(xdot, e3) - 2*t*cross(e3, x)'}]",
          "q: [[0.4, 0.1, 0.2]], omega: [[0.5, 1, 0.7]]", "constant inertia"}}};
    for (size_t i = 0; i < 2; i++) {
        double z[2][3] = {{0}};
        for (size_t k = 0; k < 2; k++) {
            TK_OWN(ph_scenario) *s = io_scenario_of(
                "polhode: 1\nmodel: {%s}\ninitial: {%s}\nmethod: rk8\nstep: 0.005\nduration: 2\n",
                runs[i][k].model, runs[i][k].initial);
            ck_assert_msg(strstr(ph_scenario_found(s), runs[i][k].found) != NULL, "%s", ph_scenario_found(s));
            ph_formula_callback all[PH_FORMULA_CALLBACKS];
            bool rates = false;
            for (size_t c = ph_formula_callbacks(ph_scenario_system(s), all); c-- > 0;)
                rates = rates || all[c].part == PH_PART_LV_RATE;
            ck_assert(rates == (k == 0));
            io_follow(s, z[k]);
        }
        if (i == 0) {
            z[1][1] = sin(z[1][0]);
            z[1][0] = cos(z[1][0]);
        }
        ck_assert_msg(tk_max_difference(z[0], z[1], 3) < 1e-12, "%zu: %.1e", i,
                      tk_max_difference(z[0], z[1], 3));
    }
}

/* Of an inertia that depends on z the derivatives of L are those of (1/2) zdot . MM zdot - U, and of nothing that has no effect: a
 * velocity times a constant or a function of time, a potential that depends on time, which is apart. */
TEST(slopes_of_a_varying_inertia)
{
    static const char *const lagrangians[] = {
        "(1 + x.x^2)*dot(xdot, xdot)/2 + (2 + sin(a))*adot*xdot.y + 8*adot^2 - cos(a)*x.y",
        "(1 + x.x^2)*dot(xdot, xdot)/2 + (2 + sin(a))*adot*xdot.y + 8*adot^2 - cos(a)*x.y + 3*xdot.x - 2*adot",
        "(1 + x.x^2)*dot(xdot, xdot)/2 + (2 + sin(a))*adot*xdot.y + 8*adot^2 - cos(a)*x.y + cos(t)*xdot.x - a*sin(t)"};
    enum { NZ = 3 };
    const double z[NZ] = {0.7, -0.4, 1.1}, v[NZ] = {0.3, 0.9, -1.2}, s = sin(1.1), c = cos(1.1);
    const double MM[NZ][NZ] = {{1.49, 0, 0}, {0, 1.49, 2 + s}, {0, 2 + s, 16}},
                 Lz[NZ] = {0.7 * (0.09 + 0.81), -c, c * -1.2 * 0.9 + s * -0.4};
    for (size_t k = 0; k < 3; k++) {
        TK_OWN(ph_scenario) *scenario = io_scenario_of(
            "polhode: 1\nmodel: {space: {x: R2, a: R1}, lagrangian: '%s'}\n"
            "initial: {q: [[0, 0], [0]], omega: [[0, 0], [0]]}\nmethod: rk8\nstep: 0.005\nduration: 2\n",
            lagrangians[k]);
        const ph_system *system = ph_scenario_system(scenario);
        double work[1000], seen[2 * NZ], alone[NZ], Lzz[NZ * NZ], Lvz[NZ * NZ], Lvv[NZ * NZ];
        ck_assert_int_eq(ph_system_kind(system), PH_INERTIA_VARYING);
        ck_assert_uint_le(ph_system_work(system), 1000);
        tk_ok(ph_system_lagrangian_gradient(system, 0.3, z, v, seen, seen + NZ, work));
        tk_ok(ph_system_lagrangian_gradient(system, 0.3, z, v, NULL, alone, work));
        tk_ok(ph_system_lagrangian_hessian(system, 0.3, z, v, Lzz, Lvz, Lvv, work));
        for (size_t i = 0; i < NZ; i++) {
            const double momentum = MM[i][0] * v[0] + MM[i][1] * v[1] + MM[i][2] * v[2];
            ck_assert_double_lt(fabs(seen[NZ + i] - momentum), 1e-14);
            ck_assert_double_lt(fabs(alone[i] - momentum), 1e-14);
            ck_assert_double_lt(fabs(seen[i] - Lz[i]), 1e-14);
            for (size_t j = 0; j < NZ; j++)
                ck_assert_double_lt(fabs(Lvv[NZ * i + j] - MM[i][j]), 1e-14);
        }
        ck_assert_double_lt(fabs(Lvz[0] - 2 * 0.7 * 0.3), 1e-14);
        ck_assert_double_lt(fabs(Lzz[0] - (0.09 + 0.81)), 1e-14);
    }
}

/* A moving support keeps its symmetries: across its motion by the part of L that is left, along it by the whole L. Terms whose time
 * begins at infinity are split off as well. */
TEST(symmetries_in_time)
{
    static const struct {
        const char *model, *initial, *found;
    } runs[] = {
        {"space: {x: R1}, where: {p: x + sin(2*t)/2}, kinetic: d(p)^2/2, symmetries: [translation along e1]",
         "q: [[0]], omega: [[0.3]]", "depends on time"},
        {"space: {x: R1}, where: {p: x + sin(2*t)/2}, kinetic: d(p)^2/2, symmetries: [{name: P, unit: kg m/s, "
         "generator: {x: '1'}}]",
         "q: [[0]], omega: [[0.3]]", "depends on time"},
        {"space: {q: S2}, where: {p: 'q + [0, 0, sin(2*t)/2]'}, kinetic: 'dot(d(p), d(p))/2', potential: 9.81*p.z, "
         "symmetries: [rotation about e3]",
         "q: [[0.6, 0, 0.8]], omega: [[0, 0, 1]], project: true", "constant inertia"},
        {"space: {q: S2}, where: {p: 'q + [sin(2*t)/2, 0, 0]'}, kinetic: 'dot(d(p), d(p))/2', symmetries: "
         "[rotation about e1]",
         "q: [[0.6, 0, 0.8]], omega: [[0, 0, 1]], project: true", "constant inertia"},
        {"space: {x: R2}, lagrangian: 'dot(xdot, xdot)/2 + x.x*xdot.y + log(t)*xdot.x'",
         "q: [[0, 0]], omega: [[1, 0]]", "a Lagrangian"}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        TK_OWN(ph_scenario) *s = io_scenario_of(
            "polhode: 1\nmodel: {%s}\ninitial: {time: 1, %s}\nmethod: variational\nstep: 0.01\nsteps: 100\n",
            runs[i].model, runs[i].initial);
        const ph_system *system = ph_scenario_system(s);
        ck_assert_msg(strstr(ph_scenario_found(s), runs[i].found) != NULL, "%s", ph_scenario_found(s));
        double J[2] = {0}, work[9];
        TK_BEGIN(it, state, io_start, s);
        for (int k = 0; k < 2; k++) {
            if (k)
                tk_steps(it, state, 100);
            ck_assert(isfinite(state->p[0]));
            if (ph_system_symmetries(system))
                tk_ok(ph_system_momentum_map(system, 0, state->z, state->p, &J[k], work));
        }
        ck_assert_double_eq_tol(J[0], J[1], 1e-14);
    }
}

/* Points that depend on time are where they are then, and not affine. */
TEST(points_in_time)
{
    TK_OWN(ph_scenario) *s = io_scenario_of(
        "polhode: 1\nmodel:\n  space: {a: S1}\n  where: {p: '[0, sin(6*t)] + a'}\n  kinetic: dot(d(p), d(p))/2\n"
        "  scene: {points: {pivot: 'p - a', bob: p}, lines: [[pivot, bob]]}\n"
        "initial: {q: [{angle: 0.3}], omega: [0]}\nmethod: rk8\nstep: 0.1\nsteps: 1\n");
    const ph_system *system = ph_scenario_system(s);
    const double z[] = {0.6, 0.8}, expected[] = {0, sin(4.2), 0, 0.6, sin(4.2) + 0.8, 0};
    double x[6];
    tk_ok(ph_system_places(system, 0.7, z, x));
    ck_assert_double_lt(tk_max_difference(x, expected, 6), 1e-15);
    TK_MAKE(ph_scene, scene, ph_scene_create(system, &scene, &err));
    ck_assert(!ph_scene_is_affine(scene));
}

/* A tree with two roots moves the same, whether its links are recognised by its points or not; a constant of the potential
 * stays. */
TEST(trees)
{
    static const char model[] =
        "polhode: 1\n"
        "model:\n"
        "  space: {q: 'S2[5]'}\n"
        "  parameters: {g: 9.81}\n"
        "  where: {a: '0.5*q[1]', b: 'a + 0.7*q[2]', c: 'a + 0.4*q[3]', u: '0.6*q[4]', w: 'u + 0.3*q[5]'}\n"
        "  kinetic: (dot(d(a), d(a)) + 2*dot(d(b), d(b)) + 3*dot(d(c), d(c)) + dot(d(u), d(u)) + dot(d(w), d(w)))/2\n"
        "  potential: g*(a.z + 2*b.z + 3*c.z + u.z + w.z)%s\n"
        "%s"
        "initial: {q: [[1, 0, 0], [0, 1, 0], [0.6, 0, 0.8], [0, 0.6, -0.8], [0, 0, 1]]}\n"
        "method: variational\nstep: 0.002\nsteps: 500\n";
    static const char scene[] = "  scene: {points: {a: a, b: b, c: c, u: u, w: w}}\n";
    double z[3][15];
    for (int k = 0; k < 3; k++) {
        TK_OWN(ph_scenario) *s = io_scenario_of(model, k == 2 ? " + 5" : "", k ? scene : "");
        double U;
        ck_assert_int_eq(strstr(ph_scenario_found(s), "5 links") != NULL, k > 0);
        ck_assert_int_eq(ph_system_linkage(ph_scenario_system(s)) != NULL, k > 0);
        tk_ok(ph_system_potential(ph_scenario_system(s), ph_scenario_configuration(s), &U));
        ck_assert_msg(fabs(U - 9.81 * (3 * 0.4 * 0.8 - 2 * 0.6 * 0.8 + 0.3) - (k == 2 ? 5 : 0)) < 1e-13,
                      "%.15g", U);
        io_follow(s, z[k]);
    }
    ck_assert_double_lt(tk_max_difference(z[0], z[1], 15), 1e-11);
    ck_assert_double_lt(tk_max_difference(z[0], z[2], 15), 1e-11);
}

/* ---- Parameters ------------------------------------------------------------------------------------- */

/* A matrix with a unit is its numbers; the parameter that turns the check of units off is named. */
TEST(parameters)
{
    static const struct {
        const char *J, *more, *found;
    } rows[] = {{"[[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]]", "", "; units are not checked, as J has none"},
                {"'[[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]] kg m^2'", "", NULL},
                {"'[[2000, 100, 0], [100,3000,0],[ 0 , 0, 4000]] g m^2'", "", NULL},
                {"'[[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]] kg m^2'", ", n: 1", NULL}, /* an index */
                {"'[[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]] kg m^2'", ", w: 2.5", "as w has none"}};
    double kinetic, potential, work[400];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        TK_OWN(ph_scenario) *s = io_scenario_of(
            "polhode: 1\nmodel:\n  space: {B: 'SO3[1]'}\n  parameters: {m: 0 kg m^2, J: %s%s}\n"
            "  kinetic: sum(i=1..%s, dot(omega(B[i]), J*omega(B[i])))/2%s\n"
            "initial: {q: [{axis: [1, 0, 0], angle: 1}], omega: [[1, 2, 3]]}\nmethod: rk8\nstep: 0.1\nsteps: 1\n",
            rows[i].J, rows[i].more, strchr(rows[i].more, 'n') ? "n" : "1",
            strchr(rows[i].more, 'w') ? " + m*w" : "");
        const char *found = ph_scenario_found(s);
        ck_assert_msg(strstr(found, rows[i].found ? rows[i].found : "inertia") != NULL, "%s", found);
        ck_assert_msg(rows[i].found || !strstr(found, "units"), "%s", found);
        const ph_system *system = ph_scenario_system(s);
        double zdot[9];
        ck_assert_uint_le(ph_system_work(system), 400);
        tk_ok(
            ph_system_velocity(system, 0, ph_scenario_configuration(s), ph_scenario_momentum(s), zdot, work));
        tk_ok(ph_system_energy(system, 0, ph_scenario_configuration(s), zdot, &kinetic, &potential, work));
        ck_assert_msg(fabs(kinetic - (2 + 0.4 + 12 + 36) / 2) < 1e-13, "%zu: %.17g", i, kinetic);
    }
}

/* A body is drawn at its point by axes and by the ellipsoid with its moments: half-axes a with (a_2^2 + a_3^2)/5 = J_1 of a body of
 * 1 kg, to scale. */
TEST(bodies)
{
    static const char text[] =
        "polhode: 1\n"
        "model:\n"
        "  space: {x: R3, B: SO3}\n"
        "  parameters: {J: [0.3, 0.4, 0.2]}\n"
        "  kinetic: dot(xdot, xdot)/2 + dot(omega(B), diag(J[1], J[2], J[3])*omega(B))/2\n"
        "  scene: {points: {o: x - x, p: x}, lines: [[origin, p]], bodies: {B: p}}\n"
        "initial: {q: [[1, 2, 3], {axis: [1, 2, 0], angle: 0.7}], omega: [[0, 0, 0], [0, 0, 1]]}\n"
        "method: rk8\nstep: 0.1\nsteps: 1\n";
    const double J[3] = {0.3, 0.4, 0.2};
    TK_OWN(ph_scenario) *s = io_scenario(text);
    size_t n;
    const ph_scene_part *part = ph_system_parts(ph_scenario_system(s), &n);
    ck_assert_uint_eq(n, 6); /* a mark, a line, two balls, and these */
    part += 4;
    ck_assert_int_eq(part[0].kind, PH_SCENE_ELLIPSOID);
    ck_assert_int_eq(part[1].kind, PH_SCENE_AXES);
    for (int k = 0; k < 2; k++) {
        ck_assert_uint_eq(part[k].a.point, 1);
        ck_assert_uint_eq(part[k].a.frame, 1);
    }
    double turned[9] = {0}, trace = 0; /* sum of a_k^2 along the axes of the part, in the body: diagonal */
    for (size_t i = 0; i < 9; i++)
        for (size_t k = 0; k < 3; k++)
            turned[i] += part->R[3 * (i / 3) + k] * part->size[k] * part->size[k] * part->R[3 * (i % 3) + k];
    trace = turned[0] + turned[4] + turned[8];
    for (size_t i = 0; i < 3; i++) /* J_i = (trace - a_i^2) / 5 to the scale of the sum of J */
        ck_assert_double_lt(fabs((trace - turned[4 * i]) / (2 * trace) - J[i] / 0.9), 1e-14);
    ck_assert_double_lt(fabs(turned[1]) + fabs(turned[2]) + fabs(turned[5]), 1e-14 * trace);
}

/* ---- Symmetries ------------------------------------------------------------------------------------- */

/* The generator of the rotations of the whole, factor by factor, has the same momentum map as the axis; the spin of a symmetric
 * body about its axis is its momentum there. */
TEST(generators)
{
    static const char text[] =
        "polhode: 1\n"
        "model:\n"
        "  space: {x: 'R3[2]', a: S1, B: SO3, q: S2, u: R2}\n"
        "  parameters: {m: 1.5, J: [0.3, 0.3, 0.2], g: 9.81}\n"
        "  kinetic: m/2*dot(d(x[1]), d(x[1])) + dot(d(x[2]), d(x[2])) + dot(udot, udot) + omega(a)^2/2 + dot(omega(B), diag(J[1], J[2], J[3])*omega(B))/2 + dot(qdot, qdot)/2 + 0.1*dot(d(B*e3), qdot)\n"
        "  potential: g*(B*e3).z + dot(x[1], q) + 3*(x[2].x*a.x + x[2].y*a.y) + dot(u, a)\n"
        "  symmetries: [rotation about e3, {name: S, unit: J s, generator: {B: e3}}, {name: Jz, generator: {'x[1]': 'cross(e3, x[1])', 'x[2]': 'cross(e3, x[2])', a: 1, B: B.T*e3, q: e3, u: '[-u.y, u.x]'}}]\n"
        "initial: {q: [[1, 0.2, 0.3], [0, 1, 2], {angle: 0.4}, {axis: [1, 2, 0], angle: 0.7}, {theta: 1, phi: 2}, [3, 1]], omega: [[1, 0, 2], [1, 1, 1], [3], [1, 2, 3], [1, 0, 0.2], [1, 2]], project: true}\n"
        "method: rk8\nstep: 0.1\nsteps: 1\n";
    TK_OWN(ph_scenario) *s = io_scenario(text);
    double map[3], work[600];
    const ph_system *system = ph_scenario_system(s);
    ck_assert_uint_eq(ph_system_symmetries(system), 3);
    ck_assert_str_eq(ph_system_symmetry(system, 1)->name, "S");
    ck_assert_str_eq(ph_system_symmetry(system, 1)->unit, "J s");
    ck_assert_uint_le(ph_space_momenta(ph_system_space(system)), 600);
    for (size_t i = 0; i < 3; i++)
        tk_ok(ph_system_momentum_map(system, i, ph_scenario_configuration(s), ph_scenario_momentum(s),
                                     &map[i], work));
    ck_assert_double_lt(fabs(map[0] - map[2]), 2e-15 * fabs(map[0]));
    ck_assert_double_eq(map[1], ph_scenario_momentum(s)[9]); /* behind x[1], x[2], a, and two of the body */
}

/* ---- Columns and events ----------------------------------------------------------------------------- */

/* Columns of its own are what they say, with velocities, corners and units. */
TEST(columns)
{
    static const char text[] =
        "polhode: 1\n"
        "model:\n"
        "  space: {r: R1, q: S2, B: SO3}\n"
        "  parameters: {m: 2 kg, l: 1 m}\n"
        "  where: {p: r*q}\n"
        "  kinetic: m/2*dot(d(p), d(p)) + m*l^2*dot(omega(B), omega(B))/2 + m/2*rdot^2\n"
        "  columns: {bob: p, speed: norm(d(p)), bobtail: abs(p.x)*t, far: 'max(r, 2*l)', az: 'atan2(q.y, q.x)', w: B*omega(B), both: '[p.x, p.y, p.z, r]', M: 'outer(q, q)'}\n"
        "initial: {q: [1.2, [0.6, 0, 0.8], [[0, -1, 0], [1, 0, 0], [0, 0, 1]]], omega: [0.5, [0, 2, 0], [1, 2, 3]], time: 2}\n"
        "method: rk8\nstep: 0.1\nsteps: 1\n"
        "output: {columns: [bob, speed, bobtail, far, az, w, both, Mxz]}\n";
    static const struct {
        const char *name, *unit;
        double value;
    } expected[] = {{"t", "s", 2},
                    {"step", "", 0},
                    {"bobx", "m", 0.72},
                    {"boby", "m", 0},
                    {"bobz", "m", 0.96},
                    {"speed", "m/s", 2.4515301344262523}, /* sqrt(0.5^2 + (1.2 x 2)^2) */
                    {"bobtail", "m s", 1.44},
                    {"far", "m", 2},
                    {"az", "1", 0},
                    {"wx", "1/s", -2},
                    {"wy", "1/s", 1},
                    {"wz", "1/s", 3},
                    {"both_1", "m", 0.72},
                    {"both_2", "m", 0},
                    {"both_3", "m", 0.96},
                    {"both_4", "m", 1.2},
                    {"Mxz", "1", 0.48}};
    enum { COLUMNS = sizeof expected / sizeof expected[0] };
    TK_OWN(ph_scenario) *s = io_scenario(text);
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    ph_columns *columns = NULL;
    size_t n;
    double values[COLUMNS];
    char room[PH_COLUMN_NAME];
    io_start(s, &it, &state);
    const char *const *words = ph_scenario_columns(s, &n);
    tk_ok(ph_columns_create_trajectory(ph_scenario_system(s), words, n, &columns, &err));
    ck_assert_uint_eq(ph_columns_count(columns), COLUMNS);
    ph_columns_values(columns, &(ph_row){.state = state}, 0, COLUMNS, values);
    for (size_t i = 0; i < COLUMNS; i++) {
        const char *unit = ph_columns_unit(columns, i);
        ck_assert_str_eq(ph_columns_name(columns, i, room), expected[i].name);
        ck_assert_str_eq(unit ? unit : "", expected[i].unit);
        ck_assert_msg(fabs(values[i] - expected[i].value) < 4e-15, "%s: %.17g", expected[i].name, values[i]);
    }
    ph_columns_free(columns);
    tk_end(it, state);
}

/* What formulas call a column, and its unit, by hand; a number in a word is that of the factor only where no factor is called so. */
TEST(names_of_factors)
{
    static const char text[] =
        "polhode: 1\n"
        "model:\n"
        "  space: {r: {in: R1, unit: rad}, q: S2, c: 'S1[2]', B: SO3, e: {in: 'R2[2]', unit: kg m}, q2: S1, q6: R1}\n"
        "  parameters: {J: 2 kg m^2, M: 1 1/kg, m: 1 kg}\n"
        "  kinetic: 'J/2*(rdot^2 + dot(qdot, qdot) + omega(c[1])^2 + omega(c[2])^2 + dot(omega(B), omega(B)) + omega(q2)^2)"
        " + M/2*(dot(edot[1], edot[1]) + dot(edot[2], edot[2])) + m/2*q6dot^2'\n"
        "  columns: {rr: r}\n"
        "initial: {q: [1, [0, 0, 1], [1, 0], [1, 0], [1, 0, 0, 0], [0, 0], [0, 0], [0, 1], 3]}\n"
        "method: rk8\nstep: 0.1\nsteps: 1\n";
    static const struct {
        const char *word, *first, *unit, *title;
        size_t n;
    } rows[] = {{"r", "x1_1", "rad", "r", 1},
                {"x1", "x1_1", "rad", "r", 1},
                {"rdot", "xdot1_1", "rad/s", "rdot", 1},
                {"v1_1", "v1_1", "rad/s", "rdot", 1},
                {"momentum(r)", "p1_1", "kg m^2/s", "momentum(r)", 1},
                {"rr", "rr", "1", "rr", 1},
                {"q", "q2x", "1", "q.x", 3},
                {"qdot.z", "qdot2z", "1/s", "qdot.z", 1},
                {"omega(q)", "omega2x", "rad/s", "omega(q).x", 3},
                {"c[2]", "q4x", "1", "c[2].x", 2},
                {"cdot[2].y", "qdot4y", "1/s", "cdot[2].y", 1},
                {"omega(c[1])", "omega3", "rad/s", "omega(c[1])", 1},
                {"B", "R5xx", "1", "B[1,1]", 9},
                {"B[2,3]", "R5yz", "1", "B[2,3]", 1},
                {"momentum(B).y", "Pi5y", "kg m^2/s", "momentum(B).y", 1},
                {"e[2][1]", "x7_1", "kg m", "e[2][1]", 1},
                {"edot[1]", "xdot6_1", "kg m/s", "edot[1][1]", 2},
                {"momentum(e[1])", "p6_1", "m/s", "momentum(e[1])[1]", 2},
                {"q2", "q8x", "1", "q2.x", 2}, /* not factor 2, which is q */
                {"q6", "x9_1", "m", "q6", 1},
                {"q2x", "q2x", "1", "q.x", 1},
                {"energy", "energy", "J", "energy", 1}};
    TK_OWN(ph_scenario) *s = io_scenario(text);
    char room[PH_COLUMN_NAME], title[PH_COLUMN_NAME];
    const ph_system *system = ph_scenario_system(s);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ph_columns *columns = NULL;
        ck_assert_msg(!ph_columns_create(system, &rows[i].word, 1, &columns, &err), "%s", err.message);
        const char *name = ph_columns_name(columns, 0, room);
        ck_assert_str_eq(name, rows[i].first);
        ck_assert_str_eq(ph_columns_unit(columns, 0), rows[i].unit);
        ck_assert_str_eq(ph_column_title(system, name, title), rows[i].title);
        ck_assert_uint_eq(ph_columns_count(columns), rows[i].n);
        ph_columns_free(columns);
    }
    ck_assert_str_eq(ph_column_title(system, "R5", title), "B");
    ck_assert_ptr_null(ph_system_label(system, 9));
    const char *const unknown = "momentumm";
    ph_columns *columns = NULL;
    tk_refused(ph_columns_create(system, &unknown, 1, &columns, tk_err), PH_E_UNKNOWN, "momentum");
}

#define LONG "a_name_of_a_factor_that_has_forty_letters_" /* 42 letters */

/* Likewise where a group by number has a single column, and where names differ behind their 42nd letter. */
TEST(names_of_numbers)
{
    static const struct {
        const char *space, *kinetic, *word;
    } rows[] = {{"x0: R1, x1: R1", "x0dot^2 + x1dot^2", "x1"},
                {"v2: R1, v1: R1", "v1dot^2 + v2dot^2", "v1"},
                {"p2: R1, p1: R1", "p1dot^2 + p2dot^2", "p1"},
                {LONG "1: R1, " LONG "2: R1", LONG "1dot^2 + " LONG "2dot^2", LONG "2"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[800], room[PH_COLUMN_NAME];
        snprintf(text, sizeof text,
                 "polhode: 1\nmodel: {space: {%s}, kinetic: '%s'}\ninitial: {q: [5, 6]}\n"
                 "method: rk8\nstep: 0.1\nsteps: 1\nevents: [{name: a, when: %s}]\n",
                 rows[i].space, rows[i].kinetic,
                 i < 3 ? rows[i].word : "t"); /* a formula, if its name is none of a column */
        TK_OWN(ph_scenario) *s = io_scenario(text);
        ph_integrator *it = NULL;
        ph_state *state = NULL;
        ph_columns *columns = NULL;
        io_start(s, &it, &state);
        size_t n;
        double value;
        const char *const words[] = {rows[i].word, ph_scenario_events(s, &n)[0].column};
        for (size_t k = 0; k < (i < 3 ? 2 : 1); k++) {
            tk_ok(ph_columns_create(ph_scenario_system(s), &words[k], 1, &columns, &err));
            ck_assert_str_eq(ph_columns_name(columns, 0, room), "x2_1");
            ph_columns_values(columns, &(ph_row){.state = state}, 0, 1, &value);
            ck_assert_double_eq(value, 6);
            ph_columns_free(columns);
        }
        tk_end(it, state);
    }
}

/* Angles in degrees, of circles, coordinates in rad and directions; what seems to be degrees; a parameter that nothing uses. */
TEST(angles)
{
    static const char text[] =
        "polhode: 1\n"
        "model: {space: {a: S1, q: S2, r: {in: R1, unit: rad}, b: S1}, parameters: {J: 1 kg m^2, m: 2 kg},"
        " kinetic: 'J*(omega(a)^2 + dot(qdot, qdot) + rdot^2 + omega(b)^2)'}\n"
        "initial: {q: [{angle: 120 deg}, {theta: 90 deg, phi: -90 deg}, -180 deg, {angle: %s}]}\n"
        "method: rk8\nstep: 0.1\nsteps: 1\n";
    const double expected[] = {-0.5, sqrt(3) / 2, 0, -1, 0, -PI};
    for (int k = 0; k < 2; k++) {
        TK_OWN(ph_scenario) *s = io_scenario_of(text, k ? "90" : "450 deg");
        size_t n;
        for (size_t i = 0; i < 6; i++)
            ck_assert_msg(fabs(ph_scenario_configuration(s)[i] - expected[i]) < 3e-16, "%zu", i);
        const char *const *notes = ph_scenario_notes(s, &n);
        ck_assert_uint_eq(n, k);
        ck_assert_msg(!k || strstr(notes[0], "more than a turn; degrees are written as 90 deg"), "%s",
                      k ? notes[0] : "");
        ck_assert_msg(strstr(ph_scenario_found(s), "; no formula uses the parameter m") != NULL, "%s",
                      ph_scenario_found(s));
    }
    static const char *const wrong[][2] = {
        {"0.5", "a point of a circle is {angle: 0.5} in rad"},
        {"{angle: 9o deg}", "an angle in rad, or 90 deg, is expected"},
        {"{angle: 90 degrees}", "an angle in rad, or 90 deg, is expected"}};
    for (size_t i = 0; i < 3; i++) {
        char all[300];
        TK_OWN(ph_scenario) *s = NULL;
        snprintf(all, sizeof all,
                 "polhode: 1\nmodel: {space: {a: S1}, kinetic: omega(a)^2}\ninitial: {q: [%s]}\n"
                 "method: rk8\nstep: 0.1\nsteps: 1\n",
                 wrong[i][0]);
        ck_assert(ph_scenario_parse(all, strlen(all), "own.yaml", &s, &err) != PH_OK);
        ck_assert_msg(strstr(err.message, wrong[i][1]) != NULL, "%s", err.message);
    }
}

typedef struct crossing_times {
    double t[4];
    int n;
} crossing_times;

static ph_status note_time(void *self, const ph_occurrence *o, ph_error *e)
{
    crossing_times *f = self;
    (void)e;
    if (f->n < 4)
        f->t[f->n++] = o->t;
    return PH_OK;
}

/* Events by formulas, at the times of x = cos t. */
TEST(events)
{
    static const char text[] =
        "polhode: 1\n"
        "model: {space: {x: R1}, kinetic: xdot^2/2, potential: x^2/2, where: {h: 2*x}}\n"
        "initial: {q: [1], omega: [0]}\n"
        "method: rk8\nstep: 0.1\nduration: 4\n"
        "events: [{name: a, when: t - 0.77}, {name: b, when: h}, {name: c, when: x*abs(x) + 1/4}, {name: d, when: 'd(x) + 0*t', direction: up}]\n";
    const double at[] = {0.77, PI / 2, 2 * PI / 3, PI};
    TK_OWN(ph_scenario) *s = io_scenario(text);
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    ph_events *events = NULL;
    size_t n;
    crossing_times found = {.n = 0};
    io_start(s, &it, &state);
    const ph_event *list = ph_scenario_events(s, &n);
    tk_ok(ph_events_create(it, list, n, &(ph_event_sink){note_time, &found}, &events, &err));
    tk_ok(ph_events_begin(events, state, &err));
    for (int64_t k = 0; k < ph_scenario_steps(s); k++) {
        tk_steps(it, state, 1);
        tk_ok(ph_events_look(events, state, &err));
    }
    ck_assert_int_eq(found.n, 4);
    for (int i = 0; i < 4; i++)
        ck_assert_msg(fabs(found.t[i] - at[i]) < 1e-10, "%d: %.17g", i, found.t[i]);
    ck_assert_uint_eq(ph_system_columns(ph_scenario_system(s)), 4);
    ck_assert(ph_system_column(ph_scenario_system(s), 0)->unlisted);
    ph_events_free(events);
    tk_end(it, state);
}

/* A reduced system has not the columns of the whole. */
TEST(events_of_reduced_systems)
{
    static const char text[] =
        "polhode: 1\n"
        "model: {space: {q: S2}, kinetic: 'dot(qdot, qdot)/2', potential: q.z, symmetries: [rotation about e3], columns: {h: q.z}}\n"
        "initial: {q: [{theta: 2, phi: 0.3}], omega: [[0, 0, 0.1]], project: true}\n"
        "reduction: {symmetry: J3}\nmethod: rk8\nstep: 0.1\nsteps: 1\nevents: [{name: a, when: %s}]\n";
    static const char *const when[] = {"q.z + 0.7", "h", "q1z"};
    for (int i = 0; i < 3; i++) {
        char all[600];
        ph_scenario *s = NULL;
        snprintf(all, sizeof all, text, when[i]);
        const ph_status status = ph_scenario_parse(all, strlen(all), "own.yaml", &s, &err);
        ck_assert_int_eq(status, i == 2 ? PH_OK : PH_E_UNKNOWN);
        ck_assert_msg(i == 2 || strstr(err.message, "are those of the whole system, not of the reduced one"),
                      "%s", err.message);
        ph_scenario_free(s);
    }
}

/* What is said of a Lagrangian that depends on time, which has no potential. */
TEST(reduction_in_time)
{
    static const char text[] =
        "polhode: 1\n"
        "model: {space: {q: S2}, lagrangian: '(2 + sin(t))*dot(qdot, qdot)', symmetries: [rotation about e3]}\n"
        "initial: {q: [{theta: 2, phi: 0.3}], omega: [[0, 0, 0.1]], project: true}\n"
        "reduction: {symmetry: J3}\nmethod: rk8\nstep: 0.1\nsteps: 1\n";
    ph_scenario *s = NULL;
    tk_refused(ph_scenario_parse(text, sizeof text - 1, "own.yaml", &s, tk_err), PH_E_UNSUPPORTED,
               "its potential or its Lagrangian depends on time");
}

TEST(refused_columns)
{
    static const char text[] =
        "polhode: 1\nmodel: {space: {q: S2}, parameters: {m: 1 kg, l: 1 m}, kinetic: 'm*l^2*dot(qdot, qdot)/2',\n"
        "  columns: {%s}}\ninitial: {q: [[0, 0, 1]]}\nmethod: rk8\nstep: 0.1\nsteps: 1\nevents: [{name: a, when: '%s'}]\n";
    static const struct {
        const char *columns, *when, *says;
    } rows[] = {
        {"h: 2*qq", "t",
         "own.yaml:3:16: columns: h, column 3: unknown name 'qq'; is it q?\n    2*qq\n      ^"},
        {"h: q.z", "l + q.z",
         "own.yaml:8:26: events: number 1, column 3: both sides of '+' must have the same unit"},
        {"h: q.z", "q + q", "events: number 1, column 1: this is a vector of 3; a number is expected"},
        {"h: q.z", "qq", "unknown column \"qq\""},
        {"h: q.z", "hh", "unknown column \"hh\"; did you mean \"h\"?"},
        {"h: 'd(abs(q.z))'", "t", "columns: h, column 1: d() of something with a corner"},
        {"energy: q.z", "t", "columns: energy: the system has a column of this name already"},
        {"q1x: q.z", "t", "columns: q1x: the system has a column of this name already"},
        {"q: q, qx: q.z", "t", "there are two with the name qx"},
        {"a-b: q.z", "t", "its name should be a letter"},
        {"h: q.z", "energy_error", "belongs to a run"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char all[600];
        TK_OWN(ph_scenario) *s = NULL;
        snprintf(all, sizeof all, text, rows[i].columns, rows[i].when);
        ck_assert_msg(ph_scenario_parse(all, strlen(all), "own.yaml", &s, &err) != PH_OK, "%s",
                      rows[i].columns);
        ck_assert_msg(strstr(err.message, rows[i].says) != NULL, "%s", err.message);
    }
}

/* Names of columns and of momentum maps that are words for the columns of a factor. */
TEST(refused_names_of_factors)
{
    static const struct {
        const char *model, *says;
    } rows[] = {
        {"space: {h: R1, r: R1}, kinetic: hdot^2 + rdot^2, columns: {h: 2*h}",
         "columns: h: this is the name of a factor"},
        {"space: {h: R1, r: R1}, kinetic: hdot^2 + rdot^2, columns: {hdot: 2*h}", "columns: hdot: this is"},
        {"space: {h: R1, u: R2}, kinetic: 'hdot^2 + dot(udot, udot)', columns: {u: 2*u}",
         "columns: u: this is"},
        {"space: {v_1: R1, y: R4}, kinetic: 'v_1dot^2 + dot(ydot, ydot)', columns: {v: ydot}",
         "columns: v_1: this is"},
        {"space: {h: R1, r: R1}, kinetic: hdot^2 + rdot^2, symmetries: [{name: r, generator: {r: '1'}}]",
         "symmetries: r: this is"},
        {"space: {P1: R1, r: R1}, kinetic: P1dot^2 + rdot^2, symmetries: [translation along e1]",
         "symmetries: P1: this is"},
        {"space: {J3: R1, q: S2}, kinetic: 'J3dot^2 + dot(qdot, qdot)', symmetries: [rotation about e3]",
         "symmetries: J3: this is"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char all[600];
        TK_OWN(ph_scenario) *s = NULL;
        snprintf(all, sizeof all,
                 "polhode: 1\nmodel: {%s}\ninitial: {q: [0, %s]}\nmethod: rk8\nstep: 0.1\nsteps: 1\n",
                 rows[i].model,
                 strstr(rows[i].model, "S2")   ? "[1, 0, 0]"
                 : strstr(rows[i].model, "R4") ? "[0, 0, 0, 0]"
                 : strstr(rows[i].model, "R2") ? "[0, 0]"
                                               : "0");
        ck_assert_msg(ph_scenario_parse(all, strlen(all), "own.yaml", &s, &err) != PH_OK, "%s",
                      rows[i].model);
        ck_assert_msg(strstr(err.message, rows[i].says) != NULL, "%s", err.message);
    }
}

int main(void)
{
    char cache[] = "/tmp/check_polhode.XXXXXX", command[80];
    if (!mkdtemp(cache))
        return 1;
    setenv("XDG_CACHE_HOME", cache, 1);
    const int code = tk_run("formulas in scenarios");
    snprintf(command, sizeof command, "rm -rf %s", cache);
    return system(command) ? 1 : code;
}
