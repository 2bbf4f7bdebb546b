/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulations of the continuous equations, one file each, which field.c lists; and what several of them
 * share: variables.c, product.c, hamilton.c, bodies.c, spheres.c. */
#ifndef PH_INTERNAL_EQUATIONS_H
#define PH_INTERNAL_EQUATIONS_H

#include <stdbool.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/equations.h>

extern const ph_field ph_field_q_qdot;
extern const ph_field ph_field_q_omega;
extern const ph_field ph_field_q_mu;
extern const ph_field ph_field_q_pi;
extern const ph_field ph_field_x_xdot;
extern const ph_field ph_field_x_mu;
extern const ph_field ph_field_tensions;

/* Are velocities found from covectors without matrices (ph_structure.invert, tensions)? The same is then done to find accelerations
 * (ph_product_respond), but in the equations that are written for spheres with an inertia by pairs. */
bool ph_field_is_direct(const ph_system *system);
/* .supports of a form that factors dense matrices, unless that is so (variables.c). */
ph_status ph_field_dense_supports(const ph_system *system, ph_error *err);

/* ---- y = (z, a vector like z): a velocity, a covector (variables.c) -------------------------------- */
size_t ph_field_pair_size(const ph_system *system);
ph_status ph_field_pair_project(const ph_system *system, double *y);
/* The velocity. Work: ph_system_work. */
ph_status ph_field_velocity_from_momentum(const ph_system *system, double t, const double *z, const double *p,
                                          double *y, double *work);
ph_status ph_field_velocity_to_momentum(const ph_system *system, double t, const double *y, double *z,
                                        double *p, double *work);
/* The covector without a normal part; no equations are solved. */
ph_status ph_field_covector_from_momentum(const ph_system *system, double t, const double *z, const double *p,
                                          double *y, double *work);
ph_status ph_field_covector_to_momentum(const ph_system *system, double t, const double *y, double *z,
                                        double *p, double *work);
/* y = (z, numbers like p): angular velocities, momenta. */
size_t ph_field_mixed_size(const ph_system *system);
ph_status ph_field_mixed_project(const ph_system *system, double *y);

/* The status for a matrix that could not be factored. PH_E_NOT_FINITE unless `finite`; PH_E_SINGULAR for a
 * general Lagrangian, which need not be regular; otherwise the matrix is regular on the manifold, so y has
 * left it: PH_E_DIVERGED. */
ph_status ph_field_singular(const ph_system *system, bool finite);

/* ---- Euler-Lagrange equations on any product (product.c); ph_product_work is enough for both -------- */
size_t ph_product_work(const ph_system *system);
ph_status ph_product_qdot(const ph_system *system, double t, const double *y, double *ydot, double *work);
ph_status ph_product_spin(const ph_system *system, double t, const double *y, double *ydot, double *work);

/* Where ph_field_is_direct: u (nz) <- the tangent part of the acceleration at (t, z, v), of which N is the normal part:
 *     P MM u = P (f - dU - MM N).
 * work: 3 nz, and ph_system_work; not N. */
ph_status ph_product_respond(const ph_system *system, double t, const double *z, const double *v,
                             const double *N, double *u, double *work);

/* The same as ph_product_spin of a body that rolls on a plane, on the manifold (rolling.c). */
struct ph_rolling;
void ph_rolling_spin(const struct ph_rolling *body, const double *y, double *ydot);
/* The same of a train on wheels (train.c). !*done: one of its wheels is across its link. work: ph_train_spin_work */
struct ph_train;
size_t ph_train_spin_work(const struct ph_train *train);
ph_status ph_train_spin(const ph_system *system, const struct ph_train *train, double t, const double *y,
                        double *ydot, bool *done, double *work);

/* lambda (m) <- the multipliers of velocity constraints at (t, z, v). work: ph_product_work */
ph_status ph_product_reactions(const ph_system *system, double t, const double *z, const double *v,
                               double *lambda, double *work);

/* ---- Velocity constraints (reactions.c) -------------------------------------------------------------- */

/* What the accelerations without reactions were found by: the basis, the normal part, and the inertia J. */
typedef struct ph_reactions_terms {
    const ph_system *system;
    const double *E, *N, *J;
    const int *pivot;
    size_t nx;
    void (*solve)(const struct ph_reactions_terms *of, double *b); /* b <- J^{-1} b */
} ph_reactions_terms;

size_t ph_reactions_work(const ph_system *system);
/* x (nx), on entry the right-hand side, <- the tangent coordinates of the acceleration, with the reactions, by
 * elimination of the rows; lambda (m), nullable. J in full, not factored. !*done: not `eliminates`, or that failed; x is as it was.
 * Failures of the callbacks. */
ph_status ph_reactions_eliminate(const ph_system *system, double t, const double *z, const double *v,
                                 const ph_reactions_terms *of, double *x, double *lambda, bool eliminates,
                                 bool *done, double *work);
/* Then, where it is not done, with the rows that are in work and the factors of J: x, on entry without reactions, <- with
 * them. PH_E_SINGULAR where the rows depend on each other. */
ph_status ph_reactions_add(const ph_system *system, const ph_reactions_terms *of, double *x, double *lambda,
                           double *work);
/* y = (z, zdot), or with `turns` (z, w) <- with the velocity on the constraint. work: nz, and
 * ph_system_constraint_work */
ph_status ph_reactions_project(const ph_system *system, double t, double *y, bool turns, double *work);

/* A bound for |y|^2 below which no momentum overflows, of a constant inertia (rk4.c). */
double ph_field_rk4_reach(const ph_system *system);

/* ---- Hamilton's equations on any product (hamilton.c) ------------------------------------------------ */

/* The terms of the equations at (t, z, mu): (nz) each, in the work that ph_hamilton_derivatives was given. */
typedef struct ph_hamilton {
    double *v;       /* dH/dmu, a tangent vector */
    double *Lz, *Lv; /* of L at (z, v) */
    double *f;       /* the force at (t, z, v) */
    double *more;    /* (2 nz) free for the caller's use */
} ph_hamilton;

size_t ph_hamilton_work(const ph_system *system);
ph_status ph_hamilton_derivatives(const ph_system *system, double t, const double *z, const double *mu,
                                  double *work, ph_hamilton *h);

/* ---- Rigid bodies, each with its own kinetic energy (bodies.c): y = (R, Omega) or (R, Pi) ----------- */
size_t ph_bodies_work(const ph_system *system);
ph_status ph_bodies_spin(const ph_system *system, double t, const double *y, double *ydot, double *work);
ph_status ph_bodies_momentum(const ph_system *system, double t, const double *y, double *ydot, double *work);

/* ---- (S^2)^n with a number for each pair (spheres.c): equations written out in the files of the forms */
bool ph_field_is_spheres(const ph_system *system);
static inline size_t ph_field_spheres(const ph_system *system)
{
    return ph_space_factors(ph_system_space(system));
}

/* *M (n x n) <- the inertia at q, and *dM (n x n x 3n) its derivative, NULL for a constant one; in the
 * system or in the room (ph_spheres_room doubles). */
size_t ph_spheres_room(const ph_system *system);
ph_status ph_spheres_varying_inertia(const ph_system *system, const double *q, double *room, const double **M,
                                     const double **dM);
static inline ph_status ph_spheres_inertia(const ph_system *system, const double *q, double *room,
                                           const double **M, const double **dM)
{
    *M = ph_system_inertia(system);
    *dM = NULL;
    return *M ? PH_OK : ph_spheres_varying_inertia(system, q, room, M, dM);
}
/* F (3n) += factor (1/2) d/dq sum_jk m_jk v_j.v_k, the terms of j = k with `own` in place of v */
void ph_spheres_add_slope(size_t n, const double *dM, double factor, const double *v, const double *own,
                          double *F);
/* F (3n) += what a changing inertia adds to (13) and (19):
 *     F_i = sum_j mdot_ij v_j - (1/2) d/dq_i sum_jk m_jk v_j.v_k */
void ph_spheres_add_rate(size_t n, const double *dM, const double *v, double *F);
/* s (3) <- sum over j != i of M_ij v_j */
void ph_spheres_others(size_t n, const double *M, size_t i, const double *v, double s[3]);
/* qdot_i <- w_i x q_i */
static inline void ph_spheres_turn(size_t n, const double *q, const double *w, double *qdot)
{
    for (size_t i = 0; i < n; i++)
        ph_cross3(w + 3 * i, q + 3 * i, qdot + 3 * i);
}
/* A <- the matrix of (33), m_ii I and m_ij S(q_i)^T S(q_j), lower triangle (3n x 3n) */
void ph_spheres_spin_matrix(size_t n, const double *M, const double *q, double *A);

#endif
