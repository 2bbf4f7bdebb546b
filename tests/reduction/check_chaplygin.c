/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaplygin reduction of the discrete motion (manual, Chaplygin reduction, 6.3): a step of `dla` on the whole system, paired
 * with horizontal vectors, is the reduced step. Here it fulfils the reduced equations of balls and of Veselova's body, which
 * are written out in 6.4:
 *     y = P { T(f)^-1 J f/h + D (1 - gamma gamma^T) f/h },      y+ = P+ { T(f)^-T J f/h + D (1 - gamma+ gamma+^T) f/h },
 *     x+ = x + r (R f) x e3,
 * R+ = R exp S(f), gamma = R^T e3, D = m r^2 and P = 1 of a ball, P = 1 - gamma gamma^T where gamma . Omega = 0. */
#include "tests/kit/testkit.h"

static const double J[9] = {.8, .05, -.1, .05, 1.1, .07, -.1, .07, 1.3}, mass = 1.3, radius = 0.9;

static const struct {
    const char *model, *preset;
    bool rolls, turns; /* does it roll on a plane; may it turn about the vertical? */
} bodies[] = {{"chaplygin-ball", "tumbling", true, true},
              {"rubber-ball", "tumbling", true, false},
              {"veselova", "turning", false, false}};

/* v <- its part that is perpendicular to gamma. */
static void cut(const double *gamma, double *v)
{
    const double along = ph_dot3(gamma, v);
    for (int i = 0; i < 3; i++)
        v[i] -= along * gamma[i];
}

/* y <- the momentum paired with horizontal vectors, eta -> (r (R eta) x e3, eta). */
static void horizontal(int which, const ph_state *state, double *y)
{
    const size_t at = bodies[which].rolls ? 2 : 0;
    const double *R = state->z + at, *p = state->p;
    const double torque[3] = {-radius * p[1], radius * p[0], 0}; /* r e3 x p of the centre */
    double body[3] = {0, 0, 0};
    if (bodies[which].rolls)
        ph_apply_transposed3(R, torque, body);
    for (int i = 0; i < 3; i++)
        y[i] = p[at + i] + body[i];
    if (!bodies[which].turns)
        cut(R + 6, y);
}

/* off <- the reduced equation for y at the attitude R, with the turn f over h: T(f)^-1 for sign 1, T(f)^-T for -1. */
static double off_by(int which, const double *R, const double *y, const double *f, double h, double sign)
{
    const double s[3] = {sign * f[0], sign * f[1], sign * f[2]};
    double Jf[3], right[3], across[3] = {f[0], f[1], f[2]}, a, turned[3], T[9], column[3];
    ph_apply3(J, f, Jf);
    for (int j = 0; j < 3; j++) { /* T, column after column */
        const double e[3] = {j == 0, j == 1, j == 2};
        ph_dexp3(s, e, column);
        for (int i = 0; i < 3; i++)
            T[3 * i + j] = column[i];
    }
    int pivot[3];
    memcpy(turned, Jf, sizeof turned);
    tk_ok(ph_lu_factor(3, T, pivot, NULL));
    ph_lu_solve(3, T, pivot, turned);
    cut(R + 6, across);
    a = bodies[which].rolls ? mass * radius * radius : 0;
    for (int i = 0; i < 3; i++)
        right[i] = (turned[i] + a * across[i]) / h;
    if (!bodies[which].turns)
        cut(R + 6, right);
    return tk_max_difference(right, y, 3);
}

TEST_EACH(a_step_is_the_reduced_step, sizeof bodies / sizeof bodies[0])
{
    const double h = 0.05;
    const size_t at = bodies[_i].rolls ? 2 : 0;
    TK_OWN(ph_system) *system = tk_model(bodies[_i].model);
    double z[11], v[11], y[2][3], before[11], turn[9], f[3], space[3], most = 0;
    tk_preset(bodies[_i].model, NULL, 0, bodies[_i].preset, z, v);
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find("dla", NULL), "discrete-lagrangian",
             "exponential", h, 0, z, v);
    for (int k = 0; k < 20; k++) {
        memcpy(before, state->z, (at + 9) * sizeof *before);
        horizontal(_i, state, y[0]);
        tk_steps(it, state, 1);
        horizontal(_i, state, y[1]);
        const double *R[2] = {before + at, state->z + at};
        ph_transposed_multiply3(R[0], R[1], turn);
        ck_assert(ph_log3(turn, f));
        ck_assert_double_gt(ph_norm3(f), 0.01);
        most = tk_max(most, off_by(_i, R[0], y[0], f, h, 1));
        most = tk_max(most, off_by(_i, R[1], y[1], f, h, -1));
        ph_apply3(R[0], f, space); /* the reconstruction of the group's element */
        for (size_t i = 0; i < at; i++)
            most = tk_max(most, fabs(state->z[i] - before[i] - radius * (i ? -space[0] : space[1])));
        most = tk_max(most, bodies[_i].turns ? 0 : fabs(ph_dot3(R[0] + 6, f)));
    }
    printf("%s: the reduced equations are off by %.1e\n", bodies[_i].model, most);
    ck_assert_double_le(most, 2e-13);
}

int main(void)
{
    return tk_run("chaplygin");
}
