/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of embedded manifolds: see embedded.h. */
#include "embedded.h"

#include <math.h>

double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

double length(size_t n, const double *a)
{
    return sqrt(dot(n, a, a));
}

void matvec(size_t n, const double *P, const double *v, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = dot(n, P + i * n, v);
}

void normalise(size_t n, double *v)
{
    const double scale = 1 / length(n, v);
    for (size_t i = 0; i < n; i++)
        v[i] *= scale;
}

void draw(const em_manifold *m, tk_random *r, sample *s)
{
    double y[EM_N], *to[3] = {s->v, s->dv, s->normal};
    s->m = m;
    s->n = m->n;
    m->point(m->user, r, s->x);
    tk_ok(m->projection((void *)(uintptr_t)m->user, s->x, s->P));
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < s->n; i++)
            to[k][i] = tk_normal(r);
        for (int pass = 0; pass < 2; pass++) { /* a small part that is left has lost digits */
            matvec(s->n, s->P, to[k], y);
            for (size_t i = 0; i < s->n; i++)
                to[k][i] = k < 2 ? y[i] : to[k][i] - y[i];
            normalise(s->n, to[k]);
        }
    }
    s->size = 1 + ph_max_norm(s->x, s->n);
}

void check_samples(int i, em_way way, law *check)
{
    TK_OWN(ph_space) *space = em_space(i, way);
    tk_random r = {4000 + (uint64_t)i};
    sample s;
    for (int trial = 0; trial < TRIALS; trial++) {
        draw(em_at(i), &r, &s);
        check(space, &s, &r);
    }
}
