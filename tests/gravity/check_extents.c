/* SPDX-License-Identifier: BSD-3-Clause */
/* Ellipsoids of inertia: of ellipsoids themselves, turned; of a cuboid as a polyhedron, whose half-axes are sqrt(5/3) of its
 * half-edges; of points and impossible moments. */
#include <polhode/domain/extents.h>

#include "tests/kit/testkit.h"

TEST_EACH(ellipsoid, 5)
{
    static const double half[3] = {300, 200, 150}, nowhere[3] = {0, 0, 0};
    tk_random r = {(uint64_t)_i + 5};
    ph_mass own, turned = {.radius = 0};
    double w[3], turn[9], R[9], axes[3];
    tk_ok(ph_mass_ellipsoid(7e10, half, &own, NULL));
    for (size_t k = 0; k < 3; k++)
        w[k] = tk_uniform(&r, -2, 2);
    ph_exp3(w, turn);
    ph_mass_add(&own, nowhere, turn, &turned);
    ph_mass_extents(&turned, R, axes);
    ck_assert_double_le(tk_max_difference(axes, half, 3), 300 * 4e-15);
    ck_assert_double_eq_tol(ph_determinant3(R), 1, 1e-14);
    for (size_t k = 0; k < 3; k++) { /* the same axes, of either direction */
        const double along = R[k] * turn[k] + R[3 + k] * turn[3 + k] + R[6 + k] * turn[6 + k];
        ck_assert_double_eq_tol(fabs(along), 1, 1e-14);
    }
}

/* J_x = (M/3)(b^2 + c^2) of a cuboid with half-edges a, b, c. */
TEST(cuboid)
{
    static const uint32_t face[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    static const double edge[3] = {2, 5, 3}, sorted[3] = {5, 3, 2};
    double vertex[24], R[9], axes[3];
    ph_mass body;
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 3; k++)
            vertex[3 * i + k] = i >> k & 1 ? edge[k] : -edge[k];
    const ph_mesh mesh = {8, vertex, 12, face};
    tk_ok(ph_mass_polyhedron(&mesh, 1000, &body, NULL, tk_err));
    ph_mass_extents(&body, R, axes);
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_eq_tol(axes[k] / (sorted[k] * sqrt(5. / 3)), 1, 1e-14);
}

TEST(limits)
{
    static const double none[3] = {0, 0, 0}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double R[9], axes[3];
    ph_mass body;
    tk_ok(ph_mass_sphere(5, 0, &body, NULL));
    ph_mass_extents(&body, R, axes);
    ck_assert_double_le(tk_max_difference(axes, none, 3), 0);
    ck_assert_double_le(tk_max_difference(R, identity, 9), 0);
    tk_ok(ph_mass_sphere(5, 2, &body, NULL));
    ph_mass_extents(&body, R, axes);
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_eq_tol(axes[k], 2, 1e-15);
    body.J[0] = 1;
    body.J[4] = 1;
    body.J[8] = 3;
    ph_mass_extents(&body, R, axes);
    ck_assert_double_eq_tol(axes[0], sqrt(1.5), 1e-15);
    ck_assert_double_eq(axes[2], 0);
}

int main(void)
{
    return tk_run("extents");
}
