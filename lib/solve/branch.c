/* SPDX-License-Identifier: BSD-3-Clause */
/* The branch of solutions x(s) of R(x; s) = 0 that starts at a known x(0), followed to s = 1.
 *
 * dx/ds = -J^{-1} R_s predicts, Newton corrects. A step in s is accepted only where the first correction
 * is small beside the step, the second small beside the first (so that the root is the one the predictor
 * points at), and det J has kept its sign. The step is halved until that holds. At a fold J becomes
 * singular and x(s) ~ x* - c sqrt(s* - s): the steps shrink towards s* and the tangent grows without
 * bound, by which a fold is told from a branch that is lost otherwise. */
#include <polhode/solve.h>

#include <math.h>
#include <string.h>

enum { MAX_PASSES = 8, MAX_STEPS = 4000 };

static const double contraction_wanted = 0.05;
static const double correction_wanted = 0.25; /* first correction over the move of the predictor, ... */
static const double small_move = 0.05;        /* ... or over the size of the unknowns, whichever is larger */
static const double smallest_step = 1e-11;
static const double fold_growth = 30;         /* s |dx/ds| at a fold over |x| */

static double max_norm(size_t n, const double *v)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fabs(v[i]) > largest ? fabs(v[i]) : largest;
    return largest;
}

/* tangent <- dx/ds at a solution (x, s), *sign <- sign of det J there. */
static ph_status find_tangent(const ph_equations *eq, double s, const double *x, ph_newton_work *w, int *sign)
{
    size_t n = eq->n;
    ph_status status = eq->residual(eq->self, s, x, w->r, w->scale);
    if (!status)
        status = eq->jacobian(eq->self, w->J);
    if (!status)
        status = ph_lu_factor(n, w->J, w->pivot, sign);
    if (!status)
        status = eq->parameter_derivative(eq->self, w->tangent);
    if (status)
        return status;
    ph_lu_solve(n, w->J, w->pivot, w->tangent);
    for (size_t i = 0; i < n; i++)
        w->tangent[i] = -w->tangent[i];
    return PH_OK;
}

/* Is what Newton found the continuation of the branch from x0? */
static int accepted(const ph_equations *eq, const ph_newton_report *report, double move, const double *x,
                    const double *x0)
{
    double largest = 0, slack = small_move * eq->size;
    for (size_t i = 0; i < eq->n; i++)
        largest = fmax(largest, fabs(x[i] - x0[i]));
    return report->contraction <= contraction_wanted && largest <= 2 * fmax(move, slack) &&
           report->first <= fmax(correction_wanted * move, slack);
}

/* Failures that a shorter step may avoid. */
static int may_pass(ph_status status)
{
    return status == PH_OK || status == PH_E_NO_CONVERGENCE || status == PH_E_SINGULAR ||
           status == PH_E_NOT_FINITE;
}

ph_status ph_follow_branch(const ph_equations *eq, double *x, ph_newton_work *w, ph_newton_report *report,
                           double *reached)
{
    size_t n = eq->n;
    int start_sign = 0, sign = 0, passes = 0;
    double s = 0, ds = 1;
    ph_newton_report attempt = {0};
    ph_status status = find_tangent(eq, 0, x, w, &start_sign);
    ph_status tried = PH_OK;
    double slope = max_norm(n, w->tangent);
    memcpy(w->x0, x, n * sizeof *x);
    for (int i = 0; !status && s < 1 && ds >= smallest_step && i < MAX_STEPS; i++) {
        double to = s + ds < 1 ? s + ds : 1;
        for (size_t j = 0; j < n; j++)
            x[j] = w->x0[j] + (to - s) * w->tangent[j];
        tried = ph_newton(eq, to, MAX_PASSES, x, w, &attempt);
        passes += attempt.passes;
        if (!may_pass(tried))
            status = tried;
        int good = !tried && accepted(eq, &attempt, (to - s) * slope, x, w->x0);
        /* the tangent of x0 is overwritten: when the new point is rejected it is found again */
        ph_status turned = good ? find_tangent(eq, to, x, w, &sign) : PH_OK;
        if (!may_pass(turned))
            status = turned;
        if (good && !turned && sign == start_sign) {
            memcpy(w->x0, x, n * sizeof *x);
            s = to;
            ds *= 2;
            slope = max_norm(n, w->tangent);
        } else {
            ds *= 0.5;
            if (good && !status)
                status = find_tangent(eq, s, w->x0, w, &sign);
        }
    }
    *report = attempt;
    report->passes = passes;
    report->det_sign = start_sign;
    if (reached)
        *reached = s;
    if (status || s >= 1)
        return status;
    if (tried == PH_E_NOT_FINITE)
        return tried;
    return s * slope > fold_growth * max_norm(n, w->x0) ? PH_E_NO_SOLUTION : PH_E_NO_CONVERGENCE;
}
