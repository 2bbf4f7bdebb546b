/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems of spins: the declared parts of the energy against differences, the vector field against what it must keep,
 * reference values by the classical methods, and definitions that are refused. */
#include "tests/kit/spinkit.h"

/* The gradient of every kind of part, callbacks and control included, against differences of the energy. */
TEST_EACH(gradients, SK_MOST)
{
    tk_random r = {11 + (uint64_t)_i};
    const size_t n = 1 + (size_t)_i;
    TK_OWN(ph_system) *system = sk_random(n, _i % 2, _i % 3 > 0, &r);
    double z[3 * SK_MOST], g[3 * SK_MOST], worst = 0;
    sk_random_spins(&r, n, z);
    ck_assert(!ph_spins_gradient(system, 0.7, z, g));
    for (size_t k = 0; k < 3 * n; k++) {
        static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
        const double h = 1. / 128, at = z[k];
        double slope = 0, up, down;
        for (int m = 0; m < 4; m++) {
            z[k] = at + (m + 1) * h;
            ck_assert(!ph_spins_energy(system, 0.7, z, &up));
            z[k] = at - (m + 1) * h;
            ck_assert(!ph_spins_energy(system, 0.7, z, &down));
            slope += weight[m] * (up - down) / h;
        }
        z[k] = at;
        g[k] -= slope;
    }
    ph_space_project_tangent(ph_system_space(system), z, g);
    for (size_t k = 0; k < 3 * n; k++)
        worst = fmax(worst, fabs(g[k]));
    ck_assert_msg(worst < 2e-10, "%g", worst);
}

/* dH = Omega(X, .): against any tangent vector. And the energy changes at the rate that the power says. */
TEST_EACH(vector_field, SK_MOST)
{
    tk_random r = {71 + (uint64_t)_i};
    const size_t n = 1 + (size_t)_i;
    TK_OWN(ph_system) *system = sk_random(n, true, true, &r);
    double z[3 * SK_MOST], g[3 * SK_MOST], v[3 * SK_MOST], u[3 * SK_MOST], work[3 * SK_MOST], along = 0,
                                                                                              power = 0, rate;
    sk_random_spins(&r, n, z);
    ck_assert(!ph_spins_gradient(system, 0.3, z, g));
    ck_assert(!ph_spins_flow(system, 0.3, z, v));
    for (size_t i = 0; i < n; i++)
        tk_tangent(&r, z + 3 * i, u + 3 * i);
    for (size_t k = 0; k < 3 * n; k++) {
        along += g[k] * u[k];
        power += g[k] * v[k];
    }
    /* s' = (1/Gamma) g x s: Omega(X, u) = sum s . ((g x s) x u) = sum s . (s (g.u) - g (s.u)) = g . u */
    ck_assert_double_eq_tol(sk_omega(system, z, v, u), along, 1e-13);
    ck_assert_double_eq_tol(power, 0, 1e-13);
    double H[2];
    const double h = 1e-4;
    ck_assert(!ph_spins_energy(system, 0.3 + h, z, &H[0]) && !ph_spins_energy(system, 0.3 - h, z, &H[1]));
    ck_assert(!ph_system_power(system, 0.3, z, v, &rate, work));
    ck_assert_double_eq_tol(rate, (H[0] - H[1]) / (2 * h), 1e-8);
    ck_assert(ph_system_kind(system) == PH_PHASE_SPACE && ph_system_has_force(system) &&
              !ph_system_is_conservative(system));
    ck_assert_uint_eq(ph_space_momenta(ph_system_space(system)), 0);
    ck_assert_uint_eq(ph_space_algebra(ph_system_space(system)), 3 * n);
}

/* The ends of all problems, to 28 digits known. */
TEST_EACH(references, SK_PROBLEMS)
{
    static const char *const methods[] = {"rk8", "rk4-projected", "rkmk4", "cf4"};
    static const int64_t steps[] = {2000, 8000, 8000, 8000};
    static const double allowed[] = {2e-13, 2e-10, 2e-10, 2e-10};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        const double error = sk_error(&sk_problems[_i], methods[m], NULL, 0, steps[m]);
        printf("%s by %s: %.1e\n", sk_problems[_i].name, methods[m], error);
        ck_assert_msg(error < allowed[m], "%s: %g", methods[m], error);
    }
}

TEST(momentum)
{
    TK_OWN(ph_system) *ring = sk_ring(6);
    TK_OWN(ph_integrator) *it = sk_bind(ring, "rk8", 0.02, NULL, 0);
    TK_OWN(ph_state) *state = sk_state(it, sk_problems[SK_RING].start);
    double before[3], after[3];
    ck_assert(!ph_spins_momentum(ring, state->z, before));
    ck_assert(!ph_integrator_step(it, state, 500));
    ck_assert(!ph_spins_momentum(ring, state->z, after));
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_eq_tol(after[k], before[k], 1e-13);
}

/* ---- Refused -------------------------------------------------------------------------------------------- */

static const double one = 1, negative = -0.1, two[2] = {1, 0};
static const uint32_t here[3] = {0, 1, 2}, there[3] = {1, 2, 0}, same[3] = {0, 1, 2}, far[3] = {1, 2, 3};
static const ph_bonds odd = {.kind = PH_BOND_EXCHANGE,
                             .n = 3,
                             .first = here,
                             .second = there,
                             .c = &one,
                             .uniform = true,
                             .colours = 2};
static const ph_bonds selves = {
    .kind = PH_BOND_EXCHANGE, .n = 3, .first = here, .second = same, .c = &one, .uniform = true};
static const ph_bonds beyond = {
    .kind = PH_BOND_EXCHANGE, .n = 3, .first = here, .second = far, .c = &one, .uniform = true};
static const ph_bonds listless = {.kind = PH_BOND_EXCHANGE, .c = &one, .uniform = true};
static const ph_bonds axisless = {
    .kind = PH_BOND_AXIAL, .n = 3, .first = here, .second = there, .c = &one, .uniform = true};

static const struct {
    ph_spins spins;
    ph_status status;
    const char *said;
} refused[] = {
    {{.n = 0}, PH_E_INVALID, "there are 0 spins"},
    {{.n = 2, .strengths = two}, PH_E_INVALID, "the strength of spin 2 is 0"},
    {{.n = 1, .damping = &negative}, PH_E_RANGE, "the damping of spin 1 is -0.1"},
    {{.n = 3, .bonds = &odd, .n_bonds = 1}, PH_E_INVALID, "circle of odd length; 3 do"},
    {{.n = 3, .bonds = &selves, .n_bonds = 1}, PH_E_INVALID, "joins spin 1 with itself"},
    {{.n = 3, .bonds = &beyond, .n_bonds = 1}, PH_E_RANGE, "joins spins 3 and 4; there are spins 1 to 3"},
    {{.n = 3, .bonds = &listless, .n_bonds = 1}, PH_E_INVALID, "either all_pairs alone"},
    {{.n = 3, .bonds = &axisless, .n_bonds = 1}, PH_E_INVALID, "the axis has length 0"},
};

TEST_EACH(definitions_refused, sizeof refused / sizeof refused[0])
{
    const ph_system_definition d = {.spins = &refused[_i].spins};
    ph_system *system = NULL;
    tk_refused(ph_system_create(&d, &system, tk_err), refused[_i].status, refused[_i].said);
    ck_assert(!system);
}

/* Methods of systems with momenta say so. */
TEST(methods_refused)
{
    TK_OWN(ph_system) *ring = sk_ring(4);
    tk_refused(ph_method_supports(ph_method_find("variational", NULL), ring, tk_err), PH_E_UNSUPPORTED,
               "the whole phase space");
    tk_returns(ph_field_supports(ph_field_find("q-qdot", NULL), ring, tk_err), PH_E_UNSUPPORTED);
    const ph_factor mixed[2] = {{.kind = PH_FACTOR_SPIN}, {.kind = PH_FACTOR_S2}};
    ph_space *space;
    tk_refused(ph_space_create(mixed, 2, &space, tk_err), PH_E_INVALID, "with its like only");
}

int main(void)
{
    return tk_run("spin systems");
}
