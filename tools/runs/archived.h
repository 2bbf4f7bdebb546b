/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report needs of one archive: what `polhode info` knows, and of its rows largest errors in bins of time, least and largest
 * values of each column, and the first momenta of a body. */
#ifndef POLHODE_TOOLS_RUNS_ARCHIVED_H
#define POLHODE_TOOLS_RUNS_ARCHIVED_H

#include <polhode/rows.h>

#include "bench/common/curve.h"
#include "bench/common/growth.h"
#include "figures/picture.h"
#include "sweep.h"
#include "tools/info.h"

typedef enum quantity {
    ENERGY,     /* |energy_error| */
    MOMENTUM,   /* largest |J - J of the first row| of the momentum maps */
    MANIFOLD,   /* constraint_error */
    VELOCITIES, /* velocity_constraint_error */
    QUANTITIES
} quantity;

/* A column over all rows. */
typedef struct column_span {
    double first, last, least, most;
} column_span;

typedef struct archived {
    info info;
    char *file;
    char label[RUN_LABEL]; /* "variational, order 2, h = 0.01 s" */
    const char *colour;
    bool known[QUANTITIES]; /* are there columns for it, or can they be computed? */
    /* Errors in units of their columns, of energy and momentum maps in those of `scale` once they are relative (archived_compare). */
    curve error[QUANTITIES];
    growth_blocks blocks[QUANTITIES]; /* by which growth is judged */
    double largest[QUANTITIES];       /* of the rows in which it is a finite number; NaN: of none */
    int64_t lost[QUANTITIES];         /* rows in which it is none, though it has a column, and ... */
    double lost_t[QUANTITIES];        /* ... the time of the first of these */
    double scale[QUANTITIES];         /* NaN: not known */
    bool relative[QUANTITIES];
    char unit[QUANTITIES][24]; /* as they are: "" where they are relative, or not of one unit */
    size_t n;                  /* columns */
    column_span *span;         /* (n) */
    int64_t rows;              /* that were read; ... */
    int64_t between;      /* ... of them interpolated between steps: they have no part in errors, and ... */
    int64_t later;        /* ... at steps behind the first row: where this is 0, errors are not known */
    int64_t damaged;      /* places that could not be, ... */
    int64_t damaged_rows; /* ... of so many rows, ... */
    char damage[300];     /* ... and the first of them */
    char thinned[60];     /* "925 of 60001 rows": of a copy that lacks the others; or empty */
    double *
        momenta; /* (n_momenta x 3) of a rigid body, in the body frame, rows from the first one on; or NULL */
    size_t n_momenta;
    struct reading *reading; /* of its rows (archived.c) */
    watcher watcher;         /* of its rows, by which all that is above comes to be known */
} archived;

/* Room for rows of curves. */
enum { MOMENTA_MOST = 2000 };

/* Opens archives (at most RUNS_MOST; a path may be that of a directory that holds one), of their rows those in the span, names them apart
 * and remarks on stderr on those that are the same, or of different models; and has them used: what is known before rows are read. The
 * rest (`rows`, `damaged`, errors and how they grow, spans, momenta) is known once the watchers have seen a sweep. Returns the exit code of
 * `use`, or EXIT_INPUT, EXIT_OUTPUT after a message. */
int archived_use(const option_texts *files, time_span span, int (*use)(void *self, archived *runs),
                 void *self);

/* Labels of runs (n <= RUNS_MOST) of several models begin with the model. Those that are the same get the name of their file behind
 * them; where names are the same, too, the end of its path from where they differ, of a long one the place where it differs; the same
 * file twice is numbered (archived-names.c). */
void archived_name_apart(archived *runs, size_t n);

/* Are all rows behind the first interpolated, so that no errors of the method are known? */
static inline bool archived_lacks_steps(const archived *a)
{
    return a->between && !a->later;
}

/* Makes errors of energy and momentum maps of runs (n) whose rows were read relative, each where the scale of every run that has them is
 * known: else they stay in the units of their columns in all runs. Once. */
void archived_compare(archived *runs, size_t n);

/* Was there no memory for something of the runs (n)? Then what is known of them may be less than there is. */
ph_status archived_starved(const archived *runs, size_t n, ph_error *err);

/* text <- how many of its rows are left out because they are damaged, and where; empty where there are none. */
void archived_damage(const archived *a, char *text, size_t size);
/* Reports that of each of the runs (n). Result: EXIT_OK, or EXIT_ENDED_EARLY where rows are left out. */
int archived_complain(const archived *runs, size_t n);

/* The system of its scenario, or NULL. */
const ph_system *archived_system(const archived *a);
/* What the method claims there: PH_CLAIM_..., *known <- is it? */
unsigned archived_claims(const archived *a, bool *known);
/* Time that has passed in its rows [s]; steps taken, by its commit or its last row, 0 where it is not known. */
double archived_span(const archived *a);
int64_t archived_steps(const archived *a);

#endif
