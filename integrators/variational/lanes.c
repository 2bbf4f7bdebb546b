/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of several states at once by a kernel of single states: see lanes.h. */
#include "lanes.h"

#include <string.h>

/* At the beginning of what a state carries; then twice what the form carries, and what it carries once. */
typedef struct lanes_head {
    double second[EIGHT]; /* 1: the second is the one that counts, in all lanes */
} lanes_head;

enum { HEAD = sizeof(lanes_head) / sizeof(double) };

typedef struct lanes_scratch {
    const lanes_form *form;
    void *own;    /* numbers of the systems in lanes */
    size_t carry; /* numbers that the form carries */
    ph_lanes_alone alone;
} lanes_scratch;

/* ---- Single states ------------------------------------------------------------------------------------------- */

/* The scratch of the method for them. */
typedef struct lanes_single {
    ph_variational method;
    const ph_variational_kernel *kernel; /* which may choose another one for a system */
} lanes_single;

static ph_status single_init(ph_context *context)
{
    lanes_single *one = context->work;
    one->method.kernel = one->kernel;
    return ph_variational_begin(&one->method, context);
}

static ph_status single_step(ph_context *context, ph_state *state)
{
    lanes_single *one = context->work;
    return one->method.kernel->step(&one->method, context, state);
}

static void single_synchronise(ph_context *context, ph_state *state)
{
    lanes_single *one = context->work;
    if (one->method.kernel->synchronise)
        one->method.kernel->synchronise(&one->method, state);
}

void ph_variational_alone_lay(ph_lanes_alone *alone, const ph_variational_kernel *kernel,
                              const ph_system *system, const double *options, ph_lay *l)
{
    ph_method_size size = ph_variational_measure(kernel, system, options);
    void *work = ph_lay_line(l, size.work);
    size.work = sizeof(lanes_single);
    ph_lanes_alone_lay(alone, size, system, l);
    if (work)
        *(lanes_single *)alone->context.work = (lanes_single){.method.work = work};
}

void ph_variational_alone_begin(ph_lanes_alone *alone, const ph_variational_kernel *kernel,
                                const ph_context *context)
{
    static const ph_method single = {
        .init = single_init, .step = single_step, .synchronise = single_synchronise};
    ph_lanes_alone_begin(alone, &single, context);
    ((lanes_single *)alone->context.work)->kernel = kernel;
}

ph_variational *ph_variational_alone(const ph_lanes_alone *alone)
{
    return &((lanes_single *)alone->context.work)->method;
}

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

/* What counts, and what is to. */
static const double *lanes_from(const lanes_scratch *w, const ph_state *state)
{
    return state->carry + HEAD + (state->carry[0] != 0 ? w->carry : 0);
}

static double *lanes_to(const lanes_scratch *w, const ph_state *state)
{
    return state->carry + HEAD + (state->carry[0] != 0 ? 0 : w->carry);
}

static double *lanes_more(const lanes_scratch *w, const ph_state *state)
{
    return state->carry + HEAD + 2 * w->carry;
}

/* ---- Lanes ----------------------------------------------------------------------------------------------------- */

static void lanes_gather(void *user, const ph_state *state, size_t lane, ph_state *one)
{
    const lanes_scratch *w = user;
    w->form->gather(w->own, lanes_from(w, state), lanes_more(w, state), lane, one);
}

static void lanes_scatter(void *user, const ph_state *one, size_t lane, ph_state *state)
{
    const lanes_scratch *w = user;
    w->form->scatter(w->own, one, lane, lanes_more(w, state), lanes_to(w, state));
}

size_t ph_lanes_lay(const lanes_form *form, const ph_system *system, const double *options, ph_lay *l)
{
    lanes_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    w->carry = form->carry(system, options);
    w->own = ph_lay_line(l, form->bytes);
    ph_variational_alone_lay(&w->alone, form->single, system, options, l);
    return HEAD + 2 * w->carry + (form->more ? form->more(system, options) : 0);
}

ph_status ph_lanes_init(const lanes_form *form, ph_variational *method, ph_context *context)
{
    lanes_scratch *w = method->work;
    w->form = form;
    ph_variational_alone_begin(&w->alone, form->single, context);
    w->alone.gather = lanes_gather;
    w->alone.scatter = lanes_scatter;
    w->alone.user = w;
    form->begin(w->own, context);
    for (size_t lane = 0; lane < EIGHT; lane++)
        form->set(w->own, context, lane, w->alone.systems[lane]);
    return PH_OK;
}

ph_status ph_lanes_step(ph_variational *method, ph_context *context, ph_state *state)
{
    lanes_scratch *w = method->work;
    const unsigned left =
        EVERY_LANE & ~w->form->advance(w->own, method->stage, context->h, lanes_from(w, state),
                                       lanes_more(w, state), lanes_to(w, state));
    if (left) {
        ph_variational_alone(&w->alone)->stage = method->stage;
        const ph_status status = ph_lanes_alone_step(&w->alone, context, state, left);
        if (status)
            return status;
        ph_lanes_alone_scatter(&w->alone, state, left);
    }
    static const double counts[2][EIGHT] = {{1, 1, 1, 1, 1, 1, 1, 1}, {0}};
    memcpy(state->carry, counts[state->carry[0] != 0], sizeof counts[0]);
    return PH_OK;
}

void ph_lanes_synchronise(ph_variational *method, ph_state *state)
{
    lanes_scratch *w = method->work;
    ph_lanes_alone_synchronise(&w->alone, state);
}
