/* SPDX-License-Identifier: BSD-3-Clause */
/* Formulas as text: the names that they may use (factors of the configuration, parameters, abbreviations), and
 * their values as nodes of a graph. A value is a number, a vector or a matrix of nodes, with a unit.
 *
 *     formula    = sum ;                              constraint = sum [ "=" sum ] ;
 *     sum        = term { ("+" | "-") term } ;        term  = unary { ("*" | "/") unary } ;
 *     unary      = { "+" | "-" } power ;              power = postfix [ "^" unary ] ;
 *     postfix    = primary { "." ("x" | "y" | "z" | "T") | "[" whole { "," whole } "]" } ;
 *     primary    = number | name | name "(" [ sum { "," sum } ] ")" | "(" sum ")" | "[" sum { "," sum } "]"
 *                | "sum" "(" name "=" whole ".." whole "," sum ")" ;
 *     whole      = a sum that is a whole number, known while the text is read: its names are whole parameters and
 *                  indices
 *
 * A text is read and evaluated in one pass. What it may take is bounded: see the enumeration of limits. */
#ifndef PH_EXPRESSION_FORMULAS_H
#define PH_EXPRESSION_FORMULAS_H

#include "graph.h"

#include <polhode/space.h>

enum {
    PH_FORMULA_LONGEST = 1 << 16, /* bytes of a text */
    PH_FORMULA_DEPTH = 200,       /* of brackets and powers */
    PH_FORMULA_TERMS = 10000,     /* of a sum with an index */
    PH_FORMULA_ITEMS = 4096,      /* of a vector, a matrix, a list */
    PH_FORMULA_WORK = 1 << 25,    /* numbers in all values of all formulas, sums written out */
    PH_FORMULA_NAME = 48          /* bytes of a name, with the 0 */
};

/* Exponents of m, kg, s, A, K, mol, cd, in twelfths: those of roots are whole, too. */
enum { PH_UNITS = 7, PH_UNIT_ONE = 12 };
typedef struct ph_unit {
    int16_t of[PH_UNITS];
} ph_unit;

ph_unit ph_unit_product(const ph_unit *a, const ph_unit *b, int power); /* a b^power */
/* *unit, *factor <- of "kg m^2/s^2", "N s/m", "km", "deg": one of it is *factor in SI units. PH_E_PARSE, PH_E_UNKNOWN. */
ph_status ph_unit_read(const char *text, ph_unit *unit, double *factor, ph_error *err);
/* to <- the unit by its name if it has one ("J"), or of the base ("kg m^2/s^2"); "a pure number" without. Returns to. */
const char *ph_unit_text(const ph_unit *unit, char to[96]);

typedef struct ph_value {
    unsigned rank; /* 0: a number, 1: a vector, 2: a matrix */
    uint32_t rows, columns;
    const ph_expr *item; /* (rows x columns), owned by the formulas */
    ph_unit unit;
} ph_value;

typedef enum ph_name_kind {
    PH_NAME_FACTOR,
    PH_NAME_RATE,
    PH_NAME_PARAMETER,
    PH_NAME_ABBREVIATION
} ph_name_kind;

typedef struct ph_name {
    char name[PH_FORMULA_NAME];
    ph_name_kind kind;
    bool list; /* are there several, by an index from `first`? */
    int64_t first;
    size_t n;        /* how many; else 1 */
    ph_value *value; /* (n); of a factor at least one, whose shape those of an empty list have */
    size_t factor;   /* of a factor: the first of `factors` that it names, if it names one */
    size_t n_omega;  /* likewise: numbers of an angular velocity */
    bool whole;      /* a parameter that is a whole number without a unit, which may be an index: */
    int64_t number;
    bool no_unit; /* a parameter without a unit that was not used as an index either */
    bool used;    /* in a text that was read */
    size_t next;  /* the name of the same bucket before it, counted from 1 */
} ph_name;

/* A factor of the configuration space. */
typedef struct ph_formula_factor {
    size_t name; /* in names */
    ph_factor_kind kind;
    size_t z, nz, omega, n_omega; /* where its coordinates are; its angular velocity, of n_omega numbers */
} ph_formula_factor;

typedef struct ph_formulas {
    ph_graph graph;
    ph_name *names;
    size_t n_names, bucket[256]; /* the last name of each, from 1 */
    ph_formula_factor *factors;
    size_t n_factors, nz, n_omega;
    double *parameters; /* (n_parameters) their numbers, in SI units */
    size_t n_parameters;
    ph_expr_map rates; /* d() of all nodes so far */
    size_t work;       /* left */
    struct ph_formula_block *memory;
} ph_formulas;

ph_status ph_formulas_create(ph_formulas **formulas, ph_error *err);
void ph_formulas_free(ph_formulas *f);

/* In this order: parameters, factors, abbreviations, formulas. Messages begin with `what`, "parameters: " and the like.
 * PH_E_PARSE for a text, PH_E_INVALID for a name, PH_E_UNKNOWN for a unit, PH_E_RANGE, PH_E_NO_MEMORY. */

/* rank 0 to 2; v (rows x columns); unit: NULL or "" without. */
ph_status ph_formulas_add_parameter(ph_formulas *f, const char *name, unsigned rank, size_t rows,
                                    size_t columns, const double *v, const char *unit, ph_error *err);
/* kind: "R3", "S1", "S2", "SO3", "spin", each with "[n]" for n of them; unit: of the coordinates of R^d, NULL: m. */
ph_status ph_formulas_add_factor(ph_formulas *f, const char *name, const char *kind, const char *unit,
                                 ph_error *err);
/* head: "p", "p[0]", "p[i=1..n]"; later ones add to the list. */
ph_status ph_formulas_abbreviate(ph_formulas *f, const char *head, const char *text, ph_error *err);

enum {
    PH_FORMULA_EQUATION = 1, /* may be "a = b", which is a - b */
    PH_FORMULA_ROUGH = 2,    /* may have abs, min, max, atan2, angle; has no derivative then */
    PH_FORMULA_NUMBER = 4    /* must be a number */
};
/* *value <- of the text. PH_E_PARSE, with a message of three lines: what is wrong, the text, a caret below it. */
ph_status ph_formulas_read(ph_formulas *f, const char *what, const char *text, unsigned flags,
                           ph_value *value, ph_error *err);

size_t ph_value_items(const ph_value *v);
bool ph_value_is_zero(const ph_value *v);

/* ---- Between the files of this folder --------------------------------------------------------------- */

/* Memory that lasts as long as the formulas, zeros; NULL: graph.failed. */
void *ph_formulas_room(ph_formulas *f, size_t bytes);
bool ph_formulas_grow(void **list, size_t n, size_t bytes); /* room for entry n, of so many bytes? */
bool ph_formula_is_name(const char *name, size_t length);
ph_name *ph_formulas_find(const ph_formulas *f, const char *name, size_t length);
/* A new name, without values; NULL: err. */
ph_name *ph_formulas_add_name(ph_formulas *f, const char *name, size_t length, ph_name_kind kind,
                              ph_error *err);
/* The first parameter that no text has; NULL: each is used. */
const char *ph_formulas_unused(const ph_formulas *f);
/* The first parameter without a unit, where others have one; or else NULL. */
const char *ph_formulas_without_unit(const ph_formulas *f);
/* Are units checked: has each parameter one? */
bool ph_formulas_have_units(const ph_formulas *f);
bool ph_formula_reserved(const char *name, size_t length); /* is it a word of the language? */
/* *n <- the whole number that the text is, NULL-terminated or up to `length`. */
ph_status ph_formulas_read_whole(ph_formulas *f, const char *what, const char *text, int64_t *n,
                                 ph_error *err);
/* "p[0]", "p[i=1..n]": a list of entries first to last, by an index (a new name, or ""); p has `length` bytes. */
typedef struct ph_list_head {
    size_t length;
    char index[PH_FORMULA_NAME];
    int64_t first, last;
} ph_list_head;
ph_status ph_formulas_read_list(ph_formulas *f, const char *what, const char *head, ph_list_head *list,
                                ph_error *err);
/* One entry of a list: index i is bound to `at` while the text is read. */
ph_status ph_formulas_read_at(ph_formulas *f, const char *what, const char *text, const char *index,
                              int64_t at, ph_value *value, ph_error *err);

#endif
