/* SPDX-License-Identifier: BSD-3-Clause */
/* Hierarchical coordinates: see hierarchy.h. The differences of forces are by Battin's f(q) (Introduction to the
 * Mathematics and Methods of Astrodynamics (1999), 8.4); that forces of the Kepler problems cancel in the
 * inner coordinates is in Rein, Tamayo, Mon. Not. R. Astron. Soc. 452 (2015) 376. */
#include "hierarchy.h"

#include <polhode/kit/algebra.h>

#include <math.h>
#include <string.h>

/* ---- The tree -------------------------------------------------------------------------------------------------------- */

void ph_hierarchy_list(size_t n, double *joins)
{
    for (size_t i = 0; i + 1 < n; i++) {
        joins[2 * i] = (double)(i ? n + i - 1 : 0);
        joins[2 * i + 1] = (double)(i + 1);
    }
}

/* (distance)^3 / mass, to which the square of the period is proportional. */
static double slowness(const double *x, const double *m, size_t i, size_t k)
{
    const double d[3] = {x[3 * k] - x[3 * i], x[3 * k + 1] - x[3 * i + 1], x[3 * k + 2] - x[3 * i + 2]};
    const double square = ph_dot3(d, d);
    return square * sqrt(square) / (m[i] + m[k]);
}

void ph_hierarchy_find(size_t n, const double *mass, const double *x, double *work, double *joins)
{
    double *at = work, *m = at + 3 * n, *name = m + n;
    memcpy(at, x, 3 * n * sizeof *at);
    memcpy(m, mass, n * sizeof *m);
    for (size_t i = 0; i < n; i++)
        name[i] = (double)i;
    for (size_t left = n; left > 1; left--) {
        size_t a = 0, b = 1;
        double least = INFINITY;
        for (size_t i = 0; i < left; i++)
            for (size_t k = i + 1; k < left; k++) {
                const double slow = slowness(at, m, i, k);
                if (slow < least) {
                    least = slow;
                    a = i;
                    b = k;
                }
            }
        joins[2 * (n - left)] = name[a];
        joins[2 * (n - left) + 1] = name[b];
        name[a] = (double)(n + (n - left));
        for (size_t k = 0; k < 3; k++)
            at[3 * a + k] += m[b] / (m[a] + m[b]) * (at[3 * b + k] - at[3 * a + k]);
        m[a] += m[b];
        const size_t rest = left - 1 - b; /* the groups after b move up, in their order */
        memmove(at + 3 * b, at + 3 * (b + 1), 3 * rest * sizeof *at);
        memmove(m + b, m + b + 1, rest * sizeof *m);
        memmove(name + b, name + b + 1, rest * sizeof *name);
    }
}

void ph_hierarchy_lay(ph_hierarchy *h, const double *joins, size_t *work)
{
    const size_t n = h->n;
    size_t *count = work; /* (2n - 1) of bodies, then where their group begins */
    h->order[0] = 0;
    if (n < 2)
        return;
    for (size_t i = 0; i < n; i++)
        count[i] = 1;
    for (size_t i = 0; i + 1 < n; i++)
        count[n + i] = count[(size_t)joins[2 * i]] + count[(size_t)joins[2 * i + 1]];
    h->pair[n - 2].end = n;
    size_t *begin = work;
    for (size_t i = n - 1; i-- > 0;) {
        const size_t l = (size_t)joins[2 * i], r = (size_t)joins[2 * i + 1];
        ph_pair *p = &h->pair[i];
        p->first = i == n - 2 ? 0 : begin[n + i];
        p->middle = p->first + count[l];
        p->end = p->middle + count[r];
        begin[l] = p->first;
        begin[r] = p->middle;
    }
    for (size_t i = 0; i < n; i++)
        h->order[begin[i]] = i;
    for (size_t i = 0; i + 1 < n; i++) {
        ph_pair *p = &h->pair[i];
        p->left = p->right = 0;
        for (size_t k = p->first; k < p->end; k++)
            *(k < p->middle ? &p->left : &p->right) += h->mass[h->order[k]];
        p->whole = p->left + p->right;
    }
}

/* ---- Coordinates ----------------------------------------------------------------------------------------------------- */

void ph_hierarchy_read(const ph_hierarchy *h, const double *x, double *work, double *r, double *center)
{
    /* at the beginning of a group in `order`: what its barycentre has */
    for (size_t i = 0; i < h->n; i++)
        memcpy(work + 3 * i, x + 3 * h->order[i], 3 * sizeof *work);
    for (size_t i = 0; i + 1 < h->n; i++) {
        const ph_pair *p = &h->pair[i];
        double *left = work + 3 * p->first;
        const double *right = work + 3 * p->middle;
        for (size_t k = 0; k < 3; k++) {
            r[3 * i + k] = right[k] - left[k];
            left[k] += p->right / p->whole * r[3 * i + k];
        }
    }
    memcpy(center, work, 3 * sizeof *center);
}

/* offset (3n, in the tree's order) of the bodies of a node <- relative to its barycentre, where they were relative to
 * those of its groups. */
static void join(const ph_pair *p, const double *r, double *offset)
{
    const double to_left = -(p->right / p->whole), to_right = p->left / p->whole;
    for (size_t i = p->first; i < p->end; i++)
        for (size_t k = 0; k < 3; k++)
            offset[3 * i + k] += (i < p->middle ? to_left : to_right) * r[k];
}

/* ---- Forces ---------------------------------------------------------------------------------------------------------- */

void ph_hierarchy_difference(const double r[3], const double s[3], double e[3])
{
    const double t[3] = {r[0] + s[0], r[1] + s[1], r[2] + s[2]}, square = ph_dot3(r, r), over = 1 / square;
    const double q = (ph_dot3(s, s) + 2 * ph_dot3(s, r)) * over, ratio = ph_dot3(t, t) * over,
                 Q = ratio * sqrt(ratio), f = q * (3 + q * (3 + q)) / (1 + Q), factor = over * sqrt(over) / Q;
    for (size_t k = 0; k < 3; k++)
        e[k] = factor * (s[k] - f * r[k]);
}

/* What the points of a node's groups do to each other, less the node's Kepler problem. */
static void add_forces(const ph_hierarchy *h, const ph_pair *p, double G, const double *r,
                       const double *offset, double *f)
{
    for (size_t i = p->first; i < p->middle; i++)
        for (size_t k = p->middle; k < p->end; k++) {
            const double s[3] = {offset[3 * k] - offset[3 * i], offset[3 * k + 1] - offset[3 * i + 1],
                                 offset[3 * k + 2] - offset[3 * i + 2]};
            const size_t a = h->order[i], b = h->order[k];
            const double strength = G * h->mass[a] * h->mass[b];
            double e[3];
            ph_hierarchy_difference(r, s, e);
            for (size_t c = 0; c < 3; c++) {
                f[3 * a + c] += strength * e[c];
                f[3 * b + c] -= strength * e[c];
            }
        }
}

void ph_hierarchy_place(const ph_hierarchy *h, double G, const double *r, size_t stride, double *offset,
                        double *x, double to_center[3], double *f)
{
    const size_t n = h->n;
    memset(offset, 0, 3 * n * sizeof *offset);
    memset(x, 0, 3 * n * sizeof *x);
    memset(to_center, 0, 3 * sizeof *to_center); /* of the group that the anchor is in, so far */
    if (f)
        memset(f, 0, 3 * n * sizeof *f);
    const size_t anchor = n > 1 ? h->pair[0].first : 0;
    for (size_t i = 0; i + 1 < n; i++) {
        const ph_pair *p = &h->pair[i];
        const double *ri = r + i * stride;
        if (f && p->end - p->first > 2)
            add_forces(h, p, G, ri, offset, f);
        if (i == 0) {
            join(p, ri, offset);
            for (size_t b = p->first; b < p->end; b++)
                memcpy(x + 3 * h->order[b], offset + 3 * b, 3 * sizeof *x);
            continue;
        }
        if (anchor >= p->first && anchor < p->end) { /* the other group is placed, for good */
            const int left = anchor < p->middle;
            const double sign = left ? 1 : -1, share = sign * (left ? p->right : p->left) / p->whole;
            for (size_t b = left ? p->middle : p->first; b < (left ? p->end : p->middle); b++)
                for (size_t k = 0; k < 3; k++)
                    x[3 * h->order[b] + k] = (to_center[k] + sign * ri[k]) + offset[3 * b + k];
            for (size_t k = 0; k < 3; k++)
                to_center[k] += share * ri[k];
        }
        join(p, ri, offset);
    }
}

void ph_hierarchy_acceleration(const ph_hierarchy *h, size_t i, const double *f, double a[3])
{
    const ph_pair *p = &h->pair[i];
    double left[3] = {0, 0, 0}, right[3] = {0, 0, 0};
    for (size_t b = p->first; b < p->end; b++)
        for (size_t k = 0; k < 3; k++)
            (b < p->middle ? left : right)[k] += f[3 * h->order[b] + k];
    for (size_t k = 0; k < 3; k++)
        a[k] = right[k] / p->right - left[k] / p->left;
}
