/* SPDX-License-Identifier: BSD-3-Clause */
/* Tides of a constant lag angle (polhode/domain/gravitation.h): a torque against the spin relative to the orbit, across the line of
 * centres, and its reaction on the orbit; and the flow of momenta that they make at a fixed configuration,
 *     p' = force(z, p),   Pi' = torque(z, p),
 * by one step of the classical Runge-Kutta method. */
#include "gravitation.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

bool ph_gravitation_has_tides(const ph_gravitation *g)
{
    return g->tides != NULL;
}

const ph_tide *ph_gravitation_tide(const ph_gravitation *g, size_t body)
{
    return g->tides && body < g->n && g->tides[body].is.love != 0 ? &g->tides[body].is : NULL;
}

/* torque (3, in space) <- of the tide that `by` raises on the body i, seen from which it is at x with the velocity v; returns
 * its power in the frame that turns with the orbit. */
static double raise_tide(const ph_gravitation *g, size_t i, size_t by, const double x[3], const double v[3],
                         const double *z, const double *p, double torque[3])
{
    memset(torque, 0, 3 * sizeof *torque);
    if (!ph_gravitation_tide(g, i))
        return 0;
    const ph_tidal *tidal = &g->tides[i];
    const double *R = ph_gravitating_attitude(g, i, z), *Pi = p + 3 * (g->places + g->body[i].attitude);
    const double m = g->body[by].mass.moment[0], less = 1 / ph_dot3(x, x);
    double own[3], w[3], turn[3], gamma[3];
    ph_apply3(tidal->inverse, Pi, own);
    ph_apply3(R, own, w);
    ph_cross3(x, v, turn);
    const double along = less * ph_dot3(w, x);
    for (size_t k = 0; k < 3; k++)
        gamma[k] = w[k] - less * turn[k] - along * x[k];
    const double rest =
        less * ph_dot3(gamma, x); /* what rounding left along x: the orbit could not take it */
    for (size_t k = 0; k < 3; k++)
        gamma[k] -= rest * x[k];
    const double K = tidal->strength * (m * m) * (less * less * less),
                 scale = K > 0 ? K / fmax(ph_norm3(gamma), tidal->calm * K) : 0;
    for (size_t k = 0; k < 3; k++)
        torque[k] = -scale * gamma[k];
    return ph_dot3(torque, gamma);
}

/* What the bodies a and b do to each other. */
static void add_pair(const ph_gravitation *g, size_t a, size_t b, const double *z, const double *p,
                     double *force, double *torque, double *power)
{
    double x[3], v[3], back[3], back_v[3], Ta[3], Tb[3], both[3], f[3], turned[3];
    for (size_t k = 0; k < 3; k++) {
        x[k] = g->relative ? z[k] : z[3 * b + k] - z[3 * a + k];
        v[k] =
            g->relative ? p[k] / g->inertia[0] : p[3 * b + k] / g->inertia[b] - p[3 * a + k] / g->inertia[a];
        back[k] = -x[k];
        back_v[k] = -v[k];
    }
    *power += raise_tide(g, a, b, x, v, z, p, Ta);
    *power += raise_tide(g, b, a, back, back_v, z, p, Tb);
    for (size_t k = 0; k < 3; k++)
        both[k] = Ta[k] + Tb[k];
    ph_cross3(x, both, f);
    const double square = ph_dot3(x, x);
    for (size_t k = 0; k < 3; k++) {
        force[g->relative ? k : 3 * b + k] += f[k] / square;
        if (!g->relative)
            force[3 * a + k] -= f[k] / square;
    }
    for (int side = 0; side < 2; side++) {
        const size_t i = side ? b : a, at = g->body[i].attitude;
        ph_apply_transposed3(ph_gravitating_attitude(g, i, z), side ? Tb : Ta, turned);
        for (size_t k = 0; k < 3 && at != PH_NO_INDEX; k++)
            torque[3 * at + k] += turned[k];
    }
}

void ph_gravitation_tides(const ph_gravitation *g, const double *z, const double *p, double *force,
                          double *torque, double *power)
{
    double work = 0;
    memset(force, 0, 3 * g->places * sizeof *force);
    memset(torque, 0, 3 * g->attitudes * sizeof *torque);
    for (size_t a = 0; a < g->n && g->tides; a++)
        for (size_t b = a + 1; b < g->n; b++)
            if (ph_gravitation_tide(g, a) || ph_gravitation_tide(g, b))
                add_pair(g, a, b, z, p, force, torque, &work);
    if (power)
        *power = work;
}

/* ---- The flow at a fixed configuration ----------------------------------------------------------------------------------- */

size_t ph_gravitation_dissipate_work(const ph_gravitation *g)
{
    return g->tides ? 6 * (g->places + g->attitudes) : 0;
}

void ph_gravitation_dissipate(const ph_gravitation *g, double tau, const double *z, const double *p,
                              double *change, double *work)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    const size_t places = 3 * g->places, n = places + 3 * g->attitudes;
    memset(change, 0, n * sizeof *change);
    if (!g->tides) /* there is no work then */
        return;
    double *stage = work, *slope = stage + n;
    memset(slope, 0, n * sizeof *slope);
    for (int s = 0; s < 4; s++) {
        for (size_t k = 0; k < n; k++)
            stage[k] = p[k] + at[s] * tau * slope[k];
        ph_gravitation_tides(g, z, stage, slope, slope + places, NULL);
        for (size_t k = 0; k < n; k++)
            change[k] += weight[s] * slope[k];
    }
    for (size_t k = 0; k < n; k++)
        change[k] *= tau;
}

/* ---- Definition -------------------------------------------------------------------------------------------------------- */

void ph_tide_fill(const ph_tide *tide, const double J[9], double G, ph_tidal *tidal)
{
    *tidal = (ph_tidal){.is = *tide};
    if (tide->love == 0)
        return;
    const double R2 = tide->radius * tide->radius, determinant = ph_determinant3(J);
    tidal->strength = 1.5 * tide->love * G * R2 * R2 * tide->radius * ph_sin(2 * tide->lag);
    tidal->calm = 1 / (J[8] * sqrt(pi * G * tide->density / 6));
    for (size_t k = 0; k < 3; k++) { /* cross products of the columns of J, which is symmetric */
        double across[3];
        ph_cross3(J + 3 * ((k + 1) % 3), J + 3 * ((k + 2) % 3), across);
        for (size_t c = 0; c < 3; c++)
            tidal->inverse[3 * k + c] = across[c] / determinant;
    }
}

ph_status ph_tide_check(const ph_tide *tide, size_t body, bool turns, ph_error *err)
{
    const double numbers[4] = {tide->love, tide->radius, tide->lag, tide->density};
    if (!ph_all_finite(numbers, 4))
        return ph_fail(err, PH_E_NOT_FINITE, "a number of the tide on body %zu is not finite", body + 1);
    if (tide->love == 0)
        return PH_OK;
    if (!turns)
        return ph_fail(err, PH_E_INVALID,
                       "there is a tide on body %zu, which does not turn; give it an attitude", body + 1);
    if (!(tide->love > 0) || !(tide->radius > 0) || !(tide->density > 0))
        return ph_fail(
            err, PH_E_RANGE,
            "the tide on body %zu has k2 = %g, the radius %g m and the density %g kg/m^3; they must be positive",
            body + 1, tide->love, tide->radius, tide->density);
    if (!(tide->lag >= 0 && tide->lag <= 0.25 * pi))
        return ph_fail(
            err, PH_E_RANGE,
            "the lag angle of the tide on body %zu is %g rad; it must be between 0 and pi/4, where the torque "
            "is largest",
            body + 1, tide->lag);
    return PH_OK;
}
