/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric multistep methods: against their definition, written out with all points and multipliers in long
 * double; orders against twenty and forty digits and, under forces, against the continuous equations; how
 * they begin; the history turned round; the momentum in the middle; what rounding leaves, and energy over
 * many steps. (Claims are tested as such.) */
#include "tests/kit/known.h"

#include "integrators/multistep/multistep.h"

#include <stdbool.h>

enum { MOST = 64 };
static const char *const orders[] = {"4", "6", "8"};
enum { ORDERS = sizeof orders / sizeof orders[0] };

static void begin(const ph_system *system, const char *method, const char *order, double h, const double *z,
                  const double *zdot, ph_integrator **it, ph_state **state)
{
    tk_start_with(system, ph_method_find(method, NULL), "order", order, h, 0.25, z, zdot, it, state);
}

/* ---- The definition ------------------------------------------------------------------------------ */

/* sum rho_j q_j = h^2 sum sigma_j a_j, MM a_j = -dU_j + A(q_j)^T lambda_j, on spheres and rotations: the
 * latest multipliers make the next point fulfil the constraints. */
typedef long double real;
typedef struct plain {
    const ph_system *system;
    size_t K, nz, m; /* m constraints */
    real rho[PH_MULTISTEP_MOST + 1], sigma[PH_MULTISTEP_MOST + 1];
    real MM[MOST * MOST];
    real q[PH_MULTISTEP_MOST + 1][MOST], a[PH_MULTISTEP_MOST + 1][MOST]; /* the earliest first */
} plain;

/* b <- A^{-1} b by Gauss with pivots. */
static void eliminate(size_t n, real *A, real *b)
{
    for (size_t i = 0; i < n; i++) {
        size_t p = i;
        for (size_t r = i + 1; r < n; r++)
            p = fabsl(A[r * n + i]) > fabsl(A[p * n + i]) ? r : p;
        for (size_t c = 0; c < n; c++) {
            real kept = A[i * n + c];
            A[i * n + c] = A[p * n + c];
            A[p * n + c] = kept;
        }
        real kept = b[i];
        b[i] = b[p];
        b[p] = kept;
        for (size_t r = 0; r < n; r++) {
            real factor = r == i ? 0 : A[r * n + i] / A[i * n + i];
            for (size_t c = i; c < n && r != i; c++)
                A[r * n + c] -= factor * A[i * n + c];
            b[r] -= factor * b[i];
        }
    }
    for (size_t i = 0; i < n; i++)
        b[i] /= A[i * n + i];
}

/* g (m), G (m x nz) <- q.q - 1, and products of the columns of R less those of I; their derivatives. */
static size_t constrain(const plain *w, const real *q, real *g, real *G)
{
    const ph_space *space = ph_system_space(w->system);
    size_t m = 0;
    memset(G, 0, MOST * MOST * sizeof *G);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const size_t columns = f->kind == PH_FACTOR_R ? 0 : f->kind == PH_FACTOR_SO3 ? 3 : 1;
        for (size_t a = 0; a < columns; a++)
            for (size_t b = a; b < columns; b++, m++) {
                g[m] = a == b ? -1 : 0;
                for (size_t k = 0; k < f->nz / columns; k++) {
                    const size_t x = f->z + k * columns + a, y = f->z + k * columns + b;
                    g[m] += q[x] * q[y];
                    G[m * w->nz + x] += q[y];
                    G[m * w->nz + y] += q[x];
                }
            }
    }
    return m;
}

static void invert(const plain *w, real *mu)
{
    static real MM[MOST * MOST];
    memcpy(MM, w->MM, w->nz * w->nz * sizeof *MM);
    eliminate(w->nz, MM, mu);
}

/* B (m x nz) <- MM^{-1} A^T, row by row. */
static void responses(const plain *w, const real *G, real *B)
{
    memcpy(B, G, w->m * w->nz * sizeof *B);
    for (size_t i = 0; i < w->m; i++)
        invert(w, B + i * w->nz);
}

static void fall(const plain *w, const real *q, real *a)
{
    double z[MOST], g[MOST];
    for (size_t k = 0; k < w->nz; k++)
        z[k] = (double)q[k];
    tk_ok(ph_system_gradient(w->system, z, g));
    for (size_t k = 0; k < w->nz; k++)
        a[k] = -(real)g[k];
    invert(w, a);
}

static real dot(const real *a, const real *b, size_t n)
{
    real sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* a <- the acceleration of the motion through q with velocity v: the second derivative of each constraint is
 * 0. */
static void accelerate(plain *w, const real *q, const double *v, real *a)
{
    static real g[MOST], G[MOST * MOST], B[MOST * MOST], T[MOST * MOST], G2[MOST * MOST], unused[MOST];
    real speed[MOST];
    for (size_t k = 0; k < w->nz; k++)
        speed[k] = v[k];
    w->m = constrain(w, q, g, G);
    constrain(w, speed, unused, G2);
    responses(w, G, B);
    fall(w, q, a);
    for (size_t i = 0; i < w->m; i++) { /* G a + G'(v) v = 0 */
        g[i] = -dot(G + i * w->nz, a, w->nz) - dot(G2 + i * w->nz, speed, w->nz);
        for (size_t j = 0; j < w->m; j++)
            T[i * w->m + j] = dot(G + i * w->nz, B + j * w->nz, w->nz);
    }
    eliminate(w->m, T, g);
    for (size_t k = 0; k < w->nz; k++)
        for (size_t i = 0; i < w->m; i++)
            a[k] += B[i * w->nz + k] * g[i];
}

/* The next point, and the acceleration at the latest. */
static void plain_step(plain *w, real h)
{
    static real g[MOST], G[MOST * MOST], B[MOST * MOST], T[MOST * MOST];
    const size_t K = w->K, nz = w->nz;
    real *q = w->q[K], *a = w->a[K], next[MOST], free[MOST], lambda[MOST] = {0};
    constrain(w, q, g, G);
    responses(w, G, B);
    fall(w, q, a);
    for (size_t k = 0; k < nz; k++) {
        free[k] = 0;
        for (size_t j = 1; j <= K; j++)
            free[k] += h * h * w->sigma[j - 1] * w->a[j][k] - w->rho[j - 1] * w->q[j][k];
    }
    for (int pass = 0; pass < 30; pass++) {
        for (size_t k = 0; k < nz; k++) {
            next[k] = free[k];
            for (size_t i = 0; i < w->m; i++)
                next[k] += B[i * nz + k] * lambda[i];
        }
        constrain(w, next, g, G);
        for (size_t i = 0; i < w->m; i++)
            for (size_t j = 0; j < w->m; j++)
                T[i * w->m + j] = dot(G + i * nz, B + j * nz, nz);
        eliminate(w->m, T, g);
        for (size_t i = 0; i < w->m; i++)
            lambda[i] -= g[i];
    }
    for (size_t k = 0; k < nz; k++)
        for (size_t i = 0; i < w->m; i++)
            a[k] += B[i * nz + k] * lambda[i] / (h * h * w->sigma[K - 1]);
    memmove(w->q[0], w->q[1], K * sizeof w->q[0]);
    memmove(w->a[0], w->a[1], K * sizeof w->a[0]);
    memcpy(w->q[K], next, sizeof next);
}

/* rho from d by two differences. */
static void define(plain *w, const ph_system *system, const ph_multistep *m)
{
    double e[MOST] = {0}, column[MOST];
    *w = (plain){.system = system, .K = m->K, .nz = ph_space_ambient(ph_system_space(system))};
    for (size_t j = 0; j <= m->K - 2; j++)
        for (size_t i = 0; i <= 2; i++)
            w->rho[i + j] += (real[]){1, -2, 1}[i] * ph_multistep_d(m, j);
    for (size_t j = 1; j < m->K; j++)
        w->sigma[j] = ph_multistep_sigma(m, j);
    for (size_t a = 0; a < w->nz; a++) {
        e[a] = 1;
        ph_system_apply_inertia(system, e, column);
        e[a] = 0;
        for (size_t b = 0; b < w->nz; b++)
            w->MM[b * w->nz + a] = column[b];
    }
}

/* For ph_multistep_collocate: where the motion is unknown but for its acceleration. */
static plain *accelerated;
static ph_status definition(ph_context *context, double t, const double *z, const double *v, double *a)
{
    const ph_space *space = ph_system_space(context->system);
    double nearest[MOST], tangent[MOST];
    real q[MOST], sum[MOST];
    (void)t;
    memcpy(nearest, z, accelerated->nz * sizeof *z);
    memcpy(tangent, v, accelerated->nz * sizeof *v);
    tk_ok(ph_space_project(space, nearest));
    ph_space_project_tangent(space, nearest, tangent);
    for (size_t k = 0; k < accelerated->nz; k++)
        q[k] = nearest[k];
    accelerate(accelerated, q, tangent, sum);
    for (size_t k = 0; k < accelerated->nz; k++)
        a[k] = (double)sum[k];
    return PH_OK;
}

/* Points and accelerations around (z, p): multistep/start.c with the acceleration of the definition. */
static void surround(plain *w, const ph_multistep *m, const ph_state *middle, double h)
{
    static double memory[4096], q[(PH_MULTISTEP_MOST + 1) * MOST], low[(PH_MULTISTEP_MOST + 1) * MOST];
    double work[1024];
    ph_context context = {.system = w->system, .h = h};
    ph_multistep_start start;
    bool found;
    const ph_multistep_window to = {.q = q, .low = low};
    ph_lay l = {(unsigned char *)memory, 0};
    ph_multistep_start_lay(&start, m, w->nz, &l);
    ck_assert_uint_le(l.bytes, sizeof memory);
    ck_assert_uint_le(ph_system_work(w->system), 1024);
    ph_multistep_start_init(&start);
    tk_ok(ph_system_velocity(w->system, 0, middle->z, middle->p, start.v + w->K / 2 * start.row, work));
    accelerated = w;
    tk_ok(ph_multistep_collocate(&start, definition, &context, middle, &to, &found));
    ck_assert(found);
    for (size_t j = 0; j <= w->K; j++)
        for (size_t k = 0; k < w->nz; k++) {
            w->q[j][k] = (real)q[j * w->nz + k] + low[j * w->nz + k];
            w->a[j][k] = start.a[j * start.row + k];
        }
}

/* Systems given by their inertia, stepped in tangent coordinates; by masses, in multiplier form; and links
 * with a special kernel. */
static ph_system *example(int i, double *z, double *zdot)
{
    static const char *const names[] = {"heavy-top", "rigid-chain", "coupled-pendula", "spherical-pendulum",
                                        "double-spherical-pendulum"};
    static tk_chain chain;
    tk_random r = {1700 + (uint64_t)i};
    ph_system *system;
    if (i < 5) {
        system = tk_model(names[i]);
    } else if (i < 8) {
        const double links = i - 4;
        const ph_parameter_value value = {"links", &links, 1};
        system = tk_build("cart-chain", &value, 1);
    } else {
        tk_chain_random(&chain, (size_t)i - 7, 0.5, 2, &r);
        system = i % 2 ? tk_chain_linkage(&chain) : tk_chain_system(&chain);
    }
    tk_random_motion(system, &r, z, zdot);
    return system;
}
enum { EXAMPLES = 12 };

TEST_EACH(steps_are_those_of_the_definition, tk_digits("steps by definition") ? EXAMPLES *ORDERS : 0)
{
    enum { STEPS = 12 };
    static plain w;
    double z[MOST], zdot[MOST];
    TK_OWN(ph_system) *system = example(_i / ORDERS, z, zdot);
    const double h = 0.02 / tk_fastest(system, z, zdot);
    TK_BEGIN(it, state, begin, system, "multistep", orders[_i % ORDERS], h, z, zdot);
    define(&w, system, ph_multistep_of(_i % ORDERS));
    surround(&w, ph_multistep_of(_i % ORDERS), state, h);
    double worst = 0;
    for (int n = 0; n < STEPS; n++) {
        tk_steps(it, state, 1);
        plain_step(&w, h);
        for (size_t k = 0; k < w.nz; k++)
            worst = tk_max(worst, (double)fabsl(w.q[w.K / 2][k] - (real)state->z[k]));
    }
    printf("example %d, order %s: %.1e from the definition\n", _i / ORDERS, orders[_i % ORDERS], worst);
    ck_assert_double_gt(tk_max_difference(state->z, z, state->nz), 1e-3); /* it did move */
    ck_assert_double_le(worst, 1e-14);
}

/* Many short steps of links with a kernel, and as many back: low-order parts keep what rounding would
 * lose. */
TEST_EACH(short_steps_lose_nothing, 6)
{
    enum { STEPS = 5000 };
    double z[MOST], zdot[MOST], z0[MOST];
    TK_OWN(ph_system) *system = example((int[]){3, 4, 5, 6, 7, 11}[_i], z, zdot);
    const double h = 0.0005 / tk_fastest(system, z, zdot);
    TK_BEGIN(it, state, begin, system, "multistep", "4", h, z, zdot);
    tk_steps(it, state, 10);
    memcpy(z0, state->z, state->nz * sizeof *z0);
    tk_steps(it, state, STEPS);
    tk_ok(ph_integrator_set_step_size(it, -h));
    tk_steps(it, state, STEPS);
    const double worst = tk_max_difference(state->z, z0, state->nz);
    printf("case %d, %d steps and back: %.1e\n", _i, STEPS, worst);
    ck_assert_double_le(worst, 6e-16);
}

/* With two steps, sigma = 1, the method is the step of order 2 of `variational`, which is separate code. */
TEST_EACH(two_steps_are_variational, tk_digits("steps by definition") ? EXAMPLES : 0)
{
    enum { STEPS = 20 };
    static const ph_multistep two = {.order = 2, .K = 2, .d = {1}, .sigma = {1}};
    static plain w;
    static real unused[MOST * MOST];
    real g[MOST];
    double z[MOST], zdot[MOST], worst = 0;
    TK_OWN(ph_system) *system = example(_i, z, zdot);
    const double h = 0.02 / tk_fastest(system, z, zdot);
    TK_BEGIN(it, state, begin, system, "variational", "2", h, z, zdot);
    define(&w, system, &two);
    for (size_t j = 0; j <= 2; j++) {
        for (size_t k = 0; k < w.nz; k++)
            w.q[j][k] = state->z[k];
        tk_steps(it, state, 1);
    }
    w.m = constrain(&w, w.q[2], g, unused);
    for (int n = 0; n < STEPS; n++) {
        plain_step(&w, h);
        for (size_t k = 0; k < w.nz; k++)
            worst = tk_max(worst, (double)fabsl(w.q[2][k] - (real)state->z[k]));
        tk_steps(it, state, 1);
    }
    printf("example %d: %.1e from variational\n", _i, worst);
    ck_assert_double_le(worst, 2e-14); /* of differences of rounded points, twenty steps on */
}

/* The forms of the equations: a chain given by its masses, with a special kernel where it is short, and given
 * by its matrix. */
TEST_EACH(forms_agree, 4 * ORDERS)
{
    tk_random r = {31 + (uint64_t)_i};
    tk_chain chain;
    double z[MOST], zdot[MOST];
    tk_chain_random(&chain, 1 + (size_t)_i / ORDERS, 0.5, 2, &r);
    ph_system *systems[] = {tk_chain_system(&chain), tk_chain_linkage(&chain)};
    tk_random_motion(systems[0], &r, z, zdot);
    const double h = 0.02 / tk_fastest(systems[0], z, zdot);
    ph_integrator *it[2];
    ph_state *state[2];
    for (int j = 0; j < 2; j++) {
        begin(systems[j], "multistep", orders[_i % ORDERS], h, z, zdot, &it[j], &state[j]);
        tk_steps(it[j], state[j], 50);
    }
    ck_assert_double_le(tk_max_difference(state[0]->z, state[1]->z, state[0]->nz), 2e-13);
    ck_assert_double_le(tk_max_difference(state[0]->p, state[1]->p, state[0]->np) /
                            ph_max_norm(state[0]->p, state[0]->np),
                        2e-13);
    for (int j = 0; j < 2; j++) {
        tk_end(it[j], state[j]);
        ph_system_free(systems[j]);
    }
}

/* ---- Kernels ------------------------------------------------------------------------------------- */

enum { LINKS = 8 };
static ph_system *row_of_links(int i, double *z, double *zdot)
{
    tk_random r = {7 + (uint64_t)i};
    const double links = (double[LINKS]){0, 0, 1, 2, 3, 9, 23, 5}[i];
    const ph_parameter_value value = {"links", &links, 1};
    ph_system *system = i == 0            ? tk_model("spherical-pendulum")
                        : i == 1          ? tk_model("double-spherical-pendulum")
                        : i < 4 || i == 7 ? tk_build("cart-chain", &value, 1)
                                          : tk_build("chain-pendulum", &value, 1);
    tk_random_motion(system, &r, z, zdot);
    for (size_t k = 0; k < ph_space_ambient(ph_system_space(system)); k++)
        zdot[k] *= 0.3;
    return system;
}

/* With the plain kernels or those of this processor; and a step needs one iteration, from the start. */
TEST_EACH(paths_give_the_same_bits, LINKS *ORDERS)
{
    double z[2 * MOST], zdot[2 * MOST];
    TK_OWN(ph_system) *system = row_of_links(_i / ORDERS, z, zdot);
    const double h = 0.005 / tk_fastest(system, z, zdot);
    ph_integrator *it[2];
    ph_state *state[2];
    for (int j = 0; j < 2; j++) {
        tk_kernels(j == 1);
        tk_start_with(system, ph_method_find("multistep", NULL), "order", orders[_i % ORDERS], h, 0, z, zdot,
                      &it[j], &state[j]);
        tk_steps(it[j], state[j], 2);
        const int64_t begun = ph_integrator_statistics(it[j])->newton_passes;
        tk_steps(it[j], state[j], 4);
        ck_assert_int_le(ph_integrator_statistics(it[j])->newton_passes - begun, 5);
        tk_steps(it[j], state[j], 194);
    }
    tk_kernels(false);
    ck_assert_mem_eq(state[0]->z, state[1]->z, state[0]->nz * sizeof(double));
    ck_assert_mem_eq(state[0]->p, state[1]->p, state[0]->np * sizeof(double));
    ck_assert_mem_eq(state[0]->carry, state[1]->carry, state[0]->ncarry * sizeof(double));
    const int64_t before = ph_integrator_statistics(it[0])->newton_passes;
    tk_steps(it[0], state[0], 200);
    const double passes = (double)(ph_integrator_statistics(it[0])->newton_passes - before) / 200;
    printf("%d, order %s: %.2f passes a step\n", _i / ORDERS, orders[_i % ORDERS], passes);
    ck_assert_double_le(passes, 1.05);
    ck_assert_double_gt(passes, 0);
    for (int j = 0; j < 2; j++)
        tk_end(it[j], state[j]);
}

static ph_status potential_of(void *user, const double *z, double *U)
{
    return ph_system_potential(user, z, U);
}

static ph_status gradient_of(void *user, const double *z, double *dU)
{
    const ph_system *of = user;
    dU[ph_space_ambient(ph_system_space(of))] = 0;
    return ph_system_gradient(of, z, dU);
}

/* The same system, given by its matrix, next to a particle at rest that nothing pushes: its steps are those of any system in
 * tangent coordinates. */
static ph_system *next_to_a_particle(ph_system *of)
{
    static double MM[4 * MOST * MOST];
    const ph_space *space = ph_system_space(of);
    const size_t n = ph_space_factors(space), nz = ph_space_ambient(space);
    double e[2 * MOST] = {0}, column[2 * MOST];
    ph_factor factors[MOST];
    ph_system *system = NULL;
    for (size_t i = 0; i < n; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        factors[i] = (ph_factor){.kind = f->kind, .d = f->kind == PH_FACTOR_R ? f->nz : 0};
    }
    factors[n] = (ph_factor){.kind = PH_FACTOR_R, .d = 1};
    TK_MAKE(ph_space, both, ph_space_create(factors, n + 1, &both, NULL));
    memset(MM, 0, sizeof MM);
    for (size_t a = 0; a < nz; a++) {
        e[a] = 1;
        ph_system_apply_inertia(of, e, column);
        e[a] = 0;
        for (size_t b = 0; b < nz; b++)
            MM[b * (nz + 1) + a] = column[b];
    }
    MM[nz * (nz + 1) + nz] = 1;
    const ph_system_definition d = {
        .space = both, .ambient_inertia = MM, .potential = potential_of, .gradient = gradient_of, .user = of};
    tk_ok(ph_system_create(&d, &system, NULL));
    return system;
}

/* Every model that the method takes, and rows of links whose stretches are full or not, against the general equations: what
 * differs is rounding, of numbers of size 1, and of momenta by their size, times how the motion spreads it. */
TEST_EACH(kernels_agree_with_the_general_equations, ((int)ph_models() + 7) * ORDERS)
{
    enum { STEPS = 40 };
    static const double links[] = {3, 4, 5, 9, 17, 3, 5};
    const int i = _i / ORDERS - (int)ph_models();
    const ph_parameter_value value = {"links", &links[i < 0 ? 0 : i], 1};
    const char *name = i < 0   ? ph_model_at((size_t)(_i / ORDERS))->name
                       : i < 5 ? "chain-pendulum"
                               : "cart-chain";
    TK_OWN(ph_system) *system = i < 0 ? tk_model(name) : tk_build(name, &value, 1);
    const ph_space *space = ph_system_space(system);
    const size_t nz = ph_space_ambient(space);
    double z[2 * MOST + 1] = {0}, zdot[2 * MOST + 1] = {0}, wide = 1;
    if (ph_method_find("multistep", NULL)->supports(system, NULL) || ph_system_has_force(system) ||
        ph_system_constraints(system) || nz > 2 * MOST - 1)
        return;
    tk_preset(name, i < 0 ? NULL : &value, i < 0 ? 0 : 1, NULL, z, zdot);
    tk_random r = {77 + (uint64_t)_i};
    const double h = 0.02 / tk_push(system, &r, z, zdot);
    TK_OWN(ph_system) *other = next_to_a_particle(system);
    TK_BEGIN(it, state, begin, system, "multistep", orders[_i % ORDERS], h, z, zdot);
    TK_BEGIN(general, truth, begin, other, "multistep", orders[_i % ORDERS], h, z, zdot);
    tk_steps(it, state, STEPS);
    tk_steps(general, truth, STEPS);
    wide = tk_max(wide, ph_max_norm(state->z, nz));
    const double off = tk_max_difference(state->z, truth->z, nz) / wide,
                 off_p = tk_max_difference(state->p, truth->p, state->np) / ph_max_norm(truth->p, state->np);
    printf("%s, %g, order %s: z %.1e, p %.1e\n", name, i < 0 ? 0 : links[i], orders[_i % ORDERS], off, off_p);
    ck_assert_double_gt(tk_max_difference(state->z, z, nz), 1e-4); /* it did move */
    ck_assert_double_le(off, 4e-14);
    ck_assert_double_le(off_p, 4e-14);
}

/* More bodies than matrices are made for: against the composition of order 8, in steps of which both leave only rounding. */
TEST(bodies_without_matrices)
{
    const double number = PH_DENSE_BODIES + 1;
    const ph_parameter_value value = {"bodies", &number, 1};
    enum { BODIES = PH_DENSE_BODIES + 1, STEPS = 10 };
    static double z[9 * BODIES], zdot[9 * BODIES];
    TK_OWN(ph_system) *system = tk_build("rigid-chain", &value, 1);
    tk_preset("rigid-chain", &value, 1, NULL, z, zdot);
    TK_BEGIN(it, state, begin, system, "multistep", "8", 2e-4, z, zdot);
    TK_BEGIN(other, truth, begin, system, "variational", "8", 2e-4, z, zdot);
    tk_steps(it, state, STEPS);
    tk_steps(other, truth, STEPS);
    const double off = tk_max_difference(state->z, truth->z, state->nz),
                 moved = tk_max_difference(state->z, z, state->nz);
    printf("%d bodies: moved by %.1e, off by %.1e\n", BODIES, moved, off);
    ck_assert_double_gt(moved, 1e-6);
    ck_assert_double_le(off, 1e-13);
}

/* ---- Orders -------------------------------------------------------------------------------------- */

/* The errors of q, and of the velocity that belongs to the momentum. */
static void errors_at_10(const char *order, double h, double *error, double *error_v)
{
    double q[6], v[6], work[256];
    TK_OWN(ph_system) *system = known_problem1_linkage(q, v);
    TK_BEGIN(it, state, begin, system, "multistep", order, h, q, v);
    tk_steps(it, state, (int64_t)round(10 / h));
    *error = tk_max_difference(state->z, known_problem1.q, 6);
    ck_assert_uint_le(ph_system_work(system), 256);
    tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, work));
    *error_v = tk_max_difference(v, known_problem1.v, 6);
}

/* Slopes where the next order does not show any more and rounding (1e-14) not yet; the error at 0.01 s,
 * measured: 2.7e-7, 4.9e-10, 3.7e-11, where order 8 has not come to its slope. */
TEST_EACH(orders_on_problem_1, ORDERS)
{
    static const double first[] = {0.008, 0.008, 0.0077}, tolerance[] = {0.05, 0.1, 0.3},
                        last[] = {3e-7, 6e-10, 5e-11}, last_v[] = {6e-7, 2e-9, 8e-11};
    enum { STEPS = 5 };
    double h[STEPS], error[STEPS], error_v[STEPS];
    for (int n = 0; n < STEPS; n++) {
        h[n] = 10 / round(10 / first[_i] * pow(1.08, n));
        errors_at_10(orders[_i], h[n], &error[n], &error_v[n]);
    }
    const double slope = tk_slope(h, error, STEPS), slope_v = tk_slope(h, error_v, STEPS);
    double at, at_v;
    errors_at_10(orders[_i], 0.01, &at, &at_v);
    printf("order %s: errors %.1e, %.1e at 0.01 s; %.1e, %.1e at %.4f s, slopes %.2f, %.2f\n", orders[_i], at,
           at_v, error[STEPS - 1], error_v[STEPS - 1], h[STEPS - 1], slope, slope_v);
    ck_assert_double_gt(error[STEPS - 1], 1e-13);
    ck_assert_double_eq_tol(slope, 4 + 2 * _i, tolerance[_i]);
    ck_assert_double_eq_tol(slope_v, 4 + 2 * _i, tolerance[_i]);
    ck_assert_double_le(at, last[_i]);
    ck_assert_double_le(at_v, last_v[_i]);
}

TEST_EACH(fast_heavy_top, ORDERS)
{
    static const double bound[] = {4e-8, 2e-11, 1e-13};
    TK_OWN(ph_system) *system = tk_model("heavy-top");
    double z[9], zdot[9], error = 0;
    tk_preset("heavy-top", NULL, 0, "fast", z, zdot);
    TK_BEGIN(it, state, begin, system, "multistep", orders[_i], 1. / 6400, z, zdot);
    tk_steps(it, state, 6400);
    for (int i = 0; i < 3; i++)
        error = tk_max(error, fabs(state->z[3 * i + 1] - known_fast_top.centre[i]));
    printf("fast heavy top, order %s: %.1e\n", orders[_i], error);
    ck_assert_double_le(error, bound[_i]);
}

/* ---- Forces of time ------------------------------------------------------------------------------ */

static ph_status sway(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)z, (void)zdot;
    f[0] += 0.5 * cos(3 * t);
    f[4] += 0.8 * sin(2 * t);
    return PH_OK;
}

static ph_status turn(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)z, (void)zdot;
    f[1] += 2 * cos(3 * t);
    f[3] -= 2 * cos(3 * t);
    return PH_OK;
}

/* On a chain, a cart with links, a body, joints and planar links, against the continuous equations by Runge
 * and Kutta's method in steps of a two thousandth of the fastest rate, which leaves 1e-14. The larger error
 * of z and of p by its size: each alone may have lost the leading term. */
TEST_EACH(orders_under_forces, 5 * ORDERS)
{
    enum { STEPS = 3, FINE = 4000 };
    static const struct {
        const char *name;
        double steps[ORDERS]; /* the longest ones: the next order has no say */
        double bound[ORDERS]; /* at the shortest; half as much again as measured */
    } rows[] = {{"double-spherical-pendulum", {60, 130, 150}, {4.2e-7, 1.5e-11, 1.4e-13}},
                {"cart-chain", {60, 130, 100}, {2.3e-8, 3.5e-12, 9e-14}},
                {"heavy-top", {60, 130, 100}, {4.5e-7, 1e-11, 3.2e-13}},
                {"rigid-chain", {60, 130, 100}, {3.6e-7, 3.8e-11, 1.1e-12}},
                {"planar-chain", {60, 130, 100}, {5e-6, 1.2e-9, 6.8e-9}}};
    const int row = _i / ORDERS, which = _i % ORDERS;
    const char *name = rows[row].name;
    double z[MOST], zdot[MOST], h[STEPS], error[STEPS];
    tk_random r = {5 + (uint64_t)_i};
    TK_OWN(ph_system) *base = tk_model(name);
    const ph_system_definition added = {.force = row < 2 ? sway : turn, .force_ignores_velocity = true};
    TK_MAKE(ph_system, system, ph_system_create_forced(base, &added, &system, NULL));
    tk_preset(name, NULL, 0, NULL, z, zdot);
    const double T = 2 / tk_push(system, &r, z, zdot);
    TK_START(fine, truth, system, "rk4-projected", "q-omega", T / FINE, z, zdot);
    tk_ok(ph_state_set_velocity(fine, truth, 0.25, z, zdot, PH_PROJECT, NULL));
    tk_steps(fine, truth, FINE);
    for (int n = 0; n < STEPS; n++) {
        const double steps = round(rows[row].steps[which] * pow(1.25, n));
        h[n] = T / steps;
        TK_BEGIN(it, state, begin, system, "multistep", orders[which], h[n], z, zdot);
        tk_steps(it, state, (int64_t)steps);
        const double off_p = tk_max_difference(state->p, truth->p, state->np);
        error[n] = tk_max(tk_max_difference(state->z, truth->z, state->nz),
                          off_p / ph_max_norm(truth->p, truth->np));
    }
    const double slope = tk_slope(h, error, STEPS);
    printf("%s, order %s, forced: %.1e ... %.1e, slope %.2f\n", name, orders[which], error[0],
           error[STEPS - 1], slope);
    ck_assert_double_le(error[STEPS - 1], rows[row].bound[which]);
    ck_assert_double_eq_tol(slope, 4 + 2 * which, 0.5);
}

/* ---- How it begins ------------------------------------------------------------------------------- */

/* The largest differences of z and p, these by their size, of a step by h from (z, zdot) and of as many parts
 * of it by `variational`. */
static void differences(const ph_system *system, const char *order, double h, int parts, const double *z,
                        const double *zdot, double *error)
{
    TK_BEGIN(it, state, begin, system, "multistep", order, h, z, zdot);
    TK_BEGIN(fine, truth, begin, system, "variational", "8", h / parts, z, zdot);
    tk_steps(it, state, 1);
    tk_steps(fine, truth, parts);
    error[0] = tk_max_difference(state->z, truth->z, state->nz);
    error[1] = tk_max_difference(state->p, truth->p, state->np) / ph_max_norm(truth->p, truth->np);
    ck_assert_double_eq(state->t, 0.25 + h);
}

/* The first step is by collocation: its errors are of order K + 1 and more, those of a step as short as on
 * the way to an event that is near are rounding. Steps too long for collocation begin by the composition. */
TEST_EACH(first_steps, EXAMPLES *ORDERS)
{
    enum { STEPS = 4 };
    double z[MOST], zdot[MOST], h[STEPS], error[2], worse[STEPS];
    TK_OWN(ph_system) *system = example(_i / ORDERS, z, zdot);
    const double rate = tk_fastest(system, z, zdot), longest = (double[]){0.03, 0.08, 0.12}[_i % ORDERS];
    for (int n = 0; n < STEPS; n++) {
        h[n] = longest / rate * pow(0.85, n);
        differences(system, orders[_i % ORDERS], h[n], 4, z, zdot, error);
        worse[n] = tk_max(error[0], error[1]);
    }
    const double slope = tk_slope(h, worse, STEPS);
    printf("example %d, order %s, first step: %.1e, slope %.2f\n", _i / ORDERS, orders[_i % ORDERS],
           worse[STEPS - 1], slope);
    ck_assert_double_ge(slope, 4.7 + 1.8 * (_i % ORDERS));
    for (double part = 1e-3; part > 1e-14; part *= 0.1) {
        differences(system, orders[_i % ORDERS], part / rate, 1, z, zdot, error);
        ck_assert_double_le(error[0], 5e-15);
        ck_assert_double_le(error[1], 5e-15);
    }
}

/* Where steps are too long for that, it is the composition's: of links that have a kernel, by tensions, and
 * in tangent coordinates. */
TEST_EACH(long_steps_begin_by_the_composition, 4 * ORDERS)
{
    double z[MOST], zdot[MOST], error[2];
    TK_OWN(ph_system) *system = example((int[]){3, 4, 7, 8}[_i / ORDERS], z, zdot);
    differences(system, orders[_i % ORDERS], 0.39 / tk_fastest(system, z, zdot), 1, z, zdot, error);
    ck_assert_double_le(error[0], 1e-15);
    ck_assert_double_le(error[1], 1e-15);
}

/* A step of another size starts again, as from a state that was just set, but for rounding of p there. (With
 * the history of the other size it would be off by a tenth.) */
TEST_EACH(another_size_begins_anew, EXAMPLES)
{
    double z[MOST], zdot[MOST];
    TK_OWN(ph_system) *system = example(_i, z, zdot);
    const double h = 0.02 / tk_fastest(system, z, zdot);
    TK_BEGIN(it, state, begin, system, "multistep", "6", h, z, zdot);
    TK_MAKE(ph_state, set, ph_state_create(it, &set, NULL));
    tk_steps(it, state, 5);
    tk_ok(ph_state_set(it, set, state->t, state->z, state->p, PH_STRICT, NULL));
    tk_ok(ph_integrator_set_step_size(it, 0.37 * h));
    for (int k = 0; k < 3; k++) {
        tk_steps(it, state, 1);
        tk_steps(it, set, 1);
        ck_assert_double_le(tk_max_difference(state->z, set->z, state->nz), 1e-15);
        ck_assert_double_le(tk_max_difference(state->p, set->p, state->np),
                            1e-12 * ph_max_norm(state->p, state->np));
    }
}

/* Many steps and as many back, by the history turned round: to rounding, through motion that is not even
 * regular. */
TEST_EACH(history_turned_round, EXAMPLES *ORDERS)
{
    double z[MOST], zdot[MOST], z0[MOST], p0[MOST];
    TK_OWN(ph_system) *system = example(_i / ORDERS, z, zdot);
    const double h = 0.05 / tk_fastest(system, z, zdot);
    TK_BEGIN(it, state, begin, system, "multistep", orders[_i % ORDERS], h, z, zdot);
    tk_steps(it, state, 3);
    memcpy(z0, state->z, state->nz * sizeof *z0);
    memcpy(p0, state->p, state->np * sizeof *p0);
    const double t0 = state->t;
    tk_steps(it, state, 100);
    tk_ok(ph_integrator_set_step_size(it, -h));
    tk_steps(it, state, 100);
    ck_assert_double_le(tk_max_difference(state->z, z0, state->nz), 2e-13);
    ck_assert_double_le(tk_max_difference(state->p, p0, state->np), 2e-13 * ph_max_norm(p0, state->np));
    ck_assert_double_eq_tol(state->t, t0, 1e-14);
}

/* ---- What it refuses ----------------------------------------------------------------------------- */

static ph_status brake(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)t, (void)z;
    f[0] -= zdot[0];
    return PH_OK;
}

TEST(refusals_say_what_would_be_right)
{
    ph_system *base = tk_model("spherical-pendulum");
    const ph_system_definition added = {.force = brake};
    const ph_method *method = ph_method_find("multistep", NULL);
    ph_error err = {PH_OK, ""};
    TK_MAKE(ph_system, system, ph_system_create_forced(base, &added, &system, NULL));
    ck_assert_int_eq(method->supports(system, &err), PH_E_UNSUPPORTED);
    ck_assert_msg(strstr(err.message, "velocity") && strstr(err.message, "order=8"), "%s", err.message);
    ph_system_free(base);
    base = tk_model("submerged-pendula");
    ck_assert_int_eq(method->supports(base, &err), PH_E_UNSUPPORTED);
    ck_assert_msg(strstr(err.message, "constant inertia") && strstr(err.message, "order=8"), "%s",
                  err.message);
    ph_system_free(base);
}

/* ---- Many steps ---------------------------------------------------------------------------------- */

/* For each form, over so many steps that rounding errors would add up. */
TEST_EACH(manifold_is_kept, EXAMPLES)
{
    double z[MOST], zdot[MOST], unit = 0, rotation = 0;
    TK_OWN(ph_system) *system = example(_i, z, zdot);
    const ph_space *space = ph_system_space(system);
    TK_BEGIN(it, state, begin, system, "multistep", "4", 0.02 / tk_fastest(system, z, zdot), z, zdot);
    for (int k = 0; k < 100; k++) {
        tk_steps(it, state, 40);
        for (size_t i = 0; i < ph_space_factors(space); i++) {
            double *worst = ph_space_factor(space, i)->kind == PH_FACTOR_SO3 ? &rotation : &unit;
            *worst = tk_max(*worst, ph_space_factor_residual(space, i, state->z));
        }
    }
    printf("example %d, 4000 steps: |q| %.1e, R^T R %.1e\n", _i, unit, rotation);
    ck_assert_double_le(unit, 2.3e-16);
    ck_assert_double_le(rotation, 2.3e-16);
}

/* Problem 1 at steps where parasitic modes stay small (doc/evidence/long-time.md): energy and the constraint. */
TEST_EACH(energy_over_many_steps, ORDERS)
{
    static const struct {
        const char *order;
        double h, energy; /* measured over 1e7 steps: 2.5e-6, 3.3e-9, 5.7e-12 */
    } rows[] = {{"4", 0.01, 5e-6}, {"6", 0.01, 2e-8}, {"8", 0.005, 3e-11}};
    double q[6], v[6], E0 = 0, energy = 0, constraint = 0;
    const int blocks = 500, each = tk_short() ? 10 : tk_long() ? 20000 : 200;
    ph_measures m;
    TK_OWN(ph_system) *system = known_problem1_linkage(q, v);
    TK_BEGIN(it, state, begin, system, "multistep", rows[_i].order, rows[_i].h, q, v);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    for (int k = 0; k <= blocks; k++) {
        tk_ok(ph_diagnostics_measure(d, state, &m));
        E0 = k ? E0 : m.energy;
        energy = tk_max(energy, fabs(m.energy - E0) / fabs(E0));
        constraint = tk_max(constraint, m.constraint_error);
        tk_steps(it, state, each);
    }
    printf("order %s, h = %g s, %.0e steps: energy %.1e, constraint %.1e\n", rows[_i].order, rows[_i].h,
           (double)blocks * each, energy, constraint);
    ck_assert_double_le(energy, rows[_i].energy);
    ck_assert_double_le(constraint, 2.3e-16);
}

int main(void)
{
    return tk_run("multistep");
}
