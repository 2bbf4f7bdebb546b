/* SPDX-License-Identifier: BSD-3-Clause */
/* The table dealt: which members the rows in the archive of a rank are of. It is written in the transaction of the rows. */
#include "dealt.h"

#include "lib/internal/grow.h"

#include <stdlib.h>

ph_status ph_dealt_table_add(ph_dealt_table *t, int64_t first, int64_t n, ph_error *err)
{
    ph_dealt *last = t->n ? &t->list[t->n - 1] : NULL;
    if (last && last->first + last->n == first) {
        last->n += n;
        t->members += n;
        return PH_OK;
    }
    ph_dealt *list = ph_grow(t->list, t->n, &t->room, sizeof *list);
    if (!list)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    t->list = list;
    t->list[t->n++] = (ph_dealt){.place = t->members, .first = first, .n = n};
    t->members += n;
    return PH_OK;
}

ph_status ph_dealt_table_write(ph_dealt_table *t, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    ph_status status = PH_OK;
    if (!t->n)
        return PH_OK;
    status = ph_database_prepare(t->database, "INSERT OR REPLACE INTO dealt VALUES(?1, ?2, ?3)", &s, err);
    for (size_t i = 0; i < t->n && !status; i++) {
        sqlite3_bind_int64(s, 1, t->list[i].place);
        sqlite3_bind_int64(s, 2, t->list[i].first);
        sqlite3_bind_int64(s, 3, t->list[i].n);
        status = ph_database_step(t->database, s, false, "writing which members were dealt", err);
    }
    sqlite3_finalize(s);
    return status;
}

void ph_dealt_table_settle(ph_dealt_table *t)
{
    if (t->n)
        t->list[0] = t->list[t->n - 1];
    t->n = t->n > 0;
}

ph_status ph_dealt_table_recall(ph_dealt_table *t, int64_t next, ph_error *err)
{
    int64_t rank = 0, first = 0;
    ph_status status = ph_database_number(
        t->database, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'rank'", -1, &rank, err);
    if (!status)
        status = ph_database_number(t->database,
                                    "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'first_member'", 0,
                                    &first, err);
    t->there = rank >= 0;
    t->members = next - first;
    return status;
}

ph_status ph_dealt_table_read(const ph_database *d, ph_dealt **list, size_t *n, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    int64_t most = 0;
    int code = SQLITE_DONE;
    ph_status status = ph_database_number(d, "SELECT sum(1) FROM dealt", 0, &most, err);
    if (!status)
        status = ph_database_prepare(d, "SELECT place, first, n FROM dealt ORDER BY place", &s, err);
    if (status)
        return status;
    *n = 0;
    *list = malloc(((size_t)most + 1) * sizeof **list);
    if (!*list)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    while (!status && *n < (size_t)most && (code = sqlite3_step(s)) == SQLITE_ROW)
        (*list)[(*n)++] =
            (ph_dealt){sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1), sqlite3_column_int64(s, 2)};
    if (!status && code != SQLITE_ROW && code != SQLITE_DONE)
        status = ph_database_fail(d, "reading which members were dealt", err);
    sqlite3_finalize(s);
    if (status)
        free(*list);
    return status;
}
