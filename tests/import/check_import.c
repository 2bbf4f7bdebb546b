/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of GUBAS and GRIT: values, units and attitudes against their definitions, from each form of a file; mistakes in them;
 * numbers as Python prints them; GUBAS's tables of a run. */
#include "lib/import/grit.h"
#include "lib/import/gubas.h"

#include <polhode/kit/vector.h>
#include <polhode/session.h>

#include "tests/kit/testkit.h"

#include <dirent.h>
#include <unistd.h>

static char folder[200];
static ph_remarks words;

static void make_place(void)
{
    tk_make_folder(folder, sizeof folder, 1 << 20);
    words.out = open_memstream(&words.text, &words.size);
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
    fclose(words.out);
    free(words.text);
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

/* What was remarked so far, a line each. */
static const char *remarked(void)
{
    static char lines[8192];
    size_t n = 0;
    fflush(words.out);
    for (const char *c = words.text; *c; c++) {
        c += !strncmp(c, "\n  ", 3) ? 2 : 0;
        lines[n++] = *c;
    }
    lines[n] = '\0';
    return lines;
}

/* ---- GUBAS ----------------------------------------------------------------------------------------------- */

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
    ck_assert(c->planet.on && c->sun.on && c->hill && c->tides && !c->read_integrals);
    ck_assert_double_eq_tol(c->planet.semimajor_axis, -11072e3, 1e-6);
    ck_assert(c->planet.argument == 0.3);
    ck_assert(c->sun.mass == 1.988e30); /* "Solar Mass" */
    ck_assert(c->sun.periapsis == 2582993.1);
    ck_assert(c->hill_mass == 1.989e30); /* "Sun Mass" */
    ck_assert_double_eq_tol(c->hill_radius / 2.243968060500e11, 1, tolerance);
    ck_assert(c->body[1].love == 2e-5 && c->body[0].reference == 660 && c->body[1].lag == .006);
}

TEST(configuration)
{
    ph_gubas_case c;
    put("hou_config.cfg", config);
    tk_ok(ph_gubas_read(folder, &c, &words, NULL));
    check_values(&c);
    ck_assert_uint_eq(c.asked_order, 2);
    ck_assert(c.interval == 3600);
    ck_assert_str_eq(c.name, "Test");
    ck_assert_str_eq(remarked(), "");
    ck_assert(!strncmp(c.folder, folder, strlen(folder)) && c.folder[strlen(folder)] == '/');
}

/* The same case in the form for GUBAS's integrator. */
TEST(input)
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
    tk_ok(ph_gubas_read(folder, &c, NULL, NULL));
    check_values(&c);
    ck_assert(c.interval == 0);
    /* mistakes name the line */
    put("ic_input.txt", with(text, "\n450\n", "\nx450\n"));
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, &err), PH_E_PARSE);
    ck_assert_ptr_nonnull(
        strstr(err.message, "ic_input.txt:6: the second axis of A is \"x450\"; a number is expected"));
    put("ic_input.txt", with(text, "\n1.989e+30\n", "\n"));
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, &err), PH_E_PARSE);
    ck_assert_ptr_nonnull(strstr(err.message, "has 84 lines with a value each; GUBAS writes 85, its"));
    put("ic_input.txt", with(text, "\n1.989e+30\n", "\n1.989e+30\n7\n"));
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, &err), PH_E_PARSE);
    ck_assert_ptr_nonnull(strstr(err.message, "has 86 lines with a value each"));
    put("ic_input.txt", with(text, "\n400\n103.16\n", "\n-400\n103.16\n"));
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, &err), PH_E_RANGE);

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
        ck_assert_msg(!ph_gubas_read(folder, &c, NULL, &err), "%s", err.message);
        ck_assert(!c.sun.on && c.planet.on == !branch && c.hill && c.tides);
        ck_assert(branch || (c.planet.mass == 5.9722e24 && c.planet.periapsis == 3600));
        ck_assert_double_eq_tol(c.hill_radius / (1.5 * 149597870700.), 1, 1e-15);
        ck_assert(c.hill_mass == 1.989e30 && c.body[0].love == 1e-5 && c.body[1].lag == 0.006);
        ck_assert(c.state.Cc[3] == 1);
    }
    put("ic_input.txt", with(text, "\n1.989e+30\n", "\n"));
    ck_assert_int_eq(ph_gubas_read(folder, &c, NULL, &err), PH_E_PARSE);
    ck_assert_msg(
        strstr(
            err.message,
            "has 68 lines with a value each; GUBAS writes 85, its branches 3-Body and Perturbed-Model 77 and 69"),
        "%s", err.message);
}

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
TEST_EACH(branches, 3)
{
    static const struct {
        const char *from, *old, *by, *says;
        bool planet, sun;
    } of[] = {{"Flyby: 1", "", "",
               "branch Perturbed-Model: \"Solar Mass\" is the mass of the Sun on a circle", false, false},
              {"Heliocentric Orbit", "", "", "branch 3-Body: \"Solar Mass\"", true, false},
              {NULL, "Sun Mass", "Solar Mass", "\"Solar Mass\" is there twice, as in GUBAS's branch Legacy",
               true, true}};
    {
        ph_gubas_case c;
        put("hou_config.cfg", of[_i].from ? cut_out(config, of[_i].from, "Solar Gravity")
                                          : with(config, of[_i].old, of[_i].by));
        tk_ok(ph_gubas_read(folder, &c, &words, NULL));
        ck_assert(c.hill && c.hill_mass == 1.988e30 && c.planet.on == of[_i].planet &&
                  c.sun.on == of[_i].sun);
        ck_assert(!c.sun.on || c.sun.mass == 1.988e30); /* the last one, as Python 2 takes it */
        ck_assert_msg(strstr(remarked(), of[_i].says), "%s", remarked());
        ck_assert_msg(!strstr(remarked(), "GUBAS needs all of them"), "%s", remarked());
        ck_assert(!of[_i].from == !strstr(remarked(), "in the axes of A, here it is in those of B"));
        ck_assert(!of[_i].from == !strstr(remarked(), "exchanges the matrices"));
    }
}

/* Momenta of Fahnestock's files, by tensors with products of inertia, become GUBAS's angular velocities. */
TEST(fahnestock)
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
    tk_ok(ph_gubas_read(folder, &c, NULL, NULL));
    ck_assert(c.G == 6.674e-11 && c.body[0].density == 2000 && c.body[1].density == 2100);
    ck_assert(c.state.r[0] == 1200 && c.state.r[2] == 2);
    ck_assert_double_eq_tol(c.state.v[1], 0.2, 1e-16);
    ck_assert(tk_max_difference(c.state.omega_a, wa, 3) < 1e-15);
    ck_assert(tk_max_difference(c.state.omega_b, back, 3) < 1e-15);
    ck_assert(tk_max_difference(c.state.C, R, 9) < 1e-15 && tk_max_difference(c.state.Cc, R, 9) < 1e-15);
    ck_assert(c.body[0].half_axes[0] == 500); /* shapes come from the configuration */
    /* a file that is too short */
    put("initstate_standard_MKS_units", "1 2 3\n");
    tk_refused(ph_gubas_read(folder, &c, NULL, tk_err), PH_E_PARSE, "has 3 numbers; it needs at least 30");
}

TEST(velocity_in_km)
{
    ph_gubas_case c;
    char text[8192];
    snprintf(text, sizeof text, "%s", with(config, "velocity x: 0.01", "velocity x: 0"));
    snprintf(text, sizeof text, "%s", with(text, "Velocity Z: 0.02", "Velocity Z: 0"));
    put("hou_config.cfg", with(text, "Velocity Y: 0.17", "Velocity Y: 0.17e-3"));
    tk_ok(ph_gubas_read(folder, &c, &words, NULL));
    ck_assert_msg(strstr(remarked(), "is it in km/s? GUBAS needs m/s") != NULL, "%s", remarked());
}

TEST(nothing_there)
{
    ph_gubas_case c;
    ph_grit_case system;
    tk_refused(ph_gubas_read(folder, &c, NULL, tk_err), PH_E_IO,
               "has neither hou_config.cfg nor ic_input.txt");
    tk_refused(ph_grit_read("/nowhere/init_system.json", &system, NULL, tk_err), PH_E_IO,
               "/nowhere/init_system.json");
    tk_returns(ph_gubas_read("/nowhere/at/all", &c, NULL, tk_err), PH_E_IO);
    static const char *const others[] = {"# a scenario\npolhode: 1\n", ""};
    for (size_t i = 0; i < 2; i++) {
        tk_refused(ph_gubas_read(put("x.yaml", others[i]), &c, NULL, tk_err), PH_E_PARSE,
                   "x.yaml is neither a hou_config.cfg, which has sections [...], nor an ic_input.txt");
    }
}

/* What Python prints. */
TEST(numbers)
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
        ph_python_number(known[i].value, text);
        ck_assert_str_eq(text, known[i].text);
    }
    tk_random r = {5};
    for (int i = 0; i < 10000; i++) {
        const double value = tk_log_uniform(&r, 1e-30, 1e30);
        ph_python_number(value, text);
        ck_assert(strtod(text, NULL) == value);
    }
}

/* ---- GRIT ------------------------------------------------------------------------------------------------ */

static const char json[] =
    "{\n\t\"system_name\": \"three\",\n\t\"body\": [\n"
    "  {\"name\": \"Sun\", \"rigid\": false, \"mass\": 1, \"radius\": 695700, \"position\": [0, 0, 0], \"velocity\": [0, 0, 0]},\n"
    "  {\"name\": \"Earth\", \"rigid\": true, \"mass\": 3e-6, \"radius\": 6378.137, \"oblateness\": 0.00335,\n"
    "   \"orbital_elements\": [1.1, 0.3, 0.4, 0.5, 0.6, 4.5], \"center_mass\": 1,\n"
    "   \"angular_velocity\": [0, 0, 2301.6], \"euler_angles\": [-0.4, 1.5, 0.3]},\n"
    "  {\"name\": \"Rock\", \"rigid\": true, \"mass\": 1e-15, \"radius\": 100, \"inertia_tensor\": [4e-29, 5e-29, 6e-29],\n"
    "   \"position\": [2, 0.5, 0.1], \"velocity\": [0.01, 0.002, -0.003], \"angular_velocity\": [1, 2, 3],\n"
    "   \"euler_angles\": [0.1, 0.2, 0.3], \"time_lag\": 1e-4, \"Q\": 0.6}\n"
    " ],\n \"current_time\": 2,\n"
    " \"parameters\": {\"tide\": false, \"GR\": false, \"step_size\": 1e-4, \"save_interval\": 1, \"output_gaps\": 100,\n"
    "   \"scheme\": \"M42\", \"potential_order\": 4},\n"
    " \"output_format\": {\"position\": true}\n}\n";

static const double au = 1.495978707e11, year = 31557600;

TEST(system_values)
{
    ph_grit_case c;
    put("target_time.json", "{\"target_time\": 12.0}\n");
    const char *path = put("init_system.json", json);
    tk_ok(ph_grit_read(path, &c, &words, NULL));
    ck_assert_str_eq(remarked(), "");
    ck_assert_str_eq(c.name, "three");
    ck_assert_uint_eq(c.n, 3);
    ck_assert_uint_eq(c.order, 4);
    ck_assert(!c.tides && !c.relativity && !strcmp(c.scheme, "M42"));
    ck_assert_double_eq_tol(c.start / (2 * year), 1, 1e-15);
    ck_assert_double_eq_tol(c.end / (12 * year), 1, 1e-15);
    ck_assert_double_eq_tol(c.step / (1e-4 * year), 1, 1e-15);
    ck_assert_double_eq_tol(c.interval / (1e-2 * year), 1, 1e-14);
    /* a point at 1 au of the unit mass has a period of one such year */
    const double mu = c.G * c.body[0].mass;
    ck_assert_double_eq_tol(2 * acos(-1) * sqrt(au * au * au / mu) / year, 1, 1e-14);
    ck_assert(!c.body[0].rigid && c.body[1].rigid && c.body[1].symmetric && !c.body[2].symmetric);
    ck_assert(c.body[2].lagged && !c.body[1].lagged);
    /* oblateness: the volume of a sphere of that radius, c = a (1 - f) */
    const double *a = c.body[1].half_axes;
    ck_assert_double_eq_tol(cbrt(a[0] * a[1] * a[2]) / 6378137, 1, 1e-14);
    ck_assert_double_eq_tol(1 - a[2] / a[0], 0.00335, 1e-14);
    /* moments of inertia come back from the half-axes */
    a = c.body[2].half_axes;
    for (int k = 0; k < 3; k++) {
        const double b = a[(k + 1) % 3], d = a[(k + 2) % 3];
        ck_assert_double_eq_tol((b * b + d * d) / 5 * 1e-15 / (au * au) / ((4 + k) * 1e-29), 1, 1e-13);
    }
    /* R = Rx(0.1) Rz(0.2) Rx(0.3): what it does to the first axis, and to the third */
    const double *R = c.body[2].R;
    ck_assert_double_eq_tol(R[0], cos(0.2), 1e-15);
    ck_assert_double_eq_tol(R[3], cos(0.1) * sin(0.2), 1e-15);
    ck_assert_double_eq_tol(R[6], sin(0.1) * sin(0.2), 1e-15);
    ck_assert_double_eq_tol(R[1], -sin(0.2) * cos(0.3), 1e-15);
    ck_assert_double_eq_tol(R[2], sin(0.2) * sin(0.3), 1e-15);
    ck_assert_double_eq_tol(c.body[2].omega[1] * year, 2, 1e-15);
    /* the barycentre rests, and relative velocities are those of the file */
    double p[3] = {0};
    for (size_t i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            p[k] += c.body[i].mass * c.body[i].v[k];
    ck_assert(tk_max(fabs(p[0]), tk_max(fabs(p[1]), fabs(p[2]))) < 1e-15 * c.body[1].mass * 3e4);
    ck_assert_double_eq_tol((c.body[2].v[1] - c.body[0].v[1]) / (0.002 * au / 86400), 1, 1e-13);
    ck_assert_double_eq_tol(c.body[2].x[0] / (2 * au), 1, 1e-15);
    ph_grit_release(&c);
    ck_assert_ptr_null(c.body);
}

/* Elements (a, e, i, Omega, omega, M) by the laws of Kepler. */
TEST(orbit)
{
    ph_grit_case c;
    tk_ok(ph_grit_read(put("init_system.json", json), &c, NULL, NULL));
    ck_assert(isnan(c.end));
    const double mu = c.G * (c.body[0].mass + c.body[1].mass), *x = c.body[1].x;
    double v[3], L[3], e[3];
    for (int k = 0; k < 3; k++)
        v[k] = c.body[1].v[k] - c.body[0].v[k];
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]),
                 v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    ck_assert_double_eq_tol(1 / (2 / r - v2 / mu) / (1.1 * au), 1, 1e-13);
    L[0] = x[1] * v[2] - x[2] * v[1];
    L[1] = x[2] * v[0] - x[0] * v[2];
    L[2] = x[0] * v[1] - x[1] * v[0];
    const double size = sqrt(L[0] * L[0] + L[1] * L[1] + L[2] * L[2]);
    ck_assert_double_eq_tol(L[2] / size, cos(0.4), 1e-13);
    ck_assert_double_eq_tol(atan2(L[0], -L[1]), 0.5, 1e-13);
    e[0] = (v[1] * L[2] - v[2] * L[1]) / mu - x[0] / r;
    e[1] = (v[2] * L[0] - v[0] * L[2]) / mu - x[1] / r;
    e[2] = (v[0] * L[1] - v[1] * L[0]) / mu - x[2] / r;
    ck_assert_double_eq_tol(sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]), 0.3, 1e-13);
    ck_assert_double_eq_tol((e[0] * cos(0.5) + e[1] * sin(0.5)) / 0.3, cos(0.6), 1e-13);
    ck_assert_double_eq_tol(e[2] / 0.3 / sin(0.4), sin(0.6), 1e-13);
    /* M = E - e sin E by r = a (1 - e cos E), on the way in: E > pi */
    const double E = 2 * acos(-1) - acos((1 - r / (1.1 * au)) / 0.3);
    ck_assert(x[0] * v[0] + x[1] * v[1] + x[2] * v[2] < 0);
    ck_assert_double_eq_tol(E - 0.3 * sin(E), 4.5, 1e-12);
    ph_grit_release(&c);
}

/* What becomes a comment of the scenario cannot leave it. */
TEST(names)
{
    ph_import made;
    tk_ok(ph_import_read(put("init_system.json", with(json, "\"Rock\"", "\"Rock\\nseed: 1\"")), NULL, &made,
                         NULL));
    ck_assert_str_eq(made.program, "GRIT");
    ck_assert_msg(strstr(made.scenario, "# Rock?seed: 1\n"), "%s", made.scenario);
    ck_assert_ptr_null(strstr(made.scenario, "\nseed"));
    ph_import_release(&made);
}

TEST(other_mistakes)
{
    ph_grit_case c;
    char file[300];
    snprintf(file, sizeof file, "%s/init_system.json", folder);
    put("init_system.json", "{\"body\": [], \"parameters\": {\"step_size\": 1, \"output_gaps\": 1}}");
    tk_returns(ph_grit_read(file, &c, NULL, tk_err), PH_E_SIZE);
    put("init_system.json", "{\"parameters\": {\"step_size\": 1, \"output_gaps\": 1}}");
    tk_refused(ph_grit_read(file, &c, NULL, tk_err), PH_E_PARSE, "has no \"body\"");
    /* what is to be a map and is not one: at the top, parameters, a body, the target */
    static const char *const no_maps[][2] = {
        {"[1, 2]", ":1:1: is a list; a map with"},
        {"{\"body\": [], \"parameters\": 3}", "parameters: is \"3\"; a map is expected"},
        {"{\"parameters\": {\"step_size\": 1, \"output_gaps\": 1},\n\"body\": [\"x\", \"y\"]}",
         ":2:10: body[0]: is \"x\"; a map"},
        {"{\"parameters\": {\"step_size\": 1, \"output_gaps\": 1},\n\"body\": [[], 1]}",
         "body[0]: is a list; a map"}};
    for (size_t i = 0; i < sizeof no_maps / sizeof no_maps[0]; i++) {
        put("init_system.json", no_maps[i][0]);
        tk_refused(ph_grit_read(file, &c, NULL, tk_err), PH_E_PARSE, no_maps[i][1]);
    }
    put("init_system.json", json);
    put("target_time.json", "[3]\n");
    tk_refused(ph_grit_read(file, &c, NULL, tk_err), PH_E_PARSE, "has no \"target_time\"");
    put("target_time.json", "{\"target_time\": 1}\n"); /* before the start */
    tk_refused(ph_grit_read(file, &c, NULL, tk_err), PH_E_RANGE, "target_time.json");
    ph_grit_release(NULL);
}

/* ---- Mistakes -------------------------------------------------------------------------------------------- */

/* Of the configuration, or of a system of GRIT. */
static const struct {
    bool grit;
    const char *old, *by;
    ph_status status; /* PH_OK: a remark */
    const char *text;
} faults[] = {
    {false, "Primary Density: 2.2", "Primary Density: 2,2", PH_E_PARSE,
     "Primary Density is \"2,2\"; a number is expected"},
    {false, "Fixed Time Step: 30.", "Fixed Time Step: 30. # s", PH_E_PARSE,
     "a comment needs a separate line"},
    {false, "Fixed Time Step: 30.\n", "", PH_E_PARSE, "[Integration Settings] has no Fixed Time Step"},
    {false, "Fixed Time Step: 30.", "Fixed Time Step: -30.", PH_E_RANGE,
     "the time step is -30; it must be positive"},
    {false, "Fixed Time Step: 30.", "Fixed Time Step: 30.\nfixed time step: 40", PH_E_PARSE,
     "was given in line"},
    {false, "Fixed Time Step: 30.", "Fixed Time Step\n", PH_E_PARSE, "a line is \"key: value\""},
    {false, "Fixed Time Step: 30.", "Fixed Time Step: 30.\n  40", PH_E_PARSE, "an indented line"},
    {false, "Integrator Flag: 1", "Integrator Flag: 5", PH_E_RANGE, "Integrator Flag is \"5\"; 1 is RK4"},
    {false, "Integrator Flag: 1", "Integrator Flag: 1.5", PH_E_PARSE, "a whole number is expected"},
    {false, "Primary Shape Flag: 1", "Primary Shape Flag: 3", PH_E_RANGE, "0 is a sphere"},
    {false, "Truncation Order: 4", "Truncation Order: 9", PH_E_RANGE,
     "Primary Inertia Integral Truncation Order is \"9\""},
    {false, "A into N (1,2): -1.0", "A into N (1,2): 1.0", PH_E_RANGE, "\"A into N\" is not a rotation"},
    {false, "Sun Mass: 1.989e+30", "Sun Mass: 1.989e+30\nSolar Mass: 1", PH_E_PARSE,
     "Solar Mass was given in line"},
    {false, "Sun Mass: 1.989e+30", "Solar Mass: 1\nSolar Mass: 1", PH_E_PARSE,
     "Solar Mass was given in line"},
    {false, "Case Name: Test", "Case Name: ../Test", PH_E_RANGE,
     "Case Name is \"../Test\"; the files that GUBAS writes"},
    {false, "Final Time: 7200.", "Final Time: 0", PH_E_RANGE, "is not after the start time"},
    {false, "Final Time: 7200.", "Final Time: 1e20", PH_E_RANGE,
     "is lost in the rounding of times from 0 s to 1e+20 s"},
    {false, "Integrator Flag: 1\nFixed Time Step: 30.", "Integrator Flag: 3\nFixed Time Step: 0", PH_E_RANGE,
     "the time step is 0; it must be positive"},
    {false, "Semimajor Axis: -1.1072e+04", "Semimajor Axis: 1.1072e+04", PH_E_RANGE,
     "a hyperbola a negative axis"},
    {false, "Fixed Output Frequency: 3600.", "Fixed Output Frequency: -2", PH_E_RANGE, "-1 for a list"},
    {false, "Fahnestock Input File Flag: 0", "Fahnestock Input File Flag: 1", PH_E_IO,
     "systemdata_standard_MKS_units"},
    {false, "[Output Settings]", "[Output Settings", PH_E_PARSE, "closing bracket"},
    {false, "[Output Settings]", "[Output Setings]", PH_OK, "did you mean [Output Settings]?"},
    {false, "Case Name: Test", "Case Nam: Test", PH_OK,
     "no key \"Case Nam\", it has no effect; did you mean \"Case Name\"?"},
    {false, "Case Name: Test", "RAAN: 3", PH_OK, "RAAN belongs to [Additional Forces and Perturbations]"},
    {false, "Case Name: Test\n", "", PH_OK, "lacks 1 keys that are not needed here, such as Case Name"},
    {false, "Position X: 1200.0", "Position X: 1.2", PH_OK, "is the position in km? GUBAS needs m"},
    {false, "Primary Density: 2.2", "Primary Density: 2200", PH_OK, "GUBAS needs g/cm^3"},
    {true, "\"mass\": 3e-6", "\"mass\": \"3e-6\"", PH_E_PARSE, "init_system.json:5:"},
    {true, "\"mass\": 3e-6", "\"mass\": -3e-6", PH_E_RANGE,
     "body[1]: has the mass -3e-06; a positive one is expected"},
    {true, "\"mass\": 3e-6", "\"mas\": 3e-6", PH_E_PARSE, "has no \"mass\", a mass in solar masses"},
    {true, "\"oblateness\": 0.00335", "\"oblateness\": 1", PH_E_RANGE, "a number below 1 is expected"},
    {true, "\"oblateness\": 0.00335", "\"oblatness\": 0.00335", PH_E_PARSE, "is rigid and has no shape"},
    {true, "[4e-29, 5e-29, 6e-29]", "[4e-29, 5e-29, 9e-29]", PH_E_RANGE,
     "less than the sum of the two others"},
    {true, "[4e-29, 5e-29, 6e-29]", "[4e-29, 5e-29]", PH_E_SIZE, "body[2].inertia_tensor"},
    {true, "[1.1, 0.3,", "[1.1, 1.3,", PH_E_RANGE, "has the semimajor axis 1.1 au and the eccentricity 1.3"},
    {true, "\"center_mass\": 1,", "", PH_E_PARSE, "has no \"center_mass\""},
    {true, "\"center_mass\": 1,", "\"center_mass\": -1,", PH_E_RANGE,
     "orbital_elements: mu = G (m_A + m_B) is -1.3"},
    {true, "\"potential_order\": 4", "\"potential_order\": -4", PH_E_RANGE, "2 or 4 is expected"},
    {true, "\"scheme\": \"M42\"", "\"scheme\": \"M43\"", PH_E_UNKNOWN, "M42"},
    {true, "\"step_size\": 1e-4", "\"step_size\": 0", PH_E_RANGE, "a positive time in years"},
    {true, "\"potential_order\": 4", "\"potential_order\": 3", PH_E_RANGE, "2 or 4 is expected"},
    {true, "\"euler_angles\": [0.1, 0.2, 0.3]", "\"_R\": [1, 0, 0, 0, 1, 0, 0, 0, 1]", PH_E_UNSUPPORTED,
     "GRIT has saved"},
    {true, "\"current_time\": 2", "\"curent_time\": 2", PH_OK,
     "GRIT has no key \"curent_time\" there, it has no effect; did you mean \"current_time\"?"},
    {true, "\"potential_order\": 4},", "\"potential_order\": 4", PH_E_PARSE, "init_system.json"},
};

TEST_EACH(mistakes, sizeof faults / sizeof faults[0])
{
    ph_gubas_case c;
    ph_grit_case system = {.n = 0};
    const bool grit = faults[_i].grit;
    const char *path = put(grit ? "init_system.json" : "hou_config.cfg",
                           with(grit ? json : config, faults[_i].old, faults[_i].by));
    ck_assert_int_eq(grit ? ph_grit_read(path, &system, &words, tk_err)
                          : ph_gubas_read(path, &c, &words, tk_err),
                     faults[_i].status);
    const char *text = faults[_i].status ? tk_err->message : remarked();
    ck_assert_msg(strstr(text, faults[_i].text) != NULL, "%s", text);
    ph_grit_release(&system);
}

/* ---- Tables ---------------------------------------------------------------------------------------------- */

/* v (columns) <- a row of a table in the folder, from 1; returns how many there are. */
static size_t read_row(const char *kind, int row, double *v, size_t columns)
{
    char path[400], line[4096];
    size_t rows = 0;
    snprintf(path, sizeof path, "%s/%s_7200.0_3600.0_30.0_4_2_Test.csv", folder, kind);
    FILE *in = fopen(path, "r");
    ck_assert_msg(in != NULL, "%s", path);
    while (fgets(line, sizeof line, in)) {
        char *at = line;
        ck_assert_ptr_nonnull(strstr(line, "\r\n"));
        for (size_t i = 0; i < columns && (int)rows + 1 == row; i++, at++) {
            v[i] = strtod(at, &at);
            ck_assert_int_eq(*at, i + 1 == columns ? '\r' : ',');
        }
        rows++;
    }
    fclose(in);
    return rows;
}

/* record <- a run of the configuration, as a scenario. */
static ph_record *run_case(const char *text)
{
    char directory[300], path[400];
    ph_import made;
    ph_session *session;
    ph_record *record;
    tk_ok(ph_import_read(put("hou_config.cfg", text), NULL, &made, tk_err));
    ck_assert_str_eq(made.program, "GUBAS");
    ck_assert_str_eq(made.name, "Test");
    snprintf(directory, sizeof directory, "%s/run", folder);
    tk_ok(ph_session_open_text(made.scenario, strlen(made.scenario), "s.yaml", directory, NULL, &session,
                               tk_err));
    tk_ok(ph_session_run(session, tk_err));
    tk_ok(ph_session_close(session, tk_err));
    ph_import_release(&made);
    snprintf(path, sizeof path, "%s/s.polhode", directory);
    tk_ok(ph_record_open(path, &record, tk_err));
    return record;
}

/* The first row has the state of the configuration, all of them what follows from it by definition. */
TEST(tables)
{
    char text[8192];
    double J[2][3], mass[2], v[32], w[32], energy[4], change[2], first[2], km[6], R[9], L[2][3], H[3],
        total[3];
    ph_gubas_case c;
    snprintf(text, sizeof text, "%s", with(config, "Integrator Flag: 1", "Integrator Flag: 2"));
    TK_OWN(ph_record) *record = run_case(text);
    tk_ok(ph_gubas_read(folder, &c, NULL, NULL));
    tk_ok(ph_import_gubas_tables(folder, record, folder, NULL));
    for (int i = 0; i < 2; i++) {
        const double *a = c.body[i].half_axes;
        mass[i] = c.body[i].density * 4 * acos(-1) / 3 * a[0] * a[1] * a[2];
        for (int k = 0; k < 3; k++)
            J[i][k] = mass[i] * (a[(k + 1) % 3] * a[(k + 1) % 3] + a[(k + 2) % 3] * a[(k + 2) % 3]) / 5;
    }
    const double m = mass[0] * mass[1] / (mass[0] + mass[1]), own[3] = {3e-5, 4e-5, 1e-4};
    turning(R);
    ck_assert_uint_eq(read_row("LagrangianStateOut", 1, v, 32), 3);
    ck_assert_double_eq(v[0], 0);
    ck_assert(tk_max_difference(v + 1, c.state.r, 3) < 1e-11);
    ck_assert(tk_max_difference(v + 4, c.state.v, 3) < 1e-15);
    ck_assert(tk_max_difference(v + 7, c.state.omega_a, 3) < 1e-18);
    ck_assert(tk_max_difference(v + 10, own, 3) < 1e-18); /* of B in its own axes, as in the configuration */
    ck_assert(tk_max_difference(v + 13, R, 9) < 1e-15);
    ck_assert(tk_max_difference(v + 22, c.state.Cc, 9) < 1e-15);
    for (int row = 1; row <= 3; row++) {
        read_row("LagrangianStateOut", row, v, 32);
        const double *r = v + 1, *u = v + 4, *wa = v + 7, *wb = v + 10, *C = v + 13, *Cc = v + 22;
        ck_assert_double_eq(v[0], 3600 * (row - 1));
        ck_assert_double_eq_tol(-v[31] * ph_norm3(r) / (c.G * mass[0] * mass[1]), 1, 0.1);
        read_row("HamiltonianStateOut", row, w, 32);
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(w[4 + k], m * u[k], 1e-14 * fabs(m * u[k]));
            L[0][k] = J[0][k] * wa[k];
            total[k] = J[1][k] * wb[k];
        }
        const double E = v[31] + (m * ph_dot3(u, u) + ph_dot3(L[0], wa) + ph_dot3(total, wb)) / 2;
        ph_apply3(C, total, L[1]);
        for (int i = 0; i < 2; i++)
            ck_assert(tk_max_difference(w + 7 + 3 * i, L[i], 3) < 1e-14 * ph_norm3(L[i]));
        ck_assert_uint_eq(read_row("FHamiltonianStateOut", row, w, 32), 3);
        for (int k = 0; k < 9; k++)
            ck_assert_double_eq(w[22 + k], Cc[k % 3 * 3 + k / 3]);
        ph_cross3(r, u, H);
        for (int k = 0; k < 3; k++)
            H[k] = m * H[k] + L[0][k] + L[1][k];
        ph_apply3(Cc, H, total);
        read_row("Energy+AngMom", row, energy, 4);
        ck_assert_double_eq_tol(energy[0] / (E / 1e6), 1, 1e-13);
        for (int k = 0; k < 3; k++)
            ck_assert_double_eq_tol(energy[1 + k], total[k] / 1e6, 1e-13 * ph_norm3(total) / 1e6);
        if (row == 1) {
            first[0] = E;
            first[1] = ph_norm3(total);
        }
        read_row("Conservation_Energy+AngMom", row, change, 2);
        ck_assert_double_eq_tol(change[0], (first[0] - E) / first[0], 1e-13);
        ck_assert_double_eq_tol(change[1], (first[1] - ph_norm3(total)) / first[1], 1e-13);
    }
    /* the planet at its periapsis, the Sun by its energy */
    ck_assert_uint_eq(read_row("HyperbolicState", 2, km, 6), 3);
    ck_assert_double_eq_tol(ph_norm3(km) / (11072 * 8.1284), 1, 1e-12);
    read_row("SolarState", 3, km, 6);
    const double mu = c.G * 1.988e30 / 1e9;
    ck_assert_double_eq_tol((2 / ph_norm3(km) - ph_dot3(km + 3, km + 3) / mu) * 246013901.32, 1, 1e-12);
}

/* What cannot be done leaves nothing. */
TEST(tables_refused)
{
    ph_record *record = run_case(config);
    size_t files = 0;
    tk_returns(ph_import_gubas_tables(folder, record, "/nowhere/at/all", tk_err), PH_E_IO);
    put("hou_config.cfg", with(config, "Secondary Density: 2.1", "Secondary Density: 2.2"));
    tk_refused(ph_import_gubas_tables(folder, record, folder, tk_err), PH_E_INVALID,
               "the secondary of the run");
    put("init_system.json", json);
    tk_refused(ph_import_gubas_tables(folder, record, folder, tk_err), PH_E_INVALID, "is a system of GRIT");
    ph_record_close(record);
    DIR *open = opendir(folder);
    for (struct dirent *entry; (entry = readdir(open));)
        files += entry->d_name[0] != '.';
    closedir(open);
    ck_assert_uint_eq(files, 3); /* the configuration, the system and the run */
}

int main(void)
{
    return tk_run_in("import", make_place, remove_place);
}
