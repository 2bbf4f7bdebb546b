/* SPDX-License-Identifier: BSD-3-Clause */
/* A rigid body whose surface is an ellipsoid and that rolls on a plane without slipping, on R^2 x SO(3):
 * balls, disks, the rattleback. With gamma = R^T e3, D = diag of the half axes and c the centre of the
 * ellipsoid from the centre of mass,
 *     nu = D^2 gamma/|D gamma| - c,  a = nu x gamma
 *                                    (the contact is at -nu; the centre of mass rises at a . Omega)
 *     L = (1/2) m (|xdot|^2 + (a . Omega)^2) + (1/2) Omega . J Omega - w (|D gamma| - c . gamma) + pull . x,
 *     xdot = (first two components of R (Omega x nu)) + u(x).
 * Methods that know this need neither the callbacks of such a system nor its matrices. */
#ifndef POLHODE_ROLLING_H
#define POLHODE_ROLLING_H

#include <stdbool.h>

#include <polhode/kit/vector.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** The body, and the plane on which it rolls. */
typedef struct ph_rolling {
    double mass;      /**< m [kg] */
    double J[9];      /**< inertia tensor about the centre of mass in the body frame [kg m^2], row-major */
    double square[3]; /**< squares of the half axes [m^2]; that of the third may be 0: a disk */
    double centre[3]; /**< c [m], in the body frame */
    double radius;    /**< of a ball about its centre of mass, whose half axes are equal [m]; 0: it is none */
    double weight;    /**< w [N] */
    double pull[2];   /**< force along the plane [N] */
    double plane[2];  /**< velocity of the plane at the origin [m/s]: u(x) = plane + carried x */
    double carried[4]; /**< its derivative by x [1/s], row-major */
    bool spins; /**< may it spin about the normal of the plane? false: a rubber ball, gamma . Omega = 0 */
} ph_rolling;

/** The body, where callbacks and matrices of the system are those of one at configurations in general
 * position when it is created, are promised to be plain (is_plain, definition.h), and nothing else acts; NULL
 * for any other. */
PH_API const ph_rolling *ph_system_rolling(const ph_system *system);

/** nu, a <- at y = gamma; H (9) <- dnu/dgamma, symmetric; nullable. */
static inline void ph_rolling_shape(const ph_rolling *r, const double y[3], double nu[3], double a[3],
                                    double H[9])
{
    const double s[3] = {r->square[0] * y[0], r->square[1] * y[1], r->square[2] * y[2]},
                 q = 1 / sqrt(ph_dot3(s, y)), q3 = q * q * q;
    for (int i = 0; i < 3; i++)
        nu[i] = q * s[i] - r->centre[i];
    ph_cross3(nu, y, a);
    for (int i = 0; i < 9 && H; i++)
        H[i] = (i % 4 ? 0 : q * r->square[i / 4]) - q3 * s[i / 3] * s[i % 3];
}

/** out <- (da/dgamma)^T w. */
static inline void ph_rolling_lift(const double y[3], const double nu[3], const double H[9],
                                   const double w[3], double out[3])
{
    double turn[3], back[3];
    ph_cross3(y, w, turn);
    ph_apply3(H, turn, out);
    ph_cross3(nu, w, back);
    for (int k = 0; k < 3; k++)
        out[k] -= back[k];
}

/** Omega <- of (J + m (|nu|^2 - nu nu^T)) Omega = b, the inertia about the contact; of a rubber ball of
 * (...) Omega = b + gamma mu with gamma . Omega = 0. Returns mu, else 0. */
static inline double ph_rolling_solve(const ph_rolling *r, const double y[3], const double nu[3],
                                      const double b[3], double Omega[3])
{
    const double square = r->mass * ph_dot3(nu, nu);
    double N[9], c[9], lift[3], mu = 0;
    for (int i = 0; i < 9; i++)
        N[i] = r->J[i] + (i % 4 ? 0 : square) - r->mass * nu[i / 3] * nu[i % 3];
    for (int i = 0; i < 3; i++) /* N is symmetric, and its cofactors are */
        ph_cross3(N + 3 * ((i + 1) % 3), N + 3 * ((i + 2) % 3), c + 3 * i);
    const double share = 1 / ph_dot3(N, c);
    ph_apply3(c, b, Omega);
    if (!r->spins) {
        ph_apply3(c, y, lift);
        mu = -ph_dot3(y, Omega) / ph_dot3(y, lift);
    }
    for (int k = 0; k < 3; k++)
        Omega[k] = share * (r->spins ? Omega[k] : Omega[k] + mu * lift[k]);
    return mu;
}

PH_END_DECLS
#endif
