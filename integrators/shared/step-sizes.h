/* SPDX-License-Identifier: BSD-3-Clause */
/* The sizes of a step whose equations are those of multipliers (tensions.h), or of a stage of a composition. */
#ifndef PH_INTEGRATORS_SHARED_STEP_SIZES_H
#define PH_INTEGRATORS_SHARED_STEP_SIZES_H

#include "compositions.h"
#include "lanes.h"

/* The sizes of a step: h, and the time for which gravity acts on what is carried, half the sum of this stage and the one
 * before. Steps of one size carry increments: h counts as 1 for them, and gravity acts for h^2. */
typedef struct ph_step_sizes {
    bool staged;
    double h, per_h, kick; /* per_h: 1/h */
} ph_step_sizes;

/* Those of a stage in a step, or of steps of one size, whose increments are what is carried. */
INLINE ph_step_sizes ph_step_sizes_of(bool staged, const ph_composition *of, double step, size_t stage)
{
    if (!staged)
        return (ph_step_sizes){false, 1, 1, step * step};
    const double h = ph_composition_gamma(of, stage) * step,
                 before = ph_composition_gamma(of, (stage ? stage : of->stages) - 1) * step;
    return (ph_step_sizes){true, h, 1 / h, 0.5 * (before + h)};
}

/* h v of stages; increments of steps are v themselves. */
INLINE vector ph_increment(const ph_step_sizes *sizes, vector v)
{
    return sizes->staged ? sizes->h * v : v;
}

/* And the other way round: rows, whose unknowns are impulses, have the residual of increments over h. */
INLINE vector ph_rate(const ph_step_sizes *sizes, vector d)
{
    return sizes->staged ? sizes->per_h * d : d;
}

#endif
