/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of the action L_d along the curves of a step (curve.h): the residual, and the change of the
 * momentum. */
#include "turns.h"

#include <string.h>

/* The terms of a point of SO(3) in the derivatives of L_d: by_rate <- T^T Pi, by xidot; by_place <- T^T M +
 * (domega/dxi)^T Pi, by xi; torque <- exp(xi) M in the frame of the surroundings. */
static void differentiate_rotation(const ph_turn_point *at, const double *Lz, const double *Lv,
                                   double by_rate[3], double by_place[3], double torque[3])
{
    double Pi[3], M[3], turn[3];
    ph_body_moment(at->R, Lv, Pi);
    ph_body_moment(at->R, Lz, M);
    ph_add_spin_moment(at->R, Lv, at->omega, M);
    ph_apply3(at->R, M, torque);
    apply_T(at, 1, Pi, by_rate);
    apply_T(at, 1, M, by_place);
    /* (domega/dxi)^T Pi: the gradient of Pi.u - b Pi.(xi x u) + d {(Pi.xi)(xi.u) - (Pi.u) xi^2} */
    const double b = at->psi[2], d = at->psi[3], db = slope_of_psi(at->psi, 2), dd = slope_of_psi(at->psi, 3),
                 px = ph_dot3(Pi, at->xi), xu = ph_dot3(at->xi, at->u), pu = ph_dot3(Pi, at->u);
    ph_cross3(at->u, Pi, turn);
    const double along =
        2 * (dd * (px * xu - pu * ph_dot3(at->xi, at->xi)) - db * ph_dot3(turn, at->xi) - d * pu);
    for (int k = 0; k < 3; k++)
        by_place[k] += along * at->xi[k] + (d * (xu * Pi[k] + px * at->u[k]) - b * turn[k]);
}

/* The same on S^2, as seen from the middle: L at (psi_1 xi, psi_0) with velocity (psi_1 u + 2 psi_1' (xi.u)
 * xi, -psi_1 (xi.u)). */
static void differentiate_sphere(const ph_turn *o, const ph_turn_point *at, const double *Lz,
                                 const double *Lv, double by_rate[3], double by_place[3], double torque[3])
{
    const double *psi = at->psi, *x = at->xi, *u = at->u, a = psi[1], da = slope_of_psi(psi, 1),
                 dda = 0.5 * (slope_of_psi(psi, 3) - slope_of_psi(psi, 2)), w = x[0] * u[0] + x[1] * u[1];
    double g[3], l[3], turn[3], spin[3];
    ph_apply_transposed3(o->middle, Lz, g);
    ph_apply_transposed3(o->middle, Lv, l);
    const double xg = x[0] * g[0] + x[1] * g[1], xl = x[0] * l[0] + x[1] * l[1],
                 ul = u[0] * l[0] + u[1] * l[1],
                 along = 2 * (da * (xg + ul) + 2 * dda * w * xl - da * w * l[2]) - a * g[2];
    for (int k = 0; k < 2; k++) {
        by_rate[k] = a * l[k] + (2 * da * xl - a * l[2]) * x[k];
        by_place[k] = a * g[k] + along * x[k] + 2 * da * (w * l[k] + xl * u[k]) - a * l[2] * u[k];
    }
    ph_cross3(at->q, g, turn);
    ph_cross3(at->qdot, l, spin);
    for (int k = 0; k < 3; k++)
        turn[k] += spin[k];
    ph_apply3(o->middle, turn, torque);
}

/* sum_i b_i {phi_k' by_rate + H phi_k by_place} for all k; for k = 0 less 2 T(2a) p + H T(a) (sum of
 * torques), which are the other terms of dL_d/dy_0 = 0 (curve.h). `scale` is the sum of the magnitudes of all
 * terms of the factor. */
static inline void turn_residual_of(const ph_curve *c, const ph_part *f, double *r, double *scale,
                                    size_t points, bool sphere)
{
    const ph_gauss *g = c->gauss;
    const ph_turn *o = c->turns + f->i;
    const size_t nx = sphere ? 2 : 3;
    double rate[PH_GAUSS_MOST][3] = {{0}}, push[PH_GAUSS_MOST][3] = {{0}}, torque[3] = {0, 0, 0}, size = 0;
    for (size_t i = 0; i < points; i++) {
        const double *Lz = c->Lz[i] + f->z, *Lv = c->Lv[i] + f->z;
        double by_rate[3] = {0}, by_place[3] = {0}, own[3];
        if (sphere)
            differentiate_sphere(o, o->point + i, Lz, Lv, by_rate, by_place, own);
        else
            differentiate_rotation(o->point + i, Lz, Lv, by_rate, by_place, own);
        for (int a = 0; a < 3; a++)
            torque[a] += g->weight[i] * own[a];
        for (size_t a = 0; a < nx; a++) {
            by_rate[a] *= g->weight[i];
            by_place[a] *= g->weight[i];
            size += fabs(by_rate[a]) + fabs(c->H * by_place[a]);
            for (size_t k = 0; k < points; k++) {
                rate[k][a] += g->slope[k][i] * by_rate[a];
                push[k][a] += g->phi[k][i] * by_place[a];
            }
        }
    }
    double p[3], T2p[3], turn[3], Tturn[3], twice[3] = {2 * o->a[0], 2 * o->a[1], 2 * o->a[2]}, first[3];
    curve_lift(f, c->pE + f->x, p);
    ph_dexp3(twice, p, T2p);
    ph_apply_transposed3(o->middle, torque, turn);
    ph_dexp3(o->a, turn, Tturn);
    for (int a = 0; a < 3; a++)
        first[a] = 2 * T2p[a] + c->H * Tturn[a];
    curve_drop(f, first, p);
    size = 2 * size + fabs(first[0]) + fabs(first[1]) + fabs(first[2]);
    for (size_t k = 0; k < points; k++)
        for (size_t a = 0; a < nx; a++) {
            r[k * c->nx + f->x + a] = rate[k][a] + c->H * push[k][a] - (k ? 0 : p[a]);
            scale[k * c->nx + f->x + a] = size;
        }
}

static void turn_residual(const ph_curve *c, const ph_part *f, double *r, double *scale)
{
    PH_FOR_POINTS(turn_residual_of, c, f, r, scale);
}

/* The same for coordinate x_a of a linear factor at point i: Pi = E_a . L_v, M = E_a . L_z; on S^1 with the
 * tangent vectors J z and J zdot in the place of E_a. */
static void linear_moments(const ph_curve *c, const ph_part *f, size_t i, size_t a, double *Pi, double *M)
{
    const double *Lz = c->Lz[i] + f->z, *Lv = c->Lv[i] + f->z;
    if (f->kind == PH_FACTOR_S1) {
        const double *z = c->at[i] + f->z, *v = c->speed[i] + f->z;
        *Pi = z[0] * Lv[1] - z[1] * Lv[0];
        *M = z[0] * Lz[1] - z[1] * Lz[0] + (v[0] * Lv[1] - v[1] * Lv[0]);
        return;
    }
    const double *row = c->E + f->e + a * f->nz;
    *Pi = ph_row_dot(f, row, c->Lv[i]);
    *M = ph_row_dot(f, row, c->Lz[i]);
}

/* The same where T = 1. */
static void linear_residual(const ph_curve *c, const ph_part *f, double *r, double *scale)
{
    const ph_gauss *g = c->gauss;
    double size = 0;
    for (size_t a = 0; a < f->nx; a++) {
        double rate[PH_GAUSS_MOST] = {0}, push[PH_GAUSS_MOST] = {0}, own = 0, all = 0;
        for (size_t i = 0; i < g->points; i++) {
            double Pi, M;
            linear_moments(c, f, i, a, &Pi, &M);
            Pi *= g->weight[i];
            M *= g->weight[i];
            all += M;
            own += 2 * (fabs(Pi) + fabs(c->H * M));
            for (size_t k = 0; k < g->points; k++) {
                rate[k] += g->slope[k][i] * Pi;
                push[k] += g->phi[k][i] * M;
            }
        }
        const double first = 2 * c->pE[f->x + a] + c->H * all;
        for (size_t k = 0; k < g->points; k++)
            r[k * c->nx + f->x + a] = rate[k] + c->H * push[k] - (k ? 0 : first);
        size = fmax(size, own + fabs(first));
    }
    for (size_t k = 0; k < g->points; k++)
        for (size_t a = 0; a < f->nx; a++)
            scale[k * c->nx + f->x + a] = size;
}

void ph_curve_residual(const ph_curve *c, double *r, double *scale)
{
    for (const ph_part *f = c->parts; f < c->parts + c->n; f++)
        if (turns(f))
            turn_residual(c, f, r, scale);
        else
            linear_residual(c, f, r, scale);
}

void ph_curve_turn(const ph_curve *c, double *dS)
{
    memset(dS, 0, c->np * sizeof *dS);
    for (size_t i = 0; i < c->gauss->points; i++) {
        ph_add_moments(c->space, c->parts, c->at[i], c->Lz[i], c->gauss->weight[i], dS);
        for (const ph_part *f = c->parts; f < c->parts + c->n; f++)
            if (f->kind != PH_FACTOR_R)
                ph_add_moment(f, c->speed[i] + f->z, c->Lv[i] + f->z, c->gauss->weight[i], dS + f->p);
    }
    for (size_t k = 0; k < c->np; k++)
        dS[k] *= c->H;
}
