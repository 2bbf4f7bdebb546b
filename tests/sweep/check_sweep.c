/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps: the rows of a member are those of a run of it alone, to the last bit, whatever the number of threads and shards, with
 * and without lanes, and wherever the sweep was interrupted; so are its events, and what a member that fails leaves. */
#include "tests/kit/iokit.h"

#include <polhode/members.h>
#include <polhode/record.h>
#include <polhode/session.h>
#include <polhode/sweep.h>

#include <unistd.h>

TK_DROP(ph_members, ph_members_free)
TK_DROP(ph_sweep, ph_sweep_abandon)

/* ---- What is swept ------------------------------------------------------------------------------------- */

#define PENDULUM                                                                                             \
    "polhode: 1\nmodel: double-spherical-pendulum\nparameters: {masses: [1, 1], lengths: [9.81, 9.81]}\n"    \
    "initial: {q: [[0.6, 0, 0.8], [0, 0, 1]], omega: [[0, 0.3, 0], [0, 1, 0]]}\nmethod: variational\n"       \
    "step: 0.01\n"
#define STEPS "duration: 0.5\n"
#define BY_START(count)                                                                                      \
    "ensemble: {product: {\"initial.omega[1][1]\": {from: 0.1, to: 2, count: " count "}}}\n"
#define PLANAR                                                                                               \
    "polhode: 1\nmodel: planar-chain\nparameters: {masses: [1, 1], lengths: 1}\n"                            \
    "initial: {q: [[0.8, 0.6], [0.6, 0.8]], omega: [[0], [0]]}\nmethod: variational\nstep: 0.01\nduration: 2\n"

static const struct {
    const char *name, *text;
    int failed, stopped; /* -1: not known */
} of[] = {
    {"the last state", PENDULUM STEPS BY_START("45"), 0, 0},
    {"rows at steps", PENDULUM STEPS "output: {every: 7}\n" BY_START("21"), 0, 0},
    {"chosen columns",
     PENDULUM STEPS "output: {interval: 0.1, columns: [q1, energy_error, positions]}\n" BY_START("19"), 0, 0},
    {"decades", PENDULUM STEPS "output: {per-decade: 3}\n" BY_START("9"), 0, 0},
    {"between steps", PENDULUM STEPS "output: {interval: 0.0123}\n" BY_START("5"), 0, 0},
    {"at times", PENDULUM STEPS "output: {at: [0.1, 0.123, 0.5]}\n" BY_START("5"), 0, 0},
    {"Newton iterations", PENDULUM STEPS "output: {every: 10, columns: [q2z, newton_passes]}\n" BY_START("9"),
     0, 0},
    {"some fail",
     PENDULUM STEPS
     "output: {every: 10}\n"
     "ensemble: {product: {\"initial.omega[1][1]\": [0.1, 300, 0.2, 1000, 0.3, 0.4, 0.5, 0.6, 0.7, "
     "0.8, 3000, 1]}}\n",
     3, 0},
    {"the last state of some that fail",
     PENDULUM STEPS "ensemble: {product: {\"initial.omega[1][1]\": [0.1, 300, 0.2, 1000, 0.3]}}\n", 2, 0},
    {"the last state of some that fail later",
     PLANAR
     "ensemble: {product: {step: [0.1, 0.01], \"initial.omega[0][0]\": {from: 0, to: 12, count: 9}}}\n",
     -1, 0},
    {"parameters",
     PENDULUM STEPS
     "output: {every: 20}\nensemble: {product: {\"parameters.masses[1]\": {from: 0.1, to: 10, count: "
     "21, scale: log}}}\n",
     0, 0},
    {"impossible states",
     PENDULUM STEPS
     "output: {every: 25}\nensemble: {product: {\"initial.q[0]\": [[0, 0, 0], [0.6, 0, 0.8], [0, 0, 0], "
     "[0, 0, 3], [0, 0, 1], [0, 0, 0]]}}\n",
     4, 0},
    {"impossible parameters",
     PENDULUM STEPS
     "output: {every: 25}\nensemble: {product: {\"parameters.masses[1]\": [1, -1, 2, 3, -5]}}\n",
     2, 0},
    {"methods and steps",
     PENDULUM STEPS
     "output: {interval: 0.1}\n"
     "ensemble: {product: {method: [variational, rk4, {name: variational, order: 4}], step: [0.01, 0.02, "
     "0.005]}}\n",
     0, 0},
    {"lengths",
     PENDULUM "duration: 0.5\noutput: {every: 10}\nensemble: {product: {duration: [0.3, 0.5, 0.42]}}\n", 0,
     0},
    {"events",
     PLANAR "output: {every: 50}\nevents: [{name: section, when: q1x}]\n"
            "ensemble: {product: {\"initial.omega[0][0]\": {from: -3, to: 3, count: 11}}}\n",
     0, 0},
    {"events that stop",
     PLANAR "output: {every: 50}\nevents: [{name: section, when: q1x, action: stop}]\n"
            "ensemble: {product: {\"initial.omega[0][0]\": {from: -3, to: 3, count: 11}}}\n",
     0, -1},
    {"the last state of those that an event stops",
     PLANAR "events: [{name: section, when: q1x, action: stop}]\n"
            "ensemble: {product: {\"initial.omega[0][0]\": {from: -3, to: 3, count: 5}}}\n",
     0, -1},
    {"a bound on the energy error",
     PLANAR "output: {every: 10}\nstop: {energy-error: 1e-4}\n"
            "ensemble: {product: {\"initial.omega[0][0]\": {from: 0, to: 8, count: 9}}}\n",
     -1, 0},
    {"durations and methods, the first of which fail",
     PENDULUM
     "steps: 5\noutput: {every: 1}\n"
     "ensemble: {product: {\"parameters.masses[1]\": [-1, 1], steps: [5, 20, 10], method: [variational, rk4]}}\n",
     6, 0},
    {"one", PENDULUM STEPS "output: {every: 7}\n", 0, 0},
};
enum { CASES = sizeof of / sizeof of[0] };

/* ---- Running and reading ---------------------------------------------------------------------------------- */

static ph_sweep *open_sweep(const char *text, const char *in, const ph_sweep_options *options)
{
    ph_sweep *s = NULL;
    tk_ok(ph_sweep_open_text(text, strlen(text), "s.yaml", io_path(in), options, &s, tk_err));
    return s;
}

static void sweep(const char *text, const char *in, ph_sweep_options options)
{
    TK_OWN(ph_sweep) *s = open_sweep(text, in, &options);
    tk_ok(ph_sweep_run(s, tk_err));
}

static ph_record *open_record(const char *path)
{
    ph_record *record = NULL;
    tk_ok(ph_record_open(path, &record, tk_err));
    return record;
}

static double *rows_of(ph_record *r)
{
    const int64_t n = ph_record_rows(r);
    int64_t read = 0, next;
    double *rows = calloc((size_t)n + 1, ph_record_columns(r) * sizeof *rows);
    for (int64_t row = 0; row < n; row += read) {
        tk_ok(
            ph_record_read(r, row, n - row, rows + (size_t)row * ph_record_columns(r), &read, &next, tk_err));
        ck_assert_int_gt(read, 0);
    }
    return rows;
}

/* Two archives have the same rows, events and failures. */
static void same_archives(const char *one, const char *other)
{
    TK_OWN(ph_record) *a = open_record(one), *b = open_record(other);
    TK_MEMORY double *of_a = rows_of(a), *of_b = rows_of(b);
    ck_assert_int_eq(ph_record_rows(a), ph_record_rows(b));
    ck_assert_uint_eq(ph_record_columns(a), ph_record_columns(b));
    ck_assert_mem_eq(of_a, of_b, (size_t)ph_record_rows(a) * ph_record_columns(a) * sizeof *of_a);
    ck_assert_int_eq(ph_record_events(a), ph_record_events(b));
    for (int64_t i = 0; i < ph_record_events(a); i++) {
        ph_recorded_event x, y;
        tk_ok(ph_record_event(a, i, &x, tk_err));
        tk_ok(ph_record_event(b, i, &y, tk_err));
        ck_assert_str_eq(x.name, y.name);
        ck_assert(x.t == y.t && x.step == y.step && x.theta == y.theta && x.direction == y.direction &&
                  x.n == y.n);
        ck_assert_mem_eq(x.values, y.values, x.n * sizeof *x.values);
    }
    ck_assert_int_eq(ph_record_failures(a), ph_record_failures(b));
    ph_member_failure f = {.member = -1}, g = {.member = -1};
    while (ph_record_next_failure(a, f.member, &f)) {
        ck_assert(ph_record_next_failure(b, g.member, &g));
        ck_assert(f.member == g.member && f.status == g.status);
        ck_assert_str_eq(f.message, g.message);
    }
    tk_ok(ph_record_check_state(a, tk_err));
    tk_ok(ph_record_check_state(b, tk_err));
}

/* ---- Alone ---------------------------------------------------------------------------------------------------- */

/* The rows of the sweep (n) are those of the run, as far as it has some, and NaN behind them. */
static void same_rows(ph_record *sweep, const double *rows, int64_t n, ph_record *run, bool last)
{
    TK_MEMORY double *own = rows_of(run);
    const int64_t m = last ? 1 : ph_record_rows(run), first = last ? ph_record_rows(run) - 1 : 0;
    const size_t columns = ph_record_columns(sweep);
    ck_assert_int_le(m, n);
    for (size_t c = 0; c < columns; c++) {
        const char *name = ph_record_column(sweep, c);
        const size_t at = ph_record_find(run, name);
        if (at == ph_record_columns(run)) /* member, status, what varies */
            continue;
        for (int64_t i = 0; i < n; i++) {
            const double x = rows[(size_t)i * columns + c],
                         y = i < m ? own[(size_t)(first + i) * ph_record_columns(run) + at] : (double)NAN;
            ck_assert_msg(!memcmp(&x, &y, sizeof x) || (isnan(x) && isnan(y)),
                          "row %d of %s: %.17g, alone %.17g", (int)i, name, x, y);
        }
    }
}

/* A message about a key, whose line is another one in the text of the member. */
static const char *without_place(const char *message)
{
    const char *at = strncmp(message, "s.yaml:", 7) ? NULL : strstr(message, ": ");
    return at ? at : message;
}

/* The text of member i; where only its last state is kept, with a row for each step, so that the last of them is that of its last whole
 * step also where it failed. */
static ph_status text_alone(ph_members *members, int64_t i, bool last, char **text, ph_error *err)
{
    char *edited = NULL;
    ph_status status = ph_members_text(members, i, text, err);
    if (status || !last)
        return status;
    status = ph_scenario_edit(*text, strlen(*text), "output.every", "1", &edited, err);
    free(*text);
    *text = edited;
    return status;
}

/* Each member as a run of its own, by its text. */
static void compare_with_runs(const char *text, const char *archive, int *failed, int *stopped,
                              int64_t *steps)
{
    TK_MAKE(ph_members, members, ph_members_open(text, strlen(text), "s.yaml", &members, tk_err));
    TK_OWN(ph_record) *record = open_record(archive);
    TK_MEMORY double *rows = rows_of(record),
                     *values = malloc((ph_members_columns(members) + 1) * sizeof *values);
    ph_swept all;
    int64_t event = 0;
    ph_member_failure failure = {.member = -1};
    const bool last = !strstr(text, "output");
    ck_assert(ph_record_swept(record, &all));
    ck_assert_int_eq(all.members, ph_members_count(members));
    for (int64_t i = 0; i < all.members; i++) {
        const double *own = rows + (size_t)(i * all.rows) * ph_record_columns(record);
        TK_MEMORY char *alone = NULL;
        ph_session *s = NULL;
        ck_assert_double_eq(own[2], (double)i);
        tk_ok(ph_members_values(members, i, values, tk_err));
        ck_assert_mem_eq(values, own + 4, ph_members_columns(members) * sizeof *values);
        const ph_session_options options = {.force = true};
        ph_status status = text_alone(members, i, last, &alone, tk_err);
        if (!status)
            status =
                ph_session_open_text(alone, strlen(alone), "s.yaml", io_path("alone"), &options, &s, tk_err);
        if (!status)
            status = ph_session_run(s, tk_err);
        ck_assert_msg(own[3] == status, "member %d: status %g, alone %d: %s", (int)i, own[3], status,
                      tk_err->message);
        *stopped += status == PH_E_STOPPED;
        *failed += status && status != PH_E_STOPPED;
        if (status && status != PH_E_STOPPED) {
            ck_assert(ph_record_next_failure(record, failure.member, &failure));
            ck_assert_int_eq(failure.member, i);
            ck_assert_int_eq(failure.status, status);
            ck_assert_str_eq(without_place(failure.message), without_place(tk_err->message));
        }
        if (!s) {
            for (int64_t k = 0; k < all.rows; k++)
                ck_assert(isnan(own[(size_t)k * ph_record_columns(record)]));
            continue;
        }
        ph_result result;
        ph_session_result(s, &result);
        if (status && status != PH_E_STOPPED)
            ck_assert(failure.t == result.report->time_at_end);
        *steps += result.report->steps;
        tk_ok(ph_session_close(s, tk_err));
        TK_OWN(ph_record) *run = open_record(io_path("alone/s.polhode"));
        same_rows(record, own, all.rows, run, last);
        for (int64_t k = 0; k < ph_record_events(run); k++, event++) {
            ph_recorded_event x, y;
            tk_ok(ph_record_event(run, k, &x, tk_err));
            tk_ok(ph_record_event(record, event, &y, tk_err));
            ck_assert_str_eq(x.name, y.name);
            ck_assert(x.t == y.t && y.step == i && x.theta == y.theta && x.direction == y.direction);
            ck_assert_uint_eq(x.n + 1, y.n);
            ck_assert_mem_eq(x.values, y.values, x.n * sizeof *x.values);
            ck_assert_double_eq(y.values[x.n], (double)x.step);
        }
    }
    ck_assert_int_eq(event, ph_record_events(record));
    ck_assert(!ph_record_next_failure(record, failure.member, &failure));
}

/* ---- Folders ---------------------------------------------------------------------------------------------------- */

enum { SHARDS = 7 };

static void make_folder(void)
{
    io_make_folder();
}

static void remove_folder(void)
{
    char names[2000] =
        "s.polhode s.polhode-wal s.polhode-shm s.polhode.lock s.polhode.part s.statistics.json summary.json "
        "trajectory.csv events.csv";
    for (int k = 1; k <= SHARDS; k++)
        snprintf(names + strlen(names), sizeof names - strlen(names), " s.shard-%d-of-%d.polhode", k, SHARDS);
    for (const char *const *in = (const char *const[]){"a", "b", "c", "d", "alone", ".", NULL}; *in; in++)
        io_clear(*in, names);
}

/* ---- Tests ---------------------------------------------------------------------------------------------------------- */

TEST_EACH(members_are_runs, CASES)
{
    int failed = 0, stopped = 0;
    int64_t steps = 0;
    ph_sweep_result r;
    TK_OWN(ph_sweep) *s = open_sweep(of[_i].text, "a", &(ph_sweep_options){.threads = 1});
    tk_ok(ph_sweep_run(s, tk_err));
    ph_sweep_get_result(s, &r);
    compare_with_runs(of[_i].text, io_path("a/s.polhode"), &failed, &stopped, &steps);
    ck_assert_int_eq(r.steps, steps);
    printf("%s: %d failed, %d stopped\n", of[_i].name, failed, stopped);
    ck_assert(of[_i].failed < 0 ? failed > 0 : failed == of[_i].failed);
    ck_assert(of[_i].stopped < 0 ? stopped > 0 : stopped == of[_i].stopped);
    ck_assert(io_there("a/s.statistics.json"));
}

/* By two and three threads, with plain kernels, in shards: the same bits; and the same statistics. */
TEST_EACH(bits_do_not_depend_on_how, CASES)
{
    const char *text = of[_i].text;
    char *path = NULL;
    TK_MAKE(ph_members, members, ph_members_open(text, strlen(text), "s.yaml", &members, tk_err));
    const int64_t n = ph_members_count(members);
    const int shards = n < SHARDS ? (int)n : SHARDS;
    sweep(text, "a", (ph_sweep_options){.threads = 1});
    sweep(text, "b", (ph_sweep_options){.threads = 3});
    same_archives(io_path("a/s.polhode"), io_path("b/s.polhode"));
    tk_kernels(!strstr(text, "rk4")); /* whose kernels on chains round otherwise: doc/decisions.md */
    sweep(text, "c", (ph_sweep_options){.threads = 2});
    tk_kernels(false);
    same_archives(io_path("a/s.polhode"), io_path("c/s.polhode"));
    for (int k = shards; k >= 1 && shards == SHARDS; k--)
        sweep(text, "d", (ph_sweep_options){.threads = 1 + k % 2, .shard = k, .shards = SHARDS});
    if (shards < SHARDS)
        return;
    tk_ok(ph_sweep_merge(io_path("d"), false, &path, tk_err));
    ck_assert_str_eq(path, io_path("d/s.polhode"));
    free(path);
    same_archives(io_path("a/s.polhode"), io_path("d/s.polhode"));
    TK_MEMORY char *one = io_get("a/s.statistics.json"), *other = io_get("d/s.statistics.json");
    ck_assert_str_eq(one, other);
}

/* Ends the sweep after so many questions. */
static bool stop_soon(void *self, const char **reason, const char **by)
{
    int *left = self;
    *reason = "test";
    *by = NULL;
    return --*left < 0;
}

/* Stopped again and again, it comes to the same end; its commits are of whole blocks. */
TEST(interrupted_again_and_again)
{
    static const char text[] = PENDULUM STEPS "output: {every: 10}\n" BY_START("400");
    static const double at_once = 0;
    sweep(text, "a", (ph_sweep_options){.threads = 2});
    int times = 0;
    for (ph_status status = PH_E_INTERRUPTED; status; times++) {
        int left = 1 + times % 3;
        const ph_sweep_options options = {
            .threads = 1 + times % 3, .snapshot = &at_once, .stop = stop_soon, .self = &left};
        TK_OWN(ph_sweep) *s = open_sweep(text, "b", &options);
        status = ph_sweep_run(s, tk_err);
        ck_assert_msg(!status || status == PH_E_INTERRUPTED, "%s", tk_err->message);
        ck_assert_int_lt(times, 1000);
    }
    ck_assert_int_gt(times, 2);
    same_archives(io_path("a/s.polhode"), io_path("b/s.polhode"));
    /* and there is nothing left to do */
    TK_OWN(ph_sweep) *s = open_sweep(text, "b", NULL);
    ph_sweep_result r;
    tk_ok(ph_sweep_run(s, tk_err));
    ph_sweep_get_result(s, &r);
    ck_assert(r.run == 0 && r.done == 400 && r.failed == 0);
    tk_refused(ph_sweep_run(s, tk_err), PH_E_INVALID, "this sweep has ended");
}

/* Left without another word, as by a process that was killed, at any moment: what was committed is there. */
TEST(abandoned)
{
    static const char text[] = PENDULUM STEPS BY_START("300");
    static const double at_once = 0;
    int left = 1;
    const ph_sweep_options options = {.threads = 1, .snapshot = &at_once, .stop = stop_soon, .self = &left};
    sweep(text, "a", (ph_sweep_options){.threads = 1});
    TK_OWN(ph_sweep) *s = open_sweep(text, "b", &options);
    tk_returns(ph_sweep_run(s, tk_err), PH_E_INTERRUPTED);
    sweep(text, "b", (ph_sweep_options){.threads = 2});
    same_archives(io_path("a/s.polhode"), io_path("b/s.polhode"));
}

/* Never ends it, though it names what would. */
static bool never_stops(void *self, const char **reason, const char **by)
{
    (void)self;
    *reason = "signal";
    *by = "SIGINT";
    return false;
}

static void ended_with(const char *reason, const char *by)
{
    TK_OWN(ph_record) *r = open_record(io_path("a/s.polhode"));
    const char *word = ph_record_meta(r, "status"), *why = ph_record_meta(r, "reason"),
               *what = ph_record_meta(r, "ended_by");
    ck_assert_str_eq(word, "interrupted");
    ck_assert_str_eq(why, reason);
    ck_assert_str_eq(what ? what : "", by);
}

/* The archive says what ended the sweep, also after members that failed have run again. */
TEST(endings)
{
    static const char text[] = PENDULUM STEPS
        "ensemble: {product: {\"initial.omega[1][1]\": [300, 200], \"initial.omega[0][1]\": {from: 0, to: 1, "
        "count: 200}}}\n";
    static const double no_time = 0, at_once = 0;
    int left = 4;
    {
        TK_OWN(ph_sweep) *s = open_sweep(
            text, "a",
            &(ph_sweep_options){.threads = 1, .snapshot = &at_once, .stop = stop_soon, .self = &left});
        tk_returns(ph_sweep_run(s, tk_err), PH_E_INTERRUPTED);
    }
    ended_with("test", "");
    sweep(text, "a", (ph_sweep_options){.failed = true});
    ended_with("test", "");
    TK_OWN(ph_sweep) *s =
        open_sweep(text, "a", &(ph_sweep_options){.wall_clock = &no_time, .stop = never_stops});
    tk_returns(ph_sweep_run(s, tk_err), PH_E_INTERRUPTED);
    ended_with("wall-clock", "");
}

/* The time of members that take longer than they are tried for, and no longer than that. */
TEST_EACH(time_of_long_members, 2)
{
    static const char text[] =
        PENDULUM "duration: 1e7\nensemble: {product: {\"initial.omega[0][1]\": [0.1, 0.2]}}\n";
    double seconds = 0;
    char *edited = NULL;
    int left = 0;
    tk_ok(ph_scenario_edit(text, strlen(text), "method", _i ? "rk4" : "variational", &edited, tk_err));
    TK_MEMORY char *own = edited;
    {
        TK_OWN(ph_sweep) *s = open_sweep(own, "a", NULL);
        tk_ok(ph_sweep_time(s, 0.05, &seconds, tk_err));
        ck_assert_double_gt(seconds, 10);
        ck_assert_double_lt(seconds, 1e6);
    }
    TK_OWN(ph_sweep) *s = open_sweep(own, "a", &(ph_sweep_options){.stop = stop_soon, .self = &left});
    tk_returns(ph_sweep_time(s, 1e9, &seconds, tk_err), PH_E_INTERRUPTED);
}

/* Members that failed run again with a shorter step: only their rows change. */
TEST_EACH(failed_ones_again, 2)
{
    static const char *const events[] = {"", "events: [{name: section, when: q2x}]\n"};
    char text[1000];
    snprintf(
        text, sizeof text,
        "%s%soutput: {every: 50}\nensemble: {product: {\"initial.omega[1][1]\": [0.1, 300, 0.2, 200, 0.3]}}\n",
        PENDULUM STEPS, events[_i]);
    const char *const settings[] = {"step=0.0001", "output.every=5000"};
    sweep(text, "a", (ph_sweep_options){.threads = 1});
    TK_MEMORY double *before = NULL;
    size_t columns;
    {
        TK_OWN(ph_record) *r = open_record(io_path("a/s.polhode"));
        ck_assert_int_eq(ph_record_failures(r), 2);
        before = rows_of(r);
        columns = ph_record_columns(r);
    }
    sweep(text, "a", (ph_sweep_options){.failed = true}); /* as before: they fail again */
    {
        TK_OWN(ph_record) *r = open_record(io_path("a/s.polhode"));
        TK_MEMORY double *same = rows_of(r);
        ck_assert_int_eq(ph_record_failures(r), 2);
        ck_assert_mem_eq(before, same, (size_t)ph_record_rows(r) * columns * sizeof *same);
        tk_ok(ph_record_check_state(r, tk_err));
    }
    sweep(text, "a", (ph_sweep_options){.failed = true, .settings = settings, .n_settings = 2});
    TK_OWN(ph_record) *r = open_record(io_path("a/s.polhode"));
    TK_MEMORY double *after = rows_of(r);
    ck_assert_int_eq(ph_record_failures(r), 0);
    for (int i = 0; i < 5; i++) {
        const double *now = after + (size_t)(2 * i) * columns, *then = before + (size_t)(2 * i) * columns;
        if (i % 2 == 0)
            ck_assert_mem_eq(now, then, 2 * columns * sizeof *now);
        ck_assert_double_eq(now[3], PH_OK);
        ck_assert_double_eq_tol(now[columns], 0.5, 1e-12);
    }
    tk_ok(ph_record_check_state(r, tk_err));
    int64_t member = -1;
    for (int64_t i = 0; i < ph_record_events(r); i++) { /* still in the order of members */
        ph_recorded_event e;
        tk_ok(ph_record_event(r, i, &e, tk_err));
        ck_assert_int_ge(e.step, member);
        member = e.step;
    }
    ck_assert(_i ? ph_record_events(r) > 10 : ph_record_events(r) == 0);
}

/* What the failed member says; and the others have their rows. */
static void one_fails(const char *text, int64_t member, ph_status status, const char *words)
{
    ph_member_failure f = {.member = -1};
    sweep(text, "a", (ph_sweep_options){.threads = 1, .force = true});
    TK_OWN(ph_record) *r = open_record(io_path("a/s.polhode"));
    TK_MEMORY double *rows = rows_of(r);
    ph_swept all;
    ck_assert(ph_record_swept(r, &all));
    ck_assert_int_eq(ph_record_failures(r), 1);
    ck_assert(ph_record_next_failure(r, -1, &f));
    ck_assert_int_eq(f.member, member);
    ck_assert_int_eq(f.status, status);
    ck_assert_msg(strstr(f.message, words) != NULL, "%s", f.message);
    for (int64_t i = 0; i < all.members * all.rows; i++)
        ck_assert(i / all.rows == member || !isnan(rows[(size_t)i * ph_record_columns(r)]));
}

/* Members whose columns or rows are not those of the archive, with and without lanes. */
TEST(other_shapes)
{
    one_fails(
        "polhode: 1\nmodel: chain-pendulum\ninitial: {preset: curved}\nmethod: variational\nstep: 0.01\n"
        "steps: 5\nensemble: {product: {parameters.links: [2, 5]}}\n",
        1, PH_E_INVALID, "columns where the first member has");
    one_fails("polhode: 1\nmodel: chain-pendulum\nmethod: variational\nstep: 0.01\nsteps: 5\n"
              "ensemble: {product: {model: [chain-pendulum, heavy-top]}}\n",
              1, PH_E_INVALID, "columns where the first member has");
}

/* The number of rows is that of the member with the most, however many there are, and however many vary otherwise. */
TEST(rows_of_many)
{
    ph_sweep_size size;
    TK_OWN(ph_sweep) *last =
        open_sweep(PENDULUM "steps: 10\noutput: {every: 1}\nensemble: {product: {steps: [10, 20], "
                            "\"initial.omega[0][1]\": {from: 0, to: 1, count: 1000000}}}\n",
                   "a", &(ph_sweep_options){.shard = 1, .shards = 2000});
    ph_sweep_estimate(last, &size);
    ck_assert_double_eq(size.rows, 21);
    TK_OWN(ph_sweep) *later =
        open_sweep(PENDULUM "steps: 10\noutput: {every: 1}\nensemble: {product: {"
                            "\"initial.omega[0][1]\": {from: 0, to: 1, count: 3000000}, steps: [10, 20]}}\n",
                   "a", &(ph_sweep_options){.shard = 1, .shards = 2000});
    ph_sweep_estimate(later, &size);
    ck_assert_double_eq(size.rows, 21);
    TK_OWN(ph_sweep) *all = open_sweep(
        PENDULUM
        "duration: 1\nensemble: {product: {step: [0.01, 0.02], \"initial.omega[0][1]\": {from: 0, to: 1, count: 1000000}}}\n",
        "a", NULL);
    ph_sweep_estimate(all, &size);
    ck_assert_double_eq(size.rows, 1);
}

static void refuse(const char *text, const ph_sweep_options *options, ph_status status, const char *words)
{
    ph_sweep *s = NULL;
    tk_refused(ph_sweep_open_text(text, strlen(text), "s.yaml", io_path("a"), options, &s, tk_err), status,
               words);
}

/* Values with which members that failed cannot take the place of their rows. */
TEST(values_refused)
{
    static const char text[] = PENDULUM STEPS
        "output: {every: 50}\nensemble: {product: {step: [0.01, 0.005], \"initial.omega[1][1]\": [0.1, 300]}}\n";
    static const struct {
        const char *set, *words;
    } wrong[] = {{"output.every=1", "has 51 rows"},
                 {"output.columns=[q1]", "has 5 columns where"},
                 {"step=0.0001", "step varies from member to member"},
                 {"ensemble.seed=1", "a key of the ensemble"},
                 {"ensemble={product: {step: [0.001]}}", "a key of the ensemble"},
                 {"initial.omega[1][1]=0", "initial.omega[1][1] varies"}};
    sweep(text, "a", (ph_sweep_options){.threads = 1});
    TK_MEMORY char *before = io_get("a/s.statistics.json");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse(text, &(ph_sweep_options){.failed = true, .settings = &wrong[i].set, .n_settings = 1},
               PH_E_INVALID, wrong[i].words);
    TK_MEMORY char *after = io_get("a/s.statistics.json");
    ck_assert_str_eq(before, after);
}

TEST(refused)
{
    static const char text[] = PENDULUM STEPS BY_START("10"), other[] = PENDULUM STEPS BY_START("11");
    static const double negative = -1, little = 1000;
    char *path = NULL;
    refuse("polhode: 1\nmodel: heavy-top\nfoo: 1\n", NULL, PH_E_UNKNOWN, "foo");
    refuse("polhode: 1\nmodel: heavy-top\nduration: 1\naccuracy: 1e-6\n", NULL, PH_E_UNSUPPORTED,
           "s.yaml:4:11: accuracy: in a sweep");
    refuse(PENDULUM STEPS "ensemble: {product: {output.columns: [[q1], [q1, p1]]}}\n", NULL, PH_E_INVALID,
           "output.columns varies");
    refuse(PENDULUM STEPS "ensemble: {product: {\"initial.omega[1][1]\": {from: 0, to: 1, count: 1000000}, "
                          "output: [{every: 5, columns: [q1]}, {every: 5, columns: [q1, energy]}]}}\n",
           NULL, PH_E_INVALID, "output varies, and with it the columns");
    refuse(PENDULUM STEPS "ensemble: {list: [{output: {every: 5}}, {output: {columns: [q1]}}]}\n", NULL,
           PH_E_INVALID, "output varies, and with it the columns");
    refuse(text, &(ph_sweep_options){.threads = -1}, PH_E_RANGE, "options.threads");
    refuse(text, &(ph_sweep_options){.shard = 8, .shards = 7}, PH_E_RANGE, "shard 8 of 7");
    refuse(text, &(ph_sweep_options){.shard = 1, .shards = 20}, PH_E_RANGE, "20 shards of 10 members");
    refuse(text, &(ph_sweep_options){.snapshot = &negative}, PH_E_RANGE, "options.snapshot");
    tk_refused(ph_sweep_merge(io_folder(), false, &path, tk_err), PH_E_INVALID, "has no shards");
    {
        TK_OWN(ph_sweep) *s = open_sweep(text, "a", &(ph_sweep_options){.largest = &little});
        tk_refused(ph_sweep_run(s, tk_err), PH_E_SIZE, "options.largest");
        ck_assert(!io_there("a/s.polhode"));
    }
    sweep(text, "a", (ph_sweep_options){.threads = 1});
    TK_OWN(ph_sweep) *s = open_sweep(other, "a", NULL);
    tk_refused(ph_sweep_run(s, tk_err), PH_E_EXISTS,
               "another sweep's: line 8: there \"...\": {from: 0.1, to: 2, count: 11}}}\", in the "
               "archive \"...\": {from: 0.1, to: 2, count: 10}}}\"");
    ph_session *session = NULL;
    tk_refused(ph_session_resume(io_path("a/s.polhode"), NULL, &session, tk_err), PH_E_UNSUPPORTED,
               "archive of a sweep");
}

/* An ensemble of 10^12 members is opened, and said to be too large. */
TEST(too_many)
{
    static const char text[] =
        PENDULUM STEPS "ensemble: {product: {\"initial.omega[1][1]\": {from: 0.1, to: 2, count: 1000000}, "
                       "\"initial.omega[0][1]\": {from: 0.1, to: 2, count: 1000000}}}\n";
    static const double most = 1e10;
    ph_sweep_size size;
    TK_OWN(ph_sweep) *s = open_sweep(text, "a", &(ph_sweep_options){.largest = &most});
    ph_sweep_estimate(s, &size);
    ck_assert_double_eq(size.members, 1e12);
    ck_assert_double_gt(size.bytes, 1e14);
    ck_assert_double_lt(size.memory, 1e9);
    tk_refused(ph_sweep_run(s, tk_err), PH_E_SIZE, "1e+12 members");
    TK_OWN(ph_sweep) *forced = open_sweep(text, "a", NULL);
    tk_refused(ph_sweep_run(forced, tk_err), PH_E_SIZE, "the disk has room for");
}

/* Shards that do not belong together, or are not all there. */
TEST(merges_refused)
{
    static const char text[] = PENDULUM STEPS BY_START("14"), other[] = PENDULUM STEPS BY_START("15");
    char *path = NULL;
    for (int k = 1; k <= SHARDS; k++)
        if (k != 2 && k != 5)
            sweep(text, "a", (ph_sweep_options){.shard = k, .shards = SHARDS});
    tk_refused(ph_sweep_merge(io_path("a"), false, &path, tk_err), PH_E_INVALID,
               "shards 2, 5 of 7 are missing");
    sweep(text, "a", (ph_sweep_options){.shard = 2, .shards = SHARDS});
    tk_refused(ph_sweep_merge(io_path("a"), false, &path, tk_err), PH_E_INVALID, "shard 5 of 7 is missing");
    sweep(other, "a", (ph_sweep_options){.shard = 5, .shards = SHARDS});
    tk_refused(ph_sweep_merge(io_path("a"), false, &path, tk_err), PH_E_INVALID, "is of another scenario");
    {
        int left = 0;
        TK_OWN(ph_sweep) *s =
            open_sweep(text, "a",
                       &(ph_sweep_options){
                           .force = true, .shard = 5, .shards = SHARDS, .stop = stop_soon, .self = &left});
        tk_returns(ph_sweep_run(s, tk_err), PH_E_INTERRUPTED);
    }
    tk_refused(ph_sweep_merge(io_path("a"), false, &path, tk_err), PH_E_INVALID,
               "is not complete: it has 0 of 2 members");
    sweep(text, "a", (ph_sweep_options){.shard = 5, .shards = SHARDS});
    tk_ok(ph_sweep_merge(io_path("a"), false, &path, tk_err));
    free(path);
    tk_refused(ph_sweep_merge(io_path("a"), false, &path, tk_err), PH_E_EXISTS, "s.polhode");
    tk_ok(ph_sweep_merge(io_path("a"), true, &path, tk_err));
    free(path);
}

/* Names of files are strangers' text: what is not a shard's is left alone, and no number in one decides how much memory is taken. */
TEST(names_of_shards)
{
    char *path = NULL;
    static const char *const none[] = {
        "s.shard--1-of-2.polhode", "s.shard-+1-of-2.polhode", "s.shard- 1-of- 2.polhode",
        "s.shard-01-of-2.polhode", "s.shard-3-of-2.polhode",  "s.shard-1-of-2.polhode.old",
        "s.shard-1-of-.polhode",   ".shard-1-of-2.polhode",   "s.rank-1234567890123456789.polhode"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        io_put(none[i], "");
    tk_refused(ph_sweep_merge(io_folder(), false, &path, tk_err), PH_E_INVALID, "has no shards");
    io_put("s.shard-1-of-999999999999.polhode", "");
    tk_refused(ph_sweep_merge(io_folder(), false, &path, tk_err), PH_E_SIZE,
               "is of 999999999999 shards; at most 1000000");
}

/* While one sweep writes, another one is refused. */
static void try_another(void *self, const ph_sweep *running)
{
    ph_status *status = self;
    static const char text[] = PENDULUM STEPS BY_START("200");
    ph_sweep_result r;
    ph_sweep_get_result(running, &r);
    if (*status || !io_there("a/s.polhode"))
        return;
    ph_sweep *s = NULL;
    ph_error err;
    tk_ok(ph_sweep_open_text(text, strlen(text), "s.yaml", io_path("a"), NULL, &s, tk_err));
    *status = ph_sweep_run(s, &err);
    ph_sweep_abandon(s);
    ck_assert_ptr_nonnull(strstr(err.message, "is writing this archive"));
}

TEST(two_writers)
{
    static const char text[] = PENDULUM STEPS BY_START("200");
    ph_status status = PH_OK;
    sweep(text, "a", (ph_sweep_options){.threads = 1, .progress = try_another, .self = &status});
    ck_assert_int_eq(status, PH_E_EXISTS);
}

int main(void)
{
    return tk_run_in("sweep", make_folder, remove_folder);
}
