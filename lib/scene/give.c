/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems that are created with the parts of a list (list.h). */
#include "list.h"

#include <polhode/system.h>

#include <stdlib.h>

ph_status ph_part_create(ph_part_list *list, ph_system_definition *definition, ph_system **system,
                         ph_error *err)
{
    ph_part_give(list, definition);
    const ph_status status = ph_system_create(definition, system, err);
    free(list->at);
    return status;
}
