/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of bench as data: its command with its options, how it is run, and how its results are shown. A kind is a
 * folder with a `const bench_kind`, and a row of bench/kinds.def. The program reads the options, prepares the
 * directory, shows progress, prints and writes, the same for all. */
#ifndef POLHODE_BENCH_KIND_H
#define POLHODE_BENCH_KIND_H

#include <stddef.h>
#include <stdio.h>

#include "bench/common/command.h"
#include "bench/common/surroundings.h"
#include "bench/common/watch.h"
#include "bench/kind/list.h"
#include "bench/report/builder.h"
#include "bench/report/page.h"
#include "bench/report/results.h"

/* The arguments of every kind: the first member of each kind's own struct, whose further members its own
 * options set, and hold what it measures. */
typedef struct bench_run {
    option_texts names;      /* operands */
    option_texts set;        /* KEY=VALUE, in scenarios among them */
    const char *directory;   /* where to write; while it is loaded, NULL for the default, */
    const char *named_after; /* which is this without its ending + .bench.out; NULL: bench.out */
    bool force, quiet, json, list;
    bool resume;        /* existing results may be replaced, as they are continued */
    size_t n_items;     /* that are to be made, one after the other; 0: all exist already */
    size_t made;        /* of them, the last one perhaps interrupted */
    int interrupted;    /* before its end */
    surroundings where; /* set when all is made, unless n_items is 0 */
    const char *remark; /* a line behind the message where it cannot be loaded, or NULL */
} bench_run;

/* clang-format off */
/* The options of every kind: the help's words on where it writes, on --force, on --quiet where that is more than no progress, and on --json; that of a kind
 * that has a list of problems or motions. */
#define BENCH_OPTIONS(where, again, document) BENCH_OPTIONS_QUIET(where, again, "no progress", document)
#define BENCH_OPTIONS_QUIET(where, again, silence, document) \
    {"output", 'o', "DIR", OPTION_AT(TEXT, bench_run, directory), .text = where}, \
    {"force", 'f', NULL, OPTION_AT(FLAG, bench_run, force), .text = again}, \
    {"quiet", 'q', NULL, OPTION_AT(FLAG, bench_run, quiet), .text = silence}, \
    {"json", 0, NULL, OPTION_AT(FLAG, bench_run, json), .text = document}
#define BENCH_LIST(what) {"list", 'l', NULL, OPTION_AT(FLAG, bench_run, list), .text = what}
#define BENCH_EXITS \
    {3, "the results cannot be written"}, {130, "interrupted; results up to there were written"}
/* clang-format on */

/* ---- Kinds ----------------------------------------------------------------------------------------- */

/* A table as CSV: its file, its first line; its rows, or what writes them. */
typedef struct bench_table {
    const char *file, *head;
    void (*put)(FILE *f, const bench_run *run);
    const result_rows *path[RESULT_LEVELS]; /* from the arguments on, where put is NULL */
} bench_table;

typedef struct bench_kind {
    command_row
        command; /* "bench", "bench scaling"; its arguments are a struct that begins with a bench_run */
    /* Checks and loads what the arguments name, before anything is written. Sets n_items. */
    ph_status (*load)(bench_run *run, ph_error *err);
    /* For --list, and the same with --json: of a kind that has a list of systems these, and NULL in the others. Or
     * there is neither. */
    bench_list systems;
    void (*list)(FILE *out);
    json_object *(*list_json)(builder *b); /* NULL: as without --json */
    /* Item i. PH_E_INTERRUPTED: the part that was made is kept. PH_E_IO, PH_E_EXISTS: it cannot be written. */
    ph_status (*make)(bench_run *run, size_t i, bench_watch *watch, ph_error *err);
    /* Computes what is reported, when all is made or was interrupted; or NULL. */
    ph_status (*conclude)(bench_run *run, ph_error *err);
    /* Can the results be trusted? If not, the message says which cannot. Or NULL. */
    ph_status (*verify)(const bench_run *run, ph_error *err);
    void (*release)(bench_run *run);

    /* ---- How results are shown ---- */
    /* Item i on the terminal, table and words, as soon as it is made; with print_last all of it, when it is
     * written. */
    void (*print)(FILE *out, const bench_run *run, size_t i);
    int print_last;
    const char *json_file;
    json_object *(*json)(builder *b, const bench_run *run); /* or NULL: */
    const char *json_name;       /* the key of the number of its format, which is 1, */
    const result_field *results; /* and, behind what every kind has, these fields of the arguments */
    const bench_table *tables;   /* the one without a file ends them; or NULL */
    const page_frame *page;      /* report.html, or NULL */
    /* A picture for itself, where figures can be drawn; or NULL. */
    const char *picture_file;
    ph_status (*picture)(const bench_run *run, const char *directory, ph_error *err);
    const char *hint; /* behind the message of an interruption, or NULL */
} bench_kind;

/* The name of file i of a kind, the page first; NULL behind the last. */
const char *bench_file(const bench_kind *kind, size_t i);
/* All files, each written aside and then renamed. */
ph_status bench_write(const bench_kind *kind, const bench_run *run, const char *directory, ph_error *err);
/* What its JSON file has. */
ph_status bench_print_json(const bench_kind *kind, const bench_run *run, FILE *out, ph_error *err);

#endif
