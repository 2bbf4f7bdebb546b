/* SPDX-License-Identifier: BSD-3-Clause */
/* Interleaved timing. Each cell follows its own trajectory, slice by slice; cells that are compared cover the
 * same stretch of motion in a turn. Where a step fails, the span is cut to end before it. */
#include "timing.h"
#include "numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const timing no_timing = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0};

typedef struct runner {
    ph_integrator *it;
    ph_state *state;
    int64_t settle, batch; /* as the cell's */
    double span, stretch;  /* [s] of motion: before a restart; in a slice */
    double ns_estimate;
    double *samples; /* (rounds_most) ns a step; NaN where none */
    double usual;    /* ns a step: the first tenth of the samples are below it */
} runner;

struct timing_session {
    timing_cell *cells;
    runner *runners; /* (n) */
    size_t n;
    motion start;
    meter *watch;
    size_t *order;   /* (n) the cells, those of one reference together */
    double *unrest;  /* (n x rounds_most) how disturbed a turn was, by reference cell */
    double *scratch; /* (2 rounds_most) */
    size_t rounds, rounds_most;
    uint64_t seed;
};

/* The time [s] in which the length of a burst is given. */
static double read_clock(const meter *watch)
{
    return watch && watch->price ? meter_now(watch) : meter_wall();
}

static int64_t whole_steps(double span, double h)
{
    double steps = floor(fabs(span / h) * (1 + 1e-12) + 1e-9);
    return steps < 1 ? 1 : (int64_t)fmin(steps, 9e15);
}

/* A failure here will be seen again in the timed steps. */
static void settle_runner(runner *r)
{
    if (r->settle)
        (void)ph_integrator_step(r->it, r->state, r->settle);
}

/* false: there was no memory to set the state, which is where it was. */
static bool restart_runner(runner *r, const motion *start)
{
    if (contender_restart(r->it, r->state, start))
        return false;
    settle_runner(r);
    return true;
}

/* ns a step over `steps` steps; NaN if not even one succeeds. A call that fails is not counted, and the span
 * is cut so that it is not repeated. */
static double run_slice(runner *r, meter *watch, const motion *origin, int64_t steps)
{
    double h = ph_integrator_step_size(r->it), spent = 0, took;
    int64_t left = steps, taken = 0;
    while (left > 0) {
        int64_t room = whole_steps(r->span, h) - r->state->k;
        if (room <= 0 && !restart_runner(r, origin))
            return NAN;
        if (room <= 0)
            continue;
        int64_t n = left < room ? left : room;
        ph_status status = meter_steps(watch, r->it, r->state, n, &took);
        if (status) {
            if (r->state->k <= r->settle)
                return NAN; /* not even one step */
            r->span = fabs(h) * (double)r->state->k;
            if (!restart_runner(r, origin))
                return NAN;
            continue;
        }
        spent += took;
        taken += n;
        left -= n;
    }
    return 1e9 * spent / (double)taken;
}

/* A first estimate: the number of steps is doubled until they take a quarter of a slice. */
static void estimate_time(runner *r, meter *watch, const motion *origin, double slice)
{
    int64_t n = 1;
    do {
        r->ns_estimate = run_slice(r, watch, origin, n);
        n *= 2;
    } while (isfinite(r->ns_estimate) && 1e-9 * r->ns_estimate * (double)n < 0.5 * slice);
    (void)restart_runner(r, origin); /* else the first slice tries it */
}

/* Cells of one reference share the stretch that the cheapest of them needs to fill a slice. */
static void choose_stretches(const timing_cell *cells, runner *runners, size_t n, double slice)
{
    for (size_t i = 0; i < n; i++) {
        double stretch = 0;
        for (size_t j = 0; j < n; j++)
            if (cells[j].reference == cells[i].reference && isfinite(runners[j].ns_estimate))
                stretch = fmax(stretch, fabs(cells[j].h) * slice / (1e-9 * runners[j].ns_estimate));
        /* but a turn must be short: a cell that costs ten times as much covers a tenth as much in each turn
         * */
        double most = 2 * slice / (1e-9 * runners[i].ns_estimate) * fabs(cells[i].h);
        runners[i].stretch = fmin(stretch, most);
    }
}

/* ---- Rounds -------------------------------------------------------------------------------------- */

static void swap_cells(size_t *order, size_t i, size_t j)
{
    size_t t = order[i];
    order[i] = order[j];
    order[j] = t;
}

/* A new order each round, the same in every run, so that no cell always follows the same other; those of one
 * reference stay together. */
static void shuffle_cells(timing_session *s)
{
    for (size_t i = s->n; i-- > 1;) {
        s->seed = s->seed * 6364136223846793005u + 1442695040888963407u;
        swap_cells(s->order, i, (size_t)((s->seed >> 33) % (i + 1)));
    }
    for (size_t i = 1, from = 0; i < s->n;
         i++) { /* move the cells with the reference of order[from] next to it */
        size_t mate = i;
        while (mate < s->n && s->cells[s->order[mate]].reference != s->cells[s->order[from]].reference)
            mate++;
        if (mate < s->n)
            swap_cells(s->order, i, mate);
        else
            from = i;
    }
}

/* The place of an integrator in memory can make its steps slower by a sixth for as long as it stays there:
 * from time to time all are created again elsewhere. One that cannot be moved stays. */
static void relocate_runners(timing_session *s)
{
    for (size_t i = 0; i < s->n; i++) {
        runner *r = &s->runners[i];
        ph_integrator *it;
        ph_state *state;
        ph_error err;
        s->seed = s->seed * 6364136223846793005u + 1442695040888963407u;
        void *gap = malloc(16 + 16 * (size_t)((s->seed >> 33) % 512));
        ph_status status =
            contender_start(s->cells[i].contender, &s->start, s->cells[i].h, &it, &state, &err);
        if (!status) {
            ph_state_copy(state, r->state);
            ph_state_free(r->state);
            ph_integrator_free(r->it);
            r->it = it;
            r->state = state;
            settle_runner(r); /* new memory is slower when it is first used */
        }
        free(gap);
    }
}

static void run_round(timing_session *s)
{
    enum { STAY = 8 };
    size_t round = s->rounds++;
    if (round % STAY == STAY - 1)
        relocate_runners(s);
    shuffle_cells(s);
    for (size_t i = 0; i < s->n; i++) {
        runner *r = &s->runners[s->order[i]];
        r->samples[round] = NAN;
        if (!isfinite(r->ns_estimate))
            continue;
        int64_t steps = whole_steps(r->stretch, ph_integrator_step_size(r->it));
        r->samples[round] = run_slice(r, s->watch, &s->start, steps > r->batch ? steps : r->batch);
    }
}

/* ---- Results ------------------------------------------------------------------------------------- */

/* The p-quantile; sorts x. */
static double quantile(double *x, size_t n, double p)
{
    sort_numbers(x, n);
    return sorted_quantile(x, n, p);
}

/* How disturbed the turns of the cells of one reference were: unrest (rounds) <- in each round the median
 * over these cells of their time, relative to the time that each needs at most in its fastest tenth of turns.
 * Other load on the machine slows all of them; a slow stretch of motion for one of them does not matter. */
static void measure_unrest(timing_session *s, size_t reference)
{
    double *unrest = &s->unrest[reference * s->rounds_most];
    for (size_t i = 0; i < s->n; i++) {
        size_t n = 0;
        for (size_t k = 0; k < s->rounds; k++)
            if (isfinite(s->runners[i].samples[k]))
                s->scratch[n++] = s->runners[i].samples[k];
        s->runners[i].usual = n ? quantile(s->scratch, n, 0.1) : NAN;
    }
    for (size_t k = 0; k < s->rounds; k++) {
        size_t n = 0;
        for (size_t i = 0; i < s->n; i++)
            if (s->cells[i].reference == reference && isfinite(s->runners[i].samples[k]))
                s->scratch[n++] = s->runners[i].samples[k] / s->runners[i].usual;
        unrest[k] = n ? quantile(s->scratch, n, 0.5) : INFINITY;
    }
}

/* Turns count that are at most this disturbed: those about as quiet as the quietest, and in any case a tenth.
 * */
static double quiet_limit(const timing_session *s, size_t reference)
{
    enum { LEAST = 15 }; /* an interval needs that many, however few turns there are */
    static const double about = 1.05;
    double part = fmin(1, fmax(0.1, (double)LEAST / (double)s->rounds));
    memcpy(s->scratch, &s->unrest[reference * s->rounds_most], s->rounds * sizeof *s->scratch);
    double tenth = quantile(s->scratch, s->rounds, part), quietest = quantile(s->scratch, s->rounds, 0.02);
    return fmax(tenth, about * quietest);
}

/* A median's 95 % interval lies between the order statistics n/2 -+ 0.98 sqrt(n) (binomial, p = 1/2). */
static void set_ratio(timing *t, double *ratios, size_t n)
{
    double half = 0.98 * sqrt((double)n), middle = 0.5 * (double)(n - 1);
    t->ratio = quantile(ratios, n, 0.5);
    t->ratio_low = ratios[(size_t)fmax(0, floor(middle - half))];
    t->ratio_high = ratios[(size_t)fmin((double)(n - 1), ceil(middle + half))];
}

static void conclude_cell(timing_session *s, size_t i)
{
    timing_cell *cell = &s->cells[i];
    const timing_cell *measure = &s->cells[cell->reference];
    const double *own = s->runners[i].samples, *other = s->runners[cell->reference].samples;
    const double *unrest = &s->unrest[cell->reference * s->rounds_most];
    double limit = quiet_limit(s, cell->reference), *quiet = s->scratch,
           *ratios = s->scratch + s->rounds_most;
    timing *t = &cell->result;
    size_t n = 0, m = 0;
    *t = no_timing;
    for (size_t k = 0; k < s->rounds; k++)
        if (isfinite(own[k]))
            quiet[n++] = own[k];
    if (!n)
        return;
    t->rounds = n;
    t->all = quantile(quiet, n, 0.5);
    t->least = quiet[0];
    n = 0;
    for (size_t k = 0; k < s->rounds; k++) {
        if (!isfinite(own[k]) || unrest[k] > limit)
            continue;
        quiet[n++] = own[k];
        if (isfinite(other[k]))
            ratios[m++] = own[k] / other[k] * fabs(measure->h / cell->h);
    }
    t->quiet = n;
    if (n) {
        t->median = quantile(quiet, n, 0.5);
        t->low = quantile(quiet, n, 0.25);
        t->high = quantile(quiet, n, 0.75);
    }
    if (m)
        set_ratio(t, ratios, m);
}

/* ---- Sessions ------------------------------------------------------------------------------------ */

static ph_status prepare_runners(timing_session *s, double slice, ph_error *err)
{
    for (size_t i = 0; i < s->n; i++) {
        runner *r = &s->runners[i];
        s->order[i] = i;
        s->cells[i].result = no_timing;
        r->span = s->cells[i].span;
        r->settle = s->cells[i].settle;
        r->batch = s->cells[i].batch;
        r->samples = calloc(s->rounds_most, sizeof *r->samples);
        if (!r->samples)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        ph_status status =
            contender_start(s->cells[i].contender, &s->start, s->cells[i].h, &r->it, &r->state, err);
        if (status)
            return status;
        settle_runner(r);
        estimate_time(r, s->watch, &s->start, slice);
    }
    choose_stretches(s->cells, s->runners, s->n, slice);
    return PH_OK;
}

ph_status timing_open(timing_session **session, timing_cell *cells, size_t n, const motion *start,
                      size_t rounds_most, double slice, meter *watch, ph_error *err)
{
    timing_session *s = calloc(1, sizeof *s);
    *session = NULL;
    if (!s)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *s = (timing_session){.cells = cells,
                          .n = n,
                          .start = *start,
                          .watch = watch,
                          .rounds_most = rounds_most,
                          .seed = 20,
                          .runners = calloc(n + 1, sizeof *s->runners),
                          .order = calloc(n + 1, sizeof *s->order),
                          .unrest = calloc(n * rounds_most + 1, sizeof *s->unrest),
                          .scratch = calloc(2 * rounds_most + 1, sizeof *s->scratch)};
    ph_status status = PH_OK;
    if (!s->runners || !s->order || !s->unrest || !s->scratch)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        status = prepare_runners(s, slice, err);
    if (status)
        timing_close(s);
    else
        *session = s;
    return status;
}

ph_status timing_burst(timing_session *s, double length, size_t rounds_least,
                       const volatile sig_atomic_t *interrupt, void (*progress)(void *self, double fraction),
                       void *self, ph_error *err)
{
    double start = read_clock(s->watch), spent = 0;
    ph_status status = PH_OK;
    for (size_t k = 0; s->rounds < s->rounds_most && (k < rounds_least || spent < length); k++) {
        run_round(s);
        spent = read_clock(s->watch) - start;
        if (progress)
            progress(self, fmin(1, spent / length));
        if (interrupt && *interrupt) {
            status = ph_fail(err, PH_E_INTERRUPTED, "interrupted while methods were timed");
            break;
        }
    }
    for (size_t i = 0; i < s->n; i++)
        if (s->cells[i].reference == i)
            measure_unrest(s, i);
    for (size_t i = 0; i < s->n; i++)
        conclude_cell(s, i);
    return status;
}

void timing_close(timing_session *s)
{
    if (!s)
        return;
    for (size_t i = 0; s->runners && i < s->n; i++) {
        free(s->runners[i].samples);
        ph_state_free(s->runners[i].state);
        ph_integrator_free(s->runners[i].it);
    }
    free(s->runners);
    free(s->order);
    free(s->unrest);
    free(s->scratch);
    free(s);
}
