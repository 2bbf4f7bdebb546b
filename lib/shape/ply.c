/* SPDX-License-Identifier: BSD-3-Clause */
/* PLY, as text or in binary of both orders of bytes: a head that describes elements by their properties, then the elements. Of
 * `vertex` the properties x, y, z count, of `face` the list vertex_indices or vertex_index; all others are passed over. Vertices
 * count from 0. Source: G. Turk, The PLY polygon file format (1994). */
#include "shape.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <string.h>

typedef enum form { TEXT, LITTLE, BIG } form;

/* Values of `size` bytes, signed or not, or real. */
typedef struct type {
    const char *names[2];
    size_t size;
    bool real, negative;
} type;
static const type types[] = {{{"char", "int8"}, 1, false, true},     {{"uchar", "uint8"}, 1, false, false},
                             {{"short", "int16"}, 2, false, true},   {{"ushort", "uint16"}, 2, false, false},
                             {{"int", "int32"}, 4, false, true},     {{"uint", "uint32"}, 4, false, false},
                             {{"float", "float32"}, 4, true, false}, {{"double", "float64"}, 8, true, false}};

enum { PROPERTIES = 64, ELEMENTS = 16 };
typedef enum role { OTHER, X, Y, Z, CORNERS } role;
typedef struct property {
    const type *type, *count; /* count: of a list, or NULL */
    role role;
} property;
typedef struct element {
    bool vertex, face;
    double count;
    size_t n;
    property property[PROPERTIES];
} element;

typedef struct reading {
    ph_lines *l;
    ph_shape *shape;
    form form;
    size_t n;
    element element[ELEMENTS];
    char *at; /* in a line of text */
    double x[3];
    ph_fan fan;
} reading;

/* ---- The head ------------------------------------------------------------------------------------------------------ */

static const type *find_type(const char *word)
{
    for (size_t i = 0; word && i < sizeof types / sizeof types[0]; i++)
        if (!strcmp(word, types[i].names[0]) || !strcmp(word, types[i].names[1]))
            return &types[i];
    return NULL;
}

static ph_status read_form(reading *r, char *rest, ph_error *err)
{
    static const char *const names[] = {
        [TEXT] = "ascii", [LITTLE] = "binary_little_endian", [BIG] = "binary_big_endian"};
    const char *word = ph_next_word(&rest, "");
    for (size_t i = 0; word && i < 3; i++)
        if (!strcmp(word, names[i])) {
            r->form = (form)i;
            return PH_OK;
        }
    return ph_lines_fail(r->l, err, "ascii, binary_little_endian or binary_big_endian is expected", word);
}

static ph_status read_element(reading *r, char *rest, ph_error *err)
{
    const char *name = ph_next_word(&rest, ""), *count = ph_next_word(&rest, "");
    element *e = &r->element[r->n];
    if (r->n == ELEMENTS)
        return ph_lines_fail(r->l, err, "there are more than 16 elements", name);
    if (!count || ph_parse_number(count, &e->count) || !ph_is_whole(e->count))
        return ph_lines_fail(r->l, err, "an element has a name and a whole number", count);
    e->vertex = !strcmp(name, "vertex");
    e->face = !strcmp(name, "face");
    r->n++;
    return PH_OK;
}

static role role_of(const element *e, const char *name, bool list)
{
    if (e->face && list && (!strcmp(name, "vertex_indices") || !strcmp(name, "vertex_index")))
        return CORNERS;
    return !e->vertex || list || strlen(name) != 1 || *name < 'x' || *name > 'z' ? OTHER
                                                                                 : (role)(X + (*name - 'x'));
}

static ph_status read_property(reading *r, char *rest, ph_error *err)
{
    element *e = r->n ? &r->element[r->n - 1] : NULL;
    const char *word = ph_next_word(&rest, "");
    if (!e || e->n == PROPERTIES)
        return ph_lines_fail(
            r->l, err, e ? "an element has more than 64 properties" : "a property stands behind its element",
            word);
    property *p = &e->property[e->n];
    const bool list = word && !strcmp(word, "list");
    if (list && (!(p->count = find_type(ph_next_word(&rest, ""))) || p->count->real))
        return ph_lines_fail(r->l, err, "the type of the number of a list is not one of PLY's whole ones",
                             NULL);
    p->type = find_type(list ? ph_next_word(&rest, "") : word);
    if (!p->type)
        return ph_lines_fail(r->l, err, "this type is not one of PLY", list ? NULL : word);
    if (!(word = ph_next_word(&rest, "")))
        return ph_lines_fail(r->l, err, "a property has a name", NULL);
    p->role = role_of(e, word, list);
    e->n++;
    return PH_OK;
}

static bool has(const reading *r, role which)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->element[i].n; k++)
            if (r->element[i].property[k].role == which)
                return true;
    return false;
}

static ph_status read_head(reading *r, ph_error *err)
{
    bool formed = false;
    ph_lines_next(r->l); /* "ply" */
    while (ph_lines_next(r->l)) {
        char *rest = r->l->line;
        const char *word = ph_next_word(&rest, "");
        ph_status status = PH_OK;
        if (!word || !strcmp(word, "comment") || !strcmp(word, "obj_info"))
            continue;
        if (!strcmp(word, "end_header")) {
            if (!formed)
                return ph_lines_fail(r->l, err, "the head has no line \"format\"", NULL);
            return has(r, X) && has(r, Y) && has(r, Z) && has(r, CORNERS)
                       ? PH_OK
                       : ph_lines_fail(
                             r->l, err,
                             "an element \"vertex\" with x, y, z and an element \"face\" with the list "
                             "vertex_indices are expected",
                             NULL);
        }
        if (!strcmp(word, "format")) {
            status = read_form(r, rest, err);
            formed = true;
        } else if (!strcmp(word, "element")) {
            status = read_element(r, rest, err);
        } else if (!strcmp(word, "property")) {
            status = read_property(r, rest, err);
        } else {
            status =
                ph_lines_fail(r->l, err, "no line of the head of a PLY file begins with this word", word);
        }
        if (status)
            return status;
    }
    return ph_lines_short(r->l, err, "\"end_header\"");
}

/* ---- Elements ------------------------------------------------------------------------------------------------------- */

static ph_status next_value(reading *r, const type *t, double *value, ph_error *err)
{
    ph_lines *l = r->l;
    if (r->form == TEXT) {
        const char *word = ph_next_word(&r->at, "");
        return word && !ph_parse_number(word, value)
                   ? PH_OK
                   : ph_lines_fail(l, err, word ? "this is not a number" : "the line has too few numbers",
                                   word);
    }
    if ((size_t)(l->end - l->at) < t->size)
        return ph_fail(err, PH_E_PARSE,
                       "%s: ends after %zu vertices and %zu triangles, before its last element", l->path,
                       r->shape->vertices, r->shape->faces);
    if (t->real) {
        *value = ph_bytes_real(l->at, t->size, r->form == BIG);
    } else {
        const double whole = (double)ph_bytes_whole(l->at, t->size, r->form == BIG),
                     range = ldexp(1, (int)(8 * t->size));
        *value = t->negative && whole >= range / 2 ? whole - range : whole;
    }
    l->at += t->size;
    return PH_OK;
}

/* "FILE[:LINE]: vertex 7 ..." */
static ph_status fail_here(const reading *r, const char *what, double value, ph_error *err)
{
    char line[32] = "";
    if (r->form == TEXT)
        snprintf(line, sizeof line, ":%zu", r->l->number);
    return ph_fail(err, PH_E_PARSE, "%s%s: behind %zu vertices and %zu triangles: %s: %g", r->l->path, line,
                   r->shape->vertices, r->shape->faces, what, value);
}

static ph_status read_value(reading *r, const property *p, ph_error *err)
{
    double value = 0, count = 1;
    ph_status status = p->count ? next_value(r, p->count, &count, err) : PH_OK;
    if (!status && !ph_is_whole(count))
        status = fail_here(r, "the number of a list is not one", count, err);
    for (double i = 0; i < count && !status; i++) {
        status = next_value(r, p->type, &value, err);
        if (status || p->role == OTHER)
            continue;
        if (p->role == CORNERS)
            status = ph_is_whole(value) ? ph_shape_add_corner(r->shape, &r->fan, value,
                                                              r->form == TEXT ? r->l->number : 0, err)
                                        : fail_here(r, "no vertex has this number", value, err);
        else if (!isfinite(r->x[p->role - X] = value))
            status = fail_here(r, "a coordinate is not finite", value, err);
    }
    return status;
}

static ph_status read_elements(reading *r, const element *e, ph_error *err)
{
    ph_status status = PH_OK;
    for (double i = 0; i < (e->n ? e->count : 0) && !status; i++) {
        r->fan.n = 0;
        if (r->form == TEXT) {
            if (!ph_lines_next(r->l))
                return ph_lines_short(r->l, err, "the last of its elements");
            r->at = r->l->line;
        }
        for (size_t k = 0; k < e->n && !status; k++)
            status = read_value(r, &e->property[k], err);
        if (!status && e->vertex)
            status = ph_shape_add_vertex(r->shape, r->x, err);
        else if (!status && e->face && r->fan.n < 3)
            status = fail_here(r, "a face has fewer than three corners", (double)r->fan.n, err);
    }
    return status;
}

ph_status ph_shape_from_ply(ph_lines *l, ph_shape *shape, ph_error *err)
{
    reading r = {.l = l, .shape = shape};
    ph_status status = read_head(&r, err);
    for (size_t i = 0; i < r.n && !status; i++)
        status = read_elements(&r, &r.element[i], err);
    return status ? status : ph_shape_number(shape, PH_FROM_0, PH_FROM_0, l->path, err);
}
