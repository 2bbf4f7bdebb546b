/* SPDX-License-Identifier: BSD-3-Clause */
/* The mechanical system of bodies under mutual gravity (polhode/domain/gravitation.h), for every method: places in R^3, attitudes in
 * SO(3), a constant inertia, the potential and its gradient. On SO(3) dU/dR = -(1/2) R S(T), whose moment on the body is T. */
#include "kind.h"
#include "lib/equations/equations.h"
#include "lib/kinds/net/net.h"

#include <polhode/kit/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Callbacks -------------------------------------------------------------------------------------------------- */

/* Callbacks may be called by several threads, so that room for forces is on the stack for few bodies and taken from the heap
 * for many. */
enum { FEW = 32 };
typedef struct room {
    double few[6 * FEW], *force;
} room;

static bool find_room(const ph_gravitation *g, room *r, ph_attracted *out)
{
    const size_t count = 3 * (g->places + g->attitudes);
    r->force = r->few;
    if (count > sizeof r->few / sizeof r->few[0] && !(r->force = malloc(count * sizeof *r->force)))
        return false;
    *out = (ph_attracted){.force = r->force, .torque = r->force + 3 * g->places};
    return true;
}

static void leave_room(room *r)
{
    if (r->force != r->few)
        free(r->force);
}

/* dU += sign (force, torque) as a covector: on SO(3) -(1/2) R S(T) of a gradient, row of R S(T) is (row of R) x T. */
static void add_covector(const ph_gravitation *g, double sign, const double *z, const ph_attracted *out,
                         double *dU)
{
    for (size_t k = 0; k < 3 * g->places; k++)
        dU[k] += sign * out->force[k];
    for (size_t i = 0; i < g->attitudes; i++) {
        const size_t at = 3 * g->places + 9 * i;
        for (size_t row = 0; row < 3; row++) {
            double turn[3];
            ph_cross3(z + at + 3 * row, out->torque + 3 * i, turn);
            for (size_t k = 0; k < 3; k++)
                dU[at + 3 * row + k] += sign * 0.5 * turn[k];
        }
    }
}

/* dU (nullable) += the gradient, *U, *rate (nullable) <- of what these groups do. */
static ph_status evaluate(const ph_gravitation *g, unsigned groups, double t, const double *z, double *dU,
                          double *U, double *rate)
{
    ph_attracted out;
    room r;
    if (!find_room(g, &r, &out))
        return PH_E_NO_MEMORY;
    ph_gravitation_evaluate(g, groups, PH_ATTRACT_ALL, t, z, &out);
    if (dU)
        add_covector(g, -1, z, &out, dU);
    if (U)
        *U = out.U;
    if (rate)
        *rate = out.rate;
    leave_room(&r);
    return PH_OK;
}

static unsigned steady(const ph_gravitation *g)
{
    return PH_GROUP_ALL & ~ph_gravitation_groups_in_time(g);
}

static ph_status potential(void *user, const double *z, double *U)
{
    return evaluate(user, steady(user), 0, z, NULL, U, NULL);
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const ph_gravitation *g = user;
    memset(dU, 0, (3 * g->places + 9 * g->attitudes) * sizeof *dU);
    return evaluate(g, steady(g), 0, z, dU, NULL, NULL);
}

static ph_status potential_in_time(void *user, double t, const double *z, double *U)
{
    return evaluate(user, ph_gravitation_groups_in_time(user), t, z, NULL, U, NULL);
}

static ph_status gradient_in_time(void *user, double t, const double *z, double *dU)
{
    return evaluate(user, ph_gravitation_groups_in_time(user), t, z, dU, NULL, NULL);
}

static ph_status potential_rate(void *user, double t, const double *z, double *rate)
{
    return evaluate(user, ph_gravitation_groups_in_time(user), t, z, NULL, NULL, rate);
}

/* f += the tides. */
static ph_status tides(void *user, double t, const double *z, const double *zdot, double *f)
{
    const ph_gravitation *g = user;
    double few[6 * FEW], *p = few;
    const size_t places = 3 * g->places, count = places + 3 * g->attitudes;
    ph_attracted out;
    room r;
    (void)t;
    if (!find_room(g, &r, &out))
        return PH_E_NO_MEMORY;
    if (count > sizeof few / sizeof few[0] && !(p = malloc(count * sizeof *p))) {
        leave_room(&r);
        return PH_E_NO_MEMORY;
    }
    for (size_t k = 0; k < places; k++)
        p[k] = g->inertia[k / 3] * zdot[k];
    for (size_t i = 0; i < g->n; i++) { /* Pi = J Omega, S(Omega) = R^T Rdot */
        const size_t at = g->body[i].attitude;
        double S[9], Omega[3];
        if (at == PH_NO_INDEX)
            continue;
        ph_transposed_multiply3(z + places + 9 * at, zdot + places + 9 * at, S);
        ph_vee3(S, Omega);
        ph_apply3(g->body[i].mass.J, Omega, p + places + 3 * at);
    }
    ph_gravitation_tides(g, z, p, out.force, out.torque, NULL);
    add_covector(g, 1, z, &out, f);
    leave_room(&r);
    if (p != few)
        free(p);
    return PH_OK;
}

void ph_gravitation_rate(const ph_gravitation *g, unsigned parts, double t, const double *z, double *rate)
{
    ph_attracted out;
    room r;
    *rate = NAN;
    if (!find_room(g, &r, &out))
        return;
    ph_gravitation_evaluate(g, PH_GROUP_ALL, parts, t, z, &out);
    *rate = out.rate;
    leave_room(&r);
}

/* x (3 x bodies) <- where they are. */
static ph_status points(void *user, double t, const double *z, double *x)
{
    (void)t;
    const ph_gravitation *g = user;
    if (!g->relative) {
        memcpy(x, z, 3 * g->n * sizeof *x);
        return PH_OK;
    }
    const double a = g->body[0].mass.moment[0], b = g->body[1].mass.moment[0];
    for (size_t k = 0; k < 3; k++) {
        x[k] = -b / (a + b) * z[k];
        x[3 + k] = a / (a + b) * z[k];
    }
    return PH_OK;
}

/* ---- Symmetries ------------------------------------------------------------------------------------------------- */

/* xi (np) <- all places move along an axis. */
static void move_along(const ph_gravitation *g, size_t axis, double *xi)
{
    memset(xi, 0, 3 * (g->places + g->attitudes) * sizeof *xi);
    for (size_t i = 0; i < g->places; i++)
        xi[3 * i + axis] = 1;
}

static ph_status along_x(void *user, const double *z, double *xi)
{
    (void)z;
    move_along(user, 0, xi);
    return PH_OK;
}

static ph_status along_y(void *user, const double *z, double *xi)
{
    (void)z;
    move_along(user, 1, xi);
    return PH_OK;
}

static ph_status along_z(void *user, const double *z, double *xi)
{
    (void)z;
    move_along(user, 2, xi);
    return PH_OK;
}

enum { ROTATIONS = 3, SYMMETRIES = 6 };
static const ph_symmetry symmetries[SYMMETRIES] = {
    {"Lx", "angular momentum about e1 through the origin", "kg m^2/s", {1, 0, 0}, NULL},
    {"Ly", "angular momentum about e2 through the origin", "kg m^2/s", {0, 1, 0}, NULL},
    {"Lz", "angular momentum about e3 through the origin", "kg m^2/s", {0, 0, 1}, NULL},
    {"Px", "linear momentum along e1", "kg m/s", {0, 0, 0}, along_x},
    {"Py", "linear momentum along e2", "kg m/s", {0, 0, 0}, along_y},
    {"Pz", "linear momentum along e3", "kg m/s", {0, 0, 0}, along_z},
};

/* Has a body a figure and no attitude? Then the axes of space count. */
static bool is_any_figure_held(const ph_gravitation *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->body[i].figure && g->body[i].attitude == PH_NO_INDEX)
            return true;
    return false;
}

/* *first, result <- which of them there are, and how many: of rotations where no figure is held, with a central body one that
 * is a sphere; none with given bodies. */
static size_t find_symmetries(const ph_gravitation *g, size_t *first)
{
    const bool turns = !is_any_figure_held(g) && (!g->central || g->central->sphere),
               moves = !g->relative && !g->central;
    *first = turns ? 0 : ROTATIONS;
    return g->n_given ? 0 : (turns ? ROTATIONS : 0) + (moves ? SYMMETRIES - ROTATIONS : 0);
}

/* ---- Building --------------------------------------------------------------------------------------------------- */

static ph_status make_space(const ph_gravitation *g, ph_space **space, ph_error *err)
{
    const size_t n = g->places + g->attitudes;
    ph_factor *factors = calloc(n, sizeof *factors);
    if (!factors)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        factors[i] =
            i < g->places ? (ph_factor){.kind = PH_FACTOR_R, .d = 3} : (ph_factor){.kind = PH_FACTOR_SO3};
    ph_status status = ph_space_create(factors, n, space, err);
    free(factors);
    return status;
}

/* MM (nz x nz): masses, and J_d = (tr J / 2) I - J for each row of an attitude. */
static void fill_inertia(const ph_gravitation *g, size_t nz, double *MM)
{
    for (size_t k = 0; k < 3 * g->places; k++)
        MM[k * nz + k] = g->inertia[k / 3];
    for (size_t i = 0; i < g->n; i++) {
        const double *J = g->body[i].mass.J, half = 0.5 * (J[0] + J[4] + J[8]);
        const size_t at = 3 * g->places + 9 * g->body[i].attitude;
        if (g->body[i].attitude == PH_NO_INDEX)
            continue;
        for (size_t row = at; row < at + 9; row += 3)
            for (size_t k = 0; k < 9; k++)
                MM[(row + k / 3) * nz + row + k % 3] = (k % 4 ? 0 : half) - J[k];
    }
}

/* The inertia as the definition has it: in full, or of many points by its inverse. */
typedef struct inertia {
    double *full;
    ph_sparse inverse;
    double *value;
    size_t *index;
} inertia;

static bool make_inertia(const ph_gravitation *g, size_t nz, inertia *m)
{
    *m = (inertia){.full = NULL};
    if (g->attitudes || g->places <= FEW) {
        if ((m->full = calloc(nz * nz, sizeof *m->full)))
            fill_inertia(g, nz, m->full);
        return m->full;
    }
    m->value = malloc(g->places * sizeof *m->value);
    m->index = malloc(g->places * sizeof *m->index);
    for (size_t i = 0; i < g->places && m->value && m->index; i++) {
        m->value[i] = 1 / g->inertia[i];
        m->index[i] = i;
    }
    m->inverse = (ph_sparse){g->places, g->places, m->index, m->index, m->value};
    return m->value && m->index;
}

static void free_inertia(inertia *m)
{
    free(m->full);
    free(m->value);
    free(m->index);
}

/* Given by its callbacks and by what is its own in equations and scenes. */
static const ph_structure gravitation = {.name = "gravitation",
                                         .check = ph_definition_check,
                                         .spin = ph_gravitating_spin,
                                         .spin_work = ph_gravitating_work,
                                         .add_parts = ph_gravitating_parts};

/* ... and many points, whose inertia is that of a net. */
static const ph_structure points_alone = {.name = "gravitation of points",
                                          .check = ph_definition_check,
                                          PH_NET_FUNCTIONS,
                                          .spin = ph_gravitating_spin,
                                          .spin_work = ph_gravitating_work,
                                          .add_parts = ph_gravitating_parts};

ph_status ph_gravitation_build(ph_gravitation *g, ph_system **system, ph_error *err)
{
    ph_space *space = NULL;
    inertia m = {.full = NULL};
    ph_status status = make_space(g, &space, err);
    if (!status && !make_inertia(g, ph_space_ambient(space), &m))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status) {
        ph_gravitation_free(g);
    } else {
        const bool timed = ph_gravitation_depends_on_time(g);
        size_t first;
        const size_t n_symmetries = find_symmetries(g, &first);
        const ph_system_definition definition = {.space = space,
                                                 .ambient_inertia = m.full,
                                                 .inverse_inertia = m.full ? NULL : &m.inverse,
                                                 .potential = potential,
                                                 .gradient = gradient,
                                                 .gradient_on_manifold = g->attitudes > 0,
                                                 .potential_in_time = timed ? potential_in_time : NULL,
                                                 .gradient_in_time = timed ? gradient_in_time : NULL,
                                                 .potential_rate = timed ? potential_rate : NULL,
                                                 .force = g->tides ? tides : NULL,
                                                 .points = points,
                                                 .n_points = g->n,
                                                 .symmetries = n_symmetries ? symmetries + first : NULL,
                                                 .n_symmetries = n_symmetries,
                                                 .user = g,
                                                 .user_free = ph_gravitation_release};
        status = ph_system_create_of(m.full ? &gravitation : &points_alone, &definition, system, err);
    }
    free_inertia(&m);
    ph_space_free(space);
    return status;
}
