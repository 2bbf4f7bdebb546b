/* SPDX-License-Identifier: BSD-3-Clause */
/* What methods share whose steps solve equations: failures, and the solution on the branch that begins
 * at h = 0. */
#ifndef PH_INTEGRATORS_SHARED_IMPLICIT_H
#define PH_INTEGRATORS_SHARED_IMPLICIT_H

#include <stdbool.h>

#include <polhode/method.h>
#include <polhode/solve.h>

/* What a callback returned and wrote to v (n): its failure, or that of its numbers. */
ph_status ph_context_judge(const ph_context *context, const char *what, double t, ph_status status,
                           const double *v, size_t n);

/* What a callback returned inside the solver. */
typedef struct ph_implicit_notes {
    ph_status failed;    /* PH_OK: none has failed */
    const char *failing; /* which one */
} ph_implicit_notes;

/* PH_OK, or that a callback has failed, which ends the solver: its status is kept for the message. */
ph_status ph_implicit_note(ph_implicit_notes *notes, const char *failing, ph_status status);
/* That failure, of a step from t. */
ph_status ph_implicit_blame(const ph_implicit_notes *notes, const ph_context *context, double t);

/* The equations of a step, and which of their solutions is the step. */
typedef struct ph_implicit_root {
    ph_equations equations;
    bool guessed; /* is there a guess in x? */
    /* Does the Jacobian at the root look like one on the branch from h = 0? equations.self; NULL: yes */
    bool (*on_the_branch)(void *self);
    /* x <- where that branch begins; NULL: at 0. Its failure has been noted. */
    ph_status (*start)(void *self, const ph_state *state, double *x);
    ph_implicit_notes *notes; /* of the functions of the equations; NULL: they note nothing */
} ph_implicit_root;

/* Solve for x; the latest residual call is at the solution. */
ph_status ph_implicit_solve(const ph_implicit_root *root, ph_context *context, const ph_state *state,
                            double *x, ph_newton_work *newton);

#endif
