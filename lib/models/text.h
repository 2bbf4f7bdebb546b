/* SPDX-License-Identifier: BSD-3-Clause */
/* Models that are formulas (polhode/domain/formula.h): a table of texts in the names of their parameters. */
#ifndef PH_MODELS_TEXT_H
#define PH_MODELS_TEXT_H

#include "model.h"

#include "lib/formula/build.h"

/* What has a condition is there where `when` is not 0 and `unless` is 0, numbers made of parameters; nullable. */

typedef struct ph_text_symmetry {
    ph_formula_symmetry of;
    const char *when, *unless;
} ph_text_symmetry;

/* A part of the scene; its numbers are made of parameters. PH_NO_INDEX: no point, no frame. */
typedef struct ph_text_part {
    ph_scene_kind kind;
    size_t point, frame;
    const char *name;         /* nullable */
    const char *size, *shift; /* a number, or a vector of 3; nullable: 0 */
    bool laid;                /* is its third axis along the second one of its frame? */
    size_t spin;              /* factor S^1 by which it turns about its axis; 0: none */
    size_t to;                /* of a line: 1 + the point at its other end; 0: none, */
    const char *end;          /* which is there; nullable */
    const char *when, *unless;
    const char *
        each; /* how many there are, numbers of points and frames going up; together with those next to it; nullable: 1 */
} ph_text_part;

/* The initial condition of a preset, with a text for each factor, separated by ";", the last one for all that follow: of z a vector, the angle on S^1, the
 * rotation matrix or the rotation vector; of the velocity a vector, or the angular velocity as of omega(q). Velocities may be made of z
 * and of those behind them. */
typedef struct ph_text_start {
    const char *z, *v;
    const char *needs; /* nullable: the message where numbers are not finite */
} ph_text_start;

/* Lists end where they are empty. */
typedef struct ph_text {
    ph_formula_line space[8], where[16], points[4];
    const char *kinetic, *potential, *constraints[4];
    const char *energy; /* of spins, in place of these */
    ph_formula_force forces[4];
    ph_text_symmetry symmetries[4];
    const char *tensor; /* nullable: a matrix that must be the inertia tensor of a body */
    ph_text_part parts[12];
    ph_text_start starts[3];
} ph_text;

/* Of a vector parameter `inertia` and PH_PRODUCTS: the tensor J. */
#define PH_TEXT_TENSOR                                                                                       \
    {                                                                                                        \
        "J",                                                                                                 \
            "[[inertia.x, products.z, products.y], [products.z, inertia.y, products.x], "                    \
            "[products.y, products.x, inertia.z]]",                                                          \
            NULL                                                                                             \
    }

/* A horizontal plane: its name, and a condition. */
#define PH_TEXT_PLANE(...)                                                                                   \
    {                                                                                                        \
        PH_SCENE_PLANE, PH_NO_INDEX, PH_NO_INDEX, __VA_ARGS__                                                \
    }

/* A wheel that stands on the plane, its axle along the second axis of the frame. */
#define PH_TEXT_WHEEL(point, frame, ...)                                                                     \
    {                                                                                                        \
        PH_SCENE_CYLINDER, point, frame, __VA_ARGS__, .laid = true                                           \
    }

/* *system <- of the text. PH_E_RANGE for a tensor that no body has, and the errors of ph_formula_system_create. */
ph_status ph_text_build(const ph_text *text, const ph_model_table *table, ph_system **system, ph_error *err);
ph_status ph_text_start_at(const ph_text *text, const ph_model_table *table, size_t which, double *z,
                           double *zdot, ph_error *err);

/* `build` and `preset` of PH_MODEL_HERE for the table `text` of a file. */
#define PH_TEXT_FUNCTIONS(text)                                                                              \
    static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)                   \
    {                                                                                                        \
        return ph_text_build(&(text), table, system, err);                                                   \
    }                                                                                                        \
    static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot,              \
                            ph_error *err)                                                                   \
    {                                                                                                        \
        return ph_text_start_at(&(text), table, which, z, zdot, err);                                        \
    }

#endif
