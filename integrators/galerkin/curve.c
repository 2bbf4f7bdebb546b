/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves of a step of `galerkin` (curve.h): their points, and the curve that has given velocities there. */
#include "turns.h"

#include <string.h>

/* ---- Places ----------------------------------------------------------------------------------------- */

/* base <- the columns (e_1, e_2, q) of S^2, or the rotation itself. */
static void curve_frame(const ph_part *f, const double *z, const double *E, double base[9])
{
    if (f->kind == PH_FACTOR_SO3) {
        memcpy(base, z + f->z, 9 * sizeof *base);
        return;
    }
    for (int k = 0; k < 3; k++) {
        base[3 * k] = E[f->e + k];
        base[3 * k + 1] = E[f->e + 3 + k];
        base[3 * k + 2] = z[f->z + k];
    }
}

/* a, base and middle of a turning factor for unknowns y. */
static void curve_find_middle(const ph_curve *c, const ph_part *f, double s, const double *y, ph_turn *o)
{
    double F[9];
    curve_frame(f, c->z, c->E, o->base);
    curve_lift(f, y + f->x, o->a);
    for (int k = 0; k < 3; k++)
        o->a[k] *= s;
    ph_exp3(o->a, F);
    ph_multiply3(o->base, F, o->middle);
}

/* xi and xidot of a point (nx): s sum_k phi_k y_k, sum_k phi_k' y_k / h. */
static inline void curve_gather(const ph_curve *c, size_t points, size_t nx, size_t i, const double *y,
                                double *xi, double *u)
{
    const ph_gauss *g = c->gauss;
    for (size_t a = 0; a < nx; a++) {
        double x = 0, rate = 0;
        for (size_t k = 0; k < points; k++) {
            x += g->phi[k][i] * y[k * c->nx + a];
            rate += g->slope[k][i] * y[k * c->nx + a];
        }
        xi[a] = c->s * x;
        u[a] = rate / c->h;
    }
}

/* R = middle exp(S(xi)) by Rodrigues' formula, omega = T(xi) xidot, Rdot = R S(omega). */
static void place_rotation(const ph_turn *o, ph_turn_point *at, double *z, double *v)
{
    apply_T(at, -1, at->u, at->omega);
    for (int row = 0; row < 9; row += 3) { /* r^T exp S(xi), r^T S(w) = r x w */
        double once[3], twice[3];
        ph_cross3(o->middle + row, at->xi, once);
        ph_cross3(once, at->xi, twice);
        for (int k = 0; k < 3; k++)
            z[row + k] = at->R[row + k] = o->middle[row + k] + (at->psi[1] * once[k] + at->psi[2] * twice[k]);
        ph_cross3(at->R + row, at->omega, v + row);
    }
}

/* q = (psi_1 xi, psi_0) in the frame of the middle, and qdot. */
static void place_sphere(const ph_turn *o, ph_turn_point *at, double *z, double *v)
{
    const double *psi = at->psi, w = at->xi[0] * at->u[0] + at->xi[1] * at->u[1];
    for (int k = 0; k < 2; k++) {
        at->q[k] = psi[1] * at->xi[k];
        at->qdot[k] = psi[1] * at->u[k] + 2 * slope_of_psi(psi, 1) * w * at->xi[k];
    }
    at->q[2] = psi[0];
    at->qdot[2] = -psi[1] * w;
    ph_apply3(o->middle, at->q, z);
    ph_apply3(o->middle, at->qdot, v);
}

/* All points of a turning factor. */
static inline void place_turn_of(ph_curve *c, const ph_part *f, const double *y, size_t points, bool sphere)
{
    ph_turn *o = c->turns + f->i;
    curve_find_middle(c, f, c->s, y, o);
    for (size_t i = 0; i < points; i++) {
        ph_turn_point *at = o->point + i;
        curve_gather(c, points, sphere ? 2 : 3, i, y + f->x, at->xi, at->u);
        const double x = at->xi[0] * at->xi[0] + at->xi[1] * at->xi[1];
        if (sphere) {
            find_psi(x, at->psi);
            place_sphere(o, at, c->at[i] + f->z, c->speed[i] + f->z);
        } else {
            find_psi(x + at->xi[2] * at->xi[2], at->psi);
            place_rotation(o, at, c->at[i] + f->z, c->speed[i] + f->z);
        }
    }
}

static void place_turn(ph_curve *c, const ph_part *f, const double *y)
{
    PH_FOR_POINTS(place_turn_of, c, f, y);
}

/* On S^1 and R^d the chart is the same everywhere. */
static void place_linear(ph_curve *c, const ph_part *f, const double *y)
{
    for (size_t i = 0; i < c->gauss->points; i++) {
        const double *q = c->z + f->z, *E = c->E + f->e;
        double *z = c->at[i] + f->z, *v = c->speed[i] + f->z;
        if (f->kind == PH_FACTOR_S1) {
            double angle, rate;
            curve_gather(c, c->gauss->points, 1, i, y + f->x, &angle, &rate);
            angle += c->s * y[f->x];
            z[0] = cos(angle) * q[0] - sin(angle) * q[1];
            z[1] = sin(angle) * q[0] + cos(angle) * q[1];
            v[0] = -z[1] * rate;
            v[1] = z[0] * rate;
            continue;
        }
        memcpy(z, q, f->nz * sizeof *z);
        memset(v, 0, f->nz * sizeof *v);
        for (size_t a = 0; a < f->nx; a++) {
            double x, u;
            curve_gather(c, c->gauss->points, 1, i, y + f->x + a, &x, &u);
            x += c->s * y[f->x + a];
            for (size_t k = 0; k < f->nz; k++) {
                z[k] += x * E[a * f->nz + k];
                v[k] += u * E[a * f->nz + k];
            }
        }
    }
}

void ph_curve_place(ph_curve *c, double s, const double *y)
{
    c->s = s;
    c->H = s * c->h;
    for (const ph_part *f = c->parts; f < c->parts + c->n; f++)
        if (turns(f))
            place_turn(c, f, y);
        else
            place_linear(c, f, y);
}

void ph_curve_middle(const ph_curve *c, const double *y, double *z, double *E)
{
    for (const ph_part *f = c->parts; f < c->parts + c->n; f++) {
        const double *q = c->z + f->z, *R = c->turns[f->i].middle;
        double *mid = z + f->z, *rows = E + f->e, angle = c->s * y[f->x];
        switch (f->kind) {
        case PH_FACTOR_S2:
            for (int k = 0; k < 3; k++) {
                rows[k] = R[3 * k];
                rows[3 + k] = R[3 * k + 1];
                mid[k] = R[3 * k + 2];
            }
            break;
        case PH_FACTOR_SO3:
            memcpy(mid, R, 9 * sizeof *R);
            for (int a = 0; a < 3; a++)
                for (int k = 0; k < 3; k++) {
                    const double unit[3] = {a == 0, a == 1, a == 2};
                    ph_cross3(R + 3 * k, unit, rows + 9 * a + 3 * k);
                }
            break;
        case PH_FACTOR_S1:
            mid[0] = cos(angle) * q[0] - sin(angle) * q[1];
            mid[1] = sin(angle) * q[0] + cos(angle) * q[1];
            rows[0] = -mid[1];
            rows[1] = mid[0];
            break;
        default:
            memcpy(rows, c->E + f->e, f->nx * f->nz * sizeof *rows);
            memcpy(mid, q, f->nz * sizeof *mid);
            for (size_t a = 0; a < f->nx; a++)
                for (size_t k = 0; k < f->nz; k++)
                    mid[k] += c->s * y[f->x + a] * rows[a * f->nz + k];
        }
    }
}

/* ---- A curve with given velocities -------------------------------------------------------------------- */

/* y_k of a factor <- those of the curve with xidot = u (points x 3), by the orthogonality of phi_k' under the
 * rule. */
static void curve_project(const ph_curve *c, const ph_part *f, double (*u)[3], double *y)
{
    const ph_gauss *g = c->gauss;
    for (size_t k = 0; k < g->points; k++)
        for (size_t a = 0; a < f->nx; a++) {
            double sum = 0;
            for (size_t i = 0; i < g->points; i++)
                sum += g->weight[i] * g->slope[k][i] * u[i][a];
            y[k * c->nx + f->x + a] = c->h * sum * (k ? 2 * (double)k + 1 : 0.25);
        }
}

/* at->u, that is xidot, <- an approximation for the angular velocity `wanted`, with the xi that was found so
 * far: on SO(3) from omega = T(xi) xidot, on S^2 from qdot = omega x q. */
static void curve_find_rate(const ph_turn *o, const ph_part *f, const double *wanted, ph_turn_point *at)
{
    if (f->kind == PH_FACTOR_SO3) {
        double now[3];
        apply_T(at, -1, at->u, now);
        for (int k = 0; k < 3; k++)
            at->u[k] += wanted[k] - now[k];
        return;
    }
    double w[3], v[3], a = at->psi[1], q[3] = {a * at->xi[0], a * at->xi[1], at->psi[0]};
    ph_apply_transposed3(o->middle, wanted, w);
    ph_cross3(w, q, v);
    for (int k = 0; k < 2; k++)
        at->u[k] = (v[k] + 2 * slope_of_psi(at->psi, 1) / a * v[2] * at->xi[k]) / a;
}

/* By repeated substitution: each one reduces the error by a factor of about |xi|. */
static void fit_turn(ph_curve *c, const ph_part *f, const double *w, double *y)
{
    enum { PASSES = 2 };
    ph_turn *o = c->turns + f->i;
    for (size_t k = 0; k < c->gauss->points; k++)
        memset(y + k * c->nx + f->x, 0, f->nx * sizeof *y);
    for (int pass = 0; pass < PASSES; pass++) {
        double u[PH_GAUSS_MOST][3];
        curve_find_middle(c, f, 1, y, o);
        for (size_t i = 0; i < c->gauss->points; i++) {
            ph_turn_point *at = o->point + i;
            double x = 0;
            curve_gather(c, c->gauss->points, f->nx, i, y + f->x, at->xi, at->u);
            for (size_t a = 0; a < f->nx; a++)
                x += at->xi[a] * at->xi[a];
            find_psi(x, at->psi);
            curve_find_rate(o, f, w + i * c->np + f->p, at);
            memcpy(u[i], at->u, sizeof u[i]);
        }
        curve_project(c, f, u, y);
    }
}

/* S^1 and R^d need no iteration: their velocities are linear in y. */
void ph_curve_fit(ph_curve *c, const double *w, double *y)
{
    c->s = 1;
    for (const ph_part *f = c->parts; f < c->parts + c->n; f++) {
        if (turns(f)) {
            fit_turn(c, f, w, y);
            continue;
        }
        for (size_t a = 0; a < f->nx; a++) {
            const double *row = c->E + f->e + a * f->nz;
            double u[PH_GAUSS_MOST], square = f->kind == PH_FACTOR_R ? 0 : 1;
            const ph_gauss *g = c->gauss;
            for (size_t k = 0; f->kind == PH_FACTOR_R && k < f->nz; k++)
                square += row[k] * row[k];
            for (size_t i = 0; i < g->points; i++) {
                const double *own = w + i * c->np + f->p;
                u[i] = f->kind == PH_FACTOR_R ? 0 : own[0];
                for (size_t k = 0; f->kind == PH_FACTOR_R && k < f->nz; k++)
                    u[i] += row[k] * own[k] / square;
            }
            for (size_t k = 0; k < g->points; k++) {
                double sum = 0;
                for (size_t i = 0; i < g->points; i++)
                    sum += g->weight[i] * g->slope[k][i] * u[i];
                y[k * c->nx + f->x + a] = c->h * sum * (k ? 2 * (double)k + 1 : 0.25);
            }
        }
    }
}
