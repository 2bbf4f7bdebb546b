/* SPDX-License-Identifier: BSD-3-Clause */
/* What methods claim in their tables, measured on spheres as phase space (check_claims.c does so on systems with
 * momenta): order, reversal, the symplectic form Omega = sum Gamma_i s_i . (u_i x v_i) on tangent vectors that the step
 * carries on, the momentum maps axis . sum Gamma_i s_i, and |s_i| = 1. A claim must hold on every motion, and where there
 * is none it must be seen not to hold (claims.h). Each method must take the
 * systems that it should take (variants.c), and no others. New methods, all words of their options and models of the
 * catalogue with spins are included automatically.
 *
 * The truth is rk8 with short steps, which check_spin_system.c compares with ends that are known to 28 digits. */
#include "claims.h"
#include "tests/kit/spinkit.h"

enum {
    MOST_MODELS = 32,
    LARGEST = CL_NUMBERS,
    SMALL = 3 * 16
}; /* numbers in z; up to which all is measured */

/* ---- Motions ---------------------------------------------------------------------------------------------- */

/* The axes, e3 or all three, about which H of the motion is invariant. */
static size_t axes;
static double axis[3][3];

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
    return tk_defined(&d);
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

/* The models of the catalogue with spins, found once, as it takes building all of them. */
static size_t spin_models[MOST_MODELS];

static size_t motions(void)
{
    static size_t models, tried;
    for (; tried < ph_models() && models < MOST_MODELS; tried++) {
        TK_OWN(ph_system) *system = NULL;
        if (!ph_model_build(ph_model_at(tried), NULL, 0, &system, NULL) && ph_system_spins(system))
            spin_models[models++] = tried;
    }
    return OWN + models;
}

static size_t numbers(const motion *m)
{
    return ph_space_ambient(ph_system_space(m->system));
}

/* The fastest rate of the linearised field or of a spin's turn. */
static double fastest(const motion *m)
{
    double rate, *v = malloc(numbers(m) * sizeof *v);
    tk_ok(ph_system_fastest_rate(m->system, 0, m->z, &rate, NULL));
    tk_ok(ph_spins_flow(m->system, 0, m->z, v));
    for (size_t i = 0; i < numbers(m); i += 3)
        rate = fmax(rate, ph_norm3(v + i));
    free(v);
    return rate;
}

static void set_out(motion *m, size_t number)
{
    tk_random r = {500 + number};
    *m = (motion){.unit = {1, 1}, .wanted = 3e-12, .step = 0.15, .long_step = 0.4};
    memset(axis, 0, sizeof axis);
    if (number < OWN) {
        snprintf(m->name, sizeof m->name, "%s", own[number].name);
        m->system = own[number].create();
        axes = own[number].axes;
        axis[0][2] = 1;
        for (size_t k = 0; axes == 3 && k < 3; k++)
            for (size_t i = 0; i < 3; i++)
                axis[k][i] = i == k;
    } else {
        const ph_model *model = ph_model_at(spin_models[number - OWN]);
        snprintf(m->name, sizeof m->name, "%s", model->name);
        tk_ok(ph_model_build(model, NULL, 0, &m->system, NULL));
        ck_assert_uint_le(ph_space_ambient(ph_system_space(m->system)), LARGEST);
        tk_ok(ph_model_preset(model, NULL, 0, NULL, ph_space_ambient(ph_system_space(m->system)), m->z,
                              m->zdot, NULL));
        const bool several = ph_space_factors(ph_system_space(m->system)) > 1;
        for (size_t k = 0; several && k < ph_space_ambient(ph_system_space(m->system)); k++)
            m->z[k] += 0.2 * tk_normal(&r); /* off relative equilibria, on which errors are too small */
        tk_ok(ph_space_project(ph_system_space(m->system), m->z));
        axes = ph_system_symmetries(m->system);
        ck_assert_uint_le(axes, 3);
        for (size_t k = 0; k < axes; k++)
            memcpy(axis[k], ph_system_symmetry(m->system, k)->axis, sizeof axis[k]);
    }
    if (number < OWN)
        sk_random_spins(&r, numbers(m) / 3, m->z);
    m->is = structure_of(m->system);
    m->rate = fastest(m);
}

/* ---- Reversal, the symplectic form ------------------------------------------------------------------------- */

static double reversal(const motion *m, const variant *v)
{
    enum { STEPS = 6 };
    const double h = step_size(m, v);
    TK_BEGIN(it, state, begin, m, v, h);
    advance(m, v, it, state, STEPS);
    ck_assert_double_gt(tk_max_difference(state->z, m->z, numbers(m)), 0.01); /* it did move */
    tk_ok(ph_integrator_set_step_size(it, -h));
    advance(m, v, it, state, STEPS);
    return tk_max_difference(state->z, m->z, numbers(m));
}

/* u1 <- the derivative of three steps along the tangent vector u, by differences of order 8: rounding adds some 1e-13, and
 * vortices with small cores have large ninth derivatives. */
static void carry_on(const motion *m, const variant *v, ph_integrator *it, ph_state *state, const double *u,
                     double *u1)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280}, width = 1. / 256;
    double z[LARGEST];
    memset(u1, 0, numbers(m) * sizeof *u1);
    for (int k = -4; k <= 4; k++) {
        for (size_t i = 0; i < numbers(m); i++)
            z[i] = m->z[i] + k * width * u[i];
        if (!k)
            continue;
        tk_ok(ph_state_set(it, state, 0, z, NULL, PH_PROJECT, NULL));
        advance(m, v, it, state, 3);
        for (size_t i = 0; i < numbers(m); i++)
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
    TK_BEGIN(it, state, begin, m, v, long_steps ? 0.8 / m->rate : step_size(m, v));
    advance(m, v, it, state, 3);
    memcpy(z1, state->z, numbers(m) * sizeof *z1);
    for (int pair = 0; pair < PAIRS; pair++) {
        double size = 0;
        for (size_t i = 0; i < numbers(m); i += 3) {
            tk_tangent(&r, m->z + i, u + i);
            tk_tangent(&r, m->z + i, w + i);
        }
        for (size_t i = 0; i < numbers(m); i++) {
            u[i] /= sqrt((double)numbers(m));
            w[i] /= sqrt((double)numbers(m));
        }
        carry_on(m, v, it, state, u, u1);
        carry_on(m, v, it, state, w, w1);
        for (size_t i = 0; i < numbers(m); i += 3)
            size += fabs(strengths ? strengths[i / 3] : 1) * ph_norm3(u + i) * ph_norm3(w + i);
        worst = tk_max(worst, fabs(sk_omega(m->system, z1, u1, w1) - sk_omega(m->system, m->z, u, w)) / size);
    }
    return worst;
}

/* ---- Momentum maps and the manifold ------------------------------------------------------------------------ */

static void run(const motion *m, const variant *v, figures *f)
{
    const ph_spins *is = ph_system_spins(m->system);
    const int steps = v->method->claims & PH_CLAIM_ADAPTIVE
                          ? 10
                          : 100; /* later two vortices come so close that a step has no solution */
    double first[3], J[3], size = 0;
    TK_BEGIN(it, state, begin, m, v, step_size(m, v));
    tk_ok(ph_spins_momentum(m->system, m->z, first));
    for (size_t i = 0; i < is->n; i++)
        size += fabs(is->strengths ? is->strengths[i] : 1);
    f->map = axes ? 0 : (double)NAN;
    for (int k = 0; k < steps; k++) {
        advance(m, v, it, state, 1);
        tk_ok(ph_spins_momentum(m->system, state->z, J));
        for (size_t a = 0; a < axes; a++)
            f->map = tk_max(f->map, fabs(ph_dot3(axis[a], J) - ph_dot3(axis[a], first)) / size);
        for (size_t i = 0; i < is->n; i++)
            f->unit = tk_max(f->unit, ph_space_factor_residual(ph_system_space(m->system), i, state->z));
    }
    f->iterations = (double)ph_integrator_statistics(it)->newton_passes / steps;
}

/* ---- Claims ------------------------------------------------------------------------------------------------- */

static const question questions[] = {
    {"reversal", PH_CLAIM_SYMMETRIC, AT(reversal), 1e-13, 1e-9},
    {"symplectic form", PH_CLAIM_SYMPLECTIC, AT(form), 4e-12, 1e-8},
    {"momentum map", PH_CLAIM_MOMENTUM, AT(map), 1e-14, 1e-9},
    {"|s|", PH_CLAIM_MANIFOLD, AT(unit), 2.3e-16, 1e-9},
};
static bool is_asked(const motion *m, const question *q)
{
    return q->at == AT(form) ? !m->is.damped : q->at == AT(map) ? axes > 0 && !m->is.damped : true;
}

/* Of order 6 and more the next ones may show as far as errors do. */
static bool order_is(const variant *v, double slope, int claimed)
{
    if (has_odd_terms(v))
        return slope >= claimed - 0.9;
    if (claimed > 8) /* tests/methods/check_gauss.c finds them in long double */
        return isnan(slope) || slope >= 0.25 * claimed;
    return slope >= claimed - (claimed > 4   ? 0.35
                               : claimed > 2 ? 0.25
                                             : 0.1) &&
           (claimed > 4 || slope <= claimed + (claimed > 2 ? 0.3 : 0.15));
}

static bool follows(const motion *m, const variant *v, const figures *f, int order)
{
    (void)m;
    return v->method->claims & PH_CLAIM_ADAPTIVE ? f->slope >= 0.5 && f->last <= 1000
                                                 : order_is(v, f->slope, order);
}

static void measure(const motion *m, const variant *v, unsigned claims, int claimed, figures *f)
{
    f->slope = measured_order(m, v, claimed, &f->last);
    f->reversal = reversal(m, v);
    if (!m->is.damped)
        f->form = form_error(m, v, claims, claimed);
    run(m, v, f);
}

/* The ends by rk8, and what half of the steps change. */
static void find_truth(motion *m, list *wrong)
{
    const variant rk8 = {.method = ph_method_find("rk8", NULL)};
    for (int k = 0; k < ENDS; k++) {
        const int64_t steps = (int64_t)(60 * ends[k]);
        m->T[k] = ends[k] / m->rate;
        TK_BEGIN(it, state, begin, m, &rk8, m->T[k] / (double)steps);
        advance(m, &rk8, it, state, steps);
        memcpy(m->end[k], state->z, numbers(m) * sizeof *m->z);
        m->doubt[k] = error_at(m, &rk8, k, steps / 2);
    }
    printf("%s: rate %.3g, doubt %.1e, %.1e\n", m->name, m->rate, m->doubt[NEAR], m->doubt[FAR]);
    if (tk_max(m->doubt[NEAR], m->doubt[FAR]) > MOST_DOUBT)
        add(wrong, "the truth is known to %.1e, %.1e only; ", m->doubt[NEAR], m->doubt[FAR]);
}

/* Large models are measured by a few of the variants everyday, as time grows with the number of spins. */
static bool is_measured(const motion *m, size_t method, size_t place)
{
    if (tk_thorough())
        return numbers(m) <= SMALL || (method + place) % 4 == 0;
    if (place < OWN && !tk_short())
        return (method + place) % 3 == 0;
    return numbers(m) <= SMALL ? (method + place) % 4 == 0 : (method + place) % 8 == 0;
}

static const claim_suite asked = {.questions = questions,
                                  .n_questions = sizeof questions / sizeof *questions,
                                  .is_measured = is_measured,
                                  .measure = measure,
                                  .is_asked = is_asked,
                                  .follows = follows};

TEST_EACH(claims_hold_on_the_motion, motions())
{
    static motion m;
    static list wrong;
    *wrong.text = 0;
    set_out(&m, (size_t)_i);
    find_truth(&m, &wrong);
    cl_judge_all(&asked, &m, (size_t)_i, &wrong);
    ck_assert_msg(!*wrong.text, "on %s %s", m.name, wrong.text);
    ph_system_free(m.system);
}

TEST_EACH(what_takes_spins_is_measured, cl_variants())
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

TEST_EACH(what_is_not_claimed_is_seen_not_to_hold, tk_short() ? 0 : cl_variants())
{
    cl_show_what_is_not_claimed(&asked, (size_t)_i, motions());
}

int main(void)
{
    return cl_run("claims on spins", motions());
}
