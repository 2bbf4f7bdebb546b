/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator for bodies under mutual gravity (polhode/domain/gravitation.h), of order 2: the map of
 * product.c without callbacks, with one evaluation of all forces and torques a step. The discrete Euler-Lagrange
 * equations are, with the forces F_i and torques T_i at the start and F_i+, T_i+ at the end,
 *     p_i' = p_i + (h/2) F_i,   x_i+ = x_i + (h/m_i) p_i',   p_i+ = p_i' + (h/2) F_i+;
 *     vee(F_i J_d,i - J_d,i F_i^T) = h (Pi_i + (h/2) T_i) for the turn F_i,   R_i+ = R_i F_i,
 *     Pi_i+ = F_i^T (Pi_i + (h/2) T_i) + (h/2) T_i+:
 * three equations for each body that turns, which do not know of the others (gravitation-turn.h), two bodies at
 * once in the lanes of a vector. Where these are in doubt gravitation-root.c chooses the root.
 *
 * Carried are the momenta behind the first half kick of the latest step, since the half kick that ends a step and the one
 * that begins the next are made as one; `synchronise` writes those at its end. R Pi is what is summed up, so that
 * neither what Newton's iteration leaves nor how R is rounded enters the total angular momentum.
 *
 * Tides act on the momenta for h/2 before and after the step, at fixed configurations (ph_gravitation_dissipate), and the two
 * between two steps are one as well.
 *
 * Source: Lee, Leok, McClamroch, Comput. Methods Appl. Mech. Engrg. 196 (2007) 2907, section 3.3 (the inertial
 * form, and its Cayley form); manual, Mutual gravity. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/rotation.h>

#include "gravitation.h"

#include <string.h>

/* Two bodies at once. */
typedef double couple __attribute__((vector_size(16)));
typedef int64_t couple_truth __attribute__((vector_size(16)));
#define WIDTH 2
#define STRIDE 1
#define OF(name) couple_##name
#define number couple
#define loosely loose_pair
#define truth couple_truth
#include "gravitation-turn.h"
#undef OF
#undef number
#undef loosely
#undef truth
#undef WIDTH

/* A place. */
#define OF(name) single_##name
#define number double
#define loosely double
#include "gravitation-move.h"
#undef OF
#undef number
#undef loosely
#undef STRIDE

/* At the beginning of the carry; then come the places, and the bodies that turn, by twos. */
typedef struct carried {
    double stamp; /* of the turns of earlier steps (ph_stage_stamp); 0: there are none */
    double count; /* how many, at most GRAVITATION_PAST */
    double round; /* steps since all attitudes were corrected */
    double half;  /* [s] of the kick that ends the latest step and has not been made; 0: nothing is carried */
} carried;

typedef struct motion {
    carried *is;
    single_moving *places;
    couple_turning *turning;
} motion;

typedef struct scratch {
    const ph_gravitation *of;
    size_t places, attitudes, couples;
    const double *inertia; /* (places) */
    const double **J;      /* (attitudes) tensors of inertia, row after row */
    couple_body *bodies;   /* (couples) */
    carried none;          /* a carry for a state that has been set: */
    single_moving *begin_places;
    couple_turning *begin_turning;
    single_moved *moved;
    couple_turned *turned;
    double *z1, *force;        /* (nz), (np) at the end of the step */
    double *p, *change, *work; /* (np) momenta, what tides change them by, and what they need; NULL without */
    ph_newton_work newton;
} scratch;

/* ---- Memory -------------------------------------------------------------------------------------------------- */

static size_t lay(const ph_system *system, const double *options, ph_lay *l)
{
    scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_gravitation *g = ph_system_gravitation(system);
    const size_t places = ph_gravitation_places(g), attitudes = ph_gravitation_attitudes(g),
                 couples = (attitudes + 1) / 2;
    (void)options;
    w->turned = ph_lay_line(l, couples * sizeof *w->turned);
    w->bodies = ph_lay_line(l, couples * sizeof *w->bodies);
    w->begin_turning = ph_lay_line(l, couples * sizeof *w->begin_turning);
    w->begin_places = ph_lay_bytes(l, places * sizeof *w->begin_places);
    w->moved = ph_lay_bytes(l, places * sizeof *w->moved);
    w->J = ph_lay_bytes(l, attitudes * sizeof *w->J);
    w->z1 = ph_lay_doubles(l, 3 * places + 9 * attitudes);
    w->force = ph_lay_doubles(l, 3 * places + 3 * attitudes);
    w->p = w->change = w->work = NULL;
    if (ph_gravitation_has_tides(g)) {
        w->p = ph_lay_doubles(l, 3 * places + 3 * attitudes);
        w->change = ph_lay_doubles(l, 3 * places + 3 * attitudes);
        w->work = ph_lay_doubles(l, ph_gravitation_dissipate_work(g));
    }
    ph_newton_place(&w->newton, 3, l);
    return (sizeof(carried) + places * sizeof(single_moving) + couples * sizeof(couple_turning)) /
           sizeof(double);
}

static motion motion_of(const scratch *w, const ph_state *state)
{
    carried *is = (carried *)(void *)state->carry;
    single_moving *places = (single_moving *)(void *)(is + 1);
    return (motion){is, places, (couple_turning *)(void *)(places + w->places)};
}

/* Which body that turns is in a lane; where their number is odd, the last one is in both. */
static size_t in_lane(const scratch *w, size_t i, size_t lane)
{
    return 2 * i + lane < w->attitudes ? 2 * i + lane : w->attitudes - 1;
}

static ph_status init(ph_variational *method, ph_context *context)
{
    static const size_t entry[6] = {0, 1, 2, 4, 5, 8};
    scratch *w = method->work;
    w->of = ph_system_gravitation(context->system);
    w->places = ph_gravitation_places(w->of);
    w->attitudes = ph_gravitation_attitudes(w->of);
    w->couples = (w->attitudes + 1) / 2;
    w->inertia = ph_gravitation_inertia(w->of);
    for (size_t i = 0; i < ph_gravitation_bodies(w->of); i++)
        if (ph_gravitation_attitude(w->of, i) != PH_NO_INDEX)
            w->J[ph_gravitation_attitude(w->of, i)] = ph_gravitation_mass(w->of, i)->J;
    for (size_t i = 0; i < w->couples; i++)
        for (size_t k = 0; k < 6; k++)
            w->bodies[i].J2[k] =
                (couple){2 * w->J[in_lane(w, i, 0)][entry[k]], 2 * w->J[in_lane(w, i, 1)][entry[k]]};
    return PH_OK;
}

/* ---- Vectors and numbers ------------------------------------------------------------------------------------- */

/* v (n) <- those of the bodies in the lanes, at the addresses a and b. */
INLINE void gather(const double *a, const double *b, size_t n, couple *v)
{
    for (size_t k = 0; k < n; k++)
        v[k] = (couple){a[k], b[k]};
}

INLINE void scatter(const couple *v, size_t n, double *a, double *b)
{
    for (size_t k = 0; k < n; k++) { /* where both are one body, b is what remains: the same */
        a[k] = v[k][0];
        b[k] = v[k][1];
    }
}

/* By elements, so that neither has to be in memory. */
INLINE void copy(const couple *from, size_t n, couple *to)
{
    for (size_t k = 0; k < n; k++)
        to[k] = from[k];
}

/* Where the attitude of a body is in z; where its torque is behind the forces. */
INLINE size_t attitude_at(const scratch *w, size_t i, size_t lane)
{
    return 3 * w->places + 9 * in_lane(w, i, lane);
}

INLINE size_t torque_at(const scratch *w, size_t i, size_t lane)
{
    return 3 * w->places + 3 * in_lane(w, i, lane);
}

const double *ph_gravitation_weights(const ph_stage *stage, double count)
{
    static const double even[GRAVITATION_PAST][GRAVITATION_PAST] = {
        {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};
    return (stage ? stage->increments : even)[(size_t)count - 1];
}

/* ---- The step ------------------------------------------------------------------------------------------------ */

/* force (np) <- all forces and torques at z. */
static ph_status evaluate(const scratch *w, ph_context *context, double t, const double *z)
{
    ph_gravitation_forces(w->of, PH_ATTRACT_ALL, t, z, w->force, w->force + 3 * w->places, NULL);
    return ph_context_judge(context, "the gradient of the potential", t, PH_OK, w->force,
                            3 * (w->places + w->attitudes));
}

/* What would be carried if a step had ended in the state that has been set. */
static ph_status begin(scratch *w, ph_context *context, const ph_state *state, motion *from)
{
    const ph_status status = evaluate(w, context, state->t, state->z);
    w->none = (carried){0, 0, 0, 0};
    *from = (motion){&w->none, w->begin_places, w->begin_turning};
    for (size_t i = 0; i < w->places; i++) {
        single_moving *m = &from->places[i];
        memset(m, 0, sizeof *m);
        memcpy(m->p, state->p + 3 * i, sizeof m->p);
        memcpy(m->F, w->force + 3 * i, sizeof m->F);
    }
    for (size_t i = 0; i < w->couples; i++) {
        couple_turning *t = &from->turning[i];
        couple T[3];
        double S[2][3];
        memset(t, 0, sizeof *t);
        for (size_t lane = 0; lane < 2; lane++)
            ph_apply3(state->z + attitude_at(w, i, lane), state->p + torque_at(w, i, lane), S[lane]);
        gather(S[0], S[1], 3, t->S);
        gather(w->force + torque_at(w, i, 0), w->force + torque_at(w, i, 1), 3, T);
        memcpy(t->T, T, sizeof T);
    }
    return status;
}

/* p (np) <- the momenta at the end of the step that `from` was left by, as far as the conservative part goes. */
static void find_momenta(const scratch *w, const motion *from, const double *z, double *p)
{
    const double half = from->is->half;
    for (size_t i = 0; i < w->places; i++) {
        const single_moving *m = &from->places[i];
        for (size_t k = 0; k < 3; k++)
            p[3 * i + k] = m->p[k] + (m->p_low[k] + half * m->F[k]);
    }
    for (size_t i = 0; i < w->couples; i++) {
        couple R[9], Pi[3];
        gather(z + attitude_at(w, i, 0), z + attitude_at(w, i, 1), 9, R);
        couple_momentum(&from->turning[i], R, half, Pi);
        scatter(Pi, 3, p + torque_at(w, i, 0), p + torque_at(w, i, 1));
    }
}

/* Tides act for the time tau; *from <- what is carried then, in the scratch: a step that fails leaves the state as it was.
 * Their change enters the lower digits as it is. In a step it can be less than the rounding of the momenta, where rounded
 * momenta would keep that of the spin and lose that of the orbit, always to one side. */
static void dissipate(scratch *w, double tau, const double *z, motion *from)
{
    find_momenta(w, from, z, w->p);
    ph_gravitation_dissipate(w->of, tau, z, w->p, w->change, w->work);
    if (from->places != w->begin_places) {
        memcpy(w->begin_places, from->places, w->places * sizeof *from->places);
        memcpy(w->begin_turning, from->turning, w->couples * sizeof *from->turning);
        *from = (motion){from->is, w->begin_places, w->begin_turning};
    }
    for (size_t i = 0; i < w->places; i++)
        for (size_t k = 0; k < 3; k++)
            from->places[i].p_low[k] += w->change[3 * i + k];
    for (size_t i = 0; i < w->couples; i++) {
        double more[2][3];
        couple dS[3];
        for (size_t lane = 0; lane < 2; lane++)
            ph_apply3(z + attitude_at(w, i, lane), w->change + torque_at(w, i, lane), more[lane]);
        gather(more[0], more[1], 3, dS);
        for (size_t k = 0; k < 3; k++)
            from->turning[i].S_low[k] += dS[k];
    }
}

/* Those of two bodies that the iteration has not found; apart from the rest, whose numbers remain in registers. */
static __attribute__((noinline)) ph_status turn_by_roots(scratch *w, ph_context *context, double t, size_t i,
                                                         const couple *R, const couple *g,
                                                         const couple_turning *from, const couple *guess,
                                                         couple_truth good, couple *y, couple *D)
{
    ph_status status = PH_OK;
    for (int lane = 0; lane < 2 && !status; lane++)
        if (!good[lane])
            status = couple_by_root(context, t, w->J[in_lane(w, i, (size_t)lane)], &w->newton, R, g, from,
                                    guess, lane, y, D);
    return status;
}

/* Two bodies: turned, and z1. due: is the attitude to be corrected in any case? weights: NULL, there is nothing to guess
 * from. */
static ph_status turn_couple(scratch *w, ph_context *context, const ph_state *state, size_t i,
                             const couple_turning *from, bool due, double kick, const double *weights)
{
    couple R[9], g[3], f[3] = {{0, 0}, {0, 0}, {0, 0}}, D[9], y[3];
    couple_truth good = {0, 0};
    couple_turned *to = &w->turned[i];
    const size_t a = attitude_at(w, i, 0), b = attitude_at(w, i, 1);
    gather(state->z + a, state->z + b, 9, R);
    couple_kick(from, R, kick, context->h, g, to);
    if (weights) {
        couple_guess(from, weights, f);
        couple_solve(&w->bodies[i], g, f, &good, &context->statistics->newton_passes);
    }
    couple_turn(R, f, y, D);
    if (!couple_all(good)) {
        couple own[9], pull[3], guess[3], turned[9], twist[3];
        copy(R, 9, own);
        copy(g, 3, pull);
        copy(D, 9, turned);
        copy(y, 3, twist);
        if (weights)
            couple_guess(from, weights, guess);
        const ph_status status = turn_by_roots(w, context, state->t, i, own, pull, from,
                                               weights ? guess : NULL, good, twist, turned);
        if (status)
            return status;
        copy(turned, 9, D);
        copy(twist, 3, y);
    }
    copy(y, 3, to->y);
    couple_advance(from, due, R, D, to);
    if (!couple_none(couple_exceeds(y, GRAVITATION_SMALL)))
        couple_settle(couple_exceeds(y, GRAVITATION_SMALL), to);
    scatter(to->R, 9, w->z1 + a, w->z1 + b);
    return PH_OK;
}

static ph_status move_all(scratch *w, ph_context *context, const ph_state *state, const motion *from,
                          double kick, const double *weights)
{
    const bool due = from->is->round >= GRAVITATION_ROUND - 1;
    ph_status status = PH_OK;
    for (size_t i = 0; i < w->places; i++) {
        single_move(&from->places[i], state->z + 3 * i, kick, context->h / w->inertia[i], &w->moved[i]);
        memcpy(w->z1 + 3 * i, w->moved[i].x, sizeof w->moved[i].x);
    }
    for (size_t i = 0; i < w->couples && !status; i++)
        status = turn_couple(w, context, state, i, &from->turning[i], due, kick, weights);
    return status;
}

/* Is what is to be kept finite? */
static bool is_finite(const scratch *w)
{
    couple sum = {0, 0};
    for (size_t i = 0; i < w->places; i++)
        for (size_t k = 0; k < 3; k++)
            sum += (couple){0 * w->moved[i].p[k], 0 * w->moved[i].x[k]};
    for (size_t i = 0; i < w->couples; i++)
        for (size_t k = 0; k < 3; k++)
            sum += 0 * w->turned[i].S[k];
    return sum[0] == 0 && sum[1] == 0;
}

static void keep(const scratch *w, ph_state *state, const motion *to)
{
    for (size_t i = 0; i < w->places; i++)
        single_keep_moved(&w->moved[i], w->force + 3 * i, &to->places[i]);
    for (size_t i = 0; i < w->couples; i++) {
        couple T[3];
        gather(w->force + torque_at(w, i, 0), w->force + torque_at(w, i, 1), 3, T);
        couple_keep(&w->turned[i], T, &to->turning[i]);
    }
    for (size_t k = 0; k < state->nz; k++)
        state->z[k] = w->z1[k];
}

static ph_status step(ph_variational *method, ph_context *context, ph_state *state)
{
    scratch *w = method->work;
    const double h = context->h, t1 = state->t_base + (double)(state->k + 1 - state->k_base) * h,
                 stamp = ph_stage_stamp(method->stage, h);
    const motion own = motion_of(w, state);
    motion from = own;
    ph_status status = own.is->half == 0 ? begin(w, context, state, &from) : PH_OK;
    const double count = from.is->stamp == stamp ? from.is->count : 0;
    if (!status && w->p)
        dissipate(w, from.is->half + 0.5 * h, state->z, &from);
    if (!status)
        status = move_all(w, context, state, &from, from.is->half + 0.5 * h,
                          count > 0 ? ph_gravitation_weights(method->stage, count) : NULL);
    if (!status)
        status = evaluate(w, context, t1, w->z1);
    if (status)
        return status;
    if (!is_finite(w))
        return ph_fail(context->error, PH_E_DIVERGED, "the state is not finite after t = %.10g s", state->t);
    keep(w, state, &own);
    *own.is = (carried){stamp, count < GRAVITATION_PAST ? count + 1 : GRAVITATION_PAST,
                        from.is->round < GRAVITATION_ROUND - 1 ? from.is->round + 1 : 0, 0.5 * h};
    return PH_OK;
}

/* Momenta at the end of the latest step. */
static void synchronise(ph_variational *method, ph_state *state)
{
    const scratch *w = method->work;
    const motion own = motion_of(w, state);
    find_momenta(w, &own, state->z, state->p);
    if (w->p)
        ph_gravitation_dissipate(w->of, own.is->half, state->z, state->p, w->change, w->work);
    for (size_t k = 0; w->p && k < 3 * (w->places + w->attitudes); k++)
        state->p[k] += w->change[k];
}

const ph_variational_kernel ph_variational_gravitation = {
    .lay = lay, .init = init, .step = step, .synchronise = synchronise};
