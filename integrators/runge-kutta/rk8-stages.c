/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of rk8: k_i = F(t + c_i h, y + h sum_j a_ij k_j), and its end, y + h sum_i b_i k_i. Sums are gathered before y is added: one
 * rounding at its size. */
#include "rk8-stages.h"

#include "lib/internal/lanes.h"

static const double node[PH_RK8_STAGES] = {PH_RK8_NODES};

/* ---- Sums ------------------------------------------------------------------------------------------------ */

/* The terms of one row, which are constants: those that are 0 are left out, their k need not be finite. */
#define TERM(i, j, value)                                                                                    \
    if ((i) == row)                                                                                          \
        sum += (value)*load(k + ((j)-1) * room + at);

INLINE void add_row(const int row, size_t room, double h, const double *k, const double *y, double *to)
{
    for (size_t at = 0; at < room; at += LANES) {
        vector sum = all_lanes(0);
        PH_RK8_TABLE(TERM)
        store(to + at, load(y + at) + h * sum);
    }
}

/* to <- y + h sum_j a_ij k_j, i the row */
PH_WITH_FMA static void gather(size_t row, size_t room, double h, const double *k, const double *y,
                               double *to)
{
    switch (row) {
#define ROW(i)                                                                                               \
    case i:                                                                                                  \
        add_row(i, room, h, k, y, to);                                                                       \
        return;
        ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9) ROW(10) ROW(11) ROW(12) ROW(13)
    }
}

void ph_rk8_end(size_t room, double h, const double *k, const double *y, double *y1)
{
    gather(PH_RK8_STAGES + 1, room, h, k, y, y1);
}

INLINE vector sum_of(const int row, size_t room, size_t at, const double *k)
{
    vector sum = all_lanes(0);
    PH_RK8_TABLE(TERM)
    PH_RK8_ESTIMATE(TERM)
    return sum;
}

PH_WITH_FMA void ph_rk8_end_and_estimates(size_t room, double h, const double *k, const double *y, double *y1,
                                          double *five, double *three)
{
    for (size_t at = 0; at < room; at += LANES) {
        const vector sum = sum_of(13, room, at, k), of_5 = sum_of(14, room, at, k),
                     of_3 = sum - sum_of(15, room, at, k);
        store(y1 + at, load(y + at) + h * sum);
        store(five + at, of_5);
        store(three + at, of_3);
    }
}

/* ---- Steps ----------------------------------------------------------------------------------------------- */

ph_status ph_rk8_stages(const ph_field *field, const ph_system *system, double t, double h, const double *y,
                        double *k, double *stage, double *work)
{
    const size_t room = ph_rk8_room(field->size(system));
    for (size_t i = 1; i < PH_RK8_STAGES; i++) {
        gather(i + 1, room, h, k, y, stage);
        const ph_status status = field->evaluate(system, t + node[i] * h, stage, k + i * room, work);
        if (status)
            return status;
    }
    return PH_OK;
}
