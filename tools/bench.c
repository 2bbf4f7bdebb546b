/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench: what is the same for every kind. The directory is prepared, items are made one after the
 * other, with progress, and printed; files are written. bench/kind/kind.h describes a kind. */
#include "bench.h"
#include "program.h"

#include "bench/common/meter.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Progress -------------------------------------------------------------------------------------- */

typedef struct display {
    progress bar;
    char label[256];
    int quiet, begun;
} display;

static void show_label(void *self, const char *label)
{
    display *d = self;
    snprintf(d->label, sizeof d->label, "%s", label);
    if (!d->begun)
        d->bar = progress_start(d->label, d->quiet);
    d->begun = 1;
}

static void begin_stage(void *self, const char *label)
{
    display *d = self;
    progress_end(&d->bar);
    d->begun = 0;
    show_label(d, label);
}

static void show_progress(void *self, double time, int64_t done, int64_t total)
{
    progress_show(&((display *)self)->bar, time, done, total, NULL);
}

/* ---- The run --------------------------------------------------------------------------------------- */

/* Makes the directory. Files that are in it may be replaced with --force or --resume only. */
static ph_status prepare_directory(const bench_kind *kind, const bench_run *run, ph_error *err)
{
    ph_status status = ph_archive_prepare(run->directory, NULL, true, err);
    const char *file;
    for (size_t i = 0; !status && !run->force && !run->resume && (file = bench_file(kind, i)); i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", run->directory, file);
        if (access(path, F_OK) == 0)
            status = ph_fail(err, PH_E_EXISTS,
                             "%s: exists already; choose another place (-o) or allow to replace it (--force)",
                             path);
    }
    return status;
}

static ph_status make_all(const bench_kind *kind, bench_run *run, ph_error *err)
{
    display d = {.bar = progress_start("", 1), .quiet = run->quiet};
    bench_watch watch = {.interrupt = signal_flag(),
                         .stage = begin_stage,
                         .label = show_label,
                         .progress = show_progress,
                         .self = &d,
                         .items = kind->print_last ? 0 : run->n_items};
    ph_status status = PH_OK;
    while (run->made < run->n_items && !status) {
        watch.item = run->made;
        status = kind->make(run, run->made, &watch, err);
        progress_end(&d.bar);
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

static void print_written(const bench_kind *kind, const bench_run *run)
{
    const char *file = bench_file(kind, 0);
    printf("Written: %s/%s", run->directory, file);
    for (size_t i = 1; (file = bench_file(kind, i)); i++)
        printf(", %s", file);
    putchar('\n');
}

static int write_report(const bench_kind *kind, const bench_run *run)
{
    ph_error err;
    if (bench_write(kind, run, run->directory, &err) ||
        (run->json && bench_print_json(kind, run, stdout, &err)))
        return complain_of(EXIT_OUTPUT, &err);
    if (run->json)
        return EXIT_OK;
    if (kind->print_last)
        kind->print(stdout, run, 0);
    print_written(kind, run);
    return EXIT_OK;
}

/* Records where and when it was, and how long it took. */
static void describe_run(bench_run *run, double start)
{
    run->where.seconds = meter_wall() - start;
    surroundings_describe(&run->where);
}

static int run_bench(const bench_kind *kind, bench_run *run)
{
    ph_error err, later;
    catch_signals(); /* before a directory shows that it has begun */
    if (prepare_directory(kind, run, &err))
        return complain_of(EXIT_OUTPUT, &err);
    const double start = meter_wall();
    ph_status status = make_all(kind, run, &err);
    if (status && status != PH_E_INTERRUPTED)
        return complain(status == PH_E_IO || status == PH_E_EXISTS ? EXIT_OUTPUT : EXIT_INPUT, "%s",
                        err.message);
    if (run->n_items)
        describe_run(run, start);
    if (kind->conclude && kind->conclude(run, &later))
        return complain_of(EXIT_OUTPUT, &later);
    const int code = write_report(kind, run);
    if (code != EXIT_OK)
        return code;
    if (status)
        return complain(EXIT_SIGNAL + (int)*signal_flag(), "%s; results up to there were written%s%s",
                        err.message, kind->hint ? "; " : "", kind->hint ? kind->hint : "");
    return kind->verify && kind->verify(run, &later) ? complain_of(EXIT_ENDED_EARLY, &later) : EXIT_OK;
}

static int list_items(const bench_kind *kind, int json)
{
    if (json && (kind->systems.n || kind->list_json)) {
        builder b = {0};
        json_object *root = kind->systems.n ? list_json(&b, &kind->systems) : kind->list_json(&b);
        return print_document(&b, root);
    }
    if (kind->systems.n)
        list_print(stdout, &kind->systems);
    else
        kind->list(stdout);
    return EXIT_OK;
}

/* directory <- the name's base without its ending + .bench.out:  dir/name.yaml -> name.bench.out */
static void name_directory(const char *name, char *directory, size_t size)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name, *dot = strrchr(base, '.');
    const int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    snprintf(directory, size, "%.*s.bench.out", length, base);
}

/* The last word of its command: "scaling" of "bench scaling". */
static const char *name_of(const bench_kind *kind)
{
    const char *space = strrchr(kind->command.name, ' ');
    return space ? space + 1 : "";
}

/* The command of the kind that the first name was probably meant to be, where the default kind took it for a problem. */
static const char *suggest_kind(const bench_kind *kind, const bench_run *run)
{
    const char *names[32];
    size_t n = 0;
    while (n < n_bench_kinds && n < sizeof names / sizeof names[0]) {
        names[n] = name_of(bench_kinds[n]);
        n++;
    }
    if (kind != bench_kinds[0] || !run->names.n || !access(run->names.at[0], F_OK))
        return NULL;
    const char *near = ph_suggest(run->names.at[0], names, n);
    for (size_t i = 0; near && i < n; i++)
        if (names[i] == near && *near)
            return bench_kinds[i]->command.name;
    return NULL;
}

int bench_run_kind(const bench_kind *kind, bench_run *run)
{
    ph_error err;
    int code;
    char directory[4096] = "bench.out";
    run->named_after = name_of(kind);
    if (kind->load(run, &err)) {
        const char *other = suggest_kind(kind, run);
        code = complain(EXIT_INPUT, "%s%s%s%s%s%s", err.message, other ? "; did you mean `polhode " : "",
                        other ? other : "", other ? "`?" : "", run->remark ? "\n" : "",
                        run->remark ? run->remark : "");
    } else if (run->list) {
        code = list_items(kind, run->json);
    } else {
        if (run->named_after)
            name_directory(run->named_after, directory, sizeof directory);
        if (!run->directory)
            run->directory = directory;
        code = run_bench(kind, run);
    }
    kind->release(run);
    return code;
}
