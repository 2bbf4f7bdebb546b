/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator's step, in as many forms as there are kinds of system that are worth one of
 * their own: the same map, by less work. variational.c picks one. */
#ifndef PH_INTEGRATORS_VARIATIONAL_H
#define PH_INTEGRATORS_VARIATIONAL_H

#include <stdbool.h>

#include <polhode/method.h>
#include <polhode/solve.h>

/* As in ph_method. */
typedef struct ph_variational_kernel {
    ph_method_size (*size)(const ph_system *system, const double *options);
    ph_status (*init)(ph_context *context);
    ph_status (*step)(ph_context *context, ph_state *state);
} ph_variational_kernel;

extern const ph_variational_kernel ph_variational_spheres; /* (S^2)^n, inertia by a number for each pair */
extern const ph_variational_kernel ph_variational_bodies; /* rigid bodies, each with its own kinetic energy */
extern const ph_variational_kernel ph_variational_product; /* anything */

/* What every kernel's scratch begins with. */
typedef struct ph_variational_head {
    const ph_variational_kernel *kernel;
    void *more; /* scratch of a kernel that stands on another one's */
} ph_variational_head;

#endif
