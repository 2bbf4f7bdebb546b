/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense output by Hermite interpolation (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.6): with
 * theta = (t - t0) / H on a step of H, from z, v = zdot and a = zddot at both ends,
 *     u(theta) = z0 + theta H v0 + theta^2 H^2 a0 / 2 + theta^3 (c3 + theta c4 + theta^2 c5),
 * and with z, v alone u = z0 + theta H v0 + theta^2 (c2 + theta c3). z is the nearest point to u, and p the Legendre
 * transform of the tangent part of du/dt. Where the method takes parts of a step as well as whole ones, and is of a higher order,
 * z is the end of a shorter step from the first end. */
#include <polhode/dense.h>

#include <polhode/constraints.h>
#include <polhode/kit/algebra.h>
#include <polhode/kit/equations.h>
#include <polhode/kit/memory.h>
#include <polhode/kit/tensions.h>

#include "lib/internal/missing.h"
#include "lib/system/structure.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One end of the step. */
typedef struct end {
    ph_state *state; /* a copy */
    double *y;       /* (2 nz) z, zdot */
    double *rate;    /* (2 nz) zdot, zddot; of no use without accelerations */
    bool known;      /* are y and rate those of the state? */
} end;

struct ph_dense {
    const ph_system *system;
    const ph_structure *of;
    const ph_field *field; /* NULL: no accelerations, or those of the structure */
    end ends[2];
    int given;              /* ends that there are */
    ph_integrator *partial; /* takes shorter steps; NULL: the ends are interpolated */
    ph_state *there;        /* what ph_dense_at returns */
    double *u, *du;         /* (nz each) the interpolant and its rate */
    double *middle;         /* (4 nz) z, zdot and their rates in the middle of the step */
    double *work;
};

/* The form of the equations in (z, zdot) that takes the system, or NULL. */
static const ph_field *choose_field(const ph_system *system)
{
    const char *name = ph_system_is_sparse(system) && !ph_system_constraints(system) ? "tensions" : "q-qdot";
    const ph_field *field = ph_field_find(name, NULL);
    return field && !ph_field_supports(field, system, NULL) ? field : NULL;
}

static bool has_accelerations(const ph_dense *d)
{
    return d->field || d->of->bend;
}

/* The order of the interpolation. */
static int interpolated(const ph_dense *d)
{
    return has_accelerations(d) ? 6 : 4;
}

static ph_state *lay_state(ph_lay *l, const ph_integrator *it)
{
    void *place = ph_lay_line(l, ph_state_size(it));
    return place ? ph_state_place(it, place) : NULL;
}

ph_status ph_dense_create(const ph_integrator *it, ph_dense **dense, ph_error *err)
{
    if (!it)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    const ph_system *system = ph_integrator_system(it);
    const ph_space *space = ph_system_space(system);
    if (!ph_space_has_retraction(space))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "a state between two steps needs a nearest point of the manifold, which one given by its "
            "projection alone does not have: give it by its constraints");
    const ph_field *field = choose_field(system);
    const ph_structure *of = ph_structure_of(system);
    const size_t nz = ph_space_ambient(space), own = ph_system_work(system),
                 more = field      ? field->work(system)
                        : of->bend ? of->bend_work(system)
                                   : 0;
    ph_dense *d = NULL;
    ph_lay l = {NULL, 0};
    for (int pass = 0; pass < 2; pass++) {
        end ends[2];
        d = ph_lay_bytes(&l, sizeof *d);
        for (int i = 0; i < 2; i++) {
            ends[i].state = lay_state(&l, it);
            ends[i].y = ph_lay_doubles(&l, 2 * nz);
            ends[i].rate = ph_lay_doubles(&l, 2 * nz);
            ends[i].known = false;
        }
        ph_state *there = lay_state(&l, it);
        double *u = ph_lay_doubles(&l, nz), *du = ph_lay_doubles(&l, nz);
        double *middle = ph_lay_doubles(&l, 4 * nz);
        double *work = ph_lay_doubles(&l, own > more ? own : more);
        if (d)
            *d = (ph_dense){system, of, field, {ends[0], ends[1]}, 0, NULL, there, u, du, middle, work};
        else if (!(l = (ph_lay){malloc(l.bytes), 0}).base)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    const ph_method *method = ph_integrator_method(it);
    if (method->takes_parts && ph_method_order(method, system, ph_integrator_options(it)) > interpolated(d)) {
        const ph_status status = ph_integrator_copy(it, ph_integrator_step_size(it), &d->partial, err);
        if (status) {
            free(d);
            return status;
        }
    }
    *dense = d;
    return PH_OK;
}

void ph_dense_free(ph_dense *dense)
{
    if (dense)
        ph_integrator_free(dense->partial);
    free(dense);
}

int ph_dense_order(const ph_dense *d)
{
    if (!d->partial)
        return interpolated(d);
    return ph_method_order(ph_integrator_method(d->partial), d->system, ph_integrator_options(d->partial));
}

/* ---- The step ------------------------------------------------------------------------------------ */

static ph_status take_end(end *e, const ph_state *state, ph_error *err)
{
    e->known = false;
    if (ph_state_copy(e->state, state))
        return ph_fail(err, PH_E_INVALID,
                       "the state was made for another system, method or option than the dense output");
    return PH_OK;
}

/* Is this the state of that end, bit by bit? */
static bool is_same(const end *e, const ph_state *state)
{
    return e->known && e->state->kind == state->kind && e->state->k == state->k && e->state->t == state->t &&
           !memcmp(e->state->z, state->z, state->nz * sizeof *state->z) &&
           !memcmp(e->state->p, state->p, state->np * sizeof *state->p);
}

/* Are accelerations found by differences that go into the step, so that they are others from its other side? A run that
 * is resumed between two steps must have the bits of one that is not. */
static bool is_of_one_side(const ph_dense *d)
{
    return d->of->bends_by_side && d->of->bends_by_side(d->system);
}

ph_status ph_dense_begin(ph_dense *d, const ph_state *state, ph_error *err)
{
    if (!d)
        return ph_not_created(err, "dense output", "ph_dense_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    if (d->given == 2 && is_same(&d->ends[1], state)) { /* the next step: its velocities are known */
        const end first = d->ends[1];
        d->ends[1] = d->ends[0];
        d->ends[0] = first;
        d->given = 1;
        if (is_of_one_side(d)) /* what it was found by is in the step before */
            d->ends[0].known = false;
        return PH_OK;
    }
    d->given = 0;
    ph_status status = take_end(&d->ends[0], state, err);
    d->given = !status;
    return status;
}

/* rate, second half <- zddot at t and y = (z, zdot), whose first half it may leave. span: the time from t to the other end of
 * the step, within which the equations may be evaluated. */
static ph_status find_acceleration(ph_dense *d, double t, const double *y, double span, double *rate)
{
    const size_t nz = d->ends[0].state->nz;
    return d->field ? d->field->evaluate(d->system, t, y, rate, d->work)
                    : d->of->bend(d->system, t, y, y + nz, span, rate + nz, d->work);
}

/* Velocity and acceleration of an end, from which it takes `span` to the other. */
static ph_status find_rates(ph_dense *d, end *e, double span, ph_error *err)
{
    const ph_state *s = e->state;
    if (e->known)
        return PH_OK;
    memcpy(e->y, s->z, s->nz * sizeof *e->y);
    ph_status status = ph_system_velocity_at(d->system, s->t, s->z, s->p, e->y + s->nz, d->work);
    if (!status && has_accelerations(d))
        status = find_acceleration(d, s->t, e->y, span, e->rate);
    if (!status &&
        !(ph_all_finite(e->y, 2 * s->nz) && (!has_accelerations(d) || ph_all_finite(e->rate + s->nz, s->nz))))
        status = PH_E_NOT_FINITE;
    e->known = !status;
    return status
               ? ph_fail(err, status, "the rate of change at t = %.10g s: %s", s->t, ph_status_text(status))
               : PH_OK;
}

ph_status ph_dense_end(ph_dense *d, const ph_state *state, ph_error *err)
{
    if (!d)
        return ph_not_created(err, "dense output", "ph_dense_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    if (!d->given || state->t == d->ends[0].state->t)
        return ph_fail(err, PH_E_INVALID, "the end of a step needs a begin (ph_dense_begin) at another time");
    d->given = 1;
    ph_status status = take_end(&d->ends[1], state, err);
    for (int i = 0; i < 2 && !status && !d->partial; i++)
        status = find_rates(d, &d->ends[i], d->ends[1 - i].state->t - d->ends[i].state->t, err);
    d->given = status ? 1 : 2;
    return status;
}

/* ---- Between its ends ---------------------------------------------------------------------------- */

/* u and du (n each) of the polynomial of degree 5. */
static void interpolate_quintic(const ph_dense *d, size_t n, double theta, double H)
{
    const double *z0 = d->ends[0].y, *v0 = z0 + n, *a0 = d->ends[0].rate + n;
    const double *z1 = d->ends[1].y, *v1 = z1 + n, *a1 = d->ends[1].rate + n;
    const double square = theta * theta;
    for (size_t i = 0; i < n; i++) {
        const double linear = H * v0[i], half = 0.5 * H * H * a0[i];
        const double miss = z1[i] - z0[i] - linear - half, slope = H * (v1[i] - v0[i]) - 2 * half,
                     bend = H * H * (a1[i] - a0[i]);
        const double c3 = 10 * miss - 4 * slope + 0.5 * bend, c4 = -15 * miss + 7 * slope - bend,
                     c5 = 6 * miss - 3 * slope + 0.5 * bend;
        d->u[i] = z0[i] + theta * (linear + theta * (half + theta * (c3 + theta * (c4 + theta * c5))));
        d->du[i] = (linear + 2 * theta * half + square * (3 * c3 + theta * (4 * c4 + theta * 5 * c5))) / H;
    }
}

/* The same of degree 3. */
static void interpolate_cubic(const ph_dense *d, size_t n, double theta, double H)
{
    const double *z0 = d->ends[0].y, *v0 = z0 + n, *z1 = d->ends[1].y, *v1 = z1 + n;
    for (size_t i = 0; i < n; i++) {
        const double linear = H * v0[i], miss = z1[i] - z0[i] - linear, slope = H * (v1[i] - v0[i]);
        const double c2 = 3 * miss - slope, c3 = slope - 2 * miss;
        d->u[i] = z0[i] + theta * (linear + theta * (c2 + theta * c3));
        d->du[i] = (linear + theta * (2 * c2 + theta * 3 * c3)) / H;
    }
}

/* d->there, z and p <- the point of the manifold next to the interpolant, and its momentum. */
static ph_status settle(ph_dense *d, ph_error *err)
{
    const ph_space *space = ph_system_space(d->system);
    ph_state *s = d->there;
    memcpy(s->z, d->u, s->nz * sizeof *s->z);
    ph_status status = ph_space_project(space, s->z);
    if (status == PH_E_NOT_ON_MANIFOLD)
        return ph_fail(
            err, status,
            "the motion cannot be interpolated at t = %.10g s: in a step of %g s it turns too far; shorten "
            "the step",
            s->t, s->h);
    if (!status) {
        ph_space_project_tangent(space, s->z, d->du);
        status = ph_system_momentum(d->system, s->t, s->z, d->du, s->p, d->work);
    }
    if (!status && !ph_all_finite(s->p, s->np))
        status = PH_E_NOT_FINITE;
    return status ? ph_fail(err, status, "interpolating at t = %.10g s: %s", s->t, ph_status_text(status))
                  : PH_OK;
}

/* d->there, z and p <- the end of the step by theta H from the first end. */
static ph_status take_part(ph_dense *d, double theta, double H, ph_error *err)
{
    ph_state *s = d->there;
    const double t = s->t;
    ph_status status = ph_state_copy(s, d->ends[0].state);
    if (!status)
        status = ph_integrator_set_step_size(d->partial, theta * H);
    if (!status)
        status = ph_integrator_step(d->partial, s, 1);
    memset(s->carry, 0, s->ncarry * sizeof *s->carry); /* no trajectory goes on from it */
    return status ? ph_fail(err, status, "in the part of a step to t = %.10g s: %.300s", t,
                            ph_integrator_message(d->partial))
                  : PH_OK;
}

ph_status ph_dense_at(ph_dense *d, double t, const ph_state **state, ph_error *err)
{
    if (!d)
        return ph_not_created(err, "dense output", "ph_dense_create");
    if (d->given != 2)
        return ph_fail(err, PH_E_INVALID,
                       "there is no step to interpolate in: ph_dense_begin, then ph_dense_end");
    const ph_state *first = d->ends[0].state, *last = d->ends[1].state;
    ph_state *s = d->there;
    const double H = last->t - first->t, theta = (t - first->t) / H;
    const double rounding = 4 * DBL_EPSILON * fmax(fabs(first->t), fabs(last->t)) / fabs(H);
    if (!(theta >= -rounding && theta <= 1 + rounding))
        return ph_fail(err, PH_E_RANGE, "t = %.17g s is not in the step from %.17g s to %.17g s", t, first->t,
                       last->t);
    const ph_state *same = theta <= rounding ? first : theta >= 1 - rounding ? last : NULL;
    s->t = t;
    ph_status status = d->partial && !same ? take_part(d, theta, H, err) : PH_OK;
    if (status)
        return status;
    s->k = first->k;
    s->h = last->h;
    s->t = s->t_base = t;
    s->k_base = s->k;
    if (same) {
        memcpy(s->z, same->z, s->nz * sizeof *s->z);
        memcpy(s->p, same->p, s->np * sizeof *s->p);
    } else if (!d->partial) {
        if (has_accelerations(d))
            interpolate_quintic(d, s->nz, theta, H);
        else
            interpolate_cubic(d, s->nz, theta, H);
        status = settle(d, err);
    }
    if (!status)
        *state = s;
    return status;
}

/* ---- Its error ----------------------------------------------------------------------------------- */

/* The error of u is z^(6) H^6 / 720 theta^3 (theta - 1)^3 to the leading order: in the middle, where it is largest, -1/64 of
 * its scale, its second derivative by theta 3/8 of it, and its first one 0, so that the velocity there is better than
 * elsewhere. d2u/dt2 in the middle is 3/2 (v1 - v0) / H - (a0 + a1) / 4. */
ph_status ph_dense_error(ph_dense *d, double *error, ph_error *err)
{
    const ph_state *there;
    if (!d)
        return ph_not_created(err, "dense output", "ph_dense_create");
    const double t0 = d->ends[0].state->t, H = d->ends[1].state->t - t0;
    ph_status status = ph_dense_at(d, t0 + 0.5 * H, &there, err);
    *error = d->partial ? 0 : NAN;
    if (status || d->partial || !has_accelerations(d))
        return status;
    const size_t n = there->nz;
    const double *v0 = d->ends[0].y + n, *v1 = d->ends[1].y + n, *a0 = d->ends[0].rate + n,
                 *a1 = d->ends[1].rate + n;
    double *y = d->middle, *rate = y + 2 * n;
    memcpy(y, there->z, n * sizeof *y);
    memcpy(y + n, d->du, n * sizeof *y);
    if (d->of->flow)
        status = d->of->flow(d->system, there->t, y, y + n);
    if (!status)
        status = find_acceleration(d, there->t, y, 0.5 * H, rate);
    if (status)
        return ph_fail(err, status, "the rate of change at t = %.10g s: %s", there->t,
                       ph_status_text(status));
    for (size_t i = 0; i < n; i++)
        rate[i] = 1.5 * (v1[i] - v0[i]) / H - 0.25 * (a0[i] + a1[i]) - rate[n + i];
    ph_space_project_tangent(ph_system_space(d->system), there->z,
                             rate); /* the projection takes its normal part away */
    *error = ph_max_norm(rate, n) * H * H / 24;
    return PH_OK;
}
