/* SPDX-License-Identifier: BSD-3-Clause */
/* One spin: the Bloch vector under controls with closed forms (Rabi, pulses at resonance, Larmor, damping), and the free rigid
 * body that is reduced by its rotations, against elliptic functions and many-digit values. */
#include "tests/kit/spinkit.h"

static const double e1[3] = {1, 0, 0}, e3[3] = {0, 0, 1};

/* ---- The Bloch vector ----------------------------------------------------------------------------------- */

/* s <- Rot(e3, w t) Rot(W e1 + (w0 - w) e3, t) s */
static void rabi(double W, double w, double w0, double t, double *s)
{
    const double rate = hypot(W, w0 - w), axis[3] = {W / rate, 0, (w0 - w) / rate};
    sk_turn(axis, rate * t, s);
    sk_turn(e3, w * t, s);
}

/* Drives that turn, also as two tones of one frequency, to 20 s. */
TEST_EACH(rabi_oscillations, 6)
{
    tk_random r = {700 + (uint64_t)_i};
    const double w0 = _i ? tk_uniform(&r, -2, 2) : 1, w = _i ? tk_uniform(&r, -2, 2) : 0.8,
                 W1 = _i ? tk_uniform(&r, -1, 1) : 0.35, W2 = _i % 2 ? tk_uniform(&r, -1, 1) : 0;
    const ph_parameter_value values[] = {{"precession", &w0, 1},
                                         {"amplitude", &W1, 1},
                                         {"rate", &w, 1},
                                         {"second_rate", &w, 1},
                                         {"second_amplitude", &W2, 1}};
    double z[3], s[3];
    TK_OWN(ph_system) *system = sk_model("bloch-sphere", "rabi", values, 5, z);
    if (_i)
        tk_unit(&r, z);
    memcpy(s, z, sizeof s);
    sk_move(system, "rk8", 20, 1000, z);
    rabi(W1 + W2, w, w0, 20, s);
    printf("off by %.1e\n", tk_max_difference(z, s, 3));
    ck_assert_double_le(tk_max_difference(z, s, 3), 1e-12);
    if (!_i) {
        const double rate = hypot(0.35, 0.2), half = 0.35 / rate * sin(10 * rate);
        ck_assert_double_eq_tol(z[2], 1 - 2 * half * half, 1e-12);
        ck_assert_double_eq_tol(z[2], 0.090278380077608905903502669701832, 1e-12);
    }
}

/* At resonance the turn about e1 in the turning frame is the area of the envelope. */
TEST(pulse_at_resonance)
{
    static const double T = 4, at = 24, W = 0.31332853432887503, end = 48;
    double z[3], s[3] = {0, 0, 1};
    TK_OWN(ph_system) *system = sk_model("bloch-sphere", "pulse", NULL, 0, z);
    sk_move(system, "rk8", end, 4000, z);
    const double area =
        W * T * sqrt(acos(-1) / 2) * (erf((end - at) / (T * sqrt(2))) + erf(at / (T * sqrt(2))));
    sk_turn(e1, area, s);
    sk_turn(e3, end, s);
    printf("off by %.1e, to %.12f\n", tk_max_difference(z, s, 3), z[2]);
    ck_assert_double_le(tk_max_difference(z, s, 3), 1e-12);
    ck_assert_double_le(z[2], -1 + 1e-12);
}

/* A drive along e1, against the reference of a system that is written by hand; by a phase of -pi/2 and another start
 * time it is another drive. */
TEST(linear_drive)
{
    double z[3];
    TK_OWN(ph_system) *system = sk_model("bloch-sphere", "linear", NULL, 0, z);
    sk_move(system, "rk8", 20, 1000, z);
    ck_assert_double_le(tk_max_difference(z, sk_problems[SK_DRIVEN].end, 3), 1e-12);
}

/* The rate of the energy is that of the control: pulses, two tones, phases. */
TEST(power_of_the_drive)
{
    tk_random r = {750};
    const double numbers[] = {0.7, 0.4, 1.1, 0.3, -0.2, 0.9, 1.4, 0.6, 3, 2};
    static const char *const names[] = {
        "precession",  "amplitude",    "rate",     "phase", "second_amplitude",
        "second_rate", "second_phase", "circular", "pulse", "pulse_time"};
    ph_parameter_value values[10];
    double z[3], zdot[3], work[9];
    for (size_t k = 0; k < 10; k++)
        values[k] = (ph_parameter_value){names[k], &numbers[k], 1};
    TK_OWN(ph_system) *system = sk_model("bloch-sphere", "two-tones", values, 10, z);
    for (int trial = 0; trial < 20; trial++) {
        const double t = tk_uniform(&r, -4, 8), h = 1e-3;
        double up, down, far_up, far_down, power;
        tk_unit(&r, z);
        tk_ok(ph_spins_flow(system, t, z, zdot));
        tk_ok(ph_system_power(system, t, z, zdot, &power, work));
        tk_ok(ph_spins_energy(system, t + h, z, &up));
        tk_ok(ph_spins_energy(system, t - h, z, &down));
        tk_ok(ph_spins_energy(system, t + 2 * h, z, &far_up));
        tk_ok(ph_spins_energy(system, t - 2 * h, z, &far_down));
        ck_assert_double_eq_tol(power, (8 * (up - down) - (far_up - far_down)) / (12 * h), 1e-11);
    }
}

/* s_3 = tanh(artanh s_3(0) - lambda w0 t), azimuth w0 t: without a drive H = w0 s_3 is that of a field G = -w0. */
TEST(precession_and_damping)
{
    for (int damped = 0; damped < 2; damped++) {
        double z[3];
        TK_OWN(ph_system) *system = sk_model("bloch-sphere", damped ? "damped" : "precession", NULL, 0, z);
        ck_assert_uint_eq(ph_system_symmetries(system), damped ? 0 : 1);
        ck_assert(ph_system_is_conservative(system) == !damped);
        sk_move(system, "rk8", 20, 1000, z);
        const double height = tanh(atanh(0.5) - (damped ? 0.1 : 0) * 20), out = sqrt(1 - height * height),
                     s[3] = {out * cos(20), out * sin(20), height};
        ck_assert_double_le(tk_max_difference(z, s, 3), 1e-12);
    }
}

/* ---- The free rigid body -------------------------------------------------------------------------------- */

/* sn, cn, dn of u with the parameter m, by the arithmetic-geometric mean (Abramowitz, Stegun, 16.4). */
static void jacobi(double u, double m, double *sn, double *cn, double *dn)
{
    double a[20] = {1}, c[20] = {sqrt(m)}, b = sqrt(1 - m);
    int n = 0;
    while (fabs(c[n]) > 1e-17 && n < 18) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n] * u, n);
    for (; n > 0; n--)
        phi = 0.5 * (phi + asin(c[n] * sin(phi) / a[n]));
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = sqrt(1 - m * *sn * *sn);
}

/* F(phi | m), |phi| <= pi/2, by the substitution of Gauss-Legendre's panels: the integrand is smooth for m < 1. */
static double incomplete(double phi, double m)
{
    static const double x[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                0.9602898564975363},
                        w[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                0.1012285362903763};
    double sum = 0;
    const int panels = 64;
    for (int p = 0; p < panels; p++)
        for (int k = -4; k < 4; k++) {
            const int at = k < 0 ? -k - 1 : k;
            const double half = phi / (2 * panels), y = half * (2 * p + 1 + (k < 0 ? -x[at] : x[at]));
            sum += w[at] * half / sqrt(1 - m * sin(y) * sin(y));
        }
    return sum;
}

/* Pi (3) <- at time t, from Pi at 0; I_1 < I_2 < I_3, |Pi|^2 < 2 H I_2 after exchanging 1 and 3 where it is not. */
static void turn_body(const double *I, double t, double *Pi)
{
    double P = ph_dot3(Pi, Pi), H2 = 0;
    for (size_t k = 0; k < 3; k++)
        H2 += Pi[k] * Pi[k] / I[k];
    const size_t first = P < H2 * I[1] ? 0 : 2, last = 2 - first;
    const double I1 = I[first], I2 = I[1], I3 = I[last];
    const double A1 = sqrt(I1 * (H2 * I3 - P) / (I3 - I1)), A2 = sqrt(I2 * (P - H2 * I1) / (I2 - I1)),
                 A3 = sqrt(I3 * (P - H2 * I1) / (I3 - I1)),
                 mu = sqrt((I2 - I1) * (H2 * I3 - P) / (I1 * I2 * I3)),
                 m = (I3 - I2) * (P - H2 * I1) / ((I2 - I1) * (H2 * I3 - P)), sign = Pi[first] < 0 ? -1 : 1;
    const double s0 = Pi[1] / A2, c0 = Pi[last] / A3, F = incomplete(atan2(fabs(s0), fabs(c0)), m),
                 K = incomplete(acos(-1) / 2, m);
    const double u0 = c0 >= 0 ? copysign(F, s0) : copysign(2 * K - F, s0);
    double sn, cn, dn;
    jacobi(sign * mu * t + u0, m, &sn, &cn, &dn);
    Pi[first] = sign * A1 * dn;
    Pi[1] = A2 * sn;
    Pi[last] = A3 * cn;
}

TEST(reference_of_the_body)
{
    static const double reference[3] = {+1.7659625085182075357271504818, -0.69546419703308911949949275683,
                                        +0.77955498148187108610074177385};
    const double size = sqrt(4.21);
    double z[3], Pi[3] = {1.8, 0.4, -0.9}, I[3] = {0.6, 0.8, 1.0};
    TK_OWN(ph_system) *system = sk_model("reduced-rigid-body", "tumbling", NULL, 0, z);
    ck_assert_uint_eq(ph_system_symmetries(system), 0);
    double H;
    tk_ok(ph_spins_energy(system, 0, z, &H));
    ck_assert_double_eq_tol(H, 0.5 * (1.8 * 1.8 / 0.6 + 0.4 * 0.4 / 0.8 + 0.9 * 0.9), 1e-14);
    sk_move(system, "rk8", 10, 1000, z);
    turn_body(I, 10, Pi);
    for (size_t k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(size * z[k], reference[k], 2e-14);
        ck_assert_double_eq_tol(Pi[k], reference[k], 2e-13);
    }
}

/* Random bodies, on both sides of the separatrix, by elliptic functions. */
TEST_EACH(polhodes, 12)
{
    tk_random r = {800 + (uint64_t)_i};
    double I[3], Pi[3], s[3], z[3];
    const double size = tk_uniform(&r, 0.5, 3), a = tk_uniform(&r, 0.3, 1), b = a + tk_uniform(&r, 0.2, 1);
    I[0] = a;
    I[1] = b;
    I[2] = b + tk_uniform(&r, 0.1, 0.9) * a;
    const ph_parameter_value values[] = {{"inertia", I, 3}, {"momentum", &size, 1}};
    TK_OWN(ph_system) *system = sk_model("reduced-rigid-body", NULL, values, 2, z);
    tk_unit(&r, z);
    for (size_t k = 0; k < 3; k++)
        Pi[k] = size * z[k];
    sk_move(system, "rk8", 8, 2000, z);
    turn_body(I, 8, Pi);
    for (size_t k = 0; k < 3; k++)
        s[k] = Pi[k] / size;
    printf("off by %.1e\n", tk_max_difference(z, s, 3));
    ck_assert_double_le(tk_max_difference(z, s, 3), 1e-11);
}

/* On the separatrix s_2 = tanh w t; where two moments are equal the motion is a steady turn. */
TEST(special_bodies)
{
    const double size = sqrt(4.21), w = size * sqrt((1 / 0.6 - 1 / 0.8) * (1 / 0.8 - 1)),
                 equal[3] = {0.7, 0.7, 1.1}, one = 1;
    double z[3], s[3];
    ph_system *system = sk_model("reduced-rigid-body", "separatrix", NULL, 0, z);
    sk_move(system, "rk8", 3, 600, z);
    /* s_2' = |Pi| (1/I_1 - 1/I_3) s_3 s_1 > 0 */
    ck_assert_double_eq_tol(z[1], tanh(3 * w), 1e-13);
    ph_system_free(system);
    system = sk_model("reduced-rigid-body", "steady", NULL, 0, z);
    memcpy(s, z, sizeof s);
    sk_move(system, "rk8", 3, 60, z);
    ck_assert_double_le(tk_max_difference(z, s, 3), 0);
    ph_system_free(system);
    const ph_parameter_value values[] = {{"inertia", equal, 3}, {"momentum", &one, 1}};
    system = sk_model("reduced-rigid-body", "tumbling", values, 2, z);
    ck_assert_uint_eq(ph_system_symmetries(system), 1);
    memcpy(s, z, sizeof s);
    sk_move(system, "rk8", 10, 500, z);
    sk_turn(e3, s[2] * (1 / 0.7 - 1 / 1.1) * 10, s); /* s' = s x I^-1 s = (1/I_1 - 1/I_3) s_3 e3 x s */
    ck_assert_double_le(tk_max_difference(z, s, 3), 1e-13);
    ph_system_free(system);
}

int main(void)
{
    return tk_run("one spin");
}
