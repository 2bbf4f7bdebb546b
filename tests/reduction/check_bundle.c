/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaplygin reduction of random bundles over R^2, S^2, SO(3) and S^1 x R, with every group: the reduced
 * equation against the multipliers of the whole system, energy and momenta, the discrete step against the
 * method dla on the product space, its order against multipliers, alone and composed, and there and back. */
#include "sets.h"
#include "tests/methods/truth.h"

static const ph_factor plane[] = {{PH_FACTOR_R, 2, NULL}}, sphere[] = {{.kind = PH_FACTOR_S2}},
                       rotations[] = {{.kind = PH_FACTOR_SO3}},
                       cylinder[] = {{.kind = PH_FACTOR_S1}, {PH_FACTOR_R, 1, NULL}};
static const ph_group R2 = {PH_GROUP_R, 2}, S1 = {PH_GROUP_S1, 0}, SE2 = {PH_GROUP_SE2, 0},
                      SO3 = {PH_GROUP_SO3, 0};

static const struct {
    const char *name;
    const ph_factor *base;
    size_t n;
    const ph_group *group;
    bool affine, forced, along;
} cases[] = {{"R^2 x SO(3), affine", plane, 1, &SO3, true, false, true},
             {"R^2 x SO(3), linear", plane, 1, &SO3, false, false, false},
             {"R^2 x R^2, affine, forced", plane, 1, &R2, true, true, true},
             {"R^2 x S^1, affine", plane, 1, &S1, true, false, false},
             {"R^2 x SE(2), affine", plane, 1, &SE2, true, false, true},
             {"S^2 x SO(3), affine", sphere, 1, &SO3, true, false, true},
             {"S^1 x R x SE(2), affine, forced", cylinder, 2, &SE2, true, true, true},
             {"SO(3) x R^2, affine", rotations, 1, &R2, true, false, true},
             {"SO(3) x R^2, affine, forced", rotations, 1, &R2, true, true, true},
             {"S^2 x SE(2), linear", sphere, 1, &SE2, false, false, false},
             {"SO(3) x SO(3), affine", rotations, 1, &SO3, true, false, false}};
/* Motions of the last three in the thorough form: they take as long as all others. */
enum { CASES = sizeof cases / sizeof cases[0], SAMPLE = 8 };

/* A case and a start of it. */
typedef struct trip {
    set *s;
    double *work, x[ST_A], v[ST_A], h[ST_H], z[ST_Z], zdot[ST_Z];
} trip;

static trip depart(int i)
{
    trip t;
    tk_random r = {(uint64_t)(i + 1) * 0x2545f4914f6cdd1du};
    t.s = st_create(cases[i].base, cases[i].n, *cases[i].group, cases[i].affine, cases[i].forced,
                    cases[i].along, (uint64_t)i + 31);
    t.work = malloc(ph_bundle_work(t.s->bundle) * sizeof *t.work);
    st_start(t.s, &r, t.x, t.v, t.h, t.z, t.zdot);
    return t;
}

static void arrive(trip *t)
{
    free(t->work);
    st_free(t->s);
}

/* ---- Continuous ------------------------------------------------------------------------------------ */

/* Differences of order 8 in the derivatives: 1e-12 of accelerations of size 10. */
START_TEST(reduced_equation)
{
    trip t = depart(_i);
    const ph_bundle *b = t.s->bundle;
    double a[ST_A], whole[ST_Z], size;
    tk_ok(ph_bundle_acceleration(b, 0.4, t.x, t.v, a, NULL, t.work));
    truth_acceleration(t.s->system, 0.4, t.z, t.zdot, whole);
    size = 1 + ph_max_norm(whole, t.s->nz);
    printf("%s: acceleration %.1e of %.1f\n", cases[_i].name, tk_max_difference(a, whole, t.s->na), size);
    ck_assert_double_le(tk_max_difference(a, whole, t.s->na), 2e-12 * size);
    arrive(&t);
}
END_TEST

START_TEST(energy_and_momenta)
{
    trip t = depart(_i);
    const ph_bundle *b = t.s->bundle;
    const size_t np = ph_space_momenta(t.s->base);
    double E, kinetic, potential, y[ST_A], px[ST_A], pz[ST_G], p[ST_Z], v[ST_A], pg[ST_G];
    double *work = malloc(ph_system_work(t.s->system) * sizeof *work);
    tk_ok(ph_bundle_energy(b, t.x, t.v, &E, t.work));
    tk_ok(ph_system_energy(t.s->system, t.z, t.zdot, &kinetic, &potential, work));
    ck_assert_double_le(fabs(E - (kinetic + potential)), 1e-14 * (1 + kinetic));
    tk_ok(ph_bundle_momentum(b, t.x, t.v, y, px, pz, t.work));
    tk_ok(ph_system_momentum(t.s->system, t.z, t.zdot, p, work));
    ck_assert_double_le(tk_max_difference(px, p, np), 1e-13 * (1 + ph_max_norm(p, np)));
    /* p of SE(2) is that of the fixed frame */
    memcpy(pg, p + np, t.s->g * sizeof *pg);
    if (t.s->group.kind == PH_GROUP_SE2) {
        pg[0] = t.h[2] * p[np] + t.h[3] * p[np + 1];
        pg[1] = -t.h[3] * p[np] + t.h[2] * p[np + 1];
    }
    ck_assert_double_le(tk_max_difference(pz, pg, t.s->g), 1e-13 * (1 + ph_max_norm(p, np)));
    tk_ok(ph_bundle_velocity(b, t.x, y, v, t.work));
    ck_assert_double_le(tk_max_difference(v, t.v, t.s->na), 1e-13 * (1 + ph_max_norm(v, t.s->na)));
    free(work);
    arrive(&t);
}
END_TEST

/* The multipliers are what the group's momentum needs: pdot = ad_zeta^T p + F + lambda, pdot by a difference
 * of order 8 along the parabola of the motion (over R^2, where that is one on the base). On R^k and S^1 ad =
 * 0. */
START_TEST(multipliers)
{
    trip t = depart(_i);
    const set *s = t.s;
    double a[ST_A], lambda[ST_G], zeta[ST_G], rate[ST_G] = {0}, y[ST_A], p[ST_G], p0[ST_G], x[ST_A], v[ST_A],
                                              q[3];
    static const double weight[] = {8. / 5, -4. / 5, 8. / 35, -1. / 35};
    if (cases[_i].base == plane) {
        tk_ok(ph_bundle_acceleration(s->bundle, 0, t.x, t.v, a, lambda, t.work));
        tk_ok(ph_bundle_group_velocity(s->bundle, t.x, t.v, zeta, t.work));
        tk_ok(ph_bundle_momentum(s->bundle, t.x, t.v, y, NULL, p0, t.work));
        for (int j = -4; j <= 4; j++) {
            const double e = j / 256.;
            if (!j)
                continue;
            for (size_t i = 0; i < 2; i++) {
                x[i] = t.x[i] + e * t.v[i] + e * e / 2 * a[i];
                v[i] = t.v[i] + e * a[i];
            }
            tk_ok(ph_bundle_momentum(s->bundle, x, v, y, NULL, p, t.work));
            for (size_t i = 0; i < s->g; i++)
                rate[i] += weight[abs(j) - 1] * p[i] / (2 * e);
        }
        memset(q, 0, sizeof q);
        if (s->group.kind == PH_GROUP_SO3)
            ph_cross3(p0, zeta, q);
        if (s->group.kind == PH_GROUP_SE2) {
            q[0] = zeta[2] * p0[1];
            q[1] = -zeta[2] * p0[0];
            q[2] = zeta[1] * p0[0] - zeta[0] * p0[1];
        }
        for (size_t i = 0; i < s->g; i++) {
            const double f = s->forced ? -0.4 * zeta[i] : 0;
            ck_assert_double_le(fabs(rate[i] - q[i] - f - lambda[i]), 1e-10 * (1 + fabs(rate[i])));
        }
    }
    arrive(&t);
}
END_TEST

/* d w(u, v) - [w u, w v] in a chart of the base: over R^2 by differences of the connection itself. */
START_TEST(curvature)
{
    trip t = depart(_i);
    const set *s = t.s;
    double u[2] = {0.7, -0.4}, here[ST_G], zu[ST_G], zv[ST_G], drift[ST_G], flat[ST_G], none[2] = {0, 0},
           c[3];
    static const double weight[] = {8. / 5, -4. / 5, 8. / 35, -1. / 35};
    if (cases[_i].base == plane) {
        tk_ok(ph_bundle_curvature(s->bundle, t.x, u, t.v, here, t.work));
        memset(flat, 0, sizeof flat);
        for (int j = -4; j <= 4; j++)
            for (int side = 0; side < 2 && j; side++) { /* (Dw u) v - (Dw v) u */
                const double *to = side ? t.v : u, *of = side ? u : t.v, e = j / 128.;
                double x[2] = {t.x[0] + e * to[0], t.x[1] + e * to[1]};
                tk_ok(ph_bundle_group_velocity(s->bundle, x, of, zu, t.work));
                tk_ok(ph_bundle_group_velocity(s->bundle, x, none, drift, t.work));
                for (size_t i = 0; i < s->g; i++)
                    flat[i] += (side ? -1 : 1) * weight[abs(j) - 1] * (drift[i] - zu[i]) / (2 * e);
            }
        tk_ok(ph_bundle_group_velocity(s->bundle, t.x, none, drift, t.work));
        tk_ok(ph_bundle_group_velocity(s->bundle, t.x, u, zu, t.work));
        tk_ok(ph_bundle_group_velocity(s->bundle, t.x, t.v, zv, t.work));
        for (size_t i = 0; i < s->g; i++) {
            zu[i] = drift[i] - zu[i];
            zv[i] = drift[i] - zv[i];
        }
        memset(c, 0, sizeof c);
        if (s->group.kind == PH_GROUP_SO3)
            ph_cross3(zu, zv, c);
        if (s->group.kind == PH_GROUP_SE2) {
            c[0] = -zu[2] * zv[1] + zv[2] * zu[1];
            c[1] = zu[2] * zv[0] - zv[2] * zu[0];
        }
        for (size_t i = 0; i < s->g; i++)
            ck_assert_double_le(fabs(here[i] - (flat[i] - c[i])), 1e-11);
    }
    arrive(&t);
}
END_TEST

/* ---- Motions ---------------------------------------------------------------------------------------- */

static ph_bundle_motion *move(const trip *t, ph_bundle_rule rule, const char *composition, double h)
{
    ph_bundle_motion *m;
    tk_ok(ph_bundle_motion_create(t->s->bundle, rule, composition, h, &m, NULL));
    tk_ok(ph_bundle_motion_set(m, 0, t->x, t->v, t->h, NULL));
    return m;
}

static void steps(ph_bundle_motion *m, int64_t n)
{
    ph_error err = {.message = ""};
    ck_assert_msg(!ph_bundle_motion_step(m, n, &err), "%s", err.message);
}

/* The largest difference of x and h from those of z. */
static double apart(const trip *t, const ph_bundle_motion *m, const double *z)
{
    return tk_max(tk_max_difference(ph_bundle_motion_base(m), z, t->s->na),
                  tk_max_difference(ph_bundle_motion_group(m), z + t->s->na, t->s->nh));
}

/* y of a state of the product space. */
static void horizontal(const trip *t, const ph_state *state, double *y)
{
    const set *s = t->s;
    double zdot[ST_Z], *work = malloc(ph_system_work(s->system) * sizeof *work);
    tk_ok(ph_system_velocity(s->system, state->z, state->p, zdot, work));
    tk_ok(ph_bundle_momentum(s->bundle, state->z, zdot, y, NULL, NULL, t->work));
    free(work);
}

/* 20 steps of dla on the product space: the same but for rounding where its exponential is that of G. To
 * order 2 on SE(2), where it has chords in the plane, and under drag on curved factors, where its forces see
 * the chord. */
START_TEST(projection_of_the_whole_step)
{
    static const char *const words[] = {"exponential", "exponential-midpoint"};
    trip t = depart(_i);
    const double h[] = {0.02, 0.01};
    for (int rule = 0; rule < 2; rule++) {
        double off[2];
        const bool curved = cases[_i].base != plane || t.s->group.kind != PH_GROUP_R;
        const int n = t.s->group.kind == PH_GROUP_SE2 || (t.s->forced && curved) ? 2 : 1;
        for (int k = 0; k < n; k++) {
            const int64_t count = 20 << k;
            ph_integrator *it;
            ph_state *state;
            ph_bundle_motion *m = move(&t, rule ? PH_BUNDLE_MIDPOINT : PH_BUNDLE_ENDS, NULL, h[k]);
            double y[ST_A];
            tk_start_with(t.s->system, ph_method_find("dla", NULL), "discrete-lagrangian", words[rule], h[k],
                          0, t.z, t.zdot, &it, &state);
            tk_steps(it, state, count);
            steps(m, count);
            horizontal(&t, state, y);
            off[k] = apart(&t, m, state->z);
            off[k] = tk_max(off[k], tk_max_difference(y, ph_bundle_motion_y(m), ph_space_momenta(t.s->base)));
            tk_end(it, state);
            ph_bundle_motion_free(m);
        }
        printf("%s, %s: %.1e from dla", cases[_i].name, words[rule], off[0]);
        if (n == 2) {
            printf(", order %.2f\n", log2(off[0] / off[1]));
            ck_assert_double_gt(off[0], 1e-9);
            ck_assert(fabs(log2(off[0] / off[1]) - 2) < 0.1);
        } else {
            printf("\n");
            ck_assert_double_le(off[0], 1e-12);
        }
    }
    arrive(&t);
}
END_TEST

/* Orders against the motion by multipliers; the steps are where the error is far from both 1 and rounding. */
START_TEST(orders)
{
    static const struct {
        ph_bundle_rule rule;
        const char *composition;
        int order, n;
        double within;
    } rows[] = {{PH_BUNDLE_ENDS, NULL, 2, 40, 0.05},
                {PH_BUNDLE_MIDPOINT, NULL, 2, 40, 0.05},
                {PH_BUNDLE_ENDS, "suzuki-5", 4, 10, 0.3},
                {PH_BUNDLE_ENDS, "kahan-li-9", 6, 6, 0.6},
                {PH_BUNDLE_RK4, NULL, 4, 20, 0.3}};
    trip t = depart(_i);
    const double T = 0.5;
    double z[ST_Z], p[ST_Z];
    truth_follow(t.s->system, t.z, t.zdot, T, 0.1, z, p);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double off[2];
        for (int k = 0; k < 2; k++) {
            const int n = rows[i].n << k;
            ph_bundle_motion *m = move(&t, rows[i].rule, rows[i].composition, T / n);
            steps(m, n);
            off[k] = apart(&t, m, z);
            ph_bundle_motion_free(m);
        }
        const double order = log2(off[0] / off[1]);
        printf("%s, rule %d, %s: %.1e, order %.2f\n", cases[_i].name, (int)rows[i].rule,
               rows[i].composition ? rows[i].composition : "alone", off[1], order);
        ck_assert(off[1] < 1e-12 || order > rows[i].order - rows[i].within);
        ck_assert(rows[i].order > 2 || order < 2 + rows[i].within);
    }
    arrive(&t);
}
END_TEST

START_TEST(there_and_back)
{
    trip t = depart(_i);
    for (int rule = 0; rule < 2; rule++) {
        ph_bundle_motion *m = move(&t, rule ? PH_BUNDLE_MIDPOINT : PH_BUNDLE_ENDS, NULL, 0.05);
        double y[ST_A], off;
        memcpy(y, ph_bundle_motion_y(m), ph_space_momenta(t.s->base) * sizeof *y);
        steps(m, 1);
        tk_ok(ph_bundle_motion_set_step_size(m, -0.05, NULL));
        steps(m, 1);
        off = tk_max(apart(&t, m, t.z),
                     tk_max_difference(y, ph_bundle_motion_y(m), ph_space_momenta(t.s->base)) /
                         (1 + ph_max_norm(y, ph_space_momenta(t.s->base))));
        printf("%s, rule %d: there and back %.1e\n", cases[_i].name, rule, off);
        ck_assert_double_le(off, 1e-14);
        ck_assert_double_le(fabs(ph_bundle_motion_time(m)), 1e-16);
        ph_bundle_motion_free(m);
    }
    arrive(&t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bundle");
    TCase *tc = tcase_create("random bundles");
    const int motions = tk_thorough() ? CASES : SAMPLE;
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, reduced_equation, 0, CASES);
    tcase_add_loop_test(tc, energy_and_momenta, 0, CASES);
    tcase_add_loop_test(tc, multipliers, 0, CASES);
    tcase_add_loop_test(tc, curvature, 0, CASES);
    tcase_add_loop_test(tc, projection_of_the_whole_step, 0, motions);
    tcase_add_loop_test(tc, orders, 0, motions);
    tcase_add_loop_test(tc, there_and_back, 0, CASES);
    suite_add_tcase(s, tc);
    return tk_main(s);
}
