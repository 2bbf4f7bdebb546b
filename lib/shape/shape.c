/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces from files (polhode/shape.h): the lists, and lines with their numbers. */
#define _POSIX_C_SOURCE 200809L
#include "shape.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines ------------------------------------------------------------------------------------------------- */

ph_status ph_lines_open(ph_lines *l, const char *path, ph_error *err)
{
    *l = (ph_lines){.path = path, .file = fopen(path, "rbe")};
    return l->file ? PH_OK : ph_fail(err, PH_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
}

bool ph_lines_next(ph_lines *l)
{
    ssize_t length;
    while ((length = getline(&l->line, &l->room, l->file)) >= 0) {
        l->number++;
        while (length > 0 && strchr("\r\n \t", l->line[length - 1]))
            l->line[--length] = '\0';
        if (length > 0)
            return true;
    }
    return false;
}

ph_status ph_lines_close(ph_lines *l, ph_status status, ph_error *err)
{
    const bool failed = !status && ferror(l->file);
    free(l->line);
    fclose(l->file);
    return failed ? ph_fail(err, PH_E_IO, "%s: cannot be read", l->path) : status;
}

ph_status ph_lines_fail(const ph_lines *l, ph_error *err, const char *what, const char *word)
{
    return ph_fail(err, PH_E_PARSE, word ? "%s:%zu: %s: \"%.40s\"" : "%s:%zu: %s", l->path, l->number, what,
                   word);
}

char *ph_next_word(char **at, const char *between)
{
    char *word = *at;
    while (*word && (strchr(" \t", *word) || strchr(between, *word)))
        word++;
    if (!*word)
        return NULL;
    char *end = word;
    while (*end && !strchr(" \t", *end) && !strchr(between, *end))
        end++;
    *at = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

/* ---- Lists --------------------------------------------------------------------------------------------------- */

ph_status ph_shape_begin(double unit, ph_shape **shape, ph_error *err)
{
    *shape = NULL;
    if (!(unit > 0) || !isfinite(unit))
        return ph_fail(err, PH_E_RANGE,
                       "the unit of length is %g m; it must be positive: 1 for m, 1000 for km", unit);
    *shape = calloc(1, sizeof **shape);
    if (!*shape)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    (*shape)->unit = unit;
    return PH_OK;
}

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

ph_status ph_shape_add_face(ph_shape *shape, const uint32_t corner[3], size_t line, ph_error *err)
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
