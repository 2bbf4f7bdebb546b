/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of `polhode plot` by name: what each shows, and how it is made of archives, whose rows all figures see in the same sweeps. */
#ifndef POLHODE_TOOLS_PLOT_FIGURES_H
#define POLHODE_TOOLS_PLOT_FIGURES_H

#include "tools/runs/archived.h"

/* What figures are made of. */
typedef struct plot_input {
    const archived *runs; /* (n), at most RUNS_MOST */
    size_t n;
    const char *const *columns; /* (n_columns) that were asked for; none: the figure's own */
    size_t n_columns;
    bool against; /* the first of two columns against the second, not over time */
    time_span span;
    size_t rows; /* that are drawn of curves in a plane, at most; 0: as many as a picture needs */
} plot_input;

/* A figure that is being made (making.h). */
typedef struct making {
    const struct figure *which;
    const struct figure_steps *steps;
    const plot_input *in;
    picture picture;
    watcher watchers[RUNS_MOST]; /* of the rows of each run in the next sweep */
    bool twice;                  /* does it watch a second sweep? */
    void *own;        /* what the figure keeps of each run until it is finished: steps->size for each */
    void *common;     /* and of all of them: steps->common */
    ph_status status; /* of its steps so far; after an error none is taken but `end` */
    ph_error err;
} making;

/* How the picture of a figure is made. PH_E_UNSUPPORTED: the archives lack what it takes, and how to get it. */
typedef struct figure_steps {
    size_t size, common; /* of what is kept of each run, and of all; all 0 at first */
    /* Before rows are read. Nullable: of each run, opens what it watches; then of all: what they have in common. Both may set
     * watchers. The picture has its runs, and is empty. */
    ph_status (*open)(making *m, size_t run, ph_error *err);
    ph_status (*begin)(making *m, ph_error *err);
    /* Nullable: between two sweeps, where `twice` is set: sets the watchers of the second one. */
    ph_status (*between)(making *m, ph_error *err);
    /* After the sweeps, nullable: of each run, then of all: fill the picture. The errors of the runs are known (archived_compare). */
    ph_status (*fill)(making *m, size_t run, ph_error *err);
    ph_status (*finish)(making *m, ph_error *err);
    /* Nullable: frees what is kept of a run, also after an error. */
    void (*close)(void *own);
} figure_steps;

typedef struct figure {
    const char *name;
    const char *text;  /* what it shows */
    const char *needs; /* the columns it takes */
    bool on_request;   /* not among those of a call without --figure and --columns */
    const figure_steps *steps;
} figure;

enum { FIGURES_MOST = 16 };

/* The i-th, NULL behind the last. */
const figure *figure_at(size_t i);
/* NULL: unknown; err suggests one. */
const figure *figure_find(const char *name, ph_error *err);

/* The parts of the table; `steps_against`: of columns by --against. */
extern const figure_steps steps_energy, steps_drift, steps_momentum, steps_constraint, steps_velocities,
    steps_trajectory, steps_phase, steps_section, steps_newton, steps_tension, steps_columns, steps_against;

#endif
