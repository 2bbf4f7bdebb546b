/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear motion near a relative equilibrium, up to its symmetries: x'' + G x' + H x = 0, where H = V_mu'' and the
 * kinetic energy is |x'|^2 / 2. Its eigenvalues are those of [0, 1; -H, -G]. */
#include "equilibria.h"
#include "spectrum.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include "lib/algebra/lapack.h"

#include <math.h>
#include <string.h>

/* What is below this share of the largest is 0: of curvatures, and of real parts. Where a curvature is 0, a double
 * eigenvalue 0 is known to the root of its error only. */
static const double zero_to = 1e-9, zero_to_where_degenerate = 1e-5;

int ph_judge_work(size_t nx)
{
    return (int)(16 * nx + 16); /* dsyev: 3 n; dgeev without vectors: 3 (2 n), more is quicker */
}

/* S <- the eigenvectors of H, row after row; values (m) <- ascending. */
static ph_status decompose(ph_equilibria *e, double *values, bool vectors)
{
    memcpy(e->S, e->H, e->m * e->m * sizeof *e->S);
    return ph_eigen_symmetric(e->m, e->S, vectors, values, e->lapack, e->lapack_size);
}

ph_status ph_newton_step(ph_equilibria *e, double *x)
{
    const size_t m = e->m;
    double *values = e->y;
    ph_status status = decompose(e, values, true);
    if (status)
        return status;
    const double largest = ph_max_norm(values, m);
    memset(x, 0, m * sizeof *x);
    for (size_t a = 0; a < m; a++) {
        if (!(fabs(values[a]) > zero_to * largest))
            continue;
        const double share = -ph_dot(e->S + a * m, e->r, m) / values[a];
        for (size_t i = 0; i < m; i++)
            x[i] += share * e->S[a * m + i];
    }
    return PH_OK;
}

/* found->real, imaginary <- the eigenvalues of the linear motion. */
static ph_status find_eigenvalues(ph_equilibria *e, ph_equilibrium *found)
{
    const size_t m = e->m, n = 2 * m;
    double *A = e->pencil;
    memset(A, 0, n * n * sizeof *A);
    for (size_t i = 0; i < m; i++) {
        A[(m + i) * n + i] = 1; /* column after column: row i, column m + i */
        for (size_t j = 0; j < m; j++) {
            A[j * n + m + i] = -e->H[i * m + j];
            A[(m + j) * n + m + i] = -e->G[i * m + j];
        }
    }
    return ph_spectrum(n, A, found->real, found->imaginary, e->lapack, e->lapack_size);
}

ph_status ph_judge(ph_equilibria *e, ph_equilibrium *found)
{
    found->modes = e->m;
    found->negative = found->zero = 0;
    found->growth = 0;
    found->stability = PH_STABILITY_STABLE;
    if (!e->m)
        return PH_OK;
    ph_status status = decompose(e, found->curvature, false);
    if (!status)
        status = find_eigenvalues(e, found);
    if (status)
        return status;
    const double largest = ph_max_norm(found->curvature, e->m);
    for (size_t i = 0; i < e->m; i++) {
        const bool is_zero = fabs(found->curvature[i]) <= zero_to * largest;
        found->zero += is_zero;
        found->negative += !is_zero && found->curvature[i] < 0;
    }
    double growth = 0;
    for (size_t i = 0; i < 2 * e->m; i++)
        growth = fmax(growth, found->real[i]);
    const double fastest = ph_hypot(found->real[0], found->imaginary[0]);
    if (growth > (found->zero ? zero_to_where_degenerate : zero_to) * fastest)
        found->growth = growth;
    found->stability = found->growth > 0 ? PH_STABILITY_UNSTABLE
                       : found->zero     ? PH_STABILITY_DEGENERATE
                       : found->negative ? PH_STABILITY_SPECTRAL
                                         : PH_STABILITY_STABLE;
    return PH_OK;
}

const char *ph_stability_text(ph_stability stability)
{
    static const char *const text[PH_STABILITIES] = {"stable", "spectrally stable", "unstable", "degenerate"};
    return (unsigned)stability < PH_STABILITIES ? text[stability] : NULL;
}
