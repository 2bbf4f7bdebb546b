/* SPDX-License-Identifier: BSD-3-Clause */
/* Orbits of two bodies: the osculating elements of a state x, v of their distance, from elements back to the
 * state, the frame that moves with the orbit, and the angles of a body against it.
 *
 * mu = G (m_A + m_B), x from A to B. Elements refer to the axes of space: the reference plane is that of e1
 * and e2, longitudes count from e1. Angles are in (-pi, pi], so that what is near 0 does not jump; i is in
 * [0, pi]. Where an angle does not exist it is 0, and the sums that exist are as they should be:
 *   i = 0 or pi exactly: the node is at e1
 *   e = 0 exactly: the periapsis is in the node, the anomalies count from there
 *   x parallel to v: e = 1, q = 0; of the planes through x the one with the least inclination
 * Thread-safe; nothing allocates. Source: Murray, Dermott, Solar System Dynamics (1999), chapter 2; forms
 * without cancellation: manual, Mutual gravity. */
#ifndef POLHODE_ELEMENTS_H
#define POLHODE_ELEMENTS_H

#include <polhode/status.h>

PH_BEGIN_DECLS

/** Osculating elements: the conic on which the bodies would move if they were points. */
typedef struct ph_elements {
    double a;            /**< semi-major axis [m]: negative of a hyperbola, infinite of a parabola */
    double q;            /**< distance of the periapsis [m], of every conic */
    double e;            /**< eccentricity */
    double i;            /**< inclination [rad] */
    double node;         /**< longitude of the ascending node [rad] */
    double periapsis;    /**< argument of the periapsis, from the node [rad] */
    double true_anomaly; /**< from the periapsis [rad] */
    /** E - e sin E, or e sinh H - H of a hyperbola, where it is not bounded [rad]; 0 of a parabola. */
    double mean_anomaly;
    double longitude; /**< node + periapsis + true anomaly [rad]: exists also where e = 0 or i = 0 */
} ph_elements;

/** elements <- of the state x [m], v [m/s], mu [m^3/s^2] > 0. Not finite where x = 0. */
PH_API void ph_elements_from_state(double mu, const double x[3], const double v[3], ph_elements *elements);

/** x, v <- of q, e, i, node, periapsis and true_anomaly; the other elements are not read (q = a (1 - e)).
 * PH_E_RANGE: mu or q not positive, e negative, a true anomaly beyond the asymptotes of a hyperbola;
 * PH_E_NOT_FINITE. */
PH_API ph_status ph_elements_state(double mu, const ph_elements *elements, double x[3], double v[3],
                                   ph_error *err);

/** *true_anomaly <- of a mean anomaly [rad], of an ellipse (e < 1: modulo 2 pi) or a hyperbola, by Kepler's
 * equation. PH_E_RANGE: e negative, or 1: a parabola has no mean anomaly; PH_E_NOT_FINITE. */
PH_API ph_status ph_true_anomaly(double e, double mean_anomaly, double *true_anomaly, ph_error *err);

/** O (9, row-major) <- the axes of the orbit as its columns: radial x/|x|, along the track, and normal to the
 * orbit, x cross v. A rotation. */
PH_API void ph_orbit_frame(const double x[3], const double v[3], double O[9]);

/** angles (3) <- roll, pitch, yaw [rad] of a rotation Q (9): Q = R1(roll) R2(pitch) R3(yaw), turns about axis
 * 1, then the new axis 2, then the new axis 3 (1-2-3). For Q = O^T R, R the attitude of a body, they are 0
 * where its axes are radial, along the track and normal. Pitch is in [-pi/2, pi/2]; where it is at an end,
 * yaw is 0. */
PH_API void ph_orbit_angles(const double Q[9], double angles[3]);

PH_END_DECLS
#endif
