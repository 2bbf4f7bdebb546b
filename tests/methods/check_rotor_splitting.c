/* SPDX-License-Identifier: BSD-3-Clause */
/* rotor-splitting: orders by halving on a top and on a general body against known motions, the kernel of tops against the
 * general one, long turns, energy and momentum over many steps, a potential that depends on time, bits, and what it refuses. */
#include "tests/kit/testkit.h"

#include <polhode/kit/vector.h>

enum { ORDERS = 3 };
static const char *const words[ORDERS] = {"2", "4", "6"};

static ph_integrator *integrator_of(const ph_system *system, const char *order, double h)
{
    const ph_setting set = {"order", order};
    ph_integrator *it = NULL;
    tk_ok(ph_integrator_create(system, ph_method_find("rotor-splitting", NULL), h, &set, 1, &it, tk_err));
    return it;
}

/* The state after n steps to t from (z, v). */
static void follow(const ph_system *system, const char *order, const double *z, const double *v, double t,
                   int64_t n, double *end, double *p)
{
    TK_OWN(ph_integrator) *it = integrator_of(system, order, t / (double)n);
    TK_OWN(ph_state) *state = NULL;
    tk_ok(ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
    tk_steps(it, state, n);
    memcpy(end, state->z, state->nz * sizeof *end);
    memcpy(p, state->p, state->np * sizeof *p);
}

/* ---- Orders ------------------------------------------------------------------------------------------ */

/* The top of the model's first preset after 10 s: Gauss' method of order 16 in quadruple precision, by quaternions, two step
 * sizes that agree to 22 digits. */
static const double top_after_10[4] = {0.2805763585312776930347, -0.04996097915622762588643,
                                       0.8292049057772769907375, -0.4808326443056628532489};

static void rotation_of(const double q[4], double R[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double entries[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                               2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                               2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, entries, sizeof entries);
}

/* So many steps, and twice as many, have errors between 1e-5 and 1e-13, where rounding and the next terms are far. */
static void has_order(const ph_system *system, const double *z, const double *v, double t,
                      const double *truth, int which, int64_t steps, const char *what)
{
    double error[2], h[2], end[9], p[3];
    for (int k = 0; k < 2; k++) {
        const int64_t n = steps << k;
        follow(system, words[which], z, v, t, n, end, p);
        h[k] = t / (double)n;
        error[k] = tk_max_difference(end, truth, 9);
    }
    const double slope = tk_slope(h, error, 2);
    printf("%s, order %s: errors %.2e, %.2e, order %.3f\n", what, words[which], error[0], error[1], slope);
    ck_assert_double_le(fabs(slope - 2 * (which + 1)), 0.1);
}

TEST_EACH(orders_on_the_top, ORDERS)
{
    static const int64_t steps[ORDERS] = {4000, 1000, 140};
    double z[9], v[9], truth[9];
    TK_OWN(ph_system) *system = tk_build_at("heavy-top", NULL, 0, "slow", z, v);
    rotation_of(top_after_10, truth);
    has_order(system, z, v, 10, truth, _i, steps[_i], "top");
}

/* Three moments, centre of mass off all axes: the drift is the map of shared/rotor-turn.c, the torques are those of the
 * gradient. The truth is Gauss' method of order 16. */
TEST_EACH(orders_on_a_general_body, ORDERS)
{
    static const int64_t steps[ORDERS] = {4000, 400, 56};
    const double centre[3] = {0.2, 0.5, -0.3}, inertia[3] = {2, 3, 4};
    const ph_parameter_value values[] = {{"centre", centre, 3}, {"inertia", inertia, 3}};
    double z[9], v[9], truth[9];
    TK_OWN(ph_system) *system = tk_build_at("heavy-top", values, 2, "slow", z, v);
    TK_MOTION(it, state);
    tk_start_with(system, ph_method_find("gauss", NULL), "order", "16", 0.05, 0, z, v, &it, &state);
    tk_steps(it, state, 100);
    memcpy(truth, state->z, sizeof truth);
    has_order(system, z, v, 5, truth, _i, steps[_i], "general body");
}

/* ---- Two kernels ------------------------------------------------------------------------------------- */

/* A top as a user writes it, by callbacks: U = m g e3 . R c. */
typedef struct weight {
    double mg, c[3];
} weight;

static ph_status weight_potential(void *user, const double *z, double *U)
{
    const weight *w = user;
    *U = w->mg * (z[6] * w->c[0] + z[7] * w->c[1] + z[8] * w->c[2]);
    return PH_OK;
}

static ph_status weight_gradient(void *user, const double *z, double *dU)
{
    const weight *w = user;
    (void)z;
    memset(dU, 0, 9 * sizeof *dU);
    for (int k = 0; k < 3; k++)
        dU[6 + k] = w->mg * w->c[k];
    return PH_OK;
}

static ph_system *top_by_callbacks(weight *w, const double J[3])
{
    const double half = 0.5 * (J[0] + J[1] + J[2]);
    double MM[81] = {0};
    for (size_t i = 0; i < 9; i++)
        MM[10 * i] = half - J[i % 3];
    return tk_system(
        (ph_system_definition){
            .ambient_inertia = MM, .potential = weight_potential, .gradient = weight_gradient, .user = w},
        &(ph_factor){.kind = PH_FACTOR_SO3}, 1);
}

/* The top of the model and the same by callbacks, at this multiple of a random velocity. */
static void is_a_body_in_a_potential(const double centre[3], const double inertia[3], double faster,
                                     double bound, const char *what)
{
    const double mass = 2, square = ph_dot3(centre, centre);
    double J[3], z[9], v[9], end[2][9], p[2][3];
    for (int k = 0; k < 3; k++)
        J[k] = inertia[k] + mass * (square - centre[k] * centre[k]);
    const ph_parameter_value values[] = {{"mass", &mass, 1}, {"centre", centre, 3}, {"inertia", inertia, 3}};
    weight w = {mass * 9.81, {centre[0], centre[1], centre[2]}};
    TK_OWN(ph_system) *model = tk_build("heavy-top", values, 3);
    TK_OWN(ph_system) *own = top_by_callbacks(&w, J);
    tk_random r = {31};
    tk_random_motion(model, &r, z, v);
    for (int k = 0; k < 9; k++)
        v[k] *= faster;
    for (int o = 0; o < ORDERS; o++) {
        follow(model, words[o], z, v, 1, 20, end[0], p[0]);
        follow(own, words[o], z, v, 1, 20, end[1], p[1]);
        const double off = tk_max_difference(end[0], end[1], 9),
                     of_p = tk_max_difference(p[0], p[1], 3) / ph_max_norm(p[1], 3);
        printf("%s, order %s: kernels differ by %.1e, %.1e\n", what, words[o], off, of_p);
        ck_assert_double_le(fmax(off, of_p), bound);
    }
}

/* Each axis as that of symmetry, slow and so fast that half a turn is more than a series is for. The bounds are roundings of 20
 * steps: of some radians in all, of a thousand where it is fast. */
TEST_EACH(a_top_is_a_body_in_a_potential, 6)
{
    static const char *const names[] = {"axis 0",       "axis 1",       "axis 2",
                                        "axis 0, fast", "axis 1, fast", "axis 2, fast"};
    double centre[3] = {0}, inertia[3] = {0.3, 0.3, 0.3};
    centre[_i % 3] = 0.4;
    inertia[_i % 3] = 0.45;
    is_a_body_in_a_potential(centre, inertia, _i < 3 ? 1 : 200, _i < 3 ? 1e-14 : 2e-12, names[_i]);
}

/* Two moments about the fixed point are equal, and the centre of mass is across the axis: no symmetric top. */
TEST(a_centre_of_mass_may_be_off_the_axis)
{
    const double centre[3] = {0, 0.4, 0}, inertia[3] = {0.5, 0.62, 0.3};
    is_a_body_in_a_potential(centre, inertia, 1, 1e-14, "centre across the axis");
}

/* A ball on a fixed point is symmetric about every axis. */
TEST(a_ball_is_a_top)
{
    const double centre[3] = {0, 0, 0.4}, inertia[3] = {0.4, 0.4, 0.72};
    is_a_body_in_a_potential(centre, inertia, 1, 1e-14, "ball");
}

/* ---- Long motions ------------------------------------------------------------------------------------ */

/* Energy oscillates and has no trend: the means of the first and the last tenth of 1e5 steps differ by less than a thousandth of
 * the oscillation; the momentum about the vertical changes by rounding. */
TEST_EACH(energy_has_no_trend, ORDERS)
{
    enum { PARTS = 100, STEPS = 1000 };
    double z[9], v[9], E[PARTS], lowest = INFINITY, highest = -INFINITY, first = 0, last = 0, J[2], work[3];
    TK_OWN(ph_system) *system = tk_build_at("heavy-top", NULL, 0, "slow", z, v);
    TK_OWN(ph_integrator) *it = integrator_of(system, words[_i], 0.05);
    TK_OWN(ph_state) *state = NULL;
    TK_MEMORY double *scratch = malloc(ph_system_work(system) * sizeof *scratch);
    tk_ok(ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
    tk_ok(ph_system_momentum_map(system, 0, state->z, state->p, &J[0], work));
    const int steps = tk_short() ? STEPS / 10 : STEPS;
    for (int i = 0; i < PARTS; i++) {
        double mean = 0;
        for (int k = 0; k < steps; k++) {
            double kinetic, potential;
            tk_steps(it, state, 1);
            tk_ok(ph_system_velocity(system, state->t, state->z, state->p, v, scratch));
            tk_ok(ph_system_energy(system, state->t, state->z, v, &kinetic, &potential, scratch));
            mean += (kinetic + potential) / steps;
            lowest = fmin(lowest, kinetic + potential);
            highest = fmax(highest, kinetic + potential);
        }
        E[i] = mean;
    }
    for (int i = 0; i < PARTS / 10; i++) {
        first += E[i] / (PARTS / 10);
        last += E[PARTS - 1 - i] / (PARTS / 10);
    }
    tk_ok(ph_system_momentum_map(system, 0, state->z, state->p, &J[1], work));
    printf("order %s: energy between %.2e J, trend %.1e J; momentum changed by %.1e\n", words[_i],
           highest - lowest, fabs(last - first), fabs(J[1] - J[0]) / fabs(J[0]));
    if (!tk_short()) /* of short motions the mean depends on where they end */
        ck_assert_double_le(fabs(last - first), 2e-2 * (highest - lowest) + 1e-12);
    ck_assert_double_le(fabs(J[1] - J[0]), 1e-12 * fabs(J[0]));
}

/* ---- Bits -------------------------------------------------------------------------------------------- */

TEST_EACH(steps_have_the_same_bits, 4)
{
    static const char *const models[] = {"heavy-top", "free-rigid-body", "rigid-n-body", "n-body"};
    double z[90], v[90];
    TK_OWN(ph_system) *system = tk_model(models[_i]);
    tk_preset(models[_i], NULL, 0, NULL, z, v);
    const double h = 0.05 / tk_fastest(system, z, v);
    for (int o = 0; o < ORDERS; o++) {
        TK_MOTION(it, state);
        tk_same_bits(system, ph_method_find("rotor-splitting", NULL), "order", words[o], h, 0.3, z, v, 40,
                     &it, &state);
    }
}

/* A step that cannot be made leaves the state as it is. */
TEST(a_failure_leaves_the_state)
{
    double z[9], v[9], before[12];
    TK_OWN(ph_system) *system = tk_build_at("heavy-top", NULL, 0, "slow", z, v);
    TK_OWN(ph_integrator) *it = integrator_of(system, "4", 0.1);
    TK_OWN(ph_state) *state = NULL;
    tk_ok(ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
    tk_steps(it, state, 3);
    memcpy(before, state->z, 9 * sizeof *before);
    memcpy(before + 9, state->p, 3 * sizeof *before);
    tk_ok(ph_integrator_set_step_size(it, 1e200));
    tk_returns(ph_integrator_step(it, state, 1), PH_E_DIVERGED);
    ck_assert_mem_eq(before, state->z, 9 * sizeof *before);
    ck_assert_mem_eq(before + 9, state->p, 3 * sizeof *before);
    tk_ok(ph_integrator_set_step_size(it, 0.1));
    tk_steps(it, state, 1);
}

/* ---- What it refuses ----------------------------------------------------------------------------------- */

static ph_status damp(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)t, (void)z;
    for (int k = 0; k < 9; k++)
        f[k] = -0.1 * zdot[k];
    return PH_OK;
}

TEST(others_are_refused)
{
    static const struct {
        const char *model, *words;
    } refused[] = {{"spherical-pendulum", "factor 0 is another"},
                   {"planar-pendulum", "factor 0 is another"},
                   {"rigid-chain", "joined bodies"}};
    const ph_method *m = ph_method_find("rotor-splitting", NULL);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        TK_OWN(ph_system) *system = tk_model(refused[i].model);
        tk_refused(ph_method_supports(m, system, tk_err), PH_E_UNSUPPORTED, refused[i].words);
    }
    TK_OWN(ph_system) *top = tk_model("heavy-top"), *damped = NULL;
    tk_ok(ph_system_create_forced(top, &(ph_system_definition){.force = damp}, &damped, tk_err));
    tk_refused(ph_method_supports(m, damped, tk_err), PH_E_UNSUPPORTED, "depends on the velocity");
    TK_OWN(ph_system) *nonholonomic = tk_model("suslov");
    tk_returns(ph_method_supports(m, nonholonomic, tk_err), PH_E_UNSUPPORTED);
}

int main(void)
{
    return tk_run("rotor-splitting");
}
