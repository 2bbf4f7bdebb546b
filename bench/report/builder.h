/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON, node by node. Memory may run out anywhere; this is checked once, at the end. A node that could not be
 * made is NULL, and so is the one that would have contained it. */
#ifndef POLHODE_BENCH_BUILDER_H
#define POLHODE_BENCH_BUILDER_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/common/curve.h"
#include "bench/common/surroundings.h"
#include "bench/common/timing.h"

typedef struct builder {
    int failed;
} builder;

/* An intended null is NULL: for a number that is not finite, for a text that is NULL. */
json_object *build_object(builder *b);
json_object *build_array(builder *b);
json_object *build_number(builder *b, double value);
json_object *build_bound(builder *b, double value); /* null for +-DBL_MAX, which is no bound */
json_object *build_count(builder *b, int64_t value);
json_object *build_flag(builder *b, int value);
json_object *build_text(builder *b, const char *value);
/* An array of numbers (n), on one line. */
json_object *build_numbers(builder *b, const double *x, size_t n);
/* An array of the lines of `words`, which is freed; words is NULL if there was no memory for it. */
json_object *build_lines(builder *b, char *words);
json_object *build_timing(builder *b, const timing *t);
/* The largest errors of the bins, on one line; and the times at their ends. */
json_object *build_curve(builder *b, const curve *c);
json_object *build_curve_times(builder *b, const curve *c);
/* o <- version, date, machine, software and seconds. */
void build_surroundings(builder *b, json_object *o, const surroundings *s);

/* These take ownership of the value. */
void build_add(builder *b, json_object *to, const char *key, json_object *value);
void build_append(builder *b, json_object *to, json_object *value);

/* Print the array on one line: a number a line would make the file unreadable. */
json_object *build_on_one_line(builder *b, json_object *list);

/* Print the document on a stream; root is freed. PH_E_NO_MEMORY; the caller checks the stream for errors. */
ph_status build_print(const builder *b, json_object *root, FILE *out, ph_error *err);
/* Write directory/name under another name, then rename it; root is freed. */
ph_status build_file(const builder *b, json_object *root, const char *directory, const char *name,
                     ph_error *err);

#endif
