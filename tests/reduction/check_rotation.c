/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction by a rotation: locked inertia, connection and amended potential against their definitions on random
 * invariant systems, derivatives against differences, and the relative equilibria of chains, whose angles and
 * momenta are roots of the scalar equations found in 40 digits. */
#include <polhode/domain/reduction.h>

#include "tests/kit/products.h"
#include "tests/kit/testkit.h"
#include "tests/reduction/leaning.h"

/* *V, and its derivative along the tangent vector e by differences of order 4. */
static double slope(const ph_system *s, size_t i, const double *z, const double *e, double mu, double *work)
{
    const double h = 1e-3, share[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0}, at[4] = {-2, -1, 1, 2};
    double sum = 0, V, z1[PD_NZ], v[PD_NZ];
    for (int k = 0; k < 4; k++) {
        for (size_t j = 0; j < ph_space_ambient(ph_system_space(s)); j++)
            v[j] = h * at[k] * e[j];
        ph_space_exp(ph_system_space(s), z, v, z1);
        tk_ok(ph_reduction_amended_potential(s, i, z1, mu, &V, NULL, work, NULL));
        sum += share[k] * V / h;
    }
    return sum;
}

TEST_EACH(definitions, 40)
{
    tk_random r = {(uint64_t)_i + 5};
    pd_system *s = pd_random(PD_INVARIANT, &r);
    double z[PD_NZ], v[PD_NZ], p[PD_NZ], zeta[PD_NZ], dV[PD_NZ], locked, J, rate, V, U;
    TK_MEMORY double *work =
        malloc((ph_reduction_work(s->system) + ph_system_work(s->system)) * sizeof *work);
    pd_motion(s, &r, 1, z, v);
    for (size_t i = 0; i < 3; i++) {
        if (ph_reduction_connection(s->system, i, z, v, &rate, work, NULL) == PH_E_SINGULAR)
            continue; /* only vectors of other lengths: nothing turns */
        tk_ok(ph_reduction_generator(s->system, i, z, zeta));
        tk_ok(ph_reduction_locked_inertia(s->system, i, z, &locked, work));
        ck_assert_double_le(ph_space_tangency(s->space, z, zeta), 1e-14);
        ck_assert_double_eq_tol(locked, 2 * tk_kinetic(s->system, z, zeta), 1e-12 * locked);
        tk_ok(ph_system_momentum(s->system, 0, z, v, p, work));
        tk_ok(ph_system_momentum_map(s->system, i, z, p, &J, work));
        ck_assert_double_eq_tol(rate * locked, J, 1e-12 * (locked + fabs(J)));
        tk_ok(ph_reduction_connection(s->system, i, z, zeta, &rate, work, NULL));
        ck_assert_double_eq_tol(rate, 1, 1e-14);
        tk_ok(ph_reduction_amended_potential(s->system, i, z, J, &V, dV, work, NULL));
        tk_ok(ph_system_potential(s->system, z, &U));
        ck_assert_double_eq_tol(V, U + J * J / (2 * locked), 1e-13 * (fabs(U) + fabs(V)));
        /* the differences are good to 1e-12 h^4 and rounding / h */
        const double by = slope(s->system, i, z, v, J, work);
        double along = 0, size = fabs(V);
        for (size_t k = 0; k < s->nz; k++) {
            along += dV[k] * v[k];
            size += fabs(dV[k] * v[k]);
        }
        ck_assert_double_eq_tol(along, by, 1e-8 * size);
    }
    pd_free(s);
}

/* Relative equilibria of chains: angles from hanging, all links in a turning plane; their rate and momentum. */
static const struct {
    size_t n;
    double m[3], l[3], th[3], rate, mu;
} chains[] = {
    {2, {1, 1}, {1, 1}, {.5, .6482089907962289}, 2.619031318767231, 3.67486494245934},
    {2, {1, 1}, {1, 1}, {.5, -.7884477775242783}, 6.553170541345508, 1.8524022619368},
    {2, {1, 1}, {1, 1}, {.5, -2.844472901232127}, 4.011452823294189, 1.06179191156681},
    {2, {1, 1}, {1, 1}, {1.2, 1.288420593740931}, 4.22696806441371, 18.8100420907187},
    {2, {1, 2}, {1, .7}, {.4, -.819844715829122}, 9.269921783093003, 1.6831017832857},
    {2, {2, .3}, {1, 1}, {.6, .9528411087846828}, 3.162708713713946, 3.82282905670101},
    {3,
     {1, 1, 1},
     {1, 1, 1},
     {.3, .3786115278755126, .4617263408263379},
     2.096463590065455,
     3.69667481980322},
    {3,
     {1, 1, 1},
     {1, 1, 1},
     {.3, .05009196331860476, -.7146920043989803},
     5.241892759959821,
     1.586917818219},
};

TEST_EACH(relative_equilibria, sizeof chains / sizeof *chains)
{
    const double gravity[3] = {0, 0, -9.81};
    tk_chain c;
    double z[9], dV[9], zeta[9], V, locked, work[2000];
    tk_chain_fill(&c, chains[_i].n, chains[_i].m, chains[_i].l, gravity);
    TK_OWN(ph_system) *s = tk_chain_system(&c);
    ck_assert_uint_le(ph_reduction_work(s), 2000);
    for (size_t k = 0; k < c.n; k++) {
        z[3 * k] = sin(chains[_i].th[k]);
        z[3 * k + 1] = 0;
        z[3 * k + 2] = -cos(chains[_i].th[k]);
    }
    tk_ok(ph_reduction_generator(s, 0, z, zeta));
    tk_ok(ph_reduction_locked_inertia(s, 0, z, &locked, work));
    const double mu = chains[_i].mu;
    ck_assert_double_eq_tol(mu / locked, chains[_i].rate, 1e-12 * chains[_i].rate);
    tk_ok(ph_reduction_amended_potential(s, 0, z, mu, &V, dV, work, NULL));
    ph_space_project_tangent(ph_system_space(s), z, dV);
    for (size_t k = 0; k < 3 * c.n; k++) /* of the weights, some 10 N m */
        ck_assert_double_le(fabs(dV[k]), 1e-11 * 30);
}

TEST(all_vertical)
{
    const double m[2] = {1, 2}, l[2] = {1, .7}, gravity[3] = {0, 0, -9.81};
    const double z[6] = {0, 0, -1, 0, 0, 1}, v[6] = {1, 0, 0, 0, 0, 0};
    tk_chain c;
    double V, rate, U, work[2000];
    tk_chain_fill(&c, 2, m, l, gravity);
    TK_OWN(ph_system) *s = tk_chain_system(&c);
    tk_returns(ph_reduction_connection(s, 0, z, v, &rate, work, tk_err), PH_E_SINGULAR);
    ck_assert_msg(strstr(tk_err->message, "1 against it") && strstr(tk_err->message, "2 along it"), "%s",
                  tk_err->message);
    ck_assert_int_eq(ph_reduction_amended_potential(s, 0, z, 1, &V, NULL, work, NULL), PH_E_SINGULAR);
    tk_ok(ph_reduction_amended_potential(s, 0, z, 0, &V, NULL, work, NULL));
    tk_ok(ph_system_potential(s, z, &U));
    ck_assert_double_eq(V, U);
    ck_assert_int_eq(ph_reduction_locked_inertia(s, 7, z, &V, work), PH_E_RANGE);
}

TEST(varying_inertia)
{
    const ph_factor sphere = {.kind = PH_FACTOR_S2};
    const ph_symmetry about = {
        .name = "J", .text = "about the third axis", .unit = "kg m^2/s", .axis = {0, 0, 1}};
    tk_random r = {3};
    double z[6], v[6], dV[6], V, along = 0, work[2000];
    TK_MAKE(ph_space, space, ph_space_create_power(&sphere, 2, &space, NULL));
    const ph_system_definition d = {.space = space,
                                    .inertia_at = leaning_inertia,
                                    .inertia_dz = leaning_dz,
                                    .symmetries = &about,
                                    .n_symmetries = 1};
    TK_MAKE(ph_system, s, ph_system_create(&d, &s, NULL));
    for (size_t k = 0; k < 2; k++) {
        tk_unit(&r, z + 3 * k);
        tk_tangent(&r, z + 3 * k, v + 3 * k);
    }
    tk_ok(ph_reduction_amended_potential(s, 0, z, 3, &V, dV, work, NULL));
    for (size_t k = 0; k < 6; k++)
        along += dV[k] * v[k];
    const double by = slope(s, 0, z, v, 3, work);
    ck_assert_double_eq_tol(along, by, 1e-8 * (fabs(V) + fabs(along)));
}

int main(void)
{
    return tk_run("rotation");
}
