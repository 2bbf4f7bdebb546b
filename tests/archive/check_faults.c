/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives on a bad disk (disk.h): whichever operation of SQLite on it fails, and wherever the power is cut,
 * what was committed is there and whole, and a run that resumes from it has the bits of an undisturbed one:
 * rows, events and state; with the log, and with the rollback journal of network file systems. Everyday a sample of the places;
 * under `make check-long` each of them. */
#include "tests/kit/disk.h"
#include "tests/kit/iokit.h"

#include "lib/archive/database.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

/* ---- A network file system ------------------------------------------------------------------------- */

static bool networked;

#ifdef __linux__
/* In the place of the C library's: all paths are on NFS, or nothing is known of them. */
int statfs(const char *path, struct statfs *s)
{
    (void)path;
    if (networked) {
        *s = (struct statfs){.f_type = 0x6969};
        return 0;
    }
    errno = ENOSYS;
    return -1;
}
#endif

/* ---- A story in three sessions --------------------------------------------------------------------- */

/* A row every three steps, and an event at every fifth row. Sessions: the first ends with a row behind its
 * state, the second is killed, the third completes the run. */
enum { ROWS = 600, PERIOD = 3, SESSIONS = 3 };
static const int64_t commits[] = {1, 2, 40, 41, 300, 450, 470, ROWS}, ends[SESSIONS] = {300, 470, ROWS};

static size_t piece; /* of states; 0: usual */

/* What is known about an attempt. Numbers of rows; -1: no archive yet. */
typedef struct story {
    int64_t safe, tried; /* rows of the latest commit that succeeded, and of the latest one */
    int failures;        /* calls that failed */
} story;

static bool failed(story *s, ph_status status, const ph_error *err)
{
    if (!status)
        return false;
    ck_assert_msg(status == PH_E_IO, "%s: %s", ph_status_name(status), err->message);
    ck_assert(err->status == status && strstr(err->message, ": "));
    s->failures++;
    return true;
}

static ph_status create(const io_run *r, const char *path, ph_archive **archive, ph_error *err)
{
    const ph_archive_plan plan = {
        .name = "new", .integrator = r->integrator, .steps = (int64_t)PERIOD * ROWS};
    return ph_archive_create_in_pieces(path, &plan, r->state, r->monitor, 1e9,
                                       piece ? piece : (size_t)1 << 26, archive, err);
}

/* Reopens the archive and reads its state, to resume from it. */
static ph_status take(io_run *r, const char *path, ph_archive **archive, ph_error *err)
{
    ph_record *record = NULL;
    ph_account account;
    ph_status status = ph_record_open(path, &record, err);
    if (!status)
        status = ph_record_state(record, r->state, r->monitor, &account, err);
    ph_record_close(record);
    if (!status)
        status = ph_archive_reopen(path, r->system, 1e9, archive, err);
    if (!status && (status = ph_archive_go_on(*archive, err))) {
        ph_archive_abandon(*archive);
        *archive = NULL;
    }
    return status;
}

static void add_row(const io_run *r, ph_archive *archive)
{
    const ph_state *s = r->state;
    const ph_occurrence o = {.t = s->t, .theta = 0.5, .step = s->k, .direction = 1, .state = s};
    ph_measures m;
    tk_ok(ph_monitor_see(r->monitor, s, &m));
    tk_ok(ph_archive_row(archive, s, &m, s->k, NULL));
    if (s->k / PERIOD % 5 == 0)
        tk_ok(ph_archive_event(archive, "fifth", &o, NULL));
}

static bool is_commit(int64_t rows)
{
    for (size_t i = 0; i < sizeof commits / sizeof commits[0]; i++)
        if (commits[i] == rows)
            return true;
    return false;
}

/* Commits, and tries a second time where that fails. */
static bool commit(story *s, const io_run *r, ph_archive *archive, int64_t rows)
{
    const ph_account account = {.newton_passes = 2 * r->state->k, .row_passes = r->state->k};
    for (int i = 0; i < 2; i++) {
        s->tried = rows;
        if (!failed(s, ph_archive_commit(archive, r->state, r->monitor, &account, tk_err), tk_err)) {
            s->safe = rows;
            return true;
        }
        ck_assert_msg(strstr(tk_err->message, "safe are"), "%s", tk_err->message);
    }
    return false;
}

static void end_session(story *s, const io_run *r, ph_archive *archive, int64_t rows)
{
    if (rows == ends[1]) {
        ph_archive_abandon(archive);
        return;
    }
    if (rows != ROWS)
        add_row(r, archive);
    failed(s,
           ph_archive_close(archive, &(ph_ending){.status = PH_E_INTERRUPTED, .message = "an end"}, tk_err),
           tk_err);
}

/* One session, from the present archive to its end or a failure; false: it was the last one. */
static bool session(story *s, const char *path)
{
    io_run r = {0};
    ph_archive *archive = NULL;
    io_begin(&r, "double-spherical-pendulum", "variational", NULL, 0);
    const bool fresh = s->safe < 0;
    if (fresh)
        s->tried = 0;
    const ph_status status = fresh ? create(&r, path, &archive, tk_err) : take(&r, path, &archive, tk_err);
    if (failed(s, status, tk_err)) {
        io_end(&r);
        return false;
    }
    if (fresh)
        s->safe = 0;
    int64_t rows = r.state->k / PERIOD;
    for (bool on = rows < ROWS; on;) {
        add_row(&r, archive);
        tk_ok(ph_integrator_step(r.integrator, r.state, PERIOD));
        rows++;
        if (is_commit(rows) && !commit(s, &r, archive, rows)) {
            ph_archive_abandon(archive);
            io_end(&r);
            return false;
        }
        on = rows != ends[0] && rows != ends[1] && rows != ROWS;
    }
    end_session(s, &r, archive, rows);
    io_end(&r);
    return rows < ROWS;
}

static story tell(const char *path)
{
    story s = {-1, -1, 0};
    while (session(&s, path) && !s.failures)
        ;
    return s;
}

/* ---- What is in an archive ------------------------------------------------------------------------- */

typedef struct tale {
    unsigned char *bytes;
    size_t n, room;
} tale;

static void put(tale *t, const void *bytes, size_t n)
{
    if (t->n + n > t->room) {
        t->room = 2 * (t->n + n);
        t->bytes = realloc(t->bytes, t->room);
    }
    memcpy(t->bytes + t->n, bytes, n);
    t->n += n;
}

/* Rows, events and the state, and that all can be read. With rows: how many belong to the state. */
static tale contents(const char *path, int64_t *rows)
{
    tale t = {NULL, 0, 0};
    TK_ENDS(io_end) io_run r = {0};
    ph_account account;
    io_begin(&r, "double-spherical-pendulum", "variational", NULL, 0);
    TK_MAKE(ph_record, record, ph_record_open(path, &record, tk_err));
    tk_ok(ph_record_state(record, r.state, r.monitor, &account, tk_err));
    *rows = account.rows;
    ck_assert_int_eq(r.state->k, PERIOD * account.rows);
    put(&t, &account, sizeof account);
    const size_t size = ph_state_packed_size(r.state), more = ph_monitor_packed_size(r.monitor);
    TK_MEMORY unsigned char *packed = malloc(size + more);
    ph_state_pack(r.state, packed);
    ph_monitor_pack(r.monitor, packed + size);
    put(&t, packed, size + more);
    const size_t columns = ph_record_columns(record);
    double *values = malloc(columns * sizeof *values);
    for (int64_t i = 0, read = 1, next; i < *rows; i++) {
        tk_ok(ph_record_read(record, i, 1, values, &read, &next, tk_err));
        ck_assert_int_eq(read, 1);
        put(&t, values, columns * sizeof *values);
    }
    free(values);
    for (int64_t i = 0; i < (*rows + 4) / 5; i++) {
        ph_recorded_event e;
        tk_ok(ph_record_event(record, i, &e, tk_err));
        put(&t, &e.step, sizeof e.step);
        put(&t, e.values, e.n * sizeof *e.values);
    }
    return t;
}

static tale whole;

static bool is_there(const char *path)
{
    struct stat s;
    return !stat(path, &s);
}

/* Is it the archive that existed before? */
static bool is_old(const char *path)
{
    TK_MAKE(ph_record, record, ph_record_open(path, &record, tk_err));
    const char *name = ph_record_meta(record, "name");
    const bool old = name && !strcmp(name, "old");
    ck_assert(old || (name && !strcmp(name, "new")));
    return old;
}

/* What was reported as safe is there, and a run that resumes from it reaches the same end. */
static void check_and_finish(const char *path, story s, bool over_old)
{
    const bool there = is_there(path), old = there && is_old(path);
    int64_t rows = -1;
    if (over_old)
        ck_assert(there);
    if (there && !old) {
        free(contents(path, &rows).bytes);
        ck_assert_msg(rows == s.safe || rows == s.tried, "%lld rows; safe were %lld, tried %lld",
                      (long long)rows, (long long)s.safe, (long long)s.tried);
    } else {
        ck_assert_msg(s.safe < 0, "it has gone; safe were %lld rows", (long long)s.safe);
    }
    story more = {rows, rows, 0};
    while (session(&more, path))
        ;
    ck_assert_int_eq(more.failures, 0);
    const tale t = contents(path, &rows);
    ck_assert_int_eq(rows, ROWS);
    ck_assert_uint_eq(t.n, whole.n);
    ck_assert(!memcmp(t.bytes, whole.bytes, t.n));
    free(t.bytes);
}

/* ---- Places ---------------------------------------------------------------------------------------- */

static char cut_folder[200], target[300], cut_target[300];

static void clear(const char *folder)
{
    static const char *const names[] = {"r",      "r-wal",  "r-shm",         "r-journal",
                                        "r.lock", "r.part", "r.part-journal"};
    char path[300];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
}

/* An archive of another run, which was ended, or killed. */
static void put_old(bool killed)
{
    io_run r = {0};
    ph_archive *archive = NULL;
    const ph_account account = {0};
    io_begin(&r, "double-spherical-pendulum", "variational", NULL, 0);
    const ph_archive_plan plan = {.name = "old", .integrator = r.integrator, .steps = 1};
    const pid_t child = killed ? fork() : 0;
    if (!child) {
        tk_ok(ph_archive_create(target, &plan, r.state, NULL, 1e9, &archive, NULL));
        add_row(&r, archive);
        tk_ok(ph_archive_commit(archive, r.state, NULL, &account, NULL));
        if (killed)
            _exit(0);
        tk_ok(ph_archive_close(archive, &(ph_ending){.status = PH_OK}, NULL));
    } else {
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        ck_assert(io_there("r.lock"));
#ifdef __linux__
        ck_assert(io_there("r-wal") != networked);
#else
        ck_assert(io_there("r-wal"));
#endif
    }
    io_end(&r);
    disk_forget();
}

static void open_places(void)
{
    int64_t rows;
    io_make_folder();
    tk_make_folder(cut_folder, sizeof cut_folder, (size_t)1 << 30);
    snprintf(target, sizeof target, "%s", io_path("r"));
    snprintf(cut_target, sizeof cut_target, "%s/r", cut_folder);
    disk_attach();
    const story s = tell(target);
    ck_assert(!s.failures && s.safe == ROWS);
    whole = contents(target, &rows);
    clear(io_folder());
    disk_forget();
}

static void close_places(void)
{
    disk_detach();
    free(whole.bytes);
    clear(io_folder());
    clear(cut_folder);
    rmdir(cut_folder);
    io_remove_folder();
}

/* ---- Failures -------------------------------------------------------------------------------------- */

/* Every operation in turn fails: alone or with all later ones, because the disk is full or for another
 * reason; states whole or in pieces. */
TEST_EACH(operations_that_fail, 16)
{
    networked = _i & 8;
    const bool forever = _i & 1, full = _i & 2, over_old = _i & 4;
    long n = 1, met = 0, all = 0;
    piece = _i & 2 ? 72 : 0;
    for (;; n += tk_long() ? 1 : 31) {
        clear(io_folder());
        disk_forget();
        if (over_old)
            put_old(false);
        disk_fail(n, forever, full);
        const story s = tell(target);
        all = disk_operations();
        disk_fail(0, false, false);
        if (all < n)
            break;
        met += s.failures > 0;
        ck_assert_msg(!forever || s.failures || s.safe == ROWS, "operation %ld: nobody noticed", n);
        check_and_finish(target, s, over_old);
    }
    printf("    %ld operations, %ld attempts of which were made to fail%s\n", all, met,
           forever ? " for good" : "");
    ck_assert_int_ge(met, 5);
}

/* ---- The power is cut ------------------------------------------------------------------------------ */

enum { MOST = 20000 };
static tk_random seed;
static story current; /* the state of the story so far */
static struct {
    disk_image *image;
    story s;
} images[MOST];
static int n_images;

static void cut_here(void)
{
    static int operations;
    const int often = tk_long() ? 8 : operations++ % 5 == 0;
    for (int i = 0; i < often && n_images < MOST; i++) {
        images[n_images].s = current;
        images[n_images++].image = disk_cut(io_folder(), &seed);
    }
}

/* Before an operation that changes something. */
TEST_EACH(power_cuts, 8)
{
    networked = _i & 4;
    piece = _i & 1 ? 72 : 0;
    seed.s = 314159 + (uint64_t)_i;
    current = (story){-1, -1, 0};
    n_images = 0;
    if (_i & 2)
        put_old(true);
    disk_watch(cut_here);
    while (session(&current, target))
        ;
    cut_here();
    disk_watch(NULL);
    ck_assert_int_eq(current.safe, ROWS);
    int went_back = 0, went_on = 0;
    for (int i = 0; i < n_images; i++) {
        clear(cut_folder);
        disk_put(images[i].image, cut_folder);
        disk_free(images[i].image);
        int64_t rows = -1;
        if (is_there(cut_target) && !is_old(cut_target)) {
            free(contents(cut_target, &rows).bytes);
            went_back += rows == images[i].s.safe && rows != images[i].s.tried;
            went_on += rows == images[i].s.tried && rows != images[i].s.safe;
        }
        check_and_finish(cut_target, images[i].s, _i & 2);
    }
    printf("    the power was cut %d times; in a commit, it was lost %d times and kept %d times\n", n_images,
           went_back, went_on);
    ck_assert_int_gt(n_images, 50);
    ck_assert_int_gt(went_back, 5);
}

int main(void)
{
    return tk_run_in("faults", open_places, close_places);
}
