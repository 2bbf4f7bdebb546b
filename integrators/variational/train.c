/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of dla with the rule `exponential` (general.c, general-constraints.c) of a train on wheels (polhode/kit/train.h), by passes
 * over its nodes. Unknowns are the displacement D of x and the turns f_j of the links; at the ends e = 0, 1 of the step, where directions
 * are q^e, h times the velocities of the nodes are
 *     X_i^e = X_parent^e + length f_link J q_link^e,     phi_i = (1/2) sum_e J q_wheel^e . X_i^e = 0.
 * With the momenta Q_i^e beyond node i and V_j^e = sum length Q^e + moment_j X_base^e, J q_j . V_j + inertia f_j that of q_j,
 *     -D_1 L_d = (1/h) { (1/2) sum_e J q^e . V^e + inertia f + (1/2) f q^0 . V^0 } - (h/2) F,
 *      D_2 L_d = the same with - (1/2) f q^1 . V^1 and + (h/2) F+.
 * W being the velocities that the wheels allow at the beginning, the equations are phi = 0 and W^T (-D_1 L_d - p) = 0. Newton's
 * corrections have the form of those velocities: phi decides all but a few, by a recursion, and the second is a system of those. The
 * impulse at the end that puts the momentum on the constraint is found likewise. The carry is that of the general step, which
 * does the step instead where there is no history or Newton's iteration does not contract at once; it chooses the root. */
#include <polhode/constraints.h>
#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/solve.h>
#include <polhode/kit/train.h>

#include "integrators/shared/carry.h"
#include "variational.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Columns of corrections: what phi leaves, with the direction of x's wheel as it is; that direction turned; the free ones. */
enum { CORRECTIONS = 12, OFF = 0, TURNED = 1, FREE = 2, MOST = FREE + PH_TRAIN_FREE };
/* Larger turns [rad], larger first corrections, slower contraction and smaller pivots are left to the general step. */
static const double largest_turn = 0.5, correction_wanted = 0.05, contraction_wanted = 0.05,
                    contraction_at_start = 0.5, /* where the guess is the beginning of the branch */
    pivot_wanted = 0.05;

typedef struct scratch {
    ph_variational general; /* the general step, with its scratch */
    const ph_system *system;
    const ph_space *space;
    const ph_train *train;
    bool forced;
    size_t m, np, nz, k, columns;
    double h, length;                        /* [m] that goes with a turn of one rad */
    const double *z;                         /* at the beginning, at the end and the way there: */
    double *z1, *low1, *D;                   /* (nz) */
    double *y;                               /* (np) the unknowns */
    double *X[2], *Q[2], *V[2];              /* (nodes x 2), (nodes x 2), (factors x 2) */
    double *phi, *g, *bend;                  /* (nodes); (np) -D_1 L_d; D_1 L_d + D_2 L_d without forces */
    double *F[2];                            /* (np) h/2 times forces at both ends */
    double *f, *rest;                        /* (nz) a force, zeros */
    ph_train_frame frame;                    /* at the beginning, then at the end */
    double *dX[2], *dQ[2], *dV[2], *dy;      /* (... x columns) the same of corrections; (np x columns) */
    double L[MOST * PH_TRAIN_FREE];          /* W^T d(-D_1 L_d) of column c, of those that follow from it */
    double follow[MOST];                     /* how much of TURNED belongs to a column */
    double K[PH_TRAIN_FREE * PH_TRAIN_FREE]; /* factors of W^T J Z */
    int pivot[PH_TRAIN_FREE];
    double *r, *push, *S1, *S_low, *p1, *impulse, *more; /* (np), (m), (m) */
} scratch;

static size_t lay(const ph_system *system, const double *options, ph_lay *l)
{
    scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_method_size general = ph_variational_measure(&ph_variational_general, system, options);
    const ph_train *t = ph_system_train(system);
    const size_t np = t->factors + 1, nz = 2 * t->factors, m = ph_system_constraints(system),
                 columns = FREE + t->free;
    w->general = (ph_variational){.kernel = &ph_variational_general, .work = ph_lay_line(l, general.work)};
    double **ambient[] = {&w->z1, &w->low1, &w->D, &w->f, &w->rest},
           **momenta[] = {&w->y, &w->g,    &w->bend, &w->F[0],  &w->F[1],
                          &w->r, &w->push, &w->S1,   &w->S_low, &w->p1};
    for (size_t i = 0; i < sizeof ambient / sizeof ambient[0]; i++)
        *ambient[i] = ph_lay_doubles(l, nz);
    for (size_t i = 0; i < sizeof momenta / sizeof momenta[0]; i++)
        *momenta[i] = ph_lay_doubles(l, np);
    for (int e = 0; e < 2; e++) {
        w->X[e] = ph_lay_doubles(l, 2 * t->nodes);
        w->Q[e] = ph_lay_doubles(l, 2 * t->nodes);
        w->V[e] = ph_lay_doubles(l, 2 * t->factors);
        w->dX[e] = ph_lay_doubles(l, 2 * t->nodes * columns);
        w->dQ[e] = ph_lay_doubles(l, 2 * t->nodes * columns);
        w->dV[e] = ph_lay_doubles(l, 2 * t->factors * columns);
    }
    w->dy = ph_lay_doubles(l, np * columns);
    w->phi = ph_lay_doubles(l, t->nodes);
    w->impulse = ph_lay_doubles(l, m);
    w->more = ph_lay_doubles(l, m);
    ph_train_lay(t, l, &w->frame);
    return general.carry;
}

static ph_status init(ph_variational *method, ph_context *context)
{
    scratch *w = method->work;
    w->system = context->system;
    w->space = ph_system_space(context->system);
    w->train = ph_system_train(context->system);
    w->forced = ph_system_has_force(context->system);
    w->m = ph_system_constraints(context->system);
    w->np = w->train->factors + 1;
    w->nz = 2 * w->train->factors;
    w->k = w->train->free;
    w->columns = FREE + w->k;
    memset(w->rest, 0, w->nz * sizeof *w->rest); /* forces do not look at it */
    return ph_variational_begin(&w->general, context);
}

/* ---- Equations ---------------------------------------------------------------------------------- */

/* F (np) <- h/2 times the forces at z; false where a callback fails, which the general step then reports. */
static bool load_force(const scratch *w, double t, const double *z, double *F)
{
    double *f = w->f, *g = w->D; /* free where this is called */
    if (ph_system_gradient(w->system, z, g))
        return false;
    memset(f, 0, w->nz * sizeof *f);
    if (w->forced && ph_system_force(w->system, t, z, w->rest, f))
        return false;
    for (size_t k = 0; k < w->nz; k++)
        f[k] = 0.5 * w->h * (f[k] - g[k]);
    memcpy(F, f, 2 * sizeof *F);
    for (size_t j = 1; j < w->train->factors; j++)
        F[j + 1] = ph_cross2(z + 2 * j, f + 2 * j);
    return true;
}

/* z1 <- where y leads, with the increments D; X, phi, Q, V, g, bend. */
static void evaluate(scratch *w, const double *z_low)
{
    const ph_train *t = w->train;
    const double *y = w->y, share = 1 / w->h, half = 0.5 * share;
    const double *q[2] = {w->z, w->z1};
    memcpy(w->D, y, 2 * sizeof *w->D);
    for (size_t j = 1; j < t->factors; j++) {
        const double *own = w->z + 2 * j;
        double sine, cosine, *D = w->D + 2 * j;
        ph_sincos(0.5 * y[j + 1], &sine, &cosine);
        D[0] = -2 * sine * sine * own[0];
        D[1] = -2 * sine * sine * own[1];
        ph_add_turned2(D, 2 * sine * cosine, own);
    }
    for (size_t k = 0; k < w->nz; k++)
        w->z1[k] = w->z[k] + (w->D[k] + z_low[k]);
    for (int e = 0; e < 2; e++)
        ph_train_spread(t, q[e], y, NULL, w->X[e]);
    for (size_t i = 0; i < t->nodes; i++) {
        const size_t wheel = 2 * (size_t)t->node[i].wheel;
        w->phi[i] =
            0.5 * (ph_cross2(q[0] + wheel, w->X[0] + 2 * i) + ph_cross2(q[1] + wheel, w->X[1] + 2 * i));
    }
    for (int e = 0; e < 2; e++) {
        double *Q = w->Q[e], *V = w->V[e];
        memset(Q, 0, 2 * t->nodes * sizeof *Q);
        for (size_t j = 1; j < t->factors; j++) {
            const ph_train_body *body = &t->body[j];
            ph_add_turned2(Q + 2 * body->base, body->moment * y[j + 1], q[e] + 2 * j);
            V[2 * j] = body->moment * w->X[e][2 * body->base];
            V[2 * j + 1] = body->moment * w->X[e][2 * body->base + 1];
        }
        for (size_t i = t->nodes; i-- > 1;) {
            const ph_train_node *n = &t->node[i];
            for (int k = 0; k < 2; k++) {
                V[2 * n->link + k] += n->length * Q[2 * i + (size_t)k];
                Q[2 * n->parent + k] += Q[2 * i + (size_t)k];
            }
        }
    }
    for (int k = 0; k < 2; k++) {
        w->g[k] = share * t->mass * y[k] + half * (w->Q[0][k] + w->Q[1][k]) - w->F[0][k];
        w->bend[k] = 0;
    }
    for (size_t j = 1; j < t->factors; j++) {
        const double *q0 = q[0] + 2 * j, *q1 = q[1] + 2 * j, *V0 = w->V[0] + 2 * j, *V1 = w->V[1] + 2 * j,
                     f = y[j + 1], before = half * f * ph_dot2(q0, V0), after = half * f * ph_dot2(q1, V1);
        w->g[j + 1] = half * (ph_cross2(q0, V0) + ph_cross2(q1, V1)) + share * t->body[j].inertia * f +
                      before - w->F[0][j + 1];
        w->bend[j + 1] = -(before + after);
    }
}

/* ---- Corrections -------------------------------------------------------------------------------- */

/* dy, dX of the first `many` columns. False: a pivot is too small. */
static bool spread_corrections(scratch *w, size_t many, size_t all)
{
    const ph_train *t = w->train;
    const double *q0 = w->z, *q1 = w->z1;
    const size_t wheel = 2 * (size_t)t->node[0].wheel;
    const double along[2] = {0.5 * (q0[wheel] + q1[wheel]), 0.5 * (q0[wheel + 1] + q1[wheel + 1])},
                 square = ph_dot2(along, along);
    double *dy = w->dy, *dX0 = w->dX[0], *dX1 = w->dX[1];
    for (size_t j = 0; j <= t->factors; j++)
        for (size_t c = 0; c < many; c++)
            dy[j * all + c] = 0;
    for (size_t c = FREE; c < many; c++)
        if (c > FREE)
            dy[(size_t)(t->turns[c - FREE] + 1) * all + c] = 1;
    const double off = -w->phi[0] / square, turned = 0.5 * ph_dot2(q1 + wheel, w->y) / square;
    for (size_t k = 0; k < 2; k++) {
        const double across = k ? along[0] : -along[1];
        dy[k * all + OFF] = off * across;
        if (many > FREE) {
            dy[k * all + TURNED] = turned * across;
            dy[k * all + FREE] = along[k];
        }
        for (size_t c = 0; c < many; c++)
            dX0[k * all + c] = dX1[k * all + c] = dy[k * all + c];
    }
    for (size_t i = 1; i < t->nodes; i++) {
        const ph_train_node *n = &t->node[i];
        const size_t link = 2 * (size_t)n->link, before = 2 * (size_t)n->parent * all, at = 2 * i * all;
        const double f = w->y[n->link + 1];
        const double T0[2] = {-n->length * q0[link + 1], n->length * q0[link]},
                     T1[2] = {n->length * (-q1[link + 1] - f * q1[link]),
                              n->length * (q1[link] - f * q1[link + 1])};
        double *rate = dy + (size_t)(n->link + 1) * all;
        if (n->wheel) {
            const double *e0 = q0 + 2 * n->wheel, *e1 = q1 + 2 * n->wheel,
                         *of = dy + (size_t)(n->wheel + 1) * all, swing = 0.5 * ph_dot2(e1, w->X[1] + 2 * i);
            const bool own = n->wheel == n->link;
            const double pivot = 0.5 * (ph_cross2(e0, T0) + ph_cross2(e1, T1)) - (own ? swing : 0),
                         least = n->length * ph_dot2(e0, q0 + link);
            if (!(pivot * least > 0 && fabs(pivot) >= pivot_wanted * fabs(n->length)))
                return false;
            const double reciprocal = 1 / pivot;
            for (size_t c = 0; c < many; c++) {
                const double *a = dX0 + before + c, *b = dX1 + before + c;
                rate[c] = (own ? 0 : swing * of[c]) -
                          0.5 * ((e0[0] * a[all] - e0[1] * a[0]) + (e1[0] * b[all] - e1[1] * b[0]));
            }
            rate[OFF] -= w->phi[i];
            for (size_t c = 0; c < many; c++)
                rate[c] *= reciprocal;
        }
        for (size_t k = 0; k < 2; k++)
            for (size_t c = 0; c < many; c++) {
                dX0[at + k * all + c] = dX0[before + k * all + c] + T0[k] * rate[c];
                dX1[at + k * all + c] = dX1[before + k * all + c] + T1[k] * rate[c];
            }
    }
    return true;
}

/* L of these columns. */
static void sum_corrections(scratch *w, size_t many, size_t all)
{
    const ph_train *t = w->train;
    const double share = 1 / w->h, half = 0.5 * share;
    double *dy = w->dy;
    for (int e = 0; e < 2; e++) {
        const double *q = e ? w->z1 : w->z, *dX = w->dX[e];
        double *dQ = w->dQ[e], *dV = w->dV[e];
        memset(dQ, 0, 2 * t->nodes * all * sizeof *dQ);
        for (size_t j = 1; j < t->factors; j++) {
            const ph_train_body *body = &t->body[j];
            const double *own = q + 2 * j, *rate = dy + (j + 1) * all,
                         *from = dX + 2 * (size_t)body->base * all, f = e ? w->y[j + 1] : 0;
            const double T[2] = {body->moment * (-own[1] - f * own[0]), body->moment * (own[0] - f * own[1])};
            double *to = dQ + 2 * (size_t)body->base * all;
            for (size_t k = 0; k < 2; k++)
                for (size_t c = 0; c < many; c++) {
                    to[k * all + c] += T[k] * rate[c];
                    dV[(2 * j + k) * all + c] = body->moment * from[k * all + c];
                }
        }
        for (size_t i = t->nodes; i-- > 1;) {
            const ph_train_node *n = &t->node[i];
            double *V = dV + 2 * (size_t)n->link * all, *to = dQ + 2 * (size_t)n->parent * all,
                   *Q = dQ + 2 * i * all;
            for (size_t k = 0; k < 2; k++)
                for (size_t c = 0; c < many; c++) {
                    V[k * all + c] += n->length * Q[k * all + c];
                    to[k * all + c] += Q[k * all + c];
                }
        }
    }
    double L[MOST * PH_TRAIN_FREE] = {0}, g[MOST];
    for (size_t j = 0; j <= t->factors; j++) {
        const double *W = w->frame.W + j * w->k, *rate = dy + j * all;
        if (j < 2) {
            for (size_t c = 0; c < many; c++)
                g[c] = share * t->mass * rate[c] + half * (w->dQ[0][j * all + c] + w->dQ[1][j * all + c]);
        } else {
            const size_t at = 2 * (j - 1);
            const double *q0 = w->z + at, *q1 = w->z1 + at, f = w->y[j];
            const double own = share * t->body[j - 1].inertia +
                               half * (ph_dot2(q0, w->V[0] + at) - ph_dot2(q1, w->V[1] + at)),
                         a[2] = {half * (-q0[1] + f * q0[0]), half * (q0[0] + f * q0[1])},
                         b[2] = {-half * q1[1], half * q1[0]};
            const double *dV0 = w->dV[0] + at * all, *dV1 = w->dV[1] + at * all;
            for (size_t c = 0; c < many; c++)
                g[c] = own * rate[c] + (a[0] * dV0[c] + a[1] * dV0[all + c]) +
                       (b[0] * dV1[c] + b[1] * dV1[all + c]);
        }
        for (size_t d = 0; d < w->k; d++)
            for (size_t c = 0; c < many; c++)
                L[d * MOST + c] += W[d] * g[c];
    }
    for (size_t d = 0; d < w->k; d++)
        for (size_t c = 0; c < many; c++)
            w->L[d * MOST + c] = L[d * MOST + c];
}

static bool find_columns(scratch *w, bool all)
{
    const size_t many = all ? w->columns : 1;
    if (!spread_corrections(w, many, w->columns))
        return false;
    sum_corrections(w, many, w->columns);
    const double *turn = w->dy + (size_t)(w->train->node[0].wheel + 1) * w->columns, rest = 1 - turn[TURNED];
    if (!(rest >= pivot_wanted))
        return false;
    for (size_t c = 0; c < many; c++) {
        if (c == TURNED)
            continue;
        w->follow[c] = turn[c] / rest;
        for (size_t d = 0; d < w->k; d++)
            w->L[d * MOST + c] += w->follow[c] * w->L[d * MOST + TURNED];
    }
    return true;
}

/* K <- factors of W^T J Z; false where its symmetric part is not positive definite, as it is on the branch from h = 0. */
static bool linearise(scratch *w)
{
    const size_t k = w->k;
    double H[PH_TRAIN_FREE * PH_TRAIN_FREE];
    if (!find_columns(w, true))
        return false;
    for (size_t d = 0; d < k; d++)
        for (size_t e = 0; e < k; e++) {
            w->K[d * k + e] = w->L[d * MOST + FREE + e];
            H[d * k + e] = (w->h > 0 ? 0.5 : -0.5) * (w->L[d * MOST + FREE + e] + w->L[e * MOST + FREE + d]);
        }
    return !ph_cholesky_factor(k, H) && !ph_lu_factor(k, w->K, w->pivot, NULL);
}

/* push (np) <- the correction of y, from column OFF and those of the latest linearisation. Returns its largest turn. */
static double find_correction(scratch *w, const double *p)
{
    const size_t k = w->k, all = w->columns;
    double u[PH_TRAIN_FREE], weight[MOST] = {1, w->follow[OFF]}, most = 0;
    for (size_t d = 0; d < k; d++) {
        u[d] = -w->L[d * MOST + OFF];
        for (size_t j = 0; j < w->np; j++)
            u[d] -= w->frame.W[j * k + d] * (w->g[j] - p[j]);
    }
    ph_lu_solve(k, w->K, w->pivot, u);
    for (size_t d = 0; d < k; d++) {
        weight[FREE + d] = u[d];
        weight[TURNED] += w->follow[FREE + d] * u[d];
    }
    for (size_t j = 0; j < w->np; j++) {
        double sum = 0;
        for (size_t c = 0; c < all; c++)
            sum += weight[c] * w->dy[j * all + c];
        w->push[j] = sum;
        most = fmax(most, fabs(sum) / (j < 2 ? w->length : 1));
    }
    return most;
}

static double size_of(const scratch *w)
{
    return fmax(ph_max_norm(w->y, 2) / w->length, ph_max_norm(w->y + 2, w->np - 2));
}

/* y, and all that evaluate leaves, by Newton's iteration from the guess in it; false where it is not beyond doubt that this is the
 * root: see rolling.c. */
static bool solve(scratch *w, const ph_carry *c, const double *p, double contraction, int64_t *passes)
{
    double before = INFINITY;
    for (int pass = 0; pass < CORRECTIONS; pass++) {
        evaluate(w, c->z_low);
        if (!(pass == 0 ? linearise(w) : find_columns(w, false)))
            return false;
        double step = find_correction(w, p);
        const double level = DBL_EPSILON * size_of(w);
        if (pass > 0 && step > 0.01 * before && step > level) {
            if (!linearise(w))
                return false;
            step = find_correction(w, p);
        }
        if (!(step <= (pass == 0 ? correction_wanted : contraction * before + 4 * level)))
            return false;
        for (size_t j = 0; j < w->np; j++)
            w->y[j] += w->push[j];
        ++*passes;
        if (pass > 0 && (step <= level || step * step <= 0.1 * level * before)) {
            evaluate(w, c->z_low);
            return ph_max_norm(w->y + 2, w->np - 2) <= largest_turn; /* false of what is not finite, too */
        }
        before = step;
    }
    return false;
}

/* From the increments before; or, where the motion changes too fast for that, from the velocity at the beginning, where the branch
 * begins that is meant. */
static bool solve_from_guesses(scratch *w, const ph_carry *c, const double *p, const ph_stage *stage,
                               int64_t *passes)
{
    for (size_t j = 0; j < w->np; j++) {
        const double *y = c->y + j;
        w->y[j] = (j < 2 ? w->length : 1) * ph_extrapolate(stage, *c->count, y[0], y[w->np], y[2 * w->np]);
    }
    if (solve(w, c, p, contraction_wanted, passes))
        return true;
    ph_train_solve(w->train, &w->frame, w->z, p, NULL, NULL, w->y);
    for (size_t j = 0; j < w->np; j++)
        w->y[j] *= w->h;
    return solve(w, c, p, contraction_at_start, passes);
}

/* ---- The step ----------------------------------------------------------------------------------- */

/* z1, low1, S1, S_low, p1 <- the end of the step. The momentum grows by what knows nothing of what Newton leaves. */
static bool finish(scratch *w, const ph_carry *c, const double *p, double t1)
{
    const ph_train *t = w->train;
    for (size_t j = 0; j < w->np; j++)
        w->r[j] = w->g[j] - p[j];
    ph_train_impulses(t, w->z, w->r, w->impulse, w->push, w->Q[0]);
    ph_space_advance(w->space, w->z, c->z_low, w->D, w->z1, w->low1);
    if (!load_force(w, t1, w->z1, w->F[1]) || !ph_train_find_frame(t, w->z1, &w->frame))
        return false;
    for (size_t j = 0; j < w->np; j++) {
        const double change = w->bend[j] + (w->F[0][j] + w->F[1][j]);
        w->push[j] += change;
        w->r[j] = w->g[j] + change; /* D_2 L_d */
    }
    ph_train_solve(t, &w->frame, w->z1, w->r, NULL, NULL, w->S1);
    ph_train_momentum(t, w->z1, w->S1, w->p1, w->Q[0]);
    for (size_t j = 0; j < w->np; j++)
        w->r[j] = w->p1[j] - w->r[j];
    ph_train_impulses(t, w->z1, w->r, w->more, w->S1, w->Q[0]);
    for (size_t j = 0; j < w->np; j++) {
        const double change = c->low[j] + (w->push[j] + w->S1[j]);
        ph_two_sum(c->S[j], change, &w->p1[j], &w->S_low[j]);
    }
    return ph_all_finite(w->z1, w->nz) && ph_all_finite(w->p1, w->np);
}

/* What the general step keeps: the increments, those of x in its unit of length, and the impulses. */
static void keep_history(const scratch *w, const ph_carry *c)
{
    double *mu =
        c->more + w->train->factors + 2 + w->m; /* behind noise of factors, length, unit, noise of rows */
    memmove(c->y + w->np, c->y, (PH_CARRY_HISTORY - 1) * w->np * sizeof *c->y);
    memmove(mu + w->m, mu, (PH_CARRY_HISTORY - 1) * w->m * sizeof *mu);
    memcpy(mu, w->impulse, w->m * sizeof *mu);
    for (size_t j = 0; j < w->np; j++)
        c->y[j] = j < 2 ? w->y[j] / w->length : w->y[j];
    *c->count = *c->count < PH_CARRY_HISTORY ? *c->count + 1 : PH_CARRY_HISTORY;
}

static ph_status step(ph_variational *method, ph_context *context, ph_state *state)
{
    scratch *w = method->work;
    ph_carry c = ph_carry_at(state->carry, w->np, w->nz);
    const double h = w->h = context->h, t1 = state->t_base + (double)(state->k + 1 - state->k_base) * h;
    bool done = ph_carry_is_warm(&c, ph_stage_stamp(method->stage, h));
    w->z = state->z;
    if (done) {
        w->length = c.more[w->train->factors];
        done = load_force(w, state->t, w->z, w->F[0]) && ph_train_find_frame(w->train, w->z, &w->frame) &&
               solve_from_guesses(w, &c, state->p, method->stage, &context->statistics->newton_passes) &&
               finish(w, &c, state->p, t1);
    }
    if (!done) {
        w->general.stage = method->stage;
        return ph_variational_general.step(&w->general, context, state);
    }
    keep_history(w, &c);
    memcpy(state->z, w->z1, w->nz * sizeof *w->z1);
    memcpy(c.z_low, w->low1, w->nz * sizeof *w->low1);
    memcpy(c.S, w->p1, w->np * sizeof *w->p1);
    memcpy(c.low, w->S_low, w->np * sizeof *w->S_low);
    memcpy(state->p, w->p1, w->np * sizeof *w->p1);
    return PH_OK;
}

const ph_variational_kernel ph_variational_train = {.lay = lay, .init = init, .step = step, .dense = true};
