/* SPDX-License-Identifier: BSD-3-Clause */
/* Results, described once: a result is a C struct, its fields are rows with name, type and place, and lists of results
 * follow one from the other. From this follow JSON, CSV, tables for a terminal and tables of a page. A value that is
 * absent (a number that is not finite, a text that is NULL, a part that was not measured) is null in JSON, an empty
 * field of CSV, "-" in a terminal and a dash in a page. */
#ifndef POLHODE_BENCH_RESULTS_H
#define POLHODE_BENCH_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "builder.h"

/* ---- Values --------------------------------------------------------------------------------------- */

typedef struct result_value {
    enum { VALUE_ABSENT, VALUE_NUMBER, VALUE_WHOLE, VALUE_FLAG, VALUE_WORD } type;
    double number;
    int64_t whole; /* or a flag */
    const char *word;
} result_value;

result_value value_number(double number); /* absent where it is not finite */
result_value value_whole(int64_t whole);
result_value value_flag(bool flag);
result_value value_word(const char *word); /* absent where it is NULL */
extern const result_value value_absent;

/* ---- Fields --------------------------------------------------------------------------------------- */

/* The type of the member of a struct. */
typedef enum result_type {
    RESULT_END,    /* behind the last field */
    RESULT_NUMBER, /* double */
    RESULT_BOUND,  /* double, +-DBL_MAX being no bound */
    RESULT_WHOLE,  /* int64_t */
    RESULT_SIZE,   /* size_t */
    RESULT_INT,    /* int */
    RESULT_FLAG,   /* bool */
    RESULT_WORD,   /* const char * */
    RESULT_TEXT,   /* char[], "" being absent: RESULT_TEXT_AT */
    RESULT_STATUS, /* ph_status: its name */
    RESULT_MADE,   /* `value` of the struct */
    RESULT_TIMING, /* timing: build_timing; JSON only, as all that follow */
    RESULT_CURVE,  /* curve: build_curve, and */
    RESULT_TIMES,  /* curve: build_curve_times */
    RESULT_NODE,   /* `node` of the struct */
    RESULT_PART,   /* `rows`: the first of them as an object */
    RESULT_ROWS    /* `rows`: all of them as an array */
} result_type;

/* Type and offset of a field, for a member that must have the type. */
#define RESULT_AT(kind, structure, member)                                                                   \
    .type = RESULT_##kind,                                                                                   \
    .offset = offsetof(structure, member) +                                                                  \
              0 * sizeof(_Generic(&((structure *)0)->member, RESULT_TYPE_##kind * : 0))
#define RESULT_TYPE_NUMBER double
#define RESULT_TYPE_BOUND double
#define RESULT_TYPE_WHOLE int64_t
#define RESULT_TYPE_SIZE size_t
#define RESULT_TYPE_INT int
#define RESULT_TYPE_FLAG bool
#define RESULT_TYPE_WORD const char *
#define RESULT_TYPE_STATUS ph_status
#define RESULT_TYPE_TIMING timing
#define RESULT_TYPE_CURVE curve
#define RESULT_TYPE_TIMES curve
#define RESULT_TEXT_AT(structure, member)                                                                    \
    .type = RESULT_TEXT,                                                                                     \
    .offset = offsetof(structure, member) + 0 * sizeof(_Generic(&((structure *)0)->member[0], char * : 0))
/* The same of a member of a struct that the struct points to. */
#define RESULT_VIA(kind, structure, pointer, pointed, member)                                                \
    RESULT_AT(kind, pointed, member), .via = offsetof(structure, pointer) + 1

struct result_rows;
typedef struct result_field {
    const char *name; /* its key in JSON, and its column without the unit in CSV */
    result_type type;
    size_t offset;
    size_t via; /* offset, plus 1, of the pointer to the struct that has it; 0: it is in the struct itself */
    const char *csv;    /* its column in CSV where that has another name; or NULL */
    const char *format; /* of a number in CSV; NULL: "%.9g" */
    bool not_in_json;
    bool (*when)(const void *row);          /* else it is absent; NULL: always there */
    result_value (*value)(const void *row); /* of a RESULT_MADE, */
    json_object *(*node)(builder *b, const void *row);
    const struct result_rows *rows;
} result_field;

/* The member, and its value. */
const void *result_member(const result_field *field, const void *row);
result_value result_value_of(const result_field *field, const void *row);

/* ---- Rows ----------------------------------------------------------------------------------------- */

/* Results that another one has: the elements of an array of structs, or what `next` finds. */
typedef struct result_rows {
    const result_field *fields;
    size_t at; /* offset of the array in the struct that has it, or of the pointer to it */
    bool is_pointer;
    size_t size, most;            /* of an element; how many: `most`, or, where that is 0, */
    size_t n;                     /* offset of their number, a size_t */
    bool (*has)(const void *row); /* else it is left out; NULL: none is */
    /* instead of all that: the next one, where *i is 0 at first and the function's to change; NULL behind the last. room:
     * RESULT_ROOM bytes that live as long as the row, for one that has to be made */
    const void *(*next)(const void *of, size_t *i, void *room);
} result_rows;
enum { RESULT_ROOM = 512 };

/* An array of n (a constant) in a struct, one that the struct points to with its number n (a member), a struct in a struct. */
#define RESULT_ARRAY(structure, member)                                                                      \
    .at = offsetof(structure, member), .size = sizeof((structure *)0)->member[0],                            \
    .most = sizeof((structure *)0)->member / sizeof((structure *)0)->member[0]
#define RESULT_LIST(structure, member, number)                                                               \
    .at = offsetof(structure, member), .is_pointer = true, .size = sizeof *((structure *)0)->member,         \
    .n = offsetof(structure, number) + 0 * sizeof(_Generic(&((structure *)0)->number, size_t * : 0))
#define RESULT_SOME(structure, member, number)                                                               \
    .at = offsetof(structure, member), .size = sizeof((structure *)0)->member[0],                            \
    .n = offsetof(structure, number) + 0 * sizeof(_Generic(&((structure *)0)->number, size_t * : 0))
#define RESULT_ONE(structure, member)                                                                        \
    .at = offsetof(structure, member), .size = sizeof((structure *)0)->member, .most = 1

/* The next row of what `of` has; NULL behind the last. *i is 0 at first. */
const void *result_next(const result_rows *rows, const void *of, size_t *i, void *room);

/* ---- JSON ----------------------------------------------------------------------------------------- */

/* o <- all fields of a row; the same as an object; all rows as an array. */
void result_add(builder *b, json_object *o, const result_field *fields, const void *row);
json_object *result_object(builder *b, const result_field *fields, const void *row);
json_object *result_array(builder *b, const result_rows *rows, const void *of);

/* ---- Tables --------------------------------------------------------------------------------------- */

/* Rows within rows: those of the first are of `of`, those of the second of one of the first; NULL ends them. A line of a table
 * stands for a row of the last, and has fields of all, by name, the last first. A RESULT_PART that is absent has a line, with
 * its fields empty. */
enum { RESULT_LEVELS = 4 };
typedef const result_rows *const *result_path;

/* CSV: the head line, whose names without their units are fields, and a line for each row. */
void result_csv(FILE *f, const char *head, result_path path, const void *of);

/* A column for readers. */
typedef struct result_column {
    const char *name; /* of its field; NULL ends the columns */
    const char *head; /* \n begins its next line; NULL: the heads end before */
    /* a terminal: "%9.4g", "%-20s", also of a whole number "%5.0f". A page: NULL, an error: "3.2e-04"; of a word as it is */
    const char *format;
    double scale;                          /* of the number; 0: 1 */
    void (*put)(FILE *f, const void *row); /* instead, of a row of the last; in a page with <td> */
} result_column;

/* A terminal: the heads, unless those are NULL, and the rows; between columns is a space. after: what is written at the end of a
 * line, or NULL. */
void result_words(FILE *out, const char *indent, const result_column *columns, result_path path,
                  const void *of, void (*after)(FILE *out, const void *row));
/* A table of a page; the first column names the row. */
void result_page(FILE *f, const char *caption, const result_column *columns, result_path path,
                 const void *of);

#endif
