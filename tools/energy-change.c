/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a change of the energy an error, or do forces change it? */
#include "program.h"

#include <string.h>

energy_change energy_change_of(const ph_record *record, const ph_scenario *scenario)
{
    const char *text = ph_record_meta(record, "conservative"); /* older archives lack it */
    if (text)
        return !strcmp(text, "true") ? ENERGY_ERROR : !strcmp(text, "false") ? ENERGY_DRIVEN : ENERGY_UNKNOWN;
    if (!scenario)
        return ENERGY_UNKNOWN;
    return ph_system_is_conservative(ph_scenario_system(scenario)) ? ENERGY_ERROR : ENERGY_DRIVEN;
}
