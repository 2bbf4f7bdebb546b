/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces of bodies, from files or lists in the scenario. What is read from files is kept as the moments of a body of
 * density 1 kg/m^3, a line of numbers for each surface, and where its field is exact a line with the surface itself (numbers of
 * vertices and of faces, coordinates [m], numbers of vertices from 0), so that a run that is resumed has the same bits when the
 * files have been moved or changed. */
#include "parts.h"

#include "lib/archive/file.h"
#include "lib/archive/place.h"

#include <polhode/domain/mass.h>
#include <polhode/domain/shape.h>
#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of a line: a ph_mass is nothing but doubles. */
enum { NUMBERS = sizeof(ph_mass) / sizeof(double) };

/* ---- Surfaces that are needed ------------------------------------------------------------------------------- */

/* *surface <- room for a surface, which the reading owns. */
static ph_status add_surface(ph_reading *r, size_t vertices, size_t faces, ph_surface **surface,
                             ph_error *err)
{
    ph_surface *made = calloc(1, sizeof *made);
    *surface = NULL;
    if (!made)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    made->next = r->surfaces;
    r->surfaces = made;
    made->vertex = calloc(3 * vertices + 1, sizeof *made->vertex);
    made->face = calloc(3 * faces + 1, sizeof *made->face);
    made->mesh = (ph_mesh){vertices, made->vertex, faces, made->face};
    if (!made->vertex || !made->face)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *surface = made;
    return PH_OK;
}

ph_status ph_copy_surface(ph_reading *r, const ph_mesh *mesh, bool turned, ph_surface **surface,
                          ph_error *err)
{
    ph_status status = add_surface(r, mesh->vertices, mesh->faces, surface, err);
    if (status)
        return status;
    memcpy((*surface)->vertex, mesh->vertex, 3 * mesh->vertices * sizeof *mesh->vertex);
    for (size_t f = 0; f < mesh->faces; f++)
        for (size_t k = 0; k < 3; k++)
            (*surface)->face[3 * f + k] = mesh->face[3 * f + (turned ? 2 - k : k)];
    return PH_OK;
}

void ph_free_surfaces(ph_reading *r)
{
    while (r->surfaces) {
        ph_surface *first = r->surfaces;
        r->surfaces = first->next;
        free(first->vertex);
        free(first->face);
        free(first);
    }
}

/* ---- What was kept ---------------------------------------------------------------------------------------- */

/* Room for so many more numbers. */
static ph_status make_room(ph_scenario *s, size_t numbers, ph_error *err)
{
    char *longer = realloc(s->kept, s->kept_length + numbers * 32 + 64);
    if (!longer)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->kept = longer;
    return PH_OK;
}

/* One more number, for which there is room, and what is behind it. */
static void keep_number(ph_scenario *s, double number, char behind)
{
    ph_number_text(number, s->kept + s->kept_length);
    s->kept_length += strlen(s->kept + s->kept_length);
    s->kept[s->kept_length++] = behind;
    s->kept[s->kept_length] = '\0';
}

/* The scenario keeps one more body, and its surface (nullable). */
static ph_status keep(ph_scenario *s, const ph_mass *body, const ph_mesh *mesh, ph_error *err)
{
    const double *number = (const double *)(const void *)body;
    ph_status status = make_room(s, NUMBERS + (mesh ? 2 + 3 * mesh->vertices + 3 * mesh->faces : 0), err);
    for (size_t i = 0; i < NUMBERS && !status; i++)
        keep_number(s, number[i], i + 1 < NUMBERS ? ' ' : '\n');
    if (status || !mesh)
        return status;
    keep_number(s, (double)mesh->vertices, ' ');
    keep_number(s, (double)mesh->faces, ' ');
    for (size_t i = 0; i < 3 * mesh->vertices; i++)
        keep_number(s, mesh->vertex[i], ' ');
    for (size_t i = 0; i < 3 * mesh->faces; i++)
        keep_number(s, mesh->face[i], i + 1 < 3 * mesh->faces ? ' ' : '\n');
    return PH_OK;
}

/* number (n) <- the next of what was kept. */
static ph_status next_numbers(const char **from, double *number, size_t n)
{
    ph_status status = *from ? PH_OK : PH_E_PARSE;
    for (size_t i = 0; i < n && !status; i++) {
        char word[32];
        const size_t length = strcspn(*from, " \n");
        snprintf(word, sizeof word, "%.*s", (int)length, *from);
        status = length < sizeof word ? ph_parse_number(word, &number[i]) : PH_E_PARSE;
        *from += length + ((*from)[length] != '\0');
    }
    return status;
}

/* A surface of which at least four vertices and faces, and no more than there are words. */
static bool is_count(double number, size_t most)
{
    return number >= 4 && number <= (double)most && number == floor(number);
}

/* *surface <- the next line of what was kept. */
static ph_status recall_surface(ph_reading *r, const char **from, ph_surface **surface, ph_error *err)
{
    double count[2];
    const size_t most = *from ? strlen(*from) / 2 : 0;
    ph_status status = next_numbers(from, count, 2);
    if (!status && (!is_count(count[0], most) || !is_count(count[1], most)))
        status = PH_E_PARSE;
    if (!status)
        status = add_surface(r, (size_t)count[0], (size_t)count[1], surface, err);
    if (!status)
        status = next_numbers(from, (*surface)->vertex, 3 * (*surface)->mesh.vertices);
    for (size_t i = 0; !status && i < 3 * (*surface)->mesh.faces; i++) {
        double vertex;
        status = next_numbers(from, &vertex, 1);
        if (!status && !(vertex >= 0 && vertex < count[0] && vertex == floor(vertex)))
            status = PH_E_PARSE;
        if (!status)
            (*surface)->face[i] = (uint32_t)vertex;
    }
    return status;
}

/* body <- the next line of what was kept, exact (nullable) <- the one after it, where the field is exact. */
static ph_status recall(ph_reading *r, const ph_node *at, ph_mass *body, ph_surface **exact, ph_error *err)
{
    const char *from = r->kept;
    ph_status status = next_numbers(&from, (double *)(void *)body, NUMBERS);
    if (!status && exact && r->exact)
        status = recall_surface(r, &from, exact, err);
    if (status == PH_E_PARSE)
        return ph_node_fail(
            at, err, PH_E_PARSE,
            "the archive has not kept the surface that was read here; the run cannot be resumed");
    r->kept = from;
    return status ? status : keep(r->scenario, body, exact && r->exact ? &(*exact)->mesh : NULL, err);
}

/* ---- Lists in the scenario ---------------------------------------------------------------------------------- */

/* numbers (3 n, malloc) <- rows of three. */
static ph_status read_rows(const ph_node *list, const char *expected, double **numbers, size_t *n,
                           ph_error *err)
{
    ph_status status = ph_node_list(list, expected, n, err);
    if (status)
        return status;
    *numbers = malloc((*n + 1) * 3 * sizeof **numbers);
    if (!*numbers)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < *n && !status; i++) {
        const ph_node row = ph_node_item(list, i);
        status = ph_node_numbers(&row, "a list of 3 numbers", *numbers + 3 * i, 3, err);
    }
    return status;
}

/* face (3 n, malloc) <- numbers of vertices, which count from 0 in the list if it has a 0, else from 1. */
static ph_status number_faces(const ph_node *list, const double *numbers, size_t n, size_t vertices,
                              uint32_t **face, ph_error *err)
{
    *face = malloc((n + 1) * 3 * sizeof **face);
    if (!*face)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    double from = 1;
    for (size_t i = 0; i < 3 * n; i++)
        from = numbers[i] == 0 ? 0 : from;
    for (size_t i = 0; i < 3 * n; i++) {
        const double number = numbers[i] - from;
        const ph_node row = ph_node_item(list, i / 3);
        if (!(number >= 0 && number < (double)vertices && number == floor(number)))
            return ph_node_fail(&row, err, PH_E_RANGE,
                                "has %g, which no vertex is; they count from %g to %g%s", numbers[i], from,
                                (double)vertices - 1 + from, from == 0 ? ", as a face has the vertex 0" : "");
        (*face)[i] = (uint32_t)number;
    }
    return PH_OK;
}

/* A message about a face, which is an entry of a list. */
static ph_status blame_face(const ph_node *list, size_t faces, ph_status status, ph_error *err)
{
    const char *word = err ? strstr(err->message, "face ") : NULL;
    const unsigned long face = word ? strtoul(word + strlen("face "), NULL, 10) : 0;
    const ph_node at = face >= 1 && face <= faces ? ph_node_item(list, face - 1) : *list;
    return ph_node_blame(&at, err, status);
}

static ph_status read_lists(ph_reading *r, const ph_node *vertices, const ph_node *faces, double unit,
                            ph_mass *body, ph_surface **exact, int *turned, ph_error *err)
{
    double *vertex = NULL, *numbers = NULL;
    uint32_t *face = NULL;
    size_t n = 0, m = 0;
    ph_status status =
        read_rows(vertices, "a list of vertices [x, y, z], or the path of a file,", &vertex, &n, err);
    if (!status)
        status = read_rows(faces, "a list of faces [i, j, k], numbers of vertices,", &numbers, &m, err);
    if (!status)
        status = number_faces(faces, numbers, m, n, &face, err);
    for (size_t i = 0; i < 3 * n && !status; i++)
        vertex[i] *= unit;
    if (!status) {
        const ph_mesh mesh = {n, vertex, m, face};
        status = ph_mass_polyhedron(&mesh, 1, body, turned, err);
        if (status)
            blame_face(faces, m, status, err);
        else if (exact)
            status = ph_copy_surface(r, &mesh, *turned != 0, exact, err);
    }
    free(vertex);
    free(numbers);
    free(face);
    return status;
}

/* ---- Files ---------------------------------------------------------------------------------------------------- */

/* The path of a file below the scenario's directory, malloc. */
static ph_status find_file(const ph_reading *r, const ph_node *at, const char *expected, char **path,
                           ph_error *err)
{
    const char *text;
    ph_status status = ph_node_text(at, expected, &text, err);
    if (!status && !(*path = ph_path_join(*text == '/' ? "" : r->directory, text, "")))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    return status;
}

/* A message about a face, with file and line. */
static ph_status place_face(const ph_shape *shape, const char *path, ph_status status, ph_error *err)
{
    if (!err)
        return status;
    char text[sizeof err->message];
    memcpy(text, err->message, sizeof text);
    const char *word = strstr(text, "face ");
    const size_t face = word ? strtoul(word + strlen("face "), NULL, 10) : 0;
    const size_t line = face ? ph_shape_line(shape, face - 1) : 0;
    if (line)
        return ph_fail(err, status, "%.200s:%zu: %.700s", path, line, text);
    return ph_fail(err, status, "%.200s: %.700s", path, text);
}

/* Is the message one of this file (nullable)? */
static bool is_of(const ph_error *err, const char *path)
{
    const size_t n = path ? strlen(path) : 0;
    return n && err && !strncmp(err->message, path, n) && err->message[n] == ':';
}

/* first: the file of the whole surface, or that of vertices. */
static ph_status read_files(ph_reading *r, const ph_node *first, const ph_node *faces, double unit,
                            ph_mass *body, ph_surface **exact, int *turned, ph_error *err)
{
    char *path = NULL, *other = NULL;
    ph_shape *shape = NULL;
    ph_status status = find_file(
        r, first, faces->node ? "the path of a table of vertices, or a list of them," : "the path of a file",
        &path, err);
    if (!status && faces->node)
        status =
            find_file(r, faces, "the path of a table of faces, as vertices are from a file,", &other, err);
    if (!status) {
        status = other ? ph_shape_read_tables(path, other, unit, &shape, err)
                       : ph_shape_read(path, unit, &shape, err);
        if (!status) {
            const ph_mesh mesh = ph_shape_mesh(shape);
            if ((status = ph_mass_polyhedron(&mesh, 1, body, turned, err)))
                place_face(shape, other ? other : path, status, err);
            else if (exact)
                status = ph_copy_surface(r, &mesh, *turned != 0, exact, err);
        }
        if (status)
            ph_node_blame(is_of(err, other) ? faces : first, err, status);
    }
    ph_shape_free(shape);
    free(other);
    free(path);
    return status;
}

ph_status ph_read_surface(ph_reading *r, const ph_node *mesh, const ph_node *vertices, const ph_node *faces,
                          double unit, ph_mass *body, ph_surface **exact, ph_error *err)
{
    const ph_node *first = mesh->node ? mesh : vertices;
    int turned = 0;
    ph_status status;
    if (!mesh->node && ph_node_is_list(vertices)) {
        status = read_lists(r, vertices, faces, unit, body, exact, &turned, err);
    } else if (r->recalled) {
        return recall(r, first, body, exact, err);
    } else {
        status = read_files(r, first, faces, unit, body, exact, &turned, err);
        if (!status)
            status = keep(r->scenario, body, exact && r->exact ? &(*exact)->mesh : NULL, err);
    }
    if (!status && turned)
        ph_note(r->scenario, first,
                "all faces are clockwise seen from outside, inside out; they were taken the other way round");
    return status;
}
