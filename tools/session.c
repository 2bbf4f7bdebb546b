/* SPDX-License-Identifier: BSD-3-Clause */
/* What `polhode run` and `polhode resume` have in common: what is shown of a session while it runs, and reported at
 * its end. The run itself is a ph_session. */
#include "session.h"
#include "momentum.h"
#include "program.h"

#include "bench/common/scenario-input.h"
#include "figures/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const session_arguments session_defaults = {
    .member = -1, .wall_clock = INFINITY, .snapshot = NAN, .until = NAN, .progress = 60};

/* [bytes] Results of more than this are reported before they are written; of more than that take --force. */
static const double noticed_bytes = 1e8, refused_bytes = 1e10, noticed_memory = 1e9;

/* ---- While it runs ------------------------------------------------------------------------------- */

/* Errors are those of the latest output; steps those of this session. */
static void show_progress(void *self, const ph_session *s)
{
    progress *p = self;
    ph_result result;
    if (!progress_is_due(p))
        return;
    ph_session_result(s, &result);
    const int64_t done = ph_session_report(s)->steps, before = result.state->k - done;
    ph_summary errors = *result.summary;
    if (!ph_system_is_conservative(ph_session_system(s)))
        errors.energy_error_final = NAN; /* the energy changes as it should */
    progress_show(p, result.state->t, done, ph_session_steps(s) - before, &errors);
}

static void print_warning(void *self, const char *text)
{
    (void)self;
    complain(0, "warning: %s", text);
}

static bool signalled(void *self, const char **reason, const char **by)
{
    (void)self;
    *reason = "signal";
    *by = *signal_flag() == SIGTERM ? "SIGTERM" : "SIGINT";
    return *signal_flag() != 0;
}

/* A run that is resumed as it was planned was asked about when it began. */
static bool is_bounded(const session_arguments *a)
{
    return !a->force && !(a->resumes && isnan(a->until));
}

static ph_session_options options_of(const session_arguments *a, progress *p)
{
    return (ph_session_options){.force = a->force,
                                .csv = a->csv,
                                .columns = a->columns.at,
                                .n_columns = a->columns.n,
                                .snapshot = isnan(a->snapshot) ? NULL : &a->snapshot,
                                .wall_clock = isinf(a->wall_clock) ? NULL : &a->wall_clock,
                                .until = isnan(a->until) ? NULL : &a->until,
                                .largest = is_bounded(a) ? &refused_bytes : NULL,
                                .scenario = a->scenario,
                                .progress = show_progress,
                                .message = a->quiet ? NULL : print_warning,
                                .stop = signalled,
                                .self = p};
}

/* ---- At its end ---------------------------------------------------------------------------------- */

static void print_summary(const ph_session *s, const ph_result *result)
{
    const ph_summary *y = result->summary;
    const ph_system *system = ph_session_system(s);
    const ph_run_report *report = ph_session_report(s);
    const char *energy = ph_system_is_conservative(system) ? "energy error" : "energy change";
    printf("%s by %s, h = %g s: %" PRId64 " steps to t = %.10g s, %.0f ns a step\n", result->model,
           ph_integrator_method(result->integrator)->name, ph_integrator_step_size(result->integrator),
           report->steps, result->state->t,
           report->steps ? 1e9 * report->cpu_seconds / (double)report->steps : 0.0);
    printf("  %-16s %.3g at most", energy, y->energy_error_max);
    if (isfinite(y->energy_error_max_first_tenth) && isfinite(y->energy_error_max_last_tenth))
        printf(" (first tenth %.3g, last tenth %.3g)", y->energy_error_max_first_tenth,
               y->energy_error_max_last_tenth);
    printf(", relative to %.6g J\n", y->energy_scale);
    const momentum_words words = momentum_name(system);
    if (ph_system_symmetries(system))
        printf("  %-16s %.3g at most, relative to %.6g %s\n", words.label, y->momentum_error_max,
               y->momentum_scale, words.unit);
    printf("  %-16s %.3g at most", "constraint error", y->constraint_error_max);
    if (isfinite(y->velocity_constraint_error_max))
        printf("; of the velocity constraints %.3g", y->velocity_constraint_error_max);
    printf("\n");
    if (ph_system_whole(system, NULL)) {
        const double phase = result->state->z[result->state->nz - 1], turn = 2 * acos(-1);
        printf("  %-16s %.10g rad: %.0f turns and %.10g rad\n", "phase", phase, trunc(phase / turn),
               fmod(phase, turn));
    }
    for (size_t i = 0; result->events && i < ph_events_listed(result->events); i++)
        printf("  %-16s %s: %" PRId64 "\n", i ? "" : "events", ph_events_name(result->events, i),
               ph_events_found(result->events, i));
    char accuracy[PH_ACCURACY_WORDS];
    if (ph_accuracy_words(result, accuracy), *accuracy)
        printf("  %-16s %s\n", "accuracy", accuracy);
    printf("  written          %s, summary.json%s%s\n", ph_session_path(s, PH_SESSION_ARCHIVE),
           ph_session_path(s, PH_SESSION_TRAJECTORY) ? ", trajectory.csv" : "",
           ph_session_path(s, PH_SESSION_EVENTS) ? ", events.csv" : "");
}

static bool is_about_output(ph_status status)
{
    return status == PH_E_IO || status == PH_E_EXISTS;
}

/* The one document of --json, as summary.json, with the names of the files that could be written. */
static ph_status print_json(const ph_session *s, const ph_result *result, ph_error *err)
{
    const char *files[PH_SESSION_FILES];
    size_t n = 0;
    for (int i = 0; i < PH_SESSION_FILES; i++)
        if (ph_session_path(s, (ph_session_file)i))
            files[n++] = ph_session_path(s, (ph_session_file)i);
    return ph_summary_print(stdout, result, files, n, err);
}

/* Results could not be written: reports what is safe, and what to do. */
static int complain_of_output(const char *archive, const char *summary, const ph_result *result)
{
    if (summary)
        return complain(EXIT_OUTPUT,
                        "%s; the state reached, t = %.10g s, is in %s; when there is room: polhode resume %s",
                        result->ending.message, result->state->t, summary, archive);
    return complain(EXIT_OUTPUT, "%s; when there is room: polhode resume %s", result->ending.message,
                    archive);
}

/* A result that is hardly of use, and what helps. */
static void remark_on_energy(const ph_session *s, const ph_result *result)
{
    const double error = result->summary->energy_error_max;
    if (ph_system_is_conservative(ph_session_system(s)) && error > ENERGY_ERROR_LARGE)
        printf("  remark           the energy error is above %g: take a smaller step or a higher order; "
               "polhode run --accuracy 1e-6 chooses them, polhode check shows what to expect\n",
               ENERGY_ERROR_LARGE);
}

/* The exit code, and how the session ended in words. why: of ph_session_run. */
static int report_end(const ph_session *s, const session_arguments *a, const ph_error *why)
{
    const char *archive = ph_session_path(s, PH_SESSION_ARCHIVE);
    const char *summary = ph_session_path(s, PH_SESSION_SUMMARY);
    const bool words = !a->quiet && !a->json;
    ph_result result;
    ph_error broken;
    ph_session_result(s, &result);
    const ph_status ended = result.ending.status;
    const char *message = result.ending.message;
    if (a->json && print_json(s, &result, &broken))
        return complain_of(EXIT_OUTPUT, &broken);
    if (is_about_output(ended))
        return complain_of_output(archive, summary, &result);
    if (!summary)
        return complain(EXIT_OUTPUT, "%s", why->message);
    if (words) {
        print_summary(s, &result);
        remark_on_energy(s, &result);
    }
    if (ended == PH_E_INTERRUPTED)
        return complain(*signal_flag() ? EXIT_SIGNAL + (int)*signal_flag() : EXIT_ENDED_EARLY,
                        "%s; results up to there were written; to continue: polhode resume %s", message,
                        archive);
    if (ended == PH_E_STOPPED) {
        if (words)
            printf("  %s; to continue: polhode resume %s\n", message, archive);
        return EXIT_OK;
    }
    if (words && !ended && a->resumes && !ph_session_report(s)->steps && isnan(a->until))
        printf("  the run was complete already; to continue it: polhode resume %s --until T\n", archive);
    return ended ? complain(EXIT_ENDED_EARLY, "%s", message) : EXIT_OK;
}

/* ---- The session --------------------------------------------------------------------------------- */

enum { LONGEST_NAME = 4096 };

/* What results are named after: the scenario's file; for member 3 of map.yaml, map-3.yaml. */
static const char *result_name(char text[LONGEST_NAME], const session_arguments *a)
{
    const char *file = scenario_name(a->file), *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
    if (a->member < 0)
        return file;
    const size_t n = dot > (slash ? slash + 1 : file) ? (size_t)(dot - file) : strlen(file);
    snprintf(text, LONGEST_NAME, "%.*s-%" PRId64 "%s", (int)n, file, a->member, file + n);
    return text;
}

/* Results are there: what can be done about it. */
static void suggest_resume(const session_arguments *a)
{
    char named[LONGEST_NAME], own[LONGEST_NAME], *archive;
    const char *file = result_name(named, a), *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file,
               *dot = strrchr(name, '.');
    ph_error err;
    snprintf(own, sizeof own, "%.*s.out", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
    if (find_archive(a->directory ? a->directory : own, &archive, &err))
        return;
    complain(0, "to continue that run: polhode resume %s; to replace it: --force", archive);
    free(archive);
}

/* Too much would be written: how much, and what can be done about it. */
static int report_size(const ph_error *err, const session_arguments *a)
{
    const char *bound = strstr(err->message, ", more than the ");
    if (!strstr(bound, "options.largest")) /* the disk's, which is to be read */
        bound += strlen(bound);
    return complain(EXIT_INPUT, "%.*s; %s; --force writes them all the same", (int)(bound - err->message),
                    err->message,
                    a->resumes ? "an earlier --until takes less"
                               : "fewer rows (output: {every: N}) or columns (--columns) take less");
}

static int report_refusal(ph_error *err, const session_arguments *a)
{
    static const translation words[] = {{"options.until", "--until"},
                                        {"options.columns", "--columns"},
                                        {"options.scenario", "--scenario"},
                                        {NULL, NULL}};
    if (err->status == PH_E_SIZE && strstr(err->message, ", more than the "))
        return report_size(err, a);
    translate(err, words);
    return complain_of(is_about_output(err->status) ? EXIT_OUTPUT : EXIT_INPUT, err);
}

/* Much that will be written, or is held in memory, is reported beforehand. */
static void announce_size(const ph_session *s, const session_arguments *a)
{
    ph_session_size size;
    char bytes[32], room[32];
    const double used = memory_used(); /* all of it: steps allocate nothing */
    ph_session_estimate(s, &size);
    if (!a->quiet && size.bytes >= noticed_bytes) {
        ph_bytes_text(size.bytes, bytes);
        ph_bytes_text(size.free, room);
        complain(0, "the results will take about %s on disk (%.3g rows of %zu numbers)%s%s", bytes, size.rows,
                 size.columns, isinf(size.free) ? "" : "; free are ", isinf(size.free) ? "" : room);
    }
    if (!a->quiet && used >= noticed_memory) {
        ph_bytes_text(used, bytes);
        complain(0, "the run takes about %s of memory", bytes);
    }
}

static int run_session(ph_session *s, const session_arguments *a, progress *p)
{
    ph_error err = {PH_OK, ""};
    announce_size(s, a);
    *p = progress_start_lines(ph_scenario_model(ph_session_scenario(s))->name, a->quiet, a->progress);
    ph_session_run(s, &err);
    progress_end(p);
    const int code = report_end(s, a, &err);
    ph_session_close(s, NULL);
    return code;
}

/* text <- the scenario with the values that were set, as arguments of another command. */
static const char *repeat_input(char *text, size_t size, const session_arguments *a)
{
    snprintf(text, size, "%s", a->file);
    for (size_t i = 0; i < a->set.n; i++) {
        const char *quote = strpbrk(a->set.at[i], " \t{}[]*?&|;<>()$`\\\"'#~") ? "'" : "";
        text_add(text, size, " --set %s%s%s", quote, a->set.at[i], quote);
    }
    return text;
}

int session_run(const session_arguments *a)
{
    progress p;
    ph_scenario *scenario = NULL;
    ph_session *s = NULL;
    ph_error err;
    const ph_session_options options = options_of(a, &p);
    memory_bound();
    if (a->no_compile)
        never_compile();
    if (a->member < 0 ? scenario_read(a->file, &a->set, a->accuracy, &scenario, &err)
                      : scenario_read_member(a->file, &a->set, a->accuracy, a->member, NULL, &scenario, &err))
        return complain_of(EXIT_INPUT, &err);
    char line[CHOICE_LINE], name[LONGEST_NAME];
    const int code = settle_scenario(scenario, scenario_name(a->file), a->quiet || a->json, line);
    if (*line && !a->quiet && !a->json)
        puts(line);
    if (code) {
        ph_scenario_free(scenario);
        return code;
    }
    if (look_ahead(scenario, a->quiet, &err)) {
        char again[600];
        ph_scenario_free(scenario);
        return complain(EXIT_INPUT, "%s; nothing was written (to find a step: polhode check %s)", err.message,
                        repeat_input(again, sizeof again, a));
    }
    catch_signals(); /* before an archive shows that it has begun */
    if (ph_session_open_scenario(scenario, result_name(name, a), a->directory, &options, &s, &err)) {
        const int refusal = report_refusal(&err, a);
        if (err.status == PH_E_EXISTS && !a->force)
            suggest_resume(a);
        return refusal;
    }
    return run_session(s, a, &p);
}

int session_resume(const session_arguments *a)
{
    progress p;
    ph_session *s = NULL;
    ph_error err;
    const ph_session_options options = options_of(a, &p);
    if (access(a->file, F_OK))
        return complain(EXIT_INPUT, "%s: cannot be read: %s", a->file, strerror(errno));
    catch_signals();
    memory_bound();
    if (a->no_compile)
        never_compile();
    if (ph_session_resume(a->file, &options, &s, &err))
        return report_refusal(&err, a);
    return run_session(s, a, &p);
}
