/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kit/spinkit.h"
#include <time.h>
int main(int argc, char **argv)
{
    size_t n = (size_t)atoi(argv[1]); double h = atof(argv[2]); int64_t N = atoll(argv[3]);
    ph_setting set[2] = {{"extension", argc > 4 ? argv[4] : "sphere"}, {"order", argc > 5 ? argv[5] : "2"}};
    tk_random r = {7};
    ph_system *ring = sk_ring(n);
    double *z0 = malloc(3 * n * sizeof *z0);
    sk_random_spins(&r, n, z0);
    ph_integrator *it = sk_bind(ring, "spherical-midpoint", h, set, 2);
    ph_state *state = sk_state(it, z0);
    double J0[3], J[3], H0, H; ph_spins_momentum(ring, z0, J0); ph_spins_energy(ring, 0, z0, &H0);
    double worst = 0, mean = 0, Emax = 0, Esum=0; int count = 0;
    for (int64_t k = 0; k < N; k += N / 20) {
        clock_t c = clock(); Emax = 0; Esum = 0; count = 0; worst = 0; mean = 0;
        for (int j = 0; j < 20; j++) {
        if (ph_integrator_step(it, state, N / 400)) { printf("%s\n", ph_integrator_message(it)); return 1; }
        ph_spins_momentum(ring, state->z, J); ph_spins_energy(ring, 0, state->z, &H);
        Emax = fmax(Emax, fabs(H - H0)); Esum += H - H0; count++;
        for (size_t i = 0; i < n; i++) { double c2 = ph_unit_residual3(state->z + 3 * i) / 2; worst = fmax(worst, fabs(c2)); mean += c2; }
        }
        double low[3] = {0,0,0};
        for (size_t i = 0; i < 3 * n; i++) low[i % 3] += state->carry[4 + i];
        printf("%9lld J %9.1e %9.1e %9.1e (+low %9.1e)  |s| %8.1e mean %8.1e  E max %9.2e mean %9.2e  passes %.2f  ns/site/pass %.2f\n", (long long)state->k, J[0]-J0[0], J[1]-J0[1], J[2]-J0[2], J[0]-J0[0]+low[0], worst, mean/(double)n/20, Emax, Esum/count, (double)ph_integrator_statistics(it)->newton_passes/(double)state->k,
               1e9*(double)(clock()-c)/CLOCKS_PER_SEC/(double)(N/20)/(double)n/((double)ph_integrator_statistics(it)->newton_passes/(double)state->k));
    }
    return 0;
}
