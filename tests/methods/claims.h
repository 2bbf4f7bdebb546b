/* SPDX-License-Identifier: BSD-3-Clause */
/* What suites on the claims of methods share (check_claims.c, check_spin_claims.c): motions with a reference, the measured
 * order, questions with bounds, and the judgement of every variant of every method. A claim must hold on every motion;
 * where a method does not claim it, the same measurement must show on some motion that it does not hold: otherwise the
 * measurement could not fail. There is a process for each motion, which computes the reference once for all methods;
 * the results are kept in shared memory, and are judged method by method at the end. */
#ifndef POLHODE_TESTS_CLAIMS_H
#define POLHODE_TESTS_CLAIMS_H

#include "variants.h"

#include <stddef.h>

enum { CL_MOTIONS = 96, CL_QUESTIONS = 8, CL_NUMBERS = 3 * 512 }; /* the most; numbers in z and p */

/* The two times at which the reference is computed, in 1/rate: for orders up to 4, and for higher ones. */
enum { NEAR, FAR, ENDS };
extern const double ends[ENDS];
/* The largest difference allowed between the reference and another method. */
#define MOST_DOUBT 1e-12

typedef struct motion {
    char name[64];
    ph_system *system;
    structure is;
    double rate, z[CL_NUMBERS], zdot[CL_NUMBERS]; /* where it begins */
    double T[ENDS], end[ENDS][CL_NUMBERS];        /* z, and p in units of ... */
    double unit[ENDS];                            /* its largest number there, or at the start; 1 without p */
    double doubt[ENDS];                           /* the difference from another method */
    double wanted;          /* the error at which orders above 4 are measured, unless the doubt is larger */
    double step, long_step; /* in 1/rate; long: of explicit methods of high order */
} motion;

/* The measured figures; NAN: not measured. */
typedef struct figures {
    double slope, last, reversal, form, map, unit, rotation, iterations;
    size_t maps;
} figures;

/* The bound on one figure for methods with the claim, and the value that a method without it must exceed on
 * some motion. */
typedef struct question {
    const char *what;
    unsigned claim;
    size_t at; /* in figures */
    double bound, apart;
} question;

#define AT(member) offsetof(figures, member)

/* What came out for a variant on a motion. */
typedef struct record {
    enum { MISSING, REFUSED, TAKEN, MEASURED } state;
    unsigned claimed;
    bool asked[CL_QUESTIONS];
    double off[CL_QUESTIONS];
} record;

extern record (*records)[VARIANTS]; /* (CL_MOTIONS): in memory that the tests, which are forked, share */

typedef struct list {
    char text[6000];
} list;

/* Behind what is there. */
__attribute__((format(printf, 2, 3))) void add(list *l, const char *format, ...);

/* What a suite asks, and how it measures. */
typedef struct claim_suite {
    const question *questions; /* (n_questions) */
    int n_questions;
    /* Is this variant, of that number, measured on the motion? */
    bool (*is_measured)(const motion *m, size_t method, size_t place);
    void (*measure)(const motion *m, const variant *v, unsigned claimed, int order, figures *f);
    /* Is the figure asked of a motion? It must then be a number. */
    bool (*is_asked)(const motion *m, const question *q);
    /* Does the method follow the motion with the order that it claims? */
    bool (*follows)(const motion *m, const variant *v, const figures *f, int order);
    bool (*needs_no_iterations)(const motion *m); /* also where the method is implicit; NULL: none */
} claim_suite;

/* Do states keep low-order parts (PH_PATH_CARRY)? */
bool cl_is_carried(void);
/* All variants of all methods on the motion, whose reference is known: what is wrong is added to the list, the rest goes
 * into the records of its place. */
void cl_judge_all(const claim_suite *c, const motion *m, size_t place, list *wrong);
/* What the variant of this number does not claim of all motions is seen on one of them not to hold. */
void cl_show_what_is_not_claimed(const claim_suite *c, size_t method, size_t motions);
size_t cl_variants(void);
/* Runs the tests of the suite; the exit code of main. */
int cl_run(const char *name, size_t motions);

/* ---- Runs */

/* An integrator and a state at the start; adaptive methods with this tolerance, absolute in units of the momenta where
 * these are small. */
void begin_with(const motion *m, const variant *v, double h, const char *tolerance, ph_integrator **it,
                ph_state **state);
/* The same with a tolerance that is loose enough, and steps that are long enough, to show that what is not
 * claimed does not hold. */
void begin(const motion *m, const variant *v, double h, ph_integrator **it, ph_state **state);
void advance(const motion *m, const variant *v, ph_integrator *it, ph_state *state, int64_t n);
double step_size(const motion *m, const variant *v);
/* Has it a high order without being symmetric or adaptive? Then its errors have odd terms, and long steps show what it does
 * not claim. */
bool has_odd_terms(const variant *v);
/* Does the form integrate momenta (rather than velocities)? */
bool in_momenta(const variant *v);
/* The error at one of the two times after so many steps; NAN where a step has no solution. */
double error_at(const motion *m, const variant *v, int end, int64_t steps);
/* The measured order: by steps, or of an adaptive method by tolerances; *last <- the last error, or that in units of its
 * tolerance. */
double measured_order(const motion *m, const variant *v, int claimed, double *last);

#endif
