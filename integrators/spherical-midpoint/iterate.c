/* SPDX-License-Identifier: BSD-3-Clause */
/* The fixed-point iteration of a midpoint step on spheres, y <- h Y(m(y)) (midpoint.h):
 *     sphere    m = (s + y/2) / sqrt(1 - |y|^2/4), the normalised midpoint of s and s + y;
 *     ambient   m = (s + 2/(1 + c.c) c x (s + c x s)) / (1 + c.c), c = y/4: the rotation by 2 atan|c| about
 * c.
 *
 * It contracts by h rho(DX)/2. It is continued until what is left of the guess is far below rounding: that
 * residue has the same sign in every step, and a drift would remain. */
#include <polhode/kit/algebra.h>

#include "midpoint.h"

#include <float.h>
#include <string.h>

enum { MOST_PATIENT = 1000 };

/* Contraction beyond which Newton's iteration is faster, if two passes in turn have it; that of relaxation is its square, and where
 * that grows once, its root may be another one than on the branch. */
static const double slow = 0.7;
/* Where it has not been measured. */
static const double assumed = 0.3; /* of relaxation the square */
/* Changes below this [rad] may be rounding, by which no contraction can be measured. */
static const double noise = 64 * DBL_EPSILON;
/* What may be left of the guess, in units of the increments. It has one sign: with 2^-12 J of a ring of 16
 * drifts by 7e-14 in 10^6 steps, which is more than random rounding, with 2^-22 not visibly. */
static const double residue = DBL_EPSILON / (1 << 22);

/* Numbers that are treated together: none waits for the one before it. */
enum { LANES = 4 };

static double largest_of(const double *lanes)
{
    double largest = 0;
    for (size_t j = 0; j < LANES; j++)
        largest = lanes[j] > largest ? lanes[j] : largest;
    return largest;
}

/* unit (n) <- (1 - |d|^2/4)^(-1/2). Returns the largest |d|^2/4. */
PH_WITH_FMA
static double lengthen(size_t n, const double *restrict d, double *restrict unit)
{
    double longest[LANES] = {0};
    size_t i = 0;
    for (size_t k = 0; k < n; k++)
        unit[k] = 0.25 * (d[3 * k] * d[3 * k] + d[3 * k + 1] * d[3 * k + 1] + d[3 * k + 2] * d[3 * k + 2]);
    for (; i + LANES <= n; i += LANES)
        for (size_t j = 0; j < LANES; j++)
            longest[j] = unit[i + j] > longest[j] ? unit[i + j] : longest[j];
    for (; i < n; i++)
        longest[0] = unit[i] > longest[0] ? unit[i] : longest[0];
    for (size_t k = 0; k < n; k++)
        unit[k] = 1 / sqrt(1 - unit[k]);
    return largest_of(longest);
}

PH_WITH_FMA
static void place(size_t n, const double *restrict unit, const double *restrict s, const double *restrict low,
                  const double *restrict d, double *restrict m)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            m[k] = unit[i] * (s[k] + (0.5 * d[k] + low[k]));
}

static bool halfway_on_sphere(ph_midpoint *w, const double *y)
{
    const double longest = lengthen(w->n, y, w->unit);
    place(w->n, w->unit, w->s, w->low, y, w->middle);
    return longest < 1;
}

static void halfway_in_ball(ph_midpoint *w, const double *y)
{
    for (size_t i = 0; i < w->n; i++) {
        const double *s = w->s + 3 * i, c[3] = {y[3 * i] / 4, y[3 * i + 1] / 4, y[3 * i + 2] / 4};
        const double shrink = 1 / (1 + ph_dot3(c, c));
        double turn[3], more[3], *m = w->middle + 3 * i;
        ph_cross3(c, s, turn);
        for (size_t k = 0; k < 3; k++)
            turn[k] += s[k];
        ph_cross3(c, turn, more);
        for (size_t k = 0; k < 3; k++)
            m[k] = shrink * (s[k] + (2 * shrink * more[k] + w->low[3 * i + k]));
    }
}

bool ph_midpoint_halfway(ph_midpoint *w, const double *y)
{
    if (!w->ambient)
        return halfway_on_sphere(w, y);
    halfway_in_ball(w, y);
    return true;
}

/* ---- The right-hand side --------------------------------------------------------------------------- */

ph_status ph_midpoint_field(const ph_midpoint *w, double t, const double *middle, double *rate)
{
    const double *lambda = w->is->damping;
    const ph_status status = ph_spins_torque(w->system, t, middle, rate);
    for (size_t i = 0; i < w->n && !lambda && w->is->strengths; i++)
        for (size_t k = 0; k < 3; k++)
            rate[3 * i + k] *= w->inverse[i];
    for (size_t i = 0; i < w->n && lambda; i++) {
        double *T = rate + 3 * i, fall[3];
        ph_cross3(T, middle + 3 * i, fall);
        for (size_t k = 0; k < 3; k++)
            T[k] = T[k] * w->inverse[i] + lambda[i] * fall[k];
    }
    return status;
}

ph_status ph_midpoint_rate(const ph_midpoint *w, double t, const double *middle, double *rate)
{
    const double *lambda = w->is->damping;
    if (!w->ambient)
        return ph_midpoint_field(w, t, middle, rate);
    const ph_status status = ph_spins_gradient(w->system, t, middle, rate);
    for (size_t i = 0; i < w->n; i++) {
        double *g = rate + 3 * i, fall[3];
        ph_cross3(middle + 3 * i, g, fall);
        for (size_t k = 0; k < 3; k++)
            g[k] = g[k] * w->inverse[i] - (lambda ? lambda[i] * fall[k] : 0);
    }
    return status;
}

/* ---- The iteration --------------------------------------------------------------------------------- */

bool ph_midpoint_has_settled(ph_midpoint_progress *p, double change, double size)
{
    const double ratio = change / p->before; /* 0 in the first pass */
    if (change > noise) {
        p->contraction = p->relaxes ? sqrt(ratio * p->ratio) : fmax(ratio, p->contraction);
        p->slow = !(ratio > (p->relaxes ? slow * slow : slow)) ? 0
                  : p->relaxes && ratio > 1                    ? 2
                                                               : p->slow + 1;
    }
    const double by = p->contraction > 0 ? fmin(p->contraction, 0.99)
                      : p->relaxes       ? assumed * assumed
                                         : assumed;
    p->left = by * fmin(p->left, change / (1 - by));
    p->before = change;
    p->ratio = ratio;
    /* the y that is used is found once more, of all spins at once, which contracts by the root */
    return p->left * (p->relaxes ? sqrt(by) : 1) <= residue * fmax(size, by);
}

/* y (m) <- h rate. Returns how far that is at most; what is not finite does not count. */
PH_WITH_FMA
static double take(size_t m, double h, const double *restrict rate, double *restrict y)
{
    double far[LANES] = {0};
    size_t k = 0;
    for (; k + LANES <= m; k += LANES)
        for (size_t j = 0; j < LANES; j++) {
            const double next = h * rate[k + j], moved = fabs(next - y[k + j]);
            y[k + j] = next;
            far[j] = moved > far[j] ? moved : far[j];
        }
    for (; k < m; k++) {
        const double next = h * rate[k], moved = fabs(next - y[k]);
        y[k] = next;
        far[0] = moved > far[0] ? moved : far[0];
    }
    return largest_of(far);
}

/* The same spin after spin. The increments are those of all at the same half-way points. */
static ph_midpoint_outcome relax(ph_midpoint *w, ph_context *context, int most, ph_status *status)
{
    const double t = w->t + 0.5 * w->h;
    ph_midpoint_progress p = {.before = INFINITY, .left = INFINITY, .relaxes = true};
    double size = 0, change = INFINITY, now;
    bool settled = false, possible;
    *status = ph_midpoint_relax_begin(w, t, &possible);
    if (!possible)
        return PH_MIDPOINT_SLOW;
    for (int pass = 0; pass < most && !settled && !*status; pass++) {
        *status = ph_context_allow(context, w->t);
        if (*status)
            return PH_MIDPOINT_FAILED;
        if (!ph_midpoint_relax(w, &change, &now) || (most == PH_MIDPOINT_PASSES && p.slow >= 2))
            return PH_MIDPOINT_SLOW;
        context->statistics->newton_passes++;
        size = pass ? size : now;
        settled = ph_midpoint_has_settled(&p, change, size);
    }
    ph_midpoint_relax_end(w);
    if (!*status)
        *status = ph_midpoint_rate(w, t, w->middle, w->rate);
    if (*status) {
        ph_context_judge(context, "the gradient of the energy", t, *status, w->rate, 0);
        return PH_MIDPOINT_FAILED;
    }
    take(3 * w->n, w->h, w->rate, w->y);
    context->statistics->newton_passes++;
    return settled && ph_all_finite(w->y, 3 * w->n) ? PH_MIDPOINT_SOLVED : PH_MIDPOINT_SLOW;
}

ph_midpoint_outcome ph_midpoint_iterate(ph_midpoint *w, ph_context *context, bool patient, ph_status *status)
{
    const double t = w->t + 0.5 * w->h, h = w->h;
    ph_midpoint_progress p = {.before = INFINITY, .left = INFINITY};
    double size = 0;
    if (w->relaxation.is_used) {
        const ph_midpoint_outcome outcome =
            relax(w, context, patient ? MOST_PATIENT : PH_MIDPOINT_PASSES, status);
        if (outcome != PH_MIDPOINT_SLOW || !patient)
            return outcome;
    }
    for (int pass = 0; pass < (patient ? MOST_PATIENT : PH_MIDPOINT_PASSES); pass++) {
        *status = ph_context_allow(context, w->t);
        if (*status)
            return PH_MIDPOINT_FAILED;
        if (!ph_midpoint_halfway(w, w->y))
            return PH_MIDPOINT_SLOW;
        *status = ph_midpoint_rate(w, t, w->middle, w->rate);
        if (*status) {
            ph_context_judge(context, "the gradient of the energy", t, *status, w->rate, 0);
            return PH_MIDPOINT_FAILED;
        }
        context->statistics->newton_passes++;
        const double change = take(3 * w->n, h, w->rate, w->y);
        if (pass == 0)
            size = ph_max_norm(w->y, 3 * w->n);
        if (ph_midpoint_has_settled(&p, change, size))
            return ph_all_finite(w->y, 3 * w->n) ? PH_MIDPOINT_SOLVED : PH_MIDPOINT_SLOW;
        if (!patient && p.slow >= 2)
            return PH_MIDPOINT_SLOW;
    }
    return PH_MIDPOINT_SLOW;
}
