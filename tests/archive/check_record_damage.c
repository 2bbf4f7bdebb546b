/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives on a full disk; cut off, with flipped bits, with blocks in the wrong place; and files that are no
 * archives: errors say so, and what can be read is read. */
#include "lib/archive/database.h"
#include "tests/kit/recording.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Bad disks and bad files ------------------------------------------------------------------------- */

TEST_EACH(disk_full, 2)
{
    recording t;
    struct rlimit before, small;
    rec_create(&t, 1e9);
    rec_commit_rows(&t, 1000);
    ck_assert(!getrlimit(RLIMIT_FSIZE, &before));
    small = before;
    small.rlim_cur = 1 << 20;
    signal(SIGXFSZ, SIG_IGN);
    rec_add_rows(&t, 10000);
    ck_assert(!setrlimit(RLIMIT_FSIZE, &small));
    ph_account account = rec_account(&t);
    ph_status status = ph_archive_commit(t.archive, t.r.state, t.r.monitor, &account, tk_err);
    ck_assert_int_eq(status, PH_E_IO);
    ck_assert_msg(strstr(tk_err->message, "safe are 1000 rows and the state after 3000 steps, at t = 30.5 s"),
                  "%s", tk_err->message);
    rec_check_rows(&t, 1000, 100);
    if (_i == 0) { /* there is room again */
        ck_assert(!setrlimit(RLIMIT_FSIZE, &before));
        rec_commit(&t);
        rec_close(&t);
    } else { /* there is none to the end */
        status = ph_archive_close(t.archive, &(ph_ending){.status = PH_E_IO, .message = "full"}, tk_err);
        ck_assert_int_eq(status, PH_E_IO);
        ck_assert(!setrlimit(RLIMIT_FSIZE, &before));
        rec_check_rows(&t, 1000, 100);
        rec_reopen(&t);
        t.n = 1000;
        rec_close(&t);
    }
    rec_check_one_file();
    rec_check_rows(&t, t.n, 100);
    rec_free(&t);
    /* and none for a new one */
    io_begin(&t.r, "double-spherical-pendulum", "variational", NULL, 0);
    const ph_archive_plan plan = {.integrator = t.r.integrator, .steps = 1};
    small.rlim_cur = 8192;
    ck_assert(!setrlimit(RLIMIT_FSIZE, &small));
    status = ph_archive_create(io_path("a"), &plan, t.r.state, NULL, 1, &t.archive, tk_err);
    ck_assert(!setrlimit(RLIMIT_FSIZE, &before));
    ck_assert_int_eq(status, PH_E_IO);
    ck_assert(!io_there("a") && !io_there("a.part") && !io_there("a.lock"));
    io_end(&t.r);
}

/* All rows that can be read are those that were written; how many, and how often damage was met. */
static int64_t read_what_can_be(const recording *t, ph_record *record, int *damages)
{
    double values[64 * REC_COLUMNS];
    ph_error err = {PH_OK, ""};
    int64_t good = 0, read, next;
    *damages = 0;
    for (int64_t first = 0;; first = next) {
        err.message[0] = '\0';
        ph_status status = ph_record_read(record, first, 64, values, &read, &next, &err);
        if (status) {
            ck_assert_int_eq(read, 0);
            ck_assert_int_gt(next, first);
            ck_assert(err.message[0]);
            ++*damages;
        } else if (!read) {
            return good;
        }
        ck_assert_int_le(first + read, t->n);
        ck_assert(
            !memcmp(values, t->rows + REC_COLUMNS * first, (size_t)read * REC_COLUMNS * sizeof *values));
        good += read;
    }
}

/* Blocks of about 1700 rows. */
static void write_some(recording *t)
{
    rec_create(t, 1e9);
    for (int i = 0; i < 4; i++) {
        rec_add_rows(t, 1700);
        rec_commit(t);
    }
    rec_close(t);
}

static int shorter(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x < y) - (x > y);
}

/* A file that was cut off is refused, or, as SQLite commits by pages, gives right rows. */
TEST(cut_off)
{
    enum { MOST = 1000 };
    const size_t tried = tk_thorough() ? MOST : 100;
    TK_ENDS(rec_free) recording t;
    size_t size, lengths[MOST], refusals = 0;
    int damages;
    write_some(&t);
    free(rec_load("r", &size));
    tk_random r = {1234};
    for (size_t i = 0; i < tried; i++)
        lengths[i] = i < 10 ? i : i < 20 ? size - 1 - (i - 10) : (size_t)tk_uniform(&r, 0, (double)size);
    qsort(lengths, tried, sizeof *lengths, shorter); /* so that it is cut again and again */
    for (size_t i = 0; i < tried; i++) {
        ph_record *record = NULL;
        ph_archive *archive = NULL;
        ph_error err = {PH_OK, ""};
        ck_assert(!truncate(io_path("r"), (off_t)lengths[i]));
        ph_status status = ph_record_open(io_path("r"), &record, &err);
        if (status) {
            refusals++;
            ck_assert(err.message[0] && strstr(err.message, "/r: "));
            ck_assert(ph_archive_reopen(io_path("r"), t.r.system, 1, &archive, &err) != PH_OK);
        } else {
            read_what_can_be(&t, record, &damages);
        }
        ph_record_close(record);
        ck_assert(!io_there("r.lock"));
    }
    ck_assert_uint_ge(refusals, tried - 20); /* all but where only a part of the last page is gone */
}

/* Changed bytes within a block: the block is named, and the others are read. */
TEST(flipped_in_a_block)
{
    TK_ENDS(rec_free) recording t;
    size_t size;
    tk_random r = {99};
    write_some(&t);
    TK_MEMORY unsigned char *bytes = rec_load("r", &size);
    ck_assert_uint_gt(size, 1000000);
    for (int i = 0; i < (tk_thorough() ? 1000 : 50); i++) {
        double values[REC_COLUMNS];
        int damages;
        int64_t read, next;
        size_t at = (size_t)tk_uniform(&r, 0.1 * (double)size, 0.9 * (double)size) |
                    8; /* not where pages are chained */
        rec_poke("r", at, bytes[at] ^ (unsigned char)(1 << i % 8));
        ph_record *record = rec_open("r");
        ck_assert_int_eq(read_what_can_be(&t, record, &damages), 3 * 1700);
        ck_assert_int_eq(damages, 1);
        int64_t bad = 0;
        while (bad < 6800 && !ph_record_read(record, bad, 1, values, &read, &next, tk_err))
            bad += 1700;
        char name[80];
        snprintf(name, sizeof name, "block of rows %lld to %lld", (long long)bad, (long long)bad + 1699);
        ck_assert_msg(strstr(tk_err->message, name) && strstr(tk_err->message, "checksum"), "%s",
                      tk_err->message);
        ck_assert_int_eq(next, bad + 1700);
        ph_record_close(record);
        rec_poke("r", at, bytes[at]);
    }
}

/* A block whose rows are undamaged, but whose times are not theirs. */
TEST(times_of_a_block)
{
    TK_ENDS(rec_free) recording t;
    int damages;
    double values[REC_COLUMNS];
    int64_t read, next;
    static const char *const changes[] = {"t0 = t0 + 1", "t1 = 1e300", "t1 = NULL", "t0 = 'x'"};
    char sql[100];
    write_some(&t);
    for (size_t i = 0; i < 4; i++) {
        snprintf(sql, sizeof sql, "UPDATE blocks SET %s WHERE first = %zu", changes[i], 1700 * i);
        rec_change(sql);
        TK_OWN(ph_record) *record = rec_open("r");
        ck_assert_int_eq(read_what_can_be(&t, record, &damages), (int64_t)(3 - i) * 1700);
        ck_assert_int_eq(damages, (int)i + 1);
        tk_refused(ph_record_read(record, (int64_t)(1700 * i), 1, values, &read, &next, tk_err), PH_E_IO,
                   "its times are not its rows'");
    }
}

/* A block whose rows are undamaged, but have the numbers of others. */
TEST(block_elsewhere)
{
    TK_ENDS(rec_free) recording t;
    int damages;
    write_some(&t);
    rec_change("UPDATE blocks SET first = 5101 WHERE first = 5100");
    TK_OWN(ph_record) *record = rec_open("r");
    ck_assert_int_eq(read_what_can_be(&t, record, &damages), 3 * 1700);
    ck_assert_int_eq(damages, 2);
}

/* Where the blocks cannot be reached at all, reading ends, after it has reported the damage. */
TEST(blocks_out_of_reach)
{
    TK_ENDS(rec_free) recording t;
    size_t size;
    sqlite3 *db;
    sqlite3_stmt *s;
    int damages;
    write_some(&t);
    ck_assert_int_eq(sqlite3_open_v2(io_path("r"), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    size_t page[3];
    static const char *const asked[] = {"PRAGMA page_size",
                                        "SELECT rootpage FROM sqlite_schema WHERE name = 'blocks'",
                                        "SELECT rootpage FROM sqlite_schema WHERE name = 'state'"};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(sqlite3_prepare_v2(db, asked[i], -1, &s, NULL), SQLITE_OK);
        ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
        page[i] = (size_t)sqlite3_column_int64(s, 0);
        sqlite3_finalize(s);
    }
    sqlite3_close(db);
    TK_MEMORY unsigned char *bytes = rec_load("r", &size);
    for (size_t i = 1; i < 3; i++) { /* the blocks, then the state, too: the kind of page is none */
        bytes[(page[i] - 1) * page[0]] = 0xff;
        rec_store("r", bytes, size);
        TK_OWN(ph_record) *record = rec_open("r");
        ck_assert_int_eq(read_what_can_be(&t, record, &damages), 0);
        ck_assert_int_eq(damages, 1);
    }
}

/* A change of any byte of the file: nothing is read that was not written, and nothing crashes. */
TEST(flipped_anywhere)
{
    TK_ENDS(rec_free) recording t;
    size_t size;
    tk_random r = {7};
    write_some(&t);
    TK_MEMORY unsigned char *bytes = rec_load("r", &size);
    for (int i = 0; i < (tk_thorough() ? 4000 : 200); i++) {
        ph_record *record = NULL;
        ph_error err = {PH_OK, ""};
        int damages;
        ph_account account;
        double limit = i % 2 ? 40000 : (double)size;
        size_t at = (size_t)tk_uniform(&r, 0, limit);
        rec_poke("r", at, (unsigned char)tk_uniform(&r, 0, 256));
        if (!ph_record_open(io_path("r"), &record, &err)) {
            if (ph_record_columns(record) == REC_COLUMNS)
                read_what_can_be(&t, record, &damages);
            (void)ph_record_state(record, t.r.state, t.r.monitor, &account, &err);
        } else {
            ck_assert(err.message[0]);
        }
        ph_record_close(record);
        rec_poke("r", at, bytes[at]);
    }
}

TEST(damaged_state)
{
    TK_ENDS(rec_free) recording t;
    size_t size;
    ph_account account;
    write_some(&t);
    unsigned char *bytes = rec_load("r", &size), *at = bytes;
    TK_MAKE(ph_state, before, ph_state_create(t.r.integrator, &before, NULL));
    tk_ok(ph_state_copy(before, t.r.state));
    while (memcmp(at, "phstate1", 8))
        at++;
    at[8 * 12] ^= 1;
    rec_store("r", bytes, size);
    TK_OWN(ph_record) *record = rec_open("r");
    tk_returns(ph_record_state(record, t.r.state, NULL, &account, tk_err), PH_E_IO);
    ck_assert_msg(strstr(tk_err->message, "state is damaged") && strstr(tk_err->message, "checksum"), "%s",
                  tk_err->message);
    ck_assert(!memcmp(before->z, t.r.state->z, 6 * sizeof(double)));
    free(bytes);
}

/* ---- The row of the state without the state ------------------------------------------------------------ */

static void refused(ph_status expected, const char *words)
{
    ph_record *record = NULL;
    ph_archive *archive = NULL;
    tk_refused(ph_record_open(io_path("r"), &record, tk_err), expected, words);
    /* without a system, which is the same failure while it is held */
    ck_assert_int_eq(ph_archive_reopen(io_path("r"), NULL, 1, &archive, tk_err), expected);
    ck_assert_msg(strstr(tk_err->message, words), "%s", tk_err->message);
    ck_assert(!io_there("r.lock"));
}

TEST(no_archive)
{
    TK_ENDS(rec_free) recording t;
    refused(PH_E_IO, "No such file");
    ck_assert(!mkdir(io_path("r"), 0777));
    refused(PH_E_IO, "is no file");
    rmdir(io_path("r"));
    io_put("r", "");
    refused(PH_E_PARSE, "is empty");
    io_put("r", "t[s],step\n0,0\n");
    refused(PH_E_PARSE, "no archive of Polhode");
    remove(io_path("r"));
    rec_change("CREATE TABLE x(y)");
    refused(PH_E_PARSE, "another SQLite database");
    remove(io_path("r"));
    write_some(&t);
    rec_change("PRAGMA user_version = 4");
    refused(PH_E_PARSE, "version 4; this version of Polhode reads versions 1 to 3, a newer one is expected");
    rec_change("PRAGMA user_version = 0");
    refused(PH_E_PARSE, "version 0");
    rec_change(
        "PRAGMA user_version = 3; CREATE TABLE further(what, t); INSERT INTO further VALUES('later', 1)");
    rec_check_rows(&t, t.n, 100); /* tables that are added harm nobody */
    rec_change("DELETE FROM blocks WHERE first = 1700");
    ph_record *record = rec_open("r");
    int damages;
    ck_assert_int_eq(read_what_can_be(&t, record, &damages), 3 * 1700);
    ck_assert_int_eq(damages, 1);
    ph_record_close(record);
    rec_change("DELETE FROM blocks WHERE first > 1700");
    ph_archive *archive = NULL;
    tk_refused(ph_archive_reopen(io_path("r"), t.r.system, 1, &archive, tk_err), PH_E_IO, "missing");
    rec_change("DELETE FROM state");
    tk_refused(ph_archive_reopen(io_path("r"), t.r.system, 1, &archive, tk_err), PH_E_IO, "no state");
}

/* ---- Files of strangers ------------------------------------------------------------------------------- */

#define ENDLESS "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT "
#define REPLACED(table, query) "ALTER TABLE " table " RENAME TO old; CREATE VIEW " table " AS " query
#define SCHEMA(from, to)                                                                                     \
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, '" from "', '" to "')"

TEST(not_the_tables_of_an_archive)
{
    static const struct {
        const char *sql, *words;
    } cases[] = {
        {REPLACED("meta", ENDLESS "'k' || x AS key, 'v' AS value FROM c"), "the table meta is not"},
        {REPLACED("columns", ENDLESS "x AS i, 'c' || x AS name, NULL AS unit FROM c"),
         "the table columns is not"},
        {REPLACED("blocks", ENDLESS "x AS first, 1 AS n, 0 AS t0, 0 AS t1, 0 AS crc32, x'00' AS rows FROM c"),
         "it is a view that another program has made"},
        {REPLACED("events",
                  ENDLESS "x AS n, 'e' AS name, 0 AS t, 0 AS step, 0 AS crc32, x'00' AS row FROM c"),
         "the table events is not"},
        {"CREATE VIEW state_pieces AS " ENDLESS "x AS i, zeroblob(1000000) AS bytes FROM c",
         "the table state_pieces is not"},
        {"CREATE VIEW FAILED AS " ENDLESS "x AS member, '' AS status, 0 AS t, '' AS message FROM c",
         "the table failed is not"},
        {"CREATE INDEX fast ON blocks(t0)", "the index fast is of another program"},
        {"ALTER TABLE meta ADD COLUMN more TEXT AS (hex(value))", "its column more is another one"},
        {"ALTER TABLE meta ADD COLUMN more TEXT", "its column more is another one"},
        {SCHEMA("first INTEGER", "first ANTEGER"), "its column first is another one"},
        {SCHEMA("name TEXT NOT NULL, unit", "name TEXT NOT NULL DEFAULT (hex(7)), unit"),
         "its column name is another one"},
        {SCHEMA("t0, ", "t0 CHECK(zeroblob(900000000) > 0), "), "it has constraints of another program"},
        {SCHEMA("CHECK(id = 0)", "CHECK(id < 9)"), "it has constraints of another program"},
    };
    TK_ENDS(rec_free) recording t;
    size_t size;
    write_some(&t);
    unsigned char *whole = rec_load("r", &size);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rec_store("r", whole, size);
        rec_change(cases[i].sql);
        refused(PH_E_IO, cases[i].words);
    }
    free(whole);
}

/* What a stranger's triggers and views do is never seen. */
TEST(triggers_do_not_run)
{
    TK_ENDS(rec_free) recording t;
    write_some(&t);
    rec_change("CREATE TABLE seen(what);"
               "CREATE VIEW energies AS SELECT t0 FROM blocks;"
               "CREATE TRIGGER a AFTER INSERT ON blocks BEGIN INSERT INTO seen VALUES(1); END;"
               "CREATE TRIGGER b AFTER UPDATE ON state BEGIN INSERT INTO seen VALUES(2); END;"
               "CREATE TRIGGER c AFTER INSERT ON state BEGIN INSERT INTO seen VALUES(3); END;"
               "CREATE TRIGGER d AFTER DELETE ON meta BEGIN DELETE FROM blocks; END");
    rec_check_rows(&t, t.n, 100);
    rec_reopen(&t);
    rec_commit_rows(&t, 3000);
    rec_close(&t);
    rec_check_rows(&t, t.n, 100);
    rec_change("INSERT INTO seen SELECT CASE count(*) WHEN 0 THEN 0 ELSE zeroblob(2000000000) END FROM seen");
}

int main(void)
{
    return tk_run_in("record: damage", io_make_folder, io_remove_folder);
}
