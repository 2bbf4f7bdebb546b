/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract of a step in which a callback fails, for every method of the catalogue in every form: whatever
 * it does, and at whichever call, the step happens whole or not at all, reports the reason, and can be
 * repeated. */
#include "tests/kit/hostile.h"

#include <unistd.h>

static const double h = 0.05;

/* ---- Callbacks that go wrong -------------------------------------------------------------------- */

typedef struct fault {
    hk_callback which;
    hk_how how;
    ph_status status; /* of HK_FAIL */
    bool always;
} fault;

static const char *const callback_names[] = {"potential", "gradient", "force", "force_dv", "generator"};

/* NaN and infinity may be reported as such, or as a result that is not finite. */
static bool right_status(const fault *f, ph_status status)
{
    if (f->how == HK_FAIL)
        return status == f->status;
    return status == PH_E_NOT_FINITE || status == PH_E_DIVERGED;
}

/* Does the message have the time, and, for a callback that reports no more than "failed", that it was a
 * callback? */
static bool telling(const fault *f, const char *message)
{
    bool names = strstr(message, "callback") || strstr(message, "gradient") || strstr(message, "force");
    return strstr(message, "t = 0.") && !strchr(message, '\n') &&
           (names || f->how != HK_FAIL || f->status != PH_E_CALLBACK);
}

/* One step with the fault at call `at`; 0 when the step needed fewer calls. */
static int strike(const char *label, ph_integrator *it, hk_user *user, const ph_state *before,
                  const ph_state *after, const fault *f, int at)
{
    TK_OWN(ph_state) *state = hk_clone(it, before);
    int64_t steps = ph_integrator_statistics(it)->steps;
    hk_arm(user, f->which, f->how, f->status, at, f->always);
    ph_status status = ph_integrator_step(it, state, 1);
    bool wrong = hk_went_wrong(user);
    hk_behave(user);
    /* derivatives only help to find the root: a wrong one does no harm if the root is found nevertheless */
    bool harmless = !status && f->which == HK_FORCE_DV && f->how != HK_FAIL;
    if (wrong && !harmless) {
        ck_assert_msg(right_status(f, status), "%s: %s at call %d: %s (%s)", label, callback_names[f->which],
                      at, ph_status_name(status), ph_integrator_message(it));
        ck_assert_msg(telling(f, ph_integrator_message(it)), "%s: %s", label, ph_integrator_message(it));
        ck_assert_msg(hk_same(state, before), "%s: a failed step changed the state", label);
        ck_assert_int_eq(ph_integrator_statistics(it)->steps, steps);
        status = ph_integrator_step(it, state, 1);
        ck_assert_str_eq(ph_integrator_message(it), "");
    }
    ck_assert_msg(!status, "%s: %s", label, ph_integrator_message(it));
    ck_assert_msg(hk_same(state, after), "%s: %s at call %d: the step went on to other bits", label,
                  callback_names[f->which], at);
    return wrong;
}

/* Steps with the fault at call 1, 2, 3, ... 16, and then at calls that are a sixteenth apart (those of late
 * stages are like those of early ones), in the short form a quarter, until one succeeds. Returns at how many
 * calls steps failed. */
static int strike_each_call(const char *label, ph_integrator *it, hk_user *user, const ph_state *before,
                            const fault *f)
{
    TK_OWN(ph_state) *after = hk_clone(it, before);
    int at = 1;
    ck_assert_msg(!ph_integrator_step(it, after, 1), "%s: %s", label, ph_integrator_message(it));
    while (strike(label, it, user, before, after, f, at)) {
        ck_assert_int_lt(at, 10000);
        at += 1 + at / (tk_short() ? 4 : 16);
    }
    return at - 1;
}

static const fault faults[] = {
    {HK_GRADIENT, HK_FAIL, PH_E_CALLBACK, false},
    {HK_GRADIENT, HK_FAIL, PH_E_CALLBACK, true},
    {HK_GRADIENT, HK_FAIL, PH_E_SINGULAR, false},
    {HK_GRADIENT, HK_NAN, PH_OK, true},
    {HK_GRADIENT, HK_INF, PH_OK, true},
    {HK_FORCE, HK_FAIL, PH_E_CALLBACK, false},
    {HK_FORCE, HK_FAIL, PH_E_CALLBACK, true},
    {HK_FORCE, HK_FAIL, PH_E_NO_CONVERGENCE, false},
    {HK_FORCE, HK_FAIL, PH_E_NOT_FINITE, true},
    {HK_FORCE, HK_NAN, PH_OK, true},
    {HK_FORCE, HK_INF, PH_OK, true},
    {HK_FORCE_DV, HK_FAIL, PH_E_CALLBACK, false},
    {HK_FORCE_DV, HK_FAIL, PH_E_CALLBACK, true},
    {HK_FORCE_DV, HK_FAIL, PH_E_SINGULAR, false},
    {HK_FORCE_DV, HK_NAN, PH_OK, true},
    {HK_FORCE_DV, HK_INF, PH_OK, true},
    {HK_GRADIENT, HK_FAIL, PH_E_NOT_ON_MANIFOLD, false},
};

static void strike_flavour(const hk_case *c, hk_flavour flavour)
{
    hk_user user = {0};
    char label[160];
    flavour = hk_flavour_for(c, flavour);
    TK_OWN(ph_system) *system = hk_system(&user, flavour);
    TK_BEGIN(it, state, hk_create, c, system, h);
    for (int warm = 0; warm < 2; warm++) { /* from a state just set, and from one with a history */
        for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
            if (!hk_has(flavour, faults[i].which))
                continue;
            snprintf(label, sizeof label, "%s, %s, k = %d, fault %zu", c->label, hk_flavour_name(flavour),
                     (int)state->k, i);
            int failed = strike_each_call(label, it, &user, state, &faults[i]);
            if (faults[i].which != HK_FORCE_DV) /* explicit methods do not call it */
                ck_assert_msg(failed > 0, "%s: the callback was never called", label);
        }
        tk_ok(ph_integrator_step(it, state, 6));
    }
}

TEST_EACH(every_call_may_go_wrong, hk_pairs())
{
    hk_case c;
    const hk_flavour flavour = hk_pair_at(_i, &c);
    strike_flavour(&c, flavour);
}

/* The place of max-iterations among the options of a method; NULL: it has none. */
static const ph_option *bound_of(const ph_method *method)
{
    for (size_t i = 0; i < method->n_options; i++)
        if (!strcmp(method->options[i].name, "max-iterations"))
            return &method->options[i];
    return NULL;
}

/* A step that may make n iterations has the bits of one without a bound, or fails, with the state as it was; then one
 * without a bound continues from it. One equation may be solved beyond the bound. */
static void bound(const hk_case *c, const char *n, int *failed)
{
    enum { BEYOND = 8 * PH_IMPLICIT_PASSES };
    hk_user user = {0};
    hk_case bounded = *c;
    bounded.settings[bounded.n++] = (ph_setting){"max-iterations", n};
    TK_OWN(ph_system) *system =
        hk_system(&user, c->method == ph_method_find("moser-veselov", NULL) ? HK_FREE : HK_PLAIN);
    TK_BEGIN(free, state, hk_create, c, system, 4 * h);
    TK_BEGIN(it, own, hk_create, &bounded, system, 4 * h);
    for (int k = 0; k < 6; k++) {
        TK_OWN(ph_state) *before = hk_clone(it, own);
        const int64_t iterations = ph_integrator_statistics(it)->newton_passes;
        const ph_status status = ph_integrator_step(it, own, 1);
        const int64_t made = ph_integrator_statistics(it)->newton_passes - iterations;
        ck_assert_msg(made <= atoll(n) + BEYOND, "%s: %lld iterations, %s allowed", c->label, (long long)made,
                      n);
        tk_ok(ph_integrator_step(free, state, 1));
        if (status) {
            ++*failed;
            ck_assert_msg(status == PH_E_NO_CONVERGENCE, "%s: %s", c->label, ph_integrator_message(it));
            ck_assert_msg(strstr(ph_integrator_message(it), "max-iterations") ||
                              strstr(ph_integrator_message(it), "steps"),
                          "%s", ph_integrator_message(it));
            ck_assert_msg(hk_same(own, before), "%s: the state of a step that failed has moved", c->label);
            tk_ok(ph_integrator_step(free, own, 1)); /* the kinds of both are equal */
        }
        ck_assert_msg(hk_same(own, state), "%s: a bound of %s changed bits", c->label, n);
    }
}

TEST_EACH(work_of_a_step_is_bounded, hk_cases())
{
    static const char *const few[] = {"1", "2", "5", "12", "40", "1000000"};
    hk_case c;
    int failed = 0;
    hk_case_at((size_t)_i, &c);
    const bool must = c.method->claims & (PH_CLAIM_IMPLICIT | PH_CLAIM_ADAPTIVE);
    ck_assert_msg(!must || bound_of(c.method), "%s has no max-iterations", c.method->name);
    for (size_t i = 0; i < sizeof few / sizeof few[0] && bound_of(c.method); i++)
        bound(&c, few[i], &failed);
    if (!strcmp(c.label, "variational order=8") || !strcmp(c.method->name, "gauss") ||
        !strcmp(c.method->name, "cvode"))
        ck_assert_msg(failed > 0, "%s: no bound was met", c.label);
}

/* Steps that are far too long: the branch of solutions is followed in many small pieces, in vain. */
TEST(long_steps_are_given_up)
{
    static const char *const methods[] = {"variational", "gauss", "multistep"};
    enum { ALLOWED = 20, BEYOND = 2 * PH_IMPLICIT_PASSES };
    hk_user user = {0};
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        int64_t made[2];
        for (size_t bounded = 0; bounded < 2; bounded++) {
            const hk_case c = {
                ph_method_find(methods[i], NULL), {{"max-iterations", "20"}}, bounded, {""}, "long"};
            TK_BEGIN(it, state, hk_create, &c, system, 7.6);
            ck_assert_int_eq(ph_integrator_step(it, state, 1),
                             bounded ? PH_E_NO_CONVERGENCE : PH_E_NO_SOLUTION);
            ck_assert(!bounded || strstr(ph_integrator_message(it), "20 iterations (max-iterations)"));
            made[bounded] = ph_integrator_statistics(it)->newton_passes;
        }
        ck_assert_msg(made[0] > 500 && made[1] >= ALLOWED && made[1] <= ALLOWED + BEYOND,
                      "%s: %d, bounded %d", methods[i], (int)made[0], (int)made[1]);
    }
}

/* Rows of links, whose kernel has guesses in the carry: from a step that fails for its bound one with a larger bound continues
 * to the bits that it has without the failure. */
TEST_EACH(links_go_on_after_a_failure, 4)
{
    enum { MOST = 40 };
    static const double links[] = {3, 7, MOST, 3};
    const ph_setting settings[] = {{"max-iterations", "1"}, {"order", "4"}};
    const size_t settings_used = _i == 3 ? 2 : 1;
    const ph_parameter_value n = {"links", &links[_i], 1};
    TK_OWN(ph_system) *system = tk_build("chain-pendulum", &n, 1);
    int good = 0, after = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const double size = 0.02 * (double)seed;
        tk_random r = {seed};
        double z[3 * MOST], v[3 * MOST];
        for (size_t i = 0; i < (size_t)links[_i]; i++) {
            tk_unit(&r, z + 3 * i);
            tk_tangent(&r, z + 3 * i, v + 3 * i);
        }
        TK_OWN(ph_integrator) *bounded = NULL, *it = NULL;
        TK_OWN(ph_state) *state = NULL;
        const ph_method *method = ph_method_find("variational", NULL);
        tk_ok(ph_integrator_create(system, method, size, settings, settings_used, &bounded, tk_err));
        tk_ok(ph_integrator_create(system, method, size, settings + 1, settings_used - 1, &it, tk_err));
        tk_ok(ph_state_create(it, &state, tk_err));
        tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_PROJECT, tk_err));
        for (int k = 0; k < 60; k++) {
            TK_OWN(ph_state) *own = hk_clone(it, state);
            const ph_status status = ph_integrator_step(bounded, own, 1);
            if (ph_integrator_step(it, state, 1))
                break; /* there is no solution */
            if (status)
                tk_returns(status, PH_E_NO_CONVERGENCE);
            if (status)
                tk_ok(ph_integrator_step(it, own, 1));
            after += status != PH_OK && k > 0;
            good += status == PH_OK;
            ck_assert_msg(hk_same(own, state), "%g links: other bits after a failure in step %d", links[_i],
                          k);
        }
    }
    printf("%g links: %d of %d steps failed for their bound\n", links[_i], after, after + good);
}

/* A failure in the middle of n steps leaves the state after the last whole one. */
TEST_EACH(failure_in_a_stretch, hk_cases())
{
    hk_case c;
    hk_user user = {0};
    hk_case_at((size_t)_i, &c);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    TK_BEGIN(it, state, hk_create, &c, system, h);
    TK_OWN(ph_state) *alone = hk_clone(it, state);
    int64_t calls = hk_calls(it, state, &user, 5);
    hk_arm(&user, HK_GRADIENT, HK_FAIL, PH_E_CALLBACK, calls + 1, true);
    ck_assert_int_eq(ph_integrator_step(it, state, 1000), PH_E_CALLBACK);
    hk_behave(&user);
    ck_assert_int_eq(state->k, 5);
    tk_ok(ph_integrator_step(it, alone, state->k));
    ck_assert(hk_same(state, alone));
    tk_ok(ph_integrator_step(it, state, 20));
    tk_ok(ph_integrator_step(it, alone, 20));
    ck_assert(hk_same(state, alone));
}

/* A force that differs at every call, so that no step is short enough. In the end it fails. */
typedef struct whims {
    int calls;
    bool over;
} whims;

static ph_status whim(void *user, double t, const double *q, const double *v, double *f)
{
    whims *w = user;
    (void)t, (void)q, (void)v;
    f[0] += ++w->calls % 2 ? 1e3 : -1e3;
    return w->over ? PH_E_CALLBACK : PH_OK;
}

/* Adaptive methods give up and say why, and nothing is printed. */
TEST(a_force_that_no_step_is_short_enough_for)
{
    const double inertia = 1, z[3] = {0, 0, 1}, v[3] = {0, 1, 0};
    const ph_factor sphere = {.kind = PH_FACTOR_S2};
    for (size_t m = 0; m < ph_methods(); m++) {
        const ph_method *method = ph_method_at(m);
        if (!(method->claims & PH_CLAIM_ADAPTIVE))
            continue;
        whims w = {0, false};
        int out, err;
        long printed;
        TK_OWN(ph_space) *space = tk_space(&sphere, 1);
        ph_system_definition d = {.space = space, .inertia = &inertia, .force = whim, .user = &w};
        TK_OWN(ph_system) *system = tk_defined(&d);
        FILE *paper = tmpfile();
        ck_assert_ptr_nonnull(paper);
        fflush(NULL);
        out = dup(1);
        err = dup(2);
        ck_assert(dup2(fileno(paper), 1) == 1 && dup2(fileno(paper), 2) == 2);
        TK_START(it, state, system, method->name, NULL, h, z, v);
        TK_OWN(ph_state) *before = hk_clone(it, state);
        w.over = true;
        ph_status failed = ph_integrator_step(it, state, 1);
        w.over = false;
        ph_status status = ph_integrator_step(it, state, 1);
        fflush(NULL);
        ck_assert(dup2(out, 1) == 1 && dup2(err, 2) == 2);
        close(out);
        close(err);
        fseek(paper, 0, SEEK_END);
        printed = ftell(paper);
        fclose(paper);
        printf("%s: %s\n", method->name, ph_integrator_message(it));
        ck_assert_int_eq(printed, 0);
        ck_assert_int_eq(failed, PH_E_CALLBACK);
        ck_assert_int_eq(status, PH_E_NO_CONVERGENCE);
        ck_assert(hk_same(state, before));
        ck_assert_msg(strstr(ph_integrator_message(it), "SUNDIALS") &&
                          strstr(ph_integrator_message(it), "t = 0 s") &&
                          !strchr(ph_integrator_message(it), '\n'),
                      "%s", ph_integrator_message(it));
    }
}

/* Gravity that is not defined off the sphere. */
static ph_status weight(void *user, const double *q, double *U)
{
    (void)user;
    *U = q[2];
    return PH_OK;
}

static ph_status gravity_on_the_sphere(void *user, const double *q, double *g)
{
    (void)user;
    g[0] = g[1] = 0;
    g[2] = fabs(ph_dot3(q, q) - 1) < 1e-3 ? 1 : NAN;
    return PH_OK;
}

/* Loose tolerances make internal steps whose stages are too far off; adaptive methods take shorter ones. */
TEST(internal_steps_that_lead_too_far_are_shortened)
{
    static const ph_setting loose[] = {{"rtol", "1e-2"}, {"atol", "1e-2"}};
    const double inertia = 1, z[3] = {0.6, 0, -0.8}, v[3] = {0, 1, 0};
    const ph_factor sphere = {.kind = PH_FACTOR_S2};
    TK_OWN(ph_space) *space = tk_space(&sphere, 1);
    ph_system_definition d = {
        .space = space, .inertia = &inertia, .potential = weight, .gradient = gravity_on_the_sphere};
    TK_OWN(ph_system) *system = tk_defined(&d);
    for (size_t m = 0; m < ph_methods(); m++) {
        const ph_method *method = ph_method_at(m);
        double before, after;
        if (!(method->claims & PH_CLAIM_ADAPTIVE))
            continue;
        TK_MOTION(it, state);
        tk_ok(ph_integrator_create(system, method, 5, loose, 2, &it, NULL));
        tk_ok(ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
        before = 0.5 * ph_dot3(state->p, state->p) + state->z[2];
        ck_assert_msg(!ph_integrator_step(it, state, 3), "%s: %s", method->name, ph_integrator_message(it));
        after = 0.5 * ph_dot3(state->p, state->p) + state->z[2];
        printf("%s, gravity on the sphere alone: energy off by %.1e after 15 s\n", method->name,
               after - before);
        ck_assert_double_le(fabs(after - before), 0.5);
    }
}

/* Too fast for the step: the branch of solutions ends, and the state, with its history, is unchanged. */
TEST(no_solution_beyond_the_fold)
{
    TK_OWN(ph_system) *system = tk_model("spherical-pendulum");
    const double z[3] = {1, 0, 0}, slow[3] = {0, 0.5, 0}, fast[3] = {0, 40, 0};
    TK_START(it, state, system, "variational", NULL, 0.1, z, fast);
    for (int round = 0; round < 2; round++) {
        TK_OWN(ph_state) *before = hk_clone(it, state);
        ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_NO_SOLUTION);
        ck_assert(hk_same(state, before));
        ck_assert_msg(strstr(ph_integrator_message(it), "t = 0 s") &&
                          strstr(ph_integrator_message(it), "0.1 s"),
                      "%s", ph_integrator_message(it));
    }
    tk_ok(ph_integrator_set_step_size(it, 0.01)); /* as the message advises */
    tk_ok(ph_integrator_step(it, state, 10));
    tk_ok(ph_state_set_velocity(it, state, 0, z, slow, PH_STRICT, NULL));
    tk_ok(ph_integrator_set_step_size(it, 0.1));
    tk_ok(ph_integrator_step(it, state, 10));
}

/* The largest finite time is 1.8e308 s; a single particle at rest stays there however long steps are. Of n
 * steps those with finite times are taken. Without that rule the second step returned PH_OK and t =
 * -infinity. */
TEST(time_stays_finite)
{
    static const char *const names[] = {"rk4", "rk4-projected", "multistep"};
    const double z[3] = {0, 0, 1}, v[3] = {0, 0, 0}, most = 1.7e308, one = 1;
    const ph_parameter_value alone = {"particles", &one, 1};
    TK_OWN(ph_system) *system = tk_build("sphere-n-body", &alone, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            TK_START(it, state, system, names[i], NULL, sign * most, z, v);
            tk_ok(ph_integrator_step(it, state, 1));
            ck_assert_double_eq(state->t, sign * most);
            TK_OWN(ph_state) *before = hk_clone(it, state);
            for (int64_t n = 1; n > 0; n = n == 1 ? 1000 : n == 1000 ? INT64_MAX : 0) {
                ck_assert_int_eq(ph_integrator_step(it, state, n), PH_E_RANGE);
                ck_assert_msg(strstr(ph_integrator_message(it), "finite numbers") != NULL, "%s",
                              ph_integrator_message(it));
                ck_assert(hk_same(state, before));
                ck_assert_int_eq(ph_integrator_statistics(it)->steps, 1);
            }
            /* a sixth of that: from 1 to 6 */
            tk_ok(ph_integrator_set_step_size(it, sign * most / 6));
            tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
            ck_assert_int_eq(ph_integrator_step(it, state, 1000), PH_E_RANGE);
            ck_assert_int_eq(state->k, 6);
            ck_assert(isfinite(state->t));
        }
}

/* sinh x = s by the solvers' own interface; the at-th call of one of its functions fails. */
typedef struct line {
    int which, at, calls;
    double x;
} line;

static ph_status meddle(line *l, int which)
{
    return l->which == which && ++l->calls == l->at ? PH_E_CALLBACK : PH_OK;
}

static ph_status line_residual(void *self, double s, const double *x, double *r, double *scale)
{
    *r = sinh(*x) - s;
    *scale = fabs(sinh(*x)) + s;
    ((line *)self)->x = *x;
    return meddle(self, 0);
}

static ph_status line_jacobian(void *self, double *J)
{
    *J = cosh(((line *)self)->x);
    return meddle(self, 1);
}

static ph_status line_derivative(void *self, double *rs)
{
    *rs = -1;
    return meddle(self, 2);
}

TEST_EACH(solvers_pass_failures_on, 2)
{
    double memory[16], x;
    int ints[4], most = 0;
    size_t doubles, n_ints;
    ph_newton_work w;
    ph_newton_report report;
    ph_newton_size(1, &doubles, &n_ints);
    ck_assert(doubles <= 16 && n_ints <= 4);
    ph_newton_lay(&w, 1, memory, ints);
    for (int which = 0; which < 3; which++)
        for (int at = 1;; at++) {
            line l = {.which = which, .at = at};
            ph_equations eq = {.n = 1,
                               .size = 1,
                               .self = &l,
                               .residual = line_residual,
                               .jacobian = line_jacobian,
                               .parameter_derivative = line_derivative};
            x = _i ? 0 : 0.5;
            ph_status status =
                _i ? ph_follow_branch(&eq, &x, &w, &report, NULL) : ph_newton(&eq, 1, 30, &x, &w, &report);
            if (l.calls < at) {
                tk_ok(status);
                ck_assert_double_eq_tol(x, asinh(1), 4 * 0x1p-53);
                break;
            }
            ck_assert_int_eq(status, PH_E_CALLBACK);
            most = at;
        }
    ck_assert_int_gt(most, 0);
}

int main(void)
{
    return tk_run("contract");
}
