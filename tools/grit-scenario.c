/* SPDX-License-Identifier: BSD-3-Clause */
/* A case of GRIT as a scenario of the model `rigid-n-body`, and in words what is different. */
#include "gubas.h"

#include <math.h>
#include <string.h>

static const char *method_of(const char *scheme)
{
    static const char *const methods[][2] = {{"T2", "variational"},
                                             {"T4", "{name: variational, order: 4}"},
                                             {"T6", "{name: variational, order: 6}"},
                                             {"M642", "{name: variational, order: 6}"},
                                             {"K2", "variational"},
                                             {"RK4", "rk4"}};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (!strcmp(methods[i][0], scheme))
            return methods[i][1];
    return "{name: variational, order: 4}"; /* M42, the default */
}

/* Of the run; a hundred outputs where there is no target time. */
static double count(const ph_grit_case *c)
{
    const double steps = (c->end - c->start) / c->step, outputs = c->interval / c->step;
    return isnan(steps) ? fmax(1, floor(100 * outputs + 0.5)) : fmax(1, ceil(steps * (1 - 1e-12)));
}

static void put_list(FILE *out, const ph_grit_case *c, const char *key, bool rates)
{
    fprintf(out, "  %s\n", key);
    for (size_t i = 0; i < c->n; i++) {
        fputs("    - ", out);
        put_yaml_numbers(out, rates ? c->body[i].v : c->body[i].x, 3);
        fprintf(out, " # %s\n", c->body[i].name);
    }
    for (size_t i = 0; i < c->n; i++) {
        double q[4];
        if (!c->body[i].rigid)
            continue;
        quaternion_of(c->body[i].R, q);
        fputs("    - ", out);
        put_yaml_numbers(out, rates ? c->body[i].omega : q, rates ? 3 : 4);
        fprintf(out, " # %s turns\n", c->body[i].name);
    }
}

void put_grit_scenario(FILE *out, const ph_grit_case *c, const remarks *words)
{
    fprintf(out, "# From GRIT: %s, by polhode gubas. SI units.\n", c->file);
    print_remarks(words, out, "# ", "- ");
    fputs("polhode: 1\nmodel: rigid-n-body\nparameters:\n  bodies:\n", out);
    for (size_t i = 0; i < c->n; i++) {
        const ph_grit_body *body = &c->body[i];
        fputs("    - {mass: ", out);
        put_yaml_number(out, body->mass);
        if (body->rigid) {
            fputs(", half-axes: ", out);
            put_yaml_numbers(out, body->half_axes, 3);
        }
        fprintf(out, "} # %s\n", body->name);
    }
    fprintf(out, "  order: %zu\n  G: ", c->order);
    put_yaml_number(out, c->G);
    fputs("\ninitial: # places, then attitudes as quaternions (w, x, y, z)\n", out);
    if (c->start != 0) {
        fputs("  time: ", out);
        put_yaml_number(out, c->start);
        fputs("\n", out);
    }
    put_list(out, c, "q:", false);
    put_list(out, c, "omega:", true);
    fprintf(out, "method: %s\nstep: ", method_of(c->scheme));
    put_yaml_number(out, c->step);
    fprintf(out, "\nsteps: %.0f\noutput: {interval: ", count(c));
    put_yaml_number(out, c->interval);
    fputs("}\n", out);
}

void say_grit_differences(remarks *words, const ph_grit_case *c)
{
    const bool multiscale = *c->scheme == 'M' || *c->scheme == 'd' || *c->scheme == 'K';
    size_t triaxial = 0;
    double fastest = 0;
    for (size_t i = 0; i < c->n; i++) {
        const ph_grit_body *body = &c->body[i];
        const double *w = body->omega;
        if (!body->rigid)
            continue;
        triaxial += !body->symmetric;
        fastest = fmax(fastest, sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
    }
    remark(
        words,
        "Units: masses such that G times GRIT's solar mass is 4 pi^2 au^3/yr^2 with years of 365.25 days: 3.8e-5 more than "
        "the Sun's; lengths by au = 149597870700 m.");
    remark(words, "Velocities are relative to the barycentre, as GRIT makes them when it starts.");
    if (triaxial)
        remark(
            words,
            "%zu of the bodies %s not symmetric: GRIT loses about 4 per cent of the angular momentum with such bodies, at every "
            "step size; here it is kept to rounding.",
            triaxial, triaxial == 1 ? "is" : "are");
    remark(
        words,
        "\"radius\" with \"oblateness\" is the radius of the sphere of the same volume, as GRIT's program takes it; its "
        "documentation calls it equatorial.");
    remark(words, "Scheme %s: %s here%s.", c->scheme, method_of(c->scheme),
           multiscale ? ", a composition with one step size; GRIT splits by scales" : "");
    if (fastest * c->step > 1)
        remark(
            words,
            "A step of %g s turns the fastest body by %.3g rad: too far for a variational step, which needs less than about 1. "
            "Choose a step below %.3g s.",
            c->step, fastest * c->step, 0.2 / fastest);
    if (c->tides)
        remark(
            words,
            "GRIT's tides (a constant time lag, \"Q\" and \"time_lag\") are left out: those of this program have a constant "
            "angle of lag and another law.");
    if (c->relativity)
        remark(words, "GRIT's relativistic force (\"GR\") is left out.");
    if (isnan(c->end))
        remark(words, "There is no target_time.json: the run is made of 100 outputs.");
}
