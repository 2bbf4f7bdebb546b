/* SPDX-License-Identifier: BSD-3-Clause */
/* Models: the catalogue of ready systems. A model describes its parameters as data and builds a
 * ph_system from their values; it has named initial conditions ("presets"), too. */
#ifndef POLHODE_MODELS_H
#define POLHODE_MODELS_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/domain/gravitation.h>
#include <polhode/domain/mass.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** What values a parameter has. */
typedef enum ph_parameter_kind {
    PH_PARAMETER_NUMBER,    /**< one number in [min, max] */
    PH_PARAMETER_COUNT,     /**< one whole number in [min, max] */
    PH_PARAMETER_VECTOR,    /**< three numbers */
    PH_PARAMETER_GRAVITY,   /**< three numbers, or one number g, which means (0, 0, -g) */
    PH_PARAMETER_PER_LINK,  /**< one number for each link, or one for all; each in [min, max] */
    PH_PARAMETER_PER_BODY,  /**< the same for each body */
    PH_PARAMETER_BODIES,    /**< a list of bodies with their mass distributions: ph_model_body */
    PH_PARAMETER_QUATERNION /**< an attitude (w, x, y, z), of any length but 0 */
} ph_parameter_kind;

/** A body of a list. */
typedef struct ph_model_body {
    ph_mass mass; /**< about its centre of mass */
    /** 1: has an attitude. 0: none; it attracts as a point in its centre of mass. */
    double turning;
    ph_tide tide; /**< that the others raise on it; zeros: none */
    union {
        /** For the exact field of a central body: its surface in the frame of `mass`, faces counter-clockwise
         * seen from outside, of which the density follows by the mass; must outlive the body. NULL: the field
         * is that of the moments. */
        const ph_mesh *surface;
        double room; /**< so that a body is a whole number of doubles */
    };
    union {
        const ph_mesh *shape; /**< likewise, for figures alone; NULL: what is drawn follows from `mass` */
        double shape_room;    /**< likewise */
    };
} ph_model_body;

/** How many numbers a body of a list is. */
#define PH_MODEL_BODY_NUMBERS (sizeof(ph_model_body) / sizeof(double))
/** Room for how a scenario writes a body. */
#define PH_MODEL_BODY_WORDS 160

/** A parameter of a model. */
typedef struct ph_parameter {
    const char *name;       /**< one word: "masses" */
    ph_parameter_kind kind; /**< number, vector, ... */
    const char *unit;       /**< "kg" */
    double min; /**< least value of every number; DBL_MIN stands for positive, -DBL_MAX for no bound */
    double max; /**< largest value; DBL_MAX for no bound */
    /** default: a number, a vector, or a quaternion; of a list of bodies see ph_model_preset_bodies */
    double initial[4];
    const char *text; /**< what it is, for people */
} ph_parameter;

/** How many numbers the default of a parameter of this kind is. */
static inline size_t ph_parameter_numbers(ph_parameter_kind kind)
{
    return kind == PH_PARAMETER_QUATERNION                               ? 4
           : kind == PH_PARAMETER_VECTOR || kind == PH_PARAMETER_GRAVITY ? 3
                                                                         : 1;
}

/** A parameter as the caller gives it. */
typedef struct ph_parameter_value {
    const char *name;     /**< of the parameter */
    const double *values; /**< (n); of a list of bodies see ph_parameter_of_bodies */
    size_t n;             /**< how many; of a number for each link or body, 1: for all; or PH_LIST_OF_ONE */
} ph_parameter_value;

/** As `n` of a value: the list of one number, that of the only link or body. (1 is one number for all.) */
#define PH_LIST_OF_ONE SIZE_MAX

/** How many numbers the value has. */
static inline size_t ph_parameter_length(const ph_parameter_value *value)
{
    return value->n == PH_LIST_OF_ONE ? 1 : value->n;
}

/** A named initial condition. */
typedef struct ph_preset {
    const char *name, *text; /**< one word, and what it is */
} ph_preset;

/** The value of a parameter of kind PH_PARAMETER_BODIES: (n) bodies, which must outlive it. */
static inline ph_parameter_value ph_parameter_of_bodies(const char *name, const ph_model_body *bodies,
                                                        size_t n)
{
    ph_parameter_value value;
    value.name = name;
    value.values = (const double *)(const void *)bodies;
    value.n = n * PH_MODEL_BODY_NUMBERS;
    return value;
}

/** What a parameter is, where it is not given, with a preset. */
typedef struct ph_preset_value {
    size_t preset;            /**< its number */
    ph_parameter_value value; /**< name and numbers */
} ph_preset_value;

/** The checked values of a model's parameters: for the catalogue's own use. */
typedef struct ph_model_table {
    const struct ph_model *model;  /**< whose they are */
    const ph_parameter_value *row; /**< (n_parameters) in the order of its parameters */
} ph_model_table;

/** A model, described as data. */
typedef struct ph_model {
    const char *name;               /**< one word: "chain-pendulum" */
    const char *summary;            /**< one line */
    const char *reference;          /**< paper and equation */
    const ph_parameter *parameters; /**< (n_parameters) */
    size_t n_parameters;            /**< how many */
    const ph_preset *presets;       /**< (n_presets); the first is the default */
    size_t n_presets;               /**< how many */
    const ph_preset_value *own;     /**< (n_own) parameters that belong to presets */
    size_t n_own;                   /**< how many */
    size_t start; /**< number of the preset that `polhode new` writes: a motion that is worth seeing */
    int variant;  /**< for the catalogue's own use: which of the models that share functions */

    /** For the catalogue's own use; call ph_model_build and ph_model_preset. */
    ph_status (*build)(const ph_model_table *table, ph_system **system, ph_error *err);
    /** Likewise. z, zdot <- the preset of this number. */
    ph_status (*preset)(const ph_model_table *table, size_t preset, double *z, double *zdot, ph_error *err);
    /** Likewise. *n <- how many bodies the preset of this number has where none are given; unless NULL,
     * bodies (*n) <- them, words (*n) <- how a scenario writes them, "" where that is long. NULL where the
     * model has no parameter of that kind. */
    ph_status (*bodies)(size_t preset, ph_model_body *bodies, char (*words)[PH_MODEL_BODY_WORDS], size_t *n);
} ph_model;

/** How many models the catalogue has. They are static data; thread-safe. */
PH_API size_t ph_models(void);
/** The i-th of them; NULL beyond the last. */
PH_API const ph_model *ph_model_at(size_t i);
/** By name; NULL and PH_E_UNKNOWN with a suggestion in err when there is none. */
PH_API const ph_model *ph_model_find(const char *name, ph_error *err);

/** Build the model's system; parameters that are not given take their defaults, those of the model's first
 * preset. The caller frees it with ph_system_free. PH_E_UNKNOWN (suggests), PH_E_SIZE, PH_E_RANGE,
 * PH_E_NOT_FINITE, and the errors of ph_system_create. */
PH_API ph_status ph_model_build(const ph_model *model, const ph_parameter_value *values, size_t n,
                                ph_system **system, ph_error *err);

/** The same with the defaults of this preset: some have bodies and numbers of their own. NULL: the first; "":
 * none, so that numbers are those of the table of parameters, for initial data of the caller. */
PH_API ph_status ph_model_build_for(const ph_model *model, const char *preset,
                                    const ph_parameter_value *values, size_t n, ph_system **system,
                                    ph_error *err);

/** *n <- how many bodies the list of the model has by default with this preset (NULL: the first), 0 without
 * such a parameter; bodies (*n, nullable) <- them; words (*n, nullable) <- how a scenario writes them, ""
 * where that is long. PH_E_UNKNOWN (suggests). */
PH_API ph_status ph_model_preset_bodies(const ph_model *model, const char *preset, ph_model_body *bodies,
                                        char (*words)[PH_MODEL_BODY_WORDS], size_t *n, ph_error *err);
/** *value <- the default of this parameter with this preset (NULL: the first); not of kind
 * PH_PARAMETER_BODIES, which has no values. PH_E_UNKNOWN (suggests). */
PH_API ph_status ph_model_preset_value(const ph_model *model, const char *preset, const char *parameter,
                                       ph_parameter_value *value, ph_error *err);

/** z, zdot (nz each) <- a named initial condition of the system that ph_model_build_for builds with this
 * preset from the same values; name NULL means the model's first. nz: the ph_space_ambient of its space, the
 * room in z and in zdot. PH_E_UNKNOWN (suggests), PH_E_SIZE (nz is not that of this system, as a preset can
 * have bodies of its own; or a preset of so many bodies, and others were given): nothing is written then.
 * The system is built to see its size, with the errors of that. */
PH_API ph_status ph_model_preset(const ph_model *model, const ph_parameter_value *values, size_t n,
                                 const char *name, size_t nz, double *z, double *zdot, ph_error *err);

PH_END_DECLS
#endif
