/* SPDX-License-Identifier: BSD-3-Clause */
/* Diagnostics: what is conserved and by how much it is missed, measured on a const state.
 *
 * ph_diagnostics measures one state; ph_monitor keeps the maxima over a run, tenth by tenth. */
#ifndef POLHODE_DIAGNOSTICS_H
#define POLHODE_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/state.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** What it takes to measure states of one system. */
typedef struct ph_diagnostics ph_diagnostics;

/** Measurements of one state. */
typedef struct ph_measures {
    double energy, kinetic, potential; /**< [J]; with the potential that depends on time, at the state's */
    double constraint_error;           /**< as ph_space_residual */
    double tangency;                   /**< as ph_space_momentum_tangency: largest |q.pi| [kg m^2/s] */
    double momentum_size;              /**< sum of |p| over the factors: the scale of a momentum map */
    const double *momenta;             /**< (symmetries) momentum maps; owned by the diagnostics */
    double velocity_constraint_error;  /**< as ph_system_constraint_error; 0 without velocity constraints */
} ph_measures;

/** One object per thread; system must outlive it. PH_E_NO_MEMORY. */
PH_API ph_status ph_diagnostics_create(const ph_system *system, ph_diagnostics **diagnostics, ph_error *err);
PH_API void ph_diagnostics_free(ph_diagnostics *diagnostics); /**< Free; NULL is allowed. */

/** The system that it was created for. */
PH_API const ph_system *ph_diagnostics_system(const ph_diagnostics *diagnostics);

/** Measure; no allocation. A failing callback's status, or PH_E_NOT_FINITE. */
PH_API ph_status ph_diagnostics_measure(ph_diagnostics *diagnostics, const ph_state *state,
                                        ph_measures *measures);

/** The errors of one trajectory so far. */
typedef struct ph_monitor ph_monitor;

/** Errors over a run. Energy and momentum errors are relative to their scales: |E0| unless that is
 * less than a hundredth of the initial kinetic energy plus the range of the potential energy seen, in
 * which case the latter; |J0| of the momentum maps likewise against the largest sum
 * of |p| seen. (States off the manifold by more than 1e-2 do not count for the scales.)
 * NaN where nothing was seen. */
typedef struct ph_summary {
    double energy_initial, energy_scale; /**< [J] */
    double momentum_scale;               /**< [kg m^2/s]; of the map with the largest error */
    double energy_error_max;             /**< largest magnitude */
    double energy_error_max_first_tenth, energy_error_max_last_tenth; /**< likewise */
    double energy_error_final;                                        /**< signed */
    double constraint_error_max, tangency_max;                        /**< the largest of ph_measures */
    double velocity_constraint_error_max;            /**< likewise; NaN without velocity constraints */
    double momentum_error_max, momentum_error_final; /**< final: signed, of the worst map */
    /** Largest magnitude in each tenth of the time; NaN: nothing was seen, or no longer known
     * (ph_monitor_recall). */
    double energy_error_tenths[10];
    int64_t outputs; /**< states seen */
} ph_summary;

/** Watch states of one trajectory that is planned to last from t0 to t1 (either direction).
 * One object per thread; the diagnostics must outlive it. PH_E_NO_MEMORY. */
PH_API ph_status ph_monitor_create(ph_diagnostics *diagnostics, double t0, double t1, ph_monitor **monitor,
                                   ph_error *err);
PH_API void ph_monitor_free(ph_monitor *monitor); /**< Free; NULL is allowed. */

/** See one state: the first one seen is the reference. measures (nullable) receives what was measured. */
PH_API ph_status ph_monitor_see(ph_monitor *monitor, const ph_state *state, ph_measures *measures);

/** What was seen so far. */
PH_API void ph_monitor_summary(const ph_monitor *monitor, ph_summary *summary);

/** Bytes of the monitor when it is packed: 192 + 24 for each momentum map, + 8 with velocity constraints. */
PH_API size_t ph_monitor_packed_size(const ph_monitor *monitor);

/** All that it has seen as bytes, ph_monitor_packed_size of them: words of eight bytes, little-endian
 * on every machine:
 *   "phmonit2" (eight letters), symmetries (unsigned), outputs (signed), then doubles: t0, t1; energy:
 *   initial, error at the latest output, largest |error|, largest of each tenth (10; NaN: no output,
 *   infinite: no longer known); initial kinetic energy; least and largest potential energy; largest
 *   constraint error, tangency and size of the momentum; of each momentum map initial value, largest |error|
 *   and latest error. A system with velocity constraints has "phmonit3" instead of "phmonit2", and at the end
 *   one more double: their largest error (infinite: no longer known). */
PH_API void ph_monitor_pack(const ph_monitor *monitor, void *bytes);

/** Resume where a packed monitor of the same system was: its plan (t0, t1) is taken over, too. With velocity
 * constraints "phmonit2" is accepted as well, as earlier versions wrote it: the largest error of the velocity
 * constraints is not known then, and stays NaN in the summary.
 * PH_E_SIZE (other lengths), PH_E_PARSE (no packed monitor), PH_E_RANGE; the monitor is unchanged then. */
PH_API ph_status ph_monitor_unpack(ph_monitor *monitor, const void *bytes, size_t size, ph_error *err);

/** summary, *maps <- what a packed monitor has seen, and of how many momentum maps, without its system.
 * PH_E_SIZE, PH_E_PARSE, PH_E_RANGE as ph_monitor_unpack; PH_E_NO_MEMORY. Thread-safe. */
PH_API ph_status ph_monitor_unpack_summary(const void *bytes, size_t size, ph_summary *summary, size_t *maps,
                                           ph_error *err);

/** Plan for another end t1. The tenths of the time are others then: show each earlier output but the first
 * one to ph_monitor_recall again. */
PH_API void ph_monitor_replan(ph_monitor *monitor, double t1);
/** An output that had been seen before the plan changed: its time and its energy error [J], not relative.
 * NaN: it is not known any more, and its tenth is NaN in the summary from now on; the largest error of the
 * run is known all the same. */
PH_API void ph_monitor_recall(ph_monitor *monitor, double t, double energy_error);

PH_END_DECLS
#endif
