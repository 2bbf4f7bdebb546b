/* SPDX-License-Identifier: BSD-3-Clause */
/* Which members were dealt to a rank of a parallel sweep, as they wait to be written; one for each database. */
#ifndef PH_ARCHIVE_DEALT_H
#define PH_ARCHIVE_DEALT_H

#include "database.h"

/* Members from `first` on: the n that stand behind `place` others in the archive of the rank. */
typedef struct ph_dealt {
    int64_t place, first, n;
} ph_dealt;

/* Adjacent ranges are one. The last one stays, to be continued. */
typedef struct ph_dealt_table {
    const ph_database *database;
    bool there;     /* is it the archive of a rank? */
    ph_dealt *list; /* (n) */
    size_t n, room;
    int64_t members; /* in the archive, those that wait included */
} ph_dealt_table;

ph_status ph_dealt_table_add(ph_dealt_table *t, int64_t first, int64_t n, ph_error *err);
/* Writes those that wait in the open transaction; settle is called after its commit. */
ph_status ph_dealt_table_write(ph_dealt_table *t, ph_error *err);
void ph_dealt_table_settle(ph_dealt_table *t);
/* t <- of an archive with a state that counts members up to `next`. */
ph_status ph_dealt_table_recall(ph_dealt_table *t, int64_t next, ph_error *err);
/* *list (n, malloc's) <- all that was dealt, in the order of places. */
ph_status ph_dealt_table_read(const ph_database *database, ph_dealt **list, size_t *n, ph_error *err);

#endif
