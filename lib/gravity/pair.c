/* SPDX-License-Identifier: BSD-3-Clause */
/* Which form two bodies are evaluated in (pair.h), for one system. */
#include "pair.h"

#include "lib/internal/lanes.h"

#include <math.h>

/* Vectors of two neighbouring numbers, which GCC makes of these formulas, take longer than numbers: 52 ns instead of 31 for two
 * ellipsoids at order 2. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#define number double
#define OF(name) one_##name
#define STEP 1

typedef double OF(loose);

INLINE void OF(root)(double *square)
{
    *square = sqrt(*square);
}

#include "pair-closed.h"
#include "pair-operator.h"

#define FORMS static ph_pair_evaluate *const forms[PH_MASS_DEGREE + 1][PH_FIGURE_SORTS][PH_FIGURE_SORTS]

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

enum { POINT = PH_FIGURE_NONE, EVEN = PH_FIGURE_SYMMETRIC, ANY = PH_FIGURE_ANY };

#define FORM(kind, order, a, b)                                                                              \
    static void kind##_##order##_##a##_##b(const ph_pair *p, unsigned parts, const double *x,                \
                                           const double *Ra, const double *Rb, const ph_pair_result *out)    \
    {                                                                                                        \
        OF(kind)(order, (ph_figure_sort)a, (ph_figure_sort)b, p, parts, x, Ra, Rb, out);                     \
    }
#include "pair-forms.h"

void ph_pair_prepare(double G, size_t order, double mass_a, ph_figure_sort sort_a, const ph_figure *a,
                     double mass_b, ph_figure_sort sort_b, const ph_figure *b, ph_pair *pair)
{
    *pair = (ph_pair){.order = (int)order,
                      .sort_a = sort_a,
                      .sort_b = sort_b,
                      .G = G,
                      .gm_a = G * mass_a,
                      .gm_b = G * mass_b,
                      .strength = G * mass_a * mass_b,
                      .a = a,
                      .b = b,
                      .evaluate = forms[order][sort_a][sort_b]};
}

void ph_pair_points(const ph_pair *p, unsigned parts, const double *x, const double *Ra, const double *Rb,
                    const ph_pair_result *out)
{
    closed_0_POINT_POINT(p, parts, x, Ra, Rb, out);
}
