/* SPDX-License-Identifier: BSD-3-Clause */
/* trajectory.csv and events.csv, written row by row. Part of libpolhode-io. They appear under their names
 * when they are complete, as other results do (archive.h). */
#ifndef POLHODE_CSV_H
#define POLHODE_CSV_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/columns.h>
#include <polhode/diagnostics.h>
#include <polhode/events.h>
#include <polhode/state.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** A trajectory that is being written. */
typedef struct ph_csv ph_csv;

/** Start path (through path.part). The columns are those of ph_columns_create_trajectory. The first line
 * names every one with its unit; of all: t[s], step, q1x[1], ..., pi1x[kg m^2/s], ..., energy[J],
 * energy_error[J], constraint_error[1], tangency[kg m^2/s], one column per momentum map, newton_passes.
 * Numbers have 17 digits. The system must outlive the table. */
PH_API ph_status ph_csv_create(const char *path, const ph_system *system, const char *const *words, size_t n,
                               ph_csv **csv, ph_error *err);

/** One row. Arguments as of ph_archive_row. */
PH_API ph_status ph_csv_row(ph_csv *csv, const ph_state *state, const ph_measures *measures, int64_t passes,
                            ph_error *err);

/** A row that was written before, by the values of its columns. first_energy [J]: that of the first row, for
 * the energy_error of those to come. */
PH_API ph_status ph_csv_recall(ph_csv *csv, const double *values, double first_energy, ph_error *err);

/** Complete the file and rename it. Frees csv in any case; on failure the temporary file is removed. */
PH_API ph_status ph_csv_close(ph_csv *csv, ph_error *err);
/** Give up: remove the temporary file, free. NULL is allowed. */
PH_API void ph_csv_abandon(ph_csv *csv);

/** A table of events that is being written. */
typedef struct ph_event_csv ph_event_csv;

/** Start path (through path.part). Its columns: event (the name), t[s], step and theta (where it lies: that
 * part of the way from this step to the next), direction, then configuration and momentum there. */
PH_API ph_status ph_event_csv_create(const char *path, const ph_system *system, ph_event_csv **csv,
                                     ph_error *err);
/** A row: an occurrence of the event of that name. */
PH_API ph_status ph_event_csv_row(ph_event_csv *csv, const char *name, const ph_occurrence *occurrence,
                                  ph_error *err);
/** As ph_csv_close. */
PH_API ph_status ph_event_csv_close(ph_event_csv *csv, ph_error *err);
/** As ph_csv_abandon. */
PH_API void ph_event_csv_abandon(ph_event_csv *csv);

PH_END_DECLS
#endif
