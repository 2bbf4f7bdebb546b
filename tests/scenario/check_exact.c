/* SPDX-License-Identifier: BSD-3-Clause */
/* Central bodies with an exact field in scenarios: against the polyhedron as it is given, whatever it was shifted and turned by,
 * and against moments of degree 8 far away; an orbit within the sphere that holds the body, where the series is wrong; what is
 * kept when the file is gone; what is refused and where. */
#include "tests/kit/iokit.h"

#include <polhode/domain/gravitation.h>
#include <polhode/kit/vector.h>
#include <polhode/scenario.h>

#include <math.h>
#include <stdio.h>

#define RUN "method: {name: variational, order: 8}\nstep: 10\nsteps: 2\n"
/* A stone without symmetry, whose centre of mass is not in the origin: corners [10 m] and faces. */
#define CORNERS "[[60, 4, 0], [-51, 0, 3], [0, 44, -2], [7, -38, 0], [0, 5, 35], [-6, 0, -33]]"
#define FACES "[[1, 3, 5], [3, 2, 5], [2, 4, 5], [4, 1, 5], [3, 1, 6], [2, 3, 6], [4, 2, 6], [1, 4, 6]]"
#define INSIDE_OUT "[[3, 1, 5], [2, 3, 5], [4, 2, 5], [1, 4, 5], [1, 3, 6], [3, 2, 6], [2, 4, 6], [4, 1, 6]]"
static const double stone[18] = {600, 40, 0, -510, 0, 30, 0, 440, -20, 70, -380, 0, 0, 50, 350, -60, 0, -330};
static const double octahedron[18] = {600, 0, 0, -600, 0, 0, 0, 440, 0, 0, -440, 0, 0, 0, 350, 0, 0, -350};
static const uint32_t faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};

#define NEAR(center, more)                                                                                   \
    "polhode: 1\nmodel: spacecraft\n" RUN "initial: {q: [[9000, 0, 0]]}\n"                                   \
    "parameters:\n  order: 8\n" more "  bodies:\n    - " center "\n    - {mass: 500}\n"

static const ph_gravitation *gravitation(const ph_scenario *s)
{
    return ph_system_gravitation(ph_scenario_system(s));
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(io_path(name), "w");
    ck_assert_ptr_nonnull(f);
    ck_assert(fputs(text, f) >= 0);
    ck_assert(!fclose(f));
}

static const char obj[] = "v 60 4 0\nv -51 0 3\nv 0 44 -2\nv 7 -38 0\nv 0 5 35\nv -6 0 -33\n"
                          "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
static const char table[] = "60, 4, 0\n-51, 0, 3\n0, 44, -2\n7, -38, 0\n0, 5, 35\n-6, 0, -33\n";
static const char triangles[] = "1, 3, 5\n3, 2, 5\n2, 4, 5\n4, 1, 5\n3, 1, 6\n2, 3, 6\n4, 2, 6\n1, 4, 6\n";

/* ---- The field ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    const double *vertex;
    double mass; /* 0: of the density 2000 kg/m^3 */
    bool principal, turned;
} fields[] = {
    {NEAR("{density: 2000, octahedron: [60, 44, 35], unit: 10, field: exact}", ""), octahedron, 0, false,
     false},
    {NEAR("{density: 2000, unit: 10, vertices: " CORNERS ", faces: " FACES ", field: exact}", ""), stone, 0,
     false, false},
    {NEAR("{mass: 3e11, unit: 10, vertices: " CORNERS ", faces: " INSIDE_OUT
          ", field: exact, axes: principal}",
          "  attitude: [3, 1, -2, 0.5]\n"),
     stone, 3e11, true, true},
    {NEAR("{density: 2000, unit: 10, mesh: stone.obj, field: exact, axes: principal}", ""), stone, 0, true,
     false},
    {NEAR("{mass: 3e11, unit: 10, vertices: v.csv, faces: f.csv, field: exact}",
          "  attitude: [3, 1, -2, 0.5]\n"),
     stone, 3e11, false, true},
};

static ph_scenario *load_field(const char *text)
{
    ph_scenario *s = NULL;
    write_file("stone.obj", obj);
    write_file("v.csv", table);
    write_file("f.csv", triangles);
    write_file("s.yaml", text);
    tk_ok(ph_scenario_load(io_path("s.yaml"), &s, tk_err));
    return s;
}

/* The rotation of (3, 1, -2, 0.5), whose square is 14.25: ((w^2 - u^2) 1 + 2 u u^T + 2 w S(u))/14.25. */
static const double attitude[9] = {5.75 / 14.25, -7 / 14.25, -11 / 14.25, -1 / 14.25,  11.75 / 14.25,
                                   -8 / 14.25,   13 / 14.25, 4. / 14.25,  4.25 / 14.25};

/* The polyhedron stays as it is given, and the point is taken to its frame: close to the surface, on a corner of the
 * circumscribed sphere, far away. */
TEST_EACH(as_the_polyhedron, sizeof fields / sizeof fields[0])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double places[][3] = {{110, 370, 60}, {-80, -60, 340}, {420, -390, 100}, {9000, 500, -2000}};
    const ph_mesh mesh = {6, fields[_i].vertex, 8, faces};
    TK_OWN(ph_scenario) *s = load_field(fields[_i].text);
    ph_mass body, one;
    double center[3], P[9], moments[3], worst = 0;
    tk_ok(ph_mass_polyhedron(&mesh, 1, &one, NULL, NULL));
    const double density = fields[_i].mass > 0 ? fields[_i].mass / one.moment[0] : 2000;
    tk_ok(ph_mass_polyhedron(&mesh, density, &body, NULL, NULL));
    TK_MAKE(ph_polyhedron, field, ph_polyhedron_create(&mesh, density, &field, NULL));
    ph_mass_center(&body, center);
    memcpy(P, identity, sizeof P);
    if (fields[_i].principal)
        ph_mass_principal(&body, P, moments);
    const ph_gravitation *g = gravitation(s);
    ck_assert_ptr_nonnull(ph_gravitation_central_exact(g));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        double own[3], given[3], U, expected[3], on_given[3], on_own[3], force[3], torque[3], U1, inside;
        ph_apply_transposed3(fields[_i].turned ? attitude : identity, places[i], own);
        ph_apply3(P, own, given);
        for (size_t k = 0; k < 3; k++)
            given[k] += center[k];
        ph_polyhedron_attract(field, PH_GRAVITY_CONSTANT, 500, given, &U, on_given, &inside);
        ck_assert_double_le(fabs(inside), 1e-12);
        ph_apply_transposed3(P, on_given, on_own);
        ph_apply3(fields[_i].turned ? attitude : identity, on_own, expected);
        ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, places[i], force, torque, &U1);
        worst = fmax(worst, fabs(U1 / U - 1));
        worst = fmax(worst, tk_max_difference(force, expected, 3) / ph_norm3(expected));
    }
    printf("field %d: off by %.1e\n", _i, worst);
    /* far away the force/(G rho m) = V/r^2 is 1.4 m, by 20 terms of up to 600 m, as much as 430 of their roundings each */
    ck_assert_double_le(worst, 1e-12);
}

/* Twelve radii away the moments of degree 8 leave out terms of (1/12)^9 and less; what else there is are roundings of the exact
 * sums, as above. At the surface they are wrong by per cents. */
TEST(against_moments)
{
    static const double far[3] = {5200, -4100, 3000}, close[3] = {110, 370, 60};
    TK_OWN(ph_scenario) *a = io_scenario(
        NEAR("{mass: 3e11, unit: 10, vertices: " CORNERS ", faces: " FACES ", field: exact}", ""));
    TK_OWN(ph_scenario) *b = io_scenario(
        NEAR("{mass: 3e11, unit: 10, vertices: " CORNERS ", faces: " FACES ", field: moments}", ""));
    double force[2][3], torque[3], U[2];
    ck_assert_ptr_null(ph_gravitation_central_exact(gravitation(b)));
    ph_gravitation_forces(gravitation(a), PH_ATTRACT_ALL, 0, far, force[0], torque, &U[0]);
    ph_gravitation_forces(gravitation(b), PH_ATTRACT_ALL, 0, far, force[1], torque, &U[1]);
    printf("far away: U %.1e, force %.1e\n", fabs(U[0] / U[1] - 1),
           tk_max_difference(force[0], force[1], 3) / ph_norm3(force[1]));
    ck_assert_double_le(fabs(U[0] / U[1] - 1), 1e-10);
    ck_assert_double_le(tk_max_difference(force[0], force[1], 3), 2e-10 * ph_norm3(force[1]));
    ph_gravitation_forces(gravitation(a), PH_ATTRACT_ALL, 0, close, force[0], torque, &U[0]);
    ph_gravitation_forces(gravitation(b), PH_ATTRACT_ALL, 0, close, force[1], torque, &U[1]);
    const double off = tk_max_difference(force[0], force[1], 3) / ph_norm3(force[0]);
    printf("close to the surface: force %.1e\n", off);
    ck_assert_double_gt(off, 1e-2);
}

/* ---- An orbit near the surface ------------------------------------------------------------------------------- */

/* About the long axis, about which the body turns, within the sphere that holds it. The axis is fixed in space, so that
 * E - w . L is conserved, L the angular momentum of the craft; E is not. */
TEST(close_orbit)
{
    static const char text[] =
        "polhode: 1\nmodel: spacecraft\nmethod: {name: variational, order: 8}\nstep: 5\nsteps: 2\n"
        "parameters:\n  order: 2\n  spin: [7e-4, 0, 0]\n  attitude: [3, 1, -2, 0.5]\n  bodies:\n"
        "    - {mass: 3e11, unit: 10, vertices: " CORNERS ", faces: " FACES ", field: exact}\n"
        "    - {mass: 500, half-axes: [1.2, 1, 0.8]}\n"
        "initial: {q: [[420, 0, 0], [1, 0, 0, 0]], omega: [[0, 0.2, 0], [0, 0, 1e-3]]}\n";
    enum { STEPS = 3000 };
    TK_OWN(ph_scenario) *s = io_scenario(text);
    const ph_system *system = ph_scenario_system(s);
    const ph_gravitation *g = ph_system_gravitation(system);
    ph_measures m;
    double axis[3], first = 0, first_E = 0, worst = 0, change = 0, near = INFINITY, far = 0;
    const double spin[3] = {7e-4, 0, 0}, start[3] = {0, 0, 420};
    double z[12], v[12] = {0}, x[3], turned[3];
    memcpy(z, ph_scenario_configuration(s), sizeof z);
    ph_apply3(attitude, start, z);
    /* as fast as on a circle, against the turn of the body */
    double force[3], torque[3], ahead[3] = {0, 0, 0};
    ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, z, force, torque, NULL);
    ahead[1] = sqrt(420 * ph_norm3(force) / 500);
    ph_apply3(attitude, ahead, v);
    ph_apply3(attitude, spin, axis);
    const ph_setting order = {"order", "8"};
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(system, ph_method_find("variational", NULL), 5, &order, 1, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    for (int k = 0; k <= STEPS; k++) {
        double L[3], R[9], U, inside;
        tk_ok(ph_diagnostics_measure(d, state, &m));
        ph_cross3(state->z, state->p, L);
        ph_apply3(state->z + 3, state->p + 3, turned);
        for (size_t i = 0; i < 3; i++)
            L[i] += turned[i];
        const double J = m.energy - ph_dot3(axis, L);
        first = k ? first : J;
        first_E = k ? first_E : m.energy;
        worst = fmax(worst, fabs(J - first));
        change = fmax(change, fabs(m.energy - first_E));
        near = fmin(near, ph_norm3(state->z));
        far = fmax(far, ph_norm3(state->z));
        ph_gravitation_central_attitude(g, state->t, R);
        ph_apply_transposed3(R, state->z, x);
        ph_polyhedron_attract(ph_gravitation_central_exact(g), 1, 1, x, &U, NULL, &inside);
        ck_assert_msg(inside < 0.5, "it has hit the body after %d steps", k);
        if (k < STEPS)
            tk_ok(ph_integrator_step(it, state, 1));
    }
    printf("from %.0f to %.0f m, sphere of %.0f m: E - w.L changes by %.1e, E by %.1e of %.1e J\n", near, far,
           ph_gravitation_central(g)->radius, worst, change, fabs(first_E));
    ck_assert_double_lt(far, ph_gravitation_central(g)->radius);
    ck_assert_double_gt(change, 1e-3 * fabs(first_E));
    ck_assert_double_le(worst, 1e-12 * fabs(first_E)); /* 63 000 stages, whose roundings walk */
}

/* ---- What is kept ---------------------------------------------------------------------------------------------- */

/* All bits of the field stay when the files are gone; a moment or a corner that is missing is found. */
TEST_EACH(kept, sizeof fields / sizeof fields[0] - 3)
{
    const char *text = fields[3 + _i].text;
    static const double place[3] = {110, 370, 60};
    double force[2][3], torque[3], U[2];
    ph_scenario *s = load_field(text), *again = NULL;
    remove(io_path("stone.obj"));
    remove(io_path("v.csv"));
    remove(io_path("f.csv"));
    tk_returns(ph_scenario_load(io_path("s.yaml"), &again, tk_err), PH_E_IO);
    tk_ok(ph_scenario_recall_kept(text, strlen(text), "s", ph_scenario_kept(s), &again, tk_err));
    ck_assert_str_eq(ph_scenario_kept(s), ph_scenario_kept(again));
    ph_gravitation_forces(gravitation(s), PH_ATTRACT_ALL, 0, place, force[0], torque, &U[0]);
    ph_gravitation_forces(gravitation(again), PH_ATTRACT_ALL, 0, place, force[1], torque, &U[1]);
    ck_assert_mem_eq(force[0], force[1], sizeof force[0]);
    ck_assert_double_eq(U[0], U[1]);
    ph_scenario_free(again);

    char *less = strdup(ph_scenario_kept(s)), *line = strchr(less, '\n');
    ck_assert_ptr_nonnull(line);
    *strrchr(less, ' ') = '\0'; /* the last number */
    tk_returns(ph_scenario_recall_kept(text, strlen(text), "s", less, &again, tk_err), PH_E_PARSE);
    line[1] = '\0'; /* the surface */
    tk_refused(ph_scenario_recall_kept(text, strlen(text), "s", less, &again, tk_err), PH_E_PARSE,
               "has not kept the surface");
    char wrong[4000]; /* more corners than there are numbers */
    snprintf(wrong, sizeof wrong, "%s1e9 8 1 2 3\n", less);
    tk_returns(ph_scenario_recall_kept(text, strlen(text), "s", wrong, &again, tk_err), PH_E_PARSE);
    free(less);
    ph_scenario_free(s);
}

/* ---- What is refused -------------------------------------------------------------------------------------------- */

#define OTHER(model, body)                                                                                   \
    "polhode: 1\nmodel: " model "\n" RUN "initial: {q: [[9000, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]}\n"        \
    "parameters:\n  bodies:\n    - {mass: 1e10, radius: 100}\n    - " body "\n"
#define EXACT "{density: 2000, octahedron: [60, 44, 35], field: exact}"

static const struct {
    const char *text, *start, *advice;
    ph_status status;
} bad[] = {
    {NEAR("{mass: 3e11, octahedron: [600, 440, 350], field: exakt}", ""),
     "10:56: parameters.bodies[0].field: is \"exakt\"", "moments or exact", PH_E_RANGE},
    {NEAR("{mass: 3e11, octahedron: [600, 440, 350], field: 3}", ""), "10:56: parameters.bodies[0].field: is",
     "moments or exact", PH_E_RANGE},
    {NEAR("{mass: 3e11, half-axes: [600, 440, 350], field: exact}", ""),
     "10:55: parameters.bodies[0].field: is exact, which needs a closed surface", "leave it out", PH_E_PARSE},
    {NEAR("{mass: 3e11, field: exact}", ""), "10:27: parameters.bodies[0].field: is exact, which needs", "",
     PH_E_PARSE},
    {NEAR("{parts: [{mass: 3e11, octahedron: [600, 440, 350], field: exact}]}", ""),
     "10:65: parameters.bodies[0].parts[0].field: has no meaning for a part", "as one mesh", PH_E_PARSE},
    {OTHER("binary", EXACT), "10:56: parameters.bodies[1].field: the field of body 2 cannot be exact",
     "the order up to 8, or take the model spacecraft", PH_E_INVALID},
    {OTHER("rigid-n-body", EXACT), "10:56: parameters.bodies[1].field: the field of body 2 cannot be exact",
     "leave \"field\" out", PH_E_INVALID},
    {OTHER("spacecraft", EXACT), "10:56: parameters.bodies[1].field: the field of body 2 cannot be exact",
     "with this body as the first", PH_E_INVALID},
    /* a corner in the middle of an edge: a face without area, which moments can have */
    {NEAR(
         "{mass: 3e11, vertices: [[6, 0, 0], [-6, 0, 0], [0, 7, 0], [0, 0, 5], [0, 0, 0]], faces: [[1, 3, 4], "
         "[3, 2, 4], [4, 2, 5], [4, 5, 1], [2, 3, 1], [5, 2, 1]], field: exact}",
         "  G: 1\n"),
     "11:170: parameters.bodies[0].field: body 1 has no exact field: face 6 has no area", "", PH_E_INVALID},
    {NEAR("{mass: 3e11, octahedron: [600, 440, 350]}", "  attitude: [0, 0, 0, 0]\n"),
     "9:13: parameters.attitude: attitude is 0", "[1, 0, 0, 0]", PH_E_RANGE},
    {NEAR("{mass: 3e11, octahedron: [600, 440, 350]}", "  attitude: [1, 0, 0]\n"),
     "9:13: parameters.attitude: attitude has 3 numbers", "[w, x, y, z]", PH_E_SIZE},
};

TEST_EACH(refused, sizeof bad / sizeof bad[0])
{
    ph_scenario *s;
    char start[300];
    const ph_status status = io_parse(bad[_i].text, &s, tk_err);
    ck_assert_msg(status == bad[_i].status, "%s: %s: %s", bad[_i].text, ph_status_name(status),
                  tk_err->message);
    snprintf(start, sizeof start, "t.yaml:%s", bad[_i].start);
    ck_assert_msg(!strncmp(tk_err->message, start, strlen(start)), "%s\n%s", tk_err->message, bad[_i].start);
    ck_assert_msg(strstr(tk_err->message, bad[_i].advice), "%s", tk_err->message);
}

int main(void)
{
    return tk_run_in("exact fields in scenarios", io_make_folder, io_remove_folder);
}
