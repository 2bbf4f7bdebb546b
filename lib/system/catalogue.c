/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of systems, lib/kinds/catalogue.def, and which of them a definition describes. */
#include "structure.h"

#define PH_STRUCTURE(name) extern const ph_structure ph_structure_##name;
#include "lib/kinds/catalogue.def"
#undef PH_STRUCTURE
static const ph_structure *const catalogue[] = {
#define PH_STRUCTURE(name) &ph_structure_##name,
#include "lib/kinds/catalogue.def"
#undef PH_STRUCTURE
};

ph_status ph_system_create(const ph_system_definition *definition, ph_system **system, ph_error *err)
{
    const ph_structure *const *of = catalogue;
    while (!(*of)->fits(definition))
        of++; /* the last one always fits */
    return ph_system_create_of(*of, definition, system, err);
}
