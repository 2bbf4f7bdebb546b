/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles: each member has the bits of a motion that steps alone, whether members share a system or have systems of their own,
 * in lanes of vectors of every width or one after the other; those that fail stop where they would alone, and disturb no other.
 * (Bodies under mutual gravity: tests/gravity/check_ensemble.c.) */
#include "tests/kit/members.h"

#include <polhode/models.h>

enum { MOST = 19, NUMBERS = 18 };
enum { LINK, PAIR, BODY, TOP, FAMILIES };

static const char *const models[FAMILIES] = {"spherical-pendulum", "double-spherical-pendulum",
                                             "free-rigid-body", "heavy-top"};

/* Members, each with its system or all with that of the first, and where they begin. */
typedef struct crowd {
    size_t n, nz, np;
    ph_system *system[MOST];
    double z[NUMBERS * MOST], p[NUMBERS * MOST];
} crowd;

static void crowd_end(crowd *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (i == 0 || c->system[i] != c->system[0])
            ph_system_free(c->system[i]);
}

/* A system of the family, with other numbers for each member. */
static ph_system *build(int family, size_t member)
{
    const double s = 1 + 0.03 * (double)member, one[] = {s, 2 - s}, other[] = {1 / s, 0.8 * s},
                 g[] = {0, 0, -9 * s}, J[] = {0.6 * s, 0.8, 1 / s}, c[] = {0, s, 0.1 * (s - 1)};
    const ph_parameter_value values[][3] = {
        [LINK] = {{"mass", one, 1}, {"length", other, 1}, {"gravity", g, 3}},
        [PAIR] = {{"masses", one, 2}, {"lengths", other, 2}, {"gravity", g, 3}},
        [BODY] = {{"inertia", J, 3}},
        [TOP] = {{"inertia", J, 3}, {"centre", c, 3}, {"gravity", g, 3}},
    };
    return tk_build(models[family], values[family], family == BODY ? 1 : 3);
}

static void put(const double *one, size_t n, size_t members, size_t i, double *all)
{
    for (size_t k = 0; k < n; k++)
        all[k * members + i] = one[k];
}

/* n members in random motion, whose velocities are `fast` times as large. */
static crowd gather(int family, size_t n, bool each, double fast)
{
    crowd c = {.n = n};
    tk_random r = {17 + n};
    for (size_t i = 0; i < n; i++) {
        double z[NUMBERS], v[NUMBERS], p[NUMBERS];
        c.system[i] = each || i == 0 ? build(family, i) : c.system[0];
        c.nz = ph_space_ambient(ph_system_space(c.system[i]));
        c.np = ph_space_momenta(ph_system_space(c.system[i]));
        tk_random_motion(c.system[i], &r, z, v);
        for (size_t k = 0; k < c.nz; k++)
            v[k] *= fast;
        tk_momentum(c.system[i], z, v, p);
        put(z, c.nz, n, i, c.z);
        put(p, c.np, n, i, c.p);
    }
    return c;
}

static tk_members ensemble_of(const crowd *c, bool each, const char *name, const char *method, double h,
                              size_t lanes)
{
    return (tk_members){.name = name,
                        .method = ph_method_find(method, NULL),
                        .h = h,
                        .members = c->n,
                        .system = c->system[0],
                        .systems = each ? (const ph_system *const *)c->system : NULL,
                        .z = c->z,
                        .p = c->p,
                        .lanes = lanes};
}

/* Any number of members, with the kernels of this processor or plain ones: groups that are full and not. */
TEST_EACH(bits, TK_KERNELS *FAMILIES)
{
    const int family = _i / TK_KERNELS;
    if (!tk_kernels(_i % TK_KERNELS))
        return;
    for (size_t n = 1; n <= MOST; n += n < 9 || tk_thorough() ? 1 : 5)
        for (int each = 0; each < 2; each++) {
            TK_ENDS(crowd_end) crowd c = gather(family, n, each, 1);
            tk_members m = ensemble_of(&c, each, models[family], "variational", 0.01, 8);
            ck_assert_uint_eq(tk_compare_members(&m, 60), 0);
            m.h = -0.002;
            ck_assert_uint_eq(tk_compare_members(&m, 60), 0);
        }
    tk_kernels(false);
}

/* Long steps, of which some have no good guess, and some no solution. */
TEST_EACH(long_steps, TK_KERNELS *FAMILIES)
{
    const int family = _i / TK_KERNELS;
    size_t failures = 0;
    if (!tk_kernels(_i % TK_KERNELS))
        return;
    for (int each = 0; each < 2; each++)
        for (double fast = 1; fast < 40; fast *= 1.7) {
            TK_ENDS(crowd_end) crowd c = gather(family, 19, each, fast);
            tk_members m = ensemble_of(&c, each, models[family], "variational", 0.05, 8);
            failures += tk_compare_members(&m, 40);
        }
    printf("%s: %zu members of 266 fail\n", models[family], failures);
    ck_assert_uint_gt(failures, 10);
    tk_kernels(false);
}

/* Compositions, whose stages are steps of several sizes: few steps, as the first stages are guessed in other ways. */
TEST_EACH(compositions, TK_KERNELS *FAMILIES)
{
    const int family = _i / TK_KERNELS;
    size_t failures = 0;
    if (!tk_kernels(_i % TK_KERNELS))
        return;
    for (int each = 0; each < 2; each++)
        for (double fast = 1; fast < 100; fast *= tk_thorough() ? 3 : 9) {
            TK_ENDS(crowd_end) crowd c = gather(family, 11, each, fast);
            tk_members m = ensemble_of(&c, each, models[family], "variational", 0.03, 8);
            for (int64_t steps = 1; steps < 100; steps = 2 * steps + 1) {
                m.setting = (ph_setting){"order", steps % 2 && steps < 30 ? "4" : "6"};
                failures += tk_compare_members(&m, steps);
            }
        }
    ck_assert_uint_gt(failures, 10);
    tk_kernels(false);
}

/* Free bodies by their own map, with steps that are too long for some; those in a potential step one after the other. */
TEST_EACH(moser_veselov, TK_KERNELS)
{
    size_t failures = 0;
    if (!tk_kernels(_i))
        return;
    for (int each = 0; each < 2; each++) {
        for (double fast = 1; fast < 40; fast *= 1.7) {
            TK_ENDS(crowd_end) crowd c = gather(BODY, 19, each, fast);
            tk_members m = ensemble_of(&c, each, "bodies", "moser-veselov", 0.05, 8);
            failures += tk_compare_members(&m, 60);
            m.h = -0.01;
            m.setting = (ph_setting){"order", "2"};
            failures += tk_compare_members(&m, 60);
        }
        TK_ENDS(crowd_end) crowd tops = gather(TOP, 3, each, 1);
        const tk_members m = ensemble_of(&tops, each, "tops", "moser-veselov", 0.01, 1);
        ck_assert_uint_eq(tk_compare_members(&m, 10), 0);
    }
    printf("moser-veselov: %zu members of 532 fail\n", failures);
    ck_assert_uint_gt(failures, 10);
    tk_kernels(false);
}

/* A body with the potential k R_zz^2 / 2, whose callback fails, or is not finite, where R_zz is less than a limit. */
typedef struct tilt {
    double k, limit;
    bool fails;
} tilt;

static ph_status tilt_potential(void *user, const double *z, double *U)
{
    const tilt *of = user;
    *U = 0.5 * of->k * z[8] * z[8];
    return PH_OK;
}

static ph_status tilt_gradient(void *user, const double *z, double *dU)
{
    const tilt *of = user;
    memset(dU, 0, 9 * sizeof *dU);
    dU[8] = of->k * z[8];
    if (!(z[8] < of->limit))
        return PH_OK;
    dU[0] = NAN;
    return of->fails ? PH_E_CALLBACK : PH_OK;
}

static ph_system *tilted(tilt *of, double J)
{
    double MM[81] = {0};
    const double Jd[3] = {J / 2, 0.3, 0.4};
    for (int k = 0; k < 9; k++)
        MM[10 * k] = Jd[k % 3];
    const ph_system_definition d = {
        .ambient_inertia = MM, .potential = tilt_potential, .gradient = tilt_gradient, .user = of};
    return tk_system(d, &(ph_factor){.kind = PH_FACTOR_SO3}, 1);
}

/* Callbacks that fail for some members, in different steps. */
TEST_EACH(callbacks, TK_KERNELS)
{
    tilt of[MOST];
    size_t failures = 0;
    if (!tk_kernels(_i))
        return;
    for (int each = 0; each < 2; each++) {
        crowd c = gather(BODY, MOST, false, 3);
        ph_system_free(c.system[0]);
        for (size_t i = 0; i < MOST; i++) {
            of[i] = (tilt){1 + 0.1 * (double)i, i % 3 ? -2 : -0.9 + 0.02 * (double)i, i % 2};
            c.system[i] = each || i == 0 ? tilted(&of[i], 1 + 0.02 * (double)i) : c.system[0];
        }
        const tk_members m = ensemble_of(&c, each, "tilt", "variational", 0.02, 8);
        failures += tk_compare_members(&m, 400);
        crowd_end(&c);
    }
    printf("callbacks: %zu of 38 fail\n", failures);
    ck_assert_uint_ge(failures, 4);
    ck_assert_uint_le(failures, 34);
    tk_kernels(false);
}

/* A top without gravity among others: its potential is none. */
TEST(uneven)
{
    TK_ENDS(crowd_end) crowd c = gather(TOP, 9, true, 1);
    const ph_parameter_value weightless = {"gravity", (const double[]){0, 0, 0}, 3};
    ph_system_free(c.system[3]);
    c.system[3] = tk_build("heavy-top", &weightless, 1);
    const tk_members m = ensemble_of(&c, true, "uneven", "variational", 0.01, 8);
    ck_assert_uint_eq(tk_compare_members(&m, 30), 0);
}

/* Methods without lanes: an integrator for all, or one for each system. */
TEST_EACH(one_after_the_other, FAMILIES)
{
    for (int each = 0; each < 2; each++) {
        TK_ENDS(crowd_end) crowd c = gather(_i, 5, each, 1);
        tk_members m = ensemble_of(&c, each, models[_i], "rk4", 0.01, 1);
        ck_assert_uint_eq(tk_compare_members(&m, 30), 0);
    }
}

/* An ensemble is used again for other systems: all for a part of the members, then others for all. */
TEST_EACH(other_systems, FAMILIES)
{
    enum { N = 11 };
    TK_ENDS(crowd_end) crowd c = gather(_i, N, true, 1);
    const char *const method[] = {"variational", "rk4"};
    for (int k = 0; k < 2; k++) {
        const ph_system *turned[N], *const *systems = (const ph_system *const *)c.system;
        double z[2][NUMBERS * MOST], p[2][NUMBERS * MOST];
        for (size_t i = 0; i < N; i++)
            turned[i] = systems[N - 1 - i];
        TK_MAKE(
            ph_integrator, it,
            ph_integrator_create(c.system[0], ph_method_find(method[k], NULL), 0.01, NULL, 0, &it, tk_err));
        TK_MAKE(ph_ensemble, e, ph_ensemble_create_each(it, turned, N, &e, tk_err));
        TK_MAKE(ph_ensemble, fresh, ph_ensemble_create_each(it, systems, N, &fresh, tk_err));
        tk_ok(ph_ensemble_set(e, 0, c.z, c.p, PH_STRICT, tk_err));
        tk_ok(ph_ensemble_step(e, 5));
        tk_ok(ph_ensemble_set_systems(e, systems, tk_err));
        tk_refused(ph_ensemble_step(e, 1) ? ph_fail(tk_err, PH_E_INVALID, "%s", ph_ensemble_message(e))
                                          : PH_OK,
                   PH_E_INVALID, "no states have been set");
        tk_ok(ph_ensemble_set(e, 0, c.z, c.p, PH_STRICT, tk_err));
        tk_ok(ph_ensemble_set(fresh, 0, c.z, c.p, PH_STRICT, tk_err));
        tk_ok(ph_ensemble_step(e, 20));
        tk_ok(ph_ensemble_step(fresh, 20));
        ph_ensemble_get(e, z[0], p[0]);
        ph_ensemble_get(fresh, z[1], p[1]);
        ck_assert_mem_eq(z[0], z[1], c.nz * N * sizeof **z);
        ck_assert_mem_eq(p[0], p[1], c.np * N * sizeof **p);
    }
}

/* Systems of other shapes: the member, and what differs. */
TEST(shapes)
{
    const char *const other[] = {"spherical-pendulum", "free-rigid-body", "chaotic-quartic"};
    const char *const words[] = {"member 1: its system has 1 factors, the integrator's 2",
                                 "member 1: its system has 1 factors", "member 1: factor 0 is a "};
    TK_OWN(ph_system) *pair = tk_model("double-spherical-pendulum");
    TK_OWN(ph_ensemble) *e = NULL;
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(pair, ph_method_find("rk4", NULL), 0.01, NULL, 0, &it, tk_err));
    for (size_t i = 0; i < 2; i++) {
        TK_OWN(ph_system) *s = tk_model(other[i]);
        tk_refused(ph_ensemble_create_each(it, (const ph_system *const[]){pair, s}, 2, &e, tk_err),
                   PH_E_INVALID, words[i]);
        ck_assert_ptr_null(e);
    }
    TK_OWN(ph_system) *link = tk_model("spherical-pendulum"), *body = tk_model("free-rigid-body"),
                      *top = tk_model("heavy-top");
    TK_MAKE(ph_integrator, one,
            ph_integrator_create(link, ph_method_find("rk4", NULL), 0.01, NULL, 0, &one, tk_err));
    tk_chain chain;
    tk_chain_fill(&chain, 1, (const double[]){1}, (const double[]){1}, (const double[]){0, 0, -9.81});
    TK_OWN(ph_system) *callbacks = tk_chain_system(&chain);
    TK_MAKE(ph_integrator, two,
            ph_integrator_create(top, ph_method_find("rk4", NULL), 0.01, NULL, 0, &two, tk_err));
    tk_refused(
        ph_ensemble_create_each(one, (const ph_system *const[]){link, link, body}, 3, &e, tk_err),
        PH_E_INVALID,
        "member 2: factor 0 is a rotation with 9 coordinates, that of the integrator's system a sphere with 3");
    tk_refused(ph_ensemble_create_each(one, (const ph_system *const[]){callbacks}, 1, &e, tk_err),
               PH_E_INVALID, "member 0: its system is of the kind \"inertia\", the integrator's \"linkage\"");
    tk_refused(ph_ensemble_create_each(two, (const ph_system *const[]){top, NULL}, 2, &e, tk_err),
               PH_E_INVALID, "member 1 has no system (it is NULL)");
    tk_refused(ph_ensemble_create_each(two, NULL, 2, &e, tk_err), PH_E_INVALID, "ph_ensemble_create");
    tk_ok(ph_ensemble_create(two, 3, &e, tk_err));
    tk_refused(ph_ensemble_set_systems(e, (const ph_system *const[]){top, top, top}, tk_err), PH_E_INVALID,
               "ph_ensemble_create_each");
}

TEST(refused)
{
    enum { N = 11 };
    TK_ENDS(crowd_end) crowd c = gather(BODY, N, true, 1);
    TK_MAKE(
        ph_integrator, it,
        ph_integrator_create(c.system[0], ph_method_find("variational", NULL), 0.1, NULL, 0, &it, tk_err));
    TK_OWN(ph_ensemble) *e = NULL;
    tk_returns(ph_ensemble_create(it, 0, &e, tk_err), PH_E_RANGE);
    ck_assert_int_ne(ph_ensemble_create(NULL, 1, &e, tk_err), PH_OK);
    tk_ok(ph_ensemble_create(it, N, &e, tk_err));
    ck_assert_int_eq(ph_ensemble_step(e, 1), PH_E_INVALID);
    c.z[4 * N + 7] += 0.1;
    tk_refused(ph_ensemble_set(e, 0, c.z, c.p, PH_STRICT, tk_err), PH_E_NOT_ON_MANIFOLD, "member 7: ");
    ck_assert_int_eq(ph_ensemble_step(e, 1), PH_E_INVALID);
    c.z[4 * N + 7] -= 0.1;
    tk_returns(ph_ensemble_set(e, INFINITY, c.z, c.p, PH_PROJECT, tk_err), PH_E_NOT_FINITE);
    tk_ok(ph_ensemble_set(e, 0, c.z, c.p, PH_PROJECT, tk_err));
    ck_assert_int_eq(ph_ensemble_step(e, -1), PH_E_RANGE);
    tk_ok(ph_ensemble_step(e, 3));
    ph_ensemble_free(NULL);
}

/* A step of eight states that cannot begin is finished once, as method.h has it, and its words are the ensemble's; one
 * without anything to begin is taken. */
static int finished;

static ph_method_size little(const ph_system *system, const double *options)
{
    (void)system;
    (void)options;
    return (ph_method_size){.work = 8};
}

static ph_status fail_to_begin(ph_context *context)
{
    return ph_fail(context->error, PH_E_UNSUPPORTED, "not here");
}

static void finish(ph_context *context)
{
    (void)context;
    finished++;
}

static const ph_method *bare_lanes(const ph_system *system, const double *options)
{
    static const ph_method bare = {.name = "bare", .size = little};
    (void)system;
    (void)options;
    return &bare;
}

static const ph_method *broken_lanes(const ph_system *system, const double *options)
{
    static const ph_method broken = {
        .name = "broken", .size = little, .init = fail_to_begin, .finish = finish};
    (void)system;
    (void)options;
    return &broken;
}

TEST(no_beginning)
{
    TK_OWN(ph_system) *system = tk_model("free-rigid-body");
    ph_method method = *ph_method_find("variational", NULL);
    ph_integrator *it;
    method.lanes = broken_lanes;
    tk_ok(ph_integrator_create(system, &method, 0.1, NULL, 0, &it, tk_err));
    ph_ensemble *e = NULL;
    tk_says(ph_ensemble_create(it, 11, &e, tk_err), PH_E_UNSUPPORTED, "not here");
    ck_assert_int_eq(finished, 1);
    ph_integrator_free(it);
    method.lanes = bare_lanes;
    tk_ok(ph_integrator_create(system, &method, 0.1, NULL, 0, &it, tk_err));
    tk_ok(ph_ensemble_create(it, 11, &e, NULL));
    ck_assert_uint_eq(ph_ensemble_lanes(e), 8);
    ph_ensemble_free(e);
    ph_integrator_free(it);
}

int main(void)
{
    return tk_run("ensembles");
}
