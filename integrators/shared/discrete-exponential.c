/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete Lagrangians with tangent vectors as velocities, at the ends of a step or in its middle:
 * exponential and exponential-midpoint (discrete-lagrangian.h), on S^1 and S^2; discrete-body.c has SO(3).
 *
 * On S^2 the exponential rules have f = k z x z+ with k = t / sin t, t the angle, continued to z, z+ of any
 * length. With k' = dk/d(z.z+) and b = sum_e w_e z_e x L_v,
 *     D_1 L_d = sum_e (dz_e/dz)^T w_e (H L_z + L_v x f) + k z+ x b + k' (b . z x z+) z+. */
#include "discrete-families.h"

#include <polhode/kit/elementary.h>

/* dc/d(t2) for the c of ph_sphere_coefficients: -(a + 3 c) / (2 t2), by a series for t < 1 rad, where that
 * cancels. */
static double derivative_of_c(double t2)
{
    double a, b, c;
    if (t2 < 1.0)
        return 1. / 30 +
               t2 * (-2. / 840 +
                     t2 * (3. / 45360 +
                           t2 * (-4. / 3991680 +
                                 t2 * (5. / 518918400 +
                                       t2 * (-6. / 93405312000. +
                                             t2 * (7. / 22230464256000. - t2 * 8. / 6758061133824000.))))));
    ph_sphere_coefficients(t2, &a, &b, &c);
    return -(a + 3 * c) / (2 * t2);
}

/* ---- Exponential on S^1 -------------------------------------------------------------------------------- */

/* J q, the tangent vector of unit angular velocity. */
static void quarter(const double q[2], double out[2])
{
    out[0] = -q[1];
    out[1] = q[0];
}

/* Points at the angles 0 and x, or x/2, from z, with velocity xi J z_e, xi = y/h. */
static void circle_place(ph_discrete *d, const ph_part *f)
{
    double xi = d->y[f->x] / d->h, half = 0.5 * d->x[f->x];
    const double *q = d->z + f->z;
    double sine, cosine;
    ph_sincos(half, &sine, &cosine);
    for (size_t e = 0; e < d->points; e++) {
        double *at = d->at[e] + f->z, *speed = d->speed[e] + f->z, turned[2];
        quarter(q, turned);
        for (int k = 0; k < 2; k++)
            at[k] = one_point(d) ? cosine * q[k] + sine * turned[k] : e ? d->z1[f->z + k] : q[k];
        quarter(at, speed);
        speed[0] *= xi;
        speed[1] *= xi;
    }
}

/* dz_e = share J z_e, and dv_e = J z_e / h + share J v_e, with share = s times the part of x that z_e has. */
static void circle_place_along(const ph_discrete *d, const ph_part *f, size_t b, double *const dat[2],
                               double *const dspeed[2])
{
    (void)b;
    for (size_t e = 0; e < d->points; e++) {
        const double *at = d->at[e] + f->z, *speed = d->speed[e] + f->z;
        double share = d->s * (one_point(d) ? 0.5 : (double)e), J[2], Jv[2];
        quarter(at, J);
        quarter(speed, Jv);
        for (int k = 0; k < 2; k++) {
            dat[e][k] = share * J[k];
            dspeed[e][k] = J[k] / d->h + share * Jv[k];
        }
    }
}

/* The momentum b - (H/2) m, with b = sum w_e L_v . J z_e and m = L_z . J z_0 + L_v . J v_0. */
static void circle_momentum(const ph_discrete *d, const ph_part *f, double *const Lz[2], double *const Lv[2],
                            double *r)
{
    double p = 0, J[2], Jv[2];
    for (size_t e = 0; e < d->points; e++) {
        quarter(d->at[e] + f->z, J);
        p += d->weight * ph_dot(Lv[e] + f->z, J, 2);
    }
    quarter(d->at[0] + f->z, J);
    quarter(d->speed[0] + f->z, Jv);
    r[0] = p - 0.5 * d->H * (ph_dot(Lz[0] + f->z, J, 2) + ph_dot(Lv[0] + f->z, Jv, 2));
}

/* Adds the derivative of the momentum along tangent vector b at fixed L_z and L_v, from the dz_e and dv_e of
 * circle_place_along. */
static void circle_bend(const ph_discrete *d, const ph_part *f, size_t b, double *r)
{
    double p = 0, dat[2][2], dspeed[2][2], J[2], Jv[2];
    circle_place_along(d, f, b, (double *[2]){dat[0], dat[1]}, (double *[2]){dspeed[0], dspeed[1]});
    for (size_t e = 0; e < d->points; e++) {
        quarter(dat[e], J);
        p += d->weight * ph_dot(d->Lv[e] + f->z, J, 2);
    }
    quarter(dat[0], J);
    quarter(dspeed[0], Jv);
    r[0] += p - 0.5 * d->H * (ph_dot(d->Lz[0] + f->z, J, 2) + ph_dot(d->Lv[0] + f->z, Jv, 2));
}

const ph_discrete_family ph_discrete_circle = {.place = circle_place,
                                               .place_along = circle_place_along,
                                               .momentum = circle_momentum,
                                               .bend = circle_bend};

/* ---- Exponential on S^2 ---------------------------------------------------------------------------- */

/* w <- z x E y, the angular velocity times h that the unknowns y stand for */
static void sphere_turn(const ph_discrete *d, const ph_part *f, double w[3])
{
    const double *E = d->E + f->e, *y = d->y + f->x;
    double u[3];
    for (int k = 0; k < 3; k++)
        u[k] = E[k] * y[0] + E[3 + k] * y[1];
    ph_cross3(d->z + f->z, u, w);
}

/* v_e = w x z_e / h. */
static void sphere_place(ph_discrete *d, const ph_part *f)
{
    double w[3];
    sphere_turn(d, f, w);
    for (size_t e = 0; e < d->points; e++) {
        double *at = d->at[e] + f->z, *speed = d->speed[e] + f->z;
        memcpy(at, (e ? d->z1 : d->z) + f->z, 3 * sizeof *at);
        if (one_point(d))
            memcpy(at, find_middle(d, f).n, 3 * sizeof *at);
        ph_cross3(w, at, speed);
        for (int k = 0; k < 3; k++)
            speed[k] /= d->h;
    }
}

/* dw = z x E_b; dv_e = (dw x z_e + w x dz_e) / h. */
static void sphere_place_along(const ph_discrete *d, const ph_part *f, size_t b, double *const dat[2],
                               double *const dspeed[2])
{
    const double *row = d->E + f->e + 3 * b, *moved = d->dD + f->e + 3 * b;
    double w[3], dw[3];
    sphere_turn(d, f, w);
    ph_cross3(d->z + f->z, row, dw);
    for (size_t e = 0; e < d->points; e++) {
        middle m;
        if (one_point(d)) {
            m = find_middle(d, f);
            move_middle(d, f, &m, b, dat[e]);
        }
        for (int k = 0; k < 3; k++) {
            if (!one_point(d))
                dat[e][k] = e ? d->s * moved[k] : 0;
            dspeed[e][k] = 0;
        }
        add_cross(dw, d->at[e] + f->z, 1 / d->h, dspeed[e]);
        add_cross(w, dat[e], 1 / d->h, dspeed[e]);
    }
}

/* q, a covector, <- H L_z + L_v x turn */
static void sphere_push(const ph_discrete *d, const double *Lz, const double *Lv, const double turn[3],
                        double q[3])
{
    for (int k = 0; k < 3; k++)
        q[k] = d->H * Lz[k];
    add_cross(Lv, turn, 1, q);
}

/* The formula at the head of this file, with k = 1/a and k' (b . z x z+) = (c/a^2) (b . f). */
static void sphere_momentum(const ph_discrete *d, const ph_part *f, double *const Lz[2], double *const Lv[2],
                            double *r)
{
    const double *x = d->x + f->x, *z1 = d->z1 + f->z;
    double a, unused, c, turn[3], push[3], D1[3], b[3] = {0, 0, 0};
    ph_sphere_coefficients(x[0] * x[0] + x[1] * x[1], &a, &unused, &c);
    sphere_turn(d, f, turn);
    for (int k = 0; k < 3; k++)
        turn[k] *= d->s;
    for (size_t e = 0; e < d->points; e++)
        add_cross(d->at[e] + f->z, Lv[e] + f->z, d->weight, b);
    sphere_push(d, Lz[0] + f->z, Lv[0] + f->z, turn, push);
    if (one_point(d)) {
        middle m = find_middle(d, f);
        pull_middle(f, &m, push, D1);
    } else {
        for (int k = 0; k < 3; k++)
            D1[k] = 0.5 * push[k];
    }
    add_cross(z1, b, 1 / a, D1);
    double along = c / (a * a) * ph_dot3(b, turn);
    for (int k = 0; k < 3; k++)
        D1[k] += along * z1[k];
    for (size_t i = 0; i < 2; i++)
        r[i] = -ph_dot3(d->E + f->e + 3 * i, D1);
}

/* The derivative of the formula at the head along y_b, term by term. */
static void sphere_bend(const ph_discrete *d, const ph_part *f, size_t b_, double *r)
{
    const double *x = d->x + f->x, *z = d->z + f->z, *z1 = d->z1 + f->z;
    double t2 = x[0] * x[0] + x[1] * x[1], a, unused, c, step = d->s * x[b_]; /* x . dx */
    double dz1[3], turn[3], dturn[3], b[3] = {0, 0, 0}, db[3] = {0, 0, 0}, D1[3], dat[2][3], dspeed[2][3];
    ph_sphere_coefficients(t2, &a, &unused, &c);
    double da = c * step, dc = 2 * derivative_of_c(t2) * step;
    double g = c / (a * a), dg = dc / (a * a) - 2 * c * da / (a * a * a);
    sphere_turn(d, f, turn);
    ph_cross3(z, d->E + f->e + 3 * b_, dturn);
    for (int k = 0; k < 3; k++) {
        turn[k] *= d->s;
        dturn[k] *= d->s;
        dz1[k] = d->s * d->dD[f->e + 3 * b_ + (size_t)k];
    }
    sphere_place_along(d, f, b_, (double *[2]){dat[0], dat[1]}, (double *[2]){dspeed[0], dspeed[1]});
    for (size_t e = 0; e < d->points; e++) {
        add_cross(d->at[e] + f->z, d->Lv[e] + f->z, d->weight, b);
        add_cross(dat[e], d->Lv[e] + f->z, d->weight, db);
    }
    double dpush[3] = {0, 0, 0};
    add_cross(d->Lv[0] + f->z, dturn, 1, dpush);
    if (one_point(d)) {
        middle m = find_middle(d, f);
        double push[3], bend[3];
        sphere_push(d, d->Lz[0] + f->z, d->Lv[0] + f->z, turn, push);
        pull_middle(f, &m, dpush, D1);
        pull_middle_along(d, f, &m, b_, push, bend);
        for (int k = 0; k < 3; k++)
            D1[k] += bend[k];
    } else {
        for (int k = 0; k < 3; k++)
            D1[k] = 0.5 * dpush[k];
    }
    add_cross(z1, b, -da / (a * a), D1);
    add_cross(dz1, b, 1 / a, D1);
    add_cross(z1, db, 1 / a, D1);
    double along = ph_dot3(b, turn), dalong = ph_dot3(db, turn) + ph_dot3(b, dturn);
    for (int k = 0; k < 3; k++)
        D1[k] += (dg * along + g * dalong) * z1[k] + g * along * dz1[k];
    for (size_t i = 0; i < 2; i++)
        r[i] -= ph_dot3(d->E + f->e + 3 * i, D1);
}

const ph_discrete_family ph_discrete_sphere = {.place = sphere_place,
                                               .place_along = sphere_place_along,
                                               .momentum = sphere_momentum,
                                               .bend = sphere_bend};
