/* SPDX-License-Identifier: BSD-3-Clause */
/* That what the manual calls GUBAS's mistakes ("From GUBAS and GRIT") is what GUBAS does: its 30 numbers by its equations, with
 * these mistakes, end where GUBAS itself ended; and its variational integrator is the map of `variational`. Its example,
 * Didymos, with each of its perturbations. In km, kg and s, all vectors in A (Hou, Scheeres, Xin 2017, section 3, as GUBAS
 * codes it):
 *
 *     r' = r x w_A + v,   v' = v x w_A + F/m + perturbations,   w_A' = J_A^-1 (J_A w_A x w_A + T_A),
 *     w_B' = C J_B^-1 C^T (L_B x w_A + T_B - C' J_B C^T w_B - C J_B (C^T)' w_B),   L_B = C J_B C^T w_B,
 *     Cc' = Cc S(w_A),   C' = C S(C^T w_B) - S(w_A) C,   (C^T)' = -S(C^T w_B) C^T + C^T S(w_A).
 *
 * C is only a rotation at the ends of a step. In between its terms are taken as they stand, and B's moments with their traces,
 * because GUBAS's results depend on both (2e-11 after two hours). */
#include <polhode/domain/gravitation.h>
#include <polhode/domain/gravity.h>
#include <polhode/kit/vector.h>

#include "tests/kit/binaries.h"

enum { NONE, PLANET, SUN, HILL, TIDES };
enum { R = 0, V = 3, WA = 6, WB = 9, CC = 12, C = 21, NUMBERS = 30 }; /* Cc: A to N, C: B to A */

static const double pi = 3.14159265358979323846, G = 6.67e-20, density = 2203.111036687207e9,
                    axes[3] = {0.10316, 0.07935, 0.06613}; /* of B [km] */

/* A body far away on a Kepler orbit about the barycentre. */
typedef struct orbit {
    double mass, a, e, inclination, node, argument, periapsis; /* a [km], angles [rad], time there [s] */
} orbit;
static const orbit planet = {5.9722e24, -11072, 9.1284, 0.1745, 0.1745, 0.1745, 3600},
                   sun = {1.988e30,          246013901.32, 0.38362664,   0.059475759,
                          1.277649080300677, 5.573215038,  2582993.15688};

typedef struct gubas {
    int what;
    size_t order;
    ph_mass A;      /* [kg km^n] */
    double M[2], m; /* reduced mass */
    double J[2][3]; /* the diagonals alone */
} gubas;

/* ---- Perturbations, with their mistakes ---------------------------------------------------------------- */

/* state (6) <- place and velocity, axes N. Kepler's equation is solved to 1e-3 rad; the mean anomaly is not reduced. */
static void find_place(const orbit *o, double t, double state[6])
{
    const double e = o->e, a = o->a, mu = G * o->mass, M = sqrt(mu / pow(fabs(a), 3)) * (t - o->periapsis);
    const bool open = e > 1;
    double x = open ? copysign(fmin(fabs(M), acos(-1 / e)), M) : M, off;
    while (off = open ? M - e * sinh(x) + x : x - M - e * sin(x), fabs(off) > 1e-3)
        x -= off / (1 - e * (open ? cosh(x) : cos(x)));
    const double f = 2 * atan(sqrt(fabs((1 + e) / (1 - e))) * (open ? tanh(x / 2) : tan(x / 2)));
    const double ci = cos(o->inclination), si = sin(o->inclination), cn = cos(o->node), sn = sin(o->node),
                 cw = cos(o->argument), sw = sin(o->argument);
    const double node[3] = {cn, sn, 0}, across[3] = {-ci * sn, ci * cn, si};
    const double p = a * (1 - e * e), r = p / (1 + e * cos(f)), v = sqrt(mu / p);
    for (int k = 0; k < 3; k++) {
        const double P = cw * node[k] + sw * across[k], Q = -sw * node[k] + cw * across[k];
        state[k] = r * (cos(f) * P + sin(f) * Q);
        state[3 + k] = v * (-sin(f) * P + (e + cos(f)) * Q);
    }
}

/* The secondary is taken to be at 1 - nu r, that is (1, 1, 1) km - nu r, not (1 - nu) r; torques are not added. */
static void add_third_body(const gubas *g, const orbit *o, double t, const double *x, double *acc)
{
    const double nu = g->M[1] / (g->M[0] + g->M[1]);
    double X[6], at[3], b[3], a[3];
    find_place(o, t, X);
    ph_apply_transposed3(x + CC, X, at);
    for (int k = 0; k < 3; k++) {
        b[k] = at[k] - (1 - nu * x[k]);
        a[k] = at[k] + nu * x[k];
    }
    const double b3 = pow(ph_norm3(b), 3), a3 = pow(ph_norm3(a), 3);
    for (int k = 0; k < 3; k++)
        acc[k] += G * o->mass * (b[k] / b3 - a[k] / a3);
}

/* Hill's terms act on r and v, but attitudes and spins are not those against the axes that turn. */
static void add_hill(const gubas *g, const double *x, double *acc)
{
    double r[3], v[3], turned[3];
    const double n = sqrt(G * (1.989e30 + g->M[0] + g->M[1]) / pow(149597870.7, 3));
    ph_apply3(x + CC, x + R, r);
    ph_apply3(x + CC, x + V, v);
    const double tide[3] = {3 * n * n * r[0] + 2 * n * v[1], -2 * n * v[0], -n * n * r[2]};
    ph_apply_transposed3(x + CC, tide, turned);
    for (int k = 0; k < 3; k++)
        acc[k] += turned[k];
}

/* Factor 1 (3/2 as a division of whole numbers), the reference radius in m in a formula of km, the torque with the sign that
 * speeds a fast body up, and smoothed by the whole relative spin, not its part across r. */
static void add_tides(const gubas *g, const double *x, double *acc, double *T[2])
{
    const double *r = x + R, r2 = ph_dot3(r, r), love = 0.1, lag = 0.4, reference[2] = {0.66, 0.225};
    double way[3], sum[3] = {0}, across[3];
    ph_cross3(r, x + V, way);
    for (int i = 0; i < 2; i++) {
        const double *w = x + (i ? WB : WA);
        double relative[3], part[3];
        for (int k = 0; k < 3; k++)
            relative[k] = w[k] - way[k] / r2;
        const double along = ph_dot3(relative, r) / r2;
        for (int k = 0; k < 3; k++)
            part[k] = relative[k] - along * r[k];
        const double spin = ph_norm3(relative), slope = sqrt(pi * G * density / 6) * g->J[i][2],
                     K = 1 * love * pow(3 / (4 * pi * density), 2) * G * pow(g->M[0] * g->M[1], 2) *
                         sin(2 * lag) / reference[i] / (r2 * r2 * r2),
                     size = spin > fabs(K / slope) ? K : spin * slope;
        for (int k = 0; k < 3; k++) {
            T[i][k] += size * part[k] / ph_norm3(part);
            sum[k] += size * part[k] / ph_norm3(part);
        }
    }
    ph_cross3(r, sum, across);
    for (int k = 0; k < 3; k++)
        acc[k] += across[k] / r2 / g->m;
}

/* ---- Equations ----------------------------------------------------------------------------------------- */

/* B <- the image of the ellipsoid under x -> C x, C any matrix: with S = C diag(a^2) C^T, int x_i x_k dm = M S_ik/5 and
 * int x_i x_j x_k x_l dm = M (S_ij S_kl + S_ik S_jl + S_il S_jk)/35. */
static void turn_ellipsoid(double M, const double *turn, ph_mass *B)
{
    double S[3][3] = {{0}}, T[35], *next = T;
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            S[i / 3][i % 3] += turn[i / 3 * 3 + k] * axes[k] * axes[k] * turn[i % 3 * 3 + k];
    for (int a = 0; a <= 4; a++)
        for (int b = 0; b <= 4 - a; b++)
            for (int c = 0; c <= 4 - a - b; c++) {
                int v[4], n = 0;
                for (int k = 0; k < a + b + c; k++)
                    v[n++] = k < a ? 0 : k < a + b ? 1 : 2;
                *next++ = n == 0   ? M
                          : n == 2 ? M * S[v[0]][v[1]] / 5
                          : n == 4 ? M *
                                         (S[v[0]][v[1]] * S[v[2]][v[3]] + S[v[0]][v[2]] * S[v[1]][v[3]] +
                                          S[v[0]][v[3]] * S[v[1]][v[2]]) /
                                         35
                                   : 0;
            }
    tk_ok(ph_mass_from_moments(T, 4, 0, B, NULL));
}

static void find_rate(const gubas *g, double t, const double *x, double *dx)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *wa = x + WA, *wb = x + WB;
    double acc[3], hat[9], turned[9], L[3], own[3], Jown[3], part[3], sum[3];
    ph_mass B;
    ph_attraction f;
    turn_ellipsoid(g->M[1], x + C, &B);
    ph_attract(&g->A, &B, g->order, G, x + R, identity, &f);
    for (int k = 0; k < 3; k++)
        acc[k] = f.force[k] / g->m;
    if (g->what == PLANET || g->what == SUN)
        add_third_body(g, g->what == PLANET ? &planet : &sun, t, x, acc);
    else if (g->what == HILL)
        add_hill(g, x, acc);
    else if (g->what == TIDES)
        add_tides(g, x, acc, (double *[2]){f.torque_a, f.torque_b});
    ph_cross3(x + R, wa, dx + R);
    ph_cross3(x + V, wa, dx + V);
    for (int k = 0; k < 3; k++) {
        dx[R + k] += x[V + k];
        dx[V + k] += acc[k];
        L[k] = g->J[0][k] * wa[k];
    }
    ph_cross3(L, wa, dx + WA);
    for (int k = 0; k < 3; k++)
        dx[WA + k] = (dx[WA + k] + f.torque_a[k]) / g->J[0][k];
    ph_hat3(wa, hat);
    ph_multiply3(x + CC, hat, dx + CC);
    ph_multiply3(hat, x + C, turned);
    ph_apply_transposed3(x + C, wb, own);
    ph_hat3(own, hat);
    ph_multiply3(x + C, hat, dx + C);
    for (int k = 0; k < 9; k++)
        dx[C + k] -= turned[k];
    for (int k = 0; k < 3; k++)
        Jown[k] = g->J[1][k] * own[k];
    ph_apply3(x + C, Jown, L);
    ph_cross3(L, wa, sum);
    ph_apply3(dx + C, Jown, part);
    for (int k = 0; k < 3; k++)
        sum[k] += f.torque_b[k] - part[k];
    ph_cross3(wa, wb, part); /* (C^T)' w_B = C^T (w_A x w_B), as own x own = 0 */
    ph_apply_transposed3(x + C, part, own);
    for (int k = 0; k < 3; k++)
        own[k] *= g->J[1][k];
    ph_apply3(x + C, own, part);
    for (int k = 0; k < 3; k++)
        sum[k] -= part[k];
    ph_apply_transposed3(x + C, sum, own);
    for (int k = 0; k < 3; k++)
        own[k] /= g->J[1][k];
    ph_apply3(x + C, own, dx + WB);
}

static void step(const gubas *g, double t, double h, double *x)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double k[NUMBERS] = {0}, y[NUMBERS], sum[NUMBERS] = {0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < NUMBERS; i++)
            y[i] = x[i] + at[s] * h * k[i];
        find_rate(g, t + at[s] * h, y, k);
        for (int i = 0; i < NUMBERS; i++)
            sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < NUMBERS; i++)
        x[i] += h / 6 * sum[i];
}

/* ---- What GUBAS wrote ---------------------------------------------------------------------------------- */

/* End states at 7200 s that GUBAS (master 8db57ff, built from source) wrote for its example with h = 30 s: r, v [km,
 * s], w_A, w_B, the first rows of Cc and C; by RK4, and by its variational integrator (LGVI). */
static const struct {
    const char *name;
    size_t order;
    int what;
    double end[18];
} written[] = {
    /* clang-format off */
    {"order 4, RK4", 4, NONE,
     {-0.24547877770384893, 1.1754867875157105, 7.788215573926552e-05, -0.00017192413300854236, -3.579038454473149e-05, 2.8256716060079933e-08, -5.028836504586734e-09, -8.39837659031488e-10, 0.0007722645261211378, 4.757266079799597e-09, -8.606331014493158e-10, 0.00014638358497880336, 0.7499088302731097, 0.6615411897696238, 1.0811224414348511e-06, -0.20472931615990062, -0.9788186282241486, 2.515107221250616e-07}},
    {"order 2, RK4, flyby at 9.0e4 km, 3600 s", 2, PLANET,
     {-0.24562779652301733, 1.159413122242873, -0.013072727898092967, -0.00017382938575129602, -3.944298490479044e-05, -3.184765952423529e-06, -8.961007456038057e-11, -4.6214371232846354e-10, 0.0007722616503053651, -6.645655480009825e-07, 8.446954366657276e-09, 0.00014624580939000286, 0.7499088174035178, 0.6615412043591943, -7.54928790235481e-08, -0.20423790413233828, -0.9789212822722735, -3.852136731209782e-05}},
    {"order 2, RK4, heliocentric", 2, SUN,
     {-0.24573331988426872, 1.1750771522497563, -7.206213442268878e-07, -0.00017198198992003253, -3.5837885447421705e-05, -1.9063965925979126e-10, -3.914021329854643e-15, -2.4842423342393373e-14, 0.0007722618641063186, -3.625004212747152e-11, 8.607526471252309e-13, 0.00014642070662598868, 0.7499088324746276, 0.6615411872749116, -4.994072682011998e-12, -0.20485136073535964, -0.9787930934875158, -1.7883920213344146e-09}},
    {"order 2, RK4, solar gravity (Hill)", 2, HILL,
     {-0.24488675440247443, 1.1769441849801179, 0.0, -0.0001718647762217604, -3.5207855447195546e-05, 0.0, 0.0, 0.0, 0.0007722618792407434, 0.0, 0.0, 0.0001463916058013685, 0.7499088256709573, 0.6615411949874069, 0.0, -0.20480951581478302, -0.9788018502667927, 0.0}},
    {"order 2, RK4, tides (k 0.1, lag 0.4)", 2, TIDES,
     {-0.2457321646824147, 1.1750778808552436, 0.0, -0.0001719816028258804, -3.58377572971599e-05, 0.0, 0.0, 0.0, 0.0007722619088089882, 0.0, 0.0, 0.0001464458955898377, 0.7499089389644393, 0.6615410665603377, 0.0, -0.20476150800525872, -0.9788118944380382, 0.0}},
};
static const double lgvi[18] =
    {-0.24489637673556847, 1.1756111229420623, 7.78854113598113e-05, -0.0001719416087037689, -3.570431433651659e-05, 2.8259645300615502e-08, -5.0295657737768765e-09, -8.403241738362107e-10, 0.0007722645264051356, 4.755915878218088e-09, -8.633041837923172e-10, 0.0001463835307722117, 0.7502378940034319, 0.6611679834959647, 1.0832422272053005e-06, -0.20424553069377235, -0.9789196919010051, 2.4436780572137205e-07};
/* clang-format on */
enum { WRITTEN_BY_RK4 = sizeof written / sizeof written[0] };

static gubas example(size_t order, int what)
{
    gubas g = {.what = what, .order = order, .A = tk_binary_mass(TK_DIDYMOS, 0)};
    double size = 1;
    for (size_t n = 0, i = 0; n <= PH_MASS_DEGREE; n++, size /= 1000)
        for (; i < (n + 1) * (n + 1); i++)
            g.A.moment[i] *= size;
    g.M[0] = g.A.moment[0];
    g.M[1] = 4 * density * pi * axes[0] * axes[1] * axes[2] / 3;
    g.m = g.M[0] * g.M[1] / (g.M[0] + g.M[1]);
    for (int k = 0; k < 3; k++) {
        const double b = axes[(k + 1) % 3], c = axes[(k + 2) % 3];
        g.J[0][k] = g.A.J[4 * k] / 1e6;
        g.J[1][k] = g.M[1] * (b * b + c * c) / 5;
    }
    return g;
}

/* The largest difference of r, v, w_A, w_B and the first rows of Cc and C, in units of their sizes. */
static double compare(const double *x, const double *end)
{
    static const double scale[6] = {1.2, 1.8e-4, 7.7e-4, 7.7e-4, 1, 1};
    static const int first[6] = {R, V, WA, WB, CC, C};
    double worst = 0;
    for (int i = 0; i < 6; i++)
        worst = tk_max(worst, tk_max_difference(x + first[i], end + 3 * i, 3) / scale[i]);
    return worst;
}

TEST_EACH(end_states, WRITTEN_BY_RK4)
{
    const gubas g = example(written[_i].order, written[_i].what);
    double x[NUMBERS] = {[R] = 1.2,
                         [V + 1] = 0.175704287113523e-3,
                         [WA + 2] = 0.000772269580528,
                         [WB + 2] = 0.000146420239261};
    for (int k = 0; k < 3; k++)
        x[CC + 4 * k] = x[C + 4 * k] = 1;
    for (int k = 0; k < 240; k++)
        step(&g, 30 * k, 30, x);
    const double off = compare(x, written[_i].end);
    printf("%s: %.1e\n", written[_i].name, off);
    ck_assert(off < 4e-13); /* rounding of 240 steps in GUBAS's order of operations and in this one */
    /* where a perturbation is on, another one would not pass */
    for (size_t i = 0; i < WRITTEN_BY_RK4; i++)
        ck_assert((int)i == _i || compare(x, written[i].end) > 1e-9);
}

/* The variational integrator, in the axes of A there, in axes that do not turn here. */
TEST(variational)
{
    TK_OWN(ph_system) *system = tk_binary_system(TK_DIDYMOS, 4, true);
    double z[21], p[9], x[NUMBERS];
    tk_binary_start(system, TK_DIDYMOS, z, p);
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(system, ph_method_find("variational", NULL), 30, NULL, 0, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set(it, state, 0, z, p, PH_STRICT, NULL));
    tk_steps(it, state, 240);
    const gubas g = example(4, NONE);
    const double *Cc = state->z + 3;
    double omega[3];
    ph_apply_transposed3(Cc, state->z, x + R);
    ph_apply_transposed3(Cc, state->p, x + V);
    memcpy(x + CC, Cc, 9 * sizeof *x);
    ph_transposed_multiply3(Cc, state->z + 12, x + C);
    for (int k = 0; k < 3; k++) {
        x[R + k] /= 1000;
        x[V + k] /= 1000 * g.m;
        x[WA + k] = state->p[3 + k] / (1e6 * g.J[0][k]);
        omega[k] = state->p[6 + k] / (1e6 * g.J[1][k]);
    }
    ph_apply3(x + C, omega, x + WB);
    const double off = compare(x, lgvi);
    printf("order 4, LGVI: %.1e\n", off);
    ck_assert(off < 2e-12); /* rounding of 240 steps in two formulations */
}

int main(void)
{
    return tk_run("gubas's mistakes");
}
