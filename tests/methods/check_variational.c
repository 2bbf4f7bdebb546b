/* SPDX-License-Identifier: BSD-3-Clause */
/* The structure of the variational integrator, on random chains and with a nonlinear potential: it is its own
 * inverse under h -> -h, it is symplectic (exact tangent map), and it is RATTLE in disguise. */
#include "tests/kit/testkit.h"

/* A system for this suite: chain inertia, U = g.q + (1/2) q.K q with a random symmetric K. */
typedef struct nonlinear {
    tk_chain c;
    double K[9 * TK_MOST * TK_MOST];
} nonlinear;

static ph_status gradient(void *user, const double *z, double *dU)
{
    const nonlinear *s = user;
    size_t m = 3 * s->c.n;
    for (size_t i = 0; i < m; i++) {
        dU[i] = s->c.g[i];
        for (size_t j = 0; j < m; j++)
            dU[i] += s->K[i * m + j] * z[j];
    }
    return PH_OK;
}

static ph_status potential(void *user, const double *z, double *U)
{
    const nonlinear *s = user;
    double dU[3 * TK_MOST];
    gradient(user, z, dU);
    *U = 0;
    for (size_t i = 0; i < 3 * s->c.n; i++)
        *U += 0.5 * (dU[i] + s->c.g[i]) * z[i];
    return PH_OK;
}

static ph_system *random_system(nonlinear *s, size_t n, double stiffness, tk_random *r)
{
    size_t m = 3 * n;
    tk_chain_random(&s->c, n, 0.5, 2, r);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++)
            s->K[i * m + j] = s->K[j * m + i] = stiffness * tk_normal(r);
    ph_system_definition d = {.inertia = s->c.M, .potential = potential, .gradient = gradient, .user = s};
    return tk_create(&d, n);
}

/* q uniform, h max|omega| = turn. */
static void random_state(tk_random *r, size_t n, double h, double turn, double *q, double *v)
{
    double w[3 * TK_MOST], most = 0;
    for (size_t i = 0; i < n; i++) {
        tk_unit(r, q + 3 * i);
        tk_tangent(r, q + 3 * i, w + 3 * i);
        most = tk_max(most, ph_norm3(w + 3 * i));
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 3; k++)
            w[3 * i + k] *= turn / (h * most);
        ph_cross3(w + 3 * i, q + 3 * i, v + 3 * i);
    }
}

static double largest(const double *v, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = tk_max(most, fabs(v[i]));
    return most;
}

/* Loops: 0 a chain, 1 a nonlinear potential. */

/* ---- Reversal ----------------------------------------------------------------------------------- */

TEST_EACH(a_step_and_its_reverse_are_the_identity, 2)
{
    tk_random r = {4711 + (uint64_t)_i};
    static const double h = 0.01;
    for (int k = 0; k < 40; k++) {
        nonlinear s;
        size_t n = 1 + (size_t)k % 6;
        double q[3 * TK_MOST], v[3 * TK_MOST], p[3 * TK_MOST];
        TK_OWN(ph_system) *system = random_system(&s, n, _i ? 5 : 0, &r);
        random_state(&r, n, h, tk_uniform(&r, 0, 0.1), q, v);
        TK_START(it, state, system, "variational", NULL, h, q, v);
        memcpy(q, state->z, 3 * n * sizeof *q);
        memcpy(p, state->p, 3 * n * sizeof *p);
        for (int steps = 1; steps <= 16; steps *= 4) {
            tk_ok(ph_integrator_set_step_size(it, h));
            tk_ok(ph_integrator_step(it, state, steps));
            ck_assert_double_gt(tk_max_difference(q, state->z, 3 * n), 1e-9); /* it did move */
            tk_ok(ph_integrator_set_step_size(it, -h));
            tk_ok(ph_integrator_step(it, state, steps));
            ck_assert_double_le(tk_max_difference(q, state->z, 3 * n), 1e-13);
            ck_assert_double_le(tk_max_difference(p, state->p, 3 * n), 1e-13 * tk_max(1, largest(p, 3 * n)));
        }
        /* flipping the momentum instead of h */
        tk_ok(ph_integrator_set_step_size(it, h));
        tk_ok(ph_state_set(it, state, 0, q, p, PH_PROJECT, NULL));
        tk_ok(ph_integrator_step(it, state, 4));
        for (size_t i = 0; i < 3 * n; i++)
            v[i] = -state->p[i];
        tk_ok(ph_state_set(it, state, 0, state->z, v, PH_PROJECT, NULL));
        tk_ok(ph_integrator_step(it, state, 4));
        ck_assert_double_le(tk_max_difference(q, state->z, 3 * n), 1e-13);
    }
}

/* ---- Symplecticity ------------------------------------------------------------------------------ */

typedef struct step_data {
    const nonlinear *s;
    double h, q[3 * TK_MOST], p[3 * TK_MOST], q1[3 * TK_MOST], p1[3 * TK_MOST];
} step_data;

/* out_i <- (1/h) sum M_ij (b_j - a_j) + weight (h/2) row_i, row = gradient or K times a vector. */
static void brace(const step_data *d, const double *a, const double *b, double weight, const double *row,
                  double *out)
{
    size_t n = d->s->c.n;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) {
            out[3 * i + k] = weight * 0.5 * d->h * row[3 * i + k];
            for (size_t j = 0; j < n; j++)
                out[3 * i + k] += d->s->c.M[i * n + j] * (b[3 * j + k] - a[3 * j + k]) / d->h;
        }
}

static void times_K(const nonlinear *s, const double *v, double *out)
{
    size_t m = 3 * s->c.n;
    for (size_t i = 0; i < m; i++) {
        out[i] = 0;
        for (size_t j = 0; j < m; j++)
            out[i] += s->K[i * m + j] * v[j];
    }
}

/* The exact tangent map: variation (dq, dp) of the start to (dq1, dp1) of the end, from the linearised
 * discrete Legendre transforms at the end points that the code found. */
static void tangent_map(const step_data *d, const double *dq, const double *dp, double *dq1, double *dp1)
{
    size_t n = d->s->c.n, m = 2 * n;
    double g[3 * TK_MOST], Y[3 * TK_MOST], Z[3 * TK_MOST], E[6 * TK_MOST], E1[6 * TK_MOST],
        A[4 * TK_MOST * TK_MOST], b[2 * TK_MOST], zero[3 * TK_MOST] = {0}, Kdq[3 * TK_MOST];
    gradient((void *)(uintptr_t)d->s, d->q, g);
    brace(d, d->q, d->q1, 1, g, Y);
    times_K(d->s, dq, Kdq);
    brace(d, dq, zero, 1, Kdq, Z); /* the part of the varied brace that is known */
    for (size_t i = 0; i < n; i++) {
        double r[3], turn[3], rhs[3];
        ph_tangent_basis3(d->q + 3 * i, E + 6 * i, E + 6 * i + 3);
        ph_tangent_basis3(d->q1 + 3 * i, E1 + 6 * i, E1 + 6 * i + 3);
        ph_cross3(dq + 3 * i, Y + 3 * i, turn);
        for (size_t k = 0; k < 3; k++)
            r[k] = dp[3 * i + k] - turn[k];
        ph_cross3(r, d->q + 3 * i, rhs);
        for (size_t k = 0; k < 3; k++)
            rhs[k] -= Z[3 * i + k];
        for (size_t l = 0; l < 2; l++)
            b[2 * i + l] = ph_dot3(E + 6 * i + 3 * l, rhs);
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            A[i * m + j] = d->s->c.M[i / 2 * n + j / 2] / d->h * ph_dot3(E + 3 * i, E1 + 3 * j);
    ck_assert_int_eq(tk_solve(m, A, b), 0);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++)
            dq1[3 * i + k] = E1[6 * i + k] * b[2 * i] + E1[6 * i + 3 + k] * b[2 * i + 1];
    gradient((void *)(uintptr_t)d->s, d->q1, g);
    brace(d, d->q, d->q1, -1, g, Y);
    times_K(d->s, dq1, Kdq);
    brace(d, dq, dq1, -1, Kdq, Z);
    for (size_t i = 0; i < n; i++) {
        double one[3], two[3];
        ph_cross3(dq1 + 3 * i, Y + 3 * i, one);
        ph_cross3(d->q1 + 3 * i, Z + 3 * i, two);
        for (size_t k = 0; k < 3; k++)
            dp1[3 * i + k] = one[k] + two[k];
    }
}

/* The canonical form of T*(S^2)^n on two variations, through mu = pi x q in the ambient space. */
static double form(size_t n, const double *q, const double *p, const double *dq, const double *dp,
                   const double *eq, const double *ep)
{
    double sum = 0;
    for (size_t i = 0; i < 3 * n; i += 3) {
        double a[3], b[3], c[3], e[3];
        ph_cross3(dp + i, q + i, a);
        ph_cross3(p + i, dq + i, b);
        ph_cross3(ep + i, q + i, c);
        ph_cross3(p + i, eq + i, e);
        for (size_t k = 0; k < 3; k++)
            sum += dq[i + k] * (c[k] + e[k]) - eq[i + k] * (a[k] + b[k]);
    }
    return sum;
}

/* The 4n basis variations at (q, p): along E, and of pi along E with the change that keeps q.pi = 0. */
static void basis_variation(const step_data *d, size_t which, double *dq, double *dp)
{
    size_t n = d->s->c.n, i = which / 4;
    double e[2][3];
    memset(dq, 0, 3 * n * sizeof *dq);
    memset(dp, 0, 3 * n * sizeof *dp);
    ph_tangent_basis3(d->q + 3 * i, e[0], e[1]);
    for (size_t k = 0; k < 3; k++)
        if (which % 4 < 2) {
            dq[3 * i + k] = e[which % 2][k];
            dp[3 * i + k] = -ph_dot3(e[which % 2], d->p + 3 * i) * d->q[3 * i + k];
        } else {
            dp[3 * i + k] = e[which % 2][k];
        }
}

/* Central difference of the code itself along a variation. */
static void difference_map(const ph_system *system, const step_data *d, const double *dq, const double *dp,
                           double *dq1, double *dp1)
{
    size_t m = 3 * d->s->c.n;
    double eps = 1e-5, q[2][3 * TK_MOST], p[2][3 * TK_MOST];
    for (int side = 0; side < 2; side++) {
        double zero[3 * TK_MOST] = {0}, z[3 * TK_MOST], pi[3 * TK_MOST];
        for (size_t i = 0; i < m; i++) {
            z[i] = d->q[i] + (side ? eps : -eps) * dq[i];
            pi[i] = d->p[i] + (side ? eps : -eps) * dp[i];
        }
        TK_START(it, state, system, "variational", NULL, d->h, d->q, zero);
        tk_ok(ph_state_set(it, state, 0, z, pi, PH_PROJECT, NULL));
        tk_ok(ph_integrator_step(it, state, 1));
        memcpy(q[side], state->z, m * sizeof *z);
        memcpy(p[side], state->p, m * sizeof *z);
    }
    for (size_t i = 0; i < m; i++) {
        dq1[i] = (q[1][i] - q[0][i]) / (2 * eps);
        dp1[i] = (p[1][i] - p[0][i]) / (2 * eps);
    }
}

TEST_EACH(the_step_is_symplectic, 2)
{
    tk_random r = {815 + (uint64_t)_i};
    double worst = 0, worst_difference = 0;
    for (int trial = 0; trial < 60; trial++) {
        nonlinear s;
        step_data d = {.s = &s, .h = 0.02};
        size_t n = 1 + (size_t)trial % 6, m = 3 * n;
        double v[3 * TK_MOST], size = 0;
        static double dq[4 * TK_MOST][3 * TK_MOST], dp[4 * TK_MOST][3 * TK_MOST],
            dq1[4 * TK_MOST][3 * TK_MOST], dp1[4 * TK_MOST][3 * TK_MOST];
        TK_OWN(ph_system) *system = random_system(&s, n, _i ? 20 : 0, &r);
        random_state(&r, n, d.h, tk_uniform(&r, 0.001, 0.1), d.q, v);
        TK_START(it, state, system, "variational", NULL, d.h, d.q, v);
        memcpy(d.q, state->z, m * sizeof *v);
        memcpy(d.p, state->p, m * sizeof *v);
        tk_ok(ph_integrator_step(it, state, 1));
        memcpy(d.q1, state->z, m * sizeof *v);
        memcpy(d.p1, state->p, m * sizeof *v);
        for (size_t a = 0; a < 4 * n; a++) {
            double q2[3 * TK_MOST], p2[3 * TK_MOST];
            basis_variation(&d, a, dq[a], dp[a]);
            tangent_map(&d, dq[a], dp[a], dq1[a], dp1[a]);
            size = tk_max(size, tk_max(largest(dq1[a], m), largest(dp1[a], m)));
            /* the tangent is that of the code: 1e-5 steps leave 1e-10 of curvature and 1e-11 of rounding */
            difference_map(system, &d, dq[a], dp[a], q2, p2);
            double scale = tk_max(1, tk_max(largest(dq1[a], m), largest(dp1[a], m)));
            worst_difference = tk_max(worst_difference, tk_max_difference(q2, dq1[a], m) / scale);
            worst_difference = tk_max(worst_difference, tk_max_difference(p2, dp1[a], m) / scale);
        }
        for (size_t a = 0; a < 4 * n; a++)
            for (size_t b = 0; b < a; b++) {
                double before = form(n, d.q, d.p, dq[a], dp[a], dq[b], dp[b]);
                double after = form(n, d.q1, d.p1, dq1[a], dp1[a], dq1[b], dp1[b]);
                worst = tk_max(worst, fabs(after - before) / tk_max(1, size * size));
            }
    }
    printf("symplecticity (%s potential): |DPhi^T Omega DPhi - Omega| <= %.1e max(1, |DPhi|^2); "
           "tangent against differences of the code %.1e\n",
           _i ? "nonlinear" : "linear", worst, worst_difference);
    ck_assert_double_le(worst, 1e-12);
    ck_assert_double_le(worst_difference, 1e-6);
}

/* ---- RATTLE ------------------------------------------------------------------------------------- */

/* One step in R^3n with momenta P = M qdot and multipliers (Hairer, Lubich, Wanner VII.1.26); q, P
 * overwritten. */
static void rattle(const nonlinear *s, double h, double *q, double *P)
{
    size_t n = s->c.n;
    double g[3 * TK_MOST], half[3 * TK_MOST], q1[3 * TK_MOST], lambda[TK_MOST] = {0}, A[TK_MOST * TK_MOST],
                                                               b[TK_MOST];
    gradient((void *)(uintptr_t)s, q, g);
    for (int pass = 0; pass < 30; pass++) {
        for (size_t i = 0; i < 3 * n; i++)
            half[i] = P[i] - 0.5 * h * g[i] + lambda[i / 3] * q[i];
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < 3; k++) {
                q1[3 * i + k] = q[3 * i + k];
                for (size_t j = 0; j < n; j++)
                    q1[3 * i + k] += h * s->c.Minv[i * n + j] * half[3 * j + k];
            }
        for (size_t i = 0; i < n; i++) {
            /* first the linear equation that makes the increment tangent, then Newton */
            b[i] = pass ? 1 - ph_dot3(q1 + 3 * i, q1 + 3 * i) : 2 * (1 - ph_dot3(q + 3 * i, q1 + 3 * i));
            for (size_t j = 0; j < n; j++)
                A[i * n + j] = 2 * h * s->c.Minv[i * n + j] * ph_dot3((pass ? q1 : q) + 3 * i, q + 3 * j);
        }
        ck_assert_int_eq(tk_solve(n, A, b), 0);
        for (size_t i = 0; i < n; i++)
            lambda[i] += b[i];
    }
    memcpy(q, q1, 3 * n * sizeof *q);
    gradient((void *)(uintptr_t)s, q, g);
    for (size_t i = 0; i < n; i++) {
        double v[3] = {0, 0, 0};
        for (size_t j = 0; j < n; j++) {
            A[i * n + j] = s->c.Minv[i * n + j] * ph_dot3(q + 3 * i, q + 3 * j);
            for (size_t k = 0; k < 3; k++)
                v[k] += s->c.Minv[i * n + j] * (half[3 * j + k] - 0.5 * h * g[3 * j + k]);
        }
        b[i] = -ph_dot3(q + 3 * i, v);
    }
    ck_assert_int_eq(tk_solve(n, A, b), 0);
    for (size_t i = 0; i < 3 * n; i++)
        P[i] = half[i] - 0.5 * h * g[i] + b[i / 3] * q[i];
}

TEST_EACH(it_is_rattle, 2)
{
    tk_random r = {99 + (uint64_t)_i};
    double worst_q = 0, worst_p = 0;
    for (int trial = 0; trial < 120; trial++) {
        nonlinear s;
        size_t n = 1 + (size_t)trial % 6;
        double h = 0.02, q[3 * TK_MOST], v[3 * TK_MOST], P[3 * TK_MOST] = {0}, p[3 * TK_MOST];
        TK_OWN(ph_system) *system = random_system(&s, n, _i ? 3 : 0, &r);
        random_state(&r, n, h, tk_uniform(&r, 0.001, 0.1), q, v);
        TK_START(it, state, system, "variational", NULL, h, q, v);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                for (size_t k = 0; k < 3; k++)
                    P[3 * i + k] += s.c.M[i * n + j] * v[3 * j + k];
        for (int step = 0; step < 3; step++) {
            rattle(&s, h, q, P);
            tk_ok(ph_integrator_step(it, state, 1));
            for (size_t i = 0; i < 3 * n; i += 3)
                ph_cross3(q + i, P + i, p + i);
            worst_q = tk_max(worst_q, tk_max_difference(q, state->z, 3 * n));
            worst_p = tk_max(worst_p, tk_max_difference(p, state->p, 3 * n) / tk_max(1, largest(p, 3 * n)));
        }
    }
    printf("RATTLE in R^3n (%s potential), 3 steps: q %.1e, pi %.1e relative\n", _i ? "nonlinear" : "linear",
           worst_q, worst_p);
    ck_assert_double_le(worst_q, 1e-13);
    ck_assert_double_le(worst_p, 1e-13);
}

int main(void)
{
    return tk_run("variational");
}
