/* SPDX-License-Identifier: BSD-3-Clause */
/* Candidates from the catalogue, each searched for the largest step that meets the accuracy.
 *
 * The span is `parts` stretches of D = horizon/N, so that every step D/m fits the horizon a whole number of
 * times, and all methods pass the same times. */
#include <bench/advice.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <bench/problem.h>

enum { PARTS = 25, PARTS_LEAST = 4, LOOKS = 1024, LOOKS_BETWEEN = 8, TIMES = 64 };

/* [s of CPU], of small systems */
static const double for_reference = 0.25, for_growth = 0.5, for_candidates = 3.5, for_timing = 0.5,
                    for_confirmation = 1.5;

typedef struct advisor {
    advice *a;
    const advice_plan *plan;
    const ph_system *system;
    motion start;
    double sign, stretch; /* D [s] */
    size_t parts, nz, maps;
    int64_t stretches; /* in the horizon */
    int64_t coarsest;  /* steps in a stretch to begin with */
    contender reference;
    double *z;       /* (parts x nz) the reference at the end of each stretch */
    double *other;   /* (parts x nz) the same, by steps twice as large */
    double *energy;  /* (parts) */
    double *momenta; /* (parts x maps) */
    double energy_scale, momentum_scale;
    ph_diagnostics *diagnostics;
    double first[ADVICE_ROWS][3]; /* of each row, what its first passage gave */
    double *logs; /* (LOOKS + 1) log of how far nearby trajectories have parted, after 0 ... watched */
} advisor;

static double cpu_now(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static ph_status pause_for(const advisor *w, const char *what, double fraction, ph_error *err)
{
    if (w->plan->progress)
        w->plan->progress(w->plan->self, what, fraction);
    if (w->plan->interrupt && *w->plan->interrupt)
        return ph_fail(err, PH_E_INTERRUPTED, "interrupted: %s", what);
    return PH_OK;
}

static double largest_difference(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        if (!(d <= most))
            most = d; /* a NaN stays */
    }
    return most;
}

static double step_of(const advisor *w, int64_t m)
{
    return w->sign * w->stretch / (double)m;
}

/* ---- Passages ------------------------------------------------------------------------------------ */

/* What a contender makes of the span; maxima over its first and its second half. */
typedef struct passage {
    ph_status status;
    bool cut; /* by the bound on CPU time */
    double error[2], energy[2], momentum[2], constraint;
    double ns; /* a step */
} passage;

static void compare(const advisor *w, const ph_state *state, const ph_measures *m, size_t i, passage *p)
{
    const size_t half = 2 * (i + 1) > w->parts;
    double momentum = 0;
    for (size_t k = 0; k < w->maps; k++)
        momentum = fmax(momentum, fabs(m->momenta[k] - w->momenta[i * w->maps + k]));
    const double error = largest_difference(state->z, w->z + i * w->nz, w->nz);
    if (!(error <= p->error[half]))
        p->error[half] = error;
    p->momentum[half] = fmax(p->momentum[half], momentum / w->momentum_scale);
    p->constraint = fmax(p->constraint, m->constraint_error);
}

/* A stretch, and the energy on the way: where it is conserved, it is known there, too. */
static ph_status pass_stretch(const advisor *w, ph_integrator *it, ph_state *state, int64_t m, size_t i,
                              passage *p, double *spent)
{
    const int64_t looks = w->a->forced ? 1 : LOOKS_BETWEEN, each = (m + looks - 1) / looks;
    ph_measures measures;
    ph_status status = PH_OK;
    for (int64_t left = m; left > 0 && !status; left -= each) {
        const double before = cpu_now();
        status = ph_integrator_step(it, state, left < each ? left : each);
        *spent += cpu_now() - before;
        if (!status)
            status = ph_diagnostics_measure(w->diagnostics, state, &measures);
        if (status)
            return status;
        double *most = &p->energy[2 * (i + 1) > w->parts];
        *most = fmax(*most, fabs(measures.energy - w->energy[i]) / w->energy_scale);
    }
    compare(w, state, &measures, i, p);
    return status;
}

static passage pass(const advisor *w, const contender *c, int64_t m, double bound)
{
    passage p = {PH_OK, .ns = NAN};
    ph_integrator *it;
    ph_state *state;
    ph_error err;
    double spent = 0;
    p.status = contender_start(c, &w->start, step_of(w, m), &it, &state, &err);
    if (p.status)
        return p;
    for (size_t i = 0; i < w->parts && !p.status && !p.cut; i++) {
        p.status = pass_stretch(w, it, state, m, i, &p, &spent);
        p.ns = 1e9 * spent / (double)((int64_t)(i + 1) * m);
        p.cut = !p.status && spent > bound && i + 1 < w->parts;
    }
    if (!p.status && !(isfinite(p.error[0]) && isfinite(p.error[1])))
        p.status = PH_E_DIVERGED;
    ph_state_free(state);
    ph_integrator_free(it);
    return p;
}

/* ---- The motion ---------------------------------------------------------------------------------- */

/* Is there an integrator of it for this system? */
static bool takes(const advisor *w, const contender *c)
{
    ph_integrator *it;
    ph_state *state;
    ph_error err;
    if (contender_start(c, &w->start, 1e-3 * w->sign * w->plan->horizon, &it, &state, &err))
        return false;
    ph_state_free(state);
    ph_integrator_free(it);
    return true;
}

static ph_status choose_reference(advisor *w, ph_error *err)
{
    static const char *const words[] = {"variational:order=8", "arkode", "rk4-projected", "rk4"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!contender_parse(&w->reference, words[i], err) && takes(w, &w->reference))
            return PH_OK;
    return ph_fail(err, PH_E_UNSUPPORTED, "no method that could make a reference takes this system");
}

/* *ns <- of a step of the reference, once it is under way. */
static ph_status probe(const advisor *w, double h, double *ns, ph_error *err)
{
    enum { FIRST = 4, MOST = 4096 };
    ph_integrator *it;
    ph_state *state;
    ph_status status = contender_start(&w->reference, &w->start, h, &it, &state, err);
    if (status)
        return status;
    status = ph_integrator_step(it, state, FIRST);
    double spent = 0;
    int64_t taken = 0;
    for (int64_t n = 1; !status && n <= MOST && spent < 2e-3; n *= 2) {
        const double before = cpu_now();
        status = ph_integrator_step(it, state, n);
        spent += cpu_now() - before;
        taken += n;
    }
    *ns = 1e9 * spent / (double)taken;
    if (status)
        ph_fail(err, status, "the reference by %s: %s", w->reference.label, ph_integrator_message(it));
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* The fastest rate; where nobody seeks it, the scenario's own step is taken for one that suits. */
static ph_status find_rate(advisor *w, const ph_scenario *sc, ph_error *err)
{
    ph_status status = problem_rate(sc, &w->a->rate, err);
    if (status && status != PH_E_UNSUPPORTED)
        return status;
    if (status || !(w->a->rate > 0))
        w->a->rate = 0.2 / fabs(ph_scenario_step_size(sc));
    return PH_OK;
}

/* How much of the horizon is measured, and in what stretches: all of it where there is time for that; else a
 * part that leaves time for small steps. */
static void choose_span(advisor *w, double ns)
{
    enum { LEVELS = 7 }; /* 1 + 2 + 4 times the steps of the first reference */
    static const size_t numbers[] = {PARTS_LEAST, 5,  8,    10,
                                     16,          20, PARTS}; /* so that steps have few digits */
    static const double part = 0.3;
    const double H = w->plan->horizon, longest = 3.2 / w->a->rate; /* two steps a turn */
    const double most = for_reference / (1e-9 * ns) * 0.2 / w->a->rate / LEVELS;
    const double M = H <= most ? 1 : ceil(H / fmax(part * most, PARTS_LEAST * longest) - 1e-9);
    w->a->span = H / M;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        w->parts = numbers[i];
        if ((double)w->parts * longest >= w->a->span)
            break;
    }
    w->stretch = w->a->span / (double)w->parts;
    w->stretches = (int64_t)M * (int64_t)w->parts;
    w->coarsest = (int64_t)fmax(1, ceil(w->stretch / longest - 1e-9));
}

/* One of a pair: brought nearer to the other, to `size` of how far apart they are. */
static ph_status bring_near(const advisor *w, ph_integrator *it, ph_state *b, const ph_state *a, double size,
                            double *scratch)
{
    double *z = scratch, *p = scratch + a->nz;
    for (size_t i = 0; i < a->nz; i++)
        z[i] = a->z[i] + size * (b->z[i] - a->z[i]);
    for (size_t i = 0; i < a->np; i++)
        p[i] = a->p[i] + size * (b->p[i] - a->p[i]);
    return ph_state_set(it, b, w->start.time + (a->t - w->start.time), z, p, PH_PROJECT, NULL);
}

/* A neighbour some 1e-8 away; directions are random, the same every time. */
static ph_status set_beside(const advisor *w, ph_integrator *it, ph_state *b, double *scratch)
{
    uint64_t seed = 2027;
    double size = 1;
    for (size_t i = 0; i < w->nz; i++)
        size = fmax(size, fabs(w->start.z[i]));
    for (size_t i = 0; i < w->nz; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        scratch[i] = w->start.z[i] + 1e-8 * size * ((double)(int64_t)(seed >> 11) * 0x1p-52 - 1);
    }
    return ph_state_set(it, b, w->start.time, scratch, w->start.p, PH_PROJECT, NULL);
}

static ph_status follow_pair(advisor *w, ph_integrator *it, ph_state *a, ph_state *b, int64_t m,
                             double *scratch, ph_error *err)
{
    ph_status status = set_beside(w, it, b, scratch);
    double apart = largest_difference(a->z, b->z, w->nz), begin = apart, log_scale = 0;
    w->logs[0] = 0;
    if (!(apart > 0))
        status = PH_E_SINGULAR;
    for (size_t k = 1; k <= LOOKS && !status; k++) {
        status = ph_integrator_step(it, a, m);
        if (!status)
            status = ph_integrator_step(it, b, m);
        apart = largest_difference(a->z, b->z, w->nz);
        w->logs[k] = log_scale + log(fmax(apart, 1e-3 * begin) / begin);
        if (!status && apart > 1e3 * begin) {
            log_scale += log(apart / begin);
            status = bring_near(w, it, b, a, begin / apart, scratch);
        }
        if (!status && k % 32 == 0 &&
            pause_for(w, "nearby trajectories", 0.05 + 0.1 * (double)k / LOOKS, err))
            return PH_E_INTERRUPTED;
    }
    return status;
}

/* How fast nearby trajectories part: in a regular motion by t, so that the logarithm of their distance gains
 * log 2 in the second half; in a chaotic one by an exponential. What fails is told by nobody else but the
 * candidates; then nothing is known. */
static ph_status watch_growth(advisor *w, double ns, ph_error *err)
{
    static const double much = 4; /* in units of the logarithm; fluctuations are 1 or 2 */
    ph_integrator *it;
    ph_state *a, *b = NULL;
    advice *own = w->a;
    const double fine = 0.4 / own->rate, steps = for_growth / (2e-9 * ns);
    const double most = fmax(own->span, fmin(w->plan->horizon, steps * fine));
    const int64_t m = (int64_t)fmax(1, ceil(most / LOOKS / fine));
    double *scratch = malloc((w->nz + ph_space_momenta(ph_system_space(w->system)) + 1) * sizeof *scratch);
    ph_status status = scratch ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    own->watched = most;
    if (!status)
        status = contender_start(&w->reference, &w->start, w->sign * most / LOOKS / (double)m, &it, &a, err);
    if (status) {
        free(scratch);
        return status;
    }
    status = ph_state_create(it, &b, err);
    if (!status) {
        ph_status followed = follow_pair(w, it, a, b, m, scratch, err);
        double first = 0, second = 0;
        for (size_t k = 1; k <= LOOKS; k++)
            *(2 * k <= LOOKS ? &first : &second) = fmax(2 * k <= LOOKS ? first : second, w->logs[k]);
        if (followed == PH_E_INTERRUPTED)
            status = followed;
        else if (followed)
            own->watched = 0;
        else if (second - first > much)
            own->exponent = (second - first) / (0.5 * own->watched);
    }
    ph_state_free(a);
    ph_state_free(b);
    ph_integrator_free(it);
    free(scratch);
    return status;
}

/* log of how far nearby trajectories have parted at time t, at most until then. */
static double log_growth(const advisor *w, double t)
{
    const advice *a = w->a;
    if (!(a->watched > 0))
        return log1p(t * a->rate);
    double most = 0;
    const double place = fmin(1, t / a->watched) * LOOKS;
    for (size_t k = 0; (double)k <= place + 1e-9; k++)
        most = fmax(most, w->logs[k]);
    if (t <= a->watched)
        return most;
    return most + (a->exponent > 0 ? a->exponent * (t - a->watched) : log(t / a->watched));
}

/* By what the errors of the span's end grow until the horizon, at least by (t / span)^power. */
static double growth(const advisor *w, double power)
{
    const advice *a = w->a;
    if (a->span >= a->horizon)
        return 1;
    const double parting = a->exponent > 0 ? log_growth(w, a->horizon) - log_growth(w, a->span) : 0;
    return exp(fmin(700, fmax(parting, power * log(a->horizon / a->span))));
}

/* ---- The reference ------------------------------------------------------------------------------- */

/* The reference by m steps a stretch; its energies and momenta, and their scales. */
static ph_status run_reference(advisor *w, int64_t m, double *z, ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    ph_monitor *monitor = NULL;
    ph_summary summary;
    ph_measures measures;
    const double t0 = w->start.time;
    ph_status status = contender_start(&w->reference, &w->start, step_of(w, m), &it, &state, err);
    if (status)
        return status;
    status = ph_monitor_create(w->diagnostics, t0, t0 + w->sign * w->a->span, &monitor, err);
    if (!status)
        status = ph_monitor_see(monitor, state, &measures);
    const double energy =
        status ? NAN : measures.energy; /* what is conserved is known better than by a run */
    w->momentum_scale = status ? 1 : measures.momentum_size;
    for (size_t i = 0; i < w->parts && !status; i++) {
        status = ph_integrator_step(it, state, m);
        if (status) {
            ph_fail(err, status, "the reference by %s with %g s: %s", w->reference.label, step_of(w, m),
                    ph_integrator_message(it));
            break;
        }
        status = ph_monitor_see(monitor, state, &measures);
        memcpy(z + i * w->nz, state->z, w->nz * sizeof *z);
        w->energy[i] = w->a->forced ? measures.energy : energy;
        for (size_t k = 0; k < w->maps; k++)
            w->momenta[i * w->maps + k] = measures.momenta[k];
        w->momentum_scale = fmax(w->momentum_scale, measures.momentum_size);
        if (!status)
            status = pause_for(w, "reference", 0.15 + 0.1 * (double)i / (double)w->parts, err);
    }
    if (monitor)
        ph_monitor_summary(monitor, &summary);
    w->energy_scale = monitor && summary.energy_scale > 0 ? summary.energy_scale : 1;
    w->momentum_scale = w->momentum_scale > 0 ? w->momentum_scale : 1;
    ph_monitor_free(monitor);
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* Error that rounding makes of the best trajectory by time t, by how nearby ones part: its logarithm. */
static double log_rounding(const advisor *w, double t)
{
    return log(2 * DBL_EPSILON) + log_growth(w, t);
}

/* Steps halved until the last halving moves it by little of what is wanted, or rounding has taken over. Where
 * no trajectory can be had, it only serves energy and momenta, and the first will do. */
static ph_status make_reference(advisor *w, ph_error *err)
{
    enum { LEVELS = 7 };
    const bool hopeless = !(log_rounding(w, w->a->horizon) < log(w->plan->accuracy));
    const double wanted = 0.01 * w->plan->accuracy / growth(w, 1), begin = cpu_now();
    int64_t m = (int64_t)ceil(w->stretch * w->a->rate / 0.2);
    double change = INFINITY;
    ph_status status = run_reference(w, m, hopeless ? w->z : w->other, err);
    w->a->reference_step = fabs(step_of(w, m));
    for (int k = 1; k <= LEVELS && !status && !hopeless; k++) {
        m *= 2;
        status = run_reference(w, m, w->z, err);
        if (status)
            break;
        const double moved = largest_difference(w->z, w->other, w->parts * w->nz);
        if (!(moved < 0.9 * change) && change < 1e-6)
            break; /* both are as good as rounding lets them be */
        change = moved;
        w->a->reference_step = fabs(step_of(w, m));
        if (change < wanted || (k > 1 && cpu_now() - begin > 6 * for_reference))
            break;
        memcpy(w->other, w->z, w->parts * w->nz * sizeof *w->z);
    }
    w->a->uncertainty = change;
    return status;
}

/* Can the accuracy be had, and until when? What the reference does not know nobody can be judged by. */
static void judge_motion(advisor *w)
{
    advice *a = w->a;
    const double rounding = exp(fmin(700, log_rounding(w, a->horizon)));
    a->attainable = isfinite(a->uncertainty) ? fmax(a->uncertainty * growth(w, 1), rounding) : rounding;
    a->by_energy = !(a->attainable < a->accuracy);
    a->predictable = INFINITY;
    if (rounding < a->accuracy)
        return;
    double low = 0, high = a->horizon;
    for (int k = 0; k < 60; k++) {
        const double t = 0.5 * (low + high);
        *(log_rounding(w, t) < log(a->accuracy) ? &low : &high) = t;
    }
    a->predictable = low;
}

/* ---- Candidates ---------------------------------------------------------------------------------- */

static const ph_option *option_of(const ph_method *method, const char *name)
{
    for (size_t i = 0; i < method->n_options; i++)
        if (!strcmp(method->options[i].name, name))
            return &method->options[i];
    return NULL;
}

static void enter(advisor *w, const char *method, const char *option, const char *value)
{
    char text[sizeof w->reference.label];
    advice_row *row = &w->a->rows[w->a->n_rows];
    ph_error err;
    if (w->a->n_rows == ADVICE_ROWS)
        return;
    snprintf(text, sizeof text, *option ? "%s:%s=%s" : "%s", method, option, value);
    *row = (advice_row){.verdict = ADVICE_FAILS,
                        .h = NAN,
                        .correction = 1,
                        .measured = NAN,
                        .ratio = NAN,
                        .error = NAN,
                        .energy_error = NAN,
                        .momentum_error = NAN,
                        .constraint_error = NAN,
                        .nanoseconds = NAN,
                        .cpu_seconds = INFINITY};
    if (!contender_parse(&row->contender, text, &err) && takes(w, &row->contender))
        w->a->n_rows++;
}

/* A candidate for each value of the option but its word for none in particular. */
static void enter_values(advisor *w, const ph_method *method, const char *name)
{
    const ph_option *o = option_of(method, name);
    char value[64];
    if (o && o->type == PH_OPTION_CHOICE)
        for (const char *word = o->choices; *word;) {
            const size_t n = strcspn(word, " ");
            snprintf(value, sizeof value, "%.*s", (int)n, word);
            if (strcmp(value, "automatic") != 0)
                enter(w, method->name, name, value);
            word += n + strspn(word + n, " ");
        }
    if (o && o->type == PH_OPTION_COUNT)
        for (double x = o->min; x <= fmin(o->max, o->min + 20); x++) {
            snprintf(value, sizeof value, "%.0f", x);
            enter(w, method->name, name, value);
        }
}

static void list_candidates(advisor *w)
{
    for (size_t i = 0; i < ph_methods(); i++) {
        const ph_method *method = ph_method_at(i);
        if (!option_of(method, "order"))
            enter(w, method->name, "", "");
        enter_values(w, method, "order");
        enter_values(w, method, "composition");
    }
}

/* ---- The search ---------------------------------------------------------------------------------- */

static unsigned claims_of(const advisor *w, const contender *c, int *order)
{
    double values[CONTENDER_OPTIONS];
    *order = c->method->order;
    if (ph_method_options(c->method, c->settings, c->n_settings, values, NULL))
        return c->method->claims;
    *order = ph_method_order(c->method, w->system, values);
    return ph_method_claims(c->method, w->system, values);
}

/* What a passage lets expect at the horizon. */
static void expect(const advisor *w, advice_row *row, const passage *p, int64_t m)
{
    int order;
    const unsigned claims = claims_of(w, &row->contender, &order);
    const bool keeps = (claims & (PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC)) != 0;
    const double longer = w->a->horizon / w->a->span;
    /* a chaotic motion has moments more violent than those of a short part of it */
    const double rarer = w->a->exponent > 0 && longer > 1 ? 3 : 1;
    row->h = step_of(w, m);
    row->steps = m * w->stretches;
    row->measured = fmax(p->error[0], p->error[1]);
    row->ratio = p->error[1] / p->error[0];
    row->error = w->a->by_energy ? NAN : row->correction * row->measured * growth(w, keeps ? 1 : 2);
    row->energy_error = (w->a->by_energy ? row->correction : 1) * fmax(p->energy[0], p->energy[1]) *
                        (keeps && !w->a->forced ? rarer : longer);
    row->confirmed = w->a->span >= w->a->horizon;
    row->momentum_error = fmax(p->momentum[0], p->momentum[1]) * (claims & PH_CLAIM_MOMENTUM ? 1 : longer);
    row->constraint_error = p->constraint * (claims & PH_CLAIM_MANIFOLD ? 1 : longer);
    row->nanoseconds = p->ns;
    row->cpu_seconds = 1e-9 * p->ns * (double)row->steps;
}

static double deciding(const advisor *w, const advice_row *row)
{
    return w->a->by_energy ? row->energy_error : row->error;
}

/* The next number of steps a stretch, if there is one near, whose step has few digits. */
static int64_t round_up(const advisor *w, double m)
{
    const int64_t first = (int64_t)ceil(fmax(1, m) - 1e-9);
    for (int64_t n = first; (double)n <= 1.1 * (double)first && n < first + 10000; n++) {
        char text[32];
        snprintf(text, sizeof text, "%.4g", fabs(step_of(w, n)));
        if (fabs(strtod(text, NULL) / fabs(step_of(w, n)) - 1) < 1e-14)
            return n;
    }
    return first;
}

/* Does an earlier row do the same? Passages at the same step are compared, the first of each. */
static bool is_twin(advisor *w, const advice_row *row)
{
    const size_t own = (size_t)(row - w->a->rows);
    const double first[3] = {row->h, row->measured, row->ratio};
    memcpy(w->first[own], first, sizeof first);
    for (size_t i = 0; i < own; i++)
        if (w->a->rows[i].contender.method == row->contender.method &&
            !memcmp(w->first[i], first, sizeof first))
            return true;
    return false;
}

/* Larger steps from a number of them that does, since a step was found at which it does not. */
static void refine(const advisor *w, advice_row *row, int64_t low, int64_t high, int order, double bound)
{
    for (int k = 0; k < 2; k++) {
        const double by_order =
            (double)high * pow(deciding(w, row) / (0.8 * w->a->accuracy), 1.0 / (double)order);
        const int64_t m = round_up(w, fmax(by_order, 1.05 * (double)low));
        if ((double)m > 0.9 * (double)high)
            return;
        const passage p = pass(w, &row->contender, m, bound);
        if (p.cut)
            return;
        advice_row tried = *row;
        if (!p.status)
            expect(w, &tried, &p, m);
        if (p.status || !(deciding(w, &tried) <= w->a->accuracy)) {
            low = m;
            continue;
        }
        high = m;
        row->h = tried.h;
        row->steps = tried.steps;
        expect(w, row, &p, m);
    }
}

static void search_step(advisor *w, advice_row *row, double bound)
{
    int order, stuck = 0;
    const double begin = cpu_now(), wanted = 0.5 * w->a->accuracy;
    double least = INFINITY;
    int64_t m = round_up(w, (double)w->coarsest), low = 0;
    claims_of(w, &row->contender, &order);
    for (;;) {
        const passage p = pass(w, &row->contender, m, 0.5 * bound);
        double next = 2 * (double)m;
        if (!p.status && !p.cut) { /* a step that takes so long is too large, or there is no time anyway */
            const bool first = row->verdict == ADVICE_FAILS;
            expect(w, row, &p, m);
            row->verdict = ADVICE_UNDECIDED;
            if (first && is_twin(w, row)) {
                row->verdict = ADVICE_TWIN;
                return;
            }
            const double error = deciding(w, row);
            if (error <= w->a->accuracy) {
                row->verdict = ADVICE_MEETS;
                if (low)
                    refine(w, row, low, m, order, bound);
                return;
            }
            stuck = error < 0.5 * least ? 0 : stuck + 1;
            least = fmin(least, error);
            if (stuck >= 3 && row->measured < 1e-6) {
                row->verdict = ADVICE_FLOOR;
                return;
            }
            next = fmin(8, fmax(1.25, pow(error / wanted, 1.0 / order))) * (double)m;
        }
        low = m;
        m = round_up(w, next);
        const double cost = p.ns > 0 && !p.cut ? 1e-9 * p.ns * (double)m * (double)w->parts : 0;
        if (cpu_now() - begin + cost > bound || m > 1 << 24)
            break;
    }
    if (row->verdict == ADVICE_FAILS)
        return;
    /* too many steps to be tried */
    const double more = pow(deciding(w, row) / wanted, 1.0 / order);
    const bool plausible = row->measured < 0.1 && more < 1e6 && wanted > 4 * DBL_EPSILON;
    row->verdict = plausible ? ADVICE_BY_ORDER : ADVICE_UNDECIDED;
    if (row->verdict == ADVICE_UNDECIDED)
        return;
    const double fewer = 1 / (more * (double)low);
    row->steps = (int64_t)ceil((double)w->stretches / fewer);
    row->h = w->sign * w->a->horizon / (double)row->steps;
    row->error = row->energy_error = row->momentum_error = row->constraint_error = NAN;
    *(w->a->by_energy ? &row->energy_error : &row->error) = wanted;
    row->cpu_seconds = 1e-9 * row->nanoseconds * (double)row->steps;
}

enum { HALVES_LEAST = 8, HALVES_MOST = 28 };

/* text <- METHOD with a tolerance of so many half digits: 1e-4, 3e-5, 1e-5, ... */
static void write_tolerance(char *text, size_t size, const ph_method *method, int halves)
{
    const int first = halves % 2 ? 3 : 1, digits = (halves + 1) / 2;
    snprintf(text, size, "%s:rtol=%de-%d:atol=%de-%d", method->name, first, digits, first, digits);
}

/* An adaptive method with such a tolerance, through the span; its steps are only where it stops. */
static passage pass_tolerance(const advisor *w, advice_row *row, int halves, double bound)
{
    char text[sizeof row->contender.label];
    ph_error err;
    passage p = {PH_E_RANGE, .ns = NAN};
    write_tolerance(text, sizeof text, row->contender.method, halves);
    if (!contender_parse(&row->contender, text, &err))
        p = pass(w, &row->contender, 1, bound);
    row->halves = halves;
    return p;
}

/* Does it meet the accuracy with this tolerance? */
static bool try_tolerance(const advisor *w, advice_row *row, int halves, double bound)
{
    const passage p = pass_tolerance(w, row, halves, bound);
    row->verdict = p.cut ? ADVICE_UNDECIDED : row->verdict;
    if (p.cut || p.status)
        return false;
    expect(w, row, &p, 1);
    row->verdict = deciding(w, row) <= w->a->accuracy ? ADVICE_MEETS : ADVICE_FLOOR;
    return row->verdict == ADVICE_MEETS;
}

/* Digit by digit, and then half a digit back. */
static void search_tolerance(const advisor *w, advice_row *row, double bound)
{
    const double begin = cpu_now();
    for (int halves = HALVES_LEAST; halves <= HALVES_MOST; halves += 2) {
        if (try_tolerance(w, row, halves, bound)) {
            if (halves > HALVES_LEAST && !try_tolerance(w, row, halves - 1, bound))
                try_tolerance(w, row, halves, bound);
            return;
        }
        if (row->verdict != ADVICE_UNDECIDED && cpu_now() - begin > bound)
            row->verdict = ADVICE_UNDECIDED;
        if (row->verdict == ADVICE_UNDECIDED)
            return;
    }
}

static ph_status search_all(advisor *w, ph_error *err)
{
    double left = for_candidates;
    for (size_t i = 0; i < w->a->n_rows; i++) {
        advice_row *row = &w->a->rows[i];
        const double begin = cpu_now(), share = fmax(0.05, 2 * left / (double)(w->a->n_rows - i));
        ph_status status =
            pause_for(w, row->contender.label, 0.25 + 0.6 * (double)i / (double)w->a->n_rows, err);
        if (status)
            return status;
        if (row->contender.method->claims & PH_CLAIM_ADAPTIVE)
            search_tolerance(w, row, share);
        else
            search_step(w, row, share);
        left -= cpu_now() - begin;
    }
    return PH_OK;
}

/* ---- Ranks --------------------------------------------------------------------------------------- */

static bool is_before(const advice_row *a, const advice_row *b)
{
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict;
    return a->cpu_seconds < b->cpu_seconds;
}

static void rank(advice *a)
{
    a->n_listed = 0;
    for (size_t i = 0; i < a->n_rows; i++) {
        if (a->rows[i].verdict == ADVICE_TWIN)
            continue;
        size_t k = a->n_listed++;
        for (; k > 0 && is_before(&a->rows[i], &a->rows[a->order[k - 1]]); k--)
            a->order[k] = a->order[k - 1];
        a->order[k] = i;
    }
    const advice_row *first = a->n_listed ? &a->rows[a->order[0]] : NULL;
    a->best = first && first->verdict <= ADVICE_BY_ORDER ? first : NULL;
}

/* Those that meet the accuracy, timed in turn. */
static ph_status time_rows(advisor *w, ph_error *err)
{
    enum { MOST = 12, ROUNDS = 400, ROUNDS_LEAST = 5 };
    timing_cell cells[MOST];
    timing_session *session;
    size_t n = 0, which[MOST];
    for (size_t i = 0; i < w->a->n_listed && n < MOST; i++) {
        const advice_row *row = &w->a->rows[w->a->order[i]];
        if (row->verdict != ADVICE_MEETS)
            break;
        which[n] = w->a->order[i];
        cells[n++] = (timing_cell){.contender = &row->contender, .h = row->h, .span = w->a->span};
    }
    if (!n)
        return PH_OK;
    ph_status status = timing_open(&session, cells, n, &w->start, ROUNDS, 5e-4, err);
    if (status)
        return status;
    status = timing_burst(session, for_timing, ROUNDS_LEAST, w->plan->interrupt, NULL, NULL, err);
    for (size_t i = 0; i < n; i++) {
        advice_row *row = &w->a->rows[which[i]];
        if (isfinite(cells[i].result.median)) {
            row->nanoseconds = cells[i].result.median;
            row->cpu_seconds = 1e-9 * row->nanoseconds * (double)row->steps;
        }
    }
    timing_close(session);
    return status;
}

/* ---- Confirmation -------------------------------------------------------------------------------- */

/* From the start to the horizon in `fold` times so many steps: ends (TIMES x nz) <- the configurations at
 * some of them, whatever the fold; *energy <- the largest error there and between. */
static ph_status go_through(const advisor *w, const contender *c, double h, int64_t steps, int64_t fold,
                            double *ends, double *energy)
{
    const int64_t each = fold * steps / TIMES / LOOKS_BETWEEN + 1;
    ph_integrator *it;
    ph_state *state;
    ph_measures m;
    ph_error err;
    ph_status status = contender_start(c, &w->start, h / (double)fold, &it, &state, &err);
    if (status)
        return status;
    *energy = 0;
    for (int64_t k = 1; k <= TIMES && !status; k++) {
        const int64_t end = fold * (int64_t)((double)k / TIMES * (double)steps);
        while (state->k < end && !status) {
            status = ph_integrator_step(it, state, end - state->k < each ? end - state->k : each);
            if (!status)
                status = ph_diagnostics_measure(w->diagnostics, state, &m);
            if (!status)
                *energy = fmax(*energy, fabs(m.energy - w->energy[0]) / w->energy_scale);
            if (!status && w->plan->interrupt && *w->plan->interrupt)
                status = PH_E_INTERRUPTED;
        }
        memcpy(ends + (k - 1) * (int64_t)w->nz, state->z, w->nz * sizeof *ends);
    }
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* *energy <- the row's largest energy error over the whole horizon; *error <- the largest distance from the
 * same with half the step, or with two more digits of its tolerance. INFINITY where it does not get there. */
static ph_status find_errors(const advisor *w, const advice_row *row, double *error, double *energy,
                             ph_error *err)
{
    contender finer;
    double *ends = calloc(2 * TIMES * w->nz + 1, sizeof *ends), others;
    char text[sizeof finer.label];
    if (!ends)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    snprintf(text, sizeof text, "%s", row->contender.label);
    if (row->halves)
        write_tolerance(text, sizeof text, row->contender.method,
                        row->halves + 4 < HALVES_MOST ? row->halves + 4 : HALVES_MOST);
    ph_status status = contender_parse(&finer, text, err);
    if (!status)
        status = go_through(w, &row->contender, row->h, row->steps, 1, ends, energy);
    if (!status && !w->a->by_energy)
        status =
            go_through(w, &finer, row->h, row->steps, row->halves ? 1 : 2, ends + TIMES * w->nz, &others);
    *error = largest_difference(ends, ends + TIMES * w->nz, TIMES * w->nz);
    free(ends);
    if (status == PH_E_INTERRUPTED || status == PH_E_NO_MEMORY)
        return ph_fail(err, status, status == PH_E_INTERRUPTED ? "interrupted: %s" : "out of memory for %s",
                       row->contender.label);
    if (status)
        *error = *energy = INFINITY;
    return PH_OK;
}

/* A smaller step or tolerance, after the horizon has shown this error. */
static void tighten(const advisor *w, advice_row *row, double error)
{
    int order;
    const double more = fmin(1e6, error / (0.5 * w->a->accuracy));
    int64_t m = 1;
    claims_of(w, &row->contender, &order);
    row->correction *= fmin(1e6, fmax(1, error / deciding(w, row)));
    row->verdict = ADVICE_UNDECIDED;
    if (row->halves >= HALVES_MOST)
        return;
    if (!row->halves)
        m = round_up(w, (double)row->steps / (double)w->stretches * fmax(1.1, pow(more, 1.0 / order)));
    const passage p = row->halves ? pass_tolerance(w, row, row->halves + 1, for_confirmation)
                                  : pass(w, &row->contender, m, for_confirmation);
    if (p.status || p.cut)
        return;
    expect(w, row, &p, m);
    if (row->halves || deciding(w, row) <= w->a->accuracy)
        row->verdict = ADVICE_MEETS;
}

/* Until the first row has shown at the horizon that it is as good as was expected, or that would take long.
 */
static ph_status confirm(advisor *w, ph_error *err)
{
    enum { MOST = 12 };
    ph_status status = PH_OK;
    for (int k = 0; k < MOST && !status && w->a->best; k++) {
        advice_row *row = &w->a->rows[w->a->order[0]];
        double error = INFINITY, energy = INFINITY;
        if (row->verdict != ADVICE_MEETS || row->confirmed || 3 * row->cpu_seconds > for_confirmation ||
            (w->a->forced && w->a->by_energy))
            break;
        status = pause_for(w, "confirmation", 0.95, err);
        if (!status)
            status = find_errors(w, row, &error, &energy, err);
        if (status)
            break;
        if (w->a->by_energy)
            error = energy;
        row->confirmed = error <= w->a->accuracy;
        if (!row->confirmed)
            tighten(w, row, error);
        else if (!w->a->by_energy)
            row->error = error;
        if (row->confirmed && !w->a->forced)
            row->energy_error = energy;
        rank(w->a);
    }
    return status;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

static ph_status make_room(advisor *w, ph_error *err)
{
    const size_t size = w->parts * w->nz + 1;
    w->z = calloc(size, sizeof *w->z);
    w->other = calloc(size, sizeof *w->other);
    w->energy = calloc(w->parts, sizeof *w->energy);
    w->momenta = calloc(w->parts * w->maps + 1, sizeof *w->momenta);
    w->logs = calloc(LOOKS + 1, sizeof *w->logs);
    if (!w->z || !w->other || !w->energy || !w->momenta || !w->logs)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    return ph_diagnostics_create(w->system, &w->diagnostics, err);
}

static ph_status proceed(advisor *w, const ph_scenario *sc, ph_error *err)
{
    double ns = 0;
    ph_status status = find_rate(w, sc, err);
    if (!status)
        status = choose_reference(w, err);
    if (!status)
        status = probe(w, w->sign * 0.1 / w->a->rate, &ns, err);
    if (status)
        return status;
    choose_span(w, ns);
    status = make_room(w, err);
    if (!status)
        status = watch_growth(w, ns, err);
    if (!status)
        status = make_reference(w, err);
    if (status)
        return status;
    snprintf(w->a->reference, sizeof w->a->reference, "%s", w->reference.label);
    judge_motion(w);
    list_candidates(w);
    status = search_all(w, err);
    if (status)
        return status;
    rank(w->a);
    status = pause_for(w, "timing", 0.9, err);
    if (!status)
        status = time_rows(w, err);
    rank(w->a);
    return status ? status : confirm(w, err);
}

ph_status advice_make(advice *a, const ph_scenario *sc, const advice_plan *plan, ph_error *err)
{
    const ph_system *system = ph_scenario_system(sc);
    advisor w = {.a = a,
                 .plan = plan,
                 .system = system,
                 .start = motion_of(sc),
                 .sign = copysign(1, ph_scenario_step_size(sc)),
                 .nz = ph_space_ambient(ph_system_space(system)),
                 .maps = ph_system_symmetries(system)};
    *a = (advice){.accuracy = plan->accuracy,
                  .horizon = plan->horizon,
                  .forced = ph_system_has_force(system),
                  .rows = calloc(ADVICE_ROWS, sizeof *a->rows)};
    ph_status status = PH_OK;
    if (!a->rows)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    else if (!(plan->horizon > 0 && plan->accuracy > 0 && isfinite(plan->horizon * plan->accuracy)))
        status = ph_fail(err, PH_E_RANGE, "accuracy and horizon are positive numbers");
    else
        status = proceed(&w, sc, err);
    ph_diagnostics_free(w.diagnostics);
    free(w.z);
    free(w.other);
    free(w.energy);
    free(w.momenta);
    free(w.logs);
    if (status)
        advice_free(a);
    return status;
}

void advice_free(advice *a)
{
    free(a->rows);
    *a = (advice){0};
}
