/* SPDX-License-Identifier: BSD-3-Clause */
/* Newton's iteration and the following of a branch, called directly, on known curves. */
#include "tests/kit/testkit.h"

typedef struct curve {
    double bend,
        at; /* x = s + bend s^2 (bend >= 0), or sinh x = s (bend < 0); where the residual was taken */
    int derivatives;
} curve;

static ph_status curve_residual(void *self, double s, const double *x, double *r, double *scale)
{
    curve *c = self;
    double left = c->bend < 0 ? sinh(*x) : *x, right = c->bend < 0 ? s : s + c->bend * s * s;
    *r = left - right;
    *scale = fabs(left) + fabs(right);
    c->at = *x;
    return PH_OK;
}

static ph_status curve_jacobian(void *self, double *J)
{
    curve *c = self;
    *J = c->bend < 0 ? cosh(c->at) : 1;
    return PH_OK;
}

static ph_status curve_derivative(void *self, double *rs)
{
    curve *c = self;
    c->derivatives++;
    *rs = -1; /* exact at s = 0, and enough for a prediction */
    return PH_OK;
}

static ph_newton_work work;
static double doubles[64];
static int ints[8];

static ph_equations equations(curve *c)
{
    ph_newton_lay(&work, 1, doubles, ints);
    return (ph_equations){.n = 1,
                          .size = 1,
                          .self = c,
                          .residual = curve_residual,
                          .jacobian = curve_jacobian,
                          .parameter_derivative = curve_derivative};
}

/* The returned point has the reported residual, and `latest` says whether it was evaluated last. */
TEST(newton_returns_its_best)
{
    curve c = {.bend = -1};
    ph_equations eq = equations(&c);
    int others = 0;
    for (int i = 1; i < 5000; i++) {
        ph_newton_report report;
        double s = 0.001 * i, x = s, r, scale, last;
        tk_ok(ph_newton(&eq, s, 20, &x, &work, &report));
        last = c.at;
        ck_assert_int_eq(report.latest, x == last);
        others += x != last;
        tk_ok(curve_residual(&c, s, &x, &r, &scale));
        ck_assert_double_eq(fabs(r) / scale / 0x1p-52, report.residual);
    }
    ck_assert_int_gt(others, 0);
}

typedef struct parabola {
    double constant, at;
} parabola;

static ph_status parabola_residual(void *self, double s, const double *x, double *r, double *scale)
{
    parabola *c = self;
    (void)s;
    c->at = *x;
    *r = *x * *x + c->constant;
    *scale = *x * *x + fabs(c->constant);
    return PH_OK;
}

static ph_status parabola_jacobian(void *self, double *J)
{
    const parabola *c = self;
    *J = 2 * c->at;
    return PH_OK;
}

/* x - 1, of terms a thousand times as large. */
static ph_status faint_residual(void *self, double s, const double *x, double *r, double *scale)
{
    (void)self, (void)s;
    *r = *x - 1;
    *scale = 1000;
    return PH_OK;
}

static ph_status faint_jacobian(void *self, double *J)
{
    (void)self;
    *J = 1;
    return PH_OK;
}

/* The error of a guess is corrected, although its residual is below rounding. */
TEST(nothing_of_the_guess_is_left)
{
    ph_equations eq = {.n = 1, .size = 1, .residual = faint_residual, .jacobian = faint_jacobian};
    ph_newton_report report;
    double x = 1 + 1e-14;
    ph_newton_lay(&work, 1, doubles, ints);
    tk_ok(ph_newton(&eq, 1, PH_NEWTON_MAX_PASSES, &x, &work, &report));
    ck_assert_double_eq(x, 1);
    ck_assert_int_eq(report.passes, 1);
}

/* A residual that no longer decreases is success at rounding level only: x^2 + 1 has no root, and all its
 * residuals are as large as their terms; that of x^2 - 2 stagnates at rounding level. */
TEST_EACH(standing_still_is_no_success, 8)
{
    static const double starts[] = {0.1, 1, 1.7, 30};
    parabola c = {.constant = _i % 2 ? 1 : -2};
    ph_equations eq = {
        .n = 1, .size = 1, .self = &c, .residual = parabola_residual, .jacobian = parabola_jacobian};
    ph_newton_report report;
    double x = starts[_i / 2];
    ph_newton_lay(&work, 1, doubles, ints);
    ph_status status = ph_newton(&eq, 1, PH_NEWTON_MAX_PASSES, &x, &work, &report);
    if (_i % 2) {
        ck_assert_msg(status == PH_E_NO_CONVERGENCE || status == PH_E_SINGULAR, "%s", ph_status_name(status));
    } else {
        tk_ok(status);
        ck_assert_double_eq_tol(x, M_SQRT2, 1e-15);
    }
}

/* On a straight branch the prediction is the solution; a first correction of half the move is too large. */
TEST(branch_predicts_and_looks)
{
    for (int bent = 0; bent < 2; bent++) {
        curve c = {.bend = 0.5 * bent};
        ph_equations eq = equations(&c);
        ph_newton_report report;
        double x = 0, reached;
        tk_ok(ph_follow_branch(&eq, &x, &work, &report, &reached));
        ck_assert_double_eq(x, 1 + c.bend);
        if (bent)
            ck_assert_int_gt(c.derivatives, 2);
        else
            ck_assert_int_eq(report.passes, 0);
    }
}

/* ---- Curves with a fold or a bend ---------------------------------------------------------------- */

/* R = c(x) - s with c(0) = 0: the branch from x = 0 is s = c(x) up to the first maximum of c. */
typedef struct hill {
    double step, bow, width; /* c = x + (step + bow (x - 1)^2) (a smooth step at x = 1/2 of that width) */
    double at;
} hill;

static double smooth_step(const hill *c, double x)
{
    return 1 / (1 + exp(-2 * (x - 0.5) / c->width));
}

static double hill_at(const hill *c, double x)
{
    return x + (c->step + c->bow * (x - 1) * (x - 1)) * smooth_step(c, x);
}

static ph_status hill_residual(void *self, double s, const double *x, double *r, double *scale)
{
    hill *c = self;
    double offset = hill_at(c, 0);
    *r = hill_at(c, *x) - offset - s;
    *scale = fabs(*x) + fabs(s) + fabs(c->step);
    c->at = *x;
    return PH_OK;
}

static ph_status hill_jacobian(void *self, double *J)
{
    const hill *c = self;
    double S = smooth_step(c, c->at), away = c->at - 1;
    *J = 1 + 2 * c->bow * away * S + (c->step + c->bow * away * away) * S * (1 - S) * 2 / c->width;
    return PH_OK;
}

static ph_status hill_derivative(void *self, double *rs)
{
    (void)self;
    *rs = -1;
    return PH_OK;
}

/* The branch turns back near x = 1/2, and the whole step in s leads to another one beyond, with a Jacobian
 * much like that at the start. It is detected because Newton does not contract fast from the predictor: the
 * first correction is |step|, the second 2 bow |step| / 2 of that, or a little less, which is above 0.05. */
TEST_EACH(a_slow_contraction_is_another_branch, 3)
{
    static const hill hills[] = {{-0.22, 0.4, 0.03, 0}, {-0.2, 0.45, 0.03, 0}, {-0.22, 0.4, 0.01, 0}};
    hill c = hills[_i];
    ph_equations eq = {.n = 1,
                       .size = 1,
                       .self = &c,
                       .residual = hill_residual,
                       .jacobian = hill_jacobian,
                       .parameter_derivative = hill_derivative};
    ph_newton_report report;
    double x = 0, reached = NAN, fold = 0, least = 1;
    ph_newton_lay(&work, 1, doubles, ints);
    for (int i = 0; i <= 5000; i++) { /* up to x = 1/2, by the definition */
        fold = fmax(fold, hill_at(&c, 1e-4 * i) - hill_at(&c, 0));
        least = fmin(least, hill_at(&c, 1e-4 * i) - fold);
    }
    ck_assert_double_lt(fold, 0.5);
    ck_assert_double_lt(least, -1e-3); /* it does turn back before */
    ck_assert_int_eq(ph_follow_branch(&eq, &x, &work, &report, &reached), PH_E_NO_SOLUTION);
    ck_assert_double_eq_tol(reached, fold, 1e-6); /* of the scan: its points are 1e-4 apart */
}

/* x = s + 1 - exp(-s/width): very steep at first, then straight. */
typedef struct layer {
    double width, s;
    int derivatives;
} layer;

static ph_status layer_residual(void *self, double s, const double *x, double *r, double *scale)
{
    layer *c = self;
    double right = s - expm1(-s / c->width);
    c->s = s;
    *r = *x - right;
    *scale = fabs(*x) + fabs(right);
    return PH_OK;
}

static ph_status layer_jacobian(void *self, double *J)
{
    (void)self;
    *J = 1;
    return PH_OK;
}

static ph_status layer_derivative(void *self, double *rs)
{
    layer *c = self;
    c->derivatives++;
    *rs = -1 - exp(-c->s / c->width) / c->width;
    return PH_OK;
}

/* The steps in s, small in the layer, grow again behind it: their number goes with the logarithm of the
 * width. At the layer's step, at most `width` (the tangent there leads past the layer's height 1 otherwise),
 * it would be above 1/width. */
TEST_EACH(steps_grow_again, 3)
{
    static const double widths[] = {1e-3, 1e-5, 1e-7};
    layer c = {.width = widths[_i]};
    ph_equations eq = {.n = 1,
                       .size = 1,
                       .self = &c,
                       .residual = layer_residual,
                       .jacobian = layer_jacobian,
                       .parameter_derivative = layer_derivative};
    ph_newton_report report;
    double x = 0;
    ph_newton_lay(&work, 1, doubles, ints);
    tk_ok(ph_follow_branch(&eq, &x, &work, &report, NULL));
    ck_assert_double_eq_tol(x, 2, 1e-15);
    printf("layer of width %g: %d points\n", c.width, c.derivatives);
    ck_assert_int_le(c.derivatives, 20 + (int)(2 * log2(1 / c.width)));
}

int main(void)
{
    return tk_run("solver");
}
