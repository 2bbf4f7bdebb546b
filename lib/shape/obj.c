/* SPDX-License-Identifier: BSD-3-Clause */
/* Wavefront OBJ: the lines "v x y z" and "f a b c ..." (polhode/domain/shape.h). */
#include "shape.h"

#include <polhode/kit/text.h>

#include <string.h>

static ph_status read_vertex(ph_shape *shape, const ph_lines *l, char *rest, ph_error *err)
{
    double x[3];
    for (size_t k = 0; k < 3; k++) {
        const char *word = ph_next_word(&rest, ",");
        if (!word)
            return ph_lines_fail(l, err, "a vertex has fewer than three coordinates", NULL);
        if (ph_parse_number(word, &x[k]))
            return ph_lines_fail(l, err, "a coordinate is not a finite number", word);
    }
    return ph_shape_add_vertex(shape, x, err);
}

/* *number <- "7", "7/1/3", "-1" (the last vertex so far, counted from 1). */
static ph_status read_corner(const ph_shape *shape, const ph_lines *l, char *word, int64_t *number,
                             ph_error *err)
{
    char *slash = strchr(word, '/');
    if (slash)
        *slash = '\0';
    if (ph_parse_count(word, number))
        return ph_lines_fail(l, err, "the number of a vertex is not a whole number", word);
    const bool back = *number < 0;
    if (back)
        *number += (int64_t)shape->vertices + 1;
    return *number < back || *number >= UINT32_MAX
               ? ph_lines_fail(l, err, "there is no vertex of this number", word)
               : PH_OK;
}

/* A line that ends with a backslash continues in the next one. */
static ph_status read_face(ph_shape *shape, ph_lines *l, char *rest, ph_error *err)
{
    ph_fan fan = {.n = 0};
    const size_t line = l->number;
    ph_status status = PH_OK;
    for (char *word; !status && (word = ph_next_word(&rest, ",")) && *word != '#';) {
        int64_t number = 0;
        if (!strcmp(word, "\\") && ph_lines_next(l)) {
            rest = l->line;
            continue;
        }
        status = read_corner(shape, l, word, &number, err);
        if (!status)
            status = ph_shape_add_corner(shape, &fan, (double)number, line, err);
    }
    return status || fan.n >= 3 ? status : ph_lines_fail(l, err, "a face has fewer than three corners", NULL);
}

bool ph_obj_knows(const char *word)
{
    /* of the specification; what is no vertex and no face is passed over */
    static const char *const words[] = {
        "v",    "f",        "vt",       "vn",         "vp",        "o",      "g",    "s",
        "l",    "p",        "usemtl",   "mtllib",     "usemap",    "maplib", "mg",   "bevel",
        "lod",  "c_interp", "d_interp", "shadow_obj", "trace_obj", "cstype", "deg",  "bmat",
        "step", "curv",     "curv2",    "surf",       "parm",      "trim",   "hole", "scrv",
        "sp",   "end",      "con",      "ctech",      "stech",     "call",   "csh",  "fo"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(word, words[i]))
            return true;
    return *word == '#';
}

ph_status ph_shape_from_obj(ph_lines *l, ph_shape *shape, ph_error *err)
{
    ph_status status = PH_OK;
    while (!status && ph_lines_next(l)) {
        char *rest = l->line;
        const char *word = ph_next_word(&rest, "");
        if (word && !strcmp(word, "v"))
            status = read_vertex(shape, l, rest, err);
        else if (word && !strcmp(word, "f"))
            status = read_face(shape, l, rest, err);
        else if (word && !ph_obj_knows(word))
            status = ph_lines_fail(l, err, "no line of an OBJ file begins with this word", word);
    }
    return status ? status : ph_shape_number(shape, PH_FROM_ANY, PH_FROM_ANY, l->path, err);
}
