/* SPDX-License-Identifier: BSD-3-Clause */
/* Potentials that depend on time, U(t, z): motions known in closed form, on R, S^2 and SO(3), by every method of the
 * catalogue with every choice, with its order; the energy and its rate in diagnostics; derivatives and what definitions
 * are refused; forced systems on a base that has one. (That variational steps stay symplectic, and the orders on
 * larger systems, is measured with the claims: tests/methods/check_claims.c.) */
#include "variants.h"

#include <stddef.h>

/* ---- Three systems and their motions ---------------------------------------------------------------------------------- */

/* A field B (cos wt, sin wt, 0) that turns.
 *   R      m x'' = -k x + F cos wt,   x = F/(k - m w^2) cos wt
 *   S^2    an arrow of inertia m that follows steadily: q = R_3(wt) (sin a, 0, cos a), sin a = -B/(m w^2)
 *   SO(3)  a body with moments (J1, J2, J3) and a dipole along its third axis, R = R_3(wt) R_2(a):
 *          w L_x = B cos a with L_x = w (J3 - J1) sin a cos a, so that sin a = B/(w^2 (J3 - J1)) */
enum { LINE, ARROW, BODY, KINDS };
static const double w = 1.3, B = 0.4, m = 1.1, k = 3.7, J[3] = {1, 1.6, 2.1};

typedef struct example {
    int kind;
    bool wrong_gradient, wrong_rate;
    ph_system *system;
} example;

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
    *(e->kind == BODY ? &d.ambient_inertia : &d.inertia) = MM;
    if (e->kind == LINE) {
        d.potential = spring;
        d.gradient = spring_gradient;
    }
    return d;
}

static example make(int kind)
{
    example e = {.kind = kind};
    static example kept[KINDS]; /* what the callbacks see */
    double MM[81];
    TK_OWN(ph_space) *space = NULL;
    ph_system_definition d = definition_of(&e, &space, MM);
    d.potential_in_time = field_potential;
    d.gradient_in_time = field_gradient;
    d.potential_rate = field_rate;
    d.user = &kept[kind];
    kept[kind] = e;
    tk_ok(ph_system_create(&d, &e.system, NULL));
    return e;
}

/* z, zdot <- at the time t; returns the energy, with U(t, z). */
static double motion_at(int kind, double t, double *z, double *zdot)
{
    const double c = cos(w * t), s = sin(w * t);
    if (kind == LINE) {
        const double A = B / (k - m * w * w);
        z[0] = A * c;
        zdot[0] = -A * w * s;
        return 0.5 * m * zdot[0] * zdot[0] + 0.5 * k * z[0] * z[0] - B * c * z[0];
    }
    const double sine = kind == ARROW ? -B / (m * w * w) : B / (w * w * (J[2] - J[0])),
                 cosine = sqrt(1 - sine * sine);
    if (kind == ARROW) {
        const double q[3] = {c * sine, s * sine, cosine}, v[3] = {-w * s * sine, w * c * sine, 0};
        memcpy(z, q, sizeof q);
        memcpy(zdot, v, sizeof v);
        return 0.5 * m * w * w * sine * sine - B * sine;
    }
    const double R[9] = {c * cosine, -s, c * sine, s * cosine, c, s * sine, -sine, 0, cosine};
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
TEST_EACH(methods_follow_closed_forms, KINDS)
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

static ph_status lagrangian(void *user, const double *z, const double *v, double *L)
{
    (void)user;
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
