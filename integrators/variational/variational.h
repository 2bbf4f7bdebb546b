/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator's step, the discrete Euler-Lagrange equations, in one form for each kind of system
 * for which a special form takes less work. All compute the same map; variational.c chooses one. */
#ifndef PH_INTEGRATORS_VARIATIONAL_H
#define PH_INTEGRATORS_VARIATIONAL_H

#include <polhode/kit/implicit.h>

#include "integrators/shared/compositions.h"
#include "integrators/shared/discrete-lagrangian.h"
#include "integrators/shared/methods.h"

/* The scratch of the method: what its kernels are to know of the step. */
typedef struct ph_variational {
    const struct ph_variational_kernel *kernel;
    void *work;                                     /* the scratch of the kernel */
    const ph_stage *stage;                          /* NULL: steps of one size */
    struct ph_variational_composition *composition; /* likewise */
} ph_variational;

/* As in ph_method, with scratch of its own, method->work. */
typedef struct ph_variational_kernel {
    /* Lays the scratch out, ph_variational_place first, and returns how many numbers are carried. */
    size_t (*lay)(const ph_system *system, const double *options, ph_lay *l);
    /* Of a scratch that is laid out. It may choose another kernel for it. */
    ph_status (*init)(ph_variational *method, ph_context *context);
    ph_status (*step)(ph_variational *method, ph_context *context, ph_state *state);
    void (*synchronise)(ph_variational *method, ph_state *state); /* NULL: step leaves nothing to do */
    bool dense;   /* does it work with dense matrices of the inertia? */
    size_t lanes; /* states at once; 0: one */
} ph_variational_kernel;

extern const ph_variational_kernel ph_variational_spheres; /* (S^2)^n, inertia by a number for each pair */
extern const ph_variational_kernel ph_variational_bodies; /* rigid bodies, each with its own kinetic energy */
extern const ph_variational_kernel ph_variational_short_chain; /* one link or two of those */
extern const ph_variational_kernel ph_variational_chain;       /* links in a row under gravity alone */
extern const ph_variational_kernel ph_variational_tree;        /* a tree of links under gravity alone */
extern const ph_variational_kernel ph_variational_multipliers; /* sparse inverse inertia */
extern const ph_variational_kernel ph_variational_articulated; /* trees of rigid bodies with ball joints */
extern const ph_variational_kernel ph_variational_carried;     /* links that a rigid body carries */
extern const ph_variational_kernel ph_variational_cable; /* a row of those, with forces on the body at most */
extern const ph_variational_kernel ph_variational_gravitation;       /* bodies under mutual gravity */
extern const ph_variational_kernel ph_variational_gravitation_lanes; /* and of eight states at once */
extern const ph_variational_kernel ph_variational_product;           /* any product, constant inertia */
extern const ph_variational_kernel ph_variational_product_lanes;     /* and of eight: R^d and S^1 */
extern const ph_variational_kernel ph_variational_rolling;           /* dla: a body that rolls on a plane */
extern const ph_variational_kernel ph_variational_train;             /* dla: a train on wheels */
extern const ph_variational_kernel ph_variational_general;           /* anything */
extern const ph_variational_kernel ph_variational_short_chain_lanes; /* eight chains of one link or two */
extern const ph_variational_kernel ph_variational_bodies_lanes;      /* eight systems of a single body */
extern const ph_variational_kernel ph_variational_routh;             /* what is seen from a turning frame */

/* The struct at the beginning of a scratch; while sizes are added up `counted`, of as many bytes. */
static inline void *ph_variational_place(ph_lay *l, void *counted, size_t bytes)
{
    void *place = ph_lay_bytes(l, bytes);
    return place ? place : counted;
}

/* What a kernel needs. */
static inline ph_method_size ph_variational_measure(const ph_variational_kernel *kernel,
                                                    const ph_system *system, const double *options)
{
    ph_lay l = {NULL, 0};
    const size_t carry = kernel->lay(system, options, &l);
    return (ph_method_size){.work = l.bytes, .carry = carry};
}

/* Lays out the scratch of method->kernel in method->work, and prepares it. */
static inline ph_status ph_variational_begin(ph_variational *method, ph_context *context)
{
    ph_lay l = {method->work, 0};
    method->kernel->lay(context->system, context->options, &l);
    return method->kernel->init(method, context);
}

/* ---- What `variational` and `dla` share: variational.c ------------------------------ */

/* The options of PH_VARIATIONAL_RULE, ...; rule_text says what `automatic` means. */
#define PH_VARIATIONAL_OPTION_ROWS(automatic_rule)                                                           \
    [PH_VARIATIONAL_RULE] = {.name = "discrete-lagrangian",                                                  \
                             .type = PH_OPTION_CHOICE,                                                       \
                             .initial = PH_RULE_AUTOMATIC,                                                   \
                             .choices = PH_RULE_WORDS,                                                       \
                             .text = "quadrature of the Lagrangian over a step: at its ends or its "         \
                                     "midpoint, with the chord as velocity or with that of the exponential " \
                                     "map; automatic: " automatic_rule},                                     \
    [PH_VARIATIONAL_ORDER] = {.name = "order",                                                               \
                              .type = PH_OPTION_CHOICE,                                                      \
                              .choices = PH_COMPOSITION_ORDERS,                                              \
                              .text = "of convergence; beyond 2 a step is composed of several; "             \
                                      "automatic: 2, or that of the composition"},                           \
    [PH_VARIATIONAL_COMPOSITION] = {.name = "composition",                                                   \
                                    .type = PH_OPTION_CHOICE,                                                \
                                    .choices = PH_COMPOSITION_WORDS,                                         \
                                    .text = "the steps that a step of a higher order is made of; "           \
                                            "automatic: the best measured one of the order"},                \
    [PH_VARIATIONAL_BOUND] = PH_ITERATIONS_OPTION,

/* The order that these options ask for; 0 where they contradict each other. */
int ph_variational_order(const ph_system *system, const double *values);
/* Is there a retraction? name: of the method. */
ph_status ph_variational_supports(const ph_system *system, const char *name, ph_error *err);
/* The kernel of `variational` for a system that is not reduced, with these values of its options (choose.c). */
const ph_variational_kernel *ph_variational_choose(const ph_system *system, const double *values);
/* Has a system of ph_variational_product lanes? */
bool ph_variational_product_has_lanes(const ph_system *system);
/* That for eight states at once; NULL: there is none. */
const ph_variational_kernel *ph_variational_choose_lanes(const ph_system *system, const double *values);
/* size, init, step, synchronise of a method whose steps, composed or not, are those of the kernel. */
ph_method_size ph_variational_size(const ph_variational_kernel *kernel, const ph_system *system,
                                   const double *values);
ph_status ph_variational_init(const ph_variational_kernel *kernel, ph_context *context);
ph_status ph_variational_step(ph_context *context, ph_state *state);
void ph_variational_synchronise(ph_context *context, ph_state *state);

/* ---- A composition of steps: composition.c ------------------------------------------ */

/* The one that options ask for; NULL: none. */
const ph_composition *ph_variational_composition_of(const double *options);
/* Bytes of scratch that it needs in addition to the kernel's, of so many states at once; carry: how many numbers the
 * kernel carries of all of them. */
size_t ph_variational_composition_size(const ph_system *system, size_t states, size_t carry);
/* For steps of h, in this memory. */
void ph_variational_composition_init(ph_variational *method, double h, const ph_composition *composition,
                                     void *memory);
/* How stage i is guessed, once the composition has been prepared. */
const ph_stage *ph_variational_composition_stage(const ph_variational *method, size_t i);
/* A step of the whole: all stages, or none. */
ph_status ph_variational_composition_step(ph_variational *method, ph_context *context, ph_state *state);

#endif
