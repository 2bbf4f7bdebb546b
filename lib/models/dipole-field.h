/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of dipole-array.c: the field at a stretch of sites, summed over all dipoles. Included twice,
 * with number, TARGET and OF(name) as in attraction.h. */

enum { OF(WIDTH) = sizeof(number) / sizeof(double), OF(PARTS) = STRETCH / OF(WIDTH) };

/* dU (3 x STRETCH) <- the field at the places of a line, from `first` onwards. A dipole adds nothing to its
 * own site; numbers beyond the end of the line are meaningless. */
TARGET static void OF(add_up)(const array *d, const double *z, size_t line, size_t first,
                              double dU[3 * STRETCH])
{
    number sum[3][OF(PARTS)];
    memset(sum, 0, sizeof sum);
    for (size_t from = 0; from < d->lines; from++) {
        const double side = from > line ? -1 : 1;
        size_t at = (from > line ? from - line : line - from) * d->width + d->places - 1 + first;
        const double *q = z + 3 * from * d->per_line;
        for (size_t k = places_of(d, from); k > 0; k--, at--, q += 3 * d->per_place) {
            const double across = side * q[0], along = side * q[1];
            for (size_t part = 0; part < OF(PARTS); part++) {
                const size_t there = at + OF(WIDTH) *part;
                const number xy = *(number *)(d->xy + there);
                sum[0][part] += *(number *)(d->xx + there) * q[0] + xy * along;
                sum[1][part] += *(number *)(d->yy + there) * q[1] + xy * across;
                sum[2][part] += *(number *)(d->zz + there) * q[2];
            }
        }
    }
    memcpy(dU, sum, sizeof sum);
}

#undef number
#undef TARGET
#undef OF
