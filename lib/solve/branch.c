/* SPDX-License-Identifier: BSD-3-Clause */
/* The branch of solutions x(s) of R(x; s) = 0 that starts at a known x(0), followed to s = 1.
 *
 * dx/ds = -J^{-1} R_s predicts, Newton corrects. A step in s is accepted only where the first correction is
 * small compared with the step, the second is small compared with the first (so that the root is the one the
 * predictor points at), and |J0^{-1} J1 - I| < 1 for the Jacobians at its ends: then no Jacobian on the line
 * between them is singular. (The sign of det J alone misses two eigenvalues that change sign together; for
 * sparse equations it has to be enough.) The step is halved until these hold. At a fold J becomes singular:
 *     x(s) ~ x* - c sqrt(s* - s),
 * the steps shrink towards s* and the tangent grows without bound. That distinguishes a fold from a branch
 * that is lost for another reason. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>

#include <math.h>
#include <string.h>

enum { MAX_PASSES = 8, MAX_STEPS = 4000 };

static const double contraction_wanted = 0.05;
static const double correction_wanted = 0.25; /* first correction over the move of the predictor, ... */
static const double small_move = 0.05;        /* ... or over the size of the unknowns, whichever is larger */
static const double smallest_step = 1e-11;
static const double fold_growth = 30; /* s |dx/ds| at a fold over |x| */

/* J <- dR/dx at (x, s); r, scale as the residual leaves them. */
static ph_status find_jacobian(const ph_equations *eq, double s, const double *x, ph_newton_work *w)
{
    ph_status status = eq->residual(eq->self, s, x, w->r, w->scale);
    return status || eq->factor ? status : eq->jacobian(eq->self, w->J);
}

/* Largest column sum of |J0^{-1} J - I|, for J0 factored and J as it is; NaN if that is not finite. */
static double jacobian_change(size_t n, const ph_newton_work *w)
{
    double largest = 0;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            w->dx[i] = w->J[i * n + j];
        ph_lu_solve(n, w->J0, w->pivot0, w->dx);
        w->dx[j] -= 1;
        for (size_t i = 0; i < n; i++)
            sum += fabs(w->dx[i]);
        if (!(sum <= largest))
            largest = sum;
    }
    return largest;
}

/* Make the point of the latest find_jacobian the start of the next step in s: J0 <- factors of J (where they
 * are dense), tangent <- dx/ds. PH_E_SINGULAR where det J has changed its sign. */
static ph_status accept_point_sparse(const ph_equations *eq, ph_newton_work *w)
{
    int sign = 0;
    ph_status status = eq->factor(eq->self, &sign);
    if (!status && sign < 0)
        status = PH_E_SINGULAR;
    if (!status)
        status = eq->parameter_derivative(eq->self, w->dx); /* the tangent stays where there is none */
    if (status)
        return status;
    eq->solve(eq->self, w->dx);
    for (size_t i = 0; i < eq->n; i++)
        w->tangent[i] = -w->dx[i];
    return PH_OK;
}

/* The same, of dense Jacobians, too; J and J0 change places instead of being copied. */
static ph_status accept_point(const ph_equations *eq, ph_newton_work *w)
{
    if (eq->factor)
        return accept_point_sparse(eq, w);
    double *J = w->J;
    int *pivot = w->pivot, sign;
    ph_status status = ph_lu_factor(eq->n, w->J, w->pivot, &sign);
    if (status && !ph_all_finite(w->J, eq->n * eq->n)) /* elimination keeps NaN and infinity */
        status = PH_E_NOT_FINITE;
    if (!status)
        status = eq->parameter_derivative(eq->self, w->tangent);
    if (status)
        return status;
    w->J = w->J0, w->J0 = J;
    w->pivot = w->pivot0, w->pivot0 = pivot;
    ph_lu_solve(eq->n, w->J0, w->pivot0, w->tangent);
    for (size_t i = 0; i < eq->n; i++)
        w->tangent[i] = -w->tangent[i];
    return PH_OK;
}

/* Is what Newton found the continuation of the branch from x0? */
static int is_continuation(const ph_equations *eq, const ph_newton_report *report, double move,
                           const double *x, const double *x0)
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

/* From x0 at s to `to`: PH_OK, with x0 and the tangent those at `to`; or both are unchanged, and *why (for
 * the caller's message) says what prevented it. A failure that no shorter step can avoid is returned. */
static ph_status advance(const ph_equations *eq, double s, double to, double *x, ph_newton_work *w,
                         ph_newton_report *report, int *passes, ph_status *why)
{
    size_t n = eq->n;
    double move = (to - s) * ph_max_norm(w->tangent, n);
    for (size_t j = 0; j < n; j++)
        x[j] = w->x0[j] + (to - s) * w->tangent[j];
    ph_status status = ph_newton(eq, to, MAX_PASSES, x, w, report);
    *passes += report->passes;
    if (!status && !is_continuation(eq, report, move, x, w->x0))
        status = PH_E_NO_CONVERGENCE;
    if (!status)
        status = find_jacobian(eq, to, x, w);
    if (!status && !eq->factor && !(jacobian_change(n, w) < 1))
        status = PH_E_NO_CONVERGENCE;
    if (!status)
        status = accept_point(eq, w);
    if (!status)
        memcpy(w->x0, x, n * sizeof *x);
    *why = status;
    return may_pass(status) ? PH_OK : status;
}

ph_status ph_follow_branch(const ph_equations *equations, double *x, ph_newton_work *w,
                           ph_newton_report *report, double *reached)
{
    ph_equations followed = *equations, *eq = &followed;
    size_t n = eq->n;
    int passes = 0;
    double s = 0, ds = 1;
    if (eq->jacobian)
        eq->factor = NULL;
    ph_status why = PH_OK, status = find_jacobian(eq, 0, x, w);
    *report = (ph_newton_report){0};
    memcpy(w->x0, x, n * sizeof *x);
    if (!status)
        status = accept_point(eq, w);
    for (int i = 0; !status && s < 1 && ds >= smallest_step && i < MAX_STEPS; i++) {
        if (eq->most && passes >= eq->most)
            break;
        double to = s + ds < 1 ? s + ds : 1;
        status = advance(eq, s, to, x, w, report, &passes, &why);
        if (status || why) {
            ds *= 0.5;
        } else {
            s = to;
            ds *= 2;
        }
    }
    report->passes = passes;
    report->latest = s >= 1; /* by find_jacobian */
    if (reached)
        *reached = s;
    if (status || s >= 1)
        return status;
    if (why == PH_E_NOT_FINITE)
        return why;
    if (eq->most && passes >= eq->most)
        return PH_E_NO_CONVERGENCE;
    return s * ph_max_norm(w->tangent, n) > fold_growth * ph_max_norm(w->x0, n) ? PH_E_NO_SOLUTION
                                                                                : PH_E_NO_CONVERGENCE;
}
