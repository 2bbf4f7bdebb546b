/* SPDX-License-Identifier: BSD-3-Clause */
/* The final states of a sweep: of each member the last row that it has, in the order of members; members that failed are
 * left out. */
#ifndef PH_SWEEP_FINALS_H
#define PH_SWEEP_FINALS_H

#include <polhode/record.h>

typedef struct ph_finals {
    ph_record *record;
    ph_swept all;
    size_t columns;
    double *rows;         /* (at_once x all.rows x columns) */
    const double *member; /* (all.rows x columns) of the member whose last row was given; valid as that row */
    int64_t at_once;
    int64_t first, read,
        at; /* members that are in `rows`: first ... first + read - 1; the next one among them */
} ph_finals;

/* record: of all members, which must outlive it. */
ph_status ph_finals_open(ph_finals *f, ph_record *record, ph_error *err);
void ph_finals_rewind(ph_finals *f);
/* *row <- of the next member that did not fail, NULL behind the last one; valid until the next call. */
ph_status ph_finals_next(ph_finals *f, const double **row, ph_error *err);
void ph_finals_close(ph_finals *f);

#endif
