/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational step and the equations on products of R^d, S^1, S^2 and SO(3), against formulations that
 * share nothing with them: the same map by Lagrange multipliers in the ambient space, the discrete action and
 * its complex derivatives, the symplectic form, and each other's limits. */
#include "tests/kit/form.h"
#include "tests/kit/products.h"

#include <float.h>

static const ph_factor mix[] = {
    {.kind = PH_FACTOR_S1}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_R, .d = 2}};

/* The first system of a series is on S^1 x S^2 x SO(3) x R^2, the others on anything. */
static pd_system *trial_system(int trial, pd_flavour flavour, tk_random *r)
{
    return trial ? pd_random(flavour, r) : pd_create(mix, 4, flavour, r);
}

static void start(const pd_system *s, const char *method, const char *form, double h, const double *z,
                  const double *v, ph_integrator **it, ph_state **state)
{
    tk_start(s->system, method, form, h, z, v, it, state);
}

/* ---- By multipliers -------------------------------------------------------------------------------- */

enum { MOST_C = 6 * PD_FACTORS };

/* How many constraints; c (nullable) <- their values, A <- their gradients (rows of nz): |q|^2 - 1, and the
 * six different entries of R^T R - I. */
static size_t constraints(const pd_system *s, const double *z, double *c, double *A)
{
    size_t n = 0, nz = s->nz;
    memset(A, 0, MOST_C * nz * sizeof *A);
    for (size_t i = 0; i < s->n; i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        const double *q = z + f->z;
        if (f->kind == PH_FACTOR_R)
            continue;
        if (f->kind != PH_FACTOR_SO3) {
            double sum = -1;
            for (size_t k = 0; k < f->nz; k++) {
                sum = fma(q[k], q[k], sum);
                A[n * nz + f->z + k] = 2 * q[k];
            }
            c[n++] = sum;
            continue;
        }
        for (size_t a = 0; a < 3; a++)
            for (size_t b = 0; b <= a; b++) {
                double sum = a == b ? -1 : 0;
                for (size_t m = 0; m < 3; m++) {
                    sum = fma(q[3 * m + a], q[3 * m + b], sum);
                    A[n * nz + f->z + 3 * m + a] += q[3 * m + b];
                    A[n * nz + f->z + 3 * m + b] += q[3 * m + a];
                }
                c[n++] = sum;
            }
    }
    return n;
}

/* (z, p) after a step of h at t: MM (z+ - z) - h mu + (h^2/2) (dU - f) - A(z)^T lambda = 0, c(z+) = 0, by
 * Newton. */
static void multiplier_step(const pd_system *s, double t, double h, const double *z, const double *p,
                            const double *v_start, double *z1, double *p1)
{
    enum { MOST = PD_NZ + MOST_C };
    size_t nz = s->nz;
    double mu[PD_NZ], g[PD_NZ], f[PD_NZ], v[PD_NZ], dfdv[PD_NZ * PD_NZ], c[MOST_C], A[MOST_C * PD_NZ],
        A1[MOST_C * PD_NZ], lambda[MOST_C] = {0}, b[MOST], smallest = INFINITY;
    static double J[MOST * MOST];
    size_t nc = constraints(s, z, c, A), n = nz + nc;
    fm_covector(s->space, z, p, mu);
    pd_gradient(s, z, g);
    for (size_t i = 0; i < nz; i++)
        z1[i] = z[i] + h * v_start[i];
    for (int pass = 0; pass < 30; pass++) {
        for (size_t i = 0; i < nz; i++)
            v[i] = (z1[i] - z[i]) / h;
        pd_force(s, t, z, v, f);
        pd_force_dv(s, t, z, v, dfdv);
        constraints(s, z1, c, A1);
        memset(J, 0, n * n * sizeof *J);
        for (size_t i = 0; i < nz; i++) {
            b[i] = h * mu[i] - 0.5 * h * h * (g[i] - f[i]);
            for (size_t j = 0; j < nz; j++) {
                b[i] -= s->MM[i * nz + j] * (z1[j] - z[j]);
                J[i * n + j] = s->MM[i * nz + j] - 0.5 * h * dfdv[i * nz + j];
            }
            for (size_t k = 0; k < nc; k++) {
                b[i] += A[k * nz + i] * lambda[k];
                J[i * n + nz + k] = -A[k * nz + i];
                J[(nz + k) * n + i] = A1[k * nz + i];
            }
        }
        for (size_t k = 0; k < nc; k++)
            b[nz + k] = -c[k];
        ck_assert_int_eq(tk_solve(n, J, b), 0);
        double most = ph_max_norm(b, nz);
        if (pass > 3 && most >= 0.5 * smallest)
            break;
        smallest = fmin(smallest, most);
        for (size_t i = 0; i < nz; i++)
            z1[i] += b[i];
        for (size_t k = 0; k < nc; k++)
            lambda[k] += b[nz + k];
    }
    ck_assert_double_le(smallest, 1e-13);
    /* p+ from the multipliers, so that nothing is divided by h that was rounded before */
    double f1[PD_NZ], g1[PD_NZ];
    for (size_t i = 0; i < nz; i++)
        v[i] = (z1[i] - z[i]) / h;
    pd_force(s, t, z, v, f);
    pd_force(s, t + h, z1, v, f1);
    pd_gradient(s, z1, g1);
    for (size_t i = 0; i < nz; i++) {
        double sum = 0;
        for (size_t k = 0; k < nc; k++)
            sum += A[k * nz + i] * lambda[k];
        mu[i] += sum / h - 0.5 * h * (g[i] - f[i] + g1[i] - f1[i]);
    }
    fm_momentum(s->space, z1, mu, p1);
}

/* Steps from rest guesses and from extrapolated ones, each against the multipliers from where it began. */
TEST_EACH(the_step_is_that_of_the_multipliers, PD_FLAVOURS)
{
    tk_random r = {100 + (uint64_t)_i};
    const int trials = tk_short() ? 5 : tk_long() ? 400 : tk_thorough() ? 60 : 25;
    double worst_z = 0, worst_p = 0;
    for (int trial = 0; trial < trials; trial++) {
        TK_OWN(pd_system) *s = trial_system(trial, (pd_flavour)_i, &r);
        double z[PD_NZ], v[PD_NZ], p[PD_NZ], z1[PD_NZ], p1[PD_NZ], work[8192], h = tk_uniform(&r, 0.02, 0.1);
        pd_motion(s, &r, 1, z, v);
        ck_assert_uint_le(ph_system_work(s->system), 8192);
        TK_BEGIN(it, state, start, s, "variational", NULL, trial % 2 ? -h : h, z, v);
        h = ph_integrator_step_size(it);
        for (int k = 0; k < 6; k++) {
            double t = state->t, size = 1 + ph_max_norm(state->p, s->np);
            memcpy(z, state->z, s->nz * sizeof *z);
            memcpy(p, state->p, s->np * sizeof *p);
            tk_ok(ph_system_velocity(s->system, 0, z, p, v, work));
            tk_steps(it, state, 1);
            multiplier_step(s, t, h, z, p, v, z1, p1);
            worst_z = tk_max(worst_z, tk_max_difference(state->z, z1, s->nz));
            worst_p = tk_max(worst_p, tk_max_difference(state->p, p1, s->np) / size);
        }
    }
    printf("the step against multipliers, flavour %d, %d systems: z off by %.1e, p by %.1e\n", _i, trials,
           worst_z, worst_p);
    /* df/dzdot by differences is good to 1e-9 only, but the residual is exact */
    ck_assert_double_le(worst_z, 1e-13);
    ck_assert_double_le(worst_p, 1e-13);
}

/* ---- The discrete action --------------------------------------------------------------------------- */

/* L_d(z0, z1) = (1/2h) D . MM D - (h/2) (U0 + U1), complex. */
static double complex discrete_lagrangian(const pd_system *s, double h, const double complex *z0,
                                          const double complex *z1)
{
    double complex sum = 0;
    for (size_t i = 0; i < s->nz; i++)
        for (size_t j = 0; j < s->nz; j++)
            sum += (z1[i] - z0[i]) * s->MM[i * s->nz + j] * (z1[j] - z0[j]);
    return sum / (2 * h) - 0.5 * h * (pd_potential(s, z0) + pd_potential(s, z1));
}

/* slopes (nx) <- derivative of L_d in its first (or second) argument along the basis there, and what the
 * force adds: (h/2) f at that end with the chord velocity. */
static void slopes_at(const pd_system *s, double t, double h, const double *z0, const double *z1, bool second,
                      double *slopes)
{
    static const double tiny = 1e-100;
    double E[PD_NX * PD_NZ], v[PD_NZ], f[PD_NZ];
    double complex a[PD_NZ], b[PD_NZ], *moved = second ? b : a;
    fm_basis(s->space, second ? z1 : z0, E);
    for (size_t i = 0; i < s->nz; i++) {
        a[i] = z0[i];
        b[i] = z1[i];
        v[i] = (z1[i] - z0[i]) / h;
    }
    pd_force(s, second ? t + h : t, second ? z1 : z0, v, f);
    for (size_t k = 0; k < s->nx; k++) {
        const double *row = E + k * s->nz;
        double work = 0;
        for (size_t i = 0; i < s->nz; i++) {
            moved[i] += I * tiny * row[i];
            work += row[i] * f[i];
        }
        slopes[k] = cimag(discrete_lagrangian(s, h, a, b)) / tiny + 0.5 * h * work;
        for (size_t i = 0; i < s->nz; i++)
            moved[i] = creal(moved[i]);
    }
}

/* -D_1 L_d is the momentum before, D_2 L_d the one after, and the action is stationary at what is between two
 * steps, forces included. */
TEST_EACH(the_discrete_action_is_stationary, PD_FLAVOURS)
{
    tk_random r = {200 + (uint64_t)_i};
    const int trials = tk_short() ? 5 : tk_long() ? 400 : tk_thorough() ? 60 : 25;
    double worst = 0, worst_p = 0;
    for (int trial = 0; trial < trials; trial++) {
        TK_OWN(pd_system) *s = trial_system(trial, (pd_flavour)_i, &r);
        double z[3][PD_NZ], p[3][PD_NZ], v[PD_NZ], h = tk_uniform(&r, 0.02, 0.1), before[PD_NX], after[PD_NX];
        pd_motion(s, &r, 1, z[0], v);
        TK_BEGIN(it, state, start, s, "variational", NULL, h, z[0], v);
        for (int k = 0; k < 3; k++) {
            memcpy(z[k], state->z, s->nz * sizeof(double));
            memcpy(p[k], state->p, s->np * sizeof(double));
            tk_steps(it, state, 1);
        }
        for (int k = 0; k < 2; k++) {
            double mu[PD_NZ], E[PD_NX * PD_NZ], size = 1 + ph_max_norm(p[1], s->np);
            slopes_at(s, 0, h, z[0], z[1], true, before);
            slopes_at(s, h, h, z[1], z[2], false, after);
            fm_covector(s->space, z[1], p[1], mu);
            fm_basis(s->space, z[1], E);
            for (size_t a = 0; a < s->nx; a++) {
                double along = 0;
                for (size_t i = 0; i < s->nz; i++)
                    along += E[a * s->nz + i] * mu[i];
                worst = tk_max(worst, fabs(before[a] + after[a]) / size);
                worst_p = tk_max(worst_p, fabs(before[a] - along) / size);
                worst_p = tk_max(worst_p, fabs(after[a] + along) / size);
            }
        }
    }
    printf("discrete action, flavour %d: D2 Ld + D1 Ld %.1e, momenta against D Ld %.1e\n", _i, worst,
           worst_p);
    ck_assert_double_le(worst, 1e-13); /* z to 1e-16, times MM / h with h >= 0.02, and its 45 terms */
    ck_assert_double_le(worst_p, 1e-13);
}

/* ---- Reversal -------------------------------------------------------------------------------------- */

TEST_EACH(a_step_and_its_reverse_are_the_identity, PD_FLAVOURS)
{
    tk_random r = {300 + (uint64_t)_i};
    const int trials = tk_short() ? 5 : tk_long() ? 200 : 40;
    double worst = 0, worst_flip = 0;
    for (int trial = 0; trial < trials; trial++) {
        TK_OWN(pd_system) *s = trial_system(trial, (pd_flavour)_i, &r);
        double z[PD_NZ], v[PD_NZ], p[PD_NZ], h = tk_uniform(&r, 0.02, 0.1);
        pd_motion(s, &r, 1, z, v);
        TK_BEGIN(it, state, start, s, "variational", NULL, h, z, v);
        memcpy(z, state->z, s->nz * sizeof *z);
        memcpy(p, state->p, s->np * sizeof *p);
        double size = 1 + ph_max_norm(p, s->np);
        tk_steps(it, state, 1);
        tk_ok(ph_integrator_set_step_size(it, -h));
        tk_steps(it, state, 1);
        worst = tk_max(worst, tk_max_difference(state->z, z, s->nz));
        worst = tk_max(worst, tk_max_difference(state->p, p, s->np) / size);
        if (s->flavour == PD_CONSERVATIVE) {
            double back[PD_NZ];
            tk_ok(ph_integrator_set_step_size(it, h));
            tk_ok(ph_state_set(it, state, 0, z, p, PH_STRICT, NULL));
            tk_steps(it, state, 10);
            for (size_t i = 0; i < s->np; i++)
                back[i] = -state->p[i];
            tk_ok(ph_state_set(it, state, 0, state->z, back, PH_STRICT, NULL));
            tk_steps(it, state, 10);
            for (size_t i = 0; i < s->np; i++)
                back[i] = -state->p[i];
            worst_flip = tk_max(worst_flip, tk_max_difference(state->z, z, s->nz));
            worst_flip = tk_max(worst_flip, tk_max_difference(back, p, s->np) / size);
        }
    }
    printf("reversal, flavour %d: h then -h off by %.1e, ten steps and back with -p by %.1e\n", _i, worst,
           worst_flip);
    ck_assert_double_le(worst, 1e-13);
    ck_assert_double_le(worst_flip, 1e-11); /* 20 steps, and what the motion makes of a rounding */
}

/* ---- Plane motions --------------------------------------------------------------------------------- */

/* Three coupled spheres at right angles to each other in a plane of coordinates, at rest and pushed within
 * it: across it there is nothing but what cos(pi/2) = 6e-17 leaves, and that cancels. The step for the full
 * inertia gives the same as that for the numbers M_ij, which has separate equations. */
static ph_status turn_force(void *user, double t, const double *z, const double *v, double *f)
{
    const double *normal = user;
    (void)v;
    for (size_t i = 0; i < 3; i++) {
        double turn[3];
        ph_cross3(normal, z + 3 * i, turn);
        for (size_t k = 0; k < 3; k++)
            f[3 * i + k] += (1 + t) * (double)(i + 1) * turn[k];
    }
    return PH_OK;
}

TEST_EACH(plane_motions_can_be_stepped, 12)
{
    static const ph_factor spheres[] = {
        {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}};
    static const double M[9] = {3, 0.9, 0.5, 0.9, 2, 0.7, 0.5, 0.7, 1};
    double MM[81] = {0}, normal[3] = {0}, z[9] = {0}, rest[9] = {0}, end[2][9], worst = 0;
    size_t a = (size_t)_i % 3, b = (a + 1) % 3;
    TK_OWN(ph_space) *space = tk_space(spheres, 3);
    normal[(a + 2) % 3] = 1;
    for (size_t i = 0; i < 3; i++) {
        double angle = 0.5 * M_PI * (double)(i + (size_t)_i / 3);
        z[3 * i + a] = cos(angle);
        z[3 * i + b] = sin(angle);
        for (size_t j = 0; j < 3; j++)
            for (size_t k = 0; k < 3; k++)
                MM[9 * (3 * i + k) + 3 * j + k] = M[3 * i + j];
    }
    for (int full = 0; full < 2; full++) {
        ph_system_definition d = {.space = space,
                                  .inertia = full ? NULL : M,
                                  .ambient_inertia = full ? MM : NULL,
                                  .force = turn_force,
                                  .force_ignores_velocity = true,
                                  .user = normal};
        TK_OWN(ph_system) *system = tk_defined(&d);
        TK_START(it, state, system, "variational", NULL, 0.05, z, rest);
        tk_steps(it, state, 40);
        memcpy(end[full], state->z, sizeof z);
        ck_assert_double_gt(tk_max_difference(state->z, z, 9), 0.5);
    }
    worst = tk_max_difference(end[0], end[1], 9);
    printf("plane motion %d, 40 steps: two forms apart by %.1e\n", _i, worst);
    ck_assert_double_le(worst, 1e-13);
}

/* ---- Symplecticity --------------------------------------------------------------------------------- */

/* dz ^ dmu on the ambient space, restricted to what represents the momenta, is the symplectic form. */
TEST(the_step_is_symplectic)
{
    tk_random r = {400};
    const int trials = tk_short() ? 1 : tk_long() ? 40 : 8;
    double worst = 0;
    for (int trial = 0; trial < trials; trial++) {
        TK_OWN(pd_system) *s = trial_system(trial, PD_CONSERVATIVE, &r);
        double z0[PD_NZ], v[PD_NZ];
        fm_units units;
        pd_motion(s, &r, 1, z0, v);
        TK_BEGIN(it, state, start, s, "variational", NULL, 0.1, z0, v);
        for (size_t a = 0; a < s->nx; a++)
            units.x[a] = units.p[a] = 1;
        worst = tk_max(worst, fm_form_error(it, state, 1, &units));
    }
    printf("symplectic form, %d systems, by differences of order 8: off by %.1e\n", trials, worst);
    ck_assert_double_le(worst, 1e-10); /* the exact tangent map is not to be had from outside */
}

/* ---- Which root ------------------------------------------------------------------------------------ */

/* The largest steps possible: the step found from a guess is the one found along the branch from h = 0, or
 * neither of the two exists. */
TEST_EACH(a_guessed_step_is_the_followed_one, PD_FLAVOURS)
{
    tk_random r = {900 + (uint64_t)_i};
    const int trials = tk_short() ? 30 : tk_long() ? 3000 : tk_thorough() ? 300 : 100;
    double worst = 0;
    int compared = 0, ended = 0;
    for (int trial = 0; trial < trials; trial++) {
        TK_OWN(pd_system) *s = trial_system(trial, (pd_flavour)_i, &r);
        double z[PD_NZ], v[PD_NZ], h = tk_uniform(&r, 0.05, 0.7) * (trial % 3 ? 1 : -1);
        pd_motion(s, &r, 1, z, v);
        TK_BEGIN(it, state, start, s, "variational", NULL, h, z, v);
        TK_MAKE(ph_state, cold, ph_state_create(it, &cold, NULL));
        for (int k = 0; k < 40; k++) {
            int64_t followed = ph_integrator_statistics(it)->branches;
            tk_ok(ph_state_set(it, cold, state->t, state->z, state->p, PH_STRICT, NULL));
            ph_status status = ph_integrator_step(it, state, 1);
            bool guessed = !status && ph_integrator_statistics(it)->branches == followed;
            if (guessed || status) {
                ph_status again = ph_integrator_step(it, cold, 1);
                ck_assert_int_eq(again, status);
                compared++;
            }
            if (status) {
                ended++;
                break;
            }
            if (guessed)
                worst = tk_max(worst, tk_max_difference(state->z, cold->z, s->nz));
        }
    }
    printf("guessed against followed, flavour %d: %d steps, %d motions ended; off by %.1e\n", _i, compared,
           ended, worst);
    ck_assert_int_ge(compared, trials);
    ck_assert_double_le(worst,
                        1e-10); /* near a fold a root is worth less; another root is 1e-3 away or more */
}

/* The value of guesses: Newton iterations in a step of a smooth motion, and in the first step, which follows
 * the branch. Increments of another step size are not used. */
TEST_EACH(guesses_save_passes, PD_FLAVOURS)
{
    tk_random r = {950 + (uint64_t)_i};
    double most = 0, most_first = 0;
    for (int trial = 0; trial < (tk_short() ? 3 : 20); trial++) {
        TK_OWN(pd_system) *s = trial_system(trial, (pd_flavour)_i, &r);
        double z[PD_NZ], v[PD_NZ];
        pd_motion(s, &r, 1, z, v);
        TK_BEGIN(it, state, start, s, "variational", NULL, 0.005, z, v);
        const ph_statistics *statistics = ph_integrator_statistics(it);
        tk_steps(it, state, 1);
        ck_assert_int_eq(statistics->branches, 1);
        most_first = tk_max(most_first, (double)statistics->newton_passes);
        tk_steps(it, state, 5);
        int64_t before = statistics->newton_passes;
        tk_steps(it, state, 100);
        most = tk_max(most, (double)(statistics->newton_passes - before) / 100);
        ck_assert_int_eq(statistics->branches, 1);
        tk_ok(ph_integrator_set_step_size(it, 0.0051));
        tk_steps(it, state, 2);
        ck_assert_int_eq(statistics->branches, 2);
    }
    printf("Newton, flavour %d, h = 5 ms: at most %.2f passes a step, %.0f in the first\n", _i, most,
           most_first);
    ck_assert_double_le(most, 5); /* two to get there, and what it takes to see that no further one helps */
    ck_assert_double_le(most_first, 8);
}

/* A first step of large size follows the branch; with a wrong derivative along it, it would still arrive, but
 * with more steps. */
TEST_EACH(following_the_branch_is_cheap, PD_FLAVOURS)
{
    tk_random r = {970 + (uint64_t)_i};
    enum { TRIALS = 60 };
    double passes = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        TK_OWN(pd_system) *s = trial_system(trial, (pd_flavour)_i, &r);
        double z[PD_NZ], v[PD_NZ];
        pd_motion(s, &r, 0.3, z, v);
        TK_BEGIN(it, state, start, s, "variational", NULL, 0.3, z, v);
        if (!ph_integrator_step(it, state, 1))
            passes += (double)ph_integrator_statistics(it)->newton_passes / TRIALS;
    }
    printf("Newton, flavour %d: %.1f passes in the mean for a first step of 0.3 s\n", _i, passes);
    ck_assert_double_le(passes, 25);
}

/* ---- Order ----------------------------------------------------------------------------------------- */

static void state_after(const pd_system *s, const char *method, const char *form, double h, double T,
                        const double *z, const double *v, double *out)
{
    TK_BEGIN(it, state, start, s, method, form, h, z, v);
    tk_steps(it, state, (int64_t)(T / h + 0.5));
    memcpy(out, state->z, s->nz * sizeof *out);
    memcpy(out + s->nz, state->p, s->np * sizeof *out);
}

static const struct {
    const char *method, *form;
    int order;
} methods[] = {{"variational", NULL, 2},
               {"rk4", "q-qdot", 4},
               {"rk4", "q-omega", 4},
               {"rk4-projected", "q-qdot", 4},
               {"rk4-projected", "q-omega", 4},
               {"rkmk4", "q-qdot", 4},
               {"rkmk4", "q-omega", 4},
               {"cf4", "q-qdot", 4},
               {"cf4", "q-omega", 4}};
enum { METHODS = sizeof methods / sizeof *methods };

/* The truth is the variational result extrapolated: it is symmetric, so its error has even powers only. */
static void extrapolated(const pd_system *s, double T, const double *z, const double *v, double *truth)
{
    double y[4][2 * PD_NZ];
    for (int k = 0; k < 4; k++)
        state_after(s, "variational", NULL, T / (100 << k), T, z, v, y[k]);
    for (int level = 1; level < 4; level++)
        for (int k = 3; k >= level; k--)
            for (size_t i = 0; i < s->nz + s->np; i++)
                y[k][i] += (y[k][i] - y[k - 1][i]) / (pow(4, level) - 1);
    memcpy(truth, y[3], (s->nz + s->np) * sizeof *truth);
}

TEST_EACH(orders, PD_FLAVOURS)
{
    tk_random r = {500 + (uint64_t)_i};
    for (int trial = 0; trial < (tk_short() ? 1 : 4); trial++) {
        TK_OWN(pd_system) *s = trial_system(trial, (pd_flavour)_i, &r);
        double z[PD_NZ], v[PD_NZ], truth[2 * PD_NZ], y[2 * PD_NZ], T = 0.8;
        char name[80];
        pd_motion(s, &r, 1, z, v);
        extrapolated(s, T, z, v, truth);
        printf("order, %s, flavour %d:", pd_name(s, name), _i);
        for (int m = 0; m < METHODS; m++) {
            double h[4], error[4];
            for (int k = 0; k < 4; k++) {
                h[k] = T / (40 << k);
                state_after(s, methods[m].method, methods[m].form, h[k], T, z, v, y);
                error[k] = tk_max_difference(y, truth, s->nz + s->np);
            }
            double slope = tk_slope(h + 1, error + 1, 3);
            printf(" %.2f (%.0e)", slope, error[3]);
            ck_assert_double_eq_tol(slope, methods[m].order, m ? 0.2 : 0.02);
        }
        printf("\n");
    }
}

/* ---- What rotations keep --------------------------------------------------------------------------- */

/* Largest change of energy and of the angular momenta over `steps` steps, and the size of the latter's
 * terms. */
static void changes(const pd_system *s, const char *method, const char *form, double h, int64_t steps,
                    const double *z, const double *v, double *energy, double *momentum, double *size)
{
    ph_measures m;
    double first[4];
    TK_BEGIN(it, state, start, s, method, form, h, z, v);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(s->system, &d, NULL));
    tk_ok(ph_diagnostics_measure(d, state, &m));
    first[0] = m.energy;
    size_t n = ph_system_symmetries(s->system);
    memcpy(first + 1, m.momenta, n * sizeof *first);
    *energy = *momentum = 0;
    *size = ph_max_norm(state->p, s->np);
    for (int64_t k = 0; k < steps; k++) {
        tk_steps(it, state, 1);
        if (k % (1 + steps / 1000) && k != steps - 1)
            continue;
        tk_ok(ph_diagnostics_measure(d, state, &m));
        *energy = tk_max(*energy, fabs(m.energy - first[0]));
        *momentum = tk_max(*momentum, tk_max_difference(m.momenta, first + 1, n));
        for (size_t i = 0; i < s->n; i++) {
            const ph_factor_place *f = ph_space_factor(s->space, i);
            for (size_t a = 0; a < f->nz && f->kind == PH_FACTOR_R; a++) /* x x p */
                for (size_t b = 0; b < f->np; b++)
                    *size = fmax(*size, fabs(state->z[f->z + a] * state->p[f->p + b]));
        }
    }
}

TEST(rotations_keep_the_angular_momentum)
{
    tk_random r = {600};
    const int trials = tk_short() ? 2 : tk_long() ? 40 : 12;
    const int64_t steps = tk_short() ? 500 : tk_thorough() ? 10000 : 3000;
    double worst = 0;
    for (int trial = 0; trial < trials; trial++) {
        static const ph_factor all[] = {{.kind = PH_FACTOR_R, .d = 3},
                                        {.kind = PH_FACTOR_SO3},
                                        {.kind = PH_FACTOR_S2},
                                        {.kind = PH_FACTOR_S2}};
        pd_flavour flavour = trial % 2 ? PD_PLANAR : PD_INVARIANT;
        TK_OWN(pd_system) *s = trial ? pd_random(flavour, &r) : pd_create(all, 4, flavour, &r);
        double z[PD_NZ], v[PD_NZ], energy, momentum, size;
        char name[80];
        pd_motion(s, &r, 0.5, z, v);
        changes(s, "variational", NULL, 0.02, steps, z, v, &energy, &momentum, &size);
        printf("angular momentum, %s, %lld steps: off by %.1e of %.1f; energy by %.1e\n", pd_name(s, name),
               (long long)steps, momentum, size, energy);
        worst = tk_max(worst, momentum / size);
    }
    ck_assert_double_le(worst, 1e-12);
}

/* Two coupled wheels: the increments of the momenta are rounded, but the rounding of their sums is kept. */
TEST(sums_are_compensated)
{
    static const ph_factor wheels[] = {{.kind = PH_FACTOR_S1}, {.kind = PH_FACTOR_S1}};
    const int64_t steps = tk_short() ? 30000 : 100000;
    double worst = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        tk_random r = {650 + seed};
        TK_OWN(pd_system) *s = pd_create(wheels, 2, PD_PLANAR, &r);
        double z[PD_NZ], v[PD_NZ], energy, momentum, size;
        pd_motion(s, &r, 0.5, z, v);
        changes(s, "variational", NULL, 0.02, steps, z, v, &energy, &momentum, &size);
        worst = tk_max(worst, momentum / size);
    }
    printf("two wheels, %lld steps: momentum off by %.1e of its terms\n", (long long)steps, worst);
    ck_assert_double_le(worst, 1e-14);
}

/* Runge-Kutta keeps neither, but the faster the smaller the steps are: by h^4 (or a power more). */
TEST(runge_kutta_drifts_by_its_order)
{
    tk_random r = {700};
    for (int trial = 0; trial < (tk_short() ? 1 : 3); trial++) {
        static const ph_factor all[] = {
            {.kind = PH_FACTOR_R, .d = 3}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_S2}};
        TK_OWN(pd_system) *s = pd_create(all, 3, PD_INVARIANT, &r);
        double z[PD_NZ], v[PD_NZ];
        pd_motion(s, &r, 0.7, z, v);
        printf("drift of energy and angular momentum in 2 s:");
        for (int m = 1; m < METHODS; m++) {
            double h[3], energy[3], momentum[3], size;
            for (int k = 0; k < 3; k++) {
                h[k] = 0.04 / (1 << k);
                changes(s, methods[m].method, methods[m].form, h[k], 50 << k, z, v, &energy[k], &momentum[k],
                        &size);
            }
            double slopes[2] = {tk_slope(h, energy, 3), tk_slope(h, momentum, 3)};
            printf(" h^%.2f (%.0e), h^%.2f (%.0e);", slopes[0], energy[2], slopes[1], momentum[2]);
            for (int k = 0; k < 2; k++) {
                ck_assert_double_ge(slopes[k], 3.7);
                ck_assert_double_le(slopes[k], 5.5);
            }
        }
        printf("\n");
    }
}

/* ---- Steps that cannot be taken --------------------------------------------------------------------- */

/* Bits of a state. */
typedef struct copy {
    double t, z[PD_NZ], p[PD_NZ], carry[16 * PD_NZ];
    int64_t k;
} copy;

static void take_copy(const ph_state *state, copy *c)
{
    memset(c, 0, sizeof *c);
    ck_assert_uint_le(state->ncarry, 16 * PD_NZ);
    c->t = state->t;
    c->k = state->k;
    memcpy(c->z, state->z, state->nz * sizeof *c->z);
    memcpy(c->p, state->p, state->np * sizeof *c->p);
    memcpy(c->carry, state->carry, state->ncarry * sizeof *c->carry);
}

static bool is_copy(const ph_state *state, const copy *c)
{
    static copy now;
    take_copy(state, &now);
    return !memcmp(&now, c, sizeof now);
}

/* A turning wheel (S^1) and a ball (SO(3)) alone: sin(turn) = h w has no solution beyond h w = 1. */
TEST(a_step_without_solution_changes_nothing)
{
    static const ph_factor kinds[] = {{.kind = PH_FACTOR_S1}, {.kind = PH_FACTOR_SO3}};
    for (int k = 0; k < 2; k++) {
        double MM[81] = {0}, z[9] = {1}, v[9] = {0};
        static copy before;
        TK_OWN(ph_space) *space = tk_space(&kinds[k], 1);
        size_t nz = ph_space_ambient(space);
        for (size_t i = 0; i < nz; i++)
            MM[i * (nz + 1)] = 1;
        z[4] = z[8] = k; /* (1, 0), or the unit matrix */
        v[1] = k ? -1 : 1;
        v[3] = 1;
        ph_system_definition d = {.space = space, .ambient_inertia = MM};
        TK_OWN(ph_system) *system = tk_defined(&d);
        TK_START(it, state, system, "variational", NULL, 0.9, z, v);
        tk_steps(it, state, 3);
        ck_assert_double_eq_tol(atan2(state->z[k ? 3 : 1], state->z[0]), 3 * asin(0.9) - 2 * M_PI, 1e-14);
        take_copy(state, &before);
        tk_ok(ph_integrator_set_step_size(it, 1.1));
        ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_NO_SOLUTION);
        ck_assert(strstr(ph_integrator_message(it), "no solution at t = 2.7 s") != NULL);
        ck_assert(strstr(ph_integrator_message(it), "turns back at h = 1.0000") != NULL ||
                  strstr(ph_integrator_message(it), "turns back at h = 0.9999") != NULL);
        ck_assert(is_copy(state, &before));
        tk_ok(ph_integrator_set_step_size(it, 0.9));
        tk_steps(it, state, 1);
    }
}

enum { RESTING = 11, RESTING_WAYS = 7 };

/* Eleven spheres on a row, neighbours coupled by their inertia, in frames that are turned by one angle
 * or not. Each configuration is perpendicular to its neighbours', so that who rests is drawn along only by
 * the square of how far the one before has turned: v t, (v t)^2, (v t)^4, ..., far below the rounding of
 * the first, and on to nothing. */
static ph_system *resting_row(bool turned, ph_space **space, double *q)
{
    enum { NZ = 3 * RESTING };
    double MM[NZ * NZ] = {0};
    /* clang-format off */
    const double angle = turned ? 1 : 0,
                 R[9] = {cos(angle), -sin(angle), 0,
                         cos(angle) * sin(angle), cos(angle) * cos(angle), -sin(angle),
                         sin(angle) * sin(angle), cos(angle) * sin(angle), cos(angle)};
    /* clang-format on */
    ph_factor factors[RESTING];
    for (size_t i = 0; i < RESTING; i++) {
        factors[i] = (ph_factor){.kind = PH_FACTOR_S2};
        for (size_t k = 0; k < 3; k++) {
            q[3 * i + k] = R[3 * k + i % 3];
            MM[(3 * i + k) * (NZ + 1)] = 2;
            if (i)
                MM[(3 * i + k) * NZ + 3 * i - 3 + k] = MM[(3 * i - 3 + k) * NZ + 3 * i + k] = -0.9;
        }
    }
    tk_ok(ph_space_create(factors, RESTING, space, NULL));
    const ph_system_definition d = {.space = *space, .ambient_inertia = MM};
    return tk_defined(&d);
}

/* Steps of order 8 converge there, in few iterations and from their guesses, and the factor that moves keeps
 * its speed: the others change it by the square of its turn only. (When each equation was judged by its own
 * terms alone, those of factors at rest were never solved: "did not converge" from v t = 1e-11 on, and at
 * 1e-3 nine steps in ten without a guess.) */
TEST_EACH(what_rests_beside_what_moves_is_no_obstacle, 2 * RESTING_WAYS)
{
    static const struct {
        const char *method, *rule;
    } ways[RESTING_WAYS] = {{"variational", "ends"},
                            {"variational", "midpoint"},
                            {"variational", "normalised-midpoint"},
                            {"variational", "exponential"},
                            {"variational", "exponential-midpoint"},
                            {"multistep", NULL},
                            {"gauss", NULL}};
    static const double speeds[] = {1, 1e-3, 1e-8, 1e-12}, sizes[] = {0.05, 1e-3};
    enum { STAGES = 21, STEPS = 6 };
    const size_t way = (size_t)_i % RESTING_WAYS;
    const ph_setting settings[] = {{"order", "8"}, {"discrete-lagrangian", ways[way].rule}};
    double q[3 * RESTING], v[3 * RESTING] = {0};
    TK_OWN(ph_space) *space = NULL;
    TK_OWN(ph_system) *system = resting_row(_i / RESTING_WAYS, &space, q);
    const ph_method *method = ph_method_find(ways[way].method, NULL);
    double passes = 0;
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 2; b++) {
            const double t = STEPS * sizes[b], turn = speeds[a] * t;
            double farthest = 0;
            for (size_t k = 0; k < 3; k++)
                v[k] = speeds[a] * (0.6 * q[3 + k] + 0.8 * q[6 + k]); /* perpendicular to q_1 */
            TK_MOTION(it, state);
            tk_ok(
                ph_integrator_create(system, method, sizes[b], settings, ways[way].rule ? 2 : 1, &it, NULL));
            tk_ok(ph_state_create(it, &state, NULL));
            tk_ok(ph_state_set_velocity(it, state, 0, q, v, PH_PROJECT, NULL));
            tk_steps(it, state, STEPS);
            for (size_t k = 0; k < 3 * RESTING; k++)
                farthest = tk_max(farthest, fabs(state->z[k] - q[k] - v[k] * t));
            const ph_statistics *done = ph_integrator_statistics(it);
            const double each = (double)done->newton_passes / STEPS / (ways[way].rule ? STAGES : 1);
            ck_assert_int_le(done->branches, 1);                /* variational begins without a guess */
            ck_assert_double_le(farthest, turn * turn + 1e-15); /* and rounding of q */
            passes = tk_max(passes, each);
        }
    printf("eleven spheres of which one moves, %s %s: at most %.1f passes\n", method->name,
           ways[way].rule ? ways[way].rule : "", passes);
    /* measured 4.0 to 6.5, at turns of 0.05 a step; 8 is where Newton's iteration gives up a guess */
    ck_assert_double_le(passes, 8);
}

/* Every call of every callback in a step fails once: the status is returned, the bits of the state are
 * unchanged, and the motion then continues as if nothing had happened. */
TEST_EACH(a_refused_step_changes_nothing, PD_FLAVOURS)
{
    tk_random r = {800 + (uint64_t)_i};
    TK_OWN(pd_system) *s = pd_create(mix, 4, (pd_flavour)_i, &r);
    double z[PD_NZ], v[PD_NZ];
    static copy before;
    pd_motion(s, &r, 1, z, v);
    TK_BEGIN(it, state, start, s, "variational", NULL, 0.05, z, v);
    TK_MAKE(ph_state, other, ph_state_create(it, &other, NULL));
    for (int k = 0; k < 6; k++) {
        int64_t failures = 0;
        tk_ok(ph_state_copy(other, state));
        s->fail_at = 0;
        tk_steps(it, other, 1);
        take_copy(state, &before);
        for (int64_t at = 1;; at++) {
            s->calls = 0;
            s->fail_at = at;
            ph_status status = ph_integrator_step(it, state, 1);
            if (s->calls < at) {
                tk_ok(status);
                break;
            }
            failures++;
            ck_assert_int_eq(status, PH_E_CALLBACK);
            ck_assert(strstr(ph_integrator_message(it), "failed at t = ") != NULL);
            ck_assert(is_copy(state, &before));
        }
        ck_assert_int_ge(failures, 1);
        take_copy(other, &before);
        ck_assert(is_copy(state, &before));
    }
}

int main(void)
{
    return tk_run("product");
}
