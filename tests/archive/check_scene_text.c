/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes as text, read by SQLite's JSON: of every model points as the text has them against the model's own, parts against those
 * of the scene, the names of coordinates against the columns of an archive; which archives have a scene. */
#include "tests/kit/extremes.h"
#include "tests/kit/recording.h"

#include <locale.h>

#include <polhode/domain/routh.h>
#include <polhode/domain/scene.h>

#include <sqlite3.h>

static sqlite3 *reader;

static void begin(void)
{
    io_make_folder();
    ck_assert_int_eq(sqlite3_open(":memory:", &reader), SQLITE_OK);
}

static void end(void)
{
    ck_assert_int_eq(sqlite3_close(reader), SQLITE_OK);
    io_remove_folder();
}

/* A query on this text, its ?1. Finalize it. */
static sqlite3_stmt *ask(const char *sql, const char *text)
{
    sqlite3_stmt *query;
    ck_assert_msg(!sqlite3_prepare_v2(reader, sql, -1, &query, NULL), "%s", sqlite3_errmsg(reader));
    ck_assert_int_eq(sqlite3_bind_text(query, 1, text, -1, SQLITE_STATIC), SQLITE_OK);
    return query;
}

static bool more(sqlite3_stmt *query)
{
    const int result = sqlite3_step(query);
    ck_assert_msg(result == SQLITE_ROW || result == SQLITE_DONE, "%s", sqlite3_errmsg(reader));
    return result == SQLITE_ROW;
}

static double first_number(const char *sql, const char *text)
{
    sqlite3_stmt *query = ask(sql, text);
    ck_assert(more(query));
    const double value = sqlite3_column_double(query, 0);
    sqlite3_finalize(query);
    return value;
}

static bool same(double value, double truth)
{
    return fabs(value - truth) <=
           1e-15 * fabs(truth); /* a text of 17 digits; SQLite may round its last one */
}

/* ---- Points ------------------------------------------------------------------------------------------- */

/* Point k of x (3 n) += its terms: of the text; `known` whether it is one that the text has. */
static void read_points(const char *text, const double *z, size_t nz, size_t n, double *x, bool *known)
{
    sqlite3_stmt *begins = ask(
        "SELECT key, type = 'object', json_extract(value, '$.from'), json_extract(value, '$.at[0]'), "
        "json_extract(value, '$.at[1]'), json_extract(value, '$.at[2]') FROM json_each(?1, '$.points') ORDER BY key",
        text);
    sqlite3_stmt *terms = ask(
        "SELECT p.key, json_extract(t.value, '$[0]'), json_extract(t.value, '$[1]'), json_extract(t.value, '$[2]') "
        "FROM json_each(?1, '$.points') p, json_each(p.value, '$.add') t WHERE p.type = 'object' ORDER BY p.key",
        text);
    bool left = more(terms);
    size_t k = 0;
    for (; more(begins); k++) {
        ck_assert_uint_lt(k, n);
        known[k] = sqlite3_column_int(begins, 1);
        const int64_t from = known[k] ? sqlite3_column_int64(begins, 2) : -1;
        ck_assert(from >= -1 && from < (int64_t)k && (from < 0 || known[from]));
        for (int a = 0; a < 3; a++)
            x[3 * k + (size_t)a] = sqlite3_column_double(begins, 3 + a) + (from < 0 ? 0 : x[3 * from + a]);
        for (; left && (size_t)sqlite3_column_int64(terms, 0) == k; left = more(terms)) {
            const int64_t axis = sqlite3_column_int64(terms, 1), at = sqlite3_column_int64(terms, 2);
            ck_assert(axis >= 0 && axis < 3 && at >= 0 && at < (int64_t)nz);
            x[3 * k + (size_t)axis] += sqlite3_column_double(terms, 3) * z[at];
        }
    }
    ck_assert_uint_eq(k, n);
    ck_assert(!left);
    sqlite3_finalize(begins);
    sqlite3_finalize(terms);
}

static void *room(size_t n, size_t size)
{
    void *block = calloc(n + 1, size);
    ck_assert_ptr_nonnull(block);
    return block;
}

/* Returns how many points are not in the text. */
static size_t check_points(const char *who, const ph_system *system, const ph_scene *scene)
{
    const ph_space *space = ph_system_space(system);
    const size_t n = ph_scene_count(scene), nz = ph_space_ambient(space);
    TK_MEMORY double *z = room(nz, sizeof *z), *x = room(3 * n, sizeof *x), *y = room(3 * n, sizeof *y);
    TK_MEMORY bool *known = room(n, sizeof *known);
    size_t missing = 0;
    for (unsigned seed = 1; seed <= 3; seed++) {
        double scale = 0;
        for (size_t i = 0; i < nz; i++)
            z[i] = cos(1.9 * (double)i + seed);
        tk_ok(ph_space_project(space, z));
        read_points(ph_scene_text(scene), z, nz, n, x, known);
        if (!ph_system_points(system))
            tk_ok(ph_scene_points(scene, z, y, NULL));
        else
            tk_ok(ph_system_places(system, 0, z, y));
        for (size_t i = 0; i < 3 * n; i++)
            scale = fmax(scale, fabs(y[i]));
        for (size_t i = 0; i < 3 * n; i++) /* roundings of n terms of the largest size */
            ck_assert_msg(!known[i / 3] || fabs(x[i] - y[i]) <= 1e-14 * scale,
                          "%s: number %zu: %.17g, not %.17g", who, i, x[i], y[i]);
    }
    for (size_t k = 0; k < n; k++)
        missing += !known[k];
    ck_assert_int_eq(missing == 0, ph_scene_is_affine(scene));
    return missing;
}

/* ---- Parts -------------------------------------------------------------------------------------------- */

#define PLACE(key)                                                                                           \
    "ifnull(json_extract(value, '$." key ".point'), -1), ifnull(json_extract(value, '$." key                 \
    ".frame'), -1), "                                                                                        \
    "ifnull(json_extract(value, '$." key ".at[0]'), 0), ifnull(json_extract(value, '$." key ".at[1]'), 0), " \
    "ifnull(json_extract(value, '$." key ".at[2]'), 0), ifnull(json_extract(value, '$." key                  \
    ".offset[0]'), 0), "                                                                                     \
    "ifnull(json_extract(value, '$." key ".offset[1]'), 0), ifnull(json_extract(value, '$." key              \
    ".offset[2]'), 0)"

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

static int64_t number(size_t index)
{
    return index == PH_NO_INDEX ? -1 : (int64_t)index;
}

/* Columns i ... i + 7 of the row are this place. */
static void check_place(sqlite3_stmt *row, int i, const ph_scene_place *place)
{
    ck_assert_int_eq(sqlite3_column_int64(row, i), number(place->point));
    ck_assert_int_eq(sqlite3_column_int64(row, i + 1), number(place->frame));
    for (int a = 0; a < 3; a++) {
        ck_assert(same(sqlite3_column_double(row, i + 2 + a), place->at[a]));
        ck_assert(same(sqlite3_column_double(row, i + 5 + a), place->offset[a]));
    }
}

static void check_part(sqlite3_stmt *row, const ph_scene_part *part)
{
    const bool ends =
        part->kind == PH_SCENE_LINE || part->kind == PH_SCENE_TUBE || part->kind == PH_SCENE_ARROW;
    const char *name = (const char *)sqlite3_column_text(row, 2);
    ck_assert_str_eq((const char *)sqlite3_column_text(row, 0), words[part->kind]);
    ck_assert_int_eq(sqlite3_column_int64(row, 1), number(part->link));
    ck_assert_int_eq(sqlite3_column_int64(row, 32), number(part->spin));
    ck_assert(part->name ? name && !strcmp(name, part->name) : !name);
    for (int k = 0; k < 3; k++)
        ck_assert(same(sqlite3_column_double(row, 3 + k), part->size[k]));
    check_place(row, 6, &part->a);
    ck_assert_int_eq(sqlite3_column_int(row, 22), ends);
    if (ends)
        check_place(row, 14, &part->b);
    for (int k = 0; k < 9; k++)
        ck_assert(same(sqlite3_column_double(row, 23 + k), part->R[k]));
}

static void check_parts(const ph_scene *scene)
{
    size_t n, i = 0;
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    sqlite3_stmt *row = ask(
        "SELECT json_extract(value, '$.kind'), ifnull(json_extract(value, '$.link'), -1), json_extract(value, '$.name'), "
        "ifnull(json_extract(value, '$.size[0]'), 0), ifnull(json_extract(value, '$.size[1]'), 0), "
        "ifnull(json_extract(value, '$.size[2]'), 0), " PLACE("a") ", " PLACE(
            "b") ", "
                 "json_type(value, '$.b') IS NOT NULL, json_extract(value, '$.R[0]'), json_extract(value, '$.R[1]'), "
                 "json_extract(value, '$.R[2]'), json_extract(value, '$.R[3]'), json_extract(value, '$.R[4]'), "
                 "json_extract(value, '$.R[5]'), json_extract(value, '$.R[6]'), json_extract(value, '$.R[7]'), "
                 "json_extract(value, '$.R[8]'), ifnull(json_extract(value, '$.spin'), -1) "
                 "FROM json_each(?1, '$.parts') ORDER BY key",
        ph_scene_text(scene));
    for (; more(row); i++) {
        ck_assert_uint_lt(i, n);
        check_part(row, &parts[i]);
    }
    ck_assert_uint_eq(i, n);
    sqlite3_finalize(row);
}

/* ---- Factors ------------------------------------------------------------------------------------------ */

static void check_factors(const ph_system *system, const char *text)
{
    static const char *const kinds[] = {
        [PH_FACTOR_R] = "R",     [PH_FACTOR_S2] = "S2",     [PH_FACTOR_S1] = "S1",
        [PH_FACTOR_SO3] = "SO3", [PH_FACTOR_SPIN] = "spin", [PH_FACTOR_EMBEDDED] = "embedded"};
    const ph_space *space = ph_system_space(system);
    sqlite3_stmt *row =
        ask("SELECT json_extract(value, '$.kind'), json_extract(value, '$.z'), json_extract(value, '$.n') "
            "FROM json_each(?1, '$.factors') ORDER BY key",
            text);
    size_t i = 0;
    for (; more(row); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        ck_assert_str_eq((const char *)sqlite3_column_text(row, 0), kinds[f->kind]);
        ck_assert_int_eq(sqlite3_column_int64(row, 1), (int64_t)f->z);
        ck_assert_int_eq(sqlite3_column_int64(row, 2), (int64_t)f->nz);
    }
    ck_assert_uint_eq(i, ph_space_factors(space));
    sqlite3_finalize(row);
    ck_assert_double_eq(first_number("SELECT count(*) FROM json_each(?1, '$.z')", text),
                        (double)ph_space_ambient(space));
}

/* In a locale with a decimal comma, too, where this machine has one. */
TEST_EACH(every_model, 2)
{
    size_t contacts = 0;
    if (_i)
        setlocale(LC_NUMERIC, "de_DE.UTF-8");
    for (size_t m = 0; m < ph_models(); m++) {
        const ph_model *model = ph_model_at(m);
        for (size_t preset = 0; preset < model->n_presets; preset++) {
            TK_MAKE(ph_system, system,
                    ph_model_build_for(model, model->presets[preset].name, NULL, 0, &system, NULL));
            TK_MAKE(ph_scene, scene, ph_scene_create(system, &scene, NULL));
            const char *text = ph_scene_text(scene);
            ck_assert_msg(first_number("SELECT json_valid(?1)", text) == 1, "%s: %s", model->name, text);
            ck_assert_ptr_null(strchr(text, '\n'));
            ck_assert_double_eq(first_number("SELECT json_extract(?1, '$.version')", text), 1);
            check_factors(system, text);
            contacts += check_points(model->name, system, scene) > 0;
            check_parts(scene);
        }
    }
    setlocale(LC_NUMERIC, "C");
    ck_assert_uint_gt(contacts, 0); /* of the rattleback and the disk */
}

/* Of a reduced system: the phase is the last coordinate, by which the points, which are those of the whole, are turned. */
TEST(reduced)
{
    TK_OWN(ph_system) *whole = NULL, *system = NULL;
    TK_OWN(ph_scene) *scene = NULL, *other = NULL;
    tk_ok(ph_model_build(ph_model_find("double-spherical-pendulum", NULL), NULL, 0, &whole, NULL));
    tk_ok(ph_routh_create(whole, 0, &system, NULL));
    tk_ok(ph_scene_create(system, &scene, NULL));
    tk_ok(ph_scene_create(whole, &other, NULL));
    const char *text = ph_scene_text(scene);
    check_factors(system, text);
    check_parts(scene);
    ck_assert_double_eq(first_number("SELECT json_extract(?1, '$.turn.z')", text), 6);
    const double *axis = ph_system_symmetry(whole, 0)->axis;
    ck_assert_double_eq(first_number("SELECT json_extract(?1, '$.turn.axis[0]')", text), axis[0]);
    ck_assert_double_eq(first_number("SELECT json_extract(?1, '$.turn.axis[1]')", text), axis[1]);
    ck_assert_double_eq(first_number("SELECT json_extract(?1, '$.turn.axis[2]')", text), axis[2]);
    ck_assert_double_eq(first_number("SELECT json_extract(?1, '$.points[1].from')", text), 0);
    ck_assert_double_eq(first_number("SELECT json_array_length(?1, '$.points[1].add')", text), 3);
    ck_assert_double_eq(first_number("SELECT json_type(?1, '$.turn') IS NULL", ph_scene_text(other)), 1);
}

/* A name with quotes, a backslash, a control character and letters of UTF-8 survives. */
TEST(names)
{
    static const char name[] = "the \"bob\" \\ \n\t\x01 \xc3\xa9";
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 3};
    const double mass = 1;
    const ph_scene_part part = {.kind = PH_SCENE_BALL,
                                .a = {.point = 0, .frame = PH_NO_INDEX},
                                .size = {1e-300, 0, 0},
                                .link = PH_NO_INDEX,
                                .spin = PH_NO_INDEX,
                                .name = name};
    const ph_system_definition d = {.inertia = &mass, .parts = &part, .n_parts = 1};
    TK_OWN(ph_system) *system = tk_system(d, &factor, 1);
    TK_MAKE(ph_scene, scene, ph_scene_create(system, &scene, NULL));
    check_parts(scene);
}

static void has_json(const char *model, const ph_system *system)
{
    TK_MAKE(ph_scene, scene, ph_scene_create(system, &scene, NULL));
    ck_assert_msg(first_number("SELECT json_valid(?1)", ph_scene_text(scene)) == 1, "%s", model);
}

/* With parameters whose parts overflow a system is created all the same, and its scene is JSON. */
TEST(extreme)
{
    ck_assert_uint_gt(for_extremes(has_json), 0);
}

/* ---- Archives ------------------------------------------------------------------------------------------ */

TEST(in_archives)
{
    ph_scene *scene;
    RECORDING(t, 3);
    rec_close(&t);
    ph_record *record = rec_open("r");
    tk_ok(ph_scene_create(t.r.system, &scene, NULL));
    ck_assert_ptr_nonnull(ph_record_meta(record, "scene"));
    ck_assert_str_eq(ph_record_meta(record, "scene"), ph_scene_text(scene));
    ph_scene_free(scene);
    ph_record_close(record);
    /* each coordinate is a column, in their order */
    ck_assert_int_eq(rec_number("SELECT count(*) FROM meta, json_each(meta.value, '$.z') z JOIN columns c "
                                "ON c.name = z.value AND c.i = 2 + z.key WHERE meta.key = 'scene'"),
                     6);
}

/* An archive of a system that is too large for a scene has none, and is otherwise as others. */
TEST(too_large)
{
    const double links = PH_SCENE_MOST + 1;
    const ph_parameter_value value = {"links", &links, 1};
    const size_t n = 3 * (size_t)links;
    TK_MEMORY double *z = room(n, sizeof *z), *zdot = room(n, sizeof *zdot);
    TK_OWN(ph_system) *system = tk_build("chain-pendulum", &value, 1);
    ph_archive *archive;
    tk_preset("chain-pendulum", &value, 1, NULL, z, zdot);
    TK_MAKE(
        ph_integrator, integrator,
        ph_integrator_create(system, ph_method_find("variational", NULL), 1e-3, NULL, 0, &integrator, NULL));
    TK_MAKE(ph_state, state, ph_state_create(integrator, &state, NULL));
    tk_ok(ph_state_set_velocity(integrator, state, 0, z, zdot, PH_STRICT, NULL));
    TK_MAKE(ph_diagnostics, diagnostics, ph_diagnostics_create(system, &diagnostics, NULL));
    TK_MAKE(ph_monitor, monitor, ph_monitor_create(diagnostics, 0, 1, &monitor, NULL));
    const ph_archive_plan plan = {.scenario = rec_text,
                                  .length = strlen(rec_text),
                                  .name = "s.yaml",
                                  .source = "/there/s.yaml",
                                  .model = "chain-pendulum",
                                  .integrator = integrator,
                                  .steps = 1000};
    tk_ok(ph_archive_create(io_path("r"), &plan, state, monitor, 1e9, &archive, NULL));
    ph_archive_abandon(archive);
    TK_OWN(ph_record) *record = rec_open("r");
    ck_assert_ptr_null(ph_record_meta(record, "scene"));
    ck_assert_str_eq(ph_record_meta(record, "model"), "chain-pendulum");
}

int main(void)
{
    return tk_run_in("scene text", begin, end);
}
