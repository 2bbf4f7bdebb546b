/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms of pair.c in vectors across eight systems (pair-lanes.h). Included once for each width, with
 *     number      a vector of that many doubles; OF(loose): at any address of a double; OF(name)
 *     TARGET      the attribute of functions for such vectors
 *     FORMS       the declaration of the table of forms. */
#define STEP PH_GRAVITATION_LANES

/* Functions that are not inline (pair-closed.h) return vector types, so they cannot be compiled for one processor only. */
#ifdef __SANITIZE_ADDRESS__
#undef TARGET
#define TARGET
#endif

INLINE void OF(root)(number *square)
{
    number v = *square;
    for (size_t k = 0; k < sizeof v / sizeof(double); k++)
        v[k] = sqrt(v[k]);
    *square = v;
}

#include "pair-closed.h"
#include "pair-operator.h"

enum { POINT = PH_FIGURE_NONE, EVEN = PH_FIGURE_SYMMETRIC, ANY = PH_FIGURE_ANY };

#define FORM(kind, order, a, b)                                                                              \
    static TARGET void kind##_##order##_##a##_##b(const ph_pair *p, unsigned parts, const double *x,         \
                                                  const double *Ra, const double *Rb,                        \
                                                  const ph_pair_result *out)                                 \
    {                                                                                                        \
        for (size_t at = 0; at < PH_GRAVITATION_LANES; at += sizeof(number) / sizeof(double)) {              \
            const ph_pair_result to = {out->force + at, out->torque_a + at, out->torque_b + at,              \
                                       out->U ? out->U + at : NULL};                                         \
            OF(kind)(order, (ph_figure_sort)a, (ph_figure_sort)b, p, parts, x + at, Ra + at, Rb + at, &to);  \
        }                                                                                                    \
    }

#include "pair-forms.h"
