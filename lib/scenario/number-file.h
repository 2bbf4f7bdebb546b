/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of numbers from a file. */
#ifndef PH_SCENARIO_NUMBER_FILE_H
#define PH_SCENARIO_NUMBER_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/status.h>

typedef struct ph_number_file {
    char *names;     /* of a CSV file its first line, each name with a zero byte behind it; or NULL */
    double *numbers; /* (rows x columns) */
    size_t rows, columns;
    uint32_t checksum; /* of the bytes of the file */
} ph_number_file;

/* table <- of a CSV file whose first line has names, or an NPY file (NumPy) of doubles in two dimensions, by its first bytes;
 * all in it are finite. Messages have the path, and of a CSV file line and column. PH_E_IO, PH_E_PARSE, PH_E_NOT_FINITE,
 * PH_E_SIZE, PH_E_NO_MEMORY. */
ph_status ph_read_number_file(const char *path, ph_number_file *table, ph_error *err);
void ph_free_number_file(ph_number_file *table);

#endif
