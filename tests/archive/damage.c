/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives to be damaged: see damage.h. */
#include "damage.h"

#include "lib/archive/record.h"
#include "lib/archive/swept.h"

/* ---- What is read ----------------------------------------------------------------------------------------- */

static void add(damage_seen *s, const void *bytes, size_t n)
{
    s->sum = ph_checksum(s->sum, bytes, n);
}

static void add_text(damage_seen *s, const char *text)
{
    add(s, text ? text : "-", text ? strlen(text) + 1 : 1);
}

static void judge(damage_seen *s, ph_status status, const ph_error *err, const char *what)
{
    ck_assert(status == PH_OK || err->message[0]);
    if (status && !s->damage)
        s->damage = what;
}

/* The texts that are not checksums, which nobody reads. */
static void see_texts(damage_seen *s, const ph_record *r)
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

static void see_rows(damage_seen *s, ph_record *r)
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

static void see_events(damage_seen *s, ph_record *r)
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

static void see_failures(damage_seen *s, ph_record *r)
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

static void see_state(damage_seen *s, ph_record *r, const recording *t)
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

void damage_see(const recording *t, damage_seen *some, damage_seen *all)
{
    ph_record *r = NULL;
    ph_error err = {PH_OK, ""};
    *some = (damage_seen){.damage = NULL};
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

void damage_record(recording *t, int kind)
{
    *t = (recording){0};
    if (kind == 2)
        record_sweep(t);
    else
        record_run(t, kind ? 128 : 0);
}

/* ---- Changes ---------------------------------------------------------------------------------------------- */

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

enum { VALUES = sizeof values / sizeof values[0], COLUMNS = 13 };

/* The tables and their columns, with the key that tells rows apart. */
static const struct {
    const char *name, *key, *columns[COLUMNS];
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

enum { TABLES = sizeof tables / sizeof tables[0] };

void damage_change(const damage_choice *c, char *sql, size_t size)
{
    char value[1000], row[300], number[24];
    const size_t k = c->table % TABLES;
    size_t n = 0;
    while (n < COLUMNS && tables[k].columns[n])
        n++;
    const char *table = tables[k].name, *key = tables[k].key, *column = tables[k].columns[c->column % n];
    snprintf(number, sizeof number, "%u", c->number);
    if (c->literal)
        snprintf(value, sizeof value, "%s", c->literal);
    else
        snprintf(value, sizeof value, values[c->value % VALUES], column, table, number);
    const char *where =
        "WHERE %2$s = (SELECT %2$s FROM %1$s LIMIT 1 OFFSET %3$s %% (SELECT max(1, count(*)) FROM %1$s))";
    snprintf(row, sizeof row, where, table, key, number);
    if (c->remove)
        snprintf(sql, size, "DELETE FROM %s %s", table, row);
    else
        snprintf(sql, size, "UPDATE OR REPLACE %s SET %s = %s %s", table, column, value, row);
}

bool damage_make(const char *sql)
{
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(io_path("r"), &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", NULL, NULL, NULL);
    const bool is = !sqlite3_exec(db, sql, NULL, NULL, NULL) && sqlite3_changes(db);
    sqlite3_close(db);
    return is;
}
