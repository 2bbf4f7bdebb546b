/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the formulas of a scenario are compiled for its run, or those of all members of an ensemble that share them: where
 * the interpreter would take more than about a second, or as it says. */
#include "parts.h"

#include "lib/internal/missing.h"

#include <polhode/domain/formula.h>
#include <polhode/kit/kernels.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [s] in the interpreter, about: an operation takes 1 ns, and a step 4 evaluations for each order. */
static double seconds(const ph_scenario *s, size_t operations)
{
    int order = s->method->order;
    for (size_t i = 0; i < s->n_settings; i++)
        if (!strcmp(s->settings[i].name, "order"))
            order = atoi(s->settings[i].value);
    return 1e-9 * (double)operations * 4 * order * (double)s->steps * (s->runs > 1 ? s->runs : 1);
}

ph_status ph_scenario_compile(ph_scenario *s, ph_error *err)
{
    ph_error why = {PH_OK, ""};
    if (!s)
        return ph_not_created(err, "scenario", "ph_scenario_load");
    ph_system *system = s->whole ? s->whole : s->system;
    const size_t found = strlen(s->found.text), operations = ph_formula_operations(system);
    const char *compile = getenv("POLHODE_COMPILE");
    if (!operations || !(ph_fast_paths() & PH_PATH_COMPILED) || s->compile == PH_COMPILE_NEVER ||
        (compile && !strcmp(compile, "never")) ||
        (s->compile == PH_COMPILE_AUTO && (!ph_scenario_is_settled(s) || seconds(s, operations) < 1)))
        return PH_OK;
    const ph_status status = ph_formula_compile(system, &why);
    if (!status)
        snprintf(s->found.text + found, sizeof s->found.text - found, "%s",
                 found ? "; compiled" : "formulas, compiled");
    else if (s->compile == PH_COMPILE_ALWAYS)
        return ph_fail(err, status, "model.compile is always, but %.400s", why.message);
    else
        ph_note(s, NULL, "model: the formulas are interpreted, which takes longer: %.400s", why.message);
    return PH_OK;
}
