/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays of a table: consecutive columns that are the numbers of one thing, or a single column. */
#ifndef PH_ARCHIVE_ARRAYS_H
#define PH_ARCHIVE_ARRAYS_H

#include <polhode/table.h>

typedef struct ph_table_array {
    const char *name, *unit; /* those of the columns; unit: NULL where they differ or have none */
    size_t first, count;     /* columns */
    size_t shape[3], rank;   /* of a row; rank 0: a number */
} ph_table_array;

/* arrays (at most n) <- the arrays of the columns, *n_arrays of them. PH_E_INVALID: columns that do not follow one
 * another make an array, or not as many as its shape says. */
ph_status ph_arrays_find(const ph_column *columns, size_t n, ph_table_array *arrays, size_t *n_arrays,
                         ph_error *err);
/* out (n x count) <- n rows of the array, from columns that are each `room` numbers long. */
void ph_array_gather(const ph_table_array *a, const double *columns, size_t room, size_t n, double *out);
/* numbers (at most a->count) <- the numbers (ph_column.number) of the array's columns, each once; result <- how many. */
size_t ph_array_numbers(const ph_table_array *a, const ph_column *columns, int64_t *numbers);
/* The most columns that an array has. */
size_t ph_arrays_widest(const ph_table_array *arrays, size_t n);

#endif
