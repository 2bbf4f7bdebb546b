/* SPDX-License-Identifier: BSD-3-Clause */
/* A rigid body whose surface is an ellipsoid and that rolls on a horizontal plane without slipping: the horizontal place x
 * of its centre of mass (R^2) and its attitude R (SO(3)). With gamma = R^T e3, D = diag of the half axes and c the
 * centre of the ellipsoid from the centre of mass, in the body frame,
 *     height of the centre of mass   h(gamma) = |D gamma| - c . gamma,        nu = dh/dgamma = D^2 gamma/|D gamma| - c
 *     contact from it                -nu,                                     hdot = (nu x gamma) . Omega
 *     L = (1/2) m (|xdot|^2 + hdot^2) + (1/2) Omega . J Omega - m g h,
 *     (xdot, hdot) = R (Omega x nu)      of which the third component is an identity.
 * A disk has the half axes (r, r, 0); where it lies flat h has no derivative.
 * (A. V. Borisov, I. S. Mamaev, Regul. Chaotic Dyn. 7 (2002) 177.) */
#ifndef PH_MODELS_ROLLING_H
#define PH_MODELS_ROLLING_H

#include "model.h"

typedef struct ph_rolling {
    double mass, J[9], axes[3], centre[3], gravity; /* [kg], [kg m^2], [m], [m], [m/s^2] */
} ph_rolling;

/* *system <- the body. PH_E_NO_MEMORY, those of ph_system_create. */
ph_status ph_rolling_build(const ph_rolling *body, ph_system **system, ph_error *err);

/* z, zdot <- centre of mass at x, attitude R, angular velocity Omega in the body frame, rolling. */
void ph_rolling_start(const ph_rolling *body, const double x[2], const double R[9], const double Omega[3],
                      double *z, double *zdot);

#endif
