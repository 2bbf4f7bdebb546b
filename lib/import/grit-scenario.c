/* SPDX-License-Identifier: BSD-3-Clause */
/* A case of GRIT as a scenario of the model `rigid-n-body`, and in words what is different. */
#include "grit.h"

#include <polhode/kit/vector.h>

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
        ph_put_numbers(out, rates ? c->body[i].v : c->body[i].x, 3);
        fprintf(out, " # %s\n", c->body[i].name);
    }
    for (size_t i = 0; i < c->n; i++) {
        if (!c->body[i].rigid)
            continue;
        fputs("    - ", out);
        if (rates)
            ph_put_numbers(out, c->body[i].omega, 3);
        else
            ph_put_attitude(out, c->body[i].R);
        fprintf(out, " # %s turns\n", c->body[i].name);
    }
}

static void say_differences(ph_remarks *words, const ph_grit_case *c)
{
    const bool multiscale = *c->scheme == 'M' || *c->scheme == 'd' || *c->scheme == 'K';
    size_t triaxial = 0;
    double fastest = 0;
    for (size_t i = 0; i < c->n; i++) {
        const ph_grit_body *body = &c->body[i];
        if (!body->rigid)
            continue;
        triaxial += !body->symmetric;
        fastest = fmax(fastest, ph_norm3(body->omega));
    }
    ph_remark(
        words,
        "Units: masses such that G times GRIT's solar mass is 4 pi^2 au^3/yr^2 with years of 365.25 days: 3.8e-5 more than "
        "the Sun's; lengths by au = 149597870700 m.");
    ph_remark(words, "Velocities are relative to the barycentre, as GRIT makes them when it starts.");
    if (triaxial)
        ph_remark(
            words,
            "%zu of the bodies %s not symmetric: GRIT loses about 4 per cent of the angular momentum with such bodies, at every "
            "step size; here it is kept to rounding.",
            triaxial, triaxial == 1 ? "is" : "are");
    ph_remark(
        words,
        "\"radius\" with \"oblateness\" is the radius of the sphere of the same volume, as GRIT's program takes it; its "
        "documentation calls it equatorial.");
    ph_remark(words, "Scheme %s: %s here%s.", c->scheme, method_of(c->scheme),
              multiscale ? ", a composition with one step size; GRIT splits by scales" : "");
    if (fastest * c->step > 1)
        ph_remark(
            words,
            "A step of %g s turns the fastest body by %.3g rad: too far for a variational step, which needs less than about 1. "
            "Choose a step below %.3g s.",
            c->step, fastest * c->step, 0.2 / fastest);
    if (c->tides)
        ph_remark(
            words,
            "GRIT's tides (a constant time lag, \"Q\" and \"time_lag\") are left out: those of this program have a constant "
            "angle of lag and another law.");
    if (c->relativity)
        ph_remark(words, "GRIT's relativistic force (\"GR\") is left out.");
    if (isnan(c->end))
        ph_remark(words, "There is no target_time.json: the run is made of 100 outputs.");
}

static void put_scenario(const ph_grit_case *c, ph_importing *to)
{
    FILE *const out = to->out;
    say_differences(&to->words, c);
    memcpy(to->to.name, c->name, sizeof c->name);
    ph_put_head(to, "GRIT", c->file, "rigid-n-body");
    for (size_t i = 0; i < c->n; i++) {
        const ph_grit_body *body = &c->body[i];
        fputs("    - {mass: ", out);
        ph_put_number(out, body->mass);
        if (body->rigid) {
            fputs(", half-axes: ", out);
            ph_put_numbers(out, body->half_axes, 3);
        }
        fprintf(out, "} # %s\n", body->name);
    }
    fprintf(out, "  order: %zu\n", c->order);
    ph_put_key(out, "  G", c->G);
    fputs("initial: # places, then attitudes as quaternions (w, x, y, z)\n", out);
    if (c->start != 0)
        ph_put_key(out, "  time", c->start);
    put_list(out, c, "q:", false);
    put_list(out, c, "omega:", true);
    fprintf(out, "method: %s\n", method_of(c->scheme));
    ph_put_key(out, "step", c->step);
    fprintf(out, "steps: %.0f\noutput: {interval: ", count(c));
    ph_put_number(out, c->interval);
    fputs("}\n", out);
}

ph_status ph_import_grit(const char *file, ph_importing *to, ph_error *err)
{
    ph_grit_case c;
    ph_status status = ph_grit_read(file, &c, &to->words, err);
    if (status)
        return status;
    put_scenario(&c, to);
    ph_grit_release(&c);
    return PH_OK;
}
