/* SPDX-License-Identifier: BSD-3-Clause */
/* A case of GUBAS from whichever of its files is there; what any of them must fulfil, and what looks like wrong units. */
#define _POSIX_C_SOURCE 200809L
#include "case.h"

#include "lib/shape/shape.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void ph_gubas_turn(const double R[9], const double in[3], double out[3])
{
    for (size_t i = 0; i < 3; i++)
        out[i] = R[3 * i] * in[0] + R[3 * i + 1] * in[1] + R[3 * i + 2] * in[2];
}

void ph_gubas_turn_back(const double R[9], const double in[3], double out[3])
{
    for (size_t i = 0; i < 3; i++)
        out[i] = R[i] * in[0] + R[3 + i] * in[1] + R[6 + i] * in[2];
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

/* ---- What every case must fulfil -------------------------------------------------------------------------- */

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
    if (!status && !(of->end > of->start))
        status = ph_fail(err, PH_E_RANGE, "%s: the final time, %g s, is not after the start time, %g s", path,
                         of->end, of->start);
    if (!status && of->integrator != PH_GUBAS_RK78)
        status = check_positive(path, "the time step", of->step, err);
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

/* ---- Doubts ------------------------------------------------------------------------------------------------- */

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The largest half-axis; 0 of a polyhedron, whose shape is not known here. */
static double reach(const ph_gubas_body *body)
{
    const double *a = body->half_axes;
    return body->shape == PH_GUBAS_SPHERE      ? a[0]
           : body->shape == PH_GUBAS_ELLIPSOID ? fmax(a[0], fmax(a[1], a[2]))
                                               : 0;
}

void ph_gubas_doubt(const ph_gubas_case *of, const ph_gubas_remarks *remarks)
{
    const double distance = norm(of->state.r), speed = norm(of->state.v);
    const double size = reach(&of->body[0]) + reach(&of->body[1]);
    if (distance < size)
        ph_gubas_say(
            remarks,
            "the bodies overlap: their centres are %g m apart, %.3g of the sum of their radii, %g m%s",
            distance, distance / size, size,
            1000 * distance > size && distance < size / 20 ? "; is the position in km? GUBAS needs m" : "");
    for (size_t i = 0; i < 2; i++) {
        const double rho = of->body[i].density;
        if (rho < 100 || rho > 30000)
            ph_gubas_say(remarks, "the density of the %s is %g kg/m^3%s", i ? "secondary" : "primary", rho,
                         rho > 3e5 ? ": is it in kg/m^3 in the configuration? GUBAS needs g/cm^3" : "");
    }
    const double a = of->body[0].half_axes[0], b = of->body[0].half_axes[1], c = of->body[0].half_axes[2];
    const double volume = of->body[0].shape == PH_GUBAS_SPHERE ? a * a * a : a * b * c;
    if (of->body[0].shape == PH_GUBAS_POLYHEDRON || !(speed > 0))
        return;
    const double circular = sqrt(of->G * of->body[0].density * 4.1887902047863905 * volume / distance);
    if (speed > 1.5 * circular)
        ph_gubas_say(remarks,
                     "the velocity, %g m/s, is above that of escape from the primary, %g m/s: no orbit",
                     speed, 1.4142135623730951 * circular);
    else if (speed < circular / 100)
        ph_gubas_say(remarks, "the velocity, %g m/s, is %.3g of that of a circular orbit%s", speed,
                     speed / circular, speed > circular / 2000 ? "; is it in km/s? GUBAS needs m/s" : "");
}

/* ---- Which file ----------------------------------------------------------------------------------------------- */

/* Has the file a line that begins a section? */
static ph_status is_config(const char *path, bool *is, ph_error *err)
{
    ph_lines lines;
    ph_status status = ph_lines_open(&lines, path, err);
    if (status)
        return status;
    *is = false;
    while (!*is && ph_lines_next(&lines))
        *is = *lines.line == '[';
    return ph_lines_close(&lines, PH_OK, err);
}

/* to (size) <- the file that is meant: in a directory the configuration, or else what GUBAS made of it. */
static ph_status find(const char *path, char *to, size_t size, ph_error *err)
{
    static const char *const names[] = {"hou_config.cfg", "ic_input.txt"};
    struct stat seen;
    if (strlen(path) + 32 > size)
        return ph_fail(err, PH_E_RANGE, "the path \"%.100s...\" is too long", path);
    snprintf(to, size, "%s", path);
    if (stat(path, &seen) || !S_ISDIR(seen.st_mode))
        return PH_OK;
    for (size_t i = 0; i < 2; i++) {
        snprintf(to, size, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", names[i]);
        if (!access(to, F_OK))
            return PH_OK;
    }
    return ph_fail(err, PH_E_IO, "%s has neither %s nor %s", path, names[0], names[1]);
}

ph_status ph_gubas_read(const char *path, ph_gubas_case *of, ph_gubas_remark *remark, void *to, ph_error *err)
{
    char file[1024];
    const ph_gubas_remarks remarks = {remark, to};
    bool config = true;
    ph_status status = find(path, file, sizeof file, err);
    if (!status)
        status = is_config(file, &config, err);
    if (!status)
        status =
            config ? ph_gubas_read_config(file, of, remark, to, err) : ph_gubas_read_input(file, of, err);
    if (!status)
        ph_gubas_doubt(of, &remarks);
    return status;
}
