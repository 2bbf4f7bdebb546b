/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes read from their text, as doc/reference/scenes.md describes it. The text may come from anywhere: nothing in it is believed before it has
 * been compared with the rest, and memory is taken for what is there, not for what a number says. */
#include "json.h"
#include "list.h"
#include "scene.h"

#include <polhode/domain/routh.h>
#include <polhode/kit/vector.h>

#include "lib/internal/missing.h"
#include "lib/system/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };

/* A scene that is read. */
typedef struct reader {
    ph_json json;
    ph_scene *scene;
    ph_part_list parts;
    size_t letters; /* of scene->letters that are used: the room is that of the text, which has as many */
    size_t said;    /* n_points; PH_NO_INDEX: not said */
    size_t turn;    /* its coordinate, PH_NO_INDEX: none */
} reader;

static void fail_memory(reader *r)
{
    ph_json_fail(&r->json, PH_E_NO_MEMORY, "out of memory");
}

/* *word <- the string that follows, which the scene keeps. */
static void keep_string(reader *r, const char **word)
{
    char *to = r->scene->letters + r->letters;
    const size_t n = ph_json_string(&r->json, to);
    *word = n ? to : "";
    r->letters += n;
}

/* (n + 1) zeroed entries, so that none is a block, too; NULL and a mistake without memory. */
static void *room(reader *r, size_t n, size_t size)
{
    void *block = calloc(n + 1, size);
    if (!block)
        fail_memory(r);
    return block;
}

/* ---- The configuration ------------------------------------------------------------------------------- */

static void read_names(reader *r)
{
    ph_scene *s = r->scene;
    if (!ph_json_open(&r->json, '['))
        return;
    s->nz = ph_json_count(&r->json);
    s->columns = room(r, s->nz, sizeof *s->columns);
    for (size_t i = 0; s->columns && ph_json_next(&r->json) && i < s->nz; i++)
        keep_string(r, &s->columns[i]);
}

static void read_factor(reader *r, ph_scene_factor *f)
{
    enum { KIND, Z, N, LABEL, INERTIA, STRENGTH, KEYS };
    static const char *const keys[] = {"kind", "z", "n", "label", "inertia", "strength"};
    const char *const *kinds;
    size_t n, kind = 0, key;
    bool has[KEYS] = {false};
    *f = (ph_scene_factor){.label = "", .strength = 1};
    if (!ph_json_open(&r->json, '{'))
        return;
    while ((key = ph_json_key(&r->json, keys, KEYS)) < KEYS) {
        has[key] = true;
        if (key == KIND && (kinds = ph_scene_factor_words(&n)))
            (void)ph_json_word(&r->json, kinds, n, &kind);
        else if (key == Z || key == N)
            (void)ph_json_index(&r->json, key == Z ? &f->z : &f->nz);
        else if (key == LABEL)
            keep_string(r, &f->label);
        else if (key == STRENGTH)
            (void)ph_json_number(&r->json, &f->strength);
        else
            (void)ph_json_numbers(&r->json, f->inertia, 9);
    }
    f->kind = (ph_factor_kind)kind;
    for (key = KIND; key <= N; key++)
        if (!has[key])
            ph_json_fail(&r->json, PH_E_PARSE, "this factor has no key %s", keys[key]);
}

static void read_factors(reader *r)
{
    ph_scene *s = r->scene;
    if (!ph_json_open(&r->json, '['))
        return;
    const size_t n = ph_json_count(&r->json);
    s->factors = room(r, n, sizeof *s->factors);
    for (; s->factors && ph_json_next(&r->json) && s->n_factors < n; s->n_factors++)
        read_factor(r, &s->factors[s->n_factors]);
}

static void read_turn(reader *r)
{
    enum { Z, AXIS, KEYS };
    static const char *const keys[] = {"z", "axis"};
    size_t key;
    unsigned found = 0;
    if (!ph_json_open(&r->json, '{'))
        return;
    while ((key = ph_json_key(&r->json, keys, KEYS)) < KEYS) {
        found |= 1u << key;
        if (key == Z)
            (void)ph_json_index(&r->json, &r->turn);
        else
            (void)ph_json_numbers(&r->json, r->scene->axis, 3);
    }
    if (found != 3)
        ph_json_fail(&r->json, PH_E_PARSE, "this turn must have the keys z and axis");
    r->scene->turns = true;
}

/* ---- Points ------------------------------------------------------------------------------------------ */

/* A term [a, j, c]. Coordinates are compared with their number when all is read. */
static void read_term(reader *r, size_t k)
{
    double term[3];
    if (!ph_json_numbers(&r->json, term, 3))
        return;
    const size_t axis = term[0] == 0 ? 0 : term[0] == 1 ? 1 : term[0] == 2 ? 2 : 3;
    if (axis == 3)
        ph_json_fail(&r->json, PH_E_RANGE, "the axis is %g; it must be 0, 1 or 2", term[0]);
    else if (!(term[1] >= 0 && term[1] < 9007199254740992.0 && term[1] == floor(term[1]))) /* 2^53 */
        ph_json_fail(&r->json, PH_E_RANGE, "the coordinate is %g; it must be a whole number, at least 0",
                     term[1]);
    else if (!ph_scene_points_add(&r->scene->points, k, (unsigned)axis, (size_t)term[1], term[2]))
        fail_memory(r);
}

static void read_point(reader *r, size_t k)
{
    enum { FROM, AT, ADD, KEYS };
    static const char *const keys[] = {"from", "at", "add"};
    static const double origin[3];
    ph_scene_points_list *list = &r->scene->points;
    size_t key;
    ph_scene_points_from(list, k, PH_NO_INDEX, origin);
    list->unknown[k] = ph_json_null(&r->json);
    if (list->unknown[k] || !ph_json_open(&r->json, '{'))
        return;
    while ((key = ph_json_key(&r->json, keys, KEYS)) < KEYS)
        if (key == FROM)
            (void)ph_json_index(&r->json, &list->from[k]);
        else if (key == AT)
            (void)ph_json_numbers(&r->json, list->at + 3 * k, 3);
        else
            for (bool more = ph_json_open(&r->json, '['); more && ph_json_next(&r->json);)
                read_term(r, k);
    const size_t from = list->from[k];
    if (from == PH_NO_INDEX || r->json.status)
        return;
    if (from >= k)
        ph_json_fail(&r->json, PH_E_RANGE,
                     "from is %zu; it must be an earlier point than this one, number %zu, or -1 for none",
                     from, k);
    else if (list->unknown[from])
        ph_json_fail(&r->json, PH_E_RANGE, "from is point %zu, which is null; it must be one that is known",
                     from);
}

static void read_points(reader *r)
{
    ph_scene *s = r->scene;
    if (!ph_json_open(&r->json, '['))
        return;
    const size_t n = ph_json_count(&r->json);
    if (n > PH_SCENE_MOST)
        ph_json_fail(&r->json, PH_E_SIZE, "a scene has at most %d points; here are %zu", PH_SCENE_MOST, n);
    else if (!ph_scene_points_begin(&s->points, n))
        fail_memory(r);
    for (size_t k = 0; ph_json_next(&r->json) && k < n; k++)
        read_point(r, k);
}

/* ---- Parts ------------------------------------------------------------------------------------------- */

static void read_place(reader *r, ph_scene_place *place)
{
    enum { POINT, FRAME, AT, OFFSET, KEYS };
    static const char *const keys[] = {"point", "frame", "at", "offset"};
    size_t key;
    if (!ph_json_open(&r->json, '{'))
        return;
    while ((key = ph_json_key(&r->json, keys, KEYS)) < KEYS)
        if (key == POINT || key == FRAME)
            (void)ph_json_index(&r->json, key == POINT ? &place->point : &place->frame);
        else
            (void)ph_json_numbers(&r->json, key == AT ? place->at : place->offset, 3);
}

/* *n <- how many numbers the list has that opens here, in threes; false: a mistake, or there are too many. */
static bool open_threes(reader *r, size_t *n)
{
    if (!ph_json_open(&r->json, '['))
        return false;
    *n = ph_json_count(&r->json);
    if (*n % 3)
        ph_json_fail(&r->json, PH_E_PARSE, "here are %zu numbers; there must be three for each", *n);
    else if (*n > 3 * (size_t)PH_SCENE_MESH_MOST)
        ph_json_fail(&r->json, PH_E_SIZE, "a mesh has at most %d vertices and triangles; here are %zu",
                     (int)PH_SCENE_MESH_MOST, *n / 3);
    return !r->json.status;
}

static void read_vertices(reader *r, ph_scene_mesh *m)
{
    size_t n = 0;
    if (!open_threes(r, &n) || !(m->vertex = room(r, n, sizeof *m->vertex)))
        return;
    for (size_t i = 0; ph_json_next(&r->json) && i < n; i++)
        (void)ph_json_number(&r->json, &m->vertex[i]);
    m->mesh.vertices = n / 3;
    m->mesh.vertex = m->vertex;
}

static void read_triangles(reader *r, ph_scene_mesh *m)
{
    size_t n = 0, vertex;
    if (!open_threes(r, &n) || !(m->face = room(r, n, sizeof *m->face)))
        return;
    for (size_t i = 0; ph_json_next(&r->json) && i < n; i++)
        if (ph_json_index(&r->json, &vertex)) /* none, or too large, is no vertex (ph_part_check) */
            m->face[i] = vertex < UINT32_MAX ? (uint32_t)vertex : UINT32_MAX;
    m->mesh.faces = n / 3;
    m->mesh.face = m->face;
}

/* The mesh of a part, of which a key is there; NULL and a mistake without memory. */
static ph_scene_mesh *mesh_of(reader *r, ph_scene_part *part)
{
    if (part->mesh)
        return r->scene->meshes;
    ph_scene_mesh *made = room(r, 1, sizeof *made);
    if (made) {
        made->next = r->scene->meshes;
        r->scene->meshes = made;
        part->mesh = &made->mesh;
    }
    return made;
}

static void read_part(reader *r)
{
    enum { KIND, A, B, R, SIZE, LINK, SPIN, NAME, VERTICES, TRIANGLES, KEYS };
    static const char *const keys[] = {"kind", "a",    "b",    "R",        "size",
                                       "link", "spin", "name", "vertices", "triangles"};
    ph_scene_mesh *mesh;
    ph_scene_part *part = ph_part_add(&r->parts, PH_SCENE_BALL, PH_NO_INDEX, PH_NO_INDEX);
    const ph_scene_place nowhere = part->b;
    const char *const *kinds;
    size_t key, n, kind = PH_NO_INDEX;
    if (!ph_json_open(&r->json, '{'))
        return;
    while ((key = ph_json_key(&r->json, keys, KEYS)) < KEYS)
        if (key == KIND && (kinds = ph_scene_part_words(&n)))
            (void)ph_json_word(&r->json, kinds, n, &kind);
        else if (key == A || key == B)
            read_place(r, key == A ? &part->a : &part->b);
        else if (key == R || key == SIZE)
            (void)ph_json_numbers(&r->json, key == R ? part->R : part->size, key == R ? 9 : 3);
        else if (key == LINK || key == SPIN)
            (void)ph_json_index(&r->json, key == LINK ? &part->link : &part->spin);
        else if (key == VERTICES || key == TRIANGLES) {
            if (!(mesh = mesh_of(r, part)))
                return;
            if (key == VERTICES)
                read_vertices(r, mesh);
            else
                read_triangles(r, mesh);
        } else
            keep_string(r, &part->name);
    if (kind == PH_NO_INDEX)
        ph_json_fail(&r->json, PH_E_PARSE, "this part has no key kind");
    part->kind = (ph_scene_kind)kind;
    if (!ph_part_has_end(part->kind))
        part->b = nowhere;
    if (part->kind != PH_SCENE_MESH)
        part->mesh = NULL; /* as b of what has no end */
}

static void read_parts(reader *r)
{
    for (bool more = ph_json_open(&r->json, '['); more && ph_json_next(&r->json);) {
        if (r->parts.n == 4 * PH_SCENE_MOST)
            ph_json_fail(&r->json, PH_E_SIZE, "a scene has at most %d parts", 4 * PH_SCENE_MOST);
        read_part(r);
        if (r->parts.failed)
            fail_memory(r);
    }
    r->scene->made = r->parts.at;
    r->scene->parts = r->parts.at;
    r->scene->n_parts = r->parts.n;
}

/* ---- All --------------------------------------------------------------------------------------------- */

static void read_columns(reader *r)
{
    static const char *const words[] = {"position"};
    size_t which;
    if (!ph_json_null(&r->json))
        r->scene->own = ph_json_word(&r->json, words, 1, &which);
}

/* The version says what all else means: it is looked for before that is read. */
static void read_version(reader *r)
{
    static const char *const keys[] = {"version"};
    ph_json ahead = r->json;
    double version = VERSION;
    ahead.err = NULL;
    const bool none = ph_json_open(&ahead, '{') && ph_json_key(&ahead, keys, 1) == 1;
    if (ahead.status)
        return; /* a mistake that is met again */
    ahead.err = r->json.err;
    if (none)
        ph_json_fail(&ahead, PH_E_PARSE, "there is no key version");
    else if (ph_json_number(&ahead, &version) && version != VERSION)
        ph_json_fail(&ahead, PH_E_UNSUPPORTED,
                     "the scene is of version %g; this version of Polhode reads scenes of version %d",
                     version, VERSION);
    r->json.status = ahead.status;
}

static void read_key(reader *r, size_t key)
{
    enum { VERSION_KEY, UP, Z, FACTORS, TURN, N_POINTS, COLUMNS, POINTS, PARTS };
    switch (key) {
    case VERSION_KEY: /* is known */
        ph_json_skip(&r->json);
        break;
    case UP:
        (void)ph_json_numbers(&r->json, r->scene->up, 3);
        break;
    case Z:
        read_names(r);
        break;
    case FACTORS:
        read_factors(r);
        break;
    case TURN:
        read_turn(r);
        break;
    case N_POINTS:
        (void)ph_json_index(&r->json, &r->said);
        break;
    case COLUMNS:
        read_columns(r);
        break;
    case POINTS:
        read_points(r);
        break;
    default:
        read_parts(r);
    }
}

static ph_status read_all(reader *r)
{
    static const char *const keys[] = {"version",  "up",      "z",      "factors", "turn",
                                       "n_points", "columns", "points", "parts"};
    enum { KEYS = sizeof keys / sizeof *keys };
    size_t key;
    read_version(r);
    if (ph_json_open(&r->json, '{'))
        while ((key = ph_json_key(&r->json, keys, KEYS)) < KEYS)
            read_key(r, key);
    return ph_json_end(&r->json);
}

/* ---- Does it fit together? --------------------------------------------------------------------------- */

/* How many coordinates the kind has; 0: any number. */
static size_t coordinates_of(ph_factor_kind kind)
{
    return kind == PH_FACTOR_S1                             ? 2
           : kind == PH_FACTOR_S2 || kind == PH_FACTOR_SPIN ? 3
           : kind == PH_FACTOR_SO3                          ? 9
                                                            : 0;
}

/* The factors have all coordinates, one factor after the other. */
static ph_status check_factors(const ph_scene *s, ph_error *err)
{
    size_t at = 0, n;
    const char *const *words = ph_scene_factor_words(&n);
    if (!s->columns || !s->factors)
        return ph_fail(err, PH_E_PARSE, "the scene has no key %s", s->columns ? "factors" : "z");
    for (size_t i = 0; i < s->n_factors; i++) {
        const ph_scene_factor *f = &s->factors[i];
        const size_t right = coordinates_of(f->kind);
        if (f->z != at)
            return ph_fail(
                err, PH_E_RANGE,
                "the scene: the first coordinate z of factors[%zu] must be %zu, as the factors follow one another",
                i, at);
        if (right && f->nz != right)
            return ph_fail(err, PH_E_SIZE, "the scene: n of factors[%zu] must be %zu, as it is %s", i, right,
                           words[f->kind]);
        if (f->nz < 1 || f->nz > s->nz - at)
            return ph_fail(
                err, PH_E_SIZE,
                "the scene: n of factors[%zu] must be from 1 to %zu, the coordinates that are left", i,
                s->nz - at);
        at += f->nz;
    }
    return at == s->nz && at
               ? PH_OK
               : ph_fail(err, PH_E_SIZE,
                         "the scene has %zu coordinates z, and its factors have %zu; these must be the "
                         "same, and at least 1",
                         s->nz, at);
}

/* s->phase <- the factor by which it turns. */
static ph_status check_turn(ph_scene *s, size_t coordinate, ph_error *err)
{
    const double size = ph_norm3(s->axis);
    if (!s->turns)
        return PH_OK;
    while (s->phase < s->n_factors && s->factors[s->phase].z != coordinate)
        s->phase++;
    if (s->phase == s->n_factors || s->factors[s->phase].nz != 1)
        return ph_fail(err, PH_E_RANGE,
                       "the scene: z of its turn must be the coordinate of a factor that has only this one");
    if (!(size > 0 && isfinite(size)))
        return ph_fail(err, PH_E_INVALID, "the scene: the axis of its turn has no direction");
    if (s->nz - 1 > PH_ROUTH_MOST)
        return ph_fail(err, PH_E_SIZE, "the scene: what turns has at most %d coordinates; here are %zu",
                       PH_ROUTH_MOST, s->nz - 1);
    return PH_OK;
}

static ph_status check_points(const ph_scene *s, size_t said, ph_error *err)
{
    const ph_scene_points_list *list = &s->points;
    if (said != PH_NO_INDEX && said != list->n)
        return ph_fail(err, PH_E_SIZE, "the scene: n_points is %zu, and points has %zu", said, list->n);
    for (size_t k = 0; k < list->n; k++)
        for (size_t i = list->begin[k]; i < list->begin[k + 1]; i++)
            if (list->terms[i].at >= s->nz)
                return ph_fail(
                    err, PH_E_RANGE,
                    "the scene: points[%zu] has the coordinate %zu; there are %zu, numbered from 0", k,
                    list->terms[i].at, s->nz);
    return PH_OK;
}

static ph_status check_parts(const ph_scene *s, ph_error *err)
{
    const ph_parts_stage stage = {
        .listed = s->factors, .factors = s->n_factors, .points = s->points.n, .none = "-1"};
    for (size_t i = 0; i < s->n_parts; i++) {
        ph_error why;
        const ph_status status = ph_part_check(&stage, i, &s->parts[i], &why);
        if (status)
            return ph_fail(err, status, "the scene: %s", why.message);
    }
    return PH_OK;
}

static ph_status check(reader *r, ph_error *err)
{
    ph_scene *s = r->scene;
    if (!(fabs(ph_norm3(s->up) - 1) < 1e-9))
        return ph_fail(err, PH_E_INVALID, "the scene: up is no unit vector");
    ph_status status = check_factors(s, err);
    status = status ? status : check_turn(s, r->turn, err);
    status = status ? status : check_points(s, r->said, err);
    return status ? status : check_parts(s, err);
}

ph_status ph_scene_read(const char *text, ph_scene **scene, ph_error *err)
{
    *scene = NULL;
    if (!text)
        return ph_not_created(err, "text", "ph_scene_text or an archive");
    ph_scene *s = calloc(1, sizeof *s);
    char *letters = malloc(strlen(text) + 1);
    if (!s || !letters) {
        free(s);
        free(letters);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    s->letters = letters;
    s->up[2] = 1;
    reader r = {
        .json = ph_json_begin("the scene", text, err), .scene = s, .said = PH_NO_INDEX, .turn = PH_NO_INDEX};
    ph_status status = read_all(&r);
    status = status ? status : check(&r, err);
    if (!status && !ph_scene_write(s))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status)
        ph_scene_free(s);
    else
        *scene = s;
    return status;
}
