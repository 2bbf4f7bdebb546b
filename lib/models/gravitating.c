/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of bodies under mutual gravity: see gravitating.h. */
#include "gravitating.h"
#include "body.h"

#include <polhode/kit/elementary.h>

const ph_model_body *ph_bodies_of(const ph_model_table *table, size_t *n)
{
    *n = table->row[PH_BODIES].n / PH_MODEL_BODY_NUMBERS;
    return (const ph_model_body *)(const void *)ph_vector(table, PH_BODIES);
}

/* ---- Building ------------------------------------------------------------------------------------------ */

/* What a description is made from: arrays in one block, which is where the first one begins. */
typedef struct making {
    ph_mass *mass;
    ph_tide *tides;
    const ph_mesh **shapes;
    bool *turning;
} making;

static making make_room(size_t n)
{
    const size_t one = sizeof(ph_mass) + sizeof(ph_tide) + sizeof(const ph_mesh *) + sizeof(bool);
    making of = {.mass = calloc(n, one)};
    if (of.mass) {
        of.tides = (ph_tide *)(void *)(of.mass + n);
        of.shapes = (const ph_mesh **)(void *)(of.tides + n);
        of.turning = (bool *)(void *)(of.shapes + n);
    }
    return of;
}

/* of: it is freed. */
static ph_status build(making *of, ph_gravitation_definition *definition, ph_system **system, ph_error *err)
{
    ph_gravitation *gravitation = NULL;
    definition->mass = of->mass;
    definition->turning = of->turning;
    definition->tides = of->tides;
    definition->shapes = of->shapes;
    ph_status status = of->mass
                           ? ph_gravitation_create(definition, &gravitation, err)
                           : ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu bodies", definition->bodies);
    free(of->mass);
    if (status) {
        ph_polyhedron_free(definition->central.exact);
        return status;
    }
    return ph_gravitation_build(gravitation, system, err);
}

/* A body without an attitude attracts as a point: if its shape counted, it would matter how space is turned. */
static ph_mass as_point(const ph_mass *mass)
{
    return (ph_mass){.moment = {mass->moment[0]}, .radius = mass->radius};
}

/* The mutual potential of bodies that move is a series in the moments of both: none has an exact field. first: the number of
 * the first of them in the list that was given. */
static ph_status refuse_exact(const ph_model_body *bodies, size_t n, size_t first, ph_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (bodies[i].surface)
            return ph_fail(
                err, PH_E_INVALID,
                "the field of body %zu cannot be exact: the mutual potential of bodies that move is the "
                "series in the moments of both; leave \"field\" out and take the order up to %d, or take "
                "the model spacecraft with this body as the first, which is held and has an exact field",
                first + i, PH_MASS_DEGREE);
    return PH_OK;
}

/* definition: everything but bodies, masses and tides. Its exact field is owned from now on. */
static ph_status build_bodies(const ph_model_body *bodies, size_t n, ph_gravitation_definition *definition,
                              ph_system **system, ph_error *err)
{
    ph_status status = refuse_exact(bodies, n, definition->central.mass ? 2 : 1, err);
    if (status) {
        ph_polyhedron_free(definition->central.exact);
        return status;
    }
    making of = make_room(n);
    definition->bodies = n;
    for (size_t i = 0; i < n && of.mass; i++) {
        of.turning[i] = bodies[i].turning != 0;
        of.mass[i] = of.turning[i] ? bodies[i].mass : as_point(&bodies[i].mass);
        of.tides[i] = bodies[i].tide;
        of.shapes[i] = bodies[i].shape;
    }
    return build(&of, definition, system, err);
}

/* A message about a given body begins with the names of the parameters that may be wrong. */
static ph_status name_parameter(ph_status status, ph_error *err)
{
    static const struct {
        const char *start, *name;
    } about[] = {{"the mass of given body", "given_mass"},
                 {"the semi-major axis of given body", "given_axis and given_eccentricity"},
                 {"the eccentricity of given body", "given_eccentricity"}};
    for (size_t i = 0; status && err && i < PH_LENGTH(about); i++)
        if (!strncmp(err->message, about[i].start, strlen(about[i].start))) {
            const ph_error copy = *err;
            return ph_fail(err, status, "%s: %s", about[i].name, copy.message);
        }
    return status;
}

/* given (n) <- of the rows. */
static void read_given(const ph_model_table *table, size_t n, ph_given_body *given)
{
    for (size_t i = 0; i < n; i++)
        given[i] = (ph_given_body){.mass = ph_entry(table, PH_GIVEN_MASS, i),
                                   .orbit = {.axis = ph_entry(table, PH_GIVEN_AXIS, i),
                                             .eccentricity = ph_entry(table, PH_GIVEN_ECCENTRICITY, i),
                                             .inclination = ph_entry(table, PH_GIVEN_INCLINATION, i),
                                             .node = ph_entry(table, PH_GIVEN_NODE, i),
                                             .periapsis = ph_entry(table, PH_GIVEN_PERIAPSIS, i),
                                             .passage = ph_entry(table, PH_GIVEN_PASSAGE, i)},
                                   .far = ph_number(table, PH_GIVEN_FAR) != 0};
}

/* How many there are: as long as the longest list; one mass of 0 stands for none. */
static size_t count_given(const ph_model_table *table)
{
    size_t n = 1;
    for (size_t row = PH_GIVEN_MASS; row < PH_GIVEN_FAR; row++)
        n = ph_parameter_length(&table->row[row]) > n ? ph_parameter_length(&table->row[row]) : n;
    return ph_parameter_length(&table->row[PH_GIVEN_MASS]) == 1 && ph_number(table, PH_GIVEN_MASS) == 0 ? 0
                                                                                                        : n;
}

/* Of the rows, but for these bodies. central: owned from now on. */
static ph_status build_rows(const ph_model_body *bodies, size_t n, const ph_central_body *central,
                            bool relative, const ph_model_table *table, ph_system **system, ph_error *err)
{
    const size_t n_given = count_given(table);
    ph_given_body *given = calloc(n_given + 1, sizeof *given);
    if (!given) {
        ph_polyhedron_free(central->exact);
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu given bodies", n_given);
    }
    read_given(table, n_given, given);
    ph_gravitation_definition definition = {.order = ph_count(table, PH_ORDER),
                                            .G = ph_number(table, PH_G),
                                            .relative = relative,
                                            .given = given,
                                            .n_given = n_given,
                                            .central = *central};
    const ph_status status = build_bodies(bodies, n, &definition, system, err);
    free(given);
    return name_parameter(status, err);
}

ph_status ph_gravitating_build_near(const ph_model_body *bodies, size_t n, const ph_central_body *central,
                                    const ph_model_table *table, ph_system **system, ph_error *err)
{
    return build_rows(bodies, n, central, false, table, system, err);
}

ph_status ph_gravitating_build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_central_body none;
    const bool relative = table->model->variant;
    size_t n;
    const ph_model_body *bodies = ph_bodies_of(table, &n);
    if (relative ? n != 2 : n < 2)
        return ph_fail(err, PH_E_SIZE, "bodies has %zu entr%s; this model has %s", n, n == 1 ? "y" : "ies",
                       relative ? "two bodies (rigid-n-body has any number)" : "at least two bodies");
    return build_rows(bodies, n, &none, relative, table, system, err);
}

ph_status ph_points_build(const ph_parameter_value *masses, size_t n, double G, bool relative,
                          ph_system **system, ph_error *err)
{
    making of = make_room(n);
    ph_gravitation_definition definition = {.bodies = n, .G = G, .relative = relative};
    for (size_t i = 0; i < n && of.mass; i++)
        of.mass[i].moment[0] = ph_parameter_entry(masses, i);
    return build(&of, &definition, system, err);
}

/* ---- States -------------------------------------------------------------------------------------------- */

void ph_quaternion_turn(const double q[4], double R[9])
{
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double s = square > 0 ? 1 / sqrt(square) : 1, w = square > 0 ? s * q[0] : 1, x = s * q[1],
                 y = s * q[2], z = s * q[3];
    const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                            2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                            2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, rows, sizeof rows);
}

/* What the two kinds of lists have: the mass of body i. */
typedef struct masses {
    const ph_model_body *bodies;
    const ph_parameter_value *points;
} masses;

static double mass_of(const masses *m, size_t i)
{
    return m->bodies ? m->bodies[i].mass.moment[0] : ph_parameter_entry(m->points, i);
}

/* z, zdot <- places and velocities. */
static void place(const masses *m, const ph_body_motion *motion, size_t n, bool relative, double *z,
                  double *zdot)
{
    double total = 0, x[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    for (size_t i = 0; i < n; i++)
        total += mass_of(m, i);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) {
            x[k] += mass_of(m, i) / total * motion[i].x[k];
            v[k] += mass_of(m, i) / total * motion[i].v[k];
        }
    for (size_t k = 0; k < 3 && relative; k++) {
        z[k] = motion[1].x[k] - motion[0].x[k];
        zdot[k] = motion[1].v[k] - motion[0].v[k];
    }
    for (size_t i = 0; i < n && !relative; i++)
        for (size_t k = 0; k < 3; k++) {
            z[3 * i + k] = motion[i].x[k] - x[k];
            zdot[3 * i + k] = motion[i].v[k] - v[k];
        }
}

/* z, zdot <- attitudes and spins, from `at` on. */
static void turn_all(const ph_model_body *bodies, const ph_body_motion *motion, size_t n, size_t at,
                     double *z, double *zdot)
{
    for (size_t i = 0; i < n; i++) {
        if (!(bodies[i].turning != 0))
            continue;
        ph_quaternion_turn(motion[i].q, z + at);
        ph_body_turn(z + at, motion[i].W, zdot + at);
        at += 9;
    }
}

void ph_gravitating_start(const ph_model_body *bodies, const ph_body_motion *motion, size_t n, bool relative,
                          double *z, double *zdot)
{
    place(&(masses){.bodies = bodies}, motion, n, relative, z, zdot);
    turn_all(bodies, motion, n, relative ? 3 : 3 * n, z, zdot);
}

void ph_bodies_start(const ph_model_body *bodies, const ph_body_motion *motion, size_t n, double *z,
                     double *zdot)
{
    for (size_t i = 0; i < n; i++) {
        memcpy(z + 3 * i, motion[i].x, sizeof motion[i].x);
        memcpy(zdot + 3 * i, motion[i].v, sizeof motion[i].v);
    }
    turn_all(bodies, motion, n, 3 * n, z, zdot);
}

void ph_points_start(const ph_parameter_value *points, const ph_body_motion *motion, size_t n, bool relative,
                     double *z, double *zdot)
{
    place(&(masses){.points = points}, motion, n, relative, z, zdot);
}

/* ---- Circles ------------------------------------------------------------------------------------------- */

/* [m] the radius of a body; of a point, that of a sphere of rock of its mass. */
static double size_of(const ph_model_body *body)
{
    static const double rock = 2000, pi = 3.1415926535897932385; /* [kg/m^3] */
    return body->mass.radius > 0 ? body->mass.radius : ph_cbrt(0.75 * body->mass.moment[0] / (pi * rock));
}

void ph_nest(const ph_model_body *bodies, size_t n, double G, ph_body_motion *motion)
{
    double within = size_of(&bodies[0]), mass = bodies[0].mass.moment[0], x = 0, v = 0;
    memset(motion, 0, n * sizeof *motion);
    for (size_t i = 1; i < n; i++) {
        const double m = bodies[i].mass.moment[0], distance = 3 * (within + size_of(&bodies[i]));
        const double rate = sqrt(G * (mass + m) / distance) / distance;
        /* on alternate sides of those before, whose barycentre is at x with the velocity v along e2 */
        const double side = i % 2 ? distance : -distance;
        motion[i].x[0] = x + side;
        motion[i].v[1] = v + rate * side;
        motion[i].W[2] = rate;
        if (i == 1)
            motion[0].W[2] = rate;
        x += m / (mass + m) * side;
        v += m / (mass + m) * rate * side;
        mass += m;
        within = distance + size_of(&bodies[i]);
    }
}
