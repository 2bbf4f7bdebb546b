/* SPDX-License-Identifier: BSD-3-Clause */
/* States in physical terms: velocities and angular velocities against differences of the computed motion, attitudes
 * against the rotation that they name, places of masses against the potential energy that the model has of them, and
 * the columns of all of them. */
#include "tests/kit/spaces.h"
#include "tests/run/moving.h"

#include <polhode/polhode.h>

#include <float.h>

/* Central differences of the motion, with steps of h, are good to h^2 of its third derivative: some 1e-5 for the fastest
 * model here, of which the velocities are of order 1. */
TEST_EACH(velocities, ph_models())
{
    const ph_model *model = ph_model_at((size_t)_i);
    const double h = strcmp(model->name, "hanging-cable") && strcmp(model->name, "cantilever") ? 1e-4 : 1e-6;
    MOVING(x, model->name, NULL, h, "4", 50);
    const ph_space *space = ph_system_space(x.system);
    const size_t nz = ph_space_ambient(space);
    double *before = malloc(nz * sizeof *before), worst = 0, largest = 0;
    ck_assert_ptr_nonnull(before);
    memcpy(before, x.state->z, nz * sizeof *before);
    tk_ok(ph_integrator_step(x.integrator, x.state, 1));
    tk_ok(ph_motion_see(x.motion, x.state));
    tk_ok(ph_integrator_step(x.integrator, x.state, 1));
    for (size_t k = 0; k < nz; k++) {
        const double v = (x.state->z[k] - before[k]) / (2 * h);
        worst = fmax(worst, fabs(v - ph_motion_velocity(x.motion)[k]));
        largest = fmax(largest, fabs(v));
    }
    printf("%s: velocities up to %.3g, difference %.1e\n", model->name, largest, worst);
    ck_assert_msg(worst <= 1e-4 * (largest + 1e-3), "%s: %g of %g", model->name, worst, largest);
    free(before);
}

/* zdot = omega x q on S^2 with omega . q = 0, R hat(Omega) on SO(3), omega (-q_y, q_x) on S^1. */
TEST_EACH(turns, ph_models())
{
    MOVING(x, ph_model_at((size_t)_i)->name, NULL, 1e-4, "4", 50);
    const ph_space *space = ph_system_space(x.system);
    tk_ok(ph_motion_see(x.motion, x.state));
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const double *q = x.state->z + f->z, *v = ph_motion_velocity(x.motion) + f->z,
                     *w = ph_motion_omega(x.motion) + ph_factor_algebra(f);
        double expected[9] = {0};
        if (f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_SPIN) {
            const double turn[3] = {w[1] * q[2] - w[2] * q[1], w[2] * q[0] - w[0] * q[2],
                                    w[0] * q[1] - w[1] * q[0]};
            memcpy(expected, turn, sizeof turn);
            ck_assert(fabs(w[0] * q[0] + w[1] * q[1] + w[2] * q[2]) <=
                      1e-14 * (1 + fabs(w[0]) + fabs(w[1]) + fabs(w[2])));
        } else if (f->kind == PH_FACTOR_S1) {
            expected[0] = -w[0] * q[1];
            expected[1] = w[0] * q[0];
        } else if (f->kind == PH_FACTOR_SO3) {
            for (int r = 0; r < 3; r++) {
                expected[3 * r] = q[3 * r + 1] * w[2] - q[3 * r + 2] * w[1];
                expected[3 * r + 1] = q[3 * r + 2] * w[0] - q[3 * r] * w[2];
                expected[3 * r + 2] = q[3 * r] * w[1] - q[3 * r + 1] * w[0];
            }
        } else {
            memcpy(expected, w, f->nz * sizeof *w);
        }
        const double size = 1 + fabs(v[0]) + fabs(w[0]);
        for (size_t k = 0; k < f->nz; k++)
            ck_assert_msg(fabs(v[k] - expected[k]) <= 1e-13 * size * 200, "factor %zu: %g, not %g", i, v[k],
                          expected[k]);
    }
}

/* ---- Attitudes --------------------------------------------------------------------------------------- */

/* R v = v + 2 u x (u x v + w v), u = (x, y, z): the rotation that a quaternion is, in another form than ours. */
static void turn(const double q[4], const double v[3], double out[3])
{
    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        a[i] = q[1 + j] * v[k] - q[1 + k] * v[j] + q[0] * v[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        b[i] = q[1 + j] * a[k] - q[1 + k] * a[j];
    }
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + 2 * b[i];
}

static void check_attitude(const double R[9])
{
    double q[4], column[3];
    ph_rotation_quaternion(R, q);
    ck_assert(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) <= 8 * DBL_EPSILON);
    int first = 0;
    while (first < 3 && q[first] == 0)
        first++;
    ck_assert(q[first] > 0);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        turn(q, axis, column);
        for (int i = 0; i < 3; i++)
            ck_assert_msg(fabs(column[i] - R[3 * i + k]) <= 16 * DBL_EPSILON, "%g, not %g", column[i],
                          R[3 * i + k]);
    }
}

/* Turns about axes all over the sphere, by small, middle and half turns, where a root of the trace would cancel. */
TEST(quaternions)
{
    static const double angles[] = {0, 1e-9, 1e-3, 1, 2, 3, 3.14159, 3.1415926535, 3.14159265358979312, 4, 6};
    uint64_t seed = 7;
    for (size_t a = 0; a < sizeof angles / sizeof *angles; a++)
        for (int i = 0; i < 40; i++) {
            double u[3], length = 0, R[9];
            for (int k = 0; k < 3; k++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                u[k] = i < 3 ? k == i : (double)(int64_t)(seed >> 11) * 0x1p-52 - 1;
                length += u[k] * u[k];
            }
            const double c = cos(angles[a]), s = sin(angles[a]);
            for (int k = 0; k < 3; k++)
                u[k] /= sqrt(length);
            for (int r = 0; r < 3; r++)
                for (int k = 0; k < 3; k++) {
                    const int other = 3 - r - k;
                    const double hat = r == k ? 0 : ((k - r + 3) % 3 == 1 ? -1 : 1) * u[other];
                    R[3 * r + k] = (r == k ? c : 0) + (1 - c) * u[r] * u[k] + s * hat;
                }
            check_attitude(R);
        }
}

/* ---- Places -------------------------------------------------------------------------------------------- */

/* U = - sum m_i G . x_i of the places, for links and bodies in a field of gravity alone. */
TEST_EACH(places_of_masses, 7)
{
    static const char *const models[] = {"chain-pendulum",     "spherical-pendulum", "planar-chain",
                                         "branching-pendulum", "heavy-top",          "pendulum-3d",
                                         "rigid-chain"};
    MOVING(x, models[_i], NULL, 1e-3, "4", 50);
    const ph_linkage *l = ph_system_linkage(x.system);
    const ph_articulation *b = ph_system_articulation(x.system);
    ck_assert_msg(l || b, "%s", models[_i]);
    const double *mass = l ? l->mass : b->mass, *G = l ? l->gravity : b->gravity;
    double U, expected = 0, size = 0;
    size_t n;
    tk_ok(ph_motion_see(x.motion, x.state));
    tk_ok(ph_system_potential(x.system, x.state->z, &U));
    const double *places = ph_motion_points(x.motion, &n);
    ck_assert_uint_eq(n, ph_space_factors(ph_system_space(x.system)));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) {
            expected -= mass[i] * G[k] * places[3 * i + k];
            size += fabs(mass[i] * G[k] * places[3 * i + k]);
        }
    ck_assert_msg(fabs(U - expected) <= 1e-13 * size, "%s: U = %.17g, of the places %.17g", models[_i], U,
                  expected);
}

/* The lengths of links, and a cart that is the first point. */
TEST(links)
{
    MOVING(x, "cart-chain", NULL, 1e-3, "4", 50);
    const ph_linkage *l = ph_system_linkage(x.system);
    size_t n;
    tk_ok(ph_motion_see(x.motion, x.state));
    const double *places = ph_motion_points(x.motion, &n);
    ck_assert_double_eq(places[0], x.state->z[0]);
    ck_assert_double_eq(places[1], x.state->z[1]);
    ck_assert_double_eq(places[2], 0);
    for (size_t i = 1; i < n; i++) {
        double square = 0;
        for (size_t k = 0; k < 3; k++)
            square +=
                (places[3 * i + k] - places[3 * i - 3 + k]) * (places[3 * i + k] - places[3 * i - 3 + k]);
        ck_assert(fabs(sqrt(square) - l->length[i]) <= 8 * DBL_EPSILON);
    }
}

static ph_status two_points(void *user, double t, const double *z, double *x)
{
    (void)t, (void)user;
    for (int k = 0; k < 3; k++) {
        x[k] = 2 * z[k];
        x[3 + k] = -z[k];
    }
    return z[0] > 0.9 ? PH_E_RANGE : PH_OK;
}

/* Points of a definition, also below forces; where the callback fails they are NaN. */
TEST(points_of_a_definition)
{
    static const double one = 1;
    const ph_factor factor = S2;
    const ph_system_definition d = {.inertia = &one, .points = two_points, .n_points = 2};
    TK_OWN(ph_system) *system = tk_system(d, &factor, 1);
    ck_assert_uint_eq(ph_system_points(system), 2);
    TK_MAKE(ph_motion, motion, ph_motion_create(system, &motion, tk_err));
    double z[3] = {0, 0.6, 0.8}, p[3] = {1, 0, 0};
    const ph_state state = {.z = z, .p = p, .nz = 3, .np = 3};
    size_t n;
    tk_ok(ph_motion_see(motion, &state));
    ck_assert_double_eq(ph_motion_points(motion, &n)[1], 1.2);
    ck_assert_double_eq(ph_motion_points(motion, &n)[5], -0.8);
    z[0] = 1, z[1] = z[2] = 0, p[0] = 0, p[1] = 1;
    ck_assert_int_eq(ph_motion_see(motion, &state), PH_E_RANGE);
    ck_assert(isnan(ph_motion_points(motion, &n)[0]));
    ck_assert_int_eq(ph_motion_see(NULL, &state), PH_E_INVALID);
    ck_assert_int_eq(ph_motion_create(NULL, &motion, NULL), PH_E_INVALID);
}

/* ---- Columns -------------------------------------------------------------------------------------------- */

static const struct {
    const char *model, *word;
    size_t count;
    const char *first, *last; /* with units */
} chosen[] = {
    {"chain-pendulum", "velocity", 15, "qdot1x[1/s]", "qdot5z[1/s]"},
    {"chain-pendulum", "omega", 15, "omega1x[rad/s]", "omega5z[rad/s]"},
    {"chain-pendulum", "positions", 15, "position1x[m]", "position5z[m]"},
    {"chain-pendulum", "omega3", 3, "omega3x[rad/s]", "omega3z[rad/s]"},
    {"chain-pendulum", "position4y", 1, "position4y[m]", "position4y[m]"},
    {"rigid-chain", "quaternions", 12, "quaternion1w[1]", "quaternion3z[1]"},
    {"rigid-chain", "quaternion2", 4, "quaternion2w[1]", "quaternion2z[1]"},
    {"rigid-chain", "Omega2", 3, "Omega2x[rad/s]", "Omega2z[rad/s]"},
    {"rigid-chain", "Rdot3", 9, "Rdot3xx[1/s]", "Rdot3zz[1/s]"},
    {"cart-chain", "v1", 2, "v1_1[m/s]", "v1_2[m/s]"},
    {"cart-chain", "xdot1_2", 1, "xdot1_2[m/s]", "xdot1_2[m/s]"},
    {"planar-chain", "omega2", 1, "omega2[rad/s]", "omega2[rad/s]"},
};

static const char *heading(const ph_columns *c, size_t i)
{
    static char whole[128];
    char room[PH_COLUMN_NAME];
    const char *name = ph_columns_name(c, i, room);
    snprintf(whole, sizeof whole, "%s[%s]", name, ph_columns_unit(c, i));
    return whole;
}

TEST_EACH(names, sizeof chosen / sizeof *chosen)
{
    ph_columns *c;
    MOVING(x, chosen[_i].model, NULL, 1e-3, "4", 50);
    tk_ok(ph_columns_create(x.system, &chosen[_i].word, 1, &c, tk_err));
    ck_assert_uint_eq(ph_columns_count(c), chosen[_i].count);
    ck_assert_str_eq(heading(c, 0), chosen[_i].first);
    ck_assert_str_eq(heading(c, chosen[_i].count - 1), chosen[_i].last);
    ph_columns_free(c);
}

static const char *const unknown[][2] = {{"chain-pendulum", "quaternions"}, {"chain-pendulum", "omega6"},
                                         {"chain-pendulum", "position0x"},  {"free-rigid-body", "omega1"},
                                         {"rigid-chain", "quaternion4"},    {"rigid-chain", "quaternion1v"},
                                         {"chain-pendulum", "omega"}};

TEST_EACH(unknown_words, sizeof unknown / sizeof *unknown)
{
    ph_columns *c;
    const char *words[] = {unknown[_i][1], "omega"};
    MOVING(x, unknown[_i][0], NULL, 1e-3, "4", 50);
    const bool twice = !strcmp(words[0], "omega");
    tk_refused(ph_columns_create(x.system, words, 1 + twice, &c, tk_err), twice ? PH_E_INVALID : PH_E_UNKNOWN,
               words[0]);
}

/* The values of a choice, whole and in pieces, in an order of its own. */
TEST(values)
{
    static const char *const words[] = {"positions", "t", "quaternion2", "Omega1y", "velocity"};
    enum { MOST = 64 };
    double all[MOST], some[MOST];
    ph_columns *c;
    size_t n, q;
    MOVING(x, "rigid-chain", NULL, 1e-3, "4", 50);
    tk_ok(ph_columns_create(x.system, words, 5, &c, tk_err));
    const size_t count = ph_columns_count(c);
    ck_assert_uint_eq(count, 9 + 1 + 4 + 1 + 27);
    const ph_row row = {.state = x.state};
    ph_columns_values(c, &row, 0, count, all);
    for (size_t first = 0; first < count; first += 5)
        ph_columns_values(c, &row, first, count - first < 5 ? count - first : 5, some + first);
    ck_assert_mem_eq(all, some, count * sizeof *all);
    tk_ok(ph_motion_see(x.motion, x.state));
    ck_assert_mem_eq(all, ph_motion_points(x.motion, &n), 9 * sizeof *all);
    ck_assert_double_eq(all[9], x.state->t);
    ck_assert_mem_eq(all + 10, ph_motion_quaternions(x.motion, &q) + 4, 4 * sizeof *all);
    ck_assert_double_eq(all[14], ph_motion_omega(x.motion)[1]);
    ck_assert_mem_eq(all + 15, ph_motion_velocity(x.motion), 27 * sizeof *all);
    ph_columns_free(c);
}

int main(void)
{
    return tk_run("states in physical terms");
}
