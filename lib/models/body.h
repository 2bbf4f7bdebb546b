/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid bodies joined by ball joints and hung from a fixed point; one of them is a pendulum or a top about
 * its pivot, and where the pivot is its centre of mass a free body. Body i turns by R_i; c leads from its
 * upper joint to its centre of mass and s to its lower joint, both in the body frame:
 *     x_i = sum_{j<i} R_j s + R_i c,
 *     T = sum (1/2) m_i |xdot_i|^2 + (1/2) tr(Rdot_i J_d Rdot_i^T),      J_d = (tr J / 2) I - J,
 *     U = - sum m_i G.x_i
 * with J the inertia tensor about the centre of mass. With x_i = sum_j R_j v_ij this is
 *     T = (1/2) sum_jk tr(Rdot_j N_jk Rdot_k^T),      N_jk = sum_i m_i v_ij v_ik^T (+ J_d on the diagonal),
 *     U = - sum_j G . R_j w_j,                        w_j = sum_i m_i v_ij.
 * (Lee, Leok, McClamroch, Comput. Methods Appl. Mech. Engrg. 196 (2007) 2907, for one body.) */
#ifndef PH_INTERNAL_BODY_H
#define PH_INTERNAL_BODY_H

#include "model.h"

typedef struct ph_bodies {
    size_t n;
    const ph_parameter_value *mass; /* [kg] one for all or for each */
    double J[9];                    /* [kg m^2] of every body about its centre of mass, in its frame */
    double centre[3], joint[3];     /* [m] c and s */
    double G[3];                    /* [m/s^2] */
    ph_part_list *parts;            /* nullable: what is drawn; freed by ph_bodies_build */
} ph_bodies;

/* J <- the tensor with this diagonal and the entries J_yz, J_xz, J_xy (products NULL: 0). PH_E_RANGE when no
 * body has it: the largest principal moment may not exceed the sum of the others, nor any be negative (up to
 * rounding). */
ph_status ph_body_tensor(const double diagonal[3], const double *products, double J[9], ph_error *err);

/* MM (nz x nz) += the kinetic energy (1/2) Omega . J Omega of the rotation whose nine coordinates begin at `at`: J_d =
 * (tr J / 2) I - J for each row. */
void ph_body_add_inertia(const double J[9], size_t nz, size_t at, double *MM);

/* J <- the tensor about the upper joint of a body of this mass. */
void ph_body_about_joint(const ph_bodies *b, double mass, double J[9]);

/* *system <- the bodies under gravity. PH_E_SINGULAR when a turn moves no mass; the errors of
 * ph_system_create. */
ph_status ph_bodies_build(const ph_bodies *b, ph_system **system, ph_error *err);

/* z <- body i turned so that its w_i is at angle[i] from hanging, in the plane of gravity and the direction
 * `along` of ph_gravity_frame. All angles 0 is the stable equilibrium, all angles pi the highest equilibrium.
 * Where w_i = 0: R_i = I, turned by that angle. */
void ph_bodies_incline(const ph_bodies *b, const double *angle, double *z);

/* rank (3) <- the axes by the size of their moments J. */
void ph_body_rank(const double J[3], size_t rank[3]);

/* Rdot <- R S(omega): omega in the body frame. */
void ph_body_turn(const double R[9], const double omega[3], double Rdot[9]);

#endif
