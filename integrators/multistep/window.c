/* SPDX-License-Identifier: BSD-3-Clause */
/* The window of points that a motion of multistep.c begins with, around the state: by collocation, or by
 * steps of `variational`. */
#include "window.h"

#include <math.h>
#include <string.h>

/* Prepares `variational` for steps of h from the state. */
static ph_status multistep_begin(multistep_scratch *w, const ph_context *context, double h,
                                 const ph_state *state)
{
    w->start_by = (ph_context){.system = context->system,
                               .h = h,
                               .options = w->starting,
                               .work = w->start_by.work,
                               .statistics = context->statistics,
                               .max_iterations = context->max_iterations,
                               .iterations_before = context->iterations_before,
                               .error = context->error};
    memcpy(w->at.z, state->z, state->nz * sizeof *state->z);
    memcpy(w->at.p, state->p, state->np * sizeof *state->p);
    memset(w->at.carry, 0, w->at.ncarry * sizeof *w->at.carry);
    w->at.t = w->at.t_base = state->t;
    w->at.k = w->at.k_base = 0;
    w->at.h = h;
    return ph_method_variational.init(&w->start_by);
}

/* A step of it. */
static ph_status multistep_continue(multistep_scratch *w)
{
    ph_context *by = &w->start_by;
    ph_status status = ph_method_variational.step(by, &w->at);
    if (status)
        return status;
    ph_method_variational.synchronise(by, &w->at);
    w->at.k++;
    w->at.t = w->at.t_base + (double)w->at.k * by->h;
    return PH_OK;
}

/* a <- the acceleration at (z, v): by the kernel, or by the form, which calls the user's functions and
 * therefore gets the nearest point of the manifold and the tangent part of v. */
static ph_status multistep_accelerate(ph_context *context, double t, const double *z, const double *v,
                                      double *a)
{
    multistep_scratch *w = context->work;
    if (w->kernel && w->kernel->acceleration) {
        w->kernel->acceleration(w->fast, z, v, a);
        return PH_OK;
    }
    const ph_space *space = ph_system_space(context->system);
    memcpy(w->q1, z, w->at.nz * sizeof *z);
    memcpy(w->v1, v, w->at.nz * sizeof *v);
    if (ph_space_project(space, w->q1)) { /* the iteration has diverged */
        a[0] = NAN;
        return PH_OK;
    }
    ph_space_project_tangent(space, w->q1, w->v1);
    return w->form->acceleration(w->by, context, t, w->q1, w->v1, a);
}

/* The message for a window around t0 that cannot be made. */
static ph_status multistep_explain(const ph_context *context, double t0, double t, ph_status status)
{
    const ph_error why = *context->error;
    return ph_fail(
        context->error, status,
        "multistep begins at t = %.10g s with points around it; on the way from t = %.10g s: %.350s", t0, t,
        why.message[0] ? why.message : ph_status_text(status));
}

/* The points of the window behind its middle, or for -h those before it, and accelerations at all but its
 * ends. */
static ph_status multistep_reach(multistep_scratch *w, ph_context *context, const ph_state *state, double h,
                                 const ph_multistep_window *window)
{
    const size_t half = w->of->K / 2, nz = state->nz;
    ph_status status = multistep_begin(w, context, h, state);
    /* the velocity of `variational` gives the acceleration; that of the window comes from its points */
    for (size_t j = 1; j <= half && !status; j++) {
        const size_t i = h == context->h ? half + j : half - j;
        status = multistep_continue(w);
        if (status)
            break;
        memcpy(window->q + i * nz, w->at.z, nz * sizeof *w->at.z);
        memset(window->low + i * nz, 0, nz * sizeof *window->low);
        if (i == half + 1)
            memcpy(w->p1, w->at.p, state->np * sizeof *w->p1);
        if (j < half)
            status = ph_system_velocity(context->system, w->at.t, w->at.z, w->at.p, w->between, w->work);
        if (j < half && !status)
            status =
                multistep_accelerate(context, w->at.t, w->at.z, w->between, w->around.a + i * w->around.row);
    }
    return status ? multistep_explain(context, state->t, w->at.t, status) : PH_OK;
}

/* A velocity or acceleration in the variables of the form. */
static void multistep_represent(const multistep_scratch *w, double *v)
{
    if (w->form->represent)
        w->form->represent(w->by, v);
}

/* v and u of the window from its points. */
static void multistep_difference(multistep_scratch *w, const ph_context *context, size_t nz,
                                 const ph_multistep_window *window)
{
    for (size_t i = 0; i < w->of->K; i++) {
        const double *q = window->q + i * nz, *low = window->low + i * nz;
        for (size_t k = 0; k < nz; k++)
            w->between[k] = ((q[nz + k] - q[k]) + (low[nz + k] - low[k])) / context->h;
        multistep_represent(w, w->between);
        for (size_t k = 0; k < nz && i > 0; k++)
            window->u[(i - 1) * nz + k] = w->between[k] - window->v[k];
        memcpy(window->v, w->between, nz * sizeof *w->between);
    }
}

ph_status ph_multistep_fill(multistep_scratch *w, ph_context *context, const ph_state *state)
{
    const size_t half = w->of->K / 2, nz = state->nz;
    const ph_multistep_window *window = &w->start;
    double *v = w->around.v + half * w->around.row;
    bool found;
    ph_status status = ph_system_velocity(context->system, state->t, state->z, state->p, v, w->work);
    if (status)
        return ph_fail(context->error, status, "the velocity at t = %.10g s: %s", state->t,
                       ph_status_text(status));
    status = ph_multistep_collocate(&w->around, multistep_accelerate, context, state, window, &found);
    if (!status && found) {
        v += w->around.row;
        multistep_represent(w, v);
        w->form->momentum(w->by, window->q + (half + 1) * nz, v, w->p1);
    } else if (!status) {
        status = multistep_reach(w, context, state, -context->h, window);
        if (!status)
            status = multistep_reach(w, context, state, context->h, window);
    }
    if (status)
        return status;
    for (size_t i = 0; i < w->of->K - 1; i++) {
        memcpy(window->a + i * nz, w->around.a + (i + 1) * w->around.row, nz * sizeof *window->a);
        multistep_represent(w, window->a + i * nz);
    }
    memset(window->v_low, 0, nz * sizeof *window->v_low);
    multistep_difference(w, context, nz, window);
    return PH_OK;
}
