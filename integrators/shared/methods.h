/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods of the catalogue by their names in C, for one whose steps begin with another's, and the options of
 * the one that is used so. */
#ifndef PH_INTEGRATORS_SHARED_METHODS_H
#define PH_INTEGRATORS_SHARED_METHODS_H

#include <polhode/method.h>

#define PH_METHOD(identifier) extern const ph_method identifier;
#define PH_METHOD_ABSENT(name, text)
#include "integrators/catalogue.def"
#undef PH_METHOD
#undef PH_METHOD_ABSENT

/* Where the options of `variational` are among its values. */
enum {
    PH_VARIATIONAL_RULE,
    PH_VARIATIONAL_ORDER,
    PH_VARIATIONAL_COMPOSITION,
    PH_VARIATIONAL_BOUND,
    PH_VARIATIONAL_OPTIONS
};

#endif
