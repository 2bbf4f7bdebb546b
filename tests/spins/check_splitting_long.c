/* SPDX-License-Identifier: BSD-3-Clause */
/* spin-splitting over many steps: J and the lengths of spins stay at rounding, the energy error does not grow, and
 * rounding accumulates like a random walk, without a mean. The long form takes 1e6 and 1e7 steps. */
#include "tests/kit/spinkit.h"

static double length_error(const double *z, size_t n)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const long double x = z[3 * i], y = z[3 * i + 1], w = z[3 * i + 2];
        worst = fmax(worst, (double)fabsl(sqrtl(x * x + y * y + w * w) - 1));
    }
    return worst;
}

/* J in long double, so that its sum adds nothing. */
static void momentum(const double *z, size_t n, long double *J)
{
    for (int a = 0; a < 3; a++) {
        J[a] = 0;
        for (size_t i = 0; i < n; i++)
            J[a] += z[3 * i + (size_t)a];
    }
}

/* A ring of 16, random directions. z itself is rounded: its J by up to 16 times 1.1e-16. */
TEST(ring)
{
    enum { N = 16 };
    const int64_t steps = tk_long() ? 1000000 : tk_short() ? 2000 : 50000;
    TK_OWN(ph_system) *system = sk_ring(N);
    TK_OWN(ph_integrator) *it = sk_bind(system, "spin-splitting", 0.1, NULL, 0);
    tk_random r = {4};
    double z[3 * N], worst = 0, of_J = 0, H0, H, energy[10] = {0};
    long double J0[3], J[3];
    sk_random_spins(&r, N, z);
    TK_OWN(ph_state) *state = sk_state(it, z);
    momentum(z, N, J0);
    ck_assert(!ph_spins_energy(system, 0, z, &H0));
    for (int k = 0; k < 1000; k++) {
        ck_assert(!ph_integrator_step(it, state, steps / 1000));
        worst = fmax(worst, length_error(state->z, N));
        momentum(state->z, N, J);
        for (int a = 0; a < 3; a++)
            of_J = fmax(of_J, (double)fabsl(J[a] - J0[a]));
        ck_assert(!ph_spins_energy(system, 0, state->z, &H));
        energy[k / 100] = fmax(energy[k / 100], fabs(H - H0));
    }
    printf("%lld steps: |s| - 1 %.2e, J %.1e, H %.1e to %.1e\n", (long long)steps, worst, of_J, energy[0],
           energy[9]);
    ck_assert_double_lt(worst, 1.2e-16);
    ck_assert_double_lt(of_J, 1e-14);
    ck_assert_double_lt(energy[9], 1.5 * energy[0]);
}

/* Turns whose motion by steps is known in closed form: a pair, which turns by 2 atan(h |T| c/2) a step, a spin in a
 * field, and three spins with axial bonds. The component along the axis stays the same: its error after k steps, root of
 * the mean square over starts, grows like k^0.5, and its mean is not beyond what chance gives. The angle of a step has
 * an error of its own, as constants such as h c are rounded once; it is at most that, and with axial bonds what the components
 * along the axis have gained, which it is made of. */
enum { PAIR, FIELD, AXIAL, KINDS, STARTS = 24 };

static ph_system *create_kind(int kind, const double *axis)
{
    static const double J = 1, B[] = {0.4, -0.3, 0.7};
    static const uint32_t i[] = {0, 1, 2}, j[] = {1, 2, 0};
    ph_bonds bonds = {.kind = kind == PAIR ? PH_BOND_EXCHANGE : PH_BOND_AXIAL,
                      .n = kind == PAIR ? 1 : 3,
                      .first = i,
                      .second = j,
                      .c = &J,
                      .uniform = true};
    memcpy(bonds.axis, axis, sizeof bonds.axis);
    const ph_spins spins = {.n = kind == PAIR    ? 2
                                 : kind == FIELD ? 1
                                                 : 3,
                            .bonds = &bonds,
                            .n_bonds = kind != FIELD,
                            .field = kind == FIELD ? B : NULL,
                            .field_is_uniform = true};
    const ph_system_definition d = {.spins = &spins};
    ph_system *system = NULL;
    ck_assert(!ph_system_create(&d, &system, NULL));
    return system;
}

/* b <- the axis that spin 0 turns about, of length 1; result: its angle in one step, in long double. */
static long double angle_of(int kind, const double *axis, const double *z, double h, long double *b)
{
    static const long double B[] = {0.4, -0.3, 0.7};
    long double size = 0, rate = 0;
    for (int a = 0; a < 3; a++) {
        b[a] = kind == PAIR    ? (long double)z[a] + z[3 + a]
               : kind == FIELD ? (long double)(double)B[a]
                               : axis[a];
        size += b[a] * b[a];
        rate -= kind == AXIAL ? axis[a] * ((long double)z[3 + a] + z[6 + a]) : 0;
    }
    size = sqrtl(size);
    for (int a = 0; a < 3; a++)
        b[a] /= size;
    return kind == PAIR ? 2 * atanl(-0.5L * h * size) : kind == FIELD ? -h * size : h * rate;
}

/* A component of spin 0 as the carry has it: high parts of all spins, which are in [2, 4], and low ones. */
static long double kept(const ph_state *state, int a)
{
    const size_t n = state->nz / 3, at = (size_t)a * n;
    return (long double)state->carry[at] - 3 + state->carry[3 * n + at];
}

TEST_EACH(random_walk, !tk_short() ? KINDS : 0)
{
    const int doublings = tk_long() ? 14 : 8, first = tk_long() ? 600 : 400;
    double x[16], rms[16] = {0}, lag[16] = {0}, along[STARTS], mean, error;
    const double axis[3] = {0.6, 0, 0.8}, h = 0.13;
    for (int m = 0; m < STARTS; m++) {
        tk_random r = {1000 + (uint64_t)m};
        TK_OWN(ph_system) *system = create_kind(_i, axis);
        const size_t n = ph_system_spins(system)->n;
        TK_OWN(ph_integrator) *it = sk_bind(system, "spin-splitting", h, NULL, 0);
        double z[9];
        long double b[3], c[3], s[3];
        sk_random_spins(&r, n, z);
        const long double angle = angle_of(_i, axis, z, h, b);
        for (int a = 0; a < 3; a++)
            s[a] = z[a];
        TK_OWN(ph_state) *state = sk_state(it, z);
        for (int k = 0; k <= doublings; k++) {
            const int64_t at = (int64_t)first << k;
            ck_assert(!ph_integrator_step(it, state, at - state->k));
            /* s turned by (steps) (angle) about b: c + cos (s - c) + sin b x s */
            const long double turn = remainderl(angle * (long double)at, 2 * acosl(-1)),
                              part = b[0] * s[0] + b[1] * s[1] + b[2] * s[2];
            double error_along = 0, forward = 0, size = 0;
            for (int a = 0; a < 3; a++)
                c[a] = b[(a + 1) % 3] * s[(a + 2) % 3] - b[(a + 2) % 3] * s[(a + 1) % 3];
            for (int a = 0; a < 3; a++) {
                const long double truth = part * b[a] + cosl(turn) * (s[a] - part * b[a]) + sinl(turn) * c[a],
                                  rate = cosl(turn) * c[a] - sinl(turn) * (s[a] - part * b[a]),
                                  off = kept(state, a) - truth;
                error_along += (double)(off * b[a]);
                forward += (double)(off * rate);
                size += (double)(rate * rate);
            }
            x[k] = (double)at;
            rms[k] += error_along * error_along / STARTS;
            along[m] = error_along;
            lag[k] = fmax(lag[k], fabs(forward / size / (fmax(fabs((double)angle), h) * (double)at)));
        }
    }
    for (int k = 0; k <= doublings; k++)
        rms[k] = sqrt(rms[k]);
    const double slope = tk_slope(x, rms, (size_t)doublings + 1);
    tk_mean(along, STARTS, &mean, &error);
    printf("kind %d: %.1e after %g steps, %.1e after %g, slope %.2f; mean %.1e +- %.1e; "
           "angle %.1e\n",
           _i, rms[0], x[0], rms[doublings], x[doublings], slope, mean, error, lag[doublings]);
    ck_assert_double_lt(slope, 0.65);
    ck_assert_double_lt(lag[doublings], 5e-16 + (_i == AXIAL ? 4 * rms[doublings] : 0));
    ck_assert_double_lt(fabs(mean), 4 * error);
}

int main(void)
{
    return tk_run("spin-splitting, many steps");
}
