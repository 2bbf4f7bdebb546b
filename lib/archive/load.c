/* SPDX-License-Identifier: BSD-3-Clause */
/* Loading a library. Nothing is kept here: who needs a library again finds it loaded. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for RTLD_DEFAULT */
#endif
#include "load.h"

#include <dlfcn.h>
#include <string.h>

ph_status ph_load_library(const char *file, const char *words, const char *const *names, size_t n,
                          void *addresses, ph_error *err)
{
    ph_status status = PH_OK;
    /* it may have registered what runs when the process ends: it is never unloaded */
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        const char *why = dlerror();
        return ph_fail(err, PH_E_UNSUPPORTED, "%s cannot be loaded: %.400s", words, why ? why : file);
    }
    /* a program that is linked with it, too, may have copies of its variables, which the library then uses: they are found from
     * the program on, where the first name, a function, is the library's */
    void *own = dlsym(library, names[0]),
         *scope = own && own == dlsym(RTLD_DEFAULT, names[0]) ? RTLD_DEFAULT : library;
    for (size_t i = 0; i < n && !status; i++) {
        void *address = dlsym(scope, names[i]);
        if (!address)
            status = ph_fail(err, PH_E_UNSUPPORTED,
                             "%s cannot be loaded: %s has no %s; Polhode was built with another version",
                             words, file, names[i]);
        memcpy((char *)addresses + i * sizeof address, &address, sizeof address);
    }
    dlclose(library);
    return status;
}
