/* SPDX-License-Identifier: BSD-3-Clause */
/* Results on disk: trajectory.csv, events.csv and summary.json. Part of libpolhode-io.
 *
 * A file is written under a temporary name beside its place and renamed when it is complete, so that
 * what stands under the final name is always whole. Write errors (full disk) are reported, and what
 * stood there before stays. */
#ifndef POLHODE_ARCHIVE_H
#define POLHODE_ARCHIVE_H

#include <stdbool.h>

#include <polhode/diagnostics.h>
#include <polhode/events.h>
#include <polhode/integrator.h>
#include <polhode/models.h>
#include <polhode/run.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** Make the directory (with its parents) if need be, and see that it is writable and, unless force,
 * that none of trajectory.csv, events.csv and summary.json is in it. PH_E_EXISTS, PH_E_IO. */
PH_API ph_status ph_archive_prepare(const char *directory, bool force, ph_error *err);

/** A trajectory that is being written. */
typedef struct ph_csv ph_csv;

/** Start path (through path.part). The first line names every column with its unit: t[s], step,
 * q1x[1], ..., pi1x[kg m^2/s], ..., energy[J], energy_error[J], constraint_error[1],
 * tangency[kg m^2/s], one column per momentum map, newton_passes. Numbers have 17 digits. */
PH_API ph_status ph_csv_create(const char *path, const ph_system *system, ph_csv **csv, ph_error *err);

/** One row. energy_error is against the first row. passes: Newton passes since the row before. */
PH_API ph_status ph_csv_row(ph_csv *csv, const ph_state *state, const ph_measures *measures,
                            int64_t passes, ph_error *err);

/** Complete the file and rename it. Frees csv in any case; on failure the temporary file is removed. */
PH_API ph_status ph_csv_close(ph_csv *csv, ph_error *err);
/** Give up: remove the temporary file, free. NULL is allowed. */
PH_API void ph_csv_abandon(ph_csv *csv);

/** A table of events that is being written. */
typedef struct ph_event_csv ph_event_csv;

/** Start path (through path.part). Its columns: event (the name), t[s], step and theta (where it lies: that part of the
 * way from this step to the next), direction, then configuration and momentum there. */
PH_API ph_status ph_event_csv_create(const char *path, const ph_system *system, ph_event_csv **csv,
                                     ph_error *err);
/** A row: an occurrence of the event of that name. */
PH_API ph_status ph_event_csv_row(ph_event_csv *csv, const char *name, const ph_occurrence *occurrence,
                                  ph_error *err);
/** As ph_csv_close. */
PH_API ph_status ph_event_csv_close(ph_event_csv *csv, ph_error *err);
/** As ph_csv_abandon. */
PH_API void ph_event_csv_abandon(ph_event_csv *csv);

/** What summary.json tells. */
typedef struct ph_result {
    const char *model;               /**< name */
    const ph_integrator *integrator; /**< method, order, h, options, statistics */
    const ph_state *state;           /**< final state */
    const ph_run_report *report;     /**< of ph_run */
    const ph_summary *summary;       /**< of the monitor that looked on */
    ph_status status;                /**< how the run ended; PH_E_DIVERGED fills diverged_at */
    const char *message;             /**< why, when it is not PH_OK */
    const ph_events *events;         /**< nullable: how often they were found */
} ph_result;

/** Write path (through path.part). Numbers that are not finite become null. */
PH_API ph_status ph_summary_write(const char *path, const ph_result *result, ph_error *err);

PH_END_DECLS
#endif
