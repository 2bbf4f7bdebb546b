/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole comparison on one system (make.h): it is prepared, the cost of steps is measured, then come the day and the long
 * run. */
#include "make.h"
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Preparing -------------------------------------------------------------------------------------------------- */

static ph_status load(const binary_case *of, size_t order, ph_scenario **scenario, ph_error *err)
{
    char text[400];
    const int n = snprintf(text, sizeof text,
                           "polhode: 1\nmodel: %s\nparameters: {order: %zu}\ninitial: {preset: %s}\n"
                           "method: rk4\nstep: 1\nsteps: 1\n",
                           of->model, order, of->preset);
    return ph_scenario_parse(text, (size_t)n, of->name, scenario, err);
}

/* The fastest of the spins |Omega| and of the rates |x' x x| / |x|^2 of distances between bodies. */
static double fastest(const ph_gravitation *g, const motion *start)
{
    const size_t places = ph_gravitation_places(g), bodies = ph_gravitation_bodies(g);
    const double *z = start->z, *p = start->p, *m = ph_gravitation_inertia(g);
    double most = 0;
    for (size_t i = 0; i < bodies; i++) {
        const size_t at = ph_gravitation_attitude(g, i);
        const double *J = ph_gravitation_mass(g, i)->J, *Pi = p + 3 * places + 3 * at;
        const double largest = fmax(J[0], fmax(J[4], J[8]));
        if (at != PH_NO_INDEX)
            most = fmax(most, sqrt(Pi[0] * Pi[0] + Pi[1] * Pi[1] + Pi[2] * Pi[2]) / largest);
    }
    for (size_t i = 0; i < places; i++)
        for (size_t j = ph_gravitation_is_relative(g) ? 0 : i + 1; j < places; j++) {
            double x[3], v[3], square = 0, turn = 0;
            for (size_t k = 0; k < 3; k++) {
                x[k] = z[3 * i + k] - (j > i ? z[3 * j + k] : 0);
                v[k] = p[3 * i + k] / m[i] - (j > i ? p[3 * j + k] / m[j] : 0);
                square += x[k] * x[k];
            }
            for (size_t k = 0; k < 3; k++) {
                const size_t a = (k + 1) % 3, b = (k + 2) % 3;
                turn += (x[a] * v[b] - x[b] * v[a]) * (x[a] * v[b] - x[b] * v[a]);
            }
            most = fmax(most, sqrt(turn) / square);
        }
    return most;
}

/* Methods of the list that there are and that take the system. */
static ph_status choose(binary *b, const ph_system *system, const char *const *names, size_t n, ph_error *err)
{
    b->lines = calloc(n + 1, sizeof *b->lines);
    if (!b->lines)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        contender c;
        const ph_status status = contender_parse(&c, names[i], err);
        if (status)
            return status;
        if (ph_method_supports(c.method, system, NULL))
            continue;
        binary_line *l = &b->lines[b->n++];
        snprintf(l->label, sizeof l->label, "%s", c.label);
        l->adaptive = (c.method->claims & PH_CLAIM_ADAPTIVE) != 0;
        l->time = no_timing;
        l->run.status = PH_E_UNKNOWN;
    }
    return PH_OK;
}

/* ---- The cost of a step ------------------------------------------------------------------------------------------ */

/* The step at which it is measured: a fifth of a radian of the fastest turn, which all methods can do. */
enum { STEPS_A_RADIAN = 5 };

/* Of all that have a step of their own. */
static ph_status time_steps(binary *b, const binary_motion *m, const binary_plan *plan, ph_error *err)
{
    const double h = 1 / (b->rate * STEPS_A_RADIAN);
    const char **texts = calloc(b->n + 1, sizeof *texts);
    timing *times = calloc(b->n + 1, sizeof *times);
    ph_status status = texts && times ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < b->n && !status; i++)
        texts[i] = b->lines[i].adaptive ? NULL : b->lines[i].label;
    watch_stage(plan->progress, "%s: the cost of steps", b->of->name);
    if (!status)
        status = steps_cost(texts, b->n, m->start, h, plan->budget, plan->watch, plan->progress, times, err);
    for (size_t i = 0; i < b->n && times && texts; i++)
        if (texts[i]) {
            b->lines[i].time = times[i];
            b->lines[i].h = h;
        }
    free(times);
    free(texts);
    return status;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

ph_status binary_make(binary *b, const binary_case *of, const char *const *names, size_t n,
                      const binary_plan *plan, ph_error *err)
{
    ph_scenario *scenario = NULL;
    *b = (binary){.of = of, .order = plan->order, .day = plan->day, .time = plan->time};
    ph_status status = load(of, plan->order, &scenario, err);
    if (status)
        return status;
    const ph_system *system = ph_scenario_system(scenario);
    const ph_gravitation *g = ph_system_gravitation(system);
    const motion start = motion_of(scenario);
    const binary_motion m = {.start = &start,
                             .nz = ph_space_ambient(ph_system_space(system)),
                             .places = ph_gravitation_places(g),
                             .attitudes = ph_gravitation_attitudes(g)};
    status = choose(b, system, names, n, err);
    if (!status)
        status = ph_system_potential(system, start.z, &b->potential);
    b->rate = fastest(g, &start);
    if (!status)
        status = time_steps(b, &m, plan, err);
    if (!status)
        status = binary_day(b, &m, plan, err);
    if (!status && b->time > 0)
        status = binary_long(b, &m, plan, err);
    ph_scenario_free(scenario);
    if (status == PH_E_INTERRUPTED) {
        b->status = status;
        return PH_OK;
    }
    return status;
}
