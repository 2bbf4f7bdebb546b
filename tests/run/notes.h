/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes of events, for the suites on them: a sink that takes them down, runs that look for them, and systems with
 * known events. */
#ifndef POLHODE_TESTS_NOTES_H
#define POLHODE_TESTS_NOTES_H

#include "tests/kit/testkit.h"

enum { NOTES_MOST = 400 };

/* What was reported. */
typedef struct note {
    size_t event;
    double t, theta;
    int64_t step;
    int direction;
    double z[3]; /* the first numbers of the configuration there */
} note;

typedef struct notes {
    size_t n, fail_at; /* fail_at: the sink fails at that one; 0: never */
    note list[NOTES_MOST];
} notes;

ph_status take_down(void *self, const ph_occurrence *o, ph_error *err);

ph_events *look_for(const ph_integrator *it, const ph_event *events, size_t n, notes *found);

ph_status run_looking(ph_integrator *it, ph_state *state, ph_events *events, int64_t steps, int64_t every,
                      ph_error *err);

static const double fall = 9.81; /* [m/s^2], of a mass of 1 kg */

ph_status height_potential(void *user, const double *z, double *U);

ph_status height_gradient(void *user, const double *z, double *dU);

ph_system *create_thrown(void);

/* The sine of the angle from hanging. */
ph_status measure_swing(void *user, const ph_state *state, double *g);

void open_section(const char *method, ph_system **system, ph_integrator **it, ph_state **state);

#endif
