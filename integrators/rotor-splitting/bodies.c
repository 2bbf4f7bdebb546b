/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies and points of rotor-splitting.c: what they are in a system, their drifts and kicks. */
/* Vectors of two that GCC makes of neighbouring numbers wait for what was just stored one by one. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "bodies.h"

#include "integrators/shared/increments.h"

#include <string.h>

/* ---- The system ------------------------------------------------------------------------------------ */

/* Coordinates of R^d may have an inverse inertia by entries; else the inertia is that of all coordinates, or of pairs. */
static bool is_diagonal(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const ph_sparse *inverse = ph_system_inverse_inertia(system);
    const double *MM = ph_system_ambient_inertia(system);
    const size_t nz = ph_space_ambient(space);
    for (size_t e = 0; inverse && e < inverse->entries; e++)
        if (inverse->row[e] != inverse->column[e] && inverse->value[e] != 0)
            return false;
    if (inverse)
        return true;
    if (!ph_system_inertia_is_uniform(system))
        return false;
    const double *M = MM ? MM : ph_system_inertia(system);
    const size_t n = MM ? nz : ph_space_factors(space);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const size_t from = MM ? f->z : i, to = MM ? f->z + f->nz : i + 1;
        for (size_t k = from; k < to && f->kind == PH_FACTOR_R; k++)
            for (size_t l = 0; l < n; l++)
                if (l != k && M[k * n + l] != 0)
                    return false;
    }
    return true;
}

ph_status rotor_judge(const ph_system *system, ph_error *err)
{
    const ph_space *space = ph_system_space(system);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_kind kind = ph_space_factor(space, i)->kind;
        if (kind != PH_FACTOR_R && kind != PH_FACTOR_SO3)
            return ph_fail(
                err, PH_E_UNSUPPORTED,
                "rotor-splitting moves free bodies and points: factors SO(3) and R^d, and factor %zu "
                "is another; use gauss or variational",
                i);
    }
    if (!is_diagonal(system))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "rotor-splitting moves free bodies and points, each with its own kinetic energy and a "
            "constant inertia; joined bodies, masses that are coupled or vary it does not: use gauss "
            "or variational");
    if (!ph_system_force_ignores_velocity(system))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "rotor-splitting takes forces as kicks between free motions, and this force depends on "
            "the velocity; use gauss or variational");
    return PH_OK;
}

void rotor_count(const ph_system *system, size_t *bodies, size_t *coordinates)
{
    const ph_space *space = ph_system_space(system);
    *bodies = *coordinates = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        *bodies += f->kind == PH_FACTOR_SO3;
        *coordinates += f->kind == PH_FACTOR_R ? f->nz : 0;
    }
}

/* J = tr(J_d) I - J_d from the block J_d of the inertia. */
static void read_tensor(const ph_system *system, size_t at, double J[9])
{
    const double *MM = ph_system_ambient_inertia(system);
    const size_t nz = ph_space_ambient(ph_system_space(system));
    double trace = 0;
    for (size_t a = 0; a < 3; a++)
        trace += MM[(at + a) * nz + at + a];
    for (size_t a = 0; a < 9; a++)
        J[a] = (a % 4 ? 0 : trace) - MM[(at + a / 3) * nz + at + a % 3];
}

bool rotor_is_general(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        ph_free_rotor rotor;
        double J[9];
        if (ph_space_factor(space, i)->kind != PH_FACTOR_SO3)
            continue;
        read_tensor(system, ph_space_factor(space, i)->z, J);
        ph_free_rotor_begin(J, &rotor);
        if (rotor.kind == PH_ROTOR_GENERAL)
            return true;
    }
    return false;
}

/* 1/m of coordinate z of the factor i. */
static double inverse_mass(const ph_system *system, size_t i, size_t z)
{
    const ph_sparse *inverse = ph_system_inverse_inertia(system);
    const double *MM = ph_system_ambient_inertia(system);
    const ph_space *space = ph_system_space(system);
    for (size_t e = 0; inverse && e < inverse->entries; e++)
        if (inverse->row[e] == i && inverse->column[e] == i)
            return inverse->value[e];
    return 1 / (MM ? MM[z * (ph_space_ambient(space) + 1)]
                   : ph_system_inertia(system)[i * (ph_space_factors(space) + 1)]);
}

/* A body alone that hangs on a fixed point: the torque of its weight about that point is (R c) x m G, c = -joint. */
static void find_top(rotor_scratch *w, const ph_system *system)
{
    const ph_articulation *a = ph_system_articulation(system);
    const ph_free_rotor *r = &w->body[0].rotor;
    double c[3];
    if (!a || w->n_bodies != 1 || w->forced || ph_system_has_further_potential(system) ||
        r->kind == PH_ROTOR_GENERAL)
        return;
    ph_apply_transposed3(r->axes, a->joint, c);
    for (int k = 0; k < 3; k++) {
        if (c[(k + 1) % 3] != 0 || c[(k + 2) % 3] != 0 || (r->kind == PH_ROTOR_SYMMETRIC && k != r->axis))
            continue;
        w->top.axis = k;
        for (int l = 0; l < 3; l++)
            w->top.weight[l] = -a->mass[0] * c[k] * a->gravity[l];
    }
}

void rotor_read(rotor_scratch *w, const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    rotor_body *body = w->body;
    rotor_mass *mass = w->mass;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t k = 0; k < f->nz && f->kind == PH_FACTOR_R; k++)
            *mass++ = (rotor_mass){inverse_mass(system, i, f->z + k), f->z + k, f->p + k};
        if (f->kind == PH_FACTOR_SO3) {
            double J[9];
            read_tensor(system, f->z, J);
            ph_free_rotor_begin(J, &body->rotor);
            const ph_free_rotor *r = &body->rotor;
            body->across = 0.5 * (r->series.inverse[(r->axis + 1) % 3] * r->series.unit);
            body->excess = r->kind == PH_ROTOR_SYMMETRIC ? 0.5 * (r->excess[r->axis] * r->series.unit) : 0;
            body->z = f->z;
            body->p = f->p;
            body++;
        }
    }
    w->top = (rotor_top){.axis = -1};
    if (w->n_coordinates == 0)
        find_top(w, system);
}

/* ---- States ---------------------------------------------------------------------------------------- */

rotor_course rotor_course_at(const rotor_scratch *w, double *from)
{
    rotor_motion *body = (rotor_motion *)(void *)(from + 1);
    return (rotor_course){from, body, (rotor_coordinate *)(void *)(body + w->n_bodies)};
}

void rotor_enter(const rotor_scratch *w, const double *z, const double *p, rotor_course *m)
{
    for (size_t i = 0; i < w->n_bodies; i++) {
        const double *R = z + w->body[i].z;
        double A[9];
        ph_multiply3(R, w->body[i].rotor.axes, A);
        ph_rotor_quaternion(A, m->body[i].turn.q);
        ph_apply3(R, p + w->body[i].p, m->body[i].turn.S);
    }
    for (size_t i = 0; i < w->n_coordinates; i++) {
        m->coordinate[i].x = z[w->mass[i].z];
        m->coordinate[i].p = p[w->mass[i].p];
    }
}

/* z <- places. */
static void place(const rotor_scratch *w, const rotor_course *m, double *z)
{
    for (size_t i = 0; i < w->n_bodies; i++) {
        const ph_free_rotor *r = &w->body[i].rotor;
        double *R = z + w->body[i].z, A[9];
        ph_rotor_matrix(m->body[i].turn.q, r->turned ? A : R);
        for (int k = 0; k < 9 && r->turned; k += 3) /* A axes^T */
            ph_apply3(r->axes, A + k, R + k);
    }
    for (size_t i = 0; i < w->n_coordinates; i++)
        z[w->mass[i].z] = m->coordinate[i].x;
}

void rotor_leave(const rotor_scratch *w, const rotor_course *m, double *z, double *p)
{
    place(w, m, z);
    for (size_t i = 0; i < w->n_bodies; i++) {
        ph_rotation_correct3(z + w->body[i].z);
        ph_apply_transposed3(z + w->body[i].z, m->body[i].turn.S, p + w->body[i].p);
    }
    for (size_t i = 0; i < w->n_coordinates; i++)
        p[w->mass[i].p] = m->coordinate[i].p;
}

/* ---- Drift and kick -------------------------------------------------------------------------------- */

INLINE void turn_about(const int k, const rotor_body *b, double tau, ph_free_turn *m)
{
    double r[3];
    rotor_axis(k, m->q, r);
    rotor_turn_axial(k, b->across, b->excess, tau, r, m);
}

bool rotor_drift(const rotor_scratch *w, double tau, rotor_course *m, int64_t *iterations)
{
    for (size_t i = 0; i < w->n_bodies; i++) {
        const rotor_body *b = &w->body[i];
        ph_free_turn *turn = &m->body[i].turn;
        if (b->rotor.kind == PH_ROTOR_GENERAL) {
            if (!ph_free_rotor_turn(&b->rotor, tau, turn, iterations))
                return false;
        } else if (b->rotor.axis == 0) {
            turn_about(0, b, tau, turn);
        } else if (b->rotor.axis == 1) {
            turn_about(1, b, tau, turn);
        } else {
            turn_about(2, b, tau, turn);
        }
    }
    for (size_t i = 0; i < w->n_coordinates; i++) {
        rotor_coordinate *c = &m->coordinate[i];
        c->x = ph_rotor_add_low(c->x, c->x_low, tau * (w->mass[i].inverse * c->p), &c->x_low);
    }
    return true;
}

/* torque <- of the covector -B at A, in space: the sum over the columns, -A_j x B_j. */
static inline void find_torque(const double A[9], const double B[9], double torque[3])
{
    torque[0] = torque[1] = torque[2] = 0;
    for (int j = 0; j < 3; j++) {
        torque[0] -= A[3 + j] * B[6 + j] - A[6 + j] * B[3 + j];
        torque[1] -= A[6 + j] * B[j] - A[j] * B[6 + j];
        torque[2] -= A[j] * B[3 + j] - A[3 + j] * B[j];
    }
}

ph_status rotor_find_forces(ph_context *context, double t, rotor_course *m)
{
    rotor_scratch *w = context->work;
    const size_t nz = ph_space_ambient(ph_system_space(context->system));
    ph_status status = PH_OK;
    place(w, m, w->z);
    if (w->heavy)
        status = ph_context_judge(context, "the gradient of the potential", t,
                                  ph_system_gradient(context->system, w->z, w->g), w->g, nz);
    if (!status && w->forced) {
        status = ph_context_judge(context, "the force", t,
                                  ph_system_force(context->system, t, w->z, w->v, w->f), w->f, nz);
        for (size_t k = 0; k < nz; k++)
            w->f[k] = w->g[k] - w->f[k];
    }
    const double *g = w->forced ? w->f : w->g;
    for (size_t i = 0; i < w->n_bodies; i++)
        find_torque(w->z + w->body[i].z, g + w->body[i].z, m->body[i].torque);
    for (size_t i = 0; i < w->n_coordinates; i++)
        m->coordinate[i].force = -g[w->mass[i].z];
    return status;
}

void rotor_kick(const rotor_scratch *w, double tau, rotor_course *m)
{
    for (size_t i = 0; i < w->n_bodies; i++) {
        ph_free_turn *turn = &m->body[i].turn;
        for (int k = 0; k < 3; k++)
            turn->S[k] =
                ph_rotor_add_low(turn->S[k], turn->S_low[k], tau * m->body[i].torque[k], &turn->S_low[k]);
    }
    for (size_t i = 0; i < w->n_coordinates; i++) {
        rotor_coordinate *c = &m->coordinate[i];
        c->p = ph_rotor_add_low(c->p, c->p_low, tau * c->force, &c->p_low);
    }
}
