/* SPDX-License-Identifier: BSD-3-Clause */
/* A command of the program as a row: what its help says, its options and operands, a row each, and what it runs. The
 * program reads the command line and writes the help from these rows (tools/options.c), for all commands and for all
 * kinds of bench. */
#ifndef POLHODE_BENCH_COMMAND_H
#define POLHODE_BENCH_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values of an option that may be repeated, of a list, or all operands. They live as long as the arguments. */
typedef struct option_texts {
    const char *const *at; /* (n) */
    size_t n;
} option_texts;

typedef struct option_numbers {
    const double *at; /* (n) */
    size_t n;
} option_numbers;

/* What a row is, and the type of the member that it sets. */
typedef enum option_kind {
    OPTION_FLAG,           /* bool; no argument */
    OPTION_TEXT,           /* const char *, not empty */
    OPTION_TEXTS,          /* option_texts: the option may be repeated, `most` times if that is not 0 */
    OPTION_LIST,           /* option_texts: the words of "t,q1x,energy", at least one */
    OPTION_WHOLE,          /* int64_t from `least` to `most`, or without a bound if that is 0 */
    OPTION_NUMBER,         /* double, finite */
    OPTION_POSITIVE,       /* double > 0 */
    OPTION_TIME,           /* double, finite [s] */
    OPTION_DURATION,       /* double >= 0 [s] */
    OPTION_POSITIVE_TIME,  /* double > 0 [s] */
    OPTION_POSITIVE_TIMES, /* option_numbers > 0 [s]: the option may be repeated, as OPTION_TEXTS */
    OPTION_OPERAND,        /* const char *: the one operand */
    OPTION_ARCHIVE,        /* the same, a path; of a directory becomes that of the one archive in it */
    OPTION_OPERANDS        /* option_texts: any number of operands; several such rows share the member */
} option_kind;

/* "kind, offset" of a row, for a member that must have the type of its kind: OPTION_AT(FLAG, arguments, force). */
#define OPTION_AT(kind, structure, member)                                                                   \
    OPTION_##kind, offsetof(structure, member) +                                                             \
                       0 * sizeof(_Generic(&((structure *)0)->member, OPTION_TYPE_##kind * : 0))
#define OPTION_TYPE_FLAG bool
#define OPTION_TYPE_TEXT const char *
#define OPTION_TYPE_TEXTS option_texts
#define OPTION_TYPE_LIST option_texts
#define OPTION_TYPE_WHOLE int64_t
#define OPTION_TYPE_NUMBER double
#define OPTION_TYPE_POSITIVE double
#define OPTION_TYPE_TIME double
#define OPTION_TYPE_DURATION double
#define OPTION_TYPE_POSITIVE_TIME double
#define OPTION_TYPE_POSITIVE_TIMES option_numbers
#define OPTION_TYPE_OPERAND const char *
#define OPTION_TYPE_ARCHIVE const char *
#define OPTION_TYPE_OPERANDS option_texts

typedef struct option_row {
    const char *name;     /* --name, or the word of an operand; NULL ends the rows */
    int letter;           /* -x, or 0 */
    const char *argument; /* its word in the help, NULL for a flag; of an operand: what messages call it */
    option_kind kind;
    size_t offset;    /* of the member: OPTION_AT */
    const char *text; /* for the help, which wraps it */
    double least, most;
    bool required; /* it has to be given: an OPTION_TEXT with a letter, or an OPTION_OPERAND */
} option_row;

typedef struct exit_row {
    int status;
    const char *text; /* when it is the exit status of the program */
} exit_row;

typedef struct command_row {
    const char *name;            /* "export", "bench scaling" */
    const char *program;         /* whose command it is; NULL: polhode */
    const char *summary;         /* what it does, for the list of commands */
    const char *about;           /* what it does, for its help, which wraps it; \n begins another line */
    const char *notes;           /* the same, behind the options; or NULL */
    exit_row exits[6];           /* the one without a text ends them */
    const char *form;            /* another form of its usage behind its name, as "--advise FILE"; or NULL */
    const option_row *options;   /* without --help, which each command has */
    size_t size;                 /* of the struct of its arguments, whose members the options set */
    const void *defaults;        /* what the struct is at first, or NULL: all 0 */
    int (*run)(void *arguments); /* returns an exit code; NULL for kinds of bench, which tools/bench.c runs */
} command_row;

#endif
