/* SPDX-License-Identifier: BSD-3-Clause */
/* Links that a rigid body carries (ph_linkage.body), as a system stores them: the links as a linkage on an R^3, which is a system of
 * its own, and the body. z = (x, R, q ...); behind z + 9 lies what z of that linkage has behind its R^3. */
#ifndef PH_KINDS_CARRIED_H
#define PH_KINDS_CARRIED_H

#include "tree.h"

typedef struct ph_carried {
    ph_linkage_body body;
    double inverse[9], second[9]; /* J^{-1}; J_d = (tr J / 2) I - J */
    double turned[9];             /* - S(hitch) J^{-1} S(hitch): W in the body frame, but for 1 / m */
    ph_system *links;             /* linkage on an R^3 of the body's mass */
    const ph_tree *
        tree; /* of links; its factors are those of the system from the second on, the first stands for both */
} ph_carried;

void ph_carried_free(void *own);
/* W <- by which a pull on the hitch moves it. */
void ph_carried_mobility(const ph_carried *c, const double *R, double W[9]);
/* S (3) <- sum over columns R_k x mu_k: the moment of a covector (9) of R. */
void ph_carried_moment(const double *R, const double *mu, double S[3]);
/* ph_structure.spin, .spin_work and .spin_project (carried-spin.c) */
size_t ph_carried_spin_work(const ph_system *system);
ph_status ph_carried_spin(const ph_system *system, double t, const double *y, double *ydot, double *work);
ph_status ph_carried_spin_project(const ph_system *system, double *y, bool *done);
/* mu <- MM v; MM (nz x nz) <- in full. */
void ph_carried_apply(const ph_carried *c, const double *v, double *mu);
void ph_carried_inertia(const ph_carried *c, size_t nz, double *MM);
/* Doubles of work for zdot <- the velocity of the covector mu at z. PH_E_SINGULAR, PH_E_NOT_FINITE. */
size_t ph_carried_work(const ph_carried *c);
ph_status ph_carried_velocity(const ph_carried *c, const double *z, const double *mu, double *zdot,
                              double *work);

#endif
