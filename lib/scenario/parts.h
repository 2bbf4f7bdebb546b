/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a scenario: what is being read, and one reader for each top-level key that is more than
 * a number. A reader fills the scenario; what it allocated is freed with the scenario, also when it
 * fails. */
#ifndef PH_SCENARIO_PARTS_H
#define PH_SCENARIO_PARTS_H

#include <polhode/domain/formula.h>
#include <polhode/scenario.h>

#include "yaml.h"

/* Whether formulas are compiled. */
typedef enum ph_compile_when { PH_COMPILE_AUTO, PH_COMPILE_NEVER, PH_COMPILE_ALWAYS } ph_compile_when;

struct ph_scenario {
    const ph_model *model;
    ph_system *system;
    ph_system *whole; /* that `system` is, seen from a turning frame; or NULL */
    bool borrowed;    /* do system, whole and kept belong to another scenario? */
    ph_compile_when compile;
    double runs; /* of the system, where members of an ensemble share it; else 0 */
    const ph_method *method;
    ph_setting *settings; /* (n_settings), with their strings */
    size_t n_settings;
    double h, time;  /* h: 0 where it is not known yet */
    double accuracy; /* 0: none is given */
    ph_accuracy_of accuracy_of;
    double budget;                    /* [s] for the choice; 0: not given */
    double estimate, energy_estimate; /* of the errors, by whoever settled method and step; 0: not known */
    double duration;                  /* [s], where it is given without a step */
    int64_t steps;
    ph_schedule output;
    double *times;         /* of `output`, or NULL */
    bool output_by_length; /* `output` follows from the number of steps */
    char **columns;        /* (n_columns) words; none for all */
    size_t n_columns;
    bool csv;
    double snapshot;     /* [s] */
    double energy_bound; /* INFINITY: none */
    char *text;          /* (length), and a zero behind */
    size_t length;
    ph_event *events; /* (n_events), with their strings */
    size_t n_events;
    double *z, *zdot;  /* (nz) */
    bool projected;    /* was the velocity projected on velocity constraints? */
    double kinetic[2]; /* [J] before and after that */
    double *p;         /* (np) */
    char **notes;      /* (n_notes), first those on the model */
    size_t n_notes, n_model_notes;
    void *plugin;           /* what holds the model, where that is none of the catalogue */
    ph_formula_found found; /* in formulas; "": a model of the catalogue */
    char *kept;             /* what was read from files of shapes: ph_scenario_kept; NULL: nothing */
    size_t kept_length;
    uint32_t restart; /* checksum of the summary.json that it begins from, and its archive; 0: none */
};

/* The keys of each map, in the file that reads it. */
extern const ph_scenario_map ph_initial_keys, ph_entry_keys, ph_rate_keys, ph_output_keys, ph_stop_keys,
    ph_event_keys, ph_reduction_keys, ph_body_keys, ph_moment_keys, ph_harmonic_keys, ph_orbit_keys,
    ph_formula_keys, ph_formula_scene_keys, ph_tide_keys, ph_spin_state_keys, ph_accuracy_keys,
    ph_ensemble_keys, ph_range_keys, ph_table_keys, ph_sample_keys, ph_draw_keys;

/* A surface that is needed until the system is built, in a list. */
typedef struct ph_surface {
    struct ph_surface *next;
    double *vertex; /* (mesh.vertices x 3) */
    uint32_t *face; /* (mesh.faces x 3), counter-clockwise seen from outside */
    ph_mesh mesh;   /* of these numbers */
} ph_surface;

/* The state of reading a scenario. */
typedef struct ph_reading {
    ph_scenario *scenario;
    const ph_scenario *shared;  /* whose system this one has, too; or NULL */
    const char *directory;      /* where relative paths begin: "", or "some/where/" */
    ph_parameter_value *values; /* (n_values) parameters as given; names belong to the document */
    double *numbers;            /* what they point to */
    size_t n_values;
    ph_model_body *bodies; /* of a list of bodies, or NULL */
    ph_surface *surfaces;  /* of bodies */
    bool exact;            /* is the surface that is read that of an exact field, so that it is kept? */
    ph_node events;        /* whose `when` may be a formula */
    const char *kept; /* what an earlier reading kept of files of shapes, from the next one on; or NULL */
    bool own_units;   /* G is not that of SI units: no number is unlikely */
    bool recalled;    /* do not read the initial state */
    bool project;     /* project the initial configuration and velocity */
} ph_reading;

/* *scenario <- of the document (scenario.c). */
ph_status ph_read_document(ph_reading *r, ph_yaml *file, ph_scenario **scenario, ph_error *err);

/* The preset that `initial` names, whose parameters are the defaults; "" where the initial data are given otherwise, NULL
 * for the first (parameters.c). */
const char *ph_find_preset(const ph_model *model, const ph_node *initial);

/* model, system <- those that are shared; values, where a preset needs them (parameters.c). */
ph_status ph_share_model(ph_reading *r, const ph_node *parameters, const ph_node *initial, ph_error *err);

/* model and parameters -> model, system, values (parameters.c). parameters.node may be NULL. Where a preset is named
 * in `initial` (its node may be NULL), the defaults are its own. */
ph_status ph_read_model(ph_reading *r, const ph_node *model, const ph_node *parameters,
                        const ph_node *initial, ph_error *err);

/* system, parameters -> the same of the plugin at that path (plugin.c). */
ph_status ph_read_plugin(ph_reading *r, const ph_node *at, const ph_node *parameters, const ph_node *initial,
                         ph_error *err);
void ph_close_plugin(ph_scenario *s);
/* A checksum of the file of its plugin; 0: it has none (plugin.c). */
uint32_t ph_plugin_checksum(const ph_scenario *s);

/* The same of the model that is known; at: which key named it (parameters.c). */
ph_status ph_build_model(ph_reading *r, const ph_node *at, const ph_node *parameters, const ph_node *initial,
                         ph_error *err);

/* model, a map -> the same by its formulas (formulas.c). */
ph_status ph_read_formulas(ph_reading *r, const ph_node *model, const ph_node *parameters, ph_error *err);

/* *bodies (malloc), *n <- a list of bodies (bodies.c). */
ph_status ph_read_bodies(ph_reading *r, const ph_node *list, ph_model_body **bodies, size_t *n,
                         ph_error *err);
/* body <- a surface of density 1 kg/m^3, from files, or from lists where `vertices` is one; nodes may be absent. unit [m].
 * exact (nullable) <- the surface itself; as it was where it is not known, in a run that is resumed (surface.c). */
ph_status ph_read_surface(ph_reading *r, const ph_node *mesh, const ph_node *vertices, const ph_node *faces,
                          double unit, ph_mass *body, ph_surface **exact, ph_error *err);
/* *surface <- a copy of the mesh, which the reading owns; turned: its faces are clockwise (surface.c). */
ph_status ph_copy_surface(ph_reading *r, const ph_mesh *mesh, bool turned, ph_surface **surface,
                          ph_error *err);
void ph_free_surfaces(ph_reading *r);
/* R <- a quaternion of any length (angles.c). */
ph_status ph_read_turn(const ph_node *at, double R[9], ph_error *err);

/* A remark on something that is no error, "initial.q: ..." where at is given (notes.c). Without memory there is none. */
void ph_note(ph_scenario *s, const ph_node *at, const char *format, ...) PH_PRINTF(3, 4);
void ph_free_notes(ph_scenario *s);

/* *steps <- how many steps of h s (> 0) the duration [s] is; the message of one that is not a whole number has no
 * position (length.c). */
ph_status ph_count_steps(double duration, double h, int64_t *steps, ph_error *err);

/* The scenario keeps a copy of both texts (choice.c). */
ph_status ph_keep_setting(ph_scenario *s, const char *name, const char *value, ph_error *err);
/* method -> method, settings; needs the system (choice.c). */
ph_status ph_read_method(ph_reading *r, const ph_node *at, ph_error *err);

/* accuracy -> accuracy (length.c). */
ph_status ph_read_accuracy(ph_scenario *s, const ph_node *at, ph_error *err);

/* step, duration or steps -> h, steps (length.c). step->node may be NULL: the duration is kept. */
ph_status ph_read_length(ph_scenario *s, const ph_node *step, const ph_node *duration, const ph_node *steps,
                         ph_error *err);
/* Is the time at the end finite? If not, `at` is blamed, which gave the length; needs h, steps and time. */
ph_status ph_check_end(const ph_scenario *s, const ph_node *at, ph_error *err);
/* output -> output, csv, snapshot, columns; needs steps and the system. at->node may be NULL. */
ph_status ph_read_output(ph_reading *r, const ph_node *at, ph_error *err);
/* output.at -> output, times; needs step, length and, unless recalled, the initial time (times.c). */
ph_status ph_read_times(ph_scenario *s, const ph_node *at, bool recalled, ph_error *err);
/* Some 1000 outputs, where none are asked for; needs steps. */
void ph_default_output(ph_scenario *s);
/* stop -> energy_bound. at->node may be NULL. */
ph_status ph_read_stop(ph_scenario *s, const ph_node *at, ph_error *err);

/* initial -> z, zdot, p, time; needs the system (initial.c). at->node may be NULL, then the
 * root is blamed. */
ph_status ph_read_initial(ph_reading *r, const ph_node *root, const ph_node *at, ph_error *err);

/* reduction -> system, whole; needs the system. at->node may be NULL (reduction.c). */
ph_status ph_read_reduction(ph_scenario *s, const ph_node *at, ph_error *err);
/* As ph_read_initial, of the whole where there is one, and then reduced; reduction: blamed where it cannot be. */
ph_status ph_read_reduced_initial(ph_reading *r, const ph_node *root, const ph_node *at,
                                  const ph_node *reduction, ph_error *err);

/* Is it a list of four numbers for a rotation? */
bool ph_is_quaternion(const ph_node *at, ph_factor_kind kind);
/* A number in rad, or 90 deg (angles.c). */
ph_status ph_read_angle(const ph_node *at, double *angle, ph_error *err);
/* An entry of q that is a quaternion or a map of angles -> q of that factor (angles.c). With `project` the quaternion
 * may have any length. */
ph_status ph_read_entry(const ph_node *at, ph_factor_kind kind, bool project, double *q, ph_error *err);
/* Is the entry this word? (angles.c) */
bool ph_is_word(const ph_node *entry, const char *word);
/* R <- the attitude of a spin state, omega <- in the body frame (spin-state.c). */
ph_status ph_read_spin_state(const ph_node *at, double R[9], double omega[3], ph_error *err);
/* An entry of omega that is a map, the rates of the Euler angles of `position`, or the word spin-state, that of `position`
 * -> omega in the body frame (angles.c). */
ph_status ph_read_rates(const ph_node *at, const ph_node *position, ph_factor_kind kind, double *omega,
                        ph_error *err);

/* Is the entry of q for this factor a map of elements? Is an entry of omega or qdot the word `orbit`? (orbits.c) */
bool ph_is_orbit(const ph_system *system, size_t factor, const ph_node *entry);
bool ph_is_of_orbit(const ph_node *entry);
/* z, zdot <- of the entries of q that are orbits; all others are known. velocities.node may be NULL. (orbits.c) */
ph_status ph_read_orbits(ph_reading *r, const ph_node *positions, const ph_node *velocities, ph_error *err);
/* initial.barycentre: z, zdot <- shifted, so that the barycentre rests in the origin (orbits.c). */
ph_status ph_rest_barycentre(ph_scenario *s, const ph_node *at, ph_error *err);
/* PH_E_RANGE where bodies under gravity overlap for certain (apart.c). */
ph_status ph_check_apart(const ph_scenario *s, const ph_node *at, ph_error *err);
/* A note where two bodies are not bound, and no event ends the run; needs the events (apart.c). */
void ph_note_open_orbit(ph_scenario *s);

/* initial.from -> z, p, time (restart.c). */
ph_status ph_read_restart(ph_reading *r, const ph_node *at, ph_error *err);

/* output.columns -> columns; needs the system (columns.c). at->node may be NULL. */
ph_status ph_read_columns(ph_scenario *s, const ph_node *at, ph_error *err);

/* events -> events; needs the system (events.c). at->node may be NULL. */
ph_status ph_read_events(ph_reading *r, const ph_node *at, ph_error *err);

/* Is factor i of z on the manifold to 1e-12? If not, the message gives the nearest point. With `project` it
 * fails only where there is no nearest point. On failure z may have changed. (admission.c) */
ph_status ph_check_factor(const ph_node *at, const ph_space *space, size_t i, double *z, bool project,
                          ph_error *err);
/* Can factor i of v, velocities (nz; PH_FAULT_VELOCITY), angular velocities (np; PH_FAULT_SPIN) or momenta (np;
 * PH_FAULT_MOMENTUM), be that of a motion at z? If not, v is projected for the message, and turn (np) may change.
 * (admission.c) */
ph_status ph_check_velocity(const ph_node *at, const ph_space *space, size_t i, ph_fault kind,
                            const double *z, double *v, double *turn, ph_error *err);

/* The k-th member, from 0, of those that differ from member `from` in nothing but the keys that `matters` names and what varies
 * along with them; -1: there is none. words: are the values of the key no numbers? (members.c) */
struct ph_members;
int64_t ph_members_differing(const struct ph_members *m, bool (*matters)(const char *key, bool words),
                             int64_t from, int64_t k);

#endif
