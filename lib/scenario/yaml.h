/* SPDX-License-Identifier: BSD-3-Clause */
/* A strict, typed binding over libyaml's documents. A node knows its file and its path, so that every
 * message reads  file:line:column: key.path: what is wrong; what would be right.
 *
 * A node is a small value; it is valid as long as its file is. Functions on a document are thread-safe
 * as long as nobody frees it. */
#ifndef PH_SCENARIO_YAML_H
#define PH_SCENARIO_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yaml.h>

#include <polhode/scenario.h>
#include <polhode/status.h>

#include "lib/text/file.h"

typedef struct ph_yaml ph_yaml; /* one document and the name of its file */

typedef struct ph_node {
    ph_yaml *file;
    yaml_node_t *node; /* NULL: the key is absent */
    char path[96];     /* "initial.q[1]"; "" at the top */
} ph_node;

/* ---- Files (yaml.c) ----------------------------------------------------------------------------- */

/* Far more than any scenario needs, and little enough to be held in memory. */
static const size_t ph_yaml_longest = (size_t)64 << 20;

/* Read one document of at most so many bytes. The name is copied. PH_E_PARSE, PH_E_NO_MEMORY. */
ph_status ph_yaml_parse(const char *text, size_t length, size_t longest, const char *name, ph_yaml **file,
                        ph_error *err);
void ph_yaml_free(ph_yaml *file); /* NULL is allowed */
ph_node ph_yaml_root(ph_yaml *file);
/* For node.c: the node of libyaml's index, and the name for messages. */
yaml_node_t *ph_yaml_node(ph_yaml *file, int index);
/* libyaml's index of a node, which stays where nodes are added; their addresses do not. */
int ph_yaml_index(const ph_yaml *file, const yaml_node_t *node);
/* For those who add nodes. */
yaml_document_t *ph_yaml_document(ph_yaml *file);
const char *ph_yaml_name(const ph_yaml *file);

/* The node as YAML on one line (malloc); NULL without memory (flow.c). */
char *ph_node_flow(ph_yaml *file, int index);

/* ---- Messages (node.c) -------------------------------------------------------------------------- */

/* Fill err: position and path of the node, then the text. Returns the status. */
ph_status ph_node_fail(const ph_node *at, ph_error *err, ph_status status, const char *format, ...)
    PH_PRINTF(4, 5);
/* Put position and path of the node before the message that err has. Returns the status. */
ph_status ph_node_blame(const ph_node *at, ph_error *err, ph_status status);

/* ---- Typed reading (node.c): each fails with the position of what is wrong ------------------------ */

bool ph_node_is_map(const ph_node *at);
bool ph_node_is_list(const ph_node *at);
bool ph_node_is_scalar(const ph_node *at);
bool ph_node_is_quoted(const ph_node *at);

/* A map, nothing else, whose keys are words and different. */
ph_status ph_node_map(const ph_node *at, const char *expected, size_t *n, ph_error *err);
/* The i-th entry of a map: the key (for its position), its text, the value. What is no map, or has no such entry, gives
 * "" and nodes that are NULL. */
const char *ph_node_entry(const ph_node *map, size_t i, ph_node *key, ph_node *value);
/* The value of a key of a map; its node is NULL if the key is absent, and of what is no map. */
ph_node ph_node_find(const ph_node *map, const char *name);
/* A map with no other keys than these; values (n_keys) <- their nodes. */
ph_status ph_node_keys(const ph_node *at, const char *expected, const ph_scenario_map *map, ph_node *values,
                       ph_error *err);

/* A list, nothing else. */
ph_status ph_node_list(const ph_node *at, const char *expected, size_t *n, ph_error *err);
/* Its node is NULL beyond the end, and of what is no list. */
ph_node ph_node_item(const ph_node *list, size_t i);

/* Scalars. `expected` says what would be right: "a length in m". */
ph_status ph_node_text(const ph_node *at, const char *expected, const char **text, ph_error *err);
ph_status ph_node_number(const ph_node *at, const char *expected, double *value, ph_error *err);
ph_status ph_node_count(const ph_node *at, const char *expected, int64_t *value, ph_error *err);
ph_status ph_node_bool(const ph_node *at, bool *value, ph_error *err);
/* A list of exactly n numbers. */
ph_status ph_node_numbers(const ph_node *at, const char *expected, double *values, size_t n, ph_error *err);

#endif
