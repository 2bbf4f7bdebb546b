/* SPDX-License-Identifier: BSD-3-Clause */
/* The linear part of a sweep, for vectors: L_j = h b_j f(Y_j), and Y_i = y + (low + sum_j mu_ij L_j). With sums P and differences D of
 * mirrored stages,
 *     sum_j mu_ij L_j = (1/2) sum P + sum_j c_ij D_j - sum_j c_ji P_j
 * for a stage i of the first half, and with the other sign of the last sum for its mirror image: half the products, and mu_ij + mu_ji
 * = 1 exactly, whatever the rounding of c. What is compiled for each width of vectors is in fold-lanes.h. */
#include "gauss.h"

#include "lib/internal/lanes.h"

typedef struct fold_kind {
    double (*fold)(gauss_scratch *w, double h, const double *y, const double *low, double *moved);
    void (*combine)(gauss_scratch *w, const double *y, const double *low);
    void (*extrapolate)(gauss_scratch *w, const double *L, const double *y, const double *low);
    double (*miss)(const gauss_scratch *w, const double *L);
} fold_kind;

#define LANES_WIDTH 2
#include "integrators/shared/lanes-width.h"

#include "fold-lanes.h"
#define LANES_WIDTH 4
#include "integrators/shared/lanes-width.h"

#include "fold-lanes.h"
#define LANES_WIDTH 0
#include "integrators/shared/lanes-width.h"

/* Four lanes are two pairs of stages, for which halves of wide vectors would have to be exchanged. */
void ph_gauss_choose(gauss_scratch *w)
{
    const fold_kind *kind =
        w->tableau.lanes == 4 || !ph_lanes(PH_KERNEL_AVX2) ? &eight_plain_kind : &eight_wide4_kind;
    w->fold = kind->fold;
    w->combine = kind->combine;
    w->extrapolate = kind->extrapolate;
    w->miss = kind->miss;
}
