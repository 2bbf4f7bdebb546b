/* SPDX-License-Identifier: BSD-3-Clause */
/* A study: systems x contenders -> the cost of a step, errors of trajectories against their cost, and a long run. A kind of
 * bench that is a study is a study_kind: a table of systems, contenders, what is measured, and its words. All else is here. */
#ifndef POLHODE_BENCH_STUDY_H
#define POLHODE_BENCH_STUDY_H

#include <polhode/polhode.h>

#include "bench/common/contender.h"
#include "bench/common/curve.h"
#include "bench/common/ladder.h"
#include "bench/common/watch.h"

enum { STUDY_POINTS = 10, STUDY_SERIES = 2, STUDY_ERRORS = 4 };

/* ---- Results ------------------------------------------------------------------------------------------------------ */

/* Errors in the first (0) and in the last (1) tenth of a run. */
typedef struct tenths {
    double most[2], sum[2]; /* the largest |error|; of all */
    size_t n[2];
} tenths;

typedef enum growth {
    GROWTH_ROUNDING, /* at most 1e-12 */
    GROWTH_FLAT,     /* not larger in the last tenth than in the first, by half */
    GROWTH_GROWS,    /* larger */
    GROWTH_FAILED,   /* the run ended early */
    GROWTH_ABSENT    /* it was not run: PH_E_UNKNOWN */
} growth;

/* The long run. */
typedef struct study_run {
    double h;         /* [s]; of adaptive methods the time between outputs */
    int64_t steps;    /* of that */
    ph_status status; /* PH_OK, or why it ended early; PH_E_UNKNOWN: not run */
    double reached;   /* [s] */
    tenths energy;    /* errors of the energy */
    double errors[STUDY_ERRORS];
    double cpu; /* [s] */
    curve energies, distances;
} study_run;

/* One run for a trajectory. */
typedef struct study_point {
    const char *quantity; /* of its series */
    double setting;       /* step [s], or tolerance */
    double time, h;       /* [s] of the trajectory; of a step */
    int64_t steps;        /* 0: not run, since there is nothing more to gain or it would take too long */
    ph_status status;     /* PH_OK where it has errors */
    double errors[STUDY_ERRORS]; /* NaN where it has none */
    double cpu, least;           /* [s] of all steps: median and least of the turns; NaN */
    size_t turns;
} study_point;

typedef struct study_line {
    study_run run; /* the first member, so that a line can be read as its run */
    char label[96];
    bool adaptive;
    double stages;      /* study_stages */
    timing time;        /* of a step, and as a ratio to rk4; NaN of adaptive methods */
    double timed_at;    /* [s] the step at which that was measured */
    double time_a_part; /* [ns] of a step for each of the system's parts */
    study_point points[STUDY_POINTS][STUDY_SERIES];
} study_line;

/* Methods on one system in its standard motion. */
typedef struct study {
    const struct study_kind *kind;
    const struct study_case *of; /* its row; NULL: a problem */
    const char *name, *words;    /* for people */
    ph_scenario *scenario;       /* owned; or */
    ph_system *system;           /* owned, with */
    double *z;                   /* (nz) its start, owned */
    motion start;
    size_t nz, parts;
    int64_t order;              /* of a potential */
    double sign;                /* of steps: -1 backwards in time */
    double first_step;          /* [s] the largest step of the trajectories */
    double times[STUDY_SERIES]; /* [s] of the trajectories */
    double energy;              /* at the start */
    const char *
        energy_unit; /* " of the energy": what its error is relative to; that of the kind, if it sets no other */
    double rate,
        potential;    /* [rad/s] the fastest turn, [J] the potential energy at the start, where they count */
    double timed_at;  /* [s] at which steps were timed */
    double long_time; /* [s] of the long run; 0: there is none */
    int64_t long_steps; /* of order 2; 0: there is none, or its length is a time */
    /* How well the truth is known: the largest differences between two computations, for trajectories and the long run. */
    double doubt[STUDY_ERRORS], long_doubt[STUDY_ERRORS];
    const char *truth, *second; /* the method that is the truth, the one that it is compared with */
    study_line *lines;          /* (n) */
    size_t n;
    ph_status status; /* PH_OK or PH_E_INTERRUPTED */

    /* What a kind keeps. */
    const char *error_names[STUDY_ERRORS]; /* as heads of tables */
    ph_diagnostics *diagnostics;
    ph_monitor *monitor;
    double *work, reference[3]; /* memory, and conserved quantities at the start */
    problem problem;            /* that it was made of, with its truth and */
    truth solution;
    char form[32]; /* the form of the equations in which it is solved */
} study;

/* What may be asked for; a kind does not use all of it. */
typedef struct study_plan {
    int64_t order;    /* of a potential */
    double day, time; /* [s] of trajectories and of the long run; 0: that of the system, or none */
    bool years;       /* a long run of ten years */
    int64_t steps;    /* of order 2 of the long run; 0: there is none */
    double budget;    /* [s] wall clock for repeating runs, and again for timing steps */
    double limit;     /* [s] a run of a trajectory that would take longer is left out */
    bench_watch *progress;
} study_plan;

/* ---- Kinds -------------------------------------------------------------------------------------------------------- */

/* A system as a row. Its first members are those of every list of systems (bench/kind/list.h). */
typedef struct study_case {
    const char *name, *words;
    const char *scenario; /* model and what differs from its defaults; or NULL, and */
    /* *system, z (3n) <- the system of n parts and its start */
    ph_status (*create)(size_t n, ph_system **system, double *z, ph_error *err);
    size_t n;
    int class;         /* what is known of it: the kind's own numbers */
    double time;       /* [s] after which the errors of trajectories are taken */
    double first_step; /* [s] the largest step of the trajectories */
    double stage;      /* [s] of the long run: the step of methods of order 2 */
    double share;      /* of the steps that are asked for, how many the long run has; 0: all */
} study_case;

/* How errors of trajectories are found. */
typedef struct study_series {
    const char *name; /* "trajectory"; NULL: there is no such series */
    bool compared;    /* with the truth at the end */
    int outputs,
        outputs_adaptive; /* how often what should be conserved is measured, 0: never; steps of adaptive methods */
} study_series;

/* What an accuracy costs, as a table and as a sentence: of an error of a series. */
typedef struct study_accuracy {
    const char *quantity, *when; /* "error of the place"; " at t = ", behind which comes its time, or NULL */
    const char *unit;            /* "", or " m" */
    size_t series, error;
    const double *levels; /* (n) from the largest error to the smallest */
    size_t n;
} study_accuracy;

/* A figure: errors of points against CPU time, or those of the long run against time. */
typedef struct study_figure {
    const char *words, *y_label; /* its caption behind the system; NULL: that of its accuracy */
    const study_accuracy *of;    /* of points, or NULL */
    size_t error;                /* of points; of a long run 0: of the energy, 1: the distance */
    const char *const *shown;    /* lines, ended by NULL, if there are too many; NULL: the first ones */
    bool spare;                  /* left out where all lines are in the others */
} study_figure;

typedef struct study_kind {
    const study_case *cases; /* (n_cases), or find: s <- what the name says */
    size_t n_cases;
    ph_status (*find)(study *s, const char *name, const option_texts *set, ph_error *err);
    const char *const *standard; /* (n_standard) systems that are taken by default; NULL: all */
    size_t n_standard;
    const char *const *contenders; /* (n_contenders) that take part by default, those that a build has */
    size_t n_contenders;
    ph_status (*available)(ph_error *err); /* are those that are needed there? or NULL */
    const char *remark;                    /* behind its message */
    bool all_must;                         /* each method must take the system */
    double plain_stages;                   /* of a step of a method without order */
    const char *scenario_method;           /* of scenarios of cases */

    /* s->first_step, times, long_time, energy, ... of a system that is loaded. */
    ph_status (*open)(study *s, const study_plan *plan, ph_error *err);
    /* Before anything is measured, or NULL: what takes long. */
    ph_status (*prepare)(study *s, const study_plan *plan, ph_error *err);
    /* errors <- where they are larger, what should be conserved; *energy <- the error of the energy. first: of the start, to which
     * others are relative. */
    ph_status (*measure)(study *s, const ph_state *state, bool first, double *errors, double *energy);
    /* errors <- how far two configurations are apart. */
    void (*compare)(const study *s, const double *z, const double *known, double *errors);

    /* The cost of a step, at first_step / timed_part; 0: it is not measured. */
    double timed_part;

    /* Trajectories: the series, points, tolerances (n_points), the absolute ones being that part of the relative ones. */
    study_series series[STUDY_SERIES];
    size_t n_points, turns;
    const double *tolerances;
    double absolute;
    double settled; /* an error below that may be the smallest; 0: all points are run */
    double growth;  /* of the cost from a point to the next, at least */
    /* The truth, with steps of truth_part first_step, and the first of `seconds` that takes the system, with second_part. */
    const char *truth, *seconds[4];
    double truth_part, second_part;

    /* The long run: samples; the truth that it is compared with, or 0; options of adaptive methods, or NULL. */
    int64_t samples;
    double long_part, long_second_part;
    const char *long_options;
    /* l->run.h, steps <- where they do not follow from stages, or NULL */
    void (*plan_run)(const study *s, study_line *l);

    /* ---- Words ---- */
    bool brief;                       /* --quiet prints the sentences alone */
    const char *energy_name;          /* "H" */
    const char *parts_name;           /* "ns a sphere": times of a step for each part are shown; or NULL */
    const char *long_title;           /* "long run, equal cost" */
    const char *energy_unit;          /* " of the energy": what its error is relative to, or "" */
    const study_accuracy *accuracies; /* (n_accuracies) */
    size_t n_accuracies;
    const study_figure *figures; /* (n_figures) in their order */
    size_t n_figures;
    bool days;                  /* in figures of the long run */
    size_t n_errors, long_from; /* errors of points; the first of them that the long run has, too */
    void (*title)(FILE *out, const study *s); /* the line above its tables */
    void (*say)(FILE *out, const study *s);   /* its sentences */
} study_kind;

/* ---- Making ------------------------------------------------------------------------------------------------------- */

/* The steps of order 2 that a step is made of, of adaptive methods as many as between outputs of the long run; of methods
 * without order `plain`. */
double study_stages(const contender *c, double plain);

/* s->kind, and of or what find has set, are known: the rest <- system, lines for the methods (names, n) that take it.
 * PH_E_UNSUPPORTED where none does. */
ph_status study_open(study *s, const char *const *names, size_t n, const study_plan *plan, ph_error *err);
/* Measures. An interruption is not a failure: results so far are kept. */
ph_status study_make(study *s, const study_plan *plan, ph_error *err);
void study_free(study *s);

/* Its parts: trajectories of all series (points.c), the long run (long.c). */
ph_status study_trajectories(study *s, const study_plan *plan, ph_error *err);
ph_status study_long(study *s, const study_plan *plan, ph_error *err);
/* A contender of this text and its integrator at h, at the start. Steps in stretches, between which an interruption is seen;
 * *seconds grows by their CPU time. */
ph_status study_start(const study *s, const char *text, double h, ph_integrator **it, ph_state **state,
                      ph_error *err);
ph_status study_take(const study_plan *plan, ph_integrator *it, ph_state *state, int64_t steps,
                     double *seconds);
/* z (s->nz) <- where the motion is after `time`, by the method with steps of about h. */
ph_status study_reach(const study *s, const char *text, double time, double h, const study_plan *plan,
                      double *z, ph_error *err);
/* How many steps of about h, at least, make that time. */
int64_t study_steps(double time, double h);

/* CPU seconds for an error of `level`, interpolated on logarithmic axes between the points around it, of which those that were not run
 * have none; INFINITY if no point is that good. */
double study_cost(const study_line *l, size_t series, size_t error, double level);
/* How the energy error of a long run behaves. */
growth study_judge(const study_run *r);
/* In a word or two, for tables. */
const char *growth_text(growth g);

#endif
