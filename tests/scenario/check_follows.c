/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial velocities of systems with velocity constraints: those that follow from others, those that do not fulfil the
 * constraint, and the projection. */
#include "tests/kit/iokit.h"

#include <polhode/constraints.h>
#include <polhode/scenario.h>

static const char *const disk = "polhode: 1\nmodel: vertical-disk\nmethod: dla\nstep: 0.1\nsteps: 10\n"
                                "initial: {q: [[1, 2], [0.6, 0.8], [1, 0]], omega: [%s, [0.2], [3]]%s}\n";
static const char *const ball = "polhode: 1\nmodel: %s\nmethod: dla\nstep: 0.1\nsteps: 10\n"
                                "initial: {q: [[0, 0], [1, 0, 0, 0]], omega: [%s, [0.5, 0.25, %s]]}\n";

static ph_status parse(const char *text, ph_scenario **scenario, ph_error *err)
{
    *err = (ph_error){PH_OK, ""};
    return ph_scenario_parse(text, strlen(text), "mine.yaml", scenario, err);
}

static void velocity(const ph_scenario *s, double *v)
{
    double work[400];
    ck_assert_uint_le(ph_system_work(ph_scenario_system(s)), 400);
    tk_ok(ph_system_velocity(ph_scenario_system(s), 0, ph_scenario_configuration(s), ph_scenario_momentum(s),
                             v, work));
}

/* Of a disk of radius 1 that rolls at 3 rad/s in the direction (0.6, 0.8), and of a ball of radius 0.9. */
TEST(what_follows)
{
    char text[400];
    ph_scenario *s;
    double v[11], kinetic[2];
    snprintf(text, sizeof text, disk, "follows", "");
    tk_ok(parse(text, &s, tk_err));
    velocity(s, v);
    ck_assert_double_lt(fabs(v[0] - 1.8) + fabs(v[1] - 2.4), 1e-14);
    ck_assert(!ph_scenario_projected(s, kinetic));
    ph_scenario_free(s);
    snprintf(text, sizeof text, ball, "chaplygin-ball", "follows", "7");
    tk_ok(parse(text, &s, tk_err));
    velocity(s, v);
    ck_assert_double_lt(fabs(v[0] - 0.9 * 0.25) + fabs(v[1] + 0.9 * 0.5), 1e-14);
    ph_scenario_free(s);
    /* as written out */
    snprintf(text, sizeof text, ball, "chaplygin-ball", "[0.225, -0.45]", "7");
    tk_ok(parse(text, &s, tk_err));
    ph_scenario_free(s);
}

/* Where every velocity follows, nothing moves, which is said; where one is given, nothing is said. */
TEST(all_follow)
{
    for (int given = 0; given < 2; given++) {
        char text[400];
        double v[11];
        size_t n;
        TK_OWN(ph_scenario) *s = NULL;
        snprintf(text, sizeof text,
                 "polhode: 1\nmodel: chaplygin-ball\nmethod: dla\nstep: 0.1\nsteps: 10\n"
                 "initial: {q: [[0, 0], [1, 0, 0, 0]], omega: [follows, %s]}\n",
                 given ? "[0, 0, 1]" : "follows");
        tk_ok(parse(text, &s, tk_err));
        const char *const *notes = ph_scenario_notes(s, &n);
        ck_assert_uint_eq(n, 1 - (size_t)given);
        if (!given) {
            velocity(s, v);
            for (size_t i = 0; i < 11; i++)
                ck_assert_double_eq(v[i], 0);
            ck_assert_msg(strstr(notes[0], "initial.omega") && strstr(notes[0], "nothing moves"), "%s",
                          notes[0]);
        }
    }
}

/* A disk whose spin alone is given loses two thirds of it, and of its energy, and that is told. */
TEST(projected)
{
    char text[400];
    double v[6], kinetic[2] = {0, 0};
    snprintf(text, sizeof text, disk, "[0, 0]", ", project: true");
    TK_MAKE(ph_scenario, s, parse(text, &s, tk_err));
    velocity(s, v);
    ck_assert(ph_scenario_projected(s, kinetic));
    ck_assert_double_lt(fabs(v[0] - 0.6) + fabs(v[1] - 0.8) + fabs(v[5] - 1), 1e-14);
    const double turning = 0.5 * 0.25 * 0.04;
    ck_assert_double_lt(fabs(kinetic[0] - turning - 0.5 * 0.5 * 9), 1e-14);
    ck_assert_double_lt(fabs(kinetic[1] - turning - 0.5 * 0.5 * 9 / 3), 1e-14);
}

static const struct {
    const char *model, *centre, *spin, *first, *second;
} wrong[] = {
    {"chaplygin-ball", "[0, 0]", "7", "initial.omega", "\"follows\""},
    {"chaplygin-ball", "[0.225, -0.44]", "7", "velocity constraint", "project: true"},
    {"rubber-ball", "follows", "7", "initial.omega", "constraint 3 cannot be fulfilled"},
    {"chaplygin-ball", "follow", "7", "initial.omega[0]", "a list of 2 numbers"},
};

TEST_EACH(refused, sizeof wrong / sizeof wrong[0])
{
    char text[400];
    ph_scenario *s = NULL;
    snprintf(text, sizeof text, ball, wrong[_i].model, wrong[_i].centre, wrong[_i].spin);
    ck_assert_int_ne(parse(text, &s, tk_err), PH_OK);
    ck_assert_msg(strstr(tk_err->message, wrong[_i].first) && strstr(tk_err->message, wrong[_i].second), "%s",
                  tk_err->message);
    ck_assert_ptr_null(s);
}

TEST(nothing_follows_without_constraints)
{
    static const char text[] = "polhode: 1\nmodel: planar-pendulum\nmethod: rk4\nstep: 0.1\nsteps: 10\n"
                               "initial: {q: [[1, 0]], omega: [follows]}\n";
    ph_scenario *s = NULL;
    tk_refused(parse(text, &s, tk_err), PH_E_INVALID, "has no velocity constraints");
}

/* Of several velocities those with the least kinetic energy: x' + y' = 1 of masses 1 and 3. */
static ph_status sum_is_one(void *user, double t, const double *z, double *A, double *b)
{
    (void)user, (void)t, (void)z;
    A[0] = A[1] = b[0] = 1;
    A[2] = 2;
    return PH_OK;
}

TEST(least_energy)
{
    const ph_factor R1 = {.kind = PH_FACTOR_R, .d = 1};
    const double MM[9] = {1, 0, 0, 0, 3, 0, 0, 0, 1}, z[3] = {0};
    double v[3] = {7, 7, 0.25};
    const bool first_two[3] = {true, true, false}, last[3] = {false, false, true};
    TK_MAKE(ph_space, space, ph_space_create_power(&R1, 3, &space, NULL));
    const ph_system_definition d = {
        .space = space, .ambient_inertia = MM, .constraint = sum_is_one, .n_constraints = 1};
    TK_MAKE(ph_system, system, ph_system_create(&d, &system, NULL));
    tk_ok(ph_system_constraint_follow(system, 0, z, first_two, v, NULL)); /* x' + y' = 1/2 */
    ck_assert_double_lt(fabs(v[0] - 0.375) + fabs(v[1] - 0.125), 1e-15);
    ck_assert_double_eq(v[2], 0.25);
    v[0] = 3;
    tk_ok(ph_system_constraint_follow(system, 0, z, last, v, NULL));
    ck_assert_double_lt(fabs(v[2] - (1 - 3 - 0.125) / 2), 1e-15);
    ck_assert_double_eq(v[0], 3);
}

int main(void)
{
    return tk_run("follows");
}
