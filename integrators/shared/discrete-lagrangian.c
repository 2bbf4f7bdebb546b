/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of the discrete Lagrangians, their momentum -D_1 L_d, and its exact derivative. All is done
 * factor by factor. -D_1 L_d is linear in L_z and L_v for given z, z+; its derivative is the same linear map
 * of their derivatives, and for the factor whose unknown moves a second term, from the map itself.
 *
 * On S^2 the exponential rules have f = k z x z+ with k = t / sin t, t the angle, continued to z, z+ of any
 * length. With k' = dk/d(z.z+) and b = sum_e w_e z_e x L_v,
 *     D_1 L_d = sum_e (dz_e/dz)^T w_e (H L_z + L_v x f) + k z+ x b + k' (b . z x z+) z+.
 * On SO(3), in the frame of the body, with T(f) of exp(S(f + df)) = exp(S(f)) exp(S(T df)) for small df,
 * b = sum_e w_e vee(R_e^T L_v - L_v^T R_e), and m = dL/d(turn) at a fixed body velocity,
 *     -D_1 L_d = T(f)^{-1} b - (H/2) m(R)                                exponential,
 *     -D_1 L_d = T(f)^{-1} b - (H/2) (m + (tan(t/4)/t) f x m)(R_1/2)     exponential-midpoint,
 * the latter since
 *     T(f)^{-1} T(f/2)^T - 2 exp(S(f)/2) = -2 (I + exp(-S(f)/2))^{-1} = -I - (tan(t/4)/t) S(f). */
#include <polhode/algebra.h>

#include "discrete-lagrangian.h"

#include <string.h>

/* ---- Families ------------------------------------------------------------------------------------- */

typedef enum family { CHORD, NORMALISED, EXPONENTIAL } family;

static family family_of(const ph_discrete *d, const ph_part *f)
{
    bool turns = f->kind == PH_FACTOR_S1 || f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_SO3;
    if (!turns || d->rule == PH_RULE_ENDS || d->rule == PH_RULE_MIDPOINT)
        return CHORD;
    return d->rule == PH_RULE_NORMALISED ? NORMALISED : EXPONENTIAL;
}

static bool one_point(const ph_discrete *d)
{
    return d->points == 1;
}

/* ---- Functions of the angle ------------------------------------------------------------------------ */

/* dc/d(t2) for the c of ph_sphere_coefficients: -(a + 3 c) / (2 t2). */
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

/* e and de/d(t2) of T(f)^{-1} = I + S(f)/2 + e S(f)^2, e = (1 - (t/2) cot(t/2)) / t^2. */
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
    double t = sqrt(t2), half = 0.5 * t, sine = sin(half), cot = cos(half) / sine;
    *e = (1 - half * cot) / t2;
    /* d(half cot)/d(t2) = (cot - half / sine^2) / (4 t) */
    *de = (-(cot - half / (sine * sine)) / (4 * t) - *e) / t2;
}

/* tau = tan(t/4) / t and dtau/d(t2). */
static void quarter_tangent(double t2, double *tau, double *dtau)
{
    static const double series[] = {1,
                                    1. / 3,
                                    2. / 15,
                                    17. / 315,
                                    62. / 2835,
                                    1382. / 155925,
                                    21844. / 6081075,
                                    929569. / 638512875,
                                    6404582. / 10854718875.,
                                    443861162. / 1856156927625.};
    enum { TERMS = sizeof series / sizeof series[0] };
    double x2 = t2 / 16;
    if (x2 < 0.02) {
        double sum = 0, slope = 0;
        for (int i = TERMS - 1; i >= 0; i--) {
            slope = slope * x2 + sum;
            sum = sum * x2 + series[i];
        }
        *tau = sum / 4;
        *dtau = slope / 64;
        return;
    }
    double t = sqrt(t2), tangent = tan(t / 4);
    *tau = tangent / t;
    *dtau = ((1 + tangent * tangent) / 4 - *tau) / (2 * t2);
}

/* ---- Small algebra --------------------------------------------------------------------------------- */

static void add_cross(const double a[3], const double b[3], double weight, double out[3])
{
    double c[3];
    ph_cross3(a, b, c);
    for (int k = 0; k < 3; k++)
        out[k] += weight * c[k];
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* V <- R S(w) */
static void spin_rows(const double R[9], const double w[3], double V[9])
{
    for (int row = 0; row < 3; row++) /* r^T S(w) = r x w */
        ph_cross3(R + 3 * row, w, V + 3 * row);
}

/* ---- Chords: any factor ---------------------------------------------------------------------------- */

static void chord_place(ph_discrete *d, const ph_part *f)
{
    for (size_t k = f->z; k < f->z + f->nz; k++) {
        d->at[0][k] = one_point(d) ? d->z[k] + 0.5 * d->D[k] : d->z[k];
        d->speed[0][k] = d->v[k];
        if (one_point(d))
            continue;
        d->at[1][k] = d->z1[k];
        d->speed[1][k] = d->v[k];
    }
}

static void chord_place_along(const ph_discrete *d, const ph_part *f, size_t b, double *const dat[2],
                              double *const dspeed[2])
{
    const double *row = d->dD + f->e + b * f->nz;
    for (size_t k = 0; k < f->nz; k++) {
        dat[0][k] = one_point(d) ? 0.5 * d->s * row[k] : 0;
        dspeed[0][k] = row[k] / d->h;
        if (one_point(d))
            continue;
        dat[1][k] = d->s * row[k];
        dspeed[1][k] = row[k] / d->h;
    }
}

static void chord_momentum(const ph_discrete *d, const ph_part *f, double *const Lz[2], double *const Lv[2],
                           double *r)
{
    for (size_t a = 0; a < f->nx; a++) {
        const double *row = d->E + f->e + a * f->nz;
        double speed = ph_row_dot(f, row, Lv[0]);
        if (!one_point(d))
            speed = 0.5 * (speed + ph_row_dot(f, row, Lv[1]));
        r[a] = speed - 0.5 * d->H * ph_row_dot(f, row, Lz[0]);
    }
}

/* ---- Midpoints on S^1 and S^2 ----------------------------------------------------------------------- */

/* n = (z + z+) / |z + z+| and half the length of the sum. */
typedef struct middle {
    double n[3], r;
} middle;

static middle find_middle(const ph_discrete *d, const ph_part *f)
{
    middle m;
    double s[3];
    for (size_t k = 0; k < f->nz; k++)
        s[k] = d->z[f->z + k] + 0.5 * d->D[f->z + k];
    m.r = sqrt(dot(f->nz, s, s));
    for (size_t k = 0; k < f->nz; k++)
        m.n[k] = s[k] / m.r;
    return m;
}

/* dn, and dr as its value, along y_b. */
static double move_middle(const ph_discrete *d, const ph_part *f, const middle *m, size_t b, double *dn)
{
    const double *row = d->dD + f->e + b * f->nz;
    double dr = 0.5 * d->s * dot(f->nz, m->n, row);
    for (size_t k = 0; k < f->nz; k++)
        dn[k] = (0.5 * d->s * row[k] - dr * m->n[k]) / m->r;
    return dr;
}

/* out <- (I - n n^T) q / (2 r) */
static void pull_middle(const ph_part *f, const middle *m, const double *q, double *out)
{
    double along = dot(f->nz, m->n, q);
    for (size_t k = 0; k < f->nz; k++)
        out[k] = (q[k] - along * m->n[k]) / (2 * m->r);
}

/* out <- its derivative along y_b at fixed q */
static void pull_middle_along(const ph_discrete *d, const ph_part *f, const middle *m, size_t b,
                              const double *q, double *out)
{
    double dn[3], dr = move_middle(d, f, m, b, dn), along = dot(f->nz, m->n, q), bend = dot(f->nz, dn, q);
    for (size_t k = 0; k < f->nz; k++)
        out[k] = (-dr / m->r * (q[k] - along * m->n[k]) - dn[k] * along - m->n[k] * bend) / (2 * m->r);
}

/* ---- Normalised midpoint ----------------------------------------------------------------------------- */

/* R_1/2 = R exp(S(f/2)) */
static void half_turn(const ph_discrete *d, const ph_part *f, double R[9])
{
    double half[3], X[9];
    for (int k = 0; k < 3; k++)
        half[k] = 0.5 * d->x[f->x + k];
    ph_exp3(half, X);
    ph_multiply3(d->z + f->z, X, R);
}

/* dR_1/2 along y_b */
static void half_turn_along(const ph_discrete *d, const ph_part *f, const double R[9], size_t b, double dR[9])
{
    double half[3], df[3] = {0, 0, 0}, w[3];
    for (int k = 0; k < 3; k++)
        half[k] = 0.5 * d->x[f->x + k];
    df[b] = 0.5 * d->s;
    ph_dexp3(half, df, w);
    spin_rows(R, w, dR);
}

static void normalised_place(ph_discrete *d, const ph_part *f)
{
    memcpy(d->speed[0] + f->z, d->v + f->z, f->nz * sizeof *d->v);
    if (f->kind == PH_FACTOR_SO3) {
        half_turn(d, f, d->at[0] + f->z);
        return;
    }
    middle m = find_middle(d, f);
    memcpy(d->at[0] + f->z, m.n, f->nz * sizeof *m.n);
}

static void normalised_place_along(const ph_discrete *d, const ph_part *f, size_t b, double *const dat[2],
                                   double *const dspeed[2])
{
    const double *row = d->dD + f->e + b * f->nz;
    for (size_t k = 0; k < f->nz; k++)
        dspeed[0][k] = row[k] / d->h;
    if (f->kind == PH_FACTOR_SO3) {
        half_turn_along(d, f, d->at[0] + f->z, b, dat[0]);
        return;
    }
    middle m = find_middle(d, f);
    move_middle(d, f, &m, b, dat[0]);
}

/* out <- m + tau f x m */
static void pull_half_turn(const ph_discrete *d, const ph_part *f, const double m[3], double out[3])
{
    const double *x = d->x + f->x;
    double tau, dtau;
    quarter_tangent(dot(3, x, x), &tau, &dtau);
    memcpy(out, m, 3 * sizeof *m);
    add_cross(x, m, tau, out);
}

/* out <- dm + tau f x dm, and the derivative of tau f x m, along y_b */
static void pull_half_turn_along(const ph_discrete *d, const ph_part *f, size_t b, const double m[3],
                                 const double dm[3], double out[3])
{
    const double *x = d->x + f->x;
    double tau, dtau, df[3] = {0, 0, 0};
    quarter_tangent(dot(3, x, x), &tau, &dtau);
    df[b] = d->s;
    pull_half_turn(d, f, dm, out);
    add_cross(df, m, tau, out);
    add_cross(x, m, dtau * 2 * x[b] * d->s, out);
}

static void normalised_momentum(const ph_discrete *d, const ph_part *f, const double *Lz, const double *Lv,
                                double *r)
{
    double pull[3];
    if (f->kind == PH_FACTOR_SO3) {
        double m[3];
        ph_body_moment(d->z + f->z, Lv + f->z, r);
        ph_body_moment(d->at[0] + f->z, Lz + f->z, m);
        pull_half_turn(d, f, m, pull);
        for (int k = 0; k < 3; k++)
            r[k] -= 0.5 * d->H * pull[k];
        return;
    }
    middle m = find_middle(d, f);
    pull_middle(f, &m, Lz + f->z, pull);
    for (size_t a = 0; a < f->nx; a++) {
        const double *row = d->E + f->e + a * f->nz;
        r[a] = ph_row_dot(f, row, Lv) - d->H * dot(f->nz, row, pull);
    }
}

/* r += the part from the map itself along y_b */
static void normalised_bend(const ph_discrete *d, const ph_part *f, size_t b, double *r)
{
    const double *Lz = d->Lz[0] + f->z;
    double bend[3];
    if (f->kind == PH_FACTOR_SO3) {
        double dR[9], m[3], dm[3];
        half_turn_along(d, f, d->at[0] + f->z, b, dR);
        ph_body_moment(d->at[0] + f->z, Lz, m);
        ph_body_moment(dR, Lz, dm);
        pull_half_turn_along(d, f, b, m, dm, bend);
        for (int k = 0; k < 3; k++)
            r[k] -= 0.5 * d->H * bend[k];
        return;
    }
    middle m = find_middle(d, f);
    pull_middle_along(d, f, &m, b, Lz, bend);
    for (size_t a = 0; a < f->nx; a++)
        r[a] -= d->H * dot(f->nz, d->E + f->e + a * f->nz, bend);
}

/* ---- Exponential on S^1 -------------------------------------------------------------------------------- */

/* J q, the tangent vector of unit angular velocity. */
static void quarter(const double q[2], double out[2])
{
    out[0] = -q[1];
    out[1] = q[0];
}

static void circle_place(ph_discrete *d, const ph_part *f)
{
    double xi = d->y[f->x] / d->h, half = 0.5 * d->x[f->x];
    const double *q = d->z + f->z;
    for (size_t e = 0; e < d->points; e++) {
        double *at = d->at[e] + f->z, *speed = d->speed[e] + f->z, turned[2];
        quarter(q, turned);
        for (int k = 0; k < 2; k++)
            at[k] = one_point(d) ? cos(half) * q[k] + sin(half) * turned[k] : e ? d->z1[f->z + k] : q[k];
        quarter(at, speed);
        speed[0] *= xi;
        speed[1] *= xi;
    }
}

static void circle_place_along(const ph_discrete *d, const ph_part *f, double *const dat[2],
                               double *const dspeed[2])
{
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

/* p = b - (H/2) m, b = sum w_e L_v . J z_e, m = L_z . J z_0 + L_v . J v_0 */
static double circle_momentum(const ph_discrete *d, const ph_part *f, double *const Lz[2],
                              double *const Lv[2])
{
    double p = 0, J[2], Jv[2];
    for (size_t e = 0; e < d->points; e++) {
        quarter(d->at[e] + f->z, J);
        p += d->weight * dot(2, Lv[e] + f->z, J);
    }
    quarter(d->at[0] + f->z, J);
    quarter(d->speed[0] + f->z, Jv);
    return p - 0.5 * d->H * (dot(2, Lz[0] + f->z, J) + dot(2, Lv[0] + f->z, Jv));
}

static double circle_bend(const ph_discrete *d, const ph_part *f)
{
    double p = 0, dat[2][2], dspeed[2][2], J[2], Jv[2];
    circle_place_along(d, f, (double *[2]){dat[0], dat[1]}, (double *[2]){dspeed[0], dspeed[1]});
    for (size_t e = 0; e < d->points; e++) {
        quarter(dat[e], J);
        p += d->weight * dot(2, d->Lv[e] + f->z, J);
    }
    quarter(dat[0], J);
    quarter(dspeed[0], Jv);
    return p - 0.5 * d->H * (dot(2, d->Lz[0] + f->z, J) + dot(2, d->Lv[0] + f->z, Jv));
}

/* ---- Exponential on S^2 ---------------------------------------------------------------------------- */

/* w <- z x E y, the turn for y */
static void sphere_turn(const ph_discrete *d, const ph_part *f, double w[3])
{
    const double *E = d->E + f->e, *y = d->y + f->x;
    double u[3];
    for (int k = 0; k < 3; k++)
        u[k] = E[k] * y[0] + E[3 + k] * y[1];
    ph_cross3(d->z + f->z, u, w);
}

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

/* q <- H L_z + L_v x turn */
static void sphere_push(const ph_discrete *d, const double *Lz, const double *Lv, const double turn[3],
                        double q[3])
{
    for (int k = 0; k < 3; k++)
        q[k] = d->H * Lz[k];
    add_cross(Lv, turn, 1, q);
}

/* See the file's head; k = 1/a, and k' (b . z x z+) = (c/a^2) (b . f). */
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

/* r += the part from the map itself along y_b */
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

/* ---- Exponential on SO(3) -------------------------------------------------------------------------- */

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

/* ---- The whole ------------------------------------------------------------------------------------- */

void ph_discrete_place(ph_discrete *d, double s, const double *y)
{
    size_t nx = ph_space_dimension(d->space);
    d->s = s;
    d->H = s * d->h;
    d->y = y;
    for (size_t a = 0; a < nx; a++)
        d->x[a] = s * y[a];
    ph_increments(d->space, d->parts, d->z, d->low, d->E, d->x, d->D);
    for (size_t k = 0; k < d->nz; k++) {
        d->z1[k] = d->z[k] + d->D[k];
        d->v[k] = s != 0 ? d->D[k] / d->H : 0;
    }
    for (const ph_part *f = d->parts; f < d->parts + d->n; f++) {
        for (size_t k = f->z; d->low && f->kind == PH_FACTOR_EMBEDDED && k < f->z + f->nz; k++)
            d->z1[k] = d->z[k] + (d->low[k] + d->D[k]); /* as it is kept */
        for (size_t k = 0; s == 0 && k < f->nz; k++)
            for (size_t a = 0; a < f->nx; a++)
                d->v[f->z + k] += d->E[f->e + a * f->nz + k] * y[f->x + a] / d->h;
        switch (family_of(d, f)) {
        case CHORD:
            chord_place(d, f);
            break;
        case NORMALISED:
            normalised_place(d, f);
            break;
        case EXPONENTIAL:
            if (f->kind == PH_FACTOR_S1)
                circle_place(d, f);
            else if (f->kind == PH_FACTOR_S2)
                sphere_place(d, f);
            else
                body_place(d, f);
            break;
        }
    }
}

bool ph_discrete_replace(ph_discrete *d)
{
    bool any = false;
    for (const ph_part *f = d->parts; f < d->parts + d->n; f++) {
        if (f->kind != PH_FACTOR_EMBEDDED)
            continue;
        any = true;
        for (size_t k = f->z; k < f->z + f->nz; k++)
            d->v[k] = d->D[k] / d->H;
        chord_place(d, f);
    }
    return any;
}

void ph_discrete_linearise(ph_discrete *d)
{
    ph_increment_derivatives(d->space, d->parts, d->z, d->E, d->x, d->D, d->dD);
}

void ph_discrete_place_along(const ph_discrete *d, const ph_part *f, size_t b, double *const dat[2],
                             double *const dspeed[2])
{
    switch (family_of(d, f)) {
    case CHORD:
        chord_place_along(d, f, b, dat, dspeed);
        break;
    case NORMALISED:
        normalised_place_along(d, f, b, dat, dspeed);
        break;
    case EXPONENTIAL:
        if (f->kind == PH_FACTOR_S1)
            circle_place_along(d, f, dat, dspeed);
        else if (f->kind == PH_FACTOR_S2)
            sphere_place_along(d, f, b, dat, dspeed);
        else
            body_place_along(d, f, b, dat, dspeed);
        break;
    }
}

/* r (nx of f) <- the linear map of L_z, L_v */
static void momentum_of(const ph_discrete *d, const ph_part *f, double *const Lz[2], double *const Lv[2],
                        double *r)
{
    switch (family_of(d, f)) {
    case CHORD:
        chord_momentum(d, f, Lz, Lv, r);
        break;
    case NORMALISED:
        normalised_momentum(d, f, Lz[0], Lv[0], r);
        break;
    case EXPONENTIAL:
        if (f->kind == PH_FACTOR_S1)
            r[0] = circle_momentum(d, f, Lz, Lv);
        else if (f->kind == PH_FACTOR_S2)
            sphere_momentum(d, f, Lz, Lv, r);
        else
            body_momentum(d, f, Lz, Lv, r);
        break;
    }
}

void ph_discrete_momentum(const ph_discrete *d, double *r)
{
    for (const ph_part *f = d->parts; f < d->parts + d->n; f++)
        momentum_of(d, f, d->Lz, d->Lv, r + f->x);
}

void ph_discrete_momentum_along(const ph_discrete *d, const ph_part *f, double *const dLz[2],
                                double *const dLv[2], const ph_part *own, size_t b, double *dr)
{
    momentum_of(d, f, dLz, dLv, dr);
    if (f != own)
        return;
    switch (family_of(d, f)) {
    case CHORD:
        break;
    case NORMALISED:
        normalised_bend(d, f, b, dr);
        break;
    case EXPONENTIAL:
        if (f->kind == PH_FACTOR_S1)
            dr[0] += circle_bend(d, f);
        else if (f->kind == PH_FACTOR_S2)
            sphere_bend(d, f, b, dr);
        else
            body_bend(d, f, b, dr);
        break;
    }
}

void ph_discrete_turn(const ph_discrete *d, double *dS)
{
    memset(dS, 0, ph_space_momenta(d->space) * sizeof *dS);
    for (const ph_part *f = d->parts; f < d->parts + d->n; f++)
        for (size_t e = 0; e < d->points; e++) {
            double share = d->weight * d->H;
            ph_add_moment(f, d->at[e] + f->z, d->Lz[e] + f->z, share, dS + f->p);
            if (f->kind != PH_FACTOR_R)
                ph_add_moment(f, d->speed[e] + f->z, d->Lv[e] + f->z, share, dS + f->p);
        }
}

void ph_discrete_push(const ph_discrete *d, const ph_part *f, double *push)
{
    for (size_t k = 0; k < f->nz; k++) {
        push[k] = 0;
        for (size_t e = 0; e < d->points; e++)
            push[k] += d->weight * d->H * d->Lz[e][f->z + k];
    }
}
