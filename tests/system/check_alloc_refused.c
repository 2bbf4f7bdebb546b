/* SPDX-License-Identifier: BSD-3-Clause */
/* Wherever memory is allocated, any call may fail: then the function reports it and loses nothing. */
#include "lib/internal/space.h"
#include "tests/kit/embeddings.h"
#include "tests/kit/hostile.h"
#include "tests/kit/iokit.h"
#include "tests/system/allocations.h"

#include <polhode/domain/scene.h>
#include <polhode/ensemble.h>
#include <polhode/sweep.h>
#include <polhode/table.h>

/* ---- Refusals ----------------------------------------------------------------------------------- */

/* The objects that exist before the attempt. */
typedef struct setting {
    hk_user user;
    ph_space *space;
    ph_system *system, *other_system; /* of one shape */
    ph_integrator *it;
    ph_state *state, *other;
    ph_diagnostics *diagnostics;
    char folder[200], scenario[300], file[300], archive[300];
    int64_t committed; /* steps of the state in the archive that was committed last, as far as it was said */
    hk_case cases[128];
    size_t n_cases;
    double *rows; /* (n_rows) of a sweep that had all memory */
    size_t n_rows;
    int64_t passes;    /* iterations of the same */
    const char *wrong; /* other errors: nothing can be asserted while memory is refused */
} setting;

/* One attempt: make it, undo it. A failure must leave nothing to undo. */
typedef ph_status (*attempt)(setting *s, ph_error *err);

static ph_status try_space(setting *s, ph_error *err)
{
    const ph_embedding e = em_embedding(em_at(EM_CURVE), EM_BEND);
    const ph_factor factors[3] = {
        {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_R, .d = 4}, {.kind = PH_FACTOR_EMBEDDED, .embedding = &e}};
    TK_OWN(ph_space) *space = NULL, *copy = NULL, *power = NULL;
    (void)s;
    ph_status status = ph_space_create(factors, 3, &space, err);
    if (!status && ph_space_copy(space, &copy))
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for a copy");
    return status ? status : ph_space_create_power(&factors[2], 5, &power, err);
}

static ph_status try_system(setting *s, ph_error *err)
{
    ph_system_definition d;
    ph_system *system = NULL;
    int freed = s->user.freed;
    hk_define(&d, &s->user, HK_DAMPED);
    d.space = s->space;
    ph_status status = ph_system_create(&d, &system, err);
    ph_system_free(system);
    if (s->user.freed != freed + 1)
        s->wrong = "user_free was not called exactly once";
    return status;
}

static ph_status try_ring(setting *s, ph_error *err)
{
    TK_OWN(ph_system) *system = NULL;
    (void)s;
    return make_ring(&system, err);
}

static ph_status try_model(setting *s, ph_error *err)
{
    const double damping = 0.1, links = 7;
    const ph_parameter_value values[] = {{"damping", &damping, 1}, {"links", &links, 1}};
    TK_OWN(ph_system) *system = NULL;
    (void)s;
    return ph_model_build(ph_model_at(0), values, 2, &system, err);
}

/* Every model of the catalogue as it is by default. */
static ph_status try_catalogue(setting *s, ph_error *err)
{
    ph_status status = PH_OK;
    (void)s;
    for (size_t i = 0; i < ph_models() && !status; i++) {
        TK_OWN(ph_system) *system = NULL;
        status = ph_model_build(ph_model_at(i), NULL, 0, &system, err);
    }
    return status;
}

/* Of a model that states no parts, and as it is read again, with names of parts. */
static ph_status try_scene(setting *s, ph_error *err)
{
    const double links = 5;
    const ph_parameter_value values[] = {{"links", &links, 1}};
    TK_OWN(ph_system) *system = NULL;
    TK_OWN(ph_scene) *scene = NULL, *read = NULL;
    (void)s;
    ph_status status = ph_model_build(ph_model_find("cart-chain", NULL), values, 1, &system, err);
    if (!status)
        status = ph_scene_create(system, &scene, err);
    return status ? status : ph_scene_read(ph_scene_text(scene), &read, err);
}

static ph_status try_integrator(setting *s, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < s->n_cases && !status; i++) {
        const hk_case *c = &s->cases[i];
        TK_OWN(ph_integrator) *it = NULL;
        if (c->method
                ->finish) /* SUNDIALS 6.4 uses what it did not get when it makes its vectors, and crashes */
            continue;
        if (c->method->supports && c->method->supports(s->system, NULL))
            continue;
        status = ph_integrator_create(s->system, c->method, 0.1, c->settings, c->n, &it, err);
    }
    return status;
}

/* Members with systems of their own that step one after the other: each has an integrator. */
static ph_status try_ensemble(setting *s, ph_error *err)
{
    const ph_system *systems[2] = {s->system, s->other_system};
    ph_ensemble *e = NULL;
    ph_status status = ph_ensemble_create_each(s->it, systems, 2, &e, err);
    ph_ensemble_free(e);
    return status;
}

static ph_status try_state(setting *s, ph_error *err)
{
    TK_OWN(ph_state) *state = NULL;
    return ph_state_create(s->it, &state, err);
}

static ph_status try_set(setting *s, ph_error *err)
{
    double z[HK_NZ], zdot[HK_NZ];
    double t = s->state->t;
    hk_start(0.5, z, zdot);
    ph_status status = ph_state_set_velocity(s->it, s->state, t + 1, z, zdot, PH_PROJECT, err);
    if (s->state->t != (status ? t : t + 1))
        s->wrong = "a state that could not be set has changed";
    return status;
}

static ph_status try_diagnostics(setting *s, ph_error *err)
{
    TK_OWN(ph_diagnostics) *diagnostics = NULL;
    TK_OWN(ph_monitor) *monitor = NULL;
    const ph_status status = ph_diagnostics_create(s->system, &diagnostics, err);
    return status ? status : ph_monitor_create(diagnostics, 0, 1, &monitor, err);
}

static ph_status try_columns(setting *s, ph_error *err)
{
    static const char *const words[] = {"t", "energy", "pi2"};
    TK_OWN(ph_columns) *columns = NULL;
    return ph_columns_create(s->system, words, 3, &columns, err);
}

static ph_status try_events(setting *s, ph_error *err)
{
    const ph_event events[] = {{.name = "a", .column = "q1x"}, {.name = "b", .column = "energy"}};
    TK_OWN(ph_events) *looking = NULL;
    return ph_events_create(s->it, events, 2, NULL, &looking, err);
}

static ph_status try_scenario(setting *s, ph_error *err)
{
    TK_OWN(ph_scenario) *scenario = NULL;
    return ph_scenario_load(s->scenario, &scenario, err);
}

static ph_status try_csv(setting *s, ph_error *err)
{
    ph_csv *csv = NULL;
    ph_measures m;
    ph_status status = ph_diagnostics_measure(s->diagnostics, s->state, &m);
    if (!status)
        status = ph_csv_create(s->file, s->system, NULL, 0, &csv, err);
    if (!status)
        status = ph_csv_row(csv, s->state, &m, 3, err);
    if (status) {
        ph_csv_abandon(csv);
        return status;
    }
    return ph_csv_close(csv, err);
}

static ph_status try_event_csv(setting *s, ph_error *err)
{
    ph_event_csv *csv = NULL;
    const ph_occurrence o = {.state = s->state};
    ph_status status = ph_event_csv_create(s->file, s->system, &csv, err);
    if (!status)
        status = ph_event_csv_row(csv, "a", &o, err);
    if (status) {
        ph_event_csv_abandon(csv);
        return status;
    }
    return ph_event_csv_close(csv, err);
}

static ph_status try_summary(setting *s, ph_error *err)
{
    ph_run_report report = {0, 0, 0};
    ph_summary summary = {.outputs = 0};
    ph_result result = {
        .model = "hostile", .integrator = s->it, .state = s->state, .report = &report, .summary = &summary};
    return ph_summary_write(s->file, &result, err);
}

static ph_status create_archive(setting *s, ph_archive **archive, ph_error *err)
{
    const ph_archive_plan plan = {
        .scenario = "text", .length = 4, .name = "a", .model = "b", .integrator = s->it, .steps = 100};
    return ph_archive_create(s->archive, &plan, s->state, NULL, 1e9, archive, err);
}

static ph_status try_archive(setting *s, ph_error *err)
{
    ph_archive *archive = NULL;
    ph_status status = create_archive(s, &archive, err);
    ph_archive_abandon(archive);
    return status;
}

static ph_status put_more(setting *s, ph_archive *archive, ph_error *err)
{
    const ph_occurrence o = {.step = s->state->k, .state = s->state};
    const ph_account account = {0};
    ph_measures m;
    ph_status status = ph_diagnostics_measure(s->diagnostics, s->state, &m);
    if (!status)
        status = ph_archive_row(archive, s->state, &m, 3, err);
    if (!status)
        status = ph_archive_event(archive, "a", &o, err);
    if (!status)
        status = ph_integrator_step(s->it, s->state, 1);
    if (!status)
        status = ph_archive_go_on(archive, err);
    for (int i = 0; i < 2 && !status; i++) {
        status = ph_archive_commit(archive, s->state, NULL, &account, err);
        if (status && count.once && !ph_archive_commit(archive, s->state, NULL, &account, NULL))
            s->committed = s->state->k; /* they still waited */
        else if (status && count.once)
            s->wrong = "what could not be committed cannot be committed when there is memory again";
        else if (!status)
            s->committed = s->state->k;
    }
    return status;
}

/* Adds a row and an event to an existing archive. */
static ph_status try_going_on(setting *s, ph_error *err)
{
    ph_archive *archive = NULL;
    ph_status status = ph_archive_reopen(s->archive, s->system, 1e9, &archive, err);
    if (status)
        return status;
    status = put_more(s, archive, err);
    if (!status)
        return ph_archive_close(archive, &(ph_ending){.message = "an end"}, err);
    ph_archive_abandon(archive);
    return status;
}

static ph_status try_record(setting *s, ph_error *err)
{
    TK_OWN(ph_record) *record = NULL;
    ph_recorded_event event;
    ph_account account;
    double values[200];
    int64_t read, next;
    ph_status status = ph_record_open(s->archive, &record, err);
    if (status)
        return status;
    if (strcmp(ph_record_meta(record, "scenario"), "text") || strcmp(ph_record_column(record, 0), "t") ||
        strcmp(ph_record_unit(record, 0), "s"))
        s->wrong = "texts are others without memory";
    status = ph_record_read(record, 0, 1, values, &read, &next, err);
    if (!status)
        status = ph_record_event(record, 0, &event, err);
    if (!status)
        status = ph_record_state(record, s->other, NULL, &account, err);
    if (!status && s->other->k != s->committed)
        s->wrong = "another state than that which was committed last";
    return status;
}

/* What is counted by functions without a status: all that there is, or it is said that memory was refused. */
static ph_status try_listing(setting *s, ph_error *err)
{
    TK_OWN(ph_record) *record = NULL;
    int64_t events = 0, i = -1;
    double first, last;
    ph_status status = ph_record_open(s->archive, &record, err);
    if (status)
        return status;
    while (ph_record_next_event(record, i, &i))
        events++;
    ph_record_span(record, &first, &last);
    const bool all = events == 1 && ph_record_events(record) == 1 && ph_record_found(record, "a") == 1 &&
                     ph_record_rows(record) == 1 && first == last;
    status = ph_record_starved(record, err);
    if (!status && !all)
        s->wrong = "less was found than there is, and nobody says so";
    return status;
}

/* Once memory is available again: what was committed is there and whole. */
static void check_archive(setting *s)
{
    tk_ok(try_record(s, tk_err));
    ck_assert_msg(!s->wrong, "%s", s->wrong);
}

/* All of it or nothing. */
static void check_new_archive(setting *s)
{
    ph_record *record = NULL;
    if (!io_there("r"))
        return;
    tk_ok(ph_record_open(s->archive, &record, NULL));
    ph_record_close(record);
    remove(s->archive);
}

/* A session from its start to its end, or resumed and ended again: with tables and an event. */
static ph_status end_session(ph_session *session, ph_status status, ph_error *err)
{
    if (status)
        return status;
    status = ph_session_run(session, err);
    const ph_status closed = ph_session_close(session, NULL);
    return status ? status : closed;
}

/* The last step is not in the schedule. */
static ph_status open_session(setting *s, ph_session **session, ph_error *err)
{
    const double until = 0.35;
    const ph_session_options options = {.force = true, .csv = true, .archive = "r", .until = &until};
    return ph_session_open(s->scenario, s->folder, &options, session, err);
}

static ph_status try_session(setting *s, ph_error *err)
{
    ph_session *session = NULL;
    const ph_status status = open_session(s, &session, err);
    return end_session(session, status, err);
}

static ph_status try_resuming(setting *s, ph_error *err)
{
    ph_session *session = NULL;
    const ph_session_options options = {.csv = true};
    const ph_status status = ph_session_resume(s->archive, &options, &session, err);
    return end_session(session, status, err);
}

/* A sweep with events, by one thread, or a shard of two of it; with `failed` what it has to run again. */
static ph_status run_sweep(setting *s, bool force, bool failed, int64_t shard, ph_error *err)
{
    static const char text[] =
        "polhode: 1\nmodel: planar-chain\nparameters: {masses: [1, 1], lengths: 1}\n"
        "initial: {q: [[0.8, 0.6], [0.6, 0.8]], omega: [[0], [0]]}\nmethod: variational\nstep: 0.01\n"
        "steps: 40\noutput: {every: 20}\nevents: [{name: section, when: q1x, crosses: 0.75}]\n"
        "ensemble: {product: {\"initial.omega[0][0]\": {from: -3, to: 3, count: 20}}}\n";
    ph_sweep *sweep = NULL;
    const ph_sweep_options options = {
        .force = force, .failed = failed, .threads = 1, .shard = shard, .shards = shard ? 2 : 0};
    ph_status status = ph_sweep_open_text(text, sizeof text - 1, "r.yaml", s->folder, &options, &sweep, err);
    if (!status)
        status = ph_sweep_run(sweep, err);
    ph_sweep_abandon(sweep);
    return status;
}

static ph_status try_sweep(setting *s, ph_error *err)
{
    return run_sweep(s, true, false, 0, err);
}

/* rows (n, malloc's) <- of the sweep, in which no member has failed. */
static double *read_sweep(size_t *n)
{
    int64_t read, next;
    TK_MAKE(ph_record, record, ph_record_open(io_path("r.polhode"), &record, tk_err));
    const int64_t rows = ph_record_rows(record);
    *n = (size_t)rows * ph_record_columns(record);
    double *values = malloc((*n + 1) * sizeof *values);
    tk_ok(ph_record_read(record, 0, rows, values, &read, &next, tk_err));
    ck_assert_int_eq(read, rows);
    ck_assert_int_eq(rows, 60);
    ck_assert_int_eq(ph_record_failures(record), 0);
    ck_assert_int_gt(ph_record_events(record), 5);
    tk_ok(ph_record_check_state(record, tk_err));
    return values;
}

static void lay_sweep(setting *s)
{
    tk_ok(try_sweep(s, tk_err));
    s->rows = read_sweep(&s->n_rows);
}

/* Once memory is available again the sweep continues; members for which there was none have failed, and run again. */
static void check_sweep(setting *s)
{
    size_t n;
    tk_ok(run_sweep(s, false, false, 0, tk_err));
    tk_ok(run_sweep(s, false, true, 0, tk_err));
    TK_MEMORY double *rows = read_sweep(&n);
    ck_assert(n == s->n_rows && !memcmp(rows, s->rows, n * sizeof *rows));
}

/* Shards are joined: the whole has all rows and events, and counts them and the iterations of all. */
static ph_status try_merge(setting *s, ph_error *err)
{
    char *path = NULL;
    const ph_status status = ph_sweep_merge(s->folder, true, &path, err);
    free(path);
    return status;
}

static int64_t passes_counted(void)
{
    ph_commit commit;
    TK_MAKE(ph_record, record, ph_record_open(io_path("r.polhode"), &record, tk_err));
    tk_ok(ph_record_commit(record, &commit, tk_err));
    ck_assert_int_eq(commit.account.rows, 60);
    return commit.account.newton_passes;
}

static void lay_shards(setting *s)
{
    lay_sweep(s);
    s->passes = passes_counted();
    io_clear(".", "r.polhode r.statistics.json");
    tk_ok(run_sweep(s, true, false, 1, tk_err));
    tk_ok(run_sweep(s, true, false, 2, tk_err));
}

static void check_merged(setting *s)
{
    size_t n;
    if (!io_there("r.polhode"))
        return;
    TK_MEMORY double *rows = read_sweep(&n);
    ck_assert(n == s->n_rows && !memcmp(rows, s->rows, n * sizeof *rows));
    ck_assert_int_eq(passes_counted(), s->passes);
    io_clear(".", "r.polhode r.statistics.json");
}

/* Of a system of the caller's. */
static ph_status try_own_session(setting *s, ph_error *err)
{
    const ph_event event = {.name = "a", .column = "energy"};
    const ph_session_options options = {.force = true, .csv = true, .archive = "r"};
    const ph_session_plan plan = {
        .name = "a", .integrator = s->it, .state = s->state, .steps = 3, .events = &event, .n_events = 1};
    ph_session *session = NULL;
    const ph_status status = ph_session_open_system(&plan, s->folder, &options, &session, err);
    return end_session(session, status, err);
}

static void lay_session(setting *s)
{
    ph_session *session = NULL;
    tk_ok(open_session(s, &session, NULL));
    tk_ok(ph_session_run_until(session, 0.15, NULL));
    tk_ok(ph_session_close(session, NULL));
}

/* What archive there is can be read. */
static void check_session(setting *s)
{
    remove(io_path("events.csv"));
    if (!io_there("r"))
        return;
    TK_MAKE(ph_record, record, ph_record_open(s->archive, &record, NULL));
    tk_ok(ph_record_check_state(record, NULL));
}

static void lay_archive(setting *s)
{
    ph_archive *archive = NULL;
    tk_ok(create_archive(s, &archive, NULL));
    tk_ok(put_more(s, archive, NULL));
    tk_ok(ph_archive_close(archive, &(ph_ending){.status = PH_E_INTERRUPTED, .message = "an end"}, NULL));
}

/* A table in a format: two columns, and enough rows for a block. */
static ph_status try_table(setting *s, const char *name, ph_error *err)
{
    static const ph_column columns[] = {{.name = "a", .unit = "s"}, {.name = "b"}};
    static const ph_attribute attributes[] = {{.key = "c", .text = "d"}};
    static const double rows[2 * 9000];
    ph_table *table = NULL;
    ph_status status = ph_table_create(s->file, ph_table_format_find(name, err), columns, 2, attributes, 1,
                                       true, &table, err);
    if (!status)
        status = ph_table_add(table, rows, 9000, err);
    if (!status)
        return ph_table_close(table, err);
    ph_table_abandon(table);
    return status;
}

static ph_status try_csv_table(setting *s, ph_error *err)
{
    return try_table(s, "csv", err);
}

static ph_status try_npy_table(setting *s, ph_error *err)
{
    return try_table(s, "npy", err);
}

static ph_status try_prepare(setting *s, ph_error *err)
{
    return ph_archive_prepare(s->folder, NULL, true, err);
}

#define AROUND(l, c, s) .lay = l, .check = c, .stride = s
static const struct {
    const char *name;
    attempt make;
    long least;   /* the least number of allocations, so that the test tests something */
    bool streams; /* opens a stream, which works without a buffer, or SQLite, which works without a cache */
    void (*lay)(setting *s), (*check)(setting *s); /* before all, and after each attempt */
    int stride; /* how many calls are passed over, but under `make check-long` */
} attempts[] = {
    {.name = "space", .make = try_space, .least = 1},
    {.name = "system", .make = try_system, .least = 6},
    {.name = "scene", .make = try_scene, .least = 20},
    {.name = "ring", .make = try_ring, .least = 20},
    {.name = "model", .make = try_model, .least = 8},
    {.name = "catalogue", .make = try_catalogue, .least = 100},
    {.name = "integrator", .make = try_integrator, .least = 9},
    {.name = "ensemble", .make = try_ensemble, .least = 10},
    {.name = "state", .make = try_state, .least = 1},
    {.name = "set", .make = try_set, .least = 1},
    {.name = "diagnostics", .make = try_diagnostics, .least = 2},
    {.name = "columns", .make = try_columns, .least = 1},
    {.name = "events", .make = try_events, .least = 9},
    {.name = "scenario", .make = try_scenario, .least = 17, .streams = true},
    {.name = "csv", .make = try_csv, .least = 4, .streams = true},
    {.name = "event csv", .make = try_event_csv, .least = 4, .streams = true},
    {.name = "summary", .make = try_summary, .least = 3, .streams = true},
    {.name = "prepare", .make = try_prepare, .least = 3, .streams = true},
    {.name = "csv table", .make = try_csv_table, .least = 8, .streams = true},
    {.name = "npy table", .make = try_npy_table, .least = 8, .streams = true},
    {.name = "archive",
     .make = try_archive,
     .least = 5,
     .streams = true,
     AROUND(NULL, check_new_archive, 17)},
    {.name = "going on",
     .make = try_going_on,
     .least = 5,
     .streams = true,
     AROUND(lay_archive, check_archive, 17)},
    {.name = "record", .make = try_record, .least = 5, .streams = true, .lay = lay_archive},
    {.name = "listing", .make = try_listing, .least = 5, .streams = true, .lay = lay_archive},
    {.name = "merge",
     .make = try_merge,
     .least = 100, /* under a sanitizer SQLite's own calls are not seen */
     .streams = true,
     AROUND(lay_shards, check_merged, 193)},
    {.name = "session", .make = try_session, .least = 50, .streams = true, AROUND(NULL, check_session, 37)},
    {.name = "own session",
     .make = try_own_session,
     .least = 50,
     .streams = true,
     AROUND(NULL, check_session, 37)},
    {.name = "resuming",
     .make = try_resuming,
     .least = 50,
     .streams = true,
     AROUND(lay_session, check_session, 37)},
    {.name = "sweep", .make = try_sweep, .least = 500, .streams = true, AROUND(lay_sweep, check_sweep, 193)},
};

static const char scenario_text[] =
    "polhode: 1\nmodel: chain-pendulum\nparameters: {masses: [1, 2, 3], lengths: 0.5, gravity: 9.81}\n"
    "initial: {q: [[1, 0, 0], [1, 0, 0], [0, 1, 0]], qdot: [[0, 1, 0], [0, 0, 1], [0, 0, 0]]}\n"
    "method: {name: rk4, form: q-omega}\nstep: 0.01\nduration: 1\n"
    "output: {every: 10, columns: [q1, energy]}\n"
    "events: [{name: a, when: q1z}, {name: b, when: energy, crosses: 1, action: stop}]\n";

static void open_setting(setting *s)
{
    *s = (setting){.user = {0}};
    snprintf(s->folder, sizeof s->folder, "%s", io_folder());
    snprintf(s->scenario, sizeof s->scenario, "%s", io_path("s.yaml"));
    snprintf(s->file, sizeof s->file, "%s", io_path("trajectory.csv"));
    snprintf(s->archive, sizeof s->archive, "%s", io_path("r"));
    io_put("s.yaml", scenario_text);
    s->n_cases = hk_cases();
    ck_assert_uint_le(s->n_cases, sizeof s->cases / sizeof s->cases[0]);
    for (size_t i = 0; i < s->n_cases; i++)
        hk_case_at(i, &s->cases[i]);
    s->space = hk_space();
    s->system = hk_system(&s->user, HK_DAMPED);
    s->other_system = hk_system(&s->user, HK_DAMPED);
    hk_create(&s->cases[0], s->system, 0.05, &s->it, &s->state);
    tk_ok(ph_state_create(s->it, &s->other, NULL));
    tk_ok(ph_diagnostics_create(s->system, &s->diagnostics, NULL));
}

static void close_setting(setting *s)
{
    ph_diagnostics_free(s->diagnostics);
    ph_state_free(s->other);
    tk_end(s->it, s->state);
    ph_system_free(s->system);
    ph_system_free(s->other_system);
    ph_space_free(s->space);
    free(s->rows);
    io_clear(".", "r.polhode r.statistics.json r.shard-1-of-2.polhode r.shard-2-of-2.polhode");
}

/* "Out of memory", or the C library's words for it where a stream could not be opened. */
static bool says_so(ph_status status, const ph_error *err)
{
    return err->status == status && strstr(err->message, "memory") &&
           (status == PH_E_NO_MEMORY || status == PH_E_IO);
}

TEST_EACH(memory_may_be_refused, 2 * (int)(sizeof attempts / sizeof attempts[0]))
{
    TK_ENDS(close_setting) setting s;
    long n = 1, refusals = 0;
    bool once = _i % 2;
    size_t i = (size_t)_i / 2;
    open_setting(&s);
    if (attempts[i].lay)
        attempts[i].lay(&s);
    tk_ok(attempts[i].make(&s, NULL)); /* from now on the C library has its own memory */
    for (;; n += tk_long() || !attempts[i].stride ? 1 : attempts[i].stride) {
        ph_error err = {PH_OK, ""};
        ck_assert_int_lt(n, 100000);
        start_counting(n, once);
        ph_status status = attempts[i].make(&s, &err);
        stop_counting();
        refusals += count.asked >= n;
        ck_assert_msg(count.held == 0, "%s: %ld blocks lost when call %ld was refused", attempts[i].name,
                      count.held, n);
        ck_assert_msg(!s.wrong, "%s: %s when call %ld was refused", attempts[i].name, s.wrong, n);
        ck_assert_msg(!io_there("trajectory.csv.part") && !io_there("summary.json.part"),
                      "%s: a temporary file was left behind when call %ld was refused", attempts[i].name, n);
        if (attempts[i].check)
            attempts[i].check(&s);
        if (count.asked < n)
            break;
        ck_assert_msg(status ? says_so(status, &err) : attempts[i].streams,
                      "%s: call %ld refused: %s, \"%s\"", attempts[i].name, n, ph_status_name(status),
                      err.message);
    }
    ck_assert_msg(n > attempts[i].least, "%s asked for memory only %ld times", attempts[i].name, n - 1);
    printf("%s%s: refused %ld times\n", attempts[i].name, once ? ", one call each" : "", refusals);
}

int main(void)
{
    if (!can_count())
        return puts("skipped: calls of malloc cannot be counted here (no glibc, or a tool that has its own)"),
               77;
    return tk_run_in("memory that is refused", io_make_folder, io_remove_folder);
}
