/* SPDX-License-Identifier: BSD-3-Clause */
/* What suites on claims share: see claims.h. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "claims.h"

#include <stdarg.h>
#include <sys/mman.h>

const double ends[ENDS] = {1.5, 5};
record (*records)[VARIANTS];

/* ---- Runs ----------------------------------------------------------------------------------------- */

bool in_momenta(const variant *v)
{
    return !strcmp(v->value, "q-mu") || !strcmp(v->value, "q-pi") || !strcmp(v->value, "x-mu");
}

/* The largest initial momentum if the form integrates momenta, else 1. */
static double momentum_unit(const motion *m, const variant *v)
{
    double p[CL_NUMBERS];
    if (!in_momenta(v))
        return 1;
    tk_momentum(m->system, m->z, m->zdot, p);
    return ph_max_norm(p, ph_space_momenta(ph_system_space(m->system)));
}

void begin_with(const motion *m, const variant *v, double h, const char *tolerance, ph_integrator **it,
                ph_state **state)
{
    ph_error err = {PH_OK, ""};
    char absolute[32];
    ph_setting settings[3] = {{v->setting.name, v->value}};
    size_t n = v->n_settings;
    if (v->method->claims & PH_CLAIM_ADAPTIVE) {
        settings[n++] = (ph_setting){"rtol", tolerance};
        snprintf(absolute, sizeof absolute, "%.3g", atof(tolerance) * fmin(1, momentum_unit(m, v)));
        settings[n++] = (ph_setting){"atol", absolute};
    }
    ck_assert_msg(!ph_integrator_create(m->system, v->method, h, settings, n, it, &err), "%s on %s: %s",
                  v->name, m->name, err.message);
    tk_ok(ph_state_create(*it, state, NULL));
    tk_ok(ph_state_set_velocity(*it, *state, 0, m->z, m->zdot, PH_STRICT, NULL));
}

/* Does the method take the system, with the option? */
static bool takes(const motion *m, const variant *v)
{
    ph_integrator *it = NULL;
    const ph_setting set = {v->setting.name, v->value};
    ph_status status = ph_integrator_create(m->system, v->method, 0.01, &set, v->n_settings, &it, NULL);
    ck_assert_msg(!status || status == PH_E_UNSUPPORTED, "%s on %s: %s", v->name, m->name,
                  ph_status_name(status));
    ph_integrator_free(status ? NULL : it);
    return !status;
}

void begin(const motion *m, const variant *v, double h, ph_integrator **it, ph_state **state)
{
    begin_with(m, v, h, "1e-4", it, state);
}

bool has_odd_terms(const variant *v)
{
    return v->method->order > 4 && !(v->method->claims & (PH_CLAIM_SYMMETRIC | PH_CLAIM_ADAPTIVE));
}

double step_size(const motion *m, const variant *v)
{
    return (v->method->claims & PH_CLAIM_ADAPTIVE ? 1 : has_odd_terms(v) ? m->long_step : m->step) / m->rate;
}

void advance(const motion *m, const variant *v, ph_integrator *it, ph_state *state, int64_t n)
{
    ck_assert_msg(!ph_integrator_step(it, state, n), "%s on %s: %s", v->name, m->name,
                  ph_integrator_message(it));
}

/* ---- Order ---------------------------------------------------------------------------------------- */

double error_at(const motion *m, const variant *v, int end, int64_t steps)
{
    double reached[CL_NUMBERS], error;
    TK_BEGIN(it, state, begin, m, v, m->T[end] / (double)steps);
    const bool solved = !ph_integrator_step(it, state, steps);
    memcpy(reached, state->z, state->nz * sizeof *reached);
    for (size_t i = 0; i < state->np; i++)
        reached[state->nz + i] = state->p[i] / m->unit[end];
    error = tk_max_difference(reached, m->end[end], state->nz + state->np);
    return solved ? error : (double)NAN;
}

/* Slope of the errors by so many steps. */
static double order_by(const motion *m, const variant *v, int end, int n, const int64_t *steps, double *last)
{
    enum { SIZES = 8 };
    double h[SIZES], error[SIZES];
    for (int k = 0; k < n; k++) {
        h[k] = m->T[end] / (double)steps[k];
        error[k] = error_at(m, v, end, steps[k]);
    }
    *last = error[n - 1];
    return tk_slope(h, error, (size_t)n);
}

/* The measured order. For orders up to 4 after T = 1.5/rate, about a radian of the fastest turn. (Steps must
 * be that short: with half as many, the slope of the heavy top by rk4-projected is 3.70 in the form q-qdot;
 * it has a term of the next order, and tends to 4.) Symmetric methods have no odd terms, and need only longer
 * steps.
 *
 * For compositions and collocations of order 6 and more after T = 5/rate only a few halvings are between
 * steps at which the next order matters, and rounding. Three step sizes are used, each a seventh shorter than
 * the last, the last with an error of about 1.5e-12, or well above that of the reference. Multistep methods
 * need shorter steps, and six sizes. */
static double order(const motion *m, const variant *v, int claimed, double *last)
{
    static const int64_t of_2[] = {24, 36, 54}, of_4[] = {32, 48, 72}, with_odd_terms[] = {96, 144, 216};
    const bool symmetric = v->method->claims & PH_CLAIM_SYMMETRIC,
               multistep = v->method->claims & PH_CLAIM_MULTISTEP;
    if (claimed <= 2)
        return order_by(m, v, NEAR, 3, symmetric ? of_2 : with_odd_terms, last);
    if (claimed <= 4)
        return order_by(m, v, NEAR, 3, symmetric && !multistep ? of_4 : with_odd_terms, last);
    /* an explicit method of high order takes many steps for that error, whose rounding shows earlier */
    const double wanted = fmax(has_odd_terms(v) ? 1.5e-11 : m->wanted, 30 * fmin(m->doubt[FAR], MOST_DOUBT));
    double steps = multistep ? 40 : 8;
    for (int k = 0; k < 12; k++) {
        double error = error_at(m, v, FAR, (int64_t)steps);
        if (error <= 3 * wanted && error >= wanted / 3)
            break;
        double factor = isnan(error) ? 1.4 : pow(error / wanted, 1. / claimed);
        steps = fmin(round(steps * fmax(0.5, fmin(factor, 3))), multistep ? 2400 : 400);
    }
    const int n = multistep ? 6 : 3;
    int64_t sizes[6];
    for (int k = 0; k < n; k++)
        sizes[k] = (int64_t)round(steps * pow(6. / 7, n - 1 - k));
    return order_by(m, v, FAR, n, sizes, last);
}

/* The same for an adaptive method: the slope of its error over the tolerance, after five radians of the
 * fastest turn in one step; *last <- the last error in units of its tolerance. */
static double order_in_tolerance(const motion *m, const variant *v, double *last)
{
    static const char *const texts[] = {"1e-4", "1e-6", "1e-8", "1e-10"};
    static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
    double error[4];
    for (int k = 0; k < 4; k++) {
        TK_BEGIN(it, state, begin_with, m, v, m->T[FAR], texts[k]);
        advance(m, v, it, state, 1);
        error[k] = tk_max_difference(state->z, m->end[FAR], state->nz);
    }
    *last = error[3] / tolerances[3];
    return tk_slope(tolerances, error, 4);
}

double measured_order(const motion *m, const variant *v, int claimed, double *last)
{
    return v->method->claims & PH_CLAIM_ADAPTIVE ? order_in_tolerance(m, v, last)
                                                 : order(m, v, claimed, last);
}

/* ---- Judgement ------------------------------------------------------------------------------------ */

void add(list *l, const char *format, ...)
{
    va_list arguments;
    const size_t used = strlen(l->text);
    va_start(arguments, format);
    vsnprintf(l->text + used, sizeof l->text - used, format, arguments);
    va_end(arguments);
}

static double answer(const figures *f, const question *q)
{
    double x;
    memcpy(&x, (const char *)f + q->at, sizeof x);
    return x;
}

bool cl_is_carried(void)
{
    return ph_fast_paths() & PH_PATH_CARRY;
}

static void judge(const claim_suite *c, const motion *m, const variant *v, const figures *f, int order,
                  record *r, list *wrong)
{
    const double wider =
        cl_is_carried() ? 1 : sqrt(300); /* the most steps that are measured, whose roundings walk */
    printf("%-22s %-26s order %.3f (%.0e) reversal %.1e form %.1e "
           "%zu maps %.1e |q| %.1e R^T R %.1e iterations %.1f\n",
           v->name, m->name, f->slope, f->last, f->reversal, f->form, f->maps, f->map, f->unit, f->rotation,
           f->iterations);
    if (!c->follows(m, v, f, order))
        add(wrong, "%s: order %g (%d), error %.1e; ", v->name, f->slope, order, f->last);
    if (r->claimed & PH_CLAIM_IMPLICIT && !(f->iterations > 0) &&
        !(c->needs_no_iterations && c->needs_no_iterations(m)))
        add(wrong, "%s: no iterations; ", v->name);
    for (int i = 0; i < c->n_questions; i++) {
        const question *q = &c->questions[i];
        r->asked[i] = c->is_asked(m, q);
        r->off[i] = answer(f, q);
        if (r->asked[i] && (isnan(r->off[i]) || (r->claimed & q->claim && r->off[i] > wider * q->bound)))
            add(wrong, "%s: %s off by %.2e; ", v->name, q->what, r->off[i]);
    }
    if (r->claimed & PH_CLAIM_SYMMETRIC && !(f->rotation <= wider * 2.3e-16))
        add(wrong, "%s: R^T R off by %.2e; ", v->name, f->rotation);
}

void cl_judge_all(const claim_suite *c, const motion *m, size_t place, list *wrong)
{
    static variant all[VARIANTS];
    const size_t variants = variant_list(all);
    for (size_t i = 0; i < variants; i++) {
        const variant *v = &all[i];
        record *r = &records[place][i];
        const bool taken = takes(m, v), should = variant_should_take(v, &m->is);
        int order;
        figures f = {.form = NAN};
        if (taken != should)
            add(wrong, "%s: is %s, and should%s; ", v->name, taken ? "taken" : "refused",
                should ? " be taken" : " not (tests/methods/variants.c)");
        r->state = taken ? TAKEN : REFUSED;
        if (!taken || !c->is_measured(m, i, place))
            continue;
        r->claimed = variant_claims(v, m->system, &order);
        c->measure(m, v, r->claimed, order, &f);
        judge(c, m, v, &f, order, r, wrong);
        r->state = MEASURED;
    }
    fflush(stdout); /* a failed assertion ends the process as it is */
}

void cl_show_what_is_not_claimed(const claim_suite *c, size_t method, size_t motions)
{
    static variant all[VARIANTS];
    ck_assert_uint_lt(method, variant_list(all));
    for (int i = 0; i < c->n_questions; i++) {
        const question *q = &c->questions[i];
        unsigned always = ~0u; /* what it claims of every motion */
        double worst = 0;
        bool asked = false; /* tensions is asked on links alone, and no body is seen */
        for (size_t k = 0; k < motions; k++) {
            const record *r = &records[k][method];
            if (r->state != MEASURED || !r->asked[i])
                continue;
            asked = true;
            always &= r->claimed;
            worst = tk_max(worst, r->off[i]);
        }
        ck_assert_msg(!asked || always & q->claim || worst > q->apart,
                      "%s does not claim it, but nothing shows that the %s is off: %g", all[method].name,
                      q->what, worst);
    }
}

size_t cl_variants(void)
{
    static variant all[VARIANTS];
    return variant_list(all);
}

int cl_run(const char *name, size_t motions)
{
    records =
        mmap(NULL, CL_MOTIONS * sizeof *records, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (records == MAP_FAILED || motions > CL_MOTIONS) {
        fprintf(stderr, "%s: no memory to share, or more than %d motions\n", name, CL_MOTIONS);
        return EXIT_FAILURE;
    }
    return tk_run(name);
}
