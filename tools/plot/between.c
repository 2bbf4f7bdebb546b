/* SPDX-License-Identifier: BSD-3-Clause */
/* The motion between two rows: see between.h. */
#include "between.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool between_start(between *b, const ph_space *space)
{
    const size_t nz = ph_space_ambient(space);
    *b = (between){.space = space, .nz = nz};
    b->block = malloc((2 + 5 * nz) * sizeof *b->block);
    if (!b->block)
        return false;
    b->ends[0] = b->block;
    b->ends[1] = b->ends[0] + 1 + 2 * nz;
    b->z = b->ends[1] + 1 + 2 * nz;
    return true;
}

void between_free(between *b)
{
    free(b->block);
}

/* By the trapezoidal rule the way of a factor is that of its velocities: on a circle it misses a fifth of it at a quarter of a turn from
 * row to row, a third at 2 rad. */
static bool is_near(const between *b)
{
    static const double most = 0.35;
    const double H = b->ends[1][0] - b->ends[0][0];
    for (size_t i = 0; i < ph_space_factors(b->space); i++) {
        const ph_factor_place *f = ph_space_factor(b->space, i);
        const double *z0 = b->ends[0] + 1 + f->z, *z1 = b->ends[1] + 1 + f->z, *v0 = z0 + b->nz,
                     *v1 = z1 + b->nz;
        double miss = 0, fast[2] = {0, 0};
        for (size_t k = 0; k < f->nz; k++) {
            const double off = z1[k] - z0[k] - 0.5 * H * (v0[k] + v1[k]);
            miss += off * off;
            fast[0] += v0[k] * v0[k];
            fast[1] += v1[k] * v1[k];
        }
        if (!(sqrt(miss) <= most * fabs(H) * sqrt(fmax(fast[0], fast[1])) + 1e-12))
            return false;
    }
    return true;
}

bool between_enter(between *b, const double *row)
{
    double *last = b->ends[0];
    b->ends[0] = b->ends[1];
    b->ends[1] = last;
    memcpy(last, row, (1 + 2 * b->nz) * sizeof *last);
    b->rows += b->rows < 2;
    return b->rows == 2 && is_near(b);
}

bool between_at(between *b, double theta)
{
    const double H = b->ends[1][0] - b->ends[0][0];
    const double *z0 = b->ends[0] + 1, *z1 = b->ends[1] + 1, *v0 = z0 + b->nz, *v1 = z1 + b->nz;
    for (size_t i = 0; i < b->nz; i++) {
        const double linear = H * v0[i], miss = z1[i] - z0[i] - linear, slope = H * (v1[i] - v0[i]);
        b->z[i] = z0[i] + theta * (linear + theta * (3 * miss - slope + theta * (slope - 2 * miss)));
    }
    return !ph_space_project(b->space, b->z);
}
