/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows for curves, and pairs of columns. */
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows ---------------------------------------------------------------------------------------------- */

enum { WORDS_MOST = 16 };

static ph_status read_at(chosen *c, const int64_t *at, int64_t n, ph_error *err)
{
    ph_status status = PH_OK;
    for (int64_t i = 0; i < n && !status;) {
        int64_t together = 1, read, next;
        while (i + together < n && at[i + together] == at[i] + together)
            together++;
        const ph_status found =
            ph_rows_read(c->rows, at[i], together, c->values + (size_t)c->n * c->columns, &read, &next, err);
        if (found && found != PH_E_IO)
            status = found;
        c->n += read;
        int64_t behind = i + 1; /* rows that are damaged are passed over */
        while (behind < n && at[behind] < (next > at[i] ? next : at[i] + 1))
            behind++;
        i = behind;
    }
    return status;
}

ph_status chosen_read(chosen *c, const archived *a, const char *const *words, size_t n, bool from_start,
                      ph_error *err)
{
    const char *all[WORDS_MOST] = {"t"};
    int64_t *at = malloc(ROWS_MOST * sizeof *at), most = 0;
    *c = (chosen){0};
    if (n >= WORDS_MOST) {
        free(at);
        return ph_fail(err, PH_E_RANGE, "%zu columns or groups of them; at most %d", n, WORDS_MOST - 1);
    }
    memcpy(all + 1, words, n * sizeof *all);
    ph_status status = at ? ph_rows_open(a->info.record, all, n + 1, &c->rows, err)
                          : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status) {
        c->columns = ph_rows_columns(c->rows);
        c->values = malloc(ROWS_MOST * c->columns * sizeof *c->values);
        if (!c->values)
            status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    if (!status && !from_start)
        status = ph_record_choose(a->info.record, ROWS_MOST, at, &most, err);
    for (int64_t i = 0; !status && from_start && i < ROWS_MOST && i < a->info.rows; i++)
        at[most++] = i;
    if (!status)
        status = read_at(c, at, most, err);
    free(at);
    return status;
}

void chosen_free(chosen *c)
{
    ph_rows_free(c->rows);
    free(c->values);
    *c = (chosen){0};
}

/* ---- Pairs --------------------------------------------------------------------------------------------- */

static long column(const ph_rows *rows, size_t first, const char *name)
{
    for (size_t i = first; i < ph_rows_columns(rows); i++)
        if (!strcmp(ph_rows_column(rows, i), name))
            return (long)(i - first);
    return -1;
}

static bool add(pair *p, const ph_rows *rows, size_t first, const char *x, const char *x2, const char *y)
{
    *p = (pair){
        .x = column(rows, first, x), .x2 = x2 ? column(rows, first, x2) : -1, .y = column(rows, first, y)};
    if (p->x < 0 || p->y < 0 || (x2 && p->x2 < 0))
        return false;
    snprintf(p->x_name, sizeof p->x_name, x2 ? "angle of %.40s" : "%.40s", x);
    if (x2)
        p->x_name[strlen(p->x_name) - 1] = '\0'; /* q1x: q1 */
    snprintf(p->y_name, sizeof p->y_name, "%.40s", y);
    p->x_unit = x2 ? "rad" : ph_rows_unit(rows, first + (size_t)p->x);
    p->y_unit = ph_rows_unit(rows, first + (size_t)p->y);
    return true;
}

size_t find_pairs(const ph_rows *rows, size_t first, pair *pairs)
{
    size_t n = 0;
    for (size_t k = 1; n < PAIRS_MOST && k <= ph_rows_columns(rows); k++) {
        char names[8][32];
        static const char *const forms[] = {"q%zux",  "q%zuy",  "q%zuz",  "pi%zu",
                                            "pi%zuz", "x%zu_1", "p%zu_1", "s%zuz"};
        for (size_t i = 0; i < 8; i++)
            snprintf(names[i], sizeof names[i], forms[i], k);
        char a[32], b[32];
        snprintf(a, sizeof a, "s%zux", k);
        snprintf(b, sizeof b, "s%zuy", k);
        n += add(&pairs[n], rows, first, names[0], names[1], names[3]) ||
             add(&pairs[n], rows, first, names[2], NULL, names[4]) ||
             add(&pairs[n], rows, first, names[5], NULL, names[6]) ||
             add(&pairs[n], rows, first, a, b, names[7]);
    }
    return n;
}

double pair_coordinate(const pair *p, const double *row)
{
    return p->x2 >= 0 ? atan2(row[p->x2], row[p->x]) : row[p->x];
}
