/* SPDX-License-Identifier: BSD-3-Clause */
/* How often each event of an archive was found before its state, doc/reference/archive.md: stored next to the state, so that events
 * that are missing are noticed, whatever has become of their table. Packed they are a checksum of the rest and of the state's
 * step count, and for each name its number, the name, and a zero byte; numbers in eight bytes, names in ascending order. */
#include "database.h"
#include "lib/internal/bytes.h"

#include <stdlib.h>
#include <string.h>

/* Where the name is, or would be. */
static size_t find_name(const ph_event_counts *c, const char *name, bool *there)
{
    size_t low = 0, high = c->n;
    *there = false;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(c->at[middle].name, name);
        *there = *there || !order;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

ph_status ph_event_counts_add(ph_event_counts *c, const char *name, int64_t n, ph_error *err)
{
    bool there;
    const size_t i = find_name(c, name, &there);
    if (there) {
        c->at[i].n += n;
        return PH_OK;
    }
    char *copy = strdup(name);
    struct ph_event_count *larger = copy ? realloc(c->at, (c->n + 1) * sizeof *larger) : NULL;
    if (!larger) {
        free(copy);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    c->at = larger;
    memmove(c->at + i + 1, c->at + i, (c->n - i) * sizeof *c->at);
    c->at[i] = (struct ph_event_count){copy, n};
    c->n++;
    return PH_OK;
}

ph_status ph_event_counts_copy(ph_event_counts *to, const ph_event_counts *from, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < from->n && !status; i++)
        status = ph_event_counts_add(to, from->at[i].name, from->at[i].n, err);
    return status;
}

void ph_event_counts_free(ph_event_counts *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->at[i].name);
    free(c->at);
    *c = (ph_event_counts){NULL, 0};
}

ph_status ph_event_counts_read(ph_event_counts *c, const ph_database *database, int64_t k, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = SQLITE_DONE;
    int64_t left = 0; /* bytes that names can have */
    ph_status status = ph_database_size(database, &left, err);
    if (!status)
        status = ph_database_prepare(database, "SELECT name FROM events WHERE n >= 0 AND step < ?1", &s, err);
    if (!status)
        sqlite3_bind_int64(s, 1, k);
    while (!status && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        left -= sqlite3_column_bytes(s, 0);
        status = left >= 0 ? ph_event_counts_add(c, name ? name : "", 1, err)
                           : ph_fail(err, PH_E_IO,
                                     "%s: the table events is damaged: its names are longer than the file",
                                     database->path);
    }
    if (!status && code != SQLITE_DONE)
        status = ph_database_fail(database, "counting events", err);
    sqlite3_finalize(s);
    return status;
}

/* ---- Packed ---------------------------------------------------------------------------------------- */

/* The checksum begins with the step count, so that counts of another state are noticed. */
static uint32_t checksum_of(int64_t k, const unsigned char *bytes, size_t n)
{
    unsigned char step[8];
    ph_put_word(step, (uint64_t)k);
    return ph_checksum(ph_checksum(0, step, sizeof step), bytes, n);
}

ph_status ph_event_counts_pack(const ph_event_counts *c, int64_t k, unsigned char **bytes, size_t *size,
                               ph_error *err)
{
    *size = 8;
    for (size_t i = 0; i < c->n; i++)
        *size += 8 + strlen(c->at[i].name) + 1;
    unsigned char *to = *bytes = malloc(*size);
    if (!to)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    to += 8;
    for (size_t i = 0; i < c->n; i++) {
        const size_t n = strlen(c->at[i].name) + 1;
        to = ph_put_word(to, (uint64_t)c->at[i].n);
        memcpy(to, c->at[i].name, n);
        to += n;
    }
    ph_put_word(*bytes, checksum_of(k, *bytes + 8, *size - 8));
    return PH_OK;
}

/* PH_E_IO at the first of the packed counts, whose checksum is right, of which the table has fewer. */
static ph_status compare(const char *path, const ph_event_counts *there, const unsigned char *bytes,
                         size_t size, ph_error *err)
{
    const unsigned char *end = bytes + size;
    while (bytes < end) {
        uint64_t n;
        bool is;
        bytes = ph_get_word(bytes, &n);
        const char *name = (const char *)bytes;
        const size_t i = find_name(there, name, &is);
        const int64_t found = is ? there->at[i].n : 0;
        if (found < (int64_t)n)
            return ph_fail(err, PH_E_IO, "%s: %lld of %lld events \"%.60s\" are missing", path,
                           (long long)((int64_t)n - found), (long long)n, name);
        bytes += strlen(name) + 1;
    }
    return PH_OK;
}

ph_status ph_event_counts_kept(const ph_database *database, bool *kept, ph_error *err)
{
    int64_t there = 0;
    ph_status status = ph_database_number(
        database, "SELECT count(*) FROM pragma_table_info('state') WHERE name = 'events'", 0, &there, err);
    *kept = there > 0;
    return status;
}

/* The statement is on the row of the state. */
static ph_status check_row(const ph_database *database, sqlite3_stmt *s, ph_error *err)
{
    ph_event_counts there = {NULL, 0};
    const int64_t k = sqlite3_column_int64(s, 0);
    const unsigned char *bytes = sqlite3_column_blob(s, 1);
    const size_t n = (size_t)sqlite3_column_bytes(s, 1);
    uint64_t checksum = 0;
    if (sqlite3_column_type(s, 1) == SQLITE_NULL && !sqlite3_column_int(s, 3))
        return PH_OK; /* written by a version that does not count them */
    if (bytes && n >= 8)
        ph_get_word(bytes, &checksum);
    if (!bytes || n < 8 || (n > 8 && bytes[n - 1]) || checksum != checksum_of(k, bytes + 8, n - 8))
        return ph_fail(err, PH_E_IO, "%s: the numbers of its events next to its state are damaged",
                       database->path);
    /* members that a rank has are in any order: all of its events are before the state */
    const bool ranked = sqlite3_column_int(s, 2);
    ph_status status = ph_event_counts_read(&there, database, ranked ? INT64_MAX : k, err);
    if (!status)
        status = compare(database->path, &there, bytes + 8, n - 8, err);
    ph_event_counts_free(&there);
    return status;
}

ph_status ph_event_counts_check(const ph_database *database, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    bool kept;
    ph_status status = ph_event_counts_kept(database, &kept, err);
    if (status || !kept)
        return status;
    status = ph_database_prepare(
        database,
        "SELECT k, events, EXISTS(SELECT 1 FROM meta WHERE key = 'rank'), EXISTS(SELECT 1 FROM meta WHERE key = 'crc32') FROM state",
        &s, err);
    const int code = status ? SQLITE_DONE : sqlite3_step(s);
    if (code == SQLITE_ROW)
        status = check_row(database, s, err);
    else if (code != SQLITE_DONE)
        status = ph_database_fail(database, "reading the state", err);
    sqlite3_finalize(s);
    return status;
}
