/* SPDX-License-Identifier: BSD-3-Clause */
/* A table as CSV, like trajectory.csv: the first line names every column with its unit, numbers have 17
 * digits. */
#include "table.h"

static ph_status begin(ph_table *t, ph_error *err)
{
    for (size_t c = 0; c < t->n; c++) {
        ph_file_text(t->file, c ? "," : "");
        ph_file_field(t->file, t->columns[c].name, t->columns[c].unit);
    }
    ph_file_text(t->file, "\n");
    return ph_file_check(t->file, err);
}

static ph_status put(ph_table *t, const double *values, size_t n, ph_error *err)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < t->n; c++) {
            ph_file_number(t->file, values[i * t->n + c]);
            ph_file_text(t->file, c + 1 < t->n ? "," : "\n");
        }
    return ph_file_check(t->file, err);
}

const ph_table_format ph_table_csv = {.name = "csv", .endings = "csv", .begin = begin, .put = put};
