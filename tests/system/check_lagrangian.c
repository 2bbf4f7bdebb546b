/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems by an inertia that depends on the configuration or by any Lagrangian: what is refused, and in what
 * words; derivatives by every way of giving L against complex steps; energy; a Lagrangian whose Legendre
 * transform is known in closed form; Lagrangians that are not regular. */
#include "tests/kit/hostile.h"
#include "tests/kit/lagsystem.h"

/* ---- Definitions ------------------------------------------------------------------------------------- */

typedef struct draft {
    ph_system_definition d, pairs, ambient, general; /* to take callbacks from */
    double inertia[4];
    ph_space *space;
} draft;

static void lagrangian_and_inertia(draft *b)
{
    b->d = b->general;
    b->d.inertia = b->inertia;
}

static void lagrangian_and_potential(draft *b)
{
    b->d = b->general;
    b->d.potential = b->pairs.potential;
    b->d.gradient = b->pairs.gradient;
}

static void two_inertias(draft *b)
{
    b->d.ambient_inertia_at = b->ambient.ambient_inertia_at;
}

static void no_derivative(draft *b)
{
    b->d.inertia_dz = NULL;
}

static void derivative_alone(draft *b)
{
    b->d.inertia_at = NULL;
    b->d.inertia = b->inertia;
}

static void gradient_alone(draft *b)
{
    b->d.lagrangian_gradient = b->general.lagrangian_gradient;
}

static ph_status no_rate(void *user, double t, const double *z, const double *zdot, double *Lt, double *Lvt)
{
    (void)user, (void)t, (void)z, (void)zdot, (void)Lvt;
    *Lt = 0;
    return PH_OK;
}

static void rate_alone(draft *b)
{
    b->d.lagrangian_rate = no_rate;
}

static void hessian_alone(draft *b)
{
    b->d.lagrangian_hessian = b->general.lagrangian_hessian;
}

static void nothing(draft *b)
{
    b->d.inertia_at = NULL;
    b->d.inertia_dz = NULL;
}

static void other_lengths(draft *b)
{
    const ph_factor factors[2] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S1}};
    ph_space_free(b->space);
    tk_ok(ph_space_create(factors, 2, &b->space, NULL));
}

static void failing_inertia(draft *b)
{
    hk_arm(b->d.user, HK_INERTIA, HK_FAIL, PH_E_CALLBACK, 3, false);
}

static ph_status indefinite(void *user, const double *z, double *M)
{
    (void)user, (void)z;
    M[0] = M[3] = 1;
    M[1] = M[2] = 2;
    return PH_OK;
}

static void indefinite_inertia(draft *b)
{
    b->d.inertia_at = indefinite;
}

static const struct {
    void (*spoil)(draft *b);
    ph_status status;
    const char *says;
} bad[] = {
    {lagrangian_and_inertia, PH_E_INVALID, "2 of them are given"},
    {lagrangian_and_potential, PH_E_INVALID, "potential is given with a lagrangian"},
    {two_inertias, PH_E_INVALID, "2 of them are given"},
    {no_derivative, PH_E_INVALID, "needs its derivative, inertia_dz"},
    {derivative_alone, PH_E_INVALID, "inertia_dz is given without"},
    {gradient_alone, PH_E_INVALID, "derivatives of a lagrangian are given without it"},
    {rate_alone, PH_E_INVALID, "derivatives of a lagrangian are given without it"},
    {hessian_alone, PH_E_INVALID, "derivatives of a lagrangian are given without it"},
    {nothing, PH_E_INVALID, "0 of them are given"},
    {other_lengths, PH_E_INVALID, "vectors of one length; factor 2"},
    {failing_inertia, PH_E_CALLBACK, "the inertia failed at a trial configuration"},
    {indefinite_inertia, PH_E_SINGULAR, "not positive definite"},
};

TEST_EACH(bad_definitions, sizeof bad / sizeof bad[0])
{
    hk_user user = {0};
    ph_system *system = NULL;
    draft b = {.inertia = {2, 0.5, 0.5, 1}, .space = hk_space()};
    hk_define(&b.pairs, &user, HK_VARYING);
    hk_define(&b.ambient, &user, HK_VARYING_AMBIENT);
    hk_define(&b.general, &user, HK_GENERAL);
    b.d = b.pairs;
    bad[_i].spoil(&b);
    b.d.space = b.space;
    ph_status status = ph_system_create(&b.d, &system, tk_err);
    ck_assert_msg(status == bad[_i].status, "%s: %s", ph_status_name(status), tk_err->message);
    ck_assert_msg(strstr(tk_err->message, bad[_i].says) != NULL, "%s", tk_err->message);
    ck_assert_ptr_null(system);
    ck_assert_int_eq(user.freed, 1);
    ph_space_free(b.space);
}

static ph_status one_more(void *user, double t, const double *z, const double *v, double *f)
{
    (void)user, (void)t, (void)z, (void)v;
    f[0] += 1;
    return PH_OK;
}

/* A forced system uses the Lagrangian of its base, and may not have another. */
TEST_EACH(forced_lagrangians, HK_EVERY - HK_FLAVOURS)
{
    hk_user user = {0}, other = {0};
    const ph_system_definition added = {.force = one_more};
    ph_system *base = hk_system(&user, (hk_flavour)(HK_FLAVOURS + _i)), *forced = NULL;
    double z[HK_NZ], v[HK_NZ], L = 0, L1 = 0, f[HK_NZ], f1[HK_NZ], *work;
    tk_ok(ph_system_create_forced(base, &added, &forced, NULL));
    ck_assert_int_eq(ph_system_kind(forced), ph_system_kind(base));
    ck_assert_int_eq(ph_system_has_pair_inertia(forced), ph_system_has_pair_inertia(base));
    ck_assert_uint_eq(ph_system_work(forced), ph_system_work(base));
    work = malloc(ph_system_work(base) * sizeof *work);
    hk_start(1, z, v);
    tk_ok(ph_system_lagrangian(base, 0, z, v, &L, work));
    tk_ok(ph_system_lagrangian(forced, 0, z, v, &L1, work));
    ck_assert_double_eq(L, L1);
    tk_ok(ph_system_force(base, 0, z, v, f));
    tk_ok(ph_system_force(forced, 0, z, v, f1));
    f[0] += 1;
    ck_assert(!memcmp(f, f1, sizeof f));
    ph_system_free(forced);
    ph_system_definition wrong = added;
    ph_system_definition general;
    hk_define(&general, &other, HK_GENERAL);
    wrong.lagrangian = general.lagrangian;
    ck_assert_int_eq(ph_system_create_forced(base, &wrong, &forced, NULL), PH_E_INVALID);
    free(work);
    ph_system_free(base);
}

/* ---- Derivatives -------------------------------------------------------------------------------------- */

static const struct {
    cs_set set;
    size_t spheres;
    cs_kind kind;
    lag_given given;
    double first, second; /* tolerances, relative to the largest entry */
} ways[] = {
    {CS_SPHERES, 3, CS_QUADRATIC, CS_GIVEN_CONSTANT_PAIRS, 1e-14, 1e-14},
    {CS_PRODUCT, 0, CS_AMBIENT, CS_GIVEN_CONSTANT_AMBIENT, 1e-14, 1e-14},
    {CS_SPHERES, 3, CS_QUADRATIC, CS_GIVEN_PAIRS, 1e-14, 1e-14},
    {CS_PRODUCT, 0, CS_AMBIENT, CS_GIVEN_AMBIENT, 1e-14, 1e-14},
    {CS_PRODUCT, 0, CS_GENERAL, CS_GIVEN_HESSIAN, 1e-14, 1e-14},
    {CS_PRODUCT, 0, CS_GENERAL, CS_GIVEN_GRADIENT, 1e-14, 1e-12},
    {CS_PRODUCT, 0, CS_GENERAL, CS_GIVEN_COMPLEX, 1e-14, 1e-12},
    {CS_PRODUCT, 0, CS_GENERAL, CS_GIVEN_VALUES, 1e-12, 1e-9},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static mult_system make_system(int i, cs_system *own, tk_random *r)
{
    mult_system s = cs_random(own, ways[i].set, ways[i].spheres, ways[i].kind, r);
    if (ways[i].given == CS_GIVEN_CONSTANT_PAIRS)
        memset(own->kij, 0, sizeof own->kij);
    if (ways[i].given == CS_GIVEN_CONSTANT_AMBIENT)
        memset(own->k, 0, sizeof own->k);
    return s;
}

static void slopes(const void *self, const mult_number *z, mult_number *out)
{
    const mult_system *s = self;
    s->gradient(s->self, z, z + s->n, out, out + s->n);
}

static double off(const double *a, const double *b, size_t n)
{
    return tk_max_difference(a, b, n) / ph_max_norm(b, n);
}

TEST_EACH(derivatives, WAYS)
{
    enum { N = CS_N, NN = CS_N * CS_N };
    static double zz[NN], vz[NN], vv[NN], Lzz[NN], Lvz[NN], Lvv[NN];
    tk_random r = {601 + (uint64_t)_i};
    cs_system own;
    mult_system s = make_system(_i, &own, &r);
    size_t n = s.n;
    double x[N], v[N], at[2 * N], along[2 * N] = {0}, column[2 * N], Lz[N], Lv[N], g[2 * N], L = 0, b[N];
    mult_number z[2 * N], out[2 * N];
    TK_OWN(ph_system) *system = lag_create(&s, ways[_i].given, false);
    TK_MEMORY double *work = malloc(ph_system_work(system) * sizeof *work);
    cs_point(&s, &r, x, v);
    mult_pair(n, x, v, at);
    mult_complex(2 * n, at, z);
    slopes(&s, z, out);
    for (size_t k = 0; k < 2 * n; k++) {
        g[k] = creal(out[k]);
        along[k] = 1;
        mult_derivative(slopes, &s, 2 * n, 2 * n, at, along, column);
        along[k] = 0;
        for (size_t i = 0; i < n; i++) {
            if (k < n) {
                zz[i * n + k] = column[i];
                vz[i * n + k] = column[n + i];
            } else {
                vv[i * n + k - n] = column[n + i];
            }
        }
    }
    tk_ok(ph_system_lagrangian(system, 0, x, v, &L, work));
    ck_assert_double_eq_tol(L, creal(s.lagrangian(s.self, z, z + n)), 1e-14 * (1 + fabs(L)));
    tk_ok(ph_system_lagrangian_gradient(system, 0, x, v, Lz, Lv, work));
    tk_ok(ph_system_lagrangian_hessian(system, 0, x, v, Lzz, Lvz, Lvv, work));
    double first = tk_max(off(Lz, g, n), off(Lv, g + n, n)), mixed = ph_max_norm(vz, n * n),
           second = tk_max(off(Lzz, zz, n * n), off(Lvv, vv, n * n));
    second = tk_max(second, tk_max_difference(Lvz, vz, n * n) / (1 + mixed));
    if (ways[_i].given < CS_GIVEN_HESSIAN) /* U is there by its gradient alone */
        second = tk_max(off(Lvv, vv, n * n), tk_max_difference(Lvz, vz, n * n) / (1 + mixed));
    printf("%s: first derivatives %.1e, second %.1e, d2L/dz2 %.1e\n", lag_given_name(ways[_i].given), first,
           second, off(Lzz, zz, n * n));
    ck_assert_double_le(first, ways[_i].first);
    ck_assert_double_le(second, ways[_i].second);
    ck_assert_double_le(off(Lzz, zz, n * n), tk_max(ways[_i].second, 1e-12));
    /* outputs that are NULL do not change the others */
    memset(Lvv, 0, sizeof Lvv);
    memset(Lv, 0, sizeof Lv);
    tk_ok(ph_system_lagrangian_hessian(system, 0, x, v, NULL, NULL, Lvv, work));
    tk_ok(ph_system_lagrangian_gradient(system, 0, x, v, NULL, Lv, work));
    ck_assert_double_le(off(Lvv, vv, n * n), ways[_i].second);
    ck_assert_double_le(off(Lv, g + n, n), ways[_i].first);
    tk_ok(ph_system_euler_lagrange(system, 0, x, v, Lvv, b, work));
    for (size_t i = 0; i < n; i++) {
        Lz[i] = -g[i];
        for (size_t k = 0; k < n; k++)
            Lz[i] += vz[i * n + k] * v[k];
    }
    ck_assert_double_le(off(b, Lz, n), ways[_i].second);
    ck_assert_double_le(off(Lvv, vv, n * n), ways[_i].second);
}

/* E = L_v . v - L; its parts: (1/2) v.MM v and U where there is an inertia, else what L is at rest. */
TEST_EACH(energies, WAYS)
{
    tk_random r = {641 + (uint64_t)_i};
    cs_system own;
    mult_system s = make_system(_i, &own, &r);
    double x[CS_N], v[CS_N], T = 0, U = 0, *work;
    mult_number z[CS_N], w[CS_N], Lx[CS_N], Lv[CS_N], still[CS_N] = {0};
    TK_OWN(ph_system) *system = lag_create(&s, ways[_i].given, false);
    work = malloc(ph_system_work(system) * sizeof *work);
    cs_point(&s, &r, x, v);
    mult_complex(s.n, x, z);
    mult_complex(s.n, v, w);
    s.gradient(s.self, z, w, Lx, Lv);
    double E = creal(mult_dot(s.n, Lv, w) - s.lagrangian(s.self, z, w)),
           rest = -creal(s.lagrangian(s.self, z, still));
    tk_ok(ph_system_energy(system, 0, x, v, &T, &U, work));
    ck_assert_double_eq_tol(T + U, E, 1e-12 * (1 + fabs(E)));
    ck_assert_double_eq_tol(U, rest, 1e-14 * (1 + fabs(rest)));
    ck_assert_int_eq(ph_system_potential(system, x, &U),
                     ways[_i].given < CS_GIVEN_HESSIAN ? PH_OK : PH_E_UNSUPPORTED);
    ck_assert_int_eq(ph_system_gradient(system, x, v),
                     ways[_i].given < CS_GIVEN_HESSIAN ? PH_OK : PH_E_UNSUPPORTED);
    free(work);
}

/* A constant inertia has no slopes, whatever was there. */
TEST(pairs)
{
    tk_random r = {651};
    cs_system own;
    mult_system s = make_system(0, &own, &r);
    double x[CS_N], v[CS_N], m[9], dm[9 * CS_N];
    TK_OWN(ph_system) *system = lag_create(&s, CS_GIVEN_CONSTANT_PAIRS, false);
    cs_point(&s, &r, x, v);
    for (size_t i = 0; i < sizeof dm / sizeof *dm; i++)
        dm[i] = NAN;
    tk_ok(ph_system_pair_inertia(system, x, m, dm));
    ck_assert_mem_eq(m, ph_system_inertia(system), sizeof m);
    for (size_t i = 0; i < 9 * s.n; i++)
        ck_assert_double_eq(dm[i], 0);
}

/* ---- One unit vector, L of its velocity -------------------------------------------------------------- */

static double square(const double *v)
{
    return ph_dot3(v, v);
}

/* A particle at speeds up to 1: L = -sqrt(1 - v.v), v = mu / sqrt(1 + mu.mu), E = 1 / sqrt(1 - v.v). */
static ph_status relativistic(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user, (void)z;
    *L = -sqrt(1 - square(v));
    return PH_OK;
}

static ph_status relativistic_gradient(void *user, double t, const double *z, const double *v, double *Lz,
                                       double *Lv)
{
    (void)t, (void)user, (void)z;
    for (int i = 0; i < 3; i++) {
        Lz[i] = 0;
        Lv[i] = v[i] / sqrt(1 - square(v));
    }
    return PH_OK;
}

static ph_status relativistic_hessian(void *user, double t, const double *z, const double *v, double *Lzz,
                                      double *Lvz, double *Lvv)
{
    (void)t;
    double g2 = 1 / (1 - square(v)), g = sqrt(g2);
    (void)user, (void)z;
    for (int i = 0; i < 9; i++) {
        Lzz[i] = Lvz[i] = 0;
        Lvv[i] = g * ((i % 4 ? 0 : 1) + g2 * v[i / 3] * v[i % 3]);
    }
    return PH_OK;
}

/* Of degree 4: not regular at rest. */
static ph_status quartic(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user, (void)z;
    *L = square(v) * square(v) / 4;
    return PH_OK;
}

static ph_status quartic_gradient(void *user, double t, const double *z, const double *v, double *Lz,
                                  double *Lv)
{
    (void)t, (void)user, (void)z;
    for (int i = 0; i < 3; i++) {
        Lz[i] = 0;
        Lv[i] = square(v) * v[i];
    }
    return PH_OK;
}

static ph_status quartic_hessian(void *user, double t, const double *z, const double *v, double *Lzz,
                                 double *Lvz, double *Lvv)
{
    (void)t, (void)user, (void)z;
    for (int i = 0; i < 9; i++) {
        Lzz[i] = Lvz[i] = 0;
        Lvv[i] = (i % 4 ? 0 : square(v)) + 2 * v[i / 3] * v[i % 3];
    }
    return PH_OK;
}

/* (a.v)^2/2 has one direction in which nothing resists; b.v has none in which anything does. */
static ph_status flat(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t;
    double along = 0.48 * v[0] - 0.6 * v[1] + 0.64 * v[2];
    (void)user, (void)z;
    *L = along * along / 2;
    return PH_OK;
}

static ph_status linear(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user;
    *L = z[0] * v[1] - z[1] * v[0];
    return PH_OK;
}

static ph_status linear_gradient(void *user, double t, const double *z, const double *v, double *Lz,
                                 double *Lv)
{
    (void)t, (void)user;
    Lz[0] = v[1];
    Lz[1] = -v[0];
    Lv[0] = -z[1];
    Lv[1] = z[0];
    Lz[2] = Lv[2] = 0;
    return PH_OK;
}

/* MM = (q_3 + 0.99) I: of the wrong sign about the south pole. */
static ph_status lopsided(void *user, const double *z, double *M)
{
    (void)user;
    *M = z[2] + 0.99;
    return PH_OK;
}

static ph_status lopsided_dz(void *user, const double *z, double *dM)
{
    (void)user, (void)z;
    dM[0] = dM[1] = 0;
    dM[2] = 1;
    return PH_OK;
}

static ph_system *on_sphere(ph_system_definition d)
{
    const ph_factor sphere = {.kind = PH_FACTOR_S2};
    return tk_system(d, &sphere, 1);
}

/* Newton's iteration from rest, whose full step goes beyond the speed 1 where L is no number. */
TEST_EACH(relativistic_particle, 2)
{
    const ph_system_definition given[] = {
        {.lagrangian = relativistic,
         .lagrangian_gradient = relativistic_gradient,
         .lagrangian_hessian = relativistic_hessian},
        {.lagrangian = relativistic, .lagrangian_gradient = relativistic_gradient},
    };
    tk_random r = {701};
    TK_OWN(ph_system) *system = on_sphere(given[_i]);
    double *work = malloc(ph_system_work(system) * sizeof *work), worst = 0, T, U;
    for (int round = 0; round < 200; round++) {
        double q[3], p[3], v[3], expected[3], turn[3], size;
        tk_unit(&r, q);
        tk_tangent(&r, q, p);
        size = tk_log_uniform(&r, 1e-3, _i ? 1 : 30) / ph_norm3(p);
        for (int i = 0; i < 3; i++)
            p[i] *= size;
        ph_cross3(p, q, turn); /* mu */
        for (int i = 0; i < 3; i++)
            expected[i] = turn[i] / sqrt(1 + square(p));
        ph_status status = ph_system_velocity(system, 0, q, p, v, work);
        ck_assert_msg(!status, "%s for |p| = %g", ph_status_name(status), ph_norm3(p));
        worst = tk_max(worst, tk_max_difference(v, expected, 3) / ph_norm3(expected));
        tk_ok(ph_system_energy(system, 0, q, expected, &T, &U, work));
        ck_assert_double_eq_tol(T + U, sqrt(1 + square(p)), 1e-12 * (1 + square(p)));
    }
    printf("relativistic particle: velocity of the momentum off by %.1e\n", worst);
    ck_assert_double_le(worst, 1e-12);
    free(work);
}

/* Degree 4 across e_2: there nothing resists at first. */
static ph_status edge(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user, (void)z;
    *L = v[1] * v[1] / 2 + v[0] * v[0] * v[0] * v[0] / 4;
    return PH_OK;
}

static ph_status edge_gradient(void *user, double t, const double *z, const double *v, double *Lz, double *Lv)
{
    (void)t, (void)user, (void)z;
    Lz[0] = Lz[1] = Lz[2] = Lv[2] = 0;
    Lv[0] = v[0] * v[0] * v[0];
    Lv[1] = v[1];
    return PH_OK;
}

/* L = -c^2 sqrt(1 - v.v/c^2) by its values alone: beyond the speed c it is no number, in whatever units that
 * is, so that differences must be those of a velocity of this size. */
static ph_status relativistic_in_units(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t;
    const double *c = user;
    (void)z;
    *L = -*c * *c * sqrt(1 - square(v) / (*c * *c));
    return PH_OK;
}

TEST(differences_in_any_units)
{
    static const double units[] = {1e-6, 1, 1e6};
    const double q[3] = {0.6, 0, 0.8};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        double c = units[k], v[3] = {0.24 * c, 0.2 * c, -0.18 * c}, Lz[3], Lv[3], Lvv[9], expected[9],
               g2 = 1 / (1 - square(v) / (c * c)), g = sqrt(g2);
        TK_OWN(ph_system) *system =
            on_sphere((ph_system_definition){.lagrangian = relativistic_in_units, .user = &c});
        TK_MEMORY double *work = malloc(ph_system_work(system) * sizeof *work);
        tk_ok(ph_system_lagrangian_gradient(system, 0, q, v, Lz, Lv, work));
        for (int i = 0; i < 3; i++)
            expected[i] = g * v[i];
        double first = off(Lv, expected, 3);
        ck_assert_double_le(first, 1e-12);
        tk_ok(ph_system_lagrangian_hessian(system, 0, q, v, NULL, NULL, Lvv, work));
        for (int i = 0; i < 9; i++)
            expected[i] = g * ((i % 4 ? 0 : 1) + g2 * v[i / 3] * v[i % 3] / (c * c));
        printf("differences where c = %g: %.1e, second %.1e\n", c, first, off(Lvv, expected, 9));
        ck_assert_double_le(off(Lvv, expected, 9), 1e-10);
    }
}

/* Both ways to set a state say it in words, and leave the state. */
TEST_EACH(not_regular, 10)
{
    static const double south[3] = {0, 0, -1}, east[3] = {0, 1, 0}, still[3] = {0, 0, 0};
    static const struct {
        ph_system_definition d;
        const double *v;
        bool regular;
    } cases[] = {
        {{.lagrangian = flat}, east, false},
        {{.lagrangian = linear, .lagrangian_gradient = linear_gradient}, east, false},
        {{.lagrangian = quartic,
          .lagrangian_gradient = quartic_gradient,
          .lagrangian_hessian = quartic_hessian},
         still,
         false},
        {{.lagrangian = quartic,
          .lagrangian_gradient = quartic_gradient,
          .lagrangian_hessian = quartic_hessian},
         east,
         true},
        {{.lagrangian = quartic}, east, true},
        {{.inertia_at = lopsided, .inertia_dz = lopsided_dz}, east, false},
        {{.lagrangian = relativistic}, east, false}, /* at the speed 1: no number */
        {{.lagrangian = relativistic, .lagrangian_gradient = relativistic_gradient}, still, true},
        {{.lagrangian = linear}, east, false}, /* by differences of L what vanishes is rounding, ... */
        {{.lagrangian = edge, .lagrangian_gradient = edge_gradient},
         east,
         false}, /* ... which no scaling hides */
    };
    TK_OWN(ph_system) *system = on_sphere(cases[_i].d);
    ph_error err = {PH_OK, ""};
    double p[3];
    bool number = cases[_i].d.lagrangian != relativistic || cases[_i].regular;
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(system, ph_method_find("rk4", NULL), 0.01, NULL, 0, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    for (int way = 0; way < 2; way++) {
        ph_cross3(south, cases[_i].v, p);
        ph_status status = way ? ph_state_set(it, state, 0, south, p, PH_STRICT, &err)
                               : ph_state_set_velocity(it, state, 0, south, cases[_i].v, PH_STRICT, &err);
        if (way && !number) /* every momentum has a velocity below 1 */
            break;
        ck_assert_msg(status == (cases[_i].regular ? PH_OK
                                 : number          ? PH_E_SINGULAR
                                                   : PH_E_NOT_FINITE),
                      "%d: %s, %s", way, ph_status_name(status), err.message);
        ck_assert_int_eq(status, err.status);
        if (number && !cases[_i].regular) {
            ck_assert_msg(strstr(err.message, "the Lagrangian is not regular at") &&
                              strstr(err.message, "its Legendre transform cannot be inverted"),
                          "%s", err.message);
            ck_assert_double_eq(state->z[2], 0);
        }
    }
}

/* The inverse itself: where the second derivative vanishes it is found at once. */
TEST(no_inverse)
{
    const double south[3] = {0, 0, -1}, p[3] = {0.3, 0.2, 0};
    TK_OWN(ph_system) *system =
        on_sphere((ph_system_definition){.lagrangian = linear, .lagrangian_gradient = linear_gradient});
    double *work = malloc(ph_system_work(system) * sizeof *work), v[3];
    ck_assert_int_eq(ph_system_velocity(system, 0, south, p, v, work), PH_E_SINGULAR);
    free(work);
}

/* L = sqrt(1 + v.v), whose momenta are shorter than 1. */
static ph_status bounded_gradient(void *user, double t, const double *z, const double *v, double *Lz,
                                  double *Lv)
{
    (void)t, (void)user, (void)z;
    for (int i = 0; i < 3; i++) {
        Lz[i] = 0;
        Lv[i] = v[i] / sqrt(1 + square(v));
    }
    return PH_OK;
}

static ph_status bounded(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user, (void)z;
    *L = sqrt(1 + square(v));
    return PH_OK;
}

/* A momentum that belongs to no velocity is reported, although L is regular. */
TEST(no_velocity)
{
    const double south[3] = {0, 0, -1}, p[2][3] = {{0.6, 0.2, 0}, {1.5, 0.2, 0}};
    TK_OWN(ph_system) *system =
        on_sphere((ph_system_definition){.lagrangian = bounded, .lagrangian_gradient = bounded_gradient});
    double *work = malloc(ph_system_work(system) * sizeof *work), v[3];
    tk_ok(ph_system_velocity(system, 0, south, p[0], v, work));
    ck_assert_int_eq(ph_system_velocity(system, 0, south, p[1], v, work), PH_E_NO_CONVERGENCE);
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(system, ph_method_find("rk4", NULL), 0.01, NULL, 0, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set(it, state, 0, south, p[0], PH_STRICT, tk_err));
    tk_refused(ph_state_set(it, state, 0, south, p[1], PH_STRICT, tk_err), PH_E_NO_CONVERGENCE,
               "no velocity was found that belongs to the momentum");
    free(work);
}

/* A callback that fails while a state is set. */
TEST_EACH(states_pass_failures_on, HK_EVERY - HK_FLAVOURS)
{
    hk_flavour flavour = (hk_flavour)(HK_FLAVOURS + _i);
    hk_user user = {0};
    TK_OWN(ph_system) *system = hk_system(&user, flavour);
    double z[HK_NZ], v[HK_NZ], p[HK_NZ];
    int64_t calls = 0;
    hk_start(0.7, z, v);
    TK_START(it, state, system, "rk4", NULL, 0.01, z, v);
    memcpy(p, state->p, sizeof p);
    for (int which = 0; which < HK_CALLBACKS; which++)
        for (int64_t at = 1; hk_has(flavour, (hk_callback)which) && at < 20; at++)
            for (int way = 0; way < 2; way++) {
                TK_OWN(ph_state) *before = hk_clone(it, state);
                hk_arm(&user, (hk_callback)which, HK_FAIL, PH_E_IO, at, false);
                ph_status status = way ? ph_state_set(it, state, 0, z, p, PH_STRICT, tk_err)
                                       : ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, tk_err);
                ck_assert_int_eq(status, hk_went_wrong(&user) ? PH_E_IO : PH_OK);
                if (status) {
                    calls++;
                    ck_assert(hk_same(state, before));
                    ck_assert_msg(strstr(tk_err->message, ph_status_text(PH_E_IO)) != NULL, "%s",
                                  tk_err->message);
                }
                hk_behave(&user);
            }
    ck_assert_int_ge(calls, 2);
}

int main(void)
{
    return tk_run("Lagrangians");
}
