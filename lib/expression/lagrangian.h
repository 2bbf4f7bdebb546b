/* SPDX-License-Identifier: BSD-3-Clause */
/* A Lagrangian as an expression, taken apart by powers of the velocity:
 *
 *     L = (1/2) zdot . MM zdot + L1 . zdot + L0,
 *
 * each of MM, L1, L0 exact, with zdot = 0 put into the derivatives. What is 0 or does not depend on z is seen by the
 * structure of the expressions, never by trying values. */
#ifndef PH_EXPRESSION_LAGRANGIAN_H
#define PH_EXPRESSION_LAGRANGIAN_H

#include "formulas.h"

typedef struct ph_lagrangian_parts {
    unsigned degree; /* in the velocities; above 2, M and L1 are not set */
    ph_expr L;       /* without angular velocities */
    ph_expr L0;
    ph_expr *L1;                    /* (nz) */
    ph_expr *M;                     /* (nz x nz) */
    unsigned M_depends, L1_depends; /* PH_ON_...; 0 also of what is 0 */
    bool has_L1;
} ph_lagrangian_parts;

/* out (n) <- with each angular velocity in z and zdot: on S^1 x ydot - y xdot, on S^2 q x qdot, on SO(3) (1/2) vee(R^T
 * Rdot - Rdot^T R). */
ph_status ph_omega_written_out(ph_formulas *f, const ph_expr *in, size_t n, ph_expr *out);

/* L by its parts. A kinetic energy (1/2) Omega . J Omega with a constant J of its own becomes tr(Rdot J_d Rdot^T) / 2, J_d =
 * (tr J / 2) I - J, and |qdot|^2 on S^1 and, where J is a multiple of 1, on S^2: equal on the manifold, and
 * with a constant MM. *parts: its arrays are the formulas'. PH_E_NO_MEMORY, PH_E_RANGE. */
ph_status ph_lagrangian_take_apart(ph_formulas *f, ph_expr L, ph_lagrangian_parts *parts);

#endif
