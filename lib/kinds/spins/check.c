/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of a system of spins (polhode/domain/spins.h): the gradient of its energy, declared parts and callbacks, against slopes
 * along geodesics; dB/dt of the control; the second derivative that its definition gives; and that H is invariant under the
 * rotations that are its symmetries,
 *     {H, J_e} = e . sum_i g_i x s_i = 0,      e . sum_i Gamma_i lambda_i s_i x (s_i x g_i) = 0.
 * Of many spins, derivatives are compared along some directions that move all of them. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/vector.h>

#include "lib/system/check.h"
#include "spins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Directions of the second derivative, whose check takes 8 gradients along each. */
enum { SOME = PH_CHECK_DIRECTIONS };

static size_t larger_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Places of the arrays of all checks in one block, which is returned; NULL without memory. */
static void *lay(ph_checks *c)
{
    ph_lay l = {NULL, 0};
    const size_t nz = c->nz, values = larger_of(nz, SOME);
    for (int pass = 0; pass < 2; pass++) {
        ph_frame_lay(&c->frame, c->space, &l);
        c->x = ph_lay_doubles(&l, 2 * nz);
        c->e = ph_lay_doubles(&l, nz);
        c->given = ph_lay_doubles(&l, SOME * values);
        c->expected = ph_lay_doubles(&l, SOME * values);
        c->gradient = ph_lay_doubles(&l, 2 * nz);
        c->column = ph_lay_doubles(&l, values);
        c->differences = ph_lay_doubles(&l, ph_differentiate_work(values));
        c->work = ph_lay_doubles(&l, 3 * nz);
        if (!pass && !(l = (ph_lay){malloc(l.bytes), 0}).base)
            return NULL;
    }
    return l.base;
}

/* c->x <- the point s of the geodesic along c->e. */
static void move(ph_checks *c, double s)
{
    ph_frame_move(&c->frame, c->z, c->e, s, c->x);
}

/* ---- The control ---------------------------------------------------------------------------------------- */

static ph_status field_later(void *self, double s, double *B)
{
    ph_checks *c = self;
    memset(B, 0, 3 * sizeof *B);
    return ph_system_spins(c->system)->control(c->system->is.user, c->t + s, B, NULL);
}

static ph_status check_control(ph_checks *c)
{
    double B[3] = {0, 0, 0}, dB[3] = {0, 0, 0};
    ph_comparison tables = {3, 1, 0, dB, c->expected, 0};
    ph_status status = ph_system_spins(c->system)->control(c->system->is.user, c->t, B, dB);
    if (!status)
        status = ph_differentiate(field_later, c, 3, 1, c->expected, &tables.floor, c->differences);
    return status ? status : ph_check_tables(c, PH_DERIVATIVE_CONTROL, &tables);
}

/* ---- The second derivative ------------------------------------------------------------------------------ */

/* Blocks up to which it is compared: 300 MB. */
static const size_t most_blocks = (size_t)1 << 22;

/* g <- the gradient at the point s along c->e. */
static ph_status gradient_along(void *self, double s, double *g)
{
    ph_checks *c = self;
    move(c, s);
    return ph_spins_gradient(c->system, c->t, c->x, g);
}

/* v <- the blocks times c->e, tangent part. */
static void multiply(const ph_checks *c, const uint32_t *row, const uint32_t *column, const double *blocks,
                     double *v)
{
    memset(v, 0, c->nz * sizeof *v);
    for (size_t b = 0; b < ph_spins_hessian_blocks(c->system); b++) {
        const size_t i = row[b], j = column[b];
        for (size_t k = 0; k < 9; k++) {
            v[3 * i + k / 3] += blocks[9 * b + k] * c->e[3 * j + k % 3];
            if (i != j)
                v[3 * j + k % 3] += blocks[9 * b + k] * c->e[3 * i + k / 3];
        }
    }
    ph_space_project_tangent(c->space, c->z, v);
}

/* The tangent parts of H u and of the derivative of the gradient along u: Newton's iteration uses no others. */
static ph_status compare_products(ph_checks *c, const uint32_t *row, const uint32_t *column,
                                  const double *blocks)
{
    const size_t n = c->m <= SOME ? c->m : SOME;
    ph_comparison tables = {c->nz, n, 0, c->given, c->expected, 0};
    ph_status status = PH_OK;
    for (size_t k = 0; k < n && !status; k++) {
        ph_check_direction(c, k, SOME);
        multiply(c, row, column, blocks, c->column);
        for (size_t i = 0; i < c->nz; i++)
            c->given[i * n + k] = c->column[i];
        status = ph_differentiate(gradient_along, c, c->nz, 1, c->column, &tables.floor, c->differences);
        ph_space_project_tangent(c->space, c->z, c->column);
        for (size_t i = 0; i < c->nz && !status; i++)
            c->expected[i * n + k] = c->column[i];
    }
    return status ? status : ph_check_tables(c, PH_DERIVATIVE_SPINS, &tables);
}

static ph_status check_second(ph_checks *c)
{
    const size_t blocks = ph_spins_hessian_blocks(c->system);
    if (blocks > most_blocks)
        return PH_OK;
    double *values = malloc(9 * blocks * sizeof *values);
    uint32_t *places = malloc(2 * blocks * sizeof *places);
    ph_status status = values && places ? PH_OK : ph_fail(c->err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        status = ph_spins_hessian_places(c->system, places, places + blocks);
    if (!status)
        status = ph_spins_hessian(c->system, c->t, c->z, values);
    if (!status)
        status = compare_products(c, places, places + blocks, values);
    free(values);
    free(places);
    return status;
}

/* ---- Symmetries ----------------------------------------------------------------------------------------- */

/* Rates of J_e by the energy, whose torques are T, and by damping, each relative to the sum of the magnitudes of its terms. */
static void rates_of_momentum(const ph_checks *c, const double *axis, const double *T, const double *g,
                              double *rate, double *terms)
{
    const ph_spins *is = ph_system_spins(c->system);
    for (size_t m = 0; m < 2; m++)
        rate[m] = terms[m] = 0;
    for (size_t i = 0; i < is->n; i++) {
        double fall[3];
        ph_cross3(T + 3 * i, c->z + 3 * i, fall);
        const double lambda = (is->damping ? is->damping[i] : 0) * (is->strengths ? is->strengths[i] : 1);
        for (size_t k = 0; k < 3; k++) {
            rate[0] += axis[k] * T[3 * i + k];
            rate[1] += axis[k] * lambda * fall[k];
            /* the sizes of torques and gradients keep the terms from being mere rounding where they all vanish */
            terms[0] += fabs(axis[k] * T[3 * i + k]) + 1e-3 * fabs(T[3 * i + k]) + 1e-6 * fabs(g[3 * i + k]);
            terms[1] += fabs(axis[k] * lambda * fall[k]) + 1e-3 * fabs(lambda * fall[k]);
        }
    }
}

static ph_status check_symmetries(ph_checks *c)
{
    double *T = c->gradient, *g = T + c->nz;
    ph_derivative_entry *entry = ph_check_add(c, PH_DERIVATIVE_SYMMETRY);
    ph_status status = ph_spins_torque(c->system, c->t, c->z, T);
    if (!status)
        status = ph_spins_gradient(c->system, c->t, c->z, g);
    for (size_t s = 0; s < ph_system_symmetries(c->system) && !status; s++) {
        const ph_symmetry *symmetry = ph_system_symmetry(c->system, s);
        double rate[2], terms[2], of[2];
        rates_of_momentum(c, symmetry->axis, T, g, rate, terms);
        for (size_t m = 0; m < 2; m++)
            of[m] = terms[m] > 0 ? fabs(rate[m]) / terms[m] : 0;
        const bool by_energy = of[0] > PH_DERIVATIVE_WRONG || of[0] >= of[1];
        if (!isfinite(of[0] + of[1]))
            return ph_fail(c->err, PH_E_NOT_FINITE, "the torques of the spins are not finite");
        if (fmax(of[0], of[1]) < entry->error)
            continue;
        entry->row = s;
        entry->error = fmax(of[0], of[1]);
        entry->given = rate[by_energy ? 0 : 1];
        if (entry->error > PH_DERIVATIVE_WRONG)
            snprintf(entry->mistake, sizeof entry->mistake, "%.60s is no symmetry: %s", symmetry->name,
                     by_energy ? "the energy changes when all spins turn about its axis"
                               : "damping changes its momentum map");
    }
    return status;
}

/* ---- All of them ---------------------------------------------------------------------------------------- */

static ph_status check_all(ph_checks *c)
{
    ph_frame_make(&c->frame, c->z);
    ph_status status = ph_system_has_potential(c->system) ? ph_check_potential(c) : PH_OK;
    if (!status && ph_system_depends_on_time(c->system))
        status = ph_check_in_time(c);
    if (!status && ph_system_spins(c->system)->control)
        status = check_control(c);
    bool right = ph_check_all_right(c);
    if (!status && right && c->system->is.spin_hessian)
        status = check_second(c);
    return status || !right || !ph_system_symmetries(c->system) ? status : check_symmetries(c);
}

/* What is called the potential of other systems is the energy of spins. */
static void name_of_spins(ph_derivative_entry *entry)
{
    entry->name = entry->what == PH_DERIVATIVE_POTENTIAL ? "gradient of the energy"
                  : entry->what == PH_DERIVATIVE_IN_TIME ? "gradient of the energy in time"
                  : entry->what == PH_DERIVATIVE_RATE    ? "rate of the energy in time"
                                                         : entry->name;
}

ph_status ph_spins_check_derivatives(ph_checks *c)
{
    void *memory = lay(c);
    ph_status status = memory ? check_all(c) : ph_fail(c->err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < c->report->n; i++)
        name_of_spins(&c->report->entry[i]);
    free(memory);
    return status;
}
