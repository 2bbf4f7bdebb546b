/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid bodies and points under mutual gravity, each by its place in space and its attitude (polhode/domain/gravitation.h):
 *     L = sum (1/2) m_i |xdot_i|^2 + (1/2) Omega_i . J_i Omega_i - sum_{i<j} U_ij. */
#include "asteroids.h"

static const ph_parameter parameters[] = {
    PH_GRAVITATING_ROWS("the bodies, at least two; points and those that are not to turn have no attitude")};

enum { NESTED, TRIPLE, ELLIPSOIDS, KW4, DIDYMOS, OCTAHEDRA, PRESETS };

static const ph_preset presets[] = {
    [NESTED] =
        {"nested",
         "each on a circle about the barycentre of those before it, three times as wide as there must be "
         "room for; all turn at the rate of their circle; where no bodies are given, those of ellipsoids"},
    [TRIPLE] = {"triple", "the two of ellipsoids and a sphere of 140 m farther out"},
    [ELLIPSOIDS] = {"ellipsoids", "as of the model binary"},
    [KW4] = {"kw4", "as of the model binary"},
    [DIDYMOS] = {"didymos", "as of the model binary"},
    [OCTAHEDRA] = {"octahedra", "as of the model binary"},
};

static const ph_asteroids *const systems[PRESETS] = {
    [NESTED] = &ph_ellipsoids, [TRIPLE] = &ph_triple,   [ELLIPSOIDS] = &ph_ellipsoids,
    [KW4] = &ph_kw4,           [DIDYMOS] = &ph_didymos, [OCTAHEDRA] = &ph_octahedra};

static const ph_preset_value own[] = {
    PH_OWN(DIDYMOS, "G", 6.67e-11),
};

static ph_status bodies(size_t which, ph_model_body *list, char (*words)[PH_MODEL_BODY_WORDS], size_t *n)
{
    return ph_asteroid_bodies(systems[which], list, words, n);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    return ph_asteroid_preset(table, which == NESTED ? NULL : systems[which], z, zdot, err);
}

const ph_model ph_model_rigid_n_body = {
    .name = "rigid-n-body",
    .summary = "rigid bodies and points under mutual gravity, any number of them",
    .reference = "Lee, Leok, McClamroch, Comput. Methods Appl. Mech. Engrg. 196 (2007) 2907; "
                 "Hou, Scheeres, Xin, Celest. Mech. Dyn. Astron. 127 (2017) 369",
    PH_MODEL_OF(presets, ph_gravitating_build, preset),
    PH_MODEL_OWN,
    .bodies = bodies,
};
