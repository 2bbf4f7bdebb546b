/* SPDX-License-Identifier: BSD-3-Clause */
/* What the methods that SUNDIALS provides share. SUNDIALS sees y' = F(t, y) of a formulation over one step:
 * it starts again at each (all that survives a step is in the state), and counts time from there. */
#ifndef PH_INTEGRATORS_SUNDIALS_H
#define PH_INTEGRATORS_SUNDIALS_H

#include <stdbool.h>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

#include <polhode/constraints.h>
#include <polhode/kit/equations.h>
#include <polhode/method.h>

/* The scratch. */
typedef struct ph_sundials {
    const ph_field *field;
    const ph_system *system;
    double t;         /* of the state: SUNDIALS counts from there */
    ph_status status; /* of the latest evaluation */
    ph_status
        failed; /* of one after which there is nothing to avoid: it ends the step, whatever SUNDIALS makes of it */
    bool still;          /* F = 0, and no callback is called */
    int64_t evaluations; /* of F, in this step */
    long most;           /* internal steps in one step */
    char message[256];   /* SUNDIALS's own, of its latest failure */
    double *y, *work;    /* (z, w); scratch of ph_field_store, then the work that the field needs */
    /* internal step so far; before it integrates, the first to be tried (0: it finds one) */
    double longest;
    SUNContext sun;
    N_Vector vector;  /* over y */
    void *memory;     /* of ARKODE or CVODE */
    SUNMatrix matrix; /* of CVODE's Newton iteration */
    SUNLinearSolver linear;
    SUNNonlinearSolver fixed_point; /* or its other one */
    bool ends;                      /* y is projected where it ends, and not after each internal step */
} ph_sundials;

/* What integrates: w->y from time 0 to h, in place. A flag of SUNDIALS's, 0 or more for success. */
typedef int (*ph_sundials_advance)(ph_sundials *w, double h);

/* The options of all of them behind `form`. */
#define PH_SUNDIALS_TOLERANCE(symbol, default, least, words)                                                 \
    {                                                                                                        \
        .name = symbol, .type = PH_OPTION_NUMBER, .initial = default, .min = least, .max = 0.1,              \
        .text = words                                                                                        \
    }
#define PH_SUNDIALS_TOLERANCES(rtol, atol)                                                                   \
    PH_SUNDIALS_TOLERANCE("rtol", rtol, 1e-15, "error of an internal step, relative to each unknown"),       \
        PH_SUNDIALS_TOLERANCE("atol", atol, 1e-20, "the same, absolute, in the units of each unknown"),      \
        [PH_SUNDIALS_BOUND] = PH_ITERATIONS_OPTION
enum { PH_SUNDIALS_RTOL = 1, PH_SUNDIALS_ATOL, PH_SUNDIALS_BOUND };

/* Internal steps in one step; beyond, it fails. */
enum { PH_SUNDIALS_MOST = 100000 };

/* For ph_method.size. */
ph_method_size ph_sundials_size(const ph_system *system, const double *options);
/* The first thing in init: the scratch, SUNDIALS's context and vector. PH_E_NO_MEMORY. */
ph_status ph_sundials_begin(ph_context *context);
/* The last thing in init, `made`: everything else was to be had. Takes a step of F = 0, since SUNDIALS asks
 * for memory in its first one. PH_E_NO_MEMORY. */
ph_status ph_sundials_ready(ph_context *context, bool made, ph_sundials_advance advance);
/* The last thing in finish, after the solver's memory. */
void ph_sundials_end(ph_sundials *w);

/* For ph_method.step: load, advance, store. The advance projects, unless `ends`. */
ph_status ph_sundials_step(ph_context *context, ph_state *state, ph_sundials_advance advance);

/* Have the equations no value at a point that a step too long has led to, so that a smaller one may avoid it? Velocity constraints are
 * singular at some points (of a disk that lies flat); elsewhere PH_E_SINGULAR is what a callback says, which ends the step. */
static inline bool ph_sundials_may_avoid(const ph_sundials *w, ph_status status)
{
    return status == PH_E_DIVERGED || (status == PH_E_SINGULAR && ph_system_constraints(w->system) > 0);
}

/* Callbacks for SUNDIALS; user data is the scratch. */
int ph_sundials_evaluate(realtype t, N_Vector y, N_Vector ydot, void *self);
void ph_sundials_note(int code, const char *module, const char *function, char *message, void *self);

#endif
