/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of derivatives, for people who write a model: in each callback of a system with an inertia each
 * common mistake is found, located and named; correct callbacks pass; failures are reported. */
#include "tests/system/mistakes.h"

/* ---- Constant inertia: gradient of U, df/dzdot, on S^2 x R^3 ------------------------------------- */

/* U = exp(-z.K z / 8) + z_0 */
static ph_status potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = exp(-apply_form(K_, z, z) / 8) + z[0];
    return PH_OK;
}

static void true_gradient(const double *z, double *dU)
{
    double factor = -exp(-apply_form(K_, z, z) / 8) / 4;
    apply_matrix(K_, 0, z, dU);
    for (size_t i = 0; i < NZ; i++)
        dU[i] = factor * dU[i] + (i == 0);
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const faults *f = user;
    true_gradient(z, dU);
    if (f->of == PH_DERIVATIVE_POTENTIAL)
        spoil(f->how, NZ, 1, 3, dU);
    return PH_OK;
}

/* f = -(1 + |v|^2) G v */
static ph_status force(void *user, double t, const double *z, const double *v, double *out)
{
    double Gv[NZ], square = 1;
    (void)user, (void)t, (void)z;
    apply_matrix(G_, 0, v, Gv);
    for (size_t i = 0; i < NZ; i++)
        square += v[i] * v[i];
    for (size_t i = 0; i < NZ; i++)
        out[i] -= square * Gv[i];
    return PH_OK;
}

static void true_force_dv(const double *v, double *dfdv)
{
    double Gv[NZ], square = 1;
    apply_matrix(G_, 0, v, Gv);
    for (size_t i = 0; i < NZ; i++)
        square += v[i] * v[i];
    for (size_t i = 0; i < NZ * NZ; i++)
        dfdv[i] = -square * G_(i / NZ, i % NZ) - 2 * Gv[i / NZ] * v[i % NZ];
}

static ph_status force_dv(void *user, double t, const double *z, const double *v, double *dfdv)
{
    const faults *f = user;
    double own[NZ * NZ];
    (void)t, (void)z;
    true_force_dv(v, own);
    if (f->of == PH_DERIVATIVE_FORCE_DV)
        spoil(f->how, NZ, NZ, 8, own);
    for (size_t i = 0; i < NZ * NZ; i++)
        dfdv[i] += own[i];
    return PH_OK;
}

/* (z . v) v_0 ... : one row A = (K z + sin t e_0), and one that does not depend on z; b = exp(z_1). */
static ph_status constraint(void *user, double t, const double *z, double *A, double *b)
{
    (void)user;
    apply_matrix(K_, 0, z, A);
    A[0] += sin(t);
    A[NZ + 1] = 1;
    b[0] = exp(z[1]);
    return PH_OK;
}

static ph_status constraint_along(void *user, double t, const double *z, const double *v, double dt,
                                  const double *dz, double *rate)
{
    const faults *f = user;
    double row[NZ];
    apply_matrix(K_, 0, dz, row);
    row[0] += cos(t) * dt;
    rate[0] = -exp(z[1]) * dz[1];
    for (size_t i = 0; i < NZ; i++)
        rate[0] += row[i] * v[i];
    if (f->of == PH_DERIVATIVE_CONSTRAINT && f->how == SIGN)
        rate[0] = -rate[0];
    if (f->of == PH_DERIVATIVE_CONSTRAINT && f->how == FACTOR)
        rate[0] -= cos(t) * dt * v[0]; /* the time is forgotten */
    return PH_OK;
}

static const double unit_inertia[4] = {1, 0, 0, 1};

TEST_EACH(gradient_of_the_potential, MISTAKES - 1)
{
    const int how = mistake_without_transpose(_i);
    faults f = {PH_DERIVATIVE_POTENTIAL, (mistake)how, false};
    ph_system_definition d = {.inertia = unit_inertia, .potential = potential, .gradient = gradient};
    double dU[NZ];
    ph_derivative_report r = report_of(&d, &f);
    const ph_derivative_entry *e = judge_report(&r, &f);
    ck_assert_uint_eq(r.n, 1);
    if (!e)
        return;
    true_gradient(z0, dU);
    ck_assert_uint_lt(e->row, NZ);
    ck_assert_uint_eq(e->column, PH_NO_INDEX);
    ck_assert_double_eq_tol(e->expected, dU[e->row], 1e-10);
    gradient(&f, z0, dU);
    ck_assert_double_eq(e->given, dU[e->row]);
    if (how == SIGN_OF_ONE || how == MISSING_ONE)
        ck_assert_uint_eq(e->row, 3);
}

/* A gradient may have any part along q: here it is the derivative of U(q/|q|). */
static ph_status homogeneous(void *user, const double *z, double *dU)
{
    const faults *f = user;
    true_gradient(z, dU);
    double along = ph_dot3(z, dU);
    for (size_t i = 0; i < 3; i++)
        dU[i] -= along * z[i];
    for (size_t i = 0; i < NZ; i++)
        dU[i] *= f->how == SIGN ? -1 : f->how == FACTOR ? 0.5 : 1;
    return PH_OK;
}

TEST_EACH(normal_part_is_free, 3)
{
    static const mistake kinds[] = {RIGHT, SIGN, FACTOR};
    faults f = {PH_DERIVATIVE_POTENTIAL, kinds[_i], false};
    ph_system_definition d = {.inertia = unit_inertia, .potential = potential, .gradient = homogeneous};
    ph_derivative_report r = report_of(&d, &f);
    judge_report(&r, &f);
}

TEST_EACH(derivative_of_the_force, MISTAKES)
{
    faults f = {PH_DERIVATIVE_FORCE_DV, (mistake)_i, false};
    ph_system_definition d = {.inertia = unit_inertia, .force = force, .force_dv = force_dv};
    double right[NZ * NZ];
    ph_derivative_report r = report_of(&d, &f);
    const ph_derivative_entry *e = judge_report(&r, &f);
    if (!e)
        return;
    true_force_dv(v0, right);
    ck_assert_uint_eq(e->along, PH_NO_INDEX);
    ck_assert_double_eq_tol(e->expected, right[e->row * NZ + e->column], 1e-8);
    spoil(f.how, NZ, NZ, 8, right);
    ck_assert_double_eq(e->given, right[e->row * NZ + e->column]);
    if (_i == SIGN_OF_ONE || _i == MISSING_ONE) {
        ck_assert_uint_eq(e->row, 1);
        ck_assert_uint_eq(e->column, 2);
    }
}

TEST(force_that_hides_its_velocity)
{
    faults f = {PH_DERIVATIVE_ENTRIES, RIGHT, false};
    ph_system_definition d = {.inertia = unit_inertia, .force = force, .force_ignores_velocity = true};
    ph_derivative_report r = report_of(&d, &f);
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_FORCE_DV);
    ck_assert_ptr_nonnull(e);
    ck_assert_double_gt(e->error, 0.1);
    ck_assert_ptr_nonnull(strstr(e->mistake, "force_ignores_velocity"));
    d.force_ignores_velocity = false; /* now the library takes differences, which cannot be wrong */
    r = report_of(&d, &f);
    ck_assert_uint_eq(r.n, 0);
}

/* On top of a base with a wrong derivative. */
TEST(forces_of_the_base)
{
    faults f = {PH_DERIVATIVE_FORCE_DV, SIGN, true}, none = {PH_DERIVATIVE_ENTRIES, RIGHT, true};
    ph_system_definition d = {.inertia = unit_inertia, .force = force, .force_dv = force_dv},
                         added = {.force = force, .user = &none};
    TK_OWN(ph_system) *base = create_faulty(&d, &f), *system = NULL;
    ph_derivative_report r;
    tk_ok(ph_system_create_forced(base, &added, &system, NULL));
    tk_ok(ph_system_check_derivatives(system, 0, z0, v0, &r, NULL));
    ck_assert_uint_eq(r.n, 1);
    ck_assert_double_gt(r.entry[0].error, 0.1);
}

/* With a large constant in U its differences are inaccurate; relative to U that is no error, but a wrong sign
 * is. */
static ph_status high_potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = 1e6 + 2 * z[2];
    return PH_OK;
}

static ph_status high_gradient(void *user, const double *z, double *dU)
{
    const faults *f = user;
    (void)z;
    memset(dU, 0, NZ * sizeof *dU);
    dU[2] = f->how == SIGN ? -2 : 2;
    return PH_OK;
}

TEST_EACH(rounding_is_no_error, 2)
{
    faults f = {PH_DERIVATIVE_POTENTIAL, _i ? SIGN : RIGHT, false};
    ph_system_definition d = {
        .inertia = unit_inertia, .potential = high_potential, .gradient = high_gradient};
    ph_derivative_report r = report_of(&d, &f);
    if (_i)
        ck_assert_double_gt(r.entry[0].error, 1e-3);
    else
        ck_assert_double_le(r.entry[0].error, 1e-10);
}

/* The differences of the force are as wide as the velocity asks, fast or slow. */
TEST_EACH(velocities_of_any_size, 4)
{
    static const double speeds[] = {1e-6, 1, 1e6, 1e12};
    faults f = {PH_DERIVATIVE_FORCE_DV, RIGHT, false};
    ph_system_definition d = {.inertia = unit_inertia, .force = force, .force_dv = force_dv};
    TK_OWN(ph_system) *system = create_faulty(&d, &f);
    ph_derivative_report r;
    double v[NZ];
    for (size_t i = 0; i < NZ; i++)
        v[i] = speeds[_i] * v0[i];
    for (int wrong = 0; wrong < 2; wrong++) {
        f.how = wrong ? SIGN : RIGHT;
        tk_ok(ph_system_check_derivatives(system, 0, z0, v, &r, NULL));
        judge_report(&r, &f);
    }
}

/* ---- Inertia that depends on the configuration --------------------------------------------------- */

/* M_ij = (3 on the diagonal) + cos(a_ij . z), a_ij symmetric in i and j; m rows */
static double phase(size_t i, size_t j, size_t k)
{
    return 0.3 + 0.2 * sin((double)(1 + k + 3 * (i + j) + 2 * i * j));
}

static void true_inertia(size_t m, const double *z, double *M, double *dM)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            double angle = 0;
            for (size_t k = 0; k < NZ; k++)
                angle += phase(i, j, k) * z[k];
            if (M)
                M[i * m + j] = (i == j ? 8 : 0) + cos(angle);
            for (size_t k = 0; dM && k < NZ; k++)
                dM[(i * m + j) * NZ + k] = -sin(angle) * phase(i, j, k);
        }
}

/* Wrong orders of the indices of dM, in addition to the mistakes above. */
enum { Z_FIRST = MISTAKES, Z_SECOND, LAYOUTS };

static void spoil_inertia_dz(int how, size_t m, double *dM)
{
    double kept[NZ * 36];
    memcpy(kept, dM, m * m * NZ * sizeof *dM);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k < NZ; k++) {
                double value = kept[(i * m + j) * NZ + k];
                if (how == Z_FIRST)
                    dM[(k * m + i) * m + j] = value;
                else if (how == Z_SECOND)
                    dM[(i * NZ + k) * m + j] = value;
            }
    if (how < MISTAKES)
        spoil((mistake)how, m * m, NZ, 4, dM);
}

static ph_status pairs(void *user, const double *z, double *M)
{
    const faults *f = user;
    true_inertia(2, z, M, NULL);
    if (f->now && f->of == PH_DERIVATIVE_INERTIA)
        M[1] = 0;
    return PH_OK;
}

static ph_status pairs_dz(void *user, const double *z, double *dM)
{
    const faults *f = user;
    true_inertia(2, z, NULL, dM);
    if (f->of == PH_DERIVATIVE_INERTIA_DZ)
        spoil_inertia_dz((int)f->how, 2, dM);
    if (f->of == PH_DERIVATIVE_INERTIA)
        memset(dM + NZ, 0, NZ * sizeof *dM);
    return PH_OK;
}

static ph_status full(void *user, const double *z, double *M)
{
    const faults *f = user;
    true_inertia(NZ, z, M, NULL);
    for (size_t i = 0; f->now && f->of == PH_DERIVATIVE_REGULAR && i < NZ * NZ; i++) {
        size_t row = i / NZ, column = i % NZ; /* the second vector's inertia: of rank 2, or negative */
        if (row > 2 || column > 2)
            M[i] = row != column ? 0 : f->how == MISSING ? row != 3 : -1;
    }
    return PH_OK;
}

static ph_status full_dz(void *user, const double *z, double *dM)
{
    const faults *f = user;
    true_inertia(NZ, z, NULL, dM);
    if (f->of == PH_DERIVATIVE_INERTIA_DZ)
        spoil_inertia_dz((int)f->how, NZ, dM);
    for (size_t i = 0; f->of == PH_DERIVATIVE_REGULAR && i < NZ * NZ; i++)
        if (i / NZ > 2 || i % NZ > 2)
            memset(dM + i * NZ, 0, NZ * sizeof *dM);
    return PH_OK;
}

TEST_EACH(derivative_of_the_inertia, 2 * (LAYOUTS - 1))
{
    bool by_pairs = _i % 2;
    int how = mistake_without_transpose(_i / 2); /* a transposed table is the layout with z first */
    size_t m = by_pairs ? 2 : NZ;
    double right[NZ * 36];
    faults f = {PH_DERIVATIVE_INERTIA_DZ, (mistake)how, false};
    ph_system_definition d = {.inertia_at = by_pairs ? pairs : NULL,
                              .ambient_inertia_at = by_pairs ? NULL : full,
                              .inertia_dz = by_pairs ? pairs_dz : full_dz};
    ph_derivative_report r = report_of(&d, &f);
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_INERTIA_DZ);
    ck_assert_uint_eq(r.n, how ? 2 : 3); /* and symmetry; where all is right, regularity */
    if (how < MISTAKES)
        judge_report(&r, &f);
    else
        ck_assert_str_eq(e->mistake,
                         how == Z_FIRST
                             ? "order of the indices: the coordinate z_k comes first, and should come last"
                             : "order of the indices: the coordinate z_k comes second, and should come last");
    true_inertia(m, z0, NULL, right);
    if (how)
        ck_assert_double_eq_tol(e->expected, right[(e->row * m + e->column) * NZ + e->along], 1e-10);
    spoil_inertia_dz(how, m, right);
    ck_assert_double_eq(e->given, right[(e->row * m + e->column) * NZ + e->along]);
    if (how == SIGN_OF_ONE) {
        ck_assert_uint_eq(e->row, 0);
        ck_assert_uint_eq(e->column, 0);
        ck_assert_uint_eq(e->along, 4);
    }
}

TEST(inertia_that_is_not_symmetric)
{
    faults f = {PH_DERIVATIVE_INERTIA, RIGHT, false};
    ph_system_definition d = {.inertia_at = pairs, .inertia_dz = pairs_dz};
    ph_derivative_report r = report_of(&d, &f);
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_INERTIA);
    ck_assert_double_gt(e->error, 1e-3);
    ck_assert_uint_eq(e->row, 0);
    ck_assert_uint_eq(e->column, 1);
    ck_assert_str_eq(e->mistake, "entry (0, 1) and entry (1, 0) differ: the first is missing");
}

TEST_EACH(inertia_that_is_not_positive, 2)
{
    static const char *const said[] = {
        "the inertia is singular on tangent vectors: some velocities have no inertia",
        "the inertia is not positive definite on tangent vectors"};
    faults f = {PH_DERIVATIVE_REGULAR, _i ? SIGN : MISSING, false};
    ph_system_definition d = {.ambient_inertia_at = full, .inertia_dz = full_dz};
    ph_derivative_report r = report_of(&d, &f);
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_REGULAR);
    ck_assert_double_eq(e->error, 1);
    ck_assert_str_eq(e->mistake, said[_i]);
    if (_i)
        ck_assert_double_gt(e->given, 0.1);
    else
        ck_assert_double_eq(e->given, 0);
}

/* ---- Failures ------------------------------------------------------------------------------------ */

/* ln of 1 + 20 x_0, which ends 0.05 below x_0 = 0; its gradient is no number where the fault says so. */
static ph_status narrow(void *user, const double *z, double *U)
{
    const faults *f = user;
    if (1 + 20 * (z[3] - z0[3]) <= 0)
        return PH_E_RANGE;
    *U = f->how == MISSING ? NAN : log(1 + 20 * (z[3] - z0[3]));
    return PH_OK;
}

static ph_status narrow_gradient(void *user, const double *z, double *dU)
{
    const faults *f = user;
    if (f->how == SIGN)
        return PH_E_SINGULAR;
    memset(dU, 0, NZ * sizeof *dU);
    dU[3] = f->how == FACTOR ? NAN : 20 / (1 + 20 * (z[3] - z0[3]));
    return PH_OK;
}

TEST(functions_that_end_nearby)
{
    faults f = {PH_DERIVATIVE_POTENTIAL, RIGHT, false};
    ph_system_definition d = {.inertia = unit_inertia, .potential = narrow, .gradient = narrow_gradient};
    ph_derivative_report r = report_of(&d, &f);
    judge_report(&r, &f);
}

TEST_EACH(failures_are_passed_on, 3)
{
    static const struct {
        mistake how;
        ph_status status;
        const char *said;
    } cases[] = {{SIGN, PH_E_SINGULAR, "a callback of the system failed"},
                 {FACTOR, PH_E_NOT_FINITE, "gradient of the potential is not finite: a number in row 3"},
                 {MISSING, PH_E_NOT_FINITE, ""}};
    faults f = {PH_DERIVATIVE_POTENTIAL, cases[_i].how, false};
    ph_system_definition d = {.inertia = unit_inertia, .potential = narrow, .gradient = narrow_gradient};
    TK_OWN(ph_system) *system = create_faulty(&d, &f);
    ph_derivative_report r;
    tk_refused(ph_system_check_derivatives(system, 0, z0, v0, &r, tk_err), cases[_i].status, cases[_i].said);
}

/* The derivative of velocity constraints: right, of the wrong sign, without the time, by differences. */
TEST(derivative_of_the_constraint)
{
    static const mistake how[] = {RIGHT, SIGN, FACTOR};
    for (int i = 0; i < 4; i++) {
        faults f = {i == 3 ? PH_DERIVATIVE_ENTRIES : PH_DERIVATIVE_CONSTRAINT, i == 3 ? RIGHT : how[i],
                    false};
        ph_system_definition d = {.inertia = unit_inertia,
                                  .constraint = constraint,
                                  .constraint_along = i == 3 ? NULL : constraint_along,
                                  .n_constraints = 2};
        ph_derivative_report r = report_of(&d, &f);
        const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_CONSTRAINT);
        ck_assert_ptr_nonnull(e);
        if (i == 0 || i == 3) {
            ck_assert_double_le(e->error, 1e-9);
            continue;
        }
        ck_assert_double_ge(e->error, 1e-3);
        ck_assert_uint_eq(e->row, 0);
        if (i == 1)
            ck_assert_msg(strstr(e->mistake, "sign") != NULL, "%s", e->mistake);
        else
            ck_assert_uint_eq(e->column, 5); /* behind the directions of S^2 x R^3: time */
    }
}

int main(void)
{
    return tk_run("derivatives");
}
