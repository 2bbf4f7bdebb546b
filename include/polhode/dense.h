/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense output: the state at any time between both ends of a step, by Hermite interpolation (Hairer,
 * Norsett, Wanner, Solving Ordinary Differential Equations I, II.6) of z, zdot and, where the equations
 * give it, zddot:
 *
 *     u(theta)  the polynomial of degree 5 (3 without zddot) in ambient coordinates that has these values
 *               at both ends
 *     z         the nearest point of the manifold to u (ph_space_project)
 *     p         the Legendre transform at z of the tangent part of du/dt
 *
 * Nearest points and tangent parts keep the order: with steps of h the error of z is O(h^6) and that of p
 * O(h^5), without zddot O(h^4) and O(h^3). The error of a method of order p at the steps comes on top, and
 * remains O(h^p) between them. Energy and momentum maps of such a state are off by as much.
 *
 * Where the method is of a higher order and takes parts of a step (ph_method.takes_parts: gauss), such a
 * state is the end of a shorter step from the first end, with the method's own error alone, at the cost of
 * a step.
 *
 *     ph_dense_begin(dense, state, &err);
 *     ph_integrator_step(integrator, state, 1);
 *     ph_dense_end(dense, state, &err);
 *     ph_dense_at(dense, t, &there, &err);     // any number of times
 *
 * ph_run does this for outputs between steps. Nothing here changes a trajectory. */
#ifndef POLHODE_DENSE_H
#define POLHODE_DENSE_H

#include <polhode/integrator.h>
#include <polhode/state.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** An interpolant of a step, with copies of both ends. One thread at a time uses it. */
typedef struct ph_dense ph_dense;

/** Create one for states of this integrator, whose system must outlive it; free it with ph_dense_free.
 * PH_E_UNSUPPORTED where the space knows no nearest point (ph_space_has_retraction); PH_E_NO_MEMORY. */
PH_API ph_status ph_dense_create(const ph_integrator *integrator, ph_dense **dense, ph_error *err);
PH_API void ph_dense_free(ph_dense *dense); /**< Free; NULL is allowed. */

/** The order of the error in z: 6 where there are accelerations (systems with dense matrices, linkages,
 * sparse inverse inertias, articulations, and spins, whose z'' is that along their vector field), else 4; or
 * that of the method, by shorter steps of it. That of p is one less; velocity constraints are fulfilled to
 * that order between the ends. */
PH_API int ph_dense_order(const ph_dense *dense);

/** The state at one end, which is copied. Another begin starts a new step. No allocation.
 * PH_E_INVALID: a state of another kind. */
PH_API ph_status ph_dense_begin(ph_dense *dense, const ph_state *state, ph_error *err);
/** The state at the other end, of the same trajectory. Velocities and accelerations of both are computed
 * here. No allocation. PH_E_INVALID: a state of another kind, at the same time as the first, or no
 * ph_dense_begin before; the errors of ph_system_velocity and of `evaluate` of a ph_field. */
PH_API ph_status ph_dense_end(ph_dense *dense, const ph_state *state, ph_error *err);

/** *state <- the state at the time t [s] between both ends: z and p on the manifold, an empty carry, k of
 * the first end. At an end's own time (within rounding) z and p have the bits of that end. It is owned by
 * `dense`, valid until its next call, and to be read only: a trajectory does not continue from it. No
 * allocation. PH_E_RANGE: t is not between the ends, or is NaN; PH_E_INVALID: there is no step;
 * PH_E_NOT_ON_MANIFOLD: the step is so long that the interpolant has no nearest point; a callback's
 * status. */
PH_API ph_status ph_dense_at(ph_dense *dense, double t, const ph_state **state, ph_error *err);

/** *error <- an estimate of the largest error of a coordinate of z inside the step, by interpolation alone:
 * H^2 / 24 times the tangent part of what d2u/dt2 misses of zddot in the middle, one evaluation. It is
 * right to the leading order in H for ends on an exact motion. Those of a method have z and p that agree to
 * its order only: an estimate of its local error is in it, too. NaN where there are no accelerations, 0
 * where nothing is interpolated. No allocation.
 * PH_E_INVALID: there is no step; the errors of ph_dense_at and of `evaluate` of a ph_field. */
PH_API ph_status ph_dense_error(ph_dense *dense, double *error, ph_error *err);

PH_END_DECLS
#endif
