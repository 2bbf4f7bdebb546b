/* SPDX-License-Identifier: BSD-3-Clause */
/* Reactions of velocity constraints A v = b in the Euler-Lagrange equations (Lagrange-d'Alembert's principle): with the
 * acceleration E x0 + N without them, and the constraint differentiated along the motion,
 *     G lambda = -{ A (E x0 + N) + d/dt (A v - b) at fixed v },   G = a J^{-1} a^T,   a = A E,   J = E^T L_vv E,
 *     x = x0 + J^{-1} a^T lambda.
 * lambda is a function of (t, z, v); A^T lambda is the force of the constraint. */
#include "equations.h"
#include "lib/system/evaluation.h"

#include <polhode/constraints.h>
#include <polhode/kit/solve.h>

#include <string.h>

/* A row whose part independent of those before it is smaller has none (relative, of squares). */
static const double independent_from = 1e-13;

typedef struct rows {
    double *A, *b, *a, *W, *G, *lambda, *more; /* (m x nz), (m), (m x nx) twice, (m x m), (m) */
    double *saddle;                            /* (ph_saddle_size) */
} rows;

static rows place(const ph_system *system, double *work)
{
    const size_t m = ph_system_constraints(system), nz = ph_space_ambient(ph_system_space(system)),
                 nx = ph_space_dimension(ph_system_space(system));
    rows r = {.A = work};
    r.b = r.A + m * nz;
    r.a = r.b + m;
    r.W = r.a + m * nx;
    r.G = r.W + m * nx;
    r.lambda = r.G + m * m;
    r.saddle = r.lambda + m;
    r.more = r.saddle + ph_saddle_size(m, nx);
    return r;
}

size_t ph_reactions_work(const ph_system *system)
{
    const size_t m = ph_system_constraints(system), nz = ph_space_ambient(ph_system_space(system)),
                 nx = ph_space_dimension(ph_system_space(system));
    return m ? m * (nz + 2 * nx + m + 2) + ph_system_constraint_work(system) + ph_saddle_size(m, nx) : 0;
}

/* G <- Cholesky factor of G, scaled by its diagonal, whose roots are in b. */
static ph_status factor(size_t m, double *G, double *scale)
{
    for (size_t i = 0; i < m; i++)
        scale[i] = sqrt(G[i * m + i]);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = G[i * m + j] / scale[i] / scale[j];
            for (size_t k = 0; k < j; k++)
                sum -= G[i * m + k] * G[j * m + k];
            if (i == j && !(sum > independent_from))
                return PH_E_SINGULAR;
            G[i * m + j] = i == j ? sqrt(sum) : sum / G[j * m + j];
        }
    return PH_OK;
}

/* lambda <- G^{-1} lambda. */
static void solve(size_t m, const double *G, const double *scale, double *lambda)
{
    for (size_t i = 0; i < m; i++) {
        lambda[i] /= scale[i];
        for (size_t j = 0; j < i; j++)
            lambda[i] -= G[i * m + j] * lambda[j];
        lambda[i] /= G[i * m + i];
    }
    for (size_t i = m; i-- > 0;) {
        for (size_t j = i + 1; j < m; j++)
            lambda[i] -= G[j * m + i] * lambda[j];
        lambda[i] /= G[i * m + i];
    }
    for (size_t i = 0; i < m; i++)
        lambda[i] /= scale[i];
}

ph_status ph_reactions_eliminate(const ph_system *system, double t, const double *z, const double *v,
                                 const ph_reactions_terms *of, double *x, double *lambda, bool eliminates,
                                 bool *done, double *work)
{
    const ph_space *space = ph_system_space(system);
    const size_t m = ph_system_constraints(system), nz = ph_space_ambient(space),
                 nx = ph_space_dimension(space);
    rows r = place(system, work);
    ph_saddle saddle;
    *done = false;
    ph_status status = ph_system_constraint_rows(system, t, z, r.A, r.b);
    if (!status)
        status = ph_system_constraint_along(system, t, z, v, 1, v, r.lambda, r.more);
    if (status)
        return status;
    for (size_t i = 0; i < m; i++) {
        ph_tangent_components(space, of->E, r.A + i * nz, r.a + i * nx);
        r.lambda[i] = -(r.lambda[i] + ph_dot(r.A + i * nz, of->N, nz));
    }
    *done = eliminates && ph_saddle_factor(&saddle, m, nx, r.a, of->J, r.saddle);
    if (!*done)
        return PH_OK;
    memcpy(r.W, x, nx * sizeof *x);
    ph_saddle_solve(&saddle, r.W, r.lambda, x, r.lambda);
    if (lambda)
        memcpy(lambda, r.lambda, m * sizeof *lambda);
    return PH_OK;
}

ph_status ph_reactions_add(const ph_system *system, const ph_reactions_terms *of, double *x, double *lambda,
                           double *work)
{
    const size_t m = ph_system_constraints(system), nx = ph_space_dimension(ph_system_space(system));
    rows r = place(system, work);
    ph_status status;
    for (size_t i = 0; i < m; i++) {
        double *a = r.a + i * nx, *W = r.W + i * nx;
        memcpy(W, a, nx * sizeof *W);
        of->solve(of, W);
        r.lambda[i] -= ph_dot(a, x, nx);
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++)
            r.G[i * m + j] = ph_dot(r.a + i * nx, r.W + j * nx, nx);
    status = factor(m, r.G, r.b);
    if (status)
        return status;
    solve(m, r.G, r.b, r.lambda);
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < nx; k++)
            x[k] += r.lambda[i] * r.W[i * nx + k];
    if (lambda)
        memcpy(lambda, r.lambda, m * sizeof *lambda);
    return PH_OK;
}

ph_status ph_reactions_project(const ph_system *system, double t, double *y, bool turns, double *work)
{
    const ph_space *space = ph_system_space(system);
    const size_t nz = ph_space_ambient(space);
    double *v = turns ? work : y + nz;
    if (!ph_system_constraints(system))
        return PH_OK;
    if (turns)
        ph_space_turn(space, y, y + nz, v);
    ph_status status = ph_system_constraint_project(system, t, y, v, work + nz, NULL);
    if (turns && !status)
        ph_space_spin(space, y, v, y + nz);
    return status;
}
