/* SPDX-License-Identifier: BSD-3-Clause */
/* The scratch of multistep.c, and the window that a motion begins with (window.c). */
#ifndef PH_INTEGRATORS_MULTISTEP_WINDOW_H
#define PH_INTEGRATORS_MULTISTEP_WINDOW_H

#include "integrators/shared/methods.h"
#include "multistep.h"

typedef struct multistep_scratch {
    const ph_multistep *of;
    const ph_multistep_form *form;
    void *by;                                            /* its scratch */
    const ph_multistep_kernel *kernel;                   /* NULL: the form makes all steps */
    void *fast;                                          /* its scratch */
    double *v, *v_low, *v1, *v1_low, *q1, *low1, *u, *a; /* (nz): of ph_multistep_step */
    double *between;                                     /* (nz) */
    ph_multistep_window start;                           /* a window apart from that of the carry */
    ph_multistep_start around;                           /* how it begins */
    double *fresh;                                       /* window of the kernel, that begins */
    double *p1;                                          /* (np) momentum at the point behind the middle */
    double *work;                                        /* ph_system_work */
    ph_state at;                                         /* of the composition */
    double starting[PH_VARIATIONAL_OPTIONS];             /* of `variational` */
    ph_context start_by;                                 /* it */
} multistep_scratch;

/* w->start <- the window of K + 1 points with the state in the middle; w->p1 <- the momentum at the point
 * behind the middle. By collocation (start.c), or where that does not converge by steps of `variational`
 * forwards and backwards from the state. */
ph_status ph_multistep_fill(multistep_scratch *w, ph_context *context, const ph_state *state);

#endif
