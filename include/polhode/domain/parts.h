/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts: what of a system is drawn, as data in its definition (definition.h). They are put together to a
 * scene by scene.h. */
#ifndef POLHODE_PARTS_H
#define POLHODE_PARTS_H

#include <stddef.h>

#include <polhode/domain/mass.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** A place in space, x = at + x_point + F offset [m]. */
typedef struct ph_scene_place {
    double at[3]; /**< in space */
    size_t point; /**< number of a point of the system (ph_system_points); PH_NO_INDEX: x_point = 0 */
    /** Number of a factor: SO(3): F = R; S^1: F turns about e3 by the angle of q; S^2, spins, R^d and
     * manifolds in R^d with d <= 3: F offset = offset[0] z of the factor; PH_NO_INDEX: F = I. */
    size_t frame;
    double offset[3]; /**< in the frame */
} ph_scene_place;

/** A place that does not move. */
#define PH_SCENE_AT(x, y, z)                                                                                 \
    {                                                                                                        \
        {x, y, z}, (size_t)-1, (size_t)-1,                                                                   \
        {                                                                                                    \
            0, 0, 0                                                                                          \
        }                                                                                                    \
    }

/** What a part is. Those with an attitude stand in the frame of a, turned by R and then by `spin`. */
typedef enum ph_scene_kind {
    PH_SCENE_BALL,      /**< about a, radius size[0]; 0: a mark whose size the viewer chooses */
    PH_SCENE_LINE,      /**< straight, from a to b; radius size[0]; 0: a thin line */
    PH_SCENE_TUBE,      /**< smooth, through the points a.point, a.point + 1, ..., b.point; radius size[0] */
    PH_SCENE_ARROW,     /**< from a to b */
    PH_SCENE_AXES,      /**< three axes at a, of length size[0] */
    PH_SCENE_BOX,       /**< about a, half of its edges size (3) */
    PH_SCENE_ELLIPSOID, /**< about a, half-axes size (3) */
    /** About a, radii size[0], size[1]; half of its height, on the third axis, size[2]. */
    PH_SCENE_CYLINDER,
    PH_SCENE_CONE,  /**< likewise, its tip at -size[2] on the third axis */
    PH_SCENE_GLOBE, /**< transparent sphere about a, radius size[0], on which points move */
    /** Through a, normal to the third axis; half of its width size[0]; 0: as needed. */
    PH_SCENE_PLANE,
    /** A point that is held, at a: a pivot, an anchor, a clamp (its name). The third axis points from the
     * support into the system; without R it has no direction. Radius size[0]; 0: the viewer chooses. */
    PH_SCENE_MARK,
    PH_SCENE_MESH /**< the surface `mesh` about a; size[0]: the largest distance of a vertex from a */
} ph_scene_kind;

/** The largest numbers of vertices and of triangles of the mesh of a part. */
enum { PH_SCENE_MESH_MOST = 20000 };

/** Something that is drawn. Zero-initialised its indices are those of the first point and factor: set
 * them. */
typedef struct ph_scene_part {
    ph_scene_kind kind; /**< what it is */
    ph_scene_place a;   /**< where it is, or begins */
    ph_scene_place b;   /**< the other end: of lines, tubes, arrows */
    double R[9];        /**< rotation, row-major; zeros: the identity */
    double size[3];     /**< [m] >= 0, see ph_scene_kind */
    size_t link;        /**< of lines: number of the factor whose tension colours it; PH_NO_INDEX: none */
    /** Number of a factor S^1 by whose angle it is also turned about its own third axis, as a wheel about its
     * axle; of lines, tubes and arrows, and where there is none, PH_NO_INDEX. */
    size_t spin;
    const char *name; /**< what it is: "cart"; or NULL */
    /** For PH_SCENE_MESH: its surface in the frame of the part; else NULL. It does not have to be closed. */
    const ph_mesh *mesh;
} ph_scene_part;

PH_END_DECLS
#endif
