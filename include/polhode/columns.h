/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns: the numbers that belong to a state, by name and with units, as a row of trajectory.csv has them:
 * t, step, q1x, ..., pi1x, ..., energy, energy_error, constraint_error, tangency, the momentum maps by their
 * names, newton_passes. Tables on disk and events (events.h) name them alike. */
#ifndef POLHODE_COLUMNS_H
#define POLHODE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/diagnostics.h>
#include <polhode/state.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** Some columns, in the order in which they were asked for. One object per thread: those of motion.h have
 * memory. */
typedef struct ph_columns ph_columns;

/** What columns take their numbers from, in addition to the state itself. */
enum {
    PH_COLUMN_MEASURES = 1 << 0, /**< measures of the state: energies, errors, momentum maps */
    PH_COLUMN_RUN = 1 << 1       /**< a run: energy_error, newton_passes */
};

/** What a row is made from. */
typedef struct ph_row {
    const ph_state *state;       /**< of the columns' system */
    const ph_measures *measures; /**< of that state; may be NULL where no column needs PH_COLUMN_MEASURES */
    double first_energy;         /**< [J] that energy_error is against: at the start of the trajectory */
    int64_t passes;              /**< for newton_passes: since the row before */
} ph_row;

/** Choose columns. The system must outlive them.
 *   words (n)  columns by name, or groups of them: the configuration or momentum of one factor ("q1" for q1x,
 *              q1y, q1z; "pi1", "x2", "p2", "R3", "Pi3"), "configuration", "momentum" and "momentum_maps"
 *              for all; and what motion.h names: "velocity", "omega", "quaternions", "positions",
 *              "tensions", "omega1", "position2z"; of bodies under mutual gravity (gravitation.h; meaning:
 *              manual, Columns) "orbit", "distances", "euler", "spin", "libration", "binding", "clearance",
 *              "escape", "energies", "orbit2", "orbit2_e", "distance1_2", "rotation1"; those
 *              of the definition's own by their names, "own" for all; where factors have names, what
 *              ph_column_title makes of these.
 *              n = 0: all there are, in the order of trajectory.csv
 * PH_E_UNKNOWN (suggests); PH_E_INVALID (a column that is named twice); PH_E_NO_MEMORY. */
PH_API ph_status ph_columns_create(const ph_system *system, const char *const *words, size_t n,
                                   ph_columns **columns, ph_error *err);
/** The columns of a trajectory's rows: t and step, then those of the words but for these two, which may be
 * named and change nothing. n = 0 and errors as for ph_columns_create. */
PH_API ph_status ph_columns_create_trajectory(const ph_system *system, const char *const *words, size_t n,
                                              ph_columns **columns, ph_error *err);
PH_API void ph_columns_free(ph_columns *columns); /**< Free; NULL is allowed. */

/** How many columns. */
PH_API size_t ph_columns_count(const ph_columns *columns);
/** What they are taken from: PH_COLUMN_... */
PH_API unsigned ph_columns_needs(const ph_columns *columns);
/** Room for the name of a number of a factor. */
enum { PH_COLUMN_NAME = 64 };

/** The name of the i-th: written to room (PH_COLUMN_NAME bytes), or static, or the system's. */
PH_API const char *ph_columns_name(const ph_columns *columns, size_t i, char *room);
/** What formulas call the column of this name, or the columns of a factor, where the factors of the system
 * have names: "q.x", "qdot.x", "omega(q).x", "momentum(q).x", which are also words for them. In room
 * (PH_COLUMN_NAME bytes); else the name. */
PH_API const char *ph_column_title(const ph_system *system, const char *name, char *room);
/** Its unit, "kg m^2/s"; "1" of what has none, NULL of counts (step, newton_passes). Static,
 * or the system's. */
PH_API const char *ph_columns_unit(const ph_columns *columns, size_t i);
/** names, units (n) <- those of the columns first ... first + n - 1, in room (n x PH_COLUMN_NAME bytes) or
 * not: faster than one by one where there are very many. */
PH_API void ph_columns_names(const ph_columns *columns, size_t first, size_t n, char *room,
                             const char **names, const char **units);

/** values (n) <- columns first ... first + n - 1 of the row; NaN where a velocity does not exist. For a row
 * they are asked for from the first column on. No allocation. */
PH_API void ph_columns_values(const ph_columns *columns, const ph_row *row, size_t first, size_t n,
                              double *values);

PH_END_DECLS
#endif
