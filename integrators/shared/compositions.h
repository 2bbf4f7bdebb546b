/* SPDX-License-Identifier: BSD-3-Clause */
/* Compositions: a step of h made of steps gamma_1 h, ..., gamma_s h of a symmetric method of order 2. With
 * gamma_i = gamma_(s+1-i) it is symmetric again, and of a higher order if the gammas fulfil the order
 * conditions. Each has its source; tests/methods/compositions.sh finds the order of each from its digits. */
#ifndef PH_INTEGRATORS_SHARED_COMPOSITIONS_H
#define PH_INTEGRATORS_SHARED_COMPOSITIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { PH_MOST_STAGES = 21 };

typedef struct ph_composition {
    const char *name; /* one word */
    const char *source;
    int order;
    size_t stages;
    bool best;           /* does `automatic` take it for its order? */
    const double *gamma; /* the first (stages + 1) / 2 */
} ph_composition;

/* clang-format off */
/* X(name in C, name, order, stages, is it what `automatic` takes for its order (by measurement, doc/evidence/accuracy.md)?,
 * source) */
#define PH_COMPOSITIONS(X)                                                                                   \
    X(suzuki_5,              "suzuki-5",              4,  5, true,  "Suzuki, Phys. Lett. A 146 (1990) 319")  \
    X(mclachlan_5,           "mclachlan-5",           4,  5, false,                                          \
      "McLachlan, SIAM J. Sci. Comput. 16 (1995) 151")                                                       \
    X(kahan_li_9,            "kahan-li-9",            6,  9, false, "Kahan, Li, Math. Comput. 66 (1997) 1089") \
    X(sofroniou_spaletta_11, "sofroniou-spaletta-11", 6, 11, true,                                           \
      "Sofroniou, Spaletta, Optim. Methods Softw. 20 (2005) 597")                                            \
    X(suzuki_umeno_15,       "suzuki-umeno-15",       8, 15, false,                                          \
      "Suzuki, Umeno, Springer Proc. Phys. 76 (1993) 74")                                                    \
    X(kahan_li_17,           "kahan-li-17",           8, 17, false, "Kahan, Li, Math. Comput. 66 (1997) 1089") \
    X(sofroniou_spaletta_21, "sofroniou-spaletta-21", 8, 21, true,                                           \
      "Sofroniou, Spaletta, Optim. Methods Softw. 20 (2005) 597")
/* clang-format on */

/* As choices of options: "automatic" is the first word of both. */
#define PH_COMPOSITION_ORDERS "automatic 2 4 6 8"
#define PH_COMPOSITION_WORD(identifier, name, order, stages, best, source) " " name
#define PH_COMPOSITION_WORDS "automatic" PH_COMPOSITIONS(PH_COMPOSITION_WORD)

/* The one that these choices, by their positions, ask for; NULL: none, a step of order 2. *order <- its
 * order, or 0 where the choices contradict each other. */
const ph_composition *ph_composition_chosen(double order, double word, int *order_of_it);

/* How a stage is guessed from those before it, which were of other sizes. */
enum { PH_STAGE_HISTORY = 5 };
typedef struct ph_stage {
    double step;  /* of the whole composition: a history belongs to it */
    size_t index; /* which it is */
    double increments[PH_STAGE_HISTORY]
                     [PH_STAGE_HISTORY]; /* [n - 1]: weights of the latest n, the latest first */
    double tensions[PH_STAGE_HISTORY][PH_STAGE_HISTORY]; /* the same of multipliers */
} ph_stage;

/* The next of `count` increments, at most three, the latest first; stage: nullable. */
static inline double ph_extrapolate(const ph_stage *stage, double count, double y1, double y2, double y3)
{
    if (stage) {
        const double *weights = stage->increments[(size_t)count - 1];
        return weights[0] * y1 + weights[1] * y2 + weights[2] * y3;
    }
    return count < 2 ? y1 : count < 3 ? 2 * y1 - y2 : 3 * (y1 - y2) + y3;
}

/* What a history of increments is stamped with: a step size, and not that of a stage. */
static inline double ph_stage_stamp(const ph_stage *stage, double h)
{
    return stage ? stage->step : h;
}

/* gamma_i, i from 0. */
static inline double ph_composition_gamma(const ph_composition *c, size_t i)
{
    return c->gamma[i < c->stages - 1 - i ? i : c->stages - 1 - i];
}

#endif
