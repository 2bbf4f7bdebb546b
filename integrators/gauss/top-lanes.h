/* SPDX-License-Identifier: BSD-3-Clause */
/* The field of top.c in lanes, some of the stages at once: included once for each width of vectors (lanes-width.h). */
#include "integrators/shared/lanes-eight.h"

/* d <- x (0, O). */
INLINE void OF(times)(const number *x, const number *O, number *d)
{
    d[0] = -(x[1] * O[0] + x[2] * O[1] + x[3] * O[2]);
    d[1] = x[0] * O[0] + (x[2] * O[2] - x[3] * O[1]);
    d[2] = x[0] * O[1] + (x[3] * O[0] - x[1] * O[2]);
    d[3] = x[0] * O[2] + (x[1] * O[1] - x[2] * O[0]);
}

INLINE void OF(all)(const top_own *own, size_t wide, const double *Y, double *F)
{
    for (size_t at = 0; at < wide; at += WIDTH) {
        number x[4], y[4], O[3], dx[4], dy[4];
        for (size_t k = 0; k < 4; k++) {
            x[k] = OF(load)(Y + k * wide + at);
            y[k] = OF(load)(Y + (4 + k) * wide + at);
        }
        O[0] = own->over * ((x[0] * y[1] - y[0] * x[1]) - (x[2] * y[3] - x[3] * y[2]));
        O[1] = own->over * ((x[0] * y[2] - y[0] * x[2]) - (x[3] * y[1] - x[1] * y[3]));
        O[2] = own->over * ((x[0] * y[3] - y[0] * x[3]) - (x[1] * y[2] - x[2] * y[1]));
        OF(times)(x, O, dx);
        OF(times)(y, O, dy);
        for (size_t k = 0; k < 4; k++) {
            const double *M = own->M[k];
            OF(store)(dx[k], F + k * wide + at);
            OF(store)(dy[k] + ((M[0] * x[0] + M[1] * x[1]) + (M[2] * x[2] + M[3] * x[3])),
                      F + (4 + k) * wide + at);
        }
    }
}

static TARGET void OF(field)(const top_own *own, size_t wide, const double *Y, double *F)
{
    OF(all)(own, wide, Y, F);
}
