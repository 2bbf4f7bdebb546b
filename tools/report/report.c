/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode report: one self-contained page of one run, or of several that are compared. */
#include "bench/report/file.h"
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static int write_page(const arguments *a, archived *runs, const char *path)
{
    char part[4200];
    ph_error err;
    FILE *f = open_result(path, part, &err);
    if (!f)
        return complain(EXIT_OUTPUT, "%s", err.message);
    const ph_status status = archived_page(f, runs, a->files.n, a->quiet, &err);
    if (status) {
        fclose(f);
        remove(part);
        return complain(status == PH_E_INTERRUPTED ? EXIT_SIGNAL + (int)*signal_flag() : EXIT_OUTPUT, "%s",
                        err.message);
    }
    if (report_close(f, part, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    if (!a->quiet)
        printf("Written: %s\n", path);
    return EXIT_OK;
}

static int report_runs(const arguments *a, archived *runs, size_t *opened)
{
    ph_error err;
    for (; *opened < a->files.n; ++*opened) {
        if (archived_open(&runs[*opened], a->files.at[*opened], (time_span){-INFINITY, INFINITY}, &err)) {
            archived_close(&runs[*opened]);
            return complain(EXIT_INPUT, "%s", err.message);
        }
    }
    archived_remark(runs, a->files.n);
    archived_name_apart(runs, a->files.n);
    colour_runs(runs, a->files.n);
    char *own = a->output ? NULL : beside_archive(runs->file, ".report.html");
    const char *path = a->output ? a->output : own;
    int code = path ? EXIT_OK : complain(EXIT_OUTPUT, "out of memory");
    for (size_t i = 0; !code && i < a->files.n; i++)
        if (is_same_file(path, runs[i].file))
            code = complain(EXIT_INPUT, "%s: is the archive itself; -o FILE names another file", path);
    if (!code && !a->force && !access(path, F_OK))
        code = complain_exists(path);
    if (!code)
        code = write_page(a, runs, path);
    if (!code)
        code = archived_complain(runs, a->files.n);
    free(own);
    return code;
}

static int run_report(void *pointer)
{
    const arguments *a = pointer;
    size_t opened = 0;
    if (!a->files.n)
        return complain(EXIT_INPUT, "an archive is missing: polhode report FILE.polhode");
    if (a->files.n > RUNS_MOST)
        return complain(EXIT_INPUT, "%zu archives; a page shows up to %d", a->files.n, RUNS_MOST);
    archived *runs = calloc(RUNS_MOST, sizeof *runs);
    if (!runs)
        return complain(EXIT_OUTPUT, "out of memory");
    catch_signals();
    const int code = report_runs(a, runs, &opened);
    for (size_t i = 0; i < opened; i++)
        archived_close(&runs[i]);
    free(runs);
    return code;
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
