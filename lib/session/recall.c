/* SPDX-License-Identifier: BSD-3-Clause */
/* The scenario of an archive, with the method and the step that were chosen for it where it gives an accuracy. */
#include <polhode/session.h>

#include <polhode/kit/text.h>

#include "lib/archive/record.h"
#include "lib/internal/missing.h"

#include <stdlib.h>
#include <string.h>

/* A number of the archive, or 0. */
static double recall_number(const ph_record *record, const char *key)
{
    const char *text = ph_record_meta(record, key);
    double value;
    return text && !ph_parse_number(text, &value) ? value : 0;
}

/* Method and step that were chosen when the run began: nothing is chosen again. */
static ph_status recall_choice(ph_scenario *scenario, const ph_record *record, ph_error *err)
{
    enum { MOST = 64 };
    ph_setting settings[MOST];
    size_t n = 0;
    char *rest = NULL;
    const char *name = ph_record_meta(record, "method"), *options = ph_record_meta(record, "options");
    const bool given = ph_scenario_method(scenario);
    const ph_method *method = given ? NULL : ph_method_find(name ? name : "", err);
    if (!given && !method)
        return PH_E_PARSE;
    char *words = strdup(options && !given ? options : "");
    if (!words)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (char *word = strtok_r(words, " ", &rest); word && n < MOST; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        if (!value)
            continue;
        *value = '\0';
        settings[n++] = (ph_setting){word, value + 1};
    }
    const double h = ph_scenario_step_size(scenario) ? 0 : recall_number(record, "step");
    ph_status status =
        ph_scenario_settle(scenario, method, settings, n, h, recall_number(record, "estimated_error"),
                           recall_number(record, "estimated_energy_error"), err);
    free(words);
    return status;
}

ph_status ph_session_recall(const ph_record *record, const char *path, ph_scenario **scenario, ph_error *err)
{
    if (!record)
        return ph_not_created(err, "record", "ph_record_open");
    const char *text = ph_record_meta(record, "scenario"), *name = ph_record_meta(record, "name");
    if (!text || !ph_record_meta(record, "steps"))
        return ph_fail(err, PH_E_PARSE,
                       "%s: has no scenario; another program has written it, which alone can continue it",
                       path);
    ph_status status = ph_scenario_recall_kept(text, strlen(text), name ? name : path,
                                               ph_record_meta(record, "kept"), scenario, err);
    if (!status && !ph_scenario_is_settled(*scenario) && (status = recall_choice(*scenario, record, err))) {
        ph_scenario_free(*scenario);
        *scenario = NULL;
    }
    return ph_record_note(record, status);
}
