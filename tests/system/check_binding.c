/* SPDX-License-Identifier: BSD-3-Clause */
/* Binding a method to a system: messages for valid and invalid step sizes, options and names; and a method
 * that a user wrote with the public headers. */
#include "tests/kit/hostile.h"

/* ---- A user's own method ------------------------------------------------------------------------ */

/* Explicit Euler in (q, p) on (S^2)^n: q <- exp_q(h v), pi <- pi + h (v x M v + q x (f - dU/dq)), made
 * tangent. Its carry counts the steps, its options are one of each kind. It refuses |h| > 1. */
typedef struct euler {
    double *v, *g, *f, *q, *p, *work;
} euler;

static const ph_option euler_options[] = {
    {.name = "scale",
     .type = PH_OPTION_NUMBER,
     .initial = 1,
     .min = 0.5,
     .max = 2,
     .unit = "1",
     .text = "factor of h"},
    {.name = "repeats",
     .type = PH_OPTION_COUNT,
     .initial = 1,
     .min = 1,
     .max = 100,
     .unit = "1",
     .text = "no use"},
    {.name = "mood", .type = PH_OPTION_CHOICE, .initial = 1, .choices = "sad plain  gay", .text = "no use"},
};

static ph_method_size euler_size(const ph_system *system, const double *options)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    (void)options;
    return (ph_method_size){sizeof(euler) + (5 * nz + ph_system_work(system)) * sizeof(double), 1};
}

static ph_status euler_init(ph_context *context)
{
    size_t nz = ph_space_ambient(ph_system_space(context->system));
    euler *w = context->work;
    double *memory = (double *)(void *)(w + 1);
    if (fabs(context->h) > 1)
        return ph_fail(context->error, PH_E_RANGE, "euler needs |h| <= 1 s");
    ck_assert_uint_eq((uintptr_t)context->work % 64, 0);
    *w = (euler){memory, memory + nz, memory + 2 * nz, memory + 3 * nz, memory + 4 * nz, memory + 5 * nz};
    return PH_OK;
}

static ph_status euler_step(ph_context *context, ph_state *state)
{
    euler *w = context->work;
    const ph_system *system = context->system;
    size_t n = state->nz / 3;
    double h = context->h * context->options[0];
    ph_status status = ph_system_velocity(system, 0, state->z, state->p, w->v, w->work);
    if (!status)
        status = ph_system_gradient(system, state->z, w->g);
    if (!status)
        status = ph_system_force(system, state->t, state->z, w->v, w->f);
    if (status)
        return status; /* without a message: the library adds one */
    for (size_t i = 0; i < n; i++) {
        double mu[3] = {0, 0, 0}, turn[3], push[3], pull[3];
        for (size_t k = 0; k < 3; k++) {
            push[k] = w->f[3 * i + k] - w->g[3 * i + k];
            for (size_t j = 0; j < n; j++)
                mu[k] += ph_system_inertia(system)[i * n + j] * w->v[3 * j + k];
        }
        ph_cross3(w->v + 3 * i, mu, turn);
        ph_cross3(state->z + 3 * i, push, pull);
        for (size_t k = 0; k < 3; k++)
            w->p[3 * i + k] = state->p[3 * i + k] + h * (turn[k] + pull[k]);
    }
    for (size_t i = 0; i < state->nz; i++)
        w->v[i] *= h;
    ph_space_exp(ph_system_space(system), state->z, w->v, w->q);
    ph_space_project_tangent(ph_system_space(system), w->q, w->p);
    memcpy(state->z, w->q, state->nz * sizeof *w->q);
    memcpy(state->p, w->p, state->np * sizeof *w->p);
    state->carry[0]++;
    return PH_OK;
}

static const ph_method euler_method = {.name = "euler",
                                       .summary = "explicit Euler",
                                       .reference = "Euler (1768)",
                                       .order = 1,
                                       .options = euler_options,
                                       .n_options = 3,
                                       .size = euler_size,
                                       .init = euler_init,
                                       .step = euler_step};

static ph_status create(const ph_system *system, double h, const ph_setting *settings, size_t n,
                        ph_integrator **it, ph_error *err)
{
    *err = (ph_error){PH_OK, ""};
    return ph_integrator_create(system, &euler_method, h, settings, n, it, err);
}

/* Distance between the end points at time 1 by steps h and by the library's RK4 (exact compared with
 * Euler). */
static double euler_error(const ph_system *system, double h)
{
    double z[HK_NZ], zdot[HK_NZ], error;
    hk_start(0.7, z, zdot);
    TK_MAKE(ph_integrator, it, create(system, h, NULL, 0, &it, tk_err));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, tk_err));
    tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_PROJECT, tk_err));
    TK_START(exact, truth, system, "rk4", NULL, 0.01, z, zdot);
    tk_ok(ph_integrator_step(it, state, (int64_t)(1 / h + 0.5)));
    tk_ok(ph_integrator_step(exact, truth, 100));
    ck_assert_double_eq(state->carry[0], (double)state->k);
    error = tk_max_difference(state->z, truth->z, HK_NZ);
    return error;
}

TEST(a_user_s_method_works)
{
    hk_user user = {0};
    double z[HK_NZ], zdot[HK_NZ], steps[4] = {0.02, 0.01, 0.005, 0.0025}, errors[4];
    TK_OWN(ph_system) *system = hk_system(&user, HK_DAMPED);
    for (int i = 0; i < 4; i++)
        errors[i] = euler_error(system, steps[i]);
    ck_assert_double_eq_tol(tk_slope(steps, errors, 4), 1, 0.1);
    hk_start(0.7, z, zdot);
    TK_MAKE(ph_integrator, it, create(system, 0.01, NULL, 0, &it, tk_err));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, tk_err));
    tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_PROJECT, tk_err));
    TK_OWN(ph_state) *before = hk_clone(it, state);
    hk_arm(&user, HK_FORCE, HK_FAIL, PH_E_CALLBACK, 1, false);
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_CALLBACK);
    ck_assert_str_eq(ph_integrator_message(it), ph_status_text(PH_E_CALLBACK));
    ck_assert(hk_same(state, before));
}

/* A method may refuse a step size; then nothing is changed. */
TEST(a_user_s_method_may_refuse)
{
    hk_user user = {0};
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    double z[HK_NZ], zdot[HK_NZ];
    hk_start(0.7, z, zdot);
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL;
    tk_refused_both(create(system, 2, NULL, 0, &it, tk_err), PH_E_RANGE, "euler", "|h| <= 1");
    tk_ok(create(system, 0.01, NULL, 0, &it, tk_err));
    tk_ok(ph_state_create(it, &state, tk_err));
    tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_PROJECT, tk_err));
    ck_assert_int_eq(ph_integrator_set_step_size(it, -3), PH_E_RANGE);
    tk_has_both(ph_integrator_message(it), "euler", "|h| <= 1");
    ck_assert_double_eq(ph_integrator_step_size(it), 0.01);
    tk_ok(ph_integrator_step(it, state, 7));
    ck_assert_double_eq(state->t, 7 * 0.01);
}

/* ---- Resources that init acquires --------------------------------------------------------------- */

/* A method whose init borrows two things, and may be refused the second one. */
typedef struct borrower {
    bool first, second;
} borrower;

static struct {
    int inits, finishes, lent;
    int refusals; /* calls of init that are still to be refused half-way */
} lender;

static ph_method_size borrower_size(const ph_system *system, const double *options)
{
    (void)system, (void)options;
    return (ph_method_size){sizeof(borrower), 0};
}

static ph_status borrower_init(ph_context *context)
{
    borrower *w = context->work;
    ck_assert_int_eq(lender.inits, lender.finishes); /* everything acquired before has been released */
    ck_assert_int_eq(lender.lent, 0);
    lender.inits++;
    lender.lent++;
    *w = (borrower){.first = true};
    if (lender.refusals > 0) {
        lender.refusals--;
        return ph_fail(context->error, PH_E_NO_MEMORY, "the second thing is not to be had");
    }
    lender.lent++;
    w->second = true;
    return PH_OK;
}

static void borrower_finish(ph_context *context)
{
    const borrower *w = context->work;
    lender.finishes++;
    lender.lent -= w->first + w->second;
    ck_assert_int_eq(lender.finishes, lender.inits);
    ck_assert_int_eq(lender.lent, 0);
}

static ph_status borrower_step(ph_context *context, ph_state *state)
{
    const borrower *w = context->work;
    (void)state;
    ck_assert(w->first && w->second);
    return PH_OK;
}

static const ph_method borrower_method = {.name = "borrower",
                                          .summary = "stands still",
                                          .reference = "none",
                                          .order = 1,
                                          .size = borrower_size,
                                          .init = borrower_init,
                                          .finish = borrower_finish,
                                          .step = borrower_step};

#define counted(i, f, l)                                                                                     \
    ck_assert_msg(lender.inits == (i) && lender.finishes == (f) && lender.lent == (l),                       \
                  "%d inits, %d finishes, %d lent", lender.inits, lender.finishes, lender.lent)

TEST(what_init_got_is_given_back_once)
{
    hk_user user = {0};
    ph_integrator *it = NULL;
    ph_state *state;
    const ph_setting none = {"none", "1"};
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    memset(&lender, 0, sizeof lender);
    tk_returns(ph_integrator_create(system, &borrower_method, 0.1, &none, 1, &it, tk_err), PH_E_UNKNOWN);
    counted(0, 0, 0);
    lender.refusals = 1;
    tk_refused_both(ph_integrator_create(system, &borrower_method, 0.1, NULL, 0, &it, tk_err), PH_E_NO_MEMORY,
                    "second thing", "not to be had");
    counted(1, 1, 0);
    tk_ok(ph_integrator_create(system, &borrower_method, 0.1, NULL, 0, &it, tk_err));
    counted(2, 1, 2);
    tk_ok(ph_state_create(it, &state, tk_err));
    tk_ok(ph_integrator_set_step_size(it, 0.2));
    counted(3, 2, 2);
    ck_assert_int_eq(ph_integrator_set_step_size(it, 0), PH_E_RANGE);
    counted(3, 2, 2);
    lender.refusals = 1; /* the new step size is refused, the former is not */
    ck_assert_int_eq(ph_integrator_set_step_size(it, 0.3), PH_E_NO_MEMORY);
    tk_has_both(ph_integrator_message(it), "second thing", "not to be had");
    counted(5, 4, 2);
    ck_assert_double_eq(ph_integrator_step_size(it), 0.2);
    tk_ok(ph_integrator_step(it, state, 3));
    lender.refusals = 2; /* both are */
    ck_assert_int_eq(ph_integrator_set_step_size(it, 0.3), PH_E_NO_MEMORY);
    tk_has_both(ph_integrator_message(it), "second thing", "not to be had");
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_NO_MEMORY);
    tk_has_both(ph_integrator_message(it), "borrower", "set a step size");
    ck_assert_int_eq(state->k, 3);
    counted(7, 6, 1);
    tk_ok(ph_integrator_set_step_size(it, 0.4));
    tk_ok(ph_integrator_step(it, state, 1));
    counted(8, 7, 2);
    tk_end(it, state);
    counted(8, 8, 0);
}

/* ---- Step sizes, options, names ----------------------------------------------------------------- */

TEST_EACH(step_sizes, hk_cases())
{
    hk_case c;
    hk_user user = {0};
    ph_integrator *none = NULL;
    const double bad[] = {0, -0.0, NAN, INFINITY, -INFINITY};
    hk_case_at((size_t)_i, &c);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    TK_BEGIN(it, state, hk_create, &c, system, 0.01);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ph_error err = {PH_OK, ""};
        ck_assert_int_eq(ph_integrator_create(system, c.method, bad[i], c.settings, c.n, &none, &err),
                         PH_E_RANGE);
        ck_assert_int_eq(err.status, PH_E_RANGE);
        tk_has_both(err.message, "step size", "finite and not 0");
        ck_assert_int_eq(ph_integrator_set_step_size(it, bad[i]), PH_E_RANGE);
        tk_has_both(ph_integrator_message(it), "step size", "finite and not 0");
        ck_assert_double_eq(ph_integrator_step_size(it), 0.01);
    }
    ck_assert_ptr_null(none);
    TK_OWN(ph_state) *before = hk_clone(it, state);
    ck_assert_int_eq(ph_integrator_step(it, state, -1), PH_E_RANGE);
    tk_has_both(ph_integrator_message(it), "-1 steps", "negative h");
    ck_assert_int_eq(ph_integrator_step(it, state, INT64_MIN), PH_E_RANGE);
    tk_ok(ph_integrator_step(it, state, 0));
    ck_assert_str_eq(ph_integrator_message(it), "");
    ck_assert(hk_same(state, before));
    tk_ok(ph_integrator_step(it, state, 1));
}

static const struct {
    const char *name, *value;
    ph_status status;
    const char *first, *second; /* in the message */
} bad_options[] = {
    {"scale", "3", PH_E_RANGE, "\"scale\"", "0.5 ... 2"},
    {"scale", "0.49999", PH_E_RANGE, "\"scale\"", "0.5 ... 2"},
    {"scale", "1x", PH_E_INVALID, "\"scale\"", "\"1x\""},
    {"scale", "", PH_E_INVALID, "\"scale\"", "number"},
    {"scale", "nan", PH_E_NOT_FINITE, "\"scale\"", "\"nan\""},
    {"scale", "1e999", PH_E_NOT_FINITE, "\"scale\"", "\"1e999\""},
    {"repeats", "1.5", PH_E_INVALID, "\"repeats\"", "whole number"},
    {"repeats", "0", PH_E_RANGE, "\"repeats\"", "1 ... 100"},
    {"repeats", "101", PH_E_RANGE, "\"repeats\"", "1 ... 100"},
    {"repeats", "1e30", PH_E_RANGE, "\"repeats\"", "\"1e30\""},
    {"mood", "happy", PH_E_UNKNOWN, "\"happy\"", "sad plain"},
    {"mood", "", PH_E_UNKNOWN, "\"mood\"", "gay"},
    {"mood", "sad plain", PH_E_UNKNOWN, "\"mood\"", "gay"},
    {"mood", "pla", PH_E_UNKNOWN, "\"mood\"", "plain"},
    {"mod", "sad", PH_E_UNKNOWN, "\"mod\"", "did you mean \"mood\"?"},
    {"colour", "red", PH_E_UNKNOWN, "\"colour\"", "scale, repeats, mood"},
    {"", "1", PH_E_UNKNOWN, "option", "scale"},
    {NULL, "1", PH_E_INVALID, "setting 1", "no name"},
    {"scale", NULL, PH_E_INVALID, "setting 1", "no value"},
};

TEST_EACH(bad_settings, sizeof bad_options / sizeof bad_options[0])
{
    ph_error err = {PH_OK, ""};
    double values[3];
    ph_setting two[2] = {{"scale", "2"}, {bad_options[_i].name, bad_options[_i].value}};
    ph_status status = ph_method_options(&euler_method, two, 2, values, &err);
    ck_assert_msg(status == bad_options[_i].status, "%s: %s", ph_status_name(status), err.message);
    ck_assert_int_eq(err.status, status);
    tk_has_both(err.message, bad_options[_i].first, bad_options[_i].second);
    ck_assert_int_eq(ph_method_options(&euler_method, two, 2, values, NULL), status);
}

TEST(good_settings)
{
    const ph_setting settings[] = {{"mood", "gay"}, {"repeats", "1e2"}, {"scale", "0.5"}, {"mood", "sad"}};
    double values[3] = {NAN, NAN, NAN};
    hk_user user = {0};
    tk_ok(ph_method_options(&euler_method, NULL, 0, values, NULL));
    ck_assert_double_eq(values[0], 1);
    ck_assert_double_eq(values[1], 1);
    ck_assert_double_eq(values[2], 1);
    tk_ok(ph_method_options(&euler_method, settings, 3, values, NULL));
    ck_assert_double_eq(values[0], 0.5);
    ck_assert_double_eq(values[1], 100);
    ck_assert_double_eq(values[2], 2);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    TK_MAKE(ph_integrator, it,
            create(system, 0.01, settings, 4, &it, tk_err)); /* of two of a kind the last counts */
    ck_assert_double_eq(ph_integrator_options(it)[2], 0);
    ck_assert_ptr_eq(ph_integrator_system(it), system);
    ck_assert_ptr_eq(ph_integrator_method(it), &euler_method);
    ph_integrator_free(NULL);
}

/* Every method: its name is found, its options have defaults within their bounds, and others are refused. */
TEST_EACH(catalogue, ph_methods())
{
    const ph_method *m = ph_method_at((size_t)_i);
    double values[32];
    ph_setting unknown = {"frm", "q-qdot"};
    ck_assert_ptr_eq(ph_method_find(m->name, tk_err), m);
    ck_assert(m->summary && m->reference && m->size && m->step && m->order >= 1);
    ck_assert_uint_le(m->n_options, 32);
    tk_ok(ph_method_options(m, NULL, 0, values, tk_err));
    for (size_t i = 0; i < m->n_options; i++) {
        const ph_option *o = &m->options[i];
        ck_assert(o->name && o->text && (o->type == PH_OPTION_CHOICE) == (o->choices != NULL));
        ck_assert(o->type == PH_OPTION_CHOICE || (o->min <= values[i] && values[i] <= o->max));
        ph_setting wrong = {o->name, "?"};
        ck_assert_int_ne(ph_method_options(m, &wrong, 1, values, tk_err), PH_OK);
        tk_has_both(tk_err->message, o->name, "?");
    }
    tk_refused_both(ph_method_options(m, &unknown, 1, values, tk_err), PH_E_UNKNOWN, "frm",
                    m->n_options ? m->options[0].name : "no options");
}

TEST(unknown_methods)
{
    ph_error err = {PH_OK, ""};
    ck_assert_ptr_null(ph_method_find("variatonal", &err));
    ck_assert_int_eq(err.status, PH_E_UNKNOWN);
    tk_has_both(err.message, "\"variatonal\"", "did you mean \"variational\"?");
    ck_assert_ptr_null(ph_method_find("leapfrog", &err));
    tk_has_both(err.message, "\"leapfrog\"", "available: variational");
    ck_assert_ptr_null(ph_method_find("", &err));
    ck_assert_ptr_null(ph_method_find("leapfrog\nline", &err));
    tk_has_both(err.message, "leapfrog", "available: ");
    ck_assert_ptr_null(ph_method_find("rk5", NULL));
    for (int i = 0; i < 2; i++) /* this build may be without them */
        if (!ph_method_find(i ? "cvode" : "arkode", &err)) {
            ck_assert_int_eq(err.status, PH_E_UNKNOWN);
            tk_has_both(err.message, i ? "\"cvode\"" : "\"arkode\"", "libsundials-dev");
            ck_assert_ptr_null(ph_method_find(i ? "cvode" : "arkode", NULL));
        }
    ck_assert_ptr_null(ph_method_at(ph_methods()));
}

int main(void)
{
    return tk_run("binding");
}
