/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric multistep methods as data, and what follows from them alone: see multistep.h. d is the product of z^2 + 2 a z + 1 over
 *     order 4:  a = 0.3
 *     order 6:  a = -0.4, 0.7
 *     order 8:  a = -0.8, -0.4, 0.7      (Console, Hairer, Lubich)
 * sigma, and share and bent, which give the velocity in the middle, are exact fractions by the conditions of
 * order K (tests/methods/multistep.py). */
#include "multistep.h"

#include <polhode/kit/algebra.h>

#include <math.h>

static const ph_multistep methods[] = {
    {.order = 4,
     .K = 4,
     .d = {1, 0.6},
     .sigma = {73. / 60, 1. / 6},
     .share = {5. / 26},
     .bent = {-43. / 156}},
    {.order = 6,
     .K = 6,
     .d = {1, 0.6, 0.88},
     .sigma = {4099. / 3000, -197. / 375, 1199. / 500},
     .share = {25. / 204, 65. / 204},
     .bent = {-163. / 1020, -167. / 510}},
    {.order = 8,
     .K = 8,
     .d = {1, -1, 0.92, -0.208},
     .sigma = {877487. / 630000, -100467. / 35000, 350169. / 70000, -853261. / 157500},
     .share = {125. / 408, 125. / 408, 115. / 408},
     .bent = {-146789. / 342720, 1711. / 42840, -237169. / 342720}},
};

const ph_multistep *ph_multistep_of(double order)
{
    return &methods[(size_t)order];
}

/* By a polynomial, or where there are enough by the sum of one and of modes of sigma, which multipliers contain besides the
 * motion where steps are not short. */
void ph_multistep_expect(const ph_multistep *m, size_t n, double weights[PH_MULTISTEP_HISTORY])
{
    const size_t modes = m->K - 2;
    const bool all = n == PH_MULTISTEP_SMOOTH + modes;
    double product[PH_MULTISTEP_HISTORY + 1] = {1};
    for (size_t i = 0; i < (all || n < PH_MULTISTEP_SMOOTH ? n : PH_MULTISTEP_SMOOTH) - (all ? modes : 0);
         i++)
        for (size_t k = PH_MULTISTEP_HISTORY; k > 0; k--)
            product[k] -= product[k - 1];
    for (size_t k = PH_MULTISTEP_HISTORY + 1; k-- > 0 && all;)
        for (size_t j = 1; j <= modes && j <= k; j++)
            product[k] += ph_multistep_sigma(m, j + 1) / ph_multistep_sigma(m, 1) * product[k - j];
    for (size_t i = 0; i < PH_MULTISTEP_HISTORY; i++)
        weights[i] = -product[i + 1];
}

PH_WITH_FMA void ph_multistep_divide(double h, const double *d, const double *dl, size_t n, double *v,
                                     double *vl)
{
    for (size_t a = 0; a < n; a++) {
        v[a] = d[a] / h;
        vl[a] = (fma(-h, v[a], d[a]) + dl[a]) / h;
    }
}

PH_WITH_FMA void ph_multistep_multiply(double h, const double *v, const double *vl, size_t n, double *d,
                                       double *dl)
{
    for (size_t a = 0; a < n; a++) {
        d[a] = h * v[a];
        dl[a] = fma(h, v[a], -d[a]) + h * vl[a];
    }
}
