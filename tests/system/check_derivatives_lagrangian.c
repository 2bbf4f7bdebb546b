/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of derivatives of any Lagrangian and of its symmetries: each common mistake is found, located and
 * named, and so are conditions that a Lagrangian violates. */
#include "tests/system/mistakes.h"

#include <complex.h>

/* ---- Constant inertia: gradient of U, df/dzdot, on S^2 x R^3 ------------------------------------- */

static double C_(size_t i, size_t j)
{
    return i == j ? 1.5 + 0.2 * (double)i : 0.1 * sin((double)(i * j + 2 * (i + j)));
}

/* ---- Any Lagrangian ------------------------------------------------------------------------------ */

/* L = (1/2) s c + z.G v - (1/4) s^2 with s = z.K z, c = v.C v; C is singular where `of` says so. */
static double C_of(const faults *f, size_t i, size_t j)
{
    return f->of == PH_DERIVATIVE_REGULAR && (i == 4 || j == 4) ? 0 : C_(i, j);
}

static ph_status lagrangian_complex(void *user, double t, const double *zc, const double *vc, double *Lc)
{
    const faults *f = user;
    (void)t;
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

static ph_status lagrangian(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t;
    const faults *f = user;
    double s = apply_form(K_, z, z), c = 0;
    for (size_t i = 0; i < NZ; i++)
        for (size_t j = 0; j < NZ; j++)
            c += v[i] * C_of(f, i, j) * v[j];
    *L = 0.5 * s * c + apply_form(G_, z, v) - 0.25 * s * s;
    return PH_OK;
}

static void true_first(const double *z, const double *v, double *Lz, double *Lv)
{
    double s = apply_form(K_, z, z), c = apply_form(C_, v, v), Kz[NZ], Cv[NZ], Gv[NZ], Gtz[NZ];
    apply_matrix(K_, 0, z, Kz);
    apply_matrix(C_, 0, v, Cv);
    apply_matrix(G_, 0, v, Gv);
    apply_matrix(G_, 1, z, Gtz);
    for (size_t i = 0; i < NZ; i++) {
        Lz[i] = (c - s) * Kz[i] + Gv[i];
        Lv[i] = s * Cv[i] + Gtz[i];
    }
}

static void true_second(const double *z, const double *v, double *Lzz, double *Lvz, double *Lvv)
{
    double s = apply_form(K_, z, z), c = apply_form(C_, v, v), Kz[NZ], Cv[NZ];
    apply_matrix(K_, 0, z, Kz);
    apply_matrix(C_, 0, v, Cv);
    for (size_t i = 0; i < NZ; i++)
        for (size_t j = 0; j < NZ; j++) {
            Lzz[i * NZ + j] = (c - s) * K_(i, j) - 2 * Kz[i] * Kz[j];
            Lvz[i * NZ + j] = 2 * Cv[i] * Kz[j] + G_(j, i);
            Lvv[i * NZ + j] = s * C_(i, j);
        }
}

static ph_status first(void *user, double t, const double *z, const double *v, double *Lz, double *Lv)
{
    (void)t;
    const faults *f = user;
    true_first(z, v, Lz, Lv);
    if (f->of == PH_DERIVATIVE_LZ)
        spoil(f->how, NZ, 1, 4, Lz);
    if (f->of == PH_DERIVATIVE_LV)
        spoil(f->how, NZ, 1, 4, Lv);
    return PH_OK;
}

static ph_status second(void *user, double t, const double *z, const double *v, double *Lzz, double *Lvz,
                        double *Lvv)
{
    (void)t;
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

TEST_EACH(derivatives_of_a_lagrangian, 3 * LAGRANGIAN_PAIRS)
{
    static const ph_derivative all[] = {PH_DERIVATIVE_LZ, PH_DERIVATIVE_LV, PH_DERIVATIVE_LZZ,
                                        PH_DERIVATIVE_LVZ, PH_DERIVATIVE_LVV};
    const int pair = _i / 3, which = _i % 3;
    const bool transposed = pair == LAGRANGIAN_PAIRS - 1;
    const int how = transposed ? TRANSPOSED : mistake_without_transpose(pair % (MISTAKES - 1)),
              at = transposed ? 3 : pair / (MISTAKES - 1);
    double z[NZ], v[NZ], table[3][NZ * NZ];
    faults f = {all[at], (mistake)how, false};
    ph_system_definition d = general(which);
    ph_derivative_report r = report_of(&d, &f);
    ck_assert_uint_eq(r.n, (which == 0 ? 5U : which == 1 ? 7U : 8U) + (how == RIGHT)); /* and regularity */
    const ph_derivative_entry *e = judge_report(&r, &f);
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

TEST_EACH(complex_version, 3)
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

TEST_EACH(lagrangian_that_is_not_regular, 2)
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

/* By differences of values L_vv = 0 is rounding, and not an inertia. */
static ph_status without_inertia(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user;
    *L = 0.3 * (z[0] * v[1] - z[1] * v[0]) + z[4] * v[3] - z[2];
    return PH_OK;
}

/* Of a potential that varies on a thousandth of a unit, differences with the width of values alone are
 * worthless. */
static ph_status ripples(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user;
    *L = -cos(1e3 * z[3]);
    for (size_t k = 0; k < NZ; k++)
        *L += 0.5 * v[k] * v[k];
    return PH_OK;
}

/* The same on a circle, and 0 where it is looked at. */
static ph_status vanishing(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user;
    *L = 0.3 * (z[0] * v[1] - z[1] * v[0]) - 0.15;
    return PH_OK;
}

TEST(no_inertia_where_the_value_vanishes)
{
    static const ph_factor circle = {.kind = PH_FACTOR_S1};
    static const double z[2] = {0.6, 0.8}, v[2] = {-0.4, 0.3};
    ph_derivative_report r;
    ph_system_definition d = {.lagrangian = vanishing};
    TK_OWN(ph_system) *system = tk_system(d, &circle, 1);
    tk_ok(ph_system_check_derivatives(system, 0, z, v, &r, NULL));
    ck_assert_double_eq(ph_derivative_report_entry(&r, PH_DERIVATIVE_REGULAR)->error, 1);
}

TEST(values_alone)
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

/* ---- Symmetries ---------------------------------------------------------------------------------- */

/* L = (1/2) |v|^2 (1 + q_z) - q_x^2 - q_y^2 + q.x - |x|^2 on S^2 x R^3: turning both about e3 leaves it, but
 * for the tilt of one term where there is a fault. */
static ph_status turned(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t;
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

TEST_EACH(symmetries, 7)
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

/* Rotations of a body, of the circle and of the plane, all at once: T does not know one direction from
 * another. */
TEST_EACH(axes_on_other_factors, 2)
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
    ph_system *system;
    ph_derivative_report r;
    TK_MAKE(ph_space, space, ph_space_create(factors, 4, &space, NULL));
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
}

/* A planet that turns, and another one that passes the origin: lengths of 1e12 m, where that one moves by 1 m in a tenth of a
 * millisecond and the other turns by 1 rad in hours. U = -k/|x_1 - x_0|, T of the body as above; turning all leaves both. The
 * gradient is found in the frame of the body, as that of one with a figure, so that its direction is rounded. */
static const double attraction = 6.6743e-11 * 1e26 * 1.02e26;

static ph_status attract(void *user, const double *z, double *U)
{
    (void)user;
    *U = -attraction / hypot(hypot(z[3] - z[0], z[4] - z[1]), z[5] - z[2]);
    return PH_OK;
}

static ph_status attract_gradient(void *user, const double *z, double *dU)
{
    const double x[3] = {z[3] - z[0], z[4] - z[1], z[5] - z[2]}, r = ph_norm3(x);
    (void)user;
    memset(dU, 0, 15 * sizeof *dU);
    double seen[3];
    ph_apply_transposed3(z + 6, x, seen);
    ph_apply3(z + 6, seen, dU + 3);
    for (size_t k = 0; k < 3; k++) {
        dU[3 + k] *= attraction / (r * r * r);
        dU[k] = -dU[3 + k];
    }
    return PH_OK;
}

/* The turn about e3: velocities of the places, the angular velocity of the body in its frame. With the user's number 1 that of
 * the planet is wrong. */
static ph_status turn_of_all(void *user, const double *z, double *xi)
{
    const double *wrong = user;
    for (size_t i = 0; i < 6; i += 3) {
        xi[i] = -z[i + 1];
        xi[i + 1] = i && *wrong > 0 ? -z[i] : z[i];
        xi[i + 2] = 0;
    }
    for (size_t k = 0; k < 3; k++)
        xi[6 + k] = z[6 + 6 + k];
    return PH_OK;
}

/* Cases: its axis or the function above; the planet anywhere, or at rest where the force points to the axis along a coordinate, so
 * that all terms are rounding; its generator is wrong. */
TEST_EACH(sizes_far_apart, 6)
{
    static const ph_factor factors[] = {
        {.kind = PH_FACTOR_R, .d = 3}, {.kind = PH_FACTOR_R, .d = 3}, {.kind = PH_FACTOR_SO3}};
    const bool by_hand = _i % 2, along = _i / 2 == 1;
    double wrong = _i == 5, MM[15 * 15] = {0}, v[15] = {9300, -12800, -160, 4475, 3062, -166},
           z[15] = {0, 0, 0, 2514853420151.5054, -3738847412364.252, 19039473252.117638};
    const ph_symmetry turn = {"Jz", "", "", {0, 0, 1}, by_hand ? turn_of_all : NULL};
    tk_random rng = {11};
    ph_derivative_report r;
    for (size_t k = 0; k < 15; k++)
        MM[16 * k] = k < 3 ? 1e26 : k < 6 ? 1.02e26 : 1e40 * (double)(1 + k % 3);
    const ph_system_definition d = {.ambient_inertia = MM,
                                    .potential = attract,
                                    .gradient = attract_gradient,
                                    .symmetries = &turn,
                                    .n_symmetries = 1,
                                    .user = &wrong};
    TK_OWN(ph_system) *system = tk_system(d, factors, 3);
    tk_unit(&rng, z + 6); /* any attitude, by Gram and Schmidt */
    tk_tangent(&rng, z + 6, z + 9);
    const double length = ph_norm3(z + 9);
    for (size_t k = 0; k < 3; k++)
        z[9 + k] /= length;
    ph_cross3(z + 6, z + 9, z + 12);
    const double spin[9] = {0, -1.08e-4, 0, 1.08e-4, 0, 0, 0, 0, 0};
    ph_multiply3(z + 6, spin, v + 6);
    if (along) {
        const double place[6] = {3e5, 0, 0, 4.5e12, 0, 0};
        memcpy(z, place, sizeof place);
        memset(v, 0, sizeof v);
    }
    tk_ok(ph_system_check_derivatives(system, 0, z, v, &r, NULL));
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_SYMMETRY);
    printf("symmetry holds to %.1e\n", e->error);
    if (wrong > 0)
        ck_assert_double_gt(e->error, 1e-3);
    else
        ck_assert_double_le(e->error, 1e-12);
}

int main(void)
{
    return tk_run("derivatives: Lagrangians");
}
