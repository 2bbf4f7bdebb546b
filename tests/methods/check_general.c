/* SPDX-License-Identifier: BSD-3-Clause */
/* `variational` for Lagrangians that the user writes down, with every discrete Lagrangian: order, reversal,
 * symplecticity, momentum and energy on systems that are neither quadratic nor of constant inertia; the same
 * maps as the kernels for constant inertia where both apply; known solutions of chain, top and cart. */
#include "tests/kit/embeddings.h"
#include "tests/kit/form.h"
#include "tests/kit/known.h"
#include "tests/kit/lagrangians.h"

#include <complex.h>
#include <stdbool.h>

static const char *const rules[] = {"ends", "midpoint", "normalised-midpoint", "exponential",
                                    "exponential-midpoint"};
enum { RULES = sizeof rules / sizeof rules[0] };

static const ph_factor mixed[] = {
    {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_S1}};
enum { MIXED = 4, NZ = 17, NP = 9 };

static void start(const ph_system *system, const char *rule, double h, const double *z, const double *v,
                  ph_integrator **it, ph_state **state)
{
    ph_setting setting = {"discrete-lagrangian", rule};
    ph_error err = {PH_OK, ""};
    ph_status status = ph_integrator_create(system, ph_method_find("variational", NULL), h, &setting,
                                            rule ? 1 : 0, it, &err);
    ck_assert_msg(!status, "%s", err.message);
    tk_ok(ph_state_create(*it, state, NULL));
    status = ph_state_set_velocity(*it, *state, 0, z, v, PH_PROJECT, &err);
    ck_assert_msg(!status, "%s", err.message);
}

static void step(ph_integrator *it, ph_state *state, int64_t n)
{
    ph_status status = ph_integrator_step(it, state, n);
    ck_assert_msg(!status, "%s", ph_integrator_message(it));
}

typedef struct sample {
    ph_space *space;
    lg_system L;
    double z[NZ], v[NZ];
} sample;

static void draw(sample *s, tk_random *r)
{
    tk_ok(ph_space_create(mixed, MIXED, &s->space, NULL));
    lg_fill(&s->L, ph_space_ambient(s->space), r);
    for (size_t i = 0; i < s->L.nz; i++) {
        s->z[i] = tk_normal(r);
        s->v[i] = tk_normal(r) / 2;
    }
    tk_ok(ph_space_project(s->space, s->z));
    ph_space_project_tangent(s->space, s->z, s->v);
}

/* The state at time T by small steps of a continuous method on the Euler-Lagrange equations. */
static void follow(const ph_system *system, double T, int64_t n, const double *z, const double *v, double *z1,
                   double *p1)
{
    ph_integrator *it;
    ph_state *state;
    tk_start(system, "rk4-projected", "q-omega", T / (double)n, z, v, &it, &state);
    step(it, state, n);
    memcpy(z1, state->z, state->nz * sizeof *z1);
    memcpy(p1, state->p, state->np * sizeof *p1);
    tk_end(it, state);
}

/* The i-th pair of a rule and of what is given. Values alone cost thousands of them a step, and reach the
 * rules as the same derivatives: the last pairs, of which there is one but in the thorough form. */
enum { PAIRS = RULES * (LG_WAYS - 1) };

static int pairs(void)
{
    return PAIRS + (tk_thorough() ? RULES : 1);
}

static lg_given way_of(int i)
{
    return i < PAIRS ? (lg_given)(i % (LG_WAYS - 1)) : LG_VALUE;
}

static int rule_of(int i)
{
    return i < PAIRS ? i / (LG_WAYS - 1) : i - PAIRS;
}

/* Does a step need thousands of values, or hundreds of complex ones? */
static bool is_costly(lg_given given)
{
    return given == LG_VALUE || (given == LG_COMPLEX && !tk_thorough());
}

/* Steps of the reference in a second: it errs by less than a ten thousandth of what the others do. */
enum { FINE = 400 };

START_TEST(order_is_two)
{
    static const int64_t n[] = {20, 40, 80};
    tk_random r = {4711};
    const lg_given given = way_of(_i);
    const char *rule = rules[rule_of(_i)];
    int samples = tk_short() || is_costly(given) ? 1 : 3;
    int64_t share = tk_short() ? 4 : 1; /* of a second */
    for (int k = 0; k < samples; k++) {
        sample s;
        double z[NZ], p[NP], h[3], off[3];
        draw(&s, &r);
        ph_system *system = lg_create(&s.L, s.space, given);
        ph_system *fast = lg_create(&s.L, s.space, LG_ALL);
        follow(fast, 1. / (double)share, FINE / share, s.z, s.v, z, p);
        ph_system_free(fast);
        for (int i = 0; i < 3; i++) {
            ph_integrator *it;
            ph_state *state;
            h[i] = 1 / (double)n[i];
            start(system, rule, h[i], s.z, s.v, &it, &state);
            step(it, state, n[i] / share);
            off[i] =
                fmax(tk_max_difference(state->z, z, state->nz), tk_max_difference(state->p, p, state->np));
            tk_end(it, state);
        }
        double slope = tk_slope(h, off, 3);
        ck_assert_msg(fabs(slope - 2) <= 0.05, "%s, %s: order %.3f (%g, %g, %g)", rule, lg_words[given],
                      slope, off[0], off[1], off[2]);
        ph_system_free(system);
        ph_space_free(s.space);
    }
}
END_TEST

/* Drag, a push in time and a gyroscopic force. */
static ph_status push_and_drag(void *user, double t, const double *z, const double *v, double *f)
{
    const size_t nz = *(const size_t *)user;
    for (size_t i = 0; i < nz; i++)
        f[i] += 0.5 * sin(3 * t + (double)i) - 0.4 * v[i] + 0.3 * z[(i + 1) % nz] * v[(i + 2) % nz] -
                0.3 * z[(i + 1) % nz] * (i >= 2 ? v[i - 2] : 0);
    return PH_OK;
}

/* Forces at both ends with the chord velocity keep order 2, whatever the discrete Lagrangian. */
START_TEST(order_with_forces)
{
    static const int64_t n[] = {20, 40, 80};
    tk_random r = {12};
    sample s;
    double z[NZ], p[NP], h[3], off[3];
    draw(&s, &r);
    size_t nz = s.L.nz;
    ph_system *base = lg_create(&s.L, s.space, LG_ALL), *system = NULL;
    ph_system_definition added = {.force = push_and_drag, .user = &nz};
    tk_ok(ph_system_create_forced(base, &added, &system, NULL));
    follow(system, 1, FINE, s.z, s.v, z, p);
    for (int i = 0; i < 3; i++) {
        ph_integrator *it;
        ph_state *state;
        h[i] = 1 / (double)n[i];
        start(system, rules[_i], h[i], s.z, s.v, &it, &state);
        step(it, state, n[i]);
        off[i] = fmax(tk_max_difference(state->z, z, state->nz), tk_max_difference(state->p, p, state->np));
        tk_end(it, state);
    }
    double slope = tk_slope(h, off, 3);
    ck_assert_msg(fabs(slope - 2) <= 0.05, "%s: order %.3f (%g, %g, %g)", rules[_i], slope, off[0], off[1],
                  off[2]);
    ph_system_free(system);
    ph_system_free(base);
    ph_space_free(s.space);
}
END_TEST

START_TEST(reversal)
{
    tk_random r = {17};
    const lg_given given = way_of(_i);
    const char *rule = rules[rule_of(_i)];
    double worst = 0;
    for (int k = 0; k < (is_costly(given) || tk_short() ? 1 : 8); k++) {
        sample s;
        double p[NP];
        ph_integrator *it;
        ph_state *state;
        draw(&s, &r);
        ph_system *system = lg_create(&s.L, s.space, given);
        start(system, rule, 0.05, s.z, s.v, &it, &state);
        memcpy(p, state->p, sizeof p);
        memcpy(s.z, state->z, state->nz * sizeof *p);
        step(it, state, 10);
        tk_ok(ph_integrator_set_step_size(it, -0.05));
        step(it, state, 10);
        worst = tk_max(worst, tk_max_difference(state->z, s.z, state->nz));
        worst = tk_max(worst, tk_max_difference(state->p, p, state->np));
        tk_end(it, state);
        ph_system_free(system);
        ph_space_free(s.space);
    }
    printf("reversal %s, %s: %.1e\n", rule, lg_words[given], worst);
    ck_assert_msg(worst <= (given == LG_VALUE ? 1e-10 : 1e-12), "%g", worst);
}
END_TEST

START_TEST(symplectic)
{
    tk_random r = {99};
    double worst = 0;
    for (int k = 0; k < 2; k++) {
        sample s;
        fm_units units;
        ph_integrator *it;
        ph_state *state;
        draw(&s, &r);
        for (size_t i = 0; i < FM_NX; i++)
            units.x[i] = units.p[i] = 1;
        ph_system *system = lg_create(&s.L, s.space, LG_ALL);
        start(system, rules[_i], 0.1, s.z, s.v, &it, &state);
        worst = tk_max(worst, fm_form_error(it, state, 3, &units));
        tk_end(it, state);
        ph_system_free(system);
        ph_space_free(s.space);
    }
    printf("symplectic %s: %.1e\n", rules[_i], worst);
    ck_assert_msg(worst <= 1e-11, "%g", worst);
}
END_TEST

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
    ph_system *system = NULL;
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
    tk_ok(ph_system_create(&d, &system, NULL));
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

START_TEST(embedded_ends_are_rattle)
{
    tk_random r = {5 + (uint64_t)_i};
    ph_embedding m = em_embedding(em_at(_i), EM_BEND);
    double worst = 0;
    for (int k = 0; k < 10; k++) {
        particle s;
        ph_space *space;
        ph_integrator *it;
        ph_state *state;
        double x[EM_N], v[EM_N], p[EM_N] = {0}, projected[EM_N], h = k % 2 ? 0.01 : 0.1;
        ph_system *system = particle_on(_i, &s, &space, &r, x, v);
        start(system, "ends", h, x, v, &it, &state);
        memcpy(x, state->z, s.n * sizeof *x);
        for (size_t i = 0; i < s.n; i++)
            for (size_t j = 0; j < s.n; j++)
                p[i] += s.M[i * s.n + j] * v[j];
        for (int n = 0; n < 5; n++) {
            rattle(&m, &s, h, x, p);
            step(it, state, 1);
            memcpy(projected, p, s.n * sizeof *p);
            ph_space_project_momentum(space, x, projected);
            worst = tk_max(worst, tk_max_difference(state->z, x, s.n));
            worst = tk_max(worst, tk_max_difference(state->p, projected, s.n));
        }
        tk_end(it, state);
        ph_system_free(system);
        ph_space_free(space);
    }
    printf("RATTLE on a %s: %.1e\n", em_at(_i)->name, worst);
    ck_assert_msg(worst <= 1e-13, "%g", worst);
}
END_TEST

static const char *const chords[] = {"ends", "midpoint"};

/* In small steps the rounding of coordinates is what the normal part of D is made of, and an inertia that is
 * not the same in all directions brings it into the equations: it is no reason to give up. Velocity and
 * momentum have hardly changed then: z by t times the velocity, to the order. */
START_TEST(embedded_in_small_steps)
{
    static const double h[] = {1e-5, 1e-7, 1e-9};
    for (size_t k = 0; k < sizeof h / sizeof *h; k++) {
        tk_random r = {150 + (uint64_t)_i};
        enum { STEPS = 20 };
        particle s;
        ph_space *space;
        ph_integrator *it;
        ph_state *state;
        double x[EM_N], v[EM_N], t = STEPS * h[k];
        ph_system *system = particle_on(_i / 2, &s, &space, &r, x, v);
        start(system, chords[_i % 2], h[k], x, v, &it, &state);
        step(it, state, STEPS);
        for (size_t i = 0; i < s.n; i++)
            ck_assert_double_eq_tol(state->z[i], x[i] + t * v[i], 1e-14 + 100 * t * t);
        tk_end(it, state);
        ph_system_free(system);
        ph_space_free(space);
    }
}
END_TEST

/* Also with forces, which have a part along the normal, as the kit's system has. */
START_TEST(embedded_order_and_reversal)
{
    static const int64_t n[] = {40, 80, 160};
    tk_random r = {50 + (uint64_t)_i};
    particle s;
    ph_space *space;
    double x[EM_N], v[EM_N], z[EM_N], p[EM_N], h[3], off[3], back = 0;
    int which = _i / 2 % EM_MANIFOLDS;
    bool forced = _i >= 2 * EM_MANIFOLDS;
    ph_system *base = particle_on(which, &s, &space, &r, x, v), *system = base;
    ph_system_definition added = {.force = push_and_drag, .user = &s.n};
    if (forced)
        tk_ok(ph_system_create_forced(base, &added, &system, NULL));
    follow(system, 1, 4000, x, v, z, p);
    for (int i = 0; i < 3; i++) {
        ph_integrator *it;
        ph_state *state;
        double z0[EM_N], p0[EM_N];
        h[i] = 1 / (double)n[i];
        start(system, chords[_i % 2], h[i], x, v, &it, &state);
        memcpy(z0, state->z, s.n * sizeof *z0);
        memcpy(p0, state->p, s.n * sizeof *p0);
        step(it, state, n[i]);
        off[i] = fmax(tk_max_difference(state->z, z, s.n), tk_max_difference(state->p, p, s.n));
        tk_ok(ph_integrator_set_step_size(it, -h[i]));
        step(it, state, n[i]);
        back = tk_max(back, tk_max_difference(state->z, z0, s.n));
        back = tk_max(back, tk_max_difference(state->p, p0, s.n));
        tk_end(it, state);
    }
    double slope = tk_slope(h, off, 3);
    printf("%s on a %s%s: order %.3f, reversal %.1e\n", chords[_i % 2], em_at(which)->name,
           forced ? " with forces" : "", slope, back);
    ck_assert_msg(fabs(slope - 2) <= 0.05, "order %.3f (%g, %g, %g)", slope, off[0], off[1], off[2]);
    ck_assert_msg(back <= 1e-12, "%g", back);
    if (forced)
        ph_system_free(system);
    ph_system_free(base);
    ph_space_free(space);
}
END_TEST

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
        step(it, state, 3);
        for (size_t i = 0; i < n; i++) {
            d.x[1][i] += share * state->z[i];
            d.p[1][i] += share * state->p[i];
        }
    }
    return d;
}

START_TEST(embedded_symplectic)
{
    tk_random r = {500 + (uint64_t)_i};
    particle s;
    ph_space *space;
    ph_integrator *it;
    ph_state *state;
    double x[EM_N], v[EM_N], p[EM_N], worst = 0;
    variation d[6];
    ph_system *system = particle_on(_i / 2, &s, &space, &r, x, v);
    start(system, chords[_i % 2], 0.1, x, v, &it, &state);
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
    tk_end(it, state);
    ph_system_free(system);
    ph_space_free(space);
}
END_TEST

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
START_TEST(embedded_in_any_unit)
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
        ph_space *space;
        ph_system *system;
        ph_integrator *it;
        ph_state *state;
        tk_ok(ph_space_create(&factor, 1, &space, NULL));
        ph_system_definition d = {.space = space,
                                  .inertia = &mass,
                                  .potential = sized_potential,
                                  .gradient = sized_gradient,
                                  .user = &unit};
        tk_ok(ph_system_create(&d, &system, NULL));
        start(system, NULL, 0.05, x, v, &it, &state);
        step(it, state, 400);
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
        tk_end(it, state);
        ph_system_free(system);
        ph_space_free(space);
    }
}
END_TEST

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
START_TEST(embedded_constraints_that_fail)
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
    ph_space *space;
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
    tk_ok(ph_space_create(factors, 2, &space, NULL));
    ph_system_definition d = {.space = space, .inertia = M};
    tk_ok(ph_system_create(&d, &system, NULL));
    start(system, rules[_i], 0.05, z, v, &it, &state);
    fails = true;
    ck_assert_int_eq(ph_integrator_step(it, state, 100), PH_E_CALLBACK);
    ck_assert_msg(strstr(ph_integrator_message(it), "constraints of factor 2 failed at t = 0.2 s"), "%s",
                  ph_integrator_message(it));
    ck_assert_int_eq(state->k, 4);
    fails = false;
    step(it, state, 100);
    ck_assert_double_le(ph_space_residual(space, state->z), 4e-16);
    tk_end(it, state);
    ph_system_free(system);
    ph_space_free(space);
}
END_TEST

/* ---- Long runs ----------------------------------------------------------------------------------------- */

/* Energy stays within its range in the first tenth, momentum and constraint (level) at rounding level. */
static void run_long(const char *label, const ph_system *system, const char *rule, double h, const double *z,
                     const double *v, double bound, double level)
{
    int64_t steps = tk_long() ? 1000000 : tk_thorough() ? 100000 : 20000;
    ph_integrator *it;
    ph_state *state;
    ph_diagnostics *diagnostics;
    ph_measures m;
    double E0, J0, tenth[2] = {0, 0}, momentum = 0, constraint = 0;
    if (tk_short())
        steps = 5000;
    start(system, rule, h, z, v, &it, &state);
    tk_ok(ph_diagnostics_create(system, &diagnostics, NULL));
    tk_ok(ph_diagnostics_measure(diagnostics, state, &m));
    E0 = m.energy;
    J0 = m.momenta[0];
    for (int64_t k = 0; k < steps; k += 20) {
        step(it, state, 20);
        tk_ok(ph_diagnostics_measure(diagnostics, state, &m));
        double *worst = k < steps / 10 ? &tenth[0] : &tenth[1];
        *worst = k < steps / 10 || k >= steps - steps / 10 ? tk_max(*worst, fabs(m.energy - E0)) : *worst;
        momentum = tk_max(momentum, fabs(m.momenta[0] - J0) / fmax(fabs(J0), m.momentum_size));
        constraint = tk_max(constraint, m.constraint_error);
    }
    printf("%s, %s: energy %.2e first tenth, %.2e last, momentum %.1e, constraint %.1e, %.2f passes a step\n",
           label, rule, tenth[0], tenth[1], momentum, constraint,
           (double)ph_integrator_statistics(it)->newton_passes / (double)steps);
    ck_assert_msg(tenth[1] <= 1.5 * tenth[0] && tenth[0] <= bound * fabs(E0), "%s, %s: %g, %g", label, rule,
                  tenth[0], tenth[1]);
    ck_assert_msg(momentum <= 1e-12, "%s, %s: momentum %g", label, rule, momentum);
    ck_assert_msg(constraint <= level, "%s, %s: constraint %g", label, rule, constraint);
    ph_diagnostics_free(diagnostics);
    tk_end(it, state);
}

/* Two unit vectors, m_ij(q) and U invariant under rotation about the third axis. */
static ph_status turning_inertia(void *user, const double *q, double *m)
{
    double both = ph_dot3(q, q + 3);
    (void)user;
    m[0] = 2 + 0.5 * q[2] + 0.2 * both;
    m[3] = 1.5 + 0.3 * q[5] * q[5];
    m[1] = m[2] = 0.6 + 0.3 * both - 0.1 * q[2] * q[5];
    return PH_OK;
}

static ph_status turning_inertia_dz(void *user, const double *q, double *dm)
{
    (void)user;
    memset(dm, 0, 4 * 6 * sizeof *dm);
    for (int k = 0; k < 3; k++) {
        dm[k] = 0.2 * q[3 + k];
        dm[3 + k] = 0.2 * q[k];
        dm[6 + k] = dm[12 + k] = 0.3 * q[3 + k];
        dm[9 + k] = dm[15 + k] = 0.3 * q[k];
    }
    dm[2] += 0.5;
    dm[18 + 5] = 0.6 * q[5];
    dm[6 + 2] -= 0.1 * q[5];
    dm[6 + 5] -= 0.1 * q[2];
    memcpy(dm + 12, dm + 6, 6 * sizeof *dm);
    return PH_OK;
}

static ph_status turning_potential(void *user, const double *q, double *U)
{
    (void)user;
    *U = 3 * q[2] + 2 * q[5] + ph_dot3(q, q + 3);
    return PH_OK;
}

static ph_status turning_gradient(void *user, const double *q, double *dU)
{
    (void)user;
    for (int k = 0; k < 3; k++) {
        dU[k] = q[3 + k];
        dU[3 + k] = q[k];
    }
    dU[2] += 3;
    dU[5] += 2;
    return PH_OK;
}

static const ph_factor two_spheres[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}};
static const ph_symmetry about_e3 = {.name = "J3", .text = "", .unit = "", .axis = {0, 0, 1}};
static const double two_q[6] = {0.6, 0, 0.8, 0, -0.8, -0.6}, two_v[6] = {0.3, 0.8, -0.225, 0.5, -0.3, 0.4};

static ph_system *turning_system(ph_space **space)
{
    ph_system *system = NULL;
    tk_ok(ph_space_create(two_spheres, 2, space, NULL));
    ph_system_definition d = {.space = *space,
                              .inertia_at = turning_inertia,
                              .inertia_dz = turning_inertia_dz,
                              .potential = turning_potential,
                              .gradient = turning_gradient,
                              .symmetries = &about_e3,
                              .n_symmetries = 1};
    tk_ok(ph_system_create(&d, &system, NULL));
    return system;
}

/* Left alone, a general Lagrangian is taken by `exponential`, an inertia that varies by `ends`. */
START_TEST(automatic_is_one_of_them)
{
    for (int general = 0; general < 2; general++) {
        tk_random r = {81};
        sample s;
        ph_space *space = NULL;
        ph_system *system;
        ph_integrator *it[2];
        ph_state *state[2];
        draw(&s, &r);
        system = general ? lg_create(&s.L, s.space, LG_ALL) : turning_system(&space);
        for (int k = 0; k < 2; k++) {
            const char *rule = k ? NULL : general ? "exponential" : "ends";
            start(system, rule, 0.1, general ? s.z : two_q, general ? s.v : two_v, &it[k], &state[k]);
            step(it[k], state[k], 3);
        }
        ck_assert_mem_eq(state[0]->z, state[1]->z, state[0]->nz * sizeof *state[0]->z);
        ck_assert_mem_eq(state[0]->p, state[1]->p, state[0]->np * sizeof *state[0]->p);
        for (int k = 0; k < 2; k++)
            tk_end(it[k], state[k]);
        ph_system_free(system);
        ph_space_free(space);
        ph_space_free(s.space);
    }
}
END_TEST

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
START_TEST(rules_that_do_not_go)
{
    tk_random r = {82};
    particle s;
    ph_space *space, *spheres;
    double x[EM_N], v[EM_N];
    ph_system *embedded = particle_on(EM_TORUS, &s, &space, &r, x, v), *on_it = NULL;
    refuses(embedded, "normalised-midpoint", "not for embedded manifolds (factor 1)");
    refuses(embedded, "midpoint", NULL);
    tk_ok(ph_space_create(two_spheres, 2, &spheres, NULL));
    ph_system_definition d = {.space = spheres,
                              .inertia_at = turning_inertia,
                              .inertia_dz = turning_inertia_dz,
                              .potential = turning_potential,
                              .gradient = turning_gradient,
                              .gradient_on_manifold = true};
    tk_ok(ph_system_create(&d, &on_it, NULL));
    refuses(on_it, "midpoint", "right on it only");
    refuses(on_it, "normalised-midpoint", NULL);
    refuses(on_it, "ends", NULL);
    ph_system_free(on_it);
    ph_system_free(embedded);
    ph_space_free(spheres);
    ph_space_free(space);
}
END_TEST

START_TEST(varying_inertia_for_long)
{
    ph_space *space;
    ph_system *system = turning_system(&space);
    run_long("m(q) on (S^2)^2", system, rules[_i], 0.05, two_q, two_v, 0.01, 4e-16);
    ph_system_free(system);
    ph_space_free(space);
}
END_TEST

/* A charged heavy particle on a sphere above the pole of a magnetic field, whose kinetic energy is that of a
 * relativistic one: L = -c^2 sqrt(1 - |v|^2/c^2) + a(q).v - g e3.q, a = B (1 + q3) e3 x q / 2; c = 3.
 * Momentum about e3. */
static ph_status charge_lagrangian(void *user, const double *z, const double *v, double *out)
{
    double complex q[3], u[3], square = 0, L;
    (void)user;
    memcpy(q, z, sizeof q);
    memcpy(u, v, sizeof u);
    for (int k = 0; k < 3; k++)
        square += u[k] * u[k];
    L = -9 * csqrt(1 - square / 9) + 0.5 * 1.7 * (1 + q[2]) * (q[0] * u[1] - q[1] * u[0]) - 2 * q[2];
    memcpy(out, &L, sizeof L);
    return PH_OK;
}

static ph_system *charge_system(ph_space **space)
{
    ph_system *system = NULL;
    tk_ok(ph_space_create(two_spheres, 1, space, NULL));
    ph_system_definition d = {
        .space = *space, .lagrangian_complex = charge_lagrangian, .symmetries = &about_e3, .n_symmetries = 1};
    tk_ok(ph_system_create(&d, &system, NULL));
    return system;
}

START_TEST(general_for_long)
{
    ph_space *space;
    const double q[3] = {0.6, 0, 0.8}, v[3] = {0.8, 1, -0.6};
    ph_system *system = charge_system(&space);
    run_long("relativistic charge", system, rules[_i], 0.05, q, v, 0.01, 4e-16);
    ph_system_free(system);
    ph_space_free(space);
}
END_TEST

static ph_status height(void *user, const double *x, double *U)
{
    (void)user;
    *U = x[2];
    return PH_OK;
}

static ph_status height_gradient(void *user, const double *x, double *dU)
{
    (void)user, (void)x;
    dU[0] = dU[1] = 0;
    dU[2] = 1;
    return PH_OK;
}

/* On surfaces of revolution. */
START_TEST(embedded_for_long)
{
    static const int surfaces[] = {EM_SPHERE, EM_SPHEROID, EM_TORUS};
    const em_manifold *m = em_at(surfaces[_i / 2]);
    tk_random r = {31};
    double x[3], v[3], one = 1, level = 0;
    ph_space *space = em_space(surfaces[_i / 2], EM_BEND);
    for (int k = 0; k < 20000; k++) { /* what g leaves at points of the surface, as they are rounded */
        m->point(m->user, &r, x);
        level = fmax(level, ph_space_residual(space, x));
    }
    ph_system *system = NULL;
    ph_system_definition d = {.space = space,
                              .inertia = &one,
                              .potential = height,
                              .gradient = height_gradient,
                              .symmetries = &about_e3,
                              .n_symmetries = 1};
    tk_ok(ph_system_create(&d, &system, NULL));
    m->point(m->user, &r, x);
    tk_ok(ph_space_project(space, x));
    for (int k = 0; k < 3; k++)
        v[k] = tk_normal(&r);
    ph_space_project_tangent(space, x, v);
    run_long(m->name, system, chords[_i % 2], 0.05, x, v, 0.02, fmax(4e-16, 1.5 * level));
    ph_system_free(system);
    ph_space_free(space);
}
END_TEST

/* ---- The same maps by other kernels, and known solutions ------------------------------------------- */

/* A model's Lagrangian handed in as if it were a user's. */
static ph_status wrapped_gradient(void *user, const double *z, const double *v, double *Lz, double *Lv)
{
    double work[1]; /* a constant inertia needs none */
    return ph_system_lagrangian_gradient(user, z, v, Lz, Lv, work);
}

static ph_status wrapped_lagrangian(void *user, const double *z, const double *v, double *L)
{
    double *work = malloc(ph_system_work(user) * sizeof *work);
    ph_status status = ph_system_lagrangian(user, z, v, L, work);
    free(work);
    return status;
}

static ph_system *wrap(ph_system *model)
{
    ph_system *system = NULL;
    ph_system_definition d = {.space = ph_system_space(model),
                              .lagrangian = wrapped_lagrangian,
                              .lagrangian_gradient = wrapped_gradient,
                              .user = model};
    tk_ok(ph_system_create(&d, &system, NULL));
    return system;
}

static const char *const models[] = {"double-spherical-pendulum", "heavy-top", "cart-chain",
                                     "quadrotor-cable"};

/* `ends` of the general path and of the kernels for a constant inertia are one map. */
START_TEST(general_path_agrees)
{
    double z[64], v[64], worst = 0;
    ph_system *model = tk_model(models[_i]), *system = wrap(model);
    tk_random r = {8};
    ph_integrator *a, *b;
    ph_state *one, *other;
    tk_preset(models[_i], NULL, 0, NULL, z, v);
    double h = 0.05 / tk_push(model, &r, z, v);
    start(model, NULL, h, z, v, &a, &one);
    start(system, "ends", h, z, v, &b, &other);
    double size = 1 + ph_max_norm(one->p, one->np);
    for (int k = 0; k < 50; k++) {
        step(a, one, 1);
        step(b, other, 1);
        worst = tk_max(worst, tk_max_difference(one->z, other->z, one->nz));
        worst = tk_max(worst, tk_max_difference(one->p, other->p, one->np) / size);
    }
    printf("%s, general path against its own kernel: %.1e\n", models[_i], worst);
    ck_assert_msg(worst <= 2e-13, "%g", worst);
    tk_end(a, one);
    tk_end(b, other);
    ph_system_free(system);
    ph_system_free(model);
}
END_TEST

/* The double pendulum's 20 digits at 10 s (problem of check_reference), the slow heavy top's centre of mass
 * at 10 s. */
START_TEST(known_solutions)
{
    static const int64_t n[3] = {1000, 2000, 4000};
    bool top = _i % 2;
    double z[9], v[9], h[3], off[3];
    ph_system *model = tk_model(models[top]), *system = wrap(model);
    tk_preset(models[top], NULL, 0, top ? "slow" : NULL, z, v);
    for (int i = 0; i < 3; i++) {
        ph_integrator *it;
        ph_state *state;
        h[i] = 10. / (double)n[i];
        start(system, rules[_i / 2], h[i], z, v, &it, &state);
        step(it, state, n[i]);
        off[i] = 0;
        for (int k = 0; k < (top ? 3 : 6); k++)
            off[i] = tk_max(off[i], fabs(top ? state->z[3 * k + 1] - known_slow_top.centre[k]
                                             : state->z[k] - known_problem1.q[k]));
        tk_end(it, state);
    }
    double slope = tk_slope(h, off, 3);
    printf("%s, %s: error %.1e at h = %g s, order %.3f\n", models[top], rules[_i / 2], off[2], h[2], slope);
    ck_assert_msg(fabs(slope - 2) <= 0.05 && off[2] < 1e-3, "order %.3f, %g", slope, off[2]);
    ph_system_free(system);
    ph_system_free(model);
}
END_TEST

/* A free relativistic particle, L = -sqrt(1 - v^2): the extrapolated guess is right to the last bit, and
 * Newton's iteration needs no Jacobian. */
static ph_status free_particle(void *user, const double *z, const double *v, double *L)
{
    (void)user, (void)z;
    double complex speed = v[0] + v[1] * I;
    double complex value = -csqrt(1 - speed * speed);
    L[0] = creal(value);
    L[1] = cimag(value);
    return PH_OK;
}

/* States do not share their carry, also where a step needs no Jacobian: two states by one integrator, and one
 * of them by a separate integrator. */
START_TEST(states_in_turn_without_a_jacobian)
{
    static const ph_factor line = {.kind = PH_FACTOR_R, .d = 1};
    static const double z[1] = {0}, slow[1] = {0.6}, fast[1] = {0.8};
    ph_space *space;
    ph_system *system;
    ph_integrator *shared, *own;
    ph_state *a, *b, *alone;
    tk_ok(ph_space_create(&line, 1, &space, NULL));
    ph_system_definition d = {.space = space, .lagrangian_complex = free_particle};
    tk_ok(ph_system_create(&d, &system, NULL));
    start(system, rules[_i], 0.25, z, slow, &shared, &a);
    start(system, rules[_i], 0.25, z, slow, &own, &alone);
    tk_ok(ph_state_create(shared, &b, NULL));
    tk_ok(ph_state_set_velocity(shared, b, 0, z, fast, PH_STRICT, NULL));
    for (int k = 0; k < 10; k++) {
        step(shared, a, 1);
        step(shared, b, 1);
        step(own, alone, 1);
        ck_assert_mem_eq(a->z, alone->z, sizeof z);
        ck_assert_mem_eq(a->carry, alone->carry, a->ncarry * sizeof *a->carry);
    }
    ck_assert_msg(ph_integrator_statistics(own)->newton_passes < 10, "the guesses are not right: no test");
    ck_assert_double_eq_tol(alone->z[0], 0.6 * 2.5, 1e-14);
    ph_state_free(b);
    tk_end(shared, a);
    tk_end(own, alone);
    ph_system_free(system);
    ph_space_free(space);
}
END_TEST

/* A charge on a circle in a field across it, L = |v|^2/2 + (2/5) (z x v) - (3/10) |z|^2, which turns
 * steadily. */
static ph_status charge_on_a_circle(void *user, const double *z, const double *v, double *L)
{
    (void)user;
    double complex x = z[0] + z[1] * I, y = z[2] + z[3] * I, vx = v[0] + v[1] * I, vy = v[2] + v[3] * I;
    double complex value = (vx * vx + vy * vy) / 2 + 0.4 * (x * vy - y * vx) - 0.3 * (x * x + y * y);
    L[0] = creal(value);
    L[1] = cimag(value);
    return PH_OK;
}

/* The guesses of a steady motion are right to rounding, and corrections that are rounding do not contract:
 * that is no reason to follow the branch again (which would fail, too, for the same reason). */
START_TEST(a_guess_right_to_rounding_is_trusted)
{
    static const ph_factor circle = {.kind = PH_FACTOR_S1};
    static const double z[2] = {0.6, 0.8}, v[2] = {-0.4, 0.3}, h = 0.05; /* 1/2 rad/s */
    const int64_t steps = 20000;
    ph_space *space;
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
    tk_ok(ph_space_create(&circle, 1, &space, NULL));
    ph_system_definition d = {.space = space, .lagrangian_complex = charge_on_a_circle};
    tk_ok(ph_system_create(&d, &system, NULL));
    start(system, rules[_i], h, z, v, &it, &state);
    step(it, state, steps);
    double p = state->p[0], angle = atan2(state->z[1], state->z[0]) - atan2(z[1], z[0]);
    int64_t branches = ph_integrator_statistics(it)->branches;
    printf("%s: %d branches followed, momentum off by %.1e\n", rules[_i], (int)branches, p - 0.9);
    ck_assert_int_eq(branches, 1);          /* the first step's */
    ck_assert_double_eq_tol(p, 0.9, 1e-14); /* 1/2 + 2/5 */
    if (_i >= 3)                            /* by the exponential map a steady turn is exact */
        ck_assert_double_eq_tol(remainder(angle - 0.5 * h * (double)steps, 2 * acos(-1)), 0, 1e-11);
    tk_end(it, state);
    ph_system_free(system);
    ph_space_free(space);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lagrangians");
    TCase *one = tcase_create("general");
    tcase_set_timeout(one, 120);
    tcase_add_loop_test(one, order_is_two, 0, pairs());
    tcase_add_loop_test(one, order_with_forces, 0, RULES);
    tcase_add_loop_test(one, reversal, 0, pairs());
    tcase_add_loop_test(one, symplectic, 0, RULES);
    tcase_add_loop_test(one, states_in_turn_without_a_jacobian, 0, RULES);
    tcase_add_loop_test(one, a_guess_right_to_rounding_is_trusted, 0, RULES);
    tcase_add_test(one, automatic_is_one_of_them);
    tcase_add_test(one, rules_that_do_not_go);
    suite_add_tcase(suite, one);
    TCase *two = tcase_create("embedded manifolds");
    tcase_set_timeout(two, 120);
    tcase_add_loop_test(two, embedded_ends_are_rattle, 0, EM_MANIFOLDS);
    tcase_add_loop_test(two, embedded_order_and_reversal, 0, 4 * EM_MANIFOLDS);
    tcase_add_test(two, embedded_in_any_unit);
    tcase_add_loop_test(two, embedded_constraints_that_fail, 0, 2);
    tcase_add_loop_test(two, embedded_in_small_steps, 0, 2 * EM_MANIFOLDS);
    tcase_add_loop_test(two, embedded_symplectic, 0, 2 * EM_MANIFOLDS);
    suite_add_tcase(suite, two);
    TCase *three = tcase_create("long runs");
    tcase_set_timeout(three, 1200);
    tcase_add_loop_test(three, varying_inertia_for_long, 0, RULES);
    tcase_add_loop_test(three, general_for_long, 0, RULES);
    tcase_add_loop_test(three, embedded_for_long, 0, 6);
    suite_add_tcase(suite, three);
    TCase *four = tcase_create("known solutions");
    tcase_set_timeout(four, 120);
    tcase_add_loop_test(four, general_path_agrees, 0, (int)(sizeof models / sizeof models[0]));
    tcase_add_loop_test(four, known_solutions, 0, 2 * RULES);
    suite_add_tcase(suite, four);
    return tk_main(suite);
}
