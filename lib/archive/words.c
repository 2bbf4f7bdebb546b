/* SPDX-License-Identifier: BSD-3-Clause */
/* Words in summaries and archives: how a run ended, why, and the value of an option. */
#include "words.h"
#include "file.h"

#include <stdio.h>
#include <string.h>

const char *ph_status_word(ph_status status)
{
    static const char *const words[PH_STATUS_COUNT] = {
        [PH_OK] = "ok",
        [PH_E_INVALID] = "invalid",
        [PH_E_RANGE] = "out-of-range",
        [PH_E_SIZE] = "wrong-size",
        [PH_E_UNKNOWN] = "unknown-name",
        [PH_E_NOT_FINITE] = "not-finite",
        [PH_E_NOT_ON_MANIFOLD] = "not-on-manifold",
        [PH_E_NOT_TANGENT] = "not-tangent",
        [PH_E_UNSUPPORTED] = "unsupported",
        [PH_E_NO_MEMORY] = "no-memory",
        [PH_E_SINGULAR] = "singular",
        [PH_E_NO_SOLUTION] = "no-solution",
        [PH_E_NO_CONVERGENCE] = "no-convergence",
        [PH_E_CALLBACK] = "callback",
        [PH_E_DIVERGED] = "diverged",
        [PH_E_INTERRUPTED] = "interrupted",
        [PH_E_STOPPED] = "stopped",
        [PH_E_PARSE] = "unreadable",
        [PH_E_EXISTS] = "exists",
        [PH_E_IO] = "io",
    };
    const char *word = (unsigned)status < PH_STATUS_COUNT ? words[status] : NULL;
    return word ? word : "failed";
}

ph_status ph_status_of_word(const char *word)
{
    for (int i = 0; i < PH_STATUS_COUNT; i++)
        if (!strcmp(word, ph_status_word((ph_status)i)))
            return (ph_status)i;
    return PH_OK;
}

const char *ph_ending_reason(const ph_ending *ending)
{
    return ending->reason ? ending->reason : ending->status ? ph_status_word(ending->status) : "duration";
}

/* The choices of an option are words with a space between them; its value counts them from 0. */
const char *ph_option_word(const ph_option *option, double value, char *to, size_t size)
{
    const char *choices = option->choices;
    for (; value >= 1 && *choices; value--) {
        choices += strcspn(choices, " ");
        choices += strspn(choices, " ");
    }
    snprintf(to, size, "%.*s", (int)strcspn(choices, " "), choices);
    return to;
}

void ph_options_text(const ph_method *method, const double *values, char *text, size_t size)
{
    char word[64];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < method->n_options && used < size; i++) {
        const ph_option *o = &method->options[i];
        if (o->type == PH_OPTION_CHOICE)
            ph_option_word(o, values[i], word, sizeof word);
        else
            ph_number_text(values[i], word);
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i ? " " : "", o->name, word);
    }
}
