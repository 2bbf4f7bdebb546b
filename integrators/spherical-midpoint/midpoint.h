/* SPDX-License-Identifier: BSD-3-Clause */
/* The midpoint step on spheres, in two forms: what spherical-midpoint.c (the method), iterate.c (the fixed
 * point) and newton.c (Newton's iteration and the branch from h = 0) share.
 *
 * A step is the solution of y = h Y(m(y)), three numbers of y for each spin:
 *     sphere    y = d, the increment, m the normalised midpoint, Y = X, the vector field
 *     ambient   y = h b, b the rotation vector, m half-way in the ball, Y = b,
 * with  X = (1/Gamma) T + lambda T x m,   T = g x m,   b = (1/Gamma) g - lambda m x g,   g = dH/ds. */
#ifndef PH_INTEGRATORS_SPHERICAL_MIDPOINT_H
#define PH_INTEGRATORS_SPHERICAL_MIDPOINT_H

#include <stdbool.h>

#include <polhode/domain/spins.h>
#include <polhode/kit/elimination.h>
#include <polhode/kit/implicit.h>

#include "integrators/shared/compositions.h"

/* Positions of the options. */
enum {
    PH_MIDPOINT_EXTENSION,
    PH_MIDPOINT_ORDER,
    PH_MIDPOINT_COMPOSITION,
    PH_MIDPOINT_BOUND,
    PH_MIDPOINT_OPTIONS
};

/* The carry: these numbers, the low-order part of s (3n), and the latest y of stages (PH_STAGE_HISTORY x 3n),
 * in a ring. */
enum {
    PH_MIDPOINT_STAMP,  /* the step size that they belong to; 0: there are none */
    PH_MIDPOINT_COUNT,  /* how many there are */
    PH_MIDPOINT_LATEST, /* the place of the latest */
    PH_MIDPOINT_DIRECT, /* stages still to be begun by Newton's iteration */
    PH_MIDPOINT_HEAD
};

/* Newton's iteration: newton.c. */
typedef struct ph_midpoint_newton {
    size_t unknowns; /* 2 or 3 for each spin; 0: there are too many */
    ph_newton_work work;
    ph_implicit_notes notes;
    double *solution;          /* (unknowns) */
    double *x, h, t;           /* (unknowns) of the latest residual, the size of its step, and its time */
    double *basis;             /* (6n) of the planes tangent at s */
    double *gradient;          /* (3n) at the latest half-way points */
    double *column, *back;     /* (3n) differences of it */
    size_t blocks;             /* of the second derivative of the energy; 0: it is not known */
    uint32_t *row, *column_of; /* (blocks) their places */
    double *values;            /* (9 blocks) */
    double *symmetric;         /* (unknowns^2) dense */
    ph_elimination *plan;      /* sparse; NULL: dense */
    uint32_t *at; /* (blocks x each x each x 2) where in F the entries of a block and of its transpose are */
    double *F;    /* factors */
} ph_midpoint_newton;

/* Systems of so few spins are not relaxed: eight of them are stepped at once (eight.c). */
enum { PH_MIDPOINT_FEW = 12 };

/* Relaxation spin after spin: relax.c. */
typedef struct ph_midpoint_group ph_midpoint_group;
typedef struct ph_midpoint_relaxation {
    bool is_used, is_simple;  /* simple: exchange of one strength is all */
    ph_midpoint_group *group; /* as bonds of the system */
    uint32_t *begin, *degree, *weight_at, *word;
    double *weight;               /* what they have */
    size_t fours, stride;         /* of spins; from a component to the next */
    size_t half[3];               /* where halves begin, in fours */
    uint32_t *spin, *slot;        /* (4 fours) where each spin's numbers are; (n) which slot each has */
    double *m, *s, *B;            /* (3 stride) half-way points, the start, field (or NULL) */
    double *inverse, *K, *lambda; /* (stride) 1 / Gamma (or NULL), of anisotropies, damping (or NULL) */
} ph_midpoint_relaxation;

/* The scratch of the method. */
typedef struct ph_midpoint {
    const ph_system *system;
    const ph_spins *is;
    size_t n;
    bool ambient, in_time, wide;
    const ph_composition *of; /* NULL: one stage */
    double weights[PH_MOST_STAGES][PH_STAGE_HISTORY][PH_STAGE_HISTORY];
    double *inverse;   /* (n) 1 / Gamma */
    double *unit;      /* (n) 1 / sqrt(1 - |d|^2/4) */
    double *y;         /* (3n) the unknown, and before that its guess */
    double *middle;    /* (3n) m(y) */
    double *rate;      /* (3n) Y there */
    double *d;         /* (3n) the increment */
    double *saved;     /* z and carry at the start of a composition */
    const double *s;   /* (3n) where the step begins, */
    const double *low; /* (3n) its low-order part, */
    double t, h;       /* and when; its size */
    ph_midpoint_newton newton;
    ph_midpoint_relaxation relaxation;
} ph_midpoint;

/* w->middle <- m(y). false where a spin would turn by half a turn or more. */
bool ph_midpoint_halfway(ph_midpoint *w, const double *y);
/* rate (3n) <- Y at time t, at the points `middle` (3n). A callback's status. */
ph_status ph_midpoint_rate(const ph_midpoint *w, double t, const double *middle, double *rate);
/* The same of the vector field X. */
ph_status ph_midpoint_field(const ph_midpoint *w, double t, const double *middle, double *rate);

/* How a fixed-point iteration ended. */
typedef enum ph_midpoint_outcome {
    PH_MIDPOINT_SOLVED,
    PH_MIDPOINT_SLOW,
    PH_MIDPOINT_FAILED
} ph_midpoint_outcome;
/* w->y, the guess, <- the solution to rounding, and w->middle that belongs to it. patient: also where it is
 * reached slowly. FAILED: a callback, with context->error filled and *status set. */
ph_midpoint_outcome ph_midpoint_iterate(ph_midpoint *w, ph_context *context, bool patient, ph_status *status);

/* Can it be relaxed? */
bool ph_midpoint_relax_suits(const ph_system *system, bool ambient);
/* Lay its arrays; counted only while l->base is NULL. */
void ph_midpoint_relax_place(ph_midpoint_relaxation *r, const ph_spins *is, ph_lay *l);
ph_status ph_midpoint_relax_prepare(ph_midpoint_relaxation *r, const ph_spins *is, const double *inverse,
                                    ph_error *err);
/* For a step from w->s with its middle at t, by the guess w->y. The control's status; *possible: see ph_midpoint_halfway. */
ph_status ph_midpoint_relax_begin(ph_midpoint *w, double t, bool *possible);
/* w->middle <- the half-way points. */
void ph_midpoint_relax_end(ph_midpoint *w);
/* The half-way points <- each spin's by the others. *change <- how far y has moved, which was the last change, *size <- the
 * largest |y_i|. false where a spin would turn by half a turn or more. */
bool ph_midpoint_relax(ph_midpoint *w, double *change, double *size);

/* How far a fixed-point iteration has come. */
typedef struct ph_midpoint_progress {
    double before; /* the last change */
    double ratio;  /* the last contraction, 0 of the first change */
    bool
        relaxes; /* spin after spin: contraction is the mean of the last two, else the largest that was measured */
    double contraction;
    double left; /* what may be left of the guess */
    int slow;    /* passes in turn that contracted slowly */
} ph_midpoint_progress;
/* Most passes, unless patient. */
enum { PH_MIDPOINT_PASSES = 300 };
/* Takes a change of y, whose largest number is `size`. true: y is the solution. */
bool ph_midpoint_has_settled(ph_midpoint_progress *p, double change, double size);

/* The same of eight systems at once: `lanes` of the method. */
/* The composition that options ask for; NULL: one stage. *order <- as ph_composition_chosen. */
const ph_composition *ph_midpoint_composition_of(const double *values, int *order);
/* Of the method: ph_method. */
ph_method_size ph_midpoint_size(const ph_system *system, const double *values);
ph_status ph_midpoint_init(ph_context *context);
void ph_midpoint_finish(ph_context *context);
ph_status ph_midpoint_step(ph_context *context, ph_state *state);
const ph_method *ph_midpoint_eight(const ph_system *system, const double *options);

/* w->y, where guessed the guess, <- the solution on the branch from h = 0; w->middle is there. */
ph_status ph_midpoint_solve(ph_midpoint *w, ph_context *context, bool guessed);
/* Lay its arrays; counted only while l->base is NULL. Where there are too many unknowns, newton->unknowns is
 * 0, and there is no ph_midpoint_solve. */
void ph_midpoint_newton_place(ph_midpoint_newton *newton, const ph_system *system, bool ambient, ph_lay *l);
/* What else it needs, once all else is set in w; given back by finish. PH_E_NO_MEMORY. */
ph_status ph_midpoint_newton_init(ph_midpoint *w, ph_error *err);
void ph_midpoint_newton_finish(ph_midpoint_newton *newton);

#endif
