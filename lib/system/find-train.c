/* SPDX-License-Identifier: BSD-3-Clause */
/* Trains on wheels (polhode/kit/train.h), recognised by the inertia and by the rows of the velocity constraints at a configuration in
 * general position, and confirmed at others. A point x + sum c_j q_j is known by its c: the wheels' are read from their rows, those
 * where bodies are joined from the inertia, M_jk = c_j moment_k for all j before k; nodes of the tree are what leads to them. */
#include <polhode/constraints.h>
#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/kernels.h>
#include <polhode/kit/train.h>

#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is given and what is read differ by less than this, relative to the largest of their terms. */
static const double same = 1e-12;

/* What is found, with room for more. */
typedef struct found {
    ph_train train;
    ph_train_node *node, *sorted;
    ph_train_body *body;
    double *z, *A, *b, *c; /* (nz), (m x nz), (m), (factors) coefficients of a point */
    size_t most;           /* nodes */
    int *place;            /* (most) */
    bool *known;           /* (factors) */
} found;

/* All directions within a right angle: none is across another. */
static void set_out(size_t n, int trial, double *z)
{
    z[0] = 0.3 * trial - 0.7;
    z[1] = 1.3 - 0.8 * trial;
    for (size_t j = 1; j < n; j++) {
        const double part = 0.6180339887498949 * (double)j + 0.31 * trial;
        ph_sincos(1.2 * (part - floor(part)) - 0.4 * trial, &z[2 * j + 1], &z[2 * j]);
    }
}

/* The rows at a configuration, of a constraint without b. */
static bool read_rows(const ph_system *s, found *f, int trial)
{
    set_out(s->n, trial, f->z);
    return !ph_system_constraint_rows(s, 0.7 * trial, f->z, f->A, f->b) &&
           ph_max_norm(f->b, s->is.n_constraints) == 0;
}

/* Entry j of row i: along x across the wheel, along the turn of q_j. */
static double entry(const found *f, size_t i, size_t j, int wheel)
{
    const double *row = f->A + 2 * f->train.factors * i;
    return j ? ph_cross2(f->z + 2 * j, row + 2 * j) : ph_cross2(f->z + 2 * wheel, row);
}

/* The node with the coefficients c, made where there is none; -1: there are too many. */
static int find_node(found *f)
{
    size_t at = 0;
    const double level = same * ph_max_norm(f->c, f->train.factors);
    for (size_t j = 1; j < f->train.factors; j++) {
        if (!(fabs(f->c[j]) > level))
            continue;
        size_t i = at + 1;
        while (i < f->train.nodes && !(f->node[i].parent == (int)at && f->node[i].link == (int)j &&
                                       fabs(f->node[i].length - f->c[j]) <= level))
            i++;
        if (i == f->most)
            return -1;
        if (i == f->train.nodes)
            f->node[f->train.nodes++] = (ph_train_node){.parent = (int)at, .link = (int)j, .length = f->c[j]};
        at = i;
    }
    return (int)at;
}

static bool find_wheel(found *f, size_t row)
{
    const double *A = f->A + 2 * f->train.factors * row;
    size_t wheel = 1;
    while (wheel < f->train.factors &&
           !(fabs(ph_dot2(A, f->z + 2 * wheel)) <= same * (fabs(A[0]) + fabs(A[1]))))
        wheel++;
    if (wheel == f->train.factors || ph_max_norm(A, 2) == 0)
        return false;
    const double scale = entry(f, row, 0, (int)wheel);
    for (size_t j = 1; j < f->train.factors; j++)
        f->c[j] = entry(f, row, j, 0) / (scale * ph_dot2(f->z + 2 * wheel, f->z + 2 * j));
    const int i = find_node(f);
    if (i < 0 || f->node[i].wheel || (i > 0 && !f->known[f->node[i].link]))
        return false;
    f->known[f->node[i].link] = i == 0; /* of 0, which is no link, always */
    f->node[i].wheel = (int)wheel;
    f->node[i].row = (int)row;
    f->node[i].scale = scale;
    return true;
}

static bool find_body(const ph_system *s, found *f, size_t k)
{
    const double moment = s->M[k], own = s->M[k * s->n + k];
    const bool joined = fabs(moment) > same * sqrt(s->M[0] * own);
    double most = 0;
    for (size_t j = 1; j < s->n; j++) {
        const double M = j < k ? s->M[k * s->n + j] : 0;
        most = fmax(most, fabs(M) / sqrt(s->M[j * s->n + j]));
        f->c[j] = joined ? M / moment : 0;
    }
    f->body[k] = (ph_train_body){find_node(f), joined ? moment : 0, own};
    return f->body[k].base >= 0 && (joined || most <= same * sqrt(own));
}

/* Nodes in an order in which a node follows its parent and what decides how its link turns; false where there is none. `known`: links
 * that no wheel decides. */
static bool sort_nodes(found *f)
{
    size_t many = 1;
    memset(f->place, 0xff, f->train.nodes * sizeof *f->place);
    f->place[0] = 0;
    f->sorted[0] = f->node[0];
    for (bool any = true; any && many < f->train.nodes;) {
        any = false;
        for (size_t i = 1; i < f->train.nodes; i++) {
            const ph_train_node *n = &f->node[i];
            if (f->place[i] >= 0 || f->place[n->parent] < 0 ||
                !(n->wheel ? n->wheel == n->link || f->known[n->wheel] : f->known[n->link]))
                continue;
            f->sorted[many] = *n;
            f->sorted[many].parent = f->place[n->parent];
            f->place[i] = (int)many++;
            f->known[n->link] = any = true;
        }
    }
    for (size_t j = 1; j < f->train.factors; j++)
        f->body[j].base = f->place[f->body[j].base];
    memcpy(f->node, f->sorted, many * sizeof *f->node);
    return many == f->train.nodes;
}

static bool recognise(const ph_system *s, found *f)
{
    ph_train *t = &f->train;
    f->known[0] = true;
    for (size_t j = 1; j < s->n; j++)
        f->known[j] = true;
    f->node[0] = (ph_train_node){.parent = -1};
    t->nodes = 1;
    t->mass = s->M[0];
    if (!read_rows(s, f, 0))
        return false;
    for (size_t i = 0; i < s->is.n_constraints; i++)
        if (!find_wheel(f, i))
            return false;
    for (size_t k = 1; k < s->n; k++)
        if (!find_body(s, f, k))
            return false;
    t->free = 1;
    for (size_t j = 1; j < s->n; j++)
        if (f->known[j]) {
            if (t->free == PH_TRAIN_FREE)
                return false;
            t->turns[t->free++] = (int)j;
        }
    return f->node[0].wheel && sort_nodes(f);
}

/* Are the rows those of the wheels? */
static bool is_confirmed(const ph_system *s, found *f, int trial)
{
    if (!read_rows(s, f, trial))
        return false;
    for (size_t i = 0; i < f->train.nodes; i++) {
        const ph_train_node *n = &f->node[i];
        const double *e = f->z + 2 * n->wheel, *row = f->A + 2 * f->train.factors * (size_t)n->row;
        if (!n->wheel)
            continue;
        memset(f->c, 0, s->n * sizeof *f->c);
        for (size_t k = i; k > 0; k = (size_t)f->node[k].parent)
            f->c[f->node[k].link] += f->node[k].length;
        const double level = same * fabs(n->scale) * fmax(1, ph_max_norm(f->c, s->n));
        bool as_read = fabs(ph_dot2(e, row)) <= level && fabs(ph_cross2(e, row) - n->scale) <= level;
        for (size_t j = 1; j < s->n; j++)
            as_read = as_read && fabs(entry(f, (size_t)n->row, j, 0) -
                                      n->scale * f->c[j] * ph_dot2(e, f->z + 2 * j)) <= level;
        if (!as_read)
            return false;
    }
    return true;
}

/* The train in one block; NULL without memory. */
static ph_train *keep(const found *f)
{
    const ph_train *t = &f->train;
    ph_train *kept = malloc(sizeof *kept + t->nodes * sizeof *f->node + t->factors * sizeof *f->body);
    if (!kept)
        return NULL;
    ph_train_node *node = (ph_train_node *)(void *)(kept + 1);
    ph_train_body *body = (ph_train_body *)(void *)(node + t->nodes);
    *kept = *t;
    memcpy(node, f->node, t->nodes * sizeof *node);
    memcpy(body, f->body, t->factors * sizeof *body);
    kept->node = node;
    kept->body = body;
    return kept;
}

/* Everything in one block. */
static size_t lay(const ph_system *s, unsigned char *base, found *f)
{
    ph_lay l = {base, 0};
    const size_t m = s->is.n_constraints;
    *f = (found){.train.factors = s->n, .most = 3 * s->n};
    f->node = ph_lay_bytes(&l, f->most * sizeof *f->node);
    f->sorted = ph_lay_bytes(&l, f->most * sizeof *f->sorted);
    f->body = ph_lay_bytes(&l, s->n * sizeof *f->body);
    f->place = ph_lay_bytes(&l, f->most * sizeof *f->place);
    f->known = ph_lay_bytes(&l, s->n * sizeof *f->known);
    f->z = ph_lay_doubles(&l, s->nz);
    f->A = ph_lay_doubles(&l, m * s->nz);
    f->b = ph_lay_doubles(&l, m);
    f->c = ph_lay_doubles(&l, s->n);
    return l.bytes;
}

bool ph_system_find_train(ph_system *s)
{
    found f;
    enum { TRIALS = 3 };
    bool is_train = ph_fast_paths() & PH_PATH_TRAINS && s->is.constraint_is_steady &&
                    s->is.n_constraints > 1 && s->n > 2 && !s->base && !s->affine && s->M &&
                    s->kind == PH_INERTIA_CONSTANT && ph_space_factor(s->space, 0)->kind == PH_FACTOR_R &&
                    ph_space_factor(s->space, 0)->nz == 2;
    for (size_t j = 1; j < s->n && is_train; j++)
        is_train = ph_space_factor(s->space, j)->kind == PH_FACTOR_S1;
    if (!is_train)
        return true;
    unsigned char *block = calloc(lay(s, NULL, &f), 1);
    if (!block)
        return false;
    lay(s, block, &f);
    is_train = recognise(s, &f);
    for (int trial = 1; trial < TRIALS && is_train; trial++)
        is_train = is_confirmed(s, &f, trial);
    if (is_train)
        s->train = keep(&f);
    free(block);
    return !is_train || s->train;
}
