/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench: what every kind of bench has done for it. The directory is prepared, items are made one
 * after the other, with progress, and printed; files are written. What a kind is, is said in
 * bench/kind/kind.h. */
#include "bench.h"
#include "program.h"

#include "bench/common/meter.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Progress -------------------------------------------------------------------------------------- */

typedef struct teller {
    progress bar;
    char label[256];
    int quiet, begun;
} teller;

static void show_label(void *self, const char *label)
{
    teller *t = self;
    snprintf(t->label, sizeof t->label, "%s", label);
    if (!t->begun)
        t->bar = progress_start(t->label, t->quiet);
    t->begun = 1;
}

static void begin_stage(void *self, const char *label)
{
    teller *t = self;
    progress_end(&t->bar);
    t->begun = 0;
    show_label(t, label);
}

static void show_progress(void *self, double time, int64_t done, int64_t total)
{
    progress_show(&((teller *)self)->bar, time, done, total, NULL);
}

/* ---- The whole ------------------------------------------------------------------------------------- */

/* The directory is there, and none of the files, unless they may be replaced. */
static ph_status prepare(const bench_kind *kind, const bench_run *run, ph_error *err)
{
    ph_status status = ph_archive_prepare(run->directory, NULL, true, err);
    const char *file;
    for (size_t i = 0; !status && !run->force && !run->resume && (file = bench_file(kind, i)); i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", run->directory, file);
        if (access(path, F_OK) == 0)
            status = ph_fail(err, PH_E_EXISTS,
                             "%s exists already; choose another directory (-o) or add --force", path);
    }
    return status;
}

static ph_status make_all(const bench_kind *kind, bench_run *run, ph_error *err)
{
    teller t = {.bar = progress_start("", 1), .quiet = run->quiet};
    bench_watch watch = {.interrupt = signal_flag(),
                         .stage = begin_stage,
                         .label = show_label,
                         .progress = show_progress,
                         .self = &t,
                         .items = kind->print_last ? 0 : run->n_items};
    ph_status status = PH_OK;
    while (run->made < run->n_items && !status) {
        watch.item = run->made;
        status = kind->make(run, run->made, &watch, err);
        progress_end(&t.bar);
        run->made++;
        if (status && status != PH_E_INTERRUPTED)
            return status;
        if (!run->json && !kind->print_last) {
            kind->print(stdout, run, run->made - 1);
            fflush(stdout);
        }
    }
    run->interrupted = status == PH_E_INTERRUPTED;
    return status;
}

static void say_written(const bench_kind *kind, const bench_run *run, report_figures figures)
{
    static const char *const words[] = {"", " (without figures: gnuplot is not there)",
                                        " (without figures: gnuplot failed)"};
    const char *file = bench_file(kind, 0);
    printf("Written: %s/%s%s", run->directory, file, kind->page ? words[figures] : "");
    for (size_t i = 1; (file = bench_file(kind, i)); i++)
        if (file != kind->picture_file || figures == FIGURES_DRAWN)
            printf(", %s", file);
    putchar('\n');
}

static int write_report(const bench_kind *kind, const bench_run *run)
{
    report_figures figures;
    ph_error err;
    if (bench_write(kind, run, run->directory, &figures, &err) ||
        (run->json && bench_print_json(kind, run, stdout, &err)))
        return complain(EXIT_OUTPUT, "%s", err.message);
    if (run->json)
        return EXIT_OK;
    if (kind->print_last)
        kind->print(stdout, run, 0);
    say_written(kind, run, figures);
    return EXIT_OK;
}

/* Where and when it was, and what it took. */
static void describe(bench_run *run, double start)
{
    run->where.seconds = meter_wall() - start;
    surroundings_describe(&run->where);
}

static int bench(const bench_kind *kind, bench_run *run)
{
    ph_error err, later;
    catch_signals(); /* from when there is a directory that says that it has begun */
    if (prepare(kind, run, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    const double start = meter_wall();
    ph_status status = make_all(kind, run, &err);
    if (status && status != PH_E_INTERRUPTED)
        return complain(status == PH_E_IO || status == PH_E_EXISTS ? EXIT_OUTPUT : EXIT_INPUT, "%s",
                        err.message);
    if (run->n_items)
        describe(run, start);
    if (kind->conclude && kind->conclude(run, &later))
        return complain(EXIT_OUTPUT, "%s", later.message);
    const int code = write_report(kind, run);
    if (code != EXIT_OK)
        return code;
    if (status)
        return complain(EXIT_SIGNAL + (int)*signal_flag(), "%s; what there is was written%s%s", err.message,
                        kind->hint ? "; " : "", kind->hint ? kind->hint : "");
    return kind->verify && kind->verify(run, &later) ? complain(EXIT_ENDED_EARLY, "%s", later.message)
                                                     : EXIT_OK;
}

static int print_list(const bench_kind *kind, int json)
{
    if (!json || !kind->list_json) {
        kind->list(stdout);
        return EXIT_OK;
    }
    builder b = {0};
    json_object *root = kind->list_json(&b);
    return print_document(&b, root);
}

/* The last word of its command: "scaling" of "bench scaling". */
static const char *name_of(const bench_kind *kind)
{
    const char *space = strrchr(kind->command.name, ' ');
    return space ? space + 1 : "";
}

int bench_run_kind(const bench_kind *kind, bench_run *run)
{
    ph_error err;
    int code;
    char directory[4096] = "bench.out";
    run->named_after = name_of(kind);
    if (kind->load(run, &err)) {
        code = complain(EXIT_INPUT, "%s%s%s", err.message, run->remark ? "\n" : "",
                        run->remark ? run->remark : "");
    } else if (run->list) {
        code = print_list(kind, run->json);
    } else {
        if (run->named_after)
            default_directory(run->named_after, ".bench.out", directory, sizeof directory);
        if (!run->directory)
            run->directory = directory;
        code = bench(kind, run);
    }
    kind->release(run);
    return code;
}
