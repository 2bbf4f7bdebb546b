/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode report: one self-contained page of one run, or of several that are compared. */
#include "page.h"

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
     .text = "an archive, NAME.polhode, or a directory that holds one"},
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
    return archived_page(f, p->runs, p->a->files.n, p->a->quiet, err);
}

static int report_runs(void *self, archived *runs)
{
    const arguments *a = self;
    char *own = a->output ? NULL : beside_archive(runs->file, ".report.html");
    const char *path = a->output ? a->output : own;
    int code = path ? EXIT_OK : complain(EXIT_OUTPUT, "out of memory");
    colour_runs(runs, a->files.n);
    for (size_t i = 0; !code && i < a->files.n; i++)
        if (is_same_file(path, runs[i].file))
            code = complain(EXIT_INPUT, "%s: is the archive itself; -o FILE names another file", path);
    if (!code)
        code = check_place(path, a->force);
    if (!code)
        code = write_file(path, put_page, &(page){a, runs});
    if (!code && !a->quiet)
        printf("Written: %s\n", path);
    if (!code)
        code = archived_complain(runs, a->files.n);
    free(own);
    return code;
}

static int run_report(void *pointer)
{
    const arguments *a = pointer;
    if (!a->files.n)
        return complain(EXIT_INPUT, "an archive is missing: polhode report FILE.polhode");
    if (a->files.n > RUNS_MOST)
        return complain(EXIT_INPUT, "%zu archives; a page shows up to %d", a->files.n, RUNS_MOST);
    return archived_use(&a->files, (time_span){-INFINITY, INFINITY}, report_runs, pointer);
}

const command_row command_report = {
    .name = "report",
    .summary = "write one page of a run, or of several compared: a verdict, figures, tables",
    .about =
        "Write one self-contained HTML page of a run: the verdict in three sentences (how large the errors are and how they grow, what "
        "that means for the method, how it compares with the other runs), figures, the tables behind them, and what was run. Figures "
        "are interactive where scripts run, and static pictures on paper.",
    .notes =
        "An archive that is being written, was killed, or is damaged is shown as far as it goes; the page says so.",
    .exits = {{0, "done"},
              {1, "done, but damaged rows were left out"},
              {2, "wrong usage or no archive"},
              {3, "the page cannot be written"},
              {130, "interrupted; nothing was written"}},
    .options = options,
    .size = sizeof(arguments),
    .run = run_report};
