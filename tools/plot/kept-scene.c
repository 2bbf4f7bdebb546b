/* SPDX-License-Identifier: BSD-3-Clause */
/* The scene that an archive keeps, and its columns: see kept-scene.h. */
#include "kept-scene.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* PH_E_UNKNOWN names the first coordinate that is no column of the record. Both may be many. */
static ph_status check_coordinates(ph_record *record, const ph_scene *scene, ph_error *err)
{
    const size_t n = ph_record_columns(record);
    const char **names = malloc((n + 1) * sizeof *names);
    ph_status status = names ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; names && i < n; i++)
        names[i] = ph_record_column(record, i);
    if (names)
        qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < ph_scene_ambient(scene) && !status; i++) {
        const char *name = ph_scene_column(scene, i);
        if (!bsearch(&name, names, n, sizeof *names, by_name))
            status = ph_fail(err, PH_E_UNKNOWN, "the archive has no column %s", name);
    }
    free(names);
    return status;
}

/* *rows <- with t and the coordinates, which are there. */
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
    if (!status && ph_rows_columns(*rows) != n + 1) /* a name is also that of a group */
        status = ph_fail(err, PH_E_UNKNOWN, "its columns have the names of others");
    return status == PH_E_UNSUPPORTED ? PH_E_UNKNOWN : status;
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
        status = check_coordinates(record, *scene, err);
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
