/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract of a step on spheres as phase space, for every method that takes them with every word of its options: where a
 * callback fails, at whichever call, the step happens whole or not at all, reports the reason, and can be repeated; steps
 * at once, one by one, of copies, of unpacked states and of states set again give the same bits; and dense output of them
 * has its order. */
#include "tests/kit/hostile.h"
#include "tests/kit/spinkit.h"
#include "variants.h"

enum { SPINS = 3, NZ = 3 * SPINS };
static const double h = 0.06;

/* ---- Callbacks that go wrong -------------------------------------------------------------------------------- */

typedef enum callback { GRADIENT, IN_TIME, CONTROL, BOND, CALLBACKS } callback;
static const char *const callback_names[CALLBACKS] = {"gradient", "gradient in time", "control", "bond"};

typedef struct user {
    callback which;
    hk_how how;
    ph_status status;
    int64_t at, calls; /* at: 0 never */
    bool always;
} user;

static ph_status meddle(user *u, callback which, double *v, size_t n)
{
    if (u->which != which)
        return PH_OK;
    u->calls++;
    if (!u->at || (u->always ? u->calls < u->at : u->calls != u->at))
        return PH_OK;
    if (u->how == HK_FAIL)
        return u->status;
    v[n / 2] = u->how == HK_NAN ? NAN : -INFINITY;
    return PH_OK;
}

/* H = sum (a.s_i)^3 / 3 for its own part, coupled by exchange-like terms in the declared bonds. */
static const double a[3] = {0.6, -0.3, 0.4};

static ph_status energy(void *self, const double *z, double *U)
{
    (void)self;
    *U = 0;
    for (size_t i = 0; i < SPINS; i++)
        *U += pow(ph_dot3(a, z + 3 * i), 3) / 3;
    return PH_OK;
}

static ph_status gradient(void *self, const double *z, double *dU)
{
    for (size_t i = 0; i < NZ; i++)
        dU[i] = pow(ph_dot3(a, z + i / 3 * 3), 2) * a[i % 3];
    return meddle(self, GRADIENT, dU, NZ);
}

static ph_status energy_in_time(void *self, double t, const double *z, double *U)
{
    (void)self;
    *U = 0.3 * sin(t) * z[0];
    return PH_OK;
}

static ph_status gradient_in_time(void *self, double t, const double *z, double *dU)
{
    (void)z;
    dU[0] += 0.3 * sin(t);
    return meddle(self, IN_TIME, dU, NZ);
}

static ph_status control(void *self, double t, double *B, double *dB)
{
    B[0] = 0.4 * cos(2 * t);
    B[1] = 0.1;
    B[2] = 0.7;
    if (dB) {
        dB[0] = -0.8 * sin(2 * t);
        dB[1] = dB[2] = 0;
    }
    return meddle(self, CONTROL, B, 3);
}

static ph_status bond(void *self, double x, double *f)
{
    f[0] = exp(0.5 * x);
    f[1] = 0.5 * exp(0.5 * x);
    f[2] = 0.25 * exp(0.5 * x);
    return meddle(self, BOND, f, 3);
}

/* whole: declared by parts alone, so that there is no potential by callbacks */
static ph_system *make(user *u, bool whole)
{
    static const uint32_t first[] = {0, 1}, second[] = {1, 2};
    static const double one = 1, strengths[SPINS] = {1, -0.8, 1.3};
    const ph_bonds bonds[] = {{.kind = PH_BOND_FUNCTION,
                               .n = 2,
                               .first = first,
                               .second = second,
                               .c = &one,
                               .uniform = true,
                               .function = bond},
                              {.kind = PH_BOND_EXCHANGE, .all_pairs = true, .c = &one, .uniform = true}};
    const ph_spins spins = {
        .n = SPINS, .strengths = strengths, .bonds = bonds, .n_bonds = 2, .control = control};
    ph_system_definition d = {.spins = &spins, .user = u};
    if (!whole) {
        d.potential = energy;
        d.gradient = gradient;
        d.potential_in_time = energy_in_time;
        d.gradient_in_time = gradient_in_time;
    }
    ph_system *system = NULL;
    ph_error err = {PH_OK, ""};
    ck_assert_msg(!ph_system_create(&d, &system, &err), "%s", err.message);
    return system;
}

/* A method and option, and one of the two systems. */
typedef struct subject {
    variant v;
    char label[120];
    user user;
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
} subject;

static size_t listed(variant *list)
{
    static variant all[VARIANTS];
    const size_t n = variant_list(all);
    const structure spins = {.spins = true, .declared = true};
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (variant_should_take(&all[i], &spins))
            list[m++] = all[i];
    return m;
}

static int subjects(void)
{
    static variant list[VARIANTS];
    return 2 * (int)listed(list);
}

/* false: the method does not take this system. */
static bool begin(subject *s, int number, double step)
{
    static variant list[VARIANTS];
    ph_error err = {PH_OK, ""};
    const bool whole = number % 2;
    const double z[NZ] = {0.6, 0, 0.8, 0, -0.6, 0.8, 2. / 7, 3. / 7, -6. / 7};
    ck_assert_uint_lt((size_t)number / 2, listed(list));
    *s = (subject){.v = list[number / 2]};
    snprintf(s->label, sizeof s->label, "%s, %s", s->v.name, whole ? "by parts" : "with callbacks");
    s->v.setting.value = s->v.value;
    ph_setting settings[3] = {s->v.setting};
    size_t n = s->v.n_settings;
    if (s->v.method->claims & PH_CLAIM_ADAPTIVE) { /* few calls a step */
        settings[n++] = (ph_setting){"rtol", "1e-6"};
        settings[n++] = (ph_setting){"atol", "1e-6"};
    }
    s->system = make(&s->user, whole);
    const structure is = structure_of(s->system);
    const ph_status status = ph_integrator_create(s->system, s->v.method, step, settings, n, &s->it, &err);
    if (!variant_should_take(&s->v, &is)) {
        ck_assert_int_eq(status, PH_E_UNSUPPORTED);
        return false;
    }
    ck_assert_msg(!status, "%s: %s", s->label, err.message);
    tk_ok(ph_state_create(s->it, &s->state, NULL));
    tk_ok(ph_state_set(s->it, s->state, 0.25, z, NULL, PH_PROJECT, NULL));
    return true;
}

static void end(subject *s)
{
    tk_end(s->it, s->state);
    ph_system_free(s->system);
}

typedef struct fault {
    hk_how how;
    ph_status status;
    bool always;
} fault;
static const fault faults[] = {{HK_FAIL, PH_E_CALLBACK, false},
                               {HK_FAIL, PH_E_SINGULAR, true},
                               {HK_NAN, PH_OK, true},
                               {HK_INF, PH_OK, true}};
enum { FAULTS = sizeof faults / sizeof *faults };

static bool right_status(const fault *f, ph_status status)
{
    return f->how == HK_FAIL ? status == f->status : status == PH_E_NOT_FINITE || status == PH_E_DIVERGED;
}

/* One step with the fault at call `at`; false when the step needed fewer calls. */
static bool strike(subject *s, const ph_state *before, const ph_state *after, callback which, const fault *f,
                   int64_t at)
{
    TK_OWN(ph_state) *state = hk_clone(s->it, before);
    s->user = (user){which, f->how, f->status, at, 0, f->always};
    ph_status status = ph_integrator_step(s->it, state, 1);
    const bool wrong = s->user.calls >= at;
    s->user.at = 0;
    if (wrong) {
        const char *message = ph_integrator_message(s->it);
        ck_assert_msg(right_status(f, status), "%s: %s at call %lld: %s (%s)", s->label,
                      callback_names[which], (long long)at, ph_status_name(status), message);
        ck_assert_msg(strstr(message, "t = 0.") && !strchr(message, '\n'), "%s: %s", s->label, message);
        ck_assert_msg(hk_same(state, before), "%s: a failed step changed the state", s->label);
        status = ph_integrator_step(s->it, state, 1);
    }
    ck_assert_msg(!status, "%s: %s", s->label, ph_integrator_message(s->it));
    ck_assert_msg(hk_same(state, after), "%s: %s at call %lld: the step went on to other bits", s->label,
                  callback_names[which], (long long)at);
    return wrong;
}

TEST_EACH(every_call_may_go_wrong, subjects())
{
    TK_ENDS(end) subject s;
    if (!begin(&s, _i, h))
        return;
    for (int warm = 0; warm < 2; warm++) { /* from a state just set, and from one with a history */
        TK_OWN(ph_state) *after = hk_clone(s.it, s.state);
        tk_ok(ph_integrator_step(s.it, after, 1));
        for (int which = _i % 2 ? CONTROL : GRADIENT; which < CALLBACKS; which++)
            for (size_t f = 0; f < FAULTS; f++) {
                int64_t at = 1;
                while (strike(&s, s.state, after, (callback)which, &faults[f], at))
                    at += 1 + at / (tk_short() ? 2 : 8);
                ck_assert_msg(at > 1, "%s: the %s was never called", s.label, callback_names[which]);
            }
        tk_ok(ph_integrator_step(s.it, s.state, 5));
    }
}

/* ---- The same bits ------------------------------------------------------------------------------------------ */

TEST_EACH(the_same_bits, subjects())
{
    TK_ENDS(end) subject s;
    if (!begin(&s, _i, _i % 4 < 2 ? h : -h))
        return;
    TK_OWN(ph_state) *b = hk_clone(s.it, s.state);
    TK_OWN(ph_state) *c = hk_clone(s.it, s.state);
    tk_ok(ph_integrator_step(s.it, s.state, 30));
    for (int k = 0; k < 30; k++)
        tk_ok(ph_integrator_step(s.it, b, 1));
    ck_assert_msg(hk_same(s.state, b), "%s: one by one", s.label);
    ck_assert_double_eq(s.state->t, 0.25 + 30 * (_i % 4 < 2 ? h : -h));
    ck_assert_uint_eq(s.state->np, 0);
    ck_assert_uint_eq(ph_state_packed_size(b), 72 + 8 * (NZ + b->ncarry));
    unsigned char *bytes = malloc(ph_state_packed_size(b));
    ph_state_pack(b, bytes);
    tk_ok(ph_state_unpack(c, bytes, ph_state_packed_size(b), NULL));
    free(bytes);
    tk_ok(ph_integrator_step(s.it, s.state, 9));
    tk_ok(ph_integrator_step(s.it, b, 9));
    tk_ok(ph_integrator_step(s.it, c, 9));
    ck_assert_msg(hk_same(s.state, b) && hk_same(b, c), "%s: copied or unpacked", s.label);
    /* setting again clears the carry; with p NULL, and both NULL */
    tk_ok(ph_state_set(s.it, b, 2, s.state->z, NULL, PH_PROJECT, NULL));
    tk_ok(ph_state_set(s.it, s.state, 2, NULL, NULL, PH_PROJECT, NULL));
    for (size_t i = 0; i < b->ncarry; i++)
        ck_assert_double_eq(b->carry[i], 0);
    ck_assert(hk_same(s.state, b));
    tk_ok(ph_integrator_step(s.it, s.state, 4));
    tk_ok(ph_integrator_step(s.it, b, 4));
    ck_assert(hk_same(s.state, b));
}

/* ---- What is refused ---------------------------------------------------------------------------------------- */

TEST(states_refused)
{
    TK_OWN(ph_system) *ring = sk_ring(4);
    ph_integrator *it = sk_bind(ring, "rk4-projected", h, NULL, 0);
    ph_state *state = sk_state(it, sk_problems[SK_RING].start);
    ph_error err = {PH_OK, ""};
    double z[12], v[12] = {0}, p[1] = {0};
    memcpy(z, state->z, sizeof z);
    tk_ok(ph_state_set_velocity(it, state, 0, z, NULL, PH_STRICT, &err));
    tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, &err));
    v[4] = 0.1;
    ck_assert_int_eq(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, &err), PH_E_INVALID);
    ck_assert_msg(strstr(err.message, "velocity of spins follows") != NULL, "%s", err.message);
    ck_assert_int_eq(ph_state_set(it, state, 0, NULL, p, PH_STRICT, &err), PH_E_INVALID);
    z[3] += 1e-6;
    ck_assert_int_eq(ph_state_set(it, state, 0, z, NULL, PH_STRICT, &err), PH_E_NOT_ON_MANIFOLD);
    ck_assert_msg(strstr(err.message, "s2 has length 0.99999971") != NULL, "%s", err.message);
    ck_assert(!memcmp(state->z, sk_problems[SK_RING].start, 3 * sizeof z[0]));
    tk_ok(ph_state_set(it, state, 0, z, NULL, PH_PROJECT, &err));
    tk_end(it, state);
    /* of systems with momenta z and p belong together */
    TK_OWN(ph_system) *pendulum = tk_model("spherical-pendulum");
    const double q[3] = {0, 0, -1};
    it = sk_bind(pendulum, "rk4", h, NULL, 0);
    tk_ok(ph_state_create(it, &state, NULL));
    ck_assert_int_eq(ph_state_set(it, state, 0, q, NULL, PH_STRICT, &err), PH_E_INVALID);
    ck_assert_msg(strstr(err.message, "give z and p together") != NULL, "%s", err.message);
    tk_end(it, state);
}

/* ---- Dense output ------------------------------------------------------------------------------------------- */

/* The largest error between the ends of a step of H from a random state, against rk8 by short steps; *estimate <- of
 * ph_dense_error. */
static double dense_error(double H, double *estimate)
{
    enum { PLACES = 8, FINE = 40 };
    tk_random r = {77};
    TK_OWN(ph_system) *system = sk_random(4, false, true, &r);
    TK_OWN(ph_integrator) *it = sk_bind(system, "rk8", H / (PLACES * FINE), NULL, 0);
    double z[12], exact[PLACES + 1][12], worst = 0;
    sk_random_spins(&r, 4, z);
    TK_OWN(ph_state) *state = sk_state(it, z);
    TK_OWN(ph_state) *first = hk_clone(it, state);
    TK_MAKE(ph_dense, dense, ph_dense_create(it, &dense, NULL));
    ck_assert_int_eq(ph_dense_order(dense), 6);
    for (int k = 1; k <= PLACES; k++) {
        tk_ok(ph_integrator_step(it, state, FINE));
        memcpy(exact[k], state->z, sizeof exact[k]);
    }
    tk_ok(ph_dense_begin(dense, first, NULL));
    tk_ok(ph_dense_end(dense, state, NULL));
    for (int k = 1; k <= PLACES; k++) {
        const ph_state *there;
        tk_ok(ph_dense_at(dense, k * H / PLACES, &there, NULL));
        worst = fmax(worst, tk_max_difference(there->z, exact[k], 12));
        ck_assert_double_le(ph_space_factor_residual(ph_system_space(system), 1, there->z), 4 * 0x1p-52);
    }
    tk_ok(ph_dense_error(dense, estimate, NULL));
    return worst;
}

TEST(dense_output_has_order_six)
{
    double H[4], error[4], estimate;
    for (int k = 0; k < 4; k++) {
        H[k] = 0.12 / (1 << k);
        error[k] = dense_error(H[k], &estimate);
        printf("H = %g: error %.2e, estimate %.2e\n", H[k], error[k], estimate);
        if (k)
            ck_assert_msg(estimate > error[k] / 2 && estimate < 2 * error[k], "%g: %g, estimated %g", H[k],
                          error[k], estimate);
    }
    const double slope = tk_slope(H + 1, error + 1, 3);
    ck_assert_msg(slope > 5.7 && slope < 6.7, "%g", slope);
}

int main(void)
{
    return tk_run("the contract on spins");
}
