/* SPDX-License-Identifier: BSD-3-Clause */
/* A case of GUBAS: its values as they are read, what each case must fulfil, remarks on what looks like wrong units; its bodies as
 * they are, with signed volumes, the centre of mass in the origin, all moments up to the order of the case, the whole inertia
 * tensor. */
#include "gubas.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/text.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- Values -------------------------------------------------------------------------------------------- */

const ph_gubas_range ph_gubas_shapes = {0, 2, "0 is a sphere, 1 an ellipsoid, 2 a polyhedron"},
                     ph_gubas_integrators = {1, 4, "1 is RK4, 2 LGVI, 3 RK 7(8), 4 Adams-Bashforth-Moulton"},
                     ph_gubas_orders = {0, 8, "it must be from 0 to 8"},
                     ph_gubas_toggle = {0, 1, "0 or 1 is expected"};

/* *flag <- what Python's configparser takes for one. */
static bool read_flag(const char *text, double *flag)
{
    static const char *const words[] = {"0", "no", "false", "off", "1", "yes", "true", "on"};
    for (size_t k = 0; k < 8; k++)
        if (!strcasecmp(words[k], text)) {
            *flag = k >= 4;
            return true;
        }
    return false;
}

ph_status ph_gubas_take(const ph_lines *l, const ph_gubas_value *value, const char *text, ph_gubas_raw *raw,
                        ph_error *err)
{
    char *const at = (char *)raw + value->offset;
    double *const number = (double *)(void *)at; /* the members of all kinds but texts are doubles */
    int64_t count;
    const char *wrong = NULL;
    ph_status status = PH_E_PARSE;
    if (value->kind == PH_GUBAS_TEXT) {
        if (strlen(text) >= (size_t)value->unit)
            wrong = "a shorter name is expected";
        else
            memcpy(at, text, strlen(text) + 1);
    } else if (value->kind == PH_GUBAS_FLAG) {
        wrong = read_flag(text, number) ? NULL : ph_gubas_toggle.right;
    } else if (value->kind == PH_GUBAS_WHOLE) {
        if (ph_parse_count(text, &count)) {
            wrong = "a whole number is expected";
        } else {
            const ph_gubas_range *range = value->range;
            *number = (double)count;
            if (range && !(*number >= range->least && *number <= range->most)) {
                status = PH_E_RANGE;
                wrong = range->right;
            }
        }
    } else if (ph_parse_number(text, number)) {
        wrong = strpbrk(text, "#;") ? "a number is expected; a comment needs a separate line, also for GUBAS"
                                    : "a number is expected";
    } else {
        *number *= value->unit;
    }
    return wrong ? ph_fail(err, status, "%s:%zu: %s is \"%.40s\"; %s", l->path, l->number, value->name, text,
                           wrong)
                 : PH_OK;
}

void ph_gubas_assemble(ph_gubas_raw *raw)
{
    ph_gubas_case *of = &raw->of;
    for (size_t i = 0; i < 2; i++) {
        ph_gubas_body *body = &of->body[i];
        body->shape = (ph_gubas_shape)raw->shape[i];
        body->order = (size_t)raw->order[i];
        if (body->shape == PH_GUBAS_SPHERE) /* the first for all, as GUBAS */
            body->half_axes[1] = body->half_axes[2] = body->half_axes[0];
    }
    of->order = of->body[0].order > of->body[1].order ? of->body[0].order : of->body[1].order;
    of->asked_order = raw->asked < 0 ? of->order : (size_t)raw->asked;
    of->integrator = (ph_gubas_integrator)raw->integrator;
    of->read_integrals = raw->generate == 0;
    of->planet.on = raw->planet != 0;
    of->sun.on = raw->sun != 0;
    of->hill = raw->hill != 0;
    of->tides = raw->tides != 0;
    of->hill_radius = raw->orbit_radius * raw->au;
}

/* ---- Paths --------------------------------------------------------------------------------------------- */

ph_status ph_gubas_locate(const char *path, ph_gubas_case *of, ph_error *err)
{
    const char *slash = strrchr(path, '/');
    if (strlen(path) >= sizeof of->file)
        return ph_fail(err, PH_E_RANGE, "the path \"%.100s...\" is too long", path);
    snprintf(of->file, sizeof of->file, "%s", path);
    snprintf(of->folder, sizeof of->folder, "%.*s", slash ? (int)(slash + 1 - path) : 0, path);
    return PH_OK;
}

ph_status ph_gubas_beside(const ph_gubas_case *of, const char *name, char *to, size_t size, ph_error *err)
{
    const int n = snprintf(to, size, "%s%s", *name == '/' ? "" : of->folder, name);
    return n >= 0 && (size_t)n < size ? PH_OK
                                      : ph_fail(err, PH_E_RANGE, "the path of \"%.100s\" is too long", name);
}

/* ---- Doubts -------------------------------------------------------------------------------------------- */

/* The largest half-axis; not of a polyhedron, whose shape is not known here: whoever reads it can look for an overlap. */
static double reach(const ph_gubas_body *body)
{
    const double *a = body->half_axes;
    return body->shape == PH_GUBAS_SPHERE      ? a[0]
           : body->shape == PH_GUBAS_ELLIPSOID ? fmax(a[0], fmax(a[1], a[2]))
                                               : -INFINITY;
}

static void doubt(const ph_gubas_case *of, ph_remarks *words)
{
    const double distance = ph_norm3(of->state.r), speed = ph_norm3(of->state.v);
    const double size = reach(&of->body[0]) + reach(&of->body[1]);
    if (distance < size)
        ph_remark(
            words, "the bodies overlap: their centres are %g m apart, %.3g of the sum of their radii, %g m%s",
            distance, distance / size, size,
            1000 * distance > size && distance < size / 20 ? "; is the position in km? GUBAS needs m" : "");
    for (size_t i = 0; i < 2; i++) {
        const double rho = of->body[i].density;
        if (rho < 100 || rho > 30000)
            ph_remark(words, "the density of the %s is %g kg/m^3%s", i ? "secondary" : "primary", rho,
                      rho > 3e5 ? ": is it in kg/m^3 in the configuration? GUBAS needs g/cm^3" : "");
    }
    const double a = of->body[0].half_axes[0], b = of->body[0].half_axes[1], c = of->body[0].half_axes[2];
    const double volume = of->body[0].shape == PH_GUBAS_SPHERE ? a * a * a : a * b * c;
    if (of->body[0].shape == PH_GUBAS_POLYHEDRON || !(speed > 0))
        return;
    const double circular = sqrt(of->G * of->body[0].density * 4.1887902047863905 * volume / distance);
    if (speed > 1.5 * circular)
        ph_remark(words, "the velocity, %g m/s, is above that of escape from the primary, %g m/s: no orbit",
                  speed, 1.4142135623730951 * circular);
    else if (speed < circular / 100)
        ph_remark(words, "the velocity, %g m/s, is %.3g of that of a circular orbit%s", speed,
                  speed / circular, speed > circular / 2000 ? "; is it in km/s? GUBAS needs m/s" : "");
}

/* ---- What every case must fulfil ----------------------------------------------------------------------- */

static ph_status check_positive(const char *path, const char *what, double value, ph_error *err)
{
    return value > 0 && isfinite(value)
               ? PH_OK
               : ph_fail(err, PH_E_RANGE, "%s: %s is %g; it must be positive", path, what, value);
}

static ph_status check_rotation(const char *path, const char *what, const double R[9], ph_error *err)
{
    double worst = 0;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            double product = i == k ? -1 : 0;
            for (size_t j = 0; j < 3; j++)
                product += R[3 * i + j] * R[3 * k + j];
            worst = fmax(worst, fabs(product));
        }
    const double det = ph_determinant3(R);
    if (worst < 1e-6 && det > 0)
        return PH_OK;
    return ph_fail(
        err, PH_E_RANGE,
        "%s: the matrix \"%s\" is not a rotation: R R^T differs from 1 by %.3g, its determinant is %.6g",
        path, what, worst, det);
}

static ph_status check_body(const char *path, const ph_gubas_body *body, const char *letter, ph_error *err)
{
    char what[64];
    snprintf(what, sizeof what, "the density of %s", letter);
    ph_status status = check_positive(path, what, body->density, err);
    const size_t n = body->shape == PH_GUBAS_POLYHEDRON ? 0 : 3;
    for (size_t k = 0; k < n && !status; k++) {
        snprintf(what, sizeof what, "half-axis %zu of %s", k + 1, letter);
        status = check_positive(path, what, body->half_axes[k], err);
    }
    return status;
}

static ph_status check_orbit(const char *path, const ph_gubas_orbit *orbit, const char *whose, ph_error *err)
{
    char what[64];
    if (!orbit->on)
        return PH_OK;
    snprintf(what, sizeof what, "the mass of the %s", whose);
    ph_status status = check_positive(path, what, orbit->mass, err);
    const double a = orbit->semimajor_axis, e = orbit->eccentricity;
    if (!status && !(e >= 0 && e != 1 && a * (1 - e) > 0))
        status = ph_fail(
            err, PH_E_RANGE,
            "%s: the orbit of the %s has a semimajor axis of %g km and the eccentricity %g; an ellipse has a "
            "positive axis and an eccentricity below 1, a hyperbola a negative axis and one above 1",
            path, whose, a / 1000, e);
    return status;
}

ph_status ph_gubas_check(const ph_gubas_case *of, ph_remarks *words, ph_error *err)
{
    const char *path = of->file;
    ph_status status = check_positive(path, "G", of->G, err);
    if (!status)
        status = check_body(path, &of->body[0], "the primary", err);
    if (!status)
        status = check_body(path, &of->body[1], "the secondary", err);
    if (!status)
        status = check_rotation(path, "B into A", of->state.C, err);
    if (!status)
        status = check_rotation(path, "A into N", of->state.Cc, err);
    if (!status && strchr(of->name, '/'))
        status = ph_fail(
            err, PH_E_RANGE,
            "%.200s: Case Name is \"%s\"; the files that GUBAS writes have it in their names, where a \"/\" "
            "would lead elsewhere: choose a name without it",
            path, of->name);
    if (!status && !(of->end > of->start))
        status = ph_fail(err, PH_E_RANGE, "%s: the final time, %g s, is not after the start time, %g s", path,
                         of->end, of->start);
    if (!status) /* RK 7(8) has others, but a scenario begins with it */
        status = check_positive(path, "the time step", of->step, err);
    if (!status && !(of->end + of->step > of->end && of->start + of->step > of->start))
        status = ph_fail(err, PH_E_RANGE,
                         "%s: the time step, %g s, is lost in the rounding of times from %g s to %g s", path,
                         of->step, of->start, of->end);
    if (!status && of->integrator == PH_GUBAS_RK78)
        status = check_positive(path, "the tolerance", of->tolerance, err);
    if (!status && of->interval < 0 && of->interval != -1)
        status = ph_fail(
            err, PH_E_RANGE,
            "%s: the output frequency is %g s; it is an interval in s, 0 for each step or -1 for a list",
            path, of->interval);
    if (!status && !(ph_norm3(of->state.r) > 0))
        status = ph_fail(err, PH_E_RANGE, "%s: the bodies are at the same place", path);
    if (!status)
        status = check_orbit(path, &of->planet, "flyby's body", err);
    if (!status)
        status = check_orbit(path, &of->sun, "Sun", err);
    if (!status && of->hill)
        status = check_positive(path, "the radius of the solar orbit", of->hill_radius, err);
    if (!status)
        doubt(of, words);
    return status;
}

/* ---- Bodies -------------------------------------------------------------------------------------------- */

/* [m^3] of the sphere of radius 1 */
static const double ball = 4.1887902047863909846;

/* body <- without its degrees from `first` on. */
static void cut(size_t first, ph_mass *body)
{
    for (size_t i = first * first; i < PH_MASS_MOMENTS; i++)
        body->moment[i] = 0;
}

static double absolute_volume(const ph_mesh *mesh)
{
    double volume = 0;
    for (size_t f = 0; f < mesh->faces; f++) {
        double corners[9];
        for (size_t i = 0; i < 9; i++)
            corners[i] = mesh->vertex[3 * mesh->face[3 * f + i / 3] + i % 3];
        volume += fabs(ph_determinant3(corners)) / 6;
    }
    return volume;
}

static ph_status make_polyhedron(const ph_gubas_case *of, const ph_gubas_body *body, ph_gubas_solid *to,
                                 ph_error *err)
{
    char vertices[2048], faces[2048];
    ph_shape *shape = NULL;
    ph_status status = ph_gubas_beside(of, body->vertices, vertices, sizeof vertices, err);
    if (!status)
        status = ph_gubas_beside(of, body->faces, faces, sizeof faces, err);
    if (!status)
        status = ph_shape_read_tables(vertices, faces, 1, &shape, err);
    if (status)
        return status;
    const ph_mesh mesh = ph_shape_mesh(shape);
    to->absolute = body->density * absolute_volume(&mesh);
    status = ph_mass_polyhedron(&mesh, body->density, &to->mass, &to->turned, err);
    if (!status) {
        ph_mass_center(&to->mass, to->center);
    } else if (err) {
        const ph_error inner = *err;
        ph_fail(err, status, "%.200s: %.250s", faces, inner.message);
    }
    ph_shape_free(shape);
    return status;
}

ph_status ph_gubas_solid_of(const ph_gubas_case *of, size_t i, ph_gubas_solid *to, ph_error *err)
{
    const ph_gubas_body *body = &of->body[i];
    const double *a = body->half_axes;
    memset(to, 0, sizeof *to);
    if (body->shape == PH_GUBAS_POLYHEDRON)
        return make_polyhedron(of, body, to, err);
    if (body->shape == PH_GUBAS_SPHERE)
        return ph_mass_sphere(body->density * ball * a[0] * a[0] * a[0], a[0], &to->mass, err);
    ph_status status = ph_mass_ellipsoid(body->density * ball * a[0] * a[1] * a[2], a, &to->mass, err);
    if (!status && body->order < 4)
        cut(body->order ? 3 : 1, &to->mass);
    return status;
}

/* ---- What follows from it ---------------------------------------------------------------------------- */

double ph_gubas_steps(const ph_gubas_case *c)
{
    const double ratio = (c->end - c->start) / c->step, whole = nearbyint(ratio);
    return fabs(ratio - whole) < 1e-9 * fmax(1, whole) ? whole : ceil(ratio);
}

double ph_gubas_tide_radius(const ph_gubas_body *body, const ph_mass *mass)
{
    const double radius = ph_cbrt(mass->moment[0] / (body->density * ball));
    return ph_pow(ph_pow(radius, 6) / body->reference, 0.2);
}
