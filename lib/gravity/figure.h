/* SPDX-License-Identifier: BSD-3-Clause */
/* The figure of a body: what its mass distribution has besides the mass, prepared for evaluation. The potential of degree n of a
 * body at the place y in its frame, for a point with G m = 1, is -H_n(y) / |y|^(2n+1), H_n a harmonic polynomial. Kept are
 *     even      of a body with three planes of symmetry, degree 2: m_0, m_2 and their sum; degree 4: of
 *               h = 105 (m_0 a^2 + m_1 a b + m_2 b^2) - g_1 a - g_2 b + g_0, a = (y_x/|y|)^2, b = (y_y/|y|)^2, the numbers
 *               210 m_0, 105 m_1, 210 m_2, g_1, g_2, g_0;
 *     square    the second moments without their trace, int (y y^T - |y|^2/3) dm: xx, xy, xz, yy, yz, zz;
 *     third, fourth  grad H_3, grad H_4 in harmonic polynomials that begin with the monomials dx^a dy^b and dx^a dy^b dz of mass.h:
 *               xx - zz, xy, yy - zz, xz, yz;
 *               xxx - 3xzz, xxy - yzz, xyy - xzz, yyy - 3yzz, xxz - zzz/3, xyz, yyz - zzz/3;
 *     slope     of degree n: grad H_n(y) = |y|^(2n-1) sum slope_beta D_beta, |beta| = n - 1, D_beta = d^beta 1/|y|;
 *     mirrored  the moments with (-1)^n, and turned, those of T_q: how they change as the frame is turned. */
#ifndef PH_GRAVITY_FIGURE_H
#define PH_GRAVITY_FIGURE_H

#include <stdbool.h>

#include <polhode/domain/mass.h>

/* What the bodies are, as far as their figure counts. */
typedef enum ph_figure_sort {
    PH_FIGURE_NONE,      /* a point, a sphere */
    PH_FIGURE_SYMMETRIC, /* three planes of symmetry are those of the frame's axes: ellipsoids */
    PH_FIGURE_ANY,
    PH_FIGURE_SORTS
} ph_figure_sort;

enum { PH_FIGURE_SLOPES = PH_MASS_DEGREE * PH_MASS_DEGREE };

typedef struct ph_figure {
    unsigned degrees; /* bit n: there are moments of degree n */
    double even[9], square[6], third[3][5], fourth[3][7];
    double slope[3][PH_FIGURE_SLOPES];
    double moment[PH_MASS_MOMENTS], mirrored[PH_MASS_MOMENTS], turned[3][PH_MASS_MOMENTS];
} ph_figure;

/* What the moments up to this order are. */
ph_figure_sort ph_figure_sort_of(const ph_mass *mass, size_t order);

/* figure <- of this body, degrees 2 to order. */
void ph_figure_prepare(const ph_mass *mass, size_t order, ph_figure *figure);

#endif
