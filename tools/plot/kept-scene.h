/* SPDX-License-Identifier: BSD-3-Clause */
/* The scene that an archive keeps (doc/reference/scenes.md), for figures of systems that this program cannot build. */
#ifndef POLHODE_TOOLS_PLOT_KEPT_SCENE_H
#define POLHODE_TOOLS_PLOT_KEPT_SCENE_H

#include <polhode/domain/scene.h>
#include <polhode/rows.h>

/* *scene <- as the archive keeps it, its points affine, and *rows <- with t and the coordinates of its configuration behind it. NULL both, and
 * PH_E_UNSUPPORTED: it keeps none, or one without such points; other errors: it cannot be read, or its columns are not there. */
ph_status kept_scene_open(ph_record *record, ph_scene **scene, ph_rows **rows, ph_error *err);

#endif
