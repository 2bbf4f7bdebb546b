/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparing methods and step sizes on one scenario: trials, their error curves over time, and the report. */
#ifndef POLHODE_BENCH_COMPARE_H
#define POLHODE_BENCH_COMPARE_H

#include <signal.h>
#include <stdio.h>

#include <polhode/polhode.h>

enum { TRIAL_SETTINGS = 8, BINS_PER_DECADE = 24, BINS_MOST = 24 * 14 };

/* Largest |energy error| in bins of time that are equal on a logarithmic axis: bin i ends at
 * h 10^(i/BINS_PER_DECADE). Relative to the energy scale of the trial; NaN where nothing was seen. */
typedef struct curve {
    double t_first, t_last; /* of the first bin; of the last output */
    double bin[BINS_MOST];
    size_t n;
} curve;

/* One method with its options at one step size, and what came of it. */
typedef struct trial {
    const ph_method *method;
    char label[96]; /* the method as the user wrote it */
    char words[96]; /* the label cut up; settings point into it */
    ph_setting settings[TRIAL_SETTINGS];
    size_t n_settings;
    double h;
    int64_t steps;

    ph_status status;
    char message[512];
    double t_end;
    ph_summary summary;
    ph_run_report report;
    double passes; /* Newton passes a step; NaN for explicit methods */
    curve energy;
} trial;

/* Called now and then while a trial runs. */
typedef void (*trial_progress)(void *self, const trial *tr, double t, int64_t done);

/* tr <- METHOD or METHOD:option=value:option=value, checked against the method's table. */
ph_status trial_parse(trial *tr, const char *text, ph_error *err);

/* Run the trial on the scenario's system from its initial state for `duration` seconds (a whole number of
 * steps, rounded). A trial that ends early keeps what it has, with status and time. Fails only when it cannot
 * start. */
ph_status trial_run(trial *tr, const ph_scenario *scenario, double h, double duration,
                    const volatile sig_atomic_t *interrupt, trial_progress show, void *self, ph_error *err);

/* Largest error up to and including bin i, and the time at the end of bin i (or of the last output). */
double curve_running_max(const curve *c, size_t i);
double curve_time(const curve *c, size_t i);

/* The table, and what it says in words: who is ahead at the end, when the lines cross. */
void report_table(FILE *out, const trial *trials, size_t n);
void report_words(FILE *out, const trial *trials, size_t n);

typedef enum report_figure {
    FIGURE_DRAWN,
    FIGURE_EMPTY, /* nothing that a logarithmic axis could show */
    FIGURE_NO_GNUPLOT,
    FIGURE_FAILED
} report_figure;

/* directory/bench.csv, directory/energy-error.csv, and by gnuplot directory/energy-error.svg. */
ph_status report_files(const char *directory, const char *title, const trial *trials, size_t n,
                       report_figure *figure, ph_error *err);

#endif
