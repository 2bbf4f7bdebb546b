/* SPDX-License-Identifier: BSD-3-Clause */
/* One check of a system at (t, z, zdot), ph_system_check_derivatives: what its parts share. */
#ifndef PH_SYSTEM_CHECK_H
#define PH_SYSTEM_CHECK_H

#include "derivative.h"
#include "system.h"

typedef struct ph_checks {
    const ph_system *system, *root; /* root: whose Lagrangian it is, with its callbacks */
    ph_system bare;                 /* a copy of the root without some of its callbacks */
    const ph_space *space;
    double t;
    const double *z, *zdot;
    size_t m, nz, rows; /* tangent coordinates, ambient ones, rows of an inertia */
    ph_frame frame;
    double *x, *e;               /* (2 nz) z and zdot, of which one coordinate moves; (nz) a direction */
    size_t moved;                /* which */
    const ph_symmetry *symmetry; /* the one being checked */
    double *given, *expected;    /* tables to be compared */
    double *gradient, *column;   /* (2 nz) dL/dz, dL/dzdot; a column of differences */
    double *xi, *rate;           /* (nz) each: a generator, its derivative; (np) fits, too */
    double *differences, *work;
    ph_derivative_report *report;
    ph_error *err;
} ph_checks;

/* All checks of what has a Lagrangian, in their order (check.c). */
ph_status ph_check_by_callbacks(ph_checks *c);

/* ---- What all checks share, check-compare.c ------------------------------------------------------ */

/* A new entry of the report. */
ph_derivative_entry *ph_check_add(ph_checks *c, ph_derivative what);
/* Were all derivatives right that have been checked so far? */
bool ph_check_all_right(const ph_checks *c);
/* An entry of the report from two tables, ... */
ph_status ph_check_tables(ph_checks *c, ph_derivative what, const ph_comparison *tables);
/* ... from two matrices (nz x nz), and from two vectors (nz). PH_E_NOT_FINITE with a message. */
ph_status ph_check_square(ph_checks *c, ph_derivative what, const double *given, const double *expected,
                          double floor);
ph_status ph_check_vector(ph_checks *c, ph_derivative what, const double *given, const double *expected,
                          double floor);

/* column <- the derivatives of n values by coordinate k of (z, zdot); f evaluates at x, after
 * ph_check_move(c, s). */
ph_status ph_check_differentiate(ph_checks *c, ph_line_fn f, size_t n, size_t k, double *floor);
/* x <- (z, zdot) with the moving coordinate s further on. */
void ph_check_move(ph_checks *c, double s);

/* ---- Derivatives, check-derivatives.c; each makes entries of the report -------------------------- */
ph_status ph_check_potential(ph_checks *c);
/* c->e <- direction k: a vector of the basis, or where there are more than `most` one that moves everything by about 1. */
enum { PH_CHECK_DIRECTIONS = 32 };
void ph_check_direction(ph_checks *c, size_t k, size_t most);
/* The gradient of a potential, in c->gradient, against its slopes, in large spaces along some directions: U at the point s of a geodesic along c->e,
 * and where a coordinate has been moved by s (ph_check_move). */
ph_status ph_check_slopes(ph_checks *c, ph_derivative what, ph_line_fn along, ph_line_fn at);
/* A potential that depends on time, which the system has: its gradient, and its rate, if it has one
 * (check-time.c). */
ph_status ph_check_in_time(ph_checks *c);
ph_status ph_check_inertia_symmetry(ph_checks *c);
ph_status ph_check_inertia_dz(ph_checks *c);
/* A general Lagrangian. `bare` is left with the best of its gradients that are right. */
ph_status ph_check_lagrangian(ph_checks *c);
/* Does a callback say what df/dzdot is, or that it is 0? */
bool ph_check_has_force_dv(const ph_system *s);
ph_status ph_check_force(ph_checks *c);
/* Velocity constraints, which the system has: the derivative along each tangent direction and in time. */
ph_status ph_check_constraint(ph_checks *c);

/* dL/dt and d2L/dzdot dt of a Lagrangian that depends on time; dU/dt of a potential that does, where it is known (check-time.c). */
ph_status ph_check_lagrangian_rate(ph_checks *c);
ph_status ph_check_rate(ph_checks *c);

/* ---- Conditions, check-conditions.c -------------------------------------------------------------- */
ph_status ph_check_regularity(ph_checks *c);
ph_status ph_check_symmetries(ph_checks *c);

#endif
