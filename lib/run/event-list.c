/* SPDX-License-Identifier: BSD-3-Clause */
/* The events that are looked for: checked, copied and counted, with the columns that some of them are
 * functions of. */
#include <polhode/kit/memory.h>

#include "events.h"
#include "lib/internal/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Checks ------------------------------------------------------------------------------------- */

/* *column <- the one column that the event is a function of; it must be known for a state alone. */
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

/* ---- Creation ----------------------------------------------------------------------------------- */

/* e->list <- copies of the events with all their strings, in one block. */
static ph_status copy_list(ph_events *e, const ph_event *events, size_t n, ph_error *err)
{
    ph_lay l = {NULL, 0};
    for (int pass = 0; pass < 2; pass++) {
        ph_watched *list = ph_lay_bytes(&l, n * sizeof *list);
        ph_crossing *crossings = ph_lay_bytes(&l, n * sizeof *crossings);
        for (size_t i = 0; i < n; i++) {
            const size_t length = strlen(events[i].name) + 1;
            char *name = ph_lay_bytes(&l, length);
            if (!l.base)
                continue;
            list[i] = (ph_watched){.event = events[i]};
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

/* All that events need: checked copies, measures for the columns, an integrator and states for partial
 * steps. */
static ph_status prepare_events(ph_events *e, const ph_integrator *it, const ph_event *events, size_t n,
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
    ph_status status = prepare_events(e, integrator, events, n, err);
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

/* ---- Counts ------------------------------------------------------------------------------------- */

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
