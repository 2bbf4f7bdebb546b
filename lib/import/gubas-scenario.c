/* SPDX-License-Identifier: BSD-3-Clause */
/* A case of GUBAS as a scenario of the model `binary`: x = Cc r, R_A = Cc, R_B = Cc C, velocities likewise,
 * angular velocities in each body's own axes. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "gubas.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/text.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* {at: ...} with the numbers of the file of times. */
static ph_status put_times(FILE *out, const ph_gubas_case *c, ph_error *err)
{
    char path[2048];
    ph_lines lines;
    size_t n = 0;
    double t;
    ph_status status = ph_gubas_beside(c, c->times, path, sizeof path, err);
    if (!status)
        status = ph_lines_open(&lines, path, err);
    if (status)
        return status;
    fputs("output: {at: [", out);
    while (!status && ph_lines_next(&lines))
        for (char *at = lines.line, *word; !status && (word = ph_next_word(&at, ",")); n++) {
            if (ph_parse_number(word, &t))
                status = ph_lines_fail(&lines, err, "this is not a time in s", word);
            fputs(n ? ", " : "", out);
            ph_put_number(out, t);
        }
    ph_lines_close(&lines);
    fputs("]}\n", out);
    return status || n ? status : ph_fail(err, PH_E_PARSE, "%s: the list of times is empty", path);
}

/* ---- Parts --------------------------------------------------------------------------------------------- */

/* The path of a file of the case as the scenario must have it. */
static void put_path(FILE *out, const ph_gubas_case *c, const char *name, const char *output)
{
    char path[2048], *whole = NULL;
    const char *slash = output ? strrchr(output, '/') : NULL;
    const size_t n = slash ? (size_t)(slash + 1 - output) : 0;
    if (*name == '/' || (n == strlen(c->folder) && !strncmp(c->folder, output ? output : "", n))) {
        ph_put_quoted(out, name); /* both are in one folder */
        return;
    }
    snprintf(path, sizeof path, "%s%s", c->folder, name);
    if (slash)
        whole = realpath(path, NULL);
    ph_put_quoted(out, whole ? whole : path);
    free(whole);
}

/* As GUBAS was asked to: the mass alone, or degree 2 alone. Moments in the order of a, b, c, the last one
 * fastest. */
static void put_moments(FILE *out, const ph_gubas_body *body, const ph_mass *mass)
{
    const double M = mass->moment[0], *a = body->half_axes;
    if (body->order == 0) {
        const double J[3] = {mass->J[0], mass->J[4], mass->J[8]};
        fputs("{moments: {degree: 0, T: [", out);
        ph_put_number(out, M);
        fputs("]}, inertia: ", out);
        ph_put_numbers(out, J, 3);
    } else {
        const double T[10] = {M, 0, M * a[2] * a[2] / 5, 0, 0, M * a[1] * a[1] / 5, 0,
                              0, 0, M * a[0] * a[0] / 5};
        fputs("{moments: {degree: 2, T: ", out);
        ph_put_numbers(out, T, 10);
        fputs("}", out);
    }
    fputs(", radius: ", out);
    ph_put_number(out, mass->radius);
}

/* The law of tides takes lags up to pi/4; sin(2 lag) is what counts. */
static void put_tide(FILE *out, const ph_gubas_body *body, const ph_mass *mass)
{
    const double lag = ph_asin(fmax(0, ph_sin(2 * body->lag))) / 2;
    if (!(body->love > 0 && lag > 0 && body->reference > 0))
        return;
    fputs(", tide: {love: ", out);
    ph_put_number(out, body->love);
    fputs(", lag: ", out);
    ph_put_number(out, fabs(lag - body->lag) < 1e-15 ? body->lag : lag);
    fputs(", radius: ", out);
    ph_put_number(out, ph_gubas_tide_radius(body, mass));
    fputs(", density: ", out);
    ph_put_number(out, body->density);
    fputs("}", out);
}

static void put_body(FILE *out, const ph_gubas_case *c, size_t i, const ph_mass *mass, const char *output)
{
    const ph_gubas_body *body = &c->body[i];
    fputs("    - ", out);
    if (body->shape == PH_GUBAS_ELLIPSOID && body->order < 4 && (body->order == 0 || c->order > 2)) {
        put_moments(out, body, mass);
    } else {
        fputs("{density: ", out);
        ph_put_number(out, body->density);
        if (body->shape == PH_GUBAS_POLYHEDRON) {
            fputs(", vertices: ", out);
            put_path(out, c, body->vertices, output);
            fputs(", faces: ", out);
            put_path(out, c, body->faces, output);
        } else if (body->shape == PH_GUBAS_ELLIPSOID) {
            fputs(", half-axes: ", out);
            ph_put_numbers(out, body->half_axes, 3);
        } else {
            fputs(", radius: ", out);
            ph_put_number(out, body->half_axes[0]);
        }
    }
    if (c->tides)
        put_tide(out, body, mass);
    fprintf(out, "} # %s\n", i ? "B, the secondary" : "A, the primary");
}

/* Numbers of given bodies in a row. */
enum {
    GIVEN_MASS,
    GIVEN_AXIS,
    GIVEN_ECCENTRICITY,
    GIVEN_INCLINATION,
    GIVEN_NODE,
    GIVEN_PERIAPSIS,
    GIVEN_PASSAGE,
    GIVEN
};

static void fill_given(const ph_gubas_orbit *orbit, double given[GIVEN])
{
    const double row[GIVEN] = {orbit->mass, orbit->semimajor_axis, orbit->eccentricity, orbit->inclination,
                               orbit->node, orbit->argument,       orbit->periapsis};
    memcpy(given, row, sizeof row);
}

/* Planet and Sun; Hill's Sun is on a circle, at the start where -x is. */
static void put_given(FILE *out, const ph_gubas_case *c)
{
    static const char *const names[GIVEN] = {"mass", "axis",      "eccentricity", "inclination",
                                             "node", "periapsis", "passage"};
    double given[3][GIVEN], list[3];
    size_t n = 0;
    if (c->planet.on)
        fill_given(&c->planet, given[n++]);
    if (c->sun.on)
        fill_given(&c->sun, given[n++]);
    if (c->hill)
        fill_given(&(ph_gubas_orbit){.mass = c->hill_mass,
                                     .semimajor_axis = c->hill_radius,
                                     .argument = 3.14159265358979323846,
                                     .periapsis = c->start},
                   given[n++]);
    for (size_t k = 0; k < GIVEN && n; k++) {
        for (size_t i = 0; i < n; i++)
            list[i] = given[i][k];
        fprintf(out, "  given_%s: ", names[k]);
        ph_put_numbers(out, list, n);
        fputs("\n", out);
    }
    if (c->hill && n == 1)
        fputs("  given_far: 1\n", out);
}

/* Vectors of a row, "key: [[...], ...". */
static void put_vector(FILE *out, const char *before, const double x[3])
{
    const double clean[3] = {x[0] + 0.0, x[1] + 0.0, x[2] + 0.0}; /* no -0 */
    fputs(before, out);
    ph_put_numbers(out, clean, 3);
}

static void put_initial(FILE *out, const ph_gubas_case *c)
{
    const ph_gubas_state *s = &c->state;
    double x[3], v[3], omega_b[3], R_B[9];
    ph_apply3(s->Cc, s->r, x);
    ph_apply3(s->Cc, s->v, v);
    ph_apply_transposed3(s->C, s->omega_b, omega_b);
    ph_multiply3(s->Cc, s->C, R_B);
    fputs(
        "initial: # B relative to A, in axes that do not turn (GUBAS's N); attitudes as quaternions (w, x, y, z)\n",
        out);
    if (c->start != 0)
        ph_put_key(out, "  time", c->start);
    put_vector(out, "  q:     [", x);
    fputs(", ", out);
    ph_put_attitude(out, s->Cc);
    fputs(", ", out);
    ph_put_attitude(out, R_B);
    put_vector(out, "]\n  omega: [", v);
    put_vector(out, ", ", s->omega_a);
    put_vector(out, ", ", omega_b);
    fputs("]\n", out);
}

static const char *method_of(ph_gubas_integrator integrator)
{
    switch (integrator) {
    case PH_GUBAS_RK4:
        return "rk4";
    case PH_GUBAS_LGVI:
        return "variational";
    case PH_GUBAS_RK78:
        return "rk8";
    default:
        return "{name: multistep, order: 4}";
    }
}

static ph_status put_output(FILE *out, const ph_gubas_case *c, ph_error *err)
{
    if (c->interval == -1)
        return put_times(out, c, err);
    fputs(c->interval > 0 ? "output: {interval: " : "output: {every: ", out);
    ph_put_number(out, c->interval > 0 ? c->interval : 1);
    fputs("}\n", out);
    return PH_OK;
}

static ph_status put_scenario(const ph_gubas_case *c, ph_importing *to, ph_error *err)
{
    ph_gubas_solid solid[2];
    FILE *const out = to->out;
    ph_status status = PH_OK;
    for (size_t i = 0; i < 2 && !status; i++)
        status = ph_gubas_solid_of(c, i, &solid[i], err);
    if (status)
        return status;
    ph_gubas_differences(&to->words, c, solid);
    memcpy(to->to.name, c->name, sizeof c->name);
    ph_put_head(to, "GUBAS", c->file, "binary");
    for (size_t i = 0; i < 2; i++)
        put_body(out, c, i, &solid[i].mass, to->output);
    fprintf(out, "  order: %zu\n", c->order);
    ph_put_key(out, "  G", c->G);
    put_given(out, c);
    put_initial(out, c);
    fprintf(out, "method: %s\n", method_of(c->integrator));
    ph_put_key(out, "step", c->step);
    fprintf(out, "steps: %.0f\n", ph_gubas_steps(c));
    return put_output(out, c, err);
}

ph_status ph_import_gubas_config(const char *file, ph_importing *to, ph_error *err)
{
    ph_gubas_case c;
    ph_status status = ph_gubas_read_config(file, &c, &to->words, err);
    return status ? status : put_scenario(&c, to, err);
}

ph_status ph_import_gubas_input(const char *file, ph_importing *to, ph_error *err)
{
    ph_gubas_case c;
    ph_status status = ph_gubas_read_input(file, &c, &to->words, err);
    return status ? status : put_scenario(&c, to, err);
}
