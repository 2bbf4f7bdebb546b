/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweep over the sizes. At each one the remaining contenders are started and timed in turn, and those are
 * left out for which the next size would take too long: their time is extrapolated by the power law between
 * the last two sizes. */
#include "scaling.h"
#include "bench/common/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Turns of a contender at a size: the most that are kept, the least that are taken; steps before it is timed,
 * the least steps in a turn; steps of motion before a restart. */
enum { ROUNDS_MOST = 2000, ROUNDS_LEAST = 5, SETTLE = 8, BATCH = 20, SPAN = 20000 };
static const double slice = 0.001;         /* [s of CPU] of a turn */
static const double short_time = 0.02;     /* [s] a shorter time may be due to other load */
static const double share_of_memory = 0.5; /* of the memory that may be used */

static double memory_bytes(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/* ---- Contenders and sizes ------------------------------------------------------------------------ */

/* Append the choices of the option other than its default, each as METHOD:form=WORD. */
static ph_status add_forms(contender *list, size_t *n, const ph_method *method, const ph_option *form,
                           ph_error *err)
{
    const char *word = form->choices;
    ph_status status = PH_OK;
    for (size_t i = 0; *word && !status; i++) {
        int length = (int)strcspn(word, " ");
        char text[96];
        snprintf(text, sizeof text, "%s:%s=%.*s", method->name, form->name, length, word);
        if ((double)i != form->initial)
            status = contender_parse(&list[(*n)++], text, err);
        word += length + (word[length] == ' ');
    }
    return status;
}

ph_status scaling_contenders(contender **list, size_t *n, ph_error *err)
{
    size_t most = ph_methods() * (ph_fields() + 8);
    ph_status status = PH_OK;
    *n = 0;
    *list = calloc(most + 1, sizeof **list);
    if (!*list)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < ph_methods() && !status; i++) {
        const ph_method *method = ph_method_at(i);
        status = contender_parse(&(*list)[(*n)++], method->name, err);
        for (size_t j = 0; j < method->n_options && !status; j++)
            if (!strcmp(method->options[j].name, "form") && !(method->claims & PH_CLAIM_ADAPTIVE))
                status = add_forms(*list, n, method, &method->options[j], err);
    }
    return status;
}

ph_status scaling_sizes(size_t from, size_t to, size_t sizes[SCALING_SIZES], size_t *n, ph_error *err)
{
    static const size_t digits[] = {1, 2, 5};
    *n = 0;
    if (!from || from > to)
        return ph_fail(err, PH_E_RANGE, "sizes go from at least 1 upwards, not from %zu to %zu", from, to);
    sizes[(*n)++] = from;
    for (size_t power = 1; power <= to && *n < SCALING_SIZES - 4; power *= 10)
        for (size_t i = 0; i < 3; i++)
            if (digits[i] * power > from && digits[i] * power < to)
                sizes[(*n)++] = digits[i] * power;
    if (to > from)
        sizes[(*n)++] = to;
    return PH_OK;
}

int scaling_has(const scaling_line *line, size_t size)
{
    return line->points[size].time.rounds > 0;
}

/* ---- What the next size would cost ---------------------------------------------------------------- */

/* y at n from y1 at n1 and y0 at n0 < n1 by a power law with an exponent from 0 to a little more than 3; from
 * y1 alone (y0 NaN), in proportion. Values below `noise` show nothing about growth. */
static double extrapolate_power(double n, double n1, double y1, double n0, double y0, double noise)
{
    static const double steepest = 3.5;
    double exponent = y0 >= 0 ? log(fmax(y1, noise) / fmax(y0, noise)) / log(n1 / n0) : 1;
    return y1 * pow(n / n1, fmin(steepest, fmax(0, exponent)));
}

/* The CPU time [s] that a contender needs at a size. */
static double cpu_needed(double step, double setup)
{
    return step * (SETTLE + ROUNDS_LEAST * BATCH) + 2 * setup;
}

/* Beyond that many parts only methods of linear cost remain, which may take longer. */
static double limit_at(const scaling_plan *plan, size_t n)
{
    enum { MANY = 10000 };
    return plan->limit > 0 ? plan->limit : n > MANY ? 20 : 2;
}

static double predict_cpu(const scaling *s, const scaling_line *l, size_t k)
{
    if (k == 0 || !scaling_has(l, k - 1))
        return 0;
    const scaling_point *p1 = &l->points[k - 1], *p0 = k > 1 ? &l->points[k - 2] : NULL;
    double n = (double)s->sizes[k], n1 = (double)s->sizes[k - 1], n0 = k > 1 ? (double)s->sizes[k - 2] : 1;
    double step = extrapolate_power(n, n1, p1->time.median, n0, p0 ? p0->time.median : NAN, 1);
    double setup = extrapolate_power(n, n1, p1->setup, n0, p0 ? p0->setup : NAN, short_time);
    return cpu_needed(1e-9 * step, setup);
}

static void leave_out(scaling_line *l, size_t k, const char *reason)
{
    l->gone = k;
    snprintf(l->reason, sizeof l->reason, "%.*s", (int)sizeof l->reason - 1, reason);
}

/* ---- One size ------------------------------------------------------------------------------------ */

/* The memory that a contender needs; 0 with the reason where it does not support the system. */
static size_t count_bytes(const contender *c, const ph_system *system, ph_error *err)
{
    double values[CONTENDER_OPTIONS];
    if (ph_method_supports(c->method, system, err))
        return 0;
    if (ph_method_options(c->method, c->settings, c->n_settings, values, err))
        return 0;
    ph_method_size size = c->method->size(system, values);
    const ph_space *space = ph_system_space(system);
    return size.work + sizeof(double) * (size.carry + ph_space_ambient(space) + ph_space_momenta(space));
}

/* Start the contender and take two steps: do they succeed within the limit? Sets setup and bytes of its
 * point. */
static ph_status try_steps(scaling_line *l, size_t k, const motion *m, double h, double limit, meter *watch,
                           ph_error *err)
{
    scaling_point *p = &l->points[k];
    ph_integrator *it;
    ph_state *state;
    double values[CONTENDER_OPTIONS], start = meter_now(watch), step;
    ph_status status = contender_start(l->contender, m, h, &it, &state, err);
    if (status)
        return status;
    p->setup = meter_now(watch) - start;
    status = ph_method_options(l->contender->method, l->contender->settings, l->contender->n_settings, values,
                               err);
    p->bytes = ph_state_size(it) + l->contender->method->size(m->system, values).work;
    /* the first step may be expensive, without an earlier one to start from; the second shows the usual cost
     * */
    for (int i = 0; i < 2 && !status; i++) {
        if (meter_steps(watch, it, state, 1, &step))
            status = ph_fail(err, PH_E_NO_SOLUTION, "%s", ph_integrator_message(it));
        double took = cpu_needed(step, p->setup);
        if (!status && (step > limit || (i > 0 && took > 2 * limit)))
            status =
                ph_fail(err, PH_E_UNSUPPORTED,
                        "would take %.2g s at this size, judging by its first steps; the limit is %.2g s",
                        took, limit);
    }
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* Choose the contenders that take part at size k; the others are left out from here on. */
static void admit_lines(scaling *s, size_t k, const member *m, const scaling_plan *plan)
{
    motion start = member_motion(m);
    double memory = memory_bytes(), used = 0, limit = limit_at(plan, s->parts[k]);
    char reason[300];
    for (size_t i = 0; i < s->n_lines; i++) {
        scaling_line *l = &s->lines[i];
        ph_error err = {PH_OK, ""};
        double seconds = predict_cpu(s, l, k), bytes;
        if (l->gone < k)
            continue;
        if (seconds > limit) {
            snprintf(reason, sizeof reason,
                     "would take %.2g s at this size, extrapolated; the limit is %.2g s", seconds, limit);
            leave_out(l, k, reason);
            continue;
        }
        bytes = (double)count_bytes(l->contender, m->system, &err);
        if (bytes > 0 && used + 2 * bytes > share_of_memory * memory) {
            snprintf(reason, sizeof reason, "would need %.2g GB; the machine has %.2g GB", 1e-9 * bytes,
                     1e-9 * memory);
            leave_out(l, k, reason);
        } else if (!(bytes > 0) || try_steps(l, k, &start, m->h, limit, plan->watch, &err)) {
            leave_out(l, k, err.message);
        } else {
            used += bytes;
        }
    }
}

typedef struct size_progress {
    const scaling_plan *plan;
    double done, part; /* fractions of the whole: before this size, and for it */
} size_progress;

static void show_share(void *self, double fraction)
{
    const size_progress *t = self;
    watch_item_share(t->plan->progress, t->done + t->part * fraction);
}

/* Time the admitted contenders; ratios where the reference is among them. */
static ph_status time_lines(scaling *s, size_t k, const member *m, const scaling_plan *plan, ph_error *err)
{
    timing_cell *cells = calloc(s->n_lines + 1, sizeof *cells);
    timing_session *session = NULL;
    motion start = member_motion(m);
    size_progress t = {plan, (double)k / (double)s->n_sizes, 1 / (double)s->n_sizes};
    size_t n = 0, reference = 0;
    if (!cells)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < s->n_lines; i++) {
        if (s->lines[i].gone <= k)
            continue;
        if (i == s->reference)
            reference = n;
        cells[n++] = (timing_cell){.contender = s->lines[i].contender,
                                   .h = m->h,
                                   .span = SPAN * m->h,
                                   .settle = SETTLE,
                                   .batch = BATCH};
    }
    for (size_t i = 0; i < n; i++)
        cells[i].reference = reference;
    ph_status status = timing_open(&session, cells, n, &start, ROUNDS_MOST, slice, plan->watch, err);
    if (!status)
        status = timing_burst(session, plan->budget, ROUNDS_LEAST, plan->interrupt, show_share, &t, err);
    n = 0;
    for (size_t i = 0; i < s->n_lines && session; i++) {
        scaling_line *l = &s->lines[i];
        if (l->gone <= k)
            continue;
        l->points[k].time = cells[n++].result;
        if (s->lines[s->reference].gone <= k)
            l->points[k].time.ratio = l->points[k].time.ratio_low = l->points[k].time.ratio_high = NAN;
        if (!scaling_has(l, k) && status != PH_E_INTERRUPTED)
            leave_out(l, k, "no step succeeds here");
    }
    timing_close(session);
    free(cells);
    return status;
}

/* ---- The sweep ----------------------------------------------------------------------------------- */

/* Would building the next member take too long or too much memory? Where the system's own arrays grow with
 * the square of the size, the first sizes show it. */
static int is_too_large(scaling *s, size_t k, const member before[2], const scaling_plan *plan)
{
    if (k < 2)
        return 0;
    double n = (double)s->sizes[k], n1 = (double)before[1].n, n0 = (double)before[0].n;
    double seconds = extrapolate_power(n, n1, before[1].seconds, n0, before[0].seconds, short_time);
    double bytes = extrapolate_power(n, n1, before[1].bytes, n0, before[0].bytes, 1e7),
           memory = memory_bytes();
    if (seconds > limit_at(plan, s->sizes[k]))
        snprintf(s->ended, sizeof s->ended, "n = %zu: building the system would take %.2g s", s->sizes[k],
                 seconds);
    else if (bytes > share_of_memory * memory)
        snprintf(s->ended, sizeof s->ended, "n = %zu: the system would need %.2g GB; the machine has %.2g GB",
                 s->sizes[k], 1e-9 * bytes, 1e-9 * memory);
    return s->ended[0] != '\0';
}

static int any_left(const scaling *s, size_t k)
{
    for (size_t i = 0; i < s->n_lines; i++)
        if (s->lines[i].gone > k)
            return 1;
    return 0;
}

/* Leave out the smallest sizes that the model refuses, as rings of one or two, or where nothing moves, as a single body. */
static void skip_refused(scaling *s, const scaling_plan *plan)
{
    member m;
    ph_error why;
    while (s->n_sizes > 1 && family_build(&m, &s->family, s->sizes[0], plan->h, &why))
        memmove(s->sizes, s->sizes + 1, --s->n_sizes * sizeof *s->sizes);
    if (s->n_sizes > 1)
        member_free(&m);
}

static ph_status run_sizes(scaling *s, const scaling_plan *plan, ph_error *err)
{
    member before[2] = {{0}, {0}};
    ph_status status = PH_OK;
    for (size_t k = 0; k < s->n_sizes && !status && !is_too_large(s, k, before, plan); k++) {
        member m;
        watch_label(plan->progress, "%s: n = %zu", s->family.model->name, s->sizes[k]);
        ph_status refused = family_build(&m, &s->family, s->sizes[k], plan->h, err);
        if (refused == PH_E_SINGULAR || (refused && k == 0))
            return refused; /* there are no results at all */
        if (refused) {
            snprintf(s->ended, sizeof s->ended, "n = %zu: %.400s", s->sizes[k], err->message);
            break;
        }
        s->steps[k] = m.h;
        s->parts[k] = m.parts;
        admit_lines(s, k, &m, plan);
        if (any_left(s, k))
            status = time_lines(s, k, &m, plan, err);
        else
            snprintf(s->ended, sizeof s->ended, "n = %zu: no contender is left", s->sizes[k]);
        member_free(&m);
        before[0] = before[1];
        before[1] = m;
        if (s->ended[0])
            break;
        s->reached = k + 1;
    }
    return status;
}

static void fit_slope(scaling *s, scaling_line *l)
{
    double x[SCALING_SIZES], y[SCALING_SIZES];
    size_t n = 0;
    for (size_t k = 0; k < s->reached; k++)
        if (scaling_has(l, k)) {
            x[n] = (double)s->parts[k];
            y[n++] = l->points[k].time.median;
        }
    size_t first = n / 2;
    if (n >= 2 && n - first < 2)
        first = n - 2;
    l->slope = log_slope(x + first, y + first, n - first);
}

/* Times are relative to those of rk4 with its defaults. */
static size_t choose_reference(const contender *contenders, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(contenders[i].label, "rk4"))
            return i;
    return 0;
}

ph_status scaling_make(scaling *s, const char *model, const contender *contenders, size_t n,
                       const scaling_plan *plan, ph_error *err)
{
    *s = (scaling){.contenders = contenders,
                   .n_lines = n,
                   .reference = choose_reference(contenders, n),
                   .lines = calloc(n + 1, sizeof *s->lines)};
    if (!s->lines)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = family_find(&s->family, model, err);
    if (!status)
        status = scaling_sizes(plan->from, plan->to, s->sizes, &s->n_sizes, err);
    if (!status)
        skip_refused(s, plan);
    for (size_t i = 0; i < n; i++) {
        s->lines[i] = (scaling_line){.contender = &contenders[i], .gone = s->n_sizes, .slope = NAN};
        for (size_t k = 0; k < SCALING_SIZES; k++)
            s->lines[i].points[k].time = no_timing;
    }
    if (!status)
        status = run_sizes(s, plan, err);
    if (status && status != PH_E_INTERRUPTED)
        return status;
    for (size_t i = 0; i < n; i++)
        fit_slope(s, &s->lines[i]);
    s->status = status;
    return PH_OK;
}

void scaling_free(scaling *s)
{
    free(s->lines);
    *s = (scaling){0};
}
