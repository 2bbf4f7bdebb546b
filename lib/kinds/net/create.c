/* SPDX-License-Identifier: BSD-3-Clause */
/* Creation of a net, a system that is given by its sparse inverse inertia W (ph_sparse): checks of the
 * entries, the graph of its couplings, an order of elimination with little fill, and the factors
 *     W = (I + L) D (I + L)^T. */
#include <polhode/kit/memory.h>

#include "net.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Checks ------------------------------------------------------------------------------------- */

/* W couples vectors of one length: are the factors S^1, S^2 or R^d of the same number of coordinates? */
static ph_status check_factors(const ph_space *space, ph_error *err)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        bool known = f->kind == PH_FACTOR_S1 || f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_R;
        if (!known || f->nz != ph_space_factor(space, 0)->nz)
            return ph_fail(
                err, PH_E_INVALID,
                "inverse_inertia is for vectors of one length, S^1, S^2 or R^d; factor %zu is not of these",
                i + 1);
    }
    return PH_OK;
}

/* Are the places of the entries in the lower triangle, and their values finite? */
static ph_status check_entries(const ph_sparse *W, size_t n, ph_error *err)
{
    if (W->n != n || n >= UINT32_MAX)
        return ph_fail(err, PH_E_INVALID, "inverse_inertia has %zu rows, and the space %zu factors", W->n, n);
    if (!W->row || !W->column || !W->value)
        return ph_fail(err, PH_E_INVALID,
                       "inverse_inertia needs the rows, columns and values of its entries");
    for (size_t e = 0; e < W->entries; e++) {
        if (W->row[e] >= n || W->column[e] > W->row[e])
            return ph_fail(err, PH_E_INVALID,
                           "entry %zu of inverse_inertia is at (%zu, %zu): "
                           "give those of the lower triangle, column <= row < %zu",
                           e, W->row[e], W->column[e], n);
        if (!isfinite(W->value[e]))
            return ph_fail(err, PH_E_NOT_FINITE, "entry %zu of inverse_inertia, at (%zu, %zu), is %g", e,
                           W->row[e], W->column[e], W->value[e]);
    }
    return PH_OK;
}

/* Each place may occur once, and the whole diagonal must be there and positive. at: the entries sorted by
 * rows, which begin at start; last (n): zeros on entry. */
static ph_status check_places(const ph_sparse *W, const size_t *start, const size_t *at, size_t *last,
                              ph_error *err)
{
    for (size_t i = 0; i < W->n; i++) {
        bool positive = false;
        double value = 0;
        for (size_t k = start[i]; k < start[i + 1]; k++) {
            size_t column = W->column[at[k]];
            if (last[column] == i + 1)
                return ph_fail(err, PH_E_INVALID, "inverse_inertia has two entries at (%zu, %zu)", i, column);
            last[column] = i + 1;
            value = column == i ? W->value[at[k]] : value;
            positive = positive || (column == i && W->value[at[k]] > 0);
        }
        if (!positive)
            return ph_fail(err, PH_E_SINGULAR,
                           "inverse_inertia is %g at (%zu, %zu); "
                           "an entry of the diagonal must be there, and positive",
                           value, i, i);
    }
    return PH_OK;
}

/* ---- Graph and order ---------------------------------------------------------------------------- */

/* Arrays that are needed during creation only. */
typedef struct creation {
    size_t *start, *at, *next; /* entries by rows: (n + 1), (entries), (n) */
    size_t *graph_start;       /* (n + 1) */
    uint32_t *neighbour;       /* (2 entries) */
    uint32_t *order;           /* (n) */
    double *F;                 /* of W */
    ph_graph graph;
} creation;

static void free_creation(creation *m)
{
    free(m->start);
    free(m->at);
    free(m->next);
    free(m->graph_start);
    free(m->neighbour);
    free(m->order);
    free(m->F);
}

/* Entries by rows, by counting; then the check of their places. */
static ph_status sort_entries(const ph_sparse *W, creation *m, ph_error *err)
{
    size_t n = W->n;
    m->start = calloc(n + 1, sizeof *m->start);
    m->at = malloc((W->entries + 1) * sizeof *m->at);
    m->next = calloc(n, sizeof *m->next);
    m->order = malloc(n * sizeof *m->order);
    if (!m->start || !m->at || !m->next || !m->order)
        return PH_E_NO_MEMORY;
    for (size_t e = 0; e < W->entries; e++)
        m->start[W->row[e] + 1]++;
    for (size_t i = 0; i < n; i++)
        m->start[i + 1] += m->start[i];
    memcpy(m->next, m->start, n * sizeof *m->next);
    for (size_t e = 0; e < W->entries; e++)
        m->at[m->next[W->row[e]]++] = e;
    memset(m->next, 0, n * sizeof *m->next);
    return check_places(W, m->start, m->at, m->next, err);
}

/* The graph of the couplings: for each factor the factors that share an entry with it, in ascending order. */
static ph_status make_graph(const ph_sparse *W, creation *m)
{
    size_t n = W->n;
    m->graph_start = calloc(n + 1, sizeof *m->graph_start);
    m->neighbour = malloc((2 * W->entries + 1) * sizeof *m->neighbour);
    if (!m->graph_start || !m->neighbour)
        return PH_E_NO_MEMORY;
    for (size_t e = 0; e < W->entries; e++)
        if (W->row[e] != W->column[e]) {
            m->graph_start[W->row[e] + 1]++;
            m->graph_start[W->column[e] + 1]++;
        }
    for (size_t i = 0; i < n; i++)
        m->graph_start[i + 1] += m->graph_start[i];
    memcpy(m->next, m->graph_start, n * sizeof *m->next);
    for (size_t k = 0; k < W->entries; k++) { /* by rows: neighbours in ascending order */
        size_t e = m->at[k], i = W->row[e], j = W->column[e];
        if (i != j) {
            m->neighbour[m->next[i]++] = (uint32_t)j;
            m->neighbour[m->next[j]++] = (uint32_t)i;
        }
    }
    m->graph = (ph_graph){n, m->graph_start, m->neighbour};
    return PH_OK;
}

/* ---- The net ------------------------------------------------------------------------------------ */

/* Places of the arrays in one block (elimination and band have their own); called twice. */
static ph_net *lay_net(ph_lay *l, const ph_sparse *W, size_t couplings, size_t filled)
{
    ph_net *net = ph_lay_bytes(l, sizeof *net);
    size_t n = W->n, *row = ph_lay_bytes(l, W->entries * sizeof *row),
           *column = ph_lay_bytes(l, W->entries * sizeof *column);
    double *value = ph_lay_doubles(l, W->entries), *own = ph_lay_doubles(l, n), *size = ph_lay_doubles(l, n),
           *pivot = ph_lay_doubles(l, n), *inverse = ph_lay_doubles(l, n), *up = ph_lay_doubles(l, filled);
    ph_coupling *coupling = ph_lay_bytes(l, couplings * sizeof *coupling);
    bool *is_unit = ph_lay_bytes(l, n * sizeof *is_unit);
    if (!net)
        return NULL;
    memcpy(row, W->row, W->entries * sizeof *row);
    memcpy(column, W->column, W->entries * sizeof *column);
    memcpy(value, W->value, W->entries * sizeof *value);
    *net = (ph_net){.is = {n, W->entries, row, column, value},
                    .n = n,
                    .couplings = couplings,
                    .coupling = coupling,
                    .own = own,
                    .size = size,
                    .is_unit = is_unit,
                    .W = {pivot, inverse, up}};
    return net;
}

/* In the order of the elimination's entries, so that memory is passed through once when T is filled. */
static int compare_entries(const void *a, const void *b)
{
    const ph_coupling *x = a, *y = b;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* The diagonal of W, its couplings with their places in the elimination, and the scale |T_ii| of each
 * pivot. */
static void fill_net(ph_net *net, const ph_space *space)
{
    const ph_elimination *el = net->elimination;
    size_t many = 0;
    net->d = ph_space_factor(space, 0)->nz;
    for (size_t i = 0; i < net->n; i++)
        net->is_unit[i] = ph_space_factor(space, i)->kind != PH_FACTOR_R;
    for (size_t e = 0; e < net->is.entries; e++) {
        uint32_t i = (uint32_t)net->is.row[e], j = (uint32_t)net->is.column[e];
        if (i == j) {
            net->own[i] = net->is.value[e];
            net->size[el->place[i]] = net->is_unit[i] ? net->own[i] : 1;
            continue;
        }
        bool ordered = el->place[i] < el->place[j];
        ph_coupling *c = &net->coupling[many++];
        *c = (ph_coupling){.weight = net->is.value[e], .first = ordered ? i : j, .second = ordered ? j : i};
        c->entry = ph_elimination_entry(el, el->place[c->first], el->place[c->second]);
    }
    qsort(net->coupling, many, sizeof *net->coupling, compare_entries);
}

/* net->W <- the factors of W. False where W is not positive definite, or so only by rounding. F: scratch,
 * ph_elimination_size doubles. */
static bool factor_inverse(ph_net *net, double *F)
{
    const ph_elimination *el = net->elimination;
    double *inverse = ph_elimination_diagonal(F), *pairs = ph_elimination_pairs(el, F);
    double least = DBL_EPSILON * (double)net->n;
    ph_pivots pivots;
    memset(F, 0, ph_elimination_size(el) * sizeof *F);
    for (size_t k = 0; k < net->n; k++)
        inverse[k] = net->own[el->order[k]];
    for (size_t c = 0; c < net->couplings; c++)
        pairs[2 * net->coupling[c].entry] = pairs[2 * net->coupling[c].entry + 1] = net->coupling[c].weight;
    if (ph_elimination_factor(el, F, net->own, &pivots))
        return false;
    for (size_t k = 0; k < net->n; k++) {
        net->W.inverse[k] = inverse[k];
        net->W.pivot[k] = 1 / inverse[k];
        if (!(net->W.pivot[k] > least * net->own[el->order[k]]))
            return false;
    }
    for (size_t e = 0; e < el->entries; e++)
        net->W.up[e] = pairs[2 * e + 1];
    return true;
}

/* net->band <- the banded factorisation, or NULL where it takes too much memory. */
static ph_status make_band(ph_net *net, const ph_graph *graph)
{
    /* times the memory of the elimination: this admits rings and small nets, but no wide ones */
    static const size_t most = 4;
    ph_status status = ph_band_create(graph, &net->band);
    if (!status && ph_band_size(net->band) > most * ph_elimination_size(net->elimination)) {
        free(net->band);
        net->band = NULL;
    }
    return status == PH_E_RANGE ? PH_OK : status;
}

/* All but the checks: order, elimination, the block of arrays, the factors of W, the band. */
static ph_status make_net(const ph_system_definition *d, creation *m, ph_net **net, ph_error *err)
{
    const ph_sparse *W = d->inverse_inertia;
    ph_elimination *el = NULL;
    ph_lay l = {NULL, 0};
    ph_status status = sort_entries(W, m, err);
    if (!status)
        status = make_graph(W, m);
    if (!status)
        status = ph_order_best(&m->graph, m->order);
    if (!status)
        status = ph_elimination_create(&m->graph, m->order, 0, &el);
    if (status)
        return status;
    lay_net(&l, W, W->entries - W->n, el->entries);
    l = (ph_lay){calloc(1, l.bytes), 0};
    if (!l.base) {
        free(el);
        return PH_E_NO_MEMORY;
    }
    *net = lay_net(&l, W, W->entries - W->n, el->entries);
    (*net)->elimination = el;
    fill_net(*net, d->space);
    m->F = malloc(ph_elimination_size(el) * sizeof *m->F);
    if (!m->F)
        return PH_E_NO_MEMORY;
    if (!factor_inverse(*net, m->F))
        return ph_fail(err, PH_E_SINGULAR,
                       "inverse_inertia (%zu x %zu) is not positive definite: "
                       "every force must accelerate what it acts on",
                       W->n, W->n);
    return make_band(*net, &m->graph);
}

ph_status ph_net_create(const ph_system_definition *d, ph_net **net, ph_error *err)
{
    creation m = {0};
    ph_net *made = NULL;
    ph_status status = check_factors(d->space, err);
    if (!status)
        status = check_entries(d->inverse_inertia, ph_space_factors(d->space), err);
    if (!status)
        status = make_net(d, &m, &made, err);
    free_creation(&m);
    if (!status) {
        *net = made;
        return PH_OK;
    }
    ph_net_free(made);
    return status == PH_E_NO_MEMORY
               ? ph_fail(err, status, "no memory for a net of %zu factors", d->inverse_inertia->n)
           : status == PH_E_RANGE
               ? ph_fail(err, status,
                         "the factors of inverse_inertia would have more than 2^32 entries: "
                         "it couples too much")
               : status;
}

void ph_net_free(void *self)
{
    ph_net *net = self;
    if (!net)
        return;
    free(net->elimination);
    free(net->band);
    free(net);
}
