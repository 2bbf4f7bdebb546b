/* SPDX-License-Identifier: BSD-3-Clause */
/* Two rigid bodies under mutual gravity, followed by their distance x = x_B - x_A in axes that do not turn, and by their
 * attitudes (polhode/domain/gravitation.h):
 *     L = (1/2) m |xdot|^2 + (1/2) Omega_A . J_A Omega_A + (1/2) Omega_B . J_B Omega_B - U(x, R_A, R_B),
 * m = m_A m_B / (m_A + m_B); the barycentre rests. */
#include "asteroids.h"

static const ph_parameter parameters[] = {PH_GRAVITATING_ROWS("the two bodies, A and B")};

enum { CIRCULAR, ELLIPSOIDS, KW4, DIDYMOS, OCTAHEDRA, PRESETS };

static const ph_preset presets[] = {
    [CIRCULAR] =
        {"circular",
         "at three times the sum of the radii, at the rate of two points there, about e3; both turn at "
         "that rate; where no bodies are given, those of ellipsoids"},
    [ELLIPSOIDS] = {"ellipsoids",
                    "two ellipsoids of 800 m and 240 m, tilted, that turn at other rates than their orbit"},
    [KW4] = {"kw4", "as (66391) Moshup, 1999 KW4: ellipsoids, a = 2540 m, e = 0.01, at the largest distance"},
    [DIDYMOS] = {"didymos",
                 "(65803) Didymos before the impact, as the example of GUBAS: the shape of its primary by "
                 "moments up to degree 8, the secondary an ellipsoid at 1200 m"},
    [OCTAHEDRA] = {"octahedra", "two octahedra of some metres, almost touching"},
};

static const ph_asteroids *const systems[PRESETS] = {[CIRCULAR] = &ph_ellipsoids,
                                                     [ELLIPSOIDS] = &ph_ellipsoids,
                                                     [KW4] = &ph_kw4,
                                                     [DIDYMOS] = &ph_didymos,
                                                     [OCTAHEDRA] = &ph_octahedra};

static const ph_preset_value own[] = {
    PH_OWN(DIDYMOS, "G", 6.67e-11),
};

static ph_status bodies(size_t which, ph_model_body *list, char (*words)[PH_MODEL_BODY_WORDS], size_t *n)
{
    return ph_asteroid_bodies(systems[which], list, words, n);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    return ph_asteroid_preset(table, which == CIRCULAR ? NULL : systems[which], z, zdot, err);
}

const ph_model ph_model_binary = {
    .name = "binary",
    .summary = "two rigid bodies under mutual gravity, relative to each other: a binary asteroid",
    .reference = "Lee, Leok, McClamroch, Comput. Methods Appl. Mech. Engrg. 196 (2007) 2907; "
                 "Hou, Scheeres, Xin, Celest. Mech. Dyn. Astron. 127 (2017) 369",
    .variant = true,
    PH_MODEL_OF(presets, ph_gravitating_build, preset),
    PH_MODEL_OWN,
    .bodies = bodies,
};
