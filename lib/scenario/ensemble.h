/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `ensemble` of a scenario, read: axes, along which members are counted, and the keys that vary along them. What is
 * kept of the document are indices of libyaml's nodes, as their addresses change where nodes are added. */
#ifndef PH_SCENARIO_ENSEMBLE_H
#define PH_SCENARIO_ENSEMBLE_H

#include <polhode/status.h>

#include "draws.h"
#include "yaml.h"

/* As many members as a double counts exactly. */
#define PH_MEMBERS_MOST ((int64_t)1 << 53)

/* Where the values of a key are from. */
typedef enum ph_values_from {
    PH_FROM_LIST,  /* nodes of the document */
    PH_FROM_RANGE, /* equidistant numbers, or those of equal ratios */
    PH_FROM_TABLE, /* numbers of a file */
    PH_FROM_DRAWS  /* random numbers */
} ph_values_from;

/* A key that varies. */
typedef struct ph_varied {
    char path[96]; /* "initial.q[0][1]" */
    int key;       /* index of the node that names it in `ensemble`, for messages */
    char where[96];
    size_t axis;
    size_t columns, first; /* numbers of its value, and the column of the first of them */
    bool list;             /* is the value a list, also of one number? */
    ph_values_from from;
    int *nodes;         /* PH_FROM_LIST: (length of the axis) */
    char **words;       /* (length of the axis) where the values are not numbers, or NULL */
    double *numbers;    /* (length of the axis x columns) of lists and tables, or NULL */
    double least, most; /* PH_FROM_RANGE */
    bool logarithmic;
    ph_draw draw; /* PH_FROM_DRAWS */
    uint32_t stream;
    /* where it is in the document: an entry of a map or a list (ensemble-place.c) */
    int parent;
    size_t entry;
    int scratch; /* the node that stands there for values that are no nodes; 0: none is needed */
    /* where the scenario has numbers in a text, as "[0.1, 0.2] kg": the number of that text, counted from 1, the bytes to replace,
     * and the length of the path that leads to it */
    size_t text, from_byte, to_byte, path_length;
    int64_t now; /* which of its values stands there; -1: none */
} ph_varied;

typedef struct ph_axis {
    int64_t length, stride; /* member i is at (i / stride) % length */
} ph_axis;

/* A text of the scenario in which numbers vary. */
typedef struct ph_varied_text {
    int original, scratch; /* nodes */
} ph_varied_text;

typedef struct ph_ensemble_text {
    ph_yaml *file;
    const char *directory; /* where relative paths begin */
    ph_axis *axes;
    size_t n_axes;
    ph_varied *varied;
    size_t n_varied, columns;
    ph_varied_text *texts;
    size_t n_texts;
    int64_t count;
    uint64_t seed;
    uint32_t files; /* checksum of the tables */
} ph_ensemble_text;

/* e <- the ensemble of the document, whose map `ensemble` is taken out of it; one member and no axes without.
 * (ensemble.c) */
ph_status ph_read_ensemble(ph_ensemble_text *e, ph_yaml *file, const char *directory, ph_error *err);
void ph_free_ensemble(ph_ensemble_text *e); /* not the document */
/* values (columns) <- the k-th value of a key; of words its index (ensemble.c). */
void ph_varied_values(const ph_ensemble_text *e, const ph_varied *v, int64_t k, double *values);
/* Is it no value, but a tangent vector, by which the initial state is moved? (ensemble.c) */
bool ph_varied_moves(const ph_varied *v);
/* e->columns, and where those of each key begin; needs all keys' columns (ensemble.c). */
void ph_count_columns(ph_ensemble_text *e);
/* The key as a node, for messages (ensemble.c). */
ph_node ph_varied_key(const ph_ensemble_text *e, const ph_varied *v);

/* Finds the places of all keys; what is missing in a map is added (ensemble-place.c). */
ph_status ph_place_varied(ph_ensemble_text *e, ph_error *err);
/* Puts the k-th value of a key there, values (columns) (ensemble-place.c). */
void ph_put_varied(ph_ensemble_text *e, ph_varied *v, int64_t k, const double *values);
/* Writes the texts in which numbers vary; values (e->columns) (ensemble-place.c). */
void ph_put_texts(ph_ensemble_text *e, const double *values);
/* The value that stands there as YAML on one line (malloc); NULL without memory (ensemble-place.c). */
char *ph_show_varied(const ph_ensemble_text *e, const ph_varied *v);

/* A checksum of what the ensemble and its members read from files: tables, a plugin, a summary.json, surfaces; 0: nothing. Where names of
 * files may vary, it is that of all members which differ in them, up to 10 000, beginning with this member, the i-th (members.c). */
struct ph_members;
uint32_t ph_members_files(struct ph_members *m, const ph_scenario *member, int64_t i);

#endif
