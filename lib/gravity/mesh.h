/* SPDX-License-Identifier: BSD-3-Clause */
/* Edges of a closed surface of triangles (polhode/domain/mass.h). */
#ifndef PH_GRAVITY_MESH_H
#define PH_GRAVITY_MESH_H

#include <stdbool.h>

#include <polhode/domain/mass.h>

/* An edge of a face, from its smaller vertex; forward: does the face go along it from there? */
typedef struct ph_edge {
    uint32_t from, to, face;
    bool forward;
} ph_edge;

/* PH_OK where the surface is closed and its faces agree; else what is wrong with which face. *edges (nullable, to be freed) <-
 * all edges of all faces, 3 for each, those of the same edge next to each other. */
ph_status ph_mesh_check(const ph_mesh *mesh, ph_edge **edges, ph_error *err);

#endif
