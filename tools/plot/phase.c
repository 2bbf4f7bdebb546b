/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase portraits, and Poincare sections: what was found at events. */
#include "rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_BY_SIDE = 3, EVENTS_MOST = 20000 };

static void label_axis(char *label, size_t size, const char *name, const char *unit)
{
    if (unit && *unit && strcmp(unit, "1") != 0)
        snprintf(label, size, "%.60s [%.30s]", name, unit);
    else
        snprintf(label, size, "%.60s", name);
}

/* ---- Phase portraits ------------------------------------------------------------------------------------- */

/* The momentum of the first rotation in the body frame, in three projections. */
static size_t body_pairs(const ph_rows *rows, pair *pairs)
{
    long at = -1;
    for (size_t i = 0; i + 2 < ph_rows_columns(rows) && at < 0; i++)
        if (!strncmp(ph_rows_column(rows, i), "Pi", 2))
            at = (long)i;
    for (long k = 0; at >= 0 && k < 3; k++) {
        pair *p = &pairs[k];
        *p = (pair){.x = at + (k == 2), .x2 = -1, .y = at + 1 + (k > 0)};
        snprintf(p->x_name, sizeof p->x_name, "%.40s", ph_rows_column(rows, (size_t)p->x));
        snprintf(p->y_name, sizeof p->y_name, "%.40s", ph_rows_column(rows, (size_t)p->y));
        p->x_unit = ph_rows_unit(rows, (size_t)p->x);
        p->y_unit = ph_rows_unit(rows, (size_t)p->y);
    }
    return at >= 0 ? 3 : 0;
}

static ph_status add_portrait(picture *p, size_t run, const chosen *c, const pair *pairs, size_t n,
                              bool angle_jumps, ph_error *err)
{
    table *t = &p->tables[run];
    double row[TABLE_COLUMNS];
    ph_status status = PH_OK;
    table_column(t, "t", "s");
    for (size_t k = 0; k < n; k++) {
        table_column(t, pairs[k].x_name, pairs[k].x_unit);
        table_column(t, pairs[k].y_name, pairs[k].y_unit);
        panel_add(&p->panels[k],
                  (drawn){t, 1 + 2 * k, 2 + 2 * k, 0, angle_jumps ? LOOK_DOTS : LOOK_LINE, run});
    }
    for (int64_t i = 0; i < c->n && !status; i++) {
        const double *from = c->values + (size_t)i * c->columns;
        row[0] = from[0];
        for (size_t k = 0; k < n; k++) {
            row[1 + 2 * k] = pair_coordinate(&pairs[k], from);
            row[2 + 2 * k] = from[pairs[k].y];
        }
        status = table_add(t, row, err);
    }
    return status;
}

static ph_status portray(picture *p, const plot_input *in, size_t run, ph_error *err)
{
    static const char *const words[] = {"configuration", "momentum"}, *const alone[] = {"configuration"};
    pair pairs[PAIRS_MOST];
    chosen c;
    ph_status status = chosen_read(&c, &in->runs[run], words, 2, true, err);
    if (status == PH_E_UNKNOWN || status == PH_E_INVALID) { /* phase spaces have no momenta */
        chosen_free(&c);
        status = chosen_read(&c, &in->runs[run], alone, 1, true, err);
    }
    if (!status) {
        size_t n = body_pairs(c.rows, pairs);
        const bool body = n > 0;
        if (!body)
            n = find_pairs(c.rows, 0, pairs);
        n = n > SIDE_BY_SIDE ? SIDE_BY_SIDE : n;
        if (!n)
            status =
                ph_fail(err, PH_E_UNSUPPORTED, "%s: it has no factor with a portrait", in->runs[run].file);
        if (!status && !run) {
            p->n = n;
            for (size_t k = 0; k < n; k++) {
                label_axis(p->panels[k].x_label, sizeof p->panels[k].x_label, pairs[k].x_name,
                           pairs[k].x_unit);
                label_axis(p->panels[k].y_label, sizeof p->panels[k].y_label, pairs[k].y_name,
                           pairs[k].y_unit);
                p->panels[k].equal = body;
            }
            snprintf(p->words, sizeof p->words, "%s in the first rows (at most %d).",
                     body ? "The angular momentum of the first body in its frame"
                          : "Coordinates and momenta of the first factors",
                     ROWS_MOST);
        }
        if (!status)
            status = add_portrait(p, run, &c, pairs, n < p->n ? n : p->n, !body && pairs->x2 >= 0, err);
    }
    chosen_free(&c);
    return status;
}

ph_status make_phase(picture *p, const plot_input *in, ph_error *err)
{
    *p = (picture){.runs = in->runs, .n_runs = in->n};
    ph_status status = PH_OK;
    for (size_t i = 0; i < in->n && !status; i++)
        status = portray(p, in, i, err);
    return status;
}

/* ---- Sections ------------------------------------------------------------------------------------------------ */

/* Which two numbers: those of --columns, or the last pair. */
static ph_status choose_pair(const plot_input *in, const ph_rows *rows, pair *chosen_pair, ph_error *err)
{
    pair pairs[PAIRS_MOST];
    const size_t n = find_pairs(rows, 0, pairs);
    if (in->n_columns == 2) {
        long at[2] = {-1, -1};
        for (size_t k = 0; k < 2; k++) {
            for (size_t i = 0; i < ph_rows_columns(rows); i++)
                if (!strcmp(ph_rows_column(rows, i), in->columns[k]))
                    at[k] = (long)i;
            if (at[k] < 0)
                return ph_fail(
                    err, PH_E_UNKNOWN,
                    "events have no column '%s': they have those of the configuration and momentum",
                    in->columns[k]);
        }
        *chosen_pair = (pair){.x = at[0],
                              .x2 = -1,
                              .y = at[1],
                              .x_unit = ph_rows_unit(rows, (size_t)at[0]),
                              .y_unit = ph_rows_unit(rows, (size_t)at[1])};
        snprintf(chosen_pair->x_name, TABLE_NAME, "%.60s", in->columns[0]);
        snprintf(chosen_pair->y_name, TABLE_NAME, "%.60s", in->columns[1]);
        return PH_OK;
    }
    if (!n)
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "no coordinate with its momentum for a section; choose two by --columns a,b");
    *chosen_pair = pairs[n - 1];
    return PH_OK;
}

/* The panel of an event's name; PANELS: no more room. */
static size_t panel_of(picture *p, char names[SIDE_BY_SIDE][TABLE_NAME], const char *name, const pair *pr)
{
    size_t k = 0;
    while (k < p->n && strncmp(names[k], name, TABLE_NAME - 1) != 0)
        k++;
    if (k < p->n || k == SIDE_BY_SIDE)
        return k;
    snprintf(names[k], TABLE_NAME, "%.95s", name);
    label_axis(p->panels[k].x_label, sizeof p->panels[k].x_label, pr->x_name, pr->x_unit);
    char with_name[TABLE_NAME];
    snprintf(with_name, sizeof with_name, "%.40s at %.40s", pr->y_name, name);
    label_axis(p->panels[k].y_label, sizeof p->panels[k].y_label, with_name, pr->y_unit);
    p->n++;
    return k;
}

static ph_status read_events(picture *p, const plot_input *in, size_t run, const ph_rows *rows,
                             const pair *pr, char names[SIDE_BY_SIDE][TABLE_NAME], ph_error *err)
{
    ph_record *record = in->runs[run].info.record;
    const int64_t all = ph_record_events(record), every = all / EVENTS_MOST + 1;
    table *t = &p->tables[run];
    bool drawn_in[SIDE_BY_SIDE] = {false};
    ph_status status = PH_OK;
    table_column(t, "t", "s");
    table_column(t, "event", NULL);
    table_column(t, pr->x_name, pr->x_unit);
    const size_t y = table_column(t, pr->y_name, pr->y_unit);
    for (int64_t i = 0; i < all && !status; i += every) {
        ph_recorded_event e;
        double row[4 + SIDE_BY_SIDE];
        if (ph_record_event(record, i, &e, err)) /* damaged: others are whole */
            continue;
        if (e.n != ph_rows_columns(rows))
            return ph_fail(err, PH_E_UNSUPPORTED,
                           "%s: events have %zu numbers, the configuration and momentum %zu",
                           in->runs[run].file, e.n, ph_rows_columns(rows));
        const size_t k = panel_of(p, names, e.name, pr);
        if (k == SIDE_BY_SIDE)
            continue;
        for (size_t m = 0; m < SIDE_BY_SIDE; m++)
            row[4 + m] = m == k ? e.values[pr->y] : (double)NAN;
        row[0] = e.t;
        row[1] = (double)k + 1;
        row[2] = pair_coordinate(pr, e.values);
        row[y] = e.values[pr->y];
        if (!drawn_in[k])
            panel_add(&p->panels[k], (drawn){t, 2, 4 + k, 0, LOOK_DOTS, run});
        drawn_in[k] = true;
        while (t->columns < 4 + SIDE_BY_SIDE) {
            char name[TABLE_NAME];
            snprintf(name, sizeof name, "%.40s_of_event_%zu", pr->y_name, t->columns - 3);
            table_column(t, name, pr->y_unit);
        }
        status = table_add(t, row, err);
    }
    return status;
}

ph_status make_section(picture *p, const plot_input *in, ph_error *err)
{
    static const char *const words[] = {"configuration", "momentum"};
    char names[SIDE_BY_SIDE][TABLE_NAME] = {""};
    *p = (picture){.runs = in->runs, .n_runs = in->n};
    ph_status status = PH_OK;
    for (size_t i = 0; i < in->n && !status; i++) {
        ph_rows *rows = NULL;
        pair pr;
        if (!ph_record_events(in->runs[i].info.record))
            continue;
        status = ph_rows_open(in->runs[i].info.record, words, 2, &rows, err);
        if (!status)
            status = choose_pair(in, rows, &pr, err);
        if (!status)
            status = read_events(p, in, i, rows, &pr, names, err);
        ph_rows_free(rows);
    }
    if (!status && !p->n)
        status = ph_fail(err, PH_E_UNSUPPORTED,
                         "%s: it has no events; a scenario has them by its key `events`", in->runs->file);
    size_t used = (size_t)snprintf(p->words, sizeof p->words, "State at events:");
    for (size_t k = 0; k < p->n && used < sizeof p->words; k++)
        used += (size_t)snprintf(p->words + used, sizeof p->words - used, "%s %zu is %.90s", k ? "," : "",
                                 k + 1, names[k]);
    return status;
}
