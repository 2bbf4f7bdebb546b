/* SPDX-License-Identifier: BSD-3-Clause */
/* What is recognised in formulas: the same system as that of the catalogue, or as is written down here by hand, and the same
 * motion by its fast methods. */
#include "tests/kit/iokit.h"

#include <polhode/domain/spins.h>

static ph_error err;

/* ---- Spins -------------------------------------------------------------------------------------- */

enum { MOST_NUMBERS = 64 };

/* Directions of n spins. */
static const char *directions(size_t n, char *to)
{
    char *end = to;
    for (size_t k = 0; k < n; k++)
        end += sprintf(end, "%s{theta: %.2f, phi: %.2f}", k ? ", " : "", 0.4 + 0.21 * (double)k,
                       1.3 * (double)k);
    return to;
}

/* A ring with all that the catalogue's has, by each kind of method. */
TEST(spin_chain)
{
    static const char *const methods[] = {"spin-splitting", "spherical-midpoint", "rk8"};
    static const char *const models[] = {
        "model: spin-chain\n"
        "parameters: {spins: 7, exchange: 1.3, delta: 1.2, anisotropy: 0.4, twist: [0.1, 0.2, 0.3], field: [0.2, 0.1, 0.5]}\n",
        "model:\n"
        "  space: {s: 'spin[7]'}\n"
        "  parameters: {J: 1.3, delta: 1.2, K: 0.4, D: [0.1, 0.2, 0.3], B: [0.2, 0.1, 0.5]}\n"
        "  where: {'r[i=1..7]': 's[i]', 'r[8]': 's[1]'}\n"
        "  energy: -J*sum(i=1..7, dot(r[i], r[i+1]) + (delta - 1)*r[i].z*r[i+1].z) + dot(D, sum(i=1..7, cross(r[i], r[i+1]))) - K*sum(i=1..7, s[i].z^2) - dot(B, sum(i=1..7, s[i]))\n"};
    for (size_t m = 0; m < 3; m++) {
        double z[2][MOST_NUMBERS];
        char q[400];
        for (size_t k = 0; k < 2; k++) {
            TK_OWN(ph_scenario) *s =
                io_scenario_of("polhode: 1\n%sinitial: {q: [%s]}\nmethod: %s\nstep: 0.02\nsteps: 50\n",
                               models[k], directions(7, q), methods[m]);
            ck_assert(ph_spins_are_declared(ph_scenario_system(s)));
            io_follow(s, z[k]);
        }
        ck_assert_double_lt(tk_max_difference(z[0], z[1], 21), 2e-13);
    }
}

/* A torus of 3 x 4 with a twist across the bonds, in other directions along other axes. */
TEST(spin_lattice)
{
    enum { X = 3, Y = 4, N = X * Y };
    char bonds[4000], *end = bonds, q[800];
    double z[2][MOST_NUMBERS];
    for (int i = 0; i < N; i++) {
        const int right = i / X * X + (i + 1) % X, up = (i + X) % N;
        end += sprintf(end,
                       "%s-J*(dot(s[%d], s[%d]) + dot(s[%d], s[%d])) + D*dot(e1, cross(s[%d], s[%d])) "
                       "+ D*dot(e2, cross(s[%d], s[%d]))",
                       i ? " + " : "", i + 1, right + 1, i + 1, up + 1, i + 1, right + 1, i + 1, up + 1);
    }
    for (size_t k = 0; k < 2; k++) {
        TK_OWN(ph_scenario) *s =
            k ? io_scenario_of(
                    "polhode: 1\nmodel: {space: {s: 'spin[12]'}, parameters: {J: 1, D: 0.7}, energy: '%s'}\n"
                    "initial: {q: [%s]}\nmethod: spherical-midpoint\nstep: 0.02\nsteps: 50\n",
                    bonds, directions(N, q))
              : io_scenario_of("polhode: 1\nmodel: spin-lattice\n"
                               "parameters: {side_x: 3, side_y: 4, bulk_twist: 0.7}\n"
                               "initial: {q: [%s]}\nmethod: spherical-midpoint\nstep: 0.02\nsteps: 50\n",
                               directions(N, q));
        ck_assert(ph_spins_are_declared(ph_scenario_system(s)));
        io_follow(s, z[k]);
    }
    ck_assert_double_lt(tk_max_difference(z[0], z[1], 3 * N), 2e-13);
}

/* s . A r + s . K s + B . s with matrices of any form: the energy and its gradient by hand. */
TEST(spins_by_matrices)
{
    tk_random r = {11};
    for (int trial = 0; trial < 20; trial++) {
        double A[9], K[9], B[3], z[6], H = 0, g[6] = {0}, energy, gradient[6], torque[6], expected[6];
        ph_numbers row[7];
        for (size_t k = 0; k < 9; k++)
            A[k] = tk_normal(&r), K[k] = tk_normal(&r);
        for (size_t k = 0; k < 3; k++) {
            B[k] = tk_normal(&r);
            ph_show_numbers(&row[k], "[]", A + 3 * k, 3);
            ph_show_numbers(&row[3 + k], "[]", K + 3 * k, 3);
        }
        ph_show_numbers(&row[6], "[]", B, 3);
        TK_OWN(ph_scenario) *s = io_scenario_of(
            "polhode: 1\nmodel: {space: {s: 'spin[2]'}, parameters: {A: [%s, %s, %s], K: [%s, %s, %s], B: %s}, "
            "energy: 'dot(s[1], A*s[2]) + dot(s[1], K*s[1]) + dot(B, s[2])'}\n"
            "initial: {q: [[1, 0, 0], [0, 1, 0]]}\nmethod: spin-splitting\nstep: 0.02\nsteps: 1\n",
            row[0].text, row[1].text, row[2].text, row[3].text, row[4].text, row[5].text, row[6].text);
        const ph_system *system = ph_scenario_system(s);
        tk_unit(&r, z), tk_unit(&r, z + 3);
        for (size_t i = 0; i < 3; i++) {
            for (size_t j = 0; j < 3; j++) {
                H += z[i] * A[3 * i + j] * z[3 + j] + z[i] * K[3 * i + j] * z[j];
                g[i] += A[3 * i + j] * z[3 + j] + (K[3 * i + j] + K[3 * j + i]) * z[j];
                g[3 + j] += A[3 * i + j] * z[i];
            }
            H += B[i] * z[3 + i];
            g[3 + i] += B[i];
        }
        ck_assert(ph_spins_are_declared(system));
        tk_ok(ph_spins_energy(system, 0, z, &energy));
        tk_ok(ph_spins_gradient(system, 0, z, gradient));
        tk_ok(ph_spins_torque(system, 0, z, torque));
        ck_assert_double_lt(fabs(energy - H), 1e-13);
        ck_assert_double_lt(tk_max_difference(gradient, g, 6), 1e-13);
        for (size_t i = 0; i < 2; i++)
            ph_cross3(g + 3 * i, z + 3 * i, expected + 3 * i);
        ck_assert_double_lt(tk_max_difference(torque, expected, 6), 1e-13);
    }
}

/* What is of no declared form stays a formula, with a second derivative of as many blocks as it has; the rest is declared. */
TEST(spins_left_over)
{
    static const struct {
        const char *energy, *found;
        size_t bonds, blocks;
    } table[] = {
        {"-dot(s[1], s[2]) - 2*(dot(s[3], s[4]) + dot(s[1], s[3])^2)",
         ": exchange; and terms of another form, which cannot be split", 1, 7},
        {"exp(s[2].x) - s[4].z^2", ": anisotropy; and terms of another form, which cannot be split", 0, 4},
        {"1 - dot(s[1], s[2])", ": exchange", 1, 5},
        {"s[1].x*s[4].y*cos(t) + s[2].z", ": a field; and terms that depend on time", 0, 5},
        {"s[1].x*s[4].y", ": bonds along an axis, twist", 3, 5}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        TK_OWN(ph_scenario) *s =
            io_scenario_of("polhode: 1\nmodel: {space: {s: 'spin[4]'}, energy: '%s'}\n"
                           "initial: {q: [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.6, 0, 0.8]]}\n"
                           "method: spherical-midpoint\nstep: 0.02\nsteps: 1\n",
                           table[i].energy);
        const ph_system *system = ph_scenario_system(s);
        ph_derivative_report report;
        double z[12];
        tk_random r = {3};
        ck_assert_msg(strstr(ph_scenario_found(s), table[i].found) != NULL, "%s", ph_scenario_found(s));
        ck_assert_uint_eq(ph_system_spins(system)->n_bonds, table[i].bonds);
        ck_assert_uint_eq(ph_spins_hessian_blocks(system), table[i].blocks);
        for (size_t k = 0; k < 4; k++)
            tk_unit(&r, z + 3 * k);
        tk_ok(ph_system_check_derivatives(system, 0.7, z, NULL, &report, &err));
        for (size_t k = 0; k < report.n; k++)
            ck_assert_double_lt(report.entry[k].error, 1e-11);
    }
}

/* A chain with strengths and damping, as the catalogue has it; a constant in the energy is in the energy alone. */
TEST_EACH(spins_with_strengths, 2)
{
    static const char *const models[] = {
        "model: spin-chain\nparameters: {spins: 4, exchange: 1.3, strengths: [1, -2, 0.5, 3]%s}\n",
        "model: {space: {s: 'spin[4]'}, parameters: {J: 1.3, G: [1, -2, 0.5, 3], a: 0.05}, strengths: %s,"
        " energy: 'a^2 + 3 - J*(dot(s[1], s[2]) + dot(s[2], s[3]) + dot(s[3], s[4]) + dot(s[4], s[1]))'}\n"};
    static const char *const more[][2] = {{"", ", damping: 0.1"}, {"G", "[1, -2, 10*a, 3], damping: 2*a"}},
                             *const methods[] = {"spin-splitting", "spherical-midpoint"};
    double z[2][MOST_NUMBERS], H[2];
    for (size_t k = 0; k < 2; k++) {
        char q[400], model[400];
        snprintf(model, sizeof model, models[k], more[k][_i]);
        TK_OWN(ph_scenario) *s =
            io_scenario_of("polhode: 1\n%sinitial: {q: [%s]}\nmethod: %s\nstep: 0.02\nsteps: 50\n", model,
                           directions(4, q), methods[_i]);
        const ph_system *system = ph_scenario_system(s);
        ck_assert(ph_spins_are_declared(system));
        ck_assert_int_eq(ph_spins_are_damped(system), _i);
        tk_ok(ph_spins_energy(system, 0, ph_scenario_configuration(s), &H[k]));
        io_follow(s, z[k]);
    }
    ck_assert_double_lt(tk_max_difference(z[0], z[1], 12), 2e-13);
    ck_assert_double_eq_tol(H[1] - H[0], 3.0025, 1e-14);
    static const char *const wrong[][2] = {
        {"strengths: '[1, 2, 3]'", "strengths: one number, or a list of 4"},
        {"strengths: '1 + s[1].x'", "strengths: it is made of numbers and parameters alone"},
        {"damping: -1", "own.yaml:2:59: the damping of spin 1 is -1"},
        {"strengths: [1, 1, 0, 1]", "own.yaml:2:61: the strength of spin 3 is 0"},
        {"strengths: {a: 1}", "model.strengths: is a map; a formula or a list is expected"},
        {"damping: [0, {a: 1}]", "model.damping[1]: is a map; a number or a formula is expected"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[400];
        ph_scenario *s = NULL;
        snprintf(
            text, sizeof text,
            "polhode: 1\nmodel: {space: {s: 'spin[4]'}, energy: 's[1].x', %s}\ninitial: {q: [[1, 0, 0]]}\nmethod: rk8\nstep: 0.1\nsteps: 1\n",
            wrong[i][0]);
        tk_refused(ph_scenario_parse(text, strlen(text), "own.yaml", &s, tk_err), tk_err->status,
                   wrong[i][1]);
    }
}

/* ---- Inertias in blocks ------------------------------------------------------------------------- */

/* Numbers in eight factors, of which every two are coupled by the inertia, and in one factor of eight dimensions; forces and
 * velocity constraints likewise. */
TEST(blocks)
{
    static const char *const more[] = {"", ", dissipation: 'sum(i=1..8, v[i]^2)/20'",
                                       ", constraints: ['v[1] - x[3]*v[8] = 0']"};
    for (size_t m = 0; m < 3; m++) {
        double z[2][MOST_NUMBERS];
        for (size_t k = 0; k < 2; k++) {
            TK_OWN(ph_scenario) *s =
                io_scenario_of("polhode: 1\n"
                               "model: {space: {x: %s}, where: {'v[i=1..8]': 'xdot[i]'}, "
                               "kinetic: 'sum(i=1..4, 2*v[2*i-1]^2 + v[2*i-1]*v[2*i] + i*v[2*i]^2)', "
                               "potential: 'sum(i=1..7, (x[i+1] - x[i])^2 + x[i]^4)'%s}\n"
                               "initial: {q: %s}\nmethod: %s\nstep: 0.01\nsteps: 100\n",
                               k ? "R8" : "'R1[8]'", more[m],
                               k ? "[[0.1, -0.2, 0.3, 0.4, 0.5, -0.1, 0.6, 0.2]]"
                                 : "[[0.1], [-0.2], [0.3], [0.4], [0.5], [-0.1], [0.6], [0.2]]",
                               m == 0 ? "variational" : "rk8");
            ck_assert_msg((strstr(ph_scenario_found(s), "in 4 parts") != NULL) == !k, "%s",
                          ph_scenario_found(s));
            io_follow(s, z[k]);
        }
        ck_assert_double_lt(tk_max_difference(z[0], z[1], 8), 1e-13);
    }
}

/* ---- Bodies on ball joints ---------------------------------------------------------------------- */

/* Three bodies of the catalogue's chain. */
TEST(rigid_chain)
{
    static const char *const models[] = {
        "model: rigid-chain\nparameters: {bodies: 3, centre: [0.05, 0, -0.25], joint: [0, 0.1, -0.5]}\n",
        "model:\n"
        "  space: {B: 'SO3[3]'}\n"
        "  parameters: {m: 1, c: [0.05, 0, -0.25], s: [0, 0.1, -0.5], J: [0.021, 0.022, 0.002], g: 9.81}\n"
        "  where: {'y[0]': '[0, 0, 0]', 'y[i=1..3]': 'y[i-1] + B[i]*s', 'x[i=1..3]': 'y[i-1] + B[i]*c'}\n"
        "  kinetic: sum(i=1..3, m*dot(d(x[i]), d(x[i])) + dot(omega(B[i]), diag(J[1], J[2], J[3])*omega(B[i])))/2\n"
        "  potential: m*g*sum(i=1..3, x[i].z)\n"
        "  scene: {points: {x: 'x[i=1..3]'}}\n"};
    double z[2][MOST_NUMBERS];
    for (size_t k = 0; k < 2; k++) {
        TK_OWN(ph_scenario) *s = io_scenario_of(
            "polhode: 1\n%s"
            "initial: {q: [{axis: [1, 0, 0.3], angle: 0.3}, {axis: [1, 1, 0.3], angle: 0.5}, "
            "{axis: [0, 1, 0.3], angle: 0.7}], omega: [[0.3, 0, 0.5], [0.3, 0.1, 0.5], [0.3, 0.2, 0.5]]}\n"
            "method: variational\nstep: 0.005\nsteps: 200\n",
            models[k]);
        ck_assert_ptr_nonnull(ph_system_articulation(ph_scenario_system(s)));
        io_follow(s, z[k]);
    }
    ck_assert_double_lt(tk_max_difference(z[0], z[1], 27), 1e-11);
}

/* Two trees, one of them with branches, and levers in all directions: the same motion, energy and inertia whether they are
 * recognised or not, with gravity along any axis and without it. */
TEST(trees_of_bodies)
{
    static const char *const potentials[] = {
        "", "  potential: -dot(G, M[1]*x1 + M[2]*x2 + M[3]*x3 + M[4]*x4 + M[5]*x5)\n"};
    for (size_t heavy = 0; heavy < 2; heavy++) {
        double z[2][MOST_NUMBERS], T[2], U[2];
        for (size_t k = 0; k < 2; k++) {
            TK_OWN(ph_scenario) *s = io_scenario_of(
                "polhode: 1\nmodel:\n"
                "  space: {B: 'SO3[5]'}\n"
                "  parameters: {M: [2, 1, 3, 1, 2], G: [1, -2, -9], J: [[0.3, 0.02, 0.01], [0.02, 0.4, 0], [0.01, 0, 0.25]], "
                "a: [0.1, 0.2, -0.3], b: [-0.2, 0.1, 0.4], c: [0.3, 0, 0.1]}\n"
                "  where: {x1: 'B[1]*a', y: 'B[1]*b', x2: 'y + B[2]*c', x3: 'B[1]*c + B[3]*a', x4: 'B[4]*c', "
                "x5: 'y + B[2]*a + B[5]*b'}\n"
                "  kinetic: (M[1]*dot(d(x1), d(x1)) + M[2]*dot(d(x2), d(x2)) + M[3]*dot(d(x3), d(x3)) + M[4]*dot(d(x4), d(x4)) "
                "+ M[5]*dot(d(x5), d(x5)) + sum(i=1..5, dot(omega(B[i]), J*omega(B[i]))))/2\n%s%s"
                "initial: {q: [{axis: [1, 0, 0.3], angle: 0.3}, {axis: [1, 1, 0.3], angle: 0.5}, {axis: [0, 1, 0.3], angle: 0.7}, "
                "{axis: [1, 1, 1], angle: 1}, {axis: [1, 2, 0], angle: 2}], "
                "omega: [[0.3, 0, 0.5], [0.3, 0.1, 0.5], [0.3, 0.2, 0.5], [1, 2, 3], [0, 0, 0]]}\n"
                "method: rk8\nstep: 0.01\nsteps: 100\n",
                potentials[heavy], k ? "  scene: {points: {x: x1}}\n" : "");
            const ph_system *system = ph_scenario_system(s);
            ck_assert_int_eq(ph_system_articulation(system) != NULL, k);
            ck_assert_int_eq(strstr(ph_scenario_found(s), heavy ? "5 bodies on ball joints under gravity"
                                                                : "5 bodies on ball joints") != NULL,
                             k);
            double at[45], rate[45], work[20000];
            tk_random r = {5};
            tk_random_motion(system, &r, at, rate);
            ck_assert_uint_le(ph_system_work(system), 20000);
            tk_ok(ph_system_energy(system, 0, at, rate, &T[k], &U[k], work));
            io_follow(s, z[k]);
        }
        ck_assert_double_lt(fabs(T[0] - T[1]), 1e-13);
        ck_assert_double_lt(fabs(U[0] - U[1]), 1e-13);
        ck_assert_double_lt(tk_max_difference(z[0], z[1], 45), 1e-11);
    }
}

/* Why bodies are not taken for a tree. */
TEST(no_trees_of_bodies)
{
    static const char *const table[][2] = {
        {"dot(d(x), d(x)) + dot(d(y), d(y))', potential: 'x.z^2",
         "the potential is not that of gravity alone"},
        {"dot(d(x), d(x)) + dot(d(y), d(y))', potential: 'x.z + y.x", "they do not hang on one another"},
        {"dot(d(x), d(x)) + dot(d(y), d(y)) + trace(Bdot[1].T*Bdot[2])/9", "they do not hang on one another"},
        {"dot(d(x), d(x)) + dot(d(y), d(y)) + dot(d(B[1]*e1), d(B[2]*e1))/9",
         "they do not hang on one another"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        TK_OWN(ph_scenario) *s = io_scenario_of(
            "polhode: 1\nmodel: {space: {B: 'SO3[2]'}, where: {x: 'B[1]*e3', y: 'x + B[2]*e2'}, "
            "scene: {points: {x: x}}, "
            "kinetic: 'dot(omega(B[1]), omega(B[1])) + dot(omega(B[2]), omega(B[2])) + %s'}\n"
            "initial: {q: [{axis: [1, 0, 0], angle: 1}, {axis: [1, 0, 0], angle: 2}]}\n"
            "method: rk8\nstep: 0.01\nsteps: 1\n",
            table[i][0]);
        ck_assert_msg(strstr(ph_scenario_found(s), table[i][1]) != NULL, "%s", ph_scenario_found(s));
        ck_assert_ptr_null(ph_system_articulation(ph_scenario_system(s)));
    }
}

int main(void)
{
    return tk_run("what is recognised in formulas");
}
