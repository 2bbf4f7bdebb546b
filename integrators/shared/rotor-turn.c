/* SPDX-License-Identifier: BSD-3-Clause */
/* A free rigid body turned for a finite time: bodies with two or three equal moments in closed form,
 *     R(t) = R exp(t y/I) exp(t (1/I_3 - 1/I) y_3 e_3),      y = R^T S,
 * all others by the discrete Moser-Veselov map of order 10 (integrators/shared/rotor.h), which keeps S, energy and
 * |y|, in so many equal parts that none is longer than `longest`: its error grows like the 11th power of the turn,
 * and is 3e-16 there. How many parts follows from H and C, which the motion keeps, so that the way back has as
 * many. */
#include "rotor-turn.h"

#include <polhode/kit/elementary.h>

#include <string.h>

/* [rad], of bodies whose moments of inertia differ by less than a half, and of others */
static const double longest_turn = 0.2, longest_of_slender = 0.15, slender = 0.5;
static const double most_parts = 1e7, equal = 8 * DBL_EPSILON;
enum { MOST_HALVINGS = 12 };

/* ---- The body ------------------------------------------------------------------------------------------------------ */

static bool are_equal(double a, double b)
{
    return fabs(a - b) <= equal * fmax(a, b);
}

void ph_free_rotor_begin(const double J[9], ph_free_rotor *r)
{
    double I[3];
    memset(r, 0, sizeof *r);
    ph_principal_axes(J, r->axes, I);
    for (int k = 0; k < 9; k++)
        r->turned = r->turned || r->axes[k] != (k % 4 ? 0 : 1);
    ph_rotor_begin(I, &r->series);
    const double *g = r->series.inverse;
    r->most = fmax(g[0], fmax(g[1], g[2]));
    r->least = fmin(g[0], fmin(g[1], g[2]));
    r->longest = r->most - r->least > slender * r->most ? longest_of_slender : longest_turn;
    int pairs = 0;
    for (int k = 0; k < 3; k++)
        if (are_equal(g[(k + 1) % 3], g[(k + 2) % 3])) {
            pairs++;
            r->axis = k;
        }
    r->kind = pairs > 1 ? PH_ROTOR_ROUND : pairs ? PH_ROTOR_SYMMETRIC : PH_ROTOR_GENERAL;
    if (pairs == 1)
        r->excess[r->axis] = g[r->axis] - g[(r->axis + 1) % 3];
}

/* y <- momentum in principal axes, in the units of the series. */
static void read_off(const ph_free_rotor *r, const ph_free_turn *m, double y[3])
{
    double A[9];
    ph_rotor_matrix(m->q, A);
    ph_apply_transposed3(A, m->S, y);
    for (int k = 0; k < 3; k++)
        y[k] *= r->series.unit;
}

/* A bound on |W| for all y of this energy and size: with the weights x_i = y_i^2/2C of g_i = 1/I_i, |W|^2 is 2C times
 * the mean of g^2, which lies below the chord between the extremes. */
static double fastest(const ph_free_rotor *r, double H, double C)
{
    const double half = (r->most + r->least) * H - r->most * r->least * C;
    return half < 0 ? 0 : sqrt(2 * half); /* NaN remains NaN */
}

/* H, C <- of y in the units of the series. */
static void invariants(const ph_free_rotor *r, const double y[3], double *H, double *C)
{
    *H = *C = 0;
    for (int i = 0; i < 3; i++) {
        const double square = 0.5 * y[i] * y[i];
        *H += square * r->series.inverse[i];
        *C += square;
    }
}

bool ph_free_rotor_can_turn(const ph_free_rotor *r, double tau, const ph_free_turn *m)
{
    double y[3], H, C;
    read_off(r, m, y);
    invariants(r, y, &H, &C);
    return fabs(tau) * fastest(r, H, C) <= 0.5 * r->longest * most_parts;
}

/* ---- Closed forms -------------------------------------------------------------------------------------------------- */

/* m <- turned by the vector theta in its frame: whole turns taken off, and more than a right angle in two parts, as the
 * tangent of half of it is what turns. */
static void turn_by(const double theta[3], ph_free_turn *m)
{
    static const double none[3] = {0, 0, 0};
    const double size = ph_norm3(theta), angle = remainder(size, 6.283185307179586);
    const int parts = fabs(angle) > 1.5 ? 2 : 1;
    if (size == 0)
        return;
    const double factor = ph_tan(0.5 * angle / parts) / size,
                 u[3] = {factor * theta[0], factor * theta[1], factor * theta[2]};
    for (int i = 0; i < parts; i++) {
        double q[4], low[4];
        ph_rotor_turn(m->q, m->low, u, none, q, low);
        memcpy(m->q, q, sizeof q);
        memcpy(m->low, low, sizeof low);
    }
}

static void turn_in_closed_form(const ph_free_rotor *r, double tau, const double y[3], ph_free_turn *m)
{
    const double g = r->series.inverse[(r->axis + 1) % 3];
    double theta[3], along[3];
    for (int k = 0; k < 3; k++) {
        theta[k] = tau * g * y[k];
        along[k] = tau * r->excess[k] * y[k];
    }
    turn_by(theta, m);
    if (r->kind == PH_ROTOR_SYMMETRIC)
        turn_by(along, m);
}

/* ---- By the map ---------------------------------------------------------------------------------------------------- */

/* u <- the guess for a turn of a time h: with W, W' = I^{-1} y', y' = y x W, and W'', the turn is
 * h (W + (h/2) W' + (h^2/6) W'') + (h^3/12) W x W' up to h^4 (Magnus). */
static inline void guess(const double g[3], const double y[3], double h, double u[3])
{
    double W[3], y1[3], W1[3], a[3], b[3], turn[3], across[3];
    for (int k = 0; k < 3; k++)
        W[k] = g[k] * y[k];
    ph_cross3(y, W, y1);
    for (int k = 0; k < 3; k++)
        W1[k] = g[k] * y1[k];
    ph_cross3(y1, W, a);
    ph_cross3(y, W1, b);
    ph_cross3(W, W1, across);
    for (int k = 0; k < 3; k++)
        turn[k] = 0.5 * h *
                  (W[k] + 0.5 * h * (W1[k] + h * ((1. / 3) * (g[k] * (a[k] + b[k])) + (1. / 6) * across[k])));
    /* tan(t)/t */
    const double t2 = ph_dot3(turn, turn),
                 stretch = 1 + t2 * (1. / 3 + t2 * (2. / 15 + t2 * (17. / 315 + t2 * (62. / 2835))));
    for (int k = 0; k < 3; k++)
        u[k] = stretch * turn[k];
}

/* The time h in one part, whose inverse moments w are known. */
static inline bool turn_once(const ph_free_rotor *r, const double w[3], double h, const double y[3],
                             ph_free_turn *m, int64_t *iterations)
{
    static const double none[3] = {0, 0, 0};
    double b[3], u[3], q[4], low[4];
    for (int k = 0; k < 3; k++)
        b[k] = 0.5 * h * y[k];
    guess(r->series.inverse, y, h, u);
    if (!ph_rotor_solve(w, b, u, iterations))
        return false;
    ph_rotor_turn(m->q, m->low, u, none, q, low);
    memcpy(m->q, q, sizeof q);
    memcpy(m->low, low, sizeof low);
    return true;
}

/* The same in so many parts; false where one of them is too long. */
static bool turn_in_parts(const ph_free_rotor *r, double tau, double parts, double H, double C, double y[3],
                          ph_free_turn *m, int64_t *iterations)
{
    double w[3], h = tau / parts;
    if (!ph_rotor_find_inertia(&r->series, PH_ROTOR_DEGREE, h, H, C, w))
        return false;
    for (double i = 0; i < parts; i++) {
        if (i > 0)
            read_off(r, m, y);
        if (!turn_once(r, w, h, y, m, iterations))
            return false;
    }
    return true;
}

bool ph_free_rotor_turn(const ph_free_rotor *r, double tau, ph_free_turn *m, int64_t *iterations)
{
    double y[3], H, C;
    read_off(r, m, y);
    if (r->kind != PH_ROTOR_GENERAL) {
        turn_in_closed_form(r, tau, y, m);
        return true;
    }
    invariants(r, y, &H, &C);
    const double turn = fabs(tau) * fastest(r, H, C);
    if (!(turn <= r->longest * most_parts))
        return false;
    double parts = turn > r->longest ? ceil(turn / r->longest) : 1;
    if (turn_in_parts(r, tau, parts, H, C, y, m, iterations))
        return true;
    const ph_free_turn start = *m;
    for (int i = 0; i < MOST_HALVINGS; i++) {
        parts *= 2;
        *m = start;
        read_off(r, m, y);
        if (turn_in_parts(r, tau, parts, H, C, y, m, iterations))
            return true;
    }
    return false;
}
