/* SPDX-License-Identifier: BSD-3-Clause */
/* A system given by its sparse inverse inertia W (ph_sparse): closed loops, nets, any graph. MM v solves W
 * mu = v with factors W = (I + L) D (I + L)^T that are found where the system is created (create.c); the
 * matrix of tensions T_ij = W_ij q'_i.q_j is factored without interchanges in the same order and pattern.
 * That cannot fail for q' = q, where T is positive definite (a Schur product); where q' is so far away that
 * a pivot vanishes or loses digits, a banded LU with interchanges takes its place, as far as that
 * does not need much more memory. */
#include <polhode/kit/vector.h>

#include "lib/internal/lanes.h"
#include "net.h"

#include <math.h>
#include <string.h>

/* ---- Inertia ------------------------------------------------------------------------------------ */

/* Solves W mu = v by the factors of W. */
void ph_net_apply_inertia(const ph_net *net, const double *v, double *mu)
{
    memmove(mu, v, net->n * net->d * sizeof *mu);
    ph_symmetric_solve(net->elimination, &net->W, net->d, mu);
}

/* The inverse of W a column at a time; the mean of both triangles, so that M is exactly symmetric. */
void ph_net_pair_inertia(const ph_net *net, double *M)
{
    size_t n = net->n;
    memset(M, 0, n * n * sizeof *M);
    for (size_t i = 0; i < n; i++) {
        M[i * n + i] = 1;
        ph_symmetric_solve(net->elimination, &net->W, 1, M + i * n);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            M[i * n + j] = M[j * n + i] = 0.5 * (M[i * n + j] + M[j * n + i]);
}

/* What is INLINE is so for vectors of two and three numbers, and its loops over them are then unrolled. */
#define BY_WIDTH(function, net, ...)                                                                         \
    ((net)->d == 2   ? function(2, net, __VA_ARGS__)                                                         \
     : (net)->d == 3 ? function(3, net, __VA_ARGS__)                                                         \
                     : function((net)->d, net, __VA_ARGS__))

/* v += the off-diagonal part of W times mu, or, if tau is given, times tau_i mu_i (mu is then q). */
INLINE void add_couplings(const size_t d, const ph_net *net, const double *mu, const double *tau, double *v)
{
    for (size_t c = 0; c < net->couplings; c++) {
        size_t i = net->coupling[c].first, j = net->coupling[c].second;
        double on_i = net->coupling[c].weight, on_j = on_i;
        if (tau) {
            on_i *= net->is_unit[j] ? tau[j] : 0;
            on_j *= net->is_unit[i] ? tau[i] : 0;
        }
        for (size_t k = 0; k < d; k++) {
            v[i * d + k] += on_i * mu[j * d + k];
            v[j * d + k] += on_j * mu[i * d + k];
        }
    }
}

void ph_net_apply_inverse(const void *self, const double *mu, double *v)
{
    const ph_net *net = self;
    if (v == mu) { /* in place: the factors of W need no room for a copy */
        ph_symmetric_apply(net->elimination, &net->W, net->d, v);
        return;
    }
    for (size_t i = 0; i < net->n; i++)
        for (size_t k = 0; k < net->d; k++)
            v[i * net->d + k] = net->own[i] * mu[i * net->d + k];
    BY_WIDTH(add_couplings, net, mu, NULL, v);
}

INLINE void pull(const size_t d, const ph_net *net, const double *q, const double *tau, double *v)
{
    for (size_t i = 0; i < net->n; i++) {
        double own = net->is_unit[i] ? net->own[i] * tau[i] : 0;
        for (size_t k = 0; k < d; k++)
            v[i * d + k] = own * q[i * d + k];
    }
    add_couplings(d, net, q, tau, v);
}

void ph_net_pull(const void *self, const double *q, const double *tau, double *v)
{
    const ph_net *net = self;
    BY_WIDTH(pull, net, q, tau, v);
}

void ph_net_terms(const void *self, const double *tau, double *size)
{
    const ph_net *net = self;
    for (size_t i = 0; i < net->n; i++)
        size[i] = net->is_unit[i] ? net->own[i] * fabs(tau[i]) : 0;
    for (size_t c = 0; c < net->couplings; c++) {
        size_t i = net->coupling[c].first, j = net->coupling[c].second;
        double weight = fabs(net->coupling[c].weight);
        size[i] += net->is_unit[j] ? weight * fabs(tau[j]) : 0;
        size[j] += net->is_unit[i] ? weight * fabs(tau[i]) : 0;
    }
}

/* ---- The matrix of tensions --------------------------------------------------------------------- */

void ph_net_own(const void *self, double *own)
{
    const ph_net *net = self;
    for (size_t i = 0; i < net->n; i++)
        own[i] = net->is_unit[i] ? net->own[i] : 1;
}

/* Layout of F: F[0] says which of the two factorisations is valid; then the elimination, then the band. */
enum { ELIMINATED, BANDED };

/* Where the factors of the elimination begin in F. */
static double *elimination_of(double *F)
{
    return F + 1;
}

/* Where those of the band begin. */
static double *band_of(const ph_net *net, double *F)
{
    return F + 1 + ph_elimination_size(net->elimination);
}

size_t ph_net_tension_size(const void *self)
{
    const ph_net *net = self;
    return 1 + ph_elimination_size(net->elimination) + (net->band ? ph_band_size(net->band) : 0);
}

/* T_ij and T_ji of a coupling, i its first. */
INLINE void entries_of(const size_t d, const ph_net *net, const ph_coupling *c, const double *q1,
                       const double *q, double *ij, double *ji)
{
    size_t i = c->first * d, j = c->second * d;
    bool both = net->is_unit[c->first] && net->is_unit[c->second];
    *ij = both ? c->weight * ph_dot(q1 + i, q + j, d) : 0;
    *ji = both ? c->weight * ph_dot(q1 + j, q + i, d) : 0;
}

/* T_ii = W_ii q1_i . q_i; 1 for an R^d, which has no tension. */
INLINE double own_entry(const size_t d, const ph_net *net, size_t i, const double *q1, const double *q)
{
    return net->is_unit[i] ? net->own[i] * ph_dot(q1 + i * d, q + i * d, d) : 1;
}

/* The entries of T in the places of the elimination; d, the numbers of a vector, is a constant in each copy. */
INLINE void fill_places(const size_t d, const ph_net *net, const double *q1, const double *q,
                        double *diagonal, double *pairs)
{
    const ph_elimination *el = net->elimination;
    for (size_t k = 0; k < net->n; k++)
        diagonal[k] = own_entry(d, net, el->order[k], q1, q);
    for (size_t c = 0; c < net->couplings; c++) {
        double *pair = pairs + 2 * net->coupling[c].entry;
        entries_of(d, net, &net->coupling[c], q1, q, &pair[1], &pair[0]);
    }
}

/* F <- the entries of T in the pattern of the elimination; entries that will be filled in are 0. */
static void fill_elimination(const ph_net *net, const double *q1, const double *q, double *F)
{
    const ph_elimination *el = net->elimination;
    double *diagonal = ph_elimination_diagonal(F), *pairs = ph_elimination_pairs(el, F);
    memset(pairs, 0, 2 * el->entries * sizeof *pairs);
    BY_WIDTH(fill_places, net, q1, q, diagonal, pairs);
}

/* B <- the entries of T in the band. */
static void fill_band(const ph_net *net, const double *q1, const double *q, double *B)
{
    memset(B, 0, ph_band_size(net->band) * sizeof *B);
    for (size_t i = 0; i < net->n; i++)
        *ph_band_entry(net->band, B, i, i) = own_entry(net->d, net, i, q1, q);
    for (size_t c = 0; c < net->couplings; c++) {
        size_t i = net->coupling[c].first, j = net->coupling[c].second;
        entries_of(net->d, net, &net->coupling[c], q1, q, ph_band_entry(net->band, B, i, j),
                   ph_band_entry(net->band, B, j, i));
    }
}

ph_status ph_net_tension_factor(const void *self, const double *q1, const double *q, double *F, int *sign)
{
    const ph_net *net = self;
    ph_pivots pivots;
    int found;
    F[0] = ELIMINATED;
    fill_elimination(net, q1, q, elimination_of(F));
    ph_status status = ph_elimination_factor(net->elimination, elimination_of(F), net->size, &pivots);
    found = pivots.negative % 2 ? -1 : 1;
    if ((status || pivots.grown) && net->band) {
        F[0] = BANDED;
        fill_band(net, q1, q, band_of(net, F));
        status = ph_band_factor(net->band, band_of(net, F), &found);
    }
    if (sign && !status)
        *sign = found;
    return status;
}

void ph_net_tension_solve(const void *self, const double *F, double *tau)
{
    const ph_net *net = self;
    for (size_t i = 0; i < net->n; i++)
        tau[i] = net->is_unit[i] ? tau[i] : 0;
    if (F[0] == ELIMINATED)
        ph_elimination_solve(net->elimination, F + 1, tau);
    else
        ph_band_solve(net->band, F + 1 + ph_elimination_size(net->elimination), tau);
}

const ph_sparse *ph_system_inverse_inertia(const ph_system *s)
{
    const ph_net *net = ph_system_own(s, ph_net_free);
    return net ? &net->is : NULL;
}
