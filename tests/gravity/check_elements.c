/* SPDX-License-Identifier: BSD-3-Clause */
/* Osculating elements: against 60-digit arithmetic of the vectors of Laplace and of the angular momentum, whose arcs of
 * cosines the code does not take; circular, equatorial and straight motion; from elements to the state and back; Kepler's
 * equation; the frame of the orbit and the angles against it. */
#include <polhode/domain/elements.h>

#include <float.h>

#include "tests/kit/testkit.h"

static const double pi = 3.14159265358979323846;

/* ---- Many digits -------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    double mu, x[3], v[3], elements[9];
} known[] = {
    {"two ellipsoids",
     24.694909999999997,
     {1100.0, 50.0, 30.0},
     {0.01, 0.15, 0.02},
     {1130.880535958644219, 998.3409315209979528, 0.117200358679171023, 0.1328329174514022656,
      -0.1599131231582192575, -1.256569863645055206, 1.463679695124777083, 1.233315719471111721,
      0.04719670832150261875}},
    {"kw4",
     166.056584,
     {-2565.905, 0.001, 0.0002},
     {0.0, -0.253119, 1e-05},
     {2540.492956132847879, 2515.080912246207222, 0.01000280037198883171, 0.0000395071862047314316,
      3.139619325104253699, -3.139658286491404735, -3.141554081927144586, -3.141553304449926622,
      3.141592263865290855}},
    {"nearly circular",
     1.0,
     {1.0, 0.0, 9.313225746154785e-10},
     {1.862645149230957e-09, 1.0, 4.656612873077393e-10},
     {1.000000000000000005, 0.9999999981373548549, 1.862645149664637901e-9, 1.04125029213437309e-9,
      -1.107148719284206624, -0.463647607161444031, 1.570796326445650655, 1.570796322720360355,
      2.168404336893073197e-19}},
    {"nearly in the plane",
     1.0,
     {0.8, 0.6, 1e-12},
     {-0.7, 0.9, 3e-12},
     {1.428571428571428617, 0.9993338510468324627, 0.3004663042672172983, 2.831581121327890126e-12,
      0.2825549524695874703, 0.4369012211465905594, -0.07595506482289368728, -0.03898639914380204543,
      0.6435011087932843424}},
    {"retrograde, nearly in the plane",
     3.0,
     {0.8, 0.6, 1e-10},
     {1.2, -1.1, 2e-11},
     {0.8955223880597015519, 0.7011484107928394066, 0.2170509412813293812, 3.141592653489598116,
      2.276716245584138307, -0.6795284580099599538, 2.312743594800813919, 1.955245658135686606,
      -2.373253924804594205}},
    {"hyperbola",
     2.0,
     {1.0, -2.0, 0.5},
     {1.5, 1.0, -0.25},
     {-1.276522240266145304, 2.256174756669246193, 2.767438659117173465, 0.2449786631268641542,
      3.141592653589793238, 2.227051484313195769, -0.2046217164387673309, -0.2502806654569127453,
      -1.1191628857153648}},
    {"fast hyperbola, coming",
     0.001,
     {-30.0, 2.0, 1.0},
     {4.0, 0.1, 0.2},
     {-0.00006230555403198693897, 3.711424585816322127, 59569.1178584965375, 2.403553707523262998,
      3.111601648732915338, 1.496548537308069377, -1.44712409882125719, -479143.1427080455345,
      -3.122159219959858952}},
    {"nearly parabola, bound",
     0.5,
     {0.6, 0.0, 0.8},
     {0.0, 0.9999999999990905, 0.0},
     {274881262428.2855031, 1.000000000000000022, 0.9999999999963620656, 0.9272952180016122768,
      -1.570796326794896619, 1.570796326794896619, 0.0, 0.0, 0.0}},
    {"nearly parabola, free, before the periapsis",
     1.0,
     {3.0, 4.0, 12.0},
     {-0.24, -0.1, -0.29294},
     {2313.153594893268757, 2.221626305292213658, 0.999039568185097228, 1.252253865388980001,
      0.01411073749432937151, -2.659402010124827806, -2.290295949119170451, -0.0002429138349566901199,
      1.347598085429917591}},
    {"long ellipse, far out",
     1.0,
     {2.0, 0.01, 0.02},
     {0.0001, 0.002, 0.003},
     {1.000075509842541101, 0.00002598439006877385922, 0.9999740175718602838, 0.9827558913436306411,
      -0.001667220862717616924, -3.12957329877645529, 3.141591644381946658, 3.141032667452699076,
      0.01035112474277375087}},
    {"at the periapsis of a long ellipse",
     1.0,
     {0.01, 0.002, 0.001},
     {-2.0, 9.0, 2.0},
     {0.009417968191699067766, 0.008588985617438536936, 0.08802138182959572491, 0.2355553247233819809,
      -0.2234766011406330211, -2.710180636118762422, 3.141592653589793238, 3.141592653589793238,
      0.2079354163303977953}},
};
enum { KNOWN = sizeof known / sizeof known[0] };

static double turn_between(double a, double b)
{
    return fabs(remainder(a - b, 2 * pi));
}

/* What rounding of the state itself does to the elements, in units of DBL_EPSILON: h by |x| |v| / |h|, 1/a by the cancellation
 * of its two terms, the periapsis by 1/e. (Measured: at most 2 of these units.) */
TEST_EACH(many_digits, KNOWN)
{
    const double *x = known[_i].x, *v = known[_i].v, *want = known[_i].elements;
    const double mu = known[_i].mu, r = ph_norm3(x), unit = 4 * DBL_EPSILON;
    double h[3];
    ph_elements el;
    ph_cross3(x, v, h);
    ph_elements_from_state(mu, x, v, &el);
    const double plane = r * ph_norm3(v) / ph_norm3(h), open = fabs(2 * want[0] / r) + 1;
    const double size = fmax(1, want[2]), apsis = plane * size / want[2];
    const double error[9] = {fabs(el.a / want[0] - 1) / open,
                             fabs(el.q / want[1] - 1) / plane,
                             fabs(el.e - want[2]) / (plane * size),
                             fabs(el.i / want[3] - 1) / plane,
                             turn_between(el.node, want[4]) / (plane / sin(want[3]) * want[3]),
                             turn_between(el.periapsis, want[5]) / (apsis + plane),
                             turn_between(el.true_anomaly, want[6]) / apsis,
                             fabs(el.mean_anomaly - want[7]) / (apsis * fmax(1, fabs(want[7]))),
                             turn_between(el.longitude, want[8]) / plane};
    for (size_t k = 0; k < 9; k++) {
        printf("%s: element %zu, error %.2g units\n", known[_i].name, k, error[k] / DBL_EPSILON);
        ck_assert_msg(error[k] <= unit, "%s: element %zu is off by %g", known[_i].name, k, error[k]);
    }
}

/* The mean anomaly near the parabola keeps its digits, though E - e sin E cancels there: against the exact time from the
 * periapsis by Barker's equation, whose next term is 1 - e. */
TEST(nearly_parabolic)
{
    for (int k = 0; k < 2; k++) {
        const double less = k ? -0x1p-44 : 0x1p-44, f = 1.2, D = tan(f / 2);
        const ph_elements el = {.q = 1, .e = 1 - less, .true_anomaly = f};
        ph_elements back;
        double x[3], v[3];
        tk_ok(ph_elements_state(1, &el, x, v, NULL));
        ph_elements_from_state(1, x, v, &back);
        /* t = sqrt(2 q^3/mu) (D + D^3/3), M = t / |a|^(3/2) with 1/|a| = |less|/q, which the state gives to eps / less */
        const double M = sqrt(2) * (D + D * D * D / 3) * pow(fabs(1 / back.a), 1.5);
        ck_assert_double_eq_tol(back.mean_anomaly / M, 1, 1e-12); /* 1 - e is 6e-14 */
        ck_assert((back.a > 0) == (less > 0));
    }
    /* a parabola: mu = 2, q = 1 */
    const double x[3] = {1, 0, 0}, v[3] = {0, 2, 0};
    ph_elements el;
    ph_elements_from_state(2, x, v, &el);
    ck_assert(isinf(el.a) && el.q == 1 && el.e == 1 && el.true_anomaly == 0 && el.mean_anomaly == 0);
}

/* ---- Where angles do not exist ------------------------------------------------------------------------------ */

TEST(without_angles)
{
    static const struct {
        double x[3], v[3], i, node, periapsis, anomaly, longitude;
    } at[] = {
        {{0, 1, 0}, {-1, 0, 0}, 0, 0, 0, 0.5, 0.5},  /* circle in the plane */
        {{0, 1, 0}, {1, 0, 0}, 1, 0, 0, -0.5, -0.5}, /* and backwards */
        {{0, 1, 0}, {0, 0, 1}, 0.5, 0.5, 0, 0, 0.5}, /* circle across the plane, at the node */
        {{0, -1, 0}, {0, 0, 1}, 0.5, -0.5, 0, 0, -0.5},
        {{-1, 0, 0}, {0, -1, -0.}, 0, 0, 0, 1, 1},     /* at the end of the range: pi, not -pi */
        {{0, 2, 0}, {-0.5, 0, 0}, 0, 0, -0.5, 1, 0.5}, /* ellipse in the plane, at the apoapsis */
    };
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
        ph_elements el;
        ph_elements_from_state(1, at[k].x, at[k].v, &el);
        ck_assert_double_eq_tol(el.i, at[k].i * pi, 1e-15);
        ck_assert_double_eq_tol(el.node, at[k].node * pi, 1e-15);
        ck_assert_double_eq_tol(el.periapsis, at[k].periapsis * pi, 1e-15);
        ck_assert_double_eq_tol(el.true_anomaly, at[k].anomaly * pi, 1e-15);
        ck_assert_double_eq_tol(el.mean_anomaly, at[k].anomaly * pi, 1e-15);
        ck_assert_double_eq_tol(el.longitude, at[k].longitude * pi, 1e-15);
    }
}

/* Falling along each axis and askew, and at rest: everything is finite, e = 1, q = 0, and the orbit's frame is a rotation. */
TEST(straight)
{
    static const double x[4][3] = {{0, 0, 2}, {3, 0, 0}, {0, -1, 0}, {1, 2, -2}};
    for (size_t k = 0; k < 8; k++) {
        double v[3], O[9], product[9];
        ph_elements el;
        for (size_t j = 0; j < 3; j++)
            v[j] = k < 4 ? -0.25 * x[k % 4][j] : 0;
        ph_elements_from_state(5, x[k % 4], v, &el);
        ph_orbit_frame(x[k % 4], v, O);
        const double all[9] = {
            el.a, el.q, el.e, el.i, el.node, el.periapsis, el.true_anomaly, el.mean_anomaly, el.longitude};
        ck_assert(ph_all_finite(all, 9));
        ck_assert(el.q == 0 && el.e == 1);
        ck_assert_double_eq(fabs(el.true_anomaly), pi);
        /* e sin E = x.v / sqrt(mu a), e cos E = 1 - r/a: the fall by Kepler's equation */
        const double r = ph_norm3(x[k % 4]), E = atan2(ph_dot3(x[k % 4], v) / sqrt(5 * el.a), 1 - r / el.a);
        ck_assert_double_eq_tol(el.mean_anomaly, E - sin(E), 1e-15);
        ph_transposed_multiply3(O, O, product);
        static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        ck_assert_double_le(tk_max_difference(product, one, 9), 4e-16);
        ck_assert_double_eq_tol(ph_determinant3(O), 1, 4e-16);
    }
}

/* ---- From elements ------------------------------------------------------------------------------------------ */

/* Elements -> state -> elements, and to the same state again, ellipses and hyperbolas, also with very small e and i. The state
 * that comes back is off by what rounding of the elements does to it: the true anomaly of a long conic near its far end.
 * (Measured: 8 and 4.5 units.) */
TEST(round_trip)
{
    tk_random r = {77};
    double worst = 0, angles = 0;
    for (size_t k = 0; k < 4000; k++) {
        const double e = k % 2 ? tk_log_uniform(&r, 1e-14, 0.9) : tk_log_uniform(&r, 1.1, 30);
        const double most = e > 1 ? 0.9 * acos(-1 / e) : pi;
        const ph_elements el = {.q = tk_log_uniform(&r, 0.1, 1e4),
                                .e = e,
                                .i = k % 3 ? tk_uniform(&r, 0.1, 3) : tk_log_uniform(&r, 1e-14, 1e-3),
                                .node = tk_uniform(&r, -pi, pi),
                                .periapsis = tk_uniform(&r, -pi, pi),
                                .true_anomaly = tk_uniform(&r, -most, most)};
        const double mu = tk_log_uniform(&r, 1e-3, 1e3);
        ph_elements back;
        double x[3], v[3], y[3], w[3];
        tk_ok(ph_elements_state(mu, &el, x, v, NULL));
        ph_elements_from_state(mu, x, v, &back);
        const double speed = ph_norm3(v), open = 1 + el.e * cos(el.true_anomaly);
        const double unit = DBL_EPSILON * (1 + el.e) * (1 + el.e) / open;
        angles = fmax(angles, fabs(back.e - el.e) / unit);
        angles = fmax(angles, fabs(back.q / el.q - 1) / unit);
        angles = fmax(angles, fabs(back.i - el.i) / (unit * el.i));
        angles = fmax(angles, turn_between(back.node, el.node) / (unit * fmax(1, el.i / sin(el.i))));
        angles = fmax(angles, turn_between(back.true_anomaly, el.true_anomaly) * fmin(1, el.e) / unit);
        angles = fmax(angles, turn_between(back.longitude, el.node + el.periapsis + el.true_anomaly) / unit);
        tk_ok(ph_elements_state(mu, &back, y, w, NULL));
        worst = fmax(worst, tk_max_difference(x, y, 3) / ph_norm3(x) / unit);
        worst = fmax(worst, tk_max_difference(v, w, 3) / speed / unit);
    }
    printf("round trip: elements %.2g, states %.2g units\n", angles, worst);
    ck_assert_double_le(angles, 16);
    ck_assert_double_le(worst, 16);
}

/* M by the definition in long double from the true anomaly, and the anomaly from it; and the mean anomaly of a state grows by
 * the mean motion (a step of Kepler's problem that is known: half a turn, from the periapsis to the apoapsis). */
TEST(kepler)
{
    tk_random r = {5};
    double worst = 0;
    for (size_t k = 0; k < 4000; k++) {
        const double e = k % 4 == 0   ? tk_uniform(&r, 0, 1)
                         : k % 4 == 1 ? 1 - tk_log_uniform(&r, 1e-12, 1e-1)
                         : k % 4 == 2 ? 1 + tk_log_uniform(&r, 1e-12, 1e-1)
                                      : tk_log_uniform(&r, 1.1, 1e3);
        const double f = tk_uniform(&r, -1, 1) * (e > 1 ? 0.95 * acos(-1 / e) : 3.1);
        const long double less = 1 - (long double)e, D = sqrtl(fabsl(less) / (1 + e)) * tanl(0.5L * f);
        const long double E = 2 * (less > 0 ? atanl(D) : atanhl(D));
        long double term = E * E * E / 6, sum = 0; /* E - sin E, sinh E - E by their series */
        for (int n = 4; fabsl(term) > 1e-25L * fabsl(sum); n += 2) {
            sum += term;
            term *= (less > 0 ? -1 : 1) * E * E / (n * (n + 1));
        }
        const long double M = fabsl(less) * E + e * sum;
        double back;
        tk_ok(ph_true_anomaly(e, (double)M, &back, NULL));
        /* df = (1 + e cos f)^2 / |1 - e^2|^(3/2) dM */
        const double slope =
            (double)(powl(1 + e * cosl(f), 2) * fabsl(M) / powl(fabsl(less) * (1 + e), 1.5L));
        worst = fmax(worst, fabs(back - f) / (DBL_EPSILON * (slope + fabs(f))));
    }
    printf("Kepler's equation: %.2g units\n", worst);
    ck_assert_double_le(worst, 8);
}

TEST(refused)
{
    static const ph_elements bad[] = {{.q = 0, .e = 0.5},
                                      {.q = -1, .e = 0.5},
                                      {.q = 1, .e = -0.1},
                                      {.q = 1, .e = 2, .true_anomaly = 2.1},
                                      {.q = 1, .e = 1, .true_anomaly = 3.14159265358979323846}};
    const ph_elements infinite = {.q = 1, .e = 0.5, .node = INFINITY}, good = {.q = 1};
    double x[3], v[3], f;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        tk_returns(ph_elements_state(1, &bad[k], x, v, tk_err), PH_E_RANGE);
    tk_returns(ph_elements_state(1, &infinite, x, v, tk_err), PH_E_NOT_FINITE);
    tk_returns(ph_elements_state(0, &good, x, v, tk_err), PH_E_RANGE);
    tk_returns(ph_true_anomaly(1, 0.5, &f, tk_err), PH_E_RANGE);
    tk_returns(ph_true_anomaly(-0.5, 0.5, &f, tk_err), PH_E_RANGE);
    tk_returns(ph_true_anomaly(0.5, INFINITY, &f, tk_err), PH_E_NOT_FINITE);
    tk_ok(ph_true_anomaly(0.5, 0, &f, tk_err));
    ck_assert_double_eq(f, 0);
}

/* ---- The frame and angles against it ------------------------------------------------------------------------- */

static void turn_about(size_t axis, double angle, double R[9])
{
    double w[3] = {0, 0, 0};
    w[axis] = angle;
    ph_exp3(w, R);
}

/* Q = R1 R2 R3 by exponentials, and its angles; pitch also close to a right angle, where roll and yaw are not known but give the
 * same rotation. */
TEST(roll_pitch_yaw)
{
    tk_random r = {9};
    for (size_t k = 0; k < 600; k++) {
        const double off = k % 3 == 1 ? tk_log_uniform(&r, 1e-18, 1e-2) : 0;
        const double given[3] = {tk_uniform(&r, -pi, pi),
                                 k % 3 ? (k % 2 ? 1 : -1) * (pi / 2 - off) : tk_uniform(&r, -1.5, 1.5),
                                 tk_uniform(&r, -pi, pi)};
        double A[9], B[9], C[9], AB[9], Q[9], again[9], angles[3];
        turn_about(0, given[0], A);
        turn_about(1, given[1], B);
        turn_about(2, given[2], C);
        ph_multiply3(A, B, AB);
        ph_multiply3(AB, C, Q);
        ph_orbit_angles(Q, angles);
        ck_assert_double_le(fabs(angles[1]), pi / 2);
        if (k % 3 == 0)
            ck_assert_double_le(tk_max_difference(angles, given, 3), 2e-15 / cos(given[1]));
        turn_about(0, angles[0], A);
        turn_about(1, angles[1], B);
        turn_about(2, angles[2], C);
        ph_multiply3(A, B, AB);
        ph_multiply3(AB, C, again);
        ck_assert_double_le(tk_max_difference(Q, again, 9), 2e-15);
    }
}

TEST(frame)
{
    const double x[3] = {1, 2, 2}, v[3] = {0, -1, 1}; /* x cross v = (4, -1, -1) */
    static const double third = 1. / 3;
    double O[9];
    ph_orbit_frame(x, v, O);
    const double n = 1 / sqrt(18);
    const double want[9] = {third,     0,      4 * n, /* track: normal x radial = (0, -9, 9) / 3 sqrt 18 */
                            2 * third, -3 * n, -n,    2 * third, 3 * n, -n};
    ck_assert_double_le(tk_max_difference(O, want, 9), 2e-16);
}

int main(void)
{
    return tk_run("elements");
}
