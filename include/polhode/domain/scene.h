/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes: how a system looks in space, for figures and viewers. Its points (ph_system_points) are affine
 * functions of the configuration on R^d, S^1, S^2 and SO(3), as x + l q and x + R rho are, and parts are
 * drawn at them. A definition states its parts (parts.h); without any they follow from what is known of
 * the system: links, joined bodies with their ellipsoids of inertia, spheres. The scene of a reduced system
 * (routh.h) is that of the whole, turned by the phase. As text a scene is what archives keep for programs
 * that have no model of the system (manual, Scenes); read from its text it says the same as before. */
#ifndef POLHODE_SCENE_H
#define POLHODE_SCENE_H

#include <stdbool.h>

#include <polhode/definition.h>
#include <polhode/domain/parts.h>
#include <polhode/space.h>

PH_BEGIN_DECLS

/** How a system looks. Const once created: threads may share it. */
typedef struct ph_scene ph_scene;

/** The largest number of points of a scene; it has at most four times as many parts. */
enum { PH_SCENE_MOST = 10000 };

/** The scene of a system, which must outlive it. PH_E_SIZE: it has more than PH_SCENE_MOST points or
 * parts; PH_E_NO_MEMORY. Where the points are no affine functions (ph_scene_is_affine), or their
 * callback fails, the scene is created all the same. */
PH_API ph_status ph_scene_create(const ph_system *system, ph_scene **scene, ph_error *err);
/** The scene that a text describes (doc/reference/scenes.md), as of ph_scene_text, without a system; of a
 * text of ph_scene_text the functions below give the same numbers, but for signs of zeros. The text may
 * come from anywhere. PH_E_PARSE: it is no JSON (RFC 8259) in UTF-8, a key that is needed is missing or is
 * there twice, or a value is of another kind; PH_E_RANGE: an index or a word is none that there is;
 * PH_E_NOT_FINITE: a number is too large; PH_E_INVALID: no rotation, no unit vector, an angle of what has
 * none; PH_E_UNSUPPORTED: a version other than 1; PH_E_SIZE, PH_E_NO_MEMORY. The message says where: by the
 * byte and the path in the text, or by the number of what is wrong. Memory is in proportion to the length
 * of the text. */
PH_API ph_status ph_scene_read(const char *text, ph_scene **scene, ph_error *err);
PH_API void ph_scene_free(ph_scene *scene); /**< Free; NULL is allowed. */

/** A factor of the configurations of a scene. */
typedef struct ph_scene_factor {
    ph_factor_kind kind; /**< which manifold */
    size_t z, nz;        /**< its first coordinate, number of them */
    const char *label;   /**< with which the names of its columns begin: "q1" */
    double inertia[9]; /**< SO(3): the constant inertia tensor in the body frame; zeros: not known, or none */
    double strength;   /**< spin: Gamma, whose sign says which way a vortex turns; else 1 */
} ph_scene_factor;

/** How many coordinates a configuration z has, nz below; of a reduced system with the phase. */
PH_API size_t ph_scene_ambient(const ph_scene *scene);
/** The name of the column of coordinate i < ph_scene_ambient: "q1x"; owned by the scene. */
PH_API const char *ph_scene_column(const ph_scene *scene, size_t i);
/** (*n) The factors of the configurations, whose coordinates follow one another; owned by the scene. */
PH_API const ph_scene_factor *ph_scene_factors(const ph_scene *scene, size_t *n);

/** How many points it has: those of the system, or else one for each factor R^d and embedded manifold in R^d
 * with d <= 3, in their order; two of bodies under gravity that are known by their distance, about their
 * barycentre. */
PH_API size_t ph_scene_count(const ph_scene *scene);
/** Are the points known as affine functions of the configuration? (Also without points.) */
PH_API bool ph_scene_is_affine(const ph_scene *scene);
/** x (3 x ph_scene_count) <- the points in the configuration z (nz), by those functions. PH_E_UNSUPPORTED
 * where they are not affine: call ph_system_places. */
PH_API ph_status ph_scene_points(const ph_scene *scene, const double *z, double *x, ph_error *err);
/** (*n) The parts, with every index in range; owned by the scene. */
PH_API const ph_scene_part *ph_scene_parts(const ph_scene *scene, size_t *n);
/** up (3) <- the unit vector against gravity; e3 where there is none, or where it is not known. */
PH_API void ph_scene_up(const ph_scene *scene, double up[3]);
/** x (3) <- the place in the configuration z (nz), where the points are (3 x ph_scene_count). */
PH_API void ph_scene_locate(const ph_scene *scene, const ph_scene_place *place, const double *z,
                            const double *points, double x[3]);
/** R (3 x 3, row-major) <- how a part is turned in the configuration z (nz): F R S with the frame F of its
 * place a, its own R, and S the turn about the third axis by the angle of its factor `spin`. In the frame of
 * a direction it is turned by the least turn that takes e1 to the direction. */
PH_API void ph_scene_attitude(const ph_scene *scene, const ph_scene_part *part, const double *z, double R[9]);
/** The scene as a line of JSON (doc/reference/scenes.md); owned by the scene. */
PH_API const char *ph_scene_text(const ph_scene *scene);

PH_END_DECLS
#endif
