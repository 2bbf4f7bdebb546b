/* SPDX-License-Identifier: BSD-3-Clause */
/* Drifts, kicks and tides of kepler-rotor.c: see motion.h. */
#include "motion.h"

#include <polhode/kit/algebra.h>

#include "integrators/shared/increments.h"

#include <string.h>

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

enum { ORBIT = sizeof(ph_kepler_orbit) / sizeof(double), TURN = sizeof(ph_free_turn) / sizeof(double) };

size_t ph_motion_size(const ph_gravitation *g)
{
    const size_t pairs = ph_gravitation_bodies(g) - 1;
    return 2 + 2 * pairs + ORBIT * (pairs + 1) + TURN * ph_gravitation_attitudes(g);
}

static ph_motion ph_motion_at(const ph_gravitation *g, double *from)
{
    const size_t pairs = ph_gravitation_bodies(g) - 1;
    ph_motion m = {.set = from, .ahead = from + 1, .joins = from + 2};
    double *more = from + 2 + 2 * pairs;
    m.pair = (ph_kepler_orbit *)(void *)more;
    m.center = (ph_kepler_orbit *)(void *)(more += ORBIT * pairs);
    m.turn = (ph_free_turn *)(void *)(more + ORBIT);
    return m;
}

void ph_kepler_rotor_lay(ph_kepler_rotor *w, const ph_system *system, ph_lay *l)
{
    const ph_gravitation *g = ph_system_gravitation(system);
    const size_t n = ph_gravitation_bodies(g), turning = ph_gravitation_attitudes(g),
                 nz = ph_space_ambient(ph_system_space(system)),
                 np = ph_space_momenta(ph_system_space(system));
    ph_lay_bytes(l, sizeof *w);
    w->mass = ph_lay_doubles(l, n);
    w->hierarchy.pair = ph_lay_bytes(l, n * sizeof *w->hierarchy.pair);
    w->hierarchy.order = ph_lay_bytes(l, n * sizeof *w->hierarchy.order);
    w->index = ph_lay_bytes(l, 2 * n * sizeof *w->index);
    w->rotor = ph_lay_bytes(l, turning * sizeof *w->rotor);
    w->now = ph_lay_doubles(l, ph_motion_size(g));
    w->z = ph_lay_doubles(l, nz);
    w->p = ph_lay_doubles(l, np);
    w->change = ph_lay_doubles(l, np);
    w->v = ph_lay_doubles(l, nz);
    w->force = ph_lay_doubles(l, nz);
    w->f = ph_lay_doubles(l, 3 * n);
    w->torque = ph_lay_doubles(l, 3 * turning);
    w->x = ph_lay_doubles(l, 3 * n);
    w->more = ph_lay_doubles(l, 5 * n);
    w->point = ph_lay_doubles(l, 3 * n);
    w->dissipation = ph_lay_doubles(l, ph_gravitation_dissipate_work(g));
}

/* ---- States ---------------------------------------------------------------------------------------------------------- */

/* The motion of a state that was just set. */
static void begin_pairs(ph_kepler_rotor *w, bool by_periods, const ph_state *state, ph_motion *m)
{
    double *r = w->more;
    if (by_periods && !w->relative)
        ph_hierarchy_find(w->n, w->mass, state->z, w->more, m->joins);
    else
        ph_hierarchy_list(w->n, m->joins);
    ph_hierarchy_lay(&w->hierarchy, m->joins, w->index);
    if (w->relative) {
        for (size_t k = 0; k < 3; k++) {
            m->pair[0].r[k] = state->z[k];
            m->pair[0].v[k] = state->p[k] / ph_gravitation_inertia(w->gravitation)[0];
        }
        return;
    }
    ph_hierarchy_read(&w->hierarchy, state->z, w->x, r, m->center->r);
    for (size_t i = 0; i + 1 < w->n; i++)
        memcpy(m->pair[i].r, r + 3 * i, sizeof m->pair[i].r);
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < 3; k++)
            w->f[3 * i + k] = state->p[3 * i + k] / w->mass[i];
    ph_hierarchy_read(&w->hierarchy, w->f, w->x, r, m->center->v);
    for (size_t i = 0; i + 1 < w->n; i++)
        memcpy(m->pair[i].v, r + 3 * i, sizeof m->pair[i].v);
}

static void begin_turns(const ph_kepler_rotor *w, const ph_state *state, ph_motion *m)
{
    for (size_t i = 0; i < w->attitudes; i++) {
        const double *R = state->z + 3 * w->places + 9 * i, *Pi = state->p + 3 * w->places + 3 * i;
        double A[9];
        ph_multiply3(R, w->rotor[i].axes, A);
        ph_rotor_quaternion(A, m->turn[i].q);
        ph_apply3(R, Pi, m->turn[i].S);
    }
}

ph_motion ph_motion_take(ph_kepler_rotor *w, bool by_periods, const ph_state *state)
{
    ph_motion m = ph_motion_at(w->gravitation, w->now);
    memcpy(w->now, state->carry, state->ncarry * sizeof *w->now);
    if (*m.set == 0) {
        begin_pairs(w, by_periods, state, &m);
        begin_turns(w, state, &m);
        *m.set = 1;
    } else {
        ph_hierarchy_lay(&w->hierarchy, m.joins, w->index);
    }
    return m;
}

/* R (body to space) <- of its frame */
static void orientation(const ph_free_rotor *r, const double q[4], double R[9])
{
    double A[9];
    if (!r->turned) {
        ph_rotor_matrix(q, R);
        return;
    }
    ph_rotor_matrix(q, A);
    for (int i = 0; i < 3; i++) /* A axes^T */
        ph_apply3(r->axes, A + 3 * i, R + 3 * i);
}

/* ---- Drift and kick ---------------------------------------------------------------------------------------------------- */

static void add_low(double *a, double *low, double more)
{
    *a = ph_rotor_add_low(*a, *low, more, low);
}

bool ph_motion_drift(const ph_kepler_rotor *w, ph_motion *m, double tau, int64_t *iterations)
{
    for (size_t i = 0; i + 1 < w->n; i++)
        if (!ph_kepler_drift(w->G * w->hierarchy.pair[i].whole, tau, &m->pair[i], iterations))
            return false;
    if (w->central && !ph_kepler_drift(w->G * w->held, tau, m->center, iterations))
        return false;
    for (size_t k = 0; k < 3 && !w->relative && !w->central; k++)
        add_low(&m->center->r[k], &m->center->r_low[k], tau * m->center->v[k]);
    for (size_t i = 0; i < w->attitudes; i++)
        if (!ph_free_rotor_turn(&w->rotor[i], tau, &m->turn[i], iterations))
            return false;
    return true;
}

/* x (3n) <- places or velocities of bodies by those of the pairs, and of the barycentre with its low-order part. */
static void unfold(const ph_kepler_rotor *w, const double *pairs, const double center[3], const double low[3],
                   double *x)
{
    double to_center[3];
    ph_hierarchy_place(&w->hierarchy, w->G, pairs, ORBIT, w->x, x, to_center, NULL);
    for (size_t k = 0; k < 3; k++) {
        const double base = (center[k] - to_center[k]) + low[k]; /* the same rounding for all */
        for (size_t i = 0; i < w->n; i++)
            x[3 * i + k] += base;
    }
}

/* x (3n, or 3 where relative) <- places as in the configuration; w->x (3n, unless relative) <- from the barycentre, in
 * the order of the tree. */
static void find_places(const ph_kepler_rotor *w, const ph_motion *m, double *x)
{
    if (w->relative)
        memcpy(x, m->pair[0].r, 3 * sizeof *x);
    else
        unfold(w, m->pair[0].r, m->center->r, m->center->r_low, x);
}

/* Forces that are not those of gravity, with those that depend on time, added. */
static ph_status add_further(ph_context *context, double t)
{
    ph_kepler_rotor *w = context->work;
    const size_t nz = ph_space_ambient(ph_system_space(context->system));
    ph_status status = ph_context_judge(
        context, "the force", t, ph_system_force(context->system, t, w->z, w->v, w->force), w->force, nz);
    for (size_t i = 0; i < 3 * w->places && !status; i++)
        w->f[i] += w->force[i];
    for (size_t i = 0; i < w->attitudes && !status; i++) {
        double moment[3];
        ph_body_moment(w->z + 3 * w->places + 9 * i, w->force + 3 * w->places + 9 * i, moment);
        for (size_t k = 0; k < 3; k++)
            w->torque[3 * i + k] += moment[k];
    }
    return status;
}

/* What a central body does to points beyond the Kepler motion of their barycentre, added; after find_places. */
static void add_central(ph_kepler_rotor *w, const ph_motion *m)
{
    for (size_t i = 0; i < w->n && w->n > 1; i++) {
        const size_t b = w->hierarchy.order[i];
        double e[3];
        ph_hierarchy_difference(m->center->r, w->x + 3 * i, e);
        for (size_t k = 0; k < 3; k++)
            w->f[3 * b + k] -= w->G * w->held * w->mass[b] * e[k];
    }
}

/* w->f (places), w->torque <- what kicks; w->z with the attitudes. */
static ph_status find_forces(ph_context *context, double t, const ph_motion *m)
{
    ph_kepler_rotor *w = context->work;
    double *R = w->z + 3 * w->places;
    for (size_t i = 0; i < w->attitudes; i++)
        orientation(&w->rotor[i], m->turn[i].q, R + 9 * i);
    double to_center[3];
    if (!w->relative)
        ph_hierarchy_place(&w->hierarchy, w->G, m->pair[0].r, ORBIT, w->x, w->z, to_center, w->point);
    if (w->relative || w->pushed)
        find_places(w, m, w->z);
    if (w->parts) {
        ph_gravitation_forces(w->gravitation, w->parts, t, w->z, w->f, w->torque, NULL);
    } else {
        memset(w->f, 0, 3 * w->places * sizeof *w->f);
        memset(w->torque, 0, 3 * w->attitudes * sizeof *w->torque);
    }
    for (size_t i = 0; i < 3 * w->n && w->n > 2; i++)
        w->f[i] += w->point[i];
    if (w->central)
        add_central(w, m);
    return w->forced ? add_further(context, t) : PH_OK;
}

/* Velocities and momenta in space <- with the impulses tau f on places and tau torque on bodies, in their frames, whose
 * attitudes are in z. */
static void impel(const ph_kepler_rotor *w, ph_motion *m, double tau, const double *f, const double *torque,
                  const double *z)
{
    if (w->relative)
        for (size_t k = 0; k < 3; k++)
            add_low(&m->pair[0].v[k], &m->pair[0].v_low[k],
                    tau * (f[k] / ph_gravitation_inertia(w->gravitation)[0]));
    for (size_t i = 0; i + 1 < w->n && !w->relative; i++) {
        double a[3];
        ph_hierarchy_acceleration(&w->hierarchy, i, f, a);
        for (size_t k = 0; k < 3; k++)
            add_low(&m->pair[i].v[k], &m->pair[i].v_low[k], tau * a[k]);
    }
    for (size_t i = 0; i < 3 * w->n && w->pushed; i++)
        add_low(&m->center->v[i % 3], &m->center->v_low[i % 3], tau * (f[i] / w->total));
    for (size_t i = 0; i < w->attitudes; i++) {
        double moment[3];
        ph_apply3(z + 3 * w->places + 9 * i, torque + 3 * i, moment);
        for (size_t k = 0; k < 3; k++)
            add_low(&m->turn[i].S[k], &m->turn[i].S_low[k], tau * moment[k]);
    }
}

ph_status ph_motion_kick(ph_context *context, double t, double tau, ph_motion *m)
{
    const ph_kepler_rotor *w = context->work;
    ph_status status = find_forces(context, t, m);
    if (!status)
        impel(w, m, tau, w->f, w->torque, w->z);
    return status;
}

/* p (3n), where velocities are <- momenta with the total of the barycentre's velocity: the heaviest body gets what the others leave.
 * The velocity of a Sun, seen from asteroids, is rounded to more than its own momentum may be. */
static void share_momentum(const ph_kepler_rotor *w, const ph_motion *m, double *p)
{
    size_t heaviest = 0;
    double total = 0;
    for (size_t i = 0; i < w->n; i++) {
        total += w->mass[i];
        heaviest = w->mass[i] > w->mass[heaviest] ? i : heaviest;
    }
    for (size_t k = 0; k < 3; k++) {
        double left = total * (m->center->v[k] + m->center->v_low[k]);
        for (size_t i = 0; i < w->n; i++)
            if (i != heaviest) {
                p[3 * i + k] *= w->mass[i];
                left -= p[3 * i + k];
            }
        p[3 * heaviest + k] = left;
    }
}

void ph_motion_write(const ph_kepler_rotor *w, const ph_motion *m, double *z, double *p)
{
    find_places(w, m, z);
    if (w->relative) {
        for (size_t k = 0; k < 3; k++)
            p[k] = ph_gravitation_inertia(w->gravitation)[0] * m->pair[0].v[k];
    } else {
        unfold(w, m->pair[0].v, m->center->v, m->center->v_low, p);
        share_momentum(w, m, p);
    }
    for (size_t i = 0; i < w->attitudes; i++) {
        double *R = z + 3 * w->places + 9 * i;
        orientation(&w->rotor[i], m->turn[i].q, R);
        ph_rotation_correct3(R);
        ph_apply_transposed3(R, m->turn[i].S, p + 3 * w->places + 3 * i);
    }
}

void ph_motion_dissipate(ph_kepler_rotor *w, double tau, ph_motion *m)
{
    ph_motion_write(w, m, w->z, w->p);
    ph_gravitation_dissipate(w->gravitation, tau, w->z, w->p, w->change, w->dissipation);
    impel(w, m, 1, w->change, w->change + 3 * w->places, w->z);
}

bool ph_motion_is_sound(const ph_kepler_rotor *w, const ph_motion *m)
{
    bool sound = true;
    for (size_t i = 0; i + 1 < w->n; i++)
        sound = sound && ph_all_finite(m->pair[i].r, 3) && ph_all_finite(m->pair[i].v, 3);
    for (size_t i = 0; i < w->attitudes; i++)
        sound = sound && ph_free_rotor_can_turn(&w->rotor[i], *m->ahead, &m->turn[i]);
    return sound && (w->relative || ph_all_finite(m->center->v, 3));
}
