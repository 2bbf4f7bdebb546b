/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss collocation on lifts: coefficients by another formula, and the lifted fields of links, a top and spins by derivatives of their
 * energies in long double, whose steps the library makes, and whose orders are those of the method; on R^d the method itself; a
 * pendulum in a plane is the same on S^2, S^1 and SO(3); problem 1, chains and tops against many digits, and with any Lagrangian and
 * forces against another method; stiff modes; energy and momentum over many steps. (Symplecticity, symmetry, momentum maps on every
 * model are claims, and tested as such.) */
#include "tests/kit/hostile.h"
#include "tests/kit/known.h"
#include "tests/kit/lagrangians.h"

#include <float.h>
#include <stdbool.h>

typedef long double real;
enum { MOST = 128, POINTS = 8, ORDERS = 7 };
static const char *const orders[ORDERS] = {"4", "6", "8", "10", "12", "14", "16"};

static void begin(const ph_system *system, int order, double h, const double *z, const double *zdot,
                  ph_integrator **it, ph_state **state)
{
    tk_start_with(system, ph_method_find("gauss", NULL), "order", orders[order], h, 0.25, z, zdot, it, state);
}

/* P (s + 1) <- Legendre's polynomials at 2 x - 1. */
static void legendre(int s, real x, real *P)
{
    P[0] = 1;
    P[1] = 2 * x - 1;
    for (int k = 1; k < s; k++)
        P[k + 1] = ((2 * k + 1) * (2 * x - 1) * P[k] - k * P[k - 1]) / (k + 1);
}

typedef struct rule {
    int s;
    real c[POINTS], b[POINTS], a[POINTS][POINTS];
} rule;

/* c: roots of P_s, between those of P_{s-1}, by bisection; a_ij by the integrals (P_{k+1} - P_{k-1}) / (4k + 2) of P_k. */
static void fill_rule(rule *g, int s)
{
    real roots[POINTS + 1][POINTS + 2], P[POINTS + 2], Q[POINTS + 2];
    for (int n = 1; n <= s; n++) {
        for (int i = 0; i < n; i++) {
            real low = i ? roots[n - 1][i - 1] : 0, high = i < n - 1 ? roots[n - 1][i] : 1;
            for (int k = 0; k < 90; k++) {
                const real middle = (low + high) / 2;
                legendre(n, middle, P);
                *((P[n] > 0) == ((n - i) % 2 == 0) ? &low : &high) = middle;
            }
            roots[n][i] = (low + high) / 2;
        }
    }
    g->s = s;
    for (int i = 0; i < s; i++)
        g->c[i] = roots[s][i];
    for (int j = 0; j < s; j++) {
        real sum = 0;
        legendre(s, g->c[j], P);
        for (int k = 0; k < s; k++)
            sum += (2 * k + 1) * P[k] * P[k];
        g->b[j] = 1 / sum;
    }
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            real sum = g->c[i];
            legendre(s, g->c[j], P);
            legendre(s, g->c[i], Q);
            for (int k = 1; k < s; k++)
                sum += (2 * k + 1) * P[k] * (Q[k + 1] - Q[k - 1]) / (4 * k + 2);
            g->a[i][j] = g->b[j] * sum;
        }
}

/* ---- Lifted fields in long double ----------------------------------------------------------------------- */

enum { LIFTED = 14, MODELS = 4 };
typedef struct lifted {
    const char *name;
    int D;
    void (*field)(const real *y, real *dy);
    real unit; /* of momenta */
} lifted;

/* Two links: masses 1 and 0.6, lengths 1 and 0.7, gravity (0.3, 0, -9.81). The multipliers of q_i . v_i = 0 by the whole inverse of M. */
static const real link_mass[2] = {1, 0.6L}, link_length[2] = {1, 0.7L}, link_gravity[3] = {0.3L, 0, -9.81L};

static real dot(const real *a, const real *b, int n)
{
    real sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static void field_of_links(const real *y, real *dy)
{
    const real *q = y, *p = y + 6, all = link_mass[0] + link_mass[1],
               M[3] = {all * link_length[0] * link_length[0], link_mass[1] * link_length[0] * link_length[1],
                       link_mass[1] * link_length[1] * link_length[1]},
               det = M[0] * M[2] - M[1] * M[1],
               W[2][2] = {{M[2] / det, -M[1] / det}, {-M[1] / det, M[0] / det}};
    real T[2][2], b[2], s[2];
    for (int i = 0; i < 2; i++) {
        b[i] = 0;
        for (int j = 0; j < 2; j++) {
            T[i][j] = W[i][j] * dot(q + 3 * i, q + 3 * j, 3);
            b[i] += W[i][j] * dot(q + 3 * i, p + 3 * j, 3);
        }
    }
    const real over = 1 / (T[0][0] * T[1][1] - T[0][1] * T[1][0]);
    s[0] = over * (T[1][1] * b[0] - T[0][1] * b[1]);
    s[1] = over * (T[0][0] * b[1] - T[1][0] * b[0]);
    for (int i = 0; i < 2; i++)
        for (int d = 0; d < 3; d++) {
            real *v = dy + 3 * i + d;
            *v = 0;
            for (int j = 0; j < 2; j++)
                *v += W[i][j] * (p[3 * j + d] - s[j] * q[3 * j + d]);
            dy[6 + 3 * i + d] = s[i] * *v + (i ? link_mass[1] : all) * link_length[i] * link_gravity[d];
        }
}

/* A top: Pi_k = (1/2) y . B_k x, H = (1/2) sum Pi_k^2 / J_k + x . A x / |x|^2, with the matrix A of the height of its centre of mass. */
static const real top_inertia[3] = {1.1L, 0.7L, 1.6L}, top_centre[3] = {0.3L, 1.9L, -0.4L}; /* m g rho */

static void field_of_top(const real *z, real *dz)
{
    static const int place[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    static const int sign[3][4] = {
        {-1, 1, 1, -1}, {-1, -1, 1, 1}, {-1, 1, -1, 1}}; /* y . x e_k: y_r sign x_place */
    const real *x = z, *y = z + 4, square = dot(x, x, 4), *r = top_centre;
    const real A[4][4] = {
        {r[2], r[1], -r[0], 0}, {r[1], -r[2], 0, r[0]}, {-r[0], 0, -r[2], r[1]}, {0, r[0], r[1], r[2]}};
    real height = 0;
    for (int a = 0; a < 4; a++)
        dz[a] = dz[4 + a] = 0;
    for (int k = 0; k < 3; k++) {
        real Pi = 0;
        for (int a = 0; a < 4; a++)
            Pi += y[a] * sign[k][a] * x[place[k][a]] / 2;
        for (int a = 0; a < 4; a++) {
            dz[a] += Pi / top_inertia[k] * sign[k][a] * x[place[k][a]] / 2;
            dz[4 + place[k][a]] -= Pi / top_inertia[k] * sign[k][a] * y[a] / 2;
        }
    }
    for (int a = 0; a < 4; a++)
        height += x[a] * dot(A[a], x, 4) / square;
    for (int a = 0; a < 4; a++)
        dz[4 + a] -= 2 * (dot(A[a], x, 4) - height * x[a]) / square;
}

/* Two spins of strengths 1 and -1.5 with exchange 0.8, fields, easy axes: s_i = x e_3 conj(x) / |x|^2, x' = (1/(4 Gamma)) (dH/dx) e_3. */
static const real spin_strength[2] = {1, -1.5L}, spin_field[2][3] = {{0.3L, 0, -1.1L}, {0, 0.9L, 0.2L}},
                  spin_axis[2] = {0.7L, -0.4L};

static void field_of_spins(const real *y, real *dy)
{
    real s[2][3], of[2][3][4];
    for (int i = 0; i < 2; i++) {
        const real *x = y + 4 * i, square = dot(x, x, 4);
        const real S[3][4] = {
            {x[2], x[3], x[0], x[1]}, {-x[1], -x[0], x[3], x[2]}, {x[0], -x[1], -x[2], x[3]}};
        for (int a = 0; a < 3; a++) {
            s[i][a] = dot(S[a], x, 4) / square;
            for (int d = 0; d < 4; d++)
                of[i][a][d] = 2 * (S[a][d] - s[i][a] * x[d]) / square;
        }
    }
    for (int i = 0; i < 2; i++) {
        real slope[4] = {0};
        for (int a = 0; a < 3; a++)
            for (int d = 0; d < 4; d++)
                slope[d] +=
                    (-0.8L * s[1 - i][a] - spin_field[i][a] - (a == 0 ? 2 * spin_axis[i] * s[i][0] : 0)) *
                    of[i][a][d];
        const real turned[4] = {-slope[3], slope[2], -slope[1], slope[0]}; /* slope times e_3 */
        for (int d = 0; d < 4; d++)
            dy[4 * i + d] = turned[d] / (4 * spin_strength[i]);
    }
}

/* An ellipsoid and a point, followed by their distance r; G = 1. With b = R^T r, n = |r| and the inertia J of the ellipsoid,
 *     U = -m_A m_B / n - m_B (tr J - 3 b . J b / n^2) / (2 n^3):
 * MacCullagh. b = conj(x) r x / |x|^2, whose derivatives by x are quaternion products. */
static const real pair_mass[2] = {1, 0.3L}, pair_axes[3] = {0.9L, 0.7L, 0.5L};

/* c <- a b */
static void multiply_quaternions(const real *a, const real *b, real *c)
{
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    c[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

static void field_of_pair(const real *z, real *dz)
{
    const real *r = z, *x = z + 3, *p = z + 7, *y = z + 10, *a = pair_axes, square = dot(x, x, 4),
               n2 = dot(r, r, 3), n = sqrtl(n2),
               m = pair_mass[0] * pair_mass[1] / (pair_mass[0] + pair_mass[1]);
    const real back[4] = {x[0], -x[1], -x[2], -x[3]}, place[4] = {0, r[0], r[1], r[2]};
    real J[3], b[4], half[4], Pi[4], Omega[4] = {0}, of_b[4] = {0}, by_r[4], by_x[4], trace = 0, along = 0;
    multiply_quaternions(back, place, half);
    multiply_quaternions(half, x, b);
    multiply_quaternions(back, y, Pi);
    for (int k = 0; k < 3; k++) {
        const real p1 = a[(k + 1) % 3], p2 = a[(k + 2) % 3];
        J[k] = pair_mass[0] / 5 * (p1 * p1 + p2 * p2);
        b[1 + k] /= square;
        Omega[1 + k] = Pi[1 + k] / (2 * J[k]);
        trace += J[k];
        along += J[k] * b[1 + k] * b[1 + k];
        of_b[1 + k] = 3 * pair_mass[1] * J[k] * b[1 + k] / (n2 * n2 * n); /* dU/db, n fixed */
    }
    const real slope = pair_mass[0] * pair_mass[1] / n2 +
                       pair_mass[1] * (3 * trace / (2 * n2 * n2) - 15 * along / (2 * n2 * n2 * n2));
    multiply_quaternions(x, of_b, half);
    multiply_quaternions(half, back, by_r); /* R of_b |x|^2 */
    multiply_quaternions(place, half, by_x);
    multiply_quaternions(x, Omega, dz + 3);
    multiply_quaternions(y, Omega, dz + 10);
    for (int k = 0; k < 3; k++) {
        dz[k] = p[k] / m;
        dz[7 + k] = -by_r[1 + k] / square - slope * r[k] / n;
    }
    for (int k = 0; k < 4; k++) {
        dz[3 + k] /= 2;
        dz[10 + k] = dz[10 + k] / 2 + 2 * (by_x[k] + dot(of_b + 1, b + 1, 3) * x[k]) / square;
    }
}

static const lifted models[MODELS] = {{"two links", 12, field_of_links, 3},
                                      {"a top", 8, field_of_top, 3},
                                      {"two spins", 8, field_of_spins, 1},
                                      {"an ellipsoid and a point", 14, field_of_pair, 1}};

static void start_lifted(int model, real *y)
{
    static const double links[12] = {0.6, 0, -0.8, 0, 0.8, -0.6, 0.4, -1.2, 0.3, 0.36, 0.3, 0.4},
                        top[8] = {0.5, 0.5, -0.1, 0.7, 0.96, -1.4, 1.2, 0.4857142857142857},
                        spins[8] = {0.5, 0.5, 0.5, 0.5, 0.8, 0, 0.6, 0},
                        pair[14] = {1.2,  0.2,  -0.3, 0.5, 0.5, 0.5,  0.5,
                                    0.02, 0.19, 0.03, 0.1, 0.2, -0.2, -0.1};
    static const double *const all[MODELS] = {links, top, spins, pair};
    const double *from = all[model];
    for (int d = 0; d < models[model].D; d++)
        y[d] = from[d];
    if (model == 1) {
        const real over = 1 / sqrtl(dot(y, y, 4));
        for (int d = 0; d < 4; d++)
            y[d] *= over;
    }
}

/* y <- after a step, by a fixed point. */
static void lifted_step(const lifted *m, const rule *g, real h, real *y)
{
    real f[POINTS][LIFTED] = {{0}}, Y[LIFTED], change = 1;
    for (int pass = 0; pass < 200 && change > 1e-19L; pass++) {
        real next[POINTS][LIFTED];
        change = 0;
        for (int i = 0; i < g->s; i++) {
            for (int d = 0; d < m->D; d++) {
                Y[d] = y[d];
                for (int j = 0; j < g->s; j++)
                    Y[d] += h * g->a[i][j] * f[j][d];
            }
            m->field(Y, next[i]);
        }
        for (int i = 0; i < g->s; i++)
            for (int d = 0; d < m->D; d++) {
                change = fmaxl(change, fabsl(h * (next[i][d] - f[i][d])) / m->unit);
                f[i][d] = next[i][d];
            }
    }
    for (int d = 0; d < m->D; d++)
        for (int i = 0; i < g->s; i++)
            y[d] += h * g->b[i] * f[i][d];
}

static real lifted_error(int model, int s, int n, real T, const real *truth, real *y)
{
    rule g;
    real error = 0;
    fill_rule(&g, s);
    start_lifted(model, y);
    for (int k = 0; k < n; k++)
        lifted_step(&models[model], &g, T / n, y);
    for (int d = 0; d < models[model].D && truth; d++)
        error = fmaxl(error, fabsl(y[d] - truth[d]));
    return error;
}

TEST_EACH(orders_by_halving_in_long_double, tk_digits("orders by halving") ? MODELS *ORDERS : 0)
{
    const int model = _i / ORDERS, s = 2 + _i % ORDERS;
    const real T = model == 1 ? 2 : model == 3 ? 4 : 3;
    real truth[LIFTED], y[LIFTED], start[LIFTED], error[2], norm = 0;
    lifted_error(model, 8, model ? 32 : 128, T, NULL, truth);
    start_lifted(model, start);
    /* errors of so many and twice as many steps are well above rounding, and small enough */
    static const int counts[MODELS][ORDERS] = {{500, 160, 120, 70, 74, 47, 29},
                                               {60, 18, 14, 8, 6, 4, 3},
                                               {60, 18, 14, 8, 8, 6, 4},
                                               {100, 40, 40, 40, 22, 16, 14}};
    const int n = counts[model][s - 2];
    for (int k = 0; k < 2; k++)
        error[k] = lifted_error(model, s, n << k, T, truth, y);
    const int turns = model == 3 ? 3 : 0; /* where |q| = 1 */
    for (int k = turns; k < turns + (model ? 4 : 3) && model != 2; k++)
        norm += y[k] * y[k] - start[k] * start[k];
    const double order = (double)log2l(error[0] / error[1]);
    printf("%s, %d stages: errors %.1Le, %.1Le, order %.2f, |q|^2 off by %.1Le\n", models[model].name, s,
           error[0], error[1], order, norm);
    ck_assert_double_ge(order, 2 * s - (s < 6 ? 0.1 : 1.5));
    ck_assert(fabsl(norm) < 2e-18L);
}

/* The system of a model, and the state of y. */
static ph_status top_potential(void *user, const double *R, double *U)
{
    (void)user;
    *U = (double)top_centre[0] * R[6] + (double)top_centre[1] * R[7] + (double)top_centre[2] * R[8];
    return PH_OK;
}
static ph_status top_gradient(void *user, const double *R, double *dU)
{
    (void)user;
    (void)R;
    memset(dU, 0, 9 * sizeof *dU);
    for (int k = 0; k < 3; k++)
        dU[6 + k] = (double)top_centre[k];
    return PH_OK;
}

static ph_system *system_of(int model)
{
    const ph_factor factor = {.kind = model ? PH_FACTOR_SO3 : PH_FACTOR_S2}, two[2] = {factor, factor};
    ph_system_definition d = {0};
    if (model == 2) {
        static const uint32_t first = 0, second = 1;
        static const double c = 0.8;
        static double strengths[2], field[6], K[2];
        for (int i = 0; i < 2; i++) {
            strengths[i] = (double)spin_strength[i];
            K[i] = (double)spin_axis[i];
            for (int a = 0; a < 3; a++)
                field[3 * i + a] = (double)spin_field[i][a];
        }
        const ph_bonds bonds = {
            .kind = PH_BOND_EXCHANGE, .n = 1, .first = &first, .second = &second, .c = &c, .uniform = true};
        const ph_anisotropy axes = {.axis = {1, 0, 0}, .K = K};
        const ph_spins spins = {.n = 2,
                                .strengths = strengths,
                                .bonds = &bonds,
                                .n_bonds = 1,
                                .field = field,
                                .anisotropies = &axes,
                                .n_anisotropies = 1};
        d.spins = &spins;
        return tk_defined(&d);
    }
    if (model == 3) {
        ph_mass mass[2];
        ph_gravitation *pair;
        ph_system *system;
        double axes[3];
        for (int k = 0; k < 3; k++)
            axes[k] = (double)pair_axes[k];
        tk_ok(ph_mass_ellipsoid((double)pair_mass[0], axes, &mass[0], NULL));
        tk_ok(ph_mass_sphere((double)pair_mass[1], 0, &mass[1], NULL));
        const ph_gravitation_definition is = {
            .bodies = 2, .mass = mass, .order = 2, .G = 1, .relative = true};
        tk_ok(ph_gravitation_create(&is, &pair, NULL));
        tk_ok(ph_gravitation_build(pair, &system, NULL));
        return system;
    }
    TK_OWN(ph_space) *space = tk_space(two, model ? 1 : 2);
    d.space = space;
    if (model == 0) {
        double length[2], mass[2];
        ph_linkage linkage = {.length = length, .mass = mass};
        for (int i = 0; i < 2; i++) {
            length[i] = (double)link_length[i];
            mass[i] = (double)link_mass[i];
        }
        for (int k = 0; k < 3; k++)
            linkage.gravity[k] = (double)link_gravity[k];
        d.linkage = &linkage;
        return tk_defined(&d);
    }
    double M[81] = {0};
    const double trace = (double)(top_inertia[0] + top_inertia[1] + top_inertia[2]);
    for (int k = 0; k < 9; k++)
        M[10 * k] = trace / 2 - (double)top_inertia[k % 3];
    d.ambient_inertia = M;
    d.potential = top_potential;
    d.gradient = top_gradient;
    return tk_defined(&d);
}

/* z, p <- what y says, by formulas of its own. */
static void state_of(int model, const real *y, double *z, double *p)
{
    for (int i = 0; model == 0 && i < 2; i++)
        for (int d = 0; d < 3; d++) {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            z[3 * i + d] = (double)y[3 * i + d];
            p[3 * i + d] = (double)(y[3 * i + e] * y[6 + 3 * i + f] - y[3 * i + f] * y[6 + 3 * i + e]);
        }
    if (model == 3)
        for (int d = 0; d < 3; d++) {
            z[d] = (double)y[d];
            p[d] = (double)y[7 + d];
        }
    if (model == 1 || model == 3) { /* a body */
        const real *x = model == 1 ? y : y + 3, *m = model == 1 ? y + 4 : y + 10;
        if (model == 3) {
            z += 3;
            p += 3;
        }
        const real R[9] = {x[0] * x[0] + x[1] * x[1] - x[2] * x[2] - x[3] * x[3],
                           2 * (x[1] * x[2] - x[0] * x[3]),
                           2 * (x[1] * x[3] + x[0] * x[2]),
                           2 * (x[1] * x[2] + x[0] * x[3]),
                           x[0] * x[0] - x[1] * x[1] + x[2] * x[2] - x[3] * x[3],
                           2 * (x[2] * x[3] - x[0] * x[1]),
                           2 * (x[1] * x[3] - x[0] * x[2]),
                           2 * (x[2] * x[3] + x[0] * x[1]),
                           x[0] * x[0] - x[1] * x[1] - x[2] * x[2] + x[3] * x[3]};
        for (int k = 0; k < 9; k++)
            z[k] = (double)R[k];
        for (int k = 0; k < 3; k++) {
            const int i = 1 + (k + 1) % 3, j = 1 + (k + 2) % 3;
            p[k] = (double)((x[0] * m[1 + k] - m[0] * x[1 + k] - x[i] * m[j] + x[j] * m[i]) / 2);
        }
    }
    for (int i = 0; model == 2 && i < 2; i++) {
        const real *x = y + 4 * i;
        z[3 * i] = (double)(2 * (x[1] * x[3] + x[0] * x[2]));
        z[3 * i + 1] = (double)(2 * (x[2] * x[3] - x[0] * x[1]));
        z[3 * i + 2] = (double)(x[0] * x[0] - x[1] * x[1] - x[2] * x[2] + x[3] * x[3]);
    }
}

TEST_EACH(the_library_makes_these_steps, MODELS *ORDERS)
{
    const int model = _i / ORDERS, order = _i % ORDERS;
    const double h = 0.2;
    rule g;
    real y[LIFTED];
    double z[12], p[9], worst = 0;
    fill_rule(&g, 2 + order);
    start_lifted(model, y);
    state_of(model, y, z, p);
    TK_OWN(ph_system) *system = system_of(model);
    const ph_setting setting = {"order", orders[order]};
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(system, ph_method_find("gauss", NULL), h, &setting, 1, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set(it, state, 0, z, model == 2 ? NULL : p, PH_PROJECT, NULL));
    for (int k = 0; k < 5; k++) {
        lifted_step(&models[model], &g, (real)h, y);
        tk_steps(it, state, 1);
        state_of(model, y, z, p);
        worst = tk_max(worst, tk_max(tk_max_difference(state->z, z, state->nz),
                                     tk_max_difference(state->p, p, state->np) / 3));
    }
    printf("%s, order %s: off by %.1e\n", models[model].name, orders[order], worst);
    ck_assert_double_le(worst, 1e-14);
}

/* ---- Gauss collocation on R^d ---------------------------------------------------------------------- */

enum { D = 3 };
typedef struct collocation {
    lg_system L;
    int s;
    double c[POINTS], b[POINTS], a[POINTS][POINTS];
} collocation;

/* f = (sin(2 t) + q_2, -v_1, 0.3 v_3 q_1) */
static void push(double t, const double *q, const double *v, double *f)
{
    f[0] += 0.4 * sin(2 * t) + 0.2 * q[1];
    f[1] -= 0.3 * v[0] + 0.1 * v[1];
    f[2] += 0.3 * v[2] * q[0];
}
static ph_status push_call(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user;
    push(t, q, v, f);
    return PH_OK;
}

static void fill(collocation *g, int s, tk_random *r)
{
    rule of;
    lg_fill(&g->L, D, r);
    g->s = s;
    fill_rule(&of, s);
    for (int i = 0; i < s; i++) {
        g->c[i] = (double)of.c[i];
        g->b[i] = (double)of.b[i];
        for (int j = 0; j < s; j++)
            g->a[i][j] = (double)of.a[i][j];
    }
}

/* P_i - L_v(Q_i, V_i) with Q = q + h sum a V, P = p + h sum a (L_q + f); q1, p1 likewise with b. */
static void stages(const collocation *g, double t, double h, const double *q, const double *p,
                   const double *V, double *R, double *q1, double *p1)
{
    double Q[POINTS][D], Lq[POINTS][D], Lv[POINTS][D];
    for (int i = 0; i < g->s; i++) {
        for (int d = 0; d < D; d++) {
            Q[i][d] = q[d];
            for (int j = 0; j < g->s; j++)
                Q[i][d] += h * g->a[i][j] * V[j * D + d];
        }
        tk_ok(lg_gradient((void *)(uintptr_t)&g->L, 0, Q[i], V + i * D, Lq[i], Lv[i]));
        push(t + g->c[i] * h, Q[i], V + i * D, Lq[i]);
    }
    for (int d = 0; d < D; d++) {
        q1[d] = q[d];
        p1[d] = p[d];
        for (int i = 0; i < g->s; i++) {
            q1[d] += h * g->b[i] * V[i * D + d];
            p1[d] += h * g->b[i] * Lq[i][d];
            R[i * D + d] = p[d] - Lv[i][d];
            for (int j = 0; j < g->s; j++)
                R[i * D + d] += h * g->a[i][j] * Lq[j][d];
        }
    }
}

/* Newton's iteration with differences. */
static void collocate(const collocation *g, double t, double h, double *q, double *p, double *V)
{
    const size_t n = (size_t)g->s * D;
    double J[POINTS * D * POINTS * D], R[POINTS * D], Rb[POINTS * D], q1[D], p1[D];
    for (int pass = 0; pass < 12; pass++) {
        stages(g, t, h, q, p, V, R, q1, p1);
        for (size_t b = 0; b < n; b++) {
            double was = V[b];
            V[b] += 1e-7;
            stages(g, t, h, q, p, V, Rb, q1, p1);
            V[b] = was;
            for (size_t a = 0; a < n; a++)
                J[a * n + b] = (Rb[a] - R[a]) / 1e-7;
        }
        ck_assert_int_eq(tk_solve(n, J, R), 0);
        for (size_t a = 0; a < n; a++)
            V[a] -= R[a];
    }
    stages(g, t, h, q, p, V, R, q1, p1);
    memcpy(q, q1, sizeof q1);
    memcpy(p, p1, sizeof p1);
}

TEST_EACH(on_vectors_it_is_gauss_collocation, ORDERS)
{
    enum { STEPS = 12 };
    const ph_factor factors[2] = {{.kind = PH_FACTOR_R, .d = 1}, {.kind = PH_FACTOR_R, .d = 2}};
    const double h = 0.12;
    tk_random r = {7 + (uint64_t)_i};
    collocation g;
    fill(&g, 2 + _i, &r);
    TK_OWN(ph_space) *space = tk_space(factors, 2);
    TK_OWN(ph_system) *base = lg_create(&g.L, space, LG_GRADIENT);
    const ph_system_definition force = {.force = push_call};
    TK_MAKE(ph_system, system, ph_system_create_forced(base, &force, &system, NULL));
    double q[D], v[D], V[POINTS * D], worst = 0;
    for (int d = 0; d < D; d++) {
        q[d] = tk_uniform(&r, -1, 1);
        v[d] = tk_uniform(&r, -1, 1);
    }
    TK_BEGIN(it, state, begin, system, _i, h, q, v);
    double p[D];
    memcpy(p, state->p, sizeof p);
    for (int i = 0; i < g.s; i++)
        memcpy(V + i * D, v, sizeof v);
    for (int k = 0; k < STEPS; k++) {
        collocate(&g, 0.25 + k * h, h, q, p, V);
        tk_steps(it, state, 1);
        worst = tk_max(worst, tk_max(tk_max_difference(state->z, q, D) / tk_max(1, ph_max_norm(q, D)),
                                     tk_max_difference(state->p, p, D) / tk_max(1, ph_max_norm(p, D))));
    }
    printf("order %s: off Gauss collocation by %.1e\n", orders[_i], worst);
    ck_assert_double_le(worst, 1e-13);
}

/* ---- The same motion on three manifolds --------------------------------------------------------------- */

/* A pendulum in a plane is the same on S^1, on S^2, and as a body on SO(3) that turns about one axis: on a
 * great circle its lift is that of a circle. */
typedef struct pendulum {
    double g[3]; /* U = g . r, r the unit vector along it */
    ph_factor_kind kind;
} pendulum;
static ph_status pendulum_potential(void *user, const double *z, double *U)
{
    const pendulum *p = user;
    const double *g = p->g;
    *U = p->kind == PH_FACTOR_S1   ? g[0] * z[0] + g[2] * z[1]
         : p->kind == PH_FACTOR_S2 ? ph_dot3(g, z)
                                   : g[0] * z[0] + g[1] * z[3] + g[2] * z[6];
    return PH_OK;
}
static ph_status pendulum_gradient(void *user, const double *z, double *dU)
{
    const pendulum *p = user;
    (void)z;
    if (p->kind == PH_FACTOR_S1) {
        dU[0] = p->g[0];
        dU[1] = p->g[2];
        return PH_OK;
    }
    for (int k = 0; k < 3; k++)
        dU[p->kind == PH_FACTOR_S2 ? k : 3 * k] = p->g[k];
    for (int k = 0; k < 9 && p->kind == PH_FACTOR_SO3; k++)
        dU[k] = k % 3 ? 0 : p->g[k / 3];
    return PH_OK;
}

TEST_EACH(a_plane_pendulum_is_the_same_on_all, ORDERS)
{
    static const ph_factor_kind kinds[3] = {PH_FACTOR_S1, PH_FACTOR_S2, PH_FACTOR_SO3};
    enum { STEPS = 200 };
    double r[3][2], rate[3];
    for (int k = 0; k < 3; k++) {
        pendulum user = {{0.8, 0, 9.1}, kinds[k]};
        const ph_factor factor = {.kind = kinds[k]};
        double M[81] = {0}, z[9] = {1}, v[9] = {0};
        TK_OWN(ph_space) *space = tk_space(&factor, 1);
        const size_t nz = ph_space_ambient(space);
        for (size_t i = 0; i < nz; i++) /* bodies: J_d = diag(0.6, 0.7, 0.4), 1 about e_2 */
            M[i * (nz + 1)] = kinds[k] != PH_FACTOR_SO3 ? 1 : (const double[]){0.6, 0.7, 0.4}[i % 3];
        if (k == 2)
            z[4] = z[8] = 1;
        v[k == 0 ? 1 : k == 1 ? 2 : 6] = 1.3; /* r moves along e_3: -1.3 about e_2 */
        if (k == 2)
            v[2] = -1.3;
        const ph_system_definition d = {.space = space,
                                        .ambient_inertia = M,
                                        .potential = pendulum_potential,
                                        .gradient = pendulum_gradient,
                                        .user = &user};
        TK_OWN(ph_system) *system = tk_defined(&d);
        TK_BEGIN(it, state, begin, system, _i, 0.05, z, v);
        tk_steps(it, state, STEPS);
        r[k][0] = state->z[0];
        r[k][1] = state->z[k == 0 ? 1 : k == 1 ? 2 : 6];
        rate[k] = k == 0 ? state->p[0] : -state->p[1];
    }
    ck_assert_double_gt(fabs(r[0][0] - 1), 0.01);
    for (int k = 1; k < 3; k++) {
        printf("order %s: %s off the angle's by %.1e, %.1e, %.1e\n", orders[_i], k == 1 ? "S^2" : "SO(3)",
               fabs(r[k][0] - r[0][0]), fabs(r[k][1] - r[0][1]), fabs(rate[k] - rate[0]));
        if (k == 2 &&
            _i < 4) /* quaternions turn by half the angle, which is another map until both are exact */
            continue;
        ck_assert_double_le(tk_max_difference(r[k], r[0], 2), 2e-13); /* over 200 steps */
        ck_assert_double_le(fabs(rate[k] - rate[0]), 1e-12);
    }
}

/* ---- Orders ------------------------------------------------------------------------------------------ */

static double error_at_10(int order, double h)
{
    double q[6], v[6];
    TK_OWN(ph_system) *system = known_problem1_linkage(q, v);
    TK_BEGIN(it, state, begin, system, order, h, q, v);
    tk_steps(it, state, (int64_t)round(10 / h));
    return tk_max_difference(state->z, known_problem1.q, 6);
}

/* Steps of 0.125 s have all digits at order 16, and those of 1/4 and 1/2 s what long steps leave. */
TEST_EACH(problem_1, 3)
{
    static const double h[3] = {0.125, 0.25, 0.5},
                        bound[3] = {5e-15, 2e-10, 1e-6}; /* measured: 1.6e-15, 8.9e-11, 5.6e-7 */
    const double error = error_at_10(ORDERS - 1, h[_i]);
    printf("problem 1, h = %g s: %.1e\n", h[_i], error);
    ck_assert_double_le(error, bound[_i]);
}

/* The last link of chains that start horizontal, with a speed across; order 16. Many digits: two step sizes in 113 bits. */
TEST_EACH(chains, 2)
{
    static const struct {
        size_t n, steps;
        double T, q[3], error; /* measured: 4.4e-14, 6.9e-15 */
    } rows[2] = {
        {5, 480, 2, {-0.7164331106294118663704, -0.5855922922692312378649, -0.3792166468243873895554}, 2e-13},
        {20,
         200,
         1,
         {-0.8191720903802330282487, -0.07127531972660410111071, -0.5691018495313028687625},
         5e-14}};
    const size_t n = rows[_i].n;
    double length[20], mass[20], z[60] = {0}, zdot[60] = {0};
    ph_factor factors[20];
    for (size_t k = 0; k < n; k++) {
        factors[k] = (ph_factor){.kind = PH_FACTOR_S2};
        length[k] = mass[k] = 0.1;
        z[3 * k] = 1;
        zdot[3 * k + 1] = 0.5;
    }
    const ph_linkage linkage = {.length = length, .mass = mass, .gravity = {0, 0, -9.81}};
    TK_OWN(ph_space) *space = tk_space(factors, n);
    const ph_system_definition d = {.space = space, .linkage = &linkage};
    TK_OWN(ph_system) *system = tk_defined(&d);
    TK_BEGIN(it, state, begin, system, ORDERS - 1, rows[_i].T / (double)rows[_i].steps, z, zdot);
    tk_steps(it, state, (int64_t)rows[_i].steps);
    const double error = tk_max_difference(state->z + 3 * (n - 1), rows[_i].q, 3);
    printf("chain of %zu: %.1e\n", n, error);
    ck_assert_double_le(error, rows[_i].error);
}

TEST_EACH(fast_heavy_top, ORDERS)
{
    static const struct {
        double steps, error;
    } rows[ORDERS] = {{1600, 1e-4}, {800, 1e-6}, {400, 1e-7}, {200, 1e-6},
                      {200, 1e-8},  {100, 1e-6}, {100, 1e-7}};
    TK_OWN(ph_system) *system = tk_model("heavy-top");
    double z[9], zdot[9], error = 0;
    tk_preset("heavy-top", NULL, 0, "fast", z, zdot);
    TK_BEGIN(it, state, begin, system, _i, 1 / rows[_i].steps, z, zdot);
    tk_steps(it, state, (int64_t)rows[_i].steps);
    for (int i = 0; i < 3; i++)
        error = tk_max(error, fabs(state->z[3 * i + 1] - known_fast_top.centre[i]));
    printf("fast heavy top, order %s, %g steps: %.1e\n", orders[_i], rows[_i].steps, error);
    ck_assert_double_le(error, rows[_i].error);
}

/* Bodies on ball joints by elimination in lanes, and stage by stage from L, make the same steps; links make other ones, but tend to the same
 * motion. */
TEST_EACH(lifts_agree, 6)
{
    static const struct {
        const char *model, *preset, *count;
        double n, h, bound;
    } rows[6] = {{"heavy-top", "slow", NULL, 0, 0.05, 1e-13},
                 {"rigid-chain", "curved", "bodies", 1, 0.02, 1e-13},
                 {"rigid-chain", "curved", "bodies", 4, 0.01, 1e-13},
                 {"rigid-chain", "curved", "bodies", 9, 0.005, 1e-13},
                 {"cart-chain", "curved", "links", 4, 0.002, 1e-12},
                 {"planar-cart", "curved", "links", 3, 0.002, 1e-12}};
    const ph_parameter_value value = {rows[_i].count, &rows[_i].n, 1};
    const size_t given = rows[_i].count != NULL;
    double z[MOST], zdot[MOST], end[2][MOST];
    TK_OWN(ph_system) *system = tk_build(rows[_i].model, &value, given);
    const size_t nz = ph_space_ambient(ph_system_space(system));
    tk_preset(rows[_i].model, &value, given, rows[_i].preset, z, zdot);
    for (int k = 0; k < 2; k++) {
        const ph_setting settings[2] = {{"order", _i < 4 ? "6" : "16"}, {"lift", k ? "scaled" : "plain"}};
        TK_MAKE(
            ph_integrator, it,
            ph_integrator_create(system, ph_method_find("gauss", NULL), rows[_i].h, settings, 2, &it, NULL));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_PROJECT, NULL));
        tk_steps(it, state, 20);
        memcpy(end[k], state->z, nz * sizeof *z);
    }
    printf("%s, %g: lifts differ by %.1e\n", rows[_i].model, rows[_i].n,
           tk_max_difference(end[0], end[1], nz));
    ck_assert_double_gt(tk_max_difference(end[0], z, nz), 0.01);
    ck_assert_double_le(tk_max_difference(end[0], end[1], nz), rows[_i].bound);
}

/* What systems are evaluated by at all stages together, and the same callbacks stage by stage. */
static ph_status base_potential(void *user, const double *z, double *U)
{
    return ph_system_potential(user, z, U);
}
static ph_status base_gradient(void *user, const double *z, double *dU)
{
    return ph_system_gradient(user, z, dU);
}
static ph_status base_force(void *user, double t, const double *z, const double *zdot, double *f)
{
    double own[MOST] = {0};
    const ph_status status = ph_system_force(user, t, z, zdot, own);
    for (size_t k = 0; k < ph_space_ambient(ph_system_space(user)); k++)
        f[k] += own[k];
    return status;
}

enum { KINDS = 9 };
TEST_EACH(kernels_and_callbacks_agree, 4 * KINDS)
{
    static const struct {
        const char *model, *preset;
        double h;
    } rows[KINDS] = {{"binary", "kw4", 1000},
                     {"binary", "octahedra", 60},
                     {"rigid-n-body", "triple", 1000},
                     {"sphere-n-body", "orbits", 0.05},
                     {"n-body", "figure-eight", 0.05},
                     {"spacecraft", "circular", 100},
                     {"coupled-pendula", "beating", 0.05},
                     {"spherical-pendulum", "tilted", 0.05},
                     {"planar-pendulum", "tilted", 0.05}};
    const char *const order = (const char *[]){"6", "10", "12", "16"}[_i / KINDS];
    const int which = _i % KINDS;
    double z[MOST], zdot[MOST], end[2][MOST], p[2][MOST];
    ph_system *built = NULL;
    tk_ok(ph_model_build_for(ph_model_find(rows[which].model, NULL), rows[which].preset, NULL, 0, &built,
                             NULL));
    TK_OWN(ph_system) *system = built;
    const ph_space *space = ph_system_space(system);
    const size_t nz = ph_space_ambient(space), np = ph_space_momenta(space);
    tk_ok(ph_model_preset(ph_model_find(rows[which].model, NULL), NULL, 0, rows[which].preset, nz, z, zdot,
                          NULL));
    const ph_system_definition d = {.space = space,
                                    .inertia = ph_system_inertia(system),
                                    .ambient_inertia = ph_system_ambient_inertia(system),
                                    .potential = base_potential,
                                    .gradient = base_gradient,
                                    .force = ph_system_has_force(system) ? base_force : NULL,
                                    .user = built};
    TK_OWN(ph_system) *callbacks = tk_defined(&d);
    for (int k = 0; k < 2; k++) {
        const ph_setting settings[2] = {{"order", order}, {"lift", "scaled"}};
        TK_MAKE(ph_integrator, it,
                ph_integrator_create(k ? callbacks : system, ph_method_find("gauss", NULL), rows[which].h,
                                     settings, 2, &it, NULL));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_PROJECT, NULL));
        tk_steps(it, state, 20);
        memcpy(end[k], state->z, nz * sizeof *z);
        memcpy(p[k], state->p, np * sizeof *z);
    }
    const double size = ph_max_norm(z, nz), most = ph_max_norm(p[0], np);
    printf("%s, %s, order %s: differ by %.1e of %.1e\n", rows[which].model, rows[which].preset, order,
           tk_max_difference(end[0], end[1], nz), size);
    ck_assert_double_gt(tk_max_difference(end[0], z, nz), 0.01 * size);
    ck_assert_double_le(tk_max_difference(end[0], end[1], nz), 2e-13 * size);
    ck_assert_double_le(tk_max_difference(p[0], p[1], np), 2e-13 * most);
}

/* With the kernels of this processor, with plain ones, and one by one. */
TEST_EACH(the_same_bits_by_all_kernels, 2 * KINDS)
{
    static const char *const names[KINDS] = {"binary",          "rigid-n-body", "n-body",
                                             "spacecraft",      "cart-chain",   "rigid-chain",
                                             "coupled-pendula", "planar-chain", "chain-pendulum"};
    const ph_model *model = ph_model_find(names[_i % KINDS], NULL);
    const char *preset = model->presets[0].name;
    double z[MOST], zdot[MOST];
    ph_system *built = NULL;
    ph_integrator *it;
    ph_state *state;
    tk_ok(ph_model_build_for(model, preset, NULL, 0, &built, NULL));
    TK_OWN(ph_system) *system = built;
    const size_t nz = ph_space_ambient(ph_system_space(system));
    ck_assert_uint_le(nz, MOST);
    tk_ok(ph_model_preset(model, NULL, 0, preset, nz, z, zdot, NULL));
    tk_same_bits(system, ph_method_find("gauss", NULL), "order", _i < KINDS ? "8" : "16",
                 0.5 / tk_fastest(system, z, zdot), 0, z, zdot, 30, &it, &state);
    tk_end(it, state);
}

/* Trees of links in space and in a plane, on carts that move along some axes, and on the fixed point: by multipliers in lanes, and stage by
 * stage from L. */
enum { TREES = 6 };
TEST_EACH(trees_of_links, TREES)
{
    enum { N = 9 };
    static const struct {
        ph_factor_kind kind;
        size_t cart; /* axes; 0: none */
        size_t parent[N];
    } rows[TREES] = {{PH_FACTOR_S2, 0, {PH_NO_INDEX, 0, 0, 0, 2, 2, 4, PH_NO_INDEX, 7}},
                     {PH_FACTOR_S1, 0, {PH_NO_INDEX, 0, 0, 1, 1, 2, 5, 5, 5}},
                     {PH_FACTOR_S2, 1, {PH_NO_INDEX, 0, 0, 0, 2, 3, 3, PH_NO_INDEX, 7}},
                     {PH_FACTOR_S2, 2, {PH_NO_INDEX, 0, 0, 1, 2, 3, 1, 0, 7}},
                     {PH_FACTOR_S2, 3, {PH_NO_INDEX, 0, 1, 1, 1, 0, 5, 5, 6}},
                     {PH_FACTOR_S1, 1, {PH_NO_INDEX, 0, 0, 1, 1, 2, 2, 4, 4}}};
    double mass[N], length[N], z[3 * N], zdot[3 * N], end[2][3 * N], p[2][3 * N];
    tk_random r = {17 + (uint64_t)_i};
    ph_factor factors[N];
    for (size_t i = 0; i < N; i++) {
        factors[i] = rows[_i].cart && i == 0 ? (ph_factor){.kind = PH_FACTOR_R, .d = rows[_i].cart}
                                             : (ph_factor){.kind = rows[_i].kind};
        mass[i] = tk_uniform(&r, 0.5, 2);
        length[i] = tk_uniform(&r, 0.5, 1.5);
    }
    const ph_linkage tree = {
        .parent = rows[_i].parent, .length = length, .mass = mass, .gravity = {1, -2, -9}};
    TK_OWN(ph_space) *space = tk_space(factors, N);
    const ph_system_definition d = {.space = space, .linkage = &tree};
    TK_OWN(ph_system) *system = tk_defined(&d);
    const size_t nz = ph_space_ambient(space), np = ph_space_momenta(space);
    tk_random_motion(system, &r, z, zdot);
    for (int k = 0; k < 2; k++) {
        const ph_setting settings[2] = {{"order", "16"}, {"lift", k ? "scaled" : "plain"}};
        TK_MAKE(ph_integrator, it,
                ph_integrator_create(system, ph_method_find("gauss", NULL), 0.02, settings, 2, &it, NULL));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_PROJECT, NULL));
        tk_steps(it, state, 20);
        memcpy(end[k], state->z, nz * sizeof *z);
        memcpy(p[k], state->p, np * sizeof *z);
    }
    printf("tree %d: lifts differ by %.1e, momenta by %.1e\n", _i, tk_max_difference(end[0], end[1], nz),
           tk_max_difference(p[0], p[1], np));
    ck_assert_double_gt(tk_max_difference(end[0], z, nz), 0.1);
    ck_assert_double_le(tk_max_difference(end[0], end[1], nz), 1e-12);
    ck_assert_double_le(tk_max_difference(p[0], p[1], np), 1e-11);
    ph_integrator *it;
    ph_state *state;
    tk_same_bits(system, ph_method_find("gauss", NULL), "order", _i % 2 ? "8" : "16", 0.02, 0, z, zdot, 20,
                 &it, &state);
    tk_end(it, state);
}

/* A tree: three bodies on the first, of which one bears another, and another tree beside it. */
TEST(a_tree_of_bodies)
{
    enum { N = 6 };
    static const size_t parent[N] = {PH_NO_INDEX, 0, 0, 0, 2, PH_NO_INDEX};
    double mass[N], inertia[9 * N] = {0}, joint[3 * N], anchor[3 * N], z[9 * N], zdot[9 * N], end[2][9 * N];
    tk_random r = {91};
    ph_factor factors[N];
    for (size_t i = 0; i < N; i++) {
        factors[i] = (ph_factor){.kind = PH_FACTOR_SO3};
        mass[i] = tk_uniform(&r, 0.5, 2);
        for (int k = 0; k < 3; k++) {
            inertia[9 * i + 4 * (size_t)k] = tk_uniform(&r, 0.8, 1);
            joint[3 * i + (size_t)k] = tk_uniform(&r, -0.5, 0.5);
            anchor[3 * i + (size_t)k] = tk_uniform(&r, -0.5, 0.5);
        }
        inertia[9 * i + 1] = inertia[9 * i + 3] = 0.1;
    }
    const ph_articulation tree = {.mass = mass,
                                  .inertia = inertia,
                                  .parent = parent,
                                  .joint = joint,
                                  .anchor = anchor,
                                  .gravity = {1, -2, -9}};
    TK_OWN(ph_space) *space = tk_space(factors, N);
    const ph_system_definition d = {.space = space, .articulation = &tree};
    TK_OWN(ph_system) *system = tk_defined(&d);
    tk_random_motion(system, &r, z, zdot);
    for (int k = 0; k < 2; k++) {
        const ph_setting settings[2] = {{"order", "10"}, {"lift", k ? "scaled" : "plain"}};
        TK_MAKE(ph_integrator, it,
                ph_integrator_create(system, ph_method_find("gauss", NULL), 0.02, settings, 2, &it, NULL));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_PROJECT, NULL));
        tk_steps(it, state, 20);
        memcpy(end[k], state->z, sizeof end[k]);
    }
    printf("a tree: lifts differ by %.1e\n", tk_max_difference(end[0], end[1], 9 * N));
    ck_assert_double_le(tk_max_difference(end[0], end[1], 9 * N), 2e-13);
}

/* Forces of time and velocity, inertias that vary, any L: compared with cf4 in many steps. */
TEST_EACH(orders_with_forces_and_any_lagrangian, tk_short() ? 5 : 6)
{
    static const hk_flavour flavours[] = {HK_PUSHED,          HK_DAMPED,  HK_VARYING,
                                          HK_VARYING_AMBIENT, HK_GENERAL, HK_COMPLEX};
    const hk_flavour flavour = flavours[_i];
    enum { STEPS = 3, FINE = 6000, MEASURED = 3 };
    static const double counts[MEASURED][STEPS] = {{30, 40, 53}, {12, 16, 21}, {4, 5, 6}};
    hk_user user = {0};
    double z[HK_NZ], zdot[HK_NZ], truth[HK_NZ], h[STEPS], error[STEPS];
    TK_OWN(ph_system) *system = hk_system(&user, flavour);
    ph_integrator *it;
    ph_state *state;
    hk_start(0.7, z, zdot);
    tk_start(system, "cf4", "q-omega", 1. / FINE, z, zdot, &it, &state);
    tk_ok(ph_state_set_velocity(it, state, 0.25, z, zdot, PH_PROJECT, NULL));
    tk_steps(it, state, FINE);
    memcpy(truth, state->z, sizeof truth);
    tk_end(it, state);
    for (int order = 0; order < MEASURED; order++) {
        for (int k = 0; k < STEPS; k++) {
            h[k] = 1 / counts[order][k];
            begin(system, order, h[k], z, zdot, &it, &state);
            tk_steps(it, state, (int64_t)counts[order][k]);
            error[k] = tk_max_difference(state->z, truth, HK_NZ);
            tk_end(it, state);
        }
        const double slope = tk_slope(h, error, STEPS);
        printf("%s, order %s: %.1e to %.1e, slope %.2f\n", hk_flavour_name(flavour), orders[order], error[0],
               error[STEPS - 1], slope);
        ck_assert_double_eq_tol(slope, 4 + 2 * order, 0.4);
    }
}

/* ---- Parts that rest ------------------------------------------------------------------------------- */

enum { FEW = 3 };

/* z (MOST) <- where `method` of this order is after a few steps from t = 0 */
static void run_few(const ph_system *system, const char *method, const char *order, double h,
                    const double *start, const double *zdot, double *z, ph_statistics *statistics)
{
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find(method, NULL), "order", order, h, 0, start,
             zdot);
    tk_steps(it, state, FEW);
    memcpy(z, state->z, ph_space_ambient(ph_system_space(system)) * sizeof *z);
    *statistics = *ph_integrator_statistics(it);
}

/* Steps that are a share of the shortest time that there is, or of 0.1 s if that is less. Gauss' rules have
 * constants of the error like 1/4320; 1/100 leaves room for derivatives of the motion that are larger than
 * powers of its rate. To that comes a few times the rounding of coordinates. */
static double compare(const ph_system *system, int order, double share, const double *z, const double *zdot)
{
    static double end[2][1024];
    const size_t nz = ph_space_ambient(ph_system_space(system));
    const double h = share / tk_max(10, tk_fastest(system, z, zdot)),
                 bound = tk_max(1, ph_max_norm(z, nz)) * (FEW * pow(share, 5 + 2 * order) / 100 + 2e-15);
    ph_statistics statistics;
    ck_assert_uint_le(nz, 1024);
    run_few(system, "variational", "8", h, z, zdot, end[0], &statistics);
    run_few(system, "gauss", orders[order], h, z, zdot, end[1], &statistics);
    ck_assert_int_eq(statistics.branches, 0);
    ck_assert_int_le(statistics.newton_passes, 16 * FEW);
    return tk_max_difference(end[0], end[1], nz) / bound;
}

TEST_EACH(every_preset_as_it_is, ORDERS)
{
    static double z[1024], zdot[1024];
    double worst = 0;
    int runs = 0;
    for (size_t m = 0; m < ph_models(); m++) {
        const ph_model *model = ph_model_at(m);
        for (size_t k = 0; k < model->n_presets; k++) {
            ph_system *system = NULL; /* of the bodies and numbers that the preset has */
            tk_ok(ph_model_build_for(model, model->presets[k].name, NULL, 0, &system, NULL));
            if (ph_system_constraints(system) || ph_system_spins(system)) {
                ph_system_free(system);
                break;
            }
            runs++;
            tk_ok(ph_model_preset(model, NULL, 0, model->presets[k].name,
                                  ph_space_ambient(ph_system_space(system)), z, zdot, NULL));
            const double error = compare(system, _i, 0.02, z, zdot);
            ck_assert_msg(error <= 1, "%s, %s: %.1e of what is allowed", model->name, model->presets[k].name,
                          error);
            worst = tk_max(worst, error);
            ph_system_free(system);
        }
    }
    printf("order %s, %d presets: %.2f of what is allowed\n", orders[_i], runs, worst);
}

/* A chain falls from the horizontal and pulls its cart, on which there is no force at first: the cart moves
 * by t^4, and its momentum and that of the links cancel to the last digit. Its path can be known only to the
 * rounding errors of the links. */
TEST_EACH(a_cart_that_rests_is_drawn_along, 2 * ORDERS)
{
    static const char *const carts[2] = {"cart-chain", "planar-cart"};
    static const double steps[] = {2e-3, 1e-4, 1e-5, 1e-6},
                        constants[ORDERS] = {3000, 1e5}; /* from order 8 on: rounding */
    const char *model = carts[_i / ORDERS];
    const int order = _i % ORDERS;
    double z[MOST], zdot[MOST], end[2][MOST], worst = 0;
    for (double links = 2; links <= 8; links += 3) {
        const ph_parameter_value value = {"links", &links, 1};
        TK_OWN(ph_system) *system = tk_build(model, &value, 1);
        const ph_space *space = ph_system_space(system);
        const size_t nz = ph_space_ambient(space);
        size_t at = 0;
        while (ph_space_factor(space, at)->kind != PH_FACTOR_R)
            at++;
        at = ph_space_factor(space, at)->z;
        tk_preset(model, &value, 1, "horizontal", z, zdot);
        for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
            const double h = steps[k];
            ph_statistics statistics;
            run_few(system, "variational", "8", h, z, zdot, end[0], &statistics);
            run_few(system, "gauss", orders[order], h, z, zdot, end[1], &statistics);
            const double way = fabs(end[0][at]), rounding = DBL_EPSILON * tk_max_difference(end[0], z, nz),
                         bound = (constants[order] * pow(h, 4 + 2 * order) + 1e-13) * way + rounding;
            ck_assert_double_gt(way, 1e4 * rounding);
            worst = tk_max(worst, fabs(end[1][at] - end[0][at]) / bound);
        }
    }
    printf("%s, order %s: the way of the cart, %.2f of what is allowed\n", model, orders[order], worst);
    ck_assert_double_le(worst, 1);
}

/* Trees of links with point masses as circles, spheres, or bodies (the link is their third axis) that turn
 * about themselves as well. Or the links stand each by itself, and springs pull them in the same direction as
 * their neighbours: then nothing is coupled by the inertia. */
enum { LINKS = 11 };
typedef struct tree {
    ph_factor_kind kind;
    size_t nz, d;                         /* of a link: coordinates, those of its direction; ... */
    size_t place[3];                      /* ... where they are */
    double weight[LINKS], l[LINKS], g[3]; /* [kg] of a link and all beyond, [m], [m/s^2] */
    double spring;                        /* [J]; 0: joints */
} tree;
static const int parents[LINKS] = {-1, 0, 0, 1, 1, 3, 3, 5, 5, 7, 7};

static ph_status tree_potential(void *user, const double *z, double *U)
{
    const tree *t = user;
    *U = 0;
    for (size_t i = 0; i < LINKS; i++)
        for (size_t k = 0; k < t->d; k++) {
            const double at = z[i * t->nz + t->place[k]];
            *U += t->weight[i] * t->l[i] * t->g[k] * at;
            if (i > 0)
                *U -= t->spring * at * z[(size_t)parents[i] * t->nz + t->place[k]];
        }
    return PH_OK;
}
static ph_status tree_gradient(void *user, const double *z, double *dU)
{
    const tree *t = user;
    memset(dU, 0, LINKS * t->nz * sizeof *dU);
    for (size_t i = 0; i < LINKS; i++)
        for (size_t k = 0; k < t->d; k++)
            dU[i * t->nz + t->place[k]] = t->weight[i] * t->l[i] * t->g[k];
    for (size_t i = 1; i < LINKS; i++)
        for (size_t k = 0; k < t->d; k++) {
            const size_t own = i * t->nz + t->place[k], other = (size_t)parents[i] * t->nz + t->place[k];
            dU[own] -= t->spring * z[other];
            dU[other] -= t->spring * z[own];
        }
    return PH_OK;
}

static ph_system *grow(tree *t, ph_factor_kind kind, const double gravity[3], bool jointed)
{
    const bool body = kind == PH_FACTOR_SO3;
    *t = (tree){.kind = kind,
                .nz = body                   ? 9
                      : kind == PH_FACTOR_S2 ? 3
                                             : 2,
                .d = kind == PH_FACTOR_S1 ? 2 : 3};
    const bool sphere = kind == PH_FACTOR_S2;
    const size_t each = sphere ? 1 : t->nz, nz = LINKS * each; /* of spheres the inertia is a number a pair */
    ph_factor factors[LINKS];
    TK_MEMORY double *M = calloc(nz * nz, sizeof *M);
    ck_assert_ptr_nonnull(M);
    for (size_t k = 0; k < t->d; k++) {
        t->place[k] = body ? 3 * k + 2 : k;
        t->g[k] = gravity[k];
    }
    for (int i = 0; i < LINKS; i++) {
        factors[i] = (ph_factor){.kind = kind};
        t->weight[i] = 0.1 + 0.013 * i;
        t->l[i] = 0.2 - 0.007 * i;
    }
    for (int i = LINKS - 1; i > 0 && jointed; i--)
        t->weight[parents[i]] += t->weight[i];
    t->spring = jointed ? 0 : 0.1 * t->weight[0] * t->l[0] * ph_max_norm(gravity, 3);
    for (size_t i = 0; i < LINKS; i++) {
        for (size_t k = 0; k < 9 && body; k++) /* J_d about the other axes */
            if (k % 3 < 2)
                M[(i * each + k) * (nz + 1)] = k % 3 ? 1e-3 : 2e-3;
        for (int j = (int)i; j >= 0; j = jointed ? parents[j] : -1)
            for (size_t k = 0; k < (sphere ? 1 : t->d); k++) {
                const size_t a = i * each + t->place[k], b = (size_t)j * each + t->place[k];
                M[a * nz + b] = M[b * nz + a] = t->weight[i] * t->l[i] * t->l[j];
            }
    }
    TK_OWN(ph_space) *space = tk_space(factors, LINKS);
    const ph_system_definition d = {.space = space,
                                    .inertia = sphere ? M : NULL,
                                    .ambient_inertia = sphere ? NULL : M,
                                    .potential = tree_potential,
                                    .gradient = tree_gradient,
                                    .user = t};
    ph_system *system = tk_defined(&d);
    return system;
}

/* z of a link <- in this direction, e (3); a body with its first axis in some direction across */
static void point(const tree *t, const double *e, double *z)
{
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + (t->d == 3 ? e[2] * e[2] : 0));
    double axes[3][3], across[3] = {-e[1], e[0], 0}, size = hypot(e[0], e[1]);
    for (size_t k = 0; k < 3; k++) {
        axes[2][k] = e[k] / length;
        axes[0][k] = size > 0 ? across[k] / size : k == 0;
    }
    for (size_t k = 0; k < t->d; k++)
        z[t->place[k]] = axes[2][k];
    if (t->kind != PH_FACTOR_SO3)
        return;
    ph_cross3(axes[2], axes[0], axes[1]);
    for (size_t k = 0; k < 3; k++) {
        z[3 * k] = axes[0][k];
        z[3 * k + 1] = axes[1][k];
    }
}

/* In equilibrium, except for the last link of a branch of six: the links above it move by as little as t^12,
 * less than the rounding of that link; where gravity is oblique, its weight is not along any axis. Counts
 * iterations: one whose criterion rounding does not allow to be met takes the largest number, and then the
 * whole Jacobian. */
TEST_EACH(branches_that_rest, 6 * ORDERS)
{
    static const ph_factor_kind kinds[3] = {PH_FACTOR_S1, PH_FACTOR_S2, PH_FACTOR_SO3};
    static const char *const names[3] = {"circles", "spheres", "bodies"};
    static const double gravities[3][3] = {{0, 9.81, 0}, {3.1, -4.7, -8}, {0.0031, -0.0047, -0.008}},
                        shares[3] = {0.02, 1e-3, 1e-5};
    const int order = _i % ORDERS, kind = _i / ORDERS % 3;
    const bool jointed = _i < 3 * ORDERS;
    const int first = tk_short() ? _i % 3 : 0, end = tk_short() ? first + 1 : 3; /* gravities */
    for (int which = first; which < end; which++) {
        double z[9 * LINKS] = {0}, zdot[9 * LINKS] = {0}, down[3], worst = 0;
        tree t;
        TK_OWN(ph_system) *system = grow(&t, kinds[kind], gravities[which], jointed);
        for (int k = 0; k < 3; k++)
            down[k] = -gravities[which][k] / ph_max_norm(gravities[which], 3);
        for (size_t i = 0; i < LINKS; i++)
            point(&t, down, z + i * t.nz);
        down[0] += 0.3;
        down[1] += 0.4;
        point(&t, down, z + 9 * t.nz);
        for (int k = 0; k < 3; k++)
            worst = tk_max(worst, compare(system, order, shares[k], z, zdot));
        printf("%s%s, gravity %d, order %s: %.2f of what is allowed\n", names[kind],
               jointed ? "" : " and springs", which, orders[order], worst);
        ck_assert_double_le(worst, 1);
    }
}

/* ---- Stiff modes ------------------------------------------------------------------------------------------ */

/* Three links of which the one in the middle is light and short: it has a mode of some 970 rad/s, at rest; the others swing. Sweeps cannot
 * converge where h times the rate is far above their bound; accelerated ones find the stages, and the motion is that of short steps. */
TEST(stiff_modes_at_rest)
{
    const double length[3] = {1, 0.01, 1}, mass[3] = {1, 0.001, 1}, q[3] = {0.6, 0, -0.8};
    const ph_factor factor = {.kind = PH_FACTOR_S2}, factors[3] = {factor, factor, factor};
    const ph_linkage linkage = {.length = length, .mass = mass, .gravity = {0, 0, -9.81}};
    double z[9], zdot[9] = {0}, end[9];
    TK_OWN(ph_space) *space = tk_space(factors, 3);
    const ph_system_definition d = {.space = space, .linkage = &linkage};
    TK_OWN(ph_system) *system = tk_defined(&d);
    for (int k = 0; k < 9; k++)
        z[k] = q[k % 3];
    const ph_setting settings[2] = {{"order", "8"}, {"lift", "scaled"}};
    for (int k = 0; k < 2; k++) {
        const double h = k ? 0.01 : 0.001;
        TK_MAKE(ph_integrator, it,
                ph_integrator_create(system, ph_method_find("gauss", NULL), h, settings, 2, &it, NULL));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_STRICT, NULL));
        tk_steps(it, state, k ? 30 : 300);
        const ph_statistics *s = ph_integrator_statistics(it);
        printf("h = %g s: %lld sweeps, %lld branches\n", h, (long long)s->newton_passes,
               (long long)s->branches);
        ck_assert_int_ge(s->branches, k);
        if (!k)
            memcpy(end, state->z, sizeof end);
        else
            printf("after 0.3 s off by %.1e\n", tk_max_difference(end, state->z, 9));
        ck_assert_double_le(k ? tk_max_difference(end, state->z, 9) : 0, 1e-6);
    }
}

/* ---- What moves without the others ------------------------------------------------------------------------ */

static ph_status spring_potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = 0.5 * z[0] * z[0];
    return PH_OK;
}
static ph_status spring_gradient(void *user, const double *z, double *dU)
{
    (void)user;
    dU[0] = z[0];
    dU[1] = dU[2] = 0;
    return PH_OK;
}

static ph_status line_gradient(void *user, const double *z, double *dU)
{
    (void)user;
    dU[0] = z[0];
    return PH_OK;
}

/* f = cos 2t - v/5: with the spring x = a cos 2t + b sin 2t + exp(-t/10) (C cos wt + D sin wt). */
static ph_status swinging_force(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user;
    (void)z;
    f[0] += cos(2 * t) - 0.2 * zdot[0];
    return PH_OK;
}

TEST_EACH(a_spring_that_is_driven, ORDERS)
{
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 1};
    const double M[1] = {1}, z[1] = {0.3}, zdot[1] = {-0.4}, a = -1 / (3 + 0.16 / 3), b = -0.4 * a / 3,
                 rate = sqrt(0.99), C = z[0] - a, D1 = (zdot[0] - 2 * b + 0.1 * C) / rate;
    static const double bounds[ORDERS] = {1e-6, 3e-10, 3e-14, 4e-15, 4e-15, 4e-15, 4e-15};
    TK_OWN(ph_space) *space = tk_space(&factor, 1);
    const ph_system_definition d = {.space = space,
                                    .ambient_inertia = M,
                                    .potential = spring_potential,
                                    .gradient = line_gradient,
                                    .force = swinging_force};
    TK_OWN(ph_system) *system = tk_defined(&d);
    double worst = 0;
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find("gauss", NULL), "order", orders[_i], 0.1, 0, z,
             zdot);
    for (int k = 1; k <= 50; k++) {
        const double t = 0.1 * k;
        tk_steps(it, state, 1);
        worst = tk_max(worst, fabs(state->z[0] - (a * cos(2 * t) + b * sin(2 * t) +
                                                  exp(-0.1 * t) * (C * cos(rate * t) + D1 * sin(rate * t)))));
    }
    printf("order %s: driven, off by %.1e\n", orders[_i], worst);
    ck_assert_double_le(worst, bounds[_i]);
}

/* A particle on a spring, from rest, and a circle that rests or turns, which has nothing to do with it. In sweeps from rest its momentum changes in
 * every other one alone. */
TEST_EACH(a_particle_with_a_circle_beside_it, 2)
{
    const ph_factor factors[2] = {{.kind = PH_FACTOR_R, .d = 1}, {.kind = PH_FACTOR_S1}};
    const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, z[3] = {1, 1, 0}, zdot[3] = {0, 0, _i ? 1 : 0};
    TK_OWN(ph_space) *space = tk_space(factors, 2);
    const ph_system_definition d = {
        .space = space, .ambient_inertia = M, .potential = spring_potential, .gradient = spring_gradient};
    TK_OWN(ph_system) *system = tk_defined(&d);
    TK_BEGIN(it, state, begin, system, ORDERS - 1, 1, z, zdot);
    for (int k = 1; k <= 5; k++) {
        tk_steps(it, state, 1);
        ck_assert_double_eq_tol(state->z[0], cos(k), 5e-15);
        ck_assert_double_eq_tol(state->p[0], -sin(k), 5e-15);
        ck_assert_double_eq_tol(state->z[1], _i ? cos(k) : 1, 5e-15);
    }
}

/* L = v^2/2 + v^4/4 + 9.81 x: from rest the inertia grows by a factor of many in a step, p = 9.81 t. */
static ph_status quartic(void *user, double t, const double *z, const double *v, double *L)
{
    (void)user;
    (void)t;
    *L = 0.5 * v[0] * v[0] + 0.25 * v[0] * v[0] * v[0] * v[0] + 9.81 * z[0];
    return PH_OK;
}
static ph_status quartic_gradient(void *user, double t, const double *z, const double *v, double *Lz,
                                  double *Lv)
{
    (void)user;
    (void)t;
    (void)z;
    Lz[0] = 9.81;
    Lv[0] = v[0] + v[0] * v[0] * v[0];
    return PH_OK;
}
TEST(an_inertia_that_grows)
{
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 1};
    const double z[1] = {0}, zdot[1] = {0};
    TK_OWN(ph_space) *space = tk_space(&factor, 1);
    const ph_system_definition d = {
        .space = space, .lagrangian = quartic, .lagrangian_gradient = quartic_gradient};
    TK_OWN(ph_system) *system = tk_defined(&d);
    TK_BEGIN(it, state, begin, system, ORDERS - 1, 0.2, z, zdot);
    for (int k = 1; k <= 5; k++) {
        double v[1], kinetic, potential, work[64];
        tk_steps(it, state, 1);
        ck_assert_double_eq_tol(state->p[0], 9.81 * 0.2 * k, 1e-14);
        ck_assert_uint_le(ph_system_work(system), 64);
        tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, work));
        tk_ok(ph_system_energy(system, 0, state->z, v, &kinetic, &potential, work));
        printf("t = %g s: E = %.1e\n", 0.2 * k, kinetic + potential);
        ck_assert_double_le(fabs(kinetic + potential), k == 1 ? 1e-6 : 1e-5);
    }
}

/* ---- Callbacks at all stages at once -------------------------------------------------------------------- */

/* Two spheres, of which user counts the calls, and what is to go wrong: at call `wrong` of the callback `part` at once its point has a number that
 * is not finite, or, `refuses`, it is left to the callback itself, which fails there, at z. */
enum { PAIR_NZ = 6, EVERY_POINT = 8 };
typedef struct batch_user {
    int at_once[PH_LANES_LAGRANGIAN_GRADIENT + 1], alone, wrong;
    ph_lanes_part part;
    size_t point, count;
    bool refuses, fails;
    double z[PAIR_NZ];
} batch_user;

static ph_status batch_alone(batch_user *u, const double *z)
{
    u->alone++;
    return u->fails && !memcmp(u->z, z, sizeof u->z) ? PH_E_CALLBACK : PH_OK;
}
static void batch_slope(const double *z, double *dU)
{
    for (size_t i = 0; i < PAIR_NZ; i++)
        dU[i] = 0.3 * (double)(i % 3) - 0.5 + 0.7 * z[(i + 3) % PAIR_NZ];
}
static void batch_push(double t, const double *z, const double *v, double *f)
{
    for (size_t i = 0; i < PAIR_NZ; i++)
        f[i] += 0.2 * sin(3 * t + (double)i) * z[i] - 0.1 * v[i];
}
static void batch_wave(double t, double *dU)
{
    for (size_t i = 0; i < PAIR_NZ; i++)
        dU[i] += 0.3 * cos(2 * t + (double)i);
}
/* L = v.v/2 + (v.v)^2/40 + (z_1.z_2) cos t / 2 */
static void batch_slopes(double t, const double *z, const double *v, double *Lz, double *Lv)
{
    double square = 0;
    for (size_t i = 0; i < PAIR_NZ; i++)
        square += v[i] * v[i];
    for (size_t i = 0; i < PAIR_NZ; i++) {
        Lz[i] = 0.5 * cos(t) * z[(i + 3) % PAIR_NZ];
        Lv[i] = (1 + 0.1 * square) * v[i];
    }
}

static ph_status batch_potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = 0;
    for (size_t i = 0; i < PAIR_NZ; i++)
        *U += (0.3 * (double)(i % 3) - 0.5) * z[i] + 0.35 * z[i] * z[(i + 3) % PAIR_NZ];
    return PH_OK;
}
static ph_status batch_gradient(void *user, const double *z, double *dU)
{
    batch_slope(z, dU);
    return batch_alone(user, z);
}
static ph_status batch_force(void *user, double t, const double *z, const double *v, double *f)
{
    batch_push(t, z, v, f);
    return batch_alone(user, z);
}
static ph_status batch_in_time(void *user, double t, const double *z, double *U)
{
    (void)user;
    *U = 0;
    for (size_t i = 0; i < PAIR_NZ; i++)
        *U += 0.3 * cos(2 * t + (double)i) * z[i];
    return PH_OK;
}
static ph_status batch_gradient_in_time(void *user, double t, const double *z, double *dU)
{
    batch_wave(t, dU);
    return batch_alone(user, z);
}
static ph_status batch_lagrangian(void *user, double t, const double *z, const double *v, double *L)
{
    double square = 0, product = 0;
    (void)user;
    for (size_t i = 0; i < PAIR_NZ; i++) {
        square += v[i] * v[i];
        product += 0.5 * z[i] * z[(i + 3) % PAIR_NZ];
    }
    *L = 0.5 * square + 0.025 * square * square + 0.5 * cos(t) * product;
    return PH_OK;
}
static ph_status batch_lagrangian_gradient(void *user, double t, const double *z, const double *v, double *Lz,
                                           double *Lv)
{
    double unused[PAIR_NZ];
    batch_slopes(t, z, v, Lz ? Lz : unused, Lv);
    return batch_alone(user, z);
}
static ph_status batch_rate(void *user, double t, const double *z, const double *v, double *Lt, double *Lvt)
{
    double product = 0;
    (void)user, (void)v;
    for (size_t i = 0; i < PAIR_NZ; i++) {
        product += 0.5 * z[i] * z[(i + 3) % PAIR_NZ];
        Lvt[i] = 0;
    }
    *Lt = -0.5 * sin(t) * product;
    return PH_OK;
}

static bool batch_lanes(void *const *users, ph_lanes_part part, size_t count, const double *t,
                        const double *z, const double *zdot, double *out)
{
    batch_user *u = users[0];
    const size_t n = part == PH_LANES_LAGRANGIAN_GRADIENT ? 2 * PAIR_NZ : PAIR_NZ;
    if (part == PH_LANES_FORCE_DV)
        return false;
    if (!out)
        return true;
    const bool spoil = ++u->at_once[part] == u->wrong && part == u->part;
    u->count = count;
    if (spoil && u->point < count) {
        for (size_t i = 0; i < PAIR_NZ; i++)
            u->z[i] = z[EVERY_POINT * i + u->point];
    }
    if (spoil && u->refuses) {
        u->fails = u->point < count;
        return false;
    }
    for (size_t l = 0; l < count; l++) {
        double q[PAIR_NZ], v[PAIR_NZ] = {0}, o[2 * PAIR_NZ];
        for (size_t i = 0; i < PAIR_NZ; i++) {
            q[i] = z[EVERY_POINT * i + l];
            v[i] = zdot ? zdot[EVERY_POINT * i + l] : 0;
        }
        for (size_t i = 0; i < n; i++)
            o[i] = out[EVERY_POINT * i + l];
        if (part == PH_LANES_GRADIENT)
            batch_slope(q, o);
        else if (part == PH_LANES_GRADIENT_IN_TIME)
            batch_wave(t[l], o);
        else if (part == PH_LANES_FORCE)
            batch_push(t[l], q, v, o);
        else
            batch_slopes(t[l], q, v, o, o + PAIR_NZ);
        if (spoil && l == u->point)
            o[n / 2] = NAN;
        for (size_t i = 0; i < n; i++)
            out[EVERY_POINT * i + l] = o[i];
    }
    return true;
}

/* By potentials and forces; by L; links with forces, whose potential is that of gravity, too, and evaluated one by one. */
enum { BATCH_UNIFORM, BATCH_GENERAL, BATCH_LINKS, BATCHES };
static ph_system *batch_system(batch_user *u, int which, bool at_once)
{
    static const ph_factor spheres[2] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}};
    static const double M[4] = {2, 0, 0, 1}, lengths[2] = {1, 0.7}, masses[2] = {1, 2};
    static const ph_linkage linkage = {.length = lengths, .mass = masses, .gravity = {0, 0, -9.81}};
    TK_OWN(ph_space) *space = tk_space(spheres, 2);
    ph_system_definition d = {.space = space, .user = u, .lanes = at_once ? batch_lanes : NULL};
    if (which == BATCH_GENERAL) {
        d.lagrangian = batch_lagrangian;
        d.lagrangian_gradient = batch_lagrangian_gradient;
        d.lagrangian_rate = batch_rate;
    } else {
        d.inertia = which == BATCH_UNIFORM ? M : NULL;
        d.linkage = which == BATCH_LINKS ? &linkage : NULL;
        d.potential = batch_potential;
        d.gradient = batch_gradient;
        d.force = batch_force;
        d.potential_in_time = batch_in_time;
        d.gradient_in_time = batch_gradient_in_time;
    }
    return tk_defined(&d);
}
static const double batch_z[PAIR_NZ] = {0.6, 0, -0.8, 0, 0.8, -0.6},
                    batch_zdot[PAIR_NZ] = {0, 1, 0, -0.5, 0, 0};

/* The same bits with and without a callback at all stages, at 3, 4, 5 and 8 stages; and where it leaves some to the others. */
TEST_EACH(at_once_and_one_by_one, 3 * BATCHES)
{
    static const char *const of[] = {"6", "8", "16"};
    const int which = _i % BATCHES;
    double end[3][2 * PAIR_NZ];
    for (int k = 0; k < 3; k++) {
        batch_user u = {.refuses = true, .point = 100, .wrong = k == 2 ? 7 : 0};
        u.part = which == BATCH_GENERAL ? PH_LANES_LAGRANGIAN_GRADIENT : PH_LANES_FORCE;
        TK_OWN(ph_system) *system = batch_system(&u, which, k > 0);
        TK_BEGIN(it, state, tk_start_with, system, ph_method_find("gauss", NULL), "order", of[_i / BATCHES],
                 0.05, 0.3, batch_z, batch_zdot);
        u.alone = 0;
        tk_steps(it, state, 20);
        memcpy(end[k], state->z, sizeof batch_z);
        memcpy(end[k] + PAIR_NZ, state->p, sizeof batch_z);
        printf("order %s: %d alone, %d, %d, %d, %d at once\n", of[_i / BATCHES], u.alone, u.at_once[0],
               u.at_once[1], u.at_once[2], u.at_once[4]);
        const bool never = which == BATCH_UNIFORM && k == 1;
        ck_assert(never ? u.alone == 0 : u.alone > 0);
        ck_assert(k == 0 || u.count == (_i / BATCHES < 2 ? 4 : 8));
        ck_assert_int_eq(k > 0 && which == BATCH_UNIFORM, u.at_once[PH_LANES_GRADIENT] > 0);
        ck_assert_int_eq(k > 0 && which != BATCH_GENERAL, u.at_once[PH_LANES_FORCE] > 0);
        ck_assert_int_eq(k > 0 && which != BATCH_GENERAL, u.at_once[PH_LANES_GRADIENT_IN_TIME] > 0);
        ck_assert_int_eq(k > 0 && which == BATCH_GENERAL, u.at_once[PH_LANES_LAGRANGIAN_GRADIENT] > 0);
    }
    ck_assert_double_gt(tk_max_difference(end[0], batch_z, PAIR_NZ), 0.1);
    ck_assert_mem_eq(end[1], end[0], sizeof end[0]);
    ck_assert_mem_eq(end[2], end[0], sizeof end[0]);
}

/* What goes wrong at one stage is reported with its time, and the state stays as it was. */
TEST_EACH(where_it_goes_wrong, 2 * 4)
{
    static const ph_lanes_part parts[] = {PH_LANES_GRADIENT, PH_LANES_GRADIENT_IN_TIME, PH_LANES_FORCE,
                                          PH_LANES_LAGRANGIAN_GRADIENT};
    batch_user u = {.part = parts[_i / 2], .wrong = 9, .point = 2, .refuses = _i % 2};
    TK_OWN(ph_system) *system =
        batch_system(&u, u.part == PH_LANES_LAGRANGIAN_GRADIENT ? BATCH_GENERAL : BATCH_UNIFORM, true);
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find("gauss", NULL), "order", "8", 0.05, 0.3,
             batch_z, batch_zdot);
    char where[40];
    ph_status status = PH_OK;
    double before[PAIR_NZ];
    for (int k = 0; k < 20 && !status; k++) {
        memcpy(before, state->z, sizeof before);
        status = ph_integrator_step(it, state, 1);
    }
    /* lane 2 of order 8 is the last stage */
    snprintf(where, sizeof where, "at t = %.10g s,", 0.3 + 0.05 * 0.9305681557970263);
    printf("%s\n", ph_integrator_message(it));
    ck_assert_int_eq(status, u.refuses ? PH_E_CALLBACK : PH_E_NOT_FINITE);
    ck_assert_ptr_nonnull(strstr(ph_integrator_message(it), where));
    ck_assert_mem_eq(state->z, before, sizeof before);
}

/* ---- Rounding, refusals -------------------------------------------------------------------------------- */

/* Problem 1 in steps of 0.1 s of order 16, whose errors are below rounding: energy and the momentum about the vertical walk; measured
 * 6e-15 and 2e-15 after 2e4 steps. */
TEST(rounding_only_walks)
{
    const int blocks = 50, each = tk_short() ? 20 : tk_long() ? 20000 : 400;
    double q[6], v[6], E0 = 0, J0 = 0, energy = 0, momentum = 0, constraint = 0;
    ph_measures m;
    TK_OWN(ph_system) *system = known_problem1_linkage(q, v);
    TK_BEGIN(it, state, begin, system, ORDERS - 1, 0.1, q, v);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    for (int k = 0; k <= blocks; k++) {
        tk_ok(ph_diagnostics_measure(d, state, &m));
        const double J = state->p[2] + state->p[5];
        E0 = k ? E0 : m.energy;
        J0 = k ? J0 : J;
        energy = tk_max(energy, fabs(m.energy - E0) / fabs(E0));
        momentum = tk_max(momentum, fabs(J - J0) / fabs(J0));
        constraint = tk_max(constraint, m.constraint_error);
        if (k < blocks)
            tk_steps(it, state, each);
    }
    const ph_statistics *s = ph_integrator_statistics(it);
    printf("%d steps: energy %.1e, momentum %.1e, constraint %.1e, %.2f passes\n", blocks * each, energy,
           momentum, constraint, (double)s->newton_passes / (double)s->steps);
    ck_assert_int_eq(s->branches, 0);
    ck_assert_double_le((double)s->newton_passes, 9 * (double)s->steps);
    ck_assert_double_le(energy, 1e-15 + 1.5e-16 * sqrt(blocks * each));
    ck_assert_double_le(momentum, 1e-15 + 1.6e-17 * sqrt(blocks * each));
    ck_assert_double_le(constraint, 2.3e-16);
}

/* A symmetric top on a fixed point, whose turns about its axis are not stepped: each axis, and no gravity. The motion is that of the plain lift in
 * shorter steps; of one that spins as fast as a plain step cannot follow, the axis moves as in short steps; the bits are those of every width. */
TEST_EACH(symmetric_tops, 4)
{
    const double mass = 1.3, gravity[3] = {_i < 3 ? 0.7 : 0, _i < 3 ? -1.9 : 0, _i < 3 ? -9.6 : 0};
    const int k = _i % 3, i = (k + 1) % 3, j = (k + 2) % 3, shorter = _i == 1 ? 40 : 8;
    static const double z[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    double centre[3] = {0}, inertia[3], omega[3], hat[9], zdot[9], end[TK_KERNELS + 1][18];
    centre[k] = k == 1 ? -0.4 : 0.6;
    inertia[i] = inertia[j] = 0.2;
    inertia[k] = 0.03;
    omega[i] = 2;
    omega[j] = -1;
    omega[k] = _i == 1 ? 300 : 15;
    const ph_parameter_value values[4] = {
        {"mass", &mass, 1}, {"centre", centre, 3}, {"inertia", inertia, 3}, {"gravity", gravity, 3}};
    TK_OWN(ph_system) *system = tk_build("heavy-top", values, 4);
    ph_hat3(omega, hat);
    ph_multiply3(z, hat, zdot);
    for (int run = 0; run <= TK_KERNELS; run++) {
        const bool plain = run == TK_KERNELS;
        const ph_setting lift = {"lift", plain ? "plain" : "automatic"};
        memcpy(end[run], end[0], sizeof end[run]);
        if (!tk_kernels(plain ? TK_WIDE : run))
            continue;
        TK_MAKE(ph_integrator, it,
                ph_integrator_create(system, ph_method_find("gauss", NULL), plain ? 0.05 / shorter : 0.05,
                                     &lift, 1, &it, NULL));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_PROJECT, NULL));
        tk_steps(it, state, plain ? 20 * shorter : 20);
        memcpy(end[run], state->z, 9 * sizeof **end);
        memcpy(end[run] + 9, state->p, 3 * sizeof **end);
        printf("symmetric top %d, %s: %.2f sweeps a step\n", _i, plain ? "plain" : "without turns",
               (double)ph_integrator_statistics(it)->newton_passes / (double)state->k);
    }
    for (int run = 1; run < TK_KERNELS; run++)
        ck_assert_mem_eq(end[run], end[0], 12 * sizeof **end);
    const double error = tk_max_difference(end[0], end[TK_KERNELS], 12);
    printf("symmetric top %d: from plain steps %.1e\n", _i, error);
    ck_assert_double_le(error, _i == 1 ? 1e-10 : 1e-12);
}

/* What rounding does to the energy and to a momentum map has no sign: over motions that differ by thousandths its mean is within four
 * standard errors of 0. Links of numbers whose reciprocals are rounded, a top whose sweeps converge slowly, and a symmetric one, without its turns,
 * in steps in which what sweeps leave is seen best: 4e-19 of the energy a step would be. */
TEST_EACH(rounding_has_no_sign, 4)
{
    enum { MEMBERS = 24 };
    static const char *const of[] = {"links of 9.81 m", "unequal links", "top", "symmetric top"};
    static const double mass[2][2] = {{1, 1}, {1.3, 0.37}}, length[2][2] = {{9.81, 9.81}, {0.7, 1.1}},
                        step[] = {0.1, 0.02, 0.1, 0.05}, inertia[3] = {0.25, 0.4, 0.2};
    const ph_parameter_value slender = {"inertia", inertia, 3};
    const int64_t steps = tk_short() ? 100 : _i == 3 ? 40000 : 10000;
    const double omega[3] = {3, 5, -2};
    double q[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, v[9] = {0}, sum[2] = {0}, square[2] = {0}, measured[2] = {0};
    const ph_linkage linkage = {.length = length[_i % 2], .mass = mass[_i % 2], .gravity = {0, 0, 9.81}};
    TK_OWN(ph_system) *problem = known_problem1_linkage(q, v);
    const ph_system_definition links = {.space = ph_system_space(problem), .linkage = &linkage};
    TK_OWN(ph_system) *system = _i < 2 ? tk_defined(&links) : tk_build("heavy-top", &slender, _i == 2);
    if (_i >= 2) {
        static const double still[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        memcpy(q, still, sizeof still);
        ph_hat3(omega, v);
    }
    TK_BEGIN(it, state, begin, system, ORDERS - 1, step[_i], q, v);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    for (int k = 0; k < MEMBERS; k++) {
        double v1[9];
        long double at[2][2];
        for (int e = 0; e < 9; e++)
            v1[e] = v[e] * (1 + 1e-3 * (k - 11.5) / 11.5);
        tk_ok(ph_state_set_velocity(it, state, 0, q, v1, PH_PROJECT, NULL));
        for (int end = 0; end < 2; end++) {
            ph_measures m;
            if (end)
                tk_steps(it, state, steps);
            tk_ok(ph_diagnostics_measure(d, state, &m));
            at[end][0] = m.energy;
            const double *R = state->z + 6, *p = state->p;
            at[end][1] = _i < 2
                             ? (long double)p[2] + p[5]
                             : (long double)R[0] * p[0] + (long double)R[1] * p[1] + (long double)R[2] * p[2];
        }
        for (int e = 0; e < 2; e++) {
            const double off = (double)(at[1][e] - at[0][e]);
            sum[e] += off / MEMBERS;
            if (tk_short()) /* where the rounding of the measurement is what is seen */
                measured[e] = tk_max(measured[e], 4 * DBL_EPSILON * fabs((double)at[0][e]));
            square[e] += off * off / MEMBERS;
        }
    }
    for (int e = 0; e < 2; e++) {
        const double error = sqrt(tk_max(square[e] - sum[e] * sum[e], 0) / (MEMBERS - 1));
        printf("%s, %lld steps: %s off by %.1e, mean %.1e, its error %.1e\n", of[_i], (long long)steps,
               e ? "momentum" : "energy", sqrt(square[e]), sum[e], error);
        ck_assert_double_le(fabs(sum[e]), 4 * error + measured[e]);
    }
}

TEST(what_it_does_not_take)
{
    static const double A[3] = {1, 1, 1};
    const ph_subspace plane = {1, 3, A};
    const ph_embedding embedding = ph_embedding_subspace(&plane);
    const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED, .embedding = &embedding};
    const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    TK_OWN(ph_space) *space = tk_space(&factor, 1);
    const ph_system_definition d = {.space = space, .ambient_inertia = M};
    TK_OWN(ph_system) *system = tk_defined(&d);
    ph_integrator *it = NULL;
    ph_error err = {PH_OK, ""};
    ck_assert_int_eq(ph_integrator_create(system, ph_method_find("gauss", NULL), 0.01, NULL, 0, &it, &err),
                     PH_E_UNSUPPORTED);
    ck_assert_msg(strstr(err.message, "embedded"), "%s", err.message);
}

int main(void)
{
    return tk_run("gauss");
}
