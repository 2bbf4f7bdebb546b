/* SPDX-License-Identifier: BSD-3-Clause */
/* A model at a state of its motion, some steps after a preset, so that nothing is at rest, with what it says of motions. */
#ifndef POLHODE_TESTS_MOVING_H
#define POLHODE_TESTS_MOVING_H

#include "tests/kit/testkit.h"

typedef struct moving {
    ph_system *system;
    ph_integrator *integrator;
    ph_state *state;
    ph_motion *motion;
} moving;

/* From this preset (NULL: the first), by a method of this order. */
static void moving_begin(moving *x, const char *name, const char *preset, double h, const char *order,
                         int steps)
{
    const ph_model *model = ph_model_find(name, NULL);
    *x = (moving){.system = NULL};
    tk_ok(ph_model_build(model, NULL, 0, &x->system, tk_err));
    const size_t nz = ph_space_ambient(ph_system_space(x->system));
    TK_MEMORY double *z = malloc(nz * sizeof *z), *zdot = malloc(nz * sizeof *zdot);
    ck_assert(z && zdot);
    tk_ok(ph_model_preset(model, NULL, 0, preset, nz, z, zdot, tk_err));
    tk_start_with(x->system, ph_method_find(tk_variational(x->system), tk_err), "order", order, h, 0, z, zdot,
                  &x->integrator, &x->state);
    tk_steps(x->integrator, x->state, steps);
    tk_ok(ph_motion_create(x->system, &x->motion, tk_err));
}

static void moving_end(moving *x)
{
    ph_motion_free(x->motion);
    tk_end(x->integrator, x->state);
    ph_system_free(x->system);
}

/* One of this block. */
#define MOVING(x, ...)                                                                                       \
    TK_ENDS(moving_end) moving x;                                                                            \
    moving_begin(&x, __VA_ARGS__)

#endif
