/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows with computed columns, rows that stand for all, and thinned copies (polhode/rows.h): each number is compared with
 * the bits that a run with all columns has archived. */
#include "tests/kit/iokit.h"

#include "lib/archive/database.h"

#include <polhode/rows.h>
#include <polhode/session.h>

#include <unistd.h>

/* ---- Folder and runs ------------------------------------------------------------------------------------- */

static void remove_folder(void)
{
    io_clear("a", "s.polhode summary.json");
    io_clear("b", "s.polhode summary.json");
    io_clear(".", "copy");
    ck_assert_msg(!remove(io_folder()), "something is left in %s", io_folder());
}

/* A scenario without its columns, and those that its model has besides the default ones. */
typedef struct example {
    const char *text, *few, *more;
} example;

#define BOTH "configuration, momentum"
#define MEASURED ", energy, energy_error, constraint_error, tangency, momentum_maps"
static const example examples[] = {
    {"model: double-spherical-pendulum\nmethod: variational\nstep: 0.01\nduration: 20\n"
     "events: [{name: section, when: q1x}]\n",
     BOTH, MEASURED ", velocity, omega, positions, tensions"},
    {"model: heavy-top\nmethod: rk8\nstep: 0.01\nduration: 5\nevents: [{name: turn, when: R1xx}]\n", BOTH,
     MEASURED ", velocity, omega, quaternions"},
    {"model: cart-chain\nmethod: {name: variational, order: 4}\nstep: 0.01\nduration: 5\n", BOTH,
     MEASURED ", omega, positions, tensions"},
    {"model: spin-chain\nmethod: spherical-midpoint\nstep: 0.01\nduration: 5\n", "configuration",
     ", energy, energy_error, constraint_error, momentum_maps"}};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static void run_scenario(const char *text, const char *columns, const char *directory)
{
    char whole[2000];
    ph_session *session;
    const int n =
        snprintf(whole, sizeof whole, "polhode: 1\n%soutput: {every: 1, columns: [%s]}\n", text, columns);
    tk_ok(ph_session_open_text(whole, (size_t)n, "s.yaml", io_path(directory), NULL, &session, tk_err));
    tk_ok(ph_session_run(session, tk_err));
    tk_ok(ph_session_close(session, tk_err));
}

/* a: with all columns; b: with those alone from which others are computed. */
static void run_both(const example *e)
{
    char all[300];
    snprintf(all, sizeof all, "%s%s", e->few, e->more);
    run_scenario(e->text, all, "a");
    run_scenario(e->text, e->few, "b");
}

static ph_record *open_record(const char *name)
{
    ph_record *record;
    tk_ok(ph_record_open(io_path(name), &record, tk_err));
    return record;
}

static void change(const char *name, const char *sql)
{
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(io_path(name), &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static int64_t count(const char *name, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    ck_assert_int_eq(sqlite3_open(io_path(name), &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    const int64_t n = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return n;
}

/* The one block of the archive becomes blocks of so many rows, as those of a run that commits often. */
static void split_block(const char *name, int64_t each)
{
    sqlite3 *db;
    sqlite3_stmt *from, *to;
    ck_assert_int_eq(sqlite3_open(io_path(name), &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, "SELECT n, rows FROM blocks", -1, &from, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(from), SQLITE_ROW);
    const int64_t n = sqlite3_column_int64(from, 0);
    const size_t size = (size_t)sqlite3_column_bytes(from, 1), row = size / (size_t)n;
    TK_MEMORY unsigned char *bytes = malloc(size);
    memcpy(bytes, sqlite3_column_blob(from, 1), size);
    ck_assert_int_eq(sqlite3_step(from), SQLITE_DONE);
    sqlite3_finalize(from);
    change(name, "DELETE FROM blocks");
    ck_assert_int_eq(
        sqlite3_prepare_v2(db, "INSERT INTO blocks VALUES(?1, ?2, ?3, ?4, ?5, ?6)", -1, &to, NULL),
        SQLITE_OK);
    for (int64_t first = 0; first < n; first += each) {
        const int64_t here = first + each < n ? each : n - first;
        const unsigned char *at = bytes + (size_t)first * row;
        double t0, t1;
        memcpy(&t0, at, sizeof t0);
        memcpy(&t1, at + (size_t)(here - 1) * row, sizeof t1);
        sqlite3_bind_int64(to, 1, first);
        sqlite3_bind_int64(to, 2, here);
        sqlite3_bind_double(to, 3, t0);
        sqlite3_bind_double(to, 4, t1);
        sqlite3_bind_int64(to, 5, ph_checksum((uint32_t)first, at, (size_t)here * row));
        sqlite3_bind_blob(to, 6, at, (int)((size_t)here * row), SQLITE_STATIC);
        ck_assert_int_eq(sqlite3_step(to), SQLITE_DONE);
        sqlite3_reset(to);
    }
    sqlite3_finalize(to);
    sqlite3_close(db);
}

/* words (n) <- the names of all columns of the record. */
static size_t all_names(const ph_record *record, const char *words[200])
{
    const size_t n = ph_record_columns(record);
    ck_assert_uint_le(n, 200);
    for (size_t i = 0; i < n; i++)
        words[i] = ph_record_column(record, i);
    return n;
}

/* ---- Computed columns ------------------------------------------------------------------------------------ */

/* The rows from `first` on are those of the record, bit by bit. Of how many columns are they computed? */
static size_t check_bits(ph_record *whole, ph_rows *rows, int64_t first)
{
    enum { AT_ONCE = 50 };
    const size_t n = ph_record_columns(whole);
    TK_MEMORY double *expected = calloc(AT_ONCE * n, sizeof *expected),
                     *got = calloc(AT_ONCE * n, sizeof *got);
    int64_t read, next, seen = first;
    size_t computed = 0;
    ck_assert_uint_eq(ph_rows_columns(rows), n);
    for (int64_t at = first;; at = next) {
        int64_t same;
        tk_ok(ph_rows_read(rows, at, AT_ONCE, got, &read, &next, NULL));
        tk_ok(ph_record_read(whole, at, AT_ONCE, expected, &same, &next, NULL));
        ck_assert_int_eq(read, same);
        for (size_t i = 0; i < (size_t)read * n; i++)
            ck_assert_msg(!memcmp(&expected[i], &got[i], sizeof *got), "row %lld, %s: %.17g, archived %.17g",
                          (long long)(at + (int64_t)(i / n)), ph_rows_column(rows, i % n), got[i],
                          expected[i]);
        seen += read;
        if (!read)
            break;
    }
    ck_assert_int_eq(seen, ph_record_rows(whole));
    for (size_t i = 0; i < n; i++) {
        ck_assert_str_eq(ph_rows_column(rows, i), ph_record_column(whole, i));
        ck_assert_str_eq(ph_rows_unit(rows, i), ph_record_unit(whole, i));
        computed += ph_rows_is_computed(rows, i);
    }
    return computed;
}

/* Of rows that were read already the columns have the same bits; those that are copied come from where they say. */
static void check_values(ph_record *record, ph_rows *rows)
{
    enum { FEW = 70 };
    const size_t width = ph_record_columns(record), n = ph_rows_columns(rows);
    TK_MEMORY double *raw = calloc(FEW * width, sizeof *raw), *expected = calloc(FEW * n, sizeof *expected),
                     *got = calloc(FEW * n, sizeof *got);
    int64_t read, same, next;
    tk_ok(ph_rows_read(rows, 100, FEW, expected, &same, &next, NULL));
    tk_ok(ph_record_read(record, 100, FEW, raw, &read, &next, NULL));
    ck_assert_int_eq(read, FEW);
    ck_assert_int_eq(same, FEW);
    tk_ok(ph_rows_values(rows, raw, FEW, got, NULL));
    ck_assert(!memcmp(got, expected, FEW * n * sizeof *got));
    for (size_t i = 0; i < n; i++) {
        const size_t from = ph_rows_origin(rows, i);
        ck_assert_uint_eq(from == width, ph_rows_is_computed(rows, i));
        for (size_t k = 0; from < width && k < FEW; k++)
            ck_assert(!memcmp(&got[k * n + i], &raw[k * width + from], sizeof *got));
    }
}

/* What is computed from configuration and momentum has the bits of what the run has archived; nothing is computed where
 * it is there. */
TEST_EACH(bits_of_computed_columns, EXAMPLES)
{
    const char *words[200];
    ph_rows *rows;
    run_both(&examples[_i]);
    TK_OWN(ph_record) *whole = open_record("a/s.polhode"), *few = open_record("b/s.polhode");
    const size_t n = all_names(whole, words);
    tk_ok(ph_rows_open(few, words, n, &rows, tk_err));
    ck_assert_ptr_nonnull(ph_rows_system(rows));
    const ph_system *system = ph_rows_system(rows);
    ck_assert_uint_eq(check_bits(whole, rows, 0), n - ph_record_columns(few));
    check_values(few, rows);
    ph_rows_free(rows);
    tk_ok(ph_rows_open(few, words, n, &rows, NULL)); /* the system is the record's, and is built once */
    ck_assert_ptr_eq(ph_rows_system(rows), system);
    ck_assert_uint_eq(check_bits(whole, rows, 0), n - ph_record_columns(few));
    ph_rows_free(rows);
    tk_ok(ph_rows_open(whole, words, n, &rows, NULL));
    ck_assert_uint_eq(check_bits(whole, rows, 0), 0);
    ph_rows_free(rows);
    tk_ok(ph_rows_open(whole, NULL, 0, &rows, NULL));
    ck_assert_uint_eq(check_bits(whole, rows, 0), 0);
    ph_rows_free(rows);
}

/* Groups that are computed as a whole, between columns that the archive has: each number under its name. */
TEST_EACH(groups_of_computed_columns, EXAMPLES)
{
    static const char *const groups[] = {"velocity", "omega",       "positions",
                                         "tensions", "quaternions", "momentum_maps"};
    enum { AT = 77 };
    double whole_row[200], row[200];
    int64_t read, next;
    size_t compared = 0;
    run_both(&examples[_i]);
    TK_OWN(ph_record) *whole = open_record("a/s.polhode"), *few = open_record("b/s.polhode");
    tk_ok(ph_record_read(whole, AT, 1, whole_row, &read, &next, NULL));
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        for (size_t k = 0; k < sizeof groups / sizeof groups[0]; k++) {
            const char *const words[] = {"energy", groups[g], "configuration", groups[k], "constraint_error"};
            TK_OWN(ph_rows) *rows = NULL;
            if (g == k || ph_rows_open(few, words, 5, &rows, NULL))
                continue;
            tk_ok(ph_rows_read(rows, AT, 1, row, &read, &next, NULL));
            for (size_t i = 0; i < ph_rows_columns(rows); i++) {
                const size_t at = ph_record_find(whole, ph_rows_column(rows, i));
                if (at == ph_record_columns(whole))
                    continue; /* the run did not have this group */
                ck_assert_msg(!memcmp(&whole_row[at], &row[i], sizeof *row), "%s", ph_rows_column(rows, i));
                compared++;
            }
        }
    ck_assert_uint_gt(compared, 0);
}

/* Columns are found by their whole name, the first of several; of no such name it is their number. */
TEST(columns_found)
{
    static const char *const words[] = {"energy", "configuration", "t"};
    run_scenario(examples[0].text, BOTH, "a");
    change("a/s.polhode", "INSERT INTO columns SELECT max(i) + 1, 'q1x', 'm' FROM columns"); /* again */
    TK_OWN(ph_record) *record = open_record("a/s.polhode");
    const size_t n = ph_record_columns(record);
    ck_assert_str_eq(ph_record_column(record, n - 1), "q1x");
    for (size_t i = 0; i + 1 < n; i++)
        ck_assert_uint_eq(ph_record_find(record, ph_record_column(record, i)), i);
    ck_assert_uint_eq(ph_record_find(record, "q1x"), 2);
    TK_MAKE(ph_rows, rows, ph_rows_open(record, words, 3, &rows, NULL));
    ck_assert_uint_eq(ph_rows_columns(rows), 8);
    ck_assert_uint_eq(ph_rows_find(rows, "energy"), 0);
    ck_assert_uint_eq(ph_rows_find(rows, "q2z"), 6);
    ck_assert_uint_eq(ph_rows_find(rows, "t"), 7);
    static const char *const others[] = {"step", "q1", "q1xx", "Q1x", ""};
    for (size_t i = 0; i < 5; i++)
        ck_assert_uint_eq(ph_rows_find(rows, others[i]), 8);
    for (size_t i = 1; i < 5; i++)
        ck_assert_uint_eq(ph_record_find(record, others[i]), n);
}

/* With the first block damaged energy_error is still against the energy of row 0, which the state keeps; where that
 * is lost, too, it does not exist. */
TEST(first_energy)
{
    static const char *const error[] = {"energy_error"};
    double expected, got;
    int64_t read, next;
    size_t at;
    ph_rows *rows;
    run_scenario(examples[0].text, BOTH MEASURED, "a");
    run_scenario(examples[0].text, BOTH, "b");
    TK_OWN(ph_record) *whole = open_record("a/s.polhode");
    at = ph_record_find(whole, "energy_error");
    ck_assert_uint_lt(at, ph_record_columns(whole));
    double row[30];
    tk_ok(ph_record_read(whole, 1999, 1, row, &read, &next, NULL));
    expected = row[at];
    split_block("b/s.polhode", 700);
    change("b/s.polhode", "UPDATE blocks SET rows = zeroblob(length(rows)) WHERE first = 0");
    for (int k = 0; k < 2; k++) {
        if (k)
            change("b/s.polhode", "DELETE FROM state");
        TK_OWN(ph_record) *damaged = open_record("b/s.polhode");
        tk_ok(ph_rows_open(damaged, error, 1, &rows, NULL));
        ck_assert_int_eq(ph_rows_read(rows, 0, 1, &got, &read, &next, NULL), PH_E_IO);
        ck_assert_int_eq(next, 700);
        tk_ok(ph_rows_read(rows, 1999, 1, &got, &read, &next, NULL));
        ck_assert_int_eq(read, 1);
        ck_assert_msg(k ? isnan(got) : !memcmp(&got, &expected, sizeof got), "%d: %.17g, not %.17g", k, got,
                      expected);
        ph_rows_free(rows);
    }
}

/* The number of a column in a row of the only block becomes another one. */
static void replace_number(const char *name, size_t columns, int64_t row, size_t column, double value)
{
    sqlite3 *db;
    sqlite3_stmt *from, *to;
    ck_assert_int_eq(sqlite3_open(io_path(name), &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, "SELECT rows FROM blocks", -1, &from, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(from), SQLITE_ROW);
    const size_t size = (size_t)sqlite3_column_bytes(from, 0);
    TK_MEMORY unsigned char *bytes = malloc(size);
    memcpy(bytes, sqlite3_column_blob(from, 0), size);
    ck_assert_int_eq(sqlite3_step(from), SQLITE_DONE);
    sqlite3_finalize(from);
    memcpy(bytes + 8 * ((size_t)row * columns + column), &value, sizeof value);
    ck_assert_int_eq(sqlite3_prepare_v2(db, "UPDATE blocks SET rows = ?1, crc32 = ?2", -1, &to, NULL),
                     SQLITE_OK);
    sqlite3_bind_blob(to, 1, bytes, (int)size, SQLITE_STATIC);
    sqlite3_bind_int64(to, 2, ph_checksum(0, bytes, size));
    ck_assert_int_eq(sqlite3_step(to), SQLITE_DONE);
    sqlite3_finalize(to);
    sqlite3_close(db);
}

/* In a row whose momentum is no number there is no energy and no error; its places are where they are, with the same bits
 * as if they were the only columns. */
TEST(state_that_cannot_be_measured)
{
    enum { ROW = 50 };
    static const char *const measured[] = {"positions", "energy", "energy_error", "constraint_error",
                                           "momentum_maps"},
                             *const places[] = {"positions"};
    double both[30], alone[30];
    int64_t read, next;
    TK_OWN(ph_rows) *rows = NULL, *only = NULL;
    run_scenario(examples[0].text, BOTH, "a");
    ph_record *record = open_record("a/s.polhode");
    const size_t columns = ph_record_columns(record);
    ck_assert_str_eq(ph_record_column(record, columns - 1), "pi2z");
    ph_record_close(record);
    replace_number("a/s.polhode", columns, ROW, columns - 1, (double)NAN);
    record = open_record("a/s.polhode");
    tk_ok(ph_rows_open(record, measured, 5, &rows, NULL));
    tk_ok(ph_rows_open(record, places, 1, &only, NULL));
    for (int64_t row = ROW - 1; row <= ROW + 1; row++) {
        tk_ok(ph_rows_read(rows, row, 1, both, &read, &next, NULL));
        tk_ok(ph_rows_read(only, row, 1, alone, &read, &next, NULL));
        for (size_t i = 0; i < ph_rows_columns(rows); i++)
            ck_assert_msg(isfinite(both[i]) == (i < 6 || row != ROW), "row %lld, %s: %g", (long long)row,
                          ph_rows_column(rows, i), both[i]);
        ck_assert_uint_eq(ph_rows_columns(only), 6);
        ck_assert(!memcmp(both, alone, 6 * sizeof *both));
    }
    ph_record_close(record);
}

/* ---- What is refused ------------------------------------------------------------------------------------- */

static void check_refused(ph_record *record, const char *word, ph_status status, const char *text)
{
    ph_rows *rows;
    ph_error err = {PH_OK, ""};
    ck_assert_msg(ph_rows_open(record, &word, 1, &rows, &err) == status, "%s: %d, %s", word, err.status,
                  err.message);
    ck_assert_ptr_null(rows);
    ck_assert_msg(strstr(err.message, text), "%s: %s", word, err.message);
}

TEST(refused_columns)
{
    static const char *const twice[] = {"energy", "energy"}, *const again[] = {"q1", "q1x"};
    ph_rows *rows;
    run_scenario(examples[0].text, "configuration", "a");
    run_scenario(examples[0].text, "momentum, energy", "b");
    ph_record *record = open_record("a/s.polhode");
    check_refused(record, "energy", PH_E_UNSUPPORTED, "no column pi1x");
    check_refused(record, "energy", PH_E_UNSUPPORTED, "columns: [configuration, momentum]");
    check_refused(record, "newton_passes", PH_E_UNSUPPORTED, "cannot be computed");
    check_refused(record, "enrgy", PH_E_UNKNOWN, "energy");
    check_refused(record, "orbit", PH_E_UNKNOWN, "");
    tk_refused(ph_rows_open(record, again, 2, &rows, tk_err), PH_E_INVALID, "q1x is named twice");
    ph_record_close(record);
    record = open_record("b/s.polhode");
    check_refused(record, "positions", PH_E_UNSUPPORTED, "no column q1x");
    tk_returns(ph_rows_open(record, twice, 2, &rows, tk_err), PH_E_INVALID);
    ph_record_close(record);
}

/* Another program's archive has no scenario: its columns are read, nothing is computed. */
TEST(foreign_archive)
{
    static const char *const own[] = {"q2x", "t"};
    double got[2], expected[40];
    int64_t read, next;
    ph_rows *rows;
    run_scenario(examples[0].text, BOTH, "a");
    change("a/s.polhode", "DELETE FROM meta WHERE key = 'scenario'");
    ph_record *record = open_record("a/s.polhode");
    check_refused(record, "energy", PH_E_UNSUPPORTED, "no column energy, and it cannot be computed");
    check_refused(record, "energy", PH_E_UNSUPPORTED, "has no scenario");
    tk_ok(ph_rows_open(record, own, 2, &rows, NULL));
    ck_assert_ptr_null(ph_rows_system(rows));
    tk_ok(ph_rows_read(rows, 5, 1, got, &read, &next, NULL));
    tk_ok(ph_record_read(record, 5, 1, expected, &read, &next, NULL));
    ck_assert_str_eq(ph_record_column(record, 5), "q2x");
    ck_assert(!memcmp(&got[0], &expected[5], sizeof got[0]) && !memcmp(&got[1], &expected[0], sizeof got[1]));
    ck_assert_int_eq(next, 6);
    ph_rows_free(rows);
    ph_record_close(record);
    change("a/s.polhode", "INSERT INTO meta VALUES('scenario', 'polhode: 1' || char(10) || 'model: [')");
    record = open_record("a/s.polhode");
    check_refused(record, "energy", PH_E_UNSUPPORTED, "no column energy, and it cannot be computed");
    ph_record_close(record);
}

/* An archive without a scenario, with the system that its run had: the same bits. */
TEST(system_given)
{
    const char *words[200];
    ph_rows *rows;
    run_both(&examples[1]);
    ph_record *whole = open_record("a/s.polhode"), *few = open_record("b/s.polhode");
    TK_OWN(ph_scenario) *scenario = NULL;
    const char *text = ph_record_meta(few, "scenario");
    tk_ok(ph_scenario_parse(text, strlen(text), "s.yaml", &scenario, NULL));
    const ph_system *system = ph_scenario_system(scenario);
    tk_refused(ph_rows_use_system(few, system, tk_err), PH_E_INVALID, "has a scenario");
    ph_record_close(few);
    change("b/s.polhode", "DELETE FROM meta WHERE key = 'scenario'");
    few = open_record("b/s.polhode");
    tk_ok(ph_rows_use_system(few, system, NULL));
    const size_t n = all_names(whole, words);
    tk_ok(ph_rows_open(few, words, n, &rows, NULL));
    ck_assert_ptr_eq(ph_rows_system(rows), system);
    ck_assert_uint_eq(check_bits(whole, rows, 0), n - ph_record_columns(few));
    ph_rows_free(rows);
    tk_refused(ph_rows_use_system(few, system, tk_err), PH_E_INVALID, "have been opened");
    ph_record_close(few);
    few = open_record("b/s.polhode");
    tk_returns(ph_rows_use_system(few, NULL, tk_err), PH_E_INVALID);
    check_refused(few, "energy", PH_E_UNSUPPORTED, "has no scenario");
    ph_record_close(few);
    ph_record_close(whole);
}

/* ---- Rows that stand for all ----------------------------------------------------------------------------- */

static double time_of(ph_record *record, int64_t row)
{
    double values[40];
    int64_t read, next;
    tk_ok(ph_record_read(record, row, 1, values, &read, &next, NULL));
    ck_assert_int_eq(read, 1);
    return values[0];
}

static bool chosen(const int64_t *at, int64_t n, int64_t row)
{
    for (int64_t i = 0; i < n; i++)
        if (at[i] == row)
            return true;
    return false;
}

/* Of the rows before and behind each event, found by looking at all: how many events have both. */
static int64_t events_between(ph_record *record, const int64_t *at, int64_t n)
{
    int64_t i = -1, found = 0;
    const int64_t rows = ph_record_rows(record);
    while (ph_record_next_event(record, i, &i)) {
        ph_recorded_event event;
        int64_t before = 0;
        tk_ok(ph_record_event(record, i, &event, NULL));
        while (before + 1 < rows && time_of(record, before + 1) <= event.t)
            before++;
        found += chosen(at, n, before) && (before + 1 == rows || chosen(at, n, before + 1));
    }
    return found;
}

/* One block, and blocks of 1 and of 50 rows. */
TEST_EACH(rows_chosen, 3)
{
    int64_t at[5000], n;
    run_scenario(examples[0].text, "configuration", "a");
    if (_i)
        split_block("a/s.polhode", _i == 1 ? 1 : 50);
    TK_OWN(ph_record) *record = open_record("a/s.polhode");
    const int64_t rows = ph_record_rows(record), events = ph_record_events(record);
    ck_assert_int_eq(rows, 2001);
    ck_assert_int_gt(events, 5);
    ck_assert_int_lt(events, 60);
    for (int64_t most = 2; most < 2100; most += most < 10 ? 1 : 37) {
        tk_ok(ph_record_choose(record, most, at, &n, NULL));
        ck_assert_int_le(n, most);
        ck_assert_int_ge(n, most < rows ? most / 3 : rows);
        ck_assert_int_eq(at[0], 0);
        ck_assert_int_eq(at[n - 1], rows - 1);
        int64_t widest = 0;
        for (int64_t i = 1; i < n; i++) {
            ck_assert_int_gt(at[i], at[i - 1]);
            widest = at[i] - at[i - 1] > widest ? at[i] - at[i - 1] : widest;
        }
        ck_assert_int_le(widest, 1 + 4 * rows / (most < 8 ? 4 : most));
        if (most >= 4 * events + 4)
            ck_assert_int_eq(events_between(record, at, n), events);
    }
    tk_returns(ph_record_choose(record, 1, at, &n, tk_err), PH_E_RANGE);
}

/* Events that no run has found: each lies between two rows, n of them behind row `first`, `apart` rows from each other. */
static void put_events(const char *name, const char *event, int64_t from, int64_t n, int64_t first,
                       int64_t apart)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    ck_assert_int_eq(sqlite3_open(io_path(name), &db), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_prepare_v2(db, "INSERT INTO events VALUES(?1, ?2, ?3, ?4, ?5, ?6)", -1, &s, NULL), SQLITE_OK);
    for (int64_t i = 0; i < n; i++) {
        const int64_t row = first + i * apart;
        const double t = ((double)row + 0.5) * 0.01, numbers[4] = {t, (double)row, 0.5, 1};
        const uint32_t crc =
            ph_checksum(ph_checksum((uint32_t)(from + i), (const unsigned char *)event, strlen(event)),
                        (const unsigned char *)numbers, sizeof numbers);
        sqlite3_bind_int64(s, 1, from + i);
        sqlite3_bind_text(s, 2, event, -1, SQLITE_STATIC);
        sqlite3_bind_double(s, 3, t);
        sqlite3_bind_int64(s, 4, row);
        sqlite3_bind_int64(s, 5, crc);
        sqlite3_bind_blob(s, 6, numbers, sizeof numbers, SQLITE_STATIC);
        ck_assert_int_eq(sqlite3_step(s), SQLITE_DONE);
        sqlite3_reset(s);
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
}

/* Of many events of two names that alternate both keep rows, and rare ones all of theirs, wherever among the others they are. */
TEST_EACH(rows_at_events_by_name, 3)
{
    enum { MOST = 80, COMMON = 300, RARE = 5 };
    static const char *const names[] = {"rising", "falling", "rare"};
    int64_t at[MOST], n, kept[3] = {0};
    run_scenario(examples[1].text, "configuration", "a");
    change("a/s.polhode", "DELETE FROM events");
    for (int64_t i = 0; i < COMMON; i++) /* rows 0, 1, ..., 299: falling and rising */
        put_events("a/s.polhode", names[i % 2], i + (i >= 150 ? RARE : 0), 1, i, 1);
    put_events("a/s.polhode", "rare", 150, RARE, 301 + _i, 37);
    TK_OWN(ph_record) *record = open_record("a/s.polhode");
    ck_assert_int_eq(ph_record_events(record), COMMON + RARE);
    tk_ok(ph_record_choose(record, MOST, at, &n, NULL));
    ck_assert_int_le(n, MOST);
    for (int64_t i = -1; ph_record_next_event(record, i, &i);) {
        ph_recorded_event e;
        size_t which = 0;
        tk_ok(ph_record_event(record, i, &e, NULL));
        while (strcmp(names[which], e.name) != 0)
            which++;
        kept[which] += chosen(at, n, e.step) && chosen(at, n, e.step + 1);
    }
    ck_assert_int_eq(kept[2], RARE);
    ck_assert_int_ge(kept[0], 6);
    ck_assert_int_ge(kept[1], 6);
}

/* Every fifth row where 401 or more of 2001 are wanted, so that the picture does not jerk. */
TEST(equal_steps)
{
    int64_t at[500], n;
    run_scenario("model: double-spherical-pendulum\nmethod: variational\nstep: 0.01\nduration: 20\n", "q1x",
                 "a");
    TK_OWN(ph_record) *record = open_record("a/s.polhode");
    for (int64_t most = 401; most < 490; most += 11) {
        tk_ok(ph_record_choose(record, most, at, &n, NULL));
        ck_assert_int_eq(n, 401);
        for (int64_t i = 0; i < n; i++)
            ck_assert_int_eq(at[i], 5 * i);
    }
}

/* A fresh archive of blocks of 100 rows in the folder. */
static void run_again(void)
{
    remove(io_path("a/s.polhode"));
    remove(io_path("a/summary.json"));
    remove(io_path("a"));
    run_scenario(examples[0].text, "configuration", "a");
    split_block("a/s.polhode", 100);
}

/* Impossible numbers in the table of blocks: something is chosen, in order and in bounds, without end or crash. */
TEST(hostile_blocks)
{
    static const char *const changes[] = {"UPDATE blocks SET t0 = 'x', t1 = NULL",
                                          "UPDATE blocks SET n = -5 WHERE first = 0",
                                          "UPDATE blocks SET t0 = 1e308 - first",
                                          "UPDATE blocks SET n = 9000000000000000000 - first",
                                          "UPDATE blocks SET first = first + 4000000000000000000",
                                          "UPDATE blocks SET first = -first - 4000000000000000000",
                                          "DELETE FROM blocks",
                                          "DELETE FROM columns; UPDATE events SET t = 'x'"};
    int64_t at[100], n;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        run_again();
        change("a/s.polhode", changes[i]);
        TK_OWN(ph_record) *record = NULL;
        if (ph_record_open(io_path("a/s.polhode"), &record, NULL))
            continue;
        if (!ph_record_choose(record, 100, at, &n, NULL)) {
            ck_assert_int_le(n, 100);
            for (int64_t k = 0; k < n; k++)
                ck_assert_int_gt(at[k], k ? at[k - 1] : -1);
        }
    }
}

/* ---- Copies ---------------------------------------------------------------------------------------------- */

static bool go_on(void *self, double share)
{
    double *last = self;
    ck_assert(share >= *last && share <= 1);
    *last = share;
    return true;
}

static bool stop(void *self, double share)
{
    (void)share;
    (void)self;
    return false;
}

static void store(const unsigned char *bytes, size_t size)
{
    FILE *f = fopen(io_path("copy"), "wb");
    ck_assert(f && fwrite(bytes, 1, size, f) == size && !fclose(f));
}

/* The columns of the copy by name: t, step, row, and those of the rows. The rows are the source's, bit by bit. */
static void check_copy(ph_record *copy, ph_rows *source)
{
    double got[200], expected[200];
    int64_t read, next;
    const size_t n = ph_rows_columns(source);
    ck_assert_uint_eq(ph_record_columns(copy), n + 1);
    ck_assert_str_eq(ph_record_column(copy, 2), "row");
    for (int64_t i = 0; i < ph_record_rows(copy); i++) {
        tk_ok(ph_record_read(copy, i, 1, got, &read, &next, NULL));
        tk_ok(ph_rows_read(source, (int64_t)got[2], 1, expected, &read, &next, NULL));
        for (size_t k = 0; k < n; k++) {
            const size_t at = k < 2 ? k : k + 1;
            ck_assert_str_eq(ph_record_column(copy, at), ph_rows_column(source, k));
            ck_assert(!memcmp(&got[at], &expected[k], sizeof *got));
        }
    }
}

static void check_events(ph_record *copy, ph_record *source)
{
    int64_t i = -1;
    ck_assert_int_eq(ph_record_events(copy), ph_record_events(source));
    while (ph_record_next_event(source, i, &i)) {
        ph_recorded_event a, b;
        tk_ok(ph_record_event(source, i, &a, NULL));
        tk_ok(ph_record_event(copy, i, &b, NULL));
        ck_assert(a.t == b.t && a.step == b.step && a.n == b.n && !strcmp(a.name, b.name));
        ck_assert(!memcmp(a.values, b.values, a.n * sizeof *a.values));
    }
}

/* A copy is an archive with the bits of its source; the same each time; and can be copied again. */
TEST(copies)
{
    static const char *const words[] = {"t", "configuration", "energy", "tensions", "omega"};
    unsigned char *bytes, *again;
    size_t size, size_again;
    double share = 0;
    ph_copy_report report;
    ph_rows *rows;
    run_scenario(examples[0].text, BOTH, "a");
    TK_OWN(ph_record) *source = open_record("a/s.polhode");
    const ph_copy_plan plan = {
        .words = words, .n = 5, .rows = 300, .events = 1000, .progress = go_on, .self = &share};
    tk_ok(ph_record_copy(source, &plan, &bytes, &size, &report, NULL));
    ck_assert_int_eq(report.rows_of, 2001);
    ck_assert_int_le(report.rows, 300);
    ck_assert_int_ge(report.rows, 200);
    ck_assert_int_eq(report.damaged, 0);
    ck_assert_int_eq(report.events, report.events_of);
    ck_assert_int_eq(report.events, ph_record_events(source));
    share = 0;
    tk_ok(ph_record_copy(source, &plan, &again, &size_again, &report, NULL));
    ck_assert(size == size_again && !memcmp(bytes, again, size));
    free(again);
    store(bytes, size);
    free(bytes);
    TK_OWN(ph_record) *copy = open_record("copy");
    const char *const same[] = {"t", "step", "configuration", "energy", "tensions", "omega"};
    tk_ok(ph_rows_open(source, same, 6, &rows, NULL));
    check_copy(copy, rows);
    check_events(copy, source);
    ck_assert_str_eq(ph_record_meta(copy, "scenario"), ph_record_meta(source, "scenario"));
    ck_assert_str_eq(ph_record_meta(copy, "scene"), ph_record_meta(source, "scene"));
    ck_assert_str_eq(ph_record_meta(copy, "computed"),
                     "energy\ntension1\ntension2\nomega1x\nomega1y\nomega1z\nomega2x\nomega2y\nomega2z");
    char thinned[100];
    snprintf(thinned, sizeof thinned, "%lld of 2001 rows", (long long)report.rows);
    ck_assert_str_eq(ph_record_meta(copy, "thinned"), thinned);
    ph_rows_free(rows);
    const ph_copy_plan all = {.rows = 5000, .events = 3};
    tk_ok(ph_record_copy(copy, &all, &again, &size_again, &report, NULL));
    ck_assert_int_eq(report.rows, ph_record_rows(copy));
    ck_assert_int_le(report.events, 3);
    ck_assert_int_ge(report.events, 2);
    free(again);
}

/* Of two names that alternate each keeps its share, and a rare one all; the words say of how many. */
TEST(copies_of_events)
{
    enum { ALL = 3000, MOST = 300 };
    size_t size;
    ph_copy_report report;
    run_scenario(examples[0].text, BOTH, "a");
    change("a/s.polhode", "DELETE FROM events");
    change("a/s.polhode",
           "WITH RECURSIVE i(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n + 1 < 3000) "
           "INSERT INTO events SELECT n, CASE WHEN n % 1500 = 701 THEN 'rare' WHEN n % 2 THEN 'rising' ELSE "
           "'falling' END, n * 1e-3, n, 0, zeroblob(32) FROM i");
    ph_record *source = open_record("a/s.polhode");
    const ph_copy_plan plan = {.rows = 100, .events = MOST};
    TK_MEMORY unsigned char *bytes = NULL;
    tk_ok(ph_record_copy(source, &plan, &bytes, &size, &report, NULL));
    ck_assert_int_eq(report.events_of, ALL);
    ck_assert_int_le(report.events, MOST);
    ck_assert_int_ge(report.events, MOST * 9 / 10);
    store(bytes, size);
    ph_record_close(source);
    ck_assert_int_eq(count("copy", "SELECT count(*) FROM events WHERE name = 'rare'"), 2);
    const int64_t rising = count("copy", "SELECT count(*) FROM events WHERE name = 'rising'"),
                  falling = count("copy", "SELECT count(*) FROM events WHERE name = 'falling'");
    ck_assert_int_ge(rising, MOST * 4 / 10);
    ck_assert_int_le(llabs(rising - falling), 2);
    TK_OWN(ph_record) *copy = open_record("copy");
    char words[100];
    snprintf(words, sizeof words, "%lld of %d events", (long long)report.events, ALL);
    ck_assert_str_eq(ph_record_meta(copy, "thinned_events"), words);
}

/* Where blocks are too large to be read, the rows with which they begin are taken, and the last one; those have the bits of the archive, and
 * the rest of their blocks is not looked at. */
TEST(copies_of_beginnings)
{
    enum { EACH = 7, ROWS = 2001, MOST = 100 };
    static const char *const words[] = {"t", "step", "configuration", "energy"};
    unsigned char *bytes;
    size_t size;
    ph_copy_report report;
    ph_rows *rows;
    run_scenario(examples[0].text, BOTH, "a");
    split_block("a/s.polhode", EACH);
    ph_record *source = open_record("a/s.polhode");
    const ph_copy_plan plan = {.words = words, .n = 4, .rows = MOST, .bytes = 1000};
    tk_ok(ph_record_copy(source, &plan, &bytes, &size, &report, NULL));
    ck_assert_int_eq(report.damaged, 0);
    ck_assert_int_le(report.rows, MOST);
    ck_assert_int_gt(report.rows, MOST / 2);
    store(bytes, size);
    free(bytes);
    ph_record *thin = open_record("copy");
    tk_ok(ph_rows_open(source, words, 4, &rows, NULL));
    check_copy(thin, rows);
    const size_t n = ph_record_columns(thin);
    TK_MEMORY double *values = calloc(MOST * n, sizeof *values);
    int64_t read, next;
    tk_ok(ph_record_read(thin, 0, MOST, values, &read, &next, NULL));
    for (int64_t i = 0; i < read; i++) {
        const int64_t number = (int64_t)values[(size_t)i * n + 2];
        ck_assert(number % EACH == 0 || number == ROWS - 1);
        ck_assert_int_eq(i + 1 == read, number == ROWS - 1);
    }
    ph_record_close(thin);
    ph_rows_free(rows);
    ph_record_close(source);
    /* blocks with a wrong checksum: their first rows are there; with a wrong time, or a wrong length, they are damaged */
    change("a/s.polhode", "UPDATE blocks SET crc32 = crc32 + 1 WHERE first < 1900");
    source = open_record("a/s.polhode");
    tk_ok(ph_record_copy(source, &plan, &bytes, &size, &report, NULL));
    ck_assert_int_eq(report.damaged, 0);
    ck_assert_int_eq(report.rows, read);
    free(bytes);
    ph_copy_plan strict = plan;
    strict.bytes = 0; /* as ever */
    tk_ok(ph_record_copy(source, &strict, &bytes, &size, &report, NULL));
    ck_assert_int_gt(report.damaged, 0);
    free(bytes);
    ph_record_close(source);
    change("a/s.polhode", "UPDATE blocks SET t0 = t0 + 1 WHERE first = 0");
    change("a/s.polhode", "UPDATE blocks SET n = n + 1 WHERE first > 0 AND first < 1900");
    source = open_record("a/s.polhode");
    tk_ok(ph_record_copy(source, &plan, &bytes, &size, &report, NULL));
    ck_assert_int_gt(report.damaged, MOST / 3);
    free(bytes);
    ph_record_close(source);
}

/* A whole copy says nothing of thinning; a damaged place is counted, and the rows around it are there. */
TEST(copies_of_damaged)
{
    unsigned char *bytes;
    size_t size;
    ph_copy_report report;
    const ph_copy_plan plan = {.rows = 5000, .events = 1000};
    run_scenario(examples[0].text, BOTH, "a");
    ph_record *source = open_record("a/s.polhode");
    tk_ok(ph_record_copy(source, &plan, &bytes, &size, &report, NULL));
    ck_assert_int_eq(report.rows, 2001);
    store(bytes, size);
    free(bytes);
    ph_record *copy = open_record("copy");
    ck_assert_ptr_null(ph_record_meta(copy, "thinned"));
    ck_assert_ptr_null(ph_record_meta(copy, "computed"));
    ph_record_close(copy);
    ph_record_close(source);
    split_block("a/s.polhode", 700);
    change("a/s.polhode", "UPDATE blocks SET crc32 = crc32 + 1 WHERE first = 0");
    source = open_record("a/s.polhode");
    tk_ok(ph_record_copy(source, &plan, &bytes, &size, &report, NULL));
    ck_assert_int_eq(report.damaged, 1);
    ck_assert_int_eq(report.rows, 1301);
    ck_assert_int_eq(report.rows_of, 2001);
    free(bytes);
    ph_record_close(source);
}

TEST(copies_refused)
{
    static const char *const nothing[] = {"nothing"};
    unsigned char one_byte, *bytes = &one_byte;
    size_t size;
    ph_copy_report report;
    run_scenario(examples[0].text, "configuration", "a");
    TK_OWN(ph_record) *source = open_record("a/s.polhode");
    const ph_copy_plan stopped = {.rows = 50, .events = 10, .progress = stop},
                       one = {.rows = 1, .events = 10}, unknown = {.words = nothing, .n = 1, .rows = 50};
    tk_returns(ph_record_copy(source, &stopped, &bytes, &size, &report, tk_err), PH_E_INTERRUPTED);
    ck_assert_ptr_null(bytes);
    tk_returns(ph_record_copy(source, &one, &bytes, &size, &report, tk_err), PH_E_RANGE);
    ck_assert_ptr_null(bytes);
    tk_returns(ph_record_copy(source, &unknown, &bytes, &size, &report, tk_err), PH_E_UNKNOWN);
    ck_assert_ptr_null(bytes);
}

int main(void)
{
    return tk_run_in("rows", io_make_folder, remove_folder);
}
