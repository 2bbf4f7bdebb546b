/* SPDX-License-Identifier: BSD-3-Clause */
/* Classical spins in a row or ring, s_i on S^2, which is the phase space of a spin:
 *     Gamma_i s_i' = (dH/ds_i) x s_i + Gamma_i lambda_i s_i x (s_i x dH/ds_i),
 *     H = -J sum (s_i.s_i+1 + (Delta - 1) s_i3 s_i+1,3) + D . sum s_i x s_i+1 - K sum s_i3^2 - B . sum s_i.
 * Equal spins have conical spin waves of any amplitude, s_k at the angle th from e3 and the azimuth phi k + w t,
 *     Gamma w = 2 cos th (J (cos phi - Delta) - D_3 sin phi - K) - B_3,
 * and where cosh l = Delta > 1 walls of the form s_k3 = tanh l (k - c), which are at rest on an infinite chain. */
#include "direction.h"
#include "magnet.h"

#include <polhode/kit/elementary.h>

enum { SPINS, RING, EXCHANGE, DELTA, ANISOTROPY, TWIST, FIELD, STRENGTHS, DAMPING, ANGLE, WAVES, SEED };

enum { DEFAULT_SPINS = 16 };

static const ph_parameter parameters[] = {
    [SPINS] = PH_COUNT("spins", PH_FROM(0, PH_MOST_SITES), 0,
                       "number of spins; 0: as many as a list of strengths or damping has numbers, else 16"),
    [RING] = PH_COUNT("ring", PH_FROM(0, 1), 1, "1: the last is bound to the first; 0: an open chain"),
    [EXCHANGE] = PH_EXCHANGE_ROWS,
    [TWIST] = PH_VECTOR("twist", "J", PH_ANY, 0, 0, 0,
                        "D of D.(s_i x s_i+1): the exchange of Dzyaloshinskii and Moriya"),
    [FIELD] = PH_FIELD_ROWS,
    [ANGLE] = PH_NUMBER("angle", "rad", PH_ANY, 0.6, "from e3, of the initial conditions conical and tilted"),
    [WAVES] = PH_COUNT("waves", PH_FROM(0, PH_MOST_SITES), 1,
                       "wave lengths in a ring, or half of them in a chain, of conical and magnon"),
    [SEED] = PH_SEED("of random initial conditions"),
};

enum { CONICAL, MAGNON, RANDOM, TILTED, WALL, SPIRAL };

static const ph_preset presets[] = {
    [CONICAL] = {"conical",
                 "a conical spin wave: all at `angle` from e3, turned by 2 pi waves/spins from one to the "
                 "next; it turns about e3 as a whole"},
    [MAGNON] = {"magnon", "along e3 but for a standing wave of 0.01 along e1"},
    [RANDOM] = {"random", "independent directions, uniform on the sphere, by the seed"},
    [TILTED] = {"tilted",
                "all at `angle` from e3 towards e1, in a field of 1 along e3: they turn at -B/Gamma"},
    [WALL] = {"domain-wall", "an open chain of 32 with Delta = 1.5, from -e3 to e3 in its middle: at rest"},
    [SPIRAL] = {"spiral",
                "an open chain with D = 0.5 e3: in the plane of e1 and e2, turned by -atan(D/J) from one to "
                "the next, at rest"},
};

static const ph_preset_value own[] = {
    PH_OWN(TILTED, "field", 0, 0, 1), PH_OWN(WALL, "ring", 0),   PH_OWN(WALL, "spins", 32),
    PH_OWN(WALL, "delta", 1.5),       PH_OWN(SPIRAL, "ring", 0), PH_OWN(SPIRAL, "twist", 0, 0, 0.5),
};

static const ph_numbering numbering =
    PH_NUMBERING("spins", SPINS, DEFAULT_SPINS, PH_MOST_SITES, STRENGTHS, DAMPING);

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const char *const names[3] = {"spins", "spins", "spins"};
    ph_magnet m;
    ph_magnet_read(table, EXCHANGE, FIELD, &m);
    m.lattice = (ph_lattice){{1, 1, 1}, {ph_number(table, RING) == 1}};
    memcpy(m.twist[0], ph_vector(table, TWIST), sizeof m.twist[0]);
    ph_status status = ph_parameter_number(table, &numbering, &m.lattice.side[0], err);
    if (!status)
        status = ph_lattice_check(&m.lattice, names, err);
    return status ? status : ph_magnet_build(&m, system, err);
}

/* ---- Initial conditions --------------------------------------------------------------------------------- */

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double pi = 3.1415926535897932385;
    const bool ring = ph_number(table, RING) == 1;
    const double angle = ph_number(table, ANGLE);
    uint64_t seed = (uint64_t)ph_number(table, SEED);
    double steepness = 0;
    size_t n;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (!status && which == WALL)
        status = ph_magnet_steepness(ph_number(table, EXCHANGE), ph_number(table, DELTA),
                                     ph_number(table, ANISOTROPY), &steepness, err);
    if (status)
        return status;
    /* the angle from one to the next */
    const double wave = (ring ? 2 : 1) * pi * fmod(ph_number(table, WAVES), 2 * (double)n) / (double)n,
                 twist = ph_atan2(-ph_vector(table, TWIST)[2], ph_number(table, EXCHANGE));
    memset(zdot, 0, 3 * n * sizeof *zdot);
    for (size_t k = 0; k < n; k++) {
        double *s = z + 3 * k;
        const double at = (double)k, from_wall = steepness * (at - 0.5 * (double)(n - 1));
        if (which == RANDOM)
            ph_scatter_unit(&seed, s);
        else if (which == WALL) /* tan of half the angle: exp(-l (k - c)) */
            ph_direction(s, 2 * ph_atan(ph_exp(-from_wall)), 0);
        else if (which == SPIRAL)
            ph_direction(s, pi / 2, twist * at);
        else if (which == MAGNON)
            ph_direction(s, 0.01 * ph_cos(wave * (at + (ring ? 0 : 0.5))), 0);
        else
            ph_direction(s, angle, which == CONICAL ? wave * at : 0);
    }
    return PH_OK;
}

const ph_model ph_model_spin_chain = {
    .name = "spin-chain",
    .summary = "classical spins in a row or ring: exchange, anisotropy, field, twist, damping",
    .reference = "McLachlan, Modin, Verdier, Phys. Rev. E 89 (2014) 061301",
    PH_MODEL_HERE,
    PH_MODEL_OWN,
};
