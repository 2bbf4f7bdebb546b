/* SPDX-License-Identifier: BSD-3-Clause */
/* The orthographic retraction of a manifold {g(x) = 0} (Absil, Malick, SIAM J. Optim. 22 (2012) 135), its
 * inverse and its derivative. With Q_1 (n x m) the normal space at z (constraints.c),
 *     z1 = z + v + Q_1 c,          g(z1) = 0,
 *     dz1 = dv + Q_1 nu,           A(z1) Q_1 nu = -A(z1) dv,
 * c (m) by Newton's method, whose matrix A(z1) Q_1 is m x m. The inverse is the tangent part of z1 - z. */
#include "embedding.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>

enum { N = PH_EMBEDDING_MOST };

/* B <- A(z1) Q_1, factored, with the sign of its determinant. */
static ph_status cross_matrix(const ph_constraints *at_z, ph_landing *to, int *sign)
{
    double row[N];
    for (size_t i = 0; i < at_z->m; i++) {
        memcpy(row, to->A + i * at_z->n, at_z->n * sizeof *row);
        ph_orthogonal_resolve(&at_z->A, row);
        memcpy(to->B + i * at_z->m, row, at_z->m * sizeof *row);
    }
    return ph_lu_factor(at_z->m, to->B, to->pivot, sign);
}

/* to->z + to->low <- z + low + v + Q_1 c; the increment is summed first, so that a small step keeps its
 * digits. Without low to->z is the sum rounded. */
static void displace(const ph_constraints *at_z, const double *z, const double *low, const double *v,
                     const double *c, ph_landing *to)
{
    double normal[N] = {0};
    memcpy(normal, c, at_z->m * sizeof *normal);
    ph_orthogonal_compose(&at_z->A, normal);
    for (size_t j = 0; j < at_z->n; j++) {
        to->D[j] = v[j] + normal[j];
        if (low)
            ph_two_sum(z[j], low[j] + to->D[j], &to->z[j], &to->low[j]);
        else
            to->z[j] = z[j] + to->D[j];
    }
}

/* g (m) <- the constraints at to->z + to->low, from those at to->z. */
static void add_low(const ph_constraints *at_z, const ph_landing *to, double *g)
{
    for (size_t i = 0; i < at_z->m; i++)
        for (size_t j = 0; j < at_z->n; j++)
            g[i] += to->A[i * at_z->n + j] * to->low[j];
}

/* Newton's corrections decrease until they are rounding: below eps of the coordinates, or, where g is less
 * accurate than that, when they no longer decrease. The determinant of A(z1) Q_1 vanishes where the sheet
 * folds over the normal space of z; beyond the fold it has the other sign, and the solution is rejected. */
ph_status ph_constraints_retract(const ph_factor_place *f, const ph_constraints *at_z, const double *z,
                                 const double *low, const double *v, ph_landing *to)
{
    enum { PASSES = 50 };
    static const double rounding = 1e-9;
    double c[N] = {0}, g[N], before = INFINITY, size = fmax(ph_max_norm(z, f->nz), ph_max_norm(v, f->nz));
    int exponent[N], sign;
    for (int pass = 0; pass < PASSES; pass++) {
        displace(at_z, z, low, v, c, to);
        if (!ph_all_finite(to->z, f->nz))
            return PH_E_NO_SOLUTION;
        ph_status status = ph_constraints_evaluate(f, to->z, g, to->A, exponent, NULL);
        if (status)
            return status;
        if (cross_matrix(at_z, to, &sign))
            return PH_E_NO_SOLUTION;
        if (low)
            add_low(at_z, to, g);
        ph_lu_solve(at_z->m, to->B, to->pivot, g);
        double correction = ph_max_norm(g, at_z->m);
        bool done =
            correction <= DBL_EPSILON * size || (correction >= 0.5 * before && correction <= rounding * size);
        for (size_t i = 0; i < at_z->m; i++)
            c[i] -= g[i];
        if (done) { /* apply the last correction, too: leaving it out would bias the result */
            displace(at_z, z, low, v, c, to);
            return sign == at_z->A.sign ? PH_OK : PH_E_NO_SOLUTION;
        }
        before = correction;
    }
    return PH_E_NO_SOLUTION;
}

/* D <- v + Q_1 c, from z + low: what is added to z, not the difference of two points. */
void ph_constraints_increment_sum(const ph_factor_place *f, const double *z, const double *low,
                                  const double *v, double *D)
{
    ph_constraints at_z;
    ph_landing to;
    if (ph_constraints_tangent_at(f, z, &at_z) || ph_constraints_retract(f, &at_z, z, low, v, &to))
        ph_embedding_fill_nan(D, f->nz);
    else
        memcpy(D, to.D, f->nz * sizeof *D);
}

void ph_constraints_increment(const ph_factor_place *f, const double *z, const double *v, double *D)
{
    ph_constraints_increment_sum(f, z, NULL, v, D);
}

/* The tangent part of z1 - z, if the retraction leads back to z1, which may be on another sheet. */
ph_status ph_constraints_log(const ph_factor_place *f, const double *z, const double *z1, double *v)
{
    static const double same = 1e-6; /* near a fold the root is as uncertain as the square root of rounding */
    ph_constraints at_z;
    ph_landing to;
    double size = fmax(ph_max_norm(z, f->nz), ph_max_norm(z1, f->nz)), off = 0;
    ph_status status = ph_constraints_tangent_at(f, z, &at_z);
    if (status)
        return status;
    for (size_t j = 0; j < f->nz; j++)
        v[j] = z1[j] - z[j];
    ph_constraints_make_tangent(&at_z, v);
    status = ph_constraints_retract(f, &at_z, z, NULL, v, &to);
    if (status)
        return status;
    for (size_t j = 0; j < f->nz; j++)
        off = fmax(off, fabs(to.z[j] - z1[j]));
    return off <= same * size ? PH_OK : PH_E_NO_SOLUTION;
}

/* w <- dv + Q_1 nu: the retraction differentiated, with the factors of its last Newton step. */
void ph_constraints_dexp(const ph_factor_place *f, const double *z, const double *v, const double *dv,
                         double *w)
{
    ph_constraints at_z;
    ph_landing to;
    double nu[N] = {0};
    if (ph_constraints_tangent_at(f, z, &at_z) || ph_constraints_retract(f, &at_z, z, NULL, v, &to)) {
        ph_embedding_fill_nan(w, f->nz);
        return;
    }
    for (size_t i = 0; i < at_z.m; i++)
        for (size_t j = 0; j < at_z.n; j++)
            nu[i] -= to.A[i * at_z.n + j] * dv[j];
    ph_lu_solve(at_z.m, to.B, to.pivot, nu);
    ph_orthogonal_compose(&at_z.A, nu);
    for (size_t j = 0; j < at_z.n; j++)
        w[j] = dv[j] + nu[j];
}
