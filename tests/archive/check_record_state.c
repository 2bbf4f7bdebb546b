/* SPDX-License-Identifier: BSD-3-Clause */
/* The row of the state: every bit of it is checked, impossible values are refused, and older versions and what
 * would be lost are reported. */
#include "tests/kit/recording.h"

/* ---- The row of the state without the state ------------------------------------------------------------ */

/* Makes the file one of version 1, in which the row of the state had no checksum. */
static void make_older(void)
{
    rec_change("ALTER TABLE state RENAME TO newer;"
               "CREATE TABLE state(id INTEGER PRIMARY KEY CHECK(id = 0), k INTEGER NOT NULL, t, "
               "rows INTEGER NOT NULL, energy0, newton_passes INTEGER, row_passes INTEGER, cpu_seconds, "
               "written TEXT, crc32 INTEGER NOT NULL, state BLOB NOT NULL, monitor BLOB);"
               "INSERT INTO state SELECT id, k, t, rows, energy0, newton_passes, row_passes, "
               "cpu_seconds, written, crc32, state, monitor FROM newer; "
               "DROP TABLE newer; PRAGMA user_version = 1; " REC_UNSEALED);
}

/* Everything that an archive reports about its state. */
typedef struct reported {
    ph_commit commit;
    int64_t rows;
    size_t bytes;
    unsigned char packed[4096]; /* state, then monitor */
} reported;

/* *all <- what is reported, or false with a message about damage. */
static bool report_state(const recording *t, reported *all, ph_error *err)
{
    ph_account account;
    memset(all, 0, sizeof *all);
    TK_OWN(ph_record) *record = NULL;
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
    return well;
}

static bool same_commit(const reported *a, const reported *b)
{
    const ph_account *x = &a->commit.account, *y = &b->commit.account;
    return a->commit.steps == b->commit.steps && a->commit.t == b->commit.t && x->rows == y->rows &&
           x->newton_passes == y->newton_passes && x->row_passes == y->row_passes &&
           x->cpu_seconds == y->cpu_seconds && !strcmp(a->commit.written, b->commit.written) &&
           a->commit.is_protected == b->commit.is_protected;
}

static bool same(const reported *a, const reported *b)
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
    *size = (size_t)rec_number("PRAGMA page_size");
    const size_t page = *size * (size_t)(rec_number(sql) - 1);
    ck_assert_int_eq(bytes[page], 13); /* a leaf */
    ck_assert_int_eq(256 * bytes[page + 3] + bytes[page + 4], 1);
    *row = page + 256 * (size_t)bytes[page + 8] + bytes[page + 9];
    return page;
}

/* Changes every bit of the row: what is reported is what was written, or damage; reopening the archive to
 * resume finds the same. First the bits of the page's head, of the row's head and of its numbers, then those
 * of state and monitor, of which the everyday form takes each 29th. */
TEST(bits_of_the_state)
{
    enum { HEAD = 10 };
    size_t size, page_size, row;
    reported before, after;
    RECORDING(t, 0);
    rec_add_rows(&t, 21);
    rec_add_event(&t, "one", 3);
    rec_commit(&t);
    rec_close(&t);
    ck_assert(report_state(&t, &before, tk_err) && before.commit.is_protected);
    TK_MAKE(ph_state, at, ph_state_create(t.r.integrator, &at, NULL));
    tk_ok(ph_state_copy(at, t.r.state));
    unsigned char *bytes = rec_load("r", &size), *state = bytes;
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
            rec_poke("r", i, (unsigned char)(bytes[i] ^ 1 << bit));
            const bool well = report_state(&t, &after, tk_err);
            ck_assert_msg(!well || same(&before, &after),
                          "bit %d of byte %ld of the row changes what is reported", bit, (long)i - (long)row);
            ph_archive *archive = NULL;
            if (!ph_archive_reopen(io_path("r"), t.r.system, 1e9, &archive, tk_err)) {
                ph_archive_abandon(archive);
                ck_assert_msg(same_commit(&before, &after), "bit %d of byte %ld: taken", bit,
                              (long)i - (long)row);
            }
            flips++;
            noticed += !well;
            harmless += well;
            rec_poke("r", i, bytes[i]);
        }
    }
    printf("    %ld bits: %ld noticed, %ld change nothing, 0 silent\n", flips, noticed, harmless);
    ck_assert_int_gt(noticed, 9 * harmless);
    rec_check_state(&t, at, rec_account(&t), 21);
    free(bytes);
}

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
TEST_EACH(impossible_values, 2 * IMPOSSIBLE)
{
    size_t size, after;
    reported all;
    char sql[200];
    RECORDING(t, 21);
    rec_close(&t);
    if (_i % 2)
        make_older();
    snprintf(sql, sizeof sql, "UPDATE state SET %s", impossible[_i / 2]);
    rec_change(sql);
    TK_MEMORY unsigned char *bytes = rec_load("r", &size);
    ph_error err = {PH_OK, ""};
    ck_assert_msg(!report_state(&t, &all, &err), "%s", sql);
    ck_assert_int_eq(err.status, PH_E_IO);
    ck_assert_msg(strstr(err.message, "state is damaged") || strstr(err.message, "are missing"), "%s",
                  err.message);
    ph_archive *archive = NULL;
    ph_record *record = rec_open("r");
    ph_account account;
    const bool taken_up = !ph_archive_reopen(io_path("r"), t.r.system, 1, &archive, &err);
    /* this shows only in the state itself, which the program reads before it resumes */
    if (taken_up)
        ck_assert_int_eq(ph_record_state(record, t.r.state, t.r.monitor, &account, &err), PH_E_IO);
    ph_archive_abandon(archive);
    ck_assert(!taken_up || strstr(sql, "crc32") || strstr(sql, "k = 64") || strstr(sql, "t + 1"));
    double values[REC_COLUMNS];
    int64_t read, next;
    tk_ok(ph_record_read(record, 20, 1, values, &read, &next, NULL)); /* rows can be read */
    ck_assert_int_eq(read, 1);
    ph_record_close(record);
    TK_MEMORY unsigned char *again = rec_load("r", &after);
    ck_assert(after == size && !memcmp(bytes, again, size));
}

/* An archive of an older version can be read, and is reported to have less protection. Resuming converts it
 * to the current version, with all its values. */
TEST(an_older_version)
{
    reported before, after;
    RECORDING(t, 21);
    rec_add_rows(&t, 2); /* behind the state */
    rec_close(&t);
    t.n -= 2;
    make_older();
    ck_assert_msg(report_state(&t, &before, tk_err), "%s", tk_err->message);
    ck_assert(!before.commit.is_protected);
    ck_assert_int_eq(before.rows, 23);
    tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, NULL));
    ph_archive_abandon(t.archive);
    ck_assert_int_eq(rec_number("PRAGMA user_version"), 1); /* taken and given back */
    rec_reopen(&t);
    ck_assert_int_eq(rec_number("PRAGMA user_version"), 3);
    ck_assert_msg(report_state(&t, &after, tk_err), "%s", tk_err->message);
    ck_assert(after.commit.is_protected);
    before.commit.is_protected = true;
    before.rows = 21;
    ck_assert(same(&before, &after));
    rec_commit_rows(&t, 1);
    rec_close(&t);
    rec_check_rows(&t, 22, 10);
    rec_change("UPDATE state SET rows = 21");
    ck_assert(!report_state(&t, &after, tk_err));
}

/* What the record says of its events, and the writer that would resume: both refuse with the same words, and change nothing. */
static void check_lost_events(const recording *t, const char *words)
{
    ph_archive *archive = NULL;
    size_t size, after;
    ph_record *record = rec_open("r");
    tk_refused(ph_record_check_events(record, tk_err), PH_E_IO, words);
    tk_returns(ph_record_check_state(record, tk_err), PH_E_IO);
    ph_record_close(record);
    TK_MEMORY unsigned char *bytes = rec_load("r", &size);
    tk_ok(ph_archive_reopen(io_path("r"), t->r.system, 1e9, &archive, NULL));
    tk_refused(ph_archive_go_on(archive, tk_err), PH_E_IO, words);
    ph_archive_abandon(archive);
    TK_MEMORY unsigned char *again = rec_load("r", &after);
    ck_assert_uint_eq(after, size);
    ck_assert(!memcmp(bytes + 100, again + 100, size - 100)); /* behind the head */
}

/* Events are counted by name next to the state: lost ones are reported, wherever they are gone, and the counts have a checksum. An
 * archive without them, of an older build, is read, and gets them when its run resumes. */
TEST(events_are_counted)
{
    static const struct {
        const char *change, *words;
    } lost[] = {{"DELETE FROM events", "3 of 3 events \"down\" are missing"},
                {"DELETE FROM events WHERE n = 1", "1 of 2 events \"up\" are missing"},
                {"UPDATE events SET name = 'up' WHERE name = 'down'", "3 of 3 events \"down\" are missing"},
                {"UPDATE state SET events = substr(events, 1, 8)", "the numbers of its events"},
                {"UPDATE state SET events = x''", "the numbers of its events"}};
    RECORDING(t, 0);
    rec_add_rows(&t, 5); /* 15 steps */
    rec_add_event(&t, "up", 3);
    rec_add_event(&t, "up", 4);
    rec_add_event(&t, "down", 7);
    rec_commit(&t);
    rec_add_event(&t, "down", 8);
    rec_commit(&t);
    rec_add_rows(&t, 1);
    rec_add_event(&t, "down", 16);
    rec_commit(&t);
    rec_add_event(&t, "late", 30); /* behind the state */
    rec_close(&t);
    size_t size;
    TK_MEMORY unsigned char *whole = rec_load("r", &size);
    ph_record *record = rec_open("r");
    tk_ok(ph_record_check_events(record, tk_err));
    ck_assert_int_eq(ph_record_events(record), 6);
    ph_record_close(record);
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        rec_store("r", whole, size);
        rec_change(lost[i].change);
        check_lost_events(&t, lost[i].words);
    }
    rec_store("r", whole, size);
    rec_change("UPDATE state SET events = NULL");
    check_lost_events(&t, "the numbers of its events");
    rec_store("r", whole, size);
    rec_change(
        "ALTER TABLE state DROP COLUMN events; DELETE FROM events WHERE n = 4; PRAGMA user_version = 2; " REC_UNSEALED);
    record = rec_open("r");
    tk_ok(ph_record_check_events(record, tk_err)); /* it does not know */
    tk_ok(ph_record_check_state(record, tk_err));
    ph_record_close(record);
    rec_store("r", whole, size);
    rec_change("ALTER TABLE state DROP COLUMN events; PRAGMA user_version = 2; " REC_UNSEALED);
    rec_reopen(&t); /* which drops the late one */
    rec_commit_rows(&t, 1);
    rec_close(&t);
    record = rec_open("r");
    tk_ok(ph_record_check_events(record, tk_err));
    ph_record_close(record);
    rec_change("DELETE FROM events WHERE name = 'up'");
    check_lost_events(&t, "2 of 2 events \"up\" are missing");
}

/* Numbers of the table meta that cannot be are named; resuming a session refuses them (tests/program/export.sh has the program). */
TEST(numbers_of_the_plan)
{
    static const struct {
        const char *key, *value, *words; /* words NULL: it can be */
    } at[] = {{"steps", "-1", "steps is \"-1\"; a whole number, at least 0, is expected"},
              {"steps", "1e", "steps is \"1e\""},
              {"steps", "0", NULL},
              {"step", "nan", "step is \"nan\""},
              {"step", "0", "step is \"0\"; a number of seconds, not 0"},
              {"step", "-0.5", NULL},
              {"t0", "inf", "t0 is \"inf\""},
              {"t0", "0", NULL}};
    RECORDING(t, 2);
    rec_close(&t);
    rec_change("PRAGMA user_version = 2; " REC_UNSEALED);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        char sql[160], before[80];
        ph_record *record = rec_open("r");
        snprintf(before, sizeof before, "%s", ph_record_meta(record, at[i].key));
        ph_record_close(record);
        snprintf(sql, sizeof sql, "UPDATE meta SET value = '%s' WHERE key = '%s'", at[i].value, at[i].key);
        rec_change(sql);
        record = rec_open("r");
        tk_returns(ph_record_verify(record, tk_err), at[i].words ? PH_E_IO : PH_OK);
        ck_assert_msg(!at[i].words || strstr(tk_err->message, at[i].words), "%s", tk_err->message);
        ph_record_close(record);
        snprintf(sql, sizeof sql, "UPDATE meta SET value = '%s' WHERE key = '%s'", before, at[i].key);
        rec_change(sql);
    }
}

/* Rows that the state counts and no block has are read as missing, and counted as rows. */
TEST_EACH(rows_are_counted, 3)
{
    static const char *const changes[] = {
        "DELETE FROM blocks", "DELETE FROM blocks WHERE first > 0",
        "UPDATE blocks SET n = n - 5, rows = substr(rows, 1, 3) WHERE first = (SELECT max(first) FROM blocks)"};
    double values[REC_COLUMNS];
    int64_t read, next, good = 0, lost = 0;
    RECORDING(t, 1700);
    rec_commit_rows(&t, 30);
    rec_close(&t);
    rec_change(changes[_i]);
    TK_OWN(ph_record) *record = rec_open("r");
    ck_assert_int_eq(ph_record_rows(record), 1730);
    for (int64_t first = 0; first < 1730; first = next) {
        if (ph_record_read(record, first, 1, values, &read, &next, tk_err))
            lost += next - first;
        good += read;
        ck_assert_int_gt(next, first);
    }
    ck_assert_int_eq(good, _i ? 1700 : 0);
    ck_assert_int_eq(good + lost, 1730);
    if (_i < 2)
        ck_assert_msg(strstr(tk_err->message, _i ? "rows 1700 to 1729 are missing: 30 rows of 1730"
                                                 : "rows 0 to 1729 are missing: 1730 rows of 1730") != NULL,
                      "%s", tk_err->message);
    tk_ok(ph_record_read(record, 1730, 1, values, &read, &next, tk_err));
    ck_assert_int_eq(read, 0);
}

/* Blocks and events behind the state are dropped when the run resumes. Where a damaged number has moved
 * others among them, nothing is changed instead. */
TEST_EACH(what_would_be_lost, 7)
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
    size_t size, after;
    ph_archive *archive = NULL;
    RECORDING(t, 0);
    for (int i = 0; i < 4; i++) {
        rec_add_rows(&t, 1700);
        rec_add_event(&t, "one", t.r.state->k - 1);
        rec_commit(&t);
    }
    rec_add_rows(&t, 100); /* behind the state */
    rec_add_event(&t, "one", t.r.state->k - 1);
    rec_close(&t);
    rec_change(changes[_i]);
    TK_MEMORY unsigned char *bytes = rec_load("r", &size);
    ph_status status = ph_archive_reopen(io_path("r"), t.r.system, 1e9, &archive, tk_err);
    if (!status)
        status = ph_archive_go_on(archive, tk_err);
    ck_assert_msg(status == PH_E_IO, "%s: %s", changes[_i], ph_status_name(status));
    ck_assert_msg(strstr(tk_err->message, "missing") || strstr(tk_err->message, "events are damaged"), "%s",
                  tk_err->message);
    ph_archive_abandon(archive);
    ck_assert_int_eq(rec_number("SELECT count(*) FROM blocks"), 5);
    ck_assert_int_eq(rec_number("SELECT count(*) FROM events"), 5);
    TK_MEMORY unsigned char *again = rec_load("r", &after);
    if (after == size) /* at most the way in which it is written has changed, in the head */
        ck_assert(!memcmp(bytes + 100, again + 100, size - 100));
}

int main(void)
{
    return tk_run_in("record: row of the state", io_make_folder, io_remove_folder);
}
