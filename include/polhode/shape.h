/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes of bodies from files: closed surfaces of triangles (ph_mesh of polhode/mass.h), as OBJ or as a
 * table of vertices and one of faces. Part of libpolhode-io. What the surface must be is checked by
 * ph_mass_polyhedron; here numbers are read strictly, and messages name the file and the line. */
#ifndef POLHODE_SHAPE_H
#define POLHODE_SHAPE_H

#include <polhode/mass.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** A surface that was read. */
typedef struct ph_shape ph_shape;

/** *shape <- the surface in a Wavefront OBJ file: its lines "v x y z" and "f a b c ...", with "a/b/c" and
 * numbers from the end (negative) as usual; faces with more corners are cut into triangles from the first,
 * which is right for convex ones; all other lines are passed over. unit: the length of its unit [m], 1000
 * for km. PH_E_IO: the file cannot be read; PH_E_PARSE: a line that is not understood; PH_E_RANGE: the unit
 * is not positive; PH_E_NO_MEMORY. */
PH_API ph_status ph_shape_read_obj(const char *path, double unit, ph_shape **shape, ph_error *err);

/** *shape <- from tables of numbers with commas or blanks between them: "id, x, y, z" (or "x, y, z") in each
 * line of the first, "i, j, k" in each of the second, numbers of vertices in the order of their lines from
 * 1; ids do not count. Empty lines, lines that begin with #, and commas at the end are passed over. Errors
 * as above. */
PH_API ph_status ph_shape_read_tables(const char *vertices, const char *faces, double unit, ph_shape **shape,
                                      ph_error *err);

PH_API void ph_shape_free(ph_shape *shape); /**< Free; NULL is allowed. */

/** Its surface, which belongs to it; an empty one for NULL. */
PH_API ph_mesh ph_shape_mesh(const ph_shape *shape);

/** The line of its file where a face (counted from 0) stands, from 1; 0 for one that there is not. */
PH_API size_t ph_shape_line(const ph_shape *shape, size_t face);

PH_END_DECLS
#endif
