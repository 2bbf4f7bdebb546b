/* SPDX-License-Identifier: BSD-3-Clause */
/* A motion of bodies under mutual gravity as seen from axes that turn about e3 (polhode/domain/gravitation.h): with A = R_3(-angle)
 *     x1 = A x,   v1 = A (v - rate e3 x x),   R1 = A R,   R1dot = A (Rdot - rate S(e3) R),
 * which is the same for places and for each column of an attitude. */
#include "gravitation.h"

#include <polhode/kit/elementary.h>

#include <math.h>

typedef struct axes {
    double c, s, rate;
} axes;

/* A vector and its derivative, whose components are `apart` numbers from each other. */
static void turn(const axes *a, size_t apart, const double *x, const double *v, double *x1, double *v1)
{
    const double u = x[0], w = x[apart], du = v[0] + a->rate * w, dw = v[apart] - a->rate * u;
    x1[2 * apart] = x[2 * apart];
    v1[2 * apart] = v[2 * apart];
    x1[0] = a->c * u + a->s * w;
    x1[apart] = a->c * w - a->s * u;
    v1[0] = a->c * du + a->s * dw;
    v1[apart] = a->c * dw - a->s * du;
}

void ph_gravitation_turn_axes(const ph_gravitation *g, double angle, double rate, const double *z,
                              const double *zdot, double *z1, double *zdot1)
{
    const axes a = {ph_cos(angle), ph_sin(angle), rate};
    for (size_t i = 0; i < g->places; i++)
        turn(&a, 1, z + 3 * i, zdot + 3 * i, z1 + 3 * i, zdot1 + 3 * i);
    for (size_t i = 0; i < g->attitudes; i++)
        for (size_t k = 0; k < 3; k++) {
            const size_t at = 3 * g->places + 9 * i + k;
            turn(&a, 3, z + at, zdot + at, z1 + at, zdot1 + at);
        }
}
