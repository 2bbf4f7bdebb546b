/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of bench as data: what it is asked, how it is run, and what is made of it. A kind is a folder with a
 * `const bench_kind`, and a row of bench/kinds.def. The program reads the options, prepares the directory,
 * shows progress, prints and writes, the same for all. */
#ifndef POLHODE_BENCH_KIND_H
#define POLHODE_BENCH_KIND_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/common/surroundings.h"
#include "bench/common/watch.h"
#include "bench/report/builder.h"
#include "bench/report/page.h"

enum { BENCH_TEXTS_MOST = 64, BENCH_NUMBERS_MOST = 16 };

/* What an option that may be repeated gathers. */
typedef struct bench_texts {
    const char *at[BENCH_TEXTS_MOST];
    size_t n;
} bench_texts;

typedef struct bench_numbers {
    double at[BENCH_NUMBERS_MOST];
    size_t n;
} bench_numbers;

/* What every run is asked: the first member of each kind's own struct, which goes on with what its own
 * options set, and what it measures. */
typedef struct bench_run {
    const char *const *names; /* (n_names) operands */
    size_t n_names;
    const char *directory;   /* where to write; while it is loaded, NULL for the default, */
    const char *named_after; /* which is this without its ending + .bench.out; NULL: bench.out */
    int force, quiet, json, list;
    int resume;         /* what is there may be replaced, as it is continued */
    size_t n_items;     /* that are to be made, one after the other; 0: it is all there */
    size_t made;        /* of them, the last one perhaps interrupted */
    int interrupted;    /* before its end */
    surroundings where; /* set when all is made, unless there was nothing to make */
    const char *remark; /* a line behind the message where it cannot be loaded, or NULL */
} bench_run;

/* ---- Options --------------------------------------------------------------------------------------- */

/* Where an option's argument goes: a member of the kind's struct of the type that is named here. */
typedef enum bench_value {
    BENCH_OPERAND,     /* nowhere: a word of the usage */
    BENCH_FLAG,        /* int, set to 1; no argument */
    BENCH_TEXT,        /* const char * */
    BENCH_TEXTS,       /* bench_texts, `most` of them */
    BENCH_SECONDS,     /* double > 0 */
    BENCH_SECONDS_ALL, /* bench_numbers */
    BENCH_WHOLE,       /* int64_t from 1 to `most` */
    BENCH_HELP         /* nowhere; no argument */
} bench_value;

typedef struct bench_option {
    const char *name;     /* --name; NULL ends the list */
    int letter;           /* -x, or 0 */
    const char *argument; /* its word in the help; NULL: it takes none */
    bench_value value;
    size_t offset; /* of the member */
    /* for messages. BENCH_TEXTS: "methods"; BENCH_WHOLE: what it must be; others: "the step size" */
    const char *what;
    double most;
    const char *text; /* for the help, which wraps it */
} bench_option;

/* clang-format off */
/* The options of every kind: the help's words on where it writes, on --force, and on --json; that of a kind
 * that has a list of what there is; and the last rows. */
#define BENCH_OPTIONS(where, again, document) \
    {"output", 'o', "DIR", BENCH_TEXT, offsetof(bench_run, directory), NULL, 0, where}, \
    {"force", 'f', NULL, BENCH_FLAG, offsetof(bench_run, force), NULL, 0, again}, \
    {"quiet", 'q', NULL, BENCH_FLAG, offsetof(bench_run, quiet), NULL, 0, "no progress"}, \
    {"json", 0, NULL, BENCH_FLAG, offsetof(bench_run, json), NULL, 0, document}
#define BENCH_LIST(what) {"list", 'l', NULL, BENCH_FLAG, offsetof(bench_run, list), NULL, 0, what}
#define BENCH_END \
    {"help", 'h', NULL, BENCH_HELP, 0, NULL, 0, "this text"}, \
    {NULL, 0, NULL, BENCH_HELP, 0, NULL, 0, NULL}
/* clang-format on */

/* ---- Kinds ----------------------------------------------------------------------------------------- */

/* A table as CSV: its file, its first line, its rows. */
typedef struct bench_table {
    const char *file, *head;
    void (*put)(FILE *f, const bench_run *run);
} bench_table;

typedef struct bench_kind {
    /* the word behind `bench`, "" for the one that needs none; that of its default directory */
    const char *name;

    /* ---- For the help ---- */
    const char *synopsis;  /* what stands behind the name in the usage */
    const char *synopsis2; /* where its own help has it otherwise, or NULL */
    const char *summary;   /* for the list of commands */
    const char *phrase;    /* "what archiving costs": where the other kinds are named */
    const char *about;     /* a paragraph, wrapped, and at \n; its %s is the phrases of all others */
    const char *exits;     /* exit status */
    const bench_option *options;

    /* ---- What is done ---- */
    size_t size;          /* of its struct */
    const void *defaults; /* what the struct is at first */
    /* What is asked for is checked, and loaded: nothing has been written yet. Sets n_items. */
    ph_status (*load)(bench_run *run, ph_error *err);
    void (*list)(FILE *out);               /* for --list, or NULL */
    json_object *(*list_json)(builder *b); /* the same with --json, or NULL */
    /* Item i. PH_E_INTERRUPTED: what there is of it is kept. PH_E_IO, PH_E_EXISTS: it cannot be written. */
    ph_status (*make)(bench_run *run, size_t i, bench_watch *watch, ph_error *err);
    /* When all is made, or was interrupted: what is reported is made of it; or NULL. */
    ph_status (*conclude)(bench_run *run, ph_error *err);
    /* Is all that was made to be trusted? If not, the message says what is not. Or NULL. */
    ph_status (*verify)(const bench_run *run, ph_error *err);
    void (*release)(bench_run *run);

    /* ---- What is made of it ---- */
    /* Item i on the terminal, table and words, as soon as it is made; with print_last all of it, when it is
     * written. */
    void (*print)(FILE *out, const bench_run *run, size_t i);
    int print_last;
    const char *json_file;
    json_object *(*json)(builder *b, const bench_run *run);
    const bench_table *tables; /* the one without a file ends them; or NULL */
    const page_frame *page;    /* report.html, or NULL */
    /* A picture for itself, where figures can be drawn; or NULL. */
    const char *picture_file;
    ph_status (*picture)(const bench_run *run, const char *directory, ph_error *err);
    const char *hint; /* behind "what there is was written" after an interruption, or NULL */
} bench_kind;

/* The name of file i of a kind, the page first; NULL behind the last. */
const char *bench_file(const bench_kind *kind, size_t i);
/* All files, each written aside and then renamed. */
ph_status bench_write(const bench_kind *kind, const bench_run *run, const char *directory,
                      report_figures *figures, ph_error *err);
/* What its JSON file has. */
ph_status bench_print_json(const bench_kind *kind, const bench_run *run, FILE *out, ph_error *err);

#endif
