/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables for other programs: columns of doubles with names and units, written as CSV, NumPy's .npy and .npz,
 * or HDF5. Part of libpolhode-io.
 *
 * A table is written next to its place, as NAME.part, and renamed when it is complete. Rows are handed over
 * as they come; how many there will be need not be known. What is in each format is in
 * doc/reference/export.md. */
#ifndef POLHODE_TABLE_H
#define POLHODE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/columns.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** A column. */
typedef struct ph_column {
    /** "q1x": in UTF-8, no control characters, no other column's. A "/" makes folders in .npz and groups in
     * HDF5; it may not lead out of them ("/a", "../a"). No "=" at the beginning (spreadsheets' formulas). */
    const char *name;
    const char *unit; /**< "kg m^2/s"; NULL where there is none, as for a number of steps */
    /** Nullable: the array that this column is a number of. Columns that follow one another make an array:
     * formats that have arrays (npz, hdf5) then have one of shape (rows, shape...) under this name, and none
     * for the columns. */
    const char *array;
    size_t shape[3]; /**< of a row of it, the last index running fastest; zeros behind; zeros without array */
    /** With an array: the number of the factor (or point, or link) that the column belongs to; 0: none. The
     * attribute `numbers` of the array has those of its columns, in their order, each once. */
    size_t number;
} ph_column;

/** Something to know of the table as a whole: "model", "chain-pendulum". Where a column is called `event`,
 * the key "event 0" has what its number 0 stands for; CSV, which has no place for attributes, writes that
 * instead. */
typedef struct ph_attribute {
    const char *key;  /**< a word */
    const char *text; /**< in UTF-8; may have several lines */
} ph_attribute;

/** Can it be written: is its key not empty, with at most 255 bytes, and are both UTF-8 without control
 * characters (the text: but for ends of lines and tabs)? */
PH_API bool ph_table_takes(const ph_attribute *attribute);

/** A format. */
typedef struct ph_table_format ph_table_format;

/** How many formats there are, those included that need a library this build is without. Static
 * data; thread-safe. */
PH_API size_t ph_table_formats(void);
/** The i-th of them; NULL beyond the last. */
PH_API const ph_table_format *ph_table_format_at(size_t i);
/** Its name: "csv", "npy", "npz", "hdf5". */
PH_API const char *ph_table_format_name(const ph_table_format *format);
/** By name; NULL where there is none (PH_E_UNKNOWN, with a suggestion). */
PH_API const ph_table_format *ph_table_format_find(const char *name, ph_error *err);
/** By the ending of a file's name: .csv, .npy, .npz, .h5 or .hdf5, in small or capital letters; NULL for
 * another (PH_E_UNKNOWN, which lists them). */
PH_API const ph_table_format *ph_table_format_of(const char *path, ph_error *err);
/** Does it have arrays of several dimensions (ph_column.array)? */
PH_API bool ph_table_format_arrays(const ph_table_format *format);
/** PH_OK if this build can write the format, else PH_E_UNSUPPORTED, which says what is missing. */
PH_API ph_status ph_table_format_available(const ph_table_format *format, ph_error *err);

/** Columns as arrays, as `polhode export` has them: the columns of all factors of one kind are one array,
 * whatever the numbers of the factors: R2xx, R2xy, ..., R3zz are `R` of shape (2, 3, 3), x1_1, x1_2, x1_3
 * `x` of shape (1, 3), tension1, tension2 `tension` of shape (2). Where factors of a kind differ in form (q
 * on S^1 and on S^2), each of them is an array with its number in the name, `q2` of shape (3). Columns of a
 * factor that are not all picked, one after the other, make no array, nor do t and energy.
 *   source (n_source)  all columns; their names and units are read
 *   picked (n)         in: places in the source, each once. Out: the same, so that those of an array follow
 *                      one another, from the place of its first on
 *   columns (n)        <- the columns picked[i], with array, shape and number. They point to the names and
 *                      units of the source, and to `names`
 *   names (n x PH_COLUMN_NAME of columns.h)  <- the names of the arrays
 * Thread-safe. PH_E_INVALID: a column of the source without a name; PH_E_RANGE: a place that the source does
 * not have; PH_E_NO_MEMORY. */
PH_API ph_status ph_table_arrays(const ph_column *source, size_t n_source, size_t *picked, size_t n,
                                 ph_column *columns, char *names, ph_error *err);

/** A table that is being written; one thread at a time. */
typedef struct ph_table ph_table;

/** Start path (through path.part) with n columns and n_attributes attributes, all of which are copied. What
 * exists at path is an error unless force. Names, units and keys have at most 255 bytes. PH_E_EXISTS,
 * PH_E_IO, PH_E_INVALID (no column, a name that is empty, too long, twice there, no text; an array without
 * all its columns), PH_E_UNSUPPORTED (see ph_table_format_available), PH_E_NO_MEMORY. */
PH_API ph_status ph_table_create(const char *path, const ph_table_format *format, const ph_column *columns,
                                 size_t n, const ph_attribute *attributes, size_t n_attributes, bool force,
                                 ph_table **table, ph_error *err);

/** The rows come in groups of n >= 1, as those of the members of a sweep: .npy, .npz and HDF5 then have
 * arrays of shape (rows / n, n, ...). To be called before the first row. PH_E_RANGE. */
PH_API ph_status ph_table_group(ph_table *table, size_t n, ph_error *err);

/** Add rows: (n_rows x n columns), row by row. PH_E_IO; after an error nothing more is written. */
PH_API ph_status ph_table_add(ph_table *table, const double *rows, size_t n_rows, ph_error *err);

/** Complete the file and rename it. PH_E_INVALID (the last group of rows is not whole), PH_E_IO. Frees the
 * table in any case; on failure the temporary file is removed, and what was at path stays. */
PH_API ph_status ph_table_close(ph_table *table, ph_error *err);
/** Give up: remove the temporary file, free. NULL is allowed. */
PH_API void ph_table_abandon(ph_table *table);

PH_END_DECLS
#endif
