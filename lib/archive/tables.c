/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of strangers, and damaged ones: what is read from an archive is a table with the columns that Polhode makes
 * (ph_archive_schema), and nothing that the file holds is executed. Views and triggers are off for the connection; here the tables
 * that are read are looked at: no view, virtual table or other thing of such a name, no column that is computed or has another type
 * (one bit makes INTEGER PRIMARY KEY something else, and rows are not found), no constraint, default or index, whose
 * expressions a writer would evaluate. Other tables are nobody's business.
 * (SQLite, Defense Against The Dark Arts, sqlite.org/security.html.) */
#include "database.h"

/* A table and its columns: each with its type and its place in the primary key. */
static const struct {
    const char *name, *columns;
} made[] = {
    {"meta", "|key TEXT 1|value TEXT 0|"},
    {"columns", "|i INTEGER 1|name TEXT 0|unit TEXT 0|"},
    {"blocks", "|first INTEGER 1|n INTEGER 0|t0  0|t1  0|crc32 INTEGER 0|rows BLOB 0|"},
    {"events", "|n INTEGER 1|name TEXT 0|t  0|step INTEGER 0|crc32 INTEGER 0|row BLOB 0|"},
    {"state", "|id INTEGER 1|k INTEGER 0|t  0|rows INTEGER 0|energy0  0|newton_passes INTEGER 0|"
              "row_passes INTEGER 0|cpu_seconds  0|written TEXT 0|crc32 INTEGER 0|row_crc32 INTEGER 0|"
              "state BLOB 0|monitor BLOB 0|events BLOB 0|"},
    {"state_pieces", "|i INTEGER 1|bytes BLOB 0|"},
    {"failed", "|member INTEGER 1|status TEXT 0|t  0|message TEXT 0|"},
    {"again", "|member INTEGER 1|settings TEXT 0|"},
    {"dealt", "|place INTEGER 1|first INTEGER 0|n INTEGER 0|"},
};

/* Each gives what is wrong with the table ?1, whose columns are ?2 (which one question asks for), or no row. */
static const char *const questions[] = {
    "SELECT 'it is a ' || type || ' that another program has made' FROM sqlite_schema"
    " WHERE name = ?1 COLLATE NOCASE AND (type <> 'table' OR rootpage IS NULL OR rootpage < 1)",
    "SELECT 'the index ' || substr(name, 1, 40) || ' is of another program' FROM sqlite_schema"
    " WHERE tbl_name = ?1 COLLATE NOCASE AND type = 'index' AND sql IS NOT NULL",
    "SELECT 'its column ' || substr(name, 1, 40) || ' is another one' FROM pragma_table_xinfo(?1)"
    " WHERE hidden <> 0 OR dflt_value IS NOT NULL OR"
    " NOT instr(?2, '|' || name || ' ' || type || ' ' || pk || '|')",
    "SELECT 'it has constraints of another program' FROM sqlite_schema"
    " WHERE name = ?1 COLLATE NOCASE AND"
    " instr(upper(replace(sql, 'CHECK(id = 0)', '')), 'CHECK')",
};

static ph_status check_tables(const ph_database *d, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t q = 0; q < sizeof questions / sizeof questions[0] && !status; q++) {
        sqlite3_stmt *s = NULL;
        status = ph_database_prepare(d, questions[q], &s, err);
        for (size_t i = 0; i < sizeof made / sizeof made[0] && !status; i++) {
            sqlite3_bind_text(s, 1, made[i].name, -1, SQLITE_STATIC);
            sqlite3_bind_text(s, 2, made[i].columns, -1, SQLITE_STATIC);
            const int code = sqlite3_step(s);
            if (code == SQLITE_ROW)
                status = ph_fail(
                    err, PH_E_IO,
                    "%s: is damaged, or not from Polhode: the table %s is not as archives have it: %s",
                    d->path, made[i].name, (const char *)sqlite3_column_text(s, 0));
            else if (code != SQLITE_DONE)
                status = ph_database_fail(d, "reading its tables", err);
            sqlite3_reset(s);
        }
        sqlite3_finalize(s);
    }
    return status;
}

ph_status ph_database_check(const ph_database *d, ph_error *err)
{
    int64_t id = 0, schema = 0;
    ph_status status = ph_database_number(d, "PRAGMA application_id", 0, &id, err);
    if (!status && id != PH_ARCHIVE_ID)
        return ph_fail(err, PH_E_PARSE, "%s: is no archive of Polhode, but another SQLite database", d->path);
    if (!status)
        status = ph_database_number(d, "PRAGMA user_version", 0, &schema, err);
    if (!status && (schema < PH_ARCHIVE_UNPROTECTED || schema > PH_ARCHIVE_SCHEMA))
        status = ph_fail(err, PH_E_PARSE,
                         "%s: is an archive of version %lld; "
                         "this version of Polhode reads versions %d to %d, a newer one is expected",
                         d->path, (long long)schema, PH_ARCHIVE_UNPROTECTED, PH_ARCHIVE_SCHEMA);
    return status ? status : check_tables(d, err);
}
