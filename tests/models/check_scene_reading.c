/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes read from their text: of every model and of reduced systems they say the same as the scenes that wrote it, number by number; a text
 * written by hand against places computed by hand; what is refused, with which words; texts that are cut off, deep, or changed at random. */
#include "tests/kit/extremes.h"
#include "tests/kit/testkit.h"

#include <locale.h>

#include <polhode/domain/routh.h>
#include <polhode/domain/scene.h>

/* ---- Against the scene that wrote it ---------------------------------------------------------------------- */

static void same_numbers(const char *who, const double *x, const double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) /* 0 == -0 */
        ck_assert_msg(x[i] == y[i] || (isnan(x[i]) && isnan(y[i])), "%s: number %zu: %.17g, not %.17g", who,
                      i, x[i], y[i]);
}

static bool has_end(const ph_scene_part *part)
{
    return part->kind == PH_SCENE_LINE || part->kind == PH_SCENE_TUBE || part->kind == PH_SCENE_ARROW;
}

static void same_part(const char *who, const ph_scene_part *p, const ph_scene_part *q)
{
    ck_assert_int_eq(p->kind, q->kind);
    ck_assert_uint_eq(p->a.point, q->a.point);
    ck_assert_uint_eq(p->a.frame, q->a.frame);
    if (has_end(p)) {
        ck_assert_uint_eq(p->b.point, q->b.point);
        ck_assert_uint_eq(p->b.frame, q->b.frame);
    }
    ck_assert_uint_eq(p->link, q->link);
    ck_assert_uint_eq(p->spin, q->spin);
    same_numbers(who, p->R, q->R, 9);
    same_numbers(who, p->size, q->size, 3);
    ck_assert(p->name ? q->name && !strcmp(p->name, q->name) : !q->name);
    ck_assert(!p->mesh == !q->mesh);
}

/* Columns are named as those of a trajectory; factors are those of the space. */
static void same_configuration(const ph_system *system, const ph_scene *scene)
{
    static const char *const word[] = {"configuration"};
    const ph_space *space = ph_system_space(system);
    ph_columns *columns;
    size_t n;
    char room[PH_COLUMN_NAME];
    tk_ok(ph_columns_create(system, word, 1, &columns, NULL));
    ck_assert_uint_eq(ph_scene_ambient(scene), ph_space_ambient(space));
    ck_assert_uint_eq(ph_scene_ambient(scene), ph_columns_count(columns));
    for (size_t i = 0; i < ph_columns_count(columns); i++)
        ck_assert_str_eq(ph_scene_column(scene, i), ph_columns_name(columns, i, room));
    ph_columns_free(columns);
    const ph_scene_factor *factors = ph_scene_factors(scene, &n);
    ck_assert_uint_eq(n, ph_space_factors(space));
    for (size_t i = 0; i < n; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        ck_assert_int_eq(factors[i].kind, f->kind);
        ck_assert_uint_eq(factors[i].z, f->z);
        ck_assert_uint_eq(factors[i].nz, f->nz);
        ck_assert(!strncmp(ph_scene_column(scene, f->z), factors[i].label, strlen(factors[i].label)));
    }
}

/* Points, both ends of parts and attitudes at z. */
static void same_places(const char *who, const ph_scene *scene, const ph_scene *read, const double *z)
{
    const size_t points = ph_scene_count(scene);
    double *x = calloc(6 * points + 1, sizeof *x), *y = x + 3 * points;
    size_t n, m;
    const ph_scene_part *parts = ph_scene_parts(scene, &n), *others = ph_scene_parts(read, &m);
    ck_assert_ptr_nonnull(x);
    ck_assert_int_eq(ph_scene_points(scene, z, x, NULL), ph_scene_points(read, z, y, NULL));
    same_numbers(who, y, x, 3 * points);
    ck_assert_uint_eq(n, m);
    for (size_t i = 0; i < n; i++) {
        double a[9], b[9];
        same_part(who, &parts[i], &others[i]);
        ph_scene_locate(scene, &parts[i].a, z, x, a);
        ph_scene_locate(read, &others[i].a, z, x, b);
        same_numbers(who, b, a, 3);
        ph_scene_attitude(scene, &parts[i], z, a);
        ph_scene_attitude(read, &others[i], z, b);
        same_numbers(who, b, a, 9);
        if (!has_end(&parts[i]))
            continue;
        ph_scene_locate(scene, &parts[i].b, z, x, a);
        ph_scene_locate(read, &others[i].b, z, x, b);
        same_numbers(who, b, a, 3);
    }
    free(x);
}

static void same_scenes(const char *who, const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    tk_random r = {2024};
    TK_OWN(ph_scene) *scene = NULL, *read = NULL;
    size_t n, m;
    double up[3], other[3], *z = calloc(2 * ph_space_ambient(space), sizeof *z);
    ck_assert_ptr_nonnull(z);
    ck_assert_msg(!ph_scene_create(system, &scene, tk_err), "%s: %s", who, tk_err->message);
    ck_assert_msg(!ph_scene_read(ph_scene_text(scene), &read, tk_err), "%s: %s", who, tk_err->message);
    ck_assert_str_eq(ph_scene_text(read), ph_scene_text(scene));
    ck_assert_uint_eq(ph_scene_count(read), ph_scene_count(scene));
    ck_assert_int_eq(ph_scene_is_affine(read), ph_scene_is_affine(scene));
    ph_scene_up(scene, up);
    ph_scene_up(read, other);
    same_numbers(who, other, up, 3);
    same_configuration(system, scene);
    same_configuration(system, read);
    const ph_scene_factor *f = ph_scene_factors(scene, &n), *g = ph_scene_factors(read, &m);
    for (size_t i = 0; i < n; i++) {
        ck_assert_str_eq(f[i].label, g[i].label);
        same_numbers(who, g[i].inertia, f[i].inertia, 9);
    }
    for (size_t k = 0; k < 3; k++) {
        tk_random_motion(system, &r, z, z + ph_space_ambient(space));
        same_places(who, scene, read, z);
    }
    free(z);
}

/* In a locale with a decimal comma, too, where this machine has one. */
TEST_EACH(every_model, 2)
{
    if (_i)
        setlocale(LC_NUMERIC, "de_DE.UTF-8");
    for (size_t m = 0; m < ph_models(); m++) {
        const ph_model *model = ph_model_at(m);
        for (size_t preset = 0; preset < model->n_presets; preset++) {
            TK_MAKE(ph_system, system,
                    ph_model_build_for(model, model->presets[preset].name, NULL, 0, &system, NULL));
            same_scenes(model->name, system);
        }
    }
    setlocale(LC_NUMERIC, "C");
}

/* By each rotation of each model that can be reduced: the phase turns points, ends and attitudes alike. */
TEST(reduced)
{
    size_t found = 0;
    for (size_t m = 0; m < ph_models(); m++) {
        ph_system *whole, *system;
        tk_ok(ph_model_build(ph_model_at(m), NULL, 0, &whole, NULL));
        for (size_t i = 0; i < ph_system_symmetries(whole); i++)
            if (!ph_routh_create(whole, i, &system, NULL)) {
                same_scenes(ph_model_at(m)->name, system);
                ph_system_free(system);
                found++;
            }
        ph_system_free(whole);
    }
    printf("%zu reduced systems\n", found);
    ck_assert_uint_gt(found, 10);
}

/* With extreme parameters whatever overflows is left out of a text, which can be read. */
TEST(extreme)
{
    ck_assert_uint_gt(for_extremes(same_scenes), 2);
}

/* ---- By hand ---------------------------------------------------------------------------------------------- */

/* A slider on e1, a rod of 2 m on S^2 from it, a wheel on S^1; keys in any order, with others that are not known, and an escaped one. */
static const char by_hand[] =
    "\n { \"points\" : [ {\"add\": [[0, 0, 1]], \"from\": -1, \"at\": [0, 0, 0.5]},\n"
    "    {\"from\": 0, \"later\": {\"a\": [1, {}, []]}, \"add\": [[0,1,2],[1,2,2e0],[2,3,20E-1]]}, null ],\n"
    "  \"n_points\": 3, \"z\": [\"s\", \"n\\u0061x\", \"nay\", \"naz\", \"cos\", \"sin\"],\n"
    "  \"factors\": [{\"kind\": \"R\", \"z\": 0, \"n\": 1}, {\"kind\": \"S2\", \"z\": 1, \"n\": 3, \"label\": \"na\"},\n"
    "     {\"n\": 2, \"z\": 4, \"kind\": \"S1\"}], \"unknown\": [true, false, null, -0.5e-3, \"\\\"\\\\\\/\\b\\f\\n\\r\\t\"],\n"
    "  \"v\\u0065rsion\": 1.0, \"up\": [0, 0.6, -0.8],\n"
    "  \"parts\": [{\"kind\": \"line\", \"a\": {\"point\": 0}, \"b\": {\"point\": 1}, \"name\": \"rod \\ud835\\udf0c\\u00e9\\u20ac\"},\n"
    "     {\"kind\": \"cylinder\", \"a\": {\"point\": 1, \"frame\": 2, \"at\": [0, 0, 1], \"offset\": [3, 0, 0]},\n"
    "      \"R\": [0,0,1, 1,0,0, 0,1,0], \"size\": [1, 2, 3], \"spin\": 2, \"link\": -1},\n"
    "     {\"kind\": \"arrow\", \"a\": {}, \"b\": {\"frame\": 1, \"offset\": [0.25, 7, 7]}}]}\t\n";

TEST(written_by_hand)
{
    const double z[6] = {0.3, 0.36, 0.48, 0.8, 0.6, 0.8};
    double x[9] = {0}, up[3], end[3], G[9];
    size_t n;
    TK_MAKE(ph_scene, scene, ph_scene_read(by_hand, &scene, tk_err));
    ck_assert_uint_eq(ph_scene_ambient(scene), 6);
    ck_assert_str_eq(ph_scene_column(scene, 1), "nax");
    ck_assert_uint_eq(ph_scene_count(scene), 3);
    ck_assert(!ph_scene_is_affine(scene)); /* one of them is null */
    tk_returns(ph_scene_points(scene, z, x, tk_err), PH_E_UNSUPPORTED);
    const ph_scene_factor *factors = ph_scene_factors(scene, &n);
    ck_assert_uint_eq(n, 3);
    ck_assert_int_eq(factors[2].kind, PH_FACTOR_S1);
    ck_assert_str_eq(factors[1].label, "na");
    ck_assert_str_eq(factors[2].label, "");
    ph_scene_up(scene, up);
    same_numbers("up", up, (const double[]){0, 0.6, -0.8}, 3);
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    ck_assert_uint_eq(n, 3);
    ck_assert_str_eq(parts[0].name, "rod \xf0\x9d\x9c\x8c\xc3\xa9\xe2\x82\xac");
    ck_assert_ptr_null(parts[1].name);
    ck_assert_uint_eq(parts[1].link, PH_NO_INDEX);
    /* the wheel: its point, 1 above, and 3 along e1 turned by the angle (0.6, 0.8) */
    x[3] = 1;
    x[4] = 2;
    x[5] = 3;
    ph_scene_locate(scene, &parts[1].a, z, x, end);
    same_numbers("wheel", end, (const double[]){1 + 3 * 0.6, 2 + 3 * 0.8, 4}, 3);
    ph_scene_locate(scene, &parts[2].b, z, x, end);
    same_numbers("arrow", end, (const double[]){0.25 * 0.36, 0.25 * 0.48, 0.25 * 0.8}, 3);
    /* F R S: S turns e1 to 0.6 e1 + 0.8 e2, R those to e2 and e3, F e2 to -0.8 e1 + 0.6 e2 */
    ph_scene_attitude(scene, &parts[1], z, G);
    const double first[3] = {-0.8 * 0.6, 0.6 * 0.6, 0.8};
    for (size_t a = 0; a < 3; a++)
        ck_assert_double_eq_tol(G[3 * a], first[a], 1e-15);
}

/* The same points without the one that is null, and turned by a phase: a quarter turn about e3 takes (x, y, z) to (-y, x, z). */
TEST(turned_by_hand)
{
    static const char text[] =
        "{\"version\":1,\"z\":[\"a\",\"b\",\"c\",\"phi\"],\"factors\":[{\"kind\":\"R\",\"z\":0,\"n\":3},{\"kind\":\"R\",\"z\":3,\"n\":1}],"
        "\"turn\":{\"axis\":[0,0,2],\"z\":3},\"columns\":\"position\","
        "\"points\":[{\"add\":[[0,0,1],[1,1,1],[2,2,1]]},{\"from\":0,\"at\":[0,0,4],\"add\":[[0,0,1]]}]}";
    const double z[4] = {5, 7, 11, atan(1)};
    double x[6], up[3];
    size_t n;
    TK_MAKE(ph_scene, scene, ph_scene_read(text, &scene, tk_err));
    tk_returns(ph_scene_points(scene, z, x, tk_err), PH_OK);
    const double right[6] = {-7, 5, 11, -14, 5, 15};
    for (size_t i = 0; i < 6; i++)
        ck_assert_double_eq_tol(x[i], right[i], 4e-15);
    ck_assert_ptr_null(ph_scene_parts(scene, &n));
    ck_assert_uint_eq(n, 0);
    ph_scene_up(scene, up);
    same_numbers("up", up, (const double[]){0, 0, 1}, 3);
    ck_assert_ptr_nonnull(strstr(ph_scene_text(scene), "\"columns\":\"position\""));
    ck_assert_ptr_nonnull(strstr(ph_scene_text(scene), "\"turn\":{\"z\":3,\"axis\":[0,0,2]}"));
}

/* A name of a part that is not UTF-8 is written with U+FFFD, so that the text is JSON all the same. */
TEST(names_of_bytes)
{
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 3};
    const double mass = 1;
    const ph_scene_part part = {.kind = PH_SCENE_BALL,
                                .a = {.point = 0, .frame = PH_NO_INDEX},
                                .link = PH_NO_INDEX,
                                .spin = PH_NO_INDEX,
                                .name = "a\xff\xc3z\xef\xbf\xbd \xc3\xa9\x01\""};
    TK_OWN(ph_scene) *scene = NULL, *read = NULL;
    size_t n;
    const ph_system_definition d = {.inertia = &mass, .parts = &part, .n_parts = 1};
    TK_OWN(ph_system) *system = tk_system(d, &factor, 1);
    tk_ok(ph_scene_create(system, &scene, NULL));
    tk_ok(ph_scene_read(ph_scene_text(scene), &read, NULL));
    ck_assert_str_eq(ph_scene_parts(read, &n)->name, "a\xef\xbf\xbd\xef\xbf\xbdz\xef\xbf\xbd \xc3\xa9\x01\"");
}

/* ---- What is refused --------------------------------------------------------------------------------------- */

#define HEAD "{\"version\":1,\"z\":[\"q1x\",\"q1y\",\"q1z\",\"a\",\"b\"],"
#define FACTORS "\"factors\":[{\"kind\":\"S2\",\"z\":0,\"n\":3},{\"kind\":\"S1\",\"z\":3,\"n\":2}]"
#define POINTS ",\"points\":[{\"add\":[[0,0,1]]}]"

static const struct {
    const char *text;
    ph_status status;
    const char *words;
} bad[] = {
    {"", PH_E_PARSE, "byte 1: the text ends where an object should be"},
    {"[]", PH_E_PARSE, "byte 1: here is an array; it must be an object"},
    {"{}", PH_E_PARSE, "there is no key version"},
    {"\xef\xbb\xbf{}", PH_E_PARSE, "byte 1: here is the byte 0xef; it must be an object"},
    {"{\"version\":2,\"z\":7}", PH_E_UNSUPPORTED,
     "byte 13, version: the scene is of version 2; this version of Polhode reads"},
    {"{\"version\":\"1\"}", PH_E_PARSE, "version: here is a string; it must be a number"},
    {"{\"version\":1,\"version\":1}", PH_E_PARSE, "byte 14: the key version occurs twice"},
    {"{\"version\":1,\"versi\\u006fn\":1}", PH_E_PARSE, "the key version occurs twice"},
    {"{\"version\":1}", PH_E_PARSE, "the scene has no key z"},
    {"{\"version\":1 \"z\":[]}", PH_E_PARSE, "byte 14: here is a string; it must be a comma or '}'"},
    {"{\"version\":1,}", PH_E_PARSE, "byte 14: here is '}'; it must be a string"},
    {"{\"version\" 1}", PH_E_PARSE, "here is a number; it must be a colon"},
    {"{\"version\":01}", PH_E_PARSE, "here is no number as JSON has them"},
    {"{\"version\":1.}", PH_E_PARSE, "here is no number as JSON has them"},
    {"{\"version\":1,\"z\":[]}", PH_E_PARSE, "the scene has no key factors"},
    {"{\"version\":1,\"z\":[],\"factors\":[]}", PH_E_SIZE, "0 coordinates z"},
    {"{\"version\":1,\"z\":{}}", PH_E_PARSE, "z: here is an object; it must be an array"},
    {"{\"version\":1,\"z\":[\"a\",3]}", PH_E_PARSE, "z[1]: here is a number; it must be a string"},
    {"{\"version\":1,\"z\":[\"a\" \"b\"]}", PH_E_PARSE, "here is a string; it must be a comma or ']'"},
    {"{\"version\":1,\"z\":[\"a\x01\"]}", PH_E_PARSE,
     "z[0]: a string has the control character 0x01; it must be \\u0001"},
    {"{\"version\":1,\"z\":[\"a\xc0\xaf\"]}", PH_E_PARSE,
     "byte 21, z[0]: a string has the byte 0xc0, which is not UTF-8"},
    {"{\"version\":1,\"z\":[\"\\x\"]}", PH_E_PARSE, "a backslash that begins no character"},
    {"{\"version\":1,\"z\":[\"\\u0000\"]}", PH_E_PARSE, "a backslash that begins no character"},
    {"{\"version\":1,\"z\":[\"\\u12g4\"]}", PH_E_PARSE, "a backslash that begins no character"},
    {"{\"version\":1,\"z\":[\"\\ud800\"]}", PH_E_PARSE, "a backslash that begins no character"},
    {"{\"version\":1,\"z\":[\"\\ud800\\u0041\"]}", PH_E_PARSE, "a backslash that begins no character"},
    {"{\"version\":1,\"z\":[\"\\udc00\"]}", PH_E_PARSE, "a backslash that begins no character"},
    {"{\"version\":1,\"other\":tru}", PH_E_PARSE, "here is 't'; it must be a number"},
    {HEAD "\"factors\":[{\"kind\":\"S2\",\"z\":0,\"n\":3}]}", PH_E_SIZE,
     "5 coordinates z, and its factors have 3"},
    {HEAD "\"factors\":[{\"kind\":\"R\",\"z\":0,\"n\":6}]}", PH_E_SIZE,
     "n of factors[0] must be from 1 to 5"},
    {HEAD "\"factors\":[{\"kind\":\"R\",\"z\":0,\"n\":0}]}", PH_E_SIZE,
     "n of factors[0] must be from 1 to 5"},
    {HEAD "\"factors\":[{\"kind\":\"R\",\"z\":0,\"n\":1e15}]}", PH_E_SIZE,
     "n of factors[0] must be from 1 to 5"},
    {HEAD "\"factors\":[{\"kind\":\"R\",\"z\":0,\"n\":-1}]}", PH_E_SIZE,
     "n of factors[0] must be from 1 to 5"},
    {HEAD "\"factors\":[{\"kind\":\"R\",\"z\":0,\"n\":2.5}]}", PH_E_RANGE,
     "factors[0].n: here is 2.5; it must be a whole number"},
    {HEAD "\"factors\":[{\"kind\":\"SO3\",\"z\":0,\"n\":5}]}", PH_E_SIZE,
     "n of factors[0] must be 9, as it is SO3"},
    {HEAD "\"factors\":[{\"kind\":\"R\",\"z\":1,\"n\":4}]}", PH_E_RANGE,
     "the first coordinate z of factors[0] must be 0"},
    {HEAD "\"factors\":[{\"kind\":\"S3\",\"z\":0,\"n\":4}]}", PH_E_RANGE,
     "factors[0].kind: there is no such word; it must be one of R, S2, S1, SO3, embedded, spin"},
    {HEAD "\"factors\":[{\"kind\":\"R\",\"n\":5}]}", PH_E_PARSE, "factors[0]: this factor has no key z"},
    {HEAD "\"factors\":[{\"kind\":\"R\",\"z\":0,\"n\":5,\"n\":5}]}", PH_E_PARSE, "the key n occurs twice"},
    {HEAD "\"factors\":[{\"kind\":\"R\",\"z\":0,\"n\":5,\"inertia\":[1,2]}]}", PH_E_PARSE,
     "factors[0].inertia: here are fewer numbers; there must be 9"},
    {HEAD FACTORS "} x", PH_E_PARSE, "here is 'x'; it must be the end of the text"},
    {HEAD FACTORS ",\"up\":[0,0]}", PH_E_PARSE, "up: here are fewer numbers; there must be 3"},
    {HEAD FACTORS ",\"up\":[0,0,1,0]}", PH_E_PARSE, "here are more numbers; there must be 3"},
    {HEAD FACTORS ",\"up\":[0,0,2]}", PH_E_INVALID, "up is no unit vector"},
    {HEAD FACTORS ",\"up\":[0,0,null]}", PH_E_PARSE, "up[2]: here is null; it must be a number"},
    {HEAD FACTORS ",\"up\":[0,0,NaN]}", PH_E_PARSE,
     "up[2]: here is a number that is not finite, which JSON has not"},
    {HEAD FACTORS ",\"up\":[0,0,-Infinity]}", PH_E_PARSE, "up[2]: here is no number as JSON has them"},
    {HEAD FACTORS ",\"up\":[0,0,1e999]}", PH_E_NOT_FINITE, "up[2]: the number is too large for a double"},
    {HEAD FACTORS ",\"turn\":{\"z\":0,\"axis\":[0,0,1]}}", PH_E_RANGE,
     "z of its turn must be the coordinate of a factor"},
    {HEAD FACTORS ",\"turn\":{\"axis\":[0,0,1]}}", PH_E_PARSE,
     "turn: this turn must have the keys z and axis"},
    {HEAD
     "\"factors\":[{\"kind\":\"R\",\"z\":0,\"n\":4},{\"kind\":\"R\",\"z\":4,\"n\":1}],\"turn\":{\"z\":4,\"axis\":[0,0,0]}}",
     PH_E_INVALID, "the axis of its turn has no direction"},
    {HEAD FACTORS ",\"columns\":\"places\"}", PH_E_RANGE,
     "columns: there is no such word; it must be one of position"},
    {HEAD FACTORS ",\"n_points\":1e15}", PH_E_SIZE, "n_points is 1000000000000000, and points has 0"},
    {HEAD FACTORS ",\"points\":[7]}", PH_E_PARSE, "points[0]: here is a number; it must be an object"},
    {HEAD FACTORS ",\"points\":[{\"from\":0}]}", PH_E_RANGE,
     "points[0]: from is 0; it must be an earlier point"},
    {HEAD FACTORS ",\"points\":[{},{\"from\":7}]}", PH_E_RANGE,
     "points[1]: from is 7; it must be an earlier point"},
    {HEAD FACTORS ",\"points\":[null,{\"from\":0}]}", PH_E_RANGE,
     "points[1]: from is point 0, which is null"},
    {HEAD FACTORS ",\"points\":[{\"from\":-2}]}", PH_E_RANGE,
     "points[0].from: here is -2; it must be a whole number"},
    {HEAD FACTORS ",\"points\":[{\"add\":[[3,0,1]]}]}", PH_E_RANGE, "points[0].add[0]: the axis is 3"},
    {HEAD FACTORS ",\"points\":[{\"add\":[[0,5,1]]}]}", PH_E_RANGE,
     "points[0] has the coordinate 5; there are 5, numbered from 0"},
    {HEAD FACTORS ",\"points\":[{\"add\":[[0,0.5,1]]}]}", PH_E_RANGE,
     "points[0].add[0]: the coordinate is 0.5"},
    {HEAD FACTORS ",\"points\":[{\"add\":[[0,-1,1]]}]}", PH_E_RANGE,
     "points[0].add[0]: the coordinate is -1"},
    {HEAD FACTORS ",\"points\":[{\"add\":[[0,0]]}]}", PH_E_PARSE, "here are fewer numbers; there must be 3"},
    {HEAD FACTORS ",\"parts\":[{}]}", PH_E_PARSE, "parts[0]: this part has no key kind"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"cube\"}]}", PH_E_RANGE,
     "must be one of ball, line, tube, arrow, axes, box,"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"a kind whose name is longer than any word\"}]}", PH_E_RANGE,
     "there is no such word"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"ball\",\"name\":1}]}", PH_E_PARSE,
     "parts[0].name: here is a number; it must be a string"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"ball\",\"a\":{\"point\":0}}]}", PH_E_RANGE,
     "part 0: point 0 of a does not exist; there are 0, numbered from 0, or -1"},
    {HEAD FACTORS POINTS ",\"parts\":[{\"kind\":\"line\",\"b\":{\"point\":1}}]}", PH_E_RANGE,
     "part 0: point 1 of b does not exist"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"box\",\"a\":{\"frame\":2}}]}", PH_E_RANGE,
     "part 0: frame 2 of a is no factor"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"box\",\"R\":[2,0,0,0,1,0,0,0,1]}]}", PH_E_INVALID,
     "R is not a rotation matrix"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"box\",\"size\":[1,-1,1]}]}", PH_E_RANGE, "size[1] is -1"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"box\",\"spin\":0}]}", PH_E_INVALID,
     "spin 0 is a factor that has no angle; it must be S^1, or -1"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"line\",\"spin\":1}]}", PH_E_INVALID, "no spin: -1"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"line\",\"link\":2}]}", PH_E_RANGE, "link 2 is no factor"},
    {HEAD FACTORS POINTS ",\"parts\":[{\"kind\":\"tube\",\"a\":{\"point\":0},\"b\":{\"point\":0}}]}",
     PH_E_RANGE, "a tube goes from"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"mesh\"}]}", PH_E_INVALID, "part 0 is a mesh without vertices"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"mesh\",\"vertices\":[0,0,0]}]}", PH_E_INVALID,
     "part 0 is a mesh without triangles"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"mesh\",\"vertices\":[0,0,0,1]}]}", PH_E_PARSE,
     "parts[0].vertices[0]: here are 4 numbers; there must be three for each"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"mesh\",\"vertices\":[0,0,0],\"triangles\":[0,0,1]}]}", PH_E_RANGE,
     "part 0: triangle 0 of its mesh has vertex 1; there are 1, numbered from 0"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"mesh\",\"triangles\":[0,0,-1],\"vertices\":[0,0,0]}]}", PH_E_RANGE,
     "part 0: triangle 0 of its mesh has vertex 4294967295"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"mesh\",\"triangles\":[0,0.5,0]}]}", PH_E_RANGE,
     "parts[0].triangles[1]: here is 0.5; it must be a whole number"},
    {HEAD FACTORS ",\"parts\":[{\"kind\":\"mesh\",\"vertices\":[0,0,0],\"vertices\":[0,0,0]}]}", PH_E_PARSE,
     "the key vertices occurs twice"},
    {HEAD
     "\"factors\":[{\"kind\":\"R\",\"z\":0,\"n\":5}],\"parts\":[{\"kind\":\"ball\",\"a\":{\"frame\":0}}]}",
     PH_E_RANGE, "frame 0 of a has 5 numbers"},
};

TEST(refused)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ph_scene *scene = (ph_scene *)&scene;
        ph_error err = {PH_OK, ""};
        const ph_status status = ph_scene_read(bad[i].text, &scene, &err);
        ck_assert_msg(status == bad[i].status, "%s: %s: %s", bad[i].text, ph_status_name(status),
                      err.message);
        ck_assert_int_eq(err.status, status);
        ck_assert_ptr_null(scene);
        ck_assert_msg(strstr(err.message, bad[i].words) && strstr(err.message, "the scene"), "%s: %s",
                      bad[i].text, err.message);
        ck_assert_ptr_null(strchr(err.message, '\n'));
        ck_assert_int_eq(ph_scene_read(bad[i].text, &scene, NULL), status);
    }
}

/* What is wrong with the b of a part that has no end does not matter, and no index out of range is left in it. */
TEST(no_end)
{
    size_t n;
    TK_MAKE(ph_scene, scene,
            ph_scene_read(HEAD FACTORS ",\"parts\":[{\"kind\":\"ball\",\"b\":{\"point\":9,\"frame\":9}}]}",
                          &scene, tk_err));
    ck_assert_uint_eq(ph_scene_parts(scene, &n)->b.point, PH_NO_INDEX);
    ck_assert_uint_eq(ph_scene_parts(scene, &n)->b.frame, PH_NO_INDEX);
}

/* A tetrahedron of a hand-written text, a mark, and the strength of a vortex; written again they are the same. */
TEST(mesh_by_hand)
{
    static const char text[] =
        "{\"version\":1,\"z\":[\"a\",\"b\",\"c\"],\"factors\":[{\"kind\":\"spin\",\"z\":0,\"n\":3,\"strength\":-2.5}],"
        "\"parts\":[{\"kind\":\"mesh\",\"a\":{\"at\":[1,0,0]},\"size\":[2,0,0],"
        "\"triangles\":[0,2,1, 0,1,3, 1,2,3, 0,3,2],\"vertices\":[0,0,0, 2,0,0, 0,0.1234567,0, 0,0,-1.5]},"
        "{\"kind\":\"mark\",\"a\":{},\"R\":[1,0,0,0,-1,0,0,0,-1],\"name\":\"anchor\"},"
        "{\"kind\":\"ball\",\"a\":{},\"vertices\":[1,2,3]}]}";
    static const double vertices[12] = {0, 0, 0, 2, 0, 0, 0, 0.1234567, 0, 0, 0, -1.5};
    static const uint32_t triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    ph_scene *scene;
    size_t n;
    tk_ok(ph_scene_read(text, &scene, tk_err));
    for (int again = 0; again < 2; again++) {
        ck_assert_double_eq(ph_scene_factors(scene, &n)->strength, -2.5);
        const ph_scene_part *parts = ph_scene_parts(scene, &n);
        ck_assert_uint_eq(n, 3);
        ck_assert_int_eq(parts[0].kind, PH_SCENE_MESH);
        ck_assert_uint_eq(parts[0].mesh->vertices, 4);
        ck_assert_uint_eq(parts[0].mesh->faces, 4);
        same_numbers("vertices", parts[0].mesh->vertex, vertices, 12);
        ck_assert(!memcmp(parts[0].mesh->face, triangles, sizeof triangles));
        ck_assert_int_eq(parts[1].kind, PH_SCENE_MARK);
        ck_assert_str_eq(parts[1].name, "anchor");
        ck_assert_double_eq(parts[1].R[8], -1);
        ck_assert_ptr_null(parts[2].mesh); /* a ball has none */
        TK_MEMORY char *written = strdup(ph_scene_text(scene));
        ph_scene_free(scene);
        ck_assert_ptr_nonnull(written);
        tk_ok(ph_scene_read(written, &scene, tk_err));
        ck_assert_str_eq(ph_scene_text(scene), written);
    }
    ph_scene_free(scene);
}

/* Every beginning of a text is refused as one that is cut off. */
TEST(cut_off)
{
    char text[sizeof by_hand];
    const size_t all = strlen(by_hand);
    for (size_t n = 0; n + 2 < all; n++) { /* white space follows the last brace */
        ph_scene *scene;
        memcpy(text, by_hand, n);
        text[n] = 0;
        const ph_status status = ph_scene_read(text, &scene, tk_err);
        ck_assert_msg(status == PH_E_PARSE, "%zu bytes: %s: %s", n, ph_status_name(status), tk_err->message);
        ck_assert_ptr_null(scene);
    }
}

/* text <- many of a piece between two ends; the caller's to free. */
static char *repeat(const char *before, const char *piece, size_t n, const char *after)
{
    const size_t size = strlen(piece);
    char *text = malloc(strlen(before) + n * size + strlen(after) + 1), *at = text;
    ck_assert_ptr_nonnull(text);
    at += sprintf(at, "%s", before);
    for (size_t i = 0; i < n; i++, at += size)
        memcpy(at, piece, size);
    strcpy(at, after);
    return text;
}

static void refuse_many(const char *before, const char *piece, size_t n, const char *after, ph_status status,
                        const char *words)
{
    TK_MEMORY char *text = repeat(before, piece, n, after);
    ph_scene *scene;
    const ph_status found = ph_scene_read(text, &scene, tk_err);
    ck_assert_msg(found == status && strstr(tk_err->message, words), "%s ...: %s: %s", before,
                  ph_status_name(found), tk_err->message);
}

/* Deep, or much of something. */
TEST(too_much)
{
    const size_t n = tk_short() ? 1000 : 200000;
    refuse_many("{\"version\":1,\"other\":", "[", n, "", PH_E_PARSE, "nested deeper than 24");
    refuse_many("{\"version\":1,\"other\":", "{\"a\":", n, "", PH_E_PARSE, "nested deeper than 24");
    refuse_many("", "[", n, "", PH_E_PARSE, "it must be an object");
    refuse_many(HEAD FACTORS ",\"points\":[{}", ",{}", PH_SCENE_MOST, "]}", PH_E_SIZE,
                "at most 10000 points; here are 10001");
    refuse_many(HEAD FACTORS ",\"parts\":[{\"kind\":\"ball\"}", ",{\"kind\":\"ball\"}", 4 * PH_SCENE_MOST,
                "]}", PH_E_SIZE, "at most 40000 parts");
    refuse_many(
        "{\"version\":1,\"z\":[\"a\"", ",\"a\"", 91,
        "],\"factors\":[{\"kind\":\"R\",\"z\":0,\"n\":91},{\"kind\":\"R\",\"z\":91,\"n\":1}],\"turn\":{\"z\":91,\"axis\":[1,0,0]}}",
        PH_E_SIZE, "what turns has at most 90 coordinates; here are 91");
    refuse_many("{\"version\":1,\"up\":[0,0,1", "0", 127, "]}", PH_E_PARSE,
                "a number has 128 characters; at most 127");
}

/* ---- Changed at random ------------------------------------------------------------------------------------- */

static size_t pick(tk_random *r, size_t n)
{
    return n ? (size_t)tk_uniform(r, 0, (double)n) % n : 0;
}

/* text (room bytes, at most room - 64 used) <- changed at one place: another byte, a piece left out, written twice, or put in. */
static void change(tk_random *r, char *text)
{
    static const char *const pieces[] = {
        "null", "-1",  "1e308", "[",   "]",    "{",  "}",        ",",      "\"",   ":",    "99999999999",
        "0.5",  "NaN", "\\",    "\\u", "\xff", "-0", "\"kind\"", "1e-320", "[[]]", "true", "\"spin\":0,"};
    const size_t n = strlen(text), at = pick(r, n), length = 1 + pick(r, 12);
    const size_t left = n - at < length ? n - at : length;
    const char *piece = pieces[pick(r, sizeof pieces / sizeof *pieces)];
    char copy[16] = "";
    switch (pick(r, 4)) {
    case 0:
        text[at] = (char)(1 + pick(r, 255));
        break;
    case 1:
        memmove(text + at, text + at + left, n - at - left + 1);
        break;
    case 2:
        memcpy(copy, text + at, left);
        memmove(text + at + left, text + at, n - at + 1);
        memcpy(text + at, copy, left);
        break;
    default:
        memmove(text + at + strlen(piece), text + at, n - at + 1);
        memcpy(text + at, piece, strlen(piece));
    }
}

/* What is taken can be used, and its text is read again as the same. */
static void use(const char *text, const ph_scene *scene)
{
    const size_t nz = ph_scene_ambient(scene);
    double *z = calloc(nz + 1, sizeof *z), *x = calloc(3 * ph_scene_count(scene) + 1, sizeof *x), R[9];
    size_t n;
    ck_assert(z && x);
    for (size_t i = 0; i < nz; i++) {
        z[i] = sin((double)i + 1);
        ck_assert_ptr_nonnull(ph_scene_column(scene, i));
    }
    (void)ph_scene_points(scene, z, x, NULL);
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    for (size_t i = 0; i < n; i++) {
        ph_scene_locate(scene, &parts[i].a, z, x, R);
        ph_scene_locate(scene, &parts[i].b, z, x, R);
        ph_scene_attitude(scene, &parts[i], z, R);
    }
    TK_OWN(ph_scene) *again = NULL;
    ck_assert_msg(!ph_scene_read(ph_scene_text(scene), &again, tk_err), "%s: %s", text, tk_err->message);
    ck_assert_str_eq(ph_scene_text(again), ph_scene_text(scene));
    free(z);
    free(x);
}

TEST(changed_at_random)
{
    enum { ROOM = 1 << 14, CHANGES = 4 };
    static const char *const models[] = {"double-spherical-pendulum", "vertical-disk", "free-rigid-body",
                                         "spin-chain", "heavy-top"};
    const size_t n_models = sizeof models / sizeof *models, tries = tk_short()      ? 2000
                                                                    : tk_thorough() ? 400000
                                                                                    : 40000;
    char seeds[8][ROOM], text[ROOM + 64 * CHANGES];
    tk_random r = {7};
    size_t taken = 0;
    for (size_t m = 0; m <= n_models; m++) {
        TK_OWN(ph_system) *whole = tk_model(models[m < n_models ? m : 0]), *system = NULL;
        ph_scene *scene;
        if (m == n_models)
            tk_ok(ph_routh_create(whole, 0, &system, NULL));
        tk_ok(ph_scene_create(system ? system : whole, &scene, NULL));
        ck_assert_uint_lt(strlen(ph_scene_text(scene)), ROOM);
        strcpy(seeds[m], ph_scene_text(scene));
        ph_scene_free(scene);
    }
    strcpy(seeds[n_models + 1], by_hand);
    for (size_t i = 0; i < tries; i++) {
        ph_error err = {PH_OK, ""};
        strcpy(text, seeds[pick(&r, n_models + 2)]);
        for (size_t k = 1 + pick(&r, CHANGES); k; k--)
            change(&r, text);
        TK_OWN(ph_scene) *scene = NULL;
        if (ph_scene_read(text, &scene, &err)) {
            ck_assert_ptr_null(scene);
            ck_assert_msg(err.message[0] && !strchr(err.message, '\n') && err.status, "%s", text);
            continue;
        }
        taken++;
        use(text, scene);
    }
    printf("%zu of %zu changed texts are scenes\n", taken, tries);
    ck_assert(taken > tries / 50 && taken < tries / 2);
}

int main(void)
{
    return tk_run("scene reading");
}
