/* SPDX-License-Identifier: BSD-3-Clause */
/* A point of the unit sphere by its angles: s = (sin angle cos azimuth, sin angle sin azimuth, cos angle). */
#ifndef PH_MODELS_DIRECTION_H
#define PH_MODELS_DIRECTION_H

#include <math.h>

#include <polhode/sphere.h>

/* s (3) <- the point at `angle` from e3. */
static inline void ph_direction(double *s, double angle, double azimuth)
{
    s[0] = sin(angle) * cos(azimuth);
    s[1] = sin(angle) * sin(azimuth);
    s[2] = cos(angle);
    ph_unit_correct3(s);
}

#endif
