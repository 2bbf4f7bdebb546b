/* SPDX-License-Identifier: BSD-3-Clause */
/* The scene of a system (polhode/domain/scene.h). Of a reduced one it is that of the whole, with the phase behind its configuration. */
#include "scene.h"

#include <polhode/columns.h>
#include <polhode/domain/routh.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/tensions.h>

#include "lib/internal/missing.h"
#include "lib/run/column-kinds.h"
#include "lib/system/parts.h"
#include "lib/system/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The configuration ------------------------------------------------------------------------------- */

/* name <- what follows in letters (nullable: it is counted only), which move behind it. */
static void keep(const char *word, char **letters, size_t *used, const char **name)
{
    const size_t n = strlen(word) + 1;
    if (letters) {
        *name = memcpy(*letters + *used, word, n);
    }
    *used += n;
}

/* Names of columns and labels of factors: how many letters they take, and into s, where there is room for them. */
static size_t name_all(const ph_space *space, ph_scene *s)
{
    char word[PH_COLUMN_NAME];
    char **letters = s ? &s->letters : NULL;
    size_t used = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_column_group g = ph_column_group_of(space, i, false);
        ph_column_group_name(&g, PH_NO_INDEX, word);
        keep(word, letters, &used, s ? &s->factors[i].label : NULL);
        for (size_t k = 0; k < g.count; k++) {
            ph_column_group_name(&g, k, word);
            keep(word, letters, &used, s ? &s->columns[g.first + k] : NULL);
        }
    }
    return used;
}

/* given: the space of configurations, those of the system or with the phase behind them. False without memory. */
static bool list_factors(ph_scene *s, const ph_system *system, const ph_space *given)
{
    s->nz = ph_space_ambient(given);
    s->n_factors = ph_space_factors(given);
    s->columns = calloc(s->nz, sizeof *s->columns);
    s->factors = calloc(s->n_factors, sizeof *s->factors);
    s->letters = malloc(name_all(given, NULL));
    if (!s->columns || !s->factors || !s->letters)
        return false;
    const ph_structure *of = ph_structure_of(system);
    for (size_t i = 0; i < s->n_factors; i++) {
        const ph_factor_place *f = ph_space_factor(given, i);
        s->factors[i] = (ph_scene_factor){
            .kind = f->kind, .z = f->z, .nz = f->nz, .strength = of->strength ? of->strength(system, i) : 1};
        if (!s->turns || i != s->phase)
            (void)ph_scene_find_tensor(system, i, s->factors[i].inertia);
    }
    name_all(given, s);
    return true;
}

static void find_up(ph_scene *s, const ph_system *system)
{
    const ph_structure *of = ph_structure_of(system);
    const double *G = of->gravity ? of->gravity(system) : NULL;
    double up[3], size;
    ph_system_up(system, up);
    size = ph_hypot(ph_hypot(up[0], up[1]), up[2]);
    if (!(size > 0) && G)
        size = -ph_hypot(ph_hypot(G[0], G[1]), G[2]);
    size = isfinite(size) ? size : 0;
    for (size_t k = 0; k < 3; k++)
        s->up[k] = size > 0 ? up[k] / size : size < 0 ? G[k] / size : k == 2;
    for (size_t k = 0; k < 3; k++)
        s->up[k] += 0; /* no -0 in texts */
}

/* ---- Creation ---------------------------------------------------------------------------------------- */

static ph_status fill_scene(ph_scene *s, const ph_system *system, const ph_space *given, ph_error *err)
{
    ph_status status = ph_scene_find_points(s, system, err);
    if (status)
        return status;
    find_up(s, system);
    s->parts = ph_system_parts(system, &s->n_parts);
    bool fits = s->n_parts || ph_scene_make_parts(s, system);
    if (fits && s->n_parts > 4 * PH_SCENE_MOST)
        return ph_fail(err, PH_E_SIZE, "a scene has at most %d parts; this one has %zu", 4 * PH_SCENE_MOST,
                       s->n_parts);
    fits = fits && list_factors(s, system, given) && ph_scene_write(s);
    return fits ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

ph_status ph_scene_create(const ph_system *system, ph_scene **scene, ph_error *err)
{
    size_t symmetry;
    *scene = NULL;
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    ph_scene *s = calloc(1, sizeof *s);
    if (!s)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const ph_system *whole = ph_system_whole(system, &symmetry);
    if (whole) {
        s->turns = true;
        s->phase = ph_space_factors(ph_system_space(whole));
        memcpy(s->axis, ph_system_symmetry(whole, symmetry)->axis, sizeof s->axis);
    }
    ph_status status = fill_scene(s, whole ? whole : system, ph_system_space(system), err);
    if (status)
        ph_scene_free(s);
    else
        *scene = s;
    return status;
}
