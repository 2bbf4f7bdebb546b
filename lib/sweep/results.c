/* SPDX-License-Identifier: BSD-3-Clause */
/* What a block of members leaves: rows, events, failures. */
#include "parts.h"

#include "lib/internal/grow.h"

#include <stdlib.h>
#include <string.h>

void ph_block_clear(ph_member_block *b)
{
    for (size_t i = 0; i < b->n_events; i++) {
        free((void *)(uintptr_t)b->events[i].name);
        free((void *)(uintptr_t)b->events[i].values);
    }
    for (size_t i = 0; i < b->n_failures; i++)
        free((void *)(uintptr_t)b->failures[i].message);
    b->n_events = b->n_failures = 0;
    b->stopped = b->steps = b->passes = 0;
    b->cpu_seconds = 0;
    b->status = PH_OK;
    atomic_store(&b->done, 0);
}

void ph_block_free(ph_member_block *b)
{
    ph_block_clear(b);
    free(b->rows);
    free(b->events);
    free(b->failures);
}

ph_status ph_block_make_room(const ph_sweep *s, ph_member_block *b, ph_error *err)
{
    if ((size_t)b->count <= b->room)
        return PH_OK;
    const double bytes = (double)b->count * (double)s->all.rows * (double)s->n_columns * sizeof(double);
    free(b->rows);
    b->room = 0;
    b->rows = bytes < 0x1p60 ? malloc((size_t)bytes) : NULL;
    if (!b->rows)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory: the rows of %lld members take %.3g bytes",
                       (long long)b->count, bytes);
    b->room = (size_t)b->count;
    return PH_OK;
}

ph_status ph_block_add_failure(ph_member_block *b, int64_t member, ph_status status, double t,
                               const char *message, ph_error *err)
{
    ph_member_failure *list = ph_grow(b->failures, b->n_failures, &b->failures_room, sizeof *list);
    b->failures = list ? list : b->failures;
    char *copy = list ? strdup(message) : NULL;
    if (!copy)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    b->failures[b->n_failures++] = (ph_member_failure){member, status, t, copy};
    return PH_OK;
}

/* Where a run has the step, the event of a sweep has the member; the step is the last of its numbers. */
ph_status ph_block_add_event(ph_member_block *b, int64_t member, const char *name, const ph_occurrence *o,
                             ph_error *err)
{
    const ph_state *state = o->state;
    ph_recorded_event *list = ph_grow(b->events, b->n_events, &b->events_room, sizeof *list);
    if (!list)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    b->events = list;
    const size_t n = state->nz + state->np + 1;
    char *copy = strdup(name);
    double *values = malloc(n * sizeof *values);
    if (!copy || !values) {
        free(copy);
        free(values);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    memcpy(values, state->z, state->nz * sizeof *values);
    if (state->np)
        memcpy(values + state->nz, state->p, state->np * sizeof *values);
    values[n - 1] = (double)o->step;
    b->events[b->n_events++] = (ph_recorded_event){.name = copy,
                                                   .t = o->t,
                                                   .step = member,
                                                   .theta = o->theta,
                                                   .direction = o->direction,
                                                   .values = values,
                                                   .n = n};
    return PH_OK;
}

ph_status ph_block_copy_event(ph_member_block *b, const ph_recorded_event *event, ph_error *err)
{
    ph_recorded_event *list = ph_grow(b->events, b->n_events, &b->events_room, sizeof *list);
    if (!list)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    b->events = list;
    char *name = strdup(event->name);
    double *values = malloc((event->n + 1) * sizeof *values);
    if (!name || !values) {
        free(name);
        free(values);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    memcpy(values, event->values, event->n * sizeof *values);
    b->events[b->n_events] = *event;
    b->events[b->n_events].name = name;
    b->events[b->n_events++].values = values;
    return PH_OK;
}
