/* SPDX-License-Identifier: BSD-3-Clause */
/* What the checks of a system share: entries of the report from two tables that are compared, and
 * derivatives of a function by one coordinate of (z, zdot), by differences. */
#include <polhode/kit/algebra.h>

#include "check.h"

#include <string.h>

/* ---- The report --------------------------------------------------------------------------------- */

ph_derivative_entry *ph_check_add(ph_checks *c, ph_derivative what)
{
    return ph_report_add(c->report, what);
}

/* Were all derivatives right that have been checked so far? */
bool ph_check_all_right(const ph_checks *c)
{
    for (size_t i = 0; i < c->report->n; i++)
        if (c->report->entry[i].error > PH_DERIVATIVE_WRONG)
            return false;
    return true;
}

/* An entry of the report from tables of this shape. */
ph_status ph_check_tables(ph_checks *c, ph_derivative what, const ph_comparison *tables)
{
    ph_derivative_entry *entry = ph_check_add(c, what);
    return ph_compare(tables, entry)
               ? PH_OK
               : ph_fail(c->err, PH_E_NOT_FINITE, "%s is not finite: a number in row %zu", entry->name,
                         entry->row);
}

ph_status ph_check_square(ph_checks *c, ph_derivative what, const double *given, const double *expected,
                          double floor)
{
    ph_comparison tables = {c->nz, c->nz, 0, given, expected, floor};
    return ph_check_tables(c, what, &tables);
}

ph_status ph_check_vector(ph_checks *c, ph_derivative what, const double *given, const double *expected,
                          double floor)
{
    ph_comparison tables = {c->nz, 1, 0, given, expected, floor};
    return ph_check_tables(c, what, &tables);
}

/* ---- Functions of one coordinate ---------------------------------------------------------------- */

/* The scale of a coordinate: 1 for z, for zdot its size. */
static double coordinate_width(const ph_checks *c, size_t coordinate)
{
    double size = coordinate < c->nz ? 1 : ph_max_norm(c->zdot, c->nz);
    return size > 0 ? size : 1;
}

/* column <- the derivatives of n values by coordinate k of (z, zdot). */
ph_status ph_check_differentiate(ph_checks *c, ph_line_fn f, size_t n, size_t k, double *floor)
{
    memcpy(c->x, c->z, c->nz * sizeof *c->x);
    memcpy(c->x + c->nz, c->zdot, c->nz * sizeof *c->x);
    c->moved = k;
    return ph_differentiate(f, c, n, coordinate_width(c, k), c->column, floor, c->differences);
}

void ph_check_move(ph_checks *c, double s)
{
    size_t k = c->moved;
    c->x[k] = (k < c->nz ? c->z[k] : c->zdot[k - c->nz]) + s;
}
