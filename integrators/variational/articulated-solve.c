/* SPDX-License-Identifier: BSD-3-Clause */
/* The turns of the bodies in a step of articulated.c: sweeps over the tree, Newton's iteration from a guess,
 * and the same equations for the general solver. */
#include "articulated.h"

enum { MAX_PASSES = 6 };

/* A guess is used only if its turns are small (|v| = 0.25 is a turn by 29 degrees), its first correction is
 * small and the iteration contracts fast; everything else is left to the general solver. */
static const double largest_v = 0.25, correction_wanted = 0.02, contraction_wanted = 0.05;
/* A correction this small, relative to the turns, is not made. */
static const double lost = 0.01 * DBL_EPSILON;
/* An upper bound of the error after Newton's first correction, divided by the square of that correction
 * [1/rad]; usually about 1, more for stiff chains. */
static const double curvature = 10;

/* ---- Sweeps over all bodies --------------------------------------------------------------------- */

/* What a sweep finds. */
typedef struct joints_course {
    double norm;    /* largest |r| relative to its terms */
    double total;   /* their sum: not finite if one of them is not */
    double delta;   /* largest correction [rad] */
    double longest; /* largest |v|^2 */
    bool positive;  /* was every det Q > 0? */
} joints_course;

/* Row m - 1: the weights of the last m turns in the guess, the latest first, by the polynomial through them. */
static const double extrapolation[HISTORY][HISTORY] = {
    {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};

static const double *joints_weights_of(const joints_scratch *w, size_t count)
{
    return w->method->stage ? w->method->stage->increments[count - 1] : extrapolation[count - 1];
}

/* From the root: the geometry at the start, the guess, and what follows from it. */
PH_WITH_FMA static void joints_begin(const joints_scratch *w, const double *z, const joints_carry *c,
                                     const double *tau, joints_course *run)
{
    run->longest = 0;
    size_t count = (size_t)*c->count, last = (size_t)*c->last, np = 3 * w->n;
    const double *weight = joints_weights_of(w, count), *turns[HISTORY];
    for (size_t m = 0; m < count; m++)
        turns[m] = c->turns + (last + HISTORY - m) % HISTORY * np;
    for (size_t i = 0; i < w->n; i++) {
        joints_node *k = &w->nodes[i];
        joints_place_body(w, z, i);
        for (size_t a = 0; a < 3; a++) {
            size_t at = 3 * i + a;
            double v = 0;
            for (size_t m = 0; m < count; m++)
                v += weight[m] * turns[m][at];
            k->v[a] = v;
            k->load[a] = w->h * (c->S[at] + 0.5 * w->h * tau[at]);
        }
        run->longest = larger(ph_dot3(k->v, k->v), run->longest);
        joints_move_body(w, i, true);
    }
}

/* From the leaves: the residual and the elimination. */
PH_WITH_FMA static void joints_descend(const joints_scratch *w, joints_course *run)
{
    run->norm = run->total = 0;
    run->positive = true;
    for (size_t i = w->n; i-- > 0;) {
        joints_gather_children(w, i, true);
        double worst = largest_of(w->nodes[i].r) * w->nodes[i].inverse_size;
        run->norm = larger(worst, run->norm);
        run->total += worst;
        if (!(joints_eliminate(w, i, NULL) > 0))
            run->positive = false;
    }
}

/* The residual alone. */
PH_WITH_FMA static void joints_check(const joints_scratch *w, joints_course *run)
{
    run->norm = run->total = 0;
    for (size_t i = w->n; i-- > 0;) {
        joints_gather_children(w, i, false);
        double worst = largest_of(w->nodes[i].r) * w->nodes[i].inverse_size;
        run->norm = larger(worst, run->norm);
        run->total += worst;
    }
}

PH_WITH_FMA static void joints_reduce_all(const joints_scratch *w)
{
    for (size_t i = w->n; i-- > 0;)
        joints_reduce(w, i);
}

/* From the root: the corrections, and what follows from the new turns. */
PH_WITH_FMA static void joints_ascend(const joints_scratch *w, joints_course *run)
{
    run->delta = run->longest = 0;
    for (size_t i = 0; i < w->n; i++) {
        joints_node *k = &w->nodes[i];
        double dv[3];
        joints_substitute(w, i);
        joints_correct(k, dv);
        for (int a = 0; a < 3; a++)
            k->v[a] += dv[a];
        run->delta = larger(largest_of(k->e), run->delta);
        run->longest = larger(ph_dot3(k->v, k->v), run->longest);
        joints_move_body(w, i, false);
    }
}

/* ---- Solving ------------------------------------------------------------------------------------ */

/* Would a further correction be negligible relative to the turns? After Newton's first correction the error
 * is about its square; the others, with the same matrices, shrink by a constant factor. The error has the
 * same sign in every step and adds up, so that even a residual of the size of rounding is not enough after
 * the first one. */
static bool joints_is_last(const joints_course *run, int pass, double before)
{
    double next = pass ? run->delta * (run->delta / before) : curvature * run->delta * run->delta;
    return next * next <= lost * lost * run->longest;
}

bool ph_joints_solve_fast(const joints_scratch *w, const ph_state *state, const joints_carry *c,
                          const double *tau, int64_t *passes)
{
    joints_course run = {0};
    joints_begin(w, state->z, c, tau, &run);
    joints_descend(w, &run);
    if (!run.positive || !(run.longest <= largest_v * largest_v))
        return false;
    for (int pass = 0; run.total < INFINITY; pass++) {
        double before = run.delta, norm = run.norm;
        bool rounded = norm <= w->level; /* then corrections may be rounding, which does not contract */
        if (pass > 1 && norm <= w->floor)
            return true;
        if (pass == MAX_PASSES)
            return false;
        if (pass)
            joints_reduce_all(w);
        joints_ascend(w, &run);
        ++*passes;
        if (!(run.longest <= largest_v * largest_v) || !(run.delta <= correction_wanted) ||
            (pass && !rounded && !(run.delta <= contraction_wanted * before)))
            return false;
        joints_check(w, &run);
        if (run.norm <= w->level &&
            (joints_is_last(&run, pass, before) || (rounded && !(run.norm < 0.5 * norm))))
            return true;
    }
    return false;
}

/* The equations for the general solver; their latest place is in w. */
typedef struct joints_problem {
    joints_scratch *w;
    const double *S, *tau;
} joints_problem;

static ph_status joints_residual(void *self, double s, const double *x, double *r, double *scale)
{
    const joints_problem *p = self;
    joints_scratch *w = p->w;
    double h = s * w->h;
    w->s = s;
    for (size_t i = 0; i < w->n; i++) {
        joints_node *k = &w->nodes[i];
        for (size_t a = 0; a < 3; a++) {
            k->v[a] = x[3 * i + a];
            k->load[a] = h * (p->S[3 * i + a] + 0.5 * h * p->tau[3 * i + a]);
        }
        joints_move_body(w, i, true);
    }
    for (size_t i = w->n; i-- > 0;) {
        joints_gather_children(w, i, true);
        for (size_t a = 0; a < 3; a++) {
            r[3 * i + a] = w->nodes[i].r[a];
            scale[3 * i + a] = 1 / w->nodes[i].inverse_size;
        }
    }
    return PH_OK;
}

/* At the latest residual. *sign <- that of det J, the product of all det Q: positive on the branch when it
 * begins, until it turns back. (A single Q may be singular on the way where J is not.) */
static ph_status joints_factor(void *self, int *sign)
{
    const joints_problem *p = self;
    bool regular = true;
    *sign = 1;
    for (size_t i = p->w->n; i-- > 0;) {
        double determinant = joints_eliminate(p->w, i, NULL);
        regular = regular && fabs(determinant) > 0 && fabs(determinant) < INFINITY;
        *sign = determinant > 0 ? *sign : -*sign;
    }
    return regular ? PH_OK : PH_E_SINGULAR;
}

static void joints_solve(void *self, double *r)
{
    const joints_problem *p = self;
    for (size_t i = p->w->n; i-- > 0;) {
        memcpy(p->w->nodes[i].r, r + 3 * i, 3 * sizeof *r);
        joints_reduce(p->w, i);
    }
    for (size_t i = 0; i < p->w->n; i++) {
        double dv[3];
        joints_substitute(p->w, i);
        joints_correct(&p->w->nodes[i], dv);
        for (size_t a = 0; a < 3; a++)
            r[3 * i + a] = -dv[a];
    }
}

static ph_status joints_parameter_derivative(void *self, double *rs)
{
    const joints_problem *p = self;
    for (size_t at = 0; at < 3 * p->w->n; at++)
        rs[at] = -p->w->h * (p->S[at] + p->w->s * p->w->h * p->tau[at]);
    return PH_OK;
}

/* Is the symmetric part of every Q positive definite at the root, as it is where the branch begins? */
static bool joints_on_the_branch(void *self)
{
    const joints_problem *p = self;
    bool positive = true;
    joints_residual(self, 1, p->w->x, p->w->newton.r, p->w->newton.scale);
    for (size_t i = p->w->n; i-- > 0;)
        joints_eliminate(p->w, i, &positive);
    return positive;
}

ph_status ph_joints_solve_slowly(joints_scratch *w, ph_context *context, const ph_state *state,
                                 const joints_carry *c, const double *S, const double *tau)
{
    joints_problem p = {w, S, tau};
    const size_t count = *c->h == ph_stage_stamp(w->method->stage, w->h) ? (size_t)*c->count : 0,
                 last = (size_t)*c->last, n = 3 * w->n;
    const ph_implicit_root root = {.equations = {.n = n,
                                                 .size = 0.5, /* v of a turn by about 1 rad */
                                                 .floor = w->level,
                                                 .self = &p,
                                                 .residual = joints_residual,
                                                 .parameter_derivative = joints_parameter_derivative,
                                                 .factor = joints_factor,
                                                 .solve = joints_solve},
                                   .guessed = count > 0,
                                   .on_the_branch = joints_on_the_branch};
    for (size_t i = 0; i < w->n; i++)
        joints_place_body(w, state->z, i);
    for (size_t at = 0; at < n && count; at++) {
        w->x[at] = 0;
        for (size_t m = 0; m < count; m++)
            w->x[at] += joints_weights_of(w, count)[m] * c->turns[(last + HISTORY - m) % HISTORY * n + at];
    }
    return ph_implicit_solve(&root, context, state->t, w->x, &w->newton);
}
