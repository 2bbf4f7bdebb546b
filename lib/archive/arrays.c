/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays of a table, for formats that have arrays of several dimensions. */
#include "arrays.h"

#include <stdbool.h>
#include <string.h>

static bool is_same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* How many columns a row of the array takes, and its rank; 0 where that is impossible. */
static size_t measure_shape(const size_t shape[3], size_t *rank)
{
    size_t count = 1;
    for (*rank = 0; *rank < 3 && shape[*rank]; ++*rank) {
        if (shape[*rank] > ((size_t)1 << 30) / count)
            return 0;
        count *= shape[*rank];
    }
    return *rank ? count : 0;
}

static ph_status begin_array(const ph_column *columns, size_t n, size_t c, ph_table_array *a, ph_error *err)
{
    const ph_column *first = &columns[c];
    *a = (ph_table_array){.name = first->name, .unit = first->unit, .first = c, .count = 1};
    if (!first->array)
        return PH_OK;
    a->name = first->array;
    memcpy(a->shape, first->shape, sizeof a->shape);
    a->count = measure_shape(a->shape, &a->rank);
    bool whole = a->count && a->count <= n - c;
    for (size_t k = 0; k < a->count && whole; k++) {
        whole = is_same(columns[c + k].array, first->array);
        if (!is_same(columns[c + k].unit, a->unit))
            a->unit = NULL;
    }
    return whole
               ? PH_OK
               : ph_fail(err, PH_E_INVALID,
                         "the array \"%.60s\" needs %zu columns that follow one another, from column %zu on",
                         a->name, a->count, c + 1);
}

ph_status ph_arrays_find(const ph_column *columns, size_t n, ph_table_array *arrays, size_t *n_arrays,
                         ph_error *err)
{
    *n_arrays = 0;
    for (size_t c = 0; c < n; c += arrays[(*n_arrays)++].count) {
        ph_status status = begin_array(columns, n, c, &arrays[*n_arrays], err);
        if (status)
            return status;
    }
    return PH_OK;
}

void ph_array_gather(const ph_table_array *a, const double *columns, size_t room, size_t n, double *out)
{
    for (size_t k = 0; k < a->count; k++)
        for (size_t i = 0; i < n; i++)
            out[i * a->count + k] = columns[k * room + i];
}

size_t ph_array_numbers(const ph_table_array *a, const ph_column *columns, int64_t *numbers)
{
    size_t n = 0;
    for (size_t k = 0; k < a->count; k++) {
        const int64_t number = (int64_t)columns[a->first + k].number;
        if (number && (!n || numbers[n - 1] != number))
            numbers[n++] = number;
    }
    return n;
}

size_t ph_arrays_widest(const ph_table_array *arrays, size_t n)
{
    size_t most = 1;
    for (size_t i = 0; i < n; i++)
        most = arrays[i].count > most ? arrays[i].count : most;
    return most;
}
