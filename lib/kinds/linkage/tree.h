/* SPDX-License-Identifier: BSD-3-Clause */
/* A linkage as a system stores it (ph_linkage): the user's arrays, values computed from them, and the order
 * of elimination. Links are numbered so that parents come first; elimination goes from the last to the first.
 * When link i is eliminated, its row still has entries with its parent (if that is a link) and with the
 * siblings before it: its list in `up`, in ascending order. These links are all coupled to each other
 * already, so that elimination creates no new entries. */
#ifndef PH_KINDS_TREE_H
#define PH_KINDS_TREE_H

#include <stdbool.h>

#include "lib/system/structure.h"

/* A chain as its kernels read it (lib/equations/chain). Lists have zeros behind the links, up to a whole group of four. */
enum { PH_LINKS_FEW = 2 };

typedef struct ph_link_row {
    size_t n, d, cart;                /* links, numbers in a unit vector, axes of the cart (0: none) */
    bool few;                         /* all numbers of a step are in registers, or next to them */
    double root[3], ride[3], fall[3]; /* cart: inverse mass, gravity; gravity that the first link feels */
    double head[3];                   /* inverse mass of the first link and what it hangs on */
    double drop[3];                   /* fall divided by the first length */
    double *l, *il, *w, *both; /* lengths, inverses, inverse masses w_i, w_i + w_{i-1} (w_0 in the first) */
} ph_link_row;

/* The body that such a row hangs on: by which a pull of the first link along its direction moves the hitch, but for 1 / m, and what the
 * hitch lacks of gravity without pulls. */
typedef struct ph_link_body {
    double yields[3], fall[3];
} ph_link_body;

typedef struct ph_tree {
    ph_linkage is;         /* copies of the user's arrays, which callers see */
    size_t n;              /* factors */
    size_t first;          /* the first link: 1 behind a cart, else 0 */
    size_t cart;           /* numbers in the cart's place; 0 without */
    size_t d;              /* numbers in a unit vector */
    bool heavy;            /* is there gravity? */
    bool chain;            /* does each link hang on the factor before it? */
    bool apart;            /* does each factor hang on the fixed point? */
    size_t entries;        /* in all lists */
    size_t *up_start, *up; /* (n + 1), (entries) */
    size_t *up_at;         /* (entries) where these begin in z */
    double *up_weight; /* (entries) +-1 / m of the mass that both hang on, - where one is that one's link */
    size_t *on;        /* (n) where what a link hangs on begins in z; PH_NO_INDEX: on no other link */
    double *length, *mass;  /* (n) is.length, is.mass; length of a cart: 1 */
    double *inverse_length; /* (n) */
    double *inverse_mass;   /* (n) */
    double *hanging;        /* (n) mass at the end of a link and of all that hang on it */
    size_t *parent;         /* (n) is.parent */
    /* of a chain: nothing is lost to overflow or underflow in products of a few of its lengths and masses, and `row` is
     * filled */
    bool ordinary;
    ph_link_row row;
} ph_tree;

/* That of a linkage, or of what is forced with one as its base; NULL of any other system. */
const ph_tree *ph_system_tree(const ph_system *s);
/* ph_structure.release */
void ph_tree_free(void *tree);

/* *tree <- the linkage of a definition, checked. One block. */
ph_status ph_tree_create(const ph_system_definition *d, ph_tree **tree, ph_error *err);

/* Where factor i begins in z. */
static inline size_t ph_tree_at(const ph_tree *t, size_t i)
{
    return i < t->first ? 0 : t->cart + t->d * (i - t->first);
}
/* How many numbers it has. */
static inline size_t ph_tree_numbers(const ph_tree *t, size_t i)
{
    return i < t->first ? t->cart : t->d;
}

/* mu (nz) <- MM v; mu may be v. */
void ph_tree_apply_inertia(const ph_tree *t, const double *v, double *mu);
/* M (n x n) <- the inertia by pairs, without a cart; MM (nz x nz) <- in full. */
void ph_tree_pair_inertia(const ph_tree *t, double *M);
void ph_tree_ambient_inertia(const ph_tree *t, size_t nz, double *MM);
/* *U += the potential of gravity; dU (nz) += its gradient. */
void ph_tree_add_potential(const ph_tree *t, const double *z, double *U);
void ph_tree_add_gradient(const ph_tree *t, double *dU);

/* ph_structure.kinetic (kinetic.c) */
ph_status ph_linkage_kinetic(const ph_system *s, const double *z, const double *p, double *kinetic,
                             double *work);
/* Of ph_sparse_inertia, of a ph_tree (tension-matrix.c) */
size_t ph_tree_tension_size(const void *tree);
/* W (9, nullable): by which a pull on the cart, an R^3, moves it, in the place of its inverse mass. */
ph_status ph_tree_tension_factor(const ph_tree *tree, const double *W, const double *q1, const double *q,
                                 double *F, int *sign);
void ph_tree_tension_solve(const void *tree, const double *F, double *tau);
extern const ph_sparse_inertia ph_tree_sparse;  /* (tensions.c) */
extern const ph_structure ph_structure_linkage; /* (structure.c) */
/* ph_structure.add_points, .add_parts (scene.c) */
bool ph_linkage_points(const ph_system *system, struct ph_scene_points_list *list);
bool ph_linkage_parts(const ph_system *system, const double *down, struct ph_part_list *list);

#endif
