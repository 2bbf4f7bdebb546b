/* SPDX-License-Identifier: BSD-3-Clause */
/* The push f - dU of a multistep form that works with covectors. */
#ifndef PH_INTEGRATORS_MULTISTEP_PUSH_H
#define PH_INTEGRATORS_MULTISTEP_PUSH_H

#include <polhode/kit/implicit.h>

#include <string.h>

typedef struct multistep_push {
    const ph_system *system;
    size_t nz;
    bool forced, pushed;
    double *push, *f, *still; /* (nz): f - dU, force, velocity 0 */
} multistep_push;

static inline void multistep_push_lay(multistep_push *w, const ph_system *system, ph_lay *l)
{
    double **vectors[] = {&w->push, &w->f, &w->still};
    w->nz = ph_space_ambient(ph_system_space(system));
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, w->nz);
}

static inline void multistep_push_init(multistep_push *w, const ph_system *system)
{
    w->system = system;
    w->forced = ph_system_has_force(system);
    w->pushed = ph_system_has_potential(system);
    memset(w->f, 0, w->nz * sizeof *w->f);
    memset(w->still, 0, w->nz * sizeof *w->still);
    memset(w->push, 0, w->nz * sizeof *w->push);
}

/* w->push <- f - dU at z. */
static inline ph_status multistep_push_find(multistep_push *w, const ph_context *context, double t,
                                            const double *z)
{
    ph_status status = PH_OK;
    if (w->pushed)
        status = ph_context_judge(context, "the gradient of the potential", t,
                                  ph_system_gradient(context->system, z, w->push), w->push, w->nz);
    if (!status && w->forced)
        status = ph_context_judge(context, "the force", t,
                                  ph_system_force(context->system, t, z, w->still, w->f), w->f, w->nz);
    for (size_t k = 0; k < w->nz && !status; k++)
        w->push[k] = w->f[k] - (w->pushed ? w->push[k] : 0);
    return status;
}

#endif
