/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions of chains that are known exactly: small oscillations about hanging (frequencies from the zeros of
 * the Laguerre polynomials) and rotating relative equilibria. */
#include "tests/kit/testkit.h"

/* ---- Small oscillations ------------------------------------------------------------------------- */

/* Zeros of the Laguerre polynomial L_n in ascending order, by bisection on sign changes, in long double. */
static long double laguerre(size_t n, long double x)
{
    long double before = 1, now = 1 - x;
    for (size_t k = 1; k < n; k++) {
        long double next = ((long double)(2 * k + 1) - x) * now - (long double)k * before;
        before = now;
        now = next / (long double)(k + 1);
    }
    return now;
}

static void laguerre_zeros(size_t n, double *zeros)
{
    size_t found = 0;
    long double step = 0.01L;
    for (long double x = 0; found < n && x < 4 * (long double)n + 2; x += step) {
        long double low = x, high = x + step;
        if (laguerre(n, low) * laguerre(n, high) > 0)
            continue;
        for (int i = 0; i < 80; i++) {
            long double middle = (low + high) / 2;
            if (laguerre(n, low) * laguerre(n, middle) <= 0)
                high = middle;
            else
                low = middle;
        }
        zeros[found++] = (double)low;
    }
    ck_assert_uint_eq(found, n);
}

TEST(laguerre_zeros_are_right)
{
    double x[10];
    laguerre_zeros(2, x);
    ck_assert_double_eq_tol(x[0], 2 - sqrt(2), 1e-15);
    laguerre_zeros(5, x);
    ck_assert_double_eq_tol(x[0], .263560319718141, 1e-14);
    ck_assert_double_eq_tol(x[4], 12.640800844275773, 1e-13);
    laguerre_zeros(10, x);
    ck_assert_double_eq_tol(x[0], .137793470540493, 1e-14);
    ck_assert_double_eq_tol(x[9], 29.92069701227393, 1e-12);
}

/* Frequency of a modal coordinate from its first and last zero crossings over some 12 periods; between
 * samples the coordinate is a sine of about the frequency w, so that a crossing is found to the accuracy of
 * the samples. */
static double measured_frequency(const ph_system *system, const tk_chain *c, const char *method,
                                 const char *form, double h, double w, const double *mode)
{
    size_t n = c->n, crossings = 0;
    double q[3 * TK_MOST], v[3 * TK_MOST] = {0}, dual[TK_MOST] = {0}, before = 0, first = 0, last = 0;
    static const double amplitude = 1e-6; /* shifts frequencies by its square: 1e-12 */
    for (size_t i = 0; i < n; i++) {
        double x = amplitude * mode[i];
        q[3 * i] = x, q[3 * i + 1] = 0, q[3 * i + 2] = -sqrt(1 - x * x);
        for (size_t j = 0; j < n; j++)
            dual[i] += c->M[i * n + j] * mode[j];
    }
    TK_START(it, state, system, method, form, h, q, v);
    for (int64_t k = 0; (double)k * h * w < 2 * M_PI * 12; k++) {
        double now = 0;
        for (size_t i = 0; i < n; i++)
            now += dual[i] * state->z[3 * i];
        if (k && now * before < 0) {
            double part = atan2(sin(w * h) * fabs(before), fabs(now) + fabs(before) * cos(w * h)) / w;
            last = state->t - h + part;
            if (!crossings++)
                first = last;
        }
        before = now;
        tk_ok(ph_integrator_step(it, state, 1));
    }
    ck_assert_uint_ge(crossings, 23);
    return M_PI * (double)(crossings - 1) / (last - first);
}

/* n equal links of mass 1.3 kg, 0.7 m: all modes, all methods. */
TEST_EACH(small_oscillations_have_the_laguerre_frequencies, 4)
{
    static const size_t sizes[] = {1, 2, 5, 10};
    size_t n = sizes[_i];
    tk_chain c;
    double m[TK_MOST] = {0}, l[TK_MOST] = {0}, gravity[3] = {0, 0, -9.81}, K[TK_MOST * TK_MOST] = {0},
           M[TK_MOST * TK_MOST], w2[TK_MOST], zeros[TK_MOST], worst = 0, worst_discrete = 0, worst_rk4 = 0;
    for (size_t i = 0; i < n; i++)
        m[i] = 1.3, l[i] = 0.7;
    tk_chain_fill(&c, n, m, l, gravity);
    TK_OWN(ph_system) *system = tk_chain_system(&c);
    for (size_t i = 0; i < n; i++) /* U = sum g_i q_i.e3: about hanging its second derivative is g_i */
        K[i * n + i] = c.g[3 * i + 2];
    memcpy(M, c.M, n * n * sizeof *M);
    ck_assert_int_eq(tk_eigen(n, K, M, w2), 0);
    laguerre_zeros(n, zeros);
    for (size_t mode = 0; mode < n; mode++) {
        double w = sqrt(9.81 / 0.7 * zeros[mode]), h = 0.05 / w;
        ck_assert_double_eq_tol(w2[mode], w * w, 1e-11 * w * w);
        /* on a linear oscillator the step is the leapfrog, whose frequency is known: sin(w_h h/2) = w h/2 */
        double found = measured_frequency(system, &c, "variational", NULL, h, w, K + mode * n);
        double discrete = 2 / h * asin(0.5 * h * w);
        worst_discrete = tk_max(worst_discrete, fabs(found / discrete - 1));
        worst = tk_max(worst, fabs(found / w - 1 - h * h * w * w / 24));
        for (int form = 0; form < 2; form++) {
            found = measured_frequency(system, &c, "rk4-projected", form ? "q-omega" : "q-qdot", h, w,
                                       K + mode * n);
            /* classical Runge-Kutta: phase error (h w)^4/120 */
            worst_rk4 = tk_max(worst_rk4, fabs(found / w - 1 + pow(h * w, 4) / 120));
        }
    }
    printf("small oscillations, n = %zu, h w = 0.05: frequency off the leapfrog's by %.1e, "
           "from w (1 + (h w)^2/24) by %.1e, rk4-projected from w (1 - (h w)^4/120) by %.1e\n",
           n, worst_discrete, worst, worst_rk4);
    ck_assert_double_le(worst_discrete, 1e-9); /* amplitude 1e-6, crossings at 1e-10 of it */
    ck_assert_double_le(worst, 1e-7);          /* the next term, 3 (h w)^4/640, is 3e-8 */
    ck_assert_double_le(worst_rk4, 2e-9);
}

/* ---- Relative equilibria ------------------------------------------------------------------------ */

typedef struct equilibrium {
    size_t n;
    double m[2], l[2], theta[2],
        rate; /* angle of each link from hanging, in one vertical plane turning at `rate` */
} equilibrium;

static const equilibrium equilibria[] = {
    {1, {1}, {1.2}, {0.6}, 0}, /* rate from Om^2 = g/(l cos th) */
    {2, {1, 1}, {1, 1}, {.5, .648208990796229}, 2.619031318767231},
    {2, {1, 1}, {1, 1}, {.5, -.788447777524278}, 6.553170541345509},
    {2, {1, 2}, {1, .7}, {.4, .460656901860745}, 2.636083012356779},
};

static double rate_of(const equilibrium *e)
{
    return e->n == 1 ? sqrt(9.81 / (e->l[0] * cos(e->theta[0]))) : e->rate;
}

/* M_i g tan th_i = Om^2 sum_j M_max(i,j) l_j sin th_j: are the figures themselves right? */
static double balance(const equilibrium *e)
{
    double worst = 0, below[2] = {e->m[0] + e->m[1], e->m[1]};
    for (size_t i = 0; i < e->n; i++) {
        double sum = 0;
        for (size_t j = 0; j < e->n; j++)
            sum += below[i > j ? i : j] * e->l[j] * sin(e->theta[j]);
        double left = below[i] * 9.81 * tan(e->theta[i]), right = rate_of(e) * rate_of(e) * sum;
        worst = tk_max(worst, fabs(left - right) / fabs(left));
    }
    return worst;
}

/* Error of the configuration after time 1.5 s. */
static double turning_error(const equilibrium *e, const char *method, const char *form, double h)
{
    tk_chain c;
    double q[6], v[6], exact[6], gravity[3] = {0, 0, -9.81}, Om = rate_of(e), angle = Om * 1.5;
    tk_chain_fill(&c, e->n, e->m, e->l, gravity);
    TK_OWN(ph_system) *system = tk_chain_system(&c);
    for (size_t i = 0; i < e->n; i++) {
        double s = sin(e->theta[i]), cz = -cos(e->theta[i]);
        q[3 * i] = s, q[3 * i + 1] = 0, q[3 * i + 2] = cz;
        v[3 * i] = 0, v[3 * i + 1] = Om * s, v[3 * i + 2] = 0;
        exact[3 * i] = s * cos(angle), exact[3 * i + 1] = s * sin(angle), exact[3 * i + 2] = cz;
    }
    TK_START(it, state, system, method, form, h, q, v);
    tk_ok(ph_integrator_step(it, state, (int64_t)(1.5 / h + 0.5)));
    double error = tk_max_difference(state->z, exact, 3 * e->n);
    return error;
}

TEST_EACH(relative_equilibria_turn_rigidly_to_the_order, sizeof equilibria / sizeof equilibria[0])
{
    const equilibrium *e = &equilibria[_i];
    static const char *const methods[] = {"variational", "rk4-projected", "rk4-projected", "rk4", "rk4",
                                          "rkmk4",       "rkmk4",         "cf4",           "cf4"};
    static const char *const forms[] = {NULL,     "q-qdot",  "q-omega", "q-qdot", "q-omega",
                                        "q-qdot", "q-omega", "q-qdot",  "q-omega"};
    ck_assert_double_le(balance(e), 1e-13);
    for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++) {
        double h[4], error[4], slope;
        for (int i = 0; i < 4; i++) { /* turns of 0.03 rad to 0.004: order 4 is not yet down to rounding */
            h[i] = 1.5 / ((int)(50 * rate_of(e)) << i);
            error[i] = turning_error(e, methods[m], forms[m], h[i]);
        }
        slope = tk_slope(h, error, 4);
        printf("relative equilibrium %d, %s %s: error %.1e (h = %.1e) ... %.1e (h = %.1e), slope %.3f\n", _i,
               methods[m], forms[m] ? forms[m] : "", error[0], h[0], error[3], h[3], slope);
        ck_assert_double_eq_tol(slope, m ? 4 : 2, m ? 0.05 : 0.03);
    }
}

int main(void)
{
    return tk_run("oscillations");
}
