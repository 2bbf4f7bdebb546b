/* SPDX-License-Identifier: BSD-3-Clause */
/* Only one writer: locks of ours and of others, and files and links that are in the way of an archive. */
#include "tests/kit/recording.h"

#include "lib/archive/database.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Resuming --------------------------------------------------------------------------------------- */

TEST(one_writer)
{
    ph_archive *other = NULL;
    char number[40];
    snprintf(number, sizeof number, "process %ld ", (long)getpid());
    RECORDING(t, 5);
    const ph_archive_plan plan = {.integrator = t.r.integrator, .steps = 1};
    tk_refused(ph_archive_create(io_path("r"), &plan, t.r.state, NULL, 1, &other, tk_err), PH_E_EXISTS,
               number);
    tk_refused(ph_archive_reopen(io_path("r"), t.r.system, 1, &other, tk_err), PH_E_EXISTS, number);
    rec_check_rows(&t, 5, 10);
    rec_commit_rows(&t, 2);
    ph_archive_abandon(t.archive);
    ck_assert(!io_there("r.lock"));
    io_put("r.lock", "99999\n"); /* of a process that is no more */
    rec_reopen(&t);
    rec_close(&t);
    rec_check_one_file();
    /* a new archive in its place, which takes nothing from the old one */
    tk_ok(ph_archive_create(io_path("r"), &plan, t.r.state, NULL, 1, &other, tk_err));
    ph_archive_abandon(other);
    rec_check_rows(&t, 0, 1);
    TK_OWN(ph_record) *record = rec_open("r");
    ck_assert_ptr_null(ph_record_meta(record, "scenario"));
    ph_account account;
    tk_returns(ph_record_state(record, t.r.state, t.r.monitor, &account, tk_err),
               PH_E_PARSE); /* no monitor */
    tk_ok(ph_record_state(record, t.r.state, NULL, &account, tk_err));
    ph_archive_abandon(NULL);
    ph_record_close(NULL);
}

/* A reader finds out whether there is a writer, whoever that is, and keeps none out. */
TEST(looking_for_a_writer)
{
    long process = -1;
    int ready[2], stop[2], how;
    char word;
    ck_assert(!ph_archive_writer(io_path("r"), &process) && process == 0); /* there is no archive */
    RECORDING(t, 0);
    ck_assert(ph_archive_writer(io_path("r"), &process) && process == (long)getpid());
    ck_assert(ph_archive_writer(io_path("r"), NULL));
    rec_close(&t);
    ck_assert(!ph_archive_writer(io_path("r"), &process) && process == 0);
    io_put("r.lock", "99999\n"); /* of a process that is no more */
    ck_assert(!ph_archive_writer(io_path("r"), &process) && process == 0);
    ck_assert(!pipe(ready) && !pipe(stop));
    pid_t child = fork();
    if (!child) { /* resumes, and says so */
        rec_reopen(&t);
        _exit(write(ready[1], "r", 1) == 1 && read(stop[0], &word, 1) == 1 ? 0 : 1);
    }
    ck_assert_int_eq(read(ready[0], &word, 1), 1);
    ck_assert(ph_archive_writer(io_path("r"), &process) && process == (long)child);
    ck_assert_int_eq(write(stop[1], "s", 1), 1);
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(WIFEXITED(how) && !WEXITSTATUS(how));
    ck_assert(io_there("r.lock")); /* it ended without removing it */
    ck_assert(!ph_archive_writer(io_path("r"), NULL));
}

/* Memory that children share. */
static long *shared(void)
{
    long *counter = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(counter, MAP_FAILED);
    return counter;
}

/* However many processes look for a writer, and however often, no writer is refused: 10 000 looks during at
 * least some hundred starts. Each start is visible to the process that started. */
TEST(lookers_keep_nobody_out)
{
    enum { LOOKERS = 4 };
    const int starts = tk_thorough() ? 1000 : 200;
    long *looks = shared();
    pid_t children[LOOKERS];
    RECORDING(t, 0);
    rec_close(&t);
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
        const ph_status status = ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, tk_err);
        ck_assert_msg(!status, "start %d: %s", begun, tk_err->message);
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
}

/* Rows are added to a block while it is read, between the statement for its head and that for its rows. */
static int add_a_row(unsigned event, void *user, void *statement, void *sql)
{
    recording *t = user;
    (void)event;
    (void)statement;
    if (t->n == 5 && strstr(sql, "SELECT rows"))
        rec_commit_rows(t, 1);
    return 0;
}

TEST(blocks_are_read_whole)
{
    RECORDING(t, 5);
    ph_database database = {.path = io_path("r")};
    ph_blocks blocks;
    ph_block block = {0};
    tk_ok(ph_database_open(&database, io_path("r"), SQLITE_OPEN_READONLY, tk_err));
    tk_ok(ph_blocks_open(&blocks, &database, 8 * REC_COLUMNS, tk_err));
    ck_assert(!sqlite3_trace_v2(database.db, SQLITE_TRACE_STMT, add_a_row, &t));
    for (int64_t n = 5; n <= 6; n++) { /* the second time with the row that was added */
        tk_ok(ph_blocks_load(&blocks, 0, &block, tk_err));
        ck_assert_int_eq(block.n, n);
        ck_assert_int_eq(t.n, 6);
    }
    free(block.bytes);
    ph_blocks_close(&blocks);
    ck_assert(!sqlite3_close(database.db));
    rec_close(&t);
}

/* A reader who has the archive open for a moment when its run ends: a single file is left. (It is begun first: SQLite does
 * not know of a fork, so a copy of an open database would take no locks.) */
TEST(a_reader_at_the_end)
{
    int go[2], ready[2], how;
    char word;
    ck_assert(!pipe(go) && !pipe(ready));
    pid_t child = fork();
    if (!child) {
        const bool begun = read(go[0], &word, 1) == 1;
        ph_record *record = rec_open("r");
        const bool told = write(ready[1], "r", 1) == 1;
        usleep(200000);
        ph_record_close(record);
        _exit(begun && told ? 0 : 1);
    }
    RECORDING(t, 5);
    ck_assert(write(go[1], "g", 1) == 1 && read(ready[0], &word, 1) == 1);
    rec_close(&t);
    rec_check_one_file();
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(WIFEXITED(how) && !WEXITSTATUS(how));
}

/* Many writers start at once: only one of them holds the lock at a time. */
TEST(one_of_many)
{
    enum { WRITERS = 4 };
    const int wanted = tk_thorough() ? 1000 : 100; /* turns of each */
    long *inside = shared(), *turns = shared();
    pid_t children[WRITERS];
    RECORDING(t, 0);
    rec_close(&t);
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
    rec_check_one_file();
}

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

TEST_EACH(strangers_keep_nobody_out, 3)
{
    RECORDING(t, 0);
    ph_archive_abandon(t.archive);
    io_put("r.lock", "99999\n");
    pid_t child = hold("r.lock", _i);
    ck_assert(!ph_archive_writer(io_path("r"), NULL)); /* the holder is not a writer */
    rec_reopen(&t);
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
    rec_close(&t);
    rec_check_one_file();
}

/* ---- Obstacles under the name ------------------------------------------------------------------------- */

static const char *const taken[] = {"r", "r.lock", "r.part", "r.part-journal", "r-wal", "r-shm", "r-journal"};
enum { TAKEN = sizeof taken / sizeof taken[0], KINDS = 4, PLANTED = TAKEN * KINDS };

/* Links to a file of somebody's, to nothing, another name of the file, and a pipe: nothing is written through
 * them, nor waited for. */
TEST_EACH(planted, PLANTED)
{
    const char *name = taken[_i / KINDS];
    char victim[300], nowhere[300];
    snprintf(victim, sizeof victim, "%s", io_path("a"));
    snprintf(nowhere, sizeof nowhere, "%s", io_path("s.yaml"));
    io_put("a", "precious");
    const bool here = _i % KINDS == 0   ? symlink(victim, io_path(name))
                      : _i % KINDS == 1 ? symlink(nowhere, io_path(name))
                      : _i % KINDS == 2 ? link(victim, io_path(name))
                                        : mkfifo(io_path(name), 0666);
    ck_assert(!here);
    RECORDING(t, 5);
    rec_close(&t);
    rec_check_one_file();
    rec_check_rows(&t, 5, 10);
    if (_i / KINDS == 1) { /* the lock again, of a writer that resumes */
        ck_assert(!symlink(_i % 2 ? nowhere : victim, io_path(name)));
        ck_assert(!ph_archive_writer(io_path("r"), NULL));
        rec_reopen(&t);
        rec_close(&t);
        rec_check_rows(&t, 5, 10);
    }
    io_check_content("a", "precious");
    ck_assert(!io_there("s.yaml"));
}

/* An archive that is a link, in a folder that is a link: resuming uses the file that it leads to, and the
 * writer is found by either name. A new archive replaces the link. */
TEST(an_archive_that_is_a_link)
{
    ph_archive *other = NULL;
    char real[300], link_name[300];
    struct stat s;
    RECORDING(t, 5);
    rec_close(&t);
    ck_assert(!mkdir(io_path("x"), 0777));
    snprintf(real, sizeof real, "%s", io_path("x/y"));
    ck_assert(!rename(io_path("r"), real));
    ck_assert(!symlink("x", io_path("a")) && !symlink("a/y", io_path("r")));
    rec_reopen(&t);
    ck_assert(io_there("x/y.lock") && !io_there("r.lock"));
    snprintf(link_name, sizeof link_name, "%s", io_path("r"));
    const char *const names[] = {real, link_name};
    for (int i = 0; i < 2; i++) {
        ck_assert(ph_archive_writer(names[i], NULL));
        ck_assert_int_eq(ph_archive_reopen(names[i], t.r.system, 1, &other, NULL), PH_E_EXISTS);
    }
    rec_commit_rows(&t, 2);
    rec_check_rows(&t, 7, 10); /* by the link, with what waits in the log of the file */
    rec_close(&t);
    rec_check_rows(&t, 7, 10);
    ck_assert(!io_there("x/y.lock") && !io_there("x/y-wal"));
    const ph_archive_plan plan = {.integrator = t.r.integrator, .steps = 1};
    tk_ok(ph_archive_create(io_path("r"), &plan, t.r.state, NULL, 1, &other, NULL));
    ph_archive_abandon(other);
    ck_assert(!lstat(io_path("r"), &s) && S_ISREG(s.st_mode));
    ck_assert(!unlink(io_path("r")) && !rename(real, io_path("r")));
    rec_check_rows(&t, 7, 10);
}

int main(void)
{
    return tk_run_in("record: one writer", io_make_folder, io_remove_folder);
}
