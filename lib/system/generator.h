/* SPDX-License-Identifier: BSD-3-Clause */
/* Generators of symmetries as tangent vectors in ambient coordinates. */
#ifndef PH_SYSTEM_GENERATOR_H
#define PH_SYSTEM_GENERATOR_H

#include <polhode/system.h>

/* y <- Z x, Z^T = -Z: every 3-vector of x turned about the axis, in the plane by the axis's third component. */
void ph_turn_about(const ph_space *space, const double axis[3], const double *x, double *y);

/* The rotation by an angle about an axis, I + s Z + c Z^2 with Z of the unit axis. */
typedef struct ph_turn {
    double unit[3];
    double s, c; /* sine, 1 - cosine */
} ph_turn;

/* The rotation vector axis, times the angle. */
ph_turn ph_turn_by(const double axis[3], double angle);
/* x (n) <- turned, of the coordinates of one factor; work (2 n). */
void ph_turn_factor(const ph_turn *turn, ph_factor_kind kind, size_t n, double *x, double *work);

/* zeta (nz) <- the generator of symmetry i at z, whether it is given by an axis or by a callback. work
 * (ph_space_momenta). A callback's status. */
ph_status ph_generator_at(const ph_system *s, size_t i, const double *z, double *zeta, double *work);

#endif
