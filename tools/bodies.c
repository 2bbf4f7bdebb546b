/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity at the start of a run: how much of the force truncation of the series loses, and what is worth a
 * warning: bodies within the spheres that hold each other, a body that leaves and no event that stops the run, numbers that
 * look like kilometres where metres are expected. */
#include "bodies.h"

#include <polhode/columns.h>
#include <polhode/domain/gravitation.h>
#include <polhode/kit/vector.h>

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

/* Members of pairs are a central body, if there is one, and then all bodies. */
typedef struct start {
    const ph_scenario *scenario;
    const ph_gravitation *g;
    size_t n, center;           /* bodies; 1 with a central one */
    double *distance, *binding; /* of all pairs of members; of all bodies */
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

/* Of members i < j, in the order 0_1, 0_2, ..., 1_2, ... */
static double distance_of(const start *s, size_t i, size_t j)
{
    const size_t n = s->n + s->center;
    return s->distance[i * (2 * n - i - 1) / 2 + j - i - 1];
}

static const ph_mass *member(const start *s, size_t i)
{
    return s->center && i == 0 ? ph_gravitation_central(s->g) : ph_gravitation_mass(s->g, i - s->center);
}

static bool has_shape(const ph_mass *mass)
{
    for (size_t k = 1; k < PH_MASS_MOMENTS; k++)
        if (mass->moment[k] != 0)
            return true;
    return false;
}

/* ---- Pairs --------------------------------------------------------------------------------------------------- */

const char *write_pair(size_t first, size_t second, char *text)
{
    if (first)
        snprintf(text, PAIR_NAME, "bodies %zu and %zu", first, second);
    else
        snprintf(text, PAIR_NAME, "the central body and body %zu", second);
    return text;
}

static void warn_of_contact(const start *s, size_t i, size_t j, body_report *r)
{
    const ph_mass *a = member(s, i), *b = member(s, j);
    const double d = distance_of(s, i, j), radii = a->radius + b->radius;
    char pair[PAIR_NAME];
    warn(r, "%s are %.6g m apart, %.3g of the sum of their radii, %.6g m: %s%s",
         write_pair(i + 1 - s->center, j + 1 - s->center, pair), d, d / radii, radii,
         has_shape(a) || has_shape(b) ? "the series of their attraction may diverge" : "they overlap",
         d < 0.02 * radii ? "; are places given in km? They are in m" : "");
}

/* Of a central body whose field is exact the series does not count: is a body within its surface? */
static void warn_of_inside(const start *s, double t, const double *z, size_t body, body_report *r)
{
    double R[9], place[3], U, inside;
    char pair[PAIR_NAME];
    ph_gravitation_central_attitude(s->g, t, R);
    ph_apply_transposed3(R, z + 3 * body, place);
    ph_polyhedron_attract(ph_gravitation_central_exact(s->g), 1, 1, place, &U, NULL, &inside);
    if (inside >= 0.5)
        warn(r, "%s: the place of body %zu is within the surface of the central one",
             write_pair(0, body + 1, pair), body + 1);
}

static ph_status look_at_pairs(const start *s, body_report *r, ph_error *err)
{
    const double *z = ph_scenario_configuration(s->scenario), t = ph_scenario_time(s->scenario);
    ph_status status = PH_OK;
    size_t pairs = 0;
    double worst = -1;
    r->order = ph_gravitation_order(s->g);
    for (size_t i = 0; i < s->n + s->center && !status; i++)
        for (size_t j = i + 1; j < s->n + s->center && !status; j++) {
            const ph_mass *a = member(s, i), *b = member(s, j);
            ph_convergence c;
            if (s->center && i == 0 && ph_gravitation_central_exact(s->g)) {
                warn_of_inside(s, t, z, j - 1, r);
                continue;
            }
            if (distance_of(s, i, j) < a->radius + b->radius)
                warn_of_contact(s, i, j, r);
            if ((!has_shape(a) && !has_shape(b)) || pairs++ >= PAIRS)
                continue;
            status = ph_gravitation_convergence(s->g, t, z, s->center && i == 0 ? PH_NO_INDEX : i - s->center,
                                                j - s->center, &c, err);
            if (status || !(c.force[r->order] > worst))
                continue;
            worst = c.force[r->order];
            r->first = i + 1 - s->center;
            r->second = j + 1 - s->center;
            r->truncated = true;
            r->convergence = c;
        }
    return status;
}

/* Orders that follow, until rounding is reached. */
void write_truncation(const body_report *r, char *text, size_t size)
{
    const double *error = r->convergence.force;
    size_t used;
    if (isinf(error[r->order])) {
        snprintf(text, size, "an unknown part of the force: terms up to order %d do not shrink",
                 PH_MASS_DEGREE);
        return;
    }
    used = (size_t)snprintf(text, size, "about %.1g of the force by order %zu", error[r->order], r->order);
    for (size_t n = r->order + 2 - r->order % 2; n <= PH_MASS_DEGREE && used < size && error[n - 2] > 1e-12;
         n += 2)
        used += (size_t)snprintf(text + used, size - used, ", %.1g by order %zu", error[n], n);
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

/* The largest distance of a body from another member, and the sum of G m / r over them, for the speed on a circle. */
static double find_distance(const start *s, size_t body, double *pull)
{
    const size_t i = body + s->center;
    double farthest = 0, mass = 0;
    *pull = 0;
    for (size_t j = 0; j < s->n + s->center; j++) {
        if (j == i)
            continue;
        const double d = i < j ? distance_of(s, i, j) : distance_of(s, j, i), m = member(s, j)->moment[0];
        farthest = fmax(farthest, d);
        mass += m;
        *pull += ph_gravitation_constant(s->g) * m / d;
    }
    if (!s->center)
        *pull *= (mass + member(s, i)->moment[0]) / mass;
    return farthest;
}

/* The body that gets farthest away, if any leaves. Its speed far away is sqrt(2 binding). */
static void look_for_escape(const start *s, body_report *r)
{
    double farthest = 0, pull;
    size_t who = 0;
    for (size_t i = 0; i < s->n; i++) {
        const double path =
                         s->binding[i] > 0 ? sqrt(2 * s->binding[i]) * ph_scenario_duration(s->scenario) : 0,
                     times = path / find_distance(s, i, &pull);
        if (times > farthest) {
            farthest = times;
            who = i;
        }
    }
    if (farthest > far_away && !is_stopped(s->scenario))
        warn(
            r,
            "body %zu is not bound: it will be about %.2g times as far away at the end, and no event stops the run; "
            "take {name: escape, when: escape, crosses: DISTANCE, direction: up, action: stop}",
            who + 1, farthest);
}

static void look_for_kilometres(const start *s, body_report *r)
{
    double fastest = 0, pull;
    for (size_t i = 0; i < s->n + s->center; i++) {
        const double R = member(s, i)->radius, m = member(s, i)->moment[0];
        const double density = R > 0 ? m / (4 * acos(-1) / 3 * R * R * R) : 0;
        if (density > impossible_density)
            warn(
                r,
                "body %zu has at least %.2g kg/m^3; is its size given in km? Lengths are in m, and a size that is 1000 "
                "times as large makes %.2g kg/m^3",
                i + 1 - s->center, density, density / 1e9);
    }
    for (size_t i = 0; i < s->n; i++) {
        find_distance(s, i, &pull);
        fastest = fmax(fastest, sqrt(fmax(0, 2 * (s->binding[i] + pull) / pull)));
    }
    if (fastest > slow[0] && fastest < slow[1])
        warn(
            r,
            "all bodies are slow, with at most %.2g of the speed on a circle; are velocities given in km/s? They are "
            "in m/s",
            fastest);
}

ph_status report_bodies(const ph_scenario *scenario, body_report *report, ph_error *err)
{
    const ph_gravitation *g = ph_system_gravitation(ph_scenario_system(scenario));
    *report = (body_report){.seen = g != NULL};
    if (!g)
        return PH_OK;
    start s = {.scenario = scenario,
               .g = g,
               .n = ph_gravitation_bodies(g),
               .center = ph_gravitation_central(g) != NULL};
    ph_status status = read_columns(scenario, "distances", &s.distance, err);
    if (!status)
        status = read_columns(scenario, "binding", &s.binding, err);
    if (!status)
        status = look_at_pairs(&s, report, err);
    const double loss = report->truncated ? report->convergence.force[report->order] : 0;
    if (!status && loss > truncation_large && isfinite(loss)) { /* the other case is that of contact */
        char text[160], pair[PAIR_NAME];
        write_truncation(report, text, sizeof text);
        warn(report, "truncation of the attraction of %s loses %s",
             write_pair(report->first, report->second, pair), text);
    }
    if (!status) {
        look_for_escape(&s, report);
        look_for_kilometres(&s, report);
    }
    free(s.distance);
    free(s.binding);
    return status;
}
