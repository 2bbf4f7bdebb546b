/* SPDX-License-Identifier: BSD-3-Clause */
/* Slender rods, cables and trees: energies against point masses and angles of joints; initial conditions,
 * symmetries, what is refused, and large systems; runs keep energy and equilibria. */
#include "tests/models/rods.h"

#include <stdbool.h>

/* ---- Energies ----------------------------------------------------------------------------------- */

static double angle(const double *a, const double *b)
{
    double c[3];
    ph_cross3(a, b, c);
    return atan2(ph_norm3(c), ph_dot3(a, b));
}

/* Places (or velocities) of the masses. */
static void points(const truth *t, const double *z, double x[LINKS][3])
{
    for (size_t i = 0; i < t->n; i++)
        for (size_t a = 0; a < 3; a++)
            x[i][a] = (t->parent[i] < 0 ? 0 : x[t->parent[i]][a]) + t->l[i] * z[3 * i + a];
}

/* T and U, and how large their terms are. */
static void reckon(const truth *t, const double *z, const double *v, double *T, double *U, double *T_size,
                   double *U_size)
{
    double x[LINKS][3], u[LINKS][3], off[3];
    points(t, z, x);
    points(t, v, u);
    *T = *U = *T_size = *U_size = 0;
    for (size_t i = 0; i < t->n; i++) {
        const double *before = i ? z + 3 * (i - 1) : t->clamp;
        double half = t->k[i] > 0 ? sin(angle(before, z + 3 * i) / 2) : 0;
        *T += 0.5 * t->m[i] * ph_dot3(u[i], u[i]);
        *U += 2 * t->k[i] * half * half - t->m[i] * ph_dot3(t->G, x[i]);
        *T_size += t->m[i] * 100 * (double)(t->n * t->n);
        *U_size += 2 * t->k[i] + t->m[i] * ph_norm3(t->G) * 10;
    }
    for (size_t a = 0; a < 3; a++)
        off[a] = x[t->n - 1][a] - t->anchor[a];
    *U += 0.5 * t->hold * ph_dot3(off, off) - ph_dot3(t->load, x[t->n - 1]);
    *U_size += 0.5 * t->hold * (100 + ph_dot3(t->anchor, t->anchor)) + 10 * ph_norm3(t->load);
}

static void random_vector(tk_random *r, double v[3])
{
    for (int a = 0; a < 3; a++)
        v[a] = tk_normal(r);
}

enum { ELASTIC, LISTED, CANTILEVER, CABLE, TREE, KINDS };
static const char *const models[KINDS] = {"elastic-chain", "elastic-chain", "cantilever", "hanging-cable",
                                          "branching-pendulum"};

static ph_system *random_system(int kind, tk_random *r, truth *t)
{
    double n = 1 + floor(tk_uniform(r, 0, LINKS)), length = tk_log_uniform(r, 0.3, 3),
           mass = tk_log_uniform(r, 0.3, 3), EI = tk_log_uniform(r, 0.3, 3), direction[3], parents[LINKS],
           reach = 0;
    *t = (truth){.n = (size_t)n};
    random_vector(r, t->G);
    random_vector(r, direction);
    bool clamped = kind == CANTILEVER || (kind <= LISTED && tk_uniform(r, 0, 1) < 0.5);
    for (size_t i = 0; i < t->n; i++) { /* half a link's mass at each of its ends */
        t->l[i] = kind == LISTED || kind == TREE ? tk_log_uniform(r, 0.3, 3) / LINKS : length / n;
        t->m[i] = kind == TREE ? tk_log_uniform(r, 0.3, 3) : (mass / n) * (i + 1 < t->n ? 1 : 0.5);
        t->parent[i] = kind == TREE ? (int)tk_uniform(r, 0, (double)i + 1) - 1 : (int)i - 1;
        parents[i] = t->parent[i] + 1;
        reach += t->l[i];
    }
    for (size_t i = 0; i < t->n && kind == LISTED; i++)
        t->m[i] = mass / reach * (t->l[i] + (i + 1 < t->n ? t->l[i + 1] : 0)) / 2;
    for (size_t i = clamped ? 0 : 1; i < t->n && kind <= CANTILEVER; i++)
        t->k[i] = EI / (i ? (t->l[i - 1] + t->l[i]) / 2 : t->l[0] / 2);
    for (int a = 0; a < 3 && clamped; a++)
        t->clamp[a] = direction[a] / ph_norm3(direction);
    if (kind == CABLE || kind == CANTILEVER)
        random_vector(r, t->load);
    if (kind == CABLE) {
        random_vector(r, t->anchor);
        t->hold = tk_log_uniform(r, 0.3, 3);
    }
    const ph_parameter_value rod[] = {{"length", &length, 1},
                                      {"mass", &mass, 1},
                                      {"links", &n, 1},
                                      {"gravity", t->G, 3},
                                      {"bending_stiffness", &EI, 1}};
    ph_parameter_value given[10];
    memcpy(given, rod, sizeof rod);
    size_t many = 5;
    if (kind == TREE) {
        given[0] = (ph_parameter_value){"parents", parents, t->n};
        given[1] = (ph_parameter_value){"masses", t->m, t->n};
        given[2] = (ph_parameter_value){"lengths", t->l, t->n};
        many = 4;
    } else if (kind == CABLE) {
        given[4] = (ph_parameter_value){"anchor", t->anchor, 3};
        given[many++] = (ph_parameter_value){"anchor_stiffness", &t->hold, 1};
        given[many++] = (ph_parameter_value){"pull", t->load, 3};
    } else if (kind == CANTILEVER) {
        given[many++] = (ph_parameter_value){"direction", direction, 3};
        given[many++] = (ph_parameter_value){"tip_load", t->load, 3};
    } else if (clamped) {
        given[many++] = (ph_parameter_value){"clamp", direction, 3};
    }
    if (kind == LISTED)
        given[many++] = (ph_parameter_value){"lengths", t->l, t->n};
    if (kind == LISTED && tk_uniform(r, 0, 1) < 0.5) {
        for (size_t i = 0; i < t->n; i++)
            t->m[i] = tk_log_uniform(r, 0.3, 3);
        given[many++] = (ph_parameter_value){"masses", t->m, t->n};
    }
    return tk_build(models[kind], given, many);
}

TEST_EACH(energies_are_those_of_masses_and_joints, KINDS)
{
    tk_random r = {1 + (uint64_t)_i};
    double worst[2] = {0};
    for (int trial = 0; trial < 300; trial++) {
        truth t;
        double z[3 * LINKS], v[3 * LINKS], T, U, T_size, U_size, potential;
        TK_OWN(ph_system) *system = random_system(_i, &r, &t);
        ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), t.n);
        tk_random_motion(system, &r, z, v);
        reckon(&t, z, v, &T, &U, &T_size, &U_size);
        tk_ok(ph_system_potential(system, z, &potential));
        worst[0] = tk_max(worst[0], fabs(tk_kinetic(system, z, v) - T) / T_size);
        worst[1] = tk_max(worst[1], fabs(potential - U) / U_size);
    }
    printf("%s: kinetic energy off by %.1f eps of its terms, potential by %.1f\n", models[_i], worst[0] / eps,
           worst[1] / eps);
    ck_assert_double_le(worst[0], 8 * eps);
    ck_assert_double_le(worst[1], 8 * eps);
}

/* U is quadratic in z, also off the spheres: differences over a unit are exact, and those of rules that
 * evaluate it there are what they should be. */
TEST_EACH(gradient_is_the_derivative_off_the_spheres_too, KINDS)
{
    tk_random r = {11 + (uint64_t)_i};
    double worst = 0;
    for (int trial = 0; trial < 100; trial++) {
        truth t;
        double z[3 * LINKS], dU[3 * LINKS], size = 0;
        TK_OWN(ph_system) *system = random_system(_i, &r, &t);
        for (size_t i = 0; i < 3 * t.n; i++)
            z[i] = tk_normal(&r);
        tk_ok(ph_system_gradient(system, z, dU));
        for (size_t i = 0; i < 3 * t.n; i++) {
            double ahead, behind, keep = z[i];
            z[i] = keep + 1;
            tk_ok(ph_system_potential(system, z, &ahead));
            z[i] = keep - 1;
            tk_ok(ph_system_potential(system, z, &behind));
            z[i] = keep;
            size = fmax(size, fabs(ahead) + fabs(behind));
            worst = tk_max(worst, fabs((ahead - behind) / 2 - dU[i]) / size);
        }
    }
    printf("%s: gradient off by %.1f eps of the potential\n", models[_i], worst / eps);
    ck_assert_double_le(worst, 8 * eps);
}

/* ---- Runs --------------------------------------------------------------------------------------- */

/* An equilibrium stays, and from the first initial condition the energy error neither grows nor is anything
 * but of order 2: 4000 steps at h and 8000 at h/2, with the largest error of the first and of the second
 * half. */
TEST_EACH(runs_keep_energy_and_equilibria, 4)
{
    static const char *const names[] = {"elastic-chain", "cantilever", "hanging-cable", "branching-pendulum"};
    const char *name = names[_i];
    double z[64], zdot[64], rate, worst[2][2] = {{0}}, moved = 0;
    ph_system *system = tk_build(name, NULL, 0);
    size_t nz = ph_space_ambient(ph_system_space(system));
    ph_integrator *it;
    ph_state *state;
    tk_preset(name, NULL, 0, NULL, z, zdot);
    rate = tk_fastest(system, z, zdot);
    for (int half = 0; half < 2; half++) {
        double h = 0.2 / rate / (1 + half), T, U, E0, *work = malloc(ph_system_work(system) * sizeof *work),
               v[64];
        int steps = 4000 * (1 + half);
        tk_start(system, "variational", NULL, h, z, zdot, &it, &state);
        tk_ok(ph_system_energy(system, 0, z, zdot, &T, &U, work));
        E0 = T + U;
        for (int k = 0; k < steps; k++) {
            tk_ok(ph_integrator_step(it, state, 1));
            tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, work));
            tk_ok(ph_system_energy(system, 0, state->z, v, &T, &U, work));
            double *most = &worst[half][k >= steps / 2];
            *most = tk_max(*most, fabs(T + U - E0));
        }
        tk_end(it, state);
        free(work);
    }
    tk_preset(name, NULL, 0, _i == 3 ? "hanging" : "settled", z, zdot);
    tk_start(system, "variational", NULL, 0.2 / rate, z, zdot, &it, &state);
    for (int k = 0; k < 1000; k++) {
        tk_ok(ph_integrator_step(it, state, 1));
        moved = tk_max(moved, tk_max_difference(state->z, z, nz));
    }
    tk_end(it, state);
    ph_system_free(system);
    double first = worst[0][0], second = worst[0][1], finer = tk_max(worst[1][0], worst[1][1]);
    printf("%s: energy error %.2e J in the first half, %.2e in the second, %.2e at half the step; "
           "the equilibrium moves by %.1e\n",
           name, first, second, finer, moved);
    ck_assert_double_le(second, 1.5 * first);
    ck_assert(tk_max(first, second) / finer > 3 && tk_max(first, second) / finer < 5.5);
    ck_assert_double_le(moved, 1e-11);
}

/* ---- Initial conditions ------------------------------------------------------------------------- */

TEST(initial_conditions_are_what_they_say)
{
    double z[24], zdot[24], other[24], tip[3], first[3], turn[3];
    /* bent by 90 degrees from the clamp, the tip at about 0.5 m/s across */
    const ph_parameter_value clamped[] = {
        {"clamp", VALUES(0, 2, 0)}, {"links", VALUES(8)}, {"length", VALUES(0.4)}};
    tk_preset("elastic-chain", clamped, 3, "curved", z, zdot);
    for (int i = 0; i < 8; i++) {
        double a = M_PI / 2 * (i + 0.5) / 8;
        ck_assert(fabs(z[3 * i]) <= eps && fabs(z[3 * i + 1] - cos(a)) <= 2 * eps &&
                  fabs(z[3 * i + 2] + sin(a)) <= 2 * eps);
    }
    tip_of(8, 0.4, zdot, tip);
    ck_assert_double_eq_tol(fabs(tip[0]), 0.5, 1e-15);
    ck_assert(fabs(tip[1]) + fabs(tip[2]) <= 1e-15);
    /* on a ball joint, whether there is gravity or not, it settles where it hangs */
    for (int heavy = 0; heavy < 2; heavy++) {
        const ph_parameter_value gravity = {"gravity", VALUES(9.81 * heavy)};
        tk_preset("elastic-chain", &gravity, 1, "settled", z, zdot);
        for (int i = 0; i < 24; i++)
            ck_assert(z[i] == (i % 3 == 2 ? -1 : 0) && zdot[i] == 0);
    }
    /* angles as those of a force on the tip */
    tk_preset("cantilever", NULL, 0, "plucked", z, zdot);
    for (int i = 0; i < 8; i++) {
        double s = (i + 0.5) / 8;
        ck_assert_double_eq_tol(atan2(-z[3 * i + 2], z[3 * i]), 0.5 * (2 * s - s * s), 4 * eps);
        ck_assert(z[3 * i + 1] == 0 && zdot[3 * i] == 0 && zdot[3 * i + 1] == 0 && zdot[3 * i + 2] == 0);
    }
    /* turned by 0.5 about the line through the ends: that stays */
    tk_preset("hanging-cable", NULL, 0, "swung", z, zdot);
    tk_preset("hanging-cable", NULL, 0, "settled", other, zdot);
    tip_of(8, 1, z, tip);
    tip_of(8, 1, other, first);
    ck_assert_double_le(tk_max_difference(tip, first, 3), 1e-14);
    ck_assert_double_le(hypot(tip[0] - 0.7, tip[2] - 0.2), 1e-3); /* half the weight over 1000 N/m */
    for (int i = 0; i < 8; i++) {
        double normal[2][3];
        ph_cross3(tip, z + 3 * i, normal[0]);
        ph_cross3(tip, other + 3 * i, normal[1]);
        ck_assert_double_eq_tol(angle(normal[0], normal[1]), 0.5, 1e-13);
    }
    tk_preset("hanging-cable", NULL, 0, "straight", z, zdot);
    for (int i = 0; i < 24; i++)
        ck_assert(fabs(z[i] - (i % 3 == 0 ? 0.7 : i % 3 == 2 ? 0.2 : 0) / hypot(0.7, 0.2)) <= 2 * eps);
    const ph_parameter_value pulled[] = {
        {"anchor_stiffness", VALUES(0)}, {"pull", VALUES(0, 3, 0)}, {"links", VALUES(1)}};
    tk_preset("hanging-cable", pulled, 3, "straight", z, zdot);
    ck_assert(z[0] == 0 && z[1] == 1 && z[2] == 0);
    tk_preset("hanging-cable", pulled, 1, "straight", z, zdot);
    ck_assert(z[0] == 0 && z[1] == 0 && z[2] == -1);
    tk_preset("hanging-cable", pulled, 1, "settled", z, zdot);
    ck_assert(z[0] == 0 && z[1] == 0 && z[2] == -1);
    /* sisters lean by 0.5 away from one another, and all turn about the vertical */
    tk_preset("branching-pendulum", NULL, 0, "spread", z, zdot);
    for (int i = 0; i < 7; i++) {
        const double up[3] = {0, 0, 1};
        ck_assert_double_eq_tol(z[3 * i + 2], -cos(0.5), 4 * eps);
        ph_cross3(up, z + 3 * i, turn);
        ck_assert_double_le(tk_max_difference(turn, zdot + 3 * i, 3), eps);
    }
    for (int i = 1; i < 7; i += 2)
        ck_assert(hypot(z[3 * i] + z[3 * i + 3], z[3 * i + 1] + z[3 * i + 4]) <= 4 * eps);
    ck_assert_double_eq_tol(cos(1) * z[0] + sin(1) * 0, cos(1) * sin(0.5), 4 * eps);
    ck_assert_double_eq_tol(z[3] / z[0], cos(1), 8 * eps);
    ck_assert_double_eq_tol(z[9] / z[0], cos(2), 8 * eps);
    tk_preset("branching-pendulum", NULL, 0, "disturbed", z, zdot);
    for (int i = 0; i < 7; i++)
        ck_assert_double_eq_tol(z[3 * i + 2], i < 6 ? -1 : -cos(0.5), 4 * eps);
}

/* ---- Symmetries --------------------------------------------------------------------------------- */

TEST(symmetries_are_those_that_hold)
{
    const struct {
        const char *model;
        ph_parameter_value values[4];
        const char *names;
        double axis[3];
    } cases[] = {
        {"elastic-chain", {{"links", VALUES(3)}}, "Jg ", {0, 0, 1}},
        {"elastic-chain", {{"gravity", VALUES(0)}}, "Jx Jy Jz ", {1, 0, 0}},
        {"elastic-chain", {{"clamp", VALUES(1, 0, 0)}}, "", {0}},
        {"elastic-chain", {{"clamp", VALUES(0, 0, -2)}}, "Jg ", {0, 0, 1}},
        {"elastic-chain", {{"clamp", VALUES(0, 3, 4)}, {"gravity", VALUES(0)}}, "Ja ", {0, 0.6, 0.8}},
        {"cantilever", {{"links", VALUES(3)}}, "", {0}},
        {"cantilever", {{"gravity", VALUES(0)}}, "Ja ", {1, 0, 0}},
        {"cantilever",
         {{"direction", VALUES(2, 1, 2)}, {"gravity", VALUES(-4, -2, -4)}},
         "Jg ",
         {2. / 3, 1. / 3, 2. / 3}},
        {"cantilever", {{"gravity", VALUES(0)}, {"tip_load", VALUES(-3, 0, 0)}}, "Ja ", {1, 0, 0}},
        {"cantilever", {{"gravity", VALUES(0)}, {"tip_load", VALUES(-3, 1e-9, 0)}}, "", {0}},
        {"hanging-cable", {{"links", VALUES(3)}}, "", {0}},
        {"hanging-cable", {{"gravity", VALUES(0)}, {"anchor", VALUES(0, -2, 0)}}, "Ja ", {0, -1, 0}},
        {"hanging-cable", {{"anchor", VALUES(0, 0, -2)}}, "Jg ", {0, 0, 1}},
        {"hanging-cable", {{"anchor_stiffness", VALUES(0)}}, "Jg ", {0, 0, 1}},
        {"hanging-cable", {{"anchor_stiffness", VALUES(0)}, {"pull", VALUES(0, 0, 1)}}, "Jg ", {0, 0, 1}},
        {"hanging-cable", {{"anchor_stiffness", VALUES(0)}, {"pull", VALUES(0, 1, 1)}}, "", {0}},
        {"branching-pendulum", {{"gravity", VALUES(0, -3, 0)}}, "Jg ", {0, 1, 0}},
        {"branching-pendulum", {{"gravity", VALUES(0)}}, "Jx Jy Jz ", {1, 0, 0}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char found[40] = "";
        size_t n = cases[i].values[1].name ? 2 : 1;
        TK_OWN(ph_system) *system = tk_build(cases[i].model, cases[i].values, n);
        for (size_t k = 0; k < ph_system_symmetries(system); k++) {
            strcat(found, ph_system_symmetry(system, k)->name);
            strcat(found, " ");
        }
        ck_assert_msg(!strcmp(found, cases[i].names), "case %zu: %s", i, found);
        if (*found)
            ck_assert_double_le(tk_max_difference(ph_system_symmetry(system, 0)->axis, cases[i].axis, 3),
                                eps);
    }
}

/* ---- What is refused, and what is large ---------------------------------------------------------- */

TEST(ends_above_one_another_are_refused)
{
    const ph_parameter_value above = {"anchor", VALUES(0, 0, -0.45)};
    const ph_model *m = ph_model_find("hanging-cable", NULL);
    double z[24], zdot[24];
    tk_refused(ph_model_preset(m, &above, 1, "settled", 24, z, zdot, tk_err), PH_E_NO_CONVERGENCE,
               "move it aside by more than a link, or start from straight");
    tk_ok(ph_model_preset(m, &above, 1, "straight", 24, z, zdot, tk_err));
}

/* Lists of one link, and totals of many: the tree has the links that are listed. */
TEST(trees_are_as_listed)
{
    const ph_parameter_value one = {"parents", VALUES(0)}, deep[] = {{"depth", VALUES(10)}};
    const ph_parameter_value stem[] = {{"depth", VALUES(1000000)}, {"branches", VALUES(1)}};
    ph_system *system = tk_build("branching-pendulum", &one, 1);
    ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), 1);
    ph_system_free(system);
    system = tk_build("branching-pendulum", deep, 1);
    ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), 1023);
    const ph_linkage *l = ph_system_linkage(system);
    ck_assert_uint_eq(l->parent[0], PH_NO_INDEX);
    for (size_t i = 1; i < 1023; i++)
        ck_assert_uint_eq(l->parent[i], (i - 1) / 2);
    ph_system_free(system);
    system = tk_build("branching-pendulum", stem, 2);
    ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), 1000000);
    ck_assert_uint_eq(ph_system_linkage(system)->parent[999999], 999998);
    ph_system_free(system);
}

/* Equilibria of 100 000 links: as much at rest as the rounding of their terms lets them be. */
TEST(many_links)
{
    const struct {
        const char *model;
        ph_parameter_value values[3];
    } cases[] = {
        {"cantilever", {{"links", VALUES(100000)}, {"bending_stiffness", VALUES(0.01)}, {"mass", VALUES(1)}}},
        {"elastic-chain", {{"links", VALUES(100000)}, {"clamp", VALUES(0, 1, 1)}, {"mass", VALUES(1)}}},
        {"hanging-cable", {{"links", VALUES(100000)}, {"length", VALUES(2)}, {"mass", VALUES(1)}}}};
    TK_MEMORY double *z = malloc(600000 * sizeof *z);
    for (size_t k = 0; k < COUNT(cases); k++) {
        TK_OWN(ph_system) *system = tk_build(cases[k].model, cases[k].values, 3);
        ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), 100000);
        tk_preset(cases[k].model, cases[k].values, 3, "settled", z, z + 300000);
        double rest = unrest(system, z);
        printf("%s of 100000 links: at rest to %.1e, tip (%.6f, %.6f, %.6f)\n", cases[k].model, rest,
               z[299997], z[299998], z[299999]);
        ck_assert_double_le(rest, 1e-9);
    }
}

int main(void)
{
    return tk_run("rods");
}
