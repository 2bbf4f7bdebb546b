/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks for people who write a model: derivatives against differences, and the fastest rate of the
 * linearised system. In tangent coordinates x at z, with the basis E, U(exp_z(E x)) has the slopes dU/dx_i =
 * dU . d exp_z(E x)[E_i], and the differences of these at x = +-step give its second derivative K. Rates are
 * those of the pencil (K, E^T MM E). */
#include <polhode/algebra.h>
#include <polhode/solve.h>
#include <polhode/system.h>

#include <internal/memory.h>

#include <stdlib.h>
#include <string.h>

/* Arrays of both checks; one block. */
typedef struct scratch {
    size_t m, nz;                 /* tangent coordinates, ambient ones */
    double *E, *v, *z1, *g;       /* basis; (nz) each */
    double *e, *push;             /* (nz) each */
    double *plus, *minus;         /* (nz) each */
    double *A, *K, *x, *y;        /* (m x m) each, (m) each */
    double *given, *expected;     /* (nz x nz) each */
    double *work;                 /* what the force's derivative and the Lagrangian want */
    const ph_factor_place **home; /* (m) the factor of a tangent coordinate, and ... */
    double **row;                 /* ... its row of E */
} scratch;

/* Without a retraction there is no curve to take differences along. */
static ph_status check_space(const ph_system *system, ph_error *err)
{
    if (ph_space_has_retraction(ph_system_space(system)))
        return PH_OK;
    return ph_fail(
        err, PH_E_UNSUPPORTED,
        "differences along the manifold need its constraints; a factor is given by its projection alone");
}

static void *lay(scratch *w, const ph_system *system)
{
    ph_lay l = {NULL, 0};
    const ph_space *space = ph_system_space(system);
    w->m = ph_space_dimension(space);
    w->nz = ph_space_ambient(space);
    for (int pass = 0; pass < 2; pass++) {
        double **vectors[] = {&w->v, &w->z1, &w->g, &w->e, &w->push, &w->plus, &w->minus};
        for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
            *vectors[i] = ph_lay_doubles(&l, w->nz);
        w->E = ph_lay_doubles(&l, ph_space_basis_size(space));
        w->home = ph_lay_bytes(&l, w->m * sizeof *w->home);
        w->row = ph_lay_bytes(&l, w->m * sizeof *w->row);
        w->A = ph_lay_doubles(&l, w->m * w->m);
        w->K = ph_lay_doubles(&l, w->m * w->m);
        w->x = ph_lay_doubles(&l, w->m);
        w->y = ph_lay_doubles(&l, w->m);
        w->given = ph_lay_doubles(&l, w->nz * w->nz);
        w->expected = ph_lay_doubles(&l, w->nz * w->nz);
        w->work = ph_lay_doubles(&l, 3 * w->nz + ph_system_work(system));
        if (!pass && !(l = (ph_lay){malloc(l.bytes), 0}).base)
            return NULL;
    }
    return l.base;
}

/* The basis at z, and where its rows belong. */
static void make_basis(const ph_system *system, scratch *w, const double *z)
{
    const ph_space *space = ph_system_space(system);
    double *row = w->E;
    ph_space_basis(space, z, w->E);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t a = 0; a < f->nx; a++, row += f->nz) {
            w->home[f->x + a] = f;
            w->row[f->x + a] = row;
        }
    }
}

/* v <- s times the tangent coordinate `which`. */
static void direction(const scratch *w, size_t which, double s, double *v)
{
    const ph_factor_place *f = w->home[which];
    memset(v, 0, w->nz * sizeof *v);
    for (size_t k = 0; k < f->nz; k++)
        v[f->z + k] = s * w->row[which][k];
}

/* dU/dx_which at x = 0 from the gradient g. */
static double slope_of(const scratch *w, const double *g, size_t which)
{
    double sum = 0;
    for (size_t k = 0; k < w->home[which]->nz; k++)
        sum += g[w->home[which]->z + k] * w->row[which][k];
    return sum;
}

/* z1 <- exp_z(s e), e the tangent coordinate `which`. */
static void move(const ph_system *system, scratch *w, const double *z, size_t which, double s)
{
    direction(w, which, s, w->v);
    ph_space_exp(ph_system_space(system), z, w->v, w->z1);
}

/* ---- Derivatives -------------------------------------------------------------------------------- */

/* dU/ds by differences of order 4. */
static ph_status differenced_slope(const ph_system *system, scratch *w, const double *z, size_t which,
                                   double *slope)
{
    static const double weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12}, at[4] = {-2, -1, 1, 2},
                        step = 1e-3;
    *slope = 0;
    for (size_t i = 0; i < 4; i++) {
        double U = 0;
        move(system, w, z, which, at[i] * step);
        ph_status status = ph_system_potential(system, w->z1, &U);
        if (status)
            return status;
        *slope += weight[i] * U / step;
    }
    return PH_OK;
}

static ph_status check_gradient(const ph_system *system, scratch *w, const double *z, ph_derivative_report *r)
{
    double largest = 0, worst = -1;
    /* at an equilibrium the slopes vanish: what their rounding is to be measured by is U and the whole
     * gradient */
    ph_status status = ph_system_potential(system, z, &largest);
    largest = fabs(largest);
    if (!status)
        status = ph_system_gradient(system, z, w->g);
    for (size_t i = 0; i < w->nz && !status; i++)
        largest = fmax(largest, fabs(w->g[i]));
    for (size_t i = 0; i < w->m && !status; i++) {
        double given = slope_of(w, w->g, i), expected = 0;
        status = differenced_slope(system, w, z, i, &expected);
        largest = fmax(largest, fmax(fabs(given), fabs(expected)));
        if (!(fabs(given - expected) <= worst)) {
            worst = fabs(given - expected);
            r->gradient_direction = i;
            r->gradient_given = given;
            r->gradient_expected = expected;
        }
    }
    r->gradient_error = largest > 0 ? worst / largest : 0;
    return status;
}

/* df/dzdot by central differences, a column at a time. */
static ph_status difference_force(const ph_system *system, scratch *w, double t, const double *z,
                                  const double *zdot)
{
    double size = 1e-3;
    memcpy(w->v, zdot, w->nz * sizeof *w->v);
    for (size_t j = 0; j < w->nz; j++)
        size = fmax(size, fabs(zdot[j]));
    for (size_t j = 0; j < w->nz; j++) {
        volatile double up = zdot[j] + 6e-6 * size, down = zdot[j] - 6e-6 * size;
        w->v[j] = up;
        ph_status status = ph_system_force(system, t, z, w->v, w->plus);
        w->v[j] = down;
        if (!status)
            status = ph_system_force(system, t, z, w->v, w->minus);
        if (status)
            return status;
        w->v[j] = zdot[j];
        for (size_t i = 0; i < w->nz; i++)
            w->expected[i * w->nz + j] = (w->plus[i] - w->minus[i]) / (up - down);
    }
    return PH_OK;
}

static ph_status check_force(const ph_system *system, scratch *w, double t, const double *z,
                             const double *zdot, ph_derivative_report *r)
{
    double largest = 0, worst = -1;
    if (!ph_system_has_force(system))
        return PH_OK;
    ph_status status = ph_system_force_dv(system, t, z, zdot, w->given, w->work);
    if (!status)
        status = difference_force(system, w, t, z, zdot);
    for (size_t i = 0; i < w->nz * w->nz && !status; i++) {
        double off = fabs(w->given[i] - w->expected[i]);
        largest = fmax(largest, fmax(fabs(w->given[i]), fabs(w->expected[i])));
        if (!(off <= worst)) {
            worst = off;
            r->force_dv_row = i / w->nz;
            r->force_dv_column = i % w->nz;
            r->force_dv_given = w->given[i];
            r->force_dv_expected = w->expected[i];
        }
    }
    r->force_dv_error = largest > 0 ? worst / largest : 0;
    return status;
}

static ph_status conclude(void *memory, ph_status status, ph_error *err)
{
    free(memory);
    return status ? ph_fail(err, status, "a callback of the system failed: %s", ph_status_text(status))
                  : PH_OK;
}

ph_status ph_system_check_derivatives(const ph_system *system, double t, const double *z, const double *zdot,
                                      ph_derivative_report *report, ph_error *err)
{
    scratch w;
    ph_status supported = check_space(system, err);
    void *memory = supported ? NULL : lay(&w, system);
    if (supported)
        return supported;
    if (!memory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *report = (ph_derivative_report){0};
    make_basis(system, &w, z);
    ph_status status = check_gradient(system, &w, z, report);
    if (!status)
        status = check_force(system, &w, t, z, zdot, report);
    if (!status && !isfinite(report->gradient_error + report->force_dv_error))
        status = PH_E_NOT_FINITE;
    return conclude(memory, status, err);
}

/* ---- Rates -------------------------------------------------------------------------------------- */

/* slopes (m) <- dU/dx_i at x = s in the coordinate `which`. */
static ph_status slopes_at(const ph_system *system, scratch *w, const double *z, size_t which, double s,
                           double *slopes)
{
    move(system, w, z, which, s);
    ph_status status = ph_system_gradient(system, w->z1, w->g);
    for (size_t i = 0; i < w->m && !status; i++) {
        direction(w, i, 1, w->e);
        ph_space_dexp(ph_system_space(system), z, w->v, w->e, w->push);
        slopes[i] = 0;
        for (size_t k = 0; k < w->nz; k++)
            slopes[i] += w->g[k] * w->push[k];
    }
    return status;
}

/* A <- E^T MM E, K <- second derivative of U (its two halves differ by differencing). */
static ph_status linearise(const ph_system *system, scratch *w, const double *z)
{
    static const double step = 1e-4;
    ph_status status = PH_OK;
    status = ph_system_tangent_inertia(system, z, NULL, w->E, w->A, w->work);
    for (size_t j = 0; j < w->m && !status; j++) {
        status = slopes_at(system, w, z, j, step, w->x);
        if (!status)
            status = slopes_at(system, w, z, j, -step, w->y);
        for (size_t i = 0; i < w->m && !status; i++)
            w->K[i * w->m + j] = (w->x[i] - w->y[i]) / (2 * step);
    }
    return status;
}

/* Power iteration on A^{-1} K; its eigenvalues are real, and the norm of A picks the one of largest size. */
static double largest_eigenvalue(scratch *w)
{
    double size = 0;
    for (size_t i = 0; i < w->m; i++)
        w->x[i] = 1 + 0.37 * sin(2.0 * (double)i + 1); /* any vector with a part along every eigenvector */
    for (int pass = 0; pass < 500; pass++) {
        double norm = 0, before = size;
        for (size_t i = 0; i < w->m; i++) {
            w->y[i] = 0;
            for (size_t j = 0; j < w->m; j++)
                w->y[i] += 0.5 * (w->K[i * w->m + j] + w->K[j * w->m + i]) * w->x[j];
        }
        ph_cholesky_solve(w->m, w->A, w->y);
        for (size_t i = 0; i < w->m; i++)
            norm += w->y[i] * w->y[i];
        size = sqrt(norm);
        if (!(size > 0) || !isfinite(size))
            return size;
        for (size_t i = 0; i < w->m; i++)
            w->x[i] = w->y[i] / size;
        if (pass > 20 && fabs(size - before) <= 1e-9 * size)
            break;
    }
    return size;
}

ph_status ph_system_fastest_rate(const ph_system *system, const double *z, double *rate, ph_error *err)
{
    scratch w;
    ph_status supported = check_space(system, err);
    void *memory = supported ? NULL : lay(&w, system);
    if (supported)
        return supported;
    if (!memory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    make_basis(system, &w, z);
    ph_status status = linearise(system, &w, z);
    if (!status)
        status = ph_cholesky_factor(w.m, w.A);
    if (!status) {
        *rate = sqrt(largest_eigenvalue(&w));
        if (!isfinite(*rate))
            status = PH_E_NOT_FINITE;
    }
    return conclude(memory, status, err);
}
