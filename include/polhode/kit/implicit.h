/* SPDX-License-Identifier: BSD-3-Clause */
/* Implicit methods: what a step that solves equations needs beyond them. The equations of a step have several
 * solutions; the one that a step takes lies on the branch that begins at h = 0. ph_implicit_solve finds it as
 * the methods of the catalogue do:
 *
 *   1. Newton's iteration from a guess. It is trusted only where it contracts fast (by 20 in the first
 *      corrections), moves little (less than 0.1 of an unknown in the unit of the equations), and
 *      the Jacobian at its end looks as on the branch from h = 0.
 *   2. Else the branch of steps by s h is followed from s = 0 to 1 (ph_follow_branch). Where it turns back
 *      there is no solution on it, and the step fails (PH_E_NO_SOLUTION): it is too long.
 *
 * Nothing here allocates; scratch is the caller's (memory.h). tests/methods/check_user_method.c has two
 * methods that are written with it outside the library. Thread-safe on disjoint data.
 *
 * Source: E. Allgower, K. Georg, Introduction to Numerical Continuation Methods, SIAM (2003). */
#ifndef POLHODE_IMPLICIT_H
#define POLHODE_IMPLICIT_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/kit/solve.h>
#include <polhode/method.h>

PH_BEGIN_DECLS

/** A root from a guess: found by at most so many corrections, ... */
#define PH_IMPLICIT_PASSES 8
/** ... is trusted where the second one is at most this part of the first, ... */
#define PH_IMPLICIT_CONTRACTION 0.05
/** ... and the first at most this large [rad, or the length that goes with it]. */
#define PH_IMPLICIT_CORRECTION 0.1

/** Which callback of the system has failed while equations were solved, and how: one in the scratch of a
 * method. */
typedef struct ph_implicit_notes {
    ph_status failed;    /**< what it returned; PH_OK: none has failed */
    const char *failing; /**< which one, for the message: "the force"; static text */
} ph_implicit_notes;

/** For the functions of ph_equations: PH_OK where the status of a callback is, else PH_E_CALLBACK, which ends
 * the solver, with status and name in the notes. */
PH_API ph_status ph_implicit_note(ph_implicit_notes *notes, const char *failing, ph_status status);

/** Fill context->error with the failure in the notes ("the force failed at t = ... s: ..."), and return its
 * status. t [s] is where the step begins. */
PH_API ph_status ph_implicit_blame(const ph_implicit_notes *notes, const ph_context *context, double t);

/** The equations of a step, and which of their solutions is wanted. */
typedef struct ph_implicit_root {
    /** R(x; s) = 0 is the step by s h; at s = 0 its solution is known. */
    ph_equations equations;
    /** Is there a guess in x? */
    bool guessed;
    /** Does the Jacobian at the solution look like one on the branch from h = 0? Asked after Newton's
     * iteration from a guess, with the latest residual at the solution or one correction before it; self is
     * that of the equations. Where the Jacobian begins as an inertia: is its symmetric part positive
     * definite? NULL: yes. */
    bool (*on_the_branch)(void *self);
    /** x (n) <- the solution for s = 0; its failure has been noted. NULL: x = 0. */
    ph_status (*start)(void *self, double *x);
    /** Those that the functions of the equations use; cleared here. NULL: they use none. */
    ph_implicit_notes *notes;
} ph_implicit_root;

/** Solve for the step by context->h.
 *   context  counts Newton's corrections and the branches that were followed in its statistics; its error
 *            has the reason of a failure
 *   t        [s] where the step begins, for messages
 *   x        (n) the guess, and then the solution; on failure undefined
 *   newton   scratch for n unknowns: ph_newton_place, ph_newton_sparse_place
 * On success the latest call of the residual was at the solution, with s = 1, so that what it has left in
 * self belongs to it.
 * The status of a callback that has been noted; PH_E_NO_SOLUTION; PH_E_NO_CONVERGENCE and what else
 * ph_follow_branch returns. */
PH_API ph_status ph_implicit_solve(const ph_implicit_root *root, ph_context *context, double t, double *x,
                                   ph_newton_work *newton);

PH_END_DECLS
#endif
