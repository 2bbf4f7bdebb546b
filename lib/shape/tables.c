/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces as two tables, of vertices and of faces (polhode/shape.h). */
#include "shape.h"

#include <polhode/text.h>

#include <stdio.h>

/* x <- the numbers of a line, at most 4; *n <- how many. */
static ph_status read_numbers(const ph_lines *l, double x[4], size_t *n, ph_error *err)
{
    char *rest = l->line;
    *n = 0;
    for (const char *word; (word = ph_next_word(&rest, ",;")); ++*n) {
        if (*n == 4)
            return ph_lines_fail(l, err, "there are more than four numbers", word);
        if (ph_parse_number(word, &x[*n]))
            return ph_lines_fail(l, err, "this is not a number", word);
    }
    return PH_OK;
}

static ph_status read_vertex(ph_shape *shape, const ph_lines *l, ph_error *err)
{
    double x[4];
    size_t n;
    ph_status status = read_numbers(l, x, &n, err);
    if (!status && n < 3)
        status = ph_lines_fail(l, err, "a vertex is three numbers, or a number before them", NULL);
    return status ? status : ph_shape_add_vertex(shape, n == 4 ? x + 1 : x, err);
}

static ph_status read_face(ph_shape *shape, const ph_lines *l, ph_error *err)
{
    double x[4];
    size_t n;
    uint32_t corner[3];
    ph_status status = read_numbers(l, x, &n, err);
    if (!status && n != 3)
        status = ph_lines_fail(l, err, "a face is the numbers of three vertices", NULL);
    for (size_t k = 0; k < 3 && !status; k++)
        if (x[k] >= 1 && x[k] <= (double)shape->vertices && x[k] == (double)(uint32_t)x[k])
            corner[k] = (uint32_t)x[k] - 1;
        else {
            char word[32];
            snprintf(word, sizeof word, "%.10g", x[k]);
            status = ph_lines_fail(l, err, "a face has a number that no vertex has; they count from 1", word);
        }
    return status ? status : ph_shape_add_face(shape, corner, l->number, err);
}

static ph_status read_table(const char *path, ph_shape *shape,
                            ph_status (*read)(ph_shape *, const ph_lines *, ph_error *), ph_error *err)
{
    ph_lines l;
    ph_status status = ph_lines_open(&l, path, err);
    if (status)
        return status;
    while (!status && ph_lines_next(&l))
        if (*l.line != '#')
            status = read(shape, &l, err);
    return ph_lines_close(&l, status, err);
}

ph_status ph_shape_read_tables(const char *vertices, const char *faces, double unit, ph_shape **shape,
                               ph_error *err)
{
    ph_status status = ph_shape_begin(unit, shape, err);
    if (!status)
        status = read_table(vertices, *shape, read_vertex, err);
    if (!status)
        status = read_table(faces, *shape, read_face, err);
    if (status) {
        ph_shape_free(*shape);
        *shape = NULL;
    }
    return status;
}
