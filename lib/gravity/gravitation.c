/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of bodies under mutual gravity (polhode/domain/gravitation.h): its creation and its parts. */
#include "gravitation.h"
#include "thin.h"

#include <polhode/kit/vector.h>

#include <math.h>
#include <stdlib.h>

/* ---- Checks -------------------------------------------------------------------------------------------------- */

static bool is_point(const ph_mass *mass)
{
    for (size_t i = 0; i < 9; i++)
        if (mass->J[i] != 0)
            return false;
    return true;
}

static bool is_positive(const double J[9])
{
    const double minor = J[0] * J[4] - J[1] * J[3];
    return J[0] > 0 && minor > 0 && ph_determinant3(J) > 0;
}

static ph_status check_body(const ph_mass *mass, size_t i, bool turns, ph_error *err)
{
    /* a distance from the centre of mass below rounding of the body's size */
    const double near = 1e-12 * mass->moment[0] * mass->radius;
    if (!ph_all_finite(mass->moment, PH_MASS_MOMENTS) || !ph_all_finite(mass->J, 9) ||
        !isfinite(mass->radius))
        return ph_fail(err, PH_E_NOT_FINITE, "a moment of body %zu is not finite", i + 1);
    if (!(mass->moment[0] > 0))
        return ph_fail(err, PH_E_RANGE, "the mass of body %zu is %g kg; it must be positive", i + 1,
                       mass->moment[0]);
    for (size_t k = 1; k < 4; k++)
        if (!(fabs(mass->moment[k]) <= near))
            return ph_fail(
                err, PH_E_INVALID,
                "body %zu is not about its centre of mass, which is %g m away from the origin of its "
                "frame; shift it (ph_mass_center)",
                i + 1, ph_norm3(mass->moment + 1) / mass->moment[0]);
    if (turns && !is_positive(mass->J))
        return ph_fail(
            err, PH_E_INVALID,
            "the inertia tensor of body %zu is not positive definite; a body that has an attitude needs "
            "one",
            i + 1);
    return PH_OK;
}

static bool does_turn(const ph_gravitation_definition *d, size_t i)
{
    return d->turning ? d->turning[i] : !is_point(&d->mass[i]);
}

static ph_status check(const ph_gravitation_definition *d, ph_error *err)
{
    const bool held = d->central.mass != NULL;
    if (d->bodies < (held ? 1 : 2))
        return ph_fail(err, PH_E_RANGE, "%zu bodies: mutual gravity needs at least 2%s", d->bodies,
                       held ? ", or one and a central body" : "");
    if (d->relative && held)
        return ph_fail(
            err, PH_E_RANGE,
            "bodies that are followed by their distance alone cannot have a central body in addition");
    if (d->relative && d->bodies != 2)
        return ph_fail(err, PH_E_RANGE, "%zu bodies: only two are followed by their distance alone",
                       d->bodies);
    if (d->order > PH_MASS_DEGREE)
        return ph_fail(err, PH_E_RANGE, "order %zu; it must be at most %d", d->order, PH_MASS_DEGREE);
    if (!(d->G > 0) || !isfinite(d->G))
        return ph_fail(err, PH_E_RANGE, "G is %g m^3/(kg s^2); it must be positive", d->G);
    ph_status status = PH_OK;
    for (size_t i = 0; i < d->bodies && !status; i++)
        status = check_body(&d->mass[i], i, does_turn(d, i), err);
    for (size_t i = 0; i < d->n_given && !status; i++)
        status = ph_given_check(&d->given[i], i, err);
    for (size_t i = 0; d->tides && i < d->bodies && !status; i++)
        status = ph_tide_check(&d->tides[i], i, does_turn(d, i), err);
    return status || !held ? status : ph_central_check(&d->central, err);
}

/* ---- Creation ------------------------------------------------------------------------------------------------- */

/* What each body's moments are, up to the order. */
static void fill_figures(ph_gravitation *g)
{
    size_t used = 0;
    for (size_t i = 0; i < g->n; i++) {
        ph_gravitating *body = &g->body[i];
        body->sort = ph_figure_sort_of(&body->mass, g->order);
        if (body->sort == PH_FIGURE_NONE) {
            g->point[g->points++] = i;
            continue;
        }
        ph_figure_prepare(&body->mass, g->order, &g->figures[used]);
        body->figure = &g->figures[used++];
    }
}

static void fill(const ph_gravitation_definition *d, ph_gravitation *g)
{
    g->n = d->bodies;
    g->places = d->relative ? 1 : d->bodies;
    g->order = d->order;
    g->G = d->G;
    g->relative = d->relative;
    g->width = ph_pair_widest();
    for (size_t i = 0; i < d->bodies; i++) {
        g->body[i].mass = d->mass[i];
        g->body[i].attitude = does_turn(d, i) ? g->attitudes++ : PH_NO_INDEX;
    }
    fill_figures(g);
    for (size_t i = 0; i < g->places; i++)
        g->inertia[i] = d->mass[i].moment[0];
    if (d->relative)
        g->inertia[0] =
            d->mass[0].moment[0] * (d->mass[1].moment[0] / (d->mass[0].moment[0] + d->mass[1].moment[0]));
    if (g->n > 1)
        ph_pair_prepare(g->G, g->order, d->mass[0].moment[0], g->body[0].sort, g->body[0].figure,
                        d->mass[1].moment[0], g->body[1].sort, g->body[1].figure, &g->pair);
}

static size_t count_figures(const ph_gravitation_definition *d)
{
    size_t count = 0;
    for (size_t i = 0; i < d->bodies; i++)
        count += ph_figure_sort_of(&d->mass[i], d->order) != PH_FIGURE_NONE;
    return count;
}

/* Are there tides at all? */
static bool has_tides(const ph_gravitation_definition *d)
{
    for (size_t i = 0; d->tides && i < d->bodies; i++)
        if (d->tides[i].love != 0)
            return true;
    return false;
}

/* What acts on the bodies besides each other; false without memory. */
static bool fill_others(const ph_gravitation_definition *d, ph_gravitation *g)
{
    if (d->n_given && !(g->given = calloc(d->n_given, sizeof *g->given)))
        return false;
    g->n_given = d->n_given;
    for (size_t i = 0; i < d->n_given; i++)
        ph_given_fill(&d->given[i], d->G, &g->given[i]);
    if (has_tides(d)) {
        if (!(g->tides = calloc(d->bodies, sizeof *g->tides)))
            return false;
        for (size_t i = 0; i < d->bodies; i++)
            ph_tide_fill(&d->tides[i], d->mass[i].J, d->G, &g->tides[i]);
    }
    if (d->central.mass) {
        if (!(g->central = calloc(1, sizeof *g->central)))
            return false;
        if (!ph_central_fill(&d->central, d->order, g->central))
            return false;
    }
    return true;
}

/* Surfaces for figures; false without memory. */
static bool copy_shapes(const ph_gravitation_definition *d, ph_gravitation *g)
{
    bool fits = true;
    for (size_t i = 0; d->shapes && i < d->bodies; i++)
        fits = ph_mesh_thin(d->shapes[i], PH_SHAPE_MOST, &g->body[i].shape) && fits;
    return fits && (!g->central || ph_mesh_thin(d->central.shape, PH_SHAPE_MOST, &g->central->shape));
}

/* n: bodies whose surfaces there may be. */
static void free_parts(ph_gravitation *g, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(g->body[i].shape);
    if (g->central)
        free(g->central->shape);
    free(g->inertia);
    free(g->point);
    free(g->figures);
    free(g->given);
    free(g->tides);
    if (g->central)
        free(g->central->figure);
    free(g->central);
    free(g);
}

ph_status ph_gravitation_create(const ph_gravitation_definition *definition, ph_gravitation **gravitation,
                                ph_error *err)
{
    ph_status status = check(definition, err);
    *gravitation = NULL;
    if (status)
        return status;
    const size_t n = definition->bodies;
    ph_gravitation *made = calloc(1, sizeof *made + n * sizeof made->body[0]);
    if (made && (!(made->inertia = calloc(n, sizeof *made->inertia)) ||
                 !(made->point = calloc(n, sizeof *made->point)) ||
                 !(made->figures = calloc(count_figures(definition) + 1, sizeof *made->figures)) ||
                 !fill_others(definition, made) || !copy_shapes(definition, made))) {
        free_parts(made, n);
        made = NULL;
    }
    if (!made)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu bodies", n);
    fill(definition, made);
    *gravitation = made;
    return PH_OK;
}

void ph_gravitation_free(ph_gravitation *g)
{
    if (!g)
        return;
    if (g->central)
        ph_polyhedron_free(g->central->exact);
    free_parts(g, g->n);
}

/* ---- Parts ----------------------------------------------------------------------------------------------------- */

size_t ph_gravitation_bodies(const ph_gravitation *g)
{
    return g->n;
}

size_t ph_gravitation_places(const ph_gravitation *g)
{
    return g->places;
}

size_t ph_gravitation_attitudes(const ph_gravitation *g)
{
    return g->attitudes;
}

bool ph_gravitation_is_relative(const ph_gravitation *g)
{
    return g->relative;
}

size_t ph_gravitation_order(const ph_gravitation *g)
{
    return g->order;
}

double ph_gravitation_constant(const ph_gravitation *g)
{
    return g->G;
}

const ph_mass *ph_gravitation_mass(const ph_gravitation *g, size_t body)
{
    return body < g->n ? &g->body[body].mass : NULL;
}

const ph_mesh *ph_gravitation_shape(const ph_gravitation *g, size_t body)
{
    return body < g->n ? g->body[body].shape : body == g->n && g->central ? g->central->shape : NULL;
}

size_t ph_gravitation_attitude(const ph_gravitation *g, size_t body)
{
    return body < g->n ? g->body[body].attitude : PH_NO_INDEX;
}

const double *ph_gravitation_inertia(const ph_gravitation *g)
{
    return g->inertia;
}

size_t ph_gravitation_given(const ph_gravitation *g)
{
    return g->n_given;
}

const ph_given_body *ph_gravitation_given_body(const ph_gravitation *g, size_t i)
{
    return i < g->n_given ? &g->given[i].is : NULL;
}

const ph_mass *ph_gravitation_central(const ph_gravitation *g)
{
    return g->central ? &g->central->mass : NULL;
}

const ph_polyhedron *ph_gravitation_central_exact(const ph_gravitation *g)
{
    return g->central ? g->central->exact : NULL;
}

/* ---- Time ------------------------------------------------------------------------------------------------------ */

unsigned ph_gravitation_groups_in_time(const ph_gravitation *g)
{
    const ph_held *held = g->central;
    const bool turns = held && !held->sphere && ph_norm3(held->spin) > 0;
    return (g->n_given ? PH_GROUP_GIVEN : 0u) | (turns ? PH_GROUP_CENTRAL : 0u);
}

bool ph_gravitation_depends_on_time(const ph_gravitation *g)
{
    return ph_gravitation_groups_in_time(g) != 0;
}
