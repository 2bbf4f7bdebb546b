/* SPDX-License-Identifier: BSD-3-Clause */
/* GUBAS's perturbations with their mistakes, which its results contain; right ones are those of
 * ph_gravitation. In km, kg, s.
 *
 *   - Third body and Sun on Kepler orbits X(t): with R = Cc^T X,
 *         acc = G M [(R - (1 - nu r))/|.|^3 - (R + nu r)/|.|^3],
 *     where (1 - nu) r would be right: 1 - nu r subtracts nu r from the vector (1, 1, 1) km. Torques are not
 *     added.
 *   - Kepler's equation is solved to 1e-3 rad; the mean anomaly is not reduced.
 *   - Hill's terms act on r and v, but attitudes and spins are not those against the axes that turn.
 *   - Tides: factor 1 (3/2 as a division of whole numbers), the reference radius in m in a formula of km, the
 *   torque with the
 *     sign that speeds a fast body up, and linear where the whole relative spin is small, not its part across
 *     r. */
#include "case.h"
#include "equations.h"

#include <math.h>

/* ---- Kepler orbits ------------------------------------------------------------------------------------- */

static const double tolerance = 1e-3; /* [rad] GUBAS's */
enum { MOST = 100000 };               /* iterations; GUBAS has no bound */

static double true_anomaly(const ph_gubas_orbit *orbit, double rate, double t)
{
    const double e = orbit->eccentricity, M = rate * (t - orbit->periapsis);
    double x = M;
    if (e > 1) {
        const double most = acos(-1 / e);
        if (fabs(x) > most)
            x = x > 0 ? most : -most;
        double f = M - e * sinh(x) + x;
        for (int i = 0; fabs(f) > tolerance && i < MOST; i++) {
            x -= f / (1 - e * cosh(x));
            f = M - e * sinh(x) + x;
        }
        return 2 * atan(sqrt((e + 1) / (e - 1)) * tanh(x / 2));
    }
    double f = x - M - e * sin(x);
    for (int i = 0; fabs(f) > tolerance && i < MOST; i++) {
        x -= f / (1 - e * cos(x));
        f = x - M - e * sin(x);
    }
    return 2 * atan(sqrt((1 + e) / (1 - e)) * tan(x / 2));
}

void ph_gubas_orbit_state(const ph_gubas_equations *e, const ph_gubas_orbit *orbit, double t, double *state)
{
    const double a = orbit->semimajor_axis / 1000, ecc = orbit->eccentricity, mu = e->G * orbit->mass;
    const double f = true_anomaly(orbit, sqrt(mu / pow(fabs(a), 3)), t);
    const double ci = cos(orbit->inclination), si = sin(orbit->inclination), cn = cos(orbit->node),
                 sn = sin(orbit->node), cw = cos(orbit->argument), sw = sin(orbit->argument);
    const double node[3] = {cn, sn, 0}, across[3] = {-ci * sn, ci * cn, si};
    const double p = a * (1 - ecc * ecc), r = p / (1 + ecc * cos(f)), v = sqrt(mu / p);
    for (int k = 0; k < 3; k++) {
        const double P = cw * node[k] + sw * across[k], Q = -sw * node[k] + cw * across[k];
        state[k] = r * (cos(f) * P + sin(f) * Q);
        state[3 + k] = v * (-sin(f) * P + (ecc + cos(f)) * Q);
    }
}

/* ---- Terms --------------------------------------------------------------------------------------------- */

static void add_third_body(const ph_gubas_equations *e, const ph_gubas_orbit *orbit, double t,
                           const double *x, double *acc)
{
    double X[6], R[3], b[3], a[3];
    ph_gubas_orbit_state(e, orbit, t, X);
    ph_apply_transposed3(x + PH_GUBAS_CC, X, R);
    for (int k = 0; k < 3; k++) {
        b[k] = R[k] - (1 - e->nu * x[k]); /* 1 - nu * r, as GUBAS */
        a[k] = R[k] + e->nu * x[k];
    }
    const double b3 = pow(sqrt(ph_gubas_dot(b, b)), 3), a3 = pow(sqrt(ph_gubas_dot(a, a)), 3);
    for (int k = 0; k < 3; k++)
        acc[k] += e->G * orbit->mass * (b[k] / b3 - a[k] / a3);
}

static void add_hill(const ph_gubas_equations *e, const double *x, double *acc)
{
    double r[3], v[3], turned[3];
    const double n =
        sqrt(e->G * (e->of.hill_mass + e->mass[0] + e->mass[1]) / pow(e->of.hill_radius / 1000, 3));
    ph_apply3(x + PH_GUBAS_CC, x + PH_GUBAS_R, r);
    ph_apply3(x + PH_GUBAS_CC, x + PH_GUBAS_V, v);
    const double tide[3] = {3 * n * n * r[0] + 2 * n * v[1], -2 * n * v[0], -n * n * r[2]};
    ph_apply_transposed3(x + PH_GUBAS_CC, tide, turned);
    for (int k = 0; k < 3; k++)
        acc[k] += turned[k];
}

static void add_tides(const ph_gubas_equations *e, const double *x, double *acc, double *TA, double *TB)
{
    const double *r = x + PH_GUBAS_R, r2 = ph_gubas_dot(r, r);
    double orbit[3], sum[3] = {0}, across[3];
    ph_gubas_cross(r, x + PH_GUBAS_V, orbit);
    for (int i = 0; i < 2; i++) {
        const ph_gubas_body *body = &e->of.body[i];
        const double *w = x + (i ? PH_GUBAS_WB : PH_GUBAS_WA), rho = body->density * 1e9;
        double relative[3], g[3], *T = i ? TB : TA;
        for (int k = 0; k < 3; k++)
            relative[k] = w[k] - orbit[k] / r2;
        const double along = ph_gubas_dot(relative, r) / r2;
        for (int k = 0; k < 3; k++)
            g[k] = relative[k] - along * r[k];
        const double spin = sqrt(ph_gubas_dot(relative, relative)), part = sqrt(ph_gubas_dot(g, g));
        const double K = 1 /* 3/2 */ * body->love * pow(3 / (4 * 3.14159265358979323846 * rho), 2) * e->G *
                         pow(e->mass[0] * e->mass[1], 2) * sin(2 * body->lag) / body->reference /* in m */ /
                         (r2 * r2 * r2);
        const double slope = sqrt(3.14159265358979323846 * e->G * rho / 6) * e->J[i][2];
        const double size = spin > fabs(K / slope) ? K : spin * slope;
        for (int k = 0; k < 3; k++) {
            T[k] += size * g[k] / part; /* right: minus */
            sum[k] += size * g[k] / part;
        }
    }
    ph_gubas_cross(r, sum, across);
    for (int k = 0; k < 3; k++)
        acc[k] += across[k] / r2 / e->m;
}

void ph_gubas_perturb(const ph_gubas_equations *e, double t, const double *x, double *acc, double *TA,
                      double *TB)
{
    if (e->of.planet.on)
        add_third_body(e, &e->of.planet, t, x, acc);
    if (e->of.sun.on)
        add_third_body(e, &e->of.sun, t, x, acc);
    if (e->of.hill)
        add_hill(e, x, acc);
    if (e->of.tides)
        add_tides(e, x, acc, TA, TB);
}
