/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of several states at once (polhode/ensemble.h) for a kernel of single states, its `form`: it makes the step in those
 * lanes of vectors where a guess is good enough, and the kernel itself that of the others, one after the other. Each state gets the
 * bits that it gets alone. States may be those of systems with other parameters.
 *
 * What is carried is twice there, as a step reads the one and writes the other: it can fail at any point, and nothing has been
 * changed. */
#ifndef PH_INTEGRATORS_VARIATIONAL_LANES_H
#define PH_INTEGRATORS_VARIATIONAL_LANES_H

#include <polhode/kit/lanes.h>

#include "lib/internal/lanes.h"
#include "variational.h"

enum { EIGHT = PH_METHOD_LANES, EVERY_LANE = (1 << PH_METHOD_LANES) - 1 };

typedef struct lanes_form {
    const ph_variational_kernel *single;
    size_t bytes; /* of the numbers of systems in lanes, `own` */
    /* Doubles that are carried of all states, a multiple of EIGHT; zeros: they have just been set. */
    size_t (*carry)(const ph_system *system, const double *options);
    /* Doubles that are carried in addition, once, and changed in place; for stages, as a composition has what a step began
     * with. NULL: none. */
    size_t (*more)(const ph_system *system, const double *options);
    /* Of what all systems have in common; then the numbers of the system in a lane. */
    void (*begin)(void *own, const ph_context *context);
    void (*set)(void *own, const ph_context *context, size_t lane, const ph_system *system);
    /* `to` <- the end of the step of what is carried, in the lanes that it returns, where the guess is good enough. */
    unsigned (*advance)(void *own, const ph_stage *stage, double h, const double *from, double *more,
                        double *to);
    /* A state <- what is carried of a lane, as the kernel of single states has it, and back. z and p in `one` are right where the
     * state has just been set; else they are to be found here. */
    void (*gather)(const void *own, const double *from, const double *more, size_t lane, ph_state *one);
    void (*scatter)(const void *own, const ph_state *one, size_t lane, double *more, double *to);
} lanes_form;

/* Steps of single states by this kernel: ph_lanes_alone. */
void ph_variational_alone_lay(ph_lanes_alone *alone, const ph_variational_kernel *kernel,
                              const ph_system *system, const double *options, ph_lay *l);
void ph_variational_alone_begin(ph_lanes_alone *alone, const ph_variational_kernel *kernel,
                                const ph_context *context);
/* What the kernel has of the method. */
ph_variational *ph_variational_alone(const ph_lanes_alone *alone);

size_t ph_lanes_lay(const lanes_form *form, const ph_system *system, const double *options, ph_lay *l);
ph_status ph_lanes_init(const lanes_form *form, ph_variational *method, ph_context *context);
ph_status ph_lanes_step(ph_variational *method, ph_context *context, ph_state *state);
void ph_lanes_synchronise(ph_variational *method, ph_state *state);

#endif
