/* SPDX-License-Identifier: BSD-3-Clause */
/* Kepler motion by universal variables (kepler.h). With eta = r . v, beta = 2 mu/r - v^2, zeta = v^2 r - mu at the
 * start, and Stumpff's functions G_n(s) = s^n c_n(beta s^2), the time is
 *     tau = r s + eta G_2 + zeta G_3,
 * in which s grows with tau (d tau/ds is the distance), and the motion is linear in place and velocity:
 *     r1 - r = -(mu G_2/r) r + (r G_1 + eta G_2) v,
 *     v1 - v = -(mu G_1/(r |r1|)) r - (mu G_2/|r1|) v,       |r1| = r + eta G_1 + zeta G_2.
 * All of these are those of the same s, so that an error of s moves the body along its orbit and changes no
 * other element; and they are increments, added to sums with low-order parts, so that only their rounding counts.
 *
 * Whole revolutions are taken off before. s is found by Laguerre's iteration, of third order, between bounds.
 *
 * Sources: Stumpff, Himmelsmechanik I (1959), V; Conway, Celest. Mech. 39 (1986) 199; Wisdom, Hernandez, Mon. Not. R.
 * Astron. Soc. 453 (2015) 3015; Rein, Tamayo, ibid. 452 (2015) 376. */
#include "kepler.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>

#include <float.h>
#include <math.h>

/* Of one equation, and of all halves of a drift: a passage takes some tens, numbers near the end of their range any number. */
enum { MOST_ITERATIONS = 200, MOST_IN_ALL = 4000 };

/* G_0 ... G_3 at s. */
typedef struct stumpff {
    double G0, G1, G2, G3;
} stumpff;

/* c_2 and c_3 by their series, of an argument that is quartered until it is at most 1/2, where what is left out is
 * below 1e-18; then the formulas of the double angle, which are sums of what does not cancel while it is acute. */
static inline stumpff stumpff_at(double beta, double s)
{
    double z = beta * s * s, c0, c1, c2, c3;
    int doublings = 0;
    if (!(fabs(z) <= 0x1p100)) /* beyond the range of numbers */
        return (stumpff){INFINITY, INFINITY, INFINITY, INFINITY};
    for (; fabs(z) > 0.5; doublings++)
        z *= 0.25;
    /* the first terms by divisions: a rounded 1/6 would be wrong to the same side in every step */
    const double t3 = 1. / 42 -
                      z * (1. / 3024 - z * (1. / 332640 - z * (1. / 51891840 -
                                                               z * (1. / 10897286400 - z / 2964061900800)))),
                 t2 = 1. / 30 -
                      z * (1. / 1680 - z * (1. / 151200 -
                                            z * (1. / 19958400 - z * (1. / 3632428800 - z / 871782912000))));
    c3 = (1 - z / 20 * (1 - z * t3)) / 6;
    c2 = 0.5 * (1 - z / 12 * (1 - z * t2));
    c1 = 1 - z * c3;
    c0 = 1 - z * c2;
    for (; doublings > 0; doublings--) {
        c3 = 0.25 * (c2 + c0 * c3);
        c2 = 0.5 * c1 * c1;
        c1 = c0 * c1;
        c0 = 2 * c0 * c0 - 1;
    }
    const double s2 = s * s;
    return (stumpff){c0, s * c1, s2 * c2, s * (s2 * c3)};
}

/* The orbit at the start, and the time, which is not negative: with -tau and -eta, s is -s. */
typedef struct start {
    double r, eta, beta, zeta, tau;
} start;

/* The first terms of the inverse series; where they do not hold, the place at mean motion, or what the fastest terms of
 * the equation alone would give: exponentials, or the cube of a parabola. */
static inline double guess(const start *o, double mu)
{
    const double x = o->tau / o->r, a = o->eta / (2 * o->r), b = o->zeta / (6 * o->r);
    if (fabs(a) * x < 0.2 && fabs(b) * x * x < 0.2)
        return x * (1 - x * (a - x * (2 * a * a - b)));
    if (o->beta > 0)
        return o->beta * o->tau / mu;
    const double q = sqrt(-o->beta), cube = ph_cbrt(6 * o->tau / mu),
                 exponent = ph_log(2 * o->tau * q / (o->r + (o->eta + mu / q) / q)) / q;
    return exponent > 0 && exponent < cube ? exponent : cube;
}

/* *turn <- beta s^2, *G <- the functions at the solution s of Kepler's equation. After a correction d of third order the error is at most about
 * |d| (|F'' d/F'|^2 + |F''' d^2/F'|): where that is below rounding nothing is left to correct. */
static inline bool solve(const start *o, double mu, stumpff *G, double *turn, int64_t *iterations)
{
    double s = guess(o, mu), low = 0, high = INFINITY;
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        const stumpff g = stumpff_at(o->beta, s);
        const double F = (o->r * s - o->tau) + o->eta * g.G2 + o->zeta * g.G3,
                     F1 = o->r + o->eta * g.G1 + o->zeta * g.G2, F2 = o->eta * g.G0 + o->zeta * g.G1,
                     F3 = o->zeta * g.G0 - o->beta * o->eta * g.G1;
        ++*iterations;
        if (F < 0)
            low = s;
        else
            high = s;
        const double d = -5 * F / (F1 + sqrt(fabs(16 * F1 * F1 - 20 * F * F2))), next = s + d;
        const double left = fabs(d * d * d) * (F2 * F2 + fabs(F1 * F3));
        if (next > low && next < high) {
            s = next;
            if (left <= 0.125 * DBL_EPSILON * s * (F1 * F1) || fabs(d) <= DBL_EPSILON * s)
                break;
        } else if (fabs(d) <= 4 * DBL_EPSILON * s) {
            break;
        } else {
            s = isfinite(high) ? 0.5 * (low + high) : 2 * s;
        }
        if (!(high - low > 2 * DBL_EPSILON * s))
            break;
    }
    *G = stumpff_at(o->beta, s);
    *turn = o->beta * s * s;
    return isfinite(s);
}

static inline void add_low(double *a, double *low, double more)
{
    const double rest = *low + more, sum = *a + rest, added = sum - *a;
    *low = (*a - (sum - added)) + (rest - added);
    *a = sum;
}

/* ph_kepler_drift, until so many iterations have been counted. */
static bool drift(double mu, double tau, ph_kepler_orbit *o, int64_t *iterations, int64_t most)
{
    const double sign = tau < 0 ? -1 : 1, v2 = ph_dot3(o->v, o->v), r = ph_norm3(o->r);
    start at = {.r = r,
                .eta = sign * ph_dot3(o->r, o->v),
                .beta = 2 * mu / r - v2,
                .zeta = v2 * r - mu,
                .tau = fabs(tau)};
    stumpff G;
    double turn;
    if (tau == 0)
        return true;
    if (at.beta > 0) {
        const double rate = at.beta / mu * sqrt(at.beta), turns = rint(at.tau * rate / 6.283185307179586);
        if (turns > 0) /* to less than half a revolution either way */
            at.tau -= turns * (6.283185307179586 / rate);
        if (at.tau < 0)
            return drift(mu, sign * at.tau, o, iterations, most);
    }
    if (*iterations >= most || !solve(&at, mu, &G, &turn, iterations))
        return false;
    if (turn < 0 &&
        -at.eta * G.G2 > 4 * at.tau) { /* towards a fast passage large terms would cancel: by halves */
        ph_kepler_orbit half = *o;
        if (!drift(mu, 0.5 * tau, &half, iterations, most) || !drift(mu, 0.5 * tau, &half, iterations, most))
            return false;
        *o = half;
        return true;
    }
    const double r1 = r + at.eta * G.G1 + at.zeta * G.G2;
    const double f = -mu * G.G2 / r, g = sign * (r * G.G1 + at.eta * G.G2), df = -sign * mu * G.G1 / (r * r1),
                 dg = -mu * G.G2 / r1;
    ph_kepler_orbit next = *o;
    for (int k = 0; k < 3; k++) {
        add_low(&next.r[k], &next.r_low[k],
                (f * o->r[k] + g * o->v[k]) + (f * o->r_low[k] + g * o->v_low[k]));
        add_low(&next.v[k], &next.v_low[k],
                (df * o->r[k] + dg * o->v[k]) + (df * o->r_low[k] + dg * o->v_low[k]));
    }
    if (!ph_all_finite(next.r, 3) || !ph_all_finite(next.v, 3))
        return false;
    *o = next;
    return true;
}

bool ph_kepler_drift(double mu, double tau, ph_kepler_orbit *o, int64_t *iterations)
{
    return drift(mu, tau, o, iterations, *iterations + MOST_IN_ALL);
}
