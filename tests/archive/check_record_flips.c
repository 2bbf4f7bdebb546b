/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives with one bit changed anywhere, or one value of one table: whatever was changed, it is reported, or what is read is what was
 * written. Nothing crashes, and nothing takes long. Twice of each: as `polhode export` and `plot` read, which verify and take the rows, and
 * as `info --check` reads, which takes all. In the everyday form some thousands; in the long form 100 000 bits and 1 000 000 values. */
#include "lib/archive/record.h"
#include "lib/archive/swept.h"
#include "tests/kit/recording.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

enum { KINDS = 3 }; /* archives: of a run, of one whose state is in pieces, of a rank of a sweep */
static const double most = 5.0; /* [s] that reading may take */

/* ---- What is read ----------------------------------------------------------------------------------------- */

/* A sum of all that is read; damage: of what was the failure, NULL where there was none. */
typedef struct seen {
    uint32_t sum;
    const char *damage;
} seen;

static void add(seen *s, const void *bytes, size_t n)
{
    s->sum = ph_checksum(s->sum, bytes, n);
}

static void add_text(seen *s, const char *text)
{
    add(s, text ? text : "-", text ? strlen(text) + 1 : 1);
}

static void judge(seen *s, ph_status status, const ph_error *err, const char *what)
{
    ck_assert(status == PH_OK || err->message[0]);
    if (status && !s->damage)
        s->damage = what;
}

/* The texts that are not checksums, which nobody reads. */
static void see_texts(seen *s, const ph_record *r)
{
    for (size_t i = 0; i < r->meta.n; i += 2)
        if (!strstr(ph_texts_at(&r->meta, i), "crc32")) {
            add_text(s, ph_texts_at(&r->meta, i));
            add_text(s, ph_texts_at(&r->meta, i + 1));
        }
    for (size_t i = 0; i < r->columns.n; i++)
        add_text(s, ph_texts_at(&r->columns, i));
    for (size_t i = 0; i < r->choice.n; i++)
        add_text(s, r->choice.words[i]);
}

static void see_rows(seen *s, ph_record *r)
{
    enum { AT_ONCE = 50 };
    const size_t columns = ph_record_columns(r);
    TK_MEMORY double *values = malloc(AT_ONCE * columns * sizeof *values);
    ph_error err = {PH_OK, ""};
    int64_t read = 1, next = 0;
    for (int64_t first = 0, places = 0; read || next > first; places++) {
        first = next;
        judge(s, ph_record_read(r, first, AT_ONCE, values, &read, &next, &err), &err, "rows");
        add(s, values, (size_t)read * columns * sizeof *values);
        ck_assert_int_le(places, 10000); /* damage does not make it long */
    }
}

static void see_events(seen *s, ph_record *r)
{
    ph_recorded_event e;
    ph_error err = {PH_OK, ""};
    int64_t due = 0;
    for (int64_t k = INT64_MIN; ph_record_next_event(r, k, &k); due++) {
        if (k != due && !s->damage)
            s->damage = "numbers of events";
        const ph_status status = ph_record_event(r, k, &e, &err);
        judge(s, status, &err, "events");
        if (status)
            continue;
        add_text(s, e.name);
        add(s, &e.t, sizeof e.t);
        add(s, &e.step, sizeof e.step);
        add(s, e.values, e.n * sizeof *e.values);
    }
}

static void see_failures(seen *s, ph_record *r)
{
    ph_member_failure f = {.member = -1};
    ph_dealt *dealt = NULL;
    ph_error err = {PH_OK, ""};
    size_t n = 0;
    while (ph_record_next_failure(r, f.member, &f)) {
        add(s, &f.member, sizeof f.member);
        add(s, &f.t, sizeof f.t);
        add(s, &f.status, sizeof f.status);
        add_text(s, f.message);
    }
    if (!ph_record_swept(r, NULL))
        return;
    for (int64_t member = 0; member < 9; member++) {
        char *settings = NULL;
        judge(s, ph_record_member_settings(r, member, &settings, &err), &err, "settings");
        add_text(s, settings);
        free(settings);
    }
    judge(s, ph_record_dealt(r, &dealt, &n, &err), &err, "dealt");
    if (!s->damage)
        add(s, dealt, n * sizeof *dealt);
    free(dealt);
}

static void see_state(seen *s, ph_record *r, const recording *t)
{
    ph_commit commit = {.steps = 0};
    ph_summary summary;
    ph_account account;
    ph_error err = {PH_OK, ""};
    size_t maps;
    judge(s, ph_record_commit(r, &commit, &err), &err, "commit");
    add(s, &commit.steps, sizeof commit.steps);
    add(s, &commit.t, sizeof commit.t);
    add(s, &commit.account.rows, sizeof commit.account.rows);
    judge(s, ph_record_check_state(r, &err), &err, "state");
    if (ph_record_swept(r, NULL))
        return;
    judge(s, ph_record_errors(r, &summary, &maps, &err), &err, "monitor");
    const ph_status status = ph_record_state(r, t->r.state, t->r.monitor, &account, &err);
    judge(s, status, &err, "state");
    if (status)
        return;
    add(s, t->r.state->z, t->r.state->nz * sizeof(double));
    add(s, t->r.state->p, t->r.state->np * sizeof(double));
    add(s, t->r.state->carry, t->r.state->ncarry * sizeof(double));
    add(s, &account.cpu_seconds, sizeof account.cpu_seconds);
}

/* some <- as those see it who take the rows, all <- as a check does. */
static void see_archive(const recording *t, seen *some, seen *all)
{
    ph_record *r = NULL;
    ph_error err = {PH_OK, ""};
    *some = (seen){.damage = NULL};
    judge(some, ph_record_open(io_path("r"), &r, &err), &err, "opening");
    if (!r) {
        *all = *some;
        return;
    }
    judge(some, ph_record_verify(r, &err), &err, "verifying");
    see_texts(some, r);
    see_rows(some, r);
    *all = *some;
    see_events(all, r);
    see_failures(all, r);
    see_state(all, r, t);
    ph_record_close(r);
}

/* ---- Archives ---------------------------------------------------------------------------------------------- */

static void record_run(recording *t, size_t piece)
{
    rec_create_in_pieces(t, 1e9, piece);
    for (int i = 0; i < 3; i++) {
        rec_add_rows(t, 150);
        rec_add_event(t, "up", 450 * i + 3);
        rec_add_event(t, "down", 450 * i + 40);
        rec_commit(t);
    }
    rec_close(t);
}

/* Three members of three rows, one of which failed; not in their order. */
static void record_sweep(recording *t)
{
    static const ph_column columns[] = {{.name = "t", .unit = "s"}, {.name = "step"},
                                        {.name = "member"},         {.name = "status"},
                                        {.name = "parameters.l1"},  {.name = "q1x"}};
    enum { WIDTH = 6, ROWS = 3 };
    const ph_archive_sweep what = {
        .all = {.members = 9, .first = 2, .end = 8, .shard = 1, .shards = 1, .rows = ROWS, .rank = 1},
        .columns = columns,
        .n = WIDTH,
        .varied = 1};
    static const int64_t order[] = {5, 2, 3};
    io_begin(&t->r, "double-spherical-pendulum", "variational", NULL, 0);
    const ph_archive_plan plan = {
        .scenario = rec_text, .length = strlen(rec_text), .name = "s.yaml", .integrator = t->r.integrator};
    const ph_ending ending = {.reason = "duration"};
    tk_ok(ph_archive_create_sweep(io_path("r"), &plan, &what, 0, 1e9, &t->archive, NULL));
    for (int64_t k = 0; k < 3; k++) {
        double rows[ROWS * WIDTH];
        for (int i = 0; i < ROWS * WIDTH; i++)
            rows[i] = (double)order[k] + 0.1 * i;
        const ph_recorded_event e = {
            .name = "up", .t = 0.1, .step = order[k], .direction = 1, .values = rows, .n = 7};
        const ph_member_failure f = {order[k], PH_E_NO_CONVERGENCE, 0.3, "it did not converge"};
        const ph_state state = ph_swept_state(2 + k + 1);
        tk_ok(ph_archive_add_rows(t->archive, rows, ROWS, NULL));
        tk_ok(ph_archive_add_event(t->archive, &e, NULL));
        if (k)
            tk_ok(ph_archive_add_failure(t->archive, &f, NULL));
        tk_ok(ph_archive_add_dealt(t->archive, order[k], 1, NULL));
        tk_ok(ph_archive_commit(t->archive, &state, NULL, &(ph_account){.cpu_seconds = 1}, NULL));
    }
    tk_ok(ph_archive_close(t->archive, &ending, NULL));
    t->archive = NULL;
}

static void record(recording *t, int kind)
{
    *t = (recording){0};
    if (kind == 2)
        record_sweep(t);
    else
        record_run(t, kind ? 128 : 0);
}

/* ---- Judging ----------------------------------------------------------------------------------------------- */

typedef struct counts {
    long reported, harmless, silent;
    double slowest;
} counts;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads the archive and compares; every 16th is also opened to be continued, which may be refused. */
static void try_archive(const recording *t, const seen whole[2], counts *c, long i, const char *words)
{
    seen got[2];
    const double began = now();
    see_archive(t, &got[0], &got[1]);
    if (i % 16 == 0) {
        ph_archive *archive = NULL;
        ph_error err = {PH_OK, ""};
        if (!ph_archive_reopen(io_path("r"), t->r.system, 1e9, &archive, &err))
            ph_archive_abandon(archive);
    }
    const double took = now() - began;
    c->slowest = took > c->slowest ? took : c->slowest;
    for (int k = 0; k < 2; k++)
        if (!got[k].damage && got[k].sum != whole[k].sum) {
            c->silent++;
            printf("silent, %s: %s\n", k ? "checked" : "exported", words);
            return;
        }
    if (got[1].damage)
        c->reported++;
    else
        c->harmless++;
}

static void finish(const counts *c, const char *what, int kind)
{
    printf("archive %d, %s: %ld reported, %ld harmless, %ld silent; slowest %.3f s\n", kind, what,
           c->reported, c->harmless, c->silent, c->slowest);
    ck_assert_int_eq(c->silent, 0);
    ck_assert(c->slowest < most);
}

static long trials(long everyday, long thorough, long all)
{
    return (tk_long() ? all : tk_thorough() ? thorough : everyday) / KINDS;
}

/* As it was, whatever was left next to it. */
static void restore(const unsigned char *bytes, size_t size)
{
    rec_store("r", bytes, size);
    unlink(io_path("r-journal"));
    unlink(io_path("r-wal"));
}

/* An archive of that kind, what is seen of it, and its bytes. */
static unsigned char *begin(recording *t, int kind, seen whole[2], size_t *size)
{
    record(t, kind);
    unsigned char *bytes = rec_load("r", size);
    see_archive(t, &whole[0], &whole[1]);
    ck_assert_msg(!whole[1].damage, "%s", whole[1].damage);
    return bytes;
}

TEST_EACH(bits, KINDS)
{
    TK_ENDS(rec_free) recording t;
    size_t size;
    seen whole[2];
    counts c = {0};
    tk_random random = {31 + (uint64_t)_i};
    TK_MEMORY unsigned char *bytes = begin(&t, _i, whole, &size);
    for (long i = 0; i < trials(1500, 20000, 100000); i++) {
        const size_t at = (size_t)tk_uniform(&random, 0, (double)size);
        const int bit = (int)tk_uniform(&random, 0, 8);
        char words[80];
        snprintf(words, sizeof words, "byte %zu, bit %d", at, bit);
        rec_poke("r", at, bytes[at] ^ (unsigned char)(1 << bit));
        try_archive(&t, whole, &c, i, words);
        if (io_there("r-journal") || io_there("r-wal"))
            restore(bytes, size);
        rec_poke("r", at, bytes[at]);
    }
    finish(&c, "bits", _i);
}

/* What a value becomes; %1$s is its column, %2$s its table, %3$s a random number. */
static const char *const values[] = {
    "NULL",
    "0",
    "-1",
    "9223372036854775807",
    "-9223372036854775807 - 1",
    "1e300",
    "-0.5",
    "'nan'",
    "''",
    "x''",
    "'x'",
    "printf('%.*c', 300, 'a')",
    "zeroblob(1)",
    "zeroblob(3000)",
    "%1$s + 1",
    "%1$s - 1",
    "%1$s * 2",
    "%1$s + 4294967296",
    "CAST(%1$s AS BLOB)",
    "CAST(%1$s AS TEXT)",
    "substr(%1$s, 1, length(%1$s) / 2)",
    "substr(%1$s, 1, length(%1$s) - 8)",
    "substr(%1$s, 2)",
    "substr(%1$s, 1, length(%1$s) - 1)",
    "%1$s || 'a'",
    "%1$s || x'00'",
    "zeroblob(length(%1$s))",
    "upper(%1$s)",
    "replace(%1$s, 'e', 'f')",
    "replace(%1$s, '1', '2')",
    "(SELECT %1$s FROM %2$s ORDER BY 1 LIMIT 1)",
    "(SELECT %1$s FROM %2$s ORDER BY 1 DESC LIMIT 1)",
    "(SELECT %1$s FROM %2$s LIMIT 1 OFFSET %3$s %% (SELECT count(*) FROM %2$s))"};

/* The tables and their columns, with the key that tells rows apart. */
static const struct {
    const char *name, *key, *columns[13];
} tables[] = {
    {"meta", "key", {"key", "value"}},
    {"columns", "i", {"i", "name", "unit"}},
    {"blocks", "first", {"first", "n", "t0", "t1", "crc32", "rows"}},
    {"events", "n", {"n", "name", "t", "step", "crc32", "row"}},
    {"state",
     "id",
     {"k", "t", "rows", "energy0", "newton_passes", "row_passes", "cpu_seconds", "written", "crc32",
      "row_crc32", "state", "monitor", "events"}},
    {"state_pieces", "i", {"i", "bytes"}},
    {"failed", "member", {"member", "status", "t", "message"}},
    {"dealt", "place", {"place", "first", "n"}},
};

/* sql <- a change of a random value, or now and then of a whole row. */
static void make_change(tk_random *random, char *sql, size_t size)
{
    char value[400], seed[24];
    const size_t k = (size_t)tk_uniform(random, 0, sizeof tables / sizeof tables[0]);
    size_t n = 0;
    while (n < 13 && tables[k].columns[n])
        n++;
    const char *table = tables[k].name, *key = tables[k].key,
               *column = tables[k].columns[(size_t)tk_uniform(random, 0, (double)n)],
               *form = values[(size_t)tk_uniform(random, 0, sizeof values / sizeof values[0])];
    snprintf(seed, sizeof seed, "%.0f", floor(tk_uniform(random, 0, 1e6)));
    snprintf(value, sizeof value, form, column, table, seed);
    const char *where =
        "WHERE %2$s = (SELECT %2$s FROM %1$s LIMIT 1 OFFSET %3$s %% (SELECT max(1, count(*)) FROM %1$s))";
    char row[300];
    snprintf(row, sizeof row, where, table, key, seed);
    if (tk_uniform(random, 0, 20) < 1)
        snprintf(sql, size, "DELETE FROM %s %s", table, row);
    else
        snprintf(sql, size, "UPDATE OR REPLACE %s SET %s = %s %s", table, column, value, row);
}

/* Is the change made? It may be against what the table takes. */
static bool change(const char *sql)
{
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(io_path("r"), &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", NULL, NULL, NULL);
    const bool is = !sqlite3_exec(db, sql, NULL, NULL, NULL) && sqlite3_changes(db);
    sqlite3_close(db);
    return is;
}

TEST_EACH(values_of_tables, KINDS)
{
    TK_ENDS(rec_free) recording t;
    size_t size;
    seen whole[2];
    counts c = {0};
    tk_random random = {77 + (uint64_t)_i};
    TK_MEMORY unsigned char *bytes = begin(&t, _i, whole, &size);
    for (long i = 0; i < trials(1500, 30000, 1000000);) {
        char sql[1200];
        make_change(&random, sql, sizeof sql);
        if (!change(sql))
            continue;
        try_archive(&t, whole, &c, i++, sql);
        restore(bytes, size);
    }
    finish(&c, "values", _i);
}

int main(void)
{
    return tk_run_in("record: flips", io_make_folder, io_remove_folder);
}
