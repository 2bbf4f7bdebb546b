/* SPDX-License-Identifier: BSD-3-Clause */
/* `variational` on embedded manifolds, in the multiplier form: RATTLE, order, reversal, symplecticity, any unit,
 * constraints that fail; and which discrete Lagrangians systems take. */
#include "tests/kit/embeddings.h"
#include "tests/kit/form.h"
#include "tests/methods/general.h"

#include <stdbool.h>

/* ---- Embedded manifolds: the multiplier form ------------------------------------------------------- */

/* A particle with an anisotropic inertia in a field that is nothing special, on a manifold of the kit. */
typedef struct particle {
    size_t n;
    double M[EM_N * EM_N], k[EM_N];
} particle;

static ph_status particle_potential(void *user, const double *x, double *U)
{
    const particle *s = user;
    double kx = 0;
    *U = 0;
    for (size_t i = 0; i < s->n; i++) {
        kx += s->k[i] * x[i];
        *U += 0.3 * x[i] * x[i] * (double)(i + 1) / (double)s->n;
    }
    *U += sin(kx);
    return PH_OK;
}

static ph_status particle_gradient(void *user, const double *x, double *dU)
{
    const particle *s = user;
    double kx = 0;
    for (size_t i = 0; i < s->n; i++)
        kx += s->k[i] * x[i];
    for (size_t i = 0; i < s->n; i++)
        dU[i] = cos(kx) * s->k[i] + 0.6 * x[i] * (double)(i + 1) / (double)s->n;
    return PH_OK;
}

static ph_system *particle_on(int which, particle *s, ph_space **space, tk_random *r, double *x, double *v)
{
    const em_manifold *m = em_at(which);
    s->n = m->n;
    for (size_t i = 0; i < s->n; i++) {
        s->k[i] = tk_uniform(r, -1, 1);
        for (size_t j = 0; j <= i; j++)
            s->M[i * s->n + j] = s->M[j * s->n + i] = (i == j ? 1.5 : 0) + tk_uniform(r, -0.2, 0.2);
    }
    *space = em_space(which, EM_BEND);
    ph_system_definition d = {.space = *space,
                              .ambient_inertia = s->M,
                              .potential = particle_potential,
                              .gradient = particle_gradient,
                              .user = s};
    ph_system *system = tk_defined(&d);
    m->point(m->user, r, x);
    tk_ok(ph_space_project(*space, x));
    for (size_t i = 0; i < s->n; i++)
        v[i] = tk_normal(r) / 2;
    ph_space_project_tangent(*space, x, v);
    return system;
}

/* One step of RATTLE: x+ = x + h M^-1 (p - (h/2) dU - A^T l), g(x+) = 0, p+ = p/2 - (h/2) dU+ - A+^T m with
 * A+ M^-1 p+ = 0; p = M xdot in R^n. Newton's iteration for l; linear equations for m. */
static void rattle(const ph_embedding *m, const particle *s, double h, double *x, double *p)
{
    enum { MOST = EM_N };
    size_t n = m->n, c = n - m->dimension;
    double A[MOST * MOST], A1[MOST * MOST], g[MOST], dU[MOST], W[MOST * MOST], l[MOST] = {0}, x1[MOST],
                                                                               half[MOST];
    particle_gradient((void *)(uintptr_t)s, x, dU);
    tk_ok(m->jacobian(m->user, x, A));
    for (int pass = 0; pass < 30; pass++) {
        double S[MOST * MOST] = {0}, MA[MOST * MOST];
        for (size_t i = 0; i < n; i++) {
            half[i] = p[i] - h / 2 * dU[i];
            for (size_t a = 0; a < c; a++)
                half[i] -= A[a * n + i] * l[a];
        }
        memcpy(W, s->M, n * n * sizeof *W);
        memcpy(x1, half, n * sizeof *x1);
        ck_assert_int_eq(tk_solve(n, W, x1), 0);
        for (size_t i = 0; i < n; i++)
            x1[i] = x[i] + h * x1[i];
        tk_ok(m->constraint(m->user, x1, g));
        tk_ok(m->jacobian(m->user, x1, A1));
        for (size_t b = 0; b < c; b++) {
            memcpy(W, s->M, n * n * sizeof *W);
            memcpy(MA, A + b * n, n * sizeof *MA);
            ck_assert_int_eq(tk_solve(n, W, MA), 0);
            for (size_t a = 0; a < c; a++)
                for (size_t i = 0; i < n; i++)
                    S[a * c + b] -= h * A1[a * n + i] * MA[i];
        }
        ck_assert_int_eq(tk_solve(c, S, g), 0);
        for (size_t a = 0; a < c; a++)
            l[a] -= g[a];
    }
    particle_gradient((void *)(uintptr_t)s, x1, dU);
    double S[MOST * MOST] = {0}, right[MOST] = {0};
    for (size_t i = 0; i < n; i++)
        half[i] -= h / 2 * dU[i];
    for (size_t a = 0; a < c; a++) {
        double Ma[MOST];
        memcpy(W, s->M, n * n * sizeof *W);
        memcpy(Ma, A1 + a * n, n * sizeof *Ma);
        ck_assert_int_eq(tk_solve(n, W, Ma), 0);
        for (size_t i = 0; i < n; i++) {
            right[a] += Ma[i] * half[i];
            for (size_t b = 0; b < c; b++)
                S[a * c + b] += Ma[i] * A1[b * n + i];
        }
    }
    ck_assert_int_eq(tk_solve(c, S, right), 0);
    for (size_t i = 0; i < n; i++) {
        p[i] = half[i];
        for (size_t a = 0; a < c; a++)
            p[i] -= A1[a * n + i] * right[a];
    }
    memcpy(x, x1, n * sizeof *x);
}

TEST_EACH(embedded_ends_are_rattle, EM_MANIFOLDS)
{
    tk_random r = {5 + (uint64_t)_i};
    ph_embedding m = em_embedding(em_at(_i), EM_BEND);
    double worst = 0;
    for (int k = 0; k < 10; k++) {
        particle s;
        double x[EM_N], v[EM_N], p[EM_N] = {0}, projected[EM_N], h = k % 2 ? 0.01 : 0.1;
        TK_OWN(ph_space) *space = NULL;
        TK_OWN(ph_system) *system = particle_on(_i, &s, &space, &r, x, v);
        TK_BEGIN(it, state, start_rule, system, "ends", h, x, v);
        memcpy(x, state->z, s.n * sizeof *x);
        for (size_t i = 0; i < s.n; i++)
            for (size_t j = 0; j < s.n; j++)
                p[i] += s.M[i * s.n + j] * v[j];
        for (int n = 0; n < 5; n++) {
            rattle(&m, &s, h, x, p);
            tk_steps(it, state, 1);
            memcpy(projected, p, s.n * sizeof *p);
            ph_space_project_momentum(space, x, projected);
            worst = tk_max(worst, tk_max_difference(state->z, x, s.n));
            worst = tk_max(worst, tk_max_difference(state->p, projected, s.n));
        }
    }
    printf("RATTLE on a %s: %.1e\n", em_at(_i)->name, worst);
    ck_assert_msg(worst <= 1e-13, "%g", worst);
}

static const char *const chords[] = {"ends", "midpoint"};

/* In small steps the rounding of coordinates is what the normal part of D is made of, and an inertia that is
 * not the same in all directions brings it into the equations: it is no reason to give up. Velocity and
 * momentum have hardly changed then: z by t times the velocity, to the order. */
TEST_EACH(embedded_in_small_steps, 2 * EM_MANIFOLDS)
{
    static const double h[] = {1e-5, 1e-7, 1e-9};
    for (size_t k = 0; k < sizeof h / sizeof *h; k++) {
        tk_random r = {150 + (uint64_t)_i};
        enum { STEPS = 20 };
        particle s;
        double x[EM_N], v[EM_N], t = STEPS * h[k];
        TK_OWN(ph_space) *space = NULL;
        TK_OWN(ph_system) *system = particle_on(_i / 2, &s, &space, &r, x, v);
        TK_BEGIN(it, state, start_rule, system, chords[_i % 2], h[k], x, v);
        tk_steps(it, state, STEPS);
        for (size_t i = 0; i < s.n; i++)
            ck_assert_double_eq_tol(state->z[i], x[i] + t * v[i], 1e-14 + 100 * t * t);
    }
}

/* Also with forces, which have a part along the normal, as the kit's system has. */
TEST_EACH(embedded_order_and_reversal, 4 * EM_MANIFOLDS)
{
    static const int64_t n[] = {40, 80, 160};
    tk_random r = {50 + (uint64_t)_i};
    particle s;
    double x[EM_N], v[EM_N], z[EM_N], p[EM_N], h[3], off[3], back = 0;
    int which = _i / 2 % EM_MANIFOLDS;
    bool forced = _i >= 2 * EM_MANIFOLDS;
    TK_OWN(ph_space) *space = NULL;
    TK_OWN(ph_system) *base = particle_on(which, &s, &space, &r, x, v);
    ph_system *system = base;
    ph_system_definition added = {.force = push_and_drag, .user = &s.n};
    if (forced)
        tk_ok(ph_system_create_forced(base, &added, &system, NULL));
    follow_motion(system, 1, 4000, x, v, z, p);
    for (int i = 0; i < 3; i++) {
        double z0[EM_N], p0[EM_N];
        h[i] = 1 / (double)n[i];
        TK_BEGIN(it, state, start_rule, system, chords[_i % 2], h[i], x, v);
        memcpy(z0, state->z, s.n * sizeof *z0);
        memcpy(p0, state->p, s.n * sizeof *p0);
        tk_steps(it, state, n[i]);
        off[i] = fmax(tk_max_difference(state->z, z, s.n), tk_max_difference(state->p, p, s.n));
        tk_ok(ph_integrator_set_step_size(it, -h[i]));
        tk_steps(it, state, n[i]);
        back = tk_max(back, tk_max_difference(state->z, z0, s.n));
        back = tk_max(back, tk_max_difference(state->p, p0, s.n));
    }
    double slope = tk_slope(h, off, 3);
    printf("%s on a %s%s: order %.3f, reversal %.1e\n", chords[_i % 2], em_at(which)->name,
           forced ? " with forces" : "", slope, back);
    ck_assert_msg(fabs(slope - 2) <= 0.05, "order %.3f (%g, %g, %g)", slope, off[0], off[1], off[2]);
    ck_assert_msg(back <= 1e-12, "%g", back);
    if (forced)
        ph_system_free(system);
}

/* Variations of a state of T*M, a part of R^2n, and of what it becomes: differences of order 8 along curves
 * through it. The canonical form is that of R^2n restricted, as p is tangent: dx_1 . dp_2 - dx_2 . dp_1. */
typedef struct variation {
    double x[2][EM_N], p[2][EM_N]; /* before, after */
} variation;

static variation vary(ph_integrator *it, ph_state *state, const ph_space *space, const double *z0,
                      const double *p0, const double *dx, const double *dp)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
    size_t n = ph_space_ambient(space);
    variation d = {{{0}}, {{0}}};
    for (int j = 0; j < 8; j++) {
        double s = (j % 2 ? -1 : 1) * 0.004 * (j / 2 + 1), share = (j % 2 ? -1 : 1) * weight[j / 2] / 0.004;
        double v[EM_N], z[EM_N], p[EM_N];
        for (size_t i = 0; i < n; i++) {
            v[i] = s * dx[i];
            p[i] = p0[i] + s * dp[i];
        }
        ph_space_exp(space, z0, v, z);
        ph_space_project_momentum(space, z, p);
        tk_ok(ph_state_set(it, state, 0, z, p, PH_PROJECT, NULL));
        for (size_t i = 0; i < n; i++) {
            d.x[0][i] += share * state->z[i];
            d.p[0][i] += share * state->p[i];
        }
        tk_steps(it, state, 3);
        for (size_t i = 0; i < n; i++) {
            d.x[1][i] += share * state->z[i];
            d.p[1][i] += share * state->p[i];
        }
    }
    return d;
}

TEST_EACH(embedded_symplectic, 2 * EM_MANIFOLDS)
{
    tk_random r = {500 + (uint64_t)_i};
    particle s;
    double x[EM_N], v[EM_N], p[EM_N], worst = 0;
    variation d[6];
    TK_OWN(ph_space) *space = NULL;
    TK_OWN(ph_system) *system = particle_on(_i / 2, &s, &space, &r, x, v);
    TK_BEGIN(it, state, start_rule, system, chords[_i % 2], 0.1, x, v);
    memcpy(p, state->p, s.n * sizeof *p);
    memcpy(x, state->z, s.n * sizeof *x);
    for (int k = 0; k < 6; k++) {
        double dx[EM_N], dp[EM_N];
        for (size_t i = 0; i < s.n; i++) {
            dx[i] = tk_normal(&r);
            dp[i] = tk_normal(&r);
        }
        ph_space_project_tangent(space, x, dx);
        d[k] = vary(it, state, space, x, p, dx, dp);
    }
    for (int k = 0; k < 6; k++)
        for (int l = 0; l < k; l++) {
            double form[2] = {0, 0}, size = 0;
            for (int when = 0; when < 2; when++)
                for (size_t i = 0; i < s.n; i++) {
                    double a = d[k].x[when][i] * d[l].p[when][i], b = d[l].x[when][i] * d[k].p[when][i];
                    form[when] += a - b;
                    size += fabs(a) + fabs(b);
                }
            worst = tk_max(worst, fabs(form[1] - form[0]) / fmax(1, size));
        }
    printf("%s on a %s: symplectic form %.1e\n", chords[_i % 2], em_at(_i / 2)->name, worst);
    ck_assert_msg(worst <= 2e-11, "%g", worst);
}

/* An ellipsoid of any size: the half axes are 2, 1 and 0.7 units. */
static ph_status sized(void *user, const double *x, double *g)
{
    const double unit = *(const double *)user, y[3] = {x[0] / (2 * unit), x[1] / unit, x[2] / (0.7 * unit)};
    *g = ph_dot3(y, y) - 1;
    return PH_OK;
}

static ph_status sized_jacobian(void *user, const double *x, double *A)
{
    static const double axes[3] = {2, 1, 0.7};
    const double unit = *(const double *)user;
    for (int k = 0; k < 3; k++)
        A[k] = 2 * x[k] / (axes[k] * unit) / (axes[k] * unit);
    return PH_OK;
}

static ph_status sized_potential(void *user, const double *x, double *U)
{
    const double unit = *(const double *)user;
    *U = x[2] / unit + x[0] / unit * (x[1] / unit);
    return PH_OK;
}

static ph_status sized_gradient(void *user, const double *x, double *dU)
{
    const double unit = *(const double *)user;
    dU[0] = x[1] / unit / unit;
    dU[1] = x[0] / unit / unit;
    dU[2] = 1 / unit;
    return PH_OK;
}

/* The unit of length matters neither to the motion nor to its cost, powers of two not even to the bits. */
TEST(embedded_in_any_unit)
{
    static const double units[] = {1, 0x1p20, 0x1p-20, 1e6, 1e-6};
    double first[3] = {0, 0, 0};
    int64_t passes = 0;
    for (int i = 0; i < 5; i++) {
        double unit = units[i], mass = 1 / unit / unit, x[3] = {unit, 0.5 * unit, 0.4 * unit},
               v[3] = {0.2 * unit, -0.4 * unit, 0.3 * unit};
        const ph_embedding e = {.name = "ellipsoid",
                                .n = 3,
                                .dimension = 2,
                                .constraint = sized,
                                .jacobian = sized_jacobian,
                                .user = &unit};
        const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED, .embedding = &e};
        TK_OWN(ph_space) *space = tk_space(&factor, 1);
        ph_system_definition d = {.space = space,
                                  .inertia = &mass,
                                  .potential = sized_potential,
                                  .gradient = sized_gradient,
                                  .user = &unit};
        TK_OWN(ph_system) *system = tk_defined(&d);
        TK_BEGIN(it, state, start_rule, system, NULL, 0.05, x, v);
        tk_steps(it, state, 400);
        for (int k = 0; k < 3; k++) {
            x[k] = state->z[k] / unit;
            if (i == 0)
                first[k] = x[k];
            ck_assert(fabs(x[k] - first[k]) <= (i < 3 ? 0 : 1e-11));
        }
        const ph_statistics *done = ph_integrator_statistics(it);
        if (i == 0)
            passes = done->newton_passes;
        ck_assert_int_eq(done->branches, 1);
        ck_assert_msg(llabs(done->newton_passes - passes) <= (i < 3 ? 0 : passes / 10), "%g: %lld, %lld",
                      unit, (long long)done->newton_passes, (long long)passes);
    }
}

/* The unit sphere, whose constraint fails above x_3 = 0.2 once *user is set. */
static ph_status torn(void *user, const double *x, double *g)
{
    *g = ph_dot3(x, x) - 1;
    return *(const bool *)user && x[2] > 0.2 ? PH_E_CALLBACK : PH_OK;
}

static ph_status torn_jacobian(void *user, const double *x, double *A)
{
    for (int k = 0; k < 3; k++)
        A[k] = 2 * x[k];
    return *(const bool *)user && x[2] > 0.2 ? PH_E_CALLBACK : PH_OK;
}

/* A constraint that fails on the way is named with its status; the state stays where it was. */
TEST_EACH(embedded_constraints_that_fail, 2)
{
    bool fails = false;
    const ph_embedding e = {.name = "torn",
                            .n = 3,
                            .dimension = 2,
                            .constraint = torn,
                            .jacobian = torn_jacobian,
                            .user = &fails};
    const ph_factor factors[2] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_EMBEDDED, .embedding = &e}};
    const double M[4] = {1, 0.3, 0.3, 1}, z[6] = {0, 1, 0, 1, 0, 0}, v[6] = {0.5, 0, 0.5, 0, 0.3, 0.9};
    TK_OWN(ph_space) *space = tk_space(factors, 2);
    ph_system_definition d = {.space = space, .inertia = M};
    TK_OWN(ph_system) *system = tk_defined(&d);
    TK_BEGIN(it, state, start_rule, system, rules[_i], 0.05, z, v);
    fails = true;
    ck_assert_int_eq(ph_integrator_step(it, state, 100), PH_E_CALLBACK);
    ck_assert_msg(strstr(ph_integrator_message(it), "constraints of factor 2 failed at t = 0.2 s"), "%s",
                  ph_integrator_message(it));
    ck_assert_int_eq(state->k, 4);
    fails = false;
    tk_steps(it, state, 100);
    ck_assert_double_le(ph_space_residual(space, state->z), 4e-16);
}

/* ---- Long runs ----------------------------------------------------------------------------------------- */

static void refuses(const ph_system *system, const char *rule, const char *says)
{
    const ph_setting setting = {"discrete-lagrangian", rule};
    ph_integrator *it = NULL;
    ph_error err = {PH_OK, ""};
    ph_status status =
        ph_integrator_create(system, ph_method_find("variational", NULL), 0.1, &setting, 1, &it, &err);
    ck_assert_int_eq(status, says ? PH_E_UNSUPPORTED : PH_OK);
    ck_assert_msg(!says || strstr(err.message, says), "%s", err.message);
    ph_integrator_free(says ? NULL : it);
}

/* Midpoints that do not exist: on an embedded manifold, or for a gradient that is not defined off the
 * manifold. */
TEST(rules_that_do_not_go)
{
    tk_random r = {82};
    particle s;
    double x[EM_N], v[EM_N];
    TK_OWN(ph_space) *space = NULL;
    TK_OWN(ph_system) *embedded = particle_on(EM_TORUS, &s, &space, &r, x, v);
    refuses(embedded, "normalised-midpoint", "not for embedded manifolds (factor 1)");
    refuses(embedded, "midpoint", NULL);
    TK_OWN(ph_space) *spheres = tk_space(two_spheres, 2);
    ph_system_definition d = {.space = spheres,
                              .inertia_at = turning_inertia,
                              .inertia_dz = turning_inertia_dz,
                              .potential = turning_potential,
                              .gradient = turning_gradient,
                              .gradient_on_manifold = true};
    TK_OWN(ph_system) *on_it = tk_defined(&d);
    refuses(on_it, "midpoint", "right on it only");
    refuses(on_it, "normalised-midpoint", NULL);
    refuses(on_it, "ends", NULL);
}

int main(void)
{
    return tk_run("lagrangians on embedded manifolds");
}
