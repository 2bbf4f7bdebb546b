/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of rk8 and sums of them. Vectors are of n numbers, in room for ph_rk8_room(n), so that sums take four at a time without a
 * rest. */
#ifndef PH_INTEGRATORS_RUNGE_KUTTA_RK8_STAGES_H
#define PH_INTEGRATORS_RUNGE_KUTTA_RK8_STAGES_H

#include "rk8-table.h"

#include <polhode/kit/equations.h>

static inline size_t ph_rk8_room(size_t n)
{
    return (n + 3) & ~(size_t)3;
}

/* k_2 to k_12 of a step from (t, y), behind k_1 = F(t, y), which is given. stage: scratch. work: that of the field, whose failures
 * are passed on. */
ph_status ph_rk8_stages(const ph_field *field, const ph_system *system, double t, double h, const double *y,
                        double *k, double *stage, double *work);
/* y1 <- y + h sum_i b_i k_i; y1 may be y, all of its room is written. */
void ph_rk8_end(size_t room, double h, const double *k, const double *y, double *y1);
/* The same; five, three <- sum_i b_i k_i less that of the formula of order 5, of order 3, which may be k_2 and k_3. */
void ph_rk8_end_and_estimates(size_t room, double h, const double *k, const double *y, double *y1,
                              double *five, double *three);

#endif
