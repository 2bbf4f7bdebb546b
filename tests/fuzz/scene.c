/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes from any text: what is read has indices in range, and its own text is read as the same scene.
 * fuzz: lib/scene; 50000 inputs of at most 4096 bytes */
#include "fuzz.h"

#include <polhode/domain/scene.h>

/* All that is asked of a scene, in one configuration. */
static void look(const ph_scene *scene)
{
    const size_t nz = ph_scene_ambient(scene), n = ph_scene_count(scene);
    size_t parts, factors;
    TK_MEMORY double *z = malloc((nz + 1) * sizeof *z), *x = malloc((3 * n + 1) * sizeof *x);
    double up[3], place[3], R[9];
    ph_error err = {PH_OK, ""};
    for (size_t i = 0; i < nz; i++) {
        z[i] = 0.3 + 0.1 * (double)(i % 7);
        ck_assert_ptr_nonnull(ph_scene_column(scene, i));
    }
    const ph_scene_factor *factor = ph_scene_factors(scene, &factors);
    for (size_t i = 0; i < factors; i++)
        ck_assert(factor[i].z <= nz && factor[i].nz <= nz - factor[i].z && factor[i].label);
    ph_scene_up(scene, up);
    ck_assert_double_eq_tol(up[0] * up[0] + up[1] * up[1] + up[2] * up[2], 1, 1e-9);
    memset(x, 0, (3 * n + 1) * sizeof *x);
    (void)fuzz_judge(ph_scene_points(scene, z, x, &err), &err);
    const ph_scene_part *part = ph_scene_parts(scene, &parts);
    for (size_t i = 0; i < parts; i++) {
        ph_scene_attitude(scene, &part[i], z, R);
        ph_scene_locate(scene, &part[i].a, z, x, place);
    }
}

FUZZ_TARGET(scene)
{
    TK_MEMORY char *text = malloc(size + 1);
    TK_OWN(ph_scene) *scene = NULL, *again = NULL;
    ph_error err = {PH_OK, ""};
    memcpy(text, data, size);
    text[size] = '\0';
    if (!fuzz_judge(ph_scene_read(text, &scene, &err), &err)) {
        ck_assert_ptr_null(scene);
        return FUZZ_TAKEN;
    }
    look(scene);
    ck_assert_msg(!ph_scene_read(ph_scene_text(scene), &again, &err), "%s: %s", err.message,
                  ph_scene_text(scene));
    ck_assert_str_eq(ph_scene_text(again), ph_scene_text(scene));
    return FUZZ_TAKEN;
}
