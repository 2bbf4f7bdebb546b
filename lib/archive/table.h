/* SPDX-License-Identifier: BSD-3-Clause */
/* What a format of tables is made of, and what the formats share. */
#ifndef PH_ARCHIVE_TABLE_H
#define PH_ARCHIVE_TABLE_H

#include <polhode/table.h>

#include "arrays.h"
#include "file.h"

struct ph_table {
    const ph_table_format *format;
    ph_file *file;
    char *path;
    ph_column *columns; /* (n) */
    size_t n;
    ph_table_array *arrays; /* (n_arrays) the columns as formats with arrays have them */
    size_t n_arrays;
    ph_attribute *attributes; /* (n_attributes) */
    size_t n_attributes;
    int64_t rows; /* rows that were handed to `put` */
    size_t group; /* of so many rows each; 1: rows by themselves */
    void *own;    /* data of the format */

    /* (n x room), column by column: rows that wait for `put`, of a format that takes columns */
    double *block;
    size_t room, filled;
};

struct ph_table_format {
    const char *name, *endings;            /* "hdf5", "h5 hdf5" */
    const char *missing;                   /* the library that this build lacks for the format, or NULL */
    ph_status (*available)(ph_error *err); /* can its library be loaded? NULL: it has none */
    bool columns; /* does put take columns, from `block`, and write arrays of them? */
    ph_status (*begin)(ph_table *table, ph_error *err);
    /* n further rows: row by row, or where the format takes columns, column c from values + c * room */
    ph_status (*put)(ph_table *table, const double *values, size_t n, ph_error *err);
    /* Writes what remains before the file is renamed. */
    ph_status (*finish)(ph_table *table, ph_error *err);
    /* Frees the data of the format, also after a failure. */
    void (*release)(ph_table *table);
};

extern const ph_table_format ph_table_csv, ph_table_npy;
#ifdef HAVE_LIBARCHIVE
extern const ph_table_format ph_table_npz;
#endif
#ifdef HAVE_HDF5
extern const ph_table_format ph_table_hdf5;
#endif

/* The header of an .npy file around a description ("'descr': ..., 'fortran_order': False, 'shape': (") and
 * the rest of the dictionary from the number of rows on (",), }"). As many bytes as for any other number of
 * rows; malloc, NULL without memory. */
char *ph_npy_header(const char *start, int64_t rows, const char *rest, size_t *length);

#endif
