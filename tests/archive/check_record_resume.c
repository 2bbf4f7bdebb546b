/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives that are resumed, given back or ended; by a writer that dies, or over a read-only file. */
#include "lib/archive/database.h"
#include "tests/kit/recording.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Resuming --------------------------------------------------------------------------------------- */

/* Rows after the state are dropped, wherever in a block; the energy is still relative to the first row. */
TEST(going_on)
{
    static const int before[] = {0, 1, 30, 3000, 9000}, behind[] = {0, 1, 5, 4000};
    ph_measures m;
    RECORDING(t, 0);
    for (size_t i = 0; i < 20; i++) {
        rec_commit_rows(&t, before[i % 5]);
        const ph_account account = rec_account(&t);
        const int64_t safe = t.n;
        ph_state *at = NULL;
        tk_ok(ph_state_create(t.r.integrator, &at, NULL));
        tk_ok(ph_state_copy(at, t.r.state));
        for (int j = 0; j < behind[i / 5]; j++) {
            tk_ok(ph_diagnostics_measure(t.r.diagnostics, t.r.state, &m));
            tk_ok(ph_archive_row(t.archive, t.r.state, &m, 0, NULL));
        }
        if (i % 2)
            rec_close(&t);
        else
            ph_archive_abandon(t.archive);
        if (i % 2) {
            ph_record *record = rec_open("r");
            ck_assert_int_eq(ph_record_rows(record), safe + behind[i / 5]);
            ph_record_close(record);
        }
        rec_reopen(&t);
        rec_check_rows(&t, safe, 9999);
        rec_check_state(&t, at, account, safe);
        ph_state_free(at);
        ph_record *record = rec_open("r");
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
    rec_close(&t);
    rec_check_one_file();
    rec_check_rows(&t, t.n, 9999);
}

/* Reopening an archive and giving it back changes no byte of it; that the run resumes is recorded by another
 * call. */
TEST(taken_and_given_back)
{
    ph_measures m;
    size_t size, after;
    RECORDING(t, 700);
    rec_add_event(&t, "behind", t.r.state->k);
    tk_ok(ph_diagnostics_measure(t.r.diagnostics, t.r.state, &m));
    tk_ok(ph_archive_row(t.archive, t.r.state, &m, 0, NULL));
    rec_close(&t);
    TK_MEMORY unsigned char *bytes = rec_load("r", &size);
    tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, NULL));
    ck_assert(io_there("r.lock") && !io_there("r-wal"));
    rec_add_rows(&t, 3); /* in memory */
    ph_archive_abandon(t.archive);
    rec_check_one_file();
    TK_MEMORY unsigned char *again = rec_load("r", &after);
    ck_assert_uint_eq(after, size);
    ck_assert(!memcmp(bytes, again, size));
    /* the first commit records it as well, ... */
    tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, NULL));
    t.n -= 3;
    ck_assert_int_eq(rec_number("SELECT sum(n) FROM blocks"), 701);
    rec_commit(&t);
    ck_assert_int_eq(rec_number("SELECT sum(n) FROM blocks"), 700);
    ck_assert_int_eq(rec_number("SELECT count(*) FROM events"), 0);
    ck_assert_int_eq(rec_number("SELECT count(*) FROM meta WHERE key IN ('status', 'message')"), 0);
    tk_ok(ph_archive_go_on(t.archive, NULL)); /* a second call has no effect */
    rec_close(&t);
    rec_check_rows(&t, 700, 1000);
}

/* ... and so does the end, also after new rows: these are kept behind the state, but earlier rows behind it
 * are not. */
TEST_EACH(taken_and_ended, 2)
{
    RECORDING(t, 0);
    rec_add_rows(&t, _i ? 3000 : 10); /* a block that is continued, or one that is full */
    rec_commit(&t);
    rec_add_rows(&t, 5);
    rec_close(&t);
    t.n -= 5;
    tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, NULL));
    rec_add_rows(&t, 2);
    rec_close(&t);
    rec_check_rows(&t, t.n, 10000);
    rec_check_one_file();
}

/* A last state together with the end. One row does not belong to it, and is visible until the run resumes. */
TEST(the_end_with_a_state)
{
    RECORDING(t, 5);
    rec_add_rows(&t, 2);
    ph_account account = rec_account(&t);
    account.rows = 6;
    tk_ok(ph_archive_finish(t.archive, t.r.state, t.r.monitor, &account,
                            &(ph_ending){.status = PH_E_STOPPED, .message = "there"}, NULL));
    rec_check_one_file();
    rec_check_rows(&t, 7, 10);
    rec_check_state(&t, t.r.state, account, 6);
    ph_record *record = rec_open("r");
    ck_assert_str_eq(ph_record_meta(record, "status"), "stopped");
    ck_assert_str_eq(ph_record_meta(record, "message"), "there");
    ph_record_close(record);
    rec_reopen(&t);
    rec_check_rows(&t, 6, 10);
    rec_close(&t);
}

/* ---- Obstacles under the name ------------------------------------------------------------------------- */

/* The row of the state without the state, while it is written and where the state is damaged. */
TEST(latest_commit)
{
    ph_commit c;
    RECORDING(t, 0);
    ph_record *record = rec_open("r");
    tk_ok(ph_record_commit(record, &c, NULL));
    ck_assert(c.steps == 0 && c.t == 0.5 && c.account.rows == 0 && c.account.cpu_seconds == 0);
    rec_commit_rows(&t, 4);
    const ph_account account = rec_account(&t);
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
        rec_close(&t);
        rec_change("UPDATE state SET state = zeroblob(9)");
        record = rec_open("r");
    }
    ph_record_close(record);
    rec_change("DELETE FROM state");
    record = rec_open("r");
    tk_refused(ph_record_commit(record, &c, tk_err), PH_E_IO, "damaged or missing");
    ph_record_close(record);
}

/* A process that is killed while rows wait leaves what was committed. */
TEST(a_writer_dies)
{
    RECORDING(t, 700);
    ph_archive_abandon(t.archive);
    pid_t child = fork();
    if (!child) {
        rec_reopen(&t);
        rec_commit_rows(&t, 50);
        rec_add_rows(&t, 30);
        kill(getpid(), SIGKILL);
    }
    int how;
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(WIFSIGNALED(how));
    ck_assert(io_there("r.lock") && io_there("r-wal"));
    t.archive = NULL;
    rec_add_rows(&t, 50); /* those of the other process, which took the same steps */
    rec_check_rows(&t, 750, 100);
    rec_reopen(&t);
    rec_add_rows(&t, 50);
    rec_check_rows(&t, 750, 100);
    rec_close(&t);
    rec_check_one_file();
    rec_check_rows(&t, 800, 100);
}

/* ---- The row of the state without the state ------------------------------------------------------------ */

/* A directory or a file that the process has no permission to write: it can be read, but not resumed. */
TEST_EACH(read_only, 3)
{
    int how;
    RECORDING(t, 10);
    if (_i == 1)
        ph_archive_abandon(t.archive);
    else
        rec_close(&t);
    ck_assert(!chmod(io_path("r"), 0444));
    ck_assert(!chmod(io_folder(), _i == 2 ? 0777 : 0555));
    pid_t child = fork();
    if (!child) {
        if (!getuid() && seteuid(65534))
            _exit(2);
        rec_check_rows(&t, 10, 4);
        int status = ph_archive_reopen(io_path("r"), t.r.system, 1, &t.archive, tk_err);
        _exit(status == PH_E_IO && strstr(tk_err->message, _i == 2 ? "is read-only" : "cannot be created")
                  ? 0
                  : 1);
    }
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(!chmod(io_folder(), 0777));
    ck_assert_msg(WIFEXITED(how) && !WEXITSTATUS(how), "the child ended with %d", how);
}

/* ---- Chosen columns --------------------------------------------------------------------------------- */

/* A process was killed while writing, and left a journal to roll back: the first reader does so, or reports
 * that it cannot write there. */
TEST(half_done)
{
    int how;
    RECORDING(t, 1000);
    rec_close(&t);
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
        if (!getuid() && seteuid(65534))
            _exit(2);
        const ph_status status = ph_record_open(io_path("r"), &record, tk_err);
        _exit(status == PH_E_IO && strstr(tk_err->message, "was not ended") ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(!chmod(io_folder(), 0777));
    ck_assert_msg(WIFEXITED(how) && !WEXITSTATUS(how), "the child ended with %d", how);
    rec_check_rows(&t, 1000, 100);
    rec_check_state(&t, t.r.state, rec_account(&t), 1000);
    ck_assert(!io_there("r-journal"));
}

int main(void)
{
    return tk_run_in("record: resuming", io_make_folder, io_remove_folder);
}
