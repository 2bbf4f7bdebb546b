/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid bodies and points under mutual gravity, each by its place in space and its attitude (polhode/gravitation.h):
 *     L = sum (1/2) m_i |xdot_i|^2 + (1/2) Omega_i . J_i Omega_i - sum_{i<j} U_ij. */
#include "asteroids.h"

#include <stdlib.h>

static const ph_parameter parameters[PH_GRAVITATING_PARAMETERS] = {
    [PH_BODIES] = PH_BODIES_PARAMETER(
        "the bodies, at least two; points and those that are not to turn have no attitude"),
    [PH_ORDER] = PH_ORDER_PARAMETER,
    [PH_G] = PH_G_PARAMETER,
    PH_GIVEN_PARAMETERS,
};

enum { NESTED, TRIPLE, ELLIPSOIDS, KW4, DIDYMOS, OCTAHEDRA, PRESETS };

static const ph_preset presets[PRESETS] = {
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

static const double gubas_G = 6.67e-11;
static const ph_preset_value own[] = {{DIDYMOS, {"G", &gubas_G, 1}}};

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    return ph_gravitating_build_rows(table, false, system, err);
}

static ph_status bodies(size_t which, ph_model_body *list, char (*words)[PH_MODEL_BODY_WORDS], size_t *n)
{
    return ph_asteroid_bodies(systems[which], list, words, n);
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    size_t n;
    const ph_model_body *list = ph_bodies_of(&table[PH_BODIES], &n);
    if (which != NESTED)
        return ph_asteroid_start(systems[which], list, n, false, z, zdot, err);
    ph_body_motion *motion = malloc(n * sizeof *motion);
    if (!motion)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu bodies", n);
    ph_nest(list, n, table[PH_G].values[0], motion);
    ph_gravitating_start(list, motion, n, false, z, zdot);
    free(motion);
    return PH_OK;
}

const ph_model ph_model_rigid_n_body = {
    .name = "rigid-n-body",
    .summary = "rigid bodies and points under mutual gravity, any number of them",
    .reference = "Lee, Leok, McClamroch, Comput. Methods Appl. Mech. Engrg. 196 (2007) 2907; "
                 "Hou, Scheeres, Xin, Celest. Mech. Dyn. Astron. 127 (2017) 369",
    .parameters = parameters,
    .n_parameters = PH_GRAVITATING_PARAMETERS,
    .presets = presets,
    .n_presets = PRESETS,
    .own = own,
    .n_own = sizeof own / sizeof own[0],
    .build = build,
    .preset = preset,
    .bodies = bodies,
};
