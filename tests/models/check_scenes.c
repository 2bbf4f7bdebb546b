/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes of every model: points as affine functions against the model's own, parts whose places are finite, links of the
 * right length, ellipsoids with the inertia of their body, wheels that roll without slipping, reduced systems turned by their
 * phase; what is refused. (Their text: tests/archive/check_scene_text.c.) */
#include "tests/kit/binaries.h"

#include <polhode/domain/gravitation.h>
#include <polhode/domain/routh.h>
#include <polhode/domain/scene.h>

#define ck_near(value, truth, tolerance)                                                                     \
    ck_assert_msg(fabs((value) - (truth)) <= (tolerance), "%s is %.17g, not %.17g", #value, (double)(value), \
                  (double)(truth))

/* A configuration in general position, by the seed. */
static void place(const ph_space *space, unsigned seed, double *z)
{
    for (size_t i = 0; i < ph_space_ambient(space); i++)
        z[i] = sin(0.7 + 1.3 * (double)(i + 1) + 2.1 * seed);
    ck_assert_int_eq(ph_space_project(space, z), PH_OK);
}

static void check_points(const ph_model *model, const ph_system *system, const ph_scene *scene)
{
    const ph_space *space = ph_system_space(system);
    const size_t n = ph_scene_count(scene), own = ph_system_points(system);
    TK_MEMORY double *z = malloc(ph_space_ambient(space) * sizeof *z), *x = malloc((3 * n + 1) * sizeof *x),
                     *y = malloc((3 * n + 1) * sizeof *y);
    ck_assert_ptr_nonnull(z);
    ck_assert_ptr_nonnull(x);
    ck_assert_ptr_nonnull(y);
    if (own)
        ck_assert_uint_eq(n, own);
    for (unsigned seed = 1; seed <= 5 && own; seed++) {
        double scale = 0;
        place(space, seed, z);
        ck_assert_int_eq(ph_system_places(system, 0, z, y), PH_OK);
        const ph_status status = ph_scene_points(scene, z, x, tk_err);
        if (!ph_scene_is_affine(scene)) {
            ck_assert_int_eq(status, PH_E_UNSUPPORTED);
            continue;
        }
        ck_assert_int_eq(status, PH_OK);
        for (size_t i = 0; i < 3 * n; i++)
            scale = fmax(scale, fabs(y[i]));
        for (size_t i = 0; i < 3 * n; i++) /* roundings of n terms of the largest size */
            ck_assert_msg(fabs(x[i] - y[i]) <= 1e-14 * (scale + 1), "%s: number %zu: %.17g, not %.17g",
                          model->name, i, x[i], y[i]);
    }
}

static bool has_end(const ph_scene_part *part)
{
    return part->kind == PH_SCENE_LINE || part->kind == PH_SCENE_TUBE || part->kind == PH_SCENE_ARROW;
}

/* What has an attitude stands in the frame of something that turns. */
static void check_frame(const ph_model *model, const ph_space *space, const ph_scene_part *part)
{
    if (part->kind != PH_SCENE_ELLIPSOID && part->kind != PH_SCENE_AXES && part->kind != PH_SCENE_BOX)
        return;
    if (part->a.frame == PH_NO_INDEX)
        return;
    const ph_factor_kind kind = ph_space_factor(space, part->a.frame)->kind;
    ck_assert_msg(kind == PH_FACTOR_SO3 || kind == PH_FACTOR_S1, "%s: factor %zu does not turn a body",
                  model->name, part->a.frame);
}

/* Places of parts are finite, and lines with a tension are as long as their links. */
static void check_parts(const ph_model *model, const ph_system *system, const ph_scene *scene)
{
    const ph_space *space = ph_system_space(system);
    const ph_linkage *links = ph_system_linkage(system);
    size_t n;
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    TK_MEMORY double *z = malloc(ph_space_ambient(space) * sizeof *z),
                     *x = malloc((3 * ph_scene_count(scene) + 1) * sizeof *x);
    ck_assert_ptr_nonnull(z);
    ck_assert_ptr_nonnull(x);
    ck_assert_msg(n > 0, "%s: nothing is drawn", model->name);
    place(space, 3, z);
    if (ph_system_points(system))
        ck_assert_int_eq(ph_system_places(system, 0, z, x), PH_OK);
    else
        ck_assert_int_eq(ph_scene_points(scene, z, x, NULL), PH_OK);
    for (size_t i = 0; i < n; i++) {
        double a[3], b[3] = {0};
        check_frame(model, space, &parts[i]);
        ph_scene_locate(scene, &parts[i].a, z, x, a);
        if (has_end(&parts[i]))
            ph_scene_locate(scene, &parts[i].b, z, x, b);
        for (size_t k = 0; k < 3; k++)
            ck_assert_msg(isfinite(a[k]) && isfinite(b[k]) && parts[i].size[k] >= 0, "%s: part %zu",
                          model->name, i);
        const bool has_size = parts[i].kind != PH_SCENE_PLANE && parts[i].kind != PH_SCENE_BALL &&
                              parts[i].kind != PH_SCENE_MARK && !has_end(&parts[i]);
        ck_assert_msg(!has_size || parts[i].size[0] > 0, "%s: part %zu has no size", model->name, i);
        const bool solid = parts[i].kind == PH_SCENE_ELLIPSOID || parts[i].kind == PH_SCENE_AXES;
        ck_assert_msg(!solid || parts[i].a.frame == PH_NO_INDEX ||
                          ph_space_factor(space, parts[i].a.frame)->kind == PH_FACTOR_SO3,
                      "%s: part %zu stands in no attitude", model->name, i);
        if (links && parts[i].link != PH_NO_INDEX && parts[i].kind == PH_SCENE_LINE)
            ck_near(sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                         (a[2] - b[2]) * (a[2] - b[2])),
                    links->length[parts[i].link], 1e-14 * links->length[parts[i].link]);
    }
}

static ph_status no_force(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)t, (void)z, (void)zdot, (void)f;
    return PH_OK;
}

/* A force is not seen: the scene is that of the system without it. */
static void check_forced(const ph_model *model, const ph_system *system, const ph_scene *scene)
{
    const ph_system_definition added = {.force = no_force};
    TK_OWN(ph_system) *forced = NULL;
    TK_OWN(ph_scene) *seen = NULL;
    if (ph_system_create_forced(system, &added, &forced, tk_err))
        return; /* spins */
    ck_assert_msg(!ph_scene_create(forced, &seen, tk_err), "%s: %s", model->name, tk_err->message);
    double a[3], b[3];
    ph_scene_up(seen, a);
    ph_scene_up(scene, b);
    ck_assert(!memcmp(a, b, sizeof a));
}

TEST(every_model)
{
    size_t affine = 0, all = 0;
    for (size_t m = 0; m < ph_models(); m++) {
        const ph_model *model = ph_model_at(m);
        for (size_t preset = 0; preset < model->n_presets; preset++) {
            double up[3];
            TK_MAKE(ph_system, system,
                    ph_model_build_for(model, model->presets[preset].name, NULL, 0, &system, tk_err));
            TK_OWN(ph_scene) *scene = NULL;
            ck_assert_msg(!ph_scene_create(system, &scene, tk_err), "%s: %s", model->name, tk_err->message);
            ph_scene_up(scene, up);
            ck_near(up[0] * up[0] + up[1] * up[1] + up[2] * up[2], 1, 1e-15);
            check_points(model, system, scene);
            check_parts(model, system, scene);
            check_forced(model, system, scene);
            affine += ph_scene_is_affine(scene);
            all++;
        }
    }
    printf("points are affine in %zu of %zu systems\n", affine, all);
    ck_assert_uint_ge(10 * affine, 9 * all); /* contacts of ellipsoids are not */
}

/* The ellipsoid that is drawn of a free body has its inertia: J_1 = m (b^2 + c^2) / 5. */
TEST(ellipsoid_of_inertia)
{
    const double J[3] = {0.8, 1.1, 1.3}, mass = 2.5;
    const ph_parameter_value values[] = {{"inertia", J, 3}, {"mass", &mass, 1}};
    size_t n, found = 0;
    TK_MAKE(ph_system, system,
            ph_model_build(ph_model_find("pendulum-3d", NULL), values, 2, &system, tk_err));
    TK_MAKE(ph_scene, scene, ph_scene_create(system, &scene, tk_err));
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    for (size_t i = 0; i < n; i++) {
        if (parts[i].kind != PH_SCENE_ELLIPSOID)
            continue;
        const double *R = parts[i].R, *s = parts[i].size;
        found++;
        for (size_t a = 0; a < 3; a++)
            for (size_t b = 0; b < 3; b++) {
                double sum = 0; /* R diag(m (s_j^2 + s_k^2) / 5) R^T */
                for (size_t k = 0; k < 3; k++) {
                    const double p = s[(k + 1) % 3], q = s[(k + 2) % 3];
                    sum += R[3 * a + k] * mass * (p * p + q * q) / 5 * R[3 * b + k];
                }
                ck_near(sum, a == b ? J[a] : 0, 1e-14);
            }
    }
    ck_assert_uint_eq(found, 1);
}

/* The first part of this kind, with this name where it is not NULL. */
static const ph_scene_part *find_part(const ph_scene *scene, ph_scene_kind kind, const char *name,
                                      size_t *count)
{
    size_t n;
    const ph_scene_part *parts = ph_scene_parts(scene, &n), *found = NULL;
    *count = 0;
    for (size_t i = n; i-- > 0;)
        if (parts[i].kind == kind && (!name || (parts[i].name && !strcmp(parts[i].name, name)))) {
            found = &parts[i];
            ++*count;
        }
    ck_assert_ptr_nonnull(found);
    return found;
}

static ph_scene *scene_of(const char *model, const ph_parameter_value *values, size_t n, ph_system **system)
{
    ph_scene *scene;
    tk_ok(ph_model_build(ph_model_find(model, NULL), values, n, system, tk_err));
    tk_ok(ph_scene_create(*system, &scene, tk_err));
    return scene;
}

/* A top stands on its tip, which is in the pivot however it is turned; the solid cone of its mass with these half-axes a, b of the base
 * and this height H has its centre of mass, at 3/4 of H, and the moments J_3 = (3/20) m (a^2 + b^2),
 * J_2 - J_1 = (3/20) m (a^2 - b^2) of the body. */
static void check_top(const double J[3], const double centre[3], double mass)
{
    const double l = sqrt(centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2]);
    const ph_parameter_value values[] = {{"inertia", J, 3}, {"mass", &mass, 1}, {"centre", centre, 3}};
    TK_OWN(ph_system) *system = NULL;
    TK_OWN(ph_scene) *scene = scene_of("heavy-top", values, 3, &system);
    double z[9], cm[3], x[3], G[9], moment[3];
    size_t n;
    const ph_scene_part *cone = find_part(scene, PH_SCENE_CONE, "top", &n);
    ck_assert_uint_eq(n, 1);
    place(ph_system_space(system), 5, z);
    ck_assert_int_eq(ph_system_places(system, 0, z, cm), PH_OK);
    ph_scene_attitude(scene, cone, z, G);
    ph_scene_locate(scene, &cone->a, z, cm, x);
    const double *s = cone->size;
    for (size_t a = 0; a < 3; a++) {
        ck_near(x[a] - s[2] * G[3 * a + 2], 0, 1e-14);           /* the tip */
        ck_near(x[a] + 0.5 * s[2] * G[3 * a + 2], cm[a], 1e-14); /* 3/4 of 2 s[2] from it */
    }
    for (size_t k = 0; k < 3; k++) { /* of the body about the axes of the cone in its frame */
        moment[k] = 0;
        for (size_t a = 0; a < 3; a++)
            moment[k] += J[a] * cone->R[3 * a + k] * cone->R[3 * a + k];
    }
    ck_near(moment[2], 0.15 * mass * (s[0] * s[0] + s[1] * s[1]), 1e-14 * moment[2]);
    ck_near(moment[1] - moment[0], 0.15 * mass * (s[0] * s[0] - s[1] * s[1]), 1e-14 * moment[2]);
    const ph_scene_part *axis = find_part(scene, PH_SCENE_LINE, "axis", &n);
    ph_scene_locate(scene, &axis->b, z, cm, x);
    for (size_t a = 0; a < 3; a++)
        ck_near(x[a], cm[a] * 4 / 3 * 1.3, 1e-14 * l);
    const ph_scene_part *mark = find_part(scene, PH_SCENE_MARK, "pivot", &n);
    ck_assert_uint_eq(n, 1);
    ph_scene_locate(scene, &mark->a, z, cm, x);
    ck_near(x[0] * x[0] + x[1] * x[1] + x[2] * x[2], 0, 0);
}

TEST(top)
{
    check_top((const double[]){0.234375, 0.46875, 0.234375}, (const double[]){0, 1, 0}, 15);
    check_top((const double[]){0.3, 0.4, 0.5}, (const double[]){0, 0, -0.2}, 2);
    check_top((const double[]){0.3, 0.5, 0.4}, (const double[]){0.1, 0, 0}, 2);
}

/* What is held has a mark where it is held, in the direction in which it hangs or is clamped. */
TEST(marks)
{
    const double held[3] = {0.4, 0.3, 0}, down[3] = {0, 0, -9.81}, direction[3] = {0, 3, 4};
    const ph_parameter_value cable[] = {{"anchor", held, 3}}, beam[] = {{"direction", direction, 3}},
                             chain[] = {{"gravity", down, 3}};
    ph_system *system;
    size_t n;
    ph_scene *scene = scene_of("chain-pendulum", chain, 1, &system);
    const ph_scene_part *mark = find_part(scene, PH_SCENE_MARK, "pivot", &n);
    ck_assert_uint_eq(n, 1);
    ck_near(mark->R[8], -1, 0); /* the third axis downwards */
    ph_scene_free(scene);
    ph_system_free(system);
    scene = scene_of("hanging-cable", cable, 1, &system);
    mark = find_part(scene, PH_SCENE_MARK, "anchor", &n);
    ck_assert_uint_eq(n, 1);
    for (size_t a = 0; a < 3; a++)
        ck_near(mark->a.at[a], held[a], 0);
    find_part(scene, PH_SCENE_MARK, "pivot", &n);
    ph_scene_free(scene);
    ph_system_free(system);
    scene = scene_of("cantilever", beam, 1, &system);
    mark = find_part(scene, PH_SCENE_MARK, "clamp", &n);
    for (size_t a = 0; a < 3; a++)
        ck_near(mark->R[3 * a + 2], direction[a] / 5, 1e-15);
    ph_scene_free(scene);
    ph_system_free(system);
}

/* A bob is as far from the mark of its pivot as its rod is long. */
TEST(marks_in_a_row)
{
    const char *const models[] = {"coupled-pendula", "submerged-pendula"};
    for (size_t m = 0; m < 2; m++) {
        const double lengths[3] = {0.5, 0.7, 0.6}, apart = 2;
        const ph_parameter_value values[] = {{"lengths", lengths, 3}, {"spacing", &apart, 1}};
        TK_OWN(ph_system) *system = NULL;
        TK_OWN(ph_scene) *scene = scene_of(models[m], values, 2, &system);
        double z[9], x[9];
        size_t n, k = 0;
        const ph_scene_part *parts = ph_scene_parts(scene, &n);
        place(ph_system_space(system), 2, z);
        ck_assert_int_eq(ph_system_places(system, 0, z, x), PH_OK);
        for (size_t i = 0; i < n; i++) {
            if (parts[i].kind != PH_SCENE_MARK)
                continue;
            const double *at = parts[i].a.at;
            ck_near(hypot(hypot(x[3 * k] - at[0], x[3 * k + 1] - at[1]), x[3 * k + 2] - at[2]), lengths[k],
                    1e-14);
            k++;
        }
        ck_assert_uint_eq(k, 3);
    }
}

/* Vortices: balls on the globe, and circulations with their signs; spins: a line through each row and column of sites. */
TEST(on_spheres)
{
    const double circulations[3] = {1, -2, 0.5}, sides[2] = {5, 3};
    const ph_parameter_value vortices[] = {{"circulations", circulations, 3}},
                             lattice[] = {{"side_x", &sides[0], 1}, {"side_y", &sides[1], 1}};
    ph_system *system;
    size_t n;
    ph_scene *scene = scene_of("point-vortices", vortices, 1, &system);
    const ph_scene_factor *factors = ph_scene_factors(scene, &n);
    ck_assert_uint_eq(n, 3);
    for (size_t i = 0; i < 3; i++)
        ck_near(factors[i].strength, circulations[i], 0);
    double z[9], x[3];
    place(ph_system_space(system), 4, z);
    const ph_scene_part *ball = find_part(scene, PH_SCENE_BALL, "vortex", &n);
    ck_assert_uint_eq(n, 3);
    for (size_t i = 0; i < 3; i++) {
        ph_scene_locate(scene, &ball[i].a, z, NULL, x);
        ck_assert(!memcmp(x, z + 3 * i, sizeof x));
    }
    ph_scene_free(scene);
    ph_system_free(system);
    scene = scene_of("spin-lattice", lattice, 2, &system);
    find_part(scene, PH_SCENE_ARROW, NULL, &n);
    ck_assert_uint_eq(n, 15);
    const ph_scene_part *bond = find_part(scene, PH_SCENE_LINE, "bond", &n);
    ck_assert_uint_eq(n, 5 + 3);
    for (size_t i = 0; i < 8; i++) { /* three rows along e1, then five columns along e2 */
        const double *a = bond[i].a.at, *b = bond[i].b.at;
        ck_assert(i < 3 ? a[0] == 0 && b[0] == 4 && a[1] == b[1] : a[1] == 0 && b[1] == 2 && a[0] == b[0]);
    }
    ph_scene_free(scene);
    ph_system_free(system);
}

/* vertex, face <- a unit sphere of rings and sectors. */
static void make_sphere(size_t rings, size_t sectors, double *vertex, uint32_t *face)
{
    const double pi = acos(-1);
    for (size_t i = 0; i < rings * sectors; i++) {
        const double a = pi * ((double)(i / sectors) + 0.5) / (double)rings,
                     b = 2 * pi * (double)(i % sectors) / (double)sectors;
        vertex[3 * i] = sin(a) * cos(b);
        vertex[3 * i + 1] = sin(a) * sin(b);
        vertex[3 * i + 2] = cos(a);
    }
    for (size_t i = 0; i < (rings - 1) * sectors; i++) {
        const size_t next = i % sectors == sectors - 1 ? i + 1 - sectors : i + 1;
        const uint32_t four[4] = {(uint32_t)i, (uint32_t)(i + sectors), (uint32_t)(next + sectors),
                                  (uint32_t)next};
        const uint32_t two[6] = {four[0], four[1], four[2], four[0], four[2], four[3]};
        memcpy(face + 6 * i, two, sizeof two);
    }
}

/* Surfaces of bodies are parts of the scene, in the attitude of their body; one of 78 000 triangles is thinned, and stays the same sphere. */
TEST(shapes_of_bodies)
{
    enum { RINGS = 131, SECTORS = 300 };
    static double vertex[3 * RINGS * SECTORS];
    static uint32_t face[6 * (RINGS - 1) * SECTORS];
    static const double corner[12] = {1, 0, 0, 0, 2, 0, 0, 0, 3, -1, -2, -3};
    static const uint32_t side[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    const ph_mesh fine = {RINGS * SECTORS, vertex, 2 * (RINGS - 1) * SECTORS, face},
                  coarse = {4, corner, 4, side};
    const ph_mesh *const shapes[2] = {&fine, &coarse};
    ph_mass mass[2];
    size_t n, meshes = 0;
    make_sphere(RINGS, SECTORS, vertex, face);
    for (size_t i = 0; i < 2; i++)
        tk_returns(ph_mass_sphere(2, 1, &mass[i], tk_err), PH_OK);
    const ph_gravitation_definition d = {
        .bodies = 2, .mass = mass, .order = 2, .G = 1, .relative = true, .shapes = shapes};
    ph_gravitation *g = tk_gravitation(d);
    TK_MAKE(ph_system, system, ph_gravitation_build(g, &system, tk_err));
    TK_MAKE(ph_scene, scene, ph_scene_create(system, &scene, tk_err));
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    for (size_t i = 0; i < n; i++) {
        const ph_mesh *mesh = parts[i].mesh;
        if (!mesh)
            continue;
        ck_assert_uint_eq(parts[i].a.point, meshes);
        ck_assert_uint_eq(parts[i].a.frame, 1 + meshes);
        if (meshes++) {
            ck_assert(!memcmp(mesh->vertex, corner, sizeof corner) && !memcmp(mesh->face, side, sizeof side));
            ck_near(parts[i].size[0], sqrt(14), 1e-15);
            continue;
        }
        printf("%zu vertices, %zu triangles\n", mesh->vertices, mesh->faces);
        ck_assert_uint_le(mesh->faces, PH_SHAPE_MOST);
        ck_assert_uint_ge(mesh->faces, 1000);
        for (size_t k = 0; k < mesh->vertices; k++) /* means of cells of the size 2/40 */
            ck_near(ph_norm3(mesh->vertex + 3 * k), 1, 0.01);
        double volume = 0, normal[3];
        for (size_t k = 0; k < mesh->faces; k++) {
            const double *a = mesh->vertex + 3 * mesh->face[3 * k],
                         *b = mesh->vertex + 3 * mesh->face[3 * k + 1],
                         *c = mesh->vertex + 3 * mesh->face[3 * k + 2];
            ph_cross3(a, b, normal);
            volume += ph_dot3(normal, c) / 6;
        }
        ck_near(volume, 4 * acos(-1) / 3, 0.1); /* without the caps of the first and last ring */
    }
    ck_assert_uint_eq(meshes, 2);
}

/* ---- A system of one's own ------------------------------------------------------------------------------ */

static ph_status still(void *user, const double *z, double *U)
{
    (void)user, (void)z;
    *U = 0;
    return PH_OK;
}

static ph_status flat(void *user, const double *z, double *dU)
{
    (void)user, (void)z;
    memset(dU, 0, 5 * sizeof *dU);
    return PH_OK;
}

/* *system <- a unit mass on a sphere and one on a circle with these parts; its status. */
static ph_status build(const ph_scene_part *parts, size_t n, const double *up, ph_system **system,
                       ph_error *err)
{
    const ph_factor factors[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S1}};
    double ones[25] = {0};
    TK_MAKE(ph_space, space, ph_space_create(factors, 2, &space, err));
    for (size_t k = 0; k < 5; k++)
        ones[6 * k] = 1;
    ph_system_definition d = {.space = space,
                              .ambient_inertia = ones,
                              .potential = still,
                              .gradient = flat,
                              .parts = parts,
                              .n_parts = n};
    if (up)
        memcpy(d.up, up, sizeof d.up);
    const ph_status status = ph_system_create(&d, system, err);
    return status;
}

static const ph_scene_part arrow = {.kind = PH_SCENE_ARROW,
                                    .a = PH_SCENE_AT(1, 2, 3),
                                    .b = {{1, 2, 3}, PH_NO_INDEX, 0, {0.5, 0, 0}},
                                    .link = PH_NO_INDEX,
                                    .spin = PH_NO_INDEX,
                                    .name = "needle"};

TEST(own_parts)
{
    const double up[3] = {0, -3, 0}, z[5] = {0.6, 0, 0.8, 1, 0};
    double x[3], found_up[3];
    char name[] = "needle";
    ph_scene_part part = arrow;
    size_t n;
    part.name = name;
    TK_MAKE(ph_system, system, build(&part, 1, up, &system, tk_err));
    memset(name, '!', 3); /* the system has copies */
    part.kind = PH_SCENE_BOX;
    TK_MAKE(ph_scene, scene, ph_scene_create(system, &scene, tk_err));
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert_int_eq(parts[0].kind, PH_SCENE_ARROW);
    ck_assert_str_eq(parts[0].name, "needle");
    ph_scene_locate(scene, &parts[0].b, z, NULL, x);
    ck_near(x[0], 1.3, 1e-15);
    ck_near(x[1], 2, 0);
    ck_near(x[2], 3.4, 1e-15);
    ph_scene_up(scene, found_up);
    ck_near(found_up[1], -1, 0);
}

/* A pyramid of four triangles without its base: the system and its scene have copies; the text of a large coordinate is rounded. */
TEST(own_mesh)
{
    double vertex[15] = {1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 0, 0, 2.123456789};
    uint32_t face[12] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    const ph_mesh mesh = {5, vertex, 4, face};
    ph_scene_part two[2] = {arrow, arrow};
    size_t n;
    two[0].kind = PH_SCENE_MESH;
    two[0].size[0] = 2.2;
    two[0].mesh = &mesh;
    TK_MAKE(ph_system, system, build(two, 2, NULL, &system, tk_err));
    memset(vertex, 0, sizeof vertex);
    memset(face, 0, sizeof face);
    TK_MAKE(ph_scene, scene, ph_scene_create(system, &scene, tk_err));
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    ck_assert_uint_eq(parts[0].mesh->vertices, 5);
    ck_near(parts[0].mesh->vertex[14], 2.123456789, 0);
    ck_assert_uint_eq(parts[0].mesh->face[11], 4);
    ck_assert_str_eq(parts[0].name, "needle");
    ck_assert_str_eq(parts[1].name, "needle");
    ck_assert_ptr_nonnull(strstr(ph_scene_text(scene),
                                 "\"vertices\":[1,0,0,0,1,0,-1,0,0,0,-1,0,0,0,2.123457],"
                                 "\"triangles\":[0,1,4,1,2,4,2,3,4,3,0,4]"));
}

/* Refused with a message that has these words. */
static void refuse(ph_scene_part part, ph_status status, const char *words)
{
    const ph_scene_part two[2] = {arrow, part};
    ph_system *system = NULL;
    tk_returns(build(two, 2, NULL, &system, tk_err), status);
    ck_assert_msg(strstr(tk_err->message, "part 1") && strstr(tk_err->message, words), "%s", tk_err->message);
}

TEST(bad_parts)
{
    ph_scene_part p = arrow;
    p.b.frame = 2;
    refuse(p, PH_E_RANGE, "frame 2 of b");
    p = arrow;
    p.a.point = 0; /* there are no points */
    refuse(p, PH_E_RANGE, "point 0 of a");
    p = arrow;
    p.size[1] = -1;
    refuse(p, PH_E_RANGE, "size[1] is -1");
    p = arrow;
    p.a.at[2] = NAN;
    refuse(p, PH_E_NOT_FINITE, "a has a number");
    p = arrow;
    p.R[0] = p.R[4] = 1;
    p.R[8] = -1;
    refuse(p, PH_E_INVALID, "not a rotation");
    p = arrow;
    p.link = 7;
    refuse(p, PH_E_RANGE, "link 7");
    p = arrow;
    p.kind = PH_SCENE_CYLINDER;
    p.spin = 2;
    refuse(p, PH_E_RANGE, "spin 2 is no factor");
    p.spin = 0;
    refuse(p, PH_E_INVALID, "spin 0 is a factor that has no angle");
    p.kind = PH_SCENE_LINE;
    p.spin = 1;
    refuse(p, PH_E_INVALID, "no spin");
    p = arrow;
    p.kind = (ph_scene_kind)99;
    refuse(p, PH_E_RANGE, "kind 99");
    p = arrow;
    p.kind = PH_SCENE_TUBE;
    refuse(p, PH_E_RANGE, "a tube");
    const double vertex[9] = {0, 0, 0, 1, 0, 0, 0, 1, NAN};
    const uint32_t face[3] = {0, 1, 3};
    ph_mesh mesh = {2, vertex, 1, face};
    p = arrow;
    p.mesh = &mesh;
    refuse(p, PH_E_INVALID, "has a mesh, and is of another kind");
    p.kind = PH_SCENE_MESH;
    refuse(p, PH_E_RANGE, "triangle 0 of its mesh has vertex 3; there are 2");
    mesh.vertices = 3;
    refuse(p, PH_E_NOT_FINITE, "a vertex of its mesh");
    mesh.faces = PH_SCENE_MESH_MOST + 1;
    refuse(p, PH_E_SIZE, "20001 triangles; at most 20000");
    mesh.faces = 0;
    refuse(p, PH_E_INVALID, "a mesh without triangles");
    p.mesh = NULL;
    refuse(p, PH_E_INVALID, "a mesh without vertices");
    ph_system *system = NULL;
    tk_returns(build(NULL, 1, NULL, &system, tk_err), PH_E_INVALID);
    tk_returns(build(NULL, 0, (const double[]){0, INFINITY, 0}, &system, tk_err), PH_E_NOT_FINITE);
}

/* ---- What turns ----------------------------------------------------------------------------------------- */

/* F R S by hand: of a part in the frame of S^2 and of S^1, with an R and a spin. */
TEST(attitudes)
{
    const double phi = 0.7, z[5] = {0.6, 0, 0.8, cos(phi), sin(phi)},
                 quarter[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}; /* e1 to e2 to e3 to e1 */
    ph_scene_part two[2] = {arrow, arrow};
    double G[9];
    size_t n;
    two[0].kind = two[1].kind = PH_SCENE_CYLINDER;
    two[0].a = (ph_scene_place){.point = PH_NO_INDEX, .frame = PH_NO_INDEX};
    two[0].spin = 1;
    memcpy(two[0].R, quarter, sizeof quarter);
    two[1].a = (ph_scene_place){.point = PH_NO_INDEX, .frame = 0};
    TK_MAKE(ph_system, system, build(two, 2, NULL, &system, tk_err));
    TK_MAKE(ph_scene, scene, ph_scene_create(system, &scene, tk_err));
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    ph_scene_attitude(scene, &parts[0], z, G);
    /* its third axis stays along e1; its first goes from e2 towards e3 */
    const double first[9] = {0, 0, 1, cos(phi), -sin(phi), 0, sin(phi), cos(phi), 0};
    for (size_t i = 0; i < 9; i++)
        ck_near(G[i], first[i], 1e-15);
    ph_scene_attitude(scene, &parts[1], z, G);
    /* the turn about e3 x e1 = e2 that takes e1 to q */
    const double second[9] = {0.6, 0, -0.8, 0, 1, 0, 0.8, 0, 0.6};
    for (size_t i = 0; i < 9; i++)
        ck_near(G[i], second[i], 1e-15);
}

/* x (3) <- where a place of part `which`, rho in the part, is at the configuration. */
static void material_place(const ph_scene *scene, size_t which, const double *z, const double rho[3],
                           double x[3])
{
    size_t n;
    const ph_scene_part *part = &ph_scene_parts(scene, &n)[which];
    double points[3 * 8], G[9];
    ck_assert_uint_le(ph_scene_count(scene), 8);
    ck_assert_int_eq(ph_scene_points(scene, z, points, NULL), PH_OK);
    ph_scene_locate(scene, &part->a, z, points, x);
    ph_scene_attitude(scene, part, z, G);
    for (size_t a = 0; a < 3; a++)
        x[a] += G[3 * a] * rho[0] + G[3 * a + 1] * rho[1] + G[3 * a + 2] * rho[2];
}

/* The velocity of the material point that touches the ground is 0, by central differences along the motion. */
static size_t check_wheels(const char *name, size_t preset)
{
    enum { NZ_MOST = 16 };
    const ph_model *model = ph_model_find(name, NULL);
    const double down[3] = {0, 0, -1}, h = 1e-5;
    double z[NZ_MOST], zdot[NZ_MOST], ahead[NZ_MOST], behind[NZ_MOST];
    size_t n, wheels = 0;
    TK_MAKE(ph_system, system, ph_model_build(model, NULL, 0, &system, tk_err));
    tk_returns(ph_model_preset(model, NULL, 0, model->presets[preset].name,
                               ph_space_ambient(ph_system_space(system)), z, zdot, tk_err),
               PH_OK);
    TK_MAKE(ph_scene, scene, ph_scene_create(system, &scene, tk_err));
    const ph_space *space = ph_system_space(system);
    for (size_t k = 0; k < ph_space_ambient(space); k++) {
        ahead[k] = z[k] + h * zdot[k];
        behind[k] = z[k] - h * zdot[k];
    }
    ck_assert_int_eq(ph_space_project(space, ahead), PH_OK);
    ck_assert_int_eq(ph_space_project(space, behind), PH_OK);
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    for (size_t i = 0; i < n; i++) {
        double G[9], rho[3], x[3], y[3];
        if (parts[i].spin == PH_NO_INDEX)
            continue;
        wheels++;
        ph_scene_attitude(scene, &parts[i], z, G);
        for (size_t a = 0; a < 3; a++)
            rho[a] = parts[i].size[0] * (G[a] * down[0] + G[3 + a] * down[1] + G[6 + a] * down[2]);
        material_place(scene, i, z, rho, x);
        ck_near(x[2], 0, 1e-15); /* it is on the ground */
        material_place(scene, i, ahead, rho, x);
        material_place(scene, i, behind, rho, y);
        for (size_t a = 0; a < 3;
             a++) /* h^2 / 6 times third derivatives, of the order of 10^3 for wheels of 0.1 m */
            ck_near((x[a] - y[a]) / (2 * h), 0, 1e-7);
    }
    return wheels;
}

TEST(wheels_roll)
{
    for (size_t preset = 0; preset < 2; preset++) {
        ck_assert_uint_eq(check_wheels("vertical-disk", preset), 1);
        ck_assert_uint_eq(check_wheels("wheeled-cart", preset), 2);
    }
}

/* x <- turned about e3. */
static void turn_third(double angle, double x[3])
{
    const double c = cos(angle), s = sin(angle), a = x[0], b = x[1];
    x[0] = c * a - s * b;
    x[1] = s * a + c * b;
}

/* The scene of a reduced system is that of the whole, turned by the phase about the axis (here e3, on which the system
 * is hung): points, the ends of lines, attitudes. */
static void check_reduced(const char *name, size_t symmetry)
{
    TK_OWN(ph_system) *whole = NULL, *reduced = NULL;
    TK_OWN(ph_scene) *scene = NULL, *of_whole = NULL;
    size_t n, m, found = 0;
    tk_ok(ph_model_build(ph_model_find(name, NULL), NULL, 0, &whole, tk_err));
    tk_ok(ph_routh_create(whole, symmetry, &reduced, tk_err));
    tk_returns(ph_scene_create(reduced, &scene, tk_err), PH_OK);
    tk_returns(ph_scene_create(whole, &of_whole, tk_err), PH_OK);
    ck_assert(ph_scene_is_affine(scene));
    ck_assert_uint_eq(ph_scene_count(scene), ph_scene_count(of_whole));
    const ph_scene_part *parts = ph_scene_parts(scene, &n);
    (void)ph_scene_parts(of_whole, &m);
    ck_assert_uint_eq(n, m);
    const size_t nz = ph_space_ambient(ph_system_space(whole)), points = ph_scene_count(scene);
    double z[32], x[3 * 8], y[3 * 8];
    ck_assert_uint_lt(nz, 32);
    ck_assert_uint_le(points, 8);
    for (unsigned seed = 1; seed <= 4; seed++) {
        place(ph_system_space(whole), seed, z);
        z[nz] = 1.9 * seed - 4;
        ck_assert_int_eq(ph_scene_points(scene, z, x, NULL), PH_OK);
        ck_assert_int_eq(ph_scene_points(of_whole, z, y, NULL), PH_OK);
        for (size_t k = 0; k < points; k++)
            turn_third(z[nz], y + 3 * k);
        for (size_t k = 0; k < 3 * points; k++)
            ck_near(x[k], y[k], 1e-13);
        for (size_t i = 0; i < n; i++) {
            double G[9], H[9], end[3], column[3];
            found += parts[i].a.frame != PH_NO_INDEX || has_end(&parts[i]);
            ph_scene_locate(scene, &parts[i].b, z, x, end);
            ph_scene_locate(of_whole, &parts[i].b, z, x,
                            column); /* the points are turned: what is left is not */
            for (size_t a = 0; a < 3; a++)
                column[a] -= parts[i].b.point == PH_NO_INDEX ? 0 : x[3 * parts[i].b.point + a];
            turn_third(z[nz], column);
            for (size_t a = 0; a < 3; a++)
                ck_near(end[a],
                        (parts[i].b.point == PH_NO_INDEX ? 0 : x[3 * parts[i].b.point + a]) + column[a],
                        1e-13);
            ph_scene_attitude(scene, &parts[i], z, G);
            ph_scene_attitude(of_whole, &parts[i], z, H);
            for (size_t b = 0; b < 3 && parts[i].a.frame != PH_NO_INDEX; b++) {
                for (size_t a = 0; a < 3; a++)
                    column[a] = H[3 * a + b];
                turn_third(z[nz], column);
                for (size_t a = 0; a < 3; a++)
                    ck_near(G[3 * a + b], column[a], 1e-13);
            }
        }
    }
    ck_assert_uint_gt(found, 0);
}

TEST(reduced_systems)
{
    check_reduced("double-spherical-pendulum", 0);
    check_reduced("pendulum-3d", 0);
}

/* A chain of 4000 links takes a text in proportion; one of 20 000 has no scene. */
TEST(large_systems)
{
    size_t length[2];
    for (int k = 0; k < 3; k++) {
        const double links = k == 0 ? 2000 : k == 1 ? 4000 : 20000;
        const ph_parameter_value value = {"links", &links, 1};
        TK_MAKE(ph_system, system,
                ph_model_build(ph_model_find("chain-pendulum", NULL), &value, 1, &system, tk_err));
        TK_OWN(ph_scene) *scene = NULL;
        const ph_status status = ph_scene_create(system, &scene, tk_err);
        ck_assert_int_eq(status, k < 2 ? PH_OK : PH_E_SIZE);
        if (k < 2)
            length[k] = strlen(ph_scene_text(scene));
    }
    ck_assert_uint_lt(length[1], 5 * length[0] / 2);
}

int main(void)
{
    return tk_run("scenes");
}
