/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse inverse inertias, for the suites on them: small nets with the same matrix in full, and large ones, which are
 * filled entry by entry. */
#ifndef POLHODE_TESTS_NETS_H
#define POLHODE_TESTS_NETS_H

#include "tests/kit/testkit.h"

enum { NET_MOST = 36, NET_MOST_D = 5, NET_MOST_NZ = NET_MOST * NET_MOST_D, NETS = 240 };

/* An inverse inertia in both forms. */
typedef struct net {
    size_t n, d, entries, row[NET_MOST * (NET_MOST + 1) / 2], column[NET_MOST * (NET_MOST + 1) / 2];
    double value[NET_MOST * (NET_MOST + 1) / 2], W[NET_MOST * NET_MOST];
    bool is_unit[NET_MOST];
    double stiffness[NET_MOST], pull[NET_MOST_NZ], coupling; /* of the potential */
} net;

enum { RING, GRID, STAR, ANY, CROWD, APART, NET_KINDS };

/* Symmetric, with dominant diagonal, then scaled by a different unit for each factor. */
void net_fill(net *w, int kind, size_t n, double margin, tk_random *seed);

ph_sparse net_sparse(const net *w);

/* M <- W^{-1}, exactly symmetric */
void net_inertia(const net *w, double *M);

/* U = sum k_i |z_i|^4 / 4 + pull . z + c sum z_i . z_(i+1): nothing special, with a gradient off the
 * manifold, too. */
ph_status net_potential(void *user, const double *z, double *U);

ph_status net_gradient(void *user, const double *z, double *dU);

/* S^2 and R^3, S^1 and R^2, or R^5: by the trial, `mixed` with every third an R^d. */
ph_space *net_space(net *w, size_t d, bool mixed);

/* The system by its inverse inertia, or by its inertia in full. */
ph_system *net_system(net *w, const ph_space *space, bool sparse);

void random_numbers(tk_random *seed, double *v, size_t n);

double largest(const double *v, size_t n);

/* |a - b| relative to b */
double error_of(const double *a, const double *b, size_t n);

/* q' at right angles to q everywhere, and along its neighbours: T has no diagonal. */
void place_across(const net *w, double small, double *q, double *q1);

typedef struct large {
    size_t n, entries, *row, *column;
    double *value;
    ph_space *space;
    ph_system *system;
} large;

void large_begin(large *l, size_t n);

void large_add(large *l, size_t i, size_t j, double value);

void large_create(large *l);

void large_end(large *l);

#endif
