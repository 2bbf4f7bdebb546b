/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of surfaces, recognised by what they contain (polhode/domain/shape.h): one table of formats, those that are read and those that
 * are named only. */
#include "shape.h"

#include "lib/text/file.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is seen of a file: its beginning, and of the first line that is no comment the words and what they are. */
typedef struct look {
    const char *text, *end;
    char line[128];
    char word[32]; /* the first */
    double x[4];
    size_t n;     /* numbers x, 0 where there are others than numbers, or more */
    bool counted; /* are all of them whole? */
} look;

static void take_line(look *at, const char *from, size_t length)
{
    char copy[sizeof at->line], *rest = copy;
    ph_lines none = {.path = ""};
    snprintf(at->line, sizeof at->line, "%.*s", (int)(length < 120 ? length : 120), from);
    at->line[strcspn(at->line, "\r\n")] = '\0';
    memcpy(copy, at->line, sizeof copy);
    const char *word = ph_next_word(&rest, "");
    snprintf(at->word, sizeof at->word, "%s", word ? word : "");
    memcpy(copy, at->line, sizeof copy);
    if (ph_lines_numbers(&none, copy, at->x, 4, &at->n, NULL))
        at->n = 0;
    at->counted = at->n > 0;
    for (size_t i = 0; i < at->n; i++)
        at->counted = at->counted && ph_is_whole(at->x[i]);
}

static look look_at(const ph_lines *l)
{
    look seen = {.text = l->text, .end = l->end};
    for (const char *at = l->at; at < l->end && !*seen.line;) {
        const char *stop = memchr(at, '\n', (size_t)(l->end - at)), *next = stop ? stop + 1 : l->end;
        while (at < next && strchr(" \t\r\n", *at))
            at++;
        if (at < next && *at != '#')
            take_line(&seen, at, (size_t)(next - at));
        at = next;
    }
    return seen;
}

/* ---- Recognisers -------------------------------------------------------------------------------------------------- */

static bool is_stl(const look *at)
{
    const size_t length = (size_t)(at->end - at->text);
    return length >= 84 && length - 84 == 50 * ph_bytes_whole(at->text + 80, 4, false);
}

static bool is_stl_text(const look *at)
{
    return !strcmp(at->word, "solid") || !strcmp(at->word, "facet");
}

static bool is_ply(const look *at)
{
    return !strcmp(at->word, "ply");
}

/* With the word, or without it by three numbers that promise as many lines as there are. */
static bool is_off(const look *at)
{
    const size_t n = strlen(at->word);
    if (n >= 3 && n <= 6 && !strcmp(at->word + n - 3, "OFF"))
        return true;
    double lines = 0;
    for (const char *c = at->text; at->counted && at->n == 3 && c < at->end; c++)
        lines += *c == '\n';
    return at->counted && at->n == 3 && lines >= at->x[0] + at->x[1] && at->x[0] >= 4 && at->x[1] >= 4;
}

static bool is_obj(const look *at)
{
    return ph_obj_knows(at->word);
}

/* Six faces of a cube with q + 1 times q + 1 vertices each, behind q, without a list of faces. */
static bool is_icq(const look *at)
{
    double lines = 0;
    for (const char *c = at->text; at->counted && at->n == 1 && c < at->end; c++)
        lines += *c == '\n' || c + 1 == at->end;
    const double vertices = 6 * (at->x[0] + 1) * (at->x[0] + 1);
    return at->counted && at->n == 1 && fabs(lines - vertices - 1) <= 1;
}

static bool is_plates(const look *at)
{
    return at->counted && at->n <= 2;
}

static bool is_table(const look *at)
{
    return at->n >= 3;
}

/* ---- The table ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    bool (*is)(const look *);                              /* NULL: it begins with `magic` */
    ph_status (*read)(ph_lines *, ph_shape *, ph_error *); /* NULL: it is not read */
    const char *magic, *advice;
} formats[] = {
    {"STL in binary", is_stl, ph_shape_from_stl, NULL, NULL},
    {"PLY", is_ply, ph_shape_from_ply, NULL, NULL},
    {"STL as text", is_stl_text, ph_shape_from_stl_text, NULL, NULL},
    {"a file of VTK", NULL, NULL, "# vtk", "write it as PLY or OBJ"},
    {"OFF", is_off, ph_shape_from_off, NULL, NULL},
    {"OBJ", is_obj, ph_shape_from_obj, NULL, NULL},
    {"implicitly connected quadrilaterals (ICQ) of the PDS", is_icq, NULL, NULL,
     "the PDS has the same shape as a table of plates, with vertices and faces"},
    {"a table of vertices and faces behind their numbers", is_plates, ph_shape_from_plates, NULL, NULL},
    {"a table of numbers", is_table, NULL, NULL,
     "a table of vertices and one of faces, also TetGen's .node and .face, are given as \"vertices\" and "
     "\"faces\""},
    {"glTF", NULL, NULL, "glTF", "write it as PLY or OBJ"},
    {"XML", NULL, NULL, "<", "write it as PLY or OBJ"},
    {"JSON", NULL, NULL, "{", "write it as PLY or OBJ"},
    {"a mesh of Medit", NULL, NULL, "MeshVersionFormatted", "write it as OFF, PLY or STL"},
    {"a mesh of Gmsh", NULL, NULL, "$MeshFormat", "write it as STL"},
    {"a SPICE kernel", NULL, NULL, "DAS/", "write it as OBJ, by dskexp"},
    {"a label of the PDS", NULL, NULL, "PDS_VERSION_ID", "give the table that it describes"},
    {"compressed by gzip", NULL, NULL, "\x1f\x8b", "unpack it first, by gunzip"},
    {"a zip archive", NULL, NULL, "PK\x03\x04", "unpack it first, by unzip"},
    {"text in UTF-16", NULL, NULL, "\xff\xfe", "write it in UTF-8"},
    {"text in UTF-16", NULL, NULL, "\xfe\xff", "write it in UTF-8"}};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static size_t find_format(const look *at)
{
    size_t i = 0;
    for (; i < FORMATS; i++) {
        const char *magic = formats[i].magic;
        const size_t n = magic ? strlen(magic) : 0;
        if (formats[i].is ? formats[i].is(at)
                          : (size_t)(at->end - at->text) >= n && !memcmp(at->text, magic, n))
            break;
    }
    return i;
}

static ph_status fail_unknown(const char *path, const look *at, size_t i, ph_error *err)
{
    char shown[64];
    if (i < FORMATS)
        return ph_fail(err, PH_E_PARSE, "%s: looks like %s, which is not read as a surface; %s", path,
                       formats[i].name, formats[i].advice);
    return ph_fail(
        err, PH_E_PARSE,
        "%s: is not a surface that is read here: OBJ, OFF, PLY, STL, or vertices and faces behind their "
        "numbers, as of DAMIT and the PDS; %s%s%s",
        path, *at->line ? "it begins with \"" : "it is empty", ph_text_show(shown, sizeof shown, at->line),
        *at->line ? "\"" : "");
}

static ph_status read_file(const char *path, ph_shape *shape, ph_error *err)
{
    ph_lines l;
    ph_status status = ph_lines_open(&l, path, err);
    if (status)
        return status;
    const look seen = look_at(&l);
    const size_t i = find_format(&seen);
    if (i == FORMATS || !formats[i].read)
        status = fail_unknown(path, &seen, i, err);
    else if ((status = formats[i].read(&l, shape, err)) == PH_E_PARSE && err) {
        const ph_error inner = *err;
        ph_fail(err, status, "%.400s; the file looks like %s", inner.message, formats[i].name);
    }
    ph_lines_close(&l);
    return status;
}

/* ---- The object ------------------------------------------------------------------------------------------------------ */

static ph_status begin(double unit, ph_shape **shape, ph_error *err)
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

/* The shape of a reader that ended with this status, closed if that can be, or none. */
static ph_status end(ph_status status, ph_shape **shape, ph_error *err)
{
    if (!status)
        status = ph_shape_close(*shape, err);
    if (status) {
        ph_shape_free(*shape);
        *shape = NULL;
    }
    return status;
}

ph_status ph_shape_read(const char *path, double unit, ph_shape **shape, ph_error *err)
{
    ph_status status = begin(unit, shape, err);
    return status ? status : end(read_file(path, *shape, err), shape, err);
}

ph_status ph_shape_read_tables(const char *vertices, const char *faces, double unit, ph_shape **shape,
                               ph_error *err)
{
    ph_status status = begin(unit, shape, err);
    return status ? status : end(ph_shape_from_tables(vertices, faces, *shape, err), shape, err);
}
