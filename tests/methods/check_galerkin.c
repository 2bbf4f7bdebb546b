/* SPDX-License-Identifier: BSD-3-Clause */
/* Variational Galerkin integrators: on R^d they are Gauss collocation, written here as Runge-Kutta methods;
 * on products of all factors their momenta are derivatives of the discrete Lagrangian, by differences of its
 * stationary value, with other polynomials and the exponential maps of the space; a pendulum in a plane is
 * the same on S^2, S^1 and SO(3); orders on problem 1 and the fast heavy top against many digits, and with
 * any Lagrangian and forces against another method; energy and momentum over many steps. (Symplecticity,
 * symmetry, momentum maps on every model are claims, and tested as such.) */
#include "tests/kit/hostile.h"
#include "tests/kit/known.h"
#include "tests/kit/lagrangians.h"

#include <float.h>
#include <stdbool.h>

enum { MOST = 128, POINTS = 4, ORDERS = 3 };
static const char *const orders[ORDERS] = {"4", "6", "8"};

static void begin(const ph_system *system, int order, double h, const double *z, const double *zdot,
                  ph_integrator **it, ph_state **state)
{
    tk_start_with(system, ph_method_find("galerkin", NULL), "order", orders[order], h, 0.25, z, zdot, it,
                  state);
}

/* c (s) in [0, 1]: roots of Legendre's polynomial by Newton's iteration; b (s) */
static void gauss(int s, double *c, double *b)
{
    for (int i = 0; i < s; i++) {
        double x = -cos(3.14159265358979324 * (i + 0.75) / (s + 0.5)), P = 0, before = 0, slope = 1;
        for (int pass = 0; pass < 20; pass++) {
            P = x;
            before = 1;
            for (int k = 1; k < s; k++) {
                double next = ((2 * k + 1) * x * P - k * before) / (k + 1);
                before = P;
                P = next;
            }
            slope = s * (before - x * P) / (1 - x * x);
            x -= P / slope;
        }
        c[i] = 0.5 * (1 + x);
        b[i] = 1 / ((1 - x * x) * slope * slope);
    }
}

/* ---- Gauss collocation on R^d ---------------------------------------------------------------------- */

enum { D = 3 };
typedef struct collocation {
    lg_system L;
    int s;
    double c[POINTS], b[POINTS], a[POINTS][POINTS];
} collocation;

/* f = (sin(2 t) + q_2, -v_1, 0.3 v_3 q_1) */
static void push(double t, const double *q, const double *v, double *f)
{
    f[0] += 0.4 * sin(2 * t) + 0.2 * q[1];
    f[1] -= 0.3 * v[0] + 0.1 * v[1];
    f[2] += 0.3 * v[2] * q[0];
}
static ph_status push_call(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user;
    push(t, q, v, f);
    return PH_OK;
}

/* sum_j a_ij c_j^(k-1) = c_i^k / k */
static void fill(collocation *g, int s, tk_random *r)
{
    lg_fill(&g->L, D, r);
    g->s = s;
    gauss(s, g->c, g->b);
    for (int i = 0; i < s; i++) {
        double A[POINTS * POINTS];
        for (int k = 0; k < s; k++) {
            for (int j = 0; j < s; j++)
                A[k * s + j] = pow(g->c[j], k);
            g->a[i][k] = pow(g->c[i], k + 1) / (k + 1);
        }
        ck_assert_int_eq(tk_solve((size_t)s, A, g->a[i]), 0);
    }
}

/* P_i - L_v(Q_i, V_i) with Q = q + h sum a V, P = p + h sum a (L_q + f); q1, p1 likewise with b. */
static void stages(const collocation *g, double t, double h, const double *q, const double *p,
                   const double *V, double *R, double *q1, double *p1)
{
    double Q[POINTS][D], Lq[POINTS][D], Lv[POINTS][D];
    for (int i = 0; i < g->s; i++) {
        for (int d = 0; d < D; d++) {
            Q[i][d] = q[d];
            for (int j = 0; j < g->s; j++)
                Q[i][d] += h * g->a[i][j] * V[j * D + d];
        }
        tk_ok(lg_gradient((void *)(uintptr_t)&g->L, 0, Q[i], V + i * D, Lq[i], Lv[i]));
        push(t + g->c[i] * h, Q[i], V + i * D, Lq[i]);
    }
    for (int d = 0; d < D; d++) {
        q1[d] = q[d];
        p1[d] = p[d];
        for (int i = 0; i < g->s; i++) {
            q1[d] += h * g->b[i] * V[i * D + d];
            p1[d] += h * g->b[i] * Lq[i][d];
            R[i * D + d] = p[d] - Lv[i][d];
            for (int j = 0; j < g->s; j++)
                R[i * D + d] += h * g->a[i][j] * Lq[j][d];
        }
    }
}

/* Newton's iteration with differences. */
static void collocate(const collocation *g, double t, double h, double *q, double *p, double *V)
{
    const size_t n = (size_t)g->s * D;
    double J[POINTS * D * POINTS * D], R[POINTS * D], Rb[POINTS * D], q1[D], p1[D];
    for (int pass = 0; pass < 12; pass++) {
        stages(g, t, h, q, p, V, R, q1, p1);
        for (size_t b = 0; b < n; b++) {
            double was = V[b];
            V[b] += 1e-7;
            stages(g, t, h, q, p, V, Rb, q1, p1);
            V[b] = was;
            for (size_t a = 0; a < n; a++)
                J[a * n + b] = (Rb[a] - R[a]) / 1e-7;
        }
        ck_assert_int_eq(tk_solve(n, J, R), 0);
        for (size_t a = 0; a < n; a++)
            V[a] -= R[a];
    }
    stages(g, t, h, q, p, V, R, q1, p1);
    memcpy(q, q1, sizeof q1);
    memcpy(p, p1, sizeof p1);
}

TEST_EACH(on_vectors_it_is_gauss_collocation, ORDERS)
{
    enum { STEPS = 12 };
    const ph_factor factors[2] = {{.kind = PH_FACTOR_R, .d = 1}, {.kind = PH_FACTOR_R, .d = 2}};
    const double h = 0.12;
    tk_random r = {7 + (uint64_t)_i};
    collocation g;
    fill(&g, 2 + _i, &r);
    TK_OWN(ph_space) *space = tk_space(factors, 2);
    TK_OWN(ph_system) *base = lg_create(&g.L, space, LG_GRADIENT);
    const ph_system_definition force = {.force = push_call};
    TK_MAKE(ph_system, system, ph_system_create_forced(base, &force, &system, NULL));
    double q[D], v[D], V[POINTS * D], worst = 0;
    for (int d = 0; d < D; d++) {
        q[d] = tk_uniform(&r, -1, 1);
        v[d] = tk_uniform(&r, -1, 1);
    }
    TK_BEGIN(it, state, begin, system, _i, h, q, v);
    double p[D];
    memcpy(p, state->p, sizeof p);
    for (int i = 0; i < g.s; i++)
        memcpy(V + i * D, v, sizeof v);
    for (int k = 0; k < STEPS; k++) {
        collocate(&g, 0.25 + k * h, h, q, p, V);
        tk_steps(it, state, 1);
        worst = tk_max(worst, tk_max(tk_max_difference(state->z, q, D) / tk_max(1, ph_max_norm(q, D)),
                                     tk_max_difference(state->p, p, D) / tk_max(1, ph_max_norm(p, D))));
    }
    printf("order %s: off Gauss collocation by %.1e\n", orders[_i], worst);
    ck_assert_double_le(worst, 1e-13);
}

/* ---- The discrete Lagrangian ------------------------------------------------------------------------ */

enum { NX = 14 };
typedef struct action {
    const lg_system *L;
    const ph_space *space;
    int s;
    size_t nx;
    double h, node[POINTS], weight[POINTS];
} action;

/* The action of the curve with these interior coefficients c ((s - 1) x nx): polynomials
 * (tau^2 - 1/4) tau^(k-1). */
static double value(const action *A, const double *z0, const double *z1, const double *c)
{
    double v[LG_NZ], middle[LG_NZ], end[LG_NZ], E[LG_NZ * NX], xi[LG_NZ], rate[LG_NZ], z[LG_NZ], zdot[LG_NZ],
        sum = 0;
    const size_t nz = ph_space_ambient(A->space);
    tk_ok(ph_space_log(A->space, z0, z1, v));
    for (size_t k = 0; k < nz; k++)
        v[k] *= 0.5;
    ph_space_exp(A->space, z0, v, middle);
    tk_ok(ph_space_log(A->space, middle, z1, end));
    ph_space_basis(A->space, middle, E);
    for (int i = 0; i < A->s; i++) {
        const double tau = A->node[i] - 0.5;
        for (size_t k = 0; k < nz; k++) {
            xi[k] = 2 * tau * end[k];
            rate[k] = 2 * end[k] / A->h;
        }
        for (int k = 1; k < A->s; k++) {
            const double phi = (tau * tau - 0.25) * pow(tau, k - 1),
                         slope = (k + 1) * pow(tau, k) - (k > 1 ? 0.25 * (k - 1) * pow(tau, k - 2) : 0);
            size_t e = 0;
            for (size_t j = 0; j < ph_space_factors(A->space); j++) {
                const ph_factor_place *f = ph_space_factor(A->space, j);
                for (size_t a = f->x; a < f->x + f->nx; a++)
                    for (size_t l = f->z; l < f->z + f->nz; l++, e++) {
                        xi[l] += phi * c[(size_t)(k - 1) * A->nx + a] * E[e];
                        rate[l] += slope * c[(size_t)(k - 1) * A->nx + a] * E[e] / A->h;
                    }
            }
        }
        ph_space_exp(A->space, middle, xi, z);
        ph_space_dexp(A->space, middle, xi, rate, zdot);
        sum += A->h * A->weight[i] * lg_value(A->L, z, zdot);
    }
    return sum;
}

/* Derivative by differences of order 8 of what `at` makes of a distance. */
typedef struct along {
    const action *A;
    const double *z0, *z1;
    double *c;
    const double *direction; /* of an end */
    int which;               /* 0, 1: that end moves; else c[which - 2] */
} along;
static double moved(const along *m, double x)
{
    double step[LG_NZ], z[LG_NZ], was, result;
    const double *z0 = m->z0, *z1 = m->z1;
    if (m->which >= 2) {
        was = m->c[m->which - 2];
        m->c[m->which - 2] += x;
        result = value(m->A, z0, z1, m->c);
        m->c[m->which - 2] = was;
        return result;
    }
    for (size_t k = 0; k < ph_space_ambient(m->A->space); k++)
        step[k] = x * m->direction[k];
    ph_space_exp(m->A->space, m->which ? z1 : z0, step, z);
    return m->which ? value(m->A, z0, z, m->c) : value(m->A, z, z1, m->c);
}
static double slope_along(const along *m, double d)
{
    static const double w[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
    double sum = 0;
    for (int j = 1; j <= 4; j++)
        sum += w[j - 1] * (moved(m, j * d) - moved(m, -j * d));
    return sum / d;
}

/* c at which the action is stationary. */
static void make_stationary(const action *A, const double *z0, const double *z1, double *c)
{
    const size_t n = (size_t)(A->s - 1) * A->nx;
    double G[3 * NX], Gb[3 * NX], H[3 * NX * 3 * NX];
    along m = {.A = A, .z0 = z0, .z1 = z1, .c = c};
    memset(c, 0, n * sizeof *c);
    for (int pass = 0; pass < 4; pass++) {
        for (size_t a = 0; a < n; a++) {
            m.which = 2 + (int)a;
            G[a] = slope_along(&m, 0.02);
        }
        for (size_t b = 0; b < n; b++) {
            c[b] += 1e-4;
            for (size_t a = 0; a < n; a++) {
                m.which = 2 + (int)a;
                Gb[a] = slope_along(&m, 0.02);
            }
            c[b] -= 1e-4;
            for (size_t a = 0; a < n; a++)
                H[a * n + b] = (Gb[a] - G[a]) / 1e-4;
        }
        ck_assert_int_eq(tk_solve(n, H, G), 0);
        for (size_t a = 0; a < n; a++)
            c[a] -= G[a];
    }
}

/* p = -D_1 L_d, p+ = D_2 L_d along every tangent vector, where p+ and z+ are those of a step. As the action
 * is stationary in c, c may stay when an end moves. */
TEST_EACH(momenta_are_derivatives_of_the_discrete_lagrangian, 3 * ORDERS)
{
    static const ph_factor_kind kinds[][3] = {{PH_FACTOR_R, PH_FACTOR_S1, PH_FACTOR_S2},
                                              {PH_FACTOR_S2, PH_FACTOR_SO3, PH_FACTOR_R},
                                              {PH_FACTOR_SO3, PH_FACTOR_S2, PH_FACTOR_S1}};
    ph_factor factors[3];
    const int order = _i % ORDERS;
    tk_random r = {400 + (uint64_t)_i};
    lg_system L;
    for (int k = 0; k < 3; k++)
        factors[k] = (ph_factor){.kind = kinds[_i / ORDERS][k], .d = kinds[_i / ORDERS][k] == PH_FACTOR_R};
    TK_OWN(ph_space) *space = tk_space(factors, 3);
    const size_t nz = ph_space_ambient(space), np = ph_space_momenta(space);
    lg_fill(&L, nz, &r);
    TK_OWN(ph_system) *system = lg_create(&L, space, LG_ALL);
    action A = {.L = &L, .space = space, .s = 2 + order, .nx = ph_space_dimension(space), .h = 0.2};
    gauss(A.s, A.node, A.weight);
    double z[LG_NZ], v[LG_NZ], z0[LG_NZ], p0[LG_NZ], c[3 * NX], worst = 0;
    tk_random_motion(system, &r, z, v);
    TK_BEGIN(it, state, begin, system, order, A.h, z, v);
    for (int k = 0; k < 3; k++) { /* the first has no guess, the others extrapolate from it */
        memcpy(z0, state->z, nz * sizeof *z0);
        memcpy(p0, state->p, np * sizeof *p0);
        tk_steps(it, state, 1);
        ck_assert_double_gt(tk_max_difference(state->z, z0, nz), 0.05);
        make_stationary(&A, z0, state->z, c);
        for (int which = 0; which < 2; which++)
            for (size_t j = 0; j < np; j++) {
                double w[LG_NZ] = {0}, direction[LG_NZ], mu[LG_NZ], expected = 0;
                const double *at = which ? state->z : z0, *p = which ? state->p : p0;
                w[j] = 1;
                ph_space_turn(space, at, w, direction);
                ph_space_covector(space, at, p, mu);
                for (size_t l = 0; l < nz; l++)
                    expected += mu[l] * direction[l];
                const along m = {
                    .A = &A, .z0 = z0, .z1 = state->z, .c = c, .direction = direction, .which = which};
                const double found = slope_along(&m, 0.01);
                worst = tk_max(worst, fabs((which ? found : -found) - expected));
            }
        worst /= tk_max(1, ph_max_norm(p0, np));
    }
    printf("order %s, product %d: derivatives of L_d off by %.1e\n", orders[order], _i / ORDERS, worst);
    ck_assert_double_le(worst, 2e-11); /* differences: rounding of values over the width */
}

/* ---- The same motion on three manifolds --------------------------------------------------------------- */

/* A pendulum in a plane is the same on S^1, on S^2, and as a body on SO(3) that turns about one axis: on a
 * great circle and about an axis charts are angles. */
typedef struct pendulum {
    double g[3]; /* U = g . r, r the unit vector along it */
    ph_factor_kind kind;
} pendulum;
static ph_status pendulum_potential(void *user, const double *z, double *U)
{
    const pendulum *p = user;
    const double *g = p->g;
    *U = p->kind == PH_FACTOR_S1   ? g[0] * z[0] + g[2] * z[1]
         : p->kind == PH_FACTOR_S2 ? ph_dot3(g, z)
                                   : g[0] * z[0] + g[1] * z[3] + g[2] * z[6];
    return PH_OK;
}
static ph_status pendulum_gradient(void *user, const double *z, double *dU)
{
    const pendulum *p = user;
    (void)z;
    if (p->kind == PH_FACTOR_S1) {
        dU[0] = p->g[0];
        dU[1] = p->g[2];
        return PH_OK;
    }
    for (int k = 0; k < 3; k++)
        dU[p->kind == PH_FACTOR_S2 ? k : 3 * k] = p->g[k];
    for (int k = 0; k < 9 && p->kind == PH_FACTOR_SO3; k++)
        dU[k] = k % 3 ? 0 : p->g[k / 3];
    return PH_OK;
}

TEST_EACH(a_plane_pendulum_is_the_same_on_all, ORDERS)
{
    static const ph_factor_kind kinds[3] = {PH_FACTOR_S1, PH_FACTOR_S2, PH_FACTOR_SO3};
    enum { STEPS = 200 };
    double r[3][2], rate[3];
    for (int k = 0; k < 3; k++) {
        pendulum user = {{0.8, 0, 9.1}, kinds[k]};
        const ph_factor factor = {.kind = kinds[k]};
        double M[81] = {0}, z[9] = {1}, v[9] = {0};
        TK_OWN(ph_space) *space = tk_space(&factor, 1);
        const size_t nz = ph_space_ambient(space);
        for (size_t i = 0; i < nz; i++) /* bodies: J_d = diag(0.6, 0.7, 0.4), 1 about e_2 */
            M[i * (nz + 1)] = kinds[k] != PH_FACTOR_SO3 ? 1 : (const double[]){0.6, 0.7, 0.4}[i % 3];
        if (k == 2)
            z[4] = z[8] = 1;
        v[k == 0 ? 1 : k == 1 ? 2 : 6] = 1.3; /* r moves along e_3: -1.3 about e_2 */
        if (k == 2)
            v[2] = -1.3;
        const ph_system_definition d = {.space = space,
                                        .ambient_inertia = M,
                                        .potential = pendulum_potential,
                                        .gradient = pendulum_gradient,
                                        .user = &user};
        TK_OWN(ph_system) *system = tk_defined(&d);
        TK_BEGIN(it, state, begin, system, _i, 0.05, z, v);
        tk_steps(it, state, STEPS);
        r[k][0] = state->z[0];
        r[k][1] = state->z[k == 0 ? 1 : k == 1 ? 2 : 6];
        rate[k] = k == 0 ? state->p[0] : -state->p[1];
    }
    ck_assert_double_gt(fabs(r[0][0] - 1), 0.01);
    for (int k = 1; k < 3; k++) {
        printf("order %s: %s off the angle's by %.1e, %.1e, %.1e\n", orders[_i], k == 1 ? "S^2" : "SO(3)",
               fabs(r[k][0] - r[0][0]), fabs(r[k][1] - r[0][1]), fabs(rate[k] - rate[0]));
        ck_assert_double_le(tk_max_difference(r[k], r[0], 2), 2e-13); /* over 200 steps */
        ck_assert_double_le(fabs(rate[k] - rate[0]), 1e-12);
    }
}

/* A free motion at constant angular velocity is exact in its chart, also in steps that turn by up to 2.8 rad,
 * on SO(3) 5.4 rad: there are none beyond pi and 2 pi, and what rounding does to a grows towards these. */
TEST_EACH(long_steps_of_free_motions_are_exact, 2 * ORDERS)
{
    static const ph_factor_kind kinds[2] = {PH_FACTOR_S2, PH_FACTOR_SO3};
    const ph_factor_kind kind = kinds[_i % 2];
    const ph_factor factor = {.kind = kind};
    const double w[3] = {0.6, -0.48, 0.64};
    double M[81] = {0}, z[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, v[9], turned[9], turn[3], worst = 0;
    TK_OWN(ph_space) *space = tk_space(&factor, 1);
    const size_t nz = ph_space_ambient(space);
    for (size_t i = 0; i < nz; i++)
        M[i * (nz + 1)] = 1;
    if (kind == PH_FACTOR_S2) { /* perpendicular to w */
        const double q[3] = {0.8, 0.36, -0.48};
        memcpy(z, q, sizeof q);
    }
    ph_space_turn(space, z, w, v);
    const ph_system_definition d = {.space = space, .ambient_inertia = M};
    TK_OWN(ph_system) *system = tk_defined(&d);
    const double longest = kind == PH_FACTOR_S2 ? 2.8 : 5.4;
    for (int j = 1; j <= 4; j++) {
        const double h = j * longest / 4;
        TK_BEGIN(it, state, begin, system, _i / 2, h, z, v);
        for (int k = 1; k <= 4; k++) {
            tk_steps(it, state, 1);
            for (int l = 0; l < 3; l++)
                turn[l] = k * h * w[l];
            ph_space_act(space, z, turn, turned);
            worst = tk_max(worst, tk_max_difference(state->z, turned, nz));
        }
    }
    printf("order %s, %s, steps up to %g rad: %.1e\n", orders[_i / 2], _i % 2 ? "SO(3)" : "S^2", longest,
           worst);
    ck_assert_double_le(worst, 3e-13);
}

/* ---- Orders ------------------------------------------------------------------------------------------ */

static double error_at_10(int order, double h)
{
    double q[6], v[6];
    TK_OWN(ph_system) *system = known_problem1_linkage(q, v);
    TK_BEGIN(it, state, begin, system, order, h, q, v);
    tk_steps(it, state, (int64_t)round(10 / h));
    return tk_max_difference(state->z, known_problem1.q, 6);
}

/* Slope over errors well above rounding, of order 8 where the next one does not show any more; the error at
 * 0.04 s. */
TEST_EACH(orders_on_problem_1, ORDERS)
{
    static const double first[ORDERS] = {0.03, 0.06, 0.06}, tolerance[ORDERS] = {0.05, 0.1, 0.2},
                        last[ORDERS] = {8e-7, 9e-10, 6e-13};
    enum { STEPS = 5 };
    double h[STEPS], error[STEPS];
    for (int n = 0; n < STEPS; n++) {
        h[n] = 10 / round(10 / first[_i] * pow(1.125, n));
        error[n] = error_at_10(_i, h[n]);
    }
    const double slope = tk_slope(h, error, STEPS);
    printf("order %s: error %.1e at %.4f s, %.1e at %.4f s, slope %.2f\n", orders[_i], error[0], h[0],
           error[STEPS - 1], h[STEPS - 1], slope);
    ck_assert_double_gt(error[STEPS - 1], 5e-14);
    ck_assert_double_eq_tol(slope, 4 + 2 * _i, tolerance[_i]);
    ck_assert_double_le(error_at_10(_i, 0.04), last[_i]);
}

TEST_EACH(fast_heavy_top, ORDERS)
{
    static const struct {
        double steps, error; /* measured: 1.7e-7, 1.1e-10, 3.7e-12 */
    } rows[ORDERS] = {{1600, 2.5e-7}, {800, 2e-10}, {400, 6e-12}};
    TK_OWN(ph_system) *system = tk_model("heavy-top");
    double z[9], zdot[9], error = 0;
    tk_preset("heavy-top", NULL, 0, "fast", z, zdot);
    TK_BEGIN(it, state, begin, system, _i, 1 / rows[_i].steps, z, zdot);
    tk_steps(it, state, (int64_t)rows[_i].steps);
    for (int i = 0; i < 3; i++)
        error = tk_max(error, fabs(state->z[3 * i + 1] - known_fast_top.centre[i]));
    printf("fast heavy top, order %s, %g steps: %.1e\n", orders[_i], rows[_i].steps, error);
    ck_assert_double_le(error, rows[_i].error);
}

/* Forces of time and velocity, inertias that vary, any L: compared with cf4 in many steps. */
TEST_EACH(orders_with_forces_and_any_lagrangian, tk_short() ? 5 : 6)
{
    static const hk_flavour flavours[] = {HK_PUSHED,          HK_DAMPED,  HK_VARYING,
                                          HK_VARYING_AMBIENT, HK_GENERAL, HK_COMPLEX};
    const hk_flavour flavour = flavours[_i];
    enum { STEPS = 3, FINE = 6000 };
    static const double counts[ORDERS][STEPS] = {{30, 40, 53}, {12, 16, 21}, {4, 5, 6}};
    hk_user user = {0};
    double z[HK_NZ], zdot[HK_NZ], truth[HK_NZ], h[STEPS], error[STEPS];
    TK_OWN(ph_system) *system = hk_system(&user, flavour);
    ph_integrator *it;
    ph_state *state;
    hk_start(0.7, z, zdot);
    tk_start(system, "cf4", "q-omega", 1. / FINE, z, zdot, &it, &state);
    tk_ok(ph_state_set_velocity(it, state, 0.25, z, zdot, PH_PROJECT, NULL));
    tk_steps(it, state, FINE);
    memcpy(truth, state->z, sizeof truth);
    tk_end(it, state);
    for (int order = 0; order < ORDERS; order++) {
        for (int k = 0; k < STEPS; k++) {
            h[k] = 1 / counts[order][k];
            begin(system, order, h[k], z, zdot, &it, &state);
            tk_steps(it, state, (int64_t)counts[order][k]);
            error[k] = tk_max_difference(state->z, truth, HK_NZ);
            tk_end(it, state);
        }
        const double slope = tk_slope(h, error, STEPS);
        printf("%s, order %s: %.1e to %.1e, slope %.2f\n", hk_flavour_name(flavour), orders[order], error[0],
               error[STEPS - 1], slope);
        ck_assert_double_eq_tol(slope, 4 + 2 * order, 0.4);
    }
}

/* ---- Parts that rest ------------------------------------------------------------------------------- */

enum { FEW = 3 };

/* z (MOST) <- where `method` of this order is after a few steps from t = 0 */
static void run_few(const ph_system *system, const char *method, const char *order, double h,
                    const double *start, const double *zdot, double *z, ph_statistics *statistics)
{
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find(method, NULL), "order", order, h, 0, start,
             zdot);
    tk_steps(it, state, FEW);
    memcpy(z, state->z, ph_space_ambient(ph_system_space(system)) * sizeof *z);
    *statistics = *ph_integrator_statistics(it);
}

/* Steps that are a share of the shortest time that there is, or of 0.1 s if that is less. Gauss' rules have
 * constants of the error like 1/4320; 1/100 leaves room for derivatives of the motion that are larger than
 * powers of its rate. To that comes a few times the rounding of coordinates. */
static double compare(const ph_system *system, int order, double share, const double *z, const double *zdot)
{
    static double end[2][1024];
    const size_t nz = ph_space_ambient(ph_system_space(system));
    const double h = share / tk_max(10, tk_fastest(system, z, zdot)),
                 bound = tk_max(1, ph_max_norm(z, nz)) * (FEW * pow(share, 5 + 2 * order) / 100 + 2e-15);
    ph_statistics statistics;
    ck_assert_uint_le(nz, 1024);
    run_few(system, "variational", "8", h, z, zdot, end[0], &statistics);
    run_few(system, "galerkin", orders[order], h, z, zdot, end[1], &statistics);
    ck_assert_int_eq(statistics.branches, 1);
    ck_assert_int_le(statistics.newton_passes, 7 * FEW);
    return tk_max_difference(end[0], end[1], nz) / bound;
}

TEST_EACH(every_preset_as_it_is, ORDERS)
{
    static double z[1024], zdot[1024];
    double worst = 0;
    int runs = 0;
    for (size_t m = 0; m < ph_models(); m++) {
        const ph_model *model = ph_model_at(m);
        for (size_t k = 0; k < model->n_presets; k++) {
            ph_system *system = NULL; /* of the bodies and numbers that the preset has */
            tk_ok(ph_model_build_for(model, model->presets[k].name, NULL, 0, &system, NULL));
            if (ph_system_constraints(system) || ph_system_spins(system)) {
                ph_system_free(system);
                break;
            }
            runs++;
            tk_ok(ph_model_preset(model, NULL, 0, model->presets[k].name,
                                  ph_space_ambient(ph_system_space(system)), z, zdot, NULL));
            const double error = compare(system, _i, 0.02, z, zdot);
            ck_assert_msg(error <= 1, "%s, %s: %.1e of what is allowed", model->name, model->presets[k].name,
                          error);
            worst = tk_max(worst, error);
            ph_system_free(system);
        }
    }
    printf("order %s, %d presets: %.2f of what is allowed\n", orders[_i], runs, worst);
}

/* A chain falls from the horizontal and pulls its cart, on which there is no force at first: the cart moves
 * by t^4, and its momentum and that of the links cancel to the last digit. Its path can be known only to the
 * rounding errors of the links. */
TEST_EACH(a_cart_that_rests_is_drawn_along, 2 * ORDERS)
{
    static const char *const models[2] = {"cart-chain", "planar-cart"};
    static const double steps[] = {2e-3, 1e-4, 1e-5, 1e-6},
                        constants[ORDERS] = {3000, 1e5, 0}; /* measured: 1200, 5.6e4; order 8: rounding */
    const char *model = models[_i / ORDERS];
    const int order = _i % ORDERS;
    double z[MOST], zdot[MOST], end[2][MOST], worst = 0;
    for (double links = 2; links <= 8; links += 3) {
        const ph_parameter_value value = {"links", &links, 1};
        TK_OWN(ph_system) *system = tk_build(model, &value, 1);
        const ph_space *space = ph_system_space(system);
        const size_t nz = ph_space_ambient(space);
        size_t at = 0;
        while (ph_space_factor(space, at)->kind != PH_FACTOR_R)
            at++;
        at = ph_space_factor(space, at)->z;
        tk_preset(model, &value, 1, "horizontal", z, zdot);
        for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
            const double h = steps[k];
            ph_statistics statistics;
            run_few(system, "variational", "8", h, z, zdot, end[0], &statistics);
            run_few(system, "galerkin", orders[order], h, z, zdot, end[1], &statistics);
            const double way = fabs(end[0][at]), rounding = DBL_EPSILON * tk_max_difference(end[0], z, nz),
                         bound = (constants[order] * pow(h, 4 + 2 * order) + 1e-13) * way + rounding;
            ck_assert_double_gt(way, 1e4 * rounding);
            worst = tk_max(worst, fabs(end[1][at] - end[0][at]) / bound);
        }
    }
    printf("%s, order %s: the way of the cart, %.2f of what is allowed\n", model, orders[order], worst);
    ck_assert_double_le(worst, 1);
}

/* Trees of links with point masses as circles, spheres, or bodies (the link is their third axis) that turn
 * about themselves as well. Or the links stand each by itself, and springs pull them in the same direction as
 * their neighbours: then nothing is coupled by the inertia. */
enum { LINKS = 11 };
typedef struct tree {
    ph_factor_kind kind;
    size_t nz, d;                         /* of a link: coordinates, those of its direction; ... */
    size_t place[3];                      /* ... where they are */
    double weight[LINKS], l[LINKS], g[3]; /* [kg] of a link and all beyond, [m], [m/s^2] */
    double spring;                        /* [J]; 0: joints */
} tree;
static const int parents[LINKS] = {-1, 0, 0, 1, 1, 3, 3, 5, 5, 7, 7};

static ph_status tree_potential(void *user, const double *z, double *U)
{
    const tree *t = user;
    *U = 0;
    for (size_t i = 0; i < LINKS; i++)
        for (size_t k = 0; k < t->d; k++) {
            const double at = z[i * t->nz + t->place[k]];
            *U += t->weight[i] * t->l[i] * t->g[k] * at;
            if (i > 0)
                *U -= t->spring * at * z[(size_t)parents[i] * t->nz + t->place[k]];
        }
    return PH_OK;
}
static ph_status tree_gradient(void *user, const double *z, double *dU)
{
    const tree *t = user;
    memset(dU, 0, LINKS * t->nz * sizeof *dU);
    for (size_t i = 0; i < LINKS; i++)
        for (size_t k = 0; k < t->d; k++)
            dU[i * t->nz + t->place[k]] = t->weight[i] * t->l[i] * t->g[k];
    for (size_t i = 1; i < LINKS; i++)
        for (size_t k = 0; k < t->d; k++) {
            const size_t own = i * t->nz + t->place[k], other = (size_t)parents[i] * t->nz + t->place[k];
            dU[own] -= t->spring * z[other];
            dU[other] -= t->spring * z[own];
        }
    return PH_OK;
}

static ph_system *grow(tree *t, ph_factor_kind kind, const double gravity[3], bool jointed)
{
    const bool body = kind == PH_FACTOR_SO3;
    *t = (tree){.kind = kind,
                .nz = body                   ? 9
                      : kind == PH_FACTOR_S2 ? 3
                                             : 2,
                .d = kind == PH_FACTOR_S1 ? 2 : 3};
    const bool sphere = kind == PH_FACTOR_S2;
    const size_t each = sphere ? 1 : t->nz, nz = LINKS * each; /* of spheres the inertia is a number a pair */
    ph_factor factors[LINKS];
    TK_MEMORY double *M = calloc(nz * nz, sizeof *M);
    ck_assert_ptr_nonnull(M);
    for (size_t k = 0; k < t->d; k++) {
        t->place[k] = body ? 3 * k + 2 : k;
        t->g[k] = gravity[k];
    }
    for (int i = 0; i < LINKS; i++) {
        factors[i] = (ph_factor){.kind = kind};
        t->weight[i] = 0.1 + 0.013 * i;
        t->l[i] = 0.2 - 0.007 * i;
    }
    for (int i = LINKS - 1; i > 0 && jointed; i--)
        t->weight[parents[i]] += t->weight[i];
    t->spring = jointed ? 0 : 0.1 * t->weight[0] * t->l[0] * ph_max_norm(gravity, 3);
    for (size_t i = 0; i < LINKS; i++) {
        for (size_t k = 0; k < 9 && body; k++) /* J_d about the other axes */
            if (k % 3 < 2)
                M[(i * each + k) * (nz + 1)] = k % 3 ? 1e-3 : 2e-3;
        for (int j = (int)i; j >= 0; j = jointed ? parents[j] : -1)
            for (size_t k = 0; k < (sphere ? 1 : t->d); k++) {
                const size_t a = i * each + t->place[k], b = (size_t)j * each + t->place[k];
                M[a * nz + b] = M[b * nz + a] = t->weight[i] * t->l[i] * t->l[j];
            }
    }
    TK_OWN(ph_space) *space = tk_space(factors, LINKS);
    const ph_system_definition d = {.space = space,
                                    .inertia = sphere ? M : NULL,
                                    .ambient_inertia = sphere ? NULL : M,
                                    .potential = tree_potential,
                                    .gradient = tree_gradient,
                                    .user = t};
    ph_system *system = tk_defined(&d);
    return system;
}

/* z of a link <- in this direction, e (3); a body with its first axis in some direction across */
static void point(const tree *t, const double *e, double *z)
{
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + (t->d == 3 ? e[2] * e[2] : 0));
    double axes[3][3], across[3] = {-e[1], e[0], 0}, size = hypot(e[0], e[1]);
    for (size_t k = 0; k < 3; k++) {
        axes[2][k] = e[k] / length;
        axes[0][k] = size > 0 ? across[k] / size : k == 0;
    }
    for (size_t k = 0; k < t->d; k++)
        z[t->place[k]] = axes[2][k];
    if (t->kind != PH_FACTOR_SO3)
        return;
    ph_cross3(axes[2], axes[0], axes[1]);
    for (size_t k = 0; k < 3; k++) {
        z[3 * k] = axes[0][k];
        z[3 * k + 1] = axes[1][k];
    }
}

/* In equilibrium, except for the last link of a branch of six: the links above it move by as little as t^12,
 * less than the rounding of that link; where gravity is oblique, its weight is not along any axis. Counts
 * iterations: one whose criterion rounding does not allow to be met takes the largest number, and then the
 * whole Jacobian. */
TEST_EACH(branches_that_rest, 6 * ORDERS)
{
    static const ph_factor_kind kinds[3] = {PH_FACTOR_S1, PH_FACTOR_S2, PH_FACTOR_SO3};
    static const char *const names[3] = {"circles", "spheres", "bodies"};
    static const double gravities[3][3] = {{0, 9.81, 0}, {3.1, -4.7, -8}, {0.0031, -0.0047, -0.008}},
                        shares[3] = {0.02, 1e-3, 1e-5};
    const int order = _i % ORDERS, kind = _i / ORDERS % 3;
    const bool jointed = _i < 3 * ORDERS;
    const int first = tk_short() ? _i % 3 : 0, end = tk_short() ? first + 1 : 3; /* gravities */
    for (int which = first; which < end; which++) {
        double z[9 * LINKS] = {0}, zdot[9 * LINKS] = {0}, down[3], worst = 0;
        tree t;
        TK_OWN(ph_system) *system = grow(&t, kinds[kind], gravities[which], jointed);
        for (int k = 0; k < 3; k++)
            down[k] = -gravities[which][k] / ph_max_norm(gravities[which], 3);
        for (size_t i = 0; i < LINKS; i++)
            point(&t, down, z + i * t.nz);
        down[0] += 0.3;
        down[1] += 0.4;
        point(&t, down, z + 9 * t.nz);
        for (int k = 0; k < 3; k++)
            worst = tk_max(worst, compare(system, order, shares[k], z, zdot));
        printf("%s%s, gravity %d, order %s: %.2f of what is allowed\n", names[kind],
               jointed ? "" : " and springs", which, orders[order], worst);
        ck_assert_double_le(worst, 1);
    }
}

/* ---- Rounding, refusals -------------------------------------------------------------------------------- */

/* Problem 1: energy where order 8 leaves 1e-15 of it, and the momentum about the vertical. An ensemble walks
 * by 9e-18 a step, of which four standard deviations are allowed; configurations that are rounded to 3e-17
 * (root mean square) in each step, without their low-order part, would by some 8e-17. */
TEST(rounding_only_walks)
{
    const int blocks = 50, each = tk_short() ? 20 : tk_long() ? 20000 : 400;
    double q[6], v[6], E0 = 0, J0 = 0, energy = 0, momentum = 0, constraint = 0;
    ph_measures m;
    TK_OWN(ph_system) *system = known_problem1_linkage(q, v);
    TK_BEGIN(it, state, begin, system, 2, 0.01, q, v);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    for (int k = 0; k <= blocks; k++) {
        tk_ok(ph_diagnostics_measure(d, state, &m));
        const double J = state->p[2] + state->p[5];
        E0 = k ? E0 : m.energy;
        J0 = k ? J0 : J;
        energy = tk_max(energy, fabs(m.energy - E0) / fabs(E0));
        momentum = tk_max(momentum, fabs(J - J0) / fabs(J0));
        constraint = tk_max(constraint, m.constraint_error);
        if (k < blocks)
            tk_steps(it, state, each);
    }
    const ph_statistics *s = ph_integrator_statistics(it);
    printf("%d steps: energy %.1e, momentum %.1e, constraint %.1e, %.2f passes\n", blocks * each, energy,
           momentum, constraint, (double)s->newton_passes / (double)s->steps);
    ck_assert_int_eq(s->branches, 1);
    ck_assert_double_le((double)s->newton_passes, 7.5 * (double)s->steps);
    ck_assert_double_le(energy, 1e-15 + 3.6e-17 * sqrt(blocks * each));
    ck_assert_double_le(momentum, 1e-15 + 4e-18 * sqrt(blocks * each));
    ck_assert_double_le(constraint, 2.3e-16);
}

/* In 78 steps of order 4 a correction is so small that it does not change the unknowns, so that the next one
 * is the same, for which Broyden's update would divide by zero. */
TEST(corrections_that_change_nothing)
{
    double z[MOST], zdot[MOST], end[2][MOST];
    static const double steps[2] = {78, 156};
    TK_OWN(ph_system) *system = tk_model("submerged-pendula");
    const size_t nz = ph_space_ambient(ph_system_space(system));
    tk_preset("submerged-pendula", NULL, 0, "beating", z, zdot);
    for (int k = 0; k < 2; k++) {
        TK_BEGIN(it, state, begin, system, k ? 2 : 0, 6.4 / steps[k], z, zdot);
        tk_steps(it, state, (int64_t)steps[k]);
        memcpy(end[k], state->z, nz * sizeof *z);
        ck_assert_int_eq(ph_integrator_statistics(it)->branches, 1);
    }
    ck_assert_double_le(tk_max_difference(end[0], end[1], nz), 2e-5);
}

TEST(what_it_does_not_take)
{
    static const double A[3] = {1, 1, 1};
    const ph_subspace plane = {1, 3, A};
    const ph_embedding embedding = ph_embedding_subspace(&plane);
    const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED, .embedding = &embedding};
    const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, links = PH_DENSE_PAIRS + 1;
    const ph_parameter_value many = {"links", &links, 1};
    ph_system *systems[2];
    TK_OWN(ph_space) *space = tk_space(&factor, 1);
    const ph_system_definition d = {.space = space, .ambient_inertia = M};
    tk_ok(ph_system_create(&d, &systems[0], NULL));
    systems[1] = tk_build("chain-pendulum", &many, 1);
    for (int k = 0; k < 2; k++) {
        ph_integrator *it = NULL;
        ph_error err = {PH_OK, ""};
        ck_assert_int_eq(
            ph_integrator_create(systems[k], ph_method_find("galerkin", NULL), 0.01, NULL, 0, &it, &err),
            PH_E_UNSUPPORTED);
        ck_assert_msg(strstr(err.message, k ? "too many factors" : "embedded"), "%s", err.message);
        ph_system_free(systems[k]);
    }
}

int main(void)
{
    return tk_run("galerkin");
}
