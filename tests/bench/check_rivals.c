/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods that only comparisons have: `taylor` against end states that are known to 22 digits, at every tolerance, and against `gauss`,
 * which has other equations, on links of every number and on bodies in any frame; states between its steps; what it refuses. */
#include "bench/common/contender.h"

#include "tests/kit/testkit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define UNTIL "method: variational\nstep: 1\nduration: 1\n"

/* z (nz) <- where the contender is after n steps that make the time T. */
static void arrive(const char *model, const char *text, double T, int64_t n, double *z)
{
    ph_error err;
    char yaml[6000];
    contender c;
    ph_scenario *scenario = NULL;
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL;
    snprintf(yaml, sizeof yaml, "polhode: 1\n%s" UNTIL, model);
    ck_assert_msg(!ph_scenario_parse(yaml, strlen(yaml), "model", &scenario, &err), "%s", err.message);
    const motion m = motion_of(scenario);
    ck_assert_msg(!contender_parse(&c, text, &err), "%s", err.message);
    ck_assert_msg(!contender_start(&c, &m, T / (double)n, &it, &state, &err), "%s", err.message);
    ck_assert_msg(!ph_integrator_step(it, state, n), "%s: %s", text, ph_integrator_message(it));
    memcpy(z, state->z, state->nz * sizeof *z);
    ph_scenario_free(scenario);
}

static double difference(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fabs(a[i] - b[i]) <= most ? most : fabs(a[i] - b[i]);
    return most;
}

/* ---- Known end states ------------------------------------------------------------------------------- */

#define CHAIN(n)                                                                                             \
    "model: chain-pendulum\nparameters: {links: " #n ", masses: 0.1, lengths: 0.1, gravity: 9.81}\n"
#define FIVE(x) x "," x "," x "," x "," x
#define TWENTY(x) FIVE(x) "," FIVE(x) "," FIVE(x) "," FIVE(x)
#define LET_GO(times) "initial:\n  q: [" times("[1,0,0]") "]\n  qdot: [" times("[0,0.5,0]") "]\n"

/* Masses 1 kg, lengths 9.81 m; links of 0.1 kg, 0.1 m; the slow top, whose rotation is that of a unit quaternion. By Taylor series of
 * order 36 and Gauss methods of order 16 in quadruple precision. growth: of an error, at most, by the motion; rounding: at most. (Measured:
 * 0.6, 4, 0.04 and 0.3; 8e-15, 2e-13, 3e-15 and 1e-14.) */
static const struct {
    const char *name, *model;
    double T, growth, rounding;
    size_t from, n;
    double end[9];
} known[] = {
    {"double pendulum",
     "model: double-spherical-pendulum\nparameters: {masses: [1, 1], lengths: [9.81, 9.81], gravity: [0, 0, 9.81]}\n"
     "initial:\n  q:     [[0.8660254037844386, 0, 0.5], [0, 0, 1]]\n  omega: [[-0.4330127018922193, 0, 0.75], [0, 1, 0]]\n",
     10,
     2,
     3e-14,
     0,
     6,
     {-0.8318075677671687528647, 0.4701953010398401272199, 0.2949788959999021363754, -0.235399374202968783992,
      -0.5731963138990128627641, 0.7848777741517687976913}},
    {"five links",
     CHAIN(5) LET_GO(FIVE),
     2,
     10,
     6e-13,
     12,
     3,
     {-0.7164331106294118663704, -0.5855922922692312378649, -0.3792166468243873895554}},
    {"twenty links",
     CHAIN(20) LET_GO(TWENTY),
     1,
     0.2,
     2e-14,
     57,
     3,
     {-0.8191720903802330282487, -0.07127531972660410111071, -0.5691018495313028687625}},
    {"top",
     "model: heavy-top\ninitial: {preset: slow}\n",
     10,
     1,
     3e-14,
     0,
     4,
     {0.2805763585312776930347, -0.04996097915622762588643, 0.8292049057772769907375,
      -0.4808326443056628532489}},
};

/* Of a body `end` is the quaternion. */
static double error_at_end(size_t row, const double *z)
{
    const double *e = known[row].end;
    if (known[row].n != 4)
        return difference(z + known[row].from, e, known[row].n);
    double R[9];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[4 * i] = 1 - 2 * (e[1 + j] * e[1 + j] + e[1 + k] * e[1 + k]);
        R[3 * i + j] = 2 * (e[1 + i] * e[1 + j] - e[0] * e[1 + k]);
        R[3 * j + i] = 2 * (e[1 + i] * e[1 + j] + e[0] * e[1 + k]);
    }
    return difference(z, R, 9);
}

enum { KNOWN = sizeof known / sizeof known[0], DIGITS = 5 };

TEST_EACH(errors_follow_the_tolerance, KNOWN *DIGITS)
{
    const size_t row = (size_t)_i / DIGITS;
    const double tolerance = pow(10, -6 - 2 * (_i % DIGITS));
    char text[40];
    double z[60];
    snprintf(text, sizeof text, "taylor:rtol=%g", tolerance);
    arrive(known[row].model, text, known[row].T, 1, z);
    const double error = error_at_end(row, z);
    printf("%s, %s: error %.1e\n", known[row].name, text, error);
    ck_assert_msg(error < known[row].growth * tolerance + known[row].rounding, "%.3e", error);
}

/* The default is order 20, and rounding is all that is left. */
TEST_EACH(the_default_is_exact_but_for_rounding, KNOWN)
{
    double z[60];
    arrive(known[_i].model, "taylor", known[_i].T, 1, z);
    const double error = error_at_end((size_t)_i, z);
    printf("%s: error %.1e\n", known[_i].name, error);
    ck_assert_msg(error < known[_i].rounding, "%.3e", error);
}

/* ---- Another formulation ---------------------------------------------------------------------------- */

/* Every kernel: links in space and in a plane, up to one, two and more vectors of four, with masses and lengths that differ; and
 * bodies whose axes are no principal axes, with gravity along none of them. */
TEST_EACH(other_equations_lead_to_the_same_place, 25)
{
    static const int numbers[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 30};
    enum { ROWS = sizeof numbers / sizeof numbers[0] };
    static const char *const bodies[] = {
        "model: free-rigid-body\nparameters: {inertia: [0.6, 0.8, 1.0]}\ninitial: {preset: tumbling}\n",
        "model: heavy-top\nparameters: {mass: 2, centre: [0.1, -0.2, 0.3], inertia: [0.1, 0.2, 0.15], gravity: [1, 2, -9]}\n"
        "initial:\n  q: [[1, 0, 0, 0, 1, 0, 0, 0, 1]]\n  omega: [[3, 1, -2]]\n",
        "model: pendulum-3d\nparameters: {centre: [0.2, 0.1, -0.5]}\ninitial: {preset: pushed}\n"};
    char model[6000];
    double z[90], other[90], T = 1;
    size_t nz = 9;
    if (_i < 2 * ROWS) {
        const int n = numbers[_i % ROWS], plane = _i / ROWS;
        size_t at = (size_t)snprintf(model, sizeof model,
                                     "model: %s\nparameters:\n  links: %d\n  gravity: 9.81\n  masses: [",
                                     plane ? "planar-chain" : "chain-pendulum", n);
        for (int i = 0; i < n; i++)
            at += (size_t)snprintf(model + at, sizeof model - at, "%s%g", i ? ", " : "", 1 + 0.5 * cos(i));
        at += (size_t)snprintf(model + at, sizeof model - at, "]\n  lengths: [");
        for (int i = 0; i < n; i++)
            at +=
                (size_t)snprintf(model + at, sizeof model - at, "%s%g", i ? ", " : "", 1 + 0.3 * sin(2 * i));
        snprintf(model + at, sizeof model - at, "]\ninitial: {preset: curved}\n");
        nz = (size_t)(n * (plane ? 2 : 3));
        T = 0.5;
    } else {
        snprintf(model, sizeof model, "%s", bodies[_i - 2 * ROWS]);
    }
    arrive(model, "taylor", T, 1, z);
    arrive(model, "gauss", T, 400, other);
    const double distance = difference(z, other, nz);
    printf("%zu numbers: %.1e\n", nz, distance);
    ck_assert_msg(distance < 2e-13, "%.3e", distance);
}

/* Without wide vectors, which are tried above where the processor has them, the same but for rounding. */
TEST_EACH(plain_kernels_have_the_same_motion, KNOWN)
{
    double z[60], wide[60];
    arrive(known[_i].model, "taylor", known[_i].T, 1, wide);
    setenv("POLHODE_KERNELS", "plain", 1);
    arrive(known[_i].model, "taylor", known[_i].T, 1, z);
    unsetenv("POLHODE_KERNELS");
    ck_assert(error_at_end((size_t)_i, z) < known[_i].rounding);
    ck_assert(error_at_end((size_t)_i, wide) < known[_i].rounding);
}

/* ---- Steps and states ------------------------------------------------------------------------------- */

/* Where states are taken, between steps of the series, changes nothing, nor does where the method steps stop; what comes back arrives
 * where it began. */
TEST_EACH(states_between_steps_are_on_the_motion, KNOWN)
{
    double z[60], one[60];
    arrive(known[_i].model, "taylor", known[_i].T, 1, one);
    for (int64_t n = 10; n <= 10000; n *= 10) {
        arrive(known[_i].model, "taylor", known[_i].T, n, z);
        ck_assert(error_at_end((size_t)_i, z) < known[_i].rounding);
    }
    ph_error err;
    char yaml[6000];
    contender c;
    ph_scenario *scenario = NULL;
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL, *copy = NULL;
    snprintf(yaml, sizeof yaml, "polhode: 1\n%s" UNTIL, known[_i].model);
    ck_assert_msg(!ph_scenario_parse(yaml, strlen(yaml), "model", &scenario, &err), "%s", err.message);
    const motion m = motion_of(scenario);
    ck_assert(!contender_parse(&c, "taylor", &err));
    ck_assert_msg(!contender_start(&c, &m, known[_i].T / 50, &it, &state, &err), "%s", err.message);
    ck_assert(!ph_integrator_step(it, state, 7));
    ck_assert(!ph_state_create(it, &copy, &err) && !ph_state_copy(copy, state));
    ck_assert(!ph_integrator_step(it, state, 9) && !ph_integrator_step(it, copy, 9));
    ck_assert_mem_eq(state->z, copy->z, state->nz * sizeof *state->z); /* all is in the state */
    ck_assert(!ph_integrator_set_step_size(it, -known[_i].T / 25) && !ph_integrator_step(it, state, 8));
    printf("%s: back at the start within %.1e\n", known[_i].name, difference(state->z, m.z, state->nz));
    ck_assert(fabs(state->t) < 1e-14 && difference(state->z, m.z, state->nz) < known[_i].rounding);
    ph_scenario_free(scenario);
}

/* Errors of lengths grow with the time: with |q_i| = 1 in the equations for the tensions they grow exponentially, to 1e-8 here. */
TEST(lengths_are_kept_for_long)
{
    double z[6], most = 0;
    arrive(known[0].model, "taylor:rtol=1e-12", 200, 1000, z);
    for (int i = 0; i < 2; i++)
        most = fmax(
            most, fabs(z[3 * i] * z[3 * i] + z[3 * i + 1] * z[3 * i + 1] + z[3 * i + 2] * z[3 * i + 2] - 1));
    printf("after 200 s: |q|^2 - 1 = %.1e\n", most);
    ck_assert(most < 3e-11);
}

/* ---- What it is ------------------------------------------------------------------------------------- */

TEST(it_is_a_contender_and_no_method_of_the_catalogue)
{
    contender c;
    ph_error err;
    ck_assert(!contender_parse(&c, "taylor:rtol=1e-10", &err));
    ck_assert_double_eq(contender_tolerance(&c), 1e-10);
    ck_assert_ptr_null(ph_method_find("taylor", &err));
    tk_refused(contender_parse(&c, "taylor:rtol=1", tk_err), PH_E_RANGE, "rtol");
    tk_refused(contender_parse(&c, "taylr", tk_err), PH_E_UNKNOWN, "taylr");
    ck_assert(!contender_parse(&c, "taylor", &err));
    static const char *const others[] = {"dipole-array", "cart-chain", "branching-pendulum", "rigid-chain",
                                         "elastic-chain"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        TK_OWN(ph_system) *system = tk_model(others[i]);
        tk_refused(ph_method_supports(c.method, system, tk_err), PH_E_UNSUPPORTED, "links in a row");
    }
}

int main(void)
{
    return tk_run("rivals");
}
