/* SPDX-License-Identifier: BSD-3-Clause */
/* What the evaluation of systems has for other folders of the library besides its public functions. */
#ifndef PH_INTERNAL_EVALUATION_H
#define PH_INTERNAL_EVALUATION_H

#include <polhode/system.h>

/* J <- the tensor of the rotation that is factor i, where its own block of the ambient inertia is that of a body; false
 * where it is another, or not a matrix. */
bool ph_system_body_tensor(const ph_system *s, size_t i, double J[9]);

/* Doubles of work that the functions of lagrangian.c and hessian.c need. */
size_t ph_lagrangian_work(const ph_system *s);

/* *noise <- how large differences may make an entry of E^T L_vv E that is 0; 0 where L_vv is given. zdot
 * NULL: rest. work: what ph_system_lagrangian_hessian needs, and nz. */
ph_status ph_lagrangian_noise(const ph_system *s, double t, const double *z, const double *zdot,
                              double *noise, double *work);

/* Is there a potential that depends on time? Or in its base? */
bool ph_system_has_potential_in_time(const ph_system *s);
/* *rate += dU/dt at fixed z, of the potential that depends on time. */
ph_status ph_system_add_rate(const ph_system *s, double t, const double *z, double *rate);

/* Energies of a state from its momenta, without what depends on time. Where the potential cannot fail, PH_E_NOT_FINITE: the state has
 * left the manifold. zdot (nz), work (ph_system_work) */
ph_status ph_system_energies(const ph_system *s, double t, const double *z, const double *p, double *kinetic,
                             double *potential, double *zdot, double *work);

/* xi (np) <- the generator of symmetry i, which is given by a callback. */
ph_status ph_system_generator(const ph_system *s, size_t i, const double *z, double *xi);

/* The momentum map of rotations of the whole about an axis is that of its turns[3], the sum of what the
 * factors add: p . xi for the axes e1, e2, e3. */
void ph_system_add_turn(const ph_system *s, size_t i, const double *z, const double *p, double *turns);
double ph_rotation_map(const double *axis, const double *turns);

/* ph_system_covector_velocity, which sets *singular where the failure is E^T L_vv E's and not a
 * callback's. */
ph_status ph_invert_transform(const ph_system *s, double t, const double *z, const double *mu, double *zdot,
                              double *work, bool *singular);

/* Is the inertia positive definite everywhere, or whatever stands for it regular? Then there is nothing to check below. */
bool ph_system_is_regular(const ph_system *s);
/* Is E^T L_vv E regular at (z, zdot), so that the Legendre transform can be inverted? PH_E_SINGULAR where
 * it is not (or not positive definite, of an inertia); *condition <- its condition number, of a scaling
 * that has no units. zdot (NULL: rest) matters for a general Lagrangian only. work (ph_regularity_work) */
size_t ph_regularity_work(const ph_system *s);
ph_status ph_check_regular(const ph_system *s, double t, const double *z, const double *zdot, double *work,
                           double *condition);

/* Doubles of work that ph_system_tangent_inertia needs. */
size_t ph_tangent_work(const ph_system *s);
/* A <- E^T B E, lower triangle (nx x nx), for the basis E and a matrix B (nz x nz) in ambient coordinates. */
void ph_congruence(const ph_space *space, const double *B, const double *E, double *A);
/* b (nx) <- E^T mu, and v (nz) <- E x. */
void ph_tangent_components(const ph_space *space, const double *E, const double *mu, double *b);
void ph_tangent_combine(const ph_space *space, const double *E, const double *x, double *v);

#endif
