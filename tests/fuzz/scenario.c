/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios from any text: what is accepted has a system, whose first steps end in a status, and a state of finite numbers where
 * that is PH_OK. Edited, it is a scenario or refused.
 * fuzz: lib/scenario lib/models lib/text; 20000 inputs of at most 4096 bytes */
#include "fuzz.h"

#include <polhode/scenario.h>

/* More takes long by itself, not by a mistake. */
enum { LARGEST = 300, STEPS = 3 };

static void walk(const ph_scenario *s)
{
    TK_MOTION(it, state);
    ph_error err = {PH_OK, ""};
    if (!fuzz_judge(ph_scenario_integrator(s, NULL, &it, &err), &err))
        return;
    if (!fuzz_judge(ph_state_create(it, &state, &err), &err) ||
        !fuzz_judge(ph_state_set(it, state, ph_scenario_time(s), ph_scenario_configuration(s),
                                 ph_scenario_momentum(s), PH_PROJECT, &err),
                    &err))
        return;
    for (int k = 0; k < STEPS; k++) {
        const ph_status status = ph_integrator_step(it, state, 1);
        err.status = status;
        snprintf(err.message, sizeof err.message, "%s", ph_integrator_message(it));
        (void)fuzz_judge(status, &err);
        fuzz_finite(&state->t, 1);
        fuzz_finite(state->z, state->nz);
        fuzz_finite(state->p, state->np);
    }
}

FUZZ_TARGET(scenario)
{
    TK_OWN(ph_scenario) *s = NULL;
    TK_MEMORY char *text = malloc(size + 1), *edited = NULL;
    ph_error err = {PH_OK, ""};
    size_t n;
    memcpy(text, data, size);
    text[size] = '\0';
    (void)fuzz_judge(ph_scenario_edit(text, size, "method.order", "4", &edited, &err), &err);
    if (!fuzz_judge(ph_scenario_parse(text, size, "s.yaml", &s, &err), &err)) {
        ck_assert_ptr_null(s);
        return FUZZ_TAKEN;
    }
    const char *const *notes = ph_scenario_notes(s, &n);
    for (size_t i = 0; i < n; i++)
        fuzz_printable(notes[i]);
    const ph_space *space = ph_system_space(ph_scenario_system(s));
    if (ph_scenario_is_settled(s) && ph_space_ambient(space) < LARGEST)
        walk(s);
    return FUZZ_TAKEN;
}
