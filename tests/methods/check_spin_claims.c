/* SPDX-License-Identifier: BSD-3-Clause */
/* What methods claim in their tables, measured on spheres as phase space (check_claims.c does so on systems with
 * momenta): order, reversal, the symplectic form Omega = sum Gamma_i s_i . (u_i x v_i) on tangent vectors that the step
 * carries on, the momentum maps axis . sum Gamma_i s_i, and |s_i| = 1. A claim must hold on every motion; where a method
 * does not claim it, the same measurement must show on some motion that it does not hold. Each method must take the
 * systems that it should take (variants.c), and no others. New methods, all words of their options and models of the
 * catalogue with spins are included automatically.
 *
 * The truth is rk8 with short steps, which check_spin_system.c compares with ends that are known to 28 digits. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "tests/kit/spinkit.h"
#include "variants.h"

#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>

enum { MOTIONS = 32, LARGEST = 3 * 512, SMALL = 3 * 16 }; /* numbers in z; up to which all is measured */

/* ---- Motions ---------------------------------------------------------------------------------------------- */

enum { NEAR, FAR, ENDS };
static const double ends[ENDS] = {1.5, 5}; /* in 1/rate */

typedef struct motion {
    char name[64];
    ph_system *system;
    structure is;
    size_t nz, axes; /* axes: e3, or all three, about which H is invariant */
    double axis[3][3];
    bool timed;
    double rate, z[LARGEST], T[ENDS], end[ENDS][LARGEST], doubt[ENDS];
} motion;

static ph_system *isotropic(void)
{
    return sk_ring(6);
}

static ph_system *axial(void)
{
    return sk_problems[SK_CHAIN].create();
}

static ph_system *vortices(void)
{
    return sk_problems[SK_VORTICES].create();
}

static ph_system *declared(void)
{
    tk_random r = {21};
    return sk_random(3, true, false, &r);
}

static ph_system *by_callbacks(void)
{
    tk_random r = {24};
    return sk_random(3, false, false, &r);
}

static ph_system *controlled(void)
{
    tk_random r = {23};
    return sk_random(2, true, true, &r);
}

/* Four spins with exchange in a field that depends on the site, with damping. */
static ph_system *damped(void)
{
    static const uint32_t first[] = {0, 1, 2}, second[] = {1, 2, 3};
    static const double J = 0.8, lambda[] = {0.1, 0.2, 0, 0.15}, strengths[] = {1, -1.5, 0.7, 1},
                        B[12] = {0, 0, 1, 0.2, 0, 0.7, 0, 0.4, 1, -0.3, 0, 0.5};
    const ph_bonds bonds = {
        .kind = PH_BOND_EXCHANGE, .n = 3, .first = first, .second = second, .c = &J, .uniform = true};
    const ph_spins spins = {
        .n = 4, .strengths = strengths, .damping = lambda, .bonds = &bonds, .n_bonds = 1, .field = B};
    const ph_system_definition d = {.spins = &spins};
    ph_system *system = NULL;
    tk_ok(ph_system_create(&d, &system, NULL));
    return system;
}

static const struct {
    const char *name;
    ph_system *(*create)(void);
    size_t axes; /* 1: e3 */
} own[] = {{"ring", isotropic, 3},
           {"XXZ chain", axial, 1},
           {"vortices", vortices, 3},
           {"random", declared, 0},
           {"random, by callbacks", by_callbacks, 0},
           {"random, with control", controlled, 0},
           {"damped", damped, 0}};
enum { OWN = sizeof own / sizeof *own };

/* The k-th model of the catalogue with spins; the number of models where there are no more. */
static size_t spin_model(size_t k)
{
    size_t i = 0;
    for (; i < ph_models(); i++) {
        ph_system *system = NULL;
        if (ph_model_build(ph_model_at(i), NULL, 0, &system, NULL))
            continue;
        const bool spins = ph_system_spins(system) != NULL;
        ph_system_free(system);
        if (spins && !k--)
            break;
    }
    return i;
}

static size_t motions(void)
{
    static size_t models; /* counted once: models may be large */
    while (models < MOTIONS && spin_model(models) < ph_models())
        models++;
    return OWN + models;
}

/* The fastest rate of the linearised field or of a spin's turn. */
static double fastest(const motion *m)
{
    double rate, *v = malloc(m->nz * sizeof *v);
    tk_ok(ph_system_fastest_rate(m->system, m->z, &rate, NULL));
    tk_ok(ph_spins_flow(m->system, 0, m->z, v));
    for (size_t i = 0; i < m->nz; i += 3)
        rate = fmax(rate, ph_norm3(v + i));
    free(v);
    return rate;
}

static void set_out(motion *m, size_t number)
{
    tk_random r = {500 + number};
    *m = (motion){.system = NULL};
    if (number < OWN) {
        snprintf(m->name, sizeof m->name, "%s", own[number].name);
        m->system = own[number].create();
        m->axes = own[number].axes;
        m->axis[0][2] = 1;
        for (size_t k = 0; m->axes == 3 && k < 3; k++)
            for (size_t i = 0; i < 3; i++)
                m->axis[k][i] = i == k;
    } else {
        const ph_model *model = ph_model_at(spin_model(number - OWN));
        double zdot[LARGEST];
        snprintf(m->name, sizeof m->name, "%s", model->name);
        tk_ok(ph_model_build(model, NULL, 0, &m->system, NULL));
        ck_assert_uint_le(ph_space_ambient(ph_system_space(m->system)), LARGEST);
        tk_ok(ph_model_preset(model, NULL, 0, NULL, ph_space_ambient(ph_system_space(m->system)), m->z, zdot,
                              NULL));
        const bool several = ph_space_factors(ph_system_space(m->system)) > 1;
        for (size_t k = 0; several && k < ph_space_ambient(ph_system_space(m->system)); k++)
            m->z[k] += 0.2 * tk_normal(&r); /* off relative equilibria, on which errors are too small */
        tk_ok(ph_space_project(ph_system_space(m->system), m->z));
        m->axes = ph_system_symmetries(m->system);
        ck_assert_uint_le(m->axes, 3);
        for (size_t k = 0; k < m->axes; k++)
            memcpy(m->axis[k], ph_system_symmetry(m->system, k)->axis, sizeof m->axis[k]);
    }
    m->nz = ph_space_ambient(ph_system_space(m->system));
    if (number < OWN)
        sk_random_spins(&r, m->nz / 3, m->z);
    m->is = structure_of(m->system);
    m->timed = ph_system_depends_on_time(m->system);
    m->rate = fastest(m);
}

/* ---- Runs --------------------------------------------------------------------------------------------------- */

static void begin_with(const motion *m, const variant *v, double h, const char *tolerance, ph_integrator **it,
                       ph_state **state)
{
    ph_error err = {PH_OK, ""};
    ph_setting settings[3] = {{v->setting.name, v->value}};
    size_t n = v->n_settings;
    if (v->method->claims & PH_CLAIM_ADAPTIVE) {
        settings[n++] = (ph_setting){"rtol", tolerance};
        settings[n++] = (ph_setting){"atol", tolerance};
    }
    ck_assert_msg(!ph_integrator_create(m->system, v->method, h, settings, n, it, &err), "%s on %s: %s",
                  v->name, m->name, err.message);
    tk_ok(ph_state_create(*it, state, NULL));
    ck_assert_msg(!ph_state_set(*it, *state, 0, m->z, NULL, PH_STRICT, &err), "%s", err.message);
}

static void begin(const motion *m, const variant *v, double h, ph_integrator **it, ph_state **state)
{
    begin_with(m, v, h, "1e-4", it, state);
}

static bool takes(const motion *m, const variant *v)
{
    ph_integrator *it = NULL;
    const ph_setting set = {v->setting.name, v->value};
    ph_status status =
        ph_integrator_create(m->system, v->method, 0.01 / m->rate, &set, v->n_settings, &it, NULL);
    ck_assert_msg(!status || status == PH_E_UNSUPPORTED, "%s on %s: %s", v->name, m->name,
                  ph_status_name(status));
    ph_integrator_free(status ? NULL : it);
    return !status;
}

static void advance(const motion *m, const variant *v, ph_integrator *it, ph_state *state, int64_t n)
{
    ck_assert_msg(!ph_integrator_step(it, state, n), "%s on %s: %s", v->name, m->name,
                  ph_integrator_message(it));
}

/* ... without being symmetric or adaptive: then its errors have odd terms, and long steps show what it does not
 * claim. */
static bool is_explicit_of_high_order(const variant *v)
{
    return v->method->order > 4 && !(v->method->claims & (PH_CLAIM_SYMMETRIC | PH_CLAIM_ADAPTIVE));
}

static double step_size(const motion *m, const variant *v)
{
    return (v->method->claims & PH_CLAIM_ADAPTIVE ? 1 : is_explicit_of_high_order(v) ? 0.4 : 0.15) / m->rate;
}

/* ---- Order -------------------------------------------------------------------------------------------------- */

static double error_at(const motion *m, const variant *v, int end, int64_t steps)
{
    ph_integrator *it;
    ph_state *state;
    begin(m, v, m->T[end] / (double)steps, &it, &state);
    const bool solved = !ph_integrator_step(it, state, steps);
    const double error = tk_max_difference(state->z, m->end[end], m->nz);
    tk_end(it, state);
    return solved ? error : (double)NAN;
}

static double order_by(const motion *m, const variant *v, int end, int n, const int64_t *steps, double *last)
{
    double h[4], error[4];
    for (int k = 0; k < n; k++) {
        h[k] = m->T[end] / (double)steps[k];
        error[k] = error_at(m, v, end, steps[k]);
    }
    *last = error[n - 1];
    return tk_slope(h, error, (size_t)n);
}

/* As in check_claims.c: for low orders steps of a given length; for orders from 6 on three sizes of which the last has an
 * error far above that of the truth. */
static double order(const motion *m, const variant *v, int claimed, double *last)
{
    static const int64_t of_2[] = {24, 36, 54}, of_4[] = {32, 48, 72}, with_odd_terms[] = {96, 144, 216};
    const bool symmetric = v->method->claims & PH_CLAIM_SYMMETRIC;
    if (claimed <= 4)
        return order_by(m, v, NEAR, 3, !symmetric ? with_odd_terms : claimed <= 2 ? of_2 : of_4, last);
    const double wanted = fmax(is_explicit_of_high_order(v) ? 1.5e-11 : 3e-12, 30 * m->doubt[FAR]);
    double steps = 8;
    for (int k = 0; k < 12; k++) {
        double error = error_at(m, v, FAR, (int64_t)steps);
        if (error <= 3 * wanted && error >= wanted / 3)
            break;
        double factor = isnan(error) ? 1.4 : pow(error / wanted, 1. / claimed);
        steps = fmin(round(steps * fmax(0.5, fmin(factor, 3))), 400);
    }
    int64_t sizes[3];
    for (int k = 0; k < 3; k++)
        sizes[k] = (int64_t)round(steps * pow(6. / 7, 2 - k));
    return order_by(m, v, FAR, 3, sizes, last);
}

static double order_in_tolerance(const motion *m, const variant *v, double *last)
{
    static const char *const texts[] = {"1e-4", "1e-6", "1e-8", "1e-10"};
    static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
    double error[4];
    for (int k = 0; k < 4; k++) {
        ph_integrator *it;
        ph_state *state;
        begin_with(m, v, m->T[FAR], texts[k], &it, &state);
        advance(m, v, it, state, 1);
        error[k] = tk_max_difference(state->z, m->end[FAR], m->nz);
        tk_end(it, state);
    }
    *last = error[3] / tolerances[3];
    return tk_slope(tolerances, error, 4);
}

/* ---- Reversal, the symplectic form ------------------------------------------------------------------------- */

static double reversal(const motion *m, const variant *v)
{
    enum { STEPS = 6 };
    ph_integrator *it;
    ph_state *state;
    const double h = step_size(m, v);
    begin(m, v, h, &it, &state);
    advance(m, v, it, state, STEPS);
    ck_assert_double_gt(tk_max_difference(state->z, m->z, m->nz), 0.01); /* it did move */
    tk_ok(ph_integrator_set_step_size(it, -h));
    advance(m, v, it, state, STEPS);
    const double off = tk_max_difference(state->z, m->z, m->nz);
    tk_end(it, state);
    return off;
}

/* u1 <- the derivative of three steps along the tangent vector u, by differences of order 8: rounding adds some 1e-13, and
 * vortices with small cores have large ninth derivatives. */
static void carry_on(const motion *m, const variant *v, ph_integrator *it, ph_state *state, const double *u,
                     double *u1)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280}, width = 1. / 256;
    double z[LARGEST];
    memset(u1, 0, m->nz * sizeof *u1);
    for (int k = -4; k <= 4; k++) {
        for (size_t i = 0; i < m->nz; i++)
            z[i] = m->z[i] + k * width * u[i];
        if (!k)
            continue;
        tk_ok(ph_state_set(it, state, 0, z, NULL, PH_PROJECT, NULL));
        advance(m, v, it, state, 3);
        for (size_t i = 0; i < m->nz; i++)
            u1[i] += (k < 0 ? -weight[-k - 1] : weight[k - 1]) / width * state->z[i];
    }
}

/* The largest change of Omega(u, v) over three steps, relative to the sum of |Gamma_i| |u_i| |v_i|. The tangent vectors
 * have length 1 on few spins, so that the differences move none far. */
static double form_error(const motion *m, const variant *v, unsigned claims, int claimed)
{
    enum { PAIRS = 3 };
    const bool symplectic = claims & PH_CLAIM_SYMPLECTIC;
    const bool long_steps =
        !symplectic && (claimed > 4 || (claimed == 4 && v->method->claims & PH_CLAIM_SYMMETRIC));
    const double *strengths = ph_system_spins(m->system)->strengths;
    double u[LARGEST], w[LARGEST], u1[LARGEST], w1[LARGEST], z1[LARGEST], worst = 0;
    tk_random r = {4100};
    ph_integrator *it;
    ph_state *state;
    begin(m, v, long_steps ? 0.8 / m->rate : step_size(m, v), &it, &state);
    advance(m, v, it, state, 3);
    memcpy(z1, state->z, m->nz * sizeof *z1);
    for (int pair = 0; pair < PAIRS; pair++) {
        double size = 0;
        for (size_t i = 0; i < m->nz; i += 3) {
            tk_tangent(&r, m->z + i, u + i);
            tk_tangent(&r, m->z + i, w + i);
        }
        for (size_t i = 0; i < m->nz; i++) {
            u[i] /= sqrt((double)m->nz);
            w[i] /= sqrt((double)m->nz);
        }
        carry_on(m, v, it, state, u, u1);
        carry_on(m, v, it, state, w, w1);
        for (size_t i = 0; i < m->nz; i += 3)
            size += fabs(strengths ? strengths[i / 3] : 1) * ph_norm3(u + i) * ph_norm3(w + i);
        worst = tk_max(worst, fabs(sk_omega(m->system, z1, u1, w1) - sk_omega(m->system, m->z, u, w)) / size);
    }
    tk_end(it, state);
    return worst;
}

/* ---- Momentum maps and the manifold ------------------------------------------------------------------------ */

typedef struct figures {
    double slope, last, reversal, form, map, unit, iterations;
} figures;

static void run(const motion *m, const variant *v, figures *f)
{
    const ph_spins *is = ph_system_spins(m->system);
    const int steps = v->method->claims & PH_CLAIM_ADAPTIVE
                          ? 10
                          : 100; /* later two vortices come so close that a step has no solution */
    double first[3], J[3], size = 0;
    ph_integrator *it;
    ph_state *state;
    begin(m, v, step_size(m, v), &it, &state);
    tk_ok(ph_spins_momentum(m->system, m->z, first));
    for (size_t i = 0; i < is->n; i++)
        size += fabs(is->strengths ? is->strengths[i] : 1);
    f->map = m->axes ? 0 : (double)NAN;
    for (int k = 0; k < steps; k++) {
        advance(m, v, it, state, 1);
        tk_ok(ph_spins_momentum(m->system, state->z, J));
        for (size_t a = 0; a < m->axes; a++)
            f->map = tk_max(f->map, fabs(ph_dot3(m->axis[a], J) - ph_dot3(m->axis[a], first)) / size);
        for (size_t i = 0; i < is->n; i++)
            f->unit = tk_max(f->unit, ph_space_factor_residual(ph_system_space(m->system), i, state->z));
    }
    f->iterations = (double)ph_integrator_statistics(it)->newton_passes / steps;
    tk_end(it, state);
}

/* ---- Claims ------------------------------------------------------------------------------------------------- */

typedef struct question {
    const char *what;
    unsigned claim;
    size_t at; /* in figures */
    double bound, apart;
} question;

#define AT(member) offsetof(figures, member)
static const question questions[] = {
    {"reversal", PH_CLAIM_SYMMETRIC, AT(reversal), 1e-13, 1e-9},
    {"symplectic form", PH_CLAIM_SYMPLECTIC, AT(form), 4e-12, 1e-8},
    {"momentum map", PH_CLAIM_MOMENTUM, AT(map), 1e-14, 1e-9},
    {"|s|", PH_CLAIM_MANIFOLD, AT(unit), 2.3e-16, 1e-9},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static double answer(const figures *f, const question *q)
{
    double x;
    memcpy(&x, (const char *)f + q->at, sizeof x);
    return x;
}

static bool is_asked(const motion *m, const question *q)
{
    return q->at == AT(form) ? !m->is.damped : q->at == AT(map) ? m->axes > 0 && !m->is.damped : true;
}

typedef struct record {
    enum { MISSING, REFUSED, TAKEN, MEASURED } state;
    unsigned claimed;
    bool asked[QUESTIONS];
    double off[QUESTIONS];
} record;

static record (*records)[VARIANTS]; /* (MOTIONS): in memory that the tests, which are forked, share */

typedef struct list {
    char text[6000];
} list;

__attribute__((format(printf, 2, 3))) static void add(list *l, const char *format, ...)
{
    va_list arguments;
    const size_t used = strlen(l->text);
    va_start(arguments, format);
    vsnprintf(l->text + used, sizeof l->text - used, format, arguments);
    va_end(arguments);
}

/* Of order 6 and more the next ones may show as far as errors do. */
static bool order_is(const variant *v, double slope, int claimed)
{
    if (is_explicit_of_high_order(v))
        return slope >= claimed - 0.9;
    return slope >= claimed - (claimed > 4   ? 0.35
                               : claimed > 2 ? 0.25
                                             : 0.1) &&
           (claimed > 4 || slope <= claimed + (claimed > 2 ? 0.3 : 0.15));
}

static void judge(const motion *m, const variant *v, const figures *f, int claimed_order, record *r,
                  list *wrong)
{
    printf("%-34s %-20s order %.3f (%.0e) reversal %.1e form %.1e maps %.1e |s| %.1e iterations %.1f\n",
           v->name, m->name, f->slope, f->last, f->reversal, f->form, f->map, f->unit, f->iterations);
    const bool follows = v->method->claims & PH_CLAIM_ADAPTIVE ? f->slope >= 0.5 && f->last <= 1000
                                                               : order_is(v, f->slope, claimed_order);
    if (!follows)
        add(wrong, "%s: order %g (%d), error %.1e; ", v->name, f->slope, claimed_order, f->last);
    if (r->claimed & PH_CLAIM_IMPLICIT && !(f->iterations > 0))
        add(wrong, "%s: no iterations; ", v->name);
    for (int i = 0; i < QUESTIONS; i++) {
        r->asked[i] = is_asked(m, &questions[i]);
        r->off[i] = answer(f, &questions[i]);
        if (r->asked[i] &&
            (isnan(r->off[i]) || (r->claimed & questions[i].claim && r->off[i] > questions[i].bound)))
            add(wrong, "%s: %s off by %.2e; ", v->name, questions[i].what, r->off[i]);
    }
}

/* The ends by rk8, and what half of the steps change. */
static void find_truth(motion *m, list *wrong)
{
    const variant rk8 = {.method = ph_method_find("rk8", NULL)};
    for (int k = 0; k < ENDS; k++) {
        ph_integrator *it;
        ph_state *state;
        const int64_t steps = (int64_t)(60 * ends[k]);
        m->T[k] = ends[k] / m->rate;
        begin(m, &rk8, m->T[k] / (double)steps, &it, &state);
        advance(m, &rk8, it, state, steps);
        memcpy(m->end[k], state->z, m->nz * sizeof *m->z);
        tk_end(it, state);
        m->doubt[k] = error_at(m, &rk8, k, steps / 2);
    }
    printf("%s: rate %.3g, doubt %.1e, %.1e\n", m->name, m->rate, m->doubt[NEAR], m->doubt[FAR]);
    if (tk_max(m->doubt[NEAR], m->doubt[FAR]) > 1e-12)
        add(wrong, "the truth is known to %.1e, %.1e only; ", m->doubt[NEAR], m->doubt[FAR]);
}

/* Large models are measured by a few of the variants everyday, as time grows with the number of spins. */
static bool is_measured(const motion *m, size_t method, size_t place)
{
    if (tk_thorough())
        return m->nz <= SMALL || (method + place) % 4 == 0;
    if (place < OWN && !tk_short())
        return (method + place) % 3 == 0;
    return m->nz <= SMALL ? (method + place) % 4 == 0 : (method + place) % 8 == 0;
}

START_TEST(claims_hold_on_the_motion)
{
    static variant all[VARIANTS];
    static motion m;
    static list wrong;
    const size_t variants = variant_list(all);
    *wrong.text = 0;
    set_out(&m, (size_t)_i);
    find_truth(&m, &wrong);
    for (size_t i = 0; i < variants; i++) {
        const variant *v = &all[i];
        record *r = &records[_i][i];
        const bool taken = takes(&m, v), should = variant_should_take(v, &m.is);
        int claimed_order;
        figures f = {.form = NAN};
        if (taken != should)
            add(&wrong, "%s: is %s, and should%s; ", v->name, taken ? "taken" : "refused",
                should ? " be taken" : " not (tests/methods/variants.c)");
        r->state = taken ? TAKEN : REFUSED;
        if (!taken || !is_measured(&m, i, (size_t)_i))
            continue;
        r->claimed = variant_claims(v, m.system, &claimed_order);
        f.slope = v->method->claims & PH_CLAIM_ADAPTIVE ? order_in_tolerance(&m, v, &f.last)
                                                        : order(&m, v, claimed_order, &f.last);
        f.reversal = reversal(&m, v);
        if (!m.is.damped)
            f.form = form_error(&m, v, r->claimed, claimed_order);
        run(&m, v, &f);
        judge(&m, v, &f, claimed_order, r, &wrong);
        r->state = MEASURED;
    }
    fflush(stdout); /* a failed assertion ends the process as it is */
    ck_assert_msg(!*wrong.text, "on %s %s", m.name, wrong.text);
    ph_system_free(m.system);
}
END_TEST

START_TEST(what_takes_spins_is_measured)
{
    static variant all[VARIANTS];
    size_t taken = 0, measured = 0;
    ck_assert_uint_lt(_i, variant_list(all));
    for (size_t k = 0; k < motions(); k++) {
        taken += records[k][_i].state >= TAKEN;
        measured += records[k][_i].state == MEASURED;
        ck_assert_msg(records[k][_i].state != MISSING, "nothing is known of %s on motion %zu", all[_i].name,
                      k);
    }
    ck_assert_msg(!taken || measured, "%s takes %zu motions and is measured on none", all[_i].name, taken);
}
END_TEST

START_TEST(what_is_not_claimed_is_seen_not_to_hold)
{
    static variant all[VARIANTS];
    ck_assert_uint_lt(_i, variant_list(all));
    for (int i = 0; i < QUESTIONS; i++) {
        unsigned always = ~0u; /* what it claims of every motion */
        double worst = 0;
        bool asked = false;
        for (size_t k = 0; k < motions(); k++) {
            const record *r = &records[k][_i];
            if (r->state != MEASURED || !r->asked[i])
                continue;
            asked = true;
            always &= r->claimed;
            worst = tk_max(worst, r->off[i]);
        }
        ck_assert_msg(!asked || always & questions[i].claim || worst > questions[i].apart,
                      "%s does not claim it, but nothing shows that the %s is off: %g", all[_i].name,
                      questions[i].what, worst);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("claims on spins");
    TCase *tc = tcase_create("every method on every system of spins");
    static variant all[VARIANTS];
    const int variants = (int)variant_list(all);
    records =
        mmap(NULL, MOTIONS * sizeof *records, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (records == MAP_FAILED || motions() > MOTIONS) {
        fprintf(stderr, "claims on spins: no memory to share, or more than %d motions\n", MOTIONS);
        return EXIT_FAILURE;
    }
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, claims_hold_on_the_motion, 0, (int)motions());
    tcase_add_loop_test(tc, what_takes_spins_is_measured, 0, variants);
    if (!tk_short())
        tcase_add_loop_test(tc, what_is_not_claimed_is_seen_not_to_hold, 0, variants);
    suite_add_tcase(suite, tc);
    return tk_main(suite);
}
