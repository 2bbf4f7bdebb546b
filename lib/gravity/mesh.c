/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces of triangles: are they closed, and do all faces go round in the same sense? */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>

static int by_vertices(const void *pa, const void *pb)
{
    const ph_edge *a = pa, *b = pb;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

static ph_status check_faces(const ph_mesh *mesh, ph_error *err)
{
    for (size_t i = 0; i < 3 * mesh->vertices; i++)
        if (!isfinite(mesh->vertex[i]))
            return ph_fail(err, PH_E_NOT_FINITE, "coordinate %zu of vertex %zu is not finite", i % 3 + 1,
                           i / 3 + 1);
    for (size_t f = 0; f < mesh->faces; f++) {
        const uint32_t *v = mesh->face + 3 * f;
        for (size_t k = 0; k < 3; k++)
            if (v[k] >= mesh->vertices)
                return ph_fail(err, PH_E_INVALID, "face %zu has vertex %lu, but there are %zu", f + 1,
                               (unsigned long)v[k] + 1, mesh->vertices);
        if (v[0] == v[1] || v[1] == v[2] || v[0] == v[2])
            return ph_fail(err, PH_E_INVALID, "face %zu has a vertex twice: %lu, %lu, %lu", f + 1,
                           (unsigned long)v[0] + 1, (unsigned long)v[1] + 1, (unsigned long)v[2] + 1);
    }
    return PH_OK;
}

/* Edges in order: each is to be there twice, in opposite directions. */
static ph_status check_edges(const ph_edge *list, size_t n, ph_error *err)
{
    for (size_t i = 0; i < n;) {
        size_t same = 1;
        while (i + same < n && list[i + same].from == list[i].from && list[i + same].to == list[i].to)
            same++;
        const ph_edge *a = &list[i], *b = &list[i + same - 1];
        if (same != 2)
            return ph_fail(
                err, PH_E_INVALID,
                "the edge between vertices %lu and %lu is in %zu face%s (face %lu); in a closed surface each "
                "is in two",
                (unsigned long)a->from + 1, (unsigned long)a->to + 1, same, same > 1 ? "s" : "",
                (unsigned long)a->face + 1);
        if (a->forward == b->forward)
            return ph_fail(
                err, PH_E_INVALID,
                "faces %lu and %lu go along the edge between vertices %lu and %lu in the same direction: one "
                "of them is inside out",
                (unsigned long)a->face + 1, (unsigned long)b->face + 1, (unsigned long)a->from + 1,
                (unsigned long)a->to + 1);
        i += same;
    }
    return PH_OK;
}

ph_status ph_mesh_check(const ph_mesh *mesh, ph_edge **edges, ph_error *err)
{
    if (mesh->vertices < 4 || mesh->faces < 4)
        return ph_fail(err, PH_E_INVALID,
                       "%zu vertices and %zu faces are not a closed surface, which has at least 4 of each",
                       mesh->vertices, mesh->faces);
    ph_status status = check_faces(mesh, err);
    if (status)
        return status;
    ph_edge *list = malloc(3 * mesh->faces * sizeof *list);
    if (!list)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < 3 * mesh->faces; i++) {
        const uint32_t *v = mesh->face + i / 3 * 3, a = v[i % 3], b = v[(i + 1) % 3];
        list[i] =
            a < b ? (ph_edge){a, b, (uint32_t)(i / 3), true} : (ph_edge){b, a, (uint32_t)(i / 3), false};
    }
    qsort(list, 3 * mesh->faces, sizeof *list, by_vertices);
    status = check_edges(list, 3 * mesh->faces, err);
    if (!status && edges)
        *edges = list;
    else
        free(list);
    return status;
}
