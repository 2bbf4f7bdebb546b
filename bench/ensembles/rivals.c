/* SPDX-License-Identifier: BSD-3-Clause */
/* What a user would write: see rivals.h. In R^n, without structure: spheres by q in R^d with multipliers,
 *     a_i = c_i + sum_j W_ij lambda_j q_j,   q_i . a_i = -|v_i|^2,   W the inverse inertia, c gravity,
 * rotations by matrices, R' = R Omega^, bodies under mutual gravity to the second degree (MacCullagh).
 *
 * Taylor series as heyoka has them (Biscani and Izzo, MNRAS 504 (2021) 2614; Jorba and Zou, Exp. Math. 14 (2005) 99): the
 * equations are a list of operations, whose coefficients follow order by order; order and step follow from the tolerance. Here
 * operations are interpreted, a vector at a time; heyoka compiles them. */
#include "bench/rivals/wide.h"

#include "rivals.h"

#include <math.h>
#include <stdlib.h>

/* ---- Equations, for numbers ------------------------------------------------------------------------- */

/* k: W_11, W_12, W_22, c_1 (d). The other link falls freely with the first: c_2 = 0. */
INLINE void links(size_t n, size_t d, const double *k, const double *y, double *dy)
{
    const double *q = y, *v = y + n * d, *c = k + 3;
    double b[2] = {0, 0}, l[2] = {0, 0}, cosine = 0;
    for (size_t a = 0; a < d; a++) {
        for (size_t i = 0; i < n; i++)
            b[i] -= v[i * d + a] * v[i * d + a];
        b[0] -= c[a] * q[a];
        cosine += n > 1 ? q[a] * q[d + a] : 0;
    }
    const double off = k[1] * cosine, det = k[0] * k[2] - off * off;
    l[0] = n > 1 ? (k[2] * b[0] - off * b[1]) / det : b[0] / k[0];
    l[1] = n > 1 ? (k[0] * b[1] - off * b[0]) / det : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < d; a++) {
            dy[i * d + a] = v[i * d + a];
            dy[(n + i) * d + a] =
                (i ? 0 : c[a]) + k[i] * l[0] * q[a] + (n > 1 ? k[i + 1] * l[1] * q[d + a] : 0);
        }
}

INLINE void turn(const double *R, const double *W, double *dR)
{
    for (size_t i = 0; i < 9; i++) {
        const size_t row = i - i % 3, j = (i + 1) % 3, k = (i + 2) % 3;
        dR[i] = R[row + j] * W[k] - R[row + k] * W[j];
    }
}

/* k: moments (3), the weight times the centre of mass (3). */
INLINE void body(bool heavy, const double *k, const double *y, double *dy)
{
    const double *W = y + 9, *up = y + 6, *s = k + 3;
    turn(y, W, dy);
    for (size_t a = 0; a < 3; a++) {
        const size_t b = (a + 1) % 3, c = (a + 2) % 3;
        dy[9 + a] = ((k[b] - k[c]) * W[b] * W[c] + (heavy ? up[b] * s[c] - up[c] * s[b] : 0)) / k[a];
    }
}

/* k: masses (2), moments (2, 3), the constant of gravity. y: x, R_A, R_B, v, Omega_A, Omega_B. */
INLINE void pair(const double *k, const double *y, double *dy)
{
    const double *x = y, *v = y + 21, G = k[8], m = k[0] * k[1] / (k[0] + k[1]);
    const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], u3 = 1 / (r2 * sqrt(r2)), u5 = u3 / r2;
    double Q = 0, T = 0, F[3] = {0, 0, 0};
    for (size_t i = 0; i < 2; i++) {
        const double *R = y + 3 + 9 * i, *W = y + 24 + 3 * i, *J = k + 2 + 3 * i, other = k[1 - i];
        double a[3];
        for (size_t j = 0; j < 3; j++) {
            a[j] = R[j] * x[0] + R[3 + j] * x[1] + R[6 + j] * x[2];
            Q += other * J[j] * a[j] * a[j];
            T += other * J[j];
        }
        turn(R, W, dy + 3 + 9 * i);
        for (size_t j = 0; j < 3; j++) {
            const size_t b = (j + 1) % 3, c = (j + 2) % 3;
            dy[24 + 3 * i + j] = (J[b] - J[c]) / J[j] * (W[b] * W[c] - 3 * G * other * u5 * a[b] * a[c]);
            F[j] -=
                other * (R[3 * j] * J[0] * a[0] + R[3 * j + 1] * J[1] * a[1] + R[3 * j + 2] * J[2] * a[2]);
        }
    }
    const double radial = -G * (k[0] * k[1] * u3 + 1.5 * T * u5 - 7.5 * Q * u5 / r2) / m;
    for (size_t j = 0; j < 3; j++) {
        dy[j] = v[j];
        dy[21 + j] = radial * x[j] + 3 * G / m * u5 * F[j];
    }
}

/* ---- The plain loop --------------------------------------------------------------------------------- */

typedef void equations(const double *k, const double *y, double *dy);

INLINE void runge_kutta(equations *f, size_t n, const double *k, double *y, double h, int64_t steps)
{
    double d[RIVAL_MOST], sum[RIVAL_MOST], x[RIVAL_MOST];
    for (int64_t s = 0; s < steps; s++) {
        f(k, y, sum);
        for (size_t i = 0; i < n; i++)
            x[i] = y[i] + h / 2 * sum[i];
        f(k, x, d);
        for (size_t i = 0; i < n; i++)
            sum[i] += 2 * d[i], x[i] = y[i] + h / 2 * d[i];
        f(k, x, d);
        for (size_t i = 0; i < n; i++)
            sum[i] += 2 * d[i], x[i] = y[i] + h * d[i];
        f(k, x, d);
        for (size_t i = 0; i < n; i++)
            y[i] += h / 6 * (sum[i] + d[i]);
    }
}

#define LOOP(name, n, ...)                                                                                   \
    INLINE void name##_f(const double *k, const double *y, double *dy)                                       \
    {                                                                                                        \
        __VA_ARGS__;                                                                                         \
    }                                                                                                        \
    static void name(const double *k, double *y, double h, int64_t steps)                                    \
    {                                                                                                        \
        runge_kutta(name##_f, n, k, y, h, steps);                                                            \
    }                                                                                                        \
    WIDE static void name##_wide(const double *k, double *y, double h, int64_t steps)                        \
    {                                                                                                        \
        runge_kutta(name##_f, n, k, y, h, steps);                                                            \
    }
LOOP(loop_link, 6, links(1, 3, k, y, dy))
LOOP(loop_links, 12, links(2, 3, k, y, dy))
LOOP(loop_circles, 8, links(2, 2, k, y, dy))
LOOP(loop_body, 12, body(false, k, y, dy))
LOOP(loop_top, 12, body(true, k, y, dy))
LOOP(loop_pair, 30, pair(k, y, dy))

void rival_run_loop(const rival *r, double *y, double h, int64_t steps)
{
    (wide_runs() ? r->wide_loop : r->loop)(r->k, y, h, steps);
}

/* ---- Equations, as operations ----------------------------------------------------------------------- */

enum { ORDER = 20, OPERATIONS = 400 };

typedef enum operation_kind { LINEAR, OFFSET, PRODUCT, QUOTIENT, POWER } operation_kind;

typedef struct operation {
    operation_kind kind;
    int a, b;    /* operands; */
    double x, z; /* x a + z b; a + x; a^x */
} operation;

/* The first `numbers` values are y; the others operations. */
typedef struct tape {
    int numbers, n, rate[RIVAL_MOST]; /* dy */
    operation at[OPERATIONS];
} tape;

static tape *new_tape(int numbers)
{
    tape *t = calloc(1, sizeof *t);
    if (t)
        t->numbers = t->n = numbers;
    return t;
}

static int put(tape *t, operation_kind kind, int a, int b, double x, double z)
{
    t->at[t->n] = (operation){kind, a, b, x, z};
    return t->n++;
}

static int linear(tape *t, double x, int a, double z, int b)
{
    return put(t, LINEAR, a, b, x, z);
}

static int product(tape *t, int a, int b)
{
    return put(t, PRODUCT, a, b, 0, 0);
}

/* The inner product of n values each, every `stride`-th. */
static int inner(tape *t, int a, int stride_a, int b, int stride_b, int n)
{
    int sum = product(t, a, b);
    for (int i = 1; i < n; i++)
        sum = linear(t, 1, sum, 1, product(t, a + i * stride_a, b + i * stride_b));
    return sum;
}

static tape *record_links(int n, int d, const double *k)
{
    tape *t = new_tape(2 * n * d);
    int b[2], l[2];
    if (!t)
        return NULL;
    for (int i = 0; i < n; i++) {
        b[i] = inner(t, (n + i) * d, 1, (n + i) * d, 1, d);
        b[i] = linear(t, -1, b[i], i ? 0 : -k[3 + d - 1], d - 1); /* gravity is along the last axis */
    }
    if (n > 1) {
        const int off = inner(t, 0, 1, d, 1, d), square = product(t, off, off);
        const int det = put(t, OFFSET, linear(t, -k[1] * k[1], square, 0, off), 0, k[0] * k[2], 0);
        for (int i = 0; i < 2; i++)
            l[i] =
                put(t, QUOTIENT, linear(t, k[2 - 2 * i], b[i], -k[1], product(t, off, b[1 - i])), det, 0, 0);
    } else {
        l[0] = linear(t, 1 / k[0], b[0], 0, b[0]);
    }
    for (int i = 0; i < n; i++)
        for (int a = 0; a < d; a++) {
            const int first = product(t, l[0], a);
            const int sum =
                linear(t, k[i], first, n > 1 ? k[i + 1] : 0, n > 1 ? product(t, l[1], d + a) : first);
            t->rate[i * d + a] = (n + i) * d + a;
            t->rate[(n + i) * d + a] = i || a < d - 1 ? sum : put(t, OFFSET, sum, 0, k[3 + a], 0);
        }
    return t;
}

static void record_turn(tape *t, int R, int W)
{
    for (int i = 0; i < 9; i++) {
        const int row = i - i % 3, j = (i + 1) % 3, k = (i + 2) % 3;
        t->rate[R + i] = linear(t, 1, product(t, R + row + j, W + k), -1, product(t, R + row + k, W + j));
    }
}

static tape *record_body(bool heavy, const double *k)
{
    tape *t = new_tape(12);
    if (!t)
        return NULL;
    record_turn(t, 0, 9);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3, w = product(t, 9 + b, 9 + c);
        const int torque = heavy ? linear(t, k[3 + c] / k[a], 6 + b, -k[3 + b] / k[a], 6 + c) : w;
        t->rate[9 + a] = linear(t, (k[b] - k[c]) / k[a], w, heavy, torque);
    }
    return t;
}

static tape *record_pair(const double *k)
{
    const double G = k[8], m = k[0] * k[1] / (k[0] + k[1]);
    tape *t = new_tape(30);
    if (!t)
        return NULL;
    double T = 0;
    const int r2 = inner(t, 0, 1, 0, 1, 3), u3 = put(t, POWER, r2, 0, -1.5, 0),
              u2 = put(t, POWER, r2, 0, -1, 0), u5 = product(t, u3, u2);
    int Q = -1, F[3] = {-1, -1, -1};
    for (int i = 0; i < 2; i++) {
        const double *J = k + 2 + 3 * i, other = k[1 - i];
        const int R = 3 + 9 * i, W = 24 + 3 * i;
        int a[3], w = 0;
        record_turn(t, R, W);
        for (int j = 0; j < 3; j++) {
            a[j] = inner(t, R + j, 3, 0, 1, 3);
            const int square = product(t, a[j], a[j]);
            Q = Q < 0 ? linear(t, other * J[j], square, 0, square) : linear(t, 1, Q, other * J[j], square);
            T += other * J[j];
        }
        for (int j = 0; j < 3; j++)
            w = linear(t, other * J[j], a[j], 0, a[j]); /* three in a row, the last is w */
        for (int j = 0; j < 3; j++) {
            const int b = (j + 1) % 3, c = (j + 2) % 3, own = inner(t, R + 3 * j, 1, w - 2, 1, 3);
            F[j] = F[j] < 0 ? own : linear(t, 1, F[j], 1, own);
            const double d = (J[b] - J[c]) / J[j];
            t->rate[W + j] = linear(t, d, product(t, W + b, W + c), -3 * G * other * d,
                                    product(t, u5, product(t, a[b], a[c])));
        }
    }
    const int shape = linear(t, 1.5 * T, u5, -7.5, product(t, Q, product(t, u5, u2)));
    const int radial = linear(t, -G * k[0] * k[1] / m, u3, -G / m, shape);
    for (int j = 0; j < 3; j++) {
        t->rate[j] = 21 + j;
        t->rate[21 + j] = linear(t, 1, product(t, radial, j), -3 * G / m, product(t, u5, F[j]));
    }
    return t;
}

/* ---- Series ----------------------------------------------------------------------------------------- */

typedef double vector __attribute__((vector_size(8 * RIVAL_LANES)));

struct series {
    tape *tape;
    vector (*c)[ORDER + 1]; /* (values, ORDER + 1) coefficients */
};

series *rival_series_create(const rival *r)
{
    series *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->tape = r->record(r->k);
    s->c = s->tape ? aligned_alloc(sizeof(vector), (size_t)s->tape->n * sizeof *s->c) : NULL;
    if (s->c)
        return s;
    rival_series_free(s);
    return NULL;
}

void rival_series_free(series *s)
{
    if (s) {
        free(s->tape);
        free(s->c);
    }
    free(s);
}

/* The k-th coefficient of an operation; two sums at a time, as each waits for itself. */
INLINE vector coefficient(const operation *o, vector (*c)[ORDER + 1], int i, int k)
{
    const vector *a = c[o->a], *b = c[o->b], *own = c[i];
    vector even = {0}, odd = {0};
    switch (o->kind) {
    case LINEAR:
        return o->x * a[k] + o->z * b[k];
    case OFFSET:
        return k ? a[k] : a[k] + o->x;
    case PRODUCT:
        for (int j = 0; j < k; j += 2) {
            even += a[j] * b[k - j];
            odd += a[j + 1] * b[k - j - 1];
        }
        return k % 2 ? even + odd : even + odd + a[k] * b[0];
    case QUOTIENT:
        for (int j = 0; j < k; j++)
            even += own[j] * b[k - j];
        return (a[k] - even) / b[0];
    default:
        for (int l = 0; l < RIVAL_LANES && !k; l++)
            odd[l] = pow(a[0][l], o->x);
        for (int j = 1; j <= k; j++)
            even += (o->x * j - (k - j)) * a[j] * own[k - j];
        return k ? even / (k * a[0]) : odd;
    }
}

/* The largest coefficient of y in a lane. */
static double largest(const series *s, int k, int lane)
{
    double most = 0;
    for (int i = 0; i < s->tape->numbers; i++)
        most = fmax(most, fabs(s->c[i][k][lane]));
    return most;
}

INLINE int64_t run_series(series *s, int p, double *y, double t)
{
    const tape *of = s->tape;
    vector(*c)[ORDER + 1] = s->c, h = {0}, left = h + t;
    int64_t steps = 0;
    for (int i = 0; i < of->numbers; i++)
        for (int l = 0; l < RIVAL_LANES; l++)
            c[i][0][l] = y[l * of->numbers + i];
    for (bool more = true; more; steps++) {
        for (int k = 0; k < p; k++) {
            for (int i = of->numbers; i < of->n; i++)
                c[i][k] = coefficient(&of->at[i], c, i, k);
            for (int i = 0; i < of->numbers; i++)
                c[i][k + 1] = c[of->rate[i]][k] * (1.0 / (k + 1));
        }
        more = false;
        for (int l = 0; l < RIVAL_LANES; l++) {
            const double size = fmax(1, largest(s, 0, l)),
                         rho = fmin(pow(size / largest(s, p, l), 1.0 / p),
                                    pow(size / largest(s, p - 1, l), 1.0 / (p - 1)));
            h[l] = fmin(left[l], rho * exp(-2 - 0.7 / (p - 1)));
            left[l] -= h[l];
            more = more || left[l] > 0;
        }
        for (int i = 0; i < of->numbers; i++) {
            vector x = c[i][p];
            for (int k = p - 1; k >= 0; k--)
                x = x * h + c[i][k];
            c[i][0] = x;
        }
    }
    for (int i = 0; i < of->numbers; i++)
        for (int l = 0; l < RIVAL_LANES; l++)
            y[l * of->numbers + i] = c[i][0][l];
    return steps;
}

static int64_t run_plain(series *s, int p, double *y, double t)
{
    return run_series(s, p, y, t);
}

WIDE static int64_t run_wide(series *s, int p, double *y, double t)
{
    return run_series(s, p, y, t);
}

int64_t rival_series_run(series *s, double tolerance, double *y, double t)
{
    const int p = (int)fmin(ORDER, ceil(1 - log(tolerance) / 2));
    return (wide_runs() ? run_wide : run_plain)(s, p, y, t);
}

/* ---- The systems ------------------------------------------------------------------------------------ */

#define RECORD(name, ...)                                                                                    \
    static tape *name(const double *k)                                                                       \
    {                                                                                                        \
        return __VA_ARGS__;                                                                                  \
    }
RECORD(tape_link, record_links(1, 3, k))
RECORD(tape_links, record_links(2, 3, k))
RECORD(tape_circles, record_links(2, 2, k))
RECORD(tape_body, record_body(false, k))
RECORD(tape_top, record_body(true, k))

/* W_11 = 1 / (m_1 l_1^2), W_12 = -1 / (m_1 l_1 l_2), W_22 = (m_1 + m_2) / (m_1 m_2 l_2^2), c_1 = g / l_1 */
#define SQUARE (9.81 * 9.81)
static const double link_k[] = {1, 0, 0, 0, 0, -9.81},
                    links_k[] = {1 / SQUARE, -1 / SQUARE, 2 / SQUARE, 0, 0, 1},
                    circles_k[] = {1, -1 / 0.7, 3 / (2 * 0.49), 0, -9.81}, body_k[] = {0.6, 0.8, 1, 0, 0, 0},
                    top_k[] = {1.2, 1.4, 0.5, 0, 0, 9.81};
/* kg, km */
#define OF_ELLIPSOID(m, a, b, c)                                                                             \
    (m) / 5e6 * ((b) * (b) + (c) * (c)), (m) / 5e6 * ((c) * (c) + (a) * (a)),                                \
        (m) / 5e6 * ((a) * (a) + (b) * (b))
static const double pair_k[] = {5.2e11, 3.7e9, OF_ELLIPSOID(5.2e11, 425, 415, 340),
                                OF_ELLIPSOID(3.7e9, 88, 80, 60), 6.6743e-20};

static const rival link_rival = {6, 1, link_k, loop_link, loop_link_wide, tape_link},
                   links_rival = {12, 1, links_k, loop_links, loop_links_wide, tape_links},
                   circles_rival = {8, 1, circles_k, loop_circles, loop_circles_wide, tape_circles},
                   body_rival = {12, 1, body_k, loop_body, loop_body_wide, tape_body},
                   top_rival = {12, 1, top_k, loop_top, loop_top_wide, tape_top},
                   pair_rival = {30, 1000, pair_k, loop_pair, loop_pair_wide, record_pair};

#define TWO_LINKS                                                                                            \
    "model: double-spherical-pendulum\nparameters: {masses: [1, 1], lengths: [9.81, 9.81]}\n"                \
    "initial:\n  q: [[0.8660254037844386, 0, 0.5], [0, 0, 1]]\n  omega: [[0, 0.5, 0], [0, 1, 0]]\n"
#define UPRIGHT "  q: [[1, 0, 0, 0, 1, 0, 0, 0, 1]]\n"

const ensembles_row ensembles_rows[ENSEMBLES] = {
    {"one-link", "a spherical pendulum",
     "model: spherical-pendulum\ninitial:\n  q: [[0.8, 0, -0.6]]\n  omega: [[0, 0, 0]]\n",
     "initial.omega[0][1]", 0, 3, "variational", 0.01, &link_rival},
    {"two-links", "a double spherical pendulum", TWO_LINKS, "initial.omega[1][1]", 0, 2, "variational", 0.01,
     &links_rival},
    {"two-links-order-6", "the same by order 6, with ten times the step", TWO_LINKS, "initial.omega[1][1]", 0,
     2, "{name: variational, order: 6}", 0.1, &links_rival},
    {"free-body", "a free rigid body",
     "model: free-rigid-body\ninitial:\n" UPRIGHT "  omega: [[3, 0.5, -0.9]]\n", "initial.omega[0][0]", 1, 3,
     "variational", 0.01, &body_rival},
    {"heavy-top", "a top that falls",
     "model: heavy-top\nparameters: {mass: 1, centre: [0, 0, 1], inertia: [0.2, 0.4, 0.5], gravity: 9.81}\n"
     "initial:\n" UPRIGHT "  omega: [[1, 0.5, 6]]\n",
     "initial.omega[0][0]", 1, 4, "variational", 0.01, &top_rival},
    {"binary", "a binary asteroid to the second degree",
     "model: binary\nparameters:\n  bodies: [{mass: 5.2e11, half-axes: [425, 415, 340]}, {mass: 3.7e9, half-axes: "
     "[88, 80, 60]}]\n  order: 2\ninitial:\n  q: [{a: 1190, e: 0.03, i: 0.01, true-anomaly: 0}, [1, 0, 0, 0], {euler: "
     "[0.05, 0, 0]}]\n  omega: [orbit, [0, 0, 7.7e-4], [0, 0, 1.46e-4]]\n",
     "initial.omega[2][2]", 1.4e-4, 1.6e-4, "variational", 180, &pair_rival},
    {"formula", "a double pendulum on two circles, by formulas",
     "model:\n  space: {a: S1, b: S1}\n  parameters: {m1: 1, m2: 2, l1: 1, l2: 0.7, g: 9.81}\n"
     "  where: {p: l1*a, s: p + l2*b}\n  kinetic: m1/2*dot(d(p), d(p)) + m2/2*dot(d(s), d(s))\n"
     "  potential: m1*g*p.y + m2*g*s.y\ninitial:\n  q: [{angle: 0.1}, {angle: -0.9}]\n  omega: [[0], [0]]\n",
     "initial.omega[1][0]", 0, 2, "variational", 0.01, &circles_rival},
};
