/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of columns for portraits. */
#include "pairs.h"

#include <math.h>
#include <string.h>

/* The number of a column, or -1. */
static long column(const ph_rows *rows, const char *name)
{
    const size_t i = ph_rows_find(rows, name);
    return i < ph_rows_columns(rows) ? (long)i : -1;
}

static bool add(pair *p, const ph_rows *rows, const char *x, const char *x2, const char *y)
{
    *p = (pair){.x = column(rows, x), .x2 = x2 ? column(rows, x2) : -1, .y = column(rows, y)};
    if (p->x < 0 || p->y < 0 || (x2 && p->x2 < 0))
        return false;
    snprintf(p->x_name, sizeof p->x_name, x2 ? "angle of %.40s" : "%.40s", x);
    if (x2)
        p->x_name[strlen(p->x_name) - 1] = '\0'; /* q1x: q1 */
    snprintf(p->y_name, sizeof p->y_name, "%.40s", y);
    p->x_unit = x2 ? "rad" : ph_rows_unit(rows, (size_t)p->x);
    p->y_unit = ph_rows_unit(rows, (size_t)p->y);
    return true;
}

ph_status pair_open(rows_opener *open, ph_record *record, ph_rows **rows, ph_error *err)
{
    static const char *const words[] = {"configuration", "momentum"};
    const ph_status status = open(record, words, 2, rows, err);
    return status == PH_E_UNKNOWN || status == PH_E_INVALID ? open(record, words, 1, rows, err) : status;
}

size_t find_pairs(const ph_rows *rows, pair *pairs)
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
        n += add(&pairs[n], rows, names[0], names[1], names[3]) ||
             add(&pairs[n], rows, names[2], NULL, names[4]) ||
             add(&pairs[n], rows, names[5], NULL, names[6]) || add(&pairs[n], rows, a, b, names[7]);
    }
    return n;
}

bool pair_is_numbered(const char *name, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t length = strlen(words[i]);
        if (!strncmp(name, words[i], length) && strspn(name + length, "0123456789"))
            return true;
    }
    return false;
}

size_t pair_words(const ph_record *record, const char **words, size_t most)
{
    static const char *const letters[] = {"q", "pi", "Pi", "x", "p", "s"};
    size_t n = 0;
    for (size_t i = 0; i < ph_record_columns(record) && n < most; i++)
        if (pair_is_numbered(ph_record_column(record, i), letters, sizeof letters / sizeof *letters))
            words[n++] = ph_record_column(record, i);
    return n;
}

static bool is_same(const pair *a, const pair *b)
{
    return !strcmp(a->x_name, b->x_name) && !strcmp(a->y_name, b->y_name) && !strcmp(a->x_unit, b->x_unit) &&
           !strcmp(a->y_unit, b->y_unit);
}

const pair *pair_find(const pair *pairs, size_t n, const pair *wanted)
{
    for (size_t k = 0; k < n; k++)
        if (is_same(&pairs[k], wanted))
            return &pairs[k];
    return NULL;
}

double pair_coordinate(const pair *p, const double *row)
{
    return p->x2 >= 0 ? atan2(p->minus2 ? -row[p->x2] : row[p->x2], p->minus ? -row[p->x] : row[p->x])
                      : row[p->x];
}
