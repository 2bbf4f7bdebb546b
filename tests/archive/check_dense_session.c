/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions with rows between steps: however one ends at any step (closed, killed, stopped, by an observer that fails inside
 * a step), the one that resumes it makes the rows, tables and sums of the run in one piece. What the archive says of the
 * errors is that of steps. Plans with outputs that cannot be. */
#include "tests/kit/iokit.h"

#include <polhode/session.h>

#include <unistd.h>

enum { STEPS = 40, MOST = 400 };
static const double h = 0.01;

static const char *const outputs[] = {"at: [0.0033, 0.01, 0.0123, 0.0177, 0.123456, 0.2, 0.35, 0.3999]",
                                      "interval: 0.0137", "interval: 0.0037", "at: [0.15, 0.4]"};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };

static const char names[] =
    "s.polhode s.polhode-wal s.polhode-shm s.polhode.lock trajectory.csv summary.json";

static void tear_down(void)
{
    io_clear("a", names);
    io_clear("b", names);
    io_remove_folder();
}

static ph_session *open_one(const char *output, const char *folder, const ph_session_options *options)
{
    char text[1000];
    ph_session *s = NULL;
    snprintf(text, sizeof text,
             "polhode: 1\nmodel: planar-chain\nparameters: {masses: [1, 1], lengths: 1}\n"
             "initial: {q: [[0.8, 0.6], [0.6, 0.8]], omega: [[0.5], [-1]]}\nmethod: variational\nstep: 0.01\n"
             "steps: %d\noutput: {%s, csv: true, snapshot: 0}\n",
             STEPS, output);
    tk_ok(ph_session_open_text(text, strlen(text), "s.yaml", io_path(folder), options, &s, tk_err));
    return s;
}

static ph_session *resume_one(const char *archive)
{
    ph_session *s = NULL;
    tk_ok(ph_session_resume(io_path(archive), NULL, &s, tk_err));
    return s;
}

/* The rows, and how many there are; a summary without times. */
typedef struct results {
    int64_t rows, read;
    size_t columns;
    double values[MOST * 40];
    ph_summary summary;
    char *table;
} results;

static void collect(ph_session *s, const char *folder, results *r)
{
    char name[100];
    ph_record *record = NULL;
    int64_t next;
    ph_result result;
    if (!ph_session_has_ended(s))
        tk_ok(ph_session_run(s, tk_err));
    ck_assert_int_eq(ph_session_state(s)->k, STEPS);
    ph_session_result(s, &result);
    r->summary = *result.summary;
    const int64_t rows = ph_session_rows(s);
    tk_ok(ph_session_close(s, tk_err));
    snprintf(name, sizeof name, "%s/s.polhode", folder);
    tk_ok(ph_record_open(io_path(name), &record, tk_err));
    r->rows = ph_record_rows(record);
    r->columns = ph_record_columns(record);
    ck_assert_int_eq(r->rows, rows);
    ck_assert((size_t)r->rows * r->columns <= sizeof r->values / sizeof *r->values);
    tk_ok(ph_record_read(record, 0, r->rows, r->values, &r->read, &next, tk_err));
    ph_record_close(record);
    snprintf(name, sizeof name, "%s/trajectory.csv", folder);
    r->table = io_get(name);
    ck_assert_ptr_nonnull(r->table);
}

static void are_same(const char *how, int64_t at, const results *a, results *b)
{
    ck_assert_msg(a->rows == b->rows && a->columns == b->columns, "%s at %lld: %lld rows, not %lld", how,
                  (long long)at, (long long)b->rows, (long long)a->rows);
    for (size_t i = 0; i < (size_t)a->rows * a->columns; i++)
        ck_assert_msg(!memcmp(&a->values[i], &b->values[i], sizeof a->values[i]),
                      "%s at %lld: row %zu, column %zu: %.17g, not %.17g", how, (long long)at, i / a->columns,
                      i % a->columns, b->values[i], a->values[i]);
    ck_assert_msg(!strcmp(a->table, b->table), "%s at %lld: another trajectory.csv", how, (long long)at);
    ck_assert_msg(a->summary.outputs == b->summary.outputs, "%s at %lld: %lld outputs, not %lld", how,
                  (long long)at, (long long)b->summary.outputs, (long long)a->summary.outputs);
    ck_assert(a->summary.energy_error_max == b->summary.energy_error_max &&
              a->summary.energy_error_final == b->summary.energy_error_final &&
              a->summary.constraint_error_max == b->summary.constraint_error_max);
    for (int i = 0; i < 10; i++)
        ck_assert(
            !memcmp(&a->summary.energy_error_tenths[i], &b->summary.energy_error_tenths[i], sizeof(double)));
    free(b->table);
}

/* ---- In parts ------------------------------------------------------------------------------------ */

static bool stop(void *self, const char **reason, const char **by)
{
    int64_t *left = self;
    (void)by;
    *reason = "enough";
    return (*left)-- == 0;
}

static ph_status fail_at(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    int64_t *left = self;
    (void)state, (void)done, (void)total;
    return (*left)-- == 0 ? ph_fail(err, PH_E_INVALID, "seen enough") : PH_OK;
}

static results whole, parts;

typedef enum end { CLOSED, KILLED, STOPPED, FAILED, ENDS } end;
enum { PARTS = OUTPUTS * ENDS };
static const char *const ends[ENDS] = {"closed", "killed", "stopped", "failed"};

/* The first part, until about step k or output k. */
static void begin(end how, int64_t k, const char *output)
{
    int64_t left = k;
    const ph_observer failing = {fail_at, &left};
    ph_session_options options = {.force = true};
    if (how == STOPPED) {
        options.stop = stop;
        options.self = &left;
    } else if (how == FAILED) {
        options.observers = &failing;
        options.n_observers = 1;
    }
    ph_session *s = open_one(output, "b", &options);
    if (how == STOPPED || how == FAILED) {
        const ph_status status = ph_session_run(s, tk_err);
        ck_assert(status == PH_OK || status == (how == STOPPED ? PH_E_INTERRUPTED : PH_E_INVALID));
    } else if (k > 0 && k < STEPS) {
        tk_ok(ph_session_run_until(s, (double)k * h, tk_err));
        ck_assert_int_eq(ph_session_state(s)->k, k);
    } else if (k == STEPS) {
        tk_ok(ph_session_run(s, tk_err));
    }
    if (how == KILLED)
        ph_session_abandon(s);
    else
        tk_ok(ph_session_close(s, tk_err));
}

TEST_EACH(in_parts, PARTS)
{
    const char *output = outputs[_i / ENDS];
    const end how = (end)(_i % ENDS);
    collect(open_one(output, "a", NULL), "a", &whole);
    const int64_t stride = tk_thorough() ? 1 : 5;
    for (int64_t k = 0; k <= STEPS; k += k < 5 ? 1 : stride) {
        begin(how, k, output);
        ph_session *s = resume_one("b/s.polhode");
        const ph_state *state =
            ph_session_state(s); /* of 0.35 s, say, which 35 steps of 0.01 s miss by rounding */
        ck_assert(state->t == (double)state->k * h);
        ck_assert(how != CLOSED || state->k == k);
        collect(s, "b", &parts);
        are_same(ends[how], k, &whole, &parts);
    }
    free(whole.table);
}

/* ---- What they are ------------------------------------------------------------------------------- */

/* Rows at steps, by counting: of a list, and each fourth of a step of 0.01 s. */
TEST_EACH(rows_between_steps, 2)
{
    collect(open_one(_i ? "interval: 0.0025" : outputs[0], "a", NULL), "a", &whole);
    TK_MAKE(ph_record, record, ph_record_open(io_path("a/s.polhode"), &record, tk_err));
    for (int64_t row = 0; row < whole.rows; row++) {
        const double t = whole.values[(size_t)row * whole.columns];
        const bool expected = _i ? row % 4 != 0 : !(t == 0 || t == 0.01 || t == 0.2 || t == 0.35 || t == 0.4);
        ck_assert_msg(ph_record_is_between(record, t) == expected, "row %lld at %.17g s", (long long)row, t);
    }
    ck_assert_int_eq(whole.rows, _i ? 161 : 10);
}

/* The errors of a summary are those of steps: the same as in a run with a row for each of these. */
TEST(errors_are_of_steps)
{
    /* a row inside each step */
    collect(open_one("interval: 0.0037", "a", NULL), "a", &whole);
    collect(open_one("every: 1", "b", NULL), "b", &parts);
    ck_assert(whole.summary.energy_error_max > 0 &&
              whole.summary.energy_error_max == parts.summary.energy_error_max);
    ck_assert(whole.summary.energy_error_final == parts.summary.energy_error_final);
    ck_assert(whole.summary.constraint_error_max == parts.summary.constraint_error_max);
    ck_assert_int_eq(whole.rows, 1 + 108 + 1); /* 0.4 s are 108 intervals and a part */
    for (int64_t i = 1; i <= 108; i++)
        ck_assert(whole.values[(size_t)i * whole.columns] == (double)i * 0.0037);
    free(whole.table);
    free(parts.table);
}

/* An energy error beyond the bound ends a run whose rows all lie between steps. */
TEST(bound_between_rows)
{
    ph_session *s = open_one("interval: 0.0137, columns: [q1, energy_error]", "a", NULL);
    tk_returns(ph_session_run(s, tk_err), PH_OK);
    ph_result result;
    ph_session_result(s, &result);
    const double most = result.summary->energy_error_max;
    tk_ok(ph_session_close(s, tk_err));
    ck_assert(most > 0);
    char bound[200];
    snprintf(bound, sizeof bound, "interval: 0.0137}\nstop: {energy-error: %.17g}\n#", 0.5 * most);
    s = open_one(bound, "b", NULL);
    tk_refused(ph_session_run(s, tk_err), PH_E_INTERRUPTED, "beyond the bound");
    ck_assert(ph_session_state(s)->k > 0 && ph_session_state(s)->k < STEPS);
    tk_ok(ph_session_close(s, tk_err));
}

static void count_warnings(void *self, const char *text)
{
    ck_assert_msg(strstr(text, "by interpolation") && strstr(text, "than the accuracy"), "%s", text);
    ++*(int *)self;
}

/* Interpolation that is worse than the accuracy of the scenario is worth one warning; here it is good to some
 * 1e-9, the local error of the method. */
TEST(less_than_the_accuracy)
{
    static const char *const accuracies[] = {"interval: 0.0037}\naccuracy: 1e-14\n#",
                                             "interval: 0.0037}\naccuracy: 1e-7\n#",
                                             "interval: 0.01}\naccuracy: 1e-14\n#"};
    for (int i = 0; i < 3; i++) {
        int warnings = 0;
        const ph_session_options options = {.force = true, .message = count_warnings, .self = &warnings};
        ph_session *s = open_one(accuracies[i], "a", &options);
        tk_ok(ph_session_run(s, tk_err));
        tk_ok(ph_session_close(s, tk_err));
        ck_assert_int_eq(warnings, i ? 0 : 1);
    }
}

/* A plan of a system: its times are copied, and what cannot be is refused before a file is made. */
TEST(plans)
{
    double times[] = {0.004, 0.25};
    const double falling[] = {0.25, 0.004}, z[3] = {1, 0, 0}, v[3] = {0, 1, 0.5};
    TK_OWN(ph_system) *system = tk_model("spherical-pendulum");
    ph_session *s = NULL;
    TK_START(it, state, system, "variational", NULL, h, z, v);
    ph_session_plan plan = {.name = "s", .integrator = it, .state = state, .steps = STEPS};
    const struct {
        ph_schedule output;
        ph_status status;
        const char *words;
    } bad[] = {{{.interval = 0.1}, PH_E_INVALID, "set output.kind to PH_EVERY_INTERVAL"},
               {{.steps = 3, .interval = 0.1}, PH_E_INVALID, "counts steps"},
               {{.times = times, .n_times = 2}, PH_E_INVALID, "set output.kind to PH_AT_TIMES"},
               {{.kind = PH_AT_TIMES}, PH_E_INVALID, "list of times is missing"},
               {{.kind = PH_AT_TIMES, .times = falling, .n_times = 2}, PH_E_RANGE, "output: time 2 is 0.004"},
               {{.kind = PH_EVERY_INTERVAL, .interval = 1e-12}, PH_E_RANGE, "output: each 1e-12 s"},
               {{.kind = (ph_schedule_kind)4, .steps = 1}, PH_E_RANGE, "schedule"}};
    char directory[400];
    snprintf(directory, sizeof directory, "%s", io_path("a"));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        plan.output = bad[i].output;
        const ph_status status = ph_session_open_system(&plan, directory, NULL, &s, tk_err);
        ck_assert_msg(status == bad[i].status && strstr(tk_err->message, bad[i].words), "%zu: %s: %s", i,
                      ph_status_name(status), tk_err->message);
        ck_assert_msg(access(directory, F_OK), "%zu has made a folder", i);
    }
    plan.output = (ph_schedule){.kind = PH_AT_TIMES, .times = times, .n_times = 2};
    tk_ok(ph_session_open_system(&plan, directory, NULL, &s, tk_err));
    times[0] = times[1] = NAN;
    tk_ok(ph_session_run(s, tk_err));
    ck_assert_int_eq(ph_session_rows(s), 4);
    tk_ok(ph_session_close(s, tk_err));
}

int main(void)
{
    return tk_run_in("sessions with rows between steps", io_make_folder, tear_down);
}
