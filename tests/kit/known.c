/* SPDX-License-Identifier: BSD-3-Clause */
/* Known motions: see known.h. */
#include "known.h"

const known_pendulum known_problem1 = {
    .mass = {1, 1},
    .length = {9.81, 9.81},
    .gravity = {0, 0, 9.81},
    /* sqrt(3)/2, 0, 1/2; e3; turning by (-sqrt(3)/4, 0, 3/4) and e2 */
    .q0 = {0.8660254037844386468, 0, 0.5, 0, 0, 1},
    .omega0 = {-0.4330127018922193234, 0, 0.75, 0, 1, 0},
    .time = 10,
    .q = {-0.8318075677671687528647, 0.4701953010398401272199, 0.2949788959999021363754,
          -0.235399374202968783992, -0.5731963138990128627641, 0.7848777741517687976913},
    .v = {-0.3060001058741483611686, -0.4628081290148826038614, -0.1251716538319603437386,
          0.5975819921204973200422, -0.4190448812451561576743, -0.1268026151146941824093},
};

void known_problem1_start(tk_chain *chain, double q[6], double v[6])
{
    const known_pendulum *p = &known_problem1;
    tk_chain_fill(chain, 2, p->mass, p->length, p->gravity);
    memcpy(q, p->q0, sizeof p->q0);
    ph_cross3(p->omega0, p->q0, v);
    ph_cross3(p->omega0 + 3, p->q0 + 3, v + 3);
}

ph_system *known_problem1_linkage(double q[6], double v[6])
{
    tk_chain chain;
    known_problem1_start(&chain, q, v);
    return tk_chain_linkage(&chain);
}

const known_rotor known_tumbling = {
    .inertia = {0.6, 0.8, 1.0},
    .p0 = {1.8, 0.4, -0.9},
    .time = 10,
    .p = {1.7659625085182075357, -0.69546419703308911949, 0.77955498148187108610},
    .quaternion = {-0.73606136416079393616, -0.57078695124035073325, -0.29938857183079009374,
                   -0.20683908610467319248},
};

void known_rotation(const double q[4], double R[9])
{
    for (size_t i = 0; i < 3; i++) /* R = (q0^2 - v.v) I + 2 v v^T + 2 q0 S(v) */
        for (size_t j = 0; j < 3; j++)
            R[3 * i + j] = 2 * q[1 + i] * q[1 + j] + (i == j ? 2 * q[0] * q[0] - 1 : 0);
    R[1] -= 2 * q[0] * q[3], R[2] += 2 * q[0] * q[2], R[3] += 2 * q[0] * q[3];
    R[5] -= 2 * q[0] * q[1], R[6] -= 2 * q[0] * q[2], R[7] += 2 * q[0] * q[1];
}

#define TOP .inertia = {15.234375, 0.46875, 15.234375}, .weight = {0, 15 * 9.81, 0}
const known_top known_slow_top = {
    TOP,
    .omega0 = {0, 1.5, -0.0461538},
    .time = 10,
    .omega = {2.700061388130375171813161, 1.5, -2.942453532470781355410980},
    .centre = {1.869647667769355038571560e-01, 5.326077374635497936188310e-01,
               -8.254533142328550440852041e-01},
    .energy = 0.5435696790865546875,
};
const known_top known_fast_top = {
    TOP,
    .omega0 = {0, 150, -4.61538},
    .time = 1,
    .omega = {-8.220781016827044562562894e-01, 150, -5.923291348117336186076861},
    .centre = {1.733439640983860425919661e-01, 6.400885920705687828605920e-01,
               -7.484907911335813094835977e-01},
    .energy = 5435.696790865546875,
};
