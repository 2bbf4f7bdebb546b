/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode gubas: files of GUBAS or GRIT made into a scenario; GUBAS's tables from a run of it. */
#include "program.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct arguments {
    const char *path, *output, *tables;
    bool force, quiet;
} arguments;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"PATH", 0, "path", AT(OPERAND, path),
     .text =
         "the directory of a run of GUBAS or GRIT, or a file hou_config.cfg, ic_input.txt, init_system.json",
     .required = true},
    {"output", 'o', "FILE", AT(TEXT, output),
     .text =
         "where to write the scenario (default: the standard output), or the directory for tables (default: "
         "CASE.gubas)"},
    {"tables", 0, "RUN", AT(TEXT, tables),
     .text = "write GUBAS's tables from a run of the scenario, an archive or its directory"},
    {"force", 'f', NULL, AT(FLAG, force), .text = "overwrite an existing file"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but errors"},
    {.name = NULL}};

/* The directory for tables; it must be empty unless forced. *made: it was not there before. Returns an exit code. */
static int make_folder(const arguments *a, const char *name, char folder[4096], bool *made)
{
    snprintf(folder, 4096, "%s%s", a->output ? a->output : name, a->output ? "" : ".gubas");
    *made = !mkdir(folder, 0777);
    if (!*made && errno != EEXIST)
        return complain(EXIT_OUTPUT, "%s: the directory cannot be made: %s", folder, strerror(errno));
    DIR *open = opendir(folder);
    if (!open)
        return complain(EXIT_OUTPUT, "%s: %s", folder, strerror(errno));
    bool empty = true;
    for (const struct dirent *entry; (entry = readdir(open));)
        empty = empty && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."));
    closedir(open);
    return empty || a->force
               ? EXIT_OK
               : complain(EXIT_OUTPUT, "%s: is not empty; choose another directory or add --force", folder);
}

static int write_tables(const arguments *a, const ph_import *of)
{
    char folder[4096], *file;
    ph_record *run;
    ph_error err;
    bool made;
    if (strcmp(of->program, "GUBAS"))
        return complain(EXIT_INPUT, "%s is a system of %s; --tables belongs to GUBAS", a->path, of->program);
    if (find_archive(a->tables, &file, &err))
        return complain_of(EXIT_INPUT, &err);
    ph_status status = ph_record_open(file, &run, &err);
    free(file);
    if (status)
        return complain_of(EXIT_INPUT, &err);
    if (ph_record_verify(run, &err)) {
        ph_record_close(run);
        return err.status == PH_E_NO_MEMORY
                   ? complain_of(EXIT_INPUT, &err)
                   : complain(EXIT_INPUT, "%s (polhode repair saves what is whole)", err.message);
    }
    int code = make_folder(a, of->name, folder, &made);
    if (!code && (status = ph_import_gubas_tables(a->path, run, folder, &err))) {
        const bool input = status == PH_E_INVALID || status == PH_E_PARSE || status == PH_E_UNKNOWN;
        code = complain(input ? EXIT_INPUT : EXIT_OUTPUT, "%s", err.message);
        if (made)
            rmdir(folder);
    }
    ph_record_close(run);
    if (!code && !a->quiet)
        printf("Written: %s/LagrangianStateOut_... and the other files of GUBAS.\n", folder);
    return code;
}

static int run_gubas(void *pointer)
{
    const arguments *a = pointer;
    ph_import made;
    ph_error err;
    int code = EXIT_OK;
    if (ph_import_read(a->path, a->output, &made, &err))
        return complain_of(EXIT_INPUT, &err);
    if (a->tables)
        code = write_tables(a, &made);
    else if (!a->output)
        fputs(made.scenario, stdout);
    else if (!(code = write_result(a->output, made.scenario, a->force)) && !a->quiet)
        printf("%s%sWritten: %s. Next: polhode check %s, then polhode run %s.\n",
               *made.remarks ? "Remarks, and what is taken differently:\n" : "", made.remarks, a->output,
               a->output, a->output);
    ph_import_release(&made);
    return code;
}

const command_row command_gubas = {
    .name = "gubas",
    .summary = "make a scenario of a run of GUBAS or GRIT; GUBAS's tables",
    .about =
        "Read the files of a run of GUBAS (hou_config.cfg, or ic_input.txt, with Fahnestock's pair of files and shapes) or of GRIT "
        "(init_system.json), and write a scenario that does the same. What is taken differently, and why, is said in its "
        "comments, and with -o also on the standard output. With --tables a run of the scenario is written "
        "as GUBAS's tables.",
    .exits = {{0, "done"}, {2, "wrong usage or a mistake in the files"}, {3, "the files cannot be written"}},
    .options = options,
    .size = sizeof(arguments),
    .run = run_gubas};
