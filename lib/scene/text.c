/* SPDX-License-Identifier: BSD-3-Clause */
/* A scene as a line of JSON, as doc/reference/scenes.md describes it: what a program needs that has an archive's columns,
 * but no model of the system. Indices count from 0, none is -1; what has its default is left out. */
#include "scene.h"

#include "lib/system/parts.h"

#include <polhode/kit/text.h>

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text that grows. */
typedef struct writer {
    char *text;
    size_t length, room;
    bool failed;
} writer;

static void put_bytes(writer *w, const char *bytes, size_t n)
{
    if (w->failed)
        return;
    if (w->length + n + 1 > w->room) {
        const size_t room = 2 * (w->length + n + 512);
        char *more = realloc(w->text, room);
        if (!more) {
            w->failed = true;
            return;
        }
        w->text = more;
        w->room = room;
    }
    memcpy(w->text + w->length, bytes, n);
    w->length += n;
    w->text[w->length] = 0;
}

static void put(writer *w, const char *words)
{
    put_bytes(w, words, strlen(words));
}

static void put_index(writer *w, size_t i)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", i);
    put(w, i == PH_NO_INDEX ? "-1" : text);
}

/* text <- value as %.15g writes it, where it is k / 10^m, k < 10^15, m <= 12: their quotient is rounded as the decimal is when it is read.
 * In a twentieth of the time of printf and strtod, as scenes have some 75 numbers a body. */
static bool write_short(double value, char text[32])
{
    const double size = fabs(value);
    double power = 1;
    if (size > 0 && !(size >= 1e-4 && size < 1e15))
        return false;
    for (int m = 0; m <= 12; m++, power *= 10) {
        const double k = rint(size * power);
        if (!(k < 1e15))
            return false;
        if (k / power != size)
            continue;
        char *at = text + 31;
        unsigned long long rest = (unsigned long long)k;
        *at = 0;
        for (int n = 0; rest || n <= m; n++, rest /= 10) {
            if (n == m && m)
                *--at = '.';
            *--at = (char)('0' + rest % 10);
        }
        if (value < 0)
            *--at = '-';
        memmove(text, at, (size_t)(text + 32 - at));
        return true;
    }
    return false;
}

/* The shortest decimal that is this double; the point is a point in every locale. null where it is not finite. */
static void put_number(writer *w, double value)
{
    if (!isfinite(value)) {
        put(w, "null");
        return;
    }
    const char *local = localeconv()->decimal_point;
    char text[64], *comma;
    if (write_short(value, text)) {
        put(w, text);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value + 0.0);
        if (strtod(text, NULL) == value)
            break;
    }
    if (strcmp(local, ".") && (comma = strstr(text, local))) {
        *comma = '.';
        memmove(comma + 1, comma + strlen(local), strlen(comma + strlen(local)) + 1);
    }
    put(w, text);
}

/* For what is only drawn: seven digits, which stay the same when they are read and written again. */
static double rounded(double value)
{
    char text[64];
    snprintf(text, sizeof text, "%.7g", value);
    return strtod(text, NULL);
}

static void put_numbers(writer *w, const double *v, size_t n)
{
    put(w, "[");
    for (size_t i = 0; i < n; i++) {
        put(w, i ? "," : "");
        put_number(w, v[i]);
    }
    put(w, "]");
}

/* What is not UTF-8 becomes U+FFFD. */
static void put_quoted(writer *w, const char *text)
{
    size_t n;
    put(w, "\"");
    for (const char *c = text; *c; c += n) {
        char escaped[8];
        const unsigned char byte = (unsigned char)*c;
        const bool good = ph_utf8_next(c, &n) != 0xfffd || n == 3;
        if (byte < 0x20 || byte == '"' || byte == '\\' || !good) {
            snprintf(escaped, sizeof escaped, "\\u%04x", good ? byte : 0xfffd);
            put(w, escaped);
        } else
            put_bytes(w, c, n);
    }
    put(w, "\"");
}

static bool any(const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] != 0)
            return true;
    return false;
}

/* ---- The configuration ------------------------------------------------------------------------------- */

static void put_names(writer *w, const ph_scene *s)
{
    put(w, ",\"z\":[");
    for (size_t i = 0; i < s->nz; i++) {
        put(w, i ? "," : "");
        put_quoted(w, s->columns[i]);
    }
    put(w, "]");
}

const char *const *ph_scene_factor_words(size_t *n)
{
    static const char *const words[] = {
        [PH_FACTOR_R] = "R",     [PH_FACTOR_S2] = "S2",     [PH_FACTOR_S1] = "S1",
        [PH_FACTOR_SO3] = "SO3", [PH_FACTOR_SPIN] = "spin", [PH_FACTOR_EMBEDDED] = "embedded"};
    *n = sizeof words / sizeof *words;
    return words;
}

static void put_factor(writer *w, const ph_scene_factor *f)
{
    char head[96];
    size_t n;
    snprintf(head, sizeof head,
             "{\"kind\":\"%s\",\"z\":%zu,\"n\":%zu,\"label\":", ph_scene_factor_words(&n)[f->kind], f->z,
             f->nz);
    put(w, head);
    put_quoted(w, f->label);
    if (any(f->inertia, 9)) {
        put(w, ",\"inertia\":");
        put_numbers(w, f->inertia, 9);
    }
    if (f->strength != 1) {
        put(w, ",\"strength\":");
        put_number(w, f->strength);
    }
    put(w, "}");
}

/* For a reduced system: by which coordinate it turns, and about what. */
static void put_turn(writer *w, const ph_scene *s)
{
    if (!s->turns)
        return;
    put(w, ",\"turn\":{\"z\":");
    put_index(w, s->factors[s->phase].z);
    put(w, ",\"axis\":");
    put_numbers(w, s->axis, 3);
    put(w, "}");
}

/* ---- Points ------------------------------------------------------------------------------------------ */

static void put_point(writer *w, const ph_scene_points_list *list, size_t k)
{
    char term[48];
    put(w, k ? "," : "");
    if (list->unknown[k]) {
        put(w, "null");
        return;
    }
    put(w, "{\"from\":");
    put_index(w, list->from[k]);
    if (any(list->at + 3 * k, 3)) {
        put(w, ",\"at\":");
        put_numbers(w, list->at + 3 * k, 3);
    }
    put(w, ",\"add\":[");
    for (size_t i = list->begin[k]; i < list->begin[k + 1]; i++) {
        const ph_scene_term *t = &list->terms[i];
        snprintf(term, sizeof term, "%s[%u,%zu,", i > list->begin[k] ? "," : "", t->axis, t->at);
        put(w, term);
        put_number(w, t->coefficient);
        put(w, "]");
    }
    put(w, "]}");
}

static void put_points(writer *w, const ph_scene *s)
{
    char text[64];
    snprintf(text, sizeof text, ",\"n_points\":%zu,\"columns\":%s,\"points\":", s->points.n,
             s->own ? "\"position\"" : "null");
    put(w, text);
    put(w, "[");
    for (size_t k = 0; k < s->points.n; k++)
        put_point(w, &s->points, k);
    put(w, "]");
}

/* ---- Parts ------------------------------------------------------------------------------------------- */

static void put_place(writer *w, const char *key, const ph_scene_place *place)
{
    const char *comma = "";
    put(w, ",\"");
    put(w, key);
    put(w, "\":{");
    if (place->point != PH_NO_INDEX) {
        put(w, "\"point\":");
        put_index(w, place->point);
        comma = ",";
    }
    if (place->frame != PH_NO_INDEX) {
        put(w, comma);
        put(w, "\"frame\":");
        put_index(w, place->frame);
        comma = ",";
    }
    if (any(place->at, 3)) {
        put(w, comma);
        put(w, "\"at\":");
        put_numbers(w, place->at, 3);
        comma = ",";
    }
    if (any(place->offset, 3)) {
        put(w, comma);
        put(w, "\"offset\":");
        put_numbers(w, place->offset, 3);
    }
    put(w, "}");
}

const char *const *ph_scene_part_words(size_t *n)
{
    static const char *const words[] = {[PH_SCENE_BALL] = "ball",
                                        [PH_SCENE_LINE] = "line",
                                        [PH_SCENE_TUBE] = "tube",
                                        [PH_SCENE_ARROW] = "arrow",
                                        [PH_SCENE_AXES] = "axes",
                                        [PH_SCENE_BOX] = "box",
                                        [PH_SCENE_ELLIPSOID] = "ellipsoid",
                                        [PH_SCENE_CYLINDER] = "cylinder",
                                        [PH_SCENE_CONE] = "cone",
                                        [PH_SCENE_GLOBE] = "globe",
                                        [PH_SCENE_PLANE] = "plane",
                                        [PH_SCENE_MARK] = "mark",
                                        [PH_SCENE_MESH] = "mesh"};
    *n = sizeof words / sizeof *words;
    return words;
}

static void put_mesh(writer *w, const ph_mesh *mesh)
{
    put(w, ",\"vertices\":[");
    for (size_t i = 0; i < 3 * mesh->vertices; i++) {
        put(w, i ? "," : "");
        put_number(w, rounded(mesh->vertex[i]));
    }
    put(w, "],\"triangles\":[");
    for (size_t i = 0; i < 3 * mesh->faces; i++) {
        put(w, i ? "," : "");
        put_index(w, mesh->face[i]);
    }
    put(w, "]");
}

static void put_part(writer *w, const ph_scene_part *part)
{
    size_t n;
    put(w, "{\"kind\":\"");
    put(w, ph_scene_part_words(&n)[part->kind]);
    put(w, "\"");
    put_place(w, "a", &part->a);
    if (ph_part_has_end(part->kind))
        put_place(w, "b", &part->b);
    if (any(part->R, 9)) {
        put(w, ",\"R\":");
        put_numbers(w, part->R, 9);
    }
    if (any(part->size, 3)) {
        put(w, ",\"size\":");
        put_numbers(w, part->size, 3);
    }
    if (part->link != PH_NO_INDEX) {
        put(w, ",\"link\":");
        put_index(w, part->link);
    }
    if (part->spin != PH_NO_INDEX) {
        put(w, ",\"spin\":");
        put_index(w, part->spin);
    }
    if (part->name) {
        put(w, ",\"name\":");
        put_quoted(w, part->name);
    }
    if (part->mesh)
        put_mesh(w, part->mesh);
    put(w, "}");
}

/* ---- All --------------------------------------------------------------------------------------------- */

bool ph_scene_write(ph_scene *s)
{
    writer w = {0};
    put(&w, "{\"version\":1,\"up\":");
    put_numbers(&w, s->up, 3);
    put_names(&w, s);
    put(&w, ",\"factors\":[");
    for (size_t i = 0; i < s->n_factors; i++) {
        put(&w, i ? "," : "");
        put_factor(&w, &s->factors[i]);
    }
    put(&w, "]");
    put_turn(&w, s);
    put_points(&w, s);
    put(&w, ",\"parts\":[");
    for (size_t i = 0; i < s->n_parts; i++) {
        put(&w, i ? "," : "");
        put_part(&w, &s->parts[i]);
    }
    put(&w, "]}");
    if (w.failed)
        free(w.text);
    s->text = w.failed ? NULL : w.text;
    return !w.failed;
}
