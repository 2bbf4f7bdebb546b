/* SPDX-License-Identifier: BSD-3-Clause */
/* The continuous equations of motion as vector fields ydot = F(t, y) on a linear space: what classical
 * one-step methods integrate. y = (q, v) with v a velocity of some kind, one file per formulation:
 *
 *   q-qdot   Euler-Lagrange in (q, qdot), two-spheres paper eq. (13)
 *   q-omega  Euler-Lagrange in (q, omega), qdot = omega x q, two-spheres paper eq. (19)
 */
#ifndef POLHODE_EQUATIONS_H
#define POLHODE_EQUATIONS_H

#include <stddef.h>

#include <polhode/state.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/* A formulation. Static data; all functions are thread-safe and do not allocate. */
typedef struct ph_field {
    const char *name;
    const char *reference; /* paper and equation */

    size_t (*size)(const ph_system *system); /* numbers in y */
    size_t (*work)(const ph_system *system); /* doubles of scratch for the functions below */

    /* ydot <- F(t, y). y may be off the manifold (a stage of a method): the equations are evaluated as
     * they are printed. PH_E_DIVERGED when their mass matrix is singular there, which on the manifold it never is;
     * a callback's failure is passed on. */
    ph_status (*evaluate)(const ph_system *system, double t, const double *y, double *ydot, double *work);
    /* y <- (q, v) of configuration z and momentum p. */
    ph_status (*from_momentum)(const ph_system *system, const double *z, const double *p, double *y,
                               double *work);
    /* z, p <- configuration and Legendre transform of y. */
    void (*to_momentum)(const ph_system *system, const double *y, double *z, double *p, double *work);
    /* y <- nearest configuration on the manifold, velocity projected on its tangent space. In place.
     * PH_E_NOT_ON_MANIFOLD as ph_space_project. */
    ph_status (*project)(const ph_system *system, double *y);
} ph_field;

/* The catalogue. */
PH_API size_t ph_fields(void);
PH_API const ph_field *ph_field_at(size_t i);

/* y1 <- one step of the classical Runge-Kutta method of order 4 from (t, y). y1 may be y.
 *   work  3 size doubles, followed by those that the field wants */
PH_API ph_status ph_field_rk4(const ph_field *field, const ph_system *system, double t, double h,
                              const double *y, double *y1, double *work);

/* For methods whose state carries y: what does not fit into z and p (a velocity that is not quite
 * tangent) is kept in the carry. */

/* Doubles that the carry of such a method has. */
PH_API size_t ph_field_carry(const ph_field *field, const ph_system *system);

/* y <- the state: velocity from the carry, or by the inverse Legendre transform if that is empty. */
PH_API ph_status ph_field_load(const ph_field *field, const ph_system *system, const ph_state *state,
                               double *y, double *work);

/* The state <- y. PH_E_DIVERGED, and the state as it was, when y is not finite.
 *   zp  (nz + np) scratch */
PH_API ph_status ph_field_store(const ph_field *field, const ph_system *system, const double *y,
                                ph_state *state, double *work, double *zp);

PH_END_DECLS
#endif
