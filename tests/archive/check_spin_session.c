/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of spins with their archives: however a run ends at a step, the one that resumes it makes the rows, tables, events
 * and sums of an uninterrupted run, bit by bit, with a scenario and with a system by callbacks; what the tables, summary and
 * events are called and where a spin in a field crosses a plane. */
#include "tests/kit/iokit.h"
#include "tests/kit/spinkit.h"

#include <polhode/session.h>

#include <unistd.h>

enum { STEPS = 60, MOST = 200, COLUMNS = 40 };
static const double h = 0.05;

static const char left[] =
    "s.polhode s.polhode-wal s.polhode-shm s.polhode.lock trajectory.csv events.csv summary.json";

static void tear_down(void)
{
    io_clear("a", left);
    io_clear("b", left);
    io_remove_folder();
}

/* ---- The runs ------------------------------------------------------------------------------------------------ */

/* Of a scenario, or of a random system with a control, which is made again by the process that resumes it. */
typedef enum source { SCENARIO, OWN, SOURCES } source;

static const ph_event own_events[] = {{.name = "equator", .column = "s1x"}};

static const char text[] =
    "polhode: 1\nmodel: spin-chain\nparameters: {strengths: [1, -1, 0.8], ring: 0, exchange: 0.7, field: [0.1, 0, 0.9]}\n"
    "initial: {q: [[0.6, 0, 0.8], [0.8, 0, 0.6], {theta: 1.2, phi: 2}]}\nmethod: rk4-projected\nstep: 0.05\n"
    "steps: 60\noutput: {interval: 0.07, csv: true, snapshot: 0}\n"
    "events: [{name: equator, when: s2z}, {name: energy, when: energy, crosses: -100}, {name: turn, when: s1x, "
    "direction: down}]\n";

typedef struct own_run {
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
    ph_session_plan plan;
} own_run;

static void make_own(own_run *o)
{
    tk_random r = {31};
    double z[9];
    sk_random_spins(&r, 3, z);
    o->system = sk_random(3, false, true, &r);
    o->it = sk_bind(o->system, "rk4-projected", h, NULL, 0);
    o->state = sk_state(o->it, z);
    o->plan = (ph_session_plan){.name = "s",
                                .integrator = o->it,
                                .state = o->state,
                                .steps = STEPS,
                                .output = {.kind = PH_EVERY_INTERVAL, .interval = 0.07},
                                .events = own_events,
                                .n_events = 1};
}

static void end_own(own_run *o)
{
    tk_end(o->it, o->state);
    ph_system_free(o->system);
}

static ph_session *open_one(source from, own_run *o, const char *folder)
{
    char directory[400];
    ph_session *s = NULL;
    const ph_session_options options = {.force = true, .csv = true};
    snprintf(directory, sizeof directory, "%s", io_path(folder));
    const ph_status status =
        from == OWN ? ph_session_open_system(&o->plan, directory, &options, &s, tk_err)
                    : ph_session_open_text(text, strlen(text), "s.yaml", directory, &options, &s, tk_err);
    ck_assert_msg(!status, "%s", tk_err->message);
    return s;
}

typedef struct results {
    int64_t rows, read, events;
    size_t columns;
    double values[MOST * COLUMNS], t[8];
    ph_summary summary;
    char *table, *found;
} results;

static void collect(ph_session *s, const char *folder, results *r)
{
    char name[100];
    ph_record *record = NULL;
    int64_t next;
    ph_result result;
    tk_ok(ph_session_run(s, tk_err));
    ck_assert_int_eq(ph_session_state(s)->k, STEPS);
    ph_session_result(s, &result);
    r->summary = *result.summary;
    tk_ok(ph_session_close(s, tk_err));
    snprintf(name, sizeof name, "%s/s.polhode", folder);
    tk_ok(ph_record_open(io_path(name), &record, tk_err));
    r->rows = ph_record_rows(record);
    r->columns = ph_record_columns(record);
    r->events = ph_record_events(record);
    ck_assert(r->rows > 40 && r->rows <= MOST && r->columns <= COLUMNS && r->events <= 8);
    tk_ok(ph_record_read(record, 0, r->rows, r->values, &r->read, &next, tk_err));
    for (int64_t i = 0; i < r->events; i++) {
        ph_recorded_event event;
        tk_ok(ph_record_event(record, i, &event, tk_err));
        ck_assert_uint_eq(event.n, 9); /* s alone: there are no momenta */
        r->t[i] = event.t;
    }
    ph_record_close(record);
    snprintf(name, sizeof name, "%s/trajectory.csv", folder);
    r->table = io_get(name);
    snprintf(name, sizeof name, "%s/events.csv", folder);
    r->found = io_get(name);
    ck_assert(r->table && r->found);
}

static results whole, parts;

TEST_EACH(in_parts, 2 * SOURCES)
{
    const source from = (source)(_i / 2);
    const bool killed = _i % 2;
    own_run o = {NULL};
    if (from == OWN)
        make_own(&o);
    collect(open_one(from, &o, "a"), "a", &whole);
    ck_assert_int_gt(whole.events, 0);
    for (int64_t k = 0; k <= STEPS; k += tk_thorough() ? 1 : 7) {
        ph_session *s = open_one(from, &o, "b");
        if (k > 0)
            tk_ok(ph_session_run_until(s, (double)k * h, tk_err));
        if (killed)
            ph_session_abandon(s);
        else
            tk_ok(ph_session_close(s, tk_err));
        own_run again = {NULL};
        if (from == OWN)
            make_own(&again);
        const ph_session_options options = {.csv = true};
        const ph_status status =
            from == OWN ? ph_session_resume_system(&again.plan, io_path("b/s.polhode"), &options, &s, tk_err)
                        : ph_session_resume(io_path("b/s.polhode"), NULL, &s, tk_err);
        ck_assert_msg(!status, "%s", tk_err->message);
        if (!killed)
            ck_assert_int_eq(ph_session_state(s)->k, k);
        collect(s, "b", &parts);
        if (from == OWN)
            end_own(&again);
        ck_assert(whole.rows == parts.rows && whole.columns == parts.columns && whole.events == parts.events);
        ck_assert_msg(
            !memcmp(whole.values, parts.values, (size_t)whole.rows * whole.columns * sizeof whole.values[0]),
            "resumed at step %lld: other rows", (long long)k);
        ck_assert_msg(!strcmp(whole.table, parts.table), "resumed at step %lld: another table", (long long)k);
        ck_assert_msg(!strcmp(whole.found, parts.found), "resumed at step %lld: other events", (long long)k);
        ck_assert(whole.summary.energy_error_max == parts.summary.energy_error_max &&
                  whole.summary.constraint_error_max == parts.summary.constraint_error_max);
        free(parts.table);
        free(parts.found);
    }
    free(whole.table);
    free(whole.found);
    if (from == OWN)
        end_own(&o);
}

/* ---- What they say ------------------------------------------------------------------------------------------- */

TEST(names)
{
    own_run o = {NULL};
    collect(open_one(SCENARIO, &o, "a"), "a", &whole);
    static const char head[] = "t[s],step,s1x[1],s1y[1],s1z[1],s2x[1],s2y[1],s2z[1],s3x[1],s3y[1],s3z[1],"
                               "energy[J],energy_error[J],constraint_error[1],";
    ck_assert_msg(!strncmp(whole.table, head, sizeof head - 1), "%.300s", whole.table);
    ck_assert(!strstr(whole.table, "tangency"));
    static const char events[] =
        "event,t[s],step,theta[1],direction,s1x[1],s1y[1],s1z[1],s2x[1],s2y[1],s2z[1],"
        "s3x[1],s3y[1],s3z[1]\n";
    ck_assert_msg(!strncmp(whole.found, events, sizeof events - 1), "%.300s", whole.found);
    char *summary = io_get("a/summary.json");
    ck_assert_ptr_nonnull(strstr(summary, "\"p\": []"));
    free(summary);
    /* the energy is H */
    ck_assert_double_gt(whole.summary.energy_error_max, 0);
    ck_assert_double_lt(whole.summary.energy_error_max, 1e-6);
    ck_assert_double_le(whole.summary.constraint_error_max, 2.3e-16);
    const double *s = whole.values + 2, H = s[9];
    const double by_hand = -0.7 * (ph_dot3(s, s + 3) + ph_dot3(s + 3, s + 6)) - 0.1 * (s[0] + s[3] + s[6]) -
                           0.9 * (s[2] + s[5] + s[8]);
    ck_assert_msg(fabs(H - by_hand) < 1e-15, "%.17g, not %.17g", H, by_hand);
    free(whole.table);
    free(whole.found);
}

/* In a field B along e3 a spin turns about e3 at -B/Gamma: x falls through 0 at Gamma pi / (2 B) and rises again pi Gamma / B
 * later. Events find these times to the error of the interpolation and the method. And J of the field's axis is kept. */
TEST(crossings)
{
    static const char field[] =
        "polhode: 1\nmodel: spin-chain\nparameters: {strengths: [1, 2], ring: 0, exchange: 0, field: [0, 0, 0.8]}\n"
        "initial: {q: [[1, 0, 0], [0.8, 0, 0.6]]}\nmethod: rk8\nstep: 0.05\nsteps: 200\n"
        "output: {every: 20, csv: true}\n"
        "events: [{name: first, when: s1x}, {name: second, when: s2x}, {name: fixed, when: s2z}]\n";
    const double pi = acos(-1), first = pi / 2 / 0.8, second = 2 * first;
    ph_session *s = NULL;
    tk_ok(ph_session_open_text(field, strlen(field), "s.yaml", io_path("a"), NULL, &s, tk_err));
    tk_ok(ph_session_run(s, tk_err));
    ph_result result;
    ph_session_result(s, &result);
    ck_assert_double_lt(result.summary->energy_error_max, 1e-13);
    if (isfinite(result.summary->momentum_error_max))
        ck_assert_double_lt(result.summary->momentum_error_max, 1e-13);
    tk_ok(ph_session_close(s, tk_err));
    TK_MAKE(ph_record, record, ph_record_open(io_path("a/s.polhode"), &record, tk_err));
    int64_t counts[2] = {0, 0};
    for (int64_t i = 0; i < ph_record_events(record); i++) {
        ph_recorded_event event;
        tk_ok(ph_record_event(record, i, &event, tk_err));
        const bool of_first = !strcmp(event.name, "first");
        ck_assert_str_ne(event.name, "fixed");
        const double expected =
            of_first ? first + (double)counts[0] * pi / 0.8 : second + (double)counts[1] * 2 * pi / 0.8;
        ck_assert_msg(fabs(event.t - expected) < 1e-11, "%s at %.15g, not %.15g", event.name, event.t,
                      expected);
        /* turning backwards: falls first */
        ck_assert_int_eq(event.direction, counts[of_first ? 0 : 1] % 2 ? 1 : -1);
        counts[of_first ? 0 : 1]++;
    }
    ck_assert_int_eq(counts[0], 3);
    ck_assert_int_eq(counts[1], 1);
}

int main(void)
{
    return tk_run_in("sessions of spins", io_make_folder, tear_down);
}
