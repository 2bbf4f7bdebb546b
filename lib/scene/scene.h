/* SPDX-License-Identifier: BSD-3-Clause */
/* What a scene is made of. Created of a system by create.c (its points found by affine.c, parts that are not stated by
 * automatic.c) or read from its text by read.c; what it says is in scene.c, its text written by text.c. */
#ifndef PH_INTERNAL_SCENE_H
#define PH_INTERNAL_SCENE_H

#include <polhode/domain/scene.h>
#include <polhode/system.h>

/* x_axis += coefficient z[at] */
typedef struct ph_scene_term {
    unsigned axis;
    size_t at;
    double coefficient;
} ph_scene_term;

/* Points x_k = x_from + at + terms, each from an earlier one or from the origin. */
typedef struct ph_scene_points_list {
    size_t n;
    size_t *from;  /* (n) or PH_NO_INDEX */
    double *at;    /* (3 n) */
    size_t *begin; /* (n + 1) of the terms */
    ph_scene_term *terms;
    size_t room;
    bool *unknown; /* (n) not affine, or not measured: without terms */
} ph_scene_points_list;

/* A mesh that was read, in a list. */
typedef struct ph_scene_mesh {
    struct ph_scene_mesh *next;
    ph_mesh mesh;
    double *vertex;
    uint32_t *face;
} ph_scene_mesh;

struct ph_scene {
    double up[3];
    size_t nz;
    const char **columns; /* (nz) their names */
    ph_scene_factor *factors;
    size_t n_factors;
    char *letters; /* of these names and labels, and of parts that were read */
    bool turns;    /* a reduced system: all but the phase is turned by it */
    size_t phase;  /* the factor R^1 */
    double axis[3];
    ph_scene_points_list points;
    bool own; /* points are those of the system, not its factors R^d */
    const ph_scene_part *parts;
    ph_scene_part *made; /* those that are not the system's */
    size_t n_parts;
    ph_scene_mesh *meshes; /* of parts that were read */
    char *text;
};

/* A list of n points without terms; false without memory. */
bool ph_scene_points_begin(ph_scene_points_list *list, size_t n);
/* Point k, after those before it, begins at `from` and a place. */
void ph_scene_points_from(ph_scene_points_list *list, size_t k, size_t from, const double *at);
/* Another term of the point that began last. False without memory. */
bool ph_scene_points_add(ph_scene_points_list *list, size_t k, unsigned axis, size_t at, double coefficient);
void ph_scene_points_free(ph_scene_points_list *list);

/* s->points, s->own <- of the system, of a reduced one the whole. PH_E_SIZE, PH_E_NO_MEMORY. */
ph_status ph_scene_find_points(ph_scene *s, const ph_system *system, ph_error *err);
/* J <- the constant inertia of factor i of the system; false, and J stays, where it is not known, or of no body alone. */
bool ph_scene_find_tensor(const ph_system *system, size_t i, double J[9]);
/* s->made, s->n_parts <- what follows from the system and the points; false without memory. */
bool ph_scene_make_parts(ph_scene *s, const ph_system *system);
/* The words of the text: of a kind of part and of factors, with n <- how many there are. */
const char *const *ph_scene_part_words(size_t *n);
const char *const *ph_scene_factor_words(size_t *n);
/* s->text <- the scene as JSON; false without memory. */
bool ph_scene_write(ph_scene *s);

#endif
