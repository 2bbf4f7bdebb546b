/* SPDX-License-Identifier: BSD-3-Clause */
/* The subspace {A x = 0} as an embedding: constraints A x, a constant Jacobian. */
#include <polhode/space.h>

#include <stdint.h>
#include <string.h>

static ph_status constraint(void *user, const double *x, double *g)
{
    const ph_subspace *s = user;
    for (size_t i = 0; i < s->m; i++) {
        g[i] = 0;
        for (size_t j = 0; j < s->n; j++)
            g[i] += s->A[i * s->n + j] * x[j];
    }
    return PH_OK;
}

static ph_status jacobian(void *user, const double *x, double *A)
{
    const ph_subspace *s = user;
    (void)x;
    memcpy(A, s->A, s->m * s->n * sizeof *A);
    return PH_OK;
}

static ph_status bend(void *user, const double *x, const double *v, double *dA)
{
    const ph_subspace *s = user;
    (void)x, (void)v;
    memset(dA, 0, s->m * s->n * sizeof *dA);
    return PH_OK;
}

ph_embedding ph_embedding_subspace(const ph_subspace *subspace)
{
    /* the callbacks only read it */
    void *user = (void *)(uintptr_t)subspace;
    return (ph_embedding){.name = "subspace",
                          .n = subspace->n,
                          .dimension = subspace->m < subspace->n ? subspace->n - subspace->m : 0,
                          .constraint = constraint,
                          .jacobian = jacobian,
                          .bend = bend,
                          .user = user};
}
