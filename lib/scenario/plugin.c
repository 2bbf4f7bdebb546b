/* SPDX-License-Identifier: BSD-3-Clause */
/* system: ./mine.so, a model from a shared object (polhode/plugin.h). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for dladdr */
#endif
#include "parts.h"

#include "lib/archive/database.h"
#include "lib/archive/place.h"
#include "lib/text/file.h"

#include <polhode/kit/text.h>
#include <polhode/plugin.h>
#include <polhode/version.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Whether its parts are what they should be, before any is called. */
static ph_status check_plugin(const ph_node *at, const ph_plugin *plugin, ph_error *err)
{
    if (!plugin)
        return ph_node_fail(
            at, err, PH_E_INVALID,
            "has no ph_plugin_of_model; a plugin ends with PH_PLUGIN(model) of polhode/plugin.h");
    if (plugin->version != PH_PLUGIN_VERSION || plugin->definition_size != sizeof(ph_system_definition) ||
        plugin->model_size != sizeof(ph_model))
        return ph_node_fail(
            at, err, PH_E_INVALID,
            "was compiled for another version of Polhode; compile it again with the headers of this one, " PH_VERSION);
    const ph_model *m = plugin->model;
    if (!m || !m->name || !*m->name || !m->build || (m->n_parameters && !m->parameters) ||
        (m->n_presets && (!m->presets || !m->preset)) || m->n_own || m->bodies)
        return ph_node_fail(
            at, err, PH_E_INVALID,
            "has a model without a name or without build, or with presets and no function for them");
    return PH_OK;
}

ph_status ph_read_plugin(ph_reading *r, const ph_node *at, const ph_node *parameters, const ph_node *initial,
                         ph_error *err)
{
    const char *compile = getenv("POLHODE_COMPILE"), *name;
    ph_scenario *s = r->scenario;
    ph_status status = ph_node_text(at, "the path of a shared object, as ./mine.so,", &name, err);
    if (status)
        return status;
    if (strstr(name, "://") || !strchr(name, '/'))
        return ph_node_fail(at, err, PH_E_INVALID,
                            "is \"%.60s\"; the path of a shared object is expected, with a slash: ./mine.so",
                            name);
    if (compile && !strcmp(compile, "never"))
        return ph_node_fail(at, err, PH_E_UNSUPPORTED,
                            "is code that comes with the scenario, which --no-compile does not run");
    char *path = ph_path_join(*name != '/' && r->directory ? r->directory : "", name, "");
    if (!path)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    free(path);
    if (!s->plugin)
        return ph_node_fail(
            at, err, PH_E_IO, "cannot be loaded: %.400s%s", dlerror(),
            r->directory ? "" : "; the path of an archive's plugin begins in the current directory");
    const ph_plugin *plugin = dlsym(s->plugin, "ph_plugin_of_model");
    status = check_plugin(at, plugin, err);
    if (status)
        return status;
    s->model = plugin->model;
    return ph_build_model(r, at, parameters, initial, err);
}

/* The loader knows which file the model came from. */
uint32_t ph_plugin_checksum(const ph_scenario *s)
{
    enum { LONGEST = 1 << 30 };
    Dl_info from;
    char *bytes = NULL;
    size_t length = 0;
    if (!s->plugin || !dladdr(s->model, &from) ||
        ph_text_slurp(from.dli_fname, LONGEST, &bytes, &length, NULL))
        return 0;
    const uint32_t sum = ph_checksum(0, (const unsigned char *)bytes, length);
    free(bytes);
    return sum;
}

void ph_close_plugin(ph_scenario *s)
{
    if (s->plugin)
        dlclose(s->plugin);
}
