/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric multistep methods as data: see multistep.h. d is the product of z^2 + 2 a z + 1 over
 *     order 4:  a = 0.3
 *     order 6:  a = -0.4, 0.7
 *     order 8:  a = -0.8, -0.4, 0.7      (Console, Hairer, Lubich)
 * sigma, and share and bent, which give the velocity in the middle, are exact fractions by the conditions of
 * order K (tests/methods/multistep.py). */
#include "multistep.h"

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
