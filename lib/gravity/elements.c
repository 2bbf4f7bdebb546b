/* SPDX-License-Identifier: BSD-3-Clause */
/* Osculating elements (polhode/domain/elements.h). With h = x cross v, p = |h|^2/mu, alpha = 2/|x| - |v|^2/mu = 1/a:
 *
 *     e cos f = p/|x| - 1,   e sin f = sqrt(p/mu) x.v/|x|,   q = p/(1 + e),   1 - e = q alpha,
 *     M = (1 - e) E + e (E - sin E),   M = (e - 1) H + e (sinh H - H).
 *
 * No angle is an arc of a cosine, and no difference of nearly equal numbers is taken but those that the state
 * itself does not determine better. */
#include "anomaly.h"

#include <polhode/domain/elements.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>

static const double pi = 3.14159265358979323846;

static double wrap(double angle)
{
    const double w = remainder(angle, 2 * pi);
    return w <= -pi ? pi : w;
}

/* x - sin x (sign 1) or sinh x - x (sign -1) */
static double less_linear(double x, double sign)
{
    const double s = sign * x * x;
    if (fabs(x) > 1)
        return sign > 0 ? x - ph_sin(x) : ph_sinh(x) - x;
    double sum = 1;
    for (double k = 18; k >= 4; k -= 2)
        sum = 1 - s / (k * (k + 1)) * sum;
    return x * x * x / 6 * sum;
}

/* ---- From a state ------------------------------------------------------------------------------------------ */

/* n (3) <- the unit normal of the orbit. Of motion on a straight line, that of the plane with the least inclination. */
static void find_normal(const double x[3], const double v[3], double n[3])
{
    static const double up[3] = {0, 0, 1}, ahead[3] = {1, 0, 0};
    ph_cross3(x, v, n);
    double size = ph_norm3(n);
    if (size == 0) {
        const bool upright = x[0] == 0 && x[1] == 0;
        const double *from = upright ? ahead : up;
        const double along = ph_dot3(from, x) / ph_dot3(x, x);
        for (int k = 0; k < 3; k++)
            n[k] = from[k] - along * x[k];
        size = ph_norm3(n);
    }
    for (int k = 0; k < 3; k++)
        n[k] /= size;
}

/* The angle from the node to x, about the normal; *i and *node: of the plane. */
static double find_plane(const double x[3], const double normal[3], double *i, double *node)
{
    const double flat = ph_hypot(normal[0], normal[1]);
    const double line[3] = {flat > 0 ? -normal[1] / flat : 1, flat > 0 ? normal[0] / flat : 0, 0};
    double across[3];
    ph_cross3(normal, line, across);
    *i = ph_atan2(flat, normal[2]);
    *node = flat > 0 ? wrap(ph_atan2(line[1], line[0])) : 0;
    return ph_atan2(ph_dot3(x, across), ph_dot3(x, line));
}

/* The mean anomaly; rate: x . v / sqrt(mu). */
static double find_mean(const ph_elements *el, double alpha, double r, double rate)
{
    const double less = el->q * alpha; /* 1 - e */
    if (alpha > 0) {
        const double half = 0.5 * el->true_anomaly;
        const double E = el->e > 0.5
                             ? ph_atan2(rate * sqrt(alpha), 1 - r * alpha)
                             : 2 * ph_atan2(sqrt(less) * ph_sin(half), sqrt(1 + el->e) * ph_cos(half));
        return less * E + el->e * less_linear(E, 1);
    }
    if (alpha < 0) {
        const double H = ph_asinh(rate * sqrt(-alpha) / el->e);
        return -less * H + el->e * less_linear(H, -1);
    }
    return alpha; /* 0, or not finite */
}

void ph_elements_from_state(double mu, const double x[3], const double v[3], ph_elements *el)
{
    double h[3], normal[3];
    ph_cross3(x, v, h);
    find_normal(x, v, normal);
    const double r = ph_norm3(x), p = ph_dot3(h, h) / mu, along = ph_dot3(x, v);
    const double ecos = p / r - 1, esin = sqrt(p / mu) * along / r;
    const double alpha = 2 / r - ph_dot3(v, v) / mu;
    el->e = ph_hypot(ecos, esin);
    el->a = 1 / alpha;
    el->q = p / (1 + el->e);
    const double latitude = find_plane(x, normal, &el->i, &el->node);
    el->true_anomaly = el->e == 0 ? latitude : wrap(ph_atan2(esin, ecos));
    el->periapsis = el->e == 0 ? 0 : wrap(latitude - el->true_anomaly);
    el->longitude = wrap(el->node + latitude);
    el->mean_anomaly = el->e == 0 ? latitude : find_mean(el, alpha, r, along / sqrt(mu));
}

void ph_orbit_frame(const double x[3], const double v[3], double O[9])
{
    double normal[3], radial[3], track[3];
    const double r = ph_norm3(x);
    find_normal(x, v, normal);
    for (int k = 0; k < 3; k++)
        radial[k] = x[k] / r;
    ph_cross3(normal, radial, track);
    for (int k = 0; k < 3; k++) {
        O[3 * k] = radial[k];
        O[3 * k + 1] = track[k];
        O[3 * k + 2] = normal[k];
    }
}

/* ---- From elements ----------------------------------------------------------------------------------------- */

ph_status ph_elements_state(double mu, const ph_elements *el, double x[3], double v[3], ph_error *err)
{
    const double given[6] = {el->q, el->e, el->i, el->node, el->periapsis, el->true_anomaly};
    if (!ph_all_finite(given, 6) || !isfinite(mu))
        return ph_fail(err, PH_E_NOT_FINITE, "an element of the orbit is not finite");
    if (!(mu > 0))
        return ph_fail(err, PH_E_RANGE, "mu = G (m_A + m_B) is %g m^3/s^2; it must be positive", mu);
    if (!(el->q > 0))
        return ph_fail(err, PH_E_RANGE,
                       "the distance of the periapsis, a (1 - e), is %g m; it must be positive", el->q);
    if (!(el->e >= 0))
        return ph_fail(err, PH_E_RANGE, "the eccentricity is %g; it must not be negative", el->e);
    const double c = ph_cos(el->true_anomaly), s = ph_sin(el->true_anomaly), open = 1 + el->e * c;
    if (!(open > 0))
        return ph_fail(
            err, PH_E_RANGE,
            "the true anomaly %g rad is beyond the asymptote; with e = %g it is between -%g and %g",
            el->true_anomaly, el->e, ph_acos(-1 / el->e), ph_acos(-1 / el->e));
    const double p = el->q * (1 + el->e), r = p / open, speed = sqrt(mu / p);
    const double u = el->periapsis + el->true_anomaly, cu = ph_cos(u), su = ph_sin(u);
    const double ci = ph_cos(el->i), si = ph_sin(el->i), cn = ph_cos(el->node), sn = ph_sin(el->node);
    const double line[3] = {cn, sn, 0}, across[3] = {-sn * ci, cn * ci, si};
    for (int k = 0; k < 3; k++) {
        const double radial = cu * line[k] + su * across[k], track = cu * across[k] - su * line[k];
        x[k] = r * radial;
        v[k] = speed * (el->e * s * radial + open * track);
    }
    return PH_OK;
}

/* The root of E - e sin E = M for e up to 1/2, where its rounding is at most doubled: by corrections of order 3 from an error of
 * e^3, the last of which leaves less than rounding. */
static double solve_round(double e, double M)
{
    double E = M + e * ph_sin(M) * (1 + e * ph_cos(M));
    for (int tried = 0; tried < 8; tried++) {
        const double s = e * ph_sin(E), slope = 1 - e * ph_cos(E), value = E - s - M;
        const double first = -value / slope, next = -value / (slope + 0.5 * first * s);
        E += next;
        if (fabs(next) < 1e-6 * E)
            break;
    }
    return E;
}

/* The root E > 0 of (1 - e) E + e (E - sin E) = M (sign 1), or that of the hyperbola (sign -1), M > 0. The function is
 * convex: Newton's iteration from above descends to the root, and ends where rounding does not let it. */
static double solve_kepler(double e, double M, double sign)
{
    if (e <= 0.5)
        return solve_round(e, M);
    const double less = sign * (1 - e);
    double E = sign > 0 ? fmin(fmin(pi, M + e), fmin(M / less, ph_cbrt(12 * M / e)))
                        : fmin(ph_asinh(M / less), ph_cbrt(6 * M / e));
    for (int tried = 0; tried < 200; tried++) {
        const double half = sign > 0 ? ph_sin(0.5 * E) : ph_sinh(0.5 * E);
        const double value = less * E + e * less_linear(E, sign) - M, slope = less + 2 * e * half * half;
        const double next = E - value / slope;
        if (!(next < E))
            break;
        E = next;
    }
    return E;
}

double ph_eccentric_anomaly(double e, double mean)
{
    const double M = e < 1 ? wrap(mean) : mean;
    return M == 0 ? 0 : copysign(solve_kepler(e, fabs(M), e < 1 ? 1 : -1), M);
}

ph_status ph_true_anomaly(double e, double mean, double *anomaly, ph_error *err)
{
    if (!isfinite(e) || !isfinite(mean))
        return ph_fail(err, PH_E_NOT_FINITE, "the eccentricity or the mean anomaly is not finite");
    if (!(e >= 0) || e == 1)
        return ph_fail(err, PH_E_RANGE,
                       "the eccentricity is %g; for a mean anomaly it must be in [0, 1) or above 1", e);
    const double E = ph_eccentric_anomaly(e, mean);
    *anomaly = e < 1 ? 2 * ph_atan2(sqrt(1 + e) * ph_sin(0.5 * E), sqrt(1 - e) * ph_cos(0.5 * E))
                     : 2 * ph_atan(sqrt((e + 1) / (e - 1)) * ph_tanh(0.5 * E));
    return PH_OK;
}

/* ---- Angles ------------------------------------------------------------------------------------------------- */

/* Yaw from the first row of Q; roll from what is left when yaw is taken back, so that both fit where pitch is near a right
 * angle. */
void ph_orbit_angles(const double Q[9], double angles[3])
{
    const double flat = ph_hypot(Q[0], Q[1]), yaw = flat > 0 ? ph_atan2(-Q[1], Q[0]) : 0;
    const double c = flat > 0 ? Q[0] / flat : 1, s = flat > 0 ? -Q[1] / flat : 0;
    angles[0] = ph_atan2(Q[6] * s + Q[7] * c, Q[3] * s + Q[4] * c);
    angles[1] = ph_atan2(Q[2], flat);
    angles[2] = yaw;
}
