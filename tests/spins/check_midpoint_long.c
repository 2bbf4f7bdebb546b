/* SPDX-License-Identifier: BSD-3-Clause */
/* Long motions by spherical-midpoint: J, the spheres and the energy. Rounding must not have a mean: what is
 * kept may walk, by less than a few units in the last place of an increment times the root of the number of
 * steps, and not drift. */
#include "tests/kit/spinkit.h"

/* What a long motion has done. */
typedef struct account {
    double momentum;    /* the largest change of a component of J */
    double sphere;      /* the largest ||s| - 1| */
    double mean;        /* the mean of |s| - 1 over all spins and samples */
    double first, last; /* the mean changes of the energy in the first and the last tenth */
    double widest;      /* its largest change */
} account;

static account follow(const ph_system *system, const double *z0, double h, const ph_setting *settings,
                      size_t n, int64_t steps)
{
    enum { SAMPLES = 200, TENTH = SAMPLES / 10 };
    const size_t spins = ph_system_spins(system)->n;
    TK_OWN(ph_integrator) *it = sk_bind(system, "spherical-midpoint", h, settings, n);
    TK_OWN(ph_state) *state = sk_state(it, z0);
    account a = {0, 0, 0, 0, 0, 0};
    double J[3], J0[3], H, H0;
    ck_assert(!ph_spins_momentum(system, z0, J0) && !ph_spins_energy(system, 0, z0, &H0));
    for (int k = 0; k < SAMPLES; k++) {
        ck_assert_msg(!ph_integrator_step(it, state, steps / SAMPLES), "%s", ph_integrator_message(it));
        ck_assert(!ph_spins_momentum(system, state->z, J) && !ph_spins_energy(system, 0, state->z, &H));
        a.momentum = fmax(a.momentum, tk_max_difference(J, J0, 3));
        a.widest = fmax(a.widest, fabs(H - H0));
        a.first += k < TENTH ? (H - H0) / TENTH : 0;
        a.last += k >= SAMPLES - TENTH ? (H - H0) / TENTH : 0;
        for (size_t i = 0; i < spins; i++) {
            const double off = 0.5 * ph_unit_residual3(state->z + 3 * i);
            a.sphere = fmax(a.sphere, fabs(off));
            a.mean += off / (double)(spins * SAMPLES);
        }
    }
    printf("%lld steps of %g: J %.1e, |s| %.1e (mean %.1e), energy %.1e, means %.1e and %.1e, "
           "%.1f gradients a step\n",
           (long long)steps, h, a.momentum, a.sphere, a.mean, a.widest, a.first, a.last,
           (double)ph_integrator_statistics(it)->newton_passes / (double)steps);
    return a;
}

static int64_t length(void)
{
    return tk_long() ? 1000000 : tk_thorough() ? 200000 : tk_short() ? 2000 : 20000;
}

/* The bounds on what walks: so much for the root of a step. |s| is that of the rounded sum: half a unit in
 * the last place of each component. */
static void judge(const account *a, int64_t steps, double walk)
{
    ck_assert_msg(a->momentum < walk * sqrt((double)steps) + 1e-15, "J is off by %g", a->momentum);
    ck_assert_msg(a->sphere < 1.2e-16, "|s| is off by %g", a->sphere);
    ck_assert_msg(fabs(a->mean) < (tk_short() ? 5e-18 : 2e-18), "|s| is off by %g in the mean", a->mean);
}

static const ph_setting settings[2] = {{"extension", "ambient"}, {"order", "8"}};

/* Rings of six and of sixteen, and of forty, which is relaxed spin after spin, J = Gamma = 1. J walks by the rounding of increments of 0.2, some 2e-17 a
 * step, the same for several steps in turn; of a guess that is left over to 2^-52, it drifts by 7e-19 a
 * step. Energies: of the energy error, 1e-3 and 1e-2, the two tenths have the same mean within what it
 * varies by. */
TEST_EACH(rings, 6)
{
    static const size_t sizes[] = {6, 16, 40};
    const size_t n = sizes[_i % 3];
    const double h = _i % 3 ? 0.1 : 0.05;
    double z0[120];
    tk_random r = {7};
    TK_OWN(ph_system) *ring = sk_ring(n);
    sk_random_spins(&r, n, z0);
    const account a =
        follow(ring, _i % 3 ? z0 : sk_problems[SK_RING].start, h, settings, (size_t)_i / 3, length());
    judge(&a, length(), _i % 3 ? 2e-16 : 5e-17);
    ck_assert_double_lt(fabs(a.last - a.first), 0.5 * a.widest);
}

/* Vortices of one sign stay apart. By order 8 their energy error is rounding, which walks. */
TEST(energy_at_rounding)
{
    static const double strengths[] = {1, 0.5, 0.75, 1.25}, one = 1;
    const ph_bonds all = {.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true};
    const ph_spins spins = {.n = 4, .strengths = strengths, .bonds = &all, .n_bonds = 1};
    const ph_system_definition d = {.spins = &spins};
    const int64_t steps = length() / 10;
    TK_MAKE(ph_system, system, ph_system_create(&d, &system, NULL));
    const account a = follow(system, sk_problems[SK_VORTICES].start, 0.1, &settings[1], 1, steps);
    judge(&a, steps, 1e-16);
    ck_assert_double_lt(a.widest, 1e-17 * sqrt((double)steps) + 3e-16);
}

int main(void)
{
    return tk_run("spherical midpoint, long");
}
