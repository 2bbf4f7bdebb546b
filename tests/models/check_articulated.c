/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of rigid bodies with ball joints: evaluations compared with the positions of the bodies in space; the
 * step of `variational` without a matrix compared with the one with it and with chains of point masses, and
 * its claims; thousands of bodies; what is refused. */
#include "lib/system/evaluation.h"
#include "tests/kit/testkit.h"

#include <float.h>

enum { MOST = 8 };
static const double eps = DBL_EPSILON;

/* ---- Random trees ---------------------------------------------------------------------------------- */

typedef struct tree {
    size_t n, parent[MOST];
    double mass[MOST], inertia[9 * MOST], joint[3 * MOST], anchor[3 * MOST];
    double dU[9 * MOST]; /* gradient of the potential, which is linear */
    double U0;           /* its constant */
    ph_articulation is;
} tree;

enum { GENERAL, FLAT, THIN, KINDS };

/* Moments as a body of three second moments has them: FLAT: one of them is 0; THIN: two are small. */
static void random_tensor(int kind, double size, tk_random *r, double J[9])
{
    double d[3], w[3] = {tk_normal(r), tk_normal(r), tk_normal(r)}, R[9], A[9] = {0}, B[9];
    for (int k = 0; k < 3; k++)
        d[k] = size * tk_uniform(r, 0.1, 1);
    if (kind == FLAT)
        d[0] = 0;
    if (kind == THIN)
        d[0] *= 1e-3, d[1] *= 1e-3;
    for (int k = 0; k < 3; k++)
        A[4 * k] = d[(k + 1) % 3] + d[(k + 2) % 3];
    ph_exp3(w, R);
    ph_multiply3(R, A, B);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            J[3 * i + j] = ph_dot3(B + 3 * i, R + 3 * j);
}

/* chain: each on the one before; else each on any before, or now and then on a fixed point. */
static void random_tree(tree *t, size_t n, bool chain, int kind, tk_random *r)
{
    t->n = n;
    for (size_t i = 0; i < n; i++) {
        bool root = i == 0 || (!chain && tk_uniform(r, 0, 1) < 0.15);
        t->parent[i] = root ? PH_NO_INDEX : chain ? i - 1 : (size_t)tk_uniform(r, 0, (double)i);
        t->mass[i] = tk_log_uniform(r, 0.3, 3);
        random_tensor(kind, 0.3 * t->mass[i], r, t->inertia + 9 * i);
        for (size_t k = 0; k < 3; k++) {
            t->joint[3 * i + k] = 0.5 * tk_normal(r);
            t->anchor[3 * i + k] = 0.5 * tk_normal(r);
        }
    }
    t->is = (ph_articulation){t->mass,  t->inertia, t->parent,
                              t->joint, t->anchor,  {tk_normal(r), tk_normal(r), -9.81}};
}

/* x (3n) <- places of the centres of mass. */
static void centres(const tree *t, const double *z, double *x)
{
    for (size_t i = 0; i < t->n; i++) {
        double arm[3], reach[3];
        size_t p = t->parent[i];
        ph_apply3(z + 9 * i, t->joint + 3 * i, arm);
        memcpy(reach, t->anchor + 3 * i, sizeof reach);
        if (p != PH_NO_INDEX)
            ph_apply3(z + 9 * p, t->anchor + 3 * i, reach);
        for (size_t k = 0; k < 3; k++)
            x[3 * i + k] = (p == PH_NO_INDEX ? 0 : x[3 * p + k]) + reach[k] - arm[k];
    }
}

static double fall(const tree *t, const double *z)
{
    double x[3 * MOST], U = 0;
    centres(t, z, x);
    for (size_t i = 0; i < t->n; i++)
        U -= t->mass[i] * ph_dot3(t->is.gravity, x + 3 * i);
    return U;
}

static ph_status linear_potential(void *user, const double *z, double *U)
{
    *U = fall(user, z);
    return PH_OK;
}

static ph_status linear_gradient(void *user, const double *z, double *dU)
{
    const tree *t = user;
    (void)z;
    memcpy(dU, t->dU, 9 * t->n * sizeof *dU);
    return PH_OK;
}

/* U is linear in the entries of the R's. */
static void find_slope(tree *t)
{
    double z[9 * MOST] = {0};
    t->U0 = fall(t, z);
    for (size_t k = 0; k < 9 * t->n; k++) {
        z[k] = 1;
        t->dU[k] = fall(t, z) - t->U0;
        z[k] = 0;
    }
}

static ph_space *rotations(size_t n)
{
    ph_space *space = NULL;
    tk_ok(ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_SO3}, n, &space, NULL));
    return space;
}

static ph_system *make(ph_system_definition d, size_t n)
{
    TK_OWN(ph_space) *space = rotations(n);
    ph_system *system = NULL;
    ph_error err = {.message = ""};
    d.space = space;
    ck_assert_msg(!ph_system_create(&d, &system, &err), "%s", err.message);
    return system;
}

static const ph_symmetry about_gravity = {"Jg", "", "", {0, 0, 1}, NULL};

static ph_system *articulated(const tree *t)
{
    return make(
        (ph_system_definition){.articulation = &t->is, .symmetries = &about_gravity, .n_symmetries = 1},
        t->n);
}

/* The matrix, from the kinetic energy of bodies whose centres move with z (they are linear in it) and whose
 * second moments turn: T = (1/2) sum m |xdot|^2 + (1/2) tr(Rdot J_d Rdot^T). */
static void inertia_from_places(const tree *t, double *MM)
{
    size_t nz = 9 * t->n;
    double zero[9 * MOST] = {0}, x0[3 * MOST], *X = calloc(nz * 3 * t->n, sizeof *X);
    centres(t, zero, x0);
    for (size_t k = 0; k < nz; k++) { /* column k of dx/dz */
        zero[k] = 1;
        centres(t, zero, X + 3 * t->n * k);
        zero[k] = 0;
        for (size_t a = 0; a < 3 * t->n; a++)
            X[3 * t->n * k + a] -= x0[a];
    }
    for (size_t k = 0; k < nz; k++)
        for (size_t l = 0; l < nz; l++) {
            size_t i = k / 9, row = k % 9 / 3, a = k % 3, b = l % 3;
            const double *J = t->inertia + 9 * i;
            double sum = 0;
            for (size_t m = 0; m < 3 * t->n; m++)
                sum += t->mass[m / 3] * X[3 * t->n * k + m] * X[3 * t->n * l + m];
            if (l / 9 == i && l % 9 / 3 == row)
                sum += (a == b ? 0.5 * (J[0] + J[4] + J[8]) : 0) - J[3 * a + b];
            MM[k * nz + l] = sum;
        }
    free(X);
}

/* The same system by a matrix and callbacks. */
static ph_system *dense(tree *t)
{
    TK_MEMORY double *MM = calloc(81 * t->n * t->n, sizeof *MM);
    inertia_from_places(t, MM);
    find_slope(t);
    ph_system *system = make((ph_system_definition){.ambient_inertia = MM,
                                                    .potential = linear_potential,
                                                    .gradient = linear_gradient,
                                                    .symmetries = &about_gravity,
                                                    .n_symmetries = 1,
                                                    .user = t},
                             t->n);
    ck_assert_ptr_null(ph_system_articulation(system));
    return system;
}

/* ---- Evaluation ------------------------------------------------------------------------------------ */

TEST_EACH(evaluation_needs_no_matrix, KINDS)
{
    tk_random r = {100 + (uint64_t)_i};
    double worst = 0, back = 0;
    for (int trial = 0; trial < 60; trial++) {
        tree t;
        size_t n = 1 + (size_t)tk_uniform(&r, 0, MOST), nz = 9 * n;
        double z[9 * MOST], v[9 * MOST], mu[9 * MOST], g[9 * MOST], v1[9 * MOST], p[3 * MOST], *MM, U, T,
            size = 0, *work;
        random_tree(&t, n, trial % 2, _i, &r);
        TK_OWN(ph_system) *system = articulated(&t);
        ck_assert_ptr_nonnull(ph_system_articulation(system));
        ck_assert(ph_system_kind(system) == PH_INERTIA_CONSTANT && ph_system_is_dense(system));
        find_slope(&t);
        MM = calloc(nz * nz, sizeof *MM);
        work = calloc(ph_system_work(system), sizeof *work);
        inertia_from_places(&t, MM);
        tk_random_motion(system, &r, z, v);
        for (size_t k = 0; k < nz * nz; k++)
            size = tk_max(size, fabs(MM[k]));
        worst = tk_max(worst, tk_max_difference(MM, ph_system_ambient_inertia(system), nz * nz) / size);
        ph_system_apply_inertia(system, v, mu);
        double twice = 0, push = 0;
        for (size_t k = 0; k < nz; k++) {
            double sum = 0, terms = 0;
            for (size_t l = 0; l < nz; l++) {
                sum += MM[k * nz + l] * v[l];
                terms += fabs(MM[k * nz + l] * v[l]);
            }
            twice += sum * v[k];
            push = tk_max(push, fabs(t.dU[k]));
            worst = tk_max(worst, fabs(mu[k] - sum) / (terms + 1));
        }
        tk_ok(ph_system_gradient(system, z, g));
        tk_ok(ph_system_energy(system, 0, z, v, &T, &U, work));
        worst = tk_max(worst, tk_max_difference(g, t.dU, nz) / push);
        worst = tk_max(worst, fabs(U - fall(&t, z)) / (push * (double)n));
        worst = tk_max(worst, fabs(T - 0.5 * twice) / T);
        tk_ok(ph_system_momentum(system, 0, z, v, p, work));
        tk_ok(ph_system_velocity(system, 0, z, p, v1, work));
        back = tk_max(back, tk_max_difference(v, v1, nz));
        free(work);
        free(MM);
    }
    printf("articulations: MM, MM v, U, T off by %.1e, velocity of the momentum of a velocity by %.1e\n",
           worst, back);
    ck_assert_double_le(worst, 60 * eps); /* sums of up to MOST levers */
    ck_assert_double_le(back, 1e-12);     /* condition numbers up to some 1e3 */
}

/* Where every turn of a body about its joint moves mass, no configuration is tried: at none are the 3 x 3 matrices of the elimination near
 * singular. With bodies whose least moment is `thin` of the others this is said up to some 1e11. */
TEST(trees_are_regular_where_their_bodies_are)
{
    static const double thin[] = {1, 1e-3, 1e-6, 1e-9, 1e-14};
    enum { EACH = 50, LAST = sizeof thin / sizeof thin[0] - 1 };
    tk_random r = {170};
    double worst = 0;
    for (int k = 0; k <= LAST; k++)
        for (int trial = 0; trial < EACH; trial++) {
            tree t;
            double z[9 * MOST], v[9 * MOST], condition;
            random_tree(&t, 1 + (size_t)tk_uniform(&r, 0, MOST), trial % 2, GENERAL, &r);
            for (size_t i = 0; i < t.n;
                 i++) { /* no mass but along the body's third axis, on which its joint is */
                const double J[9] = {
                    [0] = t.mass[i], [4] = t.mass[i] * (1 + 0.5 * thin[k]), [8] = thin[k] * t.mass[i]};
                memcpy(t.inertia + 9 * i, J, sizeof J);
                t.joint[3 * i] = t.joint[3 * i + 1] = 0;
            }
            TK_OWN(ph_system) *system = articulated(&t);
            double *work = calloc(ph_system_work(system), sizeof *work);
            tk_random_motion(system, &r, z, v);
            ck_assert(ph_system_is_regular(system) == (k < LAST));
            ck_assert(ph_check_regular(system, 0, z, NULL, work, &condition) == PH_OK || k == LAST);
            worst = tk_max(worst, k < LAST ? condition : 0);
            free(work);
        }
    printf("trees that are regular everywhere: condition numbers up to %.1e\n", worst);
    ck_assert_double_le(worst, 1e12);
}

TEST(parents_default_to_a_chain)
{
    tk_random r = {5};
    tree t;
    double z[9 * 5], v[9 * 5], mu[9 * 5], mu1[9 * 5], U, U1;
    random_tree(&t, 5, true, GENERAL, &r);
    TK_OWN(ph_system) *system = articulated(&t);
    t.is.parent = NULL;
    TK_OWN(ph_system) *chain = articulated(&t);
    const ph_articulation *a = ph_system_articulation(chain);
    ck_assert(a->parent[0] == PH_NO_INDEX && a->parent[4] == 3 && a->mass[2] == t.mass[2] &&
              a->mass != t.mass);
    tk_random_motion(system, &r, z, v);
    ph_system_apply_inertia(system, v, mu);
    ph_system_apply_inertia(chain, v, mu1);
    tk_ok(ph_system_potential(system, z, &U));
    tk_ok(ph_system_potential(chain, z, &U1));
    ck_assert_mem_eq(mu, mu1, sizeof mu);
    ck_assert(U == U1);
}

/* A force and a torque that depend on t and z, on the entries of all R's. */
static ph_status stir(void *user, double t, const double *z, const double *zdot, double *f)
{
    size_t n = *(const size_t *)user;
    (void)zdot;
    for (size_t k = 0; k < 9 * n; k++)
        f[k] += sin(3 * t + (double)k) * (1 + 0.5 * z[(k + 4) % (9 * n)]);
    return PH_OK;
}

static ph_system *stirred(const ph_system *base, size_t *n)
{
    ph_system_definition d = {.force = stir, .force_ignores_velocity = true, .user = n};
    ph_system *system = NULL;
    tk_ok(ph_system_create_forced(base, &d, &system, NULL));
    return system;
}

/* All forms but x-mu, which is the sum over dP of q-mu, find velocities or accelerations by one elimination inwards. */
static const char *const forms[] = {"q-pi", "q-mu", "x-mu", "q-qdot", "q-omega", "x-xdot"};
enum { FORMS = sizeof forms / sizeof forms[0] };

/* In one way inwards and one outwards, with forces in every other pair of trees, compared with the same by the matrix, which is of
 * another formula; of q-mu and q-qdot also off the manifold, where the map is the same. Condition numbers of up to some 1e3, of thin bodies
 * more, multiply rounding. */
TEST_EACH(rates_need_no_matrix, KINDS *FORMS)
{
    static const double most[KINDS] = {[GENERAL] = 3e-13, [FLAT] = 3e-13, [THIN] = 1e-12};
    const int kind = _i % KINDS;
    tk_random r = {150 + (uint64_t)_i};
    const ph_field *form = ph_field_find(forms[_i / KINDS], NULL);
    const bool in_momenta = !strcmp(form->name, "q-pi"),
               at_any_matrix = !strcmp(form->name, "q-mu") || !strcmp(form->name, "q-qdot");
    double worst = 0, sum = 0;
    for (int trial = 0; trial < 100; trial++) {
        tree t;
        size_t n = 2 + (size_t)tk_uniform(&r, 0, MOST - 1);
        double z[9 * MOST], v[9 * MOST], p[3 * MOST], y[18 * MOST], rate[2][18 * MOST];
        random_tree(&t, n, trial % 2, kind, &r);
        ph_system *own[2] = {articulated(&t), dense(&t)}, *system[2] = {own[0], own[1]};
        for (int k = 0; k < 2 && trial % 4 > 1; k++)
            system[k] = stirred(own[k], &t.n);
        const size_t size = form->size(system[0]);
        TK_MEMORY double *work = malloc((form->work(system[0]) + form->work(system[1])) * sizeof *work);
        tk_random_motion(own[0], &r, z, v);
        tk_ok(ph_system_momentum(own[0], 0, z, v, p, work));
        tk_ok(form->from_momentum(system[1], 0, z, p, y, work));
        for (size_t k = 0; k < 9 * n && at_any_matrix; k++)
            y[k] += 1e-3 * tk_normal(&r);
        for (int k = 0; k < 2; k++)
            tk_ok(form->evaluate(system[k], 0.1, y, rate[k], work));
        const double error = tk_max_difference(rate[0], rate[1], size) / ph_max_norm(rate[1], size);
        worst = tk_max(worst, error);
        sum += error;
        for (int k = 0; k < 2; k++) {
            if (system[k] != own[k])
                ph_system_free(system[k]);
            ph_system_free(own[k]);
        }
    }
    printf("articulations, %s: rates off by %.1e, on average %.1e, of the matrix\n", form->name, worst,
           sum / 100);
    /* of x-xdot the matrix itself is rounded beside the largest inertia, which nothing that solves with it can restore */
    ck_assert_double_le(worst, (kind == THIN && !strcmp(form->name, "x-xdot") ? 2 : 1) * most[kind]);
    ck_assert_double_le(sum / 100, (in_momenta ? 0.02 : 0.05) * most[kind]);
}

/* Stages of Runge-Kutta methods are off the manifold, where the equations are others than with the matrix: errors of trajectories may not be
 * larger for that. */
TEST_EACH(errors_need_no_matrix, FORMS)
{
    tk_random r = {160};
    double error[2] = {0};
    for (int trial = 0; trial < 20; trial++) {
        tree t;
        size_t n = 2 + (size_t)tk_uniform(&r, 0, MOST - 1);
        double z[9 * MOST], v[9 * MOST], end[3][9 * MOST];
        random_tree(&t, n, trial % 2, GENERAL, &r);
        TK_OWN(ph_system) *own = articulated(&t), *matrix = dense(&t);
        tk_random_motion(own, &r, z, v);
        const double span = 1 / tk_fastest(own, z, v);
        for (int k = 0; k < 3; k++) {
            TK_START(it, state, k == 1 ? matrix : own, k == 2 ? "rk8" : "rk4-projected",
                     k == 2 ? "q-pi" : forms[_i], span / 20, z, v);
            tk_steps(it, state, 20);
            memcpy(end[k], state->z, 9 * n * sizeof *z);
        }
        for (int k = 0; k < 2; k++)
            error[k] += log(tk_max_difference(end[k], end[2], 9 * n)) / 20;
    }
    printf("articulations, %s: errors of RK4 %.2e, %.2e by the matrix\n", forms[_i], exp(error[0]),
           exp(error[1]));
    ck_assert_double_le(error[0], error[1] + log(1.1));
}

/* ---- The step -------------------------------------------------------------------------------------- */

/* With h so that the bodies turn by 0.02 to 0.2 rad in a step. */
TEST_EACH(agrees_with_the_step_by_a_matrix, 2 * KINDS)
{
    enum { STEPS = 12 };
    bool forced = _i >= KINDS;
    tk_random r = {200 + (uint64_t)_i};
    double worst = 0, turned = 0;
    int trials = tk_short() ? 12 : 120, refused = 0;
    for (int trial = 0; trial < trials; trial++) {
        tree t;
        size_t n = 1 + (size_t)tk_uniform(&r, 0, MOST), nz = 9 * n;
        double z[9 * MOST], v[9 * MOST], size = 0, turn = tk_log_uniform(&r, 0.02, 0.2);
        ph_integrator *it[2];
        ph_state *state[2];
        random_tree(&t, n, trial % 2, _i % KINDS, &r);
        ph_system *own[2] = {articulated(&t), dense(&t)}, *system[2] = {own[0], own[1]};
        for (int k = 0; k < 2 && forced; k++)
            system[k] = stirred(own[k], &t.n);
        tk_random_motion(own[0], &r, z, v);
        double h = turn / tk_fastest(own[0], z, v);
        ph_status status[2];
        for (int k = 0; k < 2; k++) {
            tk_start(system[k], "variational", NULL, h, z, v, &it[k], &state[k]);
            status[k] = ph_integrator_step(it[k], state[k], STEPS);
        }
        refused += status[0] || status[1];
        ck_assert(status[0] == status[1]);
        for (size_t k = 0; k < 3 * n; k++)
            size = tk_max(size, fabs(state[1]->p[k]));
        for (size_t k = 0; k < nz; k++)
            turned = tk_max(turned, fabs(state[1]->z[k] - z[k]));
        worst = tk_max(worst, tk_max_difference(state[0]->z, state[1]->z, nz));
        worst = tk_max(worst, tk_max_difference(state[0]->p, state[1]->p, 3 * n) / size);
        for (int k = 0; k < 2; k++) {
            tk_end(it[k], state[k]);
            if (forced)
                ph_system_free(system[k]);
            ph_system_free(own[k]);
        }
    }
    printf(
        "%d trees, %d steps with and without the matrix: apart by %.1e (moved by %.1f, %d had no solution)\n",
        trials, STEPS, worst, turned, refused);
    ck_assert_double_le(worst, 1e-12);
    ck_assert_double_ge(turned, 0.5);
    ck_assert_int_le(refused, 2); /* by both, at the same step */
}

/* Steps in which bodies turn by up to 90 degrees, where the equations have several roots or none. (The step
 * with a matrix uses another criterion for how far it may follow the branch at once.) */
TEST(large_steps_find_the_same_root)
{
    enum { STEPS = 3 };
    tk_random r = {900};
    double worst = 0;
    int trials = 300, none = 0, lost = 0, other = 0;
    for (int trial = 0; trial < trials; trial++) {
        tree t;
        size_t n = 2 + (size_t)tk_uniform(&r, 0, 4);
        double z[9 * MOST], v[9 * MOST], turn = tk_log_uniform(&r, 0.3, 3);
        ph_integrator *it[2];
        ph_state *state[2];
        ph_status status[2];
        random_tree(&t, n, trial % 2, trial % KINDS, &r);
        ph_system *system[2] = {articulated(&t), dense(&t)};
        tk_random_motion(system[0], &r, z, v);
        double h = turn / tk_fastest(system[0], z, v);
        for (int k = 0; k < 2; k++) {
            tk_start(system[k], "variational", NULL, h, z, v, &it[k], &state[k]);
            status[k] = ph_integrator_step(it[k], state[k], STEPS);
        }
        bool both = !status[0] && !status[1];
        none += status[0] && status[1] && state[0]->k == state[1]->k;
        lost += status[0] && (!status[1] || state[0]->k < state[1]->k);
        other += status[1] && (!status[0] || state[1]->k < state[0]->k);
        if (both)
            worst = tk_max(worst, tk_max_difference(state[0]->z, state[1]->z, 9 * n));
        for (int k = 0; k < 2; k++) {
            tk_end(it[k], state[k]);
            ph_system_free(system[k]);
        }
    }
    printf("%d trees, %d large steps: apart by %.1e; "
           "no solution by both %d, only without the matrix %d, only with it %d\n",
           trials, STEPS, worst, none, lost, other);
    ck_assert_double_le(worst, 1e-9);
    ck_assert_int_ge(none, trials / 10); /* the sample goes that far */
    ck_assert_int_eq(lost, 0);
    ck_assert_int_eq(other, 0);
}

/* All mass of a body is in a small ball at its lower joint: in the limit these are points on rods, for which
 * there is another kernel. A ball that does not spin about its rod has the inertia m l^2 + j about the joint
 * instead of m l^2. */
enum { BALLS = 20 };

/* R takes -e3 to q, and omega = q x qdot has no part along q. */
static void hang_along(size_t n, const double *q, const double *qdot, double *z, double *v)
{
    static const double down[3] = {0, 0, -1};
    for (size_t i = 0; i < n; i++) {
        double axis[3], w[3], own[3], s;
        ph_cross3(down, q + 3 * i, axis);
        s = ph_norm3(axis);
        for (int k = 0; k < 3; k++)
            axis[k] *= s > 0 ? atan2(s, ph_dot3(down, q + 3 * i)) / s : 0;
        ph_exp3(axis, z + 9 * i);
        ph_cross3(q + 3 * i, qdot + 3 * i, w);
        ph_apply_transposed3(z + 9 * i, w, own);
        for (int k = 0; k < 3; k++)
            ph_cross3(z + 9 * i + 3 * k, own, v + 9 * i + 3 * k);
    }
}

/* q (3n) <- the rods after the steps, of balls with j = small m l^2. */
static void swing_balls(double small, const double *q0, const double *qdot, double h, int64_t steps,
                        double *q)
{
    double J[9 * BALLS] = {0}, joint[3 * BALLS] = {0}, anchor[3 * BALLS] = {0}, mass[BALLS], z[9 * BALLS],
                 v[9 * BALLS];
    for (size_t i = 0; i < BALLS; i++) {
        mass[i] = 0.1;
        joint[3 * i + 2] = 0.1; /* the next one's joint is at the centre of mass: anchors are 0 */
        for (size_t k = 0; k < 3; k++)
            J[9 * i + 4 * k] = small * 0.1 * 0.1 * 0.1;
    }
    ph_articulation a = {mass, J, NULL, joint, anchor, {0, 0, -9.81}};
    TK_OWN(ph_system) *balls = make((ph_system_definition){.articulation = &a}, BALLS);
    hang_along(BALLS, q0, qdot, z, v);
    TK_START(it, state, balls, "variational", NULL, h, z, v);
    tk_steps(it, state, steps);
    for (size_t i = 0; i < BALLS; i++)
        for (size_t k = 0; k < 3; k++)
            q[3 * i + k] = -state->z[9 * i + 3 * k + 2];
}

TEST(small_balls_are_points)
{
    enum { STEPS = 100 };
    static const double small = 1e-4, l = 0.1;
    double mass[BALLS], q[3 * BALLS], qdot[3 * BALLS], larger[3 * BALLS], smaller[3 * BALLS], worst = 0;
    for (size_t i = 0; i < BALLS; i++)
        mass[i] = 0.1;
    const ph_parameter_value chain[] = {{"masses", mass, BALLS}, {"lengths", &l, 1}};
    TK_OWN(ph_system) *points = tk_build_at("chain-pendulum", chain, 2, "curved", q, qdot);
    TK_START(it, state, points, "variational", NULL, 0.001, q, qdot);
    tk_ok(ph_integrator_step(it, state, STEPS));
    swing_balls(small, q, qdot, 0.001, STEPS, larger);
    swing_balls(0.5 * small, q, qdot, 0.001, STEPS, smaller);
    for (size_t k = 0; k < 3 * BALLS; k++) /* extrapolated to balls of no size */
        worst = tk_max(worst, fabs(2 * smaller[k] - larger[k] - state->z[k]));
    double one = tk_max_difference(larger, state->z, 3 * BALLS);
    printf("%d balls and points on rods: apart by %.1e after %d steps, %.1e without the balls' size\n", BALLS,
           one, STEPS, worst);
    ck_assert_double_le(one, 0.1);
    ck_assert_double_le(worst, 0.02 * one); /* what is left is of the second order in the size */
}

/* ---- Claims ---------------------------------------------------------------------------------------- */

static double energy(const ph_system *system, const ph_state *state, double *work, double *zdot)
{
    double T, U;
    tk_ok(ph_system_velocity(system, 0, state->z, state->p, zdot, work));
    tk_ok(ph_system_energy(system, 0, state->z, zdot, &T, &U, work));
    return T + U;
}

/* A tree under gravity along e3: at most how far energy and the vertical angular momentum are from where they
 * began, the latter also as a trend (its mean in each tenth of the time), and R^T R from I. */
TEST_EACH(energy_momentum_and_rotations_stay, 2)
{
    enum { TENTHS = 10 };
    tk_random r = {300 + (uint64_t)_i};
    tree t;
    int64_t steps = tk_long() ? 1000000 : tk_short() ? 2000 : 100000;
    double z[9 * 6], v[9 * 6], zdot[9 * 6], tenth[TENTHS], number[TENTHS], orthogonal = 0, off = 0, size = 0,
                                                                           J0 = 0, early = 0, late = 0;
    random_tree(&t, 6, _i == 0, GENERAL, &r);
    t.is.gravity[0] = t.is.gravity[1] = 0;
    TK_OWN(ph_system) *system = articulated(&t);
    TK_MEMORY double *work = calloc(ph_system_work(system), sizeof *work);
    tk_random_motion(system, &r, z, v);
    TK_START(it, state, system, "variational", NULL, 0.03 / tk_fastest(system, z, v), z, v);
    double E0 = energy(system, state, work, zdot);
    tk_ok(ph_system_momentum_map(system, 0, state->z, state->p, &J0, work));
    for (int i = 0; i < TENTHS; i++) {
        tenth[i] = 0;
        number[i] = i;
        for (int j = 0; j < 100; j++) {
            double C[9], J;
            tk_steps(it, state, steps / (100 * TENTHS));
            tk_ok(ph_system_momentum_map(system, 0, state->z, state->p, &J, work));
            double now = fabs(energy(system, state, work, zdot) - E0);
            if (i < TENTHS / 2)
                early += now / (100 * TENTHS / 2);
            else
                late += now / (100 * TENTHS / 2);
            off = tk_max(off, fabs(J - J0));
            tenth[i] += (J - J0) / 100;
            for (size_t k = 0; k < 6; k++) {
                ph_rotation_residual3(state->z + 9 * k, C);
                for (int a = 0; a < 9; a++)
                    orthogonal = tk_max(orthogonal, fabs(C[a]));
                size = tk_max(size, ph_norm3(state->p + 3 * k));
            }
        }
    }
    double trend = 0, mean = 0; /* least squares, per tenth */
    for (int i = 0; i < TENTHS; i++)
        mean += tenth[i] / TENTHS;
    for (int i = 0; i < TENTHS; i++)
        trend += (number[i] - 4.5) * (tenth[i] - mean) / 82.5;
    printf("%s of 6 bodies, %lld steps: energy %.1f off by %.1e, then %.1e in the mean; "
           "Jg off by %.1e of |Pi|, %.1e in a tenth; R^T R - I %.1e\n",
           _i ? "tree" : "chain", (long long)steps, E0, early, late, off / size, trend / size, orthogonal);
    ck_assert_double_le(late, 1.5 * early);                     /* of a chaotic motion, whose peaks vary */
    ck_assert_double_le(off / size, tk_long() ? 4e-15 : 1e-15); /* a walk of roundings */
    ck_assert_double_le(orthogonal, 4e-16);
}

TEST_EACH(steps_back_are_the_way_back, KINDS)
{
    tk_random r = {400 + (uint64_t)_i};
    double worst = 0;
    for (int trial = 0; trial < 20; trial++) {
        tree t;
        double z[9 * MOST], v[9 * MOST];
        random_tree(&t, MOST, trial % 2, _i, &r);
        TK_OWN(ph_system) *system = articulated(&t);
        tk_random_motion(system, &r, z, v);
        TK_START(it, state, system, "variational", NULL, 0.1 / tk_fastest(system, z, v), z, v);
        double p[3 * MOST], size = 0;
        memcpy(p, state->p, sizeof p);
        memcpy(z, state->z, sizeof z);
        for (size_t k = 0; k < 3 * MOST; k++)
            size = tk_max(size, fabs(p[k]));
        tk_ok(ph_integrator_step(it, state, 10));
        tk_ok(ph_integrator_set_step_size(it, -ph_integrator_step_size(it)));
        tk_ok(ph_integrator_step(it, state, 10));
        worst = tk_max(worst, tk_max_difference(z, state->z, 9 * MOST));
        worst = tk_max(worst, tk_max_difference(p, state->p, 3 * MOST) / size);
    }
    printf("ten steps there and back: off by %.1e\n", worst);
    ck_assert_double_le(worst, 2e-12);
}

/* Of rk4 with a matrix at a fine step. */
TEST(converges_with_order_two)
{
    enum { STEPS = 4 };
    tk_random r = {500};
    tree t;
    double z[9 * 5], v[9 * 5], exact[9 * 5], h[STEPS], error[STEPS];
    ph_integrator *it;
    ph_state *state;
    random_tree(&t, 5, false, GENERAL, &r);
    TK_OWN(ph_system) *base = articulated(&t), *system = stirred(base, &t.n);
    tk_random_motion(system, &r, z, v);
    double span = 1 / tk_fastest(base, z, v);
    tk_start(system, "rk4", NULL, span / 2000, z, v, &it, &state);
    tk_ok(ph_integrator_step(it, state, 2000));
    memcpy(exact, state->z, sizeof exact);
    tk_end(it, state);
    for (int k = 0; k < STEPS; k++) {
        int64_t steps = 20 << k;
        h[k] = span / (double)steps;
        tk_start(system, "variational", NULL, h[k], z, v, &it, &state);
        tk_ok(ph_integrator_step(it, state, steps));
        error[k] = tk_max_difference(exact, state->z, 9 * 5);
        tk_end(it, state);
    }
    double slope = tk_slope(h, error, STEPS);
    printf("tree with forces: error %.1e ... %.1e, slope %.3f\n", error[0], error[STEPS - 1], slope);
    ck_assert_double_le(fabs(slope - 2), 0.03);
}

/* All that survives a step is in the state. */
TEST(steps_at_once_or_one_by_one)
{
    enum { STEPS = 40 };
    tk_random r = {600};
    tree t;
    double z[9 * MOST], v[9 * MOST];
    random_tree(&t, MOST, false, GENERAL, &r);
    TK_OWN(ph_system) *base = articulated(&t), *system = stirred(base, &t.n);
    tk_random_motion(system, &r, z, v);
    double h = 0.1 / tk_fastest(base, z, v);
    TK_START(it, state, system, "variational", NULL, h, z, v);
    TK_START(other, one, system, "variational", NULL, h, z, v);
    TK_MAKE(ph_state, copy, ph_state_create(it, &copy, NULL));
    tk_ok(ph_integrator_step(it, state, STEPS));
    for (int k = 0; k < STEPS; k++) {
        tk_ok(ph_integrator_step(k % 2 ? it : other, one, 1));
        tk_ok(ph_state_copy(copy, one));
        memset(one->z, 0, one->nz * sizeof *one->z);
        tk_ok(ph_state_copy(one, copy));
    }
    ck_assert_mem_eq(state->z, one->z, state->nz * sizeof *state->z);
    ck_assert_mem_eq(state->p, one->p, state->np * sizeof *state->p);
    ck_assert_mem_eq(state->carry, one->carry, state->ncarry * sizeof *state->carry);
}

/* ---- Where there is no solution -------------------------------------------------------------------- */

/* A spherical body about its centre of mass, J Omega = I sin(turn)/h: no solution from h |Omega| = 1 on,
 * where the turn would be 90 degrees. The system also has a chain on the other fixed point, which moves
 * little. */
TEST(a_branch_that_turns_back_is_no_solution)
{
    double mass[3] = {1, 1, 1}, J[27] = {0}, joint[9] = {0, 0, 0, 0, 0, 0.2, 0, 0, 0.2},
           anchor[9] = {0, 0, 0, 1, 0, 0, 0, 0, -0.2}, z[27] = {0}, v[27] = {0}, z0[27], p0[9];
    const size_t parent[3] = {PH_NO_INDEX, PH_NO_INDEX, 1};
    for (int k = 0; k < 9; k++) {
        J[9 * (k / 3) + 4 * (k % 3)] = 0.1;
        z[9 * (k / 3) + 4 * (k % 3)] = 1;
    }
    v[1] = -2, v[3] = 2; /* 2 rad/s about e3 */
    ph_articulation a = {mass, J, parent, joint, anchor, {0, 0, -1}};
    TK_OWN(ph_system) *system = make((ph_system_definition){.articulation = &a}, 3);
    TK_START(it, state, system, "variational", NULL, 0.499, z, v);
    tk_ok(ph_integrator_step(it, state, 1));
    ck_assert_double_le(fabs(state->z[0] - sqrt(1 - 0.998 * 0.998)), 1e-12);
    ck_assert_double_le(fabs(state->z[3] - 0.998), 1e-12);
    tk_ok(ph_integrator_set_step_size(it, 0.501));
    memcpy(z0, state->z, sizeof z0);
    memcpy(p0, state->p, sizeof p0);
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_NO_SOLUTION);
    const char *where = strstr(ph_integrator_message(it), "turns back at h = ");
    ck_assert_msg(where && fabs(strtod(where + strlen("turns back at h = "), NULL) - 0.5) < 1e-9, "%s",
                  ph_integrator_message(it));
    ck_assert_mem_eq(z0, state->z, sizeof z0);
    ck_assert_mem_eq(p0, state->p, sizeof p0);
    tk_ok(ph_integrator_set_step_size(it, 0.1));
    tk_ok(ph_integrator_step(it, state, 5));
}

static ph_status fail_later(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user;
    (void)z;
    (void)zdot;
    (void)f;
    return t > 0.0195 ? PH_E_RANGE : PH_OK;
}

TEST(a_failing_force_leaves_the_state)
{
    tk_random r = {700};
    tree t;
    double z[9 * 4], v[9 * 4], z0[9 * 4];
    random_tree(&t, 4, false, GENERAL, &r);
    TK_OWN(ph_system) *base = articulated(&t);
    ph_system_definition d = {.force = fail_later, .force_ignores_velocity = true};
    TK_MAKE(ph_system, system, ph_system_create_forced(base, &d, &system, NULL));
    tk_random_motion(system, &r, z, v);
    TK_START(it, state, system, "variational", NULL, 0.001, z, v);
    tk_ok(ph_integrator_step(it, state, 19));
    memcpy(z0, state->z, sizeof z0);
    TK_MEMORY double *carry = calloc(state->ncarry, sizeof *carry);
    memcpy(carry, state->carry, state->ncarry * sizeof *carry);
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_RANGE);
    ck_assert_ptr_nonnull(strstr(ph_integrator_message(it), "the force failed at t = 0.02 s"));
    ck_assert_mem_eq(z0, state->z, sizeof z0);
    ck_assert_mem_eq(carry, state->carry, state->ncarry * sizeof *carry);
}

/* ---- Any number ------------------------------------------------------------------------------------ */

/* A chain of n bodies near the vertical: the memory is proportional to n; functions that need matrices refuse
 * it. */
TEST(thousands_of_bodies)
{
    size_t n = tk_short() ? 300 : 1000;
    const double number = (double)n, l = 0.2;
    const ph_parameter_value values[] = {{"bodies", &number, 1},
                                         {"centre", (const double[]){0.01, 0, -0.5 * l}, 3},
                                         {"joint", (const double[]){0, 0, -l}, 3},
                                         {"inertia", (const double[]){0.004, 0.004, 0.0005}, 3}};
    TK_OWN(ph_system) *system = tk_build("rigid-chain", values, 4);
    double *z = calloc(18 * n, sizeof *z), *v = z + 9 * n,
           *work = calloc(ph_system_work(system), sizeof *work), J0, J, C[9], orthogonal = 0, size = 0;
    ck_assert(!ph_system_is_dense(system));
    ck_assert_ptr_null(ph_system_ambient_inertia(system));
    ck_assert_uint_le(ph_system_work(system), 120 * n);
    tk_preset("rigid-chain", values, 4, "curved", z, v);
    TK_START(it, state, system, "variational", NULL, 1e-4, z, v);
    ck_assert_uint_le(ph_state_size(it), 500 * n);
    tk_ok(ph_system_momentum_map(system, 0, state->z, state->p, &J0, work));
    double E0 = energy(system, state, work, v);
    tk_steps(it, state, tk_short() ? 60 : 200);
    tk_ok(ph_system_momentum_map(system, 0, state->z, state->p, &J, work));
    for (size_t i = 0; i < n; i++) {
        ph_rotation_residual3(state->z + 9 * i, C);
        for (int a = 0; a < 9; a++)
            orthogonal = tk_max(orthogonal, fabs(C[a]));
        size += ph_norm3(state->p + 3 * i);
    }
    double E = energy(system, state, work, v);
    const ph_statistics *counts = ph_integrator_statistics(it);
    ck_assert_int_eq(counts->branches, 1); /* the first step's; the others start from extrapolated turns, */
    ck_assert_int_le(counts->newton_passes,
                     2 * counts->steps + 20); /* which two corrections are enough for */
    printf("%zu bodies: energy off by %.1e of %.1e, Jg by %.1e of the sum of |Pi|, R^T R - I %.1e\n", n,
           fabs(E - E0), fabs(E0), fabs(J - J0) / size, orthogonal);
    ck_assert_double_le(fabs(J - J0) / size, 1e-14);
    ck_assert_double_le(fabs(E - E0) / fabs(E0), 1e-8);
    ck_assert_double_le(orthogonal, 4e-16);
    free(work);
    free(z);
}

static ph_status drag(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user;
    (void)t;
    (void)z;
    f[0] -= zdot[0];
    return PH_OK;
}

/* Does the message say why? */
static void refuses(const ph_system *system, const char *method, const char *option, const char *value,
                    const char *why)
{
    ph_integrator *it = NULL;
    ph_error err = {.message = ""};
    const ph_setting setting = {option, value};
    ck_assert_int_eq(ph_integrator_create(system, ph_method_find(method, NULL), 0.001, &setting,
                                          option ? 1 : 0, &it, &err),
                     PH_E_UNSUPPORTED);
    ck_assert_msg(strstr(err.message, why) != NULL, "%s: %s", method, err.message);
}

/* No form needs a matrix of the whole system. Runge-Kutta steps of more bodies than may have one
 * are compared with order 8 of `variational`, which shares only the elimination with it; they converge with
 * order 4. */
TEST_EACH(forms_take_any_number_of_bodies, FORMS)
{
    const double number = PH_DENSE_BODIES + 1, span = 0.02;
    const ph_parameter_value values[] = {{"bodies", &number, 1}};
    TK_OWN(ph_system) *system = tk_build("rigid-chain", values, 1);
    const size_t nz = 9 * (size_t)number;
    const ph_setting form = {"form", forms[_i]}, order = {"order", "8"};
    double *z = calloc(5 * nz, sizeof *z), e[2];
    ck_assert(!ph_system_is_dense(system));
    tk_preset("rigid-chain", values, 1, "curved", z, z + nz);
    for (int k = 0; k < 3; k++) {
        const int64_t steps = k < 2 ? 10 << k : 20;
        TK_MAKE(ph_integrator, it,
                ph_integrator_create(system, ph_method_find(k < 2 ? "rk4-projected" : "variational", NULL),
                                     span / (double)steps, k < 2 ? &form : &order, 1, &it, NULL));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set_velocity(it, state, 0, z, z + nz, PH_PROJECT, NULL));
        tk_steps(it, state, steps);
        memcpy(z + (2 + (size_t)k) * nz, state->z, nz * sizeof *z);
    }
    for (size_t k = 0; k < 2; k++)
        e[k] = tk_max_difference(z + (2 + k) * nz, z + 4 * nz, nz);
    printf("%g bodies, RK4 in %s: off by %.1e, %.1e with half the step\n", number, forms[_i], e[0], e[1]);
    /* q-mu and x-mu take what stages are off the manifold for motion */
    ck_assert_double_le(e[0], strstr(forms[_i], "-mu") ? 1e-4 : 1e-7);
    ck_assert(e[0] >= 12 * e[1] && e[0] <= 20 * e[1]); /* 2^4 */
    free(z);
}

TEST(matrices_are_refused_where_there_are_none)
{
    const double number = PH_DENSE_BODIES + 1;
    const ph_parameter_value values[] = {{"bodies", &number, 1}};
    TK_OWN(ph_system) *system = tk_build("rigid-chain", values, 1), *dragged = NULL;
    const ph_system_definition d = {.force = drag};
    size_t nz = 9 * (size_t)number;
    double *z = calloc(2 * nz, sizeof *z), rate;
    ph_derivative_report report;
    ph_error err = {.message = ""};
    tk_preset("rigid-chain", values, 1, "hanging", z, z + nz);
    for (size_t i = 0; i < ph_methods(); i++)
        if (!strcmp(ph_method_at(i)->name, "moser-veselov"))
            refuses(system, "moser-veselov", NULL, NULL, "the sum of those of the bodies");
        else if (!strcmp(ph_method_at(i)->name, "dla"))
            refuses(system, "dla", NULL, NULL, "velocity constraints");
        else if (!strcmp(ph_method_at(i)->name, "kepler-rotor"))
            refuses(system, "kepler-rotor", NULL, NULL, "under mutual gravity");
        else if (!strcmp(ph_method_at(i)->name, "spherical-midpoint") ||
                 !strcmp(ph_method_at(i)->name, "spin-splitting"))
            refuses(system, ph_method_at(i)->name, NULL, NULL, "spins");
        else if (!strcmp(ph_method_at(i)->name, "rotor-splitting"))
            refuses(system, "rotor-splitting", NULL, NULL, "joined bodies");
    refuses(system, "variational", "discrete-lagrangian", "midpoint", "too many factors for dense matrices");
    tk_ok(ph_system_create_forced(system, &d, &dragged, NULL));
    refuses(dragged, "variational", NULL, NULL, "without forces that depend on the velocity");
    tk_ok(ph_system_fastest_rate(system, 0, z, &rate, &err));
    ck_assert(rate > 0);
    ck_assert_int_eq(ph_system_check_derivatives(system, 0, z, z + nz, &report, &err), PH_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "an articulation has them up to 200 bodies"));
    free(z);
}

/* ---- What is refused ------------------------------------------------------------------------------- */

/* One number of a good tree of three is changed. */
static const struct wrong {
    const char *what;
    size_t at;
    double value;
    ph_status status;
    const char *says;
} wrong[] = {
    {"mass", 1, 0, PH_E_RANGE, "the mass of body 2 is 0 kg; it must be positive"},
    {"mass", 2, -1, PH_E_RANGE, "the mass of body 3 is -1 kg; it must be positive"},
    {"mass", 0, NAN, PH_E_NOT_FINITE, "the mass of body 1"},
    {"mass", 0, INFINITY, PH_E_NOT_FINITE, "the mass of body 1"},
    {"inertia", 9 + 1, 1e-3, PH_E_INVALID, "the inertia of body 2 is not symmetric: [0][1]"},
    {"inertia", 8, 5, PH_E_RANGE, "the inertia of body 1: its largest principal moment exceeds"},
    {"inertia", 18, -0.1, PH_E_RANGE, "the inertia of body 3 has a negative principal moment"},
    {"inertia", 4, NAN, PH_E_NOT_FINITE, "the inertia of body 1 has an entry"},
    {"joint", 4, INFINITY, PH_E_NOT_FINITE, "the joint of body 2 has an entry"},
    {"anchor", 8, NAN, PH_E_NOT_FINITE, "the anchor of body 3 has an entry"},
    {"gravity", 2, NAN, PH_E_NOT_FINITE, "gravity[2] is not a finite number"},
    {"parent", 1, 1, PH_E_INVALID, "parent[1] is 1; a parent stands before its children"},
    {"parent", 0, 2, PH_E_INVALID, "parent[0] is 2; a parent stands before its children"},
    {"NULL", 0, 0, PH_E_INVALID, "an articulation needs mass, inertia, joint and anchor; joint is NULL"},
    {"potential", 0, 0, PH_E_INVALID, "potential is given with an articulation"},
    {"space", 0, 0, PH_E_INVALID, "every factor of the space is SO(3), and factor 3 is not"},
    {"thin", 0, 0, PH_E_SINGULAR, "a turn that moves no mass"},
};

TEST_EACH(bad_input_is_refused, sizeof wrong / sizeof wrong[0])
{
    const struct wrong *w = &wrong[_i];
    double mass[3] = {1, 1, 1}, J[27] = {0}, joint[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1},
           anchor[9] = {0, 0, 0, 0, 0, -1, 0, 0, -1};
    size_t parent[3] = {PH_NO_INDEX, 0, 0};
    ph_factor factors[3] = {{.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_SO3}};
    for (int k = 0; k < 9; k++)
        J[9 * (k / 3) + 4 * (k % 3)] = 1;
    ph_articulation a = {mass, J, parent, joint, anchor, {0, 0, -1}};
    ph_system_definition d = {.articulation = &a};
    double *arrays[] = {mass, J, joint, anchor, a.gravity};
    const char *names[] = {"mass", "inertia", "joint", "anchor", "gravity"};
    for (int k = 0; k < 5; k++)
        if (!strcmp(names[k], w->what))
            arrays[k][w->at] = w->value;
    if (!strcmp(w->what, "parent"))
        parent[w->at] = (size_t)w->value;
    if (!strcmp(w->what, "NULL"))
        a.joint = NULL;
    if (!strcmp(w->what, "potential")) {
        d.potential = linear_potential;
        d.gradient = linear_gradient;
    }
    if (!strcmp(w->what, "space"))
        factors[2].kind = PH_FACTOR_S2;
    if (!strcmp(w->what, "thin"))
        J[18] = J[22] = 0.1, J[26] = 0;
    ph_system *system = NULL;
    ph_error err = {.message = ""};
    TK_MAKE(ph_space, space, ph_space_create(factors, 3, &space, NULL));
    d.space = space;
    ck_assert_int_eq(ph_system_create(&d, &system, &err), w->status);
    ck_assert_msg(strstr(err.message, w->says) != NULL, "%s", err.message);
}

int main(void)
{
    return tk_run("articulated");
}
