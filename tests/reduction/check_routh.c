/* SPDX-License-Identifier: BSD-3-Clause */
/* Routh reduction by a rotation: reduced accelerations against those of the whole in the turning frame; the discrete
 * reduction against the trajectory of the whole; phases against a value of 14 digits. By all rotations: the discrete Euler
 * equations, the turn of a free body in a period. */
#include <polhode/constraints.h>
#include <polhode/domain/reduction.h>
#include <polhode/domain/routh.h>
#include <polhode/kit/equations.h>

#include "tests/kit/testkit.h"

enum { NZ = 40 };

static const char *const models[] = {"double-spherical-pendulum", "chain-pendulum", "heavy-top", "cart-chain",
                                     "pendulum-3d"};
enum { MODELS = sizeof models / sizeof *models };

/* The number of the rotation that the model is invariant under. */
static size_t rotation(const ph_system *s)
{
    for (size_t i = 0; i < ph_system_symmetries(s); i++)
        if (!ph_system_symmetry(s, i)->generator && ph_norm3(ph_system_symmetry(s, i)->axis) > 0)
            return i;
    ck_abort_msg("no rotation");
    return 0;
}

typedef struct pair_of {
    ph_system *whole, *reduced;
    size_t i, nz;
    double q[NZ], v[NZ], z[NZ], w[NZ], work[20000];
} pair_of;

/* A model and what it reduces to, in a generic motion. */
static pair_of *begin(const char *model, uint64_t seed)
{
    pair_of *p = calloc(1, sizeof *p);
    tk_random r = {seed};
    p->whole = tk_model(model);
    p->i = rotation(p->whole);
    p->nz = ph_space_ambient(ph_system_space(p->whole));
    ck_assert_uint_lt(p->nz, NZ);
    tk_ok(ph_routh_create(p->whole, p->i, &p->reduced, NULL));
    ck_assert_uint_le(ph_routh_work(p->reduced), 20000);
    tk_random_motion(p->whole, &r, p->q, p->v);
    tk_ok(ph_routh_reduce(p->reduced, p->q, p->v, 0.7, p->z, p->w, p->work, NULL));
    return p;
}

static void finish(pair_of *p)
{
    ph_system_free(p->reduced);
    ph_system_free(p->whole);
    free(p);
}

TEST_EACH(to_and_fro, MODELS)
{
    pair_of *p = begin(models[_i], 3);
    double q[NZ], v[NZ], zeta[NZ], c[NZ], kinetic[2], potential[2], error;
    tk_ok(ph_routh_reconstruct(p->reduced, p->z, p->w, q, v, p->work));
    ck_assert_double_le(tk_max_difference(q, p->q, p->nz), 1e-14);
    ck_assert_double_le(tk_max_difference(v, p->v, p->nz), 1e-14 * (1 + ph_max_norm(p->v, p->nz)));
    /* horizontal, of the same energy */
    tk_ok(ph_reduction_generator(p->whole, p->i, p->z, zeta));
    tk_ok(ph_system_lagrangian_gradient(p->whole, 0, p->z, zeta, NULL, c, p->work));
    ck_assert_double_le(fabs(ph_dot(c, p->w, p->nz)),
                        1e-13 * ph_max_norm(c, p->nz) * ph_max_norm(p->w, p->nz));
    tk_ok(ph_system_constraint_error(p->reduced, 0, p->z, p->w, &error, p->work));
    ck_assert_double_le(error, 1e-14);
    tk_ok(ph_system_energy(p->whole, 0, p->q, p->v, &kinetic[0], &potential[0], p->work));
    tk_ok(ph_system_energy(p->reduced, 0, p->z, p->w, &kinetic[1], &potential[1], p->work));
    ck_assert_double_eq_tol(kinetic[1], kinetic[0], 1e-13 * kinetic[0]);
    ck_assert_double_eq_tol(potential[1], potential[0], 1e-13 * (fabs(potential[0]) + kinetic[0]));
    /* the momentum of the phase is that of the whole */
    double pw[NZ], pr[NZ], J[2];
    tk_momentum(p->whole, p->q, p->v, pw);
    tk_momentum(p->reduced, p->z, p->w, pr);
    tk_ok(ph_system_momentum_map(p->whole, p->i, p->q, pw, &J[0], p->work));
    tk_ok(ph_system_momentum_map(p->reduced, 0, p->z, pr, &J[1], p->work));
    ck_assert_double_eq_tol(J[1], J[0], 1e-13 * (fabs(J[0]) + ph_max_norm(pw, NZ)));
    ck_assert(ph_system_is_conservative(p->reduced));
    finish(p);
}

/* x <- the third of its vectors turned: Z x for the axis of the symmetry. */
static void turned(const pair_of *p, const double *x, double *y)
{
    /* R(s) x by the library at two angles would be its own truth; Z x = (R(90) - 1/2 (1 + R(180))) x */
    double quarter[NZ], half[NZ], work[2 * NZ];
    memcpy(quarter, x, p->nz * sizeof *x);
    memcpy(half, x, p->nz * sizeof *x);
    ph_routh_turn(p->whole, p->i, acos(-1) / 2, quarter, work);
    ph_routh_turn(p->whole, p->i, acos(-1), half, work);
    for (size_t k = 0; k < p->nz; k++)
        y[k] = quarter[k] - 0.5 * (x[k] + half[k]);
}

/* r'' = a(r, r' + phi' Z r) - 2 phi' Z r' - phi'' Z r - phi'^2 Z Z r, phi'' = -(mu / I^2) dI . r', where a is the
 * acceleration of the whole, which is the same in a frame that was turned. The reactions are 0. */
TEST_EACH(accelerations, MODELS)
{
    pair_of *p = begin(models[_i], 11 + (uint64_t)_i);
    const ph_field *field = ph_field_find("q-qdot", NULL);
    const size_t nz = p->nz, N = nz + 1;
    double y[4 * NZ], dy[4 * NZ], a[4 * NZ], Zr[NZ], ZZr[NZ], Zw[NZ], dI[NZ], I, lambda;
    memcpy(y, p->z, N * sizeof *y);
    memcpy(y + N, p->w, N * sizeof *y);
    TK_MEMORY double *work = malloc((field->work(p->reduced) + field->work(p->whole) + 1) * sizeof *work);
    tk_ok(field->evaluate(p->reduced, 0, y, dy, work));
    turned(p, p->z, Zr);
    turned(p, Zr, ZZr);
    turned(p, p->w, Zw);
    const double rate = p->w[nz];
    for (size_t k = 0; k < nz; k++) {
        y[k] = p->z[k];
        y[nz + k] = p->w[k] + rate * Zr[k];
    }
    tk_ok(field->evaluate(p->whole, 0, y, a, work));
    tk_ok(ph_reduction_locked_inertia(p->whole, p->i, p->z, &I, p->work));
    tk_ok(ph_reduction_locked_inertia_gradient(p->whole, p->i, p->z, dI, p->work));
    const double second = -rate / I * ph_dot(dI, p->w, nz), size = ph_max_norm(a, 2 * nz) + rate * rate;
    for (size_t k = 0; k < nz; k++)
        ck_assert_double_eq_tol(
            dy[N + k], a[nz + k] - 2 * rate * Zw[k] - second * Zr[k] - rate * rate * ZZr[k], 1e-11 * size);
    ck_assert_double_eq_tol(dy[N + nz], second, 1e-11 * size);
    tk_ok(ph_system_reactions(p->reduced, 0, p->z, p->w, &lambda, p->work));
    ck_assert_double_le(fabs(lambda), 1e-11 * size);
    finish(p);
}

/* The reduced trajectory, reconstructed, is that of the whole; with `ends` it is discretely horizontal. */
TEST_EACH(discrete, MODELS)
{
    static const char *const orders[] = {"2", "4", "6", "8"};
    const int steps = tk_thorough() ? 400 : 60;
    const ph_method *variational = ph_method_find("variational", NULL);
    for (size_t o = 0; o < 4; o++) {
        pair_of *p = begin(models[_i], 20);
        ph_integrator *whole, *reduced;
        ph_state *a, *b;
        double q[NZ], before[NZ], zeta[NZ], c[NZ], work[2 * NZ];
        const double h = 0.05 / tk_fastest(p->whole, p->q, p->v);
        tk_start_with(p->whole, variational, "order", orders[o], h, 0, p->q, p->v, &whole, &a);
        tk_start_with(p->reduced, variational, "order", orders[o], h, 0, p->z, p->w, &reduced, &b);
        const double mu = b->p[b->np - 1];
        for (int k = 0; k < steps; k++) {
            memcpy(before, b->z, b->nz * sizeof *before);
            tk_steps(whole, a, 1);
            tk_steps(reduced, b, 1);
            memcpy(q, b->z, p->nz * sizeof *q);
            ph_routh_turn(p->whole, p->i, b->z[p->nz], q, work);
            ck_assert_double_le(tk_max_difference(q, a->z, p->nz), 1e-12 * (1 + ph_max_norm(a->z, p->nz)));
            ck_assert_double_eq(b->p[b->np - 1], mu);
            tk_ok(ph_reduction_generator(p->whole, p->i, before, zeta));
            tk_ok(ph_system_lagrangian_gradient(p->whole, 0, before, zeta, NULL, c, p->work));
            double slip = 0, size = 0;
            for (size_t j = 0; j < p->nz; j++) {
                slip += c[j] * (b->z[j] - before[j]);
                size += fabs(c[j]);
            }
            if (o == 0)
                ck_assert_double_le(fabs(slip), 2e-14 * size * (1 + ph_max_norm(a->z, p->nz)));
        }
        tk_end(whole, a);
        tk_end(reduced, b);
        finish(p);
    }
}

/* The phase of Problem 1 at t = 10 s by 34-digit integration of the reduced equations with a connection. */
static const double phase_at_10 = 9.1580792261618;

static double phase_by(const char *method, const char *option, const char *value, int steps)
{
    TK_OWN(ph_system) *whole = tk_model("double-spherical-pendulum"), *reduced = NULL;
    double q[6], v[6], z[7], w[7], work[4000];
    tk_preset("double-spherical-pendulum", NULL, 0, NULL, q, v);
    tk_ok(ph_routh_create(whole, rotation(whole), &reduced, NULL));
    ck_assert_uint_le(ph_routh_work(reduced), 4000);
    tk_ok(ph_routh_reduce(reduced, q, v, 0, z, w, work, NULL));
    TK_BEGIN(it, state, tk_start_with, reduced, ph_method_find(method, NULL), option, value, 10.0 / steps, 0,
             z, w);
    tk_steps(it, state, steps);
    const double phase = state->z[6];
    return phase;
}

TEST(phase)
{
    ck_assert_double_eq_tol(phase_by("variational", "order", "8", 400), phase_at_10, 2e-12);
    ck_assert_double_eq_tol(phase_by("rk4", NULL, NULL, 4000), phase_at_10, 1e-8);
    /* orders by halving */
    static const struct {
        const char *method, *option, *value;
        int steps;
        double order, within;
    } cases[] = {{"variational", "order", "2", 800, 2, .03},
                 {"variational", "order", "4", 200, 4, .2},
                 {"rk4", NULL, NULL, 800, 4, .3},
                 {"dla", "order", "2", 800, 2, .05}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double coarse = phase_by(cases[i].method, cases[i].option, cases[i].value, cases[i].steps) -
                              phase_at_10,
                     fine = phase_by(cases[i].method, cases[i].option, cases[i].value, 2 * cases[i].steps) -
                            phase_at_10;
        ck_assert_double_eq_tol(log2(fabs(coarse / fine)), cases[i].order, cases[i].within);
    }
}

TEST(refusals)
{
    TK_OWN(ph_system) *reduced = NULL, *rolling = tk_model("rolling-disk"),
                      *chain = tk_model("chain-pendulum");
    tk_returns(ph_routh_create(NULL, 0, &reduced, tk_err), PH_E_INVALID);
    tk_refused(ph_routh_create(chain, 9, &reduced, tk_err), PH_E_RANGE, "no symmetry number 9");
    if (ph_system_symmetries(rolling)) {
        tk_refused(ph_routh_create(rolling, 0, &reduced, tk_err), PH_E_UNSUPPORTED, "cannot be reduced");
    }
    /* all links vertical */
    const size_t n = ph_space_factors(ph_system_space(chain));
    double q[NZ] = {0}, v[NZ] = {0}, z[NZ], w[NZ], work[20000];
    for (size_t k = 0; k < n; k++)
        q[3 * k + 2] = -1;
    tk_ok(ph_routh_create(chain, 0, &reduced, tk_err));
    tk_returns(ph_routh_reduce(reduced, q, v, 0, z, w, work, tk_err), PH_E_SINGULAR);
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL;
    ck_assert_ptr_nonnull(strstr(tk_err->message, "against it"));
    tk_returns(ph_routh_reduce(chain, q, v, 0, z, w, work, tk_err), PH_E_INVALID);
    /* a momentum off the level set: mu is not that of the motion */
    tk_random r = {8};
    double p[NZ];
    tk_random_motion(chain, &r, q, v);
    tk_ok(ph_routh_reduce(reduced, q, v, 0, z, w, work, tk_err));
    tk_momentum(reduced, z, w, p);
    tk_start(reduced, "variational", NULL, 0.01, z, w, &it, &state);
    p[3 * n] *= 1.001;
    tk_returns(ph_state_set(it, state, 0, z, p, PH_STRICT, tk_err), PH_E_NOT_TANGENT);
}

/* The whole of a model that is invariant under all rotations, in a random motion with J along the third axis. */
static ph_system *aligned(const char *model, uint64_t seed, double *q, double *v, size_t *third)
{
    ph_system *s = tk_model(model);
    tk_random r = {seed};
    double before[NZ], rate[NZ], p[NZ], J[2][3], kinetic[2], potential[2];
    TK_MEMORY double *work = malloc((ph_reduction_work(s) + ph_system_work(s)) * sizeof *work);
    tk_random_motion(s, &r, q, v);
    memcpy(before, q, sizeof before);
    memcpy(rate, v, sizeof rate);
    tk_ok(ph_routh_align(s, q, v, work, NULL));
    tk_ok(ph_routh_all_rotations(s, third, NULL));
    for (size_t side = 0; side < 2; side++) {
        tk_momentum(s, side ? q : before, side ? v : rate, p);
        for (size_t k = 0; k < 3; k++)
            tk_ok(ph_system_momentum_map(s, k, side ? q : before, p, &J[side][k], work));
        tk_ok(ph_system_energy(s, 0, side ? q : before, side ? v : rate, &kinetic[side], &potential[side],
                               work));
    }
    ck_assert_double_le(fabs(J[1][0]) + fabs(J[1][1]), 1e-14 * J[1][2]);
    ck_assert_double_eq_tol(J[1][2], ph_norm3(J[0]), 1e-14 * J[1][2]);
    ck_assert_double_eq_tol(kinetic[1], kinetic[0], 1e-14 * kinetic[0]);
    ck_assert_double_eq_tol(potential[1], potential[0], 1e-13 * (fabs(potential[0]) + kinetic[0]));
    return s;
}

/* Upside down, upright and between: seeds that give J_3 of either sign. */
TEST(alignment)
{
    double q[NZ], v[NZ];
    size_t third;
    for (uint64_t seed = 1; seed < 9; seed++) {
        ph_system_free(aligned("free-rigid-body", seed, q, v, &third));
        ph_system_free(aligned("sphere-n-body", seed, q, v, &third));
    }
}

static void rotation_of(const ph_system *whole, size_t third, const double *z, double R[9])
{
    double work[18];
    memcpy(R, z, 9 * sizeof *R);
    ph_routh_turn(whole, third, z[9], R, work);
}

/* The discrete Euler equations h S(Pi) = F Jd - Jd F^T, Pi+ = F^T Pi (Moser, Veselov 1991), F = R^T R+, Jd = tr(J) / 2 - J;
 * |Pi| and Pi / |Pi| = R^T e3, the reduced motion, to rounding. */
TEST(discrete_euler)
{
    double q[NZ], v[NZ], z[NZ], w[NZ], Jd[9] = {0}, R[9], Rn[9], F[9], work[2000];
    size_t third;
    TK_OWN(ph_system) *whole = aligned("free-rigid-body", 5, q, v, &third), *reduced = NULL;
    const double h = 0.2 / tk_fastest(whole, q, v);
    for (size_t k = 0; k < 3; k++)
        Jd[4 * k] = 1.2 - (double[]){0.6, 0.8, 1.0}[k]; /* the model's moments */
    tk_ok(ph_routh_create(whole, third, &reduced, NULL));
    ck_assert_uint_le(ph_routh_work(reduced), 2000);
    tk_ok(ph_routh_reduce(reduced, q, v, 0, z, w, work, NULL));
    TK_BEGIN(it, state, tk_start_with, reduced, ph_method_find("variational", NULL), "discrete-lagrangian",
             "ends", h, 0, z, w);
    const double mu = state->p[3];
    for (int step = 0; step < 100; step++) {
        double Pi[3], left[3], turned[3];
        memcpy(Pi, state->p, sizeof Pi);
        rotation_of(whole, third, state->z, R);
        tk_steps(it, state, 1);
        rotation_of(whole, third, state->z, Rn);
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++)
                F[3 * i + j] = R[i] * Rn[j] + R[3 + i] * Rn[3 + j] + R[6 + i] * Rn[6 + j];
        /* the hat of left is F Jd - Jd F^T */
        for (size_t k = 0; k < 3; k++) {
            const size_t a = (k + 2) % 3, b = (k + 1) % 3;
            left[k] = F[3 * a + b] * Jd[4 * b] - Jd[4 * a] * F[3 * b + a];
            turned[k] = F[k] * Pi[0] + F[3 + k] * Pi[1] + F[6 + k] * Pi[2];
            ck_assert_double_eq_tol(left[k], h * Pi[k], 1e-14 * mu);
        }
        for (size_t k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(state->p[k], turned[k], 2e-15 * mu);
            ck_assert_double_eq_tol(state->z[6 + k], state->p[k] / mu, 4e-15);
        }
        ck_assert_double_eq_tol(ph_norm3(state->p), mu, 4e-15 * mu);
        ck_assert_double_eq(state->p[3], mu);
    }
}

/* When Pi has returned, after T = 4 K(k) / rate, the body has turned about J by 2 E T / |J| less the solid angle that Pi / |Pi|
 * has gone round (Montgomery, Am. J. Phys. 59 (1991) 394). Both by elliptic functions and quadrature of 40 digits. */
TEST(montgomery)
{
    static const double period = 6.862616178058116, turn = 3.519600434802164;
    double q[9], v[9], z[10], w[10], work[2000], R[9], start[9];
    size_t third;
    TK_OWN(ph_system) *whole = tk_model("free-rigid-body"), *reduced = NULL;
    tk_preset("free-rigid-body", NULL, 0, NULL, q, v);
    tk_ok(ph_routh_align(whole, q, v, work, NULL));
    tk_ok(ph_routh_all_rotations(whole, &third, NULL));
    tk_ok(ph_routh_create(whole, third, &reduced, NULL));
    tk_ok(ph_routh_reduce(reduced, q, v, 0, z, w, work, NULL));
    TK_BEGIN(it, state, tk_start_with, reduced, ph_method_find("variational", NULL), "order", "8",
             period / 200, 0, z, w);
    rotation_of(whole, third, state->z, start);
    tk_steps(it, state, 200);
    rotation_of(whole, third, state->z, R);
    for (size_t k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(state->p[k], ((double[]){1.8, 0.4, -0.9})[k], 1e-12);
        ck_assert_double_eq_tol(R[k], cos(turn) * start[k] - sin(turn) * start[3 + k], 2e-12);
        ck_assert_double_eq_tol(R[3 + k], sin(turn) * start[k] + cos(turn) * start[3 + k], 2e-12);
    }
}

TEST(no_rotations)
{
    size_t third;
    double q[NZ], v[NZ] = {0}, work[20000];
    TK_OWN(ph_system) *top = tk_model("heavy-top"), *body = tk_model("free-rigid-body");
    tk_preset("free-rigid-body", NULL, 0, NULL, q, v);
    tk_returns(ph_routh_all_rotations(NULL, &third, tk_err), PH_E_INVALID);
    tk_refused(ph_routh_all_rotations(top, &third, tk_err), PH_E_UNSUPPORTED,
               "lacks the momentum of the first axis");
    tk_returns(ph_routh_align(top, q, v, work, tk_err), PH_E_UNSUPPORTED);
    memset(v, 0, sizeof v);
    tk_refused(ph_routh_align(body, q, v, work, tk_err), PH_E_SINGULAR, "is 0");
}

int main(void)
{
    return tk_run("routh");
}
