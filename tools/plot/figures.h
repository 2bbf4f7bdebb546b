/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of `polhode plot` by name: what each shows, and how it is made of archives. */
#ifndef POLHODE_TOOLS_PLOT_FIGURES_H
#define POLHODE_TOOLS_PLOT_FIGURES_H

#include "picture.h"

/* What figures are made of. */
typedef struct plot_input {
    const archived *runs; /* (n), at most REPORT_MOST */
    size_t n;
    const char *const *columns; /* (n_columns) that were asked for; none: the figure's own */
    size_t n_columns;
    bool against; /* the first of two columns against the second, not over time */
    time_span span;
    size_t rows; /* that are drawn of curves in a plane, at most; 0: as many as a picture needs */
    bool quiet;
} plot_input;

typedef struct figure {
    const char *name;
    const char *text;  /* what it shows */
    const char *needs; /* the columns it takes */
    bool on_request;   /* not among those of a call without --figure and --columns */
    /* *picture (zeros) <- the figure; the runs must outlive it. PH_E_UNSUPPORTED: the archives lack what it takes, and how to
     * get it; PH_E_INTERRUPTED; errors of reading. */
    ph_status (*make)(picture *picture, const plot_input *input, ph_error *err);
} figure;

/* The i-th, NULL behind the last. */
const figure *figure_at(size_t i);
/* NULL: unknown; err suggests one. */
const figure *figure_find(const char *name, ph_error *err);

/* The parts of the table. */
ph_status make_energy(picture *picture, const plot_input *input, ph_error *err);
ph_status make_drift(picture *picture, const plot_input *input, ph_error *err);
ph_status make_momentum(picture *picture, const plot_input *input, ph_error *err);
ph_status make_constraint(picture *picture, const plot_input *input, ph_error *err);
ph_status make_velocities(picture *picture, const plot_input *input, ph_error *err);
ph_status make_newton(picture *picture, const plot_input *input, ph_error *err);
ph_status make_trajectory(picture *picture, const plot_input *input, ph_error *err);
ph_status make_phase(picture *picture, const plot_input *input, ph_error *err);
ph_status make_section(picture *picture, const plot_input *input, ph_error *err);
ph_status make_against(picture *picture, const plot_input *input, ph_error *err);
ph_status make_columns(picture *picture, const plot_input *input, ph_error *err);
ph_status make_tension(picture *picture, const plot_input *input, ph_error *err);

#endif
