/* SPDX-License-Identifier: BSD-3-Clause */
/* The constraints g of a manifold M = {g(x) = 0} in R^n at a point: g, its Jacobian A with the factors A = L Q^T,
 * where the columns Q_1 are normal and Q_2 tangent, and the derivative of A. */
#include "embedding.h"

#include <math.h>
#include <string.h>

#include <polhode/kit/algebra.h>

enum { N = PH_EMBEDDING_MOST };

/* A row of unit size counts as linearly dependent where its remainder is below this. */
static const double dependent = 1e-10;

/* ---- At a point ----------------------------------------------------------------------------------- */

/* Scaling each row by a power of two changes neither the manifold nor any digit; the rank then does not
 * depend on the units of the constraints. */
ph_status ph_constraints_evaluate(const ph_factor_place *f, const double *x, double *g, double *A,
                                  int *exponent, const char **what)
{
    const ph_embedding *e = f->embedding;
    const size_t n = f->nz, m = n - f->nx;
    const char *unused;
    if (!what)
        what = &unused;
    *what = "constraint";
    ph_status status = g ? e->constraint(e->user, x, g) : PH_OK;
    if (!status && g && !ph_all_finite(g, m))
        status = PH_E_NOT_FINITE;
    if (status)
        return status;
    *what = "constraint Jacobian";
    status = e->jacobian(e->user, x, A);
    if (!status && !ph_all_finite(A, m * n))
        status = PH_E_NOT_FINITE;
    for (size_t i = 0; i < m && !status; i++) {
        frexp(ph_max_norm(A + i * n, n), &exponent[i]);
        for (size_t j = 0; j < n; j++)
            A[i * n + j] = ldexp(A[i * n + j], -exponent[i]);
        if (g)
            g[i] = ldexp(g[i], -exponent[i]);
    }
    return status;
}

ph_status ph_constraints_factored_at(const ph_factor_place *f, const double *x, bool values,
                                     ph_constraints *c, const char **what)
{
    c->n = c->A.n = f->nz;
    c->m = c->A.rank = f->nz - f->nx;
    ph_status status = ph_constraints_evaluate(f, x, values ? c->g : NULL, c->A.a, c->exponent, what);
    if (status)
        return status;
    memcpy(c->rows, c->A.a, c->m * c->n * sizeof *c->rows);
    ph_orthogonal_factor(&c->A, c->m, c->m, dependent);
    return c->A.rank < c->m ? PH_E_SINGULAR : PH_OK;
}

ph_status ph_constraints_at(const ph_factor_place *f, const double *x, ph_constraints *c)
{
    return ph_constraints_factored_at(f, x, true, c, NULL);
}

ph_status ph_constraints_tangent_at(const ph_factor_place *f, const double *x, ph_constraints *c)
{
    return ph_constraints_factored_at(f, x, false, c, NULL);
}

/* dA is divided by the same powers of two as A. */
ph_status ph_constraints_bend(const ph_factor_place *f, const ph_constraints *c, const double *x,
                              const double *v, double *dA)
{
    const ph_embedding *e = f->embedding;
    ph_status status =
        e->bend ? e->bend(e->user, x, v, dA) : ph_embedding_difference(e, e->jacobian, x, v, c->m * c->n, dA);
    if (!status && !ph_all_finite(dA, c->m * c->n))
        status = PH_E_NOT_FINITE;
    for (size_t i = 0; i < c->m * c->n && !status; i++)
        dA[i] = ldexp(dA[i], -c->exponent[i / c->n]);
    return status;
}

/* ---- The tangent space ---------------------------------------------------------------------------- */

/* v <- P v, twice: the second time removes what rounding left of a large normal part. The normal part is
 * subtracted; if v were turned into the frame of A and back, a tangent v would change in length, on the unit
 * sphere by 3e-17 on average, and the momenta with it at every step. */
void ph_constraints_make_tangent(const ph_constraints *c, double *v)
{
    for (int pass = 0; pass < 2; pass++) {
        double normal[N];
        memcpy(normal, v, c->n * sizeof *normal);
        ph_orthogonal_resolve(&c->A, normal);
        memset(normal + c->m, 0, (c->n - c->m) * sizeof *normal);
        ph_orthogonal_compose(&c->A, normal);
        for (size_t j = 0; j < c->n; j++)
            v[j] -= normal[j];
    }
}
