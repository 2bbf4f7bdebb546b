/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity for the suites of their motion: see cases.h. */
#include "cases.h"
#include "tests/kit/binaries.h"

static gc_body ellipsoid(double mass, double a, double b, double c)
{
    gc_body body = {.q = {1, 0, 0, 0}};
    const double half_axes[3] = {a, b, c};
    tk_ok(ph_mass_ellipsoid(mass, half_axes, &body.mass, NULL));
    return body;
}

static void put(double *to, double a, double b, double c)
{
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

static void face(double q[4], double w, double x, double y, double z)
{
    q[0] = w;
    put(q + 1, x, y, z);
}

gc_case gc_worked(size_t order)
{
    gc_case c = {.n = 2,
                 .order = order,
                 .G = 1,
                 .relative = true,
                 .body = {ellipsoid(1, .5, .4, .3), ellipsoid(.3, .3, .2, .15)}};
    put(c.body[0].W, .1, .2, 1.5);
    put(c.body[1].x, 1.8, .2, -.1);
    put(c.body[1].v, .1, .75, .15);
    face(c.body[1].q, 7, 1, 2, 1);
    put(c.body[1].W, .3, -.4, .6);
    return c;
}

gc_case gc_ellipsoids(size_t order)
{
    gc_case c = {.n = 2,
                 .order = order,
                 .G = 6.6743e-11,
                 .relative = true,
                 .body = {ellipsoid(3.5e11, 400, 350, 280), ellipsoid(2e10, 120, 90, 70)}};
    put(c.body[0].W, 1e-5, 2e-5, 6e-4);
    put(c.body[1].x, 1100, 50, 30);
    put(c.body[1].v, .01, .15, .02);
    face(c.body[1].q, 7, 1, 2, 1);
    put(c.body[1].W, 2e-5, -3e-5, 1.5e-4);
    return c;
}

gc_case gc_triple(size_t order)
{
    gc_case c = gc_ellipsoids(order);
    gc_body *third = &c.body[2];
    c.relative = false;
    c.n = 3;
    tk_ok(ph_mass_sphere(5e9, 0, &third->mass, NULL));
    third->point = true;
    put(third->x, -300, 2600, 200);
    put(third->v, -.098, -.012, .015);
    return c;
}

gc_case gc_four(size_t order)
{
    const double nowhere[3] = {0, 0, 0}, turned[4] = {4, 1, 2, -1};
    gc_case c = gc_worked(order);
    double R[9];
    c.relative = false;
    c.n = 4;
    for (size_t i = 2; i < 4; i++) {
        const gc_body part = ellipsoid(.2 * (double)i, .3, .25, .2);
        gc_body *body = &c.body[i];
        tk_attitude(turned, R);
        *body = (gc_body){.q = {1, .2 * (double)i, 0, .5}, .point = i == 3};
        ph_mass_add(&part.mass, nowhere, R, &body->mass);
        put(body->x, i == 2 ? -2 : 0, -1.5, .3 * (double)i);
        put(body->v, .2, i == 2 ? -.5 : .4, 0);
        put(body->W, .4, .3, -.5);
    }
    return c;
}

ph_mass gc_octahedron(const double half_axes[3], double density)
{
    static const uint32_t faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                       2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    double corners[18] = {0};
    ph_mass mass;
    ph_mesh mesh = {.vertices = 6, .vertex = corners, .faces = 8, .face = faces};
    for (size_t k = 0; k < 3; k++) {
        corners[6 * k + k] = half_axes[k];
        corners[6 * k + 3 + k] = -half_axes[k];
    }
    tk_ok(ph_mass_polyhedron(&mesh, density, &mass, NULL, NULL));
    return mass;
}

ph_gravitation *gc_description(const gc_case *c)
{
    ph_mass masses[GC_BODIES];
    bool turning[GC_BODIES];
    for (size_t i = 0; i < c->n; i++) {
        masses[i] = c->body[i].mass;
        turning[i] = !c->body[i].point;
    }
    const ph_gravitation_definition d = {.bodies = c->n,
                                         .mass = masses,
                                         .turning = turning,
                                         .order = c->order,
                                         .G = c->G,
                                         .relative = c->relative,
                                         .tides = c->tides};
    return tk_gravitation(d);
}

gc_motion gc_begin(const gc_case *c)
{
    gc_motion m = {.places = c->relative ? 1 : c->n};
    double center[3] = {0}, drift[3] = {0}, total = 0;
    size_t at = 0;
    tk_ok(ph_gravitation_build(gc_description(c), &m.system, NULL));
    m.nz = ph_space_ambient(ph_system_space(m.system));
    m.np = ph_space_momenta(ph_system_space(m.system));
    for (size_t i = 0; i < c->n; i++) {
        total += c->body[i].mass.moment[0];
        for (size_t k = 0; k < 3; k++) {
            center[k] += c->body[i].mass.moment[0] * c->body[i].x[k];
            drift[k] += c->body[i].mass.moment[0] * c->body[i].v[k];
        }
    }
    for (size_t i = 0; i < c->n; i++) {
        const gc_body *b = &c->body[i];
        for (size_t k = 0; k < 3 && !c->relative; k++) {
            m.z[3 * i + k] = b->x[k] - center[k] / total;
            m.p[3 * i + k] = b->mass.moment[0] * (b->v[k] - drift[k] / total);
        }
        if (b->point)
            continue;
        tk_attitude(b->q, m.z + 3 * m.places + 9 * at);
        ph_apply3(b->mass.J, b->W, m.p + 3 * m.places + 3 * at);
        at++;
    }
    for (size_t k = 0; k < 3 && c->relative; k++) {
        const double a = c->body[0].mass.moment[0], b = c->body[1].mass.moment[0];
        m.z[k] = c->body[1].x[k] - c->body[0].x[k];
        m.p[k] = a * b / (a + b) * (c->body[1].v[k] - c->body[0].v[k]);
    }
    return m;
}

void gc_end(const gc_motion *m)
{
    ph_system_free(m->system);
}

/* ---- By callbacks ---------------------------------------------------------------------------------------------- */

static ph_status their_potential(void *user, const double *z, double *U)
{
    return ph_system_potential(user, z, U);
}

static ph_status their_gradient(void *user, const double *z, double *dU)
{
    return ph_system_gradient(user, z, dU);
}

ph_system *gc_anonymous(const ph_system *system)
{
    ph_system *copy;
    const ph_system_definition d = {.space = ph_system_space(system),
                                    .ambient_inertia = ph_system_ambient_inertia(system),
                                    .potential = their_potential,
                                    .gradient = their_gradient,
                                    .gradient_on_manifold = true,
                                    .user = (void *)(uintptr_t)system};
    tk_ok(ph_system_create(&d, &copy, NULL));
    ck_assert_ptr_null(ph_system_gravitation(copy));
    return copy;
}

/* ---- Motions --------------------------------------------------------------------------------------------------- */

void gc_start(const gc_motion *m, const ph_system *system, const char *order, double h, ph_integrator **it,
              ph_state **state)
{
    const ph_setting setting = {"order", order};
    tk_ok(ph_integrator_create(system, ph_method_find("variational", NULL), h, &setting, 1, it, NULL));
    tk_ok(ph_state_create(*it, state, NULL));
    tk_ok(ph_state_set(*it, *state, 0, m->z, m->p, PH_STRICT, NULL));
}

void gc_totals(const gc_motion *m, const ph_state *state, double p[3], double L[3])
{
    double turned[3], across[3];
    for (size_t k = 0; k < 3; k++)
        p[k] = L[k] = 0;
    for (size_t i = 0; i < m->places; i++) {
        ph_cross3(state->z + 3 * i, state->p + 3 * i, across);
        for (size_t k = 0; k < 3; k++) {
            p[k] += state->p[3 * i + k];
            L[k] += across[k];
        }
    }
    for (size_t at = 3 * m->places, of = at; at < m->nz; at += 9, of += 3) {
        ph_apply3(state->z + at, state->p + of, turned);
        for (size_t k = 0; k < 3; k++)
            L[k] += turned[k];
    }
}

double gc_tilt(const gc_motion *m, const ph_state *state)
{
    double C[9], most = 0;
    for (size_t at = 3 * m->places; at < m->nz; at += 9) {
        ph_rotation_residual3(state->z + at, C);
        most = tk_max(most, ph_max_norm(C, 9));
    }
    return most;
}
