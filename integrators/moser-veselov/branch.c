/* SPDX-License-Identifier: BSD-3-Clause */
/* The turn of a body in a step of moser-veselov.c where Newton's iteration from a guess is not certain to
 * find it: on the branch of solutions from h = 0, along which s b stands for b, s from 0 to 1. */
#include "rigid.h"

#include <polhode/kit/implicit.h>
#include <polhode/kit/solve.h>

#include <string.h>

/* The equation with s b for b, at its latest s and u. */
typedef struct branch {
    const double *w, *b;
    double s, u[3];
} branch;

static ph_status branch_residual(void *self, double s, const double *u, double *r, double *scale)
{
    branch *br = self;
    double sb[3] = {s * br->b[0], s * br->b[1], s * br->b[2]}, size = 0, longest = 0;
    br->s = s;
    memcpy(br->u, u, sizeof br->u);
    ph_rotor_residual(br->w, sb, u, r);
    for (int i = 0; i < 3; i++) {
        size += fabs(sb[i]);
        longest = fmax(longest, fabs(u[i]));
    }
    for (int i = 0; i < 3; i++)
        scale[i] = fabs(u[i]) + br->w[i] * (fabs(sb[i]) + size * longest * (1 + fabs(u[i])));
    return PH_OK;
}

static ph_status branch_jacobian(void *self, double *J)
{
    const branch *br = self;
    double sb[3] = {br->s * br->b[0], br->s * br->b[1], br->s * br->b[2]};
    ph_rotor_jacobian(br->w, sb, br->u, J);
    return PH_OK;
}

/* The residual is linear in s b, and u for s = 0. */
static ph_status branch_derivative(void *self, double *rs)
{
    const branch *br = self;
    ph_rotor_residual(br->w, br->b, br->u, rs);
    for (int i = 0; i < 3; i++)
        rs[i] -= br->u[i];
    return PH_OK;
}

ph_status ph_moser_veselov_follow(ph_context *context, double t, size_t body, const double w[3],
                                  const double b[3], ph_newton_work *newton, double u[3])
{
    double reached = 0;
    branch br = {.w = w, .b = b};
    const ph_equations equations = {.n = 3,
                                    .size = 1,
                                    .self = &br,
                                    .residual = branch_residual,
                                    .jacobian = branch_jacobian,
                                    .parameter_derivative = branch_derivative};
    ph_newton_report report = {0};
    memset(u, 0, 3 * sizeof *u);
    ph_status status = ph_context_allow(context, t);
    if (status)
        return status;
    status = ph_follow_branch(&equations, u, newton, &report, &reached);
    context->statistics->newton_passes += report.passes;
    context->statistics->branches++;
    if (status)
        return ph_fail(context->error, status,
                       "no solution at t = %.10g s: body %zu turns too far in a step of %.12g s; "
                       "the branch of solutions of its equation from h = 0 leads no farther than h = %.6g s. "
                       "Take a smaller step%s",
                       t, body, context->h, reached * context->h,
                       context->options[PH_MOSER_VESELOV_ORDER] < PH_ROTOR_DEGREE ? ", or a higher order"
                                                                                  : "");
    return PH_OK;
}
