/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives: what was committed is what is read, by our reader and by SQLite alone; when a commit is
 * due. */
#include "lib/archive/database.h"
#include "tests/kit/recording.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- What was written is what is read --------------------------------------------------------------- */

TEST(rows_and_state)
{
    RECORDING(t, 0);
    rec_check_rows(&t, 0, 1);
    rec_check_state(&t, t.r.state, (ph_account){0}, 0);
    double t0, t1;
    ph_record *empty = rec_open("r");
    ph_record_span(empty, &t0, &t1);
    ck_assert(isnan(t0) && isnan(t1));
    ph_record_close(empty);
    int64_t committed = 0;
    static const int portions[] = {1, 1, 5, 0, 2000, 3, 4000, 40000, 1, 2, 300};
    for (size_t i = 0; i < sizeof portions / sizeof portions[0]; i++) {
        rec_add_rows(&t, portions[i]);
        rec_check_rows(&t, committed, 10000); /* waiting rows are not visible */
        rec_commit(&t);
        committed = t.n;
        rec_check_rows(&t, committed, i % 2 ? 10000 : 7777);
        rec_check_state(&t, t.r.state, rec_account(&t), committed);
    }
    rec_check_rows(&t, committed, 11);
    ck_assert(io_there("r.lock"));
    rec_close(&t);
    rec_check_one_file();
    rec_check_rows(&t, committed, 100000);
    rec_check_state(&t, t.r.state, rec_account(&t), committed);
    TK_OWN(ph_record) *record = rec_open("r");
    ph_record_span(record, &t0, &t1);
    ck_assert(t0 == t.rows[0] && t1 == t.rows[REC_COLUMNS * (committed - 1)]);
    double value[REC_COLUMNS];
    int64_t read, next;
    ck_assert_int_eq(ph_record_read(record, -1, 1, value, &read, &next, NULL), PH_E_RANGE);
    ck_assert_int_eq(ph_record_read(record, 0, -1, value, &read, &next, NULL), PH_E_RANGE);
    tk_ok(ph_record_read(record, committed + 5, 1, value, &read, &next, NULL));
    ck_assert_int_eq(read, 0);
}

/* ---- Events ---------------------------------------------------------------------------------------- */

/* Columns are those of trajectory.csv. */
TEST(what_it_says)
{
    TK_ENDS(rec_free) recording t;
    ph_csv *csv;
    char column[200], line[4096] = "";
    rec_create(&t, 0);
    ph_record *record = rec_open("r");
    ck_assert_uint_eq(ph_record_columns(record), REC_COLUMNS);
    for (size_t i = 0; i < REC_COLUMNS; i++) {
        const char *unit = ph_record_unit(record, i);
        snprintf(column, sizeof column, "%s%s%s%s%s", i ? "," : "", ph_record_column(record, i),
                 *unit ? "[" : "", unit, *unit ? "]" : "");
        strcat(line, column);
    }
    tk_ok(ph_csv_create(io_path("trajectory.csv"), t.r.system, NULL, 0, &csv, NULL));
    tk_ok(ph_csv_close(csv, NULL));
    io_check_content("trajectory.csv", strcat(line, "\n"));
    static const char *const expected[][2] = {
        {"scenario", rec_text},    {"name", "s.yaml"}, {"model", "double-spherical-pendulum"},
        {"method", "variational"}, {"order", "2"},     {"step", "0.01"},
        {"steps", "1000"},         {"t0", "0.5"},      {"status", NULL},
        {"reason", NULL},          {"nonsense", NULL}, {"source", "/there/s.yaml"},
        {"session_steps", "0"}};
    char build[512], cut[8];
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *value = ph_record_meta(record, expected[i][0]);
        ck_assert_msg(value ? expected[i][1] && !strcmp(value, expected[i][1]) : !expected[i][1],
                      "%s is \"%s\"", expected[i][0], value ? value : "none");
    }
    ck_assert_ptr_nonnull(strstr(ph_record_meta(record, "options"), "discrete-lagrangian="));
    ph_archive_build(build, sizeof build);
    ph_archive_build(cut, sizeof cut);
    ck_assert_str_eq(ph_record_meta(record, "build"), build);
    ck_assert_ptr_nonnull(strstr(build, "endian, "));
    ck_assert(strlen(cut) == 7 && !strncmp(cut, build, 7));
    ck_assert_str_eq(ph_record_meta(record, "version"), ph_version());
    ck_assert_uint_eq(strlen(ph_record_meta(record, "created")), 20);
    ph_record_close(record);
    ck_assert(ph_archive_due(t.archive)); /* an interval of 0 */
    rec_close(&t);
    record = rec_open("r");
    ck_assert_str_eq(ph_record_meta(record, "status"), "interrupted");
    ck_assert_str_eq(ph_record_meta(record, "reason"), "whim");
    ck_assert_str_eq(ph_record_meta(record, "ended_by"), "me");
    ck_assert_str_eq(ph_record_meta(record, "message"), "because");
    ph_record_close(record);
}

/* The file as read by SQLite alone, and checksums by the definition of CRC-32. */
static uint32_t crc_by_bits(const unsigned char *bytes, size_t n)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int b = 0; b < 8; b++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* The checksum of the rest of the row, as doc/reference/archive.md defines it: numbers as eight bytes (in the order of
 * this machine: tests assume little-endian), and the text. */
static void check_row_checksum(sqlite3 *db)
{
    sqlite3_stmt *s;
    unsigned char bytes[200], *to = bytes;
    ck_assert_int_eq(sqlite3_prepare_v2(db,
                                        "SELECT k, t, rows, energy0, newton_passes, row_passes, "
                                        "cpu_seconds, written, crc32, row_crc32 FROM state",
                                        -1, &s, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    for (int i = 0; i < 9; i++) {
        const int64_t count = sqlite3_column_int64(s, i);
        const double number = sqlite3_column_double(s, i);
        const int type = sqlite3_column_type(s, i);
        const size_t n = type == SQLITE_TEXT ? (size_t)sqlite3_column_bytes(s, i) : 8;
        memcpy(to,
               type == SQLITE_TEXT      ? (const void *)sqlite3_column_text(s, i)
               : type == SQLITE_INTEGER ? (const void *)&count
                                        : (const void *)&number,
               n);
        to += n;
    }
    ck_assert_int_eq(to - bytes, 8 * 8 + 20);
    ck_assert_uint_eq((uint32_t)sqlite3_column_int64(s, 9), crc_by_bits(bytes, (size_t)(to - bytes)));
    sqlite3_finalize(s);
}

TEST(tables)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    RECORDING(t, 3);
    ck_assert_int_eq(sqlite3_open_v2(io_path("r"), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, "PRAGMA journal_mode", -1, &s, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    ck_assert_str_eq((const char *)sqlite3_column_text(s, 0), "wal");
    sqlite3_finalize(s);
    sqlite3_close(db);
    rec_close(&t);
    ck_assert_int_eq(sqlite3_open_v2(io_path("r"), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db,
                                        "SELECT first, n, t0, t1, crc32, rows FROM blocks UNION ALL "
                                        "SELECT k, rows, t, energy0, crc32, state || monitor FROM state",
                                        -1, &s, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    ck_assert_int_eq(sqlite3_column_int(s, 0), 0);
    ck_assert_int_eq(sqlite3_column_int(s, 1), 3);
    ck_assert_double_eq(sqlite3_column_double(s, 2), 0.5);
    ck_assert_double_eq(sqlite3_column_double(s, 3), t.rows[2 * REC_COLUMNS]);
    ck_assert_int_eq(sqlite3_column_bytes(s, 5), 3 * REC_COLUMNS * 8);
    const unsigned char *bytes = sqlite3_column_blob(s, 5);
    ck_assert_uint_eq((uint32_t)sqlite3_column_int64(s, 4), crc_by_bits(bytes, 3 * REC_COLUMNS * 8));
    ck_assert(bytes[0] == 0 && bytes[6] == 0xe0 && bytes[7] == 0x3f); /* 0.5, its least byte first */
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    ck_assert_int_eq(sqlite3_column_int(s, 0), 9);
    ck_assert_int_eq(sqlite3_column_int(s, 1), 3);
    ck_assert_double_eq(sqlite3_column_double(s, 3), t.energy0);
    sqlite3_finalize(s);
    ck_assert_int_eq(sqlite3_prepare_v2(db, "SELECT crc32, state, monitor FROM state", -1, &s, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    size_t n = (size_t)sqlite3_column_bytes(s, 1), m = (size_t)sqlite3_column_bytes(s, 2);
    TK_MEMORY unsigned char *both = malloc(n + m);
    memcpy(both, sqlite3_column_blob(s, 1), n);
    memcpy(both + n, sqlite3_column_blob(s, 2), m);
    ck_assert(!memcmp(both, "phstate1", 8) && !memcmp(both + n, "phmonit2", 8));
    ck_assert_uint_eq((uint32_t)sqlite3_column_int64(s, 0), crc_by_bits(both, n + m));
    sqlite3_finalize(s);
    check_row_checksum(db);
    sqlite3_close(db);
}

/* Rows that were committed one at a time cost hardly more than their bytes. */
TEST_EACH(sizes, 2)
{
    struct stat s;
    RECORDING(t, 0);
    ck_assert(!ph_archive_due(t.archive));
    for (int i = 0; i < (_i ? 1 : 500); i++) {
        rec_commit_rows(&t, _i ? 60000 : 10);
    }
    rec_close(&t);
    ck_assert(!stat(io_path("r"), &s));
    double bytes = 8.0 * REC_COLUMNS * (double)t.n, over = (double)s.st_size / bytes - 1;
    printf("    %lld rows: %.2f per cent more than 8 bytes a number\n", (long long)t.n, 100 * over);
    ck_assert(over > 0);
    ck_assert_double_lt((double)s.st_size,
                        1.03 * bytes +
                            3 * 65536); /* the tables, and room that the latest block left when it grew */
    if (_i)
        ck_assert_double_lt(over, 0.03);
}

TEST(due)
{
    RECORDING(t, 0);
    const int enough = (4 << 20) / (8 * REC_COLUMNS) + 1;
    rec_add_rows(&t, enough - 1);
    ck_assert(!ph_archive_due(t.archive));
    rec_add_row(&t);
    ck_assert(ph_archive_due(t.archive));
    rec_commit(&t);
    ck_assert(!ph_archive_due(t.archive));
    /* due by time since the latest commit */
    ck_assert(!ph_archive_due_after(t.archive, 0.999e9));
    ck_assert(ph_archive_due_after(t.archive, 1e9));
    rec_close(&t);
    rec_check_rows(&t, t.n, 10000);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* With the real clock: a commit is due not before the interval has passed, some time after that, and again
 * after the next interval. A busy machine may make it late, never early (except by the 10 ms of a coarse
 * clock). */
TEST(due_in_time)
{
    TK_ENDS(rec_free) recording t;
    rec_create(&t, 0.1);
    for (int i = 0; i < 2; i++) {
        const double begun = seconds();
        if (i)
            rec_commit(&t);
        while (!ph_archive_due(t.archive))
            usleep(1000);
        if (i)
            ck_assert_double_ge(seconds() - begun, 0.09);
    }
    ph_archive_abandon(t.archive);
    rec_check_rows(&t, 0, 10);
}

int main(void)
{
    return tk_run_in("record", io_make_folder, io_remove_folder);
}
