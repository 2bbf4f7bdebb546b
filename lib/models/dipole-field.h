/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of dipole-array.c (vectors.h): the field at a stretch of sites, summed over all dipoles. */
#include "vectors.h"

enum { PH_NAME(PARTS) = STRETCH / PH_LANES };

/* dU (3 x STRETCH) <- the field at the places of a line, from `first` onwards. A dipole adds nothing to its
 * own site; numbers beyond the end of the line are meaningless. */
PH_TARGET static void PH_NAME(add_up)(const array *d, const double *z, size_t line, size_t first,
                                      double dU[3 * STRETCH])
{
    PH_VECTOR sum[3][PH_NAME(PARTS)];
    memset(sum, 0, sizeof sum);
    for (size_t from = 0; from < d->lines; from++) {
        const double side = from > line ? -1 : 1;
        size_t at = (from > line ? from - line : line - from) * d->width + d->places - 1 + first;
        const double *q = z + 3 * from * d->per_line;
        for (size_t k = places_of(d, from); k > 0; k--, at--, q += 3 * d->per_place) {
            const double across = side * q[0], along = side * q[1];
            for (size_t part = 0; part < PH_NAME(PARTS); part++) {
                const size_t there = at + PH_LANES * part;
                const PH_VECTOR xy = *(PH_VECTOR *)(d->xy + there);
                sum[0][part] += *(PH_VECTOR *)(d->xx + there) * q[0] + xy * along;
                sum[1][part] += *(PH_VECTOR *)(d->yy + there) * q[1] + xy * across;
                sum[2][part] += *(PH_VECTOR *)(d->zz + there) * q[2];
            }
        }
    }
    memcpy(dU, sum, sizeof sum);
}
