/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue of built-in methods, made of integrators/catalogue.def. */
#include "config.h"

#include <polhode/kit/text.h>
#include <polhode/method.h>

#include "lib/internal/missing.h"

#include <string.h>

#define PH_METHOD_ABSENT(name, text)
#define PH_METHOD(identifier) extern const ph_method identifier;
#include "integrators/catalogue.def"
#undef PH_METHOD

static const ph_method *const catalogue[] = {
#define PH_METHOD(identifier) &identifier,
#include "integrators/catalogue.def"
#undef PH_METHOD
};

enum { COUNT = sizeof catalogue / sizeof catalogue[0] };

#undef PH_METHOD_ABSENT
#define PH_METHOD(identifier)
#define PH_METHOD_ABSENT(name, text) {name, text},
#define PH_TAKES_SUNDIALS                                                                                    \
    "it needs SUNDIALS 6 (Debian: libsundials-dev); "                                                        \
    "install that and run configure again (--with-sundials=yes says why it is not found)"
static const struct {
    const char *name, *text;
} absent[] = {
#include "integrators/catalogue.def"
    {NULL, NULL},
};
#undef PH_METHOD
#undef PH_METHOD_ABSENT

size_t ph_methods(void)
{
    return COUNT;
}

const ph_method *ph_method_at(size_t i)
{
    return i < COUNT ? catalogue[i] : NULL;
}

const ph_method *ph_method_find(const char *name, ph_error *err)
{
    const char *names[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        if (name && !strcmp(name, catalogue[i]->name))
            return catalogue[i];
        names[i] = catalogue[i]->name;
    }
    for (size_t i = 0; name && i + 1 < sizeof absent / sizeof absent[0]; i++)
        if (!strcmp(name, absent[i].name)) {
            ph_fail(err, PH_E_UNKNOWN, "the method \"%s\" is not in this build: %s", name, absent[i].text);
            return NULL;
        }
    ph_fail_unknown(err, "method", name ? name : "", names, COUNT);
    return NULL;
}
