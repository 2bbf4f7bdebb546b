/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of columns for portraits. */
#include "pairs.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

pair pair_of(const ph_rows *rows, size_t x, size_t y)
{
    pair p = {.x = (long)x,
              .x2 = -1,
              .y = (long)y,
              .x_unit = ph_rows_unit(rows, x),
              .y_unit = ph_rows_unit(rows, y)};
    snprintf(p.x_name, TABLE_NAME, "%.60s", ph_rows_column(rows, x));
    snprintf(p.y_name, TABLE_NAME, "%.60s", ph_rows_column(rows, y));
    return p;
}

void pair_axis(char *label, size_t size, const ph_rows *rows, const char *name, const char *unit)
{
    static const char angle[] = "angle of ";
    char title[TABLE_NAME], room[PH_COLUMN_NAME];
    const size_t before = strncmp(name, angle, sizeof angle - 1) ? 0 : sizeof angle - 1,
                 n = strcspn(name + before, " "); /* angle of q2 about y */
    snprintf(title, sizeof title, "%.*s", (int)n, name + before);
    const char *called = ph_column_title(ph_rows_system(rows), title, room);
    char whole[TABLE_NAME + PH_COLUMN_NAME];
    snprintf(whole, sizeof whole, "%.*s%s%s", (int)before, name, called, name + before + n);
    picture_axis(label, size, whole, unit);
}

long pair_column(const ph_rows *rows, const char *format, ...)
{
    char name[64];
    va_list values;
    va_start(values, format);
    vsnprintf(name, sizeof name, format, values);
    va_end(values);
    const size_t i = ph_rows_find(rows, name);
    return i < ph_rows_columns(rows) ? (long)i : -1;
}

/* *p <- of factor k, by the forms of names: a coordinate, the second one of an angle or NULL, a momentum. Result: are they there? */
static bool find(pair *p, const ph_rows *rows, const char *const forms[3], size_t k)
{
    const long x = pair_column(rows, forms[0], k), x2 = forms[1] ? pair_column(rows, forms[1], k) : -1,
               y = pair_column(rows, forms[2], k);
    if (x < 0 || y < 0 || (forms[1] && x2 < 0))
        return false;
    *p = pair_of(rows, (size_t)x, (size_t)y);
    p->x2 = x2;
    if (x2 >= 0) {
        char name[PH_COLUMN_NAME];
        snprintf(name, sizeof name, "%s", ph_rows_column(rows, (size_t)x)); /* q1x: q1 */
        name[strlen(name) - 1] = '\0';
        snprintf(p->x_name, TABLE_NAME, "angle of %s", name);
        p->x_unit = "rad";
    }
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
    static const char *const forms[][3] = {{"q%zux", "q%zuy", "pi%zu"},
                                           {"q%zuz", NULL, "pi%zuz"},
                                           {"x%zu_1", NULL, "p%zu_1"},
                                           {"s%zux", "s%zuy", "s%zuz"}};
    enum { FORMS = sizeof forms / sizeof *forms };
    size_t n = 0;
    for (size_t k = 1; n < PAIRS_MOST && k <= ph_rows_columns(rows); k++) {
        size_t i = 0;
        while (i < FORMS && !find(&pairs[n], rows, forms[i], k))
            i++;
        n += i < FORMS;
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
