/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the tests of scenario and archive: a folder for each test, and a short run as test data. */
#ifndef POLHODE_TESTS_IOKIT_H
#define POLHODE_TESTS_IOKIT_H

#include <polhode/csv.h>
#include <polhode/scenario.h>
#include <polhode/summary.h>

#include "testkit.h"

/* A fresh folder, as a checked fixture. Files of the names that these tests use are removed with it. */
void io_make_folder(void);
void io_remove_folder(void);
const char *io_folder(void);
const char *io_path(const char *name); /* of a file in it; four may be in use at once */
/* Removes the files of these names, words, from a folder in it ("." is itself), and that folder, if nothing is left. */
void io_clear(const char *inside, const char *names);

void io_put(const char *name, const char *text);
char *io_get(const char *name); /* the whole file (free it), or NULL if there is none */
bool io_there(const char *name);
void io_check_content(const char *name, const char *expected);

/* Parses the text as "t.yaml"; s <- NULL, or the scenario; and one that must be good. */
ph_status io_parse(const char *text, ph_scenario **s, ph_error *err);
ph_scenario *io_scenario(const char *text);
ph_scenario *io_scenario_of(const char *format, ...) PH_PRINTF(1, 2);
/* *it, *state <- at the beginning of the scenario. */
void io_start(const ph_scenario *s, ph_integrator **it, ph_state **state);
void io_follow(const ph_scenario *s, double *z); /* z <- the configuration at its end */

/* A run of 25 steps of 0.01 s from t = 0.5 s, from the model's first preset. */
typedef struct io_run {
    ph_system *system;
    ph_integrator *integrator;
    ph_state *state;
    ph_diagnostics *diagnostics;
    ph_monitor *monitor;
    ph_run_report report; /* of made-up times */
    ph_summary summary;
    ph_result result;
} io_run;

void io_begin(io_run *r, const char *model, const char *method, const ph_setting *settings, size_t n);
/* All its steps; a row for every fifth, if csv is given; then the summary. */
void io_walk(io_run *r, ph_csv *csv);
void io_end(io_run *r);
/* One of this test. */
#define IO_RUN(r, ...)                                                                                       \
    TK_ENDS(io_end) io_run r;                                                                                \
    io_begin(&r, __VA_ARGS__)

#endif
