/* SPDX-License-Identifier: BSD-3-Clause */
/* GUBAS's files: a configuration, an ic_input.txt and a pair of Fahnestock's with the same case; mistakes in
 * them; numbers as Python prints them; the tables. */
#include <polhode/gubas.h>

#include "tests/kit/testkit.h"

#include <dirent.h>
#include <unistd.h>

static char folder[200];

static void make_place(void)
{
    tk_make_folder(folder, sizeof folder, 1 << 20);
}

/* With all that was written there. */
static void remove_folder(const char *name)
{
    DIR *open = opendir(name);
    for (struct dirent *entry; open && (entry = readdir(open));) {
        char path[600];
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        if (unlink(path))
            remove_folder(path);
    }
    if (open)
        closedir(open);
    rmdir(name);
}

static void remove_place(void)
{
    remove_folder(folder);
}

static const char *put(const char *name, const char *text)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
    return path;
}

/* text with `old` replaced by `by`. */
static const char *with(const char *text, const char *old, const char *by)
{
    static char to[8192];
    const char *at = strstr(text, old);
    ck_assert_ptr_nonnull(at);
    snprintf(to, sizeof to, "%.*s%s%s", (int)(at - text), text, by, at + strlen(old));
    return to;
}

/* What remarks were made, a line each. */
typedef struct remarks {
    char text[4096];
} remarks;

static void keep(void *to, const char *text)
{
    remarks *r = to;
    const size_t used = strlen(r->text);
    snprintf(r->text + used, sizeof r->text - used, "%s\n", text);
}

static const char config[] =
    "# a comment\n; and another\n[Gravity Parameter]\nG: 6.67e-11\n\n[Initial Conditions]\n"
    "Fahnestock Input File Flag: 0\n"
    "Relative Position X: 1200.0\nRelative Position Y: 5.\nRelative Position Z = -3.\r\n"
    "relative velocity x: 0.01\nRelative Velocity Y: 0.17\nRelative Velocity Z: 0.02\n"
    "Primary Angular Velocity X: 1e-5\nPrimary Angular Velocity Y: 2e-5\nPrimary Angular Velocity Z: 7e-4\n"
    "Secondary Angular Velocity X: 3e-5\nSecondary Angular Velocity Y: 4e-5\nSecondary Angular Velocity Z: 1e-4\n"
    "B into A (1,1): 1.0\nB into A (1,2): 0.0\nB into A (1,3): 0.0\nB into A (2,1): 0.0\nB into A (2,2): 1.0\n"
    "B into A (2,3): 0.0\nB into A (3,1): 0.0\nB into A (3,2): 0.0\nB into A (3,3): 1.0\n"
    "B into A Euler Flag: 1\nB into A Euler 1 X: 0.3\nB into A Euler 2 Y: -0.2\nB into A Euler 3 Z: 0.5\n"
    "A into N (1,1): 0.0\nA into N (1,2): -1.0\nA into N (1,3): 0.0\nA into N (2,1): 1.0\nA into N (2,2): 0.0\n"
    "A into N (2,3): 0.0\nA into N (3,1): 0.0\nA into N (3,2): 0.0\nA into N (3,3): 1.0\n"
    "A into N Euler Flag: no\nA into N Euler 1 X: 0.\nA into N Euler 2 Y: 0.\nA into N Euler 3 Z: 0.\n"
    "[Integration Settings]\nStart Time: 0.0\nFinal Time: 7200.\nIntegrator Flag: 1\nFixed Time Step: 30.\n"
    "Absolute Tolerance: 1.e-15\n[Output Settings]\nPost Processing: 1\nFixed Output Frequency: 3600.\n"
    "Specified Time List Filename: filler.csv\nCase Name: Test\n"
    "[Body Model Definitions]\nInertia Integral Generation Flag: 1\nPrimary Shape Flag: 1\nSecondary Shape Flag: 0\n"
    "Primary Semi-Major Axis: 500\nPrimary Semi-Intermediate Axis: 450\nPrimary Semi-Minor Axis: 400\n"
    "Secondary Semi-Major Axis: 103.16\nSecondary Semi-Intermediate Axis: 79.35\nSecondary Semi-Minor Axis: 66.13\n"
    "Primary Vertex File: A_vert.csv\nPrimary Tetrahedron File: A_facet.csv\n"
    "Secondary Vertex File: B_vert.csv\nSecondary Tetrahedron File: B_facet.csv\n"
    "Primary Density: 2.2\nSecondary Density: 2.1\n[Mutual Gravity Expansion Parameters]\n"
    "Gravity Expansion Truncation Order: 2\nPrimary Inertia Integral Truncation Order: 4\n"
    "Secondary Inertia Integral Truncation Order: 3\n[Additional Forces and Perturbations]\n"
    "Flyby: 1\nPlanetary Mass: 5.9722e24\nSemimajor Axis: -1.1072e+04\nEccentricity: 9.1284\nInclination: 0.1\nRAAN: 0.2\n"
    "Argument of Periapsis: 0.3\nFlyby Time: 3600.0\n"
    "Heliocentric Orbit: 1\nSun Mass: 1.989e+30\nHeliocentric Semimajor Axis: 246013901.32\n"
    "Heliocentric Eccentricity: 0.38\nHeliocentric Inclination: 0.05\nHeliocentric RAAN: 1.2\n"
    "Heliocentric Argument of Periapsis: 5.5\nTime of periapsis passage: 2582993.1\n"
    "Solar Gravity: 1\nSolar Orbit Radius: 1.5\nAU Definition: 149597870700.\nSolar Mass: 1.988e30\n"
    "Tidal Torque: 1\nPrimary Love Number: 1.e-5\nSecondary Love Number: 2.e-5\nPrimary Reference Radius: 660.\n"
    "Secondary Reference Radius: 225.\nPrimary Tidal Lag Angle: .005\nSecondary Tidal Lag Angle: .006\n";

/* Rx(0.3) Ry(-0.2) Rz(0.5), from its factors. */
static void turning(double R[9])
{
    const double a[3] = {0.3, -0.2, 0.5};
    double made[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int n = 0; n < 3; n++) {
        const int i = (n + 1) % 3, j = (n + 2) % 3;
        double factor[9] = {0}, product[9] = {0};
        factor[4 * n] = 1;
        factor[4 * i] = factor[4 * j] = cos(a[n]);
        factor[3 * i + j] = -sin(a[n]);
        factor[3 * j + i] = sin(a[n]);
        for (int p = 0; p < 9; p++)
            for (int k = 0; k < 3; k++)
                product[p] += made[p / 3 * 3 + k] * factor[3 * k + p % 3];
        memcpy(made, product, sizeof made);
    }
    memcpy(R, made, sizeof made);
}

static void check_values(const ph_gubas_case *c)
{
    double R[9], omega[3];
    const double own[3] = {3e-5, 4e-5, 1e-4}, tolerance = 1e-13; /* of products with units */
    turning(R);
    for (int i = 0; i < 3; i++)
        omega[i] = R[3 * i] * own[0] + R[3 * i + 1] * own[1] + R[3 * i + 2] * own[2];
    ck_assert_double_eq_tol(c->G / 6.67e-11, 1, tolerance);
    ck_assert_uint_eq(c->order, 4);
    ck_assert_double_eq_tol(c->state.r[0], 1200, tolerance * 1200);
    ck_assert_double_eq_tol(c->state.r[2], -3, tolerance);
    ck_assert_double_eq_tol(c->state.v[0], 0.01, tolerance);
    ck_assert_double_eq_tol(c->state.omega_a[1], 2e-5, 1e-17);
    ck_assert(tk_max_difference(c->state.C, R, 9) < 1e-15);
    ck_assert(tk_max_difference(c->state.omega_b, omega, 3) < 1e-18);
    ck_assert(c->state.Cc[1] == -1 && c->state.Cc[3] == 1 && c->state.Cc[8] == 1);
    ck_assert(c->body[0].shape == PH_GUBAS_ELLIPSOID && c->body[1].shape == PH_GUBAS_SPHERE);
    ck_assert_uint_eq(c->body[1].order, 3);
    ck_assert(c->body[0].half_axes[2] == 400);
    ck_assert(c->body[1].half_axes[2] == 103.16);
    ck_assert_double_eq_tol(c->body[0].density, 2200, 1e-10);
    ck_assert_str_eq(c->body[1].faces, "B_facet.csv");
    ck_assert(c->start == 0 && c->end == 7200 && c->step == 30 && c->integrator == PH_GUBAS_RK4);
    ck_assert(c->planet.on && c->sun.on && c->hill && c->tides && !c->read_integrals && c->tables);
    ck_assert_double_eq_tol(c->planet.semimajor_axis, -11072e3, 1e-6);
    ck_assert(c->planet.argument == 0.3);
    ck_assert(c->sun.mass == 1.988e30); /* "Solar Mass" */
    ck_assert(c->sun.periapsis == 2582993.1);
    ck_assert(c->hill_mass == 1.989e30); /* "Sun Mass" */
    ck_assert_double_eq_tol(c->hill_radius / 2.243968060500e11, 1, tolerance);
    ck_assert(c->body[1].love == 2e-5 && c->body[0].reference == 660 && c->body[1].lag == .006);
}

START_TEST(configuration)
{
    ph_gubas_case c;
    remarks r = {{0}};
    put("hou_config.cfg", config);
    tk_ok(ph_gubas_read(folder, &c, keep, &r, NULL));
    check_values(&c);
    ck_assert_uint_eq(c.asked_order, 2);
    ck_assert(c.interval == 3600);
    ck_assert_str_eq(c.name, "Test");
    ck_assert_str_eq(r.text, "");
    ck_assert(!strncmp(c.folder, folder, strlen(folder)) && c.folder[strlen(folder)] == '/');
}
END_TEST

/* The same case in the form for GUBAS's integrator. */
START_TEST(input)
{
    static const char head[] =
        "6.6700000000000005e-20\n4\n4\n3\n500\n450\n400\n103.16\n103.16\n103.16\n1\n0\n2200000000000.0\n2100000000000.0\n0.0\n"
        "7200.0\nTDP_4.mat\nTDS_4.mat\nIDP.mat\nIDS.mat\nA_facet.csv\nA_vert.csv\nB_facet.csv\nB_vert.csv\n"
        "1.2\n0.005\n-0.003\n1e-05\n0.00017\n2e-05\n1e-05\n2e-05\n0.0007\n";
    static const char tail[] =
        "1\n1\n30.0\n1e-15\n1\n1\n1\n1\n5.9722e+24\n-11072.0\n9.1284\n0.1\n0.2\n0.3\n3600.0\n1.988e+30\n246013901.32\n0.38\n"
        "0.05\n1.2\n5.5\n2582993.1\n1.5\n149597870.7\n1e-05\n2e-05\n660.0\n225.0\n0.005\n0.006\n1.989e+30\n";
    char text[8192];
    double R[9];
    ph_gubas_case c;
    ph_error err = {0};
    turning(R);
    size_t n = (size_t)snprintf(text, sizeof text, "%s", head);
    const double own[3] = {3e-5, 4e-5, 1e-4};
    for (int i = 0; i < 3; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%.17g\n",
                              R[3 * i] * own[0] + R[3 * i + 1] * own[1] + R[3 * i + 2] * own[2]);
    n += (size_t)snprintf(text + n, sizeof text - n, "0.0\n-1.0\n0.0\n1.0\n0.0\n0.0\n0.0\n0.0\n1.0\n");
    for (int i = 0; i < 9; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%.17g\n", R[i]);
    snprintf(text + n, sizeof text - n, "%s", tail);
    put("ic_input.txt", text);
    tk_ok(ph_gubas_read(folder, &c, NULL, NULL, NULL));
    check_values(&c);
    ck_assert(c.interval == 0);
    /* mistakes name the line */
    put("ic_input.txt", with(text, "\n450\n", "\nx450\n"));
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, NULL, &err), PH_E_PARSE);
    ck_assert_ptr_nonnull(
        strstr(err.message, "ic_input.txt:6: the second axis of A is \"x450\"; a number is expected"));
    put("ic_input.txt", with(text, "\n1.989e+30\n", "\n"));
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, NULL, &err), PH_E_PARSE);
    ck_assert_ptr_nonnull(strstr(err.message, "has 84 lines with a value each; GUBAS writes 85, its"));
    put("ic_input.txt", with(text, "\n1.989e+30\n", "\n1.989e+30\n7\n"));
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, NULL, &err), PH_E_PARSE);
    ck_assert_ptr_nonnull(strstr(err.message, "has 86 lines with a value each"));
    put("ic_input.txt", with(text, "\n400\n103.16\n", "\n-400\n103.16\n"));
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, NULL, &err), PH_E_RANGE);

    /* 69 lines of the branch Perturbed-Model: no flyby, no heliocentric orbit; 77 of 3-Body: no heliocentric orbit */
    static const char suns[] = "1.988e+30\n246013901.32\n0.38\n0.05\n1.2\n5.5\n2582993.1\n",
                      planets[] = "1\n1\n5.9722e+24\n-11072.0\n9.1284\n0.1\n0.2\n0.3\n3600.0\n";
    for (int branch = 0; branch < 2; branch++) {
        snprintf(text, sizeof text, "%s", with(text, branch ? planets : suns, ""));
        if (!branch)
            snprintf(text, sizeof text, "%s", with(text, "1e-15\n1\n1\n1\n1\n", "1e-15\n1\n1\n1\n"));
        else
            snprintf(text, sizeof text, "%s", with(text, "1e-15\n1\n", "1e-15\n1\n1\n"));
        put("ic_input.txt", text);
        err.message[0] = '\0';
        ck_assert_msg(!ph_gubas_read(folder, &c, NULL, NULL, &err), "%s", err.message);
        ck_assert(!c.sun.on && c.planet.on == !branch && c.hill && c.tides);
        ck_assert(branch || (c.planet.mass == 5.9722e24 && c.planet.periapsis == 3600));
        ck_assert_double_eq_tol(c.hill_radius / (1.5 * 149597870700.), 1, 1e-15);
        ck_assert(c.hill_mass == 1.989e30 && c.body[0].love == 1e-5 && c.body[1].lag == 0.006);
        ck_assert(c.state.Cc[3] == 1);
    }
    put("ic_input.txt", with(text, "\n1.989e+30\n", "\n"));
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, NULL, &err), PH_E_PARSE);
    ck_assert_msg(
        strstr(
            err.message,
            "has 68 lines with a value each; GUBAS writes 85, its branches 3-Body and Perturbed-Model 77 and 69"),
        "%s", err.message);
}
END_TEST

/* config without what stands from `from` on to before `to`. */
static const char *cut_out(const char *text, const char *from, const char *to)
{
    static char made[8192];
    const char *at = strstr(text, from), *behind = strstr(text, to);
    ck_assert(at && behind && at < behind);
    snprintf(made, sizeof made, "%.*s%s", (int)(at - text), text, behind);
    return made;
}

/* Where there is no "Sun Mass", "Solar Mass" is that of the circular Sun. */
START_TEST(branches)
{
    static const struct {
        const char *from, *old, *by, *says;
        bool planet, sun;
    } of[] = {{"Flyby: 1", "", "",
               "branch Perturbed-Model: \"Solar Mass\" is the mass of the Sun on a circle", false, false},
              {"Heliocentric Orbit", "", "", "branch 3-Body: \"Solar Mass\"", true, false},
              {NULL, "Sun Mass", "Solar Mass", "\"Solar Mass\" is there twice, as in GUBAS's branch Legacy",
               true, true}};
    for (size_t i = 0; i < 3; i++) {
        ph_gubas_case c;
        remarks r = {{0}};
        put("hou_config.cfg",
            of[i].from ? cut_out(config, of[i].from, "Solar Gravity") : with(config, of[i].old, of[i].by));
        tk_ok(ph_gubas_read(folder, &c, keep, &r, NULL));
        ck_assert(c.hill && c.hill_mass == 1.988e30 && c.planet.on == of[i].planet && c.sun.on == of[i].sun);
        ck_assert(!c.sun.on || c.sun.mass == 1.988e30); /* the last one, as Python 2 takes it */
        ck_assert_msg(strstr(r.text, of[i].says), "%s", r.text);
        ck_assert_msg(!strstr(r.text, "GUBAS needs all of them"), "%s", r.text);
        ck_assert(!of[i].from == !strstr(r.text, "in the axes of A, here it is in those of B"));
        ck_assert(!of[i].from == !strstr(r.text, "exchanges the matrices"));
    }
}
END_TEST

/* Momenta of Fahnestock's files, by tensors with products of inertia, become GUBAS's angular velocities. */
START_TEST(fahnestock)
{
    const double J[2][9] = {{3, .1, .2, .1, 4, .3, .2, .3, 5}, {2, 0, .1, 0, 1.5, 0, .1, 0, 2.5}};
    double R[9], L[3], back[3], text_L[2][3];
    const double wa[3] = {.1, -.2, .3}, wb[3] = {-.4, .5, .6}; /* of B in its own axes */
    char text[2048];
    ph_gubas_case c;
    turning(R);
    for (int i = 0; i < 3; i++) {
        text_L[0][i] = J[0][3 * i] * wa[0] + J[0][3 * i + 1] * wa[1] + J[0][3 * i + 2] * wa[2];
        L[i] = J[1][3 * i] * wb[0] + J[1][3 * i + 1] * wb[1] + J[1][3 * i + 2] * wb[2];
    }
    for (int i = 0; i < 3; i++) {
        text_L[1][i] = R[3 * i] * L[0] + R[3 * i + 1] * L[1] + R[3 * i + 2] * L[2];
        back[i] = R[3 * i] * wb[0] + R[3 * i + 1] * wb[1] + R[3 * i + 2] * wb[2];
    }
    size_t n = (size_t)snprintf(text, sizeof text, "2000 2100 1e6 1e5 ");
    for (int i = 0; i < 18; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %.17g", J[i / 9][i % 9]);
    snprintf(text + n, sizeof text - n, "  5e11  5e9  4e9  0 0 0 0 0 0  6.674e-11 1 2 3\n");
    put("systemdata_standard_MKS_units", text);
    n = (size_t)snprintf(text, sizeof text, "1200 1 2  4e7 8e8 -4e8");
    for (int i = 0; i < 6; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %.17g", text_L[i / 3][i % 3]);
    for (int i = 0; i < 9; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %.17g", R[i]);
    for (int i = 0; i < 9; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %.17g", R[i % 3 * 3 + i / 3]);
    put("initstate_standard_MKS_units", text);
    put("hou_config.cfg", with(config, "File Flag: 0", "File Flag: 1"));
    tk_ok(ph_gubas_read(folder, &c, NULL, NULL, NULL));
    ck_assert(c.G == 6.674e-11 && c.body[0].density == 2000 && c.body[1].density == 2100);
    ck_assert(c.state.r[0] == 1200 && c.state.r[2] == 2);
    ck_assert_double_eq_tol(c.state.v[1], 0.2, 1e-16);
    ck_assert(tk_max_difference(c.state.omega_a, wa, 3) < 1e-15);
    ck_assert(tk_max_difference(c.state.omega_b, back, 3) < 1e-15);
    ck_assert(tk_max_difference(c.state.C, R, 9) < 1e-15 && tk_max_difference(c.state.Cc, R, 9) < 1e-15);
    ck_assert(c.body[0].half_axes[0] == 500); /* shapes come from the configuration */
    /* a file that is too short */
    ph_error err = {0};
    put("initstate_standard_MKS_units", "1 2 3\n");
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, NULL, &err), PH_E_PARSE);
    ck_assert_ptr_nonnull(strstr(err.message, "has 3 numbers; it needs at least 30"));
}
END_TEST

static const struct {
    const char *old, *by;
    ph_status status; /* PH_OK: a remark */
    const char *text;
} faults[] = {
    {"Primary Density: 2.2", "Primary Density: 2,2", PH_E_PARSE,
     "Primary Density is \"2,2\"; a number is expected"},
    {"Fixed Time Step: 30.", "Fixed Time Step: 30. # s", PH_E_PARSE, "a comment needs a separate line"},
    {"Fixed Time Step: 30.\n", "", PH_E_PARSE, "[Integration Settings] has no Fixed Time Step"},
    {"Fixed Time Step: 30.", "Fixed Time Step: -30.", PH_E_RANGE,
     "the time step is -30; it must be positive"},
    {"Fixed Time Step: 30.", "Fixed Time Step: 30.\nfixed time step: 40", PH_E_PARSE, "was given in line"},
    {"Fixed Time Step: 30.", "Fixed Time Step\n", PH_E_PARSE, "a line is \"key: value\""},
    {"Fixed Time Step: 30.", "Fixed Time Step: 30.\n  40", PH_E_PARSE, "an indented line"},
    {"Integrator Flag: 1", "Integrator Flag: 5", PH_E_RANGE, "Integrator Flag is 5; 1 is RK4"},
    {"Integrator Flag: 1", "Integrator Flag: 1.5", PH_E_PARSE, "a whole number is expected"},
    {"Primary Shape Flag: 1", "Primary Shape Flag: 3", PH_E_RANGE, "0 is a sphere"},
    {"Truncation Order: 4", "Truncation Order: 9", PH_E_RANGE,
     "Primary Inertia Integral Truncation Order is 9"},
    {"A into N (1,2): -1.0", "A into N (1,2): 1.0", PH_E_RANGE, "\"A into N\" is not a rotation"},
    {"Sun Mass: 1.989e+30", "Sun Mass: 1.989e+30\nSolar Mass: 1", PH_E_PARSE, "Solar Mass was given in line"},
    {"Sun Mass: 1.989e+30", "Solar Mass: 1\nSolar Mass: 1", PH_E_PARSE, "Solar Mass was given in line"},
    {"Case Name: Test", "Case Name: ../Test", PH_E_RANGE,
     "Case Name is \"../Test\"; the files that GUBAS writes"},
    {"Final Time: 7200.", "Final Time: 0", PH_E_RANGE, "is not after the start time"},
    {"Final Time: 7200.", "Final Time: 1e20", PH_E_RANGE,
     "is lost in the rounding of times from 0 s to 1e+20 s"},
    {"Integrator Flag: 1\nFixed Time Step: 30.", "Integrator Flag: 3\nFixed Time Step: 0", PH_E_RANGE,
     "the time step is 0; it must be positive"},
    {"Semimajor Axis: -1.1072e+04", "Semimajor Axis: 1.1072e+04", PH_E_RANGE, "a hyperbola a negative axis"},
    {"Fixed Output Frequency: 3600.", "Fixed Output Frequency: -2", PH_E_RANGE, "-1 for a list"},
    {"Fahnestock Input File Flag: 0", "Fahnestock Input File Flag: 1", PH_E_IO,
     "systemdata_standard_MKS_units"},
    {"[Output Settings]", "[Output Settings", PH_E_PARSE, "closing bracket"},
    {"[Output Settings]", "[Output Setings]", PH_OK, "did you mean [Output Settings]?"},
    {"Case Name: Test", "Case Nam: Test", PH_OK,
     "no key \"Case Nam\", it has no effect; did you mean \"Case Name\"?"},
    {"Case Name: Test", "RAAN: 3", PH_OK, "RAAN belongs to [Additional Forces and Perturbations]"},
    {"Case Name: Test\n", "", PH_OK, "lacks 1 keys that are not needed here, such as Case Name"},
    {"Position X: 1200.0", "Position X: 1.2", PH_OK, "is the position in km? GUBAS needs m"},
    {"Primary Density: 2.2", "Primary Density: 2200", PH_OK, "GUBAS needs g/cm^3"},
};

START_TEST(mistakes)
{
    ph_gubas_case c;
    remarks r = {{0}};
    ph_error err = {0};
    put("hou_config.cfg", with(config, faults[_i].old, faults[_i].by));
    ck_assert_int_eq(ph_gubas_read(folder, &c, keep, &r, &err), faults[_i].status);
    const char *text = faults[_i].status ? err.message : r.text;
    ck_assert_msg(strstr(text, faults[_i].text) != NULL, "%s", text);
}
END_TEST

START_TEST(velocity_in_km)
{
    ph_gubas_case c;
    remarks r = {{0}};
    char text[8192];
    snprintf(text, sizeof text, "%s", with(config, "velocity x: 0.01", "velocity x: 0"));
    snprintf(text, sizeof text, "%s", with(text, "Velocity Z: 0.02", "Velocity Z: 0"));
    put("hou_config.cfg", with(text, "Velocity Y: 0.17", "Velocity Y: 0.17e-3"));
    tk_ok(ph_gubas_read(folder, &c, keep, &r, NULL));
    ck_assert_msg(strstr(r.text, "is it in km/s? GUBAS needs m/s") != NULL, "%s", r.text);
}
END_TEST

START_TEST(nothing_there)
{
    ph_gubas_case c;
    ph_error err = {0};
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, NULL, &err), PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "has neither hou_config.cfg nor ic_input.txt"));
    ck_assert_int_eq(ph_gubas_read("/nowhere/at/all", &c, NULL, NULL, &err), PH_E_IO);
    static const char *const others[] = {"# a scenario\npolhode: 1\n", ""};
    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_eq(ph_gubas_read(put("x.yaml", others[i]), &c, NULL, NULL, &err), PH_E_PARSE);
        ck_assert_msg(
            strstr(err.message,
                   "x.yaml is neither a hou_config.cfg, which has sections [...], nor an ic_input.txt"),
            "%s", err.message);
    }
}
END_TEST

/* What Python prints. */
START_TEST(numbers)
{
    static const struct {
        double value;
        const char *text;
    } known[] = {{7200, "7200.0"},
                 {0, "0.0"},
                 {-0.0, "-0.0"},
                 {0.1, "0.1"},
                 {1. / 3, "0.3333333333333333"},
                 {1e-4, "0.0001"},
                 {1e-5, "1e-05"},
                 {-1.5e-7, "-1.5e-07"},
                 {1e15, "1000000000000000.0"},
                 {1e16, "1e+16"},
                 {9007199254740993e1, "9.007199254740994e+16"},
                 {123456.789, "123456.789"},
                 {5e-324, "5e-324"},
                 {1.7976931348623157e308, "1.7976931348623157e+308"},
                 {0.175704287113523, "0.175704287113523"},
                 {2.5e-100, "2.5e-100"},
                 {INFINITY, "inf"},
                 {-INFINITY, "-inf"},
                 {NAN, "nan"}};
    char text[32];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ph_gubas_number(known[i].value, text);
        ck_assert_str_eq(text, known[i].text);
    }
    tk_random r = {5};
    for (int i = 0; i < 10000; i++) {
        const double value = tk_log_uniform(&r, 1e-30, 1e30);
        ph_gubas_number(value, text);
        ck_assert(strtod(text, NULL) == value);
    }
}
END_TEST

/* ---- Tables -------------------------------------------------------------------------------------------- */

/* values <- those of the last line of a table in the folder; returns how many. */
static size_t read_last(const char *name, double *values, size_t most, size_t *lines)
{
    char path[400], line[4096], last[4096] = "";
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "r");
    ck_assert_msg(in != NULL, "%s", path);
    for (*lines = 0; fgets(line, sizeof line, in); ++*lines) {
        ck_assert_ptr_nonnull(strstr(line, "\r\n"));
        strcpy(last, line);
    }
    fclose(in);
    size_t n = 0;
    for (char *at = last; n < most;) {
        values[n++] = strtod(at, &at);
        if (*at++ != ',')
            break;
    }
    return n;
}

START_TEST(tables)
{
    ph_gubas_case c;
    const ph_gubas_pair pair = {{3e11, 1e10},
                                {{1e15, 0, 0, 0, 2e15, 0, 0, 0, 3e15}, {4e12, 0, 0, 0, 5e12, 0, 0, 0, 6e12}}};
    const double m = 3e11 * 1e10 / 3.1e11, planet[6] = {1e6, 2e6, 3e6, 10, 20, 30};
    ph_gubas_tables *out;
    double v[40], w[40], energy[4], change[2], R[9];
    size_t lines;
    put("hou_config.cfg", config);
    tk_ok(ph_gubas_read(folder, &c, NULL, NULL, NULL));
    turning(R);
    ph_gubas_case elsewhere = c;
    memcpy(elsewhere.name, "../x", sizeof "../x");
    ck_assert_int_eq(ph_gubas_tables_open(folder, &elsewhere, &pair, true, &out, NULL), PH_E_RANGE);
    ck_assert_ptr_null(out);
    tk_ok(ph_gubas_tables_open(folder, &c, &pair, true, &out, NULL));
    for (int k = 0; k < 2; k++) {
        c.state.v[0] = k;
        ph_gubas_tables_step(out, 30. * k, &c.state, planet, planet);
        ph_gubas_tables_row(out, 30. * k, &c.state, -1e9, planet, NULL);
    }
    tk_ok(ph_gubas_tables_close(out, NULL));
    ck_assert_uint_eq(read_last("LagrangianStateOut_7200.0_3600.0_30.0_4_1_Test.csv", v, 40, &lines), 32);
    ck_assert_uint_eq(lines, 2);
    ck_assert(v[0] == 30 && v[1] == c.state.r[0] && v[4] == 1 && v[7] == 1e-5);
    ck_assert_double_eq_tol(v[10], 3e-5, 1e-19); /* of B in its own axes, as in the configuration */
    ck_assert_double_eq_tol(v[12], 1e-4, 1e-19);
    ck_assert(v[13] == c.state.C[0] && v[14] == c.state.C[1] && v[22] == c.state.Cc[0] && v[23] == -1 &&
              v[31] == -1e9);
    ck_assert_uint_eq(read_last("HamiltonianStateOut_7200.0_3600.0_30.0_4_1_Test.csv", w, 40, &lines), 32);
    ck_assert_double_eq_tol(w[4] / m, 1, 1e-15);
    ck_assert_double_eq_tol(w[9] / (3e15 * 7e-4), 1, 1e-15);
    const double own[3] = {4e12 * 3e-5, 5e12 * 4e-5, 6e12 * 1e-4};
    double L[3], H[3], total[3];
    for (int i = 0; i < 3; i++) {
        L[i] = R[3 * i] * own[0] + R[3 * i + 1] * own[1] + R[3 * i + 2] * own[2];
        ck_assert_double_eq_tol(w[10 + i], L[i], 1e-6);
    }
    ck_assert_uint_eq(read_last("FHamiltonianStateOut_7200.0_3600.0_30.0_4_1_Test.csv", w, 40, &lines), 32);
    ck_assert(w[23] == 1 && w[25] == -1);
    /* E and H by their definitions; Cc turns x into y and y into -x */
    const double *r = c.state.r, *u = c.state.v, *wa = c.state.omega_a;
    const double E = -1e9 + m * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / 2 +
                     (1e15 * wa[0] * wa[0] + 2e15 * wa[1] * wa[1] + 3e15 * wa[2] * wa[2]) / 2 +
                     (own[0] * 3e-5 + own[1] * 4e-5 + own[2] * 1e-4) / 2;
    H[0] = m * (r[1] * u[2] - r[2] * u[1]) + 1e15 * wa[0] + L[0];
    H[1] = m * (r[2] * u[0] - r[0] * u[2]) + 2e15 * wa[1] + L[1];
    H[2] = m * (r[0] * u[1] - r[1] * u[0]) + 3e15 * wa[2] + L[2];
    total[0] = -H[1], total[1] = H[0], total[2] = H[2];
    ck_assert_uint_eq(read_last("Energy+AngMom_7200.0_3600.0_30.0_4_1_Test.csv", energy, 4, &lines), 4);
    ck_assert_double_eq_tol(energy[0] / (E / 1e6), 1, 1e-14);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(energy[1 + i] / (total[i] / 1e6), 1, 1e-13);
    ck_assert_uint_eq(
        read_last("Conservation_Energy+AngMom_7200.0_3600.0_30.0_4_1_Test.csv", change, 2, &lines), 2);
    const double first = E - m * u[0] * u[0] / 2; /* the first row had no velocity along x */
    ck_assert_double_eq_tol(change[0] / ((first - E) / first), 1, 1e-12);
    ck_assert_uint_eq(read_last("HyperbolicState_7200.0_3600.0_30.0_4_1_Test.csv", v, 40, &lines), 6);
    ck_assert(v[0] == 1000 && v[5] == 0.03);
    ck_assert_uint_eq(read_last("SolarState_7200.0_3600.0_30.0_4_1_Test.csv", v, 40, &lines), 6);
    char path[400];
    snprintf(path, sizeof path, "%s/output_x/x_out.bin", folder);
    FILE *in = fopen(path, "rb");
    ck_assert_ptr_nonnull(in);
    ck_assert_uint_eq(fread(v, sizeof *v, 40, in), 40); /* two rows of 30 */
    ck_assert(v[0] == 1.2 && v[30] == 1.2 && v[33] == 0.001);
    ck_assert_uint_eq(fread(w, sizeof *v, 40, in), 20);
    fclose(in);
}
END_TEST

START_TEST(tables_abandoned)
{
    ph_gubas_case c;
    const ph_gubas_pair pair = {{1, 1}, {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    ph_gubas_tables *out;
    ph_error err = {0};
    put("hou_config.cfg", config);
    tk_ok(ph_gubas_read(folder, &c, NULL, NULL, NULL));
    ck_assert_int_eq(ph_gubas_tables_open("/nowhere/at/all", &c, &pair, false, &out, &err), PH_E_IO);
    ck_assert_ptr_null(out);
    tk_ok(ph_gubas_tables_open(folder, &c, &pair, false, &out, NULL));
    ph_gubas_tables_row(out, 0, &c.state, -1, NULL, NULL);
    ph_gubas_tables_abandon(out);
    size_t files = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry; (entry = readdir(open));)
        files += entry->d_name[0] != '.';
    closedir(open);
    ck_assert_uint_eq(files, 1); /* the configuration */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gubas files");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, make_place, remove_place);
    tcase_add_test(all, configuration);
    tcase_add_test(all, input);
    tcase_add_test(all, branches);
    tcase_add_test(all, fahnestock);
    tcase_add_loop_test(all, mistakes, 0, (int)(sizeof faults / sizeof faults[0]));
    tcase_add_test(all, velocity_in_km);
    tcase_add_test(all, nothing_there);
    tcase_add_test(all, numbers);
    tcase_add_test(all, tables);
    tcase_add_test(all, tables_abandoned);
    suite_add_tcase(suite, all);
    return tk_main(suite);
}
