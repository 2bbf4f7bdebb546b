/* SPDX-License-Identifier: BSD-3-Clause */
/* A case of GUBAS as a scenario of the model `binary`: x = Cc r, R_A = Cc, R_B = Cc C, velocities likewise,
 * angular velocities in each body's own axes. */
#include "gubas.h"

#include <polhode/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

double count_steps(const ph_gubas_case *c)
{
    const double ratio = (c->end - c->start) / c->step, whole = nearbyint(ratio);
    return fabs(ratio - whole) < 1e-9 * fmax(1, whole) ? whole : ceil(ratio);
}

/* *values gets one more. */
static ph_status append(const char *path, const char *word, double **values, size_t *n, ph_error *err)
{
    double *longer = realloc(*values, (*n + 1) * sizeof **values);
    if (!longer)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *values = longer;
    return ph_parse_number(word, &longer[(*n)++])
               ? ph_fail(err, PH_E_PARSE, "%s: \"%s\" is not a time in s", path, word)
               : PH_OK;
}

ph_status read_times(const ph_gubas_case *c, double **values, size_t *n, ph_error *err)
{
    char path[2048], word[64];
    size_t used = 0;
    int next;
    ph_status status = PH_OK;
    snprintf(path, sizeof path, "%s%s", *c->times == '/' ? "" : c->folder, c->times);
    FILE *in = fopen(path, "r");
    *values = NULL;
    *n = 0;
    if (!in)
        return ph_fail(err, PH_E_IO, "%s: the list of times cannot be opened", path);
    do {
        next = getc(in);
        if (next != EOF && !strchr(", \t\r\n", next)) {
            if (used + 1 < sizeof word)
                word[used++] = (char)next;
            continue;
        }
        word[used] = '\0';
        if (used)
            status = append(path, word, values, n, err);
        used = 0;
    } while (next != EOF && !status);
    fclose(in);
    if (!status && !*n)
        status = ph_fail(err, PH_E_PARSE, "%s: the list of times is empty", path);
    if (status) {
        free(*values);
        *values = NULL;
    }
    return status;
}

/* ---- Parts --------------------------------------------------------------------------------------------- */

/* The path of a file of the case as the scenario must have it. */
static void put_path(FILE *out, const ph_gubas_case *c, const char *name, const char *output)
{
    char path[2048], *whole = NULL;
    const char *slash = output ? strrchr(output, '/') : NULL;
    const size_t n = slash ? (size_t)(slash + 1 - output) : 0;
    if (*name == '/' || (n == strlen(c->folder) && !strncmp(c->folder, output ? output : "", n))) {
        put_yaml_text(out, name); /* both are in one folder */
        return;
    }
    snprintf(path, sizeof path, "%s%s", c->folder, name);
    if (slash)
        whole = realpath(path, NULL);
    put_yaml_text(out, whole ? whole : path);
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
        put_yaml_number(out, M);
        fputs("]}, inertia: ", out);
        put_yaml_numbers(out, J, 3);
    } else {
        const double T[10] = {M, 0, M * a[2] * a[2] / 5, 0, 0, M * a[1] * a[1] / 5, 0,
                              0, 0, M * a[0] * a[0] / 5};
        fputs("{moments: {degree: 2, T: ", out);
        put_yaml_numbers(out, T, 10);
        fputs("}", out);
    }
    fputs(", radius: ", out);
    put_yaml_number(out, mass->radius);
}

double tide_radius(const ph_gubas_body *body, const ph_mass *mass)
{
    const double ball = cbrt(mass->moment[0] / (body->density * 4.1887902047863909846));
    return pow(pow(ball, 6) / body->reference, 0.2);
}

/* The law of tides takes lags up to pi/4; sin(2 lag) is what counts. */
static void put_tide(FILE *out, const ph_gubas_body *body, const ph_mass *mass)
{
    const double lag = asin(fmax(0, sin(2 * body->lag))) / 2;
    if (!(body->love > 0 && lag > 0 && body->reference > 0))
        return;
    fputs(", tide: {love: ", out);
    put_yaml_number(out, body->love);
    fputs(", lag: ", out);
    put_yaml_number(out, fabs(lag - body->lag) < 1e-15 ? body->lag : lag);
    fputs(", radius: ", out);
    put_yaml_number(out, tide_radius(body, mass));
    fputs(", density: ", out);
    put_yaml_number(out, body->density);
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
        put_yaml_number(out, body->density);
        if (body->shape == PH_GUBAS_POLYHEDRON) {
            fputs(", vertices: ", out);
            put_path(out, c, body->vertices, output);
            fputs(", faces: ", out);
            put_path(out, c, body->faces, output);
        } else if (body->shape == PH_GUBAS_ELLIPSOID) {
            fputs(", half-axes: ", out);
            put_yaml_numbers(out, body->half_axes, 3);
        } else {
            fputs(", radius: ", out);
            put_yaml_number(out, body->half_axes[0]);
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
        put_yaml_numbers(out, list, n);
        fputs("\n", out);
    }
    if (c->hill && n == 1)
        fputs("  given_far: 1\n", out);
}

static void turn(const double R[9], const double in[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * in[0] + R[3 * i + 1] * in[1] + R[3 * i + 2] * in[2] + 0.0; /* no -0 */
}

static void multiply(const double A[9], const double B[9], double AB[9])
{
    for (int i = 0; i < 9; i++)
        AB[i] = A[i / 3 * 3] * B[i % 3] + A[i / 3 * 3 + 1] * B[3 + i % 3] + A[i / 3 * 3 + 2] * B[6 + i % 3];
}

static void put_initial(FILE *out, const ph_gubas_case *c)
{
    const ph_gubas_state *s = &c->state;
    const double *C = s->C, Ct[9] = {C[0], C[3], C[6], C[1], C[4], C[7], C[2], C[5], C[8]};
    double x[3], v[3], omega_b[3], R_B[9], q[4];
    turn(s->Cc, s->r, x);
    turn(s->Cc, s->v, v);
    turn(Ct, s->omega_b, omega_b);
    multiply(s->Cc, C, R_B);
    fputs(
        "initial: # B relative to A, in axes that do not turn (GUBAS's N); attitudes as quaternions (w, x, y, z)\n",
        out);
    if (c->start != 0) {
        fputs("  time: ", out);
        put_yaml_number(out, c->start);
        fputs("\n", out);
    }
    fputs("  q:     [", out);
    put_yaml_numbers(out, x, 3);
    fputs(", ", out);
    quaternion_of(s->Cc, q);
    put_yaml_numbers(out, q, 4);
    fputs(", ", out);
    quaternion_of(R_B, q);
    put_yaml_numbers(out, q, 4);
    fputs("]\n  omega: [", out);
    put_yaml_numbers(out, v, 3);
    fputs(", ", out);
    put_yaml_numbers(out, s->omega_a, 3);
    fputs(", ", out);
    put_yaml_numbers(out, omega_b, 3);
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
    if (c->interval == -1) {
        double *times;
        size_t n;
        ph_status status = read_times(c, &times, &n, err);
        if (status)
            return status;
        fputs("output: {at: ", out);
        put_yaml_numbers(out, times, n);
        fputs("}\n", out);
        free(times);
    } else if (c->interval > 0) {
        fputs("output: {interval: ", out);
        put_yaml_number(out, c->interval);
        fputs("}\n", out);
    } else {
        fputs("output: {every: 1}\n", out);
    }
    return PH_OK;
}

ph_status put_gubas_scenario(FILE *out, const ph_gubas_case *c, const ph_gubas_solid solid[2],
                             const char *output, const remarks *words, ph_error *err)
{
    fprintf(out, "# From GUBAS: %s, by polhode gubas. SI units.\n", c->file);
    print_remarks(words, out, "# ", "- ");
    fputs("polhode: 1\nmodel: binary\nparameters:\n  bodies:\n", out);
    for (size_t i = 0; i < 2; i++)
        put_body(out, c, i, &solid[i].mass, output);
    fprintf(out, "  order: %zu\n  G: ", c->order);
    put_yaml_number(out, c->G);
    fputs("\n", out);
    put_given(out, c);
    put_initial(out, c);
    fprintf(out, "method: %s\nstep: ", method_of(c->integrator));
    put_yaml_number(out, c->step);
    fprintf(out, "\nsteps: %.0f\n", count_steps(c));
    return put_output(out, c, err);
}
