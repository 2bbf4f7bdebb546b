/* SPDX-License-Identifier: BSD-3-Clause */
/* GRIT's init_system.json, JSON and hence YAML: solar masses, au, au/day, rad/year, years, km
 * (grit.h). Source of keys and units: GRIT's README and the readers in its body.cpp and
 * system.cpp. */
#define _POSIX_C_SOURCE 200809L
#include "grit.h"

#include "lib/scenario/yaml.h"

#include <polhode/domain/elements.h>
#include <polhode/domain/gravity.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double au = 1.495978707e11, day = 86400, year = 365.25 * 86400, pi = 3.14159265358979323846;

/* [kg] such that G times it is 4 pi^2 au^3/year^2. */
static double solar_mass(void)
{
    return 4 * pi * pi * au * au * au / (year * year) / PH_GRAVITY_CONSTANT;
}

typedef struct reading {
    ph_grit_case c;
    ph_remarks *words;
} reading;

/* ---- Keys ---------------------------------------------------------------------------------------------- */

static const char *const system_keys[] = {
    "system_name", "body", "current_time", "parameters", "tidal_pairs", "output_format", NULL};
static const char *const parameter_keys[] = {"step_size", "save_interval",   "output_gaps", "tide", "GR",
                                             "scheme",    "potential_order", "coordinates", NULL};
static const char *const body_keys[] = {"name",
                                        "rigid",
                                        "mass",
                                        "position",
                                        "velocity",
                                        "orbital_elements",
                                        "center_mass",
                                        "angular_velocity",
                                        "Q",
                                        "euler_angles",
                                        "inertia_tensor",
                                        "semi_axes",
                                        "oblateness",
                                        "radius",
                                        "symmetric",
                                        "time_lag",
                                        "_R",
                                        "_p",
                                        "_pi",
                                        "time",
                                        NULL};

/* at: a map; remarks on keys that are not in the list. */
static ph_status check_keys(const reading *f, const ph_node *at, const char *const *known,
                            const char *expected, ph_error *err)
{
    size_t n = 0, names = 0;
    while (known[names])
        names++;
    ph_status status = ph_node_map(at, expected, &n, err);
    for (size_t i = 0; i < n && !status; i++) {
        ph_node key, value;
        const char *word = ph_node_entry(at, i, &key, &value);
        size_t k = 0;
        while (k < names && strcmp(known[k], word))
            k++;
        if (k < names)
            continue;
        const char *meant = ph_suggest(word, known, names);
        ph_remark(f->words, "%s:%zu: GRIT has no key \"%.60s\" there, it has no effect%s%s%s", f->c.file,
                  key.node->start_mark.line + 1, word, meant ? "; did you mean \"" : "", meant ? meant : "",
                  meant ? "\"?" : "");
    }
    return status;
}

/* *value <- the number of a key; needed: it must be there, else it stays as it is. */
static ph_status read_number(const ph_node *map, const char *key, const char *expected, bool needed,
                             double *value, ph_error *err)
{
    const ph_node at = ph_node_find(map, key);
    if (at.node)
        return ph_node_number(&at, expected, value, err);
    return needed ? ph_node_fail(map, err, PH_E_PARSE, "has no \"%s\", %s", key, expected) : PH_OK;
}

static ph_status read_flag(const ph_node *map, const char *key, bool *value, ph_error *err)
{
    const ph_node at = ph_node_find(map, key);
    return at.node ? ph_node_bool(&at, value, err) : PH_OK;
}

static ph_status read_numbers(const ph_node *map, const char *key, const char *expected, double *values,
                              size_t n, ph_error *err)
{
    const ph_node at = ph_node_find(map, key);
    if (at.node)
        return ph_node_numbers(&at, expected, values, n, err);
    return ph_node_fail(map, err, PH_E_PARSE, "has no \"%s\", %s", key, expected);
}

/* In one line, as names become comments of a scenario. */
static ph_status read_word(const ph_node *map, const char *key, char *to, size_t size, ph_error *err)
{
    const char *text;
    const ph_node at = ph_node_find(map, key);
    if (!at.node)
        return PH_OK;
    ph_status status = ph_node_text(&at, "a text", &text, err);
    if (!status && strlen(text) >= size)
        status =
            ph_node_fail(&at, err, PH_E_RANGE, "is too long; at most %zu characters are expected", size - 1);
    if (!status)
        ph_text_show(to, size, text);
    return status;
}

/* ---- A body -------------------------------------------------------------------------------------------- */

/* R <- R R_k(angle), a turn about axis k. */
static void turn_about(int k, double angle, double R[9])
{
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double c = ph_cos(angle), s = ph_sin(angle);
    for (int row = 0; row < 9; row += 3) {
        const double a = R[row + i], b = R[row + j];
        R[row + i] = c * a + s * b;
        R[row + j] = c * b - s * a;
    }
}

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* x [m], v [m/s] <- elements (a [au], e, i, Omega, omega, M) about a mass mu [m^3/s^2]. */
static ph_status place_orbit(const ph_node *at, const double e[6], double mu, double x[3], double v[3],
                             ph_error *err)
{
    ph_elements el = {.q = e[0] * (1 - e[1]) * au, .e = e[1], .i = e[2], .node = e[3], .periapsis = e[4]};
    if (!(e[0] > 0 && e[1] >= 0 && e[1] < 1))
        return ph_node_fail(
            at, err, PH_E_RANGE,
            "has the semimajor axis %g au and the eccentricity %g; a positive axis and an eccentricity "
            "from 0 to below 1 are expected",
            e[0], e[1]);
    ph_status status = ph_true_anomaly(el.e, e[5], &el.true_anomaly, err);
    if (!status)
        status = ph_elements_state(mu, &el, x, v, err);
    return status ? ph_node_blame(at, err, status) : PH_OK;
}

static ph_status read_place(const ph_node *at, ph_grit_body *body, ph_error *err)
{
    double elements[6], center = 0;
    ph_status status;
    const ph_node orbit = ph_node_find(at, "orbital_elements"), p = ph_node_find(at, "_p");
    if (orbit.node) {
        status = ph_node_numbers(&orbit, "a list of 6 numbers (a, e, i, Omega, omega, M)", elements, 6, err);
        if (!status)
            status = read_number(at, "center_mass", "the mass that it goes round, in solar masses", true,
                                 &center, err);
        if (!status)
            status = place_orbit(&orbit, elements, PH_GRAVITY_CONSTANT * (center * solar_mass() + body->mass),
                                 body->x, body->v, err);
        return status;
    }
    status = read_numbers(at, "position", "3 numbers in au (or \"orbital_elements\")", body->x, 3, err);
    if (!status && p.node) /* of a saved system: momentum in solar masses au/year */
        status = ph_node_numbers(&p, "a list of 3 numbers", body->v, 3, err);
    else if (!status)
        status = read_numbers(at, "velocity", "3 numbers in au/day", body->v, 3, err);
    for (int k = 0; k < 3; k++) {
        body->x[k] *= au;
        body->v[k] *= p.node ? au / year * solar_mass() / body->mass : au / day;
    }
    return status;
}

/* half_axes <- those of the ellipsoid with these moments I [solar masses au^2]. */
static ph_status find_axes(const ph_node *at, const double I[3], ph_grit_body *body, ph_error *err)
{
    for (int k = 0; k < 3; k++) {
        const double square =
            2.5 * (I[(k + 1) % 3] + I[(k + 2) % 3] - I[k]) * solar_mass() * au * au / body->mass;
        if (!(square > 0))
            return ph_node_fail(
                at, err, PH_E_RANGE,
                "is [%g, %g, %g]; each moment of a body is less than the sum of the two others", I[0], I[1],
                I[2]);
        body->half_axes[k] = sqrt(square);
    }
    return PH_OK;
}

static ph_status read_shape(const ph_node *at, ph_grit_body *body, ph_error *err)
{
    const ph_node oblateness = ph_node_find(at, "oblateness"), tensor = ph_node_find(at, "inertia_tensor"),
                  axes = ph_node_find(at, "semi_axes");
    double f = 0, I[3];
    ph_status status;
    if (oblateness.node) {
        status = ph_node_number(&oblateness, "a number from 0 to below 1", &f, err);
        if (!status && !(f < 1))
            status = ph_node_fail(&oblateness, err, PH_E_RANGE, "is %g; a number below 1 is expected", f);
        body->half_axes[0] = body->half_axes[1] = body->radius / ph_cbrt(1 - f);
        body->half_axes[2] = body->half_axes[0] * (1 - f);
        body->symmetric = true;
        return status;
    }
    if (tensor.node) {
        status = ph_node_numbers(&tensor, "a list of 3 numbers", I, 3, err);
        return status ? status : find_axes(&tensor, I, body, err);
    }
    if (!axes.node)
        return ph_node_fail(
            at, err, PH_E_PARSE,
            "is rigid and has no shape; give \"oblateness\", \"semi_axes\" in km or \"inertia_tensor\"");
    status = ph_node_numbers(&axes, "a list of 3 numbers in km", body->half_axes, 3, err);
    for (int k = 0; k < 3 && !status; k++) {
        body->half_axes[k] *= 1000;
        if (!(body->half_axes[k] > 0))
            status = ph_node_fail(&axes, err, PH_E_RANGE, "has %g km; a positive half-axis is expected",
                                  body->half_axes[k] / 1000);
    }
    return status;
}

static ph_status read_attitude(const ph_node *at, ph_grit_body *body, ph_error *err)
{
    double angles[3], J[3];
    const ph_node R = ph_node_find(at, "_R"), p = ph_node_find(at, "_pi");
    if (R.node || p.node)
        return ph_node_fail(R.node ? &R : &p, err, PH_E_UNSUPPORTED,
                            "is of a system that GRIT has saved; give its init_system.json");
    ph_status status = read_numbers(at, "euler_angles", "3 angles in rad, R = Rx Rz Rx", angles, 3, err);
    if (!status)
        status = read_numbers(at, "angular_velocity", "3 numbers in rad/year, in the body's axes", J, 3, err);
    memcpy(body->R, identity, sizeof identity);
    if (!status) {
        turn_about(0, angles[0], body->R);
        turn_about(2, angles[1], body->R);
        turn_about(0, angles[2], body->R);
    }
    for (int k = 0; k < 3 && !status; k++)
        body->omega[k] = J[k] / year;
    return status;
}

static ph_status read_body(reading *f, const ph_node *at, ph_grit_body *body, ph_error *err)
{
    double mass = 0, km = 0;
    ph_status status = check_keys(f, at, body_keys, "a map, as in {\"name\": \"Earth\", ...},", err);
    if (!status && !ph_node_find(at, "name").node)
        status = ph_node_fail(at, err, PH_E_PARSE, "has no \"name\", which GRIT needs");
    if (!status)
        status = read_word(at, "name", body->name, sizeof body->name, err);
    if (!status)
        status = read_number(at, "mass", "a mass in solar masses", true, &mass, err);
    if (!status && !(mass > 0))
        status = ph_node_fail(at, err, PH_E_RANGE, "has the mass %g; a positive one is expected", mass);
    if (!status)
        status = read_number(at, "radius", "a length in km", true, &km, err);
    if (!status && !(km > 0))
        status = ph_node_fail(at, err, PH_E_RANGE, "has the radius %g km; a positive one is expected", km);
    if (status)
        return status;
    body->mass = mass * solar_mass();
    body->radius = 1000 * km;
    body->lagged = ph_node_find(at, "time_lag").node && ph_node_find(at, "Q").node;
    status = read_place(at, body, err);
    if (!status)
        status = read_flag(at, "rigid", &body->rigid, err);
    if (!status && body->rigid)
        status = read_shape(at, body, err);
    if (!status && body->rigid)
        status = read_flag(at, "symmetric", &body->symmetric, err);
    return status || !body->rigid ? status : read_attitude(at, body, err);
}

static ph_status read_bodies(reading *f, const ph_node *root, ph_error *err)
{
    const ph_node list = ph_node_find(root, "body");
    if (!list.node)
        return ph_node_fail(root, err, PH_E_PARSE, "has no \"body\", a list of bodies");
    ph_status status = ph_node_list(&list, "a list of bodies", &f->c.n, err);
    if (!status && f->c.n < 2)
        status =
            ph_node_fail(&list, err, PH_E_SIZE, "has %zu entries; at least two bodies are expected", f->c.n);
    if (status)
        return status;
    f->c.body = calloc(f->c.n, sizeof *f->c.body);
    if (!f->c.body)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < f->c.n && !status; i++) {
        const ph_node item = ph_node_item(&list, i);
        status = read_body(f, &item, &f->c.body[i], err);
    }
    return status;
}

/* Velocities against the barycentre. */
static void bring_to_rest(ph_grit_case *c)
{
    double v[3] = {0}, total = 0;
    for (size_t i = 0; i < c->n; i++) {
        total += c->body[i].mass;
        for (int k = 0; k < 3; k++)
            v[k] += c->body[i].mass * c->body[i].v[k];
    }
    for (size_t i = 0; i < c->n; i++)
        for (int k = 0; k < 3; k++)
            c->body[i].v[k] -= v[k] / total;
}

/* ---- The files ----------------------------------------------------------------------------------------- */

static ph_status read_parameters(reading *f, const ph_node *root, ph_error *err)
{
    static const char *const schemes[] = {"default", "T2", "T4", "T6", "M42", "M642", "K2", "RK4"};
    double step = 0, gaps = 0, order = 2;
    ph_grit_case *c = &f->c;
    const ph_node at = ph_node_find(root, "parameters");
    if (!at.node)
        return ph_node_fail(root, err, PH_E_PARSE, "has no \"parameters\", a map");
    c->tides = c->relativity = true; /* GRIT's defaults */
    memcpy(c->scheme, "default", sizeof "default");
    ph_status status = check_keys(f, &at, parameter_keys, "a map", err);
    if (!status)
        status = read_number(&at, "step_size", "a time in years", true, &step, err);
    if (!status && !(step > 0))
        status = ph_node_fail(&at, err, PH_E_RANGE,
                              "has the step_size %g; a positive time in years is expected", step);
    if (!status)
        status = read_number(&at, "output_gaps", "a number of steps", true, &gaps, err);
    if (!status && !(gaps >= 1))
        status =
            ph_node_fail(&at, err, PH_E_RANGE, "has the output_gaps %g; a number >= 1 is expected", gaps);
    if (!status)
        status = read_number(&at, "potential_order", "2 or 4", false, &order, err);
    if (!status && order != 2 && order != 4)
        status = ph_node_fail(&at, err, PH_E_RANGE, "has the potential_order %g; 2 or 4 is expected", order);
    if (!status)
        status = read_flag(&at, "tide", &c->tides, err);
    if (!status)
        status = read_flag(&at, "GR", &c->relativity, err);
    if (!status)
        status = read_word(&at, "scheme", c->scheme, sizeof c->scheme, err);
    c->step = step * year;
    c->interval = gaps * c->step;
    if (status)
        return status;
    c->order = (size_t)order;
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (!strcmp(schemes[i], c->scheme))
            return PH_OK;
    ph_fail_unknown(err, "scheme", c->scheme, schemes, sizeof schemes / sizeof schemes[0]);
    return ph_node_blame(&at, err, PH_E_UNKNOWN);
}

/* *file <- parsed; its text may be freed. */
static ph_status parse(const char *path, ph_yaml **file, ph_error *err)
{
    char *text;
    size_t length;
    ph_status status = ph_text_slurp(path, ph_yaml_longest, &text, &length, err);
    if (status) {
        ph_error inner = {.message = ""};
        if (err)
            inner = *err;
        return strstr(inner.message, path) ? status
                                           : ph_fail(err, status, "%.200s: %.250s", path, inner.message);
    }
    status = ph_yaml_parse(text, length, ph_yaml_longest, path, file, err);
    free(text);
    return status;
}

static ph_status read_target(reading *f, ph_error *err)
{
    char path[1100];
    const char *slash = strrchr(f->c.file, '/');
    ph_yaml *file = NULL;
    double target = 0;
    f->c.end = NAN;
    snprintf(path, sizeof path, "%.*starget_time.json", slash ? (int)(slash + 1 - f->c.file) : 0, f->c.file);
    if (access(path, F_OK))
        return PH_OK;
    ph_status status = parse(path, &file, err);
    if (status)
        return status;
    const ph_node root = ph_yaml_root(file);
    status = read_number(&root, "target_time", "a time in years", true, &target, err);
    f->c.end = target * year;
    if (!status && !(f->c.end > f->c.start))
        status = ph_node_fail(&root, err, PH_E_RANGE,
                              "has the target_time %g; a time after the start, %g years, is expected", target,
                              f->c.start / year);
    ph_yaml_free(file);
    return status;
}

static ph_status read_system(reading *f, ph_error *err)
{
    ph_yaml *file = NULL;
    double start = 0;
    ph_status status = parse(f->c.file, &file, err);
    if (status)
        return status;
    const ph_node root = ph_yaml_root(file);
    status = check_keys(f, &root, system_keys, "a map with \"body\" and \"parameters\"", err);
    if (!status)
        status = read_word(&root, "system_name", f->c.name, sizeof f->c.name, err);
    if (!status)
        status = read_number(&root, "current_time", "a time in years", false, &start, err);
    f->c.start = start * year;
    if (!status)
        status = read_parameters(f, &root, err);
    if (!status)
        status = read_bodies(f, &root, err);
    ph_yaml_free(file);
    return status;
}

ph_status ph_grit_read(const char *path, ph_grit_case *of, ph_remarks *words, ph_error *err)
{
    reading f = {.words = words};
    if (strlen(path) >= sizeof f.c.file)
        return ph_fail(err, PH_E_RANGE, "the path \"%.100s...\" is too long", path);
    snprintf(f.c.file, sizeof f.c.file, "%s", path);
    f.c.G = PH_GRAVITY_CONSTANT;
    ph_status status = read_system(&f, err);
    if (!status)
        status = read_target(&f, err);
    if (status) {
        ph_grit_release(&f.c);
        return status;
    }
    bring_to_rest(&f.c);
    *of = f.c;
    return PH_OK;
}

void ph_grit_release(ph_grit_case *of)
{
    if (!of)
        return;
    free(of->body);
    of->body = NULL;
    of->n = 0;
}
