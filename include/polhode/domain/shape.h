/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes of bodies from files: closed surfaces of triangles (ph_mesh of mass.h), in one of several
 * formats or as a table of vertices and one of faces. Part of libpolhode-io. What the surface must be is
 * checked by ph_mass_polyhedron; here numbers are read strictly, and messages name the file and the line.
 * The manual, "Files of others", lists the formats with their sources. */
#ifndef POLHODE_SHAPE_H
#define POLHODE_SHAPE_H

#include <polhode/domain/mass.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** A surface that was read. */
typedef struct ph_shape ph_shape;

/** *shape <- the surface in this file, whose format is recognised by what it contains: OBJ, OFF, PLY (as text
 * or in binary), STL (likewise; vertices at one place become one), or vertices and faces behind their
 * numbers, as DAMIT ("nv nf") and the plate models of the PDS ("nv", later "nf") have them. Faces with more
 * corners than three are cut into triangles from the first, which is right for convex ones. Where the surface
 * is not closed as it stands, and is closed once vertices at one place are joined, they are. Where a format
 * leaves it open, vertices count from 0 if a face has the vertex 0, else from 1. unit: the length of its
 * unit [m], 1000 for km. PH_E_IO: the file cannot be read; PH_E_PARSE: the format is not read here, and its
 * name where it is known, or a line that is not understood; PH_E_RANGE: the unit is not positive;
 * PH_E_SIZE: more than 1 GiB; PH_E_NO_MEMORY. */
PH_API ph_status ph_shape_read(const char *path, double unit, ph_shape **shape, ph_error *err);

/** *shape <- from tables of numbers with commas or blanks between them: "id, x, y, z" (or "x, y, z") in each
 * line of the first, "i, j, k" in each of the second, perhaps behind an id that counts up from 0 or 1. i, j,
 * k are numbers of vertices in the order of their lines, whose ids do not count; from 0 if a face has the
 * vertex 0, else from 1 (or from 0 where ids of vertices do, if no face has the last number). Empty lines,
 * comments from # on, and commas at the end are passed over; a line may begin with the letter v or f. Also
 * TetGen's .node and .face, which begin with a line of counts. Errors as above. */
PH_API ph_status ph_shape_read_tables(const char *vertices, const char *faces, double unit, ph_shape **shape,
                                      ph_error *err);

PH_API void ph_shape_free(ph_shape *shape); /**< Free; NULL is allowed. */

/** Its surface, which belongs to it; an empty one for NULL. */
PH_API ph_mesh ph_shape_mesh(const ph_shape *shape);

/** The line of its file where a face (counted from 0) stands, from 1; 0 for one that there is not. */
PH_API size_t ph_shape_line(const ph_shape *shape, size_t face);

PH_END_DECLS
#endif
