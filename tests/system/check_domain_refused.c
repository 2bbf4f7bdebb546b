/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is refused at any call of what the library is used for around steps: gravity and shapes, formulas, relative
 * equilibria, steady motions, reduction, dense output. Each ends with PH_E_NO_MEMORY and leaves nothing, or has the result that it has
 * with all memory. Functions without a status (ph_equilibrium_create) say it by NULL. */
#include "tests/kit/iokit.h"
#include "tests/system/allocations.h"

#include <polhode/polhode.h>

#include <stdlib.h>
#include <string.h>

/* What exists before an attempt. */
typedef struct setting {
    ph_system *pendulum; /* two links with an axis of symmetry */
    ph_system *disk;     /* velocity constraints */
    ph_integrator *it;
    char obj[300], vertices[300], faces[300];
} setting;

/* A number that depends on all of what was made; NaN of what has none. */
typedef ph_status (*attempt)(const setting *s, double *result, ph_error *err);

static ph_status no_memory(ph_error *err)
{
    return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

static void default_start(const ph_system *system, double z[32])
{
    for (size_t i = 0; i < ph_space_ambient(ph_system_space(system)); i++)
        z[i] = sin(1.0 + (double)i);
    tk_ok(ph_space_project(ph_system_space(system), z));
}

/* ---- Gravity -------------------------------------------------------------------------------------------------- */

static const double corners[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
static const uint32_t triangles[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
static const ph_mesh octahedron = {.vertex = corners, .vertices = 6, .face = triangles, .faces = 8};

/* Two ellipsoids with tides and surfaces, a given body, a central one with an exact field. */
static ph_status try_gravitation(const setting *s, double *result, ph_error *err)
{
    static const double axes[2][3] = {{3, 2, 1}, {1.5, 1.2, 1}};
    const ph_tide tides[2] = {{.love = 0.1, .radius = 1, .lag = 0.01, .density = 2000}};
    const ph_mesh *shapes[2] = {&octahedron, NULL};
    const ph_given_body given = {.mass = 1e3, .orbit = {.axis = 1e4}};
    const double z[24] = {20, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 30, 5, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    ph_mass bodies[2], middle;
    int turned;
    ph_gravitation *gravitation = NULL;
    ph_polyhedron *exact = NULL;
    TK_OWN(ph_system) *system = NULL;
    (void)s;
    ph_status status = ph_mass_polyhedron(&octahedron, 1000, &middle, &turned, err);
    for (size_t i = 0; i < 2 && !status; i++)
        status = ph_mass_ellipsoid(100, axes[i], &bodies[i], err);
    if (!status)
        status = ph_polyhedron_create(&octahedron, 1000, &exact, err);
    if (status)
        return status;
    const ph_gravitation_definition d = {
        .bodies = 2,
        .mass = bodies,
        .order = 4,
        .G = 1e-3,
        .given = &given,
        .n_given = 1,
        .central = {.mass = &middle, .exact = exact, .spin = {0, 0, 1e-3}, .shape = &octahedron},
        .tides = tides,
        .shapes = shapes};
    status = ph_gravitation_create(&d, &gravitation, err);
    if (status) {
        ph_polyhedron_free(exact);
        return status;
    }
    status = ph_gravitation_build(gravitation, &system, err);
    return status ? status : ph_system_potential_in_time(system, 0.5, z, result);
}

static ph_status try_shape(const setting *s, double *result, ph_error *err)
{
    TK_OWN(ph_shape) *shape = NULL;
    ph_mass body;
    int turned;
    ph_status status = ph_shape_read(s->obj, 1, &shape, err);
    if (!status) {
        const ph_mesh mesh = ph_shape_mesh(shape);
        status = ph_mass_polyhedron(&mesh, 1, &body, &turned, err);
    }
    *result = status ? (double)NAN : body.moment[0];
    return status;
}

static ph_status try_tables(const setting *s, double *result, ph_error *err)
{
    TK_OWN(ph_shape) *shape = NULL;
    const ph_status status = ph_shape_read_tables(s->vertices, s->faces, 1, &shape, err);
    *result = status ? (double)NAN : (double)ph_shape_mesh(shape).faces;
    return status;
}

/* ---- Formulas ------------------------------------------------------------------------------------------------- */

static ph_status try_formulas(const setting *s, double *result, ph_error *err)
{
    static const double masses[] = {1, 2, 3}, n = 3, g = 9.81;
    const ph_formula_parameter parameters[] = {
        {"m", 1, 3, 1, masses, NULL}, {"n", 0, 1, 1, &n, NULL}, {"g", 0, 1, 1, &g, NULL}};
    const ph_formula_line space[] = {{"q", "S2[n]", NULL}, {"x", "R1", NULL}, {"R", "SO3", NULL}},
                          where[] = {{"p[i=1..n]", "sum(j=1..i, q[j])", NULL}},
                          columns[] = {{"height", "p[n].z", NULL}, {"all", "sum(i=1..n, m[i]*x)", NULL}},
                          events[] = {{"low", "p[n].z + x", NULL}}, points[] = {{NULL, "p[i=1..n]", NULL}};
    const ph_formula_definition d = {
        .space = space,
        .n_space = 3,
        .parameters = parameters,
        .n_parameters = 3,
        .where = where,
        .n_where = 1,
        .kinetic =
            "sum(i=1..n, m[i]/2*dot(d(p[i]), d(p[i]))) + m[1]/2*xdot^2 + m[2]*dot(d(R*e1 + R*e2), d(R*e1)) + m[2]*dot(d(R*e3), d(R*e3))",
        .potential = "g*sum(i=1..n, m[i]*p[i].z) + m[1]*g*x^2/2",
        .dissipation = "0.01*xdot^2",
        .columns = columns,
        .n_columns = 2,
        .events = &events[0].text,
        .n_events = 1,
        .points = points,
        .n_points = 1};
    TK_OWN(ph_system) *system = NULL;
    ph_formula_found found;
    double z[32];
    (void)s;
    const ph_status status = ph_formula_system_create(&d, &system, &found, err);
    if (status)
        return status;
    for (size_t i = 0; i < 32; i++)
        z[i] = sin(1.0 + (double)i);
    return ph_system_potential(system, z, result);
}

static ph_status pull(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)t, (void)zdot;
    for (size_t i = 0; i < 6; i++)
        f[i] = -0.1 * z[i];
    return PH_OK;
}

static ph_status try_forced(const setting *s, double *result, ph_error *err)
{
    const ph_system_definition added = {.force = pull};
    TK_OWN(ph_system) *system = NULL;
    double z[32], f[32], v[32] = {0};
    const ph_status status = ph_system_create_forced(s->pendulum, &added, &system, err);
    if (status)
        return status;
    default_start(s->pendulum, z);
    *result = ph_system_force(system, 0, z, v, f) ? (double)NAN : f[1];
    return PH_OK;
}

/* ---- Motions that are sought ---------------------------------------------------------------------------------- */

static bool count_points(void *user, const ph_equilibrium *at, ph_family_mark mark)
{
    (void)mark;
    *(double *)user += at->energy;
    return true;
}

/* From both links stretched out the family of a spherical double pendulum, and what its first points are. */
static ph_status try_equilibria(const setting *s, double *result, ph_error *err)
{
    static const size_t symmetry = 0;
    /* angles .5 and .648 from hanging, as in reduction/check_equilibria */
    static const double z[6] = {0.479425538604203, 0, 0.877582561890373, 0.603776617, 0, 0.797155},
                        other[6] = {0, 0.479425538604203, 0.877582561890373, 0, 0.603776617, 0.797155},
                        mu = 3.67;
    const ph_family_plan plan = {.from = 3.6, .to = 3.9, .most = 20};
    TK_OWN(ph_equilibria) *equilibria = NULL;
    ph_family_end end;
    double distance, energies = 0;
    ph_status status = ph_equilibria_create(s->pendulum, &symmetry, 1, &equilibria, err);
    if (status)
        return status;
    ph_equilibrium *found = ph_equilibrium_create(equilibria);
    if (!found)
        return no_memory(err);
    status = ph_equilibria_find(equilibria, z, &mu, found, err);
    if (!status)
        status = ph_equilibria_follow(equilibria, found, &plan, count_points, &energies, &end, err);
    if (!status)
        status = ph_equilibria_distance(equilibria, z, other, &distance);
    free(found);
    *result = energies + distance;
    return status;
}

static ph_status try_steady(const setting *s, double *result, ph_error *err)
{
    TK_OWN(ph_steady) *steady = NULL;
    const ph_status status = ph_steady_create(s->disk, &steady, err);
    if (status)
        return status;
    ph_steady_motion *found = ph_steady_motion_create(steady);
    *result = (double)ph_steady_parts(steady);
    free(found);
    return found ? PH_OK : no_memory(err);
}

static ph_status try_routh(const setting *s, double *result, ph_error *err)
{
    TK_OWN(ph_system) *reduced = NULL;
    const ph_status status = ph_routh_create(s->pendulum, 0, &reduced, err);
    *result = status ? (double)NAN : (double)ph_space_dimension(ph_system_space(reduced));
    return status;
}

/* ---- Beside a trajectory -------------------------------------------------------------------------------------- */

static ph_status try_dense(const setting *s, double *result, ph_error *err)
{
    TK_OWN(ph_dense) *dense = NULL;
    const ph_status status = ph_dense_create(s->it, &dense, err);
    *result = status ? (double)NAN : (double)ph_dense_order(dense);
    return status;
}

static ph_status try_motion(const setting *s, double *result, ph_error *err)
{
    ph_motion *motion = NULL;
    const ph_status status = ph_motion_create(s->disk, &motion, err);
    ph_motion_free(motion);
    *result = 0;
    return status;
}

static const struct {
    const char *name;
    attempt make;
    long least; /* calls that ask for memory, so that the test tests something */
} attempts[] = {
    {"gravitation", try_gravitation, 5}, {"shape", try_shape, 4},   {"tables", try_tables, 4},
    {"formulas", try_formulas, 100},     {"forced", try_forced, 1}, {"equilibria", try_equilibria, 3},
    {"steady", try_steady, 2},           {"routh", try_routh, 2},   {"dense", try_dense, 1},
    {"motion", try_motion, 1},
};
enum { ATTEMPTS = sizeof attempts / sizeof attempts[0] };

static void open_setting(setting *s)
{
    const double h = 0.01;
    tk_ok(ph_model_build(ph_model_find("double-spherical-pendulum", NULL), NULL, 0, &s->pendulum, tk_err));
    tk_ok(ph_model_build(ph_model_find("rolling-disk", NULL), NULL, 0, &s->disk, tk_err));
    tk_ok(ph_integrator_create(s->pendulum, ph_method_find("variational", NULL), h, NULL, 0, &s->it, tk_err));
    io_put(
        "o.obj",
        "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\nf 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\n"
        "f 2 3 6\nf 4 2 6\nf 1 4 6\n");
    io_put("v.csv", "1,0,0\n-1,0,0\n0,1,0\n0,-1,0\n0,0,1\n0,0,-1\n");
    io_put("f.csv", "0,2,4\n2,1,4\n1,3,4\n3,0,4\n2,0,5\n1,2,5\n3,1,5\n0,3,5\n");
    snprintf(s->obj, sizeof s->obj, "%s", io_path("o.obj"));
    snprintf(s->vertices, sizeof s->vertices, "%s", io_path("v.csv"));
    snprintf(s->faces, sizeof s->faces, "%s", io_path("f.csv"));
}

static void close_setting(setting *s)
{
    ph_integrator_free(s->it);
    ph_system_free(s->disk);
    ph_system_free(s->pendulum);
    io_clear(".", "o.obj v.csv f.csv");
}

TEST_EACH(memory_may_be_refused, 2 * ATTEMPTS)
{
    TK_ENDS(close_setting) setting s = {0};
    const size_t i = (size_t)_i / 2;
    const bool once = _i % 2;
    double whole = NAN;
    long n = 1, refusals = 0;
    open_setting(&s);
    tk_ok(attempts[i].make(&s, &whole, tk_err));
    ck_assert_msg(isfinite(whole), "%s: %g", attempts[i].name, whole);
    for (;; n++) {
        ph_error err = {PH_OK, ""};
        double result = NAN;
        ck_assert_int_lt(n, 100000);
        start_counting(n, once);
        const ph_status status = attempts[i].make(&s, &result, &err);
        stop_counting();
        refusals += count.asked >= n;
        ck_assert_msg(count.held == 0, "%s: %ld blocks lost when call %ld was refused", attempts[i].name,
                      count.held, n);
        if (count.asked < n)
            break;
        /* a stream works without a buffer */
        ck_assert_msg(status
                          ? strstr(err.message, "memory") && (status == PH_E_NO_MEMORY || status == PH_E_IO)
                          : !memcmp(&result, &whole, sizeof whole),
                      "%s: call %ld refused: %s, \"%s\"; %.17g, with all memory %.17g", attempts[i].name, n,
                      ph_status_name(status), err.message, result, whole);
        ck_assert_msg(status || attempts[i].make == try_shape || attempts[i].make == try_tables,
                      "%s: call %ld refused, and nobody says so", attempts[i].name, n);
    }
    ck_assert_msg(n - 1 >= attempts[i].least, "%s asked for memory only %ld times", attempts[i].name, n - 1);
    printf("%s%s: refused %ld times\n", attempts[i].name, once ? ", one call each" : "", refusals);
}

int main(void)
{
    if (!can_count())
        return puts("skipped: calls of malloc cannot be counted here (no glibc, or a tool that has its own)"),
               77;
    return tk_run_in("memory that is refused around steps", io_make_folder, io_remove_folder);
}
