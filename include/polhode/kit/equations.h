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
 *   tensions (z, zdot)   Euler-Lagrange with the multipliers of |q_i| = 1 by elimination along links, O(n)
 *
 * Each but the last takes every system that has dense matrices (ph_system_is_dense): any product of factors,
 * any kind of Lagrangian, forces. `tensions` takes linkages and nets (ph_system_is_sparse). All take these
 * and articulations of any size without velocity constraints, and an evaluation is O(n), but for q-... of
 * spheres alone up to PH_DENSE_PAIRS, which factor the matrices of these equations.
 * On the manifold all give the same motion. What the papers write for spheres (q-...) is written for every
 * factor, on SO(3) in body angular velocities and momenta; (S^2)^n with an inertia by pairs and rigid bodies
 * have short forms of their own. x-... are the general equations with P(x), x-xdot with n x n
 * matrices elsewhere, and cost accordingly. */
#ifndef POLHODE_EQUATIONS_H
#define POLHODE_EQUATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/method.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** A formulation. Static data; all functions are thread-safe and do not allocate. */
typedef struct ph_field {
    const char *name;      /**< "q-qdot" */
    const char *reference; /**< paper and equation */

    /** PH_OK, or PH_E_UNSUPPORTED with the reason, and then nothing else may be called. NULL:
     * every system. */
    ph_status (*supports)(const ph_system *system, ph_error *err);
    size_t (*size)(const ph_system *system); /**< numbers in y */
    size_t (*work)(const ph_system *system); /**< doubles of scratch for the functions below */

    /** ydot <- F(t, y). y may be off the manifold (a stage of a method): the equations are evaluated as
     * they are printed. PH_E_DIVERGED when their mass matrix is singular there, which on the manifold that of
     * an inertia never is; PH_E_SINGULAR when that of a general Lagrangian is, which is not regular there;
     * PH_E_NOT_FINITE; PH_E_NO_CONVERGENCE where a general Lagrangian's velocity is not found; a callback's
     * failure is passed on. */
    ph_status (*evaluate)(const ph_system *system, double t, const double *y, double *ydot, double *work);
    /** y <- (q, v) of configuration z and momentum p. Errors as ph_system_velocity. */
    ph_status (*from_momentum)(const ph_system *system, double t, const double *z, const double *p, double *y,
                               double *work);
    /** z, p <- configuration and Legendre transform of y. A callback's failure is passed on. */
    ph_status (*to_momentum)(const ph_system *system, double t, const double *y, double *z, double *p,
                             double *work);
    /** y <- nearest configuration on the manifold, velocity projected on its tangent space. In place.
     * PH_E_NOT_ON_MANIFOLD as ph_space_project. */
    ph_status (*project)(const ph_system *system, double *y);
} ph_field;

/** field->project after a step that ends at t [s], and the velocity on the velocity constraints, where there
 * are some: what has no projection (zero, NaN) is no longer near the manifold, PH_E_DIVERGED. Other failures
 * are passed on. work: that of the field. */
PH_API ph_status ph_field_project(const ph_field *field, const ph_system *system, double t, double *y,
                                  double *work);
/** For ph_method.supports of a method that projects: PH_E_UNSUPPORTED where the space knows no
 * nearest point. */
PH_API ph_status ph_field_projection_supports(const ph_system *system, ph_error *err);

/** How many formulations the catalogue has. */
PH_API size_t ph_fields(void);
/** The i-th of them; NULL beyond the last. */
PH_API const ph_field *ph_field_at(size_t i);
/** By name; NULL and PH_E_UNKNOWN with a suggestion in err when there is none. */
PH_API const ph_field *ph_field_find(const char *name, ph_error *err);

/** PH_OK, or PH_E_UNSUPPORTED with the reason and what to use instead. */
PH_API ph_status ph_field_supports(const ph_field *field, const ph_system *system, ph_error *err);

/** Doubles of scratch that ph_field_convert needs. */
PH_API size_t ph_field_convert_work(const ph_field *from, const ph_field *to, const ph_system *system);
/** y1 <- what y of one formulation is in another, by way of (z, p): the conversions between velocities,
 * angular velocities, covectors and momenta. y on the manifold, no overlap. Errors of the Legendre
 * transform. */
PH_API ph_status ph_field_convert(const ph_field *from, const ph_field *to, const ph_system *system, double t,
                                  const double *y, double *y1, double *work);

enum { PH_FIELD_RK4_VECTORS = 3 /**< scratch of ph_field_rk4, in vectors of the size of y */ };

/** y <- one step of the classical Runge-Kutta method of order 4 from (t, y), in place.
 *   work  PH_FIELD_RK4_VECTORS times the numbers of y, followed by the work that the field needs
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table 1.2. On
 * failure y is as it was. */
PH_API ph_status ph_field_rk4(const ph_field *field, const ph_system *system, double t, double h, double *y,
                              double *work);

/* ---- Methods on a field --------------------------------------------------------------------------
 * A method that integrates a field needs only its own advance of y; the rest is here: the option `form`,
 * size, init, and a step that loads y from the state, advances it and stores it. What does not fit into z and
 * p (a velocity that is not quite tangent) is kept in the state's carry. integrators/runge-kutta/rkmk4.c is
 * one of them. */

/** y <- its value after a step; work as for ph_field_rk4. */
typedef ph_status (*ph_field_advance)(const ph_field *field, const ph_system *system, double t, double h,
                                      double *y, double *work);

/** The first row of such a method's option table; its choices are `automatic` and the names of
 * ph_field_at. */
#define PH_FIELD_OPTION                                                                                      \
    {                                                                                                        \
        .name = "form", .type = PH_OPTION_CHOICE, .initial = 0,                                              \
        .choices = "automatic q-qdot q-omega q-mu q-pi x-xdot x-mu tensions",                                \
        .text = "formulation of the equations: "                                                             \
                "Euler-Lagrange in velocities, (13), or angular velocities, (19), "                          \
                "Hamilton's in covectors, (27), or momenta, (37), of the two-spheres paper; "                \
                "with projection matrices, (2.3) and (2.8) of the embedded manifolds paper; "                \
                "by the tensions of links, in O(n); "                                                        \
                "automatic, of spins, those of first order, else the cheapest: tensions where there are, "   \
                "q-pi of articulations, q-omega of constant inertias and on S1, S2, SO(3), else q-qdot"      \
    }

/** The formulation that a value of that option means for this system. Of `automatic` the one whose
 * evaluation takes the fewest instructions on systems of its kind, but for some per cent: tensions of
 * sparse systems (linkages, nets), q-pi of bodies with joints between them (O(n) like that), q-omega of
 * other constant inertias (bodies, products), q-qdot where the inertia depends on the configuration and of
 * a general Lagrangian, but q-omega where there are circles, spheres or rotations and no velocity
 * constraints: with an inertia that varies, the errors |q| - 1 and R^T R - I of Runge-Kutta methods grow
 * exponentially in q-qdot, and linearly in q-omega. For spins it is their only form, of first order. */
PH_API const ph_field *ph_field_chosen(const ph_system *system, double value);
/** For ph_method.settle: `automatic` <- the form that it means. */
PH_API void ph_field_method_settle(const ph_system *system, double *options);

/** For ph_method.claims_for of a Runge-Kutta method without projection, which keeps what is linear in y: the
 * momentum maps J = sum Gamma_i s_i of spins whose energy is declared by parts, as it is invariant off the
 * spheres, too. */
PH_API unsigned ph_field_linear_claims(const ph_system *system, const double *options);

/** What such a method's ph_method.size returns: its advance gets `vectors` times the numbers of y as scratch,
 * then the work that the field needs. A method that keeps more in the carry adds it after that. Almost
 * nothing if the field does not support the system, which init reports. */
PH_API ph_method_size ph_field_method_size(const ph_system *system, const double *options, size_t vectors);
/** For ph_method.init. PH_E_UNSUPPORTED where the field does not support the system. */
PH_API ph_status ph_field_method_init(ph_context *context);
/** For ph_method.step, with the method's own advance. PH_E_DIVERGED, and the state as it was, when the new
 * y is not finite; failures of advance are passed on. */
PH_API ph_status ph_field_method_step(ph_context *context, ph_state *state, ph_field_advance advance);

/** y <- (z, w) of a state whose carry begins with (1, w), or with 0: then w is that of its momentum. work:
 * the work that the field needs. Failures of from_momentum. For a method that does not step by
 * ph_field_method_step. */
PH_API ph_status ph_field_load(const ph_field *field, const ph_system *system, const ph_state *state,
                               double *y, double *work);
/** The other way, at t [s]. work: nz + np doubles, then the work that the field needs. PH_E_DIVERGED, and
 * the state as it was, when there is a number that is not finite. */
PH_API ph_status ph_field_store(const ph_field *field, const ph_system *system, double t, const double *y,
                                ph_state *state, double *work);

/* ---- The classical Runge-Kutta method as a method ------------------------------------------------------
 * rk4 and rk4-projected. With a constant inertia y stays in the carry from step to step, and z and p are
 * written when ph_integrator_step returns. Chains under gravity alone (a linkage whose links hang on one
 * another, with or without a cart, without a further potential or forces) have steps of their own in the form
 * `tensions`: the same equations and stages, in Nystrom's way of writing them. They end as PH_E_DIVERGED a
 * little before numbers overflow. */

/** For ph_method.size. */
PH_API ph_method_size ph_field_rk4_size(const ph_system *system, const double *options);
/** For ph_method.init, project: is y projected after each step? PH_E_UNSUPPORTED where the field does not
 * support the system. */
PH_API ph_status ph_field_rk4_init(ph_context *context, bool project);
/** For ph_method.step. Errors as ph_field_method_step. */
PH_API ph_status ph_field_rk4_step(ph_context *context, ph_state *state);
/** For ph_method.synchronise. */
PH_API void ph_field_rk4_synchronise(ph_context *context, ph_state *state);

enum { PH_EXPLICIT_MOST = 16 /**< stages of a ph_explicit */ };

/** An explicit Runge-Kutta method, k_i = F(y + h sum_j a_ij k_j), y <- y + h sum_i b_i k_i. */
typedef struct ph_explicit {
    size_t stages;       /**< 1 ... PH_EXPLICIT_MOST */
    const double *table; /**< (stages + 1, stages) rows a_ij, 0 from j = i on, and behind them b */
} ph_explicit;

/** Do this form and system, a chain of more than two links under gravity alone, have a step of any explicit
 * method in one piece, as above? Then such a method has the following functions as its size and init, and as
 * its step and synchronise those of rk4. Nothing is fused: the bits are the same on every processor.
 * integrators/runge-kutta/rk8.c is such a method. */
PH_API bool ph_field_explicit_takes(const ph_field *field, const ph_system *system);
/** For ph_method.size, of a form and system that it takes; the same method as in init. */
PH_API ph_method_size ph_field_explicit_size(const ph_system *system, const double *options,
                                             const ph_explicit *of);
/** For ph_method.init; the table must outlive the call only. Errors as ph_field_rk4_init. */
PH_API ph_status ph_field_explicit_init(ph_context *context, const ph_explicit *of);

/** For ph_method.lanes, project as in init: systems with a constant inertia on products of R^d and S^1, in
 * the form q-omega; NULL for others. */
PH_API const ph_method *ph_field_rk4_lanes(const ph_system *system, const double *options, bool project);

/* ---- Lie-group methods on a field ----------------------------------------------------------------
 * y = (z, w), and the group of motions (ph_space_act) times the translations of w moves it: the element
 * k = (u, wdot) of its algebra, u the angular velocities of zdot, stands for the field's value at y. A
 * Lie-group method evaluates such elements at its stages and moves y by exponentials of their combinations,
 * so that z is on the manifold at every stage. w is a vector of a linear space; off its tangent space, where
 * stages are, F is smooth and u sees only the tangent part of zdot, which is all that orders of convergence
 * ask for. integrators/runge-kutta/cf4.c shows it. */

/** Numbers in an element k; at most those in y. */
PH_API size_t ph_field_algebra(const ph_field *field, const ph_system *system);
/** k <- the element that moves y as F(t, y) does; z of y on the manifold. work: the numbers of y, then
 * the work that the field needs. Failures of evaluate are passed on. */
PH_API ph_status ph_field_element(const ph_field *field, const ph_system *system, double t, const double *y,
                                  double *k, double *work);
/** b <- [k, l]; b does not overlap k or l. */
PH_API void ph_field_bracket(const ph_field *field, const ph_system *system, const double *k, const double *l,
                             double *b);
/** y1 <- exp(c_1 k_1 + ... + c_n k_n).y. The n elements are one after the other in k, and after them is room
 * for one more, which is written. y1 does not overlap y. */
PH_API void ph_field_move(const ph_field *field, const ph_system *system, size_t n, const double *c,
                          double *k, const double *y, double *y1);
/** After the last move of a step that ends at t [s]: takes the rounding of z and the normal part of w away.
 * work: that of the field. Failures of ph_field_project. */
PH_API ph_status ph_field_settle(const ph_field *field, const ph_system *system, double t, double *y,
                                 double *work);
/** For ph_method.supports: PH_E_UNSUPPORTED where the space is not homogeneous. */
PH_API ph_status ph_field_group_supports(const ph_system *system, ph_error *err);

PH_END_DECLS
#endif
