/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns as arrays: q1x, q1y, q1z, q2x, ... are `q` of shape (factors, 3), R1xx, R1xy, ... `R` of shape
 * (factors, 3, 3), where all of a kind are there, in their order. Other columns stay by themselves. */
#include "program.h"
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "q12x" -> letters "q", number 12, rest "x". Is it such a name? */
static bool split_name(const char *name, size_t *letters, size_t *number, const char **rest)
{
    char *end;
    *letters = strcspn(name, "0123456789");
    *number = strtoul(name + *letters, &end, 10);
    *rest = end;
    return *letters && *letters < PH_COLUMN_NAME && *number && end != name + *letters;
}

/* The ending that distinguishes number k of a factor. */
static void write_rest(char *text, size_t size, size_t count, size_t k)
{
    static const char axes[] = "xyz", parts[] = "wxyz";
    if (count == 9)
        snprintf(text, size, "%c%c", axes[k / 3], axes[k % 3]);
    else if (count == 4)
        snprintf(text, size, "%c", parts[k]);
    else if (count > 1)
        snprintf(text, size, "%c", axes[k]);
    else
        *text = '\0';
}

/* Are columns c, c + 1, ... the `count` numbers of factor `number` with these letters? */
static bool is_factor(const ph_column *columns, size_t n, size_t c, const char *letters, size_t length,
                      size_t number, size_t count)
{
    char expected[2 * PH_COLUMN_NAME], rest[4];
    for (size_t k = 0; k < count; k++) {
        write_rest(rest, sizeof rest, count, k);
        snprintf(expected, sizeof expected, "%.*s%zu%s", (int)length, letters, number, rest);
        if (c + k >= n || strcmp(columns[c + k].name, expected))
            return false;
    }
    return true;
}

/* How many numbers a factor has whose first one ends like this; 0: not such a column. Two are the coordinates of a
 * circle, which momenta and turns do not have; of a vector some may have been left out. */
static size_t count_numbers(const ph_column *columns, size_t n, size_t c, const char *letters, size_t length)
{
    static const size_t counts[] = {9, 4, 3, 2, 1};
    const bool circle = (length == 1 && *letters == 'q') || (length == 4 && !strncmp(letters, "qdot", 4));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (is_factor(columns, n, c, letters, length, 1, counts[i]) && (counts[i] != 2 || circle))
            return counts[i];
    return 0;
}

/* Does the source have as many numbers of factor 1, no more? */
static bool is_whole(const source *s, const char *letters, size_t length, size_t count)
{
    size_t there = 0;
    for (size_t i = 0; i < s->n; i++) {
        const char *name = s->columns[i].name;
        there +=
            !strncmp(name, letters, length) && name[length] == '1' && !strchr("0123456789", name[length + 1]);
        there += !strncmp(name, letters, length) && !strcmp(name + length, "1");
    }
    return there == count;
}

/* The array that begins with column c; result <- how many columns it has, 1: none. */
static size_t name_array(const source *s, ph_column *columns, size_t n, size_t c, char *room)
{
    const char *rest;
    size_t length, number;
    if (!split_name(columns[c].name, &length, &number, &rest) || number != 1)
        return 1;
    const size_t each = count_numbers(columns, n, c, columns[c].name, length);
    size_t factors = 0;
    while (each && is_factor(columns, n, c + factors * each, columns[c].name, length, factors + 1, each))
        factors++;
    if (!factors || !is_whole(s, columns[c].name, length, each))
        return 1;
    snprintf(room, PH_COLUMN_NAME, "%.*s", (int)length, columns[c].name);
    for (size_t k = 0; k < factors * each; k++) {
        columns[c + k].array = room;
        columns[c + k].shape[0] = factors;
        columns[c + k].shape[1] = each == 9 ? 3 : each > 1 ? each : 0;
        columns[c + k].shape[2] = each == 9 ? 3 : 0;
    }
    return factors * each;
}

/* Is there another column, or another array, of this name? */
static bool is_taken(const ph_column *columns, size_t n, size_t c, size_t count, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if ((i < c || i >= c + count) &&
            (!strcmp(columns[i].name, name) || (columns[i].array && !strcmp(columns[i].array, name)) ||
             (!columns[i].array && has_letters(columns[i].name, name))))
            return true;
    return false;
}

ph_status name_arrays(const source *s, ph_column *columns, size_t n, char **names, ph_error *err)
{
    size_t kinds = 0;
    *names = calloc(n, PH_COLUMN_NAME);
    if (!*names)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t c = 0, count; c < n; c += count) {
        char *room = *names + kinds * PH_COLUMN_NAME;
        count = name_array(s, columns, n, c, room);
        if (!columns[c].array)
            continue;
        kinds++;
        if (is_taken(columns, n, c, count,
                     room)) /* some of its factors have another form, or are elsewhere */
            for (size_t k = 0; k < count; k++)
                columns[c + k].array = NULL, memset(columns[c + k].shape, 0, sizeof columns[c + k].shape);
    }
    return PH_OK;
}
