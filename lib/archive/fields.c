/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the text tables on disk: headings that name a column with its unit, and rows of numbers. */
#include "file.h"

#include <stdlib.h>
#include <string.h>

void ph_file_field(ph_file *f, const char *name, const char *unit)
{
    static const char special[] = ",\"\r\n";
    const bool quotes = strpbrk(name, special) || (unit && strpbrk(unit, special));
    const char *parts[] = {name, unit ? "[" : "", unit ? unit : "", unit ? "]" : ""};
    ph_file_text(f, quotes ? "\"" : "");
    for (size_t i = 0; i < 4; i++)
        for (const char *s = parts[i]; *s; s++) {
            if (*s == '"')
                ph_file_text(f, "\"");
            ph_file_bytes(f, s, 1);
        }
    ph_file_text(f, quotes ? "\"" : "");
}

void ph_file_headings(ph_file *f, const ph_columns *columns)
{
    char room[PH_COLUMN_NAME];
    for (size_t i = 0; i < ph_columns_count(columns); i++) {
        ph_file_text(f, i ? "," : "");
        ph_file_field(f, ph_columns_name(columns, i, room), ph_columns_unit(columns, i));
    }
}

void ph_file_numbers(ph_file *f, const double *values, size_t n, bool begun)
{
    for (size_t i = 0; i < n; i++) {
        ph_file_text(f, begun || i ? "," : "");
        ph_file_number(f, values[i]);
    }
}

/* Written a few at a time, so that a row of a million links needs no memory. */
void ph_file_values(ph_file *f, const ph_columns *columns, const ph_row *row)
{
    enum { FEW = 64 };
    double values[FEW];
    const size_t n = ph_columns_count(columns);
    for (size_t first = 0; first < n; first += FEW) {
        const size_t here = n - first < FEW ? n - first : FEW;
        ph_columns_values(columns, row, first, here, values);
        ph_file_numbers(f, values, here, first > 0);
    }
}

/* ---- Ending -------------------------------------------------------------------------------------- */

static void release(ph_file_table *table)
{
    ph_columns_free(table->columns);
    free(table);
}

ph_status ph_file_table_close(ph_file_table *table, ph_error *err)
{
    ph_status status = ph_file_commit(table->file, err);
    release(table);
    return status;
}

void ph_file_table_abandon(ph_file_table *table)
{
    if (!table)
        return;
    ph_file_abandon(table->file);
    release(table);
}
