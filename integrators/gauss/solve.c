/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of a step. Sweeps Y -> L = h b f(Y) -> Y begin from the polynomial through the stages of the step before, extended to this
 * one, and end where another one would change nothing: they converge for steps up to about 3.5 (order 4) to 11 (16) over the fastest
 * rate, which is longer than any step that is accurate there. Where they do not, the branch of solutions is followed from a step that is
 * short enough to this one, each by sweeps that are accelerated: the next L is the combination of the last ones whose differences L
 * (after) - L (before) combine to the least (Anderson), which is Newton's iteration by Krylov's subspaces without a matrix, for systems of
 * any size.
 *
 * Sources: Hairer, Lubich, Wanner, Geometric Numerical Integration, VIII.6; Walker, Ni, SIAM J. Numer. Anal. 49 (2011) 1715. */
#include "gauss.h"

#include <polhode/kit/algebra.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 100, MOST_ACCELERATED = 150, MOST_KEPT = 16, MOST_SHORTER = 30, MOST_POINTS = 400 };

size_t ph_gauss_kept(size_t numbers)
{
    return numbers < 100000 ? MOST_KEPT : numbers < 1000000 ? 8 : 3;
}

static inline double larger(double a, double b)
{
    return fabs(b) > a ? fabs(b) : a;
}

/* Of one number in a step, as large as its first and last stages say. */
static inline double way_of(const double *L, size_t lanes)
{
    return 8 * larger(fabs(L[0]), L[lanes / 2]);
}

/* The units in which differences of sweeps count: 1 where something turns; of lengths, and of momenta of either kind, the largest of them, or of their
 * changes in a step that the first and the last stage show. */
static void take_scales(gauss_scratch *w, const double *y, const double *L)
{
    double length = 0, linear = 0, angular = 0;
    const size_t lanes = w->tableau.lanes;
    for (size_t i = 0; i < w->n; i++) {
        const gauss_part *part = &w->parts[i];
        double *largest = part->turns ? &angular : &linear;
        for (size_t d = part->q; d < part->q + part->n; d++) {
            const size_t e = w->N + d;
            if (!part->turns)
                length = larger(larger(length, y[d]), way_of(L + lanes * d, lanes));
            if (!w->spins)
                *largest = larger(larger(*largest, y[e]), way_of(L + lanes * e, lanes));
        }
    }
    length = length > DBL_MIN ? 1 / length : 1;
    linear = linear > DBL_MIN ? 1 / linear : 1;
    angular = angular > DBL_MIN ? 1 / angular : 1;
    for (size_t i = 0; i < w->n; i++) {
        const gauss_part *part = &w->parts[i];
        for (size_t d = part->q; d < part->q + part->n; d++) {
            w->scale[d] = part->turns ? 1 : length;
            if (!w->spins)
                w->scale[w->N + d] = part->turns ? angular : linear;
        }
    }
}

/* What the latest sweeps have changed, the last one first: squares of differences of all numbers, and of q; and what of them is not rounding:
 * `smooth` of the last two sweeps, which goes on to contract by `rate` in two sweeps. Where the last one is larger than the contraction of those
 * before allows, it is rounding: `left` is what it would be by that contraction, `by` in a sweep, else 0. */
typedef struct changes {
    double all[5], q[2], smooth[2], rate, left, by;
} changes;

enum { FIRST_RATE = 4 }; /* sweeps before have no difference two sweeps earlier */
/* Squares: of differences that are not rounding yet; of the slowest contraction that is expected. */
static const double visible = 1e-26, slowest = 0.25;

/* Below what is visible, differences are those that the contraction of the visible ones leads to: rounding hides them. */
static void foresee(changes *c, int sweep, double unit)
{
    const double m = c->all[0], last = c->all[1], before = c->all[2],
                 then = fmax(fmax(last / before, before / c->all[3]), c->all[3] / c->all[4]);
    if (sweep == FIRST_RATE)
        c->rate = m / before;
    else if (sweep > FIRST_RATE && before >= visible * unit)
        c->rate = fmax(m / before, last / c->all[3]);
    if (!(c->rate < slowest))
        c->rate = slowest;
    const double smooth = m >= visible * unit ? m : fmin(m, c->rate * c->smooth[1]);
    c->smooth[1] = c->smooth[0];
    c->smooth[0] = smooth;
    c->left = m > 10 * c->left ? c->left * c->by : 0;
    if (c->left == 0 && sweep > FIRST_RATE + 1 && m > 10 * last * then) {
        c->left = last * then;
        c->by = then;
    }
}

/* By the worse of the last two ratios, would the next sweep change less than `least`, a square? */
static bool leaves_nothing(const changes *c, double least)
{
    return c->all[0] * fmax(c->all[0] / c->all[1], c->all[1] / c->all[2]) < least;
}

/* May the next sweep be the last one? unit: how many numbers there are; least: the square of
 * what sweeps may leave, in each of them. What they leave has a sign, and drifts, while rounding walks: it is to be far
 * below the rounding of a sum, by the contraction of the sweeps before rounding hid it, or of the last ones. One ratio is no
 * evidence, since q and p may change in turn: two sweeps count together. Where rounding is visible, as that of forces that cancel, sweeps end
 * if differences of q are small, and what is left by the contraction before is a hundredth of the difference, or if they stagnate; of that, too,
 * two sweeps are compared with the two before. */
static bool is_still(changes *c, int sweep, double unit, double least)
{
    const double m = c->all[0], last = c->all[1], before = c->all[2], now = fmax(m / last, last / before);
    foresee(c, sweep, unit);
    if (m < least * unit)
        return true;
    if (sweep < FIRST_RATE)
        return false;
    if (m < visible * unit)
        return m * now * now < least * unit ||
               c->rate * fmax(c->smooth[0], c->rate * c->smooth[1]) < least * unit;
    const bool stagnates = m >= last && fmax(m, last) >= 0.25 * fmax(before, c->all[3]);
    return (stagnates && fmax(c->q[0], c->q[1]) < 1e-27 * unit) ||
           (c->left > 0 && c->q[0] < 1e-28 * unit && m > 0.1 * last && c->left * c->by < 1e-4 * m);
}

typedef struct problem { /* a step from y + low at t */
    gauss_scratch *w;
    ph_context *context;
    double t;
    const double *y, *low;
} problem;

static ph_status blame(const problem *p, ph_status status)
{
    if (status == PH_E_NOT_FINITE)
        return ph_fail(p->context->error, status,
                       "%s is not finite at t = %.10g s, in the step from t = %.10g s", p->w->failing,
                       p->w->failed_at, p->t);
    return ph_fail(p->context->error, status, "%s failed at t = %.10g s, in the step from t = %.10g s: %s",
                   p->w->failing, p->w->failed_at, p->t, ph_status_text(status));
}

/* L, Y <- after one sweep; *m <- the square of the difference from L before, *moved <- of q. */
static ph_status sweep_once(const problem *p, double h, double *m, double *moved)
{
    gauss_scratch *w = p->w;
    ph_status status = ph_context_allow(p->context, p->t);
    if (status)
        return status;
    status = w->lift->field(w, p->t, h, w->Y, w->F);
    if (status)
        return blame(p, status);
    *m = w->fold(w, h, p->y, p->low, moved);
    p->context->statistics->newton_passes++;
    return PH_OK;
}

/* L <- after the last sweep, whose stages are not needed. */
static ph_status close(const problem *p, double h)
{
    gauss_scratch *w = p->w;
    const size_t lanes = w->tableau.lanes;
    const ph_status status = w->lift->field(w, p->t, h, w->Y, w->F);
    if (status)
        return blame(p, status);
    for (size_t d = 0; d < w->D; d++)
        for (size_t k = 0; k < lanes; k++)
            w->L[d * lanes + k] = w->F[d * lanes + k] * (w->tableau.weight[k] * h);
    p->context->statistics->newton_passes++;
    return PH_OK;
}

/* What the lift has to do before. */
static ph_status prepare(const problem *p)
{
    const ph_status status = p->w->lift->begin ? p->w->lift->begin(p->w, p->t, p->y) : PH_OK;
    return status ? blame(p, status) : PH_OK;
}

/* L, Y <- as if the field were that of the beginning all the time. */
static ph_status begin(const problem *p, double h)
{
    gauss_scratch *w = p->w;
    const size_t lanes = w->tableau.lanes;
    double m, moved;
    for (size_t d = 0; d < w->D; d++)
        for (size_t k = 0; k < lanes; k++)
            w->Y[d * lanes + k] = p->y[d];
    ph_status status = prepare(p);
    if (!status)
        status = sweep_once(p, h, &m, &moved);
    take_scales(w, p->y, w->L);
    return status;
}

/* Sweeps from Y; *solved <- did they converge? guess: L of the step before, from which Y follows, or NULL. */
static ph_status sweep(const problem *p, double h, const double *guess, bool *solved)
{
    const double unit = fmax(1, (double)p->w->D / 12);
    double least = INFINITY;
    changes c = {.all = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
                 .q = {INFINITY, INFINITY},
                 .smooth = {INFINITY, INFINITY},
                 .rate = slowest};
    *solved = false;
    for (int k = 1; k <= MOST_SWEEPS; k++) {
        memmove(c.all + 1, c.all, 4 * sizeof *c.all);
        c.q[1] = c.q[0];
        const ph_status status = sweep_once(p, h, &c.all[0], &c.q[0]);
        if (status)
            return status;
        if (guess && k == 1)
            c.all[0] = 1e200;
        else if (!(c.all[0] < 1e40 * unit) || (k > 4 && c.all[0] > 1e8 * least && c.q[0] > 1e-20 * unit))
            return PH_OK;
        least = fmin(least, c.all[0]);
        if (!guess && k == 2) /* the field at the beginning alone says little of what rests there */
            take_scales(p->w, p->y, p->w->L);
        if (is_still(&c, k, unit, p->w->least)) {
            *solved = true;
            return leaves_nothing(&c, p->w->least * unit) ? PH_OK : close(p, h);
        }
        /* the guess was so good that rounding hides all changes but that of the first sweep */
        if (guess && k == FIRST_RATE && c.all[2] < visible * unit)
            c.rate = fmin(c.rate, c.all[1] / p->w->miss(p->w, guess));
    }
    return PH_OK;
}

/* ---- Accelerated sweeps ------------------------------------------------------------------------------------- */

static double product_of(const gauss_scratch *w, const double *a, const double *b)
{
    const size_t lanes = w->tableau.lanes;
    double sum = 0;
    for (size_t d = 0; d < w->D; d++) {
        const double unit = w->scale[d];
        for (size_t k = 0; k < lanes; k++)
            sum += (unit * a[d * lanes + k]) * (unit * b[d * lanes + k]);
    }
    return sum;
}

static void add_multiple(size_t n, double f, const double *a, double *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] += f * a[i];
}

/* change[0], [1] of place k become orthonormal to the others by Gram and Schmidt, both likewise; false: they depend on them. */
static bool orthonormalise(gauss_scratch *w, size_t count, size_t k, size_t n)
{
    double *r = w->change[0] + k * n, *l = w->change[1] + k * n;
    const double whole = sqrt(product_of(w, r, r));
    for (size_t j = 0; j < count; j++) {
        if (j == k)
            continue;
        const double along = product_of(w, w->change[0] + j * n, r);
        add_multiple(n, -along, w->change[0] + j * n, r);
        add_multiple(n, -along, w->change[1] + j * n, l);
    }
    const double rest = sqrt(product_of(w, r, r));
    if (!(rest > 1e-10 * whole))
        return false;
    for (size_t i = 0; i < n; i++) {
        r[i] /= rest;
        l[i] /= rest;
    }
    return true;
}

/* Accelerated sweeps from L and Y, which belong together. */
static ph_status accelerate(const problem *p, double h, bool *solved)
{
    gauss_scratch *w = p->w;
    const size_t n = w->D * w->tableau.lanes;
    const double unit = fmax(1, (double)w->D / 12);
    double *before = w->at[0], *residual = w->at[1], *best = w->at[4], least = INFINITY, m = 0, moved = 0;
    size_t count = 0, next = 0;
    int late = 0;
    *solved = false;
    for (int k = 0; k < MOST_ACCELERATED; k++) {
        double *L = w->at[2]; /* what this sweep begins with */
        memcpy(L, w->L, n * sizeof *L);
        const ph_status status = sweep_once(p, h, &m, &moved);
        if (status)
            return status;
        if (!(m < 1e40 * unit))
            return PH_OK;
        late = m < least ? 0 : late + 1;
        if (m < least)
            memcpy(best, L, n * sizeof *L);
        /* further differences are rounding, which these sweeps make larger */
        if (m < 1e-32 * unit || (late > 3 && least < 1e-26 * unit) || (late > 12 && least < 1e-20 * unit)) {
            if (late)
                memcpy(w->L, best, n * sizeof *L);
            *solved = true;
            return PH_OK;
        }
        least = fmin(least, m);
        if (k > 0) {
            double *change_r = w->change[0] + next * n, *change_L = w->change[1] + next * n;
            for (size_t i = 0; i < n; i++) {
                const double r = w->L[i] - L[i];
                change_r[i] = r - residual[i];
                change_L[i] = w->L[i] - before[i];
            }
            const size_t places = count < w->kept ? count + 1 : count;
            if (orthonormalise(w, places, next, n)) {
                count = places;
                next = (next + 1) % w->kept;
            } else
                count = next = 0;
        }
        for (size_t i = 0; i < n; i++) {
            residual[i] = w->L[i] - L[i];
            before[i] = w->L[i];
        }
        double along[MOST_KEPT];
        for (size_t j = 0; j < count; j++)
            along[j] = product_of(w, w->change[0] + j * n, residual);
        for (size_t j = 0; j < count; j++)
            add_multiple(n, -along[j], w->change[1] + j * n, w->L);
        w->combine(w, p->y, p->low);
    }
    return PH_OK;
}

/* From the guess, by accelerated sweeps: trusted where they lead to stages that are near. */
static ph_status trust(const problem *p, const double *guess, bool *solved)
{
    gauss_scratch *w = p->w;
    const size_t n = w->D * w->tableau.lanes;
    double m, moved;
    *solved = false;
    w->exact = true;
    w->extrapolate(w, guess, p->y, p->low);
    ph_status status = prepare(p);
    if (!status)
        status = sweep_once(p, p->context->h, &m, &moved);
    if (status)
        return status;
    memcpy(w->at[3], w->L, n * sizeof *w->L);
    status = accelerate(p, p->context->h, solved);
    if (status || !*solved)
        return status;
    for (size_t i = 0; i < n; i++)
        w->at[3][i] -= w->L[i];
    *solved = product_of(w, w->at[3], w->at[3]) < 0.01;
    return PH_OK;
}

/* The branch from a short step to this one: *solved. */
static ph_status follow(const problem *p, bool *solved)
{
    gauss_scratch *w = p->w;
    const size_t n = w->D * w->tableau.lanes;
    const double h = p->context->h;
    double part = 1, stride = 2;
    p->context->statistics->branches++;
    w->exact = true;
    *solved = false;
    for (int k = 0; k < MOST_SHORTER && !*solved; k++) {
        part /= 2;
        ph_status status = begin(p, part * h);
        if (!status)
            status = sweep(p, part * h, NULL, solved);
        if (status)
            return status;
    }
    for (int k = 0; k < MOST_POINTS && *solved && part < 1; k++) {
        const double longer = fmin(1, part * stride);
        memcpy(w->at[3], w->L, n * sizeof *w->L);
        for (size_t i = 0; i < n; i++)
            w->L[i] *= longer / part;
        w->combine(w, p->y, p->low);
        bool arrived;
        const ph_status status = accelerate(p, longer * h, &arrived);
        if (status)
            return status;
        if (arrived) {
            part = longer;
            continue;
        }
        memcpy(w->L, w->at[3], n * sizeof *w->L);
        stride = sqrt(stride);
        *solved = stride > 1.001;
    }
    *solved = *solved && part == 1;
    return PH_OK;
}

ph_status ph_gauss_solve(gauss_scratch *w, ph_context *context, double t, const double *y, const double *low,
                         const double *guess)
{
    const problem p = {w, context, t, y, low};
    bool solved = false;
    w->exact = false;
    ph_status status = PH_OK;
    if (guess) {
        status = prepare(&p);
        w->extrapolate(w, guess, y, low);
        take_scales(w, y, guess);
    } else
        status = begin(&p, context->h);
    if (!status)
        status = sweep(&p, context->h, guess, &solved);
    if (!status && !solved && guess)
        status = trust(&p, guess, &solved);
    if (!status && !solved)
        status = follow(&p, &solved);
    if (status || solved)
        return status;
    return ph_fail(
        context->error, PH_E_NO_SOLUTION,
        "the stages of gauss were not found, nor followed from h = 0, in the step by %.6g s from t = %.10g s: take a "
        "shorter step",
        context->h, t);
}
