/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenario and restart for every kind of factor, also those on which no model lives: initial data of
 * S^1 x SO(3) x S^2 x R^2 (also with S^2 as an embedded manifold) read from text. White box: the readers'
 * sources are part of this program, with a space and a Legendre transform of its own. */
#include "embeddings.h"
#include "spaces.h"

#include <float.h>

#include <scenario/parts.h>

static ph_space *the_space;
static double transformed[64]; /* the velocity that the Legendre transform saw */

static const ph_space *fake_space(const ph_system *system)
{
    (void)system;
    return the_space;
}

static size_t fake_work(const ph_system *system)
{
    (void)system;
    return 1;
}

static ph_status fake_momentum(const ph_system *system, const double *z, const double *zdot, double *p,
                               double *work)
{
    (void)system, (void)z, (void)work;
    memcpy(transformed, zdot, ph_space_ambient(the_space) * sizeof *zdot);
    for (size_t i = 0; i < ph_space_momenta(the_space); i++)
        p[i] = 1 + (double)i;
    return PH_OK;
}

static ph_status fake_energy(const ph_system *system, const double *z, const double *zdot, double *T,
                             double *U, double *work)
{
    (void)system, (void)zdot, (void)work;
    *T = 1;
    *U = z[14];
    return z[14] == 13 ? PH_E_NOT_FINITE : PH_OK;
}

#define ph_system_space fake_space
#define ph_system_work fake_work
#define ph_system_energy fake_energy
#define ph_system_momentum fake_momentum
#define ph_check_factor check_factor_under_test
#define ph_read_initial read_initial_under_test
#define ph_read_restart read_restart_under_test
ph_status check_factor_under_test(const ph_node *at, const ph_space *space, size_t i, double *z, bool project,
                                  ph_error *err);
ph_status read_initial_under_test(ph_reading *r, const ph_node *root, const ph_node *at, ph_error *err);
ph_status read_restart_under_test(ph_reading *r, const ph_node *at, ph_error *err);
#include "../lib/scenario/initial.c"
#define admitted restart_admitted
#include "../lib/scenario/restart.c"

#include <archive/archive.h>

static const ph_factor factors[] = {S1, SO3, S2, R(2)};
enum { NZ = 16, NP = 9 };

typedef struct fixture {
    ph_scenario scenario;
    ph_reading reading;
    ph_yaml *file;
    ph_error err;
} fixture;

/* The same, but that the sphere is an embedded one. */
static void make_space_of(bool embedded)
{
    const ph_embedding sphere = em_embedding(em_at(EM_SPHERE), EM_BEND);
    const ph_factor others[] = {S1, SO3, {.kind = PH_FACTOR_EMBEDDED, .embedding = &sphere}, R(2)};
    tk_ok(ph_space_create(embedded ? others : factors, 4, &the_space, NULL));
}

/* Read `text` as initial data, or as the state in a summary. */
static ph_status read_text(fixture *x, const char *text, bool restart, bool embedded)
{
    *x = (fixture){.err = {PH_OK, ""}};
    x->reading.scenario = &x->scenario;
    x->reading.directory = "";
    make_space_of(embedded);
    ck_assert_msg(!ph_yaml_parse(text, strlen(text), ph_yaml_longest, "text", &x->file, &x->err), "%s",
                  x->err.message);
    ph_node root = ph_yaml_root(x->file);
    if (!restart)
        return read_initial_under_test(&x->reading, &root, &root, &x->err);
    tk_ok(allocate(&x->scenario, &x->err));
    ph_node project = ph_node_find(&root, "project");
    x->reading.project = project.node != NULL;
    return read_state(&x->reading, &root, &x->err);
}

static void end(fixture *x)
{
    ph_yaml_free(x->file);
    free(x->scenario.z);
    free(x->scenario.zdot);
    free(x->scenario.p);
    ph_space_free(the_space);
}

/* A quarter turn about z, and what follows from omega = 2 (S^1) and (1, 2, 3) (SO(3), body frame). */
#define Q "q: [[0.6, 0.8], [0, -1, 0, 1, 0, 0, 0, 0, 1], [0, 0, 1], [4, 5]]"
static const double z_read[NZ] = {0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5},
                    v_read[NZ] = {-1.6, 1.2, -3, 0, 1, 0, -3, 2, -2, 1, 0, 2, -1, 0, 7, 8};

static const struct {
    const char *text;
    const char *message; /* NULL: z_read and v_read */
    bool embedded;
} initial_data[] = {
    {"{" Q ", omega: [[2], [1, 2, 3], [1, 2, 0], [7, 8]]}", NULL, false},
    {"{q: [[0.6, 0.8], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [0, 0, 1], [4, 5]],"
     " qdot: [[-1.6, 1.2], [[-3, 0, 1], [0, -3, 2], [-2, 1, 0]], [2, -1, 0], [7, 8]]}",
     NULL, false},
    {"{q: [[0.6, 0.8], [[0, -1], [1, 0, 0], [0, 0, 1]], [0, 0, 1], [4, 5]]}",
     "q[1][0]: has 2 numbers; a list of 3 numbers is expected", false},
    {"{q: [[0.6, 0.8], [[0, -1, 0], [1, 0, 0]], [0, 0, 1], [4, 5]]}", "a list of 9 numbers", false},
    {"{q: [[0.6, 0.8], [[0, -1, 0], 1, [0, 0, 1]], [0, 0, 1], [4, 5]]}", "a list of 3 numbers", false},
    {"{q: [[0.6, 0.8], [0, -1, 0, 1, 0, 0, 0, 0, 1], [0, 0, 1], [13, 5]]}",
     "the model has no potential energy at the initial configuration (a number is NaN or infinite)", false},
    {"{" Q ", qdot: [[-1.6, 1.2], [-3, 0, 1, 0, -3, 2, -2, 1, 0], [2, -1, 0], [7, 8]]}", NULL, false},
    {"{q: [[1.2, 1.6], [0, -3, 0, 3, 0, 0, 0, 0, 3], [0, 0, 2], [4, 5]], project: true,"
     " qdot: [[-1, 2], [-3, -1, 1, 1, -3, 2, -2, 1, 1], [2, -1, 9], [7, 8]]}",
     NULL, false},
    {"{" Q ", omega: [[2, 1], [1, 2, 3], [1, 2, 0], [7, 8]]}", "a list of 1 number", false},
    {"{" Q ", omega: [[2], [1, 2], [1, 2, 0], [7, 8]]}", "a list of 3 numbers", false},
    {"{" Q ", omega: [[2], [1, 2, 3], [1, 2, 1], [7, 8]]}", "is not perpendicular to q", false},
    {"{" Q ", qdot: [[-1, 2], [-3, 0, 1, 0, -3, 2, -2, 1, 0], [2, -1, 0], [7, 8]]}",
     "is not perpendicular to q: their product is 1; its projection is [-1.6000000000000001, 1.19", false},
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
    {"{q: [[1.2, 1.6], [0, -3, 0, 3, 0, 0, 0, 0, 3], [0, 0, 2], [4, 5]], project: true,"
     " qdot: [[-1, 2], [-3, -1, 1, 1, -3, 2, -2, 1, 1], [2, -1, 9], [7, 8]]}",
     NULL, true},
    {"{q: [[0.6, 0.8], [0, -1, 0, 1, 0, 0, 0, 0, 1], [0, 0, 2], [4, 5]]}",
     "is 0.75 off the manifold (sphere); the nearest point is [", true},
    {"{q: [[0.6, 0.8], [0, -1, 0, 1, 0, 0, 0, 0, 1], [0, 0, 0], [4, 5]], project: true}",
     "off the manifold (sphere), and no nearest point of it was found", true},
    {"{" Q ", qdot: [[-1.6, 1.2], [-3, 0, 1, 0, -3, 2, -2, 1, 0], [2, -1, 3], [7, 8]]}",
     "is not tangent to the manifold (sphere): its normal part is of size 3; its projection is [2, -1, 0]",
     true},
};

START_TEST(initial)
{
    fixture x;
    ph_status status = read_text(&x, initial_data[_i].text, false, initial_data[_i].embedded);
    if (initial_data[_i].message) {
        ck_assert(status);
        ck_assert_msg(strstr(x.err.message, initial_data[_i].message) != NULL, "%s", x.err.message);
    } else {
        ck_assert_msg(!status, "%s", x.err.message);
        ck_assert(tk_max_difference(x.scenario.z, z_read, NZ) <= DBL_EPSILON);
        ck_assert(tk_max_difference(transformed, v_read, NZ) <= 4 * DBL_EPSILON);
        for (size_t i = 0; i < NP; i++) /* pi on S^2 is made perpendicular to q = (0, 0, 1) */
            ck_assert(x.scenario.p[i] == (i == 6 ? 0 : 1 + (double)i));
    }
    end(&x);
}
END_TEST

#define P "p: [1, 2, 3, 4, 5, 6, 0, 8, 9]}"
static const struct {
    const char *text, *message;
    bool embedded;
} states[] = {
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5], " P, NULL, false},
    {"{t: 1, project: 1, z: [1.2, 1.6, 0, -2, 0, 2, 0, 0, 0, 0, 2, 0, 0, 3, 4, 5], " P, NULL, false},
    {"{t: 1, z: [0.6, 0.9, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5], " P, "off the circle", false},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 2, 0, 0, 1, 4, 5], " P, "off the rotations", false},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 4, 5], " P, "off the sphere", false},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5], p: [1, 2, 3, 4, 5, 6, 1, 8, 9]}",
     "sphere 3: the momentum is not perpendicular", false},
    {"{t: 1, project: 1, z: [0.6, 0.8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 4, 5], " P,
     "has no nearest rotation", false},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5], " P, NULL, true},
    {"{t: 1, project: 1, z: [1.2, 1.6, 0, -2, 0, 2, 0, 0, 0, 0, 2, 0, 0, 3, 4, 5], " P, NULL, true},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 4, 5], " P, "off the embedded manifold",
     true},
    {"{t: 1, z: [0.6, 0.8, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 4, 5], p: [1, 2, 3, 4, 5, 6, 1, 8, 9]}",
     "factor 3: the momentum is not tangent to the manifold, its normal part is 1;", true},
};

START_TEST(restart)
{
    fixture x;
    ph_status status = read_text(&x, states[_i].text, true, states[_i].embedded);
    if (states[_i].message) {
        ck_assert(status);
        ck_assert_msg(strstr(x.err.message, states[_i].message) != NULL, "%s", x.err.message);
    } else {
        ck_assert_msg(!status, "%s", x.err.message);
        ck_assert(tk_max_difference(x.scenario.z, z_read, NZ) <= DBL_EPSILON);
        for (size_t i = 0; i < NP; i++)
            ck_assert(x.scenario.p[i] == (i == 6 ? 0 : 1 + (double)i));
    }
    end(&x);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kinds of factor in files");
    TCase *files = tcase_create("files");
    tcase_add_loop_test(files, initial, 0, (int)(sizeof initial_data / sizeof *initial_data));
    tcase_add_loop_test(files, restart, 0, (int)(sizeof states / sizeof *states));
    suite_add_tcase(suite, files);
    return tk_main(suite);
}
