/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterations (Newton's, or sweeps): their mean and the largest number over time, and how many steps take how many. */
#include "buckets.h"
#include "figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 64 }; /* numbers of iterations that have a bar; the last one has all that is beyond */

/* Of one archive. */
typedef struct iterations {
    ph_rows *rows; /* NULL: it lacks the columns */
    buckets buckets;
    double steps_before; /* NaN: no row yet */
    double steps[KINDS], all, sum, most;
    bool means; /* is there a row of several steps? Then the share is of their mean, rounded. */
} iterations;

/* A row: t, step, newton_passes, which are those since the row before. */
static ph_status enter_row(void *self, const double *row, ph_error *err)
{
    iterations *s = self;
    const double steps = row[1] - s->steps_before, each = row[2] / steps;
    (void)err;
    s->steps_before = row[1];
    if (!(steps > 0) || !(each >= 0) || !isfinite(each))
        return PH_OK;
    buckets_enter(&s->buckets, row[0], &each);
    s->steps[each < KINDS - 1 ? (size_t)(each + 0.5) : KINDS - 1] += steps;
    s->all += steps;
    s->sum += row[2];
    s->most = fmax(s->most, each);
    s->means = s->means || steps > 1;
    return PH_OK;
}

/* The row before the next one is missing. */
static void lose_row(void *self, int64_t rows, const ph_error *why)
{
    iterations *s = self;
    (void)rows;
    (void)why;
    s->steps_before = NAN;
}

static ph_status fill_tables(picture *p, const iterations *s, size_t run, ph_error *err)
{
    table *t = &p->tables[run], *shares = &p->others[run];
    ph_status status = PH_OK;
    table_column(t, "t", "s");
    table_column(t, "newton_passes_per_step_mean", NULL);
    table_column(t, "newton_passes_per_step_largest", NULL);
    table_column(shares, "newton_passes_per_step", NULL);
    table_column(shares, "share_of_steps", NULL);
    for (size_t i = 0; i < s->buckets.n && !status; i++)
        status = table_add(
            t, (double[]){s->buckets.t[i], buckets_mean(&s->buckets, i, 0), buckets_most(&s->buckets, i, 0)},
            err);
    for (size_t k = 0; k < KINDS && !status; k++)
        if (s->steps[k] > 0)
            status = table_add(shares, (double[]){(double)k, s->steps[k] / s->all}, err);
    return status;
}

static void draw_run(picture *p, const iterations *s, size_t run)
{
    const double n = (double)p->n_runs, width = 0.8 / n;
    if (s->buckets.each > 1)
        panel_add(&p->panels[0], (drawn){.of = &p->tables[run], .y = 2, .look = LOOK_FAINT, .run = run});
    panel_add(&p->panels[0], (drawn){.of = &p->tables[run], .y = 1, .look = LOOK_LINE, .run = run});
    panel_add(&p->panels[1], (drawn){.of = &p->others[run],
                                     .y = 1,
                                     .look = LOOK_BARS,
                                     .run = run,
                                     .width = width,
                                     .shift = ((double)run - (n - 1) / 2) * width});
}

static void say_run(picture *p, const iterations *s, const archived *a)
{
    if (!(s->most > 0))
        picture_say(p, "%.240s: no iterations.", a->label);
    else
        picture_say(p, "%.240s: %.2f iterations for a step on average, at most %.4g%s.", a->label,
                    s->sum / s->all, s->most, s->means ? " (means of the steps between two rows)" : "");
}

/* Why a thinned copy has no number of iterations for a step. */
static const char since_lost[] = "are those since a row that it does not have";

static void say_uncounted(picture *p, const archived *a)
{
    picture_say(p, "%.240s: left out: a copy with %s, of which newton_passes %s.", a->label, a->thinned,
                since_lost);
}

static ph_status open_run(making *m, size_t run, ph_error *err)
{
    static const char *const words[] = {"step", "newton_passes"};
    iterations *s = (iterations *)m->own + run;
    s->steps_before = NAN;
    if (*m->in->runs[run].thinned)
        return PH_OK;
    const ph_status status = sweep_open(m->in->runs[run].info.record, words, 2, &s->rows, err);
    if (status)
        return status == PH_E_UNSUPPORTED || status == PH_E_UNKNOWN ? PH_OK : status;
    m->watchers[run] = (watcher){.rows = s->rows, .enter = enter_row, .gap = lose_row, .self = s};
    return buckets_start(&s->buckets, 1, err);
}

static void lay_panels(picture *p)
{
    panel *over_time = &p->panels[0], *shares = &p->panels[1];
    p->n = 2;
    p->other = "shares";
    snprintf(over_time->x_label, sizeof over_time->x_label, "time t [s]");
    snprintf(over_time->y_label, sizeof over_time->y_label, "iterations for a step");
    snprintf(shares->x_label, sizeof shares->x_label, "iterations for a step");
    snprintf(shares->y_label, sizeof shares->y_label, "share of the steps");
    over_time->from_zero = shares->from_zero = shares->whole_x = over_time->ends = true;
}

static ph_status begin_newton(making *m, ph_error *err)
{
    const iterations *all = m->own;
    const archived *thinned = NULL;
    for (size_t i = 0; i < m->in->n; i++) {
        if (all[i].rows) {
            lay_panels(&m->picture);
            return PH_OK;
        }
        thinned = *m->in->runs[i].thinned ? &m->in->runs[i] : thinned;
    }
    if (thinned)
        return ph_fail(err, PH_E_UNSUPPORTED, "%s: a copy with %s, of which newton_passes %s", thinned->file,
                       thinned->thinned, since_lost);
    return ph_fail(err, PH_E_UNSUPPORTED, "%s: the columns step and newton_passes are not both there",
                   m->in->runs->file);
}

static ph_status fill_newton(making *m, size_t run, ph_error *err)
{
    const iterations *s = (iterations *)m->own + run;
    picture *p = &m->picture;
    if (*m->in->runs[run].thinned)
        say_uncounted(p, &m->in->runs[run]);
    if (!(s->all > 0))
        return PH_OK;
    const ph_status status = fill_tables(p, s, run, err);
    if (s->most > 0)
        draw_run(p, s, run);
    say_run(p, s, &m->in->runs[run]);
    return status;
}

static void close_run(void *own)
{
    iterations *s = own;
    ph_rows_free(s->rows);
    buckets_free(&s->buckets);
}

const figure_steps steps_newton = {.size = sizeof(iterations),
                                   .open = open_run,
                                   .begin = begin_newton,
                                   .fill = fill_newton,
                                   .close = close_run};
