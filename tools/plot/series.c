/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns over time: least and largest value in buckets of rows, so that any number of them is drawn as it is; or one against the other. */
#include "rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1000, AT_ONCE = 4096 };

/* The buckets of one archive: time of its first row, and of each column the least and the largest value. */
static ph_status finish_bucket(table *t, double *row, size_t n, bool *open, ph_error *err)
{
    if (!*open)
        return PH_OK;
    *open = false;
    for (size_t k = 0; k < 2 * n; k++)
        row[1 + k] = isfinite(row[1 + k]) ? row[1 + k] : (double)NAN;
    return table_add(t, row, err);
}

static void enter_row(double *bucket, const double *row, size_t n, bool *open)
{
    if (!*open) {
        bucket[0] = row[0];
        for (size_t k = 0; k < n; k++) {
            bucket[1 + 2 * k] = INFINITY;
            bucket[2 + 2 * k] = -INFINITY;
        }
    }
    *open = true;
    for (size_t k = 0; k < n; k++) {
        bucket[1 + 2 * k] = fmin(bucket[1 + 2 * k], row[1 + k]);
        bucket[2 + 2 * k] = fmax(bucket[2 + 2 * k], row[1 + k]);
    }
}

static ph_status sweep(table *t, ph_rows *rows, int64_t all, size_t n, progress *show, ph_error *err)
{
    const size_t columns = ph_rows_columns(rows);
    const int64_t each = all > BUCKETS ? (all + BUCKETS - 1) / BUCKETS : 1;
    double *values = malloc(AT_ONCE * columns * sizeof *values), bucket[TABLE_COLUMNS];
    bool open = false;
    ph_status status = values ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (int64_t first = 0, read, next; !status && first < all; first = next) {
        const int64_t few = all - first < AT_ONCE ? all - first : AT_ONCE;
        const ph_status found = ph_rows_read(rows, first, few, values, &read, &next, err);
        if (found && found != PH_E_IO)
            status = found;
        else if (*signal_flag())
            status = ph_fail(err, PH_E_INTERRUPTED, "interrupted");
        for (int64_t i = 0; i < read && !status; i++) {
            enter_row(bucket, values + (size_t)i * columns, n, &open);
            if ((first + i + 1) % each == 0)
                status = finish_bucket(t, bucket, n, &open, err);
        }
        if (next <= first)
            break;
        progress_show(show, (double)NAN, next, all, NULL);
    }
    if (!status)
        status = finish_bucket(t, bucket, n, &open, err);
    free(values);
    return status;
}

static void label_column(char *label, size_t size, const ph_rows *rows, size_t i)
{
    const char *unit = ph_rows_unit(rows, i);
    const bool has = unit && *unit && strcmp(unit, "1") != 0;
    snprintf(label, size, has ? "%.60s [%.30s]" : "%.60s", ph_rows_column(rows, i), unit);
}

static ph_status over_time(picture *p, const plot_input *in, size_t run, const char *const *words,
                           size_t n_words, ph_error *err)
{
    const char *all[16] = {"t"};
    ph_rows *rows = NULL;
    if (n_words > 15)
        return ph_fail(err, PH_E_RANGE, "%zu columns or groups of them; at most 15", n_words);
    memcpy(all + 1, words, n_words * sizeof *all);
    ph_status status = ph_rows_open(in->runs[run].info.record, all, n_words + 1, &rows, err);
    if (status)
        return status;
    size_t n = ph_rows_columns(rows) - 1;
    n = n > PANELS_MOST ? PANELS_MOST : n;
    table *t = &p->tables[run];
    table_column(t, "t", "s");
    for (size_t k = 0; k < n; k++) {
        char name[TABLE_NAME];
        for (int side = 0; side < 2; side++) {
            snprintf(name, sizeof name, "%.60s_%s", ph_rows_column(rows, k + 1), side ? "largest" : "least");
            table_column(t, name, ph_rows_unit(rows, k + 1));
        }
        if (k < p->n || !run)
            panel_add(&p->panels[k], (drawn){t, 0, 1 + 2 * k, 2 + 2 * k, LOOK_BAND, run});
        if (!run) {
            label_column(p->panels[k].y_label, sizeof p->panels[k].y_label, rows, k + 1);
            snprintf(p->panels[k].x_label, sizeof p->panels[k].x_label, "%s", k + 1 == n ? "time t [s]" : "");
        }
    }
    if (!run) {
        p->n = n;
        snprintf(p->words, sizeof p->words, "Columns over time%s.",
                 in->runs[run].info.rows > BUCKETS ? ", least and largest of neighbouring rows" : "");
    }
    progress show = progress_start(in->runs[run].file, in->quiet);
    status = sweep(t, rows, in->runs[run].info.rows, n, &show, err);
    progress_end(&show);
    ph_rows_free(rows);
    return status;
}

static ph_status one_against_other(picture *p, const plot_input *in, size_t run, ph_error *err)
{
    chosen c;
    ph_status status = chosen_read(&c, &in->runs[run], in->columns, in->n_columns, true, err);
    if (!status && c.columns != 3)
        status = ph_fail(err, PH_E_RANGE, "--against takes two columns, not %zu", c.columns - 1);
    table *t = &p->tables[run];
    table_column(t, "t", "s");
    for (size_t k = 1; !status && k < 3; k++)
        table_column(t, ph_rows_column(c.rows, k), ph_rows_unit(c.rows, k));
    for (int64_t i = 0; i < c.n && !status; i++)
        status = table_add(t, c.values + (size_t)i * c.columns, err);
    if (!status) {
        p->n = 1;
        panel_add(p->panels, (drawn){t, 2, 1, 0, LOOK_LINE, run});
        label_column(p->panels->x_label, sizeof p->panels->x_label, c.rows, 2);
        label_column(p->panels->y_label, sizeof p->panels->y_label, c.rows, 1);
        snprintf(p->words, sizeof p->words, "%.60s against %.60s in the first rows (at most %d).",
                 ph_rows_column(c.rows, 1), ph_rows_column(c.rows, 2), ROWS_MOST);
    }
    chosen_free(&c);
    return status;
}

ph_status make_columns(picture *p, const plot_input *in, ph_error *err)
{
    *p = (picture){.runs = in->runs, .n_runs = in->n, .stacked = true};
    if (!in->n_columns)
        return ph_fail(err, PH_E_INVALID, "the figure 'columns' takes --columns a,b");
    ph_status status = PH_OK;
    for (size_t i = 0; i < in->n && !status; i++)
        status = in->against ? one_against_other(p, in, i, err)
                             : over_time(p, in, i, in->columns, in->n_columns, err);
    return status;
}

ph_status make_tension(picture *p, const plot_input *in, ph_error *err)
{
    static const char *const words[] = {"tensions"};
    *p = (picture){.runs = in->runs, .n_runs = in->n, .stacked = true};
    ph_status status = PH_OK;
    for (size_t i = 0; i < in->n && !status; i++)
        status = over_time(p, in, i, words, 1, err);
    return status;
}
