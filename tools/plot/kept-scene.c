/* SPDX-License-Identifier: BSD-3-Clause */
/* The scene that an archive keeps, and its columns: see kept-scene.h. */
#include "kept-scene.h"

#include <stdlib.h>
#include <string.h>

/* A column that the record lacks, the first of the scene; NULL: none. */
static const char *find_missing(ph_record *record, const ph_scene *scene)
{
    const size_t n = ph_scene_ambient(scene);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < ph_record_columns(record) &&
               strcmp(ph_record_column(record, k), ph_scene_column(scene, i)) != 0)
            k++;
        if (k == ph_record_columns(record))
            return ph_scene_column(scene, i);
    }
    return NULL;
}

/* *rows <- with t and the coordinates. */
static ph_status open_coordinates(ph_record *record, const ph_scene *scene, ph_rows **rows, ph_error *err)
{
    const size_t n = ph_scene_ambient(scene);
    const char **words = malloc((n + 1) * sizeof *words);
    if (!words)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    words[0] = "t";
    for (size_t i = 0; i < n; i++)
        words[i + 1] = ph_scene_column(scene, i);
    ph_status status = ph_rows_open(record, words, n + 1, rows, err);
    free(words);
    if (status == PH_E_UNSUPPORTED) {
        const char *missing = find_missing(record, scene);
        status =
            ph_fail(err, PH_E_UNKNOWN, "the archive has no column %s", missing ? missing : "of that name");
    }
    if (!status && ph_rows_columns(*rows) != n + 1) /* a name is also that of a group */
        status = ph_fail(err, PH_E_UNKNOWN, "its columns have the names of others");
    return status;
}

ph_status kept_scene_open(ph_record *record, ph_scene **scene, ph_rows **rows, ph_error *err)
{
    const char *text = ph_record_meta(record, "scene");
    *scene = NULL;
    *rows = NULL;
    if (!text)
        return ph_fail(err, PH_E_UNSUPPORTED, "the archive keeps no scene");
    ph_status status = ph_scene_read(text, scene, err);
    if (status == PH_E_UNSUPPORTED) /* by another version: this is worth a sentence, too */
        status = PH_E_PARSE;
    if (!status && (!ph_scene_count(*scene) || !ph_scene_is_affine(*scene)))
        status =
            ph_fail(err, PH_E_UNSUPPORTED, "the points of the scene do not follow from its configuration");
    if (!status)
        status = open_coordinates(record, *scene, rows, err);
    if (status) {
        ph_scene_free(*scene);
        ph_rows_free(*rows);
        *scene = NULL;
        *rows = NULL;
    }
    return status;
}
