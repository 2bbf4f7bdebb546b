/* SPDX-License-Identifier: BSD-3-Clause */
/* SQLite as archives use it: failures in words, and blocks of rows, each with its checksum. */
#include "database.h"
#include "lib/internal/bytes.h"

#include "config.h"

#include <polhode/kit/kernels.h>

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif

/* ---- Failures ------------------------------------------------------------------------------------ */

ph_status ph_database_fail(const ph_database *d, const char *what, ph_error *err)
{
    const int code = sqlite3_extended_errcode(d->db), error = sqlite3_system_errno(d->db);
    switch (code == SQLITE_IOERR_NOMEM ? SQLITE_NOMEM : code & 0xff) {
    case SQLITE_FULL:
        return ph_fail(err, PH_E_IO, "%s: %s: the disk is full", d->path, what);
    case SQLITE_NOTADB:
        return ph_fail(err, PH_E_PARSE, "%s: is no archive of Polhode, and no SQLite database", d->path);
    case SQLITE_CORRUPT:
        return ph_fail(
            err, PH_E_IO,
            "%s: %s: the file is damaged or was cut off; dropped on the page of polhode view --empty, it shows "
            "the rows that are left",
            d->path, what);
    case SQLITE_READONLY:
        return ph_fail(err, PH_E_IO, "%s: %s: the file or its directory is read-only", d->path, what);
    case SQLITE_BUSY:
        return ph_fail(err, PH_E_IO, "%s: %s: another program keeps it locked", d->path, what);
    case SQLITE_INTERRUPT:
        return ph_fail(err, PH_E_IO, "%s: %s: the file is damaged, or not from Polhode: its tables never end",
                       d->path, what);
    case SQLITE_NOMEM:
        if (d->starved)
            *d->starved = true;
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    case SQLITE_TOOBIG:
        return ph_fail(err, PH_E_SIZE, "%s: %s: SQLite takes at most 1e9 bytes in one piece", d->path, what);
    default:
        return ph_fail(err, PH_E_IO, "%s: %s: %s%s%s", d->path, what, sqlite3_errmsg(d->db),
                       error ? ": " : "", error ? strerror(error) : "");
    }
}

ph_status ph_database_there(const char *path, ph_error *err)
{
    struct stat s;
    if (stat(path, &s))
        return ph_fail(err, PH_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(s.st_mode))
        return ph_fail(err, PH_E_IO, "%s: is no file; an archive of Polhode is expected", path);
    if (!s.st_size)
        return ph_fail(err, PH_E_PARSE, "%s: is empty; an archive of Polhode is expected", path);
    return PH_OK;
}

/* ---- Statements ---------------------------------------------------------------------------------- */

ph_status ph_database_open(ph_database *d, const char *name, int flags, ph_error *err)
{
    if (sqlite3_open_v2(name, &d->db, flags | SQLITE_OPEN_NOMUTEX, NULL))
        return d->db ? ph_database_fail(d, "opening", err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    sqlite3_extended_result_codes(d->db, 1);
    sqlite3_busy_timeout(d->db, 5000);
    /* the file may be a stranger's: nothing in it is executed, and no statement can damage it */
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    return PH_OK;
}

/* Asked when a statement has used up its operations, which SQLite counts for each statement. */
static int give_up(void *nothing)
{
    (void)nothing;
    return 1;
}

ph_status ph_database_size(const ph_database *d, int64_t *bytes, ph_error *err)
{
    return ph_database_number(d, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", 0,
                              bytes, err);
}

ph_status ph_database_bound(const ph_database *d, ph_error *err)
{
    enum { LEAST = 100000000 };          /* operations: about a second */
    const int64_t least_value = 1 << 24; /* bytes: the file may grow while it is read */
    int64_t bytes = 0;
    sqlite3_progress_handler(d->db, LEAST, give_up, NULL);
    ph_status status = ph_database_run(d, "PRAGMA temp_store = MEMORY", err);
    if (!status)
        status = ph_database_size(d, &bytes, err);
    if (status)
        return status;
    /* a row has three bytes at least, and takes some thirty operations */
    const int64_t most = LEAST + 10 * (bytes < INT64_MAX / 20 ? bytes : INT64_MAX / 20);
    sqlite3_progress_handler(d->db, most < INT_MAX ? (int)most : INT_MAX, give_up, NULL);
    const int64_t value = least_value + 4 * (bytes < INT_MAX ? bytes : INT_MAX);
    sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, value < INT_MAX ? (int)value : INT_MAX);
    return PH_OK;
}

void ph_database_unbound(const ph_database *d)
{
    sqlite3_progress_handler(d->db, 0, NULL, NULL);
    sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, INT_MAX);
}

ph_status ph_database_run(const ph_database *d, const char *sql, ph_error *err)
{
    return sqlite3_exec(d->db, sql, NULL, NULL, NULL) ? ph_database_fail(d, "writing", err) : PH_OK;
}

void ph_database_end_reading(const ph_database *d)
{
    for (int turn = 0; turn < 2 && !sqlite3_get_autocommit(d->db); turn++)
        sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
}

ph_status ph_database_prepare(const ph_database *d, const char *sql, sqlite3_stmt **statement, ph_error *err)
{
    if (sqlite3_prepare_v2(d->db, sql, -1, statement, NULL))
        return ph_database_fail(d, "reading its tables", err);
    return PH_OK;
}

ph_status ph_database_step(const ph_database *d, sqlite3_stmt *s, bool failed, const char *what,
                           ph_error *err)
{
    const ph_status status =
        failed || sqlite3_step(s) != SQLITE_DONE ? ph_database_fail(d, what, err) : PH_OK;
    sqlite3_reset(s);
    return status;
}

ph_status ph_database_number(const ph_database *d, const char *sql, int64_t none, int64_t *value,
                             ph_error *err)
{
    sqlite3_stmt *s = NULL;
    ph_status status = ph_database_prepare(d, sql, &s, err);
    *value = none;
    if (!status) {
        int code = sqlite3_step(s);
        if (code == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
            *value = sqlite3_column_int64(s, 0);
        else if (code != SQLITE_ROW && code != SQLITE_DONE)
            status = ph_database_fail(d, "reading", err);
    }
    sqlite3_finalize(s);
    return status;
}

/* ---- Blocks -------------------------------------------------------------------------------------- */

#ifdef HAVE_LIBDEFLATE
/* The same by its definition, bit by bit: zlib is not linked. */
static uint32_t crc32_of(uint32_t before, const unsigned char *bytes, size_t n)
{
    uint32_t sum = ~before;
    for (size_t i = 0; i < n; i++) {
        sum ^= bytes[i];
        for (int k = 0; k < 8; k++)
            sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
    }
    return ~sum;
}
#endif

uint32_t ph_checksum(uint32_t before, const unsigned char *bytes, size_t n)
{
    if (!n)
        return before; /* both functions would start a new checksum for NULL */
#ifdef HAVE_LIBDEFLATE
    return ph_fast_paths() & PH_PATH_LIBDEFLATE ? libdeflate_crc32(before, bytes, n)
                                                : crc32_of(before, bytes, n);
#else
    return (uint32_t)crc32_z(before, bytes, n);
#endif
}

ph_status ph_blocks_open(ph_blocks *b, ph_database *database, size_t row_bytes, ph_error *err)
{
    *b = (ph_blocks){.database = database, .row_bytes = row_bytes};
    ph_status status = ph_database_prepare(
        database, "SELECT first, n, crc32, t0 FROM blocks WHERE first <= ?1 ORDER BY first DESC LIMIT 1",
        &b->head, err);
    if (!status)
        status =
            ph_database_prepare(database, "SELECT rows, t0, t1 FROM blocks WHERE first = ?1", &b->body, err);
    return status ? status
                  : ph_database_prepare(database, "SELECT n, t0, length(rows) FROM blocks WHERE first = ?1",
                                        &b->size, err);
}

void ph_blocks_close(ph_blocks *b)
{
    sqlite3_finalize(b->head);
    sqlite3_finalize(b->body);
    sqlite3_finalize(b->size);
}

/* A statement that is used many times has its operations anew each time (ph_database_bound). */
static void begin_again(sqlite3_stmt *s)
{
    (void)sqlite3_stmt_status(s, SQLITE_STMTSTATUS_VM_STEP, 1);
}

/* Is the number in that column the time of this row, which is its first number? */
static bool is_time_of(sqlite3_stmt *s, int column, const unsigned char *row)
{
    double t;
    ph_get_double(row, &t);
    return sqlite3_column_type(s, column) == SQLITE_NULL ? isnan(t) : sqlite3_column_double(s, column) == t;
}

/* block <- the rows at the statement, if their checksum and their times are right. */
static ph_status take_rows(ph_blocks *b, uint32_t checksum, ph_block *block, ph_error *err)
{
    const size_t bytes = (size_t)block->n * b->row_bytes;
    const unsigned char *rows = sqlite3_column_blob(b->body, 0);
    /* the checksum starts with the number of the first row: rows that were moved count as damaged, too */
    if (!rows || (size_t)sqlite3_column_bytes(b->body, 0) != bytes ||
        ph_checksum((uint32_t)block->first, rows, bytes) != checksum)
        return ph_fail(err, PH_E_IO, "%s: the block of rows %lld to %lld is damaged: its checksum is wrong",
                       b->database->path, (long long)block->first, (long long)(block->first + block->n - 1));
    if (!is_time_of(b->body, 1, rows) || !is_time_of(b->body, 2, rows + bytes - b->row_bytes))
        return ph_fail(err, PH_E_IO,
                       "%s: the block of rows %lld to %lld is damaged: its times are not its rows'",
                       b->database->path, (long long)block->first, (long long)(block->first + block->n - 1));
    if (block->room < bytes) {
        unsigned char *larger = realloc(block->bytes, bytes);
        if (!larger)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        block->bytes = larger;
        block->room = bytes;
    }
    memcpy(block->bytes, rows, bytes);
    return PH_OK;
}

/* block <- the rows of the block whose head is known. */
static ph_status load_body(ph_blocks *b, uint32_t checksum, ph_block *block, ph_error *err)
{
    begin_again(b->body);
    sqlite3_bind_int64(b->body, 1, block->first);
    int code = sqlite3_step(b->body);
    ph_status status = PH_OK;
    if (code == SQLITE_ROW)
        status = take_rows(b, checksum, block, err);
    else if ((code & 0xff) == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM)
        status = ph_database_fail(b->database, "reading rows", err);
    else
        status =
            ph_fail(err, PH_E_IO, "%s: the block of rows %lld to %lld is damaged and cannot be read",
                    b->database->path, (long long)block->first, (long long)(block->first + block->n - 1));
    sqlite3_reset(b->body);
    return status;
}

ph_status ph_blocks_load(ph_blocks *b, int64_t row, ph_block *block, ph_error *err)
{
    uint32_t checksum = 0;
    ph_status status = PH_OK;
    block->first = block->n = 0;
    begin_again(b->head);
    sqlite3_bind_int64(b->head, 1, row);
    int code = sqlite3_step(b->head);
    if (code == SQLITE_ROW) {
        block->first = sqlite3_column_int64(b->head, 0);
        block->n = sqlite3_column_int64(b->head, 1);
        checksum = (uint32_t)sqlite3_column_int64(b->head, 2);
        if (block->first < 0 || block->n < 1 || block->n > INT64_MAX / 2 / (int64_t)b->row_bytes ||
            block->first > INT64_MAX - block->n) {
            status =
                ph_fail(err, PH_E_IO, "%s: the block that begins with row %lld is damaged: it has %lld rows",
                        b->database->path, (long long)block->first, (long long)block->n);
            block->n = 0;
        }
    } else if (code != SQLITE_DONE) {
        status = ph_database_fail(b->database, "reading rows", err);
    }
    /* within one transaction: a writer who extends this block in between would have changed the checksum */
    if (!status && block->n)
        status = load_body(b, checksum, block, err);
    sqlite3_reset(b->head);
    return status;
}

/* The first bytes of the rows of that block; a blob is read up to where it is wanted. */
static bool read_beginning(const ph_blocks *b, int64_t first, unsigned char *bytes)
{
    sqlite3_blob *blob = NULL;
    const bool is =
        sqlite3_blob_open(b->database->db, "main", "blocks", "rows", first, 0, &blob) == SQLITE_OK &&
        sqlite3_blob_read(blob, bytes, (int)b->row_bytes, 0) == SQLITE_OK;
    sqlite3_blob_close(blob);
    return is;
}

bool ph_blocks_first_row(ph_blocks *b, int64_t row, unsigned char *bytes)
{
    begin_again(b->size);
    sqlite3_bind_int64(b->size, 1, row);
    bool is = sqlite3_step(b->size) == SQLITE_ROW;
    if (is) {
        const int64_t n = sqlite3_column_int64(b->size, 0), size = sqlite3_column_int64(b->size, 2);
        is = n > 0 && n <= INT32_MAX / (int64_t)b->row_bytes && size == n * (int64_t)b->row_bytes &&
             read_beginning(b, row, bytes) && is_time_of(b->size, 1, bytes);
    }
    sqlite3_reset(b->size);
    return is;
}
