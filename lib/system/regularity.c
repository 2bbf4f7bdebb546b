/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a Lagrangian regular at a state, E^T L_vv E not singular, so that velocities can be found from momenta?
 * A condition number decides, of the matrix scaled so that units do not matter. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>
#include <polhode/kit/tensions.h>

#include "system.h"

#include <math.h>

/* *condition <- the condition number of A (m x m) in the 1-norm, once rows and columns are divided by the
 * square roots of the largest entries of the rows, so that units do not matter; infinite where A is singular.
 * Scratch: B (m x m), x (m), and pivots behind it. */
static ph_status condition_number(size_t m, const double *A, double *B, double *x, double *condition)
{
    double size = 0, inverse = 0;
    int *pivot = (int *)(void *)(x + m);
    *condition = INFINITY;
    if (!ph_all_finite(A, m * m))
        return PH_E_NOT_FINITE;
    for (size_t i = 0; i < m * m; i++) {
        double scale = ph_max_norm(A + i / m * m, m) * ph_max_norm(A + i % m * m, m);
        B[i] = scale > 0 ? A[i] / sqrt(scale) : 0;
    }
    for (size_t j = 0; j < m; j++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++)
            sum += fabs(B[i * m + j]);
        size = fmax(size, sum);
    }
    if (ph_lu_factor(m, B, pivot, NULL))
        return PH_OK;
    for (size_t j = 0; j < m; j++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++)
            x[i] = i == j;
        ph_lu_solve(m, B, pivot, x);
        for (size_t i = 0; i < m; i++)
            sum += fabs(x[i]);
        inverse = fmax(inverse, sum);
    }
    *condition = size * inverse;
    return PH_OK;
}

bool ph_system_is_regular(const ph_system *s)
{
    return s->M || s->of->regular || (s->of->is_regular && s->of->is_regular(ph_system_root(s)));
}

size_t ph_regularity_work(const ph_system *s)
{
    size_t m = ph_space_dimension(s->space);
    if (ph_system_is_regular(s))
        return 0;
    if (s->of->check_regular)
        return ph_system_work(s);
    return ph_space_basis_size(s->space) + 2 * m * m + 2 * m + ph_tangent_work(s);
}

/* A kind may have its own way, any other system is judged by E^T L_vv E. A
 * row within the noise of differences counts as 0: scaling would otherwise turn rounding errors into an
 * inertia. */
ph_status ph_check_regular(const ph_system *s, double t, const double *z, const double *zdot, double *work,
                           double *condition)
{
    const ph_system *r = ph_system_root(s);
    size_t m = ph_space_dimension(s->space);
    double *E = work, *A = E + ph_space_basis_size(s->space), *B = A + m * m, *x = B + m * m;
    if (r->of->check_regular)
        return r->of->check_regular(r, z, work, condition);
    /* with a larger condition number A cannot be distinguished from a singular matrix, because of rounding or
     * the errors of differences */
    bool differenced = r->kind == PH_LAGRANGIAN_GENERAL && !r->is.lagrangian_hessian;
    double most = differenced ? 1e9 : 1e13;
    ph_space_basis(s->space, z, E);
    ph_status status = ph_system_tangent_inertia(s, t, z, zdot, E, A, x + 2 * m);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++)
            A[j * m + i] = A[i * m + j];
    double noise = 0;
    if (!status)
        status = ph_lagrangian_noise(s, t, z, zdot, &noise, x + 2 * m);
    if (!status)
        status = condition_number(m, A, B, x, condition);
    for (size_t i = 0; i < m && !status; i++) /* scaling would turn rounding errors into an inertia */
        if (ph_max_norm(A + i * m, m) <= noise)
            *condition = INFINITY;
    if (!status && !(*condition <= most))
        status = PH_E_SINGULAR;
    if (!status && r->kind != PH_LAGRANGIAN_GENERAL)
        status = ph_cholesky_factor(m, A);
    return status;
}
