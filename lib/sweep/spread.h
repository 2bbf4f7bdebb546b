/* SPDX-License-Identifier: BSD-3-Clause */
/* The configurations of many members: their Frechet mean and the covariance of what log makes of them there. */
#ifndef PH_SWEEP_SPREAD_H
#define PH_SWEEP_SPREAD_H

#include <polhode/space.h>

#include "finals.h"

typedef struct ph_spread {
    const ph_space *space;
    size_t nz, nx;
    size_t *at;         /* (nz) the column of each coordinate */
    double *mean;       /* (nz) */
    double *basis;      /* of the tangent space there: ph_space_basis */
    double *covariance; /* (nx x nx) of tangent coordinates */
    double *largest;    /* (factors) distance from the mean */
    int64_t counted;    /* members */
    int64_t opposite; /* of them those that log does not reach, and that covariance and distance leave out */
    int iterations;   /* of the mean */
    bool converged;
} ph_spread;

/* s <- of the final states; at (nz): the columns of the configuration. To be freed also where it fails. */
ph_status ph_spread_find(ph_spread *s, const ph_space *space, const size_t *at, ph_finals *f, ph_error *err);
void ph_spread_free(ph_spread *s);

#endif
