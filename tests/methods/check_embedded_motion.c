/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions on embedded manifolds: the equations against the constraints' second derivative and d'Alembert's
 * principle, rk4 and rk4-projected against motions in charts, closed forms, the integrals of Clairaut and
 * Joachimsthal, and the built-in S^2 and SO(3); what methods and checks refuse. */
#include "tests/kit/embeddings.h"

#include <float.h>

static const double eps = DBL_EPSILON;

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ---- Systems -------------------------------------------------------------------------------------- */

/* U = g.z + (k/2) z.z; no force. */
typedef struct field {
    size_t n;
    double g[32], k;
} field;

static ph_status potential(void *user, const double *z, double *U)
{
    const field *f = user;
    *U = dot(f->n, f->g, z) + 0.5 * f->k * dot(f->n, z, z);
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const field *f = user;
    for (size_t i = 0; i < f->n; i++)
        dU[i] = f->g[i] + f->k * z[i];
    return PH_OK;
}

/* One factor; MM = NULL: the unit matrix. */
static ph_system *make_system(const ph_factor *factors, size_t n, const double *MM, field *f,
                              const ph_symmetry *symmetry)
{
    static double unit[32 * 32];
    ph_system *system = NULL;
    ph_error err = {PH_OK, ""};
    TK_OWN(ph_space) *space = tk_space(factors, n);
    f->n = ph_space_ambient(space);
    for (size_t i = 0; i < f->n * f->n; i++)
        unit[i] = i / f->n == i % f->n;
    ph_system_definition d = {.space = space,
                              .ambient_inertia = MM ? MM : unit,
                              .potential = potential,
                              .gradient = gradient,
                              .symmetries = symmetry,
                              .n_symmetries = symmetry ? 1 : 0,
                              .user = f};
    ck_assert_msg(!ph_system_create(&d, &system, &err), "%s", err.message);
    return system;
}

static ph_system *particle(int manifold, em_way way, field *f, const ph_symmetry *symmetry)
{
    const ph_embedding e = em_embedding(em_at(manifold), way);
    const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED, .embedding = &e};
    return make_system(&factor, 1, NULL, f, symmetry);
}

/* z, v <- the end of a motion of n steps over T. */
static void follow(const ph_system *system, const char *method, const char *form, double T, int64_t n,
                   double *z, double *v)
{
    double work[4000];
    ck_assert(ph_system_work(system) <= sizeof work / sizeof *work);
    TK_START(it, state, system, method, form, T / (double)n, z, v);
    tk_steps(it, state, n);
    memcpy(z, state->z, state->nz * sizeof *z);
    tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, work));
}

/* ---- The equations -------------------------------------------------------------------------------- */

/* On spheroid x curve x S^2 x R^2 with a full MM: sum x_i a_i / b_i^2 = -sum v_i^2 / b_i^2 on the spheroid
 * (half axes b), x a_x + y a_y = -v_x^2 - v_y^2 and a_z = x a_y + y a_x + 2 v_x v_y on the curve, q.a = -v.v
 * on S^2; and MM a + dU does no work on tangent vectors. */
TEST(accelerations)
{
    enum { NZ = 11, NX = 7 };
    const ph_embedding e[2] = {em_embedding(em_at(EM_SPHEROID), EM_BEND),
                               em_embedding(em_at(EM_CURVE), EM_BEND)};
    const ph_factor factors[] = {{.kind = PH_FACTOR_EMBEDDED, .embedding = &e[0]},
                                 {.kind = PH_FACTOR_EMBEDDED, .embedding = &e[1]},
                                 {.kind = PH_FACTOR_S2},
                                 {.kind = PH_FACTOR_R, .d = 2}};
    tk_random r = {200};
    for (int trial = 0; trial < 100; trial++) {
        field f = {.k = 2};
        double B[NZ * NZ], MM[NZ * NZ] = {0}, y[2 * NZ], ydot[2 * NZ], work[2000], push[NZ], worst = 0;
        for (size_t i = 0; i < NZ; i++)
            f.g[i] = tk_normal(&r);
        for (size_t i = 0; i < NZ * NZ; i++)
            B[i] = tk_normal(&r);
        for (size_t i = 0; i < NZ * NZ; i++)
            for (size_t k = 0; k < NZ; k++)
                MM[i] += B[i / NZ * NZ + k] * B[i % NZ * NZ + k] + (i / NZ == i % NZ ? 0.1 : 0);
        TK_OWN(ph_system) *system = make_system(factors, 4, MM, &f, NULL);
        for (size_t i = 0; i < 2 * NZ; i++)
            y[i] = tk_normal(&r);
        em_at(EM_SPHEROID)->point(em_spheroid, &r, y);
        em_at(EM_CURVE)->point(NULL, &r, y + 3);
        tk_unit(&r, y + 6);
        ph_space_project_tangent(ph_system_space(system), y, y + NZ);
        for (int form = 0; form < 2; form++) {
            const ph_field *equations = ph_field_at((size_t)form);
            double *a = ydot + NZ;
            const double *x = y, *q = y + 3, *n = y + 6, *v = y + NZ, *u = v + 3, *w = v + 6,
                         *b = em_spheroid;
            ck_assert(equations->work(system) <= sizeof work / sizeof *work);
            if (form) { /* angular velocity on S^2: q x v, and back */
                double omega[3], alpha[3], turned[3], pull[3];
                ph_cross3(n, w, omega);
                memcpy(y + NZ + 6, omega, sizeof omega);
                tk_ok(equations->evaluate(system, 0, y, ydot, work));
                ck_assert(tk_max_difference(ydot + 6, work, 0) == 0);
                memcpy(alpha, ydot + NZ + 6, sizeof alpha);
                ph_cross3(alpha, n, turned);
                ph_cross3(omega, n, y + NZ + 6);
                ph_cross3(omega, y + NZ + 6, pull);
                for (int i = 0; i < 3; i++)
                    ydot[NZ + 6 + i] = turned[i] + pull[i];
            } else {
                tk_ok(equations->evaluate(system, 0, y, ydot, work));
            }
            ck_assert(tk_max_difference(ydot, v, NZ) <= 8 * eps * (1 + ph_max_norm(v, NZ)));
            double scale = 1 + ph_max_norm(a, NZ) + dot(NZ, v, v), sum = 0;
            for (int i = 0; i < 3; i++)
                sum += (x[i] * a[i] + v[i] * v[i]) / (b[i] * b[i]);
            worst = fmax(worst, fabs(sum) / scale);
            worst = fmax(worst, fabs(q[0] * a[3] + q[1] * a[4] + u[0] * u[0] + u[1] * u[1]) / scale);
            worst = fmax(worst, fabs(a[5] - q[0] * a[4] - q[1] * a[3] - 2 * u[0] * u[1]) / scale);
            worst = fmax(worst, fabs(dot(3, n, a + 6) + dot(3, w, w)) / scale);
            tk_ok(gradient(&f, y, push));
            for (size_t i = 0; i < NZ; i++)
                push[i] += dot(NZ, MM + i * NZ, a);
            /* tangent vectors: two of each surface (its normal x any), the curve's own, the plane */
            for (int k = 0; k < 3; k++) {
                const double unit[3] = {k == 0, k == 1, k == 2},
                             N[3] = {x[0] / (b[0] * b[0]), x[1] / (b[1] * b[1]), x[2] / (b[2] * b[2])};
                double T[3];
                ph_cross3(N, unit, T);
                worst = fmax(worst, fabs(dot(3, T, push)) / (30 * scale));
                ph_cross3(n, unit, T);
                worst = fmax(worst, fabs(dot(3, T, push + 6)) / (30 * scale));
            }
            const double T[3] = {-q[1], q[0], q[0] * q[0] - q[1] * q[1]};
            worst = fmax(worst, fabs(dot(3, T, push + 3)) / (30 * scale));
            worst = fmax(worst, fmax(fabs(push[9]), fabs(push[10])) / (30 * scale));
        }
        ck_assert_msg(worst <= 1e-12, "%g", worst); /* 1e2 eps, times the condition number of MM, some 1e2 */
    }
}

/* ---- Order against motions in charts --------------------------------------------------------------- */

/* Chart motions: y = (coordinates, rates), in n = 40000 steps of the classical method: 1e-13. */
typedef void chart(const double *y, double *ydot);

static void integrate(chart *F, size_t m, double T, double *y)
{
    enum { STEPS = 40000 };
    const double h = T / STEPS;
    for (int step = 0; step < STEPS; step++) {
        double k[4][4], at[4];
        for (int j = 0; j < 4; j++) {
            for (size_t i = 0; i < m; i++)
                at[i] = y[i] + (j ? (j < 3 ? 0.5 : 1) * h * k[j - 1][i] : 0);
            F(at, k[j]);
        }
        for (size_t i = 0; i < m; i++)
            y[i] += h / 6 * (k[0][i] + 2 * (k[1][i] + k[2][i]) + k[3][i]);
    }
}

static const double gravity = 1.5;

/* Latitude u and longitude p on the spheroid, x = (a cos u cos p, a cos u sin p, c sin u), U = gravity z:
 * L = ((a^2 sin^2 u + c^2 cos^2 u) u'^2 + a^2 cos^2 u p'^2) / 2 - gravity c sin u. */
static void spheroid_chart(const double *y, double *ydot)
{
    const double a = em_spheroid[0], c = em_spheroid[2], s = sin(y[0]), k = cos(y[0]);
    const double G = a * a * s * s + c * c * k * k, dG = 2 * (a * a - c * c) * s * k;
    ydot[0] = y[2];
    ydot[1] = y[3];
    ydot[2] = (-0.5 * dG * y[2] * y[2] - a * a * s * k * y[3] * y[3] - gravity * c * k) / G;
    ydot[3] = 2 * s / k * y[2] * y[3];
}

static void spheroid_point(const double *y, double *x, double *v)
{
    const double a = em_spheroid[0], c = em_spheroid[2], s = sin(y[0]), k = cos(y[0]), S = sin(y[1]),
                 K = cos(y[1]);
    const double here[6] = {a * k * K,
                            a * k * S,
                            c * s,
                            -a * s * K * y[2] - a * k * S * y[3],
                            -a * s * S * y[2] + a * k * K * y[3],
                            c * k * y[2]};
    memcpy(x, here, 3 * sizeof *x);
    memcpy(v, here + 3, 3 * sizeof *v);
}

/* The angle b along the curve, x = (cos b, sin b, sin 2b / 2):
 *     L = (1 + cos^2 2b) b'^2 / 2 - gravity sin 2b / 2. */
static void curve_chart(const double *y, double *ydot)
{
    const double c = cos(2 * y[0]), s = sin(2 * y[0]);
    ydot[0] = y[1];
    ydot[1] = (2 * c * s * y[1] * y[1] - gravity * c) / (1 + c * c);
}

static void curve_point(const double *y, double *x, double *v)
{
    const double here[6] = {cos(y[0]),         sin(y[0]),        0.5 * sin(2 * y[0]),
                            -sin(y[0]) * y[1], cos(y[0]) * y[1], cos(2 * y[0]) * y[1]};
    memcpy(x, here, 3 * sizeof *x);
    memcpy(v, here + 3, 3 * sizeof *v);
}

static const struct {
    int manifold;
    size_t m;
    double y[4], T;
    int64_t steps; /* of the coarsest run: from there on the order is asymptotic */
    chart *F;
    void (*point)(const double *y, double *x, double *v);
} charts[] = {
    {EM_SPHEROID, 4, {0.3, -0.2, 0.9, 1.1}, 4, 100, spheroid_chart, spheroid_point},
    {EM_CURVE, 2, {0.4, 1.3}, 3, 400, curve_chart, curve_point},
};

static const struct {
    const char *method, *form;
    em_way way;
} runs[] = {{"rk4", "q-qdot", EM_BEND},
            {"rk4", "q-qdot", EM_NO_BEND},
            {"rk4", "q-qdot", EM_PROJECTION},
            {"rk4", "q-omega", EM_BEND},
            {"rk4", "q-omega", EM_PROJECTION},
            {"rk4-projected", "q-qdot", EM_BEND},
            {"rk4-projected", "q-qdot", EM_NO_BEND},
            {"rk4-projected", "q-omega", EM_BEND}};
enum { RUNS = sizeof runs / sizeof *runs };

TEST_EACH(order_four, sizeof charts / sizeof *charts)
{
    enum { LEVELS = 4 };
    double y[4], x_end[3], v_end[3], h[LEVELS], error[LEVELS];
    memcpy(y, charts[_i].y, sizeof y);
    integrate(charts[_i].F, charts[_i].m, charts[_i].T, y);
    charts[_i].point(y, x_end, v_end);
    for (int k = 0; k < RUNS; k++) {
        field f = {.g = {0, 0, gravity}};
        TK_OWN(ph_system) *system = particle(charts[_i].manifold, runs[k].way, &f, NULL);
        for (int level = 0; level < LEVELS; level++) {
            const int64_t n = charts[_i].steps << level;
            double x[3], v[3];
            charts[_i].point(charts[_i].y, x, v);
            follow(system, runs[k].method, runs[k].form, charts[_i].T, n, x, v);
            h[level] = charts[_i].T / (double)n;
            error[level] = tk_max(tk_max_difference(x, x_end, 3), tk_max_difference(v, v_end, 3));
        }

        double order = tk_slope(h, error, LEVELS);
        printf("%-9s %-13s %-7s %s: order %.2f, error %.1e at h = %g s\n", em_at(charts[_i].manifold)->name,
               runs[k].method, runs[k].form,
               runs[k].way == EM_BEND      ? "bend"
               : runs[k].way == EM_NO_BEND ? "no bend"
                                           : "P alone",
               order, error[LEVELS - 1], h[LEVELS - 1]);
        ck_assert(order > 3.85 && order < 4.3);
        ck_assert(error[LEVELS - 1] < 1e-7);
    }
}

/* Adaptive methods, in one step with their default tolerances. */
TEST_EACH(adaptive_methods_follow_charts, tk_adaptive() ? sizeof charts / sizeof *charts : 0)
{
    static const struct {
        const char *name;
        double bound;
    } rows[] = {{"arkode", 1e-11}, {"cvode", 1e-6}};
    double y[4], x_end[3], v_end[3];
    memcpy(y, charts[_i].y, sizeof y);
    integrate(charts[_i].F, charts[_i].m, charts[_i].T, y);
    charts[_i].point(y, x_end, v_end);
    for (int k = 0; k < 4; k++) {
        field f = {.g = {0, 0, gravity}};
        TK_OWN(ph_system) *system = particle(charts[_i].manifold, EM_BEND, &f, NULL);
        double x[3], v[3];
        charts[_i].point(charts[_i].y, x, v);
        follow(system, rows[k / 2].name, k % 2 ? "q-omega" : "q-qdot", charts[_i].T, 1, x, v);
        double error = tk_max(tk_max_difference(x, x_end, 3), tk_max_difference(v, v_end, 3));
        printf("%-9s %-13s %-7s: error %.1e\n", em_at(charts[_i].manifold)->name, rows[k / 2].name,
               k % 2 ? "q-omega" : "q-qdot", error);
        ck_assert_double_le(error, rows[k / 2].bound);
    }
}

/* A subspace with a spring to a point: x = P c + (x0 - P c) cos wt + (v0/w) sin wt with c = -g/k, w^2 = k. */
TEST(oscillator_in_a_subspace)
{
    const em_manifold *m = em_at(EM_SUBSPACE);
    tk_random r = {300};
    field f = {.k = 4};
    double P[25], centre[5], x0[5], v0[5] = {0}, y[5], T = 3;
    TK_OWN(ph_system) *system = particle(EM_SUBSPACE, EM_BEND, &f, NULL);
    for (int i = 0; i < 5; i++)
        f.g[i] = tk_normal(&r);
    m->point(m->user, &r, x0);
    m->point(m->user, &r, y);
    tk_ok(m->projection(NULL, x0, P));
    for (int i = 0; i < 5; i++) {
        centre[i] = -dot(5, P + 5 * i, f.g) / f.k;
        v0[i] = dot(5, P + 5 * i, y);
    }
    for (int k = 0; k < 2; k++) {
        double x[5], v[5], off = 0;
        memcpy(x, x0, sizeof x);
        memcpy(v, v0, sizeof v);
        follow(system, k ? "rk4-projected" : "rk4", NULL, T, 3000, x, v);
        for (int i = 0; i < 5; i++)
            off = fmax(off,
                       fabs(x[i] - (centre[i] + (x0[i] - centre[i]) * cos(2 * T) + v0[i] / 2 * sin(2 * T))));
        ck_assert_msg(off <= 3e-11, "%g", off); /* (2 h)^4 / 120 per unit of time, times |x|, up to 10 */
    }
}

/* ---- Integrals -------------------------------------------------------------------------------------- */

/* Geodesics of an ellipsoid keep (sum x_i^2/a_i^4) (sum v_i^2/a_i^2) (Joachimsthal) and their speed. With 16
 * times smaller errors at half the step: order 4. */
TEST(joachimsthal)
{
    double drift[2], speed[2];
    for (int level = 0; level < 2; level++) {
        field f = {0};
        const double *a = em_ellipsoid;
        double x[3] = {1, 1.5 * 0.6, sqrt(1 - 0.25 - 0.36)}, v[3] = {1, -0.5, 0.7}, before = 0, fast = 0;
        TK_OWN(ph_system) *system = particle(EM_ELLIPSOID, EM_BEND, &f, NULL);
        ph_space_project_tangent(ph_system_space(system), x, v);
        for (int pass = 0; pass < 2; pass++) {
            double left = 0, right = 0;
            for (int i = 0; i < 3; i++) {
                left += pow(x[i] / (a[i] * a[i]), 2);
                right += pow(v[i] / a[i], 2);
            }
            drift[level] = fabs(left * right / (pass ? before : 1) - 1);
            speed[level] = fabs(dot(3, v, v) / (pass ? fast : 1) - 1);
            before = left * right;
            fast = dot(3, v, v);
            if (!pass)
                follow(system, "rk4-projected", "q-qdot", 20, 1000 << level, x, v);
        }
    }
    printf("Joachimsthal's integral over 20 s: %.2e, %.2e; speed %.2e, %.2e\n", drift[0], drift[1], speed[0],
           speed[1]);
    ck_assert(drift[1] < 1e-8 && drift[0] > 12 * drift[1] && drift[0] < 40 * drift[1]);
    ck_assert(speed[1] < 1e-8);
}

/* Rotation about the spheroid's axis: the momentum map is x v_y - y v_x (Clairaut); energy, too, by the
 * library's own measures. */
TEST(clairaut)
{
    const ph_symmetry spin = {.name = "J3", .text = "about the axis", .unit = "kg m^2/s", .axis = {0, 0, 1}};
    field f = {.g = {0, 0, gravity}};
    double x[3], v[3], J, expected, start = 0;
    ph_measures now;
    double worst = 0;
    TK_OWN(ph_system) *system = particle(EM_SPHEROID, EM_BEND, &f, &spin);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    spheroid_point(charts[0].y, x, v);
    expected = x[0] * v[1] - x[1] * v[0];
    TK_START(it, state, system, "rk4-projected", "q-qdot", 1e-3, x, v);
    for (int k = 0; k < 10; k++) {
        tk_ok(ph_diagnostics_measure(d, state, &now));
        J = state->z[0] * state->p[1] - state->z[1] * state->p[0];
        ck_assert(fabs(now.momenta[0] - J) <= 4 * eps);
        ck_assert(fabs(J - expected) <= 1e-11);
        ck_assert(fabs(now.kinetic - 0.5 * dot(3, state->p, state->p)) <= 8 * eps);
        worst = tk_max(worst, tk_max(now.constraint_error, now.tangency));
        start = k ? start : now.energy;
        ck_assert(fabs(now.energy - start) <= 1e-11);
        tk_steps(it, state, 100);
    }
    printf("constraint and tangency %.1f eps\n", worst / eps);
    ck_assert(worst <= 3 * eps);
}

/* ---- The built-in kinds ---------------------------------------------------------------------------- */

/* A top on SO(3), MM = I_3 (x) J_d, and a pendulum on S^2: the same motions. At h = 1/2000 the methods'
 * errors are below 1e-11, and so may be their differences (off the manifold the equations differ). */
TEST_EACH(as_the_built_in, 2)
{
    static const struct {
        int manifold;
        ph_factor_kind kind;
    } pairs[] = {{EM_SPHERE, PH_FACTOR_S2}, {EM_SO3, PH_FACTOR_SO3}};
    const double Jd[3] = {0.9, 0.7, 0.4};
    const bool top = pairs[_i].kind == PH_FACTOR_SO3;
    const size_t n = em_at(pairs[_i].manifold)->n;
    tk_random r = {400};
    for (int way = 0; way < EM_WAYS; way++) {
        const ph_embedding e = em_embedding(em_at(pairs[_i].manifold), (em_way)way);
        const ph_factor factors[2] = {{.kind = pairs[_i].kind},
                                      {.kind = PH_FACTOR_EMBEDDED, .embedding = &e}};
        const char *method = way == EM_PROJECTION ? "rk4" : "rk4-projected";
        double MM[81] = {0}, x0[9], v0[9], x[2][9], v[2][9];
        field f = {0};
        for (size_t i = 0; i < n; i++) {
            MM[i * n + i] = top ? Jd[i % 3] : 1;
            f.g[i] = i + 3 >= n ? 1 + (double)i : 0;
            v0[i] = tk_normal(&r);
        }
        em_at(pairs[_i].manifold)->point(em_at(pairs[_i].manifold)->user, &r, x0);
        for (int k = 0; k < 2; k++) {
            TK_OWN(ph_system) *system = make_system(&factors[k], 1, MM, &f, NULL);
            ph_space_project_tangent(ph_system_space(system), x0, v0);
            memcpy(x[k], x0, sizeof x0);
            memcpy(v[k], v0, sizeof v0);
            follow(system, method, "q-qdot", 1, 2000, x[k], v[k]);
        }
        ck_assert(tk_max_difference(x[0], x0, n) > 0.1);
        ck_assert_msg(tk_max_difference(x[0], x[1], n) <= 2e-11, "%g", tk_max_difference(x[0], x[1], n));
        ck_assert_msg(tk_max_difference(v[0], v[1], n) <= 2e-10, "%g", tk_max_difference(v[0], v[1], n));
    }
}

/* ---- Checks for model writers ---------------------------------------------------------------------- */

/* At the bottom of the spheroid the rates are sqrt(gravity c) / a, both. */
TEST(checks)
{
    field f = {.g = {0, 0, gravity}, .k = 0.5};
    ph_derivative_report report;
    ph_error err = {PH_OK, ""};
    double x[3] = {0, 0, -em_spheroid[2]}, v[3] = {0}, rate = 0;
    ph_system *system = particle(EM_SPHEROID, EM_NO_BEND, &f, NULL);
    tk_ok(ph_system_check_derivatives(system, 0, x, v, &report, &err));
    for (size_t i = 0; i < report.n; i++)
        ck_assert_msg(report.entry[i].error < 1e-9, "%s", report.entry[i].name);
    f.k = 0;
    tk_ok(ph_system_fastest_rate(system, 0, x, &rate, &err));
    ck_assert(fabs(rate - sqrt(gravity * em_spheroid[2]) / em_spheroid[0]) <= 1e-6);
    ph_system_free(system);
    system = particle(EM_SPHEROID, EM_PROJECTION, &f, NULL);
    tk_ok(ph_system_check_derivatives(system, 0, x, v, &report, &err));
    for (size_t i = 0; i < report.n; i++)
        ck_assert_msg(report.entry[i].error < 1e-9, "%s", report.entry[i].name);
    tk_ok(ph_system_fastest_rate(system, 0, x, &rate, &err)); /* needs no retraction */
    ck_assert(fabs(rate - sqrt(gravity * em_spheroid[2]) / em_spheroid[0]) <= 1e-6);
    ph_system_free(system);
}

/* ---- Refusals -------------------------------------------------------------------------------------- */

TEST(methods_that_refuse)
{
    field f = {0};
    for (int way = 0; way < EM_WAYS; way++) {
        TK_OWN(ph_system) *system = particle(EM_ELLIPSOID, (em_way)way, &f, NULL);
        ph_error err = {PH_OK, ""};
        ph_integrator *it = NULL;
        static const char *const methods[] = {"variational", "rk4-projected", "arkode", "cvode"};
        const ph_setting normalised = {"discrete-lagrangian", "normalised-midpoint"};
        for (int i = 0; i < 4 && ph_method_find(methods[i], NULL); i++) {
            ph_status status =
                ph_integrator_create(system, ph_method_find(methods[i], NULL), 0.1, NULL, 0, &it, &err);
            ck_assert_int_eq(status, way == EM_PROJECTION ? PH_E_UNSUPPORTED : PH_OK);
            ck_assert(!status || strstr(err.message, "constraints, or use rk4"));
            ph_integrator_free(status ? NULL : it);
        }
        ck_assert_int_eq(
            ph_integrator_create(system, ph_method_find("variational", NULL), 0.1, &normalised, 1, &it, &err),
            PH_E_UNSUPPORTED);
        ck_assert_msg(strstr(err.message, way == EM_PROJECTION ? "constraints" : "normalised-midpoint"), "%s",
                      err.message);
    }
}

/* A state is set on the manifold or not at all, with the message of lib/space/admission.c. */
TEST(states)
{
    field f = {0};
    TK_OWN(ph_system) *system = particle(EM_SPHERE, EM_BEND, &f, NULL);
    ph_error err = {PH_OK, ""};
    const double on[3] = {0.6, 0, 0.8}, off[3] = {0.6, 0, 0.9}, v[3] = {0, 1, 0}, slanted[3] = {1, 1, 0},
                 zero[3] = {0};
    TK_START(it, state, system, "rk4", NULL, 0.1, on, v);
    ck_assert_int_eq(ph_state_set(it, state, 0, off, v, PH_STRICT, &err), PH_E_NOT_ON_MANIFOLD);
    ck_assert_int_eq(ph_state_set(it, state, 0, zero, v, PH_STRICT, &err), PH_E_SINGULAR);
    ck_assert_int_eq(ph_state_set(it, state, 0, on, slanted, PH_STRICT, &err), PH_E_NOT_TANGENT);
    ck_assert_int_eq(ph_state_set_velocity(it, state, 0, on, slanted, PH_STRICT, &err), PH_E_NOT_TANGENT);
    ck_assert(state->z[0] == on[0] && state->z[2] == on[2] && state->p[1] == 1);
    tk_ok(ph_state_set(it, state, 0, off, slanted, PH_PROJECT, &err));
    ck_assert(fabs(dot(3, state->z, state->z) - 1) <= 4 * eps && fabs(dot(3, state->z, state->p)) <= 4 * eps);
}

/* A constraint that fails after so many calls: the step fails and the state is unchanged. */
static int calls_left;

static ph_status tired(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = dot(3, x, x) - 1;
    return calls_left-- > 0 ? PH_OK : PH_E_CALLBACK;
}

static ph_status tired_jacobian(void *user, const double *x, double *A)
{
    (void)user;
    for (int i = 0; i < 3; i++)
        A[i] = 2 * x[i];
    return PH_OK;
}

TEST(a_callback_fails)
{
    const ph_embedding e = {
        .name = "tired", .n = 3, .dimension = 2, .constraint = tired, .jacobian = tired_jacobian};
    const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED, .embedding = &e};
    const double x[3] = {0.6, 0, 0.8}, v[3] = {0, 1, 0};
    double z[3], p[3];
    field f = {.g = {0, 0, gravity}};
    calls_left = 1000;
    TK_OWN(ph_system) *system = make_system(&factor, 1, NULL, &f, NULL);
    TK_START(it, state, system, "rk4-projected", NULL, 0.1, x, v);
    memcpy(z, state->z, sizeof z);
    memcpy(p, state->p, sizeof p);
    calls_left = 0;
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_CALLBACK);
    ck_assert(!memcmp(z, state->z, sizeof z) && !memcmp(p, state->p, sizeof p) && state->k == 0);
    calls_left = 1000;
    tk_ok(ph_integrator_step(it, state, 1));
}

int main(void)
{
    return tk_run("motion on embedded manifolds");
}
