/* SPDX-License-Identifier: BSD-3-Clause */
/* GRIT's init_system.json: units, attitudes, shapes and orbits against their definitions; mistakes in it. */
#include <polhode/grit.h>

#include "tests/kit/testkit.h"

#include <unistd.h>

static char folder[200];

static void make_place(void)
{
    tk_make_folder(folder, sizeof folder, 1 << 20);
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

static void remove_place(void)
{
    static const char *const names[] = {"init_system.json", "target_time.json"};
    char path[300];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

/* text with `old` replaced by `by`. */
static const char *with(const char *text, const char *old, const char *by)
{
    static char to[4096];
    const char *at = strstr(text, old);
    ck_assert_ptr_nonnull(at);
    snprintf(to, sizeof to, "%.*s%s%s", (int)(at - text), text, by, at + strlen(old));
    return to;
}

static void keep(void *to, const char *text)
{
    char *all = to;
    const size_t used = strlen(all);
    snprintf(all + used, 2048 - used, "%s\n", text);
}

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

START_TEST(values)
{
    ph_grit_case c;
    char remarks[2048] = "";
    put("init_system.json", json);
    put("target_time.json", "{\"target_time\": 12.0}\n");
    tk_ok(ph_grit_read(folder, &c, keep, remarks, NULL));
    ck_assert_str_eq(remarks, "");
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
END_TEST

/* Elements (a, e, i, Omega, omega, M) by the laws of Kepler. */
START_TEST(orbit)
{
    ph_grit_case c;
    put("init_system.json", json);
    tk_ok(ph_grit_read(folder, &c, NULL, NULL, NULL));
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
END_TEST

static const struct {
    const char *old, *by;
    ph_status status; /* PH_OK: a remark */
    const char *text;
} faults[] = {
    {"\"mass\": 3e-6", "\"mass\": \"3e-6\"", PH_E_PARSE, "init_system.json:5:"},
    {"\"mass\": 3e-6", "\"mass\": -3e-6", PH_E_RANGE,
     "body[1]: has the mass -3e-06; a positive one is expected"},
    {"\"mass\": 3e-6", "\"mas\": 3e-6", PH_E_PARSE, "has no \"mass\", a mass in solar masses"},
    {"\"oblateness\": 0.00335", "\"oblateness\": 1", PH_E_RANGE, "a number below 1 is expected"},
    {"\"oblateness\": 0.00335", "\"oblatness\": 0.00335", PH_E_PARSE, "is rigid and has no shape"},
    {"[4e-29, 5e-29, 6e-29]", "[4e-29, 5e-29, 9e-29]", PH_E_RANGE, "less than the sum of the two others"},
    {"[4e-29, 5e-29, 6e-29]", "[4e-29, 5e-29]", PH_E_SIZE, "body[2].inertia_tensor"},
    {"[1.1, 0.3,", "[1.1, 1.3,", PH_E_RANGE, "has the semimajor axis 1.1 au and the eccentricity 1.3"},
    {"\"center_mass\": 1,", "", PH_E_PARSE, "has no \"center_mass\""},
    {"\"center_mass\": 1,", "\"center_mass\": -1,", PH_E_RANGE,
     "orbital_elements: mu = G (m_A + m_B) is -1.3"},
    {"\"potential_order\": 4", "\"potential_order\": -4", PH_E_RANGE, "2 or 4 is expected"},
    {"\"scheme\": \"M42\"", "\"scheme\": \"M43\"", PH_E_UNKNOWN, "M42"},
    {"\"step_size\": 1e-4", "\"step_size\": 0", PH_E_RANGE, "a positive time in years"},
    {"\"potential_order\": 4", "\"potential_order\": 3", PH_E_RANGE, "2 or 4 is expected"},
    {"\"euler_angles\": [0.1, 0.2, 0.3]", "\"_R\": [1, 0, 0, 0, 1, 0, 0, 0, 1]", PH_E_UNSUPPORTED,
     "GRIT has saved"},
    {"\"current_time\": 2", "\"curent_time\": 2", PH_OK,
     "GRIT has no key \"curent_time\" there, it has no effect; did you mean \"current_time\"?"},
    {"\"potential_order\": 4},", "\"potential_order\": 4", PH_E_PARSE, "init_system.json"},
};

START_TEST(mistakes)
{
    ph_grit_case c;
    char remarks[2048] = "";
    ph_error err = {0};
    put("init_system.json", with(json, faults[_i].old, faults[_i].by));
    ck_assert_int_eq(ph_grit_read(folder, &c, keep, remarks, &err), faults[_i].status);
    const char *text = faults[_i].status ? err.message : remarks;
    ck_assert_msg(strstr(text, faults[_i].text) != NULL, "%s", text);
    if (!faults[_i].status)
        ph_grit_release(&c);
}
END_TEST

START_TEST(other_mistakes)
{
    ph_grit_case c;
    ph_error err = {0};
    ck_assert_int_eq(ph_grit_read("/nowhere/init_system.json", &c, NULL, NULL, &err), PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "/nowhere/init_system.json"));
    put("init_system.json", "{\"body\": [], \"parameters\": {\"step_size\": 1, \"output_gaps\": 1}}");
    ck_assert_int_eq(ph_grit_read(folder, &c, NULL, NULL, &err), PH_E_SIZE);
    put("init_system.json", "{\"parameters\": {\"step_size\": 1, \"output_gaps\": 1}}");
    ck_assert_int_eq(ph_grit_read(folder, &c, NULL, NULL, &err), PH_E_PARSE);
    ck_assert_ptr_nonnull(strstr(err.message, "has no \"body\""));
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
        ck_assert_int_eq(ph_grit_read(folder, &c, NULL, NULL, &err), PH_E_PARSE);
        ck_assert_msg(strstr(err.message, no_maps[i][1]) != NULL, "%s", err.message);
    }
    put("init_system.json", json);
    put("target_time.json", "[3]\n");
    ck_assert_int_eq(ph_grit_read(folder, &c, NULL, NULL, &err), PH_E_PARSE);
    ck_assert_ptr_nonnull(strstr(err.message, "has no \"target_time\""));
    put("target_time.json", "{\"target_time\": 1}\n"); /* before the start */
    ck_assert_int_eq(ph_grit_read(folder, &c, NULL, NULL, &err), PH_E_RANGE);
    ck_assert_ptr_nonnull(strstr(err.message, "target_time.json"));
    ph_grit_release(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grit");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, make_place, remove_place);
    tcase_add_test(all, values);
    tcase_add_test(all, orbit);
    tcase_add_loop_test(all, mistakes, 0, (int)(sizeof faults / sizeof faults[0]));
    tcase_add_test(all, other_mistakes);
    suite_add_tcase(suite, all);
    return tk_main(suite);
}
