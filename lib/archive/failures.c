/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of failures in the archive of a sweep: they wait in memory until they are written with the rows of their members. */
#include "failures.h"

#include "lib/internal/grow.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ph_status ph_failure_table_add(ph_failure_table *t, const ph_member_failure *failure, ph_error *err)
{
    ph_member_failure *list = ph_grow(t->list, t->n, &t->room, sizeof *list);
    if (!list)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    t->list = list;
    t->list[t->n] = *failure;
    t->list[t->n].message = strdup(failure->message ? failure->message : "");
    if (!t->list[t->n].message)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    t->n++;
    return PH_OK;
}

ph_status ph_failure_table_write(ph_failure_table *t, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    if (!t->n)
        return PH_OK;
    ph_status status =
        ph_database_prepare(t->database, "INSERT OR REPLACE INTO failed VALUES(?1, ?2, ?3, ?4)", &s, err);
    for (size_t i = 0; i < t->n && !status; i++) {
        const ph_member_failure *f = &t->list[i];
        sqlite3_bind_int64(s, 1, f->member);
        sqlite3_bind_text(s, 2, ph_status_word(f->status), -1, SQLITE_STATIC);
        sqlite3_bind_double(s, 3, f->t);
        const bool failed = sqlite3_bind_text(s, 4, f->message, -1, SQLITE_STATIC) != SQLITE_OK;
        status = ph_database_step(t->database, s, failed, "writing a failure", err);
    }
    sqlite3_finalize(s);
    return status;
}

void ph_failure_table_forget(ph_failure_table *t)
{
    for (size_t i = 0; i < t->n; i++)
        free((void *)(uintptr_t)t->list[i].message);
    t->n = 0;
}

void ph_failure_table_free(ph_failure_table *t)
{
    ph_failure_table_forget(t);
    free(t->list);
}

ph_status ph_failure_table_drop(ph_failure_table *t, int64_t next, ph_error *err)
{
    char sql[100];
    snprintf(sql, sizeof sql, "DELETE FROM failed WHERE member >= %lld", (long long)next);
    return t->there ? ph_database_run(t->database, sql, err) : PH_OK;
}
