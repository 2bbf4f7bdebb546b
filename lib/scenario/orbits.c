/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of initial.q that are orbits: places and velocities of bodies under mutual gravity by Keplerian elements. */
#include "parts.h"

#include <polhode/domain/elements.h>
#include <polhode/domain/gravitation.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { A, Q, E, I, NODE, PERIAPSIS, TRUE_ANOMALY, MEAN_ANOMALY, PASSAGE, ABOUT, KEYS };
static const ph_scenario_key keys[KEYS] = {
    [A] = {"a", "a length in m, not 0", "by `q`",
           "Semi-major axis, negative of a hyperbola. Either `a` or `q` is required."},
    [Q] = {"q", "a length in m, > 0", "by `a`", "Distance of the periapsis, of any conic."},
    [E] = {"e", "a number, at least 0", "0", "Eccentricity. Nearer to 1 than 1e-6: with `q` only."},
    [I] = {"i", "an angle in rad", "0", "Inclination to the plane of the first two axes."},
    [NODE] = {"node", "an angle in rad", "0", "Longitude of the ascending node, from the first axis."},
    [PERIAPSIS] = {"periapsis", "an angle in rad", "0", "Argument of the periapsis, from the node."},
    [TRUE_ANOMALY] = {"true-anomaly", "an angle in rad", "0",
                      "Where the body is, from the periapsis; or one of the next two."},
    [MEAN_ANOMALY] = {"mean-anomaly", "an angle in rad", "by `true-anomaly`",
                      "E − e sin E; of a hyperbola e sinh H − H."},
    [PASSAGE] = {"time-of-periapsis", "a time in s", "by `true-anomaly`",
                 "A time at which the body is in its periapsis."},
    [ABOUT] = {
        "about", "the number of a body from 1, or a list of them", "1",
        "The orbit is about this body, or about the barycentre of these, with all their mass. Where two bodies are "
        "followed relative to each other it is that of the second about the first, and about a central body it "
        "is about that: there is no `about` then."}};
const ph_scenario_map ph_orbit_keys = {"initial.q[i] (orbit)", keys, KEYS};

/* Nearer to a parabola, a (1 - e) has lost the digits of 1 - e. */
static const double nearest = 1e-6;

/* An orbit before it is known where the bodies are that it is about. */
typedef struct orbit {
    ph_node values[KEYS], at;
    bool given, known; /* is the place an orbit? Is it known, or was it given otherwise? */
} orbit;

bool ph_is_orbit(const ph_system *system, size_t factor, const ph_node *entry)
{
    const ph_gravitation *g = ph_system_gravitation(system);
    return g && factor < ph_gravitation_places(g) && ph_node_is_map(entry);
}

bool ph_is_of_orbit(const ph_node *entry)
{
    return ph_is_word(entry, "orbit");
}

/* ---- Elements ------------------------------------------------------------------------------------------------- */

static ph_status read_number(const ph_node *at, const char *expected, double *value, ph_error *err)
{
    return at->node ? ph_node_number(at, expected, value, err) : PH_OK;
}

/* el->q, el->e and *a <- the conic. */
static ph_status read_conic(const orbit *o, ph_elements *el, double *a, ph_error *err)
{
    const ph_node *v = o->values;
    ph_status status = read_number(&v[E], "an eccentricity", &el->e, err);
    if (!status && !(el->e >= 0))
        status = ph_node_fail(&v[E], err, PH_E_RANGE, "is %.10g; an eccentricity >= 0 is expected", el->e);
    if (!status && !v[A].node == !v[Q].node)
        status = ph_node_fail(v[A].node ? &v[A] : &o->at, err, PH_E_PARSE,
                              v[A].node ? "is given together with \"q\"; give one of the two"
                                        : "does not say how large the orbit is; give \"a\" or \"q\" in m");
    if (!status && v[Q].node) {
        status = ph_node_number(&v[Q], "a positive length in m", &el->q, err);
        if (!status && !(el->q > 0))
            status = ph_node_fail(&v[Q], err, PH_E_RANGE, "is %.10g; a positive length is expected", el->q);
        *a = el->q / (1 - el->e);
        return status;
    }
    if (!status)
        status = ph_node_number(&v[A], "a length in m", a, err);
    if (!status && fabs(el->e - 1) < nearest)
        return ph_node_fail(
            &v[E], err, PH_E_RANGE,
            "is %.17g, a parabola or nearly one, which \"a\" does not describe; give the distance \"q\" "
            "of the periapsis in place of it",
            el->e);
    if (!status && !(*a * (1 - el->e) > 0))
        return ph_node_fail(&v[A], err, PH_E_RANGE,
                            "is %.10g; with the eccentricity %.10g a %s length is expected", *a, el->e,
                            el->e < 1 ? "positive" : "negative");
    el->q = *a * (1 - el->e);
    return status;
}

/* el->true_anomaly <- of the one that is given. t: the time of the state. */
static ph_status read_anomaly(const orbit *o, double mu, double a, double t, ph_elements *el, ph_error *err)
{
    const ph_node *v = o->values, *at = v[MEAN_ANOMALY].node ? &v[MEAN_ANOMALY] : &v[PASSAGE];
    double mean = 0;
    if (!!v[TRUE_ANOMALY].node + !!v[MEAN_ANOMALY].node + !!v[PASSAGE].node > 1)
        return ph_node_fail(
            &o->at, err, PH_E_PARSE,
            "has more than one of true-anomaly, mean-anomaly and time-of-periapsis; give one");
    if (!at->node)
        return read_number(&v[TRUE_ANOMALY], "an angle in rad", &el->true_anomaly, err);
    if (fabs(el->e - 1) < nearest)
        return ph_node_fail(
            at, err, PH_E_RANGE,
            "has no use where the orbit is nearly a parabola; give \"true-anomaly\" in place of it");
    ph_status status = ph_node_number(at, v[PASSAGE].node ? "a time in s" : "an angle in rad", &mean, err);
    if (!status && v[PASSAGE].node)
        mean = (t - mean) * sqrt(mu / fabs(a)) / fabs(a);
    if (!status && (status = ph_true_anomaly(el->e, mean, &el->true_anomaly, err)))
        ph_node_blame(at, err, status);
    return status;
}

/* x, v (3) <- against what the orbit is about. */
static ph_status evaluate(const orbit *o, double mu, double t, double x[3], double v[3], ph_error *err)
{
    ph_elements el = {.e = 0};
    double a = 0;
    ph_status status = read_conic(o, &el, &a, err);
    if (!status)
        status = read_number(&o->values[I], "an angle in rad", &el.i, err);
    if (!status)
        status = read_number(&o->values[NODE], "an angle in rad", &el.node, err);
    if (!status)
        status = read_number(&o->values[PERIAPSIS], "an angle in rad", &el.periapsis, err);
    if (!status)
        status = read_anomaly(o, mu, a, t, &el, err);
    if (!status && (status = ph_elements_state(mu, &el, x, v, err)))
        ph_node_blame(&o->at, err, status);
    return status;
}

/* ---- What it is about ------------------------------------------------------------------------------------------- */

/* of (n) <- which bodies; their barycentre is meant. */
static ph_status read_about(const orbit *o, size_t self, size_t bodies, bool *of, ph_error *err)
{
    const ph_node *at = &o->values[ABOUT];
    size_t n = 1;
    ph_status status = PH_OK;
    memset(of, 0, bodies * sizeof *of);
    if (!at->node && self > 0) {
        of[0] = true;
        return PH_OK;
    }
    if (!at->node)
        return ph_node_fail(&o->at, err, PH_E_PARSE,
                            "is the orbit of body 1, which needs \"about\": the number of another body");
    const bool list = ph_node_is_list(at);
    if (list)
        status = ph_node_list(at, "a list of numbers of bodies", &n, err);
    if (!status && !n)
        status = ph_node_fail(at, err, PH_E_SIZE, "is an empty list; numbers of bodies are expected");
    for (size_t k = 0; k < n && !status; k++) {
        const ph_node item = list ? ph_node_item(at, k) : *at;
        int64_t number = 0;
        status = ph_node_count(&item, "the number of a body", &number, err);
        if (!status && (number < 1 || number > (int64_t)bodies || (size_t)number == self + 1))
            status = ph_node_fail(&item, err, PH_E_RANGE,
                                  "is %lld; the number of another body, from 1 to %zu, is expected",
                                  (long long)number, bodies);
        if (!status)
            of[number - 1] = true;
    }
    return status;
}

/* *known <- could it be evaluated? z, zdot <- place and velocity then. */
static ph_status resolve(const ph_scenario *s, const ph_gravitation *g, orbit *orbits, size_t self, bool *of,
                         double *z, double *zdot, bool velocity, ph_error *err)
{
    const size_t n = ph_gravitation_places(g);
    const double G = ph_gravitation_constant(g), own = ph_gravitation_mass(g, self)->moment[0];
    const ph_mass *central = ph_gravitation_central(g);
    double center[3] = {0, 0, 0}, moving[3] = {0, 0, 0}, mass = 0, x[3], v[3];
    ph_status status = PH_OK;
    if (ph_gravitation_is_relative(g)) {
        mass = ph_gravitation_mass(g, 1)->moment[0]; /* and that of body 0 is its own */
    } else if (!central) {
        status = read_about(&orbits[self], self, n, of, err);
        for (size_t i = 0; i < n && !status; i++)
            if (of[i] && !orbits[i].known)
                return PH_OK;
        for (size_t i = 0; i < n && !status; i++)
            mass += of[i] ? ph_gravitation_mass(g, i)->moment[0] : 0;
        for (size_t k = 0; k < 3 * n && !status; k++)
            if (of[k / 3]) {
                const double share = ph_gravitation_mass(g, k / 3)->moment[0] / mass;
                center[k % 3] += share * z[k];
                moving[k % 3] += share * zdot[k];
            }
    }
    if (status)
        return status;
    if ((central || ph_gravitation_is_relative(g)) && orbits[self].values[ABOUT].node)
        return ph_node_fail(&orbits[self].values[ABOUT], err, PH_E_PARSE,
                            "has no meaning here: the orbit is about the %s body; leave it out",
                            central ? "central" : "first");
    /* a central body is held, so that its mass alone counts */
    status = evaluate(&orbits[self], central ? G * central->moment[0] : G * (mass + own), s->time, x, v, err);
    for (size_t k = 0; k < 3 && !status; k++) {
        z[3 * self + k] = center[k] + x[k];
        if (velocity)
            zdot[3 * self + k] = moving[k] + v[k];
    }
    orbits[self].known = !status;
    return status;
}

ph_status ph_read_orbits(ph_reading *r, const ph_node *positions, const ph_node *velocities, ph_error *err)
{
    ph_scenario *s = r->scenario;
    const ph_gravitation *g = ph_system_gravitation(s->system);
    const size_t n = g ? ph_gravitation_places(g) : 0;
    size_t left = 0;
    orbit *orbits = calloc(n + 1, sizeof *orbits);
    bool *of = calloc(n + 1, sizeof *of);
    ph_status status = orbits && of ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !status; i++) {
        orbits[i].at = ph_node_item(positions, i);
        orbits[i].given = ph_node_is_map(&orbits[i].at);
        orbits[i].known = !orbits[i].given;
        left += orbits[i].given;
        if (orbits[i].given)
            status = ph_node_keys(&orbits[i].at, "a map of elements, as in {a: 1200, e: 0.1},",
                                  &ph_orbit_keys, orbits[i].values, err);
    }
    while (left && !status) {
        const size_t before = left;
        for (size_t i = 0; i < n && !status; i++) {
            if (orbits[i].known)
                continue;
            const ph_node entry = velocities->node ? ph_node_item(velocities, i) : *velocities;
            status = resolve(s, g, orbits, i, of, s->z, s->zdot, !entry.node || ph_is_of_orbit(&entry), err);
            left -= orbits[i].known;
        }
        if (!status && left == before) {
            size_t i = 0;
            while (orbits[i].known)
                i++;
            status = ph_node_fail(
                &orbits[i].at, err, PH_E_INVALID,
                "is about a body whose orbit is about this one; the place of one of them is expected");
        }
    }
    free(of);
    free(orbits);
    return status;
}

/* ---- The barycentre -------------------------------------------------------------------------------------------- */

/* x (n x 3) <- less its mean with these masses. The differences round in proportion to x, which of a Sun is more than all that
 * an asteroid has: what is left of the sum is taken from the heaviest body, which can show it. */
static void subtract_mean(size_t n, const double *mass, double *x)
{
    size_t heaviest = 0;
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        total += mass[i];
        heaviest = mass[i] > mass[heaviest] ? i : heaviest;
    }
    for (size_t k = 0; k < 3; k++) {
        double mean = 0, left = 0;
        for (size_t i = 0; i < n; i++)
            mean += mass[i] / total * x[3 * i + k];
        for (size_t i = 0; i < n; i++) {
            x[3 * i + k] -= mean;
            left += mass[i] * x[3 * i + k];
        }
        x[3 * heaviest + k] -= left / mass[heaviest];
    }
}

ph_status ph_rest_barycentre(ph_scenario *s, const ph_node *at, ph_error *err)
{
    const ph_gravitation *g = ph_system_gravitation(s->system);
    if (!g || ph_gravitation_is_relative(g) || ph_gravitation_central(g))
        return ph_node_fail(
            at, err, PH_E_PARSE,
            "has no meaning here; it is for bodies under mutual gravity by their places in space");
    const size_t n = ph_gravitation_places(g);
    subtract_mean(n, ph_gravitation_inertia(g), s->z);
    subtract_mean(n, ph_gravitation_inertia(g), s->zdot);
    return PH_OK;
}
