/* SPDX-License-Identifier: BSD-3-Clause */
/* Extrapolation through earlier steps and stages: see extrapolation.h. */
#include "extrapolation.h"

#include <math.h>
#include <string.h>

/* weights (m) <- those of the stored values in the extrapolation to `at` through the latest m points
 * (Lagrange). Returns the relative error that is expected. */
static double weigh(const ph_sample *points, size_t m, const ph_sample *at, double *weights)
{
    double error = 1;
    for (size_t j = 0; j < m; j++)
        error *= PH_EXTRAPOLATION_TURN * fabs(at->t - points[j].t) / (double)(j + 1);
    for (size_t j = 0; j < m; j++) {
        double lagrange = 1;
        for (size_t k = 0; k < m; k++)
            if (k != j)
                lagrange *= (at->t - points[k].t) / (points[j].t - points[k].t);
        weights[j] = lagrange * at->scale / points[j].scale;
        error += fabs(lagrange) * points[j].noise;
    }
    return isfinite(error) ? error : INFINITY;
}

void ph_extrapolation_weights(const ph_sample *points, size_t n, const ph_sample *at,
                              double weights[PH_STAGE_HISTORY])
{
    double least = INFINITY, tried[PH_STAGE_HISTORY];
    for (size_t m = 1; m <= n; m++) {
        double error = weigh(points, m, at, tried);
        if (!(error < least))
            continue;
        least = error;
        memset(weights, 0, PH_STAGE_HISTORY * sizeof *weights);
        memcpy(weights, tried, m * sizeof *weights);
    }
}

double ph_composition_gamma_before(const ph_composition *of, size_t stage, size_t back, double *begin)
{
    const size_t s = of->stages, rounds = (back + s - 1 - stage) / s, at = (stage + rounds * s - back) % s;
    double sum = 0;
    for (size_t i = 0; i < at; i++)
        sum += ph_composition_gamma(of, i);
    *begin = sum - (double)rounds;
    return ph_composition_gamma(of, at);
}

ph_sample ph_increment_before(const ph_composition *of, size_t stage, size_t back)
{
    double begin, gamma = ph_composition_gamma_before(of, stage, back, &begin);
    return (ph_sample){begin + 0.5 * gamma, gamma,
                       PH_EXTRAPOLATION_TURN * PH_EXTRAPOLATION_TURN * gamma * gamma / 24};
}
