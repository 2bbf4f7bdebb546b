/* SPDX-License-Identifier: BSD-3-Clause */
/* Potentials U(t, z) and Lagrangians L(t, z, zdot) that depend on time: motions known in closed form, on R, S^2 and SO(3), by every method of the
 * catalogue with every choice, with its order; the energy and its rate in diagnostics; derivatives and what definitions
 * are refused; forced systems on a base that has one; with L, steps back and areas. (That variational steps stay symplectic, and the orders on
 * larger systems, is measured with the claims: tests/methods/check_claims.c.) */
#include "variants.h"

#include <stddef.h>

/* ---- Three systems and their motions ---------------------------------------------------------------------------------- */

/* A field B (cos wt, sin wt, 0) that turns.
 *   R      m x'' = -k x + F cos wt,   x = F/(k - m w^2) cos wt
 *   S^2    an arrow of inertia m that follows steadily: q = R_3(wt) (sin a, 0, cos a), sin a = -B/(m w^2)
 *   SO(3)  a body with moments (J1, J2, J3) and a dipole along its third axis, R = R_3(wt) R_2(a):
 *          w L_x = B cos a with L_x = w (J3 - J1) sin a cos a, so that sin a = B/(w^2 (J3 - J1)) */
enum { LINE, ARROW, BODY, KINDS, MOVING = KINDS, ALL = 2 * KINDS };
static const double w = 1.3, B = 0.4, m = 1.1, k = 3.7, J[3] = {1, 1.6, 2.1};

typedef struct example {
    int kind;
    bool moving; /* by a Lagrangian that depends on time */
    bool wrong_gradient, wrong_rate;
    ph_system *system;
} example;

static double motion_at(int kind, double t, double *z, double *zdot);

/* The vector that the field pulls at, in space. */
static void dipole(const example *e, const double *z, double d[3])
{
    for (size_t i = 0; i < 3; i++)
        d[i] = e->kind == BODY ? z[3 * i + 2] : e->kind == ARROW ? z[i] : i == 0 ? z[0] : 0;
}

static ph_status field_potential(void *user, double t, const double *z, double *U)
{
    const example *e = user;
    double d[3];
    dipole(e, z, d);
    *U = -B * (cos(w * t) * d[0] + (e->kind == LINE ? 0 : sin(w * t) * d[1]));
    return PH_OK;
}

static ph_status field_gradient(void *user, double t, const double *z, double *dU)
{
    const example *e = user;
    const double sign = e->wrong_gradient ? 1 : -1;
    (void)z;
    dU[e->kind == BODY ? 2 : 0] += sign * B * cos(w * t);
    if (e->kind != LINE)
        dU[e->kind == BODY ? 5 : 1] += sign * B * sin(w * t);
    return PH_OK;
}

static ph_status field_rate(void *user, double t, const double *z, double *rate)
{
    const example *e = user;
    double d[3];
    dipole(e, z, d);
    *rate = -B * w * (-sin(w * t) * d[0] + (e->kind == LINE ? 0 : cos(w * t) * d[1]));
    if (e->wrong_rate)
        *rate *= 0.5;
    return PH_OK;
}

static ph_status spring(void *user, const double *z, double *U)
{
    (void)user;
    *U = 0.5 * k * z[0] * z[0];
    return PH_OK;
}

static ph_status spring_gradient(void *user, const double *z, double *dU)
{
    (void)user;
    dU[0] = k * z[0];
    return PH_OK;
}

/* ---- The same motions by a Lagrangian that depends on time ----------------------------------------------------------------

 *   L = (g/2) zdot . MM zdot + F . z + d/dt (c/2 sin wt (b . z)^2),   g = e^(2 t/5),   F = d/dt (g MM zdot*),
 * so that the motion z* above fulfils the Euler-Lagrange equations, as (d/dt) of anything adds nothing to them. Along z* the
 * second derivative is -w^2 times what turns, and the third -w^2 zdot*. */
static const double c = 0.3, growth = 0.4, b[9] = {0.4, -0.3, 0.5, 0.2, 0.7, -0.1, 0.6, 0.1, -0.2};

static size_t make_matrix(int kind, double MM[81])
{
    const size_t nz = kind == BODY ? 9 : kind == ARROW ? 3 : 1;
    memset(MM, 0, 81 * sizeof *MM);
    for (size_t i = 0; i < nz; i++)
        MM[i * nz + i] = kind == BODY ? 0.5 * (J[0] + J[1] + J[2]) - J[i % 3] : m;
    return nz;
}

/* F and its derivative. */
static void find_pull(const example *e, double t, double *F, double *Fdot)
{
    double MM[81], z[9], v[9], g = exp(growth * t);
    const size_t nz = make_matrix(e->kind, MM);
    motion_at(e->kind, t, z, v);
    for (size_t i = 0; i < nz; i++) {
        const double turned = e->kind == LINE || (e->kind == ARROW ? i < 2 : i < 6) ? -w * w * z[i] : 0,
                     M = g * MM[i * nz + i];
        F[i] = M * (growth * v[i] + turned);
        Fdot[i] = M * (growth * growth * v[i] + 2 * growth * turned - w * w * v[i]);
    }
}

typedef struct terms {
    size_t nz;
    double MM[81], F[9], Fdot[9], g, s, sdot;
} terms;

static terms terms_at(const example *e, double t, const double *z, const double *v)
{
    terms x = {.g = exp(growth * t)};
    x.nz = make_matrix(e->kind, x.MM);
    find_pull(e, t, x.F, x.Fdot);
    x.s = ph_dot(b, z, x.nz);
    x.sdot = ph_dot(b, v, x.nz);
    return x;
}

static ph_status moving_value(void *user, double t, const double *z, const double *v, double *L)
{
    const terms x = terms_at(user, t, z, v);
    *L = ph_dot(x.F, z, x.nz) + c * x.s * (0.5 * w * cos(w * t) * x.s + sin(w * t) * x.sdot);
    for (size_t i = 0; i < x.nz; i++)
        *L += 0.5 * x.g * x.MM[i * x.nz + i] * v[i] * v[i];
    return PH_OK;
}

static ph_status moving_slopes(void *user, double t, const double *z, const double *v, double *Lz, double *Lv)
{
    const terms x = terms_at(user, t, z, v);
    for (size_t i = 0; i < x.nz; i++) {
        Lz[i] = x.F[i] + c * b[i] * (w * cos(w * t) * x.s + sin(w * t) * x.sdot);
        Lv[i] = x.g * x.MM[i * x.nz + i] * v[i] + c * b[i] * sin(w * t) * x.s;
    }
    return PH_OK;
}

static ph_status moving_curvatures(void *user, double t, const double *z, const double *v, double *Lzz,
                                   double *Lvz, double *Lvv)
{
    const terms x = terms_at(user, t, z, v);
    for (size_t i = 0; i < x.nz * x.nz; i++) {
        const double square = c * b[i / x.nz] * b[i % x.nz];
        Lzz[i] = square * w * cos(w * t);
        Lvz[i] = square * sin(w * t);
        Lvv[i] = x.g * x.MM[i];
    }
    return PH_OK;
}

static ph_status moving_rate(void *user, double t, const double *z, const double *v, double *Lt, double *Lvt)
{
    const example *e = user;
    const terms x = terms_at(e, t, z, v);
    *Lt = ph_dot(x.Fdot, z, x.nz) + c * w * x.s * (cos(w * t) * x.sdot - 0.5 * w * sin(w * t) * x.s);
    for (size_t i = 0; i < x.nz; i++) {
        const double M = x.g * x.MM[i * x.nz + i];
        *Lt += 0.5 * growth * M * v[i] * v[i];
        Lvt[i] = growth * M * v[i] + c * b[i] * w * cos(w * t) * x.s * (e->wrong_gradient ? -1 : 1);
    }
    *Lt *= e->wrong_rate ? 0.5 : 1;
    return PH_OK;
}

/* Free of fields; nothing acts but the spring. */
static ph_system_definition definition_of(const example *e, ph_space **space, double MM[81])
{
    const ph_factor factor = {.kind = e->kind == BODY    ? PH_FACTOR_SO3
                                      : e->kind == ARROW ? PH_FACTOR_S2
                                                         : PH_FACTOR_R,
                              .d = e->kind == LINE};
    tk_ok(ph_space_create(&factor, 1, space, NULL));
    memset(MM, 0, 81 * sizeof *MM);
    MM[0] = m;
    for (size_t i = 0; i < 9 && e->kind == BODY; i++)
        MM[10 * i] = 0.5 * (J[0] + J[1] + J[2]) - J[i % 3];
    ph_system_definition d = {.space = *space};
    if (e->moving) {
        d.lagrangian = moving_value;
        d.lagrangian_gradient = moving_slopes;
        d.lagrangian_hessian = moving_curvatures;
        d.lagrangian_rate = moving_rate;
        return d;
    }
    *(e->kind == BODY ? &d.ambient_inertia : &d.inertia) = MM;
    if (e->kind == LINE) {
        d.potential = spring;
        d.gradient = spring_gradient;
    }
    return d;
}

static example make(int which)
{
    static example kept[ALL]; /* what the callbacks see */
    example e = {.kind = which % KINDS, .moving = which >= MOVING};
    double MM[81];
    TK_OWN(ph_space) *space = NULL;
    ph_system_definition d = definition_of(&e, &space, MM);
    if (!e.moving) {
        d.potential_in_time = field_potential;
        d.gradient_in_time = field_gradient;
        d.potential_rate = field_rate;
    }
    d.user = &kept[which];
    kept[which] = e;
    tk_ok(ph_system_create(&d, &e.system, NULL));
    return e;
}

/* z, zdot <- at the time t; returns the energy, with U(t, z). */
static double motion_at(int kind, double t, double *z, double *zdot)
{
    const double cw = cos(w * t), s = sin(w * t);
    if (kind == LINE) {
        const double A = B / (k - m * w * w);
        z[0] = A * cw;
        zdot[0] = -A * w * s;
        return 0.5 * m * zdot[0] * zdot[0] + 0.5 * k * z[0] * z[0] - B * cw * z[0];
    }
    const double sine = kind == ARROW ? -B / (m * w * w) : B / (w * w * (J[2] - J[0])),
                 cosine = sqrt(1 - sine * sine);
    if (kind == ARROW) {
        const double q[3] = {cw * sine, s * sine, cosine}, v[3] = {-w * s * sine, w * cw * sine, 0};
        memcpy(z, q, sizeof q);
        memcpy(zdot, v, sizeof v);
        return 0.5 * m * w * w * sine * sine - B * sine;
    }
    const double R[9] = {cw * cosine, -s, cw * sine, s * cosine, cw, s * sine, -sine, 0, cosine};
    for (size_t i = 0; i < 3; i++) {
        z[i] = R[i];
        z[3 + i] = R[3 + i];
        z[6 + i] = R[6 + i];
        zdot[i] = -w * R[3 + i]; /* w e3 x */
        zdot[3 + i] = w * R[i];
        zdot[6 + i] = 0;
    }
    return 0.5 * w * w * (J[0] * sine * sine + J[2] * cosine * cosine) - B * sine;
}

/* ---- Methods ------------------------------------------------------------------------------------------------------------ */

static void momentum_at(const ph_system *system, double t, const double *z, const double *zdot, double *p)
{
    double work[500];
    ck_assert_uint_le(ph_system_work(system), 500);
    tk_ok(ph_system_momentum(system, t, z, zdot, p, work));
}

/* z1, p1 <- one step from (z, p) at t, which they may be. */
static void step_from(const example *e, const variant *v, double t, double h, const double *z,
                      const double *p, double *z1, double *p1)
{
    double zdot[9], work[500];
    tk_ok(ph_system_velocity(e->system, t, z, p, zdot, work));
    TK_BEGIN(it, state, tk_start_with, e->system, v->method, v->n_settings ? v->setting.name : NULL,
             v->n_settings ? v->value : NULL, h, t, z, zdot);
    tk_steps(it, state, 1);
    memcpy(z1, state->z, state->nz * sizeof *z1);
    memcpy(p1, state->p, state->np * sizeof *p1);
}

static double error_of(const example *e, const variant *v, double T, int64_t n)
{
    const double t0 = 0.4;
    double z[9], zdot[9];
    motion_at(e->kind, t0, z, zdot);
    TK_BEGIN(it, state, tk_start_with, e->system, v->method, v->n_settings ? v->setting.name : NULL,
             v->n_settings ? v->value : NULL, T / (double)n, t0, z, zdot);
    tk_steps(it, state, n);
    motion_at(e->kind, t0 + T, z, zdot);
    return tk_max_difference(state->z, z, state->nz);
}

/* The order over the last of some refinements whose error is well above rounding. Methods that are symmetric have
 * even orders, others may show half of the next one. Some multistep methods and compositions of order 8 reach rounding
 * before their order shows: then the error itself is to be small. */
TEST_EACH(methods_follow_closed_forms, ALL)
{
    static variant all[VARIANTS];
    example e = make(_i);
    const structure is = structure_of(e.system);
    const size_t variants = variant_list(all);
    size_t tried = 0;
    for (size_t i = 0; i < variants; i++) {
        const variant *v = &all[i];
        int order;
        if (!variant_should_take(v, &is))
            continue;
        const unsigned claims = variant_claims(v, e.system, &order);
        if (claims & PH_CLAIM_ADAPTIVE) {
            const double error = error_of(&e, v, 2, 4);
            ck_assert_msg(error < 1e-5, "%s: %.1e", v->name, error);
            continue;
        }
        static const int64_t steps[] = {12, 24, 48, 96};
        double slope = NAN, coarse = error_of(&e, v, 2, steps[0]);
        for (size_t r = 1; r < 4 && coarse > 3e-11; r++) {
            const double fine = error_of(&e, v, 2, steps[r]);
            if (fine > 2e-14)
                slope = log2(coarse / fine);
            coarse = fine;
        }
        printf("%-32s order %d, measured %.2f, error %.1e\n", v->name, order, slope, coarse);
        ck_assert_msg(slope > order - 0.35 || (isnan(slope) && coarse <= 3e-11) || coarse < 1e-12,
                      "%s: order %d, measured %.2f, error %.1e", v->name, order, slope, coarse);
        tried++;
    }
    ck_assert_uint_gt(tried, 20);
    ph_system_free(e.system);
}

/* With a step back after a step: the times of the nodes are symmetric. On a line a step keeps the area of (z, p), by central
 * differences of order 4. */
TEST_EACH(steps_by_a_lagrangian_in_time, KINDS)
{
    static variant all[VARIANTS];
    example e = make(MOVING + _i);
    const structure is = structure_of(e.system);
    const size_t variants = variant_list(all);
    size_t symmetric = 0, symplectic = 0;
    for (size_t i = 0; i < variants; i++) {
        const variant *v = &all[i];
        int order;
        if (!variant_should_take(v, &is))
            continue;
        const unsigned claims = variant_claims(v, e.system, &order);
        const double t0 = 0.4, h = 0.03;
        double z[9], zdot[9], p[3];
        motion_at(_i, t0, z, zdot);
        momentum_at(e.system, t0, z, zdot, p);
        if (claims & PH_CLAIM_SYMMETRIC) {
            double there[9], momentum[3];
            step_from(&e, v, t0, h, z, p, there, momentum);
            step_from(&e, v, t0 + h, -h, there, momentum, there, momentum);
            ck_assert_msg(tk_max_difference(there, z, ph_space_ambient(ph_system_space(e.system))) < 2e-14,
                          "%s: back by %.1e", v->name,
                          tk_max_difference(there, z, ph_space_ambient(ph_system_space(e.system))));
            symmetric++;
        }
        if (claims & PH_CLAIM_SYMPLECTIC && _i == LINE) {
            const double d = 1e-3;
            double area[4];
            for (int from = 0; from < 2; from++) {
                double end[4][2];
                for (int j = 0; j < 4; j++) {
                    const double by = (j < 2 ? j + 1 : 1 - j) * d;
                    const double at = z[0] + (from == 0) * by, pt = p[0] + (from == 1) * by;
                    step_from(&e, v, t0, h, &at, &pt, &end[j][0], &end[j][1]);
                }
                for (int l = 0; l < 2; l++)
                    area[2 * from + l] = (8 * (end[0][l] - end[2][l]) - (end[1][l] - end[3][l])) / (12 * d);
            }
            ck_assert_double_eq_tol(area[0] * area[3] - area[1] * area[2], 1, 2e-12);
            symplectic++;
        }
    }
    ck_assert_uint_gt(symmetric, 3);
    ck_assert(symplectic > 3 || _i != LINE);
    ph_system_free(e.system);
}

/* ---- Energy ----------------------------------------------------------------------------------------------------------- */

/* Of the exact motion: with U(t, z); its rate is the derivative of the energy by differences of order 4. */
TEST_EACH(energy_and_its_rate, KINDS)
{
    example e = make(_i);
    double z[9], zdot[9], p[3], power, work[81], U, U1;
    ph_measures measures;
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(e.system, &d, NULL));
    ck_assert(ph_system_depends_on_time(e.system) && ph_system_has_force(e.system));
    ck_assert(!ph_system_is_conservative(e.system) && ph_system_force_ignores_velocity(e.system));
    for (double t = -1; t < 3; t += 0.7) {
        const double h = 1e-3, E = motion_at(_i, t, z, zdot);
        tk_momentum(e.system, z, zdot, p);
        const ph_state state = {.t = t,
                                .z = z,
                                .p = p,
                                .nz = ph_space_ambient(ph_system_space(e.system)),
                                .np = ph_space_momenta(ph_system_space(e.system))};
        tk_ok(ph_diagnostics_measure(d, &state, &measures));
        ck_assert_double_eq_tol(measures.energy, E, 2e-15);
        tk_ok(ph_system_power(e.system, t, z, zdot, &power, work));
        double there[9], ignored[9];
        const double slope =
            (8 * (motion_at(_i, t + h, there, ignored) - motion_at(_i, t - h, there, ignored)) -
             (motion_at(_i, t + 2 * h, there, ignored) - motion_at(_i, t - 2 * h, there, ignored))) /
            (12 * h);
        ck_assert_double_eq_tol(power, slope, 1e-11);
        tk_ok(ph_system_potential_in_time(e.system, t, z, &U));
        tk_ok(field_potential(&e, t, z, &U1));
        ck_assert_double_eq(U, U1);
        ck_assert_double_eq_tol(measures.potential - U, _i == LINE ? 0.5 * k * z[0] * z[0] : 0, 2e-16);
    }
    ph_system_free(e.system);
}

/* ---- Derivatives -------------------------------------------------------------------------------------------------------- */

static ph_status lagrangian(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user;
    *L = 0.5 * m * v[0] * v[0] - 0.5 * k * z[0] * z[0];
    return PH_OK;
}

TEST_EACH(derivatives_are_checked, KINDS)
{
    for (int fault = 0; fault < 3; fault++) {
        example e = {.kind = _i, .wrong_gradient = fault == 1, .wrong_rate = fault == 2};
        double MM[81], z[9], zdot[9];
        ph_derivative_report r;
        TK_OWN(ph_space) *space = NULL;
        ph_system_definition d = definition_of(&e, &space, MM);
        d.potential_in_time = field_potential;
        d.gradient_in_time = field_gradient;
        d.potential_rate = field_rate;
        d.user = &e;
        tk_ok(ph_system_create(&d, &e.system, NULL));
        motion_at(_i, 0.7, z, zdot);
        tk_ok(ph_system_check_derivatives(e.system, 0.9, z, zdot, &r,
                                          NULL)); /* where the field is not along z */
        const ph_derivative_entry *gradient = ph_derivative_report_entry(&r, PH_DERIVATIVE_IN_TIME),
                                  *rate = ph_derivative_report_entry(&r, PH_DERIVATIVE_RATE);
        ck_assert_ptr_nonnull(gradient);
        ck_assert_ptr_nonnull(rate);
        if (fault == 1) {
            ck_assert_double_gt(gradient->error, 1);
            ck_assert_ptr_nonnull(strstr(gradient->mistake, "sign"));
        } else {
            ck_assert_double_lt(gradient->error, 1e-9);
        }
        if (fault == 2)
            ck_assert_double_gt(rate->error, 0.1);
        else
            ck_assert_double_lt(rate->error, 1e-9);
        ph_system_free(e.system);
    }
}

/* Of a Lagrangian that depends on time: E = g/2 zdot . MM zdot - F . z - (c/2) w cos wt (b . z)^2 along the motion, and its rate
 * -dL/dt by differences of order 4. */
static double moving_energy(const example *e, double t)
{
    double z[9], v[9], E;
    motion_at(e->kind, t, z, v);
    const terms x = terms_at(e, t, z, v);
    E = -ph_dot(x.F, z, x.nz) - 0.5 * c * w * cos(w * t) * x.s * x.s;
    for (size_t i = 0; i < x.nz; i++)
        E += 0.5 * x.g * x.MM[i * x.nz + i] * v[i] * v[i];
    return E;
}

TEST_EACH(energy_of_a_lagrangian_in_time, KINDS)
{
    example e = make(MOVING + _i);
    double z[9], v[9], p[3], back[9], power, work[500];
    ph_measures measures;
    ph_derivative_report r;
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(e.system, &d, NULL));
    ck_assert_uint_le(ph_system_work(e.system), 500);
    ck_assert(ph_system_depends_on_time(e.system) && !ph_system_is_conservative(e.system));
    for (double t = -1; t < 3; t += 0.7) {
        const double h = 1e-3;
        motion_at(_i, t, z, v);
        momentum_at(e.system, t, z, v, p);
        tk_ok(ph_system_velocity(e.system, t, z, p, back, work));
        const ph_state state = {.t = t,
                                .z = z,
                                .p = p,
                                .nz = ph_space_ambient(ph_system_space(e.system)),
                                .np = ph_space_momenta(ph_system_space(e.system))};
        ck_assert_double_lt(tk_max_difference(back, v, state.nz), 1e-14);
        tk_ok(ph_diagnostics_measure(d, &state, &measures));
        ck_assert_double_eq_tol(measures.energy, moving_energy(&e, t), 2e-14);
        tk_ok(ph_system_power(e.system, t, z, v, &power, work));
        const double slope = (8 * (moving_energy(&e, t + h) - moving_energy(&e, t - h)) -
                              (moving_energy(&e, t + 2 * h) - moving_energy(&e, t - 2 * h))) /
                             (12 * h);
        ck_assert_double_eq_tol(power, slope, 1e-10);
    }
    for (int fault = 0; fault < 3; fault++) {
        example faulty = {.kind = _i, .moving = true, .wrong_gradient = fault == 1, .wrong_rate = fault == 2};
        double MM[81];
        TK_OWN(ph_space) *space = NULL;
        ph_system_definition of = definition_of(&faulty, &space, MM);
        of.user = &faulty;
        TK_MAKE(ph_system, system, ph_system_create(&of, &system, NULL));
        motion_at(_i, 0.7, z, v);
        tk_ok(ph_system_check_derivatives(system, 0.9, z, v, &r, NULL));
        for (size_t i = 0; i < r.n; i++) {
            const bool wrong = (fault == 1 && r.entry[i].what == PH_DERIVATIVE_LVT) ||
                               (fault == 2 && r.entry[i].what == PH_DERIVATIVE_LT);
            ck_assert_msg(wrong ? r.entry[i].error > 0.01 : r.entry[i].error < 1e-9, "%s: %.1e",
                          r.entry[i].name, r.entry[i].error);
        }
        ck_assert_ptr_nonnull(ph_derivative_report_entry(&r, PH_DERIVATIVE_LT));
        ck_assert_ptr_nonnull(ph_derivative_report_entry(&r, PH_DERIVATIVE_LVT));
    }
    ph_system_free(e.system);
}

/* The oscillator by its Lagrangian: the same motion to the error of the same step. */
TEST(in_addition_to_a_lagrangian)
{
    example e = {.kind = LINE}, known = make(LINE);
    double MM[81], error[2];
    TK_OWN(ph_space) *space = NULL;
    ph_system_definition d = definition_of(&e, &space, MM);
    d.inertia = NULL;
    d.potential = NULL;
    d.gradient = NULL;
    d.lagrangian = lagrangian;
    d.potential_in_time = field_potential;
    d.gradient_in_time = field_gradient;
    d.user = &e;
    tk_ok(ph_system_create(&d, &e.system, NULL));
    ck_assert(!ph_system_has_power(e.system));
    double power, work[9], z[1] = {1}, v[1] = {0};
    ck_assert_int_eq(ph_system_power(e.system, 0, z, v, &power, work), PH_E_UNSUPPORTED);
    const variant v2 = {.method = ph_method_find("variational", NULL)};
    error[0] = error_of(&known, &v2, 2, 40);
    error[1] = error_of(&e, &v2, 2, 40);
    ck_assert_double_eq_tol(error[0], error[1], 1e-11); /* derivatives of L are by differences here */
    ck_assert_double_gt(error[0], 1e-6);
    ph_system_free(e.system);
    ph_system_free(known.system);
}

/* ---- Forced systems ------------------------------------------------------------------------------------------------------- */

static ph_status damp(void *user, double t, const double *z, const double *v, double *f)
{
    (void)user, (void)t, (void)z;
    f[0] -= 0.3 * v[0];
    return PH_OK;
}

/* Two more fields on top of one: forces, energies and rates are sums; with damping the power is that of the drag, too. */
TEST(forced_systems_add)
{
    example e = make(LINE);
    const ph_system_definition again = {.potential_in_time = field_potential,
                                        .gradient_in_time = field_gradient,
                                        .potential_rate = field_rate,
                                        .user = &e},
                               drag = {.force = damp};
    TK_MAKE(ph_system, twice, ph_system_create_forced(e.system, &again, &twice, NULL));
    TK_MAKE(ph_system, damped, ph_system_create_forced(twice, &drag, &damped, NULL));
    const double t = 0.6, z[1] = {0.3}, v[1] = {-0.8};
    double f[2], dU, U[2], power[2], work[3];
    tk_ok(ph_system_force(e.system, t, z, v, &f[0]));
    tk_ok(ph_system_force(damped, t, z, v, &f[1]));
    ck_assert_double_eq_tol(f[0], B * cos(w * t), 1e-16);
    ck_assert_double_eq_tol(f[1], 2 * f[0] + 0.24, 1e-15);
    tk_ok(ph_system_gradient_in_time(damped, t, z, &dU));
    ck_assert_double_eq_tol(dU, -2 * f[0], 1e-16);
    tk_ok(ph_system_potential_in_time(e.system, t, z, &U[0]));
    tk_ok(ph_system_potential_in_time(damped, t, z, &U[1]));
    ck_assert_double_eq_tol(U[1], 2 * U[0], 1e-16);
    tk_ok(ph_system_power(e.system, t, z, v, &power[0], work));
    tk_ok(ph_system_power(damped, t, z, v, &power[1], work));
    ck_assert_double_eq_tol(power[1], 2 * power[0] - 0.3 * 0.64, 1e-16);
    ck_assert(!ph_system_force_ignores_velocity(damped) && ph_system_force_ignores_velocity(twice));
    ck_assert(ph_system_depends_on_time(damped));
    double dfdv;
    tk_ok(ph_system_force_dv(damped, t, z, v, &dfdv, work));
    ck_assert_double_eq_tol(dfdv, -0.3, 1e-9);
    ph_system_free(e.system);
}

/* ---- Definitions ---------------------------------------------------------------------------------------------------------- */

/* The Lagrangian is the base's, and so is its rate. */
TEST(no_rate_is_added_to_a_lagrangian)
{
    example e = make(LINE);
    const ph_system_definition added = {.force = damp, .lagrangian_rate = moving_rate, .user = &e};
    ph_system *none = NULL;
    tk_refused(ph_system_create_forced(e.system, &added, &none, tk_err), PH_E_INVALID,
               "are the base's and must be NULL");
    ck_assert_ptr_null(none);
    ph_system_free(e.system);
}

TEST_EACH(half_definitions_are_refused, 3)
{
    static const struct {
        bool potential, gradient, rate;
        const char *said;
    } cases[] = {{true, false, false, "gradient_in_time is NULL"},
                 {false, true, false, "potential_in_time is NULL"},
                 {false, false, true, "potential_rate is given without potential_in_time"}};
    example e = {.kind = LINE}, base = make(LINE);
    ph_error err;
    double MM[81];
    TK_OWN(ph_space) *space = NULL;
    ph_system_definition d = definition_of(&e, &space, MM), added = {.user = &e};
    ph_system *system = NULL;
    for (ph_system_definition *to = &d; to; to = to == &d ? &added : NULL) {
        to->potential_in_time = cases[_i].potential ? field_potential : NULL;
        to->gradient_in_time = cases[_i].gradient ? field_gradient : NULL;
        to->potential_rate = cases[_i].rate ? field_rate : NULL;
        ck_assert_int_eq(to == &d ? ph_system_create(to, &system, &err)
                                  : ph_system_create_forced(base.system, to, &system, &err),
                         PH_E_INVALID);
        ck_assert_msg(strstr(err.message, cases[_i].said) != NULL, "%s", err.message);
    }
    ph_system_free(base.system);
}

int main(void)
{
    return tk_run("potentials in time");
}
