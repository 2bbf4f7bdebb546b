/* SPDX-License-Identifier: BSD-3-Clause */
/* An inertia of two unit vectors that depends on their heights and on the angle between them. */
#ifndef POLHODE_TESTS_LEANING_H
#define POLHODE_TESTS_LEANING_H

#include "tests/kit/testkit.h"

static ph_status leaning_inertia(void *user, const double *z, double *M)
{
    (void)user;
    M[0] = 2 + 0.5 * z[2] * z[2];
    M[3] = 1.5 + 0.4 * z[5];
    M[1] = M[2] = 0.5 * (z[0] * z[3] + z[1] * z[4] + z[2] * z[5]);
    return PH_OK;
}

static ph_status leaning_dz(void *user, const double *z, double *dM)
{
    (void)user;
    memset(dM, 0, 24 * sizeof *dM);
    dM[2] = z[2];
    dM[18 + 5] = 0.4;
    for (size_t k = 0; k < 6; k++)
        dM[6 + k] = dM[12 + k] = 0.5 * z[(k + 3) % 6];
    return PH_OK;
}

#endif
