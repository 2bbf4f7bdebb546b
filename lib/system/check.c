/* SPDX-License-Identifier: BSD-3-Clause */
/* A check for people who write a model: of every derivative in a definition (check-derivatives.c), and of
 * the conditions that a Lagrangian should meet (check-conditions.c), in this order, as far as the system has
 * them. */
#include <polhode/constraints.h>
#include <polhode/kit/tensions.h>

#include "check.h"
#include "lib/internal/missing.h"

#include <stdlib.h>

static size_t larger_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Places of the arrays in one block, which is returned; NULL without memory. The sizes are those of the
 * largest table. */
static void *lay_checks(ph_checks *c)
{
    ph_lay l = {NULL, 0};
    bool varying = c->root->kind == PH_INERTIA_VARYING, hessian = c->root->is.lagrangian_hessian;
    size_t nz = c->nz, matrix = c->rows * c->rows, values = larger_of(2 * nz, varying ? matrix : 0);
    bool regular = ph_system_inertia(c->system) || ph_system_is_sparse(c->system);
    size_t dense = regular ? 0 : 2 * c->m * c->m + 4 * c->m; /* of ph_check_regularity */
    const size_t m = ph_system_constraints(c->system);
    values = larger_of(values, m);
    size_t table = larger_of(values, varying ? matrix * nz : 0), square = nz * nz;
    table = larger_of(table, hessian ? 3 * square : ph_system_has_force(c->system) ? square : 0);
    table = larger_of(table, m * (c->m + 1));
    const size_t rows = m ? m * nz + m + ph_system_constraint_work(c->system) : 0;
    for (int pass = 0; pass < 2; pass++) {
        ph_frame_lay(&c->frame, c->space, &l);
        c->x = ph_lay_doubles(&l, 2 * nz);
        c->e = ph_lay_doubles(&l, nz);
        c->given = ph_lay_doubles(&l, table);
        c->expected = ph_lay_doubles(&l, table);
        c->gradient = ph_lay_doubles(&l, 2 * nz);
        c->column = ph_lay_doubles(&l, values);
        c->xi = ph_lay_doubles(&l, nz);
        c->rate = ph_lay_doubles(&l, nz);
        c->differences = ph_lay_doubles(&l, ph_differentiate_work(values));
        c->work = ph_lay_doubles(&l, 3 * nz + dense + rows + ph_system_work(c->system));
        if (!pass && !(l = (ph_lay){malloc(l.bytes), 0}).base)
            return NULL;
    }
    return l.base;
}

/* The checks in their order. Where a manifold is wrong the tangent space is not known, and where a
 * derivative is wrong the conditions would fail with it: then the later ones are left out. */
static ph_status check_all(ph_checks *c)
{
    ph_status status = PH_OK;
    bool general = c->root->kind == PH_LAGRANGIAN_GENERAL;
    status = ph_check_manifold(c->space, c->z, c->report, c->err);
    if (status || !ph_check_all_right(c)) /* then the tangent space is unknown */
        return status;
    ph_frame_make(&c->frame, c->z);
    c->bare = *c->root;
    if (ph_system_has_potential(c->root))
        status = ph_check_potential(c);
    if (!status && c->root->kind == PH_INERTIA_VARYING) {
        status = ph_check_inertia_symmetry(c);
        if (!status)
            status = ph_check_inertia_dz(c);
    }
    if (!status && (general || c->root->is.lagrangian_gradient))
        status = ph_check_lagrangian(c);
    bool right = ph_check_all_right(c);
    if (!status && ph_check_has_force_dv(c->system))
        status = ph_check_force(c);
    if (!status && general && c->root->is.lagrangian_rate)
        status = ph_check_lagrangian_rate(c);
    if (!status && ph_system_has_potential_in_time(c->system))
        status = ph_check_in_time(c);
    if (!status && ph_system_constraints(c->system))
        status = ph_check_constraint(c);
    if (status || !right) /* with wrong derivatives the conditions would fail, too */
        return status;
    if (!ph_system_inertia(c->system) &&
        !ph_system_is_sparse(c->system)) /* checked when the system was created */
        status = ph_check_regularity(c);
    return status || !ph_system_symmetries(c->system) ? status : ph_check_symmetries(c);
}

ph_status ph_check_by_callbacks(ph_checks *c)
{
    void *memory = lay_checks(c);
    ph_status status = memory ? check_all(c) : ph_fail(c->err, PH_E_NO_MEMORY, "out of memory");
    free(memory);
    return status;
}

ph_status ph_system_check_derivatives(const ph_system *system, double t, const double *z, const double *zdot,
                                      ph_derivative_report *report, ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    ph_error own = {.message = ""};
    ph_checks c = {.system = system,
                   .root = ph_system_root(system),
                   .space = system->space,
                   .t = t,
                   .z = z,
                   .zdot = zdot,
                   .m = ph_space_dimension(system->space),
                   .nz = system->nz,
                   .report = report,
                   .err = &own};
    c.rows = c.root->is.inertia_at ? system->n : system->nz;
    *report = (ph_derivative_report){.n = 0};
    const ph_status status =
        system->of->check_derivatives ? system->of->check_derivatives(&c) : ph_check_by_callbacks(&c);
    if (!status)
        return PH_OK;
    return own.message[0]
               ? ph_fail(err, status, "%s", own.message)
               : ph_fail(err, status, "a callback of the system failed: %s", ph_status_text(status));
}
