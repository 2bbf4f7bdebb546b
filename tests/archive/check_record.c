/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives: what was committed is what is read, by our reader and by SQLite alone, also during writing; only
 * one writer; and what happens when the disk is full or the file is damaged, truncated, not an archive, or
 * newer. */
#include "tests/kit/iokit.h"

#include "lib/archive/database.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COLUMNS = 2 + 6 + 6 + 4 + 1 + 1 }; /* of the double spherical pendulum */

/* ---- An archive of a short run --------------------------------------------------------------------- */

typedef struct tale {
    io_run r;
    ph_archive *archive;
    double *rows; /* what was written, kept apart */
    int64_t n;
    double energy0;
} tale;

static const char text[] = "model: double-spherical-pendulum # \xc3\xa9 'quoted'\n";

/* Begins an archive in which a state of more than `piece` bytes is written in pieces. */
static void begin_in_pieces(tale *t, double interval, size_t piece)
{
    ph_error err = {PH_OK, ""};
    *t = (tale){0};
    io_begin(&t->r, "double-spherical-pendulum", "variational", NULL, 0);
    const ph_archive_plan plan = {.scenario = text,
                                  .length = sizeof text - 1,
                                  .name = "s.yaml",
                                  .source = "/there/s.yaml",
                                  .model = "double-spherical-pendulum",
                                  .integrator = t->r.integrator,
                                  .steps = 1000};
    ph_status status =
        piece ? ph_archive_create_in_pieces(io_path("r"), &plan, t->r.state, t->r.monitor, interval, piece,
                                            &t->archive, &err)
              : ph_archive_create(io_path("r"), &plan, t->r.state, t->r.monitor, interval, &t->archive, &err);
    ck_assert_msg(!status, "%s", err.message);
    t->rows = calloc(200000, COLUMNS * sizeof *t->rows);
}

static void begin_tale(tale *t, double interval)
{
    begin_in_pieces(t, interval, 0);
}

static void free_tale(tale *t)
{
    free(t->rows);
    io_end(&t->r);
}

/* Adds a row to the archive and to the memory of the test. */
static void add_row(tale *t)
{
    ph_measures m;
    const ph_state *s = t->r.state;
    double *row = t->rows + COLUMNS * t->n;
    tk_ok(ph_monitor_see(t->r.monitor, s, &m));
    if (t->archive)
        tk_ok(ph_archive_row(t->archive, s, &m, 7 + t->n, NULL));
    t->energy0 = t->n ? t->energy0 : m.energy;
    row[0] = s->t;
    row[1] = (double)s->k;
    memcpy(row + 2, s->z, 6 * sizeof *row);
    memcpy(row + 8, s->p, 6 * sizeof *row);
    row[14] = m.energy;
    row[15] = m.energy - t->energy0;
    row[16] = m.constraint_error;
    row[17] = m.tangency;
    row[18] = m.momenta[0];
    row[19] = (double)(7 + t->n);
    t->n++;
    tk_ok(ph_integrator_step(t->r.integrator, t->r.state, 3));
}

static ph_account account_of(const tale *t)
{
    return (ph_account){
        .newton_passes = 100 + t->n, .row_passes = 50 + t->n, .cpu_seconds = 0.1 * (double)t->n};
}

static void commit(tale *t)
{
    ph_error err = {PH_OK, ""};
    ph_account account = account_of(t);
    ph_status status = ph_archive_commit(t->archive, t->r.state, t->r.monitor, &account, &err);
    ck_assert_msg(!status, "%s", err.message);
}

static void add_rows(tale *t, int n)
{
    for (int i = 0; i < n; i++)
        add_row(t);
}

static ph_record *open_record(const char *name)
{
    ph_record *record = NULL;
    ph_error err = {PH_OK, ""};
    ph_status status = ph_record_open(io_path(name), &record, &err);
    ck_assert_msg(!status, "%s", err.message);
    return record;
}

/* The first n rows are there and no others, read `at_once` at a time. */
static void check_rows(const tale *t, int64_t n, int64_t at_once)
{
    ph_record *record = open_record("r");
    double *values = calloc((size_t)at_once, COLUMNS * sizeof *values);
    int64_t first = 0, read = 0, next = 0;
    ck_assert_int_eq(ph_record_rows(record), n);
    for (;; first = next) {
        tk_ok(ph_record_read(record, first, at_once, values, &read, &next, NULL));
        ck_assert_int_eq(next, first + read);
        ck_assert_int_le(read, at_once);
        if (!read)
            break;
        ck_assert_int_le(next, n);
        ck_assert_msg(!memcmp(values, t->rows + COLUMNS * first, (size_t)read * COLUMNS * sizeof *values),
                      "rows from %lld differ", (long long)first);
    }
    ck_assert_int_eq(first, n);
    free(values);
    ph_record_close(record);
}

/* The state in the archive is this one, with this account. */
static void check_state(const tale *t, const ph_state *state, ph_account expected, int64_t rows)
{
    ph_record *record = open_record("r");
    ph_state *found = NULL;
    ph_monitor *monitor = NULL;
    ph_account account;
    tk_ok(ph_state_create(t->r.integrator, &found, NULL));
    tk_ok(ph_monitor_create(t->r.diagnostics, 0, 1, &monitor, NULL));
    tk_ok(ph_record_state(record, found, monitor, &account, NULL));
    ck_assert(!memcmp(found->z, state->z, 6 * sizeof(double)) &&
              !memcmp(found->p, state->p, 6 * sizeof(double)));
    ck_assert(found->t == state->t && found->k == state->k);
    ck_assert(!memcmp(found->carry, state->carry, state->ncarry * sizeof(double)));
    ck_assert_int_eq(account.rows, rows);
    ck_assert_int_eq(account.newton_passes, expected.newton_passes);
    ck_assert_int_eq(account.row_passes, expected.row_passes);
    ck_assert_double_eq(account.cpu_seconds, expected.cpu_seconds);
    ph_monitor_free(monitor);
    ph_state_free(found);
    ph_record_close(record);
}

static void close_tale(tale *t)
{
    ph_error err = {PH_OK, ""};
    const ph_ending ending = {.status = PH_E_INTERRUPTED, .reason = "whim", .by = "me", .message = "because"};
    ph_status status = ph_archive_close(t->archive, &ending, &err);
    ck_assert_msg(!status, "%s", err.message);
    t->archive = NULL;
}

static void check_one_file(void)
{
    ck_assert(io_there("r"));
    ck_assert(!io_there("r-wal") && !io_there("r-shm") && !io_there("r-journal") && !io_there("r.lock") &&
              !io_there("r.part"));
}

static void change(const char *sql)
{
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(io_path("r"), &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* ---- What was written is what is read --------------------------------------------------------------- */

START_TEST(rows_and_state)
{
    tale t;
    begin_tale(&t, 1e9);
    check_rows(&t, 0, 1);
    check_state(&t, t.r.state, (ph_account){0}, 0);
    double t0, t1;
    ph_record *empty = open_record("r");
    ph_record_span(empty, &t0, &t1);
    ck_assert(isnan(t0) && isnan(t1));
    ph_record_close(empty);
    int64_t committed = 0;
    static const int portions[] = {1, 1, 5, 0, 2000, 3, 4000, 40000, 1, 2, 300};
    for (size_t i = 0; i < sizeof portions / sizeof portions[0]; i++) {
        add_rows(&t, portions[i]);
        check_rows(&t, committed, 10000); /* waiting rows are not visible */
        commit(&t);
        committed = t.n;
        check_rows(&t, committed, i % 2 ? 10000 : 7777);
        check_state(&t, t.r.state, account_of(&t), committed);
    }
    check_rows(&t, committed, 11);
    ck_assert(io_there("r.lock"));
    close_tale(&t);
    check_one_file();
    check_rows(&t, committed, 100000);
    check_state(&t, t.r.state, account_of(&t), committed);
    ph_record *record = open_record("r");
    ph_record_span(record, &t0, &t1);
    ck_assert(t0 == t.rows[0] && t1 == t.rows[COLUMNS * (committed - 1)]);
    double value[COLUMNS];
    int64_t read, next;
    ck_assert_int_eq(ph_record_read(record, -1, 1, value, &read, &next, NULL), PH_E_RANGE);
    ck_assert_int_eq(ph_record_read(record, 0, -1, value, &read, &next, NULL), PH_E_RANGE);
    tk_ok(ph_record_read(record, committed + 5, 1, value, &read, &next, NULL));
    ck_assert_int_eq(read, 0);
    ph_record_close(record);
    free_tale(&t);
}
END_TEST

/* ---- Events ---------------------------------------------------------------------------------------- */

/* Adds an event at the present state; its numbers are invented. */
static void add_event(tale *t, const char *name, int64_t step)
{
    const ph_occurrence o = {.t = 0.1 * (double)step + 0.01,
                             .theta = 0.25 + 1e-3 * (double)step,
                             .step = step,
                             .direction = step % 2 ? 1 : -1,
                             .state = t->r.state};
    tk_ok(ph_archive_event(t->archive, name, &o, NULL));
}

static void check_event(ph_record *record, int64_t i, const char *name, int64_t step, const ph_state *state)
{
    ph_recorded_event e;
    ph_error err = {PH_OK, ""};
    ck_assert_msg(!ph_record_event(record, i, &e, &err), "%s", err.message);
    ck_assert_str_eq(e.name, name);
    ck_assert(e.t == 0.1 * (double)step + 0.01 && e.theta == 0.25 + 1e-3 * (double)step);
    ck_assert_int_eq(e.step, step);
    ck_assert_int_eq(e.direction, step % 2 ? 1 : -1);
    ck_assert_uint_eq(e.n, 12);
    ck_assert(!memcmp(e.values, state->z, 6 * sizeof(double)) &&
              !memcmp(e.values + 6, state->p, 6 * sizeof(double)));
}

/* Events appear with the next state, in the order in which they were reported. */
START_TEST(events)
{
    tale t;
    ph_recorded_event e;
    ph_error err = {PH_OK, ""};
    static const char longest[] =
        "a name, \xc3\xa9, of more letters than there are numbers in a state: much longer, really, "
        "than any name that a scenario may have, but a program's own may be as long as it likes";
    begin_tale(&t, 1e9);
    add_rows(&t, 4); /* to step 12 */
    ph_state *at = NULL;
    tk_ok(ph_state_create(t.r.integrator, &at, NULL));
    tk_ok(ph_state_copy(at, t.r.state));
    add_event(&t, "one", 3);
    add_event(&t, longest, 7);
    add_event(&t, "one", 11);
    ph_record *record = open_record("r");
    ck_assert_int_eq(ph_record_events(record), 0);
    ck_assert_int_eq(ph_record_event(record, 0, &e, &err), PH_E_RANGE);
    commit(&t);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(ph_record_events(record), 3);
        ck_assert_int_eq(ph_record_found(record, "one"), 2);
        ck_assert_int_eq(ph_record_found(record, longest), 1);
        ck_assert_int_eq(ph_record_found(record, "none"), 0);
        check_event(record, 1, longest, 7, at);
        check_event(record, 0, "one", 3, at);
        check_event(record, 2, "one", 11, at);
        ck_assert_int_eq(ph_record_event(record, 3, &e, &err), PH_E_RANGE);
        ck_assert_int_eq(ph_record_event(record, -1, &e, &err), PH_E_RANGE);
        commit(&t); /* nothing is written twice */
    }
    add_rows(&t, 1);
    add_event(&t, "late", 14);
    ck_assert_int_eq(ph_record_events(record), 3);
    commit(&t);
    check_event(record, 3, "late", 14, t.r.state);
    /* one behind the state, as ph_archive_close leaves it */
    add_event(&t, "late", 15);
    close_tale(&t);
    ph_record_close(record);
    record = open_record("r");
    ck_assert_int_eq(ph_record_events(record), 5);
    ph_record_close(record);
    ph_archive *again = NULL;
    tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &again, NULL));
    tk_ok(ph_archive_go_on(again, NULL));
    record = open_record("r");
    ck_assert_int_eq(ph_record_events(record), 4);
    t.archive = again;
    add_event(&t, "one", 15);
    tk_ok(ph_integrator_step(t.r.integrator, t.r.state, 1));
    tk_ok(ph_state_copy(at, t.r.state));
    commit(&t);
    ck_assert_int_eq(ph_record_events(record), 5);
    ck_assert_int_eq(ph_record_found(record, "late"), 1);
    ck_assert_int_eq(ph_record_found(record, "one"), 3);
    ph_state_free(at);
    ph_record_close(record);
    close_tale(&t);
    free_tale(&t);
}
END_TEST

/* However many are found between two states, they take a few megabytes at most while they wait. */
START_TEST(many_events)
{
    tale t;
    int64_t n = 0;
    begin_tale(&t, 1e9);
    for (; n < 100000 && !ph_archive_due(t.archive); n++)
        add_event(&t, "many", n);
    ck_assert_int_gt(n, 20000); /* of 16 numbers, two lengths and a name */
    ck_assert_int_lt(n, 40000);
    tk_ok(ph_integrator_step(t.r.integrator, t.r.state, n));
    commit(&t);
    ck_assert(!ph_archive_due(t.archive));
    ph_record *record = open_record("r");
    ck_assert_int_eq(ph_record_found(record, "many"), n);
    ph_record_close(record);
    close_tale(&t);
    free_tale(&t);
}
END_TEST

/* Columns are those of trajectory.csv. */
START_TEST(what_it_says)
{
    tale t;
    ph_csv *csv;
    char column[200], line[4096] = "";
    begin_tale(&t, 0);
    ph_record *record = open_record("r");
    ck_assert_uint_eq(ph_record_columns(record), COLUMNS);
    for (size_t i = 0; i < COLUMNS; i++) {
        const char *unit = ph_record_unit(record, i);
        snprintf(column, sizeof column, "%s%s%s%s%s", i ? "," : "", ph_record_column(record, i),
                 *unit ? "[" : "", unit, *unit ? "]" : "");
        strcat(line, column);
    }
    tk_ok(ph_csv_create(io_path("trajectory.csv"), t.r.system, NULL, 0, &csv, NULL));
    tk_ok(ph_csv_close(csv, NULL));
    io_check_content("trajectory.csv", strcat(line, "\n"));
    static const char *const expected[][2] = {
        {"scenario", text},        {"name", "s.yaml"}, {"model", "double-spherical-pendulum"},
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
    close_tale(&t);
    record = open_record("r");
    ck_assert_str_eq(ph_record_meta(record, "status"), "interrupted");
    ck_assert_str_eq(ph_record_meta(record, "reason"), "whim");
    ck_assert_str_eq(ph_record_meta(record, "ended_by"), "me");
    ck_assert_str_eq(ph_record_meta(record, "message"), "because");
    ph_record_close(record);
    free_tale(&t);
}
END_TEST

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

/* The checksum of the rest of the row, as doc/archive.md defines it: numbers as eight bytes (in the order of
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

START_TEST(tables)
{
    tale t;
    sqlite3 *db;
    sqlite3_stmt *s;
    begin_tale(&t, 1e9);
    add_rows(&t, 3);
    commit(&t);
    ck_assert_int_eq(sqlite3_open_v2(io_path("r"), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, "PRAGMA journal_mode", -1, &s, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    ck_assert_str_eq((const char *)sqlite3_column_text(s, 0), "wal");
    sqlite3_finalize(s);
    sqlite3_close(db);
    close_tale(&t);
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
    ck_assert_double_eq(sqlite3_column_double(s, 3), t.rows[2 * COLUMNS]);
    ck_assert_int_eq(sqlite3_column_bytes(s, 5), 3 * COLUMNS * 8);
    const unsigned char *bytes = sqlite3_column_blob(s, 5);
    ck_assert_uint_eq((uint32_t)sqlite3_column_int64(s, 4), crc_by_bits(bytes, 3 * COLUMNS * 8));
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
    unsigned char *both = malloc(n + m);
    memcpy(both, sqlite3_column_blob(s, 1), n);
    memcpy(both + n, sqlite3_column_blob(s, 2), m);
    ck_assert(!memcmp(both, "phstate1", 8) && !memcmp(both + n, "phmonit2", 8));
    ck_assert_uint_eq((uint32_t)sqlite3_column_int64(s, 0), crc_by_bits(both, n + m));
    free(both);
    sqlite3_finalize(s);
    check_row_checksum(db);
    sqlite3_close(db);
    free_tale(&t);
}
END_TEST

static int64_t number_of(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    ck_assert_int_eq(sqlite3_open_v2(io_path("r"), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    const int64_t number = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return number;
}

/* Pieces of so many bytes; and the whole state, when the archive is resumed with pieces of the usual size. */
static void check_pieces(const ph_state *state, size_t piece)
{
    const size_t all = ph_state_packed_size(state);
    unsigned char *packed = malloc(all), *at = packed;
    sqlite3 *db;
    sqlite3_stmt *s;
    ph_state_pack(state, packed);
    ck_assert_int_eq(number_of("SELECT length(state) FROM state"), all > piece ? 0 : (int64_t)all);
    ck_assert_int_eq(sqlite3_open_v2(io_path("r"), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (!sqlite3_prepare_v2(db, "SELECT i, bytes FROM state_pieces ORDER BY i", -1, &s, NULL)) {
        for (int i = 0; sqlite3_step(s) == SQLITE_ROW; i++) {
            const size_t n = (size_t)sqlite3_column_bytes(s, 1), left = (size_t)(packed + all - at);
            ck_assert_int_eq(sqlite3_column_int(s, 0), i);
            ck_assert_uint_eq(n, left < piece ? left : piece);
            ck_assert(!memcmp(at, sqlite3_column_blob(s, 1), n));
            at += n;
        }
        sqlite3_finalize(s);
    }
    ck_assert_ptr_eq(at, all > piece ? packed + all : packed);
    sqlite3_close(db);
    free(packed);
}

/* A state that is too large for one row of SQLite; here the limit is set to a few bytes. */
START_TEST(states_in_pieces)
{
    tale t;
    io_begin(&t.r, "double-spherical-pendulum", "variational", NULL, 0);
    const size_t all = ph_state_packed_size(t.r.state);
    const size_t pieces[] = {8, 72, 80, 152, all - 8, all, all + 8};
    io_end(&t.r);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        begin_in_pieces(&t, 1e9, pieces[i]);
        check_pieces(t.r.state, pieces[i]);
        check_state(&t, t.r.state, (ph_account){0}, 0);
        for (int j = 0; j < 3; j++) {
            add_rows(&t, 2);
            commit(&t);
            check_pieces(t.r.state, pieces[i]);
            check_state(&t, t.r.state, account_of(&t), t.n);
        }
        close_tale(&t);
        check_state(&t, t.r.state, account_of(&t), t.n);
        tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, NULL));
        add_rows(&t, 1);
        commit(&t);
        check_pieces(t.r.state, all);
        check_state(&t, t.r.state, account_of(&t), t.n);
        check_rows(&t, t.n, 3);
        close_tale(&t);
        free_tale(&t);
    }
}
END_TEST

/* Rows that were committed one at a time cost hardly more than their bytes. */
START_TEST(sizes)
{
    tale t;
    struct stat s;
    begin_tale(&t, 1e9);
    ck_assert(!ph_archive_due(t.archive));
    for (int i = 0; i < (_i ? 1 : 500); i++) {
        add_rows(&t, _i ? 60000 : 10);
        commit(&t);
    }
    close_tale(&t);
    ck_assert(!stat(io_path("r"), &s));
    double bytes = 8.0 * COLUMNS * (double)t.n, over = (double)s.st_size / bytes - 1;
    printf("    %lld rows: %.2f per cent more than 8 bytes a number\n", (long long)t.n, 100 * over);
    ck_assert(over > 0);
    ck_assert_double_lt((double)s.st_size,
                        1.03 * bytes +
                            3 * 65536); /* the tables, and room that the latest block left when it grew */
    if (_i)
        ck_assert_double_lt(over, 0.03);
    free_tale(&t);
}
END_TEST

START_TEST(due)
{
    tale t;
    begin_tale(&t, 1e9);
    const int enough = (4 << 20) / (8 * COLUMNS) + 1;
    add_rows(&t, enough - 1);
    ck_assert(!ph_archive_due(t.archive));
    add_row(&t);
    ck_assert(ph_archive_due(t.archive));
    commit(&t);
    ck_assert(!ph_archive_due(t.archive));
    /* due by time since the latest commit */
    ck_assert(!ph_archive_due_after(t.archive, 0.999e9));
    ck_assert(ph_archive_due_after(t.archive, 1e9));
    close_tale(&t);
    check_rows(&t, t.n, 10000);
    free_tale(&t);
}
END_TEST

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* With the real clock: a commit is due not before the interval has passed, some time after that, and again
 * after the next interval. A busy machine may make it late, never early (except by the 10 ms of a coarse
 * clock). */
START_TEST(due_in_time)
{
    tale t;
    begin_tale(&t, 0.1);
    for (int i = 0; i < 2; i++) {
        const double begun = seconds();
        if (i)
            commit(&t);
        while (!ph_archive_due(t.archive))
            usleep(1000);
        if (i)
            ck_assert_double_ge(seconds() - begun, 0.09);
    }
    ph_archive_abandon(t.archive);
    check_rows(&t, 0, 10);
    free_tale(&t);
}
END_TEST

/* ---- Resuming --------------------------------------------------------------------------------------- */

static void reopen(tale *t)
{
    ph_error err = {PH_OK, ""};
    ph_status status = ph_archive_reopen(io_path("r"), t->r.system, 1e9, &t->archive, &err);
    ck_assert_msg(!status, "%s", err.message);
    tk_ok(ph_archive_go_on(t->archive, NULL));
}

/* Rows after the state are dropped, wherever in a block; the energy is still relative to the first row. */
START_TEST(going_on)
{
    static const int before[] = {0, 1, 30, 3000, 9000}, behind[] = {0, 1, 5, 4000};
    tale t;
    ph_measures m;
    begin_tale(&t, 1e9);
    for (size_t i = 0; i < 20; i++) {
        add_rows(&t, before[i % 5]);
        commit(&t);
        const ph_account account = account_of(&t);
        const int64_t safe = t.n;
        ph_state *at = NULL;
        tk_ok(ph_state_create(t.r.integrator, &at, NULL));
        tk_ok(ph_state_copy(at, t.r.state));
        for (int j = 0; j < behind[i / 5]; j++) {
            tk_ok(ph_diagnostics_measure(t.r.diagnostics, t.r.state, &m));
            tk_ok(ph_archive_row(t.archive, t.r.state, &m, 0, NULL));
        }
        if (i % 2)
            close_tale(&t);
        else
            ph_archive_abandon(t.archive);
        if (i % 2) {
            ph_record *record = open_record("r");
            ck_assert_int_eq(ph_record_rows(record), safe + behind[i / 5]);
            ph_record_close(record);
        }
        reopen(&t);
        check_rows(&t, safe, 9999);
        check_state(&t, at, account, safe);
        ph_state_free(at);
        ph_record *record = open_record("r");
        ck_assert_str_eq(ph_record_meta(record, "steps"), i < 7 ? "1000" : "2000");
        char steps[32];
        static const char *const ends[] = {"status", "reason", "ended_by", "message"};
        for (size_t j = 0; j < 4; j++)
            ck_assert_ptr_null(ph_record_meta(record, ends[j]));
        snprintf(steps, sizeof steps, "%lld", (long long)t.r.state->k);
        ck_assert_str_eq(ph_record_meta(record, "session_steps"), steps);
        ck_assert_uint_eq(strlen(ph_record_meta(record, "session")), 20);
        ph_record_close(record);
        if (i == 6)
            ph_archive_replan(t.archive, 2000);
    }
    close_tale(&t);
    check_one_file();
    check_rows(&t, t.n, 9999);
    free_tale(&t);
}
END_TEST

static unsigned char *load(const char *name, size_t *size);

/* Reopening an archive and giving it back changes no byte of it; that the run resumes is recorded by another
 * call. */
START_TEST(taken_and_given_back)
{
    tale t;
    ph_measures m;
    size_t size, after;
    begin_tale(&t, 1e9);
    add_rows(&t, 700);
    commit(&t);
    add_event(&t, "behind", t.r.state->k);
    tk_ok(ph_diagnostics_measure(t.r.diagnostics, t.r.state, &m));
    tk_ok(ph_archive_row(t.archive, t.r.state, &m, 0, NULL));
    close_tale(&t);
    unsigned char *bytes = load("r", &size);
    tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, NULL));
    ck_assert(io_there("r.lock") && !io_there("r-wal"));
    add_rows(&t, 3); /* in memory */
    ph_archive_abandon(t.archive);
    check_one_file();
    unsigned char *again = load("r", &after);
    ck_assert_uint_eq(after, size);
    ck_assert(!memcmp(bytes, again, size));
    free(again);
    /* the first commit records it as well, ... */
    tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, NULL));
    t.n -= 3;
    ck_assert_int_eq(number_of("SELECT sum(n) FROM blocks"), 701);
    commit(&t);
    ck_assert_int_eq(number_of("SELECT sum(n) FROM blocks"), 700);
    ck_assert_int_eq(number_of("SELECT count(*) FROM events"), 0);
    ck_assert_int_eq(number_of("SELECT count(*) FROM meta WHERE key IN ('status', 'message')"), 0);
    tk_ok(ph_archive_go_on(t.archive, NULL)); /* a second call has no effect */
    close_tale(&t);
    check_rows(&t, 700, 1000);
    free(bytes);
    free_tale(&t);
}
END_TEST

/* ... and so does the end, also after new rows: these are kept behind the state, but earlier rows behind it
 * are not. */
START_TEST(taken_and_ended)
{
    tale t;
    begin_tale(&t, 1e9);
    add_rows(&t, _i ? 3000 : 10); /* a block that is continued, or one that is full */
    commit(&t);
    add_rows(&t, 5);
    close_tale(&t);
    t.n -= 5;
    tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, NULL));
    add_rows(&t, 2);
    close_tale(&t);
    check_rows(&t, t.n, 10000);
    check_one_file();
    free_tale(&t);
}
END_TEST

/* A last state together with the end. One row does not belong to it, and is visible until the run resumes. */
START_TEST(the_end_with_a_state)
{
    tale t;
    begin_tale(&t, 1e9);
    add_rows(&t, 5);
    commit(&t);
    add_rows(&t, 2);
    ph_account account = account_of(&t);
    account.rows = 6;
    tk_ok(ph_archive_finish(t.archive, t.r.state, t.r.monitor, &account,
                            &(ph_ending){.status = PH_E_STOPPED, .message = "there"}, NULL));
    check_one_file();
    check_rows(&t, 7, 10);
    check_state(&t, t.r.state, account, 6);
    ph_record *record = open_record("r");
    ck_assert_str_eq(ph_record_meta(record, "status"), "stopped");
    ck_assert_str_eq(ph_record_meta(record, "message"), "there");
    ph_record_close(record);
    reopen(&t);
    check_rows(&t, 6, 10);
    close_tale(&t);
    free_tale(&t);
}
END_TEST

START_TEST(one_writer)
{
    tale t;
    ph_archive *other = NULL;
    ph_error err = {PH_OK, ""};
    char number[40];
    snprintf(number, sizeof number, "process %ld ", (long)getpid());
    begin_tale(&t, 1e9);
    add_rows(&t, 5);
    commit(&t);
    const ph_archive_plan plan = {.integrator = t.r.integrator, .steps = 1};
    ck_assert_int_eq(ph_archive_create(io_path("r"), &plan, t.r.state, NULL, 1, &other, &err), PH_E_EXISTS);
    ck_assert_msg(strstr(err.message, number), "%s", err.message);
    ck_assert_int_eq(ph_archive_reopen(io_path("r"), t.r.system, 1, &other, &err), PH_E_EXISTS);
    ck_assert_msg(strstr(err.message, number), "%s", err.message);
    check_rows(&t, 5, 10);
    add_rows(&t, 2);
    commit(&t);
    ph_archive_abandon(t.archive);
    ck_assert(!io_there("r.lock"));
    io_put("r.lock", "99999\n"); /* of a process that is no more */
    reopen(&t);
    close_tale(&t);
    check_one_file();
    /* a new archive in its place, which takes nothing from the old one */
    tk_ok(ph_archive_create(io_path("r"), &plan, t.r.state, NULL, 1, &other, &err));
    ph_archive_abandon(other);
    check_rows(&t, 0, 1);
    ph_record *record = open_record("r");
    ck_assert_ptr_null(ph_record_meta(record, "scenario"));
    ph_account account;
    ck_assert_int_eq(ph_record_state(record, t.r.state, t.r.monitor, &account, &err),
                     PH_E_PARSE); /* no monitor */
    tk_ok(ph_record_state(record, t.r.state, NULL, &account, &err));
    ph_record_close(record);
    ph_archive_abandon(NULL);
    ph_record_close(NULL);
    free_tale(&t);
}
END_TEST

/* A reader finds out whether there is a writer, whoever that is, and keeps none out. */
START_TEST(looking_for_a_writer)
{
    tale t;
    long process = -1;
    int ready[2], stop[2], how;
    char word;
    ck_assert(!ph_archive_writer(io_path("r"), &process) && process == 0); /* there is no archive */
    begin_tale(&t, 1e9);
    ck_assert(ph_archive_writer(io_path("r"), &process) && process == (long)getpid());
    ck_assert(ph_archive_writer(io_path("r"), NULL));
    close_tale(&t);
    ck_assert(!ph_archive_writer(io_path("r"), &process) && process == 0);
    io_put("r.lock", "99999\n"); /* of a process that is no more */
    ck_assert(!ph_archive_writer(io_path("r"), &process) && process == 0);
    ck_assert(!pipe(ready) && !pipe(stop));
    pid_t child = fork();
    if (!child) { /* resumes, and says so */
        reopen(&t);
        _exit(write(ready[1], "r", 1) == 1 && read(stop[0], &word, 1) == 1 ? 0 : 1);
    }
    ck_assert_int_eq(read(ready[0], &word, 1), 1);
    ck_assert(ph_archive_writer(io_path("r"), &process) && process == (long)child);
    ck_assert_int_eq(write(stop[1], "s", 1), 1);
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(WIFEXITED(how) && !WEXITSTATUS(how));
    ck_assert(io_there("r.lock")); /* it ended without removing it */
    ck_assert(!ph_archive_writer(io_path("r"), NULL));
    free_tale(&t);
}
END_TEST

/* Memory that children share. */
static long *shared(void)
{
    long *counter = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(counter, MAP_FAILED);
    return counter;
}

/* However many processes look for a writer, and however often, no writer is refused: 10 000 looks during at
 * least some hundred starts. Each start is visible to the process that started. */
START_TEST(lookers_keep_nobody_out)
{
    enum { LOOKERS = 4 };
    const int starts = tk_thorough() ? 1000 : 200;
    long *looks = shared();
    pid_t children[LOOKERS];
    tale t;
    begin_tale(&t, 1e9);
    close_tale(&t);
    for (int i = 0; i < LOOKERS; i++) {
        children[i] = fork();
        if (!children[i])
            for (;;) {
                (void)ph_archive_writer(io_path("r"), NULL);
                __atomic_add_fetch(looks, 1, __ATOMIC_RELAXED);
            }
    }
    int begun = 0;
    for (; begun < starts || __atomic_load_n(looks, __ATOMIC_RELAXED) < 10000; begun++) {
        ph_error err = {PH_OK, ""};
        const ph_status status = ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, &err);
        ck_assert_msg(!status, "start %d: %s", begun, err.message);
        ck_assert(ph_archive_writer(io_path("r"), NULL));
        ph_archive_abandon(t.archive);
    }
    for (int i = 0; i < LOOKERS; i++) {
        int how;
        kill(children[i], SIGKILL);
        ck_assert_int_eq(waitpid(children[i], &how, 0), children[i]);
        ck_assert(WIFSIGNALED(how)); /* it did not end before */
    }
    printf("    %d starts during %ld looks\n", begun, *looks);
    free_tale(&t);
}
END_TEST

/* Many writers start at once: only one of them holds the lock at a time. */
START_TEST(one_of_many)
{
    enum { WRITERS = 4 };
    const int wanted = tk_thorough() ? 1000 : 100; /* turns of each */
    long *inside = shared(), *turns = shared();
    pid_t children[WRITERS];
    tale t;
    begin_tale(&t, 1e9);
    close_tale(&t);
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        if (children[i])
            continue;
        for (int n = 0; n < wanted;) {
            ph_archive *archive = NULL;
            const ph_status status = ph_archive_reopen(io_path("r"), t.r.system, 1e9, &archive, NULL);
            if (status == PH_E_EXISTS)
                continue;
            if (status || __atomic_add_fetch(inside, 1, __ATOMIC_SEQ_CST) != 1)
                _exit(1);
            __atomic_add_fetch(turns, 1, __ATOMIC_SEQ_CST);
            __atomic_sub_fetch(inside, 1, __ATOMIC_SEQ_CST);
            ph_archive_abandon(archive);
            n++;
        }
        _exit(0);
    }
    for (int i = 0; i < WRITERS; i++) {
        int how;
        ck_assert_int_eq(waitpid(children[i], &how, 0), children[i]);
        ck_assert_msg(WIFEXITED(how) && !WEXITSTATUS(how), "two wrote at the same time, or %d", how);
    }
    ck_assert_int_eq(*turns, (long)WRITERS * wanted);
    check_one_file();
    free_tale(&t);
}
END_TEST

/* Starts a process that locks a file it may read, until it is killed. `how` 0, 1: flock, shared or exclusive;
 * 2: a read lock. */
static pid_t hold(const char *name, int how)
{
    int ready[2];
    char word;
    ck_assert(!pipe(ready));
    const pid_t child = fork();
    if (!child) {
        const int fd = open(io_path(name), O_RDONLY);
        struct flock all = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
        const int code = fd < 0     ? -1
                         : how == 2 ? fcntl(fd, F_SETLK, &all)
                                    : flock(fd, how ? LOCK_EX : LOCK_SH);
        if (write(ready[1], code ? "x" : "r", 1) == 1)
            pause();
        _exit(0);
    }
    ck_assert_int_eq(read(ready[0], &word, 1), 1);
    ck_assert_int_eq(word, 'r');
    close(ready[0]);
    close(ready[1]);
    return child;
}

START_TEST(strangers_keep_nobody_out)
{
    tale t;
    begin_tale(&t, 1e9);
    ph_archive_abandon(t.archive);
    io_put("r.lock", "99999\n");
    pid_t child = hold("r.lock", _i);
    ck_assert(!ph_archive_writer(io_path("r"), NULL)); /* the holder is not a writer */
    reopen(&t);
    ck_assert(ph_archive_writer(io_path("r"), NULL));
    kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    if (_i < 2) { /* and while it is written, nobody takes the lock away */
        child = hold("r.lock", _i);
        ck_assert(ph_archive_writer(io_path("r"), NULL));
        ph_archive *other = NULL;
        ck_assert_int_eq(ph_archive_reopen(io_path("r"), t.r.system, 1, &other, NULL), PH_E_EXISTS);
        kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
    }
    close_tale(&t);
    check_one_file();
    free_tale(&t);
}
END_TEST

/* ---- Obstacles under the name ------------------------------------------------------------------------- */

static const char *const taken[] = {"r", "r.lock", "r.part", "r.part-journal", "r-wal", "r-shm", "r-journal"};
enum { TAKEN = sizeof taken / sizeof taken[0], KINDS = 4 };

/* Links to a file of somebody's, to nothing, another name of the file, and a pipe: nothing is written through
 * them, nor waited for. */
START_TEST(planted)
{
    const char *name = taken[_i / KINDS];
    char victim[300], nowhere[300];
    tale t;
    snprintf(victim, sizeof victim, "%s", io_path("a"));
    snprintf(nowhere, sizeof nowhere, "%s", io_path("s.yaml"));
    io_put("a", "precious");
    const bool here = _i % KINDS == 0   ? symlink(victim, io_path(name))
                      : _i % KINDS == 1 ? symlink(nowhere, io_path(name))
                      : _i % KINDS == 2 ? link(victim, io_path(name))
                                        : mkfifo(io_path(name), 0666);
    ck_assert(!here);
    begin_tale(&t, 1e9);
    add_rows(&t, 5);
    commit(&t);
    close_tale(&t);
    check_one_file();
    check_rows(&t, 5, 10);
    if (_i / KINDS == 1) { /* the lock again, of a writer that resumes */
        ck_assert(!symlink(_i % 2 ? nowhere : victim, io_path(name)));
        ck_assert(!ph_archive_writer(io_path("r"), NULL));
        reopen(&t);
        close_tale(&t);
        check_rows(&t, 5, 10);
    }
    io_check_content("a", "precious");
    ck_assert(!io_there("s.yaml"));
    free_tale(&t);
}
END_TEST

/* An archive that is a link, in a folder that is a link: resuming uses the file that it leads to, and the
 * writer is found by either name. A new archive replaces the link. */
START_TEST(an_archive_that_is_a_link)
{
    tale t;
    ph_archive *other = NULL;
    char real[300], link_name[300];
    struct stat s;
    begin_tale(&t, 1e9);
    add_rows(&t, 5);
    commit(&t);
    close_tale(&t);
    ck_assert(!mkdir(io_path("x"), 0777));
    snprintf(real, sizeof real, "%s", io_path("x/y"));
    ck_assert(!rename(io_path("r"), real));
    ck_assert(!symlink("x", io_path("a")) && !symlink("a/y", io_path("r")));
    reopen(&t);
    ck_assert(io_there("x/y.lock") && !io_there("r.lock"));
    snprintf(link_name, sizeof link_name, "%s", io_path("r"));
    const char *const names[] = {real, link_name};
    for (int i = 0; i < 2; i++) {
        ck_assert(ph_archive_writer(names[i], NULL));
        ck_assert_int_eq(ph_archive_reopen(names[i], t.r.system, 1, &other, NULL), PH_E_EXISTS);
    }
    add_rows(&t, 2);
    commit(&t);
    check_rows(&t, 7, 10); /* by the link, with what waits in the log of the file */
    close_tale(&t);
    check_rows(&t, 7, 10);
    ck_assert(!io_there("x/y.lock") && !io_there("x/y-wal"));
    const ph_archive_plan plan = {.integrator = t.r.integrator, .steps = 1};
    tk_ok(ph_archive_create(io_path("r"), &plan, t.r.state, NULL, 1, &other, NULL));
    ph_archive_abandon(other);
    ck_assert(!lstat(io_path("r"), &s) && S_ISREG(s.st_mode));
    ck_assert(!unlink(io_path("r")) && !rename(real, io_path("r")));
    check_rows(&t, 7, 10);
    free_tale(&t);
}
END_TEST

/* The row of the state without the state, while it is written and where the state is damaged. */
START_TEST(latest_commit)
{
    tale t;
    ph_commit c;
    ph_error err = {PH_OK, ""};
    begin_tale(&t, 1e9);
    ph_record *record = open_record("r");
    tk_ok(ph_record_commit(record, &c, NULL));
    ck_assert(c.steps == 0 && c.t == 0.5 && c.account.rows == 0 && c.account.cpu_seconds == 0);
    add_rows(&t, 4);
    commit(&t);
    const ph_account account = account_of(&t);
    for (int i = 0; i < 2; i++) {
        tk_ok(ph_record_commit(record, &c, NULL)); /* the same record sees what was committed since */
        ck_assert_int_eq(c.steps, 12);
        ck_assert(c.t == t.r.state->t);
        ck_assert_int_eq(c.account.rows, 4);
        ck_assert_int_eq(c.account.newton_passes, account.newton_passes);
        ck_assert_int_eq(c.account.row_passes, account.row_passes);
        ck_assert(c.account.cpu_seconds == account.cpu_seconds);
        ck_assert(strlen(c.written) == 20 && c.written[10] == 'T' && c.written[19] == 'Z');
        if (i)
            break;
        ph_record_close(record);
        close_tale(&t);
        change("UPDATE state SET state = zeroblob(9)");
        record = open_record("r");
    }
    ph_record_close(record);
    change("DELETE FROM state");
    record = open_record("r");
    ck_assert_int_eq(ph_record_commit(record, &c, &err), PH_E_IO);
    ck_assert_msg(strstr(err.message, "damaged or missing"), "%s", err.message);
    ph_record_close(record);
    free_tale(&t);
}
END_TEST

/* A process that is killed while rows wait leaves what was committed. */
START_TEST(a_writer_dies)
{
    tale t;
    begin_tale(&t, 1e9);
    add_rows(&t, 700);
    commit(&t);
    ph_archive_abandon(t.archive);
    pid_t child = fork();
    if (!child) {
        reopen(&t);
        add_rows(&t, 50);
        commit(&t);
        add_rows(&t, 30);
        kill(getpid(), SIGKILL);
    }
    int how;
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(WIFSIGNALED(how));
    ck_assert(io_there("r.lock") && io_there("r-wal"));
    t.archive = NULL;
    add_rows(&t, 50); /* those of the other process, which took the same steps */
    check_rows(&t, 750, 100);
    reopen(&t);
    add_rows(&t, 50);
    check_rows(&t, 750, 100);
    close_tale(&t);
    check_one_file();
    check_rows(&t, 800, 100);
    free_tale(&t);
}
END_TEST

/* ---- Bad disks and bad files ------------------------------------------------------------------------- */

START_TEST(disk_full)
{
    tale t;
    ph_error err = {PH_OK, ""};
    struct rlimit before, small;
    begin_tale(&t, 1e9);
    add_rows(&t, 1000);
    commit(&t);
    ck_assert(!getrlimit(RLIMIT_FSIZE, &before));
    small = before;
    small.rlim_cur = 1 << 20;
    signal(SIGXFSZ, SIG_IGN);
    add_rows(&t, 10000);
    ck_assert(!setrlimit(RLIMIT_FSIZE, &small));
    ph_account account = account_of(&t);
    ph_status status = ph_archive_commit(t.archive, t.r.state, t.r.monitor, &account, &err);
    ck_assert_int_eq(status, PH_E_IO);
    ck_assert_msg(strstr(err.message, "safe are 1000 rows and the state after 3000 steps, at t = 30.5 s"),
                  "%s", err.message);
    check_rows(&t, 1000, 100);
    if (_i == 0) { /* there is room again */
        ck_assert(!setrlimit(RLIMIT_FSIZE, &before));
        commit(&t);
        close_tale(&t);
    } else { /* there is none to the end */
        status = ph_archive_close(t.archive, &(ph_ending){.status = PH_E_IO, .message = "full"}, &err);
        ck_assert_int_eq(status, PH_E_IO);
        ck_assert(!setrlimit(RLIMIT_FSIZE, &before));
        check_rows(&t, 1000, 100);
        reopen(&t);
        t.n = 1000;
        close_tale(&t);
    }
    check_one_file();
    check_rows(&t, t.n, 100);
    free_tale(&t);
    /* and none for a new one */
    io_begin(&t.r, "double-spherical-pendulum", "variational", NULL, 0);
    const ph_archive_plan plan = {.integrator = t.r.integrator, .steps = 1};
    small.rlim_cur = 8192;
    ck_assert(!setrlimit(RLIMIT_FSIZE, &small));
    status = ph_archive_create(io_path("a"), &plan, t.r.state, NULL, 1, &t.archive, &err);
    ck_assert(!setrlimit(RLIMIT_FSIZE, &before));
    ck_assert_int_eq(status, PH_E_IO);
    ck_assert(!io_there("a") && !io_there("a.part") && !io_there("a.lock"));
    io_end(&t.r);
}
END_TEST

static unsigned char *load(const char *name, size_t *size)
{
    struct stat s;
    ck_assert(!stat(io_path(name), &s));
    *size = (size_t)s.st_size;
    unsigned char *bytes = malloc(*size);
    FILE *f = fopen(io_path(name), "rb");
    ck_assert_uint_eq(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static void store(const char *name, const unsigned char *bytes, size_t size)
{
    FILE *f = fopen(io_path(name), "wb");
    ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

/* One byte of the file becomes another. */
static void poke(const char *name, size_t at, unsigned char byte)
{
    const int fd = open(io_path(name), O_WRONLY);
    ck_assert(fd >= 0 && pwrite(fd, &byte, 1, (off_t)at) == 1 && !close(fd));
}

/* All rows that can be read are those that were written; how many, and how often damage was met. */
static int64_t read_what_can_be(const tale *t, ph_record *record, int *damages)
{
    double values[64 * COLUMNS];
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
        ck_assert(!memcmp(values, t->rows + COLUMNS * first, (size_t)read * COLUMNS * sizeof *values));
        good += read;
    }
}

/* Blocks of about 1700 rows. */
static void write_some(tale *t)
{
    begin_tale(t, 1e9);
    for (int i = 0; i < 4; i++) {
        add_rows(t, 1700);
        commit(t);
    }
    close_tale(t);
}

static int shorter(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x < y) - (x > y);
}

/* A file that was cut off is refused, or, as SQLite commits by pages, gives right rows. */
START_TEST(cut_off)
{
    enum { MOST = 1000 };
    const size_t tried = tk_thorough() ? MOST : 100;
    tale t;
    size_t size, lengths[MOST], refusals = 0;
    int damages;
    write_some(&t);
    free(load("r", &size));
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
    free_tale(&t);
}
END_TEST

/* Changed bytes within a block: the block is named, and the others are read. */
START_TEST(flipped_in_a_block)
{
    tale t;
    size_t size;
    tk_random r = {99};
    write_some(&t);
    unsigned char *bytes = load("r", &size);
    ck_assert_uint_gt(size, 1000000);
    for (int i = 0; i < (tk_thorough() ? 1000 : 50); i++) {
        ph_error err = {PH_OK, ""};
        double values[COLUMNS];
        int damages;
        int64_t read, next;
        size_t at = (size_t)tk_uniform(&r, 0.1 * (double)size, 0.9 * (double)size) |
                    8; /* not where pages are chained */
        poke("r", at, bytes[at] ^ (unsigned char)(1 << i % 8));
        ph_record *record = open_record("r");
        ck_assert_int_eq(read_what_can_be(&t, record, &damages), 3 * 1700);
        ck_assert_int_eq(damages, 1);
        int64_t bad = 0;
        while (bad < 6800 && !ph_record_read(record, bad, 1, values, &read, &next, &err))
            bad += 1700;
        char name[80];
        snprintf(name, sizeof name, "block of rows %lld to %lld", (long long)bad, (long long)bad + 1699);
        ck_assert_msg(strstr(err.message, name) && strstr(err.message, "checksum"), "%s", err.message);
        ck_assert_int_eq(next, bad + 1700);
        ph_record_close(record);
        poke("r", at, bytes[at]);
    }
    free(bytes);
    free_tale(&t);
}
END_TEST

/* A block whose rows are undamaged, but whose times are not theirs. */
START_TEST(times_of_a_block)
{
    tale t;
    int damages;
    ph_error err = {PH_OK, ""};
    double values[COLUMNS];
    int64_t read, next;
    static const char *const changes[] = {"t0 = t0 + 1", "t1 = 1e300", "t1 = NULL", "t0 = 'x'"};
    char sql[100];
    write_some(&t);
    for (size_t i = 0; i < 4; i++) {
        snprintf(sql, sizeof sql, "UPDATE blocks SET %s WHERE first = %zu", changes[i], 1700 * i);
        change(sql);
        ph_record *record = open_record("r");
        ck_assert_int_eq(read_what_can_be(&t, record, &damages), (int64_t)(3 - i) * 1700);
        ck_assert_int_eq(damages, (int)i + 1);
        ck_assert_int_eq(ph_record_read(record, (int64_t)(1700 * i), 1, values, &read, &next, &err), PH_E_IO);
        ck_assert_msg(strstr(err.message, "its times are not its rows'"), "%s", err.message);
        ph_record_close(record);
    }
    free_tale(&t);
}
END_TEST

/* A block whose rows are undamaged, but have the numbers of others. */
START_TEST(block_elsewhere)
{
    tale t;
    int damages;
    write_some(&t);
    change("UPDATE blocks SET first = 5101 WHERE first = 5100");
    ph_record *record = open_record("r");
    ck_assert_int_eq(read_what_can_be(&t, record, &damages), 3 * 1700);
    ck_assert_int_eq(damages, 2);
    ph_record_close(record);
    free_tale(&t);
}
END_TEST

/* Where the blocks cannot be reached at all, reading ends, after it has reported the damage. */
START_TEST(blocks_out_of_reach)
{
    tale t;
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
    unsigned char *bytes = load("r", &size);
    for (size_t i = 1; i < 3; i++) { /* the blocks, then the state, too: the kind of page is none */
        bytes[(page[i] - 1) * page[0]] = 0xff;
        store("r", bytes, size);
        ph_record *record = open_record("r");
        ck_assert_int_eq(read_what_can_be(&t, record, &damages), 0);
        ck_assert_int_eq(damages, 1);
        ph_record_close(record);
    }
    free(bytes);
    free_tale(&t);
}
END_TEST

/* Each event has a checksum: of its place, its name and its numbers. */
START_TEST(damaged_events)
{
    static const char *const changes[] = {"UPDATE events SET name = 'two' WHERE n = 1",
                                          "UPDATE events SET row = zeroblob(length(row)) WHERE n = 1",
                                          "UPDATE events SET row = substr(row, 1, 24) WHERE n = 1",
                                          "UPDATE events SET crc32 = crc32 + 1 WHERE n = 1",
                                          "UPDATE events SET step = 2 WHERE n = 1",
                                          "UPDATE events SET t = t + 1 WHERE n = 1",
                                          "UPDATE events SET t = NULL WHERE n = 1",
                                          "UPDATE events SET n = 9 WHERE n = 1"};
    tale t;
    size_t size;
    begin_tale(&t, 1e9);
    add_rows(&t, 4);
    for (int64_t step = 0; step < 3; step++)
        add_event(&t, "one", step);
    commit(&t);
    close_tale(&t);
    unsigned char *bytes = load("r", &size);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        ph_recorded_event e;
        ph_error err = {PH_OK, ""};
        store("r", bytes, size);
        change(changes[i]);
        ph_record *record = open_record("r");
        ck_assert_int_eq(ph_record_event(record, 1, &e, &err), PH_E_IO);
        ck_assert_msg(strstr(err.message, "event 1 is "), "%s", err.message);
        if (i == 7) {
            ck_assert_int_eq(ph_record_event(record, 9, &e, &err), PH_E_IO);
            ck_assert_msg(strstr(err.message, "checksum"), "%s", err.message);
        }
        check_event(record, 0, "one", 0, t.r.state);
        check_event(record, 2, "one", 2, t.r.state);
        ph_record_close(record);
    }
    free(bytes);
    free_tale(&t);
}
END_TEST

/* A change of any byte of the file: nothing is read that was not written, and nothing crashes. */
START_TEST(flipped_anywhere)
{
    tale t;
    size_t size;
    tk_random r = {7};
    write_some(&t);
    unsigned char *bytes = load("r", &size);
    for (int i = 0; i < (tk_thorough() ? 4000 : 200); i++) {
        ph_record *record = NULL;
        ph_error err = {PH_OK, ""};
        int damages;
        ph_account account;
        double limit = i % 2 ? 40000 : (double)size;
        size_t at = (size_t)tk_uniform(&r, 0, limit);
        poke("r", at, (unsigned char)tk_uniform(&r, 0, 256));
        if (!ph_record_open(io_path("r"), &record, &err)) {
            if (ph_record_columns(record) == COLUMNS)
                read_what_can_be(&t, record, &damages);
            (void)ph_record_state(record, t.r.state, t.r.monitor, &account, &err);
        } else {
            ck_assert(err.message[0]);
        }
        ph_record_close(record);
        poke("r", at, bytes[at]);
    }
    free(bytes);
    free_tale(&t);
}
END_TEST

START_TEST(damaged_state)
{
    tale t;
    size_t size;
    ph_error err = {PH_OK, ""};
    ph_account account;
    write_some(&t);
    unsigned char *bytes = load("r", &size), *at = bytes;
    ph_state *before = NULL;
    tk_ok(ph_state_create(t.r.integrator, &before, NULL));
    tk_ok(ph_state_copy(before, t.r.state));
    while (memcmp(at, "phstate1", 8))
        at++;
    at[8 * 12] ^= 1;
    store("r", bytes, size);
    ph_record *record = open_record("r");
    ck_assert_int_eq(ph_record_state(record, t.r.state, NULL, &account, &err), PH_E_IO);
    ck_assert_msg(strstr(err.message, "state is damaged") && strstr(err.message, "checksum"), "%s",
                  err.message);
    ck_assert(!memcmp(before->z, t.r.state->z, 6 * sizeof(double)));
    ph_record_close(record);
    ph_state_free(before);
    free(bytes);
    free_tale(&t);
}
END_TEST

/* ---- The row of the state without the state ------------------------------------------------------------ */

/* Makes the file one of version 1, in which the row of the state had no checksum. */
static void make_older(void)
{
    change("ALTER TABLE state RENAME TO newer;"
           "CREATE TABLE state(id INTEGER PRIMARY KEY CHECK(id = 0), k INTEGER NOT NULL, t, "
           "rows INTEGER NOT NULL, energy0, newton_passes INTEGER, row_passes INTEGER, cpu_seconds, "
           "written TEXT, crc32 INTEGER NOT NULL, state BLOB NOT NULL, monitor BLOB);"
           "INSERT INTO state SELECT id, k, t, rows, energy0, newton_passes, row_passes, "
           "cpu_seconds, written, crc32, state, monitor FROM newer; "
           "DROP TABLE newer; PRAGMA user_version = 1");
}

static int64_t number_of(const char *sql);

/* Everything that an archive reports about its state. */
typedef struct told {
    ph_commit commit;
    int64_t rows;
    size_t bytes;
    unsigned char packed[4096]; /* state, then monitor */
} told;

/* *all <- what is reported, or false with a message about damage. */
static bool tell(const tale *t, told *all, ph_error *err)
{
    ph_record *record = NULL;
    ph_account account;
    memset(all, 0, sizeof *all);
    bool well = !ph_record_open(io_path("r"), &record, err) && !ph_record_commit(record, &all->commit, err) &&
                !ph_record_check_state(record, err) &&
                !ph_record_state(record, t->r.state, t->r.monitor, &account, err);
    if (well) {
        all->rows = ph_record_rows(record);
        all->bytes = ph_state_packed_size(t->r.state);
        ck_assert_uint_le(all->bytes + ph_monitor_packed_size(t->r.monitor), sizeof all->packed);
        ph_state_pack(t->r.state, all->packed);
        ph_monitor_pack(t->r.monitor, all->packed + all->bytes);
        ck_assert_int_eq(account.rows, all->commit.account.rows);
    } else {
        ck_assert(err->message[0]);
    }
    ph_record_close(record);
    return well;
}

static bool same_commit(const told *a, const told *b)
{
    const ph_account *x = &a->commit.account, *y = &b->commit.account;
    return a->commit.steps == b->commit.steps && a->commit.t == b->commit.t && x->rows == y->rows &&
           x->newton_passes == y->newton_passes && x->row_passes == y->row_passes &&
           x->cpu_seconds == y->cpu_seconds && !strcmp(a->commit.written, b->commit.written) &&
           a->commit.is_protected == b->commit.is_protected;
}

static bool same(const told *a, const told *b)
{
    return same_commit(a, b) && a->rows == b->rows && a->bytes == b->bytes &&
           !memcmp(a->packed, b->packed, sizeof a->packed);
}

/* A page of the file that holds the one row of a table: where in the file the page begins, its size, and where the row
 * does. By the description of the format of SQLite's files. */
static size_t page_of(const char *table, const unsigned char *bytes, size_t *size, size_t *row)
{
    char sql[100];
    snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_schema WHERE name = '%s'", table);
    *size = (size_t)number_of("PRAGMA page_size");
    const size_t page = *size * (size_t)(number_of(sql) - 1);
    ck_assert_int_eq(bytes[page], 13); /* a leaf */
    ck_assert_int_eq(256 * bytes[page + 3] + bytes[page + 4], 1);
    *row = page + 256 * (size_t)bytes[page + 8] + bytes[page + 9];
    return page;
}

/* Changes every bit of the row: what is reported is what was written, or damage; reopening the archive to
 * resume finds the same. First the bits of the page's head, of the row's head and of its numbers, then those
 * of state and monitor, of which the everyday form takes each 29th. */
START_TEST(bits_of_the_state)
{
    enum { HEAD = 10 };
    tale t;
    size_t size, page_size, row;
    told before, after;
    ph_error err;
    begin_tale(&t, 1e9);
    add_rows(&t, 21);
    add_event(&t, "one", 3);
    commit(&t);
    close_tale(&t);
    ck_assert(tell(&t, &before, &err) && before.commit.is_protected);
    ph_state *at = NULL;
    tk_ok(ph_state_create(t.r.integrator, &at, NULL));
    tk_ok(ph_state_copy(at, t.r.state));
    unsigned char *bytes = load("r", &size), *state = bytes;
    const size_t page = page_of("state", bytes, &page_size, &row);
    while (memcmp(state, "phstate1", 8))
        state++;
    const size_t blobs = (size_t)(state - bytes);
    ck_assert(blobs > row + 60 && blobs < row + 150);
    long flips = 0, noticed = 0, harmless = 0;
    for (size_t i = page; i < page + page_size; i++) {
        if (i == page + HEAD)
            i = row; /* between them is nothing */
        for (int bit = 0; bit < 8; bit++) {
            if (i >= blobs && (8 * i + (size_t)bit) % 29 && !tk_thorough())
                continue;
            poke("r", i, (unsigned char)(bytes[i] ^ 1 << bit));
            const bool well = tell(&t, &after, &err);
            ck_assert_msg(!well || same(&before, &after),
                          "bit %d of byte %ld of the row changes what is reported", bit, (long)i - (long)row);
            ph_archive *archive = NULL;
            if (!ph_archive_reopen(io_path("r"), t.r.system, 1e9, &archive, &err)) {
                ph_archive_abandon(archive);
                ck_assert_msg(same_commit(&before, &after), "bit %d of byte %ld: taken", bit,
                              (long)i - (long)row);
            }
            flips++;
            noticed += !well;
            harmless += well;
            poke("r", i, bytes[i]);
        }
    }
    printf("    %ld bits: %ld noticed, %ld change nothing, 0 silent\n", flips, noticed, harmless);
    ck_assert_int_gt(noticed, 9 * harmless);
    check_state(&t, at, account_of(&t), 21);
    ph_state_free(at);
    free(bytes);
    free_tale(&t);
}
END_TEST

static const char *const impossible[] = {
    "rows = -5",
    "rows = -9223372036854775807 - 1",
    "rows = 9223372036854775807",
    "rows = 'many'",
    "rows = 1e300",
    "rows = 22",
    "k = -1",
    "k = -9223372036854775807 - 1",
    "k = 64",
    "k = x'00'",
    "t = NULL",
    "t = 'soon'",
    "t = 1e999",
    "t = t + 1",
    "newton_passes = -1",
    "newton_passes = '?'",
    "row_passes = -9223372036854775807 - 1",
    "cpu_seconds = -1.0",
    "cpu_seconds = 'x'",
    "energy0 = 'none'",
    "written = printf('%.*c', 100, 'x')",
    "crc32 = -1",
    "crc32 = 4294967296",
    "crc32 = crc32 + 1",
};
enum { IMPOSSIBLE = sizeof impossible / sizeof impossible[0] };

/* Impossible values are reported, with and without checksums, by reading, by checking and by resuming; the
 * file is not changed. */
START_TEST(impossible_values)
{
    tale t;
    size_t size, after;
    told all;
    char sql[200];
    begin_tale(&t, 1e9);
    add_rows(&t, 21);
    commit(&t);
    close_tale(&t);
    if (_i % 2)
        make_older();
    snprintf(sql, sizeof sql, "UPDATE state SET %s", impossible[_i / 2]);
    change(sql);
    unsigned char *bytes = load("r", &size);
    ph_error err = {PH_OK, ""};
    ck_assert_msg(!tell(&t, &all, &err), "%s", sql);
    ck_assert_int_eq(err.status, PH_E_IO);
    ck_assert_msg(strstr(err.message, "state is damaged") || strstr(err.message, "are missing"), "%s",
                  err.message);
    ph_archive *archive = NULL;
    ph_record *record = open_record("r");
    ph_account account;
    const bool taken_up = !ph_archive_reopen(io_path("r"), t.r.system, 1, &archive, &err);
    /* this shows only in the state itself, which the program reads before it resumes */
    if (taken_up)
        ck_assert_int_eq(ph_record_state(record, t.r.state, t.r.monitor, &account, &err), PH_E_IO);
    ph_archive_abandon(archive);
    ck_assert(!taken_up || strstr(sql, "crc32") || strstr(sql, "k = 64") || strstr(sql, "t + 1"));
    double values[COLUMNS];
    int64_t read, next;
    tk_ok(ph_record_read(record, 20, 1, values, &read, &next, NULL)); /* rows can be read */
    ck_assert_int_eq(read, 1);
    ph_record_close(record);
    unsigned char *again = load("r", &after);
    ck_assert(after == size && !memcmp(bytes, again, size));
    free(again);
    free(bytes);
    free_tale(&t);
}
END_TEST

/* An archive of an older version can be read, and is reported to have less protection. Resuming converts it
 * to the current version, with all its values. */
START_TEST(an_older_version)
{
    tale t;
    told before, after;
    ph_error err = {PH_OK, ""};
    begin_tale(&t, 1e9);
    add_rows(&t, 21);
    commit(&t);
    add_rows(&t, 2); /* behind the state */
    close_tale(&t);
    t.n -= 2;
    make_older();
    ck_assert_msg(tell(&t, &before, &err), "%s", err.message);
    ck_assert(!before.commit.is_protected);
    ck_assert_int_eq(before.rows, 23);
    tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, NULL));
    ph_archive_abandon(t.archive);
    ck_assert_int_eq(number_of("PRAGMA user_version"), 1); /* taken and given back */
    reopen(&t);
    ck_assert_int_eq(number_of("PRAGMA user_version"), 2);
    ck_assert_msg(tell(&t, &after, &err), "%s", err.message);
    ck_assert(after.commit.is_protected);
    before.commit.is_protected = true;
    before.rows = 21;
    ck_assert(same(&before, &after));
    add_rows(&t, 1);
    commit(&t);
    close_tale(&t);
    check_rows(&t, 22, 10);
    change("UPDATE state SET rows = 21");
    ck_assert(!tell(&t, &after, &err));
    free_tale(&t);
}
END_TEST

/* Blocks and events behind the state are dropped when the run resumes. Where a damaged number has moved
 * others among them, nothing is changed instead. */
START_TEST(what_would_be_lost)
{
    static const char *const changes[] = {
        "UPDATE blocks SET first = 1000000 WHERE first = 1700",
        "UPDATE blocks SET first = 6900 WHERE first = 1700", /* just behind the last */
        "UPDATE blocks SET n = 9223372036854775807 WHERE first = 6800",
        "UPDATE blocks SET n = -1 WHERE first = 6800",
        "UPDATE events SET step = 1000000 WHERE n = 0",
        "UPDATE events SET n = 9223372036854775807 WHERE n = 2",
        "UPDATE events SET n = 1000000000000 WHERE n = 2",
    };
    tale t;
    size_t size, after;
    ph_error err = {PH_OK, ""};
    ph_archive *archive = NULL;
    begin_tale(&t, 1e9);
    for (int i = 0; i < 4; i++) {
        add_rows(&t, 1700);
        add_event(&t, "one", t.r.state->k - 1);
        commit(&t);
    }
    add_rows(&t, 100); /* behind the state */
    add_event(&t, "one", t.r.state->k - 1);
    close_tale(&t);
    change(changes[_i]);
    unsigned char *bytes = load("r", &size);
    ph_status status = ph_archive_reopen(io_path("r"), t.r.system, 1e9, &archive, &err);
    if (!status)
        status = ph_archive_go_on(archive, &err);
    ck_assert_msg(status == PH_E_IO, "%s: %s", changes[_i], ph_status_name(status));
    ck_assert_msg(strstr(err.message, "missing") || strstr(err.message, "events are damaged"), "%s",
                  err.message);
    ph_archive_abandon(archive);
    ck_assert_int_eq(number_of("SELECT count(*) FROM blocks"), 5);
    ck_assert_int_eq(number_of("SELECT count(*) FROM events"), 5);
    unsigned char *again = load("r", &after);
    if (after == size) /* at most the way in which it is written has changed, in the head */
        ck_assert(!memcmp(bytes + 100, again + 100, size - 100));
    free(again);
    free(bytes);
    free_tale(&t);
}
END_TEST

/* Names of columns that go into other files. */
START_TEST(names_of_columns)
{
    tale t;
    ph_record *record = NULL;
    ph_error err = {PH_OK, ""};
    begin_tale(&t, 1e9);
    close_tale(&t);
    change("UPDATE columns SET name = printf('%.*c', 255, 'a'), unit = printf('%.*c', 255, 'a') WHERE i = 3");
    record = open_record("r");
    ck_assert_uint_eq(strlen(ph_record_column(record, 3)), 255);
    ph_record_close(record);
    static const char *const changes[][2] = {
        {"UPDATE columns SET name = printf('%.*c', 66000, 'a') WHERE i = 2", "name of column 2, \"aaaaaaaa"},
        {"UPDATE columns SET name = 'b' WHERE i = 2; UPDATE columns SET unit = printf('%.*c', 256, 'm') WHERE i = 7",
         "unit of column 7, \"mmmm"},
        {"UPDATE columns SET unit = NULL WHERE i = 7; UPDATE columns SET name = '' WHERE i = 5",
         "column 5 has no name"}};
    for (size_t i = 0; i < 3; i++) {
        change(changes[i][0]);
        ck_assert_int_eq(ph_record_open(io_path("r"), &record, &err), PH_E_IO);
        ck_assert_msg(strstr(err.message, changes[i][1]) && (i == 2 || strstr(err.message, "at most 255")),
                      "%s", err.message);
    }
    free_tale(&t);
}
END_TEST

/* Pieces that are missing, exchanged, cut or changed. */
START_TEST(damaged_pieces)
{
    static const char *const changes[] = {
        "DELETE FROM state_pieces WHERE i = 1",
        "DELETE FROM state_pieces",
        "DROP TABLE state_pieces",
        "UPDATE state_pieces SET i = 99 WHERE i = 0",
        "UPDATE state_pieces SET bytes = substr(bytes, 2) WHERE i = 2",
        "UPDATE state_pieces SET bytes = x'' WHERE i = 2",
        "INSERT INTO state_pieces VALUES(100, x'00')",
    };
    tale t;
    size_t size;
    begin_in_pieces(&t, 1e9, 72);
    add_rows(&t, 3);
    commit(&t);
    close_tale(&t);
    unsigned char *bytes = load("r", &size);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        ph_error err = {PH_OK, ""};
        ph_account account;
        store("r", bytes, size);
        change(changes[i]);
        ph_record *record = open_record("r");
        ck_assert_int_eq(ph_record_state(record, t.r.state, NULL, &account, &err), PH_E_IO);
        ck_assert_msg(i == 2 ? strstr(err.message, "state_pieces") != NULL
                             : strstr(err.message, "state is damaged") && strstr(err.message, "checksum"),
                      "%s: %s", changes[i], err.message);
        ph_record_close(record);
        check_rows(&t, 3, 3);
    }
    free(bytes);
    free_tale(&t);
}
END_TEST

static void refused(ph_status expected, const char *words)
{
    ph_record *record = NULL;
    ph_archive *archive = NULL;
    ph_error err = {PH_OK, ""};
    ck_assert_int_eq(ph_record_open(io_path("r"), &record, &err), expected);
    ck_assert_msg(strstr(err.message, words), "%s", err.message);
    ck_assert_int_eq(ph_archive_reopen(io_path("r"), NULL, 1, &archive, &err), expected);
    ck_assert_msg(strstr(err.message, words), "%s", err.message);
    ck_assert(!io_there("r.lock"));
}

START_TEST(no_archive)
{
    tale t;
    refused(PH_E_IO, "No such file");
    ck_assert(!mkdir(io_path("r"), 0777));
    refused(PH_E_IO, "is no file");
    rmdir(io_path("r"));
    io_put("r", "");
    refused(PH_E_PARSE, "is empty");
    io_put("r", "t[s],step\n0,0\n");
    refused(PH_E_PARSE, "no archive of Polhode");
    remove(io_path("r"));
    change("CREATE TABLE x(y)");
    refused(PH_E_PARSE, "another SQLite database");
    remove(io_path("r"));
    write_some(&t);
    change("PRAGMA user_version = 3");
    refused(PH_E_PARSE, "version 3; this version of Polhode reads versions 1 and 2, a newer one is expected");
    change("PRAGMA user_version = 0");
    refused(PH_E_PARSE, "version 0");
    change("PRAGMA user_version = 2; CREATE TABLE further(what, t); INSERT INTO further VALUES('later', 1)");
    check_rows(&t, t.n, 100); /* tables that are added harm nobody */
    change("DELETE FROM blocks WHERE first = 1700");
    ph_record *record = open_record("r");
    int damages;
    ck_assert_int_eq(read_what_can_be(&t, record, &damages), 3 * 1700);
    ck_assert_int_eq(damages, 1);
    ph_record_close(record);
    change("DELETE FROM blocks WHERE first > 1700");
    ph_archive *archive = NULL;
    ph_error err = {PH_OK, ""};
    ck_assert_int_eq(ph_archive_reopen(io_path("r"), t.r.system, 1, &archive, &err), PH_E_IO);
    ck_assert_msg(strstr(err.message, "missing"), "%s", err.message);
    change("DELETE FROM state");
    ck_assert_int_eq(ph_archive_reopen(io_path("r"), t.r.system, 1, &archive, &err), PH_E_IO);
    ck_assert_msg(strstr(err.message, "no state"), "%s", err.message);
    free_tale(&t);
}
END_TEST

/* A directory or a file that the process has no permission to write: it can be read, but not resumed. */
START_TEST(read_only)
{
    tale t;
    int how;
    begin_tale(&t, 1e9);
    add_rows(&t, 10);
    commit(&t);
    if (_i == 1)
        ph_archive_abandon(t.archive);
    else
        close_tale(&t);
    ck_assert(!chmod(io_path("r"), 0444));
    ck_assert(!chmod(io_folder(), _i == 2 ? 0777 : 0555));
    pid_t child = fork();
    if (!child) {
        ph_error err = {PH_OK, ""};
        if (!getuid() && seteuid(65534))
            _exit(2);
        check_rows(&t, 10, 4);
        int status = ph_archive_reopen(io_path("r"), t.r.system, 1, &t.archive, &err);
        _exit(status == PH_E_IO && strstr(err.message, _i == 2 ? "is read-only" : "cannot be created") ? 0
                                                                                                       : 1);
    }
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(!chmod(io_folder(), 0777));
    ck_assert_msg(WIFEXITED(how) && !WEXITSTATUS(how), "the child ended with %d", how);
    free_tale(&t);
}
END_TEST

/* ---- Chosen columns --------------------------------------------------------------------------------- */

typedef struct choice {
    const char *words[5];
    size_t n, columns, at[6]; /* which of all they are */
    bool measured;
    const char *headings;
} choice;

static const choice choices[] = {
    {{"q2", "energy_error"},
     2,
     6,
     {0, 1, 5, 6, 7, 15},
     true,
     "t[s] step q2x[1] q2y[1] q2z[1] energy_error[J] "},
    {{"newton_passes", "Jg", "t", "energy", "pi1y"},
     5,
     6,
     {0, 1, 19, 18, 14, 9},
     true,
     "t[s] step newton_passes Jg[kg m^2/s] energy[J] pi1y[kg m^2/s] "},
    {{"pi2z", "q1x"}, 2, 4, {0, 1, 13, 2}, false, "t[s] step pi2z[kg m^2/s] q1x[1] "},
    {{"step"}, 1, 2, {0, 1}, false, "t[s] step "}};
enum { CHOICES = sizeof choices / sizeof choices[0] };

/* Further rows by the archive that chooses, and all of them in the memory of the test. */
static void add_chosen(tale *t, const choice *c, int n)
{
    ph_archive *archive = t->archive;
    ph_measures m;
    for (int i = 0; i < n; i++) {
        tk_ok(ph_diagnostics_measure(t->r.diagnostics, t->r.state, &m));
        tk_ok(ph_archive_row(archive, t->r.state, c->measured ? &m : NULL, 7 + t->n, NULL));
        t->archive = NULL;
        add_row(t);
        t->archive = archive;
    }
}

static void check_choice(ph_record *record, const choice *c)
{
    char heading[100], all[400] = "";
    size_t words;
    const char *const *chosen = ph_record_choice(record, &words);
    ck_assert_uint_eq(words, c->n);
    for (size_t i = 0; i < words; i++)
        ck_assert_str_eq(chosen[i], c->words[i]);
    ck_assert_uint_eq(ph_record_columns(record), c->columns);
    for (size_t i = 0; i < c->columns; i++) {
        const char *unit = ph_record_unit(record, i);
        snprintf(heading, sizeof heading, *unit ? "%s[%s] " : "%s ", ph_record_column(record, i), unit);
        strcat(all, heading);
    }
    ck_assert_str_eq(all, c->headings);
}

/* The chosen columns of all rows are right. */
static void check_chosen(const tale *t, const choice *c)
{
    double values[100 * 6];
    ph_record *record = open_record("r");
    check_choice(record, c);
    ck_assert_int_eq(ph_record_rows(record), t->n);
    int64_t read = 0, next = 0;
    for (int64_t first = 0; first < t->n; first = next) {
        tk_ok(ph_record_read(record, first, 100, values, &read, &next, NULL));
        ck_assert_int_gt(read, 0);
        for (size_t i = 0; i < (size_t)read * c->columns; i++) {
            const size_t row = (size_t)first + i / c->columns, column = c->at[i % c->columns];
            ck_assert_msg(!memcmp(&values[i], &t->rows[COLUMNS * row + column], sizeof values[i]),
                          "row %zu, column %zu", row, column);
        }
    }
    ph_record_close(record);
}

/* What is read is what was chosen, also after a kill and after an end, when the choice is read from the
 * archive; events are complete. */
START_TEST(chosen_columns)
{
    const choice *c = &choices[_i];
    tale t;
    ph_recorded_event e;
    begin_tale(&t, 1e9);
    ph_archive_abandon(t.archive);
    const ph_archive_plan plan = {
        .integrator = t.r.integrator, .steps = 1000, .columns = c->words, .n_columns = c->n};
    tk_ok(ph_archive_create(io_path("r"), &plan, t.r.state, t.r.monitor, 1e9, &t.archive, NULL));
    check_chosen(&t, c);
    for (int i = 0; i < 12; i++) {
        add_chosen(&t, c, i % 4 == 3 ? 5000 : 1 + i);
        if (!i)
            add_event(&t, "whole", 1);
        commit(&t);
        check_chosen(&t, c);
        const int64_t safe = t.n;
        add_chosen(&t, c, i % 3 * 10); /* behind the state */
        if (i % 2)
            close_tale(&t);
        else
            ph_archive_abandon(t.archive);
        t.n = safe;
        reopen(&t);
        check_chosen(&t, c);
    }
    close_tale(&t);
    check_one_file();
    check_chosen(&t, c);
    ph_record *record = open_record("r");
    tk_ok(ph_record_event(record, 0, &e, NULL));
    ck_assert_uint_eq(e.n, 12);
    ph_record_close(record);
    free_tale(&t);
}
END_TEST

/* Words that choose nothing, and archives of other systems. */
START_TEST(wrong_choices)
{
    static const char *const wrong[][2] = {{"q1x", "q9x"}, {"q1x", "q1"}}, *const cut[] = {"a", "b\nc"};
    tale t;
    ph_archive *archive = NULL;
    ph_error err = {PH_OK, ""};
    char *joined = NULL;
    size_t length;
    begin_tale(&t, 1e9);
    ph_system *small = tk_model("spherical-pendulum");
    for (int i = 0; i < 2; i++) {
        const ph_archive_plan plan = {
            .integrator = t.r.integrator, .steps = 1, .columns = wrong[i], .n_columns = 2};
        ck_assert_int_eq(ph_archive_create(io_path("a"), &plan, t.r.state, NULL, 1, &archive, &err),
                         i ? PH_E_INVALID : PH_E_UNKNOWN);
        ck_assert(!io_there("a") && !io_there("a.part") && !io_there("a.lock"));
    }
    ck_assert_int_eq(ph_choice_text(cut, 2, &joined, &length, &err), PH_E_INVALID);
    add_rows(&t, 3);
    commit(&t);
    const ph_state foreign = {.nz = 3, .np = 3};
    const ph_occurrence o = {.state = &foreign};
    ph_measures m = {.energy = 0};
    ck_assert_int_eq(ph_archive_row(t.archive, &foreign, &m, 0, &err), PH_E_SIZE);
    ck_assert_int_eq(ph_archive_event(t.archive, "x", &o, &err), PH_E_SIZE);
    close_tale(&t);
    ck_assert_int_eq(ph_archive_reopen(io_path("r"), small, 1, &archive, &err), PH_E_SIZE);
    ck_assert_msg(strstr(err.message, "r: has rows of 20 numbers; of this system they have "), "%s",
                  err.message);
    check_rows(&t, 3, 10);
    change("INSERT INTO meta VALUES('columns', 'q1\nq2')");
    ck_assert_int_eq(ph_archive_reopen(io_path("r"), t.r.system, 1, &archive, &err), PH_E_SIZE);
    ck_assert_int_eq(ph_archive_reopen(io_path("r"), small, 1, &archive, &err), PH_E_UNKNOWN);
    ck_assert_msg(strstr(err.message, "r: of this system: unknown column \"q2\""), "%s", err.message);
    ck_assert(!io_there("r.lock"));
    ph_system_free(small);
    free_tale(&t);
}
END_TEST

/* A process was killed while writing, and left a journal to roll back: the first reader does so, or reports
 * that it cannot write there. */
START_TEST(half_done)
{
    tale t;
    int how;
    begin_tale(&t, 1e9);
    add_rows(&t, 1000);
    commit(&t);
    close_tale(&t);
    pid_t child = fork();
    if (!child) {
        sqlite3 *db;
        const int code = sqlite3_open(io_path("r"), &db) ||
                         sqlite3_exec(db,
                                      "PRAGMA cache_size = 1; BEGIN; "
                                      "UPDATE blocks SET rows = zeroblob(length(rows)); "
                                      "UPDATE state SET state = zeroblob(100000)",
                                      NULL, NULL, NULL);
        _exit(code);
    }
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(WIFEXITED(how) && !WEXITSTATUS(how) && io_there("r-journal"));
    ck_assert(!chmod(io_folder(), 0555));
    child = fork();
    if (!child) {
        ph_record *record = NULL;
        ph_error err = {PH_OK, ""};
        if (!getuid() && seteuid(65534))
            _exit(2);
        const ph_status status = ph_record_open(io_path("r"), &record, &err);
        _exit(status == PH_E_IO && strstr(err.message, "was not ended") ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(!chmod(io_folder(), 0777));
    ck_assert_msg(WIFEXITED(how) && !WEXITSTATUS(how), "the child ended with %d", how);
    check_rows(&t, 1000, 100);
    check_state(&t, t.r.state, account_of(&t), 1000);
    ck_assert(!io_there("r-journal"));
    free_tale(&t);
}
END_TEST

/* Pieces of the usual size. */
START_TEST(a_large_state)
{
    const double links = 600000;
    const ph_parameter_value values[] = {{"links", &links, 1}};
    const size_t n = 3 * (size_t)links;
    ph_system *system = tk_build("chain-pendulum", values, 1);
    double *z = calloc(2 * n, sizeof *z), *zdot = z + n;
    ph_integrator *it;
    ph_state *state, *found = NULL;
    ph_archive *archive = NULL;
    ph_record *record = NULL;
    ph_account account;
    tk_preset("chain-pendulum", values, 1, NULL, z, zdot);
    tk_start(system, "variational", NULL, 1e-4, z, zdot, &it, &state);
    ck_assert_uint_gt(ph_state_packed_size(state), (size_t)64 << 20);
    const ph_archive_plan plan = {.integrator = it, .steps = 1};
    tk_ok(ph_archive_create(io_path("r"), &plan, state, NULL, 1e9, &archive, NULL));
    ck_assert_int_eq(number_of("SELECT max(length(bytes)) FROM state_pieces"), 64 << 20);
    tk_ok(ph_integrator_step(it, state, 1));
    account = (ph_account){0};
    tk_ok(ph_archive_finish(archive, state, NULL, &account, &(ph_ending){.status = PH_OK}, NULL));
    tk_ok(ph_state_create(it, &found, NULL));
    tk_ok(ph_record_open(io_path("r"), &record, NULL));
    tk_ok(ph_record_state(record, found, NULL, &account, NULL));
    ck_assert(found->k == 1 && !memcmp(found->z, state->z, n * sizeof *z) &&
              !memcmp(found->carry, state->carry, state->ncarry * sizeof *z));
    ph_record_close(record);
    ph_state_free(found);
    free(z);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("record");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, io_make_folder, io_remove_folder);
    tcase_add_test(all, rows_and_state);
    tcase_add_test(all, what_it_says);
    tcase_add_test(all, tables);
    tcase_add_test(all, states_in_pieces);
    tcase_add_loop_test(all, sizes, 0, 2);
    tcase_add_test(all, due);
    tcase_add_test(all, due_in_time);
    tcase_add_test(all, going_on);
    tcase_add_loop_test(all, chosen_columns, 0, CHOICES);
    tcase_add_test(all, wrong_choices);
    tcase_add_test(all, taken_and_given_back);
    tcase_add_loop_test(all, taken_and_ended, 0, 2);
    tcase_add_test(all, the_end_with_a_state);
    tcase_add_test(all, one_writer);
    tcase_add_test(all, looking_for_a_writer);
    tcase_add_test(all, lookers_keep_nobody_out);
    tcase_add_test(all, one_of_many);
    tcase_add_loop_test(all, strangers_keep_nobody_out, 0, 3);
    tcase_add_loop_test(all, planted, 0, TAKEN * KINDS);
    tcase_add_test(all, an_archive_that_is_a_link);
    tcase_add_test(all, latest_commit);
    tcase_add_test(all, a_writer_dies);
    tcase_add_loop_test(all, disk_full, 0, 2);
    tcase_add_test(all, cut_off);
    tcase_add_test(all, flipped_in_a_block);
    tcase_add_test(all, events);
    tcase_add_test(all, many_events);
    tcase_add_test(all, damaged_events);
    tcase_add_test(all, times_of_a_block);
    tcase_add_test(all, block_elsewhere);
    tcase_add_test(all, blocks_out_of_reach);
    tcase_add_test(all, flipped_anywhere);
    tcase_add_test(all, damaged_state);
    tcase_add_test(all, damaged_pieces);
    tcase_add_test(all, bits_of_the_state);
    tcase_add_loop_test(all, impossible_values, 0, 2 * IMPOSSIBLE);
    tcase_add_test(all, an_older_version);
    tcase_add_loop_test(all, what_would_be_lost, 0, 7);
    tcase_add_test(all, names_of_columns);
    tcase_add_test(all, no_archive);
    tcase_add_loop_test(all, read_only, 0, 3);
    tcase_add_test(all, half_done);
    if (tk_long())
        tcase_add_test(all, a_large_state);
    tcase_set_timeout(all, 60);
    suite_add_tcase(suite, all);
    return tk_main(suite);
}
