/* SPDX-License-Identifier: BSD-3-Clause */
/* Events: g changes its sign between two steps. The zero of theta -> g(partial step theta h from the first of
 * them) on (0, 1] is found by Chandrupatla's method (T. R. Chandrupatla, Adv. Eng. Softw. 28 (1997) 145):
 * inverse quadratic interpolation where that is certain to stay in the bracket, bisection elsewhere. */
#include "events.h"
#include "lib/internal/missing.h"

#include <math.h>

/* The width of theta's final bracket. After PATIENCE partial steps the bracket is only halved; PATIENCE
 * halvings are enough to reach that width. */
static const double bracket_width = 1e-13;
enum { PATIENCE = 44 };

/* Steps between two copies of the state: for a long chain a copy takes as long as a step. */
enum { SPAN = 16 };

/* A state with its measures, which are computed when the first column needs them. */
typedef struct measured_state {
    const ph_state *state;
    ph_measures measures;
    bool measured;
} measured_state;

/* ---- The functions ------------------------------------------------------------------------------ */

/* *value <- the column at the state; measures are computed only once for all events. */
static ph_status column_value(ph_events *e, const ph_columns *column, measured_state *s, double *value)
{
    if (ph_columns_needs(column) & PH_COLUMN_MEASURES && !s->measured) {
        ph_status status = ph_diagnostics_measure_parts(e->diagnostics, s->state, e->parts, &s->measures);
        if (status)
            return status;
        s->measured = true;
    }
    const ph_row row = {.state = s->state, .measures = &s->measures};
    ph_columns_values(column, &row, 0, 1, value);
    return PH_OK;
}

/* *g <- the function of the event at the state; PH_E_NOT_FINITE, or how the callback failed. */
static ph_status evaluate_event(ph_events *e, const ph_watched *w, measured_state *s, double *g,
                                ph_error *err)
{
    ph_status status;
    *g = NAN;
    if (w->column) {
        status = column_value(e, w->column, s, g);
        *g -= w->event.level;
    } else {
        status = w->event.value(w->event.user, s->state, g);
    }
    if (status)
        return ph_fail(err, status, "the function of the event \"%.60s\" failed at t = %.10g s: %s",
                       w->event.name, s->state->t, ph_status_text(status));
    if (!isfinite(*g))
        return ph_fail(err, PH_E_NOT_FINITE, "the function of the event \"%.60s\" is %g at t = %.10g s",
                       w->event.name, *g, s->state->t);
    return PH_OK;
}

/* now <- g of every event at the end of a step. */
static ph_status evaluate_events(ph_events *e, const ph_state *state, ph_error *err)
{
    measured_state s = {.state = state};
    ph_status status = PH_OK;
    for (size_t i = 0; i < e->n && !status; i++)
        status = evaluate_event(e, &e->list[i], &s, &e->list[i].now, err);
    return status;
}

/* ---- Locating ----------------------------------------------------------------------------------- */

/* The failure of a partial step, with the message of the integrator. */
static ph_status fail_locating(const ph_events *e, const ph_watched *w, ph_status status, ph_error *err)
{
    return ph_fail(err, status, "while locating the event \"%.60s\" after t = %.10g s: %.300s", w->event.name,
                   e->last->t, ph_integrator_message(e->partial));
}

/* e->last <- the start of the step, by repeating the steps since the copy. The bits are the same: n steps at
 * once and one by one give the same state. */
static ph_status catch_up(ph_events *e, const ph_watched *w, ph_error *err)
{
    const int64_t n = e->k - e->last->k;
    if (!n)
        return PH_OK;
    ph_status status = ph_integrator_set_step_size(e->partial, e->h);
    if (!status)
        status = ph_integrator_step(e->partial, e->last, n);
    return status ? fail_locating(e, w, status, err) : PH_OK;
}

/* e->there <- the partial step theta h from the start of the step. */
static ph_status take_partial_step(ph_events *e, const ph_watched *w, double theta, double h, ph_error *err)
{
    ph_status status = ph_state_copy(e->there, e->last);
    if (!status)
        status = ph_integrator_set_step_size(e->partial, theta * h);
    if (!status)
        status = ph_integrator_step(e->partial, e->there, 1);
    return status ? fail_locating(e, w, status, err) : PH_OK;
}

/* *g <- the function after the partial step theta h from the start of the step. */
static ph_status evaluate_at(ph_events *e, const ph_watched *w, double theta, double h, double *g,
                             ph_error *err)
{
    ph_status status = take_partial_step(e, w, theta, h, err);
    measured_state s = {.state = e->there};
    return status ? status : evaluate_event(e, w, &s, g, err);
}

/* The next point to try, as a fraction of the way from a = x[0] to b = x[1]. x[2] is the point before; g(a)
 * and g(b) have different signs. */
static double next_fraction(const double x[3], const double g[3])
{
    const double along = (x[0] - x[1]) / (x[2] - x[1]), up = (g[0] - g[1]) / (g[2] - g[1]);
    if (!(up * up < along &&
          (1 - up) * (1 - up) < 1 - along)) /* the inverse parabola may leave the bracket */
        return 0.5;
    return g[0] / (g[1] - g[0]) * g[2] / (g[1] - g[2]) +
           (x[2] - x[0]) / (x[1] - x[0]) * g[0] / (g[2] - g[0]) * g[1] / (g[2] - g[1]);
}

/* *theta <- the upper end of the final bracket, which is behind the change of sign. x and g: the latest
 * point, the other end of the bracket, the point before. */
static ph_status locate_zero(ph_events *e, const ph_watched *w, double h, double *theta, ph_error *err)
{
    double x[3] = {1, 0, 0}, g[3] = {w->now, w->before, 0}, part = 0.5;
    for (int tried = 1; fabs(x[0] - x[1]) > bracket_width; tried++) {
        const double least = 0.5 * bracket_width / fabs(x[0] - x[1]);
        part = fmin(1 - least, fmax(least, part));
        const double try = x[0] + part * (x[1] - x[0]);
        double value;
        ph_status status = evaluate_at(e, w, try, h, &value, err);
        if (status)
            return status;
        if (value == 0) {
            *theta = try;
            return PH_OK;
        }
        const bool same = (value > 0) == (g[0] > 0);
        x[2] = x[same ? 0 : 1];
        g[2] = g[same ? 0 : 1];
        if (!same) {
            x[1] = x[0];
            g[1] = g[0];
        }
        x[0] = try;
        g[0] = value;
        part = tried < PATIENCE ? next_fraction(x, g) : 0.5;
    }
    *theta = fmax(x[0], x[1]);
    return PH_OK;
}

/* Does g change its sign, or arrive at zero, in a direction that counts? */
static bool crosses_zero(const ph_watched *w, int *direction)
{
    *direction = w->before < 0 ? 1 : -1;
    if (w->before == 0 || (w->now != 0 && (w->now > 0) == (w->before > 0)))
        return false;
    return w->event.direction != -*direction;
}

/* e->crossings (*n) <- the crossings of this step, in the order of their times. (Sorted by insertion: they
 * are few.) */
static ph_status collect_crossings(ph_events *e, double h, size_t *n, ph_error *err)
{
    ph_status status = PH_OK;
    *n = 0;
    for (size_t i = 0; i < e->n && !status; i++) {
        ph_crossing c = {.event = i, .theta = 1};
        if (!crosses_zero(&e->list[i], &c.direction))
            continue;
        status = catch_up(e, &e->list[i], err);
        if (!status && e->list[i].now != 0)
            status = locate_zero(e, &e->list[i], h, &c.theta, err);
        size_t k = (*n)++;
        for (; k > 0 && e->crossings[k - 1].theta > c.theta; k--)
            e->crossings[k] = e->crossings[k - 1];
        e->crossings[k] = c;
    }
    return status;
}

/* Takes the partial step once more, since others may have been taken since, and hands its state to the
 * sink. */
static ph_status report_crossing(ph_events *e, const ph_crossing *c, const ph_state *state, ph_error *err)
{
    ph_watched *w = &e->list[c->event];
    ph_occurrence o = {
        .event = c->event, .theta = c->theta, .step = e->last->k, .direction = c->direction, .state = state};
    if (c->theta < 1) {
        ph_status status = take_partial_step(e, w, c->theta, state->h, err);
        if (status)
            return status;
        o.state = e->there;
    }
    o.t = o.state->t;
    w->found++;
    return e->sink.found ? e->sink.found(e->sink.self, &o, err) : PH_OK;
}

/* All of them, in order. PH_E_STOPPED where one of the events stops the run. */
static ph_status report_crossings(ph_events *e, const ph_state *state, ph_error *err)
{
    const ph_crossing *stop = NULL;
    size_t n;
    ph_status status = collect_crossings(e, state->h, &n, err);
    for (size_t i = 0; i < n && !status; i++) {
        status = report_crossing(e, &e->crossings[i], state, err);
        if (!stop && e->list[e->crossings[i].event].event.action == PH_EVENT_STOP)
            stop = &e->crossings[i];
    }
    if (status || !stop)
        return status;
    return ph_fail(err, PH_E_STOPPED, "the event \"%.60s\" at t = %.10g s stops the run",
                   e->list[stop->event].event.name, e->last->t + stop->theta * state->h);
}

/* ---- Along the trajectory ----------------------------------------------------------------------- */

/* Makes the end of this step the start of the next; copy: also copies the state. */
static void advance_start(ph_events *e, const ph_state *state, bool copy)
{
    for (size_t i = 0; i < e->n; i++)
        e->list[i].before = e->list[i].now;
    if (copy)
        ph_state_copy(e->last, state);
    e->k = state->k;
    e->h = state->h;
}

ph_status ph_events_begin(ph_events *e, const ph_state *state, ph_error *err)
{
    if (!e)
        return ph_not_created(err, "events", "ph_events_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    if (state->kind != e->last->kind)
        return ph_fail(err, PH_E_INVALID,
                       "the state was made for another system, method or option than the events");
    ph_status status = evaluate_events(e, state, err);
    if (!status)
        advance_start(e, state, true);
    return status;
}

ph_status ph_events_look(ph_events *e, const ph_state *state, ph_error *err)
{
    if (!e)
        return ph_not_created(err, "events", "ph_events_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    if (state->kind != e->last->kind || state->k != e->k + 1)
        return ph_fail(err, PH_E_INVALID, "events must be looked for after each step of one trajectory");
    ph_status status = evaluate_events(e, state, err);
    if (!status)
        status = report_crossings(e, state, err);
    if (!status || status == PH_E_STOPPED)
        advance_start(e, state, state->k - e->last->k >= SPAN || state->h != e->h);
    return status;
}
