/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode report: one self-contained page of one run, or of several that are compared. */
#include "page.h"
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct arguments {
    option_texts files;
    const char *output;
    bool force, quiet;
} arguments;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"FILE", 0, "archive", AT(OPERANDS, files),
     .text = "an archive, NAME.polhode, of a run or a sweep, or a directory that holds one"},
    {"OTHER", 0, "archive", AT(OPERANDS, files), .text = "archives that it is compared with, up to 7"},
    {"output", 'o', "FILE", AT(TEXT, output),
     .text = "the page to write (default: NAME.report.html next to the first archive)"},
    {"force", 'f', NULL, AT(FLAG, force), .text = "overwrite an existing file"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but errors"},
    {.name = NULL}};

static void colour_runs(archived *runs, size_t n)
{
    static const char *const colours[RUNS_MOST] = {"#0b57a4", "#c8102e", "#14803c", "#7b3fa0",
                                                   "#b35900", "#00798c", "#882255", "#555555"};
    for (size_t i = 0; i < n; i++)
        runs[i].colour = colours[i];
}

/* The runs of a page. */
typedef struct page {
    const arguments *a;
    archived *runs;
} page;

static ph_status put_page(FILE *f, const void *self, ph_error *err)
{
    const page *p = self;
    const ph_status status = archived_page(f, p->runs, p->a->files.n, p->a->quiet, err);
    return status ? status : archived_starved(p->runs, p->a->files.n, err);
}

/* The page of archives, the i-th of which file_of has. */
static int write_page(const arguments *a, const char *(*file_of)(const void *self, size_t i),
                      const void *self, ph_status (*put)(FILE *f, const void *self, ph_error *err))
{
    char *own = a->output ? NULL : beside_archive(file_of(self, 0), ".report.html");
    const char *path = a->output ? a->output : own;
    int code = path ? EXIT_OK : complain(EXIT_OUTPUT, "out of memory");
    for (size_t i = 0; !code && i < a->files.n; i++)
        if (is_same_file(path, file_of(self, i)))
            code = complain(EXIT_INPUT, "%s: is the archive itself; -o FILE names another file", path);
    if (!code)
        code = check_place(path, a->force);
    if (!code)
        code = write_file(path, put, self);
    if (!code && !a->quiet)
        printf("Written: %s\n", path);
    free(own);
    return code;
}

static const char *file_of_run(const void *self, size_t i)
{
    return ((const page *)self)->runs[i].file;
}

static int report_runs(void *self, archived *runs)
{
    const arguments *a = self;
    colour_runs(runs, a->files.n);
    const int code = write_page(a, file_of_run, &(page){a, runs}, put_page);
    return code ? code : archived_complain(runs, a->files.n);
}

/* ---- Sweeps ---------------------------------------------------------------------------------------------------- */

typedef struct swept_page {
    ensemble e;
    ensemble_pictures pictures;
} swept_page;

static const char *file_of_sweep(const void *self, size_t i)
{
    (void)i;
    return ((const swept_page *)self)->e.file;
}

static ph_status put_sweep(FILE *f, const void *self, ph_error *err)
{
    const swept_page *p = self;
    const ph_status status = sweep_page(f, &p->e, &p->pictures, err);
    return status ? status : info_starved(&p->e.info, err);
}

static int report_sweep(const arguments *a)
{
    const ensemble_wish wish = {.span = {-INFINITY, INFINITY}, .page = true, .quiet = a->quiet};
    swept_page p;
    ph_error err;
    catch_signals();
    const ph_status status = ensemble_draw(&p.e, a->files.at[0], &wish, &p.pictures, &err);
    int code = status ? complain_of(EXIT_INPUT, &err) : write_page(a, file_of_sweep, &p, put_sweep);
    if (!code)
        code = ensemble_complain(&p.e);
    ensemble_pictures_free(&p.pictures);
    ensemble_close(&p.e);
    return code;
}

static int run_report(void *pointer)
{
    const arguments *a = pointer;
    if (!a->files.n)
        return complain(EXIT_INPUT, "an archive is missing: polhode report FILE.polhode");
    if (a->files.n > RUNS_MOST)
        return complain(EXIT_INPUT, "%zu archives; a page shows up to %d", a->files.n, RUNS_MOST);
    for (size_t i = 0; i < a->files.n; i++)
        if (is_sweep(a->files.at[i]))
            return a->files.n == 1
                       ? report_sweep(a)
                       : complain(EXIT_INPUT, "%s: is a sweep, whose page is of it alone", a->files.at[i]);
    return archived_use(&a->files, (time_span){-INFINITY, INFINITY}, report_runs, pointer);
}

const command_row command_report = {
    .name = "report",
    .summary = "write one page of a run, of several compared, or of a sweep: a verdict, figures, tables",
    .about =
        "Write one self-contained HTML page of a run: the verdict in three sentences (how large the errors are and how they grow, what "
        "that means for the method, how it compares with the other runs), figures, the tables behind them, and what was run. Figures "
        "are interactive where scripts run, and static pictures on paper.\n"
        "The page of a sweep says which members failed and what varied, and has the figures of polhode plot and statistics.",
    .notes =
        "An archive that is being written, was killed, or is damaged is shown as far as it goes; the page says so.",
    .exits = {{0, "done"},
              {1, "done, but something is damaged; damaged rows were left out"},
              {2, "wrong usage or no archive"},
              {3, "the page cannot be written"},
              {130, "interrupted; nothing was written"}},
    .options = options,
    .size = sizeof(arguments),
    .run = run_report};
