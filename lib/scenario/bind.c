/* SPDX-License-Identifier: BSD-3-Clause */
/* The integrator that a scenario asks for, or that of an archive of it, in the form of the equations that
 * it had. */
#include "parts.h"

#include "lib/internal/missing.h"

#include <polhode/kit/tensions.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* word <- the form among recorded options, "" for none. Archives that say `automatic` are older than the
 * choice by cost: it was q-qdot, or tensions. */
static void find_form(const ph_system *system, const char *options, char word[16])
{
    const char *at = options ? strstr(options, "form=") : NULL;
    const size_t n = at ? strcspn(at + 5, " ") : 0;
    snprintf(word, 16, "%.*s", n < 16 ? (int)n : 0, at ? at + 5 : "");
    if (!ph_space_momenta(ph_system_space(system))) /* there is no choice of forms */
        *word = '\0';
    if (!strcmp(word, "automatic"))
        snprintf(word, 16, "%s", ph_system_is_sparse(system) ? "tensions" : "q-qdot");
}

/* The recorded form is a further setting behind those of the scenario. */
ph_status ph_scenario_integrator(const ph_scenario *s, const char *recorded, ph_integrator **integrator,
                                 ph_error *err)
{
    char word[16];
    if (!s)
        return ph_not_created(err, "scenario", "ph_scenario_load");
    if (!ph_scenario_is_settled(s))
        return ph_fail(
            err, PH_E_INVALID,
            "the scenario gives an accuracy, and leaves %s to be chosen for it: ph_scenario_settle sets "
            "them (`polhode run` chooses them by itself)",
            !s->method && s->h == 0 ? "method and step"
            : s->method             ? "the step"
                                    : "the method");
    find_form(s->system, recorded, word);
    if (!word[0])
        return ph_integrator_create(s->system, s->method, s->h, s->settings, s->n_settings, integrator, err);
    ph_setting *all = malloc((s->n_settings + 1) * sizeof *all);
    if (!all)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (s->n_settings)
        memcpy(all, s->settings, s->n_settings * sizeof *all);
    all[s->n_settings] = (ph_setting){"form", word}; /* of two the latter holds */
    ph_status status =
        ph_integrator_create(s->system, s->method, s->h, all, s->n_settings + 1, integrator, err);
    free(all);
    return status;
}
