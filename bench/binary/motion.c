/* SPDX-License-Identifier: BSD-3-Clause */
/* How far two configurations are apart (motion.h). */
#include "motion.h"

#include <math.h>

void binary_differ(const binary_motion *m, const double *z, const double *truth, double *place, double *turn)
{
    *place = *turn = 0;
    for (size_t i = 0; i < m->places; i++) {
        double square = 0;
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            square += (z[k] - truth[k]) * (z[k] - truth[k]);
        *place = isnan(square) ? (double)NAN : fmax(*place, sqrt(square));
    }
    for (size_t i = 0; i < m->attitudes; i++) {
        double square = 0; /* |R - R'|^2 = 8 sin^2(angle/2) */
        for (size_t k = 3 * m->places + 9 * i; k < 3 * m->places + 9 * i + 9; k++)
            square += (z[k] - truth[k]) * (z[k] - truth[k]);
        *turn = isnan(square) ? (double)NAN : fmax(*turn, 2 * asin(fmin(1, sqrt(square / 8))));
    }
}
