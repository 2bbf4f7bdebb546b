/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity by splittings
 *     H = [Kepler motion of each pair of a hierarchy + free rotors] + [the rest of the potential],
 * the first part solved exactly (integrators/shared/kepler.c, turn.c), the second one by kicks: what shapes add to the
 * attraction of points, what points do to each other beyond the pairs' Kepler motion (hierarchy.c), and forces that do
 * not depend on velocities, at the time of the kick. The rest is small, like (size/distance)^2 or like the ratio of
 * masses or distances, eps, and the error of a splitting is a sum of terms eps^n h^p (splittings.h).
 *
 * What survives a step: the pairs' coordinates and velocities, place and velocity of the barycentre, and of each body
 * that turns its momentum R Pi in space and the orientation of its principal axes, all with low-order parts; and how long
 * the drift is that the next step begins with. As steps begin and end with drifts, two of them are made as one; z and p
 * are written when they are needed (synchronise).
 *
 * Sources: Wisdom, Holman, Astron. J. 102 (1991) 1528; Touma, Wisdom, Astron. J. 107 (1994) 1189 (with rotors); Blanes,
 * Casas, Farres, Laskar, Makazaga, Murua, Appl. Numer. Math. 68 (2013) 58. */
#include <polhode/algebra.h>
#include <polhode/gravitation.h>
#include <polhode/memory.h>
#include <polhode/method.h>

#include "hierarchy.h"
#include "integrators/shared/increments.h"
#include "integrators/shared/kepler.h"
#include "kepler-rotor.h"
#include "splittings.h"

#include <string.h>

enum { SPLITTING, HIERARCHY, OPTIONS };
enum { BY_PERIODS, AS_LISTED };

static const ph_option options[OPTIONS] = {
    {.name = "splitting",
     .type = PH_OPTION_CHOICE,
     .initial = PH_SPLITTING_aba_8_6_4,
     .choices = "strang aba-4-2 aba-6-2 aba-8-2 aba-8-4 aba-10-4 aba-8-6-4 aba-10-6-4",
     .text = "what a step is made of: 1, 2, 3, 4, 5, 7, 7 and 8 kicks; the numbers are the exponents of h "
             "in the error, for the first, second and further powers of what disturbs the pairs"},
    {.name = "hierarchy",
     .type = PH_OPTION_CHOICE,
     .initial = BY_PERIODS,
     .choices = "periods listed",
     .text = "of more than two bodies, which pairs move as in Kepler's problem: joined in order of their "
             "periods at the start, or as the bodies are listed, each with all before it"},
};

/* ---- The carry ------------------------------------------------------------------------------------------------------- */

/* Place and velocity of the barycentre. */
typedef struct barycentre {
    double x[3], x_low[3], v[3], v_low[3];
} barycentre;

/* What survives a step, laid into doubles. */
typedef struct motion {
    double *set;           /* 1; 0: a state that was just set */
    double *ahead;         /* [s] the drift that the next step begins with, in addition to its first one */
    double *joins;         /* the hierarchy */
    ph_kepler_orbit *pair; /* (n - 1) */
    barycentre *center;    /* where the distance alone is followed: not used */
    ph_free_turn *turn;    /* (attitudes) */
} motion;

enum { ORBIT = sizeof(ph_kepler_orbit) / sizeof(double), TURN = sizeof(ph_free_turn) / sizeof(double) };

static size_t motion_size(const ph_gravitation *g)
{
    const size_t pairs = ph_gravitation_bodies(g) - 1;
    return 2 + 2 * pairs + ORBIT * pairs + sizeof(barycentre) / sizeof(double) +
           TURN * ph_gravitation_attitudes(g);
}

static motion motion_at(const ph_gravitation *g, double *from)
{
    const size_t pairs = ph_gravitation_bodies(g) - 1;
    motion m = {.set = from, .ahead = from + 1, .joins = from + 2};
    double *more = from + 2 + 2 * pairs;
    m.pair = (ph_kepler_orbit *)(void *)more;
    m.center = (barycentre *)(void *)(more += ORBIT * pairs);
    m.turn = (ph_free_turn *)(void *)(more + sizeof(barycentre) / sizeof(double));
    return m;
}

/* ---- The scratch ----------------------------------------------------------------------------------------------------- */

typedef struct kepler_rotor_scratch {
    const ph_gravitation *gravitation;
    const ph_splitting *splitting;
    size_t n, places, attitudes;
    bool relative, shaped,
        forced; /* are there terms beyond those of points; forces, or a potential in time */
    double G, total;
    double *mass; /* (n) */
    ph_hierarchy hierarchy;
    size_t *index;        /* (2n - 1) */
    ph_free_rotor *rotor; /* (attitudes) */
    double *reduced;      /* (n - 1) of each pair */
    double *now;          /* (the carry's) the motion in a step */
    double *z, *v;        /* (nz) */
    double *f;            /* (3n) on bodies */
    double *torque;       /* (3 x attitudes) in the bodies' frames */
    double *force;        /* (nz) of ph_system_force */
    double *x, *more;     /* (3n), (5n) */
    double *point;        /* (3n) what points do, on bodies */
} kepler_rotor_scratch;

static void kepler_rotor_lay(kepler_rotor_scratch *w, const ph_system *system, ph_lay *l)
{
    const ph_gravitation *g = ph_system_gravitation(system);
    const size_t n = ph_gravitation_bodies(g), turning = ph_gravitation_attitudes(g),
                 nz = ph_space_ambient(ph_system_space(system));
    ph_lay_bytes(l, sizeof *w);
    w->mass = ph_lay_doubles(l, n);
    w->reduced = ph_lay_doubles(l, n);
    w->hierarchy.pair = ph_lay_bytes(l, n * sizeof *w->hierarchy.pair);
    w->hierarchy.order = ph_lay_bytes(l, n * sizeof *w->hierarchy.order);
    w->index = ph_lay_bytes(l, 2 * n * sizeof *w->index);
    w->rotor = ph_lay_bytes(l, turning * sizeof *w->rotor);
    w->now = ph_lay_doubles(l, motion_size(g));
    w->z = ph_lay_doubles(l, nz);
    w->v = ph_lay_doubles(l, nz);
    w->force = ph_lay_doubles(l, nz);
    w->f = ph_lay_doubles(l, 3 * n);
    w->torque = ph_lay_doubles(l, 3 * turning);
    w->x = ph_lay_doubles(l, 3 * n);
    w->more = ph_lay_doubles(l, 5 * n);
    w->point = ph_lay_doubles(l, 3 * n);
}

static ph_method_size kepler_rotor_size(const ph_system *system, const double *values)
{
    kepler_rotor_scratch counted;
    ph_lay l = {NULL, 0};
    (void)values;
    kepler_rotor_lay(&counted, system, &l);
    return (ph_method_size){.work = l.bytes, .carry = motion_size(ph_system_gravitation(system))};
}

static ph_status kepler_rotor_init(ph_context *context)
{
    kepler_rotor_scratch *w = context->work;
    const ph_system *system = context->system;
    const ph_gravitation *g = ph_system_gravitation(system);
    ph_lay l = {context->work, 0};
    kepler_rotor_lay(w, system, &l);
    w->gravitation = g;
    w->splitting = ph_splitting_at((size_t)context->options[SPLITTING]);
    w->n = ph_gravitation_bodies(g);
    w->places = ph_gravitation_places(g);
    w->attitudes = ph_gravitation_attitudes(g);
    w->relative = ph_gravitation_is_relative(g);
    w->shaped = ph_gravitation_order(g) >= 2;
    w->forced = ph_system_has_force(system);
    w->G = ph_gravitation_constant(g);
    w->total = 0;
    w->hierarchy.n = w->n;
    w->hierarchy.mass = w->mass;
    for (size_t i = 0; i < w->n; i++) {
        const ph_mass *mass = ph_gravitation_mass(g, i);
        const size_t at = ph_gravitation_attitude(g, i);
        w->total += w->mass[i] = mass->moment[0];
        if (at != PH_NO_INDEX)
            ph_free_rotor_begin(mass->J, &w->rotor[at]);
    }
    memset(w->v, 0, ph_space_ambient(ph_system_space(system)) * sizeof *w->v);
    return PH_OK;
}

/* ---- States ---------------------------------------------------------------------------------------------------------- */

/* The motion of a state that was just set. */
static void begin_pairs(kepler_rotor_scratch *w, const ph_context *context, const ph_state *state, motion *m)
{
    double *r = w->more;
    if (context->options[HIERARCHY] == BY_PERIODS && !w->relative)
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
    ph_hierarchy_read(&w->hierarchy, state->z, w->x, r, m->center->x);
    for (size_t i = 0; i + 1 < w->n; i++)
        memcpy(m->pair[i].r, r + 3 * i, sizeof m->pair[i].r);
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < 3; k++)
            w->f[3 * i + k] = state->p[3 * i + k] / w->mass[i];
    ph_hierarchy_read(&w->hierarchy, w->f, w->x, r, m->center->v);
    for (size_t i = 0; i + 1 < w->n; i++)
        memcpy(m->pair[i].v, r + 3 * i, sizeof m->pair[i].v);
}

static void begin_turns(const kepler_rotor_scratch *w, const ph_state *state, motion *m)
{
    for (size_t i = 0; i < w->attitudes; i++) {
        const double *R = state->z + 3 * w->places + 9 * i, *Pi = state->p + 3 * w->places + 3 * i;
        double A[9];
        ph_multiply3(R, w->rotor[i].axes, A);
        ph_rotor_quaternion(A, m->turn[i].q);
        ph_apply3(R, Pi, m->turn[i].S);
    }
}

/* The motion, in w->now, that a step begins with. */
static motion kepler_rotor_take(kepler_rotor_scratch *w, const ph_context *context, const ph_state *state)
{
    motion m = motion_at(w->gravitation, w->now);
    memcpy(w->now, state->carry, state->ncarry * sizeof *w->now);
    if (*m.set == 0) {
        begin_pairs(w, context, state, &m);
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

/* False: not finite, or a turn that is too long. */
static bool drift(const kepler_rotor_scratch *w, motion *m, double tau, int64_t *iterations)
{
    for (size_t i = 0; i + 1 < w->n; i++)
        if (!ph_kepler_drift(w->G * w->hierarchy.pair[i].whole, tau, &m->pair[i], iterations))
            return false;
    for (size_t k = 0; k < 3 && !w->relative; k++)
        add_low(&m->center->x[k], &m->center->x_low[k], tau * m->center->v[k]);
    for (size_t i = 0; i < w->attitudes; i++)
        if (!ph_free_rotor_turn(&w->rotor[i], tau, &m->turn[i], iterations))
            return false;
    return true;
}

/* x (3n, or 3 where relative) <- places as in the configuration. */
static void find_places(const kepler_rotor_scratch *w, const motion *m, double *x)
{
    if (w->relative) {
        memcpy(x, m->pair[0].r, 3 * sizeof *x);
        return;
    }
    ph_hierarchy_write(&w->hierarchy, m->pair[0].r, ORBIT, x);
    for (size_t i = 0; i < 3 * w->n; i++)
        x[i] += m->center->x[i % 3];
}

/* Forces and torques that are not those of gravity between the bodies, added. */
static ph_status add_further(ph_context *context, double t, const motion *m)
{
    kepler_rotor_scratch *w = context->work;
    const size_t nz = ph_space_ambient(ph_system_space(context->system));
    find_places(w, m, w->z);
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

/* w->f (places), w->torque <- what kicks. */
static ph_status find_forces(ph_context *context, double t, const motion *m)
{
    kepler_rotor_scratch *w = context->work;
    double *R = w->z + 3 * w->places;
    for (size_t i = 0; i < w->attitudes; i++)
        orientation(&w->rotor[i], m->turn[i].q, R + 9 * i);
    if (w->relative)
        memcpy(w->z, m->pair[0].r, 3 * sizeof *w->z);
    else
        ph_hierarchy_forces(&w->hierarchy, w->G, m->pair[0].r, ORBIT, w->x, w->z, w->point);
    if (w->shaped) {
        ph_gravitation_forces(w->gravitation, PH_ATTRACT_SHAPES, t, w->z, w->f, w->torque, NULL);
    } else {
        memset(w->f, 0, 3 * w->places * sizeof *w->f);
        memset(w->torque, 0, 3 * w->attitudes * sizeof *w->torque);
    }
    for (size_t i = 0; i < 3 * w->n && w->n > 2; i++)
        w->f[i] += w->point[i];
    return w->forced ? add_further(context, t, m) : PH_OK;
}

static ph_status kick(ph_context *context, double t, double tau, motion *m)
{
    kepler_rotor_scratch *w = context->work;
    ph_status status = find_forces(context, t, m);
    if (status)
        return status;
    for (size_t i = 0; i + 1 < w->n; i++) {
        double a[3];
        if (w->relative)
            for (size_t k = 0; k < 3; k++)
                a[k] = w->f[k] / ph_gravitation_inertia(w->gravitation)[0];
        else
            ph_hierarchy_acceleration(&w->hierarchy, i, w->f, a);
        for (size_t k = 0; k < 3; k++)
            add_low(&m->pair[i].v[k], &m->pair[i].v_low[k], tau * a[k]);
    }
    for (size_t i = 0; i < 3 * w->n && w->forced && !w->relative; i++)
        add_low(&m->center->v[i % 3], &m->center->v_low[i % 3], tau * (w->f[i] / w->total));
    for (size_t i = 0; i < w->attitudes; i++) {
        double moment[3];
        ph_apply3(w->z + 3 * w->places + 9 * i, w->torque + 3 * i, moment);
        for (size_t k = 0; k < 3; k++)
            add_low(&m->turn[i].S[k], &m->turn[i].S_low[k], tau * moment[k]);
    }
    return PH_OK;
}

/* ---- A step ------------------------------------------------------------------------------------------------------------ */

static ph_status lost(const ph_context *context, double t)
{
    return ph_fail(
        context->error, PH_E_DIVERGED,
        "the motion cannot be followed beyond t = %.10g s: bodies met, or turn too far in a step of %.6g s",
        t, context->h);
}

/* Everything is finite, and the drift that is still ahead can be made. */
static bool is_sound(const kepler_rotor_scratch *w, const motion *m)
{
    bool sound = true;
    for (size_t i = 0; i + 1 < w->n; i++)
        sound = sound && ph_all_finite(m->pair[i].r, 3) && ph_all_finite(m->pair[i].v, 3);
    for (size_t i = 0; i < w->attitudes; i++)
        sound = sound && ph_free_rotor_can_turn(&w->rotor[i], *m->ahead, &m->turn[i]);
    return sound && (w->relative || ph_all_finite(m->center->v, 3));
}

static ph_status kepler_rotor_step(ph_context *context, ph_state *state)
{
    kepler_rotor_scratch *w = context->work;
    const ph_splitting *s = w->splitting;
    const double h = context->h;
    motion m = kepler_rotor_take(w, context, state);
    double at = 0, ahead = *m.ahead; /* in units of h; [s] */
    ph_status status = PH_OK;
    for (size_t i = 0; i < s->kicks && !status; i++) {
        const double a = ph_splitting_drift(s, i);
        at += a;
        if (!drift(w, &m, ahead + a * h, &context->statistics->newton_passes))
            return lost(context, state->t);
        ahead = 0;
        status = kick(context, state->t + at * h, ph_splitting_kick(s, i) * h, &m);
    }
    if (status)
        return status;
    *m.ahead = ph_splitting_drift(s, s->kicks) * h;
    if (!is_sound(w, &m))
        return lost(context, state->t);
    memcpy(state->carry, w->now, state->ncarry * sizeof *w->now);
    return PH_OK;
}

static void kepler_rotor_synchronise(ph_context *context, ph_state *state)
{
    kepler_rotor_scratch *w = context->work;
    int64_t iterations = 0;
    motion m = kepler_rotor_take(w, context, state);
    (void)drift(w, &m, *m.ahead, &iterations);
    find_places(w, &m, state->z);
    if (w->relative) {
        for (size_t k = 0; k < 3; k++)
            state->p[k] = ph_gravitation_inertia(w->gravitation)[0] * m.pair[0].v[k];
    } else {
        ph_hierarchy_write(&w->hierarchy, m.pair[0].v, ORBIT, state->p);
        for (size_t i = 0; i < 3 * w->n; i++)
            state->p[i] = w->mass[i / 3] * (state->p[i] + m.center->v[i % 3]);
    }
    for (size_t i = 0; i < w->attitudes; i++) {
        double *R = state->z + 3 * w->places + 9 * i;
        orientation(&w->rotor[i], m.turn[i].q, R);
        ph_rotation_correct3(R);
        ph_apply_transposed3(R, m.turn[i].S, state->p + 3 * w->places + 3 * i);
    }
}

/* ---- The method ---------------------------------------------------------------------------------------------------------- */

static ph_status kepler_rotor_supports(const ph_system *system, ph_error *err)
{
    if (!ph_system_gravitation(system))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "kepler-rotor takes bodies under mutual gravity (polhode/gravitation.h) and no others; "
            "use variational");
    if (!ph_system_force_ignores_velocity(system))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "kepler-rotor takes forces as kicks, and this force depends on the velocity; use variational");
    return PH_OK;
}

static int kepler_rotor_order_for(const ph_system *system, const double *values)
{
    (void)system;
    return ph_splitting_at((size_t)values[SPLITTING])->order;
}

const ph_method ph_method_kepler_rotor = {
    .name = "kepler-rotor",
    .summary =
        "bodies under mutual gravity: Kepler motion of pairs and free rotors exact, kicks by the rest; "
        "symmetric, symplectic; implicit",
    .reference = "Blanes, Casas, Farres, Laskar, Makazaga, Murua, Appl. Numer. Math. 68 (2013) 58; "
                 "Wisdom, Holman, Astron. J. 102 (1991) 1528; Touma, Wisdom, Astron. J. 107 (1994) 1189",
    .order = 2,
    .order_for = kepler_rotor_order_for,
    .claims =
        PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .options = options,
    .n_options = OPTIONS,
    .supports = kepler_rotor_supports,
    .size = kepler_rotor_size,
    .init = kepler_rotor_init,
    .step = kepler_rotor_step,
    .synchronise = kepler_rotor_synchronise,
};
