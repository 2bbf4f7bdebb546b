/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of the implicit equations: whatever the state, a step must end on the root that is reached from
 * D = 0 by continuation in the step size at fixed (q, p), and say "no solution" beyond the fold.
 *
 * Truth: the multiplier form, n unknowns (another formulation than the code's),
 *     d = M^{-1}(b(s) + lambda q),  2 q_i.d_i + d_i.d_i = 0,  b_i(s) = -s h q_i x pi_i - (s h)^2/2 g_i,
 * followed from s = 0 by pseudo-arclength steps short enough that the tangent turns by less than 6 degrees,
 * past folds. */
#include "tests/kit/testkit.h"

enum { STATES = 1000, WARM_STEPS = 12 };

typedef struct problem {
    const tk_chain *c;
    double h;
    const double *q, *pi;
} problem;

/* G (n) and, if asked, dG/d(lambda_j M_jj) and dG/ds as columns of an n x (n + 1) matrix. y = (lambda/M_jj,
 * s). */
static void equations(const problem *p, const double *y, double *G, double *D, double *d)
{
    size_t n = p->c->n;
    double s = y[n], hs = s * p->h, a[3 * TK_MOST], da[3 * TK_MOST];
    for (size_t i = 0; i < n; i++) {
        double turn[3];
        ph_cross3(p->q + 3 * i, p->pi + 3 * i, turn);
        for (size_t k = 0; k < 3; k++) {
            a[3 * i + k] = -hs * turn[k] - 0.5 * hs * hs * p->c->g[3 * i + k] +
                           y[i] * p->c->M[i * n + i] * p->q[3 * i + k];
            da[3 * i + k] = -p->h * turn[k] - hs * p->h * p->c->g[3 * i + k];
        }
    }
    for (size_t i = 0; i < n; i++) {
        double ds[3] = {0, 0, 0}, *di = d + 3 * i, end[3];
        for (size_t k = 0; k < 3; k++) {
            di[k] = 0;
            for (size_t j = 0; j < n; j++) {
                di[k] += p->c->Minv[i * n + j] * a[3 * j + k];
                ds[k] += p->c->Minv[i * n + j] * da[3 * j + k];
            }
            end[k] = p->q[3 * i + k] + di[k];
        }
        G[i] = 2 * ph_dot3(p->q + 3 * i, di) + ph_dot3(di, di);
        if (!D)
            continue;
        for (size_t j = 0; j < n; j++)
            D[i * (n + 1) + j] = 2 * p->c->Minv[i * n + j] * p->c->M[j * n + j] * ph_dot3(end, p->q + 3 * j);
        D[i * (n + 1) + n] = 2 * ph_dot3(end, ds);
    }
}

/* Unit tangent of the curve at y, on the side of `before`. */
static void tangent(const problem *p, const double *y, const double *before, double *t)
{
    size_t m = p->c->n + 1;
    double G[TK_MOST], D[(TK_MOST + 1) * (TK_MOST + 1)], d[3 * TK_MOST], norm = 0;
    equations(p, y, G, D, d);
    memcpy(D + (m - 1) * m, before, m * sizeof *D);
    memset(t, 0, m * sizeof *t);
    t[m - 1] = 1;
    tk_solve(m, D, t);
    for (size_t i = 0; i < m; i++)
        norm += t[i] * t[i];
    for (size_t i = 0; i < m; i++)
        t[i] /= sqrt(norm);
}

/* Newton on G = 0 and t.(y - y0) = step; 1 if it converges at once and not far away. */
static int correct(const problem *p, double *y, const double *t, double step)
{
    size_t m = p->c->n + 1;
    double first = 0;
    for (int pass = 0; pass < 8; pass++) {
        double G[TK_MOST + 1], D[(TK_MOST + 1) * (TK_MOST + 1)], d[3 * TK_MOST], size = 0, reach = 1;
        equations(p, y, G, D, d);
        memcpy(D + (m - 1) * m, t, m * sizeof *D);
        G[m - 1] = 0; /* the predictor is on the plane, and corrections stay in it */
        if (tk_solve(m, D, G))
            return 0;
        for (size_t i = 0; i < m; i++) {
            y[i] -= G[i];
            size = fmax(size, fabs(G[i]));
            reach = fmax(reach, fabs(y[i]));
        }
        if (!pass)
            first = size;
        if (size < 1e-11 * reach)
            return first < 0.1 * step;
    }
    return 0;
}

/* The truth. 1: q1 <- the root; 0: the branch turns back before s = 1, at *fold. */
static int follow(const problem *p, double *q1, double *fold)
{
    size_t n = p->c->n, m = n + 1;
    double y[TK_MOST + 1] = {0}, t[TK_MOST + 1], next[TK_MOST + 1], turned[TK_MOST + 1], step = 1e-3;
    double forward[TK_MOST + 1] = {0};
    forward[n] = 1;
    tangent(p, y, forward, t);
    while (1) {
        double dot = 0;
        for (size_t i = 0; i < m; i++)
            next[i] = y[i] + step * t[i];
        int good = correct(p, next, t, step);
        if (good) {
            tangent(p, next, t, turned);
            for (size_t i = 0; i < m; i++)
                dot += t[i] * turned[i];
        }
        if (!good || dot < 0.995) {
            step *= 0.5;
            ck_assert_msg(step > 1e-13, "the reference continuation is stuck");
            continue;
        }
        if (next[n] >= 1 && step < 1e-5)
            break;
        if (next[n] >= 1) { /* come close to s = 1 first: a fold may be near */
            step *= 0.4;
            continue;
        }
        if (turned[n] <= 0) {
            *fold = next[n];
            return 0;
        }
        memcpy(y, next, sizeof y);
        memcpy(t, turned, sizeof t);
        step = fmin(1.5 * step, 0.02);
    }
    /* from y (s < 1) and next (s >= 1), close together, to s = 1 */
    double part = (1 - y[n]) / (next[n] - y[n]), d[3 * TK_MOST];
    for (size_t i = 0; i < m; i++)
        y[i] += part * (next[i] - y[i]);
    y[n] = 1;
    ck_assert(correct(p, y, forward, INFINITY));
    double G[TK_MOST];
    equations(p, y, G, NULL, d);
    for (size_t i = 0; i < 3 * n; i++)
        q1[i] = p->q[i] + d[i];
    return 1;
}

typedef struct tally {
    int solved, none, wrong, falsely_none, falsely_solved, other;
    double closest;
} tally;

/* One step from the state, judged against the truth. 1 if it succeeded. */
static int judge(const tk_chain *c, ph_integrator *it, ph_state *state, tally *count)
{
    double q[3 * TK_MOST], pi[3 * TK_MOST], q1[3 * TK_MOST], fold = 2;
    size_t m = 3 * c->n;
    memcpy(q, state->z, m * sizeof *q);
    memcpy(pi, state->p, m * sizeof *pi);
    problem p = {c, ph_integrator_step_size(it), q, pi};
    int exists = follow(&p, q1, &fold);
    ph_status status = ph_integrator_step(it, state, 1);
    if (status && (memcmp(q, state->z, m * sizeof *q) || memcmp(pi, state->p, m * sizeof *pi)))
        ck_abort_msg("a failed step changed the state");
    if (status && status != PH_E_NO_SOLUTION)
        count->other++;
    else if (exists && status)
        count->falsely_none++;
    else if (!exists && !status)
        count->falsely_solved++;
    else if (!exists)
        count->none++;
    else if (!(tk_max_difference(q1, state->z, m) <= 1e-7))
        count->wrong++;
    else
        count->solved++;
    if (!exists)
        count->closest = fmin(count->closest, 1 - fold);
    return !status;
}

/* q uniform, masses and lengths log-uniform in [0.1, 10], h max|w| uniform in (0, 0.9). */
static void random_state(tk_random *r, const tk_chain *c, double h, double *q, double *v)
{
    double w[3 * TK_MOST], most = 0, turn = tk_uniform(r, 0, 0.9);
    for (size_t i = 0; i < c->n; i++) {
        tk_unit(r, q + 3 * i);
        tk_tangent(r, q + 3 * i, w + 3 * i);
        most = fmax(most, ph_norm3(w + 3 * i));
    }
    for (size_t i = 0; i < 3 * c->n; i++)
        w[i] *= turn / (h * most);
    for (size_t i = 0; i < c->n; i++)
        ph_cross3(w + 3 * i, q + 3 * i, v + 3 * i);
}

static tally study(uint64_t seed, int states, int steps, bool sparse)
{
    static const double sizes[] = {0.01, 0.03, 0.1};
    tk_random r = {seed};
    tally count = {.closest = 1};
    for (int k = 0; k < states; k++) {
        tk_chain c;
        double q[3 * TK_MOST], v[3 * TK_MOST], h = sizes[k % 3];
        tk_chain_random(&c, 1 + (size_t)(k / 3) % 6, 0.1, 10, &r);
        TK_OWN(ph_system) *system = sparse ? tk_chain_linkage(&c) : tk_chain_system(&c);
        random_state(&r, &c, h, q, v);
        TK_START(it, state, system, "variational", NULL, h, q, v);
        for (int j = 0; j < steps && judge(&c, it, state, &count); j++)
            ;
    }
    return count;
}

static void print_tally(const char *what, const tally *t)
{
    printf("%s: %d steps had a solution and found it, %d had none and said so; "
           "wrong root %d, falsely none %d, solved beyond the fold %d, other failures %d\n",
           what, t->solved, t->none, t->wrong, t->falsely_none, t->falsely_solved, t->other);
}

static void assert_clean(const tally *t)
{
    ck_assert_int_eq(t->wrong, 0);
    ck_assert_int_eq(t->falsely_none, 0);
    ck_assert_int_eq(t->falsely_solved, 0);
    ck_assert_int_eq(t->other, 0);
}

TEST_EACH(first_step_ends_on_the_branch_or_says_that_there_is_none, 2)
{
    tally t = study(20261, tk_long() ? 50 * STATES : STATES, 1, _i);
    print_tally(_i ? "first steps in multiplier form" : "first steps", &t);
    assert_clean(&t);
    ck_assert_int_gt(t.solved, STATES / 2);
    ck_assert_int_gt(t.none, 10); /* otherwise the fold was not tested */
}

/* The warm start must not leave the branch either: violent motion, judged at every step. */
TEST_EACH(later_steps_stay_on_the_branch, 2)
{
    tally t = study(777, tk_long() ? 10000 : 250, WARM_STEPS, _i);
    print_tally(_i ? "later steps in multiplier form" : "later steps", &t);
    assert_clean(&t);
    ck_assert_int_gt(t.solved, 1000);
}

int main(void)
{
    return tk_run("roots");
}
