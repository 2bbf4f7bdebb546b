/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces thinned for figures: the vertices in each cell of a cubic grid become one, their mean, and triangles remain whose corners are in
 * three cells (Rossignac, Borrel, in: Modeling in Computer Graphics, Springer 1993, 455). The grid is the finest of those whose number of
 * cells along the longest side goes down by a quarter that leaves few enough triangles. */
#include "thin.h"

#include <polhode/kit/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A vertex and the cell in which it is. */
typedef struct placed {
    uint64_t cell;
    uint32_t vertex;
} placed;

static int by_cell(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    return p->cell != q->cell ? (p->cell > q->cell) - (p->cell < q->cell)
                              : (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static bool is_sound(const ph_mesh *mesh)
{
    bool sound = mesh->vertices > 0 && mesh->faces > 0 && ph_all_finite(mesh->vertex, 3 * mesh->vertices);
    for (size_t k = 0; k < 3 * mesh->faces && sound; k++)
        sound = mesh->face[k] < mesh->vertices;
    return sound;
}

/* A mesh of so many vertices and faces, one block; NULL without memory. */
static ph_mesh *create_mesh(size_t vertices, size_t faces, double **vertex, uint32_t **face)
{
    ph_mesh *made = malloc(sizeof *made + 3 * vertices * sizeof **vertex + 3 * faces * sizeof **face);
    if (!made)
        return NULL;
    *vertex = (double *)(void *)(made + 1);
    *face = (uint32_t *)(void *)(*vertex + 3 * vertices);
    *made = (ph_mesh){vertices, *vertex, faces, *face};
    return made;
}

/* of (vertices) <- the number of its cell of each vertex, in a grid of so many cells along the longest side. Returns how many cells have
 * vertices. */
static size_t find_cells(const ph_mesh *mesh, size_t cells, placed *sorted, uint32_t *of)
{
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY}, side = 0;
    for (size_t i = 0; i < 3 * mesh->vertices; i++) {
        least[i % 3] = fmin(least[i % 3], mesh->vertex[i]);
        most[i % 3] = fmax(most[i % 3], mesh->vertex[i]);
    }
    for (size_t a = 0; a < 3; a++)
        side = fmax(side, most[a] - least[a]);
    for (size_t i = 0; i < mesh->vertices; i++) {
        uint64_t cell = 0;
        for (size_t a = 0; a < 3 && side > 0; a++) {
            const double at = (mesh->vertex[3 * i + a] - least[a]) / side * (double)cells;
            cell = cell * (cells + 1) + (uint64_t)at;
        }
        sorted[i] = (placed){cell, (uint32_t)i};
    }
    qsort(sorted, mesh->vertices, sizeof *sorted, by_cell);
    size_t n = 0;
    for (size_t i = 0; i < mesh->vertices; i++) {
        n += i > 0 && sorted[i].cell != sorted[i - 1].cell;
        of[sorted[i].vertex] = (uint32_t)n;
    }
    return n + 1;
}

/* Has the triangle corners in three cells? */
static bool remains(const uint32_t *face, const uint32_t *of)
{
    return of[face[0]] != of[face[1]] && of[face[1]] != of[face[2]] && of[face[2]] != of[face[0]];
}

static size_t count_faces(const ph_mesh *mesh, const uint32_t *of)
{
    size_t n = 0;
    for (size_t f = 0; f < mesh->faces; f++)
        n += remains(mesh->face + 3 * f, of);
    return n;
}

/* *thin <- the mesh with one vertex for each of the cells. False without memory. */
static bool merge(const ph_mesh *mesh, const uint32_t *of, size_t cells, size_t faces, ph_mesh **thin)
{
    double *vertex;
    uint32_t *face, *count = calloc(cells, sizeof *count);
    *thin = count ? create_mesh(cells, faces, &vertex, &face) : NULL;
    if (!*thin) {
        free(count);
        return false;
    }
    memset(vertex, 0, 3 * cells * sizeof *vertex);
    for (size_t i = 0; i < mesh->vertices; i++)
        count[of[i]]++;
    for (size_t i = 0; i < mesh->vertices; i++)
        for (size_t a = 0; a < 3; a++)
            vertex[3 * of[i] + a] += mesh->vertex[3 * i + a] / count[of[i]];
    for (size_t f = 0; f < mesh->faces; f++)
        for (size_t k = 0; k < 3 && remains(mesh->face + 3 * f, of); k++)
            *face++ = of[mesh->face[3 * f + k]];
    free(count);
    return true;
}

bool ph_mesh_thin(const ph_mesh *mesh, size_t most, ph_mesh **thin)
{
    *thin = NULL;
    if (!mesh || !is_sound(mesh))
        return true;
    if (mesh->faces <= most && mesh->vertices <= most) {
        double *vertex;
        uint32_t *face;
        if (!(*thin = create_mesh(mesh->vertices, mesh->faces, &vertex, &face)))
            return false;
        memcpy(vertex, mesh->vertex, 3 * mesh->vertices * sizeof *vertex);
        memcpy(face, mesh->face, 3 * mesh->faces * sizeof *face);
        return true;
    }
    placed *sorted = malloc(mesh->vertices * sizeof *sorted);
    uint32_t *of = malloc(mesh->vertices * sizeof *of);
    bool fits = sorted && of;
    size_t faces = 0, used = 0;
    for (size_t cells = 1 + (size_t)sqrt((double)most); cells > 1 && fits; cells -= 1 + cells / 4) {
        used = find_cells(mesh, cells, sorted, of);
        faces = count_faces(mesh, of);
        if (faces <= most && used <= most)
            break;
    }
    if (fits && faces > 0 && faces <= most && used <= most)
        fits = merge(mesh, of, used, faces, thin);
    free(sorted);
    free(of);
    return fits;
}
