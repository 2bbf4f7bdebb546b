/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete Lagrangians with a constant angular velocity over the step on SO(3), at its ends or in its middle:
 * exponential and exponential-midpoint (discrete-lagrangian.h).
 *
 * In the frame of the body, with T(f) of exp(S(f + df)) = exp(S(f)) exp(S(T df)) for small df,
 * b = sum_e w_e vee(R_e^T L_v - L_v^T R_e), and m = dL/d(turn) at a fixed body velocity,
 *     -D_1 L_d = T(f)^{-1} b - (H/2) m(R)                                exponential,
 *     -D_1 L_d = T(f)^{-1} b - (H/2) (m + (tan(t/4)/t) f x m)(R_1/2)     exponential-midpoint,
 * the latter since
 *     T(f)^{-1} T(f/2)^T - 2 exp(S(f)/2) = -2 (I + exp(-S(f)/2))^{-1} = -I - (tan(t/4)/t) S(f). */
#include "discrete-families.h"

#include <polhode/kit/elementary.h>

/* e and de/d(t2) of T(f)^{-1} = I + S(f)/2 + e S(f)^2, e = (1 - (t/2) cot(t/2)) / t^2, by a series for t < 1
 * rad, where that cancels. */
static void inverse_coefficient(double t2, double *e, double *de)
{
    /* |B_2n| / (2n)! */
    static const double series[] = {1. / 12,
                                    1. / 720,
                                    1. / 30240,
                                    1. / 1209600,
                                    1. / 47900160,
                                    691. / 1307674368000.,
                                    1. / 74724249600.,
                                    3617. / 10670622842880000.,
                                    43867. / 5109094217170944000.,
                                    174611. / 802857662698291200000.};
    enum { TERMS = sizeof series / sizeof series[0] };
    if (t2 < 1.0) {
        *e = *de = 0;
        for (int i = TERMS - 1; i >= 0; i--) {
            *de = *de * t2 + *e;
            *e = *e * t2 + series[i];
        }
        return;
    }
    double t = sqrt(t2), half = 0.5 * t, sine, cosine;
    ph_sincos(half, &sine, &cosine);
    const double cot = cosine / sine;
    *e = (1 - half * cot) / t2;
    /* d(half cot)/d(t2) = (cot - half / sine^2) / (4 t) */
    *de = (-(cot - half / (sine * sine)) / (4 * t) - *e) / t2;
}

/* In the frame of the body the velocity is xi = y/h at all points: v_e = R_e S(xi). */
static void body_place(ph_discrete *d, const ph_part *f)
{
    double xi[3];
    for (int k = 0; k < 3; k++)
        xi[k] = d->y[f->x + k] / d->h;
    for (size_t e = 0; e < d->points; e++) {
        double *at = d->at[e] + f->z;
        if (one_point(d))
            half_turn(d, f, at);
        else
            memcpy(at, (e ? d->z1 : d->z) + f->z, 9 * sizeof *at);
        spin_rows(at, xi, d->speed[e] + f->z);
    }
}

/* dv_e = dR_e S(xi) + R_e S(dxi). */
static void body_place_along(const ph_discrete *d, const ph_part *f, size_t b, double *const dat[2],
                             double *const dspeed[2])
{
    double xi[3], dxi[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        xi[k] = d->y[f->x + k] / d->h;
    dxi[b] = 1 / d->h;
    for (size_t e = 0; e < d->points; e++) {
        const double *at = d->at[e] + f->z, *moved = d->dD + f->e + 9 * b;
        double more[9];
        if (one_point(d))
            half_turn_along(d, f, at, b, dat[e]);
        for (int k = 0; k < 9 && !one_point(d); k++)
            dat[e][k] = e ? d->s * moved[k] : 0;
        spin_rows(dat[e], xi, dspeed[e]);
        spin_rows(at, dxi, more);
        for (int k = 0; k < 9; k++)
            dspeed[e][k] += more[k];
    }
}

/* out += T(f)^{-1} b */
static void add_inverse_dexp(const double x[3], const double b[3], double out[3])
{
    double e, de, once[3];
    inverse_coefficient(ph_dot3(x, x), &e, &de);
    ph_cross3(x, b, once);
    for (int k = 0; k < 3; k++)
        out[k] += b[k] + 0.5 * once[k];
    add_cross(x, once, e, out);
}

/* out += (d/ds T(f + s df)^{-1}) b */
static void add_inverse_dexp_along(const double x[3], const double df[3], const double b[3], double out[3])
{
    double e, de, once[3], moved[3];
    inverse_coefficient(ph_dot3(x, x), &e, &de);
    ph_cross3(x, b, once);
    ph_cross3(df, b, moved);
    for (int k = 0; k < 3; k++)
        out[k] += 0.5 * moved[k];
    add_cross(df, once, e, out);
    add_cross(x, moved, e, out);
    add_cross(x, once, 2 * de * ph_dot3(x, df), out);
}

/* m <- dL/d(turn) at a fixed body velocity xi, for R, L_z, L_v; linear in the latter two. */
static void turn_moment(const double R[9], const double *Lz, const double *Lv, const double xi[3],
                        double m[3])
{
    ph_body_moment(R, Lz, m);
    ph_add_spin_moment(R, Lv, xi, m);
}

/* The formulas at the head. */
static void body_momentum(const ph_discrete *d, const ph_part *f, double *const Lz[2], double *const Lv[2],
                          double *r)
{
    double xi[3], b[3] = {0, 0, 0}, m[3], pull[3];
    for (int k = 0; k < 3; k++)
        xi[k] = d->y[f->x + k] / d->h;
    for (size_t e = 0; e < d->points; e++) {
        ph_body_moment(d->at[e] + f->z, Lv[e] + f->z, m);
        for (int k = 0; k < 3; k++)
            b[k] += d->weight * m[k];
    }
    turn_moment(d->at[0] + f->z, Lz[0] + f->z, Lv[0] + f->z, xi, m);
    memcpy(pull, m, sizeof pull);
    if (one_point(d))
        pull_half_turn(d, f, m, pull);
    for (int k = 0; k < 3; k++)
        r[k] = -0.5 * d->H * pull[k];
    add_inverse_dexp(d->x + f->x, b, r);
}

static void body_bend(const ph_discrete *d, const ph_part *f, size_t b_, double *r)
{
    double xi[3], dxi[3] = {0, 0, 0}, df[3] = {0, 0, 0}, b[3] = {0, 0, 0}, db[3] = {0, 0, 0}, m[3], dm[3],
                  pull[3];
    double dat[2][9], dspeed[2][9];
    const double *Lz = d->Lz[0] + f->z, *Lv = d->Lv[0] + f->z;
    for (int k = 0; k < 3; k++)
        xi[k] = d->y[f->x + k] / d->h;
    dxi[b_] = 1 / d->h;
    df[b_] = d->s;
    body_place_along(d, f, b_, (double *[2]){dat[0], dat[1]}, (double *[2]){dspeed[0], dspeed[1]});
    for (size_t e = 0; e < d->points; e++) {
        ph_body_moment(d->at[e] + f->z, d->Lv[e] + f->z, m);
        ph_body_moment(dat[e], d->Lv[e] + f->z, dm);
        for (int k = 0; k < 3; k++) {
            b[k] += d->weight * m[k];
            db[k] += d->weight * dm[k];
        }
    }
    turn_moment(d->at[0] + f->z, Lz, Lv, xi, m);
    turn_moment(dat[0], Lz, Lv, xi, dm);
    ph_add_spin_moment(d->at[0] + f->z, Lv, dxi, dm);
    memcpy(pull, dm, sizeof pull);
    if (one_point(d))
        pull_half_turn_along(d, f, b_, m, dm, pull);
    for (int k = 0; k < 3; k++)
        r[k] -= 0.5 * d->H * pull[k];
    add_inverse_dexp(d->x + f->x, db, r);
    add_inverse_dexp_along(d->x + f->x, df, b, r);
}

const ph_discrete_family ph_discrete_body = {
    .place = body_place, .place_along = body_place_along, .momentum = body_momentum, .bend = body_bend};
