/* SPDX-License-Identifier: BSD-3-Clause */
/* A recorded run: see recording.h. */
#include "recording.h"

#include "lib/archive/database.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

const char rec_text[] = "model: double-spherical-pendulum # \xc3\xa9 'quoted'\n";

void rec_create_in_pieces(recording *t, double interval, size_t piece)
{
    ph_error err = {PH_OK, ""};
    *t = (recording){0};
    io_begin(&t->r, "double-spherical-pendulum", "variational", NULL, 0);
    const ph_archive_plan plan = {.scenario = rec_text,
                                  .length = sizeof rec_text - 1,
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
    t->rows = calloc(200000, REC_COLUMNS * sizeof *t->rows);
}

void rec_create(recording *t, double interval)
{
    rec_create_in_pieces(t, interval, 0);
}

void rec_free(recording *t)
{
    free(t->rows);
    io_end(&t->r);
}

void rec_add_row(recording *t)
{
    ph_measures m;
    const ph_state *s = t->r.state;
    double *row = t->rows + REC_COLUMNS * t->n;
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

ph_account rec_account(const recording *t)
{
    return (ph_account){
        .newton_passes = 100 + t->n, .row_passes = 50 + t->n, .cpu_seconds = 0.1 * (double)t->n};
}

void rec_commit(recording *t)
{
    ph_error err = {PH_OK, ""};
    ph_account account = rec_account(t);
    ph_status status = ph_archive_commit(t->archive, t->r.state, t->r.monitor, &account, &err);
    ck_assert_msg(!status, "%s", err.message);
}

void rec_add_rows(recording *t, int n)
{
    for (int i = 0; i < n; i++)
        rec_add_row(t);
}

ph_record *rec_open(const char *name)
{
    ph_record *record = NULL;
    ph_error err = {PH_OK, ""};
    ph_status status = ph_record_open(io_path(name), &record, &err);
    ck_assert_msg(!status, "%s", err.message);
    return record;
}

void rec_check_rows(const recording *t, int64_t n, int64_t at_once)
{
    ph_record *record = rec_open("r");
    TK_MEMORY double *values = calloc((size_t)at_once, REC_COLUMNS * sizeof *values);
    int64_t first = 0, read = 0, next = 0;
    ck_assert_int_eq(ph_record_rows(record), n);
    for (;; first = next) {
        tk_ok(ph_record_read(record, first, at_once, values, &read, &next, NULL));
        ck_assert_int_eq(next, first + read);
        ck_assert_int_le(read, at_once);
        if (!read)
            break;
        ck_assert_int_le(next, n);
        ck_assert_msg(
            !memcmp(values, t->rows + REC_COLUMNS * first, (size_t)read * REC_COLUMNS * sizeof *values),
            "rows from %lld differ", (long long)first);
    }
    ck_assert_int_eq(first, n);
    ph_record_close(record);
}

void rec_check_state(const recording *t, const ph_state *state, ph_account expected, int64_t rows)
{
    ph_record *record = rec_open("r");
    ph_account account;
    TK_MAKE(ph_state, found, ph_state_create(t->r.integrator, &found, NULL));
    TK_MAKE(ph_monitor, monitor, ph_monitor_create(t->r.diagnostics, 0, 1, &monitor, NULL));
    tk_ok(ph_record_state(record, found, monitor, &account, NULL));
    ck_assert(!memcmp(found->z, state->z, 6 * sizeof(double)) &&
              !memcmp(found->p, state->p, 6 * sizeof(double)));
    ck_assert(found->t == state->t && found->k == state->k);
    ck_assert(!memcmp(found->carry, state->carry, state->ncarry * sizeof(double)));
    ck_assert_int_eq(account.rows, rows);
    ck_assert_int_eq(account.newton_passes, expected.newton_passes);
    ck_assert_int_eq(account.row_passes, expected.row_passes);
    ck_assert_double_eq(account.cpu_seconds, expected.cpu_seconds);
    ph_record_close(record);
}

void rec_close(recording *t)
{
    ph_error err = {PH_OK, ""};
    const ph_ending ending = {.status = PH_E_INTERRUPTED, .reason = "whim", .by = "me", .message = "because"};
    ph_status status = ph_archive_close(t->archive, &ending, &err);
    ck_assert_msg(!status, "%s", err.message);
    t->archive = NULL;
}

void rec_check_one_file(void)
{
    ck_assert(io_there("r"));
    ck_assert(!io_there("r-wal") && !io_there("r-shm") && !io_there("r-journal") && !io_there("r.lock") &&
              !io_there("r.part"));
}

void rec_change(const char *sql)
{
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(io_path("r"), &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

void rec_add_event(recording *t, const char *name, int64_t step)
{
    const ph_occurrence o = {.t = 0.1 * (double)step + 0.01,
                             .theta = 0.25 + 1e-3 * (double)step,
                             .step = step,
                             .direction = step % 2 ? 1 : -1,
                             .state = t->r.state};
    tk_ok(ph_archive_event(t->archive, name, &o, NULL));
}

int64_t rec_number(const char *sql)
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

void rec_reopen(recording *t)
{
    ph_error err = {PH_OK, ""};
    ph_status status = ph_archive_reopen(io_path("r"), t->r.system, 1e9, &t->archive, &err);
    ck_assert_msg(!status, "%s", err.message);
    tk_ok(ph_archive_go_on(t->archive, NULL));
}

unsigned char *rec_load(const char *name, size_t *size)
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

void rec_store(const char *name, const unsigned char *bytes, size_t size)
{
    FILE *f = fopen(io_path(name), "wb");
    ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

void rec_poke(const char *name, size_t at, unsigned char byte)
{
    const int fd = open(io_path(name), O_WRONLY);
    ck_assert(fd >= 0 && pwrite(fd, &byte, 1, (off_t)at) == 1 && !close(fd));
}

void rec_commit_rows(recording *t, int n)
{
    rec_add_rows(t, n);
    rec_commit(t);
}

void rec_begin(recording *t, int rows)
{
    rec_create(t, 1e9);
    if (rows)
        rec_commit_rows(t, rows);
}
