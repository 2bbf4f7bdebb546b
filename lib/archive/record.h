/* SPDX-License-Identifier: BSD-3-Clause */
/* An archive that is being read, opened by record-open.c. */
#ifndef PH_ARCHIVE_RECORD_H
#define PH_ARCHIVE_RECORD_H

#include <polhode/record.h>

#include "database.h"

/* Texts stored one behind the other, and where each begins. */
typedef struct ph_texts {
    char *memory;
    size_t used, room, *at, n, at_room;
} ph_texts;

struct ph_record {
    ph_database database;
    char *path;
    ph_texts columns, meta; /* name, unit, name, ...; key, value, key, ... */
    size_t n_columns;
    double t0, h; /* of the steps: t0 + k h [s]; NaN where meta does not have them */
    ph_choice choice;
    ph_blocks blocks;
    ph_block block;      /* the block that was read last */
    ph_event_copy event; /* the event that was read last */
    bool starved;        /* see ph_record_starved */
    bool alone;          /* a single row with which a block begins is read without the block */
    void *kept;          /* what its readers keep with it (lib/rows), or NULL, and how that is given back */
    void (*free_kept)(void *kept);
    char *message; /* of the failure that was read last, or NULL */
};

/* As ph_record_choose, but with rows at these times [s], to rounding, as far as there are such and up to three quarters of `most`: for runs that
 * are compared. */
ph_status ph_record_choose_at(ph_record *r, const double *times, size_t n_times, int64_t most, int64_t *at,
                              int64_t *n, ph_error *err);

/* t [s], z (nz), p (np) <- of the state that was committed last, without the method's own part, for another run that
 * starts there. PH_E_SIZE: of another system; PH_E_IO: damaged; PH_E_NO_MEMORY. */
ph_status ph_record_motion(ph_record *r, double *t, double *z, size_t nz, double *p, size_t np,
                           ph_error *err);

/* The status, which ph_record_starved reports where there was no memory. */
static inline ph_status ph_record_note(const ph_record *r, ph_status status)
{
    if (status == PH_E_NO_MEMORY)
        *r->database.starved = true;
    return status;
}

static inline const char *ph_texts_at(const ph_texts *t, size_t i)
{
    return t->memory + t->at[i];
}

#endif
