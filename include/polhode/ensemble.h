/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles: many states of one integrator that step together, as many systems with the same parameters and
 * other initial data. Where the method has a step of several states at once (`lanes` in method.h:
 * `variational` of bodies under mutual gravity) eight go in the lanes of vectors, which takes a fraction of
 * the time; elsewhere they step one after the other. Each gets the same bits as alone.
 *
 * A member whose step fails keeps the state after its last whole step, and the others continue.
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

/** Many states of one integrator. */
typedef struct ph_ensemble ph_ensemble;

/** So many members, at least 1, with the system, method, options and step size of this integrator, of which
 * nothing else is used; system and method must outlive the ensemble. PH_E_RANGE (members), PH_E_INVALID (no
 * integrator), PH_E_NO_MEMORY, or what the method says. */
PH_API ph_status ph_ensemble_create(const ph_integrator *integrator, size_t members, ph_ensemble **ensemble,
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
