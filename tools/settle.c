/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario that gives an accuracy, and leaves method or step to be chosen, is settled before it is run or checked:
 * by the measurements of polhode methods --advise, with progress; one line states what was chosen. */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/advice/advice.h"
#include "figures/utf8.h"

void show_advice_progress(void *self, const char *what, double fraction)
{
    progress *p = self;
    p->label = what;
    progress_show(p, NAN, (int64_t)(1000 * fraction) + 1, 1001, NULL);
}

/* line <- what was chosen, and what is expected of it. */
static void write_choice(const ph_scenario *sc, const advice_choice *choice, char line[CHOICE_LINE])
{
    size_t n;
    const ph_setting *settings = ph_scenario_settings(sc, &n);
    char method[200], step[32];
    snprintf(method, sizeof method, "%s", ph_scenario_method(sc)->name);
    for (size_t i = 0; i < n; i++)
        text_add(method, sizeof method, ":%s=%s", settings[i].name, settings[i].value);
    number_text(step, 6, ph_scenario_step_size(sc));
    snprintf(line, CHOICE_LINE, "accuracy %g: %s, step %s s; estimated error %.1e of the %s until %g s",
             ph_scenario_accuracy(sc), method, step, choice->error,
             choice->by_energy ? "energy" : "trajectory", choice->horizon);
    if (choice->length > 0)
        text_add(line, CHOICE_LINE, " (lengths: of %.3g m)", choice->length);
    if (choice->confirmed)
        text_add(line, CHOICE_LINE, ", seen in a run to the end");
    else
        text_add(line, CHOICE_LINE, ", extrapolated from the first %.3g s", choice->run_to);
}

int settle_scenario(ph_scenario *sc, const char *file, bool quiet, char line[CHOICE_LINE])
{
    advice_choice choice;
    ph_error err;
    *line = '\0';
    if (ph_scenario_is_settled(sc))
        return EXIT_OK;
    progress p = progress_start("", quiet);
    const advice_plan plan = {.interrupt = signal_flag(), .progress = show_advice_progress, .self = &p};
    catch_signals();
    const ph_status status = advice_settle(sc, &plan, &choice, &err);
    progress_end(&p);
    if (status == PH_E_INTERRUPTED && *signal_flag())
        return complain(EXIT_SIGNAL + (int)*signal_flag(), "%s; nothing was written", err.message);
    if (status)
        return complain(EXIT_INPUT, "%s: %s", file, err.message);
    write_choice(sc, &choice, line);
    return EXIT_OK;
}
