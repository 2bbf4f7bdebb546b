/* SPDX-License-Identifier: BSD-3-Clause */
/* STL, as text ("facet normal ...", "vertex x y z") or in binary: 80 bytes, the number of triangles, and for each 50 bytes, its
 * normal, three vertices as floats, little-endian, and two bytes. Each triangle has vertices of its own; those at one place are
 * made one. Normals do not count. Source: 3D Systems, Stereolithography interface specification (1989). */
#include "shape.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <string.h>
#include <strings.h>

enum { HEAD = 84, TRIANGLE = 50 };

static ph_status read_vertex(const ph_lines *l, char *rest, ph_shape *shape, ph_fan *fan, ph_error *err)
{
    double x[3];
    size_t n;
    ph_status status = ph_lines_numbers(l, rest, x, 3, &n, err);
    if (!status && n < 3)
        status = ph_lines_fail(l, err, "a vertex has fewer than three coordinates", NULL);
    if (!status)
        status = ph_shape_add_vertex(shape, x, err);
    return status ? status : ph_shape_add_corner(shape, fan, (double)shape->vertices - 1, l->number, err);
}

ph_status ph_shape_from_stl_text(ph_lines *l, ph_shape *shape, ph_error *err)
{
    static const char *const known[] = {"solid", "facet", "outer", "endfacet", "endsolid", "color"};
    ph_fan fan = {.n = 0};
    ph_status status = PH_OK;
    while (!status && ph_lines_next(l)) {
        char *rest = l->line;
        const char *word = ph_next_word(&rest, "");
        if (!word)
            continue;
        const bool ends = !strcasecmp(word, "endloop"), vertex = !strcasecmp(word, "vertex");
        size_t i = 0;
        while (i < sizeof known / sizeof known[0] && strcasecmp(word, known[i]))
            i++;
        if (vertex)
            status = read_vertex(l, rest, shape, &fan, err);
        else if (ends && fan.n < 3)
            status = ph_lines_fail(l, err, "a loop ends that has fewer than three vertices", NULL);
        else if (!ends && (i == sizeof known / sizeof known[0] || fan.n))
            status = ph_lines_fail(l, err,
                                   fan.n ? "\"vertex\" or \"endloop\" is expected"
                                         : "no line of an STL file begins with this word",
                                   word);
        if (ends)
            fan.n = 0;
    }
    if (!status && fan.n)
        status = ph_lines_short(l, err, "the end of its last triangle");
    return status ? status : ph_shape_weld(shape, err);
}

ph_status ph_shape_from_stl(ph_lines *l, ph_shape *shape, ph_error *err)
{
    const size_t n = (size_t)ph_bytes_whole(l->text + HEAD - 4, 4, false);
    const char *at = l->text + HEAD; /* the length was seen to fit by who knew the format */
    for (size_t i = 0; i < n; i++, at += TRIANGLE) {
        ph_fan fan = {.n = 0};
        for (size_t k = 0; k < 3; k++) {
            double x[3];
            for (size_t j = 0; j < 3; j++)
                if (!isfinite(x[j] = ph_bytes_real(at + 12 * (k + 1) + 4 * j, 4, false)))
                    return ph_fail(err, PH_E_PARSE, "%s: triangle %zu has a coordinate that is not finite",
                                   l->path, i + 1);
            ph_status status = ph_shape_add_vertex(shape, x, err);
            if (!status)
                status = ph_shape_add_corner(shape, &fan, (double)shape->vertices - 1, 0, err);
            if (status)
                return status;
        }
    }
    return ph_shape_weld(shape, err);
}
