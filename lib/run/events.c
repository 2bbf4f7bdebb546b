/* SPDX-License-Identifier: BSD-3-Clause */
/* Events: g changes its sign between two steps. The zero of theta -> g(partial step theta h from the first of
 * them) on (0, 1] is found by Chandrupatla's method (T. R. Chandrupatla, Adv. Eng. Softw. 28 (1997) 145):
 * inverse quadratic interpolation where that is certain to stay in the bracket, bisection elsewhere. */
#include <polhode/columns.h>
#include <polhode/events.h>
#include <polhode/memory.h>

#include "lib/internal/missing.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The width of theta's final bracket. After PATIENCE partial steps the bracket is only halved; PATIENCE
 * halvings are enough to reach that width. */
static const double narrow = 1e-13;
enum { PATIENCE = 44 };

/* Steps between two copies of the state: for a long chain a copy takes as long as a step. */
enum { SPAN = 16 };

typedef struct watched {
    ph_event event;
    ph_columns *column; /* NULL: event.value */
    double before, now; /* g at both ends of the step */
    int64_t found;
} watched;

typedef struct crossing {
    size_t event;
    double theta;
    int direction;
} crossing;

struct ph_events {
    ph_integrator *partial; /* takes the partial steps */
    ph_state *last,
        *there; /* the state at the start of the step, or at most SPAN steps before; after a partial step */
    int64_t k;  /* the step count at the start of the step */
    double h;   /* the step size since `last` */
    ph_diagnostics *diagnostics; /* NULL where no column needs measures, */
    unsigned parts;              /* and which parts of them columns need */
    ph_event_sink sink;
    size_t n;
    watched *list;       /* (n) */
    crossing *crossings; /* (n) of one step */
};

/* A state with its measures, which are computed when the first column needs them. */
typedef struct sight {
    const ph_state *state;
    ph_measures measures;
    bool measured;
} sight;

/* ---- The functions ------------------------------------------------------------------------------- */

static ph_status column_value(ph_events *e, const ph_columns *column, sight *s, double *value)
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

static ph_status evaluate(ph_events *e, const watched *w, sight *s, double *g, ph_error *err)
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

/* g at the end of a step, of every event. */
static ph_status evaluate_all(ph_events *e, const ph_state *state, ph_error *err)
{
    sight s = {.state = state};
    ph_status status = PH_OK;
    for (size_t i = 0; i < e->n && !status; i++)
        status = evaluate(e, &e->list[i], &s, &e->list[i].now, err);
    return status;
}

/* ---- Creation ------------------------------------------------------------------------------------ */

static ph_status find_column(const ph_system *system, const ph_event *event, ph_columns **column,
                             ph_error *err)
{
    ph_status status = ph_columns_create(system, &event->column, 1, column, err);
    if (status)
        return status;
    if (ph_columns_count(*column) != 1)
        status = ph_fail(err, PH_E_INVALID,
                         "the event \"%.60s\" needs one column; \"%.60s\" is a group of %zu of them",
                         event->name, event->column, ph_columns_count(*column));
    else if (ph_columns_needs(*column) & PH_COLUMN_RUN)
        status =
            ph_fail(err, PH_E_INVALID,
                    "the column \"%s\" of the event \"%.60s\" belongs to a run, not to a state; take another",
                    event->column, event->name);
    if (status) {
        ph_columns_free(*column);
        *column = NULL;
    }
    return status;
}

ph_status ph_event_check(const ph_system *system, const ph_event *event, ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    const char *name = event->name;
    ph_columns *column = NULL;
    if (!name || !*name)
        return ph_fail(err, PH_E_INVALID, "an event needs a name");
    if (!event->column == !event->value)
        return ph_fail(err, PH_E_INVALID, "the event \"%.60s\" needs a column or a function, not %s", name,
                       event->column ? "both" : "neither");
    if (event->direction < -1 || event->direction > 1)
        return ph_fail(err, PH_E_RANGE, "the direction of the event \"%.60s\" is %d; -1, 0 or 1 is expected",
                       name, event->direction);
    if (event->action != PH_EVENT_RECORD && event->action != PH_EVENT_STOP)
        return ph_fail(err, PH_E_RANGE, "the event \"%.60s\" has an action that is neither record nor stop",
                       name);
    if (!event->column)
        return PH_OK;
    if (!isfinite(event->level))
        return ph_fail(err, PH_E_RANGE, "the level of the event \"%.60s\" is %g; it must be finite", name,
                       event->level);
    ph_status status = find_column(system, event, &column, err);
    ph_columns_free(column);
    return status;
}

/* e->list <- copies of the events with all their strings, in one block. */
static ph_status copy_list(ph_events *e, const ph_event *events, size_t n, ph_error *err)
{
    ph_lay l = {NULL, 0};
    for (int pass = 0; pass < 2; pass++) {
        watched *list = ph_lay_bytes(&l, n * sizeof *list);
        crossing *crossings = ph_lay_bytes(&l, n * sizeof *crossings);
        for (size_t i = 0; i < n; i++) {
            const size_t length = strlen(events[i].name) + 1;
            char *name = ph_lay_bytes(&l, length);
            if (!l.base)
                continue;
            list[i] = (watched){.event = events[i]};
            list[i].event.name = memcpy(name, events[i].name, length);
        }
        if (l.base) {
            e->list = list;
            e->crossings = crossings;
            e->n = n;
        } else if (!(l = (ph_lay){malloc(l.bytes + 1), 0}).base) {
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        }
    }
    return PH_OK;
}

static ph_status prepare(ph_events *e, const ph_integrator *it, const ph_event *events, size_t n,
                         ph_error *err)
{
    const ph_system *system = ph_integrator_system(it);
    ph_status status = PH_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = ph_event_check(system, &events[i], err);
    if (!status)
        status = copy_list(e, events, n, err);
    for (size_t i = 0; i < n && !status; i++) {
        if (!e->list[i].event.column)
            continue;
        status = find_column(system, &e->list[i].event, &e->list[i].column, err);
        e->parts |= status ? 0 : ph_columns_measures(e->list[i].column);
        e->list[i].event.column = NULL; /* the caller's */
    }
    if (!status && e->parts)
        status = ph_diagnostics_create(system, &e->diagnostics, err);
    if (!status)
        status = ph_integrator_copy(it, ph_integrator_step_size(it), &e->partial, err);
    if (!status)
        status = ph_state_create(e->partial, &e->last, err);
    if (!status)
        status = ph_state_create(e->partial, &e->there, err);
    return status;
}

ph_status ph_events_create(const ph_integrator *integrator, const ph_event *events, size_t n,
                           const ph_event_sink *sink, ph_events **looking, ph_error *err)
{
    if (!integrator)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    ph_events *e = calloc(1, sizeof *e);
    if (!e)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (sink)
        e->sink = *sink;
    ph_status status = prepare(e, integrator, events, n, err);
    if (status)
        ph_events_free(e);
    else
        *looking = e;
    return status;
}

void ph_events_free(ph_events *e)
{
    if (!e)
        return;
    for (size_t i = 0; i < e->n; i++)
        ph_columns_free(e->list[i].column);
    ph_state_free(e->there);
    ph_state_free(e->last);
    ph_integrator_free(e->partial);
    ph_diagnostics_free(e->diagnostics);
    free(e->list);
    free(e);
}

size_t ph_events_listed(const ph_events *e)
{
    return e->n;
}

const char *ph_events_name(const ph_events *e, size_t i)
{
    return e->list[i].event.name;
}

int64_t ph_events_found(const ph_events *e, size_t i)
{
    return e->list[i].found;
}

void ph_events_recall(ph_events *e, size_t i, int64_t found)
{
    e->list[i].found = found;
}

/* ---- Locating ------------------------------------------------------------------------------------ */

static ph_status lost(const ph_events *e, const watched *w, ph_status status, ph_error *err)
{
    return ph_fail(err, status, "while locating the event \"%.60s\" after t = %.10g s: %.300s", w->event.name,
                   e->last->t, ph_integrator_message(e->partial));
}

/* e->last <- the start of the step, by repeating the steps since the copy. The bits are the same: n steps at
 * once and one by one give the same state. */
static ph_status catch_up(ph_events *e, const watched *w, ph_error *err)
{
    const int64_t n = e->k - e->last->k;
    if (!n)
        return PH_OK;
    ph_status status = ph_integrator_set_step_size(e->partial, e->h);
    if (!status)
        status = ph_integrator_step(e->partial, e->last, n);
    return status ? lost(e, w, status, err) : PH_OK;
}

/* e->there <- the partial step theta h from the start of the step. */
static ph_status go(ph_events *e, const watched *w, double theta, double h, ph_error *err)
{
    ph_status status = ph_state_copy(e->there, e->last);
    if (!status)
        status = ph_integrator_set_step_size(e->partial, theta * h);
    if (!status)
        status = ph_integrator_step(e->partial, e->there, 1);
    return status ? lost(e, w, status, err) : PH_OK;
}

static ph_status at(ph_events *e, const watched *w, double theta, double h, double *g, ph_error *err)
{
    ph_status status = go(e, w, theta, h, err);
    sight s = {.state = e->there};
    return status ? status : evaluate(e, w, &s, g, err);
}

/* The next point to try, as a fraction of the way from a = x[0] to b = x[1]. x[2] is the point before; g(a)
 * and g(b) have different signs. */
static double next_part(const double x[3], const double g[3])
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
static ph_status locate(ph_events *e, const watched *w, double h, double *theta, ph_error *err)
{
    double x[3] = {1, 0, 0}, g[3] = {w->now, w->before, 0}, part = 0.5;
    for (int tried = 1; fabs(x[0] - x[1]) > narrow; tried++) {
        const double least = 0.5 * narrow / fabs(x[0] - x[1]);
        part = fmin(1 - least, fmax(least, part));
        const double try = x[0] + part * (x[1] - x[0]);
        double value;
        ph_status status = at(e, w, try, h, &value, err);
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
        part = tried < PATIENCE ? next_part(x, g) : 0.5;
    }
    *theta = fmax(x[0], x[1]);
    return PH_OK;
}

/* Does g change its sign, or arrive at zero, in a direction that counts? */
static bool crosses(const watched *w, int *direction)
{
    *direction = w->before < 0 ? 1 : -1;
    if (w->before == 0 || (w->now != 0 && (w->now > 0) == (w->before > 0)))
        return false;
    return w->event.direction != -*direction;
}

/* The crossings of this step, in order. */
static ph_status collect(ph_events *e, double h, size_t *n, ph_error *err)
{
    ph_status status = PH_OK;
    *n = 0;
    for (size_t i = 0; i < e->n && !status; i++) {
        crossing c = {.event = i, .theta = 1};
        if (!crosses(&e->list[i], &c.direction))
            continue;
        status = catch_up(e, &e->list[i], err);
        if (!status && e->list[i].now != 0)
            status = locate(e, &e->list[i], h, &c.theta, err);
        size_t k = (*n)++;
        for (; k > 0 && e->crossings[k - 1].theta > c.theta; k--)
            e->crossings[k] = e->crossings[k - 1];
        e->crossings[k] = c;
    }
    return status;
}

static ph_status tell(ph_events *e, const crossing *c, const ph_state *state, ph_error *err)
{
    watched *w = &e->list[c->event];
    ph_occurrence o = {
        .event = c->event, .theta = c->theta, .step = e->last->k, .direction = c->direction, .state = state};
    if (c->theta < 1) {
        ph_status status = go(e, w, c->theta, state->h, err);
        if (status)
            return status;
        o.state = e->there;
    }
    o.t = o.state->t;
    w->found++;
    return e->sink.found ? e->sink.found(e->sink.self, &o, err) : PH_OK;
}

static ph_status tell_all(ph_events *e, const ph_state *state, ph_error *err)
{
    const crossing *stop = NULL;
    size_t n;
    ph_status status = collect(e, state->h, &n, err);
    for (size_t i = 0; i < n && !status; i++) {
        status = tell(e, &e->crossings[i], state, err);
        if (!stop && e->list[e->crossings[i].event].event.action == PH_EVENT_STOP)
            stop = &e->crossings[i];
    }
    if (status || !stop)
        return status;
    return ph_fail(err, PH_E_STOPPED, "the event \"%.60s\" at t = %.10g s stops the run",
                   e->list[stop->event].event.name, e->last->t + stop->theta * state->h);
}

/* ---- Along the trajectory ------------------------------------------------------------------------ */

/* Makes the end of this step the start of the next; copy: also copies the state. */
static void go_on(ph_events *e, const ph_state *state, bool copy)
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
    ph_status status = evaluate_all(e, state, err);
    if (!status)
        go_on(e, state, true);
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
    ph_status status = evaluate_all(e, state, err);
    if (!status)
        status = tell_all(e, state, err);
    if (!status || status == PH_E_STOPPED)
        go_on(e, state, state->k - e->last->k >= SPAN || state->h != e->h);
    return status;
}
