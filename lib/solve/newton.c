/* SPDX-License-Identifier: BSD-3-Clause */
/* Newton's iteration to stagnation. The residual is judged in units of its own terms (|r_i|/scale_i): the
 * iteration continues until that is at rounding level, or until a correction no longer makes it smaller. What
 * the guess leaves of the residual has the same sign in every step of a motion and adds up, even where it is
 * smaller than rounding. So at least one correction is made, and another where the first was so large that
 * its square matters.
 * One factorisation is used as long as each iteration gains two digits; near the solution that is always. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>

#include <float.h>
#include <math.h>
#include <string.h>

void ph_newton_size(size_t n, size_t *doubles, size_t *ints)
{
    *doubles = 6 * n + 2 * n * n;
    *ints = 2 * n;
}

void ph_newton_lay(ph_newton_work *w, size_t n, double *doubles, int *ints)
{
    ph_newton_sparse_lay(w, n, doubles);
    w->J = doubles + ph_newton_sparse_size(n);
    w->J0 = w->J + n * n;
    w->pivot = ints;
    w->pivot0 = ints + n;
}

size_t ph_newton_sparse_size(size_t n)
{
    return 6 * n;
}

void ph_newton_sparse_lay(ph_newton_work *w, size_t n, double *doubles)
{
    double **arrays[] = {&w->r, &w->scale, &w->dx, &w->best, &w->x0, &w->tangent};
    *w = (ph_newton_work){.J = NULL};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = doubles + i * n;
}

void ph_newton_place(ph_newton_work *w, size_t n, ph_lay *l)
{
    size_t doubles, ints;
    ph_newton_size(n, &doubles, &ints);
    double *numbers = ph_lay_doubles(l, doubles);
    int *pivots = ph_lay_bytes(l, ints * sizeof *pivots);
    if (l->base)
        ph_newton_lay(w, n, numbers, pivots);
}

void ph_newton_sparse_place(ph_newton_work *w, size_t n, ph_lay *l)
{
    double *numbers = ph_lay_doubles(l, ph_newton_sparse_size(n));
    if (l->base)
        ph_newton_sparse_lay(w, n, numbers);
}

/* max |r_i| / scale_i; NaN if anything is. */
static double relative_norm(size_t n, const double *r, const double *scale)
{
    double largest = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        double e = fabs(r[i]) / (scale[i] + DBL_MIN);
        largest = e > largest ? e : largest;
        sum += e;
    }
    return sum < INFINITY ? largest : NAN;
}

/* Has the error of the guess been removed? After the first correction about its square is left. */
static bool is_settled(const ph_newton_report *report, const double *x, size_t n)
{
    return report->passes > 1 ||
           (report->passes == 1 && report->first * report->first <= PH_NEWTON_NEGLIGIBLE * ph_max_norm(x, n));
}

/* Apply one correction; factor the Jacobian first if asked. */
static ph_status apply_correction(const ph_equations *eq, double *x, ph_newton_work *w, int refresh,
                                  ph_newton_report *report)
{
    size_t n = eq->n;
    if (refresh && eq->factor) {
        ph_status status = eq->factor(eq->self, &report->det_sign);
        if (status)
            return status;
    } else if (refresh) {
        ph_status status = eq->jacobian(eq->self, w->J);
        if (!status)
            status = ph_lu_factor(n, w->J, w->pivot, &report->det_sign);
        if (status == PH_E_SINGULAR && !ph_all_finite(w->J, n * n)) /* elimination keeps NaN and infinity */
            status = PH_E_NOT_FINITE;
        if (status)
            return status;
    }
    memcpy(w->dx, w->r, n * sizeof *x);
    if (eq->factor)
        eq->solve(eq->self, w->dx);
    else
        ph_lu_solve(n, w->J, w->pivot, w->dx);
    for (size_t i = 0; i < n; i++)
        x[i] -= w->dx[i];
    report->passes++;
    if (report->passes == 1)
        report->first = ph_max_norm(w->dx, n);
    else if (report->passes == 2 && report->first > 0)
        report->contraction = ph_max_norm(w->dx, n) / report->first;
    return PH_OK;
}

ph_status ph_newton(const ph_equations *eq, double s, int max_passes, double *x, ph_newton_work *w,
                    ph_newton_report *report)
{
    size_t n = eq->n;
    double best = INFINITY, before = INFINITY, level = eq->floor > 0 ? eq->floor : PH_NEWTON_LEVEL;
    *report = (ph_newton_report){0};
    for (;;) {
        ph_status status = eq->residual(eq->self, s, x, w->r, w->scale);
        if (status)
            return status;
        double norm = relative_norm(n, w->r, w->scale);
        if (!(norm < INFINITY))
            return PH_E_NOT_FINITE;
        if (norm < best) {
            best = norm;
            memcpy(w->best, x, n * sizeof *x);
        }
        if (norm == 0 || (norm <= PH_NEWTON_FLOOR && is_settled(report, x, n)))
            break;
        if (norm >= before && best <= level)
            break;
        if (report->passes >= max_passes) {
            if (best <= level)
                break;
            return PH_E_NO_CONVERGENCE;
        }
        /* at rounding level nothing is gained by a fresh Jacobian, only its cost */
        bool fresh = report->passes == 0 || (norm > PH_NEWTON_GAIN * before && norm > level);
        status = apply_correction(eq, x, w, fresh, report);
        if (status)
            return status;
        if (report->passes == 2 && norm <= level) /* a ratio of two rounding errors says nothing */
            report->contraction = 0;
        before = norm;
    }
    report->latest = memcmp(x, w->best, n * sizeof *x) == 0;
    memcpy(x, w->best, n * sizeof *x);
    report->residual = best / DBL_EPSILON;
    return PH_OK;
}
