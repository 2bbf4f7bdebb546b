/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles: many states that step together by one method with the same options and step size: of one
 * system with other initial data, or of systems of one shape whose parameters differ. Where the method has a
 * step of several states at once (`lanes` in method.h) eight go in the lanes of vectors, which takes a
 * fraction of the time; elsewhere they step one after the other. Each gets the same bits as alone.
 *
 * A member whose step fails keeps the state after its last whole step, and the others continue. (Lanes have a
 * bound of a few iterations; a member that needs more steps alone, where the option max-iterations counts.)
 *
 * Numbers of all members are arrays by number, then by member: number k of member i is a[k * members + i].
 * One ensemble per thread; nothing in a step allocates. */
#ifndef POLHODE_ENSEMBLE_H
#define POLHODE_ENSEMBLE_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/integrator.h>
#include <polhode/state.h>

PH_BEGIN_DECLS

/** Many states of one method. */
typedef struct ph_ensemble ph_ensemble;

/** So many members, at least 1, with the system, method, options and step size of this integrator, of which
 * nothing else is used; system and method must outlive the ensemble. PH_E_RANGE (members), PH_E_INVALID (no
 * integrator), PH_E_NO_MEMORY, or what the method says. */
PH_API ph_status ph_ensemble_create(const ph_integrator *integrator, size_t members, ph_ensemble **ensemble,
                                    ph_error *err);
/** The same with a system for each member (members), which outlive the ensemble. They are of the shape of the
 * integrator's: of the same space, factor by factor, the same kind and strength of Lagrangian, as many
 * velocity constraints. Without lanes for different systems the ensemble has an integrator for each member
 * whose system is not that of the member before. PH_E_INVALID (no systems, or of another shape: the message
 * names the member and what differs), and the errors of ph_ensemble_create. */
PH_API ph_status ph_ensemble_create_each(const ph_integrator *integrator, const ph_system *const *systems,
                                         size_t members, ph_ensemble **ensemble, ph_error *err);
/** Other systems for the members of such an ensemble, to which the same applies; then it is set again
 * (ph_ensemble_set). Where members step in lanes, and the systems take as much memory as those before,
 * nothing is allocated. */
PH_API ph_status ph_ensemble_set_systems(ph_ensemble *ensemble, const ph_system *const *systems,
                                         ph_error *err);
PH_API void ph_ensemble_free(ph_ensemble *ensemble); /**< Free; NULL is allowed. */

PH_API size_t ph_ensemble_members(const ph_ensemble *ensemble); /**< how many */
PH_API size_t ph_ensemble_lanes(const ph_ensemble *ensemble);   /**< how many step at once: 1 or 8 */

/** All members begin at the time t [s] in these configurations z (nz x members) and momenta p (np x members),
 * each admitted as by ph_state_set; what has failed before is forgotten. On error the ensemble is not to be
 * stepped until it has been set; the message names the member, from 0. */
PH_API ph_status ph_ensemble_set(ph_ensemble *ensemble, double t, const double *z, const double *p,
                                 ph_admission admission, ph_error *err);

/** n >= 0 steps of each member that has not failed. n at once and n calls give the same bits. PH_OK, or the
 * status of the first member that fails, or has failed: the others have made their steps. PH_E_RANGE (n, or
 * the time after these steps would not be finite), PH_E_INVALID (nothing has been set). */
PH_API ph_status ph_ensemble_step(ph_ensemble *ensemble, int64_t n);

/** z (nz x members), p (np x members) <- where the members are; each may be NULL. */
PH_API void ph_ensemble_get(const ph_ensemble *ensemble, double *z, double *p);
PH_API int64_t ph_ensemble_steps(const ph_ensemble *ensemble, size_t member); /**< since it was set */
PH_API double ph_ensemble_time(const ph_ensemble *ensemble, size_t member);   /**< of a member [s] */
/** PH_OK, or why this member steps no more. */
PH_API ph_status ph_ensemble_status(const ph_ensemble *ensemble, size_t member);
/** The particulars of the first failure since the ensemble was set; "" if there was none. */
PH_API const char *ph_ensemble_message(const ph_ensemble *ensemble);

PH_END_DECLS
#endif
