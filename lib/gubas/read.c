/* SPDX-License-Identifier: BSD-3-Clause */
/* A case of GUBAS from whichever of its files is there; remarks on what looks like wrong units. */
#define _POSIX_C_SOURCE 200809L
#include "case.h"

#include "lib/shape/shape.h"

#include <polhode/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Doubts -------------------------------------------------------------------------------------------- */

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The largest half-axis; not of a polyhedron, whose shape is not known here: whoever reads it can look for an overlap. */
static double reach(const ph_gubas_body *body)
{
    const double *a = body->half_axes;
    return body->shape == PH_GUBAS_SPHERE      ? a[0]
           : body->shape == PH_GUBAS_ELLIPSOID ? fmax(a[0], fmax(a[1], a[2]))
                                               : -INFINITY;
}

static void doubt(const ph_gubas_case *of, const ph_gubas_remarks *remarks)
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

/* ---- Which file ---------------------------------------------------------------------------------------- */

/* *is <- has the file a line that begins a section? Where it has none, its first line is a number, or it is none of GUBAS's:
 * PH_E_PARSE. */
static ph_status is_config(const char *path, bool *is, ph_error *err)
{
    ph_lines lines;
    bool first = true, number = false;
    double value;
    ph_status status = ph_lines_open(&lines, path, err);
    if (status)
        return status;
    *is = false;
    while (!*is && ph_lines_next(&lines)) {
        number = first ? !ph_parse_number(lines.line + strspn(lines.line, " \t"), &value) : number;
        first = false;
        *is = *lines.line == '[';
    }
    ph_lines_close(&lines);
    return *is || number
               ? PH_OK
               : ph_fail(
                     err, PH_E_PARSE,
                     "%s is neither a hou_config.cfg, which has sections [...], nor an ic_input.txt, which "
                     "begins with a number, of GUBAS, nor an init_system.json of GRIT",
                     path);
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
        doubt(of, &remarks);
    return status;
}
