/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode gubas: files of GUBAS or GRIT made into a scenario; GUBAS's own equations, with their mistakes, for
 * comparison; its tables from a run. */
#include "gubas.h"
#include "program.h"

#include "bench/report/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct arguments {
    const char *path, *output, *tables;
    bool compat, force, quiet;
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
    {"compat", 0, NULL, AT(FLAG, compat),
     .text = "compute the motion as GUBAS does, with its mistakes, and write its files"},
    {"tables", 0, "RUN", AT(TEXT, tables),
     .text = "write GUBAS's tables from a run of the scenario, an archive or its directory"},
    {"force", 'f', NULL, AT(FLAG, force), .text = "overwrite an existing file"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but errors"},
    {.name = NULL}};

/* ---- Where to ------------------------------------------------------------------------------------------ */

static int write_file(const arguments *a, const char *text, const remarks *words)
{
    const char *slash = strrchr(a->output, '/');
    char directory[4096], part[4200];
    ph_error err;
    if (!a->force && !access(a->output, F_OK))
        return complain_exists(a->output);
    if (strlen(a->output) >= sizeof directory)
        return complain(EXIT_OUTPUT, "the name of the file is too long");
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash + 1 - a->output) : 1,
             slash ? a->output : ".");
    FILE *out = report_open(directory, slash ? slash + 1 : a->output, part, &err);
    if (out)
        fputs(text, out);
    if (!out || report_close(out, part, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    if (!a->quiet) {
        if (words->n)
            printf("Remarks, and what is taken differently:\n");
        print_remarks(words, stdout, "", "- ");
        printf("Written: %s. Next: polhode check %s, then polhode run %s.\n", a->output, a->output,
               a->output);
    }
    return EXIT_OK;
}

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

/* The text that was written to `memory` goes where it should. */
static int finish(const arguments *a, FILE *memory, char **text, ph_status status, const ph_error *err,
                  const remarks *words)
{
    int code = EXIT_OK;
    if (fclose(memory) || status)
        code = complain(EXIT_INPUT, "%s", status ? err->message : "out of memory");
    else if (a->output)
        code = write_file(a, *text, words);
    else
        fputs(*text, stdout);
    free(*text);
    return code;
}

/* ---- GUBAS --------------------------------------------------------------------------------------------- */

static int write_gubas(const arguments *a, const ph_gubas_case *c, const ph_gubas_solid *solid,
                       const remarks *words)
{
    ph_error err;
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return complain(EXIT_OUTPUT, "out of memory");
    const ph_status status = put_gubas_scenario(memory, c, solid, a->output, words, &err);
    return finish(a, memory, &text, status, &err, words);
}

/* As GUBAS, or from a run. */
static int write_files(const arguments *a, const ph_gubas_case *c, const ph_gubas_solid *solid,
                       const remarks *words)
{
    char folder[4096];
    bool made;
    int code = make_folder(a, c->name, folder, &made);
    if (!code && !a->quiet)
        print_remarks(words, stdout, "", "- ");
    if (!code)
        code = a->compat ? write_compatible(c, folder, a->quiet) : write_tables(c, solid, a->tables, folder);
    if (code && made)
        rmdir(folder); /* where nothing was written */
    if (!code && !a->quiet)
        printf("Written: %s/LagrangianStateOut_... and the other files of GUBAS%s.\n", folder,
               a->compat ? ", by its own equations with their mistakes" : "");
    return code;
}

static int run_gubas_case(const arguments *a, remarks *words)
{
    ph_gubas_case c;
    ph_gubas_solid solid[2];
    ph_error err;
    if (ph_gubas_read(a->path, &c, keep_remark, words, &err))
        return complain(EXIT_INPUT, "%s", err.message);
    if (!a->compat) /* GUBAS takes bodies that are not closed */
        for (size_t i = 0; i < 2; i++)
            if (ph_gubas_solid_of(&c, i, &solid[i], &err))
                return complain(EXIT_INPUT, "%s", err.message);
    if (!a->compat && !a->tables)
        say_differences(words, &c, solid);
    remarks_close(words);
    return a->compat || a->tables ? write_files(a, &c, solid, words) : write_gubas(a, &c, solid, words);
}

/* ---- GRIT ---------------------------------------------------------------------------------------------- */

static int run_grit_case(const arguments *a, remarks *words)
{
    ph_grit_case c;
    ph_error err;
    char *text = NULL;
    size_t size;
    if (a->compat || a->tables)
        return complain(EXIT_INPUT, "%s is a system of GRIT; --compat and --tables belong to GUBAS", a->path);
    if (ph_grit_read(a->path, &c, keep_remark, words, &err))
        return complain(EXIT_INPUT, "%s", err.message);
    say_grit_differences(words, &c);
    remarks_close(words);
    FILE *memory = open_memstream(&text, &size);
    int code = EXIT_OUTPUT;
    if (memory) {
        put_grit_scenario(memory, &c, words);
        code = finish(a, memory, &text, PH_OK, &err, words);
    }
    ph_grit_release(&c);
    return memory ? code : complain(EXIT_OUTPUT, "out of memory");
}

/* Is it a system of GRIT: a file whose name ends with ".json", or a directory with an init_system.json? */
static bool is_grit(const char *path)
{
    char file[4096];
    const size_t n = strlen(path);
    snprintf(file, sizeof file, "%s/init_system.json", path);
    return (n > 5 && !strcmp(path + n - 5, ".json")) || !access(file, F_OK);
}

static int run_gubas(void *pointer)
{
    const arguments *a = pointer;
    remarks words;
    ph_error err;
    if (a->compat && a->tables)
        return complain(
            EXIT_INPUT,
            "--compat and --tables exclude each other: one computes the motion, the other has it from a run");
    if (remarks_open(&words, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    const int code = is_grit(a->path) ? run_grit_case(a, &words) : run_gubas_case(a, &words);
    remarks_close(&words);
    free(words.text);
    return code;
}

const command_row command_gubas = {
    .name = "gubas",
    .summary = "make a scenario of a run of GUBAS or GRIT; GUBAS's own equations and tables",
    .about =
        "Read the files of a run of GUBAS (hou_config.cfg, or ic_input.txt, with Fahnestock's pair of files and shapes) or of GRIT "
        "(init_system.json), and write a scenario that does the same. What is taken differently, and why, is said in its "
        "comments, and with -o also on the standard output. With --compat the motion is computed as GUBAS "
        "computes it, with its mistakes, to compare with its results; with --tables a run of the scenario is written "
        "as GUBAS's tables.",
    .exits = {{0, "done"},
              {1, "the motion by GUBAS's equations ended early"},
              {2, "wrong usage or a mistake in the files"},
              {3, "the files cannot be written"}},
    .options = options,
    .size = sizeof(arguments),
    .run = run_gubas};
