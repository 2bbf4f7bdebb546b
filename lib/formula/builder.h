/* SPDX-License-Identifier: BSD-3-Clause */
/* A system of formulas as it is built, and what its files share. */
#ifndef PH_FORMULA_BUILDER_H
#define PH_FORMULA_BUILDER_H

#include "build.h"
#include "callbacks.h"
#include "lib/expression/formulas.h"

enum { PH_FORMULA_COLUMNS = 256 };

/* How expressions depend on coordinates and velocities (plain.c). */
enum { PH_FORMULA_NOT_PLAIN = 2 };
typedef struct ph_formula_plain {
    unsigned char
        degree; /* in coordinates of factors R^d: 0, 1; or not plain: of a higher one, of t, by other functions */
    bool divides; /* by what depends on coordinates, or has a root: no polynomial */
    ph_expr root; /* the one square root, of a polynomial; PH_NO_EXPR */
} ph_formula_plain;
#define PH_FORMULA_PLAIN_NONE ((ph_formula_plain){.root = PH_NO_EXPR})

typedef struct ph_formula_builder {
    const ph_formula_definition *text;
    const ph_formula_more *more; /* nullable */
    ph_formulas *f;
    ph_formula_user *user;   /* owned until the definition owns it */
    ph_system_definition to; /* what it becomes; below, what that points to */
    ph_space *space;
    ph_expr L;              /* without angular velocities */
    ph_formula_plain plain; /* of it, and of constraints */
    ph_expr *points;        /* (3 n_points) their places */
    size_t *first;          /* (points of the text + 1) which of them is the first of each */
    ph_part_list parts;     /* of the scene; owned */
    ph_expr *constraints;   /* (to.n_constraints) */
    ph_own_column *columns;
    double *numbers; /* a constant inertia */
    ph_linkage linkage;
    void *links; /* its arrays */
    ph_sparse net;
    ph_articulation articulation;
    ph_formula_found found;
    ph_spins spins;
    ph_symmetry symmetries[PH_FORMULA_SYMMETRIES];
    ph_error *err;
} ph_formula_builder;

static inline ph_status ph_formula_no_memory(ph_error *err)
{
    return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

/* f <- the parameters, factors and abbreviations. */
ph_status ph_formula_read_names(const ph_formula_definition *definition, ph_formulas *f, ph_error *err);
ph_status ph_formula_failed(const ph_formula_builder *b); /* of the graph */
ph_expr *ph_formula_nodes(ph_formula_builder *b,
                          size_t n); /* zeros, as long as the formulas; NULL: no memory */
ph_status ph_formula_tape(ph_formula_builder *b, ph_formula_part part, const ph_expr *outs, size_t n);
/* found <- that, too. */
void ph_formula_found_out(ph_formula_builder *b, const char *format, ...) PH_PRINTF(2, 3);
/* A sum by its terms, marked ones (by node, of those there are now) and others; scaled: a constant times a sum is one, too. */
ph_status ph_formula_split(ph_formula_builder *b, ph_expr sum, const unsigned char *marked, bool scaled,
                           ph_expr *others, ph_expr *those);
extern const ph_unit ph_formula_joule;
/* Is a value, whose unit `is`, in the wanted one, where units are checked? */
ph_status ph_formula_in_unit(ph_formula_builder *b, const char *what, const ph_value *value,
                             const ph_unit *is, const ph_unit *wanted);
/* *value <- of a text; unit: in which it should be, where units are checked, or NULL. */
ph_status ph_formula_read(ph_formula_builder *b, const char *what, const char *text, const ph_unit *unit,
                          unsigned flags, ph_value *value);
ph_expr *ph_formula_leaves(ph_formula_builder *b,
                           enum ph_op op); /* (nz + 1) z or v, and behind them time; NULL: no memory */
/* add, for each entry of a text "p[i=0..n]". */
typedef ph_status ph_formula_add(ph_formula_builder *b, const char *what, const ph_value *value);
ph_status ph_formula_each(ph_formula_builder *b, const char *what, const char *text, ph_formula_add *add);
/* *all (of others before; begin with PH_FORMULA_PLAIN_NONE) <- with these (n). */
ph_status ph_formula_find_plain(ph_formula_builder *b, const ph_expr *of, size_t n, ph_formula_plain *all);
/* d (n) <- the derivatives by one leaf. */
void ph_formula_along(ph_formula_builder *b, const ph_expr *in, size_t n, ph_expr leaf, ph_expr *d);

#endif
