/* SPDX-License-Identifier: BSD-3-Clause */
/* parameters.bodies: a list of bodies with their mass distributions. Each is brought to its centre of mass. */
#include "bodies.h"

#include <polhode/kit/vector.h>

#include <stdlib.h>
#include <string.h>

static const ph_scenario_key keys[BODY_KEYS] = {
    [BODY_MASS] =
        {"mass", "kg, > 0", "by `density`",
         "Alone: a point. Where `density` is given, too, they must agree to 1 per cent, and the mass counts."},
    [BODY_DENSITY] = {"density", "kg/m³, > 0", "by `mass`",
                      "The density of a homogeneous body, whose volume is known."},
    [BODY_HALF_AXES] = {"half-axes", "`[a, b, c]` in `unit`", "none",
                        "A homogeneous ellipsoid, along the axes of its frame."},
    [BODY_RADIUS] =
        {"radius", "a length in `unit`", "0",
         "A homogeneous sphere. With `moments` or `harmonics`: of a sphere about the origin that holds all of "
         "the body, for warnings of contact."},
    [BODY_OCTAHEDRON] =
        {"octahedron", "`[a, b, c]` in `unit`", "none",
         "A homogeneous octahedron with its corners at these distances along the axes of its frame."},
    [BODY_MESH] =
        {"mesh", "the path of a file", "none",
         "A homogeneous polyhedron: a closed surface, as OBJ, OFF, PLY, STL or a shape of DAMIT or the PDS "
         "(Files of others). The path is relative to the scenario."},
    [BODY_VERTICES] =
        {"vertices", "a path, or a list of `[x, y, z]`", "none",
         "A polyhedron by a table of vertices, `x, y, z` or `id, x, y, z` in each line, and one of faces; or TetGen's "
         "`.node` and `.face`."},
    [BODY_FACES] =
        {"faces", "a path, or a list of `[i, j, k]`", "none",
         "With `vertices`: triangles by numbers of vertices, from 0 if one of them is 0, else from 1, counter-clockwise seen "
         "from outside; in a file perhaps behind an id."},
    [BODY_UNIT] = {"unit", "m", "1", "The unit of the lengths of this body: 1000 where they are in km."},
    [BODY_MOMENTS] = {"moments", "a map", "none", "Moments of the mass distribution: `moments` below."},
    [BODY_HARMONICS] = {"harmonics", "a map", "none",
                        "Spherical harmonics of the field outside, with `mass`: `harmonics` below."},
    [BODY_INERTIA] = {"inertia", "3 principal moments or the tensor as 9 numbers, in kg m²",
                      "of the mass distribution",
                      "For turning, about the centre of mass: what harmonics and points do not have."},
    [BODY_PARTS] = {"parts", "a list of bodies", "none",
                    "A body of several parts, each a body as described here, with its `place` and attitude."},
    [BODY_PLACE] = {"place", "`[x, y, z]` in `unit`", "`[0, 0, 0]`",
                    "For a part: the place of the origin of its frame."},
    [BODY_QUATERNION] = {"quaternion", "`[w, x, y, z]` of any length", "`[1, 0, 0, 0]`",
                         "For a part: the rotation from its frame to that of the body."},
    [BODY_AXES] =
        {"axes", "`given` or `principal`", "`given`",
         "`principal`: the frame is turned to the principal axes of inertia, in order of ascending moments."},
    [BODY_FIELD] =
        {"field", "`moments` or `exact`", "`moments`",
         "`exact`: of the central body of the model `spacecraft`, with `octahedron`, `mesh` or `vertices`: its "
         "field without a series, also close to the surface."},
    [BODY_TURNING] = {"turning", "`true` or `false`", "`true` with an inertia",
                      "Has the body an attitude? Where not, it attracts as a point in its centre of mass."},
    [BODY_TIDE] = {"tide", "a map", "none", "The tide that the other bodies raise on it: `tide` below."}};
const ph_scenario_map ph_body_keys = {"parameters.bodies[i]", keys, BODY_KEYS};

/* ---- A body ----------------------------------------------------------------------------------------------------- */

static ph_status read_part(ph_reading *r, const ph_node *at, ph_mass *body, double place[3], double R[9],
                           ph_error *err);

/* body <- the sum of its parts. */
static ph_status read_parts(ph_reading *r, const ph_node *list, ph_mass *body, ph_error *err)
{
    size_t n = 0;
    ph_status status = ph_node_list(list, "a list of bodies", &n, err);
    if (!status && !n)
        status = ph_node_fail(list, err, PH_E_SIZE, "is an empty list; a list of bodies is expected");
    memset(body, 0, sizeof *body);
    for (size_t i = 0; i < n && !status; i++) {
        const ph_node item = ph_node_item(list, i);
        ph_mass one;
        double place[3], R[9];
        status = read_part(r, &item, &one, place, R, err);
        if (!status)
            ph_mass_add(&one, place, R, body);
    }
    return status;
}

/* Which of the forms is given: its key, BODY_KEYS for a point. PH_E_PARSE where there are several. */
static ph_status find_form(const ph_node *values, size_t *form, ph_error *err)
{
    static const int forms[] = {BODY_HALF_AXES, BODY_OCTAHEDRON, BODY_MESH, BODY_VERTICES,
                                BODY_MOMENTS,   BODY_HARMONICS,  BODY_PARTS};
    *form = BODY_KEYS;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (values[forms[i]].node) {
            if (*form != BODY_KEYS)
                return ph_node_fail(&values[forms[i]], err, PH_E_PARSE,
                                    "cannot be given together with \"%s\"; give one of the two",
                                    keys[*form].name);
            *form = (size_t)forms[i];
        }
    if (*form == BODY_KEYS && values[BODY_RADIUS].node)
        *form = BODY_RADIUS;
    if (*form == BODY_VERTICES && !values[BODY_FACES].node)
        return ph_node_fail(&values[BODY_VERTICES], err, PH_E_PARSE, "is given without \"faces\"; give both");
    if (*form != BODY_VERTICES && values[BODY_FACES].node)
        return ph_node_fail(&values[BODY_FACES], err, PH_E_PARSE, "is given without \"vertices\"; give both");
    return PH_OK;
}

/* Keys that have no meaning with the form. */
static ph_status check_rest(const ph_node *values, size_t form, bool part, ph_error *err)
{
    const bool solid =
        form != BODY_KEYS && form != BODY_MOMENTS && form != BODY_HARMONICS && form != BODY_PARTS;
    const struct {
        int key;
        bool wrong;
        const char *why;
    } rules[] = {
        {BODY_DENSITY, !solid, "needs a body with a volume: half-axes, radius, octahedron, mesh or vertices"},
        {BODY_MASS, form == BODY_PARTS, "is given, but the parts have theirs; leave it out"},
        {BODY_RADIUS, solid && form != BODY_RADIUS, "is given, but it follows from the shape; leave it out"},
        {BODY_RADIUS, form == BODY_PARTS, "is given, but it follows from the parts; leave it out"},
        {BODY_PLACE, !part, "has a meaning for a part only: places of bodies are in \"initial\""},
        {BODY_QUATERNION, !part, "has a meaning for a part only: attitudes of bodies are in \"initial\""},
        {BODY_TURNING, part, "has no meaning for a part"},
        {BODY_AXES, part, "has no meaning for a part"},
        {BODY_FIELD, part,
         "has no meaning for a part: the exact field is that of one closed surface; give the body as one mesh"},
        {BODY_INERTIA, part, "has no meaning for a part"},
        {BODY_TIDE, part, "has no meaning for a part"}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].wrong && values[rules[i].key].node)
            return ph_node_fail(&values[rules[i].key], err, PH_E_PARSE, "%s", rules[i].why);
    return PH_OK;
}

/* *exact <- is the field to be that of a surface? */
static ph_status read_field(const ph_node *at, size_t form, bool *exact, ph_error *err)
{
    const char *word = NULL;
    ph_status status = ph_node_text(at, "moments or exact", &word, err);
    if (!status && strcmp(word, "moments") && strcmp(word, "exact"))
        status = ph_node_fail(at, err, PH_E_RANGE, "is \"%.40s\"; moments or exact is expected", word);
    if (status)
        return status;
    *exact = !strcmp(word, "exact");
    if (*exact && form != BODY_OCTAHEDRON && form != BODY_MESH && form != BODY_VERTICES)
        return ph_node_fail(
            at, err, PH_E_PARSE,
            "is exact, which needs a closed surface: octahedron, mesh, or vertices and faces; leave it "
            "out, and the field is that of the moments");
    return PH_OK;
}

/* surface: nullable, of a polyhedron only. */
static ph_status read_form(ph_reading *r, const ph_node *at, const ph_node *values, size_t form, double unit,
                           ph_mass *body, ph_surface **surface, ph_error *err)
{
    double mass = 0;
    ph_status status;
    switch (form) {
    case BODY_HALF_AXES:
        return ph_read_ellipsoid(r, at, values, unit, body, err);
    case BODY_RADIUS:
        return ph_read_sphere(r, at, values, unit, body, err);
    case BODY_OCTAHEDRON:
    case BODY_MESH:
    case BODY_VERTICES:
        return ph_read_polyhedron(r, at, values, unit, body, surface, err);
    case BODY_MOMENTS:
        return ph_read_moments(values, unit, body, err);
    case BODY_HARMONICS:
        return ph_read_harmonics(at, values, unit, body, err);
    case BODY_PARTS:
        return read_parts(r, &values[BODY_PARTS], body, err);
    default:
        if (!values[BODY_MASS].node)
            return ph_node_fail(
                at, err, PH_E_PARSE,
                "does not say what this body is; give a mass in kg for a point, and for others "
                "half-axes, radius, octahedron, mesh, vertices and faces, moments, harmonics or parts");
        status = ph_read_positive(&values[BODY_MASS], "a positive mass in kg", &mass, err);
        return status ? status : ph_mass_sphere(mass, 0, body, err);
    }
}

/* The surface (nullable) as seen from the axes that are the columns of R, at `center`. */
static void move_surface(ph_surface *surface, const double center[3], const double R[9])
{
    for (size_t i = 0; surface && i < surface->mesh.vertices; i++) {
        double *v = surface->vertex + 3 * i;
        const double from[3] = {v[0] - center[0], v[1] - center[1], v[2] - center[2]};
        ph_apply_transposed3(R, from, v);
    }
}

/* A sphere does not have to be turned, and its centre is where it should be. The surface (nullable) is brought along. */
static ph_status settle(ph_reading *r, const ph_node *at, const ph_node *values, ph_mass *body,
                        ph_surface *surface, bool *turning, ph_error *err)
{
    double center[3], R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, moments[3];
    const char *word = "given";
    ph_status status = PH_OK;
    const double before = body->radius;
    ph_mass_center(body, center);
    if (ph_norm3(center) > 1e-9 * before)
        ph_note(
            r->scenario, at,
            "the centre of mass is at [%.6g, %.6g, %.6g] m of the frame that is given; the body was shifted there, and "
            "its place is that of its centre of mass",
            center[0], center[1], center[2]);
    if (values[BODY_INERTIA].node)
        status = ph_read_inertia(&values[BODY_INERTIA], body->J, err);
    if (!status && values[BODY_AXES].node)
        status = ph_node_text(&values[BODY_AXES], "given or principal", &word, err);
    if (!status && strcmp(word, "given") && strcmp(word, "principal"))
        status = ph_node_fail(&values[BODY_AXES], err, PH_E_RANGE,
                              "is \"%.40s\"; given or principal is expected", word);
    if (!status && !strcmp(word, "principal"))
        ph_mass_principal(body, R, moments);
    move_surface(surface, center, R);
    *turning = body->J[0] + body->J[4] + body->J[8] > 0;
    const bool able = *turning;
    if (!status && values[BODY_TURNING].node)
        status = ph_node_bool(&values[BODY_TURNING], turning, err);
    if (!status && *turning && !able)
        status = ph_node_fail(&values[BODY_TURNING], err, PH_E_INVALID,
                              "is true, but the body has no inertia; give \"inertia\", or a shape");
    return status;
}

/* Its frame, mass distribution, and its surface where it is one body with one that is known, as given; r->exact: is its field exact? */
static ph_status read_matter(ph_reading *r, const ph_node *at, bool part, ph_node *values, double *unit,
                             ph_mass *body, ph_surface **surface, ph_error *err)
{
    size_t form = BODY_KEYS;
    *unit = 1;
    r->exact = false;
    *surface = NULL;
    ph_status status = ph_node_keys(at, "a map, as in {mass: 3.5e11, half-axes: [400, 350, 280]},",
                                    &ph_body_keys, values, err);
    if (!status)
        status = find_form(values, &form, err);
    if (!status)
        status = check_rest(values, form, part, err);
    if (!status && values[BODY_FIELD].node)
        status = read_field(&values[BODY_FIELD], form, &r->exact, err);
    if (!status && values[BODY_UNIT].node)
        status = ph_read_positive(&values[BODY_UNIT], "a positive length in m, 1000 for km,", unit, err);
    return status ? status : read_form(r, at, values, form, *unit, body, part ? NULL : surface, err);
}

static ph_status read_part(ph_reading *r, const ph_node *at, ph_mass *body, double place[3], double R[9],
                           ph_error *err)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    ph_node values[BODY_KEYS];
    ph_surface *none;
    double unit;
    ph_status status = read_matter(r, at, true, values, &unit, body, &none, err);
    memset(place, 0, 3 * sizeof *place);
    memcpy(R, identity, sizeof identity);
    if (!status && values[BODY_PLACE].node)
        status = ph_node_numbers(&values[BODY_PLACE], "a list of 3 numbers", place, 3, err);
    for (size_t k = 0; k < 3; k++)
        place[k] *= unit;
    if (!status && values[BODY_QUATERNION].node)
        status = ph_read_turn(&values[BODY_QUATERNION], R, err);
    return status;
}

static ph_status read_body(ph_reading *r, const ph_node *at, ph_model_body *body, ph_error *err)
{
    ph_node values[BODY_KEYS];
    ph_surface *surface;
    double unit;
    bool turning = false;
    ph_status status = read_matter(r, at, false, values, &unit, &body->mass, &surface, err);
    if (!status)
        status = settle(r, at, values, &body->mass, surface, &turning, err);
    body->turning = turning;
    body->shape = surface ? &surface->mesh : NULL;
    body->surface = r->exact ? body->shape : NULL;
    return status || !values[BODY_TIDE].node
               ? status
               : ph_read_tide(&values[BODY_TIDE], &body->mass, unit, &body->tide, err);
}

ph_status ph_read_bodies(ph_reading *r, const ph_node *list, ph_model_body **bodies, size_t *n, ph_error *err)
{
    ph_status status = ph_node_list(list, "a list of bodies, as in [{mass: 5e9}, ...],", n, err);
    if (!status && !*n)
        status = ph_node_fail(list, err, PH_E_SIZE, "is an empty list; a list of bodies is expected");
    if (status)
        return status;
    *bodies = calloc(*n, sizeof **bodies);
    if (!*bodies)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < *n && !status; i++) {
        const ph_node item = ph_node_item(list, i);
        status = read_body(r, &item, &(*bodies)[i], err);
    }
    return status;
}
