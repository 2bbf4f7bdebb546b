/* SPDX-License-Identifier: BSD-3-Clause */
/* The form `tensions`: accelerations of chains and trees, with and without a cart and with forces, on the
 * manifold and off it, compared with the equations with multipliers solved as one dense system by LAPACK; and
 * the special Runge-Kutta steps of chains (lib/equations/chain), compared with the same stages by those
 * equations. Memory, refusals, and the meaning of the word `automatic`. */
#include "tests/kit/hostile.h"
#include "tests/kit/known.h"

#include "lib/equations/chain/accelerate.h"
#include "lib/equations/chain/rk4.h"

enum { MOST = 44, MOST_NZ = 3 * MOST };

/* ---- Random linkages --------------------------------------------------------------------------------- */

typedef struct linkage {
    size_t n, first, cart, d, nz, parent[MOST];
    double length[MOST], mass[MOST], gravity[3];
    double stiffness, damping; /* U = k sum sin z_i, f_i = -c (1 + v.v) v_i + sin t */
    ph_system *system;
} linkage;

static ph_status wave(void *user, const double *z, double *U)
{
    const linkage *k = user;
    *U = 0;
    for (size_t i = 0; i < k->nz; i++)
        *U += k->stiffness * sin(z[i]);
    return PH_OK;
}

static ph_status slope(void *user, const double *z, double *dU)
{
    const linkage *k = user;
    for (size_t i = 0; i < k->nz; i++)
        dU[i] = k->stiffness * cos(z[i]);
    return PH_OK;
}

static ph_status drag(void *user, double t, const double *z, const double *v, double *f)
{
    const linkage *k = user;
    double square = 0;
    (void)z;
    for (size_t i = 0; i < k->nz; i++)
        square += v[i] * v[i];
    for (size_t i = 0; i < k->nz; i++)
        f[i] += sin(t) - k->damping * (1 + square) * v[i];
    return PH_OK;
}

static size_t at(const linkage *k, size_t i)
{
    return i < k->first ? 0 : k->cart + k->d * (i - k->first);
}

/* A random linkage of `links` links, on a cart with `cart` coordinates (0: none). */
static void make(linkage *k, tk_random *seed, size_t links, size_t d, size_t cart, bool chain, bool forced)
{
    ph_factor factors[MOST] = {{0}};
    *k = (linkage){.n = links + (cart > 0), .first = cart > 0, .cart = cart, .d = d, .nz = cart + d * links};
    for (size_t i = 0; i < k->n; i++) {
        factors[i] = (ph_factor){.kind = i < k->first ? PH_FACTOR_R
                                         : d == 3     ? PH_FACTOR_S2
                                                      : PH_FACTOR_S1,
                                 .d = i < k->first ? cart : 0};
        k->length[i] = tk_log_uniform(seed, 0.3, 3);
        k->mass[i] = tk_log_uniform(seed, 0.3, 3);
        size_t any = (size_t)(tk_uniform(seed, 0, 1) * (double)(i + 1));
        k->parent[i] = i < k->first ? PH_NO_INDEX
                       : chain      ? (i ? i - 1 : PH_NO_INDEX)
                       : any == i   ? PH_NO_INDEX
                                    : any;
    }
    for (size_t a = 0; a < d; a++)
        k->gravity[a] = tk_uniform(seed, -10, 10);
    ph_linkage description = {.parent = chain ? NULL : k->parent, .length = k->length, .mass = k->mass};
    memcpy(description.gravity, k->gravity, sizeof k->gravity);
    ph_system_definition definition = {.linkage = &description, .user = k};
    if (forced) {
        k->stiffness = 2;
        k->damping = 0.3;
        definition.potential = wave;
        definition.gradient = slope;
        definition.force = drag;
    }
    TK_OWN(ph_space) *space = tk_space(factors, k->n);
    definition.space = space;
    tk_ok(ph_system_create(&definition, &k->system, NULL));
}

/* Any motion, speeds of size 1. */
static void place(const linkage *k, tk_random *seed, double *z, double *v)
{
    tk_random_motion(k->system, seed, z, v);
}

/* ---- The equations ------------------------------------------------------------------------------------- */

/* a <- the accelerations, solved together with the multipliers of q_i.a_i = -|v_i|^2: the matrix [MM Q^T; Q
 * 0] by LAPACK, MM and U from x_i = x_parent + l_i q_i. */
static void truth(const linkage *k, double t, const double *z, const double *v, double *a)
{
    enum { SIZE = MOST_NZ + MOST };
    static double A[SIZE * SIZE], C[3 * MOST * MOST_NZ], b[SIZE];
    size_t nz = k->nz, m = nz + k->n - k->first;
    double square = 0;
    memset(A, 0, sizeof A);
    memset(C, 0, sizeof C);
    memset(b, 0, sizeof b);
    for (size_t i = 0; i < k->n; i++)
        for (size_t axis = 0; axis < k->d; axis++) {
            double *row = C + (3 * i + axis) * MOST_NZ;
            if (k->parent[i] != PH_NO_INDEX)
                memcpy(row, C + (3 * k->parent[i] + axis) * MOST_NZ, MOST_NZ * sizeof *row);
            if (i >= k->first || axis < k->cart)
                row[at(k, i) + axis] += i < k->first ? 1 : k->length[i];
            for (size_t r = 0; r < nz; r++) {
                for (size_t c = 0; c < nz; c++)
                    A[r * m + c] += k->mass[i] * row[r] * row[c];
                b[r] += k->mass[i] * row[r] * k->gravity[axis];
            }
        }
    for (size_t r = 0; r < nz; r++)
        square += v[r] * v[r];
    for (size_t r = 0; r < nz; r++)
        b[r] += (k->damping > 0 ? sin(t) : 0) - k->damping * (1 + square) * v[r] - k->stiffness * cos(z[r]);
    for (size_t i = k->first; i < k->n; i++) {
        size_t row = nz + i - k->first;
        for (size_t c = at(k, i); c < at(k, i) + k->d; c++) {
            A[row * m + c] = A[c * m + row] = z[c];
            b[row] -= v[c] * v[c];
        }
    }
    ck_assert_int_eq(tk_solve(m, A, b), 0);
    memcpy(a, b, nz * sizeof *a);
}

static void evaluate(const linkage *k, const char *form, double t, const double *y, double *ydot)
{
    const ph_field *field = ph_field_find(form, NULL);
    TK_MEMORY double *work = malloc(field->work(k->system) * sizeof *work);
    ck_assert_ptr_nonnull(work);
    tk_ok(ph_field_supports(field, k->system, NULL));
    tk_ok(field->evaluate(k->system, t, y, ydot, work));
}

/* The dense system has a condition number of up to 1e4 for twelve links of different masses and lengths. */
TEST(accelerations)
{
    tk_random seed = {2027};
    double worst = 0, dense = 0, off = 0;
    for (int trial = 0; trial < 600; trial++) {
        linkage k;
        size_t d = trial % 2 ? 2 : 3, nz;
        make(&k, &seed, 1 + (size_t)(trial / 3 % 12), d, (size_t)(trial / 7) % (d + 1), trial % 3 > 0,
             trial % 5 > 1);
        nz = k.nz;
        double y[2 * MOST_NZ], ydot[2 * MOST_NZ], other[2 * MOST_NZ], a[MOST_NZ],
            t = tk_uniform(&seed, -1, 1);
        place(&k, &seed, y, y + nz);
        truth(&k, t, y, y + nz, a);
        evaluate(&k, "tensions", t, y, ydot);
        ck_assert(!memcmp(ydot, y + nz, nz * sizeof *y));
        worst = tk_max(worst, tk_max_difference(ydot + nz, a, nz) / ph_max_norm(a, nz));
        for (int form = 0; form < 2; form++) {
            evaluate(&k, form ? "x-xdot" : "q-qdot", t, y, other);
            dense = tk_max(dense, tk_max_difference(ydot, other, 2 * nz) / ph_max_norm(other, 2 * nz));
        }
        for (size_t i = 0; i < 2 * nz; i++)
            y[i] += 0.1 * tk_normal(&seed);
        truth(&k, t, y, y + nz, a);
        evaluate(&k, "tensions", t, y, ydot);
        off = tk_max(off, tk_max_difference(ydot + nz, a, nz) / ph_max_norm(a, nz));
        ph_system_free(k.system);
    }
    printf("accelerations: to multipliers %.1e, off the manifold %.1e; to q-qdot, x-xdot %.1e\n", worst, off,
           dense);
    ck_assert_double_le(worst, 1e-12);
    ck_assert_double_le(dense, 1e-12);
    ck_assert_double_le(off, 1e-12);
}

/* The kernel of chains and the equations as they are for any linkage, here one with forces that are 0: the same but for
 * rounding, on the manifold and off it. Both solve T tau = r with errors of a few roundings a link, which the condition number
 * of T makes larger: relative to the largest acceleration 3e-15 at most, 3e-16 on average. */
TEST(kernel_of_chains)
{
    double worst = 0, sum = 0;
    int trials = 0;
    for (size_t links = 1; links <= 43; links += 1 + links / 12)
        for (int way = 0; way < 24; way++, trials++) {
            tk_random seed = {2040 + 100 * links + (size_t)way}, again = seed;
            linkage k, forced;
            const size_t d = way % 2 ? 2 : 3, cart = (size_t)(way / 2) % (d + 1);
            double y[2 * MOST_NZ], ydot[2 * MOST_NZ], other[2 * MOST_NZ];
            make(&k, &seed, links, d, cart, true, false);
            make(&forced, &again, links, d, cart, true, true);
            forced.stiffness = forced.damping = 0;
            place(&k, &seed, y, y + k.nz);
            for (size_t i = 0; i < 2 * k.nz && way >= 12; i++)
                y[i] += 0.1 * tk_normal(&seed);
            evaluate(&k, "tensions", 0, y, ydot);
            evaluate(&forced, "tensions", 0, y, other);
            const double error = tk_max_difference(ydot, other, 2 * k.nz) / ph_max_norm(other, 2 * k.nz);
            worst = tk_max(worst, error);
            sum += error;
            ph_system_free(k.system);
            ph_system_free(forced.system);
        }
    printf("%d chains by the kernel and as linkages: %.1e, on average %.1e\n", trials, worst, sum / trials);
    ck_assert_double_le(worst, 2e-14);
    ck_assert_double_le(sum / trials, 1e-15);
}

/* What is not finite is told: a link of no length, an overflow. */
TEST(kernel_leaves_the_manifold)
{
    for (size_t links = 1; links <= 6; links++)
        for (int what = 0; what < 2; what++) {
            tk_random seed = {2041 + links};
            linkage k;
            double y[2 * MOST_NZ], ydot[2 * MOST_NZ], work[4096];
            const ph_field *field = ph_field_find("tensions", NULL);
            make(&k, &seed, links, 3, 0, true, false);
            place(&k, &seed, y, y + k.nz);
            for (size_t i = 0; i < 3; i++)
                y[(what ? k.nz : 0) + 3 * (links - 1) + i] = what ? 1e200 : 0;
            ck_assert_uint_le(field->work(k.system), 4096);
            ck_assert_int_eq(field->evaluate(k.system, 0, y, ydot, work), PH_E_DIVERGED);
            ph_system_free(k.system);
        }
}

/* ---- Steps --------------------------------------------------------------------------------------------- */

/* y <- a step of the method by the equations of the form and ph_field_rk4. */
static void plain_step(const linkage *k, double t, double h, bool project, double *y)
{
    const ph_field *field = ph_field_find("tensions", NULL);
    TK_MEMORY double *work =
        malloc((PH_FIELD_RK4_VECTORS * field->size(k->system) + field->work(k->system)) * sizeof *work);
    ck_assert_ptr_nonnull(work);
    tk_ok(ph_field_rk4(field, k->system, t, h, y, work));
    if (project)
        tk_ok(ph_field_project(field, k->system, 0, y, NULL));
}

/* The same of another explicit method, by its definition. */
static void plain_explicit_step(const linkage *k, double h, const ph_explicit *of, double *y)
{
    const ph_field *field = ph_field_find("tensions", NULL);
    const size_t n = field->size(k->system), s = of->stages;
    TK_MEMORY double *work = malloc(((s + 1) * n + field->work(k->system)) * sizeof *work);
    ck_assert_ptr_nonnull(work);
    for (size_t i = 0; i <= s; i++) {
        double *stage = work + s * n;
        memcpy(stage, y, n * sizeof *y);
        for (size_t j = 0; j < s && j < i; j++)
            for (size_t m = 0; m < n; m++)
                stage[m] += h * (of->table[i * s + j] * work[j * n + m]);
        if (i < s)
            tk_ok(field->evaluate(k->system, 0, stage, work + i * n, stage + n));
        else
            memcpy(y, stage, n * sizeof *y);
    }
}

/* All versions of a chain's step, by number of links, axes, cart, and instruction set; each step starts from
 * the same y. With a large h the projection starts far from the manifold: |q|^2 - 1 = 0.1. */
TEST(steps_in_one_piece)
{
    static const double steps[] = {0.002, 0.02, 0.3};
    tk_random seed = {2028};
    double worst = 0, farthest = 0;
    int trials = 0;
    for (size_t links = 1; links <= 43; links += 1 + links / 10)
        for (int way = 0; way < 48; way++) {
            linkage k;
            size_t d = way % 2 ? 2 : 3, cart = (size_t)(way / 2) % (d + 1);
            bool project = way / 2 % 2, wide = way / 4 % 2 && ph_kernels() & PH_KERNEL_AVX2;
            double h = steps[way / 8 % 3] * (way / 24 ? -1 : 1) / (double)links;
            make(&k, &seed, links, d, cart, true, false);
            ck_assert(ph_chain_row(k.system));
            double *work = malloc(ph_chain_rk4_work(k.system, NULL) * sizeof *work), y[2 * MOST_NZ],
                   y1[2 * MOST_NZ], start[2 * MOST_NZ],
                   *carry = malloc(ph_chain_rk4_carry(k.system) * sizeof *carry);
            ph_chain_rk4 c;
            ph_chain_rk4_lay(k.system, NULL, work, &c);
            c.advance = ph_chain_step(c.row, wide);
            c.project = project;
            c.reach = 1e100;
            place(&k, &seed, start, start + k.nz);
            ph_chain_rk4_pack(&c, start, carry);
            for (int step = 0; step < 3; step++) {
                ph_chain_rk4_unpack(&c, carry, y);
                /* also the cart's position, on which the motion does not depend */
                ck_assert(step || !memcmp(y, start, 2 * k.nz * sizeof *y));
                ck_assert(c.advance(&c, h, carry));
                plain_step(&k, 0, h, project, y);
                ph_chain_rk4_unpack(&c, carry, y1);
                double size = ph_max_norm(y, 2 * k.nz);
                worst = tk_max(worst, tk_max_difference(y, y1, 2 * k.nz) / size);
                farthest =
                    tk_max(farthest, ph_space_residual(ph_system_space(k.system), y1) / (project ? 1 : 1e16));
                trials++;
            }
            free(work);
            free(carry);
            ph_system_free(k.system);
        }
    printf("%d steps in one piece: %.1e; off the manifold when projected %.1e\n", trials, worst, farthest);
    ck_assert_double_le(worst, 1e-12);
    ck_assert_double_le(farthest, 1e-15);
}

/* Any explicit method: Euler's, one of order 3 with random coefficients behind its diagonal, the longest table; plain and by vectors with the
 * same bits. A step that fails leaves the state as it was. */
TEST(explicit_steps_in_one_piece)
{
    tk_random seed = {2033};
    double worst = 0;
    for (size_t links = 3; links <= 43; links += 1 + links / 10)
        for (size_t way = 0; way < 36; way++) {
            static const size_t stages[] = {1, 3, PH_EXPLICIT_MOST};
            double table[(PH_EXPLICIT_MOST + 1) * PH_EXPLICIT_MOST];
            const size_t d = way % 2 ? 2 : 3, cart = (size_t)(way / 2) % (d + 1), s = stages[way / 12];
            const ph_explicit of = {s, table};
            linkage k;
            make(&k, &seed, links, d, cart, true, false);
            for (size_t i = 0; i <= s; i++)
                for (size_t j = 0; j < s; j++)
                    table[i * s + j] = j < i && (j + 1 == i || (i + j) % 3) ? tk_uniform(&seed, -0.5, 1) : 0;
            const size_t room = ph_chain_rk4_work(k.system, &of), kept = ph_chain_rk4_carry(k.system);
            TK_MEMORY double *work = malloc(room * sizeof *work), *carry = malloc(2 * kept * sizeof *carry);
            double *other = carry + kept, y[2 * MOST_NZ], y1[2 * MOST_NZ], h = 0.01 / (double)links;
            ph_chain_rk4 c;
            ph_chain_rk4_lay(k.system, &of, work, &c);
            place(&k, &seed, y, y + k.nz);
            ph_chain_rk4_pack(&c, y, carry);
            memcpy(other, carry, kept * sizeof *carry);
            c.reach = 0;
            ck_assert(!c.advance(&c, h, carry));
            ck_assert(!memcmp(carry, other, kept * sizeof *carry));
            c.reach = 1e100;
            for (int step = 0; step < 3; step++) {
                c.advance = ph_chain_explicit(d, ph_lanes(PH_KERNEL_AVX2));
                ck_assert(c.advance(&c, h, carry));
                c.advance = ph_chain_explicit(d, false);
                ck_assert(c.advance(&c, h, other));
                ck_assert(!memcmp(carry, other, kept * sizeof *carry));
                plain_explicit_step(&k, h, &of, y);
                ph_chain_rk4_unpack(&c, carry, y1);
                worst = tk_max(worst, tk_max_difference(y, y1, 2 * k.nz) / ph_max_norm(y, 2 * k.nz));
            }
            ph_system_free(k.system);
        }
    printf("explicit methods in one piece: %.1e\n", worst);
    ck_assert_double_le(worst, 1e-12);
}

/* Ends of a motion between h and h/2: with forces, of a tree, with a cart; in one piece, of few links and of
 * many. */
TEST(order_4)
{
    enum { LEVELS = 5 };
    static const struct {
        size_t links, d, cart;
        bool chain, forced;
        double T;
    } rows[] = {{1, 3, 0, true, false, 0.5}, {2, 3, 2, true, false, 0.5},  {2, 2, 0, true, false, 0.5},
                {5, 3, 0, true, false, 0.3}, {20, 3, 1, true, false, 0.1}, {6, 2, 1, true, true, 0.2},
                {7, 3, 0, false, true, 0.2}, {9, 3, 3, false, false, 0.2}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        for (int project = 0; project < 2; project++) {
            tk_random seed = {2029 + row};
            linkage k;
            double z[MOST_NZ], v[MOST_NZ], end[LEVELS][MOST_NZ], h[LEVELS], difference[LEVELS];
            make(&k, &seed, rows[row].links, rows[row].d, rows[row].cart, rows[row].chain, rows[row].forced);
            place(&k, &seed, z, v);
            for (int level = 0; level < LEVELS; level++) {
                int64_t steps = (int64_t)32 << level;
                TK_START(it, state, k.system, project ? "rk4-projected" : "rk4", "tensions",
                         rows[row].T / (double)steps, z, v);
                tk_ok(ph_integrator_step(it, state, steps));
                memcpy(end[level], state->z, k.nz * sizeof *z);
                if (level) {
                    h[level - 1] = rows[row].T / (double)steps;
                    difference[level - 1] = tk_max_difference(end[level], end[level - 1], k.nz);
                }
            }
            double order = tk_slope(h, difference, LEVELS - 1);
            printf("row %zu%s: %.1e ... %.1e, slope %.3f\n", row, project ? ", projected" : "", difference[0],
                   difference[LEVELS - 2], order);
            ck_assert_double_eq_tol(order, 4, 0.25);
            ph_system_free(k.system);
        }
}

TEST(double_pendulum_to_known_digits)
{
    const known_pendulum *p = &known_problem1;
    /* of order 4: measured 1.3e-6 and 1.3e-10 as it is, 4.4e-8 and 3.9e-12 projected */
    static const double h[] = {0.01, 0.001}, bound[2][2] = {{2e-6, 2e-10}, {6e-8, 6e-12}};
    const ph_parameter_value values[] = {
        {"masses", p->mass, 2}, {"lengths", p->length, 2}, {"gravity", p->gravity, 3}};
    TK_OWN(ph_system) *system = tk_build("double-spherical-pendulum", values, 3);
    double v[6];
    for (size_t i = 0; i < 6; i += 3)
        ph_cross3(p->omega0 + i, p->q0 + i, v + i);
    for (int i = 0; i < 4; i++) {
        TK_START(it, state, system, i / 2 ? "rk4-projected" : "rk4", "tensions", h[i % 2], p->q0, v);
        tk_ok(ph_integrator_step(it, state, llround(p->time / h[i % 2])));
        double error = tk_max_difference(state->z, p->q, 6);
        printf("problem 1 at t = 10 s, h = %g%s: %.1e\n", h[i % 2], i / 2 ? ", projected" : "", error);
        ck_assert_double_le(error, bound[i / 2][i % 2]);
    }
}

/* The same bits, also of z and p, however the steps are divided into calls; and from a copy in the middle. */
TEST(bits_do_not_depend_on_looks)
{
    static const size_t counts[] = {1, 2, 3, 5, 20, 33};
    static const struct {
        const char *method;
        size_t cart;
        bool chain, forced;
    } rows[] = {{"rk4", 0, true, false}, {"rk4-projected", 0, true, false}, {"rk8", 0, true, false},
                {"rk8", 3, true, false}, {"rk4", 2, true, false},           {"rk4-projected", 1, true, true},
                {"rk4", 0, false, false}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            tk_random seed = {2030 + row};
            linkage k;
            double z[MOST_NZ], v[MOST_NZ], p[MOST_NZ], work[4096];
            ph_integrator *other;
            ph_state *often;
            make(&k, &seed, counts[i], 3, rows[row].cart, rows[row].chain, rows[row].forced);
            place(&k, &seed, z, v);
            TK_START(it, once, k.system, rows[row].method, NULL, 1e-4, z, v);
            tk_start(k.system, rows[row].method, NULL, 1e-4, z, v, &other, &often);
            tk_ok(ph_integrator_step(it, once, 23));
            for (int step = 0; step < 23; step++) {
                tk_ok(ph_integrator_step(step % 2 ? it : other, often, 1));
                if (step == 11) { /* another state, elsewhere */
                    ph_state *copy = hk_clone(other, often);
                    ph_state_free(often);
                    often = copy;
                }
            }
            ck_assert(hk_same(once, often));
            /* if z is on the manifold, p is the momentum of a tangent velocity */
            ck_assert_uint_le(ph_system_work(k.system), sizeof work / sizeof *work);
            tk_ok(ph_system_velocity(k.system, 0, once->z, once->p, v, work));
            tk_ok(ph_system_momentum(k.system, 0, once->z, v, p, work));
            if (strstr(rows[row].method, "projected"))
                ck_assert_double_le(tk_max_difference(p, once->p, once->np),
                                    1e-13 * ph_max_norm(p, once->np));
            tk_end(other, often);
            ph_system_free(k.system);
        }
}

/* Rounding that has left the spheres must not grow by itself: 60 s of a quick motion whose inertia depends on
 * the configuration. In the form q-qdot |q| is off by 0.04 then. */
TEST(automatic_stays_near_spheres)
{
    tk_random seed = {2032};
    TK_OWN(ph_system) *system = tk_model("submerged-pendula");
    double z[MOST_NZ], v[MOST_NZ], off[2];
    tk_random_motion(system, &seed, z, v);
    for (int k = 0; k < 6; k++)
        v[k] *= 3;
    TK_START(it, state, system, "rk8", "automatic", 0.02, z, v);
    for (int half = 0; half < 2; half++) {
        tk_ok(ph_integrator_step(it, state, 1500));
        off[half] = ph_space_residual(ph_system_space(system), state->z);
    }
    printf("rk8, automatic: |q| - 1 after 30 and 60 s: %.1e, %.1e\n", off[0], off[1]);
    ck_assert_double_le(off[1], 1e-9);
}

/* The word `automatic` selects the cheapest form by the structure of the system. The bits are those of that
 * form, and that form is what the integrator reports as its option, and what is archived. */
TEST(automatic_is_the_cheapest)
{
    tk_random seed = {2031};
    for (int way = 0; way < 4; way++) {
        linkage k;
        ph_integrator *it[2];
        ph_state *state[2];
        double z[MOST_NZ], v[MOST_NZ];
        make(&k, &seed, 4, 3, 0, way % 2, way / 2);
        ph_system *top = tk_model("heavy-top"), *joints = tk_model("rigid-chain"),
                  *carried = tk_model("quadrotor-cable"), *varying = tk_model("submerged-pendula");
        ph_system *systems[] = {k.system, top, joints, carried, varying};
        const char *expected[] = {"tensions", "q-omega", "q-pi", "q-omega", "q-omega"};
        for (int which = 0; which < 5; which++) {
            tk_random_motion(systems[which], &seed, z, v);
            for (int j = 0; j < 2; j++) {
                tk_start(systems[which], "rk4", j ? expected[which] : "automatic", 0.01, z, v, &it[j],
                         &state[j]);
                tk_ok(ph_integrator_step(it[j], state[j], 5));
            }
            ck_assert(!memcmp(state[0]->z, state[1]->z, state[0]->nz * sizeof(double)));
            ck_assert(!memcmp(state[0]->p, state[1]->p, state[0]->np * sizeof(double)));
            ck_assert_ptr_eq(ph_field_chosen(systems[which], 0), ph_field_find(expected[which], NULL));
            ck_assert_str_eq(ph_field_at((size_t)ph_integrator_options(it[0])[0] - 1)->name, expected[which]);
            for (int j = 0; j < 2; j++)
                tk_end(it[j], state[j]);
        }
        for (size_t i = 0; i < ph_fields(); i++)
            ck_assert_ptr_eq(ph_field_chosen(top, (double)i + 1), ph_field_at(i));
        for (int which = 1; which < 5; which++)
            ph_system_free(systems[which]);
        ph_system_free(k.system);
    }
}

/* ---- Limits -------------------------------------------------------------------------------------------- */

/* A body, J = diag(1, 3, 3.2), with a slider of mass 0.5 on a spring at the place x on its second axis:
 * J(x) = J + 0.5 diag(x^2, 0, x^2), on SO(3) x R. */
static ph_status slider_inertia(void *user, const double *z, double *M)
{
    const double square = *(const double *)user * z[9] * z[9], J[] = {1 + square, 3, 3.2 + square};
    memset(M, 0, 100 * sizeof *M);
    for (int row = 0; row < 3; row++)
        for (int i = 0; i < 3; i++)
            M[11 * (3 * row + i)] = (J[0] + J[1] + J[2]) / 2 - J[i];
    M[99] = 0.5;
    return PH_OK;
}

static ph_status slider_inertia_dz(void *user, const double *z, double *dM)
{
    const double rate = 2 * *(const double *)user * z[9];
    memset(dM, 0, 1000 * sizeof *dM);
    for (int row = 0; row < 3; row++)
        dM[11 * (3 * row + 1) * 10 + 9] = rate; /* of J_d: (J1' + J3')/2 of the second, 0 of the others */
    return PH_OK;
}

static ph_status spring(void *user, const double *z, double *U)
{
    (void)user;
    *U = 2 * z[9] * z[9];
    return PH_OK;
}

static ph_status spring_slope(void *user, const double *z, double *dU)
{
    (void)user;
    memset(dU, 0, 10 * sizeof *dU);
    dU[9] = 4 * z[9];
    return PH_OK;
}

/* With an inertia that varies the cheapest form, q-qdot, is unstable off the rotations: at this step |R^T R - I|
 * is some 0.5 at 40 s and more than 1 at 60 s. What is taken instead stays near them. */
TEST(automatic_stays_near_rotations)
{
    double half = 0.5;
    const double z[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.2}, w[] = {2, 0.3, 0.2};
    double v[10] = {[9] = 0.1}, largest[2];
    const ph_factor factors[] = {{.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_R, .d = 1}};
    TK_OWN(ph_space) *space = tk_space(factors, 2);
    ph_system_definition d = {.space = space,
                              .ambient_inertia_at = slider_inertia,
                              .inertia_dz = slider_inertia_dz,
                              .potential = spring,
                              .gradient = spring_slope,
                              .user = &half};
    TK_OWN(ph_system) *system = tk_defined(&d);
    ph_hat3(w, v);
    ph_derivative_report report;
    tk_ok(ph_system_check_derivatives(system, 0, z, v, &report, NULL));
    for (size_t i = 0; i < report.n; i++)
        ck_assert_double_le(report.entry[i].error, PH_DERIVATIVE_WRONG);
    for (int j = 0; j < 2; j++) {
        TK_START(it, state, system, "rk4", j ? "q-qdot" : "automatic", 0.05, z, v);
        tk_ok(ph_integrator_step(it, state, 1200));
        largest[j] = ph_space_residual(space, state->z);
    }
    ck_assert_double_le(largest[0], 1e-4);
    ck_assert_double_ge(largest[1], 1); /* or the choice can be by cost alone again */
}

static ph_system *long_chain(size_t n, bool branched)
{
    TK_MEMORY double *ones = malloc(n * sizeof *ones);
    TK_MEMORY size_t *parent = malloc(n * sizeof *parent);
    ck_assert(ones && parent);
    for (size_t i = 0; i < n; i++) {
        ones[i] = 1;
        parent[i] = i ? (i - 1) / 2 : PH_NO_INDEX;
    }
    ph_linkage links = {
        .parent = branched ? parent : NULL, .length = ones, .mass = ones, .gravity = {0, 0, -10}};
    TK_MAKE(ph_space, space, ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, n, &space, NULL));
    ph_system_definition definition = {.space = space, .linkage = &links};
    ph_system *system = tk_defined(&definition);
    return system;
}

/* 1e5 links: bytes for each link, energy over some steps (a wave from the free end), and the same in
 * every form. */
TEST(many_links_in_linear_memory)
{
    enum { LINKS = 100000 };
    static const char *const methods[] = {"rk4", "rk4-projected", "rkmk4", "rk4"};
    TK_MEMORY double *z = calloc(6 * LINKS, sizeof *z);
    double *v = z + 3 * LINKS;
    for (int way = 0; way < 4; way++) {
        TK_OWN(ph_system) *system = long_chain(LINKS, way == 3);
        const ph_method *method = ph_method_find(methods[way], NULL);
        double kinetic, potential, before, *work = malloc(ph_system_work(system) * sizeof *work);
        const double automatic[] = {0};
        ph_method_size size = method->size(system, automatic);
        memset(z, 0, 6 * LINKS * sizeof *z);
        for (size_t i = 0; i < LINKS; i++) {
            z[3 * i] = 0.6;
            z[3 * i + 2] = -0.8;
            v[3 * i + 1] = i + 1 == LINKS;
        }
        TK_BEGIN(it, state, tk_start_with, system, method, NULL, NULL, 1e-5, 0, z, v);
        printf("%s: %zu bytes a link of scratch, %zu of carry\n", methods[way], size.work / LINKS,
               size.carry * 8 / LINKS);
        ck_assert_uint_le(size.work / LINKS, 700);
        ck_assert_uint_le(size.carry * 8 / LINKS, 48);
        tk_ok(ph_system_energy(system, 0, z, v, &kinetic, &before, work));
        before += kinetic;
        tk_ok(ph_integrator_step(it, state, 3));
        tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, work));
        tk_ok(ph_system_energy(system, 0, state->z, v, &kinetic, &potential, work));
        /* the sum of 1e5 terms of a potential up to 1e11 */
        ck_assert_double_le(fabs(kinetic + potential - before), 1e-12 * fabs(before));
        ck_assert_double_le(kinetic, 1e3 * LINKS);
        ck_assert_double_ge(ph_max_norm(v, 3 * LINKS), 1e-4);
        for (size_t form = 0; form < ph_fields() && way < 2; form++) { /* the others, in other words */
            const double word[] = {(double)form + 1};
            memset(v, 0, 3 * LINKS * sizeof *v);
            v[3 * LINKS - 2] = 1;
            TK_START(one, other, system, methods[way], ph_field_at(form)->name, 1e-5, z, v);
            tk_ok(ph_integrator_step(one, other, 3));
            ck_assert_double_le(tk_max_difference(other->z, state->z, 3 * LINKS), 1e-12);
            ck_assert_uint_le(method->size(system, word).work / LINKS, 1300);
        }
        free(work);
    }
}

/* Systems without links, by every method that has the option. */
TEST(other_systems_are_refused)
{
    TK_OWN(ph_system) *top = tk_model("heavy-top");
    ph_setting setting = {"form", "tensions"};
    size_t refused = 0;
    for (size_t i = 0; i < ph_methods(); i++) {
        const ph_method *method = ph_method_at(i);
        ph_integrator *it = NULL;
        ph_error err = {PH_OK, ""};
        if (!method->n_options || strcmp(method->options[0].name, "form"))
            continue;
        ck_assert_int_eq(ph_integrator_create(top, method, 0.01, &setting, 1, &it, &err), PH_E_UNSUPPORTED);
        ck_assert_ptr_null(it);
        ck_assert_msg(strstr(err.message, "tensions") && strstr(err.message, "linkage"), "%s", err.message);
        refused++;
    }
    ck_assert_uint_ge(refused, 4);
}

/* Too fast: the step fails without changing the state, both for a state just set and after earlier steps. */
TEST(steps_that_diverge_leave_the_state)
{
    static const size_t counts[] = {1, 2, 5, 20};
    static const char *const methods[] = {"rk4", "rk4-projected", "rk8"};
    for (int way = 0; way < 24; way++) {
        tk_random seed = {2032};
        linkage k;
        double z[MOST_NZ], v[MOST_NZ];
        make(&k, &seed, counts[way / 6], 3, 2, true, false);
        place(&k, &seed, z, v);
        TK_START(it, state, k.system, methods[way % 3], NULL, 1e-3, z, v);
        if (way / 3 % 2)
            tk_ok(ph_integrator_step(it, state, 3));
        TK_OWN(ph_state) *before = hk_clone(it, state);
        tk_ok(ph_integrator_set_step_size(it, 1e80));
        ck_assert_int_eq(ph_integrator_step(it, state, 2), PH_E_DIVERGED);
        ck_assert_msg(strstr(ph_integrator_message(it), "t = "), "%s", ph_integrator_message(it));
        ck_assert(!memcmp(before->z, state->z, state->nz * sizeof *z));
        ck_assert(!memcmp(before->p, state->p, state->np * sizeof *z));
        ck_assert(!memcmp(before->carry, state->carry, state->ncarry * sizeof *z));
        ck_assert_int_eq(before->k, state->k);
        tk_ok(ph_integrator_set_step_size(it, 1e-3));
        tk_ok(ph_integrator_step(it, state, 2));
        ph_system_free(k.system);
    }
}

int main(void)
{
    return tk_run("chains");
}
