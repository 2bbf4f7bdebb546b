/* SPDX-License-Identifier: BSD-3-Clause */
/* What a scene is made of: created by scene.c, its points found by affine.c, parts that are not stated by
 * automatic.c, its text written by text.c. */
#ifndef PH_INTERNAL_SCENE_H
#define PH_INTERNAL_SCENE_H

#include <polhode/scene.h>
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

struct ph_scene {
    const ph_system *system; /* whose points and parts are drawn: of a reduced one (routh.h) the whole */
    const ph_space *space;   /* of that system */
    const ph_space *given;   /* of configurations: the same, or that with the phase behind it */
    bool turns;              /* by the phase: a reduced system */
    size_t symmetry;         /* whose axis it turns about */
    ph_scene_points_list points;
    bool own; /* points are those of the system, not its factors R^d */
    const ph_scene_part *parts;
    ph_scene_part *made; /* those that are not the system's */
    size_t n_parts;
    double up[3];
    double *inertia; /* (9 x factors) of the SO(3), zeros: not known, not constant */
    char *text;
};

/* A list of n points without terms; false without memory. */
bool ph_scene_points_begin(ph_scene_points_list *list, size_t n);
/* Point k, after those before it, begins at `from` and a place. */
void ph_scene_points_from(ph_scene_points_list *list, size_t k, size_t from, const double *at);
/* Another term of the point that began last. False without memory. */
bool ph_scene_points_add(ph_scene_points_list *list, size_t k, unsigned axis, size_t at, double coefficient);
void ph_scene_points_free(ph_scene_points_list *list);

/* s->points, s->own <- of its system. PH_E_SIZE, PH_E_NO_MEMORY. */
ph_status ph_scene_find_points(ph_scene *s, ph_error *err);
/* s->inertia <- of its bodies; false without memory. */
bool ph_scene_find_inertia(ph_scene *s);
/* s->made, s->n_parts <- what follows from the system; false without memory. */
bool ph_scene_make_parts(ph_scene *s);
/* s->text <- the scene as JSON; false without memory. */
bool ph_scene_write(ph_scene *s);

#endif
