/* SPDX-License-Identifier: BSD-3-Clause */
/* What any of GUBAS's files must fulfil, and what their readers share. */
#include "case.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ph_gubas_say(const ph_gubas_remarks *remarks, const char *format, ...)
{
    char text[1024];
    va_list args;
    if (!remarks->remark)
        return;
    va_start(args, format);
    if (vsnprintf(text, sizeof text, format, args) >= 0)
        remarks->remark(remarks->to, text);
    va_end(args);
}

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

ph_status ph_gubas_read_shape(const ph_gubas_case *of, const ph_gubas_body *body, ph_shape **shape,
                              ph_error *err)
{
    char vertices[2048], faces[2048];
    ph_status status = ph_gubas_beside(of, body->vertices, vertices, sizeof vertices, err);
    if (!status)
        status = ph_gubas_beside(of, body->faces, faces, sizeof faces, err);
    return status ? status : ph_shape_read_tables(vertices, faces, 1, shape, err);
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
    const double det = R[0] * (R[4] * R[8] - R[5] * R[7]) + R[1] * (R[5] * R[6] - R[3] * R[8]) +
                       R[2] * (R[3] * R[7] - R[4] * R[6]);
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

ph_status ph_gubas_check_name(const ph_gubas_case *of, ph_error *err)
{
    return strchr(of->name, '/')
               ? ph_fail(
                     err, PH_E_RANGE,
                     "%.200s: Case Name is \"%s\"; the files that GUBAS writes have it in their names, where a \"/\" "
                     "would lead elsewhere: choose a name without it",
                     of->file, of->name)
               : PH_OK;
}

ph_status ph_gubas_check(const char *path, const ph_gubas_case *of, ph_error *err)
{
    ph_status status = check_positive(path, "G", of->G, err);
    if (!status)
        status = check_body(path, &of->body[0], "the primary", err);
    if (!status)
        status = check_body(path, &of->body[1], "the secondary", err);
    if (!status)
        status = check_rotation(path, "B into A", of->state.C, err);
    if (!status)
        status = check_rotation(path, "A into N", of->state.Cc, err);
    if (!status)
        status = ph_gubas_check_name(of, err);
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
    if (!status && !(of->state.r[0] != 0 || of->state.r[1] != 0 || of->state.r[2] != 0))
        status = ph_fail(err, PH_E_RANGE, "%s: the bodies are at the same place", path);
    if (!status)
        status = check_orbit(path, &of->planet, "flyby's body", err);
    if (!status)
        status = check_orbit(path, &of->sun, "Sun", err);
    if (!status && of->hill)
        status = check_positive(path, "the radius of the solar orbit", of->hill_radius, err);
    return status;
}
