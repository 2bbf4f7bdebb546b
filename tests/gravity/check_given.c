/* SPDX-License-Identifier: BSD-3-Clause */
/* Given bodies: the motion, potential, forces, torques and rate of a flyby, a Sun and a close companion against 60-digit
 * arithmetic (U by its definition, all else by its differences); end states of two perturbed binaries; the energy against the
 * work; distance alone against two bodies in space; Hill's equations; what is refused. */
#include <polhode/domain/gravitation.h>

#include "lib/gravity/anomaly.h"
#include "tests/kit/binaries.h"

/* ---- Two ellipsoids ------------------------------------------------------------------------------------------------------- */

static void make_bodies(ph_mass mass[2])
{
    static const double a[3] = {425, 415, 340}, b[3] = {88, 85, 58};
    tk_ok(ph_mass_ellipsoid(5.2e11, a, &mass[0], NULL));
    tk_ok(ph_mass_ellipsoid(4.5e9, b, &mass[1], NULL));
}

static ph_gravitation *describe(const ph_given_body *given, bool relative)
{
    ph_mass mass[2];
    make_bodies(mass);
    const ph_gravitation_definition d = {.bodies = 2,
                                         .mass = mass,
                                         .order = 2,
                                         .G = 6.6743e-11,
                                         .relative = relative,
                                         .given = given,
                                         .n_given = given ? 1 : 0};
    return tk_gravitation(d);
}

#define EARTH                                                                                                \
    {                                                                                                        \
        .mass = 5.9722e24, .orbit = {                                                                        \
            .axis = -11072e3,                                                                                \
            .eccentricity = 9.1284,                                                                          \
            .inclination = .1745,                                                                            \
            .node = .1745,                                                                                   \
            .periapsis = .1745,                                                                              \
            .passage = 3600                                                                                  \
        }                                                                                                    \
    }
#define SUN                                                                                                  \
    {                                                                                                        \
        .mass = 1.989e30, .orbit = {.axis = 1.496e11, .periapsis = .3 }                                      \
    }
#define ECCENTRIC                                                                                            \
    {                                                                                                        \
        .mass = 1.989e30, .orbit = {                                                                         \
            .axis = 1.496e11,                                                                                \
            .eccentricity = .6,                                                                              \
            .inclination = .2,                                                                               \
            .node = -1,                                                                                      \
            .periapsis = 2,                                                                                  \
            .passage = -3e6                                                                                  \
        }                                                                                                    \
    }

/* ---- Many digits ------------------------------------------------------------------------------------------------------------ */

typedef struct truth {
    ph_given_body given;
    bool far, points;
    double t, X[3], V[3], U, F[3], A[3], B[3], rate;
} truth;

/* clang-format off */
static const truth truths[] = {
{EARTH, false, false, 3000, {85968740.63839882699, 26821707.54497995653, 2025404.425027024463},
 {-2244.979819980011172, 6204.671969774080666, 1145.941446375387142}, -5333439.125548895044,
 {5648.27463727940484, 1911.310188683096301, 371.6064232975835206},
 {-609024.4831246074537, 710911.4409540075345, 708680.5193737933122},
 {-2.878592486747129879, 15.82684836604960254, 151.2436729803237307}, -32.88668526980824735},
{EARTH, true, false, 3000, {85968740.63839882699, 26821707.54497995653, 2025404.425027024463},
 {-2244.979819980011172, 6204.671969774080666, 1145.941446375387142}, -5333391.323393573496,
 {5648.163147974147285, 1911.269353857157096, 371.5943139514740322},
 {-609024.6887945589911, 710911.6658673722481, 708680.7682492682741},
 {-2.87962249709392098, 15.83257104085461413, 151.2370252314735439}, -32.88744834807560248},
{EARTH, false, true, 5000, {81386569.89967539322, 39197261.76439894439, 4314243.218003646745},
 {-2336.179372426310874, 6168.71055901516456, 1142.48934624976491}, -3386207.986838999371,
 {4940.687502507366686, 3012.16391171781077, 581.87157370935304},
 {0, 0, 0}, {0, 0, 0}, 233.2414127623891931},
{SUN, false, false, 123456, {141788455353.1784573, 47709474201.24978975, 0.0},
 {-9500.085050904627952, 28233.43597143024212, 0.0}, -390.2990679914488768,
 {0.4065074886645909793, 0.1527771019937753183, 0.01238266550631899103},
 {-30.0661316361904897, 36.08249347063231833, 51.70637040652225861},
 {-0.002472836497758044473, 0.01234930309460190802, 0.01199323055075676428}, 5.762032014763665472e-6},
{ECCENTRIC, false, false, 5e6, {-173134228397.3908989, -82356064585.26020179, -38552327276.87739814},
 {-2487.434646738138707, -21364.4955301175309, -2764.233157963802789}, -154.1117587879347598,
 {0.1519000179829536362, 0.09253210645507123447, 0.06035063449413564991},
 {-4.294964458271986461, 3.235871516261483383, 21.33026688088225218},
 {0.01022981976429812003, -0.03076566303426504855, 0.008006680544697135908}, 0.00003420610244861793236},
{ECCENTRIC, true, false, 5e6, {-173134228397.3908989, -82356064585.26020179, -38552327276.87739814},
 {-2487.434646738138707, -21364.4955301175309, -2764.233157963802789}, -154.1117593156765445,
 {0.1519000191321840627, 0.09253210735943220089, 0.06035063521727274953},
 {-4.294964458880691596, 3.235871516833596886, 21.33026687789124103},
 {0.01022982007165469503, -0.03076566383481847252, 0.008006680707695320434}, 0.00003420610264593738816},
{{.mass = 3e12, .orbit = {.axis = 4000, .eccentricity = .3, .inclination = .4, .node = 1, .periapsis = 2, .passage = 100}},
 false, false, 2500, {-2657.469030308977919, -426.1968898173526325, 848.084265865899936},
 {0.005921433953638437869, -0.2949431124818531115, -0.06948232743016062524}, -70466583.62702114008,
 {53636.25429108609839, 6884.128634208063137, -21416.06577579508655},
 {-6819704.288677318843, 17635519.28351594697, 8658014.476890896289},
 {-490.8124194522636264, 8549.013023343399128, 265.2209529070505735}, -1283.269981792442571}};
/* clang-format on */
enum { TRUTHS = sizeof truths / sizeof *truths };

static double off(const double *a, const double *b)
{
    return tk_max_difference(a, b, 3) / tk_max(ph_max_norm(b, 3), 1e-300);
}

/* Rounding: X has some units of its size, and k = G M_S/D^3 three times that. Potential and force are sums of terms that
 * cancel to a third at most, a torque is the cross product of n and J n, which are nearly parallel: relative to the
 * differences of the moments of inertia that enter it. The rate of a circle is a difference of X.V, which is 0, from what
 * turns; it is bounded by the sum of its terms, U |V|/D. */
TEST_EACH(many_digits, TRUTHS)
{
    const truth *q = &truths[_i];
    static const double qa[4] = {1, 2, -3, 5}, qb[4] = {20, 1, 0, 1};
    ph_given_body given = q->given;
    given.far = q->far;
    given.points = q->points;
    TK_OWN(ph_gravitation) *g = describe(&given, true);
    double z[21] = {1190, 310, -70}, X[3], V[3], F[3], T[6], U, rate;
    tk_attitude(qa, z + 3);
    tk_attitude(qb, z + 12);
    ph_gravitation_given_place(g, 0, q->t, X, V);
    ph_gravitation_forces(g, PH_ATTRACT_GIVEN, q->t, z, F, T, &U);
    ph_gravitation_rate(g, PH_ATTRACT_GIVEN, q->t, z, &rate);
    const double turning = fabs(q->U) * ph_norm3(q->V) / ph_norm3(q->X);
    printf("X %.1e V %.1e U %.1e F %.1e T_A %.1e T_B %.1e rate %.1e\n", off(X, q->X), off(V, q->V),
           fabs(U / q->U - 1), off(F, q->F), q->points ? 0 : off(T, q->A), q->points ? 0 : off(T + 3, q->B),
           fabs(rate - q->rate) / turning);
    ck_assert_double_le(off(X, q->X), 2e-15);
    ck_assert_double_le(off(V, q->V), 2e-15);
    ck_assert_double_le(fabs(U / q->U - 1), 1e-14);
    ck_assert_double_le(off(F, q->F), 1e-14);
    ck_assert_double_le(fabs(rate - q->rate) / turning, 1e-14);
    if (q->points) {
        ck_assert(ph_max_norm(T, 6) == 0);
    } else {
        ck_assert_double_le(off(T, q->A), 3e-14);
        ck_assert_double_le(off(T + 3, q->B), 3e-14);
    }
    /* parts add */
    double F2[3], T2[6], U2, F3[3], T3[6], U3;
    ph_gravitation_forces(g, PH_ATTRACT_ALL, q->t, z, F2, T2, &U2);
    ph_gravitation_forces(g, PH_ATTRACT_POINTS | PH_ATTRACT_SHAPES, q->t, z, F3, T3, &U3);
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_eq_tol(F2[k], F3[k] + F[k], 1e-15 * ph_norm3(F2));
    ck_assert_double_eq_tol(U2, U3 + U, 1e-15 * fabs(U2));
}

/* x - sin x, or sinh x - x, without cancellation. */
static long double less_linear(long double x, bool closed)
{
    long double term = x, sum = 0;
    if (fabsl(x) > 1)
        return closed ? x - sinl(x) : sinhl(x) - x;
    for (int k = 2; k < 40; k += 2) {
        term *= (closed ? -x : x) * x / (k * (k + 1));
        sum += term;
    }
    return closed ? -sum : sum;
}

/* Kepler's equation at all eccentricities, by its residual in long double: the anomaly is off by so many units of its
 * rounding. Close to e = 1 it is as sensitive as M is: E grows with the third root of M there. */
TEST(keplers_equation)
{
    tk_random r = {3};
    const long double pi = acosl(-1.L);
    double worst = 0;
    for (int trial = 0; trial < 20000; trial++) {
        const bool closed = trial % 3 != 0;
        const double e = closed ? (trial % 2 ? tk_uniform(&r, 0, 1) : 1 - tk_log_uniform(&r, 1e-8, 1))
                                : 1 + tk_log_uniform(&r, 1e-8, 100),
                     M = (trial % 5 ? 1 : -1) *
                         (closed ? tk_log_uniform(&r, 1e-8, 3.14159) : tk_log_uniform(&r, 1e-8, 1e6));
        const long double E = ph_eccentric_anomaly(e, M), half = closed ? sinl(E / 2) : sinhl(E / 2);
        const long double value = (closed ? 1 : -1) * (1.L - e) * E + e * less_linear(E, closed) - M,
                          slope = fabsl(1.L - e) + 2 * e * half * half;
        worst = fmax(worst, (double)(fabsl(value / slope) / fabsl(E)) / 0x1p-53);
        ck_assert(!closed || fabsl(E) <= pi);
    }
    printf("Kepler's equation: off by %.1f units\n", worst);
    ck_assert_double_le(worst, 6);
    ck_assert(ph_eccentric_anomaly(.3, 0) == 0 && ph_eccentric_anomaly(3, 0) == 0);
    ck_assert_double_eq_tol(ph_eccentric_anomaly(.3, 1e3),
                            ph_eccentric_anomaly(.3, remainder(1e3, 2 * acos(-1.))), 1e-13);
}

/* ---- Motions ---------------------------------------------------------------------------------------------------------------- */

/* z, zdot (21) <- the reference problem, distance alone. */
static void begin_relative(double z[21], double zdot[21])
{
    static const double x[3] = {1190, 0, 0}, v[3] = {0, .1715, 0}, q[2][4] = {{1, 0, 0, 0}, {20, 1, 0, 1}},
                        spin[2] = {7.7227e-4, 1.44e-4};
    memcpy(z, x, sizeof x);
    memcpy(zdot, v, sizeof v);
    for (size_t i = 0; i < 2; i++) {
        const double S[9] = {0, -spin[i], 0, spin[i], 0, 0, 0, 0, 0};
        tk_attitude(q[i], z + 3 + 9 * i);
        ph_multiply3(z + 3 + 9 * i, S, zdot + 3 + 9 * i);
    }
}

static void follow(const ph_system *system, const char *order, double T, int64_t n, double *z, double *zdot)
{
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find("variational", NULL), "order", order,
             T / (double)n, 0, z, zdot);
    tk_steps(it, state, n);
    TK_MEMORY double *work = malloc(ph_system_work(system) * sizeof *work);
    memcpy(z, state->z, state->nz * sizeof *z);
    tk_ok(ph_system_velocity(system, 0, state->z, state->p, zdot, work));
}

/* End states of an extrapolation of order 16 in double precision, two step sizes of which agree to 2e-9 m and 2e-8 m; the
 * steps here are chosen so that order 8 is below that. */
static const struct {
    ph_given_body given;
    double T, x[3], w[3], agree;
    int64_t steps;
} ends[] = {{EARTH,
             7200,
             {630.842639404582, 1032.05769584558, 0.744265313069802},
             {5.75931022e-9, 3.64369277e-8, 7.722364464414e-4},
             4e-9,
             60},
            {SUN, 40000, {1118.70701896, -401.19157716, -0.23811225}, {0, 0, 0}, 3e-8, 160}};

TEST_EACH(end_states, 2)
{
    double z[21], zdot[21], Omega[3], S[9];
    TK_OWN(ph_system) *system = tk_gravitating(describe(&ends[_i].given, true));
    begin_relative(z, zdot);
    follow(system, "8", ends[_i].T, ends[_i].steps, z, zdot);
    printf("off by %.1e m\n", tk_max_difference(z, ends[_i].x, 3));
    ck_assert_double_le(tk_max_difference(z, ends[_i].x, 3), ends[_i].agree);
    ph_transposed_multiply3(z + 3, zdot + 3, S);
    ph_vee3(S, Omega);
    if (ends[_i].w[2] != 0)
        ck_assert_double_le(tk_max_difference(Omega, ends[_i].w, 3), 1e-16);
}

/* Order by halving against order 8. */
TEST(orders)
{
    static const struct {
        const char *word;
        int64_t steps;
        double order;
    } at[] = {{"2", 60, 2}, {"4", 30, 4}};
    TK_OWN(ph_system) *system = tk_gravitating(describe(&ends[0].given, true));
    for (size_t k = 0; k < 2; k++) {
        double error[2];
        for (int64_t half = 0; half < 2; half++) {
            double z[21], zdot[21];
            begin_relative(z, zdot);
            follow(system, at[k].word, 7200, at[k].steps << half, z, zdot);
            error[half] = tk_max_difference(z, ends[0].x, 3);
        }
        printf("order %s: %.2e, %.2e m, measured %.2f\n", at[k].word, error[0], error[1],
               log2(error[0] / error[1]));
        ck_assert_double_eq_tol(log2(error[0] / error[1]), at[k].order, k ? 0.2 : 0.05);
    }
}

/* E(T) - E(0) is the integral of dU/dt along the motion: by Simpson's rule at the steps of order 8, whose error is that of
 * the rule: h^4, which halving shows. */
TEST(energy_by_work)
{
    double off_by[2];
    TK_OWN(ph_system) *system = tk_gravitating(describe(&ends[0].given, true));
    ck_assert(!ph_system_is_conservative(system) && ph_system_has_power(system));
    ck_assert_uint_eq(ph_system_symmetries(system), 0);
    for (int half = 0; half < 2; half++) {
        const int n = 48 << half;
        const double h = 7200. / n;
        double z[21], zdot[21], work[21], integral = 0, power, first = 0;
        ph_measures m;
        begin_relative(z, zdot);
        TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
        TK_BEGIN(it, state, tk_start_with, system, ph_method_find("variational", NULL), "order", "8", h, 0, z,
                 zdot);
        for (int k = 0; k <= n; k++) {
            tk_ok(ph_diagnostics_measure(d, state, &m));
            first = k ? first : m.energy;
            tk_ok(ph_system_power(system, state->t, state->z, zdot, &power,
                                  work)); /* without forces: zdot is idle */
            integral += h / 3 * (k == 0 || k == n ? 1 : k % 2 ? 4 : 2) * power;
            if (k < n)
                tk_steps(it, state, 1);
        }
        off_by[half] = fabs(integral / (m.energy - first) - 1);
        printf("E changes by %.6e J, the work is off by %.1e of it\n", m.energy - first, off_by[half]);
    }
    ck_assert_double_le(off_by[0], 1e-4);
    ck_assert_double_le(off_by[1], off_by[0] / 12);
}

/* Two bodies in space, from the barycentre at rest: the same distance as by the distance alone. The barycentre moves by 8e-6 m,
 * as the field is not linear; that changes the perturbation, 37 m, by 1e-13 of it. */
TEST(in_space)
{
    double z[21], zdot[21], zs[24], vs[24];
    const double a = 5.2e11, b = 4.5e9, share[2] = {-b / (a + b), a / (a + b)};
    TK_OWN(ph_system) *relative = tk_gravitating(describe(&ends[0].given, true)),
                      *space = tk_gravitating(describe(&ends[0].given, false));
    begin_relative(z, zdot);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k++) {
            zs[3 * i + k] = share[i] * z[k];
            vs[3 * i + k] = share[i] * zdot[k];
        }
    memcpy(zs + 6, z + 3, 18 * sizeof *zs);
    memcpy(vs + 6, zdot + 3, 18 * sizeof *vs);
    follow(relative, "8", 7200, 60, z, zdot);
    follow(space, "8", 7200, 60, zs, vs);
    double x[3];
    for (size_t k = 0; k < 3; k++)
        x[k] = zs[3 + k] - zs[k];
    printf("distances differ by %.1e m, the barycentre has moved by %.1e m\n", tk_max_difference(x, z, 3),
           fabs(share[1] * zs[0] - share[0] * zs[3]));
    ck_assert_double_le(tk_max_difference(x, z, 3), 1e-10);
    ck_assert_double_le(tk_max_difference(zs + 6, z + 3, 18), 1e-12);
}

TEST_EACH(derivatives, 2)
{
    double z[21], zdot[21];
    ph_derivative_report r;
    ph_given_body given = {.mass = 3e12,
                           .orbit = {.axis = 4000, .eccentricity = .3, .inclination = .4, .node = 1},
                           .far = _i == 1};
    TK_OWN(ph_system) *system = tk_gravitating(describe(&given, true));
    begin_relative(z, zdot);
    tk_ok(ph_system_check_derivatives(system, 300, z, zdot, &r, NULL));
    for (size_t k = 0; k < r.n; k++) {
        printf("%s %.1e\n", r.entry[k].name, r.entry[k].error);
        ck_assert_double_lt(r.entry[k].error, PH_DERIVATIVE_WRONG);
    }
    ck_assert_ptr_nonnull(ph_derivative_report_entry(&r, PH_DERIVATIVE_IN_TIME));
    ck_assert_ptr_nonnull(ph_derivative_report_entry(&r, PH_DERIVATIVE_RATE));
}

/* ---- Hill's equations -------------------------------------------------------------------------------------------------------- */

/* In axes that turn at the rate n about e3, e1 away from the Sun. */
static void hill(double n, double mu, const double *y, double *dy)
{
    const double r = ph_norm3(y), pull = mu / (r * r * r);
    for (size_t k = 0; k < 3; k++)
        dy[k] = y[3 + k];
    dy[3] = 3 * n * n * y[0] + 2 * n * y[4] - pull * y[0];
    dy[4] = -2 * n * y[3] - pull * y[1];
    dy[5] = -n * n * y[2] - pull * y[2];
}

static void hill_step(double n, double mu, double h, double *y)
{
    double k[4][6], at[6];
    static const double go[4] = {0, .5, .5, 1};
    for (int s = 0; s < 4; s++) {
        for (size_t i = 0; i < 6; i++)
            at[i] = y[i] + (s ? go[s] * h * k[s - 1][i] : 0);
        hill(n, mu, at, k[s]);
    }
    for (size_t i = 0; i < 6; i++)
        y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* A distant Sun on a circle, two points: Hill's equations by the classical Runge-Kutta method, v_rot = v - n e3 x x. The
 * Sun is on the other side in Hill's equations with e1 away from it; its tide is the same on both. */
TEST(hills_equations)
{
    const double G = 6.6743e-11, n = 1e-5, a = 1e9, T = 2e5;
    const ph_given_body sun = {
        .mass = n * n * a * a * a / G, .orbit = {.axis = a}, .far = true, .points = true};
    ph_mass mass[2];
    tk_ok(ph_mass_sphere(5.2e11, 0, &mass[0], NULL));
    tk_ok(ph_mass_sphere(4.5e9, 0, &mass[1], NULL));
    const ph_gravitation_definition d = {
        .bodies = 2, .mass = mass, .G = G, .relative = true, .given = &sun, .n_given = 1};
    ph_gravitation *g = tk_gravitation(d);
    TK_OWN(ph_system) *system = tk_gravitating(g);
    double z[3] = {3000, 100, 200}, v[3] = {.01, .1, .02},
           y[6] = {3000, 100, 200, .01 + n * 100, .1 - n * 3000, .02};
    follow(system, "8", T, 1000, z, v);
    for (int k = 0; k < 20000; k++)
        hill_step(n, G * 5.245e11, T / 20000, y);
    double x1[3], v1[3];
    ph_gravitation_turn_axes(ph_system_gravitation(system), n * T, n, z, v, x1, v1);
    printf("off by %.1e m of %.0f m, %.1e m/s\n", tk_max_difference(x1, y, 3), ph_norm3(z),
           tk_max_difference(v1, y + 3, 3));
    ck_assert_double_le(tk_max_difference(x1, y, 3), 1e-7);
    ck_assert_double_le(tk_max_difference(v1, y + 3, 3), 1e-12);
}

/* Of a body that turns at the rate of the axes nothing is seen to turn; there and back is the identity; a place that rests in
 * the axes rests. */
TEST(turning_axes)
{
    TK_OWN(ph_gravitation) *g = describe(NULL, true);
    const double angle = 0.8, rate = 1e-3, S[9] = {0, -rate, 0, rate, 0, 0, 0, 0, 0};
    double z[21], zdot[21], z1[21], zdot1[21];
    begin_relative(z, zdot);
    memset(zdot, 0, sizeof zdot);
    zdot[1] = rate * z[0]; /* e3 x x */
    for (size_t i = 0; i < 2; i++)
        ph_multiply3(S, z + 3 + 9 * i, zdot + 3 + 9 * i);
    ph_gravitation_turn_axes(g, angle, rate, z, zdot, z1, zdot1);
    ck_assert_double_le(ph_max_norm(zdot1, 21), 1e-18);
    ck_assert_double_eq_tol(z1[0], 1190 * cos(angle), 1e-12);
    ck_assert_double_eq_tol(z1[1], -1190 * sin(angle), 1e-12);
    ck_assert_double_eq_tol(z1[6], -sin(angle), 1e-15); /* A's e1 axis, second component */
    ph_gravitation_turn_axes(g, -angle, -rate, z1, zdot1, z1, zdot1);
    ck_assert_double_le(tk_max_difference(z, z1, 21), 3e-13);
    ck_assert_double_le(tk_max_difference(zdot, zdot1, 21), 1e-15);
}

/* Of a given body on a circle about e3 the potential is at rest in axes that turn with it, and E - n L_3 is conserved, with
 * all terms and with those of a distant body. */
TEST_EACH(jacobi, 2)
{
    ph_given_body given = {.mass = 3e13, .orbit = {.axis = 12000, .periapsis = .4}, .far = _i == 1};
    TK_OWN(ph_system) *system = tk_gravitating(describe(&given, true));
    const double n = sqrt(6.6743e-11 * 3e13 / 12000) / 12000, reduced = 5.2e11 * (4.5e9 / (5.2e11 + 4.5e9));
    double z[21], zdot[21], first = 0, worst = 0, energy = 0, E0 = 0;
    ph_measures m;
    begin_relative(z, zdot);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find("variational", NULL), "order", "8", 200, 0, z,
             zdot);
    for (int k = 0; k <= 200; k++) {
        double L = state->z[0] * state->p[1] - state->z[1] * state->p[0];
        for (size_t i = 0; i < 2; i++)
            L += ph_dot3(state->z + 9 + 9 * i, state->p + 3 + 3 * i); /* third row of R, Pi */
        tk_ok(ph_diagnostics_measure(d, state, &m));
        const double J = m.energy - n * L;
        first = k ? first : J;
        E0 = k ? E0 : m.energy;
        worst = fmax(worst, fabs(J - first));
        energy = fmax(energy, fabs(m.energy - E0));
        if (k < 200)
            tk_steps(it, state, 1);
    }
    printf("E - n L changes by %.1e of %.1e J, E by %.1e J\n", worst, 0.5 * reduced * .1715 * .1715, energy);
    ck_assert_double_gt(energy, 1e3 * worst);
    ck_assert_double_le(worst, 1e-9 * 0.5 * reduced * .1715 * .1715);
}

/* ---- Refused ---------------------------------------------------------------------------------------------------------------- */

TEST(refused)
{
    const struct {
        ph_given_body given;
        ph_status status;
        const char *said;
    } at[] = {
        {{.mass = 0, .orbit = {.axis = 1}}, PH_E_RANGE, "mass of given body 1 is 0"},
        {{.mass = 1, .orbit = {.axis = 1, .eccentricity = 1}},
         PH_E_RANGE,
         "eccentricity of given body 1 is 1"},
        {{.mass = 1, .orbit = {.axis = 1, .eccentricity = -.1}}, PH_E_RANGE, "eccentricity"},
        {{.mass = 1, .orbit = {.axis = 1, .eccentricity = 1.5}}, PH_E_RANGE, "it must be negative"},
        {{.mass = 1, .orbit = {.axis = -1, .eccentricity = .5}}, PH_E_RANGE, "it must be positive"},
        {{.mass = 1, .orbit = {.axis = 1, .mu = -1}}, PH_E_RANGE, "mu of the orbit"},
        {{.mass = 1, .orbit = {.axis = 1, .node = NAN}}, PH_E_NOT_FINITE, "given body 1 is not finite"}};
    ph_mass mass[2];
    make_bodies(mass);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        ph_gravitation *g;
        const ph_gravitation_definition d = {
            .bodies = 2, .mass = mass, .order = 2, .G = 1, .given = &at[i].given, .n_given = 1};
        tk_refused(ph_gravitation_create(&d, &g, tk_err), at[i].status, at[i].said);
        ck_assert_ptr_null(g);
    }
}

int main(void)
{
    return tk_run("given bodies");
}
