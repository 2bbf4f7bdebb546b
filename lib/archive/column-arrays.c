/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns as arrays (ph_table_arrays): factors are found by the names of their columns, R2xx, R2xy, ..., and those of one kind
 * become one array. */
#include <polhode/columns.h>
#include <polhode/table.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "R12xx": letters "R", number 12, rest "xx". length 0: not such a name. */
typedef struct parsed {
    size_t length, number;
    const char *rest;
    size_t same; /* columns of the source that belong to the same factor */
} parsed;

/* What the factors of one kind have in common. */
typedef struct kind {
    const char *letters;
    size_t length, factors, count; /* count: columns of a factor, 0 where that differs */
} kind;

typedef struct arrays {
    const ph_column *source; /* (n_source) */
    parsed *known;           /* (n_source) */
    size_t n_source;
    ph_column *columns; /* (n) */
    size_t *picked;     /* (n) columns of the source */
    size_t n;
    kind *kinds; /* (n_kinds, at most n) */
    size_t n_kinds;
    /* (n) At the first column of a factor: how many columns it has, 0 where they are not all there, and its kind. */
    size_t *count, *of;
    char *names;         /* (n x PH_COLUMN_NAME) */
    const char **sorted; /* (n) names of the columns, in their order: there may be a million */
} arrays;

static parsed parse_name(const char *name)
{
    char *end;
    parsed p = {.length = strcspn(name, "0123456789")};
    p.number = strtoul(name + p.length, &end, 10);
    p.rest = end;
    if (p.length >= PH_COLUMN_NAME / 2 || !p.number || p.number > INT32_MAX || name[p.length] == '0')
        p.length = 0;
    return p;
}

static bool is_same_factor(const arrays *a, size_t i, size_t k)
{
    return a->known[i].number == a->known[k].number && a->known[i].length == a->known[k].length &&
           !strncmp(a->source[i].name, a->source[k].name, a->known[i].length);
}

/* A column of the source, to be sorted by its factor. */
typedef struct member {
    const char *name;
    parsed *known;
} member;

static int by_factor(const void *x, const void *y)
{
    const member *a = x, *b = y;
    if (a->known->length != b->known->length)
        return a->known->length < b->known->length ? -1 : 1;
    const int letters = strncmp(a->name, b->name, a->known->length);
    return letters ? letters : (a->known->number > b->known->number) - (a->known->number < b->known->number);
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* The members `same` of a->known, and a->sorted; false without memory. */
static bool sort_columns(arrays *a)
{
    member *list = malloc(a->n_source * sizeof *list);
    if (!list)
        return false;
    for (size_t i = 0; i < a->n_source; i++)
        list[i] = (member){a->source[i].name, &a->known[i]};
    qsort(list, a->n_source, sizeof *list, by_factor);
    for (size_t i = 0, end; i < a->n_source; i = end) {
        for (end = i + 1; end < a->n_source && !by_factor(&list[i], &list[end]);)
            end++;
        for (size_t k = i; k < end; k++)
            list[k].known->same = end - i;
    }
    free(list);
    for (size_t c = 0; c < a->n; c++)
        a->sorted[c] = a->columns[c].name;
    qsort(a->sorted, a->n, sizeof *a->sorted, by_name);
    return true;
}

/* The ending that distinguishes number k of a factor that has `count`. */
static void write_rest(char *text, size_t size, bool coordinates, size_t count, size_t k)
{
    static const char axes[] = "xyz", parts[] = "wxyz";
    *text = '\0';
    if (coordinates)
        snprintf(text, size, "_%zu", k + 1);
    else if (count == 9)
        snprintf(text, size, "%c%c", axes[k / 3], axes[k % 3]);
    else if (count > 1)
        snprintf(text, size, "%c", count == 4 ? parts[k] : axes[k]);
}

/* May a factor have this many numbers? Two are the coordinates of a circle, which momenta and turns do not have: of another
 * vector the archive lacks some. */
static bool is_form(const char *name, size_t length, size_t count)
{
    const bool circle = (length == 1 && *name == 'q') || (length == 4 && !strncmp(name, "qdot", 4));
    return count == 1 || count == 3 || count == 4 || count == 9 || (count == 2 && circle);
}

/* How many columns the factor has whose first is column c; 0: it has none of the known forms, or not all of the columns that
 * the source has of it follow there. */
static size_t count_factor(const arrays *a, size_t c)
{
    const size_t first = a->picked[c];
    const parsed *p = &a->known[first];
    const char *name = a->source[first].name;
    const size_t count = p->same;
    if (!p->length)
        return 0;
    const bool coordinates = *p->rest == '_';
    if (count > a->n - c || (!coordinates && !is_form(name, p->length, count)))
        return 0;
    for (size_t k = 0; k < count; k++) {
        char rest[24];
        write_rest(rest, sizeof rest, coordinates, count, k);
        if (!is_same_factor(a, a->picked[c + k], first) || strcmp(a->known[a->picked[c + k]].rest, rest))
            return 0;
    }
    return count;
}

/* Adds the factor of column c to its kind. */
static void add_factor(arrays *a, size_t c)
{
    const char *name = a->columns[c].name;
    const size_t length = a->known[a->picked[c]].length;
    size_t i = 0;
    while (i < a->n_kinds && (a->kinds[i].length != length || strncmp(a->kinds[i].letters, name, length)))
        i++;
    if (i == a->n_kinds)
        a->kinds[a->n_kinds++] = (kind){.letters = name, .length = length, .count = a->count[c]};
    a->kinds[i].factors++;
    if (a->kinds[i].count != a->count[c])
        a->kinds[i].count = 0;
    a->of[c] = i;
}

/* Is there a column of this name that stays by itself? */
static bool is_taken(const arrays *a, const char *name)
{
    return bsearch(&name, a->sorted, a->n, sizeof *a->sorted, by_name) != NULL;
}

/* The columns of the factor that begins at column c become those of its array. */
static void name_factor(arrays *a, size_t c)
{
    const kind *k = &a->kinds[a->of[c]];
    const size_t count = a->count[c], number = a->known[a->picked[c]].number;
    char *name = a->names + c * PH_COLUMN_NAME;
    const int length = (int)k->length;
    if (k->count)
        snprintf(name, PH_COLUMN_NAME, "%.*s", length, k->letters);
    else
        snprintf(name, PH_COLUMN_NAME, "%.*s%zu", length, k->letters, number);
    if (is_taken(a, name))
        return;
    for (size_t i = c; i < c + count; i++) {
        ph_column *column = &a->columns[i];
        size_t rank = 0;
        column->array = name;
        column->number = number;
        if (k->count)
            column->shape[rank++] = k->factors;
        if (count == 9 && *a->known[a->picked[i]].rest != '_')
            column->shape[rank++] = 3, column->shape[rank++] = 3;
        else if (count > 1 || *a->known[a->picked[i]].rest == '_')
            column->shape[rank++] = count;
    }
}

/* Columns of an array follow one another, from the place of its first on. False without memory. */
static bool bring_together(arrays *a)
{
    ph_column *columns = malloc(a->n * sizeof *columns);
    size_t *picked = malloc(a->n * sizeof *picked), n = 0;
    bool *moved = calloc(a->n, sizeof *moved), there = columns && picked && moved;
    for (size_t c = 0; c < a->n && there; c++)
        for (size_t i = c; i < a->n && !moved[c]; i++) {
            const char *array = a->columns[c].array, *other = a->columns[i].array;
            if (moved[i] || (i != c && (!other || strcmp(array, other))))
                continue;
            columns[n] = a->columns[i];
            picked[n++] = a->picked[i];
            moved[i] = i != c;
            if (!array)
                break;
        }
    if (there) {
        memcpy(a->columns, columns, a->n * sizeof *columns);
        memcpy(a->picked, picked, a->n * sizeof *picked);
    }
    free(columns);
    free(picked);
    free(moved);
    return there;
}

/* Memory for `arrays`; false without. */
static bool make_room(arrays *a)
{
    a->known = malloc(a->n_source * sizeof *a->known);
    a->kinds = malloc(a->n * sizeof *a->kinds);
    a->of = malloc(a->n * sizeof *a->of);
    a->count = malloc(a->n * sizeof *a->count);
    a->sorted = malloc(a->n * sizeof *a->sorted);
    return a->known && a->kinds && a->of && a->count && a->sorted;
}

/* a->columns <- those that are picked, which must exist. */
static ph_status pick(const arrays *a, ph_error *err)
{
    for (size_t i = 0; i < a->n_source; i++)
        if (!a->source[i].name)
            return ph_fail(err, PH_E_INVALID, "column %zu has no name", i);
    for (size_t c = 0; c < a->n; c++) {
        if (a->picked[c] >= a->n_source)
            return ph_fail(err, PH_E_RANGE, "picked[%zu] is %zu; the source has %zu columns, counted from 0",
                           c, a->picked[c], a->n_source);
        a->columns[c] = a->source[a->picked[c]];
        a->columns[c].array = NULL;
        a->columns[c].number = 0;
        memset(a->columns[c].shape, 0, sizeof a->columns[c].shape);
    }
    return PH_OK;
}

ph_status ph_table_arrays(const ph_column *source, size_t n_source, size_t *picked, size_t n,
                          ph_column *columns, char *names, ph_error *err)
{
    arrays a = {
        .source = source, .n_source = n_source, .columns = columns, .picked = picked, .n = n, .names = names};
    const ph_status status = pick(&a, err);
    if (status || !n)
        return status;
    bool there = make_room(&a);
    for (size_t i = 0; i < n_source && there; i++)
        a.known[i] = parse_name(source[i].name);
    there = there && sort_columns(&a);
    for (size_t c = 0; c < n && there; c += a.count[c] ? a.count[c] : 1)
        if ((a.count[c] = count_factor(&a, c)))
            add_factor(&a, c);
    for (size_t c = 0; c < n && there; c += a.count[c] ? a.count[c] : 1)
        if (a.count[c])
            name_factor(&a, c);
    there = there && bring_together(&a);
    free(a.known);
    free(a.kinds);
    free(a.of);
    free(a.count);
    free(a.sorted);
    return there ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}
