/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives by central differences of order 8, and of order 6 from the same values:
 *     f' = sum_j weight_j (f(j h) - f(-j h)) / (2 j h),
 * weight = 8/5, -4/5, 8/35, -1/35 or 3/2, -3/5, 1/10. Where the two agree, the step is suitable; where they
 * do not, it is too wide for f, or so narrow that rounding dominates. */
#include <polhode/kit/algebra.h>

#include "derivative.h"

#include <string.h>

enum { POINTS = 4 };
static const double eighth[POINTS] = {8. / 5, -4. / 5, 8. / 35, -1. / 35},
                    sixth[POINTS] = {3. / 2, -3. / 5, 1. / 10, 0};

/* d, coarse (n each) <- the differences of order 8 and 6; *size <- the largest |f|; values (2 n). */
static ph_status differences(ph_line_fn f, void *self, size_t n, double h, double *d, double *coarse,
                             double *size, double *values)
{
    double *plus = values, *minus = values + n;
    memset(d, 0, n * sizeof *d);
    memset(coarse, 0, n * sizeof *coarse);
    for (int j = 0; j < POINTS; j++) {
        double s = (j + 1) * h;
        ph_status status = f(self, s, plus);
        if (!status)
            status = f(self, -s, minus);
        if (status)
            return status;
        if (!ph_all_finite(values, 2 * n))
            return PH_E_NOT_FINITE;
        *size = fmax(*size, ph_max_norm(values, 2 * n));
        for (size_t i = 0; i < n; i++) {
            double slope = (plus[i] - minus[i]) / (2 * s);
            d[i] += eighth[j] * slope;
            coarse[i] += sixth[j] * slope;
        }
    }
    return PH_OK;
}

ph_status ph_differentiate(ph_line_fn f, void *self, size_t n, double width, double *d, double *floor,
                           double *work)
{
    /* powers of two, so that the distances between the points are exact */
    static const double steps[] = {0x1p-6, 0x1p-9, 0x1p-12, 0x1p-15, 0x1p-3};
    double *trial = work, *coarse = trial + n, *values = coarse + n, best = INFINITY, found = 0;
    ph_status first = PH_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        double size = 0, off = 0;
        ph_status status = differences(f, self, n, steps[i] * width, trial, coarse, &size, values);
        if (status && !i)
            first = status;
        if (status)
            continue;
        for (size_t k = 0; k < n; k++)
            off = fmax(off, fabs(trial[k] - coarse[k]));
        double least = 1e-3 * size / width;
        if (off < best) {
            best = off;
            found = least;
            memcpy(d, trial, n * sizeof *d);
        }
        if (off <= 1e-10 * fmax(ph_max_norm(trial, n), least))
            break;
    }
    *floor = fmax(*floor, found);
    return best < INFINITY ? PH_OK : first;
}
