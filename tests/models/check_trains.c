/* SPDX-License-Identifier: BSD-3-Clause */
/* Trains on wheels (polhode/kit/train.h): which systems are found to be one; their accelerations, nearest velocities, momenta and
 * impulses against the equations in angles with all multipliers, solved in long double; steps of `dla` by their kernel against those
 * of the general form; that the cost of a step follows the length. A second train, written here as masses and wheels at points, has
 * hitches off the axles, two rows of trailers, a trailer that is steered, and rows out of order. */
#include <polhode/constraints.h>
#include <polhode/kit/equations.h>
#include <polhode/kit/train.h>

#include "lib/equations/equations.h"
#include "tests/kit/testkit.h"

enum { MOST = 10, NP = MOST + 1, NZ = 2 * MOST, WORK = 20000 };

static double work[WORK];

/* ---- A train as masses and wheels at points x + sum c_j q_j --------------------------------------------- */

typedef struct point {
    double c[MOST]; /* of factor j; [0] is not used */
    double mass;
    int wheel;    /* 0: none */
    double scale; /* of its row */
} point;

typedef struct plan {
    size_t factors, points;
    double own[MOST], M[MOST * MOST]; /* moments of inertia about the centre of mass; that by pairs */
    point at[12];
    double slope[2], spring[MOST],
        push; /* U = -slope . x + sum (1/2) spring_j |q_j - q_of_j|^2; force along q_1 */
    int of[MOST];
} plan;

/* A car (1) with front wheels (2); behind the rear axle, a trailer (3) that pulls another (6) by its tail; at the axle one (4) with
 * steered wheels (5). */
static plan two_rows(void)
{
    return (plan){
        .factors = 7,
        .points = 9,
        .own = {0, 2, 0.1, 1.5, 0.7, 0.05, 1.1},
        .at = {{.c = {0, 1}, .mass = 3},
               {.c = {0, -0.5, 0, -2.3, 0, 0, -1.6}, .wheel = 6, .scale = -2},
               {.wheel = 1, .scale = 1},
               {.c = {0, 2.5}, .wheel = 2, .scale = 1, .mass = 0.2},
               {.c = {0, -0.5, 0, -1.8}, .wheel = 3, .scale = 0.5},
               {.c = {0, 0, 0, 0, -1.4}, .wheel = 5, .scale = 1, .mass = 0.1},
               {.c = {0, -0.5, 0, -1.5}, .mass = 1.2},
               {.c = {0, 0, 0, 0, -1.1}, .mass = 0.8},
               {.c = {0, -0.5, 0, -2.3, 0, 0, -1.5}, .mass = 0.9}},
        .slope = {0.7, -0.4},
        .spring = {0, 0, 1.5, 0, 0, 0.8},
        .of = {0, 0, 1, 0, 0, 4},
        .push = 1.3,
    };
}

/* The model. */
static plan car(size_t trailers)
{
    plan p = {.factors = 3 + trailers,
              .own = {0, 1500, 5},
              .at = {{.c = {0, 1.2}, .mass = 1000},
                     {.wheel = 1, .scale = 1},
                     {.c = {0, 2.5}, .wheel = 2, .scale = 1}},
              .points = 3 + trailers,
              .spring = {0, 0, 50},
              .of = {0, 0, 1}};
    for (size_t i = 0; i < trailers; i++) {
        point *x = &p.at[3 + i];
        for (size_t j = 0; j <= i; j++)
            x->c[3 + j] = -2;
        x->mass = 400;
        x->wheel = (int)(3 + i);
        x->scale = 1;
        p.own[3 + i] = 300;
    }
    return p;
}

/* ---- Equations in x and the angles, with all multipliers ------------------------------------------------ */

typedef long double number;

typedef struct dense {
    size_t np, m;
    number M[NP * NP], a[MOST * NP], bend[NP], rate[MOST]; /* M a + bend, a . a + rate = 0 */
} dense;

/* d <- how a point moves with coordinate i. */
static void along(const point *x, const double *z, size_t i, number d[2])
{
    const number c = i < 2 ? 0 : x->c[i - 1];
    d[0] = i == 0 ? 1 : i == 1 ? 0 : -c * z[2 * (i - 1) + 1];
    d[1] = i == 1 ? 1 : i == 0 ? 0 : c * z[2 * (i - 1)];
}

static dense write_out(const plan *p, const double *z, const double *w)
{
    dense e = {.np = p->factors + 1};
    for (size_t n = 0; n < p->points; n++) {
        const point *x = &p->at[n];
        number d[NP][2], v[2] = {0}, bend[2] = {0};
        for (size_t i = 0; i < e.np; i++) {
            along(x, z, i, d[i]);
            for (int k = 0; k < 2; k++) {
                v[k] += d[i][k] * w[i];
                bend[k] -= i < 2 ? 0 : (number)x->c[i - 1] * z[2 * (i - 1) + (size_t)k] * w[i] * w[i];
            }
        }
        for (size_t i = 0; i < e.np; i++) {
            for (size_t j = 0; j < e.np; j++)
                e.M[i * e.np + j] += x->mass * (d[i][0] * d[j][0] + d[i][1] * d[j][1]);
            e.bend[i] += x->mass * (d[i][0] * bend[0] + d[i][1] * bend[1]);
        }
        if (!x->wheel)
            continue;
        const double *q = z + 2 * x->wheel;
        for (size_t i = 0; i < e.np; i++)
            e.a[e.m * e.np + i] = x->scale * (q[0] * d[i][1] - q[1] * d[i][0]);
        e.rate[e.m++] =
            x->scale * (q[0] * bend[1] - q[1] * bend[0] - w[x->wheel + 1] * (q[0] * v[0] + q[1] * v[1]));
    }
    for (size_t j = 1; j < p->factors; j++)
        e.M[(j + 1) * (e.np + 1)] += p->own[j];
    return e;
}

/* M x - a^T y = f, a x = b: x (np), y (m) behind it. */
static void solve_dense(const dense *e, const number *f, const number *b, number *x)
{
    const size_t n = e->np + e->m;
    number A[(NP + MOST) * (NP + MOST)] = {0};
    for (size_t i = 0; i < e->np; i++) {
        for (size_t j = 0; j < e->np; j++)
            A[i * n + j] = e->M[i * e->np + j];
        for (size_t j = 0; j < e->m; j++) {
            A[i * n + e->np + j] = -e->a[j * e->np + i];
            A[(e->np + j) * n + i] = e->a[j * e->np + i];
        }
        x[i] = f[i];
    }
    for (size_t j = 0; j < e->m; j++)
        x[e->np + j] = b[j];
    for (size_t i = 0; i < n; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < n; j++)
            best = fabsl(A[j * n + i]) > fabsl(A[best * n + i]) ? j : best;
        for (size_t k = 0; k < n; k++) {
            const number other = A[best * n + k];
            A[best * n + k] = A[i * n + k];
            A[i * n + k] = other;
        }
        const number other = x[best];
        x[best] = x[i];
        x[i] = other;
        for (size_t j = i + 1; j < n; j++) {
            const number share = A[j * n + i] / A[i * n + i];
            for (size_t k = i; k < n; k++)
                A[j * n + k] -= share * A[i * n + k];
            x[j] -= share * x[i];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            x[i] -= A[i * n + k] * x[k];
        x[i] /= A[i * n + i];
    }
}

/* ---- The same as a system ------------------------------------------------------------------------------- */

static ph_status rows(void *user, double t, const double *z, double *A, double *b)
{
    const plan *p = user;
    double *row = A;
    (void)t, (void)b;
    for (size_t n = 0; n < p->points; n++) {
        const point *x = &p->at[n];
        const double *q = z + 2 * x->wheel;
        for (size_t j = 0; j < p->factors && x->wheel; j++) {
            row[2 * j] = -x->scale * (j ? x->c[j] : 1) * q[1];
            row[2 * j + 1] = x->scale * (j ? x->c[j] : 1) * q[0];
        }
        row += x->wheel ? 2 * p->factors : 0;
    }
    return PH_OK;
}

static ph_status rows_along(void *user, double t, const double *z, const double *v, double dt,
                            const double *dz, double *rate)
{
    const plan *p = user;
    (void)t, (void)z, (void)dt;
    for (size_t n = 0; n < p->points; n++) {
        const point *x = &p->at[n];
        const double *dq = dz + 2 * x->wheel;
        double V[2] = {v[0], v[1]};
        for (size_t j = 1; j < p->factors; j++)
            for (int k = 0; k < 2; k++)
                V[k] += x->c[j] * v[2 * j + (size_t)k];
        if (x->wheel)
            *rate++ = x->scale * (dq[0] * V[1] - dq[1] * V[0]);
    }
    return PH_OK;
}

static ph_status potential(void *user, const double *z, double *U)
{
    const plan *p = user;
    *U = -p->slope[0] * z[0] - p->slope[1] * z[1];
    for (size_t j = 1; j < p->factors; j++)
        for (size_t k = 0; k < 2 && p->of[j]; k++) {
            const double off = z[2 * j + k] - z[2 * (size_t)p->of[j] + k];
            *U += 0.5 * p->spring[j] * off * off;
        }
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const plan *p = user;
    memset(dU, 0, 2 * p->factors * sizeof *dU);
    dU[0] = -p->slope[0];
    dU[1] = -p->slope[1];
    for (size_t j = 1; j < p->factors; j++)
        for (size_t k = 0; k < 2 && p->of[j]; k++) {
            const size_t other = 2 * (size_t)p->of[j] + k;
            dU[2 * j + k] += p->spring[j] * (z[2 * j + k] - z[other]);
            dU[other] -= p->spring[j] * (z[2 * j + k] - z[other]);
        }
    return PH_OK;
}

static ph_status push(void *user, double t, const double *z, const double *zdot, double *f)
{
    const plan *p = user;
    (void)zdot;
    for (int k = 0; k < 2; k++)
        f[k] += p->push * cos(t) * z[2 + k];
    f[4] -= p->push * sin(t) * z[5]; /* and a torque on factor 2 */
    f[5] += p->push * sin(t) * z[4];
    return PH_OK;
}

static ph_system_definition definition_of(plan *p)
{
    const size_t n = p->factors;
    size_t m = 0;
    memset(p->M, 0, sizeof p->M);
    for (size_t i = 0; i < p->points; i++) {
        const point *x = &p->at[i];
        m += x->wheel != 0;
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                p->M[j * n + k] += x->mass * (j ? x->c[j] : 1) * (k ? x->c[k] : 1);
    }
    for (size_t j = 1; j < n; j++)
        p->M[j * n + j] += p->own[j];
    return (ph_system_definition){.inertia = p->M,
                                  .potential = potential,
                                  .gradient = gradient,
                                  .force = p->push != 0 ? push : NULL,
                                  .force_ignores_velocity = true,
                                  .constraint = rows,
                                  .constraint_along = rows_along,
                                  .n_constraints = m,
                                  .constraint_is_steady = true,
                                  .user = p};
}

static ph_system *build(const ph_system_definition *d, size_t factors)
{
    ph_factor f[MOST] = {{.kind = PH_FACTOR_R, .d = 2}};
    for (size_t j = 1; j < factors; j++)
        f[j].kind = PH_FACTOR_S1;
    return tk_system(*d, f, factors);
}

static ph_system *train_of(plan *p)
{
    const ph_system_definition d = definition_of(p);
    return build(&d, p->factors);
}

/* The cases: both trains. */
static plan case_of(int i)
{
    return i == 0 ? two_rows() : car((size_t)i);
}
enum { CASES = 4 };

/* z, w: no wheel is across its link. */
static void random_motion(const plan *p, tk_random *r, double *z, double *w)
{
    for (size_t i = 0; i <= p->factors; i++)
        w[i] = tk_normal(r);
    z[0] = tk_normal(r);
    z[1] = tk_normal(r);
    const double whole = tk_uniform(r, 0, 6);
    for (size_t j = 1; j < p->factors; j++) {
        const double angle = whole + tk_uniform(r, -0.7, 0.7);
        z[2 * j] = cos(angle);
        z[2 * j + 1] = sin(angle);
    }
}

/* ---- Which systems are trains --------------------------------------------------------------------------- */

static ph_status more_rows(void *user, double t, const double *z, double *A, double *b)
{
    const ph_status status = rows(user, t, z, A, b);
    A[2] *= 1 + 0.1 * z[0]; /* no wheel's */
    return status;
}

static ph_status moving_rows(void *user, double t, const double *z, double *A, double *b)
{
    b[0] = 0.1 + t;
    return rows(user, t, z, A, b);
}

TEST(trains_are_recognised)
{
    for (size_t i = 0; i < ph_models(); i++) {
        const char *name = ph_model_at(i)->name;
        TK_OWN(ph_system) *system = tk_model(name);
        ck_assert_msg(!!ph_system_train(system) == !strcmp(name, "car-trailers"), "%s", name);
    }
    ck_assert_ptr_null(ph_system_train(NULL));

    plan p = case_of(0);
    TK_OWN(ph_system) *two = train_of(&p);
    const ph_train *t = ph_system_train(two);
    ck_assert_ptr_nonnull(t);
    ck_assert_uint_eq(t->factors, 7);
    ck_assert_uint_eq(t->free, 3);
    ck_assert_uint_eq(t->nodes, 7); /* x, front axle, hitch, its axle, tail, axle behind that, steered axle */
    ck_assert_double_lt(fabs(t->mass - p.M[0]), 1e-15);
    const ph_system_definition pushed = {.force = push, .force_ignores_velocity = true, .user = &p};
    TK_MAKE(ph_system, forced, ph_system_create_forced(two, &pushed, &forced, NULL));
    ck_assert_ptr_eq(ph_system_train(forced), t);

    plan q = case_of(0); /* without the wheel at x, or with one that decides nothing, or other rows */
    q.at[2].wheel = 0;
    TK_OWN(ph_system) *without = train_of(&q);
    ck_assert_ptr_null(ph_system_train(without));
    plan s = case_of(0);
    s.at[6].wheel = 3; /* a second wheel on a link */
    s.at[6].scale = 1;
    TK_OWN(ph_system) *twice = train_of(&s);
    ck_assert_ptr_null(ph_system_train(twice));
    ph_system_definition d = definition_of(&p);
    d.constraint = more_rows;
    TK_OWN(ph_system) *other = build(&d, p.factors);
    ck_assert_ptr_null(ph_system_train(other));
    d.constraint = moving_rows;
    TK_OWN(ph_system) *moves = build(&d, p.factors);
    ck_assert_ptr_null(ph_system_train(moves));
    plan u = case_of(0); /* not a tree: an inertia between bodies that hang on nothing of each other */
    d = definition_of(&u);
    u.M[2 * 7 + 6] = u.M[6 * 7 + 2] = 0.01;
    TK_OWN(ph_system) *tied = build(&d, u.factors);
    const ph_train *tie = ph_system_train(tied);
    ck_assert(!tie || tie->nodes > t->nodes);
}

/* ---- Accelerations, velocities, momenta, impulses ------------------------------------------------------- */

TEST_EACH(accelerations, CASES)
{
    plan p = case_of(_i);
    TK_OWN(ph_system) *system = train_of(&p);
    const ph_field *field = ph_field_find("q-omega", NULL);
    const size_t np = p.factors + 1, nz = 2 * p.factors;
    tk_random r = {(uint64_t)_i + 31};
    double worst = 0, plain = 0;
    ck_assert_ptr_nonnull(ph_system_train(system));
    ck_assert_uint_le(field->work(system), WORK);
    for (int trial = 0; trial < 50; trial++) {
        double y[NZ + NP], ydot[NZ + NP], f[NZ] = {0}, dU[NZ], slow[NZ + NP], t = 0.3 * trial;
        number F[NP], b[MOST], a[NP + MOST], size = 1;
        random_motion(&p, &r, y, y + nz); /* also off the constraint */
        if (trial % 2)
            tk_ok(ph_field_project(field, system, t, y, work));
        const dense e = write_out(&p, y, y + nz);
        gradient(&p, y, dU);
        if (p.push != 0)
            push(&p, t, y, NULL, f);
        for (size_t i = 0; i < np; i++) {
            const size_t j = i - 1;
            F[i] = i < 2 ? (number)f[i] - dU[i]
                         : (number)y[2 * j] * (f[2 * j + 1] - dU[2 * j + 1]) -
                               (number)y[2 * j + 1] * (f[2 * j] - dU[2 * j]);
            F[i] -= e.bend[i];
        }
        for (size_t i = 0; i < e.m; i++)
            b[i] = -e.rate[i];
        solve_dense(&e, F, b, a);
        tk_ok(field->evaluate(system, t, y, ydot, work));
        tk_ok(ph_product_spin(system, t, y, slow, work));
        for (size_t i = 0; i < np; i++)
            size = fmaxl(size, fabsl(a[i]));
        for (size_t i = 0; i < np; i++) {
            worst = tk_max(worst, (double)(fabsl(ydot[nz + i] - a[i]) / size));
            plain = tk_max(plain, (double)(fabsl(slow[nz + i] - a[i]) / size));
        }
        double turned[NZ];
        ph_space_turn(ph_system_space(system), y, y + nz, turned);
        ck_assert_double_eq(tk_max_difference(turned, ydot, nz), 0);
    }
    printf("case %d: accelerations off by %.1e, of the dense form by %.1e\n", _i, worst, plain);
    ck_assert_double_lt(worst, 1e-13);
}

/* Off the manifold, where stages are, too. */
TEST_EACH(equations_off_the_manifold, CASES)
{
    plan p = case_of(_i);
    TK_OWN(ph_system) *system = train_of(&p);
    const size_t nz = 2 * p.factors;
    tk_random r = {(uint64_t)_i + 37};
    for (int trial = 0; trial < 20; trial++) {
        double y[NZ + NP], fast[NZ + NP], slow[NZ + NP], size;
        random_motion(&p, &r, y, y + nz);
        for (size_t k = 2; k < nz; k++)
            y[k] *= 1 + 0.05 * tk_normal(&r);
        tk_ok(ph_field_find("q-omega", NULL)->evaluate(system, 1, y, fast, work));
        tk_ok(ph_product_spin(system, 1, y, slow, work));
        size = ph_max_norm(slow, nz + p.factors + 1);
        ck_assert_double_lt(tk_max_difference(fast, slow, nz + p.factors + 1), 1e-12 * (1 + size));
    }
}

/* A wheel across its link decides nothing: the dense equations are taken, and projections. */
TEST(wheels_across)
{
    plan p = case_of(0);
    TK_OWN(ph_system) *system = train_of(&p);
    const size_t nz = 2 * p.factors;
    tk_random r = {41};
    double y[NZ + NP], fast[NZ + NP], slow[NZ + NP], v[NZ], error;
    random_motion(&p, &r, y, y + nz);
    y[4] = -y[3];
    y[5] = y[2];
    tk_ok(ph_field_find("q-omega", NULL)->evaluate(system, 1, y, fast, work));
    tk_ok(ph_product_spin(system, 1, y, slow, work));
    ck_assert_double_eq(tk_max_difference(fast, slow, nz + p.factors + 1), 0);
    ph_space_turn(ph_system_space(system), y, y + nz, v);
    tk_ok(ph_system_constraint_project(system, 0, y, v, work, NULL));
    tk_ok(ph_system_constraint_error(system, 0, y, v, &error, work));
    ck_assert_double_lt(error, 1e-15);
}

TEST_EACH(nearest_velocities_and_momenta, CASES)
{
    plan p = case_of(_i);
    TK_OWN(ph_system) *system = train_of(&p);
    const ph_train *t = ph_system_train(system);
    const ph_space *space = ph_system_space(system);
    const size_t np = p.factors + 1, m = ph_system_constraints(system);
    tk_random r = {(uint64_t)_i + 43};
    for (int trial = 0; trial < 20; trial++) {
        double z[NZ], w[NP], v[NZ], near[NP], pn[NP], expected[NP], V[NZ], mu[MOST], sum[NP], error;
        number F[NP], none[MOST] = {0}, x[NP + MOST];
        random_motion(&p, &r, z, w);
        const dense e = write_out(&p, z, w);
        for (size_t i = 0; i < np; i++) {
            F[i] = 0;
            for (size_t j = 0; j < np; j++)
                F[i] += e.M[i * np + j] * w[j];
        }
        solve_dense(&e, F, none, x);
        ph_space_turn(space, z, w, v);
        tk_momentum(system, z, v, expected);
        ph_train_momentum(t, z, w, pn, V);
        for (size_t i = 0; i < np; i++)
            ck_assert_double_lt((double)fabsl(pn[i] - F[i]), 1e-14 * ph_max_norm(expected, np));
        ck_assert_double_lt(tk_max_difference(pn, expected, np), 1e-14 * ph_max_norm(expected, np));
        tk_ok(ph_system_constraint_project(system, 0, z, v, work, NULL));
        ph_space_spin(space, z, v, near);
        for (size_t i = 0; i < np; i++)
            ck_assert_double_lt((double)fabsl(near[i] - x[i]), 1e-13);
        tk_ok(ph_system_constraint_error(system, 0, z, v, &error, work));
        ck_assert_double_lt(error, 1e-15);
        double sums[NP] = {0}, size = 1; /* impulses that are A^T mu are found */
        for (size_t i = 0; i < m; i++) {
            const double share = tk_normal(&r);
            for (size_t j = 0; j < np; j++)
                sums[j] += share * (double)e.a[i * np + j];
            none[i] = share;
        }
        ph_train_impulses(t, z, sums, mu, sum, V);
        for (size_t i = 0; i < m; i++)
            size = tk_max(size, fabs(mu[i]));
        for (size_t i = 0; i < m; i++)
            ck_assert_double_lt((double)fabsl(mu[i] - none[i]), 1e-13 * size);
        ck_assert_double_lt(tk_max_difference(sum, sums, np), 1e-13 * size);
    }
}

/* ---- Steps of dla --------------------------------------------------------------------------------------- */

static void begin(const ph_system *system, const char *rule, const char *order, double h, const double *z,
                  const double *v, ph_integrator **it, ph_state **state)
{
    const ph_setting settings[] = {{"order", order}, {"discrete-lagrangian", rule}};
    tk_ok(ph_integrator_create(system, ph_method_find("dla", NULL), h, settings, 2, it, NULL));
    tk_ok(ph_state_create(*it, state, NULL));
    tk_ok(ph_state_set_velocity(*it, *state, 0, z, v, PH_STRICT, NULL));
}

/* Steps of the kernel against those of the general form, which `exponential` names, composed, too; then back with -h; iterations
 * do not fail, and the momentum stays on the constraint. */
static void compare_steps(const ph_system *system, const char *name, double h, int64_t n, const double *z,
                          const double *v, double reversal)
{
    const ph_space *space = ph_system_space(system);
    const size_t nz = ph_space_ambient(space), np = ph_space_momenta(space);
    static const char *const orders[] = {"2", "4", "6"};
    for (int order = 0; order < 3; order++) {
        ph_integrator *it[2];
        ph_state *state[2];
        double zdot[64], error, p[64], size = 0;
        for (int form = 0; form < 2; form++) {
            begin(system, form ? "exponential" : "automatic", orders[order], h, z, v, &it[form],
                  &state[form]);
            memcpy(p, state[form]->p, np * sizeof *p);
            tk_steps(it[form], state[form], n);
        }
        size = ph_max_norm(state[1]->p, np);
        const double off = tk_max(tk_max_difference(state[0]->z, state[1]->z, nz),
                                  tk_max_difference(state[0]->p, state[1]->p, np) / size);
        const ph_statistics *seen = ph_integrator_statistics(it[0]);
        const double passes = (double)seen->newton_passes / (double)n;
        tk_ok(ph_system_velocity(system, 0, state[0]->z, state[0]->p, zdot, work));
        tk_ok(ph_system_constraint_error(system, 0, state[0]->z, zdot, &error, work));
        tk_ok(ph_integrator_set_step_size(it[0], -h));
        tk_steps(it[0], state[0], n);
        const double back =
            tk_max(tk_max_difference(state[0]->z, z, nz), tk_max_difference(state[0]->p, p, np) / size);
        printf(
            "%s, order %s: %.1e from the general step, %.1e back, %.1e off the constraint, %.2f iterations a step, %lld branches\n",
            name, orders[order], off, back, error, passes, (long long)seen->branches);
        ck_assert_double_lt(off, 1e-13);
        ck_assert_double_lt(back, reversal);
        ck_assert_double_lt(error, 2e-15);
        static const int stages[] = {1, 5, 11};
        ck_assert_int_le(seen->branches, 2 * stages[order]);
        ck_assert_double_lt(passes, 2.2 * stages[order]);
        for (int form = 0; form < 2; form++)
            tk_end(it[form], state[form]);
    }
}

TEST_EACH(kernel_and_general_step, CASES)
{
    plan p = case_of(_i);
    TK_OWN(ph_system) *system = train_of(&p);
    tk_random r = {(uint64_t)_i + 47};
    double z[NZ], w[NP], v[NZ];
    char name[32];
    random_motion(&p, &r, z, w);
    for (size_t i = 0; i <= p.factors; i++)
        w[i] *= 0.5;
    ph_space_turn(ph_system_space(system), z, w, v);
    tk_ok(ph_system_constraint_project(system, 0, z, v, work, NULL));
    snprintf(name, sizeof name, "case %d", _i);
    compare_steps(system, name, 0.01, 300, z, v, 1e-13);
}

/* (Backwards, trailers are pushed, and what rounding puts them off grows: twelve of them in 6 s by a factor of 1e5.) */
TEST_EACH(presets_of_the_model, 3)
{
    const ph_model *model = ph_model_find("car-trailers", NULL);
    const double trailers = 12;
    const ph_parameter_value value = {"trailers", &trailers, 1};
    double z[64], v[64];
    TK_OWN(ph_system) *system = tk_build_at("car-trailers", &value, 1, model->presets[_i].name, z, v);
    compare_steps(system, model->presets[_i].name, 0.02, 300, z, v, 1e-9);
}

/* Long steps, in which wheels turn across links: the general step takes over where the kernel may not. */
TEST(long_steps)
{
    plan p = case_of(0);
    TK_OWN(ph_system) *system = train_of(&p);
    tk_random r = {53};
    int taken = 0, ended = 0;
    for (int trial = 0; trial < 30; trial++) {
        double z[NZ], w[NP], v[NZ];
        ph_integrator *it[2];
        ph_state *state[2];
        random_motion(&p, &r, z, w);
        ph_space_turn(ph_system_space(system), z, w, v);
        if (ph_system_constraint_project(system, 0, z, v, work, NULL))
            continue;
        for (int form = 0; form < 2; form++)
            begin(system, form ? "exponential" : "automatic", "2", 0.15, z, v, &it[form], &state[form]);
        for (int k = 0; k < 20; k++) {
            const ph_status first = ph_integrator_step(it[0], state[0], 1),
                            second = ph_integrator_step(it[1], state[1], 1);
            ck_assert_int_eq(first, second);
            ended += first != PH_OK;
            if (first)
                break;
            taken++;
            ck_assert_double_lt(tk_max_difference(state[0]->z, state[1]->z, 2 * p.factors), 1e-9);
        }
        for (int form = 0; form < 2; form++)
            tk_end(it[form], state[form]);
    }
    printf("long steps: %d taken, %d motions ended\n", taken, ended);
    ck_assert_int_gt(taken, 100);
}

/* All methods that take velocity constraints take a hundred trailers, and the energy is kept to what they do. */
TEST(a_hundred_trailers)
{
    static const char *const methods[] = {"dla", "rk4", "rk4-projected", "rk8"};
    const double trailers = 100;
    const ph_parameter_value value = {"trailers", &trailers, 1};
    double z[256], v[256];
    TK_OWN(ph_system) *system = tk_build_at("car-trailers", &value, 1, "turning", z, v);
    const size_t room = ph_system_constraint_work(system);
    double *big = malloc(room * sizeof *big);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        TK_MOTION(it, state);
        double error, zdot[256];
        tk_start(system, methods[i], NULL, 0.01, z, v, &it, &state);
        const double before = tk_kinetic(system, z, v);
        tk_steps(it, state, 100);
        tk_ok(ph_system_velocity(system, 0, state->z, state->p, zdot, big));
        tk_ok(ph_system_constraint_error(system, 0, state->z, zdot, &error, big));
        printf("%s: 100 trailers off the constraint by %.1e, kinetic energy %.6g of %.6g\n", methods[i],
               error, tk_kinetic(system, state->z, zdot), before);
        ck_assert_double_lt(error, i == 1 || i == 3 ? 1e-9 : 1e-13);
    }
    free(big);
}

int main(void)
{
    return tk_run("trains");
}
