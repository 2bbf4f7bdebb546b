/* SPDX-License-Identifier: BSD-3-Clause */
/* Given bodies (polhode/domain/gravitation.h): their prescribed Kepler motions X(t), and what they do to the others in a frame whose
 * origin falls freely in their fields. With s a body's place, D = |X|, beta = s.X/D^2, sigma = s.s/D^2, and
 *     q = sigma - 2 beta,   u = (1 + q)^(3/2) = |X - s|^3/D^3,   f = u - 1 = q (3 + 3q + q^2)/(1 + u),   e = sqrt(1 + q),
 * differences of large numbers become
 *     (X - s)/|X - s|^3 - X/D^3          = -(s + f X)/(D^3 u)
 *     1/|X - s| - 1/D - s.X/D^3          = -(sigma + beta q (2 + e)/(1 + e))/(D e (1 + e))
 *     its derivative in time, V = dX/dt  = ((X.V) (f + 3 beta + 3 beta f) - f s.V)/(D^3 u),
 *     f + 3 beta                         = (3 sigma + 3 q^2 + q^3 + 3 beta f)/(2 + f).
 * Of a distant body the leading terms alone, k = G M_S/D^3, with X/D = n:
 *     force/m = k (3 n (n.s) - s).
 * Source: Battin, An Introduction to the Mathematics and Methods of Astrodynamics (1999), 8.4. */
#include "anomaly.h"
#include "gravitation.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>

/* ---- Motion -------------------------------------------------------------------------------------------------------- */

void ph_given_fill(const ph_given_body *body, double G, ph_given *given)
{
    *given = (ph_given){.is = *body};
    ph_given_orbit *o = &given->is.orbit;
    if (o->mu == 0)
        o->mu = G * body->mass;
    const double cn = ph_cos(o->node), sn = ph_sin(o->node), ci = ph_cos(o->inclination),
                 si = ph_sin(o->inclination), cp = ph_cos(o->periapsis), sp = ph_sin(o->periapsis),
                 size = fabs(o->axis), e = o->eccentricity, b = size * sqrt(fabs((1 - e) * (1 + e)));
    const double line[3] = {cn, sn, 0}, across[3] = {-sn * ci, cn * ci, si};
    for (size_t k = 0; k < 3; k++) {
        given->ahead[k] = o->axis * (cp * line[k] + sp * across[k]);
        given->aside[k] = b * (cp * across[k] - sp * line[k]);
    }
    given->rate = sqrt(o->mu / size) / size;
}

/* By the half of E: cos E - e = (1 - e) - 2 sin^2(E/2), and 1 - e cos E = (1 - e) + 2 e sin^2(E/2) = r/a. Of a hyperbola by that
 * of H: cosh H - e = (1 - e) + 2 sinh^2(H/2), e cosh H - 1 = (e - 1) + 2 e sinh^2(H/2) = r/|a|. */
void ph_gravitation_given_place(const ph_gravitation *g, size_t i, double t, double x[3], double v[3])
{
    const ph_given *S = &g->given[i];
    const double e = S->is.orbit.eccentricity,
                 half = 0.5 * ph_eccentric_anomaly(e, S->rate * (t - S->is.orbit.passage));
    const bool closed = e < 1;
    const double s = closed ? ph_sin(half) : ph_sinh(half), c = closed ? ph_cos(half) : sqrt(1 + s * s),
                 square = 2 * s * s;
    const double along = closed ? (1 - e) - square : (1 - e) + square, sine = 2 * s * c,
                 cosine = closed ? 1 - square : 1 + square, speed = S->rate / (fabs(1 - e) + e * square);
    for (size_t k = 0; k < 3; k++)
        x[k] = S->ahead[k] * along + S->aside[k] * sine;
    for (size_t k = 0; k < 3 && v; k++)
        v[k] = speed * (S->aside[k] * cosine - (closed ? 1 : -1) * S->ahead[k] * sine);
}

/* ---- What one does to another ---------------------------------------------------------------------------------------- */

typedef struct field {
    double GM, X[3], V[3], D, square, speed; /* square: of D; speed: X.V/D^2 [1/s] */
    bool far, points;
} field;

typedef struct pull {
    double force[3], torque[3], U, rate; /* the torque in the body's frame */
} pull;

/* On the mass m at s. */
static void pull_point(const field *S, double m, const double s[3], pull *out)
{
    const double beta = ph_dot3(s, S->X) / S->square, sigma = ph_dot3(s, s) / S->square,
                 k = m * (S->GM / (S->square * S->D));
    const double along = ph_dot3(s, S->V);
    if (S->far) {
        for (size_t c = 0; c < 3; c++)
            out->force[c] = k * (3 * beta * S->X[c] - s[c]);
        out->U = -0.5 * k * S->square * (3 * beta * beta - sigma);
        /* of beta: s.V/D^2 - 2 beta X.V/D^2 */
        out->rate = 1.5 * k * S->square * S->speed * (3 * beta * beta - sigma) -
                    3 * k * beta * (along - beta * S->speed * S->square);
        return;
    }
    const double q = sigma - 2 * beta, e = sqrt(1 + q), u = (1 + q) * e, f = q * (3 + q * (3 + q)) / (1 + u);
    for (size_t c = 0; c < 3; c++)
        out->force[c] = -k / u * (s[c] + f * S->X[c]);
    out->U = k * S->square * (sigma + beta * q * (2 + e) / (1 + e)) / (e * (1 + e));
    const double g = (3 * sigma + q * q * (3 + q) + 3 * beta * f) / (2 + f) + 3 * beta * f;
    out->rate = -k / u * (S->square * S->speed * g - f * along);
}

/* Added: on the terms of degree 2 of a body, of inertia tensor J and attitude R, at s. */
static void pull_shape(const field *S, const double J[9], const double R[9], const double s[3], pull *out)
{
    double d[3], n[3], Jn[3], push[3], turned[3], across[3], n_dot[3];
    for (size_t c = 0; c < 3; c++)
        d[c] = S->X[c] - (S->far ? 0 : s[c]);
    const double r = ph_norm3(d), k = S->GM / (r * r * r), trace = J[0] + J[4] + J[8];
    for (size_t c = 0; c < 3; c++)
        d[c] /= r;
    ph_apply_transposed3(R, d, n);
    ph_apply3(J, n, Jn);
    ph_cross3(n, Jn, across);
    const double nJn = ph_dot3(n, Jn);
    for (size_t c = 0; c < 3; c++) {
        push[c] = k / r * (1.5 * (trace - 5 * nJn) * n[c] + 3 * Jn[c]);
        out->torque[c] = 3 * k * across[c];
    }
    out->U -= 0.5 * k * (trace - 3 * nJn);
    /* by the velocity of S: of n (R^T V - n (R^T V).n)/r, of k -3 k V.d/r */
    ph_apply_transposed3(R, S->V, n_dot);
    const double recede = ph_dot3(n_dot, n);
    out->rate += k / r * (1.5 * recede * (trace - 3 * nJn) + 3 * (ph_dot3(n_dot, Jn) - recede * nJn));
    if (S->far)
        return;
    ph_apply3(R, push, turned);
    for (size_t c = 0; c < 3; c++)
        out->force[c] += turned[c];
}

/* ---- All of them ----------------------------------------------------------------------------------------------------- */

static void find_field(const ph_gravitation *g, size_t i, double t, field *S)
{
    const ph_given_body *given = &g->given[i].is;
    *S = (field){.GM = g->G * given->mass, .far = given->far, .points = given->points};
    ph_gravitation_given_place(g, i, t, S->X, S->V);
    S->square = ph_dot3(S->X, S->X);
    S->D = sqrt(S->square);
    S->speed = ph_dot3(S->X, S->V) / S->square;
}

/* On body i, which is at s. */
static void pull_body(const ph_gravitation *g, const field *S, size_t i, const double *z, ph_attracted *out)
{
    const ph_gravitating *body = &g->body[i];
    const double share = ph_gravitating_share(g, i), *at = g->relative ? z : z + 3 * i;
    const double s[3] = {share * at[0], share * at[1], share * at[2]};
    double *force = out->force + (g->relative ? 0 : 3 * i);
    pull p = {.U = 0};
    pull_point(S, body->mass.moment[0], s, &p);
    if (!S->points)
        pull_shape(S, body->mass.J, ph_gravitating_attitude(g, i, z), s, &p);
    for (size_t c = 0; c < 3; c++)
        force[c] += share * p.force[c];
    for (size_t c = 0; c < 3 && body->attitude != PH_NO_INDEX; c++)
        out->torque[3 * body->attitude + c] += p.torque[c];
    out->U += p.U;
    out->rate += p.rate;
}

void ph_given_attract(const ph_gravitation *g, double t, const double *z, ph_attracted *out)
{
    for (size_t i = 0; i < g->n_given; i++) {
        field S;
        find_field(g, i, t, &S);
        for (size_t b = 0; b < g->n; b++)
            pull_body(g, &S, b, z, out);
    }
}

/* ---- Definition -------------------------------------------------------------------------------------------------------- */

ph_status ph_given_check(const ph_given_body *given, size_t i, ph_error *err)
{
    const ph_given_orbit *o = &given->orbit;
    const double numbers[8] = {given->mass,    o->mu,   o->axis,      o->eccentricity,
                               o->inclination, o->node, o->periapsis, o->passage};
    if (!ph_all_finite(numbers, 8))
        return ph_fail(err, PH_E_NOT_FINITE, "a number of given body %zu is not finite", i + 1);
    if (!(given->mass > 0))
        return ph_fail(err, PH_E_RANGE, "the mass of given body %zu is %g kg; it must be positive", i + 1,
                       given->mass);
    if (!(o->mu >= 0))
        return ph_fail(
            err, PH_E_RANGE,
            "mu of the orbit of given body %zu is %g m^3/s^2; it must be positive, or 0 for G times its mass",
            i + 1, o->mu);
    if (!(o->eccentricity >= 0) || o->eccentricity == 1)
        return ph_fail(
            err, PH_E_RANGE,
            "the eccentricity of given body %zu is %g; it must not be negative, and not 1 (a parabola has no "
            "semi-major axis: take one near it)",
            i + 1, o->eccentricity);
    if (o->eccentricity < 1 ? !(o->axis > 0) : !(o->axis < 0))
        return ph_fail(
            err, PH_E_RANGE,
            "the semi-major axis of given body %zu is %g m; with the eccentricity %g it must be %s", i + 1,
            o->axis, o->eccentricity, o->eccentricity < 1 ? "positive" : "negative");
    return PH_OK;
}
