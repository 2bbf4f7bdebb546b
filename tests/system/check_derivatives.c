/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks for people who write a model: in each callback each common mistake is found, located and named;
 * correct callbacks pass; conditions that a Lagrangian violates are named; and the fastest rate of a hanging
 * chain is that given by the Laguerre polynomial. */
#include "tests/kit/testkit.h"

#include <complex.h>

/* ---- Mistakes ------------------------------------------------------------------------------------ */

typedef enum mistake {
    RIGHT,
    SIGN,
    SIGN_OF_ONE,
    FACTOR,
    MISSING,
    MISSING_ONE,
    TRANSPOSED,
    SWAPPED,
    SHIFTED,
    MISTAKES
} mistake;

/* What the report must say of each. */
static const char *const words[MISTAKES] = {
    [RIGHT] = "",
    [SIGN] = "the sign of all entries is wrong",
    [SIGN_OF_ONE] = "the sign of this entry is wrong",
    [FACTOR] = "a factor: all entries should be divided by 0.5",
    [MISSING] = "missing: 0 is given in all entries",
    [MISSING_ONE] = "missing: 0 is given in this entry",
    [TRANSPOSED] = "transposed",
    [SWAPPED] = "an index: it is swapped with",
    [SHIFTED] = "shifted: what belongs to the next row stands in each",
};

/* Which derivative is wrong, and how. */
typedef struct faults {
    ph_derivative of;
    mistake how;
    bool now; /* false while the system is made, which looks at some things, too */
} faults;

/* A table (rows x columns) spoiled in place; at: the one entry, where there is only one. */
static void spoil(mistake how, size_t rows, size_t columns, size_t at, double *a)
{
    size_t n = rows * columns;
    double kept[6 * 36];
    ck_assert_uint_le(n, sizeof kept / sizeof kept[0]);
    memcpy(kept, a, n * sizeof *a);
    for (size_t i = 0; i < n; i++)
        a[i] *= how == SIGN ? -1 : how == FACTOR ? 0.5 : how == MISSING ? 0 : 1;
    if (how == SIGN_OF_ONE)
        a[at] = -a[at];
    if (how == MISSING_ONE)
        a[at] = 0;
    for (size_t i = 0; i < n && how == TRANSPOSED; i++)
        a[i % columns * rows + i / columns] = kept[i];
    if (how == SWAPPED) {
        a[at] = kept[at + 1];
        a[at + 1] = kept[at];
    }
    for (size_t i = 0; i + columns < n && how == SHIFTED; i++)
        a[i] = kept[i + columns];
}

/* Returns the one wrong entry of the report, with the expected name; all others are right to 1e-9. */
static const ph_derivative_entry *judge(const ph_derivative_report *r, const faults *f)
{
    const ph_derivative_entry *found = NULL;
    for (size_t i = 0; i < r->n; i++) {
        const ph_derivative_entry *e = &r->entry[i];
        ck_assert_ptr_eq(ph_derivative_report_entry(r, e->what), e);
        if (e->what == f->of && f->how) {
            ck_assert_msg(e->error > 1e-3, "%s: %g", e->name, e->error);
            ck_assert_msg(strncmp(e->mistake, words[f->how], strlen(words[f->how])) == 0,
                          "%s: \"%s\" is not \"%s\"", e->name, e->mistake, words[f->how]);
            found = e;
        } else {
            ck_assert_msg(e->error <= 1e-9, "%s: off by %g, though it is right", e->name, e->error);
            ck_assert_str_eq(e->mistake, "");
        }
    }
    ck_assert_int_eq(found != NULL, f->how != RIGHT);
    return found;
}

/* The i-th mistake of something that has no transpose: a vector, or a symmetric matrix. */
static int untransposed(int i)
{
    return i < TRANSPOSED ? i : i + 1;
}

/* ---- Constant inertia: gradient of U, df/dzdot, on S^2 x R^3 ------------------------------------- */

enum { NZ = 6 };
static const double z0[NZ] = {0.6, 0, 0.8, 0.3, -0.7, 1.1}, v0[NZ] = {0.8, 1, -0.6, 0.5, 0.2, -0.9};

/* K and C are symmetric and positive definite, G is neither; all entries differ. */
static double K_(size_t i, size_t j)
{
    return i == j ? 2 + 0.3 * (double)i : 0.1 * cos((double)(i * j + i + j));
}

static double C_(size_t i, size_t j)
{
    return i == j ? 1.5 + 0.2 * (double)i : 0.1 * sin((double)(i * j + 2 * (i + j)));
}

static double G_(size_t i, size_t j)
{
    return sin((double)(1 + i + 7 * j));
}

typedef double matrix_fn(size_t i, size_t j);

/* y <- A x; of = 1: the transpose's */
static void times(matrix_fn *A, int of, const double *x, double *y)
{
    for (size_t i = 0; i < NZ; i++) {
        y[i] = 0;
        for (size_t j = 0; j < NZ; j++)
            y[i] += (of ? A(j, i) : A(i, j)) * x[j];
    }
}

static double form(matrix_fn *A, const double *x, const double *y)
{
    double Ay[NZ], sum = 0;
    times(A, 0, y, Ay);
    for (size_t i = 0; i < NZ; i++)
        sum += x[i] * Ay[i];
    return sum;
}

/* U = exp(-z.K z / 8) + z_0 */
static ph_status potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = exp(-form(K_, z, z) / 8) + z[0];
    return PH_OK;
}

static void true_gradient(const double *z, double *dU)
{
    double factor = -exp(-form(K_, z, z) / 8) / 4;
    times(K_, 0, z, dU);
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
    times(G_, 0, v, Gv);
    for (size_t i = 0; i < NZ; i++)
        square += v[i] * v[i];
    for (size_t i = 0; i < NZ; i++)
        out[i] -= square * Gv[i];
    return PH_OK;
}

static void true_force_dv(const double *v, double *dfdv)
{
    double Gv[NZ], square = 1;
    times(G_, 0, v, Gv);
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

/* A system on S^2 x R^3, and what is found out about it at (z0, v0). */
static ph_system *create(ph_system_definition *d, faults *f)
{
    static const ph_factor factors[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_R, .d = 3}};
    ph_space *space;
    ph_system *system;
    ph_error err;
    tk_ok(ph_space_create(factors, 2, &space, NULL));
    d->space = space;
    d->user = f;
    ck_assert_msg(!ph_system_create(d, &system, &err), "%s", err.message);
    ph_space_free(space);
    return system;
}

static ph_derivative_report report_of(ph_system_definition *d, faults *f)
{
    ph_derivative_report r;
    ph_system *system = create(d, f);
    f->now = true;
    tk_ok(ph_system_check_derivatives(system, 0, z0, v0, &r, NULL));
    ph_system_free(system);
    return r;
}

static const double unit_inertia[4] = {1, 0, 0, 1};

START_TEST(gradient_of_the_potential)
{
    const int how = untransposed(_i);
    faults f = {PH_DERIVATIVE_POTENTIAL, (mistake)how, false};
    ph_system_definition d = {.inertia = unit_inertia, .potential = potential, .gradient = gradient};
    double dU[NZ];
    ph_derivative_report r = report_of(&d, &f);
    const ph_derivative_entry *e = judge(&r, &f);
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
END_TEST

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

START_TEST(normal_part_is_free)
{
    static const mistake kinds[] = {RIGHT, SIGN, FACTOR};
    faults f = {PH_DERIVATIVE_POTENTIAL, kinds[_i], false};
    ph_system_definition d = {.inertia = unit_inertia, .potential = potential, .gradient = homogeneous};
    ph_derivative_report r = report_of(&d, &f);
    judge(&r, &f);
}
END_TEST

START_TEST(derivative_of_the_force)
{
    faults f = {PH_DERIVATIVE_FORCE_DV, (mistake)_i, false};
    ph_system_definition d = {.inertia = unit_inertia, .force = force, .force_dv = force_dv};
    double right[NZ * NZ];
    ph_derivative_report r = report_of(&d, &f);
    const ph_derivative_entry *e = judge(&r, &f);
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
END_TEST

START_TEST(force_that_hides_its_velocity)
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
END_TEST

/* On top of a base with a wrong derivative. */
START_TEST(forces_of_the_base)
{
    faults f = {PH_DERIVATIVE_FORCE_DV, SIGN, true}, none = {PH_DERIVATIVE_ENTRIES, RIGHT, true};
    ph_system_definition d = {.inertia = unit_inertia, .force = force, .force_dv = force_dv},
                         added = {.force = force, .user = &none};
    ph_system *base = create(&d, &f), *system;
    ph_derivative_report r;
    tk_ok(ph_system_create_forced(base, &added, &system, NULL));
    tk_ok(ph_system_check_derivatives(system, 0, z0, v0, &r, NULL));
    ck_assert_uint_eq(r.n, 1);
    ck_assert_double_gt(r.entry[0].error, 0.1);
    ph_system_free(system);
    ph_system_free(base);
}
END_TEST

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

START_TEST(rounding_is_no_error)
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
END_TEST

/* The differences of the force are as wide as the velocity asks, fast or slow. */
START_TEST(velocities_of_any_size)
{
    static const double speeds[] = {1e-6, 1, 1e6, 1e12};
    faults f = {PH_DERIVATIVE_FORCE_DV, RIGHT, false};
    ph_system_definition d = {.inertia = unit_inertia, .force = force, .force_dv = force_dv};
    ph_system *system = create(&d, &f);
    ph_derivative_report r;
    double v[NZ];
    for (size_t i = 0; i < NZ; i++)
        v[i] = speeds[_i] * v0[i];
    for (int wrong = 0; wrong < 2; wrong++) {
        f.how = wrong ? SIGN : RIGHT;
        tk_ok(ph_system_check_derivatives(system, 0, z0, v, &r, NULL));
        judge(&r, &f);
    }
    ph_system_free(system);
}
END_TEST

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

START_TEST(derivative_of_the_inertia)
{
    bool by_pairs = _i % 2;
    int how = untransposed(_i / 2); /* a transposed table is the layout with z first */
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
        judge(&r, &f);
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
END_TEST

START_TEST(inertia_that_is_not_symmetric)
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
END_TEST

START_TEST(inertia_that_is_not_positive)
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
END_TEST

/* ---- Any Lagrangian ------------------------------------------------------------------------------ */

/* L = (1/2) s c + z.G v - (1/4) s^2 with s = z.K z, c = v.C v; C is singular where `of` says so. */
static double C_of(const faults *f, size_t i, size_t j)
{
    return f->of == PH_DERIVATIVE_REGULAR && (i == 4 || j == 4) ? 0 : C_(i, j);
}

static ph_status lagrangian_complex(void *user, const double *zc, const double *vc, double *Lc)
{
    const faults *f = user;
    double complex z[NZ], v[NZ], s = 0, c = 0, mixed = 0, L;
    memcpy(z, zc, sizeof z);
    memcpy(v, vc, sizeof v);
    for (size_t i = 0; i < NZ; i++)
        for (size_t j = 0; j < NZ; j++) {
            s += z[i] * K_(i, j) * z[j];
            c += v[i] * C_of(f, i, j) * v[j];
            mixed += z[i] * G_(i, j) * v[j];
        }
    if (f->of == PH_DERIVATIVE_COMPLEX_DZ)
        s = creal(s);
    if (f->of == PH_DERIVATIVE_COMPLEX_DV)
        c = cabs(c);
    L = 0.5 * s * c + mixed - 0.25 * s * s;
    if (f->of == PH_DERIVATIVE_COMPLEX)
        L = -L;
    memcpy(Lc, &L, sizeof L);
    return PH_OK;
}

static ph_status lagrangian(void *user, const double *z, const double *v, double *L)
{
    const faults *f = user;
    double s = form(K_, z, z), c = 0;
    for (size_t i = 0; i < NZ; i++)
        for (size_t j = 0; j < NZ; j++)
            c += v[i] * C_of(f, i, j) * v[j];
    *L = 0.5 * s * c + form(G_, z, v) - 0.25 * s * s;
    return PH_OK;
}

static void true_first(const double *z, const double *v, double *Lz, double *Lv)
{
    double s = form(K_, z, z), c = form(C_, v, v), Kz[NZ], Cv[NZ], Gv[NZ], Gtz[NZ];
    times(K_, 0, z, Kz);
    times(C_, 0, v, Cv);
    times(G_, 0, v, Gv);
    times(G_, 1, z, Gtz);
    for (size_t i = 0; i < NZ; i++) {
        Lz[i] = (c - s) * Kz[i] + Gv[i];
        Lv[i] = s * Cv[i] + Gtz[i];
    }
}

static void true_second(const double *z, const double *v, double *Lzz, double *Lvz, double *Lvv)
{
    double s = form(K_, z, z), c = form(C_, v, v), Kz[NZ], Cv[NZ];
    times(K_, 0, z, Kz);
    times(C_, 0, v, Cv);
    for (size_t i = 0; i < NZ; i++)
        for (size_t j = 0; j < NZ; j++) {
            Lzz[i * NZ + j] = (c - s) * K_(i, j) - 2 * Kz[i] * Kz[j];
            Lvz[i * NZ + j] = 2 * Cv[i] * Kz[j] + G_(j, i);
            Lvv[i * NZ + j] = s * C_(i, j);
        }
}

static ph_status first(void *user, const double *z, const double *v, double *Lz, double *Lv)
{
    const faults *f = user;
    true_first(z, v, Lz, Lv);
    if (f->of == PH_DERIVATIVE_LZ)
        spoil(f->how, NZ, 1, 4, Lz);
    if (f->of == PH_DERIVATIVE_LV)
        spoil(f->how, NZ, 1, 4, Lv);
    return PH_OK;
}

static ph_status second(void *user, const double *z, const double *v, double *Lzz, double *Lvz, double *Lvv)
{
    const faults *f = user;
    double *tables[] = {Lzz, Lvz, Lvv};
    true_second(z, v, Lzz, Lvz, Lvv);
    if (f->of >= PH_DERIVATIVE_LZZ && f->of <= PH_DERIVATIVE_LVV)
        spoil(f->how, NZ, NZ, 8, tables[f->of - PH_DERIVATIVE_LZZ]);
    return PH_OK;
}

/* With the real function, the complex one, or both. */
static ph_system_definition general(int which)
{
    ph_system_definition d = {.lagrangian_gradient = first, .lagrangian_hessian = second};
    if (which != 1)
        d.lagrangian = lagrangian;
    if (which != 0)
        d.lagrangian_complex = lagrangian_complex;
    return d;
}

/* Five tables, each with every mistake; only L_vz differs from its transpose. */
enum { LAGRANGIAN_PAIRS = 5 * (MISTAKES - 1) + 1 };

START_TEST(derivatives_of_a_lagrangian)
{
    static const ph_derivative all[] = {PH_DERIVATIVE_LZ, PH_DERIVATIVE_LV, PH_DERIVATIVE_LZZ,
                                        PH_DERIVATIVE_LVZ, PH_DERIVATIVE_LVV};
    const int pair = _i / 3, which = _i % 3;
    const bool transposed = pair == LAGRANGIAN_PAIRS - 1;
    const int how = transposed ? TRANSPOSED : untransposed(pair % (MISTAKES - 1)),
              at = transposed ? 3 : pair / (MISTAKES - 1);
    double z[NZ], v[NZ], table[3][NZ * NZ];
    faults f = {all[at], (mistake)how, false};
    ph_system_definition d = general(which);
    ph_derivative_report r = report_of(&d, &f);
    ck_assert_uint_eq(r.n, (which == 0 ? 5U : which == 1 ? 7U : 8U) + (how == RIGHT)); /* and regularity */
    const ph_derivative_entry *e = judge(&r, &f);
    if (!e)
        return;
    memcpy(z, z0, sizeof z);
    memcpy(v, v0, sizeof v);
    if (at < 2) {
        true_first(z, v, table[0], table[1]);
        ck_assert_double_eq_tol(e->expected, table[at][e->row], 1e-8);
        spoil((mistake)how, NZ, 1, 4, table[at]);
        ck_assert_double_eq(e->given, table[at][e->row]);
    } else {
        true_second(z, v, table[0], table[1], table[2]);
        ck_assert_double_eq_tol(e->expected, table[at - 2][e->row * NZ + e->column], 1e-8);
        spoil((mistake)how, NZ, NZ, 8, table[at - 2]);
        ck_assert_double_eq(e->given, table[at - 2][e->row * NZ + e->column]);
    }
}
END_TEST

START_TEST(complex_version)
{
    static const ph_derivative all[] = {PH_DERIVATIVE_COMPLEX, PH_DERIVATIVE_COMPLEX_DZ,
                                        PH_DERIVATIVE_COMPLEX_DV};
    faults f = {all[_i], SIGN, false};
    ph_system_definition d = general(2);
    ph_derivative_report r = report_of(&d, &f);
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, all[_i]);
    ck_assert_double_gt(e->error, 1e-2);
    if (_i)
        ck_assert_ptr_nonnull(strstr(e->mistake, "not analytic"));
    else
        ck_assert_str_eq(e->mistake, "the sign of all entries is wrong");
    /* correct entries are not reported as wrong */
    for (int k = PH_DERIVATIVE_LZ; k <= PH_DERIVATIVE_LVV; k++)
        ck_assert_double_le(ph_derivative_report_entry(&r, (ph_derivative)k)->error, 1e-9);
}
END_TEST

START_TEST(lagrangian_that_is_not_regular)
{
    faults f = {PH_DERIVATIVE_REGULAR, RIGHT, false};
    ph_system_definition d = {.lagrangian = _i ? NULL : lagrangian,
                              .lagrangian_complex = _i ? lagrangian_complex : NULL};
    ph_derivative_report r = report_of(&d, &f);
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_REGULAR);
    ck_assert_double_eq(e->error, 1);
    ck_assert_double_le(e->given, 1e-10);
    ck_assert_str_eq(e->mistake,
                     "d2L/dzdot2 is singular on tangent vectors: some velocities have no inertia");
}
END_TEST

/* By differences of values L_vv = 0 is rounding, and not an inertia. */
static ph_status without_inertia(void *user, const double *z, const double *v, double *L)
{
    (void)user;
    *L = 0.3 * (z[0] * v[1] - z[1] * v[0]) + z[4] * v[3] - z[2];
    return PH_OK;
}

/* Of a potential that varies on a thousandth of a unit, differences with the width of values alone are
 * worthless. */
static ph_status ripples(void *user, const double *z, const double *v, double *L)
{
    (void)user;
    *L = -cos(1e3 * z[3]);
    for (size_t k = 0; k < NZ; k++)
        *L += 0.5 * v[k] * v[k];
    return PH_OK;
}

/* The same on a circle, and 0 where it is looked at. */
static ph_status vanishing(void *user, const double *z, const double *v, double *L)
{
    (void)user;
    *L = 0.3 * (z[0] * v[1] - z[1] * v[0]) - 0.15;
    return PH_OK;
}

START_TEST(no_inertia_where_the_value_vanishes)
{
    static const ph_factor circle = {.kind = PH_FACTOR_S1};
    static const double z[2] = {0.6, 0.8}, v[2] = {-0.4, 0.3};
    ph_space *space;
    ph_system *system;
    ph_derivative_report r;
    tk_ok(ph_space_create(&circle, 1, &space, NULL));
    ph_system_definition d = {.space = space, .lagrangian = vanishing};
    tk_ok(ph_system_create(&d, &system, NULL));
    tk_ok(ph_system_check_derivatives(system, 0, z, v, &r, NULL));
    ck_assert_double_eq(ph_derivative_report_entry(&r, PH_DERIVATIVE_REGULAR)->error, 1);
    ph_system_free(system);
    ph_space_free(space);
}
END_TEST

START_TEST(values_alone)
{
    faults f = {PH_DERIVATIVE_REGULAR, RIGHT, false};
    ph_system_definition d = {.lagrangian = without_inertia};
    ph_derivative_report r = report_of(&d, &f);
    ck_assert_double_eq(ph_derivative_report_entry(&r, PH_DERIVATIVE_REGULAR)->error, 1);
    ck_assert_ptr_nonnull(ph_derivative_report_entry(&r, PH_DERIVATIVE_LV));
    ck_assert_double_le(ph_derivative_report_entry(&r, PH_DERIVATIVE_LV)->error, 1e-9);
    d.lagrangian = ripples;
    r = report_of(&d, &f);
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_LZ);
    ck_assert_ptr_nonnull(e);
    ck_assert_double_ge(e->error, 0.1);
    ck_assert_uint_eq(e->row, 3);
    ck_assert_ptr_nonnull(strstr(e->mistake, "give lagrangian_complex or lagrangian_gradient"));
}
END_TEST

/* ---- Symmetries ---------------------------------------------------------------------------------- */

/* L = (1/2) |v|^2 (1 + q_z) - q_x^2 - q_y^2 + q.x - |x|^2 on S^2 x R^3: turning both about e3 leaves it, but
 * for the tilt of one term where there is a fault. */
static ph_status turned(void *user, const double *z, const double *v, double *L)
{
    const faults *f = user;
    *L = 0;
    for (size_t k = 0; k < NZ; k++)
        *L += 0.5 * v[k] * v[k] * (1 + z[2]);
    *L += ph_dot3(z, z + 3) - z[0] * z[0] - z[1] * z[1] - ph_dot3(z + 3, z + 3) +
          (f->how == SIGN ? 0.1 * v[0] : 0);
    return PH_OK;
}

/* The same turn by hand: both factors see the angular velocity e3, R^3 as a velocity. */
static ph_status generator(void *user, const double *z, double *xi)
{
    const faults *f = user;
    xi[0] = xi[1] = 0;
    xi[2] = 1;
    xi[3] = -z[4];
    xi[4] = f->how == SIGN_OF_ONE ? -z[3] : z[3];
    xi[5] = 0;
    return PH_OK;
}

static ph_status inward(void *user, double t, const double *z, const double *v, double *out)
{
    const faults *f = user;
    (void)t, (void)v;
    for (size_t k = 3; k < NZ; k++)
        out[k] -= z[k];
    if (f->how == MISSING)
        out[3] += 0.5;
    return PH_OK;
}

START_TEST(symmetries)
{
    static const struct {
        mistake how;
        double axis[3];
        bool by_hand;
        const char *said;
    } cases[] = {
        {RIGHT, {0, 0, 1}, false, ""},
        {RIGHT, {0, 0, 0}, true, ""},
        {RIGHT, {0, 1, 0}, false, "Jturn is no symmetry: L changes along its generator"},
        {SIGN, {0, 0, 1}, false, "Jturn is no symmetry: L changes along its generator"},
        {SIGN, {0, 0, 0}, true, "Jturn is no symmetry: L changes along its generator"},
        {SIGN_OF_ONE, {0, 0, 0}, true, "Jturn is no symmetry: L changes along its generator"},
        {MISSING, {0, 0, 1}, false, "Jturn is no symmetry: the forces do work along its generator"},
    };
    faults f = {PH_DERIVATIVE_ENTRIES, cases[_i].how, false};
    const double *axis = cases[_i].axis;
    const ph_symmetry list[] = {
        {"Jnone", "", "", {0, 0, 0}, NULL},
        {"Jturn", "", "", {axis[0], axis[1], axis[2]}, cases[_i].by_hand ? generator : NULL}};
    ph_system_definition d = {.lagrangian = turned,
                              .symmetries = list,
                              .n_symmetries = 2,
                              .force = inward,
                              .force_ignores_velocity = true};
    ph_derivative_report r = report_of(&d, &f);
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_SYMMETRY);
    ck_assert_str_eq(e->mistake, cases[_i].said);
    if (e->mistake[0]) {
        ck_assert_double_gt(e->error, 1e-3);
        ck_assert_uint_eq(e->row, 1);
    } else {
        ck_assert_double_le(e->error, 1e-9);
    }
}
END_TEST

/* Rotations of a body, of the circle and of the plane, all at once: T does not know one direction from
 * another. */
START_TEST(axes_on_other_factors)
{
    static const ph_factor factors[] = {{.kind = PH_FACTOR_SO3},
                                        {.kind = PH_FACTOR_S1},
                                        {.kind = PH_FACTOR_R, .d = 2},
                                        {.kind = PH_FACTOR_S2}};
    const ph_symmetry turn = {"Jz", "", "", {0, 0, _i ? 1 : 0.5}, NULL},
                      tilt = {"Jx", "", "", {1, 0, 0}, NULL};
    const ph_symmetry list[] = {turn, tilt};
    double MM[16 * 16] = {0}, z[16], v[16];
    tk_random rng = {7};
    ph_space *space;
    ph_system *system;
    ph_derivative_report r;
    tk_ok(ph_space_create(factors, 4, &space, NULL));
    for (size_t i = 0; i < 16;
         i++) /* body axes 1, 2, 3 have different inertias; all columns of R have the same */
        MM[17 * i] = i < 9 ? 1 + (double)(i % 3) : 2;
    /* the S^1 and the R^2 pull at each other's velocity, which couples their turns */
    MM[9 * 16 + 11] = MM[11 * 16 + 9] = MM[10 * 16 + 12] = MM[12 * 16 + 10] = 0.7;
    ph_system_definition d = {.space = space, .ambient_inertia = MM, .symmetries = list, .n_symmetries = 2};
    tk_ok(ph_system_create(&d, &system, NULL));
    tk_random_motion(system, &rng, z, v);
    tk_ok(ph_system_check_derivatives(system, 0, z, v, &r, NULL));
    ck_assert_double_le(ph_derivative_report_entry(&r, PH_DERIVATIVE_SYMMETRY)->error, 1e-10);
    ph_system_free(system);
    MM[9 * 16 + 12] = MM[12 * 16 + 9] = 0.2; /* ... in a separate direction */
    tk_ok(ph_system_create(&d, &system, NULL));
    tk_ok(ph_system_check_derivatives(system, 0, z, v, &r, NULL));
    ck_assert_double_gt(ph_derivative_report_entry(&r, PH_DERIVATIVE_SYMMETRY)->error, 1e-3);
    ck_assert_uint_eq(ph_derivative_report_entry(&r, PH_DERIVATIVE_SYMMETRY)->row, 0);
    ph_system_free(system);
    ph_space_free(space);
}
END_TEST

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
    ph_space *space;
    ph_system *system;
    ph_derivative_report r;
    ph_error err;
    *f = (faults){PH_DERIVATIVE_ENTRIES, RIGHT, constraints}; /* until there is a system */
    ck_assert_msg(!ph_space_create(factors, 2, &space, &err), "%s", err.message);
    for (size_t i = 0; i < nz; i++)
        MM[i * (nz + 1)] = 1;
    memcpy(z + 2, x4, e.n * sizeof *z);
    if (constraints)
        tk_ok(ph_space_project(space, z));
    ph_space_project_tangent(space, z, v);
    ph_system_definition d = {
        .space = space, .ambient_inertia = MM, .potential = slope, .gradient = slope_gradient, .user = f};
    ck_assert_msg(!ph_system_create(&d, &system, &err), "%s", err.message);
    *f = wanted;
    f->now = constraints;
    ck_assert_msg(!ph_system_check_derivatives(system, 0, z, v, &r, &err), "%s", err.message);
    ph_system_free(system);
    ph_space_free(space);
    return r;
}

START_TEST(derivatives_of_constraints)
{
    static const ph_derivative all[] = {PH_DERIVATIVE_JACOBIAN, PH_DERIVATIVE_BEND};
    int how = _i % MISTAKES;
    faults f = {all[_i / MISTAKES], (mistake)how, true};
    ph_derivative_report r = manifold_report(&f, true);
    const ph_derivative_entry *e = judge(&r, &f);
    ck_assert_uint_eq(r.n, !e ? 5 : _i < MISTAKES ? 1 : 3); /* nothing that depends on the mistake */
    if (!e)
        return;
    ck_assert_uint_eq(e->factor, 1);
    if (how == SIGN_OF_ONE || how == MISSING_ONE) {
        ck_assert_uint_eq(e->row, 0);
        ck_assert_uint_eq(e->column, 2);
    }
}
END_TEST

START_TEST(constraints_that_depend_on_each_other)
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
END_TEST

START_TEST(projections)
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
END_TEST

START_TEST(derivative_of_the_projection)
{
    faults f = {PH_DERIVATIVE_PROJECTION_ALONG, (mistake)untransposed(_i), true};
    ph_derivative_report r = manifold_report(&f, false);
    judge(&r, &f);
}
END_TEST

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

START_TEST(functions_that_end_nearby)
{
    faults f = {PH_DERIVATIVE_POTENTIAL, RIGHT, false};
    ph_system_definition d = {.inertia = unit_inertia, .potential = narrow, .gradient = narrow_gradient};
    ph_derivative_report r = report_of(&d, &f);
    judge(&r, &f);
}
END_TEST

START_TEST(failures_are_passed_on)
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
    ph_system *system = create(&d, &f);
    ph_derivative_report r;
    ph_error err;
    ck_assert_int_eq(ph_system_check_derivatives(system, 0, z0, v0, &r, &err), cases[_i].status);
    ck_assert_msg(strstr(err.message, cases[_i].said) != NULL, "%s", err.message);
    ph_system_free(system);
}
END_TEST

/* ---- Rates --------------------------------------------------------------------------------------- */

static const double B[9] = {1, 0.3, 0, 0.3, 2, -0.5, 0, -0.5, 4};

static ph_status quadratic(void *user, const double *z, double *U)
{
    (void)user;
    *U = 0;
    for (int i = 0; i < 9; i++)
        *U += 0.5 * z[i / 3] * B[i] * z[i % 3];
    return PH_OK;
}

static ph_status quadratic_gradient(void *user, const double *z, double *dU)
{
    (void)user;
    for (int i = 0; i < 3; i++)
        dU[i] = ph_dot3(B + 3 * i, z);
    return PH_OK;
}

/* U = q.B q / 2: at e1, e2, e3 the second derivative along geodesics is the rest of B less B_ii. */
START_TEST(fastest_rate_with_a_curved_potential)
{
    const double inertia = 0.7;
    double q[3] = {0, 0, 0}, rate = 0;
    size_t i = (size_t)_i, a = (i + 1) % 3, b = (i + 2) % 3;
    double mean = 0.5 * (B[4 * a] + B[4 * b]) - B[4 * i], half = 0.5 * (B[4 * a] - B[4 * b]);
    double expected = fabs(mean) + hypot(half, B[3 * a + b]); /* the larger eigenvalue of a 2 x 2 matrix */
    ph_system_definition d = {.inertia = &inertia, .potential = quadratic, .gradient = quadratic_gradient};
    ph_system *system = tk_create(&d, 1);
    q[i] = 1;
    tk_ok(ph_system_fastest_rate(system, q, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(expected / inertia), 1e-9);
    ph_system_free(system);
}
END_TEST

/* n equal links hanging: w^2 = (g/l) x, x the largest zero of the Laguerre polynomial L_n. */
START_TEST(fastest_rate_of_a_hanging_chain)
{
    static const size_t sizes[] = {1, 2, 5, 10};
    static const double zeros[] = {1, 3.414213562373095, 12.640800844275773, 29.92069701227393};
    double m[TK_MOST], l[TK_MOST], gravity[3] = {0, 0, -9.81}, q[3 * TK_MOST] = {0}, rate = 0;
    tk_chain c;
    for (size_t i = 0; i < TK_MOST; i++)
        m[i] = 0.4, l[i] = 0.3, q[3 * i + 2] = -1;
    tk_chain_fill(&c, sizes[_i], m, l, gravity);
    ph_system *system = tk_chain_system(&c);
    tk_ok(ph_system_fastest_rate(system, q, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(9.81 / 0.3 * zeros[_i]), 1e-8 * rate);
    for (size_t i = 0; i < sizes[_i]; i++)
        q[3 * i + 2] = 1; /* upright: the fastest growth has the same rate */
    tk_ok(ph_system_fastest_rate(system, q, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(9.81 / 0.3 * zeros[_i]), 1e-8 * rate);
    ph_system_free(system);
}
END_TEST

/* A pendulum of mass m and length l with the inertia of special relativity, c = 3 m/s, hanging: sqrt(g/l) all
 * the same; and one whose inertia is m l^2 (2 + q_z + q_x): half of that squared. */
static ph_status relativistic(void *user, const double *q, const double *v, double *L)
{
    const double m = 0.7, l = 0.4, c = 3;
    (void)user;
    *L = -m * c * c * sqrt(1 - l * l * ph_dot3(v, v) / (c * c)) - m * 9.81 * l * q[2];
    return PH_OK;
}

static ph_status weight(void *user, const double *q, double *U)
{
    (void)user;
    *U = 0.7 * 9.81 * 0.4 * q[2];
    return PH_OK;
}

static ph_status weight_gradient(void *user, const double *q, double *dU)
{
    (void)user, (void)q;
    dU[0] = dU[1] = 0;
    dU[2] = 0.7 * 9.81 * 0.4;
    return PH_OK;
}

static ph_status heavier(void *user, const double *q, double *M)
{
    (void)user;
    *M = 0.7 * 0.4 * 0.4 * (3 + q[2] + q[0]);
    return PH_OK;
}

static ph_status heavier_dz(void *user, const double *q, double *dM)
{
    (void)user, (void)q;
    dM[0] = dM[2] = 0.7 * 0.4 * 0.4;
    dM[1] = 0;
    return PH_OK;
}

START_TEST(fastest_rate_of_other_lagrangians)
{
    const double down[3] = {0, 0, -1};
    double rate = 0;
    ph_system_definition general_one = {.lagrangian = relativistic}, varying = {.inertia_at = heavier,
                                                                                .inertia_dz = heavier_dz,
                                                                                .potential = weight,
                                                                                .gradient = weight_gradient};
    ph_system *system = tk_create(_i ? &varying : &general_one, 1);
    tk_ok(ph_system_fastest_rate(system, down, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(9.81 / 0.4 / (_i ? 2 : 1)), 1e-8 * rate);
    ph_system_free(system);
}
END_TEST

/* L = -|v|^2 / 2 has a rate, but no stable notion of one: its inertia is negative. */
static ph_status negative(void *user, const double *q, const double *v, double *L)
{
    (void)user, (void)q;
    *L = -0.5 * ph_dot3(v, v);
    return PH_OK;
}

START_TEST(no_rate_without_inertia)
{
    const double down[3] = {0, 0, -1};
    double rate = 0;
    ph_error err;
    ph_system_definition d = {.lagrangian = negative};
    ph_system *system = tk_create(&d, 1);
    ck_assert_int_eq(ph_system_fastest_rate(system, down, &rate, &err), PH_E_SINGULAR);
    ck_assert_ptr_nonnull(strstr(err.message, "its inertia is not positive definite"));
    ph_system_free(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("derivatives");
    TCase *tc = tcase_create("derivatives");
    tcase_add_loop_test(tc, gradient_of_the_potential, 0, MISTAKES - 1);
    tcase_add_loop_test(tc, normal_part_is_free, 0, 3);
    tcase_add_loop_test(tc, derivative_of_the_force, 0, MISTAKES);
    tcase_add_test(tc, force_that_hides_its_velocity);
    tcase_add_test(tc, forces_of_the_base);
    tcase_add_loop_test(tc, rounding_is_no_error, 0, 2);
    tcase_add_loop_test(tc, velocities_of_any_size, 0, 4);
    tcase_add_loop_test(tc, derivative_of_the_inertia, 0, 2 * (LAYOUTS - 1));
    tcase_add_test(tc, inertia_that_is_not_symmetric);
    tcase_add_loop_test(tc, inertia_that_is_not_positive, 0, 2);
    tcase_add_loop_test(tc, derivatives_of_a_lagrangian, 0, 3 * LAGRANGIAN_PAIRS);
    tcase_add_loop_test(tc, complex_version, 0, 3);
    tcase_add_loop_test(tc, lagrangian_that_is_not_regular, 0, 2);
    tcase_add_test(tc, values_alone);
    tcase_add_test(tc, no_inertia_where_the_value_vanishes);
    tcase_add_loop_test(tc, symmetries, 0, 7);
    tcase_add_loop_test(tc, axes_on_other_factors, 0, 2);
    tcase_add_loop_test(tc, derivatives_of_constraints, 0, 2 * MISTAKES);
    tcase_add_test(tc, constraints_that_depend_on_each_other);
    tcase_add_loop_test(tc, projections, 0, 4);
    tcase_add_loop_test(tc, derivative_of_the_projection, 0, MISTAKES - 1);
    tcase_add_test(tc, functions_that_end_nearby);
    tcase_add_loop_test(tc, failures_are_passed_on, 0, 3);
    tcase_add_loop_test(tc, fastest_rate_with_a_curved_potential, 0, 3);
    tcase_add_loop_test(tc, fastest_rate_of_a_hanging_chain, 0, 4);
    tcase_add_loop_test(tc, fastest_rate_of_other_lagrangians, 0, 2);
    tcase_add_test(tc, no_rate_without_inertia);
    suite_add_tcase(suite, tc);
    return tk_main(suite);
}
