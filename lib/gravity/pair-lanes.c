/* SPDX-License-Identifier: BSD-3-Clause */
/* Which vectors eight systems are evaluated in (pair-lanes.h). */
#include "pair-lanes.h"

#include "lib/internal/lanes.h"

enum { EIGHT = PH_GRAVITATION_LANES };

ph_pair_width ph_pair_widest(void)
{
    return ph_lanes(PH_KERNEL_AVX512) ? PH_PAIR_EIGHT : ph_lanes(PH_KERNEL_AVX2) ? PH_PAIR_FOUR : PH_PAIR_ONE;
}

/* One after the other. */
static void evaluate_each(const ph_pair *p, ph_pair_evaluate *evaluate, size_t count, unsigned parts,
                          const double *x, const double *Ra, const double *Rb, const ph_pair_result *out)
{
    for (size_t lane = 0; lane < count; lane++) {
        double own[21], force[3], torque[6];
        for (size_t k = 0; k < 3; k++)
            own[k] = x[EIGHT * k + lane];
        for (size_t k = 0; k < 9; k++) {
            own[3 + k] = Ra[EIGHT * k + lane];
            own[12 + k] = Rb[EIGHT * k + lane];
        }
        const ph_pair_result one = {force, torque, torque + 3, out->U ? out->U + lane : NULL};
        evaluate(p, parts, own, own + 3, own + 12, &one);
        for (size_t k = 0; k < 3; k++) {
            out->force[EIGHT * k + lane] = force[k];
            out->torque_a[EIGHT * k + lane] = torque[k];
            out->torque_b[EIGHT * k + lane] = torque[3 + k];
        }
    }
}

void ph_pair_evaluate_lanes(const ph_pair *p, ph_pair_width width, size_t count, unsigned parts,
                            const double *x, const double *Ra, const double *Rb, const ph_pair_result *out)
{
    const bool shapes = parts & PH_ATTRACT_SHAPES;
    const int order = shapes ? p->order : 0;
    const ph_figure_sort a = shapes ? p->sort_a : PH_FIGURE_NONE, b = shapes ? p->sort_b : PH_FIGURE_NONE;
    if (width == PH_PAIR_ONE) {
        evaluate_each(p, shapes ? p->evaluate : ph_pair_points, count, parts, x, Ra, Rb, out);
        return;
    }
    const size_t wide = width == PH_PAIR_EIGHT && count > 4 ? 8 : 4;
    ph_pair_evaluate *const form = (wide == 8 ? ph_pair_forms_of_eight : ph_pair_forms_of_four)[order][a][b];
    for (size_t at = 0; at < count; at += wide) {
        const ph_pair_result to = ph_pair_result_at(out, at);
        form(p, parts, x + at, Ra + at, Rb + at, &to);
    }
}
