/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves of a step of `galerkin`, their points, and derivatives of L_d along them: see curve.h. */
#include <polhode/algebra.h>

#include "curve.h"

#include <string.h>

/* ---- Gauss' rules --------------------------------------------------------------------------------- */

void ph_gauss_fill(ph_gauss *g, size_t points)
{
    static const double nodes[][2] = {{0.288675134594812882254574390250978728},
                                      {0.387298334620741688517926539978239961},
                                      {0.430568155797026287611959334119302080,
                                       0.169990521792428132400550716213136390}},
                        weights[][2] = {
                            {0.5},
                            {5. / 18},
                            {0.173927422568726928686531974610999703, 0.326072577431273071313468025389000297}};
    *g = (ph_gauss){.points = points};
    for (size_t i = 0; i < points; i++) {
        size_t mirrored = points - 1 - i, j = i < mirrored ? i : mirrored;
        bool middle = i == mirrored;
        g->node[i] = middle ? 0 : i < mirrored ? -nodes[points - 2][j] : nodes[points - 2][j];
        g->weight[i] = middle ? 4. / 9 : weights[points - 2][j];
        /* (k + 1) P_{k+1} = (2k + 1) x P_k - k P_{k-1};  2 (2k + 1) phi_k = P_{k+1} - P_{k-1} */
        double x = 2 * g->node[i], before = 1, P = x;
        g->phi[0][i] = x;
        g->slope[0][i] = 2;
        for (size_t k = 1; k < points; k++) {
            double n = (double)k, next = ((2 * n + 1) * x * P - n * before) / (n + 1);
            g->slope[k][i] = P;
            g->phi[k][i] = (next - before) / (2 * (2 * n + 1));
            before = P;
            P = next;
        }
    }
}

/* ---- Rotations: coordinates and coefficients -------------------------------------------------------- */

static bool turns(const ph_part *f)
{
    return f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_SO3;
}

/* Rotation vector of tangent coordinates; on S^2 w x e_3 = (x_1, x_2, 0). */
static void curve_lift(const ph_part *f, const double *x, double w[3])
{
    bool sphere = f->kind == PH_FACTOR_S2;
    w[0] = sphere ? -x[1] : x[0];
    w[1] = sphere ? x[0] : x[1];
    w[2] = sphere ? 0 : x[2];
}

/* What acts on tangent coordinates as m acts on rotation vectors; of a rotation vector its coordinates. */
static void curve_drop(const ph_part *f, const double m[3], double *x)
{
    bool sphere = f->kind == PH_FACTOR_S2;
    x[0] = sphere ? m[1] : m[0];
    x[1] = sphere ? -m[0] : m[1];
    if (!sphere)
        x[2] = m[2];
}

/* psi_k = 1/k! - x psi_{k+2}: down where x is small, up where it is not. */
static void find_psi(double x, double psi[6])
{
    static const double series4[] = {1. / 24,
                                     1. / 720,
                                     1. / 40320,
                                     1. / 3628800,
                                     1. / 479001600,
                                     1. / 87178291200.,
                                     1. / 20922789888000.,
                                     1. / 6402373705728000.,
                                     1. / 2432902008176640000.,
                                     1. / 1124000727777607680000.},
                        series5[] = {1. / 120,
                                     1. / 5040,
                                     1. / 362880,
                                     1. / 39916800,
                                     1. / 6227020800.,
                                     1. / 1307674368000.,
                                     1. / 355687428096000.,
                                     1. / 121645100408832000.,
                                     1. / 51090942171709440000.,
                                     1. / 25852016738884976640000.};
    if (x < 4) {
        psi[4] = psi[5] = 0;
        for (int j = x < 0.25 ? 6 : 9; j >= 0; j--) {
            psi[4] = series4[j] - x * psi[4];
            psi[5] = series5[j] - x * psi[5];
        }
        psi[3] = 1. / 6 - x * psi[5];
        psi[2] = 0.5 - x * psi[4];
        psi[1] = 1 - x * psi[3];
        psi[0] = 1 - x * psi[2];
    } else {
        double t = sqrt(x), half = sin(0.5 * t);
        psi[0] = cos(t);
        psi[1] = sin(t) / t;
        psi[2] = 2 * half * half / x;
        psi[3] = (1 - psi[1]) / x;
        psi[4] = (0.5 - psi[2]) / x;
        psi[5] = (1. / 6 - psi[3]) / x;
    }
}

/* dpsi_k/dx */
static double slope_of_psi(const double psi[6], int k)
{
    return 0.5 * (k * psi[k + 2] - psi[k + 1]);
}

/* out <- m + sign b xi x m + d xi x (xi x m), b = psi_2, d = psi_3: T(xi) m for sign -1, T(xi)^T m for 1 */
static void apply_T(const ph_turn_point *o, double sign, const double m[3], double out[3])
{
    double once[3], twice[3];
    ph_cross3(o->xi, m, once);
    ph_cross3(o->xi, once, twice);
    for (int k = 0; k < 3; k++)
        out[k] = m[k] + (sign * o->psi[2] * once[k] + o->psi[3] * twice[k]);
}

/* ---- Places ----------------------------------------------------------------------------------------- */

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

/* q = (psi_1 xi, psi_0) in the frame of the middle */
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

/* Compiled for each number of points and kind of factor: loops of constant length take half the time. */
#define PH_FOR_POINTS(call, ...)                                                                             \
    do {                                                                                                     \
        const bool sphere = f->kind == PH_FACTOR_S2;                                                         \
        switch (c->gauss->points) {                                                                          \
        case 2:                                                                                              \
            sphere ? call(__VA_ARGS__, 2, true) : call(__VA_ARGS__, 2, false);                               \
            break;                                                                                           \
        case 3:                                                                                              \
            sphere ? call(__VA_ARGS__, 3, true) : call(__VA_ARGS__, 3, false);                               \
            break;                                                                                           \
        default:                                                                                             \
            sphere ? call(__VA_ARGS__, 4, true) : call(__VA_ARGS__, 4, false);                               \
        }                                                                                                    \
    } while (0)

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

/* ---- Derivatives of L_d ----------------------------------------------------------------------------- */

/* L_d's derivatives at a point of SO(3): by xidot, by xi, and the torque as seen from the surroundings. */
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

/* The same on S^2: L at (psi_1 xi, psi_0) with velocity (psi_1 u + 2 psi_1' (xi.u) xi, -psi_1 (xi.u)). */
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

/* The coordinate x_a of a linear factor: Pi = E_a . L_v, M = E_a . L_z; on S^1 the same at J z, J zdot. */
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

/* ---- A curve with given velocities -------------------------------------------------------------------- */

/* y_k of a factor <- for xidot = u (points x 3) */
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

/* xidot <- for the angular velocity that is wanted at a point whose xi is known about: on SO(3) from
 * omega = T(xi) xidot, on S^2 from qdot = omega x q. */
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

/* By repeated substitution: each pass gains a factor of about |xi|. */
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
