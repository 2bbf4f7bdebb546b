/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps of the rows of an archive (tools/runs/sweep.c, tools/plot/making.c): every watcher gets the bits that its own rows would read, however many
 * watch; rows are read once in a sweep, twice for figures that watch two; a watcher or figure that fails
 * stops no other; damage, Ctrl-C, the part of the time that is asked for, progress. */
#include "tests/kit/iokit.h"

#include <polhode/session.h>

#include "tools/plot/making.h"

/* What the sweep calls, counted, and with damage where a test puts it. */
static ph_status counted_read(ph_record *record, int64_t first, int64_t n, double *values, int64_t *read,
                              int64_t *next, ph_error *err);
static ph_status counted_values(ph_rows *rows, const double *raw, int64_t n, double *values, ph_error *err);
#define ph_record_read counted_read
#define ph_rows_values counted_values
#include "tools/plot/making.c"
#include "tools/runs/sweep.c"
#undef ph_record_read
#undef ph_rows_values

static struct counts {
    int64_t rows, computed;     /* read; computed, by each object */
    int64_t lost_from, lost_to; /* rows that cannot be read */
    ph_status lost;             /* why */
    int64_t shown, total;       /* progress */
    bool backwards;             /* it went back */
    volatile sig_atomic_t flag; /* of the signal */
} seen;

static ph_status counted_read(ph_record *record, int64_t first, int64_t n, double *values, int64_t *read,
                              int64_t *next, ph_error *err)
{
    *read = 0;
    if (first >= seen.lost_from && first < seen.lost_to) {
        *next = seen.lost_to;
        return ph_fail(err, seen.lost, "row %lld is lost", (long long)first);
    }
    if (first < seen.lost_from && first + n > seen.lost_from)
        n = seen.lost_from - first;
    const ph_status status = ph_record_read(record, first, n, values, read, next, err);
    seen.rows += *read;
    return status;
}

static ph_status counted_values(ph_rows *rows, const double *raw, int64_t n, double *values, ph_error *err)
{
    seen.computed += n;
    return ph_rows_values(rows, raw, n, values, err);
}

/* ---- In place of the program -------------------------------------------------------------------------------- */

const volatile sig_atomic_t *signal_flag(void)
{
    return &seen.flag;
}

progress progress_start(const char *label, bool quiet)
{
    return (progress){.label = label, .visible = !quiet};
}

void progress_show(progress *p, double t, int64_t done, int64_t total, const ph_summary *errors)
{
    (void)p;
    (void)t;
    (void)errors;
    seen.backwards = seen.backwards || done < seen.shown;
    seen.shown = done;
    seen.total = total;
}

void progress_end(progress *p)
{
    (void)p;
}

/* ---- An archive --------------------------------------------------------------------------------------------- */

static ph_record *record;
static int64_t rows;

static void make_archive(const char *scenario)
{
    ph_session *session;
    ph_error err = {PH_OK, ""};
    char directory[400], file[440];
    snprintf(directory, sizeof directory, "%s", io_path("a"));
    tk_ok(ph_session_open_text(scenario, strlen(scenario), "s.yaml", directory, NULL, &session, &err));
    tk_ok(ph_session_run(session, &err));
    tk_ok(ph_session_close(session, &err));
    snprintf(file, sizeof file, "%s/s.polhode", directory);
    tk_ok(ph_record_open(file, &record, &err));
    rows = ph_record_rows(record);
    seen = (struct counts){.rows = 0};
}

#define PENDULUM(columns)                                                                                    \
    "polhode: 1\nmodel: double-spherical-pendulum\nmethod: variational\nstep: 0.01\nduration: 100\n"         \
    "output: {every: 1, columns: [" columns "]}\n"

static void make_pendulum(void)
{
    make_archive(PENDULUM("configuration, momentum, newton_passes"));
    ck_assert_int_eq(rows, 10001);
}

static void remove_archive(void)
{
    char file[440];
    ph_record_close(record);
    record = NULL;
    snprintf(file, sizeof file, "%s", io_path("a/s.polhode"));
    remove(file);
    snprintf(file, sizeof file, "%s", io_path("a/summary.json"));
    remove(file);
    snprintf(file, sizeof file, "%s", io_path("a"));
    remove(file);
}

/* ---- A watcher that compares ---------------------------------------------------------------------------------- */

typedef struct witness {
    ph_rows *rows, *own; /* as the watcher's; another object with the same columns, by which it is judged */
    int64_t at, met, gaps, fails_at;
    double *expected;
    bool raises; /* a signal, at fails_at */
    watcher watcher;
} witness;

static ph_status enter_witness(void *self, const double *row, ph_error *err)
{
    witness *w = self;
    int64_t read, next;
    if (w->fails_at == w->met && w->raises)
        seen.flag = 2;
    else if (w->fails_at == w->met)
        return ph_fail(err, PH_E_RANGE, "the %lldth row is one too many", (long long)w->met);
    const size_t n = ph_rows_columns(w->own);
    tk_ok(ph_rows_read(w->own, w->at, 1, w->expected, &read, &next, NULL));
    ck_assert_int_eq(read, 1);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(!memcmp(&row[i], &w->expected[i], sizeof *row), "row %lld, %s: %.17g, not %.17g",
                      (long long)w->at, ph_rows_column(w->own, i), row[i], w->expected[i]);
    w->at++;
    w->met++;
    return PH_OK;
}

static void lose_rows(void *self, int64_t lost, const ph_error *why)
{
    witness *w = self;
    ck_assert_str_ne(why->message, "");
    ck_assert_int_eq(lost, seen.lost_to - seen.lost_from);
    ck_assert_int_eq(w->at, seen.lost_from); /* before the row behind them, and after the one before */
    w->at = seen.lost_to;
    w->gaps++;
}

/* words (n); n = 0: the archive's columns, which the watcher gets without rows. */
static void begin_witness(witness *w, const char *const *words, size_t n)
{
    *w = (witness){.fails_at = -1};
    if (n) {
        tk_ok(sweep_open(record, words, n, &w->rows, NULL));
        tk_ok(sweep_open(record, words, n, &w->own, NULL));
    } else {
        tk_ok(ph_rows_open(record, NULL, 0, &w->own, NULL));
    }
    w->expected = calloc(ph_rows_columns(w->own), sizeof *w->expected);
    w->watcher = (watcher){.rows = w->rows, .enter = enter_witness, .gap = lose_rows, .self = w};
}

static void end_witness(witness *w)
{
    ph_rows_free(w->rows);
    ph_rows_free(w->own);
    free(w->expected);
}

static const char *const words_of[][3] = {{NULL},
                                          {"energy_error"},
                                          {"energy", "q1x", "energy_error"},
                                          {"momentum", "configuration"},
                                          {"positions", "tensions"},
                                          {"step", "newton_passes"}};
enum { WITNESSES = sizeof words_of / sizeof words_of[0] };

static void begin_witnesses(witness *all, watcher **at)
{
    for (size_t k = 0; k < WITNESSES; k++) {
        size_t n = 0;
        while (n < 3 && words_of[k][n])
            n++;
        begin_witness(&all[k], words_of[k], n);
        at[k] = &all[k].watcher;
    }
}

static ph_status sweep_all(watcher *const *at, size_t n, time_span span, ph_error *err)
{
    progress show = progress_start("", true);
    const swept of = {.record = record, .rows = rows, .span = span, .show = &show, .total = rows};
    return sweep(&of, at, n, err);
}

static const time_span always = {-INFINITY, INFINITY};

/* ---- Sweeps --------------------------------------------------------------------------------------------------- */

/* Six watchers with raw columns, computed ones of both kinds, and such that others have: the bits of own rows, which are read once;
 * each that has rows of its own computes them. */
TEST(bits_of_all_watchers)
{
    witness all[WITNESSES];
    watcher *at[WITNESSES];
    make_pendulum();
    begin_witnesses(all, at);
    tk_ok(sweep_all(at, WITNESSES, always, NULL));
    for (size_t k = 0; k < WITNESSES; k++) {
        ck_assert_int_eq(all[k].met, rows);
        tk_ok(at[k]->status);
        end_witness(&all[k]);
    }
    ck_assert_int_eq(seen.rows, rows);
    ck_assert_int_eq(seen.computed, (WITNESSES - 1) * rows);
    ck_assert_int_eq(seen.shown, rows);
    remove_archive();
}

/* Computed columns stand behind those of the archive, as the errors of a run have them. */
TEST(further_columns)
{
    static const char *const further[] = {"tensions"};
    const char *words[WORDS_MOST];
    witness w;
    make_pendulum();
    const size_t n = ph_record_columns(record);
    ck_assert_uint_lt(n, WORDS_MOST);
    for (size_t i = 0; i < n; i++)
        words[i] = ph_record_column(record, i);
    words[n] = *further;
    begin_witness(&w, words, n + 1);
    ph_rows_free(w.rows);
    tk_ok(ph_rows_open(record, further, 1, &w.rows, NULL));
    w.watcher.rows = w.rows;
    w.watcher.behind = true;
    tk_ok(sweep_all((watcher *[]){&w.watcher}, 1, always, NULL));
    ck_assert_int_eq(w.met, rows);
    end_witness(&w);
    remove_archive();
}

/* Damaged rows are left out, with a word in between. What is no damage (a database that fails) ends all but those who watch whatever can
 * be read; where there was no memory for rows the sweep itself fails, and says no gap: they may be whole. */
TEST_EACH(lost_rows, 3)
{
    static const ph_status why[] = {PH_E_IO, PH_E_RANGE, PH_E_NO_MEMORY};
    witness all[WITNESSES];
    watcher *at[WITNESSES];
    ph_error err = {PH_OK, ""};
    make_pendulum();
    seen.lost_from = 4000;
    seen.lost_to = 4700;
    seen.lost = why[_i];
    begin_witnesses(all, at);
    at[0]->whole = true;
    const bool starved = seen.lost == PH_E_NO_MEMORY;
    ck_assert_int_eq(sweep_all(at, WITNESSES, always, &err), starved ? PH_E_NO_MEMORY : PH_OK);
    ck_assert_str_eq(err.message, starved ? "row 4000 is lost" : "");
    for (size_t k = 0; k < WITNESSES; k++) {
        const bool ended = _i == 1 && k;
        if (starved)
            ck_assert_int_le(all[k].met, 4000);
        else
            ck_assert_int_eq(all[k].met, ended ? 4000 : rows - 700);
        ck_assert_int_eq(all[k].gaps, !ended && !starved);
        ck_assert_int_eq(at[k]->status, ended ? PH_E_RANGE : PH_OK);
        ck_assert_str_eq(at[k]->err.message, ended ? "row 4000 is lost" : "");
        end_witness(&all[k]);
    }
    if (!starved)
        ck_assert_int_eq(seen.rows, rows - 700);
    remove_archive();
}

/* One that fails gets no more rows; the others get all of them. When all have failed nothing is read any more. */
TEST_EACH(watcher_that_fails, 2)
{
    witness all[WITNESSES];
    watcher *at[WITNESSES];
    make_pendulum();
    begin_witnesses(all, at);
    for (size_t k = 0; k < WITNESSES; k++)
        if (_i || k == 2)
            all[k].fails_at = 100;
    tk_ok(sweep_all(at, WITNESSES, always, NULL));
    for (size_t k = 0; k < WITNESSES; k++) {
        const bool fails = _i || k == 2;
        ck_assert_int_eq(all[k].met, fails ? 100 : rows);
        ck_assert_int_eq(at[k]->status, fails ? PH_E_RANGE : PH_OK);
        ck_assert_str_eq(at[k]->err.message, fails ? "the 100th row is one too many" : "");
        end_witness(&all[k]);
    }
    if (_i)
        ck_assert_int_lt(seen.rows, rows);
    else
        ck_assert_int_eq(seen.rows, rows);
    remove_archive();
}

/* Ctrl-C ends it with the block. */
TEST(interrupted)
{
    witness all[WITNESSES];
    watcher *at[WITNESSES];
    ph_error err;
    make_pendulum();
    begin_witnesses(all, at);
    all[0].fails_at = 10;
    all[0].raises = true;
    ck_assert_int_eq(sweep_all(at, WITNESSES, always, &err), PH_E_INTERRUPTED);
    ck_assert_str_eq(err.message, "interrupted; nothing was written");
    ck_assert_int_lt(all[0].met, rows);
    for (size_t k = 0; k < WITNESSES; k++)
        end_witness(&all[k]);
    remove_archive();
}

/* A part of the time; who watches the whole gets all rows. */
TEST(part_of_the_time)
{
    witness all[WITNESSES];
    watcher *at[WITNESSES];
    make_pendulum();
    begin_witnesses(all, at);
    at[0]->whole = true;
    for (size_t k = 1; k < WITNESSES; k++)
        all[k].at = 2000;
    tk_ok(sweep_all(at, WITNESSES, (time_span){20 - 1e-9, 50 + 1e-9}, NULL));
    for (size_t k = 0; k < WITNESSES; k++) {
        ck_assert_int_eq(all[k].met, k ? 3001 : rows);
        end_witness(&all[k]);
    }
    remove_archive();
}

/* ---- Figures that are made together ----------------------------------------------------------------------------- */

/* A figure of which it is counted what it gets in which of its steps. */
typedef struct tally {
    int64_t first, second;
    bool traced, finished, ended;
} tally;

static tally tallies[4];
static bool spoils;   /* does the figure "spoilt" fail in the first sweep? */
static int raises_in; /* the sweep in which the signal comes; 0: none */

static tally *tally_of(const making *m)
{
    return &tallies[*m->which->name - '0'];
}

static ph_status count_first(void *self, const double *row, ph_error *err)
{
    making *m = self;
    (void)row;
    tally_of(m)->first++;
    seen.flag = raises_in == 1 ? 2 : seen.flag;
    return spoils && m->which->name[1] ? ph_fail(err, PH_E_NO_MEMORY, "spoilt") : PH_OK;
}

static ph_status count_second(void *self, const double *row, ph_error *err)
{
    (void)row;
    (void)err;
    tally_of(self)->second++;
    seen.flag = raises_in == 2 ? 2 : seen.flag;
    return PH_OK;
}

static ph_status begin_once(making *m, ph_error *err)
{
    (void)err;
    for (size_t i = 0; i < m->in->n; i++) {
        ((tally **)m->own)[i] = tally_of(m);
        m->watchers[i] = (watcher){.enter = count_first, .self = m};
    }
    return PH_OK;
}

static ph_status begin_twice(making *m, ph_error *err)
{
    m->twice = true;
    return begin_once(m, err);
}

static ph_status begin_lacking(making *m, ph_error *err)
{
    (void)begin_twice(m, err);
    return ph_fail(err, PH_E_UNSUPPORTED, "it lacks a column");
}

static ph_status trace_twice(making *m, ph_error *err)
{
    (void)err;
    tally_of(m)->traced = true;
    for (size_t i = 0; i < m->in->n; i++)
        m->watchers[i] = (watcher){.enter = count_second, .self = m};
    return PH_OK;
}

static ph_status finish_tally(making *m, ph_error *err)
{
    (void)err;
    tally_of(m)->finished = true;
    return PH_OK;
}

static void end_tally(void *own)
{
    (*(tally **)own)->ended = true;
}

#define STEPS(...)                                                                                           \
    {                                                                                                        \
        .size = sizeof(tally *), .finish = finish_tally, .close = end_tally, __VA_ARGS__                     \
    }
static const figure_steps once = STEPS(.begin = begin_once),
                          twice = STEPS(.begin = begin_twice, .between = trace_twice),
                          lacking = STEPS(.begin = begin_lacking, .between = trace_twice);
/* Those that making.c knows by name. */
const figure_steps steps_columns = {.size = sizeof(tally *), .begin = begin_once},
                   steps_against = {.size = sizeof(tally *), .begin = begin_twice};

static const figure figures[] = {{.name = "0", .steps = &once},
                                 {.name = "1", .steps = &lacking},
                                 {.name = "2 spoilt", .steps = &twice},
                                 {.name = "3", .steps = &twice}};

static ph_status count_errors(void *self, const double *row, ph_error *err)
{
    (void)row;
    (void)err;
    ++*(int64_t *)self;
    return PH_OK;
}

/* Two runs, the same archive. n of the figures: with the first two one sweep is enough. */
static void check_together(size_t n)
{
    static archived runs[2];
    int64_t errors = 0;
    const plot_input in = {.runs = runs, .n = 2, .span = always};
    making *all[4];
    memset(tallies, 0, sizeof tallies);
    for (size_t i = 0; i < 2; i++) {
        runs[i].info.record = record;
        runs[i].info.rows = rows;
        runs[i].watcher = (watcher){.whole = true, .enter = count_errors, .self = &errors};
    }
    for (size_t k = 0; k < n; k++)
        all[k] = making_begin(&figures[k], &in);
    tk_ok(makings_sweep(all, n, runs, &in, true, NULL));
    ck_assert_int_eq(errors, 2 * rows);
    ck_assert_int_eq(seen.rows, (n > 2 ? 4 : 2) * rows);
    ck_assert_int_eq(seen.total, seen.rows);
    ck_assert_int_eq(seen.shown, seen.total);
    ck_assert(!seen.backwards);
    for (size_t k = 0; k < n; k++)
        (void)making_finish(all[k]);
    ck_assert_int_eq(tallies[0].first, 2 * rows);
    ck_assert(!tallies[0].traced && tallies[0].finished);
    ck_assert_int_eq(all[1]->status, PH_E_UNSUPPORTED);
    ck_assert_str_eq(all[1]->err.message, "it lacks a column");
    ck_assert(!tallies[1].first && !tallies[1].traced && !tallies[1].finished);
    if (n > 2) {
        ck_assert_int_eq(all[2]->status, spoils ? PH_E_NO_MEMORY : PH_OK);
        ck_assert_int_eq(tallies[2].first, spoils ? 1 : 2 * rows);
        ck_assert_int_eq(tallies[2].second, spoils ? 0 : 2 * rows);
        ck_assert_int_eq(tallies[2].finished, !spoils);
        ck_assert_int_eq(tallies[3].first, 2 * rows);
        ck_assert_int_eq(tallies[3].second, 2 * rows);
        ck_assert(tallies[3].traced && tallies[3].finished);
    }
    for (size_t k = 0; k < n; k++) {
        making_free(all[k]);
        ck_assert(tallies[k].ended);
    }
}

TEST_EACH(figures_together, 3)
{
    make_pendulum();
    spoils = _i == 2;
    check_together(_i ? 4 : 2);
    remove_archive();
}

/* Ctrl-C in either sweep ends both. */
TEST_EACH(figures_interrupted, 2)
{
    static archived run;
    int64_t errors = 0;
    ph_error err;
    const plot_input in = {.runs = &run, .n = 1, .span = always};
    make_pendulum();
    memset(tallies, 0, sizeof tallies);
    run.info.record = record;
    run.info.rows = rows;
    run.watcher = (watcher){.whole = true, .enter = count_errors, .self = &errors};
    making *m = making_begin(&figures[3], &in);
    raises_in = _i + 1;
    ck_assert_int_eq(makings_sweep(&m, 1, &run, &in, true, &err), PH_E_INTERRUPTED);
    raises_in = 0;
    ck_assert(tallies[3].traced == (_i == 1));
    ck_assert_int_lt(_i ? tallies[3].second : tallies[3].first, rows);
    making_free(m);
    ck_assert(tallies[3].ended && !tallies[3].finished);
    remove_archive();
}

/* Columns against one another are the steps of another figure. */
TEST(steps_of_columns)
{
    static archived run;
    static const figure columns = {.name = "0", .steps = &steps_columns};
    plot_input in = {.runs = &run, .n = 1, .span = always};
    making *m = making_begin(&columns, &in);
    ck_assert(m->steps == &steps_columns && !m->twice);
    making_free(m);
    in.against = true;
    m = making_begin(&columns, &in);
    ck_assert(m->steps == &steps_against && m->twice);
    making_free(m);
    m = making_begin(&figures[0], &in);
    ck_assert(m->steps == &once);
    making_free(m);
}

int main(void)
{
    return tk_run_in("sweep", io_make_folder, io_remove_folder);
}
