/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that are looked for: created by event-list.c, found by events.c. */
#ifndef PH_RUN_EVENTS_H
#define PH_RUN_EVENTS_H

#include <polhode/columns.h>
#include <polhode/events.h>

#include "measure.h"

/* One event, and its function g along the trajectory. */
typedef struct ph_watched {
    ph_event event;
    ph_columns *column; /* NULL: event.value */
    double before, now; /* g at both ends of the step */
    int64_t found;
} ph_watched;

/* A change of sign within a step. */
typedef struct ph_crossing {
    size_t event;
    double theta;  /* where, as a fraction of the step in (0, 1] */
    int direction; /* 1: upwards, -1: downwards */
} ph_crossing;

struct ph_events {
    ph_integrator *partial;      /* takes the partial steps */
    ph_state *last;              /* the state at the start of the step, or at most SPAN steps before */
    ph_state *there;             /* the state after a partial step */
    int64_t k;                   /* the step count at the start of the step */
    double h;                    /* the step size since `last` */
    ph_diagnostics *diagnostics; /* NULL where no column needs measures, */
    unsigned parts;              /* and which parts of them columns need */
    ph_event_sink sink;
    size_t n;
    ph_watched *list;       /* (n) */
    ph_crossing *crossings; /* (n) of one step */
};

#endif
