/* SPDX-License-Identifier: BSD-3-Clause */
/* A model of your own, in C, for the program: a shared object with one symbol, which a scenario names as
 * its system in place of a model, by the path ./mine.so.
 *
 *     static const ph_model mine = {.name = "mine", ..., .build = build, .preset = preset};
 *     PH_PLUGIN(mine);
 *
 * Compile it by cc -shared -fPIC mine.c $(pkg-config --cflags --libs polhode) -o mine.so. The sizes of the
 * structures that both sides share are compared before anything of it is called.
 *
 * A sweep (sweep.h) calls the plugin from several threads at once: build and preset, and the callbacks of a
 * system, which members share where its parameters do not vary. They may read what `user` points to, and
 * write nothing but their results: no static variable, and no work space in `user`. */
#ifndef POLHODE_PLUGIN_H
#define POLHODE_PLUGIN_H

#include <stddef.h>

#include <polhode/definition.h>
#include <polhode/models.h>

PH_BEGIN_DECLS

/** The version of ph_plugin and of what callbacks take, which no size shows; another one is refused. */
#define PH_PLUGIN_VERSION 2

/** What a plugin exports, under the name `ph_plugin_of_model`. */
typedef struct ph_plugin {
    size_t version;         /**< PH_PLUGIN_VERSION */
    size_t definition_size; /**< sizeof(ph_system_definition) */
    size_t model_size;      /**< sizeof(ph_model) */
    const ph_model *model;  /**< with name, parameters, presets, build and preset; static data */
} ph_plugin;

/** Export this model. */
#define PH_PLUGIN(of)                                                                                        \
    PH_API extern const ph_plugin ph_plugin_of_model;                                                        \
    const ph_plugin ph_plugin_of_model = {PH_PLUGIN_VERSION, sizeof(ph_system_definition), sizeof(ph_model), \
                                          &(of)}

PH_END_DECLS
#endif
