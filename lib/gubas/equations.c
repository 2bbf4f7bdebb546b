/* SPDX-License-Identifier: BSD-3-Clause */
/* The rate of GUBAS's 30 numbers, all vectors in A (Hou, Scheeres, Xin 2017, section 3, as GUBAS codes it):
 *
 *     r' = r x w_A + v,   v' = v x w_A + F/m + perturbations,   w_A' = J_A^-1 (J_A w_A x w_A + T_A),
 *     w_B' = C J_B^-1 C^T (L_B x w_A + T_B - C' J_B C^T w_B - C J_B (C^T)' w_B),   L_B = C J_B C^T w_B,
 *     Cc' = Cc S(w_A),   C' = C S(C^T w_B) - S(w_A) C,   (C^T)' = -S(C^T w_B) C^T + C^T S(w_A).
 *
 * C is only a rotation at the ends of a step. In between its terms are taken as they stand, and B's moments
 * with their traces, because GUBAS's results depend on both (2e-11 after two hours of its example). */
#include "equations.h"

#include "case.h"

#include <polhode/gravity.h>

#include <math.h>
#include <string.h>

/* out (9) <- A S(w), or S(w) A. */
static void times_hat(const double A[9], const double w[3], double out[9])
{
    for (int i = 0; i < 3; i++) {
        const double *a = A + 3 * i;
        out[3 * i] = a[1] * w[2] - a[2] * w[1];
        out[3 * i + 1] = a[2] * w[0] - a[0] * w[2];
        out[3 * i + 2] = a[0] * w[1] - a[1] * w[0];
    }
}

static void hat_times(const double w[3], const double A[9], double out[9])
{
    for (int k = 0; k < 3; k++) {
        const double column[3] = {A[k], A[3 + k], A[6 + k]};
        double c[3];
        ph_gubas_cross(w, column, c);
        out[k] = c[0];
        out[3 + k] = c[1];
        out[6 + k] = c[2];
    }
}

/* w_B' in A. */
static void turn_b(const ph_gubas_equations *e, const double *x, const double *dC, const double *TB,
                   double *dw)
{
    const double *C = x + PH_GUBAS_C, *w = x + PH_GUBAS_WB, *J = e->J[1];
    double wb[3], Jwb[3], L[3], sum[3], part[3], back[3], inner[3], hatted[3];
    ph_apply_transposed3(C, w, wb);
    for (int k = 0; k < 3; k++)
        Jwb[k] = J[k] * wb[k];
    ph_apply3(C, Jwb, L);
    ph_gubas_cross(L, x + PH_GUBAS_WA, sum);
    ph_apply3(dC, Jwb, part);
    /* (C^T)' w_B = -w_b x C^T w_B + C^T (w_A x w_B); C^T w_B = w_b, so that the first term is 0 */
    ph_gubas_cross(x + PH_GUBAS_WA, w, hatted);
    ph_apply_transposed3(C, hatted, back);
    for (int k = 0; k < 3; k++)
        inner[k] = J[k] * back[k];
    ph_apply3(C, inner, back);
    for (int k = 0; k < 3; k++)
        sum[k] += TB[k] - part[k] - back[k];
    ph_apply_transposed3(C, sum, inner);
    for (int k = 0; k < 3; k++)
        inner[k] /= J[k];
    ph_apply3(C, inner, dw);
}

ph_status ph_gubas_rate(const ph_gubas_equations *e, double t, const double *x, double *dx, ph_error *err)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *r = x + PH_GUBAS_R, *v = x + PH_GUBAS_V, *wa = x + PH_GUBAS_WA, *C = x + PH_GUBAS_C;
    double acc[3], TA[3], TB[3], L[3], wb[3], turning[9];
    ph_mass B;
    ph_attraction f;
    if (ph_gubas_moments_turn(&e->TB, C, &B))
        return ph_fail(err, PH_E_DIVERGED, "the motion left the finite numbers at t = %g s", t);
    ph_attract(&e->A, &B, e->of.order, e->G, r, identity, &f);
    for (int k = 0; k < 3; k++) {
        acc[k] = f.force[k] / e->m;
        TA[k] = f.torque_a[k];
        TB[k] = f.torque_b[k];
    }
    ph_gubas_perturb(e, t, x, acc, TA, TB);
    ph_gubas_cross(r, wa, dx + PH_GUBAS_R);
    ph_gubas_cross(v, wa, dx + PH_GUBAS_V);
    for (int k = 0; k < 3; k++) {
        dx[PH_GUBAS_R + k] += v[k];
        dx[PH_GUBAS_V + k] += acc[k];
        L[k] = e->J[0][k] * wa[k];
    }
    ph_gubas_cross(L, wa, dx + PH_GUBAS_WA);
    for (int k = 0; k < 3; k++)
        dx[PH_GUBAS_WA + k] = (dx[PH_GUBAS_WA + k] + TA[k]) / e->J[0][k];
    times_hat(x + PH_GUBAS_CC, wa, dx + PH_GUBAS_CC);
    ph_apply_transposed3(C, x + PH_GUBAS_WB, wb);
    times_hat(C, wb, dx + PH_GUBAS_C);
    hat_times(wa, C, turning);
    for (int k = 0; k < 9; k++)
        dx[PH_GUBAS_C + k] -= turning[k];
    turn_b(e, x, dx + PH_GUBAS_C, TB, dx + PH_GUBAS_WB);
    for (int k = 0; k < PH_GUBAS_STATE; k++)
        if (!isfinite(dx[k]))
            return ph_fail(err, PH_E_DIVERGED, "the motion left the finite numbers at t = %g s", t);
    return PH_OK;
}
