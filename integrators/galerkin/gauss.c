/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss' rules of 2, 3 and 4 points, and the functions phi_k of curve.h at their nodes. */
#include "curve.h"

void ph_gauss_fill(ph_gauss *g, size_t points)
{
    static const double nodes[][2] = {{0.288675134594812882254574390250978728},
                                      {0.387298334620741688517926539978239961},
                                      {0.430568155797026287611959334119302080,
                                       0.169990521792428132400550716213136390}},
                        weights[][2] = {
                            {0.5},
                            {5. / 18},
                            {0.173927422568726928686531974610999703, 0.326072577431273071313468025389000297}};
    *g = (ph_gauss){.points = points};
    for (size_t i = 0; i < points; i++) {
        size_t mirrored = points - 1 - i, j = i < mirrored ? i : mirrored;
        bool middle = i == mirrored;
        g->node[i] = middle ? 0 : i < mirrored ? -nodes[points - 2][j] : nodes[points - 2][j];
        g->weight[i] = middle ? 4. / 9 : weights[points - 2][j];
        /* (k + 1) P_{k+1} = (2k + 1) x P_k - k P_{k-1};  2 (2k + 1) phi_k = P_{k+1} - P_{k-1} */
        double x = 2 * g->node[i], before = 1, P = x;
        g->phi[0][i] = x;
        g->slope[0][i] = 2;
        for (size_t k = 1; k < points; k++) {
            double n = (double)k, next = ((2 * n + 1) * x * P - n * before) / (n + 1);
            g->slope[k][i] = P;
            g->phi[k][i] = (next - before) / (2 * (2 * n + 1));
            before = P;
            P = next;
        }
    }
}
