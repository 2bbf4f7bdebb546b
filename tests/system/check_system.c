/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems from bad and good definitions: the status, a message that says what is wrong, user_free called
 * exactly once whatever happens, and nothing kept that belongs to the caller. */
#include "tests/kit/hostile.h"

/* Everything that a row of the table below may spoil. */
typedef struct draft {
    ph_system_definition d;
    double inertia[4];
    ph_space *space;
} draft;

static ph_status spare_force(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)t, (void)z, (void)zdot, (void)f;
    return PH_OK;
}

static ph_status spare_dv(void *user, double t, const double *z, const double *zdot, double *dfdv)
{
    return spare_force(user, t, z, zdot, dfdv);
}

static void no_space(draft *b)
{
    b->d.space = NULL;
}

static void no_inertia(draft *b)
{
    b->d.inertia = NULL;
}

static void no_gradient(draft *b)
{
    b->d.gradient = NULL;
}

static void no_potential(draft *b)
{
    b->d.potential = NULL;
}

static void derivative_of_nothing(draft *b)
{
    b->d.force_dv = spare_dv;
}

static void no_symmetries(draft *b)
{
    b->d.symmetries = NULL;
}

static void nan_inertia(draft *b)
{
    b->inertia[1] = NAN;
}

static void infinite_inertia(draft *b)
{
    b->inertia[3] = INFINITY;
}

static void unsymmetric(draft *b)
{
    b->inertia[2] += 1e-9;
}

static void indefinite(draft *b)
{
    b->inertia[1] = b->inertia[2] = 1.5; /* det = 2 - 2.25 */
}

static void semidefinite(draft *b)
{
    b->inertia[0] = b->inertia[3] = b->inertia[1] = b->inertia[2] = 1;
}

static void negative(draft *b)
{
    b->inertia[0] = -2;
}

static void zero(draft *b)
{
    memset(b->inertia, 0, sizeof b->inertia);
}

static void both_inertias(draft *b)
{
    b->d.ambient_inertia = b->inertia;
}

static double ambient[36];

static void unsymmetric_ambient(draft *b)
{
    memset(ambient, 0, sizeof ambient);
    for (size_t i = 0; i < 6; i++)
        ambient[7 * i] = 1;
    ambient[1] = 0.25;
    b->d.inertia = NULL;
    b->d.ambient_inertia = ambient;
}

/* Positive along five of six directions: some tangent vector has none of these. */
static void indefinite_ambient(draft *b)
{
    unsymmetric_ambient(b);
    ambient[1] = 0;
    ambient[35] = -3;
}

static void other_length(draft *b)
{
    const ph_factor factors[2] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_R, .d = 2}};
    ph_space_free(b->space);
    tk_ok(ph_space_create(factors, 2, &b->space, NULL));
    b->d.space = b->space;
}

static const struct {
    void (*spoil)(draft *b);
    ph_status status;
    const char *says;
} bad[] = {
    {no_space, PH_E_INVALID, "no space"},
    {no_inertia, PH_E_INVALID, "inertia"},
    {no_gradient, PH_E_INVALID, "potential and gradient together"},
    {no_potential, PH_E_INVALID, "potential and gradient together"},
    {derivative_of_nothing, PH_E_INVALID, "force_dv is given without force"},
    {no_symmetries, PH_E_INVALID, "n_symmetries is 1"},
    {nan_inertia, PH_E_NOT_FINITE, "inertia[0][1]"},
    {infinite_inertia, PH_E_NOT_FINITE, "inertia[1][1]"},
    {unsymmetric, PH_E_INVALID, "not symmetric"},
    {indefinite, PH_E_SINGULAR, "not positive definite"},
    {semidefinite, PH_E_SINGULAR, "not positive definite"},
    {negative, PH_E_SINGULAR, "not positive definite"},
    {zero, PH_E_SINGULAR, "not positive definite"},
    {other_length, PH_E_INVALID, "vectors of one length; factor 2"},
    {both_inertias, PH_E_INVALID, "2 of them are given"},
    {unsymmetric_ambient, PH_E_INVALID, "not symmetric"},
    {indefinite_ambient, PH_E_SINGULAR, "not positive definite"},
};

static void open_draft(draft *b, hk_user *user)
{
    b->space = hk_space();
    hk_define(&b->d, user, HK_PLAIN);
    memcpy(b->inertia, b->d.inertia, sizeof b->inertia);
    b->d.inertia = b->inertia;
    b->d.space = b->space;
}

TEST_EACH(bad_definitions, sizeof bad / sizeof bad[0])
{
    hk_user user = {0};
    draft b;
    ph_system *system = NULL;
    ph_error err = {PH_OK, ""};
    open_draft(&b, &user);
    bad[_i].spoil(&b);
    ph_status status = ph_system_create(&b.d, &system, &err);
    ck_assert_msg(status == bad[_i].status, "%s: %s", ph_status_name(status), err.message);
    ck_assert_int_eq(err.status, status);
    ck_assert_msg(strstr(err.message, bad[_i].says) != NULL, "%s", err.message);
    ck_assert_ptr_null(system);
    ck_assert_int_eq(user.freed, 1);
    ck_assert_int_eq(ph_system_create(&b.d, &system, NULL), status); /* also to one who does not ask why */
    ck_assert_int_eq(user.freed, 2);
    b.d.user_free = NULL;
    ck_assert_int_eq(ph_system_create(&b.d, &system, NULL), status);
    ph_space_free(b.space);
}

/* The definition, its matrix, its space and its strings may vanish once the system is there. */
TEST(nothing_is_kept)
{
    hk_user user = {0};
    draft b;
    char name[] = "Jz", text[] = "about", unit[] = "J s";
    open_draft(&b, &user);
    ph_symmetry symmetry = {name, text, unit, {0, 0, 1}, NULL};
    b.d.symmetries = &symmetry;
    ph_system *system = NULL;
    tk_ok(ph_system_create(&b.d, &system, NULL));
    memset(name, 'x', sizeof name);
    memset(text, 'x', sizeof text);
    memset(unit, 'x', sizeof unit);
    memset(b.inertia, 0, sizeof b.inertia);
    ph_space_free(b.space);
    memset(&b, 0, sizeof b);
    memset(&symmetry, 0, sizeof symmetry);
    ck_assert_uint_eq(ph_space_ambient(ph_system_space(system)), HK_NZ);
    ck_assert_double_eq(ph_system_inertia(system)[0], 2);
    ck_assert_uint_eq(ph_system_symmetries(system), 1);
    ck_assert_str_eq(ph_system_symmetry(system, 0)->name, "Jz");
    ck_assert_str_eq(ph_system_symmetry(system, 0)->text, "about");
    ck_assert_str_eq(ph_system_symmetry(system, 0)->unit, "J s");
    ck_assert_double_eq(ph_system_symmetry(system, 0)->axis[2], 1);
    ck_assert_ptr_null(ph_system_symmetry(system, 1));
    ck_assert_int_eq(user.freed, 0);
    ph_system_free(system);
    ck_assert_int_eq(user.freed, 1);
    ph_system_free(NULL);
}

/* Two sides of the diagonal that differ by a rounding are made equal: their mean. */
TEST(rounding_in_the_inertia)
{
    hk_user user = {0};
    draft b;
    open_draft(&b, &user);
    b.inertia[1] = 0.5 + 0x1p-52;
    b.inertia[2] = 0.5 - 0x1p-52;
    TK_MAKE(ph_system, system, ph_system_create(&b.d, &system, NULL));
    ck_assert_double_eq(ph_system_inertia(system)[1], 0.5);
    ck_assert_double_eq(ph_system_inertia(system)[2], 0.5);
    ph_space_free(b.space);
}

/* Without callbacks the answers are zeros; with them, what they say, and their failures. */
TEST_EACH(evaluation, HK_FLAVOURS)
{
    hk_flavour flavour = (hk_flavour)_i;
    hk_user user = {0};
    double z[HK_NZ], v[HK_NZ], out[HK_NZ], dv[HK_NZ * HK_NZ], work[3 * HK_NZ], U = NAN, J = NAN;
    TK_OWN(ph_system) *system = hk_system(&user, flavour);
    hk_start(1, z, v);
    ck_assert_int_eq(ph_system_has_force(system), hk_has(flavour, HK_FORCE));
    ck_assert_int_eq(ph_system_force_ignores_velocity(system), flavour <= HK_PUSHED);
    tk_ok(ph_system_potential(system, z, &U));
    ck_assert_int_eq(U != 0, hk_has(flavour, HK_POTENTIAL));
    tk_ok(ph_system_gradient(system, z, out));
    for (size_t i = 0; i < HK_NZ; i++)
        ck_assert_int_eq(out[i] != 0, hk_has(flavour, HK_GRADIENT));
    tk_ok(ph_system_force(system, 1, z, v, out));
    tk_ok(ph_system_force_dv(system, 1, z, v, dv, work));
    for (size_t i = 0; i < HK_NZ; i++) {
        ck_assert_int_eq(out[i] != 0, flavour == HK_PUSHED || (flavour > HK_PUSHED && v[i] != 0));
        ck_assert_int_eq(dv[HK_NZ * i + i] != 0, flavour > HK_PUSHED);
    }
    ck_assert_int_eq(ph_system_momentum_map(system, 1, z, v, &J, work), PH_E_RANGE);
    for (int which = 0; which < HK_CALLBACKS; which++) {
        if (!hk_has(flavour, (hk_callback)which))
            continue;
        hk_arm(&user, (hk_callback)which, HK_FAIL, PH_E_IO, 1, true);
        ph_status status = which == HK_POTENTIAL  ? ph_system_potential(system, z, &U)
                           : which == HK_GRADIENT ? ph_system_gradient(system, z, out)
                           : which == HK_FORCE    ? ph_system_force(system, 1, z, v, out)
                           : which == HK_FORCE_DV ? ph_system_force_dv(system, 1, z, v, dv, work)
                                                  : ph_system_momentum_map(system, 0, z, v, &J, work);
        ck_assert_int_eq(status, PH_E_IO);
        ck_assert(hk_went_wrong(&user));
    }
}

/* Derivative by differences against the exact one: to the square of the cube root of the rounding unit. */
TEST(force_by_differences)
{
    hk_user user = {0};
    double z[HK_NZ], v[HK_NZ], exact[HK_NZ * HK_NZ], differences[HK_NZ * HK_NZ], work[3 * HK_NZ];
    TK_OWN(ph_system) *with = hk_system(&user, HK_DAMPED), *without = hk_system(&user, HK_DIFFERENCED);
    hk_start(2, z, v);
    tk_ok(ph_system_force_dv(with, 0, z, v, exact, work));
    tk_ok(ph_system_force_dv(without, 0, z, v, differences, work));
    ck_assert_double_lt(tk_max_difference(exact, differences, (size_t)HK_NZ * HK_NZ), 1e-9);
    hk_arm(&user, HK_FORCE, HK_FAIL, PH_E_RANGE, 2 * HK_NZ, false); /* the last of its calls */
    ck_assert_int_eq(ph_system_force_dv(without, 0, z, v, differences, work), PH_E_RANGE);
}

/* Of every model with a constant inertia: the inertia in the frames of the bodies is everywhere the same if it is
 * said to be, and only then. */
TEST(uniform_inertia)
{
    enum { MOST = 200 };
    size_t uniform = 0, others = 0;
    for (size_t i = 0; i < ph_models(); i++) {
        ph_system *s = tk_model(ph_model_at(i)->name);
        const ph_space *space = ph_system_space(s);
        const size_t nz = ph_space_ambient(space), nx = ph_space_dimension(space);
        if (ph_system_kind(s) != PH_INERTIA_CONSTANT || !ph_system_is_dense(s) || nz > MOST) {
            ck_assert(!ph_system_inertia_is_uniform(s));
            ph_system_free(s);
            continue;
        }
        double z[MOST], v[MOST], *E = malloc(ph_space_basis_size(space) * sizeof *E), most = 0;
        double *M[2] = {calloc(nx * nx, sizeof(double)), calloc(nx * nx, sizeof(double))};
        TK_MEMORY double *work = malloc((ph_system_work(s) + 1) * sizeof *work);
        tk_random r = {i + 1};
        for (size_t side = 0; side < 2; side++) {
            tk_random_motion(s, &r, z, v);
            ph_space_basis(space, z, E);
            tk_ok(ph_system_tangent_inertia(s, 0, z, NULL, E, M[side], work));
            for (size_t a = 0; a < nx; a++) /* the lower triangle is filled */
                for (size_t b = 0; b <= a; b++)
                    most = fmax(most, fabs(M[side][a * nx + b]));
        }
        double change = 0;
        for (size_t a = 0; a < nx; a++)
            for (size_t b = 0; b <= a; b++)
                change = fmax(change, fabs(M[0][a * nx + b] - M[1][a * nx + b]));
        const bool same = ph_system_inertia_is_uniform(s);
        ck_assert_msg(same == (change <= 1e-14 * most), "%s: %d, %g of %g", ph_model_at(i)->name, same,
                      change, most);
        uniform += same;
        others += !same;
        free(E);
        free(M[0]);
        free(M[1]);
        ph_system_free(s);
    }
    ck_assert_uint_ge(uniform, 6);
    ck_assert_uint_ge(others, 4);
    ck_assert(!ph_system_inertia_is_uniform(NULL));
}

int main(void)
{
    return tk_run("system");
}
