/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON, node by node. Memory may end anywhere; it is noticed at the end, once. A node that could not be made
 * is NULL, and so is what should have held it. */
#ifndef POLHODE_BENCH_BUILDER_H
#define POLHODE_BENCH_BUILDER_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/common/surroundings.h"
#include "bench/common/timing.h"

typedef struct builder {
    int failed;
} builder;

/* A null, where it is meant, is a NULL: of a number that is not finite, of a text that is none. */
json_object *build_object(builder *b);
json_object *build_array(builder *b);
json_object *build_number(builder *b, double value);
json_object *build_bound(builder *b, double value); /* null for +-DBL_MAX, which is no bound */
json_object *build_count(builder *b, int64_t value);
json_object *build_flag(builder *b, int value);
json_object *build_text(builder *b, const char *value);
/* The lines of the words, which are taken over; NULL: there was no memory for them. */
json_object *build_lines(builder *b, char *words);
json_object *build_timing(builder *b, const timing *t);
/* o <- version, date, machine, software and seconds. */
void build_surroundings(builder *b, json_object *o, const surroundings *s);

/* These take the value over. */
void build_add(builder *b, json_object *to, const char *key, json_object *value);
void build_append(builder *b, json_object *to, json_object *value);

/* Print the array on one line: a number a line makes a file that nobody can look at. */
json_object *build_on_one_line(builder *b, json_object *list);

/* The document on a stream; root is given back. PH_E_NO_MEMORY; what the stream says of errors is its own. */
ph_status build_print(const builder *b, json_object *root, FILE *out, ph_error *err);
/* directory/name, written aside and then renamed; root is given back. */
ph_status build_file(const builder *b, json_object *root, const char *directory, const char *name,
                     ph_error *err);

#endif
