/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies and orbits in scenarios: each form of a body against another one, remarks, what is refused and where, places and
 * velocities by elements against digits of 40-digit arithmetic. */
#include "tests/kit/iokit.h"

#include <polhode/domain/gravitation.h>
#include <polhode/domain/scene.h>
#include <polhode/kit/vector.h>
#include <polhode/scenario.h>

#include <math.h>
#include <stdio.h>

#define RUN "method: variational\nstep: 1\nsteps: 2\n"
#define BALL "{mass: 1e10, radius: 100}"
/* The entries of bodies, far apart. */
#define PAIR(a)                                                                                              \
    "polhode: 1\nmodel: binary\n" RUN "initial: {q: [[9000, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]}\n"           \
    "parameters:\n  bodies:\n    - " BALL "\n    - " a "\n"

static const ph_mass *second(const ph_scenario *s)
{
    return ph_gravitation_mass(ph_system_gravitation(ph_scenario_system(s)), 1);
}

/* ---- Forms ---------------------------------------------------------------------------------------------------- */

/* The same body twice, in other words; the moments are the same up to rounding of the sums that they are from. */
static const struct {
    const char *one, *other;
} same[] = {
    /* a density of 3 m/(4 pi a b c) */
    {PAIR("{mass: 3e10, half-axes: [120, 100, 80]}"),
     PAIR("{density: 7460.387957432594, half-axes: [0.12, 0.1, 0.08], unit: 1000}")},
    {PAIR("{mass: 3e10, radius: 120}"), PAIR("{density: 4144.659976351441, radius: 120}")},
    /* an octahedron of three ways to give its surface; inside out in the third */
    {PAIR("{density: 2500, octahedron: [60, 70, 50]}"),
     PAIR(
         "{density: 2500, unit: 10, vertices: [[6, 0, 0], [-6, 0, 0], [0, 7, 0], [0, -7, 0], [0, 0, 5], [0, 0, -5]], "
         "faces: [[1, 3, 5], [3, 2, 5], [2, 4, 5], [4, 1, 5], [3, 1, 6], [2, 3, 6], [4, 2, 6], [1, 4, 6]]}")},
    {PAIR("{mass: 7e8, octahedron: [60, 70, 50]}"),
     PAIR(
         "{density: 2500, vertices: [[60, 0, 0], [-60, 0, 0], [0, 70, 0], [0, -70, 0], [0, 0, 50], [0, 0, -50]], "
         "faces: [[3, 1, 5], [2, 3, 5], [4, 2, 5], [1, 4, 5], [1, 3, 6], [3, 2, 6], [2, 4, 6], [4, 1, 6]]}")},
    /* numbered from 0 */
    {PAIR("{mass: 7e8, octahedron: [60, 70, 50]}"),
     PAIR(
         "{mass: 7e8, vertices: [[60, 0, 0], [-60, 0, 0], [0, 70, 0], [0, -70, 0], [0, 0, 50], [0, 0, -50]], "
         "faces: [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]}")},
    /* T of degree 2 of an ellipsoid is M (a^2, b^2, c^2)/5; by harmonics as well, and with an inertia */
    {PAIR("{moments: {degree: 2, T: [5e9, 0, 9e12, 0, 0, 16e12, 0, 0, 0, 25e12]}, radius: 160}"),
     PAIR("{mass: 5e9, radius: 160, harmonics: {radius: 100, degree: 2, C: [1, 0, 0, -0.23, 0, 0.045]}, "
          "inertia: [25e12, 34e12, 41e12]}")},
    /* two halves of a sphere at the same place; a shifted body is brought back, whatever its frame was turned by */
    {PAIR("{parts: [{mass: 1e10, radius: 90}, {mass: 2e10, radius: 90}]}"), PAIR("{mass: 3e10, radius: 90}")},
    {PAIR("{parts: [{mass: 3e10, half-axes: [90, 80, 70], place: [400, 20, -7]}]}"),
     PAIR("{mass: 3e10, half-axes: [90, 80, 70]}")},
    {PAIR("{parts: [{mass: 3e10, half-axes: [80, 90, 70], quaternion: [1, 0, 0, 1]}]}"),
     PAIR("{mass: 3e10, half-axes: [90, 80, 70]}")},
    {PAIR("{mass: 3e10, half-axes: [80, 70, 90], axes: principal}"),
     PAIR("{mass: 3e10, half-axes: [90, 80, 70]}")},
};

TEST_EACH(forms, sizeof same / sizeof same[0])
{
    TK_OWN(ph_scenario) *a = io_scenario(same[_i].one), *b = io_scenario(same[_i].other);
    const ph_mass *A = second(a), *B = second(b);
    const double size = 200;
    double worst = 0, scale = A->moment[0];
    for (size_t n = 0; n <= 8; n++, scale *= size)
        for (size_t k = n * n; k < (n + 1) * (n + 1); k++)
            worst = fmax(worst, fabs(A->moment[k] - B->moment[k]) / scale);
    for (size_t k = 0; k < 9; k++)
        worst = fmax(worst, fabs(A->J[k] - B->J[k]) / (A->moment[0] * size * size));
    printf("form %d: off by %.1e\n", _i, worst);
    ck_assert_double_le(worst, 1e-14);
    ck_assert_uint_eq(ph_gravitation_attitudes(ph_system_gravitation(ph_scenario_system(a))), 2);
}

/* A point, and a body that is not to turn, have no attitude: the space is smaller. */
TEST(without_attitude)
{
    static const char *const bodies[] = {"{mass: 5e9}", "{mass: 5e9, radius: 100, turning: false}",
                                         "{mass: 5e9, half-axes: [100, 90, 80], turning: false}",
                                         "{mass: 5e9, inertia: [1, 2, 2.5], turning: false}"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "polhode: 1\nmodel: binary\n" RUN "initial: {q: [[9000, 0, 0], [1, 0, 0, 0]]}\n"
                 "parameters: {bodies: [" BALL ", %s]}\n",
                 bodies[i]);
        TK_OWN(ph_scenario) *s = io_scenario(text);
        ck_assert_uint_eq(ph_space_factors(ph_system_space(ph_scenario_system(s))), 2);
        ck_assert_double_eq(second(s)->moment[0], 5e9);
    }
}

/* ---- Shapes --------------------------------------------------------------------------------------------------- */

/* The surface of a body is in its scene in true size, about its centre of mass, which is that of the solid inside; of a body that is not
 * symmetric its tensor is so to the last bit (a system refuses another one). */
TEST(shape)
{
    static const double given[6][3] = {{60, 0, 0},  {-60, 0, 0}, {0, 50, 0},
                                       {0, -40, 0}, {0, 0, 30},  {0, 0, -35}};
    TK_OWN(ph_scenario) *s = io_scenario(PAIR(
        "{density: 2000, vertices: [[60, 0, 0], [-60, 0, 0], [0, 50, 0], [0, -40, 0], [0, 0, 30], [0, 0, -35]], "
        "faces: [[1, 3, 5], [3, 2, 5], [2, 4, 5], [4, 1, 5], [3, 1, 6], [2, 3, 6], [4, 2, 6], [1, 4, 6]]}"));
    size_t n, found = 0;
    TK_MAKE(ph_scene, scene, ph_scene_create(ph_scenario_system(s), &scene, tk_err));
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    for (size_t i = 0; i < n; i++) {
        const ph_mesh *mesh = parts[i].mesh;
        double first[3] = {0, 0, 0}, volume = 0;
        if (!mesh)
            continue;
        found++;
        ck_assert_uint_eq(mesh->vertices, 6);
        ck_assert_uint_eq(mesh->faces, 8);
        for (size_t k = 0; k < 6; k++)
            for (size_t a = 0; a < 3; a++)
                ck_assert_double_eq_tol(mesh->vertex[3 * k + a] - mesh->vertex[a], given[k][a] - given[0][a],
                                        1e-12);
        for (size_t k = 0; k < 8; k++) { /* tetrahedra from the origin */
            const double *a = mesh->vertex + 3 * mesh->face[3 * k],
                         *b = mesh->vertex + 3 * mesh->face[3 * k + 1],
                         *c = mesh->vertex + 3 * mesh->face[3 * k + 2];
            double normal[3];
            ph_cross3(a, b, normal);
            const double part = ph_dot3(normal, c) / 6;
            volume += part;
            for (size_t d = 0; d < 3; d++)
                first[d] += part * (a[d] + b[d] + c[d]) / 4;
        }
        ck_assert_double_eq_tol(volume, 120. * 90 * 65 / 6,
                                1e-9); /* of an octahedron: product of its diagonals / 6 */
        for (size_t d = 0; d < 3; d++)
            ck_assert_double_eq_tol(first[d] / volume, 0, 1e-12);
    }
    ck_assert_uint_eq(found, 1); /* the other one is a ball */
}

/* ---- Remarks -------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text, *says;
} remarked[] = {
    {PAIR("{mass: 3e10, half-axes: [0.12, 0.1, 0.08]}"), "7.46e+12 kg/m^3, 3.73e+09 times that of rock"},
    {PAIR("{mass: 3e10, half-axes: [0.12, 0.1, 0.08]}"), "are the lengths in km? Write unit: 1000"},
    {PAIR("{density: 2.1, radius: 100}"), "is it in g/cm^3?"},
    {PAIR("{parts: [{mass: 1e10, radius: 50, place: [7, 0, 0]}]}"), "the centre of mass is at [7, 0, 0] m"},
    {PAIR("{density: 2500, vertices: [[60, 0, 0], [-60, 0, 0], [0, 70, 0], [0, 0, 50]], "
          "faces: [[3, 1, 4], [2, 3, 4], [2, 4, 1], [1, 3, 2]]}"),
     "all faces are clockwise"},
    {"polhode: 1\nmodel: kepler\n" RUN "parameters: {masses: 1e20}\ninitial: {q: [{a: -1e6, e: 1.5}]}\n",
     "the orbit has no end: it is a hyperbola, e = 1.5,"},
};

TEST_EACH(remarks, sizeof remarked / sizeof remarked[0])
{
    TK_OWN(ph_scenario) *s = io_scenario(remarked[_i].text);
    size_t n, found = 0;
    const char *const *notes = ph_scenario_notes(s, &n);
    for (size_t i = 0; i < n; i++)
        found += strstr(notes[i], remarked[_i].says) != NULL;
    ck_assert_msg(found == 1, "%zu notes, the first: %s", n, n ? notes[0] : "");
}

/* Nothing to be remarked: bodies of rock, an orbit that an event ends, units in which G is 1. */
TEST(no_remarks)
{
    static const char *const texts[] = {
        PAIR("{density: 2100, half-axes: [120, 100, 80]}"),
        "polhode: 1\nmodel: kepler\n" RUN "parameters: {masses: 1e20}\ninitial: {q: [{a: -1e6, e: 1.5}]}\n"
        "events: [{name: gone, when: x1_1, crosses: 1e9, action: stop}]\n",
        "polhode: 1\nmodel: binary\n" RUN
        "parameters: {G: 1, bodies: [{mass: 1, half-axes: [0.5, 0.4, 0.3]}, {mass: 0.3, radius: 0.2}]}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        TK_OWN(ph_scenario) *s = io_scenario(texts[i]);
        size_t n;
        const char *const *notes = ph_scenario_notes(s, &n);
        ck_assert_msg(n == 0, "%s", notes[0]);
    }
}

/* ---- What is refused ------------------------------------------------------------------------------------------- */

static const struct {
    const char *text, *start, *advice;
    ph_status status;
} bad[] = {
    {PAIR("{mas: 3}"), "10:8: parameters.bodies[1].mas: unknown key", "did you mean \"mass\"?", PH_E_UNKNOWN},
    {PAIR("{mass: -3}"), "10:14: parameters.bodies[1].mass: is -3", "a positive mass in kg", PH_E_RANGE},
    {PAIR("{mass: .nan}"), "10:14: parameters.bodies[1].mass: is", "is expected", PH_E_NOT_FINITE},
    {PAIR("{density: 2000}"), "10:17: parameters.bodies[1].density: needs a body with a volume", "",
     PH_E_PARSE},
    {PAIR("{radius: 3}"), "10:7: parameters.bodies[1]: has no mass", "\"density\" in kg/m^3", PH_E_PARSE},
    {PAIR("{}"), "10:7: parameters.bodies[1]: does not say what this body is", "half-axes", PH_E_PARSE},
    {PAIR("{mass: 3, half-axes: [1, 2]}"), "10:28: parameters.bodies[1].half-axes: has 2 numbers", "three",
     PH_E_SIZE},
    {PAIR("{mass: 3, half-axes: [1, 0, 2]}"), "10:28: parameters.bodies[1].half-axes: has the length 0",
     "a body without volume", PH_E_RANGE},
    {PAIR("{mass: 3, half-axes: [1, 1, 2], radius: 3}"), "10:47: parameters.bodies[1].radius: is given",
     "leave it out", PH_E_PARSE},
    {PAIR("{mass: 3, half-axes: [1, 1, 2], mesh: x.obj}"),
     "10:45: parameters.bodies[1].mesh: cannot be given together with \"half-axes\"", "", PH_E_PARSE},
    {PAIR("{mass: 1e10, density: 2000, radius: 100}"), "10:29: parameters.bodies[1].density: is 2000 kg/m^3",
     "0.837758 times the mass", PH_E_INVALID},
    {PAIR("{mass: 1, mesh: no.obj}"), "10:23: parameters.bodies[1].mesh: no.obj: cannot be opened", "",
     PH_E_IO},
    /* a face is missing; one is inside out; there is no volume */
    {PAIR(
         "{mass: 1, vertices: [[6, 0, 0], [-6, 0, 0], [0, 7, 0], [0, 0, 5]], faces: [[1, 3, 4], [3, 2, 4], [4, 2, 1]]}"),
     "10:81: parameters.bodies[1].faces: 4 vertices and 3 faces are not a closed surface", "", PH_E_INVALID},
    {PAIR(
         "{mass: 1, vertices: [[6, 0, 0], [-6, 0, 0], [0, 7, 0], [0, 0, 5]], faces: [[1, 3, 4], [3, 2, 4], [4, 2, 1], "
         "[1, 3, 2]]}"),
     "10:81: ", "inside out", PH_E_INVALID},
    {PAIR(
         "{mass: 1, vertices: [[6, 0, 0], [-6, 0, 0], [0, 7, 0], [3, 1, 0]], faces: [[1, 3, 4], [3, 2, 4], [4, 2, 1], "
         "[3, 1, 2]]}"),
     "10:81: ", "no volume", PH_E_INVALID},
    {PAIR(
         "{mass: 1, vertices: [[6, 0, 0], [-6, 0, 0], [0, 7, 0], [0, 0, 5]], faces: [[1, 3, 4], [3, 2, 4], [4, 2, 1], "
         "[1, 2, 5]]}"),
     "10:115: parameters.bodies[1].faces[3]: has 5, which no vertex is", "1 to 4", PH_E_RANGE},
    {PAIR(
         "{mass: 1, vertices: [[6, 0, 0], [-6, 0, 0], [0, 7, 0], [0, 0, 5]], faces: [[0, 2, 3], [2, 1, 3], [3, 1, 4], "
         "[1, 2, 0]]}"),
     "10:104: parameters.bodies[1].faces[2]: has 4, which no vertex is", "0 to 3, as a face has the vertex 0",
     PH_E_RANGE},
    {PAIR("{moments: {degree: 9, T: [1]}}"), "10:26: parameters.bodies[1].moments.degree: is 9", "0 to 8",
     PH_E_RANGE},
    {PAIR("{moments: {degree: 1, T: [1]}}"), "10:32: parameters.bodies[1].moments.T: has 1 number", "",
     PH_E_SIZE},
    /* in an order other than T_000, T_001, T_002, ...: second moments that are negative; and C_00 that is not 1 */
    {PAIR("{moments: {degree: 2, T: [5e9, 0, 0, 0, 1e12, 0, 0, 1e12, 0, 1e12]}}"),
     "10:32: parameters.bodies[1].moments.T: has moments of degree 2", "a slowest, c fastest", PH_E_INVALID},
    {PAIR("{moments: {degree: 2, T: [5e9, 0, -9e12, 0, 0, 16e12, 0, 0, 0, 25e12]}}"),
     "10:32: parameters.bodies[1].moments.T: has moments of degree 2", "which no body has", PH_E_INVALID},
    {PAIR("{mass: 5, harmonics: {radius: 1, degree: 2, C: [0.9, 0, 0, -0.1, 0, 0]}}"),
     "10:54: parameters.bodies[1].harmonics.C: begins with 0.9", "C_00 = 1", PH_E_INVALID},
    {PAIR("{mass: 5, harmonics: {radius: 1, degree: 0, C: [1]}, inertia: [1, 1, 3]}"),
     "10:69: parameters.bodies[1].inertia: has a moment that is larger", "", PH_E_RANGE},
    {PAIR("{mass: 5, turning: true}"), "10:26: parameters.bodies[1].turning: is true", "give \"inertia\"",
     PH_E_INVALID},
    {PAIR("{mass: 5, place: [1, 2, 3]}"), "10:24: parameters.bodies[1].place: has a meaning for a part only",
     "", PH_E_PARSE},
    {PAIR("{parts: []}"), "10:15: parameters.bodies[1].parts: is an empty list", "", PH_E_SIZE},
    /* a body that does not turn, or a word that is not the one for orbits, in the initial state */
    {"polhode: 1\nmodel: binary\n" RUN
     "initial: {q: [{a: 9000}, [1, 0, 0, 0], [1, 0, 0, 0]]}\nparameters: {bodies: [" BALL ", {mass: 5}]}\n",
     "6:14: initial.q: has 3 entries", "1 for the place, then 1 for the attitude of what turns", PH_E_SIZE},
    {"polhode: 1\nmodel: binary\n" RUN
     "initial: {q: [{a: 9000}, [1, 0, 0, 0]], omega: [orbits, [0, 0, 0]]}\nparameters: {bodies: [" BALL
     ", {mass: 5}]}\n",
     "6:49: initial.omega[0]: is not a list", "orbit, where \"q\" has one", PH_E_PARSE},
    {"polhode: 1\nmodel: binary\n" RUN "parameters: {order: 9}\n", "6:21: parameters.order: order is 9",
     "from 0 to 8", PH_E_RANGE},
    {"polhode: 1\nmodel: binary\n" RUN "parameters: {bodies: [" BALL "]}\n",
     "6:22: parameters.bodies: bodies has 1 entry", "two bodies", PH_E_SIZE},
    {"polhode: 1\nmodel: binary\n" RUN "parameters: {bodies: 3}\n", "6:22: parameters.bodies: is \"3\"",
     "a list of bodies", PH_E_PARSE},
    {"polhode: 1\nmodel: rigid-n-body\n" RUN "parameters: {bodies: [" BALL ", " BALL "]}\n"
     "initial: {q: [[0, 0, 0], [0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]}\n",
     "7:14: initial.q: bodies 1 and 2 are at the same place", "", PH_E_RANGE},
    {"polhode: 1\nmodel: binary\n" RUN "parameters: {bodies: [" BALL ", " BALL "]}\n"
     "initial: {q: [[0.3, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]}\n",
     "7:14: initial.q: bodies 1 and 2 overlap", "are places in km", PH_E_RANGE},
    {"polhode: 1\nmodel: spacecraft\n" RUN "parameters: {bodies: [" BALL ", {mass: 5}, {mass: 5}]}\n"
     "initial: {q: [[300, 0, 0], [0.05, 0, 0]]}\n",
     "7:14: initial.q: the central body and body 2 overlap", "are places in km", PH_E_RANGE},
    {"polhode: 1\nmodel: spacecraft\n" RUN "parameters: {bodies: [" BALL ", {mass: 5}, {mass: 5}]}\n"
     "initial: {q: [[300, 0, 0], [300, 0, 0]]}\n",
     "7:14: initial.q: bodies 1 and 2 are at the same place", "", PH_E_RANGE},
    {"polhode: 1\nmodel: n-body\n" RUN "parameters: {masses: [1, 1]}\ninitial: {preset: pythagorean}\n",
     "7:19: initial.preset: there are 2 points", "of 3", PH_E_SIZE},
#define ORBIT(map)                                                                                           \
    "polhode: 1\nmodel: n-body\n" RUN "parameters: {points: 2}\ninitial: {q: [[0, 0, 0], " map "]}\n"
    {ORBIT("{a: 1, e: 1}"), "7:36: initial.q[1].e: is 1, a parabola", "give the distance \"q\"", PH_E_RANGE},
    {ORBIT("{a: 1, e: 2}"), "7:30: initial.q[1].a: is 1; with the eccentricity 2 a negative", "", PH_E_RANGE},
    {ORBIT("{a: -1}"), "7:30: initial.q[1].a: is -1", "a positive length", PH_E_RANGE},
    {ORBIT("{e: 0.5}"), "7:26: initial.q[1]: does not say how large the orbit is", "\"a\" or \"q\"",
     PH_E_PARSE},
    {ORBIT("{a: 1, q: 1}"), "7:30: initial.q[1].a: is given together with \"q\"", "", PH_E_PARSE},
    {ORBIT("{a: 1, mean-anomaly: 1, true-anomaly: 1}"), "7:26: initial.q[1]: has more than one", "",
     PH_E_PARSE},
    {ORBIT("{q: 1, e: 1, mean-anomaly: 1}"), "7:53: ", "true-anomaly", PH_E_RANGE},
    {ORBIT("{q: 1, e: 2, true-anomaly: 3}"), "7:26: initial.q[1]: ", "", PH_E_RANGE},
    {ORBIT("{a: 1, about: 2}"), "7:40: initial.q[1].about: is 2; the number of another body", "from 1 to 2",
     PH_E_RANGE},
    {ORBIT("{a: 1, i: 0.1, nod: 2}"), "7:41: initial.q[1].nod: unknown key", "\"node\"", PH_E_UNKNOWN},
    {"polhode: 1\nmodel: n-body\n" RUN "initial: {q: [[0, 0, 0], {a: 1, about: 3}, {a: 1, about: 2}]}\n",
     "6:26: initial.q[1]: is about a body whose orbit is about this one", "", PH_E_INVALID},
    {"polhode: 1\nmodel: kepler\n" RUN "initial: {q: [{a: 1}], momentum: [[1, 0, 0]]}\n",
     "6:35: initial.momentum[0]: is a", "give \"omega\"", PH_E_PARSE},
    {"polhode: 1\nmodel: kepler\n" RUN "initial: {q: [{a: 1}], barycentre: rest}\n",
     "6:36: initial.barycentre: has no", "", PH_E_PARSE},
};

TEST_EACH(refused, sizeof bad / sizeof bad[0])
{
    ph_scenario *s;
    char start[300];
    const ph_status status = io_parse(bad[_i].text, &s, tk_err);
    snprintf(start, sizeof start, "t.yaml:%s", bad[_i].start);
    ck_assert_msg(status == bad[_i].status, "%s: %s: %s", bad[_i].text, ph_status_name(status),
                  tk_err->message);
    ck_assert_ptr_null(s);
    ck_assert_msg(!strncmp(tk_err->message, start, strlen(start)), "%s\n%s", tk_err->message, bad[_i].start);
    ck_assert_msg(strstr(tk_err->message, bad[_i].advice), "%s", tk_err->message);
}

/* ---- Orbits ----------------------------------------------------------------------------------------------------- */

#define ELLIPSOIDS                                                                                           \
    "parameters: {bodies: [{mass: 3.5e11, half-axes: [400, 350, 280]}, {mass: 2e10, half-axes: [120, 90, "   \
    "70]}]}\n"
#define ABOUT_A(map)                                                                                         \
    "polhode: 1\nmodel: binary\n" RUN ELLIPSOIDS "initial: {q: [" map ", [1, 0, 0, 0], [1, 0, 0, 0]], "      \
    "omega: [orbit, [0, 0, 1e-4], [0, 0, 0]]}\n"

static const struct {
    const char *text;
    double x[3], v[3];
} orbits[] = {
    {ABOUT_A("{a: 1200, e: 0.1, i: 0.3, node: 1, periapsis: 2, mean-anomaly: 0.7}"),
     {-839.30388792252814772, -725.7498551311945868, 97.17041920713021366},
     {0.085479656869063582279, -0.12104695310983421028, -0.042481332429713884657}},
    {ABOUT_A("{a: -1200, e: 1.5, i: 0.3, node: 1, periapsis: 2, mean-anomaly: -3}"),
     {2884.5197498840811557, 4020.3386878485530185, -78.893553641111680748},
     {-0.12942688020735373568, -0.11664752060669887443, 0.014193596847783251264}},
    /* nearly a circle */
    {ABOUT_A("{a: 1500, e: 1e-9, i: 0.2, node: 0.5, periapsis: -1, mean-anomaly: 2.5}"),
     {-609.92127854384227786, 1337.7720361724082918, 297.25749245346155847},
     {-0.11658456718209422995, -0.053554276935210649674, 0.0018031705035748520009}},
};

static void read_motion(const ph_scenario *s, const double **z, double *v)
{
    double work[2000];
    *z = ph_scenario_configuration(s);
    ck_assert_uint_le(ph_system_work(ph_scenario_system(s)), 2000);
    tk_ok(ph_system_velocity(ph_scenario_system(s), 0, *z, ph_scenario_momentum(s), v, work));
}

/* A few roundings of the place and the velocity. */
TEST_EACH(elements, sizeof orbits / sizeof orbits[0])
{
    TK_OWN(ph_scenario) *s = io_scenario(orbits[_i].text);
    const double *z;
    double v[21], x_size = 0, v_size = 0;
    read_motion(s, &z, v);
    for (size_t k = 0; k < 3; k++) {
        x_size = fmax(x_size, fabs(orbits[_i].x[k]));
        v_size = fmax(v_size, fabs(orbits[_i].v[k]));
    }
    const double off =
        fmax(tk_max_difference(z, orbits[_i].x, 3) / x_size, tk_max_difference(v, orbits[_i].v, 3) / v_size);
    printf("orbit %d: off by %.1e\n", _i, off);
    ck_assert_double_le(off, 4e-15);
}

/* Orbits about orbits, in any order, and the barycentre brought to rest: digits of 40-digit arithmetic. */
TEST(nested)
{
    static const char text[] =
        "polhode: 1\nmodel: n-body\n" RUN "parameters: {masses: [2e30, 7.3e22, 6e24]}\ninitial:\n"
        "  q: [[0, 0, 0], {a: 3.8e8, e: 0.05, i: 0.09, about: 3, time-of-periapsis: 1e5}, {a: 1.5e11, e: 0.0167}]\n"
        "  barycentre: rest\n";
    static const double x[9] = {-447879.82105295917925, 3.890753290571837923,   0.35111632254517136598,
                                147840128559.51611303,  -106596300.35155368873, -9619654.1340860000409,
                                147494552120.17894704,  3.890753290571837923,   0.35111632254517136598};
    static const double v[9] = {
        -0.000011166504712770958775, -0.092145976390142132945, -3.4101335735988550198e-6,
        305.93255376123553666,       31368.960963149181833,    93.42859736985139223,
        -0.000011166504712770958775, 30333.669771662395936,    -3.4101335735988550198e-6};
    ph_scenario *s = io_scenario(text);
    const double *z;
    double w[9];
    read_motion(s, &z, w);
    /* absolute: roundings of 1.5e11 m and 3e4 m/s */
    ck_assert_double_le(tk_max_difference(z, x, 9), 1e-4);
    ck_assert_double_le(tk_max_difference(w, v, 9), 3e-11);
    /* the Sun's velocity has the digits that its momentum needs: the total is rounding of the planets' momenta */
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_le(fabs(2e30 * w[k] + 7.3e22 * w[3 + k] + 6e24 * w[6 + k]), 1e-15 * 6e24 * 3.2e4);
    ph_scenario_free(s);
    /* with asteroids, too, whose momenta are below a rounding error of the Sun's velocity */
    s = io_scenario("polhode: 1\nmodel: n-body\n" RUN "parameters: {masses: [5e11, 4e9, 2e30]}\ninitial:\n"
                    "  q: [[0, 0, 0], {a: 1190, e: 0.03}, {a: 1.6e11, e: 0.3, about: [1, 2]}]\n"
                    "  barycentre: rest\n");
    read_motion(s, &z, w);
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_le(fabs(5e11 * w[k] + 4e9 * w[3 + k] + 2e30 * w[6 + k]), 1e-14 * 5e11 * 4e4);
    ck_assert_double_eq_tol(z[3] - z[0], 1190 * 0.97, 1e-4);
    ph_scenario_free(s);

    /* about the barycentre of two: that is Kepler motion about their mass */
    s = io_scenario(
        "polhode: 1\nmodel: n-body\n" RUN "parameters: {masses: [3e10, 1e10, 1], G: 1e-10}\n"
        "initial: {q: [[-1, 0, 0], [3, 0, 0], {a: 100, about: [1, 2]}], omega: [[0, 1, 0], [0, 5, 0], orbit]}\n");
    read_motion(s, &z, w);
    ck_assert_double_eq_tol(z[6], 100, 1e-13);
    ck_assert_double_eq_tol(w[7], 2 + sqrt(4e10 * 1e-10 * (1 + 1 / 4e10) / 100), 1e-15);
    ph_scenario_free(s);
}

/* ---- Surfaces from files ---------------------------------------------------------------------------------------- */

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(io_path(name), "w");
    ck_assert_ptr_nonnull(f);
    ck_assert(fputs(text, f) >= 0);
    ck_assert(!fclose(f));
}

static const char octahedron[] = "# a stone\nv 6 0 0\nv -6 0 0\nv 0 7 0\nv 0 -7 0\nv 0 0 5\nv 0 0 -5\n"
                                 "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\n%s\n";

/* What was read is kept with all bits, and needed when the file is gone; without it the scenario cannot be recalled. */
TEST(files)
{
    static const char text[] = PAIR("{density: 2500, mesh: stone.obj, unit: 10}");
    char mesh[400];
    ph_scenario *s = NULL, *again = NULL;
    snprintf(mesh, sizeof mesh, octahedron, "f 1 4 6");
    write_file("stone.obj", mesh);
    write_file("s.yaml", text);
    tk_ok(ph_scenario_load(io_path("s.yaml"), &s, tk_err));
    ck_assert_ptr_nonnull(ph_scenario_kept(s));
    remove(io_path("stone.obj"));
    tk_returns(ph_scenario_load(io_path("s.yaml"), &again, tk_err), PH_E_IO);
    tk_ok(ph_scenario_recall_kept(text, strlen(text), "s", ph_scenario_kept(s), &again, tk_err));
    ck_assert_mem_eq(second(s), second(again), sizeof(ph_mass));
    ck_assert_str_eq(ph_scenario_kept(s), ph_scenario_kept(again));
    ph_scenario_free(again);
    tk_returns(ph_scenario_recall(text, strlen(text), "s", &again, tk_err), PH_E_PARSE);
    tk_refused(ph_scenario_recall_kept(text, strlen(text), "s", "1 2 3\n", &again, tk_err), PH_E_PARSE,
               "has not kept the surface");
    ph_scenario_free(s);

    /* file, line and face of what is wrong: an edge with a face too many */
    snprintf(mesh, sizeof mesh, octahedron, "f 1 4 5");
    write_file("stone.obj", mesh);
    tk_returns(ph_scenario_load(io_path("s.yaml"), &again, tk_err), PH_E_INVALID);
    ck_assert_msg(strstr(tk_err->message, "parameters.bodies[1].mesh: ") &&
                      strstr(tk_err->message, "stone.obj:8: ") && strstr(tk_err->message, "(face 1)"),
                  "%s", tk_err->message);

    /* of two files the key whose file it is */
    write_file("v.csv", "6,0,0\n-6,0,0\n0,7,0\n0,0,5\n");
    static const char *const wrong[] = {"1,3,4\n3,2,4\n4,2,1\n1,2\n", "1,3,4\n3,2,4\n4,2,1\n1,2,4\n"};
    write_file("s.yaml", PAIR("{density: 2500, vertices: v.csv, faces: f.csv}"));
    for (size_t i = 0; i < 2; i++) {
        write_file("f.csv", wrong[i]);
        ck_assert_int_ne(ph_scenario_load(io_path("s.yaml"), &again, tk_err), PH_OK);
        ck_assert_msg(strstr(tk_err->message, "parameters.bodies[1].faces: ") &&
                          strstr(tk_err->message, "f.csv:"),
                      "%s", tk_err->message);
    }
    write_file("v.csv", "6,0\n");
    tk_returns(ph_scenario_load(io_path("s.yaml"), &again, tk_err), PH_E_PARSE);
    ck_assert_msg(strstr(tk_err->message, "parameters.bodies[1].vertices: ") &&
                      strstr(tk_err->message, "v.csv:1: "),
                  "%s", tk_err->message);
}

int main(void)
{
    return tk_run_in("bodies in scenarios", io_make_folder, io_remove_folder);
}
