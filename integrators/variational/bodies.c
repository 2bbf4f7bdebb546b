/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator on SO(3)^n for bodies whose kinetic energy is the sum of theirs (the potential
 * may couple them), of order 2: each body has three equations of its own. With F = R^T R+ the Cayley map of f
 * = tan(t/2) n, t the turn about n, and g = h (Pi + (h/2) M), M the moment in the body frame, they (the discrete
 * Legendre transform p = -D_1 L_d) are polynomials,
 *     2 J f - g - g x f - (g.f) f = 0,        Jacobian 2 J - S(g) - (g.f) I - f g^T,
 * solved by Newton with 3 x 3 matrices and without trigonometric functions (bodies-rows.h). It is the step of
 * product.c by less work, and keeps its carry (with the gradient at z): whenever Newton does not
 * contract at once from the extrapolated increments, or a turn is large, that one does the step (and chooses
 * the root).
 *
 * R Pi, the momentum in the frame of the surroundings, is what is summed up; Pi = R^T (R Pi) is read off.
 *
 * Source: Lee, Leok, McClamroch, Comput. Methods Appl. Mech. Engrg. 196 (2007) 2907 (the implicit equation
 * and its Cayley form); only J enters, J_d = tr(J) I / 2 - J need not be positive. */
#include <polhode/kit/algebra.h>

#include "bodies.h"
#include "integrators/shared/carry.h"
#include "variational.h"

#include <string.h>

#include "bodies-rows.h"

#define number double
#define OF(name) body_##name
#include "integrators/shared/lanes-space.h"

#include "bodies-turn.h"
#undef OF
#undef number

static void copy3(double *to, const double *from)
{
    memcpy(to, from, 3 * sizeof *to);
}

INLINE double largest_of(double a, double b, double c)
{
    const double x = fabs(a), y = fabs(b), z = fabs(c), more = z > y ? z : y;
    return more > x ? more : x;
}

typedef enum verdict { GO_ON, FOUND, DOUBT } verdict;

/* A correction: its size, that of its second order, and of the last change of it. */
typedef struct size {
    double step, second, change;
} size;

/* Is nothing left? */
INLINE bool is_exact(const size *s)
{
    return s->change * s->second <= least_rest * s->step;
}

/* What an iteration leads to: f is beyond doubt the root, or not, or to be corrected further. first <- the step of the first one. */
INLINE verdict judge(int pass, double inverse, const size *s, double *first)
{
    if (pass == 0)
        *first = s->step;
    if (!(inverse > 0) || !(s->step <= correction_wanted) ||
        (pass == 1 && !(s->step <= contraction_wanted * *first + 1e-14)))
        return DOUBT;
    return is_exact(s) ? FOUND : pass + 1 < MAX_PASSES ? GO_ON : DOUBT;
}

/* What the turn of a body follows from, and what it becomes: R1 + low1, which may be R + low, by f. */
typedef struct turning {
    const double *J2, *R, *low, *S, *S_low,
        *y;               /* of y those of a step, `np` numbers behind those of the one after it */
    const double *moment; /* in the frame of the surroundings; NULL: none */
    size_t np;
    const ph_stage *stage;
    double count, h;
    double *R1, *low1, *f;
} turning;

/* false where it is not beyond doubt that f is the root. */
static bool turn_by_numbers(const turning *t, int64_t *passes)
{
    double R[9], low[9], y[9], g[3], f[3], first = 0;
    for (size_t k = 0; k < 9; k++) {
        R[k] = t->R[k];
        low[k] = t->low[k];
        y[k] = t->y[t->np * (k / 3) + k % 3];
    }
    body_turned_back(R, low, t->S, t->S_low, t->h, g);
    if (t->moment) {
        double moment[3];
        body_apply_transposed(R, t->moment, moment);
        for (size_t k = 0; k < 3; k++)
            g[k] += t->h * (0.5 * t->h * moment[k]);
    }
    body_guess(t->stage, t->count, y, f);
    for (int pass = 0;; pass++) {
        double C[9], d[3], e[3], square[3];
        const double inverse = body_correction(t->J2, g, f, C, d);
        body_square(C, inverse, g, d, square);
        for (int k = 0; k < 3; k++)
            e[k] = d[k] - square[k];
        const double second = largest_of(square[0], square[1], square[2]);
        size s = {largest_of(e[0], e[1], e[2]), second, second};
        for (int term = 0; term < MOST_TERMS && !is_exact(&s); term++) {
            double last[3] = {e[0], e[1], e[2]};
            body_square(C, inverse, g, e, square);
            for (int k = 0; k < 3; k++)
                e[k] = d[k] - square[k];
            s.change = largest_of(e[0] - last[0], e[1] - last[1], e[2] - last[2]);
        }
        for (int k = 0; k < 3; k++)
            f[k] -= e[k];
        const verdict found = judge(pass, inverse, &s, &first);
        if (found == GO_ON)
            continue;
        *passes += pass + 1;
        if (found == DOUBT || !(body_dot(f, f) <= largest_f * largest_f))
            return false;
        break;
    }
    body_turn_body(R, low, f, t->R1, t->low1);
    memcpy(t->f, f, sizeof f);
    return true;
}

INLINE bool turn_in_rows(const turning *t, int64_t *passes)
{
    vector R[3], low[3], J2[3], f;
    double first = 0;
    load_rows(t->R, R);
    load_rows(t->low, low);
    load_rows(t->J2, J2);
    vector g = turned_back(R, low, load3(t->S), load3(t->S_low), t->h);
    if (t->moment)
        g += t->h * (0.5 * t->h * combine3(R, load3(t->moment)));
    f = guessed_turn(t->stage, t->count, load3(t->y), load3(t->y + t->np), load3(t->y + 2 * t->np));
    for (int pass = 0;; pass++) {
        vector C[3], d;
        const double inverse = turn_correction(J2, g, f, C, &d);
        const vector square = turn_square(C, inverse, g, d);
        vector e = d - square;
        const double second = largest_of(square[0], square[1], square[2]);
        size s = {largest_of(e[0], e[1], e[2]), second, second};
        for (int term = 0; term < MOST_TERMS && !is_exact(&s); term++) {
            const vector last = e;
            e = d - turn_square(C, inverse, g, e);
            s.change = largest_of(e[0] - last[0], e[1] - last[1], e[2] - last[2]);
        }
        f -= e;
        const verdict found = judge(pass, inverse, &s, &first);
        if (found == GO_ON)
            continue;
        *passes += pass + 1;
        if (found == DOUBT || !(dot3(f, f) <= largest_f * largest_f))
            return false;
        break;
    }
    turn_rows(R, low, f, t->R1, t->low1);
    store3(t->f, f);
    return true;
}

/* The same by AVX2. (Clang wants no vectors in calls from functions for other processors.) */
static PH_LANES_AVX2 bool turn_by_rows(const turning *t, int64_t *passes)
{
    return turn_in_rows(t, passes);
}

typedef struct scratch {
    ph_variational product; /* the general step, with scratch of its own */
    size_t n;
    bool forced, pushed; /* is there a force; or a potential */
    bool (*turn)(const turning *, int64_t *passes);
    double *J2;             /* (9n) twice the inertia */
    double *f, *v;          /* (9n) force, velocity 0 */
    double *increments;     /* (3n) f of the Cayley map */
    double *dS;             /* (3n) */
    double *z1, *low, *g1;  /* (9n); low-order part of z1 */
    double *S1, *low1, *p1; /* (3n) */
} scratch;

static size_t lay(const ph_system *system, const double *options, ph_lay *l)
{
    scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_method_size product = ph_variational_measure(&ph_variational_product, system, options);
    const size_t n = ph_space_factors(ph_system_space(system));
    double **large[] = {&w->J2, &w->f, &w->v, &w->z1, &w->low, &w->g1},
           **small[] = {&w->increments, &w->dS, &w->S1, &w->low1, &w->p1};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        *large[i] = ph_lay_doubles(l, 9 * n);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        *small[i] = ph_lay_doubles(l, 3 * n);
    w->n = n;
    w->product = (ph_variational){.kernel = &ph_variational_product, .work = ph_lay_line(l, product.work)};
    return product.carry;
}

static ph_status init(ph_variational *method, ph_context *context)
{
    scratch *w = method->work;
    const ph_body *bodies = ph_system_bodies(context->system);
    for (size_t k = 0; k < 9 * w->n; k++)
        w->J2[k] = 2 * bodies[k / 9].J[k % 9];
    w->forced = ph_system_has_force(context->system);
    w->pushed = w->forced || ph_system_has_potential(context->system);
    w->turn = ph_lanes(PH_KERNEL_AVX2) ? turn_by_rows : turn_by_numbers;
    memset(w->f, 0, 9 * w->n * sizeof *w->f);
    memset(w->v, 0, 9 * w->n * sizeof *w->v);
    return ph_variational_begin(&w->product, context);
}

/* moment <- of the frame of the surroundings, of the force f less the gradient g */
static void moment_at(const double *R, const double *g, const double *f, double moment[3])
{
    double push[9];
    for (int k = 0; k < 9; k++)
        push[k] = f[k] - g[k];
    body_moment_at(R, push, moment);
}

/* The turn of a body, which leads to R1 and low1; moment: nullable. */
INLINE bool turn_one(const scratch *w, size_t i, const ph_state *state, const ph_carry *c,
                     const ph_stage *stage, double h, const double *moment, double *R1, double *low1,
                     double f[3], int64_t *passes)
{
    const turning t = {.J2 = w->J2 + 9 * i,
                       .R = state->z + 9 * i,
                       .low = c->z_low + 9 * i,
                       .S = c->S + 3 * i,
                       .S_low = c->low + 3 * i,
                       .y = c->y + 3 * i,
                       .moment = moment,
                       .np = 3 * w->n,
                       .stage = stage,
                       .count = *c->count,
                       .h = h,
                       .R1 = R1,
                       .low1 = low1,
                       .f = f};
    return w->turn(&t, passes);
}

/* All bodies turned; dS <- the push at the start. false: not by this step. */
static bool turn_all(scratch *w, const ph_state *state, const ph_carry *c, const ph_stage *stage, double h,
                     int64_t *passes)
{
    for (size_t i = 0; i < w->n; i++) {
        double *dS = w->dS + 3 * i;
        if (w->pushed)
            moment_at(state->z + 9 * i, c->more + 9 * i, w->f + 9 * i, dS);
        if (!turn_one(w, i, state, c, stage, h, w->pushed ? dS : NULL, w->z1 + 9 * i, w->low + 9 * i,
                      w->increments + 3 * i, passes))
            return false;
        /* by h / 2: h^2 / 2 would be rounded otherwise, and do work of one sign */
        for (size_t k = 0; k < 3 && w->pushed; k++)
            dS[k] *= 0.5 * h;
    }
    return true;
}

/* The latest increment becomes that of a turn by f. */
static void keep_increment(const ph_carry *c, size_t np, size_t i, const double f[3])
{
    double *y = c->y + 3 * i;
    copy3(y + 2 * np, y + np);
    copy3(y + np, y);
    body_increment(f, y);
}

static void count_step(const ph_carry *c)
{
    *c->count = *c->count < PH_CARRY_HISTORY ? *c->count + 1 : PH_CARRY_HISTORY;
}

/* The step of a single free body in its place; false: not by this one. S stays. */
static bool step_free(const scratch *w, ph_state *state, const ph_carry *c, const ph_stage *stage, double h,
                      int64_t *passes)
{
    double f[3];
    if (!turn_one(w, 0, state, c, stage, h, NULL, state->z, c->z_low, f, passes))
        return false;
    keep_increment(c, 3, 0, f);
    body_apply_transposed(state->z, c->S, state->p);
    count_step(c);
    return true;
}

static ph_status call_force(const ph_context *context, scratch *w, const double *z, double t)
{
    if (!w->forced)
        return PH_OK;
    return ph_context_judge(context, "the force", t, ph_system_force(context->system, t, z, w->v, w->f), w->f,
                            9 * w->n);
}

/* S1 + low1 of a body that is pushed; of another one S stays. */
static void new_momentum(const scratch *w, const ph_carry *c, size_t i, double h)
{
    double moment[3];
    moment_at(w->z1 + 9 * i, w->g1 + 9 * i, w->f + 9 * i, moment);
    body_kick(c->S + 3 * i, c->low + 3 * i, w->dS + 3 * i, moment, h, w->S1 + 3 * i, w->low1 + 3 * i);
}

/* Body by body: copies of known size are no calls. */
static void commit(const scratch *w, ph_state *state, const ph_carry *c)
{
    for (size_t i = 0; i < w->n; i++) {
        memcpy(state->z + 9 * i, w->z1 + 9 * i, 9 * sizeof(double));
        memcpy(c->z_low + 9 * i, w->low + 9 * i, 9 * sizeof(double));
        keep_increment(c, 3 * w->n, i, w->increments + 3 * i);
        copy3(state->p + 3 * i, w->p1 + 3 * i);
        if (!w->pushed)
            continue;
        copy3(c->S + 3 * i, w->S1 + 3 * i);
        copy3(c->low + 3 * i, w->low1 + 3 * i);
        memcpy(c->more + 9 * i, w->g1 + 9 * i, 9 * sizeof(double));
    }
    count_step(c);
}

/* Where the step by 3 x 3 matrices is in doubt. */
static ph_status step_by_product(scratch *w, const ph_stage *stage, ph_context *context, ph_state *state)
{
    w->product.stage = stage;
    return ph_variational_product.step(&w->product, context, state);
}

static ph_status step(ph_variational *method, ph_context *context, ph_state *state)
{
    scratch *w = method->work;
    ph_carry c = ph_carry_at(state->carry, state->np, state->nz);
    double h = context->h, t1 = state->t_base + (double)(state->k + 1 - state->k_base) * h;
    if (!ph_carry_is_warm(&c, ph_stage_stamp(method->stage, h)))
        return step_by_product(w, method->stage, context, state);
    int64_t *passes = &context->statistics->newton_passes;
    if (!w->pushed && w->n == 1)
        return step_free(w, state, &c, method->stage, h, passes)
                   ? PH_OK
                   : step_by_product(w, method->stage, context, state);
    ph_status status = call_force(context, w, state->z, state->t);
    if (status)
        return status;
    if (!turn_all(w, state, &c, method->stage, h, passes))
        return step_by_product(w, method->stage, context, state);
    if (w->pushed)
        status = ph_context_judge(context, "the gradient of the potential", t1,
                                  ph_system_gradient(context->system, w->z1, w->g1), w->g1, 9 * w->n);
    if (!status)
        status = call_force(context, w, w->z1, t1);
    if (status)
        return status;
    for (size_t i = 0; i < w->n; i++) {
        if (w->pushed)
            new_momentum(w, &c, i, h);
        ph_apply_transposed3(w->z1 + 9 * i, (w->pushed ? w->S1 : c.S) + 3 * i, w->p1 + 3 * i);
    }
    if (!ph_all_finite(w->p1, 3 * w->n))
        return ph_fail(context->error, PH_E_DIVERGED, "the momentum is not finite after t = %.10g s",
                       state->t);
    commit(w, state, &c);
    return PH_OK;
}

const ph_variational_kernel ph_variational_bodies = {.lay = lay, .init = init, .step = step, .dense = true};
