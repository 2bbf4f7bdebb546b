/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an archive with any columns: those that it has, and others that are computed from its
 * configuration and momentum with the system of its scenario: energies, momentum maps, velocities,
 * places, tensions. Part of libpolhode-io. */
#ifndef POLHODE_ROWS_H
#define POLHODE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/record.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** Rows of an archive, with chosen columns. One object per thread. */
typedef struct ph_rows ph_rows;

/** The rows of a record, which must outlive them, with
 *   words (n)  columns by name or group, as for ph_columns_create ("energy", "q1", "positions", "tensions");
 *              n = 0: those of the archive, in its order
 * Columns that the archive has are read; others are computed, which takes its columns of the whole
 * configuration and momentum, and its scenario. PH_E_UNKNOWN (suggests), PH_E_UNSUPPORTED: they cannot
 * be computed (the message names the column, what is missing, and how a run gets it); PH_E_INVALID: one
 * is named twice; PH_E_NO_MEMORY. */
PH_API ph_status ph_rows_open(ph_record *record, const char *const *words, size_t n, ph_rows **rows,
                              ph_error *err);
PH_API void ph_rows_free(ph_rows *rows); /**< Free; NULL is allowed. */

/** The system of a record without a scenario, of a run of a user-defined system: rows that are opened from
 * now on compute columns with it, and know the groups of its columns. It must outlive the record; that the
 * archive was begun with it only the caller can know. PH_E_INVALID: the archive has a scenario, or rows of it
 * have been opened; PH_E_NO_MEMORY. */
PH_API ph_status ph_rows_use_system(ph_record *record, const ph_system *system, ph_error *err);

/** The system of the archive's scenario, or of ph_rows_use_system, which all rows of a record share; NULL
 * where there is none, or it cannot be built. That of a scenario is owned by the record. */
PH_API const ph_system *ph_rows_system(const ph_rows *rows);
/** How many columns. */
PH_API size_t ph_rows_columns(const ph_rows *rows);
/** The name of a column; owned by the rows. */
PH_API const char *ph_rows_column(const ph_rows *rows, size_t i);
/** The number of the column of that name; ph_rows_columns where there is none. */
PH_API size_t ph_rows_find(const ph_rows *rows, const char *name);
/** The unit of a column, "" if it has none. */
PH_API const char *ph_rows_unit(const ph_rows *rows, size_t i);
/** Is it computed? */
PH_API bool ph_rows_is_computed(const ph_rows *rows, size_t i);
/** The column of the record that it is copied from; of one that is computed, the number of these columns. */
PH_API size_t ph_rows_origin(const ph_rows *rows, size_t i);

/** values (n, columns), *read, *next <- rows from `first` on, as by ph_record_read. A computed number is
 * NaN where it does not exist, and has the same bits whichever other columns there are. Its errors;
 * PH_E_NO_MEMORY. */
PH_API ph_status ph_rows_read(ph_rows *rows, int64_t first, int64_t n, double *values, int64_t *read,
                              int64_t *next, ph_error *err);

/** values (n, columns) <- the same of rows that have been read already: archived (n, ph_record_columns), as
 * ph_record_read gives them. Several choices of columns can so be had of one reading. */
PH_API ph_status ph_rows_values(ph_rows *rows, const double *archived, int64_t n, double *values,
                                ph_error *err);

/** What a copy of an archive has. Zero-initialise, then fill in. */
typedef struct ph_copy_plan {
    const char *const
        *words;     /**< (n) columns, as of ph_rows_open, besides t, step and row; n = 0: the archive's */
    size_t n;       /**< see words */
    int64_t rows;   /**< at most: ph_record_choose; at least 2 */
    int64_t events; /**< at most; more are thinned evenly, those of each name by themselves */
    /** Nullable: (n_times) [s]; rows at these times, to rounding, are among those that are chosen, as far as
     * there are such: two copies can then be compared. */
    const double *times;
    size_t n_times; /**< see times */
    double *copied; /**< nullable: (rows) <- times of the rows that are copied, report->rows of them */
    /** 0: no limit. Where the blocks of chosen rows take more bytes, rows with which blocks begin are chosen
     * instead, and the last one. The rest of these blocks is not read, and their checksums are not compared
     * (`polhode info --check` does that): a page of 1e9 rows takes seconds. */
    int64_t bytes;
    /** Nullable: called now and then with the share that is done; false stops. */
    bool (*progress)(void *self, double share);
    void *self; /**< handed to progress */
} ph_copy_plan;

/** What was copied, and of how many. */
typedef struct ph_copy_report {
    int64_t rows, rows_of;     /**< rows of the copy, of the archive */
    int64_t events, events_of; /**< likewise */
    int64_t damaged;           /**< places of the archive that could not be read, where rows were chosen */
} ph_copy_report;

/** *bytes (*size; malloc, the caller's) <- a thinned copy of the archive, an archive that can be viewed,
 * but not resumed: the tables of doc/reference/archive.md without a state; a column `row` with the
 * number of the row in the archive; and in the table meta what the archive has there, and `scene`,
 * `thinned` ("20000 of 1000000 rows") and `thinned_events` ("1000 of 2914 events") where not all are there,
 * `computed` and `momentum_maps`, the names of columns that the archive does not have and of momentum maps,
 * one a line, `energy_scale` [J] and `momentum_scale`, to which relative errors refer, and `copy`. `scene` is
 * as this version describes the system, where that is known. A copy of a copy has the
 * numbers of rows, and of how many, of the first archive. The same archive gives the same bytes. Errors of
 * ph_rows_open; PH_E_INTERRUPTED: progress returned false; PH_E_IO; PH_E_RANGE. */
PH_API ph_status ph_record_copy(ph_record *record, const ph_copy_plan *plan, unsigned char **bytes,
                                size_t *size, ph_copy_report *report, ph_error *err);

PH_END_DECLS
#endif
