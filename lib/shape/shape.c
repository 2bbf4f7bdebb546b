/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces from files (polhode/domain/shape.h): the lists of vertices and faces. */
#include "shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* *list (rows of this size) <- with room for one more than n. */
static ph_status make_room(void **list, size_t n, size_t *room, size_t size, ph_error *err)
{
    if (n < *room)
        return PH_OK;
    const size_t wanted = *room ? 2 * *room : 1024;
    void *larger = wanted < SIZE_MAX / size ? realloc(*list, wanted * size) : NULL;
    if (!larger)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *list = larger;
    *room = wanted;
    return PH_OK;
}

ph_status ph_shape_add_vertex(ph_shape *shape, const double x[3], ph_error *err)
{
    void *list = shape->vertex;
    ph_status status = make_room(&list, shape->vertices, &shape->vertex_room, 3 * sizeof *shape->vertex, err);
    shape->vertex = list;
    if (status)
        return status;
    for (size_t k = 0; k < 3; k++)
        shape->vertex[3 * shape->vertices + k] = shape->unit * x[k];
    shape->vertices++;
    return PH_OK;
}

static ph_status add_face(ph_shape *shape, const uint32_t corner[3], size_t line, ph_error *err)
{
    void *list = shape->face, *lines = shape->line;
    ph_status status = make_room(&list, shape->faces, &shape->face_room, 3 * sizeof *shape->face, err);
    shape->face = list;
    if (!status)
        status = make_room(&lines, shape->faces, &shape->line_room, sizeof *shape->line, err);
    shape->line = lines;
    if (status)
        return status;
    memcpy(shape->face + 3 * shape->faces, corner, 3 * sizeof *corner);
    shape->line[shape->faces++] = line;
    return PH_OK;
}

ph_status ph_shape_add_corner(ph_shape *shape, ph_fan *fan, double number, size_t line, ph_error *err)
{
    if (!ph_is_whole(number))
        return ph_fail(err, PH_E_PARSE, "no vertex has the number %.10g", number);
    if (fan->n >= 3)
        fan->corner[1] = fan->corner[2];
    fan->corner[fan->n < 2 ? fan->n : 2] = (uint32_t)number;
    return ++fan->n >= 3 ? add_face(shape, fan->corner, line, err) : PH_OK;
}

ph_status ph_shape_number(ph_shape *s, ph_first first, ph_first ids, const char *path, ph_error *err)
{
    const size_t n = 3 * s->faces;
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < n; i++) {
        least = s->face[i] < least ? s->face[i] : least;
        most = s->face[i] > most ? s->face[i] : most;
    }
    const bool guessed = first == PH_FROM_ANY;
    if (guessed)
        first = least == 0 || (ids == PH_FROM_0 && most < s->vertices) ? PH_FROM_0 : PH_FROM_1;
    const uint32_t from = first == PH_FROM_1;
    for (size_t i = 0; i < n; i++) {
        if (s->face[i] < from || s->face[i] - from >= s->vertices) {
            char line[32] = "";
            if (s->line[i / 3])
                snprintf(line, sizeof line, ":%zu", s->line[i / 3]);
            return ph_fail(err, PH_E_PARSE,
                           "%s%s: face %zu has the vertex %lu, but there are %zu, counted from %lu%s", path,
                           line, i / 3 + 1, (unsigned long)s->face[i], s->vertices, (unsigned long)from,
                           guessed && !least ? ", as a face has the vertex 0" : "");
        }
        s->face[i] -= from;
    }
    return PH_OK;
}

/* ---- Vertices at one place ------------------------------------------------------------------------------------ */

/* Equal places have equal hashes: -0 is 0. */
static uint64_t hash_place(const double *x)
{
    uint64_t hash = 0;
    for (size_t k = 0; k < 3; k++) {
        uint64_t bits;
        const double value = x[k] + 0.0;
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 29;
    }
    return hash;
}

/* table (size, a power of 2) <- the numbers, and 1, of different vertices, which move to the front; to <- the new numbers. */
static void join(ph_shape *s, uint32_t *table, size_t size, uint32_t *to)
{
    size_t n = 0;
    for (size_t i = 0; i < s->vertices; i++) {
        const double *x = s->vertex + 3 * i;
        size_t at = (size_t)hash_place(x) & (size - 1);
        for (; table[at]; at = (at + 1) & (size - 1)) {
            const double *y = s->vertex + 3 * (size_t)(table[at] - 1);
            if (x[0] == y[0] && x[1] == y[1] && x[2] == y[2])
                break;
        }
        if (!table[at]) {
            memmove(s->vertex + 3 * n, x, 3 * sizeof *x);
            table[at] = (uint32_t)++n;
        }
        to[i] = table[at] - 1;
    }
    s->vertices = n;
}

ph_status ph_shape_weld(ph_shape *s, ph_error *err)
{
    size_t size = 16, kept = 0;
    while (size < 2 * s->vertices)
        size *= 2;
    uint32_t *table = calloc(size, sizeof *table), *to = calloc(s->vertices + 1, sizeof *to);
    if (table && to) {
        join(s, table, size, to);
        for (size_t f = 0; f < s->faces; f++) {
            uint32_t *corner = s->face + 3 * f;
            const uint32_t a = to[corner[0]], b = to[corner[1]], c = to[corner[2]];
            if (a == b || b == c || c == a)
                continue;
            s->face[3 * kept] = a, s->face[3 * kept + 1] = b, s->face[3 * kept + 2] = c;
            s->line[kept++] = s->line[f];
        }
        s->faces = kept;
    }
    const bool done = table && to;
    free(table);
    free(to);
    return done ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

static bool is_body(const ph_shape *s)
{
    ph_mass body;
    const ph_mesh mesh = ph_shape_mesh(s);
    return !ph_mass_polyhedron(&mesh, 1, &body, NULL, NULL);
}

/* malloc; NULL without memory. */
static void *copy_of(const void *list, size_t size)
{
    void *made = malloc(size + 1);
    return made && size ? memcpy(made, list, size) : made;
}

ph_status ph_shape_close(ph_shape *s, ph_error *err)
{
    if (is_body(s))
        return PH_OK;
    ph_shape before = *s;
    s->vertex = copy_of(before.vertex, 3 * s->vertices * sizeof *s->vertex);
    s->face = copy_of(before.face, 3 * s->faces * sizeof *s->face);
    s->line = copy_of(before.line, s->faces * sizeof *s->line);
    ph_status status = s->vertex && s->face && s->line ? ph_shape_weld(s, err)
                                                       : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_shape away = before;
    if (status || s->vertices == before.vertices || !is_body(s)) {
        away = *s; /* as it was, so that messages have its numbers */
        *s = before;
    }
    free(away.vertex);
    free(away.face);
    free(away.line);
    return status;
}

/* ---- Numbers in bytes ------------------------------------------------------------------------------------------ */

uint64_t ph_bytes_whole(const char *at, size_t size, bool big)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits = bits << 8 | (unsigned char)at[big ? i : size - 1 - i];
    return bits;
}

double ph_bytes_real(const char *at, size_t size, bool big)
{
    const uint64_t bits = ph_bytes_whole(at, size, big);
    const uint32_t half = (uint32_t)bits;
    float single;
    double value;
    memcpy(&single, &half, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return size == 4 ? (double)single : value;
}

/* ---- The object --------------------------------------------------------------------------------------------------- */

void ph_shape_free(ph_shape *shape)
{
    if (!shape)
        return;
    free(shape->vertex);
    free(shape->face);
    free(shape->line);
    free(shape);
}

ph_mesh ph_shape_mesh(const ph_shape *shape)
{
    return shape ? (ph_mesh){shape->vertices, shape->vertex, shape->faces, shape->face}
                 : (ph_mesh){0, NULL, 0, NULL};
}

size_t ph_shape_line(const ph_shape *shape, size_t face)
{
    return shape && face < shape->faces ? shape->line[face] : 0;
}
