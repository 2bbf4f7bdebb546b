/* SPDX-License-Identifier: BSD-3-Clause */
/* OFF of Geomview: the word OFF, which may be absent, the numbers of vertices, faces and edges, a vertex in each line, and a
 * face in each line, "n a b c ..." and perhaps a colour; vertices count from 0. COFF and NOFF have colours or normals behind
 * a vertex. Source: the page OFF of Geomview's manual. */
#include "shape.h"

#include <polhode/kit/text.h>

#include <ctype.h>
#include <string.h>

/* The next line that is no comment; PH_E_PARSE at the end. */
static ph_status next_line(ph_lines *l, const char *before, ph_error *err)
{
    do
        if (!ph_lines_next(l))
            return ph_lines_short(l, err, before);
    while (l->line[strspn(l->line, " \t")] == '#');
    return PH_OK;
}

/* count <- the numbers of vertices and of faces; *plain: a vertex is three numbers and no more. */
static ph_status read_head(ph_lines *l, double count[2], bool *plain, ph_error *err)
{
    double x[3] = {0};
    size_t n;
    ph_status status = next_line(l, "the numbers of vertices and faces", err);
    if (status)
        return status;
    char *at = l->line + strspn(l->line, " \t");
    *plain = true;
    if (isalpha((unsigned char)at[strspn(at, "0123456789")])) {
        const char *word = ph_next_word(&at, "");
        *plain = !strcmp(word, "OFF");
        if (!*plain && strcmp(word, "COFF") && strcmp(word, "NOFF") && strcmp(word, "CNOFF"))
            return ph_lines_fail(l, err, "this kind of OFF is not read; OFF, COFF, NOFF and CNOFF are", word);
        at += strspn(at, " \t");
        if (!strncmp(at, "BINARY", 6))
            return ph_lines_fail(l, err, "OFF in binary is not read; write it as text", NULL);
        if (!*at || *at == '#') {
            if ((status = next_line(l, "the numbers of vertices and faces", err)))
                return status;
            at = l->line;
        }
    }
    status = ph_lines_numbers(l, at, x, 3, &n, err);
    if (!status && (n < 2 || !ph_is_whole(x[0]) || !ph_is_whole(x[1])))
        status = ph_lines_fail(l, err, "the numbers of vertices, faces and edges are expected", NULL);
    count[0] = x[0];
    count[1] = x[1];
    return status;
}

static ph_status read_face(const ph_lines *l, ph_shape *shape, ph_error *err)
{
    char *at = l->line;
    const char *word = ph_next_word(&at, "");
    double corners, number;
    ph_fan fan = {.n = 0};
    if (!word || ph_parse_number(word, &corners) || !ph_is_whole(corners) || corners < 3)
        return ph_lines_fail(l, err, "a face begins with the number of its corners, 3 or more", word);
    for (double k = 0; k < corners; k++) {
        word = ph_next_word(&at, "");
        if (!word || *word == '#')
            return ph_lines_fail(l, err, "a face has fewer corners than its first number says", NULL);
        if (ph_parse_number(word, &number) || !ph_is_whole(number))
            return ph_lines_fail(l, err, "the number of a vertex is not a whole number", word);
        ph_status status = ph_shape_add_corner(shape, &fan, number, l->number, err);
        if (status)
            return status;
    }
    return PH_OK;
}

ph_status ph_shape_from_off(ph_lines *l, ph_shape *shape, ph_error *err)
{
    double count[2] = {0}, x[16];
    size_t n;
    bool plain;
    ph_status status = read_head(l, count, &plain, err);
    for (double i = 0; i < count[0] && !status; i++) {
        status = next_line(l, "the last vertex", err);
        if (!status)
            status = ph_lines_numbers(l, l->line, x, plain ? 3 : 16, &n, err);
        if (!status && n < 3)
            status = ph_lines_fail(l, err, "a vertex has fewer than three coordinates", NULL);
        if (!status)
            status = ph_shape_add_vertex(shape, x, err);
    }
    for (double i = 0; i < count[1] && !status; i++) {
        status = next_line(l, "the last face", err);
        if (!status)
            status = read_face(l, shape, err);
    }
    return status ? status : ph_shape_number(shape, PH_FROM_0, PH_FROM_0, l->path, err);
}
