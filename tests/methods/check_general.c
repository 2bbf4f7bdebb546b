/* SPDX-License-Identifier: BSD-3-Clause */
/* `variational` for Lagrangians that the user writes down, with every discrete Lagrangian: order, reversal and
 * symplecticity on systems that are neither quadratic nor of constant inertia. */
#include "tests/kit/form.h"
#include "tests/kit/lagrangians.h"
#include "tests/methods/general.h"

#include <complex.h>
#include <stdbool.h>

static const ph_factor mixed[] = {
    {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_S1}};
enum { MIXED = 4, NZ = 17, NP = 9 };

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

TEST_EACH(order_is_two, pairs())
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
        TK_OWN(ph_system) *system = lg_create(&s.L, s.space, given);
        TK_OWN(ph_system) *fast = lg_create(&s.L, s.space, LG_ALL);
        follow_motion(fast, 1. / (double)share, FINE / share, s.z, s.v, z, p);
        for (int i = 0; i < 3; i++) {
            h[i] = 1 / (double)n[i];
            TK_BEGIN(it, state, start_rule, system, rule, h[i], s.z, s.v);
            tk_steps(it, state, n[i] / share);
            off[i] =
                fmax(tk_max_difference(state->z, z, state->nz), tk_max_difference(state->p, p, state->np));
        }
        double slope = tk_slope(h, off, 3);
        ck_assert_msg(fabs(slope - 2) <= 0.05, "%s, %s: order %.3f (%g, %g, %g)", rule, lg_words[given],
                      slope, off[0], off[1], off[2]);
        ph_space_free(s.space);
    }
}

/* Forces at both ends with the chord velocity keep order 2, whatever the discrete Lagrangian. */
TEST_EACH(order_with_forces, RULES)
{
    static const int64_t n[] = {20, 40, 80};
    tk_random r = {12};
    sample s;
    double z[NZ], p[NP], h[3], off[3];
    draw(&s, &r);
    size_t nz = s.L.nz;
    TK_OWN(ph_system) *base = lg_create(&s.L, s.space, LG_ALL);
    ph_system_definition added = {.force = push_and_drag, .user = &nz};
    TK_MAKE(ph_system, system, ph_system_create_forced(base, &added, &system, NULL));
    follow_motion(system, 1, FINE, s.z, s.v, z, p);
    for (int i = 0; i < 3; i++) {
        h[i] = 1 / (double)n[i];
        TK_BEGIN(it, state, start_rule, system, rules[_i], h[i], s.z, s.v);
        tk_steps(it, state, n[i]);
        off[i] = fmax(tk_max_difference(state->z, z, state->nz), tk_max_difference(state->p, p, state->np));
    }
    double slope = tk_slope(h, off, 3);
    ck_assert_msg(fabs(slope - 2) <= 0.05, "%s: order %.3f (%g, %g, %g)", rules[_i], slope, off[0], off[1],
                  off[2]);
    ph_space_free(s.space);
}

TEST_EACH(reversal, pairs())
{
    tk_random r = {17};
    const lg_given given = way_of(_i);
    const char *rule = rules[rule_of(_i)];
    double worst = 0;
    for (int k = 0; k < (is_costly(given) || tk_short() ? 1 : 8); k++) {
        sample s;
        double p[NP];
        draw(&s, &r);
        TK_OWN(ph_system) *system = lg_create(&s.L, s.space, given);
        TK_BEGIN(it, state, start_rule, system, rule, 0.05, s.z, s.v);
        memcpy(p, state->p, sizeof p);
        memcpy(s.z, state->z, state->nz * sizeof *p);
        tk_steps(it, state, 10);
        tk_ok(ph_integrator_set_step_size(it, -0.05));
        tk_steps(it, state, 10);
        worst = tk_max(worst, tk_max_difference(state->z, s.z, state->nz));
        worst = tk_max(worst, tk_max_difference(state->p, p, state->np));
        ph_space_free(s.space);
    }
    printf("reversal %s, %s: %.1e\n", rule, lg_words[given], worst);
    ck_assert_msg(worst <= (given == LG_VALUE ? 1e-10 : 1e-12), "%g", worst);
}

TEST_EACH(symplectic, RULES)
{
    tk_random r = {99};
    double worst = 0;
    for (int k = 0; k < 2; k++) {
        sample s;
        fm_units units;
        draw(&s, &r);
        for (size_t i = 0; i < FM_NX; i++)
            units.x[i] = units.p[i] = 1;
        TK_OWN(ph_system) *system = lg_create(&s.L, s.space, LG_ALL);
        TK_BEGIN(it, state, start_rule, system, rules[_i], 0.1, s.z, s.v);
        worst = tk_max(worst, fm_form_error(it, state, 3, &units));
        ph_space_free(s.space);
    }
    printf("symplectic %s: %.1e\n", rules[_i], worst);
    ck_assert_msg(worst <= 1e-11, "%g", worst);
}

/* ---- Long runs ----------------------------------------------------------------------------------------- */

/* Left alone, a general Lagrangian is taken by `exponential`, an inertia that varies by `ends`. */
TEST(automatic_is_one_of_them)
{
    for (int general = 0; general < 2; general++) {
        tk_random r = {81};
        sample s;
        ph_space *space = NULL;
        ph_integrator *it[2];
        ph_state *state[2];
        draw(&s, &r);
        TK_OWN(ph_system) *system = general ? lg_create(&s.L, s.space, LG_ALL) : turning_system(&space);
        for (int k = 0; k < 2; k++) {
            const char *rule = k ? NULL : general ? "exponential" : "ends";
            start_rule(system, rule, 0.1, general ? s.z : two_q, general ? s.v : two_v, &it[k], &state[k]);
            tk_steps(it[k], state[k], 3);
        }
        ck_assert_mem_eq(state[0]->z, state[1]->z, state[0]->nz * sizeof *state[0]->z);
        ck_assert_mem_eq(state[0]->p, state[1]->p, state[0]->np * sizeof *state[0]->p);
        for (int k = 0; k < 2; k++)
            tk_end(it[k], state[k]);
        ph_space_free(space);
        ph_space_free(s.space);
    }
}

/* ---- The same maps by other kernels, and known solutions ------------------------------------------- */

/* A free relativistic particle, L = -sqrt(1 - v^2): the extrapolated guess is right to the last bit, and
 * Newton's iteration needs no Jacobian. */
static ph_status free_particle(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user, (void)z;
    double complex speed = v[0] + v[1] * I;
    double complex value = -csqrt(1 - speed * speed);
    L[0] = creal(value);
    L[1] = cimag(value);
    return PH_OK;
}

/* States do not share their carry, also where a step needs no Jacobian: two states by one integrator, and one
 * of them by a separate integrator. */
TEST_EACH(states_in_turn_without_a_jacobian, RULES)
{
    static const ph_factor line = {.kind = PH_FACTOR_R, .d = 1};
    static const double z[1] = {0}, slow[1] = {0.6}, fast[1] = {0.8};
    TK_OWN(ph_space) *space = tk_space(&line, 1);
    ph_system_definition d = {.space = space, .lagrangian_complex = free_particle};
    TK_OWN(ph_system) *system = tk_defined(&d);
    TK_BEGIN(shared, a, start_rule, system, rules[_i], 0.25, z, slow);
    TK_BEGIN(own, alone, start_rule, system, rules[_i], 0.25, z, slow);
    TK_MAKE(ph_state, b, ph_state_create(shared, &b, NULL));
    tk_ok(ph_state_set_velocity(shared, b, 0, z, fast, PH_STRICT, NULL));
    for (int k = 0; k < 10; k++) {
        tk_steps(shared, a, 1);
        tk_steps(shared, b, 1);
        tk_steps(own, alone, 1);
        ck_assert_mem_eq(a->z, alone->z, sizeof z);
        ck_assert_mem_eq(a->carry, alone->carry, a->ncarry * sizeof *a->carry);
    }
    ck_assert_msg(ph_integrator_statistics(own)->newton_passes < 10, "the guesses are not right: no test");
    ck_assert_double_eq_tol(alone->z[0], 0.6 * 2.5, 1e-14);
}

/* A charge on a circle in a field across it, L = |v|^2/2 + (2/5) (z x v) - (3/10) |z|^2, which turns
 * steadily. */
static ph_status charge_on_a_circle(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user;
    double complex x = z[0] + z[1] * I, y = z[2] + z[3] * I, vx = v[0] + v[1] * I, vy = v[2] + v[3] * I;
    double complex value = (vx * vx + vy * vy) / 2 + 0.4 * (x * vy - y * vx) - 0.3 * (x * x + y * y);
    L[0] = creal(value);
    L[1] = cimag(value);
    return PH_OK;
}

/* The guesses of a steady motion are right to rounding, and corrections that are rounding do not contract:
 * that is no reason to follow the branch again (which would fail, too, for the same reason). */
TEST_EACH(a_guess_right_to_rounding_is_trusted, RULES)
{
    static const ph_factor circle = {.kind = PH_FACTOR_S1};
    static const double z[2] = {0.6, 0.8}, v[2] = {-0.4, 0.3}, h = 0.05; /* 1/2 rad/s */
    const int64_t steps = 20000;
    TK_OWN(ph_space) *space = tk_space(&circle, 1);
    ph_system_definition d = {.space = space, .lagrangian_complex = charge_on_a_circle};
    TK_OWN(ph_system) *system = tk_defined(&d);
    TK_BEGIN(it, state, start_rule, system, rules[_i], h, z, v);
    tk_steps(it, state, steps);
    double p = state->p[0], angle = atan2(state->z[1], state->z[0]) - atan2(z[1], z[0]);
    int64_t branches = ph_integrator_statistics(it)->branches;
    printf("%s: %d branches followed, momentum off by %.1e\n", rules[_i], (int)branches, p - 0.9);
    ck_assert_int_eq(branches, 1);          /* the first step's */
    ck_assert_double_eq_tol(p, 0.9, 1e-14); /* 1/2 + 2/5 */
    if (_i >= 3)                            /* by the exponential map a steady turn is exact */
        ck_assert_double_eq_tol(remainder(angle - 0.5 * h * (double)steps, 2 * acos(-1)), 0, 1e-11);
}

int main(void)
{
    return tk_run("lagrangians");
}
