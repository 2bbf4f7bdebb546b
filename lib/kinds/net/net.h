/* SPDX-License-Identifier: BSD-3-Clause */
/* The sparse inverse inertia W of a system (ph_sparse) as it is kept, of n vectors of d numbers each:
 *     MM^{-1} = W (x) I_d,   T_ij = W_ij q'_i . q_j   (of an R^d: T_ii = 1, and nothing else).
 * W is factored once, where the system is created, T whenever it is asked for, in the same pattern. */
#ifndef PH_KINDS_NET_H
#define PH_KINDS_NET_H

#include "lib/algebra/elimination.h"
#include "lib/system/system.h"

/* An entry of W off the diagonal, of two factors, the first of which is eliminated before the second. */
typedef struct ph_coupling {
    double weight;
    uint32_t first, second;
    size_t entry; /* in the lists of the elimination */
} ph_coupling;

typedef struct ph_net {
    ph_sparse is;          /* copies of the user's arrays, which callers see */
    size_t n, d;           /* factors, numbers in each */
    size_t couplings;      /* the number of entries below the diagonal ... */
    ph_coupling *coupling; /* (couplings) ... sorted by `entry` */
    double *own;           /* (n) W_ii by factors, ... */
    double *size;          /* (n) ... and |T_ii| at q' = q by places */
    bool *is_unit;         /* (n) is factor i of length one? */
    ph_elimination *elimination;
    ph_symmetric_factors W; /* its factors */
    ph_band *band; /* used where elimination without interchanges fails; NULL if it needs too much memory */
} ph_net;

/* *net <- the inverse inertia of a definition, checked. */
ph_status ph_net_create(const ph_system_definition *d, ph_net **net, ph_error *err);
void ph_net_free(void *net);

/* mu (n d) <- MM v; may be v. M (n x n) <- W^{-1}, exactly symmetric. */
void ph_net_apply_inertia(const ph_net *net, const double *v, double *mu);
void ph_net_pair_inertia(const ph_net *net, double *M);
/* v (n d) <- W mu; may be mu. */
void ph_net_apply_inverse(const void *net, const double *mu, double *v);
/* The functions of tensions.h, of a ph_net. */
void ph_net_pull(const void *net, const double *q, const double *tau, double *v);
void ph_net_own(const void *net, double *own);
/* size (n) <- sums of the magnitudes of the terms of W (tau q). */
void ph_net_terms(const void *net, const double *tau, double *size);
size_t ph_net_tension_size(const void *net);
ph_status ph_net_tension_factor(const void *net, const double *q1, const double *q, double *F, int *sign);
void ph_net_tension_solve(const void *net, const double *F, double *tau);

/* What kinds that are given by a net have in common. */
ph_status ph_net_take(ph_system *s, const ph_system_definition *d, ph_error *err);
void ph_net_apply(const ph_system *s, const double *v, double *mu);
extern const ph_sparse_inertia ph_net_sparse;
#define PH_NET_FUNCTIONS                                                                                     \
    .create = ph_net_take, .release = ph_net_free, .regular = true, .no_matrices = PH_SPARSE_MATRICES,       \
    .apply = ph_net_apply, .sparse = &ph_net_sparse, .form = &ph_field_tensions

#endif
