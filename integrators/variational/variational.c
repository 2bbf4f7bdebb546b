/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator: one method, whose step is written in as many forms as there are kinds of system
 * worth one of their own. They are the same map; the equations stand in their files. */
#include "variational.h"

static const ph_option options[] = {
    PH_VARIATIONAL_OPTION_ROWS("exponential for a general L(z, zdot), else ends")};

_Static_assert(sizeof options / sizeof options[0] == PH_VARIATIONAL_OPTIONS, "options in shared/methods.h");

int ph_variational_order(const ph_system *system, const double *values)
{
    int order;
    (void)system; /* of all the same */
    ph_composition_chosen(values[PH_VARIATIONAL_ORDER], values[PH_VARIATIONAL_COMPOSITION], &order);
    return order;
}

static const ph_variational_kernel *kernel_for(const ph_system *system, const double *values)
{
    return ph_system_whole(system, NULL) ? &ph_variational_routh : ph_variational_choose(system, values);
}

ph_status ph_variational_supports(const ph_system *system, const char *name, ph_error *err)
{
    if (ph_space_has_retraction(ph_system_space(system)))
        return PH_OK;
    return ph_fail(err, PH_E_UNSUPPORTED,
                   "%s moves the configuration on the manifold, "
                   "and one that is given by its projection alone has no retraction: "
                   "give its constraints, or use rk4",
                   name);
}

/* Does this kernel work with dense matrices, which the system does not have? */
static bool too_large(const ph_system *system, const ph_variational_kernel *kernel)
{
    return kernel->dense && !ph_system_is_dense(system);
}

/* The struct, the scratch of a kernel with this need, and the composition; the latter, or NULL. */
static void *lay_scratch(ph_variational *method, const ph_variational_kernel *kernel, const ph_system *system,
                         const double *values, const ph_method_size *needed, ph_lay *l)
{
    const size_t states = kernel->lanes ? kernel->lanes : 1;
    ph_lay_bytes(l, sizeof *method);
    method->work = ph_lay_line(l, needed->work);
    return ph_variational_composition_of(values)
               ? ph_lay_line(l, ph_variational_composition_size(system, states, needed->carry))
               : NULL;
}

ph_method_size ph_variational_size(const ph_variational_kernel *kernel, const ph_system *system,
                                   const double *values)
{
    if (too_large(system, kernel))
        return (ph_method_size){.work = sizeof(ph_variational)};
    ph_variational counted;
    ph_lay l = {NULL, 0};
    ph_method_size own = ph_variational_measure(kernel, system, values);
    lay_scratch(&counted, kernel, system, values, &own, &l);
    own.work = l.bytes;
    return own;
}

ph_status ph_variational_init(const ph_variational_kernel *kernel, ph_context *context)
{
    if (too_large(context->system, kernel))
        return ph_fail(
            context->error, PH_E_UNSUPPORTED,
            "this system has too many factors for dense matrices, and only the discrete Lagrangian `ends` "
            "(or automatic), without forces that depend on the velocity, does without them");
    const ph_composition *composition = ph_variational_composition_of(context->options);
    if (!ph_variational_order(context->system, context->options))
        return ph_fail(context->error, PH_E_INVALID,
                       "the composition %s is of order %d; leave out the order, or the composition",
                       composition->name, composition->order);
    ph_variational *method = context->work;
    const ph_method_size own = ph_variational_measure(kernel, context->system, context->options);
    ph_lay l = {context->work, 0};
    *method = (ph_variational){.kernel = kernel};
    void *memory = lay_scratch(method, kernel, context->system, context->options, &own, &l);
    if (composition)
        ph_variational_composition_init(method, context->h, composition, memory);
    return ph_variational_begin(method, context);
}

ph_status ph_variational_step(ph_context *context, ph_state *state)
{
    ph_variational *method = context->work;
    return method->composition ? ph_variational_composition_step(method, context, state)
                               : method->kernel->step(method, context, state);
}

void ph_variational_synchronise(ph_context *context, ph_state *state)
{
    ph_variational *method = context->work;
    if (method->kernel->synchronise)
        method->kernel->synchronise(method, state);
}

/* ---- The method ---------------------------------------------------------------------------------- */

static ph_status supports(const ph_system *system, ph_error *err)
{
    return ph_variational_supports(system, "variational", err);
}

static ph_method_size size(const ph_system *system, const double *values)
{
    return ph_variational_size(kernel_for(system, values), system, values);
}

static ph_status init(ph_context *context)
{
    return ph_variational_init(kernel_for(context->system, context->options), context);
}

/* ---- The same of several states at once ----------------------------------------------------------- */

static const ph_variational_kernel *lanes_for(const ph_system *system, const double *values)
{
    return ph_system_whole(system, NULL) ? NULL : ph_variational_choose_lanes(system, values);
}

static ph_method_size lanes_size(const ph_system *system, const double *values)
{
    return ph_variational_size(lanes_for(system, values), system, values);
}

static ph_status lanes_init(ph_context *context)
{
    return ph_variational_init(lanes_for(context->system, context->options), context);
}

static const ph_method *lanes(const ph_system *system, const double *values)
{
    static const ph_method eight = {.name = "variational",
                                    .size = lanes_size,
                                    .init = lanes_init,
                                    .step = ph_variational_step,
                                    .synchronise = ph_variational_synchronise,
                                    .takes_systems = true};
    return lanes_for(system, values) ? &eight : NULL;
}

const ph_method ph_method_variational = {
    .name = "variational",
    .summary =
        "variational integrator with exponential-map update; implicit, symplectic, momentum-preserving",
    .reference = "Lee, Leok, McClamroch, Int. J. Numer. Meth. Eng. 79 (2009) 1147; "
                 "Marsden, West, Acta Numerica 10 (2001)",
    .order = 2,
    .order_for = ph_variational_order,
    .claims =
        PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .options = options,
    .n_options = PH_VARIATIONAL_OPTIONS,
    .supports = supports,
    .size = size,
    .init = init,
    .step = ph_variational_step,
    .synchronise = ph_variational_synchronise,
    .takes_reduced = true,
    .lanes = lanes,
};
