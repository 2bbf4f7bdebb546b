/* SPDX-License-Identifier: BSD-3-Clause */
/* The motion of a case as GUBAS computes it (polhode/gubas.h): its equations (equations.c) by the classical
 * Runge-Kutta method or by Adams-Bashforth-Moulton of order 4 after four Runge-Kutta steps,
 *
 *     y = x + h/24 (55 f_0 - 59 f_1 + 37 f_2 - 9 f_3),   x+ = x + h/24 (9 f(y) + 19 f_0 - 5 f_1 + f_2),
 *
 * and its variational integrator, in frame A with each body's momentum in its own axes (Lee, Leok, McClamroch
 * 2007),
 *
 *     g_i = h (Pi_i + (h/2) T_i),   vee(F_i J_d - J_d F_i^T) = g_i,   w = v + (h/2m) F,
 *     r+ = F_A^T (r + h w),   C+ = F_A^T C F_B,   Cc+ = Cc F_A,
 *     v+ = F_A^T w + (h/2m) F+,   Pi_i+ = F_i^T (Pi_i + (h/2) T_i) + (h/2) T_i+.
 *
 * What it does differently from the rest of the library, besides equations.c, moments.c and perturbations.c:
 * C is not made a rotation again after a step, and the perturbers that it writes are those of the step
 * before. */
#include "motion.h"
#include "case.h"
#include "equations.h"

#include <polhode/gravity.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { START = 4 }; /* steps before the multistep formula */

struct ph_gubas_motion {
    ph_gubas_equations e;
    double t, h;
    double x[PH_GUBAS_STATE];
    double past[3][PH_GUBAS_STATE]; /* f_1, f_2, f_3 */
    int64_t steps;
    double perturber[2][6];
};

/* ---- Runge-Kutta and multistep ------------------------------------------------------------------------- */

/* to <- a + factor b */
static void shift(const double *a, double factor, const double *b, double *to)
{
    for (int k = 0; k < PH_GUBAS_STATE; k++)
        to[k] = a[k] + factor * b[k];
}

static ph_status step_rk4(const ph_gubas_motion *s, const double *k1, double *x, ph_error *err)
{
    double k2[PH_GUBAS_STATE], k3[PH_GUBAS_STATE], k4[PH_GUBAS_STATE], y[PH_GUBAS_STATE];
    const double h = s->h;
    shift(s->x, h / 2, k1, y);
    ph_status status = ph_gubas_rate(&s->e, s->t + h / 2, y, k2, err);
    if (status)
        return status;
    shift(s->x, h / 2, k2, y);
    if ((status = ph_gubas_rate(&s->e, s->t + h / 2, y, k3, err)))
        return status;
    shift(s->x, h, k3, y);
    if ((status = ph_gubas_rate(&s->e, s->t + h, y, k4, err)))
        return status;
    for (int k = 0; k < PH_GUBAS_STATE; k++)
        x[k] = s->x[k] + h / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
    return PH_OK;
}

static ph_status step_abm(const ph_gubas_motion *s, const double *f0, double *x, ph_error *err)
{
    double y[PH_GUBAS_STATE], f[PH_GUBAS_STATE];
    const double(*p)[PH_GUBAS_STATE] = s->past;
    for (int k = 0; k < PH_GUBAS_STATE; k++)
        y[k] = s->x[k] + s->h / 24 * (55 * f0[k] - 59 * p[0][k] + 37 * p[1][k] - 9 * p[2][k]);
    ph_status status = ph_gubas_rate(&s->e, s->t + s->h, y, f, err);
    for (int k = 0; k < PH_GUBAS_STATE && !status; k++)
        x[k] = s->x[k] + s->h / 24 * (9 * f[k] + 19 * f0[k] - 5 * p[0][k] + p[1][k]);
    return status;
}

static ph_status step_explicit(ph_gubas_motion *s, double *x, ph_error *err)
{
    double f0[PH_GUBAS_STATE];
    ph_status status = ph_gubas_rate(&s->e, s->t, s->x, f0, err);
    if (!status && s->e.of.integrator == PH_GUBAS_ABM && s->steps >= START)
        status = step_abm(s, f0, x, err);
    else if (!status)
        status = step_rk4(s, f0, x, err);
    if (!status) {
        memmove(s->past[1], s->past[0], 2 * sizeof f0);
        memcpy(s->past[0], f0, sizeof f0);
    }
    return status;
}

/* ---- The variational integrator ------------------------------------------------------------------------ */

/* F (9) <- the rotation with vee(F J_d - J_d F^T) = g, by Cayley's parameters f,
 *     g + g x f + (g.f) f - 2 J f = 0,
 * with Newton's iteration to stagnation. */
static bool solve_rotation(const double J[3], const double g[3], double F[9])
{
    double f[3], last = INFINITY;
    for (int k = 0; k < 3; k++)
        f[k] = g[k] / (2 * J[k]);
    for (int i = 0; i < 50; i++) {
        double e[3], c[3], size = 0;
        const double gf = ph_gubas_dot(g, f);
        ph_gubas_cross(g, f, e);
        for (int k = 0; k < 3; k++)
            e[k] += g[k] + gf * f[k] - 2 * J[k] * f[k];
        const double D[9] = {
            gf + f[0] * g[0] - 2 * J[0], f[0] * g[1] - g[2],          f[0] * g[2] + g[1],
            f[1] * g[0] + g[2],          gf + f[1] * g[1] - 2 * J[1], f[1] * g[2] - g[0],
            f[2] * g[0] - g[1],          f[2] * g[1] + g[0],          gf + f[2] * g[2] - 2 * J[2]};
        double a[3], b[3];
        ph_gubas_cross(D + 3, D + 6, c);
        ph_gubas_cross(D + 6, D, a);
        ph_gubas_cross(D, D + 3, b);
        const double det = ph_gubas_dot(D, c);
        for (int k = 0; k < 3; k++) {
            const double change = (c[k] * e[0] + a[k] * e[1] + b[k] * e[2]) / det;
            f[k] -= change;
            size = fmax(size, fabs(change));
        }
        if (!isfinite(size))
            return false;
        if (size < 1e-8 && size >= last / 2)
            break;
        last = size;
        if (i == 49)
            return false;
    }
    const double f2 = ph_gubas_dot(f, f);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            F[3 * i + k] = ((i == k ? 1 - f2 : 0) + 2 * f[i] * f[k]) / (1 + f2);
    static const int where[3][2] = {{7, 5}, {2, 6}, {3, 1}}; /* of +f_k and -f_k */
    for (int k = 0; k < 3; k++) {
        F[where[k][0]] += 2 * f[k] / (1 + f2);
        F[where[k][1]] -= 2 * f[k] / (1 + f2);
    }
    return true;
}

static void multiply(const double A[9], const double B[9], double AB[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            AB[3 * i + k] = A[3 * i] * B[k] + A[3 * i + 1] * B[3 + k] + A[3 * i + 2] * B[6 + k];
}

static void multiply_transposed(const double A[9], const double B[9], double AtB[9])
{
    const double At[9] = {A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]};
    multiply(At, B, AtB);
}

static ph_status step_lgvi(const ph_gubas_motion *s, double *x, ph_error *err)
{
    const ph_gubas_equations *e = &s->e;
    const double h = s->h, *C = s->x + PH_GUBAS_C;
    double P[2][3], g[2][3], F[2][9], w[3], moved[3], turned[9];
    ph_attraction f;
    ph_attract(&e->A, &e->B, e->of.order, e->G, s->x, C, &f);
    ph_apply_transposed3(C, s->x + PH_GUBAS_WB, P[1]);
    for (int k = 0; k < 3; k++) {
        P[0][k] = e->J[0][k] * s->x[PH_GUBAS_WA + k] + h / 2 * f.torque_a[k];
        P[1][k] = e->J[1][k] * P[1][k] + h / 2 * f.torque_b[k];
        w[k] = s->x[PH_GUBAS_V + k] + h / (2 * e->m) * f.force[k];
        moved[k] = s->x[PH_GUBAS_R + k] + h * w[k];
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            g[i][k] = h * P[i][k];
        if (!solve_rotation(e->J[i], g[i], F[i]))
            return ph_fail(err, PH_E_NO_SOLUTION, "%s turns too far in a step of %g s", i ? "B" : "A", h);
    }
    ph_apply_transposed3(F[0], moved, x + PH_GUBAS_R);
    multiply_transposed(F[0], C, turned);
    multiply(turned, F[1], x + PH_GUBAS_C);
    multiply(s->x + PH_GUBAS_CC, F[0], x + PH_GUBAS_CC);
    ph_attract(&e->A, &e->B, e->of.order, e->G, x, x + PH_GUBAS_C, &f);
    ph_apply_transposed3(F[0], w, x + PH_GUBAS_V);
    ph_apply_transposed3(F[0], P[0], x + PH_GUBAS_WA);
    ph_apply_transposed3(F[1], P[1], moved);
    for (int k = 0; k < 3; k++) {
        x[PH_GUBAS_V + k] += h / (2 * e->m) * f.force[k];
        x[PH_GUBAS_WA + k] = (x[PH_GUBAS_WA + k] + h / 2 * f.torque_a[k]) / e->J[0][k];
        moved[k] = (moved[k] + h / 2 * f.torque_b[k]) / e->J[1][k];
    }
    ph_apply3(x + PH_GUBAS_C, moved, x + PH_GUBAS_WB);
    return PH_OK;
}

/* ---- The object ---------------------------------------------------------------------------------------- */

static ph_status refuse(const ph_gubas_case *of, ph_error *err)
{
    for (size_t i = 0; i < 2; i++)
        if (of->body[i].shape == PH_GUBAS_ELLIPSOID && of->body[i].order > 0 &&
            of->order < (of->body[i].order < 4 ? 2U : 4U))
            return ph_fail(
                err, PH_E_UNSUPPORTED,
                "GUBAS stops with an ellipsoid of order %zu where the mutual potential has order %zu: "
                "its moments of degree %d have no place",
                of->body[i].order, of->order, of->body[i].order < 4 ? 2 : 4);
    if (of->integrator == PH_GUBAS_RK78)
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "GUBAS's RK 7(8) is not reproduced: its steps depend on rounding; choose RK4 (1), the LGVI (2) or "
            "Adams-Bashforth-Moulton (4)");
    if (of->integrator == PH_GUBAS_ABM && of->start > 3 * of->step)
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "GUBAS's Adams-Bashforth-Moulton has no first steps where the start time, %g s, is beyond 3 steps",
            of->start);
    return PH_OK;
}

ph_status ph_gubas_motion_begin(const ph_gubas_case *of, const ph_gubas_moments *A, const ph_gubas_moments *B,
                                ph_gubas_motion **motion, ph_error *err)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    ph_gubas_motion *s = *motion = calloc(1, sizeof *s);
    if (!s)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_gubas_equations *e = &s->e;
    e->of = *of;
    e->TB = *B;
    if (ph_gubas_moments_turn(A, identity, &e->A) || ph_gubas_moments_turn(B, identity, &e->B)) {
        ph_gubas_motion_free(s);
        *motion = NULL;
        return ph_fail(err, PH_E_NOT_FINITE, "the moments of a body are not finite");
    }
    e->G = of->G / 1e9;
    e->mass[0] = A->T[0][0];
    e->mass[1] = B->T[0][0];
    memcpy(e->J[0], A->J, sizeof A->J);
    memcpy(e->J[1], B->J, sizeof B->J);
    e->m = e->mass[0] * e->mass[1] / (e->mass[0] + e->mass[1]);
    e->nu = e->mass[1] / (e->mass[0] + e->mass[1]);
    s->t = of->start;
    s->h = of->step;
    memcpy(s->x, &of->state, sizeof s->x);
    for (int k = 0; k < 6; k++)
        s->x[k] /= 1000;
    if (of->planet.on)
        ph_gubas_orbit_state(e, &of->planet, s->t, s->perturber[0]);
    if (of->sun.on)
        ph_gubas_orbit_state(e, &of->sun, s->t, s->perturber[1]);
    return PH_OK;
}

ph_status ph_gubas_motion_create(const ph_gubas_case *of, ph_gubas_motion **motion, ph_error *err)
{
    ph_gubas_moments A, B;
    *motion = NULL;
    ph_status status = refuse(of, err);
    if (!status)
        status = ph_gubas_moments_of(of, 0, of->order, &A, err);
    if (!status)
        status = ph_gubas_moments_of(of, 1, of->order, &B, err);
    return status ? status : ph_gubas_motion_begin(of, &A, &B, motion, err);
}

void ph_gubas_motion_free(ph_gubas_motion *motion)
{
    free(motion);
}

ph_status ph_gubas_motion_step(ph_gubas_motion *s, ph_error *err)
{
    double x[PH_GUBAS_STATE];
    const bool variational = s->e.of.integrator == PH_GUBAS_LGVI;
    ph_status status = variational ? step_lgvi(s, x, err) : step_explicit(s, x, err);
    for (int k = 0; k < PH_GUBAS_STATE && !status; k++)
        if (!isfinite(x[k]))
            status = ph_fail(err, PH_E_DIVERGED, "the motion left the finite numbers at t = %g s", s->t);
    if (status)
        return status;
    const bool blank = s->e.of.integrator == PH_GUBAS_ABM && s->steps < START; /* GUBAS leaves zeros there */
    memset(s->perturber, 0, sizeof s->perturber);
    if (s->e.of.planet.on && !variational && !blank)
        ph_gubas_orbit_state(&s->e, &s->e.of.planet, s->t, s->perturber[0]);
    if (s->e.of.sun.on && !variational && !blank)
        ph_gubas_orbit_state(&s->e, &s->e.of.sun, s->t, s->perturber[1]);
    memcpy(s->x, x, sizeof x);
    s->t += s->h; /* its time is such a sum */
    s->steps++;
    return PH_OK;
}

void ph_gubas_motion_look(const ph_gubas_motion *s, double *t, ph_gubas_state *x, double *U)
{
    if (t)
        *t = s->t;
    if (x) {
        double *const to = (double *)x;
        memcpy(to, s->x, sizeof s->x);
        for (int k = 0; k < 6; k++)
            to[k] *= 1000;
    }
    if (U) {
        static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        ph_mass B;
        ph_attraction f = {.potential = NAN};
        if (!ph_gubas_moments_turn(&s->e.TB, s->x + PH_GUBAS_C, &B))
            ph_attract(&s->e.A, &B, s->e.of.order, s->e.G, s->x, identity, &f);
        *U = 1e6 * f.potential;
    }
}

void ph_gubas_motion_perturbers(const ph_gubas_motion *s, double planet[6], double sun[6])
{
    for (int k = 0; k < 6; k++) {
        if (planet)
            planet[k] = 1000 * s->perturber[0][k];
        if (sun)
            sun[k] = 1000 * s->perturber[1][k];
    }
}

void ph_gubas_motion_pair(const ph_gubas_motion *s, ph_gubas_pair *pair)
{
    memset(pair, 0, sizeof *pair);
    for (int i = 0; i < 2; i++) {
        pair->mass[i] = s->e.mass[i];
        for (int k = 0; k < 3; k++)
            pair->J[i][4 * k] = 1e6 * s->e.J[i][k];
    }
}
