/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything around the steps is linear in time and memory: scenario, state, diagnostics, archive, restart,
 * for chains of very many links. The method does nothing. */
#include "tests/kit/iokit.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <polhode/csv.h>
#include <polhode/run.h>
#include <polhode/scenario.h>
#include <polhode/summary.h>

static ph_method_size no_size(const ph_system *system, const double *options)
{
    (void)system, (void)options;
    return (ph_method_size){0, 0};
}

static ph_status no_step(ph_context *context, ph_state *state)
{
    (void)context, (void)state;
    return PH_OK;
}

static const ph_method still = {.name = "still", .order = 1, .size = no_size, .step = no_step};

typedef struct run {
    ph_monitor *monitor;
    ph_csv *csv;
} run;

static ph_status look(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    run *r = self;
    ph_measures measures;
    (void)done, (void)total;
    ph_status status = ph_monitor_see(r->monitor, state, &measures);
    return status ? status : ph_csv_row(r->csv, state, &measures, 0, err);
}

/* z, p <- the end of a run of the scenario, its files in the folder. */
static void go(const char *text, double *z, double *p)
{
    ph_summary summary;
    ph_run_report report;
    run r;
    TK_MAKE(ph_scenario, scenario, ph_scenario_parse(text, strlen(text), "large", &scenario, tk_err));
    const ph_system *system = ph_scenario_system(scenario);
    TK_MAKE(ph_integrator, it, ph_integrator_create(system, &still, 1, NULL, 0, &it, tk_err));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, tk_err));
    tk_ok(ph_state_set(it, state, 0, ph_scenario_configuration(scenario), ph_scenario_momentum(scenario),
                       PH_STRICT, tk_err));
    TK_MAKE(ph_diagnostics, diagnostics, ph_diagnostics_create(system, &diagnostics, tk_err));
    tk_ok(ph_monitor_create(diagnostics, 0, 2, &r.monitor, tk_err));
    tk_ok(ph_csv_create(io_path("trajectory.csv"), system, NULL, 0, &r.csv, tk_err));
    ph_observer observer = {look, &r};
    ph_run_plan plan = {.steps = 2, .output = {.steps = 2}, .observers = &observer, .n_observers = 1};
    tk_ok(ph_run(it, state, &plan, &report, tk_err));
    ph_monitor_summary(r.monitor, &summary);
    tk_ok(ph_csv_close(r.csv, tk_err));
    ph_result result = {
        .model = "chain-pendulum", .integrator = it, .state = state, .report = &report, .summary = &summary};
    tk_ok(ph_summary_write(io_path("summary.json"), &result, tk_err));
    ck_assert_int_eq(summary.outputs, 2);
    ck_assert(summary.energy_error_max == 0);
    memcpy(z, state->z, state->nz * sizeof *z);
    memcpy(p, state->p, state->np * sizeof *p);
    ph_monitor_free(r.monitor);
}

/* Columns of a file's first line. */
static size_t columns(const char *name)
{
    size_t n = 1;
    FILE *file = fopen(io_path(name), "re");
    ck_assert_ptr_nonnull(file);
    for (int c = getc(file); c != '\n' && c != EOF; c = getc(file))
        n += c == ',';
    fclose(file);
    return n;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A chain of n links with a list for every parameter, and another that continues from where that one ended.
 * Returns the CPU time. */
static double twice(size_t n)
{
    static const char rest[] = "method: rk4\nstep: 1\nsteps: 2\n";
    const double begin = seconds();
    double *numbers = malloc(12 * n * sizeof *numbers), *z = numbers, *p = z + 3 * n, *z1 = p + 3 * n,
           *p1 = z1 + 3 * n;
    TK_MEMORY char *text = malloc(1000 + 60 * n);
    ck_assert(numbers && text);
    size_t at =
        (size_t)sprintf(text, "polhode: 1\nmodel: chain-pendulum\nparameters: {lengths: 0.01, masses: [");
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(text + at, "%s%.4f", i ? ", " : "", 1 + (double)(i % 100) / 100);
    at += (size_t)sprintf(text + at, "]}\ninitial: {q: [");
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(text + at, "%s[%s]", i ? ", " : "", i % 2 ? "0.6, 0, 0.8" : "0, 1, 0");
    at += (size_t)sprintf(text + at, "], omega: [");
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(text + at, "%s[%s]", i ? ", " : "", i % 2 ? "0, 0.125, 0" : "3, 0, 0");
    sprintf(text + at, "]}\n%s", rest);
    go(text, z, p);
    ck_assert_uint_eq(columns("trajectory.csv"), 2 + 6 * n + 4 + 1 + 1);
    ck_assert(z[0] == 0 && z[1] == 1 && z[2] == 0);
    ck_assert(z[3 * n - 3] == 0.6 && z[3 * n - 2] == 0 && z[3 * n - 1] == 0.8);
    sprintf(text,
            "polhode: 1\nmodel: chain-pendulum\nparameters: {lengths: 0.01, links: %zu}\n"
            "initial: {from: %s}\n%s",
            n, io_path("summary.json"), rest);
    go(text, z1, p1);
    ck_assert_int_eq(memcmp(z, z1, 3 * n * sizeof *z), 0);
    for (size_t i = 0; i < 3 * n; i++) /* the reader projects */
        ck_assert_double_eq_tol(p1[i], p[i], 1e-15 * (1 + fabs(p[i])));
    free(numbers);
    return seconds() - begin;
}

/* The most memory so far [KiB]. */
static double memory(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return (double)usage.ru_maxrss;
}

/* Memory of n and of so many times n links. */
static void check_memory(size_t n, double times)
{
    const double before = memory();
    twice(n);
    const double between = memory();
    twice((size_t)times * n);
    const double after = memory();
    printf("%zu links: %.0f bytes a link; %.0f times as many: %.1f times as much\n", n,
           1024 * (between - before) / (double)n, times, (after - before) / (between - before));
    ck_assert_double_le((after - before) / (between - before), 1.5 * times); /* n^2: times^2 */
}

TEST(memory_around_the_steps_is_linear)
{
    if (tk_thorough())
        check_memory(20000, 8);
    else
        check_memory(5000, 4);
}

/* A study, as it is by the clock: the least of three in turn, all of which a neighbour can hardly slow. */
TEST_IF(time_around_the_steps_is_linear, tk_long())
{
    enum { TURNS = 3 };
    const size_t n = 20000;
    const double times = 8;
    double few = INFINITY, many = INFINITY;
    for (int k = 0; k < TURNS; k++) {
        few = fmin(few, twice(n));
        many = fmin(many, twice((size_t)times * n));
    }
    printf("%zu links: %.2f s; %.0f times as many: %.1f times as long\n", n, few, times, many / few);
    ck_assert_double_le(many / few, 2 * times); /* n^2: times^2 */
}

int main(void)
{
    return tk_run_in("large", io_make_folder, io_remove_folder);
}
