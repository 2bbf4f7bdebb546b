/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms of pair.c in a vector across some of eight systems (pair-lanes.h). Included once for each width, with
 *     number      a vector of that many doubles; OF(loose): at any address of a double; OF(name)
 *     TARGET      the attribute of functions for such vectors
 *     FORMS       the declaration of the table of forms
 *     EACH        defined: for pairs that differ, in closed form. */
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

#ifdef EACH
typedef ph_pair_given OF(given);
typedef ph_pair_each OF(pair);
typedef ph_figure_each OF(figure);
#define GIVEN(x) OF(at)(x, 0)
#define FIGURE(f) (&(f))
#include "pair-closed.h"
#define FORM(kind, order, a, b) FORM_##kind(order, a, b)
/* None: a null pointer. */
#define FORM_operator(order, a, b) enum { operator_##order##_##a##_##b };
#define FORM_closed(order, a, b) FORM_OF(closed, order, a, b)
#else
#include "pair-closed.h"
#include "pair-operator.h"
#define FORM FORM_OF
#endif

enum { POINT = PH_FIGURE_NONE, EVEN = PH_FIGURE_SYMMETRIC, ANY = PH_FIGURE_ANY };

#define FORM_OF(kind, order, a, b)                                                                           \
    static TARGET void kind##_##order##_##a##_##b(const OF(pair) *p, unsigned parts, const double *x,        \
                                                  const double *Ra, const double *Rb,                        \
                                                  const ph_pair_result *out)                                 \
    {                                                                                                        \
        OF(kind)(order, (ph_figure_sort)a, (ph_figure_sort)b, p, parts, x, Ra, Rb, out);                     \
    }

#include "pair-forms.h"
