/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns over time: least and largest value in buckets of rows, so that any number of them is drawn as it is. */
#include "buckets.h"
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns of one archive, bucket by bucket. */
typedef struct series {
    ph_rows *rows;
    size_t n; /* columns behind t */
    buckets buckets;
} series;

static ph_status enter_row(void *self, const double *row, ph_error *err)
{
    series *s = self;
    (void)err;
    buckets_enter(&s->buckets, row[0], row + 1);
    return PH_OK;
}

static ph_status fill_table(table *t, const series *s, ph_error *err)
{
    double row[TABLE_COLUMNS];
    ph_status status = PH_OK;
    table_column(t, "t", "s");
    for (size_t k = 0; k < s->n; k++)
        for (int side = 0; side < 2; side++) {
            char name[TABLE_NAME];
            snprintf(name, sizeof name, "%.60s_%s", ph_rows_column(s->rows, k + 1),
                     side ? "largest" : "least");
            table_column(t, name, ph_rows_unit(s->rows, k + 1));
        }
    for (size_t i = 0; i < s->buckets.n && !status; i++) {
        row[0] = s->buckets.t[i];
        for (size_t k = 0; k < s->n; k++) {
            row[1 + 2 * k] = buckets_least(&s->buckets, i, k);
            row[2 + 2 * k] = buckets_most(&s->buckets, i, k);
        }
        status = table_add(t, row, err);
    }
    return status;
}

static void lay_panels(picture *p, const series *s, const char *what)
{
    p->n = s->n;
    for (size_t k = 0; k < s->n; k++) {
        panel *at = &p->panels[k];
        at->ends = true;
        picture_axis(at->y_label, sizeof at->y_label, ph_rows_column(s->rows, k + 1),
                     ph_rows_unit(s->rows, k + 1));
        snprintf(at->x_label, sizeof at->x_label, "%s", k + 1 == s->n ? "time t [s]" : "");
    }
    snprintf(p->words, sizeof p->words, "%s over time, all %lld rows%s.", what, (long long)s->buckets.entered,
             s->buckets.each > 1 ? ", least and largest of neighbouring ones" : "");
}

static ph_status over_time(picture *p, const plot_input *in, size_t run, const char *const *words,
                           size_t n_words, const char *what, ph_error *err)
{
    series s = {0};
    ph_status status = sweep_open(&in->runs[run], words, n_words, &s.rows, err);
    if (status)
        return status;
    s.n = ph_rows_columns(s.rows) - 1;
    if (s.n > PANELS_MOST)
        status = ph_fail(err, PH_E_RANGE,
                         "%zu columns, and a figure has up to %d panels; name fewer by --columns, as %s,%s",
                         s.n, PANELS_MOST, ph_rows_column(s.rows, 1), ph_rows_column(s.rows, s.n));
    if (!status)
        status = buckets_start(&s.buckets, s.n, err);
    if (!status)
        status = sweep(in, run, s.rows, enter_row, &s, err);
    if (!status)
        status = fill_table(&p->tables[run], &s, err);
    if (!status && !run)
        lay_panels(p, &s, what);
    for (size_t k = 0; !status && k < s.n && k < p->n; k++)
        panel_add(
            &p->panels[k],
            (drawn){.of = &p->tables[run], .y = 1 + 2 * k, .y2 = 2 + 2 * k, .look = LOOK_BAND, .run = run});
    buckets_free(&s.buckets);
    ph_rows_free(s.rows);
    return status;
}

static ph_status make_series(picture *p, const plot_input *in, const char *const *words, size_t n,
                             const char *what, ph_error *err)
{
    *p = (picture){.runs = in->runs, .n_runs = in->n, .stacked = true};
    ph_status status = PH_OK;
    for (size_t i = 0; i < in->n && !status; i++)
        status = over_time(p, in, i, words, n, what, err);
    return status;
}

ph_status make_columns(picture *p, const plot_input *in, ph_error *err)
{
    if (!in->n_columns)
        return ph_fail(err, PH_E_INVALID, "the figure 'columns' takes --columns a,b");
    return in->against ? make_against(p, in, err)
                       : make_series(p, in, in->columns, in->n_columns, "Columns", err);
}

ph_status make_tension(picture *p, const plot_input *in, ph_error *err)
{
    return make_series(p, in, (const char *const[]){"tensions"}, 1, "Tensions", err);
}

ph_status make_drift(picture *p, const plot_input *in, ph_error *err)
{
    const ph_status status =
        make_series(p, in, (const char *const[]){"energy_error"}, 1, "The energy error with its sign", err);
    if (!status) {
        const char *unit = strchr(p->panels->y_label, '[');
        char label[sizeof p->panels->y_label];
        snprintf(label, sizeof label, "energy error%s%.60s", unit ? " " : "", unit ? unit : "");
        memcpy(p->panels->y_label, label, sizeof label);
        p->panels->with_zero = true;
    }
    return status;
}
