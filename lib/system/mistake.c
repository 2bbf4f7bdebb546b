/* SPDX-License-Identifier: BSD-3-Clause */
/* Which mistake explains a table of wrong derivatives? Common mistakes are tried in turn on all entries that
 * are wrong: not filled in, sign, a factor, transposed, indices in another order, or shifted. The first one
 * that explains all of them is reported; otherwise one that explains the worst entry alone. */
#include <polhode/kit/algebra.h>

#include "derivative.h"

#include <stdio.h>

/* A comparison, and what has been found out about it. */
typedef struct judge {
    const ph_comparison *c;
    size_t size;         /* entries of the table */
    double scale;        /* errors are relative to this */
    size_t wrong, right; /* numbers of entries; those that are correctly 0 count as neither */
    size_t worst;        /* the entry with the largest error */
} judge;

/* The error of an entry. */
static double error_of(const judge *w, size_t at)
{
    return fabs(w->c->given[at] - w->c->expected[at]);
}

/* Is the entry off by more than what differences leave? */
static bool is_wrong(const judge *w, size_t at)
{
    return error_of(w, at) > PH_DERIVATIVE_WRONG * w->scale;
}

/* Are the numbers equal, apart from the error of the differences? */
static bool same(const judge *w, double a, double b)
{
    return fabs(a - b) <= 1e-2 * PH_DERIVATIVE_WRONG * w->scale;
}

/* ---- Words -------------------------------------------------------------------------------------- */

/* "entry (1, 2)", "entry 1", "the derivative of entry (1, 2) along z_3" */
static void name_entry(const ph_comparison *c, size_t at, char *text, size_t size)
{
    size_t row = at / c->columns, column = at % c->columns;
    if (c->block)
        snprintf(text, size, "the derivative of entry (%zu, %zu) along z_%zu", row / c->block, row % c->block,
                 column);
    else if (c->columns == 1)
        snprintf(text, size, "entry %zu", row);
    else
        snprintf(text, size, "entry (%zu, %zu)", row, column);
}

/* "all entries", "3 entries", "this entry" */
static void name_wrong(const judge *w, char *text, size_t size)
{
    if (w->wrong == 1 && w->right)
        snprintf(text, size, "this entry");
    else if (!w->right)
        snprintf(text, size, "all entries");
    else
        snprintf(text, size, "%zu entries", w->wrong);
}

/* ---- One factor for all wrong entries ------------------------------------------------------------ */

/* Factors that come from a forgotten or doubled 2, 3, ...; others are named where several entries agree. */
static bool is_likely(double ratio)
{
    static const double likely[] = {2, 3, 4, 6, 8};
    for (size_t i = 0; i < sizeof likely / sizeof likely[0]; i++)
        if (fabs(fabs(ratio) / likely[i] - 1) < 1e-6 || fabs(fabs(ratio) * likely[i] - 1) < 1e-6)
            return true;
    return false;
}

/* Do all wrong entries (or only the worst) have given = ratio expected? */
static bool is_multiple(const judge *w, double ratio, bool only_worst)
{
    for (size_t at = only_worst ? w->worst : 0; at < (only_worst ? w->worst + 1 : w->size); at++)
        if (is_wrong(w, at) && !same(w, w->c->given[at], ratio * w->c->expected[at]))
            return false;
    return true;
}

/* text <- the words where one factor explains all wrong entries (only_worst: the worst one): 0, -1, or a
 * likely one. */
static bool name_multiple(const judge *w, bool only_worst, char *text, size_t size)
{
    char which[40];
    double expected = w->c->expected[w->worst], ratio = w->c->given[w->worst] / expected;
    if (same(w, expected, 0))
        return false; /* the expected entry is 0: no ratio can be formed */
    if (only_worst)
        snprintf(which, sizeof which, "this entry");
    else
        name_wrong(w, which, sizeof which);
    if (is_multiple(w, 0, only_worst))
        return snprintf(text, size, "missing: 0 is given in %s", which) > 0;
    if (is_multiple(w, -1, only_worst))
        return snprintf(text, size, "the sign of %s is wrong", which) > 0;
    if ((!is_likely(ratio) && (only_worst || w->wrong == 1)) || !is_multiple(w, ratio, only_worst))
        return false;
    return snprintf(text, size, "a factor: %s should be divided by %.6g", which, ratio) > 0;
}

/* ---- Entries in other places --------------------------------------------------------------------- */

/* For the entry at place `at` of the given table: the place where it should be if this mistake was made; the
 * size of the table if there is none. */
typedef size_t (*origin_fn)(const judge *w, size_t at);

/* The mistake of an exchange of rows and columns: the place `at` of a table (columns x rows) holds the
 * entry (at % rows, at / rows). */
static size_t transposed(const judge *w, size_t at)
{
    const ph_comparison *c = w->c;
    return at % c->rows * c->columns + at / c->rows;
}

/* The mistake of laying out d M_ij / d z_k with k between i and j. */
static size_t middle(const judge *w, size_t at)
{
    const ph_comparison *c = w->c;
    size_t m = c->block, i = at / (m * c->columns), k = at / m % c->columns, j = at % m;
    return (i * m + j) * c->columns + k;
}

/* The mistakes of entries that are shifted by a row or a column. */
static size_t next_row(const judge *w, size_t at)
{
    return at + w->c->columns < w->size ? at + w->c->columns : w->size;
}

static size_t previous_row(const judge *w, size_t at)
{
    return at >= w->c->columns ? at - w->c->columns : w->size;
}

static size_t next_column(const judge *w, size_t at)
{
    return at % w->c->columns + 1 < w->c->columns ? at + 1 : w->size;
}

static size_t previous_column(const judge *w, size_t at)
{
    return at % w->c->columns ? at - 1 : w->size;
}

/* Is each wrong entry the number that is expected at its origin, and more than one of them not 0? */
static bool comes_from(const judge *w, origin_fn origin)
{
    size_t matches = 0;
    for (size_t at = 0; at < w->size; at++) {
        size_t from = origin(w, at);
        if (!is_wrong(w, at) || from == w->size)
            continue;
        if (!same(w, w->c->given[at], w->c->expected[from]))
            return false;
        matches += !same(w, w->c->given[at], 0);
    }
    return matches > 1;
}

/* text <- the words where another order of the indices, or a shift, explains all wrong entries. */
static bool name_order(const judge *w, char *text, size_t size)
{
    const ph_comparison *c = w->c;
    const struct {
        bool applies;
        origin_fn origin;
        const char *words;
    } orders[] = {
        {!c->block && c->columns > 1, transposed,
         "transposed: what belongs to (column, row) stands at (row, column)"},
        {c->block, transposed, "order of the indices: the coordinate z_k comes first, and should come last"},
        {c->block, middle, "order of the indices: the coordinate z_k comes second, and should come last"},
        {true, next_row, "shifted: what belongs to the next row stands in each"},
        {true, previous_row, "shifted: what belongs to the row before stands in each"},
        {c->columns > 1, next_column, "shifted: what belongs to the next column stands in each"},
        {c->columns > 1, previous_column, "shifted: what belongs to the column before stands in each"},
    };
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (orders[i].applies && comes_from(w, orders[i].origin))
            return snprintf(text, size, "%s", orders[i].words) > 0;
    return false;
}

/* Does the worst entry belong to another place? Only if its number is expected at a single place, or at one
 * and its mirror image: several equal numbers would not identify the place. */
static bool name_place(const judge *w, char *text, size_t size)
{
    const ph_comparison *c = w->c;
    size_t found = w->size, places = 0, row = w->worst / c->columns;
    bool swapped = false;
    char other[80];
    if (same(w, c->given[w->worst], 0))
        return false;
    for (size_t at = 0; at < w->size && !swapped; at++) {
        if (at == w->worst || !same(w, c->given[w->worst], c->expected[at]))
            continue;
        swapped = is_wrong(w, at) && same(w, c->given[at], c->expected[w->worst]);
        bool mirror = places == 1 && c->rows == c->columns && at == transposed(w, found);
        if (swapped || !mirror || at / c->columns == row)
            found = at;
        places += !mirror;
    }
    if (!swapped && places != 1)
        return false;
    name_entry(c, found, other, sizeof other);
    return snprintf(text, size, "an index: %s %s", swapped ? "it is swapped with" : "this is what belongs to",
                    other) > 0;
}

/* ---- The comparison ------------------------------------------------------------------------------ */

static void find_worst(judge *w)
{
    const ph_comparison *c = w->c;
    w->scale = fmax(c->floor, fmax(ph_max_norm(c->given, w->size), ph_max_norm(c->expected, w->size)));
    for (size_t at = 0; at < w->size; at++) {
        if (error_of(w, at) > error_of(w, w->worst))
            w->worst = at;
        if (is_wrong(w, at))
            w->wrong++;
        else if (!same(w, c->expected[at], 0))
            w->right++;
    }
}

bool ph_compare(const ph_comparison *c, ph_derivative_entry *entry)
{
    judge w = {.c = c, .size = c->rows * c->columns};
    bool finite = ph_all_finite(c->given, w.size);
    if (finite)
        find_worst(&w);
    while (!finite && isfinite(c->given[w.worst]))
        w.worst++;
    size_t row = w.worst / c->columns, column = w.worst % c->columns;
    entry->row = c->block ? row / c->block : row;
    entry->column = c->block ? row % c->block : c->columns > 1 ? column : PH_NO_INDEX;
    entry->along = c->block ? column : PH_NO_INDEX;
    entry->given = c->given[w.worst];
    entry->expected = c->expected[w.worst];
    entry->error = w.scale > 0 ? error_of(&w, w.worst) / w.scale : 0;
    entry->mistake[0] = '\0';
    char *text = entry->mistake;
    size_t size = sizeof entry->mistake;
    if (finite && w.wrong && !name_multiple(&w, false, text, size) && !name_order(&w, text, size) &&
        !name_place(&w, text, size))
        name_multiple(&w, true, text, size);
    return finite;
}
