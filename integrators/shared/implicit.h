/* SPDX-License-Identifier: BSD-3-Clause */
/* What methods share whose steps solve equations: the head of their scratch, memory, guesses, failures, and the
 * solution on the branch that begins at h = 0. */
#ifndef PH_INTEGRATORS_SHARED_IMPLICIT_H
#define PH_INTEGRATORS_SHARED_IMPLICIT_H

#include <stdbool.h>

#include <polhode/method.h>
#include <polhode/solve.h>

/* How a stage of a composition is guessed from those before it, which were of other sizes. */
enum { PH_STAGE_HISTORY = 5 };
typedef struct ph_stage {
    double step;  /* of the whole composition: a history belongs to it */
    size_t index; /* which it is */
    double increments[PH_STAGE_HISTORY]
                     [PH_STAGE_HISTORY]; /* [n - 1]: weights of the latest n, the latest first */
    double tensions[PH_STAGE_HISTORY][PH_STAGE_HISTORY]; /* the same of multipliers */
} ph_stage;

/* What the scratch of every such method begins with. */
typedef struct ph_variational_head {
    const struct ph_variational_kernel *kernel;
    const ph_stage *stage;                          /* NULL: steps of one size */
    struct ph_variational_composition *composition; /* likewise */
    void *more;                                     /* scratch of a kernel that stands on another one's */
    ph_status failed;                               /* what a callback returned inside the solver; ... */
    const char *failing;                            /* ... which one */
} ph_variational_head;

/* The next n doubles of the memory, counted in *used; without memory they are only counted. */
static inline double *ph_take(double *memory, size_t *used, size_t n)
{
    double *place = memory ? memory + *used : NULL;
    *used += n;
    return place;
}

/* What a callback returned and wrote to v (n): its failure, or that of its numbers. */
ph_status ph_variational_judge(const ph_context *context, const char *what, double t, ph_status status,
                               const double *v, size_t n);
/* A callback's failure ends the solver, whatever its status; ph_variational_solve passes that status on. */
ph_status ph_variational_note(ph_variational_head *head, const char *failing, ph_status status);
/* Solve eq for x, from the guess in it where `warm`; the latest residual call is at the solution.
 *   on_the_branch  does the Jacobian at the root look like one on the branch from h = 0? eq->self
 *   start          x <- where that branch begins; NULL: at 0. Its failure has been noted. */
typedef ph_status (*ph_variational_start)(void *self, const ph_state *state, double *x);
ph_status ph_variational_solve(ph_context *context, const ph_state *state, const ph_equations *eq, bool warm,
                               bool (*on_the_branch)(void *self), ph_variational_start start, double *x,
                               ph_newton_work *newton);

/* The next of `count` increments, at most three, the latest first; stage: nullable. */
static inline double ph_extrapolate(const ph_stage *stage, double count, double y1, double y2, double y3)
{
    if (stage) {
        const double *weights = stage->increments[(size_t)count - 1];
        return weights[0] * y1 + weights[1] * y2 + weights[2] * y3;
    }
    return count < 2 ? y1 : count < 3 ? 2 * y1 - y2 : 3 * (y1 - y2) + y3;
}

/* What a history of increments is stamped with: a step size, and not that of a stage. */
static inline double ph_variational_stamp(const ph_variational_head *head, double h)
{
    return head->stage ? head->stage->step : h;
}

#endif
