/* SPDX-License-Identifier: BSD-3-Clause */
/* Newton's iteration and the following of a branch, by their own interface, on curves that are known. */
#include "testkit.h"

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

/* What is returned has the residual that is reported, and `latest` says whether it was looked at last. */
START_TEST(newton_returns_its_best)
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
END_TEST

/* On a straight branch the prediction is the solution; a first correction of half the move is too large. */
START_TEST(branch_predicts_and_looks)
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
END_TEST

int main(void)
{
    Suite *suite = suite_create("solver");
    TCase *tc = tcase_create("solver");
    tcase_add_test(tc, newton_returns_its_best);
    tcase_add_test(tc, branch_predicts_and_looks);
    suite_add_tcase(suite, tc);
    return tk_main(suite);
}
