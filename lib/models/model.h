/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model is written with: rows of parameters and their values, presets, the frame of its `build`. */
#ifndef PH_MODELS_MODEL_H
#define PH_MODELS_MODEL_H

#include "lib/scene/list.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/vector.h>
#include <polhode/models.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PH_LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* ---- Rows of parameters: name, unit, bounds, default, text ---------------------------------------- */

/* Bounds of every number of a row. */
#define PH_ANY -DBL_MAX, DBL_MAX
#define PH_POSITIVE DBL_MIN, DBL_MAX
#define PH_NOT_NEGATIVE 0, DBL_MAX
#define PH_FROM(least, most) least, most

/* clang-format off */
#define PH_ROW(kind, name, unit, bounds, initial, text) {name, PH_PARAMETER_##kind, unit, bounds, {initial}, text}
#define PH_NUMBER(name, unit, bounds, initial, text) {name, PH_PARAMETER_NUMBER, unit, bounds, {initial}, text}
#define PH_COUNT(name, bounds, initial, text) {name, PH_PARAMETER_COUNT, "1", bounds, {initial}, text}
#define PH_VECTOR(name, unit, bounds, x, y, z, text) {name, PH_PARAMETER_VECTOR, unit, bounds, {x, y, z}, text}
#define PH_PER_LINK(name, unit, bounds, initial, text) {name, PH_PARAMETER_PER_LINK, unit, bounds, {initial}, text}
#define PH_PER_BODY(name, unit, bounds, initial, text) {name, PH_PARAMETER_PER_BODY, unit, bounds, {initial}, text}

/* Gravity: along e3 by default; where e3 must be vertical (ph_gravity_check_vertical); in a plane, against its second axis. */
#define PH_GRAVITY(along_e3) \
    {"gravity", PH_PARAMETER_GRAVITY, "m/s^2", PH_ANY, {0, 0, along_e3}, "acceleration of gravity; a number g means (0, 0, -g)"}
#define PH_VERTICAL_GRAVITY \
    {"gravity", PH_PARAMETER_GRAVITY, "m/s^2", PH_ANY, {0, 0, -9.81}, \
     "acceleration of gravity, along e3; a number g means (0, 0, -g)"}
#define PH_PLANAR_GRAVITY_ROW(text) PH_NUMBER("gravity", "m/s^2", PH_ANY, 9.81, text)
/* clang-format on */

/* The entries of an inertia tensor off its diagonal. */
#define PH_PRODUCTS_TEXT "entries Jyz, Jxz, Jxy of the tensor, such as Jxy = -(integral of x y over the mass)"
#define PH_PRODUCTS(yz, xz, xy) PH_VECTOR("products", "kg m^2", PH_ANY, yz, xz, xy, PH_PRODUCTS_TEXT)

/* The most links where memory is the limit: about 300 bytes for each link. */
enum { PH_MOST_LINKS = 10000000 };
/* The most bodies where the forces of all pairs are the limit: some seconds for each evaluation. */
enum { PH_MOST_IN_PAIRS = 100000 };

/* ---- The description of a model ------------------------------------------------------------------- */

/* A parameter of a preset: the preset's number, the parameter's name, and its numbers. */
/* clang-format off */
#define PH_OWN_NUMBERS(...) (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double)
#define PH_OWN(preset, name, ...) {preset, {name, PH_OWN_NUMBERS(__VA_ARGS__)}}
/* clang-format on */

/* Members of a ph_model: the table `parameters` of its file, these presets and functions; or all of them by these names. And
 * the table `own` of parameters of presets. */
#define PH_MODEL_OF(presets_, build_, preset_)                                                               \
    .parameters = parameters, .n_parameters = PH_LENGTH(parameters), .presets = presets_,                    \
    .n_presets = PH_LENGTH(presets_), .build = build_, .preset = preset_
#define PH_MODEL_HERE PH_MODEL_OF(presets, build, preset)
#define PH_MODEL_OWN .own = own, .n_own = PH_LENGTH(own)

/* ---- Values --------------------------------------------------------------------------------------- */

/* The first or only number of a row. */
static inline double ph_number(const ph_model_table *table, size_t row)
{
    return table->row[row].values[0];
}

static inline size_t ph_count(const ph_model_table *table, size_t row)
{
    return (size_t)ph_number(table, row);
}

/* The three numbers of a row. */
static inline const double *ph_vector(const ph_model_table *table, size_t row)
{
    return table->row[row].values;
}

/* numbers (n_parameters) <- the first or only number of each row. */
static inline void ph_table_numbers(const ph_model_table *table, double *numbers)
{
    for (size_t i = 0; i < table->model->n_parameters; i++)
        numbers[i] = ph_number(table, i);
}

/* Number i of a parameter that is one number for all or one for each. Of a list of one there is no other. */
static inline double ph_parameter_entry(const ph_parameter_value *value, size_t i)
{
    return value->values[ph_parameter_length(value) > 1 ? i : 0];
}

static inline double ph_entry(const ph_model_table *table, size_t row, size_t i)
{
    return ph_parameter_entry(&table->row[row], i);
}

/* How many links or bodies a model has: which rows of its table say so. */
typedef struct ph_numbering {
    const char *what;       /* "links", for messages */
    size_t count;           /* row of their number, 0: as the lists say; PH_NO_INDEX: always `otherwise` */
    size_t lists[4];        /* (n_lists) rows with one number for all or one for each */
    size_t n_lists;         /* how many */
    size_t otherwise, most; /* where neither says; the largest number */
} ph_numbering;

/* clang-format off */
#define PH_NUMBERING(what, count, otherwise, most, ...) \
    {what, count, {__VA_ARGS__}, sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), otherwise, most}
/* clang-format on */

/* PH_E_SIZE when what is not one number for all is a list of other than n numbers, or of more than `most`. */
ph_status ph_parameter_check_lists(const ph_model_table *table, const ph_numbering *rule, size_t n,
                                   ph_error *err);

/* *n <- the count, or where that is 0 the length of a list, or else `otherwise`. PH_E_SIZE as above. */
ph_status ph_parameter_number(const ph_model_table *table, const ph_numbering *rule, size_t *n,
                              ph_error *err);

/* ---- Building ------------------------------------------------------------------------------------- */

/* clang-format off */
/* Factors of a space. */
#define PH_R(dimension) {.kind = PH_FACTOR_R, .d = dimension}
#define PH_CIRCLE {.kind = PH_FACTOR_S1}
#define PH_ROTATIONS {.kind = PH_FACTOR_SO3}
/* clang-format on */

/* *system <- of a definition without space and user: on these n factors (0: spins); its callbacks get a copy of `own` (size), which
 * the system frees. The parts (nullable) are drawn, and freed. PH_E_NO_MEMORY, the errors of ph_system_create. */
ph_status ph_model_create(const ph_factor *factors, size_t n, const void *own, size_t size,
                          ph_part_list *parts, ph_system_definition *definition, ph_system **system,
                          ph_error *err);

/* MM (nz x nz), zero on entry <- the inertias of the coordinates, each of two neighbours. */
static inline void ph_fill_pairs(const double *inertia, size_t nz, double *MM)
{
    for (size_t k = 0; k < nz; k++)
        MM[k * (nz + 1)] = inertia[k / 2];
}

/* Another part with its sizes, shifted in its frame. */
static inline ph_scene_part *ph_part_solid(ph_part_list *list, ph_scene_kind kind, size_t point, size_t frame,
                                           double a, double b, double c, double x, double y, double z)
{
    return ph_part_shift(ph_part_size(ph_part_add(list, kind, point, frame), a, b, c), x, y, z);
}

/* A wheel of this radius and half its width that stands on the plane below a point, aside of it, its axle along the second
 * axis of the frame. */
static inline ph_scene_part *ph_part_wheel(ph_part_list *list, size_t point, size_t frame, double radius,
                                           double half, double aside)
{
    ph_scene_part *wheel = ph_part_lay(ph_part_add(list, PH_SCENE_CYLINDER, point, frame), 1);
    return ph_part_shift(ph_part_size(wheel, radius, radius, half), 0, aside, radius);
}

/* A line of this thickness from one point to another. */
static inline ph_scene_part *ph_part_rod(ph_part_list *list, size_t from, size_t to, double thickness)
{
    ph_scene_part *line = ph_part_add(list, PH_SCENE_LINE, from, PH_NO_INDEX);
    return ph_part_size(ph_part_end(line, to, PH_NO_INDEX, 0, 0, 0), thickness, 0, 0);
}

/* A horizontal plane of this name. */
static inline void ph_part_plane(ph_part_list *list, const char *name)
{
    ph_part_add(list, PH_SCENE_PLANE, PH_NO_INDEX, PH_NO_INDEX)->name = name;
}

#endif
