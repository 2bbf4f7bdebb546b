/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions: a run in parts, however they end, has the bits, rows, events and tables of the run in one
 * piece: for a scenario in a file, in memory, and for a system of the caller's. What ends a session is
 * recorded; what is refused is refused with a status and a message; callbacks are asked. */
#include "tests/kit/iokit.h"

#include <polhode/session.h>

#include <unistd.h>

/* ---- Folder -------------------------------------------------------------------------------------- */

static void remove_folder(void)
{
    static const char files[] = "s.polhode s.polhode-wal s.polhode-shm other STOP trajectory.csv events.csv "
                                "summary.json s.yaml other.yaml file";
    io_clear("a", files);
    io_clear("b", files);
    io_clear(".", files);
    ck_assert_msg(!remove(io_folder()), "something is left in %s", io_folder());
}

/* ---- What is run --------------------------------------------------------------------------------- */

enum { STEPS = 1000, EVERY = 7 }; /* the last step is not in the schedule */
typedef enum kind { IN_FILE, IN_MEMORY, OWN, KINDS } kind;

#define SCENARIO(duration)                                                                                   \
    "polhode: 1\nmodel: planar-chain\nparameters: {masses: [1, 1], lengths: 1}\n"                            \
    "initial: {q: [[0.8, 0.6], [0.6, 0.8]], omega: [[0], [0]]}\nmethod: variational\nstep: 0.01\n"           \
    "duration: " duration "\noutput: {every: 7}\nevents: [{name: section, when: q1x}]\n"
static const char text[] = SCENARIO("10"), shorter[] = SCENARIO("4");

static ph_status potential(void *user, const double *q, double *U)
{
    (void)user;
    *U = pow(q[0], 4) + 2 * pow(q[1], 4) + 3 * pow(q[2], 4);
    return PH_OK;
}

static ph_status gradient(void *user, const double *q, double *dU)
{
    (void)user;
    for (int i = 0; i < 3; i++)
        dU[i] = 4 * (i + 1) * pow(q[i], 3);
    return PH_OK;
}

static ph_status height(void *user, const ph_state *state, double *g)
{
    *g = state->z[2] - *(double *)user;
    return PH_OK;
}

/* A mass on the sphere, with an event by a column and one by a function. */
typedef struct own {
    ph_space *space;
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
    double level;
    ph_event events[2];
    ph_session_plan plan;
} own;

static void make_own(own *o)
{
    static const double mass = 1, q[3] = {1, 0, 0}, v[3] = {0, 1, 0.5};
    const ph_factor sphere = {.kind = PH_FACTOR_S2};
    tk_ok(ph_space_create(&sphere, 1, &o->space, NULL));
    const ph_system_definition d = {
        .space = o->space, .inertia = &mass, .potential = potential, .gradient = gradient};
    tk_ok(ph_system_create(&d, &o->system, NULL));
    tk_start(o->system, "variational", NULL, 0.01, q, v, &o->it, &o->state);
    o->level = 0.1;
    o->events[0] = (ph_event){.name = "section", .column = "q1x"};
    o->events[1] = (ph_event){.name = "height", .value = height, .user = &o->level, .direction = 1};
    o->plan = (ph_session_plan){.name = "s",
                                .model = "quartic",
                                .integrator = o->it,
                                .state = o->state,
                                .steps = STEPS,
                                .output = {.steps = EVERY},
                                .events = o->events,
                                .n_events = 2};
}

static void free_own(own *o)
{
    tk_end(o->it, o->state);
    ph_system_free(o->system);
    ph_space_free(o->space);
}

static own mine;

static void set_up(void)
{
    io_make_folder();
    io_put("s.yaml", text);
    make_own(&mine);
}

static void tear_down(void)
{
    free_own(&mine);
    remove_folder();
}

static ph_status try_open(kind k, const char *folder, const ph_session_options *o, ph_session **s,
                          ph_error *err)
{
    switch (k) {
    case IN_FILE:
        return ph_session_open(io_path("s.yaml"), io_path(folder), o, s, err);
    case IN_MEMORY:
        return ph_session_open_text(text, sizeof text - 1, "s.yaml", io_path(folder), o, s, err);
    default:
        return ph_session_open_system(&mine.plan, io_path(folder), o, s, err);
    }
}

static ph_session *open_one(kind k, const char *folder, const ph_session_options *o)
{
    ph_session *s = NULL;
    ph_status status = try_open(k, folder, o, &s, tk_err);
    ck_assert_msg(!status && s, "%s", tk_err->message);
    return s;
}

static ph_status try_resume(kind k, const char *archive, const ph_session_options *o, ph_session **s,
                            ph_error *err)
{
    return k == OWN ? ph_session_resume_system(&mine.plan, io_path(archive), o, s, err)
                    : ph_session_resume(io_path(archive), o, s, err);
}

static ph_session *resume_one(kind k, const char *archive, const ph_session_options *o)
{
    ph_session *s = NULL;
    ph_status status = try_resume(k, archive, o, &s, tk_err);
    ck_assert_msg(!status && s, "%s", tk_err->message);
    return s;
}

static void ends(ph_status status, ph_status expected, const ph_error *err, const char *words)
{
    ck_assert_msg(status == expected, "%s: %s", ph_status_name(status), err->message);
    ck_assert_int_eq(err->status, expected);
    ck_assert_msg(strstr(err->message, words) != NULL, "%s", err->message);
}

static void run_ends(ph_session *s, ph_status expected, const char *words)
{
    ph_error err = {PH_OK, ""};
    ends(ph_session_run(s, &err), expected, &err, words);
    ck_assert(ph_session_has_ended(s));
}

static void closes(ph_session *s)
{
    tk_ok(ph_session_close(s, tk_err));
}

/* What the archive says under this key; NULL: nothing. */
static void says(const char *archive, const char *key, const char *expected)
{
    TK_MAKE(ph_record, record, ph_record_open(io_path(archive), &record, NULL));
    const char *found = ph_record_meta(record, key);
    if (expected)
        ck_assert_str_eq(found ? found : "nothing", expected);
    else
        ck_assert_ptr_null(found);
}

/* ---- In parts ------------------------------------------------------------------------------------ */

/* Rows and events of two archives are the same to the last bit. */
static void same_archives(const char *one, const char *other)
{
    TK_OWN(ph_record) *a = NULL, *b = NULL;
    int64_t read[2], next;
    tk_ok(ph_record_open(io_path(one), &a, NULL));
    tk_ok(ph_record_open(io_path(other), &b, NULL));
    const size_t columns = ph_record_columns(a);
    const int64_t rows = ph_record_rows(a), events = ph_record_events(a);
    double *values = calloc((size_t)(2 * rows) * columns, sizeof *values),
           *second = values + (size_t)rows * columns;
    ck_assert_int_eq(rows, STEPS / EVERY + 2);
    ck_assert_int_gt(events, 2);
    ck_assert_uint_eq(columns, ph_record_columns(b));
    ck_assert_int_eq(rows, ph_record_rows(b));
    ck_assert_int_eq(events, ph_record_events(b));
    tk_ok(ph_record_read(a, 0, rows, values, &read[0], &next, NULL));
    tk_ok(ph_record_read(b, 0, rows, second, &read[1], &next, NULL));
    ck_assert(read[0] == rows && read[1] == rows);
    ck_assert(!memcmp(values, second, (size_t)rows * columns * sizeof *values));
    for (int64_t i = 0; i < events; i++) {
        ph_recorded_event x, y;
        tk_ok(ph_record_event(a, i, &x, NULL));
        const double t = x.t, theta = x.theta;
        const int64_t step = x.step;
        char name[40];
        snprintf(name, sizeof name, "%s", x.name);
        tk_ok(ph_record_event(b, i, &y, NULL));
        ck_assert(t == y.t && theta == y.theta && step == y.step && !strcmp(name, y.name));
    }
    free(values);
}

static void same_files(const char *one, const char *other)
{
    TK_MEMORY char *a = io_get(one), *b = io_get(other);
    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_nonnull(b);
    ck_assert_msg(!strcmp(a, b), "%s is not %s", other, one);
}

/* What the run in one piece was. */
static ph_summary whole;
static int64_t whole_passes;

/* The run in one piece, in folder a; its last state. */
static void in_one_piece(kind k, double *last)
{
    const ph_session_options options = {.csv = true};
    ph_session *s = open_one(k, "a", &options);
    ph_result result;
    ck_assert(!ph_session_has_ended(s) && ph_session_state(s)->k == 0);
    ck_assert_ptr_null(ph_session_path(s, PH_SESSION_SUMMARY));
    ck_assert_ptr_null(ph_session_path(s, PH_SESSION_TRAJECTORY));
    ck_assert(!ph_session_run(s, tk_err));
    ph_session_result(s, &result);
    whole = *result.summary;
    whole_passes = result.statistics->newton_passes;
    const ph_state *state = ph_session_state(s);
    memcpy(last, state->z, state->nz * sizeof *last);
    memcpy(last + state->nz, state->p, state->np * sizeof *last);
    ck_assert_int_eq(state->k, STEPS);
    closes(s);
}

static void same_end(const ph_session *s, const double *last)
{
    const ph_state *state = ph_session_state(s);
    ck_assert_int_eq(state->k, STEPS);
    ck_assert(!memcmp(last, state->z, state->nz * sizeof *last));
    ck_assert(!memcmp(last + state->nz, state->p, state->np * sizeof *last));
    ph_result result;
    ph_session_result(s, &result);
    ck_assert_int_eq(result.statistics->newton_passes, whole_passes);
    ck_assert_int_eq(result.summary->outputs, whole.outputs);
    ck_assert(result.summary->energy_error_max == whole.energy_error_max &&
              result.summary->energy_error_final == whole.energy_error_final &&
              result.summary->constraint_error_max == whole.constraint_error_max);
    for (int i = 0; i < 10; i++)
        ck_assert(result.summary->energy_error_tenths[i] == whole.energy_error_tenths[i]);
    same_archives("a/s.polhode", "b/s.polhode");
    same_files("a/trajectory.csv", "b/trajectory.csv");
    same_files("a/events.csv", "b/events.csv");
}

/* Pauses on outputs, between them, twice at one place, and where the run is already. */
TEST_EACH(pauses_leave_no_trace, KINDS)
{
    static const double times[] = {0, 0.01, 0.07, 0.0701, 1.004, 1.004, 0.5, 4.9, 4.91, 9.99};
    static const int64_t steps[] = {0, 1, 7, 8, 101, 101, 101, 490, 491, 999};
    const ph_session_options options = {.csv = true};
    double last[20];
    ph_result result;
    in_one_piece((kind)_i, last);
    ph_session *s = open_one((kind)_i, "b", &options);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        tk_ok(ph_session_run_until(s, times[i], NULL));
        ck_assert_int_eq(ph_session_state(s)->k, steps[i]);
        ck_assert_int_eq(ph_session_rows(s), steps[i] ? steps[i] / EVERY + 1 : 0);
        ck_assert_int_eq(ph_session_report(s)->steps, steps[i]);
        ph_session_result(s, &result);
        ck_assert(!result.ending.status && result.report->steps == steps[i] && !ph_session_has_ended(s));
    }
    tk_ok(ph_session_run_until(s, 1e300, NULL));
    ck_assert(ph_session_has_ended(s));
    same_end(s, last);
    ph_session_result(s, &result);
    ck_assert_int_eq(result.report->steps, STEPS);
    ck_assert_int_eq(result.statistics->steps, STEPS);
    ck_assert_str_eq(result.model, _i == OWN ? "quartic" : "planar-chain");
    ck_assert_int_eq(result.summary->outputs, STEPS / EVERY + 2);
    for (int i = 0; i < PH_SESSION_FILES; i++)
        ck_assert(ph_session_path(s, (ph_session_file)i) &&
                  !access(ph_session_path(s, (ph_session_file)i), R_OK));
    ck_assert_ptr_null(ph_session_path(s, PH_SESSION_FILES));
    closes(s);
}

/* Whether the run is to end: asked so often that the next time is it. */
static bool stop(void *self, const char **reason, const char **by)
{
    int *left = self;
    *reason = "enough";
    *by = "the test";
    return (*left)-- <= 0;
}

/* Closed, stopped, killed, out of time; between outputs and on them. */
TEST_EACH(parts_make_the_whole, KINDS)
{
    const kind k = (kind)_i;
    int left = 60;
    const double now = 0;
    ph_session_options plain = {.csv = true}, bounded = {.csv = true, .wall_clock = &now},
                       stopped = {.csv = true, .stop = stop, .self = &left},
                       eager = {.csv = true, .snapshot = &now};
    double last[20];
    in_one_piece(k, last);
    ph_session *s = open_one(k, "b", &plain);
    closes(s); /* before its first step */
    says("b/s.polhode", "reason", "closed");
    left = 0;
    s = resume_one(k, "b/s.polhode", &stopped); /* between its first row and its first step */
    run_ends(s, PH_E_INTERRUPTED, "interrupted after 0 steps");
    ck_assert_int_eq(ph_session_rows(s), 1);
    closes(s);
    left = 60;
    s = resume_one(k, "b/s.polhode", &plain);
    says("b/s.polhode", "reason", NULL);
    tk_ok(ph_session_run_until(s, 1.4, NULL)); /* an output */
    closes(s);
    s = resume_one(k, "b/s.polhode", &plain);
    ck_assert_int_eq(ph_session_state(s)->k, 140);
    tk_ok(ph_session_run_until(s, 2.5, NULL)); /* none */
    closes(s);
    says("b/s.polhode", "status", "interrupted");
    s = resume_one(k, "b/s.polhode", &stopped);
    ck_assert_int_eq(ph_session_state(s)->k, 250);
    run_ends(s, PH_E_INTERRUPTED, "interrupted after");
    closes(s);
    says("b/s.polhode", "reason", "enough");
    says("b/s.polhode", "ended_by", "the test");
    s = resume_one(k, "b/s.polhode", &bounded);
    run_ends(s, PH_E_INTERRUPTED, "time limit");
    closes(s);
    says("b/s.polhode", "reason", "wall-clock");
    s = resume_one(k, "b/s.polhode", &eager);
    tk_ok(ph_session_run_until(s, 6, NULL));
    ph_session_abandon(s); /* as if it had been killed */
    says("b/s.polhode", "reason", NULL);
    s = resume_one(k, "b/s.polhode", &plain);
    ck_assert_int_gt(ph_session_state(s)->k, 250);
    run_ends(s, PH_OK, "");
    same_end(s, last);
    closes(s);
    says("b/s.polhode", "reason", "duration");
    s = resume_one(k, "b/s.polhode", &plain); /* it is through */
    closes(s);
    says("b/s.polhode", "reason", "duration");
    same_archives("a/s.polhode", "b/s.polhode");
}

/* Another end, from the start and when it is resumed, makes the run that was planned so. */
TEST_EACH(until, KINDS)
{
    const double four = 4, ten = 10;
    const ph_session_options short_one = {.until = &four, .csv = true},
                             long_one = {.until = &ten, .csv = true};
    double last[20];
    in_one_piece((kind)_i, last);
    ph_session *s = open_one((kind)_i, "b", &short_one);
    ck_assert_int_eq(ph_session_steps(s), 400);
    run_ends(s, PH_OK, "");
    ck_assert_int_eq(ph_session_state(s)->k, 400);
    closes(s);
    s = resume_one((kind)_i, "b/s.polhode", &long_one);
    ck_assert_int_eq(ph_session_steps(s), STEPS);
    run_ends(s, PH_OK, "");
    same_end(s, last);
    closes(s);
    says("b/s.polhode", "steps", "1000");
}

/* ---- What ends a session ------------------------------------------------------------------------- */

TEST(stop_file)
{
    ph_session *s = open_one(OWN, "a", NULL);
    io_put("a/STOP", "");
    usleep(1100000); /* looked for once a second */
    run_ends(s, PH_E_INTERRUPTED, "stopped by ");
    ck_assert(!io_there("a/STOP"));
    closes(s);
    says("a/s.polhode", "reason", "stop-file");
}

TEST(stopping_event)
{
    mine.events[1].action = PH_EVENT_STOP;
    ph_session *s = open_one(OWN, "a", NULL);
    run_ends(s, PH_E_STOPPED, "height");
    const int64_t k = ph_session_state(s)->k;
    ck_assert(k > 0 && k < STEPS);
    ends(ph_session_run(s, tk_err), PH_E_INVALID, tk_err, "this session has ended");
    ends(ph_session_run_until(s, 1, tk_err), PH_E_INVALID, tk_err, "a/s.polhode");
    closes(s);
    says("a/s.polhode", "reason", "event");
    says("a/s.polhode", "ended_by", "height");
    s = resume_one(OWN, "a/s.polhode", NULL);
    ck_assert_int_eq(ph_session_state(s)->k, k);
    closes(s);
}

TEST(energy_bound)
{
    mine.plan.energy_bound = 1e-12;
    ph_session *s = open_one(OWN, "a", NULL);
    run_ends(s, PH_E_INTERRUPTED, "beyond the bound 1e-12");
    closes(s);
    says("a/s.polhode", "reason", "energy-error");
    s = open_one(OWN, "b", NULL);
    ends(ph_session_run_until(s, 1.5, tk_err), PH_E_INTERRUPTED, tk_err, "beyond the bound");
    ck_assert(ph_session_has_ended(s));
    closes(s);
}

/* What the callbacks are called with. */
typedef struct calls {
    int seen, found, progress;
    int64_t before;   /* steps of earlier sessions */
    int64_t fails_at; /* of seen; 0: never */
    int fails_found;
    char message[1000];
} calls;

static ph_status see(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    calls *c = self;
    ck_assert_int_eq(state->k, done);
    ck_assert_int_eq(total, STEPS);
    ck_assert(done == STEPS || done == EVERY * c->seen || c->fails_at);
    c->seen++;
    return c->fails_at && done >= c->fails_at ? ph_fail(err, PH_E_CALLBACK, "I have seen enough") : PH_OK;
}

static ph_status found(void *self, const char *name, const ph_occurrence *o, ph_error *err)
{
    calls *c = self;
    ck_assert_str_eq(name, mine.events[o->event].name);
    c->found++;
    return c->found == c->fails_found ? ph_fail(err, PH_E_CALLBACK, "I have found enough") : PH_OK;
}

static void show(void *self, const ph_session *s)
{
    calls *c = self;
    ph_result result;
    ph_session_result(s, &result);
    ck_assert(!result.ending.status && result.state == ph_session_state(s));
    ck_assert_int_eq(c->before + ph_session_report(s)->steps, result.state->k);
    c->progress++;
}

static void take_message(void *self, const char *line)
{
    snprintf(((calls *)self)->message, sizeof((calls *)self)->message, "%s", line);
}

TEST(callbacks)
{
    calls c = {0};
    const ph_observer observer = {see, &c};
    const ph_session_options options = {.observers = &observer,
                                        .n_observers = 1,
                                        .found = found,
                                        .progress = show,
                                        .message = take_message,
                                        .self = &c};
    ph_session *s = open_one(OWN, "a", &options);
    run_ends(s, PH_OK, "");
    ph_result result;
    ph_session_result(s, &result);
    ck_assert_int_eq(c.seen, STEPS / EVERY + 2);
    ck_assert_int_eq(c.found, ph_events_found(result.events, 0) + ph_events_found(result.events, 1));
    ck_assert_int_gt(c.found, 2);
    ck_assert_int_gt(c.progress, 1);
    ck_assert_str_eq(c.message, "");
    closes(s);

    c = (calls){.fails_at = 70};
    s = open_one(OWN, "b", &options);
    run_ends(s, PH_E_CALLBACK, "I have seen enough");
    ck_assert_int_eq(ph_session_rows(s), 11); /* the row was made before */
    closes(s);
    says("b/s.polhode", "status", "callback");
    c = (calls){.fails_found = 2, .fails_at = STEPS + 1};
    s = resume_one(OWN, "b/s.polhode", &options);
    ck_assert_int_eq(ph_session_state(s)->k, 70);
    c.found = 1; /* in the first session */
    c.before = 70;
    run_ends(s, PH_E_CALLBACK, "I have found enough");
    closes(s);
}

TEST(changed_scenarios)
{
    calls c = {0};
    const ph_session_options plain = {.message = take_message, .self = &c};
    ph_session *s = open_one(IN_FILE, "a", NULL);
    closes(s);
    s = resume_one(IN_FILE, "a/s.polhode", &plain);
    ck_assert_str_eq(c.message, "");
    closes(s);
    io_put("other.yaml", shorter);
    char other[400], same[400];
    strcpy(other, io_path("other.yaml"));
    strcpy(same, io_path("s.yaml"));
    const ph_session_options wrong = {.scenario = other}, right = {.scenario = same};
    ends(try_resume(IN_FILE, "a/s.polhode", &wrong, &s, tk_err), PH_E_INVALID, tk_err,
         "it differs in line 7: there \"duration: 4\", in the archive \"duration: 10\"");
    s = resume_one(IN_FILE, "a/s.polhode", &right);
    closes(s);
    remove(io_path("s.yaml"));
    ends(try_resume(IN_FILE, "a/s.polhode", &right, &s, tk_err), PH_E_INVALID, tk_err, "cannot be read");
    io_put("s.yaml", shorter);
    s = resume_one(IN_FILE, "a/s.polhode", &plain);
    ck_assert_msg(strstr(c.message, "has changed since the run was begun"), "%s", c.message);
    ck_assert_int_eq(ph_session_steps(s), STEPS);
    closes(s);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void refused(kind k, const char *folder, const ph_session_options *o, ph_status expected,
                    const char *words)
{
    ph_session *s = NULL;
    ends(try_open(k, folder, o, &s, tk_err), expected, tk_err, words);
    ck_assert_ptr_null(s);
}

TEST(bad_options)
{
    static const char *const words[] = {"nonsense"};
    const double minus = -1, nan = NAN, odd = 0.015;
    const ph_session_options list[] = {{.wall_clock = &minus}, {.wall_clock = &nan}, {.snapshot = &minus},
                                       {.until = &nan},        {.until = &odd},      {.until = &minus}};
    static const char *const says[] = {"options.wall_clock is -1", "options.wall_clock is nan",
                                       "options.snapshot is -1",   "options.until is nan",
                                       "options.until 0.015 s is", "options.until -1 s is"};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        for (int k = 0; k < KINDS; k++)
            refused((kind)k, "a", &list[i], PH_E_RANGE, says[i]);
    for (int k = 0; k < KINDS; k++) {
        refused((kind)k, "a", &(ph_session_options){.columns = words, .n_columns = 1}, PH_E_UNKNOWN,
                "options.columns: ");
        refused((kind)k, "a", &(ph_session_options){.n_columns = 1}, PH_E_INVALID, "no list");
        refused((kind)k, "a", &(ph_session_options){.n_observers = 1}, PH_E_INVALID, "no list");
        refused((kind)k, "a", &(ph_session_options){.archive = "x/y"}, PH_E_INVALID, "options.archive");
        refused((kind)k, "a", &(ph_session_options){.archive = ""}, PH_E_INVALID, "options.archive");
    }
    ck_assert(!io_there("a")); /* nothing was written */
}

TEST(bad_plans)
{
    const ph_session_plan good = mine.plan;
    const struct {
        ph_session_plan plan;
        ph_status status;
        const char *words;
    } list[] = {
        {{.integrator = mine.it, .state = mine.state, .steps = 1}, PH_E_INVALID, "needs a name"},
        {{.name = "a/b", .integrator = mine.it, .state = mine.state, .steps = 1}, PH_E_INVALID, "slash"},
        {{.name = "a", .integrator = mine.it, .state = mine.state}, PH_E_RANGE, "0 steps"},
        {{.name = "a", .integrator = mine.it, .state = mine.state, .steps = 1, .output = {.steps = -1}},
         PH_E_RANGE,
         "output: "},
        {{.name = "a", .integrator = mine.it, .state = mine.state, .steps = 1, .energy_bound = -1},
         PH_E_RANGE,
         "energy_bound is -1"},
        {{.name = "a", .integrator = mine.it, .state = mine.state, .steps = 1, .n_events = 1},
         PH_E_INVALID,
         "1 events"}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        mine.plan = list[i].plan;
        refused(OWN, "a", NULL, list[i].status, list[i].words);
    }
    mine.plan = good;
    tk_ok(ph_integrator_step(mine.it, mine.state, 1));
    refused(OWN, "a", NULL, PH_E_INVALID, "has taken 1 steps");
    ph_session *s = NULL;
    ends(ph_session_open_system(NULL, io_path("a"), NULL, &s, tk_err), PH_E_INVALID, tk_err, "no plan");
    ends(ph_session_resume_system(NULL, io_path("a"), NULL, &s, tk_err), PH_E_INVALID, tk_err, "no plan");
    ends(ph_session_resume_system(&good, NULL, NULL, &s, tk_err), PH_E_INVALID, tk_err, "no archive");
    ends(ph_session_resume(NULL, NULL, &s, tk_err), PH_E_INVALID, tk_err, "no archive");
    ends(ph_session_open(NULL, io_path("a"), NULL, &s, tk_err), PH_E_INVALID, tk_err, "no scenario");
    ends(ph_session_open_text(NULL, 0, "x", io_path("a"), NULL, &s, tk_err), PH_E_INVALID, tk_err,
         "no scenario");
    ends(ph_session_open_text(text, 10, "x/", io_path("a"), NULL, &s, tk_err), PH_E_INVALID, tk_err,
         "no scenario");
    ck_assert(!io_there("a"));
}

TEST(files_in_the_way)
{
    ph_session *s = NULL, *other = NULL;
    ends(ph_session_open(io_path("none.yaml"), io_path("a"), NULL, &s, tk_err), PH_E_IO, tk_err, "none.yaml");
    ends(ph_session_open_text("polhode: 2\n", 11, "x.yaml", io_path("a"), NULL, &s, tk_err), PH_E_RANGE,
         tk_err, "x.yaml:1:");
    ends(try_resume(IN_FILE, "none.polhode", NULL, &s, tk_err), PH_E_IO, tk_err, "none.polhode");
    ends(try_resume(OWN, "none.polhode", NULL, &s, tk_err), PH_E_IO, tk_err, "none.polhode");
    ends(try_resume(IN_FILE, "s.yaml", NULL, &s, tk_err), PH_E_PARSE, tk_err, "s.yaml");
    io_put("file", "");
    refused(IN_FILE, "file", NULL, PH_E_IO, "cannot be made a directory");
    for (int k = 0; k < KINDS; k++) {
        const ph_session_options force = {.force = true};
        s = open_one((kind)k, "a", &force);
        /* one writer */
        ends(try_open((kind)k, "a", &force, &other, tk_err), PH_E_EXISTS, tk_err, "is writing this archive");
        ends(try_resume((kind)k, "a/s.polhode", NULL, &other, tk_err), PH_E_EXISTS, tk_err,
             "is writing this archive");
        ck_assert(ph_archive_writer(io_path("a/s.polhode"), NULL));
        ph_session_abandon(s);
        ck_assert(!ph_archive_writer(io_path("a/s.polhode"), NULL));
        refused((kind)k, "a", NULL, PH_E_EXISTS, "exists already");
        /* another name */
        const ph_session_options named = {.force = true, .archive = "other"};
        s = open_one((kind)k, "a", &named);
        ck_assert_str_eq(ph_session_path(s, PH_SESSION_ARCHIVE), io_path("a/other"));
        closes(s);
    }
    ck_assert_ptr_null(other);
}

TEST(other_archives)
{
    ph_session *s = open_one(IN_MEMORY, "a", NULL);
    ph_integrator *it = NULL;
    closes(s);
    s = open_one(OWN, "b", NULL);
    closes(s);
    s = NULL;
    ends(try_resume(OWN, "a/s.polhode", NULL, &s, tk_err), PH_E_INVALID, tk_err, "is of a scenario");
    ends(try_resume(IN_MEMORY, "b/s.polhode", NULL, &s, tk_err), PH_E_PARSE, tk_err, "has no scenario");
    const ph_session_plan good = mine.plan;
    mine.plan.name = "t";
    ends(try_resume(OWN, "b/s.polhode", NULL, &s, tk_err), PH_E_INVALID, tk_err,
         "was begun with the name \"s\", not \"t\"");
    mine.plan = good;
    tk_ok(ph_integrator_create(mine.system, ph_method_find("rk4", NULL), 0.01, NULL, 0, &it, NULL));
    mine.plan.integrator = it;
    ends(try_resume(OWN, "b/s.polhode", NULL, &s, tk_err), PH_E_INVALID, tk_err,
         "the method \"variational\"");
    ph_integrator_free(it);
    tk_ok(ph_integrator_copy(mine.it, 0.02, &it, NULL));
    mine.plan.integrator = it;
    ends(try_resume(OWN, "b/s.polhode", NULL, &s, tk_err), PH_E_INVALID, tk_err, "the step \"0.01");
    ph_integrator_free(it);
    mine.plan = good;
    const double minus = -0.01, early = 0.01;
    s = resume_one(OWN, "b/s.polhode", NULL);
    tk_ok(ph_session_run_until(s, 0.05, NULL));
    ends(ph_session_run_until(s, NAN, tk_err), PH_E_NOT_FINITE, tk_err, "NaN");
    closes(s);
    s = NULL;
    ends(try_resume(OWN, "b/s.polhode", &(ph_session_options){.until = &early}, &s, tk_err), PH_E_RANGE,
         tk_err, "options.until 0.01 s: the run is at t = 0.05 s already");
    ends(try_resume(OWN, "b/s.polhode", &(ph_session_options){.until = &minus}, &s, tk_err), PH_E_RANGE,
         tk_err, "whole number");
    ck_assert_ptr_null(s);
    says("b/s.polhode", "reason", "closed"); /* as it was */
}

/* ---- Long states ----------------------------------------------------------------------------------- */

/* text <- a chain, from what is given under `initial`. */
static void put_chain(char *text, size_t size, int links, const char *initial)
{
    snprintf(text, size,
             "polhode: 1\nmodel: chain-pendulum\nparameters: {links: %d, lengths: 0.01}\n"
             "initial: {%s}\nmethod: variational\nstep: 0.001\nsteps: 3\noutput: {every: 3}\n",
             links, initial);
}

/* Another run of these links cannot begin where summary.json ends. */
static void no_start(int links, ph_status expected, const char *words)
{
    char chain[400];
    ph_scenario *from = NULL;
    put_chain(chain, sizeof chain, links, "from: a/summary.json");
    io_put("s.yaml", chain);
    ends(ph_scenario_load(io_path("s.yaml"), &from, tk_err), expected, tk_err, words);
    ck_assert(strstr(tk_err->message, "s.yaml:4:") || strstr(tk_err->message, "summary.json:"));
}

/* A final state of more than 10 000 numbers is in the archive alone, from which another run starts. */
TEST_EACH(long_states, 2)
{
    const int links = 1666 + _i;
    const size_t n = 3 * (size_t)links;
    char chain[400];
    ph_session *s = NULL;
    put_chain(chain, sizeof chain, links, "preset: curved");
    tk_ok(ph_session_open_text(chain, strlen(chain), "s.yaml", io_path("a"), NULL, &s, tk_err));
    tk_ok(ph_session_run(s, tk_err));
    TK_MEMORY double *last = malloc(2 * n * sizeof *last);
    memcpy(last, ph_session_state(s)->z, n * sizeof *last);
    memcpy(last + n, ph_session_state(s)->p, n * sizeof *last);
    const double t = ph_session_state(s)->t;
    closes(s);
    TK_MEMORY char *summary = io_get("a/summary.json");
    const bool left = strstr(summary, "\"numbers\": 10002,\n    \"archive\": \"s.polhode\"\n  }");
    ck_assert(left == (_i == 1) && left == !strstr(summary, "\"z\": ["));
    ck_assert(!left || strlen(summary) < 3000);
    put_chain(chain, sizeof chain, links, "from: a/summary.json");
    io_put("s.yaml", chain);
    TK_MAKE(ph_scenario, from, ph_scenario_load(io_path("s.yaml"), &from, tk_err));
    ck_assert(ph_scenario_time(from) == t);
    for (size_t i = 0; i < n; i++) { /* to the rounding of the projection, as from a summary */
        ck_assert_double_eq_tol(ph_scenario_configuration(from)[i], last[i], 3e-16);
        ck_assert_double_eq_tol(ph_scenario_momentum(from)[i], last[n + i], 1e-15 * (1 + fabs(last[n + i])));
    }
    if (!_i)
        return;
    no_start(links - 1, PH_E_SIZE, "final_state.archive: ");
    no_start(links - 1, PH_E_SIZE, "5001 numbers in z and 5001 in p; 4998 and 4998 are expected");
    /* an archive that is not there, and one that has continued */
    io_put("a/summary.json", "{polhode: 1, model: chain-pendulum, final_state: {t: 0, archive: t.polhode}}");
    no_start(links, PH_E_IO, "/a/t.polhode");
    io_put("a/summary.json", "{polhode: 1, model: chain-pendulum, final_state: {t: 0, archive: s.polhode}}");
    no_start(links, PH_E_INVALID, "the summary one at t = 0 s: its run has continued since then");
}

int main(void)
{
    return tk_run_in("session", set_up, tear_down);
}
