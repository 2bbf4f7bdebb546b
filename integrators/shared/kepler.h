/* SPDX-License-Identifier: BSD-3-Clause */
/* Kepler motion r'' = -mu r/|r|^3 for a finite time, exact but for rounding. */
#ifndef PH_INTEGRATORS_SHARED_KEPLER_H
#define PH_INTEGRATORS_SHARED_KEPLER_H

#include <stdbool.h>
#include <stdint.h>

/* A place and a velocity, each with its low-order part. */
typedef struct ph_kepler_orbit {
    double r[3], r_low[3], v[3], v_low[3];
} ph_kepler_orbit;

/* o <- where it is after a time tau [s] of either sign, with gravitational parameter mu > 0 [m^3/s^2]; *iterations
 * are counted. False, and o unchanged, where the result is not finite: r = 0, or numbers out of range. */
bool ph_kepler_drift(double mu, double tau, ph_kepler_orbit *o, int64_t *iterations);

#endif
