/* SPDX-License-Identifier: BSD-3-Clause */
/* What methods share whose steps solve equations: see polhode/kit/implicit.h. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/implicit.h>

#include <string.h>

ph_status ph_context_judge(const ph_context *context, const char *what, double t, ph_status status,
                           const double *v, size_t n)
{
    if (status)
        return ph_fail(context->error, status, "%s failed at t = %.10g s: %s", what, t,
                       ph_status_text(status));
    if (!ph_all_finite(v, n))
        return ph_fail(context->error, PH_E_NOT_FINITE, "%s is not finite at t = %.10g s", what, t);
    return PH_OK;
}

ph_status ph_context_allow(const ph_context *context, double t)
{
    if (!context->max_iterations ||
        context->statistics->newton_passes - context->iterations_before < context->max_iterations)
        return PH_OK;
    return ph_fail(
        context->error, PH_E_NO_CONVERGENCE,
        "step from t = %.10g s, h = %.6g s: not solved by %lld iterations (max-iterations); take a smaller "
        "step, or allow more",
        t, context->h, (long long)context->max_iterations);
}

int64_t ph_context_most(const ph_context *context, int64_t own)
{
    return context->max_iterations && context->max_iterations < own ? context->max_iterations : own;
}

ph_status ph_implicit_note(ph_implicit_notes *notes, const char *failing, ph_status status)
{
    if (!status)
        return PH_OK;
    notes->failed = status;
    notes->failing = failing;
    return PH_E_CALLBACK;
}

ph_status ph_implicit_blame(const ph_implicit_notes *notes, const ph_context *context, double t)
{
    return ph_fail(context->error, notes->failed, "%s failed at t = %.10g s: %s", notes->failing, t,
                   ph_status_text(notes->failed));
}

/* Why there is no step: reached is the fraction of h to which the branch of solutions could be followed. */
static ph_status fail_unsolved(const ph_context *context, double t, ph_status status, double reached)
{
    double h = context->h;
    if (status == PH_E_NO_SOLUTION)
        return ph_fail(
            context->error, status,
            "no solution at t = %.10g s: the step is too long for this motion, as the branch of solutions from h = 0 "
            "turns back at h = %.12g s, before the step size %.12g s; take a smaller one, for example %.1g times this step",
            t, reached * h, h, 0.5 * reached);
    return ph_fail(context->error, status,
                   "step from t = %.10g s, h = %.6g s: %s (branch followed to h = %.6g s)", t, h,
                   ph_status_text(status), reached * h);
}

/* Is the root that Newton's iteration found from the guess the one on the branch from h = 0? It converged
 * fast, it is close to the guess, and the method does not object. */
static bool is_trusted(const ph_implicit_root *root, const ph_newton_report *report)
{
    return report->contraction <= PH_IMPLICIT_CONTRACTION && report->first <= PH_IMPLICIT_CORRECTION &&
           (!report->passes || !root->on_the_branch || root->on_the_branch(root->equations.self));
}

/* ph_follow_branch within what is left of max-iterations; counted. */
static ph_status follow_branch(const ph_equations *equations, ph_context *context, double *x,
                               ph_newton_work *newton, ph_newton_report *report, double *reached)
{
    ph_equations eq = *equations;
    ph_statistics *done = context->statistics;
    if (context->max_iterations)
        eq.most = context->max_iterations - (done->newton_passes - context->iterations_before);
    if (context->max_iterations && eq.most < 1)
        eq.most = 1;
    const ph_status status = ph_follow_branch(&eq, x, newton, report, reached);
    done->newton_passes += report->passes;
    done->branches++;
    return status;
}

/* Newton's iteration from the guess, if there is one; where its root cannot be trusted, the branch of
 * solutions is followed from h = 0, where the root is known. Afterwards the residual has been evaluated at
 * the solution. */
ph_status ph_implicit_solve(const ph_implicit_root *root, ph_context *context, double t, double *x,
                            ph_newton_work *newton)
{
    const ph_equations *eq = &root->equations;
    ph_implicit_notes none, *notes = root->notes ? root->notes : &none;
    ph_newton_report report = {0};
    bool found = false;
    ph_status status = ph_context_allow(context, t);
    notes->failed = PH_OK;
    if (status)
        return status;
    if (root->guessed) {
        status = ph_newton(eq, 1, PH_IMPLICIT_PASSES, x, newton, &report);
        context->statistics->newton_passes += report.passes;
        if (notes->failed)
            return ph_implicit_blame(notes, context, t);
        found = !status && is_trusted(root, &report);
    }
    if (!found) {
        double reached = 0;
        memset(x, 0, eq->n * sizeof *x);
        status = root->start ? root->start(eq->self, x) : PH_OK;
        if (!status)
            status = follow_branch(eq, context, x, newton, &report, &reached);
        if (notes->failed)
            return ph_implicit_blame(notes, context, t);
        if (status)
            return reached < 1 && ph_context_allow(context, t) ? PH_E_NO_CONVERGENCE
                                                               : fail_unsolved(context, t, status, reached);
    }
    status = report.latest ? PH_OK : eq->residual(eq->self, 1, x, newton->r, newton->scale);
    if (!status)
        return PH_OK;
    return notes->failed ? ph_implicit_blame(notes, context, t) : fail_unsolved(context, t, status, 1);
}
