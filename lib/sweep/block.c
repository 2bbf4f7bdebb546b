/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of members is run by one thread. Members that share their system, method, options and step go side by side where
 * the method has lanes; all others, those with events, with outputs between steps or with a bound on the energy error, and
 * those that fail, run one by one as a run does, so that their rows, status and message are those of that run. */
#include "kit.h"

#include "lib/scenario/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* [s] Steps between two looks at the wish to stop take about so long. */
static const double stretch_seconds = 0.02;

struct ph_sweep_worker {
    ph_sweep *sweep;
    ph_members *members;
    ph_kit kit;    /* of those that go side by side */
    ph_kit single; /* of one by itself, where systems differ */
    /* members that are about to go side by side, in the order of members: */
    size_t n;
    int64_t at[PH_KIT_MOST]; /* their numbers in the block */
    bool redo[PH_KIT_MOST];  /* it failed: it runs again by itself */
    /* where their systems differ, the members themselves and what measures them; else NULL: the kit's */
    ph_scenario *made[PH_KIT_MOST];
    ph_diagnostics *diagnostics[PH_KIT_MOST];
    ph_columns *columns[PH_KIT_MOST];
    double *given; /* (PH_KIT_MOST x (nz + np)) their initial data */
    double t, energy[PH_KIT_MOST];
    int64_t steps, stretch;
    ph_schedule output;
    bool last_only;       /* one row, the last state */
    double *z, *p, *view; /* (nz x members), (np x members) of an ensemble; (nz + np) of one member */
    size_t room;          /* of these, in numbers of one member */
    double *values;       /* of the columns of a row */
    double until;         /* [s] of this thread's CPU time; 0: no bound */
    ph_status (*ask)(ph_sweep *s, ph_error *err); /* is it to end? where there is a bound */
};

/* ---- The worker --------------------------------------------------------------------------------------- */

ph_status ph_sweep_worker_create(ph_sweep *s, bool again, ph_sweep_worker **worker, ph_error *err)
{
    ph_sweep_worker *w = calloc(1, sizeof *w);
    if (!w)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const char *text = again && s->again_text ? s->again_text : s->text;
    const size_t length = text == s->text ? s->length : strlen(text);
    w->sweep = s;
    w->stretch = 1;
    w->values = malloc((s->chosen + 1) * sizeof *w->values);
    ph_status status = w->values
                           ? ph_members_open(text, length, s->source ? s->source : s->name, &w->members, err)
                           : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status)
        ph_sweep_worker_free(w);
    else
        *worker = w;
    return status;
}

/* None waits any more. */
static void forget_waiting(ph_sweep_worker *w)
{
    for (size_t i = 0; i < w->n; i++) {
        ph_columns_free(w->columns[i]);
        ph_diagnostics_free(w->diagnostics[i]);
        ph_scenario_free(w->made[i]);
        w->columns[i] = NULL;
        w->diagnostics[i] = NULL;
        w->made[i] = NULL;
    }
    w->n = 0;
}

void ph_sweep_worker_free(ph_sweep_worker *w)
{
    if (!w)
        return;
    forget_waiting(w);
    ph_kit_free(&w->kit);
    ph_kit_free(&w->single);
    ph_members_free(w->members);
    free(w->given);
    free(w->z);
    free(w->p);
    free(w->view);
    free(w->values);
    free(w);
}

/* What steps a member by itself. */
static ph_kit *kit_alone(ph_sweep_worker *w)
{
    return w->sweep->shared ? &w->kit : &w->single;
}

/* A kit for this member, which is made again for it to keep. */
static ph_status make_kit(ph_sweep_worker *w, ph_kit *kit, int64_t member, ph_error *err)
{
    ph_scenario *own = NULL;
    ph_status status = ph_members_make(w->members, member, &own, err);
    if (!status)
        status = ph_kit_make(kit, w->sweep, own, err);
    const size_t room = status || kit != &w->kit ? 0 : w->kit.nz + w->kit.np;
    if (status || room <= w->room)
        return status;
    free(w->given), free(w->z), free(w->p), free(w->view);
    w->given = malloc(w->kit.most * room * sizeof *w->given);
    w->z = malloc(w->kit.most * room * sizeof *w->z);
    w->p = malloc(w->kit.most * room * sizeof *w->p);
    w->view = malloc(room * sizeof *w->view);
    w->room = w->given && w->z && w->p && w->view ? room : 0;
    return w->room ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

static double cpu_clock(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_halted(const ph_sweep_worker *w)
{
    return atomic_load_explicit(&w->sweep->halt, memory_order_relaxed) ||
           (w->until > 0 && (cpu_clock() >= w->until || w->ask(w->sweep, NULL)));
}

void ph_sweep_worker_bound(ph_sweep_worker *w, double seconds, ph_status (*ask)(ph_sweep *s, ph_error *err))
{
    w->ask = ask;
    w->until = cpu_clock() + seconds;
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static double *row_at(const ph_sweep_worker *w, const ph_member_block *b, int64_t i, int64_t row)
{
    const ph_sweep *s = w->sweep;
    return b->rows + (size_t)(i * s->all.rows + row) * s->n_columns;
}

/* All rows of a member without numbers of a state, yet with its own. */
static ph_status clear_rows(ph_sweep_worker *w, ph_member_block *b, int64_t i, ph_error *err)
{
    const ph_sweep *s = w->sweep;
    double *first = row_at(w, b, i, 0);
    ph_status status = ph_members_values(w->members, ph_block_member(b, i), first + PH_MEMBER_LEADING, err);
    first[PH_MEMBER] = (double)ph_block_member(b, i);
    first[PH_MEMBER_STATUS] = PH_OK;
    first[PH_MEMBER_TIME] = first[PH_MEMBER_STEP] = (double)NAN;
    for (size_t k = PH_MEMBER_LEADING + s->varied; k < s->n_columns; k++)
        first[k] = (double)NAN;
    for (int64_t row = 1; row < s->all.rows; row++)
        memcpy(row_at(w, b, i, row), first, s->n_columns * sizeof *first);
    return status;
}

static void put_row(ph_sweep_worker *w, ph_member_block *b, int64_t i, int64_t row, const ph_columns *columns,
                    const ph_row *from)
{
    const ph_sweep *s = w->sweep;
    double *to = row_at(w, b, i, row);
    ph_columns_values(columns, from, 0, s->chosen, w->values);
    memcpy(to, w->values, 2 * sizeof *to);
    memcpy(to + PH_MEMBER_LEADING + s->varied, w->values + 2, (s->chosen - 2) * sizeof *to);
}

/* A member has ended otherwise than with its last step. */
static void put_status(const ph_sweep_worker *w, ph_member_block *b, int64_t i, ph_status status)
{
    for (int64_t row = 0; row < w->sweep->all.rows; row++)
        row_at(w, b, i, row)[PH_MEMBER_STATUS] = status;
}

/* ---- One by one ------------------------------------------------------------------------------------------ */

/* A member that runs. */
typedef struct course {
    ph_sweep_worker *w;
    ph_kit *kit;
    ph_member_block *b;
    int64_t i, row; /* the member in the block; its next row */
    const ph_state *state;
    ph_events *events;
    ph_monitor *monitor; /* NULL without a bound on the energy error */
    bool last_only;      /* one row, the last state */
    double bound, energy;
    int64_t last_k; /* steps of the row that was written last; -1: none */
    int64_t passes, monitored, steps;
    int64_t counted; /* steps that are in b->done */
    ph_status lost;  /* why the block cannot go on: it had no memory for an event */
} course;

static ph_status measure(course *c, const ph_state *state, ph_measures *m, ph_error *err)
{
    ph_status status = c->monitor && c->monitored != state->k
                           ? ph_monitor_see(c->monitor, state, m)
                           : ph_diagnostics_measure(c->kit->diagnostics, state, m);
    if (status == PH_E_NOT_FINITE)
        return ph_fail(err, PH_E_DIVERGED, "the energy is no longer finite at t = %.10g s", state->t);
    return status ? ph_fail(err, status, "measuring at t = %.10g s: %s", state->t, ph_status_text(status))
                  : PH_OK;
}

static ph_status check_energy(const course *c, const ph_state *state, ph_error *err)
{
    ph_summary summary;
    if (!c->monitor)
        return PH_OK;
    ph_monitor_summary(c->monitor, &summary);
    if (!(fabs(summary.energy_error_final) > c->bound))
        return PH_OK;
    return ph_fail(err, PH_E_INTERRUPTED,
                   "the energy error, %.3g, is beyond the bound %g of stop.energy-error at t = %.10g s",
                   summary.energy_error_final, c->bound, state->t);
}

static ph_status write_row(course *c, const ph_state *state, const ph_measures *m, ph_error *err)
{
    const ph_sweep *s = c->w->sweep;
    const int64_t now = ph_integrator_statistics(c->kit->integrator)->newton_passes;
    const ph_row row = {state, m, c->energy, now - c->passes};
    if (!c->last_only && c->row >= s->all.rows)
        return ph_fail(err, PH_E_SIZE, "has more than %lld rows, which each member has in the archive",
                       (long long)s->all.rows);
    put_row(c->w, c->b, c->i, c->last_only ? 0 : c->row, c->kit->columns, &row);
    c->row++;
    c->passes = now;
    c->last_k = state->k;
    return PH_OK;
}

/* The observer, as that of a session: a row for each output. */
static ph_status see(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    course *c = self;
    ph_measures m;
    ph_status status = PH_OK;
    (void)total;
    if (state->z != c->state->z) { /* inside a step */
        if (c->monitored != c->state->k)
            status = measure(c, c->state, &m, err);
        c->monitored = c->state->k;
        if (!status && ph_diagnostics_measure(c->kit->diagnostics, state, &m))
            m.energy = m.kinetic = m.potential = (double)NAN;
        return status ? status : write_row(c, state, &m, err);
    }
    status = measure(c, state, &m, err);
    if (!status && done == 0)
        c->energy = m.energy;
    if (!status)
        status = write_row(c, state, &m, err);
    return status || done >= c->steps ? status : check_energy(c, state, err);
}

/* The watch: does the whole sweep end? */
static ph_status watch(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    course *c = self;
    (void)total;
    atomic_fetch_add_explicit(&c->b->done, done - c->counted, memory_order_relaxed);
    c->counted = done;
    if (is_halted(c->w))
        return ph_fail(err, PH_E_INTERRUPTED, "the sweep ends");
    return done < c->steps && c->monitored == done ? check_energy(c, state, err) : PH_OK;
}

static ph_status found(void *self, const ph_occurrence *o, ph_error *err)
{
    course *c = self;
    c->lost =
        ph_block_add_event(c->b, ph_block_member(c->b, c->i), ph_events_name(c->events, o->event), o, err);
    return c->lost;
}

/* What else its run needs: events, a bound, outputs between steps. */
static ph_status equip(course *c, const ph_scenario *sc, ph_schedule *output, ph_error *err)
{
    size_t n = 0;
    ph_error why;
    ph_kit *k = c->kit;
    const double h = ph_scenario_step_size(sc), t0 = ph_scenario_time(sc);
    const ph_event *events = ph_scenario_events(sc, &n);
    const ph_event_sink sink = {found, c};
    ph_status status = PH_OK;
    c->bound = ph_scenario_energy_bound(sc);
    c->last_only = sc->output_by_length;
    if (c->last_only && isinf(c->bound))
        *output = (ph_schedule){.kind = PH_EVERY_STEPS, .steps = c->steps};
    if (isfinite(c->bound))
        status = ph_monitor_create(k->diagnostics, t0, t0 + h * (double)c->steps, &c->monitor, err);
    if (!status && n)
        status = ph_events_create(k->integrator, events, n, &sink, &c->events, err);
    if (status || !ph_schedule_is_dense(output, h))
        return status;
    status = ph_schedule_check(output, h, &why);
    if (!status && !k->dense)
        status = ph_dense_create(k->integrator, &k->dense, &why);
    return status ? ph_fail(err, status, "output: %.400s", why.message) : PH_OK;
}

/* A member that failed, of which the last state alone is kept: that is the one which its last whole step led to. Its energy may not be
 * finite. */
static void write_last(course *c)
{
    ph_measures m;
    if (!c->last_only || c->last_k < 0 || c->last_k == c->state->k)
        return;
    if (ph_diagnostics_measure(c->kit->diagnostics, c->state, &m))
        m.energy = m.kinetic = m.potential = (double)NAN;
    (void)write_row(c, c->state, &m, NULL);
}

/* Runs a member for which there is a kit; its rows are clear. */
static ph_status run_member(course *c, const ph_scenario *sc, ph_error *err)
{
    ph_kit *k = c->kit;
    ph_run_report report = {0};
    ph_schedule output = *ph_scenario_output(sc);
    const ph_observer observer = {see, c};
    const ph_watch watcher = {watch, c};
    ph_status status = equip(c, sc, &output, err);
    if (!status)
        status = ph_state_set(k->integrator, k->state, ph_scenario_time(sc), ph_scenario_configuration(sc),
                              ph_scenario_momentum(sc), PH_STRICT, err);
    const ph_run_plan plan = {.steps = c->steps,
                              .output = output,
                              .dense =
                                  ph_schedule_is_dense(&output, ph_scenario_step_size(sc)) ? k->dense : NULL,
                              .observers = &observer,
                              .n_observers = 1,
                              .watch = &watcher,
                              .events = c->events};
    if (!status)
        status = ph_run(k->integrator, k->state, &plan, &report, err);
    if (status && status != PH_E_STOPPED && !is_halted(c->w))
        write_last(c);
    c->b->steps += report.steps;
    atomic_fetch_add_explicit(&c->b->done, report.steps - c->counted, memory_order_relaxed);
    return status;
}

/* The member has ended: what the block keeps of that; also of one that is too large for the memory, so that the others run.
 * The wish to stop ends the block. */
static ph_status note_end(ph_sweep_worker *w, ph_member_block *b, int64_t i, double t, ph_status status,
                          const ph_error *why, ph_error *err)
{
    if (is_halted(w))
        return ph_fail(err, PH_E_INTERRUPTED, "%s", why->message);
    put_status(w, b, i, status);
    if (status != PH_E_STOPPED)
        return ph_block_add_failure(b, ph_block_member(b, i), status, t, why->message, err);
    b->stopped++;
    return PH_OK;
}

/* A member by itself. sc: it, or NULL: to be made. */
static ph_status run_alone(ph_sweep_worker *w, ph_member_block *b, int64_t i, ph_scenario *sc, ph_error *err)
{
    const int64_t member = ph_block_member(b, i);
    ph_error why = {PH_OK, ""};
    ph_kit *k = kit_alone(w);
    course c = {.w = w, .kit = k, .b = b, .i = i, .last_k = -1, .monitored = -1};
    ph_status status = clear_rows(w, b, i, &why);
    if (!status && !sc)
        status = ph_members_make(w->members, member, &sc, &why);
    if (!status && !ph_scenario_is_settled(sc))
        status = ph_fail(&why, PH_E_UNSUPPORTED, "has no method or no step: in a sweep they are not chosen");
    if (!status && !ph_kit_suits(k, sc, w->sweep->shared))
        status = make_kit(w, k, member, &why);
    if (!status) {
        c.state = k->state;
        c.steps = ph_scenario_steps(sc);
        c.passes = ph_integrator_statistics(k->integrator)->newton_passes;
        const int64_t before = c.passes;
        status = run_member(&c, sc, &why);
        b->passes += ph_integrator_statistics(k->integrator)->newton_passes - before;
    }
    ph_events_free(c.events);
    ph_monitor_free(c.monitor);
    ph_scenario_free(sc);
    if (c.lost)
        return ph_fail(err, c.lost, "%s", why.message);
    return status ? note_end(w, b, i, c.last_k < 0 ? (double)NAN : c.state->t, status, &why, err) : PH_OK;
}

/* ---- Side by side ------------------------------------------------------------------------------------------ */

/* May members of this kind go side by side at all? */
static bool may_join(const ph_sweep_worker *w, const ph_scenario *sc)
{
    size_t events = 0;
    (void)ph_scenario_events(sc, &events);
    return !w->sweep->passes && !events && ph_scenario_is_settled(sc) &&
           isinf(ph_scenario_energy_bound(sc)) &&
           !ph_schedule_is_dense(ph_scenario_output(sc), ph_scenario_step_size(sc));
}

/* Does the kit's kind suit it? */
static bool suits(const ph_sweep_worker *w, const ph_scenario *sc)
{
    return w->sweep->shared ? ph_kit_suits(&w->kit, sc, true) : ph_kit_joins(&w->kit, sc);
}

/* Is it of the kind of those that are waiting? */
static bool joins(const ph_sweep_worker *w, const ph_scenario *sc)
{
    const ph_schedule *o = ph_scenario_output(sc);
    return w->n < w->kit.most && may_join(w, sc) && suits(w, sc) && ph_scenario_steps(sc) == w->steps &&
           ph_scenario_time(sc) == w->t && o->kind == w->output.kind && o->steps == w->output.steps &&
           o->interval == w->output.interval && sc->output_by_length == w->last_only;
}

/* What measures a member whose system is its own. */
static bool equip_member(ph_sweep_worker *w, size_t i, ph_scenario *sc)
{
    size_t n;
    ph_error why;
    const char *const *words = ph_scenario_columns(w->sweep->first, &n);
    const ph_system *system = ph_scenario_system(sc);
    return !ph_scenario_compile(sc, &why) && !ph_diagnostics_create(system, &w->diagnostics[i], &why) &&
           !ph_columns_create_trajectory(system, words, n, &w->columns[i], &why) &&
           !ph_kit_check_columns(w->sweep, w->columns[i], n > 0, &why);
}

/* The member waits; it is freed now, or with those that wait. */
static void add_member(ph_sweep_worker *w, int64_t i, ph_scenario *sc)
{
    const ph_kit *k = &w->kit;
    double *to = w->given + w->n * (k->nz + k->np);
    memcpy(to, ph_scenario_configuration(sc), k->nz * sizeof *to);
    if (k->np)
        memcpy(to + k->nz, ph_scenario_momentum(sc), k->np * sizeof *to);
    w->steps = ph_scenario_steps(sc);
    w->t = ph_scenario_time(sc);
    w->output = *ph_scenario_output(sc);
    w->last_only = sc->output_by_length;
    w->at[w->n] = i;
    w->made[w->n] = w->sweep->shared ? NULL : sc;
    w->diagnostics[w->n] = NULL;
    w->columns[w->n] = NULL;
    w->redo[w->n] = !w->sweep->shared && !equip_member(w, w->n, sc);
    w->n++;
    if (w->sweep->shared)
        ph_scenario_free(sc);
}

/* The states of so many members from `from` on become rows; those that have failed, or whose energy is not finite, are to
 * run again by themselves. row < 0: none is written. */
static void look(ph_sweep_worker *w, ph_member_block *b, const ph_ensemble *e, size_t from, size_t n,
                 int64_t row)
{
    ph_kit *k = &w->kit;
    const size_t size = ph_ensemble_members(e);
    ph_measures m;
    ph_ensemble_get(e, w->z, w->p);
    for (size_t i = 0; i < n; i++) {
        ph_diagnostics *own = w->diagnostics[from + i] ? w->diagnostics[from + i] : k->diagnostics;
        ph_state state = {.t = ph_ensemble_time(e, i),
                          .k = ph_ensemble_steps(e, i),
                          .z = w->view,
                          .p = w->view + k->nz,
                          .nz = k->nz,
                          .np = k->np};
        for (size_t j = 0; j < k->nz; j++)
            state.z[j] = w->z[j * size + i];
        for (size_t j = 0; j < k->np; j++)
            state.p[j] = w->p[j * size + i];
        if (w->redo[from + i] || ph_ensemble_status(e, i) || ph_diagnostics_measure(own, &state, &m)) {
            w->redo[from + i] = true;
            continue;
        }
        if (!state.k)
            w->energy[from + i] = m.energy;
        const ph_row numbers = {&state, &m, w->energy[from + i], 0};
        if (row >= 0)
            put_row(w, b, w->at[from + i], row, w->columns[from + i] ? w->columns[from + i] : k->columns,
                    &numbers);
    }
}

/* n steps, in stretches, of an ensemble with so many members of the block. PH_E_INTERRUPTED: the sweep ends. */
static ph_status advance(ph_sweep_worker *w, ph_member_block *b, ph_ensemble *e, size_t members, int64_t n)
{
    while (n > 0) {
        if (is_halted(w))
            return PH_E_INTERRUPTED;
        const int64_t part = n < w->stretch ? n : w->stretch;
        const double start = cpu_clock();
        (void)ph_ensemble_step(e, part); /* members that fail are found by look */
        const double taken = cpu_clock() - start;
        if (taken > stretch_seconds && w->stretch > 1)
            w->stretch /= 2;
        else if (taken < 0.25 * stretch_seconds && part == w->stretch)
            w->stretch *= 2;
        atomic_fetch_add_explicit(&b->done, part * (int64_t)members, memory_order_relaxed);
        n -= part;
    }
    return PH_OK;
}

/* Members from ... from + n - 1 of those that wait, by an ensemble; it has copies of the first in place of those that are
 * missing. */
static ph_status run_ensemble(ph_sweep_worker *w, ph_member_block *b, ph_ensemble *e, size_t from, size_t n,
                              ph_error *err)
{
    const ph_kit *k = &w->kit;
    const size_t size = ph_ensemble_members(e), numbers = k->nz + k->np;
    const double h = ph_integrator_step_size(k->integrator);
    for (size_t i = 0; i < size; i++) {
        const double *own = w->given + (from + (i < n ? i : 0)) * numbers;
        for (size_t j = 0; j < k->nz; j++)
            w->z[j * size + i] = own[j];
        for (size_t j = 0; j < k->np; j++)
            w->p[j * size + i] = own[k->nz + j];
    }
    if (ph_ensemble_set(e, w->t, w->z, w->p, PH_STRICT, err)) {
        for (size_t i = 0; i < n; i++) /* each by itself says what is wrong with which */
            w->redo[from + i] = true;
        return PH_OK;
    }
    int64_t row = 0;
    look(w, b, e, from, n, w->last_only ? -1 : row++);
    for (int64_t done = 0, next; done < w->steps; done = next) {
        next = w->last_only ? w->steps : ph_schedule_next(&w->output, h, done);
        next = next < w->steps ? next : w->steps;
        if (advance(w, b, e, n, next - done))
            return ph_fail(err, PH_E_INTERRUPTED, "the sweep ends");
        look(w, b, e, from, n, row++);
    }
    for (size_t i = 0; i < n; i++) /* the others run again, and count then */
        b->steps += w->redo[from + i] ? 0 : w->steps;
    return PH_OK;
}

/* *e <- an ensemble for the members from `from` on. */
static ph_status make_ensemble(ph_sweep_worker *w, size_t from, ph_ensemble **e, ph_error *err)
{
    const ph_system *systems[PH_KIT_MOST];
    const size_t left = w->n - from, size = ph_kit_size(&w->kit, left);
    for (size_t i = 0; i < size && !w->sweep->shared; i++)
        systems[i] = ph_scenario_system(w->made[from + (i < left ? i : 0)]);
    return ph_kit_ensemble(&w->kit, size, w->sweep->shared ? NULL : systems, e, err);
}

/* The members that wait are run: side by side, and those that fail in that by themselves. */
static ph_status run_waiting(ph_sweep_worker *w, ph_member_block *b, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < w->n && !status; i++)
        status = clear_rows(w, b, w->at[i], err);
    for (size_t from = 0, n = 0; from < w->n && !status; from += n) {
        ph_ensemble *e = NULL;
        status = make_ensemble(w, from, &e, err);
        if (status) { /* each by itself says why not */
            for (; from < w->n; from++)
                w->redo[from] = true;
            status = PH_OK;
        }
        if (!e)
            break;
        const size_t size = ph_ensemble_members(e), left = w->n - from;
        n = size < left ? size : left;
        status = run_ensemble(w, b, e, from, n, err);
    }
    for (size_t i = 0; i < w->n && !status; i++)
        if (w->redo[i])
            status = run_alone(w, b, w->at[i], NULL, err);
    if (!w->sweep->shared && w->kit.lanes == 1)
        ph_kit_drop_ensembles(&w->kit);
    forget_waiting(w);
    return status;
}

/* A member joins those that wait, or they run, and then it, by itself or as the first of others. It is freed. */
static ph_status take_member(ph_sweep_worker *w, ph_member_block *b, int64_t i, ph_scenario *sc,
                             ph_error *err)
{
    ph_error why;
    if (w->n && joins(w, sc)) {
        add_member(w, i, sc);
        return PH_OK;
    }
    ph_status status = w->n ? run_waiting(w, b, err) : PH_OK;
    if (status) {
        ph_scenario_free(sc);
        return status;
    }
    /* where there can be no kit, or it has too many rows, its run says so */
    if (may_join(w, sc) && ph_sweep_rows(sc) <= w->sweep->all.rows &&
        (suits(w, sc) || !make_kit(w, &w->kit, ph_block_member(b, i), &why)) && w->kit.lanes > 1) {
        atomic_store_explicit(&w->sweep->lanes, w->kit.lanes, memory_order_relaxed);
        add_member(w, i, sc);
        return PH_OK;
    }
    return run_alone(w, b, i, sc, err);
}

/* ---- The block --------------------------------------------------------------------------------------------- */

void ph_sweep_worker_run(ph_sweep_worker *w, ph_member_block *b)
{
    ph_status status = PH_OK;
    const double start = cpu_clock();
    for (int64_t i = 0; i < b->count && !status; i++) {
        ph_scenario *sc = NULL;
        ph_error why = {PH_OK, ""};
        if (is_halted(w))
            status = ph_fail(&b->error, PH_E_INTERRUPTED, "the sweep ends");
        else if (ph_members_make(w->members, ph_block_member(b, i), &sc, &why)) {
            status = w->n ? run_waiting(w, b, &b->error) : PH_OK; /* it may need another kit than they */
            if (!status)
                status = run_alone(w, b, i, NULL, &b->error); /* which finds the same */
        } else
            status = take_member(w, b, i, sc, &b->error);
    }
    if (w->n && !status)
        status = run_waiting(w, b, &b->error);
    forget_waiting(w);
    if (!status && is_halted(w))
        status = ph_fail(&b->error, PH_E_INTERRUPTED, "the sweep ends");
    b->status = status;
    b->cpu_seconds = fmax(0, cpu_clock() - start);
}
