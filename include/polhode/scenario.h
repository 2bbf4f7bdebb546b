/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios: a run described in a YAML (or JSON) file, read strictly. Part of libpolhode-io.
 *
 * Unknown keys, wrong types, wrong lengths, values out of range and half-numbers such as 1e-3x are
 * errors of the form  file:line:column: key.path: what is wrong; what would be right. */
#ifndef POLHODE_SCENARIO_H
#define POLHODE_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/events.h>
#include <polhode/integrator.h>
#include <polhode/method.h>
#include <polhode/models.h>
#include <polhode/run.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** A key of a scenario: a row of the table by which it is read. Texts are Markdown of one line. */
typedef struct ph_scenario_key {
    const char *name;    /**< "every" */
    const char *value;   /**< what its value is, with its unit: "a time in s" */
    const char *initial; /**< what holds where it is left out; NULL: it is required */
    const char *text;    /**< what it does, in sentences */
} ph_scenario_key;

/** The keys of one map of a scenario. */
typedef struct ph_scenario_map {
    const char *name;            /**< the key whose value the map is, "output"; "" for the scenario itself */
    const ph_scenario_key *keys; /**< (n_keys) */
    size_t n_keys;               /**< how many */
} ph_scenario_map;

/** How many maps with keys of their own a scenario may have. They are static data; thread-safe. */
PH_API size_t ph_scenario_maps(void);
/** The i-th of them; NULL beyond the last. */
PH_API const ph_scenario_map *ph_scenario_map_at(size_t i);

/** A scenario, read and checked. */
typedef struct ph_scenario ph_scenario;

/** Read and check a scenario file, and build its system. Free with ph_scenario_free.
 * PH_E_IO (missing, unreadable), PH_E_PARSE, and the errors of the model and of ph_state_set. */
PH_API ph_status ph_scenario_load(const char *path, ph_scenario **scenario, ph_error *err);
/** The same from memory; name stands for the file in messages, and `initial: from` is relative to the
 * working directory. */
PH_API ph_status ph_scenario_parse(const char *text, size_t length, const char *name, ph_scenario **scenario,
                                   ph_error *err);
/** A scenario that has been run before, without its initial state, which may be in a file that no longer
 * exists: the time is 0, configuration and momentum are NULL. For a run that is resumed from an archive. */
PH_API ph_status ph_scenario_recall(const char *text, size_t length, const char *name, ph_scenario **scenario,
                                    ph_error *err);
/** The same, where the scenario had surfaces of bodies from files: kept is what ph_scenario_kept returned
 * then (or NULL), so that files that were moved or changed since do not matter. PH_E_PARSE where it does not
 * have them. */
PH_API ph_status ph_scenario_recall_kept(const char *text, size_t length, const char *name, const char *kept,
                                         ph_scenario **scenario, ph_error *err);
/** The same as ph_scenario_load of a file with this text: paths in it are relative to the directory of
 * `path`, which stands for the file in messages. */
PH_API ph_status ph_scenario_parse_at(const char *text, size_t length, const char *path,
                                      ph_scenario **scenario, ph_error *err);
/** *edited <- a copy of the text of a scenario (length bytes), in which one value is another; free it by
 * free. All else stays as it is, comments included.
 *   key    where: keys with dots between them, as "method.order", and indices of entries of lists, from 0, as
 *          "initial.q[0][1]"; what is missing in a map is added. A method that is a word becomes a map with
 *          that name, an accuracy that is a number one with that value
 *   value  in YAML, on one line: "0.01", "[1, 2]", "{every: 10}"; NULL: the key is removed, if it is there
 * PH_E_PARSE: text or value is not YAML; PH_E_INVALID: no key, one below a value that is not a map or list,
 * or an entry that the list does not have;
 * PH_E_NO_MEMORY. */
PH_API ph_status ph_scenario_edit(const char *text, size_t length, const char *key, const char *value,
                                  char **edited, ph_error *err);
PH_API void ph_scenario_free(ph_scenario *scenario); /**< Free; NULL is allowed. */

/* All below: owned by the scenario, const. */
PH_API const ph_model *ph_scenario_model(const ph_scenario *scenario);   /**< of the catalogue */
PH_API const ph_system *ph_scenario_system(const ph_scenario *scenario); /**< built from the parameters */
/** The method, of the catalogue; NULL where it is to be chosen. */
PH_API const ph_method *ph_scenario_method(const ph_scenario *scenario);
/** The options of the method, for ph_integrator_create; *n <- how many. */
PH_API const ph_setting *ph_scenario_settings(const ph_scenario *scenario, size_t *n);
/** Create the integrator of the scenario: its method with its options and its step size. recorded: the
 * options that an archive of the scenario states (ph_record_meta, "options"), so that the integrator uses
 * the form of the equations that the run used; or NULL. The scenario must outlive it. The errors of
 * ph_integrator_create. */
PH_API ph_status ph_scenario_integrator(const ph_scenario *scenario, const char *recorded,
                                        ph_integrator **integrator, ph_error *err);
PH_API double ph_scenario_step_size(const ph_scenario *scenario); /**< h [s]; 0 where it is to be chosen */
PH_API int64_t ph_scenario_steps(const ph_scenario *scenario);    /**< steps to take; 0: see the step size */
PH_API double ph_scenario_duration(const ph_scenario *scenario);  /**< of the run [s], > 0 */
/** Compile the formulas of a scenario (ph_formula_compile) where its key `compile` says so; a session does it
 * before it begins or resumes. `auto`: where method and step are known and the steps would take more than
 * about a second; if it fails, a note says so. Nothing is done for other models, and where POLHODE_COMPILE is
 * `never` in the environment. The errors of ph_formula_compile where it must be compiled. */
PH_API ph_status ph_scenario_compile(ph_scenario *scenario, ph_error *err);
/** What an accuracy is a bound on. */
typedef enum ph_accuracy_of {
    /** The largest error of a coordinate of the configuration, at any step of the run: of a vector of R^d
     * (a place, in m) relative to the largest coordinate of all such vectors in the run, of points of spheres
     * and circles and of entries of rotation matrices as it is (so nearly an angle in rad). */
    PH_ACCURACY_TRAJECTORY,
    /** The largest energy error of the run, relative to the energy's scale (ph_summary). */
    PH_ACCURACY_ENERGY
} ph_accuracy_of;
/** The accuracy that is required; 0: the scenario gives none. */
PH_API double ph_scenario_accuracy(const ph_scenario *scenario);
PH_API ph_accuracy_of ph_scenario_accuracy_of(const ph_scenario *scenario); /**< of what it is */
/** The most CPU time [s] that the choice of method and step may take, by counted work; 0: not given. */
PH_API double ph_scenario_budget(const ph_scenario *scenario);
/** The error in the sense of the accuracy that whoever settled method and step expects; 0: not known. */
PH_API double ph_scenario_estimate(const ph_scenario *scenario);
/** The largest relative energy error of the run that they expect; 0: not known. */
PH_API double ph_scenario_energy_estimate(const ph_scenario *scenario);
/** Are method and step known? A scenario that gives an accuracy may leave them to be chosen. */
PH_API bool ph_scenario_is_settled(const ph_scenario *scenario);
/** Settle what a scenario with an accuracy leaves to be chosen.
 *   method    NULL if the scenario gives one
 *   settings  (n) options of the method; copied
 *   h         [s], > 0, of which the duration is a whole number; 0 if the scenario gives a step
 *   estimate  the error to expect; 0: not known
 *   energy    the largest relative energy error to expect; 0: not known
 * PH_E_INVALID (settled already, or what the scenario gives itself), PH_E_RANGE, the errors of
 * ph_method_options and of the method's `supports`, PH_E_NO_MEMORY; the scenario is as it was then. */
PH_API ph_status ph_scenario_settle(ph_scenario *scenario, const ph_method *method,
                                    const ph_setting *settings, size_t n, double h, double estimate,
                                    double energy, ph_error *err);
PH_API const ph_schedule *ph_scenario_output(const ph_scenario *scenario); /**< which steps are put out */
/** The words that choose the columns of a row, for ph_archive_plan and ph_csv_create; *n <- how
 * many, 0: all columns. */
PH_API const char *const *ph_scenario_columns(const ph_scenario *scenario, size_t *n);
/** What events are to be looked for, for ph_events_create; *n <- how many; NULL where there are none. */
PH_API const ph_event *ph_scenario_events(const ph_scenario *scenario, size_t *n);
/** Was the initial velocity projected on velocity constraints (`project: true`), and so changed? If so,
 * kinetic (2) <- the kinetic energy [J] before and after that. */
PH_API bool ph_scenario_projected(const ph_scenario *scenario, double kinetic[2]);
PH_API double ph_scenario_time(const ph_scenario *scenario);                 /**< initial time [s] */
PH_API const double *ph_scenario_configuration(const ph_scenario *scenario); /**< (nz), on the manifold */
PH_API const double *ph_scenario_momentum(const ph_scenario *scenario);      /**< (np) */
/** What is no error, but may not be what was meant: a density that no body has, a shape that was shifted to
 * its centre of mass; a sentence each, "parameters.bodies[0]: ..."; *n <- how many. */
PH_API const char *const *ph_scenario_notes(const ph_scenario *scenario, size_t *n);
/** What was found in the formulas of its model (ph_formula_found); NULL for a model of the catalogue. */
PH_API const char *ph_scenario_found(const ph_scenario *scenario);
/** What was read from files of shapes, as text, for ph_scenario_recall_kept; NULL where there are none. */
PH_API const char *ph_scenario_kept(const ph_scenario *scenario);
PH_API bool ph_scenario_csv(const ph_scenario *scenario);        /**< is trajectory.csv written, too? */
PH_API double ph_scenario_snapshot(const ph_scenario *scenario); /**< how much work may be lost [s] */
/** A relative energy error beyond this ends the run; INFINITY: none does. */
PH_API double ph_scenario_energy_bound(const ph_scenario *scenario);
/** The text as it was read, *length bytes and a zero. */
PH_API const char *ph_scenario_text(const ph_scenario *scenario, size_t *length);

PH_END_DECLS
#endif
