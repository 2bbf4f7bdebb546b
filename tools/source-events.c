/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of an archive as a source of rows: which event (a number, whose name is an attribute), when, at which
 * step and part of it, in which direction, and the configuration and momentum there. */
#include "source.h"

#include <polhode/columns.h>
#include <polhode/members.h>
#include <polhode/record.h>
#include <polhode/session.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns before those of the state, and the most names of events. */
enum { LEADING = 5, NAMES = 256 };
static const ph_column leading[LEADING] = {{.name = "event"},
                                           {.name = "t", .unit = "s"},
                                           {.name = "step"},
                                           {.name = "theta", .unit = "1"},
                                           {.name = "direction"}};

typedef struct events {
    ph_record *record;
    bool sweeps;       /* events of members: the step is the last number of each */
    size_t n, n_names; /* columns */
    ph_column *columns;
    char (*texts)[PH_COLUMN_NAME]; /* names of the columns of the state */
    char *names[NAMES], keys[NAMES][16];
    ph_attribute attributes[NAMES];
} events;

/* The number of the name; a new one is added. NAMES: there are too many; n_names: there is no memory for it. */
static size_t number_of(events *e, const char *name)
{
    size_t i = 0;
    while (i < e->n_names && strcmp(e->names[i], name))
        i++;
    if (i == e->n_names && i < NAMES && (e->names[i] = strdup(name))) {
        snprintf(e->keys[i], sizeof e->keys[i], "event %zu", i);
        e->attributes[i] = (ph_attribute){e->keys[i], e->names[i]};
        e->n_names++;
    }
    return i;
}

static ph_status read_events(void *self, int64_t first, int64_t n, double *values, int64_t *read,
                             int64_t *next, ph_error *err)
{
    events *e = self;
    ph_recorded_event event;
    ph_status status = PH_OK;
    *read = 0;
    for (*next = first; *read < n && *next < ph_record_events(e->record) && !status; ++*next) {
        double *row = values + (size_t)*read * e->n;
        status = ph_record_event(e->record, *next, &event, err);
        if (status || event.n != e->n - LEADING)
            continue;
        row[0] = (double)number_of(e, event.name);
        row[1] = event.t;
        row[2] = (double)event.step;
        row[3] = event.theta;
        row[4] = event.direction;
        memcpy(row + LEADING, event.values, event.n * sizeof *row);
        if (e->sweeps) {
            row[2] = event.values[event.n - 1];
            row[e->n - 1] = (double)event.step;
        }
        ++*read;
    }
    return status || *read ? status : ph_record_starved(e->record, err);
}

static int64_t count_rows(const void *self)
{
    return ph_record_events(((const events *)self)->record);
}

static void close_events(void *self)
{
    events *e = self;
    ph_record_close(e->record);
    for (size_t i = 0; i < e->n_names; i++)
        free(e->names[i]);
    free(e->columns);
    free(e->texts);
    free(e);
}

/* The scenario of the archive, or of a member of the sweep: they have the same columns. */
static ph_status recall(const events *e, const char *path, ph_members **members, ph_scenario **scenario,
                        ph_error *err)
{
    const char *text = ph_record_meta(e->record, "scenario"), *file = ph_record_meta(e->record, "source");
    if (!e->sweeps || !text)
        return ph_session_recall(e->record, path, scenario, err);
    ph_status status = ph_members_open(text, strlen(text), file ? file : path, members, err);
    return status ? status : ph_members_make(*members, 0, scenario, err);
}

/* e->columns: the leading ones, then those of the state, by the archive's scenario. */
static ph_status name_columns(events *e, const char *path, ph_error *err)
{
    static const char *const words[] = {"configuration", "momentum"};
    ph_members *members = NULL;
    ph_scenario *scenario = NULL;
    ph_columns *columns = NULL;
    e->sweeps = ph_record_swept(e->record, NULL);
    ph_status status = recall(e, path, &members, &scenario, err);
    if (!status) /* some have no momenta */
        status = ph_columns_create(ph_scenario_system(scenario), words,
                                   ph_space_momenta(ph_system_space(ph_scenario_system(scenario))) ? 2 : 1,
                                   &columns, err);
    if (!status) {
        const size_t n = ph_columns_count(columns);
        e->n = LEADING + n + e->sweeps;
        e->columns = malloc(e->n * sizeof *e->columns);
        e->texts = malloc(n * sizeof *e->texts);
        if (!e->columns || !e->texts)
            status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        for (size_t i = 0; i < n && !status; i++) {
            const char *name = ph_columns_name(columns, i, e->texts[i]);
            if (name != e->texts[i])
                snprintf(e->texts[i], sizeof e->texts[i], "%s", name);
            const char *unit = ph_columns_unit(columns, i);
            e->columns[LEADING + i] = (ph_column){.name = e->texts[i], .unit = unit};
        }
        if (!status)
            memcpy(e->columns, leading, sizeof leading);
        if (!status && e->sweeps)
            e->columns[e->n - 1] = (ph_column){.name = "member"};
    }
    ph_columns_free(columns);
    ph_scenario_free(scenario);
    ph_members_free(members);
    return status;
}

/* Attributes are written before the rows are read: the names are collected first. */
static ph_status collect_names(events *e, ph_error *err)
{
    ph_recorded_event event;
    ph_error why;
    for (int64_t i = 0; i < ph_record_events(e->record); i++)
        if (!ph_record_event(e->record, i, &event, &why)) {
            const size_t number = number_of(e, event.name);
            if (number == NAMES)
                return ph_fail(err, PH_E_SIZE, "events have more than %d names", NAMES);
            if (number == e->n_names)
                return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        }
    return PH_OK;
}

ph_status source_open_events(const char *path, source *s, ph_error *err)
{
    events *e = calloc(1, sizeof *e);
    if (!e)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_record_open(path, &e->record, err);
    if (!status)
        status = name_columns(e, path, err);
    if (!status)
        status = collect_names(e, err);
    if (status) {
        close_events(e);
        return status;
    }
    *s = (source){.columns = e->columns,
                  .n = e->n,
                  .attributes = e->attributes,
                  .n_attributes = e->n_names,
                  .self = e,
                  .read = read_events,
                  .rows = count_rows,
                  .close = close_events};
    if (ph_record_verify(e->record, &s->damage) != PH_E_NO_MEMORY)
        return PH_OK;
    close_events(e);
    return ph_fail(err, PH_E_NO_MEMORY, "%s", s->damage.message);
}
