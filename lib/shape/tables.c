/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces as tables of vertices and of faces (polhode/domain/shape.h): in two files, also TetGen's .node and .face with their first
 * lines, or in one, behind the numbers of both, as DAMIT, "nv nf", and the plate models of the PDS, "nv" and further down "nf",
 * have them. A line is three numbers, or four, of which the first is an id. Source of TetGen's files: the chapter on file
 * formats of its manual. */
#include "shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 32 };

/* The ids of a table so far. */
typedef struct ids {
    size_t rows;
    double first; /* of the first row; NAN: without ids */
    bool count;   /* up by one in each row? */
} ids;

/* A table that begins. */
typedef struct table {
    const char *letter; /* that a line may begin with */
    size_t most; /* numbers in a line, the id among them; 4, or with those of TetGen that do not count */
    ids ids;
} table;

static ph_first first_of(const ids *of)
{
    return of->count && of->first == 0 ? PH_FROM_0 : of->count && of->first == 1 ? PH_FROM_1 : PH_FROM_ANY;
}

/* x (MOST) <- the numbers of a line; row (3) <- the three of them that count. shown: its text. */
static ph_status read_row(const ph_lines *l, table *t, double *x, const double **row, char shown[48],
                          ph_error *err)
{
    char *at = l->line + strspn(l->line, " \t");
    size_t n;
    snprintf(shown, 48, "%s", at);
    if (*at == *t->letter && at[1] && strchr(" \t,", at[1]))
        at++;
    ph_status status = ph_lines_numbers(l, at, x, t->most, &n, err);
    if (!status && n != 3 && n < 4)
        status =
            ph_lines_fail(l, err,
                          *t->letter == 'v' ? "a vertex is three numbers, or an id before them"
                                            : "a face is the numbers of three vertices, or an id before them",
                          shown);
    if (!status && t->most > 4 && n != t->most)
        status = ph_lines_fail(l, err, "this line has other numbers than the first line says", shown);
    if (status)
        return status;
    const bool has_id = n > 3;
    *row = has_id ? x + 1 : x;
    if (t->ids.rows == 0)
        t->ids = (ids){.first = has_id ? x[0] : NAN, .count = has_id};
    else if (has_id != !isnan(t->ids.first))
        return ph_lines_fail(
            l, err, "some lines of this table have an id before their numbers, others have not", shown);
    if (has_id)
        t->ids.count = t->ids.count && x[0] == t->ids.first + (double)t->ids.rows;
    t->ids.rows++;
    return PH_OK;
}

static ph_status add_vertex(ph_lines *l, table *t, ph_shape *shape, ph_error *err)
{
    double x[MOST];
    const double *row;
    char shown[48];
    ph_status status = read_row(l, t, x, &row, shown, err);
    return status ? status : ph_shape_add_vertex(shape, row, err);
}

/* An id that does not count up may be the corner of a quadrilateral. */
static ph_status add_face(ph_lines *l, table *t, ph_shape *shape, ph_error *err)
{
    double x[MOST];
    const double *row;
    char shown[48];
    ph_fan fan = {.n = 0};
    ph_status status = read_row(l, t, x, &row, shown, err);
    if (!status && !isnan(t->ids.first) && first_of(&t->ids) == PH_FROM_ANY)
        status = ph_lines_fail(
            l, err,
            "a face with four numbers begins with an id that counts up from 0 or 1; other faces "
            "than triangles are not read from tables",
            shown);
    for (size_t k = 0; k < 3 && !status; k++)
        status = ph_is_whole(row[k]) ? ph_shape_add_corner(shape, &fan, row[k], l->number, err)
                                     : ph_lines_fail(l, err, "a face has a number that no vertex has", shown);
    return status;
}

/* The next line with numbers; false at the end. */
static bool next_row(ph_lines *l)
{
    while (ph_lines_next(l))
        if (l->line[strspn(l->line, " \t")] != '#')
            return true;
    return false;
}

/* ---- Two files ---------------------------------------------------------------------------------------------------- */

/* x (4) <- the numbers of the first line, *n; *rest <- how many lines with numbers are behind it. The file stays at its
 * beginning. */
static void look_ahead(const ph_lines *l, double x[4], size_t *n, size_t *rest)
{
    char first[128] = "";
    *rest = 0;
    for (const char *at = l->at; at < l->end;) {
        const char *stop = memchr(at, '\n', (size_t)(l->end - at));
        const char *next = stop ? stop + 1 : l->end;
        while (at < next && strchr(" \t\r\n", *at))
            at++;
        if (at < next && *at != '#') {
            if (!*first)
                snprintf(first, sizeof first, "%.*s", (int)(next - at < 120 ? next - at : 120), at);
            else
                ++*rest;
        }
        at = next;
    }
    first[strcspn(first, "\r\n")] = '\0';
    if (ph_lines_numbers(l, first, x, 4, n, NULL))
        *n = 0;
}

/* Does the file begin with a line of TetGen's: of points "n 3 attributes marker", of faces "n marker"? t->most <- how many
 * numbers its lines have then. */
static bool has_head(const ph_lines *l, table *t)
{
    double x[4] = {0};
    size_t n, rest;
    look_ahead(l, x, &n, &rest);
    const bool points = *t->letter == 'v';
    const double marker = points ? x[3] : x[1], others = points ? x[2] : 0;
    if (n != (points ? 4 : 2) || x[0] != (double)rest || (points && x[1] != 3) ||
        (marker != 0 && marker != 1) || !ph_is_whole(others) || others + 5 > MOST)
        return false;
    t->most = 4 + (size_t)others + (size_t)marker;
    return true;
}

static ph_status read_table(const char *path, table *t, ph_shape *shape,
                            ph_status (*add)(ph_lines *, table *, ph_shape *, ph_error *), ph_error *err)
{
    ph_lines l;
    ph_status status = ph_lines_open(&l, path, err);
    if (status)
        return status;
    if (has_head(&l, t))
        next_row(&l);
    while (!status && next_row(&l))
        status = add(&l, t, shape, err);
    ph_lines_close(&l);
    return status;
}

ph_status ph_shape_from_tables(const char *vertices, const char *faces, ph_shape *shape, ph_error *err)
{
    table v = {"v", 4, {0}}, f = {"f", 4, {0}};
    ph_status status = read_table(vertices, &v, shape, add_vertex, err);
    if (!status)
        status = read_table(faces, &f, shape, add_face, err);
    return status ? status : ph_shape_number(shape, PH_FROM_ANY, first_of(&v.ids), faces, err);
}

/* ---- One file ------------------------------------------------------------------------------------------------------ */

/* x <- the whole numbers of the next line, at most `most`. */
static ph_status read_counts(ph_lines *l, const char *what, double *x, size_t most, size_t *n, ph_error *err)
{
    char shown[48];
    if (!next_row(l))
        return ph_lines_short(l, err, what);
    snprintf(shown, sizeof shown, "%s", l->line);
    ph_status status = ph_lines_numbers(l, l->line, x, most, n, err);
    for (size_t i = 0; i < *n && !status; i++)
        if (!ph_is_whole(x[i]))
            status = ph_lines_fail(l, err, "whole numbers, of vertices and faces, are expected", shown);
    return status || *n ? status : ph_lines_fail(l, err, "whole numbers are expected", shown);
}

static ph_status read_rows(ph_lines *l, double count, const char *what, table *t, ph_shape *shape,
                           ph_status (*add)(ph_lines *, table *, ph_shape *, ph_error *), ph_error *err)
{
    ph_status status = PH_OK;
    for (double i = 0; i < count && !status; i++)
        status = next_row(l) ? add(l, t, shape, err) : ph_lines_short(l, err, what);
    return status;
}

ph_status ph_shape_from_plates(ph_lines *l, ph_shape *shape, ph_error *err)
{
    table v = {"v", 4, {0}}, f = {"f", 4, {0}};
    double count[2] = {0};
    size_t n = 0;
    ph_status status = read_counts(l, "the numbers of vertices and faces", count, 2, &n, err);
    if (!status)
        status = read_rows(l, count[0], "the last vertex", &v, shape, add_vertex, err);
    if (!status && n == 1)
        status = read_counts(l, "the number of faces", count + 1, 1, &n, err);
    if (!status)
        status = read_rows(l, count[1], "the last face", &f, shape, add_face, err);
    if (!status && next_row(l))
        status = ph_lines_fail(l, err, "there are more lines than vertices and faces", l->line);
    return status ? status : ph_shape_number(shape, PH_FROM_ANY, first_of(&v.ids), l->path, err);
}
