/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of derivatives of constraints and projections: each common mistake is found, located and named. */
#include "tests/system/mistakes.h"

/* ---- Embedded manifolds -------------------------------------------------------------------------- */

/* Second factor after a plane: x in R^4 with
 *     g_1 = x_1^2 + 2 x_2^2 + 3 x_3^2 + 4 x_4^2 - 7,      g_2 = x_1 x_2 x_3 - x_4/2;
 * in place of g_2 twice g_1 where the rank is to fail. */
static const double x4[4] = {1, 1.1, 0.7, 0.7};

static ph_status surface(void *user, const double *x, double *g)
{
    const faults *f = user;
    g[0] = -7;
    for (int k = 0; k < 4; k++)
        g[0] += (k + 1) * x[k] * x[k];
    if (fabs(g[0]) > 5)
        return PH_E_RANGE; /* no callback should be called so far away */
    g[1] = f->of == PH_DERIVATIVE_RANK ? 2 * g[0] : x[0] * x[1] * x[2] - x[3] / 2;
    return PH_OK;
}

static ph_status surface_jacobian(void *user, const double *x, double *A)
{
    const faults *f = user;
    for (int k = 0; k < 4; k++) {
        A[k] = 2 * (k + 1) * x[k];
        A[4 + k] = f->of == PH_DERIVATIVE_RANK ? 2 * A[k] : k == 3 ? -0.5 : x[(k + 1) % 3] * x[(k + 2) % 3];
    }
    if (f->of == PH_DERIVATIVE_JACOBIAN)
        spoil(f->how, 2, 4, 2, A);
    return PH_OK;
}

static ph_status surface_bend(void *user, const double *x, const double *v, double *dA)
{
    const faults *f = user;
    for (int k = 0; k < 4; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        dA[k] = 2 * (k + 1) * v[k];
        dA[4 + k] = f->of == PH_DERIVATIVE_RANK ? 2 * dA[k] : k == 3 ? 0 : x[i] * v[j] + v[i] * x[j];
    }
    if (f->of == PH_DERIVATIVE_BEND)
        spoil(f->how, 2, 4, 2, dA);
    return PH_OK;
}

/* The sphere by its projection I - x x^T / |x|^2, with what is asked for wrong about it. */
static ph_status projection(void *user, const double *x, double *P)
{
    const faults *f = user;
    double square = ph_dot3(x, x);
    bool spoilt = f->of == PH_DERIVATIVE_PROJECTION;
    for (int i = 0; i < 9; i++)
        P[i] = (i % 4 == 0) - x[i / 3] * x[i % 3] / square;
    for (int i = 0; i < 9 && spoilt; i++)
        P[i] = f->how == SIGN     ? (i % 4 == 0) - P[i] /* that on the normal */
               : f->how == FACTOR ? 0.9 * P[i]
                                  : P[i];
    if (spoilt && f->how == SWAPPED)
        P[1] += 0.1;
    return PH_OK;
}

static ph_status projection_along(void *user, const double *x, const double *v, double *dP)
{
    const faults *f = user;
    double square = ph_dot3(x, x), along = 2 * ph_dot3(x, v) / square;
    for (int i = 0; i < 9; i++)
        dP[i] = (x[i / 3] * x[i % 3] * along - v[i / 3] * x[i % 3] - x[i / 3] * v[i % 3]) / square;
    if (f->of == PH_DERIVATIVE_PROJECTION_ALONG)
        spoil(f->how, 3, 3, 1, dP);
    return PH_OK;
}

static ph_status slope(void *user, const double *z, double *U)
{
    (void)user;
    *U = z[0] + z[2] + 2 * z[3];
    return PH_OK;
}

/* On R^2 x R^4 there is a sixth coordinate, on R^2 x R^3 a fifth. */
static ph_status slope_gradient(void *user, const double *z, double *dU)
{
    const faults *f = user;
    (void)z;
    memset(dU, 0, (f->now ? 6 : 5) * sizeof *dU);
    dU[0] = dU[2] = 1;
    dU[3] = 2;
    return PH_OK;
}

/* What is found out about a particle on R^2 and that manifold. */
static ph_derivative_report manifold_report(faults *f, bool constraints)
{
    ph_embedding e = {.name = "surface", .n = constraints ? 4 : 3, .dimension = 2, .user = f};
    if (constraints) {
        e.constraint = surface;
        e.jacobian = surface_jacobian;
        e.bend = surface_bend;
    } else {
        e.projection = projection;
        e.projection_along = projection_along;
    }
    const ph_factor factors[] = {{.kind = PH_FACTOR_R, .d = 2},
                                 {.kind = PH_FACTOR_EMBEDDED, .embedding = &e}};
    double MM[36] = {0}, z[6] = {3, 4}, v[6] = {1, 2, 0, 0.7, -0.3};
    const faults wanted = *f;
    size_t nz = 2 + e.n;
    ph_derivative_report r;
    *f = (faults){PH_DERIVATIVE_ENTRIES, RIGHT, constraints}; /* until there is a system */
    TK_MAKE(ph_space, space, ph_space_create(factors, 2, &space, tk_err));
    for (size_t i = 0; i < nz; i++)
        MM[i * (nz + 1)] = 1;
    memcpy(z + 2, x4, e.n * sizeof *z);
    if (constraints)
        tk_ok(ph_space_project(space, z));
    ph_space_project_tangent(space, z, v);
    ph_system_definition d = {
        .space = space, .ambient_inertia = MM, .potential = slope, .gradient = slope_gradient, .user = f};
    TK_MAKE(ph_system, system, ph_system_create(&d, &system, tk_err));
    *f = wanted;
    f->now = constraints;
    tk_ok(ph_system_check_derivatives(system, 0, z, v, &r, tk_err));
    return r;
}

TEST_EACH(derivatives_of_constraints, 2 * MISTAKES)
{
    static const ph_derivative all[] = {PH_DERIVATIVE_JACOBIAN, PH_DERIVATIVE_BEND};
    int how = _i % MISTAKES;
    faults f = {all[_i / MISTAKES], (mistake)how, true};
    ph_derivative_report r = manifold_report(&f, true);
    const ph_derivative_entry *e = judge_report(&r, &f);
    ck_assert_uint_eq(r.n, !e ? 5 : _i < MISTAKES ? 1 : 3); /* nothing that depends on the mistake */
    if (!e)
        return;
    ck_assert_uint_eq(e->factor, 1);
    if (how == SIGN_OF_ONE || how == MISSING_ONE) {
        ck_assert_uint_eq(e->row, 0);
        ck_assert_uint_eq(e->column, 2);
    }
}

TEST(constraints_that_depend_on_each_other)
{
    faults f = {PH_DERIVATIVE_RANK, SIGN, true};
    ph_derivative_report r = manifold_report(&f, true);
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_RANK);
    ck_assert_str_eq(e->mistake,
                     "the Jacobian of factor 2 (surface) has rank 1 of 2: constraints depend on each other");
    ck_assert_double_eq(e->error, 1);
    ck_assert_double_eq(e->given, 1);
    ck_assert_double_le(ph_derivative_report_entry(&r, PH_DERIVATIVE_JACOBIAN)->error, 1e-9);
}

TEST_EACH(projections, 4)
{
    static const struct {
        mistake how;
        const char *said;
    } cases[] = {{RIGHT, ""},
                 {SIGN, "of the wrong rank: 1, but the dimension is 2"},
                 {FACTOR, "not idempotent"},
                 {SWAPPED, "not symmetric"}};
    faults f = {PH_DERIVATIVE_PROJECTION, cases[_i].how, true};
    ph_derivative_report r = manifold_report(&f, false);
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_PROJECTION);
    ck_assert_int_eq(strncmp(e->mistake, cases[_i].said, strlen(cases[_i].said)), 0);
    ck_assert(_i ? e->error > 0.01 : e->error <= 1e-9 && !e->mistake[0]);
    ck_assert_uint_eq(r.n, _i ? 1 : 4);
    ck_assert_uint_eq(e->factor, 1);
}

TEST_EACH(derivative_of_the_projection, MISTAKES - 1)
{
    faults f = {PH_DERIVATIVE_PROJECTION_ALONG, (mistake)mistake_without_transpose(_i), true};
    ph_derivative_report r = manifold_report(&f, false);
    judge_report(&r, &f);
}

int main(void)
{
    return tk_run("derivatives: embedded manifolds");
}
