/* SPDX-License-Identifier: BSD-3-Clause */
/* Wavefront OBJ: the lines "v x y z" and "f a b c ..." (polhode/shape.h). */
#include "shape.h"

#include <polhode/text.h>

#include <string.h>

static ph_status read_vertex(ph_shape *shape, const ph_lines *l, char *rest, ph_error *err)
{
    double x[3];
    for (size_t k = 0; k < 3; k++) {
        const char *word = ph_next_word(&rest, "");
        if (!word)
            return ph_lines_fail(l, err, "a vertex has fewer than three coordinates", NULL);
        if (ph_parse_number(word, &x[k]))
            return ph_lines_fail(l, err, "a coordinate is not a finite number", word);
    }
    return ph_shape_add_vertex(shape, x, err);
}

/* *corner <- "7", "7/1/3", "-1" (the last vertex so far). */
static ph_status read_corner(const ph_shape *shape, const ph_lines *l, char *word, uint32_t *corner,
                             ph_error *err)
{
    int64_t number;
    char *slash = strchr(word, '/');
    if (slash)
        *slash = '\0';
    if (ph_parse_count(word, &number))
        return ph_lines_fail(l, err, "the number of a vertex is not a whole number", word);
    if (number < 0)
        number += (int64_t)shape->vertices + 1;
    if (number < 1 || number > UINT32_MAX)
        return ph_lines_fail(l, err, "there is no vertex of this number", word);
    *corner = (uint32_t)(number - 1);
    return PH_OK;
}

/* Into triangles from the first corner. */
static ph_status read_face(ph_shape *shape, const ph_lines *l, char *rest, ph_error *err)
{
    uint32_t corner[3];
    size_t n = 0;
    for (char *word; (word = ph_next_word(&rest, "")); n++) {
        uint32_t next = 0;
        ph_status status = read_corner(shape, l, word, &next, err);
        if (!status && n >= 3)
            corner[1] = corner[2];
        corner[n < 2 ? n : 2] = next;
        if (!status && n >= 2)
            status = ph_shape_add_face(shape, corner, l->number, err);
        if (status)
            return status;
    }
    return n >= 3 ? PH_OK : ph_lines_fail(l, err, "a face has fewer than three corners", NULL);
}

ph_status ph_shape_read_obj(const char *path, double unit, ph_shape **shape, ph_error *err)
{
    ph_lines l;
    ph_status status = ph_shape_begin(unit, shape, err);
    if (!status)
        status = ph_lines_open(&l, path, err);
    if (status) {
        ph_shape_free(*shape);
        *shape = NULL;
        return status;
    }
    while (!status && ph_lines_next(&l)) {
        char *rest = l.line;
        const char *word = ph_next_word(&rest, "");
        if (word && !strcmp(word, "v"))
            status = read_vertex(*shape, &l, rest, err);
        else if (word && !strcmp(word, "f"))
            status = read_face(*shape, &l, rest, err);
    }
    status = ph_lines_close(&l, status, err);
    if (status) {
        ph_shape_free(*shape);
        *shape = NULL;
    }
    return status;
}
