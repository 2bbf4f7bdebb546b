/* SPDX-License-Identifier: BSD-3-Clause */
/* The turns of the bodies in a step (joints.h): what does not change of them, sweeps over the tree, Newton's iteration from a guess,
 * and the same equations for the general solver. */
#include "joints.h"

enum { MAX_PASSES = 6 };

/* A guess is used only if its turns are small (|v| = 0.25 is a turn by 29 degrees), its first correction is
 * small and the iteration contracts fast; everything else is left to the general solver. */
static const double largest_v = 0.25, correction_wanted = 0.02, contraction_wanted = 0.05;
/* A correction this small, relative to the turns, is not made. */
static const double lost = 0.01 * DBL_EPSILON;
/* An upper bound of the error after Newton's first correction, divided by the square of that correction
 * [1/rad]; usually about 1, more for stiff chains. */
static const double curvature = 10;

/* The rounding of the residual of one body, relative to the magnitudes of its terms; how it grows with the
 * number of bodies, as places are sums from the root on, whose roundings are a random walk; and up to where a
 * residual may be rounding. */
static const double rounding_floor = 0.5 * DBL_EPSILON, rounding_walk = 0.3, rounding_level = 1e-12;

/* ---- Bodies, once ---------------------------------------------------------------------------- */

static void joints_fill_body(joints_body *b, const ph_articulation *a, size_t i)
{
    const double *J = a->inertia + 9 * i;
    size_t p = a->parent[i];
    *b = (joints_body){.mass = a->mass[i],
                       .J = {J[0], J[4], J[8], J[5], J[2], J[1]},
                       .parent = p == PH_NO_INDEX ? NONE : (ptrdiff_t)p,
                       .child = NONE,
                       .sibling = NONE};
    for (size_t k = 0; k < 3; k++) {
        b->c[k] = -a->joint[3 * i + k];
        b->d[k] = p == PH_NO_INDEX ? 0 : a->anchor[3 * i + k] - a->joint[3 * p + k];
    }
}

/* One that no other holds. */
static void joints_fill_free(joints_body *b, const ph_body *body)
{
    const double *J = body->J;
    *b = (joints_body){
        .J = {J[0], J[4], J[8], J[5], J[2], J[1]}, .parent = NONE, .child = NONE, .sibling = NONE};
}

/* Finds w of each body, with the mass below it in `reach` of its node meanwhile, and the lists of
 * children. */
static void joints_link_bodies(joints_scratch *w)
{
    for (size_t i = w->n; i-- > 0;) {
        joints_body *b = &w->bodies[i], *p = b->parent == NONE ? NULL : &w->bodies[b->parent];
        double *below = &w->nodes[i].reach;
        *below += b->mass;
        for (size_t k = 0; k < 3; k++)
            b->w[k] += b->mass * b->c[k];
        if (!p)
            continue;
        w->nodes[b->parent].reach += *below;
        for (size_t k = 0; k < 3; k++)
            p->w[k] += *below * b->d[k];
    }
    for (size_t i = 0; i < w->n; i++) { /* the last child first, the order in which elimination meets them */
        joints_body *b = &w->bodies[i];
        if (b->parent == NONE)
            continue;
        b->sibling = w->bodies[b->parent].child;
        w->bodies[b->parent].child = (ptrdiff_t)i;
    }
}

bool ph_joints_take(const ph_system *system)
{
    return (ph_system_articulation(system) && ph_fast_paths() & PH_PATH_ARTICULATED) ||
           ph_system_bodies(system);
}

void ph_joints_lay(joints_scratch *w, const ph_system *system, ph_lay *l)
{
    w->n = ph_space_factors(ph_system_space(system));
    w->nodes = ph_lay_bytes(l, w->n * sizeof *w->nodes);
    w->bodies = ph_lay_bytes(l, w->n * sizeof *w->bodies);
    w->x = ph_lay_doubles(l, 3 * w->n);
    ph_newton_sparse_place(&w->newton, 3 * w->n, l);
}

void ph_joints_set(joints_scratch *w, const ph_system *system)
{
    const ph_articulation *a = ph_system_articulation(system);
    w->floor = rounding_floor * (1 + rounding_walk * sqrt((double)w->n));
    w->level = rounding_level / rounding_floor * w->floor;
    memset(w->nodes, 0, w->n * sizeof *w->nodes);
    for (size_t i = 0; i < w->n; i++)
        if (a)
            joints_fill_body(&w->bodies[i], a, i);
        else
            joints_fill_free(&w->bodies[i], ph_system_bodies(system) + i);
    joints_link_bodies(w);
}

/* ---- Sweeps over all bodies --------------------------------------------------------------------- */

/* What a sweep finds. */
typedef struct joints_course {
    double norm;    /* largest |r| relative to its terms */
    double total;   /* their sum: not finite if one of them is not */
    double delta;   /* largest correction [rad] */
    double longest; /* largest |v|^2 */
    bool positive;  /* was every det Q > 0? */
} joints_course;

/* From the root: the geometry at the start, the guess, and what follows from it. */
PH_WITH_FMA static void joints_begin(const joints_scratch *w, const double *z, const joints_start *from,
                                     joints_course *run)
{
    run->longest = 0;
    const size_t count = from->count;
    const double *weight = from->weights, *S = from->S, *tau = from->tau;
    for (size_t i = 0; i < w->n; i++) {
        joints_node *k = &w->nodes[i];
        joints_place_body(w, z, i);
        for (size_t a = 0; a < 3; a++) {
            size_t at = 3 * i + a;
            double v = 0;
            for (size_t m = 0; m < count; m++)
                v += weight[m] * from->turns[m][at];
            k->v[a] = v;
            k->load[a] = w->h * (S[at] + 0.5 * w->h * tau[at]);
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

bool ph_joints_solve_fast(const joints_scratch *w, const double *z, const joints_start *start,
                          int64_t *passes)
{
    joints_course run = {0};
    joints_begin(w, z, start, &run);
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

ph_status ph_joints_solve_slowly(joints_scratch *w, ph_context *context, double t, const double *z,
                                 const joints_start *start)
{
    joints_problem p = {w, start->S, start->tau};
    const size_t n = 3 * w->n;
    const ph_implicit_root root = {.equations = {.n = n,
                                                 .size = 0.5, /* v of a turn by about 1 rad */
                                                 .floor = w->level,
                                                 .self = &p,
                                                 .residual = joints_residual,
                                                 .parameter_derivative = joints_parameter_derivative,
                                                 .factor = joints_factor,
                                                 .solve = joints_solve},
                                   .guessed = start->count > 0,
                                   .on_the_branch = joints_on_the_branch};
    for (size_t i = 0; i < w->n; i++)
        joints_place_body(w, z, i);
    for (size_t at = 0; at < n && start->count; at++) {
        w->x[at] = 0;
        for (size_t m = 0; m < start->count; m++)
            w->x[at] += start->weights[m] * start->turns[m][at];
    }
    return ph_implicit_solve(&root, context, t, w->x, &w->newton);
}

/* ---- At rest ------------------------------------------------------------------------------------- */

ph_status ph_joints_respond(const joints_scratch *w, const double *z, const double *b)
{
    bool regular = true;
    for (size_t i = 0; i < w->n; i++) {
        joints_node *k = &w->nodes[i];
        joints_place_body(w, z, i);
        memset(k->v, 0, sizeof k->v);
        memset(k->load, 0, sizeof k->load);
        joints_move_body(w, i, false);
        for (size_t a = 0; a < 3; a++)
            k->r[a] = -b[3 * i + a];
    }
    for (size_t i = w->n; i-- > 0;) {
        const double determinant = joints_eliminate(w, i, NULL);
        regular = regular && determinant > 0 && determinant < INFINITY;
    }
    for (size_t i = 0; i < w->n; i++)
        joints_substitute(w, i);
    return regular ? PH_OK : PH_E_SINGULAR;
}
