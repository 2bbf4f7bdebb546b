/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders of the compositions, judged in long double by a second formulation: the discrete Lagrangian at the
 * ends of a step in ambient coordinates, with multipliers for |q| = 1 and R^T R = I (Marsden, West, Acta
 * Numerica 10 (2001), section 3.5; for a constant inertia that is SHAKE),
 *     -D1 L_d(z, z+) = p + G(z)^T lambda,      g(z+) = 0,      p+ = D2 L_d(z, z+),
 *     L_d = (h/4) v^T (MM(z) + MM(z+)) v - (h/2) (U(z) + U(z+)),      v = (z+ - z)/h,
 * where p is determined up to G^T. It uses no chart, no exponential map and nothing of the library but the
 * digits of the coefficients, read from their source. In double, the library is compared with it step by
 * step, and its orders with what it has after small steps. */
#include "tests/kit/testkit.h"

#include "integrators/shared/compositions.h"

#include <ctype.h>
#include <float.h>
#include <stdbool.h>
#include <stdlib.h>

typedef long double real;

enum { N = 24, CONSTRAINTS = 12, BLOCKS = 4 };

/* ---- Mechanisms ---------------------------------------------------------------------------------- */

typedef struct mechanism {
    size_t n; /* ambient coordinates */
    real M[N][N], inverse[N][N];
    real slope[N];                                        /* of U, which is linear */
    size_t spheres, sphere[BLOCKS], bodies, body[BLOCKS]; /* where they begin */
    bool varying;                                         /* the inertia is mu(q) I in place of M */
} mechanism;

/* mu = 1 + 0.3 q_1 + 0.5 q_2^2 */
static real mu(const real *q)
{
    return 1 + 0.3L * q[0] + 0.5L * q[1] * q[1];
}

static void mu_slope(const real *q, real *to)
{
    to[0] = 0.3L;
    to[1] = q[1];
    to[2] = 0;
}

/* A mass whose k-th coordinate is form[k] . z, under gravity g along the third. */
static void add_mass(mechanism *m, real mass, real (*form)[N], real g)
{
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < m->n; i++)
            for (size_t j = 0; j < m->n; j++)
                m->M[i][j] += mass * form[k][i] * form[k][j];
    for (size_t i = 0; i < m->n; i++)
        m->slope[i] -= mass * g * form[2][i];
}

static void invert(mechanism *m)
{
    real a[N][2 * N] = {{0}};
    for (size_t i = 0; i < m->n; i++) {
        memcpy(a[i], m->M[i], m->n * sizeof(real));
        a[i][m->n + i] = 1;
    }
    for (size_t c = 0; c < m->n; c++) { /* positive definite: without interchanges */
        const real pivot = a[c][c];
        ck_assert(pivot > 0);
        for (size_t j = 0; j < 2 * m->n; j++)
            a[c][j] /= pivot;
        for (size_t i = 0; i < m->n; i++) {
            const real factor = a[i][c];
            for (size_t j = 0; j < 2 * m->n && i != c; j++)
                a[i][j] -= factor * a[c][j];
        }
    }
    for (size_t i = 0; i < m->n; i++)
        memcpy(m->inverse[i], a[i] + m->n, m->n * sizeof(real));
}

/* Links one below the other, from a point whose coordinates are form . z. */
static void add_links(mechanism *m, size_t links, const double *mass, const double *length, real (*form)[N],
                      real g)
{
    for (size_t i = 0; i < links; i++) {
        for (size_t k = 0; k < 3; k++)
            form[k][m->sphere[i] + k] = length[i];
        add_mass(m, mass[i], form, g);
    }
}

/* ---- Steps --------------------------------------------------------------------------------------- */

/* g (constraints) and their derivatives G (constraints x n). Returns how many. */
static size_t constrain(const mechanism *m, const real *z, real *g, real (*G)[N])
{
    size_t c = 0;
    memset(G, 0, CONSTRAINTS * sizeof *G);
    for (size_t i = 0; i < m->spheres; i++, c++) {
        const real *q = z + m->sphere[i];
        g[c] = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1) / 2;
        memcpy(G[c] + m->sphere[i], q, 3 * sizeof *q);
    }
    for (size_t i = 0; i < m->bodies; i++)
        for (size_t a = 0; a < 3; a++)
            for (size_t b = a; b < 3; b++, c++) {
                const real *R = z + m->body[i];
                g[c] = a == b ? -0.5L : 0;
                for (size_t k = 0; k < 3; k++) {
                    g[c] += R[3 * k + a] * R[3 * k + b] / 2;
                    G[c][m->body[i] + 3 * k + a] += R[3 * k + b] / 2;
                    G[c][m->body[i] + 3 * k + b] += R[3 * k + a] / 2;
                }
            }
    return c;
}

/* x <- A^-1 x, by elimination with interchanges. */
static void eliminate(size_t n, real (*A)[CONSTRAINTS], real *x)
{
    for (size_t c = 0; c < n; c++) {
        size_t best = c;
        for (size_t i = c + 1; i < n; i++)
            if (fabsl(A[i][c]) > fabsl(A[best][c]))
                best = i;
        for (size_t j = 0; j < n; j++) {
            const real t = A[c][j];
            A[c][j] = A[best][j];
            A[best][j] = t;
        }
        const real t = x[c];
        x[c] = x[best];
        x[best] = t;
        for (size_t i = c + 1; i < n; i++) {
            const real factor = A[i][c] / A[c][c];
            for (size_t j = c; j < n; j++)
                A[i][j] -= factor * A[c][j];
            x[i] -= factor * x[c];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
            x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
}

/* to <- MM^-1 x, of the mean of both ends where it varies. */
static void divide(const mechanism *m, const real *z, const real *next, const real *x, real *to)
{
    const real mean = m->varying ? (mu(z) + mu(next)) / 2 : 1;
    for (size_t i = 0; i < m->n; i++) {
        to[i] = m->varying ? x[i] / mean : 0;
        for (size_t j = 0; j < m->n && !m->varying; j++)
            to[i] += m->inverse[i][j] * x[j];
    }
}

/* The impulse of what depends on the configuration at one end: (h/2) (v^T MM' v / 2 - U'). */
static void push(const mechanism *m, const real *z, const real *v, real h, real *to)
{
    real dmu[3] = {0}, square = 0;
    if (m->varying)
        mu_slope(z, dmu);
    for (size_t i = 0; i < m->n; i++)
        square += v[i] * v[i];
    for (size_t i = 0; i < m->n; i++)
        to[i] = h / 2 * ((m->varying ? dmu[i] * square / 2 : 0) - m->slope[i]);
}

/* Where it is, and what addition has cut off. */
typedef struct place {
    real z[N], p[N], z_low[N], p_low[N];
} place;

static void add(real *x, real *low, real more)
{
    const real y = more + *low, sum = *x + y;
    *low = y - (sum - *x);
    *x = sum;
}

/* Newton in the multipliers, while what depends on z+ besides follows by iteration, until nothing changes. As
 * D1 L_d + D2 L_d is what U and MM' give at both ends, p is advanced by that and the multipliers. */
static void make_step(const mechanism *m, place *at, real h)
{
    real G[CONSTRAINTS][N], next_G[CONSTRAINTS][N], g[CONSTRAINTS],
        lambda[CONSTRAINTS] = {0}, next[N], v[N], first[N], last[N], pull[N], turned[CONSTRAINTS][N],
        A[CONSTRAINTS][CONSTRAINTS], before = INFINITY;
    const size_t c = constrain(m, at->z, g, G);
    memcpy(next, at->z, sizeof next);
    divide(m, at->z, at->z, at->p, v);
    for (int pass = 0; pass < 400; pass++) {
        real change = 0, x[N];
        push(m, at->z, v, h, first);
        for (size_t i = 0; i < m->n; i++) {
            pull[i] = 0;
            for (size_t k = 0; k < c; k++)
                pull[i] += G[k][i] * lambda[k];
            x[i] = at->p[i] + (at->p_low[i] + pull[i] + first[i]);
        }
        divide(m, at->z, next, x, v);
        for (size_t i = 0; i < m->n; i++) {
            const real moved = at->z[i] + (h * v[i] + at->z_low[i]);
            change = fmaxl(change, fabsl(moved - next[i]));
            next[i] = moved;
        }
        const bool settled = change < 1e-17L && !(change < before);
        before = fminl(before, change);
        if (settled)
            break;
        constrain(m, next, g, next_G);
        for (size_t k = 0; k < c; k++)
            divide(m, at->z, next, G[k], turned[k]);
        for (size_t k = 0; k < c; k++)
            for (size_t l = 0; l < c; l++) {
                A[k][l] = 0;
                for (size_t i = 0; i < m->n; i++)
                    A[k][l] += h * next_G[k][i] * turned[l][i];
            }
        eliminate(c, A, g);
        for (size_t k = 0; k < c; k++)
            lambda[k] -= g[k];
    }
    ck_assert(before < 1e-17L);
    push(m, next, v, h, last);
    for (size_t i = 0; i < m->n; i++) {
        add(&at->z[i], &at->z_low[i], h * v[i]);
        add(&at->p[i], &at->p_low[i], pull[i] + first[i] + last[i]);
    }
}

/* ---- Coefficients -------------------------------------------------------------------------------- */

/* gamma (stages) <- with all digits of the source. */
static void read_gammas(const ph_composition *of, real *gamma)
{
    char path[4096], line[256], name[64];
    const char *source = getenv("top_srcdir");
    size_t n = 0;
    bool inside = false;
    snprintf(path, sizeof path, "%s/integrators/shared/compositions.c", source ? source : ".");
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    snprintf(name, sizeof name, " %s[] = {", of->name);
    for (char *c = name; *c != '['; c++)
        *c = *c == '-' ? '_' : *c;
    while (n < (of->stages + 1) / 2 && fgets(line, sizeof line, file)) {
        char *at = inside ? line : strstr(line, name);
        if (!at)
            continue;
        at += inside ? 0 : strlen(name);
        inside = true;
        for (char *end; n < (of->stages + 1) / 2; at = end + strspn(end, ", \n")) {
            gamma[n] = strtold(at, &end);
            if (end == at)
                break;
            gamma[of->stages - 1 - n] = gamma[n];
            n++;
        }
    }
    fclose(file);
    ck_assert_msg(n == (of->stages + 1) / 2, "%s: %zu coefficients are found", of->name, n);
}

enum { WORDS = 7 };

static const ph_composition *composition(int i)
{
    int order;
    return ph_composition_chosen(0, i + 1, &order);
}

TEST_EACH(digits_are_those_of_the_library, WORDS)
{
    const ph_composition *c = composition(_i);
    real gamma[PH_MOST_STAGES], sum = 0;
    read_gammas(c, gamma);
    for (size_t i = 0; i < c->stages; i++) {
        ck_assert(ph_composition_gamma(c, i) == (double)gamma[i]);
        sum += gamma[i];
    }
    ck_assert(fabsl(sum - 1) < 4 * LDBL_EPSILON);
}

/* z <- after so many steps of h from there; c NULL: of order 2. */
static void compose(const mechanism *m, const ph_composition *c, real h, int64_t steps, const place *from,
                    real *z)
{
    real gamma[PH_MOST_STAGES] = {1};
    const size_t stages = c ? c->stages : 1;
    place at = *from;
    if (c)
        read_gammas(c, gamma);
    for (int64_t k = 0; k < steps; k++)
        for (size_t i = 0; i < stages; i++)
            make_step(m, &at, gamma[i] * h);
    memcpy(z, at.z, sizeof at.z);
}

/* ---- Problems ------------------------------------------------------------------------------------ */

typedef struct trouble {
    mechanism m;
    ph_system *system;
    double z[N], zdot[N];
} trouble;

static void double_pendulum(trouble *t)
{
    static const double mass[2] = {1, 1}, length[2] = {9.81, 9.81}, gravity[3] = {0, 0, 9.81};
    const double q0[6] = {sqrt(3) / 2, 0, 0.5, 0, 0, 1}, w0[6] = {-sqrt(3) / 4, 0, 0.75, 0, 1, 0};
    real form[3][N] = {{0}};
    tk_chain chain;
    tk_chain_fill(&chain, 2, mass, length, gravity);
    t->system = tk_chain_linkage(&chain);
    memcpy(t->z, q0, sizeof q0);
    ph_cross3(w0, q0, t->zdot);
    ph_cross3(w0 + 3, q0 + 3, t->zdot + 3);
    t->m = (mechanism){.n = 6, .spheres = 2, .sphere = {0, 3}};
    add_links(&t->m, 2, mass, length, form, gravity[2]);
}

static void heavy_top(trouble *t)
{
    static const double mass = 15, centre[3] = {0, 1, 0}, moments[3] = {0.234375, 0.46875, 0.234375};
    real form[3][N] = {{0}};
    t->system = tk_model("heavy-top");
    tk_preset("heavy-top", NULL, 0, "slow", t->z, t->zdot);
    t->m = (mechanism){.n = 9, .bodies = 1, .body = {0}};
    for (size_t k = 0; k < 3; k++)
        for (size_t j = 0; j < 3; j++) {
            form[k][3 * k + j] = centre[j];
            t->m.M[3 * k + j][3 * k + j] =
                ((real)moments[0] + moments[1] + moments[2]) / 2 - (real)moments[j];
        }
    add_mass(&t->m, mass, form, -9.81);
}

static void cart_chain(trouble *t)
{
    static const double mass[2] = {0.5, 0.25}, length[2] = {1, 0.75}, cart = 1;
    const ph_parameter_value values[] = {
        {"masses", mass, 2}, {"lengths", length, 2}, {"cart_mass", &cart, 1}};
    real form[3][N] = {{0}};
    tk_random r = {5};
    t->system = tk_build("cart-chain", values, 3);
    tk_random_motion(t->system, &r, t->z, t->zdot);
    t->m = (mechanism){.n = 8, .spheres = 2, .sphere = {2, 5}};
    form[0][0] = form[1][1] = 1;
    add_mass(&t->m, cart, form, -9.81);
    add_links(&t->m, 2, mass, length, form, -9.81);
}

static void quadrotor(trouble *t)
{
    static const double mass[2] = {0.5, 0.25}, length[2] = {1, 0.75}, own = 1,
                        attachment[3] = {0.25, 0, -0.5}, moments[3] = {0.5, 0.625, 0.75};
    const ph_parameter_value values[] = {{"masses", mass, 2},
                                         {"lengths", length, 2},
                                         {"mass", &own, 1},
                                         {"attachment", attachment, 3},
                                         {"inertia", moments, 3}};
    real form[3][N] = {{0}};
    tk_random r = {6};
    t->system = tk_build("quadrotor-cable", values, 5);
    tk_random_motion(t->system, &r, t->z, t->zdot);
    t->m = (mechanism){.n = 18, .spheres = 2, .sphere = {12, 15}, .bodies = 1, .body = {3}};
    for (size_t k = 0; k < 3; k++)
        form[k][k] = 1;
    add_mass(&t->m, own, form, -9.81);
    for (size_t k = 0; k < 3; k++)
        for (size_t j = 0; j < 3; j++) {
            form[k][3 + 3 * k + j] = attachment[j];
            t->m.M[3 + 3 * k + j][3 + 3 * k + j] +=
                ((real)moments[0] + moments[1] + moments[2]) / 2 - (real)moments[j];
        }
    add_links(&t->m, 2, mass, length, form, -9.81);
}

static ph_status varying_inertia(void *user, const double *z, double *M)
{
    const real q[3] = {z[0], z[1], z[2]};
    (void)user;
    memset(M, 0, 9 * sizeof *M);
    M[0] = M[4] = M[8] = (double)mu(q);
    return PH_OK;
}

static ph_status varying_inertia_dz(void *user, const double *z, double *dM)
{
    const real q[3] = {z[0], z[1], z[2]};
    real slope[3];
    (void)user;
    mu_slope(q, slope);
    memset(dM, 0, 27 * sizeof *dM);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            dM[9 * i + 3 * i + k] = (double)slope[k];
    return PH_OK;
}

static ph_status weight(void *user, const double *z, double *U)
{
    (void)user;
    *U = 2 * z[2];
    return PH_OK;
}

static ph_status weight_slope(void *user, const double *z, double *dU)
{
    (void)user, (void)z;
    dU[0] = dU[1] = 0;
    dU[2] = 2;
    return PH_OK;
}

static void varying(trouble *t)
{
    const ph_factor sphere = {.kind = PH_FACTOR_S2};
    ph_system_definition d = {.ambient_inertia_at = varying_inertia,
                              .inertia_dz = varying_inertia_dz,
                              .potential = weight,
                              .gradient = weight_slope};
    tk_random r = {7};
    ph_error err;
    TK_OWN(ph_space) *space = tk_space(&sphere, 1);
    d.space = space;
    ck_assert_msg(!ph_system_create(&d, &t->system, &err), "%s", err.message);
    tk_random_motion(t->system, &r, t->z, t->zdot);
    t->m = (mechanism){.n = 3, .spheres = 1, .sphere = {0}, .varying = true, .slope = {0, 0, 2}};
}

static const struct {
    const char *name;
    void (*make)(trouble *t);
    double speed;        /* what its velocities are multiplied by */
    double time, longer; /* in long double, and for more to be seen in double */
    int64_t steps[4]; /* from which on the next order shows little: in long double for order 8, in double for
                         4, 6 and 8 */
} problems[] = {
    {"double pendulum", double_pendulum, 1, 4, 20, {64, 256, 256, 320}},
    {"heavy top", heavy_top, 1, 1, 3, {16, 64, 32, 32}},
    {"cart chain", cart_chain, 0.5, 1, 2, {64, 96, 192, 128}},
    {"quadrotor", quadrotor, 0.5, 2, 4, {8, 64, 32, 12}},
    {"inertia that varies", varying, 1, 2, 6, {16, 64, 32, 48}},
};
enum { PROBLEMS = sizeof problems / sizeof problems[0] };

/* Data in double are on the manifold to the rounding of double. */
static void put_on_manifold(const mechanism *m, real *z)
{
    for (size_t i = 0; i < m->spheres; i++) {
        real *q = z + m->sphere[i];
        const real norm = sqrtl(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        for (size_t k = 0; k < 3; k++)
            q[k] /= norm;
    }
    for (size_t i = 0; i < m->bodies; i++)
        for (int pass = 0; pass < 2; pass++) { /* R <- R (3 I - R^T R)/2 */
            real R[9], S[9] = {0};
            memcpy(R, z + m->body[i], sizeof R);
            for (size_t a = 0; a < 9; a++)
                for (size_t k = 0; k < 3; k++)
                    S[a] += R[3 * k + a / 3] * R[3 * k + a % 3];
            for (size_t a = 0; a < 9; a++) {
                z[m->body[i] + a] = 1.5L * R[a];
                for (size_t k = 0; k < 3; k++)
                    z[m->body[i] + a] -= R[a / 3 * 3 + k] * S[3 * k + a % 3] / 2;
            }
        }
}

static void set_out(trouble *t, int i, place *at)
{
    memset(t, 0, sizeof *t);
    memset(at, 0, sizeof *at);
    problems[i].make(t);
    ck_assert_uint_eq(t->m.n, ph_space_ambient(ph_system_space(t->system)));
    if (!t->m.varying)
        invert(&t->m);
    for (size_t j = 0; j < t->m.n; j++) {
        t->zdot[j] *= problems[i].speed;
        at->z[j] = t->z[j];
    }
    put_on_manifold(&t->m, at->z);
    for (size_t j = 0; j < t->m.n; j++) {
        at->p[j] = t->m.varying ? mu(at->z) * t->zdot[j] : 0;
        for (size_t k = 0; k < t->m.n && !t->m.varying; k++)
            at->p[j] += t->m.M[j][k] * t->zdot[k];
    }
}

static real difference(const real *a, const real *b, size_t n)
{
    real most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmaxl(most, fabsl(a[i] - b[i]));
    return most;
}

/* z <- of the library after so many steps. */
static void by_library(const trouble *t, const ph_composition *c, double h, int64_t steps, real *z)
{
    TK_BEGIN(it, state, tk_start_with, t->system, ph_method_find("variational", NULL), "composition",
             c ? c->name : NULL, h, 0, t->z, t->zdot);
    tk_ok(ph_integrator_step(it, state, steps));
    for (size_t i = 0; i < t->m.n; i++)
        z[i] = state->z[i];
}

/* ---- Tests --------------------------------------------------------------------------------------- */

/* The same map, up to the rounding of double. */
TEST_EACH(the_library_makes_these_steps, PROBLEMS)
{
    trouble t;
    place start;
    set_out(&t, _i, &start);
    const double h = problems[_i].time / 64;
    for (int word = -1; word < WORDS; word++) {
        const ph_composition *c = word < 0 ? NULL : composition(word);
        const int64_t steps = c ? 16 : 64;
        real z[N], own[N];
        compose(&t.m, c, h, steps, &start, z);
        by_library(&t, c, h, steps, own);
        const real off = difference(z, own, t.m.n);
        printf("%s, %s: %.1Le after %d steps\n", problems[_i].name, c ? c->name : "order 2", off, (int)steps);
        ck_assert(difference(z, start.z, t.m.n) > 0.01L);
        ck_assert(off < 1e-14L);
    }
    ph_system_free(t.system);
}

/* The motion until this time, by very small steps. */
static void find_truth(const trouble *t, double time, int64_t steps, const place *start, real *truth)
{
    compose(&t->m, composition(WORDS - 1), (real)time / (real)steps, steps, start, truth);
}

/* What a halving divides an error by: the power of two, over a row of them. */
typedef struct row {
    const char *name, *word;
    real before;
    int halvings; /* of which both errors were above the least that is rounding no more */
    real off;     /* largest |slope - order| over these */
} row;

static void halve(row *r, int64_t steps, real error, real least, int order)
{
    const real slope = r->before > 0 ? log2l(r->before / error) : 0;
    printf("%s, %s, %d steps: error %.1Le, slope %.2Lf\n", r->name, r->word, (int)steps, error, slope);
    if (r->before > 0 && error > least) {
        r->halvings++;
        r->off = fmaxl(r->off, fabsl(slope - (real)order));
    }
    r->before = error;
}

TEST_EACH(order_8_in_long_double, PROBLEMS)
{
    enum { HALVINGS = 3 };
    trouble t;
    place start;
    real truth[N], z[N];
    const double time = problems[_i].time;
    const int64_t first = problems[_i].steps[0];
    set_out(&t, _i, &start);
    find_truth(&t, time, first << (HALVINGS + 1), &start, truth);
    for (int word = 4; word < WORDS; word++) {
        const ph_composition *c = composition(word);
        row r = {.name = problems[_i].name, .word = c->name};
        ck_assert_int_eq(c->order, 8);
        for (int k = 0; k <= HALVINGS; k++) {
            compose(&t.m, c, (real)time / (real)(first << k), first << k, &start, z);
            halve(&r, first << k, difference(z, truth, t.m.n), 4e-18L, 8);
        }
        ck_assert_int_ge(r.halvings, 2);
        ck_assert(r.off <= 0.3L);
    }
    ph_system_free(t.system);
}

/* Of the library, over errors above 1e-12. The best of order 8 is at its order only where its error is less
 * than that already, but on the top: there is nothing to be seen of it on the others. */
TEST_EACH(orders_in_double, PROBLEMS)
{
    enum { HALVINGS = 6 };
    static const real tolerance[] = {0.1L, 0.2L, 0.3L};
    trouble t;
    place start;
    real truth[N], z[N];
    const double time = problems[_i].longer;
    set_out(&t, _i, &start);
    find_truth(&t, time, 4 * problems[_i].steps[3], &start, truth);
    for (int word = 0; word < WORDS; word++) {
        const ph_composition *c = composition(word);
        const int64_t first = problems[_i].steps[c->order / 2 - 1];
        row r = {.name = problems[_i].name, .word = c->name};
        real error = INFINITY;
        for (int k = 0; k <= HALVINGS && error > 1e-12L; k++) {
            by_library(&t, c, time / (double)(first << k), first << k, z);
            error = difference(z, truth, t.m.n);
            halve(&r, first << k, error, 1e-12L, c->order);
        }
        ck_assert(r.off <= tolerance[c->order / 2 - 2]);
        ck_assert(r.halvings > 0 || word == WORDS - 1);
    }
    ph_system_free(t.system);
}

int main(void)
{
    if (!tk_extended()) {
        puts("skipped: long double is no more than double");
        return 77;
    }
    return tk_run("precision");
}
