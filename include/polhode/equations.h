/* SPDX-License-Identifier: BSD-3-Clause */
/* The continuous equations of motion as vector fields ydot = F(t, y) on a linear space: what classical
 * one-step methods integrate. y is a configuration and a velocity or momentum of some kind; one file per
 * formulation:
 *
 *   q-qdot   (z, zdot)   Euler-Lagrange, two-spheres paper eqs. (11), (13)
 *   q-omega  (z, w)      Euler-Lagrange in angular velocities, qdot = omega x q, (17), (19)
 *   q-mu     (z, mu)     Hamilton, mu = P dL/dzdot in ambient coordinates, (23) to (27)
 *   q-pi     (z, p)      Hamilton in the momenta of the state (ph_space_momentum), (31) to (37)
 *   x-xdot   (x, xdot)   Euler-Lagrange with the projection matrix P(x), embedded manifolds paper eq. (2.3)
 *   x-mu     (x, mu)     Hamilton with P(x) and the Jacobian matrix of P(x)^T mu, (2.7), (2.8)
 *
 * Each takes every system: any product of factors, any kind of Lagrangian, forces. On the manifold all give
 * the same motion. What the papers write for spheres (q-...) is written for every factor, on SO(3) in body
 * angular velocities and momenta; (S^2)^n with an inertia by pairs and rigid bodies have short forms of
 * their own. x-... are the general equations with n x n matrices, and cost accordingly. */
#ifndef POLHODE_EQUATIONS_H
#define POLHODE_EQUATIONS_H

#include <stddef.h>

#include <polhode/method.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** A formulation. Static data; all functions are thread-safe and do not allocate. */
typedef struct ph_field {
    const char *name;      /**< "q-qdot" */
    const char *reference; /**< paper and equation */

    size_t (*size)(const ph_system *system); /**< numbers in y */
    size_t (*work)(const ph_system *system); /**< doubles of scratch for the functions below */

    /** ydot <- F(t, y). y may be off the manifold (a stage of a method): the equations are evaluated as
     * they are printed. PH_E_DIVERGED when their mass matrix is singular there, which on the manifold that of
     * an inertia never is; PH_E_SINGULAR when that of a general Lagrangian is, which is not regular there;
     * PH_E_NOT_FINITE; PH_E_NO_CONVERGENCE where a general Lagrangian's velocity is not found; a callback's
     * failure is passed on. */
    ph_status (*evaluate)(const ph_system *system, double t, const double *y, double *ydot, double *work);
    /** y <- (q, v) of configuration z and momentum p. Errors as ph_system_velocity. */
    ph_status (*from_momentum)(const ph_system *system, const double *z, const double *p, double *y,
                               double *work);
    /** z, p <- configuration and Legendre transform of y. A callback's failure is passed on. */
    ph_status (*to_momentum)(const ph_system *system, const double *y, double *z, double *p, double *work);
    /** y <- nearest configuration on the manifold, velocity projected on its tangent space. In place.
     * PH_E_NOT_ON_MANIFOLD as ph_space_project. */
    ph_status (*project)(const ph_system *system, double *y);
} ph_field;

/** How many formulations the catalogue has. */
PH_API size_t ph_fields(void);
/** The i-th of them; NULL beyond the last. */
PH_API const ph_field *ph_field_at(size_t i);
/** By name; NULL and PH_E_UNKNOWN with a suggestion in err when there is none. */
PH_API const ph_field *ph_field_find(const char *name, ph_error *err);

/** Doubles of scratch that ph_field_convert needs. */
PH_API size_t ph_field_convert_work(const ph_field *from, const ph_field *to, const ph_system *system);
/** y1 <- what y of one formulation is in another, by way of (z, p): the conversions between velocities,
 * angular velocities, covectors and momenta. y on the manifold, no overlap. Errors of the Legendre
 * transform. */
PH_API ph_status ph_field_convert(const ph_field *from, const ph_field *to, const ph_system *system,
                                  const double *y, double *y1, double *work);

/** y <- one step of the classical Runge-Kutta method of order 4 from (t, y), in place.
 *   work  3 size doubles, followed by those that the field wants
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table 1.2. On failure y is as
 * it was. */
PH_API ph_status ph_field_rk4(const ph_field *field, const ph_system *system, double t, double h, double *y,
                              double *work);

/* ---- Methods on a field --------------------------------------------------------------------------
 * A method that integrates a field needs only its own advance of y; the rest is here: the option `form`, size,
 * init, and a step that loads y from the state, advances it and stores it. What does not fit into z and p (a
 * velocity that is not quite tangent) is kept in the state's carry. integrators/rk4.c shows it. */

/** y <- its value after a step; work as for ph_field_rk4. */
typedef ph_status (*ph_field_advance)(const ph_field *field, const ph_system *system, double t, double h,
                                      double *y, double *work);

/** The first row of such a method's option table; its choices are the names of ph_field_at. */
#define PH_FIELD_OPTION                                                                                  \
    {                                                                                                    \
        .name = "form", .type = PH_OPTION_CHOICE, .initial = 0,                                          \
        .choices = "q-qdot q-omega q-mu q-pi x-xdot x-mu",                                               \
        .text = "formulation of the equations: Euler-Lagrange in velocities, (13), or angular "          \
                "velocities, (19), Hamilton's in covectors, (27), or momenta, (37), of the two-spheres " \
                "paper; with projection matrices, (2.3) and (2.8) of the embedded manifolds paper"       \
    }

/** For ph_method.size of such a method. */
PH_API ph_method_size ph_field_method_size(const ph_system *system, const double *options);
/** For ph_method.init. */
PH_API ph_status ph_field_method_init(ph_context *context);
/** For ph_method.step, with the method's own advance. PH_E_DIVERGED, and the state as it was, when the new
 * y is not finite; failures of advance are passed on. */
PH_API ph_status ph_field_method_step(ph_context *context, ph_state *state, ph_field_advance advance);

PH_END_DECLS
#endif
