/* SPDX-License-Identifier: BSD-3-Clause */
/* Events: where a function g of the state changes its sign along a trajectory (a Poincare section, an upright
 * passage, a tip that reaches a plane). Between two successive steps the place is found by partial steps from
 * the first of them, of the same method with the step size theta h, 0 < theta <= 1: points of the discrete
 * flow, as accurate as the trajectory, not an interpolation. The trajectory itself is not touched: it has the
 * same bits whether events are looked for or not.
 *
 * Seen is what changes the sign from one step to the next. A function that touches zero between two steps and
 * turns, or crosses it twice, is not seen; a jump across zero is found like a crossing. A zero exactly at the
 * end of a step is an event of that step, whatever comes after it; where g is zero at the start of a step,
 * leaving it is none. So the events of a step depend on nothing but that step, and a run in parts finds what
 * one in a piece finds. */
#ifndef POLHODE_EVENTS_H
#define POLHODE_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/integrator.h>
#include <polhode/state.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** What is done when an event is found. */
typedef enum ph_event_action {
    PH_EVENT_RECORD, /**< it is reported, and the run continues */
    PH_EVENT_STOP    /**< it is reported, and the run ends with the step in which it was found */
} ph_event_action;

/** *g <- the function whose zeros are the events, at a state (whose z and p are there to be read). It must
 * depend on the state alone. A failure ends the run with that status; so does a g that is not finite. */
typedef ph_status (*ph_event_fn)(void *user, const ph_state *state, double *g);

/** An event: a name, a function, and which of its zeros count. */
typedef struct ph_event {
    const char *name;       /**< in messages and tables */
    const char *column;     /**< g is this column (columns.h: "q1z", "energy", "t") - level; NULL: value */
    double level;           /**< in the column's unit */
    ph_event_fn value;      /**< g; NULL where column says it */
    void *user;             /**< handed to value */
    int direction;          /**< +1: where g rises along the run, -1: where it falls, 0: both */
    ph_event_action action; /**< record or stop */
} ph_event;

/** An event that was found. */
typedef struct ph_occurrence {
    size_t event; /**< which: index of the list */
    double t;     /**< [s] when */
    /** In (0, 1]: that part of the step; at most 1e-13 behind the change of sign, if g is smooth enough (its
     * rounding moves the place by rounding / |dg/dtheta|). */
    double theta;
    int64_t step;  /**< steps taken before: it lies between this step and the next */
    int direction; /**< +1: g rose, -1: it fell */
    /** There; valid during the call. With an event on the step's end, the trajectory's own. */
    const ph_state *state;
} ph_occurrence;

/** Receives the events, in the order of time; those at the same place in the order of the list. */
typedef struct ph_event_sink {
    /** A failure ends the run with that status. NULL: they are only counted. */
    ph_status (*found)(void *self, const ph_occurrence *occurrence, ph_error *err);
    void *self; /**< handed to found */
} ph_event_sink;

/** Events that are looked for along one trajectory at a time. */
typedef struct ph_events ph_events;

/** Can this event be looked for on this system? PH_E_INVALID (no name; neither column nor value, or both; a
 * group of columns, or one that belongs to a run: energy_error, newton_passes), PH_E_UNKNOWN (a column;
 * suggests), PH_E_RANGE (direction, action, level), PH_E_NO_MEMORY. */
PH_API ph_status ph_event_check(const ph_system *system, const ph_event *event, ph_error *err);

/** Look for events (n), copied but for what user points to, along trajectories of integrators like this one:
 * of the same system, method and options. One object per thread; it takes the memory of another integrator
 * and two states. The system must outlive it; the integrator need not.
 * The errors of ph_event_check and of ph_integrator_create. */
PH_API ph_status ph_events_create(const ph_integrator *integrator, const ph_event *events, size_t n,
                                  const ph_event_sink *sink, ph_events **looking, ph_error *err);
PH_API void ph_events_free(ph_events *events); /**< Free; NULL is allowed. */

/** How many are looked for, and the name of one of them. */
PH_API size_t ph_events_listed(const ph_events *events);
PH_API const char *ph_events_name(const ph_events *events, size_t i); /**< as given; owned by events */
/** How often the i-th was found since it was created, and before that as ph_events_recall says. */
PH_API int64_t ph_events_found(const ph_events *events, size_t i);
/** The trajectory is continued: the i-th was found so often in its earlier parts. */
PH_API void ph_events_recall(ph_events *events, size_t i, int64_t found);

/* What ph_run does with the events of its plan, for user-defined loops. */

/** A trajectory begins, or continues, at this state. PH_E_INVALID (of another kind), a failing function's
 * status, PH_E_NOT_FINITE. */
PH_API ph_status ph_events_begin(ph_events *events, const ph_state *state, ph_error *err);
/** One step was made: the state is its end. Each g is evaluated once, and no partial step is taken, where
 * nothing happens. No allocation (but for a method that allocates when its step size is set).
 * PH_E_STOPPED when an event was found that stops, after all events of the step were reported; PH_E_INVALID
 * (not one step after the state before); PH_E_NOT_FINITE (g); the status of a failing function, partial step
 * or sink. After any other failure than PH_E_STOPPED call ph_events_begin again. */
PH_API ph_status ph_events_look(ph_events *events, const ph_state *state, ph_error *err);

PH_END_DECLS
#endif
