/* SPDX-License-Identifier: BSD-3-Clause */
/* Integrators: a method bound to a system, a step size and options, with its workspace.
 *
 * One integrator per thread; systems and methods are shared. The integrator holds scratch only:
 * all that survives a step is in the state, so states may be stepped in turn by one integrator. */
#ifndef POLHODE_INTEGRATOR_H
#define POLHODE_INTEGRATOR_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/method.h>
#include <polhode/state.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** A method bound to a system, a step size and options. */
typedef struct ph_integrator ph_integrator;

/** Bind. system and method must outlive the integrator.
 *   h         step size [s], finite, not 0; negative runs backwards
 *   settings  (n) options by name, or NULL
 * PH_E_RANGE (h), PH_E_UNSUPPORTED, the errors of ph_method_options, PH_E_NO_MEMORY; PH_E_UNKNOWN
 * (POLHODE_KERNELS, see kernels.h). A system or method that is NULL: see status.h; what ph_method_find has
 * written into err stays there. */
PH_API ph_status ph_integrator_create(const ph_system *system, const ph_method *method, double h,
                                      const ph_setting *settings, size_t n, ph_integrator **integrator,
                                      ph_error *err);
/** Another one of the same system, method and options, with a step size of its own: states of one fit the
 * other. Its statistics begin at 0. PH_E_RANGE (h), PH_E_NO_MEMORY, or what the method says of this h. */
PH_API ph_status ph_integrator_copy(const ph_integrator *from, double h, ph_integrator **copy, ph_error *err);
PH_API void ph_integrator_free(ph_integrator *integrator); /**< Free; NULL is allowed. */

PH_API const ph_system *ph_integrator_system(const ph_integrator *integrator); /**< as bound */
PH_API const ph_method *ph_integrator_method(const ph_integrator *integrator); /**< as bound */
PH_API double ph_integrator_step_size(const ph_integrator *integrator);        /**< h [s] */
PH_API const double *ph_integrator_options(const ph_integrator *integrator);   /**< (n_options) */
/** The same for integrators of the same system, method and options (whatever h), and hardly ever for
 * others. */
PH_API uint64_t ph_integrator_kind(const ph_integrator *integrator);
/** What it has done since it was created; owned by the integrator. */
PH_API const ph_statistics *ph_integrator_statistics(const ph_integrator *integrator);

/** Change h; states continue from where they are (their clock is re-based, so that t stays exact).
 * PH_E_RANGE, or what the method says of this h: h is then as it was. Should the method not come back to that
 * either (of memory there may be none left), steps fail with its reason until a step size is set. */
PH_API ph_status ph_integrator_set_step_size(ph_integrator *integrator, double h);

/** Advance the state by n >= 0 steps. n at once and n calls give the same bits. If a step fails, the
 * state is exactly that after the step before it, and the status and ph_integrator_message say why.
 * PH_E_RANGE: n < 0, or the time after a step would not be finite; PH_E_INVALID: a state of another kind, or
 * none; the errors of the method. No allocation. */
PH_API ph_status ph_integrator_step(ph_integrator *integrator, ph_state *state, int64_t n);

/** The particulars of the latest failure of this integrator; "" if there was none; of NULL that there is
 * none. Valid until the next call on the integrator. */
PH_API const char *ph_integrator_message(const ph_integrator *integrator);

PH_END_DECLS
#endif
