/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems of a kind of bench that has a list of them: names for the command line, words for people. */
#ifndef POLHODE_BENCH_LIST_H
#define POLHODE_BENCH_LIST_H

#include <stddef.h>
#include <stdio.h>

#include "bench/report/builder.h"

/* An array of structs, whose first members are name and words. */
typedef struct bench_list {
    const void *first;
    size_t n, stride; /* at most BENCH_LIST_MOST; the size of a struct */
    int width;        /* of the column of names */
} bench_list;
enum { BENCH_LIST_MOST = 64 };

/* For --list, and for --list --json. */
void list_print(FILE *out, const bench_list *list);
json_object *list_json(builder *b, const bench_list *list);
/* *i <- the index of the name. PH_E_UNKNOWN with a suggestion. */
ph_status list_find(const bench_list *list, const char *name, size_t *i, ph_error *err);

#endif
