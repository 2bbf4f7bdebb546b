/* SPDX-License-Identifier: BSD-3-Clause */
/* The lifted field of any system, stage by stage, from its Lagrangian on the manifold: with zhat = q/|q|, the momenta pi = q x p, and
 * h(z, pi) the energy,
 *     H(q, p) = h(q/|q|, q x p),     q' = omega x q,     p' = omega x p + (I - zhat zhat^T) (L_z - omega x L_v) / |q|,
 * where zdot = omega x zhat is the velocity of (zhat, pi), and L_z has the forces. Likewise on S^1; and on SO(3)
 *     x' = (1/2) x Omega,     y' = (1/2) y Omega + 2 x tau / |x|^2,     tau the moment of L_z - L_v S(Omega).
 * It keeps p.q as well as |q|^2. Spins turn by x' = (1/2) omega x, omega the gradient of H(s)/Gamma without its part along s, less
 * damping lambda s x dH/ds.
 *
 * Of a general Lagrangian the velocity of a momentum is not known in closed form. Each stage keeps an angular velocity, which a sweep
 * corrects by K (pi - pi(L_v)), K the inverse of L_vv at the beginning of the step, so that it converges with the stages: a sweep calls
 * the gradient of L once a stage. */
#include "gauss.h"

#include <polhode/kit/solve.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

typedef struct points_own {
    double *y, *dy;                 /* (D) a stage */
    double *z, *zdot, *Lz, *Lv, *f; /* (nz) */
    double *p, *omega;              /* (np) */
    double *work;
    bool forced, uniform, general;
    ph_lanes_systems
        of; /* of a general Lagrangian: where its gradient is evaluated at all stages at once, ... */
    bool together, taken;  /* ... is it, and has it been? */
    double *at, *slopes;   /* (16 nz) z, zdot; Lz, Lv of all */
    double *turning;       /* (lanes np) of a general Lagrangian: angular velocities of stages, ... */
    double *K;             /* (np x np) ... and what corrects them */
    double *E, *A, *basis; /* (basis), (nx x nx), (nx x np): at the beginning of the step */
    int *pivot;            /* (nx) */
} points_own;

static void *points_lay(const ph_system *system, size_t lanes, ph_lay *l)
{
    points_own counted, *placed = ph_lay_bytes(l, sizeof counted), *own = placed ? placed : &counted;
    const ph_space *space = ph_system_space(system);
    const size_t nz = ph_space_ambient(space), np = ph_space_algebra(space),
                 D = 2 * ph_gauss_parts(space, NULL);
    double **all[] = {&own->z, &own->zdot, &own->Lz, &own->Lv, &own->f};
    own->y = ph_lay_doubles(l, D);
    own->dy = ph_lay_doubles(l, D);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = ph_lay_doubles(l, nz);
    own->p = ph_lay_doubles(l, np);
    own->omega = ph_lay_doubles(l, np);
    own->work = ph_lay_doubles(l, ph_system_work(system));
    if (ph_system_kind(system) == PH_LAGRANGIAN_GENERAL) {
        const size_t nx = ph_space_dimension(space);
        own->at = ph_lay_line(l, 2 * GAUSS_STAGES * nz * sizeof(double));
        own->slopes = ph_lay_line(l, 2 * GAUSS_STAGES * nz * sizeof(double));
        own->of.work = ph_lay_doubles(l, ph_lanes_work(system));
        own->turning = ph_lay_doubles(l, lanes * np);
        own->K = ph_lay_doubles(l, np * np);
        own->E = ph_lay_doubles(l, ph_space_basis_size(space));
        own->A = ph_lay_doubles(l, nx * nx);
        own->basis = ph_lay_doubles(l, nx * np);
        own->pivot = ph_lay_bytes(l, nx * sizeof *own->pivot);
    }
    return placed;
}

static ph_status points_init(void *memory, const ph_system *system, size_t lanes)
{
    points_own *own = memory;
    const ph_context one = {.system = system};
    own->forced = ph_system_has_force(system);
    own->uniform = ph_system_inertia_is_uniform(system);
    own->general = ph_system_kind(system) == PH_LAGRANGIAN_GENERAL;
    if (own->general) {
        ph_lanes_place(&own->of, &one, own->of.work);
        own->of.count = lanes;
        own->together = own->of.together & 1u << PH_LANES_LAGRANGIAN_GRADIENT;
        memset(own->at, 0, 2 * GAUSS_STAGES * ph_space_ambient(ph_system_space(system)) * sizeof *own->at);
    }
    return PH_OK;
}

/* tau <- the moment of the covector Lz - Lv S(Omega) at R: vee(R^T mu - mu^T R). */
static void moment_at(const double R[9], const double *Lz, const double *Lv, const double *Omega,
                      double tau[3])
{
    double mu[9], A[9];
    memcpy(mu, Lz, sizeof mu);
    for (int i = 0; i < 3 && Lv; i++) { /* the row a of Lv: a S(Omega) = a x Omega */
        double turn[3];
        ph_cross3(Lv + 3 * i, Omega, turn);
        for (int d = 0; d < 3; d++)
            mu[3 * i + d] -= turn[d];
    }
    ph_transposed_multiply3(R, mu, A);
    ph_vee3(A, tau);
    for (int d = 0; d < 3; d++)
        tau[d] *= 2;
}

/* The rates of one factor. Lv: NULL where the inertia does not depend on where it is. */
static void turn_part(const gauss_part *part, size_t N, const points_own *own, const double *Lv)
{
    const double *q = own->y + part->q, *p = q + N, *z = own->z + part->at.z, *Lz = own->Lz + part->at.z;
    const double *omega = own->omega + part->at.p;
    double *dq = own->dy + part->q, *dp = dq + N, g[3], along = 0, square = 0;
    switch (part->at.kind) {
    case PH_FACTOR_SO3: {
        double tau[3], pushed[4];
        moment_at(z, Lz, Lv, omega, tau);
        ph_gauss_times(0.5, q, omega, dq);
        ph_gauss_times(0.5, p, omega, dp);
        ph_gauss_times(0.5, q, tau, pushed);
        const double f = 4 / ph_dot(q, q, 4);
        for (int d = 0; d < 4; d++)
            dp[d] += f * pushed[d];
        return;
    }
    case PH_FACTOR_S2:
        ph_cross3(omega, q, dq);
        ph_cross3(omega, p, dp);
        ph_cross3(omega, Lv ? Lv : z, g);
        for (int d = 0; d < 3; d++)
            g[d] = Lz[d] - (Lv ? g[d] : 0);
        break;
    case PH_FACTOR_S1:
        dq[0] = -omega[0] * q[1];
        dq[1] = omega[0] * q[0];
        dp[0] = -omega[0] * p[1];
        dp[1] = omega[0] * p[0];
        g[0] = Lz[0] + (Lv ? omega[0] * Lv[1] : 0);
        g[1] = Lz[1] - (Lv ? omega[0] * Lv[0] : 0);
        break;
    default:
        memcpy(dq, own->zdot + part->at.z, part->n * sizeof *dq);
        memcpy(dp, Lz, part->n * sizeof *dp);
        return;
    }
    for (size_t d = 0; d < part->n; d++) {
        along += z[d] * g[d];
        square += q[d] * z[d];
    }
    for (size_t d = 0; d < part->n; d++)
        dp[d] += (g[d] - along * z[d]) / square;
}

/* Angular velocities of all stages <- that of y; K <- the inverse inertia there, W A^-1 W^T with the angular velocities W of a basis. */
static ph_status points_begin(gauss_scratch *w, double t, const double *y)
{
    points_own *own = w->own;
    if (!own->general || w->exact)
        return PH_OK;
    const ph_space *space = ph_system_space(w->system);
    const size_t nx = ph_space_dimension(space), np = ph_space_momenta(space), nz = ph_space_ambient(space);
    ph_gauss_leave(w, y, own->z, own->p);
    ph_status status = ph_gauss_note(
        w, t, "the velocity of a momentum",
        ph_system_velocity_at(w->system, t, own->z, own->p, own->zdot, own->work), own->zdot, nz);
    ph_space_basis(space, own->z, own->E);
    if (!status)
        status = ph_gauss_note(
            w, t, "the second derivative of the Lagrangian",
            ph_system_tangent_inertia(w->system, t, own->z, own->zdot, own->E, own->A, own->work), own->A,
            nx * nx);
    if (status)
        return status;
    for (size_t a = 0; a < nx; a++)
        for (size_t b = 0; b < a; b++)
            own->A[b * nx + a] = own->A[a * nx + b];
    status = ph_gauss_note(w, t, "the inverse of the second derivative of the Lagrangian",
                           ph_lu_factor(nx, own->A, own->pivot, NULL), own->A, 0);
    if (status)
        return status;
    size_t e = 0, a = 0;
    for (size_t i = 0; i < w->n; i++) {
        const ph_factor_place *at = &w->parts[i].at;
        for (size_t k = 0; k < at->nx; k++, a++, e += at->nz) {
            memset(own->f, 0, nz * sizeof *own->f);
            memcpy(own->f + at->z, own->E + e, at->nz * sizeof *own->f);
            ph_space_spin(space, own->z, own->f, own->basis + a * np);
        }
    }
    for (size_t j = 0; j < np; j++) {
        double *column = own->f; /* nx <= nz */
        for (a = 0; a < nx; a++)
            column[a] = own->basis[a * np + j];
        ph_lu_solve(nx, own->A, own->pivot, column);
        for (size_t i = 0; i < np; i++) {
            own->K[i * np + j] = 0;
            for (a = 0; a < nx; a++)
                own->K[i * np + j] += own->basis[a * np + i] * column[a];
        }
    }
    ph_space_spin(space, own->z, own->zdot, own->omega);
    for (size_t k = 0; k < w->tableau.lanes; k++)
        memcpy(own->turning + k * np, own->omega, np * sizeof *own->turning);
    return PH_OK;
}

/* The velocity and the gradient of a general Lagrangian at a stage. */
static ph_status correct(gauss_scratch *w, points_own *own, double t, size_t lane)
{
    const ph_space *space = ph_system_space(w->system);
    const size_t np = ph_space_momenta(space), nz = ph_space_ambient(space);
    double *turning = own->turning + lane * np;
    ph_space_turn(space, own->z, turning, own->zdot);
    ph_status status = PH_OK;
    if (own->taken) {
        ph_gauss_take_stage(own->slopes, nz, lane, own->Lz);
        ph_gauss_take_stage(own->slopes + GAUSS_STAGES * nz, nz, lane, own->Lv);
    } else
        status = ph_system_lagrangian_gradient(w->system, t, own->z, own->zdot, own->Lz, own->Lv, own->work);
    status = ph_gauss_note(w, t, "the gradient of the Lagrangian", status, own->Lz, nz);
    if (status || ph_gauss_note(w, t, "the gradient of the Lagrangian", PH_OK, own->Lv, nz))
        return status ? status : PH_E_NOT_FINITE;
    ph_space_momentum(space, own->z, own->Lv, own->omega);
    for (size_t i = 0; i < np; i++)
        own->omega[i] = own->p[i] - own->omega[i];
    for (size_t i = 0; i < np; i++)
        turning[i] += ph_dot(own->K + i * np, own->omega, np);
    ph_space_turn(space, own->z, turning, own->zdot);
    return PH_OK;
}

static ph_status move(gauss_scratch *w, points_own *own, double t, size_t lane)
{
    const size_t nz = ph_space_ambient(ph_system_space(w->system));
    ph_status status;
    ph_gauss_leave(w, own->y, own->z, own->p);
    if (own->general && !w->exact)
        status = correct(w, own, t, lane);
    else {
        status = ph_gauss_note(w, t, "the velocity of a momentum",
                               ph_system_velocity_at(w->system, t, own->z, own->p, own->zdot, own->work),
                               own->zdot, nz);
        if (!status)
            status = ph_gauss_note(
                w, t, "the gradient of the Lagrangian",
                ph_system_lagrangian_gradient(w->system, t, own->z, own->zdot, own->Lz, own->Lv, own->work),
                own->Lz, nz);
    }
    if (!status && own->forced) {
        status = ph_gauss_note(w, t, "the force", ph_system_force(w->system, t, own->z, own->zdot, own->f),
                               own->f, nz);
        for (size_t d = 0; d < nz; d++)
            own->Lz[d] += own->f[d];
    }
    if (status)
        return status;
    ph_space_spin(ph_system_space(w->system), own->z, own->zdot, own->omega);
    for (size_t i = 0; i < w->n; i++)
        turn_part(&w->parts[i], w->N, own, own->uniform ? NULL : own->Lv + w->parts[i].at.z);
    return PH_OK;
}

static ph_status spin(gauss_scratch *w, points_own *own, double t, size_t lane)
{
    (void)lane;
    const ph_spins *spins = ph_system_spins(w->system);
    ph_gauss_leave(w, own->y, own->z, NULL);
    const ph_status status =
        ph_gauss_note(w, t, "the gradient of the energy", ph_spins_gradient(w->system, t, own->z, own->Lz),
                      own->Lz, 3 * w->n);
    if (status)
        return status;
    for (size_t i = 0; i < w->n; i++) {
        const double *x = own->y + 4 * i, *s = own->z + 3 * i, *g = own->Lz + 3 * i;
        const double along = ph_dot3(s, g), lambda = spins->damping ? spins->damping[i] : 0,
                     over = 1 / ((spins->strengths ? spins->strengths[i] : 1) * ph_dot(x, x, 4));
        double damped[3], omega[3], turn[3], *dx = own->dy + 4 * i;
        ph_cross3(s, g, damped);
        for (int d = 0; d < 3; d++)
            omega[d] = 0.5 * (over * (g[d] - along * s[d]) - lambda * damped[d]);
        ph_cross3(omega, x + 1, turn);
        dx[0] = -ph_dot3(omega, x + 1);
        for (int d = 0; d < 3; d++)
            dx[1 + d] = x[0] * omega[d] + turn[d];
    }
    return PH_OK;
}

static void take_y(const gauss_scratch *w, const double *Y, size_t lane)
{
    const points_own *own = w->own;
    for (size_t d = 0; d < w->D; d++)
        own->y[d] = Y[d * w->tableau.lanes + lane];
}

/* The gradients of a general Lagrangian at all stages, as `correct` takes them. */
static void take_slopes(gauss_scratch *w, double t, double h, const double *Y)
{
    points_own *own = w->own;
    const ph_space *space = ph_system_space(w->system);
    const size_t np = ph_space_momenta(space), nz = ph_space_ambient(space);
    double at[GAUSS_STAGES], *zdot = own->at + GAUSS_STAGES * nz;
    for (size_t lane = 0; lane < GAUSS_STAGES; lane++)
        at[lane] = t + w->tableau.node[lane] * h;
    for (size_t lane = 0; lane < w->tableau.lanes; lane++) {
        take_y(w, Y, lane);
        ph_gauss_leave(w, own->y, own->z, own->p);
        ph_space_turn(space, own->z, own->turning + lane * np, own->zdot);
        ph_gauss_give_stage(own->z, nz, lane, own->at);
        ph_gauss_give_stage(own->zdot, nz, lane, zdot);
    }
    own->taken = !ph_lanes_lagrangian_gradient(&own->of, at, own->at, zdot, own->slopes);
}

static ph_status points_field(gauss_scratch *w, double t, double h, const double *Y, double *F)
{
    points_own *own = w->own;
    const gauss_tableau *of = &w->tableau;
    own->taken = false;
    if (own->together && !w->exact)
        take_slopes(w, t, h, Y);
    for (size_t lane = 0; lane < of->lanes; lane++) {
        if (!of->used[lane])
            continue;
        take_y(w, Y, lane);
        const ph_status status = (w->spins ? spin : move)(w, own, t + of->node[lane] * h, lane);
        if (status)
            return status;
        for (size_t d = 0; d < w->D; d++)
            F[d * of->lanes + lane] = own->dy[d];
    }
    return PH_OK;
}

const gauss_lift ph_gauss_points = {
    .lay = points_lay,
    .init = points_init,
    .begin = points_begin,
    .field = points_field,
};
