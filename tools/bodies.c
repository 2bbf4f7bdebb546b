/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity at the start of a run: how much of the force truncation of the series loses, and what is worth a
 * warning: bodies within the spheres that hold each other, a body that leaves and no event that stops the run, numbers that
 * look like kilometres where metres are expected. */
#include "bodies.h"

#include <polhode/columns.h>
#include <polhode/gravitation.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Truncation is estimated of so many pairs at most, those first that come first: each takes 9 evaluations. */
enum { PAIRS = 2000 };
/* A part of the force that is not to be lost without a warning. */
static const double truncation_large = 0.01;
/* A body that is not bound and gets so many times farther away than it was is worth a word. */
static const double far_away = 100;
/* Denser [kg/m^3] than all but dead stars; and speeds relative to that on a circle that a factor of 1000 explains. */
static const double impossible_density = 1e8, slow[2] = {2e-4, 5e-3};

typedef struct start {
    const ph_scenario *scenario;
    const ph_gravitation *g;
    size_t n;
    double *distance, *binding; /* of all pairs; of all bodies */
} start;

static void PH_PRINTF(2, 3) warn(body_report *r, const char *format, ...)
{
    va_list list;
    if (r->warnings == BODY_WARNINGS)
        return;
    va_start(list, format);
    vsnprintf(r->warning[r->warnings++], BODY_WARNING, format, list);
    va_end(list);
}

/* values (malloc) <- the columns that the word names, at the start. */
static ph_status read_columns(const ph_scenario *sc, const char *word, double **values, ph_error *err)
{
    const ph_system *system = ph_scenario_system(sc);
    ph_columns *columns;
    ph_status status = ph_columns_create(system, &word, 1, &columns, err);
    if (status)
        return status;
    const size_t n = ph_columns_count(columns);
    /* columns of a state only read it */
    const ph_state state = {.t = ph_scenario_time(sc),
                            .z = (double *)(uintptr_t)ph_scenario_configuration(sc),
                            .p = (double *)(uintptr_t)ph_scenario_momentum(sc),
                            .nz = ph_space_ambient(ph_system_space(system)),
                            .np = ph_space_momenta(ph_system_space(system))};
    const ph_row row = {.state = &state};
    if (!(*values = malloc(n * sizeof **values)))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    else
        ph_columns_values(columns, &row, 0, n, *values);
    ph_columns_free(columns);
    return status;
}

static double distance_of(const start *s, size_t i, size_t j)
{
    const size_t a = i < j ? i : j, b = i < j ? j : i;
    return s->distance[a * (2 * s->n - a - 1) / 2 + b - a - 1];
}

static double radius_of(const start *s, size_t i)
{
    return ph_gravitation_mass(s->g, i)->radius;
}

static bool has_shape(const start *s, size_t i)
{
    const ph_mass *mass = ph_gravitation_mass(s->g, i);
    for (size_t k = 1; k < PH_MASS_MOMENTS; k++)
        if (mass->moment[k] != 0)
            return true;
    return false;
}

/* ---- Pairs --------------------------------------------------------------------------------------------------- */

static void warn_of_contact(const start *s, size_t i, size_t j, body_report *r)
{
    const double d = distance_of(s, i, j), radii = radius_of(s, i) + radius_of(s, j);
    const char *what =
        has_shape(s, i) || has_shape(s, j) ? "the series of their attraction may diverge" : "they overlap";
    warn(r, "bodies %zu and %zu are %.6g m apart, %.3g of the sum of their radii, %.6g m: %s%s", i + 1, j + 1,
         d, d / radii, radii, what, d < 0.02 * radii ? "; are places given in km? They are in m" : "");
}

static ph_status look_at_pairs(const start *s, body_report *r, ph_error *err)
{
    ph_status status = PH_OK;
    size_t pairs = 0;
    double worst = -1;
    r->order = ph_gravitation_order(s->g);
    for (size_t i = 0; i < s->n && !status; i++)
        for (size_t j = i + 1; j < s->n && !status; j++) {
            ph_convergence c;
            if (distance_of(s, i, j) < radius_of(s, i) + radius_of(s, j))
                warn_of_contact(s, i, j, r);
            if ((!has_shape(s, i) && !has_shape(s, j)) || pairs++ >= PAIRS)
                continue;
            status = ph_gravitation_convergence(s->g, ph_scenario_configuration(s->scenario), i, j, &c, err);
            if (status || !(c.force[r->order] > worst))
                continue;
            worst = c.force[r->order];
            r->first = i;
            r->second = j;
            r->truncated = true;
            r->convergence = c;
        }
    return status;
}

void write_truncation(const body_report *r, char *text, size_t size)
{
    const double *error = r->convergence.force;
    size_t used = 0;
    for (size_t n = r->order; n <= PH_MASS_DEGREE && used < size; n = n % 2 ? n + 1 : n + 2) {
        const char *format = n == r->order               ? "about %.1g of the force by order %zu"
                             : used && n <= r->order + 2 ? "; %.1g by order %zu"
                                                         : ", %.1g by order %zu";
        char part[80];
        if (isinf(error[n]))
            snprintf(part, sizeof part,
                     n == r->order ? "no bound is seen by order %zu" : "; none by order %zu", n);
        else
            snprintf(part, sizeof part, format, error[n], n);
        used += (size_t)snprintf(text + used, size - used, "%s", part);
    }
}

/* ---- Bodies -------------------------------------------------------------------------------------------------- */

static bool is_stopped(const ph_scenario *sc)
{
    size_t n;
    const ph_event *events = ph_scenario_events(sc, &n);
    for (size_t i = 0; i < n; i++)
        if (events[i].action == PH_EVENT_STOP)
            return true;
    return false;
}

/* The body that gets farthest away, if any leaves. Its speed far away is sqrt(2 binding). */
static void look_for_escape(const start *s, body_report *r)
{
    double farthest = 0;
    size_t who = 0;
    for (size_t i = 0; i < s->n; i++) {
        double now = 0;
        for (size_t j = 0; j < s->n; j++)
            now = j == i ? now : fmax(now, distance_of(s, i, j));
        const double path =
            s->binding[i] > 0 ? sqrt(2 * s->binding[i]) * ph_scenario_duration(s->scenario) : 0;
        if (path / now > farthest) {
            farthest = path / now;
            who = i;
        }
    }
    if (farthest > far_away && !is_stopped(s->scenario))
        warn(
            r,
            "body %zu is not bound: it will leave, to about %.2g times its distance, and no event stops the run; "
            "take {name: escape, when: escape, crosses: DISTANCE, direction: up, action: stop}",
            who + 1, farthest);
}

static void look_for_kilometres(const start *s, body_report *r)
{
    const double G = ph_gravitation_constant(s->g);
    double fastest = 0, total = 0;
    for (size_t i = 0; i < s->n; i++)
        total += ph_gravitation_mass(s->g, i)->moment[0];
    for (size_t i = 0; i < s->n; i++) {
        const double R = radius_of(s, i), m = ph_gravitation_mass(s->g, i)->moment[0];
        const double density = R > 0 ? m / (4 * acos(-1) / 3 * R * R * R) : 0;
        double pull = 0;
        for (size_t j = 0; j < s->n; j++)
            pull += j == i ? 0 : G * ph_gravitation_mass(s->g, j)->moment[0] / distance_of(s, i, j);
        pull *= total / (total - m);
        fastest = fmax(fastest, sqrt(fmax(0, 2 * (s->binding[i] + pull) / pull)));
        if (density > impossible_density)
            warn(
                r,
                "body %zu has at least %.2g kg/m^3; is its size given in km? Lengths are in m, and 1000 times "
                "as many make %.2g kg/m^3",
                i + 1, density, density / 1e9);
    }
    if (fastest > slow[0] && fastest < slow[1])
        warn(
            r,
            "all bodies are slow, with at most %.2g of the speed on a circle; are velocities given in km/s? They "
            "are in m/s",
            fastest);
}

ph_status report_bodies(const ph_scenario *scenario, body_report *report, ph_error *err)
{
    const ph_gravitation *g = ph_system_gravitation(ph_scenario_system(scenario));
    *report = (body_report){.seen = g != NULL};
    if (!g)
        return PH_OK;
    start s = {.scenario = scenario, .g = g, .n = ph_gravitation_bodies(g)};
    ph_status status = read_columns(scenario, "distances", &s.distance, err);
    if (!status)
        status = read_columns(scenario, "binding", &s.binding, err);
    if (!status)
        status = look_at_pairs(&s, report, err);
    if (!status && report->truncated && report->convergence.force[report->order] > truncation_large) {
        char text[160];
        write_truncation(report, text, sizeof text);
        warn(report, "truncation of the attraction of bodies %zu and %zu loses %s", report->first + 1,
             report->second + 1, text);
    }
    if (!status) {
        look_for_escape(&s, report);
        look_for_kilometres(&s, report);
    }
    free(s.distance);
    free(s.binding);
    return status;
}
