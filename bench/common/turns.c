/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of repeated runs, and the cost of an accuracy. */
#include "turns.h"
#include "numbers.h"

#include <math.h>
#include <string.h>

void turns_enter(double *times, size_t *turns, double seconds, double *median, double *least)
{
    double sorted[TURNS_MOST];
    times[(*turns)++] = seconds;
    memcpy(sorted, times, *turns * sizeof *sorted);
    sort_numbers(sorted, *turns);
    *least = sorted[0];
    *median = sorted_quantile(sorted, *turns, 0.5);
}

double turns_cost(const double *errors, const double *seconds, size_t n, double level)
{
    double best = INFINITY;
    for (size_t k = 0; k < n; k++) {
        if (!(errors[k] <= level))
            continue;
        double cost = seconds[k];
        if (k && errors[k - 1] > level && errors[k] > 0) {
            const double part = log(errors[k - 1] / level) / log(errors[k - 1] / errors[k]);
            cost = seconds[k - 1] * pow(seconds[k] / seconds[k - 1], part);
        }
        best = fmin(best, cost);
    }
    return best;
}
