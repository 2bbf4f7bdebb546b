/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of the unit sphere: by their angles, s = (sin angle cos azimuth, sin angle sin azimuth, cos angle); and at random,
 * uniformly, from the 64-bit sequence splitmix64 with a seed (Steele, Lea, Flood, OOPSLA 2014). */
#ifndef PH_MODELS_DIRECTION_H
#define PH_MODELS_DIRECTION_H

#include <math.h>
#include <stdint.h>

#include <polhode/kit/elementary.h>
#include <polhode/kit/sphere.h>

/* s (3) <- the point at `angle` from e3. */
static inline void ph_direction(double *s, double angle, double azimuth)
{
    s[0] = ph_sin(angle) * ph_cos(azimuth);
    s[1] = ph_sin(angle) * ph_sin(azimuth);
    s[2] = ph_cos(angle);
    ph_unit_correct3(s);
}

/* The next number in [0, 1), a multiple of 2^-53. */
static inline double ph_scatter_next(uint64_t *seed)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* s (3) <- a point of the sphere: its height is uniform in [-1, 1], and its azimuth in [0, 2 pi). */
static inline void ph_scatter_unit(uint64_t *seed, double *s)
{
    const double height = 2 * ph_scatter_next(seed) - 1,
                 angle = 6.2831853071795864769 * ph_scatter_next(seed),
                 out = sqrt((1 - height) * (1 + height));
    s[0] = out * ph_cos(angle);
    s[1] = out * ph_sin(angle);
    s[2] = height;
    ph_unit_correct3(s);
}

#endif
