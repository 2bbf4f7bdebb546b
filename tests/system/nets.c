/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse inverse inertias: see nets.h. */
#include "nets.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool net_couples(int kind, size_t n, size_t i, size_t j, tk_random *seed) /* j < i */
{
    size_t side = (size_t)sqrt((double)n);
    switch (kind) {
    case RING:
        return i - j == 1 || i - j == n - 1;
    case GRID:
        return i - j == side || (i - j == 1 && i % side);
    case STAR:
        return j == n / 2 || i == n / 2;
    case ANY:
        return tk_uniform(seed, 0, 1) < 3 / (double)n;
    case CROWD:
        return true;
    default:
        return false;
    }
}

void net_fill(net *w, int kind, size_t n, double margin, tk_random *seed)
{
    double unit[NET_MOST];
    *w = (net){.n = n};
    for (size_t i = 0; i < n; i++) {
        unit[i] = tk_log_uniform(seed, 0.3, 3);
        for (size_t j = 0; j < i; j++)
            if (net_couples(kind, n, i, j, seed)) {
                double value = tk_uniform(seed, -1, 1);
                w->W[i * n + j] = w->W[j * n + i] = value;
                w->W[i * n + i] += fabs(value);
                w->W[j * n + j] += fabs(value);
            }
    }
    for (size_t i = 0; i < n; i++)
        w->W[i * n + i] += margin;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            w->W[i * n + j] *= unit[i] * unit[j];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if (w->W[i * n + j] != 0)
                w->entries++;
    size_t at = w->entries / 2; /* in no order in particular */
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if (w->W[i * n + j] != 0) {
                at = at ? at - 1 : w->entries - 1;
                w->row[at] = i;
                w->column[at] = j;
                w->value[at] = w->W[i * n + j];
            }
}

ph_sparse net_sparse(const net *w)
{
    return (ph_sparse){w->n, w->entries, w->row, w->column, w->value};
}

void net_inertia(const net *w, double *M)
{
    size_t n = w->n;
    for (size_t j = 0; j < n; j++) {
        double A[NET_MOST * NET_MOST];
        memcpy(A, w->W, n * n * sizeof *A);
        for (size_t i = 0; i < n; i++)
            M[j * n + i] = i == j;
        ck_assert_int_eq(tk_solve(n, A, M + j * n), 0);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            M[i * n + j] = M[j * n + i] = 0.5 * (M[i * n + j] + M[j * n + i]);
}

ph_status net_potential(void *user, const double *z, double *U)
{
    const net *w = user;
    *U = 0;
    for (size_t i = 0; i < w->n; i++) {
        double square = 0;
        for (size_t k = i * w->d; k < (i + 1) * w->d; k++) {
            square += z[k] * z[k];
            *U += w->pull[k] * z[k] + (i + 1 < w->n ? w->coupling * z[k] * z[k + w->d] : 0);
        }
        *U += 0.25 * w->stiffness[i] * square * square;
    }
    return PH_OK;
}

ph_status net_gradient(void *user, const double *z, double *dU)
{
    const net *w = user;
    for (size_t i = 0; i < w->n; i++) {
        double square = 0;
        for (size_t k = i * w->d; k < (i + 1) * w->d; k++)
            square += z[k] * z[k];
        for (size_t k = i * w->d; k < (i + 1) * w->d; k++)
            dU[k] = w->pull[k] + w->stiffness[i] * square * z[k] +
                    w->coupling * ((i + 1 < w->n ? z[k + w->d] : 0) + (i ? z[k - w->d] : 0));
    }
    return PH_OK;
}

ph_space *net_space(net *w, size_t d, bool mixed)
{
    ph_factor factors[NET_MOST] = {{0}};
    ph_space *space = NULL;
    w->d = d;
    for (size_t i = 0; i < w->n; i++) {
        w->is_unit[i] = d < 4 && !(mixed && i % 3 == 1);
        factors[i] = (ph_factor){.kind = !w->is_unit[i] ? PH_FACTOR_R
                                         : d == 3       ? PH_FACTOR_S2
                                                        : PH_FACTOR_S1,
                                 .d = w->is_unit[i] ? 0 : d};
    }
    tk_ok(ph_space_create(factors, w->n, &space, NULL));
    return space;
}

ph_system *net_system(net *w, const ph_space *space, bool sparse)
{
    double M[NET_MOST * NET_MOST];
    ph_sparse W = net_sparse(w);
    ph_system *system = NULL;
    ph_system_definition d = {
        .space = space, .potential = net_potential, .gradient = net_gradient, .user = w};
    if (sparse)
        d.inverse_inertia = &W;
    else
        net_inertia(w, M), d.inertia = M;
    ph_status status = ph_system_create(&d, &system, tk_err);
    ck_assert_msg(status == PH_OK, "%s", tk_err->message);
    return system;
}

void random_numbers(tk_random *seed, double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = tk_uniform(seed, -1, 1);
}

double largest(const double *v, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = tk_max(most, fabs(v[i]));
    return most;
}

double error_of(const double *a, const double *b, size_t n)
{
    return tk_max_difference(a, b, n) / largest(b, n);
}

void place_across(const net *w, double small, double *q, double *q1)
{
    size_t side = (size_t)sqrt((double)w->n);
    memset(q, 0, w->n * 3 * sizeof *q);
    memset(q1, 0, w->n * 3 * sizeof *q1);
    for (size_t i = 0; i < w->n; i++) {
        size_t colour = (i / side + i % side) % 2;
        q[3 * i + colour] = 1;
        q1[3 * i + 1 - colour] = sqrt(1 - small * small);
        q1[3 * i + colour] = small;
    }
}

void large_begin(large *l, size_t n)
{
    *l = (large){.n = n, .row = malloc(3 * n * sizeof *l->row), .column = malloc(3 * n * sizeof *l->column)};
    l->value = malloc(3 * n * sizeof *l->value);
    ck_assert(l->row && l->column && l->value);
}

void large_add(large *l, size_t i, size_t j, double value)
{
    l->row[l->entries] = i > j ? i : j;
    l->column[l->entries] = i > j ? j : i;
    l->value[l->entries++] = value;
}

void large_create(large *l)
{
    ph_sparse W = {l->n, l->entries, l->row, l->column, l->value};
    tk_ok(ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, l->n, &l->space, NULL));
    ph_system_definition d = {.space = l->space, .inverse_inertia = &W};
    tk_ok(ph_system_create(&d, &l->system, tk_err));
    /* the system has its own copy */
    const ph_sparse *copy = ph_system_inverse_inertia(l->system);
    ck_assert_ptr_nonnull(copy);
    ck_assert(copy->n == l->n && copy->entries == l->entries && copy->row != l->row);
    ck_assert(!memcmp(copy->row, l->row, l->entries * sizeof *l->row) &&
              !memcmp(copy->column, l->column, l->entries * sizeof *l->column) &&
              !memcmp(copy->value, l->value, l->entries * sizeof *l->value));
    free(l->row);
    free(l->column);
    free(l->value);
}

void large_end(large *l)
{
    ph_system_free(l->system);
    ph_space_free(l->space);
}
