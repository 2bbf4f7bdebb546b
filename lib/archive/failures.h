/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a sweep that failed, as they wait to be written; one for each database. */
#ifndef PH_ARCHIVE_FAILURES_H
#define PH_ARCHIVE_FAILURES_H

#include <polhode/record.h>

#include "database.h"

typedef struct ph_failure_table {
    const ph_database *database;
    bool there;              /* is this the archive of a sweep? */
    ph_member_failure *list; /* (n), messages from malloc */
    size_t n, room;
} ph_failure_table;

ph_status ph_failure_table_add(ph_failure_table *t, const ph_member_failure *failure, ph_error *err);
/* Writes those that wait in the open transaction; forget is called after its commit. */
ph_status ph_failure_table_write(ph_failure_table *t, ph_error *err);
void ph_failure_table_forget(ph_failure_table *t);
void ph_failure_table_free(ph_failure_table *t);
/* Deletes those of members from `next` on, in the open transaction. */
ph_status ph_failure_table_drop(ph_failure_table *t, int64_t next, ph_error *err);

#endif
