/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenario and restart for every kind of factor, also those on which no model lives: initial data of S^1 x
 * SO(3) x S^2 x R^2 (also with S^2 as an embedded manifold) read from text, by the readers of the library
 * (parts.h), for a system of ours. */
#include "tests/kit/embeddings.h"
#include "tests/kit/iokit.h"
#include "tests/kit/spaces.h"

#include "lib/scenario/parts.h"

#include <polhode/kit/vector.h>

#include <float.h>

static const ph_factor factors[] = {S1, SO3, S2, R(2)};
enum { NZ = 16, NP = 9 };

/* As much as a scenario knows of a model when its initial data are read. */
static const ph_model nothing_known = {.name = "any"};

typedef struct fixture {
    ph_scenario scenario;
    ph_reading reading;
    ph_yaml *file;
    ph_error err;
} fixture;

/* U = z_14, which is the plane's first coordinate; it has no value at 13. */
static ph_status potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = z[14];
    return z[14] == 13 ? PH_E_NOT_FINITE : PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    (void)user, (void)z;
    for (size_t i = 0; i < NZ; i++)
        dU[i] = i == 14;
    return PH_OK;
}

/* With the unit matrix for its inertia, so that momenta are known at sight; the sphere may be an embedded
 * one. */
static ph_system *make_system(bool embedded)
{
    const ph_embedding sphere = em_embedding(em_at(EM_SPHERE), EM_BEND);
    const ph_factor others[] = {S1, SO3, {.kind = PH_FACTOR_EMBEDDED, .embedding = &sphere}, R(2)};
    double unit[NZ * NZ];
    ph_system *system;
    for (size_t i = 0; i < NZ * NZ; i++)
        unit[i] = i % (NZ + 1) == 0;
    TK_MAKE(ph_space, space, ph_space_create(embedded ? others : factors, 4, &space, NULL));
    ph_system_definition d = {
        .space = space, .ambient_inertia = unit, .potential = potential, .gradient = gradient};
    tk_ok(ph_system_create(&d, &system, tk_err));
    ck_assert_uint_eq(ph_space_momenta(space), NP);
    return system;
}

static ph_status read_text(fixture *x, const char *text, bool embedded)
{
    *x = (fixture){.err = {PH_OK, ""}};
    x->scenario.model = &nothing_known;
    x->scenario.system = make_system(embedded);
    x->reading.scenario = &x->scenario;
    x->reading.directory = "";
    ck_assert_msg(!ph_yaml_parse(text, strlen(text), ph_yaml_longest, "text", &x->file, &x->err), "%s",
                  x->err.message);
    ph_node root = ph_yaml_root(x->file);
    return ph_read_initial(&x->reading, &root, &root, &x->err);
}

static void end(fixture *x)
{
    ph_yaml_free(x->file);
    free(x->scenario.z);
    free(x->scenario.zdot);
    free(x->scenario.p);
    ph_system_free(x->scenario.system);
}

/* A quarter turn about z, and what follows from omega = 2 (S^1) and (1, 2, 3) (SO(3), body frame). */
#define Q "q: [[0.6, 0.8], [0, -1, 0, 1, 0, 0, 0, 0, 1], [0, 0, 1], [4, 5]]"
/* p_...: |Rdot|^2 = 2 |Omega|^2: by the unit matrix a body has the moments of inertia 2; pi = q x v on S^2,
 * p = v where it is embedded. */
static const double z_read[NZ] = {0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5},
                    v_read[NZ] = {-1.6, 1.2, -3, 0, 1, 0, -3, 2, -2, 1, 0, 2, -1, 0, 7, 8},
                    p_sphere[NP] = {2, 2, 4, 6, 1, 2, 0, 7, 8}, p_embedded[NP] = {2, 2, 4, 6, 2, -1, 0, 7, 8};

static const struct {
    const char *text;
    const char *message; /* NULL: z_read and v_read */
    bool embedded;
} initial_data[] = {
    {"{" Q ", omega: [[2], [1, 2, 3], [1, 2, 0], [7, 8]]}", NULL, false},
    {"{q: [[0.6, 0.8], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [0, 0, 1], [4, 5]], "
     "qdot: [[-1.6, 1.2], [[-3, 0, 1], [0, -3, 2], [-2, 1, 0]], [2, -1, 0], [7, 8]]}",
     NULL, false},
    /* the same point and motion: a quarter turn by other coordinates, the momenta that p_sphere has */
    {"{q: [{angle: 0.9272952180016122}, {axis: [0, 0, 3], angle: 1.5707963267948966}, {theta: 0, phi: 1}, [4, 5]], "
     "omega: [[2], [1, 2, 3], [1, 2, 0], [7, 8]]}",
     NULL, false},
    {"{q: [[0.6, 0.8], [0.7071067811865476, 0, 0, 0.7071067811865476], [0, 0, 1], [4, 5]], "
     "omega: [[2], [1, 2, 3], [1, 2, 0], [7, 8]]}",
     NULL, false},
    {"{q: [[0.6, 0.8], {quaternion: [-3, 0, 0, -3]}, [0, 0, 1], [4, 5]], project: true, "
     "omega: [[2], [1, 2, 3], [1, 2, 0], [7, 8]]}",
     NULL, false},
    {"{q: [[0.6, 0.8], {euler: [0.5707963267948966, 0, 1]}, [0, 0, 1], [4, 5]], "
     "omega: [[2], [1, 2, 3], [1, 2, 0], [7, 8]]}",
     NULL, false},
    {"{" Q ", momentum: [[2], [2, 4, 6], [1, 2, 0], [7, 8]]}", NULL, false},
    {"{" Q ", momentum: [[2], [2, 4, 6], [2, -1, 0], [7, 8]]}", NULL, true},
    {"{" Q ", momentum: [[2], [2, 4, 6], [1, 2, 1], [7, 8]]}", "is not perpendicular to q", false},
    {"{" Q ", momentum: [[2], [2, 4, 6], [1, 2, 0], [7, 8]], omega: [[2], [1, 2, 3], [1, 2, 0], [7, 8]]}",
     "cannot be given together with \"omega\"", false},
    {"{q: [[0.6, 0.8], [1, 0, 0, 0.1], [0, 0, 1], [4, 5]]}",
     "q[1]: has the length 1.00498756211209; a quaternion of length 1 is expected, as [0.995037190209989",
     false},
    {"{q: [[0.6, 0.8], [0, 0, 0, 0], [0, 0, 1], [4, 5]], project: true}", "is zero; a quaternion", false},
    {"{q: [[0.6, 0.8], {axis: [0, 0, 0], angle: 1}, [0, 0, 1], [4, 5]]}", "axis: is zero", false},
    {"{q: [[0.6, 0.8], {axis: [0, 0, 1]}, [0, 0, 1], [4, 5]]}", "{axis: [x, y, z], angle: 0.5}", false},
    {"{q: [[0.6, 0.8], {euler: [0, 90]}, [0, 0, 1], [4, 5]]}",
     "has 2 entries; the Euler angles [phi, theta, psi] in rad", false},
    {"{q: [[0.6, 0.8], {euler: [0, 0, 1], angle: 1}, [0, 0, 1], [4, 5]]}", "one of {quaternion:", false},
    {"{q: [[0.6, 0.8], {spin-state: {lambda: 0, beta: 90, period: 1}, angle: 1}, [0, 0, 1], [4, 5]]}",
     "one of {quaternion:", false},
    {"{q: [[0.6, 0.8], {spin-state: {lambda: 0, period: 1}}, [0, 0, 1], [4, 5]]}",
     "q[1].spin-state: has no \"beta\"; an angle in degrees from -90 to 90 is expected", false},
    {"{q: [[0.6, 0.8], {spin-state: {lambda: 0, beta: 91, period: 1}}, [0, 0, 1], [4, 5]]}",
     "spin-state.beta: is 91; an angle in degrees from -90 to 90", false},
    {"{q: [[0.6, 0.8], {spin-state: {lambda: 0, beta: 9, period: 0}}, [0, 0, 1], [4, 5]]}",
     "spin-state.period: is 0; a positive time in hours", false},
    {"{q: [[0.6, 0.8], [1, 0, 0, 0], [0, 0, 1], [4, 5]], omega: [[2], spin-state, [1, 2, 0], [7, 8]]}",
     "or spin-state where it gives one", false},
    {"{q: [[0.6, 0.8], {spin-state: {lambda: 0, beta: 90, period: 1}}, [0, 0, 1], [4, 5]], "
     "omega: [spin-state, [0, 0, 0], [1, 2, 0], [7, 8]]}",
     "omega[0]: has no meaning here", false},
    {"{q: [[0.6, 0.8], [1, 2, 3], [0, 0, 1], [4, 5]]}",
     "has 3 numbers; a list of 9 numbers (a rotation matrix) or 4 (a quaternion) is expected", false},
    {"{q: [{theta: 1, phi: 1}, [1, 0, 0, 0], [0, 0, 1], [4, 5]]}", "{angle: 0.5} in rad, or a vector [x, y]",
     false},
    {"{q: [[0.6, 0.8], [1, 0, 0, 0], {angle: 1}, [4, 5]]}", "{theta: 0.5, phi: 0} in rad", false},
    {"{q: [[0.6, 0.8], [1, 0, 0, 0], [0, 0, 1], {angle: 1}]}", "a list of numbers is expected", false},
    {"{q: [[0.6, 0.8], [1, 0, 0, 0], [0, 0, 1], [4, 5]], omega: [[2], {euler-rates: [1, 2, 3]}, [1, 2, 0], [7, 8]]}",
     "where \"q\" gives the Euler angles of a rotation", false},
    {"{q: [[0.6, 0.8], [[0, -1], [1, 0, 0], [0, 0, 1]], [0, 0, 1], [4, 5]]}",
     "q[1][0]: has 2 numbers; a list of 3 numbers is expected", false},
    {"{q: [[0.6, 0.8], [[0, -1, 0], [1, 0, 0]], [0, 0, 1], [4, 5]]}", "a list of 9 numbers", false},
    {"{q: [[0.6, 0.8], [[0, -1, 0], 1, [0, 0, 1]], [0, 0, 1], [4, 5]]}", "a list of 3 numbers", false},
    {"{q: [[0.6, 0.8], [0, -1, 0, 1, 0, 0, 0, 0, 1], [0, 0, 1], [13, 5]]}",
     "the model has no potential energy at the initial configuration (a number is NaN or infinite)", false},
    {"{" Q ", qdot: [[-1.6, 1.2], [-3, 0, 1, 0, -3, 2, -2, 1, 0], [2, -1, 0], [7, 8]]}", NULL, false},
    {"{q: [[1.2, 1.6], [0, -3, 0, 3, 0, 0, 0, 0, 3], [0, 0, 2], [4, 5]], project: true, "
     "qdot: [[-1, 2], [-3, -1, 1, 1, -3, 2, -2, 1, 1], [2, -1, 9], [7, 8]]}",
     NULL, false},
    {"{" Q ", omega: [[2, 1], [1, 2, 3], [1, 2, 0], [7, 8]]}", "a list of 1 number", false},
    {"{" Q ", omega: [[2], [1, 2], [1, 2, 0], [7, 8]]}", "a list of 3 numbers", false},
    {"{" Q ", omega: [[2], [1, 2, 3], [1, 2, 1], [7, 8]]}", "is not perpendicular to q", false},
    {"{" Q ", qdot: [[-1, 2], [-3, 0, 1, 0, -3, 2, -2, 1, 0], [2, -1, 0], [7, 8]]}",
     "is not perpendicular to q: their product is 1; its projection is [-1.6000000000000001, 1.2]", false},
    {"{" Q ", qdot: [[0, 0], [-3, -1, 1, 1, -3, 2, -2, 1, 0], [2, -1, 0], [7, 8]]}",
     "symmetric part of size 1; its projection is that of \"omega\" [1, 2, 3]", false},
    {"{q: [[0.6, 0.9], [0, -1, 0, 1, 0, 0, 0, 0, 1], [0, 0, 1], [4, 5]]}", "has length 1.08166", false},
    {"{q: [[0, 0], [0, -1, 0, 1, 0, 0, 0, 0, 1], [0, 0, 1], [4, 5]]}", "is the zero vector", false},
    {"{q: [[0.6, 0.8], [0, -1, 0, 1, 0, 0, 0, 0, 1.5], [0, 0, 1], [4, 5]]}",
     "is not a rotation: R^T R is not 1 (1.25); the nearest one is [0, -1, 0, 1, 0, 0, 0, 0, 1]", false},
    {"{q: [[0.6, 0.8], [0, -1, 0, 1, 0, 0, 0, 0, -0.5], [0, 0, 1], [4, 5]]}",
     "is not a rotation: its determinant is negative (2); the nearest one is", false},
    {"{q: [[0.6, 0.8], [0, -1, 0, 1, 0, 0, 0, 0, -1], [0, 0, 1], [4, 5]], project: true}",
     "has no nearest rotation", false},
    {"{q: [[0.6, 0.8]]}", "a list of 4 lists, one for each factor", false},
    {"{" Q ", omega: [[2], [1, 2, 3], [2, -1, 0], [7, 8]]}", NULL, true},
    {"{" Q ", qdot: [[-1.6, 1.2], [-3, 0, 1, 0, -3, 2, -2, 1, 0], [2, -1, 0], [7, 8]]}", NULL, true},
    {"{q: [[1.2, 1.6], [0, -3, 0, 3, 0, 0, 0, 0, 3], [0, 0, 2], [4, 5]], project: true, "
     "qdot: [[-1, 2], [-3, -1, 1, 1, -3, 2, -2, 1, 1], [2, -1, 9], [7, 8]]}",
     NULL, true},
    {"{q: [[0.6, 0.8], [0, -1, 0, 1, 0, 0, 0, 0, 1], [0, 0, 2], [4, 5]]}",
     "is 0.75 off the manifold (sphere); the nearest point is [", true},
    {"{q: [[0.6, 0.8], [0, -1, 0, 1, 0, 0, 0, 0, 1], [0, 0, 0], [4, 5]], project: true}",
     "off the manifold (sphere), and no nearest point of it was found", true},
    {"{" Q ", qdot: [[-1.6, 1.2], [-3, 0, 1, 0, -3, 2, -2, 1, 0], [2, -1, 3], [7, 8]]}",
     "is not tangent to the manifold (sphere): its normal part is of size 3; its projection is [2, -1, 0]",
     true},
};

TEST_EACH(initial, sizeof initial_data / sizeof *initial_data)
{
    fixture x;
    ph_status status = read_text(&x, initial_data[_i].text, initial_data[_i].embedded);
    if (initial_data[_i].message) {
        ck_assert(status);
        ck_assert_msg(strstr(x.err.message, initial_data[_i].message) != NULL, "%s", x.err.message);
    } else {
        ck_assert_msg(!status, "%s", x.err.message);
        ck_assert(tk_max_difference(x.scenario.z, z_read, NZ) <= DBL_EPSILON);
        ck_assert(tk_max_difference(x.scenario.zdot, v_read, NZ) <= 4 * DBL_EPSILON);
        const double *p = initial_data[_i].embedded ? p_embedded : p_sphere;
        ck_assert(tk_max_difference(x.scenario.p, p, NP) <= 16 * DBL_EPSILON);
    }
    end(&x);
}

/* R (9) <- the product of the elementary turns by phi about z, theta about x and psi about z, entry by entry. */
static void turn_by_euler(double phi, double theta, double psi, double R[9])
{
    const double A[9] = {cos(phi), -sin(phi), 0, sin(phi), cos(phi), 0, 0, 0, 1},
                 B[9] = {1, 0, 0, 0, cos(theta), -sin(theta), 0, sin(theta), cos(theta)},
                 C[9] = {cos(psi), -sin(psi), 0, sin(psi), cos(psi), 0, 0, 0, 1};
    double AB[9];
    ph_multiply3(A, B, AB);
    ph_multiply3(AB, C, R);
}

/* Angles in general position: the sphere's point by hand, the rotation as a product, and the velocity of the
 * rotation from the rates by central differences, which are good to some 1e-10. */
TEST(angles)
{
    const double e[3] = {0.3, 1.1, -2.2}, rate[3] = {0.7, -0.4, 1.9}, h = 1e-5;
    fixture x;
    double R[9], ahead[9], behind[9];
    ph_status status =
        read_text(&x,
                  "{q: [{angle: 2}, {euler: [0.3, 1.1, -2.2]}, {theta: 2.5, phi: -1}, [4, 5]], "
                  "omega: [[0], {euler-rates: [0.7, -0.4, 1.9]}, [0, 0, 0], [0, 0]]}",
                  false);
    ck_assert_msg(!status, "%s", x.err.message);
    turn_by_euler(e[0], e[1], e[2], R);
    turn_by_euler(e[0] + h * rate[0], e[1] + h * rate[1], e[2] + h * rate[2], ahead);
    turn_by_euler(e[0] - h * rate[0], e[1] - h * rate[1], e[2] - h * rate[2], behind);
    ck_assert(tk_max_difference(x.scenario.z + 2, R, 9) <= 4 * DBL_EPSILON);
    for (int i = 0; i < 9; i++)
        ck_assert(fabs(x.scenario.zdot[2 + i] - (ahead[i] - behind[i]) / (2 * h)) <= 1e-9);
    const double q[3] = {sin(2.5) * cos(-1), sin(2.5) * sin(-1), cos(2.5)};
    ck_assert(tk_max_difference(x.scenario.z + 11, q, 3) <= 4 * DBL_EPSILON);
    ck_assert(fabs(x.scenario.z[0] - cos(2)) <= DBL_EPSILON && fabs(x.scenario.z[1] - sin(2)) <= DBL_EPSILON);
    end(&x);
}

/* The same in degrees, Euler angles and the rates at them. */
TEST(degrees)
{
    const char *const texts[] = {"euler: [90 deg, 60 deg, -30 deg]",
                                 "euler: [1.5707963267948966, 1.0471975511965976, -0.52359877559829882]"};
    double z[2][16], zdot[2][16];
    for (int i = 0; i < 2; i++) {
        char text[300];
        fixture x;
        snprintf(text, sizeof text,
                 "{q: [{angle: 2}, {%s}, {theta: 2.5, phi: -1}, [4, 5]], "
                 "omega: [[0], {euler-rates: [0.7, -0.4, 1.9]}, [0, 0, 0], [0, 0]]}",
                 texts[i]);
        const ph_status status = read_text(&x, text, false);
        ck_assert_msg(!status, "%s", x.err.message);
        memcpy(z[i], x.scenario.z, sizeof z[i]);
        memcpy(zdot[i], x.scenario.zdot, sizeof zdot[i]);
        end(&x);
    }
    ck_assert_double_lt(tk_max_difference(z[0], z[1], 16), 1e-15);
    ck_assert_double_lt(tk_max_difference(zdot[0], zdot[1], 16), 2e-15);
}

/* The pole is (cos beta cos lambda, cos beta sin lambda, sin beta); the matrices are products of those of 30, 60, 90 and 135
 * degrees by hand, of which the last is 45 and 4.25 turns. */
TEST(spin_states)
{
    const double d = sqrt(2) / 2, w3 = sqrt(3), rate = 2 * acos(-1) / (6 * 3600);
    const struct {
        const char *state;
        double R[9];
    } known[] = {
        {"{lambda: 90, beta: 0, period: 6}", {0, -1, 0, 0, 0, 1, -1, 0, 0}},
        {"{lambda: 77, beta: 90, period: 6, phi0: 13, t0: 2451545, t: 2451546}",
         {0, -1, 0, 1, 0, 0, 0, 0, 1}},
        {"{lambda: 0, beta: -90, period: 6, t: 2451546}", {-1, 0, 0, 0, 1, 0, 0, 0, -1}},
        {"{lambda: 30, beta: 60, period: 6, phi0: 45, t0: 2443568, t: 2443569.0625}",
         {-1.25 * d, (0.5 - 0.75) * d, w3 / 4, w3 / 4 * d, -3 * w3 / 4 * d, 0.25, d / 2, d / 2, w3 / 2}}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[300];
        fixture x;
        snprintf(
            text, sizeof text,
            "{q: [[0.6, 0.8], {spin-state: %s}, [0, 0, 1], [4, 5]], omega: [[0], spin-state, [0, 0, 0], [0, 0]]}",
            known[i].state);
        ph_status status = read_text(&x, text, false);
        ck_assert_msg(!status, "%s", x.err.message);
        const double *R = known[i].R;
        ck_assert_msg(tk_max_difference(x.scenario.z + 2, R, 9) <= 4 * DBL_EPSILON, "%zu: off by %g", i,
                      tk_max_difference(x.scenario.z + 2, R, 9));
        for (int k = 0; k < 3; k++) { /* d/dt of the columns: rate (second, -first, 0) */
            ck_assert(fabs(x.scenario.zdot[2 + 3 * k] - rate * R[3 * k + 1]) <= 8 * DBL_EPSILON * rate);
            ck_assert(fabs(x.scenario.zdot[3 + 3 * k] + rate * R[3 * k]) <= 8 * DBL_EPSILON * rate);
            ck_assert(fabs(x.scenario.zdot[4 + 3 * k]) <= 8 * DBL_EPSILON * rate);
        }
        end(&x);
    }
}

/* A turn about a slanted axis: R v by Rodrigues' formula, of the axis in another length. */
TEST(slanted_axis)
{
    const double u[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, v[3] = {0.2, 0.5, -0.7}, angle = 2.3;
    const double cross[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double along = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    fixture x;
    ph_status status =
        read_text(&x, "{q: [[0.6, 0.8], {axis: [4, -2, 4], angle: 2.3}, [0, 0, 1], [4, 5]]}", false);
    ck_assert_msg(!status, "%s", x.err.message);
    const double *R = x.scenario.z + 2;
    for (int i = 0; i < 3; i++) {
        const double turned = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
        const double expected = v[i] * cos(angle) + cross[i] * sin(angle) + u[i] * along * (1 - cos(angle));
        ck_assert(fabs(turned - expected) <= 8 * DBL_EPSILON);
    }
    end(&x);
}

/* The origin of R^d has no direction either, but is a point like any other. */
TEST(origin)
{
    fixture x;
    ph_status status = read_text(
        &x, "{q: [[1.2, 1.6], [0, -1, 0, 1, 0, 0, 0, 0, 1], [0, 0, 1], [0, 0]], project: true}", false);
    ck_assert_msg(!status, "%s", x.err.message);
    ck_assert(fabs(x.scenario.z[0] - 0.6) <= DBL_EPSILON && x.scenario.z[14] == 0 && x.scenario.z[15] == 0);
    end(&x);
}

#define P "p: [1, 2, 3, 4, 5, 6, 0, 8, 9]}"
static const struct {
    const char *text, *message;
    bool embedded, project;
} states[] = {
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5], " P, NULL, false, false},
    {"{t: 1, z: [1.2, 1.6, 0, -2, 0, 2, 0, 0, 0, 0, 2, 0, 0, 3, 4, 5], " P, NULL, false, true},
    {"{t: 1, z: [0.6, 0.9, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5], " P, "off the circle", false, false},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 2, 0, 0, 1, 4, 5], " P, "off the rotations", false,
     false},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 4, 5], " P, "off the sphere", false, false},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5], p: [1, 2, 3, 4, 5, 6, 1, 8, 9]}",
     "sphere 3: the momentum is not perpendicular", false, false},
    {"{t: 1, z: [0.6, 0.8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 4, 5], " P, "has no nearest rotation", false,
     true},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5], " P, NULL, true, false},
    {"{t: 1, z: [1.2, 1.6, 0, -2, 0, 2, 0, 0, 0, 0, 2, 0, 0, 3, 4, 5], " P, NULL, true, true},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 4, 5], " P, "off the embedded manifold", true,
     false},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5], p: [1, 2, 3, 4, 5, 6, 1, 8, 9]}",
     "factor 3: the momentum is not tangent to the manifold, its normal part is 1;", true, false},
};

static const double p_read[NP] = {1, 2, 3, 4, 5, 6, 0, 8, 9};

TEST_EACH(restart, sizeof states / sizeof *states)
{
    fixture x;
    char summary[400], text[400];
    snprintf(summary, sizeof summary, "{polhode: 1, model: any, final_state: %s}\n", states[_i].text);
    io_put("summary.json", summary);
    snprintf(text, sizeof text, "{from: \"%s\"%s}", io_path("summary.json"),
             states[_i].project ? ", project: true" : "");
    ph_status status = read_text(&x, text, states[_i].embedded);
    if (states[_i].message) {
        ck_assert(status);
        ck_assert_msg(strstr(x.err.message, states[_i].message) != NULL, "%s", x.err.message);
    } else {
        ck_assert_msg(!status, "%s", x.err.message);
        ck_assert_double_eq(x.scenario.time, 1);
        ck_assert(tk_max_difference(x.scenario.z, z_read, NZ) <= DBL_EPSILON);
        ck_assert(tk_max_difference(x.scenario.p, p_read, NP) == 0);
    }
    end(&x);
}

int main(void)
{
    return tk_run_in("kinds of factor in files", io_make_folder, io_remove_folder);
}
