/* SPDX-License-Identifier: BSD-3-Clause */
/* Families of relative equilibria (polhode/domain/equilibria.h): r(z, mu) = 0 with one momentum mu that varies, followed in
 * arc length. With H x + B s = 0 the tangent t = (x, s) of unit length in |x|^2 / D + (s / M)^2, D the mean inertia
 * and M the largest momentum, a step goes along t and comes back orthogonally to it,
 *     [ H  B ; t^T ] (dx, dmu) = (-r, 0).
 * s changes sign at folds, the determinant of this matrix where another family crosses (Allgower, Georg, Numerical
 * Continuation Methods (1990), chapters 2 and 8). */
#include "equilibria.h"
#include "lib/system/generator.h"

#include <polhode/kit/solve.h>
#include <polhode/kit/vector.h>

#include "lib/internal/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORRECTIONS = 12, POINTS = 5000, BISECTIONS = 30, QUICK = 4 };
static const double usual_step = 0.05, smallest_step = 1e-7, on_axis = 1e-8;

/* A point of the family, and the tangent there. */
typedef struct place {
    double *z, *u; /* (nz) each: configuration, the tangent's x as a vector */
    double mu, s;  /* the momentum that varies, and the tangent's share of it */
    int sign;      /* of the determinant */
    ph_equilibrium *is;
} place;

typedef struct path {
    ph_equilibria *e;
    const ph_family_plan *plan;
    double mu[PH_EQUILIBRIA_SYMMETRIES];
    double inertia, momentum; /* D, M */
    double longest;           /* of a step */
    place here, next, trial, start;
    ph_family_fn visit;
    void *user;
} path;

/* ---- Tangents ------------------------------------------------------------------------------------------ */

/* t (m + 1) <- the tangent (u, s) in the coordinates of the local data, as a covector of the scaled product. */
static ph_status pair(path *p, const double *u, double s, double *t)
{
    ph_equilibria *e = p->e;
    ph_status status = ph_system_lagrangian_gradient(e->system, 0, e->spare->z, u, NULL, e->v, e->work);
    for (size_t i = 0; i < e->m && !status; i++)
        t[i] = ph_dot(e->W + i * e->nz, e->v, e->nz) / p->inertia;
    t[e->m] = s / (p->momentum * p->momentum);
    return status;
}

/* e->S, e->pivot <- the factors of [H B; t^T]; *sign <- that of its determinant. */
static ph_status border(path *p, const double *t, int *sign)
{
    ph_equilibria *e = p->e;
    const size_t m = e->m, n = m + 1;
    double *S = e->S;
    for (size_t i = 0; i < m; i++) {
        memcpy(S + i * n, e->H + i * m, m * sizeof *S);
        S[i * n + m] = e->B[i * e->k + p->plan->symmetry];
    }
    memcpy(S + m * n, t, n * sizeof *S);
    return ph_lu_factor(n, S, e->pivot, sign);
}

/* at->u, s, sign <- the tangent, which goes on as (u, s) did; the local data are those at at->z. */
static ph_status find_tangent(path *p, const double *u, double s, place *at)
{
    ph_equilibria *e = p->e;
    double *t = e->y, *x = e->x;
    memcpy(e->spare->z, at->z, e->nz * sizeof *at->z);
    ph_status status = pair(p, u, s, t);
    if (!status)
        status = border(p, t, &at->sign);
    if (status)
        return status;
    memset(x, 0, e->m * sizeof *x);
    x[e->m] = 1;
    ph_lu_solve(e->m + 1, e->S, e->pivot, x);
    const double length =
        sqrt(ph_dot(x, x, e->m) / p->inertia + x[e->m] * x[e->m] / (p->momentum * p->momentum));
    for (size_t i = 0; i <= e->m; i++)
        x[i] /= length;
    at->s = x[e->m];
    ph_local_vector(e, x, at->u);
    return ph_all_finite(x, e->m + 1) ? PH_OK : PH_E_NOT_FINITE;
}

/* ---- Steps --------------------------------------------------------------------------------------------- */

static ph_status derive(path *p, const place *at)
{
    p->mu[p->plan->symmetry] = at->mu;
    return ph_local_all(p->e, at->z, p->mu);
}

/* to <- the point of the family at the arc length ds from `from`. *quick <- did few corrections do? */
static ph_status take_step(path *p, const place *from, double ds, place *to, bool *quick)
{
    ph_equilibria *e = p->e;
    double *u = e->slopes, before = INFINITY;
    int sign;
    for (size_t l = 0; l < e->nz; l++)
        u[l] = ds * from->u[l];
    ph_space_exp(e->space, from->z, u, to->z);
    to->mu = from->mu + ds * from->s;
    for (int i = 0; i < CORRECTIONS; i++) {
        ph_status status = derive(p, to);
        memcpy(e->spare->z, to->z, e->nz * sizeof *to->z);
        if (!status)
            status = pair(p, from->u, from->s, e->y);
        if (!status)
            status = border(p, e->y, &sign);
        if (status)
            return status;
        for (size_t j = 0; j < e->m; j++)
            e->x[j] = -e->r[j];
        e->x[e->m] = 0;
        ph_lu_solve(e->m + 1, e->S, e->pivot, e->x);
        const double size = fmax(ph_local_vector(e, e->x, u), fabs(e->x[e->m]) / p->momentum);
        if (!isfinite(size) || size > 2 * p->longest)
            return PH_E_NO_CONVERGENCE;
        *quick = i < QUICK;
        if (size <= 1e-15 || (size < 1e-8 && size >= 0.5 * before)) {
            status = find_tangent(p, from->u, from->s, to);
            if (!status)
                status = ph_equilibrium_fill(e, to->z, p->mu, (size_t)i, to->is);
            return status;
        }
        before = size;
        ph_space_exp(e->space, to->z, u, e->point);
        memcpy(to->z, e->point, e->nz * sizeof *to->z);
        ph_space_correct(e->space, to->z);
        to->mu += e->x[e->m];
    }
    return PH_E_NO_CONVERGENCE;
}

static void exchange(place *a, place *b)
{
    const place keep = *a;
    *a = *b;
    *b = keep;
}

/* ---- What is remarkable ---------------------------------------------------------------------------------- */

/* Is the mark's condition on the far side of the place, seen from `here`? */
static bool is_beyond(const path *p, ph_family_mark mark, const place *at)
{
    switch (mark) {
    case PH_FAMILY_FOLD:
        return (at->s > 0) != (p->here.s > 0);
    case PH_FAMILY_BRANCH:
        return at->sign != p->here.sign;
    default:
        return at->is->stability != p->here.is->stability;
    }
}

/* p->trial <- the place between here and next, ds away, where the mark's condition changes; *at <- how far. */
static ph_status locate(path *p, ph_family_mark mark, double ds, double *at)
{
    double low = 0, high = ds;
    bool quick;
    ph_status status = PH_OK;
    for (int i = 0; i < BISECTIONS && !status; i++) {
        const double middle = 0.5 * (low + high);
        status = take_step(p, &p->here, middle, &p->trial, &quick);
        if (!status && is_beyond(p, mark, &p->trial))
            high = middle;
        else
            low = middle;
    }
    *at = high;
    return status;
}

/* Visit what is remarkable between here and next. false: the visitor stops. A place that cannot be found is left
 * out. A change of stability at a fold or a bifurcation is not shown again. */
static bool visit_marks(path *p, double ds)
{
    double found[PH_FAMILY_MARKS], nearest = 1e-4 * ds;
    for (ph_family_mark mark = PH_FAMILY_FOLD; mark <= PH_FAMILY_CHANGE; mark++) {
        found[mark] = INFINITY;
        if (!is_beyond(p, mark, &p->next) || locate(p, mark, ds, &found[mark]))
            continue;
        bool again = false;
        for (ph_family_mark other = PH_FAMILY_FOLD; other < mark; other++)
            again |= mark == PH_FAMILY_CHANGE && fabs(found[other] - found[mark]) < nearest;
        if (!again && !p->visit(p->user, p->trial.is, mark))
            return false;
    }
    return true;
}

/* ---- The family ------------------------------------------------------------------------------------------ */

/* The locked inertia of what turns, as a share of the kinetic metric: small where nothing moves. */
static bool is_near_axis(path *p)
{
    double smallest = INFINITY;
    for (size_t a = 0; a < p->e->k; a++)
        smallest = fmin(smallest, fabs(p->e->I[a * p->e->k + a]));
    return smallest < on_axis * p->inertia * (double)p->e->nx;
}

/* Did the step go across the axis? Then the generator has turned round, or the momentum has changed its sign where
 * the equilibrium at rest is on the axis. */
static bool crosses_axis(path *p)
{
    ph_equilibria *e = p->e;
    if (p->here.mu * p->next.mu < 0) {
        double mu[PH_EQUILIBRIA_SYMMETRIES];
        memcpy(mu, p->mu, sizeof mu);
        mu[p->plan->symmetry] = 0;
        if (ph_equilibria_find(e, p->here.z, mu, p->trial.is, NULL) || e->rank < e->k)
            return true;
    }
    for (size_t a = 0; a < e->k; a++) {
        if (ph_generator_at(e->system, e->symmetry[a], p->here.z, e->v, e->momenta) ||
            ph_generator_at(e->system, e->symmetry[a], p->next.z, e->point, e->momenta))
            return true;
        if (ph_dot(e->v, e->point, e->nz) < 0)
            return true;
    }
    return false;
}

/* p->next <- where the momentum is at the end of its interval, between here and ds away; *at <- how far, by the rule
 * of false position with halving (Illinois). */
static ph_status reach_bound(path *p, double bound, double ds, double *at)
{
    double low = 0, high = ds, below = p->here.mu - bound, above = p->next.mu - bound;
    bool quick;
    ph_status status = PH_OK;
    *at = ds;
    for (int i = 0; i < 2 * BISECTIONS && !status && fabs(p->next.mu - bound) > 1e-12 * p->momentum; i++) {
        *at = low - below * (high - low) / (above - below);
        status = take_step(p, &p->here, *at, &p->next, &quick);
        const double off = p->next.mu - bound;
        if ((off > 0) == (above > 0)) {
            high = *at;
            above = off;
            below *= 0.5;
        } else {
            low = *at;
            below = off;
            above *= 0.5;
        }
    }
    return status;
}

/* The last points: what is remarkable before the end of the interval, and its end. */
static ph_family_end finish(path *p, double bound, double ds)
{
    double mu[PH_EQUILIBRIA_SYMMETRIES], distance;
    if (reach_bound(p, bound, ds, &ds))
        return PH_FAMILY_LOST;
    if (!visit_marks(p, ds))
        return PH_FAMILY_STOPPED;
    memcpy(mu, p->mu, sizeof mu);
    mu[p->plan->symmetry] = bound;
    if (ph_equilibria_find(p->e, p->next.z, mu, p->trial.is, NULL))
        return PH_FAMILY_LOST;
    ph_equilibria_distance(p->e, p->next.z, p->trial.is->z, &distance);
    if (distance > 1e-3) /* another family */
        return PH_FAMILY_LOST;
    return p->visit(p->user, p->trial.is, PH_FAMILY_POINT) ? PH_FAMILY_REACHED : PH_FAMILY_STOPPED;
}

static ph_family_end follow(path *p)
{
    const double low = fmin(p->plan->from, p->plan->to), high = fmax(p->plan->from, p->plan->to);
    const size_t most = p->plan->most ? p->plan->most : POINTS;
    double ds = 0.2 * p->longest, travelled = 0, distance;
    bool quick = false;
    for (size_t n = 1; n < most; n++) {
        while (take_step(p, &p->here, ds, &p->next, &quick) || crosses_axis(p)) {
            ds *= 0.5;
            if (ds < smallest_step)
                return is_near_axis(p) || fabs(p->here.mu) < 1e-6 * p->momentum ? PH_FAMILY_AXIS
                                                                                : PH_FAMILY_LOST;
        }
        if (is_near_axis(p))
            return PH_FAMILY_AXIS;
        if (p->next.mu < low || p->next.mu > high)
            return finish(p, p->next.mu < low ? low : high, ds);
        if (!visit_marks(p, ds) || !p->visit(p->user, p->next.is, PH_FAMILY_POINT))
            return PH_FAMILY_STOPPED;
        exchange(&p->here, &p->next);
        travelled += ds;
        ph_equilibria_distance(p->e, p->start.z, p->here.z, &distance);
        if (travelled > 4 * p->longest && distance < 0.5 * ds &&
            fabs(p->here.mu - p->start.mu) < 0.5 * ds * p->momentum && p->here.s * p->start.s > 0)
            return PH_FAMILY_CLOSED;
        if (quick)
            ds = fmin(1.5 * ds, p->longest);
    }
    return PH_FAMILY_LONG;
}

/* p->here <- the start, with the tangent towards plan->to. */
static ph_status begin(path *p, const ph_equilibrium *start)
{
    ph_equilibria *e = p->e;
    const size_t which = p->plan->symmetry;
    memcpy(p->mu, start->momentum, sizeof p->mu);
    memcpy(p->here.z, start->z, e->nz * sizeof *start->z);
    memset(p->here.u, 0, e->nz * sizeof *start->z);
    p->here.mu = start->momentum[which];
    ph_status status = derive(p, &p->here);
    if (status)
        return status;
    double trace = 0; /* |E_i|^2 of a basis that is orthonormal in the kinetic energy: 1 / inertia */
    for (size_t i = 0; i < e->m; i++)
        trace += ph_dot(e->W + i * e->nz, e->W + i * e->nz, e->nz);
    p->inertia = trace > 0 ? (double)e->m / trace : 1;
    p->momentum = fmax(fmax(fabs(p->plan->from), fabs(p->plan->to)), fabs(p->here.mu));
    if (!(p->momentum > 0))
        p->momentum = 1;
    const double direction = p->plan->to >= p->here.mu ? 1 : -1;
    status = find_tangent(p, p->here.u, direction * p->momentum, &p->here);
    memcpy(p->start.z, p->here.z, e->nz * sizeof *start->z);
    p->start.mu = p->here.mu;
    p->start.s = p->here.s;
    ph_equilibrium_copy(e, start, p->here.is);
    return status;
}

/* Memory of the places, one block for each; false without. */
static bool make_places(path *p)
{
    place *const all[] = {&p->here, &p->next, &p->trial, &p->start};
    bool made = true;
    for (size_t i = 0; i < 4; i++) {
        all[i]->z = calloc(2 * p->e->nz, sizeof(double));
        all[i]->is = ph_equilibrium_create(p->e);
        all[i]->u = all[i]->z ? all[i]->z + p->e->nz : NULL;
        made &= all[i]->z && all[i]->is;
    }
    return made;
}

static void free_places(path *p)
{
    place *const all[] = {&p->here, &p->next, &p->trial, &p->start};
    for (size_t i = 0; i < 4; i++) {
        free(all[i]->z);
        free(all[i]->is);
    }
}

ph_status ph_equilibria_follow(ph_equilibria *e, const ph_equilibrium *start, const ph_family_plan *plan,
                               ph_family_fn visit, void *user, ph_family_end *end, ph_error *err)
{
    if (!e)
        return ph_not_created(err, "workspace", "ph_equilibria_create");
    if (plan->symmetry >= e->k)
        return ph_fail(err, PH_E_RANGE, "there is no symmetry at position %zu; the workspace has %zu",
                       plan->symmetry, e->k);
    if (!isfinite(plan->from) || !isfinite(plan->to) || !(plan->step >= 0) || !isfinite(plan->step))
        return ph_fail(err, PH_E_NOT_FINITE,
                       "the interval of the momentum and the step must be finite, and the step not negative");
    const double mu = start->momentum[plan->symmetry];
    if (!(mu >= fmin(plan->from, plan->to) && mu <= fmax(plan->from, plan->to)))
        return ph_fail(
            err, PH_E_RANGE,
            "the family starts at the momentum %.17g, which is outside its interval, %.17g to %.17g; "
            "the interval must contain it",
            mu, plan->from, plan->to);
    path p = {.e = e, .plan = plan, .visit = visit, .user = user};
    p.longest = plan->step > 0 ? plan->step : usual_step;
    ph_status status = make_places(&p) ? begin(&p, start) : PH_E_NO_MEMORY;
    if (!status)
        *end = visit(user, start, PH_FAMILY_POINT) ? follow(&p) : PH_FAMILY_STOPPED;
    free_places(&p);
    return status ? ph_local_explain(e, start->z, status, err) : PH_OK;
}

/* ---- Words ----------------------------------------------------------------------------------------------- */

const char *ph_family_mark_text(ph_family_mark mark)
{
    static const char *const text[PH_FAMILY_MARKS] = {"", "fold", "bifurcation", "stability changes"};
    return (unsigned)mark < PH_FAMILY_MARKS ? text[mark] : NULL;
}

const char *ph_family_end_text(ph_family_end end)
{
    static const char *const text[PH_FAMILY_ENDS] = {
        "the end of the interval", "ends where the symmetry moves nothing", "closed", "stopped",
        "too many points",         "no solution was found further on"};
    return (unsigned)end < PH_FAMILY_ENDS ? text[end] : NULL;
}
