/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.json: what a run was, how it ended and how well it kept what it should. Part of libpolhode-io. */
#ifndef POLHODE_SUMMARY_H
#define POLHODE_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <polhode/archive.h>
#include <polhode/diagnostics.h>
#include <polhode/events.h>
#include <polhode/integrator.h>
#include <polhode/run.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** What summary.json reports. */
typedef struct ph_result {
    const char *model;               /**< name */
    const ph_integrator *integrator; /**< method, order, h, options, statistics */
    const ph_state *state;           /**< final state */
    const ph_run_report *report;     /**< of ph_run; of a run in parts: the sums */
    const ph_summary *summary;       /**< of the monitor that observed the run */
    const ph_statistics *statistics; /**< of the whole run, if it was made in parts; NULL: the integrator's */
    ph_ending ending;                /**< how the run ended; PH_E_DIVERGED fills diverged_at */
    const ph_events *events;         /**< nullable: how often they were found */
    double accuracy;        /**< that was required (ph_scenario_accuracy); 0: none, and not written */
    bool of_energy;         /**< is it that of the energy? */
    double estimate;        /**< of the error, before the run; 0: not known */
    double energy_estimate; /**< of the relative energy error, before the run; 0: not known */
    /** nullable: the file name of the archive next to it that holds the final state. More than 10 000 numbers
     * are left there: `final_state` has their time, their number and this name instead. */
    const char *archive;
} ph_result;

/** Write path (through path.part). Numbers that are not finite become null. */
PH_API ph_status ph_summary_write(const char *path, const ph_result *result, ph_error *err);
/** The same to a stream, and with it the names of files (n, nullable) as `files`. PH_E_IO, PH_E_NO_MEMORY. */
PH_API ph_status ph_summary_print(FILE *stream, const ph_result *result, const char *const *files, size_t n,
                                  ph_error *err);

enum { PH_ACCURACY_WORDS = 400 }; /**< room for the words of ph_accuracy_words */
/** words <- whether a run has kept its accuracy, as far as its energy shows; "" where it has none. false:
 * there is reason to doubt it. The energy error is compared with the accuracy, if that is of the energy, else
 * with what was expected of it when method and step were chosen; of a system that does not conserve energy
 * with nothing. */
PH_API bool ph_accuracy_words(const ph_result *result, char words[PH_ACCURACY_WORDS]);

PH_END_DECLS
#endif
