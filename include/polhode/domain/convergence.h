/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the series of the mutual potential can be trusted (gravity.h). It is sure to converge while the
 * distance of two bodies exceeds the sum of their radii; how fast, its terms up to order 8 show, of which the
 * later ones shrink like a geometric series whose ratio is at most (radii / distance)^2 for two orders.
 * Thread-safe; nothing allocates. Source: manual, Mutual gravity. */
#ifndef POLHODE_CONVERGENCE_H
#define POLHODE_CONVERGENCE_H

#include <stddef.h>

#include <polhode/domain/gravitation.h>
#include <polhode/domain/mass.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** One pair of bodies, at one configuration. The errors are estimates of what all terms beyond an order N
 * add, relative to the whole: number N of each array. They are infinite where the terms do not shrink, and 0
 * where there are none (points and spheres). */
typedef struct ph_convergence {
    double distance;                     /**< of the centres of mass [m] */
    double radii;                        /**< sum of the radii of the spheres that hold the bodies [m] */
    double force[PH_MASS_DEGREE + 1];    /**< relative error of the force */
    double torque_a[PH_MASS_DEGREE + 1]; /**< of the torque on the first body */
    double torque_b[PH_MASS_DEGREE + 1]; /**< of that on the second */
} ph_convergence;

/** The bodies a < b, or a = PH_NO_INDEX for the central body, whose moments are taken also where it has an
 * exact field, at the time t [s] and the configuration z. PH_E_RANGE: there are no such bodies. */
PH_API ph_status ph_gravitation_convergence(const ph_gravitation *gravitation, double t, const double *z,
                                            size_t a, size_t b, ph_convergence *convergence, ph_error *err);

PH_END_DECLS
#endif
