/* SPDX-License-Identifier: BSD-3-Clause */
/* Carts with chains and quadrotors with cables, against point masses (and a rigid body) in space: energies,
 * momenta and the work of the inputs for random parameters and motions; small oscillations against the
 * eigenvalues of the linearised equations; what runs keep. */
#include "tests/kit/testkit.h"

#include <float.h>
#include <stdbool.h>

enum { LINKS = 6, NZ = 12 + 3 * LINKS };
static const double eps = DBL_EPSILON;

enum { CART, PLANAR, QUADROTOR, MODELS };
static const char *const names[MODELS] = {"cart-chain", "planar-cart", "quadrotor-cable"};

typedef struct setup {
    int model;
    size_t n;
    double m[LINKS], l[LINKS], m0, g, J[3], rho[3], thrust, moment[3];
} setup;

static setup random_setup(int model, tk_random *r)
{
    setup s = {.model = model, .n = 1 + (size_t)tk_uniform(r, 0, LINKS)};
    s.m0 = tk_log_uniform(r, 0.1, 10);
    s.g = tk_uniform(r, -10, 10);
    for (size_t i = 0; i < s.n; i++) {
        s.m[i] = tk_log_uniform(r, 0.1, 10);
        s.l[i] = tk_log_uniform(r, 0.1, 10);
    }
    for (int k = 0; k < 3; k++) {
        s.J[k] = tk_uniform(r, 1, 2); /* no more than the sum of the others */
        s.rho[k] = tk_normal(r);
        s.moment[k] = tk_normal(r);
    }
    s.thrust = tk_normal(r);
    return s;
}

static ph_status try_build(const setup *s, ph_system **system, ph_error *err)
{
    const double n = (double)s->n;
    const ph_parameter_value values[] = {
        {"masses", s->m, s->n},
        {"lengths", s->l, s->n},
        {"links", &n, 1},
        {"gravity", &s->g, 1},
        {s->model == QUADROTOR ? "mass" : "cart_mass", &s->m0, 1},
        {"inertia", s->J, 3},
        {"attachment", s->rho, 3},
        {"thrust", &s->thrust, 1},
        {"moment", s->moment, 3},
    };
    return ph_model_build(ph_model_find(names[s->model], NULL), values, s->model == QUADROTOR ? 9 : 5, system,
                          err);
}

static ph_system *build(const setup *s)
{
    ph_system *system = NULL;
    tk_ok(try_build(s, &system, tk_err));
    return system;
}

static void random_motion(const ph_system *system, tk_random *r, double *z, double *v)
{
    const ph_space *space = ph_system_space(system);
    for (size_t i = 0; i < ph_space_ambient(space); i++) {
        z[i] = tk_normal(r);
        v[i] = tk_normal(r);
    }
    tk_ok(ph_space_project(space, z));
    ph_space_project_tangent(space, z, v);
}

/* ---- In space: where the masses are ---------------------------------------------------------------- */

/* The positions of the carrier and then of every mass; or their velocities from velocities. In the plane the
 * second coordinate is the height. */
static void points(const setup *s, const double *w, double x[LINKS + 1][3])
{
    size_t d = s->model == PLANAR ? 2 : 3, first = s->model == QUADROTOR ? 12 : d - 1;
    double y[3] = {w[0], s->model == PLANAR ? 0 : w[1], s->model == QUADROTOR ? w[2] : 0};
    memcpy(x[0], y, sizeof y);
    for (size_t a = 0; a < 3 && s->model == QUADROTOR; a++)
        y[a] += ph_dot3(w + 3 + 3 * a, s->rho);
    for (size_t i = 0; i < s->n; i++) {
        for (size_t a = 0; a < d; a++)
            y[d == 2 && a == 1 ? 2 : a] += s->l[i] * w[first + d * i + a];
        memcpy(x[i + 1], y, sizeof y);
    }
}

static double mass(const setup *s, size_t i)
{
    return i ? s->m[i - 1] : s->m0;
}

/* The quadrotor's body angular velocity. */
static void body_rate(const double *z, const double *v, double Om[3])
{
    double A[9];
    ph_transposed_multiply3(z + 3, v + 3, A);
    ph_vee3(A, Om);
}

/* T, U, linear and angular momentum, and how large their terms are. */
typedef struct truth {
    double T, U, p[3], L[3], T_size, U_size, p_size, L_size;
} truth;

static truth reckon(const setup *s, const double *z, const double *v)
{
    truth t = {0};
    double x[LINKS + 1][3], u[LINKS + 1][3], turn[3], reach = 0, speed = 0;
    points(s, z, x);
    points(s, v, u);
    for (size_t i = 0; i <= s->n; i++) {
        double m = mass(s, i);
        /* a link's own vector, so that cancellation between links counts */
        reach += i ? s->l[i - 1] : ph_norm3(x[0]) + ph_norm3(s->rho);
        speed += (i ? s->l[i - 1] : 1 + ph_norm3(s->rho)) * 4;
        ph_cross3(x[i], u[i], turn);
        t.T += 0.5 * m * ph_dot3(u[i], u[i]);
        t.U += m * s->g * x[i][2];
        for (int a = 0; a < 3; a++) {
            t.p[a] += m * u[i][a];
            t.L[a] += m * turn[a];
        }
        t.T_size += m * speed * speed;
        t.U_size += m * fabs(s->g) * reach;
        t.p_size += m * speed;
        t.L_size += m * speed * reach;
    }
    if (s->model == QUADROTOR) {
        double Om[3], own[3];
        body_rate(z, v, Om);
        for (int k = 0; k < 3; k++) {
            own[k] = s->J[k] * Om[k];
            t.T += 0.5 * own[k] * Om[k];
            t.T_size += 4 * s->J[k] * Om[k] * Om[k];
            t.L_size += 4 * fabs(own[k]);
        }
        for (size_t a = 0; a < 3; a++)
            t.L[a] += ph_dot3(z + 3 + 3 * a, own);
    }
    return t;
}

TEST_EACH(energies_and_momenta_are_those_of_the_masses, MODELS)
{
    tk_random r = {1 + (uint64_t)_i};
    double worst[4] = {0};
    for (int trial = 0; trial < 200; trial++) {
        setup s = random_setup(_i, &r);
        s.thrust = s.moment[0] = s.moment[1] = s.moment[2] = 0; /* which would take the symmetries */
        TK_OWN(ph_system) *system = build(&s);
        double z[NZ], v[NZ], p[NZ], work[NZ], U;
        random_motion(system, &r, z, v);
        truth t = reckon(&s, z, v);
        tk_ok(ph_system_potential(system, z, &U));
        tk_momentum(system, z, v, p);
        worst[0] = tk_max(worst[0], fabs(tk_kinetic(system, z, v) - t.T) / t.T_size);
        worst[1] = tk_max(worst[1], fabs(U - t.U) / t.U_size);
        ck_assert_uint_eq(ph_system_symmetries(system), _i == PLANAR ? 1 : 3);
        for (size_t i = 0; i < ph_system_symmetries(system); i++) {
            double J, expected = i < 2 ? t.p[i] : t.L[2];
            tk_ok(ph_system_momentum_map(system, i, z, p, &J, work));
            worst[2 + i / 2] = tk_max(worst[2 + i / 2], fabs(J - expected) / (i < 2 ? t.p_size : t.L_size));
        }
    }
    printf("%s: kinetic energy off by %.1f eps of its terms, potential %.1f, momentum %.1f, angular %.1f\n",
           names[_i], worst[0] / eps, worst[1] / eps, worst[2] / eps, worst[3] / eps);
    for (int k = 0; k < 4; k++) /* the sums have up to 30^2 terms that were rounded */
        ck_assert_double_le(worst[k], 16 * eps);
}

/* The library's own check by differences, which is good to 1e-9; and U is linear. */
TEST_EACH(gradient_is_the_derivative, MODELS)
{
    tk_random r = {11 + (uint64_t)_i};
    for (int trial = 0; trial < 50; trial++) {
        setup s = random_setup(_i, &r);
        TK_OWN(ph_system) *system = build(&s);
        double z[NZ], v[NZ], dU[NZ];
        ph_derivative_report report;
        random_motion(system, &r, z, v);
        tk_ok(ph_system_check_derivatives(system, 0, z, v, &report, tk_err));
        for (size_t i = 0; i < report.n; i++)
            ck_assert_double_le(report.entry[i].error, 1e-8);
        tk_ok(ph_system_gradient(system, z, dU));
        for (size_t i = 0; i < ph_space_ambient(ph_system_space(system)); i++) {
            double ahead, behind, keep = z[i];
            z[i] = keep + 1;
            tk_ok(ph_system_potential(system, z, &ahead));
            z[i] = keep - 1;
            tk_ok(ph_system_potential(system, z, &behind));
            z[i] = keep;
            ck_assert_double_le(fabs((ahead - behind) / 2 - dU[i]), 64 * eps * reckon(&s, z, v).U_size);
        }
    }
}

/* Power of the inputs: f . zdot = T R e3 . xdot + M . Omega. */
TEST(power_of_thrust_and_moment)
{
    tk_random r = {21};
    for (int trial = 0; trial < 200; trial++) {
        setup s = random_setup(QUADROTOR, &r);
        TK_OWN(ph_system) *system = build(&s);
        double z[NZ], v[NZ], f[NZ], Om[3], power = 0, expected = 0;
        random_motion(system, &r, z, v);
        tk_ok(ph_system_force(system, 0, z, v, f));
        for (size_t i = 0; i < 12 + 3 * s.n; i++)
            power += f[i] * v[i];
        body_rate(z, v, Om);
        for (size_t a = 0; a < 3; a++)
            expected += s.thrust * z[5 + 3 * a] * v[a] + s.moment[a] * Om[a];
        ck_assert_double_eq_tol(power, expected, 64 * eps * (fabs(s.thrust) + ph_norm3(s.moment)) * 4);
        ck_assert(ph_system_force_ignores_velocity(system));
        ck_assert_uint_eq(ph_system_symmetries(system), 0);
    }
}

/* Which momenta are claimed: those that stay. */
TEST(symmetries_are_those_that_hold)
{
    static const struct {
        double g, thrust, moment;
        const char *names;
    } cases[] = {{9.81, 0, 0, "px py Jz "}, {0, 0, 0, "px py pz Jx Jy Jz "}, {9.81, 1, 0, ""},
                 {9.81, 0, 1, "px py "},    {0, 0, 1, "px py pz "},          {0, 1, 0, ""}};
    tk_random r = {31};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup s = random_setup(QUADROTOR, &r);
        char found[40] = "";
        s.g = cases[i].g;
        s.thrust = cases[i].thrust;
        s.moment[0] = s.moment[1] = s.moment[2] = cases[i].moment;
        TK_OWN(ph_system) *system = build(&s);
        for (size_t k = 0; k < ph_system_symmetries(system); k++) {
            strcat(found, ph_system_symmetry(system, k)->name);
            strcat(found, " ");
        }
        ck_assert_str_eq(found, cases[i].names);
    }
}

/* ---- Lists that are refused, and initial conditions -------------------------------------------- */

#define VALUES(...) (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)

TEST(lists_fit_the_number_of_links)
{
    for (size_t i = 0; i < MODELS; i++) {
        const ph_parameter_value lengths[] = {{"lengths", VALUES(1, 2, 3)}, {"links", VALUES(2)}};
        double z[NZ], zdot[NZ];
        ph_system *system = NULL;
        const ph_model *m = ph_model_find(names[i], NULL);
        tk_says(ph_model_build(m, lengths, 2, &system, tk_err), PH_E_SIZE,
                "lengths has 3 numbers, but there are 2 links; give 2 numbers, or one for all");
        tk_returns(ph_model_preset(m, lengths, 2, NULL, NZ, z, zdot, tk_err), PH_E_SIZE);
    }
}

/* A flat body, J_3 = J_1 + J_2 within rounding, is one. */
TEST(flat_bodies_fly)
{
    const ph_parameter_value values[] = {{"inertia", VALUES(0.1, 0.2, 0.3)},
                                         {"attachment", VALUES(0.1, 0, -0.2)}};
    const ph_model *m = ph_model_find("quadrotor-cable", NULL);
    double z[NZ], zdot[NZ];
    TK_MAKE(ph_system, system, ph_model_build(m, values, 2, &system, NULL));
    tk_ok(
        ph_model_preset(m, values, 2, "tumbling", ph_space_ambient(ph_system_space(system)), z, zdot, NULL));
    TK_START(it, state, system, "variational", NULL, 1e-3, z, zdot);
    tk_ok(ph_integrator_step(it, state, 100));
}

/* Hanging and hovering (with the thrust of the weight) are equilibria: what is at rest stays. Curved is the
 * chain's: mass i of n moves at 0.5 i/n m/s along e2 against the point they hang from. */
TEST(presets)
{
    static const double weight = 9.81 * (0.5 + 5 * 0.1);
    const ph_parameter_value thrust = {"thrust", &weight, 1};
    for (int i = 0; i < MODELS; i++) {
        const ph_model *m = ph_model_find(names[i], NULL);
        size_t n_values = i == QUADROTOR ? 1 : 0, nz;
        double z[NZ], zdot[NZ];
        ph_system *system = NULL;
        ph_integrator *it;
        ph_state *state;
        tk_ok(ph_model_build(m, &thrust, n_values, &system, NULL));
        nz = ph_space_ambient(ph_system_space(system));
        tk_ok(ph_model_preset(m, &thrust, n_values, i == QUADROTOR ? "hover" : "hanging", nz, z, zdot, NULL));
        tk_start(system, "variational", NULL, 1e-2, z, zdot, &it, &state);
        tk_ok(ph_integrator_step(it, state, 10));
        ck_assert_double_le(tk_max_difference(state->z, z, nz), 1e-15);
        tk_end(it, state);
        ph_system_free(system);
        setup s = {.model = i, .n = 5, .l = {.1, .1, .1, .1, .1}};
        double x[LINKS + 1][3], u[LINKS + 1][3];
        tk_ok(ph_model_preset(m, NULL, 0, m->presets[0].name, nz, z, zdot, NULL));
        points(&s, z, x);
        points(&s, zdot, u);
        for (int k = 1; k <= 5; k++) {
            double speed = 0, angle = 0.3 * (k - 1), along[3] = {cos(angle), 0, -sin(angle)};
            for (int a = 0; a < 3; a++) {
                ck_assert_double_eq_tol(x[k][a] - x[k - 1][a], 0.1 * along[a], 4 * eps);
                speed += pow(u[k][a] - u[k - 1][a], 2);
            }
            ck_assert_double_eq_tol(sqrt(speed), 0.1, 8 * eps);
            if (i != PLANAR)
                ck_assert_double_eq_tol(u[k][1] - u[0][1], 0.1 * k, 8 * eps);
        }
    }
}

/* ---- Small oscillations about hanging --------------------------------------------------------------- */

enum { MODES = LINKS + 1 };

/* Of (x, sideways part of q_1 ... q_n), by hand: kinetic energy of masses at x + sum l_i y_i, and the height
 * -sum l_i (1 - y_i^2/2). */
static void linearised(const setup *s, double *M, double *K)
{
    size_t n = s->n + 1;
    memset(M, 0, n * n * sizeof *M);
    memset(K, 0, n * n * sizeof *K);
    for (size_t k = 0; k < n; k++) { /* mass k */
        double row[MODES] = {1};
        for (size_t i = 1; i <= k; i++) {
            row[i] = s->l[i - 1];
            K[i * n + i] += mass(s, k) * s->g * s->l[i - 1];
        }
        for (size_t i = 0; i <= k; i++)
            for (size_t j = 0; j <= k; j++)
                M[i * n + j] += mass(s, k) * row[i] * row[j];
    }
}

/* Frequency of the modal coordinate dual . (x, y) by its zero crossings: see check_oscillations.c. */
static double measured_frequency(const ph_system *system, const setup *s, double h, double w,
                                 const double *mode, const double *dual)
{
    size_t d = s->model == PLANAR ? 2 : 3, crossings = 0;
    double z[NZ] = {0}, v[NZ] = {0}, before = 0, first = 0, last = 0;
    z[0] = 1e-6 * mode[0];
    for (size_t i = 0; i < s->n; i++) {
        double y = 1e-6 * mode[i + 1], *q = z + d - 1 + d * i;
        q[0] = y;
        q[d - 1] = -sqrt(1 - y * y);
    }
    TK_START(it, state, system, "variational", NULL, h, z, v);
    for (int64_t k = 0; (double)k * h * w < 2 * M_PI * 12; k++) {
        double now = dual[0] * state->z[0];
        for (size_t i = 0; i < s->n; i++)
            now += dual[i + 1] * state->z[d - 1 + d * i];
        if (k && now * before < 0) {
            last = state->t - h + atan2(sin(w * h) * fabs(before), fabs(now) + fabs(before) * cos(w * h)) / w;
            if (!crossings++)
                first = last;
        }
        before = now;
        tk_ok(ph_integrator_step(it, state, 1));
    }
    ck_assert_uint_ge(crossings, 23);
    return M_PI * (double)(crossings - 1) / (last - first);
}

/* Random parameters within a factor of 3 (frequencies that differ by much more take long to count). */
TEST_EACH(small_oscillations, QUADROTOR)
{
    tk_random r = {41 + (uint64_t)_i};
    double worst = 0, worst_rate = 0;
    for (int trial = 0; trial < 6; trial++) {
        setup s = {.model = _i, .n = 1 + (size_t)trial, .m0 = tk_log_uniform(&r, 0.5, 2), .g = 9.81};
        double M[MODES * MODES], K[MODES * MODES], copy[MODES * MODES], w2[MODES], z[NZ] = {0}, rate;
        for (size_t i = 0; i < s.n; i++) {
            s.m[i] = tk_log_uniform(&r, 0.5, 1.5);
            s.l[i] = tk_log_uniform(&r, 0.5, 1.5);
            z[_i == PLANAR ? 2 + 2 * i : 4 + 3 * i] = -1;
        }
        size_t n = s.n + 1;
        linearised(&s, M, K);
        memcpy(copy, M, sizeof copy);
        ck_assert_int_eq(tk_eigen(n, K, copy, w2), 0);
        ck_assert_double_le(fabs(w2[0]), 1e-12 * w2[n - 1]); /* the cart may be anywhere */
        TK_OWN(ph_system) *system = build(&s);
        tk_ok(ph_system_fastest_rate(system, 0, z, &rate, NULL));
        worst_rate = tk_max(worst_rate, fabs(rate / sqrt(w2[n - 1]) - 1));
        for (size_t mode = 1; mode < n; mode++) {
            double w = sqrt(w2[mode]), h = 0.05 / w, dual[MODES] = {0};
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < n; j++)
                    dual[i] += M[i * n + j] * K[mode * n + j];
            double found = measured_frequency(system, &s, h, w, K + mode * n, dual);
            worst = tk_max(worst, fabs(found / (2 / h * asin(0.5 * h * w)) - 1)); /* the leapfrog's */
        }
    }
    printf("%s, small oscillations: frequency off the leapfrog's by %.1e, fastest rate by %.1e\n", names[_i],
           worst, worst_rate);
    ck_assert_double_le(worst, 1e-9); /* amplitude 1e-6, crossings at 1e-10 of it */
    ck_assert_double_le(worst_rate, 1e-6);
}

/* ---- What runs keep ------------------------------------------------------------------------------- */

typedef struct extremes {
    double energy, p, L, residual; /* largest errors, the first against |E_0| */
    double p_scale, L_scale;       /* largest sum of m |v|, and of terms of L */
} extremes;

/* `steps` steps of the first preset, the whole moving with the given speed, or its centre at rest. */
static extremes run(int model, const double *drift, double h, int64_t steps)
{
    const ph_model *m = ph_model_find(names[model], NULL);
    TK_OWN(ph_system) *system = tk_model(names[model]);
    setup s = {
        .model = model, .n = 5, .m = {.1, .1, .1, .1, .1}, .l = {.1, .1, .1, .1, .1}, .m0 = 0.5, .g = 9.81};
    double z[NZ], v[NZ];
    extremes e = {0};
    ph_measures m0, now;
    double start[3] = {0};
    tk_ok(ph_model_preset(m, NULL, 0, NULL, tk_preset_size(m, NULL, 0, NULL), z, v, NULL));
    truth at_start = reckon(&s, z, v);
    for (size_t a = 0; a < (model == PLANAR ? 1 : 2); a++)
        v[a] += drift ? drift[a] : -at_start.p[a]; /* 1 kg in all */
    TK_START(it, state, system, "variational", NULL, h, z, v);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    tk_ok(ph_diagnostics_measure(d, state, &m0));
    double energy0 = m0.energy;
    memcpy(start, m0.momenta, ph_system_symmetries(system) * sizeof *start);
    for (int64_t k = 0; k < steps; k += 10) {
        tk_steps(it, state, 10);
        tk_ok(ph_diagnostics_measure(d, state, &now));
        /* ph_system_work is far below 4096 */
        tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, (double[4096]){0}));
        truth t = reckon(&s, state->z, v);
        double x[LINKS + 1][3], u[LINKS + 1][3], mv = 0, mxv = 0;
        points(&s, state->z, x);
        points(&s, v, u);
        for (size_t i = 0; i <= s.n; i++) {
            mv += mass(&s, i) * ph_norm3(u[i]);
            mxv += mass(&s, i) * ph_norm3(x[i]) * ph_norm3(u[i]);
        }
        e.p_scale = tk_max(e.p_scale, mv);
        e.L_scale = tk_max(e.L_scale, mxv);
        e.energy = tk_max(e.energy, fabs(now.energy - energy0));
        e.residual = tk_max(e.residual, now.constraint_error);
        for (size_t i = 0; i < ph_system_symmetries(system); i++) {
            double *error = i < 2 ? &e.p : &e.L;
            *error = tk_max(*error, fabs(now.momenta[i] - start[i]));
            /* what is reported is the momentum of the masses */
            ck_assert_double_le(fabs(now.momenta[i] - (i < 2 ? t.p[i] : t.L[2])),
                                1e-12 * (i < 2 ? mv : mxv + 1));
        }
    }
    e.energy /= fabs(energy0) + 1e-300;
    return e;
}

/* While the cart moves away, x x p cancels with the other terms; rounding is relative to its size. */
TEST_EACH(carts_keep_their_momenta, 3)
{
    static const double drift[2] = {0.3, -0.2};
    static const struct {
        int model;
        const double *drift;
    } cases[] = {{CART, NULL}, {CART, drift}, {PLANAR, drift}};
    int64_t steps = tk_long() ? 1000000 : tk_short() ? 1000 : 100000;
    extremes e = run(cases[_i].model, cases[_i].drift, 2e-3, steps);
    printf("%s %s, %lld steps of 2 ms: horizontal momentum off by %.1e of m|v|, "
           "angular by %.1e of m|x||v|, energy %.1e, constraint %.1e\n",
           names[cases[_i].model], cases[_i].drift ? "that runs away" : "that stays", (long long)steps,
           e.p / e.p_scale, e.L / e.L_scale, e.energy, e.residual);
    /* The momentum is read off the increments, whose rounding in a step is that of their change: it walks.
     * (Seen: 3e-15.) */
    ck_assert_double_le(e.p / e.p_scale, 1e-14);
    ck_assert_double_le(e.L / e.L_scale, 1e-12);
    ck_assert_double_le(e.energy, 0.03);
    ck_assert_double_le(e.residual, 1e-15);
}

/* In free flight the step is exact for the centre of mass: it falls by g t^2/2. */
TEST(quadrotor_falls_along_a_parabola)
{
    const ph_model *m = ph_model_find("quadrotor-cable", NULL);
    const ph_parameter_value values[] = {{"attachment", VALUES(0.02, -0.01, -0.05)}};
    setup s = {.model = QUADROTOR,
               .n = 5,
               .m = {.1, .1, .1, .1, .1},
               .l = {.1, .1, .1, .1, .1},
               .m0 = 0.5,
               .g = 9.81,
               .J = {0.557e-2, 0.557e-2, 1.05e-2},
               .rho = {0.02, -0.01, -0.05}};
    int64_t steps = tk_long() ? 100000 : tk_short() ? 1000 : 10000;
    static const double h = 1e-3;
    double z[NZ], v[NZ], c0[3] = {0}, u0[3], worst = 0, J0 = 0, worst_J = 0, scale = 0, work[NZ];
    TK_MAKE(ph_system, system, ph_model_build(m, values, 1, &system, NULL));
    tk_ok(ph_model_preset(m, values, 1, "tumbling", ph_space_ambient(ph_system_space(system)), z, v, NULL));
    v[0] = 0.7, v[1] = -0.4;
    TK_START(it, state, system, "variational", NULL, h, z, v);
    memcpy(u0, state->p, sizeof u0); /* p of x is the momentum of the whole, of 1 kg */
    for (int64_t k = 0; k <= steps; k += 10) {
        double x[LINKS + 1][3], c[3] = {0}, t = state->t, J;
        points(&s, state->z, x);
        for (size_t i = 0; i <= s.n; i++)
            for (int a = 0; a < 3; a++)
                c[a] += mass(&s, i) * x[i][a]; /* 1 kg in all */
        if (!k)
            memcpy(c0, c, sizeof c);
        double travelled = ph_norm3(u0) * t + 0.5 * 9.81 * t * t, off = 0;
        for (int a = 0; a < 3; a++)
            off = tk_max(off, fabs(c[a] - (c0[a] + u0[a] * t - (a == 2 ? 0.5 * 9.81 * t * t : 0))));
        if (k)
            worst = tk_max(worst, off / (1 + travelled));
        tk_ok(ph_system_momentum_map(system, 2, state->z, state->p, &J, work));
        if (!k)
            J0 = J;
        worst_J = tk_max(worst_J, fabs(J - J0));
        /* x p_y - y p_x cancels against the rest: its own size is what rounding is relative to */
        scale = tk_max(scale, fabs(state->z[0] * state->p[1]) + fabs(state->z[1] * state->p[0]) +
                                  ph_norm3(state->p + 3));
        if (k < steps)
            tk_steps(it, state, 10);
    }
    printf("quadrotor, %lld steps: centre of mass off its parabola by %.1e of the way, "
           "angular momentum by %.1e (%.1e of its terms)\n",
           (long long)steps, worst, worst_J, worst_J / scale);
    ck_assert_double_le(worst, 1e-12);
    ck_assert_double_le(worst_J / scale, 1e-12);
}

/* In other units of length, a power of two of the first, the step gives the same bits: turns and
 * displacements are compared by a length that belongs to the system. */
TEST_EACH(units_of_length_change_nothing, 5)
{
    static const char *const rules[] = {"automatic", "midpoint", "normalised-midpoint", "exponential",
                                        "exponential-midpoint"};
    const ph_setting rule = {"discrete-lagrangian", rules[_i]};
    const double units[2] = {1, 0x1p20};
    double z[2][5];
    ph_statistics counts[2];
    for (int k = 0; k < 2; k++) {
        const double lengths[2] = {0.7 * units[k], 0.4 * units[k]}, gravity = 9.81 * units[k],
                     q[5] = {0.1 * units[k], 1, 0, 0.6, -0.8}, v[5] = {0.3 * units[k], 0, 2, 0.8, 0.6};
        const ph_parameter_value values[] = {{"lengths", lengths, 2}, {"gravity", &gravity, 1}};
        TK_OWN(ph_system) *system = tk_build("planar-cart", values, 2);
        TK_MAKE(ph_integrator, it,
                ph_integrator_create(system, ph_method_find("variational", NULL), 0.01, &rule, 1, &it, NULL));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set_velocity(it, state, 0, q, v, PH_STRICT, NULL));
        ck_assert_uint_eq(state->nz, 5);
        tk_steps(it, state, 100);
        memcpy(z[k], state->z, sizeof z[k]);
        counts[k] = *ph_integrator_statistics(it);
    }
    ck_assert_double_eq(z[1][0], units[1] * z[0][0]);
    ck_assert_mem_eq(z[1] + 1, z[0] + 1, 4 * sizeof z[0][0]);
    ck_assert_int_eq(counts[1].newton_passes, counts[0].newton_passes);
    ck_assert_int_eq(counts[1].branches, counts[0].branches);
}

int main(void)
{
    return tk_run("carts");
}
