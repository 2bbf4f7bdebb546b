/* SPDX-License-Identifier: BSD-3-Clause */
/* A contender: a method with its options, as the user wrote it. */
#ifndef POLHODE_BENCH_CONTENDER_H
#define POLHODE_BENCH_CONTENDER_H

#include <stdbool.h>

#include <polhode/polhode.h>

enum { CONTENDER_SETTINGS = 8, CONTENDER_OPTIONS = 32 };

/* Whether a row of contenders.def takes part without being named, and where the page shows it. */
typedef enum contender_role { ROLE_NAMED, ROLE_FRONT, ROLE_DETAILS } contender_role;

typedef struct contender {
    const ph_method *method;
    char label[96]; /* METHOD or METHOD:option=value:option=value */
    char words[96]; /* the label in parts; settings point into it, so a contender must not be copied */
    ph_setting settings[CONTENDER_SETTINGS];
    size_t n_settings;
    int details_only; /* not on the first screen of the page */
} contender;

/* Read text and check it against the method's table. PH_E_UNKNOWN, PH_E_INVALID, PH_E_RANGE, PH_E_SIZE. */
ph_status contender_parse(contender *c, const char *text, ph_error *err);

/* *list <- the contenders of these names, in an array that the caller frees, also after a failure. */
ph_status contender_parse_all(contender **list, const char *const *names, size_t n, ph_error *err);

/* The option of a method, or NULL. */
const ph_option *contender_option(const ph_method *method, const char *name);

/* The relative tolerance of an adaptive contender: its option rtol; NaN without one. */
double contender_tolerance(const contender *c);
/* Does its error follow a tolerance, not h? Of rk8 the options say. */
bool contender_is_adaptive(const contender *c);
/* text <- the contender without its tolerance, and behind it that of `tolerance`, with absolute * tolerance where it has an absolute one
 * and none is given; 0: its name, "rk8:rtol". */
enum { CONTENDER_TEXT = 192 };
void contender_write(const contender *c, double tolerance, double absolute, char text[CONTENDER_TEXT]);

/* The motion that contenders compute: a system and its initial state. It owns nothing. */
typedef struct motion {
    const ph_system *system;
    double time;         /* [s] */
    const double *z, *p; /* (nz), (np) */
} motion;

motion motion_of(const ph_scenario *scenario);

/* Create what a contender needs to run: its integrator at step h, and a state at the start of the motion. */
ph_status contender_start(const contender *c, const motion *m, double h, ph_integrator **it, ph_state **state,
                          ph_error *err);
/* Set the state to the start again. */
ph_status contender_restart(const ph_integrator *it, ph_state *state, const motion *m);

#endif
